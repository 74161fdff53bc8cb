/*
 * gzip: see gzip.h. zlib's inflate, started anew for each member.
 */
#include "base/gzip.h"

#include "base/alloc.h"
#include "base/check.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED_SIZE ((size_t)1 << 16)
#define GZIP_ONLY (16 + MAX_WBITS) /* zlib's way to ask for the gzip format and no other */

struct gzip {
    z_stream stream;
    int fd;
    unsigned char *packed;
    size_t start, end; /* of what was read and not unpacked yet */
    uint64_t taken;    /* packed bytes read */
    uint64_t unpacked;
    bool at_end;    /* of the input */
    bool in_member; /* between a member's first byte and its checksum */
    bool ended;     /* only padding may follow */
};

bool gzip_starts(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    return length >= 2 && at[0] == 0x1f && at[1] == 0x8b;
}

struct gzip *gzip_new(int fd, const void *first, size_t length)
{
    struct gzip *gzip = xcalloc(1, sizeof *gzip);
    gzip->fd = fd;
    gzip->packed = xmalloc(length > PACKED_SIZE ? length : PACKED_SIZE);
    if (length > 0) {
        memcpy(gzip->packed, first, length);
    }
    gzip->end = length;
    gzip->taken = length;
    CHECK(inflateInit2(&gzip->stream, GZIP_ONLY) == Z_OK);
    gzip->in_member = true;
    return gzip;
}

void gzip_free(struct gzip *gzip)
{
    if (gzip == NULL) {
        return;
    }
    (void)inflateEnd(&gzip->stream);
    free(gzip->packed);
    free(gzip);
}

static bool fill(struct gzip *gzip, struct err *err)
{
    if (gzip->start < gzip->end || gzip->at_end) {
        return true;
    }
    ssize_t got;
    do {
        got = read(gzip->fd, gzip->packed, PACKED_SIZE);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return err_set(err, "reading stopped after %" PRIu64 " packed bytes: %s; check the disk",
                       gzip->taken, strerror(errno));
    }
    gzip->start = 0;
    gzip->end = (size_t)got;
    gzip->taken += (uint64_t)got;
    gzip->at_end = got == 0;
    return true;
}

/* What stands behind a member: another one, padding, or the end. */
static bool look_behind(struct gzip *gzip, struct err *err)
{
    if (gzip->packed[gzip->start] == 0) {
        gzip->ended = true;
        gzip->start++;
        return true;
    }
    if (gzip->ended || gzip->packed[gzip->start] != 0x1f) {
        return err_set(err,
                       "after %" PRIu64 " unpacked bytes the gzip file goes on as something else; "
                       "unpack it by hand and look at its end",
                       gzip->unpacked);
    }
    CHECK(inflateReset(&gzip->stream) == Z_OK);
    gzip->in_member = true;
    return true;
}

static bool damaged(const struct gzip *gzip, struct err *err)
{
    return err_set(err,
                   "the gzip file is damaged: %s, after %" PRIu64 " unpacked bytes; fetch or pack "
                   "it again",
                   gzip->stream.msg != NULL ? gzip->stream.msg : "its data make no sense",
                   gzip->unpacked);
}

/* Unpacks once; *made is how many bytes came out, which may be none. */
static bool unpack(struct gzip *gzip, void *out, size_t room, size_t *made, struct err *err)
{
    size_t most = (size_t)1 << 30; /* zlib counts in unsigned int */
    size_t given = gzip->end - gzip->start;
    room = room < most ? room : most;
    gzip->stream.next_in = gzip->packed + gzip->start;
    gzip->stream.avail_in = (uInt)given;
    gzip->stream.next_out = out;
    gzip->stream.avail_out = (uInt)room;
    int result = inflate(&gzip->stream, Z_NO_FLUSH);
    gzip->start += given - gzip->stream.avail_in;
    *made = room - gzip->stream.avail_out;
    gzip->unpacked += *made;
    CHECK(result != Z_MEM_ERROR && result != Z_STREAM_ERROR);
    if (result == Z_STREAM_END) {
        gzip->in_member = false;
        return true;
    }
    return result == Z_OK || result == Z_BUF_ERROR || damaged(gzip, err);
}

int64_t gzip_read(struct gzip *gzip, void *out, size_t room, struct err *err)
{
    CHECK(room > 0);
    for (;;) {
        if (!fill(gzip, err)) {
            return -1;
        }
        bool nothing = gzip->start == gzip->end;
        if (!gzip->in_member && nothing) {
            return 0;
        }
        if (!gzip->in_member) {
            if (!look_behind(gzip, err)) {
                return -1;
            }
            continue;
        }
        size_t made = 0;
        if (!unpack(gzip, out, room, &made, err)) {
            return -1;
        }
        if (made > 0) {
            return (int64_t)made;
        }
        if (nothing && gzip->in_member) {
            err_set(err,
                    "the gzip file is torn: it ends after %" PRIu64 " unpacked bytes, in the "
                    "middle of its data; fetch it again",
                    gzip->unpacked);
            return -1;
        }
    }
}

uint64_t gzip_packed(const struct gzip *gzip)
{
    return gzip->taken;
}
