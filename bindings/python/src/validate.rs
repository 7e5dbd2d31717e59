//! Checking bytes without taking records out of them.

use kcodec::{Level, Scratch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::Fault;
use crate::options::{LimitsArgument, within};
use crate::source::Buffer;

/// Checks a record set as far as `level` says, and raises the first fault.
#[pyfunction]
#[pyo3(signature = (buf, level="full", *, limits=None))]
pub(crate) fn validate(
    py: Python<'_>,
    buf: Buffer,
    level: &str,
    limits: Option<LimitsArgument>,
) -> PyResult<()> {
    let level = match level {
        "frame" => Level::Frame,
        "crc" => Level::Crc,
        "full" => Level::Full,
        _ => return Err(PyValueError::new_err("level must be 'frame', 'crc' or 'full'")),
    };
    let (bytes, options) = (buf.bytes(), within(limits));
    let valid = py.detach(|| kcodec::validate(bytes, level, &mut Scratch::new(options)));
    Ok(valid.map_err(Fault)?)
}

/// Checks what a producer sends for one partition as a broker does.
#[pyfunction]
#[pyo3(signature = (buf, *, limits=None))]
pub(crate) fn validate_produce(
    py: Python<'_>,
    buf: Buffer,
    limits: Option<LimitsArgument>,
) -> PyResult<()> {
    let (bytes, options) = (buf.bytes(), within(limits));
    let valid = py.detach(|| kcodec::validate_produce(bytes, &mut Scratch::new(options)));
    Ok(valid.map_err(Fault)?)
}
