//! zstd by libzstd.
//!
//! A frame is decoded in one pass into room for the most that it can hold. The streaming interface would
//! keep a window of its own and copy everything out of it.

use zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd_safe::{CCtx, CParameter, DCtx, is_error_kind};

use super::{Decode, Encode, Failure, frame::Frame};
use crate::compression::Output;
use crate::error::{Error, ErrorKind};

#[derive(Default)]
pub(in crate::compression) struct Decoder(Option<DCtx<'static>>);

impl Decode for Decoder {
    fn decode(&mut self, frame: &Frame<'_>, room: &mut [u8]) -> Result<usize, Failure> {
        let context = match &mut self.0 {
            Some(context) => context,
            none => none.insert(DCtx::try_create().ok_or(OUT_OF_MEMORY)?),
        };
        context.decompress(room, frame.bytes).map_err(|code| {
            let is = |kind| is_error_kind(code, kind);
            if is(ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall) {
                Failure::Room
            } else if is(ZSTD_ErrorCode::ZSTD_error_checksum_wrong) {
                Failure::Other(ErrorKind::CodecChecksum)
            } else if is(ZSTD_ErrorCode::ZSTD_error_memory_allocation) {
                OUT_OF_MEMORY
            } else {
                Failure::Other(ErrorKind::CodecCorrupt)
            }
        })
    }
}

const OUT_OF_MEMORY: Failure = Failure::Other(ErrorKind::OutOfMemory);

#[derive(Default)]
pub(in crate::compression) struct Encoder(Option<(i32, CCtx<'static>)>);

impl Encode for Encoder {
    /// The frame has its content size, which Java does not write: a reader that knows it needs one pass.
    fn encode(&mut self, level: i32, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        const INTERNAL: Error = Error::new(ErrorKind::Internal);
        let context = match &mut self.0 {
            Some((of, context)) if *of == level => context,
            other => {
                let mut context = CCtx::try_create().ok_or(Error::new(ErrorKind::OutOfMemory))?;
                let set = context.set_parameter(CParameter::CompressionLevel(level));
                set.map_err(|_| INTERNAL)?;
                &mut other.insert((level, context)).1
            }
        };
        let room = out.room_for(bound(input.len()))?;
        let written = context.compress2(room, input).map_err(|code| {
            let memory = is_error_kind(code, ZSTD_ErrorCode::ZSTD_error_memory_allocation);
            if memory { Error::new(ErrorKind::OutOfMemory) } else { INTERNAL }
        })?;
        out.commit(written);
        Ok(())
    }
}

/// libzstd's own bound.
pub(in crate::compression) fn bound(len: usize) -> usize {
    zstd_safe::compress_bound(len)
}
