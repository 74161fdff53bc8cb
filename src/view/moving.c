/*
 * moving: see moving.h.
 */
#include "view/moving.h"

#include "base/utf8.h"
#include <string.h>

/* --- which slot ---------------------------------------------------------------------------- */

static bool manner_is(enum manner wanted, enum shift_kind kind)
{
    return wanted == MANNER_ANY || wanted == (kind == SHIFT_ASK ? MANNER_ASK : MANNER_DUAL);
}

/* A slot that moves key by key or by dual writes. */
static bool shifting_slot(const struct world *w, enum manner manner, uint32_t *slot)
{
    for (uint32_t row = 0; row < world_config_of(w)->moves_max; row++) {
        struct shift_info info = world_shift(w, row);
        if (info.kind != SHIFT_NONE && manner_is(manner, info.kind)) {
            *slot = info.slot;
            return true;
        }
    }
    return false;
}

/* The slot of the last live move that is under way, or of the last of all. */
static bool moved_slot(const struct world *w, bool ended, uint32_t *slot)
{
    uint32_t last = 0;
    for (uint32_t row = 0; row < moves_rows(w); row++) {
        struct move_info info;
        if (moves_info(w, row, &info) && info.number > last && (ended || !info.ended)) {
            last = info.number;
            *slot = info.slot;
        }
    }
    return last > 0;
}

static bool choose_slot(const struct scene *s, const char *argument, enum manner manner,
                        uint32_t *slot)
{
    const struct world *w = s->world;
    if (argument == NULL || argument[0] == '\0') {
        bool live = manner == MANNER_ANY || manner == MANNER_MOVE;
        if ((live && moved_slot(w, false, slot)) ||
            (manner != MANNER_MOVE && shifting_slot(w, manner, slot)) ||
            (!live && moved_slot(w, false, slot)) || shifting_slot(w, MANNER_ANY, slot) ||
            moved_slot(w, true, slot)) {
            return true;
        }
    }
    struct followed f = view_followed(s, argument);
    *slot = f.found || world_keys(w) == 0 ? f.slot : world_key_slot(w, 0);
    return f.found || world_keys(w) > 0;
}

/* A shard whose table says that the slot has moved to its owner: it had the slot before. */
static uint16_t left_behind(const struct world *w, uint32_t slot, uint16_t owner)
{
    uint16_t last = SHARD_NONE;
    uint32_t epoch = 0;
    for (uint16_t shard = 0; shard < world_shards(w); shard++) {
        struct slot_row row = world_slot_row(w, shard, slot);
        if (row.state == SLOT_MOVED && row.other == owner && row.epoch >= epoch) {
            last = shard;
            epoch = row.epoch;
        }
    }
    return last;
}

void moving_open(struct moving *out, const struct scene *s, const char *argument,
                 enum manner manner)
{
    *out = (struct moving){.w = s->world, .source = SHARD_NONE, .target = SHARD_NONE};
    out->asking = s->page != NULL && s->page->question.kind != QUESTION_NONE &&
                  s->page->question.state == QUESTION_OPEN;
    if (s->world == NULL || !choose_slot(s, argument, manner, &out->slot)) {
        return;
    }
    out->known = true;
    out->moves = moves_info_of(out->w, out->slot, &out->m);
    for (uint32_t row = 0; row < world_config_of(out->w)->moves_max; row++) {
        struct shift_info info = world_shift(out->w, row);
        if (info.kind != SHIFT_NONE && info.slot == out->slot) {
            out->shift = info;
            out->shift_row = row;
        }
    }
    uint16_t owner = world_owner(out->w, out->slot);
    if (out->shift.kind != SHIFT_NONE) {
        out->source = out->shift.source;
        out->target = out->shift.target;
    } else if (out->moves && (!out->m.ended || owner == out->m.target || owner == out->m.source)) {
        out->source = out->m.source;
        out->target = out->m.target;
    } else if (left_behind(out->w, out->slot, owner) != SHARD_NONE) {
        out->source = left_behind(out->w, out->slot, owner);
        out->target = owner;
    }
}

void moving_add_none(struct str *out, const struct moving *k)
{
    if (k->w == NULL) {
        str_add(out, "there is no cluster here");
    } else if (!k->known) {
        str_add(out, "no slot is chosen yet");
    } else {
        str_addf(out, "slot %u rests at ", (unsigned)k->slot);
        view_add_shard(out, world_owner(k->w, k->slot));
    }
}

uint32_t moving_keys(const struct moving *k, uint32_t skip, uint32_t *out, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t key = 0; key < world_keys(k->w) && count < room; key++) {
        if (world_key_slot(k->w, key) != k->slot) {
            continue;
        }
        if (skip > 0) {
            skip--;
        } else {
            out[count++] = key;
        }
    }
    return count;
}

uint32_t moving_key_count(const struct moving *k)
{
    uint32_t count = 0;
    for (uint32_t key = 0; k->known && key < world_keys(k->w); key++) {
        count += world_key_slot(k->w, key) == k->slot;
    }
    return count;
}

int moving_name_columns(const struct moving *k, const uint32_t *keys, uint32_t count, int most)
{
    int widest = 3;
    struct str text = STR_EMPTY;
    for (uint32_t i = 0; i < count && widest < most; i++) {
        if (keys[i] != KEY_NONE_ID) {
            str_clear(&text);
            view_add_key(&text, world_key(k->w, keys[i]));
            int length = utf8_columns(str_text(&text), text.length);
            widest = length > widest ? length : widest;
        }
    }
    str_free(&text);
    return widest > most ? most : widest;
}

bool moving_copying(const struct move_info *m)
{
    return !m->ended && m->copied_us == MOVE_NEVER;
}

/* --- words --------------------------------------------------------------------------------- */

/* Rounded to a tenth of the unit, or cut. */
static void add_bytes(struct str *out, uint64_t bytes, bool cut)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } units[] = {{UINT64_C(1000000000000), "TB"},
                 {UINT64_C(1000000000), "GB"},
                 {1000000, "MB"},
                 {1000, "KB"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        uint64_t unit = units[i].unit;
        if (bytes + (cut ? 0 : unit / 20000) >= unit) { /* 999.96 KB are 1 MB */
            uint64_t tenths = (bytes + (cut ? 0 : unit / 20)) / (unit / 10);
            str_add(out, num_grouped((int64_t)(tenths / 10)).text);
            if (tenths % 10 > 0) {
                str_addf(out, ".%u", (unsigned)(tenths % 10));
            }
            str_addf(out, " %s", units[i].name);
            return;
        }
    }
    str_addf(out, "%u byte%s", (unsigned)bytes, view_plural(bytes));
}

void moving_add_bytes(struct str *out, uint64_t bytes)
{
    add_bytes(out, bytes, false);
}

void moving_add_bytes_of(struct str *out, uint64_t part, uint64_t whole)
{
    struct str a = STR_EMPTY, b = STR_EMPTY;
    moving_add_bytes(&a, part);
    moving_add_bytes(&b, whole);
    if (part < whole && strcmp(str_text(&a), str_text(&b)) == 0) { /* not all of it */
        str_clear(&a);
        add_bytes(&a, part, true);
    }
    const char *unit_a = strrchr(str_text(&a), ' '), *unit_b = strrchr(str_text(&b), ' ');
    bool same = strcmp(unit_a, unit_b) == 0;
    str_addn(out, a.text, same ? (size_t)(unit_a - a.text) : a.length);
    str_addf(out, " of %s", str_text(&b));
    str_free(&a);
    str_free(&b);
}

void moving_add_time(struct str *out, int64_t us)
{
    int64_t seconds = (us + US_PER_SECOND / 2) / US_PER_SECOND;
    if (seconds >= 7200) {
        int64_t minutes = (seconds + 30) / 60;
        str_addf(out, "%s h", num_grouped(minutes / 60).text);
        if (minutes % 60 > 0) {
            str_addf(out, " %u min", (unsigned)(minutes % 60));
        }
        return;
    }
    if (seconds >= 120) {
        str_addf(out, "%s min", num_grouped(seconds / 60).text);
        if (seconds % 60 > 0) {
            str_addf(out, " %u s", (unsigned)(seconds % 60));
        }
        return;
    }
    int64_t step = us >= 10 * US_PER_SECOND ? 100 * US_PER_MS
                   : us >= US_PER_SECOND    ? 10 * US_PER_MS
                   : us >= 100 * US_PER_MS  ? US_PER_MS
                   : us >= 10 * US_PER_MS   ? 100
                   : us >= US_PER_MS        ? 10
                                            : 1;
    str_add(out, num_span((us + step / 2) / step * step).text);
}

void moving_add_ago(struct str *out, int64_t us)
{
    if (us <= 0) {
        str_add(out, "just now");
        return;
    }
    moving_add_time(out, us);
    str_add(out, " ago");
}

/* --- the promise --------------------------------------------------------------------------- */

enum promise_state moving_promise_state(const struct slot_promise *p)
{
    bool two = p->accepting > 1 && !p->by_key;
    return two                              ? PROMISE_TWO
           : p->lacking > 0 || p->older > 0 ? PROMISE_LOST
           : p->accepting == 0              ? PROMISE_PAUSE
                                            : PROMISE_HOLDS;
}

/* How much of the words is left out: each form is shorter than the one before. */
enum brevity {
    BREVITY_WHOLE,   /* accepts: nobody (the pause, 8 ms so far); S2 holds all 42 writes that ... */
    BREVITY_WRITES,  /* ...; S2 holds all 42 writes */
    BREVITY_NUMBER,  /* accepts: nobody, 8 ms so far; all 42 held */
    BREVITY_CLOSE,   /* accepts: nobody, 8 ms; all 42 held */
    BREVITY_ALL,     /* accepts: nobody, 8 ms; all held */
    BREVITY_NO_NAME, /* nobody, 8 ms; all held */
    BREVITIES
};

static void add_nobody(struct str *out, const struct moving *k, const struct slot_promise *p,
                       enum brevity brevity)
{
    bool brief = brevity >= BREVITY_NUMBER;
    str_add(out, "nobody");
    const struct move_info *m = &k->m;
    bool fenced = k->moves && !m->ended && m->fenced_us != MOVE_NEVER &&
                  (m->phase == MOVE_FENCED || m->phase == MOVE_COMMITTED);
    if (world_shard(k->w, p->holder).down) {
        str_addf(out, brief ? ", S%u is down" : " (S%u is down)", (unsigned)p->holder);
    } else if (fenced) {
        str_add(out, brief ? ", " : " (the pause, ");
        moving_add_time(out, world_now(k->w) - m->fenced_us);
        str_add(out, brevity >= BREVITY_CLOSE ? "" : brief ? " so far" : " so far)");
    } else if (world_slot_row(k->w, p->holder, k->slot).state == SLOT_MIGRATING) {
        str_addf(out, brief ? ", frozen" : " (S%u is frozen)", (unsigned)p->holder);
    }
}

static void add_accepts(struct str *out, const struct moving *k, const struct slot_promise *p,
                        enum brevity brevity)
{
    str_add(out, brevity >= BREVITY_NO_NAME ? "" : "accepts: ");
    if (p->by_key && p->accepting > 0) {
        str_addf(out,
                 brevity >= BREVITY_NUMBER ? "S%u or S%u, by key"
                                           : "S%u what it has, S%u what has gone",
                 (unsigned)k->source, (unsigned)k->target);
        return;
    }
    switch (p->accepting) {
    case 0:
        add_nobody(out, k, p, brevity);
        return;
    case 1:
        str_addf(out, "S%u alone", (unsigned)p->accepts[0]);
        return;
    case 2:
        str_addf(out, "S%u AND S%u", (unsigned)p->accepts[0], (unsigned)p->accepts[1]);
        return;
    default:
        str_addf(out, "S%u, S%u AND %u MORE", (unsigned)p->accepts[0], (unsigned)p->accepts[1],
                 p->accepting - 2u);
        return;
    }
}

/* Likes that came in flushes are no writes of their own. */
static void add_writes(struct str *out, const struct slot_promise *p, enum brevity brevity)
{
    if (brevity > BREVITY_WRITES) {
        return;
    }
    bool one = p->writes == 1;
    str_add(out, !p->summed      ? one ? " write" : " writes"
                 : p->edits == 0 ? one ? " like" : " likes"
                                 : " likes and edits");
    str_add(out, brevity > BREVITY_WHOLE ? "" : one ? " that was accepted" : " that were accepted");
}

/* "it lacks 3 of the 42 writes that were accepted" */
static void add_lacks(struct str *out, const struct slot_promise *p, const char *who,
                      enum brevity brevity)
{
    if (brevity < BREVITY_ALL) {
        str_addf(out, "%s ", who);
    }
    str_addf(out, "%s ", p->by_key ? "lack" : "lacks");
    if (p->lacking > 0) {
        str_addf(out, "%s of ", num_grouped((int64_t)p->lacking).text);
        str_addf(out, "%s%s", brevity == BREVITY_WHOLE ? "the " : "",
                 num_grouped((int64_t)p->writes).text);
        add_writes(out, p, brevity);
    } else {
        str_addf(out, "the last flush of %u key%s", (unsigned)p->older, view_plural(p->older));
    }
}

/* "it holds all 42 writes that were accepted" */
static void add_holds(struct str *out, const struct slot_promise *p, const char *who,
                      enum brevity brevity)
{
    struct num_text writes = num_grouped((int64_t)p->writes);
    bool brief = brevity >= BREVITY_NUMBER;
    if (p->writes == 0) {
        str_add(out, p->uncounted ? brief ? "accounts" : "accounts are not counted here"
                     : brief      ? "no writes yet"
                                  : "nothing has been written yet");
    } else if (brevity >= BREVITY_ALL) {
        str_add(out, "all held");
    } else if (brief && (p->accepting == 0 || brevity >= BREVITY_CLOSE)) {
        str_addf(out, "%s%s held", p->writes == 1 ? "the " : "all ",
                 p->writes == 1 ? "one" : writes.text);
    } else {
        str_addf(out, "%s %s %s%s", who, p->by_key ? "hold" : "holds",
                 p->writes == 1 ? "the one" : "all ", p->writes == 1 ? "" : writes.text);
        add_writes(out, p, brevity);
    }
}

static void add_promise(struct str *out, const struct moving *k, const struct slot_promise *p,
                        enum brevity brevity, const char *between)
{
    struct str who = STR_EMPTY;
    bool two = moving_promise_state(p) == PROMISE_TWO;
    add_accepts(out, k, p, brevity);
    str_add(out, two && brevity == BREVITY_WHOLE ? ", where one alone may: " : between);
    if (p->by_key) {
        str_add(&who, "they");
    } else if (p->accepting == 1) {
        str_add(&who, "it");
    } else {
        view_add_shard(&who, p->holder);
    }
    if (p->lacking + p->older > 0) {
        add_lacks(out, p, str_text(&who), brevity);
    } else {
        add_holds(out, p, str_text(&who), brevity);
    }
    str_free(&who);
}

void moving_add_promise(struct str *out, const struct moving *k, const struct slot_promise *p)
{
    add_promise(out, k, p, BREVITY_WHOLE, "; ");
}

/* The longest words that fit into so many lines of so many columns; how many lines they take. */
static int promise_fit(struct str *out, const struct moving *k, int columns, int rows)
{
    struct slot_promise p = moves_promise(k->w, k->slot);
    struct str lines = STR_EMPTY;
    int taken = 1;
    for (int brevity = 0; brevity < BREVITIES; brevity++) {
        str_clear(out);
        str_clear(&lines);
        add_promise(out, k, &p, (enum brevity)brevity, " \u00B7 ");
        view_add_wrapped(&lines, str_text(out), columns < 1 ? 1 : columns, 0);
        taken = 0;
        for (size_t i = 0; i < lines.length; i++) {
            taken += lines.text[i] == '\n';
        }
        if (taken <= rows) {
            break;
        }
    }
    str_free(&lines);
    return taken > rows ? rows : taken;
}

int moving_promise_rows(const struct moving *k, int w, int h)
{
    struct str text = STR_EMPTY;
    int rows = promise_fit(&text, k, w - 2, h >= 10 ? 2 : 1);
    str_free(&text);
    return rows;
}

void moving_draw_promise(struct canvas *c, const struct moving *k, int y, int rows)
{
    static const struct {
        uint32_t utf8, ascii;
        enum style style;
    } looks[] = {[PROMISE_HOLDS] = {0x221A, 'v', STYLE_GOOD},
                 [PROMISE_PAUSE] = {0x25CB, 'o', STYLE_WARN},
                 [PROMISE_TWO] = {0xD7, 'x', STYLE_BAD},
                 [PROMISE_LOST] = {0xD7, 'x', STYLE_BAD}};
    struct slot_promise p = moves_promise(k->w, k->slot);
    enum promise_state state = moving_promise_state(&p);
    struct str text = STR_EMPTY;
    (void)promise_fit(&text, k, canvas_width(c) - 2, rows);
    canvas_put(c, 0, y, looks[state].style, view_sign(c, looks[state].utf8, looks[state].ascii));
    canvas_push(c, (struct rect){2, y, canvas_width(c) - 2, rows});
    view_draw_wrapped(c, 0, rows, state == PROMISE_HOLDS ? STYLE_STRONG : looks[state].style,
                      str_text(&text));
    canvas_pop(c);
    str_free(&text);
}

void moving_tell_promise(struct str *out, const struct moving *k)
{
    struct slot_promise p = moves_promise(k->w, k->slot);
    struct str line = STR_EMPTY;
    static const char *const verdicts[] = {
        [PROMISE_HOLDS] = "The promise holds: ",
        [PROMISE_PAUSE] = "The promise holds: ",
        [PROMISE_TWO] = "BROKEN, two shards would accept: ",
        [PROMISE_LOST] = "BROKEN, a write is lost: ",
    };
    str_add(&line, verdicts[moving_promise_state(&p)]);
    moving_add_promise(&line, k, &p);
    str_addc(&line, '.');
    if (p.told > 0) {
        str_addf(&line, " Clients were told OK for %s of what is missing.",
                 num_grouped((int64_t)p.told).text);
    }
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    str_free(&line);
}

/* --- drawing ------------------------------------------------------------------------------- */

void moving_draw_part(struct canvas *c, int x, int y, int64_t first, int rows, uint32_t count)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "%u-%u of %u", (unsigned)first + 1, (unsigned)first + (unsigned)rows,
             (unsigned)count);
    if (rows < (int64_t)count && x + (int)text.length <= canvas_width(c)) {
        canvas_text_right(c, canvas_width(c), y, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

int moving_draw_shard(struct canvas *c, int x, int y, uint32_t shard)
{
    struct str text = STR_EMPTY;
    view_add_shard(&text, shard);
    int taken = canvas_text(c, x, y, shard == SHARD_NONE ? STYLE_WARN : style_owner(shard),
                            str_text(&text));
    str_free(&text);
    return taken;
}

int moving_head_room(const struct moving *k, int columns)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "slot %u  ", (unsigned)k->slot);
    if (k->source != SHARD_NONE) {
        view_add_shard(&text, k->source);
        view_add_shard(&text, k->target);
        str_add(&text, "     "); /* an arrow, and blanks around it */
    }
    int room = columns - (int)text.length;
    str_free(&text);
    return room < 0 ? 0 : room;
}

int moving_draw_head(struct canvas *c, const struct moving *k, const char *more, enum style style)
{
    int w = canvas_width(c);
    int x = canvas_textf(c, 0, 0, STYLE_CODE, "slot %u", (unsigned)k->slot) + 2;
    if (k->source != SHARD_NONE) {
        x += moving_draw_shard(c, x, 0, k->source) + 1;
        canvas_put(c, x, 0, STYLE_DIM, view_sign(c, 0x2192, '>'));
        x += 2;
        x += moving_draw_shard(c, x, 0, k->target) + 2;
    }
    return x + canvas_text_fit(c, x, 0, w - x, style, more);
}

void moving_draw_bar(struct canvas *c, struct rect area, uint64_t part, uint64_t whole,
                     enum style style)
{
    if (area.w < 1) {
        return;
    }
    part = whole == 0 ? 1 : part;
    whole = whole == 0 ? 1 : whole;
    int filled = (int)((unsigned __int128)part * (unsigned)area.w / whole);
    filled = part > 0 && filled == 0 ? 1 : filled > area.w ? area.w : filled;
    filled = part < whole && filled == area.w && area.w > 1 ? area.w - 1 : filled;
    for (int i = 0; i < area.w; i++) {
        canvas_put(c, area.x + i, area.y, i < filled ? style : STYLE_DIM,
                   i < filled ? view_sign(c, 0x2501, '=') : view_sign(c, 0x2504, '.'));
    }
}
