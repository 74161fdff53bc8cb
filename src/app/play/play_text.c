/*
 * play_text: the playground in lines: a state in words and tables, or as a JSON object; and a
 * person who changes it, line by line. See play_screen.h and cmd_play.c.
 */
#include "app/play/play_text.h"
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "app/play/play_screen.h"
#include "base/file.h"
#include "base/near.h"
#include "base/num.h"
#include "draw/prose.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES_MAX 4096
#define LINE_COLUMNS 78

/* --- words -------------------------------------------------------------------------------------
 */

static void add_load(struct str *out, uint64_t asked, uint64_t ceiling, uint64_t refused)
{
    str_addf(out, " %9s", num_grouped((int64_t)asked).text);
    str_addf(out, " %5s%%", num_ratio((int64_t)asked, (int64_t)ceiling, 0).text);
    str_addf(out, " %8s", num_grouped((int64_t)refused).text);
}

static void add_table(const struct play_result *r, struct str *out)
{
    struct str total = STR_EMPTY;
    uint64_t ceiling[2] = {0, 0};
    str_addf(out, "  %-5s %6s %9s %6s %8s %9s %6s %8s\n", "shard", "keys", "writes/s", "full",
             "refused", "reads/s", "full", "refused");
    for (uint32_t i = 0; i < r->shards; i++) {
        const struct play_shard *s = &r->shard[i];
        str_addf(out, "  S%-4" PRIu32 " %6s", s->id, num_grouped((int64_t)s->keys).text);
        add_load(out, s->rates.writes, s->write_ceiling, s->rates.refused_writes);
        add_load(out, s->rates.reads, s->read_ceiling, s->rates.refused_reads);
        str_addc(out, '\n');
        ceiling[0] += s->write_ceiling;
        ceiling[1] += s->read_ceiling;
    }
    const struct shard_rates *all = &r->rates.cluster;
    str_addf(&total, "  %-5s %6s", "all", num_grouped((int64_t)keyset_count(r->keys->all)).text);
    add_load(&total, all->writes, ceiling[0], all->refused_writes);
    add_load(&total, all->reads, ceiling[1], all->refused_reads);
    str_addf(out, "%s\n", str_text(&total));
    str_free(&total);
}

/* Commas and blanks are where a line of settings can be broken. */
static void add_wrapped(struct str *out, const char *text)
{
    struct str lines = STR_EMPTY;
    prose_plain(&lines, text, LINE_COLUMNS, 0);
    str_add(out, str_text(&lines));
    str_free(&lines);
}

void play_text_state(const struct play_session *session, struct str *out)
{
    const struct play_result *r = session_result(session);
    struct str text = STR_EMPTY;
    play_tell_change(r, session_before(session), &text);
    add_wrapped(out, str_text(&text));
    str_clear(&text);
    play_tell_state(r, &text);
    add_wrapped(out, str_text(&text));
    str_clear(&text);
    add_table(r, out);
    str_addf(out, "  %s: ",
             session->futures == 1 ? "settings"
             : session->now == 0   ? "future A"
                                   : "future B");
    play_say(session_now(session), out);
    str_addc(out, '\n');
    if (session->futures == 2) {
        play_tell_differences(&session->future[0].result->settings,
                              &session->future[1].result->settings, &text);
        str_add(out, "  A or B:\n");
        for (const char *at = str_text(&text); *at;) {
            size_t length = strcspn(at, "\n");
            str_addf(out, "    %.*s\n", (int)length, at);
            at += length + (at[length] == '\n');
        }
        if (text.length == 0) {
            str_add(out, "    no difference yet\n");
        }
    }
    str_free(&text);
}

/* --- JSON --------------------------------------------------------------------------------------
 */

static json_t *json_shards(const struct play_result *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->shards; i++) {
        const struct play_shard *s = &r->shard[i];
        json_t *one = json_line();
        char id[16];
        snprintf(id, sizeof id, "S%" PRIu32, s->id);
        json_set_text(one, "id", id);
        json_set_whole(one, "weight", s->weight);
        json_set_whole(one, "keys", (int64_t)s->keys);
        json_set_whole(one, "writes", (int64_t)s->rates.writes);
        json_set_whole(one, "write_ceiling", s->write_ceiling);
        json_set_whole(one, "writes_refused", (int64_t)s->rates.refused_writes);
        json_set_whole(one, "reads", (int64_t)s->rates.reads);
        json_set_whole(one, "read_ceiling", s->read_ceiling);
        json_set_whole(one, "reads_refused", (int64_t)s->rates.refused_reads);
        json_push(list, one);
    }
    return list;
}

static json_t *json_cold(const struct play_cold *cold)
{
    if (!cold->measured) {
        return json_null();
    }
    json_t *one = json_line();
    json_set_whole(one, "reads", (int64_t)cold->reads);
    json_set_whole(one, "missed", (int64_t)cold->missed);
    json_set_whole(one, "served", (int64_t)cold->served);
    json_set_whole(one, "refused", (int64_t)cold->refused);
    return one;
}

static uint64_t writes_asked(const struct play_result *r)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->shards; i++) {
        sum += r->shard[i].rates.writes;
    }
    return sum;
}

static void print_json(const struct play_session *session)
{
    const struct play_result *r = session_result(session);
    const struct play_future *f = &session->future[session->now];
    const struct movement *m = &r->trial->moved;
    struct str text = STR_EMPTY;
    json_t *line = json_line();
    uint64_t asked = writes_asked(r);
    play_say(session_now(session), &text);
    json_set_text(line, "future", session->now == 0 ? "A" : "B");
    json_set_whole(line, "state", (int64_t)f->at + 1);
    json_set_text(line, "settings", str_text(&text));
    json_set_text(line, "workload", play_workload_name(r->settings.workload));
    json_set_text(line, "scheme", r->settings.scheme->name);
    json_set(line, "shards", json_shards(r));
    json_set_whole(line, "keys", (int64_t)m->keys);
    json_set(line, "moved", r->comparable ? json_integer((json_int_t)m->moved) : json_null());
    json_set(line, "from_shards",
             r->comparable ? json_integer((json_int_t)m->from_shards) : json_null());
    json_set_ratio(line, "busiest_over_average",
                   asked == 0 ? 0 : (double)r->busiest_writes * r->shards / (double)asked);
    json_set_whole(line, "writes", (int64_t)r->writes);
    json_set_whole(line, "reads", (int64_t)r->reads);
    json_set_whole(line, "refused",
                   (int64_t)(r->rates.cluster.refused_writes + r->rates.cluster.refused_reads));
    json_set_whole(line, "cache_hits", (int64_t)r->cache_hits);
    json_set(line, "cold", json_cold(&r->cold));
    str_clear(&text);
    play_tell_change(r, session_before(session), &text);
    json_set_text(line, "change", str_text(&text));
    str_free(&text);
    json_print(line);
}

/* --- the conversation --------------------------------------------------------------------------
 */

struct talk {
    struct play_session *session;
    bool json, prompts, failed;
};

static void show(const struct talk *t)
{
    if (t->json) {
        print_json(t->session);
        return;
    }
    struct str out = STR_EMPTY;
    play_text_state(t->session, &out);
    cli_print(stdout, "%s\n", str_text(&out));
    str_free(&out);
}

static void complain(struct talk *t, const char *text)
{
    struct err err;
    err_set(&err, "%s", text);
    (void)cli_fail(&err);
    t->failed = true;
}

static void do_undo(struct talk *t, const char *rest)
{
    (void)rest;
    if (session_undo(t->session)) {
        show(t);
    } else {
        complain(t, "this is the first state, there is nothing to undo");
    }
}

static void do_redo(struct talk *t, const char *rest)
{
    (void)rest;
    if (session_redo(t->session)) {
        show(t);
    } else {
        complain(t, "there is nothing to do again");
    }
}

static void do_fork(struct talk *t, const char *rest)
{
    (void)rest;
    if (session_fork(t->session)) {
        show(t);
    } else {
        complain(t, "there are two futures already; join goes on with the one in hand");
    }
}

static void do_switch(struct talk *t, const char *rest)
{
    (void)rest;
    if (session_switch(t->session)) {
        show(t);
    } else {
        complain(t, "there is one future only; fork makes another");
    }
}

static void do_join(struct talk *t, const char *rest)
{
    (void)rest;
    if (session_join(t->session)) {
        show(t);
    } else {
        complain(t, "there is one future only; fork makes another");
    }
}

static void do_show(struct talk *t, const char *rest)
{
    (void)rest;
    show(t);
}

static void do_write(struct talk *t, const char *rest)
{
    struct err err;
    struct str text = STR_EMPTY;
    session_write(t->session, &text);
    if (*rest == '\0') {
        complain(t, "write needs the name of a file; for example: write playground.txt");
    } else if (!session_name_good(rest, &err) ||
               !file_replace(rest, str_text(&text), text.length, &err)) {
        complain(t, err.text);
    }
    str_free(&text);
}

static void do_help(struct talk *t, const char *rest);

static const struct word {
    const char *name;
    void (*run)(struct talk *t, const char *rest);
    const char *about;
} words[] = {
    {"undo", do_undo, "the state before"},
    {"redo", do_redo, "what was undone"},
    {"fork", do_fork, "a second future from here"},
    {"switch", do_switch, "to the other future"},
    {"join", do_join, "this future goes on alone"},
    {"show", do_show, "the state again"},
    {"write", do_write, "FILE: all states, to be opened again"},
    {"help", do_help, "these lines"},
    {"quit", NULL, "the end"},
};
#define WORDS (sizeof words / sizeof words[0])

static void do_help(struct talk *t, const char *rest)
{
    (void)t;
    (void)rest;
    FILE *to = t->json ? stderr : stdout; /* a script's output stays objects */
    cli_print(to,
              "A line changes settings: scheme ring, tokens 64, add, remove S2, weight S1 200,\n"
              "workload celebrity, rate 3000, salt 8, preagg on, cache on, copies 2, "
              "db-cache 95,\nshards 4 (begins anew with four). Or it is one of:\n");
    for (size_t i = 0; i < WORDS; i++) {
        cli_print(to, "  %-8s %s\n", words[i].name, words[i].about);
    }
}

/* False: it is none of our words. */
static bool do_word(struct talk *t, const char *line, bool *quit)
{
    size_t length = strcspn(line, " ");
    for (size_t i = 0; i < WORDS; i++) {
        if (strlen(words[i].name) == length && strncmp(line, words[i].name, length) == 0) {
            *quit = words[i].run == NULL;
            if (words[i].run) {
                words[i].run(t, line + length + strspn(line + length, " "));
            }
            return true;
        }
    }
    return false;
}

static void take(struct talk *t, const char *line, bool *quit)
{
    struct err err;
    struct play_settings s = *session_now(t->session);
    if (*line == '\0' || *line == '#' || do_word(t, line, quit)) {
        return;
    }
    if (play_parse_more(line, &s, &err) && session_change(t->session, &s, &err)) {
        show(t);
        return;
    }
    const char *names[WORDS];
    char first[16] = "";
    for (size_t i = 0; i < WORDS; i++) {
        names[i] = words[i].name;
    }
    snprintf(first, sizeof first, "%.*s", (int)(strcspn(line, " ,") & 15), line);
    const char *near = strstr(err.text, "did you mean") ? NULL : near_name(first, names, WORDS);
    if (near && strncmp(err.text, "no setting", 10) == 0) {
        err_set(&err, "no setting \"%s\", did you mean %s? help lists them", first, near);
    }
    complain(t, err.text);
}

int play_text_talk(struct play_session *session, bool json, bool no_input)
{
    struct err err;
    struct talk t = {.session = session,
                     .json = json,
                     .prompts = !json && !no_input && isatty(STDIN_FILENO) == 1};
    struct bytes line;
    bool quit = false;
    int got = 0;
    show(&t);
    struct line_reader *in = line_reader_open("-", LINE_BYTES_MAX, &err);
    if (!in) {
        return cli_fail(&err);
    }
    while (!quit) {
        if (t.prompts) {
            fputs("change (or help, undo, quit): ", stdout);
        }
        fflush(stdout);
        got = line_reader_next(in, &line, &err);
        if (got <= 0) {
            break;
        }
        struct str text = STR_EMPTY;
        size_t from = 0;
        while (from < line.length && strchr(" \t", line.at[from]) && line.at[from]) {
            from++;
        }
        size_t end = line.length;
        while (end > from && strchr(" \t\r", line.at[end - 1]) && line.at[end - 1]) {
            end--;
        }
        str_addn(&text, line.at + from, end - from);
        take(&t, str_text(&text), &quit);
        str_free(&text);
    }
    line_reader_close(in);
    if (got < 0) {
        return cli_fail(&err);
    }
    return t.failed ? CLI_CANNOT : CLI_YES;
}
