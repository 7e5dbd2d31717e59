//! Checking bytes without taking records out of them.
//!
//! What a reader accepts and what a broker accepts from a producer are two questions. [`validate`] asks the
//! first, at three depths. [`validate_produce`] asks the second: the checks of Kafka's `LogValidator` and
//! `ProduceRequest.validateRecords` that depend on the bytes alone.

use crate::error::{Error, ErrorKind};
use crate::record::batch::{Batch, TimestampType};
use crate::record::batches::{Batches, Tail};
use crate::record::layout;
use crate::record::payload::Scratch;

/// How deep to look.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// The headers: lengths, magics, codecs, counts.
    Frame,
    /// And the checksums.
    Crc,
    /// And every record, decompressed where needed.
    Full,
}

/// Checks a record set. A cut-off or zero tail is no fault.
///
/// # Errors
/// The first fault.
///
/// ```
/// use kcodec::{Level, Scratch, validate};
/// # let segment = std::fs::read("../vectors/segments/java_snappy-0.log")?;
/// assert_eq!(validate(&segment, Level::Full, &mut Scratch::default()), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(input: &[u8], level: Level, scratch: &mut Scratch) -> Result<(), Error> {
    for batch in Batches::new(input) {
        validate_batch(&batch?, level, scratch)?;
    }
    Ok(())
}

/// Checks one batch.
///
/// # Errors
/// The first fault.
pub fn validate_batch(batch: &Batch<'_>, level: Level, scratch: &mut Scratch) -> Result<(), Error> {
    match level {
        Level::Frame => batch.check_header(),
        Level::Crc => batch.verify_crc().and_then(|()| batch.check_header()),
        Level::Full => batch.records(scratch)?.checked().map(drop),
    }
}

/// Checks the records of one partition in a produce request of version 3 or above as a broker does: exactly
/// one whole batch of magic 2, sound in itself, with base offset 0, dense offsets, a right max timestamp,
/// no control batch, and producer fields that belong together.
///
/// # Errors
/// The `PRODUCE_…` kind of the rule, or what makes the batch unreadable.
///
/// ```
/// # use kcodec::{BatchBuilder, BatchParams, Scratch, validate_produce};
/// let mut builder = BatchBuilder::new(BatchParams::default())?;
/// builder.push(1_700_000_000_000, None, Some(b"value"), &[])?;
/// validate_produce(builder.finish()?, &mut Scratch::default())?;
/// # Ok::<(), kcodec::Error>(())
/// ```
pub fn validate_produce(input: &[u8], scratch: &mut Scratch) -> Result<(), Error> {
    let mut batches = Batches::new(input);
    let Some(batch) = batches.next().transpose()? else {
        return Err(Error::new(ErrorKind::ProduceBatchCount).values(1, 0));
    };
    let fault = |kind, at| batch.fault(Error::at(kind, at));
    if batch.magic() != 2 && matches!(batch.magic(), 0 | 1) {
        return Err(fault(ErrorKind::ProduceMagic, layout::MAGIC));
    }
    if batches.next().is_some() || batches.tail() != Tail::None {
        return Err(Error::at(ErrorKind::ProduceBatchCount, batch.size()).values(1, 2));
    }
    batch.verify_crc()?;
    batch.check_header()?;
    if batch.is_control() {
        return Err(fault(ErrorKind::ProduceControl, layout::ATTRIBUTES));
    }
    let by_broker = batch.timestamp_type() == TimestampType::LogAppendTime;
    if by_broker || batch.delete_horizon().is_some() {
        return Err(fault(ErrorKind::ProduceAttributes, layout::ATTRIBUTES));
    }
    let count = batch.declared_count();
    let dense = count > 0 && Some(batch.last_offset_delta()) == count.checked_sub(1);
    if batch.base_offset() != 0 || !dense {
        return Err(fault(ErrorKind::ProduceOffsets, layout::LAST_OFFSET_DELTA));
    }
    if batch.producer_id() >= 0 {
        if batch.base_sequence() < 0 || batch.producer_epoch() < 0 {
            return Err(fault(ErrorKind::ProduceSequence, layout::BASE_SEQUENCE));
        }
    } else if batch.is_transactional() {
        return Err(fault(ErrorKind::ProduceSequence, layout::PRODUCER_ID));
    }
    validate_contents(&batch, scratch)
}

fn validate_contents(batch: &Batch<'_>, scratch: &mut Scratch) -> Result<(), Error> {
    let mut largest = i64::MIN;
    for (index, record) in (0u32..).zip(batch.records(scratch)?) {
        let record = record?;
        if record.offset != i64::from(index) {
            let error = Error::at(ErrorKind::ProduceOffsets, layout::RECORDS).in_record(index);
            return Err(batch.fault(error));
        }
        largest = largest.max(record.timestamp);
    }
    if largest != batch.max_timestamp() {
        let (largest, written) = (largest.cast_unsigned(), batch.max_timestamp().cast_unsigned());
        let error = Error::at(ErrorKind::ProduceMaxTimestamp, layout::MAX_TIMESTAMP);
        return Err(batch.fault(error.values(largest, written)));
    }
    Ok(())
}
