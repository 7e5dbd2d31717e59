//! zstd (RFC 8878): frames one after another, skippable ones among them.
//!
//! Java writes frames without a content size, others with one, so that neither may be relied on. Bytes
//! after a frame that start no other are an error, as are a dictionary and a window above 128 MiB. A size
//! that is declared is held against the bound before any memory is reserved.

#[cfg(feature = "fast-zstd")]
mod fast;
mod frame;
#[cfg(any(test, not(feature = "fast-zstd")))]
mod portable;
#[cfg(test)]
mod tests;

use super::{Output, source::Source};
use crate::error::{Error, ErrorKind};
use frame::Frame;

#[cfg(feature = "fast-zstd")]
use fast as back_end;
#[cfg(not(feature = "fast-zstd"))]
use portable as back_end;

pub(super) use back_end::bound;

/// Why a frame could not be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// It holds more than there is room for.
    Room,
    Other(ErrorKind),
}

/// What a back end is to do to be read with.
pub(super) trait Decode: Default {
    /// Writes what `frame` holds to the start of `room`, and returns how many bytes.
    fn decode(&mut self, frame: &Frame<'_>, room: &mut [u8]) -> Result<usize, Failure>;
}

/// What a back end is to do to be written with.
pub(super) trait Encode: Default {
    /// Appends one frame.
    fn encode(&mut self, level: i32, input: &[u8], out: &mut Output<'_>) -> Result<(), Error>;
}

/// Reads zstd.
#[derive(Default)]
pub(super) struct Reader<D = back_end::Decoder> {
    decoder: D,
}

impl<D: Decode> Reader<D> {
    pub(super) fn read(&mut self, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        let mut source = Source::new(input)?;
        let mut position = 0;
        while let Some(header) = frame::start(&mut source)? {
            if let Some(size) = header.content_size {
                out.check_declared(size)?;
            }
            let frame = header.frame(input, &mut source)?;
            if header.content_size.is_none() {
                out.check_declared(frame.least)?;
            }
            if position == 0 && !source.is_empty() {
                out.plan(frame.needed().saturating_add(following(input, source)));
            }
            self.frame(&frame, out)?;
            position = source.position();
        }
        match source.is_empty() {
            true => Ok(()),
            false if position == 0 => Err(source.no_start(&frame::MAGIC)),
            false => Err(source.fail(ErrorKind::CodecTrailing)),
        }
    }

    fn frame(&mut self, frame: &Frame<'_>, out: &mut Output<'_>) -> Result<(), Error> {
        let declared = frame.header.content_size;
        let needed = frame.needed();
        let room = out.room_up_to(needed)?;
        let bounded = room.len() < needed;
        match self.decoder.decode(frame, room) {
            Ok(len) if declared.is_none_or(|size| size == len as u64) => {
                out.commit(len);
                Ok(())
            }
            Err(Failure::Room) if bounded => Err(out.overrun()),
            Err(Failure::Other(kind)) => Err(frame.fail(kind)),
            Ok(_) | Err(Failure::Room) => Err(frame.fail(ErrorKind::CodecCorrupt)),
        }
    }
}

/// The room for the frames from `source` on, up to one that is malformed.
fn following<'a>(input: &'a [u8], mut source: Source<'a>) -> usize {
    let mut sum = 0_usize;
    while let Ok(Some(header)) = frame::start(&mut source)
        && let Ok(frame) = header.frame(input, &mut source)
    {
        sum = sum.saturating_add(frame.needed());
    }
    sum
}

/// The size that all frames declare together, if all do.
pub(super) fn size(input: &[u8]) -> Result<Option<u64>, Error> {
    let mut source = Source::new(input)?;
    let mut sum = None;
    while let Some(header) = frame::start(&mut source)? {
        let Some(size) = header.content_size else { return Ok(None) };
        sum = Some(size.saturating_add(sum.unwrap_or(0)));
        header.frame(input, &mut source)?;
    }
    Ok(sum)
}

/// Writes zstd: one frame.
#[derive(Default)]
pub(super) struct Writer<E = back_end::Encoder> {
    encoder: E,
}

impl<E: Encode> Writer<E> {
    pub(super) fn write(
        &mut self,
        level: i32,
        input: &[u8],
        out: &mut Output<'_>,
    ) -> Result<(), Error> {
        self.encoder.encode(level, input, out)
    }
}
