/*
 * placing: see placing.h; the lines of shards are in placing_draw.c.
 */
#include "view/placing.h"

#include "base/alloc.h"
#include <stdlib.h>
#include <string.h>

#define PLACINGS_A_PAGE 99
#define TOLD_SHARDS 64

static size_t chosen(const struct scene *s, const char *argument)
{
    uint64_t number;
    if (argument != NULL && num_parse_u64(argument, "placing", 1, PLACINGS_A_PAGE, &number, NULL) &&
        number <= s->placings) {
        return (size_t)number - 1;
    }
    return 0;
}

/* Both lists of ids ascend, so one walk over both finds each shard once. */
static void fill_rows(struct placing *p)
{
    const struct trial *t = p->trial;
    uint32_t olds = layout_shards(t->before), news = p->page->hidden ? 0 : layout_shards(t->after);
    uint32_t old = 0, new = 0;
    p->row = xcalloc((size_t)olds + news, sizeof *p->row);
    while (old < olds || new < news) {
        uint32_t a = old < olds ? layout_shard_id(t->before, old) : UINT32_MAX;
        uint32_t b = new < news ? layout_shard_id(t->after, new) : UINT32_MAX;
        struct placing_row *row = &p->row[p->rows++];
        row->id = a < b ? a : b;
        if (a == row->id) {
            row->before = true;
            row->keys_before = t->keys_before.amount[old];
            row->load_before = t->load_before.amount[old];
            row->gave = p->page->hidden ? 0 : t->moved.given[old];
            old++;
        }
        if (b == row->id) {
            row->after = true;
            row->keys_after = t->keys_after.amount[new];
            row->load_after = t->load_after.amount[new];
            row->took = t->moved.taken[new];
            new ++;
        }
        if (p->page->hidden) { /* what is, is what was */
            row->after = row->before;
            row->keys_after = row->keys_before;
            row->load_after = row->load_before;
        }
    }
}

bool placing_open(struct placing *out, const struct scene *s, const char *argument)
{
    *out = (struct placing){0};
    if (s->placings == 0 || s->placing == NULL) {
        return false;
    }
    out->page = &s->placing[chosen(s, argument)];
    out->trial = out->page->trial;
    if (out->trial == NULL) {
        return false;
    }
    bool hidden = out->page->hidden;
    out->shown = hidden ? out->trial->before : out->trial->after;
    out->owner = hidden ? out->trial->owner_before : out->trial->owner_after;
    out->changed = !hidden && out->trial->moved.moved > 0;
    fill_rows(out);
    return true;
}

void placing_close(struct placing *p)
{
    free(p->row);
    *p = (struct placing){0};
}

const char *placing_none(void)
{
    return "no placement of keys is shown here";
}

const char *placing_lookup(const struct placing *p)
{
    if (!p->page->hidden && p->page->asked != NULL && p->page->asked[0] != '\0') {
        return p->page->asked;
    }
    return p->page->lookup != NULL ? p->page->lookup : "";
}

size_t placing_row_of(const struct placing *p, uint32_t id)
{
    size_t low = 0, high = p->rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->row[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < p->rows && p->row[low].id == id ? low : p->rows;
}

/* --- who gave to whom ---------------------------------------------------------------------- */

static int by_keys(const void *a, const void *b)
{
    const struct placing_flow *x = a, *y = b;
    if (x->keys != y->keys) {
        return x->keys > y->keys ? -1 : 1;
    }
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

/* With a single taker, or a single giver, the trial has counted already. */
static size_t flows_counted(const struct placing *p, struct placing_flow *all)
{
    const struct movement *m = &p->trial->moved;
    size_t count = 0;
    uint32_t one = 0;
    for (size_t i = 0; i < p->rows; i++) {
        bool is_one = m->to_shards == 1 ? p->row[i].took > 0 : p->row[i].gave > 0;
        one = is_one ? p->row[i].id : one;
    }
    for (size_t i = 0; i < p->rows; i++) {
        const struct placing_row *row = &p->row[i];
        uint64_t keys = m->to_shards == 1 ? row->gave : row->took;
        if (keys > 0) {
            all[count++] = m->to_shards == 1
                               ? (struct placing_flow){.from = row->id, .to = one, .keys = keys}
                               : (struct placing_flow){.from = one, .to = row->id, .keys = keys};
        }
    }
    return count;
}

static int by_pair(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Otherwise the pairs of all keys that moved are sorted and runs of equal ones counted. Returns
 * them in memory of their own. */
static struct placing_flow *flows_sorted(const struct placing *p, size_t *found)
{
    const struct trial *t = p->trial;
    size_t keys = keyset_count(t->keys), moved = 0, count = 0;
    uint64_t *pair = xcalloc((size_t)t->moved.moved + 1, sizeof *pair);
    for (size_t i = 0; i < keys; i++) {
        uint64_t from = trial_owner_before(t, i), to = trial_owner_after(t, i);
        if (from != to) {
            pair[moved++] = from << 32 | to;
        }
    }
    qsort(pair, moved, sizeof *pair, by_pair);
    struct placing_flow *all = xcalloc(moved + 1, sizeof *all);
    for (size_t i = 0; i < moved; i++) {
        if (i == 0 || pair[i] != pair[i - 1]) {
            all[count++] = (struct placing_flow){.from = (uint32_t)(pair[i] >> 32),
                                                 .to = (uint32_t)(pair[i] & UINT32_MAX)};
        }
        all[count - 1].keys++;
    }
    free(pair);
    *found = count;
    return all;
}

struct placing_flow *placing_flows(const struct placing *p, size_t *count)
{
    const struct movement *m = &p->trial->moved;
    struct placing_flow *all;
    *count = 0;
    if (!p->changed) {
        return xcalloc(1, sizeof *all);
    }
    if (m->to_shards == 1 || m->from_shards == 1) {
        all = xcalloc(p->rows + 1, sizeof *all);
        *count = flows_counted(p, all);
    } else {
        all = flows_sorted(p, count);
    }
    qsort(all, *count, sizeof *all, by_keys);
    return all;
}

static bool has_shard(const struct layout *layout, uint32_t id)
{
    uint32_t low = 0, high = layout_shards(layout);
    while (low < high) { /* ids ascend */
        uint32_t middle = low + (high - low) / 2;
        if (layout_shard_id(layout, middle) < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < layout_shards(layout) && layout_shard_id(layout, low) == id;
}

uint64_t placing_needless(const struct trial *trial)
{
    uint64_t count = 0;
    for (size_t i = 0; trial->moved.moved > 0 && i < keyset_count(trial->keys); i++) {
        uint32_t from = trial_owner_before(trial, i), to = trial_owner_after(trial, i);
        count += from != to && has_shard(trial->after, from) && has_shard(trial->before, to);
    }
    return count;
}

/* --- words --------------------------------------------------------------------------------- */

/* ", all from S3" or ": 512 from S0, 510 from S1 and 3 more": the pairs of one taker or giver. */
static void add_pairs(struct str *out, const struct placing_flow *flow, size_t count, bool takes,
                      size_t pairs)
{
    const char *word = takes ? "from" : "to";
    if (count == 1) {
        str_addf(out, ", all %s S%u", word, (unsigned)(takes ? flow[0].from : flow[0].to));
        return;
    }
    if (pairs == 0) {
        str_addf(out, " %s %zu shards", word, count);
        return;
    }
    for (size_t i = 0; i < count && i < pairs; i++) {
        str_addf(out, "%s%s %s S%u", i == 0 ? ": " : ", ", num_grouped((int64_t)flow[i].keys).text,
                 word, (unsigned)(takes ? flow[i].from : flow[i].to));
    }
    if (count > pairs) {
        str_addf(out, " and %zu more", count - pairs);
    }
}

static void add_one_sided(struct str *out, const struct placing *p, size_t pairs)
{
    size_t count;
    struct placing_flow *flow = placing_flows(p, &count);
    bool takes = p->trial->moved.to_shards == 1;
    str_addf(out, "S%u %s %s", (unsigned)(takes ? flow[0].to : flow[0].from),
             takes ? "takes" : "gives", num_grouped((int64_t)p->trial->moved.moved).text);
    add_pairs(out, flow, count, takes, pairs);
    free(flow);
}

/* The one shard that joined, or that left; rows when there is none or several. */
static size_t only_one(const struct placing *p, bool joined)
{
    size_t found = p->rows;
    for (size_t i = 0; i < p->rows; i++) {
        bool is = joined ? !p->row[i].before : !p->row[i].after;
        if (is && found < p->rows) {
            return p->rows;
        }
        found = is ? i : found;
    }
    return found;
}

/* Some schemes move keys between shards that were there and stay: that is worth a word. */
static bool add_with_others(struct str *out, const struct placing *p)
{
    for (int joined = 1; joined >= 0; joined--) {
        size_t at = only_one(p, joined);
        if (at == p->rows) {
            continue;
        }
        uint64_t own = joined ? p->row[at].took : p->row[at].gave;
        uint64_t others = p->trial->moved.moved - own;
        str_addf(out, "S%u %s %s; ", (unsigned)p->row[at].id, joined ? "takes" : "gives",
                 num_grouped((int64_t)own).text);
        str_addf(out, "%s more move%s between others", num_grouped((int64_t)others).text,
                 others == 1 ? "s" : "");
        return true;
    }
    return false;
}

void placing_add_moves(struct str *out, const struct placing *p, size_t pairs)
{
    const struct movement *m = &p->trial->moved;
    if (!p->changed) {
        return;
    }
    if (m->to_shards == 1 || m->from_shards == 1) {
        add_one_sided(out, p, pairs);
        return;
    }
    if (add_with_others(out, p)) {
        return;
    }
    str_addf(out, "%s of %s keys move", num_grouped((int64_t)m->moved).text,
             num_grouped((int64_t)m->keys).text);
    if (pairs > 0) {
        str_addf(out, ", %s%%, from %u shards to %u",
                 num_ratio((int64_t)m->moved, (int64_t)m->keys, 1).text, (unsigned)m->from_shards,
                 (unsigned)m->to_shards);
    }
}

void placing_add_row_moves(struct str *out, const struct placing *p, size_t row, size_t pairs)
{
    size_t count, listed = 0;
    struct placing_flow *flow = placing_flows(p, &count);
    struct placing_flow *own = xcalloc(count + 1, sizeof *own);
    for (int takes = 0; takes < 2; takes++) {
        size_t found = 0;
        uint64_t keys = takes ? p->row[row].took : p->row[row].gave;
        for (size_t i = 0; i < count; i++) {
            if ((takes ? flow[i].to : flow[i].from) == p->row[row].id) {
                own[found++] = flow[i];
            }
        }
        if (found > 0) {
            str_addf(out, "%s%s %s", listed++ > 0 ? "; " : "", takes ? "took" : "shed",
                     num_grouped((int64_t)keys).text);
            add_pairs(out, own, found, takes, pairs);
        }
    }
    free(flow);
    free(own);
}

void placing_add_title(struct str *out, const struct placing *p)
{
    const struct trial *t = p->trial;
    if (p->page->title != NULL && p->page->title[0] != '\0') {
        str_addf(out, "%s: ", p->page->title);
    } else {
        str_addf(out, "%s: ", layout_scheme(p->shown)->name);
    }
    str_addf(out, "%s keys on %u shard%s", num_grouped((int64_t)t->moved.keys).text,
             (unsigned)layout_shards(t->before), view_plural(layout_shards(t->before)));
    if (!p->page->hidden && layout_shards(t->after) != layout_shards(t->before)) {
        str_addf(out, ", then %u", (unsigned)layout_shards(t->after));
    }
}

struct num_text placing_over_average(const struct balance *b)
{
    return num_ratio((int64_t)(b->busiest * b->shards), (int64_t)(b->total * 100), 2);
}

void placing_tell_shards(struct str *out, const struct placing *p)
{
    const struct trial *t = p->trial;
    const struct balance *now = p->page->hidden ? &t->keys_before : &t->keys_after;
    str_add(out, p->changed ? "shard    before     after   share      gave      took\n"
                            : "shard      keys   share\n");
    for (size_t i = 0; i < p->rows && i < TOLD_SHARDS; i++) {
        const struct placing_row *row = &p->row[i];
        str_addf(out, "S%-5u", (unsigned)row->id);
        if (p->changed) {
            str_addf(out, " %8s", num_grouped((int64_t)row->keys_before).text);
        }
        str_addf(out, p->changed ? "  %8s" : " %8s", num_grouped((int64_t)row->keys_after).text);
        str_addf(out, "  %5s%%", num_ratio((int64_t)row->keys_after, (int64_t)now->total, 1).text);
        if (p->changed) {
            str_addf(out, "  %8s", num_grouped((int64_t)row->gave).text);
            str_addf(out, "  %8s", num_grouped((int64_t)row->took).text);
        }
        if (!row->before || !row->after) {
            str_add(out, row->after ? "  new" : "  leaves");
        }
        str_addc(out, '\n');
    }
    if (p->rows > TOLD_SHARDS) {
        str_addf(out, "and %zu more shards\n", p->rows - TOLD_SHARDS);
    }
    str_addf(out, "Busiest over average: %s.\n", placing_over_average(now).text);
    if (p->changed) {
        struct str moves = STR_EMPTY;
        placing_add_moves(&moves, p, 8);
        str_addc(&moves, '.');
        view_add_wrapped(out, str_text(&moves), TELL_COLUMNS, 2);
        str_free(&moves);
    } else if (!p->page->hidden) {
        str_add(out, "No key moves.\n");
    }
}

void placing_add_elsewhere(struct str *out, const struct placing *p, const char *what)
{
    static const struct {
        const char *scheme, *view;
    } pictures[] = {{"slots", "slot_map"},    {"range", "ranges"},   {"kinesis", "ranges"},
                    {"maglev", "maglev"},     {"ring", "ring"},      {"ketama", "ring"},
                    {"bounded-load", "ring"}, {"cassandra", "ring"}, {"rendezvous", "rendezvous"}};
    const char *name = layout_scheme(p->shown)->name, *view = "grid";
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        if (strcmp(pictures[i].scheme, name) == 0) {
            view = pictures[i].view;
        }
    }
    str_addf(out, "%s has no %s; the picture `%s` shows it", name, what, view);
}
