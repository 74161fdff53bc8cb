/*
 * promise: the note.
 */
#include "engine/promise.h"

#include "engine/state.h"

void promise_broken(struct world *w, enum promise promise, uint64_t request, uint32_t key,
                    int64_t due, int64_t found)
{
    if (w->broken.promise == PROMISE_NONE) {
        w->broken = (struct broken_promise){.promise = (uint8_t)promise,
                                            .key = key,
                                            .request = request,
                                            .due = due,
                                            .found = found};
    }
}
