/*
 * scenes_here: what is special to each event of the main line.
 */
#include "story/scene_inside.h"

#include "base/num.h"
#include "base/utf8.h"
#include <string.h>

#define SLOT 12067
#define HOT_SHARD 2
#define DEAF_ROUTER 5

static bool is(const struct story_event *event, const char *id)
{
    return strcmp(event->id, id) == 0;
}

static bool among(const struct story_event *event, const char *const *ids)
{
    for (; *ids != NULL; ids++) {
        if (is(event, *ids)) {
            return true;
        }
    }
    return false;
}

/* The sample's last report: how much of its shard's sample each hot key is. */
static void sampled(const struct world *w, struct scene_report *r)
{
    const struct hot_report *report = guards_report(w);
    for (uint32_t i = 0; i < report->count && r->figures + 2 <= SCENE_FIGURES_MAX; i++) {
        const struct hot_key *hot = &report->row[i];
        struct bytes key = world_key(w, hot->key);
        report_figure(r, hot->writes * INT64_C(1000), "writes",
                      "of %u sampled of S%u were of the tag of %.*s", hot->shard_writes,
                      (unsigned)hot->shard, (int)key.length, key.at);
        report_figure(r, hot->reads * INT64_C(1000), "reads", "of %u", hot->shard_reads);
    }
}

static void turned_away(const struct world *w, struct world *scratch, struct scene_report *r)
{
    uint64_t limited = 0;
    for (uint16_t i = 0; i < world_config_of(w)->routers; i++) {
        struct guard_router_info then = guards_router(w, i);
        struct guard_router_info now = guards_router(scratch, i); /* a second later */
        limited += now.turned[TURNED_LIMIT_KEY] + now.turned[TURNED_LIMIT_TENANT] -
                   then.turned[TURNED_LIMIT_KEY] - then.turned[TURNED_LIMIT_TENANT];
    }
    report_figure(r, (int64_t)limited * 1000, "429/s", "are answered by the routers");
}

static void counted(const struct world *w, struct scene_report *r)
{
    uint32_t key = 0;
    struct count_info count;
    if (world_find_key(w, bytes_of("likes:{p9}"), &key) && writes_count(w, key, &count)) {
        report_figure(r, (int64_t)count.durable * 1000, "likes", "of p9 are durable in liked");
        report_figure(r, (int64_t)count.shown * 1000, "likes", "are in its count");
        report_figure(r, (int64_t)count.buffered * 1000, "likes", "wait in the routers' buffers");
        report_figure(r, (int64_t)count.lost * 1000, "likes", "were lost from buffers in crashes");
    }
}

/* One request reads the post and its count, each router once a second. */
static void page_reads(const struct world *w, const struct world *later, struct scene_report *r)
{
    struct shard_info then = world_shard(w, HOT_SHARD);
    struct shard_info now = world_shard(later, HOT_SHARD);
    report_figure(r, (int64_t)(now.served_reads - then.served_reads) * 1000, "reads/s",
                  "are served by S%d, a post with its count as one", HOT_SHARD);
    report_figure(r, (int64_t)(now.keys_read - then.keys_read) * 1000, "keys/s",
                  "are read by these");
}

/* R5 does not hear of maps: what its old one costs it. */
static void told_by_redirect(const struct world *w, const struct world *later,
                             struct scene_report *r)
{
    struct router_info then = world_router(w, DEAF_ROUTER);
    struct router_info now = world_router(later, DEAF_ROUTER);
    report_figure(r, then.map_version * INT64_C(1000), "version", "of the map is what R%d has here",
                  DEAF_ROUTER);
    report_figure(r, (int64_t)(now.redirects - then.redirects) * 1000, "requests",
                  "of R%d are turned away in a second", DEAF_ROUTER);
    report_figure(r, now.map_version * INT64_C(1000), "version", "of the map is what it has then");
}

static void moving(const struct world *w, struct scene_report *r)
{
    struct move_info m;
    if (!moves_info_of(w, SLOT, &m)) {
        return;
    }
    report_figure(r, (int64_t)(m.copied_bytes / 1000), "MB", "are copied, of %u MB",
                  (unsigned)(m.bytes / 1000000));
    report_figure(r, m.end * INT64_C(1000), "entries", "were written to the slot since");
    report_figure(r, m.applied * INT64_C(1000), "entries", "of them S%u has applied",
                  (unsigned)m.target);
    if (m.committed_us != MOVE_NEVER) {
        report_figure(r, m.committed_us - m.fenced_us, "ms", "passed between fence and commit");
    }
}

void scene_report_here(const struct story_play *play, const struct story_event *event,
                       struct world *scratch, struct scene_report *out)
{
    static const char *const of_counts[] = {"9", "10", "11", NULL};
    static const char *const of_moves[] = {"13", "14", "15", "16", "17", "18", NULL};
    const struct world *w = play->world;
    report_rates(out, w, scratch);
    if (is(event, "5")) {
        sampled(scratch, out); /* the window ends at this instant: a second later it is told */
    } else if (is(event, "6")) {
        turned_away(w, scratch, out);
    } else if (among(event, of_counts)) {
        counted(scratch, out); /* a second later: what begins here is done then */
        if (is(event, "9")) {
            page_reads(w, scratch, out);
        }
    } else if (among(event, of_moves)) {
        moving(is(event, "16") ? scratch : w, out);
        if (is(event, "17")) {
            told_by_redirect(w, scratch, out);
        }
    }
}
