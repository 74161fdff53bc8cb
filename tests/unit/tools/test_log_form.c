/*
 * What log_form promises: the form is found from the first lines, each form's requests come out
 * with keys, use and time, and what is no client's request is counted apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "tools/log_form.h"
#include <stdio.h>
#include <string.h>

#define LINES_MAX 64

/* A log in memory: its lines, and all that came out of them. */
struct log {
    struct log_reader *reader;
    struct bytes line[LINES_MAX];
    size_t lines;
    bool good;
    struct err err;
    struct str said; /* "r a b; w c; ..." */
    int64_t last_at;
};

static void say_request(struct log *log, const struct log_request *request)
{
    str_add(&log->said, log->said.length > 0 ? "; " : "");
    str_add(&log->said, request->use == LOG_READ ? "r" : request->use == LOG_WRITE ? "w" : "e");
    for (size_t i = 0; i < request->keys; i++) {
        str_addc(&log->said, ' ');
        str_addn(&log->said, request->key[i].at, request->key[i].length);
    }
    log->last_at = request->at_us;
}

static struct log read_log(enum log_form form, const char *text, size_t length)
{
    struct log log = {.reader = log_reader_new(form), .said = STR_EMPTY};
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end != NULL ? (size_t)(end - text) - at : length - at;
        assert_true(log.lines < LINES_MAX);
        log.line[log.lines++] = (struct bytes){text + at, size};
        at += size + 1;
    }
    size_t first = log.lines < LOG_FIRST_LINES ? log.lines : LOG_FIRST_LINES;
    log.good = log_reader_begin(log.reader, log.line, first, &log.err);
    for (size_t i = 0; log.good && i < log.lines; i++) {
        struct log_request request;
        if (log_reader_take(log.reader, log.line[i], &request)) {
            say_request(&log, &request);
        }
    }
    return log;
}

static void done(struct log *log)
{
    log_reader_free(log->reader);
    str_free(&log->said);
}

static void reads(enum log_form form, const char *text, enum log_form as, const char *said)
{
    struct log log = read_log(form, text, strlen(text));
    assert_true(log.good);
    assert_int_equal(log_reader_form(log.reader), as);
    assert_true(*log_reader_why(log.reader) != '\0');
    assert_string_equal(str_text(&log.said), said);
    done(&log);
}

static void refuses(enum log_form form, const char *text, size_t length, const char *why)
{
    struct log log = read_log(form, text, length);
    assert_false(log.good);
    if (strstr(log.err.text, why) == NULL) {
        fail_msg("said: %s", log.err.text);
    }
    done(&log);
}

static const char monitor_text[] =
    "OK\n"
    "1700000000.000100 [0 127.0.0.1:51000] \"SET\" \"post:{p9}\" \"he\\\"llo \\\\ "
    "\\xc3\\xa9\\nx\"\n"
    "1700000000.001200 [0 127.0.0.1:51001] \"hello\" \"3\"\n"
    "1700000000.002500 [0 127.0.0.1:51001] \"eval\" \"return redis.call('get',KEYS[1])\" \"1\" "
    "\"post:{p3}\"\n"
    "1700000000.002600 [0 lua] \"get\" \"post:{p3}\"\n"
    "1700000000.003000 [0 unix:/run/my redis].sock] \"GET\" \"post:{p1}\"\n"
    "1700000000.004000 [15 [::1]:51003] \"mget\" \"a{p9}\" \"b{p9}\"\n"
    "1700000000.005000 [0 127.0.0.1:51004] \"MIGRATE\" \"127.0.0.1\" \"7105\" \"\" \"0\" \"1000\" "
    "\"KEYS\" \"post:{p9}\"\n"
    "1700000000.005100 [0 127.0.0.1:51005] \"RESTORE-ASKING\" \"post:{p9}\" \"0\" \"\\x00\\x04\"\n"
    "1700000000.006000 [0 127.0.0.1:51006] \"multi\"\n"
    "1700000000.006050 [0 127.0.0.1:51006] \"json.get\" \"doc\" \"$\"\n"
    "1700000000.006060 [0 127.0.0.1:51006] \"JSON.GET\" \"doc\" \"$\"\n"
    "1700000000.006100 [0 127.0.0.1:51006] \"get\" \"post:{p9}\"\n"
    "1700000000.0062";

static void test_monitor_output_gives_the_clients_keys_alone(void **state)
{
    (void)state;
    struct log log = read_log(LOG_AUTO, monitor_text, strlen(monitor_text));
    const struct log_counts *c = log_reader_counts(log.reader);
    assert_true(log.good);
    assert_int_equal(log_reader_form(log.reader), LOG_MONITOR);
    assert_true(log_reader_knows_use(log.reader));
    assert_string_equal(str_text(&log.said),
                        "w post:{p9}; e post:{p3}; r post:{p1}; r a{p9} b{p9}; r post:{p9}");
    assert_true(log.last_at == INT64_C(1700000000006100));
    assert_int_equal(c->lines, 14);
    assert_int_equal(c->requests, 5);
    assert_int_equal(c->keyless, 2);
    assert_int_equal(c->scripts, 1);
    assert_int_equal(c->cluster, 2);
    assert_int_equal(c->unknown, 2);
    assert_string_equal(c->unknown_name[0].name, "json.get");
    assert_string_equal(c->unknown_name[1].name, "JSON.GET");
    assert_int_equal(c->other_db, 1);
    assert_int_equal(c->odd, 1); /* the torn last line */
    assert_int_equal(c->first_odd, 14);
    done(&log);
}

static void test_keys_in_monitor_output_are_unescaped(void **state)
{
    (void)state;
    static const char text[] = "1.5 [0 h:1] \"get\" \"a\\x00\\xffb\\n\\r\\t\\a\\b\\\"\\\\c\"\n";
    struct log log = read_log(LOG_MONITOR, text, sizeof text - 1);
    static const char want[] = "r a\0\xff"
                               "b\n\r\t\a\b\"\\c";
    assert_int_equal(log.said.length, sizeof want - 1);
    assert_memory_equal(log.said.text, want, sizeof want - 1);
    assert_true(log.last_at == 1500000);
    done(&log);
}

static void test_lines_that_are_no_monitor_lines_are_counted_apart(void **state)
{
    (void)state;
    static const char text[] = "1.5 [0 h:1] \"get\" \"a\"\n"
                               "\n"
                               "1.5 [0 h:1] \"get\" \"a\n"
                               "1.5 [0 h:1] \"get\" \"a\\\n"
                               "1.5 [0 h:1] \"get\" \"a\\q\"\n"
                               "1.5 [0 h:1] \"get\" \"a\\xg0\"\n"
                               "1.5 [0 h:1] \"get\"  \"a\"\n"
                               "1.5 [0 h:1] \"get\" \"a\" \n"
                               "1.5 [0 h:1] get a\n"
                               "1.5 [x h:1] \"get\" \"a\"\n"
                               "1.5 [0] \"get\" \"a\"\n"
                               "1.5 0 h:1 \"get\" \"a\"\n"
                               "x.5 [0 h:1] \"get\" \"a\"\n";
    struct log log = read_log(LOG_AUTO, text, sizeof text - 1);
    assert_string_equal(str_text(&log.said), "r a");
    assert_int_equal(log_reader_counts(log.reader)->odd, 12);
    assert_int_equal(log_reader_counts(log.reader)->first_odd, 2);
    done(&log);
}

/* Each command's keys, as a server names them with COMMAND GETKEYS. */
static void test_keys_are_found_among_the_arguments(void **state)
{
    (void)state;
    static const char *const command[][2] = {
        {"MSET a 1 b 2", "w a b"},
        {"ZUNIONSTORE d 2 x y", "w d x y"},
        {"ZINTER 2 x y WITHSCORES", "r x y"},
        {"SORT l BY STORE STORE dst", "e l dst"},
        {"SORT_RO l BY w", "r l"},
        {"GEORADIUS g 1 1 1 km STORE gd", "e g gd"},
        {"XREAD COUNT 1 STREAMS s1 s2 0 0", "r s1 s2"},
        {"XREADGROUP GROUP g c STREAMS s1 >", "w s1"},
        {"BLPOP q1 q2 0.01", "w q1 q2"},
        {"EVAL script 2 e1 e2 arg", "e e1 e2"},
        {"EVAL script 0 arg", ""},
        {"FCALL_RO f 1 k", "r k"},
        {"LMPOP 2 l1 l2 LEFT", "w l1 l2"},
        {"BLMPOP 0 1 l1 LEFT", "w l1"},
        {"BITOP AND bd b1 b2", "w bd b1 b2"},
        {"OBJECT ENCODING a", "r a"},
        {"XGROUP CREATE sx g $", "w sx"},
        {"COPY a c", "w a c"},
        {"DEL a b c", "w a b c"},
        {"SINTERCARD 2 a b", "r a b"},
        {"PUBLISH channel message", ""},
        /* a server would refuse these */
        {"GET", ""},
        {"EVAL script", ""},
        {"EVAL script 3 a b", ""},
        {"EVAL script 99999999999999999999 a", ""},
        {"EVAL script -1 a", ""},
        {"ZUNIONSTORE d 5 x", ""},
        {"SMOVE a", ""},
        {"XREAD STREAMS", ""},
        {"BLPOP q", ""},
        {"SORT", ""},
    };
    for (size_t i = 0; i < sizeof command / sizeof command[0]; i++) {
        struct str line = STR_EMPTY;
        str_add(&line, "1.5 [0 h:1] \"");
        for (const char *c = command[i][0]; *c != '\0'; c++) {
            str_add(&line, *c == ' ' ? "\" \"" : (char[]){*c, '\0'});
        }
        str_add(&line, "\"\n");
        reads(LOG_MONITOR, str_text(&line), LOG_MONITOR, command[i][1]);
        str_free(&line);
    }
}

static void test_the_table_of_commands_is_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; log_command_at(i) != NULL; i++) {
        const struct log_command *c = log_command_at(i);
        assert_true(i == 0 || strcmp(log_command_at(i - 1)->name, c->name) < 0);
        assert_ptr_equal(log_command_find(bytes_of(c->name)), c);
        assert_true(c->keys != LOG_KEYS_RANGE || (c->first > 0 && c->step > 0));
    }
    assert_ptr_equal(log_command_find(bytes_of("GET")), log_command_find(bytes_of("get")));
    assert_null(log_command_find(bytes_of("")));
    assert_null(log_command_find(bytes_of("get ")));
    assert_null(log_command_find(bytes_of("ge")));
    assert_null(log_command_find((struct bytes){"get\0", 4}));
}

static void test_columns_are_found_by_their_names(void **state)
{
    (void)state;
    reads(LOG_AUTO, "time,op,key\n1,GET,a\n2,set,b\n3,frobnicate,c\n", LOG_CSV, "r a; w b; e c");
    reads(LOG_AUTO, "Key;size\na,b;1\n", LOG_CSV, "e a,b");
    reads(LOG_AUTO, "n\tkey\r\n1\ta b\r\n", LOG_CSV, "e a b");
    reads(LOG_AUTO, "\xEF\xBB\xBFkey,x\na,1\n", LOG_CSV, "e a");
    reads(LOG_AUTO, "key\na\nb\n", LOG_CSV, "e a; e b");
    reads(LOG_AUTO, "\"key\",\"method\"\n\"a,\"\"b\",POST\n,head\n", LOG_CSV, "w a,\"b; r ");
    reads(LOG_CSV, "a\nb\n", LOG_CSV, "e a; e b");
    struct log log = read_log(LOG_AUTO, "time,key\n1700000000.25,a\n", 25);
    assert_true(log.last_at == INT64_C(1700000000250000));
    assert_false(log_reader_knows_use(log.reader));
    done(&log);
}

static void test_rows_without_a_key_are_counted_apart(void **state)
{
    (void)state;
    static const char text[] = "n,key\n1,a\n2\n3,\"b\n4,\"b\"c\n5,d,e\n";
    struct log log = read_log(LOG_AUTO, text, sizeof text - 1);
    assert_string_equal(str_text(&log.said), "e a; e d");
    assert_int_equal(log_reader_counts(log.reader)->odd, 3);
    assert_int_equal(log_reader_counts(log.reader)->first_odd, 3);
    done(&log);
}

static void test_a_cache_trace_is_known_by_its_seven_columns(void **state)
{
    (void)state;
    static const char text[] = "0,q:u:9a1,8,27,12,get,0\n"
                               "0,with,two,commas,8,0,3,set,86400\n"
                               "1,q:u:9a3,8,-1,12,cas,60\n"
                               "1,short,row\n"
                               "2,q:c:1,5,4,9,incr,0\n";
    struct log log = read_log(LOG_AUTO, text, sizeof text - 1);
    assert_string_equal(str_text(&log.said), "r q:u:9a1; w with,two,commas; w q:u:9a3; w q:c:1");
    assert_true(log.last_at == 2000000);
    assert_true(log_reader_knows_use(log.reader));
    assert_int_equal(log_reader_counts(log.reader)->odd, 1);
    done(&log);
    reads(LOG_AUTO, "0,a,8,27,12,frobnicate,0\n", LOG_PLAIN, "e 0,a,8,27,12,frobnicate,0");
}

static void test_everything_else_is_plain_keys(void **state)
{
    (void)state;
    reads(LOG_AUTO, "user:1\n\nuser:2,3\n", LOG_PLAIN, "e user:1; e ; e user:2,3");
    reads(LOG_AUTO, "OK\n", LOG_PLAIN, "e OK");
    reads(LOG_PLAIN, "key\na\n", LOG_PLAIN, "e key; e a");
    struct log log = read_log(LOG_AUTO, "a\r\nb\r\nc\n", 8);
    assert_int_equal(log_reader_counts(log.reader)->ending_in_return, 2);
    done(&log);
}

static void test_what_is_no_log_is_refused_in_a_sentence(void **state)
{
    (void)state;
    refuses(LOG_AUTO, "", 0, "empty");
    refuses(LOG_AUTO, "a\nb\0c\n", 6, "line 2 holds NUL");
    refuses(LOG_CSV, "a\0,b\n", 5, "NUL");
    refuses(LOG_CSV, "time,name\n1,a\n", 14, "(it has: time, name)");
    struct log log = read_log(LOG_PLAIN, "a\0b\n", 4);
    assert_true(log.good);
    assert_int_equal(log_reader_counts(log.reader)->requests, 1);
    done(&log);
}

/* Whatever the bytes, reading ends and every line is accounted for. */
static void test_any_bytes_are_read_to_the_end(void **state)
{
    (void)state;
    static const char alphabet[] = "\"\\ [],;01.xn\nkeygtOK\r";
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct prng prng = prng_seeded(seed, "log");
        char text[160];
        size_t length = 0;
        size_t lines = 0;
        const char *start = seed % 3 == 0   ? "1.5 [0 h:1] \"get\" "
                            : seed % 3 == 1 ? "key,op\n"
                                            : "";
        length = strlen(start);
        memcpy(text, start, length);
        while (length < sizeof text && lines + 2 < LINES_MAX) {
            text[length] = alphabet[prng_below(&prng, sizeof alphabet - 1)];
            lines += text[length++] == '\n';
        }
        struct log log = read_log((enum log_form)(seed % 4), text, length);
        const struct log_counts *c = log_reader_counts(log.reader);
        if (log.good) {
            assert_int_equal(c->lines, log.lines);
            assert_true(c->requests + c->odd + c->keyless + c->scripts + c->cluster + c->unknown <=
                        c->lines);
        }
        done(&log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monitor_output_gives_the_clients_keys_alone),
        cmocka_unit_test(test_keys_in_monitor_output_are_unescaped),
        cmocka_unit_test(test_lines_that_are_no_monitor_lines_are_counted_apart),
        cmocka_unit_test(test_keys_are_found_among_the_arguments),
        cmocka_unit_test(test_the_table_of_commands_is_in_order),
        cmocka_unit_test(test_columns_are_found_by_their_names),
        cmocka_unit_test(test_rows_without_a_key_are_counted_apart),
        cmocka_unit_test(test_a_cache_trace_is_known_by_its_seven_columns),
        cmocka_unit_test(test_everything_else_is_plain_keys),
        cmocka_unit_test(test_what_is_no_log_is_refused_in_a_sentence),
        cmocka_unit_test(test_any_bytes_are_read_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
