//! What can be wrong with bytes that a peer produced, or with a call.
//!
//! One kind a rule of the format, each with a number that is the same in every language and is never
//! reused. The ranges are part of the contract, so that a binding that is older than the library still
//! tells a malformed input from a limit: −1… the caller, −100… malformed bytes, −150… refused by
//! produce-side validation, −200… not supported, −300… a limit, −400… a compressed stream, −900… memory
//! and internal faults.

use core::fmt;

use crate::compression::Codec;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $code:literal, $text:literal;)*) => {
        /// The rule that was broken. See [`ErrorKind::number`] for the number shared by all languages.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorKind {
            $($(#[$doc])* $name = $number,)*
        }

        impl ErrorKind {
            /// Every kind, in the order of the list in this file.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$name,)*];

            /// The stable upper-case name, for logs and tests: `CRC_MISMATCH`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(ErrorKind::$name => $code,)* }
            }

            /// One sentence in lower case without a period.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(ErrorKind::$name => $text,)* }
            }

            /// The kind that has this number, if any.
            #[must_use]
            pub const fn from_number(number: i32) -> Option<ErrorKind> {
                match number { $($number => Some(ErrorKind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    /// A pointer that must not be NULL was NULL (C only).
    NullArgument = -1, "NULL_ARGUMENT", "a required pointer is NULL";
    /// An argument is out of range.
    InvalidArgument = -2, "INVALID_ARGUMENT", "an argument is out of its range";
    /// Header and library belong to different ABI numbers (C only).
    AbiMismatch = -3, "ABI_MISMATCH", "header and library have different ABI numbers";
    /// A handle was used by two callers at once (C only).
    Busy = -4, "BUSY", "the handle is in use by another call";
    /// The destination is smaller than the result; `expected` is the size needed where it is known.
    BufferTooSmall = -5, "BUFFER_TOO_SMALL", "the destination is too small";
    /// An earlier call on the handle failed inside; only freeing it is allowed (C only).
    Poisoned = -6, "POISONED", "an earlier internal fault left the handle unusable";

    /// A length field is below what its format needs (`expected` is the minimum).
    BatchLength = -100, "BATCH_LENGTH", "the batch length is below the minimum of its format";
    /// The stored checksum (`expected`) is not that of the bytes (`actual`).
    CrcMismatch = -101, "CRC_MISMATCH", "the checksum does not match the bytes";
    /// The declared number of records is negative, or is not what the bytes hold.
    RecordCount = -102, "RECORD_COUNT", "the record count does not match the bytes";
    /// Bytes are left after the declared number of records.
    TrailingBytes = -103, "TRAILING_BYTES", "bytes are left after the last record";
    /// A record's length is negative, reaches past the batch, or is not what its fields take.
    RecordLength = -104, "RECORD_LENGTH", "the record length does not match its fields";
    /// The length of a key, value or header is below −1, null where null is not allowed, or past the end.
    FieldLength = -105, "FIELD_LENGTH", "a key, value or header length is out of range";
    /// The number of headers is negative or more than the bytes can hold.
    HeaderCount = -106, "HEADER_COUNT", "the header count is out of range";
    /// A varint that does not end in time, or has bits beyond its width.
    Varint = -107, "VARINT", "a variable-length integer is malformed";
    /// A record ends in the middle of a field.
    Truncated = -108, "TRUNCATED", "the record ends in the middle of a field";
    /// An offset does not fit 64 bits.
    OffsetOverflow = -109, "OFFSET_OVERFLOW", "an offset does not fit 64 bits";
    /// The key or value of a control record is too short or has a negative version.
    ControlRecord = -110, "CONTROL_RECORD", "a control record is malformed";
    /// A compressed wrapper message (magic 0 or 1) with a null value or no message inside.
    WrapperEmpty = -111, "WRAPPER_EMPTY", "a compressed wrapper message holds no message";
    /// An inner message has another magic than its wrapper.
    InnerMagic = -112, "INNER_MAGIC", "an inner message has another magic than its wrapper";
    /// An inner message is compressed again.
    InnerCompressed = -113, "INNER_COMPRESSED", "an inner message is compressed again";
    /// A wrapper's offset is smaller than that of its last inner message.
    InnerOffset = -114, "INNER_OFFSET", "the wrapper's offset is below its inner offsets";
    /// A header key is no UTF-8 (only where the caller asked for the check).
    HeaderKeyUtf8 = -115, "HEADER_KEY_UTF8", "a header key is not UTF-8";

    /// A produce request's partition holds no or more than one batch, or bytes after it.
    ProduceBatchCount = -150, "PRODUCE_BATCH_COUNT", "exactly one whole record batch is required";
    /// A produced batch has a magic below 2.
    ProduceMagic = -151, "PRODUCE_MAGIC", "a produced batch must have magic 2";
    /// Base offset, offset deltas, last offset delta and count of a produced batch are not 0, 0..n−1, n−1, n.
    ProduceOffsets = -152, "PRODUCE_OFFSETS", "the offsets of a produced batch are not dense from 0";
    /// The max timestamp is not the largest timestamp.
    ProduceMaxTimestamp = -153, "PRODUCE_MAX_TIMESTAMP", "the max timestamp is not the largest of the records";
    /// A client produced a control batch.
    ProduceControl = -154, "PRODUCE_CONTROL", "a client may not produce a control batch";
    /// A producer id without an epoch or a base sequence, or a transactional batch without a producer id.
    ProduceSequence = -155, "PRODUCE_SEQUENCE", "producer id, epoch and base sequence do not belong together";
    /// A produced batch carries the log-append-time or delete-horizon bit.
    ProduceAttributes = -156, "PRODUCE_ATTRIBUTES", "attributes that only a broker sets";

    /// Magic other than 0, 1 and 2.
    UnknownMagic = -200, "UNKNOWN_MAGIC", "the magic is none of 0, 1 and 2";
    /// Codec bits 5, 6 or 7.
    UnknownCodec = -201, "UNKNOWN_CODEC", "the codec is none that Kafka defines";
    /// The codec was left out of this build.
    CodecNotBuilt = -202, "CODEC_NOT_BUILT", "the codec is not part of this build";
    /// The codec may not be used with this magic (zstd needs magic 2).
    CodecForMagic = -203, "CODEC_FOR_MAGIC", "the codec is not allowed with this magic";
    /// The target magic cannot carry what is to be written (headers, producer id).
    NotRepresentable = -204, "NOT_REPRESENTABLE", "the target magic cannot carry these fields";

    /// One batch decompresses to more than the limit (`expected`).
    LimitBatchBytes = -300, "LIMIT_BATCH_BYTES", "the batch decompresses to more than the limit";
    /// One call decompresses to more than the limit (`expected`).
    LimitTotalBytes = -301, "LIMIT_TOTAL_BYTES", "the call decompresses to more than the limit";
    /// One call yields more records than the limit (`expected`).
    LimitRecords = -302, "LIMIT_RECORDS", "the call yields more records than the limit";
    /// One call yields more headers than the limit (`expected`).
    LimitHeaders = -303, "LIMIT_HEADERS", "the call yields more headers than the limit";
    /// The input or the result is larger than 2³¹−1 bytes.
    LimitInput = -304, "LIMIT_INPUT", "more than 2147483647 bytes";

    /// The compressed stream is malformed.
    CodecCorrupt = -400, "CODEC_CORRUPT", "the compressed stream is malformed";
    /// A checksum inside the compressed stream is wrong.
    CodecChecksum = -401, "CODEC_CHECKSUM", "a checksum of the compressed stream is wrong";
    /// The compressed stream ends too early.
    CodecTruncated = -402, "CODEC_TRUNCATED", "the compressed stream ends too early";
    /// Bytes after the compressed stream that do not start another.
    CodecTrailing = -403, "CODEC_TRAILING", "bytes are left after the compressed stream";
    /// The header of the compressed stream is none of this codec, or asks for what Kafka does not use.
    CodecHeader = -404, "CODEC_HEADER", "the compressed stream has a bad header";
    /// A zstd window above 128 MiB.
    CodecWindow = -405, "CODEC_WINDOW", "the compressed stream asks for too large a window";
    /// The stream needs a dictionary.
    CodecDictionary = -406, "CODEC_DICTIONARY", "the compressed stream needs a dictionary";

    /// Memory could not be reserved.
    OutOfMemory = -900, "OUT_OF_MEMORY", "memory could not be reserved";
    /// A fault of the library itself.
    Internal = -901, "INTERNAL", "a fault of the library";
}

impl ErrorKind {
    /// The number that is the same in every language, always negative.
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// Whether the bytes break a rule of the format (also of a compressed stream in it).
    #[must_use]
    pub const fn is_malformed(self) -> bool {
        matches!(self.number(), -149..=-100 | -499..=-400)
    }

    /// Whether a limit was hit, so that the same bytes can be read with a higher one.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        matches!(self.number(), -399..=-300)
    }

    /// Whether the bytes use something that is not supported.
    #[must_use]
    pub const fn is_unsupported(self) -> bool {
        matches!(self.number(), -299..=-200)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// A fault, and where it is.
///
/// Small, flat and `Copy`. What is not known is `None`. Where a batch's frame is whole, the error says
/// which offsets it covers, so that a consumer can go on at [`next_offset`](Self::next_offset).
///
/// ```
/// let err = kcodec::decode(&[0xff; 20]).unwrap_err();
/// assert_eq!(err.kind(), kcodec::ErrorKind::BatchLength);
/// assert_eq!((err.kind().name(), err.kind().number(), err.position()), ("BATCH_LENGTH", -100, 8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    codec: Codec,
    batch: u32,
    record: u32,
    position: u64,
    expected: u64,
    actual: u64,
    base_offset: i64,
    next_offset: i64,
}

/// Stands for "not known" in `batch` and `record`, as in the C struct.
const UNKNOWN: u32 = u32::MAX;

// Hidden rather than private: the bindings put together again what crossed a language border.
impl Error {
    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub const fn new(kind: ErrorKind) -> Self {
        Error {
            kind,
            codec: Codec::None,
            batch: UNKNOWN,
            record: UNKNOWN,
            position: 0,
            expected: 0,
            actual: 0,
            base_offset: -1,
            next_offset: -1,
        }
    }

    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub const fn at(kind: ErrorKind, position: usize) -> Self {
        let mut error = Error::new(kind);
        error.position = position as u64;
        error
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn values(mut self, expected: u64, actual: u64) -> Self {
        self.expected = expected;
        self.actual = actual;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn in_codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn in_batch(mut self, batch: u32) -> Self {
        self.batch = batch;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn in_record(mut self, record: u32) -> Self {
        self.record = record;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn covering(mut self, base_offset: i64, next_offset: i64) -> Self {
        self.base_offset = base_offset;
        self.next_offset = next_offset;
        self
    }

    /// Moves the position, from one relative to a part to one relative to the whole.
    pub(crate) const fn shifted(mut self, by: usize) -> Self {
        self.position = self.position.saturating_add(by as u64);
        self
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The codec of the batch at fault; [`Codec::None`] where none is involved.
    #[must_use]
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// Which batch of the input, counted from 0.
    #[must_use]
    pub const fn batch(&self) -> Option<u32> {
        if self.batch == UNKNOWN { None } else { Some(self.batch) }
    }

    /// Which record of the batch, counted from 0.
    #[must_use]
    pub const fn record(&self) -> Option<u32> {
        if self.record == UNKNOWN { None } else { Some(self.record) }
    }

    /// The byte of the input at fault. Where [`in_payload`](Self::in_payload) is true, that of the batch's
    /// decompressed records instead, since no byte of the input can be blamed.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Whether [`position`](Self::position) counts from the start of the batch's decompressed records.
    #[must_use]
    pub const fn in_payload(&self) -> bool {
        let of_a_record = matches!(self.kind.number(), -199..=-101);
        of_a_record
            && self.codec as u8 != Codec::None as u8
            && !matches!(self.kind, ErrorKind::RecordCount)
    }

    /// What the rule asks for: a stored checksum, a minimum, a limit. 0 where that says nothing.
    #[must_use]
    pub const fn expected(&self) -> u64 {
        self.expected
    }

    /// What was found instead.
    #[must_use]
    pub const fn actual(&self) -> u64 {
        self.actual
    }

    /// Base offset of the batch at fault.
    #[must_use]
    pub const fn base_offset(&self) -> Option<i64> {
        if self.base_offset < 0 { None } else { Some(self.base_offset) }
    }

    /// The offset to read on from to skip the batch at fault.
    #[must_use]
    pub const fn next_offset(&self) -> Option<i64> {
        if self.next_offset < 0 { None } else { Some(self.next_offset) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if self.expected != 0 || self.actual != 0 {
            write!(f, ": expected {}, got {}", self.expected, self.actual)?;
        }
        let place = if self.in_payload() { "byte of the decompressed records" } else { "byte" };
        write!(f, " ({place} {}", self.position)?;
        if let Some(batch) = self.batch() {
            write!(f, ", batch {batch}")?;
        }
        if let Some(record) = self.record() {
            write!(f, ", record {record}")?;
        }
        f.write_str(")")
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_unique_and_map_back() {
        for (i, kind) in ErrorKind::ALL.iter().enumerate() {
            assert!(kind.number() < 0);
            assert_eq!(ErrorKind::from_number(kind.number()), Some(*kind));
            assert!(ErrorKind::ALL[..i].iter().all(|other| other.name() != kind.name()));
            assert!(!kind.message().ends_with('.'));
        }
    }

    #[test]
    fn an_error_stays_small() {
        assert!(size_of::<Error>() <= 56);
    }
}
