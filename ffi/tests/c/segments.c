/* Segments that real brokers wrote, against what Kafka's own classes read in them; and each batch written
 * again and read again. */
#include "test.h"
#include "vectors.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_headers(const kcodec_records *records, const kcodec_batch *batch,
                          const kcodec_record *row, json_t *want)
{
    uint32_t h;
    CHECK(json_array_size(want) == row->header_count);
    for (h = 0; h < row->header_count && h < json_array_size(want); h++) {
        const kcodec_header *header = &records->headers[row->first_header + h];
        json_t *expected = json_array_get(want, h);
        CHECK(same_bytes(json_object_get(expected, "key"), TEXT,
                         bytes_at(records, batch, header->key_pos), header->key_len));
        CHECK(same_bytes(json_object_get(expected, "value_base64"), BASE64,
                         bytes_at(records, batch, header->value_pos), header->value_len));
    }
}

static void check_record(const kcodec_records *records, const kcodec_batch *batch,
                         const kcodec_record *row, json_t *want)
{
    const uint8_t *key = bytes_at(records, batch, row->key_pos);
    CHECK(row->offset == int_of(want, "offset"));
    CHECK(row->timestamp == int_of(want, "timestamp"));
    CHECK(same_bytes(json_object_get(want, "key_base64"), BASE64, key, row->key_len));
    CHECK(same_bytes(json_object_get(want, "value_base64"), BASE64,
                     bytes_at(records, batch, row->value_pos), row->value_len));
    check_headers(records, batch, row, json_object_get(want, "headers"));
    if (is_control(batch)) {
        int32_t type = row->key_len < 0 ? -1 : kcodec_control_type(key, (size_t)row->key_len);
        CHECK(strcmp(kcodec_control_type_name(type), text_of(want, "control_type")) == 0);
    }
}

static void check_magic_2(const kcodec_batch *batch, json_t *want)
{
    json_t *horizon = json_object_get(want, "delete_horizon");
    int has_horizon = (batch->attributes & KCODEC_ATTRIBUTE_DELETE_HORIZON) != 0;
    int transactional = (batch->attributes & KCODEC_ATTRIBUTE_TRANSACTIONAL) != 0;
    CHECK(batch->base_offset == int_of(want, "base_offset"));
    CHECK(batch->declared_count == int_of(want, "declared_count"));
    CHECK(batch->base_timestamp == int_of(want, "base_timestamp"));
    CHECK(batch->leader_epoch == int_of(want, "leader_epoch"));
    CHECK(batch->producer_id == int_of(want, "producer_id"));
    CHECK(batch->producer_epoch == int_of(want, "producer_epoch"));
    CHECK(batch->base_sequence == int_of(want, "base_sequence"));
    CHECK(kcodec_last_sequence(batch) == int_of(want, "last_sequence"));
    CHECK(transactional == json_is_true(json_object_get(want, "transactional")));
    CHECK(is_control(batch) == json_is_true(json_object_get(want, "control")));
    CHECK(has_horizon == json_is_integer(horizon));
    CHECK(!has_horizon || batch->base_timestamp == json_integer_value(horizon));
}

static const char *timestamp_type(const kcodec_batch *batch)
{
    if (batch->magic == 0)
        return "NoTimestampType";
    return batch->attributes & KCODEC_ATTRIBUTE_LOG_APPEND_TIME ? "LogAppendTime" : "CreateTime";
}

static void check_batch(const kcodec_records *records, const kcodec_batch *batch, json_t *want)
{
    static const char *const codecs[] = {"none", "gzip", "snappy", "lz4", "zstd"};
    const kcodec_record *rows = records->records + batch->first_record;
    json_t *expected = json_object_get(want, "records");
    uint32_t r;
    CHECK(batch->status == KCODEC_OK);
    CHECK(batch->position == int_of(want, "position"));
    CHECK(batch->length == int_of(want, "size"));
    CHECK(batch->magic == int_of(want, "magic"));
    CHECK(batch->codec >= 0 && batch->codec < 5);
    CHECK(strcmp(codecs[batch->codec], text_of(want, "codec")) == 0);
    CHECK(kcodec_next_offset(batch) == int_of(want, "next_offset"));
    CHECK(kcodec_next_offset(batch) - 1 == int_of(want, "last_offset"));
    CHECK(batch->crc == int_of(want, "crc"));
    CHECK((batch->flags & KCODEC_BATCH_CRC_VERIFIED) != 0);
    CHECK(strcmp(timestamp_type(batch), text_of(want, "timestamp_type")) == 0);
    CHECK(batch->max_timestamp == int_of(want, "max_timestamp"));
    if (batch->magic == 2)
        check_magic_2(batch, want);
    CHECK(batch->record_count == json_array_size(expected));
    for (r = 0; r < batch->record_count && r < json_array_size(expected); r++)
        check_record(records, batch, &rows[r], json_array_get(expected, r));
}

/* Whether two fields, each null or bytes, are the same. */
static int same_field(const uint8_t *a, int32_t a_len, const uint8_t *b, int32_t b_len)
{
    return a_len == b_len && (a_len <= 0 || memcmp(a, b, (size_t)a_len) == 0);
}

static int same_header(const kcodec_records *a, const kcodec_batch *a_batch, const kcodec_header *a_row,
                       const kcodec_records *b, const kcodec_batch *b_batch, const kcodec_header *b_row)
{
    return same_field(bytes_at(a, a_batch, a_row->key_pos), a_row->key_len,
                      bytes_at(b, b_batch, b_row->key_pos), b_row->key_len)
        && same_field(bytes_at(a, a_batch, a_row->value_pos), a_row->value_len,
                      bytes_at(b, b_batch, b_row->value_pos), b_row->value_len);
}

static int same_record(const kcodec_records *a, const kcodec_batch *a_batch, const kcodec_record *a_row,
                       const kcodec_records *b, const kcodec_batch *b_batch, const kcodec_record *b_row)
{
    uint32_t h;
    if (a_row->offset != b_row->offset || a_row->timestamp != b_row->timestamp
        || a_row->header_count != b_row->header_count)
        return 0;
    for (h = 0; h < a_row->header_count; h++)
        if (!same_header(a, a_batch, &a->headers[a_row->first_header + h],
                         b, b_batch, &b->headers[b_row->first_header + h]))
            return 0;
    return same_field(bytes_at(a, a_batch, a_row->key_pos), a_row->key_len,
                      bytes_at(b, b_batch, b_row->key_pos), b_row->key_len)
        && same_field(bytes_at(a, a_batch, a_row->value_pos), a_row->value_len,
                      bytes_at(b, b_batch, b_row->value_pos), b_row->value_len);
}

/* Decode, encode from the same rows, decode again. */
static void rewrite(kcodec_encoder *encoder, kcodec_decoder *again, const kcodec_records *records,
                    const kcodec_batch *batch)
{
    const kcodec_slice *segment = &records->segments[batch->segment];
    const kcodec_record *rows = records->records + batch->first_record;
    kcodec_batch_params params;
    kcodec_records second;
    kcodec_slice out = {NULL, 0};
    uint32_t r;
    CHECK(kcodec_batch_params_of(batch, &params, sizeof params, NULL) == KCODEC_OK);
    CHECK(kcodec_encode(encoder, &params, segment->data, segment->len, rows, batch->record_count,
                        records->headers, records->header_count, &out, NULL) == KCODEC_OK);
    CHECK(out.len <= kcodec_encode_bound(&params, rows, batch->record_count, records->headers,
                                         records->header_count));
    CHECK(kcodec_decode(again, out.data, out.len, &second, NULL) == KCODEC_OK);
    CHECK(second.record_count == batch->record_count && second.fault_count == 0);
    if (second.record_count != batch->record_count)
        return;
    for (r = 0; r < batch->record_count; r++) {
        /* Without compression, messages of a set are batches of their own. */
        const kcodec_batch *other = &second.batches[second.batch_count == 1 ? 0 : r];
        CHECK(same_record(records, batch, &rows[r], &second, other, &second.records[r]));
    }
}

static void check_end(const kcodec_records *records, size_t file_size, json_t *want)
{
    static const char *const tails[] = {"none", "partial", "zeros", "corrupt"};
    CHECK(records->consumed == (size_t)int_of(want, "end"));
    CHECK(file_size == (size_t)int_of(want, "file_size"));
    CHECK(records->tail >= 0 && records->tail < 4);
    CHECK(strcmp(tails[records->tail], text_of(want, "tail")) == 0);
}

static void check_segment(const char *folder, const char *expected_name)
{
    kcodec_decoder *decoder = vector_decoder(0), *again = vector_decoder(0);
    kcodec_encoder *encoder = NULL;
    char name[512];
    bytes segment, expected = read_file(folder, expected_name);
    const char *line = (const char *)expected.data, *end = line + expected.len;
    kcodec_records records;
    size_t b = 0;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(expected_name) - strlen(".expected.jsonl")),
             expected_name);
    segment = read_file(folder, name);
    CHECK(kcodec_encoder_new(NULL, &encoder, NULL) == KCODEC_OK);
    CHECK(kcodec_decode(decoder, segment.data, segment.len, &records, NULL) == KCODEC_OK);
    while (line < end) {
        json_t *want = json_loadb(line, (size_t)(end - line), JSON_DISABLE_EOF_CHECK, NULL);
        CHECK(want != NULL);
        if (!want)
            break;
        if (json_object_get(want, "tail")) {
            check_end(&records, segment.len, want);
        } else if (b < records.batch_count) {
            check_batch(&records, &records.batches[b], want);
            rewrite(encoder, again, &records, &records.batches[b]);
            b++;
        }
        json_decref(want);
        line = memchr(line, '\n', (size_t)(end - line));
        line = line ? line + 1 : end;
    }
    CHECK(b == records.batch_count && b > 0);
    kcodec_encoder_free(encoder);
    kcodec_decoder_free(again);
    kcodec_decoder_free(decoder);
    free(segment.data);
    free(expected.data);
}

int run_segments(const char *vectors)
{
    char folder[4096];
    struct dirent *entry;
    DIR *dir;
    snprintf(folder, sizeof folder, "%s/segments", vectors);
    dir = opendir(folder);
    while (dir && (entry = readdir(dir))) {
        if (!strstr(entry->d_name, ".expected.jsonl"))
            continue;
        test_begin(entry->d_name);
        check_segment(folder, entry->d_name);
    }
    if (dir)
        closedir(dir);
    return test_report("segments");
}
