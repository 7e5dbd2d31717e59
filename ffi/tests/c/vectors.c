#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", what, name);
    exit(2);
}

static uint8_t *block(size_t len)
{
    uint8_t *data = malloc(len ? len : 1);
    if (!data)
        give_up("out of memory", "");
    return data;
}

bytes read_file(const char *folder, const char *name)
{
    char path[4096];
    bytes all;
    long len;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || (len = ftell(file)) < 0)
        give_up("cannot read", path);
    rewind(file);
    all.len = (size_t)len;
    all.data = block(all.len);
    if (fread(all.data, 1, all.len, file) != all.len)
        give_up("cannot read", path);
    fclose(file);
    return all;
}

json_t *read_json(const char *folder, const char *name)
{
    bytes text = read_file(folder, name);
    json_t *json = json_loadb((const char *)text.data, text.len, JSON_ALLOW_NUL, NULL);
    if (!json)
        give_up("not JSON", name);
    free(text.data);
    return json;
}

static unsigned digit(const char *digits, char c)
{
    const char *at = c ? strchr(digits, c) : NULL;
    if (!at)
        give_up("not a digit", digits);
    return (unsigned)(at - digits);
}

bytes from_hex(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    bytes out;
    size_t i;
    out.len = strlen(text) / 2;
    out.data = block(out.len);
    for (i = 0; i < out.len; i++)
        out.data[i] = (uint8_t)(digit(digits, text[2 * i]) << 4 | digit(digits, text[2 * i + 1]));
    return out;
}

bytes from_base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = strcspn(text, "="), i;
    unsigned bits = 0;
    bytes out;
    out.len = count * 3 / 4;
    out.data = block(out.len);
    for (i = 0; i < count; i++) {
        bits = bits << 6 | digit(digits, text[i]);
        if (i % 4 > 0)
            out.data[i / 4 * 3 + i % 4 - 1] = (uint8_t)(bits >> (6 - i % 4 * 2));
    }
    return out;
}

const char *text_of(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text)
        give_up("no such text", key);
    return text;
}

json_int_t int_of(json_t *object, const char *key)
{
    json_t *number = json_object_get(object, key);
    if (!json_is_integer(number))
        give_up("no such number", key);
    return json_integer_value(number);
}

int same_bytes(json_t *want, enum encoding encoding, const uint8_t *data, int32_t len)
{
    bytes expected;
    int same;
    if (json_is_null(want) || !want)
        return len == -1;
    if (!json_is_string(want) || len < 0)
        return 0;
    if (encoding == TEXT)
        return json_string_length(want) == (size_t)len
            && memcmp(json_string_value(want), data, (size_t)len) == 0;
    expected = encoding == HEX ? from_hex(json_string_value(want)) : from_base64(json_string_value(want));
    same = expected.len == (size_t)len && memcmp(expected.data, data, expected.len) == 0;
    free(expected.data);
    return same;
}

const uint8_t *bytes_at(const kcodec_records *records, const kcodec_batch *batch, uint32_t pos)
{
    return records->segments[batch->segment].data + pos;
}

kcodec_decoder *vector_decoder(uint32_t flags)
{
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_decoder *decoder;
    options.flags = KCODEC_DECODE_KEEP_GOING | flags;
    options.limits.max_batch_bytes = options.limits.max_total_bytes = 16 << 20;
    if (kcodec_decoder_new(&options, &decoder, NULL) != KCODEC_OK)
        give_up("no decoder", "");
    return decoder;
}

int is_control(const kcodec_batch *batch)
{
    return batch->magic == 2 && (batch->attributes & KCODEC_ATTRIBUTE_CONTROL);
}

size_t data_count(const kcodec_records *records)
{
    size_t count = 0, b;
    for (b = 0; b < records->batch_count; b++)
        if (!is_control(&records->batches[b]))
            count += records->batches[b].record_count;
    return count;
}

const kcodec_record *data_record(const kcodec_records *records, size_t n, const kcodec_batch **batch)
{
    size_t b;
    for (b = 0; b < records->batch_count; b++) {
        const kcodec_batch *row = &records->batches[b];
        if (is_control(row))
            continue;
        if (n < row->record_count) {
            *batch = row;
            return &records->records[row->first_record + n];
        }
        n -= row->record_count;
    }
    give_up("no such record", "");
    return NULL;
}

int main(int argc, char **argv)
{
    const char *vectors = argc > 1 ? argv[1] : "vectors";
    int failed = 0;
    failed += run_golden(vectors);
    failed += run_cases(vectors);
    failed += run_segments(vectors);
    return failed != 0;
}
