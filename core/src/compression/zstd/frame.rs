//! The zstd frame format (RFC 8878): headers and block lengths, without what is in the blocks.
//!
//! Both back ends get frames that were walked here first. So what is refused for its framing, its window or
//! its dictionary is refused alike, and the walk finds how many bytes a frame can hold at most: a raw or
//! run-length block declares its size, a compressed one has an upper bound. The room that is made for a
//! frame is that sum, and no window is needed beside it.

use crate::compression::source::Source;
use crate::error::{Error, ErrorKind};

pub(super) const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// The largest window, that of the decoders of all clients.
const MAX_WINDOW: u64 = 1 << 27;
/// The most that one block holds; a smaller window means smaller blocks.
const MAX_BLOCK: u64 = 1 << 17;

const SINGLE_SEGMENT: u8 = 1 << 5;
const RESERVED: u8 = 1 << 3;
pub(super) const CHECKSUM: u8 = 1 << 2;
const CHECKSUM_LEN: usize = 4;

/// What a frame's header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) content_size: Option<u64>,
    pub(super) has_checksum: bool,
    pub(super) window: u64,
    /// Where it starts.
    position: usize,
}

/// A whole frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::compression) struct Frame<'a> {
    pub(super) header: Header,
    /// All of it, as libzstd takes it.
    #[cfg(feature = "fast-zstd")]
    pub(super) bytes: &'a [u8],
    /// Its blocks and checksum.
    #[cfg(any(test, not(feature = "fast-zstd")))]
    pub(super) body: &'a [u8],
    /// The most bytes that it can hold.
    pub(super) most: u64,
    /// The least: what its blocks that are not compressed say they hold.
    pub(super) least: u64,
}

/// The header of the next frame, `None` where no frame starts.
pub(super) fn start(source: &mut Source<'_>) -> Result<Option<Header>, Error> {
    let start = source.frame(MAGIC)?;
    start.map(|start| header(start, source)).transpose()
}

fn header(start: Source<'_>, source: &mut Source<'_>) -> Result<Header, Error> {
    let at = *source;
    let flags = source.u8()?;
    if flags & RESERVED != 0 {
        return Err(at.fail(ErrorKind::CodecHeader));
    }
    let single_segment = flags & SINGLE_SEGMENT != 0;
    let window = if single_segment { 0 } else { window(source.u8()?) };
    let dictionary = match flags & 3 {
        0 => 0,
        1 => source.u8()?.into(),
        2 => u16::from_le_bytes(source.array()?).into(),
        _ => source.u32_le()?,
    };
    if dictionary != 0 {
        return Err(at.fail(ErrorKind::CodecDictionary));
    }
    let content_size = match flags >> 6 {
        0 if !single_segment => None,
        0 => Some(source.u8()?.into()),
        // Sizes below 256 have the shorter form, so that this one starts there.
        1 => Some(u64::from(u16::from_le_bytes(source.array()?)).saturating_add(256)),
        2 => Some(source.u32_le()?.into()),
        _ => Some(u64::from_le_bytes(source.array()?)),
    };
    Ok(Header {
        content_size,
        has_checksum: flags & CHECKSUM != 0,
        window: if single_segment { content_size.unwrap_or(0) } else { window },
        position: start.position(),
    })
}

/// An exponent in five bits and eighths in three.
fn window(descriptor: u8) -> u64 {
    let base = 1_u64 << (u32::from(descriptor >> 3).saturating_add(10));
    base.saturating_add((base / 8).saturating_mul(u64::from(descriptor & 7)))
}

impl Header {
    /// Walks the rest of the frame. `input` is what `source` started from.
    pub(super) fn frame<'a>(
        self,
        input: &'a [u8],
        source: &mut Source<'a>,
    ) -> Result<Frame<'a>, Error> {
        #[cfg(any(test, not(feature = "fast-zstd")))]
        let body = source.position();
        if self.window > MAX_WINDOW {
            let error = Error::at(ErrorKind::CodecWindow, self.position);
            return Err(error.values(MAX_WINDOW, self.window));
        }
        let block_max = self.window.min(MAX_BLOCK);
        let (mut most, mut least) = (0_u64, 0_u64);
        loop {
            let at = *source;
            let [a, b, c] = source.array()?;
            let word = u32::from_le_bytes([a, b, c, 0]);
            let size = word >> 3;
            let (bytes, holds) = match (word >> 1) & 3 {
                0 => (size, u64::from(size)..=size.into()),
                1 => (1, u64::from(size)..=size.into()),
                2 => (size, 0..=block_max),
                _ => return Err(at.fail(ErrorKind::CodecCorrupt)),
            };
            if u64::from(size) > block_max {
                return Err(at.fail(ErrorKind::CodecCorrupt));
            }
            source.take_u32(bytes)?;
            least = least.saturating_add(*holds.start());
            most = most.saturating_add(*holds.end());
            if word & 1 != 0 {
                break;
            }
        }
        if self.has_checksum {
            source.take(CHECKSUM_LEN)?;
        }
        if self.content_size.is_some_and(|size| size > most) {
            return Err(Error::at(ErrorKind::CodecCorrupt, self.position));
        }
        let slice = |from| input.get(from..source.position()).unwrap_or_default();
        Ok(Frame {
            header: self,
            #[cfg(feature = "fast-zstd")]
            bytes: slice(self.position),
            #[cfg(any(test, not(feature = "fast-zstd")))]
            body: slice(body),
            most,
            least,
        })
    }
}

impl Frame<'_> {
    /// The room that it is decoded into.
    pub(super) fn needed(&self) -> usize {
        let size = self.header.content_size.unwrap_or(self.most);
        usize::try_from(size).unwrap_or(usize::MAX)
    }

    /// An error of the frame as a whole.
    #[cold]
    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::at(kind, self.header.position)
    }
}
