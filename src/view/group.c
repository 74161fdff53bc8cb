/*
 * group: the readers of a stream: who reads which part, who pauses, who has nothing to read.
 *
 * A row a member of the group, a column a part: a mark where the member reads the part; another
 * where it would, but pauses: a rebalance is under way, or another part comes first. A member
 * without a part is idle, one that left is dim. Below the columns how many records of each part are
 * not read yet. Then, in words: the last rebalance, what the group reads, what was read out of
 * order. While the page's question is open only members and parts are told of. Where parts are many
 * a member's parts are listed by their numbers. Argument: the system's name. Selection: a member.
 */
#include "view/managed.h"

#define MIN_ROWS 8
#define LABEL 10 /* "partition " */
#define STATE 9  /* "2 paused" */

struct joined {
    struct managed m;
    struct reader_info reader;
    uint32_t parts; /* that can be read */
    uint32_t place[SYSTEM_PARTS_MAX];
};

static bool joined_open(struct joined *out, const struct scene *s, const struct view_state *v)
{
    out->parts = 0;
    if (!managed_open(&out->m, s, across_argument(v)) || !out->m.words->stream) {
        return false;
    }
    out->reader = world_system_reader(out->m.w, out->m.id);
    for (uint32_t i = 0; i < out->m.parts; i++) {
        uint8_t state = out->m.part[i].state;
        if (state == PART_OPEN || state == PART_CLOSED) {
            out->place[out->parts++] = i;
        }
    }
    return out->reader.members > 0;
}

static void add_none(struct str *out, const struct joined *j, const char *argument)
{
    if (!j->m.on) {
        managed_add_none(out, &j->m, argument);
    } else if (!j->m.words->stream) {
        str_addf(out, "%s has no readers: it is no stream", j->m.words->title);
    } else {
        str_addf(out, "nobody reads %s yet", j->m.words->title);
    }
}

static const struct part_info *part_of(const struct joined *j, uint32_t i)
{
    return &j->m.part[j->place[i]];
}

struct share { /* of one member */
    uint32_t parts, paused;
    uint64_t unread;
};

static struct share share_of(const struct joined *j, uint32_t member)
{
    struct share out = {0};
    for (uint32_t i = 0; i < j->parts; i++) {
        const struct part_info *p = part_of(j, i);
        if (p->reader == member) {
            out.parts++;
            out.paused += p->paused;
            out.unread += p->unread;
        }
    }
    return out;
}

static uint32_t members_there(const struct joined *j)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->reader.members; i++) {
        count += !j->reader.left[i];
    }
    return count;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_headline(struct str *out, const struct joined *j)
{
    str_addf(out, "%s: ", j->m.words->title);
    managed_add_count(out, members_there(j), "member reads ", "members read ");
    managed_add_count(out, j->parts, j->m.words->part, j->m.words->parts);
}

static enum style add_state(struct str *out, const struct joined *j, uint32_t member)
{
    struct share share = share_of(j, member);
    if (j->reader.left[member]) {
        str_add(out, "left");
        return STYLE_DIM;
    }
    if (share.parts == 0) {
        str_add(out, "idle");
        return STYLE_WARN;
    }
    if (j->m.asking) {
        return STYLE_DIM;
    }
    if (share.paused == share.parts) {
        str_add(out, "pauses");
        return STYLE_WARN;
    }
    if (share.paused > 0) {
        str_addf(out, "%u paused", (unsigned)share.paused);
        return STYLE_WARN;
    }
    str_add(out, "reads");
    return STYLE_GOOD;
}

static enum style add_rebalance(struct str *out, const struct joined *j)
{
    int64_t left = j->reader.pause_us - world_now(j->m.w);
    if (j->reader.of == 0) {
        str_add(out, "no rebalance so far");
        return STYLE_DIM;
    }
    unsigned paused = j->reader.paused, of = j->reader.of;
    if (left > 0) {
        str_addf(out, "rebalance: %u of %u", paused, of);
        str_add(out, j->reader.paused == 1 ? " pauses for " : " pause for ");
        moving_add_time(out, left);
        str_add(out, " more");
        return STYLE_WARN;
    }
    str_addf(out, "the last rebalance paused %u of %u", paused, of);
    return STYLE_TEXT;
}

static void add_kind(struct str *out, const struct joined *j)
{
    struct str kind = STR_EMPTY;
    if (managed_add_setting(&kind, &j->m, "rebalance")) {
        str_addf(out, "assignment: %s. ", str_text(&kind));
    }
    str_free(&kind);
}

static void add_member_words(struct str *out, const struct joined *j, uint32_t member)
{
    struct share share = share_of(j, member);
    str_addf(out, "member %u: ", (unsigned)member);
    (void)add_state(out, j, member);
    bool any = false;
    for (uint32_t i = 0; i < j->parts; i++) {
        if (part_of(j, i)->reader == member) {
            str_addf(out, "%s%u%s",
                     any           ? ", "
                     : j->m.asking ? "reads "
                                   : ": ",
                     (unsigned)part_of(j, i)->number,
                     part_of(j, i)->paused && share.paused < share.parts && !j->m.asking
                         ? " (paused)"
                         : "");
            any = true;
        }
    }
    if (any && !j->m.asking) {
        str_addf(out, "; %s not read yet", num_grouped((int64_t)share.unread).text);
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int label, step; /* step 0: parts by their numbers */
    int state;       /* column */
    int unread;      /* end of a column; 0: no room */
    int heads, row0, rows, foot;
    bool sums; /* a line with unread records below the columns */
};

static struct plan plan_of(const struct joined *j, int w, int h)
{
    struct plan p = {.label = LABEL};
    int parts = (int)j->parts, room = w - p.label - STATE;
    int widest = 8;
    p.step = parts > 0 ? (room - (w >= 60 ? 10 : 0)) / parts : widest;
    p.step = p.step > widest ? widest : p.step < (parts > 9 ? 3 : 2) ? 0 : p.step;
    p.state = p.step > 0 ? p.label + parts * p.step : w - STATE;
    p.unread = p.step > 0 && w - p.state - STATE >= 8 ? p.state + STATE + 8 : 0;
    p.heads = h >= 5 ? 1 : 0;
    p.row0 = p.heads + (h >= 4);
    p.sums = h >= 10 && p.step >= 4 && !j->m.asking;
    int foot = (h >= 16 ? 6 : h >= 12 ? 4 : h >= 8 ? 3 : h >= 6 ? 1 : 0) + p.sums;
    foot = managed_foot(h, p.row0, (int)j->reader.members + p.sums, foot);
    p.rows = h - p.row0 - foot;
    p.rows = p.rows > (int)j->reader.members ? (int)j->reader.members : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows + p.sums;
    p.foot += h - p.foot > foot - p.sums;
    return p;
}

static const struct mark reads_it = {0x25CF, '*', STYLE_GOOD, "reads it"};
static const struct mark pauses = {0x25CB, 'o', STYLE_WARN, "pauses"};

static void draw_row(struct canvas *c, int y, const struct plan *p, const struct joined *j,
                     uint32_t member)
{
    struct str text = STR_EMPTY;
    struct share share = share_of(j, member);
    bool left = j->reader.left[member];
    str_addf(&text, "member %u", (unsigned)member);
    canvas_text(c, 0, y, left ? STYLE_DIM : style_owner(member), str_text(&text));
    str_clear(&text);
    for (uint32_t i = 0; i < j->parts; i++) {
        const struct part_info *part = part_of(j, i);
        struct mark mark = {0x00B7, '.', STYLE_DIM, ""};
        if (part->reader == member) {
            mark = part->paused && !j->m.asking ? pauses : reads_it;
            str_addf(&text, "%s%u", text.length > 0 ? " " : "", (unsigned)part->number);
        }
        if (p->step > 0) {
            across_put(c, p->label + (int)i * p->step, y, &mark);
        }
    }
    if (p->step == 0) {
        canvas_text_fit(c, p->label, y, p->state - p->label - 1,
                        share.paused > 0 && !j->m.asking ? STYLE_WARN : STYLE_TEXT,
                        str_text(&text));
    }
    str_clear(&text);
    enum style style = add_state(&text, j, member);
    canvas_text(c, p->state, y, style, str_text(&text));
    if (p->unread > 0 && !j->m.asking && share.parts > 0) {
        canvas_text_right(c, p->unread, y, STYLE_DIM, num_grouped((int64_t)share.unread).text);
    }
    str_free(&text);
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct joined *j)
{
    struct str text = STR_EMPTY;
    if (p->heads > 0) {
        add_headline(&text, j);
        view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    }
    str_free(&text);
    if (p->row0 <= p->heads) {
        return;
    }
    if (p->step > 0) {
        canvas_text_fit(c, 0, p->heads, p->label - 1, STYLE_DIM, j->m.words->part);
    } else {
        canvas_text(c, p->label, p->heads, STYLE_DIM, j->m.words->parts);
    }
    for (uint32_t i = 0; i < j->parts && p->step > 0; i++) {
        const struct part_info *part = part_of(j, i);
        canvas_textf(c, p->label + (int)i * p->step, p->heads,
                     part->state == PART_CLOSED ? STYLE_DIM : STYLE_TEXT, "%u",
                     (unsigned)part->number);
    }
    if (p->unread > 0 && !j->m.asking) {
        canvas_text_right(c, p->unread, p->heads, STYLE_DIM, "unread");
    }
}

/* "12k" and the like: a column is narrow. */
static void draw_sums(struct canvas *c, const struct plan *p, const struct joined *j)
{
    int y = p->row0 + p->rows;
    struct str text = STR_EMPTY;
    canvas_text(c, 0, y, STYLE_DIM, "unread");
    for (uint32_t i = 0; i < j->parts; i++) {
        uint64_t unread = part_of(j, i)->unread;
        str_clear(&text);
        if (unread < 1000 || (p->step >= 7 && unread < 100000)) {
            str_add(&text, num_grouped((int64_t)unread).text);
        } else {
            str_addf(&text, "%uk", (unsigned)((unread + 500) / 1000));
        }
        canvas_text_fit(c, p->label + (int)i * p->step, y, p->step - 1,
                        unread > 0 ? STYLE_TEXT : STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct joined *j,
                      const struct view_state *v)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    if (p->rows < (int)j->reader.members) {
        str_addf(&text, "%d more: up, down", (int)j->reader.members - p->rows);
        y += across_flow(c, y, h - y > 1 ? 1 : 0, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    if (!j->m.asking) {
        enum style style = add_rebalance(&text, j);
        y += across_flow(c, y, h - y >= 4 ? 2 : 1, style, &text);
        str_clear(&text);
        if (managed_add_order(&text, &j->m, h - y < 4)) {
            y += across_flow(c, y, h - y >= 4 ? 3 : 1, STYLE_BAD, &text);
            str_clear(&text);
        }
    }
    if (v->has_selection) {
        add_member_words(&text, j, (uint32_t)across_selected(v, j->reader.members));
        y += across_flow(c, y, h - y >= 4 ? 2 : 1, STYLE_TEXT, &text);
        str_clear(&text);
    }
    add_kind(&text, j);
    managed_add_reader(&text, &j->m);
    y += across_flow(c, y, h - y >= 3 ? 3 : 1, STYLE_DIM, &text);
    if (y < h && p->step > 0 && !j->m.asking) {
        const struct mark marks[] = {reads_it, pauses};
        bool there[2] = {false, false};
        struct mark met[2];
        for (uint32_t i = 0; i < j->parts; i++) {
            const struct part_info *part = part_of(j, i);
            there[part->paused] = there[part->paused] || part->reader != UINT8_MAX;
        }
        y += across_draw_key(c, y, 1, met, across_marks_of(marks, there, 2, met));
    }
    str_clear(&text);
    for (uint32_t i = 0; i < j->reader.members && !j->m.asking; i++) {
        add_member_words(&text, j, i);
        str_addc(&text, '\n');
    }
    y += managed_draw_facts(c, y + 1, &text);
    managed_draw_past(c, y + 2, &j->m);
    str_free(&text);
}

static void draw_joined(struct canvas *c, const struct joined *j, const struct view_state *v,
                        bool focused)
{
    struct plan p = plan_of(j, canvas_width(c), canvas_height(c));
    uint32_t members = j->reader.members;
    int64_t selected = across_selected(v, members);
    draw_heads(c, &p, j);
    int64_t first = view_list_first(v->scroll, v->has_selection ? selected : 0, members, p.rows);
    for (int i = 0; i < p.rows && first + i < (int64_t)members; i++) {
        draw_row(c, p.row0 + i, &p, j, (uint32_t)(first + i));
        if (first + i == selected && (focused || v->has_selection)) {
            across_draw_selected(c, p.row0 + i, p.label - 1, focused);
        }
    }
    if (p.sums) {
        draw_sums(c, &p, j);
    }
    draw_foot(c, &p, j, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct joined j;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (joined_open(&j, s, v)) {
        draw_joined(c, &j, v, focused);
        return;
    }
    struct str text = STR_EMPTY;
    add_none(&text, &j, across_argument(v));
    view_draw_note(c, str_text(&text));
    str_free(&text);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct joined j;
    return joined_open(&j, s, v) ? (int)view_clamp((int64_t)j.reader.members + 9, MIN_ROWS, 20) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct joined j;
    if (w < 1 || h < 1 || !joined_open(&j, s, v)) {
        return false;
    }
    return across_move(v, j.reader.members, verb, plan_of(&j, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct joined j;
    (void)v;
    if (!joined_open(&j, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return managed_subject(&j.m, MANAGED_SYSTEM, 0);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct joined j;
    struct str line = STR_EMPTY;
    if (!joined_open(&j, s, v)) {
        add_none(&line, &j, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_headline(&line, &j);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < j.reader.members; i++) {
        str_clear(&line);
        add_member_words(&line, &j, i);
        across_tell_note(out, str_text(&line));
    }
    if (!j.m.asking) {
        str_clear(&line);
        (void)add_rebalance(&line, &j);
        across_tell_note(out, str_text(&line));
    }
    str_clear(&line);
    add_kind(&line, &j);
    managed_add_reader(&line, &j.m);
    across_tell_note(out, str_text(&line));
    str_clear(&line);
    if (!j.m.asking && managed_add_order(&line, &j.m, false)) {
        across_tell_note(out, str_text(&line));
    }
    str_free(&line);
}

const struct view view_group = {
    .name = "group",
    .title = "Who reads which part",
    .min_rows = MIN_ROWS,
    .want_rows = 16,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
