//! Writing rows: what the walk over a batch leaves in the tables.

use alloc::vec::Vec;

use crate::compression::Codec;
use crate::cursor::{Fault, Span};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::record::batch::Batch;
use crate::record::legacy::{Inner, Message};
use crate::record::quick::read;
use crate::record::record::{HeaderSink, slice};
use crate::record::rows::{BatchRow, HeaderRow, RecordRow};
use crate::record::table::Table;
use crate::record::walk::{self, AheadCrc, Walk};

/// The tables that a decoder owns.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) batches: Vec<BatchRow>,
    pub(crate) records: Table<RecordRow>,
    pub(crate) headers: Table<HeaderRow>,
}

/// How many rows there are, to go back to when a batch turns out to be bad.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) records: usize,
    headers: usize,
}

impl Tables {
    pub(crate) fn clear(&mut self) {
        self.batches.clear();
        self.records.truncate(0);
        self.headers.truncate(0);
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { records: self.records.len(), headers: self.headers.len() }
    }

    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.records.truncate(mark.records);
        self.headers.truncate(mark.headers);
    }

    /// Rows for the records of an uncompressed batch, whose checksum is compared on the way.
    ///
    /// A wrong checksum explains whatever else may be wrong, so it is the error that is told, also when
    /// the walk stumbled first.
    pub(crate) fn fill_verified(
        &mut self,
        limits: &Limits,
        batch: &Batch<'_>,
        segment: &[u8],
        start: usize,
    ) -> Result<(), Error> {
        if batch.checksummed().len() <= walk::PIECE {
            batch.verify_crc()?;
            return self.fill(limits, batch, Codec::None, segment, start, |_| usize::MAX);
        }
        let mut crc = AheadCrc::new(batch);
        let filled = self.fill(limits, batch, Codec::None, segment, start, |at| crc.cover(at));
        batch.compare_crc(crc.finish())?;
        filled
    }

    /// Rows for the records from `start` to the end of `segment`. `ahead` is told how far the walk is and
    /// says how far it should go until it tells again, both from `start` on.
    #[inline(never)]
    pub(crate) fn fill(
        &mut self,
        limits: &Limits,
        batch: &Batch<'_>,
        codec: Codec,
        segment: &[u8],
        start: usize,
        mut ahead: impl FnMut(usize) -> usize,
    ) -> Result<(), Error> {
        let mut walk = Walk::new(batch, segment.get(start..).unwrap_or_default());
        let before_batch = self.records.len();
        self.reserve_records(limits, walk.most_left()).map_err(|error| batch.placed(error))?;
        let Tables { records, headers, .. } = self;
        let most = limits.max_headers as usize;
        // Positions in a row count from the start of its segment, those of a walk from its payload.
        let shift = count32(start);
        let mut with_headers = false;
        let mut until = ahead(walk.position());
        loop {
            while !walk.bases.control {
                let rows = read::Rows { records, headers, most_headers: most };
                let part = segment.get(..start.saturating_add(until)).unwrap_or(segment);
                let run = if with_headers { read::run::<true> } else { read::run::<false> };
                walk.go_on(start, run(rows, part, &walk.bases, walk.place(start)));
                let further = ahead(walk.position());
                if further == until {
                    break;
                }
                until = further;
            }
            let first_header = count32(headers.len());
            match walk.next(&mut HeaderRows { rows: headers, shift, most }) {
                Ok(Some((offset, fields, _))) => {
                    records.put(RecordRow {
                        offset,
                        timestamp: walk.bases.timestamp(fields.timestamp_delta),
                        key_pos: fields.key.pos.wrapping_add(shift),
                        key_len: fields.key.len,
                        value_pos: fields.value.pos.wrapping_add(shift),
                        value_len: fields.value.len,
                        first_header,
                        header_count: fields.header_count,
                    });
                    // Its neighbours are likely to be as it is.
                    with_headers = fields.header_count != 0;
                }
                Ok(None) => return Ok(()),
                Err(error) => {
                    let index = records.len().saturating_sub(before_batch);
                    return Err(walk::place(batch, codec, count32(index), error));
                }
            }
        }
    }

    /// A row for a plain message.
    pub(crate) fn fill_message(
        &mut self,
        limits: &Limits,
        batch: &Batch<'_>,
        message: &Message,
    ) -> Result<(), Error> {
        self.reserve_records(limits, 1).map_err(|error| batch.placed(error))?;
        self.records.put(message_row(message, count32(batch.position())));
        Ok(())
    }

    /// Rows for the messages in a wrapper, with what is to be known of their offsets.
    pub(crate) fn fill_inner(
        &mut self,
        limits: &Limits,
        batch: &Batch<'_>,
        codec: Codec,
        payload: &[u8],
        verify_crc: bool,
    ) -> Result<Option<i64>, Error> {
        let mut index = 0u32;
        let mut inner = || {
            let mut inner = Inner::open(batch, payload, verify_crc)?;
            self.reserve_records(limits, inner.count)?;
            while let Some(message) = inner.next()? {
                self.records.put(message_row(&message, 0));
                index = index.wrapping_add(1);
            }
            Ok(inner.unassigned)
        };
        let filled = inner();
        filled.map_err(|error| walk::place(batch, codec, index, error))
    }

    fn reserve_records(&mut self, limits: &Limits, additional: u32) -> Result<(), Error> {
        let needed = (self.records.len() as u64).saturating_add(u64::from(additional));
        if needed > u64::from(limits.max_records) {
            let most = u64::from(limits.max_records);
            return Err(Error::new(ErrorKind::LimitRecords).values(most, needed));
        }
        self.records.reserve(additional as usize)
    }

    /// Checks the header keys of the rows after `mark`, which point into `segment`.
    pub(crate) fn check_utf8(
        &self,
        mark: Mark,
        batch: &Batch<'_>,
        codec: Codec,
        segment: &[u8],
    ) -> Result<(), Error> {
        let records = self.records.get(mark.records..).unwrap_or_default();
        for (index, record) in (0u32..).zip(records) {
            let headers = self.headers.get(record.first_header as usize..).unwrap_or_default();
            for header in headers.iter().take(record.header_count as usize) {
                let key = slice(segment, header.key()).unwrap_or_default();
                if core::str::from_utf8(key).is_err() {
                    let error = Error::at(ErrorKind::HeaderKeyUtf8, header.key_pos as usize);
                    return Err(batch.placed(error.in_codec(codec).in_record(index)));
                }
            }
        }
        Ok(())
    }
}

fn message_row(message: &Message, shift: u32) -> RecordRow {
    RecordRow {
        offset: message.offset,
        timestamp: message.timestamp,
        key_pos: message.key.pos.wrapping_add(shift),
        key_len: message.key.len,
        value_pos: message.value.pos.wrapping_add(shift),
        value_len: message.value.len,
        ..RecordRow::default()
    }
}

/// Takes headers as rows.
struct HeaderRows<'t> {
    rows: &'t mut Table<HeaderRow>,
    shift: u32,
    most: usize,
}

impl HeaderSink for HeaderRows<'_> {
    #[inline(always)]
    fn begin<F: Fault>(&mut self, count: u32) -> Result<(), F> {
        let needed = self.rows.len().saturating_add(count as usize);
        if needed > self.most {
            return Err(F::new(ErrorKind::LimitHeaders, 0, self.most as u64, needed as u64));
        }
        if self.rows.reserve(count as usize).is_err() {
            return Err(F::new(ErrorKind::OutOfMemory, 0, 0, 0));
        }
        Ok(())
    }

    #[inline(always)]
    fn header(&mut self, key: Span, value: Span) {
        self.rows.put(HeaderRow {
            key_pos: key.pos.wrapping_add(self.shift),
            key_len: key.len,
            value_pos: value.pos.wrapping_add(self.shift),
            value_len: value.len,
        });
    }
}

/// Appends a row, or says that there is no memory for it.
pub(crate) fn push<T>(rows: &mut Vec<T>, row: T) -> Result<(), Error> {
    rows.try_reserve(1).map_err(|_| Error::new(ErrorKind::OutOfMemory))?;
    rows.push(row);
    Ok(())
}

/// A number of rows or bytes as rows hold it; an input of 2³¹−1 bytes has no more.
#[allow(clippy::cast_possible_truncation, reason = "inputs, payloads and tables stay below 2^32")]
pub(crate) const fn count32(count: usize) -> u32 {
    count as u32
}
