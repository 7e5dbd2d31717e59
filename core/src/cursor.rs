//! The only reader of untrusted bytes: every read is checked, and a failed one leaves the cursor where it
//! was, so that the position of the fault is the cursor's position.
//!
//! How much a failed read says is its caller's choice, by the type of the [`Fault`]. An [`Error`] says
//! everything, but building one at each of a record's dozen checks costs the loop around them a third of
//! its speed. So the loop reads with [`Unexplained`], and reads the one record that fails again for the
//! error. Both are this one reader.

use crate::error::{Error, ErrorKind};
use crate::record::layout::MIN_HEADER;
use crate::varint;

/// What a failed read leaves.
pub(crate) trait Fault: Sized {
    /// Whether the fault says what is wrong.
    const EXPLAINS: bool;

    /// The fault of a rule at a position, with what was asked for and what was found.
    fn new(kind: ErrorKind, position: usize, expected: u64, actual: u64) -> Self;
}

impl Fault for Error {
    const EXPLAINS: bool = true;

    #[cold]
    fn new(kind: ErrorKind, position: usize, expected: u64, actual: u64) -> Self {
        Error::at(kind, position).values(expected, actual)
    }
}

/// Some fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unexplained;

impl Fault for Unexplained {
    const EXPLAINS: bool = false;

    #[inline(always)]
    fn new(_: ErrorKind, _: usize, _: u64, _: u64) -> Self {
        Unexplained
    }
}

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

    /// A fault at the cursor.
    #[inline(always)]
    pub(crate) fn fail<F: Fault>(&self, kind: ErrorKind) -> F {
        self.fail_with(kind, 0, 0)
    }

    /// A fault at the cursor, with numbers.
    #[inline(always)]
    pub(crate) fn fail_with<F: Fault>(&self, kind: ErrorKind, expected: u64, actual: u64) -> F {
        F::new(kind, self.position(), expected, actual)
    }

    /// A cursor over the next `len` bytes at most.
    #[inline(always)]
    pub(crate) fn head(&self, len: usize) -> Cursor<'a> {
        let head = self.rest.get(..len).unwrap_or(self.rest);
        Cursor { rest: head, end: self.position().wrapping_add(head.len()) }
    }

    /// Goes on behind the next `len` bytes, or to the end.
    #[inline(always)]
    pub(crate) fn skip(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    /// The next `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(head)
    }

    #[inline(always)]
    fn array<const N: usize, F: Fault>(&mut self) -> Result<[u8; N], F> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(self.fail(ErrorKind::Truncated)),
        }
    }

    #[inline(always)]
    pub(crate) fn i8<F: Fault>(&mut self) -> Result<i8, F> {
        self.array().map(i8::from_be_bytes)
    }

    #[inline]
    pub(crate) fn i32<F: Fault>(&mut self) -> Result<i32, F> {
        self.array().map(i32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u32<F: Fault>(&mut self) -> Result<u32, F> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn i64<F: Fault>(&mut self) -> Result<i64, F> {
        self.array().map(i64::from_be_bytes)
    }

    #[inline(always)]
    pub(crate) fn varint<F: Fault>(&mut self) -> Result<i32, F> {
        match varint::read_varint(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(kind) => Err(self.fail(kind)),
        }
    }

    #[inline(always)]
    pub(crate) fn varlong<F: Fault>(&mut self) -> Result<i64, F> {
        match varint::read_varlong(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(kind) => Err(self.fail(kind)),
        }
    }

    /// An unsigned 32-bit varint.
    #[inline(always)]
    fn uvarint<F: Fault>(&mut self) -> Result<u32, F> {
        match varint::read_uvarint(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(kind) => Err(self.fail(kind)),
        }
    }

    /// The length of a record, which must be there.
    #[inline(always)]
    pub(crate) fn record_length<F: Fault>(&mut self) -> Result<usize, F> {
        let before = *self;
        let raw = self.uvarint()?;
        let length = raw.wrapping_shr(1) as usize;
        // The lowest bit of the zigzag form is the sign.
        if raw & 1 != 0 || length > self.remaining() {
            let found = i64::from(varint::unzigzag(raw)).cast_unsigned();
            return Err(before.fail_with(ErrorKind::RecordLength, self.remaining() as u64, found));
        }
        Ok(length)
    }

    /// A field whose length comes first as a varint; −1 is null.
    #[inline(always)]
    pub(crate) fn field<F: Fault>(&mut self) -> Result<Span, F> {
        let before = *self;
        let raw = self.uvarint()?;
        let pos = self.position32();
        // The lowest bit of the zigzag form is the sign, and 1 stands for −1.
        if raw & 1 == 0 {
            let len = raw.wrapping_shr(1);
            if self.take(len as usize).is_some() {
                return Ok(Span { pos, len: len.cast_signed() });
            }
        } else if raw == 1 {
            return Ok(Span { pos, len: -1 });
        }
        Err(before.length_fault(varint::unzigzag(raw), self.remaining()))
    }

    /// A field whose length comes first as a 32-bit integer; −1 is null.
    pub(crate) fn field32<F: Fault>(&mut self) -> Result<Span, F> {
        let before = *self;
        let len = self.i32()?;
        let pos = self.position32();
        let bytes = usize::try_from(len).ok().and_then(|size| self.take(size));
        if bytes.is_none() && len != -1 {
            return Err(before.length_fault(len, self.remaining()));
        }
        Ok(Span { pos, len })
    }

    /// The number of headers, which are at least 2 bytes each.
    #[inline(always)]
    pub(crate) fn header_count<F: Fault>(&mut self) -> Result<u32, F> {
        let before = *self;
        let raw = self.uvarint()?;
        let (count, most) = (raw.wrapping_shr(1), self.remaining() / MIN_HEADER);
        if raw & 1 != 0 || count as usize > most {
            let found = i64::from(varint::unzigzag(raw)).cast_unsigned();
            return Err(before.fail_with(ErrorKind::HeaderCount, most as u64, found));
        }
        Ok(count)
    }

    /// A header key: as [`field`](Self::field), but null is not allowed.
    #[inline(always)]
    pub(crate) fn header_key<F: Fault>(&mut self) -> Result<Span, F> {
        let before = *self;
        let span = self.field()?;
        if span.len < 0 { Err(before.length_fault(span.len, before.remaining())) } else { Ok(span) }
    }

    /// `expected` is the most that would fit, `actual` the length found (as 64-bit two's complement).
    #[inline(always)]
    fn length_fault<F: Fault>(&self, len: i32, room: usize) -> F {
        self.fail_with(ErrorKind::FieldLength, room as u64, i64::from(len).cast_unsigned())
    }
}
