//! The only reader of untrusted bytes: every read is checked, and a failed one leaves the cursor where it
//! was, so that the position of the fault is the cursor's position.

use crate::error::{Error, ErrorKind};
use crate::varint;

/// Bytes still to be read, and where they lie in the segment that rows point into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    /// Position of the end of `rest` in the segment.
    end: usize,
}

/// A run of bytes in a segment: position, and length with −1 for null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) pos: u32,
    pub(crate) len: i32,
}

impl<'a> Cursor<'a> {
    /// Reads `bytes`, which start at `position` of their segment.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], position: usize) -> Self {
        Cursor { rest: bytes, end: position.saturating_add(bytes.len()) }
    }

    /// Where the next byte lies in the segment.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a segment has at most 2^31-1 bytes")]
    fn position32(&self) -> u32 {
        self.position() as u32
    }

    /// The bytes still to be read.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// An error at the cursor.
    #[cold]
    pub(crate) fn fail(&self, kind: ErrorKind) -> Error {
        Error::at(kind, self.position())
    }

    /// A cursor over the next `len` bytes, which this one then has behind it.
    #[inline]
    pub(crate) fn split(&mut self, len: usize) -> Option<Cursor<'a>> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        let part = Cursor { rest: head, end: self.position().wrapping_add(len) };
        self.rest = rest;
        Some(part)
    }

    /// The next `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(head)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(self.fail(ErrorKind::Truncated)),
        }
    }

    #[inline]
    pub(crate) fn i8(&mut self) -> Result<i8, Error> {
        self.array().map(i8::from_be_bytes)
    }

    #[inline]
    pub(crate) fn i32(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn i64(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_be_bytes)
    }

    #[inline(always)]
    pub(crate) fn varint(&mut self) -> Result<i32, Error> {
        match varint::read_varint(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(kind) => Err(self.fail(kind)),
        }
    }

    #[inline(always)]
    pub(crate) fn varlong(&mut self) -> Result<i64, Error> {
        match varint::read_varlong(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(kind) => Err(self.fail(kind)),
        }
    }

    /// A field whose length comes first as a varint; −1 is null.
    #[inline(always)]
    pub(crate) fn field(&mut self) -> Result<Span, Error> {
        let before = *self;
        let len = self.varint()?;
        self.span(len).ok_or_else(|| before.length_fault(len, self.remaining()))
    }

    /// A field whose length comes first as a 32-bit integer; −1 is null.
    #[inline]
    pub(crate) fn field32(&mut self) -> Result<Span, Error> {
        let before = *self;
        let len = self.i32()?;
        self.span(len).ok_or_else(|| before.length_fault(len, self.remaining()))
    }

    /// A header key: as [`field`](Self::field), but null is not allowed.
    #[inline(always)]
    pub(crate) fn header_key(&mut self) -> Result<Span, Error> {
        let before = *self;
        let span = self.field()?;
        if span.len < 0 { Err(before.length_fault(span.len, before.remaining())) } else { Ok(span) }
    }

    #[inline(always)]
    fn span(&mut self, len: i32) -> Option<Span> {
        let pos = self.position32();
        match usize::try_from(len) {
            Ok(size) => {
                self.take(size)?;
            }
            Err(_) if len == -1 => {}
            Err(_) => return None,
        }
        Some(Span { pos, len })
    }

    /// `expected` is the most that would fit, `actual` the length found (as 64-bit two's complement).
    #[cold]
    fn length_fault(&self, len: i32, room: usize) -> Error {
        self.fail(ErrorKind::FieldLength).values(room as u64, i64::from(len).cast_unsigned())
    }
}
