//! What the printers have in common: what is asked of them, and what they are told.

use std::io;

use crate::frames::{End, Rest};
use crate::output::Output;
use crate::reading::Reading;
use crate::totals::Totals;

/// What the user wants to see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) records: bool,
    pub(crate) base64: bool,
    pub(crate) verify: bool,
    pub(crate) from_offset: Option<i64>,
}

impl Options {
    /// Whether the record with this offset is to be shown.
    pub(crate) fn wants(&self, offset: i64) -> bool {
        self.from_offset.is_none_or(|from| offset >= from)
    }
}

/// A way of showing inputs. Batches come in order, between the beginning and the end of their input.
pub(crate) trait Printer {
    /// An input was opened, one of several or the only one.
    fn begin(&mut self, out: &mut Output, name: &str, several: bool) -> io::Result<()>;
    /// A whole batch, whether it could be read or not.
    fn batch(&mut self, out: &mut Output, reading: &Reading<'_>) -> io::Result<()>;
    /// The input ended.
    fn end(&mut self, out: &mut Output, end: &End, segment: &Segment) -> io::Result<()>;
    /// All inputs ended.
    fn close(&mut self, out: &mut Output) -> io::Result<()>;
}

/// What was seen of one input as a whole.
#[derive(Default)]
pub(crate) struct Segment {
    /// The offset in its name.
    pub(crate) base_offset: Option<i64>,
    /// Where the segment before it in the same folder ended.
    pub(crate) previous_next: Option<i64>,
    /// The offset of its first batch.
    pub(crate) first_offset: Option<i64>,
    /// The offset after its last batch.
    pub(crate) next_offset: Option<i64>,
    pub(crate) totals: Totals,
    pub(crate) faults: u64,
}

impl Segment {
    /// Takes note of a batch that covers these offsets.
    pub(crate) fn cover(&mut self, base_offset: Option<i64>, next_offset: Option<i64>) {
        self.first_offset = self.first_offset.or(base_offset);
        self.next_offset = next_offset.or(self.next_offset);
    }

    /// Takes note of a batch that was read.
    pub(crate) fn add(&mut self, reading: &Reading<'_>) {
        self.cover(reading.base_offset(), reading.next_offset());
        self.totals.add(reading);
        self.faults += u64::from(reading.contents.is_err());
    }

    /// Takes note of the end.
    pub(crate) fn end(&mut self, end: &End) {
        let faults =
            [matches!(end.rest, Rest::Corrupt(_)), self.is_below_base(), self.overlaps_previous()];
        self.faults += faults.map(u64::from).iter().sum::<u64>();
    }

    /// Whether it has offsets below the one in its name.
    pub(crate) fn is_below_base(&self) -> bool {
        self.first_offset.zip(self.base_offset).is_some_and(|(first, base)| first < base)
    }

    /// Whether it has offsets of the segment before it.
    pub(crate) fn overlaps_previous(&self) -> bool {
        self.first_offset.zip(self.previous_next).is_some_and(|(first, next)| first < next)
    }

    /// What is wrong with the segment as a whole, in words.
    pub(crate) fn misplaced(&self) -> Vec<String> {
        let first = self.first_offset.unwrap_or_default();
        let mut faults = Vec::new();
        if let (true, Some(base)) = (self.is_below_base(), self.base_offset) {
            faults.push(format!("the first offset {first} is below the file name's {base}"));
        }
        if let (true, Some(next)) = (self.overlaps_previous(), self.previous_next) {
            faults.push(format!(
                "the first offset {first} is below {next}, where the previous segment ends"
            ));
        }
        faults
    }
}
