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
                      "of the %u sampled of S%u have the tag of %.*s", hot->shard_writes,
                      (unsigned)hot->shard, (int)key.length, key.at);
        report_figure(r, hot->reads * INT64_C(1000), "reads",
                      "of the %u sampled of S%u have it too", hot->shard_reads,
                      (unsigned)hot->shard);
    }
}

/* Likes of p9's neighbours that were asked for in a second, and those that were answered OK. */
static void neighbours(const struct world *w, const struct world *later, struct scene_report *r)
{
    static const char *const posts[] = {"likes:{p1}", "likes:{p5}", "likes:{p13}"};
    uint64_t told = 0;
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        uint32_t key;
        if (world_find_key(w, bytes_of(posts[i]), &key)) {
            told += world_acked(later, key) - world_acked(w, key);
        }
    }
    report_figure(r, (int64_t)told * 1000, "likes/s", "of p1, p5 and p13 are answered OK, of 150");
}

static void counted(const struct world *w, struct scene_report *r)
{
    uint32_t key = 0;
    struct count_info count;
    if (world_find_key(w, bytes_of("likes:{p9}"), &key) && writes_count(w, key, &count)) {
        report_figure(r, (int64_t)count.durable * 1000, "likes", "of p9 are durable in liked");
        report_figure(r, (int64_t)count.shown * 1000, "likes", "are in its count");
        report_figure(r, (int64_t)count.buffered * 1000, "likes", "wait in the routers' buffers");
        int64_t gone = (int64_t)count.lost > count.fix ? (int64_t)count.lost - count.fix : 0;
        int64_t between =
            (int64_t)count.durable - (int64_t)count.shown - (int64_t)count.buffered - gone;
        report_figure(r, between * 1000, "likes", "are between liked, a router and the count");
        report_figure(r, (int64_t)count.lost * 1000, "likes", "died with a router's buffer");
        report_figure(r, count.fix * 1000, "likes", "the rebuild has put back");
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
                  "are read by them: the post and six sub-keys");
}

/* R5 does not hear of maps: what its old one costs it. */
static void told_by_redirect(const struct world *w, const struct world *later,
                             struct scene_report *r)
{
    struct router_info then = world_router(w, DEAF_ROUTER);
    struct router_info now = world_router(later, DEAF_ROUTER);
    report_figure(r, then.map_version * INT64_C(1000), "", "is the version of R%d's map here",
                  DEAF_ROUTER);
    report_figure(r, (int64_t)(now.redirects - then.redirects) * 1000, "requests",
                  "of R%d are turned away in a second", DEAF_ROUTER);
    report_figure(r, now.map_version * INT64_C(1000), "", "is the version that it has then");
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
    if (is(event, "4") || is(event, "6")) {
        neighbours(w, scratch, out);
    } else if (is(event, "5")) {
        sampled(scratch, out); /* the window ends at this instant: a second later it is told */
    } else if (among(event, of_counts)) {
        counted(scratch, out); /* a second later: what begins here is done then */
        if (is(event, "9")) {
            page_reads(w, scratch, out);
        }
    } else if (is(event, "25") || is(event, "26")) {
        report_trending(scratch, out);
    } else if (is(event, "28")) {
        report_like(w, scratch, out);
    } else if (is(event, "29")) {
        report_read(w, scratch, out);
    } else if (among(event, of_moves)) {
        moving(is(event, "16") ? scratch : w, out);
        if (is(event, "17")) {
            told_by_redirect(w, scratch, out);
        }
    }
}
