/*
 * screen_play: the playground drawn: the settings, a picture, the shards, and what changed. See
 * play_screen.h.
 *
 * One column right of the settings: the words at its foot, above them the picture and the shards
 * where both fit, else the one that was chosen. From 160 columns on picture and shards stand side
 * by side.
 */
#include "app/play/play_screen.h"
#include "draw/prose.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LIST_NARROW 30
#define LIST_USUAL 36
#define LIST_WIDE 44
#define WIDE_FROM 96
#define SIDE_BY_SIDE_FROM 160
#define SHARES_WIDE 46   /* of a hundred, for the shards beside a picture */
#define COLUMNS_FROM 100 /* two futures side by side where they could stand one over the other */
#define PICTURE_ROWS 10  /* that a picture keeps then */
#define WORDS_ROWS 8     /* and the words, at least */
#define FRAME_ROWS 2

void screen_play_title(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    struct play_session *session = ui->play->session;
    const struct play_future *f = &session->future[session->now];
    const struct play_settings *s = session_now(session);
    struct str left = STR_EMPTY;
    char right[64];
    uint32_t shards = session_result(session)->shards;
    str_addf(&left, "Playground   %s, %s, %" PRIu32 " shard%s", play_workload_name(s->workload),
             s->scheme->name, shards, shards == 1 ? "" : "s");
    snprintf(right, sizeof right, "%s%zu of %zu",
             session->futures == 1 ? "state "
             : session->now == 0   ? "future A, state "
                                   : "future B, state ",
             f->at + 1, f->states);
    int w = canvas_columns(c);
    canvas_text_fit(c, 1, 0, w - 4 - (int)strlen(right), STYLE_TITLE, str_text(&left));
    canvas_text_right(c, w - 1, 0, STYLE_TITLE, right);
    str_free(&left);
}

/* --- words -------------------------------------------------------------------------------------
 */

/* "A or B: scheme slots or ring; tokens 16 or 64." */
static void add_futures(const struct play_session *session, const char *gap, struct str *out)
{
    struct str lines = STR_EMPTY;
    play_tell_differences(&session->future[0].result->settings,
                          &session->future[1].result->settings, &lines);
    str_add(out, "A or B: ");
    str_add(out, lines.length == 0 ? "no difference yet" : "");
    for (const char *at = str_text(&lines); *at; at++) {
        if (*at == '\n') {
            str_add(out, "; ");
        } else {
            str_addc(out, *at);
        }
    }
    str_addf(out, ".%s", gap);
    str_free(&lines);
}

/* Where rows are dear the paragraphs are one. */
static void wrap_words(const struct play_session *session, bool loose, int columns,
                       struct prose *out)
{
    const struct play_result *r = session_result(session);
    const char *gap = loose ? "\n\n" : " ";
    struct str text = STR_EMPTY;
    str_addc(&text, '*');
    play_tell_change(r, session_before(session), &text);
    str_addf(&text, "*%s", gap);
    if (session->futures == 2) {
        add_futures(session, gap, &text);
    }
    play_tell_state(r, &text);
    prose_wrap(out, str_text(&text), columns);
    str_free(&text);
}

static void draw_words(struct ui *ui, struct rect area, const struct prose *prose)
{
    struct str title = STR_EMPTY;
    str_add(&title, "What happened");
    if ((int)prose->line_count + FRAME_ROWS > area.h) {
        str_add(&title, " (");
        keymap_say(&ui->keymap, ACT_DESCRIBE, IN_PLAY, &title);
        str_add(&title, " tells all of it)");
    }
    struct rect inside = draw_pane(ui->canvas, area, str_text(&title), false);
    canvas_push(ui->canvas, inside);
    prose_draw(ui->canvas, prose, 1, 0, 0, inside.h);
    canvas_pop(ui->canvas);
    str_free(&title);
}

/* --- shards ------------------------------------------------------------------------------------
 */

static void draw_one_future(struct ui *ui, struct rect area, size_t future, uint64_t scale)
{
    struct play_session *session = ui->play->session;
    const struct play_result *r = session->future[future].result;
    bool in_hand = session->now == future;
    char title[64] = "Shards against their ceilings";
    if (session->futures == 2) {
        snprintf(title, sizeof title, "Future %c%s", future == 0 ? 'A' : 'B',
                 in_hand ? ", in hand" : "");
    }
    struct rect inside = draw_pane(ui->canvas, area, title, session->futures == 2 && in_hand);
    canvas_push(ui->canvas, (struct rect){inside.x + 1, inside.y, inside.w - 2, inside.h});
    play_bars_draw(ui->canvas, r, scale, ui->play->shard);
    canvas_pop(ui->canvas);
}

/* Rows of a pane that shows every shard: on a line each, or on two. */
static int shards_rows(const struct play_session *session, int lines)
{
    uint32_t shards = 0;
    for (size_t i = 0; i < session->futures; i++) {
        uint32_t here = session->future[i].result->shards;
        shards = here > shards ? here : shards;
    }
    return (int)shards * lines + 3;
}

static void draw_shards(struct ui *ui, struct rect area)
{
    struct play_session *session = ui->play->session;
    const struct play_result *a = session->future[0].result;
    const struct play_result *b = session->future[1].result; /* NULL: there is no B */
    uint64_t scale = play_bars_scale(a, b);
    struct rect right = area;
    if (session->futures == 2) {
        bool stacked = area.w < COLUMNS_FROM && area.h >= 2 * shards_rows(session, 2);
        struct rect first = stacked ? rect_cut_top(area, area.h / 2, &right)
                                    : rect_cut_left(area, area.w / 2, &right);
        draw_one_future(ui, first, 0, scale);
    }
    draw_one_future(ui, right, session->futures - 1, scale);
}

/* --- the whole ---------------------------------------------------------------------------------
 */

/* The one that was chosen among those that stand alone here. */
static const char *chosen(struct play_screen *p, bool with_shards)
{
    const char *name[PLAY_PICTURES_MAX];
    size_t count = play_pictures(p, with_shards, name);
    return count > 0 ? name[p->picture % count] : "shards";
}

const char *screen_play_picture(const struct ui *ui)
{
    return chosen(ui->play, !ui->play->both);
}

static void draw_chosen(struct ui *ui, struct rect area)
{
    const char *name = chosen(ui->play, !ui->play->both);
    if (strcmp(name, "shards") == 0) {
        draw_shards(ui, area);
    } else {
        play_picture_draw(ui, name, area);
    }
}

/* A picture and the shards, one over the other; the picture gets what the shards do not need. */
static void draw_both(struct ui *ui, struct rect area)
{
    struct play_session *session = ui->play->session;
    int rows = shards_rows(session, 2);
    rows = area.h - rows >= PICTURE_ROWS + 6 ? rows : shards_rows(session, 1);
    rows = rows > area.h - PICTURE_ROWS ? area.h - PICTURE_ROWS : rows;
    struct rect above;
    struct rect below = rect_cut_bottom(area, rows, &above);
    draw_shards(ui, below);
    draw_chosen(ui, above);
}

static void draw_side_by_side(struct ui *ui, struct rect area)
{
    struct rect left;
    struct rect right = rect_cut_right(area, area.w * SHARES_WIDE / 100, &left);
    draw_shards(ui, right);
    draw_chosen(ui, left);
}

/* Lines that a shard needs: two where two futures share the width. */
static int least_lines(const struct play_session *session)
{
    return session->futures == 2 ? 2 : 1;
}

/* Whether picture and shards both find room above the words; it does not hang on how long those
 * are, so that nothing comes and goes with them. */
static bool both_fit(const struct play_session *session, struct rect area)
{
    return area.h >= PICTURE_ROWS + shards_rows(session, least_lines(session)) + WORDS_ROWS;
}

/* Wraps the words; gives their rows: all that they need, as long as what stands above keeps what it
 * needs. They are wrapped without gaps when that helps it. */
static int words_rows(const struct play_session *session, struct rect area, bool both,
                      struct prose *prose)
{
    int columns = area.w - 4 < PROSE_MEASURE ? area.w - 4 : PROSE_MEASURE;
    int least = shards_rows(session, least_lines(session)) + (both ? PICTURE_ROWS : 0);
    int most = area.h - (both || least < area.h / 2 ? least : area.h / 2);
    int ample = both ? most : area.h - shards_rows(session, 2);
    wrap_words(session, true, columns, prose);
    if ((int)prose->line_count + FRAME_ROWS > ample) {
        prose_free(prose);
        wrap_words(session, false, columns, prose);
    }
    int rows = (int)prose->line_count + FRAME_ROWS;
    return rows < most ? rows : most;
}

void screen_play_draw(struct ui *ui, struct rect body)
{
    struct rect right;
    struct rect top;
    struct prose prose;
    bool wide = body.w >= SIDE_BY_SIDE_FROM;
    int list = wide ? LIST_WIDE : body.w >= WIDE_FROM ? LIST_USUAL : LIST_NARROW;
    struct rect left = rect_cut_left(body, list, &right);
    bool both = !wide && both_fit(ui->play->session, right);
    int rows = words_rows(ui->play->session, right, both, &prose);
    struct rect foot = rect_cut_bottom(right, rows, &top);
    play_list_draw(ui, left);
    draw_words(ui, foot, &prose);
    ui->play->both = wide || both;
    if (wide) {
        draw_side_by_side(ui, top);
    } else if (both) {
        draw_both(ui, top);
    } else {
        draw_chosen(ui, top);
    }
    prose_free(&prose);
}
