#!/bin/sh
# hotshard hot: a person's own log in each of its forms, what is told of it, and the memory it takes.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
logs=tests/data/logs

run hot "$logs/monitor.txt" --json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] &&
    [ "$(head -1 "$work/out")" = '{"key":"post:{p9}","count":2,"error":0,"share":0.3333333333,"slot":12067,"shard":"S2","bytes":9,"reads":1,"writes":1}' ] &&
    has "$work/out" '"form":"monitor",' && has "$work/out" '"lines":13,"requests":5,' &&
    has "$work/out" '"hottest_slot":12067,"hottest_slot_requests":3,' &&
    has "$work/out" '"keyless":4,"scripts":1,"cluster":2,"unknown":0,' && has "$work/out" '"other_db":1,"odd_lines":0}'
say "MONITOR output: clients' keys alone" $? "$(cat "$work/out" "$work/err")"
grep -q '"key":"post:{p3}","count":1,' "$work/out"
say "a script's key counts once" $? "$(cat "$work/out")"

run hot "$logs/cache-trace.csv" --json
[ "$status" -eq 0 ] && head -1 "$work/out" | grep -q '^{"key":"q:u:9a1","count":4,"error":0,"share":0.4444444444,"slot":10816,.*"reads":3,"writes":1}$' &&
    has "$work/out" '"form":"csv","found":"found by the seven columns' &&
    has "$work/out" '"accesses":9,"reads":4,"writes":5,'
say "a cache trace without a header" $? "$(cat "$work/out" "$work/err")"

run hot "$logs/cache-trace.csv"
[ "$status" -eq 0 ] && has "$work/out" "The form is CSV, found by the seven columns" && has "$work/out" "q:u:9a1" &&
    has "$work/out" "The load of 4 shards by each scheme" && has "$work/out" "Salting the hottest key into 8 sub-keys" &&
    has "$work/out" "A cache for the keys above" && no_escapes "$work/out"
say "the text for people: form, keys, loads, changes" $? "$(cat "$work/out" "$work/err")"
run hot "$logs/cache-trace.csv" --ascii
[ "$status" -eq 0 ] && ! LC_ALL=C grep -q '[^ -~]' "$work/out" && has "$work/out" "####" &&
    [ "$(awk '{ if (length($0) > 80) n++ } END { print n + 0 }' "$work/out")" -eq 0 ]
say "in ASCII when asked, 80 columns at most" $? "$(cat "$work/out")"

awk 'BEGIN { for (i = 0; i < 40000; i++) print (i % 4 ? "user:" i % 5003 : "user:celebrity") }' >"$work/keys"
run hot "$work/keys" --json --top 1 --shards 5
[ "$status" -eq 0 ] && head -1 "$work/out" | grep -q '^{"key":"user:celebrity","count":10000,"error":0,"share":0.25,' &&
    has "$work/out" '"form":"plain",'
say "plain keys" $? "$(cat "$work/out" "$work/err")"
[ "$(grep -c '"scheme":.*"per_shard":\[[0-9]*,[0-9]*,[0-9]*,[0-9]*,[0-9]*\]' "$work/out")" -ge 10 ] &&
    ! has "$work/out" '"scheme":"directory"'
say "a load for each scheme that places by rule" $? "$(cat "$work/out")"
cp "$work/out" "$work/plain"
gzip -c "$work/keys" >"$work/keys.gz"
run hot "$work/keys.gz" --json --top 1 --shards 5
[ "$status" -eq 0 ] && cmp -s "$work/out" "$work/plain"
say "gzip says the same" $? "$(cat "$work/err")"
cat "$work/keys.gz" "$work/keys.gz" | "$HOTSHARD" hot - --json --top 1 --shards 5 >"$work/out" 2>"$work/err" &&
    head -1 "$work/out" | grep -q '"count":20000,'
say "two gzip files in a row through a pipe" $? "$(cat "$work/err")"
run hot "$work/keys" --json --top 1 --sample 100
[ "$status" -eq 0 ] && head -1 "$work/out" | grep -q '"key":"user:celebrity","count":[0-9]*,'
say "a sample is scaled back" $? "$(cat "$work/out" "$work/err")"
run hot "$work/keys" --sample 100
tr '\n' ' ' <"$work/out" >"$work/flat"
has "$work/flat" "About 1 request in 100 was taken" && has "$work/flat" "(one standard deviation)"
say "and says how good it is" $? "$(cat "$work/out")"
run hot "$work/keys" --json --sample 100 --seed 7
cp "$work/out" "$work/seven"
run hot "$work/keys" --json --sample 100 --seed 7
cmp -s "$work/out" "$work/seven"
say "the same seed takes the same sample" $?
run hot "$work/keys" --shards 40 --ascii
[ "$status" -eq 0 ] && has "$work/out" "The load of 40 shards" &&
    [ "$(awk '{ if (length($0) > 80) n++ } END { print n + 0 }' "$work/out")" -eq 0 ]
say "many shards are summed up" $? "$(cat "$work/out")"

printf 'key\na\nb\na\n' >"$work/one-column"
run hot "$work/one-column" --json
has "$work/out" '"form":"csv",' && has "$work/out" '"requests":3,'
say "auto says what it decided" $? "$(cat "$work/out")"
run hot "$work/one-column" --json --format plain
has "$work/out" '"form":"plain","found":"as you said"' && has "$work/out" '"requests":4,'
say "and can be overruled" $? "$(cat "$work/out")"
printf '1.5 [0 h:1] "json.get" "doc"\n1.6 [0 h:1] "GET" "a"\n' >"$work/odd"
run hot "$work/odd"
has "$work/out" "unknown: json.get"
say "unknown commands are told, not guessed at" $? "$(cat "$work/out")"
printf 'a\033[31m\000b\377\n' >"$work/strange"
run hot "$work/strange" --format plain
[ "$status" -eq 0 ] && no_escapes "$work/out" && has "$work/out" 'a\x1b[31m\x00b'
say "a strange key is shown safely" $? "$(cat "$work/out" "$work/err")"
run hot "$work/strange" --format plain --json
has "$work/out" '"key_hex":"611b5b33316d0062ff"'
say "and is whole in JSON" $? "$(cat "$work/out")"
awk 'BEGIN { for (i = 0; i < 100; i++) printf "k%d\r\n", i }' >"$work/windows"
run hot "$work/windows"
has "$work/err" "carriage return"
say "keys from Windows are noticed" $? "$(cat "$work/err")"

# A stream is never held as a whole: 60 MB of log in little memory, by a limit on the address space.
stream() {
    awk 'BEGIN { for (i = 0; i < 3000000; i++) print "user:" (i * 7919) % 50021 ":profile" }'
}
stream | (
    # shellcheck disable=SC3045
    ulimit -v 98304 && "$HOTSHARD" hot - --json --top 1 >"$work/out" 2>"$work/err"
) &&
    has "$work/out" '"lines":3000000,' && has "$work/out" '"keys":50021,'
say "60 MB through a pipe within 96 MB of address space, libraries included" $? "$(cat "$work/err")"

run hot --help
has "$work/out" "1,048,576 different" && has "$work/out" "lines up to 1 MB"
say "the help states the limits" $?
run --help
has "$work/out" "  hot "
say "the program's help names it" $?

refuses "hot without a file" "takes one FILE" hot
refuses "hot with two files" "takes one FILE" hot a b
refuses "no keys to list" "--top" hot "$work/keys" --top 0
refuses "a negative number of keys" "--top" hot "$work/keys" --top -3
refuses "more keys than counters" "--top" hot "$work/keys" --top 1025
refuses "a sample of none" "--sample" hot "$work/keys" --sample 0
refuses "a negative sample" "--sample" hot "$work/keys" --sample -1
refuses "no shards" "--shards" hot "$work/keys" --shards 0
refuses "more shards than are tried" "from 1 to 1000" hot "$work/keys" --shards 1001
refuses "an unknown form" "plain, csv, monitor" hot "$work/keys" --format xml
refuses "a sample that takes nothing" "none was taken" hot "$work/strange" --format plain --sample 1000000
exit "$failed"
