/*
 * glossary_stage: see glossary_stage.h.
 */
#include "app/glossary/glossary_stage.h"
#include "app/play/play_screen.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/near.h"
#include "base/num.h"
#include "story/play.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

#define SEED 1
#define KEY_FOLLOWED "post:{p9}" /* where a picture names none */
#define KEPT_MAX 24              /* worlds after events of the story */
#define PIECE_EVENTS UINT64_C(60000)
#define STORY_STEP_US (US_PER_SECOND / 20)
#define ANSWER_US (60 * US_PER_SECOND) /* a request that takes longer is left alone */
#define FLOW_US US_PER_SECOND          /* after a flow that no `wait` follows */
#define SHOW_BYTES_MAX 128

struct glossary_stage {
    const struct glossary_entry *entry; /* NULL: nothing was begun */
    enum stage_state state;
    const struct view *view;
    char argument[SHOW_BYTES_MAX];
    struct story_play kept[KEPT_MAX]; /* after events, in no order */
    size_t kepts;
    /* the one under way */
    struct story_play play; /* world NULL: the story's part is over */
    int64_t until;          /* of the story, then of the world */
    struct world *world, *before;
    size_t act; /* the next one */
    bool answers, flows, waited;
    uint64_t done; /* events, since the story's part was over */
    /* the finished one */
    struct rates *rates;
    struct page page;
    struct play_screen *playground;
    struct scene scene;
};

struct glossary_stage *glossary_stage_new(void)
{
    return xcalloc(1, sizeof(struct glossary_stage));
}

static void drop(struct glossary_stage *s)
{
    story_play_end(&s->play);
    world_free(s->world);
    world_free(s->before);
    free(s->rates);
    play_screen_free(s->playground);
    s->world = s->before = NULL;
    s->rates = NULL;
    s->playground = NULL;
    s->entry = NULL;
    s->state = STAGE_EMPTY;
    s->act = 0;
    s->done = 0;
    s->answers = s->flows = s->waited = false;
}

void glossary_stage_free(struct glossary_stage *s)
{
    if (s != NULL) {
        drop(s);
        for (size_t i = 0; i < s->kepts; i++) {
            story_play_end(&s->kept[i]);
        }
        free(s);
    }
}

/* --- beginning ---------------------------------------------------------------------------------
 */

/* Pictures that a lesson's tables and experiments make. */
static bool needs_lesson(const struct view *view)
{
    return view == &view_table || view == &view_heat || view == &view_layouts ||
           view == &view_vectors;
}

/* Pictures of a placement. */
static bool needs_settings(const struct view *view)
{
    return view == &view_ring || view == &view_ranges || view == &view_maglev ||
           view == &view_rendezvous || view == &view_schemes || view == &view_grid;
}

static bool refuse_view(const char *name, struct err *err)
{
    const char *names[64];
    size_t count = 0;
    for (; view_at(count) != NULL; count++) {
        CHECK(count < 64);
        names[count] = view_at(count)->name;
    }
    const char *near = near_name(name, names, count);
    struct err_word word = err_word(name, 40);
    return near != NULL
               ? err_set(err, "show: there is no picture \"%s\", did you mean %s?", word.text, near)
               : err_set(err, "show: there is no picture \"%s\"", word.text);
}

/* "cache:post:{p9}" */
static bool find_view(struct glossary_stage *s, const struct glossary_entry *e, struct err *err)
{
    const char *show = e->show != NULL ? e->show : "";
    size_t length = strcspn(show, ":");
    const char *argument = show[length] == ':' ? show + length + 1 : "";
    char *name = xstrndup(show, length);
    bool good = true;
    s->view = view_by_name(name);
    if (s->view == NULL) {
        good = refuse_view(name, err);
    } else if (needs_lesson(s->view)) {
        good = err_set(err, "show: the picture %s is a lesson's; show another one", name);
    } else if (needs_settings(s->view) && e->settings == NULL) {
        good = err_set(err, "show: the picture %s is of a placement; say settings for it", name);
    } else if (strlen(argument) >= sizeof s->argument) {
        good = err_set(err, "show: what %s looks at has more than %zu bytes", name,
                       sizeof s->argument - 1);
    } else {
        memcpy(s->argument, argument, strlen(argument) + 1);
    }
    free(name);
    return good;
}

static struct story_play copy_of(const struct story_play *play)
{
    return (struct story_play){.world = world_copy(play->world), .next = play->next};
}

/* From the latest world that is kept and is not too late. */
static bool begin_story(struct glossary_stage *s, const char *event, struct err *err)
{
    const struct story_event *e = story_event_find(event, err);
    const struct story_play *from = NULL;
    if (e == NULL || e->copy) {
        return e != NULL ? err_set(err, "at: event %s is tried on a copy", e->id) : false;
    }
    s->until = story_event_time(e);
    for (size_t i = 0; i < s->kepts; i++) {
        int64_t now = world_now(s->kept[i].world);
        if (now <= s->until && (from == NULL || now > world_now(from->world))) {
            from = &s->kept[i];
        }
    }
    if (from == NULL) {
        return story_play_start(&s->play, SEED, err);
    }
    s->play = copy_of(from);
    return true;
}

bool glossary_stage_begin(struct glossary_stage *s, const struct glossary_entry *entry,
                          struct err *err)
{
    drop(s);
    if (!find_view(s, entry, err)) {
        return false;
    }
    if (entry->settings == NULL && entry->at != NULL && strcmp(entry->at, "quiet") != 0) {
        if (!begin_story(s, entry->at, err)) {
            return false;
        }
    } else if (entry->settings == NULL) {
        s->world = story_world(SEED, false, err);
        if (s->world == NULL) {
            return false;
        }
        s->before = world_copy(s->world);
        s->until = world_now(s->world);
    }
    s->entry = entry;
    s->state = STAGE_WORKS;
    return true;
}

/* --- a world of the story ----------------------------------------------------------------------
 */

static void keep_story(struct glossary_stage *s)
{
    bool known = false;
    for (size_t i = 0; i < s->kepts; i++) {
        known = known || world_now(s->kept[i].world) == s->until;
    }
    if (!known && s->kepts < KEPT_MAX) {
        s->kept[s->kepts++] = copy_of(&s->play);
    }
}

/* The story up to the event; what is there then is kept for others. */
static bool play_on(struct glossary_stage *s, struct err *err)
{
    uint64_t end = world_events(s->play.world) + PIECE_EVENTS;
    int64_t now = world_now(s->play.world);
    while (now < s->until && world_events(s->play.world) < end) {
        int64_t next = now + STORY_STEP_US < s->until ? now + STORY_STEP_US : s->until;
        if (!story_play_until(&s->play, next, err)) {
            return false;
        }
        now = next;
    }
    if (now < s->until) {
        return true;
    }
    /* What the event does at its very moment is done. */
    if (!story_play_until(&s->play, s->until, err)) {
        return false;
    }
    keep_story(s);
    s->world = s->play.world;
    s->play.world = NULL;
    s->before = world_copy(s->world);
    return true;
}

/* Whatever the last command asked for: an answer, or time. */
static bool run_on(struct glossary_stage *s, struct err *err)
{
    uint64_t events = world_events(s->world);
    bool there = s->answers ? world_run_some_answered(s->world, s->until, PIECE_EVENTS)
                            : world_run_some(s->world, s->until, PIECE_EVENTS);
    if (there) {
        s->until = world_now(s->world);
        s->answers = false;
    }
    s->done += world_events(s->world) - events;
    return !world_stopped(s->world, err);
}

static bool do_act(struct glossary_stage *s, struct err *err)
{
    struct command command;
    int64_t wait_us = 0;
    const char *line = s->entry->acts.item[s->act++];
    if (!glossary_act(line, &command, &wait_us, err)) {
        return err_prefix(err, "do: \"%s\"", err_word(line, 40).text);
    }
    if (wait_us < 0 && !world_apply(s->world, &command, err)) {
        return err_prefix(err, "do: \"%s\"", err_word(line, 40).text);
    }
    s->answers = wait_us < 0 && command.kind == COMMAND_REQUEST;
    s->flows = s->flows || (wait_us < 0 && command.kind == COMMAND_FLOW);
    s->waited = s->waited || wait_us >= 0;
    s->until = world_now(s->world) + (wait_us >= 0 ? wait_us : s->answers ? ANSWER_US : SETTLE_US);
    return true;
}

/* A page for the pictures: nothing but what they look at. */
static void set_page(struct glossary_stage *s)
{
    s->page = (struct page){.lesson_id = "",
                            .lesson_title = "",
                            .step_id = "",
                            .step_title = "",
                            .say = "",
                            .after = "",
                            .task = "",
                            .notes = "",
                            .visiting = "",
                            .key = KEY_FOLLOWED,
                            .breaks = RULE_COUNT};
    s->page.show[0] = (struct page_show){s->view->name, s->argument};
    s->page.shows = 1;
}

static void finish_world(struct glossary_stage *s)
{
    struct world *scratch = world_copy(s->world);
    s->rates = xcalloc(1, sizeof *s->rates);
    rates_at(s->world, scratch, s->rates);
    world_free(scratch);
    set_page(s);
    s->scene =
        (struct scene){.world = s->world, .before = s->before, .rates = s->rates, .page = &s->page};
    s->state = STAGE_READY;
}

/* --- a state of the playground -----------------------------------------------------------------
 */

/* The state before the last shard joined or left, so that the picture shows what moved. */
static struct play_settings state_before(const struct play_settings *s)
{
    struct play_settings before = *s;
    before.changes -= before.changes > 0;
    for (uint32_t id = 0; id < PLAY_IDS_MAX; id++) {
        if (!play_has_shard(&before, id)) {
            before.weight[id] = LAYOUT_WEIGHT_USUAL;
        }
    }
    return before;
}

static bool picture_fits(const struct glossary_stage *s, struct err *err)
{
    const char *name[PLAY_PICTURES_MAX];
    size_t count = play_pictures(s->playground, false, name);
    bool fits = !needs_settings(s->view);
    for (size_t i = 0; i < count && !fits; i++) {
        fits = strcmp(name[i], s->view->name) == 0;
    }
    return fits || err_set(err, "show: the picture %s does not fit the scheme %s", s->view->name,
                           session_now(s->playground->session)->scheme->name);
}

static bool make_playground(struct glossary_stage *s, struct err *err)
{
    struct play_settings after;
    if (!play_parse(s->entry->settings, &after, err)) {
        return err_prefix(err, "settings");
    }
    struct play_settings before = state_before(&after);
    struct play_session *session = session_new(&before, NULL, err);
    if (session == NULL) {
        return err_prefix(err, "settings");
    }
    s->playground = xcalloc(1, sizeof *s->playground);
    s->playground->session = session;
    if (!session_change(session, &after, err)) {
        return err_prefix(err, "settings");
    }
    if (!picture_fits(s, err)) {
        return false;
    }
    s->scene = play_scene(s->playground, s->view->name);
    set_page(s);
    struct page *page = &s->playground->page;
    page->visiting = "";
    page->show[0] = s->page.show[0];
    page->shows = 1;
    s->state = STAGE_READY;
    return true;
}

/* --- working -----------------------------------------------------------------------------------
 */

static bool next_piece(struct glossary_stage *s, struct err *err)
{
    if (s->entry->settings != NULL) {
        return make_playground(s, err);
    }
    if (s->world == NULL) {
        return play_on(s, err);
    }
    if (world_now(s->world) < s->until) {
        return run_on(s, err);
    }
    if (s->act < s->entry->acts.count) {
        return do_act(s, err);
    }
    if (s->flows && !s->waited) {
        s->waited = true;
        s->until = world_now(s->world) + FLOW_US;
        return true;
    }
    finish_world(s);
    return true;
}

bool glossary_stage_work(struct glossary_stage *s, struct err *err)
{
    if (s->state == STAGE_WORKS && !next_piece(s, err)) {
        drop(s);
        return false;
    }
    return true;
}

/* The story is long, and so may be what an entry waits for. */
bool glossary_stage_is_quick(const struct glossary_stage *s)
{
    bool told = s->play.world == NULL || world_now(s->play.world) >= s->until; /* kept, perhaps */
    return s->state == STAGE_WORKS && told && s->done < PIECE_EVENTS;
}

bool glossary_stage_finish(struct glossary_stage *s, struct err *err)
{
    while (s->state == STAGE_WORKS) {
        if (!glossary_stage_work(s, err)) {
            return false;
        }
    }
    return true;
}

bool glossary_stage_can_show(void *context, const struct glossary_entry *entry, struct err *err)
{
    struct glossary_stage *s = context;
    return glossary_stage_begin(s, entry, err) && glossary_stage_finish(s, err);
}

/* --- reading -----------------------------------------------------------------------------------
 */

enum stage_state glossary_stage_state(const struct glossary_stage *s)
{
    return s->state;
}

const struct view *glossary_stage_view(const struct glossary_stage *s)
{
    return s->view;
}

const char *glossary_stage_argument(const struct glossary_stage *s)
{
    return s->argument;
}

int64_t glossary_stage_now(const struct glossary_stage *s)
{
    const struct world *w = s->play.world != NULL ? s->play.world : s->world;
    return w != NULL ? world_now(w) : -1;
}

int64_t glossary_stage_until(const struct glossary_stage *s)
{
    return s->until;
}

const struct scene *glossary_stage_scene(struct glossary_stage *s)
{
    CHECK(s->state == STAGE_READY);
    return &s->scene;
}
