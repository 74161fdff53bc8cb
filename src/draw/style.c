/*
 * style: letters of the roles. Colours live in src/term.
 */
#include "draw/style.h"
#include "base/check.h"

enum style style_owner(uint32_t shard)
{
    return (enum style)(STYLE_OWNER_0 + shard % STYLE_OWNERS);
}

char style_letter(enum style style)
{
    /* In the order of the enum; owners are digits so that they never look like words. */
    static const char letters[] = ".dstclkgwbfrmxnhijpq01234567";
    _Static_assert(sizeof(letters) - 1 == STYLE_COUNT, "one letter a role");
    CHECK((unsigned)style < STYLE_COUNT);
    return letters[style];
}

char style_owner_letter(uint32_t shard)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return shard < sizeof(letters) - 1 ? letters[shard] : '?';
}
