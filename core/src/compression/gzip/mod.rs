//! gzip (RFC 1952): members one after another, each a header, a deflate stream, a CRC-32 and a size.
//!
//! Headers and trailers are read here; the deflate stream inside is the back end's. What Kafka's Java
//! client reads is read: every optional header field, several members, and after a member any bytes that do
//! not start another one (which it ignores, also the start of a header that is cut or damaged). The zlib
//! wrapper is another format and an error.

#[cfg(feature = "fast-gzip")]
mod fast;
#[cfg(any(test, not(feature = "fast-gzip")))]
mod portable;
#[cfg(test)]
mod tests;

use super::{Output, source::Source};
use crate::checksum::crc32;
use crate::error::{Error, ErrorKind};

#[cfg(feature = "fast-gzip")]
use fast as back_end;
#[cfg(not(feature = "fast-gzip"))]
use portable as back_end;

/// Identification, and deflate as the method.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Flags, modification time, extra flags, operating system.
const FIXED: usize = 7;
/// The header without optional fields, CRC-32 and size. A member is longer.
const MEMBER: usize = MAGIC.len() + FIXED + 8;

const FHCRC: u8 = 1 << 1;
const FEXTRA: u8 = 1 << 2;
const FNAME: u8 = 1 << 3;
const FCOMMENT: u8 = 1 << 4;

/// No flags, no time, operating system unknown: what Java writes.
const WRITTEN_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Deflate writes 258 bytes in two bits at best, and never more than this many for a byte.
const MAX_RATIO: usize = 1032;

/// What a back end is to do to be read with.
pub(super) trait Inflate: Default {
    /// Appends what the deflate stream at the start of `input` holds, and returns its length.
    fn inflate(&mut self, input: &[u8], out: &mut Output<'_>) -> Result<usize, Error>;
}

/// What a back end is to do to be written with.
pub(super) trait Deflate: Default {
    /// Appends a deflate stream; `level` is 1 to 9, or −1 for the default.
    fn deflate(&mut self, level: i32, input: &[u8], out: &mut Output<'_>) -> Result<(), Error>;
}

/// Reads gzip.
#[derive(Default)]
pub(super) struct Reader<I = back_end::Inflater> {
    inflater: I,
}

impl<I: Inflate> Reader<I> {
    pub(super) fn read(&mut self, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        let mut source = Source::new(input)?;
        header(&mut source)?;
        loop {
            self.member(&mut source, out)?;
            if source.rest().len() <= MEMBER || header(&mut source).is_err() {
                return Ok(());
            }
        }
    }

    /// Reads what comes after a member's header.
    fn member(&mut self, source: &mut Source<'_>, out: &mut Output<'_>) -> Result<(), Error> {
        let (mark, position) = (out.len(), source.position());
        out.guess(likely_size(source.rest()))?;
        let inflated = self.inflater.inflate(source.rest(), out);
        source.take(inflated.map_err(|error| error.shifted(position))?)?;
        let content = out.written(mark);
        #[allow(clippy::cast_possible_truncation, reason = "the size is stored modulo 2^32")]
        let actual = [crc32(content), content.len() as u32];
        for actual in actual {
            let at = *source;
            let stored = source.u32_le()?;
            if stored != actual {
                let error = at.fail(ErrorKind::CodecChecksum);
                return Err(error.values(stored.into(), actual.into()));
            }
        }
        Ok(())
    }
}

/// Reads a member's header.
fn header(source: &mut Source<'_>) -> Result<(), Error> {
    let before = *source;
    if source.array() != Ok(MAGIC) {
        return Err(before.no_start(&MAGIC));
    }
    let [flags, ..] = source.array::<FIXED>()?;
    if flags & FEXTRA != 0 {
        let len = u16::from_le_bytes(source.array()?);
        source.take(len.into())?;
    }
    for text in [FNAME, FCOMMENT] {
        while flags & text != 0 && source.u8()? != 0 {}
    }
    if flags & FHCRC != 0 {
        let (at, len) = (*source, source.position().saturating_sub(before.position()));
        let [a, b, ..] = crc32(before.rest().get(..len).unwrap_or_default()).to_le_bytes();
        if source.array()? != [a, b] {
            return Err(at.fail(ErrorKind::CodecChecksum));
        }
    }
    Ok(())
}

/// How many bytes to expect, if this is the last member and nothing is after it. Never more than could come
/// out, so that a false size reserves nothing worth speaking of.
fn likely_size(member: &[u8]) -> usize {
    let size = member.last_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    usize::try_from(size).unwrap_or(0).min(member.len().saturating_mul(MAX_RATIO))
}

/// Writes gzip: one member.
#[derive(Default)]
pub(super) struct Writer<D = back_end::Deflater> {
    deflater: D,
}

impl<D: Deflate> Writer<D> {
    pub(super) fn write(
        &mut self,
        level: i32,
        input: &[u8],
        out: &mut Output<'_>,
    ) -> Result<(), Error> {
        out.room_up_to(bound(input.len()))?;
        out.append(&WRITTEN_HEADER)?;
        self.deflater.deflate(level, input, out)?;
        out.append(&crc32(input).to_le_bytes())?;
        #[allow(clippy::cast_possible_truncation, reason = "the size is stored modulo 2^32")]
        out.append(&(input.len() as u32).to_le_bytes())
    }
}

/// Both back ends stay below: at worst they write literals of nine bits under a fixed code.
pub(super) fn bound(len: usize) -> usize {
    len.saturating_add(len / 8).saturating_add(256)
}
