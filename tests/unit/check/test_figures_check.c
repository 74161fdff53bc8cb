/*
 * The rows of figures.tsv about a moving slot, coalesced reads, summed likes and a micro-cache that
 * the checker can compute: the depth of each scope, that nothing is broken with all rules, and how
 * soon something is without one. Its rows about numbers of states belong to another cut of the same
 * steps; fence_and_flip.h says how ours are cut.
 */
#include "check/fence_and_flip.h"
#include "check/micro_cache.h"
#include "check/models.h"
#include "check/preagg.h"
#include "check/search.h"
#include "figures.h"
#include "figures_by_checker.h"
#include "proto/slot.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What is counted over all states of a scope. */
static struct counted {
    uint64_t stale, inside;
    unsigned owners;
} counted;

static unsigned owners_in(const struct fence_and_flip *now)
{
    unsigned owners = 0;
    for (unsigned shard = 0; shard < 2; shard++) {
        struct slot_question q = {.state = (enum slot_state)flip_row(now, shard)};
        owners += slot_answer(RULES_ALL, &q) == OUTCOME_OK ? 1 : 0;
    }
    return owners;
}

/* In place of the model's own judgement: counts, and lets the search go on. It is asked once about
 * each state. */
static int count(const struct check_scope *scope, const void *state)
{
    struct check_scope judged = *scope;
    judged.judge = CHECK_OUTSIDE;
    counted.stale += model_fence_and_flip.check(&judged, state) != 0 ? 1 : 0;
    judged.judge = CHECK_INSIDE;
    counted.inside += model_fence_and_flip.check(&judged, state) != 0 ? 1 : 0;
    unsigned owners = owners_in(state);
    counted.owners = owners > counted.owners ? owners : counted.owners;
    return 0;
}

static uint32_t rules_without(const struct check_model *model, const char *names)
{
    uint32_t rules = CHECK_RULES_ALL;
    char name[64];
    while (names != NULL && *names != '\0') {
        size_t length = strcspn(names, " ");
        assert_in_range(length, 1, sizeof name - 1);
        memcpy(name, names, length);
        name[length] = '\0';
        uint32_t bit = 0;
        assert_true(check_rule_by_name(model, name, &bit));
        rules &= ~bit;
        names += length + strspn(names + length, " ");
    }
    return rules;
}

static struct check_result count_all(int64_t size, const char *without)
{
    struct check_model model = model_fence_and_flip;
    struct check_scope scope = {.rules = rules_without(&model, without), .size = (uint8_t)size};
    struct check_options options = check_interactive();
    model.check = count;
    counted = (struct counted){0};
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    return r;
}

/* text: the rules that are left out; a: the scope. */
static void value_bad(const struct figure *f, struct str *out)
{
    count_all(f->a, f->text);
    figures_add_int(out, (int64_t)counted.stale);
}

static void value_inside(const struct figure *f, struct str *out)
{
    count_all(f->a, f->text);
    figures_add_int(out, (int64_t)counted.inside);
}

static void value_owners(const struct figure *f, struct str *out)
{
    count_all(f->a, f->text);
    figures_add_int(out, counted.owners);
}

static void value_depth(const struct figure *f, struct str *out)
{
    figures_add_int(out, count_all(f->a, f->text).depth);
}

static void value_dead(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)count_all(f->a, f->text).dead);
}

static void add_steps(const struct check_model *model, const struct check_scope *scope,
                      struct str *out)
{
    struct check_options options = check_interactive();
    struct check_result r = check_search(model, scope, &options);
    assert_int_not_equal(r.verdict, CHECK_CUT);
    if (r.verdict == CHECK_HOLDS) {
        figures_add_word(out, "none");
    } else {
        figures_add_int(out, r.depth);
    }
    check_result_free(&r);
}

/* text: the rules that are left out; a: the scope; b: who judges. */
static void value_steps(const struct figure *f, struct str *out)
{
    struct check_scope scope = {.rules = rules_without(&model_fence_and_flip, f->text),
                                .size = (uint8_t)f->a,
                                .judge = (uint8_t)f->b};
    add_steps(&model_fence_and_flip, &scope, out);
}

/* a: the scope, see coalesce.c. */
static void value_coalesce(const struct figure *f, struct str *out)
{
    struct check_scope scope = {.rules = rules_without(&model_coalesce, f->text),
                                .size = (uint8_t)f->a};
    add_steps(&model_coalesce, &scope, out);
}

static void value_preagg(const struct figure *f, struct str *out)
{
    struct check_scope scope = {.rules = rules_without(&model_preagg, f->text),
                                .size = (uint8_t)f->a};
    add_steps(&model_preagg, &scope, out);
}

static void value_fill(const struct figure *f, struct str *out)
{
    struct check_scope scope = {.rules = rules_without(&model_micro_cache, f->text),
                                .size = (uint8_t)f->a};
    add_steps(&model_micro_cache, &scope, out);
}

#define FIGURE(...) {__VA_ARGS__},
static const struct figure rows[] = {FIGURES_BY_CHECKER(FIGURE)};

static void the_rows_agree_with_the_checker(void **state)
{
    if (SANITIZED) { /* the same searches, ten times slower */
        skip();
    }
    (void)state;
    struct figures figures;
    assert_true(figures_load(&figures));
    size_t failed = figures_check(&figures, rows, sizeof rows / sizeof rows[0]);
    printf("## figures.tsv: %zu rows by the checker\n", sizeof rows / sizeof rows[0]);
    figures_free(&figures);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_agree_with_the_checker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
