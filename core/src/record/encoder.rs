//! Encoding: from the same rows that decoding gives, and the parts that the builder shares.
//!
//! Records are written behind room for the header, so that an uncompressed batch is complete where it was
//! written. Under a codec they are compressed from there to a second buffer. Both buffers stay from call to
//! call. Compressed bytes are those of the back end built in: other libraries write others for the same
//! records.

use alloc::vec::Vec;

use crate::checksum::Crc32c;
use crate::compression::{self, Codec, Compressor, Output};
use crate::cursor::Span;
use crate::error::{Error, ErrorKind};
use crate::record::layout;
use crate::record::params::BatchParams;
use crate::record::quick::write::{self, Source};
use crate::record::record::slice;
use crate::record::rows::{HeaderRow, RecordRow};
use crate::record::writer::{
    self, Field, MAX_HEADER_OVERHEAD, MAX_RECORD_OVERHEAD, NewHeader, NewHeaders, NewMessage,
    NewRecord, Pen,
};

/// Bytes that are written before they are checksummed, while they are still in the cache.
const PIECE: usize = 16 * 1024;

/// Writes batches and message sets, and keeps its memory from call to call.
///
/// ```
/// use kcodec::{BatchParams, Encoder, HeaderRow, RecordRow};
///
/// let data = b"keyvalue";
/// let row = RecordRow {
///     offset: 0,
///     timestamp: 1_700_000_000_000,
///     key_pos: 0,
///     key_len: 3,
///     value_pos: 3,
///     value_len: 5,
///     first_header: 0,
///     header_count: 0,
/// };
/// let mut encoder = Encoder::default();
/// let batch = encoder.encode(&BatchParams::default(), data, &[row], &[])?;
/// let record = kcodec::decode(batch)?.iter().next();
/// assert_eq!(record.and_then(|record| record.value).as_deref(), Some(&b"value"[..]));
/// # Ok::<(), kcodec::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Encoder {
    pub(crate) plain: Vec<u8>,
    pub(crate) packed: Vec<u8>,
    pub(crate) compressor: Compressor,
}

/// What becomes known of a batch as its records are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) count: i32,
    pub(crate) last_offset_delta: i32,
    pub(crate) base_timestamp: i64,
    pub(crate) max_timestamp: i64,
}

impl Encoder {
    /// An encoder that has allocated nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Encoder::default()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.plain.capacity().saturating_add(self.packed.capacity())
    }

    /// Encodes one batch, or for magic 0 and 1 the messages of a set. `records` point into `data`, and with
    /// `first_header` and `header_count` into `headers`. Offsets in the rows are absolute:
    /// `params.base_offset` is subtracted for magic 2. The result lives in the encoder until its next call.
    ///
    /// Base timestamp is that of the first record, max timestamp the largest. No records give an empty
    /// batch of magic 2, and no bytes for 0 and 1.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for a row that points outside of `data` or `headers` or an offset
    /// that is not within 2³¹ of the base offset (with the record's index), [`ErrorKind::NotRepresentable`]
    /// for what the magic cannot carry, [`ErrorKind::LimitInput`] for more than 2³¹−1 bytes.
    pub fn encode(
        &mut self,
        params: &BatchParams,
        data: &[u8],
        records: &[RecordRow],
        headers: &[HeaderRow],
    ) -> Result<&[u8], Error> {
        params.check()?;
        if params.magic == 2 {
            self.encode_batch(params, data, records, headers)
        } else {
            self.encode_messages(params, data, records)
        }
    }

    /// As [`encode`](Self::encode), into memory of the caller's. Returns the number of bytes.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), and [`ErrorKind::BufferTooSmall`] with the size needed in `expected`.
    pub fn encode_into(
        &mut self,
        params: &BatchParams,
        data: &[u8],
        records: &[RecordRow],
        headers: &[HeaderRow],
        to: &mut [u8],
    ) -> Result<usize, Error> {
        let batch = self.encode(params, data, records, headers)?;
        let Some(place) = to.get_mut(..batch.len()) else {
            let (needed, have) = (batch.len() as u64, to.len() as u64);
            return Err(Error::new(ErrorKind::BufferTooSmall).values(needed, have));
        };
        place.copy_from_slice(batch);
        Ok(batch.len())
    }

    fn encode_batch(
        &mut self,
        params: &BatchParams,
        data: &[u8],
        records: &[RecordRow],
        headers: &[HeaderRow],
    ) -> Result<&[u8], Error> {
        let summary = summarize(params, records)?;
        let header = header(params, &summary);
        let mut out = Output::growing(&mut self.plain, 0, layout::MAX_BYTES, ErrorKind::LimitInput);
        out.room_for(layout::RECORDS)?.copy_from_slice(&header);
        out.commit(layout::RECORDS);

        let plain = params.codec == Codec::None;
        let mut crc = Crc32c::new();
        let mut covered = layout::ATTRIBUTES;
        let (base_offset, base_timestamp) = (params.base_offset, summary.base_timestamp);
        let rows = Rows { source: Source { data, base_offset, base_timestamp }, headers };
        let (mut done, mut room) = (0usize, PIECE);
        while let Some(left @ [first, ..]) = records.get(done..) {
            let put = if first.header_count == 0 { Rows::put::<false> } else { Rows::put::<true> };
            let run = put(&rows, out.room_up_to(room)?, left)?;
            done = done.saturating_add(run.records);
            out.commit(run.written);
            match run.stop {
                Stop::Headers => {}
                Stop::Room(needed) => {
                    out.check_declared(needed as u64)?;
                    room = needed.max(PIECE);
                }
                Stop::Fault(error) => {
                    return Err(error.in_record(u32::try_from(done).unwrap_or(u32::MAX)));
                }
            }
            if plain {
                crc.update(out.written(covered));
                covered = out.len();
            }
        }
        let len = out.len();
        if plain {
            crc.update(out.written(covered));
            let batch = self.plain.get_mut(..len).unwrap_or_default();
            finish_header(batch, crc.value());
            return Ok(batch);
        }
        self.pack(params, &header, len)
    }

    /// Compresses the records in `plain` up to `len` into a batch with `header`.
    pub(crate) fn pack(
        &mut self,
        params: &BatchParams,
        header: &[u8; layout::RECORDS],
        len: usize,
    ) -> Result<&[u8], Error> {
        self.packed.clear();
        let records = self.plain.get(layout::RECORDS..len).unwrap_or_default();
        self.packed.extend_from_slice(header);
        self.compressor.compress(params.codec, params.level, records, &mut self.packed, false)?;
        let crc = checksum_of(&self.packed);
        if self.packed.len() > layout::MAX_BYTES {
            return Err(Error::new(ErrorKind::LimitInput));
        }
        finish_header(&mut self.packed, crc);
        Ok(&self.packed)
    }

    fn encode_messages(
        &mut self,
        params: &BatchParams,
        data: &[u8],
        records: &[RecordRow],
    ) -> Result<&[u8], Error> {
        let mut out = Output::growing(&mut self.plain, 0, layout::MAX_BYTES, ErrorKind::LimitInput);
        let wrapped = params.codec != Codec::None;
        let first = records.first().map_or(0, |row| row.offset);
        let mut largest = i64::MIN;
        for (index, row) in (0u32..).zip(records) {
            let mut put = || {
                if row.header_count != 0 {
                    return Err(Error::new(ErrorKind::NotRepresentable));
                }
                let (key, value) = contents(data, row)?;
                largest = row.timestamp.max(largest);
                // Inside a wrapper offsets of magic 1 are relative, and timestamps the producer's.
                let relative = wrapped && params.magic == 1;
                let offset = row.offset.wrapping_sub(if relative { first } else { 0 });
                let append_time = params.log_append_time.filter(|_| !wrapped);
                let attributes = if wrapped { 0 } else { params.attributes().to_le_bytes()[0] };
                writer::message(
                    &mut out,
                    &NewMessage {
                        magic: params.magic,
                        attributes: attributes.cast_signed(),
                        offset,
                        timestamp: append_time.unwrap_or(row.timestamp),
                        key,
                        value,
                    },
                )
            };
            put().map_err(|error| error.in_record(index))?;
        }
        let len = out.len();
        match records.last() {
            Some(last) if wrapped => self.wrap(params, last.offset, largest, len),
            _ => Ok(self.plain.get(..len).unwrap_or_default()),
        }
    }

    /// Compresses the messages in `plain` up to `len` into a wrapper message.
    pub(crate) fn wrap(
        &mut self,
        params: &BatchParams,
        last_offset: i64,
        max_timestamp: i64,
        len: usize,
    ) -> Result<&[u8], Error> {
        let messages = self.plain.get(..len).unwrap_or_default();
        self.packed.clear();
        let old_lz4_checksum = params.magic == 0;
        let (codec, level) = (params.codec, params.level);
        self.compressor.compress(codec, level, messages, &mut self.packed, old_lz4_checksum)?;
        let mut out = Output::growing(&mut self.plain, 0, layout::MAX_BYTES, ErrorKind::LimitInput);
        writer::message(
            &mut out,
            &NewMessage {
                magic: params.magic,
                attributes: params.attributes().to_le_bytes()[0].cast_signed(),
                offset: last_offset,
                timestamp: params.log_append_time.unwrap_or(max_timestamp),
                key: None,
                value: Some(&self.packed),
            },
        )?;
        let len = out.len();
        Ok(self.plain.get(..len).unwrap_or_default())
    }
}

/// The most bytes that [`Encoder::encode`] gives for these rows: what a destination must hold.
///
/// ```
/// use kcodec::{BatchParams, encode_bound};
/// assert_eq!(encode_bound(&BatchParams::default(), &[], &[]), 61);
/// ```
#[must_use]
pub fn encode_bound(params: &BatchParams, records: &[RecordRow], headers: &[HeaderRow]) -> usize {
    let plain = bound_of_records(params.magic, records, headers);
    let packed = match params.codec {
        Codec::None => plain,
        codec => compression::compress_bound(codec, plain),
    };
    match (params.magic, params.codec) {
        (2, _) => packed.saturating_add(layout::RECORDS),
        (_, Codec::None) => packed,
        (magic, _) => packed.saturating_add(layout::min_size(magic)),
    }
}

fn bound_of_records(magic: i8, records: &[RecordRow], headers: &[HeaderRow]) -> usize {
    let size = |len: i32| usize::try_from(len).unwrap_or(0);
    let overhead = if magic == 2 { MAX_RECORD_OVERHEAD } else { layout::min_size(magic) };
    let mut bound = records.len().saturating_mul(overhead);
    for row in records {
        bound = bound.saturating_add(size(row.key_len)).saturating_add(size(row.value_len));
        let own = headers.get(row.first_header as usize..).unwrap_or_default();
        for header in own.iter().take(row.header_count as usize) {
            bound = bound
                .saturating_add(MAX_HEADER_OVERHEAD)
                .saturating_add(size(header.key_len))
                .saturating_add(size(header.value_len));
        }
    }
    bound
}

fn summarize(params: &BatchParams, records: &[RecordRow]) -> Result<Summary, Error> {
    let last = match records.split_last() {
        Some((last, before)) => offset_delta(params.base_offset, last)
            .map_err(|error| error.in_record(u32::try_from(before.len()).unwrap_or(u32::MAX)))?,
        None => -1,
    };
    let first = records.first().map_or(-1, |row| row.timestamp);
    let largest = records.iter().map(|row| row.timestamp).max();
    let count = i32::try_from(records.len()).map_err(|_| Error::new(ErrorKind::LimitInput))?;
    Ok(Summary {
        count,
        last_offset_delta: params.last_offset_delta.unwrap_or(last),
        base_timestamp: params.delete_horizon.unwrap_or(first),
        max_timestamp: params.log_append_time.or(largest).unwrap_or(-1),
    })
}

#[inline(always)]
fn offset_delta(base_offset: i64, row: &RecordRow) -> Result<i32, Error> {
    let delta = row.offset.checked_sub(base_offset);
    match delta.map(i32::try_from) {
        Some(Ok(delta)) => Ok(delta),
        _ => Err(Error::new(ErrorKind::InvalidArgument)),
    }
}

/// Rows on their way into a batch, and what they point into.
struct Rows<'a> {
    source: Source<'a>,
    headers: &'a [HeaderRow],
}

/// A run of records that were written.
struct Run {
    records: usize,
    written: usize,
    stop: Stop,
}

/// Why a run ended.
enum Stop {
    /// There are no more rows, or only such with headers.
    Headers,
    /// The next record needs so much room.
    Room(usize),
    /// The next record cannot be written.
    Fault(Error),
}

impl<'a> Rows<'a> {
    /// Writes records as long as there is room; without `HEADERS` also only as long as they have none, which
    /// leaves a loop that stays in registers.
    #[inline(never)]
    fn put<const HEADERS: bool>(&self, room: &mut [u8], rows: &[RecordRow]) -> Result<Run, Error> {
        let mut pen = Pen::new(room);
        let mut records = 0usize;
        let stop = loop {
            if !HEADERS {
                let left = rows.get(records..).unwrap_or_default();
                records = records.wrapping_add(write::run(&mut pen.room, left, &self.source));
            }
            let Some(row) = rows.get(records).filter(|row| HEADERS || row.header_count == 0) else {
                break Stop::Headers;
            };
            if let Err(stop) = self.put_row::<HEADERS>(&mut pen, row) {
                break stop;
            }
            records = records.wrapping_add(1);
        };
        Ok(Run { records, written: pen.finish()?, stop })
    }

    #[inline(always)]
    fn put_row<const HEADERS: bool>(&self, pen: &mut Pen<'_>, row: &RecordRow) -> Result<(), Stop> {
        let record = self.record(row).map_err(Stop::Fault)?;
        let fit = if HEADERS {
            pen.record(&record, &self.headers_of(row).map_err(Stop::Fault)?)
        } else {
            pen.record(&record, &NewHeaders::NONE)
        };
        fit.map_err(Stop::Room)
    }

    #[inline(always)]
    fn record(&self, row: &RecordRow) -> Result<NewRecord<'a>, Error> {
        let Source { data, base_offset, base_timestamp } = self.source;
        let (key, value) = contents(data, row)?;
        Ok(NewRecord {
            timestamp_delta: row.timestamp.wrapping_sub(base_timestamp),
            offset_delta: offset_delta(base_offset, row)?,
            key,
            value,
        })
    }

    /// A row's headers, all of which are inside of what they point into.
    #[inline(always)]
    fn headers_of(
        &self,
        row: &RecordRow,
    ) -> Result<NewHeaders<impl Iterator<Item = NewHeader<'a>> + Clone + use<'a>>, Error> {
        let rows = self.headers.get(row.first_header as usize..).unwrap_or_default();
        let rows = rows.get(..row.header_count as usize);
        let rows = rows.ok_or(Error::new(ErrorKind::InvalidArgument))?;
        let data = self.source.data;
        let mut size = 0usize;
        for header in rows {
            let key = field(data, header.key())?.ok_or(Error::new(ErrorKind::InvalidArgument))?;
            let value = field(data, header.value())?;
            size = size.saturating_add(writer::header_size(key, value));
        }
        let fields = rows.iter().map(move |header| {
            (slice(data, header.key()).unwrap_or_default(), slice(data, header.value()))
        });
        Ok(NewHeaders { fields, count: rows.len(), size })
    }
}

/// Key and value of a row.
#[inline(always)]
fn contents<'a>(data: &'a [u8], row: &RecordRow) -> Result<(Field<'a>, Field<'a>), Error> {
    Ok((field(data, row.key())?, field(data, row.value())?))
}

/// What a row says of a key or value: null, or bytes that are inside of what it points into.
#[inline(always)]
fn field(data: &[u8], span: Span) -> Result<Field<'_>, Error> {
    match slice(data, span) {
        None if span.len != -1 => Err(Error::new(ErrorKind::InvalidArgument)),
        field => Ok(field),
    }
}

/// The header of a batch, its length and checksum still 0.
pub(crate) fn header(params: &BatchParams, summary: &Summary) -> [u8; layout::RECORDS] {
    let mut header = [0; layout::RECORDS];
    let mut put = |at: usize, field: &[u8]| {
        let place = header.get_mut(at..).and_then(|header| header.get_mut(..field.len()));
        place.unwrap_or_default().copy_from_slice(field);
    };
    put(layout::BASE_OFFSET, &params.base_offset.to_be_bytes());
    put(layout::LEADER_EPOCH, &params.leader_epoch.to_be_bytes());
    put(layout::MAGIC, &params.magic.to_be_bytes());
    put(layout::ATTRIBUTES, &params.attributes().to_be_bytes());
    put(layout::LAST_OFFSET_DELTA, &summary.last_offset_delta.to_be_bytes());
    put(layout::BASE_TIMESTAMP, &summary.base_timestamp.to_be_bytes());
    put(layout::MAX_TIMESTAMP, &summary.max_timestamp.to_be_bytes());
    put(layout::PRODUCER_ID, &params.producer_id.to_be_bytes());
    put(layout::PRODUCER_EPOCH, &params.producer_epoch.to_be_bytes());
    put(layout::BASE_SEQUENCE, &params.base_sequence.to_be_bytes());
    put(layout::RECORD_COUNT, &summary.count.to_be_bytes());
    header
}

/// Stores length and checksum of the finished `batch`.
pub(crate) fn finish_header(batch: &mut [u8], crc: u32) {
    // A batch has at most 2³¹−1 bytes.
    let length = i32::try_from(batch.len().saturating_sub(layout::LOG_OVERHEAD)).unwrap_or(0);
    for (at, field) in [(layout::LENGTH, length.to_be_bytes()), (layout::CRC, crc.to_be_bytes())] {
        if let Some(place) = batch.get_mut(at..).and_then(|batch| batch.first_chunk_mut()) {
            *place = field;
        }
    }
}

/// The checksum of a finished batch of magic 2.
pub(crate) fn checksum_of(batch: &[u8]) -> u32 {
    crate::checksum::crc32c(0, batch.get(layout::ATTRIBUTES..).unwrap_or_default())
}
