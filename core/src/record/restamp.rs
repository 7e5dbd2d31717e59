//! Rewriting the header of a batch in place, as a broker does on append.
//!
//! Base offset and leader epoch of a record batch lie outside its checksum, so that a leader assigns
//! offsets without reading the records. What the checksum covers is rewritten together with it; the records
//! are read for that, but not touched, and stay compressed. Bits of the attributes that this library does
//! not know are kept.

use crate::checksum;
use crate::error::{Error, ErrorKind};
use crate::record::batch::Batch;
use crate::record::batches::Frame;
use crate::record::layout;

/// Gives the batch at the start of `bytes` its place in the log: the base offset, and for magic 2 the epoch
/// of the leader that appends it. Checksum and records stay as they are.
///
/// A message of magic 0 or 1 gets `base_offset` as its own offset; for a compressed wrapper of magic 1
/// that is the offset of its last message.
///
/// # Errors
/// What [`Batch::check_header`] finds, or [`ErrorKind::Truncated`] when `bytes` hold no whole batch.
///
/// ```
/// # use kcodec::{BatchBuilder, BatchParams};
/// let mut builder = BatchBuilder::new(BatchParams::default())?;
/// builder.push(1_700_000_000_000, None, Some(b"value"), &[])?;
/// let mut bytes = builder.finish()?.to_vec();
///
/// kcodec::assign_offsets(&mut bytes, 4711, 3)?;
/// let batch = kcodec::batches(&bytes).next().ok_or("no batch")??;
/// assert_eq!((batch.base_offset(), batch.leader_epoch()), (4711, 3));
/// batch.verify_crc()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assign_offsets(bytes: &mut [u8], base_offset: i64, leader_epoch: i32) -> Result<(), Error> {
    let batch = first(bytes)?;
    let magic = batch.magic();
    put(bytes, layout::BASE_OFFSET, base_offset.to_be_bytes());
    if magic == 2 {
        put(bytes, layout::LEADER_EPOCH, leader_epoch.to_be_bytes());
    }
    Ok(())
}

/// Marks the batch at the start of `bytes` as stamped by the broker at `timestamp` (ms): sets the attribute
/// bit and the timestamp that holds for all records, and redoes the checksum. Record bytes stay.
///
/// # Errors
/// As [`assign_offsets`], and [`ErrorKind::NotRepresentable`] for magic 0, which has no timestamps.
pub fn set_log_append_time(bytes: &mut [u8], timestamp: i64) -> Result<(), Error> {
    let (magic, attributes) = {
        let batch = first(bytes)?;
        (batch.magic(), batch.attributes() | layout::LOG_APPEND_TIME)
    };
    rewrite(bytes, magic, attributes, timestamp)
}

/// Marks the batch at the start of `bytes` as stamped by its producer, with `max_timestamp` (ms) as the
/// largest timestamp of its records, and redoes the checksum: what a broker does to a client's batch on a
/// topic with create time.
///
/// # Errors
/// As [`set_log_append_time`].
pub fn set_create_time(bytes: &mut [u8], max_timestamp: i64) -> Result<(), Error> {
    let (magic, attributes) = {
        let batch = first(bytes)?;
        (batch.magic(), batch.attributes() & !layout::LOG_APPEND_TIME)
    };
    rewrite(bytes, magic, attributes, max_timestamp)
}

fn rewrite(bytes: &mut [u8], magic: i8, attributes: i16, timestamp: i64) -> Result<(), Error> {
    match magic {
        2 => {
            put(bytes, layout::ATTRIBUTES, attributes.to_be_bytes());
            put(bytes, layout::MAX_TIMESTAMP, timestamp.to_be_bytes());
        }
        1 => {
            let [_, low] = attributes.to_be_bytes();
            put(bytes, layout::LEGACY_ATTRIBUTES, [low]);
            put(bytes, layout::LEGACY_TIMESTAMP, timestamp.to_be_bytes());
        }
        _ => return Err(Error::at(ErrorKind::NotRepresentable, layout::MAGIC)),
    }
    refresh_crc(bytes)
}

/// Computes the checksum of the batch at the start of `bytes` anew and stores it, after a change of its
/// header.
///
/// # Errors
/// As [`assign_offsets`].
pub fn refresh_crc(bytes: &mut [u8]) -> Result<(), Error> {
    let batch = first(bytes)?;
    let (at, crc) = if batch.magic() == 2 {
        (layout::CRC, checksum::crc32c(0, batch.checksummed()))
    } else {
        (layout::LEGACY_CRC, checksum::crc32(batch.checksummed()))
    };
    put(bytes, at, crc.to_be_bytes());
    Ok(())
}

fn first(bytes: &[u8]) -> Result<Batch<'_>, Error> {
    let Frame::Whole(raw) = Frame::read(bytes) else {
        return Err(Error::at(ErrorKind::Truncated, bytes.len()));
    };
    let batch = Batch::new(raw, 0, 0);
    batch.check_header()?;
    Ok(batch)
}

fn put<const N: usize>(bytes: &mut [u8], at: usize, field: [u8; N]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = field;
    }
}
