/*
 * command: making commands, and reading them from text.
 */
#include "engine/command.h"

#include "base/check.h"
#include "base/near.h"
#include "engine/accounts/accounts.h"
#include "engine/words/command_words.h"
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
    if (!words_left(in) || strcmp(in->word[in->at], "via") == 0 ||
        strcmp(in->word[in->at], "from") == 0) {
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

/* Of a request, all after the operation. `router` is the one through which it goes if none is said;
 * NULL: one must be said. */
static bool parse_asked(struct words *in, const uint16_t *router, struct command *out,
                        struct err *err)
{
    out->zone = ZONE_ANY;
    if (!words_key(in, out, err) || !parse_amount(in, out, err)) {
        return false;
    }
    if (router == NULL && !words_expect(in, "via", err)) {
        return false;
    }
    out->router = router == NULL ? 0 : *router;
    if ((router == NULL || words_skip(in, "via")) && !words_node(in, 'R', &out->router, err)) {
        return false;
    }
    return !words_skip(in, "from") || words_zone(in, &out->zone, err);
}

static bool parse_request(struct words *in, struct command *out, struct err *err)
{
    return words_op(in, &out->op, err) && parse_asked(in, NULL, out, err);
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
    [COMMAND_REQUEST] =
        {"request", "request read|like|edit KEY via R3 [from a]",
         "one request through a router of your choice",
         "read|like|edit: what is asked; accounts know credit and debit KEY [AMOUNT], "
         "budgets take KEY\n"
         "via R3: the router that is asked\n"
         "from a: the client's zone; left out: the zone of the router",
         parse_request, NULL},
    [COMMAND_FLOW] = {"flow", "flow read|like|edit KEY RATE [steady|scattered|poisson] [over N]",
                      "traffic: the same request again and again, through all routers",
                      "RATE: requests a second; 0 ends the flow\n"
                      "steady: evenly spaced (if you say nothing)\n"
                      "scattered: exactly RATE in each second, at random instants\n"
                      "poisson: RATE on average\n"
                      "over N: of N keys, one at random each time; KEY has a star: user:*",
                      parse_flow, NULL},
    [COMMAND_RULE] = {"rule", "rule NAME on|off", "breaks a rule of the protocols, or mends it",
                      "NAME: for example slot-table-check, reload-on-moved, fence", parse_rule,
                      NULL},
    [COMMAND_DEAF] = {"deaf", "deaf R5 on|off",
                      "a router stops hearing of new maps (on), or hears again (off)", NULL,
                      parse_deaf, NULL},
    [COMMAND_RELOAD] = {"reload", "reload R5", "a router asks the directory for the map now", NULL,
                        parse_reload, NULL},
    [COMMAND_MOVE] = {"move", "move FIRST-LAST S4",
                      "slots change their shard in one instant; migrate does it live",
                      "FIRST-LAST: slots, both included; one slot may stand alone\n"
                      "S4: the shard that gets them",
                      parse_move, NULL},
    [COMMAND_FREEZE] = {"freeze", "freeze FIRST-LAST S2 on|off",
                        "a shard answers \"migrating, retry\" for slots (on) or serves (off)",
                        "FIRST-LAST: slots, both included; one slot may stand alone\n"
                        "S2: their owner",
                        parse_freeze, NULL},
    [COMMAND_SHARD_ADD] = {"shard", "shard add [a]", "an empty shard joins",
                           "a: its zone; left out: the next in turn", parse_shard, NULL},
    [COMMAND_CEILING] = {"ceiling", "ceiling S2 WRITES READS [QUEUE]", "how much a shard can serve",
                         "WRITES, READS: a second; 0: no ceiling\n"
                         "QUEUE: requests that may wait for their turn; left out: 0",
                         parse_ceiling, NULL},
};

const struct command_form *command_form_short(enum op_kind op)
{
    static const char words[] = "via R3: the router that is asked; left out: the page's\n"
                                "from a: the client's zone; left out: the zone of the router";
    static const struct command_form shorts[OP_ASKABLE] = {
        [OP_READ] = {"read", "read KEY", "one read; more words: via R3, from a", words, NULL, NULL},
        [OP_LIKE] = {"like", "like KEY", "one like: the count grows by 1", words, NULL, NULL},
        [OP_EDIT] = {"edit", "edit KEY", "one write of a value", words, NULL, NULL},
        [OP_CREDIT] = {"credit", "credit KEY [AMOUNT]", "adds to an account; 1 if you say nothing",
                       words, NULL, NULL},
        [OP_DEBIT] = {"debit", "debit KEY [AMOUNT]",
                      "takes from an account, if so much is there; 1 if you say nothing", words,
                      NULL, NULL},
        [OP_TAKE] = {"take", "take KEY", "takes a token of a budget", words, NULL, NULL},
    };
    CHECK(op < OP_ASKABLE);
    return &shorts[op];
}

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
    if (kind < COMMAND_QUERY) {
        return command_form_of_shifts(kind);
    }
    if (kind < COMMAND_ROW) {
        return command_form_of_queries(kind);
    }
    if (kind < COMMAND_CATALOG) {
        return command_form_of_txns(kind);
    }
    if (kind < COMMAND_NODE) {
        return command_form_of_indexes(kind);
    }
    if (kind < COMMAND_GROUP) {
        return command_form_of_nodes(kind);
    }
    if (kind < COMMAND_STORE) {
        return command_form_of_copies(kind);
    }
    if (kind < COMMAND_BEATS) {
        return command_form_of_quorums(kind);
    }
    if (kind < COMMAND_CAPACITY) {
        return command_form_of_watch(kind);
    }
    if (kind < COMMAND_SYSTEM) {
        return command_form_of_fleet(kind);
    }
    if (kind < COMMAND_NETWORK) {
        return command_form_of_systems(kind);
    }
    return command_form_of_faults(kind);
}

const struct command_form *command_form_by_name(const char *name)
{
    enum op_kind op;
    for (int i = 0; i < COMMAND_KINDS; i++) {
        const struct command_form *form = command_form_of((enum command_kind)i);
        if (strcmp(name, form->name) == 0) {
            return form;
        }
    }
    return op_by_name(name, &op) ? command_form_short(op) : NULL;
}

#define NAMES_SAID 120 /* bytes of names in an error: a sentence, not the whole list */

void command_refuse_name(const char *name, bool typed, struct err *err)
{
    const char *names[OP_ASKABLE + COMMAND_KINDS + 1];
    size_t count = 0;
    for (int i = 0; i < OP_ASKABLE; i++) {
        names[count++] = command_form_short((enum op_kind)i)->name;
    }
    for (int i = 0; i < COMMAND_KINDS; i++) {
        names[count++] = command_form_of((enum command_kind)i)->name;
    }
    names[count] = "help";
    const char *near = near_name(name, names, typed ? count + 1 : count);
    if (near != NULL) {
        err_set(err, "\"%s\" is no command; did you mean %s?", name, near);
        return;
    }
    struct str all = STR_EMPTY;
    for (size_t i = 0; i < count && all.length < NAMES_SAID; i++) {
        str_addf(&all, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", names[i]);
    }
    str_add(&all, all.length < NAMES_SAID ? "" : " ...");
    err_set(err, "\"%s\" is no command; commands are %s%s", name, str_text(&all),
            typed ? "; help tells what they do" : "");
    str_free(&all);
}

/* The first word, in small letters. */
static const char *take_name(struct words *in, struct err *err)
{
    if (words_left(in)) {
        for (char *c = in->word[in->at]; *c != '\0'; c++) {
            *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        }
    }
    return words_next(in, "the command", err);
}

static bool parse_short(struct words *in, enum op_kind op, const uint16_t *router,
                        struct command *out, struct err *err)
{
    in->form = command_form_short(op)->form;
    if (router == NULL) {
        return err_set(err, "\"%s\" alone is no command here; write: request %s KEY via R3",
                       op_name(op), op_name(op));
    }
    *out = (struct command){.kind = COMMAND_REQUEST, .op = op};
    return parse_asked(in, router, out, err) && words_end(in, err);
}

/* Without a router, a request in short is no command. */
static bool parse(const char *text, const uint16_t *router, struct command *out, struct err *err)
{
    struct words in = {.form = "a command and its words"};
    if (!words_split(text, &in, err)) {
        return false;
    }
    const char *name = take_name(&in, err);
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
    enum op_kind op;
    if (op_by_name(name, &op)) {
        return parse_short(&in, op, router, out, err);
    }
    command_refuse_name(name, router != NULL, err);
    return false;
}

bool command_parse(const char *text, struct command *out, struct err *err)
{
    return parse(text, NULL, out, err);
}

bool command_parse_typed(const char *text, uint16_t router, struct command *out, struct err *err)
{
    return parse(text, &router, out, err);
}
