//! One entry of a record set, seen through its bytes.
//!
//! A [`Batch`] is a record batch (magic 2) or a message (magic 0 and 1), which is plain or a compressed
//! wrapper around more messages. Nothing is parsed before it is asked for, and no accessor touches the
//! records. What the header of the older formats does not have reads as −1, as Kafka writes "none".

use crate::checksum;
use crate::compression::Codec;
use crate::error::{Error, ErrorKind};
use crate::record::layout;

/// The type of a batch's timestamps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimestampType {
    /// Magic 0 has no timestamps.
    None,
    /// Set by the producer, a record each.
    CreateTime,
    /// Set by the broker, the same for all records of a batch.
    LogAppendTime,
}

/// A whole batch or message inside a buffer, read lazily.
///
/// ```
/// # let segment = std::fs::read("../vectors/segments/java_zstd-0.log")?;
/// let mut batches = kcodec::batches(&segment);
/// let batch = batches.next().ok_or("empty")??;
/// assert_eq!((batch.magic(), batch.codec()?.name()), (2, "zstd"));
/// assert_eq!(batch.next_offset(), batch.base_offset() + i64::from(batch.last_offset_delta()) + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    raw: &'a [u8],
    position: usize,
    index: u32,
}

impl<'a> Batch<'a> {
    /// A view of `raw`, which a frame of at least 26 bytes was found to be.
    pub(crate) fn new(raw: &'a [u8], position: usize, index: u32) -> Self {
        Batch { raw, position, index }
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.raw.get(at..)?.first_chunk().copied()
    }

    /// A field of the magic-2 header; `none` in the older formats.
    fn field<const N: usize>(&self, at: usize, none: [u8; N]) -> [u8; N] {
        if self.magic() == 2 { self.array(at).unwrap_or(none) } else { none }
    }

    /// The batch's bytes, to be forwarded untouched.
    #[must_use]
    pub fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// Where the batch starts in the buffer it was found in.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Its bytes, the 12 before the end of the length field included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.raw.len()
    }

    /// Its place among the batches of the buffer, counted from 0.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The format: 2 for a record batch, 0 or 1 for a message. Other values are whole frames too.
    #[must_use]
    pub fn magic(&self) -> i8 {
        self.array(layout::MAGIC).map_or(-1, i8::from_be_bytes)
    }

    /// The offset as written. For magic 2 that of the first record (also when compaction removed it); for
    /// a compressed wrapper that of the last message inside.
    #[must_use]
    pub fn base_offset(&self) -> i64 {
        self.array(layout::BASE_OFFSET).map_or(-1, i64::from_be_bytes)
    }

    /// The attributes as written; the 8 bits of the older formats are extended with zeros.
    #[must_use]
    pub fn attributes(&self) -> i16 {
        if self.magic() == 2 {
            self.array(layout::ATTRIBUTES).map_or(0, i16::from_be_bytes)
        } else {
            self.array::<1>(layout::LEGACY_ATTRIBUTES).map_or(0, |[byte]| i16::from(byte))
        }
    }

    fn has(&self, bit: i16) -> bool {
        self.magic() == 2 && self.attributes() & bit != 0
    }

    /// The codec's number, whether it is a known one or not.
    #[must_use]
    pub fn codec_number(&self) -> u8 {
        self.attributes().to_le_bytes()[0] & Codec::MASK
    }

    /// How the records are compressed.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownCodec`] for 5 to 7, [`ErrorKind::CodecForMagic`] for zstd in a message.
    pub fn codec(&self) -> Result<Codec, Error> {
        let number = self.codec_number();
        let (kind, at) = match (Codec::from_number(number), self.magic()) {
            (Some(Codec::Zstd), 0 | 1) => (ErrorKind::CodecForMagic, layout::LEGACY_ATTRIBUTES),
            (Some(codec), _) => return Ok(codec),
            // The codec is in the low byte of the two.
            (None, 2) => (ErrorKind::UnknownCodec, layout::ATTRIBUTES.wrapping_add(1)),
            (None, _) => (ErrorKind::UnknownCodec, layout::LEGACY_ATTRIBUTES),
        };
        Err(self.fault(Error::at(kind, at).values(0, u64::from(number))))
    }

    /// Whose clock the timestamps are from.
    #[must_use]
    pub fn timestamp_type(&self) -> TimestampType {
        match self.magic() {
            0 => TimestampType::None,
            _ if self.attributes() & layout::LOG_APPEND_TIME != 0 => TimestampType::LogAppendTime,
            _ => TimestampType::CreateTime,
        }
    }

    /// Whether the batch belongs to a transaction.
    #[must_use]
    pub fn is_transactional(&self) -> bool {
        self.has(layout::TRANSACTIONAL)
    }

    /// Whether its records are control records, which no application gets to see.
    #[must_use]
    pub fn is_control(&self) -> bool {
        self.has(layout::CONTROL)
    }

    /// When compaction may drop the tombstones or the marker in this batch, in ms (KIP-534).
    #[must_use]
    pub fn delete_horizon(&self) -> Option<i64> {
        self.has(layout::DELETE_HORIZON).then(|| self.base_timestamp())
    }

    /// The checksum as written: CRC-32C for magic 2, CRC-32 for 0 and 1.
    #[must_use]
    pub fn crc(&self) -> u32 {
        let at = if self.magic() == 2 { layout::CRC } else { layout::LEGACY_CRC };
        self.array(at).map_or(0, u32::from_be_bytes)
    }

    /// The bytes that the checksum covers.
    pub(crate) fn checksummed(&self) -> &'a [u8] {
        let from = if self.magic() == 2 { layout::ATTRIBUTES } else { layout::MAGIC };
        self.raw.get(from..).unwrap_or_default()
    }

    /// The checksum that the bytes have. Reads all of them.
    #[must_use]
    pub fn computed_crc(&self) -> u32 {
        if self.magic() == 2 {
            checksum::crc32c(0, self.checksummed())
        } else {
            checksum::crc32(self.checksummed())
        }
    }

    /// Checks the checksum.
    ///
    /// # Errors
    /// [`ErrorKind::CrcMismatch`] with the stored and the computed value, or what
    /// [`check_header`](Self::check_header) finds.
    pub fn verify_crc(&self) -> Result<(), Error> {
        self.check_frame()?;
        self.compare_crc(self.computed_crc())
    }

    pub(crate) fn compare_crc(&self, computed: u32) -> Result<(), Error> {
        if computed == self.crc() {
            return Ok(());
        }
        let at = if self.magic() == 2 { layout::CRC } else { layout::LEGACY_CRC };
        let error = Error::at(ErrorKind::CrcMismatch, at);
        Err(self.fault(error.values(u64::from(self.crc()), u64::from(computed))))
    }

    /// The epoch of the leader that appended the batch; −1 from a producer and for magic 0 and 1.
    #[must_use]
    pub fn leader_epoch(&self) -> i32 {
        i32::from_be_bytes(self.field(layout::LEADER_EPOCH, [0xff; 4]))
    }

    /// The last offset relative to the base offset, kept by compaction; 0 for magic 0 and 1.
    #[must_use]
    pub fn last_offset_delta(&self) -> i32 {
        i32::from_be_bytes(self.field(layout::LAST_OFFSET_DELTA, [0; 4]))
    }

    /// The last offset that the batch covers, whether or not a record still has it.
    #[must_use]
    pub fn last_offset(&self) -> i64 {
        self.base_offset().saturating_add(i64::from(self.last_offset_delta()))
    }

    /// The offset to fetch next: after the last one the batch covers, for empty, control and compacted
    /// batches too. A wrapper whose offsets a broker has not assigned yet says 1 here; its rows in
    /// [`crate::Records`] and [`crate::RecordIter::next_offset`] know better.
    #[must_use]
    pub fn next_offset(&self) -> i64 {
        self.last_offset().saturating_add(1)
    }

    /// The timestamp that record deltas count from, in ms; with the delete-horizon bit the horizon.
    #[must_use]
    pub fn base_timestamp(&self) -> i64 {
        match self.magic() {
            2 => i64::from_be_bytes(self.field(layout::BASE_TIMESTAMP, [0xff; 8])),
            _ => self.max_timestamp(),
        }
    }

    /// The largest timestamp, or the append time of a batch with log-append time, in ms. −1 for magic 0.
    #[must_use]
    pub fn max_timestamp(&self) -> i64 {
        match self.magic() {
            2 => i64::from_be_bytes(self.field(layout::MAX_TIMESTAMP, [0xff; 8])),
            1 => self.array(layout::LEGACY_TIMESTAMP).map_or(-1, i64::from_be_bytes),
            _ => -1,
        }
    }

    /// The producer's id, −1 without one.
    #[must_use]
    pub fn producer_id(&self) -> i64 {
        i64::from_be_bytes(self.field(layout::PRODUCER_ID, [0xff; 8]))
    }

    /// The producer's epoch, −1 without one.
    #[must_use]
    pub fn producer_epoch(&self) -> i16 {
        i16::from_be_bytes(self.field(layout::PRODUCER_EPOCH, [0xff; 2]))
    }

    /// The sequence number of the first record, −1 without one.
    #[must_use]
    pub fn base_sequence(&self) -> i32 {
        i32::from_be_bytes(self.field(layout::BASE_SEQUENCE, [0xff; 4]))
    }

    /// The sequence number of the last record, −1 without one. 2³¹−1 is followed by 0.
    #[must_use]
    pub fn last_sequence(&self) -> i32 {
        sequence_after(self.base_sequence(), self.last_offset_delta())
    }

    /// The number of records as the header says; −1 for magic 0 and 1, which don't. Not to be trusted
    /// before the records were read.
    #[must_use]
    pub fn declared_count(&self) -> i32 {
        i32::from_be_bytes(self.field(layout::RECORD_COUNT, [0xff; 4]))
    }

    /// The records as stored, which may be compressed; only magic 2 has them apart from the header.
    pub(crate) fn body(&self) -> &'a [u8] {
        self.raw.get(layout::RECORDS..).unwrap_or_default()
    }

    /// Whether this is a sound header before uncompressed records.
    pub(crate) fn has_plain_records(&self) -> bool {
        let plain = self.magic() == 2 && self.codec_number() == Codec::None as u8;
        plain && self.declared_count() > 0 && self.raw.len() >= layout::RECORDS
    }

    /// Checks everything that can be known from the header: length, magic, codec and count.
    ///
    /// # Errors
    /// [`ErrorKind::BatchLength`], [`ErrorKind::UnknownMagic`], [`ErrorKind::UnknownCodec`],
    /// [`ErrorKind::CodecForMagic`] or [`ErrorKind::RecordCount`] (a negative count).
    pub fn check_header(&self) -> Result<(), Error> {
        self.check_frame()?;
        self.codec()?;
        if self.magic() == 2 && self.declared_count() < 0 {
            return Err(self.count_fault(0));
        }
        Ok(())
    }

    fn check_frame(&self) -> Result<(), Error> {
        check_magic(self.magic()).map_err(|error| self.fault(error))?;
        let min = layout::min_size(self.magic());
        if self.raw.len() < min {
            return Err(self.fault(length_error(min, self.raw.len())));
        }
        Ok(())
    }

    /// The declared count is not what the bytes hold (`actual` records at most or exactly).
    #[cold]
    pub(crate) fn count_fault(&self, actual: u64) -> Error {
        let declared = i64::from(self.declared_count()).cast_unsigned();
        self.fault(Error::at(ErrorKind::RecordCount, layout::RECORD_COUNT).values(declared, actual))
    }

    /// Completes an error whose position counts from the start of the batch.
    #[cold]
    pub(crate) fn fault(&self, error: Error) -> Error {
        self.placed(error.shifted(self.position))
    }

    /// Completes an error whose position is already that of its segment.
    #[cold]
    pub(crate) fn placed(&self, error: Error) -> Error {
        let error = error.in_batch(self.index);
        match check_magic(self.magic()) {
            Ok(()) => error.covering(self.base_offset(), self.next_offset()),
            Err(_) => error,
        }
    }
}

/// The sequence number `delta` records after `base`: −1 stays "none", and 2³¹−1 is followed by 0.
pub(crate) fn sequence_after(base: i32, delta: i32) -> i32 {
    if base < 0 {
        return -1;
    }
    base.wrapping_add(delta) & i32::MAX
}

/// The error of a magic that no format has, at its byte.
pub(crate) fn check_magic(magic: i8) -> Result<(), Error> {
    if matches!(magic, 0..=2) {
        return Ok(());
    }
    let actual = i64::from(magic).cast_unsigned();
    Err(Error::at(ErrorKind::UnknownMagic, layout::MAGIC).values(2, actual))
}

/// The error of a length field that says `size` bytes in all where at least `min` are needed.
#[cold]
pub(crate) fn length_error(min: usize, size: usize) -> Error {
    Error::at(ErrorKind::BatchLength, layout::LENGTH)
        .values(min.saturating_sub(layout::LOG_OVERHEAD) as u64, size as u64)
}

#[cfg(test)]
mod tests {
    use super::sequence_after;

    #[test]
    fn sequences_wrap_to_zero() {
        assert_eq!(sequence_after(i32::MAX - 1, 1), i32::MAX);
        assert_eq!(sequence_after(i32::MAX - 1, 2), 0);
        assert_eq!(sequence_after(i32::MAX, i32::MAX), i32::MAX - 1);
        assert_eq!(sequence_after(-1, 5), -1);
    }
}
