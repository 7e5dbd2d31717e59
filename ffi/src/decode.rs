//! Decoding into tables. The decoder is only memory to reuse.
//!
//! The core's tables are handed out as they are. What holds pointers is made here after each call: the
//! segments, of which the first is the caller's input and therefore kept as a pointer, never as a slice,
//! and the faults in their C form.

use std::ptr;

use kcodec_core::{DecodeOptions, Decoder, Error, ErrorKind, Records, Scratch, Tail};

use crate::boundary::{Handle, boundary, plain};
use crate::pointer;
use crate::types::{
    KCODEC_DECODE_BATCHES_ONLY, KCODEC_DECODE_CHECK_UTF8, KCODEC_DECODE_KEEP_GOING,
    KCODEC_DECODE_SKIP_CONTROL, KCODEC_DECODE_SKIP_CRC, KCODEC_TAIL_CORRUPT, KCODEC_TAIL_NONE,
    KCODEC_TAIL_PARTIAL, KCODEC_TAIL_ZEROS, kcodec_decode_options, kcodec_error, kcodec_records,
    kcodec_slice, kcodec_status,
};

/// Memory for decoding, kept from call to call. Used by one call at a time.
pub struct kcodec_decoder {
    handle: Handle<State>,
}

struct State {
    decoder: Decoder,
    /// For validation; made when first needed.
    scratch: Scratch,
    /// The input of the last call, for segment 0.
    input: kcodec_slice,
    segments: Vec<kcodec_slice>,
    faults: Vec<kcodec_error>,
}

const NO_INPUT: kcodec_slice = kcodec_slice { data: ptr::null(), len: 0 };

impl State {
    fn new(options: DecodeOptions) -> Self {
        State {
            decoder: Decoder::new(options),
            scratch: Scratch::new(options),
            input: NO_INPUT,
            segments: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn memory(&self) -> usize {
        let slices = self.segments.capacity().saturating_mul(size_of::<kcodec_slice>());
        let faults = self.faults.capacity().saturating_mul(size_of::<kcodec_error>());
        let own = slices.saturating_add(faults);
        own.saturating_add(self.decoder.memory()).saturating_add(self.scratch.memory())
    }

    fn shrink(&mut self, keep: usize) {
        self.decoder.shrink(keep);
        self.scratch.shrink(0);
        (self.input, self.segments, self.faults) = (NO_INPUT, Vec::new(), Vec::new());
    }

    /// What the last call decoded, as C reads it.
    fn view(&mut self) -> Result<kcodec_records, Error> {
        let records = self.decoder.decoded(&[]);
        fill_segments(&mut self.segments, self.input, &records)?;
        fill_faults(&mut self.faults, &records)?;
        let (tail, needed) = match records.tail() {
            Tail::None => (KCODEC_TAIL_NONE, 0),
            Tail::Partial { needed } => (KCODEC_TAIL_PARTIAL, needed.unwrap_or(0)),
            Tail::Zeros => (KCODEC_TAIL_ZEROS, 0),
            Tail::Corrupt(_) => (KCODEC_TAIL_CORRUPT, 0),
        };
        Ok(kcodec_records {
            segments: self.segments.as_ptr(),
            segment_count: self.segments.len(),
            batches: records.batches().as_ptr(),
            batch_count: records.batches().len(),
            records: records.records().as_ptr(),
            record_count: records.records().len(),
            headers: records.headers().as_ptr(),
            header_count: records.headers().len(),
            faults: self.faults.as_ptr(),
            fault_count: self.faults.len(),
            consumed: records.consumed(),
            needed,
            tail,
            reserved: 0,
        })
    }
}

fn fill_segments(
    segments: &mut Vec<kcodec_slice>,
    input: kcodec_slice,
    records: &Records<'_>,
) -> Result<(), Error> {
    segments.clear();
    segments
        .try_reserve(records.segment_count())
        .map_err(|_| Error::new(ErrorKind::OutOfMemory))?;
    segments.push(input);
    for (index, _) in (1..).zip(1..records.segment_count()) {
        let payload = records.segment(index);
        segments.push(kcodec_slice { data: payload.as_ptr(), len: payload.len() });
    }
    Ok(())
}

fn fill_faults(faults: &mut Vec<kcodec_error>, records: &Records<'_>) -> Result<(), Error> {
    let tail = match records.tail() {
        Tail::Corrupt(error) => Some(error),
        _ => None,
    };
    let all = records.faults().len().saturating_add(1);
    faults.clear();
    faults.try_reserve(all).map_err(|_| Error::new(ErrorKind::OutOfMemory))?;
    faults.extend(records.faults().iter().chain(tail.as_ref()).map(kcodec_error::of));
    Ok(())
}

/// # Safety
/// As [`pointer::sized`].
unsafe fn read_options(options: *const kcodec_decode_options) -> Result<DecodeOptions, Error> {
    const ALL: u32 = KCODEC_DECODE_SKIP_CRC
        | KCODEC_DECODE_KEEP_GOING
        | KCODEC_DECODE_BATCHES_ONLY
        | KCODEC_DECODE_SKIP_CONTROL
        | KCODEC_DECODE_CHECK_UTF8;
    if options.is_null() {
        return Ok(DecodeOptions::default());
    }
    // SAFETY: the caller's promise; zeros are a value of it.
    let options = unsafe { pointer::sized(options, size_of::<kcodec_decode_options>())? };
    if !options.reserved.is_null() || options.flags & !ALL != 0 {
        return Err(Error::new(ErrorKind::InvalidArgument));
    }
    let is = |flag| options.flags & flag != 0;
    Ok(DecodeOptions {
        limits: options.limits.into(),
        verify_crc: !is(KCODEC_DECODE_SKIP_CRC),
        keep_going: is(KCODEC_DECODE_KEEP_GOING),
        batches_only: is(KCODEC_DECODE_BATCHES_ONLY),
        skip_control: is(KCODEC_DECODE_SKIP_CONTROL),
        check_utf8: is(KCODEC_DECODE_CHECK_UTF8),
    })
}

/// Makes a decoder that has allocated nothing but itself. `options` may be NULL for the defaults. Since
/// 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decoder_new(
    options: *const kcodec_decode_options,
    out: *mut *mut kcodec_decoder,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (options, out) = (read_options(options)?, pointer::out(out)?);
            out.write(Box::into_raw(Box::new(kcodec_decoder {
                handle: Handle::new(State::new(options)),
            })));
            Ok(())
        })
    }
}

/// Frees a decoder and all that it handed out. NULL is allowed. While a call on the decoder is under way
/// nothing happens: leaking is the smaller evil. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decoder_free(decoder: *mut kcodec_decoder) {
    plain((), || {
        // SAFETY: the rules of the ABI: it came from `kcodec_decoder_new` and was not freed.
        if unsafe { pointer::of(decoder) }.is_ok_and(|decoder| !decoder.handle.is_lent()) {
            // SAFETY: as above, and nobody uses it.
            drop(unsafe { Box::from_raw(decoder) });
        }
    });
}

/// Decodes all whole batches of `input`: the records of a fetch response or produce request, or a segment
/// file. A cut-off tail is no fault: see `tail` and `consumed` of `out`.
///
/// Without `KCODEC_DECODE_KEEP_GOING` the first fault ends the call and `out` is not written; the batches
/// before it are to be had from `kcodec_decoded`. With it the call succeeds, and faults are in
/// `batch.status` and the table `faults`. `input` must stay as it is while segment 0 is read. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decode(
    decoder: *mut kcodec_decoder,
    input: *const u8,
    input_len: usize,
    out: *mut kcodec_records,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (decoder, bytes, out) =
                (pointer::of(decoder)?, pointer::slice(input, input_len)?, pointer::out(out)?);
            let decode = |state: &mut State| {
                state.input = kcodec_slice { data: input, len: input_len };
                state.decoder.decode(bytes).map(drop)?;
                state.view()
            };
            out.write(decoder.handle.lend(State::memory, decode)?);
            Ok(())
        })
    }
}

/// The tables of the last `kcodec_decode` on this decoder: after a fault, the batches before it. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decoded(
    decoder: *mut kcodec_decoder,
    out: *mut kcodec_records,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (decoder, out) = (pointer::of(decoder)?, pointer::out(out)?);
            out.write(decoder.handle.lend(State::memory, State::view)?);
            Ok(())
        })
    }
}

/// Forgets what was decoded and gives memory back, down to `keep` bytes for payloads. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decoder_shrink(
    decoder: *mut kcodec_decoder,
    keep: usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let decoder = pointer::of(decoder)?;
            decoder.handle.lend(State::memory, |state| {
                state.shrink(keep);
                Ok(())
            })
        })
    }
}

/// Bytes that the decoder holds for tables and payloads. May be asked at any time, from any thread; 0 for
/// NULL. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_decoder_memory(decoder: *const kcodec_decoder) -> usize {
    plain(0, || {
        // SAFETY: the rules of the ABI.
        unsafe { pointer::of(decoder) }.map_or(0, |decoder| decoder.handle.memory())
    })
}

impl kcodec_decoder {
    /// Lends the memory for decompression to a validation.
    pub(crate) fn with_scratch(
        &self,
        call: impl FnOnce(&mut Scratch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.handle.lend(State::memory, |state| call(&mut state.scratch))
    }

    /// Lends what the last call decoded, which must have been on `input`.
    pub(crate) fn with_decoded(
        &self,
        input: &[u8],
        call: impl FnOnce(&DecodeOptions, Records<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.handle.lend(State::memory, |state| {
            if input.len() != state.input.len {
                return Err(Error::new(ErrorKind::InvalidArgument));
            }
            call(state.decoder.options(), state.decoder.decoded(input))
        })
    }
}
