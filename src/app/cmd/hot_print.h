/*
 * hot_print: what hot found, as tables with sentences of at most 80 columns, or as JSON lines.
 */
#ifndef HOTSHARD_APP_HOT_PRINT_H
#define HOTSHARD_APP_HOT_PRINT_H

#include "tools/hot.h"

/* `name` of the log, made safe here; ascii: bars of plain characters. */
void hot_print_text(const struct hot_report *report, const char *name, bool ascii);
void hot_print_json(const struct hot_report *report);

#endif
