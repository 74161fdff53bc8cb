#!/bin/sh
# Every drill with sixty seeds (or SEEDS; `make soak` takes a thousand): one right answer each time,
# accepted however it is typed; mistakes that are none, near misses refused, each mistake with its belief; nothing that
# gives itself away. Two drills at a time, each within its minutes.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
seeds=${SEEDS:-60}
drills=lessons/drills

# try NAME: its verdict in $work/NAME, its status behind it.
try() {
    timeout 300 "$HOTSHARD" lesson check --only-seeds --seeds "$seeds" "$drills/$1.lua" \
        >"$work/$1" 2>&1 </dev/null
    echo "status $?" >>"$work/$1"
}

count=0
for file in "$drills"/*.lua; do
    name=$(basename "$file" .lua)
    try "$name" &
    count=$((count + 1))
    [ $((count % 2)) -eq 0 ] && wait
done
wait
[ $count -gt 0 ]
say "there are drills" $?
for file in "$drills"/*.lua; do
    name=$(basename "$file" .lua)
    has "$work/$name" "$seeds seeds" && has "$work/$name" "status 0"
    say "$name: $seeds seeds" $? "$(head -n 5 "$work/$name")"
done
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
