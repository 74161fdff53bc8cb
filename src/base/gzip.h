/*
 * gzip: unpacking a gzip stream while it is read, in fixed memory.
 *
 * Bytes come from a file descriptor (borrowed) after those that the caller has already read from
 * it, and go out unpacked. Several members one after the other are one stream, as gzip(1) has it;
 * zero bytes behind the last one are padding. A stream that ends early, fails its checksum or goes
 * on as something else is an error, told in a sentence without the file's name.
 *
 * Format: RFC 1952. The gzip owns its buffers: gzip_free.
 */
#ifndef HOTSHARD_BASE_GZIP_H
#define HOTSHARD_BASE_GZIP_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

struct gzip;

/* Whether bytes at the start of a file are gzip's mark. */
bool gzip_starts(const void *bytes, size_t length);
struct gzip *gzip_new(int fd, const void *first, size_t length);
void gzip_free(struct gzip *gzip); /* NULL is fine */

/* How many bytes were unpacked into `out` (room > 0), 0 at the end, -1 with the reason. After -1 it
 * must not be called again. */
int64_t gzip_read(struct gzip *gzip, void *out, size_t room, struct err *err);
uint64_t gzip_packed(const struct gzip *gzip); /* packed bytes taken so far */

#endif
