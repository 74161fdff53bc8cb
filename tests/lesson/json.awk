# Reads JSON, one value a line, in LC_ALL=C; prints the names of each object's fields, in order, a
# line an object ("lesson step title ..."). A line that is not JSON: "line N: not JSON", status 1.

function skip() {
    while (substr(line, at, 1) ~ /[ \t]/) at++
}

function literal(word) {
    if (substr(line, at, length(word)) != word) return 0
    at += length(word)
    return 1
}

function string(    c) {
    if (substr(line, at++, 1) != "\"") return 0
    for (;;) {
        c = substr(line, at++, 1)
        if (c == "" || c < " ") return 0
        if (c == "\"") return 1
        if (c == "\\") {
            c = substr(line, at++, 1)
            if (c == "u") {
                if (substr(line, at, 4) !~ /^[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]$/) return 0
                at += 4
            } else if (c == "" || !index("\"\\/bfnrt", c)) return 0
        }
    }
}

function number() {
    if (!match(substr(line, at), /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/)) return 0
    at += RLENGTH
    return 1
}

function list(closing, depth,    from) {
    at++
    skip()
    if (literal(closing)) return 1
    for (;;) {
        skip()
        if (closing == "}") {
            from = at + 1
            if (!string()) return 0
            if (depth == 1) names = names (names == "" ? "" : " ") substr(line, from, at - from - 1)
            skip()
            if (!literal(":")) return 0
        }
        if (!value(depth)) return 0
        skip()
        if (literal(closing)) return 1
        if (!literal(",")) return 0
    }
}

function value(depth,    c) {
    skip()
    c = substr(line, at, 1)
    if (c == "{") return list("}", depth + 1)
    if (c == "[") return list("]", depth + 1)
    if (c == "\"") return string()
    if (c == "t") return literal("true")
    if (c == "f") return literal("false")
    if (c == "n") return literal("null")
    return number()
}

{
    line = $0
    at = 1
    names = ""
    good = value(0)
    skip()
    if (!good || at <= length(line)) {
        print "line " NR ": not JSON at byte " at
        bad = 1
    } else print names
}
END { exit bad || NR == 0 }
