/*
 * foretell: what would be right at an open question, and what would be wrong. Both are asked of a
 * copy of the world in which the run is over; the player does not move.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A rehearsal plays the whole run: what it said is kept while nothing changes. */
static const struct verdict *foresee(struct player *p, struct err *err)
{
    uint64_t events = p->world[0] != NULL ? world_events(p->world[0]) : 0;
    if (!question_open(p, err)) {
        return NULL;
    }
    if (p->foreseen != NULL && p->foreseen_at.step == p->current &&
        p->foreseen_at.events == events && p->foreseen_at.changes == p->changes) {
        return p->foreseen;
    }
    foreseen_forget(p);
    struct verdict *v = xcalloc(1, sizeof *v);
    if (!rehearse(p, v, err)) {
        verdict_free(v);
        free(v);
        return NULL;
    }
    p->foreseen = v;
    p->foreseen_at.step = p->current;
    p->foreseen_at.events = events;
    p->foreseen_at.changes = p->changes;
    return v;
}

void foreseen_forget(struct player *p)
{
    if (p->foreseen != NULL) {
        verdict_free(p->foreseen);
        free(p->foreseen);
        p->foreseen = NULL;
    }
}

bool player_right_answer(struct player *p, struct str *out, struct err *err)
{
    const struct verdict *v = foresee(p, err);
    str_clear(out);
    str_add(out, v != NULL ? str_text(&v->truth) : "");
    return v != NULL;
}

/* The n-th that does not hold: a choice, or (of several) the right set with one choice changed. */
static bool wrong_choice(const struct verdict *v, size_t n, struct str *out)
{
    for (size_t i = 0; i < v->choices; i++) {
        unsigned bit = 1u << i;
        unsigned set = v->kind == QUESTION_CHOICE ? bit : v->holds ^ bit;
        bool right = v->kind == QUESTION_CHOICE ? (set & v->holds) != 0 : set == v->holds;
        if (right || set == 0 || n-- > 0) {
            continue;
        }
        for (size_t k = 0; k < v->choices; k++) {
            if (set & 1u << k) {
                str_addf(out, "%s%d", out->length > 0 ? " " : "", (int)k + 1);
            }
        }
        return true;
    }
    return false;
}

/* Whether the lesson lists this mistake. */
static bool listed(const struct verdict *v, const char *text)
{
    char line[40];
    const char *at = str_text(&v->wrong);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (answer_same(line, text)) {
            return true;
        }
        at += length + (at[length] == '\n');
    }
    return false;
}

/* Where the answer is a shard: the n-th other one that the lesson does not list. */
static bool wrong_shard(const struct player *p, const struct verdict *v, size_t n, struct str *out)
{
    for (uint32_t shard = 0; shard < world_shards(p->world[0]); shard++) {
        str_clear(out);
        str_addf(out, "S%u", (unsigned)shard);
        if (!verdict_right(v, str_text(out)) && !listed(v, str_text(out)) && n-- == 0) {
            return true;
        }
    }
    str_clear(out);
    return false;
}

static bool is_shard(const struct player *p, const char *text)
{
    size_t digits = strspn(text + (*text != '\0'), "0123456789");
    return p->world[0] != NULL && toupper((unsigned char)*text) == 'S' && digits > 0 &&
           text[1 + digits] == '\0';
}

/* The n-th mistake that the lesson knows, then one that it does not. */
static bool wrong_typed(const struct player *p, const struct verdict *v, size_t n, struct str *out)
{
    for (const char *line = str_text(&v->wrong); *line != '\0';) {
        size_t length = strcspn(line, "\n");
        str_clear(out);
        str_addn(out, line, length);
        if (!verdict_right(v, str_text(out)) && n-- == 0) {
            return true;
        }
        line += length + 1;
    }
    str_clear(out);
    if (v->kind == QUESTION_TEXT && is_shard(p, str_text(&v->truth))) {
        return wrong_shard(p, v, n, out);
    }
    if (n > 0) {
        return false;
    }
    if (v->kind == QUESTION_NUMBER) {
        answer_say(out, v->number + 10 * v->tolerance + 7);
    } else {
        str_addf(out, "not-%s", str_text(&v->truth));
    }
    return true;
}

bool player_wrong_answer(struct player *p, size_t n, struct str *out, struct err *err)
{
    str_clear(out);
    const struct verdict *v = foresee(p, err);
    if (v == NULL) {
        return false;
    }
    if (v->kind == QUESTION_EXPLAIN) {
        return err_set(err, "the learner marks an explanation: it is neither right nor wrong");
    }
    bool chosen = v->kind == QUESTION_CHOICE || v->kind == QUESTION_SEVERAL;
    return (chosen ? wrong_choice(v, n, out) : wrong_typed(p, v, n, out)) ||
           err_set(err, "there is no further wrong answer");
}
