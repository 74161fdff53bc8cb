-- Part 0. Core path: one post against the limits of one partition; the whole system and the evening it
-- is asked too much; the keys of the tool; why sharding comes last: each cheaper step, then what is
-- measured before it; copies and shards put together; the cache that forgets nearly everything when a
-- server joins; the map of the course. Deeper: room to grow, the walls of one machine, drives, and
-- what moves with a slot. The placement check leads past the limits and the cheaper steps.

-- --- what the example states ---

local FOLLOWERS, COME, SECONDS = 60000000, 8000000, 120
local LIKES = 10000
local READ_UNITS, WRITE_UNITS, UNIT_KB = 3000, 1000, 4 -- DynamoDB's limits of a partition
local BUSY = 20 -- percent, of the whole table
local READS = COME / SECONDS

local FANS, READERS = 2400, 9000 -- a second, of p9

-- The bookshop's search; its messages.
local SHOWN, READ = 20, 4000000
local JOBS = { can = 15000, all = 12000, messages = 7500 } -- writes a second

-- The orders database: one machine writes, two copies of it help with reads.
local WRITES, CAN_WRITE, TRIGGER = 9000, 13000, 60 -- writes a second; what its machine can do; percent
local OTHER_MACHINE = 15000 -- on which the same writes would be just at the trigger
local TB, GROWTH_GB, COPY_MB, HOURS = 4, 150, 200, 2
local HOT_GB, RAM_GB = 700, 512
local READS_NOW, CAN_READ, MACHINES_NOW = 45000, 50000, 3

-- One machine, and what is asked of it.
local ONE = { disk = 64, memory = 24, reads = 500000, writes = 1000000 }
local NEED = { disk = 200, memory = 50, reads = 5000000, writes = 10000000 }
local FOR = {}
for what, most in pairs(ONE) do FOR[what] = (NEED[what] + most - 1) // most end
local ROOM = 70 -- percent that a careful plan uses of a machine
local WALLS = { ONE = ONE, NEED = NEED, FOR = FOR, ROOM = ROOM, READ_UNITS = READ_UNITS }
local LIFE, MACHINES, DRIVES = 2000000, 100, 8 -- hours of a drive; machines, and drives in each

-- The cache.
local SERVERS, CARTS, ASKED, HITS, DATABASE = 10, 40000000, 50000, 95, 10000
local POINTS = 256 -- of each server, on the ring

function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

local function yes(holds) return function() return holds end end

-- --- the partition's limits ---

-- Read units of one read: whole ones of 4 KB, each of them half if it may lack the newest writes.
function units(kb, choice)
  return (kb + UNIT_KB - 1) // UNIT_KB * (choice == "eventual" and 0.5 or 1)
end

function over(kb, choice) return READS * units(kb, choice) / READ_UNITS end

local FACTS = { RU = READ_UNITS, WU = WRITE_UNITS, LIKES = LIKES, BUSY = BUSY, READS = READS, FOLLOWERS = FOLLOWERS // 1000000,
  COME = COME // 1000000, MINUTES = SECONDS // 60, KB = UNIT_KB }

local function crowd()
  return { title = "Two minutes of a post", columns = { "", "how many" }, numbers = { 2 }, rows = {
    { label = "they follow", cells = { tostring(FOLLOWERS // 1000000) .. " million" } },
    { label = "they open the app", cells = { tostring(COME // 1000000) .. " million" } },
    { label = "reads in a second", cells = { "{round(READS)}" } } } }
end

-- What a dozen of the table's partitions are asked for, each ten seconds, two minutes before the post
-- and two after: the others as ever, hers most at first, and so much on average.
local HERS, OTHERS, SHOWS = 8, 12, 24
local function partitions(usual, average, what)
  local values = {}
  for row = 1, OTHERS do
    local line = {}
    for column = 1, SHOWS do
      local own = usual * (70 + (row * 37 + column * 23 + row * column * 11) % 61) // 100
      local late = column - SHOWS // 2 -- 1 to 12 once she has posted
      line[column] = row == HERS and late > 0 and average * (190 - 180 * (late - 1) // (SHOWS // 2 - 1)) // 100 or own
    end
    values[row] = line
  end
  return { title = what, rows_are = "place", columns_are = "the post", first_row = "1", last_row = tostring(OTHERS),
    first_column = "-2 min", last_column = "+2 min", values = values }
end

local function reads_heat() return partitions(READ_UNITS * BUSY // 100, round(READS), "Reads at twelve places") end
local function likes_heat() return partitions(WRITE_UNITS * BUSY // 100, LIKES, "Writes at twelve places") end

local function reads_table()
  return { title = "Her partition, a second", columns = { "reads", "value" }, numbers = { 2 }, rows = {
    { label = "reads asked", cells = { "{round(READS)}" } },
    { label = "units each", cells = { tostring(units(UNIT_KB, "strong")) } },
    { label = "units at most", cells = { "{RU}" } },
    { label = "times over", cells = { tostring(round(over(UNIT_KB, "strong"), 1)) } } } }
end

local function likes_table()
  return { title = "The counter's partition, a second", columns = { "likes", "value" }, numbers = { 2 }, rows = {
    { label = "likes asked", cells = { "{LIKES}" } }, { label = "units each", cells = { "1" } },
    { label = "units at most", cells = { "{WU}" } }, { label = "times over", cells = { "{LIKES // WU}" } } } }
end

-- --- the evening ---

-- The overload of 20:02, from whatever the learner left behind.
local function overload(w)
  if w.S2.write_pct > 100 or pcall(w.event, w, 4) then return end
  w:flow("like", "likes:{p9}", FANS, "scattered") -- who let time run is past that minute
  w:flow("read", "post:{p9}", READERS, "scattered")
end

-- Whether S2 still refuses a kind of request when it has three copies.
local function still(w, kind)
  local f = w:fork()
  f:command("replicas S2 3")
  return f.S2[kind] > 110
end

local function with_copies()
  local function row(n)
    return { label = n == 1 and "alone" or n .. " machines",
      run = function(f) if n > 1 then f:command("replicas S2 " .. n) end end,
      cells = function(f) return { f.S2.read_pct .. "%", f.S2.write_pct .. "%" } end }
  end
  return { title = "S2 against its ceilings", columns = { "S2", "reads", "writes" }, numbers = { 2, 3 },
    rows = { row(1), row(2), row(3) } }
end

-- --- sharding last ---

local function price()
  return { title = "On 8 shards, by customer", columns = { "what is asked for", "takes" }, numbers = { 2 }, rows = {
    { label = "move 5 euros", cells = { "2 shards" } }, { label = "a customer's orders", cells = { "1 shard" } },
    { label = "refuse an e-mail", cells = { "8 shards" } }, { label = "buyers of a book", cells = { "8 shards" } } } }
end

local function search()
  return { title = "Measured, one search", columns = { "rows", "how many" }, numbers = { 2 }, rows = {
    { label = "shown", cells = { "{SHOWN}" } }, { label = "read", cells = { "{READ}" } },
    { label = "read for one shown", cells = { "{READ // SHOWN}" } } } }
end

local STEPS = {
  { "mend the query", "a slow question" }, { "larger machine", "a full machine" }, { "copies, a cache", "many reads" },
  { "split by job", "two jobs, one box" }, { "parts inside", "old, big tables" }, { "self-sharding", "work by hand" },
  { "shard it", "what is left" },
}

local function in_order()
  local rows = {}
  for i, s in ipairs(STEPS) do rows[i] = { label = i .. " " .. s[1], cells = { s[2] } } end
  return { title = "The cheaper steps, in order", columns = { "step", "against" }, rows = rows }
end

-- Nobody asks for posts and likes any more.
local function quiet(w)
  for p = 1, 16 do
    pcall(w.flow, w, "like", "likes:{p" .. p .. "}", 0, "steady") -- the second time none runs
    pcall(w.flow, w, "read", "post:{p" .. p .. "}", 0, "steady")
  end
end

local function one_on(w, shard, form)
  for i = 1, 99 do
    local name = string.format(form, i)
    if w:owner(name) == shard then return name end
  end
end

-- Orders on S0, and the chat there too or on S1.
local function split()
  local function row(label, chat)
    return { label = label,
      run = function(f)
        quiet(f)
        for _, shard in ipairs { "S0", "S1" } do f:command("ceiling " .. shard .. " " .. JOBS.can .. " 3000") end
        f:flow("like", one_on(f, "S0", "order:%d"), JOBS.all - JOBS.messages, "steady")
        f:flow("like", one_on(f, chat, "message:%d"), JOBS.messages, "steady")
        f:play_for(1)
      end,
      cells = function(f) return { f.S0.write_pct .. "%", f.S1.write_pct .. "%" } end }
  end
  return { title = "Writes, of what a machine can do", columns = { "the jobs are", "S0", "S1" }, numbers = { 2, 3 },
    rows = { row("together", "S0"), row("apart", "S1") } }
end

local function load_pct() return 100 * WRITES / CAN_WRITE end
local function restore_hours(tb) return tb * 1000000 / COPY_MB / 3600 end

local ORDERS = { WRITES = WRITES, CAN = CAN_WRITE, TRIGGER = TRIGGER, TB = TB, GROWTH = GROWTH_GB, COPY = COPY_MB, HOURS = HOURS,
  HOT = HOT_GB, RAM = RAM_GB, READS_NOW = READS_NOW, CAN_READ = CAN_READ, LOAD = load_pct(), RESTORE = restore_hours(TB),
  OTHER = OTHER_MACHINE, OF_ONE = restore_hours(1) }

local function triggers()
  return { title = "The orders database", columns = { "measured", "now", "limit" }, numbers = { 2, 3 }, rows = {
    { label = "writes {WRITES} of {CAN}/s", cells = { "{round(LOAD)}%", "{TRIGGER}%" } },
    { label = "{TB} TB at {COPY} MB/s", cells = { "{round(RESTORE, 1)} h", "{HOURS} h" } },
    { label = "hot {HOT} of {RAM} GB", cells = { "{round(100 * HOT / RAM)}%", "100%" } },
    { label = "reads {READS_NOW} of {CAN_READ}/s", cells = { "{round(100 * READS_NOW / CAN_READ)}%", "-" } } } }
end

-- The orders on so many shards, each of so many machines: percent of a machine, and hours.
function built(shards, each)
  return { writes = round(load_pct() / shards), hours = round(restore_hours(TB) / shards, 1), hot = round(100 * HOT_GB / RAM_GB / shards),
    reads = round(100 * READS_NOW * MACHINES_NOW / CAN_READ / (shards * each)), machines = shards * each }
end
function fits(b) return b.writes <= TRIGGER and b.hours <= HOURS and b.hot <= 100 and b.reads <= TRIGGER end

local function fewest()
  local least
  for shards = 1, 8 do
    for each = 2, 4 do
      if fits(built(shards, each)) then least = math.min(least or 99, shards * each) end
    end
  end
  return least
end

-- --- the cache ---

-- As many carts for each pair of remainders, by 10 and by 11: what is counted is the rule, not luck.
local function even_carts(each)
  local ten, eleven = layout("mod-n", { shards = SERVERS }), layout("mod-n", { shards = SERVERS + 1 })
  local seen, names, i = {}, {}, 0
  while #names < SERVERS * (SERVERS + 1) * each do
    local name = string.format("cart:%d", i)
    local pair = ten:owner(name) .. "/" .. eleven:owner(name)
    seen[pair] = (seen[pair] or 0) + 1
    if seen[pair] <= each then names[#names + 1] = name end
    i = i + 1
  end
  return names
end

local NAMES = even_carts(10)
local KEYS = keys(NAMES)

local function rule(scheme)
  return layout(scheme, { shards = SERVERS, tokens = scheme == "ring" and POINTS or nil })
end

-- The part of the carts that change their server when one joins.
function moved(scheme)
  local l = rule(scheme)
  return l:moved(l:add(), KEYS) / #KEYS
end
function hit_rate(scheme) return HITS * (1 - moved(scheme)) end
function misses(scheme) return round(ASKED * (1 - hit_rate(scheme) / 100)) end

local CACHE = { SERVERS = SERVERS, CARTS = CARTS // 1000000, ASKED = ASKED, HITS = HITS, DATABASE = DATABASE, POINTS = POINTS,
  USUAL = ASKED * (100 - HITS) // 100 }

-- S0 is the carts' database now, and nothing else is asked of anybody.
local function database(w, reads)
  quiet(w)
  w:command("ceiling S0 1000 " .. DATABASE)
  w:flow("read", one_on(w, "S0", "cart:%d"), reads, "steady")
  w:play_for(1)
end

local function carts(scheme, title)
  local l = rule(scheme)
  return { title = title, keys = KEYS, before = l, after = l:add() }
end

-- --- the course ---

local PARTS = {
  { "1 find a key's shard", "-" }, { "2 key, number of shards", "1" }, { "3 find a hot key", "1 2" }, { "4 hot reads", "3" },
  { "5 hot writes", "3 4" }, { "6 add shards", "1" }, { "7 managed stores", "6" }, { "8 move live data", "5 6" },
  { "9 ask many shards", "4 8" }, { "10 one like, all layers", "1-9" }, { "11 in the field", "7" },
}
local A_PART = 12 -- minutes of each

local function course()
  local rows = {}
  for i, p in ipairs(PARTS) do rows[i] = { label = p[1], cells = { p[2], tostring(A_PART) } } end
  return { title = "Eleven skills, a part each", columns = { "part", "after", "min" }, numbers = { 3 }, rows = rows }
end

return lesson {
  id = "00_start_here", part = 0, title = "Start here", minutes = 12, needs = {}, world = "story",
  placement = { go = "black-friday" },

  steps = {
    { id = "two-minutes", title = "Two minutes", show = { "heat", "table" }, table = crowd, with = FACTS, heat = reads_heat,
      say = [[
        A photographer with {FOLLOWERS} million followers posts a picture. Within {MINUTES} minutes {COME} million of them open the app,
        and each asks for her newest posts.

        Type a number and press enter.]],
      predict = { id = "p0-reads", kind = "number", unit = "reads/s", tolerance = 100,
        ask = "How many reads is that a second?",
        answer = function() return round(READS) end,
        wrong = { [COME // 2] = { belief = "a minute is the unit", why = "That is a minute. A second is one part of sixty." },
          [FOLLOWERS // SECONDS] = { belief = "all followers come", why = "That counts all {FOLLOWERS} million. {COME} million came." } },
        why = "{COME} million, divided by the seconds in {MINUTES} minutes.",
        hints = { "How many seconds are {MINUTES} minutes?", "{COME} million divided by {60 * MINUTES}.", "A bit more than {READS // 1000} thousand." } },
      after = [=[
        All need the same place. Her posts have one [[partition key]], the part of a name that decides where a thing is
        kept. What is kept together is a [[partition]], on one machine.

        Space goes on, b goes back.]=] },

    { id = "read-units", title = "One read", show = { "heat", "table" }, table = reads_table, with = FACTS, heat = reads_heat,
      say = [=[
        The store is DynamoDB. It counts in [[read unit]]s: one is a read of up to {KB} KB, a larger read takes several. One partition
        gives {RU} a second, says its manual, and no more.

        Her followers' reads get {KB} KB each, with all that was written before.]=],
      predict = { id = "p0-units", kind = "number", unit = "times", tolerance = 0.3,
        ask = "How many times its limit is that?",
        answer = function() return round(over(UNIT_KB, "strong"), 1) end,
        wrong = { [round(READS * UNIT_KB / READ_UNITS, 1)] = { belief = "a unit is a KB", why = "That takes {KB} units for a read. Up to {KB} KB are one." },
          [round(READS / UNIT_KB / READ_UNITS, 1)] = { belief = "small reads share a unit", why = "Each read takes a whole unit at least." } },
        why = "One unit each: {round(READS)} over {RU}.",
        hints = { "How many units is one such read?", "One. And {RU} are there.", "{round(READS)} divided by {RU}." } },
      after = [[
        A read that must see all earlier writes is called *strong*. That is the dear kind.]] },

    { id = "thirty-three", title = "Your first knobs", show = { "heat", "table" }, with = FACTS, heat = reads_heat,
      knobs = { { name = "size", values = { 2, 4, 6, 8, 10, 12, 16 }, start = 4 },
        { name = "choice", label = "kind", values = { "strong", "eventual" } } },
      table = function(_, knob)
        return { title = knob.size .. " KB, " .. knob.choice, columns = { "reads", "value" }, numbers = { 2 },
          rows = { { label = "units each", cells = { tostring(units(knob.size, knob.choice)) } },
            { label = "units a second", cells = { "{round(READS * units(knob.size, knob.choice))}" } },
            { label = "units at most", cells = { "{RU}" } },
            { label = "times over", cells = { tostring(round(over(knob.size, knob.choice), 1)) } } } }
      end,
      say = [=[
        A read that may miss the newest writes is [[eventual]], and takes half as many units.

        {knob.size} KB, {knob.choice}: {round(over(knob.size, knob.choice), 1)} times over.

        That evening it was 33 times. Work out which reads do that, then turn: Z the size, H the kind.]=],
      try = { ask = "Set the reads that are 33 times over.",
        goal = function() return round(over(knob.size, knob.choice)) == 33 end,
        solution = { "knob size 12", "knob choice eventual" },
        hints = { "How many units is a read, at 33 times over?", "One and a half: three halves.", "Three units of {KB} KB, halved: press H, then Z." } },
      notes = "Press u to take a turn back. Only eventual reads above 8 and up to 12 KB fit." },

    { id = "one-item", title = "And they like it", show = { "heat", "table" }, table = likes_table, with = FACTS, heat = likes_heat,
      say = [=[
        The picture's like counter is one item. {LIKES} people a second press like. Each like writes a few bytes: one [[write unit]],
        which is a write of up to 1 KB.

        A partition takes {WU} of them a second. The whole table is {BUSY}% busy.]=],
      predict = { id = "p0-likes", kind = "number", unit = "times", tolerance = 0,
        ask = "How many times its limit is the counter's partition asked for?",
        answer = function() return LIKES / WRITE_UNITS end,
        wrong = { [BUSY / 100] = { belief = "the average decides", why = "So busy is the table as a whole. The limit holds for each partition, and the counter is in one." },
          [round(LIKES / READ_UNITS, 1)] = { belief = "one limit for all", why = "That is the limit of reads. A like is a write." } },
        why = "{LIKES} over {WU}. What other partitions have left is of no use.",
        hints = { "Which limit does a like meet?", "{WU} write units a second.", "{LIKES} divided by {WU}." } },
      after = [[
        {LIKES // WU} times over, in a table that is {BUSY}% busy. One item cannot be in two partitions.]] },

    { id = "the-system", title = "The whole system", show = { "system", "trace" }, key = "post:{p9}", router = "R0", actions = { "route" },
      say = [=[
        This course runs a small app of that kind, live. Phones (a, b, c) ask a [[router]]. It has a copy of a [[map]]: which machine
        keeps which part. The map itself is in the [[directory]]. Each of the {cluster.shards} machines is a [[shard]] and keeps a part of all posts.

        Beside each: writes and reads, in percent of what it can do. Send a read; tab, twice, shows its way.]=],
      try = { ask = "Press r, then enter: a read of `post:{p9}`.",
        goal = function(w) return w.last.op == "read" and w.last.key == "post:{p9}" end,
        solution = { "request read post:{p9} via R0" },
        hints = { "r is route: send a request.", "Press r. An empty line reads `post:{p9}`.", "Then enter sends it." } } },

    { id = "takes-off", title = "20:02", show = { "bars" },
      say = [=[
        The same shards as bars. A bar is what is asked of a shard, the line its [[ceiling]], the most it can do. `all` is the average.

        At 20:02 one post, p9, takes off. It lives on S2. All together are then asked for {soon(w)} writes a second, and can do {cluster.write_ceiling}.]=],
      with = { soon = function(w)
        local f = w:fork()
        overload(f)
        return f.cluster.writes
      end },
      predict = { id = "p0-hold", kind = "choice", confidence = true,
        ask = "Which shards are asked too much?",
        choices = {
          { "None: together it fits.", belief = "the average decides",
            why = "It would fit if it were spread. A post is on one shard, and shards cannot lend.",
            holds = function(w) return w.S2.write_pct <= 100 end },
          { "All four a little.", belief = "load spreads by itself",
            why = "Nothing spreads the likes of one post. The other three are as they were.",
            holds = function(w) return w.S0.write_pct > 100 and w.S3.write_pct > 100 end },
          { "S2, and only S2.",
            holds = function(w) return w.S2.write_pct > 100 and w.S0.write_pct <= 100 and w.S1.write_pct <= 100 and w.S3.write_pct <= 100 end },
        },
        why = "p9 is one key, and a key is on one shard.",
        hints = { "Where is p9?", "Can S0 take a like of it?", "What is S0 asked for that it was not asked before?" } },
      run = function(w)
        overload(w)
        w:play_for(1)
      end,
      after = [=[
        S2 is asked for {S2.write_pct}% of its writes and {S2.read_pct}% of its reads, the others for {S0.write_pct}% of
        their writes. The average says {cluster.write_pct}%.

        What is beyond its ceiling a shard [[refuses]].]=] },

    { id = "ask-why", title = "Pictures answer", show = { "bars", "trace" },
      say = [=[
        The lower picture is the [[trace]]: each message, an arrow between two of them. Red ones are refused.

        Tab goes from pane to pane, the arrow keys choose a row. i opens it and says why it is so; escape closes it.

        (*Slot* and MOVED are words of Part 1.)]=],
      try = { ask = "Open the why of a refused one.", opened = "why", of = "refused",
        hints = { "Tab until the frame of the trace is lit.", "Up and down choose a red row.", "Press i on it." } } },

    { id = "your-keys", title = "Take it back", show = { "trace" }, key = "post:{p1}", router = "R0", actions = { "route" },
      say = [[
        The bottom line has what you need most. The rest:

          ?  all keys that work here
          t  a hint, s  show me
          u  undo what you did, U  redo
          p  let time run, or pause
          D  the pictures in words
          q  leave; you come back here

        Send a read of p1, see it, undo it.]],
      try = { ask = "Press r and enter, then u.", opened = "undo",
        hints = { "First send one.", "r, then enter.", "u undoes it." } } },

    { id = "the-price", title = "Sharding costs", show = { "table" }, table = price,
      say = [=[
        [[Sharding]] divides data over machines. A bookshop had one database: it could change two rows all or nothing, in a [[transaction]],
        and put two tables together, a [[join]].

        Now rows lie on 8 shards, by customer.]=],
      predict = { id = "p0-price", kind = "several",
        ask = "What takes more than one shard?",
        choices = {
          { "Move 5 euros to a friend", belief = "a database stays one database",
            why = "Two customers, so two shards. They have to agree, and one of them may stop in between.", holds = yes(true) },
          { "Show a customer's orders", belief = "everything gets dearer",
            why = "They are on that customer's shard, and reading them works as before.", holds = yes(false) },
          { "Refuse an e-mail in use", belief = "a rule holds everywhere",
            why = "Each shard sees its own customers only, so none can tell.", holds = yes(true) },
          { "List who bought a book", belief = "queries do not notice",
            why = "Buyers are everywhere. Somebody has to ask all shards and put it together.", holds = yes(true) },
        },
        why = "What concerns rows of two shards has to be built anew. What stays on one shard stays easy.",
        hints = { "Where is each customer's data?", "Which of these name one customer only?", "One of the four does." } },
      after = [[
        And backups, alarms: eight of each. So sharding is the last resort, behind cheaper steps.]] },

    { id = "cheaper", title = "A slow search", show = { "table" }, table = search,
      say = [[
        The shop's search is slow, its database busy all day. To show {SHOWN} orders it reads {READ} rows.

        In the meeting they say: shard it.]],
      with = { SHOWN = SHOWN, READ = READ },
      predict = { id = "p0-first", kind = "choice",
        ask = "What comes first?",
        choices = {
          { "More copies to read from.", belief = "slow means too few machines",
            why = "Each copy would read {READ} rows as well. The work is needless, wherever it is done.",
            holds = function() return READ / SHOWN <= 100 end },
          { "Eight shards.", belief = "sharding makes it fast",
            why = "Eight machines would read the {READ} rows between them, all day. Do not divide work that need not be done.", holds = yes(false) },
          { "A machine twice as large.", belief = "hardware first",
            why = "One search is hardly faster there, and nearly all of its work is still for nothing.", holds = yes(false) },
          { "An index for that search.", holds = function() return READ / SHOWN > 100 end },
        },
        why = "{READ // SHOWN} rows are read for each one shown.",
        hints = { "How many rows are read for each that is shown?", "Would more machines make them fewer?", "What finds rows without reading all?" } },
      after = [=[
        An [[index]] is a sorted list that leads to the rows. Next come a larger machine, then copies and a cache for reads; and
        three more steps.]=] },

    { id = "apart", title = "The fourth step", show = { "table" }, table = split, with = { JOBS = JOBS },
      say = [=[
        The shop's orders and its chat share a machine. It does {JOBS.all} writes a second and can do {JOBS.can}. {JOBS.messages} are
        the chat's.

        [[Split by job]]: the chat gets a database and a machine of its own.]=],
      predict = { id = "p0-apart", kind = "number", unit = "%", tolerance = 0.5,
        ask = "How full is the orders' machine then?",
        answer = function() return 100 * (JOBS.all - JOBS.messages) / JOBS.can end,
        wrong = { [100 * JOBS.all // JOBS.can] = { belief = "the rest grows back", why = "That is the machine before. The messages go elsewhere." },
          [50 * JOBS.all // JOBS.can] = { belief = "two machines, half each", why = "It is cut by job, and the jobs are not equally large." },
          [100 * JOBS.messages // JOBS.can] = { belief = "both are the same", why = "That is the chat's new machine." } },
        why = "{JOBS.all - JOBS.messages} writes stay, of {JOBS.can}.",
        hints = { "How many writes stay?", "{JOBS.all} less {JOBS.messages}.", "{JOBS.all - JOBS.messages} over {JOBS.can}." } },
      after = [[
        Only joins of orders with messages are lost. But a job that outgrows a machine by itself cannot be cut so.]] },

    { id = "inside", title = "The fifth step", show = { "table" }, table = in_order,
      say = [[
        The chat keeps seven years in one table. People read this month.

        *Parts inside*: the table is cut by month, on the same machine. Each part has its own index.]],
      predict = { id = "p0-inside", kind = "choice",
        ask = "What is no better than before?",
        choices = {
          { "Deleting the oldest month.", belief = "parts are only tidiness",
            why = "It was millions of single deletes. Now a part is dropped as a whole.", holds = yes(false) },
          { "The writes it can take.", holds = yes(true) },
          { "The memory its index needs.", belief = "an index is all or nothing",
            why = "Each part has its own. This month's has to be in memory, not seven years'.", holds = yes(false) },
        },
        why = "It is the same machine, and each new message is one write, as before.",
        hints = { "How many machines are there?", "What is the same work with 84 small tables?", "Which of these is not about old rows?" } },
      after = [[
        Old data no longer hurts, new data does.]] },

    { id = "self", title = "The sixth step", show = { "table" }, table = in_order,
      say = [[
        A database that shards itself: DynamoDB, Spanner and CockroachDB cut data into parts, and place and move them as load changes.]],
      predict = { id = "p0-self", kind = "choice",
        ask = "What is still yours to decide?",
        choices = {
          { "On which machine a part is.", belief = "self-sharding still takes hands", why = "It places and moves parts by itself.", holds = yes(false) },
          { "Nothing any more.", belief = "managed means solved",
            why = "It was such a store that this evening began with: its counter was one item, and no part is smaller.", holds = yes(false) },
          { "When a part is cut in two.", belief = "somebody has to watch sizes", why = "It cuts by size and load, without you.", holds = yes(false) },
          { "What the key is.", holds = yes(true) },
        },
        why = "The key says what is kept together. It cuts between keys, never through one.",
        hints = { "What did the photographer's counter suffer from?", "Which of these does only your app know?", "What says that two rows belong together?" } },
      after = [[
        It takes the work, not the thinking.]] },

    { id = "triggers", title = "When, then?", show = { "table" }, table = triggers, with = ORDERS,
      say = [[
        When these are done, shard if you *measure* one of three:

          writes    over {TRIGGER}% of a machine
          restore   over the {HOURS} h allowed
          hot data  more than memory

        {TRIGGER}% leaves room for a bad day. *Hot* is what is always in use.]],
      predict = { id = "p0-triggers", kind = "several",
        ask = "Which are reasons to shard?",
        choices = {
          { "Its writes", belief = "below the limit is fine", why = "They are at {round(LOAD)}%, over {TRIGGER}%. All of them go to one machine.",
            holds = function() return load_pct() > TRIGGER end },
          { "Its restore", belief = "disks are cheap, so size is free", why = "{round(RESTORE, 1)} hours, where {HOURS} are allowed.",
            holds = function() return restore_hours(TB) > HOURS end },
          { "Its hot data", belief = "memory is only a cache", why = "It no longer fits, so each answer may wait for a disk.",
            holds = function() return HOT_GB > RAM_GB end },
          { "Its reads", belief = "the fullest number decides", why = "One more copy, and they have room.", holds = yes(false) },
        },
        why = "Writes, size, and what has to be in memory. Each can be measured.",
        hints = { "Which of these does a further copy cure?", "Work out the restore: {TB} TB at {COPY} MB a second.", "The rule has three lines. Which row is in none?" } },
      after = [[
        Reads alone are never a reason: copies and caches take them. On a machine for {OTHER} writes the
        {WRITES} would be {round(100 * WRITES / OTHER)}%, just at the rule.]] },

    { id = "copies", title = "Two more machines", show = { "table", "bars" }, table = with_copies,
      enter = overload,
      say = [=[
        Back to S2: {S2.write_pct}% of its writes, {S2.read_pct}% of its reads. It gets two [[replicas]], machines that hold a copy of all it
        holds, and keep it up to date.]=],
      predict = { id = "p0-copies", kind = "choice", confidence = true,
        ask = "What falls to about a third?",
        choices = {
          { "The reads.", holds = function(w) return not still(w, "read_pct") and still(w, "write_pct") end },
          { "Reads and writes.", belief = "a copy is one more machine",
            why = "Each copy has to write down every like, so three can take no more likes than one.",
            holds = function(w) return not still(w, "read_pct") and not still(w, "write_pct") end },
          { "The writes.", belief = "copies share the work of writing",
            why = "Every copy writes everything. It is readers who can choose one.",
            holds = function(w) return still(w, "read_pct") and not still(w, "write_pct") end },
          { "Neither: it is one key.", belief = "one key is always one machine's work",
            why = "Each copy has p9 as well, so they can share its readers.",
            holds = function(w) return still(w, "read_pct") and still(w, "write_pct") end },
        },
        why = "A read needs one copy, a write all of them.",
        hints = { "What must happen to a like on each copy?", "Which machines may a reader ask?", "Is a like ever written on one copy only?" } },
      after = [[
        {copied(w, "read_pct")}% of the reads, {copied(w, "write_pct")}% of the writes. (Enter on a row shows its bars.)

        A copy is a little behind: who must not read old data asks S2. Dividing helps with writes and size. Most do both.]],
      with = { copied = function(w, kind)
        local f = w:fork()
        f:command("replicas S2 3")
        return f.S2[kind]
      end } },

    { id = "black-friday", title = "One more server", show = { "bars", "grid" }, with = CACHE,
      grids = function() return { carts("mod-n", "carts, by the remainder") } end,
      enter = function(w) database(w, CACHE.USUAL) end,
      say = [=[
        {SERVERS} cache servers hold {CARTS} million carts. A cart's [[hash]], a number made from its name, is divided by {SERVERS}; the remainder
        is its server. {HITS}% of {ASKED} reads a second are found there: *hits*. The rest goes to the database, S0 in the upper picture, which
        can do {DATABASE}.

        Server 11 joins.]=],
      predict = { id = "p0-collapse", kind = "number", unit = "%", tolerance = 1.5,
        ask = "What part of the reads are hits just after?",
        answer = function() return round(hit_rate("mod-n"), 1) end,
        wrong = { [HITS] = { belief = "more cache, more hits", why = "The carts are there, but the remainder by 11 leads to another server for most of them." },
          [86.4] = { belief = "only a fair share moves", why = "So it would be if only the new server's share moved. But the remainder by 11 has nothing to do with that by 10." },
          [0] = { belief = "everything moves", why = "One cart in eleven has the same remainder by luck." } },
        why = "Only a cart with the same remainder by 10 and by 11 is found: one in eleven. {HITS}% of those.",
        hints = { "Which carts have the same remainder by 10 and by 11?", "One in eleven.", "{HITS}% divided by 11." } },
      run = function(w) database(w, misses("mod-n")) end,
      after = [[
        {round(100 * moved("mod-n"), 1)}% of the carts, {round(CARTS * moved("mod-n"), 1)} million, change their server, and {round(hit_rate("mod-n"), 1)}% are hits.
        {misses("mod-n")} reads a second go to the database: {S0.read_pct}%.]],
      notes = "Worked by hand: 10/11 move, the hit rate is 95/11, misses are what is left of 50,000. The carts of the grid are ten for each pair of remainders, so that the count is the rule's. The misses are worked out from it; the database is played, asked for them." },

    { id = "on-a-ring", title = "Another rule", show = { "bars", "grid" }, with = CACHE,
      grids = function() return { carts("ring", "carts, on a ring") } end,
      enter = function(w) database(w, CACHE.USUAL) end,
      say = [=[
        Part 6 has a rule, the [[ring]], with many points for each server, here {POINTS}. A new server takes about its fair share, one
        part in {SERVERS + 1}, and no other cart moves.

        Again {HITS}% of {ASKED} reads are hits, and server 11 joins.]=],
      predict = { id = "p0-ring", kind = "number", unit = "reads/s", tolerance = 300,
        ask = "How many reads go to the database?",
        answer = function() return misses("ring") end,
        wrong = { [CACHE.USUAL] = { belief = "a good rule moves nothing", why = "Server 11 begins empty, and its carts miss once each." },
          [misses("mod-n")] = { belief = "a new server costs the same by any rule",
            why = "By the remainder old servers swap carts as well. Here only the new one's share moves." },
          [ASKED // (SERVERS + 1)] = { belief = "what missed before is forgotten", why = "These are the new server's. {USUAL} missed before, and still do." } },
        why = "{HITS}% of ten parts in eleven are hits; the rest misses.",
        hints = { "What part of the carts is found where it was?", "Ten in eleven, and of those {HITS}% are hits.", "{ASKED} less {HITS}% of ten elevenths of it." } },
      run = function(w) database(w, misses("ring")) end,
      after = [[
        {round(100 * moved("ring"), 1)}% of the carts move, {round(hit_rate("ring"), 1)}% are hits: the database is at {S0.read_pct}%, not at {round(misses("mod-n") / DATABASE * 100)}%.
        How much moves decides whether growing hurts.]] },

    { id = "tell", title = "At the interview", show = { "bars" },
      enter = function(w) database(w, DATABASE * 80 // 100) end,
      say = [[
        You are shown this picture and asked: "Our database, S0, is at 80%. Shall we shard?"

        Answer aloud, then space. (A: type it.)]],
      predict = { id = "p0-tell", kind = "explain",
        ask = "What do you say, and ask?",
        model = "It is reads that are at {S0.read_pct}%. Is a query to be mended? Then a cache or copies. Shards are due for writes, restore or hot data, and cost joins and transactions.",
        rubric = { "reads, not writes", "first mend queries", "then a cache or copies", "what makes shards due", "what shards cost" },
        hints = { "80% of what?", "What cures reads, what writes?", "What do shards take away?" } } },

    { id = "the-course", title = "The way ahead", show = { "table" }, table = course, with = { MINUTES = A_PART },
      say = [[
        At the right: the skill of each part. Which come before it, and its minutes, appear with your answer.

        One page of your own shop is opened so often that its shard is full. Twice as many shards did not help.]],
      predict = { id = "p0-course", kind = "choice",
        ask = "Which part has the cure?",
        choices = {
          { "Find a hot key", belief = "to find is to cure", why = "You know which page it is. Part 3 is for who does not, and comes before.", holds = yes(false) },
          { "Add shards", belief = "more shards cure a hot key", why = "No further shard takes a part of one key.", holds = yes(false) },
          { "Move live data", belief = "elsewhere it fits", why = "All shards have the same ceiling. It would be too much for any.", holds = yes(false) },
          { "Hot reads", holds = yes(true) },
        },
        why = "Opening a page is a read, and copies and caches take reads.",
        hints = { "What is asked of the shard, when a page is opened?", "Is it about finding, dividing, or serving?", "Reads, and they are of one key." } },
      after = [[
        A part takes some {MINUTES} minutes at a reader's pace, more if you try things. Know what a database and a query are, no more.

        From here on it goes deeper.]] },

    -- --- deeper ---

    { id = "build-it", title = "Divide, then copy", deeper = true, show = { "table" }, with = ORDERS,
      knobs = { { name = "shards", values = { 1, 2, 3, 4, 6, 8 } }, { name = "choice", label = "machines", values = { 1, 2, 3, 4 }, start = 3 } },
      table = function(_, knob)
        local b = built(knob.shards, knob.choice)
        local function row(label, now, unit, most)
          return { label = label, cells = { now .. unit, most .. unit, now <= most and "fits" or "no" } }
        end
        return { title = "shards: " .. knob.shards .. ", machines of each: " .. knob.choice, columns = { "of one", "now", "limit", "" }, numbers = { 2, 3 },
          rows = { row("writes", b.writes, "%", TRIGGER), row("restore", b.hours, " h", HOURS), row("hot data", b.hot, "%", 100),
            row("reads", b.reads, "%", TRIGGER) } }
      end,
      say = [[
        The orders again. + and - turn the shards, H the machines of each: one, and its copies. Reads too shall be
        at {TRIGGER}% or less. Machines die: none is without a copy.

        {knob.shards} times {knob.choice}: {built(knob.shards, knob.choice).machines} machines, {fits(built(knob.shards, knob.choice)) and "all four fit" or "not all four fit"}.]],
      try = { ask = "All four fit, with as few machines as can be.", builds = true,
        goal = function()
          local b = built(knob.shards, knob.choice)
          return fits(b) and knob.choice >= 2 and b.machines == fewest()
        end,
        solution = { "knob shards 3", "knob choice 2" },
        hints = { "Which rows do more copies not change?", "First as many shards as the restore needs.", "Then take machines away while the reads fit." } },
      notes = "Three shards, for the restore; two machines each, for the reads and for the day that one dies." },

    { id = "on-eight", title = "On eight", deeper = true, show = { "table" }, with = ORDERS,
      table = function()
        return { title = "On eight shards", columns = { "a shard", "value" }, numbers = { 2 }, rows = {
          { label = "GB of data", cells = { "{TB * 1000 // 8}" } }, { label = "writes a second", cells = { "{WRITES // 8}" } },
          { label = "in % of a machine", cells = { "{round(WRITES * 100 / 8 / CAN, 1)}" } },
          { label = "GB of hot data", cells = { "{round(HOT / 8)}" } }, { label = "GB of memory", cells = { "{RAM}" } } } }
      end,
      say = [[
        Three shards would be full of data before long. Their owners take 8, evenly: {TB} TB in all, and {GROWTH} GB more each month.

        A shard shall hold 1 TB at most: its restore takes {round(OF_ONE, 1)} hours.]],
      predict = { id = "p0-room", kind = "number", unit = "months", tolerance = 0.7,
        ask = "In how many months are they full?",
        answer = function() return round((8 - TB) * 1000 / GROWTH_GB, 1) end,
        wrong = { [round(8000 / GROWTH_GB, 1)] = { belief = "they start empty", why = "{TB} of the 8 TB are there on the first day." },
          [round(4000 / 8 / GROWTH_GB, 1)] = { belief = "each grows by all of it", why = "The growth is divided too: each shard gets an eighth of it." } },
        why = "8 TB of room, {TB} TB in it, {GROWTH} GB a month.",
        hints = { "How much room is left, in all?", "{8 - TB} TB.", "{(8 - TB) * 1000} GB, {GROWTH} a month." } },
      after = [[
        {round((8 - TB) * 1000 / GROWTH, 1)} months. A shard starts with {TB * 1000 // 8} GB and {WRITES // 8} writes a second, and its hot data fits in
        memory {RAM * 8 // HOT} times. All three triggers have room.]] },

    { id = "walls", title = "Walls of one machine", deeper = true, show = { "table" }, with = WALLS,
      table = function()
        local function row(label, what, by)
          return { label = label, cells = { tostring(round(NEED[what] / by, 1)), tostring(round(ONE[what] / by, 1)), "{FOR." .. what .. "}" } }
        end
        return { title = "One machine's walls", columns = { "", "asked", "one", "machines" }, numbers = { 2, 3, 4 }, rows = {
          row("disk, TB", "disk", 1), row("memory, TB", "memory", 1), row("reads/s, M", "reads", 1000000), row("writes/s, M", "writes", 1000000) } }
      end,
      say = [[
        A larger machine is the second step, until there is none. In this example the largest has {ONE.disk} TB of disks and {ONE.memory} TB of memory. It
        answers {ONE.reads} reads a second, and its log takes {ONE.writes} small writes.

        Asked for: {NEED.disk} TB on disk, {NEED.memory} TB in memory, {NEED.reads} reads and {NEED.writes} writes a second.]],
      predict = { id = "p0-walls", kind = "number", unit = "machines", tolerance = 0,
        ask = "How many are needed at least?",
        answer = function() return math.max(FOR.disk, FOR.memory, FOR.reads, FOR.writes) end,
        wrong = { [FOR.disk] = { belief = "size alone decides", why = "They hold it all, and answer less than half of the reads." },
          [FOR.disk + FOR.memory + FOR.reads + FOR.writes] = { belief = "all needs are added",
            why = "One machine has disk, memory and processors at once. The largest need decides." },
          [FOR.memory] = { belief = "memory alone decides", why = "So many keep in memory what is hot, and cannot hold all the rest." } },
        why = "{FOR.disk} for the disks, {FOR.memory} for memory, {FOR.reads} for the reads, {FOR.writes} for the writes: the largest.",
        hints = { "Work out each wall by itself.", "Asked for, over what one can do, rounded up.", "Four numbers. Which of them meets all needs?" } },
      after = [[
        {FOR.reads}, all of them full: who leaves room and plans for {ROOM}% takes {math.ceil(NEED.reads / ONE.reads * 100 / ROOM)}. And the largest machines cost more for each GB
        than middling ones: price grows faster than size.]] },

    { id = "drives", title = "Something always fails", deeper = true, show = { "table" },
      with = { LIFE = LIFE, MACHINES = MACHINES, DRIVES = DRIVES },
      table = function()
        return { title = "Hours to the next failure", columns = { "of", "drives", "hours" }, numbers = { 2, 3 }, rows = {
          { label = "one drive", cells = { "1", "{LIFE}" } }, { label = "one machine", cells = { "{DRIVES}", "{LIFE // DRIVES}" } },
          { label = "the cluster", cells = { "{MACHINES * DRIVES}", "{LIFE // (MACHINES * DRIVES)}" } } } }
      end,
      say = [=[
        Many machines bring a wall of their own. A drive is rated at {LIFE} hours, its [[MTBF]]: of many that run, one fails for so many
        hours run in all. No drive lives so long.

        A cluster has {MACHINES} machines with {DRIVES} drives each.]=],
      predict = { id = "p0-drives", kind = "number", unit = "hours", tolerance = 0,
        ask = "How many hours pass on average between two failures?",
        answer = function() return LIFE // (MACHINES * DRIVES) end,
        wrong = { [LIFE] = { belief = "a cluster is as safe as a part", why = "{MACHINES * DRIVES} drives run at once, and any may be next." },
          [LIFE // MACHINES] = { belief = "a machine is a drive", why = "Each machine has {DRIVES}." } },
        why = "{MACHINES * DRIVES} drives run {MACHINES * DRIVES} hours in each hour.",
        hints = { "How many drives are there?", "{MACHINES * DRIVES}.", "{LIFE} divided by {MACHINES * DRIVES}." } },
      after = [[
        {LIFE // (MACHINES * DRIVES)} hours: about {round(LIFE / (MACHINES * DRIVES) / 24 / 30.4, 1)} months, by the rating; in the field it is more often. So each shard
        has replicas as well: divide, then copy.]] },

    { id = "three-things", title = "Three things move", deeper = true, show = { "system" },
      say = [=[
        Part of a shard moves to a new machine, and three things with it: *data*, bytes on disk; [[compute]], the work of
        answering; [[state]], as in caches.

        For ten minutes after it, one answer in a hundred is slow. Processors idle, disks read.]=],
      predict = { id = "p0-three", kind = "choice",
        ask = "Which is not there yet?",
        choices = {
          { "The data", belief = "slow means still copying", why = "Then some answers would be missing, or come from the old machine. Here all come, from its own disks.", holds = yes(false) },
          { "The state", holds = yes(true) },
          { "The compute", belief = "slow means too few processors", why = "They idle. They wait for disks.", holds = yes(false) },
        },
        why = "Its memory is cold: what was hot on the old machine has to be read from disk once more.",
        hints = { "Who is busy, who waits?", "Why does it pass by itself, after minutes?", "What makes a second read of the same row faster?" } },
      after = [[
        State follows data, later. Who plans a move plans for that time too.]] },

    -- --- the placement check ---

    { id = "check-average", title = "One of many", check = true, show = { "system" },
      say = [[
        A store has 50 partitions, each for 1,000 writes a second. They are 12% busy on average. One sensor writes 2,500 a
        second, all under its own name.]],
      predict = { id = "p0-check-average", kind = "number", unit = "times", tolerance = 0,
        ask = "How many times its limit is the sensor's partition asked for?",
        answer = function() return 2500 / 1000 end,
        wrong = { [0.12] = { belief = "the average decides", why = "The limit holds for each partition, and the sensor is in one." } },
        why = "Its writes have one name, so one partition." } },

    { id = "check-copies", title = "Two copies", check = true, show = { "system" },
      say = [[
        A database is at 84% of its writes and at 60% of its reads. Two copies join, so that there are three machines, and
        reads go to all of them alike.]],
      predict = { id = "p0-check-copies", kind = "number", unit = "%", tolerance = 0,
        ask = "At what percentage of its writes is the first one then?",
        answer = function() return 84 end,
        wrong = { [28] = { belief = "copies share the work of writing", why = "Every copy writes everything." } },
        why = "Every write goes to every copy." } },

    { id = "check-first", title = "One thing first", check = true, show = { "system" },
      say = [[
        A newspaper's database is at 93% of its reads and at 20% of its writes. Nine in ten reads are for the same hundred pages. A page may
        be ten seconds old. Data doubles each year.]],
      predict = { id = "p0-check-first", kind = "choice", ask = "What comes first?",
        choices = {
          { "Shards: it doubles.", belief = "growth means sharding", why = "Growth is no trigger; what is measured is.", holds = yes(false) },
          { "A cache.", holds = yes(true) },
          { "A larger machine.", belief = "hardware first", why = "A cache takes nine reads in ten, for less.", holds = yes(false) },
        },
        why = "Reads are full, most are the same, and may be old." } },

    { id = "check-triggers", title = "Due or not", check = true, show = { "system" },
      say = [[
        All cheaper steps are done. A bank measures: writes 35% of its machine; restore 3 hours, 8 are allowed; hot data 900 GB, memory
        768 GB; reads 88%.]],
      predict = { id = "p0-check-triggers", kind = "several", ask = "Which are reasons to shard?",
        choices = {
          { "Writes", belief = "any load is a reason", why = "They have room.", holds = yes(false) },
          { "Restore", belief = "hours are always too long", why = "It is within what is allowed.", holds = yes(false) },
          { "Hot data", belief = "memory is only a cache", why = "It no longer fits, and there is no larger memory.", holds = yes(true) },
          { "Reads", belief = "the fullest number decides", why = "Copies take reads.", holds = yes(false) },
        },
        why = "What is asked for all the time has to fit in memory." } },
  },
}
