#!/bin/sh
# Every drill with a thousand seeds (or SEEDS): one right answer each time, accepted however it is
# typed; mistakes that are none, near misses refused, each mistake with its belief; nothing that
# gives itself away. Two drills at a time, or TEST_JOBS.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
seeds=${SEEDS:-1000}
drills=lessons/drills

# A seed takes a world and gives it back: the C library need not return the memory to the system
# each time, which is a fifth of the work.
MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000
export MALLOC_TRIM_THRESHOLD_ MALLOC_MMAP_THRESHOLD_

# Each one's verdict in $work/NAME, its status behind it.
# shellcheck disable=SC2016 # of the inner shell
find "$drills" -name '*.lua' | sort | xargs -P "${TEST_JOBS:-2}" -I '{}' sh -c '
    timeout "$5" "$1" lesson check --only-seeds --seeds "$2" "$4" >"$3/${4##*/}" 2>&1 </dev/null
    echo "status $?" >>"$3/${4##*/}"' drill "$HOTSHARD" "$seeds" "$work" '{}' "$((200 + seeds / 5))"
count=0
for file in "$drills"/*.lua; do
    name=$(basename "$file" .lua)
    has "$work/$name.lua" "$seeds seeds" && has "$work/$name.lua" "status 0"
    say "$name: $seeds seeds" $? "$(head -n 5 "$work/$name.lua")"
    count=$((count + 1))
done
[ $count -ge 21 ]
say "all drills are there" $? "$count"
# A drill with a fault is not let through.
cat >"$work/faulty.lua" <<'END'
return drill { id = "faulty", part = 1, title = "T", make = function(r)
  local n = r:between(10, 99)
  return { steps = { { id = "a", title = "t", say = "{n} keys.", with = { n = n },
    predict = { id = "q", kind = "number", ask = "How many keys?", tolerance = 1, why = "w",
      answer = function() return n end,
      wrong = { [n + 1] = { belief = "b", why = "w" } } } } } } end }
END
run lesson check --only-seeds --seeds 30 "$work/faulty.lua"
[ "$status" -eq 1 ] && has "$work/out" "within the tolerance of the right answer"
say "a faulty drill is found out" $? "$(cat "$work/out")"
exit "$failed"
