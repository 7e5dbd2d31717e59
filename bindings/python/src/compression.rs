//! The codecs by themselves, and the two hashes.

use kcodec::{checksum, compression};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Fault;
use crate::params::CodecArgument;
use crate::source::Buffer;

/// Compresses as Kafka's clients frame it.
#[pyfunction]
#[pyo3(signature = (data, codec, level=None))]
pub(crate) fn compress<'py>(
    py: Python<'py>,
    data: Buffer,
    codec: CodecArgument,
    level: Option<i32>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = data.bytes();
    let packed = py.detach(|| compression::compress(codec.0, level, data));
    Ok(PyBytes::new(py, &packed.map_err(Fault)?))
}

/// Decompresses to no more than `limit` bytes; 0 is the default of a batch.
#[pyfunction]
#[pyo3(signature = (data, codec, limit=0))]
pub(crate) fn decompress<'py>(
    py: Python<'py>,
    data: Buffer,
    codec: CodecArgument,
    limit: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = data.bytes();
    let plain = py.detach(|| compression::decompress(codec.0, data, limit));
    Ok(PyBytes::new(py, &plain.map_err(Fault)?))
}

/// Checksums of fewer bytes take less time than leaving the interpreter and coming back.
const WORTH_DETACHING: usize = 16 * 1024;

/// The CRC-32C of what has the checksum `seed` followed by `data`.
#[pyfunction]
#[pyo3(signature = (data, seed=0))]
pub(crate) fn crc32c(py: Python<'_>, data: Buffer, seed: u32) -> u32 {
    let data = data.bytes();
    if data.len() < WORTH_DETACHING {
        return checksum::crc32c(seed, data);
    }
    py.detach(|| checksum::crc32c(seed, data))
}

/// The hash by which Kafka's default partitioner picks a partition.
#[pyfunction]
pub(crate) fn murmur2(key: Buffer) -> i32 {
    kcodec::murmur2(key.bytes())
}
