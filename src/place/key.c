/*
 * key: the hash tag rule. Only the first '{' counts: an empty pair there means no tag, even where
 * a later pair has one.
 *
 * Braces are looked for eight bytes at a time, as keys are short: a call of memchr for each would
 * take longer than the checksum.
 */
#include "place/key.h"

#include "place/crc16.h"
#include "place/word.h"

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* The place of the first `byte`, `length` where there is none. */
static size_t find(const char *at, size_t length, char byte)
{
    size_t i = 0;
    for (; length - i >= 8; i += 8) {
        /* A byte that is the one sought is zero now, and the subtraction sets its highest bit;
         * what it borrows disturbs only bytes behind. */
        uint64_t word = word_read64((const uint8_t *)at + i) ^ ONES * (uint8_t)byte;
        uint64_t hit = (word - ONES) & ~word & HIGHS;
        if (hit != 0) {
            return i + (size_t)__builtin_ctzll(hit) / 8;
        }
    }
    while (i < length && at[i] != byte) {
        i++;
    }
    return i;
}

struct bytes key_tag(struct bytes key)
{
    size_t first = find(key.at, key.length, '{') + 1;
    if (first >= key.length) {
        return key;
    }
    const char *tag = key.at + first;
    size_t rest = key.length - first;
    size_t length = find(tag, rest, '}');
    return length == 0 || length == rest ? key : (struct bytes){.at = tag, .length = length};
}

uint16_t key_slot(struct bytes key)
{
    struct bytes tag = key_tag(key);
    return (uint16_t)(crc16(tag.at, tag.length) % SLOT_COUNT);
}
