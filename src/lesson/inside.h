/*
 * inside: what the files of this folder share: the player's own state.
 *
 * Texts of a step are kept in a list that belongs to the step; page fields point into it. Worlds
 * are in slots: slot 0 is the player's, the others are forks of one call. A script holds (slot,
 * generation), never a pointer.
 */
#ifndef HOTSHARD_LESSON_INSIDE_H
#define HOTSHARD_LESSON_INSIDE_H

#include "engine/journal.h"
#include "lesson/call.h"
#include "lesson/player.h"

#define FORKS_MAX 16
#define LAYOUTS_MAX 320 /* of one call; as many are kept for good */
#define KEYSETS_MAX 24
#define SCRIPT_KEYS_MAX 100000 /* in one list */
#define UNDO_MAX 32
#define PLAY_MAX_US (INT64_C(1800) * 1000000) /* simulated time of one run */
#define ANSWER_MAX_US (INT64_C(60) * 1000000) /* play_answered gives up */
#define EVENTS_MAX UINT64_C(2000000)          /* of the engine in one call, at once */
#define RUN_EVENTS_MAX UINT64_C(3000000)      /* of the engine in one run */
#define MARKS_MAX 8
#define CHECKS_MAX 4 /* steps of the placement check */

/* What a call from the host is for decides what the script may do with the world. */
enum phase {
    PHASE_LOAD, /* no world yet */
    PHASE_ENTER,
    PHASE_RUN,
    PHASE_READ
};

enum wait_kind {
    WAIT_NONE,
    WAIT_TIME,
    WAIT_ANSWERED,
    WAIT_PHASE /* of a slot that moves */
};
struct wait {
    enum wait_kind kind;
    int64_t until; /* at the latest */
    uint32_t slot;
    const char *phase;
    char at[96]; /* "file:line" of the wait */
};

struct texts {
    char **text;
    size_t count;
};

/* Layouts and lists of keys that a script made. Those made while the file loads live as long as the
 * player, those of a call as long as the call, or as the placings that were made of them. */
struct shelf {
    struct layout **layout;
    struct keyset **keys;
    size_t layouts, keysets;
};
/* Owners that a call asked for already: what it asks again costs nothing. */
#define OWNERS_MAX 64
struct owners {
    const struct layout *layout;
    const struct keyset *keys;
    size_t count; /* of keys, then */
    uint32_t *owner;
};
struct shelf_handle {
    uint32_t index;
    uint32_t call; /* 0: made while the file was loaded */
};

struct step {
    char *id, *title;
    int line;
    bool deeper, has_enter, has_run, has_grids, has_placing;
    bool has_experiment; /* has_run as well: it is what runs */
    bool shows_card, has_worksheet, has_table, has_heat, has_vectors, has_workers;
    bool acts;     /* its choices do something: has_run as well, they are what runs */
    bool has_when; /* it is passed over where that does not hold */
    bool check;    /* of the placement check: behind all steps of the way */
    struct table_results *results; /* of its table; NULL: it has none */
    enum question_kind kind;
    char *question_id;
    bool has_task;
    bool builds;     /* its task puts something together, as the lesson says */
    bool task_past;  /* met or shown once: on the way forward again it holds nobody up */
    char *opened;    /* what a task wants opened: "why", "inspect", "row"; NULL: it has a goal */
    char *opened_of; /* of what: words that must all be among those of what is opened; NULL: any */
    /* Since it was entered. */
    struct world *entry; /* snapshot after `enter` */
    size_t journal_length;
    bool entered, broken, run_done, opened_met;
    char key[KEY_BYTES_MAX + 1]; /* pictures' key and actions' router, as the step set them */
    uint16_t router;
    struct texts kept, kept_answer, kept_after, kept_placing, kept_table;
    size_t best;        /* of choices that act: the one that costs least, once judged */
    struct digest menu; /* of the choices that a function made */
    struct shelf shelf; /* what the page's placings borrow */
    struct trial *trial[PAGE_PLACINGS_MAX];
    size_t knob[PAGE_KNOBS_MAX]; /* which of its values each knob is at */
    struct page page;
};

struct undo {
    struct world *world; /* NULL where there is none */
    char *journal;
    bool task_met;
    size_t knob[PAGE_KNOBS_MAX];
};

struct player {
    struct sandbox *sandbox;
    char *path;
    struct str source; /* for finding lines */
    uint64_t seed;
    struct prng drill_random;
    char *id, *title, *world_name;
    int part, minutes;
    bool drill;
    struct step *step;
    size_t steps, current; /* of the way; behind them in `step` stand those of the check */
    size_t checks, placed_at;
    enum phase phase;
    /* Worlds: slot 0 is the player's own. */
    struct world *world[1 + FORKS_MAX];
    uint32_t generation[1 + FORKS_MAX];
    size_t forks;
    uint64_t changes; /* commands applied and worlds replaced, ever */
    uint64_t call_events;
    uint64_t call_story; /* of the engine, played by w:event in this call */
    bool has_card;
    struct card *card;         /* as it was made; NULL: not yet (card.c) */
    struct story_plays *plays; /* the story as far as it was played (api_story.c); NULL: not yet */
    bool opening; /* a row: w:event asks `patience` whether it goes on, and no pass counts it */
    struct player_patience patience;
    struct world *scratch;
    struct rates *rates[2]; /* of the player's world; of a fork */
    struct rates_stamp {
        bool valid;
        uint64_t events, changes;
        int64_t now;
        uint32_t generation;
        size_t slot;
    } rates_of[2];
    struct second *second;        /* counted key by key (api_second.c); NULL: not yet */
    struct second *counting;      /* for a heat map (api_heat.c); NULL: not yet */
    struct searches *searches;    /* of the checker (api_check.c); NULL: none yet */
    struct vector_store *vectors; /* corpora and indexes (api_vectors.c); NULL: none yet */
    uint64_t call_states;         /* that they found in this call */
    struct world *base;  /* that the table's rows are played from; NULL in drills without one */
    bool based;          /* it is known */
    bool filling;        /* the table's rows are being made for `cells` */
    struct visit *visit; /* a row that is open; NULL: none */
    struct shelf kept, shelf; /* for good; of this call */
    uint32_t call;            /* its number, from 1 */
    struct owners owners[OWNERS_MAX];
    size_t owners_known;
    struct journal journal;
    bool rehearsing;         /* on a fork: neither page nor journal change */
    bool unwatched;          /* nobody will step back, look at what was before, or replay */
    struct verdict *verdict; /* where a question's verdict is kept once judged; NULL: nobody asks */
    /* What was asked of a copy last (foretell.c): it stands as long as nothing changes. */
    struct verdict *foreseen; /* NULL: nothing */
    struct {
        size_t step;
        uint64_t events, changes;
    } foreseen_at;
    bool let_pass;     /* time, since the last act, run or step, and not for an answer's sake */
    int64_t waited_us; /* see player_waited */
    struct undo undo[UNDO_MAX], redo[UNDO_MAX];
    size_t undos, redos;
    /* The run under way. */
    lua_State *co;
    struct meter run_meter;
    int64_t run_played;
    uint64_t run_events;            /* played in this run */
    uint64_t pass_events, pass_max; /* played since it was opened; lint sets a limit */
    uint64_t measured_events;       /* on copies, for rates and the like; no limit counts them */
    struct wait wait;
    /* The experiment under way. */
    bool trying;
    size_t tries;                      /* done */
    int64_t tries_us;                  /* watched so far */
    int64_t tries_work;                /* units */
    struct page_experiment *rehearsed; /* its results on a copy */
    struct err fault;                  /* of the first step's run, not yet told; "": none */
    /* The world after the last command (mark 0, until so much happened that it was given up) and
     * later, and how far it has been since: for one event back. */
    struct world *mark[MARKS_MAX];
    size_t marks;
    struct world *near; /* shortly before the place that was stepped back to last */
    bool near_set;
    uint64_t head_events;
    int64_t head_now;
    bool behind;
    struct str text; /* scratch of jobs */
    struct str code;
};

/* Registry keys. */
extern const char lesson_key_steps, lesson_key_run, lesson_key_env, lesson_key_with;

struct player *player_of(lua_State *L);

/* --- declare.c: the declared table --- */

/* Loads the file and checks the table; no world. The steps stay in the registry. */
struct player *lesson_declare(const char *path, uint64_t seed, struct err *err);
void lesson_undeclare(struct player *p);
/* The line of the n-th place where `needle` stands, from line `from` on; 0 when nowhere. */
int source_line(const struct player *p, const char *needle, int from);
/* The line where an id stands in quotes, or 0. */
int source_id_line(const struct player *p, const char *id);
const char *source_name(const struct player *p);
/* The nearest of the names, NULL when none is near (near.c). */

/* --- fill.c: texts --- */

/* The text with its common indentation removed and expressions filled in, onto p->text (cleared
 * first). Raises with the expression's line. */
void fill_text(lua_State *L, struct player *p, const char *text, const char *what);
/* Adds p->text to the list and returns it. */
const char *texts_keep(struct texts *t, const char *text);
void texts_free(struct texts *t);
/* Pushes field `name` of the table on top; returns its type. */
int push_field(lua_State *L, const char *name);
bool has_field(lua_State *L, const char *name);
/* Pushes the declared table of a step. */
void push_step(lua_State *L, size_t index);
/* Field as text, filled in and kept; "" when absent. */
const char *keep_field(lua_State *L, struct player *p, struct texts *t, const char *name);

/* --- page.c: what is shown --- */

/* Jobs. Both read the step p->current. */
int page_build(lua_State *L);
int page_after(lua_State *L);

/* --- placing.c: changes of placement, and lookups measured --- */

/* Frees what the step had and asks the lesson anew. */
bool placing_build(struct player *p, struct err *err);
void placing_free(struct step *s);
void placing_reveal(struct step *s);

/* --- protocol.c: what the checker can search from here --- */

void protocol_build(lua_State *L, struct player *p); /* page.protocol; the step's table is on top */

/* --- knobs.c --- */

#define KNOB_NAMES                                                                                 \
    "tokens", "shards", "scheme", "weight", "cap", "key", "salt", "routers", "size", "choice"
void knobs_open(lua_State *L);                       /* once a state */
void knobs_say_value(lua_State *L, struct str *out); /* the value on top, as one would type it */
/* To their first values. */
int knobs_start(lua_State *L);
/* Fills page.knob; the step's table is on top. */
void knobs_build(lua_State *L, struct player *p);
/* Pushes the table of present values; false when the step has no knobs. */
bool knobs_push(lua_State *L, struct player *p);
/* The page once more, with the knobs as they are. */
bool page_again(struct player *p, struct err *err);

/* --- experiment.c: many random layouts, one after another --- */

/* Fills page.experiment: nothing is done yet; the step's table is on top. */
void experiment_build(lua_State *L, struct player *p);
void experiment_begin(struct player *p);
void experiment_forget(struct step *s); /* what was tried so far */
bool experiment_complete(const struct step *s);
/* As many as `us` of watching allow; all with us < 0. True with p->trying while some are left. */
bool experiment_advance(struct player *p, int64_t us, struct err *err);
bool experiment_one(struct player *p, struct err *err);
/* Pushes what the groups gave so far; false when the step has no experiment. */
bool experiment_push(lua_State *L, struct player *p);

/* --- table.c: a table of runs, a heat map --- */

/* Titles, headings and labels; both are called in a job, the first fills no row. */
void table_build(lua_State *L, struct player *p);
void heat_build(lua_State *L, struct player *p);
void worksheet_build(lua_State *L, struct player *p); /* worksheet.c */
void workers_build(lua_State *L, struct player *p);   /* workers.c: work dealt to workers */
void vectors_build(lua_State *L, struct player *p);   /* vectors.c: a search among embeddings */
void table_free(struct step *s);
/* The question is answered: rows are played from the world as it is now. */
void table_reveal(struct player *p);
void table_base(struct player *p);
void table_leave(struct player *p); /* another step: the world that rows are played from goes */
/* Puts that world in the player's place, and back. */
struct world *table_begin(struct player *p);
void table_end(struct player *p, struct world *mine);
/* In a job: plays a row on a copy; its slot among the worlds. */
size_t table_play_row(lua_State *L, struct player *p, size_t row);
/* Pushes the figures of all rows, by row and column; false without a table. */
bool table_push_cells(lua_State *L, struct player *p);

/* --- card.c: what can be printed --- */

struct card;
void card_free(struct card *card);
void card_declare(lua_State *L, struct player *p); /* the lesson's table is on top */
bool card_show(struct player *p, struct err *err); /* page.card, where the step shows it */

/* --- api_story.c --- */

struct story_plays;
void story_plays_free(struct story_plays *plays);

/* --- placement.c: the placement check --- */

void placement_declare(lua_State *L, struct player *p); /* the lesson's table is on top */
/* Forward from a step of the check whose question is judged. */
enum player_next placement_forward(struct player *p, struct err *err);
bool placement_leave(struct player *p); /* to the first step; false: not in the check */

/* --- visit.c: a row of the table that is open --- */

bool visit_allows(const struct player *p, struct err *err); /* refuses while one is */
const struct world *visit_world(const struct player *p);
const struct rates *visit_rates(struct player *p);
bool visit_play(struct player *p, int64_t us, uint64_t events, struct err *err);
bool visit_event(struct player *p, struct err *err);
bool visit_event_back(struct player *p);

/* --- judge.c: questions and goals --- */

struct verdict {
    enum question_kind kind;
    unsigned holds; /* bit per choice */
    size_t choices;
    size_t best; /* of those that hold: the first, or the one that costs least */
    double number, tolerance;
    struct str truth; /* the right answer as one would type it */
    struct str wrong; /* number, text: typed mistakes, one a line, in order */
    size_t bare; /* mistakes, or choices that do not hold, without a belief or an explanation */
};
void verdict_free(struct verdict *v);
/* Asks the world. Argument: struct judge_job. */
struct judge_job {
    struct player *player;
    struct verdict *verdict;
};
int judge_ask(lua_State *L);
/* Fills truth, feedback and beliefs into the page. Same argument. */
int judge_show(lua_State *L);
bool verdict_right(const struct verdict *v, const char *answer);
/* An answer as typed, in its one form; refuses what is none. */
bool answer_read(const struct page_question *q, const char *typed, struct str *out,
                 struct err *err);
bool answer_number(const char *text, double *out);
#define ANSWER_NUMBER_MAX 1e15                  /* below it a number is exact, and can be typed */
void answer_say(struct str *out, double value); /* as one would type it */
bool answer_same(const char *a, const char *b); /* upper and lower case do not matter */
/* Whether the task's goal holds. */
struct goal_job {
    struct player *player;
    bool holds;
};
int judge_goal(lua_State *L);
/* The task's solution, command after command, into p->text (one a line). */
int task_solution(lua_State *L);
void push_answer(lua_State *L, const struct page_question *q);

/* --- acts.c: choices that do something, paths that depend on it --- */

void acts_open(lua_State *L); /* answered(id); once a state */
/* Pushes the list of choices; the question's table is on top. */
void choices_push(lua_State *L, struct player *p);
/* Asks for it where it is a function; the question's table is on top. */
void choices_make(lua_State *L, struct player *p);
/* Pushes what runs in the step whose table is on top. */
void acts_push_run(lua_State *L, struct player *p);
/* Judges the answer that was just given, of the world as it stands. */
bool acts_judge(struct player *p, struct err *err);
/* After a wrong choice the world is as it was before it. */
void acts_take_back(struct player *p);
/* The choice that was made; of a question that was skipped the best. */
size_t acts_choice(const struct player *p);
/* Whether a step is not passed over; false with a fault of its `when`. */
bool step_comes(struct player *p, size_t index, bool *comes, struct err *err);

/* --- explain.c: questions that the learner marks --- */

#define EXPLAIN_POINTS_MIN 2
/* The rubric's points into the page; the question's table is on top of both. */
void explain_points(lua_State *L, struct player *p, struct texts *kept);
void explain_show(lua_State *L, struct player *p); /* and a good answer: it was said */
/* What the log kept of it (question_say); false when it is no such text. */
bool explain_again(struct player *p, const char *kept);

/* --- opened.c: tasks that ask to look at something --- */

void opened_again(struct player *p); /* it was met before: by what is not known any more */
/* Whether the trace has a record of which the task wants the why. */
bool opened_possible(const struct player *p);

/* --- act.c, player.c --- */

/* As the learner does it, played until everything is answered. The caller looks at the goal. */
bool act_and_wait(struct player *p, const struct command *c, struct err *err);
/* A command, or "knob tokens 16". */
bool act_in_words(struct player *p, const char *words, struct err *err);
/* Which knob and which of its values. */
bool player_knob_find(const struct player *p, const char *name, const char *value, size_t *knob,
                      size_t *at, struct err *err);
/* player_open for a check that goes forward once: no copies of the world are kept. */
struct player *player_open_unwatched(const char *path, uint64_t seed, struct err *err);
/* Enters a step; on a fault everything is as before, and the step is marked. */
bool step_enter(struct player *p, size_t index, struct err *err);
/* A step that was entered before is shown again, as it was entered. */
void step_again(struct player *p, size_t index);
bool question_open(const struct player *p, struct err *err);
bool task_open(const struct player *p);

/* --- run.c: runs, waits and worlds --- */

bool run_under_way(const struct player *p); /* a script's or an experiment */
bool run_begin(struct player *p, struct err *err);
/* Goes on by at most `us` (with `us` < 0 to the end) and about so many events. */
bool run_advance(struct player *p, int64_t us, uint64_t events, struct err *err);
/* One event of the run's wait; with `any` false none comes before the wait is over. */
bool run_event(struct player *p, bool any, struct err *err);
/* Counts events of the engine against the limits of a run and of a check. */
void spend_events(struct player *p, uint64_t events);
uint64_t pass_left(const struct player *p);
void run_abandon(struct player *p);
/* What runs is done; unless it was on a copy, it is judged. */
bool run_over(struct player *p, struct err *err);
bool run_fault(struct player *p, struct err *err);
/* The run is over: the question is judged, `after` filled in, the goal looked at. */
bool run_judge(struct player *p, struct err *err);
/* Judges the question, if there is one, and fills in `after`; a fault undoes nothing. */
bool judge_now(struct player *p, struct err *err);
void forks_drop(struct player *p, size_t keep); /* frees those beyond the first so many */
void call_over(struct player *p);               /* frees the forks, layouts and keys of a call */
bool player_job(struct player *p, enum phase phase, lua_CFunction body, void *argument,
                struct err *err);
void worlds_restore(struct player *p, const struct world *from, size_t journal_length);
bool goal_check(struct player *p, struct err *err);
bool apply_journaled(struct player *p, const struct command *c, struct err *err);
struct page *page_now(struct player *p);
struct step *step_now(struct player *p);
/* Plays the open question's run on a copy and asks what is right there. */
bool rehearse(struct player *p, struct verdict *v, struct err *err);
bool passed(struct player *p, struct err *err); /* time, as the learner let it: goal_check */
void waited(struct player *p);                  /* an act, an answer, or a goal: now */
void foreseen_forget(struct player *p);         /* what foretell.c keeps */

/* --- moment.c: the world in time --- */

/* The world was changed from outside: what was before cannot be stepped back to. */
void anchor_set(struct player *p);
void marks_free(struct player *p);
/* The world goes on to `time` (with `answered`: until no request is open, `time` at the latest), by
 * at most *events, which are counted down. False when these did not suffice. */
bool world_go(struct player *p, int64_t time, bool answered, uint64_t *events);
/* One event; false when none is left. */
bool world_one(struct player *p);
/* The learner looked at earlier events: the world goes on to where it had been. */
void catch_up(struct player *p);

/* --- api*.c: what scripts see --- */

/* Whether the move of a slot has come to a phase; if it never will, waiting is in vain. */
enum reached {
    REACHED,
    REACHED_NOT_YET,
    REACHED_NEVER
};
enum reached api_phase_reached(const struct world *w, uint32_t slot, const char *phase);

void api_open(lua_State *L); /* world, handles, layouts, random numbers; once a state */
void api_handles_open(lua_State *L);
void api_layout_open(lua_State *L);
void api_keys_open(lua_State *L);
void api_random_open(lua_State *L);
bool api_name(lua_State *L, const char *name);
void api_push_world(lua_State *L, size_t slot);
void api_push_fork(lua_State *L, size_t from); /* a new copy of that world */
struct world *api_world(lua_State *L, int arg, size_t *slot);
void api_push_random(lua_State *L);
/* Pushes the handle of a name ("S2", "cluster", "last" ...) over a world; false: no such name. */
bool api_push_handle(lua_State *L, size_t slot, const char *name);
void api_push_request(lua_State *L, size_t slot, uint64_t number);
bool api_rates(struct player *p, size_t slot, const struct rates **out);
/* The second world of a player, for measuring what is of w's size. */
struct world *player_scratch(struct player *p, const struct world *w);
struct second;
void second_free(struct second *s);
struct searches;
void searches_free(struct searches *s);
struct vector_store;
void vector_store_free(struct vector_store *store);
uint16_t api_shard(lua_State *L, int arg, const struct world *w);
uint16_t api_router(lua_State *L, int arg, const struct world *w);
uint32_t api_slot(lua_State *L, int arg, const struct world *w);
struct bytes api_key(lua_State *L, int arg);
/* A layout at `arg`. */
const struct layout *api_layout(lua_State *L, int arg);
/* A list of keys at `arg`: one that keys() made, or a table of texts. */
struct keyset *api_keys(lua_State *L, int arg);
/* Units of work of looking up so many keys. */
int64_t api_lookup_units(const struct layout *layout, size_t keys);

/* --- shelf.c --- */

void shelf_free(struct shelf *shelf); /* empties it */
void owners_forget(struct player *p);
/* Positions, one a key; kept until the call is over. */
const uint32_t *owners_of(lua_State *L, const struct layout *layout, struct keyset *keys);
/* Raises when the shelf is full. What is pushed belongs to the shelf at once. */
void shelf_room(lua_State *L);
void shelf_push_layout(lua_State *L, struct layout *layout);
struct keyset *shelf_new_keys(lua_State *L, bool push);
void shelf_drop_keys(lua_State *L); /* the list that was made last, which no script holds */
struct layout *shelf_layout(lua_State *L, int arg); /* NULL: it is none */
struct keyset *shelf_keys(lua_State *L, int arg);
/* A handle's number as the shortest number Lua has for part/whole in percent, one decimal. */
void api_push_percent(lua_State *L, uint64_t part, uint64_t whole);

#endif
