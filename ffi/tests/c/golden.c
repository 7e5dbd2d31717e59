/* The golden vectors of record sets: each key of a vector's `meaning` is compared, or is listed here as one
 * that is not about the bytes. */
#include "test.h"
#include "vectors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    const char *name;
    const kcodec_records *records;
    const kcodec_batch *batch;
    size_t len;
};

static int is_one_of(const char *key, const char *const *keys)
{
    while (*keys && strcmp(key, *keys) != 0)
        keys++;
    return *keys != NULL;
}

/* The numbers of a batch. */
static int batch_number(const struct vector *vector, const char *key, json_int_t *number)
{
    const kcodec_batch *batch = vector->batch;
    const struct {
        const char *key;
        json_int_t number;
    } numbers[] = {
        {"baseOffset", batch->base_offset},
        {"offset", batch->base_offset},
        {"wrapper_offset", batch->base_offset},
        {"length", batch->length - 12},
        {"size", batch->length - 12},
        {"partitionLeaderEpoch", batch->leader_epoch},
        {"magic", batch->magic},
        {"attributes", batch->attributes},
        {"lastOffsetDelta", batch->last_offset_delta},
        {"lastOffset", kcodec_next_offset(batch) - 1},
        {"nextOffset", kcodec_next_offset(batch)},
        {"baseTimestamp", batch->base_timestamp},
        {"maxTimestamp", batch->max_timestamp},
        {"timestamp", batch->max_timestamp},
        {"producerId", batch->producer_id},
        {"producerEpoch", batch->producer_epoch},
        {"baseSequence", batch->base_sequence},
        {"lastSequence", kcodec_last_sequence(batch)},
        {"recordsCount", batch->declared_count},
        {"complete_batches", (json_int_t)vector->records->batch_count},
        {"trailing_bytes", (json_int_t)(vector->len - vector->records->consumed)},
    };
    size_t i;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(numbers[i].key, key) == 0) {
            *number = numbers[i].number;
            return 1;
        }
    }
    return 0;
}

static int32_t control_type(const struct vector *vector)
{
    const kcodec_record *row = vector->records->records;
    return kcodec_control_type(bytes_at(vector->records, vector->batch, row->key_pos),
                               (size_t)row->key_len);
}

static void check_marker(const struct vector *vector, json_t *want)
{
    const kcodec_record *row = vector->records->records;
    json_t *epoch = json_object_get(want, "coordinatorEpoch");
    int32_t got = -1;
    if (!epoch)
        return; /* a message of the protocol */
    CHECK(kcodec_end_marker(bytes_at(vector->records, vector->batch, row->value_pos),
                            (size_t)row->value_len, &got, NULL) == KCODEC_OK);
    CHECK(got == json_integer_value(epoch));
}

static void check_header(const struct vector *vector, const kcodec_header *row, json_t *want,
                         enum encoding encoding)
{
    CHECK(same_bytes(json_array_get(want, 0), encoding,
                     bytes_at(vector->records, vector->batch, row->key_pos), row->key_len));
    CHECK(same_bytes(json_array_get(want, 1), encoding,
                     bytes_at(vector->records, vector->batch, row->value_pos), row->value_len));
}

static void check_record(const struct vector *vector, const kcodec_record *row, json_t *want)
{
    enum encoding encoding = strncmp(vector->name, "v2_sarama", 9) == 0 ? HEX : TEXT;
    const uint8_t *key_bytes = bytes_at(vector->records, vector->batch, row->key_pos);
    const uint8_t *value_bytes = bytes_at(vector->records, vector->batch, row->value_pos);
    const char *key;
    json_t *field;
    json_object_foreach(want, key, field) {
        json_int_t number = json_integer_value(field);
        if (strcmp(key, "offset") == 0)
            CHECK(row->offset == number);
        else if (strcmp(key, "ts") == 0 || strcmp(key, "timestamp") == 0)
            CHECK(row->timestamp == number);
        else if (strcmp(key, "timestampDelta") == 0)
            CHECK(row->timestamp - vector->batch->base_timestamp == number);
        else if (strcmp(key, "key") == 0)
            CHECK(same_bytes(field, encoding, key_bytes, row->key_len));
        else if (strcmp(key, "value") == 0)
            CHECK(same_bytes(field, encoding, value_bytes, row->value_len));
        else if (strcmp(key, "headers") == 0) {
            uint32_t h;
            CHECK(row->header_count == json_array_size(field));
            for (h = 0; h < row->header_count; h++)
                check_header(vector, &vector->records->headers[row->first_header + h],
                             json_array_get(field, h), encoding);
        } else
            CHECK(!"a key of a record without a test");
    }
}

static void check_ten_hellos(const struct vector *vector)
{
    static const char hello[] = "hello hello hello";
    const kcodec_records *records = vector->records;
    size_t i;
    if (vector->batch->status != KCODEC_OK)
        return; /* its `error` is checked */
    CHECK(records->record_count == 10);
    for (i = 0; i < records->record_count; i++) {
        const kcodec_record *row = &records->records[i];
        char key[24];
        snprintf(key, sizeof key, "key%02zu", i);
        CHECK(row->offset == (int64_t)i && row->timestamp == records->records[0].timestamp + (int64_t)i);
        CHECK(row->key_len == 5 && !memcmp(bytes_at(records, vector->batch, row->key_pos), key, 5));
        CHECK(row->value_len == 17
              && !memcmp(bytes_at(records, vector->batch, row->value_pos), hello, 17));
    }
}

static kcodec_status expected_status(const char *name)
{
    static const struct {
        const char *name;
        kcodec_status status;
    } faults[] = {
        {"v2_control_wrong_crc_from_kafka_python", KCODEC_E_CRC_MISMATCH},
        {"v2_bad_crc", KCODEC_E_CRC_MISMATCH},
        {"v1_bad_crc", KCODEC_E_CRC_MISMATCH},
        {"v2_lz4_bad_header_checksum", KCODEC_E_CODEC_CHECKSUM},
        {"v2_lz4_no_endmark", KCODEC_E_CODEC_TRUNCATED},
        {"v2_count_too_high", KCODEC_E_RECORD_COUNT},
        {"v2_count_too_low", KCODEC_E_TRAILING_BYTES},
        {"v1_nested_compression_invalid", KCODEC_E_INNER_COMPRESSED},
        {"v1_wrapper_null_value_invalid", KCODEC_E_WRAPPER_EMPTY},
        {"v1_wrapper_empty_set_invalid", KCODEC_E_WRAPPER_EMPTY},
        {"v2_count_offset_range_mismatch", KCODEC_OK}, /* legal in a fetch */
    };
    size_t i;
    for (i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strcmp(faults[i].name, name) == 0)
            return faults[i].status;
    CHECK(!"a bad vector without a test");
    return KCODEC_OK;
}

/* One number or field for each record. */
static int check_list(const struct vector *vector, const char *key, json_t *want)
{
    int offsets = strcmp(key, "offsets") == 0 || strcmp(key, "absolute") == 0
        || strcmp(key, "inner_offsets_absolute") == 0;
    int timestamps = strcmp(key, "timestamps") == 0, values = strcmp(key, "values") == 0;
    size_t i;
    if (!offsets && !timestamps && !values)
        return 0;
    CHECK(json_array_size(want) == vector->records->record_count);
    for (i = 0; i < vector->records->record_count && i < json_array_size(want); i++) {
        const kcodec_record *row = &vector->records->records[i];
        json_t *one = json_array_get(want, i);
        if (values)
            CHECK(same_bytes(one, TEXT, bytes_at(vector->records, vector->batch, row->value_pos),
                             row->value_len));
        else
            CHECK((offsets ? row->offset : row->timestamp) == json_integer_value(one));
    }
    return 1;
}

static void check_texts(const struct vector *vector, const char *key, json_t *want)
{
    const kcodec_records *records = vector->records;
    const kcodec_record *row = records->records;
    const char *text = json_string_value(want);
    char crc[16];
    size_t i;
    if (strcmp(key, "crc") == 0 || strcmp(key, "computed_crc") == 0) {
        int computed = strcmp(key, "computed_crc") == 0;
        snprintf(crc, sizeof crc, "%08" PRIx32,
                 computed ? (uint32_t)records->faults[0].actual : vector->batch->crc);
        CHECK(strcmp(crc, text) == 0);
    } else if (strcmp(key, "attributes") == 0) {
        CHECK(vector->batch->attributes == strtol(text, NULL, 16));
    } else if (strcmp(key, "timestampType") == 0) {
        CHECK(strcmp(text, "LogAppendTime") == 0
              && (vector->batch->attributes & KCODEC_ATTRIBUTE_LOG_APPEND_TIME));
    } else if (strcmp(key, "records") == 0 && text) {
        check_ten_hellos(vector);
    } else if (strcmp(key, "records") == 0) {
        CHECK(records->record_count == json_array_size(want));
        for (i = 0; i < records->record_count && i < json_array_size(want); i++)
            check_record(vector, &row[i], json_array_get(want, i));
    } else if (strcmp(key, "error") == 0) {
        CHECK(vector->batch->status == expected_status(vector->name));
    } else if (strcmp(key, "meaning") == 0) {
        CHECK(strstr(text, "marker") ? control_type(vector) == (text[0] == 'C')
                                     : vector->batch->attributes & KCODEC_ATTRIBUTE_DELETE_HORIZON);
    } else if (strcmp(key, "type") == 0) {
        CHECK(control_type(vector) == json_integer_value(want));
    } else if (strcmp(key, "key") == 0 && json_is_object(want)) {
        CHECK(control_type(vector) == int_of(want, "type"));
    } else if (strcmp(key, "value") == 0 && json_is_object(want)) {
        check_marker(vector, want);
    } else if (strcmp(key, "key") == 0) {
        CHECK(same_bytes(want, TEXT, bytes_at(records, vector->batch, row->key_pos), row->key_len));
    } else if (strcmp(key, "value") == 0) {
        CHECK(same_bytes(want, TEXT, bytes_at(records, vector->batch, row->value_pos), row->value_len));
    } else if (strcmp(key, "magics") == 0) {
        CHECK(records->batch_count == json_array_size(want));
        for (i = 0; i < records->batch_count; i++)
            CHECK(records->batches[i].magic == json_integer_value(json_array_get(want, i)));
    } else {
        fprintf(stderr, "key %s\n", key);
        CHECK(!"a key without a test");
    }
}

static void check_meaning(const struct vector *vector, json_t *meaning)
{
    static const char *const not_of_bytes[] = {"note", "rule", "codec", "from", "firstOffset", "hc",
        "inner_relative", "uncompressed_sha", "uncompressed_len", "crc_equal_to", "sequences", NULL};
    const char *key;
    json_t *want;
    json_object_foreach(meaning, key, want) {
        json_int_t number;
        if (is_one_of(key, not_of_bytes))
            continue;
        if (strcmp(key, "wrapper") == 0)
            check_meaning(vector, want);
        else if (json_is_integer(want) && batch_number(vector, key, &number))
            CHECK(number == json_integer_value(want));
        else if (!check_list(vector, key, want))
            check_texts(vector, key, want);
    }
    if (!json_object_get(meaning, "error"))
        CHECK(vector->records->fault_count == 0);
}

static void check_vector(const char *name, json_t *one)
{
    kcodec_decoder *decoder = vector_decoder(0);
    bytes input = from_hex(text_of(one, "hex"));
    kcodec_records records;
    struct vector vector;
    CHECK(kcodec_decode(decoder, input.data, input.len, &records, NULL) == KCODEC_OK);
    CHECK(records.batch_count > 0);
    vector.name = name;
    vector.records = &records;
    vector.batch = records.batches;
    vector.len = input.len;
    if (records.batch_count > 0)
        check_meaning(&vector, json_object_get(one, "meaning"));
    kcodec_decoder_free(decoder);
    free(input.data);
}

int run_golden(const char *vectors)
{
    static const char *const of_records[] = {"v0_", "v1_", "v2_", "recordset_", "convert_", NULL};
    /* Messages without their offset and size: no record sets. */
    static const char *const bare[] = {"v0_sarama_snappy_message_body", "v1_zstd_wrapper_invalid", NULL};
    json_t *golden = read_json(vectors, "golden.json"), *one;
    size_t index, i;
    json_array_foreach(golden, index, one) {
        const char *name = text_of(one, "name");
        for (i = 0; of_records[i] && strncmp(name, of_records[i], strlen(of_records[i])) != 0; i++)
            ;
        if (!of_records[i] || is_one_of(name, bare))
            continue;
        test_begin(name);
        check_vector(name, one);
    }
    json_decref(golden);
    return test_report("golden");
}
