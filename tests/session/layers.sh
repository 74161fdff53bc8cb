#!/bin/sh
# scripts/check-layers refuses each kind of breach, and nothing else. Every case is a small tree of
# its own, with the project's own table of layers.
set -u
root=$PWD
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
failed=0

# write FILE: standard input becomes a file of the tree.
write() {
    mkdir -p "$tree/$(dirname "$1")"
    cat >"$tree/$1"
}

fresh() {
    rm -rf "${tree:?}/src" "$tree/tests"
    cp "$root/Makefile" "$tree/Makefile"
    write src/base/str.h <<'END'
/* Words like time( and rand( in a comment are no calls, nor is "TODOS" a thing to do. */
#include <stdint.h>
END
    write src/view/bars.c <<'END'
#include "engine/world.h"
#include "lesson/page.h"
#include "view/bars.h"
END
}

# say NAME STATUS WHY
say() {
    if [ "$2" -eq 0 ]; then
        echo "ok $1"
    else
        echo "not ok $1 - $3"
        failed=1
    fi
}

# refuses NAME PLACE RULE: a fault at that place, named by these words, and no other.
refuses() {
    out=$("$root/scripts/check-layers" "$tree" 2>&1)
    status=$?
    [ "$status" -eq 1 ] && [ "$(printf '%s\n' "$out" | wc -l)" -eq 1 ]
    one=$?
    case $out in
    "$2: "*"$3"*) [ $one -eq 0 ] ;;
    *) false ;;
    esac
    say "refuses $1" $? "status $status, said: $out"
    fresh
}

# accepts NAME
accepts() {
    out=$("$root/scripts/check-layers" "$tree" 2>&1)
    say "accepts $1" $? "said: $out"
    fresh
}

# lines COUNT TEXT
lines() {
    awk -v count="$1" -v text="$2" 'BEGIN { for (i = 0; i < count; i++) print text }'
}

fresh
accepts "a tree without faults"

write src/place/key.c <<'END'
#include "base/str.h"
#include "engine/world.h"
END
refuses "an include upward" src/place/key.c:2 'place may not include "engine/world.h"'

write src/draw/canvas.h <<'END'
#include "place/key.h"
END
refuses "an include sideways" src/draw/canvas.h:1 'draw may not include'

write src/engine/world.c <<'END'
#include "../place/key.h"
END
refuses "a path with .." src/engine/world.c:1 'without ..'

write src/view/quiz.c <<'END'
#include "lesson/sandbox.h"
END
refuses "view seeing more of lesson than its page" src/view/quiz.c:1 'lesson/page.h alone'

write tests/unit/study/test_log.c <<'END'
#include "engine/world.h"
END
refuses "a unit test that reaches over its layer" tests/unit/study/test_log.c:1 'study may not'

write src/extra/new.c <<'END'
#include "base/str.h"
END
out=$("$root/scripts/check-layers" "$tree" 2>&1)
case $out in
*'src/extra/new.c:1: folder src/extra has no USES_ line'*) true ;;
*) false ;;
esac
say "refuses a folder that the table does not know" $? "said: $out"
fresh

# Each library, outside its folder and inside.
while read -r header home; do
    echo "#include <$header>" | write src/view/lib.c
    refuses "<$header> in src/view" src/view/lib.c:1 "belongs to"
    echo "#include <$header>" | write "src/$home/lib.c"
    accepts "<$header> in src/$home"
done <<'END'
lua.h lesson
lauxlib.h lesson
lua5.4/lualib.h lesson
curses.h term
ncursesw/ncurses.h term
zlib.h base
utf8proc.h base
jansson.h app
END

echo '#include <curses.h>' | write src/term/screen.c
echo '#include <term.h>' | write src/term/zzz.c
refuses "a second file that knows curses" src/term/zzz.c:1 'one file knows curses'

echo '#include "term/term.h"' | write src/app/main.c
accepts "our own term.h, which is not that of curses"

for call in 'time(NULL)' 'clock()' 'gettimeofday(&t, NULL)' 'clock_gettime(0, &t)'; do
    echo "int x = /* now */ $call;" | write src/story/now.c
    refuses "$call below app" src/story/now.c:1 'nothing asks the clock'
done
for call in 'rand()' 'random ()' 'srand(1)'; do
    echo "int x = 3 + $call;" | write src/term/chance.c
    refuses "$call below app" src/term/chance.c:1 'base/prng.h'
done
echo 'long now = time(NULL);' | write src/app/now.c
accepts "the clock in app"

write src/engine/time.c <<'END'
/* An odd " in a comment */
int a = world_time(w) + w->time(w) + f("time(", '"', "rand(\"") /* rand(
   clock( */ + sim_clock(3); // srand(
END
accepts "names that only end in a forbidden one, texts and comments"

write src/engine/time.c <<'END'
/* An odd " in a comment */ const char *text = "*/ /* \" ";
int a = time(0);
END
refuses "the clock after misleading quotes" src/engine/time.c:2 'nothing asks the clock'

lines 600 'int x;' | write src/base/long.c
accepts "600 lines"
lines 601 'int x;' | write src/base/long.c
refuses "601 lines" src/base/long.c:601 'at most 600 lines'

{ echo '{'; lines 70 '    x++;'; echo '}'; } | write src/base/body.c
accepts "a function of 70 lines"
{ echo '{'; lines 71 '    x++;'; echo '}'; } | write src/base/body.c
refuses "a function of 71 lines" src/base/body.c:73 'at most 70 lines'

printf '/* %097d */\n' 0 | write src/base/wide.c
refuses "a line of 103 columns" src/base/wide.c:1 'at most 100 columns, this one 103'
{ printf '"'; printf '\342\224\200%.0s' 1 2 3; printf '%095d"\n' 0; } | write src/base/wide.c
accepts "100 columns of more than 100 bytes"

# The word is put together here, so that this file is none of those it is about.
echo "/* TO""DO: later */" | write tests/unit/base/test_str.c
refuses "something left for later" tests/unit/base/test_str.c:1 'nothing is left to do'

# Archives: constants may hold addresses, variables may not be there.
archive() {
    (cd "$tree" && mkdir -p lib && rm -f lib/*.a && printf '%s\n' "$1" >v.c &&
        gcc -O2 -fPIE -c v.c -o v.o && ar rcs "lib/lib$2.a" v.o)
}
archive 'static const char *const n[] = {"a", "b"}; const char *f(int i); const char *f(int i) { return n[i]; }' engine
out=$("$root/scripts/check-layers" --symbols "$tree/lib" 2>&1)
say "accepts constants in an archive" $? "said: $out"
while read -r kind code; do
    archive "$code" place
    out=$("$root/scripts/check-layers" --symbols "$tree/lib" 2>&1)
    status=$?
    case $status:$out in
    "1:"*"libplace.a(v.o): variable state"*"outlives a call"*) true ;;
    *) false ;;
    esac
    say "refuses a variable in an archive: $kind" $? "status $status, said: $out"
done <<'END'
global int state;
initialised int state = 3;
static int f(void); int f(void) { static int state; return state++; }
thread-local _Thread_local int state;
END
archive 'int state;' lesson
out=$("$root/scripts/check-layers" --symbols "$tree/lib" 2>&1)
say "accepts variables in lesson, where Lua's state is" $? "said: $out"

exit $failed
