#!/bin/sh
# The same seeds play the same in every build: with either compiler, with sanitizers, twice in a row.
set -u
: "${HOTSHARD:=$PWD/hotshard}"
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}"
failed=0

# digest PROGRAM SEEDS: what these seeds come to, played by the simulator beside the program.
digest() {
    "${1%/*}/sim/sim" many "$2" | sed -n 's/^## digest //p'
}

# same NAME SEEDS PROGRAM PROGRAM
same() {
    one=$(digest "$3" "$2")
    other=$(digest "$4" "$2")
    if [ -n "$one" ] && [ "$one" = "$other" ]; then
        echo "ok $1: $2 seeds come to the same"
    else
        echo "not ok $1 - $2 seeds come to $one and to $other"
        failed=1
    fi
}

same "gcc twice" 1000 "$HOTSHARD" "$HOTSHARD"
same "gcc and clang" 4000 "$HOTSHARD" "$HOTSHARD_CLANG"
same "gcc and sanitizers" 500 "$HOTSHARD" "$HOTSHARD_ASAN"
exit $failed
