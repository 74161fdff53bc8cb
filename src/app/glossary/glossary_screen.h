/*
 * glossary_screen: the glossary on the screen: the list, what is selected, where one came from.
 *
 * Left stands the list of terms; in a lesson those of its visible text come first. Right stands the
 * selected term: its definition, its other names, the part that teaches it, what to see also, and
 * below its picture, made while nothing else goes on (glossary_stage.h). Where the picture finds no
 * room it is folded to a line, and has the whole screen when it is asked for. Nothing that lies
 * below changes: leaving leads back to the very place. See ui.h for the rest of the screen.
 */
#ifndef HOTSHARD_APP_GLOSSARY_SCREEN_H
#define HOTSHARD_APP_GLOSSARY_SCREEN_H

#include "app/glossary/glossary_stage.h"
#include "app/ui.h"

#define GLOSSARY_HERE_MAX 60
#define GLOSSARY_TRAIL_MAX 50
#define GLOSSARY_SEE_MAX 9 /* that a digit leads to */

struct glossary_screen {
    struct glossary *glossary;
    struct glossary_stage *stage;
    enum ui_screen from; /* where it was opened */
    /* the terms of the step, by place in the glossary */
    size_t here[GLOSSARY_HERE_MAX], heres;
    /* The rows of the list: without a search first those of the step, then all. */
    size_t *row, rows;
    size_t selected, first; /* rows; the first line that is drawn counts headings too */
    int height;
    struct prompt search;
    bool searching;                           /* letters go into it */
    size_t trail[GLOSSARY_TRAIL_MAX], trails; /* terms from which See led on */
    size_t shown;                             /* whose picture was begun; GLOSSARY_NONE: none */
    struct err why;                           /* no picture: the reason */
    struct view_state view;
    struct rect pane; /* of the picture, as drawn last */
    bool whole;       /* the picture has the whole screen */
    bool folded;      /* there was no room for it beside the text */
};

/* The selected entry; NULL when a search finds nothing. */
const struct glossary_entry *glossary_selected(const struct glossary_screen *s);
/* The line of a row, and how many lines there are, headings counted. */
size_t glossary_line_of(const struct glossary_screen *s, size_t row);
size_t glossary_lines(const struct glossary_screen *s);
bool glossary_has_headings(const struct glossary_screen *s);
/* The lesson of a part; NULL: there is none. */
const struct lesson_entry *glossary_part(const struct ui *ui, int part);

#endif
