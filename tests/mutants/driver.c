/*
 * driver: asks the models what a mutant of src/proto does; tests/sim/mutate.sh links it with one.
 *
 *   driver small MODEL   exits 1 when a promise is broken with every rule in the smaller world, or
 *                        in one that shows a rule apart, or when what should be finished never can
 *                        be, and says which
 *   driver large MODEL   in the larger world
 *   driver rules MODEL   a line for each rule: its name, and whether the model fails without it
 *
 * Numbers of states say nothing here: a mutant is caught by what it does wrong, not by being
 * different.
 */
#include "check/models.h"
#include "check/search.h"
#include <stdio.h>
#include <string.h>

static struct check_result search(const struct check_model *model, uint32_t rules, uint8_t size)
{
    struct check_scope scope = {.rules = rules, .size = size};
    struct check_options options = check_interactive();
    return check_search(model, &scope, &options);
}

static const char *found(const struct check_model *model, const struct check_result *r)
{
    switch (r->verdict) {
    case CHECK_HOLDS:
        return "holds";
    case CHECK_CUT:
        return "is cut";
    case CHECK_FAILS:
        break;
    }
    return r->broken > 0              ? model->broken(r->broken)
           : r->broken == CHECK_STUCK ? "it comes to a stand"
                                      : "it can never be finished";
}

static int holds(const struct check_model *model, uint8_t size)
{
    struct check_result r = search(model, CHECK_RULES_ALL, size);
    bool fails = r.verdict == CHECK_FAILS;
    printf("%s: %s\n", model->name, found(model, &r));
    check_result_free(&r);
    return fails ? 1 : 0;
}

static int holds_small(const struct check_model *model)
{
    int fails = holds(model, model->size_small);
    for (const struct check_apart *a = model->apart; a && a->rule; a++) {
        fails |= holds(model, a->size);
    }
    return fails;
}

static uint8_t size_for(const struct check_model *model, const char *rule)
{
    for (const struct check_apart *a = model->apart; a && a->rule; a++) {
        if (strcmp(a->rule, rule) == 0) {
            return a->size;
        }
    }
    return model->size_small;
}

static int rules(const struct check_model *model)
{
    for (unsigned i = 0; model->rule[i].name; i++) {
        struct check_result r = search(model, CHECK_RULES_ALL & ~(UINT32_C(1) << i),
                                       size_for(model, model->rule[i].name));
        printf("%s: %s\n", model->rule[i].name, r.verdict == CHECK_FAILS ? "fails" : "does not");
        check_result_free(&r);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct check_model *model = argc == 3 ? check_model_by_name(argv[2]) : NULL;
    if (model && strcmp(argv[1], "rules") == 0) {
        return rules(model);
    }
    if (model && strcmp(argv[1], "small") == 0) {
        return holds_small(model);
    }
    if (model && strcmp(argv[1], "large") == 0) {
        return holds(model, model->size_large);
    }
    (void)fprintf(stderr, "usage: driver small|large|rules MODEL\n");
    return 2;
}
