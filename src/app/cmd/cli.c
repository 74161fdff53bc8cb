/*
 * cli: see cli.h. The words of the help come from the tables that the parser reads.
 */
#include "app/cmd/cli.h"
#include "app/cmd/cli_help.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/near.h"
#include "base/num.h"
#include "base/utf8.h"
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_ARGUMENT_COLUMNS 60
#define FIRST_LONG 256 /* above every byte, so that getopt's answers never clash with letters */

void cli_write(FILE *to, const char *text, size_t length)
{
    struct str shown = STR_EMPTY;
    utf8_visible_lines(&shown, text, length);
    fwrite(str_text(&shown), 1, shown.length, to);
    str_free(&shown);
}

void cli_print(FILE *to, const char *format, ...)
{
    struct str text = STR_EMPTY;
    va_list args;
    va_start(args, format);
    str_addvf(&text, format, args);
    va_end(args);
    cli_write(to, str_text(&text), text.length);
    str_free(&text);
}

/* One line on standard error: a newline in a stranger's word is spelt out as well. */
static void complain(const char *before, const struct str *words)
{
    struct str line = STR_EMPTY;
    str_addf(&line, "hotshard: %s", before);
    utf8_visible(&line, str_text(words), words->length);
    str_addc(&line, '\n');
    fflush(stdout); /* what was printed before is to be read before */
    fwrite(str_text(&line), 1, line.length, stderr);
    str_free(&line);
}

int cli_fail(const struct err *err)
{
    struct str words = STR_EMPTY;
    str_add(&words, err->text);
    complain("", &words);
    str_free(&words);
    return CLI_CANNOT;
}

int cli_usage(const struct cli *cli, const char *format, ...)
{
    struct str words = STR_EMPTY;
    va_list args;
    va_start(args, format);
    str_addvf(&words, format, args);
    va_end(args);
    str_addf(&words, "; see hotshard%s%s --help", cli->command ? " " : "",
             cli->command ? cli->command->name : "");
    complain("", &words);
    str_free(&words);
    return CLI_CANNOT;
}

void cli_note(const char *format, ...)
{
    struct str words = STR_EMPTY;
    va_list args;
    va_start(args, format);
    str_addvf(&words, format, args);
    va_end(args);
    complain("note: ", &words);
    str_free(&words);
}

int cli_finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        struct err err;
        err_set(&err, "standard output could not be written in full: %s", strerror(errno));
        return cli_fail(&err);
    }
    return status;
}

const char *cli_values(const struct cli *cli, const char *name, size_t n)
{
    for (size_t i = 0; i < cli->given_count; i++) {
        if (strcmp(cli->given[i].option->name, name) == 0 && n-- == 0) {
            return cli->given[i].value;
        }
    }
    return NULL;
}

const char *cli_value(const struct cli *cli, const char *name)
{
    for (size_t i = cli->given_count; i > 0; i--) {
        if (strcmp(cli->given[i - 1].option->name, name) == 0) {
            return cli->given[i - 1].value;
        }
    }
    return NULL;
}

bool cli_has(const struct cli *cli, const char *name)
{
    return cli_value(cli, name) != NULL;
}

bool cli_number(const struct cli *cli, const char *name, uint64_t low, uint64_t high,
                uint64_t otherwise, uint64_t *out, struct err *err)
{
    const char *text = cli_value(cli, name);
    *out = otherwise;
    if (!text) {
        return true;
    }
    char what[48];
    snprintf(what, sizeof what, "--%s", name);
    return num_parse_u64(text, what, low, high, out, err);
}

/* --- parsing -----------------------------------------------------------------------------------
 */

/* getopt's table of every option that may stand here: those of all commands, then the command's. */
struct option_table {
    const struct cli_option *known[64];
    struct option table[65];
    size_t count;
};

static bool is_known(const struct option_table *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->known[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void table_add(struct option_table *t, const struct cli_option *option)
{
    for (; option && option->name; option++) {
        if (is_known(t, option->name)) {
            continue;
        }
        CHECK(t->count < 64);
        t->known[t->count] = option;
        t->table[t->count] = (struct option){
            .name = option->name,
            .has_arg = option->value ? required_argument : no_argument,
            .val = FIRST_LONG + (int)t->count,
        };
        t->count++;
    }
}

/* Whether --size is the command's own: a screen's is COLSxROWS. */
static bool is_own_size(const struct cli *cli, const char *value)
{
    const struct cli_command *command = cli->command;
    bool number = value[0] >= '0' && value[0] <= '9';
    for (const struct cli_option *o = command ? command->option : NULL; o && o->name; o++) {
        if (strcmp(o->name, "size") == 0) {
            return !command->screens || !number;
        }
    }
    return false;
}

/* Settings that all commands share are taken at once; the others are kept for the command. */
static bool take_option(struct cli *cli, const struct cli_option *option, const char *value,
                        struct err *err)
{
    struct options *o = &cli->options;
    const char *name = option->name;
    if (strcmp(name, "plain") == 0) {
        o->plain = true;
    } else if (strcmp(name, "no-input") == 0) {
        o->no_input = true;
    } else if (strcmp(name, "ascii") == 0) {
        o->ascii = true;
    } else if (strcmp(name, "no-motion") == 0) {
        o->no_motion = true;
    } else if (strcmp(name, "json") == 0) {
        o->json = true;
    } else if (strcmp(name, "script") == 0) {
        o->script = value;
    } else if (strcmp(name, "journal") == 0) {
        o->journal = value;
    } else if (strcmp(name, "color") == 0) {
        return options_parse_color(value, &o->color, err);
    } else if (strcmp(name, "seed") == 0) {
        o->seed_given = true;
        return num_parse_u64(value, "--seed", 0, UINT64_MAX, &o->seed, err);
    } else if (strcmp(name, "now") == 0) {
        o->now_given = true;
        return options_parse_time(value, &o->now, err);
    } else if (strcmp(name, "size") == 0 && !is_own_size(cli, value)) {
        o->size_given = true;
        return options_parse_size(value, &o->columns, &o->rows, err);
    } else {
        cli->given = xrealloc(cli->given, cli->given_count + 1, sizeof *cli->given);
        cli->given[cli->given_count++] = (struct cli_given){option, value ? value : ""};
    }
    return true;
}

static int refuse_option(const struct cli *cli, int answer, char **argv)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    bool is_letter = optopt > 0 && optopt < FIRST_LONG;
    struct err_word word = err_word(is_letter ? letter : argv[optind - 1], SHOWN_ARGUMENT_COLUMNS);
    return answer == ':'          ? cli_usage(cli, "option '%s' needs a value", word.text)
           : optopt >= FIRST_LONG ? cli_usage(cli, "option '%s' takes no value", word.text)
                                  : cli_usage(cli, "unknown option '%s'", word.text);
}

/* An option that would be passed over in silence is a mistake to be told. */
static int check_screen_options(const struct cli *cli)
{
    const struct options *o = &cli->options;
    bool screens = cli->command ? cli->command->screens : true;
    const char *given = o->script ? "script" : o->journal ? "journal" : "size";
    if (!screens && (o->script || o->journal || o->size_given)) {
        return cli_usage(cli, "option '--%s' does not apply to %s, which has no full screen", given,
                         cli->command->name);
    }
    if (o->size_given && !o->script) {
        return cli_usage(cli, "option '--size' applies only together with --script");
    }
    return CLI_YES;
}

/* Parses argv from 1 on. With `stop` the first word that is no option ends it (a leading '+' in
 * getopt's language). Returns CLI_YES, or the exit status after a complaint. */
static int parse(struct cli *cli, int argc, char **argv, bool stop, bool *help, bool *version)
{
    struct option_table t = {.count = 0};
    table_add(&t, cli_options_of_all());
    table_add(&t, cli_options_of_screens());
    if (cli->command) {
        table_add(&t, cli->command->option);
    }
    opterr = 0;
    optind = 0; /* starts getopt anew, order of arguments included */
    for (;;) {
        int answer = getopt_long(argc, argv, stop ? "+:hV" : ":hV", t.table, NULL);
        if (answer == -1) {
            return CLI_YES;
        }
        if (answer == 'h' || answer == 'V') {
            *(answer == 'h' ? help : version) = true;
            continue;
        }
        if (answer < FIRST_LONG) {
            return refuse_option(cli, answer, argv);
        }
        const struct cli_option *option = t.known[answer - FIRST_LONG];
        struct err err;
        if (strcmp(option->name, "help") == 0) {
            *help = true;
        } else if (strcmp(option->name, "version") == 0) {
            *version = true;
        } else if (!take_option(cli, option, optarg, &err)) {
            return cli_usage(cli, "%s", err.text);
        }
    }
}

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; cli_command_at(i); i++) {
        if (strcmp(cli_command_at(i)->name, name) == 0) {
            return cli_command_at(i);
        }
    }
    return NULL;
}

static int refuse_command(const struct cli *cli, const char *name)
{
    const char *names[32];
    size_t count = 0;
    for (; cli_command_at(count); count++) {
        CHECK(count < 32);
        names[count] = cli_command_at(count)->name;
    }
    const char *near = near_name(name, names, count);
    struct err_word word = err_word(name, SHOWN_ARGUMENT_COLUMNS);
    return near ? cli_usage(cli, "unknown command '%s', did you mean '%s'?", word.text, near)
                : cli_usage(cli, "unknown command '%s'", word.text);
}

/* `hotshard help` and `hotshard help COMMAND`: what many type first. */
static int help_about(struct cli *cli, int words, char **word)
{
    if (words > 1) {
        return cli_usage(cli, "help takes one command");
    }
    if (words == 1) {
        cli->command = find_command(word[0]);
        if (!cli->command) {
            return refuse_command(cli, word[0]);
        }
    }
    cli_print_help(cli->command);
    return CLI_YES;
}

static int run_parsed(struct cli *cli, int argc, char **argv)
{
    bool help = false;
    bool version = false;
    int status = parse(cli, argc, argv, true, &help, &version);
    if (status != CLI_YES) {
        return status;
    }
    if (!help && !version && optind < argc && strcmp(argv[optind], "help") == 0) {
        return help_about(cli, argc - optind - 1, argv + optind + 1);
    }
    if (!help && !version && optind < argc) {
        cli->command = find_command(argv[optind]);
        if (!cli->command) {
            return refuse_command(cli, argv[optind]);
        }
        argv += optind; /* the command's name takes the place of the program's */
        argc -= optind;
        status = parse(cli, argc, argv, false, &help, &version);
        if (status != CLI_YES) {
            return status;
        }
    }
    if (help) {
        cli_print_help(cli->command);
        return CLI_YES;
    }
    if (version) {
        puts("hotshard " HOTSHARD_VERSION);
        return CLI_YES;
    }
    status = check_screen_options(cli);
    if (status != CLI_YES) {
        return status;
    }
    cli->argument = argv + optind;
    cli->arguments = (size_t)(argc - optind);
    return cli->command ? cli->command->run(cli) : command_learn.run(cli);
}

int cli_main(int argc, char **argv)
{
    /* Numbers stay in the C locale: only the terminal's characters follow the environment. */
    setlocale(LC_CTYPE, "");
    struct cli cli = {.options = options_default()};
    int status = cli_finish(run_parsed(&cli, argc, argv));
    free(cli.given);
    return status;
}
