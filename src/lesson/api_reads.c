/*
 * api_reads: what routers do with hot reads and counts, as a script sees it: w:reads_of(key),
 * w:count(key), w:buffered(key), w:subkeys(key), w:account(key).
 *
 * Sub-keys of a treated count are known by their names (writes.h): salts likes:{p9#3} and
 * likes:{p9}#3, routers' likes:{p9}:r4, the correction likes:{p9}:fix.
 */
#include "engine/accounts/accounts.h"
#include "engine/reads/reads.h"
#include "engine/writes/writes.h"
#include "lesson/api.h"
#include "place/key.h"
#include <string.h>

/* --- tables --- */

void api_set_number(lua_State *L, const char *name, int64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void api_set_text(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

void api_set_truth(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void api_push_ms(lua_State *L, int64_t us)
{
    if (us % 1000 == 0) {
        lua_pushinteger(L, us / 1000);
    } else {
        lua_pushnumber(L, (lua_Number)us / 1000.0);
    }
}

static void set_ms(lua_State *L, const char *name, int64_t us)
{
    api_push_ms(L, us);
    lua_setfield(L, -2, name);
}

void api_set_key(lua_State *L, const struct world *w, uint32_t key)
{
    struct bytes text = world_key(w, key);
    lua_pushlstring(L, text.at, text.length);
    lua_setfield(L, -2, "key");
}

void api_set_shard(lua_State *L, uint16_t shard)
{
    lua_pushfstring(L, "S%d", (int)shard);
    lua_setfield(L, -2, "shard");
}

uint32_t api_find_key(lua_State *L, int arg, const struct world *w)
{
    uint32_t key = KEY_NONE_ID;
    return world_find_key(w, api_key(L, arg), &key) ? key : KEY_NONE_ID;
}

/* --- sub-keys --- */

static bool digits(const char *at, size_t length)
{
    size_t n = 0;
    while (n < length && at[n] >= '0' && at[n] <= '9') {
        n++;
    }
    return n > 0 && n == length;
}

/* Whether `part` is `whole` with a mark and a number put in at `at`. */
static bool marked(struct bytes part, struct bytes whole, size_t at, const char *mark)
{
    size_t length = strlen(mark);
    if (part.length <= whole.length + length || memcmp(part.at, whole.at, at) != 0 ||
        memcmp(part.at + at, mark, length) != 0) {
        return false;
    }
    size_t rest = whole.length - at, number = part.length - whole.length - length;
    return digits(part.at + at + length, number) &&
           memcmp(part.at + part.length - rest, whole.at + at, rest) == 0;
}

static bool named_as_part(struct bytes part, struct bytes count)
{
    char room[KEY_BYTES_MAX + 2];
    struct bytes tag = key_tag(count), base = count;
    size_t inside = (size_t)(tag.at - count.at) + tag.length;
    if (marked(part, count, inside, "#") || marked(part, count, count.length, "#")) {
        return true;
    }
    if (tag.length == count.length) { /* beside a key without a hash tag it becomes one */
        room[0] = '{';
        memcpy(room + 1, count.at, count.length);
        room[count.length + 1] = '}';
        base = (struct bytes){.at = room, .length = count.length + 2};
    }
    bool fix = part.length == base.length + 4 && memcmp(part.at, base.at, base.length) == 0 &&
               memcmp(part.at + base.length, ":fix", 4) == 0;
    return fix || marked(part, base, base.length, ":r");
}

/* "post:{p9~1}" of post:{p9}; the number stands where the tag ends. */
static bool named_as_copy(struct bytes copy, struct bytes whole)
{
    struct bytes tag = key_tag(whole);
    return marked(copy, whole, (size_t)(tag.at - whole.at) + tag.length, "~");
}

struct api_stand_ins api_stand_ins_of(const struct world *w, uint32_t key)
{
    struct count_info info;
    return (struct api_stand_ins){.key = key,
                                  .counts = writes_count(w, key, &info),
                                  .copied = reads_info(w, 0, key).mode == READS_COPIES};
}

bool api_stands_in(const struct world *w, const struct api_stand_ins *of, uint32_t other)
{
    struct bytes key = world_key(w, of->key), name = world_key(w, other);
    return other == of->key || (of->counts && named_as_part(name, key)) ||
           (of->copied && named_as_copy(name, key));
}

bool api_is_part(const struct world *w, uint32_t part, uint32_t count)
{
    struct count_info info;
    return writes_count(w, count, &info) && named_as_part(world_key(w, part), world_key(w, count));
}

static void push_subkey(lua_State *L, const struct world *w, uint32_t key)
{
    uint16_t slot = world_key_slot(w, key), owner = world_owner(w, slot);
    lua_createtable(L, 0, 4);
    api_set_key(L, w, key);
    api_set_shard(L, owner);
    api_set_number(L, "slot", slot);
    api_set_number(L, "value", (int64_t)world_value(w, owner, key));
}

static int read_subkeys(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t count = api_find_key(L, 2, w);
    lua_Integer found = 0;
    sandbox_charge(L, 2 * (int64_t)world_keys(w));
    lua_newtable(L);
    for (uint32_t key = 0; count != KEY_NONE_ID && key < world_keys(w); key++) {
        if (api_is_part(w, key, count)) {
            push_subkey(L, w, key);
            lua_rawseti(L, -2, ++found);
        }
    }
    return 1;
}

/* --- reads --- */

static void add_info(struct reads_info *sum, struct reads_info one)
{
    sum->mode = one.mode;
    sum->copies = one.copies;
    sum->hits += one.hits;
    sum->stale_hits += one.stale_hits;
    sum->waits += one.waits;
    sum->fetches += one.fetches;
    sum->oldest_us = one.oldest_us > sum->oldest_us ? one.oldest_us : sum->oldest_us;
    sum->held_us = one.held_us > sum->held_us ? one.held_us : sum->held_us;
}

static struct reads_info reads_everywhere(const struct world *w, uint32_t key)
{
    struct reads_info sum = {.held_us = -1};
    for (uint16_t i = 0; i < world_config_of(w)->routers; i++) {
        add_info(&sum, reads_info(w, i, key));
    }
    for (uint8_t i = 0; sum.mode == READS_EDGE && i < world_config_of(w)->zones; i++) {
        add_info(&sum, reads_edge_info(w, i, key));
    }
    return sum;
}

/* "R0", or of a zone's edge "a". */
static struct reads_info reads_at(lua_State *L, int arg, const struct world *w, uint32_t key)
{
    const char *place = luaL_checkstring(L, arg);
    uint32_t zones = world_config_of(w)->zones;
    if (place[0] >= 'a' && place[0] < 'a' + (int)zones && place[1] == '\0') {
        return reads_edge_info(w, (uint8_t)(place[0] - 'a'), key);
    }
    return reads_info(w, api_router(L, arg, w), key);
}

static int read_reads_of(lua_State *L)
{
    static const char *const modes[] = {
        [READS_PLAIN] = "plain",       [READS_CACHED] = "cached", [READS_COALESCED] = "coalesced",
        [READS_REPLICAS] = "replicas", [READS_COPIES] = "copies", [READS_EDGE] = "edge"};
    struct world *w = api_world(L, 1, NULL);
    uint32_t key = api_find_key(L, 2, w);
    struct reads_info info = {.held_us = -1};
    if (!lua_isnoneornil(L, 3) && key == KEY_NONE_ID) {
        api_router(L, 3, w); /* a name that is none is told all the same */
    } else if (key != KEY_NONE_ID) {
        info = lua_isnoneornil(L, 3) ? reads_everywhere(w, key) : reads_at(L, 3, w, key);
    }
    lua_createtable(L, 0, 8);
    api_set_text(L, "mode", modes[info.mode]);
    api_set_number(L, "hits", (int64_t)info.hits);
    api_set_number(L, "stale_hits", (int64_t)info.stale_hits);
    api_set_number(L, "waits", (int64_t)info.waits);
    api_set_number(L, "fetches", (int64_t)info.fetches);
    set_ms(L, "oldest_ms", info.oldest_us);
    set_ms(L, "held_ms", info.held_us < 0 ? -1000 : info.held_us);
    api_set_number(L, "copies", info.copies);
    return 1;
}

/* --- counts --- */

/* A count that routers do not treat: it is what its shard holds. */
static struct count_info plain_count(const struct world *w, uint32_t key)
{
    struct count_info info = {.mode = WRITES_PLAIN};
    if (key != KEY_NONE_ID && !writes_count(w, key, &info)) {
        info.shown = world_value(w, world_owner(w, world_key_slot(w, key)), key);
        info.durable = info.shown;
        info.told = world_acked(w, key);
    }
    return info;
}

static int read_count(lua_State *L)
{
    static const char *const modes[] = {
        [WRITES_PLAIN] = "plain", [WRITES_SALTED] = "salted", [WRITES_SUMMED] = "summed"};
    struct world *w = api_world(L, 1, NULL);
    struct count_info info = plain_count(w, api_find_key(L, 2, w));
    lua_createtable(L, 0, 13);
    api_set_text(L, "mode", modes[info.mode]);
    api_set_number(L, "salts", info.mode == WRITES_SALTED ? info.salts : 0);
    api_set_number(L, "shown", (int64_t)info.shown);
    api_set_number(L, "durable", (int64_t)info.durable);
    api_set_number(L, "told", (int64_t)info.told);
    api_set_number(L, "buffered", (int64_t)info.buffered);
    api_set_number(L, "on_way", (int64_t)info.on_way);
    api_set_number(L, "unheard", (int64_t)info.unheard);
    api_set_number(L, "lost", (int64_t)info.lost);
    api_set_number(L, "doubled", (int64_t)info.doubled);
    api_set_number(L, "forgotten", (int64_t)info.forgotten);
    api_set_number(L, "fix", info.fix);
    api_set_truth(L, "rebuilding", info.rebuilding);
    return 1;
}

static int read_buffered(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t key = api_find_key(L, 2, w);
    uint64_t sum = 0;
    bool all = lua_isnoneornil(L, 3);
    uint16_t one = all ? 0 : api_router(L, 3, w);
    for (uint16_t i = 0; key != KEY_NONE_ID && i < world_config_of(w)->routers; i++) {
        sum += all || i == one ? writes_buffered(w, key, i) : 0;
    }
    lua_pushinteger(L, (lua_Integer)sum);
    return 1;
}

/* --- accounts --- */

static void set_balance(lua_State *L, const struct account_info *info)
{
    api_set_text(L, "kind", "balance");
    api_set_number(L, "stripes", info->stripes);
    api_set_number(L, "floor", info->floor);
    api_set_number(L, "main", info->main);
    api_set_number(L, "striped", info->striped);
    api_set_number(L, "in_transit", info->in_transit);
    api_set_number(L, "total", info->main + info->striped + info->in_transit);
}

static void set_budget(lua_State *L, const struct account_info *info)
{
    api_set_text(L, "kind", "budget");
    api_set_number(L, "rate", info->rate);
    api_set_number(L, "block", info->block);
    api_set_number(L, "granted", (int64_t)info->granted);
    api_set_number(L, "spent", (int64_t)info->spent);
}

static void set_index(lua_State *L, const struct account_info *info)
{
    static const char *const modes[INDEX_MODES] = {
        [INDEX_ASYNC] = "async", [INDEX_SYNC] = "sync", [INDEX_THROTTLE] = "throttle"};
    api_set_text(L, "kind", "index");
    api_set_text(L, "mode", modes[info->mode]);
    api_set_number(L, "written", (int64_t)info->written);
    api_set_number(L, "missing", (int64_t)info->missing);
    api_set_number(L, "behind", info->behind);
}

/* Rows of index keys are not found by key. */
static bool find_account(const struct world *w, uint32_t key, struct account_info *out)
{
    if (accounts_find(w, key, out)) {
        return true;
    }
    for (uint32_t row = 0; row < accounts_count(w); row++) {
        *out = accounts_info(w, row);
        if (out->key == key) {
            return true;
        }
    }
    return false;
}

static int read_account(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t key = api_find_key(L, 2, w);
    struct account_info info = {0};
    lua_createtable(L, 0, 8);
    if (key == KEY_NONE_ID || !find_account(w, key, &info)) {
        api_set_text(L, "kind", "none");
        return 1;
    }
    switch (info.kind) {
    case ACCOUNT_BALANCE:
        set_balance(L, &info);
        break;
    case ACCOUNT_BUDGET:
        set_budget(L, &info);
        break;
    case ACCOUNT_INDEX:
        set_index(L, &info);
        break;
    }
    return 1;
}

const luaL_Reg *api_hot_reads(void)
{
    static const luaL_Reg functions[] = {{"reads_of", read_reads_of}, {"count", read_count},
                                         {"buffered", read_buffered}, {"subkeys", read_subkeys},
                                         {"account", read_account},   {NULL, NULL}};
    return functions;
}
