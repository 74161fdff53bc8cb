/*
 * act: what the learner does to the world between runs, undone and done again; and time.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct undo remember(const struct player *p)
{
    const struct step *s = &p->step[p->current];
    struct undo u = {.world = p->world[0] != NULL && !p->unwatched ? world_copy(p->world[0]) : NULL,
                     .journal = xstrdup(str_text(&p->journal.text)),
                     .task_met = s->page.task_met};
    memcpy(u.knob, s->knob, sizeof u.knob);
    return u;
}

static void forget(struct undo *u)
{
    world_free(u->world);
    free(u->journal);
}

static void push(struct undo *list, size_t *count, struct undo u)
{
    if (*count == UNDO_MAX) {
        forget(&list[0]);
        memmove(list, list + 1, (UNDO_MAX - 1) * sizeof *list);
        (*count)--;
    }
    list[(*count)++] = u;
}

static void go_to(struct player *p, struct undo *u)
{
    struct step *s = step_now(p);
    if (u->world != NULL) {
        world_copy_into(p->world[0], u->world);
    }
    str_clear(&p->journal.text);
    str_add(&p->journal.text, u->journal);
    p->journal.entries = 0;
    for (const char *at = u->journal; (at = strchr(at, '\n')) != NULL; at++) {
        p->journal.entries++;
    }
    p->journal.entries -= p->journal.entries > 0; /* the first line is the header */
    s->page.task_met = u->task_met;
    p->changes++;
    p->let_pass = false;
    anchor_set(p);
    if (memcmp(s->knob, u->knob, sizeof s->knob) != 0) {
        memcpy(s->knob, u->knob, sizeof s->knob);
        page_again(p, NULL); /* it was so before: it worked then */
    }
    forget(u);
}

static bool at_rest(const struct player *p, struct err *err)
{
    return visit_allows(p, err) &&
           (!run_under_way(p) ||
            err_set(err, "this step is still running: wait, or go on to finish it"));
}

static bool may_act(const struct player *p, struct err *err)
{
    return p->world[0] != NULL ? at_rest(p, err) : err_set(err, "nothing runs in this drill");
}

/* An act was done: it can be undone, and what was undone before is gone. */
static void done(struct player *p, struct undo before)
{
    push(p->undo, &p->undos, before);
    while (p->redos > 0) {
        forget(&p->redo[--p->redos]);
    }
}

bool player_act(struct player *p, const struct command *c, struct err *err)
{
    if (!may_act(p, err)) {
        return false;
    }
    struct undo before = remember(p);
    int64_t now = world_now(p->world[0]);
    if (!apply_journaled(p, c, err)) {
        forget(&before);
        return false;
    }
    done(p, before);
    anchor_set(p);
    bool let_pass = p->let_pass;
    bool good = c->kind == COMMAND_REQUEST ? goal_check(p, err) : player_tick(p, SETTLE_US, err);
    p->waited_us = let_pass ? now : 0;
    p->let_pass = false;
    return good;
}

bool act_and_wait(struct player *p, const struct command *c, struct err *err)
{
    if (!player_act(p, c, err)) {
        return false;
    }
    uint64_t most = pass_left(p) < EVENTS_MAX ? pass_left(p) : EVENTS_MAX, rest = most;
    world_go(p, world_now(p->world[0]) + ANSWER_MAX_US, true, &rest);
    p->pass_events += most - rest;
    anchor_set(p);
    return true;
}

bool player_turn(struct player *p, const char *name, const char *value, struct err *err)
{
    size_t knob = 0, at = 0;
    struct step *s = step_now(p);
    if (!at_rest(p, err) || !player_knob_find(p, name, value, &knob, &at, err)) {
        return false;
    }
    if (s->knob[knob] == at) {
        return true;
    }
    struct undo before = remember(p);
    s->knob[knob] = at;
    if (!page_again(p, err)) {
        s->knob[knob] = before.knob[knob];
        placing_build(p, NULL); /* as it was */
        forget(&before);
        return false;
    }
    done(p, before);
    return goal_check(p, err);
}

/* "knob NAME VALUE" */
static bool turn_in_words(struct player *p, const char *words, struct err *err)
{
    char name[32], value[64];
    if (sscanf(words, "knob %31s %63s", name, value) != 2) {
        return err_set(err, "knob: write its name and a value, as in: knob tokens 16");
    }
    return player_turn(p, name, value, err);
}

bool act_in_words(struct player *p, const char *words, struct err *err)
{
    struct command c;
    if (str_starts(words, "knob ")) {
        return turn_in_words(p, words, err);
    }
    return command_parse(words, &c, err) && act_and_wait(p, &c, err);
}

bool player_can_undo(const struct player *p)
{
    return p->undos > 0 && !run_under_way(p) && p->visit == NULL;
}

bool player_can_redo(const struct player *p)
{
    return p->redos > 0 && !run_under_way(p) && p->visit == NULL;
}

bool player_undo(struct player *p)
{
    if (!player_can_undo(p)) {
        return false;
    }
    push(p->redo, &p->redos, remember(p));
    go_to(p, &p->undo[--p->undos]);
    player_opened(p, "undo", ""); /* a task may be just that */
    return true;
}

bool player_redo(struct player *p)
{
    if (!player_can_redo(p)) {
        return false;
    }
    push(p->undo, &p->undos, remember(p));
    go_to(p, &p->redo[--p->redos]);
    return true;
}

bool player_set_key(struct player *p, const char *key, struct err *err)
{
    struct step *s = step_now(p);
    size_t length = strlen(key);
    if (length == 0 || length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes, not %zu", KEY_BYTES_MAX, length);
    }
    memcpy(s->key, key, length + 1);
    foreseen_forget(p);
    return true;
}

bool player_set_router(struct player *p, uint16_t router, struct err *err)
{
    if (p->world[0] == NULL || router >= world_config_of(p->world[0])->routers) {
        return err_set(err, "there is no router R%d here", (int)router);
    }
    foreseen_forget(p);
    step_now(p)->router = router;
    page_now(p)->router = router;
    return true;
}

/* --- time --- */

void waited(struct player *p)
{
    if (p->let_pass && p->world[0] != NULL) {
        p->waited_us = world_now(p->world[0]);
    }
    p->let_pass = false;
}

int64_t player_waited(struct player *p)
{
    int64_t us = p->waited_us;
    p->waited_us = 0;
    return us;
}

bool passed(struct player *p, struct err *err)
{
    bool met = page_now(p)->task_met;
    bool good = goal_check(p, err);
    if (page_now(p)->task_met && !met) {
        waited(p);
    }
    return good;
}

bool player_play(struct player *p, int64_t us, uint64_t events, struct err *err)
{
    if (us <= 0 || (p->world[0] == NULL && !p->trying)) {
        return true;
    }
    if (p->visit != NULL) {
        return visit_play(p, us, events, err);
    }
    if (run_under_way(p)) {
        return run_advance(p, us, events, err);
    }
    struct err why = {""};
    p->let_pass = p->let_pass || world_all_answered(p->world[0]);
    world_go(p, world_now(p->world[0]) + us, false, &events);
    if (world_stopped(p->world[0], &why)) {
        return err_set(err, "%s", why.text);
    }
    return passed(p, err);
}

bool player_tick(struct player *p, int64_t us, struct err *err)
{
    return player_play(p, us, UINT64_MAX, err);
}

bool player_finish_run(struct player *p, struct err *err)
{
    return run_advance(p, -1, UINT64_MAX, err);
}
