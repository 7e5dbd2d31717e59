//! Walking the records of one batch: the engine under the tables, the iterators and validation.

use crate::checksum::Crc32c;
use crate::compression::Codec;
use crate::cursor::{Cursor, Fault, Unexplained};
use crate::error::{Error, ErrorKind};
use crate::record::batch::Batch;
use crate::record::control::ControlType;
use crate::record::layout;
use crate::record::quick::read::Place;
use crate::record::record::{Fields, HeaderSink, Outline, slice};

/// Bytes of a batch that are checksummed at a time, ahead of the walk: they are still in a cache when the
/// walk reaches them, so that memory is read once for both.
pub(crate) const PIECE: usize = 64 * 1024;
/// Bytes before the end of what is checksummed where the next piece is: more than most records have.
const MARGIN: usize = PIECE / 16;
/// The part of the header that the checksum covers.
const HEADER: usize = layout::RECORDS - layout::ATTRIBUTES;

/// What the header of a batch says about every record in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases {
    pub(crate) base_offset: i64,
    timestamp: i64,
    /// 0 where deltas do not count, as all records have the append time; else all ones.
    delta_mask: i64,
    pub(crate) control: bool,
}

impl Bases {
    pub(crate) fn of(batch: &Batch<'_>) -> Self {
        let appended = batch.attributes() & layout::LOG_APPEND_TIME != 0;
        Bases {
            base_offset: batch.base_offset(),
            timestamp: if appended { batch.max_timestamp() } else { batch.base_timestamp() },
            delta_mask: if appended { 0 } else { -1 },
            control: batch.is_control(),
        }
    }

    #[inline(always)]
    pub(crate) fn timestamp(&self, delta: i64) -> i64 {
        // Kafka adds with wrap-around as well; deltas come from the same subtraction.
        self.timestamp.wrapping_add(delta & self.delta_mask)
    }

    #[inline(always)]
    pub(crate) fn offset(&self, delta: i32) -> Option<i64> {
        self.base_offset.checked_add(i64::from(delta))
    }
}

/// A record's absolute offset, its fields, and the bytes of its headers.
pub(crate) type Found<'a> = (i64, Fields, &'a [u8]);

/// The records of a batch still to be read. Positions count from the start of its payload: the bytes after
/// the header, or what they decompress to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a> {
    payload: &'a [u8],
    cursor: Cursor<'a>,
    pub(crate) bases: Bases,
    left: u32,
    /// How many records there are, if their offsets follow one another from the base offset on, as far as
    /// the header tells.
    consecutive: Option<u32>,
}

impl<'a> Walk<'a> {
    /// Starts at the first record.
    pub(crate) fn new(batch: &Batch<'_>, payload: &'a [u8]) -> Self {
        let left = u32::try_from(batch.declared_count()).unwrap_or(0);
        let bases = Bases::of(batch);
        let count = batch.declared_count();
        let covers_as_many = batch.last_offset_delta().checked_add(1) == Some(count);
        let consecutive = (covers_as_many && bases.offset(count).is_some()).then_some(left);
        Walk { payload, cursor: Cursor::new(payload, 0), bases, left, consecutive }
    }

    /// Where the next record starts.
    #[inline(always)]
    pub(crate) fn position(&self) -> usize {
        self.cursor.position()
    }

    /// Where the walk is, for a reader that takes over from here, in a segment in which the payload starts
    /// at `start`.
    pub(crate) fn place(&self, start: usize) -> Place {
        Place {
            at: self.position().wrapping_add(start),
            left: self.left,
            delta: self.consecutive.map(|count| count.wrapping_sub(self.left)),
        }
    }

    /// Goes on where another reader left off.
    pub(crate) fn go_on(&mut self, start: usize, place: Place) {
        self.cursor.skip(place.at.wrapping_sub(start).wrapping_sub(self.position()));
        self.left = place.left;
    }

    pub(crate) fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// How many records there can be still: the declared count, as far as the bytes left can hold it.
    pub(crate) fn most_left(&self) -> u32 {
        let most = self.cursor.remaining() / layout::MIN_RECORD;
        u32::try_from(most).unwrap_or(u32::MAX).min(self.left)
    }

    /// The next record. `None` after the last one, once it is certain that nothing follows it.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        headers: &mut impl HeaderSink,
    ) -> Result<Option<Found<'a>>, Error> {
        if self.left == 0 {
            return self.finish().map(|()| None);
        }
        match self.attempt::<Unexplained>(headers) {
            Ok(found) => Ok(Some(found)),
            Err(Unexplained) => Err(self.explain(headers)),
        }
    }

    #[inline(always)]
    fn attempt<F: Fault>(&mut self, headers: &mut impl HeaderSink) -> Result<Found<'a>, F> {
        let mut cursor = self.cursor;
        let (fields, header_bytes) = Fields::read(&mut cursor, headers)?;
        let Some(offset) = self.bases.offset(fields.offset_delta) else {
            return Err(self.cursor.fail(ErrorKind::OffsetOverflow));
        };
        if self.bases.control && ControlType::of_key(slice(self.payload, fields.key)).is_none() {
            return Err(self.cursor.fail(ErrorKind::ControlRecord));
        }
        self.cursor = cursor;
        self.left = self.left.wrapping_sub(1);
        Ok((offset, fields, header_bytes))
    }

    /// Reads the next record again to say what is wrong with it. By value, so that the loop that this is
    /// not part of can keep a walk in registers.
    #[cold]
    #[inline(never)]
    fn explain(mut self, headers: &mut impl HeaderSink) -> Error {
        match self.check_some_left().and_then(|()| self.attempt(headers)) {
            Ok(_) => Error::new(ErrorKind::Internal),
            Err(error) => error,
        }
    }

    /// Bytes that end where a record does, before the declared count is reached, are sound; the count is not.
    fn check_some_left(&self) -> Result<(), Error> {
        if self.cursor.is_empty() {
            return Err(self.cursor.fail(ErrorKind::RecordCount));
        }
        Ok(())
    }

    /// The next record's outline, as [`next`](Self::next).
    #[inline(always)]
    pub(crate) fn next_outline(&mut self) -> Result<Option<(i64, Outline)>, Error> {
        if self.left == 0 {
            return self.finish().map(|()| None);
        }
        match self.attempt_outline::<Unexplained>() {
            Ok(found) => Ok(Some(found)),
            Err(Unexplained) => Err(self.explain_outline()),
        }
    }

    #[inline(always)]
    fn attempt_outline<F: Fault>(&mut self) -> Result<(i64, Outline), F> {
        let mut cursor = self.cursor;
        let outline = Outline::read(&mut cursor)?;
        let Some(offset) = self.bases.offset(outline.offset_delta) else {
            return Err(self.cursor.fail(ErrorKind::OffsetOverflow));
        };
        self.cursor = cursor;
        self.left = self.left.wrapping_sub(1);
        Ok((offset, outline))
    }

    #[cold]
    #[inline(never)]
    fn explain_outline(mut self) -> Error {
        match self.check_some_left().and_then(|()| self.attempt_outline()) {
            Ok(_) => Error::new(ErrorKind::Internal),
            Err(error) => error,
        }
    }

    #[cold]
    fn finish(self) -> Result<(), Error> {
        if self.cursor.is_empty() {
            return Ok(());
        }
        let left = self.cursor.remaining() as u64;
        Err(self.cursor.fail_with(ErrorKind::TrailingBytes, 0, left))
    }
}

/// Completes an error of a walk over the payload of `batch`, which failed at its `record`th record.
#[cold]
pub(crate) fn place(batch: &Batch<'_>, codec: Codec, record: u32, error: Error) -> Error {
    let error = match error.kind() {
        // The count stands in the header.
        ErrorKind::RecordCount => return batch.count_fault(u64::from(record)).in_codec(codec),
        ErrorKind::TrailingBytes => error,
        _ => error.in_record(record),
    };
    match codec {
        Codec::None => batch.fault(error.shifted(layout::RECORDS)),
        _ => batch.placed(error.in_codec(codec)),
    }
}

/// The checksum of an uncompressed batch, computed a piece ahead of the walk.
#[derive(Debug)]
pub(crate) struct AheadCrc<'a> {
    crc: Crc32c,
    left: &'a [u8],
    /// Position in the payload up to which the bytes are checksummed.
    covered: usize,
}

impl<'a> AheadCrc<'a> {
    pub(crate) fn new(batch: &Batch<'a>) -> Self {
        let (header, left) = batch.checksummed().split_at_checked(HEADER).unwrap_or_default();
        let mut crc = Crc32c::new();
        crc.update(header);
        let mut ahead = AheadCrc { crc, left, covered: 0 };
        ahead.advance();
        ahead
    }

    /// Covers the record at `position`, unless it is a long one, and says where what is covered ends.
    #[inline(always)]
    pub(crate) fn cover(&mut self, position: usize) -> usize {
        while position.saturating_add(MARGIN) >= self.covered {
            self.advance();
        }
        self.covered
    }

    #[inline(never)]
    fn advance(&mut self) {
        let (piece, left) = self.left.split_at_checked(PIECE).unwrap_or((self.left, &[]));
        self.crc.update(piece);
        self.left = left;
        self.covered =
            if left.is_empty() { usize::MAX } else { self.covered.saturating_add(piece.len()) };
    }

    /// Covers the rest and returns the checksum of it all.
    pub(crate) fn finish(mut self) -> u32 {
        self.crc.update(self.left);
        self.crc.value()
    }
}
