/*
 * keymap_table: the table of keys itself. See keymap.h.
 */
#include "app/keymap.h"

static const char in_lesson[] = "Lesson";
static const char in_cluster[] = "The cluster";
static const char in_time[] = "Time";
static const char in_picture[] = "Pictures";
static const char in_course[] = "Course";
static const char in_line[] = "Typing";
static const char everywhere[] = "Everywhere";

static const struct key_row table[] = {
    {ACT_FORWARD, IN_LESSON, "forward", "space enter", "go on", "go on", in_lesson, 100, ACT_NONE},
    {ACT_BACK, IN_LESSON, "back", "b backspace", "one step back", "back", in_lesson, 90, ACT_NONE},
    {ACT_CHOOSE, IN_LESSON, "choose", "1 2 3 4 5 6 7 8 9", "choose an answer", "choose", in_lesson,
     99, ACT_NONE},
    {ACT_ANSWER, IN_LESSON, "answer", "A", "type the answer", "answer", in_lesson, 98, ACT_NONE},
    {ACT_HINT, IN_LESSON, "hint", "t", "a hint", "hint", in_lesson, 88, ACT_NONE},
    {ACT_SHOW_ME, IN_LESSON, "show-me", "s", "show me: skip the question or task", "show me",
     in_lesson, 86, ACT_NONE},
    {ACT_ROUTE, IN_LESSON, "route", "r", "send a request for a key", "route", in_cluster, 84,
     ACT_NONE},
    {ACT_ROUTER, IN_LESSON, "router", "R", "the next router takes your requests", "router",
     in_cluster, 76, ACT_NONE},
    {ACT_STALE, IN_LESSON, "stale", "e", "the router stops hearing of new maps, or hears again",
     "stale", in_cluster, 82, ACT_NONE},
    {ACT_RELOAD, IN_LESSON, "reload", "a", "the router asks for the map", "ask map", in_cluster, 81,
     ACT_NONE},
    {ACT_MOVE, IN_LESSON, "move", "m", "move the key's slot to another shard", "move", in_cluster,
     80, ACT_NONE},
    {ACT_BREAK, IN_LESSON, "break", "x", "break it: switch the rule off, or on again", "break it",
     in_cluster, 83, ACT_NONE},
    {ACT_KEY, IN_LESSON, "key", "K", "show another key", "key", in_cluster, 79, ACT_NONE},
    {ACT_UNDO, IN_LESSON, "undo", "u", "undo what you did", "undo", in_cluster, 60, ACT_NONE},
    {ACT_REDO, IN_LESSON, "redo", "ctrl-r U", "do it again", "redo", in_cluster, 50, ACT_NONE},
    {ACT_COMMAND, IN_LESSON, "command", ":", "any command in words", NULL, in_cluster, 0, ACT_NONE},
    {ACT_PLAY, IN_LESSON, "play", "p", "let time run, or pause", "play", in_time, 64, ACT_NONE},
    {ACT_SLOWER, IN_LESSON, "slower", "[", "slower", "speed", in_time, 42, ACT_FASTER},
    {ACT_FASTER, IN_LESSON, "faster", "]", "faster", NULL, in_time, 0, ACT_NONE},
    {ACT_EVENT, IN_LESSON, "event", ".", "one event on", "event", in_time, 44, ACT_NONE},
    {ACT_EVENT_BACK, IN_LESSON, "event-back", ",", "one event back", NULL, in_time, 0, ACT_NONE},
    {ACT_FOCUS_NEXT, IN_LESSON, "focus", "tab", "the next pane", "pane", in_picture, 66, ACT_NONE},
    {ACT_FOCUS_BEFORE, IN_LESSON, "focus-before", "shift-tab", "the pane before", NULL, in_picture,
     0, ACT_NONE},
    {ACT_INSPECT, IN_LESSON, "inspect", "i", "inspect what is selected and ask why", "inspect",
     in_picture, 68, ACT_NONE},
    {ACT_DESCRIBE, IN_LESSON, "describe", "D", "the pictures in words", NULL, in_picture, 0,
     ACT_NONE},
    {ACT_ZOOM_IN, IN_LESSON, "zoom-in", "+ =", "closer", "zoom", in_picture, 46, ACT_ZOOM_OUT},
    {ACT_ZOOM_OUT, IN_LESSON, "zoom-out", "-", "farther", NULL, in_picture, 0, ACT_NONE},
    {ACT_DIFF, IN_LESSON, "diff", "d", "what changed on the map since the step began", "changes",
     in_picture, 48, ACT_NONE},
    {ACT_OPEN, IN_HOME, "open", "enter space", "open, where you left it", "open", in_course, 100,
     ACT_NONE},
    {ACT_UP, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "up", "up k", "up", "move", in_picture, 40,
     ACT_DOWN},
    {ACT_DOWN, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "down", "down j", "down", NULL, in_picture,
     0, ACT_NONE},
    {ACT_LEFT, IN_LESSON, "left", "left h", "left", NULL, in_picture, 0, ACT_NONE},
    {ACT_RIGHT, IN_LESSON, "right", "right l", "right", NULL, in_picture, 0, ACT_NONE},
    {ACT_PAGE_UP, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "page-up", "page-up", "a page up", NULL,
     in_picture, 0, ACT_NONE},
    {ACT_PAGE_DOWN, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "page-down", "page-down",
     "a page down", NULL, in_picture, 0, ACT_NONE},
    {ACT_FIRST, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "first", "home g", "to the first", NULL,
     in_picture, 0, ACT_NONE},
    {ACT_LAST, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "last", "end G", "to the last", NULL,
     in_picture, 0, ACT_NONE},
    {ACT_RUN, IN_HELP, "run", "enter space", "do what is selected", "do it", everywhere, 100,
     ACT_NONE},
    {ACT_SEARCH, IN_HELP, "search", "/", "search the help", "search", everywhere, 90, ACT_NONE},
    {ACT_ACCEPT, IN_FIELD, "accept", "enter", "done", "done", in_line, 100, ACT_NONE},
    {ACT_LEFT, IN_FIELD, "line-left", "left", "left", NULL, in_line, 0, ACT_NONE},
    {ACT_RIGHT, IN_FIELD, "line-right", "right", "right", NULL, in_line, 0, ACT_NONE},
    {ACT_FIRST, IN_FIELD, "line-first", "home", "to the start", NULL, in_line, 0, ACT_NONE},
    {ACT_LAST, IN_FIELD, "line-last", "end", "to the end", NULL, in_line, 0, ACT_NONE},
    {ACT_ERASE, IN_FIELD, "erase", "backspace", "erase before the cursor", "erase", in_line, 50,
     ACT_NONE},
    {ACT_DELETE, IN_FIELD, "delete", "delete", "erase at the cursor", NULL, in_line, 0, ACT_NONE},
    {ACT_ERASE_ALL, IN_FIELD, "erase-all", "ctrl-u", "erase all", NULL, in_line, 0, ACT_NONE},
    {ACT_FOCUS_NEXT, IN_FIELD, "line-focus", "tab", "the next pane", NULL, in_line, 0, ACT_NONE},
    {ACT_FOCUS_BEFORE, IN_FIELD, "line-focus-before", "shift-tab", "the pane before", NULL, in_line,
     0, ACT_NONE},
    {ACT_CLOSE, IN_LESSON | IN_TEXT | IN_HELP | IN_FIELD, "close", "escape", "close the topmost",
     "close", everywhere, 30, ACT_NONE},
    {ACT_HELP, IN_HOME | IN_LESSON | IN_TEXT, "help", "? f1", "help: what works here", "help",
     everywhere, 95, ACT_NONE},
    {ACT_HELP, IN_FIELD, "line-help", "f1", "help", "help", everywhere, 20, ACT_NONE},
    {ACT_KEY_LINE, IN_HOME | IN_LESSON, "key-line", "ctrl-k", "hide or show this bottom line", NULL,
     everywhere, 0, ACT_NONE},
    {ACT_REDRAW, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP | IN_FIELD, "redraw", "ctrl-l",
     "draw the screen anew", NULL, everywhere, 0, ACT_NONE},
    {ACT_SUSPEND, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP | IN_FIELD, "suspend", "ctrl-z",
     "back to the shell for a while", NULL, everywhere, 0, ACT_NONE},
    {ACT_LEAVE, IN_HOME | IN_LESSON | IN_TEXT | IN_HELP, "leave", "q", "leave", "leave", everywhere,
     94, ACT_NONE},
};

const struct key_row *keymap_row_at(size_t index)
{
    return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}
