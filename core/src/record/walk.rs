//! Walking the records of one batch: the engine under the tables, the iterators and validation.

use crate::checksum::Crc32c;
use crate::compression::Codec;
use crate::cursor::Cursor;
use crate::error::{Error, ErrorKind};
use crate::record::batch::Batch;
use crate::record::control::ControlType;
use crate::record::layout;
use crate::record::record::{Fields, HeaderSink, Outline, slice};

/// Bytes of a batch that are checksummed ahead of the walk: they are still in the first-level cache when
/// the walk reaches them, so that memory is read once for both.
const PIECE: usize = 16 * 1024;
/// The part of the header that the checksum covers.
const HEADER: usize = layout::RECORDS - layout::ATTRIBUTES;

/// What the header of a batch says about every record in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases {
    offset: i64,
    timestamp: i64,
    append_time: Option<i64>,
    control: bool,
}

impl Bases {
    pub(crate) fn of(batch: &Batch<'_>) -> Self {
        let appended = batch.attributes() & layout::LOG_APPEND_TIME != 0;
        Bases {
            offset: batch.base_offset(),
            timestamp: batch.base_timestamp(),
            append_time: appended.then(|| batch.max_timestamp()),
            control: batch.is_control(),
        }
    }

    #[inline(always)]
    pub(crate) fn timestamp(&self, delta: i64) -> i64 {
        match self.append_time {
            Some(time) => time,
            // Kafka adds with wrap-around as well; deltas come from the same subtraction.
            None => self.timestamp.wrapping_add(delta),
        }
    }

    #[inline(always)]
    fn offset(&self, delta: i32) -> Option<i64> {
        self.offset.checked_add(i64::from(delta))
    }
}

/// A record's absolute offset, its fields, and the bytes of its headers.
pub(crate) type Found<'a> = (i64, Fields, &'a [u8]);

/// The records of a batch still to be read. Positions count from the start of its payload: the bytes after
/// the header, or what they decompress to.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a> {
    payload: &'a [u8],
    cursor: Cursor<'a>,
    pub(crate) bases: Bases,
    left: u32,
}

impl<'a> Walk<'a> {
    /// Starts at the first record.
    ///
    /// # Errors
    /// A count that so few bytes cannot hold.
    pub(crate) fn new(batch: &Batch<'_>, payload: &'a [u8]) -> Result<Self, Error> {
        let most = payload.len() / layout::MIN_RECORD;
        let left = u32::try_from(batch.declared_count()).ok();
        let Some(left) = left.filter(|count| *count as usize <= most) else {
            return Err(batch.count_fault(most as u64));
        };
        Ok(Walk { payload, cursor: Cursor::new(payload, 0), bases: Bases::of(batch), left })
    }

    /// Where the next record starts.
    #[inline(always)]
    pub(crate) fn position(&self) -> usize {
        self.cursor.position()
    }

    pub(crate) fn payload(&self) -> &'a [u8] {
        self.payload
    }

    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// The next record with its absolute offset and its header bytes. `None` after the last one, once it
    /// is certain that nothing follows it.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        headers: &mut impl HeaderSink,
    ) -> Result<Option<Found<'a>>, Error> {
        if self.left == 0 {
            self.finish()?;
            return Ok(None);
        }
        let before = self.cursor;
        let (fields, header_bytes) = Fields::read(&mut self.cursor, headers)?;
        let offset = self.offset(&before, fields.offset_delta)?;
        if self.bases.control {
            self.check_control(&before, &fields)?;
        }
        self.left = self.left.wrapping_sub(1);
        Ok(Some((offset, fields, header_bytes)))
    }

    /// The next record's outline, as [`next`](Self::next).
    #[inline(always)]
    pub(crate) fn next_outline(&mut self) -> Result<Option<(i64, Outline)>, Error> {
        if self.left == 0 {
            self.finish()?;
            return Ok(None);
        }
        let before = self.cursor;
        let outline = Outline::read(&mut self.cursor)?;
        let offset = self.offset(&before, outline.offset_delta)?;
        self.left = self.left.wrapping_sub(1);
        Ok(Some((offset, outline)))
    }

    #[inline(always)]
    fn offset(&self, before: &Cursor<'_>, delta: i32) -> Result<i64, Error> {
        self.bases.offset(delta).ok_or_else(|| before.fail(ErrorKind::OffsetOverflow))
    }

    #[cold]
    fn check_control(&self, before: &Cursor<'_>, fields: &Fields) -> Result<(), Error> {
        match ControlType::of_key(slice(self.payload, fields.key)) {
            Some(_) => Ok(()),
            None => Err(before.fail(ErrorKind::ControlRecord)),
        }
    }

    fn finish(&self) -> Result<(), Error> {
        if self.cursor.is_empty() {
            return Ok(());
        }
        Err(self.cursor.fail(ErrorKind::TrailingBytes).values(0, self.cursor.remaining() as u64))
    }
}

/// Completes an error of a walk over the payload of `batch` with the record it is about.
#[cold]
pub(crate) fn place(batch: &Batch<'_>, codec: Codec, record: u32, error: Error) -> Error {
    let error = match error.kind() {
        // Has its place in the header already.
        ErrorKind::RecordCount => return error.in_codec(codec),
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

    /// Whether everything is checksummed.
    pub(crate) fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    /// The checksum of what is covered.
    pub(crate) fn value(&self) -> u32 {
        self.crc.value()
    }

    /// Covers at least the byte at `position`, if there is one.
    #[inline(always)]
    pub(crate) fn cover(&mut self, position: usize) {
        while position >= self.covered {
            self.advance();
        }
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
