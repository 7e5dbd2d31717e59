//! Where the fields of a record batch and of a message lie. Each offset is the one before it plus that
//! field's width, as in Kafka's `DefaultRecordBatch` and `LegacyRecord`.
//!
//! ```text
//! all formats      magic 2                       magic 0 and 1
//!  0 base offset   12 partition leader epoch     12 CRC-32 of 16..end
//!  8 length        16 magic                      16 magic
//!                  17 CRC-32C of 21..end         17 attributes (8 bits)
//!                  21 attributes (16 bits)       18 timestamp (magic 1)
//!                  23 last offset delta          18 / 26 key length, key, value length, value
//!                  27 base timestamp
//!                  35 max timestamp
//!                  43 producer id
//!                  51 producer epoch
//!                  53 base sequence
//!                  57 record count
//!                  61 records
//! ```

#![allow(clippy::arithmetic_side_effects, reason = "sums of small constants")]

const I8: usize = 1;
const I16: usize = 2;
const I32: usize = 4;
const I64: usize = 8;

pub(crate) const BASE_OFFSET: usize = 0;
pub(crate) const LENGTH: usize = BASE_OFFSET + I64;
/// Bytes that the length field does not count: itself and the offset.
pub(crate) const LOG_OVERHEAD: usize = LENGTH + I32;

pub(crate) const LEADER_EPOCH: usize = LOG_OVERHEAD;
pub(crate) const MAGIC: usize = LEADER_EPOCH + I32;
/// Enough bytes to tell the format of an entry.
pub(crate) const HEADER_UP_TO_MAGIC: usize = MAGIC + I8;

pub(crate) const CRC: usize = HEADER_UP_TO_MAGIC;
pub(crate) const ATTRIBUTES: usize = CRC + I32;
pub(crate) const LAST_OFFSET_DELTA: usize = ATTRIBUTES + I16;
pub(crate) const BASE_TIMESTAMP: usize = LAST_OFFSET_DELTA + I32;
pub(crate) const MAX_TIMESTAMP: usize = BASE_TIMESTAMP + I64;
pub(crate) const PRODUCER_ID: usize = MAX_TIMESTAMP + I64;
pub(crate) const PRODUCER_EPOCH: usize = PRODUCER_ID + I64;
pub(crate) const BASE_SEQUENCE: usize = PRODUCER_EPOCH + I16;
pub(crate) const RECORD_COUNT: usize = BASE_SEQUENCE + I32;
pub(crate) const RECORDS: usize = RECORD_COUNT + I32;

pub(crate) const LEGACY_CRC: usize = LOG_OVERHEAD;
pub(crate) const LEGACY_ATTRIBUTES: usize = HEADER_UP_TO_MAGIC;
pub(crate) const LEGACY_TIMESTAMP: usize = LEGACY_ATTRIBUTES + I8;

/// Bytes of a message before its key length.
pub(crate) const fn message_header(magic: i8) -> usize {
    if magic == 0 { LEGACY_TIMESTAMP } else { LEGACY_TIMESTAMP + I64 }
}

/// The least bytes of an entry of this magic, the 12 before the end of the length included.
pub(crate) const fn min_size(magic: i8) -> usize {
    match magic {
        2 => RECORDS,
        1 => message_header(1) + I32 + I32,
        _ => message_header(0) + I32 + I32,
    }
}

/// The least value of the length field in any format.
pub(crate) const MIN_LENGTH: usize = min_size(0) - LOG_OVERHEAD;

/// The least bytes of a record: its length, attributes, timestamp delta, offset delta, key length, value
/// length and header count, a byte each.
pub(crate) const MIN_RECORD: usize = 7;
/// The least bytes of a header: two lengths of a byte each.
pub(crate) const MIN_HEADER: usize = 2;

/// Attribute bit: every record's timestamp is the batch's max timestamp.
pub(crate) const LOG_APPEND_TIME: i16 = 0x08;
/// Attribute bit: the batch belongs to a transaction.
pub(crate) const TRANSACTIONAL: i16 = 0x10;
/// Attribute bit: the records are control records.
pub(crate) const CONTROL: i16 = 0x20;
/// Attribute bit: the base timestamp is the delete horizon (KIP-534).
pub(crate) const DELETE_HORIZON: i16 = 0x40;

/// The largest input and the largest batch, as the wire's 32-bit lengths allow.
pub(crate) const MAX_BYTES: usize = i32::MAX as usize;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_format() {
        assert_eq!((RECORDS, min_size(2), min_size(1), min_size(0)), (61, 61, 34, 26));
        assert_eq!((CRC, ATTRIBUTES, MIN_LENGTH), (17, 21, 14));
        assert_eq!((message_header(0), message_header(1)), (18, 26));
    }
}
