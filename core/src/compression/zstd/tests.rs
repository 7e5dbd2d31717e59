use alloc::vec::Vec;

use super::*;
use crate::compression::testing::{self, SIZES, TEXT, hex, samples};

/// As Java writes: a window, no content size, no checksum.
const STREAMED: &str = "28b52ffd0058bd0000686f66667365742034312c20323303004009d8d744f102";
/// Content size and checksum, one segment.
const CHECKED: &str = "28b52ffd2435bd0000686f66667365742034312c20323303004009d8d744f10209b0f13e";
const EMPTY: &str = "28b52ffd2000010000";
const DICTIONARY: &str = "28b52ffd23ca20444b35750000103433057c0088537cbeda1123d2";
const SKIPPABLE: &str = "5f2a4d1803000000aabbcc";

fn stream(parts: &[&str]) -> Vec<u8> {
    hex(&parts.concat())
}

fn read_up_to(limit: usize, input: &[u8]) -> Result<Vec<u8>, Error> {
    testing::read(limit, |out| Reader::<back_end::Decoder>::default().read(input, out))
}

fn read(input: &[u8]) -> Result<Vec<u8>, Error> {
    read_up_to(1 << 20, input)
}

fn fails(input: &[u8], kind: ErrorKind, position: u64) {
    let error = read(input).unwrap_err();
    assert_eq!((error.kind(), error.position()), (kind, position), "{input:02x?}");
}

/// A frame with a window and no size: the window's byte, and blocks of a type, a size and bytes.
fn frame(window: u8, blocks: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let mut out = [&frame::MAGIC[..], &[0, window]].concat();
    for (index, (kind, size, bytes)) in blocks.iter().enumerate() {
        let last = u32::from(index + 1 == blocks.len());
        out.extend_from_slice(&(last | kind << 1 | size << 3).to_le_bytes()[..3]);
        out.extend_from_slice(bytes);
    }
    out
}

const RAW: u32 = 0;
const RUN: u32 = 1;
const COMPRESSED: u32 = 2;
const RESERVED: u32 = 3;

#[test]
fn every_form_of_frame_is_read() {
    for form in [STREAMED, CHECKED] {
        assert_eq!(read(&stream(&[form])).unwrap(), TEXT);
        let twice = stream(&[SKIPPABLE, form, EMPTY, SKIPPABLE, form, SKIPPABLE]);
        assert_eq!(read(&twice).unwrap(), [TEXT, TEXT].concat());
    }
    assert_eq!(read(&hex(EMPTY)).unwrap(), b"");
    let blocks: [(u32, u32, &[u8]); 2] = [(RAW, 3, b"abc"), (RUN, 1000, b"d")];
    assert_eq!(read(&frame(0, &blocks)).unwrap(), [&b"abc"[..], &[b'd'; 1000]].concat());
}

#[test]
fn faults_have_kinds_and_positions() {
    fails(&[], ErrorKind::CodecTruncated, 0);
    fails(b"\x04\x22\x4d\x18", ErrorKind::CodecHeader, 0);
    fails(&hex(DICTIONARY), ErrorKind::CodecDictionary, 4);
    fails(&hex(&CHECKED.replace("fd24", "fd2c")), ErrorKind::CodecHeader, 4);
    fails(&hex(&CHECKED.replace("09b0f13e", "09b0f13f")), ErrorKind::CodecChecksum, 0);
    fails(&stream(&[EMPTY, &CHECKED.replace("09b0f13e", "08b0f13e")]), ErrorKind::CodecChecksum, 9);
    // A declared size that is not that of the content, below and above it.
    fails(&hex(&CHECKED.replace("fd2435", "fd2434")), ErrorKind::CodecCorrupt, 0);
    fails(&hex(&CHECKED.replace("fd2435", "fd2436")), ErrorKind::CodecCorrupt, 0);
    fails(&frame(0, &[(RESERVED, 0, b"")]), ErrorKind::CodecCorrupt, 6);
    // A block larger than a window of 1 KiB, of each type.
    for kind in [RAW, RUN, COMPRESSED] {
        fails(&frame(0, &[(kind, 1025, &[0; 1025])]), ErrorKind::CodecCorrupt, 6);
    }
    fails(&frame(0, &[(COMPRESSED, 3, &[0xff; 3])]), ErrorKind::CodecCorrupt, 0);
}

#[test]
fn what_starts_no_frame_after_one_is_an_error() {
    for rest in ["00", "28b52f", "0000000000000000", "04224d18"] {
        let whole = stream(&[STREAMED, rest]);
        fails(&whole, ErrorKind::CodecTrailing, STREAMED.len() as u64 / 2);
    }
}

#[test]
fn a_stream_that_is_cut_anywhere_is_an_error() {
    for form in [STREAMED, CHECKED] {
        let whole = stream(&[form]);
        for len in 0..whole.len() {
            fails(&whole[..len], ErrorKind::CodecTruncated, len as u64);
        }
    }
}

#[test]
fn windows_reach_to_128_mib() {
    // 2^27 is 17 above 2^10.
    assert_eq!(read(&frame(17 << 3, &[(RAW, 3, b"abc")])).unwrap(), b"abc");
    for window in [17 << 3 | 1, 18 << 3, 0xff] {
        fails(&frame(window, &[(RAW, 3, b"abc")]), ErrorKind::CodecWindow, 0);
    }
}

#[test]
fn the_bound_is_exact() {
    for form in [STREAMED, CHECKED] {
        assert_eq!(read_up_to(TEXT.len(), &hex(form)).unwrap(), TEXT);
        for limit in [0, 1, TEXT.len() - 1] {
            let error = read_up_to(limit, &hex(form)).unwrap_err();
            assert_eq!(
                (error.kind(), error.expected()),
                (ErrorKind::LimitBatchBytes, limit as u64)
            );
        }
    }
    // 100 runs of 128 KiB out of 400 bytes.
    let runs: Vec<(u32, u32, &[u8])> = (0..100).map(|_| (RUN, 1 << 17, &b"a"[..])).collect();
    let bomb = frame(11 << 3, &runs);
    assert_eq!(read_up_to(100 << 17, &bomb).unwrap().len(), 100 << 17);
    let error = read_up_to((100 << 17) - 1, &bomb).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitBatchBytes);
}

#[test]
fn nothing_is_reserved_for_what_cannot_be() {
    // 1 TiB declared by 13 bytes, and 64 MiB that three bytes cannot hold.
    let huge = hex("28b52ffde000000000000100000100");
    let error = read(&huge).unwrap_err();
    assert_eq!((error.kind(), error.actual()), (ErrorKind::LimitBatchBytes, 1 << 40));
    let lie = hex("28b52ffda0000000041900006162 63".replace(' ', "").as_str());
    let mut buffer = Vec::new();
    let mut out = Output::growing(&mut buffer, 0, 1 << 30, ErrorKind::LimitBatchBytes);
    let error = Reader::<back_end::Decoder>::default().read(&lie, &mut out).unwrap_err();
    assert_eq!((error.kind(), buffer.capacity()), (ErrorKind::CodecCorrupt, 0));
}

#[test]
fn sizes_are_summed_if_all_frames_declare_one() {
    assert_eq!(size(&stream(&[CHECKED, SKIPPABLE, EMPTY, CHECKED])).unwrap(), Some(106));
    assert_eq!(size(&stream(&[CHECKED, STREAMED])).unwrap(), None);
    assert_eq!(size(&hex(&CHECKED[..20])).unwrap_err().kind(), ErrorKind::CodecTruncated);
}

fn round_trips<D: Decode, E: Encode>(bound: impl Fn(usize) -> usize) {
    let (mut reader, mut writer) = (Reader::<D>::default(), Writer::<E>::default());
    for len in SIZES {
        for input in samples(len) {
            for level in [-5, 1, 3, 19] {
                let packed = testing::write(bound(len), |out| writer.write(level, &input, out));
                let read = testing::read(len, |out| reader.read(&packed, out));
                assert!(read.unwrap() == input, "{len} bytes at level {level}");
            }
        }
    }
}

#[test]
fn written_streams_are_read() {
    round_trips::<back_end::Decoder, back_end::Encoder>(bound);
}

#[test]
fn a_reader_is_as_good_as_new_after_an_error() {
    let mut reader = Reader::<back_end::Decoder>::default();
    for input in
        [DICTIONARY, CHECKED, &CHECKED[..40], STREAMED, &CHECKED.replace("f2", "e2"), CHECKED]
    {
        let kept = testing::read(1000, |out| reader.read(&hex(input), out));
        let new = read_up_to(1000, &hex(input));
        assert_eq!(kept, new);
    }
}

#[cfg(feature = "fast-zstd")]
mod agreement {
    use super::*;
    use crate::compression::testing::{assert_agreement, damaged, records};
    use proptest::prelude::*;

    fn agree(input: &[u8], limit: usize) {
        assert_agreement(
            input,
            limit,
            |input, out| Reader::<fast::Decoder>::default().read(input, out),
            |input, out| Reader::<portable::Decoder>::default().read(input, out),
        );
    }

    #[test]
    fn each_reads_what_the_other_writes() {
        round_trips::<portable::Decoder, portable::Encoder>(portable::bound);
        round_trips::<fast::Decoder, portable::Encoder>(portable::bound);
        round_trips::<portable::Decoder, fast::Encoder>(fast::bound);
    }

    /// A frame with a checksum by libzstd.
    fn checked(level: i32, input: &[u8]) -> Vec<u8> {
        let mut context = zstd_safe::CCtx::create();
        context.set_parameter(zstd_safe::CParameter::CompressionLevel(level)).unwrap();
        context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
        let mut out = Vec::with_capacity(fast::bound(input.len()));
        context.compress2(&mut out, input).unwrap();
        out
    }

    /// What is inside of compressed blocks is the back ends' own: libzstd does not notice all damage to
    /// Huffman-coded literals, ruzstd ignores two reserved bits. A checksum brings them together, but for
    /// those bits, which change nothing.
    fn agree_on_damage(input: &[u8], whole: &[u8]) {
        let one = testing::read(1 << 20, |out| Reader::<fast::Decoder>::default().read(input, out));
        let other =
            testing::read(1 << 20, |out| Reader::<portable::Decoder>::default().read(input, out));
        match (one, other) {
            (Err(_), Err(_)) => {}
            (Err(error), Ok(other)) => {
                assert!(other == whole && error.kind() == ErrorKind::CodecCorrupt, "{input:02x?}");
            }
            (one, other) => assert_eq!(one, other, "{input:02x?}"),
        }
    }

    #[test]
    fn on_every_cut_and_every_damage_to_a_frame() {
        let blocks: [(u32, u32, &[u8]); 3] = [(RAW, 3, b"abc"), (RUN, 100, b"d"), (RAW, 1, b"e")];
        let stored = frame(0, &blocks);
        let all = stored.len();
        // Not the body of a compressed block.
        for (whole, framing) in [(hex(STREAMED), 9), (stored, all)] {
            let len = read(&whole).unwrap().len();
            for input in damaged(&whole).take(whole.len() + framing * 8) {
                for limit in [1 << 20, len, len - 1] {
                    agree(&input, limit);
                }
            }
        }
    }

    #[test]
    fn on_every_flipped_bit_of_a_frame_with_a_checksum() {
        for (level, len) in [(1, 300), (3, 2000), (19, 2000)] {
            let content = records(len);
            let whole = checked(level, &content);
            damaged(&whole).for_each(|input| agree_on_damage(&input, &content));
        }
    }

    proptest! {
        #[test]
        fn on_damaged_streams(
            len in 0_usize..5000,
            level in -5..=19,
            kind in 0_usize..3,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            limit in 0_usize..5000,
        ) {
            let content = &samples(len)[kind];
            let mut packed = checked(level, content);
            agree(&packed, limit);
            for (index, byte) in changes {
                let index = index.index(packed.len());
                packed[index] = byte;
            }
            agree_on_damage(&packed, content);
        }

        #[test]
        fn neither_fails_otherwise_than_with_an_error(
            body in prop::collection::vec(any::<u8>(), 1..300),
        ) {
            let input = frame(0, &[(COMPRESSED, body.len() as u32, &body)]);
            let one = testing::read(1 << 20, |out| Reader::<fast::Decoder>::default().read(&input, out));
            let other =
                testing::read(1 << 20, |out| Reader::<portable::Decoder>::default().read(&input, out));
            prop_assert!(one.is_err() || one.unwrap().len() <= 1024);
            prop_assert!(other.is_err() || other.unwrap().len() <= 1024);
        }
    }
}
