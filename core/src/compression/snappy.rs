//! snappy: two encodings under one codec number, told apart by the first eight bytes.
//!
//! Java and its kin write a xerial stream: a magic number, two version numbers (ignored, since one writer
//! had their bytes reversed), and chunks of a length and a raw block. The others write one raw block. A
//! chunk length that is the first half of the magic number starts another stream, as it does for Java's
//! reader. A raw block declares its size; one that its bytes cannot fill is refused before memory is
//! reserved.

use super::{Output, source::Source};
use crate::error::{Error, ErrorKind};

const MAGIC: [u8; 8] = *b"\x82SNAPPY\0";
/// Version and oldest compatible version.
const VERSIONS: [u8; 8] = [0, 0, 0, 1, 0, 0, 0, 1];

const HEADER: usize = MAGIC.len() + VERSIONS.len();

/// What starts a further stream where a chunk's length is due.
const MAGIC_LENGTH: [u8; 4] = [MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3]];
/// What is left of its header then.
const HEADER_REST: usize = HEADER - MAGIC_LENGTH.len();

/// Input of one chunk, as Java writes it.
const CHUNK: usize = 32 * 1024;

/// A block of `len` bytes holds fewer than 22 times as many: the best element writes 64 bytes from 3.
const MAX_RATIO: usize = 22;

/// Appends what `input` holds.
pub(super) fn read(input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
    for block in Blocks::new(input)? {
        let (position, block) = block?;
        let len = declared(block, position)?;
        let room = out.room_for(len)?;
        let decoded = snap::raw::Decoder::new().decompress(block, room);
        decoded.map_err(|_| Error::at(ErrorKind::CodecCorrupt, position))?;
        out.commit(len);
    }
    Ok(())
}

/// The size that all blocks declare together.
pub(super) fn size(input: &[u8]) -> Result<u64, Error> {
    Blocks::new(input)?.try_fold(0_u64, |sum, block| {
        let (position, block) = block?;
        Ok(sum.saturating_add(declared(block, position)? as u64))
    })
}

fn declared(block: &[u8], position: usize) -> Result<usize, Error> {
    let most = block.len().saturating_mul(MAX_RATIO);
    match snap::raw::decompress_len(block) {
        Ok(len) if len <= most && !block.is_empty() => Ok(len),
        _ => Err(Error::at(ErrorKind::CodecCorrupt, position)),
    }
}

/// The raw blocks of an input and where they lie.
struct Blocks<'a> {
    source: Source<'a>,
    framed: bool,
}

impl<'a> Blocks<'a> {
    fn new(input: &'a [u8]) -> Result<Self, Error> {
        let mut source = Source::new(input)?;
        let framed = input.starts_with(&MAGIC);
        if framed {
            source.take(HEADER)?;
        }
        Ok(Blocks { source, framed })
    }

    fn chunk(&mut self) -> Result<Option<(usize, &'a [u8])>, Error> {
        while self.framed && !self.source.is_empty() {
            let at = self.source;
            let length = self.source.array()?;
            if length == MAGIC_LENGTH {
                self.source.take(HEADER_REST)?;
                continue;
            }
            let length = usize::try_from(i32::from_be_bytes(length));
            let length = length.map_err(|_| at.fail(ErrorKind::CodecCorrupt))?;
            return Ok(Some((self.source.position(), self.source.take(length)?)));
        }
        Ok(None)
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<(usize, &'a [u8]), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.framed {
            return self.chunk().transpose();
        }
        let block = self.source.rest();
        self.source.take(block.len()).ok().filter(|block| !block.is_empty()).map(|b| Ok((0, b)))
    }
}

/// Writes xerial streams of 32 KiB chunks.
pub(super) struct Writer(snap::raw::Encoder);

impl Default for Writer {
    fn default() -> Self {
        Writer(snap::raw::Encoder::new())
    }
}

impl Writer {
    pub(super) fn write(&mut self, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        out.append(&MAGIC)?;
        out.append(&VERSIONS)?;
        for chunk in input.chunks(CHUNK) {
            let room = out.room_for(chunk_bound(chunk.len()))?;
            let (length, block) = room.split_first_chunk_mut().ok_or(INTERNAL)?;
            let written = self.0.compress(chunk, block).map_err(|_| INTERNAL)?;
            *length = u32::try_from(written).map_err(|_| INTERNAL)?.to_be_bytes();
            out.commit(written.saturating_add(MAGIC_LENGTH.len()));
        }
        Ok(())
    }
}

const INTERNAL: Error = Error::new(ErrorKind::Internal);

/// Room for a chunk: its length, and what the encoder asks for.
fn chunk_bound(len: usize) -> usize {
    snap::raw::max_compress_len(len).saturating_add(MAGIC_LENGTH.len())
}

pub(super) fn bound(len: usize) -> usize {
    let chunks = len / CHUNK;
    let (full, last) = (chunk_bound(CHUNK).saturating_mul(chunks), chunk_bound(len % CHUNK));
    HEADER.saturating_add(full).saturating_add(last)
}
