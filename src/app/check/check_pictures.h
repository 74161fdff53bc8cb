/*
 * check_pictures: which pictures fit a protocol, and what they look at.
 *
 * Where a world plays the way, these are views of that world (view/view.h); for every protocol
 * there is the schedule itself with a lifeline for everybody who takes part (check_lanes.h).
 */
#ifndef HOTSHARD_APP_CHECK_PICTURES_H
#define HOTSHARD_APP_CHECK_PICTURES_H

#include "app/check/check_session.h"
#include "view/view.h"

#define CHECK_PICTURES_MAX 8
#define CHECK_KEY_MAX 64

struct check_picture {
    const struct view *view; /* NULL: the schedule's lifelines */
    struct view_state state;
};

struct check_pictures {
    const struct check_model *model; /* that they were chosen for, and whether there are worlds */
    bool worlds;
    struct check_picture picture[CHECK_PICTURES_MAX];
    size_t count, shown;
};

/* What one looks at: where the session stands, or a world that has gone on from there. */
struct check_sight {
    const struct check_session *session;
    const struct world *world; /* NULL: the session's */
};

/* After anything has changed: chooses anew when others fit, and keeps what is shown if it does. */
void check_pictures_choose(struct check_pictures *p, const struct check_session *s);
const char *check_pictures_title(const struct check_pictures *p, size_t index);
/* Whom the steps call otherwise than this picture does: "A is S0"; NULL: nobody. */
const char *check_pictures_names(const struct check_pictures *p, size_t index);
void check_pictures_draw(const struct check_pictures *p, size_t index, struct canvas *c,
                         const struct check_sight *sight, bool focused);
/* True when the verb did something. */
bool check_pictures_move(struct check_pictures *p, const struct check_sight *sight, enum verb verb,
                         struct rect pane);
void check_pictures_tell(const struct check_pictures *p, size_t index,
                         const struct check_sight *sight, struct str *out);

#endif
