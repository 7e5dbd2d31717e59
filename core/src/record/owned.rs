//! The owned form: records that keep their buffer alive.

use bytes::Bytes;

use crate::cursor::Span;
use crate::error::Error;
use crate::record::batches::Tail;
use crate::record::decoder::Decoder;
use crate::record::payload::DecodeOptions;
use crate::record::rows::{BatchRow, HeaderRow, RecordRow};

/// Decoded records over `bytes::Bytes`, to be kept and sent elsewhere.
///
/// Nothing is copied: keys, values and headers of uncompressed batches are slices of the buffer that was
/// given, those of compressed ones of one buffer that was decompressed into.
///
/// ```
/// use kcodec::{DecodeOptions, OwnedRecords};
///
/// # let segment = std::fs::read("../vectors/segments/java_zstd-0.log")?;
/// let records = OwnedRecords::decode(segment.into(), DecodeOptions::default())?;
/// let values: Vec<bytes::Bytes> = records.iter().filter_map(|record| record.value).collect();
/// std::thread::spawn(move || drop(values));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnedRecords {
    segments: alloc::vec::Vec<Bytes>,
    batches: alloc::vec::Vec<BatchRow>,
    records: alloc::vec::Vec<RecordRow>,
    headers: alloc::vec::Vec<HeaderRow>,
    faults: alloc::vec::Vec<Error>,
    consumed: usize,
    tail: Tail,
}

/// A record that keeps its buffer alive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnedRecord {
    /// Absolute offset.
    pub offset: i64,
    /// Milliseconds since the epoch, −1 for none. Log-append time is already applied.
    pub timestamp: i64,
    /// Null is `None`.
    pub key: Option<Bytes>,
    /// Null is `None`.
    pub value: Option<Bytes>,
    headers: Range,
    segment: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    first: u32,
    count: u32,
}

impl OwnedRecords {
    /// Decodes all whole batches of `input`.
    ///
    /// # Errors
    /// As [`Decoder::decode`].
    pub fn decode(input: Bytes, options: DecodeOptions) -> Result<Self, Error> {
        let mut decoder = Decoder::new(options);
        decoder.decode(&input)?;
        Ok(decoder.into_owned(input))
    }

    /// One row a batch, in the order of the input.
    #[must_use]
    pub fn batches(&self) -> &[BatchRow] {
        &self.batches
    }

    /// The batches that could not be read, and why; only with `keep_going`.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }

    /// Bytes of whole batches.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    /// What follows the last whole batch.
    #[must_use]
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// The raw bytes of a batch.
    #[must_use]
    pub fn raw(&self, batch: &BatchRow) -> Option<Bytes> {
        self.slice(0, Span { pos: batch.position, len: i32::try_from(batch.length).ok()? })
    }

    /// The records of a batch.
    pub fn records<'r>(
        &'r self,
        batch: &BatchRow,
    ) -> impl ExactSizeIterator<Item = OwnedRecord> + use<'r> {
        let from = self.records.get(batch.first_record as usize..).unwrap_or_default();
        let rows = from.get(..batch.record_count as usize).unwrap_or_default();
        let segment = batch.segment;
        rows.iter().map(move |row| self.record(segment, row))
    }

    /// All records that an application may see: those of control batches left out.
    pub fn iter(&self) -> impl Iterator<Item = OwnedRecord> + '_ {
        let data = self.batches.iter().filter(|batch| !batch.is_control());
        data.flat_map(|batch| self.records(batch))
    }

    /// The headers of a record, in the order of the wire.
    pub fn headers<'r>(
        &'r self,
        record: &OwnedRecord,
    ) -> impl ExactSizeIterator<Item = (Bytes, Option<Bytes>)> + use<'r> {
        let from = self.headers.get(record.headers.first as usize..).unwrap_or_default();
        let rows = from.get(..record.headers.count as usize).unwrap_or_default();
        let segment = record.segment;
        rows.iter().map(move |row| {
            let key = self.slice(segment, row.key()).unwrap_or_default();
            (key, self.slice(segment, row.value()))
        })
    }

    fn record(&self, segment: u32, row: &RecordRow) -> OwnedRecord {
        OwnedRecord {
            offset: row.offset,
            timestamp: row.timestamp,
            key: self.slice(segment, row.key()),
            value: self.slice(segment, row.value()),
            headers: Range { first: row.first_header, count: row.header_count },
            segment,
        }
    }

    fn slice(&self, segment: u32, span: Span) -> Option<Bytes> {
        let bytes = self.segments.get(segment as usize)?;
        let from = span.pos as usize;
        let to = from.checked_add(usize::try_from(span.len).ok()?)?;
        (to <= bytes.len()).then(|| bytes.slice(from..to))
    }
}

impl Decoder {
    /// Turns what was decoded from `input` into its owned form.
    fn into_owned(self, input: Bytes) -> OwnedRecords {
        let (scratch, tables, ranges, faults, consumed, tail) = self.into_parts();
        let payloads = Bytes::from(scratch.into_payloads());
        let mut segments = alloc::vec::Vec::with_capacity(ranges.len().saturating_add(1));
        segments.push(input);
        segments.extend(ranges.iter().map(|range| {
            let end = range.end.min(payloads.len());
            payloads.slice(range.start.min(end)..end)
        }));
        OwnedRecords {
            segments,
            batches: tables.batches,
            records: tables.records.into_rows(),
            headers: tables.headers.into_rows(),
            faults,
            consumed,
            tail,
        }
    }
}
