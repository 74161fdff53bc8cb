-- Part 12. Core path: questions from all parts, mixed; what took p9's overload away, piece by piece; the whole
-- story as a table that opens at any row; from a symptom to its cause; six steps from the queries to the key, first
-- shown, then with more and more of them open; mistakes that many make; a cluster with faults; the cheat card.
-- Deeper: the story once more, more symptoms and mistakes, numbers to know, checklists for a system of one's own,
-- and thirty questions of an interview.

local P9, POST, SLOT = "likes:{p9}", "post:{p9}", 12067
local LIKES, READS, CEILING, READ_CEILING = 2400, 9000, 1000, 3000
local M = {} -- what a step keeps for its texts
function m(name) return M[name] end

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

local function yes(what)
  return function() return what end
end

-- --- the evening ---

local function perform(w, ...)
  for _, text in ipairs { ... } do w:command(text) end
end

-- What may be so already is refused then.
local function order(w, ...)
  for _, text in ipairs { ... } do pcall(w.command, w, text) end
end

-- The busiest shard, of writes and of reads, in percent of its ceiling.
local function fullest(w)
  local writes, reads = 0, 0
  for i = 0, w:shards() - 1 do
    writes, reads = math.max(writes, w["S" .. i].write_pct), math.max(reads, w["S" .. i].read_pct)
  end
  return round(writes), round(reads)
end

-- Each piece comes on top of those before it.
local PIECES = {
  { "p9 takes off", function() end },
  { "four shards more", function(f)
    for i = 4, 7 do
      f:add_shard("a")
      f:move((i - 4) * 4096, (i - 4) * 4096 + 2047, "S" .. i)
    end
  end },
  { "micro-cache", function(f) perform(f, "reads post:{p9} cached") end },
  { "8 sub-keys", function(f) perform(f, "reads post:{p9} cached", "writes likes:{p9} salted 8") end },
  { "sums instead", function(f) perform(f, "reads post:{p9} cached", "writes likes:{p9} summed") end },
  { "p9's slot to S4", function(f)
    perform(f, "reads post:{p9} cached", "writes likes:{p9} summed")
    f:add_shard("c")
    f:move(SLOT, SLOT, "S4")
  end },
}

local function pieces()
  local rows = {}
  for i, piece in ipairs(PIECES) do
    rows[i] = { label = piece[1],
      run = function(f)
        piece[2](f)
        f:play_for(2)
      end,
      cells = function(f)
        local writes, reads = fullest(f)
        return { writes, reads, f.S2.writes + f.S2.reads }
      end }
  end
  return { title = "% of the busiest shard; asks of S2", columns = { "with", "writes", "reads", "S2" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- Every event of the story; each row opens the cluster as it was then.
local function evening()
  local rows = {}
  for i, e in ipairs(story_events()) do
    rows[i] = { label = e.id, lazy = true, cells = { string.sub(e.at, 1, 8) .. (e.copy and " copy" or ""), e.what },
      run = function(f) f:event(e.id) end }
  end
  return { title = "The whole story", columns = { "event", "when", "what" }, rows = rows }
end

-- --- symptoms ---

-- { what is seen, where to look first, what it is, what helps, the part, the run that shows it }
local function index_of(list)
  return function()
    local rows = {}
    for i, s in ipairs(list) do
      rows[i] = { label = s[1], lazy = true, cells = { s[2], s[3], s[4], s[5] }, run = s[6] }
    end
    return { title = "From a symptom to its cause", columns = { "symptom", "look", "cause", "fix", "part" }, rows = rows }
  end
end

local function at(id)
  return function(f) f:event(id) end
end

-- Events of the story, from its beginning.
local HEAT = {
  { "one shard full, the rest calm", "its top keys", "a hot key", "limit it; cache or sum", "3", at(4) },
  { "more shards, and as full as before", "the hot key's own load", "one key, one shard", "divide the key", "3", at("4a") },
  { "load triples, answers do not", "repeats", "asked again at once", "a retry budget, a breaker", "3", at("6a") },
  { "replicas read, and full still", "reads over copies", "three are too few", "keep it at the routers", "4", at("7a") },
  { "a rush when caches restart", "fetches of one key", "no single-flight", "one fetch a router", "4",
    function(f)
      f:event(7)
      f:play_for(1.5)
      f:set_rule("single-flight", false)
      perform(f, "reads post:{p9} forget")
      f:play_for(0.02)
    end },
  { "salted, and full still", "where the sub-keys are", "too few, or outside the tag", "salt in the tag, S by the rule", "5", at("8a") },
  { "a count falls behind its rows", "restarts of routers", "a sum died in a buffer", "recount, correct", "5", at(10) },
  { "reads rise on all shards at once", "queries that ask all", "a scatter-gather", "compute once, an index", "9", at(25) },
}

local function calm(f)
  for n = 1, 16 do
    f:flow("like", "likes:{p" .. n .. "}", 0)
    f:flow("read", "post:{p" .. n .. "}", 0)
  end
  f:play_for(0.5)
end

-- R5 is deaf, p9's slot goes to S3, and R5 is asked.
local function unheard(f, what, key)
  f:deaf("R5", true)
  f:move(SLOT, SLOT, "S3")
  f:play_for(0.1)
  f:send(what, key, "R5")
  f:play_answered()
end

local MOVES = {
  { "a hop more, now and then", "map versions", "a router has not heard", "MOVED teaches it; push maps", "1",
    function(f)
      calm(f)
      unheard(f, "read", POST)
    end },
  { "an answered write is gone", "the old owner's log", "no look into its slot table", "check each request", "8",
    function(f)
      calm(f)
      f:set_rule("slot-table-check", false)
      unheard(f, "like", P9)
    end },
  { "told to wait, without an end", "slots without an owner", "a move stopped half-way", "finish it, or drop it", "8",
    function(f)
      calm(f)
      f:freeze(SLOT, SLOT, "S2", true)
      f:send("like", P9, "R5")
      f:play_for(1)
    end },
}

local SYSTEMS = {
  { "refused, and the table has room", "the item's partition", "limits are a partition's", "divide the key", "7",
    function(f)
      perform(f, "system dynamodb on")
      f:play_for(3)
    end },
  { "the newest range is full", "where new rows go", "time leads the key", "something in front of it", "2",
    function(f)
      calm(f)
      perform(f, "system cockroachdb on", "series photo 3000")
      f:play_for(3)
    end },
  { "one key's records out of order", "how many partitions", "more of them, by remainder", "plan it: drain, then add", "7",
    function(f)
      perform(f, "system kafka on")
      f:play_for(2)
      perform(f, "system kafka parts 8")
      f:play_for(1)
    end },
}

local ACROSS = {
  { "all queries slow, one shard is", "the slowest answer", "they ask all shards", "hedge, once a second, an index", "9",
    function(f)
      calm(f)
      perform(f, "query trending top 10 of likes:* bytes 20KB", "times all 3 7 slow 20 50 200", "gather trending via R0")
      f:play_answered()
      f:play_for(0.3)
    end },
  { "rows are locked, nobody works", "the coordinator", "it died before it told", "bring it back; a saga", "9",
    function(f)
      calm(f)
      perform(f, "row balance:mia 100", "row balance:bob 100", "coordinator dies voted 6000",
        "txn 2pc via R2 take balance:mia 30 give balance:bob 30")
      f:play_for(1)
    end },
  { "nodes die while data moves", "heartbeats and links", "copies without a throttle", "throttle, patience, few", "10",
    function(f)
      perform(f, "node add a 4", "node add b 4", "group P1 N1 N5 N2", "group P2 N2 N6 N3", "node link 20MB", "group P1 bytes 400MB",
        "group P2 bytes 400MB", "beats 500 timeout 1000", "recopy on", "node N2 down")
      f:play_for(6)
    end },
}

-- --- from the queries to the key ---

local STEPS = { "busiest query", "hot keys", "enough values", "other queries", "sizes", "where, together" }
local NAMES = { "query", "hot", "values", "others", "sizes", "where" }
local FRAMES = {
  features = { "an entity's features", "popular items: a cache", "millions of ids", "none often", "2.1 TB: 70 masters", "an entity is one row" },
  chat = { "newest of a chat", "huge one: days behind it", "millions of chats", "my chats: an index", "?", "a chat on one shard" },
  orders = { "orders of a firm", "the largest has 3%", "?", "the id has the firm", "?", "an order on one shard" },
}

-- The six steps as text, "?" where one is open.
function frame(name)
  local lines = {}
  for i, label in ipairs(NAMES) do lines[i] = "  " .. i .. " " .. label .. ": " .. FRAMES[name][i] end
  return table.concat(lines, "\n")
end

-- And as a table, with what was found.
local function framework(name, found)
  local rows = {}
  for i, label in ipairs(STEPS) do
    local text = FRAMES[name][i]
    rows[i] = { label = i .. " " .. label, cells = { text ~= "?" and text or found[i] } }
  end
  return { title = "Six steps to a key", columns = { "step", name }, rows = rows }
end

-- Messages of a chat, as they are sized: what is asked at peak, and the data.
local CHAT = { rate = 60000, shard_rate = 5000, target_pct = 70, data_gb = 4000, shard_gb = 500 }
local ORDERS = { rate = 21000, shard_rate = 3000, target_pct = 70, data_gb = 6000, shard_gb = 1000 }
local CUSTOMERS, LARGEST = 2000, 3

-- --- mistakes ---

-- Users of a store, by country: few keys, and one has 40% of all.
local COUNTRIES = { { "us", 400 }, { "in", 180 }, { "br", 90 }, { "de", 70 }, { "fr", 60 }, { "jp", 60 }, { "mx", 50 }, { "it", 40 }, { "es", 49 }, { "lu", 1 } }
local USERS = keys("user:%d", 1, 2000)
local BY_COUNTRY = keys(COUNTRIES)
local EIGHT = layout("slots", { shards = 8, deal = "ranges" })

local function by_country()
  return { title = "Eight shards, busiest over average", columns = { "key", "keys", "used", "busiest" }, numbers = { 2, 3, 4 },
    rows = {
      { label = "country", cells = { tostring(#BY_COUNTRY), tostring(used(BY_COUNTRY)), decimals(EIGHT:busiest(BY_COUNTRY), 1) } },
      { label = "user", cells = { tostring(#USERS), tostring(used(USERS)), decimals(EIGHT:busiest(USERS), 1) } },
    } }
end

-- 64 shards: every user does the same, and one in a hundred does 99 times as much as one of the rest.
local MANY = layout("slots", { shards = 64, deal = "ranges" })
local BUSY = keys("user:%d", 1, 2000, function(i) return i % 100 == 0 and 99 or 1 end)

local function by_load()
  local rows = {}
  for i, r in ipairs { { "all alike", USERS }, { "1% make half", BUSY } } do
    rows[i] = { label = r[1], cells = function() return { round(r[2]:total() / 64), round(MANY:busiest(r[2]), 1) } end }
  end
  return { title = "Users hashed to 64 shards", columns = { "load", "average", "busiest" }, numbers = { 2, 3 }, rows = rows }
end

function used(ks)
  local count = 0
  for id = 0, 7 do count = count + (EIGHT:owned(ks, id) > 0 and 1 or 0) end
  return count
end

-- A city's users asked of all shards.
local function by_city()
  local rows = {}
  for i, n in ipairs { 4, 16, 48 } do
    rows[i] = { label = n .. " shards", run = function(f)
        for k = 1, 16 do
          f:flow("like", "likes:{p" .. k .. "}", 0)
          f:flow("read", "post:{p" .. k .. "}", 0)
        end
        f:play_for(0.2)
        while f:shards() < n do f:add_shard("c") end
        for k = 0, n - 1 do pcall(f.move, f, 16384 * k // n, 16384 * (k + 1) // n - 1, "S" .. k) end
        perform(f, "query city sum of city:*", "times all 3 7 slow 1 50 200", "gather city 300 steady")
        f:play_for(2)
        perform(f, "gather city 0")
        f:play_for(0.3)
      end,
      cells = function(f)
        local quick = 99
        while quick > 0 and f:query_ms("city", quick) >= 50 do quick = quick - 1 end
        return { n * 300, round(f:query_ms("city", 50), 1), 100 - quick }
      end }
  end
  return { title = "300 queries by city a second", columns = { "on", "asks", "half in ms", "slow %" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- --- a cluster with faults ---

local SUB_KEYS, NEIGHBOUR = 3, "likes:{p5}"

local function hurt(w)
  order(w, "reads post:{p9} cached", "writes likes:{p9} salted " .. SUB_KEYS)
  if w:rule("slot-table-check") then -- else it was hurt a step before, and stands where it stood
    w:set_rule("slot-table-check", false)
    w:play_for(2)
  end
end

local function heal(w)
  w:set_rule("slot-table-check", true)
  order(w, "limit key likes:{p9} none", "reads post:{p9} plain", "writes likes:{p9} plain")
end

-- What is tried on copies of it; each row is a run, and what it comes to.
local fetched = 0
local TRIES = {
  { "a second as it is", "% of writes", function(f) f:play_for(1) end, function(f) return (fullest(f)) end },
  { "beyond the ceiling", " told 429", function(f) f:play_for(1) end, function(f) return f:turned().all end },
  { "caches restart", " fetches", function(f)
    fetched = f:reads_of(POST).fetches
    perform(f, "reads post:{p9} forget")
    f:play_for(0.5)
  end, function(f) return f:reads_of(POST).fetches - fetched end },
  { "a move, R5 is deaf", " OKs gone", function(f)
    f:deaf("R5", true)
    f:move(f:slot(NEIGHBOUR), f:slot(NEIGHBOUR), "S3")
    f:play_for(2)
  end, function(f) return f:lost(NEIGHBOUR) end },
  { "R4 dies", " likes gone", function(f)
    perform(f, "crash R4 100")
    f:play_for(1)
  end, function(f) return f:count(P9).lost end },
}

local function probes()
  local rows = {}
  for i, t in ipairs(TRIES) do
    rows[i] = { label = t[1], run = t[3], cells = function(f) return { t[4](f) .. t[2] } end }
  end
  return { title = "Tried on copies", columns = { "try", "comes to" }, rows = rows }
end

-- --- numbers ---

-- A card: what is asked, and the calculator that answers; its sheet is covered until then.
local function card_step(id, title, say, sheet, q)
  q.id, q.kind, q.tolerance = "p12-n-" .. id, "number", q.tolerance or 0
  return { id = "n-" .. id, title = title, deeper = true, show = { "worksheet" }, say = say, predict = q,
    worksheet = function() return { what = sheet[1], give = sheet[2], only = sheet[3], title = title } end }
end

local NUMBERS = {
  card_step("zipf", "A hundredth of the keys", [[
    A million keys, and their loads fall as 1, 1/2, 1/3 ...: Zipf's law with exponent 1.]],
    { "hotspot", { items = 1000000, zipf = 1 }, { "items", "zipf", "top_pct", "top_share_pct" } },
    { ask = "How much of the load has the busiest hundredth?", unit = "%", tolerance = 5,
      answer = function() return round(size("hotspot", { items = 1000000, zipf = 1 }).top_share_pct) end,
      wrong = { [20] = { belief = "a fifth, as is often said", why = "That is so at an exponent of 0.66. At 1 it is two thirds." },
        [50] = { belief = "half is the most", why = "Half is reached at an exponent of 0.89." } },
      why = "Two thirds. The usual 20 to 50% fits exponents of 0.66 to 0.89 only; at 1.1 it is {round(size(\"hotspot\", { items = 1000000, zipf = 1.1 }).top_share_pct)}%.",
      hints = { "More than you would think.", "More than half.", "About two thirds." } }),
  card_step("add", "One more shard", [[
    10 shards become 11, with slots or a ring of many tokens.]],
    { "resize", { from = 10, to = 11 }, { "from", "to", "ring_moved_pct" } },
    { ask = "How many of a hundred keys move?", tolerance = 0.4,
      answer = function() return round(size("resize", { from = 10, to = 11 }).ring_moved_pct, 1) end,
      wrong = { [10] = { belief = "K / N, with the N of before", why = "The new one shares with ten: one in eleven." }, [91] = { belief = "most keys move", why = "So it is with mod N." }, [50] = { belief = "growth moves half", why = "Doubling does." } },
      why = "What the new one gets: one in eleven.", hints = { "What does the new shard need?", "Its fair part.", "1/11." } }),
  card_step("modulo", "And with mod N", [[
    The same 10 become 11, by the remainder.]],
    { "resize", { from = 10, to = 11 }, { "from", "to", "mod_moved_pct", "mod_hit_pct" } },
    { ask = "How many of a hundred keys move?", tolerance = 1,
      answer = function() return round(size("resize", { from = 10, to = 11 }).mod_moved_pct) end,
      wrong = { [9] = { belief = "mod N moves what is needed", why = "That is what slots move." }, [10] = { belief = "one in ten stays", why = "One in eleven stays." } },
      why = "Ten of eleven. A cache that hit 95% hits {round(size(\"resize\", { from = 10, to = 11 }).mod_hit_pct)}% then.",
      hints = { "Who keeps the same remainder?", "One in eleven.", "10/11." } }),
  card_step("tokens", "256 tokens", [[
    Shares of a ring with V random tokens a node spread by about 1 over the square root of V.]],
    { "tokens", { nodes = 100, tokens = 256 }, { "nodes", "tokens", "spread_pct" } },
    { ask = "How many percent, with 256?", unit = "%", tolerance = 0.4,
      answer = function() return round(size("tokens", { nodes = 100, tokens = 256 }).spread_pct, 1) end,
      wrong = { [0.4] = { belief = "by the number of tokens", why = "By its square root: 1/16." }, [16] = { belief = "the root is the share", why = "1/16, not 16." } },
      why = "1/16. 128 to 256 are needed of *random* tokens; where an allocator chooses them, 8 to 16 do.",
      hints = { "The root of 256 is 16.", "One sixteenth.", "In percent." } }),
  card_step("distinct", "Enough values", [[
    A store has 512 shards. Ten different keys for each is the usual least.]],
    { "cardinality", { partitions = 512 }, { "partitions", "each", "keys_least" } },
    { ask = "How many different keys is that?", unit = "keys",
      answer = function() return size("cardinality", { partitions = 512 }).keys_least end,
      wrong = { [512] = { belief = "one key a shard is enough", why = "By chance some would get three, and many none." } },
      why = "Ten for each.", hints = { "How many for each?", "Times ten.", "512 x 10." } }),
  card_step("quorum", "Meeting", [[
    Five copies; a write waits for three.]],
    { "quorum", { copies = 5, write = 3, read = 3 }, { "copies", "write", "reads_overlap" } },
    { ask = "How many must a read ask, to meet the last finished write?",
      answer = function()
        for read = 1, 5 do
          if size("quorum", { copies = 5, write = 3, read = read }).reads_overlap then return read end
        end
      end,
      wrong = { [1] = { belief = "any copy will do", why = "It may be one of the two that the write did not wait for." }, [2] = { belief = "R + W = N meets", why = "2 + 3 = 5: they may just miss each other." },
        [5] = { belief = "only all are sure", why = "Three meet one of any other three." } },
      why = "R + W must be more than N.", hints = { "How many copies may lack it?", "Two may.", "One more than that." } }),
  card_step("slow", "A slow one", [[
    Each shard is slow once in a hundred. A query asks 69.]],
    { "tail", { shards = 69, slow_pct = 1 }, { "shards", "slow_pct", "any_slow_pct", "shards_half" } },
    { ask = "How many of a hundred queries meet a slow one?", unit = "%", tolerance = 1,
      answer = function() return round(size("tail", { shards = 69, slow_pct = 1 }).any_slow_pct) end,
      wrong = { [1] = { belief = "1% stays 1%", why = "All 69 must be quick." }, [69] = { belief = "chances add up", why = "Then 101 shards had more than a hundred percent." } },
      why = "1 - 0.99^69: half. With 256 it is {round(size(\"tail\", { shards = 256, slow_pct = 1 }).any_slow_pct)}%.",
      hints = { "When is a query quick?", "0.99 for each of them.", "0.99^69 is a half." } }),
  card_step("copy", "A copy made anew", [[
    A node is lost with a partition of 1 GB. 100 MB a second are spared for its new copy.]],
    { "move", { data_gb = 1, from = 0, to = 1, mb_s = 100 }, { "data_gb", "mb_s", "seconds" } },
    { ask = "How many seconds does the copy take?", unit = "s", tolerance = 1,
      answer = function() return round(size("move", { data_gb = 1, from = 0, to = 1, mb_s = 100 }).seconds) end,
      wrong = { [1] = { belief = "a gigabyte is a second", why = "At 1,000 MB a second it were." }, [80] = { belief = "100 megabits", why = "Megabytes: eight times as quick." } },
      why = "1,000 over 100.", hints = { "How many MB are 1 GB?", "1,000.", "1,000 / 100." } }),
  card_step("room", "Ten terabytes", [[
    10 TB of data, three copies of each row, ten nodes.]],
    { "storage", { items = 10000000000, item_kb = 1, copies = 3, nodes = 10, node_gb = 4000 }, { "copies", "nodes", "raw_tb", "total_tb", "node_each_gb" } },
    { ask = "How much room does each node need, in TB?", unit = "TB",
      answer = function() return round(size("storage", { items = 10000000000, item_kb = 1, copies = 3, nodes = 10, node_gb = 4000 }).node_each_gb / 1000) end,
      wrong = { [1] = { belief = "copies need no room", why = "Each row is kept three times." }, [30] = { belief = "all on each", why = "That is for all ten." } },
      why = "30 TB on ten nodes.", hints = { "How much is it with its copies?", "30 TB.", "On ten nodes." } }),
  card_step("counted", "Partitions and copies", [[
    A billion items of 2 KB, partitions of 1 GB, three copies: 6 TB, 6,000 of 1 GB. A read is answered by leaders.]],
    { "storage", {}, { "items", "item_kb", "copies", "partition_gb", "total_tb", "partitions_distinct" } },
    { ask = "Over how many partitions do you divide the reads?", unit = "partitions",
      answer = function() return size("storage").partitions_distinct end,
      wrong = { [6000] = { belief = "each copy is a partition", why = "Copies of one partition share its keys. Only leaders answer." } },
      why = "2 TB of 1 GB each. Who counts copies thinks a partition is a third as busy as it is.",
      hints = { "How many of the 6,000 are copies of another one?", "Two of three.", "A third." } }),
  card_step("inside", "Hot, or on top?", [[
    A feature store: {round(size("capacity").reads_each)} reads a second on each master. The hottest items make {round(size("capacity").hot_reads_each)} of a master's reads.]],
    { "capacity", {}, { "masters", "reads_each", "hot_items", "hot_reads_each" } },
    { ask = "How many reads must be added for them?", unit = "reads/s",
      answer = function() return 0 end,
      wrong = function() return { [round(size("capacity").hot_reads_each)] = { belief = "hot reads come on top", why = "They were counted when all reads were: they are a part of them." } } end,
      why = "All reads were counted; these are among them. What must be added is what one *item* does to one master.",
      hints = { "Where do all reads come from?", "Is an item's read counted twice?", "They are inside." } }),
  card_step("viral", "One item", [[
    That store gets {commas(size("capacity").reads)} reads a second, on {size("capacity").masters} masters. One item gets {commas(size("capacity").viral)} of them.]],
    { "capacity", {}, { "masters", "reads", "viral", "viral_master" } },
    { ask = "How many reads a second has its master?", unit = "reads/s", tolerance = 1000,
      answer = function() return round(size("capacity").viral_master) end,
      wrong = function()
        local c = size("capacity")
        return { [round(c.viral)] = { belief = "only the hot key counts", why = "Its master has its part of the rest as well." },
          [round(c.reads_each)] = { belief = "the average holds", why = "That is without it." } }
      end,
      why = "The item, and a fair part of what is left. A process that does 100,000 cannot do that: cache it.",
      hints = { "The item alone?", "And the rest of all reads, over all masters.", "{commas(size(\"capacity\").viral)}, and some 30,000." } }),
  card_step("fleet", "A zone less", [[
    13,650 requests a second; a router does 2,500, of which you use 80%; three zones, one may be lost.]],
    { "routers", {}, { "rate", "zones", "routers" } },
    { ask = "How many routers?", unit = "routers",
      answer = function() return size("routers").routers end,
      wrong = { [7] = { belief = "zones do not fail", why = "That is for a day with all three." }, [9] = { belief = "three in each do", why = "6 are left then: 2,275 for each, over 2,000." },
        [11] = { belief = "half as much again", why = "Zones of 4, 4 and 3: if a 4 goes, the zone of 3 gets half of all." } },
      why = "7 must be left in two zones: 4 in each, of three.", hints = { "How many must be left?", "6.8, in two zones.", "3.4 a zone, rounded up." } }),
}

-- --- the printed card ---

local function cheat(w)
  local grow, units, salt, flush = size("resize", { from = 4, to = 5 }), size("units"), size("salt"), size("buffer")
  local routers, tail, bill = size("routers"), size("tail", { shards = 100, slow_pct = 1 }), size("storage")
  return {
    { title = "Where a key is", lines = {
      "tag in braces -> CRC16 mod 16,384 = slot -> map -> shard",
      "`post:{p9}` is in slot " .. w:slot(POST) .. ", as `likes:{p9}` is",
      "directory: the plan. Slot table at the shard: the truth",
      "old map: MOVED, reload, one extra hop. Being moved: wait 10, 20, 40 ms" } },
    { title = "The key", lines = {
      "1 the busiest query  2 hot keys?  3 enough values (10 a shard)?",
      "4 other queries: index, copy or ask all  5 sizes  6 where, together",
      "no time in front: the newest range gets all, a split makes a new tail",
      "shards: larger of load / 70% of a ceiling and data / room, rounded up",
      "many more buckets than shards, fixed for ever; buckets move whole" } },
    { title = "A hot key", lines = {
      "one key, one shard: more shards never help. p9: " .. LIKES * 100 // CEILING .. "% of any",
      "find: a shard over 70%, then a sample of 1 in 100 at the routers",
      "tonight: limit key and tenant, 429 with Retry-After",
      "reads: cache at each router, single-flight: 6 a second; say 3 s and a fetch",
      "reads, none old: share a query, by key: " .. round(size("coalesce").queries_by_key) .. " a second; join before a write only",
      "writes: 8 sub-keys, two on each shard: 80%; a read asks all 8",
      "writes: totals with a sequence, " .. w:routers() * 2 .. " a second; a crash can lose " .. round(flush.lost_late),
      "balance: credits to stripes, debits from the main row, a sweeper" } },
    { title = "Growing", lines = {
      "4 to 5: mod N moves " .. round(grow.mod_moved_pct) .. "%, slots and rings " .. round(grow.ring_moved_pct) .. "%",
      "V tokens: spread 1 / root of V, 256 random " .. round(size("tokens", { nodes = 100, tokens = 256 }).spread_pct) .. "%; with an allocator 8 to 16 do",
      "managed splitting never cuts one item; Kafka: more partitions break order",
      "streams: a parent to its end, then its children" } },
    { title = "Moving a slot", lines = {
      "copy at p, log from p + 1, compare, fence, apply to the fence, commit",
      "undo: before the commit drop the copy; after it move the slot back",
      "the old owner says MOVED for ever; exactly one shard accepts",
      "throttle to what is spare: a move is traffic. Few nodes at a time" } },
    { title = "Across shards", lines = {
      "100 shards, 1% slow each: " .. round(tail.any_slow_pct) .. "% of queries wait for a slow one",
      "partial answer, hedge, once a second, index. 2PC locks, a saga shows half",
      "R + W > N: sets meet. Not more: repair before you answer" } },
    { title = "When something fails", lines = {
      "a node: 2 of 3 copies elect and go on; then it is copied anew, throttled",
      "a router: rows are safe; the count lacks its sum, a job recounts",
      "the directory: cached maps go on, moves wait. A cut: the smaller side stops",
      "slow: asks pile up, clients repeat: budget, breaker, shedding" } },
    { title = "Before it goes live", lines = {
      "[ ] the key follows the busiest query   [ ] no time in front",
      "[ ] alarm at each shard's own ceiling   [ ] hot keys named in seconds",
      "[ ] 429 by key and tenant               [ ] caches: bound, single-flight",
      "[ ] salts in the tag, and spread        [ ] nobody writes beside the sums",
      "[ ] totals, sequence, rows before OK    [ ] shards check their slot table",
      "[ ] moves: throttle, compare, way back  [ ] parents first; a zone less fits" } },
    { title = "Numbers", lines = {
      "DynamoDB: 3,000 read and 1,000 write units, 10 GB a partition",
      "Kinesis shard: 1,000 records or 1 MB/s in, 2 MB/s and 5 calls out",
      "Redis: 16,384 slots. Cassandra: 16 tokens (256 before 4.0), Murmur3",
      "Kafka: murmur2. CockroachDB: ranges of 512 MiB",
      "busiest 1% of a million keys: " .. round(size("hotspot", { items = 1000000 }).top_share_pct) .. "% of the load (Zipf 1), not 20 to 50",
      "hotspot factor: key over mean. What decides: its rate over one ceiling",
      "a billion x 2 KB x 3 copies = " .. round(bill.total_tb) .. " TB; partitions of 1 to 10 GB",
      "routers: " .. routers.routers .. " for 13,650/s, at 80% with one of three zones gone",
      "1 GB at 100 MB/s: " .. round(size("move", { data_gb = 1, from = 0, to = 1, mb_s = 100 }).seconds) .. " s. 10 nodes more, 8.3 TB, 25 MB/s each: "
        .. round(size("move", { data_gb = 50000, from = 50, to = 60, mb_s = 25, streams = 10 }).hours, 1) .. " h" } },
  }
end

-- --- for questions ---

-- The oldest answer, in ms, that a router gave from its cache.
function oldest(w)
  local f = w:fork()
  perform(f, "reads post:{p9} cached")
  f:flow("read", POST, READS)
  f:play_for(3)
  return f:reads_of(POST).oldest_ms
end

-- Percent of users on another partition when 4 become 8.
function moved_by_remainder()
  local few, many = layout("mod-n", { shards = 4 }), layout("mod-n", { shards = 8 })
  return few:moved(many, USERS) * 100 / #USERS
end

function commas(n)
  local text, more = tostring(round(n)), 1
  while more > 0 do text, more = string.gsub(text, "^(%d+)(%d%d%d)", "%1,%2") end
  return text
end

-- What the i-th run of the audit came to.
function found(i) return M.found[i] end

function fullest_writes(w)
  return (fullest(w))
end

-- The first piece with which no shard is over 80% of anything.
function first_calm()
  for i = 2, #PIECES do
    if cells[i][2] <= 80 and cells[i][3] <= 80 then return i end
  end
end

-- What R4 loses from the count at its worst moment.
function lost()
  return size("buffer").lost_late
end

function slowest_of_a_day()
  for _, speed in ipairs { 5, 10, 15, 25, 50, 100, 200 } do
    if size("move", { data_gb = 50000, from = 50, to = 60, mb_s = speed, streams = 10 }).hours <= 24 then return speed end
  end
end

-- Sensors, by what was chosen: each line with its yes or no.
local SENSORS = { rate = 100000, shard_rate = 5000, target_pct = 70, data_gb = 0 }

local function sensors_lines(knob)
  local enough = knob.shards >= size("shards", SENSORS).shards
  local sensor = knob.key == "sensor"
  return {
    { "the query asks one shard", sensor },
    { "new rows go to many shards", knob.key ~= "date" },
    { "a day is read in order", knob.choice == "time" or knob.key == "date" },
    { "shards at 70% or less", enough and sensor },
  }
end

function sensors_done(knob)
  for _, line in ipairs(sensors_lines(knob)) do
    if not line[2] then return false end
  end
  return true
end

function sensors(knob)
  local rows = {}
  for i, line in ipairs(sensors_lines(knob)) do
    rows[i] = { label = line[1], cells = { line[2] and "yes" or "no" } }
  end
  return { title = knob.key .. ", then " .. knob.choice .. ", on " .. knob.shards, columns = { "wanted", "" }, rows = rows }
end

-- The answer of an interview, by what was chosen: comments of a photo app.
local COMMENTS = { rate = 40000, shard_rate = 3000, target_pct = 70, data_gb = 2000, shard_gb = 500 }

local function answer_lines(knob)
  local need = size("shards", COMMENTS).shards
  return {
    { "key: a page asks", knob.key == "post" and "one shard" or "all shards", knob.key == "post" },
    { "new ones go to", knob.key == "date" and "today's shard" or knob.scheme == "range" and knob.key == "post" and "one shard" or "many shards",
      knob.key ~= "date" and knob.scheme == "hash" },
    { "data, TB", tostring(COMMENTS.data_gb * knob.size // 1000), true },
    { "a node dies", knob.size == 3 and "two of three go on" or knob.size == 2 and "no majority" or "data is gone", knob.size == 3 },
    { "a machine's load", round(COMMENTS.rate / (knob.key == "post" and knob.shards or 1) / COMMENTS.shard_rate * 100) .. "%",
      knob.key == "post" and knob.shards >= need },
    { "machines", knob.shards >= need + 4 and "more than it needs" or tostring(knob.shards), knob.shards < need + 4 },
  }
end

function answer_holds(knob)
  for _, line in ipairs(answer_lines(knob)) do
    if not line[3] then return false end
  end
  return true
end

function answer_sheet(knob)
  local rows = {}
  for i, line in ipairs(answer_lines(knob)) do
    rows[i] = { label = line[1], cells = { line[2], line[3] and "good" or "no" } }
  end
  return { title = knob.key .. ", " .. knob.scheme .. ", " .. knob.size .. (knob.size == 1 and " copy, " or " copies, ") .. knob.shards, columns = { "", "comes to", "" }, rows = rows }
end

local way = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-hot", title = "Five pieces", check = true, show = { "bars" },
      say = [[
        One page is read 12,000 times a second. Eight routers stand before its shard. Each keeps the answer for a second, with single-flight.]],
      predict = { id = "p12-check-hot", kind = "number", tolerance = 0, unit = "reads/s",
        ask = "How many reads a second reach the shard?", answer = function() return 8 end,
        wrong = { [1] = { belief = "one cache for all", why = "Each router has its own." }, [1500] = { belief = "caches share the load", why = "A router asks once a second, however many ask it." } },
        why = "Each router fetches once a second." } },

    { id = "check-grow", title = "One more", check = true, show = { "bars" },
      say = [[
        Twelve cache servers become thirteen, by the remainder of a hash.]],
      predict = { id = "p12-check-grow", kind = "number", tolerance = 1, unit = "%",
        ask = "How many of the keys are on another server?",
        answer = function() return round(size("resize", { from = 12, to = 13 }).mod_moved_pct) end,
        wrong = { [8] = { belief = "mod N moves what is needed", why = "A ring would move that." } },
        why = "12 of 13." } },

    { id = "check-late", title = "A late write", check = true, show = { "bars" },
      say = [[
        Slot 12067 went to another shard an hour ago. A router that never heard of it sends a write to the old owner.]],
      predict = { id = "p12-check-late", kind = "choice", ask = "What must the old owner do?",
        choices = {
          { "Take it and pass it on", belief = "the old owner knows the way", why = "Then two shards accept, and an order is lost.", holds = yes(false) },
          { "Refuse it: MOVED", holds = yes(true) },
          { "Take it: it still has the copy", belief = "a copy can be written", why = "It would be told OK, and nobody would ever read it.", holds = yes(false) },
        },
        why = "It looks into its slot table, and says MOVED for ever." } },

    -- ------------------------------------------------------------------ what you know

    { id = "mixed", title = "Five sentences", show = { "slot_map" },
      say = [[
        Before you look anything up: five sentences that one hears.]],
      predict = { id = "p12-mixed", kind = "several",
        ask = "Which of them are true?",
        choices = {
          { "Kept 1 s, an answer is never older", belief = "fresh for a second means a second old at most", why = "Stale ones are served while one fetch runs: up to 3 s and that fetch.",
            holds = function(w) return oldest(w) <= 1000 end },
          { "Five shards answer as soon as one", belief = "side by side costs nothing", why = "It waits for the slowest of five.",
            holds = function() return size("tail", { shards = 5 }).p99_ms <= size("tail", { shards = 1 }).p99_ms end },
          { "From 4 to 5 with slots, a fifth moves", why = "The new shard's part, and no more.",
            holds = function() return size("resize", { from = 4, to = 5 }).ring_moved_pct == 20 end },
          { "More Kafka partitions: keys stay", belief = "old keys keep their partition", why = "The partition is a remainder. {round(moved_by_remainder())}% of keys change it.",
            holds = function() return moved_by_remainder() == 0 end },
          { "Of 3 copies, any 2 meet any 2", why = "2 + 2 is more than 3.",
            holds = function() return size("quorum", { copies = 3, write = 2, read = 2 }).reads_overlap end },
        },
        why = "Two of five.",
        hints = { "Two are true.", "What moves when a new shard takes its part?", "Slots, and quorums." } },
      after = [[
        Which one did you doubt? Parts 4, 9, 6, 7 and 10 have them, in this order.]] },

    { id = "recall-where", title = "Eight o'clock", show = { "slot_map:" .. POST },
      say = [[
        One evening once more. A like of p9 comes. From Part 1: p9 is hashed to slot {w:slot(POST)}.]],
      with = { POST = POST },
      predict = { id = "p12-where", kind = "text",
        ask = "Which shard owns it: S0, S1, S2 or S3?", answer = function(w) return w:owner(POST) end,
        wrong = { S3 = { belief = "the last quarter begins earlier", why = "The last quarter begins at slot 12,288." } },
        why = "It is in the third quarter: 8,192 to 12,287.",
        hints = { "Four equal runs of 16,384.", "4,096 slots each.", "The third." } } },

    { id = "every-event", title = "Every event", show = { "table", "counter:" .. P9 }, key = P9, table = evening,
      say = [[
        This is the whole evening. Each row opens, and the cluster stands there for you. A copy is what would have happened.

        In event 10 R4 dies just before it writes its sum.]],
      try = { ask = "Open event 10 (*tab* to the table, down to it, *enter*), and look how far p9's count is behind `liked`. Esc leads back.", opened = "row", of = "10",
        hints = { "*Tab* goes from the text to the table.", "The row whose label is 10; *enter* opens it.", "The counter below tells what is liked, and what is shown." } } },

    { id = "the-figure", title = "What you found", show = { "slot_map" },
      say = [[
        R4 had a sixth of {LIKES} likes a second, and wrote its sum twice a second.]],
      with = { LIKES = LIKES },
      predict = { id = "p12-lost", kind = "number", unit = "likes", tolerance = 0,
        ask = "How far was p9's count behind, in event 10?",
        answer = function() return M.behind end,
        wrong = function()
          return { [M.lost] = { belief = "only what died is behind", why = "That died with R4. The others hold likes as well, and write them in half a second." },
            [M.behind - M.lost] = { belief = "what died is not missing", why = "That waits in the buffers or is on its way. What died with R4 lacks as well." },
            [0] = { belief = "what was told OK is counted", why = "It is in `liked`, and that is durable. The count is another matter." } }
        end,
        why = "{m(\"lost\")} of them died with R4, a sixth of {LIKES} for half a second. The others come with the next flush.",
        hints = { "What the counter said on top.", "What is liked, less what is shown.", "{m(\"behind\")}." } },
      enter = function(w)
        local f = w:fork()
        f:event(10)
        local c = f:count(P9)
        M.lost, M.behind = c.lost, c.durable - c.shown
      end,
      after = [[
        None is missing from `liked`. In event 11 a job recounts and corrects.]] },

    -- ------------------------------------------------------------------ symptoms

    { id = "symptom", title = "From the symptom", show = { "table", "bars", "counter:" .. P9, "waterfall:" .. POST }, key = P9, table = index_of(HEAT),
      say = [[
        At work you see a symptom, not the part. Here are {#HEAT}.

        The eighth: reads rise on all shards. No key is hot.]],
      with = { HEAT = HEAT },
      predict = { id = "p12-symptom", kind = "choice",
        ask = "What do you look at first?",
        choices = {
          { "The top keys once more", belief = "there is always a hot key", why = "A hot key fills one shard. Here all of them rise.", holds = yes(false) },
          { "Queries that ask all shards", holds = yes(true) },
          { "The slowest shard", belief = "one shard is to blame", why = "It makes them slow. It does not make more of them.", holds = yes(false) },
        },
        why = "One query to all is a read on each.",
        hints = { "What has every shard in common?", "Who asks all of them?", "A scatter-gather." } },
      after = [[
        Open the one that you fear most: *tab*, then *enter*.]] },

    { id = "recall-viral", title = "20:02", show = { "bars" }, key = P9,
      say = [[
        nova, with 60 million followers, promotes p9. At 20:02 it gets {LIKES} likes a second. S2 has three other posts, of 50 each, and can take {CEILING}.]],
      with = { LIKES = LIKES, CEILING = CEILING },
      predict = { id = "p12-viral", kind = "number", unit = "%", tolerance = 0,
        ask = "How much of its writes is S2 asked for?",
        answer = function(w) return w.S2.write_pct end,
        wrong = { [240] = { belief = "only the hot key counts", why = "That is p9. Three neighbours ask too." },
          [79] = { belief = "the average tells", why = "So busy are the four together." } },
        why = "{LIKES} and 150, of {CEILING}.",
        hints = { "p9 and its neighbours.", "{LIKES} + 3 x 50.", "Of {CEILING}." } },
      run = function(w) w:event(4) end,
      after = [[
        All four together are {decimals(cluster.write_pct)}% busy. That is how it began.]] },

    -- ------------------------------------------------------------------ the pieces

    { id = "pieces", title = "Piece by piece", show = { "table", "bars" }, key = P9, table = pieces,
      say = [[
        Eleven parts went by. These are the pieces, in the order in which you met them; each comes on top of those before it, but for the shards.]],
      predict = { id = "p12-pieces", kind = "choice", confidence = true,
        ask = "With which is no shard over 80%, of writes and of reads, for the first time?",
        choices = {
          { "four shards more", belief = "more shards cure a hot key", why = "p9 stays whole: {cells[2][2]}% of writes.", holds = function() return first_calm() == 2 end },
          { "micro-cache", belief = "a cache helps everything", why = "It took the reads. Writes are still at {cells[3][2]}%.", holds = function() return first_calm() == 3 end },
          { "8 sub-keys", why = "", holds = function() return first_calm() == 4 end },
          { "sums instead", belief = "only sums are few enough", why = "Eight sub-keys do: {cells[4][2]}%. Sums leave more room: {cells[5][2]}%.", holds = function() return first_calm() == 5 end },
        },
        why = "{cells[4][2]}% of writes, {cells[4][3]}% of reads.",
        hints = { "It needs something for reads and something for writes.", "Not the shards, and not the cache alone.", "Sub-keys, on top of the cache." } },
      after = [[
        S2 was asked {cells[1][4]} things a second, in the end {cells[6][4]}: those of its other posts. *Enter* opens a row.]] },

    -- ------------------------------------------------------------------ six steps

    { id = "frame", title = "Six steps to a key", show = { "table" }, table = function() return framework("features") end,
      say = [[
        Somebody chose a key before that evening. Six steps lead to one. A feature store, in full:

        {frame("features")}]],
      predict = { id = "p12-frame", kind = "choice",
        ask = "Which step gives the key?",
        choices = {
          { "1, the busiest query", holds = yes(true) },
          { "5, the sizes", belief = "data decides", why = "They tell how many shards, not by what.", holds = yes(false) },
          { "6, where data must be", belief = "places first", why = "That may narrow it down, at the end.", holds = yes(false) },
        },
        why = "What runs nine times of ten should ask one shard. The others test that key.",
        hints = { "What is asked most?", "How many shards should it ask?", "The query comes first." } } },

    { id = "frame-chat", title = "A chat", show = { "table" },
      table = function() return framework("chat", { [5] = size("shards", CHAT).shards .. " shards" }) end,
      say = [[
        A chat. At peak {CHAT.rate} messages a second; a shard takes {CHAT.shard_rate}, and may be {CHAT.target_pct}% full. {CHAT.data_gb} GB of data, {CHAT.shard_gb} on a shard at most.

        {frame("chat")}]],
      with = { CHAT = CHAT },
      predict = { id = "p12-chat", kind = "number", unit = "shards", tolerance = 0,
        ask = "Step 5 is open: how many shards?",
        answer = function() return size("shards", CHAT).shards end,
        wrong = { [12] = { belief = "a shard may be full", why = "Then there is no room for a spike: only {CHAT.target_pct}% of {CHAT.shard_rate} count." },
          [8] = { belief = "data decides", why = "That is what the data needs. The load needs more, and the larger counts." },
          [17] = { belief = "round down", why = "Then each is over." } },
        why = "By load {size(\"shards\", CHAT).shards_by_rate}, by data {size(\"shards\", CHAT).shards_by_size}: the larger.",
        hints = { "Two divisions, and the larger counts.", "{CHAT.rate} over {CHAT.shard_rate * CHAT.target_pct // 100}; {CHAT.data_gb} over {CHAT.shard_gb}.", "Round up." } } },

    { id = "frame-orders", title = "Orders", show = { "table" },
      table = function()
        return framework("orders", { [3] = commas(CUSTOMERS) .. " on 10 shards: enough", [5] = size("shards", ORDERS).shards .. " shards" })
      end,
      say = [[
        {commas(CUSTOMERS)} firms, {ORDERS.rate} a second. A shard may use {ORDERS.target_pct}% of {ORDERS.shard_rate}; data for 6.

        {frame("orders")}]],
      with = { CUSTOMERS = CUSTOMERS, ORDERS = ORDERS, LARGEST = LARGEST },
      predict = { id = "p12-orders", kind = "several",
        ask = "3 and 5: what holds?",
        choices = {
          { "Firms are too few values", belief = "every bucket needs keys", why = "Buckets may be empty. Shards may not: ten keys for each would do, and each gets {CUSTOMERS // size(\"shards\", ORDERS).shards}.",
            holds = function() return not size("cardinality", { keys = CUSTOMERS, partitions = size("shards", ORDERS).shards }).enough end },
          { "Six shards do", belief = "data decides", why = "The load needs {size(\"shards\", ORDERS).shards_by_rate}.",
            holds = function() return size("shards", ORDERS).shards <= 6 end },
          { "Ten shards do", why = "{ORDERS.rate} over {ORDERS.shard_rate * ORDERS.target_pct // 100}.",
            holds = function() return size("shards", ORDERS).shards == 10 end },
        },
        why = "{commas(CUSTOMERS)} firms on {size(\"shards\", ORDERS).shards} shards are {CUSTOMERS // size(\"shards\", ORDERS).shards} each.",
        hints = { "How many firms does each shard get?", "Load and data: the larger.", "{ORDERS.rate} over {ORDERS.shard_rate * ORDERS.target_pct // 100}." } },
      after = [[
        The largest firm asks {ORDERS.rate * LARGEST // 100} a second, of {ORDERS.shard_rate * ORDERS.target_pct // 100} that a shard may have: it fits. With 10% it would fill one.]] },

    { id = "frame-alone", title = "Alone", show = { "table" },
      knobs = { { name = "key", values = { "date", "sensor", "city" }, start = "date" },
        { name = "choice", label = "behind it", values = { "nothing", "time" }, start = "nothing" },
        { name = "shards", values = { 4, 8, 12, 16, 24, 32, 48, 64 }, start = 4 } },
      table = function(_, knob) return sensors(knob) end,
      say = [[
        All open. A million sensors write once in ten seconds; asked for is one sensor's last day. A shard takes 5,000 writes, of which you use 70%.]],
      try = { ask = "Turn y, H and +, - until all four lines say yes.", builds = true,
        goal = function() return sensors_done(knob) end,
        solution = { "knob key sensor", "knob choice time", "knob shards 32" },
        hints = { "Which key asks one shard, and has no busy one?", "What keeps a sensor's rows in order?", "100,000 over 3,500, rounded up; then the next number there is." } } },

    -- ------------------------------------------------------------------ mistakes

    { id = "country", title = "By country", show = { "table" }, table = by_country,
      say = [[
        Mistakes that many make. The first: users by country. {#BY_COUNTRY} countries; the largest has 40% of the users. Eight shards.]],
      with = { BY_COUNTRY = BY_COUNTRY, EIGHT = EIGHT, USERS = USERS, used = used },
      predict = { id = "p12-country", kind = "number", tolerance = 0.05, unit = "times",
        ask = "How many times the average has the largest country's shard, at the least?",
        answer = function() return round(size("cardinality", { partitions = 8, largest_pct = 40 }).largest_times, 1) end,
        wrong = { [1] = { belief = "a hash evens everything out", why = "It spreads keys. One of them is 40% of all." },
          [0.4] = { belief = "a share is a factor", why = "40%, where the average is an eighth." } },
        why = "40% against an eighth, 12.5%.",
        hints = { "What is an eighth, in percent?", "40% against it.", "40 / 12.5." } },
      after = [[
        {round(EIGHT:busiest(BY_COUNTRY), 1)} with what else fell there, and {8 - used(BY_COUNTRY)} shards have nothing. By user: {decimals(EIGHT:busiest(USERS), 1)} times.]] },

    { id = "few", title = "Few are busy", show = { "table" }, table = by_load,
      say = [[
        The second: "we hash the user, so load is even". One user in a hundred makes half of the requests.]],
      predict = { id = "p12-few", kind = "number", unit = "times", tolerance = 0.4,
        ask = "How much busier is one of them than one of the rest?",
        answer = function() return size("skew", { top_pct = 1, share_pct = 50 }).top_over_rest end,
        wrong = { [50] = { belief = "against the average", why = "That is against the average of all, in which they are themselves." }, [1] = { belief = "a hash evens everything out", why = "It spreads users, not what each of them does." } },
        why = "50 for each percent, against 50/99.",
        hints = { "One percent makes 50%.", "99 percent make the other 50%.", "50 over 50/99." } },
      after = [[
        Where two or three of them meet by chance a shard has {cells[2][3]} times the average.]] },

    -- ------------------------------------------------------------------ an audit

    { id = "audit", title = "An audit", show = { "table", "bars", "trace" }, key = NEIGHBOUR, enter = hurt, table = probes,
      say = [[
        Another cluster, in the same overload. It is said to be fixed. Five things were tried on copies of it: the table has what came of them, and each row opens.]],
      try = { ask = "Open the run in which likes that were answered OK are gone.", opened = "row", of = "deaf",
        hints = { "Read the second column.", "Which row loses what was answered?", "The move: *tab*, down to it, *enter*." } } },

    { id = "findings", title = "What is wrong", show = { "table", "bars", "counter:" .. P9 }, key = P9, table = probes,
      enter = function(w)
        hurt(w)
        M.found = {}
        for i, t in ipairs(TRIES) do
          local f = w:fork()
          t[3](f)
          M.found[i] = t[4](f)
        end
      end,
      say = [[
        The five runs: its busiest shard is at {found(1)}%; {found(2)} told 429; {found(3)} fetches after a restart; {found(4)} OKs gone after a move; {found(5)} likes gone with R4.]],
      predict = { id = "p12-audit", kind = "several", confidence = true,
        ask = "Which points of a checklist does it fail?",
        choices = {
          { "Sub-keys are spread so that they fit", why = "{SUB_KEYS} sub-keys are too few: {found(1)}%.", holds = function() return found(1) > 80 end },
          { "A limit says 429 before a shard melts", why = "No limit: {found(2)} were told 429.", holds = function() return found(2) == 0 end },
          { "One fetch a router: single-flight", belief = "six fetches are a rush", why = "One fetch for each router is what it should be.", holds = function(w) return found(3) > w:routers() end },
          { "Each shard checks its slot table", why = "No look into the slot table: a late like got its OK and is gone.", holds = function() return found(4) > 0 end },
        },
        why = "Three of the four fail.",
        hints = { "How full may a shard be, for a spike to fit?", "What should six routers fetch?", "Three of four." } },
      with = { SUB_KEYS = SUB_KEYS },
      after = [[
        A run found each of them; no picture of a quiet day would have.]] },

    { id = "mend", title = "Mend it", show = { "bars", "counter:" .. P9 }, key = P9,
      enter = function(w)
        hurt(w)
      end,
      say = [[
        The same cluster. Commands: `writes KEY salted S`, `limit key KEY N`, `rule slot-table-check on`. KEY is `likes:{p9}`.]],
      try = { ask = "All three: shards at 85% of writes or less, a limit that lets p9's {LIKES} a second in, the rule on.", builds = true,
        goal = function(w) return w:rule("slot-table-check") and fullest_writes(w) <= 85 and (w:limit(P9) or 0) >= LIKES end,
        solution = { "writes likes:{p9} salted 8", "limit key likes:{p9} 3000", "rule slot-table-check on" },
        hints = { "Three points failed: one command for each.", "More sub-keys: Part 5 found a number. A limit above {LIKES}.", "`writes likes:{p9} salted 8`, `limit key likes:{p9} 3000`, `rule slot-table-check on`." } },
      with = { LIKES = LIKES } },

    { id = "checklist", title = "Your own system", show = { "bars" }, enter = heal,
      say = [[
        (The picture: p9 before any of it.) The checklist has five groups; four come deeper. Take a system that you know, and say aloud how it stands. Then mark what is true of it.]],
      predict = { id = "p12-checklist", kind = "explain",
        ask = "Its key and its shards: how do they stand?",
        model = "p9's: a page asks one shard. Post and count share a tag. By post, not time. Alarm at 70%.",
        rubric = { "the busiest query asks one shard", "a transaction stays on one", "no time in front", "an alarm at each shard's ceiling" },
        hints = { "What does your busiest query ask for?", "Would you see one full shard?" } } },

    -- ------------------------------------------------------------------ at the end

    { id = "on-a-page", title = "On a page", show = { "cheat" },
      say = [[
        All of it on one page. `hotshard cheat` prints it, with its figures from the engine. Up and down scroll.]],
      predict = { id = "p12-page", kind = "choice",
        ask = "A slot moves, and the fence is up. What comes next, before the directory commits?",
        choices = {
          { "Routers load the new map", belief = "the map leads", why = "There is no new map before the commit. An early one would send them to a copy that is not complete.", holds = yes(false) },
          { "The target applies the log up to the fence", holds = yes(true) },
          { "The source deletes its copy", belief = "copied is moved", why = "That is the very last thing: until the commit it can be taken back.", holds = yes(false) },
        },
        why = "Who will own it must first have every write that was answered OK.",
        hints = { "What may the target still lack?", "Entries of the log.", "Those before the fence." } } },

    { id = "template-fill", title = "A whole answer", show = { "table" },
      knobs = { { name = "key", values = { "date", "author", "post" }, start = "date" },
        { name = "scheme", values = { "range", "hash" }, start = "range" },
        { name = "size", label = "copies", values = { 1, 2, 3 }, start = 1 },
        { name = "shards", label = "machines", values = { 4, 8, 12, 16, 20, 24, 32 }, start = 4 } },
      table = function(_, knob) return answer_sheet(knob) end,
      say = [[
        An interview: the comments of a photo app. A page asks for the newest of one post, {COMMENTS.rate} times a second. {COMMENTS.data_gb // 1000} TB; a machine reads {COMMENTS.shard_rate} a second, of which you use {COMMENTS.target_pct}%, and holds {COMMENTS.shard_gb} GB.]],
      with = { COMMENTS = COMMENTS },
      try = { ask = "Turn y, S, Z and +, - until the answer holds.", builds = true,
        goal = function() return answer_holds(knob) end,
        solution = { "knob key post", "knob scheme hash", "knob size 3", "knob shards 20" },
        hints = { "Which key asks one shard for a page?", "New posts have the highest numbers: which scheme spreads them?", "Copies: a majority without one node. {COMMENTS.rate} over {COMMENTS.shard_rate * COMMENTS.target_pct // 100}, rounded up." } } },

    { id = "template", title = "Say it", show = { "table" },
      table = function() return answer_sheet { key = "post", scheme = "hash", size = 3, shards = 20 } end,
      say = [[
        Now as six sentences: query and key, scheme, sizes, hot keys, other queries, failures.]],
      predict = { id = "p12-template", kind = "explain",
        ask = "Comments of a photo app: say it.",
        model = "By post: a page asks one shard. Hashed. 20 machines, 3 copies. A star's post: cache. By author: an index. A node dies: elect, copy.",
        rubric = { "key from the query", "a scheme, and why", "sizes with copies", "hot keys", "other queries", "failures" },
        hints = { "Which query runs nine times of ten?", "What will a star do to it?", "What if a node dies?" } } },

    { id = "onward", title = "Where to go", show = { "table" }, table = function()
        return { title = "What lies beside sharding", columns = { "read on", "for what you met in" }, rows = {
          { label = "replication, quorums", cells = { "Parts 4 and 10" } },
          { label = "leases, fencing tokens", cells = { "Parts 5 and 8" } },
          { label = "idempotency", cells = { "Part 5: flushes, retries" } },
          { label = "change streams, outbox", cells = { "Parts 5, 7 and 9" } },
          { label = "event time, watermarks", cells = { "Part 5: sums in a stream" } },
          { label = "write-ahead log", cells = { "Part 8: positions" } },
          { label = "cells, regions", cells = { "Parts 2 and 3" } },
        } }
      end,
      say = [[
        Seven subjects lie beside this one, and you have met each.

        Last one. A colleague wants to shard tomorrow.]],
      predict = { id = "p12-last", kind = "choice",
        ask = "What do you ask first?",
        choices = {
          { "The scheme", belief = "the scheme is the design", why = "Later. It may never be needed.", holds = yes(false) },
          { "What is full, and what was tried", holds = yes(true) },
          { "The number of shards", belief = "a number is a plan", why = "It follows from what is full.", holds = yes(false) },
        },
        why = "Sharding is the last resort, and a very good one.",
        hints = { "What came before sharding in Part 0?", "Six cheaper steps, and triggers.", "What is full, and what was tried?" } },
      after = [[
        From here on: more mistakes, the other checklists, cards with numbers, and thirty questions of an interview. `hotshard drill --list` names drills to repeat, `hotshard play` lets you try anything.]] },

    -- ------------------------------------------------------------------ deeper: mistakes

    { id = "by-city", title = "By city", deeper = true, show = { "table", "bars" }, table = by_city,
      say = [[
        The third mistake: "users by user, and each shard has an index by city". A city is then asked of all shards. One answer of a shard in a hundred is slow.]],
      predict = { id = "p12-city", kind = "number", unit = "%", tolerance = 3,
        ask = "How many of the queries wait for a slow one, with 48 shards?",
        answer = function() return round(size("tail", { shards = 48, slow_pct = 1 }).any_slow_pct) end,
        wrong = { [1] = { belief = "1% stays 1%", why = "All 48 must be quick." }, [48] = { belief = "chances add up", why = "Then 101 shards had more than a hundred percent." } },
        why = "1 - 0.99^48. An index by city, of its own, asks one shard.",
        hints = { "A query is quick when all 48 are.", "0.99 for each of them.", "0.99^48 is about 0.62." } },
      after = [[
        The run measured {cells[3][3]}%. With 10,000 partitions it is 10,000 asks for one city. Asked often: a global index, or a copy of the table by city.]] },

    -- ------------------------------------------------------------------ deeper: symptoms

    { id = "symptom-moves", title = "After a move", deeper = true, show = { "table", "tables:" .. SLOT, "trace:R5" }, key = P9, table = index_of(MOVES),
      say = [[
        More symptoms. {#MOVES} that come with moves. The third: clients are told to wait, and wait, and wait.]],
      with = { MOVES = MOVES },
      predict = { id = "p12-symptom-moves", kind = "choice",
        ask = "What do you look at first?",
        choices = {
          { "How busy the owner is", belief = "waiting is load", why = "Who is full refuses. \"Wait\" is said of a slot that moves.", holds = yes(false) },
          { "Slots that nobody serves", holds = yes(true) },
          { "The routers' maps", belief = "lost on the way", why = "An old map costs a hop, and MOVED mends it.", holds = yes(false) },
        },
        why = "A fence that nobody takes down: a move that stopped half-way.",
        hints = { "Who says \"wait\", and of what?", "What does a fence do?", "A slot between two owners." } } },

    { id = "symptom-systems", title = "Managed systems", deeper = true, show = { "table", "systems" }, key = P9, table = index_of(SYSTEMS),
      say = [[
        {#SYSTEMS} of systems that others run. The first: a table has room, and writes of one item are refused.]],
      with = { SYSTEMS = SYSTEMS },
      predict = { id = "p12-symptom-systems", kind = "choice",
        ask = "What do you look at first?",
        choices = {
          { "The table's average, over a day", belief = "longer is more exact", why = "An average over a day hides even more.", holds = yes(false) },
          { "The partition of that item", holds = yes(true) },
          { "The network", belief = "what is refused got lost", why = "A refusal is an answer. It arrived.", holds = yes(false) },
        },
        why = "Limits are a partition's, and one key is on one partition.",
        hints = { "Who refuses?", "What has the limit?", "Not the table." } } },

    { id = "symptom-across", title = "Rows and machines", deeper = true, show = { "table", "scatter", "txn", "nodes" }, table = index_of(ACROSS),
      say = [[
        The last {#ACROSS}. In the second a row has been locked for a minute, and no client works on it.]],
      with = { ACROSS = ACROSS },
      predict = { id = "p12-symptom-across", kind = "choice",
        ask = "What do you look at first?",
        choices = {
          { "The client that locked it", belief = "who locks, holds", why = "It asked a coordinator, and waits as well.", holds = yes(false) },
          { "The coordinator of its transaction", holds = yes(true) },
          { "The disk of its shard", belief = "slow is the disk", why = "The shard has voted, and may not decide alone.", holds = yes(false) },
        },
        why = "All have voted yes, and only the coordinator knows how it ends.",
        hints = { "Who may release a row that has voted?", "Not the shard.", "Who counts the votes?" } } },

    { id = "no-copies", title = "Ten nodes", deeper = true, show = { "worksheet" },
      worksheet = function() return { what = "storage", give = { items = 10000000000, item_kb = 1, node_gb = 1000 }, title = "10 TB, three copies",
        only = { "items", "item_kb", "copies", "node_gb", "raw_tb", "total_tb", "nodes" } } end,
      say = [[
        The fourth: 10 TB, nodes of 1 TB, "so ten nodes". Each row has three copies.]],
      predict = { id = "p12-copies", kind = "number", unit = "nodes", tolerance = 0,
        ask = "How many nodes hold it?",
        answer = function() return size("storage", { items = 10000000000, item_kb = 1, node_gb = 1000 }).nodes end,
        wrong = { [10] = { belief = "copies need no room", why = "Three of each: 30 TB." } },
        why = "30 TB, and then room to grow.", hints = { "Of what is one node full?", "With copies it is three times as much.", "30 TB, 1 TB each." } } },

    { id = "too-early", title = "Too early", deeper = true, show = { "worksheet" },
      worksheet = function() return { what = "shards", give = { rate = 1000, shard_rate = 4000, data_gb = 100, shard_gb = 1000 },
        title = "100 GB, 1,000 a second", only = { "rate", "shard_rate", "target_pct", "data_gb", "shard_gb", "shards_by_rate", "shards_by_size", "shards" } } end,
      say = [[
        The fifth: a new shop, 1,000 requests a second, 100 GB. One machine takes 4,000 and a terabyte. The plan says 100 shards.]],
      predict = { id = "p12-early", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many does it need?",
        answer = function() return size("shards", { rate = 1000, shard_rate = 4000, data_gb = 100, shard_gb = 1000 }).shards end,
        wrong = { [100] = { belief = "shards cost nothing", why = "Each query across them, each move and each join is paid for." }, [3] = { belief = "copies are shards", why = "Three copies, yes: of one shard." } },
        why = "One, with copies for safety. Buckets may be there from the beginning.",
        hints = { "How much may one shard take at 70%?", "1,000 of 2,800.", "And 100 of 1,000 GB." } } },

    { id = "ten-more", title = "Ten at once", deeper = true, show = { "worksheet" },
      worksheet = function() return { what = "move", give = { data_gb = 50000, from = 50, to = 60, mb_s = 25, streams = 10 }, title = "50 nodes, and 10 more",
        only = { "data_gb", "from", "to", "mb_s", "streams", "moved_gb", "hours" } } end,
      say = [[
        50 nodes hold 50 TB; ten more come. Each new one may take 25 MB a second: 200 megabits, a careful throttle.]],
      predict = { id = "p12-ten", kind = "number", unit = "hours", tolerance = 0.5,
        ask = "How many hours until the ten are filled?",
        answer = function() return round(size("move", { data_gb = 50000, from = 50, to = 60, mb_s = 25, streams = 10 }).hours, 1) end,
        wrong = { [1] = { belief = "ten minutes to an hour", why = "So it is often told. It needs ten times that speed: then it is not throttled." }, [93] = { belief = "one after the other", why = "All ten take at the same time." } },
        why = "8,333 GB over 250 MB a second: {round(size(\"move\", { data_gb = 50000, from = 50, to = 60, mb_s = 25, streams = 10 }).hours, 1)} hours.",
        hints = { "A sixth of the data moves.", "8,333 GB.", "Ten streams of 25 MB." } } },

    { id = "a-day", title = "Within a day", deeper = true, show = { "worksheet" },
      knobs = { { name = "size", label = "MB a second", values = { 5, 10, 15, 25, 50, 100, 200 }, start = 200 } },
      worksheet = function(_, knob) return { what = "move", give = { data_gb = 50000, from = 50, to = 60, mb_s = knob.size, streams = 10 }, title = "50 nodes, and 10 more",
        only = { "data_gb", "from", "to", "mb_s", "streams", "moved_gb", "hours", "mbit_s" } } end,
      say = [[
        The ten new nodes once more. The slower a move, the less it takes from who reads and writes. This one has a day.]],
      try = { ask = "Turn Z to the slowest that is done within 24 hours.",
        goal = function() return knob.size == slowest_of_a_day() end,
        solution = { "knob size 10" },
        hints = { "Read the line `hours` while you turn.", "8,333 GB, ten streams.", "10 MB a second for each." } } },

    { id = "mapping", title = "Eleven systems", deeper = true, show = { "table" }, table = function()
        return { title = "Systems and their usual key", columns = { "system", "key", "scheme" }, rows = {
          { label = "users", cells = { "user_id", "hash" } },
          { label = "time series", cells = { "metric, then a time bucket", "hash of metric, range in it" } },
          { label = "feature store", cells = { "entity_id", "hash" } },
          { label = "chat", cells = { "conversation_id", "hash; in order inside" } },
          { label = "orders", cells = { "customer, and in the id", "hash" } },
          { label = "recommendations", cells = { "item_id; cluster of vectors", "hash; IVF" } },
          { label = "search", cells = { "document_id", "hash, all are asked" } },
          { label = "analytics", cells = { "date and a dimension", "range, hash of dimension" } },
          { label = "cache", cells = { "cache key", "ring" } },
          { label = "event log", cells = { "entity_id", "hash to partition" } },
          { label = "agents' sessions", cells = { "session_id", "hash" } },
        } }
      end,
      say = [[
        What systems usually take. None is a law: the queries decide.]],
      predict = { id = "p12-mapping", kind = "choice",
        ask = "For which of them is asking all shards the rule?",
        choices = {
          { "Chat", belief = "a chat has many writers", why = "All its messages are under one key.", holds = yes(false) },
          { "Search over texts", holds = yes(true) },
          { "The feature store", belief = "a model asks a lot", why = "It asks for entities, each on one shard.", holds = yes(false) },
        },
        why = "A word may be in any document, and documents are hashed.",
        hints = { "Whose query names no key?", "Words are in any document.", "Search." } } },

    -- ------------------------------------------------------------------ deeper: checklists

    { id = "list-hot", title = "Hot keys", deeper = true, show = { "bars" },
      say = [[
        The checklist's second group. Say it of your system; mark what is true. What has no place in it counts as held.]],
      predict = { id = "p12-list-hot", kind = "explain",
        ask = "One key gets hot: what happens?",
        model = "p9's: a sample named it in 5 s. Limits for p9 and nova. A cache, sums.",
        rubric = { "hot keys are named in seconds", "of indexes as well", "429 by key, and by tenant", "retries have a budget", "a plan for reads, one for writes" },
        hints = { "Who would tell you its name?", "Who is told to wait?" } } },

    { id = "list-counts", title = "Caches and counters", deeper = true, show = { "bars" },
      say = [[
        The third group.]],
      predict = { id = "p12-list-counts", kind = "explain",
        ask = "Caches, sub-keys, sums: how do they stand?",
        model = "p9's: 3 s and a fetch. `likes:{p9#0}`. All likes summed; rows first.",
        rubric = { "a bound on age is stated", "one fetch on a miss", "salt in the tag, spread", "nobody writes past sums", "totals, sequence, rows first" },
        hints = { "How old may an answer be?", "Who else writes that key?" } } },

    { id = "list-moves", title = "Moves", deeper = true, show = { "bars" },
      say = [[
        The fourth group.]],
      predict = { id = "p12-list-moves", kind = "explain",
        ask = "Data moves while it is used: how does it stand?",
        model = "p9's: 3 MB/s, compared, 13 ms of fence, MOVED.",
        rubric = { "shards check requests", "MOVED is said for ever", "below what is spare", "copied from a caught-up one", "compared before the flip", "a way back" },
        hints = { "What does the old owner say in a year?", "What if it must be undone?" } } },

    { id = "list-fleets", title = "Streams and fleets", deeper = true, show = { "bars" },
      say = [[
        The last group.]],
      predict = { id = "p12-list-fleets", kind = "explain",
        ask = "Streams, routers, failures: how do they stand?",
        model = "p9's: six routers were too few without a zone; twelve were right.",
        rubric = { "parents before children", "more partitions: planned", "sized for a zone less", "copies are throttled", "a partial answer is told" },
        hints = { "What if a zone goes?", "What do your readers do after a split?" } } },

    -- ------------------------------------------------------------------ deeper: numbers

}

for _, step in ipairs(NUMBERS) do way[#way + 1] = step end
for _, step in ipairs(require("questions").steps()) do way[#way + 1] = step end

return lesson {
  id = "12_looking_back", part = 12, title = "Looking back", minutes = 12,
  needs = { "11_in_the_field" },
  world = "story",
  placement = { go = "every-event" },
  card = cheat,

  steps = way,
}
