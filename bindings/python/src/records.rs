//! Decoding, and the result of it.
//!
//! A result owns the decoder that filled its tables and holds the caller's buffer. Everything that looks
//! into either asks for it first and is refused once the result is closed. Closing lets go of both at once:
//! what was handed out before are copies, or views that keep alive what they show.
//!
//! There are two ways to ask. [`Records::look`] keeps a lock meanwhile, so nothing in it may run Python
//! code: that could close these very records, on this thread or on one that waits for the interpreter. It
//! serves what happens for every record. [`Records::hold`] takes a share instead, and serves the rest.

use std::sync::{Arc, PoisonError, RwLock};

use kcodec::{BatchRow, DecodeOptions, Decoder, RecordRow, Tail};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString};

use crate::batch::Batch;
use crate::error::{Fault, closed};
use crate::options::{LimitsArgument, limits};
use crate::pool::Lease;
use crate::record::{Record, RecordIterator};
use crate::source::Source;
use crate::tables::{self, BATCHES, HEADERS, RECORDS, Table};

/// What is let go of by closing.
pub(crate) struct Decoded {
    source: Source,
    decoder: Arc<Lease<Decoder>>,
}

/// Decoded record batches and messages.
#[pyclass(frozen, module = "kcodec", weakref)]
pub(crate) struct Records {
    decoded: RwLock<Option<Arc<Decoded>>>,
}

/// Decodes all whole batches in a buffer.
#[pyfunction]
#[pyo3(signature = (
    buf, *, verify_crc=true, keep_going=false, skip_control=true, check_utf8=false, limits=None
))]
pub(crate) fn decode(
    py: Python<'_>,
    buf: Source,
    verify_crc: bool,
    keep_going: bool,
    skip_control: bool,
    check_utf8: bool,
    limits: Option<LimitsArgument>,
) -> PyResult<Records> {
    let limits = self::limits(limits);
    let batches_only = false;
    let options =
        DecodeOptions { limits, verify_crc, keep_going, batches_only, skip_control, check_utf8 };
    Records::decode(py, buf, options)
}

/// Reads the headers of all whole batches in a buffer, and no records.
#[pyfunction]
#[pyo3(signature = (buf, *, verify_crc=false))]
pub(crate) fn scan(py: Python<'_>, buf: Source, verify_crc: bool) -> PyResult<Records> {
    let (keep_going, batches_only) = (true, true);
    let options =
        DecodeOptions { verify_crc, keep_going, batches_only, ..DecodeOptions::default() };
    Records::decode(py, buf, options)
}

impl Decoded {
    pub(crate) fn view(&self) -> kcodec::Records<'_> {
        self.decoder.decoded(self.source.bytes())
    }

    /// The batch that a row belongs to. Batches without rows share their first row with the next.
    #[allow(clippy::cast_possible_truncation, reason = "tables have fewer than 2^32 rows")]
    pub(crate) fn batch_index(&self, row: u32) -> u32 {
        let batches = self.view().batches();
        batches.partition_point(|batch| batch.first_record <= row).saturating_sub(1) as u32
    }

    pub(crate) fn batch(&self, index: u32) -> &BatchRow {
        &self.view().batches()[index as usize]
    }

    pub(crate) fn batch_of(&self, row: u32) -> &BatchRow {
        self.batch(self.batch_index(row))
    }

    fn field(&self, segment: u32, pos: u32, len: i32) -> Option<&[u8]> {
        let len = usize::try_from(len).ok()?;
        Some(&self.view().segment(segment)[pos as usize..][..len])
    }

    /// The bytes of a key or value as an object of their own.
    pub(crate) fn bytes<'py>(
        &self,
        py: Python<'py>,
        segment: u32,
        pos: u32,
        len: i32,
    ) -> Option<Bound<'py, PyBytes>> {
        self.field(segment, pos, len).map(|bytes| PyBytes::new(py, bytes))
    }

    /// The same in place: in the caller's buffer, or in what was decompressed.
    pub(crate) fn bytes_view<'py>(
        &self,
        py: Python<'py>,
        segment: u32,
        pos: u32,
        len: i32,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(bytes) = self.field(segment, pos, len) else { return Ok(None) };
        if segment == 0 {
            let from = pos as usize;
            return self.source.view(py, from, from + bytes.len()).map(Some);
        }
        tables::payload(py, &self.decoder, bytes).map(|view| Some(view.into_any()))
    }

    pub(crate) fn source_view<'py>(
        &self,
        py: Python<'py>,
        from: usize,
        to: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.source.view(py, from, to)
    }

    #[allow(clippy::cast_possible_truncation, reason = "the limit of records has 32 bits")]
    fn count(&self) -> u32 {
        self.view().records().len() as u32
    }

    pub(crate) fn row(&self, index: u32) -> &RecordRow {
        &self.view().records()[index as usize]
    }

    fn segment<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Bound<'py, PyAny>> {
        let bytes = self.view().segment(index);
        match index {
            0 => self.source.view(py, 0, bytes.len()),
            _ => tables::payload(py, &self.decoder, bytes).map(Bound::into_any),
        }
    }
}

impl Records {
    fn decode(py: Python<'_>, source: Source, options: DecodeOptions) -> PyResult<Records> {
        let input = source.bytes();
        let decoder = py.detach(|| {
            let mut decoder = Lease::<Decoder>::with(options);
            decoder.decode(input).map(drop)?;
            Ok(Arc::new(decoder))
        });
        let decoded = Decoded { decoder: decoder.map_err(Fault)?, source };
        Ok(Records { decoded: RwLock::new(Some(Arc::new(decoded))) })
    }

    /// Looks into the result. `look` may make numbers and bytes, and must not run any other Python code.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Decoded) -> T) -> PyResult<T> {
        let decoded = self.decoded.read().unwrap_or_else(PoisonError::into_inner);
        decoded.as_deref().map(look).ok_or_else(closed)
    }

    /// Takes a share in the result, so that it is there until the caller has done with it.
    pub(crate) fn hold(&self) -> PyResult<Arc<Decoded>> {
        let decoded = self.decoded.read().unwrap_or_else(PoisonError::into_inner);
        decoded.clone().ok_or_else(closed)
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        name: &str,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        table.column(py, &self.hold()?.decoder, name)
    }
}

#[pymethods]
impl Records {
    fn close(&self) {
        // Dropped only after the lock: letting go of a buffer runs code of its owner.
        let decoded = self.decoded.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(decoded);
    }

    #[getter]
    fn closed(&self) -> bool {
        self.hold().is_err()
    }

    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().hold()?;
        Ok(slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __len__(&self) -> PyResult<usize> {
        self.look(|decoded| decoded.count() as usize)
    }

    fn __iter__(slf: Bound<'_, Self>) -> PyResult<RecordIterator> {
        let count = slf.get().look(Decoded::count)?;
        Ok(RecordIterator::new(slf.unbind(), 0, 0, count))
    }

    fn __getitem__(slf: Bound<'_, Self>, index: isize) -> PyResult<Record> {
        let py = slf.py();
        let decoded = slf.get().hold()?;
        let count = decoded.count();
        let index = if index < 0 { index + count as isize } else { index };
        let row = u32::try_from(index).ok().filter(|row| *row < count);
        let row = row.ok_or_else(|| PyIndexError::new_err("record index out of range"))?;
        Record::new(py, slf.as_unbound(), &decoded, decoded.batch_index(row), row)
    }

    /// A list, made anew.
    #[getter]
    fn batches(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyList>> {
        let decoded = slf.get().hold()?;
        let mut faults = decoded.view().faults().iter();
        let batches = PyList::empty(slf.py());
        for (index, row) in (0..).zip(decoded.view().batches()) {
            let fault = if row.status == 0 { None } else { faults.next() };
            batches.append(Batch::new(slf.clone().unbind(), index, row, fault.copied()))?;
        }
        Ok(batches)
    }

    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.hold()?.view().faults().iter().map(|fault| Fault(*fault).to_object(py)).collect()
    }

    #[getter]
    fn consumed(&self) -> PyResult<usize> {
        self.look(|decoded| decoded.view().consumed())
    }

    #[getter]
    fn next_offset(&self) -> PyResult<Option<i64>> {
        self.look(|decoded| decoded.view().next_offset())
    }

    #[getter]
    fn tail<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static TAIL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let (kind, needed, fault) = match self.look(|decoded| decoded.view().tail())? {
            Tail::None => ("none", None, None),
            Tail::Partial { needed } => ("partial", needed, None),
            Tail::Zeros => ("zeros", None, None),
            Tail::Corrupt(error) => ("corrupt", None, Some(Fault(error).to_object(py)?)),
        };
        TAIL.import(py, "kcodec.types", "Tail")?.call1((kind, needed, fault))
    }

    #[getter]
    fn segments<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let decoded = self.hold()?;
        let count = u32::try_from(decoded.view().segment_count()).unwrap_or(u32::MAX);
        (0..count).map(|index| decoded.segment(py, index)).collect()
    }

    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static TO_NUMPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        slf.get().hold()?;
        TO_NUMPY.import(slf.py(), "kcodec._numpy", "to_numpy")?.call1((slf,))
    }

    #[getter]
    fn batch_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        BATCHES.bytes(py, &self.hold()?.decoder)
    }

    #[getter]
    fn record_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        RECORDS.bytes(py, &self.hold()?.decoder)
    }

    #[getter]
    fn header_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        HEADERS.bytes(py, &self.hold()?.decoder)
    }

    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "offset")
    }

    #[getter]
    fn timestamps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "timestamp")
    }

    #[getter]
    fn key_pos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "key_pos")
    }

    #[getter]
    fn key_len<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "key_len")
    }

    #[getter]
    fn value_pos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "value_pos")
    }

    #[getter]
    fn value_len<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "value_len")
    }

    #[getter]
    fn first_header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "first_header")
    }

    #[getter]
    fn header_count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &RECORDS, "header_count")
    }

    #[getter]
    fn header_key_pos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &HEADERS, "key_pos")
    }

    #[getter]
    fn header_key_len<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &HEADERS, "key_len")
    }

    #[getter]
    fn header_value_pos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &HEADERS, "value_pos")
    }

    #[getter]
    fn header_value_len<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.column(py, &HEADERS, "value_len")
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        let text = self.look(|decoded| {
            let view = decoded.view();
            format!("{} records in {} batches", view.records().len(), view.batches().len())
        });
        PyString::new(py, &format!("<kcodec.Records: {}>", text.unwrap_or("closed".into())))
    }
}
