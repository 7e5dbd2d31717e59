//! The five codecs of Kafka, each read from and written to the framing that Kafka's clients use.
//!
//! Pulling bytes out of a codec ends here; walking records begins elsewhere. A codec sees compressed bytes
//! and a bounded destination, never a record. Positions in errors count from the first compressed byte.
//!
//! An empty input is a truncated stream under every codec but [`Codec::None`]: a batch without records is
//! never decompressed, and Kafka's own readers run into the end of the input as well.
//!
//! Each codec is a file with a `Reader` and a `Writer` that keep their contexts. Where a codec has two back
//! ends, everything that decides what is accepted (headers, frames, checksums, limits) is written once in
//! front of them, and a test compares the two on valid, cut and damaged streams.

mod codec;
#[cfg(feature = "gzip")]
mod gzip;
#[cfg(feature = "lz4")]
mod lz4;
mod oneshot;
#[cfg_attr(
    not(all(feature = "gzip", feature = "snappy", feature = "lz4", feature = "zstd")),
    allow(dead_code, reason = "each codec reads and makes room in its own way")
)]
mod output;
#[cfg(feature = "snappy")]
mod snappy;
#[cfg(any(feature = "gzip", feature = "snappy", feature = "lz4", feature = "zstd"))]
#[cfg_attr(
    not(all(feature = "gzip", feature = "snappy", feature = "lz4", feature = "zstd")),
    allow(dead_code, reason = "each codec reads and makes room in its own way")
)]
mod source;
#[cfg(all(test, any(feature = "gzip", feature = "snappy", feature = "lz4", feature = "zstd")))]
mod testing;
#[cfg(feature = "zstd")]
mod zstd;

use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind};

pub use codec::Codec;
pub use oneshot::{compress, compress_into, decompress, decompress_into};
pub(crate) use output::Output;

/// The largest input or result of any call, in bytes.
const MAX_BYTES: usize = 0x7fff_ffff;

/// Reads all codecs, and keeps what is worth keeping from one stream to the next.
///
/// Contexts are made when a codec is first seen. Reading with contexts that are there already allocates
/// nothing but what the [`Output`] grows by (and for ruzstd, a window that is larger than any before).
#[derive(Default)]
pub(crate) struct Decompressor {
    #[cfg(feature = "gzip")]
    gzip: Option<gzip::Reader>,
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::Reader>,
}

impl Decompressor {
    /// Appends what `input` holds to `out`.
    ///
    /// `old_lz4_checksum` says that the stream is in a message of magic 0, whose lz4 header checksum may
    /// also be the old one, which covers the frame's magic number as well (KAFKA-3160).
    ///
    /// After an error, `out` holds an unspecified part of the result.
    pub(crate) fn decompress(
        &mut self,
        codec: Codec,
        input: &[u8],
        out: &mut Output<'_>,
        old_lz4_checksum: bool,
    ) -> Result<(), Error> {
        let _ = old_lz4_checksum; // without lz4
        let done = match codec {
            Codec::None => out.append(input),
            #[cfg(feature = "gzip")]
            Codec::Gzip => self.gzip.get_or_insert_default().read(input, out),
            #[cfg(feature = "snappy")]
            Codec::Snappy => snappy::read(input, out),
            #[cfg(feature = "lz4")]
            Codec::Lz4 => lz4::read(input, out, old_lz4_checksum),
            #[cfg(feature = "zstd")]
            Codec::Zstd => self.zstd.get_or_insert_default().read(input, out),
            #[allow(unreachable_patterns, reason = "reached by the codecs that are not built")]
            _ => Err(Error::new(ErrorKind::CodecNotBuilt)),
        };
        done.map_err(|error| error.in_codec(codec))
    }
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decompressor").finish_non_exhaustive()
    }
}

/// Writes all codecs, and keeps what is worth keeping from one stream to the next. With contexts that are
/// there already nothing is allocated, but by ruzstd, whose compressor cannot be kept.
#[derive(Default)]
pub(crate) struct Compressor {
    #[cfg(feature = "gzip")]
    gzip: Option<gzip::Writer>,
    #[cfg(feature = "snappy")]
    snappy: Option<snappy::Writer>,
    #[cfg(feature = "lz4")]
    lz4: Option<lz4::Writer>,
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::Writer>,
}

impl Compressor {
    /// Appends `input` under `codec` to `out`. `old_lz4_checksum` as in [`Decompressor::decompress`]:
    /// messages of magic 0 are written with the old one.
    pub(crate) fn compress(
        &mut self,
        codec: Codec,
        level: Option<i32>,
        input: &[u8],
        out: &mut Vec<u8>,
        old_lz4_checksum: bool,
    ) -> Result<(), Error> {
        let start = out.len();
        let mut sink = Output::growing(out, start, MAX_BYTES, ErrorKind::LimitInput);
        let done = self.compress_to(codec, level, input, &mut sink, old_lz4_checksum);
        let len = if done.is_ok() { sink.len() } else { 0 };
        out.truncate(start.saturating_add(len));
        done
    }

    /// As [`compress`](Self::compress), to a bounded destination. Needs no more than
    /// [`compress_bound`] bytes.
    fn compress_to(
        &mut self,
        codec: Codec,
        level: Option<i32>,
        input: &[u8],
        out: &mut Output<'_>,
        old_lz4_checksum: bool,
    ) -> Result<(), Error> {
        let level = codec.checked_level(level)?;
        let _ = (level, old_lz4_checksum); // without lz4, gzip and zstd
        let done = match codec {
            Codec::None => out.append(input),
            #[cfg(feature = "gzip")]
            Codec::Gzip => self.gzip.get_or_insert_default().write(level, input, out),
            #[cfg(feature = "snappy")]
            Codec::Snappy => self.snappy.get_or_insert_default().write(input, out),
            #[cfg(feature = "lz4")]
            Codec::Lz4 => self.lz4.get_or_insert_default().write(input, out, old_lz4_checksum),
            #[cfg(feature = "zstd")]
            Codec::Zstd => self.zstd.get_or_insert_default().write(level, input, out),
            #[allow(unreachable_patterns, reason = "reached by the codecs that are not built")]
            _ => Err(Error::new(ErrorKind::CodecNotBuilt)),
        };
        done.map_err(|error| error.in_codec(codec))
    }
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").finish_non_exhaustive()
    }
}

/// No more than this many bytes come out of compressing `len` bytes, at any level.
#[must_use]
pub fn compress_bound(codec: Codec, len: usize) -> usize {
    match codec {
        Codec::None => len,
        #[cfg(feature = "gzip")]
        Codec::Gzip => gzip::bound(len),
        #[cfg(feature = "snappy")]
        Codec::Snappy => snappy::bound(len),
        #[cfg(feature = "lz4")]
        Codec::Lz4 => lz4::bound(len),
        #[cfg(feature = "zstd")]
        Codec::Zstd => zstd::bound(len),
        #[allow(unreachable_patterns, reason = "reached by the codecs that are not built")]
        _ => len,
    }
}

/// The size after decompression, as far as the compressed stream declares it: not verified, and `None`
/// where it says nothing. gzip never does, since the size at its end is that of the last member only.
///
/// # Errors
///
/// A framing that is malformed or cut, and a codec that is not built.
pub fn decompressed_size(codec: Codec, input: &[u8]) -> Result<Option<u64>, Error> {
    let size = match codec {
        Codec::None => Ok(Some(input.len() as u64)),
        #[cfg(feature = "gzip")]
        Codec::Gzip => Ok(None),
        #[cfg(feature = "snappy")]
        Codec::Snappy => snappy::size(input).map(Some),
        #[cfg(feature = "lz4")]
        Codec::Lz4 => lz4::size(input),
        #[cfg(feature = "zstd")]
        Codec::Zstd => zstd::size(input),
        #[allow(unreachable_patterns, reason = "reached by the codecs that are not built")]
        _ => Err(Error::new(ErrorKind::CodecNotBuilt)),
    };
    size.map_err(|error| error.in_codec(codec))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_may_move_to_another_thread() {
        fn assert_send_and_sync<T: Send + Sync>() {}
        assert_send_and_sync::<Decompressor>();
        assert_send_and_sync::<Compressor>();
    }

    #[test]
    fn compressing_appends_and_leaves_nothing_behind_after_an_error() {
        let mut compressor = Compressor::default();
        let mut out = b"before".to_vec();
        for codec in Codec::ALL.into_iter().filter(|codec| codec.is_built()) {
            let start = out.len();
            compressor.compress(codec, None, b"abcabcabc", &mut out, false).unwrap();
            assert_eq!(decompress(codec, &out[start..], 0).unwrap(), b"abcabcabc");
        }
        let len = out.len();
        assert!(compressor.compress(Codec::None, Some(1), b"abc", &mut out, false).is_err());
        assert_eq!((out.len(), &out[..6]), (len, &b"before"[..]));
    }
}
