//! The codecs and checksums by themselves. The destination is the limit.

use kcodec_core::compression::{compress_bound, compress_into, decompress_into, decompressed_size};
use kcodec_core::{Codec, Error, ErrorKind, checksum, murmur2};

use crate::boundary::{boundary, plain};
use crate::pointer;
use crate::types::{KCODEC_COMPRESSION_DEFAULT, KCODEC_SIZE_UNKNOWN, kcodec_error, kcodec_status};

pub(crate) fn codec_of(number: i32) -> Result<Codec, Error> {
    let codec = u8::try_from(number).ok().and_then(Codec::from_number);
    codec.ok_or(Error::new(ErrorKind::UnknownCodec))
}

pub(crate) fn level_of(level: i32) -> Option<i32> {
    (level != KCODEC_COMPRESSION_DEFAULT).then_some(level)
}

/// No more than this many bytes come out of compressing `len` bytes, at any level; 0 for an unknown codec.
/// Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_compress_bound(codec: i32, len: usize) -> usize {
    plain(0, || codec_of(codec).map_or(0, |codec| compress_bound(codec, len)))
}

/// Compresses `input` as Kafka's clients frame it, with a level as they name it or
/// `KCODEC_COMPRESSION_DEFAULT`. With `KCODEC_E_BUFFER_TOO_SMALL`, `err->expected` is the size needed, and
/// `kcodec_compress_bound` bytes always do. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_compress(
    codec: i32,
    level: i32,
    input: *const u8,
    input_len: usize,
    to: *mut u8,
    cap: usize,
    written: *mut usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        convert(input, input_len, to, cap, written, err, |input, to| {
            compress_into(codec_of(codec)?, level_of(level), input, to)
        })
    }
}

/// Decompresses `input`. With `KCODEC_E_BUFFER_TOO_SMALL`, `err->expected` is the size needed where the
/// stream declares it, else 0. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decompress(
    codec: i32,
    input: *const u8,
    input_len: usize,
    to: *mut u8,
    cap: usize,
    written: *mut usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        convert(input, input_len, to, cap, written, err, |input, to| {
            decompress_into(codec_of(codec)?, input, to)
        })
    }
}

/// Runs `call` from one run of bytes to another.
///
/// # Safety
/// As the functions of [`pointer`].
unsafe fn convert(
    input: *const u8,
    input_len: usize,
    to: *mut u8,
    cap: usize,
    written: *mut usize,
    err: *mut kcodec_error,
    call: impl FnOnce(&[u8], &mut [u8]) -> Result<usize, Error>,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (input, to, written) = (
                pointer::slice(input, input_len)?,
                pointer::slice_mut(to, cap)?,
                pointer::out(written)?,
            );
            written.write(call(input, to)?);
            Ok(())
        })
    }
}

/// The size after decompression as far as the stream declares it, not verified: `KCODEC_SIZE_UNKNOWN` where
/// it does not (gzip never does). Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decompressed_size(
    codec: i32,
    input: *const u8,
    input_len: usize,
    size: *mut u64,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (input, size) = (pointer::slice(input, input_len)?, pointer::out(size)?);
            let declared = decompressed_size(codec_of(codec)?, input)?;
            size.write(declared.unwrap_or(KCODEC_SIZE_UNKNOWN));
            Ok(())
        })
    }
}

/// CRC-32C of `data`, continued from `seed`: 0, or the result for the bytes before. NULL counts as no
/// bytes. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_crc32c(seed: u32, data: *const u8, len: usize) -> u32 {
    // SAFETY: the rules of the ABI.
    plain(seed, || checksum::crc32c(seed, unsafe { pointer::slice(data, len) }.unwrap_or_default()))
}

/// murmur2 of a key as Kafka's default partitioner computes it: the partition is
/// `(hash & 0x7fffffff) % partitions`. NULL counts as no bytes. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_murmur2(key: *const u8, len: usize) -> i32 {
    // SAFETY: the rules of the ABI.
    plain(0, || murmur2(unsafe { pointer::slice(key, len) }.unwrap_or_default()))
}
