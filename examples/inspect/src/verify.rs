//! Only what is wrong, a line each.

use std::io::{self, Write};

use crate::frames::{End, Rest};
use crate::output::{Colour, Output};
use crate::reading::Reading;
use crate::report::{Printer, Segment};
use crate::text;
use crate::totals::Totals;

/// Prints faults, and a line for each input.
#[derive(Default)]
pub(crate) struct Verify {
    name: String,
    several: bool,
    totals: Totals,
    faults: u64,
}

impl Verify {
    fn line(&self, out: &mut Output, place: &str, what: &str) -> io::Result<()> {
        let (name, what) = (&self.name, out.paint(Colour::Red, what));
        writeln!(out, "{name}: {place}: {what}")
    }
}

impl Printer for Verify {
    fn begin(&mut self, _: &mut Output, name: &str, several: bool) -> io::Result<()> {
        name.clone_into(&mut self.name);
        self.several = several;
        Ok(())
    }

    fn batch(&mut self, out: &mut Output, reading: &Reading<'_>) -> io::Result<()> {
        let Err(fault) = &reading.contents else { return Ok(()) };
        let mut what = text::fault(fault);
        if let Some(next_offset) = fault.next_offset {
            what += &format!("; read on at offset {next_offset}");
        }
        self.line(out, &text::place(reading), &what)
    }

    fn end(&mut self, out: &mut Output, end: &End, segment: &Segment) -> io::Result<()> {
        if let Rest::Corrupt(fault) = &end.rest {
            let bytes = format!("bytes {}-{}", end.consumed, end.input_size.saturating_sub(1));
            let offsets = match segment.next_offset {
                Some(next) => format!("offsets from {next}"),
                None => "offsets unknown".to_owned(),
            };
            let what = text::fault(fault) + "; no batch can be found after it";
            self.line(out, &format!("{bytes}, {offsets}"), &what)?;
        }
        for what in segment.misplaced() {
            let (first, next) = segment.first_offset.zip(segment.next_offset).unwrap_or_default();
            let bytes = format!("bytes 0-{}", end.consumed.saturating_sub(1));
            let offsets = text::range(first, next.saturating_sub(1));
            self.line(out, &format!("{bytes}, offsets {offsets}"), &what)?;
        }
        let rest = text::rest(&end.rest, end.input_size.saturating_sub(end.consumed));
        let name = &self.name;
        summary(
            out,
            name,
            &segment.totals,
            segment.faults,
            &format!(", {} bytes, {rest}", end.consumed),
        )?;
        self.totals.merge(&segment.totals);
        self.faults += segment.faults;
        Ok(())
    }

    fn close(&mut self, out: &mut Output) -> io::Result<()> {
        if self.several { summary(out, "all", &self.totals, self.faults, "") } else { Ok(()) }
    }
}

fn summary(
    out: &mut Output,
    name: &str,
    totals: &Totals,
    faults: u64,
    more: &str,
) -> io::Result<()> {
    let found = match faults {
        0 => out.paint(Colour::Green, "no faults"),
        _ => out.paint(Colour::Red, &text::count(faults, "fault")),
    };
    writeln!(out, "{name}: {found} in {}{more}", totals.counts())
}
