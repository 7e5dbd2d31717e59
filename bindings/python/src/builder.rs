//! Building a batch record by record, in the shape that the clients for Python have for it.

use std::time::{SystemTime, UNIX_EPOCH};

use kcodec::varint::{varint_len, varlong_len};
use kcodec::{BatchParams, ErrorKind, Header, RecordRow};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::error::Fault;
use crate::fields::{self, Bytes, HeaderKey};
use crate::params::CodecArgument;

/// What `append` tells of a record.
#[pyclass(frozen, get_all, module = "kcodec")]
pub(crate) struct RecordMetadata {
    offset: i64,
    size: usize,
    timestamp: i64,
}

#[pymethods]
impl RecordMetadata {
    /// Always `None`: only messages of magic 0 and 1 have a checksum each, inside.
    #[getter]
    fn crc(&self) -> Option<u32> {
        None
    }

    fn __repr__(&self) -> String {
        let RecordMetadata { offset, size, timestamp } = self;
        format!("RecordMetadata(offset={offset}, size={size}, timestamp={timestamp})")
    }
}

/// Collects records into one batch, or into a message set for magic 0 and 1.
#[pyclass(module = "kcodec")]
pub(crate) struct BatchBuilder {
    inner: kcodec::BatchBuilder,
    batch_size: usize,
    /// That of the first record.
    base_timestamp: Option<i64>,
}

/// A switch that callers set to a `bool` or to a number.
struct Truth(bool);

impl<'py> FromPyObject<'_, 'py> for Truth {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.is_truthy().map(Truth)
    }
}

type Pairs<'py> = Vec<(HeaderKey<'py>, Option<Bytes<'py>>)>;

#[pymethods]
impl BatchBuilder {
    #[new]
    #[pyo3(signature = (
        magic=2, compression_type=CodecArgument(kcodec::Codec::None), is_transactional=Truth(false),
        producer_id=-1, producer_epoch=-1, base_sequence=-1, batch_size=16384, *, level=None
    ), text_signature = "(magic=2, compression_type=0, is_transactional=False, producer_id=-1, \
        producer_epoch=-1, base_sequence=-1, batch_size=16384, *, level=None)")]
    #[allow(clippy::too_many_arguments, reason = "in this order in all clients")]
    fn new(
        magic: i8,
        compression_type: CodecArgument,
        is_transactional: Truth,
        producer_id: i64,
        producer_epoch: i16,
        base_sequence: i32,
        batch_size: usize,
        level: Option<i32>,
    ) -> PyResult<Self> {
        let params = BatchParams {
            magic,
            codec: compression_type.0,
            level,
            producer_id,
            producer_epoch,
            base_sequence,
            transactional: is_transactional.0,
            ..BatchParams::default()
        };
        let inner = kcodec::BatchBuilder::new(params).map_err(Fault)?;
        Ok(BatchBuilder { inner, batch_size, base_timestamp: None })
    }

    /// Appends a record, or returns `None` where it does not fit any more.
    #[pyo3(signature = (offset, timestamp, key, value, headers=None))]
    fn append(
        &mut self,
        offset: i64,
        timestamp: Option<i64>,
        key: Option<Bytes<'_>>,
        value: Option<Bytes<'_>>,
        headers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<RecordMetadata>> {
        if usize::try_from(offset) != Ok(self.inner.len()) {
            return Err(Fault(kcodec::Error::new(ErrorKind::InvalidArgument)).into());
        }
        let timestamp = if self.magic() == 0 { -1 } else { timestamp.unwrap_or_else(now) };
        let pairs = fields::headers(headers)?;
        let headers = borrowed(&pairs);
        let [key, value] = [&key, &value].map(|field| field.as_ref().map(Bytes::get));
        let size = self.record_size(offset, timestamp, key, value, &headers);
        if !self.inner.is_empty() && self.size() + size > self.batch_size {
            return Ok(None);
        }
        self.inner.push(timestamp, key, value, &headers).map_err(Fault)?;
        self.base_timestamp.get_or_insert(timestamp);
        Ok(Some(RecordMetadata { offset, size, timestamp }))
    }

    /// Finishes the batch. The next record starts another one.
    fn build<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.base_timestamp = None;
        let inner = &mut self.inner;
        let batch = py.detach(|| inner.finish());
        Ok(PyByteArray::new(py, batch.map_err(Fault)?))
    }

    /// Bytes so far, as they are without compression.
    fn size(&self) -> usize {
        self.inner.plain_size()
    }

    /// Bytes that a record would take next.
    #[pyo3(signature = (offset, timestamp, key, value, headers=None))]
    fn size_in_bytes(
        &self,
        offset: i64,
        timestamp: Option<i64>,
        key: Option<Bytes<'_>>,
        value: Option<Bytes<'_>>,
        headers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let timestamp = timestamp.unwrap_or_else(now);
        let pairs = fields::headers(headers)?;
        let [key, value] = [&key, &value].map(|field| field.as_ref().map(Bytes::get));
        Ok(self.record_size(offset, timestamp, key, value, &borrowed(&pairs)))
    }

    /// Names the producer of the records so far.
    #[pyo3(signature = (producer_id, producer_epoch, base_sequence, is_transactional=None))]
    fn set_producer_state(
        &mut self,
        producer_id: i64,
        producer_epoch: i16,
        base_sequence: i32,
        is_transactional: Option<Truth>,
    ) -> PyResult<()> {
        let transactional =
            is_transactional.map_or(self.inner.params().transactional, |given| given.0);
        let set =
            self.inner.set_producer(producer_id, producer_epoch, base_sequence, transactional);
        Ok(set.map_err(Fault)?)
    }

    #[getter]
    fn magic(&self) -> i8 {
        self.inner.params().magic
    }

    #[getter]
    fn producer_id(&self) -> i64 {
        self.inner.params().producer_id
    }

    #[getter]
    fn producer_epoch(&self) -> i16 {
        self.inner.params().producer_epoch
    }

    #[getter]
    fn base_sequence(&self) -> i32 {
        self.inner.params().base_sequence
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }
}

impl BatchBuilder {
    fn record_size(
        &self,
        offset: i64,
        timestamp: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[Header<'_>],
    ) -> usize {
        if self.magic() == 2 {
            let delta = timestamp.wrapping_sub(self.base_timestamp.unwrap_or(timestamp));
            return record_size(offset, delta, key, value, headers);
        }
        // A message has no variable part but these, so that its bound is its size.
        let row = RecordRow { key_len: len(key), value_len: len(value), ..RecordRow::default() };
        let plain = BatchParams { magic: self.magic(), ..BatchParams::default() };
        kcodec::encode_bound(&plain, &[row], &[])
    }
}

/// The size of a record in a batch: fields that are as long as their numbers need, after their length.
fn record_size(
    offset_delta: i64,
    timestamp_delta: i64,
    key: Option<&[u8]>,
    value: Option<&[u8]>,
    headers: &[Header<'_>],
) -> usize {
    const ATTRIBUTES: usize = 1;
    let field = |bytes: Option<&[u8]>| varint_len(len(bytes)) + bytes.map_or(0, <[u8]>::len);
    let mut body = ATTRIBUTES + varlong_len(timestamp_delta) + varlong_len(offset_delta);
    body += field(key) + field(value);
    body += varlong_len(headers.len().cast_signed() as i64);
    for header in headers {
        body += field(Some(header.key)) + field(header.value);
    }
    varlong_len(body.cast_signed() as i64) + body
}

/// The length of a field as it is written, -1 for null.
fn len(field: Option<&[u8]>) -> i32 {
    field.map_or(-1, |field| field.len().try_into().unwrap_or(i32::MAX))
}

fn borrowed<'a>(pairs: &'a Pairs<'_>) -> Vec<Header<'a>> {
    let header = |(key, value): &'a (HeaderKey<'_>, Option<Bytes<'_>>)| Header {
        key: key.get(),
        value: value.as_ref().map(Bytes::get),
    };
    pairs.iter().map(header).collect()
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(i64::MAX)
}
