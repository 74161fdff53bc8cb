/*
 * check_lanes: a schedule as a message-sequence picture, drawn from the model's own words.
 *
 * Whoever takes a step has a lifeline, in the order in which they first appear. A step is a dot on
 * its actor's line; where its words say to whom it goes or from where something has arrived ("asks
 * R0", "copies the slot to B", "the vote of manager 1 has arrived") it is an arrow. Where arrivals
 * are steps of their own, only these are arrows. Steps that were not taken yet are not drawn.
 */
#ifndef HOTSHARD_APP_CHECK_LANES_H
#define HOTSHARD_APP_CHECK_LANES_H

#include "check/model.h"
#include "draw/canvas.h"

struct lanes_step {
    struct check_told told;
    unsigned marks; /* of check_session.h */
    bool alone;     /* nobody's: it concerns all of them */
};

/* The lifelines are those of `cast`, whatever is drawn of `step`: they stand still while a schedule
 * is walked, with rules and without. */
struct lanes_way {
    const struct lanes_step *step;
    size_t steps;
};
void check_lanes_draw(struct canvas *c, struct lanes_way cast, struct lanes_way way);

#endif
