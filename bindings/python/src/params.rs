//! What the header of a batch to be written says, from keyword arguments.

use kcodec::{BatchParams, Codec, ErrorKind};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::Fault;

/// A codec by number, by name or as a member of `kcodec.Codec`, which is a number.
pub(crate) struct CodecArgument(pub(crate) Codec);

impl<'py> FromPyObject<'_, 'py> for CodecArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let codec = if let Ok(name) = object.cast::<PyString>() {
            Codec::from_name(&name.to_cow()?)
        } else {
            Codec::from_number(object.extract().unwrap_or(u8::MAX))
        };
        let unknown = || Fault(kcodec::Error::new(ErrorKind::UnknownCodec));
        Ok(CodecArgument(codec.ok_or_else(unknown)?))
    }
}

/// The parameters of `encode` and its kin: the fields of [`BatchParams`] by their names.
pub(crate) fn from_keywords(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<BatchParams> {
    let mut params = BatchParams::default();
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        match name.as_str() {
            "magic" => params.magic = value.extract()?,
            "codec" => params.codec = value.extract::<CodecArgument>()?.0,
            "level" => params.level = value.extract()?,
            "base_offset" => params.base_offset = value.extract()?,
            "last_offset_delta" => params.last_offset_delta = value.extract()?,
            "leader_epoch" => params.leader_epoch = value.extract()?,
            "producer_id" => params.producer_id = value.extract()?,
            "producer_epoch" => params.producer_epoch = value.extract()?,
            "base_sequence" => params.base_sequence = value.extract()?,
            "transactional" => params.transactional = value.extract()?,
            "control" => params.control = value.extract()?,
            "log_append_time" => params.log_append_time = value.extract()?,
            "delete_horizon" => params.delete_horizon = value.extract()?,
            "unknown_attributes" => params.unknown_attributes = value.extract()?,
            _ => {
                let text = format!("unexpected keyword argument '{name}'");
                return Err(PyTypeError::new_err(text));
            }
        }
    }
    Ok(params)
}

/// The keyword arguments that write a decoded batch again.
pub(crate) fn to_keywords<'py>(
    py: Python<'py>,
    params: &BatchParams,
) -> PyResult<Bound<'py, PyDict>> {
    let keywords = PyDict::new(py);
    keywords.set_item("magic", params.magic)?;
    keywords.set_item("codec", params.codec as u8)?;
    keywords.set_item("base_offset", params.base_offset)?;
    keywords.set_item("last_offset_delta", params.last_offset_delta)?;
    keywords.set_item("leader_epoch", params.leader_epoch)?;
    keywords.set_item("producer_id", params.producer_id)?;
    keywords.set_item("producer_epoch", params.producer_epoch)?;
    keywords.set_item("base_sequence", params.base_sequence)?;
    keywords.set_item("transactional", params.transactional)?;
    keywords.set_item("control", params.control)?;
    keywords.set_item("log_append_time", params.log_append_time)?;
    keywords.set_item("delete_horizon", params.delete_horizon)?;
    keywords.set_item("unknown_attributes", params.unknown_attributes)?;
    Ok(keywords)
}
