/*
 * api: what the files of the exposed tables share. Handles are plain values (slot, generation); a
 * handle whose world is gone answers with a clear error.
 */
#ifndef HOTSHARD_LESSON_API_H
#define HOTSHARD_LESSON_API_H

#include "lesson/inside.h"

struct world_handle {
    uint32_t slot, generation;
};

/* Makes the metatable `name` (a protected one) for luaL_checkudata. `index` may be NULL: then the
 * functions are the fields. */
void api_metatable(lua_State *L, const char *name, const luaL_Reg *functions, lua_CFunction index);
/* The world behind a handle, or an error. */
struct world *api_handle_world(lua_State *L, const struct world_handle *h);
/* What a call may do with it; raises otherwise. `name` for the message. */
void api_may_change(lua_State *L, const struct world_handle *h, const char *name);
/* Raises "there is no NAME 'given'; did you mean ...". */
_Noreturn void api_unknown(lua_State *L, const char *what, const char *given,
                           const char *const *names, size_t count);
struct world_handle *api_check_world(lua_State *L, int arg);
bool api_apply(lua_State *L, const struct world_handle *h, const struct command *c);

/* What can be read of a layout (api_measure.c); ends with a NULL name. */
const luaL_Reg *api_measures(void);

/* The moment that a measure was taken at: when it is another one, it is taken anew. */
struct rates_stamp api_stamp(const struct player *p, size_t slot);
bool api_stamp_same(const struct rates_stamp *a, const struct rates_stamp *b);

/* Fields of the table on top (api_reads.c). */
void api_set_number(lua_State *L, const char *name, int64_t value);
void api_set_text(lua_State *L, const char *name, const char *value);
void api_set_truth(lua_State *L, const char *name, bool value);
void api_set_key(lua_State *L, const struct world *w, uint32_t key); /* field "key" */
void api_set_shard(lua_State *L, uint16_t shard);                    /* field "shard" */
void api_push_ms(lua_State *L, int64_t us);
/* The key at `arg`; KEY_NONE_ID when this world has not met it. */
uint32_t api_find_key(lua_State *L, int arg, const struct world *w);
/* Keys that are asked in another's place: the sub-keys of a treated count, the copies of a value.
 */
struct api_stand_ins {
    uint32_t key;
    bool counts, copied;
};
struct api_stand_ins api_stand_ins_of(const struct world *w, uint32_t key);
/* The key itself, or one in its place. */
bool api_stands_in(const struct world *w, const struct api_stand_ins *of, uint32_t other);
/* Whether `part` is one of the sub-keys of a treated count. */
bool api_is_part(const struct world *w, uint32_t part, uint32_t count);

/* More functions of a world; each list ends with a NULL name. */
const luaL_Reg *api_hot_reads(void); /* api_reads.c */
const luaL_Reg *api_guards(void);
const luaL_Reg *api_second(void);
const luaL_Reg *api_tail(void); /* api_latency.c */
int api_event(lua_State *L);    /* api_story.c */
void api_story_open(lua_State *L);
const luaL_Reg *api_moves(void);    /* api_moves.c */
const luaL_Reg *api_quorums(void);  /* api_quorums.c */
const luaL_Reg *api_txns(void);     /* api_txns.c */
const luaL_Reg *api_queries(void);  /* api_queries.c */
const luaL_Reg *api_indexes(void);  /* api_indexes.c */
const luaL_Reg *api_fleet(void);    /* api_fleet.c */
const luaL_Reg *api_copies(void);   /* api_copies.c */
const luaL_Reg *api_systems(void);  /* api_systems.c */
const luaL_Reg *api_readouts(void); /* api_readouts.c */
int api_heat(lua_State *L);         /* api_heat.c */
int api_layout_readout(lua_State *L);
/* Fields about a node's heartbeats, for w:node. */
void api_set_beat(lua_State *L, const struct world *w, uint32_t node);
void api_check_open(lua_State *L); /* api_check.c: check.search(...) and its like */
void api_deal_open(lua_State *L);  /* api_deal.c: deal(...), bucket_of(...) */
void api_vectors_open(lua_State *L);

/* The calculators (api_size.c): the one of that name, or an error; and its results, of the inputs
 * in the table at `arg`. */
struct size_tool;
struct size_values;
void api_size_open(lua_State *L);
const struct size_tool *api_size_tool(lua_State *L, const char *name);
void api_size_compute(lua_State *L, int arg, const struct size_tool *tool,
                      struct size_values *values, double *result);

/* A phase's name at `arg`, as the one text of it that lives on. */
const char *api_phase(lua_State *L, int arg);

/* Time (api_time.c). */
int api_play_for(lua_State *L);
int api_play_until(lua_State *L);
int api_play_answered(lua_State *L);
int api_play_until_phase(lua_State *L);

#endif
