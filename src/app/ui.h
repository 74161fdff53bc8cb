/*
 * ui: the full-screen program as a value: everything that the screens share.
 *
 * One struct, passed everywhere; no hidden state. Input comes in through ui_input, time through
 * ui_tick, and ui_draw makes the canvas from what there is: handlers change state and never draw.
 * The loop (loop.c) and the script (script.c) drive it alike, one with a terminal, one in memory.
 *
 * Over a screen (home or lesson) lies a short stack of boxes; Esc closes the topmost. What is
 * learnt is written to the progress log as it happens, so leaving at any moment loses nothing.
 */
#ifndef HOTSHARD_APP_UI_H
#define HOTSHARD_APP_UI_H

#include "app/cmd/options.h"
#include "app/keymap.h"
#include "app/prompt.h"
#include "draw/pane.h"
#include "lesson/player.h"
#include "study/progress.h"
#include "term/term.h"
#include "view/help.h"
#include "view/view.h"

#define UI_POPUPS_MAX 4
#define UI_LINES_MAX 32 /* typed commands that are remembered */
#define UI_ROWS_MAX (ACT_COUNT * 2)

enum ui_screen {
    SCREEN_HOME,
    SCREEN_LESSON,
    SCREEN_PLAY,
    SCREEN_GLOSSARY,
    SCREEN_CHECK
};

/* A box over the screen. */
enum popup_kind {
    POPUP_TEXT,  /* something to read: body, scrolled */
    POPUP_HELP,  /* the keys that work below it; `field` is the search */
    POPUP_PROMPT /* one line to type; `purpose` is what it is for */
};

struct popup {
    enum popup_kind kind;
    char title[96];
    struct str body;
    bool markup; /* the body is prose, not lines */
    int scroll, rows, height;
    size_t selected;
    bool searching;
    struct prompt field;
    /* of a command's line (command_line.c) */
    size_t recalled;         /* 0: the line being typed; 1: the last one before it ... */
    struct prompt typed;     /* the line being typed, while another one is shown */
    size_t completion, stem; /* 1, 2 ...: which name stands there, for so many bytes typed of it */
    enum action
        purpose;        /* of a prompt; of a text, ACT_OPEN: what is selected below can be opened */
    enum context below; /* whose keys the help lists */
};

/* What of a page decides whether something happened that the log should know. */
struct course_mark {
    const char *step; /* its id, the player's own */
    bool judged, task_met, task_skipped;
};

/* A lesson or drill under way. */
struct course {
    struct player *player; /* NULL: none is open */
    char *path, *id;
    bool drill;
    uint64_t seed;
    int64_t opened; /* seconds: a drill says how long it took */
    size_t focus;   /* 0 the text, 1 ... the pictures */
    struct view_state view[PAGE_SHOWS_MAX];
    struct rect pane[PAGE_SHOWS_MAX];   /* insides, as drawn last; w 0: folded */
    int scroll, text_rows, text_height; /* scroll negative: follow the newest */
    struct prompt field;                /* the answer being typed */
    bool field_left;                    /* Esc: keys are commands again */
    struct course_mark mark;
    /* time */
    bool free_play, paused;
    bool stepped; /* by single events: time stands, whatever is on its way */
    int speed_shift;
    bool strained;      /* more happens than a frame has time for: slower than was asked for */
    uint64_t following; /* a request whose hops are being watched, 0: none */
};

struct home {
    size_t selected;
    size_t first; /* the top row of the list that is shown */
    int height;
};

struct ui {
    struct options options;
    struct term *term; /* borrowed */
    struct canvas *canvas;
    struct keymap keymap;
    struct progress *progress; /* NULL: not readable; the session goes on without */
    bool progress_warned;
    struct lesson_index *index;
    enum ui_screen screen;
    struct home home;
    struct course course;
    struct play_screen *play;         /* play_screen.h; NULL: it was not opened */
    struct glossary_screen *glossary; /* glossary_screen.h; NULL: it was not opened */
    struct check_screen *check;       /* check_screen.h; NULL: it was not opened */
    char *journal;                    /* of the course closed last, NULL before; for --journal */
    struct popup popup[UI_POPUPS_MAX];
    size_t popups;
    char line[UI_LINES_MAX][PROMPT_LINE_MAX + 1]; /* commands typed, the last one first */
    size_t lines;
    char message[ERR_TEXT_MAX];
    enum style message_style;
    bool dirty, full; /* something to draw; everything to send */
    bool pasting, paste_dropped;
    bool key_line_hidden;
    bool quit;
    int end_signal;  /* the signal that asked to leave, 0: none */
    uint64_t drills; /* opened so far: each gets new numbers */
};

/* `term` stays the caller's. Reads the index, the progress log and the keys file; what is wrong
 * with them stands in a box over the first screen. */
struct ui *ui_new(const struct options *options, struct term *term);
void ui_free(struct ui *ui);
void ui_input(struct ui *ui, const struct term_input *input);
void ui_draw(struct ui *ui);

/* In the message line; in a box what would be cut there. */
void ui_say(struct ui *ui, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ui_say_err(struct ui *ui, const struct err *err);
/* The message over the screen as it was drawn last, at once: while something goes on that must not
 * be drawn over. */
void ui_show_message(struct ui *ui);
enum context ui_context(const struct ui *ui); /* where the next key is pressed */
/* What views see; world NULL at home. Rates cost a second of simulation: only when wanted. */
struct scene ui_scene(struct ui *ui, bool rates);

/* actions.c */
bool action_works(const struct ui *ui, enum action action, enum context where);
void action_do(struct ui *ui, enum action action, uint32_t key);

/* shown.c: the rows of the key table that work now, for the help and the key line. */
struct shown_rows {
    struct help_row row[UI_ROWS_MAX];
    enum action action[UI_ROWS_MAX];
    char keys[UI_ROWS_MAX][64];
    size_t count;
};
void shown_for_help(const struct ui *ui, enum context where, struct shown_rows *out);
void shown_for_line(const struct ui *ui, enum context where, struct shown_rows *out);
void shown_draw_line(const struct ui *ui, struct canvas *c, int y);

/* popup.c */
void popup_open_text(struct ui *ui, const char *title, struct str *body,
                     bool markup); /* takes body */
void popup_open_help(struct ui *ui);
void popup_open_prompt(struct ui *ui, enum action purpose, const char *title, const char *text);
void popup_close(struct ui *ui);
struct popup *popup_top(struct ui *ui); /* NULL: none */
void popup_action(struct ui *ui, enum action action);
void popup_type(struct ui *ui, uint32_t point);
void popup_draw(struct ui *ui, struct popup *popup);
/* A line being typed, scrolled so that its cursor shows. */
void popup_draw_field(struct canvas *c, int x, int y, int columns, const struct prompt *p);

/* command_line.c: what helps with typing a command. */
void command_line_help(struct ui *ui, const char *name);      /* "": all commands */
bool command_line_asks_help(struct ui *ui, const char *line); /* "help migrate": opens it */
void command_line_remember(struct ui *ui, const char *line);
bool command_line_action(struct ui *ui, struct popup *popup, enum action action);

/* course.c */
bool course_open(struct ui *ui, const struct lesson_entry *entry, bool resume, struct err *err);
bool course_open_path(struct ui *ui, const char *path, struct err *err);
void course_close(struct ui *ui);
const struct page *course_page(const struct ui *ui);
void course_forward(struct ui *ui);
void course_back(struct ui *ui);
void course_choose(struct ui *ui, uint32_t key);
void course_answer(struct ui *ui);
void course_hint(struct ui *ui);
void course_show_me(struct ui *ui);
void course_place(struct ui *ui); /* the placement check */

/* course_visit.c: the runs behind the rows of a table. */
bool course_at_row(const struct ui *ui); /* the table has the focus, and a row can be opened */
void course_visit(struct ui *ui);        /* opens it; without a selection selects one */
void course_leave_visit(struct ui *ui);
void course_fill(struct ui *ui); /* makes one more row */
/* After anything that may have changed the page: logs what was answered, reached or done. */
void course_changed(struct ui *ui);
void course_acted(struct ui *ui, const char *act); /* logs an act: before course_changed */
bool course_waits(const struct page *page);        /* a question or a task is open */
bool course_explains(const struct page *page);     /* an explanation is asked for */
bool course_marks(const struct page *page);        /* one was given: its points can be marked */

/* course_end.c: what came of a lesson, as markup, before it is closed. */
void course_tell_end(const struct ui *ui, struct str *out);

/* course_field.c: the answer's field. */
enum field_mode {
    FIELD_NONE,
    FIELD_DIGITS, /* digits go into it, other keys are commands */
    FIELD_TEXT    /* all characters go into it */
};
enum field_mode course_field_mode(const struct ui *ui);
bool course_field_key(struct ui *ui, uint32_t key); /* true: the field took it */

/* knobs.c: what a page lets the learner turn. */
bool knobs_offer(const struct page *page, const char *name);
bool knobs_work(const struct page *page, enum action action);
/* What the page calls the knob that this turns, where it says so; otherwise NULL. */
const char *knobs_label(const struct page *page, enum action action);
void knobs_turn(struct ui *ui, enum action action);
bool knobs_typed(struct ui *ui, const char *line); /* "tokens 16"; false: it is no knob */

/* cluster.c: what the learner does to the cluster. */
bool cluster_offers(const struct page *page, enum page_action action);
void cluster_start(struct ui *ui, enum action action); /* acts at once, or asks for a line */
void cluster_accept(struct ui *ui, enum action action, const char *line);
void cluster_undo(struct ui *ui);
void cluster_redo(struct ui *ui);

/* play.c: time. */
bool play_running(const struct ui *ui);                    /* frames are due */
bool play_possible(const struct ui *ui);                   /* time would change something */
void play_tick(struct ui *ui, int64_t wall_us);            /* lets that much of our time pass */
void play_settle(struct ui *ui);                           /* everything that runs, at once */
void play_say_speed(const struct ui *ui, struct str *out); /* "1x", "5 ms/s" */
void play_action(struct ui *ui, enum action action);

/* picture.c: focus, selection, zoom, inspect, describe. */
void picture_action(struct ui *ui, enum action action);
bool picture_shown(const struct page *page, const char *view);
bool picture_any(const struct page *page);

/* play_screen.c, screen_play.c: the playground. */
struct play_session;
/* Takes the session. NULL: the one that is open, else as it was left, else a new one. */
bool play_screen_open(struct ui *ui, struct play_session *session, struct err *err);
bool play_screen_keep(struct ui *ui, struct err *err); /* in the state folder */
void play_screen_free(struct play_screen *play);
bool play_screen_works(const struct ui *ui, enum action action);
void play_screen_action(struct ui *ui, enum action action);
void play_screen_accept(struct ui *ui, enum action purpose, const char *line);
void screen_play_draw(struct ui *ui, struct rect body);
void screen_play_title(struct ui *ui);
const char *screen_play_picture(const struct ui *ui); /* which one shows; "shards": none */

/* glossary_screen.c, screen_glossary.c: the glossary, over whatever screen it was opened from. */
bool glossary_screen_open(struct ui *ui, struct err *err);
void glossary_screen_free(struct glossary_screen *s);
bool glossary_screen_works(const struct ui *ui, enum action action, enum context where);
void glossary_screen_action(struct ui *ui, enum action action, uint32_t key);
bool glossary_screen_searches(const struct ui *ui); /* letters go into its search */
bool glossary_screen_whole(const struct ui *ui);    /* its picture has the whole screen */
size_t glossary_screen_sees(const struct ui *ui);   /* terms under See that a digit leads to */
void glossary_screen_type(struct ui *ui, uint32_t point); /* into the search */
bool glossary_screen_works_on(const struct ui *ui);       /* its picture is being made */
void glossary_screen_tick(struct ui *ui);                 /* one piece of that */
void screen_glossary_draw(struct ui *ui, struct rect body);
void screen_glossary_title(struct ui *ui);

/* check_screen.c, screen_check.c: breaking a protocol, from the course or from a step about one. */
/* `protocol` NULL: as it was left, else the first one with every rule. */
bool check_screen_open(struct ui *ui, const struct page_protocol *protocol, struct err *err);
void check_screen_free(struct check_screen *s);
bool check_screen_works(const struct ui *ui, enum action action);
void check_screen_action(struct ui *ui, enum action action);
enum context check_screen_context(const struct ui *ui);
bool check_screen_works_on(const struct ui *ui); /* it searches, or a run's time goes on */
void check_screen_tick(struct ui *ui, int64_t wall_us);
void check_screen_wait(struct ui *ui); /* for the end of both */
/* Most searches are over at once, and nothing flickers: a moment's wait before the next frame. */
void check_screen_await(struct ui *ui);
/* Words for the key line that depend on where one stands; NULL: as the table has them. */
const char *check_screen_brief(const struct ui *ui, enum action action);
void screen_check_draw(struct ui *ui, struct rect body);
void screen_check_title(struct ui *ui);

/* screen_learn.c, screen_home.c */
/* Rows of the text at 80x24, where SCREEN_TEXT_ROWS are in sight. */
#define SCREEN_TEXT_ROWS 19
int screen_learn_rows(const struct page *page);
void screen_learn_draw(struct ui *ui, struct rect body);
void screen_learn_title(struct ui *ui);
void screen_home_draw(struct ui *ui, struct rect body);
void screen_home_title(struct ui *ui);
void screen_home_action(struct ui *ui, enum action action);
void screen_home_enter(struct ui *ui); /* selects where the learner left */
/* After a lesson: a box with what came of it, over the next entry that is not done yet, which enter
 * opens. Takes body. */
void screen_home_offer(struct ui *ui, const char *title, struct str *body);

#endif
