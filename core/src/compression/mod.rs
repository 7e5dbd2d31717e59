//! The five codecs of Kafka, each read from and written to the framing that Kafka's clients use.
//!
//! Pulling bytes out of a codec ends here; walking records begins elsewhere. A codec sees compressed bytes
//! and a bounded [`Output`], never a record. Positions in errors count from the first compressed byte.
//!
//! An empty input is a truncated stream under every codec but [`Codec::None`]: a batch without records is
//! never decompressed, and Kafka's own readers run into the end of the input as well.
//!
//! Each codec is a file with a `Reader` and a `Writer` that keep their contexts. Where a codec has two back
//! ends, everything that decides what is accepted (headers, frames, checksums, limits) is written once in
//! front of them, and a test compares the two on valid, cut and damaged streams.

mod codec;
mod oneshot;
mod output;

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
/// Contexts are made when a codec is first seen. With the feature `fast`, reading with contexts that are
/// there already allocates nothing but what the [`Output`] grows by; the portable zstd back end allocates
/// for each frame.
#[derive(Default)]
pub(crate) struct Decompressor {}

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
        let _ = old_lz4_checksum;
        let done = match codec {
            Codec::None => copy(input, out),
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

/// Writes all codecs, and keeps what is worth keeping from one stream to the next.
#[derive(Default)]
pub(crate) struct Compressor {}

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
        let _ = old_lz4_checksum;
        let _level = codec.checked_level(level)?;
        let done = match codec {
            Codec::None => copy(input, out),
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
        _ => len.saturating_add(len / 6).saturating_add(256),
    }
}

/// The size after decompression, as far as the compressed stream declares it: not verified, and `None`
/// where it says nothing.
///
/// # Errors
///
/// A framing that is malformed or cut.
pub fn decompressed_size(codec: Codec, input: &[u8]) -> Result<Option<u64>, Error> {
    match codec {
        Codec::None => Ok(Some(input.len() as u64)),
        _ => Ok(None),
    }
}

fn copy(input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
    out.room_for(input.len())?.copy_from_slice(input);
    out.commit(input.len());
    Ok(())
}
