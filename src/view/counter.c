/*
 * counter: a count of likes: its sub-keys, its routers' buffers, and what a read shows of it.
 *
 * At the top a bill that adds up: what a read shows, and what is not in it (yet), make the rows of
 * the table `liked`. What a correction has made up for is missing no more, and no line of it; likes
 * that were acknowledged and have no row stand below the sum. Then each sub-key with its slot and
 * shard, each router's buffer beside its sub-key. A frozen part is not written any more and need
 * not be read: a number that every router knows; where rows are few all of them share one. The key
 * is the argument's, or the page's. Selection: a sub-key.
 */
#include "engine/writes/writes.h"
#include "view/inside.h"
#include <string.h>

#define KEYS_MAX (2 + SALTS_MAX + 64)
#define BILL_MAX 9

/* A line of the bill. */
struct item {
    const char *what, *brief;
    int64_t likes;
};

struct count {
    const struct world *w;
    uint32_t key;
    bool known, treated;
    struct count_info info;
    struct count_key part[KEYS_MAX];
    int parts, live; /* those that are written come first */
    uint64_t frozen; /* what the others hold */
    uint64_t older;  /* in frozen keys with other names, from when salts stood elsewhere */
    struct item item[BILL_MAX]; /* they make the rows of `liked` */
    int items;
    uint64_t most_buffered, most_held;
};

static void bill_add(struct count *k, const char *what, const char *brief, int64_t likes)
{
    if (likes != 0) {
        k->item[k->items++] = (struct item){what, brief, likes};
    }
}

/* Up to `most` of *fix: what it makes up for is missing no more. */
static int64_t made_up(int64_t *fix, uint64_t missing)
{
    int64_t most = (int64_t)missing, part = *fix < 0 ? 0 : *fix < most ? *fix : most;
    *fix -= part;
    return most - part;
}

/* durable = shown - fix + lost + buffered + on the way + unheard - unstored - doubled: what the
 * engine holds of each count (writes_hold). */
static void make_bill(struct count *k)
{
    const struct count_info *i = &k->info;
    int64_t fix = i->fix, less = -i->fix;
    int64_t lost = made_up(&fix, i->lost), unheard = made_up(&fix, i->unheard);
    int64_t doubled = made_up(&less, i->doubled);
    k->item[k->items++] = (struct item){"a read shows", "shown", (int64_t)i->shown};
    bill_add(k, "in routers' buffers", "buffered", (int64_t)i->buffered);
    bill_add(k, "on the way to sub-keys", "on the way", (int64_t)i->on_way);
    bill_add(k, "stored, router not told", "not told", unheard);
    bill_add(k, "lost in crashes", "lost", lost);
    bill_add(k, "corrected too much", "corrected", i->fix > 0 ? -fix : less);
    bill_add(k, "counted twice", "twice", -doubled);
    bill_add(k, "told OK, in no row yet", "no row yet", -(int64_t)i->unstored);
    int64_t rest = (int64_t)i->durable; /* a sub-key took it, and then an older total */
    for (int n = 0; n < k->items; n++) {
        rest -= k->item[n].likes;
    }
    bill_add(k, "taken, and overwritten", "overwritten", rest);
}

/* What is written comes before what is frozen. */
static void live_first(struct count *k)
{
    struct count_key sorted[KEYS_MAX];
    int n = 0;
    for (int frozen = 0; frozen < 2; frozen++) {
        for (int i = 0; i < k->parts; i++) {
            if (k->part[i].frozen == (frozen == 1)) {
                sorted[n++] = k->part[i];
            }
        }
    }
    memcpy(k->part, sorted, (size_t)n * sizeof sorted[0]);
    for (int i = 0; i < n; i++) {
        k->live += !sorted[i].frozen;
        k->frozen += sorted[i].frozen ? sorted[i].value : 0;
    }
    k->older = k->info.frozen_sum > k->frozen ? k->info.frozen_sum - k->frozen : 0;
}

static bool count_open(struct count *k, const struct scene *s, const struct view_state *v)
{
    *k = (struct count){.w = s->world};
    const char *key = view_key_of(s, v->argument);
    if (s->world == NULL || key[0] == '\0' || !world_find_key(s->world, bytes_of(key), &k->key)) {
        return false;
    }
    k->known = true;
    k->treated = writes_count(s->world, k->key, &k->info);
    if (!k->treated) {
        return false;
    }
    make_bill(k);
    uint32_t parts = writes_keys(s->world, k->key, k->part, KEYS_MAX);
    k->parts = (int)(parts < KEYS_MAX ? parts : KEYS_MAX);
    live_first(k);
    for (int i = 0; i < k->parts; i++) {
        struct count_router router = {.key = KEY_NONE_ID};
        if (k->part[i].part == PART_ROUTERS) {
            router = writes_router(s->world, k->key, k->part[i].number);
        }
        k->most_buffered = router.buffered > k->most_buffered ? router.buffered : k->most_buffered;
        if (k->part[i].part != COUNT_PARTS && k->part[i].value > k->most_held) {
            k->most_held = k->part[i].value;
        }
    }
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_none(struct str *out, const struct count *k, const struct scene *s,
                     const struct view_state *v)
{
    const char *key = view_key_of(s, v->argument);
    if (s->world == NULL || key[0] == '\0') {
        str_add(out, "there is no count to look at");
        return;
    }
    view_add_key(out, bytes_of(key));
    if (!k->known) {
        str_add(out, ": nobody has asked for it");
        return;
    }
    uint32_t slot = world_key_slot(k->w, k->key);
    uint16_t owner = world_owner(k->w, slot);
    str_add(out, " is one number in one place: ");
    view_add_shard(out, owner);
    str_addf(out, " holds %s, and each like is a write to it",
             num_grouped((int64_t)world_value(k->w, owner, k->key)).text);
}

static void add_mode(struct str *out, const struct count_info *i)
{
    static const char *const ways[FLUSH_WAYS] = {[FLUSH_ABSOLUTE] = "totals with a sequence",
                                                 [FLUSH_WINDOW] = "each window's difference",
                                                 [FLUSH_MERGE] = "totals, the larger is kept"};
    if (i->mode == WRITES_SALTED) {
        str_addf(out, "spread over %u sub-keys", (unsigned)i->salts);
    } else if (i->mode == WRITES_SUMMED) {
        str_addf(out, "summed at the routers, flushed every %s: %s", num_span(i->window_us).text,
                 ways[i->way]);
    } else {
        str_add(out, "each like goes to the key itself");
    }
}

static void add_part_role(struct str *out, const struct count_key *part)
{
    if (part->part == PART_PLAIN) {
        str_add(out, "the key itself");
    } else if (part->part == PART_SALTS) {
        str_addf(out, "salt %u", (unsigned)part->number);
    } else if (part->part == PART_ROUTERS) {
        str_addf(out, "R%u's", (unsigned)part->number);
    } else {
        str_add(out, "the correction");
    }
}

/* A correction may take away: what is stored is a number of 64 bits either way. */
static struct num_text value_of(const struct count_key *part)
{
    return num_grouped((int64_t)part->value);
}

static void add_part_words(struct str *out, const struct count *k, const struct count_key *part)
{
    uint32_t slot = world_key_slot(k->w, part->key);
    view_add_key(out, world_key(k->w, part->key));
    str_add(out, " (");
    add_part_role(out, part);
    str_addf(out, ", slot %u, ", (unsigned)slot);
    view_add_shard(out, world_owner(k->w, slot));
    str_addf(out, "): %s", value_of(part).text);
    str_add(out, part->frozen ? ", frozen" : "");
    if (part->part == PART_ROUTERS) {
        struct count_router r = writes_router(k->w, k->key, part->number);
        str_addf(out, "; buffer %s", num_grouped((int64_t)r.buffered).text);
        str_addf(out, ", last flush sequence %u", (unsigned)r.sequence);
        str_add(out, r.phase == FLUSH_READY ? "" : ", restarting: it reads its total back");
        if (r.lost > 0) {
            str_addf(out, ", lost %s in crashes", num_grouped((int64_t)r.lost).text);
        }
    }
}

/* "341,022 liked = 340,400 shown + 512 buffered + 110 on the way": two lines. */
static void add_balance(struct str *out, const struct count *k)
{
    str_addf(out, "%s liked = ", num_grouped((int64_t)k->info.durable).text);
    for (int i = 0; i < k->items; i++) {
        int64_t likes = k->item[i].likes;
        str_add(out, i == 0 ? "" : likes < 0 ? " - " : " + ");
        str_addf(out, "%s %s", num_grouped(likes < 0 ? -likes : likes).text, k->item[i].brief);
    }
}

/* "341,022 liked, 340,400 shown: 622 behind": one line. */
static void add_behind(struct str *out, const struct count *k)
{
    int64_t behind = (int64_t)(k->info.durable - k->info.shown);
    str_addf(out, "%s liked, ", num_grouped((int64_t)k->info.durable).text);
    str_addf(out, "%s shown: ", num_grouped((int64_t)k->info.shown).text);
    str_addf(out, "%s %s", num_grouped(behind < 0 ? -behind : behind).text,
             behind < 0 ? "too many" : "behind");
}

/* --- drawing ------------------------------------------------------------------------------- */

static int64_t selected_part(const struct count *k, const struct view_state *v)
{
    return v->has_selection ? view_clamp(v->selected, 0, k->parts - 1) : 0;
}

/* Lines of the bill: one where rows are few. */
static int bill_rows(const struct count *k, int h)
{
    int all = k->items + 3 + (k->info.forgotten > 0);
    return h >= all + 7 ? all : h >= 4 && h - 2 > k->live ? 2 : 1;
}

/* Lines below the parts: what is selected, or the treatment; the parts come first. */
static int foot_rows(const struct count *k, const struct view_state *v, int h)
{
    int rows = h >= 8 ? 3 : h >= 6 ? 1 : 0;
    int need = k->live + (k->parts > k->live) + bill_rows(k, h);
    while (!v->has_selection && rows > 0 && h - rows < need) {
        rows--;
    }
    return rows;
}

static int part_rows(const struct count *k, const struct view_state *v, int h)
{
    int rows = h - bill_rows(k, h) - foot_rows(k, v, h);
    return rows < 0 ? 0 : rows > k->parts ? k->parts : rows;
}

static void draw_bill(struct canvas *c, const struct count *k)
{
    int w = canvas_width(c), end = w < 60 ? w : 60, y = 0;
    for (int i = 0; i < k->items; i++, y++) {
        const struct item *item = &k->item[i];
        bool missing = strcmp(item->brief, "lost") == 0 || strcmp(item->brief, "no row yet") == 0 ||
                       strcmp(item->brief, "overwritten") == 0;
        enum style style = i == 0 ? STYLE_STRONG : missing ? STYLE_BAD : STYLE_TEXT;
        canvas_text(c, 0, y, STYLE_DIM, i == 0 ? " " : item->likes < 0 ? "-" : "+");
        canvas_text_fit(c, 2, y, end - 14, style, item->what);
        canvas_text_right(c, end, y, style,
                          num_grouped(item->likes < 0 ? -item->likes : item->likes).text);
    }
    canvas_hline(c, end - 12, y, 12, LINE_LIGHT, STYLE_DIM);
    canvas_text(c, 0, y + 1, STYLE_DIM, "=");
    canvas_text_fit(c, 2, y + 1, end - 14, STYLE_STRONG, "rows of liked");
    canvas_text_right(c, end, y + 1, STYLE_STRONG, num_grouped((int64_t)k->info.durable).text);
    if (k->info.forgotten > 0) {
        canvas_text_fit(c, 2, y + 2, end - 14, STYLE_BAD, "told OK, in no row at all");
        canvas_text_right(c, end, y + 2, STYLE_BAD, num_grouped((int64_t)k->info.forgotten).text);
    }
}

static void draw_top(struct canvas *c, const struct count *k, int rows)
{
    if (rows > 2) {
        draw_bill(c, k);
        return;
    }
    struct str text = STR_EMPTY;
    add_balance(&text, k);
    if (rows == 1 && (int)text.length > canvas_width(c)) {
        str_clear(&text);
        add_behind(&text, k);
    }
    view_draw_wrapped(c, 0, rows, STYLE_STRONG, str_text(&text));
    str_free(&text);
}

/* How much of it each sub-key holds, the buffer behind it. */
static void draw_bar(struct canvas *c, struct rect area, const struct count *k,
                     const struct count_key *part)
{
    uint32_t owner = world_owner(k->w, world_key_slot(k->w, part->key));
    enum style style = part->frozen || owner == SHARD_NONE ? STYLE_DIM : style_owner(owner);
    if (part->part == COUNT_PARTS || area.w < 4) {
        return;
    }
    int room = part->part == PART_ROUTERS && k->most_buffered > 0 ? area.w * 2 / 3 : area.w;
    uint64_t most = k->most_held > 0 ? k->most_held : 1;
    int eighths = (int)((part->value / 8 + 1) * (uint64_t)room * 8 / (most / 8 + 1));
    eighths = part->value == 0 ? 0 : eighths > room * 8 ? room * 8 : eighths;
    if (part->frozen) {
        for (int x = 0; x < (eighths + 7) / 8; x++) {
            canvas_put(c, area.x + x, area.y, STYLE_DIM, view_sign(c, 0x2591, ':'));
        }
    } else {
        canvas_bar(c, area.x, area.y, eighths, style);
    }
    if (room < area.w) {
        uint64_t buffered = writes_router(k->w, k->key, part->number).buffered;
        int x = area.x + (eighths + 7) / 8, left = area.w - room;
        int width = (int)(buffered * (uint64_t)left / k->most_buffered);
        width = buffered > 0 && width == 0 ? 1 : width;
        for (int i = 0; i < width; i++) {
            canvas_put(c, x + i, area.y, STYLE_WARN, view_sign(c, 0x2592, '+'));
        }
    }
}

static int name_columns(int w)
{
    return w >= 100 ? 24 : w >= 38 ? 16 : 14;
}

static void draw_part(struct canvas *c, int y, const struct count *k, const struct count_key *part)
{
    int w = canvas_width(c), name = name_columns(w);
    uint32_t owner = world_owner(k->w, world_key_slot(k->w, part->key));
    struct str text = STR_EMPTY;
    view_add_key(&text, world_key(k->w, part->key));
    canvas_text_fit(c, 0, y, name, part->frozen ? STYLE_DIM : STYLE_TEXT, str_text(&text));
    str_clear(&text);
    view_add_shard(&text, owner);
    canvas_text_fit(c, name + 1, y, 3, owner == SHARD_NONE ? STYLE_BAD : style_owner(owner),
                    str_text(&text));
    bool buffers = part->part == PART_ROUTERS && !part->frozen;
    int end = w - (w >= 56 ? 18 : 8);
    canvas_text_right(c, end, y, part->frozen ? STYLE_DIM : STYLE_TEXT, value_of(part).text);
    str_clear(&text);
    if (buffers) {
        struct count_router r = writes_router(k->w, k->key, part->number);
        str_addf(&text, "+%s", num_grouped((int64_t)r.buffered).text);
        if (w >= 56) {
            str_clear(&text);
            str_addf(&text, "+%s  #%u", num_grouped((int64_t)r.buffered).text,
                     (unsigned)r.sequence);
        }
    } else if (part->frozen) {
        str_add(&text, "frozen");
    }
    canvas_text_right(c, w, y, buffers ? STYLE_WARN : STYLE_DIM, str_text(&text));
    str_free(&text);
    int from = name + 5, bar = end - 11 - from;
    draw_bar(c, (struct rect){from, y, bar > 40 ? 40 : bar, 1}, k, part);
}

/* Parts that have no row of their own, in one. */
static void draw_rest(struct canvas *c, int y, const struct count *k, int shown)
{
    struct str text = STR_EMPTY;
    int w = canvas_width(c), frozen = k->parts - k->live;
    if (shown < k->live) {
        str_addf(&text, "and %d more", k->parts - shown);
    } else {
        str_addf(&text, "%d frozen part%s%s", frozen, frozen == 1 ? "" : "s",
                 k->older > 0 ? " and older" : "");
        canvas_text_right(c, w - (w >= 56 ? 18 : 8), y, STYLE_DIM,
                          num_grouped((int64_t)(k->frozen + k->older)).text);
        canvas_text_right(c, w, y, STYLE_DIM, "frozen");
    }
    canvas_text_fit(c, 0, y, w, STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_foot(struct canvas *c, int foot, int rows, const struct count *k,
                      const struct count_key *selected)
{
    struct str text = STR_EMPTY;
    if (selected != NULL) {
        add_part_words(&text, k, selected);
    } else {
        add_mode(&text, &k->info);
        str_add(&text, k->info.rebuilding ? "; a rebuild is under way" : "");
    }
    view_draw_wrapped(c, foot, rows, STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_parts(struct canvas *c, const struct count *k, const struct view_state *v,
                       bool focused)
{
    int h = canvas_height(c), top = bill_rows(k, h), rows = part_rows(k, v, h);
    int64_t at = selected_part(k, v), first = view_list_first(v->scroll, at, k->parts, rows);
    bool chosen = focused || v->has_selection,
         rest = !chosen && rows > 1 && (rows < k->parts || (k->older > 0 && k->live < k->parts));
    for (int i = 0; i < rows && first + i < k->parts; i++) {
        if (rest && (i == rows - 1 || i == k->live)) {
            draw_rest(c, top + i, k, i);
            break;
        }
        draw_part(c, top + i, k, &k->part[first + i]);
        if (first + i == at && chosen) {
            int name = name_columns(canvas_width(c));
            canvas_restyle(c, (struct rect){0, top + i, name, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, top + i);
            }
        }
    }
    int foot = foot_rows(k, v, h);
    if (foot > 0) {
        draw_foot(c, top + rows, foot, k, v->has_selection || foot < 2 ? &k->part[at] : NULL);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct count k;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (!count_open(&k, s, v)) {
        struct str text = STR_EMPTY;
        add_none(&text, &k, s, v);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    draw_top(c, &k, bill_rows(&k, canvas_height(c)));
    draw_parts(c, &k, v, focused);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct count k;
    if (!count_open(&k, s, v) || w < 1 || h < 1) {
        return false;
    }
    int rows = part_rows(&k, v, h);
    int64_t at = selected_part(&k, v), first = view_list_first(v->scroll, at, k.parts, rows);
    bool begun = v->has_selection;
    if (!view_list_move(&at, k.parts, verb, rows) && (begun || verb != VERB_UP)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(first, at, k.parts, rows);
    return true;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct count k;
    struct str line = STR_EMPTY;
    if (!count_open(&k, s, v)) {
        add_none(&line, &k, s, v);
        str_addc(&line, '.');
        if (!k.known && line.text[0] == 't') {
            line.text[0] = 'T';
        }
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        str_free(&line);
        return;
    }
    str_add(&line, "Likes of ");
    view_add_key(&line, world_key(s->world, k.key));
    str_add(&line, ": ");
    add_mode(&line, &k.info);
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    str_clear(&line);
    str_addf(&line, "Rows of liked: %s. They are:", num_grouped((int64_t)k.info.durable).text);
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    for (int i = 0; i < k.items; i++) {
        int64_t likes = k.item[i].likes;
        str_addf(out, "%s %10s  %s\n",
                 i == 0      ? " "
                 : likes < 0 ? "-"
                             : "+",
                 num_grouped(likes < 0 ? -likes : likes).text, k.item[i].what);
    }
    if (k.info.forgotten > 0) {
        str_addf(out, "Beside them %s were told OK and are in no row at all.\n",
                 num_grouped((int64_t)k.info.forgotten).text);
    }
    if (k.info.frozen_sum > 0) {
        str_addf(out, "Of what a read shows, %s are frozen parts that need not be read.\n",
                 num_grouped((int64_t)k.info.frozen_sum).text);
    }
    str_add(out, k.info.rebuilding ? "A rebuild is under way.\n" : "");
    str_add(out, "Its keys:\n");
    for (int i = 0; i < k.parts; i++) {
        str_clear(&line);
        add_part_words(&line, &k, &k.part[i]);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    if (k.older > 0) {
        str_addf(out, "  older sub-keys, from when salts stood elsewhere: %s, frozen\n",
                 num_grouped((int64_t)k.older).text);
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct count k;
    if (count_open(&k, s, v)) {
        return (struct subject){.kind = SUBJECT_KEY, .id = k.part[selected_part(&k, v)].key};
    }
    return k.known ? (struct subject){.kind = SUBJECT_KEY, .id = k.key}
                   : (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_counter = {
    .name = "counter",
    .title = "What makes the count",
    .min_rows = 8,
    .want_rows = 18,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
