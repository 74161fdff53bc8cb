/*
 * playground_tell: what changed and how it is now, in sentences. Figures come from the trial and
 * from the rates that were measured.
 */
#include "tools/playground_inside.h"

#include "base/num.h"
#include <inttypes.h>
#include <string.h>

static void add_number(struct str *out, uint64_t number)
{
    str_add(out, num_grouped((int64_t)number).text);
}

static void add_share(struct str *out, uint64_t part, uint64_t whole)
{
    str_addf(out, "%s%%", num_ratio((int64_t)part, (int64_t)whole, 1).text);
}

/* "1.90": part over whole / n. */
static void add_times(struct str *out, uint64_t part, uint64_t whole, uint64_t n)
{
    struct num_text text = num_ratio((int64_t)(part * n), (int64_t)whole * 100, 2);
    str_addf(out, "%s times", text.text);
}

/* --- what changed ------------------------------------------------------------------------------
 */

static bool same_shards(const struct play_settings *a, const struct play_settings *b)
{
    uint32_t left[PLAY_SHARDS_MAX];
    uint32_t right[PLAY_SHARDS_MAX];
    uint32_t count = play_shards(a, left);
    return count == play_shards(b, right) && memcmp(left, right, count * sizeof *left) == 0;
}

/* The differences but for shards that join or leave, with `word` between the two values. */
static void add_differences(const struct play_settings *a, const struct play_settings *b,
                            const char *word, const char *between, struct str *out)
{
    static const enum play_control order[] = {PLAY_WORKLOAD, PLAY_SCHEME, PLAY_TOKENS,
                                              PLAY_RATE,     PLAY_SALT,   PLAY_PREAGG,
                                              PLAY_CACHE,    PLAY_COPIES, PLAY_DATABASE_CACHE};
    size_t start = out->length;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        struct str left = STR_EMPTY;
        struct str right = STR_EMPTY;
        play_say_control(a, order[i], 0, &left);
        play_say_control(b, order[i], 0, &right);
        if (strcmp(str_text(&left), str_text(&right)) != 0) {
            str_addf(out, "%s%s %s %s %s", out->length > start ? between : "",
                     play_control_name(order[i]), str_text(&left), word, str_text(&right));
        }
        str_free(&left);
        str_free(&right);
    }
    for (uint32_t id = 0; id < PLAY_IDS_MAX; id++) {
        if (a->weight[id] != b->weight[id] && play_has_shard(a, id) && play_has_shard(b, id)) {
            str_addf(out, "%sweight S%" PRIu32 " %" PRIu32 " %s %" PRIu32,
                     out->length > start ? between : "", id, a->weight[id], word, b->weight[id]);
        }
    }
}

/* What the later of two lists of changes adds to the other: +1 joined, -1 left, 0: otherwise. */
static int one_shard_more(const struct play_settings *before, const struct play_settings *after,
                          uint32_t *id)
{
    struct str other = STR_EMPTY;
    add_differences(before, after, "", "", &other);
    bool longer =
        other.length == 0 && before->start == after->start && before->changes + 1 == after->changes;
    str_free(&other);
    for (uint32_t i = 0; longer && i < before->changes; i++) {
        longer = before->change[i].joins == after->change[i].joins &&
                 before->change[i].id == after->change[i].id;
    }
    if (!longer) {
        return 0;
    }
    *id = after->change[before->changes].id;
    return after->change[before->changes].joins ? 1 : -1;
}

void play_tell_differences(const struct play_settings *a, const struct play_settings *b,
                           struct str *out)
{
    size_t start = out->length;
    add_differences(a, b, "or", "\n", out);
    if (!same_shards(a, b)) {
        str_add(out, out->length > start ? "\nshards " : "shards ");
        play_say_control(a, PLAY_SHARD_ADD, 0, out);
        str_add(out, " or ");
        play_say_control(b, PLAY_SHARD_ADD, 0, out);
    } else if (out->length == start && !play_same(a, b)) {
        str_add(out, "the way to the same shards");
    }
}

static void add_moved(const struct play_result *r, struct str *out)
{
    const struct movement *m = &r->trial->moved;
    if (!r->comparable) {
        str_add(out, "a new start, so no key is said to have moved.");
        return;
    }
    if (m->moved == 0) {
        str_add(out, "no key moved.");
        return;
    }
    add_number(out, m->moved);
    str_add(out, " of ");
    add_number(out, m->keys);
    str_add(out, " keys moved, ");
    add_share(out, m->moved, m->keys);
    str_addf(out, ", from %" PRIu32 " shard%s.", m->from_shards, m->from_shards == 1 ? "" : "s");
}

static void add_cold(const struct play_result *r, struct str *out)
{
    const struct play_cold *cold = &r->cold;
    if (!cold->measured) {
        return;
    }
    str_add(out, " Cold cache servers: in the first second hits fall from ");
    str_addf(out, "%" PRIu32 "%% to ", r->settings.database_cache_pct);
    add_share(out, cold->reads - cold->missed, cold->reads);
    str_add(out, ", and the shards are asked for ");
    add_number(out, cold->missed);
    str_add(out, " reads instead of ");
    add_number(out, play_reads_left(r, NULL));
    if (cold->refused > 0) {
        str_add(out, "; they refuse ");
        add_number(out, cold->refused);
    }
    str_addc(out, '.');
}

void play_tell_step(const struct play_settings *before, const struct play_settings *after,
                    struct str *out)
{
    uint32_t id = 0;
    size_t start = out->length;
    int more = one_shard_more(before, after, &id);
    if (more != 0) {
        str_addf(out, "S%" PRIu32 " %s", id, more > 0 ? "joined" : "left");
        return;
    }
    add_differences(before, after, "to", ", ", out);
    if (!same_shards(before, after)) {
        str_add(out, out->length > start ? ", shards now " : "shards now ");
        play_say_control(after, PLAY_SHARD_ADD, 0, out);
    }
    str_add(out, out->length > start ? "" : "the same shards by another way");
}

void play_tell_change(const struct play_result *r, const struct play_settings *before,
                      struct str *out)
{
    if (before == NULL) {
        str_add(out, "Nothing has changed yet.");
        return;
    }
    play_tell_step(before, &r->settings, out);
    str_add(out, ": ");
    add_moved(r, out);
    if (before->tokens != r->settings.tokens && !play_scheme_has_tokens(r->settings.scheme)) {
        str_addf(out, " The scheme %s has no tokens.", r->settings.scheme->name);
    }
    add_cold(r, out);
}

/* --- how it is ---------------------------------------------------------------------------------
 */

static void add_busiest(const struct play_result *r, struct str *out)
{
    const struct play_shard *s = &r->shard[r->busiest];
    uint64_t total = 0;
    bool alike = true;
    for (uint32_t i = 0; i < r->shards; i++) {
        total += r->shard[i].rates.writes;
        alike = alike && r->shard[i].rates.writes == s->rates.writes;
    }
    if (total == 0) {
        str_add(out, "No write reaches a shard.");
        return;
    }
    if (alike) {
        str_add(out, r->shards == 1 ? "The shard" : "Each shard");
    } else {
        str_addf(out, "The busiest shard, S%" PRIu32 ",", s->id);
    }
    str_add(out, " is asked for ");
    add_number(out, s->rates.writes);
    str_add(out, " writes a second, ");
    if (!alike) {
        add_times(out, s->rates.writes, total, r->shards);
        str_add(out, " the average and ");
    }
    str_addf(out, "%s%% of what it can take.",
             num_ratio((int64_t)s->rates.writes, s->write_ceiling, 0).text);
}

/* Reads, where a shard is fuller of them than any is of writes. */
static void add_fullest_reads(const struct play_result *r, struct str *out)
{
    const struct play_shard *fullest = &r->shard[0];
    uint64_t writes_pct = 0;
    for (uint32_t i = 0; i < r->shards; i++) {
        const struct play_shard *s = &r->shard[i];
        uint64_t pct = s->rates.writes * 100 / s->write_ceiling;
        writes_pct = pct > writes_pct ? pct : writes_pct;
        fullest = s->rates.reads > fullest->rates.reads ? s : fullest;
    }
    if (fullest->rates.reads * 100 / fullest->read_ceiling > writes_pct) {
        str_addf(out, " Of reads, S%" PRIu32 " is asked for the most: ", fullest->id);
        add_number(out, fullest->rates.reads);
        str_addf(out, ", %s%%.",
                 num_ratio((int64_t)fullest->rates.reads, fullest->read_ceiling, 0).text);
    }
}

static void add_refused(const struct play_result *r, struct str *out)
{
    const struct shard_rates *all = &r->rates.cluster;
    if (all->refused_writes + all->refused_reads == 0) {
        str_add(out, " Nothing is refused.");
        return;
    }
    str_add(out, " Refused a second:");
    if (all->refused_writes > 0) {
        str_addc(out, ' ');
        add_number(out, all->refused_writes);
        str_add(out, " writes");
    }
    if (all->refused_reads > 0) {
        str_add(out, all->refused_writes > 0 ? " and " : " ");
        add_number(out, all->refused_reads);
        str_add(out, " reads");
    }
    str_addc(out, '.');
}

void play_tell_state(const struct play_result *r, struct str *out)
{
    const struct play_settings *s = &r->settings;
    add_busiest(r, out);
    add_fullest_reads(r, out);
    add_refused(r, out);
    if (s->salt > 1) {
        str_addf(out, " A read of the hottest key asks %" PRIu32 " sub-keys.", s->salt);
    }
    if (s->preagg) {
        str_add(out, " Routers add its writes up, and send a sum every 500 ms.");
    }
    if (s->cache) {
        str_add(out, " Routers answer ");
        add_number(out, r->cache_hits);
        str_add(out, " reads a second themselves, at most 3 s old.");
    }
    if (s->database_cache_pct > 0) {
        str_add(out, " Of ");
        add_number(out, r->reads);
        str_add(out, " reads the cache leaves ");
        add_number(out, play_reads_left(r, NULL));
        str_add(out, " to the shards.");
    }
    if (!play_scheme_has_weights(s->scheme)) {
        for (uint32_t i = 0; i < r->shards; i++) {
            if (r->shard[i].weight != LAYOUT_WEIGHT_USUAL) {
                str_addf(out, " The scheme %s knows no weights.", s->scheme->name);
                break;
            }
        }
    }
}
