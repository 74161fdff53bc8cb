/*
 * api_systems: systems that people run, as a script sees them: w:system("kinesis"),
 * w:system_parts("kinesis"), w:system_key("kinesis", "p9") ...
 *
 * While a system is off its functions give nil. Positions are fractions of all positions, from 0 to
 * 1; what a vendor would write there is in the texts beside them.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "engine/systems/systems.h"
#include "lesson/api.h"
#include "place/key.h"
#include "proto/gossip.h"
#include <math.h>
#include <string.h>

enum {
    WRITES,
    READS
};

/* --- what is asked about --- */

static void expect(lua_State *L, bool is, int arg, const char *function, const char *what)
{
    if (!is) {
        sandbox_raise(L, "w:%s takes %s, not %s", function, what, luaL_typename(L, arg));
    }
}

/* By its name, in small letters or capitals, as in a command. */
static enum system_id id_arg(lua_State *L, const char *function)
{
    uint8_t id = 0;
    size_t length;
    char name[24] = "";
    expect(L, lua_isstring(L, 2), 2, function, "the name of a system, as \"kinesis\"");
    const char *text = lua_tolstring(L, 2, &length);
    if (memchr(text, '\0', length) != NULL) {
        sandbox_raise(L, "w:%s: the name of a system has no zero byte", function);
    }
    for (size_t i = 0; i < length && i + 1 < sizeof name; i++) {
        name[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    }
    if (!system_by_name(name, &id) || id == SYSTEM_ALL) {
        const char *names[SYSTEMS];
        for (int i = 0; i < SYSTEMS; i++) {
            names[i] = system_words((enum system_id)i)->name;
        }
        api_unknown(L, "system", name, names, SYSTEMS);
    }
    return (enum system_id)id;
}

/* The world and the system of a call; NULL: that system is off, and nil is the answer. */
static struct world *on_arg(lua_State *L, const char *function, enum system_id *id)
{
    struct world *w = api_world(L, 1, NULL);
    *id = id_arg(L, function);
    if (!world_has_systems(w)) {
        sandbox_raise(L, "this world has no systems; those of the story have");
    }
    sandbox_charge(L, 100);
    if (!world_system_on(w, *id)) {
        lua_pushnil(L);
        return NULL;
    }
    return w;
}

/* --- fields --- */

static double fraction_of(struct u128 position)
{
    return ldexp((double)position.high, -64);
}

static void set_fraction(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void set_str(lua_State *L, const char *name, struct str *text)
{
    lua_pushlstring(L, str_text(text), text->length);
    lua_setfield(L, -2, name);
    str_free(text);
}

static int64_t both(const uint64_t counts[2])
{
    return (int64_t)(counts[WRITES] + counts[READS]);
}

static void set_counts(lua_State *L, const struct system_counts *c)
{
    api_set_number(L, "asked", both(c->asked));
    api_set_number(L, "writes", (int64_t)c->asked[WRITES]);
    api_set_number(L, "reads", (int64_t)c->asked[READS]);
    api_set_number(L, "ok", both(c->ok));
    api_set_number(L, "ok_writes", (int64_t)c->ok[WRITES]);
    api_set_number(L, "ok_reads", (int64_t)c->ok[READS]);
    api_set_number(L, "throttled", (int64_t)c->throttled);
    api_set_number(L, "late", (int64_t)c->late);
    api_set_number(L, "away", (int64_t)c->away);
}

/* Of the kind of work that is closer to its limit, in percent to a tenth; 0 without a limit. */
static void set_percent(lua_State *L, const struct system_counts *c, const uint32_t limit[2])
{
    int64_t most = 0;
    for (int i = 0; i < 2; i++) {
        int64_t tenths = limit[i] == 0 ? 0 : (int64_t)(c->asked[i] * 1000 / limit[i]);
        most = tenths > most ? tenths : most;
    }
    if (most % 10 == 0) {
        api_set_number(L, "pct", most / 10);
    } else {
        set_fraction(L, "pct", (double)most / 10);
    }
}

/* --- a system --- */

static void set_settings(lua_State *L, enum system_id id, const struct system_info *info)
{
    const struct system_setting_info *s;
    lua_newtable(L);
    for (uint32_t i = 0; (s = system_setting(id, i)) != NULL; i++) {
        if (s->choices != NULL) {
            api_set_text(L, s->name, s->choices[info->setting[i]]);
        } else {
            api_set_number(L, s->name, info->setting[i]);
        }
    }
    lua_setfield(L, -2, "settings");
}

static void set_changes(lua_State *L, const struct system_info *i)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"lost", i->lost},       {"disorder", i->disorder},
                  {"read", i->read},       {"unread", i->unread},
                  {"skipped", i->skipped}, {"redirects", i->redirects},
                  {"hints", i->hints},     {"splits", i->splits},
                  {"joins", i->joins},     {"moved", i->moved},
                  {"leaders", i->leaders}, {"moved_bytes", i->moved_bytes},
                  {"parts", i->parts},     {"copying", i->copying},
                  {"closed", i->closed},   {"expired", i->expired},
                  {"up", i->up},           {"machines", i->machines}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        api_set_number(L, counts[k].name, (int64_t)counts[k].value);
    }
}

static int read_system(lua_State *L)
{
    enum system_id id;
    const struct world *w = on_arg(L, "system", &id);
    if (w == NULL) {
        return 1;
    }
    const struct system_words *words = system_words(id);
    struct system_info info = world_system(w, id);
    lua_createtable(L, 0, 36);
    api_set_text(L, "name", words->name);
    api_set_text(L, "title", words->title);
    api_set_text(L, "part", words->part);
    api_set_text(L, "parts_word", words->parts);
    api_set_text(L, "machine", words->machine);
    api_set_text(L, "machines_word", words->machines);
    set_changes(L, &info);
    set_counts(L, &info.sum);
    lua_newtable(L);
    set_counts(L, &info.second);
    lua_setfield(L, -2, "second");
    api_push_ms(L, info.longest_us);
    lua_setfield(L, -2, "longest_ms");
    set_settings(L, id, &info);
    return 1;
}

/* --- parts --- */

static const char *state_name(uint8_t state)
{
    static const char *const names[] = {[PART_FREE] = "free",
                                        [PART_OPEN] = "open",
                                        [PART_COPYING] = "copying",
                                        [PART_CLOSED] = "closed",
                                        [PART_EXPIRED] = "expired"};
    return names[state];
}

/* A position as its vendor writes it: a number, or (keys in their order) the key. */
static void set_position(lua_State *L, const char *name, enum system_id id, struct u128 at)
{
    struct str text = STR_EMPTY;
    if (id == SYSTEM_COCKROACHDB || id == SYSTEM_HBASE || id == SYSTEM_MONGODB) {
        char key[16];
        size_t length = 0;
        for (uint64_t i = 0; i < sizeof key; i++) {
            key[i] = (char)(unsigned char)((i < 8 ? at.high : at.low) >> (56 - 8 * (i % 8)));
            length = key[i] != '\0' ? i + 1 : length;
        }
        utf8_visible(&text, key, length);
    } else if (id == SYSTEM_KINESIS) {
        str_add(&text, u128_decimal(at).text);
    } else {
        str_addf(&text, "%016llX", (unsigned long long)at.high);
    }
    set_str(L, name, &text);
}

static void set_family(lua_State *L, const char *name, const uint16_t numbers[2])
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (int i = 0; i < 2; i++) {
        if (numbers[i] != NO_PART) {
            lua_pushinteger(L, numbers[i]);
            lua_rawseti(L, -2, ++count);
        }
    }
    lua_setfield(L, -2, name);
}

static void set_copies(lua_State *L, const struct part_info *p)
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (int i = 0; i < SYSTEM_COPIES; i++) {
        if (p->machine[i] != MACHINE_NONE) {
            lua_pushinteger(L, p->machine[i]);
            lua_rawseti(L, -2, ++count);
        }
    }
    lua_setfield(L, -2, "copies");
    if (p->machine[0] != MACHINE_NONE) {
        api_set_number(L, "machine", p->machine[0]);
    }
    if (p->target != MACHINE_NONE) {
        api_set_number(L, "target", p->target);
    }
}

/* The tags that were asked for and are in it. */
static void set_keys(lua_State *L, const struct world *w, enum system_id id,
                     const struct part_info *p)
{
    lua_Integer count = 0;
    uint32_t keys = p->state == PART_OPEN ? world_system_keys(w, id) : 0;
    lua_newtable(L);
    for (uint32_t i = 0; i < keys; i++) {
        struct system_key_info key = world_system_key(w, id, i);
        if (key.part == p->number) {
            lua_pushlstring(L, key.text.at, key.text.length);
            lua_rawseti(L, -2, ++count);
        }
    }
    lua_setfield(L, -2, "keys");
}

static void set_range(lua_State *L, const struct world *w, enum system_id id,
                      const struct part_info *p)
{
    struct str name = STR_EMPTY;
    world_part_name(w, id, p->number, &name);
    set_str(L, "name", &name);
    set_fraction(L, "first", fraction_of(p->first));
    set_fraction(L, "last", fraction_of(p->last));
    set_position(L, "first_text", id, p->first);
    set_position(L, "last_text", id, p->last);
    set_family(L, "parents", p->parent);
    set_family(L, "children", p->child);
}

static void push_part(lua_State *L, const struct world *w, enum system_id id,
                      const struct part_info *p)
{
    struct machine_info machine = {0};
    bool own = p->limit[WRITES] == 0 && p->limit[READS] == 0;
    if (own && p->machine[0] != MACHINE_NONE) {
        machine = world_system_machine(w, id, p->machine[0]);
    }
    sandbox_charge(L, 40);
    lua_createtable(L, 0, 34);
    api_set_number(L, "number", p->number);
    api_set_text(L, "state", state_name(p->state));
    set_range(L, w, id, p);
    set_copies(L, p);
    set_counts(L, &p->second);
    api_set_number(L, "sum_ok", both(p->sum.ok));
    api_set_number(L, "sum_asked", both(p->sum.asked));
    set_percent(L, &p->second, own ? machine.limit : p->limit);
    api_set_number(L, "limit_writes", p->limit[WRITES]);
    api_set_number(L, "limit_reads", p->limit[READS]);
    api_set_number(L, "bytes", (int64_t)p->bytes);
    api_set_number(L, "records", (int64_t)p->records);
    api_set_number(L, "unread", (int64_t)p->unread);
    api_set_number(L, "saved", p->saved / 1000000);
    api_set_truth(L, "paused", p->paused);
    api_push_ms(L, p->ready_us > world_now(w) ? p->ready_us - world_now(w) : 0);
    lua_setfield(L, -2, "ready_ms");
    api_set_truth(L, "away", p->away_us > world_now(w));
    if (p->reader != UINT8_MAX) {
        api_set_number(L, "reader", p->reader);
    }
    set_keys(L, w, id, p);
}

static int read_parts(lua_State *L)
{
    enum system_id id;
    const struct world *w = on_arg(L, "system_parts", &id);
    if (w == NULL) {
        return 1;
    }
    uint32_t parts = world_system_parts(w, id);
    lua_createtable(L, (int)parts, 0);
    for (uint32_t i = 0; i < parts; i++) {
        struct part_info part = world_system_part(w, id, i);
        push_part(L, w, id, &part);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int read_part(lua_State *L)
{
    enum system_id id;
    struct part_info part;
    const struct world *w = on_arg(L, "system_part", &id);
    if (w == NULL) {
        return 1;
    }
    expect(L, lua_isnumber(L, 3), 3, "system_part", "a part's number after the name");
    lua_Integer number = luaL_checkinteger(L, 3);
    if (number < 0 || number >= NO_PART || !world_system_find(w, id, (uint32_t)number, &part)) {
        sandbox_raise(L, "%s has no %s %lld", system_words(id)->title, system_words(id)->part,
                      (long long)number);
    }
    push_part(L, w, id, &part);
    return 1;
}

/* --- keys --- */

/* Where it is, and what was counted of it; nothing was while nobody asked for it. */
static struct system_key_info key_arg(lua_State *L, const char *function, const struct world *w,
                                      enum system_id id)
{
    struct system_key_info key = {0};
    expect(L, lua_isstring(L, 3), 3, function, "a key after the name, as \"p9\"");
    struct bytes text = api_key(L, 3);
    if (!world_system_place(w, id, text, &key)) {
        sandbox_raise(L, "%s does not know where this key is", system_words(id)->title);
    }
    uint32_t keys = world_system_keys(w, id);
    for (uint32_t i = 0; i < keys; i++) {
        struct system_key_info known = world_system_key(w, id, i);
        if (bytes_equal(known.text, key_tag(text))) {
            return known;
        }
    }
    return key;
}

static int read_of(lua_State *L)
{
    enum system_id id;
    struct part_info part;
    const struct world *w = on_arg(L, "system_of", &id);
    if (w == NULL) {
        return 1;
    }
    struct system_key_info key = key_arg(L, "system_of", w, id);
    if (!world_system_find(w, id, key.part, &part)) {
        lua_pushnil(L);
        return 1;
    }
    push_part(L, w, id, &part);
    return 1;
}

static int read_key(lua_State *L)
{
    enum system_id id;
    const struct world *w = on_arg(L, "system_key", &id);
    if (w == NULL) {
        return 1;
    }
    struct system_key_info key = key_arg(L, "system_key", w, id);
    lua_createtable(L, 0, 18);
    api_set_number(L, "part", key.part);
    set_fraction(L, "at", fraction_of(key.position));
    set_position(L, "at_text", id, key.position);
    set_counts(L, &key.second);
    api_set_number(L, "sum_writes", (int64_t)key.sum.asked[WRITES]);
    api_set_number(L, "sum_reads", (int64_t)key.sum.asked[READS]);
    api_set_number(L, "sum_asked", both(key.sum.asked));
    api_set_number(L, "sum_ok", both(key.sum.ok));
    api_set_number(L, "lost", (int64_t)key.lost);
    api_set_number(L, "disorder", (int64_t)key.disorder);
    return 1;
}

/* w:placed(name, key, n): the part of a key when a system has so many even ones, from 0 on. */
static int read_placed(lua_State *L)
{
    uint32_t part = 0;
    api_world(L, 1, NULL);
    enum system_id id = id_arg(L, "placed");
    expect(L, lua_isstring(L, 3), 3, "placed", "a key after the name, as \"p9\"");
    expect(L, lua_isnumber(L, 4), 4, "placed", "a number of parts after the key");
    struct bytes key = api_key(L, 3);
    lua_Integer parts = luaL_checkinteger(L, 4);
    uint32_t most = system_placed_max(id);
    if (parts < 1 || parts > (lua_Integer)most) {
        sandbox_raise(L, "w:placed takes 1 to %u %s of %s", most, system_words(id)->parts,
                      system_words(id)->title);
    }
    if (!system_placed(id, key, (uint32_t)parts, &part)) {
        sandbox_raise(L, "%s of %s are never even: there is nothing to compute",
                      system_words(id)->parts, system_words(id)->title);
    }
    lua_pushinteger(L, part);
    return 1;
}

/* --- machines, readers, the card --- */

static int read_machines(lua_State *L)
{
    enum system_id id;
    const struct world *w = on_arg(L, "system_machines", &id);
    if (w == NULL) {
        return 1;
    }
    uint32_t machines = world_system(w, id).machines;
    lua_createtable(L, (int)machines, 0);
    for (uint32_t i = 0; i < machines; i++) {
        struct machine_info m = world_system_machine(w, id, i);
        lua_createtable(L, 0, 18);
        api_set_number(L, "number", i);
        api_set_truth(L, "down", m.down);
        api_set_number(L, "leads", m.leads);
        api_set_number(L, "keeps", m.keeps);
        set_counts(L, &m.second);
        set_percent(L, &m.second, m.limit);
        api_set_number(L, "limit_writes", m.limit[WRITES]);
        api_set_number(L, "limit_reads", m.limit[READS]);
        api_set_number(L, "bytes", (int64_t)m.bytes);
        api_set_number(L, "hints", (int64_t)m.hints);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* The parts that a member reads now. */
static void set_read_by(lua_State *L, const struct world *w, enum system_id id, uint32_t member)
{
    lua_Integer count = 0;
    uint32_t parts = world_system_parts(w, id);
    lua_newtable(L);
    for (uint32_t i = 0; i < parts; i++) {
        struct part_info part = world_system_part(w, id, i);
        if (part.reader == member) {
            lua_pushinteger(L, part.number);
            lua_rawseti(L, -2, ++count);
        }
    }
    lua_setfield(L, -2, "parts");
}

static int read_group(lua_State *L)
{
    enum system_id id;
    const struct world *w = on_arg(L, "system_group", &id);
    if (w == NULL) {
        return 1;
    }
    struct reader_info reader = world_system_reader(w, id);
    lua_createtable(L, 0, 6);
    lua_createtable(L, reader.members, 0);
    for (uint32_t i = 0; i < reader.members; i++) {
        lua_createtable(L, 0, 3);
        api_set_number(L, "number", i);
        api_set_truth(L, "gone", reader.left[i]);
        set_read_by(L, w, id, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "members");
    api_set_number(L, "rate", reader.rate);
    api_set_number(L, "paused", reader.paused);
    api_set_number(L, "of", reader.of);
    api_push_ms(L, reader.pause_us > world_now(w) ? reader.pause_us - world_now(w) : 0);
    lua_setfield(L, -2, "pause_ms");
    return 1;
}

static void set_sentences(lua_State *L, const char *name, const char *const *sentence)
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (; sentence != NULL && *sentence != NULL; sentence++) {
        lua_pushstring(L, *sentence);
        lua_rawseti(L, -2, ++count);
    }
    lua_setfield(L, -2, name);
}

/* What is fixed about a system, on or off. */
static int read_card(lua_State *L)
{
    api_world(L, 1, NULL);
    const struct system_words *words = system_words(id_arg(L, "system_card"));
    lua_createtable(L, 0, 10);
    api_set_text(L, "title", words->title);
    api_set_text(L, "placement", words->placement);
    api_set_text(L, "splits", words->splits);
    api_set_text(L, "moves", words->moves);
    api_set_text(L, "order", words->order);
    api_set_text(L, "survives", words->survives);
    api_set_text(L, "grows", words->grows);
    api_set_text(L, "throttled", words->throttled);
    set_sentences(L, "documented", words->documented);
    set_sentences(L, "leaves_out", words->leaves_out);
    return 1;
}

/* --- gossip --- */

#define GOSSIP_NODES_MAX 4096
#define GOSSIP_RUNS_MAX 200

static enum gossip_way way_arg(lua_State *L, int arg)
{
    static const char *const ways[] = {"push", "push-pull"};
    const char *way = luaL_checkstring(L, arg);
    for (int i = 0; i < 2; i++) {
        if (strcmp(way, ways[i]) == 0) {
            return i == 0 ? GOSSIP_PUSH : GOSSIP_PUSH_PULL;
        }
    }
    api_unknown(L, "way of gossip", way, ways, 2);
}

/* w:gossip_rounds(nodes, "push"|"push-pull", runs [, seed]): rounds in step until all know: the
 * median of so many runs, and between what nine of ten of them lie. */
static int read_gossip_rounds(lua_State *L)
{
    uint8_t knows[GOSSIP_NODES_MAX];
    uint32_t took[GOSSIP_RUNS_MAX];
    api_world(L, 1, NULL);
    lua_Integer nodes = luaL_checkinteger(L, 2), runs = luaL_checkinteger(L, 4);
    enum gossip_way way = way_arg(L, 3);
    if (nodes < 2 || nodes > GOSSIP_NODES_MAX || runs < 1 || runs > GOSSIP_RUNS_MAX) {
        sandbox_raise(L, "w:gossip_rounds takes 2 to %d nodes and 1 to %d runs", GOSSIP_NODES_MAX,
                      GOSSIP_RUNS_MAX);
    }
    sandbox_charge(L, nodes * runs / 8);
    int64_t since = sandbox_clock();
    struct prng prng = prng_seeded((uint64_t)luaL_optinteger(L, 5, 1), "gossip");
    uint32_t last = (uint32_t)runs - 1;
    for (uint32_t i = 0; i <= last; i++) {
        uint32_t rounds = gossip_rounds(knows, (uint32_t)nodes, way, &prng), j = i;
        for (; j > 0 && took[j - 1] > rounds; j--) {
            took[j] = took[j - 1];
        }
        took[j] = rounds;
    }
    sandbox_forgive(L, since);
    lua_createtable(L, 0, 3);
    api_set_number(L, "median", took[last / 2]);
    api_set_number(L, "low", took[last / 20]);
    api_set_number(L, "high", took[last - last / 20]);
    return 1;
}

const luaL_Reg *api_systems(void)
{
    static const luaL_Reg functions[] = {{"system", read_system},
                                         {"system_parts", read_parts},
                                         {"system_part", read_part},
                                         {"system_of", read_of},
                                         {"system_key", read_key},
                                         {"system_machines", read_machines},
                                         {"system_group", read_group},
                                         {"system_card", read_card},
                                         {"placed", read_placed},
                                         {"gossip_rounds", read_gossip_rounds},
                                         {NULL, NULL}};
    return functions;
}
