-- Part 0. Core path: one post against the limits of one partition; the whole system and the evening it
-- is asked too much; the keys of the tool; why sharding comes last, and what is measured before it.
-- Then the cache that forgets nearly everything when a server joins. Deeper: the orders database
-- divided, the walls of one machine, and what moves with a slot.

-- --- what the example states ---

local FOLLOWERS, COME, SECONDS = 60000000, 8000000, 120
local LIKES = 10000
local READ_UNITS, WRITE_UNITS, UNIT_KB = 3000, 1000, 4
local BUSY = 20 -- percent, of the whole table
local READS = COME / SECONDS

local FANS, READERS = 2400, 9000 -- a second, of p9

-- The orders database.
local WRITES, CAN_WRITE, TRIGGER = 9000, 15000, 60 -- writes a second; what its machine can do; percent
local TB, GROWTH_GB, COPY_MB, HOURS = 4, 150, 200, 2
local HOT_GB, RAM_GB = 700, 512
local READS_NOW, CAN_READ = 45000, 50000

-- One machine, and what is asked of it.
local ONE = { disk = 64, memory = 24, reads = 500000 }
local NEED = { disk = 200, memory = 50, reads = 5000000 }
local FOR = {}
for what, most in pairs(ONE) do FOR[what] = (NEED[what] + most - 1) // most end
local WALLS = { ONE = ONE, NEED = NEED, FOR = FOR }
local LIFE, MACHINES, DRIVES = 2000000, 100, 8 -- hours of a drive; machines, and drives in each

-- The cache.
local SERVERS, CARTS, ASKED, HITS, DATABASE = 10, 40000000, 50000, 95, 10000
local KEYS = keys("cart:%d", 0, 9999)

function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

-- Read units of one read: whole ones of 4 KB, each of them half if it may lack the newest writes.
function units(kb, choice)
  return (kb + UNIT_KB - 1) // UNIT_KB * (choice == "eventual" and 0.5 or 1)
end

function over(kb, choice) return READS * units(kb, choice) / READ_UNITS end

local function load_pct() return 100 * WRITES / CAN_WRITE end
local function restore_hours() return TB * 1000000 / COPY_MB / 3600 end

-- The part of the carts that change their server when one joins, tried with ten thousand.
function moved(scheme)
  local l = layout(scheme, { shards = SERVERS })
  return l:moved(l:add(), KEYS) / #KEYS
end
function hit_rate(scheme) return HITS * (1 - moved(scheme)) end
function misses(scheme) return ASKED * (1 - hit_rate(scheme) / 100) end

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
    return { label = n == 1 and "alone" or n .. " copies",
      run = function(f) if n > 1 then f:command("replicas S2 " .. n) end end,
      cells = function(f) return { f.S2.read_pct .. "%", f.S2.write_pct .. "%" } end }
  end
  return { title = "S2 against its ceilings", columns = { "S2", "reads", "writes" }, numbers = { 2, 3 },
    rows = { row(1), row(2), row(3) } }
end

local function yes(holds) return function() return holds end end

local function limits()
  return { title = "One partition, by its limits", columns = { "a second", "most", "asked" }, numbers = { 2, 3 },
    rows = { { label = "read units", cells = { "{RU}", "?" } }, { label = "write units", cells = { "{WU}", "{LIKES}" } } } }
end

local STEPS = {
  { "query, index", "a slow question" }, { "bigger machine", "a full machine" }, { "copies, cache", "many reads" },
  { "split by job", "two jobs, one box" }, { "parts inside", "old, big tables" }, { "self-sharding", "less to run" },
  { "shard it", "what is left" },
}

local function in_order()
  local rows = {}
  for i, s in ipairs(STEPS) do rows[i] = { label = i .. " " .. s[1], cells = { s[2] } } end
  return { title = "The cheaper steps, in order", columns = { "step", "against" }, rows = rows }
end

local function triggers()
  return { title = "The orders database", columns = { "", "now", "limit" }, numbers = { 2, 3 }, rows = {
    { label = "writes", cells = { "{round(LOAD)}%", "{TRIGGER}%" } },
    { label = "restore", cells = { "{round(RESTORE, 1)} h", "{HOURS} h" } },
    { label = "hot data", cells = { "{HOT} GB", "{RAM} GB" } },
    { label = "reads", cells = { "{round(100 * READS_NOW / CAN_READ)}%", "none" } } } }
end

local FACTS = { RU = READ_UNITS, WU = WRITE_UNITS, LIKES = LIKES, BUSY = BUSY, READS = READS, FOLLOWERS = FOLLOWERS // 1000000,
  COME = COME // 1000000, MINUTES = SECONDS // 60, KB = UNIT_KB }
local ORDERS = { WRITES = WRITES, CAN = CAN_WRITE, TRIGGER = TRIGGER, TB = TB, GROWTH = GROWTH_GB, COPY = COPY_MB, HOURS = HOURS,
  HOT = HOT_GB, RAM = RAM_GB, READS_NOW = READS_NOW, CAN_READ = CAN_READ, LOAD = load_pct(), RESTORE = restore_hours() }
local CACHE = { SERVERS = SERVERS, CARTS = CARTS // 1000000, ASKED = ASKED, HITS = HITS, DATABASE = DATABASE,
  USUAL = ASKED * (100 - HITS) // 100 }

return lesson {
  id = "00_start_here", part = 0, title = "Start here", minutes = 12, needs = {}, world = "story",

  steps = {
    { id = "two-minutes", title = "Two minutes", show = { "table" }, table = limits, with = FACTS,
      say = [[
        A photographer with {FOLLOWERS} million followers posts a picture. Within {MINUTES} minutes {COME} million of them open the app,
        and each asks for her newest posts.

        Type a number and press enter.]],
      predict = { id = "p0-reads", kind = "number", unit = "reads/s", tolerance = 100,
        ask = "How many reads is that a second?",
        answer = function() return round(READS) end,
        wrong = { [COME // 2] = { belief = "a minute is the unit", why = "That is a minute. A second is one part of sixty." },
          [FOLLOWERS // SECONDS] = { belief = "all followers come", why = "That counts all {FOLLOWERS} million. {COME} million came." } },
        why = "{COME} million, divided by {MINUTES} minutes.",
        hints = { "How many seconds are {MINUTES} minutes?", "{COME} million divided by {60 * MINUTES}.", "A bit more than {READS // 1000} thousand." } },
      after = [[
        {round(READS)} a second. All of them need the same place: her posts have one *partition key*, the part of a name
        that decides where a thing is kept. What is kept together is a *partition*, and one machine
        answers for it.

        Space goes on, b goes back.]] },

    { id = "one-item", title = "And they like it", show = { "table" }, table = limits, with = FACTS,
      say = [[
        The picture's like counter is one item. {LIKES} people a second press like, and each like is one write: one *write unit*.

        A partition of this store takes {WU} write units a second. The whole table is {BUSY}% busy.]],
      predict = { id = "p0-likes", kind = "number", unit = "times", tolerance = 0,
        ask = "How many times its limit is the counter's partition asked for?",
        answer = function() return LIKES / WRITE_UNITS end,
        wrong = { [BUSY / 100] = { belief = "the average decides", why = "So busy is the table as a whole. The limit holds for each partition, and the counter is in one." },
          [round(LIKES / READ_UNITS, 1)] = { belief = "one limit for all", why = "That is the limit of reads. A like is a write." } },
        why = "{LIKES} over {WU}. What other partitions have left is of no use.",
        hints = { "Which limit does a like meet?", "{WU} write units a second.", "{LIKES} divided by {WU}." } },
      after = [[
        {LIKES // WU} times over, in a table that is {BUSY}% busy. One item cannot be in two partitions.]] },

    { id = "thirty-three", title = "Your first knobs", show = { "table" }, with = FACTS,
      knobs = { { name = "size", values = { 2, 4, 6, 8, 10, 12, 16 }, start = 4 },
        { name = "choice", values = { "strong", "eventual" } } },
      table = function(_, knob)
        return { title = knob.size .. " KB, " .. knob.choice, columns = { "reads", "value" }, numbers = { 2 },
          rows = { { label = "units each", cells = { tostring(units(knob.size, knob.choice)) } },
            { label = "units a second", cells = { "{round(READS * units(knob.size, knob.choice))}" } },
            { label = "limit", cells = { "{RU}" } },
            { label = "times over", cells = { tostring(round(over(knob.size, knob.choice), 1)) } } } }
      end,
      say = [[
        A *read unit* is a read of up to {KB} KB; a larger one takes several. A read that may miss the newest writes is *eventual*,
        and takes half as much.

        {knob.size} KB, {knob.choice}: {round(over(knob.size, knob.choice), 1)} times the {RU} units of a partition.]],
      try = { ask = "Which reads are 33 times over? Turn the size with Z, the kind with H.",
        goal = function() return round(over(knob.size, knob.choice)) == 33 end,
        solution = { "knob size 12", "knob choice eventual" },
        hints = { "33 is not one of the strong ones.", "Press H once, then Z until it says 33.3.", "Eventual, above 8 and up to 12 KB." } },
      notes = "Press u to take a turn back. Only eventual reads above 8 and up to 12 KB fit." },

    { id = "the-system", title = "The whole system", show = { "system" }, key = "post:{p9}", router = "R0", actions = { "route" },
      say = [[
        This course runs a small app of that kind, live. Phones ask a *router*. It has a copy of a *map*: which machine keeps
        which part. The map itself is in the *directory*. Each of the {cluster.shards} machines is a *shard*: it keeps a part of all posts.

        Send a read of `post:{p9}` yourself: press r, then enter. Space goes on.]],
      try = { ask = "Press r and send a read.",
        goal = function(w) return w.last.op == "read" and w.last.key == "post:{p9}" end,
        solution = { "request read post:{p9} via R0" },
        hints = { "r is route: send a request.", "Press r. The line below has the key already.", "Press enter to send it." } } },

    { id = "takes-off", title = "20:02", show = { "system" },
      say = [[
        20:00. Every shard does {S2.write_pct}% of the writes that it can. At 20:02 one post, p9, takes off. It lives on S2.

        All together they will then be asked for {soon(w)} writes a second. They can do {cluster.write_ceiling}.]],
      with = { soon = function(w)
        local f = w:fork()
        overload(f)
        return f.cluster.writes
      end },
      predict = { id = "p0-hold", kind = "choice",
        ask = "Which shards are asked too much?",
        choices = {
          { "None: together it fits.", belief = "the average decides",
            why = "It would fit if it were spread. A post is on one shard, and shards cannot lend.",
            holds = function(w) return w.S2.write_pct <= 100 end },
          { "S2, and only S2.",
            holds = function(w) return w.S2.write_pct > 100 and w.S0.write_pct <= 100 and w.S1.write_pct <= 100 and w.S3.write_pct <= 100 end },
          { "All four a little.", belief = "load spreads by itself",
            why = "Nothing spreads the likes of one post. The other three are as they were.",
            holds = function(w) return w.S0.write_pct > 100 and w.S3.write_pct > 100 end },
        },
        why = "p9 is one key, and a key is on one shard.",
        hints = { "Where is p9?", "Can S0 take a like of it?", "Only S2 keeps p9." } },
      run = function(w)
        overload(w)
        w:play_for(1)
      end,
      after = [[
        S2 is asked for {S2.write_pct}% of its writes and {S2.read_pct}% of its reads, the other three for {S0.write_pct}% of
        their writes. The average says {cluster.write_pct}%.]] },

    { id = "ask-why", title = "Pictures answer", show = { "bars", "trace" },
      say = [[
        Each bar ends at what is asked, the line is the *ceiling*: what the shard can do. Beyond it a shard *refuses*.

        The lower picture is the *trace*: every message. Tab goes from pane to pane, the arrow keys choose, i opens
        what is chosen and says why it is so.]],
      try = { ask = "Open the why of one message.", opened = "why",
        hints = { "Tab until the frame of the trace is lit.", "The arrow keys choose a row.", "Press i on it." } } },

    { id = "your-keys", title = "Your other keys", show = { "system" },
      say = [[
        What you need is always in the bottom line. The rest:

          ?  all keys that work here
          t  a hint, s  show me
          u  undo what you did
          b  the step before
          p  let time run, or pause
          D  the pictures in words
          q  leave; you come back here]],
      predict = { id = "p0-keys", kind = "choice",
        ask = "You moved something and want it back as it was. Which key?",
        choices = {
          { "b", belief = "back is undo", why = "b shows the step before. What you did stays yours until u takes it back.", holds = yes(false) },
          { "u", holds = yes(true) },
          { "q", belief = "only a new start helps", why = "q leaves. Where you are is kept, with all you did.", holds = yes(false) },
        },
        why = "u takes back one thing at a time, and U does it again.",
        hints = { "Going back is not taking back.", "One of the keys says undo.", "u." } } },

    { id = "the-price", title = "Sharding costs", show = { "table" }, table = in_order, with = ORDERS,
      say = [[
        *Sharding* divides data over machines. In one database a *transaction* writes stock and order, all or nothing; a *join* puts
        order and customer together.

        Now rows go to 8 shards by customer.]],
      predict = { id = "p0-price", kind = "several",
        ask = "What can no single machine do now?",
        choices = {
          { "A transaction over two shards", belief = "a database stays one database",
            why = "Two machines have to agree, and one of them may stop in between.", holds = yes(true) },
          { "A join over two shards", belief = "queries do not notice",
            why = "The rows are apart. Somebody has to ask both and put them together.", holds = yes(true) },
          { "Unique e-mails for all", belief = "a rule holds everywhere",
            why = "Each shard sees only its own customers, so none can tell.", holds = yes(true) },
          { "A known customer's orders", belief = "everything gets dearer",
            why = "They are on one shard, and reading them works as before.", holds = yes(false) },
        },
        why = "What concerns rows of two shards has to be built anew. What stays on one shard stays easy.",
        hints = { "Which of these need rows of two shards?", "The known customer's rows are together.", "All but the last." } },
      after = [[
        And backups, upgrades, alarms: eight of each. So sharding is the last resort. The table has what comes before it.]] },

    { id = "cheaper", title = "Which step first?", show = { "table" }, table = in_order,
      say = [[
        A shop's search is slow, and its database is busy all day. Somebody measures: to show {SHOWN} orders it reads {READ} rows.

        In the meeting they say: shard it.]],
      with = { SHOWN = 20, READ = 4000000 },
      predict = { id = "p0-first", kind = "choice",
        ask = "What comes first?",
        choices = {
          { "An index for that search.", holds = function() return 4000000 / 20 > 100 end },
          { "More copies to read from.", belief = "slow means too few machines",
            why = "Each copy would read {READ} rows as well. The work is needless, wherever it is done.",
            holds = function() return 4000000 / 20 <= 100 end },
          { "Eight shards.", belief = "sharding makes it fast",
            why = "Eight machines would read the {READ} rows between them, all day. Do not divide work that need not be done.", holds = yes(false) },
          { "A machine twice as large.", belief = "hardware first",
            why = "Half as slow, and still nearly all of the work for nothing.", holds = yes(false) },
        },
        why = "{READ // SHOWN} rows are read for each one shown.",
        hints = { "How many rows are read for each that is shown?", "Would more machines make them fewer?", "An *index* finds them without reading all." } },
      after = [[
        An *index* is a sorted list that leads to the rows. Each step has its own ill. Go down the list only while the ill
        is still there.]] },

    { id = "triggers", title = "When, then?", show = { "table" }, table = triggers, with = ORDERS,
      say = [[
        The cheaper steps are done. A database of orders, with two copies:

          writes    {WRITES} of {CAN}/s
          restore   {TB} TB at {COPY} MB/s,
                    allowed {HOURS} hours
          hot data  {HOT} GB, memory {RAM} GB
          reads     {READS_NOW} of {CAN_READ}/s]],
      predict = { id = "p0-triggers", kind = "several",
        ask = "Which are reasons to shard?",
        choices = {
          { "Its writes", belief = "below the limit is fine", why = "They are at {round(LOAD)}%. From about {TRIGGER}% on there is no room for a bad day, and copies cannot help.",
            holds = function() return load_pct() >= TRIGGER end },
          { "Its restore", belief = "disks are cheap, so size is free", why = "{round(RESTORE, 1)} hours, where {HOURS} are allowed.",
            holds = function() return restore_hours() > HOURS end },
          { "Its hot data", belief = "memory is only a cache", why = "What is asked for all the time no longer fits in memory, so each answer may wait for a disk.",
            holds = function() return HOT_GB > RAM_GB end },
          { "Its reads", belief = "the fullest number decides", why = "One more copy, and they have room. Read load alone is never a reason.",
            holds = yes(false) },
        },
        why = "Writes, size, and what has to be in memory. Each can be measured.",
        hints = { "Which of these does a further copy cure?", "It cures reads.", "All but the reads." } },
      after = [[
        Three triggers of three. Reads are the fullest, and still no reason: copies and caches take reads.]] },

    { id = "copies", title = "Copy or divide?", show = { "table", "bars" }, table = with_copies,
      enter = overload,
      say = [[
        Back to S2: {S2.write_pct}% of its writes, {S2.read_pct}% of its reads. It gets two *replicas*: copies of all it holds, on machines
        of their own. Any of the three may answer a read.]],
      predict = { id = "p0-copies", kind = "choice",
        ask = "What falls to about a third?",
        choices = {
          { "Reads and writes.", belief = "a copy is one more machine",
            why = "Each copy has to write down every like, so three can take no more likes than one.",
            holds = function(w) return not still(w, "read_pct") and not still(w, "write_pct") end },
          { "The reads.", holds = function(w) return not still(w, "read_pct") and still(w, "write_pct") end },
          { "The writes.", belief = "copies share the work of writing",
            why = "Every copy writes everything. It is readers who can choose one.",
            holds = function(w) return still(w, "read_pct") and not still(w, "write_pct") end },
          { "Neither: it is one key.", belief = "one key is always one machine's work",
            why = "Each copy has p9 as well, so they can share its readers.",
            holds = function(w) return still(w, "read_pct") and still(w, "write_pct") end },
        },
        why = "A read needs one copy, a write all of them.",
        hints = { "What must happen to a like on each copy?", "A reader may go to any of them.", "Reads are shared, writes are repeated." } },
      after = [[
        {copied(w, "read_pct")}% of the reads, still a bit too much, and {copied(w, "write_pct")}% of the writes. Copies help with reads, and when a
        machine dies. Dividing helps with writes and with size. Most systems do both.]],
      with = { copied = function(w, kind)
        local f = w:fork()
        f:command("replicas S2 3")
        return f.S2[kind]
      end } },

    { id = "black-friday", title = "One more server", show = { "table", "grid" }, with = CACHE,
      grids = function()
        local g, m = keys("cart:%d", 0, 999), layout("mod-n", { shards = SERVERS })
        return { { title = "carts, by the remainder", keys = g, before = m, after = m:add() } }
      end,
      table = function()
        return { title = "When server 11 joins", columns = { "", "moved", "hits", "misses/s" }, numbers = { 2, 3, 4 }, rows = {
          { label = "remainder", cells = { "{round(100 * moved(\"mod-n\"), 1)}%", "{round(hit_rate(\"mod-n\"), 1)}%", "{round(misses(\"mod-n\"))}" } } } }
      end,
      say = [[
        {SERVERS} cache servers hold {CARTS} million carts. A cart's *hash*, a number made from its name, is divided by {SERVERS}; the remainder
        is its server. {HITS}% of {ASKED} reads a second are found there. {USUAL} go on to the database, which can do {DATABASE}.

        For a busy day server 11 joins.]],
      predict = { id = "p0-collapse", kind = "number", unit = "%", tolerance = 1.5,
        ask = "What is the hit rate just after?",
        answer = function() return round(hit_rate("mod-n"), 1) end,
        wrong = { [95] = { belief = "more cache, more hits", why = "The carts are there, but the remainder by 11 leads to another server for most of them." },
          [86] = { belief = "only a fair share moves", why = "That would be the least. The remainder by 11 has nothing to do with that by 10." },
          [0] = { belief = "everything moves", why = "One in eleven has the same remainder by luck." } },
        why = "Ten of eleven carts get another server, and it does not have them.",
        hints = { "Which carts have the same remainder by 10 and by 11?", "One in eleven.", "{HITS}% divided by 11." } },
      after = [[
        {round(100 * moved("mod-n"))}% of the carts change their server. The database is asked for {round(misses("mod-n"))} reads a second, and can do {DATABASE}.]],
      notes = "Worked by hand: 10/11 move, the hit rate is 95/11, and misses are what is left of 50,000." },

    { id = "on-a-ring", title = "Another rule", show = { "table", "grid" }, with = CACHE,
      grids = function()
        local g, r = keys("cart:%d", 0, 999), layout("ring", { shards = SERVERS })
        return { { title = "carts, on a ring", keys = g, before = r, after = r:add() } }
      end,
      table = function()
        local rows = {}
        for i, s in ipairs { { "remainder", "mod-n" }, { "ring", "ring" } } do
          rows[i] = { label = s[1], cells = { round(100 * moved(s[2]), 1) .. "%", round(hit_rate(s[2]), 1) .. "%", "{round(misses(\"" .. s[2] .. "\"))}" } }
        end
        return { title = "When server 11 joins", columns = { "", "moved", "hits", "misses/s" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        Part 6 has a rule, the *ring*, by which a new server takes its fair share, one part in {SERVERS + 1}, and no other cart moves.

        The database can do {DATABASE} reads a second.]],
      predict = { id = "p0-ring", kind = "choice",
        ask = "Does the site stay up?",
        choices = {
          { "Yes, with some more misses for a while.", holds = function() return misses("ring") < DATABASE and misses("ring") > ASKED * (100 - HITS) / 100 end },
          { "Yes, nobody notices.", belief = "a good rule moves nothing", why = "Server 11 begins empty, and its carts miss once.",
            holds = function() return misses("ring") <= ASKED * (100 - HITS) / 100 end },
          { "No, it is the same.", belief = "a new server costs the same by any rule",
            why = "By the remainder old servers swap carts as well. Here only the new one's share moves.", holds = function() return misses("ring") >= DATABASE end },
        },
        why = "A fair share of carts misses once: below what the database can do.",
        hints = { "How many carts move at the least?", "About {round(100 / 11)}%.", "{HITS}% of the rest are still found." } },
      after = [[
        {round(hit_rate("ring"), 1)}% hits, {round(misses("ring"))} reads a second. How much moves decides whether growing hurts.]] },

    { id = "the-course", title = "The way ahead", show = { "bars" },
      say = [[
        Part by part you learn: a request's shard (1), a key and a number of shards (2), a hot key (3), hot reads (4), hot writes (5),
        growing (6), managed stores (7), moving live data (8), asking many shards (9), one like through all of it (10), the cloud (11).]],
      predict = { id = "p0-course", kind = "choice",
        ask = "p9 is read too often. Which part do you open?",
        choices = {
          { "4, hot reads", holds = function(w) return w.S2.reads > w.S2.read_ceiling end },
          { "6, growing", belief = "more shards cure a hot key", why = "A fifth shard cannot take a part of p9. It is one key.",
            holds = yes(false) },
          { "8, moving", belief = "elsewhere it fits", why = "All shards have the same ceiling. p9 would be too much for any of them.", holds = yes(false) },
        },
        why = "Too many reads of one key: copies and caches.",
        hints = { "Is it the number of shards?", "It is reads, and they are of one key.", "Part 4." } },
      after = [[
        The core of each part takes about 12 minutes, and what is *deeper* comes after it. You need no more than what a database and a
        query are. Numbers in the text come from the running system.]] },

    -- --- deeper ---

    { id = "on-eight", title = "On eight", deeper = true, show = { "table" }, with = ORDERS,
      table = function()
        return { title = "On eight shards", columns = { "a shard", "value" }, numbers = { 2 }, rows = {
          { label = "writes a second", cells = { "{WRITES // 8}" } }, { label = "GB", cells = { "{TB * 1000 // 8}" } },
          { label = "of its writes", cells = { "{WRITES * 100 / 8 / CAN}%" } } } }
      end,
      say = [[
        The orders database goes on 8 shards, evenly. Together it holds {TB} TB, and it grows by {GROWTH} GB a month. A shard should hold
        at most 1 TB, or its restore takes too long.]],
      predict = { id = "p0-room", kind = "number", unit = "months", tolerance = 0.7,
        ask = "In how many months are they full?",
        answer = function() return round((8 - TB) * 1000 / GROWTH_GB, 1) end,
        wrong = { [round(8000 / GROWTH_GB, 1)] = { belief = "they start empty", why = "{TB} of the 8 TB are there on the first day." },
          [round(4000 / 8 / GROWTH_GB, 1)] = { belief = "each grows by all of it", why = "The growth is divided too: each shard gets an eighth of it." } },
        why = "8 TB of room, {TB} TB in it, {GROWTH} GB a month.",
        hints = { "How much room is left, in all?", "{8 - TB} TB.", "{(8 - TB) * 1000} GB, {GROWTH} a month." } },
      after = [[
        {round((8 - TB) * 1000 / GROWTH, 1)} months. A shard starts with {TB * 1000 // 8} GB and {WRITES // 8} writes a second. Load and size
        both have room.]] },

    { id = "walls", title = "Walls of one machine", deeper = true, show = { "table" }, with = WALLS,
      table = function()
        return { title = "One machine's walls", columns = { "", "asked", "one", "machines" }, numbers = { 2, 3, 4 }, rows = {
          { label = "disk, TB", cells = { "{NEED.disk}", "{ONE.disk}", "{FOR.disk}" } },
          { label = "memory, TB", cells = { "{NEED.memory}", "{ONE.memory}", "{FOR.memory}" } },
          { label = "reads/s", cells = { "{NEED.reads}", "{ONE.reads}", "{FOR.reads}" } } } }
      end,
      say = [[
        A larger machine is the second step, until there is none. One holds some {ONE.disk} TB on its disks and {ONE.memory} TB in memory, and
        answers {ONE.reads} reads a second.

        Asked for: {NEED.disk} TB on disk, {NEED.memory} TB in memory, {NEED.reads} reads a second.]],
      predict = { id = "p0-walls", kind = "number", unit = "machines", tolerance = 0,
        ask = "How many are needed at least?",
        answer = function() return math.max(FOR.disk, FOR.memory, FOR.reads) end,
        wrong = { [FOR.disk] = { belief = "size alone decides", why = "They hold it all, and answer less than half of the reads." },
          [FOR.disk + FOR.memory + FOR.reads] = { belief = "all needs are added",
            why = "One machine has disk, memory and processors at once. The largest need decides." },
          [FOR.memory] = { belief = "memory alone decides", why = "So many keep in memory what is hot, and cannot hold all the rest." } },
        why = "{FOR.disk} for the disks, {FOR.memory} for memory, {FOR.reads} for the reads: the largest.",
        hints = { "Work out each wall by itself.", "Asked for, over what one can do, rounded up.", "{FOR.disk}, {FOR.memory} and {FOR.reads}: the largest." } },
      after = [[
        {FOR.reads}. And the largest machines cost more for each GB than middling ones: price grows faster than size.]] },

    { id = "drives", title = "Something always fails", deeper = true, show = { "table" },
      with = { LIFE = LIFE, MACHINES = MACHINES, DRIVES = DRIVES },
      table = function()
        return { title = "Until the next failure", columns = { "of", "drives", "hours" }, numbers = { 2, 3 }, rows = {
          { label = "one drive", cells = { "1", "{LIFE}" } }, { label = "one machine", cells = { "{DRIVES}", "{LIFE // DRIVES}" } },
          { label = "the cluster", cells = { "{MACHINES * DRIVES}", "{LIFE // (MACHINES * DRIVES)}" } } } }
      end,
      say = [[
        Many machines bring a wall of their own. A drive runs {LIFE} hours on average before it fails. A cluster has {MACHINES} machines with
        {DRIVES} drives each.]],
      predict = { id = "p0-drives", kind = "number", unit = "hours", tolerance = 0,
        ask = "How many hours pass on average between two failures?",
        answer = function() return LIFE // (MACHINES * DRIVES) end,
        wrong = { [LIFE] = { belief = "a cluster is as safe as a part", why = "So long runs one. There are {MACHINES * DRIVES} of them, and any may be next." },
          [LIFE // MACHINES] = { belief = "a machine is a drive", why = "Each machine has {DRIVES}." } },
        why = "{MACHINES * DRIVES} drives fail {MACHINES * DRIVES} times as often as one.",
        hints = { "How many drives are there?", "{MACHINES * DRIVES}.", "{LIFE} divided by {MACHINES * DRIVES}." } },
      after = [[
        {LIFE // (MACHINES * DRIVES)} hours: about {round(LIFE / (MACHINES * DRIVES) / 24 / 30.4, 1)} months. So each shard has replicas as well:
        divide, then copy.]] },

    { id = "three-things", title = "Three things move", deeper = true, show = { "system" },
      say = [[
        Part of a shard moves: *data*, bytes on disk; *compute*, the work of answering; *state*, what is in memory, such as caches.

        All bytes are there, the map is new, and requests arrive. For ten minutes answers are slow.]],
      predict = { id = "p0-three", kind = "choice",
        ask = "Which has not arrived yet?",
        choices = {
          { "The data", belief = "slow means still copying", why = "All bytes are there. It reads them from disk, and that is the slow part.", holds = yes(false) },
          { "The compute", belief = "slow means too few processors", why = "Requests go to the new shard, so the work is there already.", holds = yes(false) },
          { "The state", holds = yes(true) },
        },
        why = "Its memory is cold: what was hot on the old shard has to be read from disk once more.",
        hints = { "Where are the bytes? Who does the work?", "What makes a second read faster than the first?", "A cache that is warm." } },
      after = [[
        State follows data, later. Whoever plans a move plans for that time too.]] },
  },
}
