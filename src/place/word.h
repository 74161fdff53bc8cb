/*
 * word: bytes read as little-endian numbers, and rotation.
 *
 * What every hash of this folder shares. The bytes may start at any address, and the result is the
 * same on machines of either byte order; compilers make one load of it.
 */
#ifndef HOTSHARD_PLACE_WORD_H
#define HOTSHARD_PLACE_WORD_H

#include <stdint.h>

static inline uint32_t word_read32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t word_read64(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

static inline uint32_t word_rotate32(uint32_t x, unsigned left) /* left: 0 to 31 */
{
    return x << left | x >> ((32 - left) & 31);
}

static inline uint64_t word_rotate64(uint64_t x, unsigned left) /* left: 0 to 63 */
{
    return x << left | x >> ((64 - left) & 63);
}

#endif
