/*
 * check_screen: Break it on the screen: what is open, what has the focus, where one came from.
 *
 * Left stand the rules with their switches, what the search has seen, and the steps of the shortest
 * failure; right the world that plays them, after the step where one stands. A search that takes
 * longer than a blink is on a thread of its own and looked at with each frame; under a script or
 * without motion it is waited for. A run is the picture over the whole screen, in a copy of the
 * film's world in which time can go on. See ui.h for the rest of the screen.
 */
#ifndef HOTSHARD_APP_CHECK_SCREEN_H
#define HOTSHARD_APP_CHECK_SCREEN_H

#include "app/check/check_pictures.h"
#include "app/check/check_session.h"
#include "app/ui.h"

struct check_run {
    struct world *world; /* NULL: as the film has it */
    uint64_t events;     /* by which it is beyond the film */
    bool playing;
    uint64_t told; /* trace records by then, and since when there is no other one */
    int64_t quiet_from;
    int shift; /* of its speed */
};

struct check_screen {
    struct check_session session;
    struct check_pictures pictures;
    enum ui_screen from; /* where it was opened */
    bool rules;          /* they have the focus, not the steps */
    bool whole;          /* a run */
    struct check_run run;
    bool awaits;      /* a search that was asked for by the last key */
    bool opening;     /* it is the first one of this protocol */
    int scroll;       /* of the promises, where there is no picture */
    int scroll_most;  /* as drawn last */
    struct rect pane; /* of the picture, as drawn last */
};

struct check_sight check_screen_sight(const struct check_screen *s);
/* The search ended before it had seen everything. */
bool check_screen_was_cut(const struct check_screen *s);
/* There is a picture: something fails. */
bool check_screen_has_picture(const struct check_screen *s);
/* And it is shown: beside the rules, before the first step, the steps are. */
bool check_screen_shows_world(const struct check_screen *s);

#endif
