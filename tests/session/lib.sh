# Sourced by the tests here: saying what passed, and driving the program in a terminal.
# shellcheck shell=sh disable=SC2034

failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/session.XXXXXX") || exit 1
: "${HOTSHARD:=$PWD/hotshard}"
export HOTSHARD

# say NAME STATUS [WHY]
say() {
    if [ "$2" -eq 0 ]; then
        echo "ok $1"
    else
        echo "not ok $1 - ${3:-}"
        failed=1
    fi
}

# run ARGUMENT...: the program; its output goes to $work/out and $work/err, its status to $status.
run() {
    "$HOTSHARD" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

# one_line FILE: it holds exactly one line.
one_line() {
    [ "$(wc -l <"$1")" -eq 1 ]
}

# has FILE TEXT
has() {
    grep -F -q -e "$2" "$1"
}

# refuses NAME TEXT ARGUMENT...: status 2, nothing on standard output, one line that holds TEXT.
refuses() {
    name=$1 text=$2
    shift 2
    run "$@"
    [ "$status" -eq 2 ] && [ ! -s "$work/out" ] && one_line "$work/err" && has "$work/err" "$text"
    say "$name" $? "status $status, said: $(head -c 300 "$work/err")"
}

# no_escapes FILE
no_escapes() {
    ! LC_ALL=C grep -q "$(printf '\033')" "$1"
}

# lesson_way NAME: the lines of lessons/NAME.lua that declare the steps on its way, in order; those of
# the placement check are not on it. lesson_steps NAME: how many. lesson_step NAME ID: which one.
lesson_way() {
    grep '^    { id = "[^"]*", title = ' "lessons/$1.lua" | grep -v 'check = true'
}
lesson_steps() {
    lesson_way "$1" | wc -l
}
lesson_step() {
    lesson_way "$1" | grep -n -F "{ id = \"$2\"," | cut -d : -f 1
}
