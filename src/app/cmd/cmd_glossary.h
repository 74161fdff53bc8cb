/*
 * cmd_glossary: terms in lines of text, on standard output.
 */
#ifndef HOTSHARD_APP_CMD_GLOSSARY_H
#define HOTSHARD_APP_CMD_GLOSSARY_H

#include <stdbool.h>

/* One term with its picture in words; all of them when the name is empty. The exit status. */
int glossary_tell(const char *name, bool json);
/* Whether a term has this name; false as well when the glossary cannot be read. */
bool glossary_has(const char *name);

#endif
