//! Headers only, and validation: what needs no tables.

use kcodec_core::ErrorKind;
use kcodec_core::{BatchRow, Error, Level, Scratch, Tail, batches, validate, validate_produce};

use crate::boundary::{boundary, plain};
use crate::control::too_small;
use crate::decode::kcodec_decoder;
use crate::pointer;
use crate::types::{
    KCODEC_LEVEL_CRC, KCODEC_LEVEL_FRAME, KCODEC_LEVEL_FULL, KCODEC_LEVEL_PRODUCE, kcodec_error,
    kcodec_status,
};

/// Fills in one row a batch from its header alone, to route, count, split or forward: nothing is
/// allocated, decompressed or checksummed. Rows have no records; a header that cannot be right gives its
/// row a status.
///
/// `count` and `consumed` tell of all whole batches, and are also written with
/// `KCODEC_E_BUFFER_TOO_SMALL` (then the first `cap` rows are filled in) and for a corrupt tail. `rows` may
/// be NULL with `cap` 0. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_scan(
    input: *const u8,
    input_len: usize,
    rows: *mut BatchRow,
    cap: usize,
    count: *mut usize,
    consumed: *mut usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (input, rows) = (pointer::slice(input, input_len)?, pointer::slice_mut(rows, cap)?);
            let (count, consumed) = (pointer::out(count)?, pointer::out(consumed)?);
            let scanned = scan(input, rows)?;
            count.write(scanned.count);
            consumed.write(scanned.consumed);
            scanned.fault.map_or(Ok(()), Err)
        })
    }
}

struct Scanned {
    count: usize,
    consumed: usize,
    fault: Option<Error>,
}

fn scan(input: &[u8], rows: &mut [BatchRow]) -> Result<Scanned, Error> {
    const MOST: usize = i32::MAX as usize;
    if input.len() > MOST {
        let values = (MOST as u64, input.len() as u64);
        return Err(Error::new(ErrorKind::LimitInput).values(values.0, values.1));
    }
    let mut batches = batches(input);
    let (cap, mut places, mut count) = (rows.len(), rows.iter_mut(), 0usize);
    for batch in batches.by_ref().flatten() {
        count = count.saturating_add(1);
        let Some(place) = places.next() else { continue };
        let status = batch.check_header().map_or_else(|error| error.kind().number(), |()| 0);
        *place = BatchRow { status, ..BatchRow::of(&batch) };
    }
    let fault = match batches.tail() {
        Tail::Corrupt(error) => Some(error),
        _ if count > cap => Some(too_small(count, cap)),
        _ => None,
    };
    Ok(Scanned { count, consumed: batches.consumed(), fault })
}

/// Checks `input` as deep as `level` (`KCODEC_LEVEL_…`) says, and returns the first fault. A cut-off tail
/// is none, except for `KCODEC_LEVEL_PRODUCE`. `decoder` gives limits and memory, and may be NULL below
/// `KCODEC_LEVEL_FULL`; what it decoded before is no longer to be read. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_validate(
    decoder: *mut kcodec_decoder,
    input: *const u8,
    input_len: usize,
    level: u32,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let input = pointer::slice(input, input_len)?;
            if decoder.is_null() && level < KCODEC_LEVEL_FULL {
                return validate_at(level, input, &mut Scratch::default());
            }
            let decoder = pointer::of(decoder)?;
            decoder.with_scratch(|scratch| validate_at(level, input, scratch))
        })
    }
}

fn validate_at(level: u32, input: &[u8], scratch: &mut Scratch) -> Result<(), Error> {
    match level {
        KCODEC_LEVEL_FRAME => validate(input, Level::Frame, scratch),
        KCODEC_LEVEL_CRC => validate(input, Level::Crc, scratch),
        KCODEC_LEVEL_FULL => validate(input, Level::Full, scratch),
        KCODEC_LEVEL_PRODUCE => validate_produce(input, scratch),
        _ => Err(Error::new(ErrorKind::InvalidArgument)),
    }
}

/// The offset to fetch next after `batch`, whatever became of its records; −1 for NULL. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_next_offset(batch: *const BatchRow) -> i64 {
    // SAFETY: the rules of the ABI.
    plain(-1, || unsafe { pointer::of(batch) }.map_or(-1, BatchRow::next_offset))
}

/// The sequence number of the last record of `batch`, −1 without one. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_last_sequence(batch: *const BatchRow) -> i32 {
    // SAFETY: the rules of the ABI.
    plain(-1, || unsafe { pointer::of(batch) }.map_or(-1, BatchRow::last_sequence))
}
