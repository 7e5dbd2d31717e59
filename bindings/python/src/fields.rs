//! Keys, values and headers as Python code gives them.
//!
//! A key or value is `None` or anything with bytes; a header a pair of a key, which is text or bytes, and a
//! value.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::source::Buffer;

/// Bytes that are there as long as the argument they came from.
pub(crate) enum Bytes<'py> {
    Object(Bound<'py, PyBytes>),
    Buffer(Buffer),
}

impl Bytes<'_> {
    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Bytes::Object(object) => object.as_bytes(),
            Bytes::Buffer(buffer) => buffer.bytes(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Bytes<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyBytes>() {
            Ok(object) => Ok(Bytes::Object(object.to_owned())),
            Err(_) => object.extract().map(Bytes::Buffer),
        }
    }
}

/// The key of a header as bytes.
pub(crate) struct HeaderKey<'py>(Bytes<'py>);

impl HeaderKey<'_> {
    pub(crate) fn get(&self) -> &[u8] {
        self.0.get()
    }
}

impl<'py> FromPyObject<'_, 'py> for HeaderKey<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyString>() {
            Ok(text) => encoded(&text).map(|bytes| HeaderKey(Bytes::Object(bytes))),
            Err(_) => object.extract().map(HeaderKey),
        }
    }
}

/// How what is no UTF-8 goes into text and comes out as the same bytes again (PEP 383).
const ESCAPE: (&str, &str) = ("utf-8", "surrogateescape");

fn encoded<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = text.encode_utf8() {
        return Ok(bytes);
    }
    Ok(text.call_method1(intern!(text.py(), "encode"), ESCAPE)?.cast_into()?)
}

/// The key of a header as text.
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let bytes = PyBytes::new(py, bytes);
    Ok(bytes.call_method1(intern!(py, "decode"), ESCAPE)?.cast_into()?)
}

type HeaderFields<'py> = (HeaderKey<'py>, Option<Bytes<'py>>);

/// The headers of a record, from `None` or any iterable of pairs.
pub(crate) fn headers<'py>(given: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<HeaderFields<'py>>> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(Vec::new()) };
    let empty = match given.cast::<PyList>() {
        Ok(list) => list.is_empty(),
        Err(_) => given.cast::<PyTuple>().is_ok_and(|tuple| tuple.is_empty()),
    };
    if empty {
        return Ok(Vec::new());
    }
    let pairs = given.try_iter()?;
    pairs.map(|pair| pair?.extract().map_err(|error| not_a_header(given, error))).collect()
}

#[cold]
fn not_a_header(given: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let text = "headers must be pairs of a key (str or bytes) and a value (bytes or None)";
    let outer = PyTypeError::new_err(text);
    outer.set_cause(given.py(), Some(error));
    outer
}
