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
    let blocks = Blocks::new(input)?;
    plan(blocks, out);
    for block in blocks {
        let (position, block) = block?;
        let len = declared(block, position)?;
        let room = out.room_for(len)?;
        let decoded = snap::raw::Decoder::new().decompress(block, room);
        decoded.map_err(|_| Error::at(ErrorKind::CodecCorrupt, position))?;
        out.commit(len);
    }
    Ok(())
}

/// Takes memory for what `blocks` declare, up to one that is malformed; for nothing where the first one is
/// beyond the bound already.
fn plan(blocks: Blocks<'_>, out: &mut Output<'_>) {
    let sizes = blocks.map_while(|block| {
        let (position, block) = block.ok()?;
        declared(block, position).ok()
    });
    let mut sizes = sizes.peekable();
    if sizes.peek().is_some_and(|first| *first <= out.remaining()) {
        out.plan(sizes.fold(0, usize::saturating_add));
    }
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
#[derive(Clone, Copy)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::testing::{self, SIZES, TEXT, hex, samples};
    use alloc::vec::Vec;

    const HEADER: &str = "82534e41505059000000000100000001";
    const BLOCK: &str = "35286f66667365742034312c20110b0032190b0033560b00";
    const CHUNK: &str = "0000001835286f66667365742034312c20110b0032190b0033560b00";

    fn stream(parts: &[&str]) -> Vec<u8> {
        hex(&parts.concat())
    }

    fn read_up_to(limit: usize, input: &[u8]) -> Result<Vec<u8>, Error> {
        testing::read(limit, |out| super::read(input, out))
    }

    fn read(input: &[u8]) -> Result<Vec<u8>, Error> {
        read_up_to(1 << 20, input)
    }

    fn fails(input: &[u8], kind: ErrorKind, position: u64) {
        let error = read(input).unwrap_err();
        assert_eq!((error.kind(), error.position()), (kind, position), "{input:02x?}");
    }

    #[test]
    fn both_encodings_are_read() {
        assert_eq!(read(&hex(BLOCK)).unwrap(), TEXT);
        assert_eq!(read(&stream(&[HEADER, CHUNK])).unwrap(), TEXT);
        assert_eq!(read(&stream(&[HEADER, CHUNK, CHUNK])).unwrap(), [TEXT, TEXT].concat());
        assert_eq!(read(&hex(HEADER)).unwrap(), b"");
        assert_eq!(read(&[0]).unwrap(), b"");
        // Version numbers with their bytes reversed.
        let reversed = "82534e41505059000100000001000000";
        assert_eq!(read(&stream(&[reversed, CHUNK])).unwrap(), TEXT);
    }

    #[test]
    fn streams_are_joined() {
        let joined = stream(&[HEADER, CHUNK, HEADER, HEADER, CHUNK, HEADER]);
        assert_eq!(read(&joined).unwrap(), [TEXT, TEXT].concat());
        assert_eq!(size(&joined).unwrap(), 106);
        let cut = &joined[..joined.len() - 1];
        fails(cut, ErrorKind::CodecTruncated, cut.len() as u64);
    }

    #[test]
    fn faults_have_kinds_and_positions() {
        fails(&[], ErrorKind::CodecTruncated, 0);
        fails(&hex(&HEADER[..30]), ErrorKind::CodecTruncated, 15);
        for length in ["ffffffff", "fffffffc", "80000000"] {
            fails(&stream(&[HEADER, length, BLOCK]), ErrorKind::CodecCorrupt, 16);
        }
        // A chunk that is longer than the rest, stray bytes, an empty chunk.
        fails(&stream(&[HEADER, "00000019", BLOCK]), ErrorKind::CodecTruncated, 44);
        fails(&stream(&[HEADER, "7fffffff", BLOCK]), ErrorKind::CodecTruncated, 44);
        for stray in ["00", "0000", "000000"] {
            let whole = stream(&[HEADER, CHUNK, stray]);
            fails(&whole, ErrorKind::CodecTruncated, whole.len() as u64);
        }
        fails(&stream(&[HEADER, CHUNK, "00000000"]), ErrorKind::CodecCorrupt, 48);
        // A size that is not that of the content, a distance of 0 and one from before the start.
        fails(&hex(&BLOCK.replacen("35", "36", 1)), ErrorKind::CodecCorrupt, 0);
        fails(&hex(&BLOCK.replacen("35", "34", 1)), ErrorKind::CodecCorrupt, 0);
        fails(&hex("0500610100"), ErrorKind::CodecCorrupt, 0);
        fails(&hex("0500610102"), ErrorKind::CodecCorrupt, 0);
        fails(&hex(&[BLOCK, "00"].concat()), ErrorKind::CodecCorrupt, 0);
    }

    #[test]
    fn a_block_that_is_cut_anywhere_is_an_error() {
        let block = hex(BLOCK);
        for len in 1..block.len() {
            fails(&block[..len], ErrorKind::CodecCorrupt, 0);
        }
    }

    #[test]
    fn the_bound_is_exact_and_comes_before_memory() {
        let joined = stream(&[HEADER, CHUNK, CHUNK]);
        assert_eq!(read_up_to(106, &joined).unwrap().len(), 106);
        let error = read_up_to(105, &joined).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitBatchBytes);
        assert_eq!((error.expected(), error.actual()), (105, 106));
        // 2 GiB declared by five bytes.
        let mut buffer = Vec::new();
        let mut out = Output::growing(&mut buffer, 0, usize::MAX, ErrorKind::LimitBatchBytes);
        let error = super::read(&hex("8080808008"), &mut out).unwrap_err();
        assert_eq!((error.kind(), buffer.capacity()), (ErrorKind::CodecCorrupt, 0));
    }

    #[test]
    fn the_best_ratio_is_within_what_is_allowed() {
        // One literal and 4096 copies of 64 bytes.
        let size = 1 + 4096 * 64;
        let mut block = alloc::vec![0x81, 0x80, 0x10, 0, b'a'];
        block.extend((0..4096).flat_map(|_| [0xfe, 1, 0]));
        assert_eq!(read(&block).unwrap().len(), size);
    }

    #[test]
    fn written_streams_are_read() {
        let mut writer = Writer::default();
        for len in SIZES {
            for input in samples(len) {
                let packed = testing::write(bound(len), |out| writer.write(&input, out));
                assert!(packed.starts_with(&hex(HEADER)));
                assert!(read_up_to(len, &packed).unwrap() == input, "{len} bytes");
                let chunks = Blocks::new(&packed).unwrap().count();
                assert_eq!(chunks, len.div_ceil(super::CHUNK));
            }
        }
    }
}
