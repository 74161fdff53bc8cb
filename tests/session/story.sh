#!/bin/sh
# hotshard story and snapshot: the main line, events on copies, moments, their JSON, and wrong ids
# and times refused in a line.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: >"$work/wide"
: >"$work/wrong"

run story --help
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && has "$work/out" "Usage: hotshard story"
say "story --help prints its usage" $? "status $status"
run snapshot --help
[ "$status" -eq 0 ] && has "$work/out" "Usage: hotshard snapshot MOMENT"
say "snapshot --help prints its usage" $? "status $status"
run --help
has "$work/out" "  story " && has "$work/out" "  snapshot "
say "hotshard --help lists both" $?

# the table
run story --events
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
    grep -q '^4  *20:02:00$' "$work/out" && has "$work/out" "     p9 takes off" &&
    grep -q '^7b  *20:02:00, on a copy$' "$work/out" && ! grep '.\{81\}' "$work/out" >"$work/wide"
say "story --events lists events with their times, and which are on a copy" $? "$(cat "$work/out")"
run story --events --json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] &&
    ! grep -v '^{"t":"2[0-9]:[0-9:.]*","event":"[0-9DFK][0-9a-z]*","what":"[^"].*[.?]","copy":\(true\|false\),"look_at":\(null\|".*"\)}$' "$work/out" >"$work/wrong"
say "story --events --json gives each a line with t, event, what, copy, look_at" $? "$(cat "$work/wrong")"
grep -c '' "$work/out" >"$work/count"
sed -n 's/^{"t":"[^"]*","event":"\([^"]*\)".*/\1/p' "$work/out" >"$work/ids"
[ "$(sort -u "$work/ids" | wc -l)" -eq "$(cat "$work/count")" ]
say "no event is listed twice" $? "$(cat "$work/ids")"

# the main line
run story --until 20:03:00
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
    ! grep '.\{81\}' "$work/out" >"$work/wide" &&
    [ "$(sed -n 's/^\(20:[0-9:.]*\) .*/\1/p' "$work/out" | tr '\n' ' ')" = \
        "20:00:00 20:01:00 20:02:00 20:02:05 20:02:30 20:03:00 " ]
say "story --until 20:03:00 tells six events, in 80 columns" $? "$(cat "$work/out" "$work/wide")"
grep -q '^ *S2 *2,550 *255% *9,300 *310% ' "$work/out" && grep -q '^ *S2 *2,550 *255% *306 *10% ' "$work/out"
say "S2 is asked for 2,550 and 9,300, and with caches for 306" $? "$(cat "$work/out")"
run story --until 20:03:00 --json
shard='{"id":"S[0-9]","writes":[0-9]*,"reads":[0-9]*,"write_pct":[0-9.]*,"read_pct":[0-9.]*,"served":[0-9]*,"refused":[0-9]*,"turned_away":[0-9]*}'
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 6 ] &&
    ! grep -v "^{\"t\":\"20:0[0-3]:[0-9][0-9].000\",\"event\":\"[1-7]\",\"what\":\".*\",\"look_at\":\(null\|\".*\"\),\"shards\":\[$shard,$shard,$shard,$shard\],\"map_version\":7,\"figures\":\[.*\]}\$" "$work/out" >"$work/wrong"
say "story --json has the fields of a report in each line" $? "$(cat "$work/wrong")"
cp "$work/out" "$work/first"
run story --until 20:03:00 --json
[ -s "$work/out" ] && cmp -s "$work/out" "$work/first"
say "the same seed gives the same bytes" $?
run story --until 20:03:00 --json --seed 2
[ "$status" -eq 0 ] && ! cmp -s "$work/out" "$work/first"
say "another seed is another run" $?
run story --until 20:00:30 --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 2 ] && grep -q '^{"t":"20:00:30.000","event":"end",' "$work/out"
say "a time between events is told at the end" $? "$(cat "$work/out")"

# one event
run story 7b
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
    ! grep '.\{81\}' "$work/out" >"$work/wide" && has "$work/out" "7b (on a copy)" &&
    grep -q '^ *1,05[0-9.]* queries/s ' "$work/out" && grep -q '^ *19[56][0-9.]* queries/s ' "$work/out"
say "story 7b counts about 1,059 and 196 queries a second" $? "$(cat "$work/out" "$work/wide")"
run story 7b --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 3 ] &&
    ! grep -v '^{"t":"20:0.*","event":"7b","what":".*","report":".*","shards":\[\],"map_version":7,"figures":\[{"what":".*","value":[0-9.]*,"unit":"queries/s"}\]}$' "$work/out" >"$work/wrong"
say "its JSON has a line for each way, with its figure" $? "$(cat "$work/wrong")"
run story 4 --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && has "$work/out" '"event":"4"' &&
    grep '"event":"4"' "$work/first" | cmp -s - "$work/out"
say "an event of the main line is what the main line tells of it" $? "$(cat "$work/out")"

# moments
run snapshot M2 --json
[ "$status" -eq 0 ] && one_line "$work/out" &&
    grep -q '^{"t":"20:02:00.000","event":"4","what":".*","look_at":".*","moment":"M2","shards":\[.*{"id":"S2","writes":2550,"reads":9300,"write_pct":255.0,"read_pct":310.0,"served":[0-9]*,"refused":[0-9]*,"turned_away":[0-9]*}.*\],"map_version":7,' "$work/out"
say "snapshot M2 --json has S2 at 255% and 310%" $? "$(cat "$work/out")"
run snapshot M3 --json
[ "$status" -eq 0 ] && has "$work/out" '{"id":"S2","writes":162,"reads":306,"write_pct":16.2,"read_pct":10.2,' &&
    has "$work/out" '"value":342.0,"unit":"keys/s"'
say "snapshot M3 --json has S2 at 162 and 306, 342 keys read" $? "$(cat "$work/out")"
run snapshot M4 --json
[ "$status" -eq 0 ] && has "$work/out" '{"id":"S5","writes":400,"reads":800,'
say "snapshot M4 --json has S5 at 400 and 800" $? "$(cat "$work/out")"
run snapshot M1
[ "$status" -eq 0 ] && has "$work/out" "M1" && [ "$(grep -c '^ *S[0-3] *200 *20% *400 *13% ' "$work/out")" -eq 4 ]
say "snapshot M1 has all four shards at 200 and 400" $? "$(cat "$work/out")"
run snapshot M6 --json
[ "$status" -eq 0 ] && has "$work/out" '{"id":"S0","writes":200,"reads":1400,' &&
    has "$work/out" '{"id":"S2","writes":150,"reads":1300,' && has "$work/out" '{"id":"S4","writes":12,"reads":1006,'
say "snapshot M6 --json has S0 at 1,400, S2 at 1,300, S4 at 1,006 reads" $? "$(cat "$work/out")"

# what is wrong is told in one line
refuses "an id that is none" '"7d" is no event of the story' story 7d
refuses "an empty id" "is no event of the story" story ''
refuses "two events" "one event at a time" story 7a 7b
refuses "a time before the story" "from 20:00:00 to 20:20:00" story --until 19:59:59
refuses "a time after it" "from 20:00:00 to 20:20:00" story --until 20:20:01
refuses "a time that is none" "is not a time of day" story --until soon
refuses "an hour that is none" "from 20:00:00 to 20:20:00" story --until 25:00:00
refuses "an event with a time" "an event has its own time" story 7 --until 20:05:00
refuses "the table with an event" "takes nothing beside it" story --events 7
refuses "the table with a time" "takes nothing beside it" story --events --until 20:05:00
refuses "an unknown option" "--untill" story --untill 20:05:00
refuses "no moment" "M1 to M6" snapshot
refuses "a moment that is none" '"M9" is no moment' snapshot M9
refuses "two moments" "M1 to M6" snapshot M1 M2

exit "$failed"
