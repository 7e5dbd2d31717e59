//! Rewriting a batch in the caller's memory, as a broker does on append.

use kcodec_core::{Error, assign_offsets, refresh_crc, set_create_time, set_log_append_time};

use crate::boundary::boundary;
use crate::pointer;
use crate::types::{kcodec_error, kcodec_status};

/// Runs `rewrite` on the batch at the start of `batch`.
///
/// # Safety
/// As [`pointer::slice_mut`].
unsafe fn restamp(
    batch: *mut u8,
    batch_len: usize,
    err: *mut kcodec_error,
    rewrite: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> kcodec_status {
    // SAFETY: the caller's promise.
    unsafe { boundary(err, || rewrite(pointer::slice_mut(batch, batch_len)?)) }
}

/// Gives the batch at the start of `batch` its place in the log: the base offset, and for magic 2 the epoch
/// of the leader. Checksum and records stay as they are. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_assign_offsets(
    batch: *mut u8,
    batch_len: usize,
    base_offset: i64,
    leader_epoch: i32,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        restamp(batch, batch_len, err, |bytes| assign_offsets(bytes, base_offset, leader_epoch))
    }
}

/// Marks the batch as stamped by the broker at `timestamp` (ms), which then holds for all its records, and
/// redoes the checksum. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_set_log_append_time(
    batch: *mut u8,
    batch_len: usize,
    timestamp: i64,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe { restamp(batch, batch_len, err, |bytes| set_log_append_time(bytes, timestamp)) }
}

/// Marks the batch as stamped by its producer, with `max_timestamp` (ms) as the largest of its records, and
/// redoes the checksum. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_set_create_time(
    batch: *mut u8,
    batch_len: usize,
    max_timestamp: i64,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe { restamp(batch, batch_len, err, |bytes| set_create_time(bytes, max_timestamp)) }
}

/// Redoes the checksum of the batch, after its bytes were edited. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_refresh_crc(
    batch: *mut u8,
    batch_len: usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe { restamp(batch, batch_len, err, refresh_crc) }
}
