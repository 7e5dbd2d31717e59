//! Building a batch record by record.

use crate::compression::{self, Codec, Output};
use crate::error::{Error, ErrorKind};
use crate::record::control::{ControlType, EndTxnMarker};
use crate::record::encoder::{self, Encoder, Summary};
use crate::record::layout;
use crate::record::params::BatchParams;
use crate::record::record::Header;
use crate::record::writer::{
    self, MAX_HEADER_OVERHEAD, MAX_RECORD_OVERHEAD, NewHeaders, NewMessage, NewRecord,
};

/// Collects records into one batch, or into a message set for magic 0 and 1.
///
/// Offsets count up from the base offset. A finished builder starts the next batch with the first
/// [`push`](Self::push) after it, in the same memory.
///
/// ```
/// use kcodec::{BatchBuilder, BatchParams, Codec, Header};
///
/// let params = BatchParams { codec: Codec::Lz4, ..BatchParams::default() };
/// let mut builder = BatchBuilder::new(params)?;
/// let headers = [Header { key: b"trace", value: Some(b"7f") }];
/// for i in 0..3 {
///     let value = format!("value {i}");
///     if builder.fits(1_048_588, None, Some(value.as_bytes()), &headers) {
///         builder.push(1_700_000_000_000 + i, None, Some(value.as_bytes()), &headers)?;
///     }
/// }
/// let batch = builder.finish()?;
/// assert_eq!(kcodec::decode(batch)?.iter().count(), 3);
/// # Ok::<(), kcodec::Error>(())
/// ```
#[derive(Debug)]
pub struct BatchBuilder {
    params: BatchParams,
    encoder: Encoder,
    /// Bytes of the records so far in the encoder's first buffer, with room for the header before them.
    len: usize,
    count: i32,
    base_timestamp: i64,
    max_timestamp: i64,
}

impl BatchBuilder {
    /// An empty builder.
    ///
    /// # Errors
    /// What the magic cannot carry: [`ErrorKind::NotRepresentable`], [`ErrorKind::CodecForMagic`],
    /// [`ErrorKind::UnknownMagic`].
    pub fn new(params: BatchParams) -> Result<Self, Error> {
        params.check()?;
        let mut builder = BatchBuilder {
            params,
            encoder: Encoder::new(),
            len: 0,
            count: 0,
            base_timestamp: -1,
            max_timestamp: -1,
        };
        builder.restart();
        Ok(builder)
    }

    /// Drops the records so far and starts over with other parameters, in the same memory.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn reset(&mut self, params: BatchParams) -> Result<(), Error> {
        params.check()?;
        self.params = params;
        self.restart();
        Ok(())
    }

    /// Names the producer of the batch being built, which a client may learn only when it is about to send
    /// the records. They stay.
    ///
    /// ```
    /// use kcodec::{BatchBuilder, BatchParams};
    ///
    /// let mut builder = BatchBuilder::new(BatchParams::default())?;
    /// builder.push(1_700_000_000_000, None, Some(b"value"), &[])?;
    /// builder.set_producer(4000, 3, 17, true)?;
    /// let batch = kcodec::batches(builder.finish()?).next().ok_or("no batch")??;
    /// assert_eq!((batch.producer_id(), batch.producer_epoch(), batch.base_sequence()), (4000, 3, 17));
    /// assert!(batch.is_transactional() && batch.declared_count() == 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotRepresentable`] with magic 0 or 1.
    pub fn set_producer(
        &mut self,
        producer_id: i64,
        producer_epoch: i16,
        base_sequence: i32,
        transactional: bool,
    ) -> Result<(), Error> {
        let of_producer = BatchParams {
            producer_id,
            producer_epoch,
            base_sequence,
            transactional,
            ..self.params
        };
        of_producer.check()?;
        self.params = of_producer;
        Ok(())
    }

    fn restart(&mut self) {
        self.len = self.start();
        self.count = 0;
        self.base_timestamp = self.params.delete_horizon.unwrap_or(-1);
        self.max_timestamp = -1;
    }

    /// Where records start in the buffer.
    fn start(&self) -> usize {
        if self.params.magic == 2 { layout::RECORDS } else { 0 }
    }

    /// The parameters of the batch being built.
    #[must_use]
    pub fn params(&self) -> &BatchParams {
        &self.params
    }

    /// How many records it has.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from(self.count).unwrap_or(0)
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes of the batch as it would be without compression.
    #[must_use]
    pub fn plain_size(&self) -> usize {
        self.len
    }

    /// The most bytes that [`finish`](Self::finish) can give now.
    #[must_use]
    pub fn size_bound(&self) -> usize {
        self.bound_of(self.len)
    }

    fn bound_of(&self, len: usize) -> usize {
        match self.params.codec {
            Codec::None => len,
            codec => {
                let packed = compression::compress_bound(codec, len.saturating_sub(self.start()));
                packed.saturating_add(layout::min_size(self.params.magic))
            }
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.encoder.memory()
    }

    /// Whether one more record keeps the batch, compressed or not, within `limit` bytes whatever its
    /// contents: the comparison that a topic's `max.message.bytes` is about. An empty builder says yes to a
    /// record of any size that a batch can hold, so that a record alone above the limit is the broker's to
    /// refuse.
    #[must_use]
    pub fn fits(
        &self,
        limit: usize,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[Header<'_>],
    ) -> bool {
        let size = |field: Option<&[u8]>| field.map_or(0, <[u8]>::len);
        let overhead =
            if self.params.magic == 2 { MAX_RECORD_OVERHEAD } else { layout::min_size(1) };
        let mut len = self.len.saturating_add(overhead);
        len = len.saturating_add(size(key)).saturating_add(size(value));
        for header in headers {
            len = len.saturating_add(MAX_HEADER_OVERHEAD).saturating_add(header.key.len());
            len = len.saturating_add(size(header.value));
        }
        self.count < i32::MAX
            && len <= layout::MAX_BYTES
            && (self.count == 0 || self.bound_of(len) <= limit)
    }

    /// Appends a record and returns its offset. `timestamp` is in ms, −1 for none.
    ///
    /// # Errors
    /// [`ErrorKind::LimitInput`] when the batch would be larger than 2³¹−1 bytes,
    /// [`ErrorKind::NotRepresentable`] for headers with magic 0 or 1, [`ErrorKind::OffsetOverflow`]. The
    /// batch is then as it was before.
    pub fn push(
        &mut self,
        timestamp: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[Header<'_>],
    ) -> Result<i64, Error> {
        let delta = self.count;
        let offset = self.params.base_offset.checked_add(i64::from(delta));
        let (Some(offset), Some(count)) = (offset, delta.checked_add(1)) else {
            return Err(Error::new(ErrorKind::OffsetOverflow));
        };
        if delta == 0 && self.params.delete_horizon.is_none() {
            self.base_timestamp = timestamp;
        }
        let (over, most) = (ErrorKind::LimitInput, layout::MAX_BYTES.saturating_sub(self.len));
        let mut out = Output::growing(&mut self.encoder.plain, self.len, most, over);
        if self.params.magic == 2 {
            let record = NewRecord {
                timestamp_delta: timestamp.wrapping_sub(self.base_timestamp),
                offset_delta: delta,
                key,
                value,
            };
            let fields = headers.iter().map(|header| (header.key, header.value));
            let size = fields.clone().map(|(key, value)| writer::header_size(key, value)).sum();
            let count = headers.len();
            writer::record(&mut out, &record, &NewHeaders { fields, count, size })?;
        } else if headers.is_empty() {
            let wrapped = self.params.codec != Codec::None;
            let relative = wrapped && self.params.magic == 1;
            let append_time = self.params.log_append_time.filter(|_| !wrapped);
            let attributes = if wrapped { 0 } else { self.params.attributes().to_le_bytes()[0] };
            writer::message(
                &mut out,
                &NewMessage {
                    magic: self.params.magic,
                    attributes: attributes.cast_signed(),
                    offset: if relative { i64::from(delta) } else { offset },
                    timestamp: append_time.unwrap_or(timestamp),
                    key,
                    value,
                },
            )?;
        } else {
            return Err(Error::new(ErrorKind::NotRepresentable));
        }
        self.len = self.len.saturating_add(out.len());
        self.max_timestamp = if delta == 0 { timestamp } else { timestamp.max(self.max_timestamp) };
        self.count = count;
        Ok(offset)
    }

    /// Appends the marker that ends a transaction, [`ControlType::Commit`] or [`ControlType::Abort`]. The
    /// parameters must say `control` and `transactional`.
    ///
    /// ```
    /// use kcodec::{BatchBuilder, BatchParams, ControlType};
    /// let mut builder = BatchBuilder::new(BatchParams {
    ///     producer_id: 4000,
    ///     producer_epoch: 3,
    ///     transactional: true,
    ///     control: true,
    ///     ..BatchParams::default()
    /// })?;
    /// builder.push_marker(1_700_000_000_000, ControlType::Commit, 17)?;
    /// let batch = builder.finish()?;
    /// assert_eq!(batch.len(), 78);
    /// # Ok::<(), kcodec::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] when the parameters or the type are not those of a marker.
    pub fn push_marker(
        &mut self,
        timestamp: i64,
        control_type: ControlType,
        coordinator_epoch: i32,
    ) -> Result<i64, Error> {
        let ends = matches!(control_type, ControlType::Commit | ControlType::Abort);
        if !(ends && self.params.control && self.params.transactional) {
            return Err(Error::new(ErrorKind::InvalidArgument));
        }
        let value = EndTxnMarker { coordinator_epoch }.value();
        self.push(timestamp, Some(&control_type.key()), Some(&value), &[])
    }

    /// Finishes the batch. The bytes live in the builder until its next call; the next
    /// [`push`](Self::push) starts a new batch.
    ///
    /// # Errors
    /// [`ErrorKind::LimitInput`], or what the codec has against its level.
    pub fn finish(&mut self) -> Result<&[u8], Error> {
        let (params, len, count) = (self.params, self.len, self.count);
        let summary = Summary {
            count,
            last_offset_delta: params.last_offset_delta.unwrap_or(count.wrapping_sub(1)),
            base_timestamp: self.base_timestamp,
            max_timestamp: params.log_append_time.unwrap_or(self.max_timestamp),
        };
        self.restart();
        let encoder = &mut self.encoder;
        if params.magic == 2 {
            let header = encoder::header(&params, &summary);
            let over = ErrorKind::LimitInput;
            let mut out = Output::growing(&mut encoder.plain, 0, layout::MAX_BYTES, over);
            out.room_for(layout::RECORDS)?.copy_from_slice(&header);
            if params.codec != Codec::None {
                return encoder.pack(&params, &header, len);
            }
            let batch = encoder.plain.get_mut(..len).unwrap_or_default();
            let crc = encoder::checksum_of(batch);
            encoder::finish_header(batch, crc);
            return Ok(batch);
        }
        if params.codec == Codec::None || count == 0 {
            return Ok(encoder.plain.get(..len).unwrap_or_default());
        }
        let last_offset = params.base_offset.wrapping_add(i64::from(count.wrapping_sub(1)));
        encoder.wrap(&params, last_offset, summary.max_timestamp, len)
    }
}
