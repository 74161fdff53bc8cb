/*
 * crc16: eight bytes at a time.
 *
 * The checksum is a remainder of polynomials over two elements, so the effect of a byte that has k
 * more bytes behind it depends on that byte alone and effects add up by exclusive or. `effect[k]`
 * holds them for k = 0 to 7. The compiler makes the tables from the polynomial: X_j is the
 * remainder of x^(16+j), the effect of bit j.
 */
#include "place/crc16.h"

#define POLYNOMIAL 0x1021
#define NEXT(x) (((x) << 1 & 0xFFFF) ^ ((x)&0x8000 ? POLYNOMIAL : 0))

enum bit_effect {
    X_0 = POLYNOMIAL,
    X_1 = NEXT(X_0),
    X_2 = NEXT(X_1),
    X_3 = NEXT(X_2),
    X_4 = NEXT(X_3),
    X_5 = NEXT(X_4),
    X_6 = NEXT(X_5),
    X_7 = NEXT(X_6),
    X_8 = NEXT(X_7),
    X_9 = NEXT(X_8),
    X_10 = NEXT(X_9),
    X_11 = NEXT(X_10),
    X_12 = NEXT(X_11),
    X_13 = NEXT(X_12),
    X_14 = NEXT(X_13),
    X_15 = NEXT(X_14),
    X_16 = NEXT(X_15),
    X_17 = NEXT(X_16),
    X_18 = NEXT(X_17),
    X_19 = NEXT(X_18),
    X_20 = NEXT(X_19),
    X_21 = NEXT(X_20),
    X_22 = NEXT(X_21),
    X_23 = NEXT(X_22),
    X_24 = NEXT(X_23),
    X_25 = NEXT(X_24),
    X_26 = NEXT(X_25),
    X_27 = NEXT(X_26),
    X_28 = NEXT(X_27),
    X_29 = NEXT(X_28),
    X_30 = NEXT(X_29),
    X_31 = NEXT(X_30),
    X_32 = NEXT(X_31),
    X_33 = NEXT(X_32),
    X_34 = NEXT(X_33),
    X_35 = NEXT(X_34),
    X_36 = NEXT(X_35),
    X_37 = NEXT(X_36),
    X_38 = NEXT(X_37),
    X_39 = NEXT(X_38),
    X_40 = NEXT(X_39),
    X_41 = NEXT(X_40),
    X_42 = NEXT(X_41),
    X_43 = NEXT(X_42),
    X_44 = NEXT(X_43),
    X_45 = NEXT(X_44),
    X_46 = NEXT(X_45),
    X_47 = NEXT(X_46),
    X_48 = NEXT(X_47),
    X_49 = NEXT(X_48),
    X_50 = NEXT(X_49),
    X_51 = NEXT(X_50),
    X_52 = NEXT(X_51),
    X_53 = NEXT(X_52),
    X_54 = NEXT(X_53),
    X_55 = NEXT(X_54),
    X_56 = NEXT(X_55),
    X_57 = NEXT(X_56),
    X_58 = NEXT(X_57),
    X_59 = NEXT(X_58),
    X_60 = NEXT(X_59),
    X_61 = NEXT(X_60),
    X_62 = NEXT(X_61),
    X_63 = NEXT(X_62)
};

#define BIT(b, i, x) ((b) >> (i)&1 ? (x) : 0)
#define BYTE(b, x0, x1, x2, x3, x4, x5, x6, x7)                                                    \
    (BIT(b, 0, x0) ^ BIT(b, 1, x1) ^ BIT(b, 2, x2) ^ BIT(b, 3, x3) ^ BIT(b, 4, x4) ^               \
     BIT(b, 5, x5) ^ BIT(b, 6, x6) ^ BIT(b, 7, x7))
#define FOUR(b, ...)                                                                               \
    BYTE(b, __VA_ARGS__), BYTE((b) + 1, __VA_ARGS__), BYTE((b) + 2, __VA_ARGS__),                  \
        BYTE((b) + 3, __VA_ARGS__)
#define SIXTEEN(b, ...)                                                                            \
    FOUR(b, __VA_ARGS__), FOUR((b) + 4, __VA_ARGS__), FOUR((b) + 8, __VA_ARGS__),                  \
        FOUR((b) + 12, __VA_ARGS__)
#define SIXTY_FOUR(b, ...)                                                                         \
    SIXTEEN(b, __VA_ARGS__), SIXTEEN((b) + 16, __VA_ARGS__), SIXTEEN((b) + 32, __VA_ARGS__),       \
        SIXTEEN((b) + 48, __VA_ARGS__)
#define ALL(...)                                                                                   \
    {                                                                                              \
        SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), SIXTY_FOUR(128, __VA_ARGS__),     \
            SIXTY_FOUR(192, __VA_ARGS__)                                                           \
    }

static const uint16_t effect[8][256] = {
    ALL(X_0, X_1, X_2, X_3, X_4, X_5, X_6, X_7),
    ALL(X_8, X_9, X_10, X_11, X_12, X_13, X_14, X_15),
    ALL(X_16, X_17, X_18, X_19, X_20, X_21, X_22, X_23),
    ALL(X_24, X_25, X_26, X_27, X_28, X_29, X_30, X_31),
    ALL(X_32, X_33, X_34, X_35, X_36, X_37, X_38, X_39),
    ALL(X_40, X_41, X_42, X_43, X_44, X_45, X_46, X_47),
    ALL(X_48, X_49, X_50, X_51, X_52, X_53, X_54, X_55),
    ALL(X_56, X_57, X_58, X_59, X_60, X_61, X_62, X_63),
};

uint16_t crc16_step(uint16_t crc, uint8_t byte)
{
    return (uint16_t)(crc << 8 ^ effect[0][crc >> 8 ^ byte]);
}

uint16_t crc16(const void *data, size_t length)
{
    const uint8_t *at = data;
    unsigned crc = 0;

    for (; length >= 8; at += 8, length -= 8) {
        crc = (unsigned)(effect[7][at[0] ^ crc >> 8] ^ effect[6][at[1] ^ (crc & 0xFF)] ^
                         effect[5][at[2]] ^ effect[4][at[3]] ^ effect[3][at[4]] ^ effect[2][at[5]] ^
                         effect[1][at[6]] ^ effect[0][at[7]]);
    }
    if (length >= 4) {
        crc = (unsigned)(effect[3][at[0] ^ crc >> 8] ^ effect[2][at[1] ^ (crc & 0xFF)] ^
                         effect[1][at[2]] ^ effect[0][at[3]]);
        at += 4;
        length -= 4;
    }
    for (; length > 0; at++, length--) {
        crc = crc16_step((uint16_t)crc, *at);
    }
    return (uint16_t)crc;
}
