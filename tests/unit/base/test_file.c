/* file: nothing is lost on any error, torn lines stay apart, and lines come fast and whole. */
#include "base/alloc.h"
#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct place {
    char folder[64];
    char path[512];
};

/* "folder/name" of the test's own folder; valid until the next call. */
static const char *in(struct place *p, const char *name)
{
    (void)snprintf(p->path, sizeof p->path, "%s/%s", p->folder, name);
    return p->path;
}

static int make_place(void **state)
{
    struct place *p = xcalloc(1, sizeof *p);
    (void)snprintf(p->folder, sizeof p->folder, "/tmp/hotshard-file-XXXXXX");
    *state = p;
    return mkdtemp(p->folder) == NULL;
}

static int remove_place(void **state)
{
    struct place *p = *state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", p->folder);
    int failed = system(command);
    free(p);
    return failed;
}

static void content_is(const char *path, const char *expected)
{
    struct str s = STR_EMPTY;
    struct err err;
    if (!file_read(path, 1 << 20, &s, &err)) {
        fail_msg("%s", err.text);
    }
    assert_string_equal(str_text(&s), expected);
    str_free(&s);
}

static void replace(const char *path, const char *text)
{
    struct err err;
    if (!file_replace(path, text, strlen(text), &err)) {
        fail_msg("%s", err.text);
    }
}

static void append(const char *path, const char *text)
{
    struct err err;
    if (!file_append(path, text, strlen(text), &err)) {
        fail_msg("%s", err.text);
    }
}

static size_t names_in(const char *folder)
{
    struct file_list list;
    assert_true(file_list(folder, "", &list, NULL));
    size_t count = list.count;
    file_list_free(&list);
    return count;
}

static void what_was_written_is_read(void **state)
{
    struct place *p = *state;
    struct err err;
    struct str s = STR_EMPTY;
    assert_false(file_exists(in(p, "a")));
    assert_true(file_replace(in(p, "a"), "x\0y", 3, &err));
    assert_true(file_exists(in(p, "a")));
    str_add(&s, "what stood there before");
    assert_true(file_read(in(p, "a"), 3, &s, &err));
    assert_int_equal(s.length, 3);
    assert_memory_equal(s.text, "x\0y", 4);
    replace(in(p, "a"), "");
    content_is(in(p, "a"), "");
    str_free(&s);
}

static void too_large_and_missing_files_are_refused(void **state)
{
    struct place *p = *state;
    struct err err;
    struct str s = STR_EMPTY;
    replace(in(p, "a"), "12345");
    assert_false(file_read(in(p, "a"), 4, &s, &err));
    assert_non_null(strstr(err.text, p->path));
    assert_non_null(strstr(err.text, "5 bytes"));
    assert_int_equal(s.length, 0);
    assert_false(file_read(in(p, "none"), 4, &s, &err));
    assert_non_null(strstr(err.text, "No such file"));
    assert_false(file_read(p->folder, 1000, &s, &err));
    assert_non_null(strstr(err.text, "is a folder"));
    assert_false(file_read("", 1000, &s, &err));
    assert_non_null(strstr(err.text, "empty"));
    if (file_exists("/proc/self/status")) { /* no size to see beforehand */
        assert_false(file_read("/proc/self/status", 10, &s, &err));
        assert_non_null(strstr(err.text, "larger than 10 bytes"));
    }
    str_free(&s);
}

/* Nobody is at the other end of the fifo: whoever waits for it never comes back. */
static void devices_and_fifos_are_no_whole_files(void **state)
{
    struct place *p = *state;
    struct err err;
    struct stat st;
    struct str s = STR_EMPTY;
    assert_int_equal(mkfifo(in(p, "fifo"), 0600), 0);
    (void)alarm(20); /* only against hanging */
    const char *const paths[] = {p->path, "/dev/null", "/dev/zero", "/dev/full"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_false(file_read(paths[i], 100000, &s, &err));
        assert_non_null(strstr(err.text, "is not a regular file"));
        assert_false(file_replace(paths[i], "x", 1, &err));
        assert_non_null(strstr(err.text, "is not a regular file"));
        assert_false(file_append(paths[i], "x", 1, &err));
        assert_non_null(strstr(err.text, "is not a regular file"));
        assert_int_equal(lstat(paths[i], &st), 0);
        assert_false(S_ISREG(st.st_mode));
    }
    (void)alarm(0);
    assert_int_equal(names_in(p->folder), 1);
    str_free(&s);
}

static void a_link_to_nothing_is_not_replaced(void **state)
{
    struct place *p = *state;
    struct err err;
    struct stat st;
    assert_int_equal(symlink("nowhere/file", in(p, "link")), 0);
    assert_false(file_replace(p->path, "x", 1, &err));
    assert_non_null(strstr(err.text, "link that leads to no file"));
    assert_int_equal(lstat(p->path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void replacing_keeps_mode_and_link(void **state)
{
    struct place *p = *state;
    char real[512];
    replace(in(p, "real"), "old");
    (void)snprintf(real, sizeof real, "%s", p->path);
    assert_int_equal(chmod(real, 0640), 0);
    assert_int_equal(symlink("real", in(p, "link")), 0);
    replace(in(p, "link"), "new");
    content_is(real, "new");
    struct stat st;
    assert_int_equal(lstat(in(p, "link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(real, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(names_in(p->folder), 2); /* no temporary file is left */
}

static void folders_appear_for_a_log_and_no_other_file(void **state)
{
    struct place *p = *state;
    struct err err;
    struct stat st;
    assert_false(file_replace(in(p, "one/file"), "text", 4, &err));
    assert_non_null(strstr(err.text, "folder"));
    assert_int_equal(names_in(p->folder), 0);
    append(in(p, "three/log"), "a\n");
    content_is(in(p, "three/log"), "a\n");
    assert_int_equal(stat(in(p, "three"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_true(file_make_folders_for(in(p, "four//five/"), &err));
    assert_true(file_exists(in(p, "four/five")));
    assert_true(file_make_folders_for("plain-name", &err));
    assert_false(file_make_folders_for(in(p, "three/log/below/x"), &err));
    assert_non_null(strstr(err.text, "cannot make the folder"));
}

/* The child may write no more than 1,000 bytes to any file: what a full disk does. */
static int in_a_full_disk(struct place *p, bool (*write_it)(struct place *p))
{
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {.rlim_cur = 1000, .rlim_max = 1000};
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        _exit(write_it(p) ? 0 : 9);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool replace_by_much(struct place *p)
{
    struct str much = STR_EMPTY;
    struct err err;
    str_pad(&much, 'x', 5000);
    bool ok = file_replace(in(p, "a"), much.text, much.length, &err);
    str_free(&much);
    return ok || strstr(err.text, "nothing was changed") == NULL;
}

static bool append_much(struct place *p)
{
    struct str much = STR_EMPTY;
    struct err err;
    str_pad(&much, 'x', 5000);
    bool ok = file_append(in(p, "a"), much.text, much.length, &err);
    str_free(&much);
    return ok || strstr(err.text, "cannot add to") == NULL;
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    struct place *p = *state;
    replace(in(p, "a"), "the old text\n");
    assert_int_equal(in_a_full_disk(p, replace_by_much), 9);
    content_is(in(p, "a"), "the old text\n");
    assert_int_equal(names_in(p->folder), 1);
    assert_int_equal(in_a_full_disk(p, append_much), 9);
    content_is(in(p, "a"), "the old text\n");
}

static void a_path_that_cannot_be_written_is_an_error(void **state)
{
    struct place *p = *state;
    struct err err;
    assert_int_equal(mkdir(in(p, "folder"), 0700), 0);
    assert_false(file_replace(p->path, "x", 1, &err));
    assert_non_null(strstr(err.text, "folder"));
    assert_int_equal(names_in(p->folder), 1);
    assert_false(file_append(in(p, "folder"), "x", 1, &err));
    assert_false(file_replace("", "x", 1, &err));
}

static void appending_mends_a_torn_line(void **state)
{
    struct place *p = *state;
    append(in(p, "log"), "one\n");
    append(in(p, "log"), "two\n");
    content_is(in(p, "log"), "one\ntwo\n");
    append(in(p, "log"), "thr"); /* as a kill leaves it */
    append(in(p, "log"), "four\n");
    content_is(in(p, "log"), "one\ntwo\nthr\nfour\n");
    struct stat st;
    assert_int_equal(stat(p->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

/* Four processes, a hundred records each: none is lost, none is mixed with another. */
static void writers_do_not_mix(void **state)
{
    struct place *p = *state;
    pid_t children[4];
    (void)in(p, "log");
    (void)fflush(NULL);
    for (size_t c = 0; c < 4; c++) {
        children[c] = fork();
        assert_true(children[c] >= 0);
        if (children[c] == 0) {
            bool ok = true;
            for (int i = 0; i < 100 && ok; i++) {
                char line[64];
                int length = snprintf(line, sizeof line, "writer %zu record %02d\n", c, i);
                ok = file_append(p->path, line, (size_t)length, NULL);
            }
            _exit(ok ? 0 : 1);
        }
    }
    for (size_t c = 0; c < 4; c++) {
        int status = 1;
        assert_int_equal(waitpid(children[c], &status, 0), children[c]);
        assert_int_equal(status, 0);
    }
    struct err err;
    struct line_reader *r = line_reader_open(p->path, 100, &err);
    assert_non_null(r);
    int next[4] = {0};
    struct bytes line;
    while (line_reader_next(r, &line, &err) == 1) {
        size_t who = 9;
        int record = -1;
        char text[64] = "";
        assert_true(line.length < sizeof text);
        memcpy(text, line.at, line.length);
        assert_int_equal(sscanf(text, "writer %zu record %d", &who, &record), 2);
        assert_true(who < 4);
        assert_int_equal(record, next[who]++);
    }
    line_reader_close(r);
    for (size_t c = 0; c < 4; c++) {
        assert_int_equal(next[c], 100);
    }
}

static void home_is(enum file_home home, const char *expected)
{
    char *path = NULL;
    struct err err;
    if (!file_home_path(home, "x", &path, &err)) {
        fail_msg("%s", err.text);
    }
    assert_string_equal(path, expected);
    free(path);
}

static void homes_follow_the_xdg_rules(void **state)
{
    (void)state;
    (void)setenv("HOME", "/home/ada", 1);
    (void)unsetenv("XDG_STATE_HOME");
    (void)setenv("XDG_CONFIG_HOME", "", 1);
    (void)setenv("XDG_DATA_HOME", "data", 1); /* relative: as if unset */
    home_is(FILE_HOME_STATE, "/home/ada/.local/state/hotshard/x");
    home_is(FILE_HOME_CONFIG, "/home/ada/.config/hotshard/x");
    home_is(FILE_HOME_DATA, "/home/ada/.local/share/hotshard/x");
    (void)setenv("XDG_STATE_HOME", "/s", 1);
    (void)setenv("XDG_CONFIG_HOME", "/c", 1);
    (void)setenv("XDG_DATA_HOME", "/d", 1);
    home_is(FILE_HOME_STATE, "/s/hotshard/x");
    home_is(FILE_HOME_CONFIG, "/c/hotshard/x");
    home_is(FILE_HOME_DATA, "/d/hotshard/x");

    static const char *const none[] = {NULL, "", "ada"};
    for (size_t i = 0; i < 3; i++) {
        struct err err;
        char *path = NULL;
        (void)unsetenv("XDG_STATE_HOME");
        (void)(none[i] == NULL ? unsetenv("HOME") : setenv("HOME", none[i], 1));
        assert_false(file_home_path(FILE_HOME_STATE, "x", &path, &err));
        assert_non_null(strstr(err.text, "set HOME"));
        assert_null(path);
    }
    (void)setenv("XDG_STATE_HOME", "/s", 1);
    home_is(FILE_HOME_STATE, "/s/hotshard/x"); /* needs no HOME */
}

static void lists_are_sorted_and_filtered(void **state)
{
    struct place *p = *state;
    struct file_list list;
    struct err err;
    replace(in(p, "b.lua"), "");
    replace(in(p, "a.lua"), "");
    replace(in(p, "B.lua"), "");
    replace(in(p, "c.txt"), "");
    replace(in(p, ".lua"), "");
    assert_true(file_list(p->folder, ".lua", &list, &err));
    assert_int_equal(list.count, 4);
    assert_string_equal(list.names[0], ".lua");
    assert_string_equal(list.names[1], "B.lua");
    assert_string_equal(list.names[3], "b.lua");
    file_list_free(&list);
    assert_true(file_list(p->folder, ".none", &list, &err));
    assert_int_equal(list.count, 0);
    file_list_free(&list);
    assert_false(file_list(in(p, "missing"), "", &list, &err));
    assert_int_equal(list.count, 0);
}

/* Every line of the file, each ended by '|', then how it ended. */
static void lines_are(const char *path, size_t limit, const char *expected)
{
    struct err err;
    struct str got = STR_EMPTY;
    struct line_reader *r = line_reader_open(path, limit, &err);
    assert_non_null(r);
    struct bytes line;
    int result;
    while ((result = line_reader_next(r, &line, &err)) == 1) {
        str_addn(&got, line.at, line.length);
        str_addc(&got, '|');
    }
    str_addf(&got, "%d", result);
    assert_string_equal(got.text, expected);
    assert_int_equal(line_reader_next(r, &line, &err), result); /* and it stays so */
    line_reader_close(r);
    str_free(&got);
}

static void lines_come_with_and_without_a_last_newline(void **state)
{
    struct place *p = *state;
    static const char *const files[][2] = {
        {"", "0"},      {"\n", "|0"},      {"\n\n", "||0"},        {"a", "a|0"},
        {"a\n", "a|0"}, {"a\nb", "a|b|0"}, {"a\n\nb\n", "a||b|0"}, {"a\r\n", "a\r|0"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        replace(in(p, "lines"), files[i][0]);
        lines_are(p->path, 10, files[i][1]);
    }
}

static void lines_may_hold_any_byte(void **state)
{
    struct place *p = *state;
    struct err err;
    assert_true(file_replace(in(p, "lines"), "a\0b\n\xff\xfe\n\0", 8, &err));
    struct line_reader *r = line_reader_open(p->path, 10, &err);
    struct bytes line;
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_true(bytes_equal(line, (struct bytes){.at = "a\0b", .length = 3}));
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_true(bytes_equal(line, bytes_of("\xff\xfe")));
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_true(bytes_equal(line, (struct bytes){.at = "\0", .length = 1}));
    assert_int_equal(line_reader_next(r, &line, &err), 0);
    assert_int_equal(line_reader_bytes(r), 8);
    assert_int_equal(line_reader_size(r), 8);
    line_reader_close(r);
}

static void a_line_over_the_limit_names_its_number(void **state)
{
    struct place *p = *state;
    struct err err;
    replace(in(p, "lines"), "1234\n12345\n");
    lines_are(p->path, 5, "1234|12345|0");
    lines_are(p->path, 4, "1234|-1");
    struct line_reader *r = line_reader_open(p->path, 4, &err);
    struct bytes line;
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_int_equal(line_reader_next(r, &line, &err), -1);
    assert_non_null(strstr(err.text, "line 2: longer than 4 bytes"));
    line_reader_close(r);
    replace(in(p, "lines"), "12345"); /* the limit holds without a newline too */
    lines_are(p->path, 4, "-1");
}

/* One endless line stops at the limit instead of filling the memory. */
static void an_endless_line_stops_at_the_limit(void **state)
{
    (void)state;
    struct err err;
    struct line_reader *r = line_reader_open("/dev/zero", 1 << 20, &err);
    struct bytes line;
    assert_non_null(r);
    assert_int_equal(line_reader_size(r), -1);
    assert_int_equal(line_reader_next(r, &line, &err), -1);
    assert_non_null(strstr(err.text, "line 1"));
    assert_true(line_reader_bytes(r) < 4 << 20);
    line_reader_close(r);
}

static void what_cannot_be_opened_is_an_error(void **state)
{
    struct place *p = *state;
    struct err err;
    assert_null(line_reader_open(in(p, "none"), 10, &err));
    assert_non_null(strstr(err.text, "No such file"));
    assert_null(line_reader_open(p->folder, 10, &err));
    assert_non_null(strstr(err.text, "is a folder"));
}

static void standard_input_is_read_in_pieces(void **state)
{
    (void)state;
    int ends[2];
    struct err err;
    assert_int_equal(pipe(ends), 0);
    int saved = dup(STDIN_FILENO);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    (void)close(ends[0]);
    struct line_reader *r = line_reader_open("-", 100, &err);
    struct bytes line;
    assert_int_equal(line_reader_size(r), -1);
    assert_int_equal(write(ends[1], "one\ntw", 6), 6);
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_true(bytes_equal(line, bytes_of("one")));
    assert_int_equal(write(ends[1], "o\nthree", 7), 7);
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_true(bytes_equal(line, bytes_of("two")));
    (void)close(ends[1]);
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_true(bytes_equal(line, bytes_of("three")));
    assert_int_equal(line_reader_next(r, &line, &err), 0);
    line_reader_close(r);
    assert_true(dup2(saved, STDIN_FILENO) >= 0);
    (void)close(saved);
}

/* Lines of every length round the size of the buffer, so that each cut between reads is met. */
static void lines_across_reads_stay_whole(void **state)
{
    struct place *p = *state;
    struct err err;
    struct str text = STR_EMPTY;
    const size_t longest = 1500;
    for (size_t length = 0; length < longest; length++) {
        str_pad(&text, (char)('a' + length % 26), length);
        str_addc(&text, '\n');
    }
    str_pad(&text, 'z', 300000);
    assert_true(file_replace(in(p, "lines"), text.text, text.length, &err));
    struct line_reader *r = line_reader_open(p->path, 300000, &err);
    struct bytes line;
    for (size_t length = 0; length < longest; length++) {
        assert_int_equal(line_reader_next(r, &line, &err), 1);
        assert_int_equal(line.length, length);
        for (size_t i = 0; i < length; i++) {
            assert_true(line.at[i] == (char)('a' + length % 26));
        }
    }
    assert_int_equal(line_reader_next(r, &line, &err), 1);
    assert_int_equal(line.length, 300000);
    assert_int_equal(line_reader_next(r, &line, &err), 0);
    line_reader_close(r);
    str_free(&text);
}

static void a_checksum_is_the_usual_crc32(void **state)
{
    (void)state;
    assert_true(crc32_of("123456789", 9) == 0xCBF43926u);
    assert_true(crc32_of("", 0) == 0);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_PLACE(what_was_written_is_read),
        IN_PLACE(too_large_and_missing_files_are_refused),
        IN_PLACE(replacing_keeps_mode_and_link),
        IN_PLACE(devices_and_fifos_are_no_whole_files),
        IN_PLACE(a_link_to_nothing_is_not_replaced),
        IN_PLACE(folders_appear_for_a_log_and_no_other_file),
        IN_PLACE(a_full_disk_leaves_the_old_file),
        IN_PLACE(a_path_that_cannot_be_written_is_an_error),
        IN_PLACE(appending_mends_a_torn_line),
        IN_PLACE(writers_do_not_mix),
        cmocka_unit_test(homes_follow_the_xdg_rules),
        IN_PLACE(lists_are_sorted_and_filtered),
        IN_PLACE(lines_come_with_and_without_a_last_newline),
        IN_PLACE(lines_may_hold_any_byte),
        IN_PLACE(a_line_over_the_limit_names_its_number),
        cmocka_unit_test(an_endless_line_stops_at_the_limit),
        IN_PLACE(what_cannot_be_opened_is_an_error),
        cmocka_unit_test(standard_input_is_read_in_pieces),
        IN_PLACE(lines_across_reads_stay_whole),
        cmocka_unit_test(a_checksum_is_the_usual_crc32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
