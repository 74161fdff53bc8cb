/*
 * command_words: the words of a command, one kind of word after another.
 */
#include "engine/words/command_words.h"

#include "base/num.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool words_split(const char *text, struct words *out, struct err *err)
{
    while (*(text += strspn(text, " \t")) != '\0') {
        size_t length = strcspn(text, " \t");
        if (out->count == WORDS_MAX) {
            return err_set(err, "no command has more than %d words", WORDS_MAX);
        }
        if (length >= WORD_BYTES) {
            return err_set(err, "the word \"%.20s...\" is too long; a word has at most %d bytes",
                           text, WORD_BYTES - 1);
        }
        memcpy(out->word[out->count], text, length);
        out->word[out->count++][length] = '\0';
        text += length;
    }
    return true;
}

/* The next word; `what` says what is expected there. */
const char *words_next(struct words *in, const char *what, struct err *err)
{
    if (in->at == in->count) {
        err_set(err, "%s is missing; write: %s", what, in->form);
        return NULL;
    }
    return in->word[in->at++];
}

bool words_end(const struct words *in, struct err *err)
{
    if (in->at < in->count) {
        return err_set(err, "\"%s\" is one word too many; write: %s", in->word[in->at], in->form);
    }
    return true;
}

bool words_op(struct words *in, enum op_kind *op, struct err *err)
{
    const char *word = words_next(in, "the operation", err);
    if (word == NULL) {
        return false;
    }
    if (!op_by_name(word, op)) {
        return err_set(err, "\"%s\" is no operation; use read, like or edit", word);
    }
    return true;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a key's text, with %XX for bytes that a word cannot hold. */
static bool read_text(struct words *in, const char *what, char *out, uint8_t *out_length,
                      struct err *err)
{
    const char *word = words_next(in, what, err);
    if (word == NULL) {
        return false;
    }
    char key[WORD_BYTES];
    size_t length = 0;
    for (const char *c = word; *c != '\0'; c++) {
        if (*c != '%') {
            key[length++] = *c;
            continue;
        }
        if (hex(c[1]) < 0 || hex(c[2]) < 0) {
            return err_set(err, "key \"%s\": %% needs two hexadecimal digits, as in %%20", word);
        }
        key[length++] = (char)(unsigned char)(hex(c[1]) * 16 + hex(c[2]));
        c += 2;
    }
    if (length > KEY_BYTES_MAX) {
        return err_set(err, "key \"%.20s...\" has %zu bytes; a key has at most %d", word, length,
                       KEY_BYTES_MAX);
    }
    memcpy(out, key, length);
    *out_length = (uint8_t)length;
    return true;
}

bool words_key(struct words *in, struct command *out, struct err *err)
{
    return read_text(in, "the key", out->key, &out->key_length, err);
}

bool words_name(struct words *in, struct command *out, struct err *err)
{
    return read_text(in, "the name", out->key, &out->key_length, err);
}

bool words_other(struct words *in, const char *what, struct command *out, struct err *err)
{
    return read_text(in, what, out->other, &out->other_length, err);
}

/* "R3" or "S4". */
bool words_node(struct words *in, char letter, uint16_t *out, struct err *err)
{
    bool router = letter == 'R';
    const char *word = words_next(in, router ? "the router" : "the shard", err);
    if (word == NULL) {
        return false;
    }
    uint64_t index = 0;
    if (word[0] != letter || !num_parse_u64(word + 1, "node", 0, UINT16_MAX - 1, &index, NULL)) {
        return err_set(err, "\"%s\" is no %s; write %c and its number, as in %c%d", word,
                       router ? "router" : "shard", letter, letter, router ? 3 : 2);
    }
    *out = (uint16_t)index;
    return true;
}

bool words_machine(struct words *in, uint16_t *out, struct err *err)
{
    const char *word = words_next(in, "the node", err);
    if (word == NULL) {
        return false;
    }
    uint64_t number = 0;
    if (word[0] != 'N' || !num_parse_u64(word + 1, "node", 1, UINT16_MAX - 1, &number, NULL)) {
        return err_set(err, "\"%s\" is no node; write N and its number from 1 on, as in N3", word);
    }
    *out = (uint16_t)(number - 1);
    return true;
}

bool words_number(struct words *in, const char *what, uint32_t *out, struct err *err)
{
    uint64_t value = 0;
    const char *word = words_next(in, what, err);
    if (word == NULL || !num_parse_u64(word, what, 0, UINT32_MAX, &value, err)) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

bool words_zone(struct words *in, uint8_t *out, struct err *err)
{
    const char *word = words_next(in, "the zone", err);
    if (word == NULL) {
        return false;
    }
    if (word[0] < 'a' || word[0] >= 'a' + ZONES_MAX || word[1] != '\0') {
        return err_set(err, "\"%s\" is no zone; zones are a to %c", word, 'a' + ZONES_MAX - 1);
    }
    *out = (uint8_t)(word[0] - 'a');
    return true;
}

bool words_on(struct words *in, bool *out, struct err *err)
{
    const char *word = words_next(in, "\"on\" or \"off\"", err);
    if (word == NULL) {
        return false;
    }
    *out = strcmp(word, "on") == 0;
    if (!*out && strcmp(word, "off") != 0) {
        return err_set(err, "\"%s\" is neither on nor off", word);
    }
    return true;
}

/* Slots from the next word; `wanted` says what it should have been. */
static bool read_slots(struct words *in, const char *wanted, struct command *out, struct err *err)
{
    const char *word = words_next(in, "the slot", err);
    if (word == NULL) {
        return false;
    }
    char first[WORD_BYTES];
    size_t length = strcspn(word, "-");
    (void)snprintf(first, sizeof first, "%.*s", (int)length, word);
    const char *last = word[length] == '-' ? word + length + 1 : first;
    uint64_t low = 0;
    uint64_t high = 0;
    if (!num_parse_u64(first, "slot", 0, UINT16_MAX, &low, NULL) ||
        !num_parse_u64(last, "slot", 0, UINT16_MAX, &high, NULL)) {
        return err_set(err, "\"%s\" is no %s", word, wanted);
    }
    out->first = (uint32_t)low;
    out->last = (uint32_t)high;
    return true;
}

bool words_slots(struct words *in, struct command *out, struct err *err)
{
    return read_slots(in, "slot or run of slots; write 12067 or 0-4095", out, err);
}

bool words_slot(struct words *in, struct command *out, struct err *err)
{
    return read_slots(in, "slot; write its number, as in 12067", out, err);
}

/* Takes `word` if it comes next. */
bool words_skip(struct words *in, const char *word)
{
    if (in->at < in->count && strcmp(in->word[in->at], word) == 0) {
        in->at++;
        return true;
    }
    return false;
}

bool words_expect(struct words *in, const char *word, struct err *err)
{
    if (words_skip(in, word)) {
        return true;
    }
    return err_set(err, "\"%s\" is missing; write: %s", word, in->form);
}

bool words_left(const struct words *in)
{
    return in->at < in->count;
}

bool words_amount(struct words *in, const char *what, uint64_t *out, struct err *err)
{
    const char *word = words_next(in, what, err);
    return word != NULL && num_parse_u64(word, what, 0, INT64_MAX, out, err);
}

/* What a unit stands for, 0: there is no such unit. */
static uint64_t bytes_of_unit(const char *unit)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"", 1}, {"KB", 1000}, {"MB", 1000000}, {"GB", 1000000000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) == 0) {
            return units[i].bytes;
        }
    }
    return 0;
}

bool words_bytes(struct words *in, const char *what, uint64_t most, uint64_t *out, struct err *err)
{
    const char *word = words_next(in, what, err);
    if (word == NULL) {
        return false;
    }
    char digits[24];
    size_t length = strspn(word, "0123456789");
    uint64_t unit = bytes_of_unit(word + length);
    (void)snprintf(digits, sizeof digits, "%.*s", (int)length, word);
    if (unit == 0 || length == 0 || length >= sizeof digits) {
        return err_set(err,
                       "%s: \"%s\" is no number of bytes; write 200000000, or 200MB (KB, MB, GB)",
                       what, word);
    }
    if (!num_parse_u64(digits, what, 0, most / unit, out, NULL)) {
        return err_set(err, "%s: %s is too much; give at most %" PRIu64 " bytes", what, word, most);
    }
    *out *= unit;
    return true;
}

bool words_ms(struct words *in, const char *what, int64_t *out_us, struct err *err)
{
    const char *word = words_next(in, what, err);
    if (word == NULL) {
        return false;
    }
    uint64_t whole = 0;
    uint64_t part = 0;
    size_t length = strcspn(word, ".");
    char text[24];
    if (length == 0 || length >= sizeof text) {
        return err_set(err, "\"%s\" is no time in milliseconds; write 500 or 0.25", word);
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)length, word);
    if (!num_parse_u64(text, what, 0, 1000000000, &whole, err)) {
        return false;
    }
    if (word[length] == '.') {
        const char *digits = word + length + 1;
        size_t count = strlen(digits);
        if (count < 1 || count > 3 || !num_parse_u64(digits, what, 0, 999, &part, NULL)) {
            return err_set(err, "\"%s\" is no time in milliseconds; write 500 or 0.25", word);
        }
        for (; count < 3; count++) {
            part *= 10;
        }
    }
    *out_us = (int64_t)(whole * 1000 + part);
    return true;
}

bool words_choice(struct words *in, const char *what, const char *const *names, size_t count,
                  uint8_t *out, struct err *err)
{
    const char *word = words_next(in, what, err);
    if (word == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, names[i]) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    }
    return err_set(err, "\"%s\" is not %s; write: %s", word, what, in->form);
}

void say_key_text(const char *key, uint8_t length, struct str *out)
{
    for (uint32_t i = 0; i < length && i < KEY_BYTES_MAX; i++) {
        unsigned char byte = (unsigned char)key[i];
        if (byte <= ' ' || byte == '%' || byte >= 0x7F) {
            str_addf(out, "%%%02X", byte);
        } else {
            str_addc(out, (char)byte);
        }
    }
}

void say_ms(int64_t us, struct str *out)
{
    str_addf(out, "%lld", (long long)(us / 1000));
    if (us % 1000 != 0) {
        char part[16];
        (void)snprintf(part, sizeof part, ".%03u", (unsigned)(us % 1000));
        size_t length = strlen(part);
        while (part[length - 1] == '0') {
            part[--length] = '\0';
        }
        str_add(out, part);
    }
}
