/*
 * replicas: the copies of one shard, their logs one under the other.
 *
 * A line a replica: its node and zone, what it is (leads, follows, stands for election, is down,
 * takes its copy), its term, and its log, a digit an entry: the last of the term that wrote it.
 * Behind a bar stand the entries that the replica does not know to be committed. The logs stand
 * position under position, so that one that differs or is shorter is seen. A cut of the network is
 * a line between its sides; while it lasts two may believe that they lead. While the page's
 * question is open nothing is said of majorities, and of what is lost. Argument: the group's name;
 * without one the first group in which something is odd, else the first. Selection: a replica.
 */
#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "view/across.h"
#include "view/moving.h"
#include <stdio.h>

#define MIN_ROWS 8
#define WIDE 70
#define LOG_LEAST 6

struct replicated {
    const struct world *w;
    bool known;
    bool asking; /* the page's question is open */
    uint32_t index, rows;
    uint32_t order[GROUP_PLACES];
    uint32_t cuts;        /* lines between sides */
    uint64_t first, last; /* positions that are shown */
    struct group_info g;
};

static const struct replica_info *replica_at(const struct replicated *r, uint32_t row)
{
    return &r->g.replica[r->order[row]];
}

static uint8_t side_of(const struct replicated *r, uint32_t row)
{
    return world_node(r->w, replica_at(r, row)->node).side;
}

static uint32_t odd_group(const struct world *w)
{
    for (uint32_t i = 0; i < world_groups(w); i++) {
        struct group_info g = world_group(w, i);
        if (g.leaders != 1 || g.lost > 0) {
            return i;
        }
    }
    return 0;
}

static void sort_rows(struct replicated *r)
{
    for (uint32_t i = 0; i < r->g.replicas; i++) {
        r->order[r->rows++] = i;
    }
    for (uint32_t i = 1; i < r->rows; i++) { /* by side, as they were */
        for (uint32_t j = i; j > 0 && side_of(r, j - 1) > side_of(r, j); j--) {
            uint32_t other = r->order[j];
            r->order[j] = r->order[j - 1];
            r->order[j - 1] = other;
        }
    }
    for (uint32_t i = 1; i < r->rows; i++) {
        r->cuts += side_of(r, i - 1) != side_of(r, i);
    }
}

static bool replicated_open(struct replicated *out, const struct scene *s,
                            const struct view_state *v)
{
    const char *name = across_argument(v);
    *out = (struct replicated){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL || world_groups(s->world) == 0) {
        return false;
    }
    out->known = name[0] == '\0' || world_group_find(s->world, bytes_of(name), &out->index);
    if (!out->known) {
        return false;
    }
    out->index = name[0] == '\0' ? odd_group(s->world) : out->index;
    out->g = world_group(s->world, out->index);
    sort_rows(out);
    for (uint32_t i = 0; i < out->rows; i++) {
        uint64_t last = replica_at(out, i)->last;
        out->last = last > out->last ? last : out->last;
    }
    return out->rows > 0;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_none(struct str *out, const struct replicated *r, const char *name)
{
    if (r->w == NULL) {
        str_add(out, "there is no cluster here");
    } else if (name[0] != '\0') {
        str_add(out, "there is no shard ");
        view_add_key(out, bytes_of(name));
        str_add(out, " yet");
    } else {
        str_add(out, "no shard has copies on nodes yet");
    }
}

static bool leads(const struct replica_info *replica)
{
    return replica->up && replica->role == TERM_LEADER;
}

static enum style add_headline(struct str *out, const struct replicated *r)
{
    const struct group_info *g = &r->g;
    view_add_key(out, bytes_of(g->name));
    if (g->leaders > 1) {
        str_add(out, r->asking ? ": " : ": TWO LEAD, ");
        uint32_t named = 0;
        for (uint32_t i = 0; i < r->rows; i++) {
            if (leads(replica_at(r, i))) {
                str_add(out, named++ > 0 ? ", " : "");
                across_add_node(out, replica_at(r, i)->node);
                str_addf(out, r->asking ? " leads term %llu" : " (term %llu)",
                         (unsigned long long)replica_at(r, i)->term);
            }
        }
        return r->asking ? STYLE_STRONG : STYLE_BAD;
    }
    if (g->leader == UINT16_MAX) {
        str_add(out, ": nobody leads");
        if (g->leaderless_since_us >= 0) {
            str_add(out, ", for ");
            moving_add_time(out, world_now(r->w) - g->leaderless_since_us);
        }
        return STYLE_WARN;
    }
    str_add(out, ": ");
    across_add_node(out, g->replica[g->leader].node);
    str_addf(out, " leads term %llu", (unsigned long long)g->term);
    if (r->asking) {
        return STYLE_STRONG;
    }
    if (g->leaderless_since_us >= 0) {
        str_add(out, ", reaches no majority");
        return STYLE_WARN;
    }
    str_addf(out, ", %s committed", num_grouped((int64_t)g->committed).text);
    return STYLE_GOOD;
}

static enum style add_role(struct str *out, const struct replica_info *replica, bool brief)
{
    if (!replica->up) {
        str_add(out, "down");
        return STYLE_BAD;
    }
    if (replica->state == REPLICA_COPYING) {
        str_add(out, "copying");
        return STYLE_MOVED;
    }
    if (replica->state == REPLICA_GONE) {
        str_add(out, brief ? "written off" : "believed dead");
        return STYLE_BAD;
    }
    switch ((enum term_role)replica->role) {
    case TERM_LEADER:
        str_add(out, "LEADS");
        return STYLE_STRONG;
    case TERM_CANDIDATE:
        str_add(out, brief ? "stands" : "stands for election");
        return STYLE_WARN;
    case TERM_FOLLOWER:
    case TERM_ROLES:
        break;
    }
    str_add(out, "follows");
    return STYLE_TEXT;
}

static void add_writes(struct str *out, const struct replicated *r, bool brief)
{
    static const char *const acks[] = {[ACKS_MAJORITY] = "a majority has it",
                                       [ACKS_ONE] = "the leader has it",
                                       [ACKS_ALL] = "all have it"};
    const struct group_info *g = &r->g;
    if (!brief) {
        str_addf(out, "OK when %s; ", acks[g->acks]);
    }
    str_addf(out, "%s write%s", num_grouped((int64_t)g->asked).text, view_plural(g->asked));
    str_addf(out, ", %s OK", num_grouped((int64_t)g->acked).text);
    if (g->failed > 0) {
        str_addf(out, ", %s failed", num_grouped((int64_t)g->failed).text);
    }
    if (brief) {
        str_addf(out, "; OK when %s", acks[g->acks]);
    }
}

static enum style add_damage(struct str *out, const struct replicated *r)
{
    const struct group_info *g = &r->g;
    if (g->lost > 0 && !r->asking) {
        str_addf(out, "LOST: %s acknowledged write%s the leader does not have",
                 num_grouped((int64_t)g->lost).text, view_plural(g->lost));
        return STYLE_BAD;
    }
    if (g->stale > 0 && !r->asking) {
        str_addf(out, "%s of ", num_grouped((int64_t)g->stale).text);
        str_addf(out, "%s reads were stale", num_grouped((int64_t)g->looks).text);
        return STYLE_WARN;
    }
    if (g->elections == 0 && g->leaderless_us == 0) {
        return STYLE_DIM;
    }
    str_addf(out, "%u election%s", (unsigned)g->elections, view_plural(g->elections));
    if (g->leaderless_us > 0) {
        str_add(out, ", without a leader for ");
        moving_add_time(out, g->leaderless_us);
        str_add(out, " in all");
    }
    return STYLE_DIM;
}

static void add_row_words(struct str *out, const struct replicated *r, uint32_t row)
{
    const struct replica_info *replica = replica_at(r, row);
    across_add_node(out, replica->node);
    str_add(out, ", ");
    across_add_zone(out, world_node(r->w, replica->node).zone);
    str_add(out, ": ");
    (void)add_role(out, replica, false);
    if (replica->state == REPLICA_COPYING) {
        str_add(out, ", ");
        moving_add_bytes_of(out, replica->copied, replica->bytes);
        return;
    }
    str_addf(out, ", term %llu, ", (unsigned long long)replica->term);
    str_addf(out, "%s entr%s", num_grouped((int64_t)replica->last).text,
             replica->last == 1 ? "y" : "ies");
    str_addf(out, ", knows %s committed", num_grouped((int64_t)replica->commit).text);
    if (replica->last > 0 && replica->up && !r->asking) {
        str_addf(out, ", a read here gives %s", num_grouped((int64_t)replica->value).text);
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int role, term, log; /* columns */
    int cells;           /* of a log */
    int row0, foot;
    bool zones;
};

static struct plan plan_of(struct replicated *r, int w, int h)
{
    struct plan p = {.row0 = h >= 4 ? 2 : 1, .zones = w >= 36};
    p.role = p.zones ? 6 : 4;
    p.term = p.role + (w >= WIDE ? 20 : 8);
    p.log = p.term + 5;
    p.cells = (w - p.log) / 2;
    p.cells = p.cells > GROUP_LOG ? GROUP_LOG : p.cells < LOG_LEAST ? LOG_LEAST : p.cells;
    r->first = r->last > (uint64_t)p.cells ? r->last - (uint64_t)p.cells + 1 : 1;
    p.foot = p.row0 + (int)(r->rows + r->cuts);
    p.foot += h - p.foot >= 5;
    return p;
}

static void draw_log(struct canvas *c, int y, const struct plan *p, const struct replicated *r,
                     uint32_t row)
{
    const struct replica_info *replica = replica_at(r, row);
    for (int i = 0; i < p->cells; i++) {
        uint64_t position = r->first + (uint64_t)i;
        int x = p->log + 2 * i;
        struct group_entry e;
        if (position > replica->last) {
            break;
        }
        if (!world_group_entry(r->w, r->index, r->order[row], position, &e)) {
            canvas_put(c, x, y, STYLE_DIM, view_sign(c, 0x00B7, '.')); /* too long ago */
            continue;
        }
        bool committed = position <= replica->commit;
        enum style style = e.lost && !r->asking ? STYLE_BAD : committed ? STYLE_GOOD : STYLE_WARN;
        canvas_put(c, x, y, style, (uint32_t)('0' + e.term % 10));
        if (e.lost && !r->asking) {
            canvas_put(c, x + 1, y, style, view_sign(c, 0xD7, 'x'));
        }
    }
    if (replica->up && replica->commit + 1 >= r->first && replica->commit < replica->last) {
        int x = p->log + 2 * (int)(replica->commit + 1 - r->first) - 1;
        canvas_put(c, x, y, STYLE_LIMIT, view_sign(c, 0x2502, '|'));
    }
}

static void draw_copying(struct canvas *c, int y, const struct plan *p,
                         const struct replica_info *replica)
{
    struct str text = STR_EMPTY;
    str_addf(&text, " %s%%", num_ratio((int64_t)replica->copied, (int64_t)replica->bytes, 0).text);
    int bar = 2 * p->cells - 5 > 24 ? 24 : 2 * p->cells - 5;
    moving_draw_bar(c, (struct rect){p->log, y, bar, 1}, replica->copied, replica->bytes,
                    STYLE_MOVED);
    canvas_text(c, p->log + bar, y, STYLE_MOVED, str_text(&text));
    str_free(&text);
}

static void draw_replica(struct canvas *c, int y, const struct plan *p, const struct replicated *r,
                         uint32_t row)
{
    const struct replica_info *replica = replica_at(r, row);
    struct str text = STR_EMPTY;
    bool two = r->g.leaders > 1 && leads(replica);
    across_add_node(&text, replica->node);
    canvas_text(c, 0, y, replica->up ? style_owner(replica->node) : STYLE_DIM, str_text(&text));
    if (p->zones) {
        canvas_textf(c, 4, y, STYLE_DIM, "%c", 'a' + world_node(r->w, replica->node).zone % 26);
    }
    str_clear(&text);
    enum style style = add_role(&text, replica, canvas_width(c) < WIDE);
    canvas_text(c, p->role, y, two ? STYLE_BAD : style, str_text(&text));
    if (replica->state == REPLICA_COPYING) {
        draw_copying(c, y, p, replica);
    } else {
        canvas_textf(c, p->term, y, replica->term < r->g.term ? STYLE_WARN : STYLE_STRONG, "%llu",
                     (unsigned long long)replica->term);
        draw_log(c, y, p, r, row);
    }
    str_free(&text);
}

static void draw_cut(struct canvas *c, int y, const struct plan *p)
{
    int end = p->log + 2 * p->cells;
    end = end > canvas_width(c) ? canvas_width(c) : end;
    for (int x = 0; x < end; x++) {
        canvas_put(c, x, y, STYLE_BAD, view_sign(c, 0x2504, '-'));
    }
    canvas_text(c, 2, y, STYLE_BAD, " network cut ");
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct replicated *r)
{
    struct str text = STR_EMPTY;
    enum style style = add_headline(&text, r);
    view_draw_line(c, 0, style, str_text(&text));
    if (p->row0 > 1) {
        canvas_text(c, 0, 1, STYLE_DIM, p->zones ? "node zone" : "node");
        canvas_text(c, p->term, 1, STYLE_DIM, "term");
        str_clear(&text);
        if (r->last > 0) {
            str_addf(&text, r->last == r->first ? "log: entry %llu" : "log: entries %llu-%llu",
                     (unsigned long long)r->first, (unsigned long long)r->last);
        } else {
            str_add(&text, "log: empty");
        }
        canvas_text_fit(c, p->log, 1, canvas_width(c) - p->log, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

/* Of the newest entry that somebody has; 0: nobody has one. */
static uint64_t newest_term(const struct replicated *r)
{
    uint64_t term = 0;
    for (uint32_t row = 0; row < r->rows; row++) {
        struct group_entry e;
        if (replica_at(r, row)->state != REPLICA_COPYING && replica_at(r, row)->last > 0 &&
            world_group_entry(r->w, r->index, r->order[row], replica_at(r, row)->last, &e)) {
            term = e.term > term ? e.term : term;
        }
    }
    return term;
}

/* Somebody has entries that it does not know to be committed: there is a bar. */
static bool any_behind(const struct replicated *r)
{
    for (uint32_t row = 0; row < r->rows; row++) {
        const struct replica_info *replica = replica_at(r, row);
        if (replica->up && replica->commit < replica->last) {
            return true;
        }
    }
    return false;
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct replicated *r,
                      const struct view_state *v)
{
    char newest = (char)('0' + newest_term(r) % 10), words[40];
    (void)snprintf(words, sizeof words, "entry of term %llu", (unsigned long long)newest_term(r));
    const struct mark marks[] = {{(uint32_t)newest, (uint32_t)newest, STYLE_GOOD, words},
                                 {0x2502, '|', STYLE_LIMIT, "committed to here"},
                                 {0xD7, 'x', STYLE_BAD, "acknowledged, and lost"}};
    bool there[] = {r->last > 0, any_behind(r), r->g.lost > 0 && !r->asking};
    struct mark met[3];
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    if (v->has_selection) {
        add_row_words(&text, r, (uint32_t)across_selected(v, r->rows));
        y += across_flow(c, y, h - y < 4 ? 1 : 3, STYLE_TEXT, &text);
        str_clear(&text);
    }
    enum style style = add_damage(&text, r);
    y += across_flow(c, y, h - y < 3 ? 1 : 2, style, &text);
    str_clear(&text);
    add_writes(&text, r, true);
    y += across_flow(c, y, h - y < 3 ? 1 : 2, STYLE_DIM, &text);
    y += h - y >= 3;
    if (y < h) {
        y += across_draw_key(c, y, h - y, met, across_marks_of(marks, there, 3, met));
    }
    str_clear(&text);
    for (uint32_t row = 0; row < r->rows && !r->asking; row++) {
        add_row_words(&text, r, row);
        str_addc(&text, '\n');
    }
    across_draw_lines(c, y + 1, &text);
    str_free(&text);
}

static void draw_group(struct canvas *c, struct replicated *r, const struct view_state *v,
                       bool focused)
{
    struct plan p = plan_of(r, canvas_width(c), canvas_height(c));
    int y = p.row0;
    int64_t at = across_selected(v, r->rows);
    draw_heads(c, &p, r);
    for (uint32_t row = 0; row < r->rows; row++) {
        if (row > 0 && side_of(r, row - 1) != side_of(r, row)) {
            draw_cut(c, y++, &p);
        }
        draw_replica(c, y, &p, r, row);
        if (row == at && (focused || v->has_selection)) {
            across_draw_selected(c, y, 3, focused);
        }
        y++;
    }
    draw_foot(c, &p, r, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct replicated r;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (replicated_open(&r, s, v)) {
        draw_group(c, &r, v, focused);
    } else {
        struct str text = STR_EMPTY;
        add_none(&text, &r, across_argument(v));
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct replicated r;
    return replicated_open(&r, s, v) ? 6 + (int)(r.rows + r.cuts) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct replicated r;
    return w > 0 && h > 0 && replicated_open(&r, s, v) &&
           across_move(v, r.rows, verb, GROUP_PLACES);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell_log(struct str *out, const struct replicated *r, uint32_t row)
{
    const struct replica_info *replica = replica_at(r, row);
    uint64_t from = replica->last > 12 ? replica->last - 11 : 1;
    struct str line = STR_EMPTY;
    str_addf(&line, "  terms of entries %llu to %llu:", (unsigned long long)from,
             (unsigned long long)replica->last);
    for (uint64_t position = from; position <= replica->last; position++) {
        struct group_entry e;
        if (world_group_entry(r->w, r->index, r->order[row], position, &e)) {
            str_addf(&line, " %llu%s", (unsigned long long)e.term,
                     e.lost && !r->asking ? " (lost)" : "");
        }
    }
    across_tell(out, str_text(&line));
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct replicated r;
    struct str line = STR_EMPTY;
    if (!replicated_open(&r, s, v)) {
        add_none(&line, &r, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    (void)add_headline(&line, &r);
    across_tell_note(out, str_text(&line));
    for (uint32_t row = 0; row < r.rows; row++) {
        str_clear(&line);
        if (row > 0 && side_of(&r, row - 1) != side_of(&r, row)) {
            across_tell(out, "The network is cut here.");
        }
        add_row_words(&line, &r, row);
        across_tell_note(out, str_text(&line));
        if (replica_at(&r, row)->last > 0 && replica_at(&r, row)->state != REPLICA_COPYING) {
            tell_log(out, &r, row);
        }
    }
    str_clear(&line);
    add_writes(&line, &r, false);
    struct str damage = STR_EMPTY;
    (void)add_damage(&damage, &r);
    str_addf(&line, damage.length > 0 ? ". %s" : "%s", str_text(&damage));
    str_free(&damage);
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

const struct view view_replicas = {
    .name = "replicas",
    .title = "Copies of a shard",
    .min_rows = MIN_ROWS,
    .want_rows = 16,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
