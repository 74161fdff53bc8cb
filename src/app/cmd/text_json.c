/*
 * text_json: see text_json.h.
 */
#include "app/cmd/text_json.h"
#include "base/num.h"
#include "draw/prose.h"
#include <stdlib.h>
#include <string.h>

#define JSON_COLUMNS 10000 /* wide enough that nothing is wrapped */

char *text_plain(const char *markup)
{
    struct str out = STR_EMPTY;
    prose_plain(&out, markup, JSON_COLUMNS, 0);
    while (out.length > 0 && out.text[out.length - 1] == '\n') {
        out.text[--out.length] = '\0';
    }
    return str_take(&out);
}

static void set_plain(json_t *object, const char *name, const char *markup)
{
    char *text = text_plain(markup);
    json_set_text(object, name, text);
    free(text);
}

static json_t *views_of(const struct scene *scene)
{
    json_t *views = json_array();
    for (size_t i = 0; i < scene->page->shows; i++) {
        const struct page_show *show = &scene->page->show[i];
        const struct view *view = view_by_name(show->view);
        struct view_state state = {.argument = show->argument};
        struct str told = STR_EMPTY;
        json_t *entry = json_line();
        if (view) {
            view->tell(&told, scene, &state);
        }
        json_set_text(entry, "view", show->view);
        json_set_text(entry, "argument", show->argument);
        json_set_text(entry, "text", str_text(&told));
        json_push(views, entry);
        str_free(&told);
    }
    return views;
}

json_t *text_json_choices(const struct page_question *q)
{
    if (q->choices == 0 || q->kind == QUESTION_EXPLAIN) {
        return json_null();
    }
    json_t *choices = json_array();
    for (size_t i = 0; i < q->choices; i++) {
        char *text = text_plain(q->choice[i].text);
        json_push(choices, json_string(text));
        free(text);
    }
    return choices;
}

static const char *kind_name(enum question_kind kind)
{
    switch (kind) {
    case QUESTION_NONE:
        break;
    case QUESTION_CHOICE:
        return "choice";
    case QUESTION_SEVERAL:
        return "several";
    case QUESTION_NUMBER:
        return "number";
    case QUESTION_TEXT:
        return "text";
    case QUESTION_EXPLAIN:
        return "explain";
    }
    return "none";
}

/* The points of an explanation, and whether the learner marked each. */
static json_t *rubric_of(const struct page_question *q)
{
    json_t *rubric = json_array();
    for (size_t i = 0; i < q->choices; i++) {
        json_t *point = json_line();
        set_plain(point, "point", q->choice[i].text);
        json_set(point, "marked", json_boolean(q->choice[i].chosen));
        json_push(rubric, point);
    }
    return rubric;
}

static json_t *prediction_of(const struct page_question *q)
{
    json_t *prediction = json_line();
    json_set_text(prediction, "id", q->id);
    json_set_text(prediction, "kind", kind_name(q->kind));
    set_plain(prediction, "ask", q->ask);
    json_set(prediction, "choices", text_json_choices(q));
    if (q->kind == QUESTION_EXPLAIN) {
        json_set(prediction, "rubric", rubric_of(q));
    }
    json_set_text(prediction, "unit", q->unit);
    json_set_text(prediction, "truth", q->judged ? q->truth : NULL);
    return prediction;
}

static json_t *knobs_of(const struct page *page)
{
    json_t *knobs = json_array();
    for (size_t i = 0; i < page->knobs; i++) {
        json_t *knob = json_line();
        json_set_text(knob, "name", page->knob[i].name);
        json_set_text(knob, "label", page->knob[i].label);
        json_set_text(knob, "value", page->knob[i].value);
        json_set_text(knob, "values", page->knob[i].values);
        json_push(knobs, knob);
    }
    return knobs;
}

json_t *text_json_step(const struct scene *scene)
{
    const struct page *page = scene->page;
    const struct page_question *q = &page->question;
    bool asked = q->kind != QUESTION_NONE;
    bool answered = asked && q->state == QUESTION_ANSWERED;
    json_t *line = json_line();
    json_set_text(line, "lesson", page->lesson_id);
    json_set_text(line, "step", page->step_id);
    json_set_text(line, "title", page->step_title);
    set_plain(line, "text", page->say);
    json_set(line, "views", views_of(scene));
    json_set(line, "prediction", asked ? prediction_of(q) : json_null());
    json_set_text(line, "answered", answered ? q->answer : NULL);
    bool graded = answered && q->judged && q->kind != QUESTION_EXPLAIN;
    json_set(line, "correct", graded ? json_boolean(q->right) : json_null());
    json_set_text(line, "belief", answered && q->belief && *q->belief ? q->belief : NULL);
    if (asked && q->judged && q->kind != QUESTION_EXPLAIN) {
        set_plain(line, "feedback", q->feedback);
    }
    set_plain(line, "after", page->after);
    set_plain(line, "task", page->task);
    if (page->knobs > 0) {
        json_set(line, "knobs", knobs_of(page));
    }
    json_set_text(line, "t", scene->world ? num_clock(world_now(scene->world)).text : NULL);
    return line;
}
