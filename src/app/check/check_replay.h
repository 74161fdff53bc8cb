/*
 * check_replay: the shortest way to a failure, as the checker found it, played in a world.
 *
 * The steps of a model become commands at chosen times in a small world of the engine: requests,
 * `migrate`, `fence`, `abort`, `reload`, `crash`; a message that waits in the model is held up by
 * `hold`, a log entry by the world's constant apply_us. After every step the world is compared with
 * the state of the model. What is cut otherwise in the engine than in the model:
 *   - a copy that a lagging follower gives is begun when its position was the log's last one, a few
 *     steps earlier than in the model;
 *   - the target owns the slot in the instant of the commit, not a step later;
 *   - a router that hears of the planned owner too early has news of a map that is past: the
 *     target had the slot for a moment, and those news were slow;
 *   - a move that is dropped after its commit must first have been closed at its source.
 *
 * Played twice: without the rules that the scope leaves out, the world must follow the model to its
 * end and break the same promise; with every rule it follows the full protocol up to the last step
 * of their parting (check/parting.h), takes that one otherwise or not at all, and loses nothing.
 *
 * Of fence-and-flip a world plays one move without lost replies. Otherwise the ways of a model are
 * those that its own file plays, check_replay_*.c; what it cannot arrange for is an error.
 */
#ifndef HOTSHARD_APP_CHECK_REPLAY_H
#define HOTSHARD_APP_CHECK_REPLAY_H

#include "base/err.h"
#include "base/str.h"
#include "check/parting.h"
#include "check/search.h"

/* How it is played: bits. */
#define REPLAY_EVERY_RULE 1u /* not without those that the scope leaves out */
#define REPLAY_FILM 2u       /* keep the worlds */

struct replayed {
    uint32_t steps;
    /* With REPLAY_FILM: copies of the world, steps + 2 of them: as the first step begins, after
     * each step, and when all has come to its end. Else NULL. */
    struct world **film;
    /* What the world told: before the schedule, under each step (from 1), and afterwards; steps + 2
     * texts of whole lines. */
    struct str *lines;
    bool agrees;        /* with the model, at every step that was to be taken */
    struct err differs; /* if not: where and how */
    uint32_t stopped;   /* with every rule: the step that it took otherwise, or not; 0: none */
    /* What the model says is broken was seen broken in the world: in this step (from 1; the last
     * one when it showed only in the end), and how, as a sentence without its stop. */
    bool fails;
    uint32_t failed_at;
    char failure[192];
    uint32_t reads; /* that were answered */
    bool stale;     /* one returned less than was acknowledged before it was asked */
    uint64_t returned,
        due;             /* what that one, else the last, returned, and had to: likes; versions */
    uint32_t unanswered; /* clients' requests that were not answered OK in the end */
    uint64_t lost;       /* likes of which a client was told OK, and which are nowhere then */
    uint32_t broken_at;  /* the first step after which an invariant was broken; 0: none was */
    struct err broken;   /* its name and the place */
};

/* Whether a model's schedules can be played. */
bool check_replay_can(const struct check_model *model);
/* What stands for what in its world, and what is played otherwise than told: lines, "" for none. */
const char *check_replay_about(const struct check_model *model);

/* Plays a result that fails. False with the reason when this way has steps that a world cannot
 * take. Free with check_replay_free. */
bool check_replay_play(const struct check_model *model, const struct check_scope *scope,
                       const struct check_result *result, unsigned how, struct replayed *out,
                       struct err *err);
void check_replay_free(struct replayed *r);

#endif
