/*
 * How results of the calculators come about: their arithmetic, read and computed here, comes to
 * the result.
 */
#include "tools/size.h"
#include "tools/size_inside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reader {
    const char *at;
    bool odd; /* something is no arithmetic */
};

static double read_sum(struct reader *r);

static bool takes(struct reader *r, const char *word)
{
    const char *at = r->at + strspn(r->at, " ");
    if (strncmp(at, word, strlen(word)) != 0) {
        return false;
    }
    r->at = at + strlen(word);
    return true;
}

static double read_bare_number(struct reader *r)
{
    char *end;
    char digits[64];
    size_t length = 0;
    const char *at = r->at + strspn(r->at, " ");
    for (; *at != '\0' && strchr("0123456789.,e+-", *at) && length + 1 < sizeof digits; at++) {
        bool sign = *at == '+' || *at == '-';
        bool grouped = *at == ',' && at[1] >= '0' && at[1] <= '9';
        if ((sign && (length == 0 || digits[length - 1] != 'e') && length > 0) ||
            (*at == ',' && !grouped)) {
            break;
        }
        if (*at != ',') {
            digits[length++] = *at;
        }
    }
    digits[length] = '\0';
    double value = strtod(digits, &end);
    r->odd = r->odd || length == 0 || *end != '\0';
    r->at = at;
    return value;
}

/* ", rounded up", ", at least 1" ... */
static double read_ends(struct reader *r, double value)
{
    for (;;) {
        if (takes(r, ", rounded up")) {
            value = size_ceil(value, 1);
        } else if (takes(r, ", rounded down")) {
            value = size_floor(value, 1);
        } else if (takes(r, ", at least ")) {
            value = fmax(value, read_bare_number(r));
        } else {
            return value;
        }
    }
}

static double read_whole(struct reader *r)
{
    return read_ends(r, read_sum(r));
}

static double read_part(struct reader *r)
{
    if (takes(r, "the larger of ")) {
        double a = read_sum(r);
        r->odd = r->odd || !takes(r, "and ");
        return fmax(a, read_sum(r));
    }
    if (takes(r, "the smaller of ")) {
        double a = read_sum(r);
        r->odd = r->odd || !takes(r, "and ");
        return fmin(a, read_sum(r));
    }
    bool root = takes(r, "the square root of");
    bool logarithm = !root && takes(r, "ln");
    double value = 0;
    if (takes(r, "(")) {
        value = read_whole(r);
        r->odd = r->odd || !takes(r, ")");
    } else {
        r->odd = r->odd || root || logarithm;
        value = read_bare_number(r);
    }
    value = root ? sqrt(value) : logarithm ? log(value) : value;
    return takes(r, "^") ? pow(value, read_bare_number(r)) : value;
}

static double read_product(struct reader *r)
{
    double value = read_part(r);
    while (!r->odd) {
        if (takes(r, "x ")) {
            value *= read_part(r);
        } else if (takes(r, "/ ")) {
            value /= read_part(r);
        } else {
            break;
        }
    }
    return value;
}

static double read_sum(struct reader *r)
{
    double value = read_product(r);
    while (!r->odd) {
        if (takes(r, "+ ")) {
            value += read_product(r);
        } else if (takes(r, "- ")) {
            value -= read_product(r);
        } else {
            break;
        }
    }
    return value;
}

/* The value of an arithmetic; false when it is told in other words. What follows a ';' is a
 * remark. */
static bool compute_how(const char *text, double *value)
{
    struct reader r = {text, false};
    double left = read_whole(&r);
    if (takes(&r, "<=")) {
        left = left <= read_whole(&r) * (1 + 1e-12);
    } else if (takes(&r, ">=")) {
        left = left >= read_whole(&r) * (1 - 1e-12);
    } else if (takes(&r, ">")) {
        left = left > read_whole(&r);
    }
    *value = left;
    return !r.odd && (*r.at == '\0' || *r.at == ';');
}

/* The arithmetic with every digit of its numbers, as no person would want them. */
static void add_exact_how(struct str *out, const struct size_tool *tool,
                          const struct size_values *values, const double *result, size_t index)
{
    for (const char *at = tool->result[index].how; *at != '\0'; at++) {
        if (*at != '{') {
            str_addc(out, *at);
            continue;
        }
        size_t length = strcspn(at, "}") - 1;
        double value = NAN;
        for (size_t i = 0; i < size_inputs(tool); i++) {
            bool same = strlen(tool->input[i].name) == length &&
                        memcmp(tool->input[i].name, at + 1, length) == 0;
            value = same ? values->value[i] : value;
        }
        for (size_t i = 0; i < size_results(tool); i++) { /* of two alike the result is meant */
            bool same = strlen(tool->result[i].name) == length &&
                        memcmp(tool->result[i].name, at + 1, length) == 0;
            value = same ? result[i] : value;
        }
        str_addf(out, "%.17g", value);
        at += length + 1;
    }
}

/* Those that no arithmetic of a line tells. */
static bool is_in_words(const char *tool, const char *result)
{
    static const char *const words[][2] = {
        {"hotspot", "top_share_pct"}, {"salt", "blind_chance"},   {"salt", "fullest_blind"},
        {"coalesce", "window_ms"},    {"tail", "median_ms"},      {"tail", "p99_ms"},
        {"move", "retry_wait_ms"},    {"tokens", "largest_one"},  {"buffer", "chance_late"},
        {"buffer", "chance_any"},     {"resize", "mod_moved_pct"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(tool, words[i][0]) == 0 && strcmp(result, words[i][1]) == 0) {
            return true;
        }
    }
    return false;
}

/* At the defaults, and with each input halved or doubled where it may be. */
static void the_arithmetic_comes_to_the_result(void **state)
{
    (void)state;
    for (size_t t = 0; size_at(t); t++) {
        const struct size_tool *tool = size_at(t);
        for (size_t change = 0; change < 1 + 2 * size_inputs(tool); change++) {
            struct size_values values;
            double result[SIZE_RESULTS_MAX];
            struct err err = {.text = ""};
            size_start(tool, &values);
            const struct size_input *in = &tool->input[change / 2];
            double to = change == 0 ? 0 : in->otherwise * (change % 2 ? 2 : 0.5);
            if (change > 0 && change / 2 < size_inputs(tool) && to >= in->low && to <= in->high) {
                values.value[change / 2] = in->whole ? floor(to) : to;
            }
            if (!size_compute(tool, &values, result, &err)) {
                continue;
            }
            for (size_t i = 0; i < size_results(tool); i++) {
                struct str how = STR_EMPTY;
                double computed = 0;
                add_exact_how(&how, tool, &values, result, i);
                bool plain = compute_how(str_text(&how), &computed);
                if (plain == is_in_words(tool->name, tool->result[i].name) ||
                    (plain && !isnan(result[i]) &&
                     !(fabs(computed - result[i]) <= 1e-9 * fabs(result[i])))) {
                    print_error("%s %s: %s = %.12g, not %.12g\n", tool->name, tool->result[i].name,
                                str_text(&how), computed, result[i]);
                    fail();
                }
                str_free(&how);
            }
        }
    }
}

static void the_arithmetic_reads_well(void **state)
{
    (void)state;
    struct size_values values;
    double result[SIZE_RESULTS_MAX];
    struct err err = {.text = ""};
    struct str how = STR_EMPTY;
    const struct size_tool *tool = size_by_name("capacity");
    size_start(tool, &values);
    assert_true(size_give(tool, "users=1e9", &values, &err));
    assert_true(size_compute(tool, &values, result, &err));
    for (size_t i = 0; i < size_results(tool); i++) {
        if (strcmp(tool->result[i].name, "viral_master") == 0) {
            size_add_how(&how, tool, &values, result, i);
        }
    }
    assert_string_equal(str_text(&how), "100,000 + (2,200,000 - 100,000) / 137");
    str_free(&how);
    /* with an input and a result of one name the result is meant */
    tool = size_by_name("storage");
    size_start(tool, &values);
    assert_true(size_compute(tool, &values, result, &err));
    size_add_how(&how, tool, &values, result, 5);
    assert_string_equal(str_text(&how), "6 x 1,000 / 6");
    str_free(&how);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arithmetic_comes_to_the_result),
        cmocka_unit_test(the_arithmetic_reads_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
