//! Entries of the index files beside a segment.
//!
//! A preallocated index that a crash left behind ends in zeros; readers stop at the first entry that does
//! not go up. That is the caller's to decide: here an entry is an entry.

use crate::record::committed::AbortedTransaction;

/// An entry of a `.index` file: the last offset of a batch and where the batch starts in the segment.
///
/// ```
/// let entry = kcodec::index::OffsetIndexEntry::read(&[0, 0, 0, 5, 0, 0, 0x12, 0x67], 50);
/// assert_eq!((entry.offset, entry.position), (55, 4711));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OffsetIndexEntry {
    /// Absolute.
    pub offset: i64,
    /// Bytes from the start of the segment.
    pub position: i32,
}

impl OffsetIndexEntry {
    /// Bytes of an entry.
    pub const SIZE: usize = 8;

    /// Reads an entry of the index of the segment that starts at `base_offset`.
    #[must_use]
    pub fn read(bytes: &[u8; Self::SIZE], base_offset: i64) -> Self {
        let &[a, b, c, d, e, f, g, h] = bytes;
        let relative = i32::from_be_bytes([a, b, c, d]);
        OffsetIndexEntry {
            offset: base_offset.wrapping_add(i64::from(relative)),
            position: i32::from_be_bytes([e, f, g, h]),
        }
    }
}

/// An entry of a `.timeindex` file: the largest timestamp so far and the offset that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeIndexEntry {
    /// Milliseconds since the epoch.
    pub timestamp: i64,
    /// Absolute.
    pub offset: i64,
}

impl TimeIndexEntry {
    /// Bytes of an entry.
    pub const SIZE: usize = 12;

    /// Reads an entry of the index of the segment that starts at `base_offset`.
    #[must_use]
    pub fn read(bytes: &[u8; Self::SIZE], base_offset: i64) -> Self {
        let &[a, b, c, d, e, f, g, h, i, j, k, l] = bytes;
        let relative = i32::from_be_bytes([i, j, k, l]);
        TimeIndexEntry {
            timestamp: i64::from_be_bytes([a, b, c, d, e, f, g, h]),
            offset: base_offset.wrapping_add(i64::from(relative)),
        }
    }
}

/// An entry of a `.txnindex` file: a transaction that was aborted in the segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransactionIndexEntry {
    /// 0.
    pub version: i16,
    /// The producer.
    pub producer_id: i64,
    /// The transaction's first offset in the partition.
    pub first_offset: i64,
    /// The offset of its ABORT marker.
    pub last_offset: i64,
    /// The last stable offset once it had ended.
    pub last_stable_offset: i64,
}

impl TransactionIndexEntry {
    /// Bytes of an entry.
    pub const SIZE: usize = 34;

    /// Reads an entry.
    #[must_use]
    pub fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let &[v0, v1, ref numbers @ ..] = bytes;
        let (numbers, _) = numbers.as_chunks::<8>();
        let number = |i: usize| numbers.get(i).map_or(-1, |bytes| i64::from_be_bytes(*bytes));
        TransactionIndexEntry {
            version: i16::from_be_bytes([v0, v1]),
            producer_id: number(0),
            first_offset: number(1),
            last_offset: number(2),
            last_stable_offset: number(3),
        }
    }

    /// What a [`crate::CommittedFilter`] needs of it.
    #[must_use]
    pub fn aborted(&self) -> AbortedTransaction {
        AbortedTransaction { first_offset: self.first_offset, producer_id: self.producer_id }
    }
}
