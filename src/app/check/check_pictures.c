/*
 * check_pictures: see check_pictures.h.
 */
#include "app/check/check_pictures.h"
#include "app/check/check_lanes.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "draw/prose.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of each protocol, the best one first; names that no view has are passed over. */
static const struct fitting {
    const char *model;
    const char *names; /* whom the model calls otherwise than the world; NULL: nobody */
    const char *view[CHECK_PICTURES_MAX];
} fitting[] = {
    {"fence-and-flip", "A is S0, B is S1", {"trace", "move", "log", "tables", "copies", "maps"}},
    {"ask", "A is S0, B is S1", {"trace", "ask", "copies", "maps"}},
    {"dual-write", "A is S0, B is S1", {"trace", "dual", "copies"}},
    {"preagg", NULL, {"trace", "counter"}},
    {"micro-cache", NULL, {"trace", "cache", "waterfall"}},
    {"coalesce", NULL, {"trace", "waterfall"}},
    {"striped-balance", NULL, {"trace", "counter"}},
    {"scatter", "A is S0, B is S1, C is S2", {"trace", "scatter", "maps"}},
    {"two-phase-commit", "participants 1, 2, 3 are S0, S1, S2", {"trace", "txn"}},
    {"saga", "A is S0, B is S1, the mailer is S2", {"trace", "txn"}},
    {"failover", "A is N1, B is N2, C is N3", {"trace", "replicas", "nodes"}},
};

static const struct fitting *fitting_of(const struct check_model *model)
{
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++) {
        if (strcmp(fitting[i].model, model->name) == 0) {
            return &fitting[i];
        }
    }
    return NULL;
}

static void add(struct check_pictures *p, const struct view *view)
{
    if (p->count < CHECK_PICTURES_MAX) {
        p->picture[p->count++] = (struct check_picture){.view = view, .state = {.argument = ""}};
    }
}

void check_pictures_choose(struct check_pictures *p, const struct check_session *s)
{
    bool worlds = check_session_world(s) != NULL;
    if (p->model == s->model && p->worlds == worlds) {
        return;
    }
    const struct view *shown = p->count > 0 ? p->picture[p->shown].view : NULL;
    bool lanes = p->model == s->model && p->worlds && p->count > 0 && !shown;
    *p = (struct check_pictures){.model = s->model, .worlds = worlds};
    const struct fitting *f = fitting_of(s->model);
    for (size_t i = 0; worlds && f && i < CHECK_PICTURES_MAX && f->view[i]; i++) {
        const struct view *view = view_by_name(f->view[i]);
        if (view) {
            add(p, view);
        }
    }
    add(p, NULL);
    p->shown = lanes ? p->count - 1 : 0;
    for (size_t i = 0; shown && i < p->count; i++) {
        p->shown = p->picture[i].view == shown ? i : p->shown;
    }
}

const char *check_pictures_names(const struct check_pictures *p, size_t index)
{
    const struct fitting *f = fitting_of(p->model);
    return p->picture[index].view && f ? f->names : NULL;
}

const char *check_pictures_title(const struct check_pictures *p, size_t index)
{
    const struct view *view = p->picture[index].view;
    return view ? view->title : "Who does what";
}

/* --- what a view sees --------------------------------------------------------------------------
 */

struct sight_scene {
    struct page page;
    char key[CHECK_KEY_MAX];
    struct scene scene;
};

/* Of the page nothing but what pictures follow: the key that was asked first. The trace shows all
 * that has happened since the first step. */
static void make_scene(struct sight_scene *out, const struct check_sight *sight,
                       const struct view *view)
{
    const struct world *w = sight->world ? sight->world : check_session_world(sight->session);
    out->key[0] = '\0';
    if (view != &view_trace && world_keys(w) > 0) {
        struct bytes key = world_key(w, 0);
        snprintf(out->key, sizeof out->key, "%.*s", (int)key.length, key.at);
    }
    out->page = (struct page){.lesson_id = "",
                              .lesson_title = "",
                              .step_id = "",
                              .step_title = "",
                              .say = "",
                              .after = "",
                              .task = "",
                              .notes = "",
                              .visiting = "",
                              .key = out->key,
                              .breaks = RULE_COUNT};
    out->page.show[0] = (struct page_show){view->name, ""};
    out->page.shows = 1;
    out->scene =
        (struct scene){.world = w,
                       .before = view == &view_trace ? check_session_first(sight->session)
                                                     : check_session_before(sight->session),
                       .page = &out->page};
}

static struct lanes_step *steps_of(const struct check_session *s, size_t *count)
{
    *count = check_session_steps(s);
    struct lanes_step *step = xcalloc(*count + 1, sizeof *step);
    for (uint32_t i = 0; i < *count; i++) {
        check_session_tell(s, i + 1, &step[i].told);
        step[i].marks = check_session_marks(s, i + 1);
        step[i].alone = (step[i].marks & STEP_END) != 0;
    }
    return step;
}

/* Before the first step there is room to say what world this is. */
static void draw_notes(struct canvas *c, const struct check_session *s)
{
    struct str text = STR_EMPTY;
    struct prose prose;
    int columns = canvas_width(c) - 2 < PROSE_MEASURE ? canvas_width(c) - 2 : PROSE_MEASURE;
    if (columns < 1) {
        return;
    }
    check_session_say_notes(s, &text);
    prose_wrap(&prose, str_text(&text), columns);
    canvas_fill(c, (struct rect){0, 2, canvas_width(c), canvas_height(c) - 2}, STYLE_TEXT, ' ');
    prose_draw(c, &prose, 1, 2, 0, canvas_height(c) - 2);
    prose_free(&prose);
    str_free(&text);
}

void check_pictures_draw(const struct check_pictures *p, size_t index, struct canvas *c,
                         const struct check_sight *sight, bool focused)
{
    const struct check_picture *picture = &p->picture[index];
    bool begins = sight->session->step == 0 && !sight->world;
    if (picture->view == &view_trace && begins) {
        canvas_text_fit(c, 1, 0, canvas_width(c) - 1, STYLE_DIM, "Nothing has happened yet.");
        draw_notes(c, sight->session);
        return;
    }
    if (picture->view) {
        struct sight_scene scene;
        make_scene(&scene, sight, picture->view);
        picture->view->draw(c, &scene.scene, &picture->state, focused);
        return;
    }
    struct check_session off = *sight->session; /* without the rules; owns nothing */
    off.back = false;
    struct lanes_way cast, way;
    struct lanes_step *all = steps_of(&off, &cast.steps);
    struct lanes_step *step = steps_of(sight->session, &way.steps);
    cast.step = all;
    way.step = step;
    check_lanes_draw(c, cast, way);
    if (begins && !check_session_first(sight->session)) {
        draw_notes(c, sight->session);
    }
    free(all);
    free(step);
}

bool check_pictures_move(struct check_pictures *p, const struct check_sight *sight, enum verb verb,
                         struct rect pane)
{
    struct check_picture *picture = &p->picture[p->shown];
    if (!picture->view || !picture->view->move || pane.w < 1 || verb == VERB_NONE) {
        return false;
    }
    struct sight_scene scene;
    make_scene(&scene, sight, picture->view);
    return picture->view->move(&picture->state, &scene.scene, verb, pane.w, pane.h);
}

void check_pictures_tell(const struct check_pictures *p, size_t index,
                         const struct check_sight *sight, struct str *out)
{
    const struct check_picture *picture = &p->picture[index];
    if (picture->view) {
        struct sight_scene scene;
        make_scene(&scene, sight, picture->view);
        picture->view->tell(out, &scene.scene, &picture->state);
        return;
    }
    size_t count = 0;
    struct lanes_step *step = steps_of(sight->session, &count);
    for (size_t i = 0; i < count && (step[i].marks & STEP_TAKEN); i++) {
        str_addf(out, "%zu. %s %s.\n", i + 1, step[i].told.actor, step[i].told.action);
    }
    if (sight->session->step == 0) {
        str_add(out, "No step was taken yet.\n");
    }
    free(step);
}
