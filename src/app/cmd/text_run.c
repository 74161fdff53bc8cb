/*
 * text_run: see text_run.h. This half plays by itself; text_ask.c asks a person.
 */
#include "app/cmd/text_run.h"
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "app/cmd/text_json.h"
#include "base/alloc.h"
#include "view/lesson_text.h"
#include "view/plain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRONG_TRIED_MAX 9
#define TURNS_MAX 8 /* forward moves inside one step: a run, a task, and no endless rest */

struct scene text_scene(struct player *player)
{
    struct err err;
    if (!player_fill_all(player, &err)) {
        cli_note("%s", err.text);
    }
    return (struct scene){.world = player_world(player),
                          .before = player_before(player),
                          .rates = player_rates(player),
                          .page = player_page(player),
                          .placing = player_page(player)->placing,
                          .placings = player_page(player)->placings,
                          .experiment = player_page(player)->experiment};
}

void text_knobs(struct str *out, const struct page *page)
{
    for (size_t i = 0; i < page->knobs; i++) {
        const struct page_knob *knob = &page->knob[i];
        bool typed = strchr(knob->label, ' ') == NULL;
        str_addf(out, "  %s%s", typed ? "" : knob->name, typed ? "" : ": ");
        lesson_text_knob(out, knob, "");
        str_addc(out, '\n');
    }
}

/* The way to the protocol that the step is about, which the screens open by a key. */
static void text_protocol(struct str *out, const struct page_protocol *protocol)
{
    if (protocol->name) {
        str_addf(out, "To break it: hotshard check %s", protocol->name);
        for (size_t i = 0; i < protocol->rules_off; i++) {
            str_addf(out, " --without %s", protocol->without[i]);
        }
        str_add(out, protocol->rules_off == 0 ? " --without RULE\n" : "\n");
    }
}

void text_print(struct str *text)
{
    cli_write(stdout, str_text(text), text->length);
    str_clear(text);
}

void text_pictures(struct str *out, const struct scene *scene, struct str *told)
{
    struct str now = STR_EMPTY;
    plain_pictures(&now, scene, 0);
    if (strcmp(str_text(&now), str_text(told)) != 0) {
        str_addn(out, str_text(&now), now.length);
    }
    str_free(told);
    *told = now;
}

bool text_is_lazy(const struct page *page)
{
    const struct page_table *t = page->table;
    return t != NULL && t->rows > 0 && t->row[0].lazy;
}

void text_step_before(struct str *out, const struct scene *scene, struct str *told)
{
    if (told->length > 0) {
        str_addc(out, '\n'); /* a blank line between steps */
    }
    str_clear(told);
    plain_heading(out, scene);
    plain_say(out, scene, 0);
    text_pictures(out, scene, told);
    text_knobs(out, scene->page);
    text_protocol(out, &scene->page->protocol);
    if (scene->page->question.kind != QUESTION_NONE) {
        plain_question(out, scene, 0);
    }
}

void text_step_after(struct str *out, const struct scene *scene, struct str *told)
{
    const struct page *page = scene->page;
    if (page->question.kind != QUESTION_NONE && page->question.judged) {
        plain_feedback(out, scene, 0);
    }
    if (*page->after) {
        plain_after(out, scene, 0);
    }
    text_pictures(out, scene, told);
}

/* --- playing by itself -------------------------------------------------------------------------
 */

struct walk {
    const struct text_run *run;
    const char *path;
    struct player *player;
    struct str out, told;
    bool json;
    json_t *pending; /* of the step under way */
};

static void show_after(struct walk *w)
{
    struct scene scene = text_scene(w->player);
    if (!w->json) {
        text_step_after(&w->out, &scene, &w->told);
        text_print(&w->out);
    }
}

static bool answer_and_finish(struct player *player, const char *answer, struct err *err)
{
    bool given = answer ? player_answer(player, answer, err) : player_skip(player, err);
    return given && (!player_page(player)->running || player_finish_run(player, err));
}

/* What the page says to one wrong answer: to the first when its run is over, to the others in its
 * place. */
static bool try_mistake(struct walk *w, const char *answer, bool instead, struct err *err)
{
    bool good = instead ? player_answer_instead(w->player, answer, err)
                        : answer_and_finish(w->player, answer, err);
    struct scene scene = text_scene(w->player);
    if (good && w->json) {
        json_print(text_json_step(&scene));
    } else if (good) {
        plain_feedback(&w->out, &scene, 0);
        text_print(&w->out);
    }
    return good;
}

/* Every mistake is explained; the last one is the answer that stays. */
static bool answer_wrongly(struct walk *w, struct err *err)
{
    struct str answer[WRONG_TRIED_MAX] = {STR_EMPTY};
    size_t count = 0;
    bool good = true;
    while (count < WRONG_TRIED_MAX && player_wrong_answer(w->player, count, &answer[count], err)) {
        count++;
    }
    for (size_t i = 0; good && i + 1 < count; i++) {
        good = try_mistake(w, str_text(&answer[i]), i > 0, err);
    }
    const char *last = count > 0 ? str_text(&answer[count - 1]) : NULL;
    good = good && (count > 1 ? player_answer_instead(w->player, last, err)
                              : answer_and_finish(w->player, last, err));
    for (size_t i = 0; i < WRONG_TRIED_MAX; i++) {
        str_free(&answer[i]);
    }
    return good;
}

/* Said aloud; what would be in a right one is everything, in a wrong one nothing. */
static bool explain(struct walk *w, bool right, struct err *err)
{
    bool good = answer_and_finish(w->player, "", err);
    for (size_t i = 0; good && right && i < player_page(w->player)->question.choices; i++) {
        good = player_mark(w->player, i, err);
    }
    return good;
}

static bool answer_question(struct walk *w, struct err *err)
{
    struct str answer = STR_EMPTY;
    bool good = false;
    if (player_page(w->player)->question.kind == QUESTION_EXPLAIN &&
        w->run->answers != TEXT_ANSWERS_NONE) {
        return explain(w, w->run->answers == TEXT_ANSWERS_RIGHT, err);
    }
    if (w->run->answers == TEXT_ANSWERS_WRONG) {
        return answer_wrongly(w, err);
    }
    if (w->run->answers == TEXT_ANSWERS_NONE) {
        return answer_and_finish(w->player, NULL, err);
    }
    good = player_right_answer(w->player, &answer, err) &&
           answer_and_finish(w->player, str_text(&answer), err);
    str_free(&answer);
    return good;
}

static bool do_task(struct walk *w, struct err *err)
{
    struct scene scene = text_scene(w->player);
    if (!w->json) {
        plain_task(&w->out, &scene, 0);
        text_print(&w->out);
    }
    if (!player_skip(w->player, err)) {
        return false;
    }
    if (player_page(w->player)->running && !player_finish_run(w->player, err)) {
        return false;
    }
    scene = text_scene(w->player);
    if (!w->json) {
        text_pictures(&w->out, &scene, &w->told);
        text_print(&w->out);
    }
    return true;
}

enum walked {
    WALKED_ON, /* the next step is there */
    WALKED_END,
    WALKED_FAULT
};

/* What JSON tells of a step is complete only when nothing more happens in it: it is built before
 * each move forward and printed once the page has turned. */
static void remember_json(struct walk *w)
{
    if (w->json) {
        struct scene scene = text_scene(w->player);
        json_decref(w->pending);
        w->pending = text_json_step(&scene);
    }
}

static void print_json(struct walk *w)
{
    if (w->pending) {
        json_print(w->pending);
        w->pending = NULL;
    }
}

static enum walked turn_page(struct walk *w, bool *same_step, struct err *err)
{
    size_t step = player_page(w->player)->step;
    remember_json(w);
    enum player_next next = player_forward(w->player, err);
    const struct page *page = player_page(w->player);
    *same_step = next == PLAYER_MOVED && page->step == step;
    if (*same_step) { /* a run that no question held up */
        if (page->running && !player_finish_run(w->player, err)) {
            return WALKED_FAULT;
        }
        show_after(w);
        return WALKED_ON;
    }
    print_json(w);
    if (next == PLAYER_ASKS) {
        err_set(err, "step %s cannot be passed without an answer", page->step_id);
        return WALKED_FAULT;
    }
    return next == PLAYER_MOVED ? WALKED_ON : next == PLAYER_END ? WALKED_END : WALKED_FAULT;
}

/* From a step as it was entered to the next one. */
static enum walked walk_step(struct walk *w, struct err *err)
{
    const struct page *page = player_page(w->player);
    if (page->running) { /* no question held it up */
        if (!player_finish_run(w->player, err)) {
            return WALKED_FAULT;
        }
        show_after(w);
    }
    if (page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN) {
        if (!answer_question(w, err)) {
            return WALKED_FAULT;
        }
        show_after(w);
    }
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        bool same_step = false;
        page = player_page(w->player);
        if (*page->task && !page->task_met && !page->task_skipped && !do_task(w, err)) {
            return WALKED_FAULT;
        }
        enum walked walked = turn_page(w, &same_step, err);
        if (!same_step) {
            return walked;
        }
    }
    err_set(err, "step %s does not come to an end", player_page(w->player)->step_id);
    return WALKED_FAULT;
}

static int walk_all(struct walk *w)
{
    struct err err;
    enum walked walked = WALKED_ON;
    while (walked == WALKED_ON) {
        if (!w->json) {
            struct scene scene = text_scene(w->player);
            text_step_before(&w->out, &scene, &w->told);
            text_print(&w->out);
        }
        walked = walk_step(w, &err);
    }
    return walked == WALKED_END ? CLI_YES : cli_fail(&err);
}

int text_run_play(const struct text_run *run, const char *path)
{
    struct err err;
    struct player *player = player_open(path, run->options->seed, &err);
    if (!player) {
        return cli_fail(&err);
    }
    int status = 0;
    if (player_fault(player, &err)) { /* of the first step's run: as one of a later step */
        status = cli_fail(&err);
    } else if (run->answers == TEXT_ANSWERS_ASK) {
        status = text_ask_play(run, player);
    } else {
        struct walk w = {.run = run, .path = path, .player = player, .json = run->options->json};
        status = walk_all(&w);
        json_decref(w.pending);
        str_free(&w.told);
        str_free(&w.out);
    }
    player_close(player);
    return status;
}
