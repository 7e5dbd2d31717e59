//! What is wrong with a batch, with its place in the input.

use kcodec::{Batch, Error, ErrorKind};

/// A [`kcodec::Error`] whose position counts from the start of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    /// The byte at fault.
    pub(crate) position: u64,
    /// Whether `position` counts from the start of the batch's decompressed records instead.
    pub(crate) in_payload: bool,
    /// Which record of the batch, counted from 0.
    pub(crate) record: Option<u32>,
    pub(crate) expected: u64,
    pub(crate) actual: u64,
    /// Where to read on to skip the batch.
    pub(crate) next_offset: Option<i64>,
}

impl Fault {
    /// `error` was found in a buffer that starts at `start` of the input.
    pub(crate) fn new(error: &Error, start: u64) -> Self {
        let in_payload = error.in_payload();
        Fault {
            kind: error.kind(),
            position: error.position() + if in_payload { 0 } else { start },
            in_payload,
            record: error.record(),
            expected: error.expected(),
            actual: error.actual(),
            next_offset: error.next_offset(),
        }
    }

    /// The batch at `position`, of `size` bytes, is larger than `limit` as it is stored.
    pub(crate) fn too_large(batch: &Batch<'_>, position: u64, size: u64, limit: u64) -> Self {
        Fault {
            kind: ErrorKind::LimitBatchBytes,
            position,
            in_payload: false,
            record: None,
            expected: limit,
            actual: size,
            next_offset: Some(batch.next_offset()),
        }
    }

    /// Zeros stand where the length at `position` should be, and something else follows them.
    pub(crate) fn no_length(position: u64) -> Self {
        Fault {
            kind: ErrorKind::BatchLength,
            position,
            in_payload: false,
            record: None,
            expected: 14,
            actual: 0,
            next_offset: None,
        }
    }

    /// What was wanted and what was found, in words, where that says anything.
    pub(crate) fn values(&self) -> Option<String> {
        let Fault { expected, actual, .. } = *self;
        match self.kind {
            ErrorKind::CrcMismatch => {
                Some(format!("stored {expected:#010x}, computed {actual:#010x}"))
            }
            kind if kind.is_limit() => Some(format!("limit {expected}, found {actual}")),
            _ if expected == 0 && actual == 0 => None,
            // A length or count below zero comes as the same 64 bits without a sign.
            _ => Some(format!("expected {expected}, found {}", actual.cast_signed())),
        }
    }
}
