/*
 * check_replay_cue: what is done to a world while a schedule is played, and what it tells.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "engine/queries/queries.h"
#include <inttypes.h>
#include <stdio.h>

#define DOUBLED_US 1 /* after its time both of a doubled message are there */

void replay_tell(struct replay *r, struct str *lines)
{
    for (; r->told < trace_next(r->world); r->told++) {
        trace_say(r->world, trace_get(r->world, r->told), lines);
        str_addc(lines, '\n');
    }
}

static void command(struct replay *r, const char *words, struct str *lines)
{
    struct command c;
    struct err err = {{0}};
    bool read = command_parse(words, &c, &err);
    CHECK(read && "a plan's commands are well formed");
    if (!world_apply(r->world, &c, &err)) {
        replay_tell(r, lines);
        int64_t now = world_now(r->world);
        str_addf(lines, "%s%03d  operator  %s: refused; %s\n", num_clock(now).text,
                 (int)(now % US_PER_MS), words, err.text);
    }
}

/* With every rule it may have come to its end by now. */
static void hold(struct replay *r, uint64_t number, int64_t until_us, struct str *lines)
{
    char words[80];
    struct request_info info;
    int64_t us = until_us - world_now(r->world);
    bool open = world_request(r->world, number, &info) && !info.done;
    if (number == 0 || until_us == 0 || (r->every_rule && (!open || us <= 0))) {
        return;
    }
    CHECK(us > 0);
    (void)snprintf(words, sizeof words, "hold %" PRIu64 " %" PRId64 ".%03d", number, us / US_PER_MS,
                   (int)(us % US_PER_MS));
    command(r, words, lines);
}

/* --- waiting for something to happen -----------------------------------------------------------
 */

static bool is_awaited(const struct replay *r, const struct cue *cue, const struct trace_record *t)
{
    const struct replay_op *op = &r->op[cue->op];
    bool answer = cue->kind == CUE_ANSWERED;
    bool fits = answer ? t->kind == TRACE_ANSWER || queries_is_answer(t)
                       : t->kind == TRACE_ROUTE || queries_is_question(t);
    if (!fits || (op->number == 0 && !op->own)) {
        return false;
    }
    return op->number != 0 ? t->request == op->number : t->op == cue->want;
}

/* The first record that may be the awaited one: since the cue's time, and behind the last that
 * another cue has had. */
static uint64_t first_awaited(const struct replay *r, const struct cue *cue)
{
    uint64_t from = trace_next(r->world);
    while (from > trace_first(r->world) && from > r->awaited &&
           trace_get(r->world, from - 1)->time_us >= cue->at_us) {
        from--;
    }
    return from;
}

/* Runs the world event by event until the record is there, at most to the end of the step. */
static const struct trace_record *await(struct replay *r, const struct cue *cue)
{
    int64_t next_us = 0;
    int64_t end_us = r->end_us[cue->step];
    uint64_t from = first_awaited(r, cue);
    do {
        for (; from < trace_next(r->world); from++) {
            const struct trace_record *t = trace_get(r->world, from);
            if (t && is_awaited(r, cue, t)) {
                r->awaited = from + 1;
                return t;
            }
        }
    } while (world_next_time(r->world, &next_us) && next_us < end_us && world_step(r->world));
    return NULL;
}

/* Both are held up at once: the second arrives with the first, and can be held up again then. */
static void make_two(struct replay *r, int64_t arrive_us, struct str *lines)
{
    world_run_until(r->world, arrive_us);
    command(r, "network double 100% delay 100% 0.001", lines);
    world_run_until(r->world, arrive_us + DOUBLED_US);
    command(r, "network calm", lines);
}

static void take_awaited(struct replay *r, const struct cue *cue, struct str *lines)
{
    const struct trace_record *t = await(r, cue);
    if (!t) {
        return; /* with every rule it goes otherwise */
    }
    uint64_t number = t->request;
    r->op[cue->op].number = number;
    if (cue->kind == CUE_DOUBLED) {
        make_two(r, t->arrive_us, lines);
    }
    hold(r, number, cue->until_us, lines);
}

void replay_take_cue(struct replay *r, const struct cue *cue, struct str *lines)
{
    struct replay_op *op = &r->op[cue->op];
    if (cue->at_us > world_now(r->world)) {
        world_run_until(r->world, cue->at_us);
    }
    switch (cue->kind) {
    case CUE_COMMAND:
        command(r, cue->words, lines);
        return;
    case CUE_NOTE:
        if (!r->every_rule) { /* with every rule it may come to something else */
            replay_tell(r, lines);
            str_addf(lines, "%s\n", cue->words);
        }
        return;
    case CUE_ASK:
        op->due = r->way->due ? r->way->due(r, cue->op) : replay_acknowledged(r);
        command(r, cue->words, lines);
        op->number = world_last_request(r->world);
        return;
    case CUE_HOLD:
        hold(r, op->number, cue->until_us, lines);
        return;
    case CUE_HOLD_QUERY:
        hold(r, replay_query(r, cue->op), cue->until_us, lines);
        return;
    case CUE_SENT:
    case CUE_DOUBLED:
    case CUE_ANSWERED:
        take_awaited(r, cue, lines);
        return;
    }
    CHECK(false && "no such cue");
}

void replay_settle_times(struct replay *r, struct cue *down, int64_t crashed_us)
{
    int64_t end_us = r->end_us[r->result->depth];
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (cue->kind == CUE_SENT || cue->kind == CUE_ANSWERED) {
            cue->until_us = cue->until_us != 0 ? r->at_us[cue->until_us] : end_us;
        }
    }
    if (down) {
        int64_t away = end_us - crashed_us + US_PER_MS;
        (void)snprintf(down->words, sizeof down->words, "crash R0 %lld",
                       (long long)(away / US_PER_MS));
    }
}
