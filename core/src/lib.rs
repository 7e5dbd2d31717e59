//! A portable codec for the Kafka wire format: record batches and message sets with their compression,
//! checksums and limits, in a crate without `std` and without unsafe code that cannot panic on input.
//!
//! ```
//! use kcodec::{BatchBuilder, BatchParams, Codec};
//!
//! let params = BatchParams { codec: Codec::Lz4, ..BatchParams::default() };
//! let mut builder = BatchBuilder::new(params)?;
//! builder.push(1_700_000_000_000, Some(b"key"), Some(b"value"), &[])?;
//! let bytes = builder.finish()?;
//!
//! let records = kcodec::decode(bytes)?;
//! for record in records.iter() {
//!     assert_eq!((record.offset, record.value.as_deref()), (0, Some(&b"value"[..])));
//! }
//! # Ok::<(), kcodec::Error>(())
//! ```
//!
//! # Three sizes of the same verb
//!
//! * [`batches`] iterates over the entries of a buffer. Headers are read lazily, [`Batch::records`] and
//!   [`Batch::outlines`] go on to records, borrowed from the buffer.
//! * [`Decoder`] fills flat tables of positions for a whole buffer, and keeps its memory. [`Records`] is
//!   what bindings for other languages hand out.
//! * [`decode`] does that once, into [`OwnedRecords`] over `bytes::Bytes`.
//!
//! [`Encoder`] writes from the same tables, [`BatchBuilder`] record by record.
//!
//! # What can be relied on
//!
//! * A cut-off tail is a state ([`Tail`]), corruption an [`Error`] with a fixed number and a position.
//! * Null is not empty. Headers keep their order and duplicates. 64-bit numbers stay exact.
//! * Checksums are compared unless that is turned off. [`Limits`] are on by default.
//! * A batch whose checksum is right is read if Kafka's own Java client reads it.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod checksum;
pub mod compression;
mod cursor;
mod error;
pub mod index;
mod limits;
mod murmur2;
mod record;
pub mod varint;

pub use crate::compression::Codec;
pub use crate::error::{Error, ErrorKind};
pub use crate::limits::Limits;
pub use crate::murmur2::murmur2;
pub use crate::record::batch::{Batch, TimestampType};
pub use crate::record::batches::{Batches, Tail};
pub use crate::record::builder::BatchBuilder;
pub use crate::record::committed::{AbortedTransaction, CommittedFilter};
pub use crate::record::control::{ControlType, EndTxnMarker};
pub use crate::record::decoder::Decoder;
pub use crate::record::encoder::{Encoder, encode_bound};
pub use crate::record::iter::{OutlineIter, RecordIter, RecordOutline};
pub use crate::record::owned::{OwnedRecord, OwnedRecords};
pub use crate::record::params::BatchParams;
pub use crate::record::payload::{DecodeOptions, Scratch};
pub use crate::record::record::{Header, Headers, Record};
pub use crate::record::restamp::{
    assign_offsets, refresh_crc, set_create_time, set_log_append_time,
};
pub use crate::record::rows::{BatchRow, HeaderRow, RecordRow, Records};
pub use crate::record::validate::{Level, validate, validate_batch, validate_produce};

/// The batches and messages of a buffer, in order, without reading any records.
///
/// Costs a few nanoseconds a batch: for routing, counting, splitting and forwarding untouched.
///
/// ```
/// # let segment = std::fs::read("../vectors/segments/mixed_magic-0.log")?;
/// let mut batches = kcodec::batches(&segment);
/// for batch in batches.by_ref() {
///     let batch = batch?;
///     println!("{}..{} {:?}", batch.base_offset(), batch.next_offset(), batch.codec());
/// }
/// assert_eq!(batches.tail(), kcodec::Tail::None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn batches(buffer: &[u8]) -> Batches<'_> {
    Batches::new(buffer)
}

/// Decodes a record set with the default options into records that own their bytes. Copies `input` once;
/// [`OwnedRecords::decode`] does without.
///
/// # Errors
/// As [`Decoder::decode`].
///
/// ```
/// # let bytes = kcodec::BatchBuilder::new(kcodec::BatchParams::default())?.finish()?.to_vec();
/// let records = kcodec::decode(&bytes)?;
/// assert_eq!((records.batches().len(), records.iter().count()), (1, 0));
/// # Ok::<(), kcodec::Error>(())
/// ```
pub fn decode(input: &[u8]) -> Result<OwnedRecords, Error> {
    OwnedRecords::decode(bytes::Bytes::copy_from_slice(input), DecodeOptions::default())
}
