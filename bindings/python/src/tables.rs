//! The tables of decoded rows, lent to Python in place.
//!
//! A table is handed out whole (its bytes, from which numpy makes a structured array) or by column, as a
//! `memoryview` that strides over the rows. Both are windows onto the decoder's own memory. Each keeps that
//! memory alive by itself, so that no order of closing, deleting and collecting frees it under a reader.

use std::ffi::{CStr, c_int, c_void};
use std::mem::offset_of;
use std::sync::Arc;

use kcodec::{BatchRow, Decoder, HeaderRow, RecordRow};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use crate::pool::Lease;

/// A field of a row: its name, its place and its type in the letters of Python's `struct`.
pub(crate) struct Field {
    name: &'static str,
    offset: usize,
    format: &'static CStr,
}

/// The rows of one kind.
pub(crate) struct Table {
    name: &'static str,
    size: usize,
    fields: &'static [Field],
    rows: fn(&Decoder) -> (*const c_void, usize),
}

macro_rules! table {
    ($name:literal, $row:ty, $rows:ident, $($field:ident $format:literal)*) => {
        Table {
            name: $name,
            size: size_of::<$row>(),
            fields: &[$(Field {
                name: stringify!($field),
                offset: offset_of!($row, $field),
                format: $format,
            }),*],
            rows: |decoder| {
                let rows = decoder.decoded(&[]).$rows();
                (rows.as_ptr().cast(), rows.len())
            },
        }
    };
}

pub(crate) static BATCHES: Table = table!("batches", BatchRow, batches,
    base_offset c"q" base_timestamp c"q" max_timestamp c"q" producer_id c"q"
    position c"I" length c"I" segment c"I" first_record c"I" record_count c"I"
    declared_count c"i" last_offset_delta c"i" leader_epoch c"i" base_sequence c"i"
    crc c"I" status c"i" producer_epoch c"h" attributes c"h" magic c"b" codec c"b" flags c"B");

pub(crate) static RECORDS: Table = table!("records", RecordRow, records,
    offset c"q" timestamp c"q"
    key_pos c"I" key_len c"i" value_pos c"I" value_len c"i"
    first_header c"I" header_count c"I");

pub(crate) static HEADERS: Table = table!("headers", HeaderRow, headers,
    key_pos c"I" key_len c"i" value_pos c"I" value_len c"i");

impl Table {
    /// One field of every row.
    pub(crate) fn column<'py>(
        &self,
        py: Python<'py>,
        decoder: &Arc<Lease<Decoder>>,
        name: &str,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        let field = self.fields.iter().find(|field| field.name == name);
        let Field { offset, format, .. } = field.expect("the fields are written above");
        let (rows, count) = (self.rows)(decoder);
        // Past the end of no rows, there is nothing to point to.
        let start = if count == 0 { rows } else { rows.wrapping_byte_add(*offset) };
        Lent::new(decoder, start, count, self.size, format).view(py)
    }

    /// Every byte of every row.
    pub(crate) fn bytes<'py>(
        &self,
        py: Python<'py>,
        decoder: &Arc<Lease<Decoder>>,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        let (rows, count) = (self.rows)(decoder);
        Lent::new(decoder, rows, count * self.size, 1, c"B").view(py)
    }
}

/// Some of the bytes that the decoder decompressed to.
pub(crate) fn payload<'py>(
    py: Python<'py>,
    decoder: &Arc<Lease<Decoder>>,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyMemoryView>> {
    Lent::new(decoder, bytes.as_ptr().cast(), bytes.len(), 1, c"B").view(py)
}

/// What a `memoryview` of a decoder's memory holds on to.
#[pyclass(frozen, name = "_Lent", module = "kcodec")]
struct Lent {
    _owner: Arc<Lease<Decoder>>,
    start: usize,
    format: &'static CStr,
    item_size: ffi::Py_ssize_t,
    // The view points to these two.
    count: ffi::Py_ssize_t,
    stride: ffi::Py_ssize_t,
}

impl Lent {
    fn new(
        owner: &Arc<Lease<Decoder>>,
        start: *const c_void,
        count: usize,
        stride: usize,
        format: &'static CStr,
    ) -> Self {
        let item_size = match format.to_bytes() {
            b"q" => 8,
            b"i" | b"I" => 4,
            b"h" => 2,
            _ => 1,
        };
        Lent {
            _owner: owner.clone(),
            start: start.expose_provenance(),
            format,
            item_size,
            count: count.cast_signed(),
            stride: stride.cast_signed(),
        }
    }

    fn view(self, py: Python<'_>) -> PyResult<Bound<'_, PyMemoryView>> {
        PyMemoryView::from(Bound::new(py, self)?.as_any())
    }
}

#[pymethods]
impl Lent {
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let lent = slf.get();
        let asks = |bits| flags & bits == bits;
        if asks(ffi::PyBUF_WRITABLE) {
            return Err(PyBufferError::new_err("decoded tables are read-only"));
        }
        let dense = lent.stride == lent.item_size;
        if !dense && !asks(ffi::PyBUF_STRIDES) {
            return Err(PyBufferError::new_err("a column is not contiguous"));
        }
        let filled = ffi::Py_buffer {
            buf: std::ptr::with_exposed_provenance_mut(lent.start),
            len: lent.count * lent.item_size,
            itemsize: lent.item_size,
            readonly: 1,
            ndim: 1,
            format: if asks(ffi::PyBUF_FORMAT) {
                lent.format.as_ptr().cast_mut()
            } else {
                std::ptr::null_mut()
            },
            shape: pointer_if(asks(ffi::PyBUF_ND), &lent.count),
            strides: pointer_if(asks(ffi::PyBUF_STRIDES), &lent.stride),
            obj: slf.clone().into_ptr(),
            ..ffi::Py_buffer::new()
        };
        // SAFETY: The caller passes a place for a view. What it points to lives as long as `obj`: `lent`
        // does not move, and the decoder that it holds is not changed any more.
        unsafe { view.write(filled) };
        Ok(())
    }
}

fn pointer_if(wanted: bool, number: &ffi::Py_ssize_t) -> *mut ffi::Py_ssize_t {
    if wanted { std::ptr::from_ref(number).cast_mut() } else { std::ptr::null_mut() }
}

type Layout = (&'static str, usize, Vec<(&'static str, usize, &'static str)>);

/// The three tables: name, bytes of a row, and name, place and `struct` letter of each field.
#[pyfunction]
pub(crate) fn table_layouts() -> Vec<Layout> {
    let fields = |table: &'static Table| {
        let field = |field: &'static Field| {
            (field.name, field.offset, field.format.to_str().unwrap_or_default())
        };
        table.fields.iter().map(field).collect()
    };
    [&BATCHES, &RECORDS, &HEADERS].map(|table| (table.name, table.size, fields(table))).to_vec()
}
