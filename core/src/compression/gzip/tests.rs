use alloc::vec::Vec;

use super::*;
use crate::compression::testing::{self, SIZES, TEXT, hex, samples};

const DEFLATED: &str = "cb4f4b2b4e2d513031d451c887328d104c63ec4c00";
const TRAILER: &str = "b95c142c35000000";
const PLAIN: &str = "1f8b0800000000000203";
/// Extra field, name, comment and header checksum, as zlib's checksum function computes it.
const FULL: &str = "1f8b081e010203040203030078797a6e616d6500636f6d6d656e74001dd2";
const ZLIB: &str = "789ccb4f4b2b4e2d513031d451c887328d104c63ec4c00c6a71074";
const EMPTY: &str = "1f8b080000000000020303000000000000000000";

fn stream(parts: &[&str]) -> Vec<u8> {
    hex(&parts.concat())
}

fn read_up_to(limit: usize, input: &[u8]) -> Result<Vec<u8>, Error> {
    testing::read(limit, |out| Reader::<back_end::Inflater>::default().read(input, out))
}

fn read(input: &[u8]) -> Result<Vec<u8>, Error> {
    read_up_to(1 << 20, input)
}

fn fails(input: &[u8], kind: ErrorKind, position: u64) {
    let error = read(input).unwrap_err();
    assert_eq!((error.kind(), error.position()), (kind, position), "{input:02x?}");
}

#[test]
fn header_fields_are_skipped_and_members_joined() {
    let plain = stream(&[PLAIN, DEFLATED, TRAILER]);
    let full = stream(&[FULL, DEFLATED, TRAILER]);
    assert_eq!(read(&plain).unwrap(), TEXT);
    assert_eq!(read(&full).unwrap(), TEXT);
    assert_eq!(read(&hex(EMPTY)).unwrap(), b"");
    let joined = [plain, hex(EMPTY), full].concat();
    assert_eq!(read(&joined).unwrap(), [TEXT, TEXT].concat());
}

#[test]
fn what_starts_no_member_after_one_is_ignored() {
    let plain = stream(&[PLAIN, DEFLATED, TRAILER]);
    let zeros = "00".repeat(24);
    let rest = [
        "00",
        &zeros,
        PLAIN,
        "1f8b08",
        "1f8b07000000000000030000000000000000000000",
        // A damaged header checksum.
        &FULL.replace("1dd2", "1dd3"),
        // A comment without an end.
        "1f8b0810000000000203616161616161616161616161",
    ];
    for rest in rest {
        assert_eq!(read(&[&plain[..], &hex(rest)].concat()).unwrap(), TEXT, "{rest}");
    }
    // What starts one is read, and must be right.
    let cut = stream(&[PLAIN, DEFLATED, TRAILER, PLAIN, DEFLATED]);
    fails(&cut, ErrorKind::CodecTruncated, cut.len() as u64);
}

#[test]
fn faults_have_kinds_and_positions() {
    fails(&hex(ZLIB), ErrorKind::CodecHeader, 0);
    fails(&hex("1f8b0700000000000203"), ErrorKind::CodecHeader, 0);
    fails(&[], ErrorKind::CodecTruncated, 0);
    let bad_header = stream(&[&FULL.replace("1dd2", "1dd3"), DEFLATED, TRAILER]);
    fails(&bad_header, ErrorKind::CodecChecksum, 28);
    fails(&stream(&[PLAIN, DEFLATED, "b95c142d35000000"]), ErrorKind::CodecChecksum, 31);
    fails(&stream(&[PLAIN, DEFLATED, "b95c142c36000000"]), ErrorKind::CodecChecksum, 35);
    // A block of the reserved type.
    assert_eq!(read(&stream(&[PLAIN, "07", TRAILER])).unwrap_err().kind(), ErrorKind::CodecCorrupt);
    // A distance from before the start.
    let far = stream(&[PLAIN, "4b041200", TRAILER]);
    assert_eq!(read(&far).unwrap_err().kind(), ErrorKind::CodecCorrupt);
}

#[test]
fn a_stream_that_is_cut_anywhere_is_an_error() {
    for whole in [stream(&[PLAIN, DEFLATED, TRAILER]), stream(&[FULL, DEFLATED, TRAILER])] {
        for len in 0..whole.len() {
            fails(&whole[..len], ErrorKind::CodecTruncated, len as u64);
        }
    }
}

#[test]
fn the_bound_is_exact() {
    let plain = stream(&[PLAIN, DEFLATED, TRAILER]);
    assert_eq!(read_up_to(TEXT.len(), &plain).unwrap(), TEXT);
    for limit in [0, 1, TEXT.len() - 1] {
        let error = read_up_to(limit, &plain).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitBatchBytes);
        assert_eq!((error.expected(), error.actual()), (limit as u64, limit as u64 + 1));
    }
    // A stream that is cut at the bound does not go beyond it.
    let cut = &plain[..plain.len() - 9];
    assert_eq!(read_up_to(TEXT.len(), cut).unwrap_err().kind(), ErrorKind::CodecTruncated);
}

#[test]
fn a_false_size_reserves_little() {
    let lie = stream(&[PLAIN, DEFLATED, "b95c142cffffffff"]);
    let mut buffer = Vec::new();
    let mut out = Output::growing(&mut buffer, 0, 1 << 30, ErrorKind::LimitBatchBytes);
    let error = Reader::<back_end::Inflater>::default().read(&lie, &mut out).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CodecChecksum);
    assert!(buffer.capacity() < 64 * 1024, "{}", buffer.capacity());
}

fn round_trips<I: Inflate, D: Deflate>() {
    let (mut reader, mut writer) = (Reader::<I>::default(), Writer::<D>::default());
    for len in SIZES {
        for input in samples(len) {
            for level in [-1, 1, 6, 9] {
                let packed = testing::write(bound(len), |out| writer.write(level, &input, out));
                let read = testing::read(len, |out| reader.read(&packed, out));
                assert!(read.unwrap() == input, "{len} bytes at level {level}");
            }
        }
    }
}

#[test]
fn written_streams_are_read() {
    round_trips::<back_end::Inflater, back_end::Deflater>();
}

#[test]
fn levels_differ() {
    let input = testing::records(100_000);
    let mut writer = Writer::<back_end::Deflater>::default();
    let mut len =
        |level| testing::write(bound(100_000), |out| writer.write(level, &input, out)).len();
    assert!(len(1) > len(9));
    assert_eq!(len(-1), len(6));
}

#[cfg(feature = "fast-gzip")]
mod agreement {
    use super::*;
    use crate::compression::testing::{assert_agreement, damaged};
    use proptest::prelude::*;

    fn agree(input: &[u8], limit: usize) {
        assert_agreement(
            input,
            limit,
            |input, out| Reader::<fast::Inflater>::default().read(input, out),
            |input, out| Reader::<portable::Inflater>::default().read(input, out),
        );
    }

    #[test]
    fn each_reads_what_the_other_writes() {
        round_trips::<portable::Inflater, portable::Deflater>();
        round_trips::<fast::Inflater, portable::Deflater>();
        round_trips::<portable::Inflater, fast::Deflater>();
    }

    #[test]
    fn on_every_cut_and_every_flipped_bit() {
        for whole in [stream(&[PLAIN, DEFLATED, TRAILER]), stream(&[FULL, DEFLATED, TRAILER])] {
            for input in damaged(&whole) {
                agree(&input, 1 << 20);
                agree(&input, TEXT.len());
                agree(&input, TEXT.len() - 1);
            }
        }
    }

    /// Without the checksums, which would cover up what one back end takes and the other does not.
    #[test]
    fn on_every_cut_and_every_flipped_bit_of_bare_deflate() {
        for (level, len) in [(1, 2000), (6, 1000), (9, 50)] {
            let mut whole = Vec::new();
            let mut out = Output::growing(&mut whole, 0, 4096, ErrorKind::LimitBatchBytes);
            fast::Deflater::default().deflate(level, &testing::records(len), &mut out).unwrap();
            let len = out.len();
            for input in damaged(&whole[..len]) {
                assert_agreement(
                    &input,
                    1 << 20,
                    |input, out| fast::Inflater.inflate(input, out).map(drop),
                    |input, out| portable::Inflater::default().inflate(input, out).map(drop),
                );
            }
        }
    }

    proptest! {
        #[test]
        fn on_damaged_streams(
            len in 0_usize..5000,
            level in 1..=9,
            kind in 0_usize..3,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            limit in prop_oneof![Just(1 << 20), 0_usize..5000],
        ) {
            let input = &samples(len)[kind];
            let mut writer = Writer::<fast::Deflater>::default();
            let mut packed = testing::write(bound(len), |out| writer.write(level, input, out));
            for (index, byte) in changes {
                let index = index.index(packed.len());
                packed[index] = byte;
            }
            agree(&packed, limit);
        }

        #[test]
        fn on_noise_as_deflate(body in prop::collection::vec(any::<u8>(), 0..200)) {
            agree(&[&hex(PLAIN), &body[..]].concat(), 1 << 20);
        }
    }
}
