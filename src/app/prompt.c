/*
 * prompt: see prompt.h.
 */
#include "app/prompt.h"
#include "base/utf8.h"
#include <string.h>

static size_t limit_of(const struct prompt *p)
{
    size_t limit = p->limit ? p->limit : PROMPT_LINE_MAX;
    return limit < PROMPT_BYTES_MAX ? limit : PROMPT_BYTES_MAX;
}

/* The end of the cluster that starts at `at`. */
static size_t cluster_end(const struct prompt *p, size_t at)
{
    uint32_t point = 0;
    if (at >= p->length) {
        return p->length;
    }
    at += utf8_decode(p->text + at, p->length - at, &point);
    while (at < p->length) {
        size_t used = utf8_decode(p->text + at, p->length - at, &point);
        if (utf8_width(point) != 0) {
            break;
        }
        at += used;
    }
    return at;
}

static size_t cluster_start_before(const struct prompt *p, size_t at)
{
    size_t start = 0;
    for (size_t next = 0; next < at; next = cluster_end(p, next)) {
        start = next;
    }
    return start;
}

static void cut(struct prompt *p, size_t from, size_t to)
{
    memmove(p->text + from, p->text + to, p->length - to + 1);
    p->length -= to - from;
    p->cursor = from;
}

void prompt_set(struct prompt *p, const char *text)
{
    size_t length = strlen(text);
    p->overflowed = length > limit_of(p);
    p->length = p->overflowed ? 0 : length;
    memcpy(p->text, text, p->length);
    p->text[p->length] = '\0';
    p->cursor = p->length;
    p->offered = false;
}

void prompt_offer(struct prompt *p, const char *text)
{
    prompt_set(p, text);
    p->offered = p->length > 0;
}

void prompt_insert(struct prompt *p, uint32_t point)
{
    char bytes[4];
    if (point == '\n' || point == '\r' || point == '\t') {
        point = ' ';
    }
    if (point < ' ' || (point >= 0x7F && point < 0xA0) || point > 0x10FFFF) {
        return;
    }
    if (p->offered) {
        prompt_set(p, "");
    }
    size_t length = utf8_encode(point, bytes);
    if (p->length + length > limit_of(p)) {
        p->overflowed = true;
        return;
    }
    memmove(p->text + p->cursor + length, p->text + p->cursor, p->length - p->cursor + 1);
    memcpy(p->text + p->cursor, bytes, length);
    p->length += length;
    p->cursor += length;
}

bool prompt_edit(struct prompt *p, enum action action)
{
    p->overflowed = p->offered = false;
    if (action == ACT_LEFT) {
        p->cursor = cluster_start_before(p, p->cursor);
    } else if (action == ACT_RIGHT) {
        p->cursor = cluster_end(p, p->cursor);
    } else if (action == ACT_FIRST) {
        p->cursor = 0;
    } else if (action == ACT_LAST) {
        p->cursor = p->length;
    } else if (action == ACT_ERASE) {
        cut(p, cluster_start_before(p, p->cursor), p->cursor);
    } else if (action == ACT_DELETE) {
        cut(p, p->cursor, cluster_end(p, p->cursor));
    } else if (action == ACT_ERASE_ALL) {
        cut(p, 0, p->length);
    } else {
        return false;
    }
    return true;
}
