#!/bin/sh
# Logs meant to break `hotshard hot`: each is refused in one sentence with status 2, or read within
# the limits that the help states. With sanitizers where there is such a build.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
if [ -x "${HOTSHARD_ASAN:-}" ]; then
    HOTSHARD=$HOTSHARD_ASAN
fi

: >"$work/empty"
refuses "an empty log" "empty" hot "$work/empty"
gzip -c "$work/empty" >"$work/empty.gz"
refuses "an empty log in gzip" "empty" hot "$work/empty.gz"
refuses "a log that is not there" "/nowhere" hot /nowhere/log
refuses "a folder" "is a folder" hot "$work"
refuses "an empty name" "the path is empty" hot ''

refuses "the program itself" "NUL bytes" hot "$HOTSHARD"
printf 'a\n\000\n' >"$work/nul"
refuses "NUL in the second line" "line 2 holds NUL" hot "$work/nul"
refuses "NUL where CSV is asked for" "NUL" hot "$work/nul" --format csv
run hot "$work/nul" --format plain --json
[ "$status" -eq 0 ] && has "$work/out" '"requests":2,'
say "NUL bytes are keys when they are asked for as such" $? "$(cat "$work/err")"

awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) print "user:" int(rand() * 1000000) }' >"$work/keys"
gzip -c "$work/keys" >"$work/keys.gz"
size=$(wc -c <"$work/keys.gz")
for cut in 2 3 10 18 100 $((size / 2)) $((size - 8)) $((size - 1)); do
    head -c "$cut" "$work/keys.gz" >"$work/torn.gz"
    refuses "gzip torn after $cut bytes" "torn" hot "$work/torn.gz"
done
{
    head -c $((size / 2)) "$work/keys.gz"
    printf 'damage damage damage'
    tail -c $((size / 2)) "$work/keys.gz"
} >"$work/damaged.gz"
refuses "damaged gzip" "gzip file is damaged" hot "$work/damaged.gz"
{
    cat "$work/keys.gz"
    printf 'more'
} >"$work/more.gz"
refuses "gzip with text behind it" "something else" hot "$work/more.gz"
head -c 200000000 /dev/zero | gzip -1 >"$work/bomb.gz"
refuses "gzip that unpacks to one endless line" "line 1: longer than 1048576" hot "$work/bomb.gz"

head -c 1048576 /dev/zero | tr '\0' x >"$work/long"
run hot "$work/long" --json
[ "$status" -eq 0 ] && has "$work/out" '"bytes":1048576,'
say "a line of 1 MB is a key" $? "$(head -c 300 "$work/err")"
{
    echo a
    cat "$work/long"
    echo x
} >"$work/longer"
refuses "a byte more is refused with its line" "line 2: longer than" hot "$work/longer"
{
    printf '1.5 [0 h:1] "set" "k" "'
    head -c 900000 /dev/zero | tr '\0' '\134'
    printf '"\n1.5 [0 h:1] "get" "k"\n'
} >"$work/slashes"
run hot "$work/slashes" --json
[ "$status" -eq 0 ] && has "$work/out" '"requests":2,'
say "a MONITOR line of nothing but escapes" $? "$(cat "$work/err")"
{
    printf '1.5 [0 h:1] "mget"'
    awk 'BEGIN { for (i = 0; i < 200000; i++) printf " \"\"" }'
    printf '\n'
} >"$work/many-keys"
run hot "$work/many-keys" --json
[ "$status" -eq 0 ] && has "$work/out" '"key":"","count":200000,'
say "a command of 200,000 keys" $? "$(cat "$work/err")"
{
    printf 'key'
    awk 'BEGIN { for (i = 0; i < 300000; i++) printf ",c" }'
    printf '\na\n'
} >"$work/many-columns"
run hot "$work/many-columns" --json
[ "$status" -eq 0 ] && has "$work/out" '"key":"a","count":1,'
say "300,000 columns" $? "$(cat "$work/err")"

printf 'time,name\n1,a\n' >"$work/columns"
refuses "CSV without a column of keys" "it has: time, name" hot "$work/columns" --format csv
printf 'a,b\033[2J,c\n' >"$work/columns"
refuses "whose column names are hostile" "\\x1b[2J" hot "$work/columns" --format csv
refuses "a log of another form" "do not have the form monitor" hot "$work/keys" --format monitor
printf 'OK\n' >"$work/ok"
refuses "MONITOR output with nothing in it" "no request" hot "$work/ok" --format monitor
printf '99999999999999999999.5 [0 h:1] "get" "a"\n1.5 [99999999999999999999 h:1] "get" "a"\n' >"$work/big"
run hot "$work/big" --format monitor --json
[ "$status" -eq 0 ] && has "$work/out" '"requests":1,' && has "$work/out" '"odd_lines":1}'
say "numbers beyond all bounds" $? "$(cat "$work/out" "$work/err")"

awk 'BEGIN { for (i = 0; i < 1200000; i++) print "session:" i }' >"$work/distinct"
run hot "$work/distinct" --json
[ "$status" -eq 0 ] && has "$work/out" '"exact":false,' && has "$work/out" '"keys":null,' &&
    has "$work/out" '"scheme":"range","hash":null,"busiest_over_average":null,'
say "1,200,000 different keys: what cannot be said is not said" $? "$(cat "$work/err")"
run hot "$work/distinct"
has "$work/out" "needs all keys at once" && has "$work/out" "Space-Saving" && has "$work/out" "None of the 10 surely"
say "and people are told why" $? "$(cat "$work/out")"
if [ -w /dev/full ]; then
    "$HOTSHARD" hot "$work/keys" >/dev/full 2>"$work/err" </dev/null
    [ $? -eq 2 ] && one_line "$work/err"
    say "a full disk behind standard output is noticed" $? "$(cat "$work/err")"
fi
exit "$failed"
