# mutants: what could be written wrongly in a file of src/proto, one fault at a time.
#
#   awk -f mutants.awk FILE                 a line each: number, function, rule, line, mutant
#   awk -v want=N -f mutants.awk FILE       the file with the N-th fault in it
#   awk -v off=RULE_X -f mutants.awk FILE   the file with that rule taken for broken everywhere
#
# Faults: == and !=, < and <=, > and >= (one off), && and ||, a condition or its part negated, a
# rule that always or never holds, "+ 1" or "- 1" forgotten, += and -=, true and false, an
# assignment or a call left out. Not mutated: names and tables, CHECK.
function add(mutant) {
    if (mutant == code || (mutant in here)) return
    here[mutant] = 1
    number++
    if (want == 0 && off == "")
        print number "\t" name "\t" (match(code, /RULE_[A-Z_]+/) ? substr(code, RSTART, RLENGTH) : "-") \
            "\t" code "\t" mutant
    if (number == want) chosen = mutant
}
# Each place of `from`, when it is not a part of a longer operator.
function swap(from, to,    at, found, before, after) {
    at = 1
    while ((found = index(substr(code, at), from)) > 0) {
        at += found - 1
        before = substr(code, at - 1, 1)
        after = substr(code, at + length(from), 1)
        if (index("<>=!-+", before) == 0 && index("<>=", after) == 0)
            add(substr(code, 1, at - 1) to substr(code, at + length(from)))
        at += length(from)
    }
}
function replace(pattern, to,    at, from, next_at) {
    at = 1
    while (match(substr(code, at), pattern)) {
        from = at + RSTART - 1
        next_at = from + RLENGTH # add looks for something else
        add(substr(code, 1, from - 1) to substr(code, next_at))
        at = next_at
    }
}
function faults(    inner) {
    swap("==", "!="); swap("!=", "=="); swap("<=", "<"); swap(">=", ">")
    swap(" < ", " <= "); swap(" > ", " >= "); swap("&&", "||"); swap("||", "&&")
    replace("!?rule_on\\([a-z>-]*rules, RULE_[A-Z_]+\\)", "true")
    replace("!?rule_on\\([a-z>-]*rules, RULE_[A-Z_]+\\)", "false")
    if (code ~ /if \(.*\) \{$/ && code !~ /[=!<>]=| [<>] |rule_on/) {
        inner = code
        sub(/\) \{$/, ")) {", inner)
        sub(/if \(/, "if (!(", inner)
        add(inner)
    }
    replace(" [+] 1", ""); replace(" - 1", "")
    swap(" += ", " -= "); swap(" -= ", " += ")
    if (code == "return true;") add("return false;")
    if (code == "return false;") add("return true;")
    if (code ~ /^[*]?[a-z][^=(]*( [-+&|]?= .*|[+][+]|--);$/ &&
        code !~ /^(const|struct|enum|bool|u?int[0-9]*_t|size_t|return) /)
        add(";")
    if (code ~ /^[a-z_]+\(.*\);$/) add(";")
}
/^[a-z].*\(/ && !/;$/ { match($0, /[a-z_0-9]+\(/); name = substr($0, RSTART, RLENGTH - 1) }
/^\{$/ { inside = name !~ /_name$/ }
/^}/ { inside = 0 }
{
    code = $0
    sub(/ *\/\*.*/, "", code)
    sub(/^ +/, "", code)
    chosen = ""
    split("", here)
    if (inside && code ~ /[a-z]/ && code !~ /^(CHECK|\*|static const)/) faults()
    line = $0
    if (chosen != "") {
        line = chosen
    } else if (off != "" && match(line, "rule_on\\([a-z>-]*rules, " off "\\)")) {
        line = substr(line, 1, RSTART - 1) "false" substr(line, RSTART + RLENGTH)
    }
    if (want > 0 || off != "") print line
}
