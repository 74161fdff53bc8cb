/*
 * pattern: the matcher behind string.find, match, gmatch and gsub.
 *
 * One attempt: set up struct match, set captures to 0, call pattern_match at a place of the
 * subject. Work is charged to the call's meter as it is done; pattern_charge_rest charges what is
 * left.
 */
#ifndef HOTSHARD_LESSON_PATTERN_H
#define HOTSHARD_LESSON_PATTERN_H

#include "lesson/sandbox.h"

#define CAPTURES_MAX 32
#define OPEN (-1)     /* a capture that has not ended yet */
#define POSITION (-2) /* "()" */

struct match {
    lua_State *L;
    const char *subject, *subject_end, *pattern_end;
    int depth;
    size_t steps; /* not charged yet */
    int captures;
    struct {
        const char *at;
        ptrdiff_t length;
    } capture[CAPTURES_MAX];
};

/* The end of the match of pattern p at s, or NULL. Raises on a malformed pattern. */
const char *pattern_match(struct match *m, const char *s, const char *p);
void pattern_steps(struct match *m, size_t count);
void pattern_charge_rest(struct match *m);

#endif
