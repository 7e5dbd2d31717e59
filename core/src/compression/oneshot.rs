//! The codecs by themselves, one call each, for callers that keep no contexts.

use alloc::vec::Vec;

use super::{Codec, Compressor, Decompressor, Output, compress_bound};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

/// Compresses `input` as Kafka's clients frame it. No `level` is the codec's default.
///
/// ```
/// use kcodec::Codec;
/// use kcodec::compression::{compress, decompress};
///
/// let input = [7; 10_000];
/// let compressed = compress(Codec::Lz4, None, &input)?;
/// assert!(compressed.len() < 100);
/// assert_eq!(decompress(Codec::Lz4, &compressed, 0)?, input);
/// # Ok::<(), kcodec::Error>(())
/// ```
///
/// # Errors
///
/// A level that the codec does not have, a codec that is not built, and sizes of 2³¹ bytes or more.
pub fn compress(codec: Codec, level: Option<i32>, input: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    Compressor::default().compress(codec, level, input, &mut out, false)?;
    Ok(out)
}

/// As [`compress`], to the start of `out`; returns how many bytes. [`compress_bound`] bytes always do, and
/// fewer may.
///
/// # Errors
///
/// As [`compress`], and a destination that is too small, with the size needed.
pub fn compress_into(
    codec: Codec,
    level: Option<i32>,
    input: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    if out.len() >= compress_bound(codec, input.len()) {
        let mut out = Output::fixed(out);
        Compressor::default().compress_to(codec, level, input, &mut out, false)?;
        return Ok(out.len());
    }
    // Back ends ask for room for the worst case; what comes out may still fit.
    let compressed = compress(codec, level, input)?;
    match out.get_mut(..compressed.len()) {
        Some(room) => {
            room.copy_from_slice(&compressed);
            Ok(compressed.len())
        }
        None => Err(Output::fixed(out).limit_error(compressed.len() as u64).in_codec(codec)),
    }
}

/// Decompresses `input`, to no more than `limit` bytes; 0 is the default of
/// [`Limits::max_batch_bytes`].
///
/// # Errors
///
/// A stream that is malformed or cut, a codec that is not built, and a result above the limit.
pub fn decompress(codec: Codec, input: &[u8], limit: u64) -> Result<Vec<u8>, Error> {
    let limit = Limits { max_batch_bytes: limit, ..Limits::default() }.effective().max_batch_bytes;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut buffer = Vec::new();
    let mut out = Output::growing(&mut buffer, 0, limit, ErrorKind::LimitBatchBytes);
    Decompressor::default().decompress(codec, input, &mut out, false)?;
    let len = out.len();
    buffer.truncate(len);
    if buffer.capacity() / 2 > len {
        buffer.shrink_to_fit();
    }
    Ok(buffer)
}

/// As [`decompress`], to the start of `out`; returns how many bytes.
///
/// # Errors
///
/// A stream that is malformed or cut, a codec that is not built, and a destination that is too small.
/// After an error, what `out` holds is unspecified.
pub fn decompress_into(codec: Codec, input: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    let mut out = Output::fixed(out);
    Decompressor::default().decompress(codec, input, &mut out, false)?;
    Ok(out.len())
}
