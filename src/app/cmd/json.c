/*
 * json: see json.h.
 */
#include "app/cmd/json.h"
#include "base/check.h"
#include "base/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_DIGITS 10 /* a share of a million keys is exact, and 0.8 prints as 0.8 */

json_t *json_line(void)
{
    json_t *object = json_object();
    CHECK(object);
    return object;
}

void json_set(json_t *object, const char *name, json_t *value)
{
    CHECK(value && json_object_set_new(object, name, value) == 0);
}

void json_push(json_t *array, json_t *value)
{
    CHECK(value && json_array_append_new(array, value) == 0);
}

/* Whether the bytes are well-formed UTF-8 as a whole. */
static bool is_utf8(struct bytes bytes)
{
    json_t *probe = json_stringn(bytes.at ? bytes.at : "", bytes.length);
    bool good = probe != NULL;
    json_decref(probe);
    return good;
}

static void add_escaped(struct str *out, struct bytes bytes)
{
    for (size_t at = 0; at < bytes.length;) {
        uint32_t point = 0;
        size_t used = utf8_decode(bytes.at + at, bytes.length - at, &point);
        if (point == UTF8_REPLACEMENT && used == 1) {
            str_addf(out, "\\x%02X", (unsigned)(unsigned char)bytes.at[at]);
        } else if (bytes.at[at] == '\\') {
            str_add(out, "\\\\");
        } else {
            str_addn(out, bytes.at + at, used);
        }
        at += used;
    }
}

void json_set_bytes(json_t *object, const char *name, struct bytes bytes)
{
    if (is_utf8(bytes)) {
        json_set(object, name, json_stringn(bytes.at ? bytes.at : "", bytes.length));
        return;
    }
    struct str text = STR_EMPTY;
    add_escaped(&text, bytes);
    json_set(object, name, json_stringn(str_text(&text), text.length));
    str_clear(&text);
    for (size_t i = 0; i < bytes.length; i++) {
        str_addf(&text, "%02x", (unsigned)(unsigned char)bytes.at[i]);
    }
    struct str hex_name = STR_EMPTY;
    str_addf(&hex_name, "%s_hex", name);
    json_set(object, str_text(&hex_name), json_stringn(str_text(&text), text.length));
    str_free(&hex_name);
    str_free(&text);
}

void json_set_text(json_t *object, const char *name, const char *text)
{
    if (!text) {
        json_set(object, name, json_null());
    } else if (is_utf8(bytes_of(text))) {
        json_set(object, name, json_string(text));
    } else {
        struct str safe = STR_EMPTY;
        utf8_visible(&safe, text, strlen(text));
        json_set(object, name, json_string(str_text(&safe)));
        str_free(&safe);
    }
}

void json_set_whole(json_t *object, const char *name, int64_t value)
{
    json_set(object, name, json_integer(value));
}

void json_set_ratio(json_t *object, const char *name, double value)
{
    json_set(object, name, json_real(value));
}

void json_print(json_t *object)
{
    char *text =
        json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(RATIO_DIGITS));
    CHECK(text);
    puts(text);
    free(text);
    json_decref(object);
}
