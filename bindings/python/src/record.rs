//! One record, light: two numbers, and where the rest is.
//!
//! Offset and timestamp are read by nearly everyone who iterates, so they are made with the record and are
//! plain slots from then on. Keys, values and headers become objects when they are asked for.

use std::sync::atomic::{AtomicU32, Ordering};

use kcodec::{BatchRow, ControlType, RecordRow};
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
    segment: u32,
}

impl Record {
    pub(crate) fn new(
        py: Python<'_>,
        records: &Py<Records>,
        decoded: &Decoded,
        batch: u32,
        row: u32,
    ) -> PyResult<Record> {
        let &RecordRow { offset, timestamp, .. } = decoded.row(row);
        Ok(Record {
            offset: offset.into_pyobject(py)?.unbind(),
            timestamp: timestamp.into_pyobject(py)?.unbind(),
            records: records.clone_ref(py),
            row,
            segment: decoded.batch(batch).segment,
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
        Ok(visit(row.offset, view.record(decoded.batch_of(self.row), row)))
    }
}

#[pymethods]
impl Record {
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.look(|decoded, row| decoded.bytes(py, self.segment, row.key_pos, row.key_len))
    }

    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.look(|decoded, row| decoded.bytes(py, self.segment, row.value_pos, row.value_len))
    }

    #[getter]
    fn key_view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let decoded = self.records.get().hold()?;
        let row = decoded.row(self.row);
        decoded.bytes_view(py, self.segment, row.key_pos, row.key_len)
    }

    #[getter]
    fn value_view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let decoded = self.records.get().hold()?;
        let row = decoded.row(self.row);
        decoded.bytes_view(py, self.segment, row.value_pos, row.value_len)
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
        let (index, row) =
            self.look(|decoded, _| (decoded.batch_index(self.row), *decoded.batch_of(self.row)))?;
        Ok(Batch::new(self.records.clone_ref(py), index, &row, None))
    }

    #[getter]
    fn control_type(&self) -> PyResult<Option<&'static str>> {
        self.look(|decoded, row| {
            let control = decoded.view().control_type(decoded.batch_of(self.row), row);
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
    batch: AtomicU32,
    row: AtomicU32,
    end: u32,
}

impl RecordIterator {
    pub(crate) fn new(records: Py<Records>, batch: u32, row: u32, end: u32) -> Self {
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
            let BatchRow { first_record, record_count, .. } = *decoded.batch(batch);
            if row >= first_record + record_count {
                batch = decoded.batch_index(row);
                self.batch.store(batch, Ordering::Relaxed);
            }
            self.row.store(row + 1, Ordering::Relaxed);
            Record::new(py, &self.records, decoded, batch, row).map(Some)
        })?
    }

    fn __length_hint__(&self) -> u32 {
        self.end.saturating_sub(self.row.load(Ordering::Relaxed))
    }
}
