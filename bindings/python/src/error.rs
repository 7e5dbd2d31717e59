//! Faults of the codec as Python exceptions.
//!
//! The classes are Python's own (`kcodec.errors`), since there they can be read, documented and typed. Here
//! the numbers of a fault are handed over to the one function that makes an exception of them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A fault on its way to becoming an exception, for `map_err(Fault)?`.
pub(crate) struct Fault(pub(crate) kcodec::Error);

impl Fault {
    /// The exception as an object.
    pub(crate) fn to_object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let Fault(error) = self;
        MAKE.import(py, "kcodec.errors", "from_numbers")?.call1((
            error.to_string(),
            error.kind().number(),
            error.codec() as u8,
            error.position(),
            error.in_payload(),
            error.batch(),
            error.record(),
            error.expected(),
            error.actual(),
            error.base_offset(),
            error.next_offset(),
        ))
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| match fault.to_object(py) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        })
    }
}

/// What a result says that was closed, in the manner of closed files and released memoryviews.
#[cold]
pub(crate) fn closed() -> PyErr {
    PyValueError::new_err("operation on closed records")
}

/// Every error code: number, name and message, for `kcodec.errors` to be checked against.
#[pyfunction]
pub(crate) fn error_kinds() -> Vec<(i32, &'static str, &'static str)> {
    let all = kcodec::ErrorKind::ALL.iter();
    all.map(|kind| (kind.number(), kind.name(), kind.message())).collect()
}
