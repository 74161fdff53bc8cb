/*
 * play_screen: the playground on the screen: what is selected, which picture shows, and the session
 * behind it (tools/playground_session.h).
 *
 * Left stand the controls, a line each; beside them a picture of the placement and the shards
 * against their ceilings, with what changed in words. After a fork the two futures' shards stand
 * side by side. Leaving keeps the session, however it was opened: in memory, and as a recording in
 * the state folder, so that the playground opens where it was left. See ui.h for the rest of the
 * screen.
 */
#ifndef HOTSHARD_APP_PLAY_SCREEN_H
#define HOTSHARD_APP_PLAY_SCREEN_H

#include "app/ui.h"
#include "tools/playground_session.h"

/* The rows of the list: the controls, and which shard is selected. */
enum play_row {
    ROW_WORKLOAD,
    ROW_SCHEME,
    ROW_TOKENS,
    ROW_SHARDS,
    ROW_SHARD,
    ROW_WEIGHT,
    ROW_RATE,
    ROW_SALT,
    ROW_PREAGG,
    ROW_CACHE,
    ROW_COPIES,
    ROW_DATABASE_CACHE,
    ROW_COUNT
};

struct play_screen {
    struct play_session *session;
    enum play_row row;
    uint32_t shard; /* the selected one's id */
    size_t picture; /* of those that fit, which */
    struct view_state view;
    struct rect pane; /* of the picture, as drawn last */
    bool both;        /* picture and shards are both in sight, as drawn last */
    bool measures;    /* lookups on this machine: not in a script, where they would differ */
    /* What the pictures look at: placings 0 until one asks after a change. */
    struct page page;
    struct page_grid grid;
    struct trial *tried[PAGE_PLACINGS_MAX]; /* other schemes, for their table; else NULL */
    char hottest[KEY_BYTES_MAX + 1];
};

/* play_screen_picture.c */
#define PLAY_PICTURES_MAX 4
/* Names of the pictures there are for this scheme, "shards" (the bars) first when asked for. */
size_t play_pictures(const struct play_screen *p, bool with_shards,
                     const char *name[PLAY_PICTURES_MAX]);
struct scene play_scene(struct play_screen *p, const char *picture);
void play_picture_forget(struct play_screen *p);
void play_picture_draw(struct ui *ui, const char *name, struct rect area);
bool play_picture_move(struct play_screen *p, const char *name, enum verb verb);

/* play_screen_list.c */
void play_list_draw(struct ui *ui, struct rect area);
/* What the selected row is about, as markup. */
void play_list_about(const struct play_screen *p, struct str *out);

/* play_screen_bars.c */
/* Tenths of a percent that the widest bar of these results stands for. */
uint64_t play_bars_scale(const struct play_result *a, const struct play_result *b);
void play_bars_draw(struct canvas *c, const struct play_result *r, uint64_t scale,
                    uint32_t selected);

/* play_text.c: a state in words: its settings, what changed, how it is, its shards as a table. */
void play_text_state(const struct play_session *session, struct str *out);

#endif
