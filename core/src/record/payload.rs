//! From a batch to the bytes that its records are walked in.
//!
//! An uncompressed batch has its records in the caller's buffer. A compressed one is decompressed into a
//! [`Scratch`], the memory and the codec contexts that are worth keeping from one batch to the next.
//! Walking starts only where this ends.

use alloc::vec::Vec;
use core::ops::Range;

use crate::compression::{Codec, Decompressor, Output};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::record::batch::Batch;
use crate::record::layout;
use crate::record::legacy::Message;
use crate::record::record::slice;

/// How to decode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches, named where they are set")]
pub struct DecodeOptions {
    /// Bounds on memory. Zeros are the defaults.
    pub limits: Limits,
    /// Compare the checksum of every batch and message with its bytes. On by default.
    pub verify_crc: bool,
    /// Leave a batch that cannot be read without records, with the reason in its row, and go on with the
    /// next. Otherwise the first fault ends the call.
    pub keep_going: bool,
    /// Stop at batch headers: no records, nothing decompressed.
    pub batches_only: bool,
    /// Leave control batches without records.
    pub skip_control: bool,
    /// Refuse header keys that are no UTF-8.
    pub check_utf8: bool,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        DecodeOptions {
            limits: Limits::default(),
            verify_crc: true,
            keep_going: false,
            batches_only: false,
            skip_control: false,
            check_utf8: false,
        }
    }
}

/// Where the records of a batch lie before any decompression. Positions count from its first byte.
pub(crate) enum Stored<'a> {
    /// Nowhere: the batch declares no records.
    Empty,
    /// In the batch itself, after its header.
    Plain(&'a [u8]),
    /// Under a codec.
    Compressed(Compressed<'a>),
    /// The batch is one plain message.
    Message(Message),
}

/// A compressed run of records or messages.
#[derive(Clone, Copy)]
pub(crate) struct Compressed<'a> {
    pub(crate) codec: Codec,
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Stored<'a> {
    /// Finds the records of `batch`, whose header was checked.
    pub(crate) fn find(batch: &Batch<'a>) -> Result<Stored<'a>, Error> {
        let codec = batch.codec()?;
        if batch.magic() == 2 {
            return Ok(match (batch.declared_count(), codec) {
                // Kafka's own iterators do not look at the body of an empty batch, and some writers leave
                // codec bits on one without a body.
                (0, _) => Stored::Empty,
                (_, Codec::None) => Stored::Plain(batch.body()),
                _ => Stored::Compressed(Compressed {
                    codec,
                    bytes: batch.body(),
                    position: layout::RECORDS,
                }),
            });
        }
        let message = Message::read(batch.raw(), 0).map_err(|error| batch.fault(error))?;
        if codec == Codec::None {
            return Ok(Stored::Message(message));
        }
        let position = message.value.pos as usize;
        match slice(batch.raw(), message.value) {
            Some(bytes) => Ok(Stored::Compressed(Compressed { codec, bytes, position })),
            None => Err(batch.fault(Error::at(ErrorKind::WrapperEmpty, position))),
        }
    }
}

/// Memory and codec contexts for decompression, to be reused from batch to batch.
///
/// ```
/// # let segment = std::fs::read("../vectors/segments/java_lz4-0.log")?;
/// let mut scratch = kcodec::Scratch::default();
/// let mut values = 0;
/// for batch in kcodec::batches(&segment) {
///     for record in batch?.records(&mut scratch)? {
///         values += record?.value.map_or(0, <[u8]>::len);
///     }
/// }
/// assert!(values > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) options: DecodeOptions,
    decompressor: Decompressor,
    /// The payloads of one call after another; initialised over its whole length.
    payloads: Vec<u8>,
    used: usize,
}

impl Scratch {
    /// Nothing is allocated before the first compressed batch.
    #[must_use]
    pub fn new(options: DecodeOptions) -> Self {
        Scratch { options, ..Scratch::default() }
    }

    pub(crate) fn limits(&self) -> Limits {
        self.options.limits.effective()
    }

    /// Bytes kept for payloads.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.payloads.capacity()
    }

    /// Gives back memory above `keep` bytes, and the codec contexts.
    pub fn shrink(&mut self, keep: usize) {
        self.clear();
        self.payloads.truncate(keep);
        self.payloads.shrink_to_fit();
        self.decompressor = Decompressor::default();
    }

    /// Forgets all payloads.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// Forgets the payloads after the first `used` bytes.
    pub(crate) fn rewind(&mut self, used: usize) {
        self.used = used;
    }

    pub(crate) fn used(&self) -> usize {
        self.used
    }

    pub(crate) fn payload(&self, range: Range<usize>) -> &[u8] {
        self.payloads.get(range).unwrap_or_default()
    }

    pub(crate) fn payloads(&self) -> &[u8] {
        self.payload(0..self.used)
    }

    /// All payloads of the call, for good.
    pub(crate) fn into_payloads(mut self) -> Vec<u8> {
        self.payloads.truncate(self.used);
        self.payloads
    }

    /// Decompresses the records of `batch` after the payloads so far, within the limits.
    pub(crate) fn decompress(
        &mut self,
        batch: &Batch<'_>,
        compressed: &Compressed<'_>,
    ) -> Result<Range<usize>, Error> {
        let Compressed { codec, bytes, position } = *compressed;
        let limits = self.limits();
        let total_left = limits.max_total_bytes.saturating_sub(self.used as u64);
        let (limit, over) = if total_left < limits.max_batch_bytes {
            (total_left, ErrorKind::LimitTotalBytes)
        } else {
            (limits.max_batch_bytes, ErrorKind::LimitBatchBytes)
        };
        // Positions in a payload are 31 bits wide, whatever the limit.
        let limit = usize::try_from(limit).unwrap_or(usize::MAX).min(layout::MAX_BYTES);
        let mut out = Output::growing(&mut self.payloads, self.used, limit, over);
        let old_lz4_checksum = batch.magic() == 0;
        let done = self.decompressor.decompress(codec, bytes, &mut out, old_lz4_checksum);
        let len = out.len();
        done.map_err(|error| {
            let error = error.shifted(position).in_codec(codec);
            batch.fault(if error.kind() == ErrorKind::LimitTotalBytes {
                // What the call used up before counts as well.
                let needed = error.actual().saturating_add(self.used as u64);
                error.values(limits.max_total_bytes, needed)
            } else {
                error
            })
        })?;
        let range = self.used..self.used.saturating_add(len);
        self.used = range.end;
        Ok(range)
    }
}
