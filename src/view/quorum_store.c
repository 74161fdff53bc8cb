/*
 * store: one key of a store without leaders: which node holds which version, and for whom.
 *
 * The head says how many copies a write needs and a read asks, and whether the two must meet. A
 * line a node: first the ones that should hold the key, then those that stand in for one of them
 * with a hint. Each version has a sign and colour of its own, so that who is behind (lacks the
 * newest value that was told OK) and who holds two is seen; below, the last operations with what
 * their coordinators had heard. While the page's question is open only what is held and what was
 * told is there, not what follows from it. Argument:
 * "cart:x", the store and the key; without a key the first, without a store the last. Selection: a
 * node.
 */
#include "base/utf8.h"
#include "engine/quorums/quorums.h"
#include "view/across.h"
#include "view/moving.h"
#include <string.h>

#define MIN_ROWS 8
#define WIDE 70
#define HEAD_ROWS 3
#define SHADES 6
#define OPS_LEAST 4 /* operations that are shown before words about all */
#define TOLD 12

struct stored {
    const struct world *w;
    bool known, keyed; /* the store is; and it has such a key */
    bool asking;       /* the page's question is open */
    bool acked;        /* some write was told OK; which value the last one wrote */
    uint64_t newest;
    uint32_t index, key;
    struct store_info i;
    uint32_t rows;
    struct store_held held[NODES_MAX];
    uint32_t values; /* that somebody holds, each once, the greatest first */
    uint64_t value[SHADES];
    uint32_t ops;
    struct store_op op[STORE_HISTORY_MAX];
};

static void values_find(struct stored *s)
{
    for (uint32_t i = 0; i < s->rows; i++) {
        for (uint32_t k = 0; k < s->held[i].versions && k < STORE_SIBLINGS_MAX; k++) {
            uint64_t value = s->held[i].value[k];
            uint32_t at = 0;
            while (at < s->values && s->value[at] > value) {
                at++;
            }
            if ((at < s->values && s->value[at] == value) || at == SHADES) {
                continue;
            }
            s->values += s->values < SHADES;
            for (uint32_t j = s->values - 1; j > at; j--) {
                s->value[j] = s->value[j - 1];
            }
            s->value[at] = value;
        }
    }
}

static bool find_key(struct stored *s, struct bytes name)
{
    for (uint32_t key = 0; key < s->i.keys; key++) {
        if (name.length == 0 || bytes_equal(world_store_key(s->w, s->index, key), name)) {
            s->key = key;
            return true;
        }
    }
    return false;
}

/* What the last write that was told OK has written. */
static void newest_find(struct stored *s)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct store_op *op = &s->op[i];
        if (op->write && op->ok && (!s->acked || op->ended_no > last)) {
            last = op->ended_no;
            s->newest = op->value;
            s->acked = true;
        }
    }
}

/* It lacks what was told OK. */
static bool is_behind(const struct stored *s, const struct store_held *held)
{
    bool has = false;
    for (uint32_t k = 0; k < held->versions && k < STORE_SIBLINGS_MAX; k++) {
        has = has || held->value[k] == s->newest;
    }
    return held->behind && s->acked && !has && !s->asking;
}

static bool stored_open(struct stored *out, const struct scene *s, const struct view_state *v)
{
    struct bytes store = bytes_of(across_argument(v)), key = {0};
    *out = (struct stored){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL || world_stores(s->world) == 0) {
        return false;
    }
    const char *colon = memchr(store.at, ':', store.length);
    if (colon != NULL) {
        key = bytes_of(colon + 1);
        store.length = (size_t)(colon - store.at);
    }
    out->index = world_stores(s->world) - 1;
    out->known = store.length == 0 || world_store_find(s->world, store, &out->index);
    if (!out->known) {
        return false;
    }
    out->i = world_store(s->world, out->index);
    out->keyed = find_key(out, key);
    if (out->keyed) {
        struct store_op all[STORE_HISTORY_MAX];
        uint32_t ops = world_store_history(s->world, out->index, all);
        for (uint32_t i = 0; i < ops; i++) {
            if (all[i].key == out->key) {
                out->op[out->ops++] = all[i];
            }
        }
        out->rows = world_store_held(s->world, out->index, out->key, out->held);
        values_find(out);
        newest_find(out);
    }
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_none(struct str *out, const struct stored *s, const char *argument)
{
    if (s->w == NULL) {
        str_add(out, "there is no cluster here");
    } else if (argument[0] != '\0') {
        struct bytes name = bytes_of(argument);
        const char *colon = memchr(argument, ':', name.length);
        name.length = colon != NULL ? (size_t)(colon - argument) : name.length;
        str_add(out, "there is no store ");
        view_add_key(out, name);
        str_add(out, " yet");
    } else {
        str_add(out, "there is no store without leaders yet");
    }
}

static void add_headline(struct str *out, const struct stored *s)
{
    view_add_key(out, bytes_of(s->i.name));
    if (s->keyed) {
        str_addc(out, ' ');
        view_add_key(out, world_store_key(s->w, s->index, s->key));
    }
    str_addf(out, ": %u copies, write to %u, read %u", (unsigned)s->i.n, (unsigned)s->i.w,
             (unsigned)s->i.r);
}

static enum style add_meet(struct str *out, const struct stored *s)
{
    bool meet = s->i.r + s->i.w > s->i.n;
    uint32_t both = s->i.r + s->i.w;
    if (s->asking) {
        str_addf(out, "N = %u, W = %u, R = %u", (unsigned)s->i.n, (unsigned)s->i.w,
                 (unsigned)s->i.r);
        str_add(out, s->i.sloppy ? ", others stand in" : "");
        return STYLE_TEXT;
    }
    str_addf(out, "W + R = %u %s N = %u", (unsigned)both,
             meet             ? ">"
             : both == s->i.n ? "="
                              : "<",
             (unsigned)s->i.n);
    if (meet && s->i.sloppy) {
        str_add(out, ", but others stand in");
        return STYLE_WARN;
    }
    str_add(out, meet ? ": reads meet writes" : ": a read may miss it");
    return meet ? STYLE_GOOD : STYLE_WARN;
}

static void add_rules(struct str *out, const struct stored *s)
{
    str_add(out, s->i.sloppy ? "others stand in" : "nobody stands in");
    if (s->i.sloppy) {
        str_add(out, s->i.hints_count ? " and count" : " and do not count");
    }
    str_add(out, s->i.clock ? "; both of two writes are kept" : "; the later clock wins");
    str_add(out, !s->i.repair        ? "; reads repair nothing"
                 : s->i.repair_first ? "; reads repair, then answer"
                                     : "; reads answer, then repair");
}

static void add_counts(struct str *out, const struct stored *s)
{
    const struct store_info *i = &s->i;
    str_addf(out, "%s of ", num_grouped((int64_t)i->sets_ok).text);
    str_addf(out, "%s writes OK", num_grouped((int64_t)i->sets).text);
    str_addf(out, ", %s of ", num_grouped((int64_t)i->gets_ok).text);
    str_addf(out, "%s reads", num_grouped((int64_t)i->gets).text);
    if (s->asking) {
        return;
    }
    if (i->stale > 0) {
        str_addf(out, "; %s STALE", num_grouped((int64_t)i->stale).text);
    }
    if (i->siblings > 0) {
        str_addf(out, "; %s gave more than one version", num_grouped((int64_t)i->siblings).text);
    }
    if (i->overwritten > 0) {
        str_addf(out, "; %s acknowledged and OVERWRITTEN unseen",
                 num_grouped((int64_t)i->overwritten).text);
    }
    if (i->hints > 0) {
        str_addf(out, "; %s hint%s", num_grouped((int64_t)i->hints).text, view_plural(i->hints));
        str_addf(out, ", %s handed over", num_grouped((int64_t)i->hints_handed).text);
    }
    if (i->repairs > 0) {
        str_addf(out, "; %s repaired", num_grouped((int64_t)i->repairs).text);
    }
}

static void add_values(struct str *out, const struct store_held *held)
{
    for (uint32_t k = 0; k < held->versions && k < STORE_SIBLINGS_MAX; k++) {
        str_addf(out, "%s%s", k > 0 ? " and " : "", num_grouped((int64_t)held->value[k]).text);
    }
    if (held->versions == 0) {
        str_add(out, "nothing");
    }
}

static enum style add_state(struct str *out, const struct stored *s, const struct store_held *held)
{
    if (held->hint_for != UINT32_MAX && !held->wanted) {
        str_add(out, "hint for ");
        across_add_node(out, held->hint_for);
        if (!held->up) {
            str_add(out, ", down");
        }
        return STYLE_MOVED;
    }
    if (!held->up) {
        str_add(out, "down");
        return STYLE_BAD;
    }
    if (held->versions > 1) {
        str_add(out, "siblings");
        return STYLE_WARN;
    }
    if (is_behind(s, held)) {
        str_add(out, "behind");
        return STYLE_WARN;
    }
    return STYLE_DIM;
}

static void add_row_words(struct str *out, const struct stored *s, uint32_t row)
{
    const struct store_held *held = &s->held[row];
    across_add_node(out, held->node);
    str_add(out, ", ");
    across_add_zone(out, world_node(s->w, held->node).zone);
    str_add(out, held->wanted ? ", one of the copies, holds " : ", stands in, holds ");
    add_values(out, held);
    if (held->hint_for != UINT32_MAX) {
        str_add(out, ", to hand over to ");
        across_add_node(out, held->hint_for);
    }
    if (is_behind(s, held)) {
        str_add(out, "; lacks what was told OK last");
    }
    if (!held->up) {
        str_add(out, "; down");
    }
}

static enum style add_op(struct str *out, const struct stored *s, const struct store_op *op)
{
    str_addf(out, op->write ? "set %s" : "get", num_grouped((int64_t)op->value).text);
    str_add(out, " via ");
    across_add_node(out, op->node);
    if (op->ended_no == 0) {
        str_add(out, ": under way");
        return STYLE_TEXT;
    }
    if (!op->ok) {
        str_addf(out, ": FAILED, %u of %u", (unsigned)op->acks,
                 (unsigned)(op->write ? s->i.w : s->i.r));
        str_add(out, op->write ? " have it" : " answered");
        return STYLE_BAD;
    }
    if (op->write) {
        str_addf(out, ": OK, %u have it", (unsigned)op->acks);
        if (op->stand_ins > 0) {
            str_addf(out, ", %u stand in", (unsigned)op->stand_ins);
        }
        return STYLE_GOOD;
    }
    if (op->versions == 0) {
        str_add(out, ": nothing");
    } else {
        str_add(out, ": ");
        for (uint32_t k = 0; k < op->versions && k < STORE_SIBLINGS_MAX; k++) {
            str_addf(out, "%s%s", k > 0 ? " and " : "", num_grouped((int64_t)op->all[k]).text);
        }
    }
    bool stale = op->stale && !s->asking;
    str_add(out, stale ? ", STALE" : "");
    return stale ? STYLE_BAD : op->versions > 1 ? STYLE_WARN : STYLE_TEXT;
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int row0, rows, foot;
    int node, zone, values, state; /* columns */
};

static struct plan plan_of(const struct stored *s, int w, int h)
{
    int head = h >= HEAD_ROWS + (int)s->rows + 4 ? HEAD_ROWS : 2;
    struct plan p = {.row0 = head};
    int foot = h >= 14 ? 5 : h >= 10 ? 3 : h >= 6 ? 1 : 0;
    p.rows = h - p.row0 - foot;
    p.rows = p.rows > (int)s->rows ? (int)s->rows : p.rows < 1 ? 1 : p.rows;
    p.node = 2;
    p.zone = 6;
    p.values = 8;
    p.state = w >= 48 ? 34 : w - 14;
    p.foot = p.row0 + p.rows;
    p.foot += h - p.foot > foot + (int)s->ops;
    return p;
}

static enum style value_style(const struct stored *s, uint64_t value)
{
    for (uint32_t i = 0; i < s->values; i++) {
        if (s->value[i] == value) {
            return style_owner(i);
        }
    }
    return STYLE_TEXT;
}

static void draw_versions(struct canvas *c, int y, const struct plan *p, const struct stored *s,
                          const struct store_held *held)
{
    int x = p->values;
    for (uint32_t k = 0; k < held->versions && k < STORE_SIBLINGS_MAX && x < p->state; k++) {
        enum style style = held->up ? value_style(s, held->value[k]) : STYLE_DIM;
        canvas_put(c, x, y, style, view_sign(c, 0x2588, '#'));
        x += 2 + canvas_text_fit(c, x + 2, y, p->state - x - 3, style,
                                 num_grouped((int64_t)held->value[k]).text);
        x += 2;
    }
    if (held->versions == 0) {
        canvas_put(c, x, y, STYLE_DIM, '-');
    }
}

static void draw_row(struct canvas *c, int y, const struct plan *p, const struct stored *s,
                     uint32_t row)
{
    const struct store_held *held = &s->held[row];
    struct mark mark = held->up ? (struct mark){0x25CF, '*', STYLE_GOOD, ""}
                                : (struct mark){0xD7, 'x', STYLE_BAD, ""};
    if (!held->wanted) {
        mark.utf8 = held->up ? 0x25CB : mark.utf8;
        mark.ascii = held->up ? 'o' : mark.ascii;
        mark.style = held->up ? STYLE_MOVED : mark.style;
    }
    struct str text = STR_EMPTY;
    across_put(c, 0, y, &mark);
    across_add_node(&text, held->node);
    canvas_text(c, p->node, y, held->up ? STYLE_STRONG : STYLE_DIM, str_text(&text));
    canvas_textf(c, p->zone, y, STYLE_DIM, "%c", 'a' + world_node(s->w, held->node).zone % 26);
    draw_versions(c, y, p, s, held);
    str_clear(&text);
    enum style style = add_state(&text, s, held);
    canvas_text_fit(c, p->state, y, canvas_width(c) - p->state, style, str_text(&text));
    str_free(&text);
}

static void draw_ops(struct canvas *c, int y, int rows, const struct stored *s)
{
    struct str text = STR_EMPTY;
    for (int i = 0; i < rows && i < (int)s->ops; i++) { /* the newest at the bottom */
        int shown = rows < (int)s->ops ? rows : (int)s->ops;
        str_clear(&text);
        enum style style = add_op(&text, s, &s->op[(int)s->ops - shown + i]);
        view_draw_line(c, y + i, style, str_text(&text));
    }
    str_free(&text);
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct stored *s,
                      const struct view_state *v)
{
    static const struct mark marks[] = {{0x25CF, '*', STYLE_GOOD, "should hold it"},
                                        {0x25CB, 'o', STYLE_MOVED, "stands in"},
                                        {0xD7, 'x', STYLE_BAD, "down"}};
    struct str text = STR_EMPTY, counts = STR_EMPTY;
    int h = canvas_height(c), w = canvas_width(c), y = p->foot;
    if (v->has_selection && s->rows > 0) {
        add_row_words(&text, s, (uint32_t)across_selected(v, s->rows));
        y += across_flow(c, y, h - y < 4 ? 1 : 2, STYLE_TEXT, &text);
        str_clear(&text);
    }
    add_rules(&text, s);
    add_counts(&counts, s);
    int below = across_lines(&text, w) + across_lines(&counts, w) + 1;
    int ops = h - y - 1 < 1 ? 1 : h - y - 1; /* before what they come to */
    ops = ops > (int)s->ops ? (int)s->ops : ops;
    if (ops > OPS_LEAST && ops > h - y - below) {
        ops = h - y - below > OPS_LEAST ? h - y - below : OPS_LEAST;
    }
    draw_ops(c, y, ops, s);
    y += ops;
    y += h - y > below;
    y += across_flow(c, y, h - y >= 6 ? 3 : 2, STYLE_TEXT, &counts);
    y += across_flow(c, y, 3, STYLE_DIM, &text);
    if (y < h) {
        bool there[3] = {0};
        struct mark met[3];
        for (uint32_t i = 0; i < s->rows; i++) {
            there[!s->held[i].up ? 2 : s->held[i].wanted ? 0 : 1] = true;
        }
        int count = across_marks_of(marks, there, 3, met);
        across_draw_key(c, y, h - y, met, there[1] || there[2] ? count : 0);
    }
    str_free(&text);
    str_free(&counts);
}

static void draw_stored(struct canvas *c, const struct stored *s, const struct view_state *v,
                        bool focused)
{
    int h = canvas_height(c);
    struct plan p = plan_of(s, canvas_width(c), h);
    struct str text = STR_EMPTY;
    add_headline(&text, s);
    view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    str_clear(&text);
    if (p.row0 == 2 && p.rows < (int)s->rows) {
        str_addf(&text, "%u more; ", (unsigned)s->rows - (unsigned)p.rows);
    }
    enum style style = add_meet(&text, s);
    view_draw_line(c, 1, style, str_text(&text));
    str_free(&text);
    if (!s->keyed) {
        canvas_text_fit(c, 0, p.row0, canvas_width(c), STYLE_DIM, "nothing is stored under it yet");
        return;
    }
    int64_t at = across_selected(v, s->rows);
    int64_t first = view_list_first(v->scroll, at, s->rows, p.rows);
    if (p.row0 > 2) {
        canvas_text(c, p.node, 2, STYLE_DIM, "node  holds");
    }
    if (p.row0 > 2 && p.rows < (int)s->rows) {
        moving_draw_part(c, 14, p.row0 - 1, first, p.rows, s->rows);
    }
    for (int i = 0; i < p.rows && first + i < s->rows; i++) {
        draw_row(c, p.row0 + i, &p, s, (uint32_t)(first + i));
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){p.node, p.row0 + i, 3, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, p.node, p.row0 + i);
            }
        }
    }
    draw_foot(c, &p, s, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct stored st;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (stored_open(&st, s, v)) {
        draw_stored(c, &st, v, focused);
    } else {
        struct str text = STR_EMPTY;
        add_none(&text, &st, across_argument(v));
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct stored st;
    return stored_open(&st, s, v) ? (int)view_clamp((int64_t)st.rows + 9, MIN_ROWS, 18) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct stored st;
    if (w < 1 || h < 1 || !stored_open(&st, s, v)) {
        return false;
    }
    return across_move(v, st.rows, verb, plan_of(&st, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct stored st;
    struct str line = STR_EMPTY;
    if (!stored_open(&st, s, v)) {
        add_none(&line, &st, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_headline(&line, &st);
    str_add(&line, ". ");
    (void)add_meet(&line, &st);
    str_add(&line, "; ");
    add_rules(&line, &st);
    across_tell_note(out, str_text(&line));
    if (!st.keyed) {
        across_tell(out, "Nothing is stored under it yet.");
    }
    for (uint32_t i = 0; i < st.rows; i++) {
        str_clear(&line);
        add_row_words(&line, &st, i);
        across_tell_note(out, str_text(&line));
    }
    for (uint32_t i = st.ops > TOLD ? st.ops - TOLD : 0; i < st.ops; i++) {
        str_clear(&line);
        str_addf(&line, "%s  ", num_clock(st.op[i].asked_us).text);
        (void)add_op(&line, &st, &st.op[i]);
        across_tell_note(out, str_text(&line));
    }
    str_clear(&line);
    add_counts(&line, &st);
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

const struct view view_store = {
    .name = "store",
    .title = "Who holds which version",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
