//! The structs and constants of the ABI that the core does not already have in this form.
//!
//! The rows of batches, records and headers are the core's own; `cbindgen.toml` gives them their names in
//! C. Sizes and offsets stand as assertions in the header, which `examples/header.rs` writes from here.

use std::ffi::c_void;

use kcodec_core::{BatchRow, Error, HeaderRow, Limits, RecordRow};

/// The number that a program was compiled with; the library's is `kcodec_abi()`. It goes up when
/// something breaks, and with it the SONAME.
pub const KCODEC_ABI: u32 = 1;

/// 0, or the negative number of a rule that was broken: the `KCODEC_E_…` above.
pub type kcodec_status = i32;

/// Success.
pub const KCODEC_OK: kcodec_status = 0;

/// Not compressed.
pub const KCODEC_CODEC_NONE: i32 = 0;
/// gzip.
pub const KCODEC_CODEC_GZIP: i32 = 1;
/// snappy: a xerial stream or a raw block is read, a xerial stream written.
pub const KCODEC_CODEC_SNAPPY: i32 = 2;
/// lz4 frames.
pub const KCODEC_CODEC_LZ4: i32 = 3;
/// zstd, magic 2 only.
pub const KCODEC_CODEC_ZSTD: i32 = 4;

/// Compression level: Kafka's default of the codec.
pub const KCODEC_COMPRESSION_DEFAULT: i32 = i32::MIN;

/// `attributes`: the bits of the codec.
pub const KCODEC_ATTRIBUTE_CODEC: i32 = 0x07;
/// `attributes`: the timestamps are the broker's.
pub const KCODEC_ATTRIBUTE_LOG_APPEND_TIME: i32 = 0x08;
/// `attributes`: the batch belongs to a transaction.
pub const KCODEC_ATTRIBUTE_TRANSACTIONAL: i32 = 0x10;
/// `attributes`: the records are control records.
pub const KCODEC_ATTRIBUTE_CONTROL: i32 = 0x20;
/// `attributes`: the base timestamp is a delete horizon.
pub const KCODEC_ATTRIBUTE_DELETE_HORIZON: i32 = 0x40;

/// `kcodec_batch.flags`: the checksum was compared and is right.
pub const KCODEC_BATCH_CRC_VERIFIED: u32 = 1;
/// `kcodec_batch.flags`: the offsets in this wrapper are as its producer stored them.
pub const KCODEC_BATCH_OFFSETS_UNASSIGNED: u32 = 2;

/// Decode: do not compare checksums.
pub const KCODEC_DECODE_SKIP_CRC: u32 = 1;
/// Decode: leave a batch that cannot be read without records, and go on with the next.
pub const KCODEC_DECODE_KEEP_GOING: u32 = 2;
/// Decode: stop at batch headers; no records, nothing decompressed.
pub const KCODEC_DECODE_BATCHES_ONLY: u32 = 4;
/// Decode: leave control batches without records.
pub const KCODEC_DECODE_SKIP_CONTROL: u32 = 8;
/// Decode: refuse header keys that are no UTF-8.
pub const KCODEC_DECODE_CHECK_UTF8: u32 = 16;

/// Validate: lengths, magics, codecs, counts.
pub const KCODEC_LEVEL_FRAME: u32 = 0;
/// Validate: and checksums.
pub const KCODEC_LEVEL_CRC: u32 = 1;
/// Validate: and every record, decompressed where needed.
pub const KCODEC_LEVEL_FULL: u32 = 2;
/// Validate: and what a broker asks of the one batch in a partition of a produce request.
pub const KCODEC_LEVEL_PRODUCE: u32 = 3;

/// Encode: the records belong to a transaction.
pub const KCODEC_PARAMS_TRANSACTIONAL: u32 = 1;
/// Encode: the records are control records.
pub const KCODEC_PARAMS_CONTROL: u32 = 2;
/// Encode: `log_append_time` holds for all records.
pub const KCODEC_PARAMS_LOG_APPEND_TIME: u32 = 4;
/// Encode: `delete_horizon` takes the place of the base timestamp.
pub const KCODEC_PARAMS_DELETE_HORIZON: u32 = 8;
/// Encode: the last offset delta is that of the last record.
pub const KCODEC_LAST_OFFSET_DELTA_AUTO: i32 = i32::MIN;

/// Nothing follows the last whole batch.
pub const KCODEC_TAIL_NONE: i32 = 0;
/// The start of a batch follows.
pub const KCODEC_TAIL_PARTIAL: i32 = 1;
/// Zeros follow, to the end: a preallocated segment.
pub const KCODEC_TAIL_ZEROS: i32 = 2;
/// Bytes follow that are no batch.
pub const KCODEC_TAIL_CORRUPT: i32 = 3;

/// `kcodec_error.flags`: `position` counts from the start of the batch's decompressed records.
pub const KCODEC_ERROR_IN_PAYLOAD: u16 = 1;

/// A batch or record whose number is not known.
pub const KCODEC_UNKNOWN: u32 = u32::MAX;
/// A size that the compressed stream does not declare.
pub const KCODEC_SIZE_UNKNOWN: u64 = u64::MAX;

/// The transaction was aborted.
pub const KCODEC_CONTROL_ABORT: i32 = 0;
/// The transaction was committed.
pub const KCODEC_CONTROL_COMMIT: i32 = 1;

/// A run of bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_slice {
    /// Its first byte.
    pub data: *const u8,
    /// How many there are.
    pub len: usize,
}

/// What is wrong, and where. Lives on the caller's stack; NULL is allowed wherever one is filled in.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_error {
    /// The status that the call returned.
    pub code: kcodec_status,
    /// The codec of the batch at fault.
    pub codec: i16,
    /// `KCODEC_ERROR_IN_PAYLOAD`.
    pub flags: u16,
    /// Which batch of the input, from 0; `KCODEC_UNKNOWN`.
    pub batch: u32,
    /// Which record of the batch, from 0; `KCODEC_UNKNOWN`.
    pub record: u32,
    /// The byte of the input at fault.
    pub position: u64,
    /// What the rule asks for: a stored checksum, a minimum, a limit, the size needed. 0 if that says
    /// nothing.
    pub expected: u64,
    /// What was found instead.
    pub actual: u64,
    /// Base offset of the batch at fault, −1 if not known.
    pub base_offset: i64,
    /// The offset to read on from to skip the batch at fault, −1 if not known.
    pub next_offset: i64,
}

impl kcodec_error {
    pub(crate) fn of(error: &Error) -> Self {
        kcodec_error {
            code: error.kind().number(),
            codec: i16::from(error.codec() as u8),
            flags: if error.in_payload() { KCODEC_ERROR_IN_PAYLOAD } else { 0 },
            batch: error.batch().unwrap_or(KCODEC_UNKNOWN),
            record: error.record().unwrap_or(KCODEC_UNKNOWN),
            position: error.position(),
            expected: error.expected(),
            actual: error.actual(),
            base_offset: error.base_offset().unwrap_or(-1),
            next_offset: error.next_offset().unwrap_or(-1),
        }
    }
}

/// What a call decoded: tables to be read in place, valid until the next call on their decoder. Segment 0
/// is the caller's input, the others are decompressed payloads; a record's key and value are in segment
/// `batches[b].segment`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_records {
    /// What positions count in.
    pub segments: *const kcodec_slice,
    /// Their number, at least 1.
    pub segment_count: usize,
    /// One row a batch, in the order of the input.
    pub batches: *const BatchRow,
    /// Their number.
    pub batch_count: usize,
    /// One row a record of any batch.
    pub records: *const RecordRow,
    /// Their number.
    pub record_count: usize,
    /// One row a header of any record.
    pub headers: *const HeaderRow,
    /// Their number.
    pub header_count: usize,
    /// With `KCODEC_DECODE_KEEP_GOING`: one for each batch that has a status, and one for a corrupt tail.
    pub faults: *const kcodec_error,
    /// Their number.
    pub fault_count: usize,
    /// Bytes of whole batches.
    pub consumed: usize,
    /// Bytes of the whole batch whose start is the tail; 0 if not known.
    pub needed: usize,
    /// What follows the last whole batch: `KCODEC_TAIL_…`.
    pub tail: i32,
    /// 0.
    pub reserved: u32,
}

/// Bounds on memory. 0 is the default; there is no "unlimited" by accident.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_limits {
    /// Decompressed bytes of one batch. Default 128 MiB.
    pub max_batch_bytes: u64,
    /// Decompressed bytes of one call. Default 1 GiB.
    pub max_total_bytes: u64,
    /// Records of one call. Default 2^24.
    pub max_records: u32,
    /// Headers of one call. Default 2^24.
    pub max_headers: u32,
}

impl From<kcodec_limits> for Limits {
    fn from(limits: kcodec_limits) -> Self {
        Limits {
            max_batch_bytes: limits.max_batch_bytes,
            max_total_bytes: limits.max_total_bytes,
            max_records: limits.max_records,
            max_headers: limits.max_headers,
        }
    }
}

/// How a decoder works. Zeros, except for the size, are the defaults.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_decode_options {
    /// `sizeof(kcodec_decode_options)`, so that fields can be added.
    pub size: u32,
    /// `KCODEC_DECODE_…`, or'ed.
    pub flags: u32,
    /// Bounds on memory.
    pub limits: kcodec_limits,
    /// NULL.
    pub reserved: *const c_void,
}

/// How an encoder works. There is nothing to set yet.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_encode_options {
    /// `sizeof(kcodec_encode_options)`.
    pub size: u32,
    /// 0.
    pub flags: u32,
    /// NULL.
    pub reserved: *const c_void,
}

/// What the header of a batch to be written says. Not all defaults are zeros: start from
/// `KCODEC_BATCH_PARAMS_INIT` or `kcodec_batch_params_init`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_batch_params {
    /// `sizeof(kcodec_batch_params)`.
    pub size: u32,
    /// `KCODEC_PARAMS_…`, or'ed.
    pub flags: u32,
    /// The offset of the first record. Producers send 0; a broker assigns it.
    pub base_offset: i64,
    /// The producer's id, −1 for none.
    pub producer_id: i64,
    /// The append time in ms, if `KCODEC_PARAMS_LOG_APPEND_TIME` is set.
    pub log_append_time: i64,
    /// The delete horizon in ms, if `KCODEC_PARAMS_DELETE_HORIZON` is set.
    pub delete_horizon: i64,
    /// The compression level as Kafka's clients name it, or `KCODEC_COMPRESSION_DEFAULT`.
    pub level: i32,
    /// `KCODEC_LAST_OFFSET_DELTA_AUTO`, or what compaction left beyond the last record.
    pub last_offset_delta: i32,
    /// The epoch of the leader, −1 from a producer.
    pub leader_epoch: i32,
    /// The sequence number of the first record, −1 for none.
    pub base_sequence: i32,
    /// The producer's epoch, −1 for none.
    pub producer_epoch: i16,
    /// Attribute bits 7 to 15, to be kept from a batch that is written again.
    pub unknown_attributes: i16,
    /// 2 for a record batch; 0 or 1 for a message set, which has no headers and no producer fields.
    pub magic: i8,
    /// `KCODEC_CODEC_…`.
    pub codec: i8,
    /// Zeros.
    pub padding: [u8; 2],
    /// NULL.
    pub reserved: *const c_void,
}

/// A transaction that ended in an abort, as a fetch response lists it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct kcodec_aborted {
    /// Offset of its first record in the partition.
    pub first_offset: i64,
    /// Its producer.
    pub producer_id: i64,
}

const _: () = {
    use kcodec_core::{Codec, ControlType};
    assert!(KCODEC_CODEC_NONE == Codec::None as i32 && KCODEC_CODEC_GZIP == Codec::Gzip as i32);
    assert!(KCODEC_CODEC_SNAPPY == Codec::Snappy as i32 && KCODEC_CODEC_LZ4 == Codec::Lz4 as i32);
    assert!(KCODEC_CODEC_ZSTD == Codec::Zstd as i32);
    assert!(KCODEC_ATTRIBUTE_CODEC == Codec::MASK as i32);
    assert!(KCODEC_BATCH_CRC_VERIFIED == BatchRow::CRC_VERIFIED as u32);
    assert!(KCODEC_BATCH_OFFSETS_UNASSIGNED == BatchRow::OFFSETS_UNASSIGNED as u32);
    assert!(KCODEC_CONTROL_ABORT == ControlType::Abort.number() as i32);
    assert!(KCODEC_CONTROL_COMMIT == ControlType::Commit.number() as i32);
};
