/*
 * keys: logical keys, as the terminal layer reports them and the key table names them.
 *
 * A key is a code point, or one of the LKEY_* values beyond Unicode. Names ("space", "enter",
 * "ctrl-l", "page-down", "f1", "é") are what key files, scripts and the help screen use.
 */
#ifndef HOTSHARD_DRAW_KEYS_H
#define HOTSHARD_DRAW_KEYS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LKEY_NONE = 0,
    LKEY_CTRL_FIRST = 1, /* ctrl-a is 1 ... ctrl-z is 26, as in ASCII */
    LKEY_TAB = 9,
    LKEY_ENTER = 13,
    LKEY_ESCAPE = 27,
    LKEY_SPECIAL = 0x110000,
    LKEY_UP,
    LKEY_DOWN,
    LKEY_LEFT,
    LKEY_RIGHT,
    LKEY_PAGE_UP,
    LKEY_PAGE_DOWN,
    LKEY_HOME,
    LKEY_END,
    LKEY_BACKSPACE,
    LKEY_DELETE,
    LKEY_INSERT,
    LKEY_SHIFT_TAB,
    LKEY_F1, /* F1 to F12 follow one another */
    LKEY_F12 = LKEY_F1 + 11,
    LKEY_PASTE_START, /* bracketed paste: what comes between is text, never commands */
    LKEY_PASTE_END,
    LKEY_MOUSE
};

#define KEY_NAME_SIZE 24

/* "u+200b" for what has no sign, "none" for no key. (Not key_name: curses has one.) */
void key_to_name(uint32_t key, char out[KEY_NAME_SIZE]);
bool key_by_name(const char *name, uint32_t *key);

#endif
