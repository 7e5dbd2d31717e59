//! `kcodec-inspect`: what is in Kafka segment files and record sets.
//!
//! [`input`] finds what to read, [`frames`] cuts it into batches, [`reading`] reads one of them, and a
//! [`report::Printer`] shows it: [`table`] to a person, [`json`] to a program, [`verify`] what is wrong.

mod ahead;
mod args;
mod escape;
mod fault;
mod frames;
mod input;
mod json;
mod output;
mod reading;
mod report;
mod table;
mod text;
mod totals;
mod verify;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Parser;
use kcodec::{Batch, Codec};

use crate::args::{Args, When};
use crate::frames::{Entry, Frames};
use crate::input::Input;
use crate::output::Output;
use crate::reading::Reader;
use crate::report::{Options, Printer, Segment};

/// How it went: the greatest of these is the exit status.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Fine = 0,
    Faults = 1,
    Unreadable = 2,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut run = Run::new(&args);
    match run.all(&args) {
        Ok(()) => {}
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => run.complain("standard output", &error),
    }
    ExitCode::from(run.status as u8)
}

/// One run of the command.
struct Run {
    options: Options,
    printer: Box<dyn Printer>,
    out: Output,
    reader: Reader,
    status: Status,
}

impl Run {
    fn new(args: &Args) -> Self {
        let options = Options {
            records: args.records,
            base64: args.base64,
            verify: args.verify,
            from_offset: args.from_offset,
        };
        let coloured = match args.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !refused && io::stdout().is_terminal()
            }
        };
        let printer: Box<dyn Printer> = match (args.json, args.verify) {
            (true, _) => Box::new(json::Json::new(options)),
            (false, true) => Box::new(verify::Verify::default()),
            (false, false) => Box::new(table::Table::new(options)),
        };
        let reader = Reader::new(args.max_batch_bytes, args.max_total_bytes.unwrap_or(u64::MAX));
        Run { options, printer, out: Output::new(coloured), reader, status: Status::Fine }
    }

    fn complain(&mut self, name: &str, error: &io::Error) {
        eprintln!("kcodec-inspect: {name}: {error}");
        self.status = Status::Unreadable;
    }

    /// Reads all inputs. Fails only where nothing more can be printed.
    fn all(&mut self, args: &Args) -> io::Result<()> {
        let (inputs, unreadable) = input::inputs(&args.paths);
        for (path, error) in unreadable {
            self.complain(&path.display().to_string(), &error);
        }
        let folder = args.paths.iter().any(|path| path.is_dir());
        let several = args.paths.len() > 1 || folder;
        let mut previous: Option<(&Input, Option<i64>)> = None;
        for (i, input) in inputs.iter().enumerate() {
            if self.ends_too_early(input, inputs.get(i + 1)) {
                continue;
            }
            let neighbour = previous.filter(|(before, _)| {
                before.argument == input.argument && before.base_offset.is_some()
            });
            let segment = Segment {
                base_offset: input.base_offset,
                previous_next: neighbour.and_then(|(_, next_offset)| next_offset),
                ..Segment::default()
            };
            let next_offset = self.one(input, several, segment)?;
            previous = Some((input, next_offset));
        }
        self.printer.close(&mut self.out)?;
        self.out.finish()
    }

    /// Whether the segment after `input` says by its name that all of `input` is before the offset to
    /// start from.
    fn ends_too_early(&self, input: &Input, next: Option<&Input>) -> bool {
        let next = next.filter(|next| next.argument == input.argument);
        let next = next.and_then(|next| next.base_offset);
        matches!((next, self.options.from_offset), (Some(next), Some(from)) if next <= from)
    }

    /// Reads one input and returns the offset after it.
    fn one(
        &mut self,
        input: &Input,
        several: bool,
        mut segment: Segment,
    ) -> io::Result<Option<i64>> {
        let opened = input.open().and_then(|(reader, size)| {
            Ok((Frames::new(reader, size, self.reader.max_batch())?, size))
        });
        let (mut frames, size) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.complain(&input.name, &error);
                return Ok(None);
            }
        };
        self.out.begin(&input.name, size);
        self.printer.begin(&mut self.out, &input.name, several)?;
        loop {
            self.out.progress(frames.position());
            let reading = match frames.next() {
                Ok(Entry::Batch(placed)) => {
                    if self.options.from_offset.is_some_and(|from| is_before(&placed.batch, from)) {
                        continue;
                    }
                    self.reader.read(&placed)
                }
                Ok(Entry::TooLarge(placed)) => self.reader.too_large(&placed),
                Ok(Entry::End(end)) => {
                    segment.end(&end);
                    self.printer.end(&mut self.out, &end, &segment)?;
                    break;
                }
                Err(error) => {
                    self.out.finish()?;
                    self.complain(&input.name, &error);
                    break;
                }
            };
            segment.add(&reading);
            self.printer.batch(&mut self.out, &reading)?;
        }
        if segment.faults != 0 {
            self.status = self.status.max(Status::Faults);
        }
        self.out.finish()?;
        Ok(segment.next_offset)
    }
}

/// Whether all of a batch is below `offset`, judged by its header. A wrapper at offset 0 may hold offsets
/// that no broker assigned, so it is not judged.
fn is_before(batch: &Batch<'_>, offset: i64) -> bool {
    let unassigned =
        batch.magic() != 2 && batch.base_offset() == 0 && batch.codec_number() != Codec::None as u8;
    batch.check_header().is_ok() && !unassigned && batch.next_offset() <= offset
}
