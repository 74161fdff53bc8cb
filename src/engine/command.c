/*
 * command: making commands, and reading them from text.
 */
#include "engine/command.h"

#include "base/num.h"
#include <stdio.h>
#include <string.h>

#define WORDS_MAX 10
#define WORD_BYTES (KEY_BYTES_MAX * 3 + 1)

/* The words of a line; `at` is the next to be read. */
struct words {
    char word[WORDS_MAX][WORD_BYTES];
    int count;
    int at;
    const char *form; /* how the command is written, for errors */
};

static void set_key(struct command *c, struct bytes key)
{
    size_t length =
        key.length < UINT8_MAX ? key.length : UINT8_MAX; /* too long: world_apply says */
    c->key_length = (uint8_t)length;
    memcpy(c->key, key.at, length < KEY_BYTES_MAX ? length : KEY_BYTES_MAX);
}

struct command command_request(enum op_kind op, struct bytes key, uint16_t router)
{
    struct command c = {.kind = COMMAND_REQUEST, .op = op, .router = router, .zone = ZONE_ANY};
    set_key(&c, key);
    return c;
}

struct command command_flow(enum op_kind op, struct bytes key, uint32_t rate,
                            enum arrivals arrivals)
{
    struct command c = {.kind = COMMAND_FLOW, .op = op, .rate = rate, .arrivals = arrivals};
    set_key(&c, key);
    return c;
}

static bool split(const char *text, struct words *out, struct err *err)
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
static const char *next(struct words *in, const char *what, struct err *err)
{
    if (in->at == in->count) {
        err_set(err, "%s is missing; write: %s", what, in->form);
        return NULL;
    }
    return in->word[in->at++];
}

static bool end(const struct words *in, struct err *err)
{
    if (in->at < in->count) {
        return err_set(err, "\"%s\" is one word too many; write: %s", in->word[in->at], in->form);
    }
    return true;
}

static bool read_op(struct words *in, enum op_kind *op, struct err *err)
{
    const char *word = next(in, "the operation", err);
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

static bool read_key(struct words *in, struct command *out, struct err *err)
{
    const char *word = next(in, "the key", err);
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
    set_key(out, (struct bytes){.at = key, .length = length});
    return true;
}

/* "R3" or "S4". */
static bool read_node(struct words *in, char letter, uint16_t *out, struct err *err)
{
    bool router = letter == 'R';
    const char *word = next(in, router ? "the router" : "the shard", err);
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

static bool read_number(struct words *in, const char *what, uint32_t *out, struct err *err)
{
    uint64_t value = 0;
    const char *word = next(in, what, err);
    if (word == NULL || !num_parse_u64(word, what, 0, UINT32_MAX, &value, err)) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool read_zone(struct words *in, uint8_t *out, struct err *err)
{
    const char *word = next(in, "the zone", err);
    if (word == NULL) {
        return false;
    }
    if (word[0] < 'a' || word[0] >= 'a' + ZONES_MAX || word[1] != '\0') {
        return err_set(err, "\"%s\" is no zone; zones are a to %c", word, 'a' + ZONES_MAX - 1);
    }
    *out = (uint8_t)(word[0] - 'a');
    return true;
}

static bool read_on(struct words *in, bool *out, struct err *err)
{
    const char *word = next(in, "\"on\" or \"off\"", err);
    if (word == NULL) {
        return false;
    }
    *out = strcmp(word, "on") == 0;
    if (!*out && strcmp(word, "off") != 0) {
        return err_set(err, "\"%s\" is neither on nor off", word);
    }
    return true;
}

/* "12067" or "12067-12070". */
static bool read_slots(struct words *in, struct command *out, struct err *err)
{
    const char *word = next(in, "the slots", err);
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
        return err_set(err, "\"%s\" is no slot or run of slots; write 12067 or 0-4095", word);
    }
    out->first = (uint32_t)low;
    out->last = (uint32_t)high;
    return true;
}

/* Takes `word` if it comes next. */
static bool skip_word(struct words *in, const char *word)
{
    if (in->at < in->count && strcmp(in->word[in->at], word) == 0) {
        in->at++;
        return true;
    }
    return false;
}

static bool expect_word(struct words *in, const char *word, struct err *err)
{
    if (skip_word(in, word)) {
        return true;
    }
    return err_set(err, "\"%s\" is missing; write: %s", word, in->form);
}

static bool parse_request(struct words *in, struct command *out, struct err *err)
{
    out->zone = ZONE_ANY;
    if (!read_op(in, &out->op, err) || !read_key(in, out, err) || !expect_word(in, "via", err) ||
        !read_node(in, 'R', &out->router, err)) {
        return false;
    }
    return !skip_word(in, "from") || read_zone(in, &out->zone, err);
}

static bool parse_flow(struct words *in, struct command *out, struct err *err)
{
    static const char *const names[] = {[ARRIVALS_STEADY] = "steady",
                                        [ARRIVALS_SCATTERED] = "scattered",
                                        [ARRIVALS_POISSON] = "poisson"};
    if (!read_op(in, &out->op, err) || !read_key(in, out, err) ||
        !read_number(in, "the rate", &out->rate, err)) {
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (skip_word(in, names[i])) {
            out->arrivals = (enum arrivals)i;
            break;
        }
    }
    return true;
}

static bool parse_rule(struct words *in, struct command *out, struct err *err)
{
    const char *word = next(in, "the rule", err);
    if (word == NULL) {
        return false;
    }
    if (!rule_by_name(word, &out->rule)) {
        return err_set(err, "\"%s\" is no rule; the rules are %s and %s", word,
                       rule_name(RULE_SLOT_TABLE_CHECK), rule_name(RULE_RELOAD_ON_MOVED));
    }
    return read_on(in, &out->on, err);
}

static bool parse_deaf(struct words *in, struct command *out, struct err *err)
{
    return read_node(in, 'R', &out->router, err) && read_on(in, &out->on, err);
}

static bool parse_reload(struct words *in, struct command *out, struct err *err)
{
    return read_node(in, 'R', &out->router, err);
}

static bool parse_move(struct words *in, struct command *out, struct err *err)
{
    return read_slots(in, out, err) && read_node(in, 'S', &out->shard, err);
}

static bool parse_freeze(struct words *in, struct command *out, struct err *err)
{
    return parse_move(in, out, err) && read_on(in, &out->on, err);
}

static bool parse_shard(struct words *in, struct command *out, struct err *err)
{
    out->zone = ZONE_ANY;
    return expect_word(in, "add", err) && (in->at == in->count || read_zone(in, &out->zone, err));
}

static bool parse_ceiling(struct words *in, struct command *out, struct err *err)
{
    return read_node(in, 'S', &out->shard, err) &&
           read_number(in, "the ceiling of writes", &out->writes, err) &&
           read_number(in, "the ceiling of reads", &out->reads, err) &&
           (in->at == in->count || read_number(in, "the queue", &out->queue, err));
}

static const struct {
    const char *name;
    const char *form;
    bool (*parse)(struct words *in, struct command *out, struct err *err);
} forms[COMMAND_KINDS] = {
    [COMMAND_REQUEST] = {"request", "request read|like|edit KEY via R3 [from a]", parse_request},
    [COMMAND_FLOW] = {"flow", "flow read|like|edit KEY RATE [steady|scattered|poisson]",
                      parse_flow},
    [COMMAND_RULE] = {"rule", "rule NAME on|off", parse_rule},
    [COMMAND_DEAF] = {"deaf", "deaf R5 on|off", parse_deaf},
    [COMMAND_RELOAD] = {"reload", "reload R5", parse_reload},
    [COMMAND_MOVE] = {"move", "move FIRST-LAST S4", parse_move},
    [COMMAND_FREEZE] = {"freeze", "freeze FIRST-LAST S2 on|off", parse_freeze},
    [COMMAND_SHARD_ADD] = {"shard", "shard add [a]", parse_shard},
    [COMMAND_CEILING] = {"ceiling", "ceiling S2 WRITES READS [QUEUE]", parse_ceiling},
};

bool command_parse(const char *text, struct command *out, struct err *err)
{
    struct words in = {.form = "request, flow, rule, deaf, reload, move, freeze, shard or ceiling"};
    if (!split(text, &in, err)) {
        return false;
    }
    const char *name = next(&in, "the command", err);
    if (name == NULL) {
        return false;
    }
    for (size_t i = 0; i < COMMAND_KINDS; i++) {
        if (strcmp(name, forms[i].name) != 0) {
            continue;
        }
        in.form = forms[i].form;
        *out = (struct command){.kind = (enum command_kind)i};
        return forms[i].parse(&in, out, err) && end(&in, err);
    }
    return err_set(err, "\"%s\" is no command; commands are %s", name,
                   "request, flow, rule, deaf, reload, move, freeze, shard and ceiling");
}
