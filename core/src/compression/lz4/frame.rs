//! The lz4 frame format: headers, block lengths and the EndMark, without what is in the blocks.

use twox_hash::XxHash32;

use crate::compression::source::Source;
use crate::error::{Error, ErrorKind};

pub(super) const MAGIC: [u8; 4] = 0x184d_2204_u32.to_le_bytes();

/// Length of a header as written.
pub(super) const HEADER: usize = MAGIC.len() + 3;

const VERSION_MASK: u8 = 0b1100_0000;
const VERSION: u8 = 0b0100_0000;
const INDEPENDENT: u8 = 1 << 5;
const BLOCK_CHECKSUM: u8 = 1 << 4;
const CONTENT_SIZE: u8 = 1 << 3;
const CONTENT_CHECKSUM: u8 = 1 << 2;
const RESERVED: u8 = 1 << 1;
const DICTIONARY: u8 = 1;

/// The block size that is written: 64 KiB.
const BLOCK_64K: u8 = 4 << 4;

const STORED: u32 = 1 << 31;

/// What a frame's header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    flags: u8,
    /// The most that one block holds, before and after decompression.
    block_max: usize,
    /// Not verified, since Kafka's own reader skips it.
    pub(super) content_size: Option<u64>,
}

/// One block of a frame.
pub(super) struct Block<'a> {
    pub(super) position: usize,
    pub(super) stored: bool,
    pub(super) bytes: &'a [u8],
    /// The most that a block of its frame holds.
    pub(super) max: usize,
}

/// The blocks of a frame and of the frames after it, up to one that is malformed, without a look at their
/// checksums.
pub(super) struct Blocks<'a> {
    pub(super) header: Header,
    /// Starts within the first frame.
    pub(super) source: Source<'a>,
    pub(super) old_checksum: bool,
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        loop {
            if let Some(block) = self.header.block(&mut self.source, false).ok()? {
                return Some(block);
            }
            self.header.end(&mut self.source, None).ok()?;
            self.header = start(&mut self.source, self.old_checksum).ok()??;
        }
    }
}

impl Header {
    /// Whether no block looks back at another one.
    pub(super) fn independent(&self) -> bool {
        self.flags & INDEPENDENT != 0
    }

    /// The next block, `None` at the EndMark; `verify` says whether its checksum is compared. A length of 0
    /// is the EndMark, whatever the bit above it says.
    pub(super) fn block<'a>(
        &self,
        source: &mut Source<'a>,
        verify: bool,
    ) -> Result<Option<Block<'a>>, Error> {
        let at = *source;
        let word = source.u32_le()?;
        let length = word & !STORED;
        if length == 0 {
            return Ok(None);
        }
        if u64::from(length) > self.block_max as u64 {
            return Err(at.fail(ErrorKind::CodecCorrupt));
        }
        let (position, bytes) = (source.position(), source.take_u32(length)?);
        if self.flags & BLOCK_CHECKSUM != 0 {
            checksum(source, verify.then_some(bytes))?;
        }
        Ok(Some(Block { position, stored: word & STORED != 0, bytes, max: self.block_max }))
    }

    /// Reads what comes after the EndMark of a frame that holds `content`, where that is known.
    pub(super) fn end(&self, source: &mut Source<'_>, content: Option<&[u8]>) -> Result<(), Error> {
        if self.flags & CONTENT_CHECKSUM != 0 { checksum(source, content) } else { Ok(()) }
    }
}

/// Reads a checksum and compares it with that of `content`, where that is known.
fn checksum(source: &mut Source<'_>, content: Option<&[u8]>) -> Result<(), Error> {
    let at = *source;
    let stored = source.u32_le()?;
    match content.map(|content| XxHash32::oneshot(0, content)) {
        Some(actual) if actual != stored => {
            Err(at.fail(ErrorKind::CodecChecksum).values(stored.into(), actual.into()))
        }
        _ => Ok(()),
    }
}

/// The header of the next frame, `None` where no frame starts.
pub(super) fn start(source: &mut Source<'_>, old_checksum: bool) -> Result<Option<Header>, Error> {
    let start = source.frame(MAGIC)?;
    start.map(|start| header(start, source, old_checksum)).transpose()
}

fn header(start: Source<'_>, source: &mut Source<'_>, old: bool) -> Result<Header, Error> {
    let at = *source;
    let [flags, block] = source.array()?;
    if flags & DICTIONARY != 0 {
        return Err(at.fail(ErrorKind::CodecDictionary));
    }
    let block_max = match block {
        BLOCK_64K => 64 << 10,
        0x50 => 256 << 10,
        0x60 => 1 << 20,
        0x70 => 4 << 20,
        _ => return Err(at.fail(ErrorKind::CodecHeader)),
    };
    if flags & (VERSION_MASK | RESERVED) != VERSION {
        return Err(at.fail(ErrorKind::CodecHeader));
    }
    let content_size = match flags & CONTENT_SIZE {
        0 => None,
        _ => Some(u64::from_le_bytes(source.array()?)),
    };
    let end = *source;
    let covered = |from: Source<'_>| {
        let len = end.position().saturating_sub(from.position());
        header_checksum(from.rest().get(..len).unwrap_or_default())
    };
    let stored = source.u8()?;
    if stored != covered(at) && !(old && stored == covered(start)) {
        return Err(end.fail(ErrorKind::CodecChecksum).values(stored.into(), covered(at).into()));
    }
    Ok(Header { flags, block_max, content_size })
}

/// The checksum of a header: of its flags, block size and content size, or under magic 0 of the frame's
/// magic number as well.
pub(super) fn header_checksum(covered: &[u8]) -> u8 {
    let [_, second, ..] = XxHash32::oneshot(0, covered).to_le_bytes();
    second
}

/// The header that Java writes: 64 KiB independent blocks, no checksums, no size.
pub(super) fn written_header(old_checksum: bool) -> [u8; HEADER] {
    let [a, b, c, d] = MAGIC;
    let (flags, block) = (VERSION | INDEPENDENT, BLOCK_64K);
    let all = [a, b, c, d, flags, block];
    let checksum =
        if old_checksum { header_checksum(&all) } else { header_checksum(&[flags, block]) };
    [a, b, c, d, flags, block, checksum]
}

/// The word before a block.
pub(super) fn block_word(len: usize, stored: bool) -> [u8; 4] {
    let length = u32::try_from(len).unwrap_or(u32::MAX);
    (if stored { length | STORED } else { length }).to_le_bytes()
}
