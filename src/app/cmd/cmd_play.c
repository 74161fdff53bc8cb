/*
 * cmd_play: `hotshard play [FILE]`: the playground, on the screen or in lines.
 */
#include "app/cmd/cli.h"
#include "app/loop.h"
#include "app/play/play_screen.h"
#include "app/play/play_text.h"
#include "base/file.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define RECORDING_BYTES_MAX ((size_t)1 << 22)
#define HEAD_BYTES 64

/* Whether a file begins as recordings do. A log may be large, and standard input is one. */
static bool is_recording(const char *path)
{
    bool yes = false;
    struct bytes line;
    struct line_reader *r =
        strcmp(path, "-") == 0 ? NULL : line_reader_open(path, HEAD_BYTES, NULL);
    if (r && line_reader_next(r, &line, NULL) == 1) {
        struct str text = STR_EMPTY;
        str_addn(&text, line.at, line.length);
        yes = session_is_recording(str_text(&text));
        str_free(&text);
    }
    if (r) {
        line_reader_close(r);
    }
    return yes;
}

static struct play_session *open_recording(const char *path, struct err *err)
{
    struct str text = STR_EMPTY;
    struct play_session *session = NULL;
    if (file_read(path, RECORDING_BYTES_MAX, &text, err)) {
        session = session_read(str_text(&text), path, err);
    }
    str_free(&text);
    return session;
}

/* What the command line asks for. */
static struct play_session *open_wanted(const struct cli *cli, struct err *err)
{
    const char *path = cli->arguments > 0 ? cli->argument[0] : NULL;
    const char *line = cli_value(cli, "settings");
    struct play_settings s = play_settings_default();
    if (path && is_recording(path)) {
        if (line) {
            err_set(err, "a recording has settings of its own; leave --settings out, or the file");
            return NULL;
        }
        return open_recording(path, err);
    }
    if (line && !play_parse(line, &s, err)) {
        err_prefix(err, "--settings");
        return NULL;
    }
    if (!path) {
        return session_new(&s, NULL, err);
    }
    s.workload = WORKLOAD_LOG;
    char *whole = realpath(path, NULL); /* a recording is opened from elsewhere */
    struct play_session *session = session_new(&s, whole ? whole : path, err);
    free(whole);
    return session;
}

static bool write_journal(const struct ui *ui, struct err *err)
{
    struct str text = STR_EMPTY;
    if (!ui->options.journal || !ui->play) {
        return true;
    }
    session_write(ui->play->session, &text);
    bool written = file_replace(ui->options.journal, str_text(&text), text.length, err);
    str_free(&text);
    return written;
}

static int run_screens(struct cli *cli, struct play_session *session, struct term *term,
                       int *signal_number)
{
    struct err err;
    struct ui *ui = ui_new(&cli->options, term);
    int status = CLI_CANNOT;
    bool good = play_screen_open(ui, session, &err);
    if (good) {
        status = cli->options.script ? script_run(ui, cli->options.script, &err) : loop_run(ui);
        good = status != CLI_CANNOT && write_journal(ui, &err);
    }
    *signal_number = ui->end_signal;
    struct err lost;
    bool kept = play_screen_keep(ui, &lost);
    ui_free(ui);
    term_close(term); /* before a word is written to the terminal */
    if (!kept) {
        cli_note("the playground is not kept: %s", lost.text);
    }
    return good ? status : cli_fail(&err);
}

static int run_on_terminal(struct cli *cli, struct play_session *session)
{
    struct err err;
    const struct options *o = &cli->options;
    struct term_options wanted = {.color = o->color, .ascii = o->ascii};
    struct term *term = NULL;
    if (o->script) {
        term = term_null_open(o->columns, o->rows, o->ascii ? GLYPHS_ASCII : GLYPHS_UTF8);
    } else if (term_possible(&err)) {
        term = term_open(&wanted, &err);
    }
    if (!term) {
        session_free(session);
        return cli_fail(&err);
    }
    int signal_number = 0;
    int status = run_screens(cli, session, term, &signal_number);
    if (signal_number > 0) {
        cli_finish(status);
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    return status;
}

static int run_play(struct cli *cli)
{
    struct err err;
    const struct options *o = &cli->options;
    struct play_session *session = NULL;
    bool lines = (o->plain || o->json) && !o->script;
    bool asked = cli->arguments > 0 || cli_has(cli, "settings") || cli_has(cli, "new");
    if (cli->arguments > 1) {
        return cli_usage(cli, "play takes one file");
    }
    if (lines && o->journal) {
        return cli_usage(cli, "option '--journal' applies to the full screen only; in lines there "
                              "is \"write FILE\"");
    }
    if (cli->arguments > 0 && strcmp(cli->argument[0], "-") == 0) {
        return cli_usage(cli, "standard input is where keys and lines come from; name a file");
    }
    if (asked || lines) {
        session = open_wanted(cli, &err);
        if (!session) {
            return cli_fail(&err);
        }
    }
    if (!lines) {
        return run_on_terminal(cli, session);
    }
    int status = play_text_talk(session, o->json, o->no_input);
    session_free(session);
    return status;
}

static const struct cli_option play_options[] = {
    {"settings", "LINE", "begin with these: \"scheme ring, tokens 64, shards 4 +4\""},
    {"new", NULL, "begin anew, not where you left it"},
    {NULL, NULL, NULL},
};

const struct cli_command command_play = {
    .name = "play",
    .arguments = "[FILE]",
    .about = "a playground: any workload, scheme and fix, side by side",
    .help =
        "Opens a cluster in which everything can be changed at any time: who asks what, how keys\n"
        "are placed, how many shards there are, and what is done about a hot key. Each change is\n"
        "run for a second and measured. Steps back and forward, and two futures side by side.\n"
        "FILE is a recording (written with W, or --journal), or your own keys: one a line, CSV, "
        "or\n"
        "the output of MONITOR, of which the hottest 900 stand for themselves and the requests\n"
        "of all others are spread over 100 of them. Without FILE or --settings the playground\n"
        "opens where you left it.\n"
        "\n"
        "  hotshard play --settings \"workload celebrity, scheme slots, salt 8\"\n"
        "  printf 'scheme ring\\nadd\\n' | hotshard play --plain\n"
        "\n"
        "Settings, commas between: workload popular|celebrity|time|zipf|uniform|log, scheme NAME,\n"
        "tokens N, shards 4 +4 -2 (four at first, S4 joined, S2 left), weight S1 200, rate N\n"
        "(writes a second; two reads for each), and of the hottest key: salt N, preagg on, cache\n"
        "on (of salt and preagg the later one counts); copies N, db-cache PERCENT. In lines also\n"
        "add, remove S2, undo, redo, fork, switch, join, show, write FILE, help, quit.\n"
        "\n"
        "JSON, one object a state: future, state, settings, workload, scheme, shards (id, weight,\n"
        "keys, writes, write_ceiling, writes_refused, reads, read_ceiling, reads_refused), keys,\n"
        "moved (null when the keys are others), from_shards, busiest_over_average, writes, reads\n"
        "(of clients), refused, cache_hits, cold (with db-cache, the second after a change: "
        "reads,\n"
        "missed, served, refused; else null), change (a sentence).",
    .option = play_options,
    .run = run_play,
    .screens = true,
};
