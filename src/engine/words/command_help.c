/*
 * command_help: the commands by group, and their forms laid out.
 */
#include "engine/words/command_help.h"

#include "engine/words/command_words.h"
#include <string.h>

#define GROUP_MAX 16

static const struct command_form help_form = {
    "help", "help [COMMAND]", "this list; or one command, and what its words mean", NULL, NULL,
    NULL};

static const struct {
    const char *title; /* NULL: none */
    const char *names[GROUP_MAX];
} groups[] = {
    {NULL, {"help"}},
    {"Requests and traffic", {"read", "like", "edit", "request", "flow"}},
    {"Hot reads", {"reads", "replicas"}},
    {"Hot writes", {"writes", "rebuild"}},
    {"Budgets and accounts", {"account", "credit", "debit", "sweep", "lease", "take", "index"}},
    {"Guards", {"ceiling", "limit", "tenant", "clients", "breaker", "shed", "share", "sample"}},
    {"Moves",
     {"shard", "migrate", "fence", "cleanup", "abort", "rollback", "budget", "disk", "applies",
      "dual", "switch", "shift", "move", "freeze", "reload"}},
    {"Queries over all shards", {"query", "gather", "popular", "times"}},
    {"Rows, transactions, indexes", {"row", "txn", "coordinator", "catalog", "put", "find"}},
    {"Machines and copies",
     {"node", "split", "heal", "group", "append", "look", "stand", "recopy", "store", "set", "get",
      "beats"}},
    {"The fleet of routers", {"capacity", "gossip", "zone"}},
    {"Systems that people run", {"system", "series"}},
    {"Faults", {"deaf", "crash", "directory", "network", "patience", "hold", "rule"}},
};

const char *command_name_at(size_t index)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        for (size_t j = 0; j < GROUP_MAX && groups[i].names[j] != NULL; j++) {
            if (index-- == 0) {
                return groups[i].names[j];
            }
        }
    }
    return NULL;
}

static const struct command_form *form_by_name(const char *name)
{
    return strcmp(name, help_form.name) == 0 ? &help_form : command_form_by_name(name);
}

/* A line of at most HELP_COLUMNS columns; what is beyond goes on in the next, further in. */
static void add_line(struct str *out, int indent, const char *text, size_t length)
{
    for (int in = indent; length > 0; in = indent + 4) {
        size_t room = (size_t)(HELP_COLUMNS - in);
        size_t fits = length;
        if (length > room) {
            for (fits = room; fits > 0 && text[fits] != ' '; fits--) {
            }
            fits = fits == 0 ? room : fits;
        }
        str_addf(out, "%*s%.*s\n", in, "", (int)fits, text);
        text += fits;
        length -= fits;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
    }
}

/* A form's alternatives, a line each. */
static void add_form(struct str *out, int indent, const char *form)
{
    for (const char *next; form != NULL; form = next) {
        const char *end = strstr(form, " | ");
        next = end == NULL ? NULL : end + 3;
        add_line(out, indent, form, end == NULL ? strlen(form) : (size_t)(end - form));
    }
}

void command_help(struct str *out)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (groups[i].title != NULL) {
            str_addf(out, "\n%s\n", groups[i].title);
        }
        for (size_t j = 0; j < GROUP_MAX && groups[i].names[j] != NULL; j++) {
            const struct command_form *form = form_by_name(groups[i].names[j]);
            add_form(out, 2, form->form);
            add_line(out, 6, form->about, strlen(form->about));
        }
    }
}

bool command_help_of(const char *name, struct str *out, struct err *err)
{
    char small[WORD_BYTES] = {0};
    for (size_t i = 0; i + 1 < sizeof small && name[i] != '\0'; i++) {
        small[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    }
    const struct command_form *form = form_by_name(small);
    if (form == NULL) {
        command_refuse_name(small, true, err);
        return false;
    }
    add_form(out, 0, form->form);
    str_addc(out, '\n');
    add_line(out, 0, form->about, strlen(form->about));
    for (const char *line = form->words; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        str_add(out, line == form->words ? "\n" : "");
        add_line(out, 0, line, length);
        line += length + (line[length] == '\n');
    }
    return true;
}
