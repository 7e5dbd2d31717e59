//! From tables to bytes, and the codecs by themselves.

use kcodec::{BatchParams, BatchRow, Codec, Error, ErrorKind, HeaderRow, RecordRow};

use crate::state::{State, state};
use crate::view::{Table, make_room, out_of_memory};

/// What the header of a batch to be written says, see [`BatchParams`]. The least number that a field can hold
/// is its `None`.
#[derive(Default)]
#[repr(C)]
pub struct Params {
    base_offset: i64,
    producer_id: i64,
    log_append_time: i64,
    delete_horizon: i64,
    level: i32,
    last_offset_delta: i32,
    leader_epoch: i32,
    base_sequence: i32,
    producer_epoch: i16,
    magic: i8,
    codec: u8,
    transactional: u8,
    control: u8,
    reserved: u16,
}

impl Params {
    fn read(&self) -> Result<BatchParams, Error> {
        let some = |value: i32| (value != i32::MIN).then_some(value);
        let some_time = |value: i64| (value != i64::MIN).then_some(value);
        Ok(BatchParams {
            magic: self.magic,
            codec: codec(self.codec.into())?,
            level: some(self.level),
            base_offset: self.base_offset,
            last_offset_delta: some(self.last_offset_delta),
            leader_epoch: self.leader_epoch,
            producer_id: self.producer_id,
            producer_epoch: self.producer_epoch,
            base_sequence: self.base_sequence,
            transactional: self.transactional != 0,
            control: self.control != 0,
            log_append_time: some_time(self.log_append_time),
            delete_horizon: some_time(self.delete_horizon),
            unknown_attributes: 0,
        })
    }
}

fn codec(number: u32) -> Result<Codec, Error> {
    let codec = u8::try_from(number).ok().and_then(Codec::from_number);
    codec.ok_or(Error::new(ErrorKind::UnknownCodec))
}

/// Room for rows that JavaScript is to write, told in the view.
#[unsafe(no_mangle)]
pub extern "C" fn rows(batches: usize, records: usize, headers: usize) -> i32 {
    let state = state();
    let room = make_room(&mut state.batches, batches, BatchRow::default())
        .and_then(|()| make_room(&mut state.controls, batches, -1))
        .and_then(|()| make_room(&mut state.records, records, RecordRow::default()))
        .and_then(|()| make_room(&mut state.headers, headers, HeaderRow::default()));
    let State { view, .. } = state;
    view.batches = Table::of(&state.batches);
    view.controls = Table::of(&state.controls);
    view.records = Table::of(&state.records);
    view.headers = Table::of(&state.headers);
    view.params = &raw const state.params;
    view.end(room.map_err(out_of_memory))
}

/// Encodes so many rows, which point into the first `len` bytes of the input, to one batch in the output.
#[unsafe(no_mangle)]
pub extern "C" fn encode(records: usize, headers: usize, len: usize) -> i32 {
    let State { params, records: rows, headers: header_rows, input, encoder, view, .. } = state();
    let batch = params.read().and_then(|params| {
        encoder.encode(&params, &input[..len], &rows[..records], &header_rows[..headers])
    });
    let result = batch.map(|batch| view.output = Table::of(batch));
    view.end(result)
}

/// Compresses the first `len` bytes of the input to the output. The least `level` is the codec's default.
#[unsafe(no_mangle)]
pub extern "C" fn compress(number: u32, level: i32, len: usize) -> i32 {
    let State { input, output, view, .. } = state();
    let level = (level != i32::MIN).then_some(level);
    let result = codec(number)
        .and_then(|codec| kcodec::compression::compress(codec, level, &input[..len]))
        .map(|bytes| *output = bytes);
    view.output = Table::of(output);
    view.end(result)
}

/// Decompresses the first `len` bytes of the input, to at most `limit` bytes of output.
#[unsafe(no_mangle)]
pub extern "C" fn decompress(number: u32, limit: u32, len: usize) -> i32 {
    let State { input, output, view, .. } = state();
    let result = codec(number)
        .and_then(|codec| kcodec::compression::decompress(codec, &input[..len], limit.into()))
        .map(|bytes| *output = bytes);
    view.output = Table::of(output);
    view.end(result)
}
