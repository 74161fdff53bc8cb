/*
 * keys: names of logical keys, both ways.
 *
 * Some keys have two codes in ASCII; the terminal layer reports one of them. ctrl-h and DEL are
 * Backspace, ctrl-i is Tab, ctrl-j and ctrl-m are Enter: the names say so too.
 */
#include "draw/keys.h"
#include "base/check.h"
#include "base/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct named_key {
    uint32_t key;
    const char *name;
} named_keys[] = {
    {LKEY_TAB, "tab"},
    {LKEY_ENTER, "enter"},
    {LKEY_ESCAPE, "escape"},
    {' ', "space"},
    {LKEY_UP, "up"},
    {LKEY_DOWN, "down"},
    {LKEY_LEFT, "left"},
    {LKEY_RIGHT, "right"},
    {LKEY_PAGE_UP, "page-up"},
    {LKEY_PAGE_DOWN, "page-down"},
    {LKEY_HOME, "home"},
    {LKEY_END, "end"},
    {LKEY_BACKSPACE, "backspace"},
    {LKEY_DELETE, "delete"},
    {LKEY_INSERT, "insert"},
    {LKEY_SHIFT_TAB, "shift-tab"},
    {LKEY_PASTE_START, "paste-start"},
    {LKEY_PASTE_END, "paste-end"},
    {LKEY_MOUSE, "mouse"},
};
#define NAMED_KEYS (sizeof(named_keys) / sizeof(named_keys[0]))

static uint32_t canonical(uint32_t key)
{
    if (key == 8 || key == 127)
        return LKEY_BACKSPACE;
    return key == 10 ? LKEY_ENTER : key;
}

void key_to_name(uint32_t key, char out[KEY_NAME_SIZE])
{
    key = canonical(key);
    for (size_t i = 0; i < NAMED_KEYS; i++) {
        if (named_keys[i].key == key) {
            snprintf(out, KEY_NAME_SIZE, "%s", named_keys[i].name);
            return;
        }
    }
    if (key == LKEY_NONE) {
        snprintf(out, KEY_NAME_SIZE, "none");
    } else if (key <= 26) {
        snprintf(out, KEY_NAME_SIZE, "ctrl-%c", (int)('a' + key - LKEY_CTRL_FIRST));
    } else if (key >= LKEY_F1 && key <= LKEY_F12) {
        snprintf(out, KEY_NAME_SIZE, "f%u", (unsigned)(key - LKEY_F1 + 1));
    } else if (key < LKEY_SPECIAL && utf8_width(key) > 0) {
        out[utf8_encode(key, out)] = '\0';
    } else {
        snprintf(out, KEY_NAME_SIZE, "u+%04x", (unsigned)key);
    }
}

/* The number after a prefix, all of the text, within [low, high]. */
static bool number_after(const char *text, int base, unsigned long low, unsigned long high,
                         uint32_t *out)
{
    const char *digits = base == 16 ? "0123456789abcdef" : "0123456789";
    size_t length = strspn(text, digits);
    if (length == 0 || length > 6 || text[length] != '\0' || (base == 10 && text[0] == '0'))
        return false;
    unsigned long value = strtoul(text, NULL, base);
    *out = (uint32_t)value;
    return value >= low && value <= high;
}

static bool is_one_point(const char *name, uint32_t *point)
{
    size_t length = strlen(name);
    if (length == 0 || utf8_decode(name, length, point) != length)
        return false;
    return utf8_width(*point) > 0 && *point != ' ' && *point != UTF8_REPLACEMENT;
}

bool key_by_name(const char *name, uint32_t *key)
{
    for (size_t i = 0; i < NAMED_KEYS; i++) {
        if (strcmp(named_keys[i].name, name) == 0) {
            *key = named_keys[i].key;
            return true;
        }
    }
    uint32_t number;
    if (str_starts(name, "ctrl-") && name[5] >= 'a' && name[5] <= 'z' && name[6] == '\0') {
        *key = canonical((uint32_t)(name[5] - 'a') + LKEY_CTRL_FIRST);
        return true;
    }
    if (name[0] == 'f' && number_after(name + 1, 10, 1, 12, &number)) {
        *key = LKEY_F1 + number - 1;
        return true;
    }
    if (str_starts(name, "u+") && number_after(name + 2, 16, ' ', LKEY_SPECIAL - 1, &number)) {
        *key = canonical(number);
        return true;
    }
    return is_one_point(name, key);
}
