/*
 * trace_window: which records are shown, from the newest back; of a lesson's step those of the
 * step, and of these the last request whole (trace_fold.c), until a record is selected.
 */
#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "engine/quorums/quorums.h"
#include "engine/systems/systems.h"
#include "view/trace_parts.h"
#include <string.h>

/* Another picture of the page is about systems: about one, or all of them. */
static bool page_of_systems(const struct scene *s, uint8_t *id)
{
    static const char *const views[] = {"systems", "parts", "lineage", "machines", "group"};
    uint32_t met = 0;
    for (size_t i = 0; s->page != NULL && i < s->page->shows; i++) {
        const struct page_show *show = &s->page->show[i];
        for (size_t k = 0; show->view != NULL && k < sizeof views / sizeof views[0]; k++) {
            if (strcmp(show->view, views[k]) != 0) {
                continue;
            }
            uint8_t one = SYSTEM_ALL;
            bool named = show->argument != NULL && system_by_name(show->argument, &one);
            *id = named && (met == 0 || *id == one) ? one : SYSTEM_ALL;
            met++;
        }
    }
    return met > 0;
}

/* "kinesis", "systems"; without an argument what the page is about. */
static bool by_system(const struct scene *s, const char *argument, uint8_t *id)
{
    *id = SYSTEM_ALL;
    if (argument == NULL || argument[0] == '\0') {
        return page_of_systems(s, id);
    }
    return strcmp(argument, "systems") == 0 || system_by_name(argument, id);
}

struct trace_filter trace_filter_of(const struct scene *s, const char *argument)
{
    struct trace_filter out = {0};
    uint64_t number;
    uint8_t system;
    if (by_system(s, argument, &system)) {
        out.by_system = true;
        out.index = system;
        return out;
    }
    if (argument != NULL && argument[0] == 'N' &&
        num_parse_u64(argument + 1, "number", 1, NODES_MAX, &number, NULL)) {
        out.by_node = true;
        out.node = (struct node){.kind = NODE_MACHINE, .index = (uint16_t)(number - 1)};
        return out;
    }
    if (argument != NULL && (argument[0] == 'R' || argument[0] == 'S') &&
        num_parse_u64(argument + 1, "number", 0, UINT16_MAX - 1, &number, NULL)) {
        out.by_node = true;
        out.node.kind = argument[0] == 'R' ? NODE_ROUTER : NODE_SHARD;
        out.node.index = (uint16_t)number;
        return out;
    }
    if (argument != NULL && strcmp(argument, "directory") == 0) {
        out.by_node = true;
        out.node.kind = NODE_DIRECTORY;
        return out;
    }
    if (argument != NULL && argument[0] != '\0') {
        struct bytes name = bytes_of(argument);
        out.by_group = world_groups(s->world) > 0 && world_group_find(s->world, name, &out.index);
        out.by_store = !out.by_group && world_stores(s->world) > 0 &&
                       world_store_find(s->world, name, &out.index);
        if (out.by_group || out.by_store) {
            return out;
        }
    }
    const char *key = view_key_of(s, argument);
    if (key[0] != '\0') {
        out.by_key = true;
        /* A key that nobody asked for yet has no records. */
        out.none = !world_find_key(s->world, bytes_of(key), &out.key);
        out.one_router = s->page != NULL;
        out.router = s->page != NULL ? s->page->router : 0;
    }
    return out;
}

bool trace_same_node(struct node a, struct node b)
{
    return a.kind == b.kind && a.index == b.index;
}

static bool is_control(const struct trace_record *r)
{
    return r->kind == TRACE_MAP || r->kind == TRACE_FETCH || r->kind == TRACE_PLAN ||
           r->kind == TRACE_TABLE || r->kind == TRACE_COMMAND || r->kind == TRACE_MOVE ||
           r->kind == TRACE_SHIFT || (r->kind >= TRACE_QUERY && r->kind <= TRACE_SYSTEM);
}

/* A fetch or map on behalf of a request about another key is not the followed key's business. */
static bool matches(const struct trace_filter *f, const struct trace_record *r)
{
    if (f->by_node) {
        return trace_same_node(r->from, f->node) || trace_same_node(r->to, f->node);
    }
    if (f->by_group) {
        return r->kind == TRACE_COPY && r->slot == f->index;
    }
    if (f->by_store) {
        return r->kind == TRACE_QUORUM && r->target == f->index;
    }
    if (!f->by_key) {
        return true;
    }
    if (!f->none && r->key == f->key) {
        return true;
    }
    if (f->one_router && r->kind == TRACE_MAP && r->request == 0 && r->to.index != f->router) {
        return false;
    }
    return is_control(r) && r->key == KEY_NONE_ID;
}

/* Of the systems that are followed, oldest first; how many. */
static int noted_of(const struct scene *s, const struct trace_filter *f,
                    struct trace_record out[TRACE_NOTED_MAX])
{
    int count = 0;
    for (uint32_t i = 0; i < SYSTEMS && world_has_systems(s->world); i++) {
        struct trace_record r;
        bool followed = f->index == SYSTEM_ALL || f->index == i;
        for (uint32_t back = 0; followed && back < TRACE_NOTED_EACH &&
                                world_system_note(s->world, (enum system_id)i, back, &r);
             back++) {
            int at = count++;
            while (at > 0 && out[at - 1].sequence > r.sequence) {
                out[at] = out[at - 1];
                at--;
            }
            out[at] = r;
        }
    }
    return count;
}

/* Where a sequence number stands among them, or the last before it. */
static int noted_at(const struct trace_record *noted, int count, uint64_t sequence)
{
    int at = 0;
    while (at + 1 < count && noted[at + 1].sequence <= sequence) {
        at++;
    }
    return at;
}

/* The first of the step; without one all, unless something is asked that is still to come. */
static int noted_from(const struct scene *s, const struct trace_record *noted, int count)
{
    int from = 0;
    if (s->page == NULL || s->before == NULL) {
        return 0;
    }
    while (from < count && noted[from].sequence < trace_next(s->before)) {
        from++;
    }
    return from < count || view_question_open(s) ? from : 0;
}

static void fill_noted(struct trace_window *out, const struct scene *s, const struct view_state *v,
                       const struct trace_filter *f, int rows)
{
    int count = noted_of(s, f, out->noted), from = noted_from(s, out->noted, count);
    int last = count - 1, at = last;
    if (v->has_selection && count > 0) {
        from = 0;
        at = noted_at(out->noted, count, (uint64_t)(v->selected < 0 ? 0 : v->selected));
        int64_t scroll = view_clamp(v->scroll, count - 1 - at - rows + 1, count - 1 - at);
        last = count - 1 - (int)view_clamp(scroll, 0, count - 1);
    }
    int first = last - rows + 1 > from ? last - rows + 1 : from;
    for (int i = first; i <= last; i++) {
        out->record[out->count++] = &out->noted[i];
    }
    out->older = first > 0;
    out->newer = count - 1 - last;
    out->selected = out->count > 0 ? at - first : -1;
}

/* Matching records newer than the selected one; the selected one itself if it is still kept. */
int64_t trace_after_selected(const struct scene *s, const struct view_state *v,
                             const struct trace_filter *f)
{
    int64_t newer = 0;
    uint64_t first = trace_first(s->world), next = trace_next(s->world);
    if (!v->has_selection) {
        return 0;
    }
    if (f->by_system) {
        struct trace_record noted[TRACE_NOTED_MAX];
        int count = noted_of(s, f, noted);
        uint64_t selected = (uint64_t)(v->selected < 0 ? 0 : v->selected);
        return count > 0 ? count - 1 - noted_at(noted, count, selected) : 0;
    }
    for (uint64_t at = next; at > first; at--) {
        const struct trace_record *r = trace_get(s->world, at - 1);
        if (r == NULL || !matches(f, r)) {
            continue;
        }
        if (at - 1 <= (uint64_t)(v->selected < 0 ? 0 : v->selected)) {
            return newer;
        }
        newer++;
    }
    return newer > 0 ? newer - 1 : 0; /* forgotten: the oldest one kept stands in */
}

/* A lesson's step begins with what happens in it. Where nothing has, and nothing is asked that is
 * still to come, what was before it is better than nothing. */
static uint64_t first_in_step(const struct scene *s, const struct trace_filter *f)
{
    uint64_t first = trace_first(s->world), next = trace_next(s->world);
    uint64_t begin = s->page != NULL && s->before != NULL ? trace_next(s->before) : first;
    if (begin <= first || begin > next) {
        return first;
    }
    for (uint64_t at = begin; at < next; at++) {
        const struct trace_record *r = trace_get(s->world, at);
        if (r != NULL && matches(f, r)) {
            return begin;
        }
    }
    return view_question_open(s) ? next : first;
}

/* Matching records from `from` on, newest first. Returns how many there are room for. */
static int newest_of(const struct scene *s, const struct trace_filter *f, uint64_t from,
                     const struct trace_record *found[TRACE_WINDOW_MAX])
{
    int count = 0;
    for (uint64_t at = trace_next(s->world); at > from && count < TRACE_WINDOW_MAX; at--) {
        const struct trace_record *r = trace_get(s->world, at - 1);
        if (r != NULL && matches(f, r)) {
            found[count++] = r;
        }
    }
    return count;
}

int trace_request_rows(const struct scene *s, const struct view_state *v)
{
    const struct trace_record *found[TRACE_WINDOW_MAX];
    struct trace_filter f = trace_filter_of(s, v->argument);
    if (f.by_system) {
        struct trace_record noted[TRACE_NOTED_MAX];
        int noted_count = noted_of(s, &f, noted);
        return noted_count - noted_from(s, noted, noted_count);
    }
    int count = newest_of(s, &f, first_in_step(s, &f), found);
    return trace_request_span(found, count);
}

static bool any_before(const struct scene *s, const struct trace_filter *f, uint64_t from)
{
    for (uint64_t at = from; at > trace_first(s->world); at--) {
        const struct trace_record *r = trace_get(s->world, at - 1);
        if (r != NULL && matches(f, r)) {
            return true;
        }
    }
    return false;
}

/* Of a list that the learner walks through: the lines around the selected one, all of them. */
static void fill_selected(struct trace_window *out, const struct scene *s,
                          const struct view_state *v, const struct trace_filter *f, int rows)
{
    const struct trace_record *found[TRACE_WINDOW_MAX];
    int64_t back = trace_after_selected(s, v, f);
    int64_t scroll = v->scroll < 0 ? 0 : v->scroll;
    scroll = back < scroll ? back : back >= scroll + rows ? back - rows + 1 : scroll;
    for (uint64_t at = trace_next(s->world); at > trace_first(s->world) && !out->older; at--) {
        const struct trace_record *r = trace_get(s->world, at - 1);
        if (r == NULL || !matches(f, r)) {
            continue;
        }
        if (out->newer < scroll) {
            out->newer++;
        } else if (out->count < rows) {
            found[out->count++] = r;
        } else {
            out->older = true;
        }
    }
    for (int i = 0; i < out->count; i++) {
        out->record[i] = found[out->count - 1 - i];
    }
    if (out->count > 0) {
        out->selected = (int)view_clamp(out->count - 1 - (back - out->newer), 0, out->count - 1);
    }
}

void trace_window_fill(struct trace_window *out, const struct scene *s, const struct view_state *v,
                       int rows)
{
    struct trace_filter f = trace_filter_of(s, v->argument);
    rows = (int)view_clamp(rows, 1, TRACE_WINDOW_MAX);
    *out = (struct trace_window){.selected = -1};
    if (f.by_system) {
        fill_noted(out, s, v, &f, rows);
        return;
    }
    if (v->has_selection) {
        fill_selected(out, s, v, &f, rows);
    } else {
        const struct trace_record *found[TRACE_WINDOW_MAX];
        uint64_t from = first_in_step(s, &f);
        int count = newest_of(s, &f, from, found);
        if (!trace_fold(out, found, count, rows)) {
            out->count = count < rows ? count : rows;
            out->older = count > rows;
            for (int i = 0; i < out->count; i++) {
                out->record[i] = found[out->count - 1 - i];
            }
        }
        out->older = out->older || any_before(s, &f, from);
        out->selected = out->count - 1;
    }
    for (int i = 0; i < out->count; i++) {
        if (out->record[i] != NULL && out->record[i]->request != 0) {
            out->request = out->record[i]->request;
        }
    }
}

uint64_t trace_walk(const struct scene *s, const struct trace_filter *f, uint64_t from,
                    int64_t steps)
{
    uint64_t found = from, first = trace_first(s->world), next = trace_next(s->world);
    if (f->by_system) {
        struct trace_record noted[TRACE_NOTED_MAX];
        int count = noted_of(s, f, noted);
        int64_t at = count > 0 ? noted_at(noted, count, from) : 0;
        steps = view_clamp(steps, -count, count);
        return count > 0 ? noted[view_clamp(at - steps, 0, count - 1)].sequence : from;
    }
    while (steps > 0 && from > first) {
        from--;
        const struct trace_record *r = trace_get(s->world, from);
        if (r != NULL && matches(f, r)) {
            found = from;
            steps--;
        }
    }
    while (steps < 0 && from + 1 < next) {
        from++;
        const struct trace_record *r = trace_get(s->world, from);
        if (r != NULL && matches(f, r)) {
            found = from;
            steps++;
        }
    }
    return found;
}
