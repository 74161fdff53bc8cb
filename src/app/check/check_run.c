/*
 * check_run: see check_run.h.
 */
#include "app/check/check_run.h"
#include "base/num.h"
#include "engine/trace.h"

#define SPEED_US INT64_C(5000) /* of the world in a second of ours: hops can be followed */
#define SHIFT_LEAST (-3)
#define SHIFT_MOST 8
#define GAP_SHARE_US INT64_C(300000) /* a still gap shrinks by its whole length in this time */
#define EVENTS_MAX 20000             /* of one frame */
#define QUIET_US INT64_C(500000)     /* nothing is told for so long: nothing will be */

void check_run_drop(struct check_run *run)
{
    int shift = run->shift;
    world_free(run->world);
    *run = (struct check_run){.shift = shift};
}

static void copy_film(struct check_run *run, const struct check_session *s)
{
    if (!run->world) {
        run->world = world_copy(check_session_world(s));
        run->events = 0;
        run->told = trace_next(run->world);
        run->quiet_from = world_now(run->world);
    }
}

/* Back: anew from the film, one event fewer. What a world does depends on nothing else. */
static bool event_back(struct check_run *run, const struct check_session *s)
{
    uint64_t events = run->events;
    if (!run->world || events == 0) {
        bool moved = run->world && world_now(run->world) > world_now(check_session_world(s));
        check_run_drop(run);
        return moved;
    }
    check_run_drop(run);
    copy_film(run, s);
    while (run->events + 1 < events && world_step(run->world)) {
        run->events++;
    }
    return true;
}

bool check_run_event(struct check_run *run, const struct check_session *s, bool back)
{
    run->playing = false;
    if (back) {
        return event_back(run, s);
    }
    copy_film(run, s);
    if (!world_step(run->world)) {
        return false;
    }
    run->events++;
    return true;
}

static int64_t speed(const struct check_run *run)
{
    return run->shift < 0 ? SPEED_US >> -run->shift : SPEED_US << run->shift;
}

/* Shards and routers look at their clocks for ever; that alone is nothing to be seen. */
static bool is_quiet(struct check_run *run)
{
    if (trace_next(run->world) != run->told) {
        run->told = trace_next(run->world);
        run->quiet_from = world_now(run->world);
    }
    return world_now(run->world) - run->quiet_from > QUIET_US;
}

bool check_run_play(struct check_run *run, const struct check_session *s, int64_t wall_us)
{
    int64_t next = 0;
    copy_film(run, s);
    int64_t us = speed(run) * wall_us / US_PER_SECOND;
    int64_t now = world_now(run->world);
    if (is_quiet(run) || !world_next_time(run->world, &next)) {
        run->playing = false;
        return false;
    }
    int64_t across = (next - now) * wall_us / GAP_SHARE_US;
    us = us < 1 ? 1 : us;
    uint64_t before = world_events(run->world);
    world_run_some(run->world, now + (across > us ? across : us), EVENTS_MAX);
    run->events += world_events(run->world) - before;
    return true;
}

void check_run_speed(struct check_run *run, bool faster)
{
    run->shift += faster ? run->shift < SHIFT_MOST : -(run->shift > SHIFT_LEAST);
}

void check_run_say_speed(const struct check_run *run, struct str *out)
{
    str_addf(out, "%s/s", num_span(speed(run)).text);
}
