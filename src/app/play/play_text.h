/*
 * play_text: the playground in lines, for --plain and --json.
 *
 * A line of standard input is settings ("scheme ring, tokens 16", "add", "remove S2") or one of the
 * words that `help` lists; each change answers with the whole state. What cannot be is one line on
 * standard error, and changes nothing; the status then is CLI_CANNOT at the end.
 */
#ifndef HOTSHARD_APP_PLAY_TEXT_H
#define HOTSHARD_APP_PLAY_TEXT_H

#include "tools/playground_session.h"

int play_text_talk(struct play_session *session, bool json, bool no_input);

#endif
