/*
 * flight: coalescing: identical reads of one key at one router share one query.
 *
 * A read may join the query under way only if no write of the key that this router knows of has
 * completed since the query began (RULE_JOIN_BEFORE_WRITE); else it begins a new one, and the older
 * query goes on for those who wait for it. At most FLIGHTS_MAX queries are under way; beyond that a
 * read asks alone, which is always right.
 *
 * Whether a router knows of every write depends on who else serves the key: with
 * RULE_ONE_ROUTER_A_KEY all requests of the key pass this one.
 */
#ifndef HOTSHARD_PROTO_FLIGHT_H
#define HOTSHARD_PROTO_FLIGHT_H

#include "proto/rule.h"

#define FLIGHTS_MAX 64 /* queries of one key at one router at a time */

struct flight_core {
    uint64_t flying;   /* a bit for each query under way */
    uint64_t joinable; /* the query that may be joined, + 1; 0: none */
};

enum flight_choice {
    FLIGHT_JOIN,  /* wait for query `which` */
    FLIGHT_START, /* begin query `which` and wait for it */
    FLIGHT_ALONE  /* all are taken: ask on your own, sharing with nobody */
};

/* A read arrives: what it does, and with which query. */
enum flight_choice flight_read(struct flight_core *f, uint8_t *which);
/* The router learnt that a write of the key completed. */
void flight_write_completed(struct flight_core *f, uint64_t rules);
/* The answer of a query is here: those who wait for it are answered, nobody joins it any more. */
void flight_landed(struct flight_core *f, uint8_t which);

#endif
