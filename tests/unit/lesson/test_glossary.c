/*
 * The glossary: its file read and judged line by line, names found, texts searched.
 */
#include "base/prng.h"
#include "helpers.h"
#include "lesson/glossary.h"

#define GOOD(term) "term: " term "\npart: 1\nsay: It is one. It is so.\nshow: slot_map\n\n"

static struct glossary *parse(const char *text)
{
    return glossary_parse(text, strlen(text), "g.txt");
}

/* The only fault, with its line. */
static void faulty(const char *text, const char *fault)
{
    struct err err = {""};
    struct glossary *g = parse(text);
    if (glossary_good(g, &err)) {
        fail_msg("nothing is wrong with: %s", text);
    }
    if (g->faults != 1) {
        for (size_t i = 0; i < g->faults; i++) {
            print_error("%d: %s\n", g->fault[i].line, g->fault[i].text);
        }
    }
    assert_int_equal(g->faults, 1);
    assert_contains(err.text, fault);
    glossary_free(g);
}

static struct glossary *good(const char *text)
{
    struct err err = {""};
    struct glossary *g = parse(text);
    if (!glossary_good(g, &err)) {
        fail_msg("%s", err.text);
    }
    return g;
}

static void an_entry_is_read(void **state)
{
    (void)state;
    struct glossary *g = good("# comment\n"
                              "term: stale map\r\n"
                              "also: old map,  late  map\n"
                              "part: 1\n"
                              "say: A copy of the map\n"
                              "  that is old. It has\n"
                              "   missed a [[Slots]] change.\n"
                              "see: slot, Hash-Slots\n"
                              "show: cache:post:{p9}\n"
                              "at: 14\n"
                              "do: deaf R5 on\n"
                              "do: wait 500\n"
                              "do: like likes:{p9}\n"
                              " \t\n\n"
                              "term: Slot\nalso: hash slot\npart: 0\nsay: One. Two.\nshow: ring\n"
                              "settings: scheme ring");
    assert_int_equal(g->count, 2);
    const struct glossary_entry *e = &g->entry[1]; /* sorted: Slot, stale map */
    assert_string_equal(g->entry[0].term, "Slot");
    assert_string_equal(e->term, "stale map");
    assert_int_equal(e->also.count, 2);
    assert_string_equal(e->also.item[1], "late  map");
    assert_int_equal(e->part, 1);
    assert_string_equal(e->say, "A copy of the map that is old. It has missed a [[Slots]] change.");
    assert_int_equal(glossary_first_sentence(e->say), strlen("A copy of the map that is old."));
    assert_string_equal(e->show, "cache:post:{p9}");
    assert_string_equal(e->at, "14");
    assert_int_equal(e->acts.count, 3);
    assert_null(e->settings);
    assert_int_equal(e->line[ENTRY_SAY], 5);
    assert_string_equal(g->entry[0].settings, "scheme ring");
    glossary_free(g);
}

static void acts_are_commands_or_time(void **state)
{
    (void)state;
    struct command c;
    int64_t us = 0;
    struct err err = {""};
    assert_true(glossary_act("wait 500", &c, &us, &err));
    assert_int_equal(us, 500000);
    assert_true(glossary_act("like likes:{p9}", &c, &us, &err));
    assert_true(us < 0);
    assert_int_equal(c.kind, COMMAND_REQUEST);
    assert_false(glossary_act("wait 0", &c, &us, &err));
    assert_false(glossary_act("wait 9999999", &c, &us, &err));
    assert_false(glossary_act("wait", &c, &us, &err));
}

static void every_fault_names_its_line(void **state)
{
    (void)state;
    faulty("", "g.txt:1: no term is in here");
    faulty("\xEF\xBB\xBF", "g.txt:1: no term is in here");
    glossary_free(good("\xEF\xBB\xBF" GOOD("a")));
    faulty(
        "term: a\nalso: b1,b2,b3,b4,b5,b6,b7,b8,b9,b10,b11,b12,b13,b14,b15,b16,b17,b18\npart: 1\n"
        "say: One. Two.\nshow: bars\n",
        "g.txt:2: also: more than 16 names");
    glossary_free(good("term: a\nalso: b1,b2,b3,b4,b5,b6,b7,b8,b9,b10,b11,b12,b13,b14,b15,b16\n"
                       "part: 1\nsay: One. Two.\nshow: bars\n"));
    faulty("# only this\n\n", "g.txt:1: no term");
    faulty("part: 1\nsay: One. Two.\nshow: bars\n", "g.txt:1: this block has no term");
    faulty("\n\nterm: a\npart: 1\nsay: One. Two.\n", "g.txt:3: \"a\" has no show");
    faulty("term: a\npart: 1\nshow: bars\n", "g.txt:1: \"a\" has no say");
    faulty("term: a\nsay: One. Two.\nshow: bars\n", "g.txt:1: \"a\" has no part");
    faulty(GOOD("a") "  goes on\n" GOOD("b"), "g.txt:6: this line goes on with nothing");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\ndo: deaf R5 on\n  off\n",
           "g.txt:6: a command is one line");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\n one blank: x\n", "g.txt:5: this is no");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\nno colon\n", "g.txt:5: this is no field");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\nsetting: x\n", "did you mean settings?");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\nzzz: x\n", "fields are term, also");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\npart: 2\n",
           "g.txt:5: part is there already, in line 2");
    faulty("term: a\nalso:\npart: 1\nsay: One. Two.\nshow: bars\n", "g.txt:2: also is empty");
    faulty("term: a\nalso: b,,c\npart: 1\nsay: One. Two.\nshow: bars\n",
           "g.txt:2: also: a name is");
    faulty("term: a\npart: one\nsay: One. Two.\nshow: bars\n", "g.txt:2: ");
    faulty("term: a\npart: 1\nsay: O\xFFne. Two.\nshow: bars\nsay: One. Two.\n",
           "g.txt:3: this line");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\nsee: b\x1b[2J\n", "g.txt:5: this line");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\nat: 99\n", "g.txt:5: at: ");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\nat: 4a\n", "tried on a copy");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: bars\ndo: daef R5 on\n", "g.txt:5: do: \"daef");
    faulty("term: a\npart: 1\nsay: One. Two.\nshow: ring\nat: 4\nsettings: x\n",
           "g.txt:6: settings are instead of at and do");
}

static void names_and_texts_are_judged(void **state)
{
    (void)state;
    faulty(GOOD("slot") GOOD("Slot"), "g.txt:6: \"Slot\" is a name of \"slot\" already, in line 1");
    faulty(GOOD("hash slot") "term: a\nalso: Hash-Slot\npart: 1\nsay: One. Two.\nshow: bars\n",
           "g.txt:7: \"Hash-Slot\" is a name of \"hash slot\" already");
    faulty("term: !!\npart: 1\nsay: One. Two.\nshow: bars\n", "g.txt:1: \"!!\" is no name");
    faulty("term: a b c d e f g h i\npart: 1\nsay: One. Two.\nshow: bars\n", "1 to 8 words");
    faulty("term: [[a]]\npart: 1\nsay: One. Two.\nshow: bars\n", "signs of markup");
    faulty("term: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee\npart: 1\nsay: One. Two.\n"
           "show: bars\n",
           "too long for a list");
    faulty(GOOD("slot") "term: a\npart: 1\nsay: One. Two.\nsee: slto\nshow: bars\n",
           "g.txt:9: see: no entry is called \"slto\", did you mean \"slot\"?");
    faulty("term: a\npart: 1\nsay: One. Two.\nsee: A\nshow: bars\n", "this very entry");
    faulty("term: a\npart: 1\nsay: Only one, e.g. this.\nshow: bars\n", "g.txt:3: say has 1 sent");
    faulty("term: a\npart: 1\nsay: One. Two. Three.\nshow: bars\n", "say has 3 sentences");
    faulty("term: a\npart: 1\nsay: One. Two\nshow: bars\n", "say has 1 sentences");
    faulty("term: a\npart: 1\nsay: One. Two. And\nshow: bars\n", "each with its end");
    faulty("term: a\npart: 1\nsay: A [[b]]. Two.\nshow: bars\n", "[[b]] is not in the glossary");
    faulty("term: a\npart: 1\nsay: A [[b. Two.\nshow: bars\n", "[[ without ]]");
    faulty("term: a\npart: 1\nsay: \xE4\xB8\xAD one. Two.\nshow: bars\n", "U+4E2D");
    glossary_free(good("term: a\npart: 1\nsay: `S2. X` e.g. one 1.5 (one). *Two.*\nshow: bars\n"));
    struct str longer = STR_EMPTY;
    str_add(&longer, "term: a\npart: 1\nsay: One. ");
    str_pad(&longer, 'T', 270);
    str_add(&longer, ".\nshow: bars\n");
    faulty(str_text(&longer), "say has 276 characters; at most 270");
    str_free(&longer);
}

/* Reading goes on behind a fault. */
static void all_faults_are_told_in_order(void **state)
{
    (void)state;
    struct glossary *g = parse("term: a\nsay: One.\n\nbad line\nterm: b\npart: x\nsay: One. Two.\n"
                               "show: bars\nsee: c\n");
    assert_int_equal(g->count, 2);
    assert_true(g->faults >= 5);
    for (size_t i = 1; i < g->faults; i++) {
        assert_true(g->fault[i - 1].line <= g->fault[i].line);
    }
    assert_int_equal(glossary_find(g, "B"), 1);
    glossary_free(g);
}

static struct glossary *terms(void)
{
    return good(
        GOOD("slot") GOOD("shard") GOOD("hot key") GOOD("key") GOOD("MOVED") GOOD("micro-cache")
            GOOD("copy") GOOD("stale map")
                GOOD("tag") "term: single-flight\nalso: coalescing, request collapsing\npart: 4\n"
                            "say: One. Two.\nshow: bars\n");
}

static void finds(const struct glossary *g, const char *name, const char *term)
{
    size_t found = glossary_find(g, name);
    if (found == GLOSSARY_NONE) {
        assert_null(term);
    } else {
        assert_non_null(term);
        assert_string_equal(g->entry[found].term, term);
    }
}

static void a_term_is_found_by_any_name(void **state)
{
    (void)state;
    struct glossary *g = terms();
    finds(g, "slot", "slot");
    finds(g, "SLOTS", "slot");
    finds(g, "  Hot \n  keys ", "hot key");
    finds(g, "hot-key", "hot key");
    finds(g, "micro caches", "micro-cache");
    finds(g, "copies", "copy");
    finds(g, "moved", "MOVED");
    finds(g, "Request-Collapsing", "single-flight");
    finds(g, "slo", NULL);
    finds(g, "slotses", NULL);
    finds(g, "hotkey", NULL);
    finds(g, "", NULL);
    finds(g, "a b c d e f g h i j k l", NULL);
    assert_string_equal(glossary_near(g, "Coalesing"), "coalescing");
    assert_null(glossary_near(g, "zzzzzz"));
    assert_true(glossary_matches(&g->entry[glossary_find(g, "single flight")], "COLL"));
    assert_false(glossary_matches(&g->entry[glossary_find(g, "slot")], "coll"));
    glossary_free(g);
}

/* The terms of a text as "a, b". */
static void in_text(const char *text, const char *wanted)
{
    struct glossary *g = terms();
    size_t found[8], count = glossary_in_text(g, text, found, 8);
    struct str out = STR_EMPTY;
    for (size_t i = 0; i < count; i++) {
        str_addf(&out, "%s%s", i > 0 ? ", " : "", g->entry[found[i]].term);
    }
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
    glossary_free(g);
}

static void terms_of_a_text(void **state)
{
    (void)state;
    in_text("", "");
    in_text("A shard owns slots; the Shards' slots.", "shard, slot");
    in_text("The hot key is a key.", "hot key, key");    /* the longest first */
    in_text("It is hot. Key by key.", "key");            /* no name across a full stop */
    in_text("One *hot* key, two hot\nkeys", "hot key");  /* markup and line ends join */
    in_text("keyed monkeys slotted S2shard", "");        /* whole words */
    in_text("`slot` and `the hot key` of a tag", "tag"); /* never in backticks */
    in_text("[[Slots]] `[[key]]` [[request collapsing]] [[nothing]]", "slot, single-flight");
    in_text("1,000 keys moved; S2 answers MOVED.", "key, MOVED");
    in_text("[[moved]]", "MOVED"); /* marked, it is meant */
    in_text("an open `mark: slot", "slot");
    in_text("an open [[mark: slot", "slot");
    in_text("copies, copy, single flights", "copy, single-flight");
    in_text("slot shard hot key key MOVED micro-cache copy stale map tag",
            "slot, shard, hot key, key, MOVED, micro-cache, copy, stale map"); /* as many as fit */
}

static bool only_bars(void *context, const struct glossary_entry *entry, struct err *err)
{
    (*(int *)context)++;
    return strcmp(entry->show, "bars") == 0 || err_set(err, "no picture %s", entry->show);
}

static void pictures_are_judged_by_who_knows_them(void **state)
{
    (void)state;
    int asked = 0;
    struct glossary *g = terms();
    glossary_judge_pictures(g, &(struct glossary_judge){only_bars, &asked});
    assert_int_equal(asked, 10);
    assert_int_equal(g->faults, 9);
    assert_int_equal(g->fault[0].line, 4);
    assert_string_equal(g->fault[0].text, "no picture slot_map");
    glossary_free(g);
}

/* Any bytes: it ends, and what is wrong has a line. */
static void random_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char *const piece[] = {
        "term: a", "\n",         "\n\n",       "  ",    "say: A. B.",  "[[",      "]]",
        "`",       "also: a, b", ",",          ":",     "part: 1",     "show: x", "see: a",
        "\0",      "\xFF",       "do: wait 1", "at: 4", "settings: y", "#",       "term:"};
    struct prng random = prng_seeded(7, "glossary");
    for (int round = 0; round < 3000; round++) {
        struct str text = STR_EMPTY;
        for (uint64_t i = prng_below(&random, 40); i > 0; i--) {
            const char *p = piece[prng_below(&random, sizeof piece / sizeof piece[0])];
            str_addn(&text, p, *p == '\0' ? 1 : strlen(p));
        }
        struct glossary *g = glossary_parse(str_text(&text), text.length, "r");
        size_t found[4];
        glossary_in_text(g, str_text(&text), found, 4);
        for (size_t i = 0; i < g->faults; i++) {
            assert_true(g->fault[i].line > 0);
        }
        glossary_free(g);
        str_free(&text);
    }
}

static void files_are_read(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    assert_null(glossary_load("/nowhere/glossary.txt", &err));
    assert_contains(err.text, "/nowhere/glossary.txt");
    write_file(&path, *state, "g.txt", GOOD("slot"));
    struct glossary *g = glossary_load(path.text, &err);
    assert_non_null(g);
    assert_true(glossary_good(g, &err));
    glossary_free(g);
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_is_read),
        cmocka_unit_test(acts_are_commands_or_time),
        cmocka_unit_test(every_fault_names_its_line),
        cmocka_unit_test(names_and_texts_are_judged),
        cmocka_unit_test(all_faults_are_told_in_order),
        cmocka_unit_test(a_term_is_found_by_any_name),
        cmocka_unit_test(terms_of_a_text),
        cmocka_unit_test(pictures_are_judged_by_who_knows_them),
        cmocka_unit_test(random_bytes_do_no_harm),
        cmocka_unit_test_setup_teardown(files_are_read, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
