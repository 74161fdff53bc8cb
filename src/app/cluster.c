/*
 * cluster: what the learner does to the cluster: each is a command to the player. See ui.h.
 */
#include "app/ui.h"
#include "base/alloc.h"
#include "base/num.h"
#include "base/utf8.h"
#include "engine/words/command_help.h"
#include "place/key.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cluster_offers(const struct page *page, enum page_action action)
{
    for (size_t i = 0; i < page->actions; i++) {
        if (page->action[i] == action) {
            return true;
        }
    }
    return false;
}

static bool act(struct ui *ui, const struct command *command)
{
    struct err err;
    struct str words = STR_EMPTY;
    if (!player_act(ui->course.player, command, &err)) {
        ui_say_err(ui, &err);
        return false;
    }
    command_say(command, &words);
    course_acted(ui, str_text(&words));
    str_free(&words);
    course_changed(ui);
    return true;
}

/* The pictures follow what was typed. */
static void follow_key(struct ui *ui, const char *key, size_t length)
{
    struct err err;
    char *text = xstrndup(key, length);
    if (!player_set_key(ui->course.player, text, &err)) {
        ui_say_err(ui, &err);
    }
    free(text);
    course_changed(ui);
}

/* Follows the request until it is answered, and the pictures follow its key. */
static void ask(struct ui *ui, const struct command *command)
{
    if (act(ui, command)) {
        follow_key(ui, command->key, command->key_length);
        ui->course.following = world_last_request(player_world(ui->course.player));
        ui->course.paused = ui->course.stepped = false;
    }
}

/* The operation that a line begins with; `rest` is what follows it. */
static bool starts_with_op(const char *line, enum op_kind *op, const char **rest)
{
    char word[16] = {0};
    const char *space = strchr(line, ' ');
    if (!space || space - line >= (ptrdiff_t)sizeof word) {
        return false;
    }
    memcpy(word, line, (size_t)(space - line));
    if (!op_by_name(word, op)) {
        return false;
    }
    *rest = space + strspn(space, " ");
    return true;
}

/* "KEY", "read KEY", "like KEY via R2": in raw bytes, as typed; nothing means the page's key. */
static void send_request(struct ui *ui, const char *line)
{
    enum op_kind op = OP_READ;
    uint16_t router = course_page(ui)->router;
    const char *key = line;
    starts_with_op(line, &op, &key);
    if (*key == '\0') {
        key = course_page(ui)->key;
    }
    size_t length = strlen(key);
    const char *via = strstr(key, " via R");
    if (via) {
        uint64_t number = 0;
        struct err err;
        uint16_t routers = world_config_of(player_world(ui->course.player))->routers;
        if (!num_parse_u64(via + 6, "the router", 0, (uint64_t)routers - 1, &number, &err)) {
            ui_say_err(ui, &err);
            return;
        }
        router = (uint16_t)number;
        length = (size_t)(via - key);
    }
    if (length == 0 || length > KEY_BYTES_MAX) {
        ui_say(ui, STYLE_WARN, "A key has 1 to %d bytes; write for example: like likes:{p9}",
               KEY_BYTES_MAX);
        return;
    }
    struct command command = command_request(op, (struct bytes){key, length}, router);
    ask(ui, &command);
}

static void move_slot(struct ui *ui, const char *line)
{
    struct err err;
    uint64_t shard = 0;
    const struct world *w = player_world(ui->course.player);
    const char *digits = *line == 'S' || *line == 's' ? line + 1 : line;
    if (!num_parse_u64(digits, "the shard", 0, world_shards(w) - 1, &shard, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    uint32_t slot = key_slot(bytes_of(course_page(ui)->key));
    struct command command = {
        .kind = COMMAND_MOVE, .shard = (uint16_t)shard, .first = slot, .last = slot};
    if (act(ui, &command)) {
        ui_say(ui, STYLE_MESSAGE,
               "Slot %" PRIu32 " is on S%" PRIu64 " now; the map is v%" PRIu32 ".", slot, shard,
               world_map_version(player_world(ui->course.player)));
    }
}

/* What comes next, or what was done, as it is written in full. */
static void say_done(struct ui *ui, const struct command *command)
{
    struct str text = STR_EMPTY;
    if (!command_told(player_world(ui->course.player), command, &text)) {
        str_add(&text, "Done: ");
        command_say(command, &text);
    }
    ui_say(ui, STYLE_MESSAGE, "%s", str_text(&text));
    str_free(&text);
}

static void run_command(struct ui *ui, const char *line)
{
    struct err err;
    struct command command;
    command_line_remember(ui, line);
    if (command_line_asks_help(ui, line) || knobs_typed(ui, line)) {
        return;
    }
    if (!command_parse_typed(line, course_page(ui)->router, &command, &err)) {
        ui_say_err(ui, &err);
    } else if (command.kind == COMMAND_REQUEST) {
        ask(ui, &command);
    } else if (act(ui, &command)) {
        say_done(ui, &command);
    }
}

void cluster_accept(struct ui *ui, enum action action, const char *line)
{
    if (ui->screen == SCREEN_PLAY) {
        play_screen_accept(ui, action, line);
        return;
    }
    if (!course_page(ui)) {
        return;
    }
    if (action == ACT_ROUTE) {
        send_request(ui, line);
    } else if (action == ACT_MOVE) {
        move_slot(ui, line);
    } else if (action == ACT_KEY) {
        follow_key(ui, line, strlen(line));
    } else if (action == ACT_COMMAND) {
        run_command(ui, line);
    }
}

static void toggle_deaf(struct ui *ui)
{
    const struct page *page = course_page(ui);
    bool deaf = world_router(player_world(ui->course.player), page->router).deaf;
    struct command command = {.kind = COMMAND_DEAF, .router = page->router, .on = !deaf};
    if (act(ui, &command)) {
        ui_say(ui, STYLE_MESSAGE,
               deaf ? "R%u hears of new maps again." : "R%u no longer hears of new maps.",
               (unsigned)page->router);
    }
}

static void ask_map(struct ui *ui)
{
    struct command command = {.kind = COMMAND_RELOAD, .router = course_page(ui)->router};
    if (act(ui, &command)) {
        ui_say(ui, STYLE_MESSAGE, "R%u asks the directory for the map.", (unsigned)command.router);
    }
}

/* What the rule demands is said where the line has room: a box would be in the way of acting. */
static void say_rule(struct ui *ui, enum rule rule, bool on)
{
    enum style style = on ? STYLE_GOOD : STYLE_WARN;
    struct str text = STR_EMPTY;
    str_addf(&text, "Rule %s is %s: %s", rule_name(rule), on ? "on" : "off", rule_about(rule));
    if (utf8_columns(str_text(&text), text.length) <= canvas_columns(ui->canvas) - 2) {
        ui_say(ui, style, "%s", str_text(&text));
    } else {
        ui_say(ui, style, "Rule %s is %s.", rule_name(rule), on ? "on" : "off");
    }
    str_free(&text);
}

static void toggle_rule(struct ui *ui)
{
    enum rule rule = course_page(ui)->breaks;
    if (rule >= RULE_COUNT) {
        return;
    }
    bool on = world_rule(player_world(ui->course.player), rule);
    struct command command = {.kind = COMMAND_RULE, .rule = rule, .on = !on};
    if (act(ui, &command)) {
        say_rule(ui, rule, !on);
    }
}

static void next_router(struct ui *ui)
{
    struct err err;
    uint32_t routers = world_config_of(player_world(ui->course.player))->routers;
    uint32_t next = (course_page(ui)->router + 1u) % routers;
    if (!player_set_router(ui->course.player, (uint16_t)next, &err)) {
        ui_say_err(ui, &err);
    } else {
        ui_say(ui, STYLE_MESSAGE, "Your requests go through R%" PRIu32 ".", next);
    }
    course_changed(ui);
}

static void ask_line(struct ui *ui, enum action action)
{
    char title[96];
    const struct page *page = course_page(ui);
    if (action == ACT_ROUTE) {
        snprintf(title, sizeof title,
                 "Through R%u: a key to read, or: like KEY (%.20s: just enter)",
                 (unsigned)page->router, page->key);
        popup_open_prompt(ui, action, title, "");
    } else if (action == ACT_MOVE) {
        snprintf(title, sizeof title, "Move slot %u (%.32s) to which shard?",
                 (unsigned)key_slot(bytes_of(page->key)), page->key);
        popup_open_prompt(ui, action, title, "");
    } else if (action == ACT_KEY) {
        popup_open_prompt(ui, action, "Which key shall the pictures show?", "");
    } else {
        popup_open_prompt(ui, action, "A command: like KEY, move 12067 S3, ... (help lists them)",
                          "");
    }
}

void cluster_start(struct ui *ui, enum action action)
{
    if (action == ACT_STALE) {
        toggle_deaf(ui);
    } else if (action == ACT_RELOAD) {
        ask_map(ui);
    } else if (action == ACT_BREAK) {
        toggle_rule(ui);
    } else if (action == ACT_ROUTER) {
        next_router(ui);
    } else {
        ask_line(ui, action);
    }
}

void cluster_undo(struct ui *ui)
{
    if (player_undo(ui->course.player)) {
        ui->course.following = 0;
        course_acted(ui, "undo");
        ui_say(ui, STYLE_MESSAGE, "Undone.");
    } else {
        ui_say(ui, STYLE_DIM, "There is nothing to undo.");
    }
    course_changed(ui);
}

void cluster_redo(struct ui *ui)
{
    if (player_redo(ui->course.player)) {
        course_acted(ui, "redo");
        ui_say(ui, STYLE_MESSAGE, "Done again.");
    } else {
        ui_say(ui, STYLE_DIM, "There is nothing to do again.");
    }
    course_changed(ui);
}
