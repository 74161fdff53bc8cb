/*
 * watch_phi: how unusual a silence is.
 *
 * phi = -log10 Q(z), where Q(z) is the chance that a normal variable lies z spreads or more above
 * its mean. For z >= 1 by Laplace's continued fraction (Abramowitz and Stegun, 26.2.14):
 *
 *   -ln Q(z) = z^2/2 + ln sqrt(2 pi) + ln(z + 1/(z + 2/(z + 3/(z + ...))))
 *
 * Below that from a table of -log10 Q, every eighth of a spread, straight between its points. Whole
 * numbers throughout: z with 24 binary digits, logarithms with 58.
 */
#include "base/fixlog.h"
#include "engine/watch/watch_inside.h"

#define Z_BITS 24
#define Z_ONE (INT64_C(1) << Z_BITS)
#define Z_MAX (INT64_C(24) * Z_ONE)   /* phi is beyond WATCH_PHI_MAX */
#define Z_TABLE (INT64_C(-4) * Z_ONE) /* where the table begins */
#define STEP (Z_ONE / 8)
#define LEVELS 64
#define LN_SQRT_TWO_PI INT64_C(15417189) /* times 2^24 */
#define LN_TEN INT64_C(38630967)         /* times 2^24 */

/* -log10 Q(-4 + i/8), in hundred-thousandths. */
static const int32_t table[] = {1,     2,     4,     6,     10,    16,    25,    39,    59,
                                88,    130,   189,   271,   383,   534,   736,   999,   1341,
                                1776,  2323,  3003,  3837,  4849,  6063,  7503,  9194,  11161,
                                13430, 16023, 18965, 22279, 25984, 30103, 34653, 39654, 45121,
                                51069, 57514, 64469, 71945, 79955};

static int64_t ln_of(int64_t x) /* x >= 1, both times 2^24 */
{
    uint64_t drawn = UINT64_MAX / (uint64_t)x; /* 1/x times 2^(64-24) */
    drawn = drawn >= UINT64_MAX >> Z_BITS ? UINT64_MAX : drawn << Z_BITS;
    return (int64_t)(fixlog_neg_ln(drawn) >> (FIXLOG_BITS - Z_BITS));
}

/* -ln Q(z), times 2^24. */
static int64_t neg_ln_tail(int64_t z)
{
    int64_t fraction = z;
    for (int64_t k = LEVELS; k > 0; k--) {
        fraction = z + k * Z_ONE * Z_ONE / fraction;
    }
    return z / 2 * z / Z_ONE + LN_SQRT_TWO_PI + ln_of(fraction);
}

static uint32_t phi_of(int64_t z)
{
    if (z >= Z_MAX) {
        return WATCH_PHI_MAX;
    }
    if (z >= Z_ONE) {
        int64_t phi = (neg_ln_tail(z) * 100 + LN_TEN / 2) / LN_TEN;
        return phi < WATCH_PHI_MAX ? (uint32_t)phi : WATCH_PHI_MAX;
    }
    if (z <= Z_TABLE) {
        return 0;
    }
    int64_t at = (z - Z_TABLE) / STEP;
    int64_t part = (z - Z_TABLE) % STEP;
    int64_t phi = table[at] + (table[at + 1] - table[at]) * part / STEP;
    return (uint32_t)((phi + 500) / 1000);
}

uint32_t phi_after(struct gaps gaps, int64_t silence_us)
{
    int64_t far = 24 * gaps.spread_us;
    int64_t above = silence_us - gaps.mean_us;
    above = above > far ? far : above < -far ? -far : above;
    return phi_of(above * Z_ONE / gaps.spread_us);
}

/* The least silence with so much; found by halving. */
int64_t phi_silence(struct gaps gaps, uint32_t phi)
{
    int64_t low = 0;
    int64_t high = gaps.mean_us + 24 * gaps.spread_us;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (phi_after(gaps, middle) >= phi) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* --- gaps --- */

#define GAP_MAX_US (INT64_C(600) * US_PER_SECOND)

static int64_t root_of(int64_t square)
{
    int64_t root = 0;
    for (int64_t bit = INT64_C(1) << 31; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= square) {
            root += bit;
        }
    }
    return root;
}

static int64_t gap_before(const struct beat_row *row, uint32_t back)
{
    int64_t later = row->time_us[(row->kept - 1 - back) % BEATS_KEPT];
    int64_t earlier = row->time_us[(row->kept - 2 - back) % BEATS_KEPT];
    return later - earlier < GAP_MAX_US ? later - earlier : GAP_MAX_US;
}

struct gaps beat_gaps(const struct world *w, const struct beat_row *row)
{
    int64_t period = w->watch.period_us;
    uint32_t times = row->kept < BEATS_KEPT ? row->kept : BEATS_KEPT;
    uint32_t n = times < 2 ? 0 : times - 1;
    struct gaps gaps = {period, period / 4};
    int64_t sum = 0;
    int64_t squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += gap_before(row, i);
    }
    if (n > 0) {
        gaps.mean_us = sum / n;
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t off = gap_before(row, i) - gaps.mean_us;
        squares += off * off / n;
    }
    int64_t spread = root_of(squares);
    gaps.spread_us = spread > gaps.spread_us ? spread : gaps.spread_us;
    gaps.spread_us = gaps.spread_us > 0 ? gaps.spread_us : 1;
    return gaps;
}
