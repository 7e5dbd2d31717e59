//! Deflate by zlib-rs.

use core::cell::RefCell;
use std::thread_local;

use zlib_rs::{DeflateFlush, InflateFlush, Status};

use super::{Deflate, Inflate};
use crate::compression::Output;
use crate::error::{Error, ErrorKind};

const WINDOW_BITS: u8 = 15;

thread_local! {
    /// zlib-rs' state for reading stays on the thread that made it (it is not `Send`), and a decoder does
    /// not, so that the state is the thread's and not the decoder's.
    static STATE: RefCell<zlib_rs::Inflate> =
        RefCell::new(zlib_rs::Inflate::new(false, WINDOW_BITS));
}

#[derive(Default)]
pub(in crate::compression) struct Inflater;

impl Inflate for Inflater {
    fn inflate(&mut self, input: &[u8], out: &mut Output<'_>) -> Result<usize, Error> {
        STATE.with_borrow_mut(|state| {
            state.reset(false);
            inflate(state, input, out)
        })
    }
}

/// At the bound, one byte of room that is not the output's tells a stream that ends there, or is cut there,
/// from one that goes on.
fn inflate(
    state: &mut zlib_rs::Inflate,
    input: &[u8],
    out: &mut Output<'_>,
) -> Result<usize, Error> {
    let (mut read, mut beyond) = (0, [0]);
    loop {
        let rest = input.get(read..).unwrap_or_default();
        let at_bound = out.remaining() == 0;
        let room = if at_bound { &mut beyond } else { out.room()? };
        let (room_len, before) = (room.len() as u64, state.total_out());
        let status = state.decompress(rest, room, InflateFlush::Finish);
        read = usize::try_from(state.total_in()).unwrap_or(usize::MAX);
        let written = state.total_out().saturating_sub(before);
        if at_bound && written > 0 {
            return Err(out.overrun());
        }
        out.commit(usize::try_from(written).unwrap_or(usize::MAX));
        match status {
            Ok(Status::StreamEnd) => return Ok(read),
            Ok(_) if written == room_len => {}
            Ok(_) => return Err(Error::at(ErrorKind::CodecTruncated, input.len())),
            Err(_) => return Err(Error::at(ErrorKind::CodecCorrupt, read)),
        }
    }
}

/// The state of one level, kept for the next stream of the same level.
#[derive(Default)]
pub(in crate::compression) struct Deflater(Option<(i32, zlib_rs::Deflate)>);

impl Deflate for Deflater {
    fn deflate(&mut self, level: i32, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        let state = match &mut self.0 {
            Some((of, state)) if *of == level => {
                state.reset();
                state
            }
            other => &mut other.insert((level, zlib_rs::Deflate::new(level, false, WINDOW_BITS))).1,
        };
        let status = state.compress(input, out.room()?, DeflateFlush::Finish);
        out.commit(usize::try_from(state.total_out()).unwrap_or(usize::MAX));
        match status {
            Ok(Status::StreamEnd) => Ok(()),
            Ok(_) => Err(out.overrun()),
            Err(_) => Err(Error::new(ErrorKind::Internal)),
        }
    }
}
