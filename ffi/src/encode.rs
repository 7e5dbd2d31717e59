//! Encoding from tables: the rows that decoding gives.

use std::mem::MaybeUninit;

use kcodec_core::{
    BatchParams, BatchRow, Encoder, Error, ErrorKind, HeaderRow, RecordRow, encode_bound,
};

use crate::boundary::{Handle, boundary, plain};
use crate::codec::{codec_of, level_of};
use crate::pointer;
use crate::push::Pushed;
use crate::types::{
    KCODEC_COMPRESSION_DEFAULT, KCODEC_LAST_OFFSET_DELTA_AUTO, KCODEC_PARAMS_CONTROL,
    KCODEC_PARAMS_DELETE_HORIZON, KCODEC_PARAMS_LOG_APPEND_TIME, KCODEC_PARAMS_TRANSACTIONAL,
    kcodec_batch_params, kcodec_encode_options, kcodec_error, kcodec_slice, kcodec_status,
};

/// Memory for encoding, kept from call to call. Used by one call at a time.
pub struct kcodec_encoder {
    pub(crate) handle: Handle<State>,
}

#[derive(Default)]
pub(crate) struct State {
    encoder: Encoder,
    pub(crate) pushed: Pushed,
}

impl State {
    pub(crate) fn memory(&self) -> usize {
        self.encoder.memory().saturating_add(self.pushed.memory())
    }
}

/// Makes an encoder. `options` may be NULL for the defaults. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_new(
    options: *const kcodec_encode_options,
    out: *mut *mut kcodec_encoder,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let out = pointer::out(out)?;
            if !options.is_null() {
                let options = pointer::sized(options, size_of::<kcodec_encode_options>())?;
                if options.flags != 0 || !options.reserved.is_null() {
                    return Err(Error::new(ErrorKind::InvalidArgument));
                }
            }
            let encoder = kcodec_encoder { handle: Handle::new(State::default()) };
            out.write(Box::into_raw(Box::new(encoder)));
            Ok(())
        })
    }
}

/// Frees an encoder and the batch that it handed out. NULL is allowed. While a call on the encoder is under
/// way nothing happens: leaking is the smaller evil. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_free(encoder: *mut kcodec_encoder) {
    plain((), || {
        // SAFETY: the rules of the ABI: it came from `kcodec_encoder_new` and was not freed.
        if unsafe { pointer::of(encoder) }.is_ok_and(|encoder| !encoder.handle.is_lent()) {
            // SAFETY: as above, and nobody uses it.
            drop(unsafe { Box::from_raw(encoder) });
        }
    });
}

/// Bytes that the encoder holds. May be asked at any time, from any thread; 0 for NULL. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_memory(encoder: *const kcodec_encoder) -> usize {
    plain(0, || {
        // SAFETY: the rules of the ABI.
        unsafe { pointer::of(encoder) }.map_or(0, |encoder| encoder.handle.memory())
    })
}

/// Fills `params` with what a plain producer sends: magic 2, not compressed, base offset 0, no producer id.
/// `size` is `sizeof(kcodec_batch_params)`. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_batch_params_init(
    params: *mut kcodec_batch_params,
    size: usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe { boundary(err, || store_params(params, size, &BatchParams::default())) }
}

/// Fills `params` with what writes a decoded batch again: decode, edit rows, encode. `size` is
/// `sizeof(kcodec_batch_params)`. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_batch_params_of(
    batch: *const BatchRow,
    params: *mut kcodec_batch_params,
    size: usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe { boundary(err, || store_params(params, size, &BatchParams::of(pointer::of(batch)?))) }
}

/// # Safety
/// As [`pointer::store_sized`].
unsafe fn store_params(
    place: *mut kcodec_batch_params,
    size: usize,
    params: &BatchParams,
) -> Result<(), Error> {
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    let written = kcodec_batch_params {
        size: u32::try_from(size).map_err(|_| Error::new(ErrorKind::InvalidArgument))?,
        flags: flag(params.transactional, KCODEC_PARAMS_TRANSACTIONAL)
            | flag(params.control, KCODEC_PARAMS_CONTROL)
            | flag(params.log_append_time.is_some(), KCODEC_PARAMS_LOG_APPEND_TIME)
            | flag(params.delete_horizon.is_some(), KCODEC_PARAMS_DELETE_HORIZON),
        base_offset: params.base_offset,
        producer_id: params.producer_id,
        log_append_time: params.log_append_time.unwrap_or(0),
        delete_horizon: params.delete_horizon.unwrap_or(0),
        level: params.level.unwrap_or(KCODEC_COMPRESSION_DEFAULT),
        last_offset_delta: params.last_offset_delta.unwrap_or(KCODEC_LAST_OFFSET_DELTA_AUTO),
        leader_epoch: params.leader_epoch,
        base_sequence: params.base_sequence,
        producer_epoch: params.producer_epoch,
        unknown_attributes: params.unknown_attributes,
        magic: params.magic,
        codec: (params.codec as u8).cast_signed(),
        padding: [0; 2],
        reserved: std::ptr::null(),
    };
    // SAFETY: the caller's promise.
    unsafe { pointer::store_sized(place, size, size_of::<kcodec_batch_params>(), &written) }
}

/// # Safety
/// As [`pointer::sized`].
pub(crate) unsafe fn read_params(params: *const kcodec_batch_params) -> Result<BatchParams, Error> {
    const ALL: u32 = KCODEC_PARAMS_TRANSACTIONAL
        | KCODEC_PARAMS_CONTROL
        | KCODEC_PARAMS_LOG_APPEND_TIME
        | KCODEC_PARAMS_DELETE_HORIZON;
    // SAFETY: the caller's promise; zeros are a value of it.
    let params = unsafe { pointer::sized(params, size_of::<kcodec_batch_params>())? };
    let known = params.flags & !ALL == 0 && params.padding == [0; 2];
    if !known || !params.reserved.is_null() {
        return Err(Error::new(ErrorKind::InvalidArgument));
    }
    let is = |flag| params.flags & flag != 0;
    let last = params.last_offset_delta;
    Ok(BatchParams {
        magic: params.magic,
        codec: codec_of(params.codec.into())?,
        level: level_of(params.level),
        base_offset: params.base_offset,
        last_offset_delta: (last != KCODEC_LAST_OFFSET_DELTA_AUTO).then_some(last),
        leader_epoch: params.leader_epoch,
        producer_id: params.producer_id,
        producer_epoch: params.producer_epoch,
        base_sequence: params.base_sequence,
        transactional: is(KCODEC_PARAMS_TRANSACTIONAL),
        control: is(KCODEC_PARAMS_CONTROL),
        log_append_time: is(KCODEC_PARAMS_LOG_APPEND_TIME).then_some(params.log_append_time),
        delete_horizon: is(KCODEC_PARAMS_DELETE_HORIZON).then_some(params.delete_horizon),
        unknown_attributes: params.unknown_attributes,
    })
}

/// What a batch is encoded from.
struct Rows<'a> {
    params: BatchParams,
    data: &'a [u8],
    records: &'a [RecordRow],
    headers: &'a [HeaderRow],
}

impl Rows<'_> {
    fn encode<'e>(&self, encoder: &'e mut Encoder) -> Result<&'e [u8], Error> {
        encoder.encode(&self.params, self.data, self.records, self.headers)
    }

    fn encode_into(&self, encoder: &mut Encoder, to: &mut [u8]) -> Result<usize, Error> {
        encoder.encode_into(&self.params, self.data, self.records, self.headers, to)
    }
}

/// # Safety
/// As the functions of [`pointer`].
unsafe fn rows<'a>(
    params: *const kcodec_batch_params,
    (data, data_len): (*const u8, usize),
    (records, record_count): (*const RecordRow, usize),
    (headers, header_count): (*const HeaderRow, usize),
) -> Result<Rows<'a>, Error> {
    // SAFETY: the caller's promise.
    unsafe {
        Ok(Rows {
            params: read_params(params)?,
            data: pointer::slice(data, data_len)?,
            records: pointer::slice(records, record_count)?,
            headers: pointer::slice(headers, header_count)?,
        })
    }
}

/// Hands out `bytes`, which live in an encoder.
pub(crate) fn hand_out(bytes: &[u8], out: &mut MaybeUninit<kcodec_slice>) {
    out.write(kcodec_slice { data: bytes.as_ptr(), len: bytes.len() });
}

/// Encodes one batch, or for magic 0 and 1 the messages of a set. `records` have positions in `data` and
/// rows in `headers`; their offsets are absolute. `out` lives in the encoder until its next call. A row that
/// points elsewhere is `KCODEC_E_INVALID_ARGUMENT`, with its number in `err->record`. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encode(
    encoder: *mut kcodec_encoder,
    params: *const kcodec_batch_params,
    data: *const u8,
    data_len: usize,
    records: *const RecordRow,
    record_count: usize,
    headers: *const HeaderRow,
    header_count: usize,
    out: *mut kcodec_slice,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, out) = (pointer::of(encoder)?, pointer::out(out)?);
            let (data, records, headers) =
                ((data, data_len), (records, record_count), (headers, header_count));
            let rows = rows(params, data, records, headers)?;
            encoder.handle.lend(State::memory, |state| {
                hand_out(rows.encode(&mut state.encoder)?, out);
                Ok(())
            })
        })
    }
}

/// As `kcodec_encode`, to the caller's memory. With `KCODEC_E_BUFFER_TOO_SMALL`, `err->expected` is the
/// size needed; `kcodec_encode_bound` bytes always do. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encode_into(
    encoder: *mut kcodec_encoder,
    params: *const kcodec_batch_params,
    data: *const u8,
    data_len: usize,
    records: *const RecordRow,
    record_count: usize,
    headers: *const HeaderRow,
    header_count: usize,
    to: *mut u8,
    cap: usize,
    written: *mut usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, to, written) =
                (pointer::of(encoder)?, pointer::slice_mut(to, cap)?, pointer::out(written)?);
            let (data, records, headers) =
                ((data, data_len), (records, record_count), (headers, header_count));
            let rows = rows(params, data, records, headers)?;
            let encode = |state: &mut State| rows.encode_into(&mut state.encoder, to);
            written.write(encoder.handle.lend(State::memory, encode)?);
            Ok(())
        })
    }
}

/// The most bytes that `kcodec_encode` gives for these rows; 0 for arguments that it would refuse.
/// Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encode_bound(
    params: *const kcodec_batch_params,
    records: *const RecordRow,
    record_count: usize,
    headers: *const HeaderRow,
    header_count: usize,
) -> usize {
    plain(0, || {
        let (records, headers) = ((records, record_count), (headers, header_count));
        // SAFETY: the rules of the ABI.
        let rows = unsafe { rows(params, (std::ptr::null(), 0), records, headers) };
        rows.map_or(0, |rows| encode_bound(&rows.params, rows.records, rows.headers))
    })
}
