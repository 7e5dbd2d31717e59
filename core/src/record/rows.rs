//! The flat form: tables of fixed-width rows with positions instead of pointers.
//!
//! One layout serves every language. A row's positions count from the start of a *segment*: segment 0 is
//! the caller's input, the others are decompressed payloads. A length of −1 is null. The same rows are what
//! an encoder takes. Their layout never changes within an ABI number; a new datum comes as a new table.

use crate::compression::Codec;
use crate::cursor::Span;
use crate::error::Error;
use crate::record::batch::{Batch, TimestampType, sequence_after};
use crate::record::batches::Tail;
use crate::record::control::ControlType;
use crate::record::layout;
use crate::record::record::{Headers, Record, slice};

/// A batch or message. 88 bytes, no pointers, no padding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct BatchRow {
    /// As written: the first offset of a record batch, a message's own offset. A wrapper message carries
    /// the offset of its *last* message; with [`OFFSETS_UNASSIGNED`](Self::OFFSETS_UNASSIGNED) it is 0.
    pub base_offset: i64,
    /// As written; a message's timestamp; −1 for magic 0.
    pub base_timestamp: i64,
    /// As written; a message's timestamp; −1 for magic 0.
    pub max_timestamp: i64,
    /// −1 for none.
    pub producer_id: i64,
    /// Where the raw batch starts in segment 0, to be forwarded untouched.
    pub position: u32,
    /// Its bytes, the 12 before the end of the length field included.
    pub length: u32,
    /// The segment that the positions of its records count in.
    pub segment: u32,
    /// Its first row in the table of records.
    pub first_record: u32,
    /// Its number of rows there.
    pub record_count: u32,
    /// The count as written; −1 for messages.
    pub declared_count: i32,
    /// As written. For messages 0, or with unassigned offsets the last one inside.
    pub last_offset_delta: i32,
    /// −1 for none.
    pub leader_epoch: i32,
    /// −1 for none.
    pub base_sequence: i32,
    /// As written.
    pub crc: u32,
    /// 0, or the number of the error that left the batch without records.
    pub status: i32,
    /// −1 for none.
    pub producer_epoch: i16,
    /// As written, unknown bits included.
    pub attributes: i16,
    /// 0, 1 or 2; any other value comes with a status.
    pub magic: i8,
    /// The low three bits of the attributes; 5 to 7 come with a status.
    pub codec: i8,
    /// [`CRC_VERIFIED`](Self::CRC_VERIFIED) and [`OFFSETS_UNASSIGNED`](Self::OFFSETS_UNASSIGNED).
    pub flags: u8,
    /// Zeros.
    pub reserved: [u8; 5],
}

impl BatchRow {
    /// Flag: the checksum was compared and is right.
    pub const CRC_VERIFIED: u8 = 1;
    /// Flag: the offsets in this wrapper are as its producer stored them.
    pub const OFFSETS_UNASSIGNED: u8 = 2;

    /// The row of a batch whose records were not read: what a scan over headers tells.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "an input has at most 2^31-1 bytes")]
    pub fn of(batch: &Batch<'_>) -> Self {
        BatchRow {
            base_offset: batch.base_offset(),
            base_timestamp: batch.base_timestamp(),
            max_timestamp: batch.max_timestamp(),
            producer_id: batch.producer_id(),
            position: batch.position() as u32,
            length: batch.size() as u32,
            declared_count: batch.declared_count(),
            last_offset_delta: batch.last_offset_delta(),
            leader_epoch: batch.leader_epoch(),
            base_sequence: batch.base_sequence(),
            crc: batch.crc(),
            producer_epoch: batch.producer_epoch(),
            attributes: batch.attributes(),
            magic: batch.magic(),
            codec: batch.codec_number().cast_signed(),
            ..BatchRow::default()
        }
    }

    /// Notes that a wrapper's offsets are not assigned yet and end with `last`.
    pub(crate) fn assume_offsets(&mut self, last: Option<i64>) {
        if let Some(last) = last {
            self.flags |= Self::OFFSETS_UNASSIGNED;
            self.last_offset_delta = i32::try_from(last).unwrap_or(i32::MAX);
        }
    }

    /// The offset to fetch next, whatever became of the batch's records.
    #[must_use]
    pub fn next_offset(&self) -> i64 {
        self.last_offset().saturating_add(1)
    }

    /// The last offset that the batch covers.
    #[must_use]
    pub fn last_offset(&self) -> i64 {
        self.base_offset.saturating_add(i64::from(self.last_offset_delta))
    }

    /// The sequence number of the last record, −1 without one.
    #[must_use]
    pub fn last_sequence(&self) -> i32 {
        sequence_after(self.base_sequence, self.last_offset_delta)
    }

    /// Whether its records are control records.
    #[must_use]
    pub fn is_control(&self) -> bool {
        self.magic == 2 && self.attributes & layout::CONTROL != 0
    }

    /// Whether the batch belongs to a transaction.
    #[must_use]
    pub fn is_transactional(&self) -> bool {
        self.magic == 2 && self.attributes & layout::TRANSACTIONAL != 0
    }

    /// Whose clock the timestamps are from.
    #[must_use]
    pub fn timestamp_type(&self) -> TimestampType {
        match self.magic {
            0 => TimestampType::None,
            _ if self.attributes & layout::LOG_APPEND_TIME != 0 => TimestampType::LogAppendTime,
            _ => TimestampType::CreateTime,
        }
    }

    /// The codec, if it is one that Kafka defines.
    #[must_use]
    pub fn codec(&self) -> Option<Codec> {
        Codec::from_number(self.codec.cast_unsigned())
    }
}

/// A record. 40 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct RecordRow {
    /// Absolute.
    pub offset: i64,
    /// Milliseconds since the epoch, −1 for none; log-append time is already applied.
    pub timestamp: i64,
    /// Where the key starts in the segment of the batch.
    pub key_pos: u32,
    /// Bytes of the key, −1 for null.
    pub key_len: i32,
    /// Where the value starts.
    pub value_pos: u32,
    /// Bytes of the value, −1 for null.
    pub value_len: i32,
    /// Its first row in the table of headers.
    pub first_header: u32,
    /// Its number of rows there.
    pub header_count: u32,
}

/// A record header. 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct HeaderRow {
    /// Where the key starts in the segment of the batch.
    pub key_pos: u32,
    /// Bytes of the key, never null.
    pub key_len: i32,
    /// Where the value starts.
    pub value_pos: u32,
    /// Bytes of the value, −1 for null.
    pub value_len: i32,
}

impl RecordRow {
    pub(crate) fn key(&self) -> Span {
        Span { pos: self.key_pos, len: self.key_len }
    }
    pub(crate) fn value(&self) -> Span {
        Span { pos: self.value_pos, len: self.value_len }
    }
}

impl HeaderRow {
    pub(crate) fn key(&self) -> Span {
        Span { pos: self.key_pos, len: self.key_len }
    }
    pub(crate) fn value(&self) -> Span {
        Span { pos: self.value_pos, len: self.value_len }
    }
}

/// Where a payload starts and ends among all payloads of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What one call decoded: a view of the input and of the decoder's tables.
///
/// ```
/// # let segment = std::fs::read("../vectors/segments/java_gzip-0.log")?;
/// let mut decoder = kcodec::Decoder::default();
/// let records = decoder.decode(&segment)?;
/// for batch in records.batches() {
///     for row in records.rows(batch) {
///         let record = records.record(batch, row);
///         println!("{} {:?}", record.offset, record.value);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Records<'a> {
    pub(crate) input: &'a [u8],
    pub(crate) payloads: &'a [u8],
    pub(crate) segments: &'a [Segment],
    pub(crate) batches: &'a [BatchRow],
    pub(crate) records: &'a [RecordRow],
    pub(crate) headers: &'a [HeaderRow],
    pub(crate) faults: &'a [Error],
    pub(crate) consumed: usize,
    pub(crate) tail: Tail,
}

impl<'a> Records<'a> {
    /// One row a batch, in the order of the input.
    #[must_use]
    pub fn batches(&self) -> &'a [BatchRow] {
        self.batches
    }

    /// One row a record of any batch.
    #[must_use]
    pub fn records(&self) -> &'a [RecordRow] {
        self.records
    }

    /// One row a header of any record.
    #[must_use]
    pub fn headers(&self) -> &'a [HeaderRow] {
        self.headers
    }

    /// How many segments there are, the input included.
    #[must_use]
    pub fn segment_count(&self) -> usize {
        self.segments.len().saturating_add(1)
    }

    /// The bytes of a segment: 0 is the input. Empty for a number that is out of range.
    #[must_use]
    pub fn segment(&self, index: u32) -> &'a [u8] {
        match (index as usize).checked_sub(1) {
            None => self.input,
            Some(index) => self
                .segments
                .get(index)
                .and_then(|segment| self.payloads.get(segment.start..segment.end))
                .unwrap_or_default(),
        }
    }

    /// The batches that could not be read, and why; only with `keep_going`.
    #[must_use]
    pub fn faults(&self) -> &'a [Error] {
        self.faults
    }

    /// Bytes of whole batches. Less than the input when a tail is left.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    /// What follows the last whole batch.
    #[must_use]
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// The rows of a batch's records.
    #[must_use]
    pub fn rows(&self, batch: &BatchRow) -> &'a [RecordRow] {
        let from = batch.first_record as usize;
        let rows = self.records.get(from..).unwrap_or_default();
        rows.get(..batch.record_count as usize).unwrap_or_default()
    }

    /// A record of a batch, with its bytes.
    #[must_use]
    pub fn record(&self, batch: &BatchRow, row: &RecordRow) -> Record<'a> {
        self.record_in(self.segment(batch.segment), row)
    }

    #[inline]
    fn record_in(&self, segment: &'a [u8], row: &RecordRow) -> Record<'a> {
        let headers = self.headers.get(row.first_header as usize..).unwrap_or_default();
        let headers = headers.get(..row.header_count as usize).unwrap_or_default();
        Record {
            offset: row.offset,
            timestamp: row.timestamp,
            key: slice(segment, row.key()),
            value: slice(segment, row.value()),
            headers: Headers::rows(segment, headers),
        }
    }

    /// All records that an application may see: those of control batches left out.
    pub fn iter(&self) -> impl Iterator<Item = Record<'a>> + use<'a> {
        let view = *self;
        let data = self.batches.iter().filter(|batch| !batch.is_control());
        data.flat_map(move |batch| {
            let segment = view.segment(batch.segment);
            view.rows(batch).iter().map(move |row| view.record_in(segment, row))
        })
    }

    /// The type of a control record.
    #[must_use]
    pub fn control_type(&self, batch: &BatchRow, row: &RecordRow) -> Option<ControlType> {
        let key = batch.is_control().then(|| slice(self.segment(batch.segment), row.key()))?;
        ControlType::of_key(key)
    }

    /// The offset to fetch next: after the last batch. `None` when there is no whole batch.
    #[must_use]
    pub fn next_offset(&self) -> Option<i64> {
        self.batches.last().map(BatchRow::next_offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_sizes_of_the_abi() {
        assert_eq!(size_of::<BatchRow>(), 88);
        assert_eq!(size_of::<RecordRow>(), 40);
        assert_eq!(size_of::<HeaderRow>(), 16);
    }
}
