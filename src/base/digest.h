/*
 * digest: the identity of a state, 128 bits, fed field by field.
 *
 * Never feed a struct's bytes (padding differs); feed its fields. Not cryptographic.
 */
#ifndef HOTSHARD_BASE_DIGEST_H
#define HOTSHARD_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest {
    uint64_t a;
    uint64_t b;
};

#define DIGEST_HEX_SIZE 33

struct digest digest_start(void);
void digest_u64(struct digest *d, uint64_t value);
void digest_all(struct digest *d, const uint64_t *values, size_t count);
/* Several fields at once: DIGEST_FEED(&d, w->a, w->b). */
#define DIGEST_FEED(d, ...)                                                                        \
    digest_all((d), (const uint64_t[]){__VA_ARGS__},                                               \
               sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
void digest_bytes(struct digest *d, const void *data, size_t length); /* length is fed too */
bool digest_equal(struct digest a, struct digest b);
void digest_hex(struct digest d, char out[DIGEST_HEX_SIZE]);

#endif
