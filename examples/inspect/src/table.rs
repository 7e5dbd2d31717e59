//! A table of batches for a person.
//!
//! Rows are collected for a while so that the columns fit them; a wider value later makes its column wider
//! from there on. With records, each batch's row is followed by them.

use std::io::{self, Write};

use kcodec::{ControlType, EndTxnMarker, Record};

use crate::escape::Field;
use crate::frames::{End, Rest};
use crate::output::{Colour, Output};
use crate::reading::{Contents, Reading};
use crate::report::{Options, Printer, Segment};
use crate::text;
use crate::totals::{self, Totals};

/// Rows that the widths of the columns are made to fit before the first is printed.
const PAGE: usize = 256;

const TITLES: [&str; 12] = [
    "OFFSETS",
    "RECORDS",
    "POSITION",
    "SIZE",
    "MAGIC",
    "CODEC",
    "RATIO",
    "TIMESTAMPS (UTC)",
    "PRODUCER",
    "SEQUENCE",
    "LEADER",
    "CRC",
];
/// Columns of numbers that are read from the right.
const RIGHT: [bool; 12] =
    [false, true, true, true, true, false, true, false, true, true, true, false];
const CRC: usize = 11;

struct Row {
    cells: [String; 12],
    colour: Colour,
    notes: String,
    /// Lines that follow.
    fault: Option<String>,
}

/// Prints for a person.
pub(crate) struct Table {
    options: Options,
    widths: [usize; 12],
    rows: Vec<Row>,
    titles_due: bool,
    several: bool,
    totals: Totals,
}

impl Table {
    /// Nothing is printed before the first input.
    pub(crate) fn new(options: Options) -> Self {
        let widths = TITLES.map(str::len);
        let totals = Totals::default();
        Table { options, widths, rows: Vec::new(), titles_due: false, several: false, totals }
    }

    fn flush(&mut self, out: &mut Output) -> io::Result<()> {
        for row in &self.rows {
            for (width, cell) in self.widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(cell.len());
            }
        }
        if std::mem::take(&mut self.titles_due) {
            let titles = self.line(&TITLES.map(str::to_owned)) + "  NOTES";
            writeln!(out, "{}", out.paint(Colour::Bold, &titles))?;
        }
        for row in std::mem::take(&mut self.rows) {
            let line = self.line(&row.cells);
            let (line, crc) = line.split_at(line.len() - self.widths[CRC]);
            let crc = if row.notes.is_empty() { crc.trim_end() } else { crc };
            let notes =
                if row.notes.is_empty() { String::new() } else { format!("  {}", row.notes) };
            writeln!(out, "{line}{}{notes}", out.paint(row.colour, crc))?;
            if let Some(fault) = row.fault {
                writeln!(out, "    {}", out.paint(Colour::Red, &fault))?;
            }
        }
        Ok(())
    }

    fn line(&self, cells: &[String; 12]) -> String {
        let mut line = String::new();
        for ((cell, &width), right) in cells.iter().zip(&self.widths).zip(RIGHT) {
            let gap = if line.is_empty() { "" } else { "  " };
            line += &if right {
                format!("{gap}{cell:>width$}")
            } else {
                format!("{gap}{cell:<width$}")
            };
        }
        line
    }

    fn record(&self, out: &mut Output, record: &Record<'_>, control: bool) -> io::Result<()> {
        let field = |bytes| Field { bytes, base64: self.options.base64 };
        let offset = out.paint(Colour::Cyan, &format!("{:>12}", record.offset));
        let time = out.paint(Colour::Dim, &text::time(record.timestamp));
        write!(out, "{offset}  {time}  ")?;
        if control {
            let name = ControlType::of_key(record.key).map_or("?", ControlType::name);
            let name = out.paint(Colour::Yellow, name);
            write!(out, "{name} ")?;
        }
        write!(out, "key={} value={}", field(record.key), field(record.value))?;
        for (i, header) in record.headers.enumerate() {
            let start = if i == 0 { " headers=[" } else { ", " };
            write!(out, "{start}{}={}", field(Some(header.key)), field(header.value))?;
        }
        out.write_all(if record.headers.len() == 0 { b"\n" } else { b"]\n" })
    }
}

impl Printer for Table {
    fn begin(&mut self, out: &mut Output, name: &str, several: bool) -> io::Result<()> {
        self.several = several;
        self.titles_due = true;
        self.widths = TITLES.map(str::len);
        writeln!(out, "{}", out.paint(Colour::Bold, name))
    }

    fn batch(&mut self, out: &mut Output, reading: &Reading<'_>) -> io::Result<()> {
        self.rows.push(row(reading));
        if self.options.records {
            self.flush(out)?;
            if let Ok(contents) = &reading.contents {
                let control = reading.batch.is_control();
                for record in contents.records() {
                    if self.options.wants(record.offset) {
                        self.record(out, &record, control)?;
                    }
                }
            }
        } else if self.rows.len() >= PAGE {
            self.flush(out)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output, end: &End, segment: &Segment) -> io::Result<()> {
        self.flush(out)?;
        writeln!(out)?;
        write!(out, "{}", segment.totals.counts())?;
        if let (Some(first), Some(next)) = (segment.first_offset, segment.next_offset) {
            write!(out, ", offsets {}", text::range(first, next.saturating_sub(1)))?;
        }
        let left = end.input_size.saturating_sub(end.consumed);
        let rest = text::rest(&end.rest, left);
        let rest = match &end.rest {
            Rest::None => rest,
            Rest::Partial { .. } | Rest::Zeros => out.paint(Colour::Yellow, &rest),
            Rest::Corrupt(_) => out.paint(Colour::Red, &rest),
        };
        writeln!(out, ", {} of {} bytes, {rest}", end.consumed, end.input_size)?;
        let mut faults = segment.misplaced();
        if let Rest::Corrupt(fault) = &end.rest {
            faults.insert(0, text::fault(fault));
        }
        for fault in faults {
            writeln!(out, "    {}", out.paint(Colour::Red, &fault))?;
        }
        if segment.faults != 0 {
            let faults = text::count(segment.faults, "fault") + ", see --verify for the list";
            writeln!(out, "{}", out.paint(Colour::Red, &faults))?;
        }
        if segment.totals.batches() != 0 {
            out.write_all(segment.totals.table().as_bytes())?;
        }
        self.totals.merge(&segment.totals);
        if self.several { writeln!(out) } else { Ok(()) }
    }

    fn close(&mut self, out: &mut Output) -> io::Result<()> {
        if !self.several {
            return Ok(());
        }
        let all = format!("all: {}", self.totals.counts());
        writeln!(out, "{}", out.paint(Colour::Bold, &all))?;
        out.write_all(self.totals.table().as_bytes())
    }
}

fn row(reading: &Reading<'_>) -> Row {
    let batch = &reading.batch;
    let known = |text: String| if reading.header_known { text } else { "?".to_owned() };
    let some = |is_some: bool, text: String| if is_some { text } else { "-".to_owned() };
    let offsets = match (reading.base_offset(), reading.last_offset()) {
        (Some(first), Some(last)) => text::range(first, last),
        (None, Some(last)) => format!("?-{last}"),
        _ => "?".to_owned(),
    };
    let records = match (&reading.contents, batch.declared_count()) {
        (Ok(contents), _) => contents.count.to_string(),
        (Err(_), count) if count >= 0 => count.to_string(),
        _ => "?".to_owned(),
    };
    let ratio = match reading.plain_size() {
        Some(plain) if batch.codec_number() != 0 => totals::ratio(plain, reading.size),
        _ => "-".to_owned(),
    };
    // With a delete horizon the base timestamp is that horizon instead.
    let first_time = match batch.delete_horizon() {
        None => batch.base_timestamp(),
        Some(_) => batch.max_timestamp(),
    };
    let producer = format!("{}/{}", batch.producer_id(), batch.producer_epoch());
    let (first, last) = (i64::from(batch.base_sequence()), i64::from(batch.last_sequence()));
    let (crc, colour) = match reading.crc_ok {
        Some(true) => ("ok", Colour::Green),
        Some(false) => ("WRONG", Colour::Red),
        None => ("?", Colour::Yellow),
    };
    Row {
        cells: [
            offsets,
            records,
            reading.position.to_string(),
            reading.size.to_string(),
            batch.magic().to_string(),
            reading.codec().map_or("?", kcodec::Codec::name).to_owned(),
            ratio,
            known(text::times(first_time, batch.max_timestamp())),
            known(some(batch.producer_id() >= 0, producer)),
            known(some(first >= 0, text::range(first, last))),
            known(some(batch.leader_epoch() >= 0, batch.leader_epoch().to_string())),
            crc.to_owned(),
        ],
        colour,
        notes: notes(reading),
        fault: reading.contents.as_ref().err().map(text::fault),
    }
}

/// What few batches have, in words.
fn notes(reading: &Reading<'_>) -> String {
    let batch = &reading.batch;
    let contents = reading.contents.as_ref().ok();
    let mut notes = Vec::new();
    if !reading.header_known {
        return String::new();
    }
    if batch.is_transactional() {
        notes.push("transactional".to_owned());
    }
    if batch.is_control() {
        let control_type = contents.and_then(|contents| contents.control_type);
        let name = control_type.map_or("?", ControlType::name);
        notes.push(format!("control {name}{}", coordinator(contents)));
    }
    if reading.timestamp_type() == "LogAppendTime" {
        notes.push("log-append time".to_owned());
    }
    if let Some(horizon) = batch.delete_horizon() {
        notes.push(format!("delete horizon {}", text::time(horizon)));
    }
    if let (Some(contents), Some(first), Some(last)) =
        (contents, reading.base_offset(), reading.last_offset())
    {
        let holes = i128::from(last) - i128::from(first) + 1 - i128::from(contents.count);
        if holes > 0 {
            notes.push(format!("{holes} offsets without a record"));
        }
    }
    notes.join(", ")
}

/// The epoch in a transaction marker.
fn coordinator(contents: Option<&Contents<'_>>) -> String {
    let record = contents.and_then(|contents| contents.records().next());
    let ends = |record: &Record<'_>| {
        let control_type = ControlType::of_key(record.key);
        matches!(control_type, Some(ControlType::Commit | ControlType::Abort))
    };
    let marker = record.filter(ends).and_then(|record| EndTxnMarker::of_value(record.value));
    marker.map_or(String::new(), |marker| format!(" by coordinator {}", marker.coordinator_epoch))
}
