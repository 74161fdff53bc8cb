/*
 * digest: two lanes, each a bijection of every value fed, so that one changed field always shows in
 * both and chance alone can bring two states together.
 */
#include "base/digest.h"

#include "base/prng.h"
#include <stdio.h>

struct digest digest_start(void)
{
    return (struct digest){.a = UINT64_C(0x686F747368617264), .b = UINT64_C(0x6469676573742E31)};
}

void digest_u64(struct digest *d, uint64_t value)
{
    d->a = mix64(d->a ^ value);
    d->b = mix64((d->b + value) * UINT64_C(0xD1342543DE82EF95));
}

void digest_all(struct digest *d, const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        digest_u64(d, values[i]);
    }
}

void digest_bytes(struct digest *d, const void *data, size_t length)
{
    const uint8_t *at = data;
    digest_u64(d, length);
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word = 0;
        for (int i = 7; i >= 0; i--) {
            word = word << 8 | at[i];
        }
        digest_u64(d, word);
    }
    if (length > 0) {
        uint64_t word = 0;
        while (length > 0) {
            word = word << 8 | at[--length];
        }
        digest_u64(d, word);
    }
}

bool digest_equal(struct digest a, struct digest b)
{
    return a.a == b.a && a.b == b.b;
}

void digest_hex(struct digest d, char out[DIGEST_HEX_SIZE])
{
    (void)snprintf(out, DIGEST_HEX_SIZE, "%016llx%016llx", (unsigned long long)d.a,
                   (unsigned long long)d.b);
}
