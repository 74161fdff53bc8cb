/*
 * act: what the learner does to the world between runs, undone and done again; and time.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include <stdlib.h>
#include <string.h>

static struct undo remember(const struct player *p)
{
    return (struct undo){world_copy(p->world[0]), xstrdup(str_text(&p->journal.text)),
                         p->step[p->current].page.task_met};
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
    world_copy_into(p->world[0], u->world);
    str_clear(&p->journal.text);
    str_add(&p->journal.text, u->journal);
    p->journal.entries = 0;
    for (const char *at = u->journal; (at = strchr(at, '\n')) != NULL; at++) {
        p->journal.entries++;
    }
    p->journal.entries -= p->journal.entries > 0; /* the first line is the header */
    page_now(p)->task_met = u->task_met;
    p->changes++;
    anchor_set(p);
    forget(u);
}

static bool may_act(const struct player *p, struct err *err)
{
    if (p->world[0] == NULL) {
        return err_set(err, "nothing runs in this drill");
    }
    if (p->co != NULL) {
        return err_set(err, "this step is still running: wait, or go on to finish it");
    }
    return true;
}

bool player_act(struct player *p, const struct command *c, struct err *err)
{
    if (!may_act(p, err)) {
        return false;
    }
    struct undo before = remember(p);
    if (!apply_journaled(p, c, err)) {
        forget(&before);
        return false;
    }
    push(p->undo, &p->undos, before);
    while (p->redos > 0) {
        forget(&p->redo[--p->redos]);
    }
    anchor_set(p);
    return c->kind == COMMAND_REQUEST ? goal_check(p, err) : player_tick(p, SETTLE_US, err);
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

bool player_can_undo(const struct player *p)
{
    return p->undos > 0 && p->co == NULL;
}

bool player_can_redo(const struct player *p)
{
    return p->redos > 0 && p->co == NULL;
}

bool player_undo(struct player *p)
{
    if (!player_can_undo(p)) {
        return false;
    }
    push(p->redo, &p->redos, remember(p));
    go_to(p, &p->undo[--p->undos]);
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
    return true;
}

bool player_set_router(struct player *p, uint16_t router, struct err *err)
{
    if (p->world[0] == NULL || router >= world_config_of(p->world[0])->routers) {
        return err_set(err, "there is no router R%d here", (int)router);
    }
    step_now(p)->router = router;
    page_now(p)->router = router;
    return true;
}

void player_opened(struct player *p, const char *what)
{
    struct step *s = step_now(p);
    if (s->opened != NULL && strcmp(s->opened, what) == 0) {
        s->opened_met = true;
        goal_check(p, NULL); /* calls no script: this task has no goal */
    }
}

/* --- time --- */

bool player_play(struct player *p, int64_t us, uint64_t events, struct err *err)
{
    if (p->world[0] == NULL || us <= 0) {
        return true;
    }
    if (p->co != NULL) {
        return run_advance(p, us, events, err);
    }
    struct err why = {""};
    world_go(p, world_now(p->world[0]) + us, false, &events);
    if (world_stopped(p->world[0], &why)) {
        return err_set(err, "%s", why.text);
    }
    return goal_check(p, err);
}

bool player_tick(struct player *p, int64_t us, struct err *err)
{
    return player_play(p, us, UINT64_MAX, err);
}

bool player_finish_run(struct player *p, struct err *err)
{
    return run_advance(p, -1, UINT64_MAX, err);
}
