// Made from the core by `cargo run -p kcodec-wasm --example kinds`; not to be edited.

/** Number, name and text of every kind of error. */
export const coreKinds = [
  [-1, "NULL_ARGUMENT", "a required pointer is NULL"],
  [-2, "INVALID_ARGUMENT", "an argument is out of its range"],
  [-3, "ABI_MISMATCH", "header and library have different ABI numbers"],
  [-4, "BUSY", "the handle is in use by another call"],
  [-5, "BUFFER_TOO_SMALL", "the destination is too small"],
  [-6, "POISONED", "an earlier internal fault left the handle unusable"],
  [-100, "BATCH_LENGTH", "the batch length is below the minimum of its format"],
  [-101, "CRC_MISMATCH", "the checksum does not match the bytes"],
  [-102, "RECORD_COUNT", "the record count does not match the bytes"],
  [-103, "TRAILING_BYTES", "bytes are left after the last record"],
  [-104, "RECORD_LENGTH", "the record length does not match its fields"],
  [-105, "FIELD_LENGTH", "a key, value or header length is out of range"],
  [-106, "HEADER_COUNT", "the header count is out of range"],
  [-107, "VARINT", "a variable-length integer is malformed"],
  [-108, "TRUNCATED", "the record ends in the middle of a field"],
  [-109, "OFFSET_OVERFLOW", "an offset does not fit 64 bits"],
  [-110, "CONTROL_RECORD", "a control record is malformed"],
  [-111, "WRAPPER_EMPTY", "a compressed wrapper message holds no message"],
  [-112, "INNER_MAGIC", "an inner message has another magic than its wrapper"],
  [-113, "INNER_COMPRESSED", "an inner message is compressed again"],
  [-114, "INNER_OFFSET", "the wrapper's offset is below its inner offsets"],
  [-115, "HEADER_KEY_UTF8", "a header key is not UTF-8"],
  [-150, "PRODUCE_BATCH_COUNT", "exactly one whole record batch is required"],
  [-151, "PRODUCE_MAGIC", "a produced batch must have magic 2"],
  [-152, "PRODUCE_OFFSETS", "the offsets of a produced batch are not dense from 0"],
  [-153, "PRODUCE_MAX_TIMESTAMP", "the max timestamp is not the largest of the records"],
  [-154, "PRODUCE_CONTROL", "a client may not produce a control batch"],
  [-155, "PRODUCE_SEQUENCE", "producer id, epoch and base sequence do not belong together"],
  [-156, "PRODUCE_ATTRIBUTES", "attributes that only a broker sets"],
  [-200, "UNKNOWN_MAGIC", "the magic is none of 0, 1 and 2"],
  [-201, "UNKNOWN_CODEC", "the codec is none that Kafka defines"],
  [-202, "CODEC_NOT_BUILT", "the codec is not part of this build"],
  [-203, "CODEC_FOR_MAGIC", "the codec is not allowed with this magic"],
  [-204, "NOT_REPRESENTABLE", "the target magic cannot carry these fields"],
  [-300, "LIMIT_BATCH_BYTES", "the batch decompresses to more than the limit"],
  [-301, "LIMIT_TOTAL_BYTES", "the call decompresses to more than the limit"],
  [-302, "LIMIT_RECORDS", "the call yields more records than the limit"],
  [-303, "LIMIT_HEADERS", "the call yields more headers than the limit"],
  [-304, "LIMIT_INPUT", "more than 2147483647 bytes"],
  [-400, "CODEC_CORRUPT", "the compressed stream is malformed"],
  [-401, "CODEC_CHECKSUM", "a checksum of the compressed stream is wrong"],
  [-402, "CODEC_TRUNCATED", "the compressed stream ends too early"],
  [-403, "CODEC_TRAILING", "bytes are left after the compressed stream"],
  [-404, "CODEC_HEADER", "the compressed stream has a bad header"],
  [-405, "CODEC_WINDOW", "the compressed stream asks for too large a window"],
  [-406, "CODEC_DICTIONARY", "the compressed stream needs a dictionary"],
  [-900, "OUT_OF_MEMORY", "memory could not be reserved"],
  [-901, "INTERNAL", "a fault of the library"],
] as const;

/** The codecs by their numbers. */
export const codecNames = ["none", "gzip", "snappy", "lz4", "zstd"] as const;

/** The types of control records by their numbers. */
export const controlNames = ["ABORT", "COMMIT", "LEADER_CHANGE", "SNAPSHOT_HEADER", "SNAPSHOT_FOOTER", "KRAFT_VERSION", "KRAFT_VOTERS"] as const;
