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
 * end and a client must notice; with every rule it follows the full protocol up to the step that is
 * named by check_replay_named, does not take that one, and loses nothing.
 *
 * A world plays fence-and-flip with one move and without lost replies, and coalesce.
 */
#ifndef HOTSHARD_APP_CHECK_REPLAY_H
#define HOTSHARD_APP_CHECK_REPLAY_H

#include "base/err.h"
#include "base/str.h"
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
    uint32_t stopped;   /* with every rule: the step that did not take place; 0: all did */
    /* What the model says is broken was seen broken in the world: in this step (from 1; the last
     * one when it showed only in the end), and how, as a sentence without its stop. */
    bool fails;
    uint32_t failed_at;
    char failure[192];
    bool stale;             /* a read returned less than was acknowledged before it was asked */
    uint64_t returned, due; /* then: what it returned, and what it had to */
    uint32_t unanswered;    /* requests that were not answered OK in the end */
    uint64_t lost;          /* acknowledged likes that the owner does not hold in the end */
    uint32_t broken_at;     /* the first step after which an invariant was broken; 0: none was */
    struct err broken;      /* its name and the place */
};

/* Whether a model's schedules can be played. */
bool check_replay_can(const struct check_model *model);

/* The first step (from 1) of a failing way that the full protocol refuses or, when it refuses none,
 * takes to another end; 0: neither. */
uint32_t check_replay_named(const struct check_model *model, const struct check_scope *scope,
                            const struct check_result *result);

/* Plays a result that fails. False with the reason when this way has steps that a world cannot
 * take. Free with check_replay_free. */
bool check_replay_play(const struct check_model *model, const struct check_scope *scope,
                       const struct check_result *result, unsigned how, struct replayed *out,
                       struct err *err);
void check_replay_free(struct replayed *r);

#endif
