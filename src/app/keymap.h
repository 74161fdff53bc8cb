/*
 * keymap: which key does what where: the only place of the program that knows keys.
 *
 * One table of data. A row is an action, the contexts in which it exists, its keys, and its words
 * for the help and the key line. A person's `keys` file in the config folder gives an action other
 * keys: one "ACTION KEY [KEY...]" a line, '#' starts a comment; the names are those of --script
 * ("space", "ctrl-l", "page-down"). A keymap is a copy of the table that such a file changed.
 */
#ifndef HOTSHARD_APP_KEYMAP_H
#define HOTSHARD_APP_KEYMAP_H

#include "base/err.h"
#include "base/str.h"
#include "draw/keys.h"
#include <stddef.h>

enum action {
    ACT_NONE,
    /* lesson */
    ACT_FORWARD,
    ACT_BACK,
    ACT_CHOOSE, /* digits 1 to 9 */
    ACT_HINT,
    ACT_SHOW_ME,
    ACT_ANSWER, /* into the answer's field */
    ACT_PLACE,  /* the placement check */
    ACT_VISIT,  /* opens the run behind a table's row */
    /* acting on the cluster */
    ACT_ROUTE,
    ACT_ROUTER,
    ACT_STALE,
    ACT_RELOAD,
    ACT_MOVE,
    ACT_BREAK,
    ACT_KEY,
    /* knobs of a page */
    ACT_MORE_SHARDS,
    ACT_FEWER_SHARDS,
    ACT_TOKENS,
    ACT_SCHEME,
    ACT_WEIGHT,
    ACT_CAP,
    ACT_TURN_KEY, /* the knob `key` */
    ACT_SALT,
    ACT_ROUTERS,
    ACT_SIZE,
    ACT_CHOICE,
    ACT_UNDO,
    ACT_REDO,
    ACT_COMMAND,
    /* the playground */
    ACT_PLAYGROUND, /* opens it */
    ACT_WORKLOAD,
    ACT_SELECT, /* the next shard */
    ACT_FORK,
    ACT_PICTURE,
    ACT_SETTING, /* in words */
    ACT_RECORD,
    /* breaking a protocol */
    ACT_CHECK,  /* opens the screen */
    ACT_RULES,  /* to the rules, or back to the steps */
    ACT_SWITCH, /* a rule, on or off */
    ACT_PUT_BACK,
    ACT_EXPLAIN,
    ACT_WHOLE, /* as a run, over the whole screen */
    ACT_PROTOCOL,
    ACT_LARGER, /* the larger world, and the smaller one */
    ACT_SMALLER,
    /* time */
    ACT_PLAY,
    ACT_SLOWER,
    ACT_FASTER,
    ACT_EVENT,
    ACT_EVENT_BACK,
    /* pictures and lists */
    ACT_UP,
    ACT_DOWN,
    ACT_LEFT,
    ACT_RIGHT,
    ACT_PAGE_UP,
    ACT_PAGE_DOWN,
    ACT_FIRST,
    ACT_LAST,
    ACT_ZOOM_IN,
    ACT_ZOOM_OUT,
    ACT_DIFF,
    ACT_INSPECT,
    ACT_DESCRIBE,
    ACT_FOCUS_NEXT,
    ACT_FOCUS_BEFORE,
    /* home */
    ACT_OPEN,
    ACT_GLOSSARY, /* opens it, or leaves it */
    /* help */
    ACT_SEARCH,
    ACT_RUN,
    /* a line being typed */
    ACT_ACCEPT,
    ACT_COMPLETE,
    ACT_COMPLETE_BEFORE,
    ACT_ERASE,
    ACT_DELETE,
    ACT_ERASE_ALL,
    /* everywhere */
    ACT_HELP,
    ACT_CLOSE,
    ACT_KEY_LINE,
    ACT_REDRAW,
    ACT_SUSPEND,
    ACT_LEAVE,
    ACT_COUNT
};

/* Where a key is pressed; bits. */
enum context {
    IN_HOME = 1,
    IN_LESSON = 2,
    IN_TEXT = 4,     /* a box with text to read */
    IN_HELP = 8,     /* the help, not its search line */
    IN_FIELD = 16,   /* a line is being typed: other keys are text */
    IN_COMMAND = 32, /* the line is a command's */
    IN_SHARDS = 64,  /* a lesson's page whose shards can be changed: comes before IN_LESSON */
    IN_PLAY = 128,   /* the playground */
    IN_ROW = 256,    /* a lesson's page, a table's row is selected: comes before IN_LESSON */
    IN_GLOSSARY = 512,
    IN_SEARCH = 1024,   /* the glossary's search is being typed */
    IN_CHECK = 2048,    /* breaking a protocol: its steps */
    IN_RULES = 4096,    /* likewise: its rules */
    IN_RUN = 8192,      /* likewise: a run, over the whole screen */
    IN_PROTOCOL = 16384 /* a lesson's page that is about a protocol: comes before IN_LESSON */
};

#define KEYMAP_KEYS_MAX 10

struct key_row {
    enum action action;
    unsigned contexts;
    const char *name;  /* in the keys file and --help: "forward" */
    const char *keys;  /* names, blanks between them */
    const char *does;  /* for the help */
    const char *brief; /* for the key line; NULL: never there */
    const char *group;
    int weight;          /* for the key line: the heavier, the earlier */
    enum action partner; /* whose key the key line shows beside this one: "[ ] speed" */
};

const struct key_row *keymap_row_at(size_t index); /* NULL beyond the last */

struct keymap {
    uint32_t key[ACT_COUNT * 2][KEYMAP_KEYS_MAX]; /* by row */
    uint8_t keys[ACT_COUNT * 2];
};

void keymap_default(struct keymap *map);
/* `path` for the error's place. Unknown actions and clashes are refused with file and line; then
 * the map is as it was. */
bool keymap_rebind(struct keymap *map, const char *path, const char *text, struct err *err);
enum action keymap_action(const struct keymap *map, uint32_t key, enum context where);
/* "space, enter": at most `most` of a row's keys. */
void keymap_say_row(const struct keymap *map, size_t row, size_t most, struct str *out);
/* The first key of an action in one of these contexts, for messages; nothing when it has none. */
void keymap_say(const struct keymap *map, enum action action, unsigned where, struct str *out);

#endif
