//! Rewriting the header of the batch at the start of a writable buffer, as a broker does on append.

use pyo3::prelude::*;

use crate::error::Fault;
use crate::source::Buffer;

/// Gives the batch its place in the log. Checksum and records stay as they are.
#[pyfunction]
#[pyo3(signature = (buf, base_offset, leader_epoch=-1))]
pub(crate) fn assign_offsets(mut buf: Buffer, base_offset: i64, leader_epoch: i32) -> PyResult<()> {
    let bytes = buf.bytes_mut()?;
    Ok(kcodec::assign_offsets(bytes, base_offset, leader_epoch).map_err(Fault)?)
}

/// Marks the batch as stamped by the broker, and redoes the checksum.
#[pyfunction]
pub(crate) fn set_log_append_time(mut buf: Buffer, timestamp: i64) -> PyResult<()> {
    Ok(kcodec::set_log_append_time(buf.bytes_mut()?, timestamp).map_err(Fault)?)
}

/// Marks the batch as stamped by its producer, and redoes the checksum.
#[pyfunction]
pub(crate) fn set_create_time(mut buf: Buffer, max_timestamp: i64) -> PyResult<()> {
    Ok(kcodec::set_create_time(buf.bytes_mut()?, max_timestamp).map_err(Fault)?)
}

/// Redoes the checksum after a change of the header.
#[pyfunction]
pub(crate) fn refresh_crc(mut buf: Buffer) -> PyResult<()> {
    Ok(kcodec::refresh_crc(buf.bytes_mut()?).map_err(Fault)?)
}
