/*
 * command_line: what helps with typing a command: all of them in a box, names completed, earlier
 * lines recalled. See ui.h.
 */
#include "app/ui.h"
#include "engine/words/command_help.h"
#include <string.h>
#include <strings.h>

static const char help_word[] = "help";

void command_line_help(struct ui *ui, const char *name)
{
    struct err err;
    struct str body = STR_EMPTY;
    if (*name == '\0') {
        str_add(&body, "Tab completes a name, up and down bring earlier lines back.\n\n");
        command_help(&body);
        popup_open_text(ui, "All commands", &body, false);
    } else if (command_help_of(name, &body, &err)) {
        popup_open_text(ui, "One command", &body, false);
    } else {
        ui_say_err(ui, &err);
        str_free(&body);
    }
}

/* What follows "help" in a line that asks for it; NULL: it does not. */
static const char *after_help(const char *line)
{
    size_t length = sizeof help_word - 1;
    line += strspn(line, " ");
    if (strncasecmp(line, help_word, length) != 0 ||
        (line[length] != ' ' && line[length] != '\0')) {
        return NULL;
    }
    return line + length + strspn(line + length, " ");
}

bool command_line_asks_help(struct ui *ui, const char *line)
{
    char name[PROMPT_BYTES_MAX + 1] = {0};
    const char *rest = after_help(line);
    if (rest != NULL) {
        memcpy(name, rest, strcspn(rest, " "));
        command_line_help(ui, name);
    }
    return rest != NULL;
}

/* --- earlier lines ------------------------------------------------------------------------------
 */

void command_line_remember(struct ui *ui, const char *line)
{
    if (*line == '\0' || (ui->lines > 0 && strcmp(ui->line[0], line) == 0)) {
        return;
    }
    memmove(ui->line[1], ui->line[0], sizeof ui->line - sizeof ui->line[0]);
    memcpy(ui->line[0], line, strlen(line) + 1);
    ui->lines += ui->lines < UI_LINES_MAX;
}

static void recall(struct ui *ui, struct popup *popup, bool older)
{
    if (older ? popup->recalled == ui->lines : popup->recalled == 0) {
        ui_say(ui, STYLE_DIM, older ? "There is no earlier line." : "There is no later line.");
        return;
    }
    if (popup->recalled == 0) {
        popup->typed = popup->field;
    }
    popup->recalled = older ? popup->recalled + 1 : popup->recalled - 1;
    if (popup->recalled == 0) {
        popup->field = popup->typed;
    } else {
        prompt_set(&popup->field, ui->line[popup->recalled - 1]);
    }
}

/* --- completion ---------------------------------------------------------------------------------
 */

/* The `number`th name (from 1) that begins so; NULL: there are fewer. */
static const char *name_beginning(const char *stem, size_t length, size_t number)
{
    const char *name;
    for (size_t i = 0; (name = command_name_at(i)) != NULL; i++) {
        if (strncasecmp(name, stem, length) == 0 && --number == 0) {
            return name;
        }
    }
    return NULL;
}

static size_t count_beginning(const char *stem, size_t length)
{
    size_t count = 0;
    while (name_beginning(stem, length, count + 1) != NULL) {
        count++;
    }
    return count;
}

/* The name under the cursor: the first word, or that after "help". Once more: the next name with
 * the same beginning. */
static void complete(struct ui *ui, struct popup *popup, bool forward)
{
    char line[PROMPT_BYTES_MAX + 1];
    const char *text = popup->field.text;
    const char *rest = after_help(text);
    size_t from = rest != NULL && rest > text && rest[-1] == ' ' ? (size_t)(rest - text) : 0;
    if (strchr(text + from, ' ') != NULL) {
        ui_say(ui, STYLE_DIM, "Only the name of a command is completed.");
        return;
    }
    if (popup->completion == 0) {
        popup->stem = strlen(text + from);
    }
    size_t count = count_beginning(text + from, popup->stem);
    if (count == 0) {
        ui_say(ui, STYLE_DIM, "No command begins with \"%s\".", text + from);
        return;
    }
    size_t number = popup->completion;
    number = forward ? number % count + 1 : number > 1 ? number - 1 : count;
    const char *name = name_beginning(text + from, popup->stem, number);
    size_t length = strlen(name);
    if (from + length > PROMPT_LINE_MAX) {
        return;
    }
    memcpy(line, text, from);
    memcpy(line + from, name, length + 1);
    prompt_set(&popup->field, line);
    popup->completion = number;
}

bool command_line_action(struct ui *ui, struct popup *popup, enum action action)
{
    if (action == ACT_COMPLETE || action == ACT_COMPLETE_BEFORE) {
        complete(ui, popup, action == ACT_COMPLETE);
        return true;
    }
    popup->completion = 0;
    if (action == ACT_UP || action == ACT_DOWN) {
        recall(ui, popup, action == ACT_UP);
        return true;
    }
    return false;
}
