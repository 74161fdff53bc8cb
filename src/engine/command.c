/*
 * command: making commands, and reading them from text.
 */
#include "engine/command.h"

#include "base/near.h"
#include "engine/accounts.h"
#include "engine/command_words.h"
#include <stdio.h>
#include <string.h>

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

/* Credits and debits have an amount: 1 if it is not said. */
static bool parse_amount(struct words *in, struct command *out, struct err *err)
{
    if (out->op != OP_CREDIT && out->op != OP_DEBIT) {
        return true;
    }
    out->amount = 1;
    if (!words_left(in) || strcmp(in->word[in->at], "via") == 0) {
        return true;
    }
    if (!words_amount(in, "the amount", &out->amount, err)) {
        return false;
    }
    if (out->amount < 1 || out->amount > AMOUNT_MAX) {
        return err_set(err, "an amount is 1 to %u", AMOUNT_MAX);
    }
    return true;
}

static bool parse_request(struct words *in, struct command *out, struct err *err)
{
    out->zone = ZONE_ANY;
    if (!words_op(in, &out->op, err) || !words_key(in, out, err) || !parse_amount(in, out, err) ||
        !words_expect(in, "via", err) || !words_node(in, 'R', &out->router, err)) {
        return false;
    }
    return !words_skip(in, "from") || words_zone(in, &out->zone, err);
}

static bool parse_flow(struct words *in, struct command *out, struct err *err)
{
    static const char *const names[] = {[ARRIVALS_STEADY] = "steady",
                                        [ARRIVALS_SCATTERED] = "scattered",
                                        [ARRIVALS_POISSON] = "poisson"};
    if (!words_op(in, &out->op, err) || !words_key(in, out, err) ||
        !words_number(in, "the rate", &out->rate, err)) {
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (words_skip(in, names[i])) {
            out->arrivals = (enum arrivals)i;
            break;
        }
    }
    return !words_skip(in, "over") || words_number(in, "the number of keys", &out->count, err);
}

static bool refuse_rule(const char *word, struct err *err)
{
    const char *names[RULE_COUNT];
    for (int i = 0; i < RULE_COUNT; i++) {
        names[i] = rule_name((enum rule)i);
    }
    const char *near = near_name(word, names, RULE_COUNT);
    if (near != NULL) {
        return err_set(err, "\"%s\" is no rule; did you mean %s?", word, near);
    }
    return err_set(err, "\"%s\" is no rule, nor near to one; %s is one", word, names[0]);
}

static bool parse_rule(struct words *in, struct command *out, struct err *err)
{
    const char *word = words_next(in, "the rule", err);
    if (word == NULL) {
        return false;
    }
    if (!rule_by_name(word, &out->rule)) {
        return refuse_rule(word, err);
    }
    return words_on(in, &out->on, err);
}

static bool parse_deaf(struct words *in, struct command *out, struct err *err)
{
    return words_node(in, 'R', &out->router, err) && words_on(in, &out->on, err);
}

static bool parse_reload(struct words *in, struct command *out, struct err *err)
{
    return words_node(in, 'R', &out->router, err);
}

static bool parse_move(struct words *in, struct command *out, struct err *err)
{
    return words_slots(in, out, err) && words_node(in, 'S', &out->shard, err);
}

static bool parse_freeze(struct words *in, struct command *out, struct err *err)
{
    return parse_move(in, out, err) && words_on(in, &out->on, err);
}

static bool parse_shard(struct words *in, struct command *out, struct err *err)
{
    out->zone = ZONE_ANY;
    return words_expect(in, "add", err) && (in->at == in->count || words_zone(in, &out->zone, err));
}

static bool parse_ceiling(struct words *in, struct command *out, struct err *err)
{
    return words_node(in, 'S', &out->shard, err) &&
           words_number(in, "the ceiling of writes", &out->writes, err) &&
           words_number(in, "the ceiling of reads", &out->reads, err) &&
           (in->at == in->count || words_number(in, "the queue", &out->queue, err));
}

static const struct command_form forms[COMMAND_READS] = {
    [COMMAND_REQUEST] = {"request", "request read|like|edit KEY via R3 [from a]", parse_request,
                         NULL},
    [COMMAND_FLOW] = {"flow", "flow read|like|edit KEY RATE [steady|scattered|poisson] [over N]",
                      parse_flow, NULL},
    [COMMAND_RULE] = {"rule", "rule NAME on|off", parse_rule, NULL},
    [COMMAND_DEAF] = {"deaf", "deaf R5 on|off", parse_deaf, NULL},
    [COMMAND_RELOAD] = {"reload", "reload R5", parse_reload, NULL},
    [COMMAND_MOVE] = {"move", "move FIRST-LAST S4", parse_move, NULL},
    [COMMAND_FREEZE] = {"freeze", "freeze FIRST-LAST S2 on|off", parse_freeze, NULL},
    [COMMAND_SHARD_ADD] = {"shard", "shard add [a]", parse_shard, NULL},
    [COMMAND_CEILING] = {"ceiling", "ceiling S2 WRITES READS [QUEUE]", parse_ceiling, NULL},
};

const struct command_form *command_form_of(enum command_kind kind)
{
    if (kind < COMMAND_READS) {
        return &forms[kind];
    }
    if (kind < COMMAND_WRITES) {
        return command_form_of_reads(kind);
    }
    if (kind < COMMAND_INDEX) {
        return command_form_of_writes(kind);
    }
    if (kind < COMMAND_LIMIT) {
        return command_form_of_accounts(kind);
    }
    if (kind < COMMAND_MIGRATE) {
        return command_form_of_guards(kind);
    }
    if (kind < COMMAND_DUAL) {
        return command_form_of_moves(kind);
    }
    return kind < COMMAND_NETWORK ? command_form_of_shifts(kind) : command_form_of_faults(kind);
}

/* What is said about a word that is no command: the one that may be meant, or all of them. */
static void refuse_name(const char *name, struct err *err)
{
    const char *names[COMMAND_KINDS];
    struct str all = STR_EMPTY;
    for (int i = 0; i < COMMAND_KINDS; i++) {
        names[i] = command_form_of((enum command_kind)i)->name;
        str_addf(&all, "%s%s", i == 0 ? "" : i + 1 == COMMAND_KINDS ? " and " : ", ", names[i]);
    }
    const char *near = near_name(name, names, COMMAND_KINDS);
    if (near != NULL) {
        err_set(err, "\"%s\" is no command; did you mean %s?", name, near);
    } else {
        err_set(err, "\"%s\" is no command; commands are %s", name, str_text(&all));
    }
    str_free(&all);
}

bool command_parse(const char *text, struct command *out, struct err *err)
{
    struct words in = {.form = "a command and its words"};
    if (!words_split(text, &in, err)) {
        return false;
    }
    const char *name = words_next(&in, "the command", err);
    if (name == NULL) {
        return false;
    }
    for (int i = 0; i < COMMAND_KINDS; i++) {
        const struct command_form *form = command_form_of((enum command_kind)i);
        if (strcmp(name, form->name) != 0) {
            continue;
        }
        in.form = form->form;
        *out = (struct command){.kind = (enum command_kind)i};
        return form->parse(&in, out, err) && words_end(&in, err);
    }
    refuse_name(name, err);
    return false;
}
