/*
 * page: what a lesson shows now, as plain values. No Lua here; views and plain mode read it.
 *
 * Texts are markup (draw/prose.h) with every expression already filled in. A page belongs to its
 * player and is valid until the player changes.
 */
#ifndef HOTSHARD_LESSON_PAGE_H
#define HOTSHARD_LESSON_PAGE_H

#include "base/blocks.h"
#include "engine/types.h"
#include "engine/world.h"
#include "place/deal.h"
#include "place/graph.h"
#include "place/ivf.h"
#include "place/trial.h"
#include <stddef.h>

#define PAGE_CHOICES_MAX 9
/* Bytes of what is typed. */
#define PAGE_ANSWER_MAX 200
#define PAGE_EXPLANATION_MAX 1000
#define PAGE_SHOWS_MAX 4
#define PAGE_ACTIONS_MAX 12
#define PAGE_HINTS_MAX 3
#define PAGE_GRIDS_MAX 2
#define PAGE_GRID_KEYS_MAX 4096
#define PAGE_PLACINGS_MAX 16
#define PAGE_KNOBS_MAX 4
#define PAGE_GROUPS_MAX 8
#define PAGE_LAYOUTS_MAX 200
#define PAGE_TABLE_COLUMNS_MAX 8
#define PAGE_TABLE_ROWS_MAX 64
#define PAGE_HEAT_ROWS_MAX 64
#define PAGE_HEAT_COLUMNS_MAX 120
#define PAGE_WITHOUT_MAX 4
#define PAGE_SHEET_LINES_MAX 50
#define PAGE_DEALS_MAX 6

enum question_kind {
    QUESTION_NONE,
    QUESTION_CHOICE,  /* one of the choices */
    QUESTION_SEVERAL, /* every choice that holds */
    QUESTION_NUMBER,  /* typed, with a tolerance */
    QUESTION_TEXT,    /* typed: a shard, a slot, a tag */
    QUESTION_EXPLAIN  /* said aloud or typed; the learner marks it, nobody judges it */
};

enum question_state {
    QUESTION_OPEN,
    QUESTION_ANSWERED,
    QUESTION_SKIPPED
};

struct page_choice {
    const char *text;
    bool chosen; /* of an explanation's point: marked as having been in it */
    bool holds;  /* known once the run is over (page.question.judged) */
};

struct page_question {
    const char *id; /* stable: "p1-same-slot" */
    enum question_kind kind;
    enum question_state state;
    const char *ask;
    const char *unit; /* "" or "%" ... */
    /* Of an explanation: the points that it should have, shown when it was given. */
    struct page_choice choice[PAGE_CHOICES_MAX];
    size_t choices;
    const char *answer; /* as the learner gave it: "2", "1 4", "12067"; "": said aloud */
    bool judged;        /* the run is over: right and truth are known */
    bool right;
    const char *truth;    /* the right answer as text, a number with its unit; a good explanation */
    const char *feedback; /* why: the rule, or the belief's explanation */
    const char *belief;   /* name of the misconception behind a wrong choice, "" if none */
    const char *hint[PAGE_HINTS_MAX];
    size_t hints, hints_shown;
};

/* A picture beside the text: a view's name and what it should look at. */
struct page_show {
    const char *view;     /* "slot_map", "bars", "trace", "crc16", "maps", "grid" */
    const char *argument; /* "" or e.g. a key, a slot, a router */
};

/* Something the learner may do here, offered in the key line. */
enum page_action {
    ACTION_ROUTE,  /* type a key and send a read or like through a router */
    ACTION_STALE,  /* make a router deaf to news, or let it hear again */
    ACTION_RELOAD, /* let a router fetch the map */
    ACTION_MOVE,   /* the operator moves the slot of the page's key to another shard */
    ACTION_BREAK,  /* switch page.breaks off and on */
    ACTION_KEY     /* type another key for the picture (nothing is sent) */
};

/* 1,000 keys under two layouts. */
struct page_grid {
    const char *title;
    size_t keys;
    uint16_t before[PAGE_GRID_KEYS_MAX], after[PAGE_GRID_KEYS_MAX];
    uint32_t shards_before, shards_after;
    size_t moved;
    bool hidden; /* the question is still open: show `before` only */
};

/* A change of placement to look at: for the pictures ring, ranges, maglev, rendezvous, schemes. */
struct page_placing {
    const char *title;
    const struct trial *trial; /* owned by the player or the playground */
    const char *lookup;        /* a key whose way is shown; "" if none */
    const char *asked;         /* one whose place is shown, and with the outcome its way; "" */
    uint32_t copies;           /* of that key, shown with the outcome; 0: none are */
    const char *zones;         /* of the shards in order, blanks between; "": all in one */
    double lookup_ns;          /* measured on this machine; 0: not measured */
    double build_us;
    bool hidden; /* the question is still open: show `before` only */
};

/* Something a page lets the learner turn, with + - T S W C: its values in order. */
struct page_knob {
    const char *name;   /* "tokens", "shards", "scheme", "weight", "cap": decides the keys */
    const char *label;  /* what it is called here, "days"; the name where the step says nothing */
    const char *value;  /* as text: "16", "ring" */
    size_t at, count;   /* which of how many */
    const char *values; /* all of them, blanks between: "1 16 100 256" */
};

/* One thing measured of many random layouts, tried one after another while the learner watches: the
 * picture `layouts`. Values are what the title says, in thousandths. */
struct page_group {
    const char *label; /* "16 tokens" */
    uint32_t value[PAGE_LAYOUTS_MAX];
    size_t done, total;
};
struct page_experiment {
    const char *title;
    struct page_group group[PAGE_GROUPS_MAX];
    size_t groups;
};

/* A table whose cells a run filled: the picture `table`. A row with a run can be opened: the world
 * that its figures came from is then shown in place of the lesson's (player_visit). */
struct page_table_row {
    const char *label;
    const char *cell[PAGE_TABLE_COLUMNS_MAX]; /* filled in; "" while the question is open */
    bool opens;                               /* it has a run */
    bool lazy;                                /* which is played when it is opened */
};
struct page_table {
    const char *title;
    const char *column[PAGE_TABLE_COLUMNS_MAX]; /* headings; the first is of the labels */
    bool number[PAGE_TABLE_COLUMNS_MAX];        /* of this column: set to the right */
    size_t columns;
    struct page_table_row row[PAGE_TABLE_ROWS_MAX];
    size_t rows;
    bool hidden; /* the question is still open: labels only */
};

/* How much each group of keys was asked for in each piece of time: the picture `heat`. Parts of
 * 1,000 of the fullest cell. */
struct page_heat {
    const char *title;
    const char *rows_are, *columns_are; /* "keys in order", "minutes" */
    const char *first_row, *last_row, *first_column, *last_column;
    size_t rows, columns;
    uint16_t value[PAGE_HEAT_ROWS_MAX][PAGE_HEAT_COLUMNS_MAX];
};

/* Work dealt to workers in several ways: the picture `workers`. */
struct page_deal {
    const char *label; /* "by turn" */
    struct deal deal;
};
struct page_workers {
    const char *title;
    const char *unit; /* of costs: "GB"; "" */
    struct page_deal deal[PAGE_DEALS_MAX];
    size_t deals;
    bool hidden; /* the question is still open: how many items, and no times */
};

/* A search among embeddings: the picture `vectors`. Corpus and index belong to the player. */
struct page_vectors {
    const char *title;
    const struct corpus *corpus;
    const struct ivf *ivf;     /* NULL: it is no inverted file */
    const struct graph *graph; /* NULL: it is no graph */
    bool asked;                /* there is a query */
    int16_t query[VECTORS_DIMS_MAX];
    uint32_t k, probe, width;
};

/* A calculator with its numbers: the picture `worksheet`. Texts of size_tools live for ever. */
struct page_sheet_line {
    const char *name, *value, *unit; /* "masters", "70", "masters" */
    const char *about;
    const char
        *how;   /* the arithmetic of a result, "2.1 x 1,000 / 30, rounded up"; "" of an input */
    bool given; /* an input that is not its default */
};
struct page_worksheet {
    const char *title;
    const char *what; /* the calculator */
    struct page_sheet_line line[PAGE_SHEET_LINES_MAX];
    size_t lines, inputs; /* the first so many are inputs, the others results */
};

/* What the lesson comes down to, to be printed: the picture `cheat`. */
#define PAGE_CARD_COLUMNS 78
#define PAGE_CARD_ROWS_MAX 66
struct page_card {
    const struct block *block;
    size_t blocks;
};

/* A protocol that the step is about: it can be broken there (x), every order of its steps is
 * searched. */
struct page_protocol {
    const char *name;                      /* as check/models.h has it; NULL: none */
    const char *without[PAGE_WITHOUT_MAX]; /* rules that are switched off to begin with */
    size_t rules_off;
};

struct page {
    const char *lesson_id, *lesson_title;
    int part, minutes;
    const char *step_id, *step_title;
    size_t step, steps; /* 0-based, and how many */
    bool deeper;        /* beyond the core path */
    bool drill;
    const char *say;
    const char *after; /* "" until the run is over */
    struct page_question question;
    const char *task; /* what the learner should do here, "" if nothing */
    bool task_met, task_skipped;
    const char *task_hint[PAGE_HINTS_MAX];
    size_t task_hints, task_hints_shown;
    struct page_show show[PAGE_SHOWS_MAX];
    size_t shows;
    enum page_action action[PAGE_ACTIONS_MAX];
    size_t actions;
    enum rule breaks;                       /* for ACTION_BREAK; RULE_COUNT if none */
    const char *key;                        /* the key that pictures follow, may be "" */
    uint16_t router;                        /* the router that actions go through */
    const char *notes;                      /* instructor's */
    struct page_grid *grid[PAGE_GRIDS_MAX]; /* owned by the player */
    size_t grids;
    struct page_placing placing[PAGE_PLACINGS_MAX];
    size_t placings;
    struct page_knob knob[PAGE_KNOBS_MAX];
    size_t knobs;
    struct page_experiment *experiment; /* NULL: none; owned by the player */
    struct page_table *table;           /* NULL: none; owned by the player */
    struct page_heat *heat;             /* NULL: none; owned by the player */
    struct page_workers *workers;       /* NULL: none; owned by the player */
    struct page_vectors *vectors;       /* NULL: none; owned by the player */
    struct page_worksheet *worksheet;   /* NULL: none; owned by the player */
    const struct page_card *card;       /* NULL: it is not shown here; owned by the player */
    struct page_protocol protocol;
    const char *visiting; /* whose run is looked at; "": the lesson's own world */
    bool check;           /* a question of the placement check */
    bool can_place;       /* the check is offered here */
    bool placed;          /* passed over by the check: not the learner's own */
    bool running;         /* the step's run is under way */
    bool replays;         /* its run was seen before a step back; forward plays it again */
    bool last;            /* no step after this one */
};

#endif
