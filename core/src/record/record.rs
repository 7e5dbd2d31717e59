//! One record of a record batch (magic 2), and its headers.
//!
//! ```text
//! length            varint    bytes after this field
//! attributes        int8      not used
//! timestamp delta   varlong   from the base timestamp, may be negative
//! offset delta      varint    from the base offset
//! key length, key   varint    −1 is null
//! value length, value         −1 is null
//! header count      varint
//! headers           key length (not null), key, value length, value
//! ```
//!
//! There is one reader, [`Fields::read`]. What becomes of the headers is the caller's: a [`HeaderSink`]
//! takes rows of them, or nothing where the borrowed form will read them again on demand.

use crate::cursor::{Cursor, Fault, Span, Unexplained};
use crate::error::ErrorKind;
use crate::record::rows::HeaderRow;

/// What one record says, with positions instead of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) timestamp_delta: i64,
    pub(crate) offset_delta: i32,
    pub(crate) key: Span,
    pub(crate) value: Span,
    pub(crate) header_count: u32,
}

/// Takes the headers of a record as they are read.
pub(crate) trait HeaderSink {
    /// Announces that `count` headers follow, which is bounded by the bytes left.
    fn begin<F: Fault>(&mut self, count: u32) -> Result<(), F>;
    /// Takes one.
    fn header(&mut self, key: Span, value: Span);
}

/// Checks headers and keeps none.
pub(crate) struct NoHeaders;

impl HeaderSink for NoHeaders {
    #[inline(always)]
    fn begin<F: Fault>(&mut self, _: u32) -> Result<(), F> {
        Ok(())
    }
    #[inline(always)]
    fn header(&mut self, _: Span, _: Span) {}
}

/// A record read as far as its value, on the way to [`Fields`] or an [`Outline`].
struct Start<'a> {
    /// What comes after the value.
    body: Cursor<'a>,
    /// How many bytes are left of `body` where the record ends.
    end: usize,
    /// Bytes of the record after its length field.
    length: usize,
    timestamp_delta: i64,
    offset_delta: i32,
    key: Span,
    value: Span,
}

impl<'a> Start<'a> {
    /// Reads behind the record's length, which is then behind `cursor`.
    #[inline(always)]
    fn read<F: Fault>(cursor: &mut Cursor<'a>) -> Result<Self, F> {
        let length = cursor.record_length()?;
        let after = cursor.remaining().wrapping_sub(length);
        // To explain a fault, fields must be kept within their record. To find that there is none, it does
        // to see that the last one ends where the record does.
        let mut body = if F::EXPLAINS { cursor.head(length) } else { *cursor };
        let end = if F::EXPLAINS { 0 } else { after };
        body.i8()?;
        let timestamp_delta = body.varlong()?;
        let offset_delta = body.varint()?;
        let key = body.field()?;
        let value = body.field()?;
        Ok(Start { body, end, length, timestamp_delta, offset_delta, key, value })
    }
}

impl Fields {
    /// Reads one record, which must take exactly the bytes that its length says. Also returns the bytes of
    /// its headers.
    #[inline(always)]
    pub(crate) fn read<'a, F: Fault>(
        cursor: &mut Cursor<'a>,
        headers: &mut impl HeaderSink,
    ) -> Result<(Fields, &'a [u8]), F> {
        let start = Start::read(cursor)?;
        let Start { mut body, end, length, timestamp_delta, offset_delta, key, value } = start;
        let header_count = body.header_count()?;
        let header_bytes = body.rest();
        if header_count != 0 {
            headers.begin(header_count)?;
            for _ in 0..header_count {
                let key = body.header_key()?;
                let value = body.field()?;
                headers.header(key, value);
            }
        }
        if body.remaining() != end {
            return Err(body.fail_with(ErrorKind::RecordLength, 0, body.remaining() as u64));
        }
        cursor.skip(length);
        Ok((Fields { timestamp_delta, offset_delta, key, value, header_count }, header_bytes))
    }
}

/// What a record is about, without its key, value and headers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) timestamp_delta: i64,
    pub(crate) offset_delta: i32,
    pub(crate) key_len: i32,
    pub(crate) value_len: i32,
    pub(crate) size: usize,
}

impl Outline {
    /// Reads a record as far as its value length and jumps over the rest, which is not looked at.
    #[inline(always)]
    pub(crate) fn read<F: Fault>(cursor: &mut Cursor<'_>) -> Result<Outline, F> {
        let before = cursor.remaining();
        let start = Start::read(cursor)?;
        if start.body.remaining() < start.end {
            return Err(start.body.fail(ErrorKind::RecordLength));
        }
        cursor.skip(start.length);
        Ok(Outline {
            timestamp_delta: start.timestamp_delta,
            offset_delta: start.offset_delta,
            key_len: start.key.len,
            value_len: start.value.len,
            size: before.wrapping_sub(cursor.remaining()),
        })
    }
}

/// A record inside a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// Absolute offset.
    pub offset: i64,
    /// Milliseconds since the epoch, −1 for none. Log-append time is already applied.
    pub timestamp: i64,
    /// Null is `None`; an empty key is not.
    pub key: Option<&'a [u8]>,
    /// Null (a tombstone) is `None`; an empty value is not.
    pub value: Option<&'a [u8]>,
    /// In the order of the wire, duplicates kept.
    pub headers: Headers<'a>,
}

/// The headers of a record, read as the iterator goes. They were checked when the record was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a> {
    /// The headers as on the wire, or the segment that `rows` point into.
    bytes: &'a [u8],
    rows: Option<&'a [HeaderRow]>,
    count: u32,
}

impl<'a> Headers<'a> {
    pub(crate) fn wire(bytes: &'a [u8], count: u32) -> Self {
        Headers { bytes, rows: None, count }
    }

    #[allow(clippy::cast_possible_truncation, reason = "a record has at most 2^31-1 headers")]
    pub(crate) fn rows(segment: &'a [u8], rows: &'a [HeaderRow]) -> Self {
        Headers { bytes: segment, rows: Some(rows), count: rows.len() as u32 }
    }
}

impl PartialEq for Headers<'_> {
    fn eq(&self, other: &Self) -> bool {
        Iterator::eq(*self, *other)
    }
}

impl Eq for Headers<'_> {}

/// A record header. The key is text by convention only: it is bytes, as the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header<'a> {
    /// Never null.
    pub key: &'a [u8],
    /// Null is `None`.
    pub value: Option<&'a [u8]>,
}

impl<'a> Iterator for Headers<'a> {
    type Item = Header<'a>;

    #[inline]
    fn next(&mut self) -> Option<Header<'a>> {
        self.count = self.count.checked_sub(1)?;
        let (key, value) = match &mut self.rows {
            Some(rows) => {
                let (row, rest) = rows.split_first()?;
                *rows = rest;
                (slice(self.bytes, row.key())?, slice(self.bytes, row.value()))
            }
            None => {
                let mut cursor = Cursor::new(self.bytes, 0);
                let key = cursor.header_key::<Unexplained>().ok()?;
                let value = cursor.field::<Unexplained>().ok()?;
                let header = (slice(self.bytes, key)?, slice(self.bytes, value));
                self.bytes = cursor.rest();
                header
            }
        };
        Some(Header { key, value })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count as usize, Some(self.count as usize))
    }
}

impl ExactSizeIterator for Headers<'_> {}

/// The bytes of a span; null, and a span outside of `segment`, is `None`.
#[inline(always)]
pub(crate) fn slice(segment: &[u8], span: Span) -> Option<&[u8]> {
    let from = span.pos as usize;
    let to = from.checked_add(usize::try_from(span.len).ok()?)?;
    segment.get(from..to)
}
