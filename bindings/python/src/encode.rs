//! Encoding, from any iterable of records.
//!
//! The records are gathered into the rows and the data that the core encodes from, while the interpreter
//! is held, since they are Python's. Encoding itself does without the interpreter.

use kcodec::{BatchParams, Encoder, Error, ErrorKind, HeaderRow, RecordRow};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::error::Fault;
use crate::fields::{self, Bytes};
use crate::params;
use crate::pool::Lease;
use crate::record::Record;

/// The largest input and result of any call, as on the wire.
const MAX_BYTES: usize = 0x7fff_ffff;

/// Records as rows over one piece of data.
#[derive(Default)]
pub(crate) struct Gathered {
    data: Vec<u8>,
    records: Vec<RecordRow>,
    headers: Vec<HeaderRow>,
}

/// Encodes one batch, or the messages of a set.
#[pyfunction]
#[pyo3(signature = (records, **params))]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params::from_keywords(params)?;
    let mut gathered = Gathered::default();
    for record in records.try_iter()? {
        gathered.record(&params, &record?)?;
    }
    encode_rows(py, &params, &gathered.data, &gathered.records, &gathered.headers)
}

/// Encodes rows into a new `bytes`.
pub(crate) fn encode_rows<'py>(
    py: Python<'py>,
    params: &BatchParams,
    data: &[u8],
    records: &[RecordRow],
    headers: &[HeaderRow],
) -> PyResult<Bound<'py, PyBytes>> {
    let mut encoder = Lease::<Encoder>::take();
    let encoded = py.detach(|| encoder.encode(params, data, records, headers));
    Ok(PyBytes::new(py, encoded.map_err(Fault)?))
}

impl Gathered {
    /// Takes a record: one of ours, a tuple, or any object with the attributes of one.
    fn record(&mut self, params: &BatchParams, record: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(ours) = record.cast::<Record>() {
            return ours.get().visit(|offset, record| {
                let (timestamp, key, value) = (record.timestamp, record.key, record.value);
                let row = self.row(offset, timestamp, key, value)?;
                for header in record.headers {
                    self.header(header.key, header.value)?;
                }
                self.push(row)
            })?;
        }
        if let Ok(tuple) = record.cast::<PyTuple>() {
            let field = |index: usize| tuple.get_borrowed_item(index);
            return match tuple.len() {
                3 => self.fields(params, None, &*field(0)?, &*field(1)?, &*field(2)?, None),
                4 => {
                    let headers = field(3)?;
                    self.fields(
                        params,
                        None,
                        &*field(0)?,
                        &*field(1)?,
                        &*field(2)?,
                        Some(&*headers),
                    )
                }
                5 => {
                    let (offset, headers) = (field(0)?, field(4)?);
                    let (offset, headers) = (Some(&*offset), Some(&*headers));
                    self.fields(params, offset, &*field(1)?, &*field(2)?, &*field(3)?, headers)
                }
                len => Err(wrong_tuple(len)),
            };
        }
        let py = record.py();
        let offset = record.getattr_opt(intern!(py, "offset"))?;
        let headers = record.getattr_opt(intern!(py, "headers"))?;
        let timestamp = record.getattr(intern!(py, "timestamp"))?;
        let key = record.getattr(intern!(py, "key"))?;
        let value = record.getattr(intern!(py, "value"))?;
        self.fields(params, offset.as_ref(), &timestamp, &key, &value, headers.as_ref())
    }

    fn fields(
        &mut self,
        params: &BatchParams,
        offset: Option<&Bound<'_, PyAny>>,
        timestamp: &Bound<'_, PyAny>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        // Without an offset of its own, a record is the next one.
        let offset = match offset.filter(|offset| !offset.is_none()) {
            Some(offset) => offset.extract()?,
            None => params.base_offset.wrapping_add_unsigned(self.records.len() as u64),
        };
        let timestamp = if timestamp.is_none() { -1 } else { timestamp.extract()? };
        let (key, value): (Option<Bytes<'_>>, Option<Bytes<'_>>) =
            (key.extract()?, value.extract()?);
        let headers = fields::headers(headers)?;
        let [key, value] = [&key, &value].map(|field| field.as_ref().map(Bytes::get));
        let row = self.row(offset, timestamp, key, value)?;
        for (key, value) in &headers {
            self.header(key.get(), value.as_ref().map(Bytes::get))?;
        }
        self.push(row)
    }

    /// The row of a record whose headers are still to come.
    fn row(
        &mut self,
        offset: i64,
        timestamp: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> PyResult<RecordRow> {
        let (key_pos, key_len) = self.copy(key)?;
        let (value_pos, value_len) = self.copy(value)?;
        let first_header = count(self.headers.len())?;
        Ok(RecordRow {
            offset,
            timestamp,
            key_pos,
            key_len,
            value_pos,
            value_len,
            first_header,
            header_count: 0,
        })
    }

    fn header(&mut self, key: &[u8], value: Option<&[u8]>) -> PyResult<()> {
        let (key_pos, key_len) = self.copy(Some(key))?;
        let (value_pos, value_len) = self.copy(value)?;
        self.headers.push(HeaderRow { key_pos, key_len, value_pos, value_len });
        Ok(())
    }

    fn push(&mut self, row: RecordRow) -> PyResult<()> {
        let header_count = count(self.headers.len())? - row.first_header;
        self.records.push(RecordRow { header_count, ..row });
        Ok(())
    }

    /// Adds a key or value to the data; null has a length of -1.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "31 bits are enough for what was checked"
    )]
    fn copy(&mut self, bytes: Option<&[u8]>) -> PyResult<(u32, i32)> {
        let Some(bytes) = bytes else { return Ok((0, -1)) };
        let position = self.data.len();
        if bytes.len() > MAX_BYTES - position {
            return Err(Fault(Error::new(ErrorKind::LimitInput)).into());
        }
        self.data.extend_from_slice(bytes);
        Ok((position as u32, bytes.len() as i32))
    }
}

fn count(len: usize) -> Result<u32, Fault> {
    u32::try_from(len).map_err(|_| Fault(Error::new(ErrorKind::LimitInput)))
}

#[cold]
fn wrong_tuple(len: usize) -> PyErr {
    PyTypeError::new_err(format!(
        "a record has 3 to 5 fields ([offset,] timestamp, key, value[, headers]), not {len}"
    ))
}
