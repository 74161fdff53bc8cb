/*
 * shelf: the layouts and lists of keys of scripts. A script holds a number and the call that it was
 * made in, never a pointer; one whose call is over answers with a clear error.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include "place/keyset.h"
#include "place/layout.h"
#include <stdlib.h>
#include <string.h>

void shelf_free(struct shelf *shelf)
{
    for (size_t i = 0; i < shelf->layouts; i++) {
        layout_free(shelf->layout[i]); /* before the keys that it may have observed */
    }
    for (size_t i = 0; i < shelf->keysets; i++) {
        keyset_free(shelf->keys[i]);
    }
    free(shelf->layout);
    free(shelf->keys);
    *shelf = (struct shelf){0};
}

static bool loading(const struct player *p)
{
    return p->phase == PHASE_LOAD;
}

static struct shelf *shelf_now(struct player *p)
{
    return loading(p) ? &p->kept : &p->shelf;
}

void shelf_room(lua_State *L)
{
    const struct shelf *shelf = shelf_now(player_of(L));
    if (shelf->layouts == LAYOUTS_MAX) {
        sandbox_raise(L, "at most %d layouts in one call", LAYOUTS_MAX);
    }
}

static void push_handle(lua_State *L, const char *type, size_t index)
{
    const struct player *p = player_of(L);
    struct shelf_handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (struct shelf_handle){(uint32_t)index, loading(p) ? 0 : p->call};
    luaL_setmetatable(L, type);
}

void shelf_push_layout(lua_State *L, struct layout *layout)
{
    struct shelf *shelf = shelf_now(player_of(L));
    shelf->layout = xrealloc(shelf->layout, shelf->layouts + 1, sizeof *shelf->layout);
    shelf->layout[shelf->layouts++] = layout;
    push_handle(L, "layout", shelf->layouts - 1);
}

struct keyset *shelf_new_keys(lua_State *L, bool push)
{
    struct shelf *shelf = shelf_now(player_of(L));
    if (shelf->keysets == KEYSETS_MAX) {
        sandbox_raise(L, "at most %d lists of keys in one call", KEYSETS_MAX);
    }
    shelf->keys = xrealloc(shelf->keys, shelf->keysets + 1, sizeof(struct keyset *));
    struct keyset *keys = keyset_new();
    shelf->keys[shelf->keysets++] = keys;
    if (push) {
        push_handle(L, "keys", shelf->keysets - 1);
    }
    return keys;
}

void shelf_drop_keys(lua_State *L)
{
    struct shelf *shelf = shelf_now(player_of(L));
    keyset_free(shelf->keys[--shelf->keysets]);
}

/* The shelf that a handle is about; raises when its call is over. */
static const struct shelf *shelf_of(lua_State *L, const struct shelf_handle *h, const char *what)
{
    const struct player *p = player_of(L);
    if (h->call != 0 && h->call != p->call) {
        sandbox_raise(L,
                      "this %s is gone: what a call makes lives as long as the call; make it at "
                      "the top of the file, or again",
                      what);
    }
    return h->call == 0 ? &p->kept : &p->shelf;
}

struct layout *shelf_layout(lua_State *L, int arg)
{
    const struct shelf_handle *h = luaL_testudata(L, arg, "layout");
    return h != NULL ? shelf_of(L, h, "layout")->layout[h->index] : NULL;
}

struct keyset *shelf_keys(lua_State *L, int arg)
{
    const struct shelf_handle *h = luaL_testudata(L, arg, "keys");
    return h != NULL ? shelf_of(L, h, "list of keys")->keys[h->index] : NULL;
}

/* --- owners --- */

void owners_forget(struct player *p)
{
    for (size_t i = 0; i < p->owners_known; i++) {
        free(p->owners[i].owner);
    }
    p->owners_known = 0;
}

/* The one that was asked for last is the last one. */
static struct owners *known_owners(struct player *p, const struct layout *layout,
                                   const struct keyset *keys)
{
    for (size_t i = 0; i < p->owners_known; i++) {
        struct owners *o = &p->owners[i];
        if (o->layout == layout && o->keys == keys && o->count == keyset_count(keys)) {
            struct owners found = *o;
            memmove(o, o + 1, (p->owners_known - i - 1) * sizeof *o);
            p->owners[p->owners_known - 1] = found;
            return &p->owners[p->owners_known - 1];
        }
    }
    return NULL;
}

const uint32_t *owners_of(lua_State *L, const struct layout *layout, struct keyset *keys)
{
    struct player *p = player_of(L);
    const struct owners *known = known_owners(p, layout, keys);
    size_t count = keyset_count(keys);
    if (known != NULL) {
        return known->owner;
    }
    sandbox_charge(L, api_lookup_units(layout, count));
    /* The place of the one that was asked for longest ago is needed: of two that are compared
     * neither may go. */
    if (p->owners_known == OWNERS_MAX) {
        free(p->owners[0].owner);
        memmove(p->owners, p->owners + 1, (OWNERS_MAX - 1) * sizeof *p->owners);
        p->owners_known--;
    }
    struct owners *o = &p->owners[p->owners_known++];
    *o = (struct owners){layout, keys, count, xcalloc(count + 1, sizeof(uint32_t))};
    int64_t since = sandbox_clock();
    layout_owners(layout, keys, o->owner);
    sandbox_forgive(L, since);
    return o->owner;
}
