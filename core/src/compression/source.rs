//! Compressed bytes that are still to be read. Running out of them is one error, the same in every codec.

use crate::error::{Error, ErrorKind};

/// The unread rest of a compressed input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    rest: &'a [u8],
    /// Length of the whole input.
    end: usize,
}

impl<'a> Source<'a> {
    /// All of `input`; an empty one is a truncated stream already.
    pub(super) fn new(input: &'a [u8]) -> Result<Self, Error> {
        let source = Source { rest: input, end: input.len() };
        if input.is_empty() { Err(source.truncated()) } else { Ok(source) }
    }

    /// How many bytes were read.
    pub(super) fn position(&self) -> usize {
        self.end.saturating_sub(self.rest.len())
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (head, rest) = self.rest.split_at_checked(len).ok_or_else(|| self.truncated())?;
        self.rest = rest;
        Ok(head)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self.rest.split_first_chunk().ok_or_else(|| self.truncated())?;
        self.rest = rest;
        Ok(*head)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u32_le(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes as many bytes as a 32-bit length says.
    pub(super) fn take_u32(&mut self, len: u32) -> Result<&'a [u8], Error> {
        self.take(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Reads the magic number of a frame, behind any skippable frames, which lz4 and zstd have in common.
    /// Returns where the frame starts; `None`, and nothing more read, where none does: at the end of the
    /// input or at other bytes.
    #[cfg(any(feature = "lz4", feature = "zstd"))]
    pub(super) fn frame(&mut self, magic: [u8; 4]) -> Result<Option<Self>, Error> {
        loop {
            let before = *self;
            match self.array() {
                Ok(found) if found == magic => return Ok(Some(before)),
                Ok([skippable, 0x2a, 0x4d, 0x18]) if skippable & 0xf0 == 0x50 => {
                    let length = self.u32_le()?;
                    self.take_u32(length)?;
                }
                _ => {
                    *self = before;
                    return Ok(None);
                }
            }
        }
    }

    /// An error at the next byte.
    #[cold]
    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::at(kind, self.position())
    }

    #[cold]
    pub(super) fn truncated(&self) -> Error {
        Error::at(ErrorKind::CodecTruncated, self.end)
    }

    /// The error where a stream should start and does not. A part of its `magic` and nothing after it is a
    /// cut stream.
    #[cold]
    pub(super) fn no_start(&self, magic: &[u8]) -> Error {
        if magic.starts_with(self.rest) {
            self.truncated()
        } else {
            self.fail(ErrorKind::CodecHeader)
        }
    }
}
