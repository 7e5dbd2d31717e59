/* Decodes a segment file and prints every record.
 *
 * usage: inspect FILE */
#include <inttypes.h>
#include <kcodec.h>
#include <stdio.h>
#include <stdlib.h>

static void print_bytes(const char *name, const uint8_t *data, int32_t len)
{
    int32_t i;
    printf(" %s=", name);
    if (len < 0)
        printf("null");
    for (i = 0; i < len; i++)
        printf(data[i] >= ' ' && data[i] < 0x7f && data[i] != '\\' ? "%c" : "\\x%02x", data[i]);
}

static void print_record(const kcodec_records *records, const kcodec_batch *batch,
                         const kcodec_record *record)
{
    const uint8_t *data = records->segments[batch->segment].data;
    uint32_t h;
    printf("  %" PRId64 " %" PRId64, record->offset, record->timestamp);
    print_bytes("key", data + record->key_pos, record->key_len);
    print_bytes("value", data + record->value_pos, record->value_len);
    for (h = 0; h < record->header_count; h++) {
        const kcodec_header *header = &records->headers[record->first_header + h];
        print_bytes("header", data + header->key_pos, header->key_len);
        print_bytes("", data + header->value_pos, header->value_len);
    }
    printf("\n");
}

static void print_batch(const kcodec_records *records, const kcodec_batch *batch)
{
    uint32_t r;
    printf("batch at %" PRIu32 ": %" PRIu32 " bytes, magic %d, codec %d, offsets %" PRId64 "..%" PRId64,
           batch->position, batch->length, batch->magic, batch->codec, batch->base_offset,
           kcodec_next_offset(batch) - 1);
    if (batch->status != KCODEC_OK)
        printf(": %s", kcodec_status_message(batch->status));
    printf("\n");
    for (r = 0; r < batch->record_count; r++)
        print_record(records, batch, &records->records[batch->first_record + r]);
}

static uint8_t *read_all(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long size;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        rewind(file);
        data = malloc((size_t)size + 1);
        *len = data ? fread(data, 1, (size_t)size, file) : 0;
    }
    fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    static const char *const tails[] = {"", ", then a batch that is cut off", ", then zeros",
                                        ", then bytes that are no batch"};
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_decoder *decoder = NULL;
    kcodec_records records;
    kcodec_error err;
    uint8_t *input;
    size_t len = 0, b;

    if (kcodec_check_abi(KCODEC_ABI, NULL) != KCODEC_OK) {
        fprintf(stderr, "libkcodec %s is of another ABI than this program\n", kcodec_version());
        return 1;
    }
    input = argc == 2 ? read_all(argv[1], &len) : NULL;
    if (!input) {
        fprintf(stderr, "usage: inspect FILE\n");
        return 1;
    }
    options.flags = KCODEC_DECODE_KEEP_GOING;
    if (kcodec_decoder_new(&options, &decoder, &err) != KCODEC_OK
        || kcodec_decode(decoder, input, len, &records, &err) != KCODEC_OK) {
        fprintf(stderr, "%s\n", kcodec_status_message(err.code));
        return 1;
    }
    for (b = 0; b < records.batch_count; b++)
        print_batch(&records, &records.batches[b]);
    printf("%zu batches, %zu records in %zu bytes%s\n", records.batch_count, records.record_count,
           records.consumed, records.tail >= 0 && records.tail < 4 ? tails[records.tail] : "");
    b = records.fault_count;
    kcodec_decoder_free(decoder);
    free(input);
    return b != 0;
}
