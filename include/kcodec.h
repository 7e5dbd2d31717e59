/*
 * kcodec.h: the C ABI of kcodec, the codec for the Kafka wire format.
 *
 * Made by tools/header from ffi/kcodec.h.in and ffi/src; do not edit.
 *
 * The rules, which docs/abi.md has in full:
 *
 *  - What you pass stays yours; what you get lives in the handle until the next call on it. Only handles
 *    are freed, and free takes NULL.
 *  - Functions return a status: 0, or the negative number of a rule that was broken. Results go through
 *    pointers, and are written only on success unless a function says otherwise.
 *  - A kcodec_error on your stack tells where a fault is; NULL is allowed instead. Nothing is kept per
 *    thread.
 *  - NULL and sizes that cannot be right are reported, never followed. NULL with length 0 is no bytes; as
 *    a record's key or value it is null, and a pointer with length 0 is empty.
 *  - Pointers that are written through must not overlap with others of the same call.
 *  - A handle may go from thread to thread, and serves one call at a time: a second one gets KCODEC_E_BUSY.
 *  - After KCODEC_E_INTERNAL a handle can only be freed (KCODEC_E_POISONED).
 *  - Structs with a `size` are extended by later versions: set it to sizeof, or use the _INIT macros.
 *    `reserved` must be NULL.
 *  - Rows of tables never change within an ABI number. Numbers and texts never change their meaning.
 *  - Limits are on by default; 0 is the default, never "unlimited".
 *  - Call kcodec_check_abi(KCODEC_ABI, NULL) first: it tells a library of another ABI.
 */
#ifndef KCODEC_H
#define KCODEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Faults: the numbers of kcodec_status ---- */

#define KCODEC_E_NULL_ARGUMENT (-1) /* a required pointer is NULL */
#define KCODEC_E_INVALID_ARGUMENT (-2) /* an argument is out of its range */
#define KCODEC_E_ABI_MISMATCH (-3) /* header and library have different ABI numbers */
#define KCODEC_E_BUSY (-4) /* the handle is in use by another call */
#define KCODEC_E_BUFFER_TOO_SMALL (-5) /* the destination is too small */
#define KCODEC_E_POISONED (-6) /* an earlier internal fault left the handle unusable */
#define KCODEC_E_BATCH_LENGTH (-100) /* the batch length is below the minimum of its format */
#define KCODEC_E_CRC_MISMATCH (-101) /* the checksum does not match the bytes */
#define KCODEC_E_RECORD_COUNT (-102) /* the record count does not match the bytes */
#define KCODEC_E_TRAILING_BYTES (-103) /* bytes are left after the last record */
#define KCODEC_E_RECORD_LENGTH (-104) /* the record length does not match its fields */
#define KCODEC_E_FIELD_LENGTH (-105) /* a key, value or header length is out of range */
#define KCODEC_E_HEADER_COUNT (-106) /* the header count is out of range */
#define KCODEC_E_VARINT (-107) /* a variable-length integer is malformed */
#define KCODEC_E_TRUNCATED (-108) /* the record ends in the middle of a field */
#define KCODEC_E_OFFSET_OVERFLOW (-109) /* an offset does not fit 64 bits */
#define KCODEC_E_CONTROL_RECORD (-110) /* a control record is malformed */
#define KCODEC_E_WRAPPER_EMPTY (-111) /* a compressed wrapper message holds no message */
#define KCODEC_E_INNER_MAGIC (-112) /* an inner message has another magic than its wrapper */
#define KCODEC_E_INNER_COMPRESSED (-113) /* an inner message is compressed again */
#define KCODEC_E_INNER_OFFSET (-114) /* the wrapper's offset is below its inner offsets */
#define KCODEC_E_HEADER_KEY_UTF8 (-115) /* a header key is not UTF-8 */
#define KCODEC_E_PRODUCE_BATCH_COUNT (-150) /* exactly one whole record batch is required */
#define KCODEC_E_PRODUCE_MAGIC (-151) /* a produced batch must have magic 2 */
#define KCODEC_E_PRODUCE_OFFSETS (-152) /* the offsets of a produced batch are not dense from 0 */
#define KCODEC_E_PRODUCE_MAX_TIMESTAMP (-153) /* the max timestamp is not the largest of the records */
#define KCODEC_E_PRODUCE_CONTROL (-154) /* a client may not produce a control batch */
#define KCODEC_E_PRODUCE_SEQUENCE (-155) /* producer id, epoch and base sequence do not belong together */
#define KCODEC_E_PRODUCE_ATTRIBUTES (-156) /* attributes that only a broker sets */
#define KCODEC_E_UNKNOWN_MAGIC (-200) /* the magic is none of 0, 1 and 2 */
#define KCODEC_E_UNKNOWN_CODEC (-201) /* the codec is none that Kafka defines */
#define KCODEC_E_CODEC_NOT_BUILT (-202) /* the codec is not part of this build */
#define KCODEC_E_CODEC_FOR_MAGIC (-203) /* the codec is not allowed with this magic */
#define KCODEC_E_NOT_REPRESENTABLE (-204) /* the target magic cannot carry these fields */
#define KCODEC_E_LIMIT_BATCH_BYTES (-300) /* the batch decompresses to more than the limit */
#define KCODEC_E_LIMIT_TOTAL_BYTES (-301) /* the call decompresses to more than the limit */
#define KCODEC_E_LIMIT_RECORDS (-302) /* the call yields more records than the limit */
#define KCODEC_E_LIMIT_HEADERS (-303) /* the call yields more headers than the limit */
#define KCODEC_E_LIMIT_INPUT (-304) /* more than 2147483647 bytes */
#define KCODEC_E_CODEC_CORRUPT (-400) /* the compressed stream is malformed */
#define KCODEC_E_CODEC_CHECKSUM (-401) /* a checksum of the compressed stream is wrong */
#define KCODEC_E_CODEC_TRUNCATED (-402) /* the compressed stream ends too early */
#define KCODEC_E_CODEC_TRAILING (-403) /* bytes are left after the compressed stream */
#define KCODEC_E_CODEC_HEADER (-404) /* the compressed stream has a bad header */
#define KCODEC_E_CODEC_WINDOW (-405) /* the compressed stream asks for too large a window */
#define KCODEC_E_CODEC_DICTIONARY (-406) /* the compressed stream needs a dictionary */
#define KCODEC_E_OUT_OF_MEMORY (-900) /* memory could not be reserved */
#define KCODEC_E_INTERNAL (-901) /* a fault of the library */

/* Classes are ranges, so that a program that is older than the library still tells them apart. */
#define KCODEC_IS_CALLER(status) ((status) <= -1 && (status) > -100)
#define KCODEC_IS_MALFORMED(status) \
    (((status) <= -100 && (status) > -150) || ((status) <= -400 && (status) > -500))
#define KCODEC_IS_REFUSED(status) ((status) <= -150 && (status) > -200)
#define KCODEC_IS_UNSUPPORTED(status) ((status) <= -200 && (status) > -300)
#define KCODEC_IS_LIMIT(status) ((status) <= -300 && (status) > -400)

/* ---- Constants and types ---- */

// The number that a program was compiled with; the library's is `kcodec_abi()`. It goes up when
// something breaks, and with it the SONAME.
#define KCODEC_ABI 1

// Not compressed.
#define KCODEC_CODEC_NONE 0

// gzip.
#define KCODEC_CODEC_GZIP 1

// snappy: a xerial stream or a raw block is read, a xerial stream written.
#define KCODEC_CODEC_SNAPPY 2

// lz4 frames.
#define KCODEC_CODEC_LZ4 3

// zstd, magic 2 only.
#define KCODEC_CODEC_ZSTD 4

// Compression level: Kafka's default of the codec.
#define KCODEC_COMPRESSION_DEFAULT INT32_MIN

// `attributes`: the bits of the codec.
#define KCODEC_ATTRIBUTE_CODEC 7

// `attributes`: the timestamps are the broker's.
#define KCODEC_ATTRIBUTE_LOG_APPEND_TIME 8

// `attributes`: the batch belongs to a transaction.
#define KCODEC_ATTRIBUTE_TRANSACTIONAL 16

// `attributes`: the records are control records.
#define KCODEC_ATTRIBUTE_CONTROL 32

// `attributes`: the base timestamp is a delete horizon.
#define KCODEC_ATTRIBUTE_DELETE_HORIZON 64

// `kcodec_batch.flags`: the checksum was compared and is right.
#define KCODEC_BATCH_CRC_VERIFIED 1

// `kcodec_batch.flags`: the offsets in this wrapper are as its producer stored them.
#define KCODEC_BATCH_OFFSETS_UNASSIGNED 2

// Decode: do not compare checksums.
#define KCODEC_DECODE_SKIP_CRC 1

// Decode: leave a batch that cannot be read without records, and go on with the next.
#define KCODEC_DECODE_KEEP_GOING 2

// Decode: stop at batch headers; no records, nothing decompressed.
#define KCODEC_DECODE_BATCHES_ONLY 4

// Decode: leave control batches without records.
#define KCODEC_DECODE_SKIP_CONTROL 8

// Decode: refuse header keys that are no UTF-8.
#define KCODEC_DECODE_CHECK_UTF8 16

// Validate: lengths, magics, codecs, counts.
#define KCODEC_LEVEL_FRAME 0

// Validate: and checksums.
#define KCODEC_LEVEL_CRC 1

// Validate: and every record, decompressed where needed.
#define KCODEC_LEVEL_FULL 2

// Validate: and what a broker asks of the one batch in a partition of a produce request.
#define KCODEC_LEVEL_PRODUCE 3

// Encode: the records belong to a transaction.
#define KCODEC_PARAMS_TRANSACTIONAL 1

// Encode: the records are control records.
#define KCODEC_PARAMS_CONTROL 2

// Encode: `log_append_time` holds for all records.
#define KCODEC_PARAMS_LOG_APPEND_TIME 4

// Encode: `delete_horizon` takes the place of the base timestamp.
#define KCODEC_PARAMS_DELETE_HORIZON 8

// Encode: the last offset delta is that of the last record.
#define KCODEC_LAST_OFFSET_DELTA_AUTO INT32_MIN

// Nothing follows the last whole batch.
#define KCODEC_TAIL_NONE 0

// The start of a batch follows.
#define KCODEC_TAIL_PARTIAL 1

// Zeros follow, to the end: a preallocated segment.
#define KCODEC_TAIL_ZEROS 2

// Bytes follow that are no batch.
#define KCODEC_TAIL_CORRUPT 3

// `kcodec_error.flags`: `position` counts from the start of the batch's decompressed records.
#define KCODEC_ERROR_IN_PAYLOAD 1

// A batch or record whose number is not known.
#define KCODEC_UNKNOWN UINT32_MAX

// A size that the compressed stream does not declare.
#define KCODEC_SIZE_UNKNOWN UINT64_MAX

// The transaction was aborted.
#define KCODEC_CONTROL_ABORT 0

// The transaction was committed.
#define KCODEC_CONTROL_COMMIT 1

// `kcodec_features`: CRC-32C is computed with machine instructions.
#define KCODEC_FEATURE_CRC32C_INSTRUCTIONS 65536

// `kcodec_sizeof`: `kcodec_slice`.
#define KCODEC_SIZEOF_SLICE 0

// `kcodec_sizeof`: `kcodec_batch`.
#define KCODEC_SIZEOF_BATCH 1

// `kcodec_sizeof`: `kcodec_record`.
#define KCODEC_SIZEOF_RECORD 2

// `kcodec_sizeof`: `kcodec_header`.
#define KCODEC_SIZEOF_HEADER 3

// `kcodec_sizeof`: `kcodec_records`.
#define KCODEC_SIZEOF_RECORDS 4

// `kcodec_sizeof`: `kcodec_error`.
#define KCODEC_SIZEOF_ERROR 5

// `kcodec_sizeof`: `kcodec_limits`.
#define KCODEC_SIZEOF_LIMITS 6

// `kcodec_sizeof`: `kcodec_decode_options`.
#define KCODEC_SIZEOF_DECODE_OPTIONS 7

// `kcodec_sizeof`: `kcodec_encode_options`.
#define KCODEC_SIZEOF_ENCODE_OPTIONS 8

// `kcodec_sizeof`: `kcodec_batch_params`.
#define KCODEC_SIZEOF_BATCH_PARAMS 9

// `kcodec_sizeof`: `kcodec_aborted`.
#define KCODEC_SIZEOF_ABORTED 10

// Memory for decoding, kept from call to call. Used by one call at a time.
typedef struct kcodec_decoder kcodec_decoder;

// Memory for encoding, kept from call to call. Used by one call at a time.
typedef struct kcodec_encoder kcodec_encoder;

// 0, or the negative number of a rule that was broken: the `KCODEC_E_...` above.
typedef int32_t kcodec_status;

// What is wrong, and where. Lives on the caller's stack; NULL is allowed wherever one is filled in.
typedef struct kcodec_error {
    // The status that the call returned.
    kcodec_status code;
    // The codec of the batch at fault.
    int16_t codec;
    // `KCODEC_ERROR_IN_PAYLOAD`.
    uint16_t flags;
    // Which batch of the input, from 0; `KCODEC_UNKNOWN`.
    uint32_t batch;
    // Which record of the batch, from 0; `KCODEC_UNKNOWN`.
    uint32_t record;
    // The byte of the input at fault.
    uint64_t position;
    // What the rule asks for: a stored checksum, a minimum, a limit, the size needed. 0 if that says
    // nothing.
    uint64_t expected;
    // What was found instead.
    uint64_t actual;
    // Base offset of the batch at fault, -1 if not known.
    int64_t base_offset;
    // The offset to read on from to skip the batch at fault, -1 if not known.
    int64_t next_offset;
} kcodec_error;

// Bounds on memory. 0 is the default; there is no "unlimited" by accident.
typedef struct kcodec_limits {
    // Decompressed bytes of one batch. Default 128 MiB.
    uint64_t max_batch_bytes;
    // Decompressed bytes of one call. Default 1 GiB.
    uint64_t max_total_bytes;
    // Records of one call. Default 2^24.
    uint32_t max_records;
    // Headers of one call. Default 2^24.
    uint32_t max_headers;
} kcodec_limits;

// How a decoder works. Zeros, except for the size, are the defaults.
typedef struct kcodec_decode_options {
    // `sizeof(kcodec_decode_options)`, so that fields can be added.
    uint32_t size;
    // `KCODEC_DECODE_...`, or'ed.
    uint32_t flags;
    // Bounds on memory.
    struct kcodec_limits limits;
    // NULL.
    const void *reserved;
} kcodec_decode_options;

// A run of bytes.
typedef struct kcodec_slice {
    // Its first byte.
    const uint8_t *data;
    // How many there are.
    size_t len;
} kcodec_slice;

// A batch or message. 88 bytes, no pointers, no padding.
typedef struct kcodec_batch {
    // As written: the first offset of a record batch, a message's own offset. A wrapper message carries
    // the offset of its *last* message; with `KCODEC_BATCH_OFFSETS_UNASSIGNED` it is 0.
    int64_t base_offset;
    // As written; a message's timestamp; -1 for magic 0.
    int64_t base_timestamp;
    // As written; a message's timestamp; -1 for magic 0.
    int64_t max_timestamp;
    // -1 for none.
    int64_t producer_id;
    // Where the raw batch starts in segment 0, to be forwarded untouched.
    uint32_t position;
    // Its bytes, the 12 before the end of the length field included.
    uint32_t length;
    // The segment that the positions of its records count in.
    uint32_t segment;
    // Its first row in the table of records.
    uint32_t first_record;
    // Its number of rows there.
    uint32_t record_count;
    // The count as written; -1 for messages.
    int32_t declared_count;
    // As written. For messages 0, or with unassigned offsets the last one inside.
    int32_t last_offset_delta;
    // -1 for none.
    int32_t leader_epoch;
    // -1 for none.
    int32_t base_sequence;
    // As written.
    uint32_t crc;
    // 0, or the number of the error that left the batch without records.
    int32_t status;
    // -1 for none.
    int16_t producer_epoch;
    // As written, unknown bits included.
    int16_t attributes;
    // 0, 1 or 2; any other value comes with a status.
    int8_t magic;
    // The low three bits of the attributes; 5 to 7 come with a status.
    int8_t codec;
    // `KCODEC_BATCH_CRC_VERIFIED` and `KCODEC_BATCH_OFFSETS_UNASSIGNED`.
    uint8_t flags;
    // Zeros.
    uint8_t reserved[5];
} kcodec_batch;

// A record. 40 bytes.
typedef struct kcodec_record {
    // Absolute.
    int64_t offset;
    // Milliseconds since the epoch, -1 for none; log-append time is already applied.
    int64_t timestamp;
    // Where the key starts in the segment of the batch.
    uint32_t key_pos;
    // Bytes of the key, -1 for null.
    int32_t key_len;
    // Where the value starts.
    uint32_t value_pos;
    // Bytes of the value, -1 for null.
    int32_t value_len;
    // Its first row in the table of headers.
    uint32_t first_header;
    // Its number of rows there.
    uint32_t header_count;
} kcodec_record;

// A record header. 16 bytes.
typedef struct kcodec_header {
    // Where the key starts in the segment of the batch.
    uint32_t key_pos;
    // Bytes of the key, never null.
    int32_t key_len;
    // Where the value starts.
    uint32_t value_pos;
    // Bytes of the value, -1 for null.
    int32_t value_len;
} kcodec_header;

// What a call decoded: tables to be read in place, valid until the next call on their decoder. Segment 0
// is the caller's input, the others are decompressed payloads; a record's key and value are in segment
// `batches[b].segment`.
typedef struct kcodec_records {
    // What positions count in.
    const struct kcodec_slice *segments;
    // Their number, at least 1.
    size_t segment_count;
    // One row a batch, in the order of the input.
    const struct kcodec_batch *batches;
    // Their number.
    size_t batch_count;
    // One row a record of any batch.
    const struct kcodec_record *records;
    // Their number.
    size_t record_count;
    // One row a header of any record.
    const struct kcodec_header *headers;
    // Their number.
    size_t header_count;
    // With `KCODEC_DECODE_KEEP_GOING`: one for each batch that has a status, and one for a corrupt tail.
    const struct kcodec_error *faults;
    // Their number.
    size_t fault_count;
    // Bytes of whole batches.
    size_t consumed;
    // Bytes of the whole batch whose start is the tail; 0 if not known.
    size_t needed;
    // What follows the last whole batch: `KCODEC_TAIL_...`.
    int32_t tail;
    // 0.
    uint32_t reserved;
} kcodec_records;

// A transaction that ended in an abort, as a fetch response lists it.
typedef struct kcodec_aborted {
    // Offset of its first record in the partition.
    int64_t first_offset;
    // Its producer.
    int64_t producer_id;
} kcodec_aborted;

// How an encoder works. There is nothing to set yet.
typedef struct kcodec_encode_options {
    // `sizeof(kcodec_encode_options)`.
    uint32_t size;
    // 0.
    uint32_t flags;
    // NULL.
    const void *reserved;
} kcodec_encode_options;

// What the header of a batch to be written says. Not all defaults are zeros: start from
// `KCODEC_BATCH_PARAMS_INIT` or `kcodec_batch_params_init`.
typedef struct kcodec_batch_params {
    // `sizeof(kcodec_batch_params)`.
    uint32_t size;
    // `KCODEC_PARAMS_...`, or'ed.
    uint32_t flags;
    // The offset of the first record. Producers send 0; a broker assigns it.
    int64_t base_offset;
    // The producer's id, -1 for none.
    int64_t producer_id;
    // The append time in ms, if `KCODEC_PARAMS_LOG_APPEND_TIME` is set.
    int64_t log_append_time;
    // The delete horizon in ms, if `KCODEC_PARAMS_DELETE_HORIZON` is set.
    int64_t delete_horizon;
    // The compression level as Kafka's clients name it, or `KCODEC_COMPRESSION_DEFAULT`.
    int32_t level;
    // `KCODEC_LAST_OFFSET_DELTA_AUTO`, or what compaction left beyond the last record.
    int32_t last_offset_delta;
    // The epoch of the leader, -1 from a producer.
    int32_t leader_epoch;
    // The sequence number of the first record, -1 for none.
    int32_t base_sequence;
    // The producer's epoch, -1 for none.
    int16_t producer_epoch;
    // Attribute bits 7 to 15, to be kept from a batch that is written again.
    int16_t unknown_attributes;
    // 2 for a record batch; 0 or 1 for a message set, which has no headers and no producer fields.
    int8_t magic;
    // `KCODEC_CODEC_...`.
    int8_t codec;
    // Zeros.
    uint8_t padding[2];
    // NULL.
    const void *reserved;
} kcodec_batch_params;

// Success.
#define KCODEC_OK 0

/* ---- Which library this is ---- */

// The ABI number of the library that is loaded. Since 0.1.
uint32_t kcodec_abi(void);

// `KCODEC_E_ABI_MISMATCH` unless the library has the ABI number `abi`: pass `KCODEC_ABI`, first of all.
// Since 0.1.
kcodec_status kcodec_check_abi(uint32_t abi,
                               struct kcodec_error *err);

// The version of the library, `"0.1.0"`. Since 0.1.
const char *kcodec_version(void);

// What is built in: for each codec the bit `1 << KCODEC_CODEC_...`, and `KCODEC_FEATURE_...`. Since 0.1.
uint32_t kcodec_features(void);

// Bytes of the struct `which` (`KCODEC_SIZEOF_...`) in this library, 0 for one that it does not know. A
// binding compares them with its own declarations at start-up. Since 0.1.
size_t kcodec_sizeof(uint32_t which);

/* ---- Texts ---- */

// The name of a status, `"CRC_MISMATCH"`: stable, for logs and tests. `"UNKNOWN"` for one of a newer
// library. Since 0.1.
const char *kcodec_status_name(kcodec_status status);

// One sentence about a status, in lower case without a period. Since 0.1.
const char *kcodec_status_message(kcodec_status status);

// Writes the message of `err` with its place into `buf`, always ending in NUL if `cap` is not 0, cut if
// need be. Returns the length of the whole text without the NUL, as `snprintf` does. Since 0.1.
size_t kcodec_error_format(const struct kcodec_error *err,
                           char *buf,
                           size_t cap);

/* ---- Decode: a buffer becomes tables ---- */

// Makes a decoder that has allocated nothing but itself. `options` may be NULL for the defaults. Since
// 0.1.
kcodec_status kcodec_decoder_new(const struct kcodec_decode_options *options,
                                 struct kcodec_decoder **out,
                                 struct kcodec_error *err);

// Frees a decoder and all that it handed out. NULL is allowed. While a call on the decoder is under way
// nothing happens: leaking is the smaller evil. Since 0.1.
void kcodec_decoder_free(struct kcodec_decoder *decoder);

// Decodes all whole batches of `input`: the records of a fetch response or produce request, or a segment
// file. A cut-off tail is no fault: see `tail` and `consumed` of `out`.
//
// Without `KCODEC_DECODE_KEEP_GOING` the first fault ends the call and `out` is not written; the batches
// before it are to be had from `kcodec_decoded`. With it the call succeeds, and faults are in
// `batch.status` and the table `faults`. `input` must stay as it is while segment 0 is read. Since 0.1.
kcodec_status kcodec_decode(struct kcodec_decoder *decoder,
                            const uint8_t *input,
                            size_t input_len,
                            struct kcodec_records *out,
                            struct kcodec_error *err);

// The tables of the last `kcodec_decode` on this decoder: after a fault, the batches before it. Since 0.1.
kcodec_status kcodec_decoded(struct kcodec_decoder *decoder,
                             struct kcodec_records *out,
                             struct kcodec_error *err);

// Forgets what was decoded and gives memory back, down to `keep` bytes for payloads. Since 0.1.
kcodec_status kcodec_decoder_shrink(struct kcodec_decoder *decoder,
                                    size_t keep,
                                    struct kcodec_error *err);

// Bytes that the decoder holds for tables and payloads. May be asked at any time, from any thread; 0 for
// NULL. Since 0.1.
size_t kcodec_decoder_memory(const struct kcodec_decoder *decoder);

/* ---- Headers only, and validation ---- */

// Fills in one row a batch from its header alone, to route, count, split or forward: nothing is
// allocated, decompressed or checksummed. Rows have no records; a header that cannot be right gives its
// row a status.
//
// `count` and `consumed` tell of all whole batches, and are also written with
// `KCODEC_E_BUFFER_TOO_SMALL` (then the first `cap` rows are filled in) and for a corrupt tail. `rows` may
// be NULL with `cap` 0. Since 0.1.
kcodec_status kcodec_scan(const uint8_t *input,
                          size_t input_len,
                          struct kcodec_batch *rows,
                          size_t cap,
                          size_t *count,
                          size_t *consumed,
                          struct kcodec_error *err);

// Checks `input` as deep as `level` (`KCODEC_LEVEL_...`) says, and returns the first fault. A cut-off tail
// is none, except for `KCODEC_LEVEL_PRODUCE`. `decoder` gives limits and memory, and may be NULL below
// `KCODEC_LEVEL_FULL`; what it decoded before is no longer to be read. Since 0.1.
kcodec_status kcodec_validate(struct kcodec_decoder *decoder,
                              const uint8_t *input,
                              size_t input_len,
                              uint32_t level,
                              struct kcodec_error *err);

// The offset to fetch next after `batch`, whatever became of its records; -1 for NULL. Since 0.1.
int64_t kcodec_next_offset(const struct kcodec_batch *batch);

// The sequence number of the last record of `batch`, -1 without one. Since 0.1.
int32_t kcodec_last_sequence(const struct kcodec_batch *batch);

/* ---- Transactions ---- */

// The type of a control record, from its key: 0 abort, 1 commit, further ones of Kafka's Raft log; -1 for
// a key that is none. Since 0.1.
int32_t kcodec_control_type(const uint8_t *key,
                            size_t key_len);

// Kafka's name of a control type: `"COMMIT"`; `"UNKNOWN"` for one that has none here. Since 0.1.
const char *kcodec_control_type_name(int32_t control_type);

// Reads the value of an ABORT or COMMIT record: the epoch of the coordinator that wrote it. Since 0.1.
kcodec_status kcodec_end_marker(const uint8_t *value,
                                size_t value_len,
                                int32_t *coordinator_epoch,
                                struct kcodec_error *err);

// What a consumer with isolation level `read_committed` gets to see of the last `kcodec_decode`: writes
// one byte a batch, 1 if its records are to be delivered, else 0. `input` is that call's, which may have
// moved since; `aborted` is the list of the fetch response, in any order. The decoder must have read
// control batches. `KCODEC_E_BUFFER_TOO_SMALL` unless `cap` is at least the number of batches. Since 0.1.
kcodec_status kcodec_committed(struct kcodec_decoder *decoder,
                               const uint8_t *input,
                               size_t input_len,
                               const struct kcodec_aborted *aborted,
                               size_t aborted_count,
                               uint8_t *delivers,
                               size_t cap,
                               struct kcodec_error *err);

/* ---- Encode: from the same rows, or record by record ---- */

// Makes an encoder. `options` may be NULL for the defaults. Since 0.1.
kcodec_status kcodec_encoder_new(const struct kcodec_encode_options *options,
                                 struct kcodec_encoder **out,
                                 struct kcodec_error *err);

// Frees an encoder and the batch that it handed out. NULL is allowed. While a call on the encoder is under
// way nothing happens: leaking is the smaller evil. Since 0.1.
void kcodec_encoder_free(struct kcodec_encoder *encoder);

// Bytes that the encoder holds. May be asked at any time, from any thread; 0 for NULL. Since 0.1.
size_t kcodec_encoder_memory(const struct kcodec_encoder *encoder);

// Fills `params` with what a plain producer sends: magic 2, not compressed, base offset 0, no producer id.
// `size` is `sizeof(kcodec_batch_params)`. Since 0.1.
kcodec_status kcodec_batch_params_init(struct kcodec_batch_params *params,
                                       size_t size,
                                       struct kcodec_error *err);

// Fills `params` with what writes a decoded batch again: decode, edit rows, encode. `size` is
// `sizeof(kcodec_batch_params)`. Since 0.1.
kcodec_status kcodec_batch_params_of(const struct kcodec_batch *batch,
                                     struct kcodec_batch_params *params,
                                     size_t size,
                                     struct kcodec_error *err);

// Encodes one batch, or for magic 0 and 1 the messages of a set. `records` have positions in `data` and
// rows in `headers`; their offsets are absolute. `out` lives in the encoder until its next call. A row that
// points elsewhere is `KCODEC_E_INVALID_ARGUMENT`, with its number in `err->record`. Since 0.1.
kcodec_status kcodec_encode(struct kcodec_encoder *encoder,
                            const struct kcodec_batch_params *params,
                            const uint8_t *data,
                            size_t data_len,
                            const struct kcodec_record *records,
                            size_t record_count,
                            const struct kcodec_header *headers,
                            size_t header_count,
                            struct kcodec_slice *out,
                            struct kcodec_error *err);

// As `kcodec_encode`, to the caller's memory. With `KCODEC_E_BUFFER_TOO_SMALL`, `err->expected` is the
// size needed; `kcodec_encode_bound` bytes always do. Since 0.1.
kcodec_status kcodec_encode_into(struct kcodec_encoder *encoder,
                                 const struct kcodec_batch_params *params,
                                 const uint8_t *data,
                                 size_t data_len,
                                 const struct kcodec_record *records,
                                 size_t record_count,
                                 const struct kcodec_header *headers,
                                 size_t header_count,
                                 uint8_t *to,
                                 size_t cap,
                                 size_t *written,
                                 struct kcodec_error *err);

// The most bytes that `kcodec_encode` gives for these rows; 0 for arguments that it would refuse.
// Since 0.1.
size_t kcodec_encode_bound(const struct kcodec_batch_params *params,
                           const struct kcodec_record *records,
                           size_t record_count,
                           const struct kcodec_header *headers,
                           size_t header_count);

// Starts a batch that is filled record by record; one that is not finished is dropped. Since 0.1.
kcodec_status kcodec_encoder_begin(struct kcodec_encoder *encoder,
                                   const struct kcodec_batch_params *params,
                                   struct kcodec_error *err);

// Adds a header to the record that the next `kcodec_encoder_push` appends. A NULL value is null; the key
// may be empty but not null. Both are copied. Since 0.1.
kcodec_status kcodec_encoder_header(struct kcodec_encoder *encoder,
                                    const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *value,
                                    size_t value_len,
                                    struct kcodec_error *err);

// Appends a record. A NULL key or value is null, a pointer with length 0 is empty. `timestamp` is in ms,
// -1 for none. `offset` may be NULL, or is where the record's offset is stored. After a fault the batch is
// as it was before, without the headers that waited. Since 0.1.
kcodec_status kcodec_encoder_push(struct kcodec_encoder *encoder,
                                  int64_t timestamp,
                                  const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *value,
                                  size_t value_len,
                                  int64_t *offset,
                                  struct kcodec_error *err);

// Appends the record that ends a transaction, `KCODEC_CONTROL_COMMIT` or `KCODEC_CONTROL_ABORT`. The
// parameters must have said so with `KCODEC_PARAMS_CONTROL` and `KCODEC_PARAMS_TRANSACTIONAL`. Since 0.1.
kcodec_status kcodec_encoder_marker(struct kcodec_encoder *encoder,
                                    int64_t timestamp,
                                    int32_t control_type,
                                    int32_t coordinator_epoch,
                                    struct kcodec_error *err);

// Whether one more record, with the headers that wait, keeps the batch within `limit` bytes whatever its
// contents: `fits` is set to 1 or 0. A first record always fits. Only the lengths matter. Since 0.1.
kcodec_status kcodec_encoder_fits(struct kcodec_encoder *encoder,
                                  size_t limit,
                                  const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *value,
                                  size_t value_len,
                                  int32_t *fits,
                                  struct kcodec_error *err);

// Finishes the batch. `out` lives in the encoder until its next call; the next `kcodec_encoder_push` starts
// a batch with the same parameters. Since 0.1.
kcodec_status kcodec_encoder_finish(struct kcodec_encoder *encoder,
                                    struct kcodec_slice *out,
                                    struct kcodec_error *err);

/* ---- Restamp a batch in place ---- */

// Gives the batch at the start of `batch` its place in the log: the base offset, and for magic 2 the epoch
// of the leader. Checksum and records stay as they are. Since 0.1.
kcodec_status kcodec_assign_offsets(uint8_t *batch,
                                    size_t batch_len,
                                    int64_t base_offset,
                                    int32_t leader_epoch,
                                    struct kcodec_error *err);

// Marks the batch as stamped by the broker at `timestamp` (ms), which then holds for all its records, and
// redoes the checksum. Since 0.1.
kcodec_status kcodec_set_log_append_time(uint8_t *batch,
                                         size_t batch_len,
                                         int64_t timestamp,
                                         struct kcodec_error *err);

// Marks the batch as stamped by its producer, with `max_timestamp` (ms) as the largest of its records, and
// redoes the checksum. Since 0.1.
kcodec_status kcodec_set_create_time(uint8_t *batch,
                                     size_t batch_len,
                                     int64_t max_timestamp,
                                     struct kcodec_error *err);

// Redoes the checksum of the batch, after its bytes were edited. Since 0.1.
kcodec_status kcodec_refresh_crc(uint8_t *batch, size_t batch_len, struct kcodec_error *err);

/* ---- Codecs and checksums by themselves ---- */

// No more than this many bytes come out of compressing `len` bytes, at any level; 0 for an unknown codec.
// Since 0.1.
size_t kcodec_compress_bound(int32_t codec,
                             size_t len);

// Compresses `input` as Kafka's clients frame it, with a level as they name it or
// `KCODEC_COMPRESSION_DEFAULT`. With `KCODEC_E_BUFFER_TOO_SMALL`, `err->expected` is the size needed, and
// `kcodec_compress_bound` bytes always do. Since 0.1.
kcodec_status kcodec_compress(int32_t codec,
                              int32_t level,
                              const uint8_t *input,
                              size_t input_len,
                              uint8_t *to,
                              size_t cap,
                              size_t *written,
                              struct kcodec_error *err);

// Decompresses `input`. With `KCODEC_E_BUFFER_TOO_SMALL`, `err->expected` is the size needed where the
// stream declares it, else 0. Since 0.1.
kcodec_status kcodec_decompress(int32_t codec,
                                const uint8_t *input,
                                size_t input_len,
                                uint8_t *to,
                                size_t cap,
                                size_t *written,
                                struct kcodec_error *err);

// The size after decompression as far as the stream declares it, not verified: `KCODEC_SIZE_UNKNOWN` where
// it does not (gzip never does). Since 0.1.
kcodec_status kcodec_decompressed_size(int32_t codec,
                                       const uint8_t *input,
                                       size_t input_len,
                                       uint64_t *size,
                                       struct kcodec_error *err);

// CRC-32C of `data`, continued from `seed`: 0, or the result for the bytes before. NULL counts as no
// bytes. Since 0.1.
uint32_t kcodec_crc32c(uint32_t seed,
                       const uint8_t *data,
                       size_t len);

// murmur2 of a key as Kafka's default partitioner computes it: the partition is
// `(hash & 0x7fffffff) % partitions`. NULL counts as no bytes. Since 0.1.
int32_t kcodec_murmur2(const uint8_t *key, size_t len);

/* ---- Defaults, for C and C++ ---- */

#define KCODEC_DECODE_OPTIONS_INIT {sizeof(kcodec_decode_options), 0, {0, 0, 0, 0}, NULL}
#define KCODEC_ENCODE_OPTIONS_INIT {sizeof(kcodec_encode_options), 0, NULL}
#define KCODEC_BATCH_PARAMS_INIT \
    {sizeof(kcodec_batch_params), 0, 0, -1, 0, 0, KCODEC_COMPRESSION_DEFAULT, \
     KCODEC_LAST_OFFSET_DELTA_AUTO, -1, -1, -1, 0, 2, KCODEC_CODEC_NONE, {0, 0}, NULL}

/* ---- The layout that the library was built with ---- */

#if defined(__cplusplus) && __cplusplus >= 201103L
#define KCODEC_ASSERT(name, holds) static_assert(holds, #name)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define KCODEC_ASSERT(name, holds) _Static_assert(holds, #name)
#else
#define KCODEC_ASSERT(name, holds) typedef char kcodec_assert_##name[(holds) ? 1 : -1]
#endif
#define KCODEC_ASSERT_SIZE(type, size) KCODEC_ASSERT(size_of_##type, sizeof(type) == (size))
#define KCODEC_ASSERT_FIELD(type, field, at) \
    KCODEC_ASSERT(type##_##field, offsetof(type, field) == (at))

KCODEC_ASSERT_SIZE(kcodec_batch, 88);
KCODEC_ASSERT_FIELD(kcodec_batch, base_offset, 0);
KCODEC_ASSERT_FIELD(kcodec_batch, base_timestamp, 8);
KCODEC_ASSERT_FIELD(kcodec_batch, max_timestamp, 16);
KCODEC_ASSERT_FIELD(kcodec_batch, producer_id, 24);
KCODEC_ASSERT_FIELD(kcodec_batch, position, 32);
KCODEC_ASSERT_FIELD(kcodec_batch, length, 36);
KCODEC_ASSERT_FIELD(kcodec_batch, segment, 40);
KCODEC_ASSERT_FIELD(kcodec_batch, first_record, 44);
KCODEC_ASSERT_FIELD(kcodec_batch, record_count, 48);
KCODEC_ASSERT_FIELD(kcodec_batch, declared_count, 52);
KCODEC_ASSERT_FIELD(kcodec_batch, last_offset_delta, 56);
KCODEC_ASSERT_FIELD(kcodec_batch, leader_epoch, 60);
KCODEC_ASSERT_FIELD(kcodec_batch, base_sequence, 64);
KCODEC_ASSERT_FIELD(kcodec_batch, crc, 68);
KCODEC_ASSERT_FIELD(kcodec_batch, status, 72);
KCODEC_ASSERT_FIELD(kcodec_batch, producer_epoch, 76);
KCODEC_ASSERT_FIELD(kcodec_batch, attributes, 78);
KCODEC_ASSERT_FIELD(kcodec_batch, magic, 80);
KCODEC_ASSERT_FIELD(kcodec_batch, codec, 81);
KCODEC_ASSERT_FIELD(kcodec_batch, flags, 82);
KCODEC_ASSERT_FIELD(kcodec_batch, reserved, 83);
KCODEC_ASSERT_SIZE(kcodec_record, 40);
KCODEC_ASSERT_FIELD(kcodec_record, offset, 0);
KCODEC_ASSERT_FIELD(kcodec_record, timestamp, 8);
KCODEC_ASSERT_FIELD(kcodec_record, key_pos, 16);
KCODEC_ASSERT_FIELD(kcodec_record, key_len, 20);
KCODEC_ASSERT_FIELD(kcodec_record, value_pos, 24);
KCODEC_ASSERT_FIELD(kcodec_record, value_len, 28);
KCODEC_ASSERT_FIELD(kcodec_record, first_header, 32);
KCODEC_ASSERT_FIELD(kcodec_record, header_count, 36);
KCODEC_ASSERT_SIZE(kcodec_header, 16);
KCODEC_ASSERT_FIELD(kcodec_header, key_pos, 0);
KCODEC_ASSERT_FIELD(kcodec_header, key_len, 4);
KCODEC_ASSERT_FIELD(kcodec_header, value_pos, 8);
KCODEC_ASSERT_FIELD(kcodec_header, value_len, 12);
KCODEC_ASSERT_SIZE(kcodec_error, 56);
KCODEC_ASSERT_FIELD(kcodec_error, code, 0);
KCODEC_ASSERT_FIELD(kcodec_error, codec, 4);
KCODEC_ASSERT_FIELD(kcodec_error, flags, 6);
KCODEC_ASSERT_FIELD(kcodec_error, batch, 8);
KCODEC_ASSERT_FIELD(kcodec_error, record, 12);
KCODEC_ASSERT_FIELD(kcodec_error, position, 16);
KCODEC_ASSERT_FIELD(kcodec_error, expected, 24);
KCODEC_ASSERT_FIELD(kcodec_error, actual, 32);
KCODEC_ASSERT_FIELD(kcodec_error, base_offset, 40);
KCODEC_ASSERT_FIELD(kcodec_error, next_offset, 48);
KCODEC_ASSERT_SIZE(kcodec_limits, 24);
KCODEC_ASSERT_FIELD(kcodec_limits, max_batch_bytes, 0);
KCODEC_ASSERT_FIELD(kcodec_limits, max_total_bytes, 8);
KCODEC_ASSERT_FIELD(kcodec_limits, max_records, 16);
KCODEC_ASSERT_FIELD(kcodec_limits, max_headers, 20);
KCODEC_ASSERT_SIZE(kcodec_aborted, 16);
KCODEC_ASSERT_FIELD(kcodec_aborted, first_offset, 0);
KCODEC_ASSERT_FIELD(kcodec_aborted, producer_id, 8);
#if UINTPTR_MAX == UINT64_MAX
KCODEC_ASSERT_SIZE(kcodec_slice, 16);
KCODEC_ASSERT_FIELD(kcodec_slice, data, 0);
KCODEC_ASSERT_FIELD(kcodec_slice, len, 8);
KCODEC_ASSERT_SIZE(kcodec_records, 104);
KCODEC_ASSERT_FIELD(kcodec_records, segments, 0);
KCODEC_ASSERT_FIELD(kcodec_records, segment_count, 8);
KCODEC_ASSERT_FIELD(kcodec_records, batches, 16);
KCODEC_ASSERT_FIELD(kcodec_records, batch_count, 24);
KCODEC_ASSERT_FIELD(kcodec_records, records, 32);
KCODEC_ASSERT_FIELD(kcodec_records, record_count, 40);
KCODEC_ASSERT_FIELD(kcodec_records, headers, 48);
KCODEC_ASSERT_FIELD(kcodec_records, header_count, 56);
KCODEC_ASSERT_FIELD(kcodec_records, faults, 64);
KCODEC_ASSERT_FIELD(kcodec_records, fault_count, 72);
KCODEC_ASSERT_FIELD(kcodec_records, consumed, 80);
KCODEC_ASSERT_FIELD(kcodec_records, needed, 88);
KCODEC_ASSERT_FIELD(kcodec_records, tail, 96);
KCODEC_ASSERT_FIELD(kcodec_records, reserved, 100);
KCODEC_ASSERT_SIZE(kcodec_decode_options, 40);
KCODEC_ASSERT_FIELD(kcodec_decode_options, size, 0);
KCODEC_ASSERT_FIELD(kcodec_decode_options, flags, 4);
KCODEC_ASSERT_FIELD(kcodec_decode_options, limits, 8);
KCODEC_ASSERT_FIELD(kcodec_decode_options, reserved, 32);
KCODEC_ASSERT_SIZE(kcodec_encode_options, 16);
KCODEC_ASSERT_FIELD(kcodec_encode_options, size, 0);
KCODEC_ASSERT_FIELD(kcodec_encode_options, flags, 4);
KCODEC_ASSERT_FIELD(kcodec_encode_options, reserved, 8);
KCODEC_ASSERT_SIZE(kcodec_batch_params, 72);
KCODEC_ASSERT_FIELD(kcodec_batch_params, size, 0);
KCODEC_ASSERT_FIELD(kcodec_batch_params, flags, 4);
KCODEC_ASSERT_FIELD(kcodec_batch_params, base_offset, 8);
KCODEC_ASSERT_FIELD(kcodec_batch_params, producer_id, 16);
KCODEC_ASSERT_FIELD(kcodec_batch_params, log_append_time, 24);
KCODEC_ASSERT_FIELD(kcodec_batch_params, delete_horizon, 32);
KCODEC_ASSERT_FIELD(kcodec_batch_params, level, 40);
KCODEC_ASSERT_FIELD(kcodec_batch_params, last_offset_delta, 44);
KCODEC_ASSERT_FIELD(kcodec_batch_params, leader_epoch, 48);
KCODEC_ASSERT_FIELD(kcodec_batch_params, base_sequence, 52);
KCODEC_ASSERT_FIELD(kcodec_batch_params, producer_epoch, 56);
KCODEC_ASSERT_FIELD(kcodec_batch_params, unknown_attributes, 58);
KCODEC_ASSERT_FIELD(kcodec_batch_params, magic, 60);
KCODEC_ASSERT_FIELD(kcodec_batch_params, codec, 61);
KCODEC_ASSERT_FIELD(kcodec_batch_params, padding, 62);
KCODEC_ASSERT_FIELD(kcodec_batch_params, reserved, 64);
#endif

#undef KCODEC_ASSERT_FIELD
#undef KCODEC_ASSERT_SIZE
#undef KCODEC_ASSERT

#ifdef __cplusplus
}
#endif

#endif /* KCODEC_H */
