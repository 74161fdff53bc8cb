/*
 * txn_parts: the transaction that the view `txn` shows, and its words.
 */
#ifndef HOTSHARD_VIEW_TXN_PARTS_H
#define HOTSHARD_VIEW_TXN_PARTS_H

#include "engine/txns/txns.h"
#include "view/across.h"
#include "view/moving.h"

struct shown_txn {
    const struct world *w;
    bool known;
    bool asking; /* the page's question is open: not what follows from what is seen */
    bool past;   /* it was over when the page's step began */
    struct txn_info t;
};

bool txn_open(struct shown_txn *out, const struct scene *s, const struct view_state *v);
int64_t txn_end_us(const struct shown_txn *x); /* of what is drawn: when it was over, or now */
bool txn_step_done(const struct shown_txn *x, const struct txn_step_info *step);

void txn_add_none(struct str *out, const struct shown_txn *x, const char *argument);
enum style txn_add_headline(struct str *out, const struct shown_txn *x, bool brief);
enum style txn_add_meaning(struct str *out, const struct shown_txn *x); /* of the moment */
/* "take 30 from alice", "-30 alice" */
void txn_add_step(struct str *out, const struct shown_txn *x, const struct txn_step_info *step,
                  bool brief);
const char *txn_state_words(const struct shown_txn *x, const struct txn_step_info *step);
enum style txn_state_style(const struct shown_txn *x, const struct txn_step_info *step);
void txn_add_step_words(struct str *out, const struct shown_txn *x,
                        const struct txn_step_info *step);
void txn_tell(struct str *out, const struct scene *s, const struct view_state *v);

#endif
