/*
 * cmd_size: `hotshard size WHAT name=value...`: the calculators of tools/size.h, as text or JSON.
 */
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "base/near.h"
#include "draw/prose.h"
#include "tools/size.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CALCULATORS_MAX 32
#define HOW_INDENT 7                      /* of a result's arithmetic; the names stand at 3 */
#define WHOLE_JSON_MAX 9007199254740992.0 /* 2^53: up to here a double counts exactly */

static void add_names(struct str *list, const char **names, size_t *count)
{
    for (*count = 0; size_at(*count) && *count < CALCULATORS_MAX; (*count)++) {
        names[*count] = size_at(*count)->name;
        str_addf(list, "%s%s", *count > 0 ? ", " : "", names[*count]);
    }
}

static int refuse_what(struct cli *cli, const char *what)
{
    const char *names[CALCULATORS_MAX];
    size_t count = 0;
    struct str list = STR_EMPTY;
    struct err err;
    add_names(&list, names, &count);
    if (!what) {
        err_set(&err, "size needs to know what: one of %s", str_text(&list));
    } else {
        const char *near = near_name(what, names, count);
        err_set(&err, "there is no calculator \"%s\"%s%s%s; there are %s", err_word(what, 40).text,
                near ? ", did you mean " : "", near ? near : "", near ? "?" : "", str_text(&list));
    }
    str_free(&list);
    return cli_usage(cli, "%s", err.text);
}

static json_t *number(double value)
{
    if (isnan(value)) {
        return json_null();
    }
    if (value == floor(value) && fabs(value) <= WHOLE_JSON_MAX) {
        return json_integer((json_int_t)value);
    }
    return json_real(value);
}

static json_t *input_json(const struct size_input *input, double value)
{
    json_t *object = json_line();
    json_set(object, "value", number(value));
    json_set_text(object, "unit", input->unit);
    return object;
}

static json_t *result_json(const struct size_result *result, double value, const char *how)
{
    json_t *object = json_line();
    bool truth = strcmp(result->unit, SIZE_YES_NO) == 0;
    json_set(object, "value", truth ? json_boolean(value != 0) : number(value));
    json_set_text(object, "unit", result->unit);
    json_set_text(object, "how", how);
    return object;
}

static void print_json(const struct size_tool *tool, const struct size_values *values,
                       const double *result)
{
    json_t *line = json_line();
    json_t *inputs = json_line();
    json_t *results = json_line();
    struct str how = STR_EMPTY;
    for (size_t i = 0; tool->input[i].name; i++) {
        json_t *input = input_json(&tool->input[i], values->value[i]);
        json_set(input, "given", json_boolean(values->given[i]));
        json_set(inputs, tool->input[i].name, input);
    }
    for (size_t i = 0; tool->result[i].name; i++) {
        str_clear(&how);
        size_add_how(&how, tool, values, result, i);
        json_set(results, tool->result[i].name,
                 result_json(&tool->result[i], result[i], str_text(&how)));
    }
    str_free(&how);
    json_set_text(line, "what", tool->name);
    json_set(line, "inputs", inputs);
    json_set(line, "results", results);
    json_print(line);
}

/* "  name   13,650 unit   what it is": name and number in columns as wide as they must be. */
struct size_columns {
    int name, number, unit;
};

static void measure(struct size_columns *c, const char *name, const char *shown, const char *unit)
{
    int lengths[] = {(int)strlen(name), (int)strlen(shown), (int)strlen(unit)};
    c->name = lengths[0] > c->name ? lengths[0] : c->name;
    c->number = lengths[1] > c->number ? lengths[1] : c->number;
    c->unit = lengths[2] > c->unit ? lengths[2] : c->unit;
}

static void print_row(const struct size_columns *c, const char *name, const char *shown,
                      const char *unit, const char *about)
{
    printf("  %-*s  %*s %-*s  %s\n", c->name, name, c->number, shown, c->unit, unit, about);
}

static void show_result(struct str *shown, const struct size_result *result, double value)
{
    str_clear(shown);
    if (strcmp(result->unit, SIZE_YES_NO) == 0) {
        str_add(shown, value != 0 ? "yes" : "no");
    } else {
        size_add_number(shown, value);
    }
}

static const char *unit_shown(const struct size_result *result)
{
    return strcmp(result->unit, SIZE_YES_NO) == 0 ? "" : result->unit;
}

/* Under its result; a long one goes on under itself. */
static void print_how(const struct size_tool *tool, const struct size_values *values,
                      const double *result, size_t index)
{
    struct str how = STR_EMPTY;
    struct str lines = STR_EMPTY;
    size_add_how(&how, tool, values, result, index);
    prose_plain(&lines, str_text(&how), PROSE_MEASURE - HOW_INDENT, 0);
    for (const char *at = str_text(&lines); *at != '\0';) {
        int length = (int)strcspn(at, "\n");
        printf("%*s%s%.*s\n", HOW_INDENT - 2, "", at == str_text(&lines) ? "= " : "  ", length, at);
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    str_free(&lines);
    str_free(&how);
}

static void print_formula(const struct size_tool *tool)
{
    struct str text = STR_EMPTY;
    prose_plain(&text, tool->formula, PROSE_MEASURE, 0);
    printf("%s\n", str_text(&text));
    if (text.length > 0 && text.text[text.length - 1] != '\n') {
        putchar('\n');
    }
    printf("Source: %s.\n", tool->source);
    str_free(&text);
}

static void print_text(const struct size_tool *tool, const struct size_values *values,
                       const double *result)
{
    struct size_columns c = {0, 0, 0};
    struct str shown = STR_EMPTY;
    for (size_t i = 0; tool->input[i].name; i++) {
        str_clear(&shown);
        size_add_number(&shown, values->value[i]);
        measure(&c, tool->input[i].name, str_text(&shown), tool->input[i].unit);
    }
    for (size_t i = 0; tool->result[i].name; i++) {
        show_result(&shown, &tool->result[i], result[i]);
        measure(&c, tool->result[i].name, str_text(&shown), unit_shown(&tool->result[i]));
    }
    printf("%s: %s\n\nInputs (* given, the others are defaults)\n", tool->name, tool->about);
    for (size_t i = 0; tool->input[i].name; i++) {
        const struct size_input *input = &tool->input[i];
        str_clear(&shown);
        size_add_number(&shown, values->value[i]);
        printf("%c", values->given[i] ? '*' : ' ');
        print_row(&c, input->name, str_text(&shown), input->unit, input->about);
    }
    puts("\nResults");
    for (size_t i = 0; tool->result[i].name; i++) {
        const struct size_result *r = &tool->result[i];
        show_result(&shown, r, result[i]);
        putchar(' ');
        print_row(&c, r->name, str_text(&shown), unit_shown(r), r->about);
        print_how(tool, values, result, i);
    }
    putchar('\n');
    print_formula(tool);
    str_free(&shown);
}

static void list_json(const struct size_tool *tool)
{
    json_t *line = json_line();
    json_t *inputs = json_line();
    json_t *results = json_line();
    for (size_t i = 0; tool->input[i].name; i++) {
        const struct size_input *in = &tool->input[i];
        json_t *input = input_json(in, in->otherwise);
        json_set(input, "low", number(in->low));
        json_set(input, "high", number(in->high));
        json_set(input, "whole", json_boolean(in->whole));
        json_set_text(input, "about", in->about);
        json_set(inputs, in->name, input);
    }
    for (size_t i = 0; tool->result[i].name; i++) {
        json_t *result = json_line();
        json_set_text(result, "unit", tool->result[i].unit);
        json_set_text(result, "about", tool->result[i].about);
        json_set_text(result, "how", tool->result[i].how);
        json_set(results, tool->result[i].name, result);
    }
    json_set_text(line, "what", tool->name);
    json_set_text(line, "about", tool->about);
    json_set(line, "inputs", inputs);
    json_set(line, "results", results);
    json_set_text(line, "formula", tool->formula);
    json_set_text(line, "source", tool->source);
    json_print(line);
}

static void list_text(const struct size_tool *tool)
{
    struct str inputs = STR_EMPTY;
    for (size_t i = 0; tool->input[i].name; i++) {
        str_addf(&inputs, "%s%s", i > 0 ? " " : "", tool->input[i].name);
    }
    struct str text = STR_EMPTY;
    prose_plain(&text, str_text(&inputs), PROSE_MEASURE, 12);
    printf("%-10s  %s\n%s", tool->name, tool->about, str_text(&text));
    str_free(&text);
    str_free(&inputs);
}

static int list_all(const struct cli *cli)
{
    for (size_t i = 0; size_at(i); i++) {
        if (cli->options.json) {
            list_json(size_at(i));
        } else {
            list_text(size_at(i));
        }
    }
    return CLI_YES;
}

static int run_size(struct cli *cli)
{
    struct err err;
    struct size_values values;
    double result[SIZE_RESULTS_MAX];
    if (cli_has(cli, "list")) {
        return cli->arguments > 0 ? cli_usage(cli, "size --list takes no argument") : list_all(cli);
    }
    const char *what = cli->arguments > 0 ? cli->argument[0] : NULL;
    const struct size_tool *tool = what ? size_by_name(what) : NULL;
    if (!tool) {
        return refuse_what(cli, what);
    }
    size_start(tool, &values);
    for (size_t i = 1; i < cli->arguments; i++) {
        if (!size_give(tool, cli->argument[i], &values, &err)) {
            return cli_fail(&err);
        }
    }
    if (!size_compute(tool, &values, result, &err)) {
        return cli_fail(&err);
    }
    if (cli->options.json) {
        print_json(tool, &values, result);
    } else {
        print_text(tool, &values, result);
    }
    return CLI_YES;
}

static const struct cli_option size_options[] = {
    {"list", NULL, "all calculators with their inputs"},
    {NULL, NULL, NULL},
};

const struct cli_command command_size = {
    .name = "size",
    .arguments = "WHAT [name=value...]",
    .about = "calculators: shards, routers, storage, a hot key, a move and more",
    .help =
        "Computes one thing from inputs, each of which has a default, and says by what formula.\n"
        "WHAT is shards, routers, storage, throughput, hotspot, salt, coalesce, tail, crosszone,\n"
        "quorum, move, tokens, buffer, resize, shardkey, ids, average, units, drives, vectors,\n"
        "skew, cardinality or capacity. Numbers are decimal (13650, 0.5, 1e9), sizes too: 1 TB is\n"
        "1,000 GB. Names that end in _pct are percentages. Under each result stands how it comes\n"
        "about, with its numbers.\n"
        "\n"
        "  hotshard size routers rate=13650 zones=3\n"
        "  hotshard size --list\n"
        "\n"
        "JSON: what; inputs, an object in which each name has value, unit and given (false: the\n"
        "default); results, an object in which each name has value, unit and how, its arithmetic "
        "in\n"
        "words. A value is a number, true or false where the unit is \"yes or no\", or null where\n"
        "there is none. With --list, one line a calculator: what, about, inputs (value is the\n"
        "default; unit, low, high, whole, about), results (unit, about, how with names for the\n"
        "numbers), formula, source.",
    .option = size_options,
    .run = run_size,
};
