/*
 * inspect: everything about one thing, and why it is so, as markup text (draw/prose.h).
 *
 * The words come from the engine's decision records and tables, never from a guess.
 */
#ifndef HOTSHARD_VIEW_INSPECT_H
#define HOTSHARD_VIEW_INSPECT_H

#include "view/view.h"

void inspect_tell(struct str *out, const struct scene *s, struct subject subject);
void inspect_title(struct str *out, const struct scene *s, struct subject subject);

#endif
