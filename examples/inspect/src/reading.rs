//! Reading one batch as far as anything is printed of it.
//!
//! A batch is walked once from end to end before any of its records is shown, so that a bad one shows
//! none. No table of the records is built: they stay in the bytes they came in, or in those that these
//! decompressed to, which the limits bound.

use kcodec::{
    Batch, Codec, ControlType, DecodeOptions, ErrorKind, Limits, RecordIter, Scratch, TimestampType,
};

use crate::fault::Fault;
use crate::frames::Placed;

/// Bytes of a record batch before its records.
const HEADER: u64 = 61;

/// A batch, as far as it could be read.
pub(crate) struct Reading<'a> {
    pub(crate) batch: Batch<'a>,
    pub(crate) position: u64,
    pub(crate) size: u64,
    /// Whether the header is one of a known format.
    pub(crate) header_known: bool,
    /// Whether the checksum is right; `None` where that is not known.
    pub(crate) crc_ok: Option<bool>,
    pub(crate) contents: Result<Contents<'a>, Fault>,
}

/// The records of a batch without a fault.
pub(crate) struct Contents<'a> {
    records: RecordIter<'a>,
    pub(crate) count: u64,
    pub(crate) first_offset: Option<i64>,
    /// What a control batch is for.
    pub(crate) control_type: Option<ControlType>,
}

impl<'a> Contents<'a> {
    fn of(batch: &Batch<'_>, records: RecordIter<'a>) -> Result<Self, kcodec::Error> {
        let (mut count, mut first_offset, mut control_type) = (0, None, None);
        for record in records.clone() {
            let record = record?;
            if count == 0 {
                first_offset = Some(record.offset);
                control_type = ControlType::of_key(record.key).filter(|_| batch.is_control());
            }
            count += 1;
        }
        Ok(Contents { records, count, first_offset, control_type })
    }

    /// The records, none of which is at fault.
    pub(crate) fn records(&self) -> impl Iterator<Item = kcodec::Record<'a>> + use<'a> {
        self.records.clone().map_while(Result::ok)
    }
}

impl Reading<'_> {
    /// How the records are compressed, where the number is that of a codec.
    pub(crate) fn codec(&self) -> Option<Codec> {
        self.batch.codec().ok().filter(|_| self.header_known)
    }

    /// The offset of the first record as far as it is known. Record batches have it in their header, also
    /// when compaction removed that record; a wrapper's header has the last one instead.
    pub(crate) fn base_offset(&self) -> Option<i64> {
        match &self.contents {
            _ if !self.header_known => None,
            Ok(contents) if self.batch.magic() != 2 => contents.first_offset,
            Err(_) if self.batch.magic() != 2 && self.codec() != Some(Codec::None) => None,
            _ => Some(self.batch.base_offset()),
        }
    }

    /// The last offset that the batch covers.
    pub(crate) fn last_offset(&self) -> Option<i64> {
        match &self.contents {
            Ok(contents) if contents.records.offsets_unassigned() => {
                Some(contents.records.next_offset().saturating_sub(1))
            }
            _ => self.header_known.then(|| self.batch.last_offset()),
        }
    }

    /// The offset to read on from.
    pub(crate) fn next_offset(&self) -> Option<i64> {
        self.last_offset().map(|offset| offset.saturating_add(1))
    }

    /// Bytes that the batch would take if it were not compressed.
    pub(crate) fn plain_size(&self) -> Option<u64> {
        let payload = self.contents.as_ref().ok()?.records.payload_size() as u64;
        Some(if self.batch.magic() == 2 { HEADER + payload } else { payload })
    }

    /// Whose clock the timestamps are from, as Kafka calls it.
    pub(crate) fn timestamp_type(&self) -> &'static str {
        match self.batch.timestamp_type() {
            TimestampType::None => "NoTimestampType",
            TimestampType::CreateTime => "CreateTime",
            TimestampType::LogAppendTime => "LogAppendTime",
        }
    }
}

/// Reads batches one after another, in the same memory and within the limits.
pub(crate) struct Reader {
    scratch: Scratch,
    max_batch: u64,
    max_total: u64,
    /// Bytes that all batches so far were decompressed to.
    used: u64,
}

impl Reader {
    /// Decompresses at most `max_batch` bytes for one batch and `max_total` for all together.
    pub(crate) fn new(max_batch: u64, max_total: u64) -> Self {
        let scratch = scratch(max_batch, max_total);
        Reader { scratch, max_batch, max_total, used: 0 }
    }

    /// The most bytes of a batch, compressed or not.
    pub(crate) fn max_batch(&self) -> u64 {
        self.max_batch
    }

    /// Reads all of a batch.
    pub(crate) fn read<'r>(&'r mut self, placed: &Placed<'r>) -> Reading<'r> {
        let left = self.max_total.saturating_sub(self.used);
        if left < self.max_batch {
            self.scratch = scratch(self.max_batch, left);
        }
        let Placed { batch, position, size } = *placed;
        let records = batch.records(&mut self.scratch);
        let contents = records.and_then(|records| Contents::of(&batch, records));
        let (header_known, crc_ok) = match &contents {
            Ok(_) => (true, Some(true)),
            Err(_) => checksum(&batch),
        };
        match &contents {
            Ok(contents) if batch.codec_number() != 0 => {
                self.used = self.used.saturating_add(contents.records.payload_size() as u64);
            }
            _ => {}
        }
        let contents = contents.map_err(|error| {
            let mut fault = Fault::new(&error, position);
            if fault.kind == ErrorKind::LimitTotalBytes {
                fault.expected = self.max_total;
                fault.actual = fault.actual.saturating_add(self.used);
            }
            fault
        });
        Reading { batch, position, size, header_known, crc_ok, contents }
    }

    /// What can be said of a batch that was too large to read.
    pub(crate) fn too_large<'r>(&self, placed: &Placed<'r>) -> Reading<'r> {
        let Placed { batch, position, size } = *placed;
        let fault = match batch.check_header() {
            Err(error) if error.kind() == ErrorKind::UnknownMagic => Fault::new(&error, position),
            _ => Fault::too_large(&batch, position, size, self.max_batch),
        };
        let header_known = fault.kind != ErrorKind::UnknownMagic;
        Reading { batch, position, size, header_known, crc_ok: None, contents: Err(fault) }
    }
}

/// Whether the header of a batch that could not be read is one of its format, and whether the checksum is
/// right.
fn checksum(batch: &Batch<'_>) -> (bool, Option<bool>) {
    match batch.verify_crc() {
        Ok(()) => (true, Some(true)),
        Err(error) if error.kind() == ErrorKind::CrcMismatch => (true, Some(false)),
        Err(_) => (false, None),
    }
}

fn scratch(max_batch: u64, max_total: u64) -> Scratch {
    // To the core 0 means the default; a byte is as good as none, since a record takes seven.
    let limits = Limits {
        max_batch_bytes: max_batch.max(1),
        max_total_bytes: max_total.max(1),
        ..Limits::default()
    };
    Scratch::new(DecodeOptions { limits, ..DecodeOptions::default() })
}
