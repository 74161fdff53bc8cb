# Checks one saved screen: -v columns=C -v rows=R. Standard input is the screen, or screens with a
# line "== NAME" before each. Prints a line for each fault; bytes, not characters: run in LC_ALL=C.
#
# A screen has R rows, none longer than C cells; every frame is closed, except where another frame
# that is closed lies over it. Lines bend with a frame's corners, too, where arrows part ("╭─▶"):
# such a corner is told by the head that its line ends in. A lower left corner belongs to a frame.

function codes(line) {
    gsub(/\342\225\255|\342\224\217|\342\224\214/, "\001", line) # upper left corners
    gsub(/\342\225\256|\342\224\223|\342\224\220/, "\002", line) # upper right
    gsub(/\342\225\260|\342\224\227|\342\224\224/, "\003", line) # lower left
    gsub(/\342\225\257|\342\224\233|\342\224\230/, "\004", line) # lower right
    gsub(/\342\224\202|\342\224\203/, "\005", line)              # upright
    gsub(/\342\226\266/, "\006", line)                           # an arrow's head
    gsub(/\342\224\200|\342\224\201/, "\007", line)              # level
    gsub(/[\300-\377][\200-\277]*/, "?", line)
    return line
}

function at(x, y) {
    return y < 1 || y > count || x < 1 || x > columns ? " " : substr(row[y], x, 1)
}

function level(c) {
    return c == "-" || c == "="
}

# Whether (x, y) is the corner `kind`. What a "+" can be follows from its neighbours; a line that
# goes on to the left is no beginning, since arrows cross lifelines with a "+", too.
function is(x, y, kind,    c) {
    c = at(x, y)
    if (c != "+") return c == kind
    if (kind == "\001" || kind == "\003") {
        if (!level(at(x + 1, y))) return 0
    } else if (!level(at(x - 1, y)) && (kind == "\004" || at(x - 1, y) != " ")) return 0 # a title may end there
    if (kind == "\001") {
        if (level(at(x - 1, y))) return 0
        # A frame goes on with its title, or to its other corner. So does a line between uprights
        # that go on above it, or one that comes out from under a frame.
        if (substr(row[y], x, 3) !~ /^.. $/) {
            if (substr(row[y], x + 1) !~ /^[-=]+\+/ || at(x, y - 1) == "|" || at(x - 1, y) == "+") return 0
        }
    }
    return at(x, y + (kind == "\001" || kind == "\002" ? 1 : -1)) == "|"
}

# Whether the line to the right of (x, y) is an arrow's.
function arrow(x, y) {
    while (at(++x, y) == "\007");
    return at(x, y) == "\006"
}

function upright(x, y,    c) {
    c = at(x, y)
    return c == "|" || c == "\005"
}

function fault(text) {
    print name ": " text
    faults++
}

# A frame that is not closed at (x, y): a fault unless a closed frame covers that place.
function broken(x, y, from) {
    broken_x[++breaks] = x
    broken_y[breaks] = y
    broken_from[breaks] = from
}

function follow(left, top,    right, bottom, y) {
    for (right = left + 1; right <= columns && !is(right, top, "\002"); right++) {
        if (is(right, top, "\001")) break
    }
    if (!is(right, top, "\002")) return broken(right, top, left "," top)
    for (bottom = top + 1; upright(left, bottom); bottom++);
    if (!is(left, bottom, "\003")) return broken(left, bottom, left "," top)
    for (y = top + 1; y < bottom; y++) {
        if (!upright(right, y)) return broken(right, y, left "," top)
    }
    if (!is(right, bottom, "\004")) return broken(right, bottom, left "," top)
    frames++
    x1[frames] = left; y1[frames] = top; x2[frames] = right; y2[frames] = bottom
}

function covered(x, y,    i) {
    for (i = 1; i <= frames; i++) {
        if (x >= x1[i] && x <= x2[i] && y >= y1[i] && y <= y2[i]) return 1
    }
    return 0
}

# Whether the upright over a lower left corner comes down from a corner, or from under a frame.
function begun(x, y) {
    while (upright(x, --y) && !covered(x, y));
    return covered(x, y) || is(x, y, "\001")
}

function check(    x, y, i, line) {
    frames = breaks = 0
    if (count != rows) fault(count " rows, not " rows)
    for (y = 1; y <= count; y++) {
        if (length(row[y]) > columns) fault("row " y " has " length(row[y]) " cells")
    }
    for (y = 1; y <= count; y++) {
        line = row[y]
        for (x = 1; x <= length(line); x++) {
            if (is(x, y, "\001") && !arrow(x, y)) follow(x, y)
        }
    }
    for (y = 1; y <= count; y++) {
        for (x = index(row[y], "\003"); x > 0 && x <= length(row[y]); x++) {
            if (at(x, y) == "\003" && !arrow(x, y) && !begun(x, y)) fault("no frame for the corner at " x "," y)
        }
    }
    if (frames == 0) fault("no frame is closed")
    for (i = 1; i <= breaks; i++) {
        if (!covered(broken_x[i], broken_y[i])) {
            fault("the frame at " broken_from[i] " is open at " broken_x[i] "," broken_y[i])
        }
    }
}

/^== / {
    if (name != "") check()
    name = substr($0, 4)
    count = 0
    next
}
{ row[++count] = codes($0) }
END {
    if (name != "") check()
    exit faults > 0
}
