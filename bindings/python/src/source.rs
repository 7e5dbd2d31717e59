//! Bytes that belong to the caller.
//!
//! A buffer is asked for by the buffer protocol, so that anything goes that has bytes: `bytes`, `bytearray`,
//! `memoryview`, `mmap`, an array. While it is held, its owner can neither free nor move it: a `bytearray`
//! refuses to be resized, a `mmap` to be closed. What its owner can do is write into it. Lengths and
//! positions were taken and checked before, so that such a write changes the contents of what is read
//! later and nothing else; it is the caller's to leave the bytes alone while they are being decoded.

use std::slice;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::{PyMemoryView, PySlice};

/// A contiguous buffer, held.
pub(crate) struct Buffer(PyUntypedBuffer);

impl Buffer {
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.0.len_bytes() == 0 {
            return &[];
        }
        // SAFETY: The exporter keeps this many bytes in place until the buffer is released, which happens
        // when `self` is dropped.
        unsafe { slice::from_raw_parts(self.0.buf_ptr().cast(), self.0.len_bytes()) }
    }

    /// The bytes to be written to, while the interpreter keeps all other Python code from running.
    pub(crate) fn bytes_mut(&mut self) -> PyResult<&mut [u8]> {
        if self.0.readonly() {
            return Err(PyBufferError::new_err("the buffer is read-only"));
        }
        if self.0.len_bytes() == 0 {
            return Ok(&mut []);
        }
        // SAFETY: As above; the exporter said that the buffer may be written to.
        Ok(unsafe { slice::from_raw_parts_mut(self.0.buf_ptr().cast(), self.0.len_bytes()) })
    }
}

impl<'py> FromPyObject<'_, 'py> for Buffer {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(&object)?;
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        Ok(Buffer(buffer))
    }
}

/// A buffer that parts can be handed out of, each of which holds it as well.
pub(crate) struct Source {
    // Before the view, which refuses to be released while there is a buffer of it.
    buffer: Buffer,
    view: Py<PyMemoryView>,
}

impl Source {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.bytes()
    }

    /// A part of the caller's own object.
    pub(crate) fn view<'py>(
        &self,
        py: Python<'py>,
        from: usize,
        to: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.view.bind(py).get_item(PySlice::new(py, from.cast_signed(), to.cast_signed(), 1))
    }
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let mut view = PyMemoryView::from(&object)?;
        let buffer: Buffer = view.extract()?;
        if buffer.0.format() != c"B" || buffer.0.dimensions() != 1 {
            view = view.call_method1("cast", ("B",))?.cast_into()?;
        }
        Ok(Source { buffer: view.extract()?, view: view.unbind() })
    }
}
