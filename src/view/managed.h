/*
 * managed: what the pictures of systems that people run share: which system, its parts, how much of
 * a limit is asked for, what became of it in signs, and the space of its keys as a line.
 *
 * The argument of such a picture is a system's name as in commands ("kinesis"); without one it
 * shows the first that is on.
 */
#ifndef HOTSHARD_VIEW_MANAGED_H
#define HOTSHARD_VIEW_MANAGED_H

#include "engine/systems/systems.h"
#include "view/across.h"
#include "view/moving.h"

#define MANAGED_WIDE 70

struct managed {
    const struct world *w;
    bool named;  /* the argument names a system */
    bool on;     /* it is on: only then is there what follows */
    bool asking; /* the page's question is open */
    enum system_id id;
    const struct system_words *words;
    struct system_info i;
    uint32_t parts;
    struct part_info part[SYSTEM_PARTS_MAX];
};

bool managed_open(struct managed *out, const struct scene *s, const char *argument);
void managed_open_id(struct managed *out, const struct scene *s, enum system_id id);
/* Why there is nothing to show. */
void managed_add_none(struct str *out, const struct managed *m, const char *argument);
void managed_draw_none(struct canvas *c, const struct managed *m, const char *argument);

/* --- loads --- */

struct managed_load {           /* in the last second */
    uint64_t asked, ok, limit;  /* limit 0: none is known */
    bool reads, halves;         /* it is reads; read units, two to a unit */
    enum system_verdict turned; /* what most became of the rest; VERDICT_OK: there is no rest */
};
/* Of one kind; and of the one that comes closer. */
struct managed_load managed_part_work(const struct managed *m, const struct part_info *p,
                                      bool reads);
struct managed_load managed_machine_work(const struct managed *m, uint32_t machine, bool reads);
struct managed_load managed_part_load(const struct managed *m, const struct part_info *p);
struct managed_load managed_machine_load(const struct managed *m, uint32_t machine);
bool managed_two_kinds(const struct managed *m);   /* it was asked for writes and for reads */
uint64_t managed_tenths(struct managed_load load); /* of a percent of its limit */
enum style managed_load_style(const struct managed *m, struct managed_load load);

struct managed_busy {
    bool any, machine; /* a machine, else a part */
    uint32_t number;
    struct managed_load load;
    uint64_t copies; /* writes for which it has another copy, where a copy's work counts as well */
};
/* Where each copy counts (Cassandra): of what a machine is first of, so that rows compare. */
struct managed_busy managed_busiest(const struct managed *m);
/* Its machines are zones, and each part is in several of them (Kinesis). */
bool managed_zones(const struct managed *m);
/* Whose colour a part has: its machine's; its own where machines are zones. */
uint32_t managed_owner(const struct managed *m, const struct part_info *p);
/* Its parts have copies on other machines of it (HBase's lie in HDFS). */
bool managed_keeps(const struct managed *m);
uint32_t managed_busiest_part(const struct managed *m); /* its place among the parts */

/* Keys, those asked for most in the last second first; how many. */
uint32_t managed_keys(const struct managed *m, struct system_key_info key[SYSTEM_KEYS_MAX]);
/* The key that a part was asked for most in the last second; false: none. */
bool managed_hot_key(const struct managed *m, uint32_t part, struct system_key_info *out);
uint64_t managed_asked(const struct system_counts *c);

/* --- what it said --- */

/* Its `back`th newest record, 0 the newest. */
bool managed_note(const struct managed *m, uint32_t back, struct trace_record *out);
/* The newest that is about a part. */
bool managed_note_of_part(const struct managed *m, uint32_t part, struct trace_record *out);
void managed_add_note(struct str *out, const struct managed *m, const struct trace_record *r);

/* --- words --- */

void managed_add_part(struct str *out, const struct managed *m, uint32_t part); /* "shard 6" */
void managed_add_machine(struct str *out, const struct managed *m, uint32_t machine); /* "node 2" */
const char *managed_leads(const struct managed *m); /* what a machine does with its parts */
void managed_add_count(struct str *out, uint64_t count, const char *one, const char *many);
/* "2,550 writes and 9,300 reads a second" of the last one; "nothing in the last second" */
void managed_add_asked(struct str *out, const struct managed *m, const struct system_counts *c);
/* "1,000 served, 1,550 throttled" */
void managed_add_became(struct str *out, const struct system_counts *c);
const char *managed_state_name(uint8_t state);
void managed_add_part_facts(struct str *out, const struct managed *m, const struct part_info *p);
void managed_add_machine_facts(struct str *out, const struct managed *m, uint32_t machine);
void managed_add_load(struct str *out, const struct managed *m, struct managed_load load);
/* "reads 1,000 records a second and shard, parents first; 3,150 written, 40 not read yet" */
void managed_add_reader(struct str *out, const struct managed *m);
/* "p9: read ... with 12 older ones unread in shard 2"; false: nothing was out of order. */
bool managed_add_order(struct str *out, const struct managed *m, bool brief);
/* A setting's value by its name, in words; false: it has no such setting. */
bool managed_add_setting(struct str *out, const struct managed *m, const char *name);

/* --- inspecting --- */

enum managed_what {
    MANAGED_SYSTEM,
    MANAGED_PART,
    MANAGED_MACHINE
};
struct subject managed_subject(const struct managed *m, enum managed_what what, uint32_t number);
bool managed_subject_exists(const struct scene *s, uint64_t id);
void managed_inspect_title(struct str *out, const struct scene *s, uint64_t id);
void managed_inspect(struct str *out, const struct scene *s, uint64_t id);

/* --- drawing (managed_draw.c) --- */

/* What became of all that was asked, over the whole width; veiled: that it was asked. */
void managed_draw_share(struct canvas *c, struct rect area, const struct system_counts *counts,
                        bool veiled);
/* A load against its limit; `scale`: tenths of a percent that the width stands for. */
void managed_draw_load(struct canvas *c, struct rect area, struct managed_load load, uint64_t scale,
                       bool veiled);
uint64_t managed_scale(uint64_t most_tenths);
/* The signs, over as many of `rows` lines as it takes; `met`: a bit per verdict that is there. */
/* A load with the letter of its kind before the bar: "w" or "r", where `letter`. */
void managed_draw_work(struct canvas *c, struct rect area, const struct managed *m,
                       struct managed_load load, uint64_t scale, bool letter);
/* Facts, each a sentence of its own and ended by a newline, from y on, if there is room for all;
 * the lines taken. */
int managed_draw_facts(struct canvas *c, int y, const struct str *facts);
/* What the system did last, newest first, one line each, as far as there is room; then its keys,
 * those asked for most first, with their parts. */
void managed_draw_past(struct canvas *c, int y, const struct managed *m);
/* Rows of words below so many rows of things: fewer than `foot` where that shows all of them. */
int managed_foot(int h, int row0, int rows, int foot);
/* Of two headlines the longer one, if it is not cut. */
void managed_draw_headline(struct canvas *c, enum style style, const char *whole,
                           const char *brief);
int managed_draw_signs(struct canvas *c, int y, int rows, uint32_t met, bool limit);
uint32_t managed_met(const struct system_counts *counts);
void managed_put_percent(struct canvas *c, int end, int y, const struct managed *m,
                         struct managed_load load);

#define MANAGED_NODES (3 * SYSTEM_PARTS_MAX)
struct managed_axis { /* the space of keys from left to right */
    enum {
        AXIS_TRUE,  /* positions to scale */
        AXIS_ORDER, /* in their order, not to scale */
        AXIS_COUNT  /* the parts, numbered: keys are counted modulo */
    } kind;
    int x, width;
    uint32_t nodes; /* AXIS_ORDER: places where something begins, ascending */
    struct u128 node[MANAGED_NODES];
};
void managed_axis_of(struct managed_axis *out, const struct managed *m, int x, int width);
/* Its columns, from `from` to before `to`; at least one. */
void managed_axis_span(const struct managed_axis *a, const struct managed *m,
                       const struct part_info *p, int *from, int *to);
/* The column of a key. */
int managed_axis_key(const struct managed_axis *a, const struct managed *m,
                     const struct system_key_info *key);
/* The line itself, cut into open parts, in the colours of their machines. */
void managed_axis_draw(struct canvas *c, int y, const struct managed_axis *a,
                       const struct managed *m, int32_t selected);
/* Names of keys below their marks, those asked for most first, as far as there is room. */
void managed_axis_draw_keys(struct canvas *c, int y, const struct managed_axis *a,
                            const struct managed *m);

#endif
