/* What only shows over time: memory over 100 000 failing decodes, and a handle that two threads use.
 *
 * usage: endurance VECTORS [DECODES] */
#include "test.h"

#include <kcodec.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Resident bytes of this process, 0 where /proc is not there. */
static size_t resident(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * 4096;
}

static size_t load(const char *vectors, const char *name, uint8_t *to, size_t cap)
{
    char path[4096];
    FILE *file;
    size_t len = 0;
    snprintf(path, sizeof path, "%s/segments/%s", vectors, name);
    file = fopen(path, "rb");
    if (file) {
        len = fread(to, 1, cap, file);
        fclose(file);
    }
    CHECK(len > 100);
    return len;
}

/* Segments of each codec whose last batch is damaged, decoded over and over, mostly by one decoder and now
 * and then by one of their own. */
static void flat_memory(const char *vectors, long decodes)
{
    static const char *const names[] = {"java_none-0.log", "java_gzip-0.log", "java_snappy-0.log",
                                        "java_lz4-0.log", "java_zstd-0.log"};
    enum { FILES = 5, CAP = 1 << 16 };
    uint8_t *inputs = malloc(FILES * CAP);
    size_t lens[FILES], warm = 0, held = 0;
    kcodec_decoder *decoder = NULL;
    long i, failures = 0;
    test_begin("flat memory");
    CHECK(inputs && kcodec_decoder_new(NULL, &decoder, NULL) == KCODEC_OK);
    if (!inputs)
        return;
    for (i = 0; i < FILES; i++) {
        lens[i] = load(vectors, names[i], inputs + i * CAP, CAP);
        inputs[i * CAP + (long)lens[i] - 1] ^= 0x5a; /* the last batch no longer has its checksum */
    }
    for (i = 0; i < decodes; i++) {
        const uint8_t *input = inputs + i % FILES * CAP;
        kcodec_decoder *own = NULL;
        kcodec_records records;
        kcodec_error err;
        if (i % 100 == 0)
            CHECK(kcodec_decoder_new(NULL, &own, NULL) == KCODEC_OK);
        failures += kcodec_decode(own ? own : decoder, input, lens[i % FILES], &records, &err)
            == KCODEC_E_CRC_MISMATCH;
        kcodec_decoder_free(own);
        if (i == decodes / 10) {
            warm = resident();
            held = kcodec_decoder_memory(decoder);
        }
    }
    CHECK(failures == decodes);
    CHECK(kcodec_decoder_memory(decoder) == held);
    CHECK(resident() <= warm + ((size_t)1 << 20));
    printf("%ld failing decodes, %zu KiB resident after a tenth of them, %zu KiB after all\n", decodes,
           warm >> 10, resident() >> 10);
    kcodec_decoder_free(decoder);
    free(inputs);
}

struct shared {
    kcodec_decoder *decoder;
    const uint8_t *input;
    size_t len;
    long ok, busy, other;
};

static void *use(void *argument)
{
    struct shared *shared = argument;
    int i;
    for (i = 0; i < 3000; i++) {
        kcodec_records records;
        kcodec_status status =
            kcodec_decode(shared->decoder, shared->input, shared->len, &records, NULL);
        if (status == KCODEC_OK)
            shared->ok++;
        else if (status == KCODEC_E_BUSY)
            shared->busy++;
        else
            shared->other++;
        (void)kcodec_decoder_memory(shared->decoder);
    }
    return NULL;
}

/* Two threads that break the rule get BUSY now and then, and nothing worse. */
static void two_threads(const char *vectors)
{
    static uint8_t input[1 << 16];
    struct shared shared[2] = {{NULL, input, 0, 0, 0, 0}, {NULL, input, 0, 0, 0, 0}};
    pthread_t threads[2];
    int round, i;
    test_begin("two threads");
    CHECK(kcodec_decoder_new(NULL, &shared[0].decoder, NULL) == KCODEC_OK);
    shared[1].decoder = shared[0].decoder;
    shared[0].len = shared[1].len = load(vectors, "java_gzip-0.log", input, sizeof input);
    for (round = 0; round < 20 && shared[0].busy + shared[1].busy == 0; round++) {
        for (i = 0; i < 2; i++)
            CHECK(pthread_create(&threads[i], NULL, use, &shared[i]) == 0);
        for (i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    CHECK(shared[0].busy + shared[1].busy > 0);
    CHECK(shared[0].ok + shared[1].ok > 0);
    CHECK(shared[0].other + shared[1].other == 0);
    kcodec_decoder_free(shared[0].decoder);
}

int main(int argc, char **argv)
{
    const char *vectors = argc > 1 ? argv[1] : "vectors";
    flat_memory(vectors, argc > 2 ? atol(argv[2]) : 100000);
    two_threads(vectors);
    return test_report("endurance") != 0;
}
