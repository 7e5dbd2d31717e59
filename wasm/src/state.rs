//! What an instance remembers.

use std::cell::UnsafeCell;

use kcodec::{BatchRow, Decoder, Encoder, HeaderRow, RecordRow};

use crate::encode::Params;
use crate::fault::Fault;
use crate::view::{Segment, View};

/// A decoder, an encoder, and the buffers through which bytes come and go. All memory stays from call to call.
#[derive(Default)]
pub(crate) struct State {
    /// Written by JavaScript. Grows only; a call says how many bytes of it are its input.
    pub(crate) input: Vec<u8>,
    /// Rows to be encoded or filtered, and the header of the batch to be encoded, written by JavaScript.
    pub(crate) params: Params,
    pub(crate) batches: Vec<BatchRow>,
    pub(crate) records: Vec<RecordRow>,
    pub(crate) headers: Vec<HeaderRow>,
    pub(crate) decoder: Decoder,
    pub(crate) encoder: Encoder,
    /// For each batch the type of its control records.
    pub(crate) controls: Vec<i16>,
    /// A result that is not the decoder's nor the encoder's own.
    pub(crate) output: Vec<u8>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) view: View,
}

struct Single(UnsafeCell<Option<State>>);

// SAFETY: an instance has one thread. The module is built without the threads of WebAssembly, and the memory
// of an instance is not shared.
unsafe impl Sync for Single {}

static STATE: Single = Single(UnsafeCell::new(None));

/// The state of the instance. Every export asks for it once and calls no other, and none calls JavaScript, so
/// that no two borrows live at a time.
pub(crate) fn state() -> &'static mut State {
    // SAFETY: as said above, there is no other borrow.
    let state = unsafe { &mut *STATE.0.get() };
    state.get_or_insert_default()
}
