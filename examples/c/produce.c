/* Encodes a batch from an array, gives it its place in a log as a broker does, and decodes it again.
 *
 * usage: produce */
#include <inttypes.h>
#include <kcodec.h>
#include <stdio.h>
#include <string.h>

struct order {
    const char *customer; /* the key; NULL is null */
    const char *text;
};

static const struct order orders[] = {
    {"alice", "three apples"},
    {"bob", "a pear"},
    {NULL, "no one's plums"},
};
enum { COUNT = sizeof orders / sizeof *orders };

static int failed(const char *what, const kcodec_error *err)
{
    char text[200];
    kcodec_error_format(err, text, sizeof text);
    fprintf(stderr, "%s: %s\n", what, text);
    return 1;
}

/* Puts the texts one after the other into `data`, and their places into `rows`. */
static size_t lay_out(uint8_t *data, kcodec_record *rows)
{
    size_t len = 0;
    int i;
    for (i = 0; i < COUNT; i++) {
        const struct order *order = &orders[i];
        kcodec_record row = {0, 0, 0, -1, 0, -1, 0, 0};
        row.offset = i;
        row.timestamp = 1700000000000 + i;
        if (order->customer) {
            row.key_pos = (uint32_t)len;
            row.key_len = (int32_t)strlen(order->customer);
            memcpy(data + len, order->customer, (size_t)row.key_len);
            len += (size_t)row.key_len;
        }
        row.value_pos = (uint32_t)len;
        row.value_len = (int32_t)strlen(order->text);
        memcpy(data + len, order->text, (size_t)row.value_len);
        len += (size_t)row.value_len;
        rows[i] = row;
    }
    return len;
}

int main(void)
{
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = NULL;
    kcodec_decoder *decoder = NULL;
    kcodec_record rows[COUNT];
    kcodec_records records;
    kcodec_error err;
    uint8_t data[256], batch[512];
    size_t len, written = 0, r;

    if (kcodec_check_abi(KCODEC_ABI, &err) != KCODEC_OK)
        return failed("another library", &err);
    if (kcodec_encoder_new(NULL, &encoder, &err) != KCODEC_OK
        || kcodec_decoder_new(NULL, &decoder, &err) != KCODEC_OK)
        return failed("start", &err);

    params.codec = KCODEC_CODEC_ZSTD;
    len = lay_out(data, rows);
    if (kcodec_encode_into(encoder, &params, data, len, rows, COUNT, NULL, 0, batch, sizeof batch,
                           &written, &err) != KCODEC_OK)
        return failed("encode", &err);
    printf("%d records in %zu bytes\n", COUNT, written);

    if (kcodec_validate(decoder, batch, written, KCODEC_LEVEL_PRODUCE, &err) != KCODEC_OK)
        return failed("validate", &err);
    if (kcodec_assign_offsets(batch, written, 4711, 3, &err) != KCODEC_OK)
        return failed("assign offsets", &err);

    if (kcodec_decode(decoder, batch, written, &records, &err) != KCODEC_OK)
        return failed("decode", &err);
    for (r = 0; r < records.record_count; r++) {
        const kcodec_record *row = &records.records[r];
        const uint8_t *segment = records.segments[records.batches[0].segment].data;
        printf("%" PRId64 ": %.*s\n", row->offset, (int)row->value_len,
               (const char *)segment + row->value_pos);
    }
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
    return 0;
}
