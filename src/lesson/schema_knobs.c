/*
 * schema_knobs: knobs and experiments of a declared step. See schema.h.
 */
#include "engine/words/command_help.h"
#include "lesson/schema_inside.h"
#include <math.h>
#include <string.h>
#include <strings.h>

#define VALUES_MAX 16
#define VALUE_BYTES_MAX 24
#define LABEL_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -"
#define LABEL_MAX 12 /* columns: it stands before the value in the pane, and in the key line */

static const struct field knob_fields[] = {{"name", TEXT | REQUIRED},
                                           {"values", TABLE | REQUIRED},
                                           {"start", TEXT | NUMBER},
                                           {"label", TEXT},
                                           {NULL, 0}};
static const struct field experiment_fields[] = {
    {"title", TEXT | REQUIRED}, {"groups", TABLE | REQUIRED}, {NULL, 0}};
static const struct field group_fields[] = {{"label", TEXT | REQUIRED},
                                            {"times", NUMBER | REQUIRED},
                                            {"try", FUNCTION | REQUIRED},
                                            {NULL, 0}};

/* The list on top has `min` to `max` entries; returns how many. */
static lua_Integer count_list(lua_State *L, const struct place *at, const char *what,
                              lua_Integer min, lua_Integer max)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    if (count < min || count > max) {
        schema_fault(L, at->p, at->line, "%s: %d to %d %s, not %d", at->what, (int)min, (int)max,
                     what, (int)count);
    }
    return count;
}

static void need_table(lua_State *L, const struct place *at, const char *what, lua_Integer number)
{
    if (!lua_istable(L, -1)) {
        schema_fault(L, at->p, at->line, "%s: %s %d must be a table", at->what, what, (int)number);
    }
}

/* A number or one word, so that it can be typed. */
static void check_value(lua_State *L, const struct place *at, lua_Integer number)
{
    const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    bool good = word != NULL ? word[0] != '\0' && strlen(word) <= VALUE_BYTES_MAX &&
                                   strpbrk(word, " \t\n") == NULL
                             : lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
    if (!good) {
        schema_fault(L, at->p, at->line,
                     "%s: value %d of a knob must be a finite number or one word", at->what,
                     (int)number);
    }
}

/* The list of values is on top: a value is found by how it is written, so none is there twice. */
static void check_values_differ(lua_State *L, const struct place *at, lua_Integer count)
{
    struct str *text = &at->p->text;
    for (lua_Integer i = 1; i <= count; i++) {
        str_clear(text);
        lua_rawgeti(L, -1, i);
        knobs_say_value(L, text);
        lua_pop(L, 1);
        size_t length = text->length;
        for (lua_Integer k = 1; k < i; k++) {
            lua_rawgeti(L, -1, k);
            knobs_say_value(L, text);
            lua_pop(L, 1);
            if (text->length == 2 * length &&
                memcmp(text->text, text->text + length, length) == 0) {
                text->text[length] = '\0';
                schema_fault(L, at->p, at->line, "%s: two values of a knob are written '%s'",
                             at->what, text->text);
            }
            text->length = length;
            text->text[length] = '\0';
        }
    }
}

/* What a line may be in plain mode, in place of a knob and its value. */
static bool is_plain_word(const char *label)
{
    static const char *const words[] = {"quit",  "hint",  "show",     "open", "back", "again",
                                        "leave", "place", "glossary", "knob", "undo", "redo"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || strcasecmp(words[i], label) == 0;
    }
    const char *name; /* of a command, or `help` */
    for (size_t i = 0; !found && (name = command_name_at(i)) != NULL; i++) {
        found = strcasecmp(name, label) == 0;
    }
    return found;
}

/* A column a character, and no markup. */
static void check_label(lua_State *L, const struct place *at)
{
    if (push_field(L, "label") == LUA_TSTRING) {
        const char *label = lua_tostring(L, -1);
        size_t length = strlen(label);
        bool good = length > 0 && length == lua_rawlen(L, -1) && label[0] != ' ' &&
                    label[length - 1] != ' ' && strstr(label, "  ") == NULL &&
                    strspn(label, LABEL_LETTERS) == length;
        if (!good) {
            schema_fault(
                L, at->p, at->line,
                "%s: a knob's 'label' is of letters, digits, '-' and single blanks between",
                at->what);
        } else if (length > LABEL_MAX) {
            schema_fault(L, at->p, at->line,
                         "%s: the label '%s' of a knob has %d columns, %d fit: shorten it",
                         at->what, label, (int)length, LABEL_MAX);
        } else if (is_plain_word(label)) {
            schema_fault(L, at->p, at->line,
                         "%s: the label '%s' of a knob is a command as well: call it otherwise",
                         at->what, label);
        }
    }
    lua_pop(L, 1);
}

static void check_knob(lua_State *L, const struct place *at)
{
    static const char *const names[] = {KNOB_NAMES};
    schema_fields(L, at, knob_fields, false);
    push_field(L, "name");
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        known = known || strcmp(lua_tostring(L, -1), names[i]) == 0;
    }
    if (!known) {
        schema_unknown(L, at, "knob", lua_tostring(L, -1), names, sizeof names / sizeof *names);
    }
    lua_pop(L, 1);
    check_label(L, at);
    push_field(L, "start");
    bool found = lua_isnil(L, -1);
    lua_pushvalue(L, -2);
    push_field(L, "values");
    lua_remove(L, -2); /* start, values */
    lua_Integer count = count_list(L, at, "values of a knob", 2, VALUES_MAX);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        check_value(L, at, i);
        found = found || lua_rawequal(L, -1, -3);
        lua_pop(L, 1);
    }
    check_values_differ(L, at, count);
    if (!found) {
        schema_fault(L, at->p, at->line, "%s: a knob's 'start' is none of its values", at->what);
    }
    lua_pop(L, 2);
}

/* The list of knobs is on top: no name twice. */
static void check_names_differ(lua_State *L, const struct place *at, lua_Integer count)
{
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        push_field(L, "name"); /* knobs, knob, name */
        for (lua_Integer k = 1; k < i; k++) {
            lua_rawgeti(L, -3, k);
            push_field(L, "name");
            if (lua_rawequal(L, -1, -3)) {
                schema_fault(L, at->p, at->line, "%s: two knobs are called '%s'", at->what,
                             lua_tostring(L, -1));
            }
            lua_pop(L, 2);
        }
        lua_pop(L, 2);
    }
}

/* The list of knobs is on top: a label is typed in place of a name. */
static void check_labels_differ(lua_State *L, const struct place *at, lua_Integer count)
{
    static const char *const fields[] = {"name", "label"};
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        bool labelled = push_field(L, "label") == LUA_TSTRING; /* knobs, knob, label */
        for (lua_Integer k = 1; labelled && k <= 2 * count; k++) {
            lua_Integer other = (k + 1) / 2;
            lua_rawgeti(L, -3, other);
            bool text = push_field(L, fields[k % 2]) == LUA_TSTRING;
            if (other != i && text && strcasecmp(lua_tostring(L, -1), lua_tostring(L, -3)) == 0) {
                schema_fault(L, at->p, at->line,
                             "%s: the label '%s' of a knob is that of another, or its name: "
                             "call it otherwise",
                             at->what, lua_tostring(L, -3));
            }
            lua_pop(L, 2);
        }
        lua_pop(L, 2);
    }
}

void schema_knobs(lua_State *L, const struct place *at)
{
    if (push_field(L, "knobs") == LUA_TTABLE) {
        lua_Integer count = count_list(L, at, "knobs", 1, PAGE_KNOBS_MAX);
        for (lua_Integer i = 1; i <= count; i++) {
            lua_rawgeti(L, -1, i);
            need_table(L, at, "knob", i);
            check_knob(L, at);
            lua_pop(L, 1);
        }
        check_names_differ(L, at, count);
        check_labels_differ(L, at, count);
    }
    lua_pop(L, 1);
}

static void check_group(lua_State *L, const struct place *at)
{
    schema_fields(L, at, group_fields, false);
    push_field(L, "times");
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 ||
        lua_tointeger(L, -1) > PAGE_LAYOUTS_MAX) {
        schema_fault(L, at->p, at->line, "%s: 'times' is a whole number from 1 to %d", at->what,
                     PAGE_LAYOUTS_MAX);
    }
    lua_pop(L, 1);
}

void schema_experiment(lua_State *L, const struct place *at)
{
    if (push_field(L, "experiment") != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    struct place here = {at->p, source_line(at->p, "experiment", at->line), at->what};
    here.line = here.line > 0 ? here.line : at->line;
    schema_fields(L, &here, experiment_fields, false);
    push_field(L, "groups");
    lua_Integer count = count_list(L, &here, "groups", 1, PAGE_GROUPS_MAX);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        need_table(L, &here, "group", i);
        check_group(L, &here);
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    if (has_field(L, "run")) {
        schema_fault(L, at->p, here.line, "%s: a step has either 'run' or 'experiment'", at->what);
    }
}
