/*
 * knobs: turning what a page lets the learner turn, by keys and in words. See ui.h.
 */
#include "app/ui.h"
#include "view/lesson_text.h"
#include <stdio.h>
#include <string.h>

/* Which knob an action turns, and by how much; by 0: to the next one, round and round. */
struct knob_key {
    enum action action;
    const char *name;
    int by;
};
static const struct knob_key keys[] = {
    {ACT_MORE_SHARDS, "shards", 1}, {ACT_FEWER_SHARDS, "shards", -1},
    {ACT_TOKENS, "tokens", 0},      {ACT_SCHEME, "scheme", 0},
    {ACT_WEIGHT, "weight", 0},      {ACT_CAP, "cap", 0},
    {ACT_TURN_KEY, "key", 0},       {ACT_SALT, "salt", 0},
    {ACT_ROUTERS, "routers", 0},    {ACT_SIZE, "size", 0},
    {ACT_CHOICE, "choice", 0},
};

static const struct knob_key *key_of(enum action action)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].action == action) {
            return &keys[i];
        }
    }
    return NULL;
}

static const struct page_knob *find(const struct page *page, const char *name)
{
    for (size_t i = 0; page && i < page->knobs; i++) {
        if (strcmp(page->knob[i].name, name) == 0) {
            return &page->knob[i];
        }
    }
    return NULL;
}

bool knobs_offer(const struct page *page, const char *name)
{
    return find(page, name) != NULL;
}

bool knobs_work(const struct page *page, enum action action)
{
    const struct knob_key *key = key_of(action);
    return key && !page->running && !*page->visiting && find(page, key->name);
}

const char *knobs_label(const struct page *page, enum action action)
{
    const struct knob_key *key = key_of(action);
    const struct page_knob *knob = key ? find(page, key->name) : NULL;
    return knob && knob->label != knob->name ? knob->label : NULL;
}

/* The word at an index of a knob's values. */
static void value_at(const struct page_knob *knob, size_t index, char out[KNOB_WORD_MAX])
{
    const char *at = knob->values;
    for (size_t i = 0; i < index; i++) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    snprintf(out, KNOB_WORD_MAX, "%.*s", (int)strcspn(at, " "), at);
}

static bool turn(struct ui *ui, const char *name, const char *value)
{
    struct err err;
    struct str words = STR_EMPTY;
    if (!player_turn(ui->course.player, name, value, &err)) {
        ui_say_err(ui, &err);
        return false;
    }
    str_addf(&words, "knob %s %s", name, value);
    course_acted(ui, str_text(&words));
    const struct page_knob *knob = find(course_page(ui), name);
    str_clear(&words);
    lesson_text_knob(&words, knob, "");
    ui_say(ui, STYLE_MESSAGE, "%s", str_text(&words));
    str_free(&words);
    course_changed(ui);
    return true;
}

void knobs_turn(struct ui *ui, enum action action)
{
    const struct knob_key *key = key_of(action);
    const struct page_knob *knob = find(course_page(ui), key->name);
    char name[KNOB_WORD_MAX];
    char value[KNOB_WORD_MAX];
    size_t last = knob->count - 1;
    if ((key->by > 0 && knob->at == last) || (key->by < 0 && knob->at == 0)) {
        ui_say(ui, STYLE_DIM, "%s: %s is the %s here.", knob->label, knob->value,
               key->by > 0 ? "most" : "least");
        return;
    }
    size_t at = key->by > 0   ? knob->at + 1
                : key->by < 0 ? knob->at - 1
                              : (knob->at + 1) % knob->count;
    value_at(knob, at, value);
    snprintf(name, sizeof name, "%s", knob->name); /* the page is made anew */
    turn(ui, name, value);
}

bool knobs_typed(struct ui *ui, const char *line)
{
    char name[KNOB_WORD_MAX];
    char value[KNOB_WORD_MAX];
    if (!player_knob_line(ui->course.player, line, name, value)) {
        return false;
    }
    turn(ui, name, value);
    return true;
}
