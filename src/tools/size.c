/*
 * size: the list of calculators, reading of inputs, and numbers as text. See size.h.
 */
#include "tools/size.h"
#include "base/check.h"
#include "base/num.h"
#include "tools/size_inside.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD_COLUMNS 40 /* of what somebody typed, in an error */
#define NUMBER_LENGTH_MAX 40
#define NUMBER_LEAST 1e-6     /* but 0: so no ratio grows beyond a double */
#define WHOLE_MAX 1e15        /* beyond it a number is told by its power of ten */
#define ROUNDING 1e-9         /* relative; a ratio this near a whole number is meant to be it */
#define HARMONIC_TERMS 1000.0 /* added one by one; the rest by its integral */

static const struct size_tool *const tools[] = {
    &size_shards,   &size_routers, &size_storage,   &size_throughput,  &size_hotspot,  &size_salt,
    &size_coalesce, &size_tail,    &size_crosszone, &size_quorum,      &size_move,     &size_tokens,
    &size_buffer,   &size_resize,  &size_shardkey,  &size_ids,         &size_average,  &size_units,
    &size_drives,   &size_vectors, &size_skew,      &size_cardinality, &size_capacity,
};

const struct size_tool *size_at(size_t index)
{
    return index < sizeof tools / sizeof tools[0] ? tools[index] : NULL;
}

const struct size_tool *size_by_name(const char *name)
{
    for (size_t i = 0; size_at(i); i++) {
        if (strcmp(size_at(i)->name, name) == 0) {
            return size_at(i);
        }
    }
    return NULL;
}

size_t size_inputs(const struct size_tool *tool)
{
    size_t count = 0;
    while (tool->input[count].name) {
        count++;
    }
    return count;
}

size_t size_results(const struct size_tool *tool)
{
    size_t count = 0;
    while (tool->result[count].name) {
        count++;
    }
    return count;
}

void size_start(const struct size_tool *tool, struct size_values *values)
{
    *values = (struct size_values){{0}, {false}};
    for (size_t i = 0; tool->input[i].name; i++) {
        values->value[i] = tool->input[i].otherwise;
    }
}

static bool refuse_name(const struct size_tool *tool, struct bytes name, struct err *err)
{
    struct str list = STR_EMPTY;
    for (size_t i = 0; tool->input[i].name; i++) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", tool->input[i].name);
    }
    struct str word = STR_EMPTY;
    str_addn(&word, name.at, name.length);
    err_set(err, "%s knows no input \"%s\"; it takes %s", tool->name,
            err_word(str_text(&word), WORD_COLUMNS).text, str_text(&list));
    str_free(&word);
    str_free(&list);
    return false;
}

/* Decimal digits with at most a sign, a point and an exponent; "inf" and "0x10" are no numbers. */
static bool read_number(const char *text, double *value)
{
    size_t length = strlen(text);
    if (length == 0 || length > NUMBER_LENGTH_MAX || strspn(text, "0123456789.eE+-") != length) {
        return false;
    }
    char *end;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static bool refuse_range(const struct size_input *input, const char *text, struct err *err)
{
    struct str low = STR_EMPTY;
    struct str high = STR_EMPTY;
    size_add_number(&low, input->low);
    size_add_number(&high, input->high);
    err_set(err, "%s=%s is out of range; give %s from %s to %s%s%s", input->name,
            err_word(text, WORD_COLUMNS).text, input->whole ? "a whole number" : "a number",
            str_text(&low), str_text(&high), *input->unit ? " " : "", input->unit);
    str_free(&low);
    str_free(&high);
    return false;
}

bool size_give(const struct size_tool *tool, const char *word, struct size_values *values,
               struct err *err)
{
    const char *equals = strchr(word, '=');
    if (!equals) {
        return err_set(err, "\"%s\" is not name=value; give inputs like %s=%g",
                       err_word(word, WORD_COLUMNS).text, tool->input[0].name,
                       tool->input[0].otherwise);
    }
    struct bytes name = {.at = word, .length = (size_t)(equals - word)};
    size_t i = 0;
    while (tool->input[i].name && !bytes_equal(bytes_of(tool->input[i].name), name)) {
        i++;
    }
    const struct size_input *input = &tool->input[i];
    if (!input->name) {
        return refuse_name(tool, name, err);
    }
    if (values->given[i]) {
        return err_set(err, "%s is given twice; give it once", input->name);
    }
    const char *text = equals + 1;
    double value = 0;
    if (!read_number(text, &value)) {
        return err_set(err, "%s=%s is not a number; write it like 13650, 0.5 or 1e9", input->name,
                       err_word(text, WORD_COLUMNS).text);
    }
    if (value != 0 && fabs(value) < NUMBER_LEAST) {
        return err_set(err, "%s=%s is too near to 0; give 0 or at least 0.000001", input->name,
                       err_word(text, WORD_COLUMNS).text);
    }
    if (!(value >= input->low && value <= input->high) || (input->whole && value != floor(value))) {
        return refuse_range(input, text, err);
    }
    values->value[i] = value == 0 ? 0 : value; /* -0 would print its sign */
    values->given[i] = true;
    return true;
}

bool size_compute(const struct size_tool *tool, const struct size_values *values,
                  double result[SIZE_RESULTS_MAX], struct err *err)
{
    if (!tool->compute(values->value, result, err)) {
        return false;
    }
    for (size_t i = 0; tool->result[i].name; i++) {
        CHECK(!isinf(result[i])); /* ranges keep every result far from the largest double */
    }
    return true;
}

/* The value called `name`, of two the result; false when there is none. */
static bool value_of(const struct size_tool *tool, const struct size_values *values,
                     const double *result, struct bytes name, double *value)
{
    for (size_t i = 0; tool->result[i].name; i++) {
        if (bytes_equal(bytes_of(tool->result[i].name), name)) {
            *value = result[i];
            return true;
        }
    }
    for (size_t i = 0; tool->input[i].name; i++) {
        if (bytes_equal(bytes_of(tool->input[i].name), name)) {
            *value = values->value[i];
            return true;
        }
    }
    return false;
}

void size_add_how(struct str *out, const struct size_tool *tool, const struct size_values *values,
                  const double result[SIZE_RESULTS_MAX], size_t index)
{
    for (const char *at = tool->result[index].how; *at != '\0';) {
        size_t plain = strcspn(at, "{");
        str_addn(out, at, plain);
        at += plain;
        if (*at == '{') {
            size_t length = strcspn(at, "}");
            double value = NAN;
            struct bytes name = {.at = at + 1, .length = length - 1};
            CHECK(value_of(tool, values, result, name, &value)); /* else the constant is wrong */
            size_add_number(out, value);
            at += length + 1;
        }
    }
}

void size_add_number(struct str *out, double value)
{
    double size = fabs(value);
    if (isnan(value)) {
        str_add(out, "none");
    } else if (size >= WHOLE_MAX || (size < 0.001 && size > 0)) {
        str_addf(out, "%.4g", value);
    } else {
        int decimals = size >= 1000 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
        int64_t unit = 1;
        for (int i = 0; i < decimals; i++) {
            unit *= 10;
        }
        int64_t scaled = llround(size * (double)unit);
        str_addf(out, "%s%s", value < 0 ? "-" : "", num_grouped(scaled / unit).text);
        int64_t rest = scaled % unit;
        if (rest > 0) {
            for (; rest % 10 == 0; rest /= 10) {
                decimals--;
            }
            str_addf(out, ".%0*lld", decimals, (long long)rest);
        }
    }
}

static double to_whole(double ratio, double outward)
{
    double nearest = round(ratio);
    return fabs(ratio - nearest) <= ROUNDING * fabs(nearest) ? nearest : outward;
}

double size_ceil(double part, double whole)
{
    return to_whole(part / whole, ceil(part / whole));
}

double size_floor(double part, double whole)
{
    return to_whole(part / whole, floor(part / whole));
}

/* Euler and Maclaurin's sum: terms, then the integral of the rest with its first corrections. */
double size_harmonic(double n, double s)
{
    double sum = 0;
    double from = n < HARMONIC_TERMS ? n + 1 : HARMONIC_TERMS;
    for (double k = 1; k < from; k++) {
        sum += pow(k, -s);
    }
    if (n < HARMONIC_TERMS) {
        return sum;
    }
    double first = pow(from, -s);
    double last = pow(n, -s);
    double reach = log(n / from);
    double integral = s == 1 ? reach : from * first * expm1((1 - s) * reach) / (1 - s);
    return sum + integral + (first + last) / 2 + s * (first / from - last / n) / 12;
}
