//! An error as a row of numbers.

use kcodec::Error;

/// What is known of an error. 64 bytes. −1 stands for "not known" in `batch`, `record` and the offsets.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Fault {
    /// The number shared by all languages.
    pub kind: i32,
    /// The codec's number, 0 where none is involved.
    pub codec: u32,
    /// Which batch, counted from 0.
    pub batch: i32,
    /// Which record of it.
    pub record: i32,
    /// The byte at fault.
    pub position: u64,
    /// What the rule asks for.
    pub expected: u64,
    /// What was found.
    pub actual: u64,
    /// Of the batch at fault.
    pub base_offset: i64,
    /// To read on from, so as to skip it.
    pub next_offset: i64,
    /// 1 if the position counts in the decompressed records of the batch.
    pub in_payload: u32,
    /// Zero.
    pub reserved: u32,
}

impl Fault {
    pub(crate) fn of(error: &Error) -> Self {
        let index = |index: Option<u32>| index.map_or(-1, u32::cast_signed);
        Fault {
            kind: error.kind().number(),
            codec: error.codec() as u32,
            batch: index(error.batch()),
            record: index(error.record()),
            position: error.position(),
            expected: error.expected(),
            actual: error.actual(),
            base_offset: error.base_offset().unwrap_or(-1),
            next_offset: error.next_offset().unwrap_or(-1),
            in_payload: u32::from(error.in_payload()),
            reserved: 0,
        }
    }
}
