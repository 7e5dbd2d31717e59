//! Encoding record by record, for C programs whose keys and values lie here and there.
//!
//! The core's builder wants a record with all its headers at once; C gives them one by one. So headers wait
//! in the handle, copied, for the record that they belong to.

use kcodec_core::{BatchBuilder, BatchParams, ControlType, Error, ErrorKind, Header};

use crate::boundary::boundary;
use crate::encode::{State, hand_out, kcodec_encoder, read_params};
use crate::pointer;
use crate::types::{
    KCODEC_CONTROL_ABORT, KCODEC_CONTROL_COMMIT, kcodec_batch_params, kcodec_error, kcodec_slice,
    kcodec_status,
};

/// A batch in the making.
#[derive(Default)]
pub(crate) struct Pushed {
    builder: Option<BatchBuilder>,
    /// Headers of the next record.
    waiting: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl Pushed {
    pub(crate) fn memory(&self) -> usize {
        self.builder.as_ref().map_or(0, BatchBuilder::memory)
    }

    fn begin(&mut self, params: BatchParams) -> Result<(), Error> {
        self.waiting.clear();
        match &mut self.builder {
            Some(builder) => builder.reset(params),
            None => BatchBuilder::new(params).map(|builder| self.builder = Some(builder)),
        }
    }

    fn header(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<(), Error> {
        let header = (copied(key)?, value.map(copied).transpose()?);
        self.waiting.push(header);
        Ok(())
    }

    /// Runs `call` on the builder and the headers that wait.
    fn with<'a, R>(
        &'a mut self,
        call: impl FnOnce(&'a mut BatchBuilder, &[Header<'_>]) -> R,
    ) -> Result<R, Error> {
        let builder = self.builder.as_mut().ok_or(Error::new(ErrorKind::InvalidArgument))?;
        let headers = self.waiting.iter();
        let headers = headers.map(|(key, value)| Header { key, value: value.as_deref() });
        Ok(call(builder, &headers.collect::<Vec<_>>()))
    }

    fn push(
        &mut self,
        timestamp: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<i64, Error> {
        let offset = self.with(|builder, headers| builder.push(timestamp, key, value, headers))?;
        self.waiting.clear();
        offset
    }

    fn marker(&mut self, timestamp: i64, control: i32, epoch: i32) -> Result<(), Error> {
        let control = match control {
            KCODEC_CONTROL_ABORT => ControlType::Abort,
            KCODEC_CONTROL_COMMIT => ControlType::Commit,
            _ => return Err(Error::new(ErrorKind::InvalidArgument)),
        };
        self.with(|builder, _| builder.push_marker(timestamp, control, epoch).map(drop))?
    }

    fn finish(&mut self) -> Result<&[u8], Error> {
        self.waiting.clear();
        self.with(|builder, _| builder.finish())?
    }
}

fn copied(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| Error::new(ErrorKind::OutOfMemory))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Starts a batch that is filled record by record; one that is not finished is dropped. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_begin(
    encoder: *mut kcodec_encoder,
    params: *const kcodec_batch_params,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, params) = (pointer::of(encoder)?, read_params(params)?);
            encoder.handle.lend(State::memory, |state| state.pushed.begin(params))
        })
    }
}

/// Adds a header to the record that the next `kcodec_encoder_push` appends. A NULL value is null; the key
/// may be empty but not null. Both are copied. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_header(
    encoder: *mut kcodec_encoder,
    key: *const u8,
    key_len: usize,
    value: *const u8,
    value_len: usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, key, value) = (
                pointer::of(encoder)?,
                pointer::slice(key, key_len)?,
                pointer::field(value, value_len)?,
            );
            encoder.handle.lend(State::memory, |state| state.pushed.header(key, value))
        })
    }
}

/// Appends a record. A NULL key or value is null, a pointer with length 0 is empty. `timestamp` is in ms,
/// −1 for none. `offset` may be NULL, or is where the record's offset is stored. After a fault the batch is
/// as it was before, without the headers that waited. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_push(
    encoder: *mut kcodec_encoder,
    timestamp: i64,
    key: *const u8,
    key_len: usize,
    value: *const u8,
    value_len: usize,
    offset: *mut i64,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, key, value) = (
                pointer::of(encoder)?,
                pointer::field(key, key_len)?,
                pointer::field(value, value_len)?,
            );
            let push = |state: &mut State| state.pushed.push(timestamp, key, value);
            let pushed = encoder.handle.lend(State::memory, push)?;
            pointer::out_or_null(offset, pushed)
        })
    }
}

/// Appends the record that ends a transaction, `KCODEC_CONTROL_COMMIT` or `KCODEC_CONTROL_ABORT`. The
/// parameters must have said so with `KCODEC_PARAMS_CONTROL` and `KCODEC_PARAMS_TRANSACTIONAL`. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_marker(
    encoder: *mut kcodec_encoder,
    timestamp: i64,
    control_type: i32,
    coordinator_epoch: i32,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let marker =
                |state: &mut State| state.pushed.marker(timestamp, control_type, coordinator_epoch);
            pointer::of(encoder)?.handle.lend(State::memory, marker)
        })
    }
}

/// Whether one more record, with the headers that wait, keeps the batch within `limit` bytes whatever its
/// contents: `fits` is set to 1 or 0. A first record always fits. Only the lengths matter. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_fits(
    encoder: *mut kcodec_encoder,
    limit: usize,
    key: *const u8,
    key_len: usize,
    value: *const u8,
    value_len: usize,
    fits: *mut i32,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, fits) = (pointer::of(encoder)?, pointer::out(fits)?);
            let (key, value) = (pointer::field(key, key_len)?, pointer::field(value, value_len)?);
            let answer = encoder.handle.lend(State::memory, |state| {
                state.pushed.with(|builder, headers| builder.fits(limit, key, value, headers))
            })?;
            fits.write(answer.into());
            Ok(())
        })
    }
}

/// Finishes the batch. `out` lives in the encoder until its next call; the next `kcodec_encoder_push` starts
/// a batch with the same parameters. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_encoder_finish(
    encoder: *mut kcodec_encoder,
    out: *mut kcodec_slice,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (encoder, out) = (pointer::of(encoder)?, pointer::out(out)?);
            let finish =
                |state: &mut State| state.pushed.finish().map(|batch| hand_out(batch, out));
            encoder.handle.lend(State::memory, finish)
        })
    }
}
