//! What the tests of all codecs share.

use alloc::vec::Vec;

use super::Output;
use crate::error::{Error, ErrorKind};

/// What the short fixed streams hold.
pub(super) const TEXT: &[u8] = b"offset 41, offset 42, offset 43, offset 43, offset 43";

/// Sizes at which writers change their ways.
pub(super) const SIZES: [usize; 12] =
    [0, 1, 2, 15, 1000, 32_768, 32_769, 65_534, 65_536, 65_537, 131_073, 400_000];

pub(super) fn hex(digits: &str) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap();
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map(|pair| (digit(&pair[0]) << 4 | digit(&pair[1])) as u8).collect()
}

/// Bytes that do not compress.
pub(super) fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    core::iter::repeat_with(next).take(len).collect()
}

/// Bytes that compress like records of JSON.
pub(super) fn records(len: usize) -> Vec<u8> {
    let mut noise = noise(len).into_iter();
    let mut out = Vec::with_capacity(len + 64);
    while out.len() < len {
        out.extend_from_slice(br#"{"producer":"kcodec","sequence":"#);
        out.extend(noise.by_ref().take(6).map(|byte| b'0' + byte % 10));
        out.extend_from_slice(br#","value":"abcdefabcdef"}"#);
    }
    out.truncate(len);
    out
}

/// The same byte over and over, records and noise of one size.
pub(super) fn samples(len: usize) -> [Vec<u8>; 3] {
    [alloc::vec![7; len], records(len), noise(len)]
}

pub(super) fn read(
    limit: usize,
    codec: impl FnOnce(&mut Output<'_>) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    // What was there before must not shine through.
    let mut buffer = alloc::vec![0xaa; 5];
    let mut out = Output::growing(&mut buffer, 3, limit, ErrorKind::LimitBatchBytes);
    codec(&mut out)?;
    let len = out.len();
    assert!(len <= limit);
    assert_eq!(buffer[..3], [0xaa; 3]);
    Ok(buffer[3..3 + len].to_vec())
}

/// Writes with exactly the bound for room, and checks that it holds.
pub(super) fn write(
    bound: usize,
    codec: impl FnOnce(&mut Output<'_>) -> Result<(), Error>,
) -> Vec<u8> {
    let mut buffer = alloc::vec![0xaa; bound];
    let mut out = Output::fixed(&mut buffer);
    codec(&mut out).unwrap();
    let len = out.len();
    buffer.truncate(len);
    buffer
}

/// Checks that two back ends have the same outcome: the same bytes, or both an error. Which of several
/// errors of one stream comes first may differ.
#[cfg(any(feature = "fast-gzip", feature = "fast-zstd"))]
pub(super) fn assert_agreement(
    input: &[u8],
    limit: usize,
    one: impl Fn(&[u8], &mut Output<'_>) -> Result<(), Error>,
    other: impl Fn(&[u8], &mut Output<'_>) -> Result<(), Error>,
) {
    let one = read(limit, |out| one(input, out));
    let other = read(limit, |out| other(input, out));
    match (&one, &other) {
        (Ok(one), Ok(other)) => assert!(one == other, "other bytes out of {input:02x?}"),
        (Err(_), Err(_)) => {}
        _ => panic!("{:?} and {:?} for {input:02x?}", one.map(|b| b.len()), other.map(|b| b.len())),
    }
}

/// Every prefix and every single flipped bit of `stream`.
#[cfg(any(feature = "fast-gzip", feature = "fast-zstd"))]
pub(super) fn damaged(stream: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let cuts = (0..stream.len()).map(|len| stream[..len].to_vec());
    let flips = (0..stream.len() * 8).map(|bit| {
        let mut flipped = stream.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    });
    cuts.chain(flips)
}
