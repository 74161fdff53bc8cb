/*
 * scenes_moves: copies on which the hot slot's move goes otherwise, or another way is taken.
 */
#include "story/scene_inside.h"

#include "base/num.h"

#define SLOT 12067
#define SOURCE 2
#define TARGET 4

/* Likes that clients were told succeeded and that no owner holds. */
static int64_t lost_likes(const struct world *w)
{
    int64_t lost = 0;
    for (uint32_t key = 0; key < world_keys(w); key++) {
        lost += (int64_t)world_lost(w, key);
    }
    return lost;
}

static void report_lost(struct stage *s, struct scene_report *r)
{
    report_figure(r, s->failed ? 0 : lost_likes(s->world) * 1000, "likes", "answered OK and lost");
}

static uint64_t redirects(const struct world *w)
{
    uint64_t sum = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        sum += world_router(w, router).redirects;
    }
    return sum;
}

static void aborted(struct stage *s)
{
    stage_do(s, "abort %d", SLOT);
    stage_run_until(s, "20:11:20");
    struct scene_report *r = stage_report(s, "dropped before the flip: S2 serves as before");
    report_lost(s, r);
}

static void rolled_back(struct stage *s)
{
    stage_do(s, "rollback %d", SLOT);
    stage_run_until(s, "20:13:00");
    stage_do(s, "fence %d", SLOT);
    stage_run(s, US_PER_SECOND);
    struct scene_report *r = stage_report(s, "moved back after the flip: S2 has the slot again");
    struct move_info move = {0};
    if (!s->failed && moves_info_of(s->world, SLOT, &move)) {
        report_figure(r, move.committed_us - move.fenced_us, "ms", "nobody served it");
    }
    report_lost(s, r);
}

/* R5 is deaf: a comment's like that it sends by its old map. */
static void unchecked(struct stage *s, bool check)
{
    stage_copy(s);
    stage_do(s, "rule slot-table-check %s", check ? "on" : "off");
    stage_do(s, "request like comments:{p9} via R5");
    stage_run_until(s, "20:11:10.470");
    stage_do(s, "fence %d", SLOT);
    stage_run_until(s, "20:11:10.600");
    stage_do(s, "request like comments:{p9} via R5");
    stage_run_until(s, "20:11:12");
    struct scene_report *r = stage_note(
        s, check ? "Shards look into their slot table: R5 is turned away, and its like arrives."
                 : "They do not look: S2 takes a like for a slot that it has given away.");
    uint32_t key = stage_key(s, "comments:{p9}");
    report_figure(r, (int64_t)world_acked(s->world, key) * 1000, "likes", "were answered OK");
    report_figure(r, (int64_t)world_value(s->world, TARGET, key) * 1000, "likes",
                  "are with the owner, S4");
    report_lost(s, r);
}

static void without_table(struct stage *s)
{
    unchecked(s, true);
    unchecked(s, false);
}

static void key_by_key(struct stage *s)
{
    stage_do(s, "abort %d", SLOT);
    uint64_t before = redirects(s->world);
    stage_do(s, "shift %d S%d 10", SLOT, TARGET);
    stage_run(s, 5 * US_PER_SECOND);
    struct scene_report *r = stage_note(s, "One key after the other has gone to S4.");
    report_figure(r, (int64_t)(redirects(s->world) - before) * 1000, "requests",
                  "needed an extra hop until here");
    stage_do(s, "shift %d finish", SLOT);
    stage_run(s, US_PER_SECOND);
    r = stage_report(s, "S4 has claimed the slot");
    report_lost(s, r);
}

static void cold_neighbours(struct stage *s)
{
    static const int slots[] = {11819, 11951, 10396};
    stage_do(s, "abort %d", SLOT);
    for (int i = 0; i < 3; i++) {
        stage_do(s, "migrate %d S%d 5000000 3000000", slots[i], TARGET);
    }
    stage_run(s, 5 * US_PER_SECOND);
    for (int i = 0; i < 3; i++) {
        stage_do(s, "fence %d", slots[i]);
    }
    stage_run(s, US_PER_SECOND);
    struct scene_report *r = stage_report(s, "p1, p5 and p13 are on S4, p9 has S2 for itself");
    report_lost(s, r);
}

/* --- 23: dual writes --- */

/* p9 was edited four times, and from now on edits go to both shards. */
static void written_to_both(struct stage *s)
{
    stage_copy(s);
    stage_do(s, "abort %d", SLOT);
    for (int i = 0; i < 4; i++) {
        stage_do(s, "request edit post:{p9} via R0");
        stage_run(s, 100 * US_PER_MS);
    }
    stage_do(s, "dual %d S%d", SLOT, TARGET);
}

static void report_versions(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    if (s->failed) {
        return;
    }
    uint32_t key = stage_key(s, "post:{p9}");
    report_figure(r, world_key_version(s->world, SOURCE, key) * INT64_C(1000), "version",
                  "of post:{p9} is on S%d", SOURCE);
    report_figure(r, world_key_version(s->world, TARGET, key) * INT64_C(1000), "version",
                  "of it is on S%d", TARGET);
}

/* The backfill has read v4 at the source; v5 is at both shards before v4 arrives. */
static void backfill_late(struct stage *s, bool versions, const char *title)
{
    written_to_both(s);
    stage_do(s, "rule newer-only %s", versions ? "on" : "off");
    stage_do(s, "dual %d S%d backfill 20", SLOT, TARGET);
    stage_run(s, US_PER_MS);
    stage_do(s, "request edit post:{p9} via R4");
    stage_run(s, 30 * US_PER_MS);
    report_versions(s, title);
}

/* The backfill is done. R0 is farther from both shards than R4 and begins a little earlier: its
 * edit is the first at the source, and R4's is the first at the target. */
static void writers_race(struct stage *s, bool versions, const char *title)
{
    written_to_both(s);
    stage_do(s, "dual %d S%d backfill 1000", SLOT, TARGET);
    stage_run(s, 200 * US_PER_MS);
    stage_do(s, "rule newer-only %s", versions ? "on" : "off");
    stage_do(s, "request edit post:{p9} via R0");
    stage_run(s, 400);
    stage_do(s, "request edit post:{p9} via R4");
    stage_run(s, 50 * US_PER_MS);
    report_versions(s, title);
}

static void dual_writes(struct stage *s)
{
    backfill_late(s, false, "No versions: the backfill read v4, and writes it over v5.");
    writers_race(s, false, "No versions: two writers, and the shards see them in two orders.");
    backfill_late(s, true, "With versions the backfill's v4 is refused: v5 is newer.");
    writers_race(s, true, "With versions the two writers' edits end alike on both shards.");
}

const struct scene_of scenes_of_moves[] = {
    {"19", aborted, 0},    {"20", rolled_back, 0}, {"21", without_table, 0},
    {"22", key_by_key, 0}, {"23", dual_writes, 1}, {"24", cold_neighbours, 0},
    {NULL, NULL, 0},
};
