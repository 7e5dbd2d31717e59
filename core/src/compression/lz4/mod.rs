//! lz4 frames over lz4_flex's blocks.
//!
//! The frame layer is here because it decides what is accepted, and because lz4_flex's own needs std. It
//! reads what Kafka's Java client reads and two things more: blocks that look back at earlier ones, and
//! several frames. A frame without its EndMark is cut; bytes after an EndMark that start no frame are
//! ignored. Checksums are verified where there are any, the content size is not, all as Java does.
//!
//! Written is what Java writes: one frame of 64 KiB independent blocks without checksums. lz4_flex has one
//! speed, so that all of Kafka's levels give the same bytes.

mod block;
mod frame;
#[cfg(test)]
mod tests;

use lz4_flex::block::{CompressTable, DecompressError, compress_into_with_table};
use lz4_flex::block::{decompress_into, decompress_into_with_dict, get_maximum_output_size};

use super::{Output, source::Source};
use crate::error::{Error, ErrorKind};
use frame::{Block, Blocks, Header};

/// How far back a match reaches.
const WINDOW: usize = 64 * 1024;

/// Input of one written block.
const CHUNK: usize = 64 * 1024;

/// A table of 16-bit positions does for inputs below this.
const SMALL: usize = 0xffff;

/// Records seldom compress better.
const LIKELY_RATIO: usize = 8;

/// Word before a block, and EndMark.
const WORD: usize = 4;

/// Appends what `input` holds.
pub(super) fn read(input: &[u8], out: &mut Output<'_>, old_checksum: bool) -> Result<(), Error> {
    let mut source = Source::new(input)?;
    let mut frames = 0_usize;
    while let Some(header) = frame::start(&mut source, old_checksum)? {
        frames = frames.saturating_add(1);
        if let Some(size) = header.content_size {
            out.check_declared(size)?;
        }
        if frames == 1 {
            plan(|| Blocks { header, source, old_checksum }, out);
        }
        let mark = out.len();
        while let Some(block) = header.block(&mut source, true)? {
            read_block(&header, &block, mark, out)?;
        }
        header.end(&mut source, Some(out.written(mark)))?;
    }
    if frames == 0 && !source.is_empty() { Err(source.no_start(&frame::MAGIC)) } else { Ok(()) }
}

/// Takes memory for all blocks. As a rule all but the last one are full, and hold the most that they can.
/// Where that is many times their bytes it may be a bomb or not the rule, and they are sized one by one. With
/// what is taken, there is room for the most that each can hold.
fn plan<'a, I: Iterator<Item = Block<'a>>>(blocks: impl Fn() -> I, out: &mut Output<'_>) {
    let (mut most, mut full, mut likely) = (0_usize, 0, 0_usize);
    for block in blocks() {
        full = most;
        most = most.saturating_add(block.most());
        likely = likely.saturating_add(block.bytes.len().saturating_mul(LIKELY_RATIO));
    }
    if out.holds(most) {
        return;
    }
    if full <= likely {
        return out.plan(most);
    }
    let (mut end, mut needed) = (0_usize, 0);
    for block in blocks() {
        needed = end.saturating_add(block.most()).max(needed);
        end = end.saturating_add(block.size());
    }
    out.plan(needed);
}

/// Appends what one block holds, in a frame whose content starts at `mark`.
fn read_block(
    header: &Header,
    block: &Block<'_>,
    mark: usize,
    out: &mut Output<'_>,
) -> Result<(), Error> {
    if block.stored {
        return out.append(block.bytes);
    }
    let most = block.most();
    let room = out.room_up_to(most)?;
    let len = room.len();
    let decoded = if header.independent() {
        decompress_into(block.bytes, room)
    } else {
        let (written, room) = out.split(mark);
        let history = written.split_at_checked(written.len().saturating_sub(WINDOW));
        let room = room.get_mut(..len).unwrap_or_default();
        decompress_into_with_dict(block.bytes, room, history.unwrap_or_default().1)
    };
    match decoded {
        Ok(written) => {
            out.commit(written);
            Ok(())
        }
        Err(DecompressError::OutputTooSmall { .. }) if len < most => Err(out.overrun()),
        Err(_) => Err(Error::at(ErrorKind::CodecCorrupt, block.position)),
    }
}

/// The size that all frames declare together, if all do.
pub(super) fn size(input: &[u8]) -> Result<Option<u64>, Error> {
    let mut source = Source::new(input)?;
    let mut sum = None;
    // The magic is not known here, so that either header checksum will do.
    while let Some(header) = frame::start(&mut source, true)? {
        let Some(size) = header.content_size else { return Ok(None) };
        sum = Some(size.saturating_add(sum.unwrap_or(0)));
        while header.block(&mut source, true)?.is_some() {}
        header.end(&mut source, None)?;
    }
    Ok(sum)
}

/// Writes one frame.
#[derive(Default)]
pub(super) struct Writer {
    small: Option<CompressTable>,
    large: Option<CompressTable>,
}

impl Writer {
    pub(super) fn write(
        &mut self,
        input: &[u8],
        out: &mut Output<'_>,
        old_checksum: bool,
    ) -> Result<(), Error> {
        out.append(&frame::written_header(old_checksum))?;
        for chunk in input.chunks(CHUNK) {
            let table = if chunk.len() < SMALL {
                self.small.get_or_insert_with(CompressTable::small)
            } else {
                self.large.get_or_insert_with(CompressTable::large)
            };
            let room = out.room_for(block_bound(chunk.len()))?;
            let (word, block) = room.split_first_chunk_mut::<WORD>().ok_or(INTERNAL)?;
            let packed = compress_into_with_table(chunk, block, table).map_err(|_| INTERNAL)?;
            let stored = packed >= chunk.len();
            if stored {
                block.get_mut(..chunk.len()).ok_or(INTERNAL)?.copy_from_slice(chunk);
            }
            let len = packed.min(chunk.len());
            *word = frame::block_word(len, stored);
            out.commit(len.saturating_add(WORD));
        }
        out.append(&[0; WORD])
    }
}

const INTERNAL: Error = Error::new(ErrorKind::Internal);

/// Room for a block: its word, and what lz4_flex asks for.
const fn block_bound(len: usize) -> usize {
    get_maximum_output_size(len).saturating_add(WORD)
}

/// No block comes out larger than it was, but the last one needs the room that lz4_flex asks for.
pub(super) fn bound(len: usize) -> usize {
    let before = (len / CHUNK).saturating_mul(CHUNK.saturating_add(WORD));
    let last = if len < CHUNK { block_bound(len) } else { block_bound(CHUNK) };
    before.saturating_add(last).saturating_add(frame::HEADER).saturating_add(WORD)
}
