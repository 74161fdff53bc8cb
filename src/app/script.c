/*
 * script: keys from a file, screens to files. See loop.h.
 */
#include "app/cmd/cli.h"
#include "app/loop.h"
#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_LINE_MAX ((size_t)1 << 16)
#define WAIT_FRAMES_MAX 100000 /* close to an hour of our time */

struct script {
    struct ui *ui;
    const char *path;
    size_t line;
    int status;
};

static void feed(struct script *s, struct term_input input)
{
    term_null_feed(s->ui->term, input);
    struct term_input read = term_read(s->ui->term, 0);
    ui_input(s->ui, &read);
}

static void press(struct script *s, uint32_t key)
{
    if (!s->ui->quit) {
        feed(s, (struct term_input){.kind = TERM_INPUT_KEY, .key = key});
    }
}

static bool do_keys(struct script *s, const char *names, struct err *err)
{
    while (*(names += strspn(names, " "))) {
        char name[KEY_NAME_SIZE] = {0};
        size_t length = strcspn(names, " ");
        uint32_t key = LKEY_NONE;
        if (length < sizeof name) {
            memcpy(name, names, length);
        }
        if (!*name || !key_by_name(name, &key)) {
            return err_set(err, "no key is called \"%.*s\"", (int)(length < 40 ? length : 40),
                           names);
        }
        press(s, key);
        names += length;
    }
    return true;
}

static bool do_type(struct script *s, const char *text, struct err *err)
{
    (void)err;
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t point = 0;
        at += utf8_decode(text + at, length - at, &point);
        press(s, point);
    }
    return true;
}

static bool do_resize(struct script *s, const char *text, struct err *err)
{
    struct term_input input = {.kind = TERM_INPUT_RESIZE};
    if (!options_parse_size(text, &input.columns, &input.rows, err)) {
        return false;
    }
    feed(s, input);
    return true;
}

static bool do_frames(struct script *s, const char *text, struct err *err)
{
    uint64_t frames = 1;
    if (*text && !num_parse_u64(text, "frames", 1, WAIT_FRAMES_MAX, &frames, err)) {
        return false;
    }
    for (uint64_t i = 0; i < frames; i++) {
        play_tick(s->ui, FRAME_US);
    }
    return true;
}

static bool do_wait(struct script *s, const char *text, struct err *err)
{
    (void)text;
    for (int i = 0; play_running(s->ui) && !s->ui->course.free_play; i++) {
        if (i == WAIT_FRAMES_MAX) {
            return err_set(err, "what plays did not come to an end");
        }
        play_tick(s->ui, FRAME_US);
    }
    return true;
}

static bool save(struct script *s, const char *path, bool styles, struct err *err)
{
    struct str text = STR_EMPTY;
    ui_draw(s->ui);
    if (styles) {
        canvas_dump(s->ui->canvas, &text);
    } else {
        canvas_dump_text(s->ui->canvas, &text);
    }
    bool saved = file_replace(path, str_text(&text), text.length, err);
    str_free(&text);
    return saved;
}

static bool do_save(struct script *s, const char *path, struct err *err)
{
    return save(s, path, false, err);
}

static bool do_save_dump(struct script *s, const char *path, struct err *err)
{
    return save(s, path, true, err);
}

static bool look_for(struct script *s, const char *wanted, bool there)
{
    struct str text = STR_EMPTY;
    ui_draw(s->ui);
    canvas_dump_text(s->ui->canvas, &text);
    bool found = strstr(str_text(&text), wanted) != NULL;
    if (found != there) {
        cli_print(stderr, "hotshard: %s:%zu: the screen %s \"%s\"; it shows:\n%s", s->path, s->line,
                  there ? "does not hold" : "holds", wanted, str_text(&text));
        s->status = CLI_NO;
    }
    str_free(&text);
    return true;
}

static bool do_expect(struct script *s, const char *text, struct err *err)
{
    (void)err;
    return look_for(s, text, true);
}

static bool do_reject(struct script *s, const char *text, struct err *err)
{
    (void)err;
    return look_for(s, text, false);
}

static const struct {
    const char *name;
    bool (*run)(struct script *s, const char *rest, struct err *err);
} instructions[] = {
    {"key", do_keys},      {"type", do_type}, {"resize", do_resize},       {"frame", do_frames},
    {"wait", do_wait},     {"save", do_save}, {"save-dump", do_save_dump}, {"expect", do_expect},
    {"reject", do_reject},
};

static bool run_line(struct script *s, char *line, struct err *err)
{
    line += strspn(line, " \t");
    if (!*line || *line == '#') {
        return true;
    }
    size_t length = strcspn(line, " ");
    const char *rest = line[length] ? line + length + 1 : line + length;
    line[length] = '\0';
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        if (strcmp(instructions[i].name, line) == 0) {
            return instructions[i].run(s, rest, err);
        }
    }
    return err_set(err,
                   "there is no instruction \"%s\"; there are key, type, resize, frame, "
                   "wait, save, save-dump, expect, reject",
                   err_word(line, 40).text);
}

int script_run(struct ui *ui, const char *path, struct err *err)
{
    struct script s = {.ui = ui, .path = path, .status = CLI_YES};
    struct line_reader *r = line_reader_open(path, SCRIPT_LINE_MAX, err);
    if (!r) {
        return CLI_CANNOT;
    }
    struct bytes line;
    int got = 0;
    bool good = true;
    ui_draw(ui);
    while (good && s.status == CLI_YES && (got = line_reader_next(r, &line, err)) > 0) {
        struct str text = STR_EMPTY;
        str_addn(&text, line.at, line.length);
        s.line++;
        char *words = str_take(&text);
        good = run_line(&s, words, err) || err_prefix(err, "%s:%zu", path, s.line);
        free(words);
        if (good) {
            ui_draw(ui); /* every state is drawn, as a person would see it */
        }
    }
    line_reader_close(r);
    return !good || got < 0 ? CLI_CANNOT : s.status;
}
