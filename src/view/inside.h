/*
 * inside: what the files of this folder share and nobody else needs.
 */
#ifndef HOTSHARD_VIEW_INSIDE_H
#define HOTSHARD_VIEW_INSIDE_H

#include "base/num.h"
#include "view/view.h"

/* Widest line of everything told, so that plain mode can indent by two. */
#define TELL_COLUMNS 72

/* The key or slot that a picture follows: its argument, or the page's key. */
struct followed {
    bool found;
    bool is_key;      /* false: the argument was a slot's number */
    struct bytes key; /* borrowed */
    uint32_t slot;
};
struct followed view_followed(const struct scene *s, const char *argument);
/* The text itself, for views that need a key even where it looks like a number; "" if none. */
const char *view_key_of(const struct scene *s, const char *argument);
uint32_t view_slots(const struct scene *s); /* of the world, or the story's count without one */

/* The page asks something that the run will decide: pictures show what is, not what will come. */
bool view_question_open(const struct scene *s);

/* Words. Keys may hold any bytes: shown safely; in markup inside `backticks`. */
void view_add_key(struct str *out, struct bytes key);
void view_add_key_code(struct str *out, struct bytes key);
void view_add_shard(struct str *out, uint32_t shard); /* "S2", "nobody" */
/* Keys of a slot, blanks between, at most `limit`, then "and 3 more". Returns how many there are.
 */
size_t view_add_slot_keys(struct str *out, const struct world *w, uint32_t slot, size_t limit);
/* "S2, post:{p9} likes:{p9}"; the owner only when no question is open */
void view_add_slot_facts(struct str *out, const struct scene *s, uint32_t slot);
/* What a row says: "owned, epoch 7", "moved to S4, epoch 8", "no row". */
void view_add_row(struct str *out, struct slot_row row);
const char *view_plural(uint64_t count); /* "" for one, "s" otherwise */
/* Appends text broken between words; lines after the first are indented by `hang`. No markup. */
void view_add_wrapped(struct str *out, const char *text, int columns, int hang);

/* Signs. */
uint32_t view_sign(const struct canvas *c, uint32_t utf8, uint32_t ascii);
/* Centred, dim, wrapped: what a picture says when there is nothing to draw. */
void view_draw_note(struct canvas *c, const char *text);
/* One line over the whole width of the frame, an ellipsis where it is cut. */
void view_draw_line(struct canvas *c, int y, enum style style, const char *text);
/* Text over at most `rows` lines from y on, broken between words. */
void view_draw_wrapped(struct canvas *c, int y, int rows, enum style style, const char *text);

/* Lists. */
bool view_list_move(int64_t *at, int64_t count, enum verb verb, int64_t page);
/* The first item shown so that `at` is visible among `rows`, as near to `scroll` as can be. */
int64_t view_list_first(int64_t scroll, int64_t at, int64_t count, int64_t rows);
int64_t view_clamp(int64_t value, int64_t low, int64_t high);

#endif
