//! From bytes to tables.

use kcodec::{
    AbortedTransaction, BatchRow, CommittedFilter, ControlType, DecodeOptions, Error, ErrorKind,
    Level, Limits, Records, Scratch, Tail,
};

use crate::fault::Fault;
use crate::state::{State, state};
use crate::view::{Table, out_of_memory};

/// Bits of `flags`, all of them 0 for the defaults.
const SKIP_CRC: u32 = 1;
const KEEP_GOING: u32 = 2;
const BATCHES_ONLY: u32 = 4;
const SKIP_CONTROL: u32 = 8;
const CHECK_UTF8: u32 = 16;

fn options(flags: u32, limits: Limits) -> DecodeOptions {
    DecodeOptions {
        limits,
        verify_crc: flags & SKIP_CRC == 0,
        keep_going: flags & KEEP_GOING != 0,
        batches_only: flags & BATCHES_ONLY != 0,
        skip_control: flags & SKIP_CONTROL != 0,
        check_utf8: flags & CHECK_UTF8 != 0,
    }
}

fn limits(batch_bytes: u32, total_bytes: u32, max_records: u32, max_headers: u32) -> Limits {
    Limits {
        max_batch_bytes: batch_bytes.into(),
        max_total_bytes: total_bytes.into(),
        max_records,
        max_headers,
    }
}

/// Decodes the first `len` bytes of the input. A limit of 0 is its default.
#[unsafe(no_mangle)]
pub extern "C" fn decode(
    len: usize,
    flags: u32,
    max_batch_bytes: u32,
    max_total_bytes: u32,
    max_records: u32,
    max_headers: u32,
) -> i32 {
    let limits = limits(max_batch_bytes, max_total_bytes, max_records, max_headers);
    let state = state();
    state.decoder.set_options(options(flags, limits));
    let result = state.decoder.decode(&state.input[..len]).map(drop);
    let result = show(state, len).and(result);
    state.view.end(result)
}

/// Says where the decoder left its tables.
#[allow(clippy::cast_possible_truncation, reason = "memory has less than 2^32 bytes")]
fn show(state: &mut State, len: usize) -> Result<(), Error> {
    let State { input, decoder, controls, segments, faults, view, .. } = state;
    let records = decoder.decoded(&input[..len]);
    segments.clear();
    segments.try_reserve(records.segment_count()).map_err(out_of_memory)?;
    let decompressed = 1..records.segment_count() as u32;
    segments.extend(decompressed.map(|index| Table::of(records.segment(index))));
    controls.clear();
    controls.try_reserve(records.batches().len()).map_err(out_of_memory)?;
    controls.extend(records.batches().iter().map(|batch| control_type(&records, batch)));
    faults.clear();
    faults.try_reserve(records.faults().len() + 1).map_err(out_of_memory)?;
    faults.extend(records.faults().iter().map(Fault::of));
    if let Tail::Corrupt(error) = records.tail() {
        faults.push(Fault::of(&error));
    }
    view.batches = Table::of(records.batches());
    view.records = Table::of(records.records());
    view.headers = Table::of(records.headers());
    view.controls = Table::of(controls);
    view.segments = Table::of(segments);
    view.faults = Table::of(faults);
    view.consumed = records.consumed() as u32;
    view.note_tail(records.tail());
    Ok(())
}

/// Checks the first `len` bytes of the input: `level` 0 headers, 1 checksums, 2 records, 3 what a broker asks
/// of a producer.
#[unsafe(no_mangle)]
pub extern "C" fn validate(
    len: usize,
    level: u32,
    max_batch_bytes: u32,
    max_total_bytes: u32,
    max_records: u32,
    max_headers: u32,
) -> i32 {
    let limits = limits(max_batch_bytes, max_total_bytes, max_records, max_headers);
    let state = state();
    let input = &state.input[..len];
    let mut scratch = Scratch::new(options(0, limits));
    let result = match level {
        0 => kcodec::validate(input, Level::Frame, &mut scratch),
        1 => kcodec::validate(input, Level::Crc, &mut scratch),
        2 => kcodec::validate(input, Level::Full, &mut scratch),
        3 => kcodec::validate_produce(input, &mut scratch).map(drop),
        _ => Err(Error::new(ErrorKind::InvalidArgument)),
    };
    state.view.end(result)
}

/// Which of `batches` rows a consumer that reads committed records gets. The batches and their control types
/// are where [`rows`](crate::rows) said; the input holds the `aborted` transactions, for each its first offset
/// and its producer id. Leaves one byte a batch in the output.
#[unsafe(no_mangle)]
pub extern "C" fn committed(batches: usize, aborted: usize) -> i32 {
    let State { input, batches: rows, controls, output, view, .. } = state();
    let numbers =
        input[..aborted * 16].as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes));
    let numbers: Vec<i64> = numbers.collect();
    let aborted = numbers
        .as_chunks()
        .0
        .iter()
        .map(|&[first_offset, producer_id]| AbortedTransaction { first_offset, producer_id });
    let aborted: Vec<_> = aborted.collect();
    let mut filter = CommittedFilter::new(&aborted);
    let rows = rows[..batches].iter().zip(&controls[..batches]);
    output.clear();
    output.extend(rows.map(|(row, control)| {
        let [a, b] = control.to_be_bytes();
        u8::from(filter.admits(row, ControlType::of_key(Some(&[0, 0, a, b]))))
    }));
    view.output = Table::of(output);
    0
}

/// The type of the first record of a control batch, −1 where there is none.
fn control_type(records: &Records<'_>, batch: &BatchRow) -> i16 {
    let first = records.rows(batch).first();
    let control = first.and_then(|row| records.control_type(batch, row));
    control.map_or(-1, ControlType::number)
}
