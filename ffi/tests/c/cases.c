/* Small inputs that broke other codecs, each with the right answer, and for a bad one the exact fault. */
#include "test.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_records(const kcodec_records *records, json_t *want, int exact)
{
    size_t n;
    CHECK(exact ? data_count(records) == json_array_size(want)
                : data_count(records) >= json_array_size(want));
    for (n = 0; n < json_array_size(want) && n < data_count(records); n++) {
        json_t *expected = json_array_get(want, n), *headers = json_object_get(expected, "headers");
        const kcodec_batch *batch;
        const kcodec_record *row = data_record(records, n, &batch);
        uint32_t h;
        CHECK(row->offset == int_of(expected, "offset"));
        CHECK(row->timestamp == int_of(expected, "timestamp"));
        CHECK(same_bytes(json_object_get(expected, "key"), HEX,
                         bytes_at(records, batch, row->key_pos), row->key_len));
        CHECK(same_bytes(json_object_get(expected, "value"), HEX,
                         bytes_at(records, batch, row->value_pos), row->value_len));
        CHECK(json_array_size(headers) == row->header_count);
        for (h = 0; h < row->header_count && h < json_array_size(headers); h++) {
            const kcodec_header *header = &records->headers[row->first_header + h];
            json_t *pair = json_array_get(headers, h);
            CHECK(same_bytes(json_array_get(pair, 0), HEX,
                             bytes_at(records, batch, header->key_pos), header->key_len));
            CHECK(same_bytes(json_array_get(pair, 1), HEX,
                             bytes_at(records, batch, header->value_pos), header->value_len));
        }
    }
}

/* A number, or what stands for "not known". */
static json_int_t known_or(json_t *object, const char *key, json_int_t unknown)
{
    json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : unknown;
}

static void check_fault(const kcodec_error *fault, json_t *want)
{
    int in_payload = (fault->flags & KCODEC_ERROR_IN_PAYLOAD) != 0;
    CHECK(fault->code == int_of(want, "number"));
    CHECK(strcmp(kcodec_status_name(fault->code), text_of(want, "code")) == 0);
    CHECK(fault->batch == known_or(want, "batch", KCODEC_UNKNOWN));
    CHECK(fault->record == known_or(want, "record", KCODEC_UNKNOWN));
    CHECK(fault->position == (uint64_t)int_of(want, "position"));
    CHECK(in_payload == json_is_true(json_object_get(want, "in_payload")));
    CHECK(fault->next_offset == known_or(want, "next_offset", -1));
}

static void check_control(const kcodec_records *records, json_t *want)
{
    size_t b, n = 0;
    for (b = 0; b < records->batch_count; b++) {
        const kcodec_batch *batch = &records->batches[b];
        uint32_t r;
        for (r = 0; is_control(batch) && r < batch->record_count; r++, n++) {
            const kcodec_record *row = &records->records[batch->first_record + r];
            json_t *pair = json_array_get(want, n);
            int32_t type =
                kcodec_control_type(bytes_at(records, batch, row->key_pos), (size_t)row->key_len);
            CHECK(row->offset == json_integer_value(json_array_get(pair, 0)));
            CHECK(strcmp(kcodec_control_type_name(type),
                         json_string_value(json_array_get(pair, 1))) == 0);
        }
    }
    CHECK(n == json_array_size(want));
}

static void check_checks(const kcodec_records *records, json_t *checks)
{
    const kcodec_batch *first = records->batches;
    const char *key;
    json_t *want;
    json_object_foreach(checks, key, want) {
        if (strcmp(key, "control") == 0)
            check_control(records, want);
        else if (strcmp(key, "delete_horizon_ms") == 0)
            CHECK((first->attributes & KCODEC_ATTRIBUTE_DELETE_HORIZON)
                  && first->base_timestamp == json_integer_value(want));
        else if (strcmp(key, "last_sequence") == 0)
            CHECK(kcodec_last_sequence(first) == json_integer_value(want));
        else if (strcmp(key, "offsets_assigned") == 0)
            CHECK(!(first->flags & KCODEC_BATCH_OFFSETS_UNASSIGNED) == json_is_true(want));
        else if (strcmp(key, "count") == 0)
            CHECK(data_count(records) == (size_t)json_integer_value(want));
        else
            CHECK(!"a check without a test");
    }
}

static void check_good(const kcodec_records *records, json_t *expected)
{
    json_t *rows = json_object_get(expected, "records"), *next = json_object_get(expected, "next_offset");
    int cut = records->tail == KCODEC_TAIL_PARTIAL || records->tail == KCODEC_TAIL_ZEROS;
    CHECK(records->fault_count == 0);
    if (rows)
        check_records(records, rows, 1);
    if (next && records->batch_count > 0)
        CHECK(kcodec_next_offset(&records->batches[records->batch_count - 1])
              == json_integer_value(next));
    CHECK(cut == (strcmp(text_of(expected, "outcome"), "partial") == 0));
    CHECK(cut || records->tail == KCODEC_TAIL_NONE);
    check_checks(records, json_object_get(expected, "check"));
}

static void check_bad(const kcodec_records *records, json_t *expected, json_t *fault)
{
    json_t *rows = json_object_get(expected, "records");
    size_t b;
    CHECK(records->fault_count > 0);
    if (records->fault_count == 0)
        return;
    check_fault(&records->faults[0], fault);
    if (rows)
        check_records(records, rows, 0);
    for (b = 0; b < records->batch_count; b++)
        CHECK(records->batches[b].status == KCODEC_OK || records->batches[b].record_count == 0);
    if (strcmp(text_of(expected, "outcome"), "bomb") == 0)
        CHECK(KCODEC_IS_LIMIT(records->faults[0].code));
}

/* The call that stops at the first fault tells the same fault, and leaves the batches before it. */
static void check_first_fault(bytes input, const kcodec_records *all)
{
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_decoder *decoder;
    kcodec_records before;
    kcodec_error err;
    size_t good = 0;
    kcodec_status status;
    options.limits.max_batch_bytes = options.limits.max_total_bytes = 16 << 20;
    CHECK(kcodec_decoder_new(&options, &decoder, NULL) == KCODEC_OK);
    status = kcodec_decode(decoder, input.data, input.len, &before, &err);
    CHECK(status == (all->fault_count ? all->faults[0].code : KCODEC_OK));
    while (good < all->batch_count && all->batches[good].status == KCODEC_OK)
        good++;
    if (status != KCODEC_OK) {
        CHECK(memcmp(&err, &all->faults[0], sizeof err) == 0);
        CHECK(kcodec_decoded(decoder, &before, NULL) == KCODEC_OK);
    }
    CHECK(before.batch_count == good);
    CHECK(good == 0 || memcmp(before.batches, all->batches, good * sizeof *before.batches) == 0);
    kcodec_decoder_free(decoder);
}

/* A case as a produce request: what Kafka's broker would refuse. */
static void check_validation(kcodec_decoder *decoder, bytes input, json_t *expected,
                             kcodec_status first_fault)
{
    kcodec_status produce = kcodec_validate(decoder, input.data, input.len, KCODEC_LEVEL_PRODUCE, NULL);
    const char *outcome = text_of(expected, "outcome");
    if (strcmp(outcome, "validate_reject") == 0)
        CHECK(produce == (strcmp(text_of(expected, "reason"), "offsets") == 0
                              ? KCODEC_E_PRODUCE_OFFSETS
                              : KCODEC_E_PRODUCE_MAX_TIMESTAMP));
    else if (strcmp(outcome, "reject") == 0)
        CHECK(produce != KCODEC_OK);
    if (!KCODEC_IS_LIMIT(first_fault))
        CHECK((kcodec_validate(decoder, input.data, input.len, KCODEC_LEVEL_FULL, NULL) == KCODEC_OK)
              == (first_fault == KCODEC_OK));
}

static void check_case(const char *folder, json_t *one, json_t *faults)
{
    kcodec_decoder *decoder = vector_decoder(0);
    json_t *expected = json_object_get(one, "expected");
    const char *outcome = text_of(expected, "outcome"), *file = text_of(one, "file");
    int bad = strcmp(outcome, "reject") == 0 || strcmp(outcome, "bomb") == 0;
    bytes input = read_file(folder, file);
    kcodec_records records;
    kcodec_status first;
    CHECK(kcodec_decode(decoder, input.data, input.len, &records, NULL) == KCODEC_OK);
    if (bad)
        check_bad(&records, expected, json_object_get(faults, file));
    else
        check_good(&records, expected);
    CHECK(kcodec_decoder_memory(decoder) < (size_t)64 << 20);
    check_first_fault(input, &records);
    first = records.fault_count ? records.faults[0].code : KCODEC_OK;
    check_validation(decoder, input, expected, first);
    kcodec_decoder_free(decoder);
    free(input.data);
}

int run_cases(const char *vectors)
{
    char folder[4096];
    json_t *manifest, *faults, *one;
    size_t index;
    snprintf(folder, sizeof folder, "%s/cases", vectors);
    manifest = read_json(folder, "manifest.json");
    faults = read_json(folder, "faults.json");
    json_array_foreach(manifest, index, one) {
        if (strcmp(text_of(one, "input"), "records") != 0)
            continue;
        test_begin(text_of(one, "file"));
        check_case(folder, one, faults);
    }
    json_decref(faults);
    json_decref(manifest);
    return test_report("cases");
}
