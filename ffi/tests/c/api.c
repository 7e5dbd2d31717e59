/* What a C program may do and what it may not, function by function, without any vectors. */
#include "test.h"

#include <kcodec.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) CHECK((call) == KCODEC_OK)

static kcodec_encoder *new_encoder(void)
{
    kcodec_encoder *encoder = NULL;
    OK(kcodec_encoder_new(NULL, &encoder, NULL));
    return encoder;
}

static kcodec_decoder *new_decoder(uint32_t flags)
{
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_decoder *decoder = NULL;
    options.flags = flags;
    OK(kcodec_decoder_new(&options, &decoder, NULL));
    return decoder;
}

/* Pushes `count` records "k", "value" with a header, from timestamp 1000 on, and finishes the batch. */
static kcodec_slice push_batch(kcodec_encoder *encoder, const kcodec_batch_params *params, int count)
{
    kcodec_slice batch = {NULL, 0};
    int i;
    OK(kcodec_encoder_begin(encoder, params, NULL));
    for (i = 0; i < count; i++) {
        int64_t offset = -1;
        if (params->magic == 2)
            OK(kcodec_encoder_header(encoder, (const uint8_t *)"h", 1, NULL, 0, NULL));
        OK(kcodec_encoder_push(encoder, 1000 + i, (const uint8_t *)"k", 1, (const uint8_t *)"value", 5,
                               &offset, NULL));
        CHECK(offset == params->base_offset + i);
    }
    OK(kcodec_encoder_finish(encoder, &batch, NULL));
    return batch;
}

static void identity(void)
{
    static const struct {
        uint32_t which;
        size_t size;
    } sizes[] = {
        {KCODEC_SIZEOF_SLICE, sizeof(kcodec_slice)},
        {KCODEC_SIZEOF_BATCH, sizeof(kcodec_batch)},
        {KCODEC_SIZEOF_RECORD, sizeof(kcodec_record)},
        {KCODEC_SIZEOF_HEADER, sizeof(kcodec_header)},
        {KCODEC_SIZEOF_RECORDS, sizeof(kcodec_records)},
        {KCODEC_SIZEOF_ERROR, sizeof(kcodec_error)},
        {KCODEC_SIZEOF_LIMITS, sizeof(kcodec_limits)},
        {KCODEC_SIZEOF_DECODE_OPTIONS, sizeof(kcodec_decode_options)},
        {KCODEC_SIZEOF_ENCODE_OPTIONS, sizeof(kcodec_encode_options)},
        {KCODEC_SIZEOF_BATCH_PARAMS, sizeof(kcodec_batch_params)},
        {KCODEC_SIZEOF_ABORTED, sizeof(kcodec_aborted)},
        {99, 0},
    };
    size_t i;
    test_begin("identity");
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++)
        CHECK(kcodec_sizeof(sizes[i].which) == sizes[i].size);
    CHECK(kcodec_abi() == KCODEC_ABI);
    CHECK(strchr(kcodec_version(), '.') != NULL);
    for (i = KCODEC_CODEC_NONE; i <= KCODEC_CODEC_ZSTD; i++)
        CHECK(kcodec_features() & 1u << i);
}

static void options(void)
{
    kcodec_decode_options decode = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_encode_options encode = KCODEC_ENCODE_OPTIONS_INIT;
    kcodec_batch_params macro = KCODEC_BATCH_PARAMS_INIT, function;
    kcodec_decoder *decoder = NULL;
    kcodec_encoder *encoder = NULL;
    struct {
        kcodec_decode_options options;
        uint64_t more;
    } newer = {KCODEC_DECODE_OPTIONS_INIT, 0};

    test_begin("options");
    memset(&function, 0xff, sizeof function);
    OK(kcodec_batch_params_init(&function, sizeof function, NULL));
    CHECK(memcmp(&macro, &function, sizeof macro) == 0);
    CHECK(kcodec_batch_params_init(&function, sizeof function - 1, NULL) == KCODEC_E_INVALID_ARGUMENT);

    decode.flags = 1u << 30;
    CHECK(kcodec_decoder_new(&decode, &decoder, NULL) == KCODEC_E_INVALID_ARGUMENT);
    decode.flags = 0;
    decode.reserved = &decode;
    CHECK(kcodec_decoder_new(&decode, &decoder, NULL) == KCODEC_E_INVALID_ARGUMENT);
    decode.reserved = NULL;
    decode.size = 0;
    CHECK(kcodec_decoder_new(&decode, &decoder, NULL) == KCODEC_E_INVALID_ARGUMENT);
    CHECK(decoder == NULL);
    encode.flags = 1;
    CHECK(kcodec_encoder_new(&encode, &encoder, NULL) == KCODEC_E_INVALID_ARGUMENT);
    CHECK(encoder == NULL);

    /* A program of a later version asks for nothing that this one does not know, and then for something. */
    newer.options.size = sizeof newer;
    OK(kcodec_decoder_new(&newer.options, &decoder, NULL));
    kcodec_decoder_free(decoder);
    newer.more = 1;
    CHECK(kcodec_decoder_new(&newer.options, &decoder, NULL) == KCODEC_E_INVALID_ARGUMENT);
}

/* NULL wherever a pointer is needed. */
static void nulls(void)
{
    kcodec_decoder *decoder = new_decoder(0);
    kcodec_encoder *encoder = new_encoder();
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_record record = {0, 0, 0, -1, 0, -1, 0, 0};
    kcodec_records records;
    kcodec_slice slice;
    kcodec_error err;
    uint8_t byte = 0;
    size_t size, other;
    uint64_t size64;
    int32_t number;
    const kcodec_status null = KCODEC_E_NULL_ARGUMENT;

    test_begin("nulls");
    CHECK(kcodec_decoder_new(NULL, NULL, NULL) == null);
    CHECK(kcodec_decode(NULL, &byte, 1, &records, &err) == null && err.code == null);
    CHECK(kcodec_decode(decoder, NULL, 1, &records, NULL) == null);
    CHECK(kcodec_decode(decoder, &byte, 1, NULL, NULL) == null);
    CHECK(kcodec_decoded(NULL, &records, NULL) == null);
    CHECK(kcodec_decoded(decoder, NULL, NULL) == null);
    CHECK(kcodec_decoder_shrink(NULL, 0, NULL) == null);
    CHECK(kcodec_decoder_memory(NULL) == 0 && kcodec_encoder_memory(NULL) == 0);
    CHECK(kcodec_scan(NULL, 1, NULL, 0, &size, &other, NULL) == null);
    CHECK(kcodec_scan(&byte, 1, NULL, 1, &size, &other, NULL) == null);
    CHECK(kcodec_scan(&byte, 1, NULL, 0, NULL, &other, NULL) == null);
    CHECK(kcodec_scan(&byte, 1, NULL, 0, &size, NULL, NULL) == null);
    CHECK(kcodec_validate(NULL, NULL, 1, KCODEC_LEVEL_CRC, NULL) == null);
    CHECK(kcodec_validate(NULL, &byte, 1, KCODEC_LEVEL_FULL, NULL) == null);
    CHECK(kcodec_validate(NULL, &byte, 1, KCODEC_LEVEL_PRODUCE, NULL) == null);
    CHECK(kcodec_validate(decoder, &byte, 1, 77, NULL) == KCODEC_E_INVALID_ARGUMENT);
    CHECK(kcodec_committed(NULL, &byte, 0, NULL, 0, &byte, 1, NULL) == null);
    CHECK(kcodec_committed(decoder, NULL, 0, NULL, 1, &byte, 1, NULL) == null);
    CHECK(kcodec_end_marker(NULL, 0, &number, NULL) == KCODEC_E_CONTROL_RECORD);
    CHECK(kcodec_end_marker(&byte, 1, NULL, NULL) == null);
    CHECK(kcodec_control_type(NULL, 9) == -1);
    CHECK(kcodec_next_offset(NULL) == -1 && kcodec_last_sequence(NULL) == -1);
    CHECK(kcodec_encoder_new(NULL, NULL, NULL) == null);
    CHECK(kcodec_batch_params_init(NULL, sizeof params, NULL) == null);
    CHECK(kcodec_batch_params_of(NULL, &params, sizeof params, NULL) == null);
    CHECK(kcodec_encode(NULL, &params, NULL, 0, NULL, 0, NULL, 0, &slice, NULL) == null);
    CHECK(kcodec_encode(encoder, NULL, NULL, 0, NULL, 0, NULL, 0, &slice, NULL) == null);
    CHECK(kcodec_encode(encoder, &params, NULL, 1, NULL, 0, NULL, 0, &slice, NULL) == null);
    CHECK(kcodec_encode(encoder, &params, NULL, 0, NULL, 1, NULL, 0, &slice, NULL) == null);
    CHECK(kcodec_encode(encoder, &params, NULL, 0, &record, 1, NULL, 1, &slice, NULL) == null);
    CHECK(kcodec_encode(encoder, &params, NULL, 0, &record, 1, NULL, 0, NULL, NULL) == null);
    CHECK(kcodec_encode_into(encoder, &params, NULL, 0, NULL, 0, NULL, 0, NULL, 9, &size, NULL) == null);
    CHECK(kcodec_encode_into(encoder, &params, NULL, 0, NULL, 0, NULL, 0, &byte, 1, NULL, NULL) == null);
    CHECK(kcodec_encode_bound(NULL, NULL, 0, NULL, 0) == 0);
    CHECK(kcodec_encoder_begin(NULL, &params, NULL) == null);
    CHECK(kcodec_encoder_begin(encoder, NULL, NULL) == null);
    CHECK(kcodec_encoder_push(NULL, 0, NULL, 0, NULL, 0, NULL, NULL) == null);
    CHECK(kcodec_encoder_push(encoder, 0, NULL, 1, NULL, 0, NULL, NULL) == null);
    CHECK(kcodec_encoder_header(encoder, NULL, 1, NULL, 0, NULL) == null);
    CHECK(kcodec_encoder_fits(encoder, 9, NULL, 0, NULL, 0, NULL, NULL) == null);
    CHECK(kcodec_encoder_finish(encoder, NULL, NULL) == null);
    CHECK(kcodec_assign_offsets(NULL, 61, 0, 0, NULL) == null);
    CHECK(kcodec_set_log_append_time(NULL, 61, 0, NULL) == null);
    CHECK(kcodec_set_create_time(NULL, 61, 0, NULL) == null);
    CHECK(kcodec_refresh_crc(NULL, 61, NULL) == null);
    CHECK(kcodec_compress(1, KCODEC_COMPRESSION_DEFAULT, NULL, 1, &byte, 1, &size, NULL) == null);
    CHECK(kcodec_compress(0, KCODEC_COMPRESSION_DEFAULT, NULL, 0, &byte, 1, NULL, NULL) == null);
    CHECK(kcodec_decompress(1, NULL, 1, &byte, 1, &size, NULL) == null);
    CHECK(kcodec_decompressed_size(1, NULL, 1, &size64, NULL) == null);
    CHECK(kcodec_decompressed_size(1, &byte, 1, NULL, NULL) == null);
    CHECK(kcodec_crc32c(7, NULL, 9) == 7 && kcodec_murmur2(NULL, 9) == kcodec_murmur2(NULL, 0));
    CHECK(kcodec_error_format(NULL, NULL, 0) == 0);
    kcodec_decoder_free(NULL);
    kcodec_encoder_free(NULL);
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

static void empty_input(void)
{
    kcodec_decoder *decoder = new_decoder(0);
    kcodec_records records;
    test_begin("empty input");
    OK(kcodec_decoded(decoder, &records, NULL));
    CHECK(records.batch_count == 0 && records.segment_count == 1);
    OK(kcodec_decode(decoder, NULL, 0, &records, NULL));
    CHECK(records.batch_count == 0 && records.tail == KCODEC_TAIL_NONE && records.consumed == 0);
    kcodec_decoder_free(decoder);
}

/* A tail tells how much is missing. */
static void tails(void)
{
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = new_encoder();
    kcodec_decoder *decoder = new_decoder(0);
    kcodec_slice batch = push_batch(encoder, &params, 3);
    kcodec_records records;
    test_begin("tails");
    OK(kcodec_decode(decoder, batch.data, batch.len - 1, &records, NULL));
    CHECK(records.tail == KCODEC_TAIL_PARTIAL && records.needed == batch.len);
    CHECK(records.consumed == 0 && records.batch_count == 0);
    OK(kcodec_decode(decoder, batch.data, 11, &records, NULL));
    CHECK(records.tail == KCODEC_TAIL_PARTIAL && records.needed == 0);
    OK(kcodec_decode(decoder, batch.data, batch.len, &records, NULL));
    CHECK(records.tail == KCODEC_TAIL_NONE && records.consumed == batch.len);
    CHECK(records.segments[0].data == batch.data && records.segments[0].len == batch.len);
    CHECK(records.record_count == 3 && records.header_count == 3);
    CHECK(records.headers[2].value_len == -1);
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

/* From tables, to the encoder's memory and to the caller's, under every codec. */
static void tables(void)
{
    static const uint8_t data[] = "keyvalueheader";
    static const kcodec_header headers[] = {{8, 6, 0, -1}, {8, 0, 3, 5}};
    static const kcodec_record rows[] = {{70, 1000, 0, 3, 3, 5, 0, 2}, {71, 1005, 0, -1, 3, 0, 0, 0}};
    kcodec_encoder *encoder = new_encoder();
    kcodec_decoder *decoder = new_decoder(0);
    int codec;
    test_begin("tables");
    for (codec = KCODEC_CODEC_NONE; codec <= KCODEC_CODEC_ZSTD; codec++) {
        kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
        uint8_t buffer[1024];
        kcodec_slice batch;
        kcodec_records records;
        kcodec_error err;
        size_t written = 0, bound;
        params.codec = (int8_t)codec;
        params.base_offset = 70;
        OK(kcodec_encode(encoder, &params, data, sizeof data, rows, 2, headers, 2, &batch, NULL));
        bound = kcodec_encode_bound(&params, rows, 2, headers, 2);
        CHECK(batch.len <= bound && bound <= sizeof buffer);
        OK(kcodec_decode(decoder, batch.data, batch.len, &records, NULL));
        CHECK(records.record_count == 2 && records.header_count == 2);
        CHECK(records.batches[0].codec == codec && records.records[1].offset == 71);
        CHECK(records.records[1].key_len == -1 && records.records[1].value_len == 0);
        CHECK(records.segment_count == (codec == KCODEC_CODEC_NONE ? 1u : 2u));
        OK(kcodec_encode_into(encoder, &params, data, sizeof data, rows, 2, headers, 2, buffer,
                              sizeof buffer, &written, NULL));
        CHECK(written == (size_t)records.batches[0].length);
        CHECK(kcodec_encode_into(encoder, &params, data, sizeof data, rows, 2, headers, 2, buffer,
                                 written - 1, &written, &err) == KCODEC_E_BUFFER_TOO_SMALL);
        CHECK(err.expected == written);
        /* A row that points beyond the data. */
        CHECK(kcodec_encode(encoder, &params, data, 7, rows, 2, headers, 2, &batch, &err)
              == KCODEC_E_INVALID_ARGUMENT);
        CHECK(err.record == 0);
        params.codec = 5;
        CHECK(kcodec_encode(encoder, &params, data, 7, rows, 2, headers, 2, &batch, NULL)
              == KCODEC_E_UNKNOWN_CODEC);
    }
    CHECK(kcodec_encoder_memory(encoder) > 0);
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

static void pushing(void)
{
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = new_encoder();
    kcodec_decoder *decoder = new_decoder(0);
    kcodec_slice batch;
    kcodec_records records;
    int32_t fits = -1, epoch = -1;
    test_begin("pushing");
    CHECK(kcodec_encoder_push(encoder, 0, NULL, 0, NULL, 0, NULL, NULL) == KCODEC_E_INVALID_ARGUMENT);
    batch = push_batch(encoder, &params, 4);
    OK(kcodec_validate(decoder, batch.data, batch.len, KCODEC_LEVEL_PRODUCE, NULL));
    OK(kcodec_encoder_push(encoder, 5, NULL, 0, (const uint8_t *)"", 0, NULL, NULL));
    OK(kcodec_encoder_fits(encoder, 80, NULL, 0, NULL, 0, &fits, NULL));
    CHECK(fits == 0);
    OK(kcodec_encoder_fits(encoder, 800, NULL, 0, NULL, 0, &fits, NULL));
    CHECK(fits == 1);
    OK(kcodec_encoder_finish(encoder, &batch, NULL));
    OK(kcodec_decode(decoder, batch.data, batch.len, &records, NULL));
    CHECK(records.record_count == 1 && records.header_count == 0);
    CHECK(records.records[0].key_len == -1 && records.records[0].value_len == 0);

    /* The marker that ends a transaction. */
    CHECK(kcodec_encoder_marker(encoder, 9, KCODEC_CONTROL_COMMIT, 17, NULL)
          == KCODEC_E_INVALID_ARGUMENT);
    params.flags = KCODEC_PARAMS_TRANSACTIONAL | KCODEC_PARAMS_CONTROL;
    params.producer_id = 4000;
    params.producer_epoch = 3;
    OK(kcodec_encoder_begin(encoder, &params, NULL));
    CHECK(kcodec_encoder_marker(encoder, 9, 2, 17, NULL) == KCODEC_E_INVALID_ARGUMENT);
    OK(kcodec_encoder_marker(encoder, 9, KCODEC_CONTROL_COMMIT, 17, NULL));
    OK(kcodec_encoder_finish(encoder, &batch, NULL));
    OK(kcodec_decode(decoder, batch.data, batch.len, &records, NULL));
    OK(kcodec_end_marker(batch.data + records.records[0].value_pos, 6, &epoch, NULL));
    CHECK(epoch == 17);

    /* Magic 1 has no headers; what waited for the record is gone with it. */
    OK(kcodec_batch_params_init(&params, sizeof params, NULL));
    params.magic = 1;
    OK(kcodec_encoder_begin(encoder, &params, NULL));
    OK(kcodec_encoder_header(encoder, (const uint8_t *)"h", 1, NULL, 0, NULL));
    CHECK(kcodec_encoder_push(encoder, 5, NULL, 0, NULL, 0, NULL, NULL) == KCODEC_E_NOT_REPRESENTABLE);
    OK(kcodec_encoder_push(encoder, 5, NULL, 0, NULL, 0, NULL, NULL));
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

static void restamping(void)
{
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = new_encoder();
    kcodec_decoder *decoder = new_decoder(0);
    kcodec_records records;
    uint8_t copy[256];
    kcodec_slice batch;
    test_begin("restamping");
    params.codec = KCODEC_CODEC_LZ4;
    batch = push_batch(encoder, &params, 3);
    CHECK(batch.len <= sizeof copy);
    memcpy(copy, batch.data, batch.len);
    OK(kcodec_assign_offsets(copy, batch.len, 500, 4, NULL));
    OK(kcodec_set_log_append_time(copy, batch.len, 7777, NULL));
    OK(kcodec_decode(decoder, copy, batch.len, &records, NULL));
    CHECK(records.records[2].offset == 502 && records.records[0].timestamp == 7777);
    CHECK(records.batches[0].leader_epoch == 4 && kcodec_next_offset(records.batches) == 503);
    OK(kcodec_set_create_time(copy, batch.len, 1002, NULL));
    OK(kcodec_decode(decoder, copy, batch.len, &records, NULL));
    CHECK(records.records[0].timestamp == 1000 && records.batches[0].max_timestamp == 1002);
    copy[60]++;
    CHECK(kcodec_validate(NULL, copy, batch.len, KCODEC_LEVEL_CRC, NULL) == KCODEC_E_CRC_MISMATCH);
    OK(kcodec_refresh_crc(copy, batch.len, NULL));
    OK(kcodec_validate(NULL, copy, batch.len, KCODEC_LEVEL_CRC, NULL));
    CHECK(kcodec_assign_offsets(copy, batch.len - 1, 500, 4, NULL) == KCODEC_E_TRUNCATED);
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

static void codecs(void)
{
    static uint8_t input[10000], packed[20000], back[10000];
    int codec;
    test_begin("codecs");
    memset(input, 'x', sizeof input);
    for (codec = KCODEC_CODEC_NONE; codec <= KCODEC_CODEC_ZSTD; codec++) {
        const int32_t level = KCODEC_COMPRESSION_DEFAULT;
        size_t bound = kcodec_compress_bound(codec, sizeof input), written = 0, again = 0;
        kcodec_error err;
        uint64_t size = 0;
        CHECK(bound >= sizeof input && bound <= sizeof packed);
        OK(kcodec_compress(codec, level, input, sizeof input, packed, bound, &written, NULL));
        CHECK(written <= bound);
        CHECK(kcodec_compress(codec, level, input, sizeof input, back, written - 1, &again, &err)
              == KCODEC_E_BUFFER_TOO_SMALL);
        CHECK(err.expected == written && err.codec == codec);
        OK(kcodec_decompressed_size(codec, packed, written, &size, NULL));
        CHECK(size == sizeof input || size == KCODEC_SIZE_UNKNOWN);
        OK(kcodec_decompress(codec, packed, written, back, sizeof back, &again, NULL));
        CHECK(again == sizeof input && memcmp(input, back, again) == 0);
        CHECK(kcodec_decompress(codec, packed, written, back, sizeof back - 1, &again, &err)
              == KCODEC_E_BUFFER_TOO_SMALL);
        CHECK(err.expected == 0 || err.expected == sizeof input);
        CHECK(kcodec_compress(codec, 99, input, 1, packed, bound, &written, NULL)
                  == KCODEC_E_INVALID_ARGUMENT);
    }
    CHECK(kcodec_compress_bound(9, 100) == 0);
    CHECK(kcodec_crc32c(0, (const uint8_t *)"123456789", 9) == 0xe3069283u);
    CHECK(kcodec_crc32c(kcodec_crc32c(0, (const uint8_t *)"1234", 4), (const uint8_t *)"56789", 5)
          == 0xe3069283u);
    CHECK(kcodec_murmur2((const uint8_t *)"foobar", 6) == -790332482);
}

/* Two batches of producer 7 in an aborted transaction, its marker, and one of producer 8. */
static void committed(void)
{
    static const uint32_t flags[] = {KCODEC_PARAMS_TRANSACTIONAL, KCODEC_PARAMS_TRANSACTIONAL,
                                     KCODEC_PARAMS_TRANSACTIONAL | KCODEC_PARAMS_CONTROL, 0};
    static const int64_t producers[] = {7, 8, 7, -1};
    static const uint8_t expected[] = {0, 1, 0, 1};
    const kcodec_aborted aborted = {0, 7};
    kcodec_encoder *encoder = new_encoder();
    kcodec_decoder *decoder = new_decoder(0), *headers_only = new_decoder(KCODEC_DECODE_BATCHES_ONLY);
    uint8_t log[1024], moved[1024], delivers[4] = {9, 9, 9, 9};
    kcodec_records records;
    kcodec_error err;
    size_t len = 0, i;
    test_begin("committed");
    for (i = 0; i < 4; i++) {
        kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
        kcodec_slice batch;
        params.base_offset = (int64_t)i;
        params.flags = flags[i];
        params.producer_id = producers[i];
        params.producer_epoch = 0;
        OK(kcodec_encoder_begin(encoder, &params, NULL));
        if (flags[i] & KCODEC_PARAMS_CONTROL)
            OK(kcodec_encoder_marker(encoder, 1, KCODEC_CONTROL_ABORT, 1, NULL));
        else
            OK(kcodec_encoder_push(encoder, 1, NULL, 0, NULL, 0, NULL, NULL));
        OK(kcodec_encoder_finish(encoder, &batch, NULL));
        memcpy(log + len, batch.data, batch.len);
        len += batch.len;
    }
    OK(kcodec_decode(decoder, log, len, &records, NULL));
    memcpy(moved, log, len);
    memset(log, 0xee, sizeof log);
    OK(kcodec_committed(decoder, moved, len, &aborted, 1, delivers, 4, NULL));
    CHECK(memcmp(delivers, expected, 4) == 0);
    CHECK(kcodec_committed(decoder, moved, len, &aborted, 1, delivers, 3, &err)
          == KCODEC_E_BUFFER_TOO_SMALL);
    CHECK(err.expected == 4);
    CHECK(kcodec_committed(decoder, moved, len - 1, &aborted, 1, delivers, 4, NULL)
          == KCODEC_E_INVALID_ARGUMENT);
    OK(kcodec_decode(headers_only, moved, len, &records, NULL));
    CHECK(records.batch_count == 4 && records.record_count == 0);
    CHECK(kcodec_committed(headers_only, moved, len, &aborted, 1, delivers, 4, NULL)
          == KCODEC_E_INVALID_ARGUMENT);
    kcodec_decoder_free(headers_only);
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

/* Headers only: nine batches, the seventh of an unknown codec, then a corrupt tail. */
static void scanning(void)
{
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = new_encoder();
    kcodec_slice batch = push_batch(encoder, &params, 2);
    kcodec_batch rows[9];
    uint8_t log[2048] = {0};
    size_t count = 0, consumed = 0, i, len = 9 * batch.len;
    kcodec_error err;
    test_begin("scanning");
    for (i = 0; i < 9; i++)
        memcpy(log + i * batch.len, batch.data, batch.len);
    log[6 * batch.len + 22] = 7;
    OK(kcodec_scan(log, len, rows, 9, &count, &consumed, NULL));
    CHECK(count == 9 && consumed == len && rows[8].position == 8 * batch.len);
    CHECK(rows[6].status == KCODEC_E_UNKNOWN_CODEC && rows[8].status == KCODEC_OK);
    CHECK(rows[8].declared_count == 2 && rows[8].record_count == 0);
    memset(rows, 0xff, sizeof rows);
    CHECK(kcodec_scan(log, len, rows, 4, &count, &consumed, &err) == KCODEC_E_BUFFER_TOO_SMALL);
    CHECK(count == 9 && err.expected == 9 && rows[3].status == KCODEC_OK && rows[4].magic == -1);
    CHECK(kcodec_scan(log, len, NULL, 0, &count, &consumed, NULL) == KCODEC_E_BUFFER_TOO_SMALL);
    CHECK(count == 9);
    log[len] = 1;
    CHECK(kcodec_scan(log, len + 20, rows, 9, &count, &consumed, &err) == KCODEC_E_BATCH_LENGTH);
    CHECK(count == 9 && consumed == len && err.batch == 9 && err.position == len + 8);
    kcodec_encoder_free(encoder);
}

/* What a decoder holds can be given back. */
static void shrinking(void)
{
    static uint8_t value[100000];
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = new_encoder();
    kcodec_decoder *decoder = new_decoder(0);
    kcodec_records records;
    kcodec_slice batch;
    test_begin("shrinking");
    params.codec = KCODEC_CODEC_ZSTD;
    OK(kcodec_encoder_begin(encoder, &params, NULL));
    OK(kcodec_encoder_push(encoder, 1, NULL, 0, value, sizeof value, NULL, NULL));
    OK(kcodec_encoder_finish(encoder, &batch, NULL));
    CHECK(kcodec_decoder_memory(decoder) == 0);
    OK(kcodec_decode(decoder, batch.data, batch.len, &records, NULL));
    CHECK(kcodec_decoder_memory(decoder) >= sizeof value);
    OK(kcodec_decoder_shrink(decoder, 0, NULL));
    CHECK(kcodec_decoder_memory(decoder) == 0);
    OK(kcodec_decoded(decoder, &records, NULL));
    CHECK(records.batch_count == 0 && records.segments[0].len == 0);
    OK(kcodec_decode(decoder, batch.data, batch.len, &records, NULL));
    CHECK(records.record_count == 1);
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

int main(void)
{
    identity();
    options();
    nulls();
    empty_input();
    tails();
    tables();
    pushing();
    restamping();
    codecs();
    committed();
    scanning();
    shrinking();
    return test_report("api") != 0;
}
