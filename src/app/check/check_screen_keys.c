/*
 * check_screen_keys: which keys of Break it work now, and what they are called. See check_screen.h.
 */
#include "app/check/check_screen.h"

bool check_screen_was_cut(const struct check_screen *s)
{
    return check_session_found(&s->session) && s->session.found.result.verdict == CHECK_CUT;
}

bool check_screen_works(const struct ui *ui, enum action action)
{
    const struct check_screen *s = ui->check;
    bool fails = check_session_fails(&s->session);
    switch ((unsigned)action) {
    case ACT_FORWARD:
    case ACT_BACK:
    case ACT_PUT_BACK:
    case ACT_WHOLE:
        return fails;
    case ACT_FOCUS_NEXT:
    case ACT_FOCUS_BEFORE:
        return check_screen_shows_world(s) && s->pictures.count > 1;
    case ACT_PLAY:
    case ACT_SLOWER:
    case ACT_FASTER:
        return check_session_world(&s->session) != NULL;
    case ACT_RULES:
        return !s->rules || fails;
    case ACT_LARGER:
        return check_session_can_grow(&s->session) &&
               (!s->session.larger || check_screen_was_cut(s));
    case ACT_SMALLER:
        return s->session.larger;
    default:
        return true;
    }
}

const char *check_screen_brief(const struct ui *ui, enum action action)
{
    const struct check_screen *s = ui->check;
    const struct check_session *session = &s->session;
    switch ((unsigned)action) {
    case ACT_SWITCH:
        return (session->rules >> session->selected & 1) != 0 ? "switch off" : "switch on";
    case ACT_PUT_BACK:
        return session->back ? "rules off" : NULL;
    case ACT_PLAY:
        return s->run.playing ? "stand still" : NULL;
    case ACT_CLOSE:
        return check_session_searches(session)                          ? "stop"
               : s->whole || (s->rules && check_session_fails(session)) ? "back"
                                                                        : NULL;
    default:
        return NULL;
    }
}

enum context check_screen_context(const struct ui *ui)
{
    const struct check_screen *s = ui->check;
    return s->whole ? IN_RUN : s->rules ? IN_RULES : IN_CHECK;
}
