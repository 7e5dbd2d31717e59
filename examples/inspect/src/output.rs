//! Standard output, with colours and a progress bar where there is a person to see them.
//!
//! Lines are collected and written a block at a time. The bar is on standard error, and is taken away
//! while a block is written so that the two do not mix.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};

/// Bytes that are collected before they are written.
const BLOCK: usize = 1 << 16;
/// The least size of an input that takes long enough for a bar.
const LONG: u64 = 64 << 20;
/// Bytes between two moves of the bar.
const STEP: u64 = 1 << 22;

/// A colour of a terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Red,
    Green,
    Yellow,
    Cyan,
    Bold,
    Dim,
}

impl Colour {
    fn code(self) -> &'static str {
        match self {
            Colour::Red => "31",
            Colour::Green => "32",
            Colour::Yellow => "33",
            Colour::Cyan => "36",
            Colour::Bold => "1",
            Colour::Dim => "2",
        }
    }
}

/// Where everything is printed.
pub(crate) struct Output {
    block: Vec<u8>,
    coloured: bool,
    bar: Option<ProgressBar>,
    shown: u64,
}

impl Output {
    /// Writes to standard output, with colours if `coloured` says so.
    pub(crate) fn new(coloured: bool) -> Self {
        Output { block: Vec::with_capacity(2 * BLOCK), coloured, bar: None, shown: 0 }
    }

    /// `text` in `colour`, or as it is where there are none.
    pub(crate) fn paint(&self, colour: Colour, text: &str) -> String {
        if self.coloured {
            format!("\x1b[{}m{text}\x1b[0m", colour.code())
        } else {
            text.to_owned()
        }
    }

    /// Starts with an input of this size.
    pub(crate) fn begin(&mut self, name: &str, size: Option<u64>) {
        let Some(size) = size.filter(|size| *size >= LONG) else { return };
        if !(io::stdout().is_terminal() && io::stderr().is_terminal()) {
            return;
        }
        let template = "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left  {msg}";
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        self.shown = 0;
        self.bar = Some(ProgressBar::new(size).with_style(style).with_message(name.to_owned()));
    }

    /// Moves the bar to this byte of the input.
    pub(crate) fn progress(&mut self, position: u64) {
        if let Some(bar) = &self.bar
            && position - self.shown >= STEP
        {
            self.shown = position;
            bar.set_position(position);
        }
    }

    /// Ends with the input.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.len() + bytes.len() > 2 * BLOCK || self.block.len() > BLOCK {
            self.flush()?;
        }
        let bytes = &bytes[..bytes.len().min(BLOCK)];
        self.block.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let write = || {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&self.block)?;
            stdout.flush()
        };
        let done = match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
        self.block.clear();
        done
    }
}
