/* What a C program meets when things go wrong, and what it can do about it. docs/abi.md quotes from here.
 *
 * usage: wrong          (prints one line for each; exit status 1 if one is not as it should be) */
/* For nanosleep. */
#define _POSIX_C_SOURCE 199309L

#include <kcodec.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 9, SEVENTH = 6 };

static uint8_t log_bytes[4096];
static size_t log_len, batch_len;

static void must(int holds, const char *what)
{
    printf("%s: %s\n", holds ? "ok" : "NOT SO", what);
    if (!holds)
        exit(1);
}

/* Nine batches of two records. The seventh is damaged. */
static void write_log(void)
{
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_encoder *encoder = NULL;
    kcodec_slice batch;
    int i;
    must(kcodec_encoder_new(NULL, &encoder, NULL) == KCODEC_OK, "an encoder");
    for (i = 0; i < BATCHES; i++) {
        params.base_offset = i * 2;
        kcodec_encoder_begin(encoder, &params, NULL);
        kcodec_encoder_push(encoder, 1000, NULL, 0, (const uint8_t *)"one", 3, NULL, NULL);
        kcodec_encoder_push(encoder, 1001, NULL, 0, (const uint8_t *)"two", 3, NULL, NULL);
        must(kcodec_encoder_finish(encoder, &batch, NULL) == KCODEC_OK, "a batch");
        memcpy(log_bytes + log_len, batch.data, batch.len);
        log_len += batch_len = batch.len;
    }
    log_bytes[SEVENTH * batch_len + 70] ^= 1;
    kcodec_encoder_free(encoder);
}

static void wrong_version(void)
{
    kcodec_error err;
    /* First of all: is this the library that the program was compiled for? */
    if (kcodec_check_abi(KCODEC_ABI, NULL) != KCODEC_OK) {
        fprintf(stderr, "kcodec.h has ABI %d, the library %u\n", KCODEC_ABI, (unsigned)kcodec_abi());
        exit(1);
    }
    must(kcodec_check_abi(KCODEC_ABI + 1, &err) == KCODEC_E_ABI_MISMATCH, "another ABI is told");
    must(err.expected == KCODEC_ABI, "and which one the library has");
}

static void null_pointer(void)
{
    kcodec_error err;
    kcodec_records records;
    kcodec_status status = kcodec_decode(NULL, log_bytes, log_len, &records, &err);
    must(status == KCODEC_E_NULL_ARGUMENT, "NULL is reported, not followed");
    must(strcmp(kcodec_status_name(status), "NULL_ARGUMENT") == 0, "and every status has a name");
}

static void too_small(void)
{
    static const uint8_t text[] = "to be compressed";
    uint8_t small[4], *enough;
    size_t written = 0;
    kcodec_error err;
    kcodec_status status = kcodec_compress(KCODEC_CODEC_GZIP, KCODEC_COMPRESSION_DEFAULT, text,
                                           sizeof text, small, sizeof small, &written, &err);
    if (status == KCODEC_E_BUFFER_TOO_SMALL) {
        enough = malloc(err.expected);
        status = kcodec_compress(KCODEC_CODEC_GZIP, KCODEC_COMPRESSION_DEFAULT, text, sizeof text,
                                 enough, err.expected, &written, &err);
        free(enough);
    }
    must(status == KCODEC_OK && written > sizeof small, "the size needed comes back, and is enough");
}

static void seventh_of_nine(void)
{
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_decoder *decoder = NULL;
    kcodec_records records;
    size_t usable = 0, b;
    options.flags = KCODEC_DECODE_KEEP_GOING;
    must(kcodec_decoder_new(&options, &decoder, NULL) == KCODEC_OK, "a decoder that keeps going");
    must(kcodec_decode(decoder, log_bytes, log_len, &records, NULL) == KCODEC_OK, "decodes all");
    for (b = 0; b < records.batch_count; b++) {
        if (records.batches[b].status == KCODEC_OK)
            usable++;
        else
            fprintf(stderr, "batch %zu: %s, go on at offset %lld\n", b,
                    kcodec_status_name(records.batches[b].status),
                    (long long)kcodec_next_offset(&records.batches[b]));
    }
    must(usable == 8 && records.record_count == 16, "eight of nine batches are usable");
    must(records.fault_count == 1 && records.faults[0].batch == SEVENTH, "and one fault tells why");
    kcodec_decoder_free(decoder);
}

static void first_fault(void)
{
    kcodec_decoder *decoder = NULL;
    kcodec_records records;
    kcodec_error err;
    char text[200];
    must(kcodec_decoder_new(NULL, &decoder, NULL) == KCODEC_OK, "a decoder that stops");
    if (kcodec_decode(decoder, log_bytes, log_len, &records, &err) != KCODEC_OK) {
        kcodec_error_format(&err, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        kcodec_decoded(decoder, &records, NULL);
    }
    must(err.code == KCODEC_E_CRC_MISMATCH && KCODEC_IS_MALFORMED(err.code), "stops at the fault");
    must(records.batch_count == 6 && err.next_offset == 14, "with the batches before it");
    kcodec_decoder_free(decoder);
}

static void limit(void)
{
    static uint8_t zeros[1 << 20];
    kcodec_batch_params params = KCODEC_BATCH_PARAMS_INIT;
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_encoder *encoder = NULL;
    kcodec_decoder *decoder = NULL;
    kcodec_records records;
    kcodec_slice bomb;
    kcodec_error err;
    kcodec_status status;
    params.codec = KCODEC_CODEC_ZSTD;
    must(kcodec_encoder_new(NULL, &encoder, NULL) == KCODEC_OK, "an encoder");
    kcodec_encoder_begin(encoder, &params, NULL);
    kcodec_encoder_push(encoder, 1000, NULL, 0, zeros, sizeof zeros, NULL, NULL);
    must(kcodec_encoder_finish(encoder, &bomb, NULL) == KCODEC_OK && bomb.len < 1000, "a small bomb");

    options.limits.max_batch_bytes = 64 * 1024;
    must(kcodec_decoder_new(&options, &decoder, NULL) == KCODEC_OK, "a decoder with a limit");
    status = kcodec_decode(decoder, bomb.data, bomb.len, &records, &err);
    if (KCODEC_IS_LIMIT(status))
        fprintf(stderr, "more than %llu bytes; skip to offset %lld, or raise the limit\n",
                (unsigned long long)err.expected, (long long)err.next_offset);
    must(status == KCODEC_E_LIMIT_BATCH_BYTES && err.next_offset == 1, "the limit is told");
    must(kcodec_decoder_memory(decoder) < 128 * 1024, "and holds");
    kcodec_decoder_free(decoder);
    kcodec_encoder_free(encoder);
}

/* A call that takes some milliseconds, so that the other thread comes in its middle. */
struct call {
    kcodec_decoder *decoder;
    uint8_t *bytes;
    size_t len;
};

static void *decode(void *argument)
{
    struct call *call = argument;
    kcodec_records records;
    kcodec_decode(call->decoder, call->bytes, call->len, &records, NULL);
    return NULL;
}

static void twice_at_once(void)
{
    enum { TIMES = 50000 };
    const struct timespec moment = {0, 1000000};
    struct call call = {NULL, malloc(TIMES * batch_len), TIMES * batch_len};
    kcodec_records records;
    kcodec_status status = KCODEC_OK;
    pthread_t other;
    int i, tries;
    for (i = 0; call.bytes != NULL && i < TIMES; i++)
        memcpy(call.bytes + i * batch_len, log_bytes, batch_len);
    must(kcodec_decoder_new(NULL, &call.decoder, NULL) == KCODEC_OK, "a decoder");
    for (tries = 0; tries < 100 && status != KCODEC_E_BUSY; tries++) {
        if (pthread_create(&other, NULL, decode, &call) != 0)
            exit(1);
        for (i = 0; i < 10 && status != KCODEC_E_BUSY; i++) {
            nanosleep(&moment, NULL);
            status = kcodec_decode(call.decoder, log_bytes, batch_len, &records, NULL);
        }
        pthread_join(other, NULL);
    }
    must(status == KCODEC_E_BUSY, "a second thread is turned away");
    kcodec_decoder_free(call.decoder);
    free(call.bytes);
}

int main(void)
{
    wrong_version();
    write_log();
    null_pointer();
    too_small();
    seventh_of_nine();
    first_fault();
    limit();
    twice_at_once();
    return 0;
}
