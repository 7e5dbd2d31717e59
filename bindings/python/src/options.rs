//! How to decode, from keyword arguments.

use kcodec::{DecodeOptions, Limits};
use pyo3::prelude::*;

/// The fields of `kcodec.Limits`. 0 stands for the default.
#[derive(FromPyObject)]
pub(crate) struct LimitsArgument {
    max_batch_bytes: u64,
    max_total_bytes: u64,
    max_records: u32,
    max_headers: u32,
}

pub(crate) fn limits(given: Option<LimitsArgument>) -> Limits {
    given.map_or(Limits::default(), |given| Limits {
        max_batch_bytes: given.max_batch_bytes,
        max_total_bytes: given.max_total_bytes,
        max_records: given.max_records,
        max_headers: given.max_headers,
    })
}

/// The options of a call that only differs from the default in its limits.
pub(crate) fn within(given: Option<LimitsArgument>) -> DecodeOptions {
    DecodeOptions { limits: limits(given), ..DecodeOptions::default() }
}

/// The bounds that 0 stands for, in the order of the fields.
#[pyfunction]
pub(crate) fn default_limits() -> (u64, u64, u32, u32) {
    let Limits { max_batch_bytes, max_total_bytes, max_records, max_headers } = Limits::DEFAULT;
    (max_batch_bytes, max_total_bytes, max_records, max_headers)
}
