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
/// # if !Codec::Lz4.is_built() { return Ok(()); }
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn built() -> impl Iterator<Item = Codec> {
        Codec::ALL.into_iter().filter(|codec| codec.is_built())
    }

    #[test]
    fn every_codec_gives_back_what_it_was_given() {
        for codec in built() {
            for len in [0, 1, 1000, 200_000] {
                let input: Vec<u8> = (0..len).map(|i: u32| (i % 97 * (i >> 9)) as u8).collect();
                let packed = compress(codec, codec.default_level(), &input).unwrap();
                assert!(packed.len() <= compress_bound(codec, input.len()));
                assert_eq!(compress(codec, None, &input).unwrap(), packed);
                assert_eq!(decompress(codec, &packed, 0).unwrap(), input, "{codec}, {len} bytes");
            }
        }
    }

    #[test]
    fn memory_of_the_caller_is_enough_at_exactly_the_size() {
        let input = vec![b'a'; 3000];
        for codec in built() {
            let packed = compress(codec, None, &input).unwrap();
            for room in [packed.len(), packed.len() + 1, compress_bound(codec, 3000), 4000] {
                let mut out = vec![0; room];
                assert_eq!(compress_into(codec, None, &input, &mut out).unwrap(), packed.len());
                assert_eq!(out[..packed.len()], packed);
            }
            let error =
                compress_into(codec, None, &input, &mut vec![0; packed.len() - 1]).unwrap_err();
            assert_eq!((error.kind(), error.codec()), (ErrorKind::BufferTooSmall, codec));
            assert_eq!(
                (error.expected(), error.actual() + 1),
                (packed.len() as u64, error.expected())
            );

            let mut out = vec![0; 3000];
            assert_eq!(decompress_into(codec, &packed, &mut out).unwrap(), 3000);
            assert_eq!(out, input);
            let error = decompress_into(codec, &packed, &mut out[1..]).unwrap_err();
            assert_eq!((error.kind(), error.codec()), (ErrorKind::BufferTooSmall, codec));
            assert_eq!(error.actual(), 2999);
        }
    }

    #[test]
    fn a_limit_is_told_apart_from_damage() {
        let input = vec![b'a'; 3000];
        for codec in built() {
            let packed = compress(codec, None, &input).unwrap();
            assert_eq!(decompress(codec, &packed, 3000).unwrap(), input);
            let error = decompress(codec, &packed, 2999).unwrap_err();
            assert_eq!((error.kind(), error.codec()), (ErrorKind::LimitBatchBytes, codec));
            assert_eq!(error.expected(), 2999);
            let empty = decompress(codec, &[], 0).map_err(|error| error.kind());
            let expected =
                if codec == Codec::None { Ok(vec![]) } else { Err(ErrorKind::CodecTruncated) };
            assert_eq!(empty, expected);
        }
    }

    #[test]
    fn a_codec_that_is_not_built_says_so() {
        for codec in Codec::ALL.into_iter().filter(|codec| !codec.is_built()) {
            let kinds = [
                compress(codec, None, b"").unwrap_err(),
                decompress(codec, b"", 0).unwrap_err(),
                crate::compression::decompressed_size(codec, b"").unwrap_err(),
            ];
            assert!(kinds.iter().all(|error| error.kind() == ErrorKind::CodecNotBuilt));
            assert!(kinds.iter().all(|error| error.codec() == codec));
        }
    }

    #[test]
    fn levels_are_checked_before_anything_is_done() {
        for codec in Codec::ALL {
            let error = compress(codec, Some(23), b"").unwrap_err();
            assert_eq!((error.kind(), error.codec()), (ErrorKind::InvalidArgument, codec));
        }
    }
}
