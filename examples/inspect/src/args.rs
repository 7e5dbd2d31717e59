//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use kcodec::Limits;

const AFTER_HELP: &str = "\
Exit status: 0 fine, 1 faults found (a batch that cannot be read, a corrupt tail, a segment whose \
offsets are not its own), 2 used wrongly or something not readable. A last batch that is cut off, and \
zeros after the last batch, are no faults.";

const AFTER_LONG_HELP: &str = "\
Exit status:
  0  fine
  1  faults found: a batch that cannot be read, a corrupt tail, or a segment whose offsets are below
     its file name's or its predecessor's. A last batch that is cut off, and zeros after the last
     batch, are no faults: a broker leaves both.
  2  used wrongly, or something is not readable

What it does that Kafka's own kafka-dump-log (DumpLogSegments) does not:
  * JSON lines, with null, empty, binary and duplicate headers told apart
  * goes on after a batch that cannot be read, and names its exact bytes and offsets
  * reads magic 0, 1 and 2 in one go, mixed in one segment too, also old LZ4 frames
  * bounded memory, for files many times larger and for bombs: what a batch decompresses to is limited
  * reads a pipe (\"-\"), whole folders in offset order, files of any name
  * says of what comes after the last batch whether it is cut off, zeros or corrupt
  * exit statuses to be used in scripts; needs no JVM

Examples:
  kcodec-inspect 00000000000000000000.log
  kcodec-inspect --records --from-offset 4711 /var/lib/kafka/orders-0
  kcodec-inspect --json --records --base64 segment.log | jq .records
  kcodec-inspect --verify /var/lib/kafka/orders-0 && echo intact";

/// Prints what is in Kafka segment files: batches, records, and whatever is wrong with them.
#[derive(Parser, Debug)]
#[command(name = "kcodec-inspect", version, max_term_width = 104)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Segment files, folders of partitions (their .log files in offset order), or "-" for a raw record
    /// set from standard input, as in the records field of a fetch response.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print the records of each batch too.
    #[arg(long, short)]
    pub(crate) records: bool,

    /// Print one JSON object a line: every batch, then the end of each input. Keys and values are text
    /// where they are UTF-8, and "key_base64" and "value_base64" otherwise.
    #[arg(long, short)]
    pub(crate) json: bool,

    /// Print keys and values in base64 in any case.
    #[arg(long)]
    pub(crate) base64: bool,

    /// Print only what is wrong, with its exact range of bytes and offsets (both ends included).
    #[arg(long, conflicts_with = "records")]
    pub(crate) verify: bool,

    /// Leave out batches that end below this offset, and records below it.
    #[arg(long, value_name = "OFFSET")]
    pub(crate) from_offset: Option<i64>,

    /// The most bytes of a batch, as it is stored and decompressed; such as 16777216 or 16MiB.
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value_t = Limits::DEFAULT.max_batch_bytes)]
    pub(crate) max_batch_bytes: u64,

    /// The most bytes to decompress in one run. Only one batch is in memory at a time, so this bounds
    /// work and not memory. No bound if not given.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_total_bytes: Option<u64>,

    /// When to use colours. "auto": on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) color: When,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A number of bytes with or without a unit.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        unit => return Err(format!("{unit:?} is none of KiB, MiB and GiB")),
    };
    match digits.parse::<u64>().map(|number| number.checked_mul(1 << shift)) {
        Ok(Some(0)) => Err("at least 1".to_owned()),
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err("too large".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn bytes_take_units() {
        assert_eq!(bytes("16777216"), Ok(16 << 20));
        assert_eq!(bytes("16MiB"), Ok(16 << 20));
        assert_eq!(bytes("3G"), Ok(3 << 30));
        for wrong in ["", "0", "MiB", "-1", "1.5M", "1MB", "99999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
