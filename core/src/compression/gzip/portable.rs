//! Deflate by miniz_oxide.

use alloc::boxed::Box;

use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, TDEFLStatus, compress};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use miniz_oxide::{DataFormat, deflate::CompressionLevel};

use super::{Deflate, Inflate};
use crate::compression::Output;
use crate::error::{Error, ErrorKind};

const DEFAULT_LEVEL: u8 = 6;

#[derive(Default)]
pub(in crate::compression) struct Inflater(Box<DecompressorOxide>);

impl Inflate for Inflater {
    fn inflate(&mut self, input: &[u8], out: &mut Output<'_>) -> Result<usize, Error> {
        let (mark, mut position) = (out.len(), 0_usize);
        self.0.init();
        loop {
            let rest = input.get(position..).unwrap_or_default();
            out.room()?;
            let written = out.len().saturating_sub(mark);
            // The output so far is the window, so nothing is copied.
            let (status, read, more) = decompress(
                &mut self.0,
                rest,
                out.whole(mark),
                written,
                TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
            );
            position = position.saturating_add(read);
            out.commit(more);
            match status {
                TINFLStatus::Done => return Ok(position),
                TINFLStatus::HasMoreOutput if out.remaining() > 0 => {}
                TINFLStatus::HasMoreOutput => return Err(out.overrun()),
                TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
                    return Err(Error::at(ErrorKind::CodecTruncated, input.len()));
                }
                _ => return Err(Error::at(ErrorKind::CodecCorrupt, position)),
            }
        }
    }
}

#[derive(Default)]
pub(in crate::compression) struct Deflater(Option<Box<CompressorOxide>>);

impl Deflate for Deflater {
    fn deflate(&mut self, level: i32, input: &[u8], out: &mut Output<'_>) -> Result<(), Error> {
        let state = self.0.get_or_insert_with(|| {
            let level = CompressionLevel::DefaultLevel;
            Box::new(CompressorOxide::with_format_and_level(DataFormat::Raw, level))
        });
        state.reset();
        let level = u8::try_from(level).unwrap_or(DEFAULT_LEVEL);
        state.set_format_and_level(DataFormat::Raw, level);
        let (status, _, written) = compress(state, input, out.room()?, TDEFLFlush::Finish);
        out.commit(written);
        match status {
            TDEFLStatus::Done => Ok(()),
            TDEFLStatus::Okay => Err(out.overrun()),
            _ => Err(Error::new(ErrorKind::Internal)),
        }
    }
}
