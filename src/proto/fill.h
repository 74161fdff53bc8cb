/*
 * fill: one entry of a micro-cache: fresh, stale while it is fetched again, gone.
 *
 * Times are microseconds on the caller's clock. An entry's age counts from when its fetch was sent,
 * which is before its source was read; with RULE_AGE_FROM_READ off from when the fetch came back.
 * Fresh entries are served; stale ones are served while one fetch runs in the background; beyond
 * the stale bound (or without an entry) reads wait for the fetch under way, or begin one. With
 * RULE_SINGLE_FLIGHT off each such read fetches on its own. With RULE_BOUNDED_AGE off there is no
 * stale bound.
 *
 * An edit that the router sees drops the entry (RULE_DROP_ON_EDIT). A fetch that began before the
 * edit may carry what was there before it: it is not kept, and later reads do not wait for it but
 * begin another (RULE_FILL_NOT_ACROSS_EDIT); those who wait for it already get it.
 *
 * The caller numbers its fetches; a later fetch has a higher number.
 */
#ifndef HOTSHARD_PROTO_FILL_H
#define HOTSHARD_PROTO_FILL_H

#include "proto/rule.h"
#include <stdint.h>

struct fill_core {
    int64_t born_us;  /* from when the held value's age counts */
    uint64_t last;    /* the newest fetch */
    uint64_t since;   /* fetches before this one began before an edit that was seen */
    uint8_t held;     /* there is an entry */
    uint8_t fetching; /* the newest fetch is under way, and may be waited for */
    uint8_t unused[6];
};

_Static_assert(sizeof(struct fill_core) == 32, "bytes without holes");

enum fill_choice {
    FILL_SERVE,         /* answer from the entry */
    FILL_SERVE_REFRESH, /* answer from the entry, and begin a fetch */
    FILL_WAIT,          /* wait for the newest fetch */
    FILL_FETCH          /* begin a fetch and wait for it */
};

/* A read arrives. The caller then sends the fetch and calls fill_sent when the choice says so. */
enum fill_choice fill_read(const struct fill_core *f, uint64_t rules, int64_t now_us,
                           int64_t fresh_us, int64_t stale_us);
void fill_sent(struct fill_core *f, uint64_t number);
/* A fetch is back. True: its value is the entry now; false: only those who wait for it get it. */
bool fill_landed(struct fill_core *f, uint64_t rules, uint64_t number, int64_t sent_us,
                 int64_t now_us);
void fill_failed(struct fill_core *f, uint64_t number);
void fill_edited(struct fill_core *f, uint64_t rules);
/* Whoever held the entry lost its memory: fetches before number `next` are nothing to it. */
void fill_crashed(struct fill_core *f, uint64_t next);

#endif
