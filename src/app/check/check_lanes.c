/*
 * check_lanes: see check_lanes.h.
 */
#include "app/check/check_lanes.h"
#include "app/check/check_session.h"
#include "base/utf8.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LANES_MAX 12
#define GAP_MAX 28
#define NONE (-1)
#define LAST_ROWS 2

struct lanes {
    char name[LANES_MAX][32]; /* without "a" and "the" */
    int count, gap, x0;
    int rows;      /* of a step: 1, or 2 with its words above it */
    bool arrivals; /* that a message has arrived is a step of its own: it has the arrow then */
};

/* --- who takes part ----------------------------------------------------------------------------
 */

static const char *plain_name(const char *actor)
{
    return strncmp(actor, "the ", 4) == 0  ? actor + 4
           : strncmp(actor, "an ", 3) == 0 ? actor + 3
           : strncmp(actor, "a ", 2) == 0  ? actor + 2
                                           : actor;
}

/* "B" of "shard B": what a node is called for short; NULL when its name has no such end. */
static const char *short_name(const char *name)
{
    const char *last = strrchr(name, ' ');
    return last && (isupper((unsigned char)last[1]) || isdigit((unsigned char)last[1])) ? last + 1
                                                                                        : NULL;
}

static bool begins_with(const char *text, const char *name)
{
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && !isalnum((unsigned char)text[length]);
}

/* The lane that the text begins with the name of. */
static int lane_named(const struct lanes *l, const char *text)
{
    const char *at = plain_name(text);
    for (int i = 0; i < l->count; i++) {
        const char *brief = short_name(l->name[i]);
        bool letter = brief && isupper((unsigned char)*brief);
        if (begins_with(at, l->name[i]) || (letter && begins_with(at, brief))) {
            return i;
        }
    }
    return NONE;
}

static int add_lane(struct lanes *l, const char *name, size_t length)
{
    for (int i = 0; i < l->count; i++) {
        if (strlen(l->name[i]) == length && strncmp(l->name[i], name, length) == 0) {
            return i;
        }
    }
    if (l->count == LANES_MAX || length == 0 || length >= sizeof l->name[0]) {
        return NONE;
    }
    memcpy(l->name[l->count], name, length);
    l->name[l->count][length] = '\0';
    return l->count++;
}

static int lane_of(struct lanes *l, const struct check_told *told)
{
    const char *name = plain_name(told->actor);
    return add_lane(l, name, strlen(name));
}

/* Those who act, and routers that are asked though they do nothing themselves. */
static void find_lanes(struct lanes *l, struct lanes_way cast)
{
    for (size_t i = 0; i < cast.steps; i++) {
        const char *asks = strstr(cast.step[i].told.action, "asks R");
        lane_of(l, &cast.step[i].told);
        l->arrivals = l->arrivals || strstr(cast.step[i].told.detail, "has arrived") != NULL;
        if (asks) {
            add_lane(l, asks + 5, strcspn(asks + 5, " :,"));
        }
    }
}

/* Between whom a step goes: `from` and `to` alike when it is its actor's alone. */
static void ends_of(struct lanes *l, const struct check_told *told, int *from, int *to)
{
    static const char *const onward[] = {"asks ", " to ", "tells "};
    int other = NONE;
    *from = *to = lane_of(l, told);
    for (size_t i = 0; !l->arrivals && other == NONE && i < sizeof onward / sizeof *onward; i++) {
        const char *at = strstr(told->action, onward[i]);
        other = at ? lane_named(l, at + strlen(onward[i])) : NONE;
    }
    if (other != NONE) {
        *to = other;
        return;
    }
    if (!strstr(told->detail, "arrived") && !strstr(told->action, "fetches the map")) {
        return;
    }
    const char *of = strstr(told->action, "fetches the map") ? "directory"
                     : strstr(told->detail, "message to ")   ? "coordinator"
                     : strstr(told->detail, "vote of ")      ? strstr(told->detail, "vote of ") + 8
                                                             : "";
    other = lane_named(l, of);
    *from = other != NONE ? other : *from;
}

/* --- drawing -----------------------------------------------------------------------------------
 */

static uint32_t sign(const struct canvas *c, uint32_t utf8, uint32_t ascii)
{
    return canvas_glyphs(c) == GLYPHS_UTF8 ? utf8 : ascii;
}

static int lane_x(const struct lanes *l, int lane)
{
    return l->x0 + lane * l->gap;
}

/* "B" for "shard B", "m1" for "manager 1", "dir" for "directory", where there is no room. */
static void say_name(const char *name, int room, bool numbers, char *text, size_t size)
{
    const char *brief = short_name(name);
    bool numbered = brief && isdigit((unsigned char)*brief);
    if ((int)strlen(name) <= room && !(numbers && numbered)) {
        snprintf(text, size, "%s", name);
    } else if (brief && isupper((unsigned char)*brief)) {
        snprintf(text, size, "%s", brief);
    } else if (brief) {
        snprintf(text, size, "%c%s", name[0], brief);
    } else {
        snprintf(text, size, "%.*s", room < 3 ? 3 : room > 5 ? room : 3, name);
    }
}

/* Names stand over their lifelines; a long one leans aside rather than be cut. */
static void draw_names(struct canvas *c, const struct lanes *l)
{
    int free_from = 0;
    bool numbers = false; /* one that is numbered finds no room: they all are called "p1" */
    for (int i = 0; i < l->count; i++) {
        const char *brief = short_name(l->name[i]);
        bool numbered = brief && isdigit((unsigned char)*brief);
        numbers = numbers || (numbered && (int)strlen(l->name[i]) >= l->gap);
    }
    for (int i = 0; i < l->count; i++) {
        char text[40];
        int end = i + 1 < l->count ? lane_x(l, i + 1) - 1 : canvas_width(c);
        say_name(l->name[i], end - free_from, numbers, text, sizeof text);
        int length = (int)strlen(text);
        int x = lane_x(l, i) - length / 2;
        x = x + length > end ? end - length : x;
        x = x < free_from ? free_from : x;
        canvas_text(c, x, 0, STYLE_STRONG, text);
        free_from = x + length + 1;
    }
}

static enum style style_of(unsigned marks)
{
    return (marks & STEP_BROKEN)  ? STYLE_BAD
           : (marks & STEP_PARTS) ? STYLE_WARN
           : (marks & STEP_NOW)   ? STYLE_STRONG
                                  : STYLE_TEXT;
}

static uint32_t dot_of(const struct canvas *c, unsigned marks)
{
    return (marks & STEP_BROKEN)  ? sign(c, 0x00D7, 'x')
           : (marks & STEP_PARTS) ? '!'
                                  : sign(c, 0x25CF, 'o');
}

static void draw_arrow(struct canvas *c, int y, int from, int to, unsigned marks)
{
    enum style style = style_of(marks);
    int left = from < to ? from : to;
    int right = from < to ? to : from;
    canvas_hline(c, left + 1, y, right - left - 1, LINE_LIGHT, style);
    if (from < to) {
        canvas_put(c, right - 1, y, style, sign(c, 0x25B6, '>'));
    } else {
        canvas_put(c, left + 1, y, style, sign(c, 0x25C0, '<'));
    }
    if ((marks & (STEP_BROKEN | STEP_PARTS)) != 0) { /* in the middle it would say "lost" */
        canvas_put(c, to, y, style, dot_of(c, marks));
    }
}

/* "asks all participants to prepare": the word before its "s"; "" when it is not to all of a kind.
 */
static void say_kind(const struct check_told *told, char *kind, size_t size)
{
    const char *all = strstr(told->action, " all ");
    bool everybody = strstr(told->action, "tells everybody") != NULL;
    const char *word = everybody ? "participants" : all ? all + 5 : "";
    size_t length = strcspn(word, " :,");
    bool plural = length > 1 && length < size && word[length - 1] == 's';
    snprintf(kind, size, "%.*s", plural ? (int)length - 1 : 0, word);
}

/* False when nobody of that kind is there. */
static bool draw_to_all(struct canvas *c, const struct lanes *l, int y, int from,
                        const struct lanes_step *step)
{
    char kind[24];
    bool any = false;
    say_kind(&step->told, kind, sizeof kind);
    for (int i = 0; *kind && i < l->count; i++) {
        if (i != from && begins_with(l->name[i], kind)) {
            draw_arrow(c, y, lane_x(l, from), lane_x(l, i), step->marks);
            any = true;
        }
    }
    return any;
}

/* Words where there is room: behind `right` or, when there is more, before `left`; where there is
 * none the number alone. */
static void draw_words(struct canvas *c, int y, const char *text, enum style style,
                       struct rect between)
{
    char number[16];
    int width = canvas_width(c);
    int left = between.x, right = between.x + between.w;
    int behind = width - right - 2;
    int before = left - 2;
    int length = utf8_columns(text, strlen(text));
    if (length > behind && length > before) {
        snprintf(number, sizeof number, "%.*s", (int)strcspn(text, " "), text);
        text = number;
        length = (int)strlen(number);
    }
    if (length <= behind || behind >= before) {
        canvas_text_fit(c, right + 2, y, behind, style, text);
    } else {
        canvas_text_fit(c, length < before ? before - length : 0, y, before, style, text);
    }
}

/* Where the steps have one row each: the words of the last one taken, whole, below all lines. */
static void draw_last(struct canvas *c, const struct lanes_step *step, size_t number)
{
    char text[128];
    int width = canvas_width(c) - 1;
    int y = canvas_height(c) - LAST_ROWS;
    enum style style = style_of(step->marks);
    snprintf(text, sizeof text, "%zu %s %s", number, step->told.actor, step->told.action);
    size_t cut = strlen(text);
    if (utf8_columns(text, cut) > width) {
        size_t most = utf8_fit(text, cut, width);
        cut = most;
        while (cut > 0 && text[cut] != ' ') {
            cut--;
        }
        cut = cut > 0 ? cut : most;
    }
    canvas_textn(c, 1, y, style, text, cut);
    canvas_text_fit(c, 1, y + 1, width, style, text + cut + (text[cut] == ' '));
}

static void draw_step(struct canvas *c, struct lanes *l, int y, const struct lanes_step *step,
                      size_t number)
{
    char text[96];
    int from = 0;
    int to = 0;
    enum style style = style_of(step->marks);
    snprintf(text, sizeof text, "%zu %s%s", number,
             (step->marks & STEP_STOPPED) ? "not taken: " : "", step->told.action);
    if (step->alone) {
        snprintf(text, sizeof text, "%zu %s %s", number, step->told.actor, step->told.action);
        canvas_text_fit(c, 1, y + l->rows - 1, canvas_width(c) - 1, style, text);
        return;
    }
    ends_of(l, &step->told, &from, &to);
    if (from == NONE || to == NONE) {
        return;
    }
    int a = lane_x(l, from);
    int b = lane_x(l, to);
    int row = y + l->rows - 1;
    if (a == b && (l->arrivals || !draw_to_all(c, l, row, from, step))) {
        canvas_put(c, a, row, style, dot_of(c, step->marks));
    } else if (a != b) {
        draw_arrow(c, row, a, b, step->marks);
    }
    struct rect between = {a < b ? a : b, y, a < b ? b - a : a - b, 1};
    if (l->rows == 2) { /* over the arrow, from its left end on */
        int width = canvas_width(c);
        int length = utf8_columns(text, strlen(text));
        int x = between.x + 2;
        x = x + length <= width || a != b ? x : between.x - 2 - length;
        x = x + length > width ? width - length : x;
        canvas_text_fit(c, x < 0 ? 0 : x, y, width, style, text);
    } else {
        draw_words(c, row, text, style, between);
    }
    if (step->marks & STEP_NOW) {
        canvas_cursor(c, a, row);
    }
}

static void lay_out(struct lanes *l, int steps, int width, int height)
{
    l->gap = l->count > 0 ? width / l->count : width;
    l->gap = l->gap > GAP_MAX ? GAP_MAX : l->gap < 3 ? 3 : l->gap;
    l->x0 = l->gap / 2;
    l->rows = steps * 2 <= height - 1 ? 2 : 1;
}

void check_lanes_draw(struct canvas *c, struct lanes_way cast, struct lanes_way way)
{
    struct lanes l = {.count = 0};
    size_t taken = 0;
    int height = canvas_height(c);
    find_lanes(&l, cast);
    lay_out(&l, (int)cast.steps, canvas_width(c), height);
    height -= l.rows == 1 && height > LAST_ROWS + 2 ? LAST_ROWS : 0;
    for (size_t i = 0; i < way.steps; i++) {
        taken = (way.step[i].marks & STEP_TAKEN) ? i + 1 : taken;
    }
    for (int i = 0; i < l.count; i++) {
        canvas_vline(c, lane_x(&l, i), 1, height - 1, LINE_LIGHT, STYLE_DIM);
    }
    draw_names(c, &l);
    size_t fit = height > l.rows ? (size_t)((height - 1) / l.rows) : 1;
    size_t first = taken > fit ? taken - fit : 0;
    for (size_t i = first; i < taken; i++) {
        draw_step(c, &l, 1 + (int)(i - first) * l.rows, &way.step[i], i + 1);
    }
    if (taken > 0 && height < canvas_height(c)) {
        draw_last(c, &way.step[taken - 1], taken);
    }
}
