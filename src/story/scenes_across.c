/*
 * scenes_across: queries over all shards, a follow four ways, one like and one read layer by layer,
 * and a zone that is lost.
 */
#include "story/scene_inside.h"

#include "base/num.h"
#include "engine/fleet/fleet.h"
#include "engine/indexes/indexes.h"
#include "engine/queries/queries.h"
#include "engine/txns/txns.h"
#include "story/story.h"
#include <string.h>

#define TRENDING "trending"
#define QUERIES_US (20 * US_PER_SECOND)
#define LAYERS_US (10 * US_PER_MS) /* the trace remembers a moment only */

static bool find_query(const struct world *w, struct query_info *info, uint32_t *index)
{
    if (!world_query_find(w, bytes_of(TRENDING), index)) {
        return false;
    }
    *info = world_query(w, *index);
    return true;
}

/* --- 25, 26: on the main line --- */

void report_trending(const struct world *later, struct scene_report *r)
{
    struct query_info q;
    uint32_t index;
    if (!find_query(later, &q, &index)) {
        return;
    }
    uint64_t crossing = world_query_crossing(later, index);
    report_figure(r, (int64_t)crossing, "KB/s", "of answers cross between zones");
    report_figure(r, (int64_t)world_query_cents(crossing) * 10, "dollars",
                  "is what 30 days of that cost");
    report_figure(r, world_query_latency(later, index, 500), "ms",
                  "or less takes half of the answered queries");
    report_figure(r, world_query_latency(later, index, 990), "ms",
                  "or less take 99 of a hundred of them");
    report_figure(r, (int64_t)q.from_result * 1000, "queries",
                  "were answered from the job's last result so far");
}

/* --- 27: hedged, partial --- */

static void one_way_to_ask(struct stage *s, const char *title, const char *first,
                           const char *second)
{
    struct query_info q = {.asked = 0};
    uint32_t index = 0;
    stage_copy(s);
    stage_do(s, "query " TRENDING " top 10 of likes:* bytes 20KB"); /* counts from here */
    stage_do(s, "gather " TRENDING " 1000");
    if (first != NULL) {
        stage_do(s, "%s", first);
    }
    if (second != NULL) {
        stage_do(s, "%s", second);
    }
    stage_run(s, QUERIES_US);
    struct scene_report *r = stage_note(s, "%s", title);
    if (s->failed || !find_query(s->world, &q, &index)) {
        return;
    }
    report_figure(r, world_query_latency(s->world, index, 500), "ms",
                  "or less takes half of the queries");
    report_figure(r, world_query_latency(s->world, index, 990), "ms",
                  "or less take 99 of a hundred");
    report_figure(r, (int64_t)(q.partial * 100000 / (q.asked > 0 ? q.asked : 1)), "%",
                  "of them are partial: a shard's answer is missing");
    report_figure(r, (int64_t)(q.hedges * 100000 / (q.parts > 0 ? q.parts : 1)), "%",
                  "of all that shards are asked are second asks");
}

static void ways_to_ask(struct stage *s)
{
    one_way_to_ask(s, "All five shards are waited for.", NULL, NULL);
    one_way_to_ask(s, "After 10 ms a follower of the shard is asked the same.",
                   "query " TRENDING " hedge 10", NULL);
    one_way_to_ask(s, "No shard is waited for longer than 20 ms.", "query " TRENDING " timeout 20",
                   NULL);
    one_way_to_ask(s, "One shard is asked: it has all slots.", "move 0-16383 S0", "ceiling S0 0 0");
}

/* --- 27a to 27c: alice follows nova --- */

static void follow_by_index(struct stage *s, const char *mode, const char *title)
{
    stage_copy(s);
    stage_do(s, "catalog follows %s", mode);
    stage_do(s, "put follows 1 nova via R2");
    stage_run(s, 30 * US_PER_MS);
    stage_do(s, "find follows nova via R4");
    stage_run(s, 30 * US_PER_MS);
    struct scene_report *r = stage_note(s, "%s", title);
    if (s->failed) {
        return;
    }
    struct catalog_info c = world_catalog(s->world, 0);
    struct find_info f = world_find(s->world, 0);
    report_figure(r, (int64_t)c.last_put_us, "ms", "until the follow is answered");
    report_figure(r, c.last_writes * INT64_C(1000), "writes", "are waited for");
    report_figure(r, f.missing * INT64_C(1000), "followers", "does a find miss 30 ms later");
    stage_run(s, US_PER_SECOND);
    struct catalog_row_info row = world_catalog_row(s->world, 0, 0);
    report_figure(r, row.indexed_us - row.changed_us, "ms", "is the index behind the row");
}

static void follow_derived(struct stage *s)
{
    follow_by_index(s, "async 200", "nova's list follows the rows, 200 ms later.");
    follow_by_index(s, "sync", "The list is written before the follow is answered.");
}

/* The rows that a follow changes: whom alice follows, and who follows nova. */
static void rows_of_a_follow(struct stage *s, int places)
{
    stage_copy(s);
    stage_do(s, "row following:{alice} 0");
    stage_do(s, "row followers:{nova} 0");
    stage_do(s, "row places:{nova} %d", places);
}

static int64_t row_value(const struct world *w, const char *key)
{
    uint32_t index;
    return world_txn_row_find(w, bytes_of(key), &index) ? world_txn_row(w, index).value : 0;
}

static void report_rows(struct stage *s, struct scene_report *r)
{
    if (!s->failed) {
        report_figure(r, row_value(s->world, "following:{alice}") * 1000, "",
                      "is whom alice follows, counted");
        report_figure(r, row_value(s->world, "followers:{nova}") * 1000, "",
                      "is how many follow nova");
    }
}

static struct scene_report *one_txn(struct stage *s, const char *title, const char *by,
                                    const char *second)
{
    stage_do(s, "txn %s via R2 give following:{alice} 1 %s", by, second);
    stage_run(s, 200 * US_PER_MS);
    struct scene_report *r = stage_note(s, "%s", title);
    if (!s->failed) {
        struct txn_info t = world_txn(s->world, 0);
        report_figure(r, t.ended_us < 0 ? 0 : t.ended_us - t.began_us, "ms",
                      "until the follow is answered");
        report_figure(r, t.messages * INT64_C(1000), "messages", "to the rows' shards");
    }
    return r;
}

static void follow_by_2pc(struct stage *s)
{
    rows_of_a_follow(s, 1);
    struct scene_report *r =
        one_txn(s, "Both rows say yes, then both are told.", "2pc", "give followers:{nova} 1");
    report_rows(s, r);
    rows_of_a_follow(s, 1);
    stage_do(s, "coordinator dies voted 2000");
    stage_do(s, "txn 2pc via R2 give following:{alice} 1 give followers:{nova} 1");
    stage_run(s, 500 * US_PER_MS);
    stage_do(s, "txn 2pc via R4 give following:{bob} 1 give followers:{nova} 1");
    stage_run(s, 4 * US_PER_SECOND);
    r = stage_note(s, "The coordinator dies for 2 s when both have said yes.");
    if (!s->failed) {
        struct txn_info t = world_txn(s->world, 1);
        struct txn_step_info step = t.step[1];
        report_figure(r, step.locked_to_us - step.locked_from_us, "ms",
                      "is nova's row locked by it");
        report_figure(r, (int64_t)world_txn_counts(s->world).refused_by_lock * 1000, "times",
                      "was another follow of nova told that her row is locked");
        report_rows(s, r);
    }
}

static void follow_by_saga(struct stage *s)
{
    rows_of_a_follow(s, 1);
    struct scene_report *r = one_txn(s, "One step after the other, each done at once.", "saga",
                                     "give followers:{nova} 1");
    report_rows(s, r);
    rows_of_a_follow(s, 0);
    r = one_txn(s, "nova has no place for another: alice's step is taken back.", "saga",
                "take places:{nova} 1");
    if (!s->failed) {
        struct txn_step_info step = world_txn(s->world, 0).step[0];
        report_figure(r, step.undone_us - step.done_us, "ms", "others see half of the follow");
        report_rows(s, r);
    }
}

/* --- 28, 29: layer by layer --- */

/* When a request of the command came to each layer, from the records about it. */
static void report_layers(const struct world *w, uint64_t number, struct scene_report *r)
{
    int64_t asked_us = 0;
    for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
        const struct trace_record *t = trace_get(w, at);
        if (t->request != number) {
            continue;
        }
        if (t->kind == TRACE_ASK) {
            asked_us = t->time_us;
            report_figure(r, t->arrive_us - asked_us, "ms", "after the phone asked, R%u has it",
                          (unsigned)t->to.index);
        } else if (t->kind == TRACE_REPLY) {
            report_figure(r, t->arrive_us - asked_us, "ms", "after it asked, the phone is told");
        }
    }
}

static const struct trace_record *next_flush(const struct world *w, int64_t from_us,
                                             uint16_t router)
{
    for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
        const struct trace_record *t = trace_get(w, at);
        if (t->kind == TRACE_ROUTE && t->op == OP_FLUSH && t->from.index == router &&
            t->time_us >= from_us) {
            return t;
        }
    }
    return NULL;
}

void report_like(const struct world *w, struct world *scratch, struct scene_report *r)
{
    struct request_info like;
    world_copy_into(scratch, w);
    world_run_until(scratch, world_now(w) + LAYERS_US);
    uint64_t number = world_last_request(w);
    number = world_request(w, number, &like) && like.op == OP_LIKE ? number : number - 1;
    if (!world_request(scratch, number, &like)) {
        return;
    }
    report_layers(scratch, number, r);
    for (int i = 0; i < 40; i++) {
        const struct trace_record *flush = next_flush(scratch, like.ended_us, like.router);
        if (flush != NULL) {
            report_figure(r, flush->time_us - like.issued_us, "ms",
                          "after it asked, R%u sends its sum to S%u", (unsigned)like.router,
                          (unsigned)flush->to.index);
            return;
        }
        world_run_until(scratch, world_now(scratch) + LAYERS_US * 2);
    }
}

void report_read(const struct world *w, struct world *scratch, struct scene_report *r)
{
    struct request_info read;
    uint64_t number = world_last_request(w);
    world_copy_into(scratch, w);
    world_run_until(scratch, world_now(w) + LAYERS_US);
    if (world_request(scratch, number, &read)) {
        report_layers(scratch, number, r);
        report_figure(r, read.asks * INT64_C(1000), "asks", "of a shard were needed for it");
        uint32_t key = 0;
        if (world_find_key(w, bytes_of("post:{p9}"), &key)) {
            report_figure(r, reads_info(w, read.router, key).held_us, "ms",
                          "old is what R%u keeps of p9", (unsigned)read.router);
        }
    }
}

/* --- 30: a zone is lost --- */

static void report_fleet(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    stage_do(s, "capacity 2500"); /* counts from here */
    stage_run(s, 2 * US_PER_SECOND);
    if (s->failed) {
        return;
    }
    struct fleet_info f = world_fleet(s->world);
    uint64_t asked = 0;
    for (uint16_t i = 0; i < f.routers; i++) {
        struct fleet_router_info router = world_fleet_router(s->world, i);
        asked += router.taken + router.refused;
    }
    report_figure(r, f.up * INT64_C(1000), "routers", "are up, of %u", (unsigned)f.routers);
    report_figure(r, (int64_t)(asked * 500 / f.up), "asks/s", "come to each, of 2,500");
    report_figure(r, (int64_t)(asked * 500 / f.up * 100 / 2500), "%", "of what it can serve");
    report_figure(r, (int64_t)f.refused * 500, "asks/s", "are turned away by all together");
}

/* The evening's traffic on a fleet of this size, four routers a zone. */
static void larger_fleet(struct stage *s)
{
    struct world_config config = story_config(s->seed);
    config.routers = 12;
    for (uint8_t i = 0; i < 12; i++) {
        config.router_zone[i] = i / 4;
    }
    config.start_us = world_now(s->play->world);
    stage_world(s, story_world_of(&config, true, s->err));
    stage_do(s, "reads post:{p9} cached");
    stage_do(s, "writes likes:{p9} summed");
    stage_do(s, "flow like likes:{p9} 2400 steady");
    stage_do(s, "flow read post:{p9} 9000 steady");
}

static void loses_zone(struct stage *s, const char *before, const char *after)
{
    stage_do(s, "capacity 2500");
    stage_run(s, US_PER_SECOND); /* what routers had saved up is spent */
    report_fleet(s, before);
    stage_do(s, "zone a down 3000");
    stage_run(s, 4 * US_PER_SECOND);
    report_fleet(s, after);
}

static void lost_zone(struct stage *s)
{
    loses_zone(s, "The story's six routers.", "Zone a is lost: four of them are left.");
    larger_fleet(s);
    loses_zone(s, "Twelve routers, four in each zone.", "Zone a is lost: eight are left.");
}

const struct scene_of scenes_of_across[] = {
    {"27", ways_to_ask, 2},     {"27a", follow_derived, 1}, {"27b", follow_by_2pc, 1},
    {"27c", follow_by_saga, 0}, {"30", lost_zone, 2},       {NULL, NULL, 0},
};
