/*
 * player: takes a lesson or a drill step by step. The only door from the rest of the program to
 * Lua.
 *
 * A player owns the Lua state, the world, the snapshots (one a step entered, one an action) and the
 * journal. Flow of a step: `enter` (set-up commands), then the question is open; after an answer,
 * or "show me", the step's `run` moves the world, in play_* waits that player_tick advances; then
 * the question is judged by functions over the world, `after` is shown, and a task may ask the
 * learner to act until its goal holds. Stepping back restores the snapshot of that step exactly:
 * same digest, with the answers given kept on the page.
 *
 * A step may have knobs: player_turn makes the page anew, with its texts and placings. It may have
 * an experiment, which then is its run: ticks try some layouts each, a finish tries all.
 *
 * A step without a question runs as soon as it is entered. Forward during a run finishes it at once
 * (PLAYER_MOVED). A step answered before a step back keeps its answer; forward runs it again first
 * (page.replays). Only the acts of a task have to be done anew (or shown).
 *
 * A lesson's error never takes the program down: the call fails with "FILE:LINE: what", the step it
 * happened in is undone, and the player can go on (or be closed): the next forward passes over it.
 *
 * A lesson file is found by player_open's path; lesson_find turns "1", "01", "what_a_shard" or
 * "01_what_a_shard_is" into a path.
 */
#ifndef HOTSHARD_LESSON_PLAYER_H
#define HOTSHARD_LESSON_PLAYER_H

#include "base/digest.h"
#include "engine/rates.h"
#include "lesson/page.h"
#include "study/progress.h"

struct player;

struct player *player_open(const char *path, uint64_t seed, struct err *err);
/* A fault in the run of the first step leaves a player that can go on. Who opens one asks for that
 * fault here: true, once, with err, when there is one to tell. */
bool player_fault(struct player *p, struct err *err);
void player_close(struct player *p);

const struct page *player_page(const struct player *p);
/* Of any step, as it was left; NULL when it was not entered yet. */
const struct page *player_page_at(const struct player *p, size_t step);
const struct world *player_world(const struct player *p);  /* NULL: this drill has none */
const struct world *player_before(const struct player *p); /* as the step was entered */
/* Measured at the world's present time; cached until the world changes. NULL without a world. */
const struct rates *player_rates(struct player *p);
const char *player_journal(const struct player *p);
/* Puts the present digest into the journal, so that a replay goes on to this very point. */
void player_journal_mark(struct player *p);
struct digest player_digest(const struct player *p);

enum player_next {
    PLAYER_MOVED, /* a new step is shown (or the run began) */
    PLAYER_ASKS,  /* an open question or unmet task is in the way: answer, or skip. A task that was
                   * done before a step back is done again instead: PLAYER_MOVED */
    PLAYER_END,   /* that was the last step */
    PLAYER_FAULT  /* err has the lesson's error; the step was undone */
};
enum player_next player_forward(struct player *p, struct err *err);
bool player_back(struct player *p); /* to the step before; false at the first */
/* The step as it was entered, its question open once more, whatever was answered. */
bool player_ask_again(struct player *p, struct err *err);
/* Plays up to there; what is in the way is shown. */
bool player_go(struct player *p, const char *step_id, struct err *err);
/* Takes a lesson that was just opened up where the log leaves it: each step up to there as the
 * learner did it, with the logged answer and acts, all at once. What is missing from the log, or is
 * refused since the lesson was edited, is shown on the way; in the last step it stays open. False
 * with the first fault of the lesson on the way; the player is then as near as could be. */
bool player_resume(struct player *p, const struct progress *log, struct err *err);

/* Begins the placement check, at the first step: player_forward then goes from question to
 * question, and at last on along the way or to its beginning. player_back leaves it. */
bool player_place(struct player *p, struct err *err);

/* Answering. `text` as typed: "2", "1 4", "12,067", "12067 " ... Refused with a reason (and nothing
 * changes) when it is no answer to this kind of question. */
bool player_answer(struct player *p, const char *text, struct err *err);
/* Another answer in place of one that was judged, for whoever tries them all: it is judged by the
 * world that the run made, which does not hang on answers. */
bool player_answer_instead(struct player *p, const char *text, struct err *err);
size_t answer_bytes_max(enum question_kind kind); /* of what it takes */
/* "Show me": the question counts as skipped, the run goes on; an unmet task is done for the
 * learner. */
bool player_skip(struct player *p, struct err *err);
bool player_hint(struct player *p); /* shows one more; false when there is none */
/* Of an explanation that was given: a point of the rubric was in it, or after all was not. */
bool player_mark(struct player *p, size_t point, struct err *err);
/* An answer as the progress log keeps it: of an explanation "1 3:" and what was typed. */
void question_say(const struct page_question *q, struct str *out);

/* Acting on the world between runs. Journaled; undone by player_undo, done again by player_redo.
 * After an act that is no request the world goes on by SETTLE_US at once: its news has arrived. */
#define SETTLE_US INT64_C(2000)
bool player_act(struct player *p, const struct command *c, struct err *err);
/* Turns a knob of the page to one of its values, given as text. Undone and done again like an act.
 */
bool player_turn(struct player *p, const char *name, const char *value, struct err *err);
/* "tokens 16" or "knob tokens 16", as typed: which knob and value; false when the line begins with
 * no knob of this page. */
#define KNOB_WORD_MAX 32
bool player_knob_line(const struct player *p, const char *line, char name[KNOB_WORD_MAX],
                      char value[KNOB_WORD_MAX]);
bool player_undo(struct player *p);
bool player_redo(struct player *p);
bool player_can_undo(const struct player *p);
bool player_can_redo(const struct player *p);
bool player_set_key(struct player *p, const char *key, struct err *err); /* what pictures follow */
bool player_set_router(struct player *p, uint16_t router, struct err *err);
/* "why", "inspect", "undo": for tasks that ask it; of what, in words: "shard S2", or
 * opened_say_record. */
void player_opened(struct player *p, const char *what, const char *words);
struct trace_record;
void opened_say_record(const struct world *w, const struct trace_record *r, struct str *out);

/* Measures the lookups of the page's placings on this machine, those that were not yet. */
void player_measure(struct player *p);

/* Time. A tick lets the world go on by `us` of simulated time, within a run or freely. */
bool player_tick(struct player *p, int64_t us, struct err *err);
/* A tick for a screen that must stay quick: it also ends after about so many events. */
bool player_play(struct player *p, int64_t us, uint64_t events, struct err *err);
bool player_finish_run(struct player *p, struct err *err); /* at once */
/* The world's time at which the learner's last act or answer came, or at which a goal was met by
 * waiting, if time had been let pass before it: for the log, by which it would come too early
 * otherwise. 0: none had. Told once. */
int64_t player_waited(struct player *p);
#define ACT_UNTIL "until "                            /* as an act: and the time in microseconds */
bool player_event(struct player *p, struct err *err); /* one event on */
bool player_event_back(struct player *p);             /* one event back, within the step */

/* The page's table. Its rows are made one by one while nothing else goes on: true from
 * player_filling means that player_fill has one to make. A lesson's fault in a row is told once. */
bool player_filling(const struct player *p);
bool player_fill(struct player *p, struct err *err);
bool player_fill_all(struct player *p, struct err *err);
/* Opens a row: until player_leave (or player_forward, player_back, an answer) the world, its rates
 * and time are those of that row's run, and page.visiting is its label. Nothing can be done to it
 * and nothing of it is kept. False from player_leave: none was open. */
bool player_visit(struct player *p, size_t row, struct err *err);
/* Who waits for a row that plays long is asked now and then whether it goes on; `now_us` is the
 * time there. With `go_on` NULL nobody is. */
struct player_patience {
    bool (*go_on)(void *of, int64_t now_us);
    void *of;
};
void player_set_patience(struct player *p, struct player_patience patience);
bool player_leave(struct player *p);

/* Everything a learner would have to give, for headless runs and tests: the right answer to the
 * open question as text (runs a fork), and a wrong one, n = 0, 1, ... ; false when there is none
 * (more). */
bool player_right_answer(struct player *p, struct str *out, struct err *err);
bool player_wrong_answer(struct player *p, size_t n, struct str *out, struct err *err);

/* The lesson's card, of its world as it begins; NULL, with the reason, when it has none. */
const struct page_card *player_card(struct player *p, struct err *err);

/* Lessons on disk. Folders, in order: HOTSHARD_LESSONS, the source tree's or installed `lessons`,
 * the user's data folder. The caller frees *path. Errors suggest a near name. */
struct lesson_step {
    char *id, *title;
};
struct lesson_entry {
    char *id, *path, *title;
    int part, minutes;
    bool drill;
    bool card; /* it has one (player_card) */
    size_t steps;
    size_t core, deeper; /* of these: on the core path, and beyond it */
    struct lesson_step *step;
};
struct lesson_index {
    struct lesson_entry *entry;
    size_t count;
    struct str faults; /* files that do not load, one line each */
};
struct lesson_index *lesson_index_load(const char *const *folders, size_t count);
void lesson_index_free(struct lesson_index *index);
const struct lesson_entry *lesson_find(const struct lesson_index *index, const char *name,
                                       bool drill, struct err *err);

#endif
