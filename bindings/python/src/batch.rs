//! The header of one batch.

use kcodec::{BatchParams, BatchRow, TimestampType};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySlice};

use crate::error::Fault;
use crate::params;
use crate::record::RecordIterator;
use crate::records::Records;

/// A record batch (magic 2) or a message (magic 0 and 1).
#[pyclass(frozen, module = "kcodec")]
pub(crate) struct Batch {
    records: Py<Records>,
    index: u32,
    pub(crate) row: BatchRow,
    fault: Option<kcodec::Error>,
}

impl Batch {
    pub(crate) fn new(
        records: Py<Records>,
        index: u32,
        row: &BatchRow,
        fault: Option<kcodec::Error>,
    ) -> Self {
        Batch { records, index, row: *row, fault }
    }

    /// Looks at its bytes in the caller's buffer, under the same rule as [`Records::look`].
    pub(crate) fn with_raw<T>(&self, look: impl FnOnce(&[u8]) -> T) -> PyResult<T> {
        let (from, to) = self.range();
        self.records.get().look(|decoded| look(&decoded.view().segment(0)[from..to]))
    }

    fn range(&self) -> (usize, usize) {
        let from = self.row.position as usize;
        (from, from + self.row.length as usize)
    }

    fn rows(&self) -> (u32, u32) {
        (self.row.first_record, self.row.first_record + self.row.record_count)
    }

    fn has(&self, flag: u8) -> bool {
        self.row.flags & flag != 0
    }
}

#[pymethods]
impl Batch {
    #[getter]
    fn index(&self) -> u32 {
        self.index
    }

    #[getter]
    fn magic(&self) -> i8 {
        self.row.magic
    }

    #[getter]
    fn base_offset(&self) -> i64 {
        self.row.base_offset
    }

    #[getter]
    fn last_offset_delta(&self) -> i32 {
        self.row.last_offset_delta
    }

    #[getter]
    fn last_offset(&self) -> i64 {
        self.row.last_offset()
    }

    #[getter]
    fn next_offset(&self) -> i64 {
        self.row.next_offset()
    }

    #[getter]
    fn offsets_unassigned(&self) -> bool {
        self.has(BatchRow::OFFSETS_UNASSIGNED)
    }

    #[getter]
    fn base_timestamp(&self) -> i64 {
        self.row.base_timestamp
    }

    #[getter]
    fn max_timestamp(&self) -> i64 {
        self.row.max_timestamp
    }

    #[getter]
    fn timestamp_type(&self) -> Option<u8> {
        match self.row.timestamp_type() {
            TimestampType::None => None,
            TimestampType::CreateTime => Some(0),
            TimestampType::LogAppendTime => Some(1),
        }
    }

    #[getter]
    fn delete_horizon(&self) -> Option<i64> {
        BatchParams::of(&self.row).delete_horizon
    }

    #[getter]
    fn attributes(&self) -> i16 {
        self.row.attributes
    }

    #[getter]
    fn codec(&self) -> i8 {
        self.row.codec
    }

    #[getter]
    fn is_transactional(&self) -> bool {
        self.row.is_transactional()
    }

    #[getter]
    fn is_control(&self) -> bool {
        self.row.is_control()
    }

    #[getter]
    fn leader_epoch(&self) -> i32 {
        self.row.leader_epoch
    }

    #[getter]
    fn producer_id(&self) -> i64 {
        self.row.producer_id
    }

    #[getter]
    fn producer_epoch(&self) -> i16 {
        self.row.producer_epoch
    }

    #[getter]
    fn base_sequence(&self) -> i32 {
        self.row.base_sequence
    }

    #[getter]
    fn last_sequence(&self) -> i32 {
        self.row.last_sequence()
    }

    #[getter]
    fn declared_count(&self) -> i32 {
        self.row.declared_count
    }

    #[getter]
    fn crc(&self) -> u32 {
        self.row.crc
    }

    #[getter]
    fn crc_verified(&self) -> bool {
        self.has(BatchRow::CRC_VERIFIED)
    }

    #[getter]
    fn position(&self) -> u32 {
        self.row.position
    }

    #[getter]
    fn size(&self) -> u32 {
        self.row.length
    }

    #[getter]
    fn segment(&self) -> u32 {
        self.row.segment
    }

    /// The keyword arguments that write it again.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        params::to_keywords(py, &BatchParams::of(&self.row))
    }

    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.fault.map(|fault| Fault(fault).to_object(py)).transpose()
    }

    #[getter(rows)]
    fn rows_slice<'py>(&self, py: Python<'py>) -> Bound<'py, PySlice> {
        let (from, to) = self.rows();
        PySlice::new(py, from as isize, to as isize, 1)
    }

    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.with_raw(|raw| PyBytes::new(py, raw))
    }

    #[getter]
    fn raw_view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (from, to) = self.range();
        self.records.get().hold()?.source_view(py, from, to)
    }

    fn __len__(&self) -> usize {
        self.row.record_count as usize
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<RecordIterator> {
        self.records.get().hold()?;
        let (from, to) = self.rows();
        Ok(RecordIterator::new(self.records.clone_ref(py), self.index, from, to))
    }

    fn __repr__(&self) -> String {
        let (base, last, count) =
            (self.row.base_offset, self.row.last_offset(), self.row.record_count);
        format!("<kcodec.Batch magic={} offsets={base}..{last} records={count}>", self.row.magic)
    }
}
