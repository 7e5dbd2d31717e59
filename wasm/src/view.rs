//! What a call leaves for JavaScript to read.

use std::collections::TryReserveError;

use kcodec::{BatchRow, Error, ErrorKind, HeaderRow, RecordRow, Tail};

use crate::encode::Params;
use crate::fault::Fault;

/// Where a table starts and how many rows it has.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Table<T> {
    start: *const T,
    len: u32,
}

impl<T> Table<T> {
    /// Says where `rows` are.
    #[allow(clippy::cast_possible_truncation, reason = "memory has less than 2^32 bytes")]
    pub(crate) fn of(rows: &[T]) -> Self {
        Table { start: rows.as_ptr(), len: rows.len() as u32 }
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table::of(&[])
    }
}

/// The bytes of a segment.
pub(crate) type Segment = Table<u8>;

/// The results of the last call, in words of 32 bits.
#[repr(C)]
pub struct View {
    /// One row a batch. For [`rows`](crate::rows), here and below, where to write those to be read.
    pub(crate) batches: Table<BatchRow>,
    /// One row a record.
    pub(crate) records: Table<RecordRow>,
    /// One row a header.
    pub(crate) headers: Table<HeaderRow>,
    /// The type of each batch's control records, −1 for none.
    pub(crate) controls: Table<i16>,
    /// What could not be read: batches, and a corrupt tail.
    pub(crate) faults: Table<Fault>,
    /// What positions in the rows count in, from segment 1 on; 0 is the input.
    pub(crate) segments: Table<Segment>,
    /// The bytes that a call made.
    pub(crate) output: Table<u8>,
    /// Bytes of whole batches.
    pub(crate) consumed: u32,
    /// 0 none, 1 partial, 2 zeros, 3 corrupt: then the reason is the last fault.
    pub(crate) tail: u32,
    /// Bytes of the batch that the tail starts, 0 if it does not say.
    pub(crate) needed: u32,
    /// Where to write the header of a batch to be encoded.
    pub(crate) params: *const Params,
    /// Why the call failed.
    pub(crate) fault: Fault,
}

impl Default for View {
    fn default() -> Self {
        View {
            batches: Table::default(),
            records: Table::default(),
            headers: Table::default(),
            controls: Table::default(),
            faults: Table::default(),
            segments: Table::default(),
            output: Table::default(),
            consumed: 0,
            tail: 0,
            needed: 0,
            params: std::ptr::null(),
            fault: Fault::default(),
        }
    }
}

impl View {
    /// Ends a call: 0, or the number of the error, whose details then are in [`View::fault`].
    pub(crate) fn end(&mut self, result: Result<(), Error>) -> i32 {
        match result {
            Ok(()) => 0,
            Err(error) => {
                self.fault = Fault::of(&error);
                error.kind().number()
            }
        }
    }

    /// Notes what follows the last whole batch.
    #[allow(clippy::cast_possible_truncation, reason = "memory has less than 2^32 bytes")]
    pub(crate) fn note_tail(&mut self, tail: Tail) {
        (self.tail, self.needed) = match tail {
            Tail::None => (0, 0),
            Tail::Partial { needed } => (1, needed.unwrap_or(0) as u32),
            Tail::Zeros => (2, 0),
            Tail::Corrupt(_) => (3, 0),
        };
    }
}

/// Makes `rows` at least `len` long; those that are there stay.
pub(crate) fn make_room<T: Clone>(
    rows: &mut Vec<T>,
    len: usize,
    fill: T,
) -> Result<(), TryReserveError> {
    if rows.len() < len {
        rows.try_reserve_exact(len - rows.len())?;
        rows.resize(len, fill);
    }
    Ok(())
}

/// What a failed reservation is told as.
pub(crate) fn out_of_memory(_: TryReserveError) -> Error {
    Error::new(ErrorKind::OutOfMemory)
}
