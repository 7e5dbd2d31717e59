//! What a consumer with isolation level `read_committed` gets to see.
//!
//! A fetch response names the aborted transactions that touch its records: a producer id and the offset of
//! the transaction's first record. Going through the batches in order, a transaction becomes active for the
//! filter where its first offset is reached and ends at the producer's ABORT marker. Transactional batches
//! of a producer with an active aborted transaction are skipped whole. The list is sorted here, since not
//! every broker does.

use alloc::vec::Vec;

use crate::record::control::ControlType;
use crate::record::rows::{BatchRow, Records};

/// A transaction that ended in an abort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AbortedTransaction {
    /// Offset of its first record in the partition.
    pub first_offset: i64,
    /// Its producer.
    pub producer_id: i64,
}

/// Says batch by batch, in offset order, whether a `read_committed` consumer may see the records.
///
/// ```
/// use kcodec::{AbortedTransaction, CommittedFilter, Decoder};
///
/// # let segment = std::fs::read("../vectors/segments/java_txn-15.log")?;
/// # let aborted = [AbortedTransaction { first_offset: 17, producer_id: 1 }];
/// let mut decoder = Decoder::default();
/// let records = decoder.decode(&segment)?;
/// let mut filter = CommittedFilter::new(&aborted);
/// for batch in records.batches() {
///     if filter.delivers(&records, batch) {
///         for row in records.rows(batch) {
///             println!("{}", row.offset);
///         }
///     }
/// }
/// // Skipped or not, the position moves on behind the last batch.
/// let next_fetch = records.next_offset();
/// # assert!(next_fetch.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CommittedFilter {
    /// By first offset, the earliest last.
    pending: Vec<AbortedTransaction>,
    /// Producers whose current transaction is an aborted one.
    active: Vec<i64>,
}

impl CommittedFilter {
    /// A filter for the `aborted` list of a fetch response, in any order.
    #[must_use]
    pub fn new(aborted: &[AbortedTransaction]) -> Self {
        let mut pending = aborted.to_vec();
        pending.sort_unstable_by(|a, b| b.cmp(a));
        CommittedFilter { pending, active: Vec::new() }
    }

    /// Whether the records of `batch` are to be delivered. To be asked for every batch in order, once.
    pub fn delivers(&mut self, records: &Records<'_>, batch: &BatchRow) -> bool {
        let marker = records.rows(batch).first().and_then(|row| records.control_type(batch, row));
        self.admits(batch, marker)
    }

    /// As [`delivers`](Self::delivers), for callers without tables: `marker` is the type of the first
    /// record of a control batch.
    pub fn admits(&mut self, batch: &BatchRow, marker: Option<ControlType>) -> bool {
        let last_offset = batch.last_offset();
        while let Some(next) = self.pending.pop_if(|next| next.first_offset <= last_offset) {
            if !self.active.contains(&next.producer_id) {
                self.active.push(next.producer_id);
            }
        }
        if batch.is_control() {
            if marker == Some(ControlType::Abort) {
                self.active.retain(|id| *id != batch.producer_id);
            }
            return false;
        }
        !(batch.is_transactional() && self.active.contains(&batch.producer_id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::layout;

    fn batch(offset: i64, producer_id: i64, attributes: i16) -> BatchRow {
        BatchRow { base_offset: offset, producer_id, attributes, magic: 2, ..BatchRow::default() }
    }

    #[test]
    fn follows_each_producer_to_its_marker() {
        let txn = layout::TRANSACTIONAL;
        let control = layout::TRANSACTIONAL | layout::CONTROL;
        // Unsorted on purpose, and producer 1 aborts twice.
        let aborted = [(30, 1), (10, 1), (11, 2)]
            .map(|(first_offset, producer_id)| AbortedTransaction { first_offset, producer_id });
        let mut filter = CommittedFilter::new(&aborted);
        let abort = Some(ControlType::Abort);
        let commit = Some(ControlType::Commit);
        let steps = [
            (batch(9, 1, txn), None, true),
            (batch(10, 1, txn), None, false),
            (batch(11, 2, txn), None, false),
            (batch(12, 1, 0), None, true),
            (batch(13, 3, txn), None, true),
            (batch(14, 3, control), commit, false),
            (batch(15, 1, control), abort, false),
            (batch(16, 1, txn), None, true),
            (batch(17, 2, txn), None, false),
            (batch(18, 2, control), abort, false),
            (batch(19, 2, txn), None, true),
            (batch(30, 1, txn), None, false),
        ];
        for (i, (row, marker, delivered)) in steps.into_iter().enumerate() {
            assert_eq!(filter.admits(&row, marker), delivered, "step {i}");
        }
    }
}
