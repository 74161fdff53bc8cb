/*
 * fixlog: u is multiplied by 1 + 1/2, 1 + 1/4, ... wherever it stays below 1; the logarithms of
 * those factors add up to -ln u, but for a rest so near to 1 that 1 - u says it.
 */
#include "base/fixlog.h"

#define FACTORS 32
#define LN2_Q64 UINT64_C(0xB17217F7D1CF79AC) /* ln 2 in 2^-64 units */

/* ln(1 + 2^-k) in 2^-64 units, k = 1, 2, ... */
static const uint64_t factor[FACTORS] = {
    UINT64_C(0x67CC8FB2FE612FCB), UINT64_C(0x391FEF8F35344358), UINT64_C(0x1E27076E2AF2E5EA),
    UINT64_C(0x0F85186008B15331), UINT64_C(0x07E0A6C39E0CC013), UINT64_C(0x03F815161F807C7A),
    UINT64_C(0x01FE02A6B1067890), UINT64_C(0x00FF805515885E02), UINT64_C(0x007FE00AA6AC439A),
    UINT64_C(0x003FF8015515621F), UINT64_C(0x001FFE002AA6AB11), UINT64_C(0x000FFF8005551559),
    UINT64_C(0x0007FFE000AAA6AB), UINT64_C(0x0003FFF800155515), UINT64_C(0x0001FFFE0002AAA7),
    UINT64_C(0x0000FFFF80005555), UINT64_C(0x00007FFFE0000AAB), UINT64_C(0x00003FFFF8000155),
    UINT64_C(0x00001FFFFE00002B), UINT64_C(0x00000FFFFF800005), UINT64_C(0x000007FFFFE00001),
    UINT64_C(0x000003FFFFF80000), UINT64_C(0x000001FFFFFE0000), UINT64_C(0x000000FFFFFF8000),
    UINT64_C(0x0000007FFFFFE000), UINT64_C(0x0000003FFFFFF800), UINT64_C(0x0000001FFFFFFE00),
    UINT64_C(0x0000000FFFFFFF80), UINT64_C(0x00000007FFFFFFE0), UINT64_C(0x00000003FFFFFFF8),
    UINT64_C(0x00000001FFFFFFFE), UINT64_C(0x0000000100000000),
};

uint64_t fixlog_neg_ln(uint64_t drawn)
{
    /* u = m / 2^64 / 2^halvings with m's highest bit set. Where that bit is set already, the half
     * beyond the 64th bit is dropped: it is far below a unit of the answer. */
    uint64_t m = drawn;
    uint64_t halvings = 0;
    if (drawn >> 63 == 0) {
        int zeros = __builtin_clzll(2 * drawn + 1);
        m = (2 * drawn + 1) << zeros;
        halvings = (uint64_t)zeros + 1;
    }

    uint64_t sum = 0; /* 2^-64 units; stays below ln 2 */
    for (unsigned k = 1; k <= FACTORS; k++) {
        uint64_t times = m + (m >> k);
        uint64_t below = 0 - (uint64_t)(times > m); /* all ones: no carry, still below 1 */
        m += (m >> k) & below;
        sum += factor[k - 1] & below;
    }
    sum += 0 - m; /* -ln(1 - rest) = rest + rest^2 / 2 + ...; rest is below 2^-32 */
    return (uint64_t)(((unsigned __int128)halvings * LN2_Q64 + sum) >> (64 - FIXLOG_BITS));
}
