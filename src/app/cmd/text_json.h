/*
 * text_json: a step of a lesson, and a drill's question, as JSON objects.
 */
#ifndef HOTSHARD_APP_TEXT_JSON_H
#define HOTSHARD_APP_TEXT_JSON_H

#include "app/cmd/json.h"
#include "view/view.h"

/* lesson, step, title, text, views, prediction, answered, correct, belief. */
json_t *text_json_step(const struct scene *scene);
/* The choices as a list of texts; null for other questions. */
json_t *text_json_choices(const struct page_question *q);
/* Markup as plain text on lines of any length, without newline at the end. Caller frees. */
char *text_plain(const char *markup);

#endif
