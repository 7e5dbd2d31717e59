use alloc::vec::Vec;

use super::*;
use crate::compression::testing::{self, SIZES, TEXT, hex, samples};
use twox_hash::XxHash32;

/// What Java writes: 64 KiB independent blocks and nothing else.
const JAVA: &str = "04224d18604082";
/// With the old header checksum.
const OLD: &str = "04224d1860401a";
const BLOCK: &str = "1c000000b46f66667365742034312c200b0016320b001d330b00506574203433";
const END: &str = "00000000";

/// Three blocks, the second and third looking back into the ones before.
const LINKED: &str = "04224d184040c01c000000b46f66667365742034312c200b0016320b001d330b0050657420343\
    31d000000bf33342074657366666f202c0b0003163221009031342074657366666f27000000b46f66667365742034312c\
    200b0016320b001f330b00030f5f00030716000b6a0050657366666f00000000";
const BLOCK_CHECKSUM: &str = "04224d187040ad1c000000b46f66667365742034312c200b0016320b001d330b0050657\
    4203433c3359ecd00000000";
/// 4 MiB blocks, as Go's clients write.
const CONTENT_CHECKSUM: &str = "04224d186470b91c000000b46f66667365742034312c200b0016320b001d330b00506\
    5742034330000 0000e428c1da";
const CONTENT_SIZE: &str = "04224d1868403500000000000000b51c000000b46f66667365742034312c200b0016320b0\
    01d330b0050657420343300000000";
/// Linked, content size and both checksums.
const EVERYTHING: &str = "04224d187c403500000000000000dd1c000000b46f66667365742034312c200b0016320b001d\
    330b00506574203433c3359ecd00000000e428c1da";
const SKIPPABLE: &str = "5a2a4d1803000000aabbcc";

fn stream(parts: &[&str]) -> Vec<u8> {
    hex(&parts.concat().replace(' ', ""))
}

fn read_up_to(limit: usize, input: &[u8], old: bool) -> Result<Vec<u8>, Error> {
    testing::read(limit, |out| super::read(input, out, old))
}

fn read(input: &[u8]) -> Result<Vec<u8>, Error> {
    read_up_to(1 << 20, input, false)
}

fn fails(input: &[u8], kind: ErrorKind, position: u64) {
    let error = read(input).unwrap_err();
    assert_eq!((error.kind(), error.position()), (kind, position), "{input:02x?}");
}

#[test]
fn every_form_of_frame_is_read() {
    let forms = [BLOCK_CHECKSUM, CONTENT_CHECKSUM, CONTENT_SIZE, EVERYTHING];
    for form in forms {
        assert_eq!(read(&stream(&[form])).unwrap(), TEXT, "{form}");
        let twice = stream(&[SKIPPABLE, form, SKIPPABLE, form, SKIPPABLE]);
        assert_eq!(read(&twice).unwrap(), [TEXT, TEXT].concat());
    }
    assert_eq!(read(&stream(&[JAVA, BLOCK, END])).unwrap(), TEXT);
    assert_eq!(
        read(&stream(&[JAVA, BLOCK, "03000080", "616263", END])).unwrap()[TEXT.len()..],
        *b"abc"
    );
    assert_eq!(read(&stream(&[JAVA, END])).unwrap(), b"");
}

#[test]
fn linked_blocks_look_back_within_their_frame() {
    let turned: Vec<u8> = TEXT.iter().rev().copied().collect();
    let expected = [TEXT, &turned, TEXT, &turned].concat();
    assert_eq!(read(&stream(&[LINKED])).unwrap(), expected);
    let (first, second) = (stream(&[JAVA, BLOCK, END]), stream(&[LINKED]));
    assert_eq!(read(&[first.clone(), second].concat()).unwrap(), [TEXT, &expected].concat());
    // The same blocks declared independent, and a linked block that reaches into the frame before.
    let independent = stream(&[&LINKED.replace("4040c0", "604082")]);
    assert_eq!(read(&independent).unwrap_err().kind(), ErrorKind::CodecCorrupt);
    let reach = stream(&["04224d184040c0", "05000000", "0100000161", END]);
    assert_eq!(read(&[first, reach].concat()).unwrap_err().kind(), ErrorKind::CodecCorrupt);
}

#[test]
fn the_old_header_checksum_is_read_for_magic_0_only() {
    let (old, new) = (stream(&[OLD, BLOCK, END]), stream(&[JAVA, BLOCK, END]));
    fails(&old, ErrorKind::CodecChecksum, 6);
    assert_eq!(read_up_to(100, &old, true).unwrap(), TEXT);
    assert_eq!(read_up_to(100, &new, true).unwrap(), TEXT);
    let neither = stream(&["04224d18604083", BLOCK, END]);
    assert_eq!(read_up_to(100, &neither, true).unwrap_err().kind(), ErrorKind::CodecChecksum);
    let written = |old| testing::write(bound(0), |out| Writer::default().write(b"", out, old));
    assert_eq!(written(true), stream(&[OLD, END]));
    assert_eq!(written(false), stream(&[JAVA, END]));
}

#[test]
fn what_starts_no_frame_after_an_end_mark_is_ignored() {
    for rest in ["00", "04224d", "00000000000000", "05224d18", "1f8b08"] {
        assert_eq!(read(&stream(&[JAVA, BLOCK, END, rest])).unwrap(), TEXT, "{rest}");
    }
    // What starts one is read, and must be right.
    let cut = stream(&[JAVA, BLOCK, END, JAVA]);
    fails(&cut, ErrorKind::CodecTruncated, cut.len() as u64);
}

#[test]
fn faults_have_kinds_and_positions() {
    fails(&[], ErrorKind::CodecTruncated, 0);
    fails(b"\x28\xb5\x2f\xfd", ErrorKind::CodecHeader, 0);
    // Version 0 and 2, the reserved bits, block sizes 3 and 8.
    for descriptor in ["2040", "a040", "6240", "6041", "60c0", "6030"] {
        fails(&stream(&["04224d18", descriptor, "00", END]), ErrorKind::CodecHeader, 4);
    }
    fails(&stream(&["04224d18", "614000000000", "00", END]), ErrorKind::CodecDictionary, 4);
    let swap = |form: &str, from, to| stream(&[&form.replace(from, to)]);
    fails(&swap(BLOCK_CHECKSUM, "c3359ecd", "c3359ece"), ErrorKind::CodecChecksum, 39);
    fails(&swap(CONTENT_CHECKSUM, "e428c1da", "e428c1db"), ErrorKind::CodecChecksum, 43);
    fails(&swap(EVERYTHING, "dd1c", "de1c"), ErrorKind::CodecChecksum, 14);
    // A match without a distance.
    fails(&stream(&[JAVA, "0400000014610000", END]), ErrorKind::CodecCorrupt, 11);
    // A block of 65537 bytes, stored and not.
    fails(&stream(&[JAVA, "01000180", END]), ErrorKind::CodecCorrupt, 7);
    fails(&stream(&[JAVA, "01000100", END]), ErrorKind::CodecCorrupt, 7);
}

#[test]
fn a_block_that_holds_more_than_its_maximum_is_an_error() {
    // One literal, a match of 65301 bytes and `last` more, five literals.
    let whole = |last: u8| {
        let block = [&[0x1f, b'a', 1, 0][..], &[255; 256], &[last, 0x50], b"aaaaa"].concat();
        let length = (block.len() as u32).to_le_bytes();
        [&hex(JAVA)[..], &length, &block, &[0; 4]].concat()
    };
    assert!(read(&whole(231)).unwrap() == [b'a'; 65_536]);
    fails(&whole(232), ErrorKind::CodecCorrupt, 11);
}

#[test]
fn a_stream_that_is_cut_anywhere_is_an_error() {
    for form in [BLOCK_CHECKSUM, CONTENT_CHECKSUM, CONTENT_SIZE, EVERYTHING, LINKED] {
        let whole = stream(&[SKIPPABLE, form]);
        // A skippable frame alone is a stream of nothing.
        let alone = SKIPPABLE.len() / 2;
        for len in (4..whole.len()).filter(|len| *len != alone) {
            fails(&whole[..len], ErrorKind::CodecTruncated, len as u64);
        }
    }
}

#[test]
fn the_bound_is_exact() {
    for form in [BLOCK_CHECKSUM, CONTENT_SIZE, &[JAVA, "03000080616263", BLOCK, END].concat()] {
        let whole = stream(&[form]);
        let len = read(&whole).unwrap().len();
        assert!(read_up_to(len, &whole, false).is_ok());
        for limit in [0, 1, 20, len - 1] {
            let error = read_up_to(limit, &whole, false).unwrap_err();
            assert_eq!(
                (error.kind(), error.expected()),
                (ErrorKind::LimitBatchBytes, limit as u64)
            );
        }
    }
    // Nothing is reserved for a size that is declared beyond it.
    let descriptor = [&[0x68, 0x40][..], &(1_u64 << 60).to_le_bytes()].concat();
    let check = XxHash32::oneshot(0, &descriptor).to_le_bytes()[1];
    let huge = [&frame::MAGIC[..], &descriptor, &[check], &[0; 4]].concat();
    let error = read(&huge).unwrap_err();
    assert_eq!((error.kind(), error.actual()), (ErrorKind::LimitBatchBytes, 1 << 60));
    assert_eq!(size(&huge).unwrap(), Some(1 << 60));
}

#[test]
fn small_inputs_reserve_little() {
    // A content size, and the 4 MiB blocks of its frame, that the bytes cannot fill.
    let descriptor = [&[0x68, 0x70][..], &(1_u64 << 29).to_le_bytes()].concat();
    let check = XxHash32::oneshot(0, &descriptor).to_le_bytes()[1];
    let lie = [&frame::MAGIC[..], &descriptor, &[check], &hex(BLOCK), &[0; 4]].concat();
    let mut buffer = Vec::new();
    let mut out = Output::growing(&mut buffer, 0, 1 << 30, ErrorKind::LimitBatchBytes);
    super::read(&lie, &mut out, false).unwrap();
    assert_eq!(out.written(0), TEXT);
    assert!(buffer.capacity() < 64 * 1024, "{}", buffer.capacity());
}

#[test]
fn sizes_are_summed_if_all_frames_declare_one() {
    let sum = |parts: &[&str]| size(&stream(parts));
    assert_eq!(sum(&[CONTENT_SIZE, SKIPPABLE, EVERYTHING]).unwrap(), Some(106));
    assert_eq!(sum(&[CONTENT_SIZE, BLOCK_CHECKSUM]).unwrap(), None);
    assert_eq!(sum(&[&CONTENT_SIZE[..60]]).unwrap_err().kind(), ErrorKind::CodecTruncated);
}

#[test]
fn written_streams_are_read() {
    let mut writer = Writer::default();
    for len in SIZES {
        for input in samples(len) {
            let packed = testing::write(bound(len), |out| writer.write(&input, out, false));
            assert!(packed.starts_with(&hex(JAVA)) && packed.ends_with(&hex(END)));
            assert!(read_up_to(len, &packed, false).unwrap() == input, "{len} bytes");
            // Noise is stored: a word for each block.
            assert!(packed.len() <= len + 11 + 4 * len.div_ceil(CHUNK));
        }
    }
}
