#!/bin/sh
# Glossaries meant to break it: each fault is told with its line, by the check as by the program, and
# nothing hangs or crashes. With sanitizers where there is such a build.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
if [ -x "${HOTSHARD_ASAN:-}" ]; then
    HOTSHARD=$HOTSHARD_ASAN
fi
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
HOTSHARD_LESSONS=$work/own/lessons
export XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME HOTSHARD_LESSONS
mkdir -p "$work/own/lessons" "$work/own/assets"
file=$work/own/assets/glossary.txt

# checks NAME TEXT: the check of $file has status 1 and says TEXT; the program refuses the file.
checks() {
    run lesson check "$file"
    [ "$status" -eq 1 ] && [ ! -s "$work/err" ] && has "$work/out" "$2"
    say "$1" $? "status $status, said: $(head -c 300 "$work/out" "$work/err")"
}

# entry LINE...: an entry that is good but for these lines.
entry() {
    printf 'term: a\npart: 1\nsay: One. Two.\n' >"$file"
    printf '%b\n' "$@" >>"$file"
}

: >"$file"
checks "an empty file" "glossary.txt:1: error: no term is in here"
refuses "which the program refuses" "glossary.txt:1: no term is in here" glossary
cp "$HOTSHARD" "$file" 2>/dev/null
checks "the program itself" "glossary.txt"
head -c 2000000 /dev/zero >"$file"
checks "two megabytes of nothing" "glossary.txt"
head -c 1000000 /dev/zero | tr '\0' x >"$file"
checks "one line of a megabyte" "glossary.txt:1: error: this is no field"
{
    printf 'term: a\npart: 1\nshow: bars\nsay: '
    head -c 900000 /dev/zero | tr '\0' y
    printf '. Two.\n'
} >"$file"
checks "a definition of a megabyte" "glossary.txt:4: error: say has 900006 characters"
awk 'BEGIN { for (i = 0; i < 2500; i++) printf "term: t%d\npart: 1\nsay: One. Two.\nshow: crc16:a\n\n", i }' >"$file"
checks "thousands of terms" "more than 2000 terms"
awk 'BEGIN { printf "term: a\npart: 1\nsay: One. Two.\nshow: bars\nalso: b"; for (i = 0; i < 3000; i++) printf ", n%d", i; print "" }' >"$file"
checks "thousands of names" "glossary.txt:5: error: also: more than 16 names"

entry 'show: bars' 'see: \033[2J'
checks "an escape sequence" "glossary.txt:5: error: this line holds bytes that are no text"
no_escapes "$work/out"
say "which is not passed on" $?
entry 'show: bars' 'also: \377\376'
checks "bytes that are no UTF-8" "glossary.txt:5"
printf 'term: a\000b\npart: 1\nsay: One. Two.\nshow: bars\n' >"$file"
checks "a NUL in a name" "glossary.txt:1: error: this line holds bytes"
entry 'show: ../../etc/passwd'
checks "a path for a picture" "glossary.txt:4: error: show: there is no picture"
entry 'show: bars:%s%s%n'
run glossary a
[ "$status" -eq 0 ]
say "signs of a format" $? "$(cat "$work/err")"
entry 'show: bars' 'at: 999999999999999999999'
checks "an event out of all bounds" "glossary.txt:5: error: at: "
entry 'show: bars' 'do: wait 99999999999'
checks "an endless wait" "glossary.txt:5: error: do: \"wait"
entry 'show: bars' 'do: flow read post:{p9} 4000000000' 'do: wait 600000'
checks "more traffic than there is room for" "glossary.txt:4: error: "
entry 'show: ring' 'settings: scheme ring, tokens 99999999, shards 4'
checks "settings out of bounds" "glossary.txt:4: error: settings: "
entry 'show: trace' 'do: request read post:{p9} via R77'
checks "a router that is not there" "glossary.txt:4: error: do: "
{
    printf 'term: a\npart: 1\nsay: One. Two.\nshow: trace\n'
    awk 'BEGIN { for (i = 0; i < 5000; i++) print "do: like likes:{p9}" }'
} >"$file"
run glossary a
[ "$status" -eq 0 ] || { [ "$status" -eq 2 ] && one_line "$work/err"; }
say "thousands of commands" $? "$(head -c 300 "$work/err")"
rm "$file" && mkdir "$file"
refuses "a folder in its place" "glossary" glossary
exit "$failed"
