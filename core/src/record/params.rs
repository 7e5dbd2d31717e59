//! What the header of a batch to be written says.

use crate::compression::Codec;
use crate::error::{Error, ErrorKind};
use crate::record::layout;
use crate::record::rows::BatchRow;

/// The header fields of a batch to be written. The default is what a plain producer sends: magic 2, not
/// compressed, base offset 0, no producer id.
///
/// ```
/// use kcodec::{BatchParams, Codec};
/// let params = BatchParams { codec: Codec::Zstd, level: Some(3), ..BatchParams::default() };
/// assert_eq!((params.magic, params.producer_id, params.leader_epoch), (2, -1, -1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchParams {
    /// 2 for a record batch; 0 or 1 for a message set, which has offsets, timestamps (1 only), keys and
    /// values, and nothing else of what follows here.
    pub magic: i8,
    /// How the records are compressed.
    pub codec: Codec,
    /// The codec's level as Kafka's clients name it (KIP-390); `None` is Kafka's default.
    pub level: Option<i32>,
    /// The offset of the first record. Producers send 0; a broker assigns it.
    pub base_offset: i64,
    /// The last offset relative to the base offset, where it is beyond the last record: compaction keeps
    /// it. `None` takes the last record's.
    pub last_offset_delta: Option<i32>,
    /// The epoch of the leader, −1 from a producer.
    pub leader_epoch: i32,
    /// The idempotent or transactional producer's id, −1 for none.
    pub producer_id: i64,
    /// Its epoch, −1 for none.
    pub producer_epoch: i16,
    /// The sequence number of the first record, −1 for none.
    pub base_sequence: i32,
    /// Whether the records belong to a transaction.
    pub transactional: bool,
    /// Whether the records are control records.
    pub control: bool,
    /// The broker's append time in ms, which then holds for all records.
    pub log_append_time: Option<i64>,
    /// The delete horizon in ms, which then takes the place of the base timestamp (KIP-534).
    pub delete_horizon: Option<i64>,
    /// Further attribute bits (7 to 15) to be kept from a batch that is written again.
    pub unknown_attributes: i16,
}

impl Default for BatchParams {
    fn default() -> Self {
        BatchParams {
            magic: 2,
            codec: Codec::None,
            level: None,
            base_offset: 0,
            last_offset_delta: None,
            leader_epoch: -1,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            transactional: false,
            control: false,
            log_append_time: None,
            delete_horizon: None,
            unknown_attributes: 0,
        }
    }
}

/// Attribute bits that have a field of their own above.
const KNOWN_ATTRIBUTES: i16 = Codec::MASK as i16
    | layout::LOG_APPEND_TIME
    | layout::TRANSACTIONAL
    | layout::CONTROL
    | layout::DELETE_HORIZON;

impl BatchParams {
    /// What writes a decoded batch again: decode, edit rows, encode.
    ///
    /// ```
    /// # let segment = std::fs::read("../vectors/segments/java_txn-0.log")?;
    /// # let mut decoder = kcodec::Decoder::default();
    /// # let records = decoder.decode(&segment)?;
    /// # let batch = &records.batches()[0];
    /// let params = kcodec::BatchParams::of(batch);
    /// let mut encoder = kcodec::Encoder::default();
    /// let data = records.segment(batch.segment);
    /// let again = encoder.encode(&params, data, records.rows(batch), records.headers())?;
    /// # let raw = &segment[batch.position as usize..][..batch.length as usize];
    /// assert_eq!(again, raw);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(batch: &BatchRow) -> Self {
        let has = |bit| batch.attributes & bit != 0;
        let appended = has(layout::LOG_APPEND_TIME) && batch.magic != 0;
        let mut params = BatchParams {
            magic: batch.magic,
            codec: batch.codec().unwrap_or_default(),
            base_offset: batch.base_offset,
            log_append_time: appended.then_some(batch.max_timestamp),
            ..BatchParams::default()
        };
        if batch.magic == 2 {
            params.last_offset_delta = Some(batch.last_offset_delta);
            params.leader_epoch = batch.leader_epoch;
            params.producer_id = batch.producer_id;
            params.producer_epoch = batch.producer_epoch;
            params.base_sequence = batch.base_sequence;
            params.transactional = has(layout::TRANSACTIONAL);
            params.control = has(layout::CONTROL);
            params.delete_horizon = has(layout::DELETE_HORIZON).then_some(batch.base_timestamp);
            params.unknown_attributes = batch.attributes & !KNOWN_ATTRIBUTES;
        }
        params
    }

    pub(crate) fn attributes(&self) -> i16 {
        let bit = |on: bool, bit: i16| if on { bit } else { 0 };
        let mut attributes = i16::from(self.codec as u8);
        if self.magic != 0 {
            attributes |= bit(self.log_append_time.is_some(), layout::LOG_APPEND_TIME);
        }
        if self.magic == 2 {
            attributes |= bit(self.transactional, layout::TRANSACTIONAL)
                | bit(self.control, layout::CONTROL)
                | bit(self.delete_horizon.is_some(), layout::DELETE_HORIZON)
                | self.unknown_attributes & !KNOWN_ATTRIBUTES;
        }
        attributes
    }

    /// Refuses what the magic cannot carry.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let of_a_producer = self.producer_id != -1 || self.transactional || self.control;
        match self.magic {
            2 => Ok(()),
            0 | 1 if self.codec == Codec::Zstd => Err(Error::new(ErrorKind::CodecForMagic)),
            0 | 1 if of_a_producer || self.delete_horizon.is_some() => {
                Err(Error::new(ErrorKind::NotRepresentable))
            }
            0 | 1 => Ok(()),
            _ => Err(Error::new(ErrorKind::UnknownMagic)),
        }
    }
}
