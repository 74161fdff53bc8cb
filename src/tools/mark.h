/*
 * mark: a key's 64-bit mark, by which our own tables find it.
 *
 * Eight bytes at a time, so that long keys cost little; no scheme places keys by it, and nothing
 * that is shown hangs on it. Equal keys have equal marks; keys of up to eight bytes and equal
 * length have different ones.
 */
#ifndef HOTSHARD_TOOLS_MARK_H
#define HOTSHARD_TOOLS_MARK_H

#include "base/str.h"
#include <stdint.h>
#include <string.h>

static inline uint64_t mark_mix(uint64_t mark, uint64_t word)
{
    mark = (mark ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return mark ^ (mark >> 32);
}

/* The last one to seven bytes as one word. */
static inline uint64_t mark_rest(const char *at, size_t length)
{
    uint32_t low = 0;
    uint32_t high = 0;
    if (length >= 4) { /* the two reads overlap */
        memcpy(&low, at, 4);
        memcpy(&high, at + length - 4, 4);
        return (uint64_t)high << 32 | low;
    }
    return (uint64_t)(unsigned char)at[length - 1] << 16 |
           (uint64_t)(unsigned char)at[length / 2] << 8 | (unsigned char)at[0];
}

static inline uint64_t mark_of(struct bytes key)
{
    uint64_t mark = key.length;
    const char *at = key.at;
    size_t left = key.length;
    for (; left >= 8; left -= 8, at += 8) {
        uint64_t word = 0;
        memcpy(&word, at, 8);
        mark = mark_mix(mark, word);
    }
    if (left > 0) {
        mark = mark_mix(mark, mark_rest(at, left));
    }
    return mark_mix(mark, UINT64_C(0xD6E8FEB86659FD93));
}

#endif
