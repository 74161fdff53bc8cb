/*
 * keymap: see keymap.h. Rows are few, so every look-up walks the table.
 */
#include "app/keymap.h"
#include "base/check.h"
#include "base/utf8.h"
#include <string.h>

#define ROWS_MAX (ACT_COUNT * 2)
#define NAME_TEXT 64

/* The next word of *at, blanks between words; false at the end. Words too long are cut, which makes
 * them unknown names. */
static bool next_word(const char **at, char word[NAME_TEXT])
{
    const char *start = *at + strspn(*at, " \t\r");
    size_t length = strcspn(start, " \t\r");
    size_t kept = length < NAME_TEXT - 1 ? length : NAME_TEXT - 1;
    memcpy(word, start, kept);
    word[kept] = '\0';
    *at = start + length;
    return length > 0;
}

void keymap_default(struct keymap *map)
{
    memset(map, 0, sizeof *map);
    for (size_t row = 0; keymap_row_at(row); row++) {
        CHECK(row < ROWS_MAX);
        const char *at = keymap_row_at(row)->keys;
        char word[NAME_TEXT];
        while (next_word(&at, word)) {
            CHECK(map->keys[row] < KEYMAP_KEYS_MAX);
            CHECK(key_by_name(word, &map->key[row][map->keys[row]]));
            map->keys[row]++;
        }
    }
}

static bool row_has_key(const struct keymap *map, size_t row, uint32_t key)
{
    for (size_t i = 0; i < map->keys[row]; i++) {
        if (map->key[row][i] == key) {
            return true;
        }
    }
    return false;
}

enum action keymap_action(const struct keymap *map, uint32_t key, enum context where)
{
    for (size_t row = 0; keymap_row_at(row); row++) {
        if ((keymap_row_at(row)->contexts & (unsigned)where) && row_has_key(map, row, key)) {
            return keymap_row_at(row)->action;
        }
    }
    return ACT_NONE;
}

void keymap_say_row(const struct keymap *map, size_t row, size_t most, struct str *out)
{
    for (size_t i = 0; i < map->keys[row] && i < most; i++) {
        char name[KEY_NAME_SIZE];
        key_to_name(map->key[row][i], name);
        str_addf(out, "%s%s", i > 0 ? ", " : "", name);
    }
}

void keymap_say(const struct keymap *map, enum action action, unsigned where, struct str *out)
{
    for (size_t row = 0; keymap_row_at(row); row++) {
        const struct key_row *r = keymap_row_at(row);
        if (r->action == action && (r->contexts & where)) {
            keymap_say_row(map, row, 1, out);
            return;
        }
    }
}

/* --- a person's own keys -----------------------------------------------------------------------
 */

static bool find_row(const char *name, size_t *row)
{
    for (*row = 0; keymap_row_at(*row); (*row)++) {
        if (strcmp(keymap_row_at(*row)->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool rebind_line(struct keymap *map, size_t *line_of_row, size_t line, const char *text,
                        struct err *err)
{
    char word[NAME_TEXT];
    size_t row = 0;
    const char *at = text;
    if (!next_word(&at, word)) {
        return true;
    }
    if (!find_row(word, &row)) {
        return err_set(err, "no action is called \"%s\"; the help (?) shows what there is", word);
    }
    map->keys[row] = 0;
    line_of_row[row] = line;
    while (next_word(&at, word)) {
        uint32_t key = LKEY_NONE;
        if (!key_by_name(word, &key)) {
            return err_set(err, "no key is called \"%s\"; write for example space, ctrl-l, f2 or x",
                           word);
        }
        if (map->keys[row] == KEYMAP_KEYS_MAX) {
            return err_set(err, "at most %d keys for one action", KEYMAP_KEYS_MAX);
        }
        map->key[row][map->keys[row]++] = key;
    }
    return map->keys[row] > 0 ||
           err_set(err, "\"%s\" has no key; write the action, a blank and its keys",
                   keymap_row_at(row)->name);
}

/* Two rows of one context may not share a key. Reports at the line that made the clash. */
static bool find_clash(const struct keymap *map, const size_t *line_of_row, size_t *line,
                       struct err *err)
{
    for (size_t a = 0; keymap_row_at(a); a++) {
        for (size_t b = a + 1; keymap_row_at(b); b++) {
            const struct key_row *ra = keymap_row_at(a);
            const struct key_row *rb = keymap_row_at(b);
            for (size_t i = 0; (ra->contexts & rb->contexts) && i < map->keys[a]; i++) {
                if (!row_has_key(map, b, map->key[a][i])) {
                    continue;
                }
                char key[KEY_NAME_SIZE];
                key_to_name(map->key[a][i], key);
                *line = line_of_row[a] > line_of_row[b] ? line_of_row[a] : line_of_row[b];
                err_set(err, "%s would do both \"%s\" and \"%s\"; give one of them another key",
                        key, ra->name, rb->name);
                return true;
            }
        }
    }
    return false;
}

bool keymap_rebind(struct keymap *map, const char *path, const char *text, struct err *err)
{
    struct keymap changed = *map;
    size_t line_of_row[ROWS_MAX] = {0};
    size_t line = 1;
    struct str one = STR_EMPTY;
    bool good = true;
    while (good && *text) {
        size_t length = strcspn(text, "\n");
        str_clear(&one);
        str_addn(&one, text, length);
        const char *words = str_text(&one);
        /* A comment starts a line: '#' alone may be a key. */
        if (words[strspn(words, " \t\r")] != '#') {
            good = rebind_line(&changed, line_of_row, line, words, err);
        }
        if (good) {
            text += length + (text[length] == '\n' ? 1 : 0);
            line++;
        }
    }
    str_free(&one);
    if (good && find_clash(&changed, line_of_row, &line, err)) {
        good = false;
    }
    if (!good) {
        return err_prefix(err, "%s:%zu", path, line);
    }
    *map = changed;
    return true;
}
