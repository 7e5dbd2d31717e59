//! Batches from a file or a pipe, with one of them in memory at a time.
//!
//! The input comes in pieces, and [`kcodec::batches`] looks at what is in them; a batch that begins in one
//! and goes on in the next is put together first. Two rules bound the memory, whatever the lengths in the
//! input say:
//!
//! * Memory for a batch larger than a piece doubles as its bytes come in: it is never more than twice what
//!   has really been read.
//! * A batch of more bytes than the limit is not kept. Its header is, and reading goes on after it.
//!
//! A frame must lie in the buffer whole before the core may judge it, since the core would take a batch
//! that goes on beyond the buffer for a cut one.

use std::io::{self, Read};

use kcodec::{Batch, Tail};

use crate::ahead::{HEADROOM, Piece, Pieces};
use crate::fault::Fault;

/// Where a frame's length field is, after an offset.
const LENGTH: usize = 8;
/// Bytes that the length field does not count: itself and what is before it.
const OVERHEAD: usize = LENGTH + 4;
/// The longest header of any format, that of a record batch.
const HEADER: usize = 61;
/// The least value of the length field in any format.
const MIN_LENGTH: u32 = 14;

/// What stands at some place of the input.
pub(crate) enum Entry<'a> {
    /// A whole frame.
    Batch(Placed<'a>),
    /// A whole frame of more bytes than the limit, of which only the header was kept.
    TooLarge(Placed<'a>),
    /// No whole frame.
    End(End),
}

/// A batch and its place in the input; the position that [`Batch`] knows is one in the buffer.
pub(crate) struct Placed<'a> {
    pub(crate) batch: Batch<'a>,
    pub(crate) position: u64,
    pub(crate) size: u64,
}

/// How an input ends.
pub(crate) struct End {
    /// Bytes of whole batches.
    pub(crate) consumed: u64,
    /// Bytes of the input.
    pub(crate) input_size: u64,
    pub(crate) rest: Rest,
}

/// What follows the last whole batch: [`Tail`] with its place in the input.
pub(crate) enum Rest {
    None,
    Partial { needed: Option<u64> },
    Zeros,
    Corrupt(Fault),
}

/// The frames of one input.
pub(crate) struct Frames {
    pieces: Pieces,
    /// Bytes of the input, where they are known without reading it.
    input_size: Option<u64>,
    max_frame: u64,
    buf: Vec<u8>,
    /// The window: the part of the buffer that is read and not used yet.
    start: usize,
    end: usize,
    /// Position of `start` in the input.
    position: u64,
    /// Bytes of the frame handed out last, which is still at `start`.
    given: usize,
    /// The header of a frame that was not kept.
    header: [u8; HEADER],
}

impl Frames {
    /// Reads `input` and does not keep batches of more than `max_frame` bytes.
    pub(crate) fn new(
        input: impl Read + Send + 'static,
        input_size: Option<u64>,
        max_frame: u64,
    ) -> io::Result<Self> {
        Ok(Frames {
            pieces: Pieces::of(input)?,
            input_size,
            max_frame,
            buf: Vec::new(),
            start: 0,
            end: 0,
            position: 0,
            given: 0,
            header: [0; HEADER],
        })
    }

    /// Bytes of the input that the frames handed out so far reach to.
    pub(crate) fn position(&self) -> u64 {
        self.position + self.given as u64
    }

    /// The next frame; after [`Entry::End`] there is none.
    pub(crate) fn next(&mut self) -> io::Result<Entry<'_>> {
        let given = std::mem::take(&mut self.given);
        self.advance(given);
        self.fill(HEADER)?;
        let Some(size) = frame_size(self.window()) else { return self.finish() };
        if size > self.max_frame {
            return self.pass_over(size);
        }
        let len = usize::try_from(size).unwrap_or(usize::MAX);
        if !self.fill(len)? {
            return self.finish();
        }
        self.given = len;
        let position = self.position;
        match kcodec::batches(&self.window()[..len]).next() {
            Some(Ok(batch)) => Ok(Entry::Batch(Placed { batch, position, size })),
            _ => Err(io::Error::other("the length of a frame changed while it was read")),
        }
    }

    fn window(&self) -> &[u8] {
        &self.buf[self.start..self.end]
    }

    fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        self.position += bytes as u64;
    }

    /// Reads until the window has `len` bytes; false where the input ends before.
    fn fill(&mut self, len: usize) -> io::Result<bool> {
        while self.end - self.start < len {
            let Some(piece) = self.pieces.next()? else { return Ok(false) };
            self.join(piece, len)?;
        }
        Ok(true)
    }

    /// Puts the window and `piece` together, on the way to a frame of `len` bytes.
    fn join(&mut self, mut piece: Piece, len: usize) -> io::Result<()> {
        let rest = self.end - self.start;
        if rest <= HEADROOM {
            self.start = HEADROOM - rest;
            piece.bytes[self.start..HEADROOM].copy_from_slice(&self.buf[self.end - rest..self.end]);
            self.end = piece.end;
            std::mem::swap(&mut self.buf, &mut piece.bytes);
        } else {
            let more = &piece.bytes[HEADROOM..piece.end];
            self.buf.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, rest + more.len());
            if self.end > self.buf.len() {
                let size = (2 * self.buf.len()).min(len).max(self.end);
                self.buf.try_reserve_exact(size - self.buf.len())?;
                self.buf.resize(size, 0);
            }
            self.buf[rest..self.end].copy_from_slice(more);
        }
        self.pieces.give_back(piece.bytes);
        Ok(())
    }

    /// Goes on after a frame of `size` bytes that is too large to keep.
    fn pass_over(&mut self, size: u64) -> io::Result<Entry<'_>> {
        let (position, kept) = (self.position, self.window().len().min(HEADER));
        let start = self.start;
        self.header[..kept].copy_from_slice(&self.buf[start..start + kept]);
        if self.skip(size)? < size {
            // Cut, so what its header says is all there is to judge.
            let Some(tail) = tail_of(&self.header[..kept]) else {
                return Err(io::Error::other("a cut frame was taken for a whole one"));
            };
            let input_size = self.position;
            let rest = Rest::new(tail, position);
            return Ok(Entry::End(End { consumed: position, input_size, rest }));
        }
        // What was kept is the frame of a batch without records.
        let length = (HEADER - OVERHEAD).to_be_bytes();
        self.header[LENGTH..OVERHEAD].copy_from_slice(&length[length.len() - 4..]);
        match kcodec::batches(&self.header).next() {
            Some(Ok(batch)) => Ok(Entry::TooLarge(Placed { batch, position, size })),
            _ => Err(io::Error::other("a whole header was not taken for one")),
        }
    }

    /// Jumps over `bytes` bytes and says how many there were.
    fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let mut left = bytes;
        loop {
            let here = usize::try_from(left).unwrap_or(usize::MAX).min(self.window().len());
            self.advance(here);
            left -= here as u64;
            if left == 0 || !self.fill(1)? {
                return Ok(bytes - left);
            }
        }
    }

    /// Finds out how an input ends in which no whole frame starts at the window.
    fn finish(&mut self) -> io::Result<Entry<'_>> {
        let consumed = self.position;
        let tail = tail_of(self.window()).unwrap_or(Tail::None);
        let mut rest = Rest::new(tail, consumed);
        if let Rest::Zeros = rest {
            // The core saw the window only.
            while self.window().chunks(4096).all(is_zero) {
                self.advance(self.window().len());
                if !self.fill(1)? {
                    break;
                }
            }
            if !self.window().is_empty() {
                rest = Rest::Corrupt(Fault::no_length(consumed + LENGTH as u64));
            }
        }
        let input_size = match self.input_size {
            Some(size) => size,
            None => {
                self.skip(u64::MAX)?;
                self.position
            }
        };
        Ok(Entry::End(End { consumed, input_size, rest }))
    }
}

impl Rest {
    /// The state in a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Rest::None => "none",
            Rest::Partial { .. } => "partial",
            Rest::Zeros => "zeros",
            Rest::Corrupt(_) => "corrupt",
        }
    }

    fn new(tail: Tail, position: u64) -> Self {
        match tail {
            Tail::None => Rest::None,
            Tail::Partial { needed } => Rest::Partial { needed: needed.map(|size| size as u64) },
            Tail::Zeros => Rest::Zeros,
            Tail::Corrupt(error) => Rest::Corrupt(Fault::new(&error, position)),
        }
    }
}

/// The size of the frame that starts here, if its length is there and is one.
fn frame_size(window: &[u8]) -> Option<u64> {
    let length = u32::from_be_bytes(*window.get(LENGTH..OVERHEAD)?.first_chunk()?);
    let in_range = (MIN_LENGTH..=i32::MAX.cast_unsigned()).contains(&length);
    in_range.then(|| u64::from(length) + OVERHEAD as u64)
}

/// What the core makes of bytes that are no whole frame.
fn tail_of(bytes: &[u8]) -> Option<Tail> {
    let mut batches = kcodec::batches(bytes);
    match batches.next() {
        Some(Ok(_)) => None,
        _ => Some(batches.tail()),
    }
}

/// Without a way out early, so that the compiler may compare many bytes at once.
fn is_zero(piece: &[u8]) -> bool {
    piece.iter().fold(0, |all, byte| all | byte) == 0
}
