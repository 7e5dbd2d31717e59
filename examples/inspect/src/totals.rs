//! Counts, bytes and ratio by codec.

use std::fmt::Write;

use kcodec::Codec;

use crate::reading::Reading;
use crate::text;

/// The batches of one codec.
#[derive(Clone, Copy, Default, Debug)]
struct Line {
    batches: u64,
    records: u64,
    bytes: u64,
    /// Bytes of the batches that could be read, as stored and without compression.
    read: u64,
    plain: u64,
}

/// Sums over batches, by codec; the last line is for those without a known one.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Totals([Line; Codec::ALL.len() + 1]);

impl Totals {
    /// Adds a batch.
    pub(crate) fn add(&mut self, reading: &Reading<'_>) {
        let codec = reading.codec().map_or(Codec::ALL.len(), |codec| codec as usize);
        let line = &mut self.0[codec];
        line.batches += 1;
        line.bytes += reading.size;
        if let (Ok(contents), Some(plain)) = (&reading.contents, reading.plain_size()) {
            line.records += contents.count;
            line.read += reading.size;
            line.plain += plain;
        }
    }

    /// Adds all that another has.
    pub(crate) fn merge(&mut self, other: &Totals) {
        for (line, more) in self.0.iter_mut().zip(&other.0) {
            line.add(more);
        }
    }

    fn sum(&self) -> Line {
        let mut sum = Line::default();
        self.0.iter().for_each(|line| sum.add(line));
        sum
    }

    /// How many batches.
    pub(crate) fn batches(&self) -> u64 {
        self.sum().batches
    }

    /// How many records in the batches that could be read.
    pub(crate) fn records(&self) -> u64 {
        self.sum().records
    }

    /// How much that is, in words.
    pub(crate) fn counts(&self) -> String {
        let (batches, records) = (self.batches(), self.records());
        format!("{}, {}", text::count(batches, "batch"), text::count(records, "record"))
    }

    /// A table for a person, with a line a codec that occurs.
    pub(crate) fn table(&self) -> String {
        let mut table = format!(
            "  {:<8} {:>12} {:>14} {:>16} {:>16} {:>7}\n",
            "CODEC", "BATCHES", "RECORDS", "BYTES", "UNCOMPRESSED", "RATIO"
        );
        let names = Codec::ALL.into_iter().map(Codec::name).chain(["?"]);
        let used = names.zip(&self.0).filter(|(_, line)| line.batches != 0);
        let sum = self.sum();
        let several = used.clone().count() != 1;
        for (name, line) in used.chain(several.then_some(("all", &sum))) {
            let Line { batches, records, bytes, plain, .. } = line;
            let _ = writeln!(
                table,
                "  {name:<8} {batches:>12} {records:>14} {bytes:>16} {plain:>16} {:>7}",
                ratio(line.plain, line.read)
            );
        }
        table
    }
}

impl Line {
    fn add(&mut self, more: &Line) {
        self.batches += more.batches;
        self.records += more.records;
        self.bytes += more.bytes;
        self.read += more.read;
        self.plain += more.plain;
    }
}

/// How many times larger the bytes are when they are not compressed.
pub(crate) fn ratio(plain: u64, stored: u64) -> String {
    if stored == 0 {
        return "-".to_owned();
    }
    #[allow(clippy::cast_precision_loss, reason = "two digits are shown")]
    let ratio = plain as f64 / stored as f64;
    format!("{ratio:.2}")
}
