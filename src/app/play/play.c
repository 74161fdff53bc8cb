/*
 * play: how simulated time passes while somebody watches.
 *
 * A request's hops take milliseconds and a scene takes seconds, so the usual speed depends on what
 * is going on; [ and ] shift it. The pause of a slot that moves takes milliseconds, too. A gap in
 * which nothing happens is crossed faster than the rest, so that waiting for an answer never means
 * staring at a still picture. See ui.h.
 */
#include "app/ui.h"
#include "base/num.h"
#include "engine/moves/moves.h"
#include <string.h>

/* Simulated microseconds in one second of ours. */
static const int64_t speeds[] = {
    1000,   2000,    5000,    10000,   20000,    50000,    100000,   200000,
    500000, 1000000, 2000000, 5000000, 10000000, 20000000, 50000000, 100000000,
};
#define SPEEDS ((int)(sizeof speeds / sizeof speeds[0]))
#define SPEED_REQUEST 2 /* 5 ms a second: the hops of a request can be followed */
#define SPEED_SCENE 9   /* 1x */

#define GAP_SHARE_US INT64_C(300000) /* a still gap shrinks by its whole length in this time */
#define STEP_MAX_US INT64_C(100000)  /* of our time: after a stop the world does not leap */
#define SETTLE_LIMIT 100000          /* events: a request among the heaviest traffic */
/* Events of one frame, some milliseconds of work. With more traffic time passes more slowly than
 * was asked for, and the keys stay quick. */
#define FRAME_EVENTS UINT64_C(50000)
#define LEAP_EVENTS UINT64_C(2000000) /* at once, where nothing moves: less than a second */

static bool request_open(const struct ui *ui)
{
    const struct world *w = player_world(ui->course.player);
    struct request_info info;
    uint64_t number = w ? world_last_request(w) : 0;
    return number > 0 && world_request(w, number, &info) && !info.done;
}

static bool is_followed(const struct ui *ui)
{
    struct request_info info;
    const struct world *w = player_world(ui->course.player);
    return ui->course.following > 0 && w && world_request(w, ui->course.following, &info) &&
           !info.done;
}

/* Nobody serves a slot that moves: some milliseconds that are worth seeing. */
static bool in_pause(const struct ui *ui)
{
    const struct world *w = player_world(ui->course.player);
    struct move_info m;
    for (uint32_t row = 0; w && row < moves_rows(w); row++) {
        if (moves_info(w, row, &m) && !m.ended && m.phase == MOVE_FENCED) {
            return true;
        }
    }
    return false;
}

static int speed_index(const struct ui *ui)
{
    bool slow = (request_open(ui) || in_pause(ui)) && !ui->course.stepped;
    int usual = slow ? SPEED_REQUEST : SPEED_SCENE;
    int index = usual + ui->course.speed_shift;
    return index < 0 ? 0 : index >= SPEEDS ? SPEEDS - 1 : index;
}

void play_say_speed(const struct ui *ui, struct str *out)
{
    int64_t speed = speeds[speed_index(ui)];
    if (ui->course.strained && play_running(ui)) {
        str_add(out, "up to ");
    }
    if (speed >= US_PER_SECOND) {
        str_addf(out, "%sx", num_grouped(speed / US_PER_SECOND).text);
    } else {
        str_addf(out, "%s/s", num_span(speed).text);
    }
}

bool play_running(const struct ui *ui)
{
    const struct page *page = course_page(ui);
    if (glossary_screen_works_on(ui) || check_screen_works_on(ui) ||
        (page && player_filling(ui->course.player))) {
        return true;
    }
    if (!page || ui->course.paused || (!page->running && !player_world(ui->course.player))) {
        return false;
    }
    return page->running || ui->course.free_play || is_followed(ui);
}

bool play_possible(const struct ui *ui)
{
    int64_t next = 0;
    const struct page *page = course_page(ui);
    const struct world *w = page ? player_world(ui->course.player) : NULL;
    return w && (page->running || play_running(ui) || world_next_time(w, &next));
}

/* An experiment runs: the world stands still meanwhile. */
static bool trying(const struct ui *ui)
{
    const struct page *page = course_page(ui);
    return page->running && page->experiment != NULL;
}

static void try_on(struct ui *ui, int64_t us)
{
    struct err err;
    ui->course.strained = false;
    if (!player_tick(ui->course.player, us > 0 ? us : 1, &err)) {
        ui_say_err(ui, &err);
    }
    course_changed(ui);
}

void play_tick(struct ui *ui, int64_t wall_us)
{
    struct err err;
    if (!play_running(ui)) {
        return;
    }
    if (glossary_screen_works_on(ui)) {
        glossary_screen_tick(ui);
        return;
    }
    if (check_screen_works_on(ui)) {
        check_screen_tick(ui, wall_us > STEP_MAX_US ? STEP_MAX_US : wall_us);
        return;
    }
    if (player_filling(ui->course.player)) {
        course_fill(ui);
        return;
    }
    const struct world *w = player_world(ui->course.player);
    wall_us = wall_us > STEP_MAX_US ? STEP_MAX_US : wall_us;
    int64_t us = speeds[speed_index(ui)] * wall_us / US_PER_SECOND;
    int64_t next = 0;
    if (request_open(ui) && world_next_time(w, &next) && next > world_now(w)) {
        int64_t across = (next - world_now(w)) * wall_us / GAP_SHARE_US;
        us = across > us ? across : us;
    }
    if (trying(ui)) {
        try_on(ui, us);
        return;
    }
    int64_t wanted = world_now(w) + us;
    if (us > 0 && !player_play(ui->course.player, us, FRAME_EVENTS, &err)) {
        ui->course.free_play = false;
        ui->course.following = 0;
        ui_say_err(ui, &err);
    }
    if (!course_page(ui)->running && !world_next_time(w, &next)) {
        ui->course.free_play = false; /* nothing is left to happen */
    }
    ui->course.strained = world_now(w) < wanted && play_running(ui);
    course_changed(ui);
}

void play_settle(struct ui *ui)
{
    struct err err;
    const struct page *page = course_page(ui);
    while (glossary_screen_works_on(ui)) {
        glossary_screen_tick(ui);
    }
    check_screen_wait(ui);
    while (page && player_filling(ui->course.player)) {
        course_fill(ui);
    }
    if (!page || ui->course.paused) {
        return;
    }
    if (page->running) {
        if (!player_finish_run(ui->course.player, &err)) {
            ui_say_err(ui, &err);
        }
        course_changed(ui);
    }
    while (player_filling(ui->course.player)) { /* what came into sight with the run's end */
        course_fill(ui);
    }
    for (int i = 0; i < SETTLE_LIMIT && is_followed(ui); i++) {
        if (!player_event(ui->course.player, &err)) {
            ui->course.following = 0;
        }
    }
    course_changed(ui);
}

static void one_event(struct ui *ui, bool back)
{
    struct err err = {.text = ""};
    bool moved =
        back ? player_event_back(ui->course.player) : player_event(ui->course.player, &err);
    if (moved || course_page(ui)->running) {
        ui->course.paused = true;
        ui->course.stepped = true;
    }
    if (!moved) {
        if (*err.text) {
            ui_say_err(ui, &err);
        } else {
            ui_say(ui, STYLE_DIM,
                   back ? "Nothing earlier happened in this step." : "Nothing more will happen.");
        }
    }
    course_changed(ui);
}

/* Without motion nothing goes on by itself: a second of ours at once, whatever that is worth. */
static void leap(struct ui *ui)
{
    struct err err;
    const struct world *w = player_world(ui->course.player);
    int64_t from = world_now(w);
    if (!player_play(ui->course.player, speeds[speed_index(ui)], LEAP_EVENTS, &err)) {
        ui_say_err(ui, &err);
    } else {
        ui_say(ui, STYLE_DIM, "%s passed.", num_span(world_now(w) - from).text);
    }
    course_changed(ui);
}

static void toggle(struct ui *ui)
{
    struct course *course = &ui->course;
    if (ui->options.no_motion && !course_page(ui)->running && !is_followed(ui)) {
        leap(ui);
    } else if (play_running(ui)) {
        course->paused = true;
    } else {
        course->free_play =
            course->free_play || !course->paused || !(course_page(ui)->running || is_followed(ui));
        course->paused = false;
        course->stepped = false;
    }
}

void play_action(struct ui *ui, enum action action)
{
    struct course *course = &ui->course;
    int room = action == ACT_FASTER ? SPEEDS - 1 - speed_index(ui) : speed_index(ui);
    if (action == ACT_PLAY) {
        toggle(ui);
    } else if (action == ACT_EVENT || action == ACT_EVENT_BACK) {
        one_event(ui, action == ACT_EVENT_BACK);
    } else if (room > 0) {
        course->speed_shift += action == ACT_FASTER ? 1 : -1;
    }
}
