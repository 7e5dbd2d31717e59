//! zstd by ruzstd, which decodes everything and has one compression level.
//!
//! Reading, ruzstd keeps a window beside the output. It is as large as the header asks for, so the header
//! that it gets to read is one of ours, which asks for no more than the frame can hold and there is room
//! for. Writing, it allocates its tables for each frame and buffers for each block, which cannot be kept.
//!
//! Inside of compressed blocks the two back ends have their own ideas of damage: libzstd does not notice
//! all of it in Huffman-coded literals, ruzstd ignores two reserved bits. A checksum, of the frame or of
//! the batch around it, is what finds damage.

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, FrameCompressor};
use ruzstd::io::{self, Read, Write};

use super::{Decode, Encode, Failure, frame, frame::Frame};
use crate::compression::Output;
use crate::error::{Error, ErrorKind};

#[derive(Default)]
pub(in crate::compression) struct Decoder {
    frames: FrameDecoder,
    /// The largest window so far.
    window: u64,
}

impl Decoder {
    fn start(&mut self, frame: &Frame<'_>, room: usize) -> Result<(), FrameDecoderError> {
        let window = window(frame, room);
        let header = header(frame, window);
        if window > self.window {
            // The old window goes before there is a larger one. A new decoder would let its first one grow
            // step by step; from the second header on, it takes memory for all of it at once.
            *self = Decoder { frames: FrameDecoder::new(), window };
            self.frames.reset(header.as_slice())?;
        }
        self.frames.reset(header.as_slice())
    }
}

impl Decode for Decoder {
    fn decode(&mut self, frame: &Frame<'_>, room: &mut [u8]) -> Result<usize, Failure> {
        let corrupt = |_: FrameDecoderError| CORRUPT;
        self.start(frame, room.len()).map_err(corrupt)?;
        let (mut body, mut written) = (frame.body, 0_usize);
        while !self.frames.is_finished() {
            self.frames
                .decode_blocks(&mut body, BlockDecodingStrategy::UptoBlocks(1))
                .map_err(corrupt)?;
            loop {
                let rest = room.get_mut(written..).unwrap_or_default();
                match self.frames.read(rest).map_err(|_| CORRUPT)? {
                    0 => break,
                    read => written = written.saturating_add(read),
                }
            }
            if self.frames.can_collect() > 0 {
                return Err(Failure::Room);
            }
        }
        let checksum = self.frames.get_checksum_from_data();
        if checksum.is_some() && checksum != self.frames.get_calculated_checksum() {
            return Err(Failure::Other(ErrorKind::CodecChecksum));
        }
        Ok(written)
    }
}

/// That of the smallest window there is.
const SMALLEST_LOG: u32 = 10;

const CORRUPT: Failure = Failure::Other(ErrorKind::CodecCorrupt);

/// The smallest window that does for `frame` where no more than `room` bytes of it are wanted.
fn window(frame: &Frame<'_>, room: usize) -> u64 {
    let wanted = frame.most.min(room as u64);
    frame.header.window.min(wanted).max(1 << SMALLEST_LOG).next_power_of_two()
}

/// A frame header with `window`, and no content size.
fn header(frame: &Frame<'_>, window: u64) -> [u8; 6] {
    let log = window.ilog2().saturating_sub(SMALLEST_LOG);
    let [a, b, c, d] = frame::MAGIC;
    let flags = if frame.header.has_checksum { frame::CHECKSUM } else { 0 };
    [a, b, c, d, flags, u8::try_from(log).unwrap_or(u8::MAX) << 3]
}

#[derive(Default)]
pub(in crate::compression) struct Encoder;

impl Encode for Encoder {
    /// All levels are the same one, about libzstd's level 1.
    fn encode(&mut self, _: i32, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        let mut drain = Drain { out, failed: Ok(()) };
        let mut compressor = FrameCompressor::new(CompressionLevel::Fastest);
        compressor.set_source(input);
        compressor.set_drain(&mut drain);
        compressor.compress();
        drop(compressor);
        drain.failed
    }
}

/// ruzstd takes no error from what it writes to, so the first one is kept aside.
struct Drain<'a, 'b> {
    out: &'a mut Output<'b>,
    failed: Result<(), Error>,
}

impl Write for Drain<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, io::Error> {
        if self.failed.is_ok() {
            self.failed = self.out.append(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

/// At worst all blocks are stored: 3 bytes each, one more at the end, a header and a checksum.
pub(in crate::compression) fn bound(len: usize) -> usize {
    const BLOCK: usize = 1 << 17;
    len.saturating_add((len / BLOCK).saturating_mul(3)).saturating_add(32)
}
