/*
 * command_words: reading a command's words, for all files that know commands.
 *
 * Each function takes the next word or words, or says in err what is missing or wrong, and how the
 * command is written.
 */
#ifndef HOTSHARD_ENGINE_COMMAND_WORDS_H
#define HOTSHARD_ENGINE_COMMAND_WORDS_H

#include "engine/command.h"

#define WORDS_MAX 16
#define WORD_BYTES (KEY_BYTES_MAX * 3 + 1)

/* The words of a line; `at` is the next to be read. */
struct words {
    char word[WORDS_MAX][WORD_BYTES];
    int count;
    int at;
    const char *form; /* how the command is written, for errors */
};

bool words_split(const char *text, struct words *out, struct err *err);
/* The next word; `what` says what is expected there. NULL: there is none. */
const char *words_next(struct words *in, const char *what, struct err *err);
bool words_end(const struct words *in, struct err *err);
bool words_left(const struct words *in);
bool words_op(struct words *in, enum op_kind *op, struct err *err);
/* A key into command.key; the name of a thing there; text into command.other, `what` says which. */
bool words_key(struct words *in, struct command *out, struct err *err);
bool words_name(struct words *in, struct command *out, struct err *err);
bool words_other(struct words *in, const char *what, struct command *out, struct err *err);
/* "R3" or "S4": the letter is given. */
bool words_node(struct words *in, char letter, uint16_t *out, struct err *err);
/* "N3", which is index 2. */
bool words_machine(struct words *in, uint16_t *out, struct err *err);
bool words_number(struct words *in, const char *what, uint32_t *out, struct err *err);
bool words_amount(struct words *in, const char *what, uint64_t *out, struct err *err);
/* A number of bytes from 0 to `most`, with or without a decimal unit: "200000000", "200MB". */
bool words_bytes(struct words *in, const char *what, uint64_t most, uint64_t *out, struct err *err);
/* A span of time in milliseconds, with or without a fraction: "500", "0.5". */
bool words_ms(struct words *in, const char *what, int64_t *out_us, struct err *err);
bool words_zone(struct words *in, uint8_t *out, struct err *err);
bool words_on(struct words *in, bool *out, struct err *err);
/* "12067" or "12067-12070" into first and last. */
bool words_slots(struct words *in, struct command *out, struct err *err);
/* The same where one slot is wanted: a run is for whoever applies the command to refuse. */
bool words_slot(struct words *in, struct command *out, struct err *err);
/* Takes `word` if it comes next; expect: an error if it does not. */
bool words_skip(struct words *in, const char *word);
bool words_expect(struct words *in, const char *word, struct err *err);
/* One of some words: its index. */
bool words_choice(struct words *in, const char *what, const char *const *names, size_t count,
                  uint8_t *out, struct err *err);

/* The text form's pieces. */
void say_key_text(const char *key, uint8_t length, struct str *out);
void say_ms(int64_t us, struct str *out);

/* How one kind of command is written, read and said. */
struct command_form {
    const char *name;  /* its first word */
    const char *form;  /* alternatives with " | " between them */
    const char *about; /* for people: what it does, in a line */
    const char *words; /* for people: what its words mean, a line each: "RATE: bytes a second" */
    bool (*parse)(struct words *in, struct command *out, struct err *err);
    void (*say)(const struct command *c, struct str *out); /* all but the first word */
};

/* By kind; NULL for kinds of other files. */
const struct command_form *command_form_of_reads(enum command_kind kind);
const struct command_form *command_form_of_writes(enum command_kind kind);
const struct command_form *command_form_of_accounts(enum command_kind kind);
const struct command_form *command_form_of_guards(enum command_kind kind);
const struct command_form *command_form_of_moves(enum command_kind kind);
const struct command_form *command_form_of_shifts(enum command_kind kind);
const struct command_form *command_form_of_queries(enum command_kind kind);
const struct command_form *command_form_of_txns(enum command_kind kind);
const struct command_form *command_form_of_indexes(enum command_kind kind);
const struct command_form *command_form_of_nodes(enum command_kind kind);
const struct command_form *command_form_of_copies(enum command_kind kind);
const struct command_form *command_form_of_quorums(enum command_kind kind);
const struct command_form *command_form_of_watch(enum command_kind kind);
const struct command_form *command_form_of_fleet(enum command_kind kind);
const struct command_form *command_form_of_systems(enum command_kind kind);
const struct command_form *command_form_of_faults(enum command_kind kind);
/* By kind, from whichever file knows it. */
const struct command_form *command_form_of(enum command_kind kind);
/* What is short for a request of this operation ("like KEY"); parse and say are NULL. */
const struct command_form *command_form_short(enum op_kind op);
/* Whichever of the two has this first word; NULL: none. */
const struct command_form *command_form_by_name(const char *name);
/* Says that a word is no command, and which one may be meant; `typed`: people may also ask for
 * help.
 */
void command_refuse_name(const char *name, bool typed, struct err *err);

#endif
