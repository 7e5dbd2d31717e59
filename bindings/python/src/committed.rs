//! What a consumer that reads only committed records gets to see.

use kcodec::{AbortedTransaction, ControlType, Scratch};
use pyo3::prelude::*;

use crate::batch::Batch;

/// Says batch by batch, in offset order, whether a `read_committed` consumer may see the records.
#[pyclass(module = "kcodec")]
pub(crate) struct CommittedFilter(kcodec::CommittedFilter);

#[pymethods]
impl CommittedFilter {
    /// Takes the pairs of first offset and producer id that a fetch response names.
    #[new]
    fn new(aborted: &Bound<'_, PyAny>) -> PyResult<Self> {
        let transaction = |pair: PyResult<Bound<'_, PyAny>>| {
            let (first_offset, producer_id) = pair?.extract()?;
            Ok(AbortedTransaction { first_offset, producer_id })
        };
        let aborted = aborted.try_iter()?.map(transaction).collect::<PyResult<Vec<_>>>()?;
        Ok(CommittedFilter(kcodec::CommittedFilter::new(&aborted)))
    }

    /// To be asked for every batch in order, once.
    fn delivers(&mut self, batch: &Batch) -> PyResult<bool> {
        let marker = if batch.row.is_control() { batch.with_raw(marker)? } else { None };
        Ok(self.0.admits(&batch.row, marker))
    }
}

/// The type of the first record in a control batch, whether or not its records were decoded.
fn marker(raw: &[u8]) -> Option<ControlType> {
    let batch = kcodec::batches(raw).next()?.ok()?;
    let mut scratch = Scratch::default();
    let record = batch.records(&mut scratch).ok()?.next()?.ok()?;
    ControlType::of_key(record.key)
}
