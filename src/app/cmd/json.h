/*
 * json: one object a line on standard output, keys in the order they were set.
 *
 * The only door to jansson. Keys and names from strangers are bytes, JSON is UTF-8: json_set_bytes
 * writes bytes that are no UTF-8 as "\xNN" (a backslash doubled only in such texts) and adds a
 * field NAME_hex with all bytes in hexadecimal, so that nothing is lost.
 */
#ifndef HOTSHARD_APP_JSON_H
#define HOTSHARD_APP_JSON_H

#include "base/num.h"
#include "base/str.h"
#include <jansson.h>

json_t *json_line(void);
/* Puts a value into an object, or at the end of an array; takes the value over. */
void json_set(json_t *object, const char *name, json_t *value);
void json_push(json_t *array, json_t *value);
void json_set_text(json_t *object, const char *name, const char *text); /* made safe if need be */
void json_set_bytes(json_t *object, const char *name, struct bytes bytes);
void json_set_whole(json_t *object, const char *name, int64_t value);
void json_set_ratio(json_t *object, const char *name, double value);
/* Prints the line and frees the object. */
void json_print(json_t *object);

#endif
