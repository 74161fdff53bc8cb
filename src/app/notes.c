/*
 * notes: see notes.h.
 */
#include "app/notes.h"
#include "lesson/player.h"
#include <stdio.h>

static const char *result_of(const struct page_question *q)
{
    if (q->state == QUESTION_SKIPPED) {
        return "skipped";
    }
    if (q->kind == QUESTION_EXPLAIN) {
        return "self"; /* marked by the learner: counted neither as right nor as wrong */
    }
    return q->right ? "right" : "wrong";
}

bool notes_add(struct progress *progress, enum note note, const struct page *page, int64_t now,
               struct err *err)
{
    struct progress_event event = {.place = page->lesson_id, .step = page->step_id};
    struct str answer = STR_EMPTY;
    switch (note) {
    case NOTE_STEP:
        event.kind = "step";
        break;
    case NOTE_QUESTION:
        event.kind = page->drill ? "drill" : "answer";
        event.item = page->question.id;
        event.result = result_of(&page->question);
        question_say(&page->question, &answer);
        event.detail = str_text(&answer);
        break;
    case NOTE_GOAL:
        event.kind = "goal";
        event.result = page->task_skipped ? "skipped" : "met";
        break;
    case NOTE_DONE:
        event.kind = "done";
        event.step = NULL;
        break;
    }
    bool kept = !progress || progress_add(progress, &event, now, err);
    str_free(&answer);
    return kept;
}

bool notes_add_act(struct progress *progress, const char *act, const struct page *page, int64_t now,
                   struct err *err)
{
    struct progress_event event = {
        .kind = "act", .place = page->lesson_id, .step = page->step_id, .detail = act};
    return !progress || page->drill || progress_add(progress, &event, now, err);
}

bool notes_add_wait(struct progress *progress, struct player *player, int64_t now, struct err *err)
{
    char act[48];
    int64_t us = player_waited(player);
    (void)snprintf(act, sizeof act, ACT_UNTIL "%lld", (long long)us);
    return us == 0 || notes_add_act(progress, act, player_page(player), now, err);
}

void notes_say_skipped(const struct progress *progress, struct str *out)
{
    size_t lines = progress_skipped_lines(progress);
    str_addf(out, "%zu torn or altered line%s of %s %s skipped", lines, lines == 1 ? "" : "s",
             progress_path(progress), lines == 1 ? "was" : "were");
}
