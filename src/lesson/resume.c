/*
 * resume: taking a lesson up where the progress log leaves it, see player_resume.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include <stdlib.h>
#include <string.h>

/* Of the cluster: as long as somebody may have watched it, some seconds of work. */
#define WAIT_AGAIN_MAX_US (INT64_C(3600) * 1000000)
#define WAIT_AGAIN_EVENTS UINT64_C(60000000)

/* The step that was entered last of those that this lesson still has. */
static size_t where_left(const struct player *p, const struct progress *log)
{
    struct progress_step was;
    size_t where = 0;
    uint64_t latest = 0;
    for (size_t i = 0; i < p->steps; i++) {
        if (progress_step_of(log, p->id, p->step[i].id, &was) && was.entered > latest) {
            where = i;
            latest = was.entered;
        }
    }
    return where;
}

/* Pictures follow the key that was sent. */
static void follow_key(struct player *p, const struct command *c)
{
    char *key = xstrndup(c->key, c->key_length);
    player_set_key(p, key, NULL);
    free(key);
}

static bool command_again(struct player *p, const char *text)
{
    struct command c;
    if (!act_in_words(p, text, NULL)) {
        return false;
    }
    if (command_parse(text, &c, NULL) && c.kind == COMMAND_REQUEST) {
        follow_key(p, &c);
    }
    return goal_check(p, NULL);
}

/* Time that the learner let pass; it may have come already. */
static bool wait_again(struct player *p, const char *until)
{
    char *end = NULL;
    long long us = strtoll(until, &end, 10);
    if (p->world[0] == NULL || end == until || *end != '\0') {
        return false;
    }
    int64_t rest = us - world_now(p->world[0]);
    return rest <= 0 ||
           (rest <= WAIT_AGAIN_MAX_US && player_play(p, rest, WAIT_AGAIN_EVENTS, NULL) &&
            world_now(p->world[0]) >= us);
}

static bool act_again(struct player *p, const char *act)
{
    if (strcmp(act, "undo") == 0) {
        return player_undo(p);
    }
    if (strcmp(act, "redo") == 0) {
        return player_redo(p);
    }
    if (strcmp(act, "skip") == 0) {
        return !task_open(p) || (!question_open(p, NULL) && player_skip(p, NULL));
    }
    if (str_starts(act, ACT_UNTIL)) {
        return wait_again(p, act + strlen(ACT_UNTIL));
    }
    if (strcmp(act, "met") == 0) {
        opened_again(p); /* what was looked at is known from here alone */
        return true;
    }
    return command_again(p, act);
}

/* One that is refused today ends it: those behind may have built on it. */
static bool acts_again(struct player *p, const char *const *act, size_t count)
{
    size_t done = 0;
    while (done < count && act_again(p, act[done])) {
        done++;
    }
    return done == count;
}

static void answer_again(struct player *p, const struct progress_step *was)
{
    const struct step *s = step_now(p);
    if (!question_open(p, NULL) || strcmp(was->item, s->question_id) != 0) {
        return;
    }
    if (was->skipped) {
        player_skip(p, NULL);
    } else if (was->answer != NULL && s->kind == QUESTION_EXPLAIN) {
        explain_again(p, was->answer);
    } else if (was->answer != NULL) {
        player_answer(p, was->answer, NULL);
    }
    run_advance(p, -1, UINT64_MAX, NULL);
}

/* False when some of its acts could not be done: those before them are. */
static bool take_again(struct player *p, const struct progress *log)
{
    struct progress_step was;
    run_advance(p, -1, UINT64_MAX, NULL);
    if (!progress_step_of(log, p->id, step_now(p)->id, &was)) {
        return true;
    }
    bool good = acts_again(p, was.act, was.acts_before);
    answer_again(p, &was);
    return good && acts_again(p, was.act + was.acts_before, was.acts - was.acts_before);
}

/* Passed over by the placement check, or so it looks: the log has no answer to its question. */
static void mark_placed(struct player *p, size_t target, const struct progress *log)
{
    struct progress_step was;
    for (size_t i = 0; p->checks > 0 && i < target; i++) {
        struct step *s = &p->step[i];
        bool known = progress_step_of(log, p->id, s->id, &was) &&
                     (was.answer != NULL || was.skipped || was.acts > 0 ||
                      (i > 0 && s->kind == QUESTION_NONE));
        s->page.placed = !known;
    }
}

bool player_resume(struct player *p, const struct progress *log, struct err *err)
{
    struct err why = {""};
    size_t target = where_left(p, log), taken = SIZE_MAX;
    bool good = true, whole = true;
    for (size_t turns = 0; turns <= 4 * p->steps; turns++) {
        if (p->current != taken) {
            whole = take_again(p, log);
            taken = p->current;
        }
        if (p->current >= target) {
            mark_placed(p, target, log);
            return good && (whole || err_set(err, "not all that you did in this step can be done "
                                                  "again; go on from here, or from its start (b)"));
        }
        enum player_next next = player_forward(p, &why);
        bool fault = next == PLAYER_ASKS ? !player_skip(p, &why) : next == PLAYER_FAULT;
        if (fault && good) { /* going on passes over it */
            good = err_set(err, "%s", why.text);
        }
    }
    return good ? err_set(err, "step '%.60s' cannot be reached", p->step[target].id) : false;
}
