/*
 * queries_command: what struct command says for the commands of queries.h.
 *
 *   query    other: its name; mode; count: K; key: the prefix with its star; amount: bytes;
 *            period_us: of hedge, timeout, deadline; 0: off; count: of ask; 0: all
 *   gather   other; mode; router, or rate and arrivals
 *   popular  other; zone; period_us; 0: off
 *   times    shard, SHARD_NONE: all; on; period_us to bound_us; count: slow ones of a million;
 *            first to last: microseconds of those
 */
#ifndef HOTSHARD_ENGINE_QUERIES_COMMAND_H
#define HOTSHARD_ENGINE_QUERIES_COMMAND_H

enum query_mode {
    QUERY_TOP,
    QUERY_SUM,
    QUERY_HEDGE,
    QUERY_TIMEOUT,
    QUERY_DEADLINE,
    QUERY_DROP,
    QUERY_ASK
};

enum gather_mode {
    GATHER_ONCE,
    GATHER_FLOW
};

#endif
