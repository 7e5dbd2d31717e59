/* The shared vectors as C sees them: files, JSON, and comparing JSON with what was decoded. */
#ifndef VECTORS_H
#define VECTORS_H

#include <jansson.h>
#include <kcodec.h>

/* A block of its own size, so that reading one byte too many is noticed. Freed by the caller. */
typedef struct {
    uint8_t *data;
    size_t len;
} bytes;

/* These end the program if a file is missing or is not what it should be. */
bytes read_file(const char *folder, const char *name);
json_t *read_json(const char *folder, const char *name);
bytes from_hex(const char *text);
bytes from_base64(const char *text);
const char *text_of(json_t *object, const char *key);
json_int_t int_of(json_t *object, const char *key);

/* How JSON writes bytes. */
enum encoding { HEX, BASE64, TEXT };

/* Whether bytes of an entry (len -1 is null) are what a JSON string or null says. */
int same_bytes(json_t *want, enum encoding encoding, const uint8_t *data, int32_t len);

/* The bytes of a row's field. */
const uint8_t *bytes_at(const kcodec_records *records, const kcodec_batch *batch, uint32_t pos);

/* Limits and flags of a decoder for vectors: keep going, 16 MiB. */
kcodec_decoder *vector_decoder(uint32_t flags);

int is_control(const kcodec_batch *batch);

/* The number of records that an application may see, and the n-th of them. */
size_t data_count(const kcodec_records *records);
const kcodec_record *data_record(const kcodec_records *records, size_t n, const kcodec_batch **batch);

int run_segments(const char *vectors);
int run_cases(const char *vectors);
int run_golden(const char *vectors);

#endif
