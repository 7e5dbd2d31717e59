//! The compiled half of the Python package `kcodec`.
//!
//! Nothing of the format is known here: bytes come in by the buffer protocol, the core decodes and encodes,
//! and its tables go out in place. What Python code does as well (the exceptions, the enumerations, numpy)
//! is Python code, in `python/kcodec`.

#![allow(clippy::missing_errors_doc, reason = "nothing here is called from Rust")]

mod batch;
mod builder;
mod committed;
mod compression;
mod encode;
mod error;
mod fields;
mod options;
mod params;
mod pool;
mod record;
mod records;
mod restamp;
mod rows;
mod source;
mod tables;
mod validate;

use pyo3::prelude::*;

/// The extension module.
// Free-threaded interpreters may run it in parallel: what is shared is either never changed or locked.
#[pymodule(gil_used = false)]
mod _kcodec {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::builder::{BatchBuilder, RecordMetadata};
    #[pymodule_export]
    use super::committed::CommittedFilter;
    #[pymodule_export]
    use super::compression::{compress, crc32c, decompress, murmur2};
    #[pymodule_export]
    use super::encode::encode;
    #[pymodule_export]
    use super::error::error_kinds;
    #[pymodule_export]
    use super::options::default_limits;
    #[pymodule_export]
    use super::record::{Record, RecordIterator};
    #[pymodule_export]
    use super::records::{Records, decode, scan};
    #[pymodule_export]
    use super::restamp::{assign_offsets, refresh_crc, set_create_time, set_log_append_time};
    #[pymodule_export]
    use super::rows::{encode_columns, encode_table};
    #[pymodule_export]
    use super::tables::table_layouts;
    #[pymodule_export]
    use super::validate::{validate, validate_produce};
}
