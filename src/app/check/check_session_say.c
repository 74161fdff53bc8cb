/*
 * check_session_say: the sentences of a session. See check_session.h.
 */
#include "app/check/check_session.h"
#include "base/num.h"
#include "check/models.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LINE_COLUMNS 60 /* in a box at 80 columns */

static bool is_one(uint32_t bits)
{
    return bits != 0 && (bits & (bits - 1)) == 0;
}

/* "a", "a and b", "a, b and c" */
void check_session_say_rules(const struct check_model *model, uint32_t rules, struct str *out)
{
    rules &= check_all_rules(model);
    for (size_t i = 0, n = 0; model->rule[i].name; i++) {
        if ((rules >> i & 1) != 0) {
            bool last = rules >> i == 1;
            str_addf(out, "%s%s", n == 0 ? "" : last ? " and " : ", ", model->rule[i].name);
            n++;
        }
    }
}

static void say_strong(const struct check_model *model, uint32_t rules, struct str *out)
{
    str_addc(out, '*');
    check_session_say_rules(model, rules, out);
    str_addc(out, '*');
}

void check_session_say_size(const struct check_model *model, uint8_t size, struct str *out)
{
    char text[160];
    if (model->say_size) {
        model->say_size(size, text, sizeof text);
        str_add(out, text);
    } else {
        str_addf(out, "%u %s", (unsigned)size, model->size_of);
    }
}

static const char *broken(const struct check_session *s)
{
    switch (s->found.result.broken) {
    case CHECK_STUCK:
        return "nothing can happen any more, and it is not finished";
    case CHECK_DEAD:
        return "from here on it can never be finished";
    default:
        return s->model->broken(s->found.result.broken);
    }
}

/* A clause as a sentence. */
static void add_sentence(struct str *out, const char *clause)
{
    size_t at = out->length;
    str_addf(out, "%s.", clause);
    out->text[at] = (char)toupper((unsigned char)out->text[at]);
}

static const char *steps_word(uint32_t steps)
{
    return steps == 1 ? "step" : "steps";
}

/* --- the search --------------------------------------------------------------------------------
 */

void check_session_say_seen(const struct check_session *s, struct str *out)
{
    const struct check_result *r = &s->found.result;
    uint64_t states = r->states;
    uint32_t depth = r->depth;
    if (check_session_searches(s)) {
        check_session_seen(s, &states, &depth);
        str_addf(out, "searching: %s states\n%u %s deep so far", num_grouped((int64_t)states).text,
                 (unsigned)depth, steps_word(depth));
        return;
    }
    if (s->back) {
        const struct parting_step *parts = &s->found.part.first;
        str_add(out, "the same steps, with every rule\n");
        str_addf(out,
                 parts->step == 0 ? (s->found.ons > 0 ? "all take place, and it goes on"
                                                      : "all of them take place")
                 : parts->taken   ? "step %u goes otherwise"
                                  : "step %u does not take place",
                 (unsigned)parts->step);
        return;
    }
    struct num_text seen = num_grouped((int64_t)states);
    switch (r->verdict) {
    case CHECK_HOLDS:
        str_addf(out, "all %s states were seen\nnothing fails in any order", seen.text);
        break;
    case CHECK_FAILS:
        str_addf(out, "searched %s states\nshortest failure: %u %s", seen.text, (unsigned)depth,
                 steps_word(depth));
        break;
    case CHECK_CUT:
        str_addf(out, "%s at %s state%s\nall within %u %s was seen",
                 r->cut == CUT_CANCELLED ? "stopped" : "cut", seen.text, r->states == 1 ? "" : "s",
                 (unsigned)depth, steps_word(depth));
        break;
    }
}

static void say_fails(const struct check_session *s, struct str *out)
{
    str_add(out, "Without ");
    say_strong(s->model, check_session_without(s), out);
    str_addf(out, ": %s. It takes %u %s ", broken(s), (unsigned)s->found.result.depth,
             steps_word(s->found.result.depth));
    check_session_say_world(s, out);
    str_addc(out, '.');
}

/* Where a rule is not missed it is said what does its work. */
static void say_redundant(const struct check_session *s, struct str *out)
{
    uint32_t without = check_session_without(s);
    uint32_t instead = s->found.instead;
    say_strong(s->model, without, out);
    str_addf(out, " %s not missed %s: ", is_one(without) ? "alone is" : "are",
             s->larger ? "in the larger world either" : "in the small world");
    if (instead != 0) {
        say_strong(s->model, instead, out);
        str_addf(out, " %s %s work. Switch %s off as well.", is_one(instead) ? "does" : "do",
                 is_one(without) ? "its" : "their", is_one(instead) ? "that" : "one of them");
    } else {
        str_addf(out, "the other rules together do %s work.", is_one(without) ? "its" : "their");
    }
}

static void say_cut(const struct check_session *s, struct str *out)
{
    const struct check_result *r = &s->found.result;
    struct num_text seen = num_grouped((int64_t)r->states);
    if (r->cut == CUT_CANCELLED) {
        str_addf(out, "Stopped at %s state%s. ", seen.text, r->states == 1 ? "" : "s");
    } else {
        str_addf(out, "Cut at %s state%s, for want of %s. ", seen.text, r->states == 1 ? "" : "s",
                 r->cut == CUT_TIME ? "time" : "room");
    }
    str_addf(out,
             "Nothing breaks within %u %s of the start. What lies beyond was not looked at: "
             "that is no promise.",
             (unsigned)r->depth, steps_word(r->depth));
}

void check_session_say_verdict(const struct check_session *s, struct str *out)
{
    const struct check_result *r = &s->found.result;
    if (!check_session_found(s)) {
        return;
    }
    if (r->verdict == CHECK_FAILS) {
        say_fails(s, out);
    } else if (r->verdict == CHECK_CUT) {
        say_cut(s, out);
    } else if (check_session_without(s) != 0) {
        say_redundant(s, out);
    } else {
        str_add(out, "With every rule nothing breaks, in whatever order the steps are taken.");
    }
}

static bool is_apart(const struct check_session *s)
{
    return check_session_found(s) && s->found.apart;
}

void check_session_say_world(const struct check_session *s, struct str *out)
{
    bool large = check_session_found(s) ? s->found.wish.larger : s->larger;
    str_add(out, !check_session_can_grow(s) && !is_apart(s) ? "in its one world"
                 : is_apart(s)                              ? "in a world of its own"
                 : large                                    ? "in the larger world"
                                                            : "in the small world");
}

static void list_promises(const struct check_model *model, size_t from, size_t to, struct str *out)
{
    for (size_t i = from; i < to && model->promises[i]; i++) {
        add_sentence(out, model->promises[i]);
        str_add(out, "\n\n");
    }
}

/* What was looked at: with a rule off no farther than to the first failure. */
static void say_searched(const struct check_session *s, struct str *out)
{
    uint8_t size = check_session_found(s) ? s->found.scope.size
                   : s->larger            ? s->model->size_large
                                          : s->model->size_small;
    enum check_verdict verdict = s->found.result.verdict;
    const char *what = !check_session_found(s)  ? "states"
                       : verdict == CHECK_HOLDS ? "every state that can come about"
                       : check_session_fails(s) ? "all states up to the first failure"
                                                : "states, as far as there was room or time";
    str_addf(out, "*Searched*: %s ", what);
    check_session_say_world(s, out);
    str_add(out, ", with ");
    check_session_say_size(s->model, size, out);
    str_add(out, ". A *state* is how everything stands at one moment.");
}

void check_session_say_promises(const struct check_session *s, struct str *out)
{
    const struct check_model *model = s->model;
    size_t outside = check_outside_promises(model);
    bool parted = model->promises[outside] != NULL;
    add_sentence(out, model->about);
    str_addf(out,
             "\n\nEach rule forbids something. Switch one off: every order of the steps is "
             "searched, and the shortest one that %s is played.\n\n",
             parted ? "harms a client" : "breaks a promise");
    str_addf(out, "*Promised%s*, in whatever order:\n\n", parted ? " to clients" : "");
    list_promises(model, 0, outside, out);
    str_add(out, "From every state all can still come to its end.\n\n");
    if (parted) {
        str_add(out,
                "*What holds inside*, for somebody who sees all nodes at once. With a rule off "
                "it may break before a client is harmed:\n\n");
        list_promises(model, outside, SIZE_MAX, out);
    }
    say_searched(s, out);
}

/* --- steps -------------------------------------------------------------------------------------
 */

/* Rules that are to be named where the full protocol parts: those left out of which one alone does
 * it, else all. */
static uint32_t parting_rules(const struct check_session *s)
{
    return s->found.stoppers != 0 ? s->found.stoppers : check_session_without(s);
}

/* Where two details differ, from the beginning of a sentence; all of it when it says less. */
static const char *from_difference(const char *full, const char *less)
{
    size_t from = 0;
    for (size_t i = 0; full[i] != '\0' && full[i] == less[i]; i++) {
        from = i > 0 && full[i] == ' ' && full[i - 1] == '.' ? i + 1 : from;
    }
    return strstr(less, full + from) ? full : full + from;
}

/* How the full protocol takes a step; by its detail where the deed has the same name. */
static void say_otherwise(const struct check_session *s, const struct parting_step *p,
                          struct str *out)
{
    struct check_session off = *s; /* without the rules; owns nothing */
    struct check_told less;
    off.back = false;
    check_session_tell(&off, p->step, &less);
    if (strcmp(less.action, p->told.action) == 0) {
        str_addf(out, "*%s*", from_difference(p->told.detail, less.detail));
    } else {
        str_addf(out, "*%s %s.*", p->told.actor, p->told.action);
    }
}

static void say_parting(const struct check_session *s, struct str *out)
{
    const struct parting_step *first = &s->found.part.first;
    if (first->taken) {
        str_add(out, "With every rule it goes otherwise: ");
        say_otherwise(s, first, out);
    } else {
        str_add(out, "With every rule it does not take place, because of ");
        say_strong(s->model, parting_rules(s), out);
        str_addc(out, '.');
    }
}

void check_session_say_start(const struct check_session *s, struct str *out)
{
    uint32_t parts = check_session_parts(s);
    size_t at = out->length;
    check_session_say_world(s, out);
    out->text[at] = (char)toupper((unsigned char)out->text[at]);
    str_add(out, ": ");
    check_session_say_size(s->model, s->found.scope.size, out);
    str_add(out, ".");
    if (parts > 0) {
        str_addf(out, " With every rule step %u (!) %s.", (unsigned)parts,
                 s->found.part.first.taken ? "would go otherwise" : "would not take place");
    }
}

void check_session_say_notes(const struct check_session *s, struct str *out)
{
    const struct check_found *f = &s->found;
    if (f->apart) { /* its lines are those of the command line */
        for (const char *at = f->apart; *at; at++) {
            str_addc(out, *at == '\n' ? ' ' : *at);
        }
        str_add(out, "\n\n");
    }
    if (f->filmed) {
        str_add(out, "A world of the engine plays each step. What is to wait there is held up: the "
                     "trace says *held up*, and by how much it is *late*.\n\n");
        str_addf(out, "%s\n\n", check_replay_about(s->model));
    }
    str_add(out, "The search has looked at states: a *state* is how everything stands at one "
                 "moment.\n");
}

/* With the rules back, where the full protocol parts from the way or has its step no more. */
static void say_stop(const struct check_session *s, const struct check_told *told, bool whole,
                     struct str *out)
{
    const struct parting_step *last = &s->found.part.last;
    bool taken = s->step != last->step || last->taken;
    if (whole || !taken) {
        str_addf(out, "*%s %s.* ", told->actor, told->action);
    }
    if (taken) {
        str_addf(out, "%s That is what ", told->detail);
        say_strong(s->model, parting_rules(s), out);
        str_add(out, " changes.");
        return;
    }
    str_add(out, "This does not take place. ");
    for (size_t i = 0; s->model->rule[i].name; i++) {
        if ((parting_rules(s) >> i & 1) != 0) {
            str_addf(out, "*%s*: %s ", s->model->rule[i].name, s->model->rule[i].demands);
        }
    }
}

/* What the world does otherwise than the steps say, as its replay has noted it. */
static void say_replay_notes(const struct check_session *s, struct str *out)
{
    const struct replayed *film = s->back ? &s->found.full : &s->found.less;
    if (!s->found.filmed || s->step > film->steps) {
        return;
    }
    const char *at = str_text(&film->lines[s->step]);
    while (*at) {
        size_t length = strcspn(at, "\n");
        if (*at == '(') {
            str_add(out, " In the world: ");
            str_addn(out, at + 1, length > 2 ? length - 2 : 0);
            str_addc(out, '.');
        }
        at += length + (at[length] == '\n');
    }
}

void check_session_say_step(const struct check_session *s, bool whole, struct str *out)
{
    struct check_told told;
    unsigned marks = check_session_marks(s, s->step);
    if (!check_session_fails(s)) {
        return;
    }
    if (s->step == 0) {
        str_add(out, "Nothing has happened yet. ");
        check_session_say_start(s, out);
        return;
    }
    check_session_tell(s, s->step, &told);
    if (s->back && (marks & (STEP_PARTS | STEP_STOPPED))) {
        say_stop(s, &told, whole, out);
        return;
    }
    if (whole) {
        str_addf(out, "*%s %s.* ", told.actor, told.action);
    }
    str_add(out, told.detail);
    say_replay_notes(s, out);
    if (marks & STEP_PARTS) {
        str_addc(out, ' ');
        say_parting(s, out);
    }
    if (marks & STEP_BROKEN) {
        str_add(out, " *Broken:* ");
        str_addf(out, "%s.", broken(s));
    }
    if (s->back && s->found.ons > 0 && s->step == s->found.result.depth) {
        str_add(out, " With every rule all this takes place as well. But from here it goes on to "
                     "its end.");
    }
}

/* A line of the world, kept as it is, broken between words with what follows indented. */
static void add_line(struct str *out, const char *line, size_t length)
{
    size_t columns = LINE_COLUMNS;
    str_add(out, "  ");
    while (length > columns) {
        size_t cut = columns;
        while (cut > columns / 2 && line[cut] != ' ') {
            cut--;
        }
        cut = line[cut] == ' ' ? cut : columns;
        str_addn(out, line, cut);
        str_add(out, "\n      ");
        cut += line[cut] == ' ';
        line += cut;
        length -= cut;
        columns = LINE_COLUMNS - 4;
    }
    str_addn(out, line, length);
    str_addc(out, '\n');
}

/* What the world did in this step. */
static void add_lines(const struct check_session *s, struct str *out)
{
    const struct check_found *f = &s->found;
    const struct replayed *film = s->back ? &f->full : &f->less;
    bool end = (check_session_marks(s, s->step) & STEP_END) != 0;
    if (!f->filmed) {
        str_add(out, "No world plays this way; the steps are told as the search took them.\n");
        return;
    }
    if (!end && s->step > film->steps) { /* how it goes on after the way */
        str_add(out, "The world is not played in this step. What it does comes with its end.\n");
        return;
    }
    const char *at = str_text(&film->lines[end ? film->steps + 1 : s->step]);
    if (*at == '\0') {
        str_add(out, "In the world that plays it nothing else happened.\n");
        return;
    }
    str_add(out, "What happened in the world that plays it:\n\n");
    while (*at) {
        size_t length = strcspn(at, "\n");
        add_line(out, at, length);
        at += length + (at[length] == '\n');
    }
}

/* What comes of it without a rule, from the step where the full protocol parts. */
static void say_without(const struct check_session *s, struct str *out)
{
    struct check_session off = *s;
    struct check_told harm;
    uint32_t depth = s->found.result.depth;
    const struct check_rule *rule = s->model->rule;
    off.back = false;
    check_session_tell(&off, depth, &harm);
    for (size_t i = 0; rule[i].name; i++) {
        if ((parting_rules(s) >> i & 1) != 0) {
            str_addf(out, "*%s*: %s\n\n", rule[i].name, rule[i].demands);
        }
    }
    str_add(out, "Without ");
    say_strong(s->model, parting_rules(s), out);
    if (s->found.part.first.step == depth) {
        str_addf(out, ": %s ", harm.detail);
    } else {
        struct check_told told;
        check_session_tell(&off, s->found.part.first.step, &told);
        str_addf(out, "%s%s At step %u it is too late: %s %s. %s ", s->back ? ": " : "",
                 s->back ? told.detail : " it goes on as told above.", (unsigned)depth, harm.actor,
                 harm.action, harm.detail);
    }
    str_addf(out, "So %s.\n\n", broken(s));
    uint32_t others = check_session_without(s) & ~parting_rules(s);
    if (others != 0) {
        say_strong(s->model, others, out);
        str_addf(out, " %s no part in this step.\n\n", is_one(others) ? "has" : "have");
    }
}

void check_session_explain_step(const struct check_session *s, struct str *out)
{
    const struct check_found *f = &s->found;
    unsigned marks = check_session_marks(s, s->step);
    check_session_say_step(s, true, out);
    str_add(out, "\n\n");
    if (s->step == 0) {
        check_session_say_notes(s, out);
        str_addc(out, '\n');
    }
    if (marks & (STEP_PARTS | STEP_STOPPED)) {
        say_without(s, out);
    }
    if ((marks & STEP_BROKEN) && f->filmed && f->less.fails) {
        str_add(out, "Seen in the world: ");
        str_addf(out, "%s.\n\n", f->less.failure);
    }
    add_lines(s, out);
}

void check_session_explain_rule(const struct check_session *s, struct str *out)
{
    const struct check_rule *rule = &s->model->rule[s->selected];
    uint32_t bit = UINT32_C(1) << s->selected;
    bool off = (s->rules & bit) == 0;
    str_addf(out, "%s\n\n", rule->demands);
    str_addf(out, "It is switched %s.", off ? "off" : "on");
    if (!off || !check_session_found(s)) {
        str_addc(out, '\n');
        return;
    }
    str_add(out, "\n\n");
    check_session_say_verdict(s, out);
    str_addc(out, '\n');
    if (s->found.apart) {
        str_addf(out, "\n%s\n", s->found.apart);
    }
}
