//! One record, light: two numbers, and where the rest is.
//!
//! Offset and timestamp are read by nearly everyone who iterates, so they are made with the record and are
//! plain slots from then on. Keys, values and headers become objects when they are asked for.

use std::sync::atomic::{AtomicUsize, Ordering};

use kcodec::{ControlType, RecordRow};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};

use crate::batch::Batch;
use crate::fields::text;
use crate::records::{Decoded, Records};

/// A record of a batch, or a message.
#[pyclass(frozen, module = "kcodec")]
pub(crate) struct Record {
    /// Absolute.
    #[pyo3(get)]
    offset: Py<PyInt>,
    /// Milliseconds since the epoch, -1 for none.
    #[pyo3(get)]
    timestamp: Py<PyInt>,
    records: Py<Records>,
    row: u32,
    batch: u32,
}

impl Record {
    #[allow(clippy::cast_possible_truncation, reason = "tables have fewer than 2^32 rows")]
    pub(crate) fn new(
        py: Python<'_>,
        records: &Py<Records>,
        decoded: &Decoded,
        batch: usize,
        row: usize,
    ) -> PyResult<Record> {
        let (batch, row) = (batch as u32, row as u32);
        let &RecordRow { offset, timestamp, .. } = decoded.row(row);
        Ok(Record {
            offset: offset.into_pyobject(py)?.unbind(),
            timestamp: timestamp.into_pyobject(py)?.unbind(),
            records: records.clone_ref(py),
            row,
            batch,
        })
    }

    /// Looks into what was decoded, under the same rule as [`Records::look`].
    fn look<T>(&self, look: impl FnOnce(&Decoded, &RecordRow) -> T) -> PyResult<T> {
        self.records.get().look(|decoded| look(decoded, decoded.row(self.row)))
    }

    /// Visits the parts that an encoder needs.
    pub(crate) fn visit<T>(&self, visit: impl FnOnce(i64, kcodec::Record<'_>) -> T) -> PyResult<T> {
        let decoded = self.records.get().hold()?;
        let (view, row) = (decoded.view(), decoded.row(self.row));
        Ok(visit(row.offset, view.record(decoded.batch(self.batch), row)))
    }
}

#[pymethods]
impl Record {
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.look(|decoded, row| decoded.bytes(py, self.batch, row.key_pos, row.key_len))
    }

    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.look(|decoded, row| decoded.bytes(py, self.batch, row.value_pos, row.value_len))
    }

    #[getter]
    fn key_view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let decoded = self.records.get().hold()?;
        let row = decoded.row(self.row);
        decoded.bytes_view(py, self.batch, row.key_pos, row.key_len)
    }

    #[getter]
    fn value_view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let decoded = self.records.get().hold()?;
        let row = decoded.row(self.row);
        decoded.bytes_view(py, self.batch, row.value_pos, row.value_len)
    }

    /// A list of pairs, made anew.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.visit(|_, record| {
            let headers = PyList::empty(py);
            for header in record.headers {
                let value = header.value.map(|value| PyBytes::new(py, value));
                headers.append((text(py, header.key)?, value))?;
            }
            Ok(headers)
        })?
    }

    #[getter]
    fn batch(&self, py: Python<'_>) -> PyResult<Batch> {
        // A batch that has a record has no fault.
        let row = self.look(|decoded, _| *decoded.batch(self.batch))?;
        Ok(Batch::new(self.records.clone_ref(py), self.batch, &row, None))
    }

    #[getter]
    fn control_type(&self) -> PyResult<Option<&'static str>> {
        self.look(|decoded, row| {
            let control = decoded.view().control_type(decoded.batch(self.batch), row);
            control.map(ControlType::name)
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let size = |len: i32| if len < 0 { "null".to_owned() } else { format!("{len} bytes") };
        let (offset, timestamp) = (self.offset.bind(py), self.timestamp.bind(py));
        let rest = self.look(|_, row| {
            let (key, value) = (size(row.key_len), size(row.value_len));
            format!("key: {key}, value: {value}, headers: {}", row.header_count)
        });
        let rest = rest.unwrap_or("closed".into());
        format!("<kcodec.Record offset={offset} timestamp={timestamp} {rest}>")
    }
}

/// The records of some batches, one after the other.
#[pyclass(frozen, module = "kcodec")]
pub(crate) struct RecordIterator {
    records: Py<Records>,
    // Two threads that share an iterator may get the same record, and nothing worse.
    batch: AtomicUsize,
    row: AtomicUsize,
    end: usize,
}

impl RecordIterator {
    pub(crate) fn new(records: Py<Records>, batch: usize, row: usize, end: usize) -> Self {
        RecordIterator { records, batch: batch.into(), row: row.into(), end }
    }
}

#[pymethods]
impl RecordIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        self.records.get().look(|decoded| {
            let row = self.row.load(Ordering::Relaxed);
            if row >= self.end {
                return Ok(None);
            }
            let mut batch = self.batch.load(Ordering::Relaxed);
            let has_row = |batch: &kcodec::BatchRow| {
                row < batch.first_record as usize + batch.record_count as usize
            };
            if !has_row(&decoded.view().batches()[batch]) {
                batch = decoded.batch_of(row);
                self.batch.store(batch, Ordering::Relaxed);
            }
            self.row.store(row + 1, Ordering::Relaxed);
            Record::new(py, &self.records, decoded, batch, row).map(Some)
        })?
    }

    fn __length_hint__(&self) -> usize {
        self.end.saturating_sub(self.row.load(Ordering::Relaxed))
    }
}
