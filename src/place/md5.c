/*
 * md5: the 64 steps written out, as only straight code keeps the four words in registers.
 *
 * Step i adds the integer part of 2^32 * |sin(i + 1)|. F and G choose c or d (b or c) bit by bit,
 * H is the parity. In G the two halves have no bit in common, so their sum is their union, and the
 * half without b (the word that comes last) need not wait for it.
 */
#include "place/md5.h"

#include "place/word.h"
#include <string.h>

#define BLOCK 64

#define F(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define G(b, c, d) (((c) & ~(d)) + ((b) & (d)))
#define H(b, c, d) ((b) ^ ((c) ^ (d)))
#define I(b, c, d) ((c) ^ ((b) | ~(d)))
#define STEP(f, a, b, c, d, word, left, sine)                                                      \
    (a) += m[word] + UINT32_C(sine);                                                               \
    (a) = (b) + word_rotate32((a) + f(b, c, d), left)
/* Four steps turn the words once round. */
#define FOUR(f, w0, w1, w2, w3, k0, k1, k2, k3)                                                    \
    STEP(f, a, b, c, d, w0, f##_LEFT_0, k0);                                                       \
    STEP(f, d, a, b, c, w1, f##_LEFT_1, k1);                                                       \
    STEP(f, c, d, a, b, w2, f##_LEFT_2, k2);                                                       \
    STEP(f, b, c, d, a, w3, f##_LEFT_3, k3)

enum {
    F_LEFT_0 = 7,
    F_LEFT_1 = 12,
    F_LEFT_2 = 17,
    F_LEFT_3 = 22,
    G_LEFT_0 = 5,
    G_LEFT_1 = 9,
    G_LEFT_2 = 14,
    G_LEFT_3 = 20,
    H_LEFT_0 = 4,
    H_LEFT_1 = 11,
    H_LEFT_2 = 16,
    H_LEFT_3 = 23,
    I_LEFT_0 = 6,
    I_LEFT_1 = 10,
    I_LEFT_2 = 15,
    I_LEFT_3 = 21
};

static void add_block(uint32_t state[4], const uint8_t block[BLOCK])
{
    uint32_t m[16];
    for (int i = 0; i < 16; i++) {
        m[i] = word_read32(block + 4 * i);
    }
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    FOUR(F, 0, 1, 2, 3, 0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE);
    FOUR(F, 4, 5, 6, 7, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501);
    FOUR(F, 8, 9, 10, 11, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE);
    FOUR(F, 12, 13, 14, 15, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821);
    FOUR(G, 1, 6, 11, 0, 0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA);
    FOUR(G, 5, 10, 15, 4, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8);
    FOUR(G, 9, 14, 3, 8, 0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED);
    FOUR(G, 13, 2, 7, 12, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A);
    FOUR(H, 5, 8, 11, 14, 0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C);
    FOUR(H, 1, 4, 7, 10, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70);
    FOUR(H, 13, 0, 3, 6, 0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05);
    FOUR(H, 9, 12, 15, 2, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665);
    FOUR(I, 0, 7, 14, 5, 0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039);
    FOUR(I, 12, 3, 10, 1, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1);
    FOUR(I, 8, 15, 6, 13, 0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1);
    FOUR(I, 4, 11, 2, 9, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void md5_words(const void *data, size_t length, uint32_t word[4])
{
    const uint8_t *at = data;
    size_t left = length;
    word[0] = UINT32_C(0x67452301);
    word[1] = UINT32_C(0xEFCDAB89);
    word[2] = UINT32_C(0x98BADCFE);
    word[3] = UINT32_C(0x10325476);
    for (; left >= BLOCK; at += BLOCK, left -= BLOCK) {
        add_block(word, at);
    }

    /* What is left, one bit set, zeros, and the length in bits in the last eight bytes. */
    uint8_t end[2 * BLOCK] = {0};
    size_t size = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (left > 0) {
        memcpy(end, at, left);
    }
    end[left] = 0x80;
    for (unsigned i = 0; i < 8; i++) {
        end[size - 8 + i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);
    }
    for (size_t i = 0; i < size; i += BLOCK) {
        add_block(word, end + i);
    }
}

void md5(const void *data, size_t length, uint8_t digest[MD5_BYTES])
{
    uint32_t word[4];
    md5_words(data, length, word);
    for (unsigned i = 0; i < MD5_BYTES; i++) {
        digest[i] = (uint8_t)(word[i / 4] >> 8 * (i % 4));
    }
}
