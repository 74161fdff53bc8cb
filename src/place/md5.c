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
    STEP(F, a, b, c, d, 0, 7, 0xD76AA478);
    STEP(F, d, a, b, c, 1, 12, 0xE8C7B756);
    STEP(F, c, d, a, b, 2, 17, 0x242070DB);
    STEP(F, b, c, d, a, 3, 22, 0xC1BDCEEE);
    STEP(F, a, b, c, d, 4, 7, 0xF57C0FAF);
    STEP(F, d, a, b, c, 5, 12, 0x4787C62A);
    STEP(F, c, d, a, b, 6, 17, 0xA8304613);
    STEP(F, b, c, d, a, 7, 22, 0xFD469501);
    STEP(F, a, b, c, d, 8, 7, 0x698098D8);
    STEP(F, d, a, b, c, 9, 12, 0x8B44F7AF);
    STEP(F, c, d, a, b, 10, 17, 0xFFFF5BB1);
    STEP(F, b, c, d, a, 11, 22, 0x895CD7BE);
    STEP(F, a, b, c, d, 12, 7, 0x6B901122);
    STEP(F, d, a, b, c, 13, 12, 0xFD987193);
    STEP(F, c, d, a, b, 14, 17, 0xA679438E);
    STEP(F, b, c, d, a, 15, 22, 0x49B40821);
    STEP(G, a, b, c, d, 1, 5, 0xF61E2562);
    STEP(G, d, a, b, c, 6, 9, 0xC040B340);
    STEP(G, c, d, a, b, 11, 14, 0x265E5A51);
    STEP(G, b, c, d, a, 0, 20, 0xE9B6C7AA);
    STEP(G, a, b, c, d, 5, 5, 0xD62F105D);
    STEP(G, d, a, b, c, 10, 9, 0x02441453);
    STEP(G, c, d, a, b, 15, 14, 0xD8A1E681);
    STEP(G, b, c, d, a, 4, 20, 0xE7D3FBC8);
    STEP(G, a, b, c, d, 9, 5, 0x21E1CDE6);
    STEP(G, d, a, b, c, 14, 9, 0xC33707D6);
    STEP(G, c, d, a, b, 3, 14, 0xF4D50D87);
    STEP(G, b, c, d, a, 8, 20, 0x455A14ED);
    STEP(G, a, b, c, d, 13, 5, 0xA9E3E905);
    STEP(G, d, a, b, c, 2, 9, 0xFCEFA3F8);
    STEP(G, c, d, a, b, 7, 14, 0x676F02D9);
    STEP(G, b, c, d, a, 12, 20, 0x8D2A4C8A);
    STEP(H, a, b, c, d, 5, 4, 0xFFFA3942);
    STEP(H, d, a, b, c, 8, 11, 0x8771F681);
    STEP(H, c, d, a, b, 11, 16, 0x6D9D6122);
    STEP(H, b, c, d, a, 14, 23, 0xFDE5380C);
    STEP(H, a, b, c, d, 1, 4, 0xA4BEEA44);
    STEP(H, d, a, b, c, 4, 11, 0x4BDECFA9);
    STEP(H, c, d, a, b, 7, 16, 0xF6BB4B60);
    STEP(H, b, c, d, a, 10, 23, 0xBEBFBC70);
    STEP(H, a, b, c, d, 13, 4, 0x289B7EC6);
    STEP(H, d, a, b, c, 0, 11, 0xEAA127FA);
    STEP(H, c, d, a, b, 3, 16, 0xD4EF3085);
    STEP(H, b, c, d, a, 6, 23, 0x04881D05);
    STEP(H, a, b, c, d, 9, 4, 0xD9D4D039);
    STEP(H, d, a, b, c, 12, 11, 0xE6DB99E5);
    STEP(H, c, d, a, b, 15, 16, 0x1FA27CF8);
    STEP(H, b, c, d, a, 2, 23, 0xC4AC5665);
    STEP(I, a, b, c, d, 0, 6, 0xF4292244);
    STEP(I, d, a, b, c, 7, 10, 0x432AFF97);
    STEP(I, c, d, a, b, 14, 15, 0xAB9423A7);
    STEP(I, b, c, d, a, 5, 21, 0xFC93A039);
    STEP(I, a, b, c, d, 12, 6, 0x655B59C3);
    STEP(I, d, a, b, c, 3, 10, 0x8F0CCC92);
    STEP(I, c, d, a, b, 10, 15, 0xFFEFF47D);
    STEP(I, b, c, d, a, 1, 21, 0x85845DD1);
    STEP(I, a, b, c, d, 8, 6, 0x6FA87E4F);
    STEP(I, d, a, b, c, 15, 10, 0xFE2CE6E0);
    STEP(I, c, d, a, b, 6, 15, 0xA3014314);
    STEP(I, b, c, d, a, 13, 21, 0x4E0811A1);
    STEP(I, a, b, c, d, 4, 6, 0xF7537E82);
    STEP(I, d, a, b, c, 11, 10, 0xBD3AF235);
    STEP(I, c, d, a, b, 2, 15, 0x2AD7D2BB);
    STEP(I, b, c, d, a, 9, 21, 0xEB86D391);
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
