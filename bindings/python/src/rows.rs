//! Encoding from columns and tables: buffers of numbers that point into one piece of data.

use kcodec::{Error, ErrorKind, HeaderRow, RecordRow};
use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::encode::encode_rows;
use crate::error::Fault;
use crate::params;
use crate::source::Buffer;

/// Encodes one batch from rows as a decoder gives them.
#[pyfunction]
#[pyo3(signature = (data, records, headers=None, **params))]
pub(crate) fn encode_table<'py>(
    py: Python<'py>,
    data: Buffer,
    records: Buffer,
    headers: Option<Buffer>,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params::from_keywords(params)?;
    let records = rows(records.bytes(), record_row)?;
    let headers = headers.map_or(Ok(Vec::new()), |headers| rows(headers.bytes(), header_row))?;
    encode_rows(py, &params, data.bytes(), &records, &headers)
}

/// Encodes one batch from columns, of one number a record each.
#[pyfunction]
#[pyo3(signature = (
    data, *, timestamps, value_pos, value_len, key_pos=None, key_len=None, offsets=None, **params
))]
#[allow(clippy::too_many_arguments, reason = "keywords, a column each")]
pub(crate) fn encode_columns<'py>(
    py: Python<'py>,
    data: Buffer,
    timestamps: Column,
    value_pos: Column,
    value_len: Column,
    key_pos: Option<Column>,
    key_len: Option<Column>,
    offsets: Option<Column>,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params::from_keywords(params)?;
    let count = timestamps.len();
    let columns = [Some(&value_pos), Some(&value_len), key_pos.as_ref(), key_len.as_ref()];
    let mut others = columns.into_iter().chain([offsets.as_ref()]).flatten();
    if key_pos.is_some() != key_len.is_some() || others.any(|column| column.len() != count) {
        return Err(invalid(None).into());
    }
    let row = |index: usize| {
        let offset = params.base_offset.wrapping_add_unsigned(index as u64);
        let number = |column: &Option<Column>| column.as_ref().map(|column| column.get(index));
        Some(RecordRow {
            offset: number(&offsets).unwrap_or(offset),
            timestamp: timestamps.get(index),
            key_pos: number(&key_pos).unwrap_or(0).try_into().ok()?,
            key_len: number(&key_len).unwrap_or(-1).try_into().ok()?,
            value_pos: value_pos.get(index).try_into().ok()?,
            value_len: value_len.get(index).try_into().ok()?,
            first_header: 0,
            header_count: 0,
        })
    };
    let rows = (0..count).map(|index| row(index).ok_or_else(|| invalid(Some(index))));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    encode_rows(py, &params, data.bytes(), &rows, &[])
}

fn invalid(record: Option<usize>) -> Fault {
    let error = Error::new(ErrorKind::InvalidArgument);
    let record = record.and_then(|record| u32::try_from(record).ok());
    Fault(record.map_or(error, |record| error.in_record(record)))
}

fn rows<Row, const SIZE: usize>(bytes: &[u8], row: fn(&[u8; SIZE]) -> Row) -> PyResult<Vec<Row>> {
    match bytes.as_chunks() {
        (chunks, []) => Ok(chunks.iter().map(row).collect()),
        _ => Err(invalid(None).into()),
    }
}

const RECORD_SIZE: usize = size_of::<RecordRow>();
const HEADER_SIZE: usize = size_of::<HeaderRow>();

// Tables may come from anywhere, so that they need not be aligned.
fn record_row(bytes: &[u8; RECORD_SIZE]) -> RecordRow {
    RecordRow {
        offset: i64::from_ne_bytes(field(bytes, 0)),
        timestamp: i64::from_ne_bytes(field(bytes, 8)),
        key_pos: u32::from_ne_bytes(field(bytes, 16)),
        key_len: i32::from_ne_bytes(field(bytes, 20)),
        value_pos: u32::from_ne_bytes(field(bytes, 24)),
        value_len: i32::from_ne_bytes(field(bytes, 28)),
        first_header: u32::from_ne_bytes(field(bytes, 32)),
        header_count: u32::from_ne_bytes(field(bytes, 36)),
    }
}

fn header_row(bytes: &[u8; HEADER_SIZE]) -> HeaderRow {
    HeaderRow {
        key_pos: u32::from_ne_bytes(field(bytes, 0)),
        key_len: i32::from_ne_bytes(field(bytes, 4)),
        value_pos: u32::from_ne_bytes(field(bytes, 8)),
        value_len: i32::from_ne_bytes(field(bytes, 12)),
    }
}

fn field<const SIZE: usize>(row: &[u8], at: usize) -> [u8; SIZE] {
    row[at..].first_chunk().copied().unwrap_or([0; SIZE])
}

/// A column of whole numbers of any width: an `array`, a `memoryview`, an array of numpy.
pub(crate) struct Column {
    buffer: PyUntypedBuffer,
    read: fn(*const u8) -> i64,
}

impl Column {
    fn len(&self) -> usize {
        self.buffer.item_count()
    }

    fn get(&self, index: usize) -> i64 {
        (self.read)(self.buffer.get_ptr(&[index]).cast_const().cast())
    }
}

impl<'py> FromPyObject<'_, 'py> for Column {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(&object)?;
        let foreign: &[u8] = if cfg!(target_endian = "little") { b">!" } else { b"<" };
        let swapped = foreign.contains(buffer.format().to_bytes().first().unwrap_or(&0));
        let read = reader(ElementType::from_format(buffer.format()), buffer.item_size());
        match read.filter(|_| buffer.dimensions() == 1 && !swapped) {
            Some(read) => Ok(Column { buffer, read }),
            None => Err(PyTypeError::new_err("a column is a buffer of whole numbers")),
        }
    }
}

#[allow(clippy::cast_lossless, reason = "one macro for widths of all kinds")]
fn reader(kind: ElementType, size: usize) -> Option<fn(*const u8) -> i64> {
    macro_rules! read {
        ($type:ty) => {
            // SAFETY: `Column::get` passes the place of an item of this size.
            |item| unsafe { item.cast::<$type>().read_unaligned() as i64 }
        };
    }
    Some(match (kind, size) {
        (ElementType::SignedInteger { .. }, 8) => read!(i64),
        (ElementType::SignedInteger { .. }, 4) => read!(i32),
        (ElementType::SignedInteger { .. }, 2) => read!(i16),
        (ElementType::UnsignedInteger { .. }, 8) => read!(u64),
        (ElementType::UnsignedInteger { .. }, 4) => read!(u32),
        (ElementType::UnsignedInteger { .. }, 2) => read!(u16),
        _ => return None,
    })
}
