-- Part 7. Core path: one post, nine systems. DynamoDB: what a partition may take, what it splits and what
-- it cannot; the hot key of an index. Kinesis: shards by MD5, a split and its lineage, likes in packets. Kafka: consumers, twice as many partitions. Then one trace for all nine: who
-- turns p9 away, a key that only grows, a machine added, a machine lost. Deeper: streams, limits of
-- resharding, likes without a key, sizing, rebalances, leaders by hand; then the other six systems.

local LIKE, FANS, POSTS = 50, 2400, 16 -- likes a second: of a post, of p9 after 20:02
local UNITS, READ_UNITS = 1000, 3000 -- of a partition of DynamoDB; Kinesis takes as many records a shard
local P9, P14 = "likes:{p9}", "likes:{p14}"
local NAMES = { "dynamodb", "kinesis", "kafka", "cassandra", "cockroachdb", "hbase", "mongodb", "redis", "vitess" }
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

-- --- the world ---

local function perform(w, ...)
  for _, text in ipairs { ... } do w:command(text) end
end

-- What a step wants of the learner's world; somebody may have typed it already, and then it is refused.
local function order(w, ...)
  for _, text in ipairs { ... } do pcall(w.command, w, text) end
end

local function till(w, at)
  if w:clock() < at then w:play_until(at) end
end

local function likes(w, p9, others)
  for n = 1, POSTS do
    pcall(w.flow, w, "like", "likes:{p" .. n .. "}", n == 9 and p9 or others or LIKE, "scattered")
  end
end

-- Nobody asks anything, all systems are gone.
local function calm(w)
  likes(w, 0, 0)
  order(w, "series photo 0", "flow like by:{nova} 0")
  for _, name in ipairs(NAMES) do
    if w:system(name) then w:command("system " .. name .. " off") end
  end
end

-- This system alone is on, begun anew: so many parts and machines, settings.
local function only(w, name, size, ...)
  calm(w)
  perform(w, "system " .. name .. " on" .. (size or ""))
  for _, words in ipairs { ... } do w:command("system " .. name .. " set " .. words) end
end

local function hand(w, name, ...)
  for _, words in ipairs { ... } do w:command("system " .. name .. " " .. words) end
end

-- The open part of a key.
function part(w, name, key) return w:system_of(name, key or "p9") end

-- A number that a part was asked for in the last whole second, against its limit.
function full(p, limit) return round(100 * p.writes / (limit or UNITS)) end

-- --- p9 alone on the best of so many shards, in percent ---

function on_shards(n)
  local l = layout("slots", { shards = n, slots = 16384 })
  return round(100 * l:load(keys { { "p9", FANS } }, l:owner("p9")) / UNITS)
end

-- Orders in the order of time, on four ranges, and the next hundred.
local ORDERS, LATER = keys("2030-06-14 %04d", 0, 999), keys("2030-06-14 %04d", 1000, 1099)
local function by_time() return layout("range", { shards = 4, keys = ORDERS }) end

-- --- DynamoDB ---

local CAP, CALM, WARM = 1600, 4, 600 -- write units a second of the table; seconds; p9's likes then
local HEAT, WAITED = 60, 70 -- seconds: throttled for so long the model splits; that one looks later

-- The posts that a cut took away from p9's partition.
function apart(w)
  local out = {}
  for n = 1, POSTS do
    if part(w, "dynamodb", "p" .. n).parents[1] == part(w, "dynamodb").number then out[#out + 1] = "p" .. n end
  end
  return table.concat(out, ", ", 1, #out - 1) .. " and " .. out[#out]
end

-- Three ways to keep a post's likes, and one of them with a local index; p9 alone is liked.
local RUSH, KEPT = 1500, {
  { "a counter", "one" },
  { "row: random", "many" },
  { "row: time", "growing" },
  { "and local index", "many", "local" },
}
local function kept(w)
  local rows = {}
  for i, way in ipairs(KEPT) do
    local before -- refused until ten seconds before the end: the column is their mean
    rows[i] = { label = way[1], run = function(f)
        only(f, "dynamodb", nil, "items " .. way[2], "index " .. (way[3] or "none"))
        f:flow("like", P9, RUSH, "scattered")
        f:play_for(2 * WAITED - 10)
        before = f:system("dynamodb").throttled
        f:play_for(10)
      end,
      cells = function(f)
        local s = f:system("dynamodb")
        return { s.parts, round((s.throttled - before) / 10) }
      end }
  end
  return { title = "p9, minutes later", columns = { "kept as", "parts", "refused" }, numbers = { 2, 3 }, rows = rows }
end

-- The index by creator: each like of nova's four posts writes the key nova, or nova#0 to nova#(S-1).
local HERS = FANS + 3 * LIKE
local function index_flows(f, salts)
  local rest = HERS
  for i = 1, salts do
    local rate = rest // (salts - i + 1)
    rest = rest - rate
    f:flow("like", salts == 1 and "by:{nova}" or "by:{nova#" .. i - 1 .. "}", rate, "scattered")
  end
end
local SALTS = { 1, 2, 3, 4, 6, 8 }
local PLAN = 80 -- percent of a partition
local function salted(w, knob)
  local n, first = knob.salt, nil
  return { title = "The index key in " .. n, columns = { "salts", "each", "refused", "later" }, numbers = { 2, 3, 4 }, rows = {
    { label = tostring(n), run = function(f)
        only(f, "dynamodb")
        index_flows(f, n)
        f:play_for(2.1)
        first = f:system("dynamodb").second.throttled
        f:play_for(WAITED)
      end,
      cells = function(f) return { round(HERS / n, 2), first, f:system("dynamodb").second.throttled } end } } }
end

-- --- Kinesis ---

local TWO = 700 -- likes a second of two posts on one shard
local RUSHED, SLOW = 700, 400 -- likes a second of p9 then; records a second that a reader takes of a shard

local function stream(w, p9, ...)
  only(w, "kinesis", nil, ...)
  likes(w, p9 or FANS)
  w:play_for(2.1)
end

-- How many neighbours of p9 stay with it when its shard is cut in the middle, and how many it has.
local function near(w)
  local f, whole, half = w:fork(), 0, 0
  local shard = part(w, "kinesis").number
  hand(f, "kinesis", "cut " .. shard)
  for n = 1, POSTS do
    if part(w, "kinesis", "p" .. n).number == shard then whole = whole + 1 end
    if part(f, "kinesis", "p" .. n).number == part(f, "kinesis").number then half = half + 1 end
  end
  M.all = whole - 1
  return half - 1
end

-- A shard is split while a reader is behind; it reads for some seconds in that order.
local function lineage(f, rule)
  only(f, "kinesis", nil, "reader " .. SLOW, "order " .. rule)
  likes(f, RUSHED)
  f:play_for(3.05)
  hand(f, "kinesis", "cut " .. part(f, "kinesis").number)
  f:play_for(2)
end
local function orders()
  local rows = {}
  for i, rule in ipairs { "parents", "any" } do
    rows[i] = { label = rule == "any" and "any" or "parents first", run = function(f) lineage(f, rule) end,
      cells = function(f) return { f:system("kinesis").unread, f:system("kinesis").disorder } end }
  end
  return { title = "A reader, after a split", columns = { "reads", "unread", "disorder" }, numbers = { 2, 3 }, rows = rows }
end

local PACK = 9

-- --- Kafka ---

local KEYS = keys("k%d", 0, 9999)
function kafka(n) return layout("kafka", { shards = n }) end
function moved(from, to) return round(100 * kafka(from):moved(kafka(to), KEYS) / #KEYS, 1) end
local MEMBERS, GREEDY = 6, 300 -- consumers; records a second that one takes

local function topic(w, ...)
  only(w, "kafka", nil, ...)
  likes(w, LIKE)
  w:play_for(2.1)
end

function working(w, name)
  local n = 0
  for _, one in ipairs(w:system_group(name or "kafka").members) do
    if not one.gone and #one.parts > 0 then n = n + 1 end
  end
  return n
end

-- --- all nine ---

local PHOTOS, MILD, PASS = 1600, 300, 14 -- photos and likes of p9 a second; seconds
local function nine(w, p9, others)
  calm(w)
  for _, name in ipairs(NAMES) do w:command("system " .. name .. " on") end
  likes(w, p9, others)
end

-- The share of the hottest part of a system's writes in the last second, in percent.
function hottest(w, name)
  local most, sum = 0, 0
  for _, p in ipairs(w:system_parts(name)) do
    most, sum = math.max(most, p.writes), sum + p.writes
  end
  return sum == 0 and 0 or round(100 * most / sum)
end

-- What the last machine of a system leads.
function newest(w, name)
  local all = w:system_machines(name)
  return all[#all]
end

function count(w, test)
  local n = 0
  for _, name in ipairs(NAMES) do if test(w:system(name), name) then n = n + 1 end end
  return n
end

function titles(w, test)
  local out = {}
  for _, name in ipairs(NAMES) do
    if test(w:system(name), name) then out[#out + 1] = w:system(name).title end
  end
  if #out == 0 then return "nobody" end
  return #out == 1 and out[1] or table.concat(out, ", ", 1, #out - 1) .. " and " .. out[#out]
end

-- p9's machine dies; what its clients were told OK for and nobody has.
local HASTY = { { "kafka", "acks", "all", "one" }, { "mongodb", "concern", "majority", "one" }, { "vitess", "durability", "semi-sync", "none" } }
local TITLES = { kafka = "Kafka", mongodb = "MongoDB", vitess = "Vitess" }
function hasty()
  local rows = {}
  for _, h in ipairs(HASTY) do
    for i = 3, 4 do
      rows[#rows + 1] = { label = TITLES[h[1]] .. ", " .. h[i], run = function(f)
          only(f, h[1], nil, h[2] .. " " .. h[i])
          f:flow("like", P9, 600, "scattered")
          f:play_for(1)
          hand(f, h[1], "down " .. part(f, h[1]).machine)
          f:play_for(20)
        end,
        cells = function(f) return { f:system(h[1]).lost } end }
    end
  end
  return { title = "p9's machine dies", columns = { "told OK when", "lost" }, numbers = { 2 }, rows = rows }
end
function hasty_losers()
  local n = 0
  for i = 2, #HASTY * 2, 2 do if cells[i][2] > 0 then n = n + 1 end end
  return n
end

-- --- deeper ---

-- How many calls from so many shards to so many; each is tried on a copy, as far as the model has room.
function calls(w, from, to)
  local n = 0
  while from < to do
    local next = math.min(from * 2, to)
    if n == 0 then
      local f = w:fork()
      assert(not pcall(f.command, f, "system kinesis parts " .. next + 1) and pcall(f.command, f, "system kinesis parts " .. next))
    end
    from, n = next, n + 1
  end
  return n
end

function fullest(w, name)
  local most = 0
  for _, p in ipairs(w:system_parts(name)) do most = math.max(most, p.writes) end
  return round(100 * most / UNITS)
end

local function keyless()
  local rows = {}
  for i, null in ipairs { "off", "on" } do
    rows[i] = { label = null == "on" and "none" or "the post", run = function(f)
        only(f, "kafka", nil, "null " .. null)
        likes(f, FANS)
        f:play_for(3.1)
      end,
      cells = function(f) return { fullest(f, "kafka"), f:system("kafka").second.late } end }
  end
  return { title = "p9 on four partitions", columns = { "key", "% full", "late" }, numbers = { 2, 3 }, rows = rows }
end

local function sizes()
  local t = FANS + 15 * LIKE
  return { title = "Partitions", columns = { "", "" }, numbers = { 2 }, rows = {
    { label = "T / P", cells = function() return { decimals(t / UNITS, 2) } end },
    { label = "T / C", cells = function() return { decimals(t / GREEDY, 2) } end },
    { label = "at least", cells = function() return { math.ceil(math.max(t / UNITS, t / GREEDY)) } end } } }
end

local function rebalances()
  local rows = {}
  for i, how in ipairs { "eager", "cooperative" } do
    rows[i] = { label = how, run = function(f)
        only(f, "kafka", " 6", "reader 600", "members 3", "rebalance " .. how)
        f:play_for(3.1)
        f:command("system kafka set members 2")
        f:play_for(0.5)
      end,
      cells = function(f)
        local g = f:system_group("kafka")
        return { g.paused, g.of }
      end }
  end
  return { title = "A member leaves", columns = { "rebalance", "pause", "of" }, numbers = { 2, 3 }, rows = rows }
end

-- --- deeper: one system at a time, or all nine ---

local B7_NINE = { "dynamodb", "kinesis", "kafka", "cassandra", "cockroachdb", "hbase", "mongodb", "redis", "vitess" }
local B7_TITLE = { dynamodb = "DynamoDB", kinesis = "Kinesis", kafka = "Kafka", cassandra = "Cassandra", cockroachdb = "CockroachDB",
  hbase = "HBase", mongodb = "MongoDB", redis = "Redis Cluster", vitess = "Vitess" }
local B7_LIKES, B7_P9 = 50, 2400 -- a second: each post's, and p9's when it is hot
local B7_WRITES = 1000 -- a second that a machine of the model can do

local function b7_decimals(x, n) return (string.format("%." .. (n or 0) .. "f", x)) end
function b7_round(x) return math.floor(x + 0.5) end

local function b7_do(w, ...)
  for _, text in ipairs { ... } do w:command(text) end
end

-- What may have been done already, and is refused then.
local function b7_try(w, ...)
  for _, text in ipairs { ... } do pcall(w.command, w, text) end
end

-- So many likes and reads a second of each post, and of p9.
local function b7_crowd(w, likes, p9, reads, p9_reads)
  for n = 1, 16 do
    local post = "{p" .. n .. "}"
    pcall(w.flow, w, "like", "likes:" .. post, n == 9 and p9 or likes)
    pcall(w.flow, w, "read", "post:" .. post, n == 9 and (p9_reads or 0) or reads or 0)
  end
end

-- Nobody asks, and nothing is on but what is named here.
local function b7_only(w, ...)
  b7_crowd(w, 0, 0)
  b7_try(w, "series row 0")
  for _, name in ipairs(B7_NINE) do
    if w:system(name) then w:command("system " .. name .. " off") end
  end
  w:play_for(0.1)
  b7_do(w, ...)
end

local function b7_all(w, ...)
  b7_only(w)
  for _, name in ipairs(B7_NINE) do w:command("system " .. name .. " on") end
  b7_do(w, ...)
end

-- Whole seconds until nobody of this system is away any more, at most so many.
local function b7_away(f, name, most)
  local away = 0
  f:play_for(1)
  for _ = 1, most do
    f:play_for(1)
    if f:system(name).second.away == 0 and away > 0 then break end
    if f:system(name).second.away > 0 then away = away + 1 end
    if away == 0 and _ > 3 then break end
  end
  return away
end

-- Machines that are asked for more writes than they can do.
function b7_over(w, name)
  local n = 0
  for _, m in ipairs(w:system_machines(name)) do
    if m.writes > B7_WRITES then n = n + 1 end
  end
  return n
end

-- The part that is asked most, in percent of all.
function b7_busiest(w, name)
  local most, sum = 0, 0
  for _, p in ipairs(w:system_parts(name)) do
    local n = p.writes + p.reads
    most, sum = math.max(most, n), sum + n
  end
  return sum > 0 and b7_round(100 * most / sum) or 0
end

function b7_of(w, name) return w:system(name) end
function b7_part(w, name) return w:system_of(name, "p9") end

-- "0, 1 and 3"
local function b7_list(list)
  if #list < 2 then return tostring(list[1] or "none") end
  return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

-- --- Cassandra ---

-- Quiet posts; p9's three nodes, and the one that has no copy of it.
local function b7_cassandra(w)
  b7_only(w, "system cassandra on", "system cassandra set level quorum")
  b7_crowd(w, B7_LIKES, B7_LIKES)
  w:play_for(2.2)
end

-- Tokens that the first node has; what of the ring node i owns, in percent, counted from 1.
function b7_tokens(w) return w:system_machines("cassandra")[1].leads end
function b7_share(w, i)
  local sum = 0
  for _, p in ipairs(w:system_parts("cassandra")) do
    if p.state == "open" and p.machine == i - 1 then sum = sum + p.last - p.first end
  end
  return b7_round(100 * sum)
end
-- How many of the four own less of it after a fifth has come.
local b7_given
function b7_givers() return b7_given end
local function b7_tokens_dealt(w)
  b7_cassandra(w)
  local f = w:fork()
  f:command("system cassandra grow")
  f:play_for(2)
  b7_given = 0
  for i = 1, 4 do if b7_share(f, i) < b7_share(w, i) then b7_given = b7_given + 1 end end
end

function b7_p9_nodes(w) return w:system_of("cassandra", "p9").copies end

local function b7_levels()
  local rows = {}
  for i, level in ipairs { "one", "quorum", "all" } do
    rows[i] = { label = level, run = function(f)
      b7_do(f, "system cassandra set level " .. level, "system cassandra down " .. b7_p9_nodes(f)[1])
      f:play_for(2)
    end, cells = function(f)
      local s = f:system("cassandra").second
      return { s.asked, s.ok }
    end }
  end
  return { title = "One of four nodes is down", columns = { "level", "asked", "OK" }, numbers = { 2, 3 }, rows = rows }
end

-- --- more of them ---

function b7_machines(w, name)
  local list, seen = {}, {}
  for _, p in ipairs(w:system_parts(name)) do
    if not seen[p.machine] then list[#list + 1] = p.machine end
    seen[p.machine] = true
  end
  table.sort(list)
  local s = w:system(name)
  return (#list == 1 and s.machine or s.machines_word) .. " " .. b7_list(list)
end

function b7_bytes(w, name)
  local sum = 0
  for _, p in ipairs(w:system_parts(name)) do if p.state == "open" then sum = sum + p.bytes end end
  return sum
end

function b7_largest(w, name)
  local best
  for _, p in ipairs(w:system_parts(name)) do
    if p.state == "open" and (not best or p.bytes > best.bytes) then best = p end
  end
  return best
end

-- The share of the busiest range some time later.
function b7_tail(w)
  local f = w:fork()
  f:play_for(14)
  assert(f:system("cockroachdb").parts == w:system("cockroachdb").parts, "the tail was cut")
  return b7_busiest(f, "cockroachdb")
end

-- By how much one of MongoDB's two shards has more, in MB.
function b7_uneven(w)
  local m = w:system_machines("mongodb")
  return b7_round(math.abs(m[1].bytes - m[2].bytes) / 1000000)
end

-- What MongoDB's balancer has done some time after more rows came.
function b7_balanced(w)
  local f = w:fork()
  f:command("series row 20 bytes 1000000")
  f:play_for(5)
  f:command("series row 0")
  f:play_for(20)
  return f:system("mongodb")
end

-- Whether a range of MongoDB that has p9 alone can be cut so that both halves have some of it.
function b7_cut_twice(w)
  local f = w:fork()
  for _, at in ipairs { " p9", " p9!", "" } do
    f:command("system mongodb cut " .. b7_part(f, "mongodb").number .. at)
  end
  f:play_for(2)
  local all, here = f:system_key("mongodb", "p9").writes, 0
  for _, p in ipairs(f:system_parts("mongodb")) do
    if p.number == b7_part(f, "mongodb").number then here = p.writes end
  end
  return here < all
end

-- Through a Reshard of p9's shard.
function b7_resharded(f)
  f:command("system vitess cut " .. f:system_of("vitess", "p9").number)
  f:play_for(1)
  f:command("system vitess set serves reads")
  f:play_for(0.5)
  f:command("system vitess set serves new")
  f:play_for(1)
end

-- Whether the old shards may serve again.
function b7_back(w)
  local f = w:fork()
  return (pcall(f.command, f, "system vitess set serves old"))
end

-- One piece of each goes to another machine.
local PIECES = { { "redis", "Redis: slots", "ASK, then MOVED" }, { "vitess", "Vitess: shard", "copy, flip" }, { "mongodb", "MongoDB: range", "copy, then commit" },
  { "cockroachdb", "Cockroach: range", "Raft: add, remove" }, { "kafka", "Kafka: partition", "copy, in sync" }, { "hbase", "HBase: region", "close, then open" } }
function b7_moves()
  local rows = {}
  for i, one in ipairs(PIECES) do
    local name = one[1]
    rows[i] = { label = one[2], run = function(f)
      f:command("system " .. name .. " on")
      f:command("series row 100 bytes 1000000")
      f:play_for(1)
      f:command("series row 0")
      local p = b7_largest(f, name)
      if name == "vitess" then f:command("system vitess cut " .. p.number) end
      for _, m in ipairs(name ~= "vitess" and f:system_machines(name) or {}) do
        local taken = m.number == p.machine
        for _, c in ipairs(p.copies) do taken = taken or c == m.number end
        if not taken or (m.number ~= p.machine and name == "hbase") then
          f:command("system " .. name .. " move " .. p.number .. " " .. m.number)
          break
        end
      end
      for _ = 1, 200 do
        if f:system(name).moved + f:system(name).leaders > 0 then break end
        f:play_for(0.5)
      end
    end, cells = function(f)
      return { one[3], b7_round(f:system(name).moved_bytes / 1000000) }
    end }
  end
  return { title = "One piece moves", columns = { "piece", "how", "MB" }, numbers = { 3 }, rows = rows }
end
function b7_copied(name)
  for i, one in ipairs(PIECES) do if one[1] == name then return cells[i][3] end end
end

local GROWING = { "kafka", "cassandra", "cockroachdb", "hbase", "mongodb", "redis", "vitess" }
function b7_grown()
  local rows = {}
  for i, name in ipairs(GROWING) do
    rows[i] = { label = B7_TITLE[name], run = function(f)
      f:command("system " .. name .. " on")
      f:command("series row 300 bytes 1000000")
      f:play_for(3)
      f:command("series row 0")
      f:command("system " .. name .. " grow")
      f:play_for(330)
    end, cells = function(f)
      local machines = f:system_machines(name)
      return { machines[#machines].leads }
    end }
  end
  return { title = "What the new machine serves", columns = { "system", "pieces" }, numbers = { 2 }, rows = rows }
end

local DOCUMENTED_AWAY = { kafka = true, hbase = true, mongodb = true, redis = true } -- defaults that the vendor names
local DYING = { "dynamodb", "kinesis", "kafka", "cassandra", "cockroachdb", "hbase", "mongodb", "redis", "vitess" }
function b7_deaths()
  local rows = {}
  for i, name in ipairs(DYING) do
    rows[i] = { label = B7_TITLE[name], run = function(f)
      f:command("system " .. name .. " on")
      b7_crowd(f, 5, 5)
      f:play_for(2)
      f:command("system " .. name .. " down " .. f:system_of(name, "p9").machine)
    end, cells = function(f) return { b7_away(f, name, 120), DOCUMENTED_AWAY[name] and "vendor" or "model" } end }
  end
  return { title = "p9's machine dies", columns = { "system", "s away", "told by" }, numbers = { 2 }, rows = rows }
end
function b7_seconds(name) -- of the table's row
  for i, of in ipairs(DYING) do
    if of == name then return cells[i][2] end
  end
end
function b7_slowest()
  local best, most
  for i, name in ipairs(DYING) do
    if not most or cells[i][2] > most then best, most = B7_TITLE[name], cells[i][2] end
  end
  return best
end

-- --- logical shards ---

local LOGICAL, OLD, NEW = 480, 32, 96
function b7_renamed()
  local before, after = layout("slots", { shards = OLD, slots = LOGICAL, deal = "ranges" }), layout("slots", { shards = NEW, slots = LOGICAL, deal = "ranges" })
  local n = 0
  for slot = 0, LOGICAL - 1 do if before:slot_owner(slot) ~= after:slot_owner(slot) then n = n + 1 end end
  return n
end
function b7_kept() return LOGICAL - OLD * (LOGICAL // NEW) end

-- --- gossip ---

function b7_rounds(w, way) return w:gossip_rounds(1000, way, 40).median end


return lesson {
  id = "07_managed_splitting", part = 7, title = "What managed splitting cannot split", minutes = 12,
  needs = { "06_growing_the_cluster" },
  world = "story-quiet",
  placement = { go = "nine-say" },

  steps = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-item", title = "After the split", check = true, show = { "bars" },
      say = [[
        A store splits partitions by load; one takes 1,000 writes a second. One item gets 1,700, its nine neighbours 30 each. The store has
        split as far as it can, and the item is alone.]],
      predict = { id = "p7-check-item", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes a second are turned away?",
        answer = function() return 1700 - UNITS end,
        wrong = { [970] = { belief = "a split changes nothing", why = "The nine others are elsewhere now, and are served." },
          [0] = { belief = "a split halves what is hot", why = "One item is on one partition, however often it is split." } },
        why = "One item, one partition: what is beyond its limit." } },

    { id = "check-parent", title = "Two children", check = true, show = { "bars" },
      say = [[
        A shard of a stream was split. It holds 4,000 records that nobody has read; its children fill. Three workers are free.]],
      predict = { id = "p7-check-parent", kind = "choice",
        ask = "Which may be read now, so that each key stays in order?",
        choices = {
          { "All three: more workers are faster", belief = "shards are independent", why = "A child goes on with its parent's keys. Read at once, newer records come before older ones.", holds = function() return false end },
          { "The parent alone", holds = function() return true end },
          { "The children: they are what is new", belief = "a closed shard is over", why = "It takes nothing more, and still has 4,000 records.", holds = function() return false end },
        },
        why = "A child's records are newer than all of its parent." } },

    { id = "check-modulo", title = "Six to twelve", check = true, show = { "bars" },
      say = [[
        A topic counts partitions modulo. It goes from 6 partitions to 12.]],
      predict = { id = "p7-check-modulo", kind = "number", unit = "%", tolerance = 3,
        ask = "For about how many keys in a hundred do new records go elsewhere?",
        answer = function() return round(moved(6, 12)) end,
        wrong = { [100] = { belief = "a new count moves everything", why = "A key's remainder by 12 is its remainder by 6, or 6 more." },
          [0] = { belief = "keys stay where they are", why = "Old records do. New ones go where the hash and the new count say." } },
        why = "The remainder stays, or is six more: half and half." } },

    { id = "check-index", title = "By country", check = true, show = { "bars" },
      say = [[
        A shop has {SHOPS} orders a second. A global index has the country as its key; 70 in 100 orders come from one. An index
        partition takes 1,000 writes a second.]],
      with = { SHOPS = 2000 },
      predict = { id = "p7-check-index", kind = "number", unit = "keys", tolerance = 0,
        ask = "Over how many salted keys must that country go, at least?",
        answer = function() return math.ceil(2000 * 70 / 100 / UNITS) end,
        wrong = { [1] = { belief = "an index has room of its own", why = "It has, as much as a table: 1,000 a partition, and 1,400 come for one key." } },
        why = "1,400 writes for one key, 1,000 a partition." } },

    -- ------------------------------------------------------------------ what you know

    { id = "recall", title = "More machines", show = { "bars" }, key = P9, enter = calm,
      run = function(w)
        likes(w, FANS, 0)
        w:play_for(2.1)
      end,
      say = [[
        At 20:02 p9 gets {FANS} likes a second. A shard takes {UNITS} writes. In Part 3 somebody ordered more shards.]],
      with = { FANS = FANS, UNITS = UNITS },
      predict = { id = "p7-recall", kind = "number", unit = "%", tolerance = 0,
        ask = "On 64 shards: how full is p9's shard, by p9's likes alone?",
        answer = function() return on_shards(64) end,
        wrong = { [60] = { belief = "four shards share it", why = "A quarter each would need p9 in four pieces. Its counter is one key." },
          [4] = { belief = "load spreads by itself", why = "That is a 64th. p9 is one key, and one key is on one shard." } },
        why = "One key, one shard, however many there are.",
        hints = { "On how many shards is p9?", "One.", "{FANS} of {UNITS}." } },
      after = [[
        {on_shards(64)}%, on four shards as on 64. Now others run the machines, and stores split by themselves. Does it help p9?]] },

    { id = "recall-tail", title = "Keys that grow", show = { "ranges" },
      placing = function() return { { title = "orders by time", before = by_time(), keys = ORDERS } } end,
      say = [[
        Orders are kept in the order of their keys, which begin with the time. They lie on four ranges, {#ORDERS // 4} on each.]],
      predict = { id = "p7-recall-tail", kind = "number", tolerance = 0,
        ask = "How many of the next {#LATER} orders come to the last range?",
        answer = function() return by_time():owned(LATER, by_time():owner(LATER[1])) end,
        wrong = { [25] = { belief = "ranges share what comes", why = "Ranges share what is there. What comes is larger than all of it." },
          [50] = { belief = "a split halves the writes", why = "It halves what is there. New keys are all behind it." } },
        why = "Each new key is larger than all before it.",
        hints = { "Where does a key lie that is larger than all others?", "In the last range.", "All of them." } },
      with = { ORDERS = ORDERS, LATER = LATER },
      after = [[
        Both come again.]] },

    -- ------------------------------------------------------------------ DynamoDB

    { id = "share", title = "More than its share", show = { "parts:dynamodb" }, key = P9,
      enter = function(w)
        only(w, "dynamodb", nil, "capacity " .. CAP)
        likes(w, LIKE)
        w:play_for(CALM + 0.1)
      end,
      say = [=[
        DynamoDB cuts a table by a hash of the [[partition key]]. You pay for {CAP} [[write units]] a second, 1 KB each: {CAP // 4} for each of 4 [[partitions]].

        p9's partition, {part(w, "dynamodb").number}, is asked for {part(w, "dynamodb").writes}. Then p9 is liked more: {part(w, "dynamodb").writes + WARM - LIKE}, and {15 * LIKE + WARM} on the whole table.]=],
      with = { CAP = CAP, WARM = WARM, LIKE = LIKE, BURST = 300 },
      predict = { id = "p7-share", kind = "choice",
        ask = "What becomes of likes beyond {CAP // 4}?",
        choices = {
          { "They are refused", belief = "capacity is cut in equal shares for good", why = "A share is where it begins. What other partitions leave it may have.",
            holds = function(w) return w:system("dynamodb").throttled > 1500 end },
          { "They pass for a while, then not", belief = "there is only burst", why = "What was saved is used up by now, and they still pass.",
            holds = function(w) return w:system("dynamodb").throttled <= 1500 and w:system("dynamodb").second.throttled > 0 end },
          { "They pass while the table has room", holds = function(w) return w:system("dynamodb").throttled <= 1500 and w:system("dynamodb").second.throttled == 0 end },
        },
        why = "The rest of the table is lent to it, up to a partition's maximum: {part(w, \"dynamodb\").limit_writes}.",
        hints = { "What do the other partitions leave?", "Of {CAP} the table uses {15 * LIKE + WARM}.", "DynamoDB gives it where it is needed." } },
      run = function(w)
        w:flow("like", P9, WARM, "scattered")
        w:play_for(5)
      end,
      after = [=[
        In the model it first used what it had saved: [[burst capacity]], at most {BURST} s of it, not promised. Then came [[adaptive capacity]]: more than a share, while the table's total
        holds.]=] },

    { id = "partition", title = "20:02", show = { "parts:dynamodb" }, key = P9,
      enter = function(w)
        calm(w)
        till(w, "20:01:57.900")
        only(w, "dynamodb")
        likes(w, LIKE)
        w:play_for(2.1)
      end,
      say = [[
        A table on demand buys no total (a new one begins at {START} writes a second). What stays is each partition's maximum: {UNITS} write units and {READ_UNITS} read units a second.

        20:02: p9 gets {FANS} likes a second. Five quiet posts, {LIKE} each, share its partition.]],
      with = { UNITS = UNITS, READ_UNITS = READ_UNITS, FANS = FANS, LIKE = LIKE, START = 4000 },
      predict = { id = "p7-partition", kind = "number", unit = "likes/s", tolerance = 60, confidence = true,
        ask = "How many likes a second are refused?",
        answer = function(w) return w:system("dynamodb").second.throttled end,
        wrong = { [0] = { belief = "who pays by request has no limit", why = "The table has room for all of it. p9's partition has a limit of its own." },
          [FANS - UNITS] = { belief = "a key has the limit", why = "The limit is the partition's: the five others take part of it." } },
        why = "{part(w, \"dynamodb\").writes} are asked of a partition, {UNITS} pass.",
        hints = { "What is its partition asked for, in all?", "{FANS} and five times {LIKE}.", "{FANS + 5 * LIKE} - {UNITS}." } },
      run = function(w)
        likes(w, FANS)
        w:play_for(2.1)
      end,
      after = [[
        The word is ProvisionedThroughputExceeded, here too, and the five others hear it: partitions are throttled, not keys.]] },

    { id = "consumption", title = "Split for consumption", show = { "parts:dynamodb" }, key = P9,
      enter = function(w)
        only(w, "dynamodb")
        likes(w, FANS)
        w:play_for(2 * HEAT - 1)
      end,
      say = [=[
        Throttled for minutes, a partition is cut, so that what is hot is by itself: [[split for consumption]]. (The model waits {HEAT} s before each cut.) {apart(w)} share another partition by now; two are still with p9. Now the next cut.]=],
      predict = { id = "p7-consumption", kind = "number", unit = "%", tolerance = 3,
        ask = "How full is p9's partition after it?",
        answer = function(w) return full(part(w, "dynamodb")) end,
        wrong = { [120] = { belief = "a split halves what is hot", why = "It halves a range of keys. p9 is one item, on one side." },
          [100] = { belief = "full is the end", why = "It serves no more than that. It is asked for more." },
          [250] = { belief = "a split changes nothing", why = "So full it was. The last two neighbours are on a partition of their own now." } },
        why = "All {FANS} are for one item; its partition has {UNITS} units.",
        hints = { "Who has left p9's partition?", "All others. p9 is whole.", "{FANS} of {UNITS}." } },
      with = { FANS = FANS, UNITS = UNITS, HEAT = HEAT, GB = 10 },
      run = function(w) w:play_for(4) end,
      after = [[
        {full(part(w, "dynamodb"))}% of one partition; the neighbours are well, {w:system("dynamodb").second.throttled} likes a second still refused. An item is never split: here it stops. (It also cuts at about {GB} GB.)]] },

    { id = "collection", title = "Rows, not a counter", show = { "table", "parts:dynamodb" }, key = P9, table = kept,
      enter = function(w)
        only(w, "dynamodb")
        w:flow("like", P9, RUSH, "scattered")
        w:play_for(2.1)
      end,
      say = [=[
        Or keep a row a like, with partition key p9 and a [[sort key]]. Rows of one partition key are an [[item collection]], which can be cut between two sort keys.

        p9 alone, {RUSH} likes a second.]=],
      with = { RUSH = RUSH },
      predict = { id = "p7-collection", kind = "choice",
        ask = "Where is nothing refused, minutes later?",
        choices = {
          { "By random sort key alone", holds = function() return cells[2][3] == 0 and cells[3][3] > 0 end },
          { "By either sort key", belief = "a split always halves the writes", why = "By time each new row comes behind the last one: on the upper side of every cut.",
            holds = function() return cells[2][3] == 0 and cells[3][3] == 0 end },
          { "By none: p9 is one key", belief = "one partition key is one partition", why = "One item cannot be cut. Rows under one key can, between two sort keys.",
            holds = function() return cells[2][3] > 0 and cells[3][3] > 0 end },
        },
        why = "Random rows fall on both sides of a cut; by time all come behind it.",
        hints = { "On which side of a cut does the next row come?", "By time: always the upper one.", "By chance: on either." } },
      after = [=[
        A [[local index]] forbids even that cut: it keeps a key's rows together. The price: a count reads many rows.]=] },

    { id = "nova", title = "A key you did not see", show = { "parts:dynamodb" }, key = P9, enter = function(w)
        only(w, "dynamodb")
        w:play_for(0.1)
      end,
      say = [=[
        The likes have a [[global index]] by creator, kept like a table with partitions of its own (the picture). p3, p6, p9 and p12 are nova's: {FANS} likes a second for p9, {LIKE} for each other.]=],
      with = { FANS = FANS, LIKE = LIKE },
      predict = { id = "p7-nova", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes a second does the index key nova get?",
        answer = function() return HERS end,
        wrong = { [FANS] = { belief = "a hot post is a hot key", why = "In the index the key is the creator: all of her posts meet." },
          [FANS + LIKE * 15] = { belief = "an index has one key", why = "So many likes come for all posts. nova has four of them." } },
        why = "{FANS} and three times {LIKE}.",
        hints = { "What is the key in the index?", "The creator. nova has four posts.", "{FANS} + 3 x {LIKE}." } },
      run = function(w)
        index_flows(w, 1)
        w:play_for(2.1)
      end,
      after = [[
        {full(part(w, "dynamodb", "nova"))}% of one partition. An index is written after its table; when it falls behind, DynamoDB refuses writes to the table: *back-pressure*.]] },

    { id = "salt", title = "Salt the index", show = { "table" }, key = P9, enter = calm, table = salted,
      knobs = { { name = "salt", label = "salts", values = SALTS, start = 1 } },
      say = [[
        The index key becomes `nova#0`, `nova#1` ...: {knob.salt} in all, by user. Her likes are then read with as many queries. (Eight: {HERS / 8} writes each.)

        Where two meet on a partition DynamoDB splits between them. See what is refused now, and a minute later.]],
      try = { ask = "Turn L (a capital) to the fewest salts that fill {PLAN}% of a partition at most.",
        goal = function() return knob.salt == math.ceil(HERS / (UNITS * PLAN / 100)) end,
        solution = { "knob salt 4" },
        hints = { "L goes to the next number, and round.", "{PLAN}% of {UNITS} writes.", "{HERS} over four is {round(HERS / 4, 2)}." } },
      with = { PLAN = PLAN, HERS = HERS, UNITS = UNITS } },

    -- ------------------------------------------------------------------ Kinesis

    { id = "shards", title = "A stream of likes", show = { "parts:kinesis" }, key = P9,
      enter = function(w)
        stream(w)
        M.near = near(w)
      end,
      say = [[
        Kinesis: each like is a record. The MD5 of its partition key, here the post, is a number of 128 bits. A shard owns a range of them, and takes {UNITS} records or 1 MB a second.

        {15 * LIKE + FANS} likes, so four shards. Shard 3 is asked for {part(w, "kinesis").writes}. You split it in the middle; {m("near")} of p9's {m("all")} neighbours are in its half.]],
      with = { LIKE = LIKE, FANS = FANS, UNITS = UNITS },
      predict = { id = "p7-shards", kind = "number", unit = "%", tolerance = 3,
        ask = "How full is the half that has p9?",
        answer = function(w) return full(part(w, "kinesis")) end,
        wrong = { [round((FANS + 5 * LIKE) / 2 / UNITS * 100)] = { belief = "a split halves the load", why = "It halves the numbers. p9 has one number." },
          [265] = { belief = "all keys of a shard stay together", why = "Three of the six lie in the other half." },
          [round(FANS * 100 / UNITS)] = { belief = "p9 is alone in its half", why = "So much by p9 alone. Its neighbours in that half are liked, too." } },
        why = "p9 has one number, in one half, and {m(\"near\")} neighbours there.",
        hints = { "How many numbers does p9 have?", "One: all of its likes come to one half.", "{FANS}, and {m(\"near\")} x {LIKE}." } },
      run = function(w)
        hand(w, "kinesis", "cut " .. part(w, "kinesis").number)
        w:play_for(2.1)
      end,
      after = [[
        p9 alone fills {FANS * 100 // UNITS}% of a shard, before and after. Nothing is split unless you ask; on demand AWS adds shards, with the same limit.]] },

    { id = "pack", title = "Nine in a record", show = { "parts:kinesis" }, key = P9, enter = stream,
      say = [[
        The limit counts records. So routers put {PACK} likes into one record.]],
      with = { PACK = PACK, LIKE = LIKE, FANS = FANS },
      predict = { id = "p7-pack", kind = "number", unit = "records/s", tolerance = 12,
        ask = "How many records a second come to the stream, of {15 * LIKE + FANS} likes?",
        answer = function(w) return w:system("kinesis").second.writes end,
        wrong = { [(15 * LIKE + FANS) * PACK] = { belief = "packing adds records", why = "Nine likes share one record." },
          [15 * LIKE + FANS] = { belief = "a record is a like", why = "It is what the producer puts into it, up to its size." } },
        why = "{15 * LIKE + FANS} / {PACK}.",
        hints = { "One record for nine likes.", "Divide.", "{15 * LIKE + FANS} / {PACK}." } },
      run = function(w)
        perform(w, "system kinesis set pack " .. PACK)
        w:play_for(2.1)
      end,
      after = [[
        Nothing is refused. Here packets mix posts, so p9's likes lose their order. Packets of one post keep it (p9's: {round(FANS / PACK)} a second); a quiet post's fill slowly.]] },

    { id = "lineage", title = "Parent and children", show = { "lineage:kinesis" }, key = P9,
      enter = function(w)
        only(w, "kinesis", nil, "reader " .. SLOW, "order any")
        likes(w, RUSHED)
        w:play_for(3.1)
      end,
      say = [=[
        A split moves no record. The *parent* is closed, and keeps what it has until that expires; two *children* take what comes: the stream's [[lineage]].

        A reader takes {SLOW} records a second of a shard; {part(w, "kinesis").unread} of p9's are unread. You split it, and a worker starts on the child at once.]=],
      with = { SLOW = SLOW },
      predict = { id = "p7-lineage", kind = "choice", confidence = true,
        ask = "What does the reader see of p9?",
        choices = {
          { "Newer likes before older ones", holds = function(w) return w:system("kinesis").disorder > 0 end },
          { "Each like once, in order", belief = "a stream is in order", why = "Order holds within a shard. The child's first record is newer than all that is left in the parent.",
            holds = function(w) return w:system("kinesis").disorder == 0 end },
          { "The unread ones are gone", belief = "a closed shard is deleted", why = "It is closed, and is kept as long as its records: a day, if nothing is said.",
            holds = function(w) return w:system("kinesis").skipped > 0 end },
        },
        why = "The older ones are in the parent, unread.",
        hints = { "Where is the oldest unread like of p9?", "In the parent.", "And what does the worker read?" } },
      run = function(w)
        hand(w, "kinesis", "cut " .. part(w, "kinesis").number)
        w:play_for(2)
      end,
      after = [[
        {w:system("kinesis").disorder} came too early. The rule: *finish the parent, then start the child.* The KCL and Lambda keep it for you.]] },

    -- ------------------------------------------------------------------ Kafka

    { id = "members", title = "More consumers", show = { "group:kafka" }, key = P9,
      enter = function(w) topic(w, "reader " .. GREEDY, "members 4") end,
      say = [=[
        Kafka takes a hash of the key (murmur2), modulo the number of partitions. In a [[consumer group]] each partition has one reader.

        4 partitions, 4 members that fall behind. You start {MORE} more.]=],
      with = { MORE = MEMBERS - 4, MEMBERS = MEMBERS },
      predict = { id = "p7-members", kind = "number", tolerance = 0,
        ask = "How many members read then?",
        answer = function(w) return working(w) end,
        wrong = { [MEMBERS] = { belief = "more consumers read faster", why = "A partition has one reader of a group. Who gets none waits." } },
        why = "As many as there are partitions.",
        hints = { "Who reads a partition?", "One member of the group.", "And how many partitions are there?" } },
      run = function(w)
        perform(w, "system kafka set members " .. MEMBERS)
        w:play_for(4)
      end,
      after = [[
        {MEMBERS - working(w)} have nothing to read: partitions cap the consumers that help.]] },

    { id = "modulo", title = "Four to eight, modulo", show = { "parts:kafka" }, key = P9,
      enter = function(w) topic(w) end,
      say = [[
        So the topic goes from 4 partitions to 8. (It never has fewer again.)]],
      predict = { id = "p7-modulo", kind = "number", unit = "%", tolerance = 2,
        ask = "For what share of {#KEYS} keys do new records go elsewhere?",
        answer = function() return moved(4, 8) end,
        wrong = { [0] = { belief = "keys stay where they are", why = "Old records do. New ones go where hash and number say." },
          [100] = { belief = "a new number moves everything", why = "What was 2 modulo 4 is 2 or 6 modulo 8." },
          [80] = { belief = "it is like four to five", why = "Twice as many is kinder: a remainder stays, or is four more." } },
        why = "A remainder stays or is four more: half and half.",
        hints = { "A key has the remainder 2 by 4. What can it have by 8?", "2 or 6.", "About half." } },
      with = { KEYS = KEYS },
      run = function(w)
        hand(w, "kafka", "parts 8")
        w:play_for(2.1)
      end,
      after = [[
        {moved(4, 8)}%. p9 stays on partition {kafka(8):owner("p9")} with all of its likes. p14 goes from {kafka(4):owner("p14")} to {kafka(8):owner("p14")}; its old records stay.]] },

    { id = "kafka-order", title = "p14's likes", show = { "parts:kafka" }, key = P14,
      enter = function(w)
        topic(w, "reader 180", "members 4")
        w:flow("like", "likes:{p14}", 200, "scattered")
        w:play_for(4)
      end,
      say = [[
        Order holds within a partition. p14 has become hotter, and readers are behind: partition {kafka(4):owner("p14")} has {part(w, "kafka", "p14").unread} unread records when the topic goes to 8.]],
      predict = { id = "p7-kafka-order", kind = "choice",
        ask = "Are p14's likes read in order?",
        choices = {
          { "Yes: Kafka keeps them in order", belief = "a topic is in order", why = "Order holds within a partition. p14's older likes are on one, the newer on another, with readers of their own.",
            holds = function(w) return w:system("kafka").disorder == 0 end },
          { "Yes: a new one waits for its parent", belief = "Kafka has a lineage", why = "Shards of Kinesis have. A new partition of Kafka knows no parent.",
            holds = function(w) return w:system("kafka").disorder == 0 end },
          { "No: new ones overtake old ones", holds = function(w) return w:system("kafka").disorder > 0 end },
        },
        why = "Partition {kafka(8):owner(\"p14\")} begins empty and is read at once; {kafka(4):owner(\"p14\")} is behind.",
        hints = { "Where are the old ones, where the new?", "On two partitions.", "Does anything tie the two together?" } },
      run = function(w)
        hand(w, "kafka", "parts 8")
        w:play_for(6)
      end,
      after = [[
        {w:system("kafka").disorder} came before an older one. So topics with keys are made large enough on the first day.]] },

    -- ------------------------------------------------------------------ all nine, on one trace

    { id = "nine-say", title = "Nine systems", show = { "systems" }, key = P9,
      enter = function(w)
        nine(w, LIKE)
        w:play_for(2.1)
      end,
      say = [[
        All nine get the same likes, {FANS} a second for p9. Only DynamoDB's and Kinesis's limits are vendors'; elsewhere a machine has the story's {UNITS} writes, and a real one does far more. A row tells its rules (tab, down).]],
      with = { FANS = FANS, UNITS = UNITS },
      predict = { id = "p7-nine-say", kind = "several",
        ask = "Which refuse at once, by a documented limit?",
        choices = {
          { "DynamoDB", why = "A partition has {UNITS} write units a second, and says so.", holds = function(w) return w:system("dynamodb").throttled > 0 end },
          { "Kafka", belief = "who is full says so", why = "A broker takes what it can, and producers wait, until their time is over.", holds = function(w) return w:system("kafka").throttled > 0 end },
          { "Kinesis", why = "A shard takes {UNITS} records a second, and says so.", holds = function(w) return w:system("kinesis").throttled > 0 end },
          { "Redis Cluster", belief = "who is full says so", why = "It has no limit a second: a master is slow, and clients time out.", holds = function(w) return w:system("redis").throttled > 0 end },
        },
        why = "Two are sold by the unit, and count units.",
        hints = { "Who sells capacity by the unit?", "AWS does, twice.", "The others are machines that get slow." } },
      run = function(w)
        likes(w, FANS)
        w:play_for(4.1)
      end,
      after = [[
        In the model too much for all nine. {titles(w, function(s) return s.second.throttled > 0 end)} refuse; the other {count(w, function(s) return s.second.late > 0 end)} let clients wait until it is too late. p9 gets what one place can do. (Copies cost work in Cassandra's row alone; really everywhere.)]] },

    { id = "nine-grow", title = "Keys that grow, nine times", show = { "systems" }, key = P9,
      enter = function(w)
        nine(w, 0, 0)
        w:play_for(0.1)
      end,
      say = [[
        Now nothing but photos, {PHOTOS} a second: photo000000001, photo000000002 ...]],
      with = { PHOTOS = PHOTOS },
      predict = { id = "p7-nine-grow", kind = "several",
        ask = "Where does one part get (nearly) all of them?",
        choices = {
          { "Cassandra", belief = "order of keys shows everywhere", why = "A token is a hash: keys that follow each other lie far apart.", holds = function(w) return hottest(w, "cassandra") > 80 end },
          { "CockroachDB", why = "Ranges in the order of keys: the last one.", holds = function(w) return hottest(w, "cockroachdb") > 80 end },
          { "Kinesis", belief = "a stream is in order of keys", why = "MD5 scatters them.", holds = function(w) return hottest(w, "kinesis") > 80 end },
          { "HBase", why = "Regions in the order of keys: the last one.", holds = function(w) return hottest(w, "hbase") > 80 end },
        },
        why = "Those that keep keys in their order.",
        hints = { "Who places by a hash?", "Cassandra and Kinesis.", "In order of keys new ones are at the end." } },
      run = function(w)
        perform(w, "series photo " .. PHOTOS)
        w:play_for(5)
      end,
      after = [[
        {titles(w, function(_, name) return hottest(w, name) > 80 end)}: they keep keys in order (MongoDB by a ranged key). The cure is Part 2's: a hash in front. CockroachDB and MongoDB have one built in.]] },

    { id = "nine-add", title = "A machine more", show = { "systems" }, key = P9,
      enter = function(w)
        nine(w, MILD)
        w:play_for(2.1)
      end,
      say = [[
        p9 is calmer, {MILD} likes a second. Each gets a machine more (DynamoDB and Kinesis show none).]],
      with = { MILD = MILD },
      predict = { id = "p7-nine-add", kind = "several",
        ask = "Which gave the new one work by themselves?",
        choices = {
          { "Kafka", belief = "a cluster balances itself", why = "A new broker gets nothing until somebody reassigns partitions.", holds = function(w) return newest(w, "kafka").leads > 0 end },
          { "Cassandra", why = "A node that joins takes tokens, and streams their data.", holds = function(w) return newest(w, "cassandra").leads > 0 end },
          { "CockroachDB", why = "Replicas go where there is room, then leases.", holds = function(w) return newest(w, "cockroachdb").leads > 0 end },
          { "Redis Cluster", belief = "a cluster balances itself", why = "A new master is empty until an operator moves slots.", holds = function(w) return newest(w, "redis").leads > 0 end },
        },
        why = "Two wait for an operator.",
        hints = { "Who needs somebody at a keyboard?", "Kafka has a tool for it, Redis another.", "The other two do it themselves." } },
      run = function(w)
        order(w, "system all grow")
        w:play_for(4.1)
      end,
      after = [[
        So far the new one has something in {titles(w, function(_, name) return name ~= "dynamodb" and name ~= "kinesis" and newest(w, name).leads > 0 end)}. HBase's balancer looks every five minutes, MongoDB's at bytes. Kafka, Redis Cluster and Vitess wait for somebody.]] },

    { id = "nine-lose", title = "A machine less", show = { "systems" }, key = P9,
      enter = function(w)
        nine(w, WARM + 100, 10)
        w:play_for(2.1)
        for _, name in ipairs(NAMES) do
          order(w, "system " .. name .. " down " .. part(w, name).machine)
        end
        w:play_for(PASS)
      end,
      say = [[
        p9's machine died {PASS} s ago, in each of the nine. Kafka has acks=all and min.insync.replicas={MIN} (by default 1), MongoDB w: majority; Redis Cluster and Vitess have their defaults.]],
      with = { PASS = PASS, MIN = 2, SHORT = 5, LONG = 20 },
      predict = { id = "p7-nine-lose", kind = "several",
        ask = "Where are likes gone that fans were told OK for?",
        choices = {
          { "Kafka", belief = "a leader that dies takes its last writes along", why = "With acks=all and two in sync, a follower has them before anybody is told.",
            holds = function(w) return w:system("kafka").lost > 0 end },
          { "MongoDB", belief = "a leader that dies takes its last writes along", why = "With majority a second machine has them before anybody is told.",
            holds = function(w) return w:system("mongodb").lost > 0 end },
          { "Redis Cluster", why = "It answers first, and copies then.", holds = function(w) return w:system("redis").lost > 0 end },
          { "Vitess", why = "Its durability_policy is none, if you do not ask for semi_sync.", holds = function(w) return w:system("vitess").lost > 0 end },
        },
        why = "Two say OK before another machine has it.",
        hints = { "Who had the like when the fan was told OK?", "With two in sync and with majority: two machines at least.", "Who answers first and copies then?" } },
      run = function(w) w:play_for(4.1) end,
      after = [[
        {w:system("redis").lost} at Redis Cluster, {w:system("vitess").lost} at Vitess: a copy lags {SHORT} and {LONG} ms in the model; nobody promises either. (HBase lost none; p9's region is not open yet.) What counts: who has a write when its client is told.]] },

    { id = "tell", title = "Tell the team", show = { "systems" }, key = P9,
      enter = function(w)
        nine(w, FANS)
        w:play_for(4.1)
      end,
      say = [[
        "We go to DynamoDB. It splits hot partitions by itself."]],
      with = { FANS = FANS, UNITS = UNITS },
      predict = { id = "p7-tell", kind = "explain",
        ask = "What does that do for p9?",
        model = "A split isolates p9: neighbours are well, it keeps {FANS * 100 // UNITS}%. Rows can be cut, an item never. Salt it, or sum first.",
        rubric = { "neighbours are helped", "one item is never cut", "rows by sort key are", "salt or sum" },
        hints = { "Who is helped by a split?", "What can be cut, what not?", "What did Part 5 do?" } },
      after = [[
        The core of Part 7 ends here.]] },

    -- ------------------------------------------------------------------ deeper: tables and streams of AWS

    { id = "graph", title = "Which graph?", deeper = true, show = { "parts:dynamodb" }, key = P9,
      enter = function(w)
        only(w, "dynamodb")
        index_flows(w, 1)
        w:play_for(2.1)
      end,
      say = [[
        The index by creator again. Contributor Insights draws for a table, and for each index, which keys are most *accessed* and most *throttled*. Here the index has no room for writes.]],
      predict = { id = "p7-graph", kind = "choice",
        ask = "Which graph shows nova?",
        choices = {
          { "The table's throttled keys", belief = "what fails shows where it fails", why = "The table's keys are posts: nova cannot be among them.", holds = function() return false end },
          { "The index's accessed keys", holds = function(w) return full(part(w, "dynamodb", "nova")) > 100 end },
          { "The table's accessed keys", belief = "a table shows its indexes", why = "There the key is the post. nova is a key of the index alone.", holds = function() return false end },
        },
        why = "nova is a key of the index alone.",
        hints = { "Where is nova a key?", "In the index alone.", "So whose graph?" } },
      after = [[
        So watch each index. Newer SDKs' exceptions name it, too: IndexWriteKeyRangeThroughputExceeded. (Accessed keys are missing where one chose to see throttled ones alone.)]] },

    { id = "break-order", title = "Break it: the rule", deeper = true, show = { "table", "lineage:kinesis" }, key = P9, table = orders,
      enter = function(w)
        only(w, "kinesis", nil, "reader " .. SLOW)
        likes(w, RUSHED)
        w:play_for(3.1)
      end,
      say = [[
        The same two seconds after the split, with the rule and without. The rule costs time: while the parent is read, nobody reads the
        children.]],
      predict = { id = "p7-break-order", kind = "choice",
        ask = "With the rule, when is a child read?",
        choices = {
          { "When the parent has expired", belief = "closed is not the end", why = "That takes a day or more. What counts is that everything in it was read.", holds = function() return false end },
          { "When the parent is read to its end", holds = function() return cells[1][3] == 0 and cells[2][3] > 0 end },
          { "When it has more than the parent", belief = "the newest is the most urgent", why = "Then the older ones would come after it.", holds = function() return false end },
        },
        why = "{cells[1][3]} out of order with it, {cells[2][3]} without.",
        hints = { "What may lie in the parent?", "Older records of the same keys.", "So nothing of the child before its last one." } },
      after = [[
        Open both rows (tab, enter): {cells[1][2]} records wait with the rule, {cells[2][2]} without.]] },

    { id = "two-posts", title = "A split that helps", deeper = true, show = { "parts:kinesis" }, key = P9,
      enter = function(w)
        only(w, "kinesis")
        likes(w, TWO)
        w:flow("like", "likes:{p13}", TWO, "scattered")
        w:play_for(2.1)
      end,
      say = [[
        Another evening: p9 and p13 get {TWO} likes a second each, and share shard 3. Here a split helps, if it falls between them. The others are cold.

        Two commands, `system kinesis cut N` and `system kinesis join N M`, with numbers of shards: you pay by the shard.]],
      with = { TWO = TWO },
      try = { ask = "Press : and bring it to four open shards, none of them over its limit.", builds = true,
        goal = function(w)
          local s = w:system("kinesis")
          if s.parts ~= 4 or w:system_of("kinesis", "p9").number == w:system_of("kinesis", "p13").number then return false end
          local f = w:fork()
          f:play_for(2.1)
          return f:system("kinesis").second.throttled == 0
        end,
        solution = { "system kinesis cut 3", "system kinesis join 0 1" },
        hints = { "Cut the hot one, join two cold neighbours.", "The middle of shard 3 lies between p9 and p13.", "`system kinesis cut 3`, then `system kinesis join 0 1`" } } },

    { id = "streams", title = "A table's stream", deeper = true, show = { "card:dynamodb" }, key = P9, enter = function(w) only(w, "dynamodb") end,
      say = [[
        A table can have a stream of its changes. It has shards, as Kinesis has; records stay for {DAY} hours.

        Where a partition is cut, its shard gets children. A is closed, with 3,000 unread changes. B is A's child, C is B's. All have changes of p9.]],
      with = { DAY = 24 },
      predict = { id = "p7-streams", kind = "choice",
        ask = "One worker. In which order?",
        choices = {
          { "C, B, A: the newest first", belief = "new changes are urgent", why = "Then an old value of p9 would overwrite a newer one.", holds = function() return false end },
          { "A third of each in turn", belief = "fair is right", why = "C's first change is newer than the last one of B.", holds = function() return false end },
          { "A, B, C", holds = function() return true end },
        },
        why = "Each parent to its end, then its child.",
        hints = { "Where are the oldest changes of p9?", "In A.", "Parents first." } },
      after = [[
        AWS says so for both: process a parent before its children. The Kinesis Adapter and Lambda do it for a table's stream, and at most two readers may read a shard of it at
        once.]] },

    { id = "double", title = "Four to eight", deeper = true, show = { "parts:kinesis" }, key = P9, enter = stream,
      say = [[
        UpdateShardCount makes eight equal ranges of the four. p9's number lies {decimals(100 * w:system_key("kinesis", "p9").at, 1)}% of the way from the least to the greatest.]],
      predict = { id = "p7-double", kind = "number", tolerance = 0,
        ask = "In which of the eight is p9, counted from 0?",
        answer = function(w) return w:placed("kinesis", "p9", 8) end,
        wrong = { [3] = { belief = "a key keeps its shard", why = "That one is its parent, of four. It is closed." },
          [7] = { belief = "counting begins at 1", why = "The seventh, which is number 6 when the first is 0." } },
        why = "Eight times that share, rounded down.",
        hints = { "Eight equal ranges: each is an eighth, 12.5%.", "How many whole eighths lie below p9?", "Six." } },
      run = function(w)
        hand(w, "kinesis", "parts 8")
        w:play_for(2.1)
      end,
      after = [[
        {w:system("kinesis").closed} parents closed, {w:system("kinesis").parts} children open; p9's, named {part(w, "kinesis").number}, is {full(part(w, "kinesis"))}% full. Twice the bill, and p9 is as hot.]] },

    { id = "calls", title = "How far in a call", deeper = true, show = { "parts:kinesis" }, key = P9, enter = stream,
      say = [[
        One UpdateShardCount goes to double the open shards at most, and to half at least. By default there are ten calls in 24 hours. (Try : and `system kinesis parts 9`: it is refused, and says
        why.)]],
      predict = { id = "p7-calls", kind = "number", unit = "calls", tolerance = 0,
        ask = "You have 4 shards, and need 30 tonight. How many calls?",
        answer = function(w) return calls(w, 4, 30) end,
        wrong = { [1] = { belief = "one asks for what one needs", why = "The first call may reach 8." },
          [8] = { belief = "each call adds as many", why = "It doubles, so each call adds more than the one before." } },
        why = "4, 8, 16, 30.",
        hints = { "What can the first call reach?", "8. And the second?", "16. Then 30." } },
      after = [[
        Ten calls could make {4 * 2 ^ 10 // 1} of them; other limits come first. AWS advises quarters of what is there: others take longer. Each call takes minutes, and leaves closed parents to read. Who knows when nova posts asks before.]] },

    { id = "readers", title = "Five calls", deeper = true, show = { "card:kinesis" }, key = P9, enter = stream,
      say = [[
        What comes out has limits as well: a shard gives 2 MB a second, in five calls (GetRecords), to all who read it together. p9's shard takes {MB} MB a second now. Each team has a reader of all of it, which calls once a second.]],
      with = { MB = 0.2 },
      predict = { id = "p7-readers", kind = "number", unit = "readers", tolerance = 0,
        ask = "How many such readers can a shard have?",
        answer = function() return 5 end,
        wrong = { [10] = { belief = "bytes are the only limit", why = "By bytes ten could. But a shard answers five calls a second." },
          [2] = { belief = "a reader takes a megabyte", why = "So it is when the shard is full. Now each takes {MB}." } },
        why = "By bytes ten, by calls five: one each. The smaller limit counts.",
        hints = { "How many by bytes?", "2 by {MB}. And by calls?", "Five calls a second, one a reader." } },
      after = [[
        A shard that is full, 1 MB in, has room for two: 2 MB out. A sixth reader shares calls, or pays for a way out of its own (enhanced fan-out).]] },

    -- ------------------------------------------------------------------ deeper: Kafka

    { id = "null-keys", title = "Without a key", deeper = true, show = { "table", "parts:kafka" }, key = P9, table = keyless,
      enter = function(w)
        only(w, "kafka")
        likes(w, FANS)
        w:play_for(2.1)
      end,
      say = [=[
        A record needs no key. Then the producer fills a batch for one partition (at most 16,384 bytes by default), and the next for another: *sticky*. Say that likes have no key any more.]=],
      predict = { id = "p7-null-keys", kind = "choice",
        ask = "What do p9's {FANS} likes do then?",
        choices = {
          { "They spread, and have no order", holds = function() return cells[2][2] <= 150 and cells[1][2] > 150 end },
          { "They heat one partition, as before", belief = "a hot key is hot without its name", why = "Nothing ties them together any more. Batches go round.",
            holds = function() return cells[2][2] > 150 end },
          { "They spread, and stay in order", belief = "a topic is in order", why = "Order holds within a partition, and p9's likes are on all of them.",
            holds = function() return false end },
        },
        why = "The fullest: {cells[1][2]}% with a key, {cells[2][2]}% without.",
        hints = { "What decided the partition of a like?", "Its key. Now a batch does.", "And order holds within a partition." } },
      with = { FANS = FANS },
      after = [[
        For likes that are only counted that is a cure. Its price: each consumer has a part of p9's count, and somebody adds them up. For a history, "liked, unliked, liked", it is not.]] },

    { id = "sizing", title = "How many partitions?", deeper = true, show = { "table" }, key = P9, enter = calm, table = sizes,
      say = [=[
        A rule for the first day: as many as the greater of T / P and T / C. T is what shall go through, P what producers can write into a partition, C what one consumer can read of it.

        T is {RATE} likes a second, P is {UNITS}, C is {GREEDY}.]=],
      with = { RATE = FANS + 15 * LIKE, FANS = FANS, LIKE = LIKE, UNITS = UNITS, GREEDY = GREEDY, math = math },
      predict = { id = "p7-sizing", kind = "number", unit = "partitions", tolerance = 0,
        ask = "How many at least?",
        answer = function() return math.ceil(math.max((FANS + 15 * LIKE) / UNITS, (FANS + 15 * LIKE) / GREEDY)) end,
        wrong = { [4] = { belief = "writing decides", why = "Four take it in. Four consumers read {GREEDY * 4} of it." },
          [15] = { belief = "both needs add up", why = "A partition is written and read at once. The greater need decides." } },
        why = "T / C is {round((FANS + 15 * LIKE) / GREEDY, 1)}, rounded up.",
        hints = { "T / P and T / C.", "{round((FANS + 15 * LIKE) / UNITS, 2)} and {round((FANS + 15 * LIKE) / GREEDY, 1)}.", "The greater one, rounded up." } },
      after = [[
        Then some years of growth on top, since more later breaks the order of half of the keys. It assumes that keys are even: p9 alone needs {math.ceil(FANS / GREEDY)} consumers, and may have one.]] },

    { id = "rebalance", title = "One leaves", deeper = true, show = { "group:kafka" }, key = P9,
      enter = function(w)
        only(w, "kafka", " 6", "reader 600", "members 3")
        likes(w, LIKE)
        w:play_for(3.1)
      end,
      with = { SESSION = 45 },
      say = [=[
        6 partitions, 3 members, two each. The third one leaves: the group has to [[rebalance]]. The classic protocol is *eager* by default: all give back everything, and it is dealt
        anew.]=],
      predict = { id = "p7-rebalance", kind = "number", unit = "partitions", tolerance = 0,
        ask = "How many partitions is nobody reading meanwhile?",
        answer = function(w) return w:system_group("kafka").paused end,
        wrong = { [2] = { belief = "only what has no owner stops", why = "Eager takes all back first, also what stays where it is." } },
        why = "All of them.",
        hints = { "What does each member give back?", "All that it has.", "6 partitions." } },
      run = function(w)
        perform(w, "system kafka set members 2")
        w:play_for(0.5)
      end,
      after = [[
        In the field that is seconds to minutes. Each deploy does it, unless members keep their name (group.instance.id). One that dies is missed only after {SESSION} s.]] },

    { id = "cooperative", title = "Cooperative", deeper = true, show = { "group:kafka", "table" }, key = P9, table = rebalances,
      enter = function(w)
        only(w, "kafka", " 6", "reader 600", "members 3", "rebalance cooperative")
        likes(w, LIKE)
        w:play_for(3.1)
      end,
      say = [=[
        *Cooperative-sticky* gives back only what changes hands: who has a partition keeps it. The same member leaves.]=],
      predict = { id = "p7-cooperative", kind = "number", unit = "partitions", tolerance = 0,
        ask = "How many pause now?",
        answer = function(w) return w:system_group("kafka").paused end,
        wrong = { [6] = { belief = "a rebalance stops the group", why = "That was eager. Four partitions keep their readers." } },
        why = "The two of the member that went.",
        hints = { "Which partitions change hands?", "Those of the third member.", "Two." } },
      run = function(w)
        perform(w, "system kafka set members 2")
        w:play_for(0.5)
      end,
      after = [[
        {cells[1][2]} against {cells[2][2]}. Newer brokers compute the assignment themselves, with a protocol of their own, and stop as little.]] },

    { id = "new-broker", title = "An empty broker", deeper = true, show = { "machines:kafka" }, key = P9,
      enter = function(w)
        only(w, "kafka")
        likes(w, 600)
        w:play_for(2.1)
        hand(w, "kafka", "grow")
        w:play_for(2.1)
      end,
      say = [=[
        A fifth broker, number {#w:system_machines("kafka") - 1}, has joined and has nothing: Kafka moves no partition by itself. An operator writes a plan, or a tool does (LinkedIn's Cruise Control is one). Here it is `system kafka move PARTITION BROKER`, in numbers.

        p9's partition is {part(w, "kafka").number}, on broker {part(w, "kafka").machine}.]=],
      try = { ask = "Press : and give p9's partition to the new broker; p plays on until it is there.", builds = true,
        goal = function(w) return part(w, "kafka").machine == #w:system_machines("kafka") - 1 end,
        solution = { "system kafka move 2 4", "request read post:{p1} via R0" },
        hints = { ": opens the line for commands.", "`system kafka move`, the partition, the broker.", "`system kafka move {=part(w, \"kafka\").number} {=#w:system_machines(\"kafka\") - 1}`" } } },

    { id = "who-leads", title = "Who leads", deeper = true, show = { "machines:kafka" }, key = P9,
      enter = function(w)
        only(w, "kafka")
        likes(w, 300)
        w:play_for(2.1)
      end,
      say = [=[
        Each partition has a [[leader]] and two followers on other brokers. p9's is led by broker {part(w, "kafka").machine}. It dies, and is back after {BACK} s.]=],
      with = { BACK = 10 },
      predict = { id = "p7-who-leads", kind = "choice",
        ask = "Who leads right after that?",
        choices = {
          { "It does, as before", belief = "who comes back takes over", why = "It comes back as a follower. Leaders go back to the first of their list later, all at once.",
            holds = function(w) return part(w, "kafka").machine == m("led") end },
          { "Nobody: the partition waits for it", belief = "a partition is on its broker", why = "The controller makes a replica that is in sync the leader, after some seconds.",
            holds = function(w) return part(w, "kafka").ok == 0 end },
          { "A former follower", holds = function(w) return part(w, "kafka").machine ~= m("led") end },
        },
        why = "The controller chose among the replicas in sync.",
        hints = { "Who has all records when it dies?", "The replicas in sync.", "And when it is back, somebody leads already." } },
      run = function(w)
        M.led = part(w, "kafka").machine
        hand(w, "kafka", "down " .. M.led)
        w:play_for(10)
        hand(w, "kafka", "up " .. M.led)
        w:play_for(1.1)
      end,
      after = [[
        Broker {part(w, "kafka").machine} does. So after an evening of restarts few brokers lead all. Every five minutes, or by an operator's call, leaders go back to the first of each list.]] },

    { id = "break-acks", title = "Break it: answer sooner", deeper = true, show = { "table" }, key = P9, enter = calm, table = hasty,
      with = { SHORT = 5, LONG = 20, MIN = 2 },
      say = [[
        Three answer when one machine has a write, and copy then: Kafka with acks=1, MongoDB with w: 1, Vitess by default. They can be told to wait: majority is MongoDB's default by now, all Kafka's (with min.insync.replicas={MIN}, which is not). The table lets p9's machine die in each, both
        ways.]],
      predict = { id = "p7-break-acks", kind = "number", tolerance = 0,
        ask = "Of the three that do not wait, how many lose acknowledged likes?",
        answer = function() return hasty_losers() end,
        wrong = { [0] = { belief = "a copy comes soon enough", why = "Soon is some milliseconds, and likes come all the time." },
          [1] = { belief = "only Redis is like that", why = "It waits for nobody. These can, and here do not." } },
        why = "The last ones were on one machine alone.",
        hints = { "How many machines have a like when the fan is told?", "One.", "And it dies." } },
      after = [[
        Faster by one hop, and a machine that dies takes acknowledged writes along: as many as its copies lag behind ({SHORT} ms in the model for Kafka, {LONG} for the others).]] },

    -- ------------------------------------------------------------------ deeper: the other six
    -- ------------------------------------------------------------------ deeper: Cassandra

    { id = "cassandra-tokens", title = "Tokens", deeper = true, show = { "machines:cassandra" },
      enter = b7_tokens_dealt,
      say = [=[
        Cassandra hashes a key (Murmur3) to a place on a ring. Each of {OLD} nodes has {b7_tokens(w)} [[tokens]] there, in the model at random: a token owns the piece of ring up to it.

        A fifth node joins, with as many tokens.]=],
      with = { OLD = 4 },
      predict = { id = "p7-cassandra-tokens", kind = "number", unit = "nodes",
        ask = "From how many of the {OLD} does it take a part of the ring?",
        answer = b7_givers,
        wrong = { [1] = { belief = "a new node splits its neighbour", why = "With one token it would. Each of its tokens falls somewhere else." },
          [0] = { belief = "a new node is empty", why = "A ring has no unowned place: who brings tokens takes what lies before them." } },
        why = "Its tokens fall into pieces of all of them.",
        hints = { "What does one token take?", "A part of the piece it falls into, which is one node's.", "And {b7_tokens(w)} of them?" } },
      run = function(w)
        w:command("system cassandra grow")
        w:play_for(2)
      end,
      after = [[
        It owns {b7_share(w, 5)}% of the ring; nodes 0 and 1 have {b7_share(w, 1)}% and {b7_share(w, 2)}%. More tokens would make that more even. Nothing was cut for load, and no key is smaller.]] },

    { id = "cassandra-three", title = "Three hot nodes", deeper = true, show = { "machines:cassandra" }, key = "likes:{p9}",
      enter = b7_cassandra,
      say = [=[
        Cassandra has no leaders. The node with the next token keeps a key, and so do the next two of {b7_of(w, "cassandra").machines} nodes: a write goes to
        all three. (Followers elsewhere write too; the model counts it only here.)

        A node can do {MAX} writes a second. p9 gets {P9} likes.]=],
      with = { MAX = B7_WRITES, P9 = B7_P9 },
      predict = { id = "p7-cassandra-three", kind = "number", unit = "nodes",
        ask = "How many nodes are asked for more than they can do?",
        answer = function(w) return b7_over(w, "cassandra") end,
        wrong = { [1] = { belief = "a hot key heats one machine", why = "So it is where a leader takes the writes. Here three nodes take each of them." },
          [2] = { belief = "a quorum is asked", why = "A quorum of answers is waited for. All three are asked." },
          [4] = { belief = "a ring spreads a key", why = "It spreads keys. One of four nodes keeps no copy of p9." } },
        why = "Each write goes to every copy.",
        hints = { "Which nodes get a like of p9?", "Those that keep it.", "Three." } },
      run = function(w)
        b7_crowd(w, B7_LIKES, B7_P9)
        w:play_for(2)
      end,
      after = [[
        With more nodes p9 has three as before. Where one leads, one machine is asked first, here three at once.]] },

    { id = "cassandra-levels", title = "Whom to wait for", deeper = true, show = { "table", "machines:cassandra" }, key = "likes:{p9}",
      enter = b7_cassandra, table = b7_levels,
      say = [=[
        With each request the client names a [[consistency level]]: it is told OK when one node has answered, a quorum (two of three), or all.

        p9 is calm again. One of four nodes dies.]=],
      predict = { id = "p7-cassandra-levels", kind = "several",
        ask = "At which level are all likes told OK?",
        choices = {
          { "one", holds = function() return cells[1][3] == cells[1][2] end },
          { "quorum", why = "Two of each key's three nodes are up.", holds = function() return cells[2][3] == cells[2][2] end },
          { "all", belief = "copies help at every level", why = "Keys with a copy on the dead node cannot have three answers.", holds = function() return cells[3][3] == cells[3][2] end },
        },
        why = "Who waits for all waits for the dead one.",
        hints = { "How many of a key's nodes are up?", "Two or three.", "Which levels want no more than two?" } },
      after = [[
        At level all {cells[3][3]} of {cells[3][2]}, for posts without a copy on the dead node. What a read at one returns may be old. At quorum, writes and reads both, each read asks a node that has the last write told OK.]] },

    { id = "cassandra-hints", title = "Two are down", deeper = true, show = { "machines:cassandra" }, key = "likes:{p9}",
      enter = b7_cassandra,
      say = [=[
        A node that is asked for a dead one keeps a [[hint]], for three hours, and hands it over when that one is back.

        The level is quorum. Two of p9's three nodes die; the third is up, and so is a node without p9.]=],
      predict = { id = "p7-cassandra-hints", kind = "choice", confidence = true,
        ask = "What is a like of p9 told?",
        choices = {
          { "OK: one node, and two hints", belief = "a hint is an answer", why = "A hint can be read by nobody. It does not count towards ONE, QUORUM or ALL.",
            holds = function(w) return w:system_key("cassandra", "p9").ok > 0 and w:system("cassandra").hints > 0 end },
          { "OK: the node without p9 stands in", belief = "a ring has always three", why = "Dynamo's sloppy quorum does that. In Cassandra the three are fixed.",
            holds = function(w) return w:system_key("cassandra", "p9").ok > 0 and w:system("cassandra").hints == 0 end },
          { "That it cannot be done", holds = function(w) return w:system_key("cassandra", "p9").ok == 0 end },
        },
        why = "Two answers are asked for, and one node can give one.",
        hints = { "How many answers are wanted?", "Two, of p9's nodes.", "One of those is up." } },
      run = function(w)
        local nodes = b7_p9_nodes(w)
        b7_do(w, "system cassandra down " .. nodes[2], "system cassandra down " .. nodes[3])
        w:play_for(2)
      end,
      after = [[
        None of {w:system_key("cassandra", "p9").writes}. At level one all would be told OK, on one node and as hints. (Level ANY takes a hint alone for an answer, and nobody can read it yet.) {w:system("cassandra").hints} hints are kept so far, for posts that still have two nodes.]] },

    -- ------------------------------------------------------------------ deeper: Redis Cluster

    { id = "redis-slot", title = "Three masters", deeper = true, show = { "parts:redis" }, key = "mykey",
      enter = function(w) b7_only(w, "system redis on 3 3") w:play_for(0.2) end,
      say = [[
        Redis Cluster places keys as our store does: CRC16, 16,384 slots. Three masters, numbered from 0, have a third each: up to 5460, to 10922, to 16383.

        The CRC16 of `mykey` is {w:crc16("mykey")}.]],
      predict = { id = "p7-redis-slot", kind = "number",
        ask = "In which slot is it?",
        answer = function(w) return w:slot("mykey") end,
        wrong = function(w) return { [w:crc16("mykey")] = { belief = "the hash is the slot", why = "There are 16,384 slots. The hash goes up to 65,535." },
          [w:system_of("redis", "mykey").machine] = { belief = "a key is asked for by its master", why = "That is the master. Its slots are what the map knows." } } end,
        why = "The remainder by 16,384.",
        hints = { "How often does 16,384 fit?", "Three times: 49,152.", "{w:crc16(\"mykey\")} - 49,152." } },
      after = [[
        So master {w:system_of("redis", "mykey").machine} has it. With a tag in braces only the tag is hashed, as ours. What differs is who knows the map: that comes next.]] },

    { id = "redis-claims", title = "No directory", deeper = true, show = { "table" },
      enter = function(w) b7_only(w) end,
      table = function()
        return { title = "Who says whose slot 12067 is", columns = { "node", "says", "epoch" }, numbers = { 3 }, rows = {
          { label = "A", cells = { "mine", "5" } }, { label = "B", cells = { "mine", "7" } }, { label = "C", cells = { "A's", "5" } } } }
      end,
      say = [=[
        Nobody keeps the map for all. A master has a [[config epoch]], one number; nodes gossip who has what.

        A was cut off; its replica B took over. Now A is back.]=],
      predict = { id = "p7-redis-claims", kind = "choice",
        ask = "Whose slot is it in the end?",
        choices = {
          { "A's: it had it first", belief = "the first owner owns", why = "A missed what happened. Its number says so.", holds = function() return tonumber(cells[1][3]) > tonumber(cells[2][3]) end },
          { "B's", holds = function() return tonumber(cells[2][3]) > tonumber(cells[1][3]) end },
          { "Whoever C heard last", belief = "gossip has no order", why = "News comes in any order. So it carries a number, and the higher one wins.", holds = function() return cells[1][3] == cells[2][3] end },
        },
        why = "The highest epoch claims the slot.",
        hints = { "Two claims, one slot.", "Which is newer?", "The higher number." } },
      after = [[
        A becomes B's replica. Our store has an epoch for each slot, told by the directory; here a node has one for all its slots, and nobody is in the middle.]] },

    { id = "redis-ask", title = "A slot on its way", deeper = true, show = { "parts:redis" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system redis on 3 3")
        b7_crowd(w, B7_LIKES, B7_LIKES)
        w:command("system redis cut " .. b7_part(w, "redis").number .. " p9")
        w:play_for(2.2)
        w:command("system redis move " .. b7_part(w, "redis").number .. " 0")
      end,
      say = [=[
        An operator moves slots to master {0}, key by key. Of p9's slot `likes:{p9}` has gone; `post:{p9}` has not. A client asks master {b7_part(w, "redis").machine} for the likes.

        It is told `ASK {=string.format("%d", w:slot("p9"))}`, and where master {0} is.]=],
      predict = { id = "p7-redis-ask", kind = "choice",
        ask = "Whose is the slot in the client's map then?",
        choices = {
          { "Master {0}'s", belief = "each redirect changes the map", why = "That is MOVED. While the move is on, the slot's other keys are where they were.", holds = function(w) return b7_part(w, "redis").machine == 0 end },
          { "Master {b7_part(w, \"redis\").machine}'s, as before", holds = function(w) return b7_part(w, "redis").machine == 2 end },
          { "Nobody's: it fetches the map", belief = "a redirect means an old map", why = "The map is right. One key has gone ahead of its slot.", holds = function(w) return b7_part(w, "redis").machine == 1 end },
        },
        why = "ASK is for this one request.",
        hints = { "Where are the slot's other keys?", "With the old master, as long as they have not gone.", "So the map stays." } },
      after = [=[
        It sends ASKING and the request to master {0}, once. When the last key has gone, the old master says MOVED, and the client changes its map. Newer servers can move a slot at once. Part 8 plays how ours moves.]=] },

    { id = "redis-lost", title = "Told OK, and gone", deeper = true, show = { "machines:redis" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system redis on 3 3")
        b7_crowd(w, B7_LIKES, 600)
        w:play_for(2)
        w:command("system redis down " .. b7_part(w, "redis").machine)
        w:play_for(1)
        b7_crowd(w, 5, 5)
        w:play_for(12.5)
      end,
      say = [[
        A master writes, tells its client OK, then sends the write to its replica. p9 got {RATE} likes a second until its master died, 13 s ago; then most fans left.

        After a timeout the others vote, and the replica leads.]],
      with = { RATE = 600 },
      predict = { id = "p7-redis-lost", kind = "choice", confidence = true,
        ask = "What of the likes that were told OK?",
        choices = {
          { "All are there", belief = "OK means safe", why = "It means: the master has it. The replica hears of it a moment later.",
            holds = function(w) return w:system("redis").lost == 0 end },
          { "The last few are gone", holds = function(w) return w:system("redis").lost > 0 and w:system("redis").lost < 100 end },
          { "Those of the last seconds", belief = "a replica is far behind", why = "It is some thousandths of a second behind. After that nobody takes writes, and tells nobody OK.",
            holds = function(w) return w:system("redis").lost >= 100 end },
        },
        why = "Replication is asynchronous: OK comes first.",
        hints = { "When is the client told?", "Before the replica has it.", "How long is a write on its way?" } },
      run = function(w) w:play_for(3) end,
      after = [[
        {w:system("redis").lost} are lost, and {w:system("redis").away} requests found nobody. (How many hangs on how far the replica is behind: 5 ms in the model, and nobody promises that.) A client can ask with `WAIT` how many replicas have its write: that tells more, and decides nothing.]] },

    -- ------------------------------------------------------------------ deeper: CockroachDB

    { id = "crdb-load", title = "Cut by load", deeper = true, show = { "parts:cockroachdb" },
      enter = function(w)
        b7_only(w, "system cockroachdb on 1")
        b7_crowd(w, B7_LIKES, B7_LIKES, 150, 150)
        w:play_for(9)
      end,
      say = [=[
        CockroachDB keeps rows in key order, in ranges of at most 512 MiB. One range has all posts. It is also [[split by load]]: beyond 2,500 requests a second, at a key
        that leaves as much on either side.

        For 9 s each of 16 posts has been asked for {EACH} times a second.]=],
      with = { EACH = 200, ALL = 3200 },
      predict = { id = "p7-crdb-load", kind = "number", unit = "ranges",
        ask = "How many ranges are there in the end?",
        answer = function(w) return w:system("cockroachdb").parts end,
        wrong = { [1] = { belief = "stores split by size only", why = "These few bytes would never be split. The load is." },
          [16] = { belief = "each hot key gets its own", why = "It is cut until no range is above the line, and not further." },
          [4] = { belief = "a split goes on to the end", why = "After one cut each half has 1,600, and that is below the line." } },
        why = "{ALL} are too many for one, and half of it is not.",
        hints = { "How many requests in all?", "{ALL}, with a line at 2,500.", "And after one cut?" } },
      run = function(w) w:play_for(4) end,
      after = [=[
        The halves are on {b7_machines(w, "cockroachdb")}. A [[range lease]] goes where there is room, and the load goes with it. Since 23.1 the line is one of processor time, unless set otherwise.]=] },

    { id = "crdb-popular", title = "The popular key", deeper = true, show = { "parts:cockroachdb" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system cockroachdb on 1")
        b7_crowd(w, 5, 5)
        w:flow("read", "post:{p9}", 2800)
        w:play_for(9)
      end,
      say = [=[
        One range again, and a line at 2,500 requests a second. For 9 s p9 alone has been asked for {READS} times a second, and the others hardly at all.]=],
      with = { READS = 2800 },
      predict = { id = "p7-crdb-popular", kind = "choice", confidence = true,
        ask = "What does CockroachDB do?",
        choices = {
          { "Cuts before and behind p9, and all is well", belief = "a key of its own is cooler", why = "Such a range would have p9's {READS} requests, as this one. Only a part of a key could be less, and a row is not cut.",
            holds = function(w) return w:system("cockroachdb").splits >= 2 end },
          { "Cuts in the middle", belief = "half the keys are half the load", why = "The load is at one key. One half would have all of it.",
            holds = function(w) return w:system("cockroachdb").splits == 1 end },
          { "Leaves it whole", holds = function(w) return w:system("cockroachdb").splits == 0 end },
        },
        why = "No key leaves as much on either side.",
        hints = { "It looks for a key with half of the load below.", "What is below p9, and what is above?", "One side always has p9." } },
      run = function(w) w:play_for(4) end,
      after = [=[
        It counts such cases, and its metrics call them the popular key. Reads of it can be spread, by copies whose answer is some seconds old ([[follower]]s) or by the caches of Part 4; its writes
        by salts.]=] },

    { id = "crdb-tail", title = "The newest rows", deeper = true, show = { "parts:cockroachdb" },
      enter = function(w)
        b7_only(w, "system cockroachdb on 4")
        w:command("series row 500")
        w:play_for(2.2)
      end,
      say = [=[
        Four ranges, and rows whose key is the next number: a [[monotonic key]]. Soon {RATE} come a second, more than the line at which a range is cut. It may be cut at any row.]=],
      with = { RATE = 2600 },
      predict = { id = "p7-crdb-tail", kind = "number", unit = "%", tolerance = 2,
        ask = "What share of the new rows does the busiest range get?",
        answer = function(w) return b7_busiest(w, "cockroachdb") end,
        wrong = { [50] = { belief = "a split halves the load", why = "It halves what is there. All that comes is larger than all of it." },
          [25] = { belief = "four ranges share", why = "Each has a run of keys. New ones belong to the last run." },
          [0] = { belief = "new rows go where there is room", why = "A row goes where its key says." } },
        why = "Where it is cut, the new rows are behind it.",
        hints = { "Which range has the largest keys?", "The last one. And after a cut?", "The last one again." } },
      run = function(w)
        w:command("series row 2600")
        w:play_for(3)
      end,
      after = [[
        {b7_busiest(w, "cockroachdb")}%, and {b7_tail(w)}% a quarter of a minute later, with {b7_of(w, "cockroachdb").parts} ranges as now: no row of now lies in the middle of those that come. So it is in HBase and MongoDB. Cure: a hash in front of the number; then a run of numbers is on all ranges.]] },

    { id = "crdb-home", title = "The lease goes home", deeper = true, show = { "machines:cockroachdb" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system cockroachdb on")
        b7_crowd(w, B7_LIKES, B7_LIKES)
        w:play_for(2.2)
      end,
      say = [=[
        Three copies of a range, each in another zone; one has the [[range lease]], and serves. Users in zone b ask across zones for p9's range. An operator prefers leases in b, where node 1 is.]=],
      predict = { id = "p7-crdb-home", kind = "choice",
        ask = "How many bytes are copied for that?",
        choices = {
          { "The whole range", belief = "who serves has the only copy", why = "A copy is in b already. What goes there is a right.",
            holds = function(w) return w:system("cockroachdb").moved_bytes > 0 and w:system("cockroachdb").moved_bytes >= b7_part(w, "cockroachdb").bytes end },
          { "What b's users have asked for", belief = "a lease fills a cache", why = "No cache is filled. The copy in b has all rows, as it gets every write.",
            holds = function(w) return w:system("cockroachdb").moved_bytes > 0 and w:system("cockroachdb").moved_bytes < b7_part(w, "cockroachdb").bytes end },
          { "None", holds = function(w) return w:system("cockroachdb").moved_bytes == 0 end },
        },
        why = "Only the lease goes to a copy that is there.",
        hints = { "Where are the copies?", "In each zone one.", "What moves is who may serve." } },
      run = function(w)
        w:command("system cockroachdb set home b")
        w:play_for(5)
      end,
      after = [=[
        Here all leases went, and node 1 does all the work. [[Residency]] is another demand: rows of people in b must have no copy elsewhere. That is a rule for copies, not for leases: CockroachDB documents `REGIONAL BY ROW` tables with super regions, and
        tells their limits. The region is then the first part of the key, so that their rows are ranges of their own.]=] },

    -- ------------------------------------------------------------------ deeper: HBase and Bigtable

    { id = "hbase-young", title = "A young table", deeper = true, show = { "parts:hbase" },
      enter = function(w)
        b7_only(w, "system hbase on 3 1", "series row 900 bytes 1000000")
        w:play_for(5)
      end,
      say = [=[
        HBase cuts a [[region]] by size, at most at 10 GB. By the rule of versions before 2.0, today a choice, a young table is cut earlier: at 256 MB times n x n x n, where n of its regions are on that server.

        Three are on one, and rows come.]=],
      predict = { id = "p7-hbase-young", kind = "number", unit = "MB", tolerance = 0,
        ask = "At how many MB is one cut by that rule?",
        answer = function() return math.min(10000, 256 * 3 * 3 * 3) end,
        wrong = { [768] = { belief = "it grows evenly", why = "The cube: 3 x 3 x 3." },
          [10000] = { belief = "a region is cut at 10 GB", why = "That is the default since HBase 2, from the second region on. This rule says 27 times 256." },
          [256] = { belief = "each region is cut at the same size", why = "That is for the first. The more there are, the larger they may grow." } },
        why = "27 times 256.",
        hints = { "The cube of three.", "27.", "27 x 256." } },
      run = function(w)
        for _ = 1, 40 do
          if w:system("hbase").splits > 0 then break end
          w:play_for(0.1)
        end
        w:play_for(0.3)
        w:command("series row 0")
      end,
      after = [[
        Looked at a moment later, there are {b7_round(b7_bytes(w, "hbase") / 1000000)} MB in the table. Both halves are on their server until the balancer, or somebody, moves one. HBase 2 by default knows two sizes only: 256 MB for the first region, 10 GB for others.]] },

    { id = "hbase-load", title = "HBase and Bigtable", deeper = true, show = { "table", "parts:hbase" },
      enter = function(w) b7_only(w, "system hbase on 1") end,
      table = function()
        local rows = {}
        for _, one in ipairs { { "size", "warm", 100, 100 }, { "load", "warm", 100, 100 }, { "load", "p9", 5, 1600 } } do
          rows[#rows + 1] = { label = one[1] .. ", " .. one[2], run = function(f)
            b7_do(f, "system hbase set splits " .. one[1])
            b7_crowd(f, one[3], one[4])
            f:play_for(30)
          end, cells = function(f)
            local s = f:system("hbase")
            return { s.parts, b7_round(100 * s.second.ok / s.second.asked) .. "%" }
          end }
        end
        return { title = "After 30 s", columns = { "split by, busy", "parts", "served" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [=[
        HBase looks at bytes. Bigtable, its model, cuts a [[tablet]] by load too, and moves it by load.

        One region; either 16 warm posts, or p9 alone, with more writes than a server can do.]=],
      predict = { id = "p7-hbase-load", kind = "several",
        ask = "Where is nearly all served after 30 s?",
        choices = {
          { "by size, warm posts", belief = "busy regions are cut", why = "These few bytes are far from a cut, and a cut is what would help.", holds = function() return tonumber((string.gsub(cells[1][3], "%%", ""))) > 90 end },
          { "by load, warm posts", why = "Cut between two posts, it is work for two.", holds = function() return tonumber((string.gsub(cells[2][3], "%%", ""))) > 90 end },
          { "by load, p9", belief = "load is always spread", why = "One row, one tablet.", holds = function() return tonumber((string.gsub(cells[3][3], "%%", ""))) > 90 end },
        },
        why = "Cut where it is busy, and if there are keys to part.",
        hints = { "Who cuts at all?", "By load.", "And what is on either side of the cut?" } },
      after = [[
        {cells[1][3]}, {cells[2][3]} and {cells[3][3]}. With HBase you cut by hand, choose a policy that looks at load (BusyRegionSplitPolicy), or make the table with many regions from the start (pre-splitting).]] },

    { id = "hbase-move", title = "A region moves", deeper = true, show = { "machines:hbase" },
      enter = function(w)
        b7_only(w, "system hbase on 2 2")
        w:command("series row 100 bytes 1000000")
        w:play_for(2)
        w:command("series row 0")
      end,
      say = [=[
        {MB(w)} MB of rows are in one region. Its files lie in a shared file system, HDFS. An operator gives the region to another server.]=],
      with = { MB = function(w) return b7_round(b7_bytes(w, "hbase") / 1000000) end },
      predict = { id = "p7-hbase-move", kind = "number", unit = "MB", tolerance = 0,
        ask = "How many MB are copied until the new server serves it?",
        answer = function(w) return b7_round(w:system("hbase").moved_bytes / 1000000) end,
        wrong = function(w) return { [b7_round(b7_bytes(w, "hbase") / 1000000)] = { belief = "who serves has the bytes", why = "The bytes are in HDFS, where both servers can read them. The new one opens the files." } } end,
        why = "Server and bytes are two things here.",
        hints = { "Where are the files?", "In a file system that all servers share.", "So what has to go over?" } },
      run = function(w)
        local p = b7_largest(w, "hbase")
        w:command("system hbase move " .. p.number .. " " .. (1 - p.machine))
        w:play_for(3)
      end,
      after = [[
        It is closed here and opened there, away for a moment, and cold: nothing of it is in the new server's cache, and its files are read over the net until they are written anew. In Bigtable too no file is copied; its files are always read over the net.]] },

    -- ------------------------------------------------------------------ deeper: MongoDB

    { id = "mongo-bytes", title = "Bytes, not load", deeper = true, show = { "machines:mongodb" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system mongodb on 4 2")
        b7_crowd(w, B7_LIKES, B7_LIKES)
        w:play_for(2.2)
      end,
      say = [=[
        MongoDB's [[balancer]] moves ranges of the key from shard to shard. It compares bytes.

        Two shards have about as much: what they differ by is far less than the {3 * 128} MB from which on it moves. On one of them is p9, and at 20:02 it is asked for {P9} writes a second.]=],
      with = { P9 = B7_P9 },
      predict = { id = "p7-mongo-bytes", kind = "number", unit = "ranges",
        ask = "How many ranges does the balancer move?",
        answer = function(w) return w:system("mongodb").moved end,
        wrong = { [1] = { belief = "a balancer sees load", why = "It counts bytes, and of those both have about as much." },
          [2] = { belief = "ranges are dealt evenly by load", why = "Load is not what it compares." } },
        why = "Both have about as many bytes.",
        hints = { "What does it compare?", "Bytes.", "Is there a difference?" } },
      run = function(w)
        b7_crowd(w, B7_LIKES, B7_P9)
        w:play_for(4)
      end,
      after = [[
        A shard at nearly three times what it can do, and a balancer that is content. Older versions counted ranges, newer ones bytes; load neither.]] },

    { id = "mongo-line", title = "How uneven?", deeper = true, show = { "machines:mongodb" },
      enter = function(w)
        b7_only(w, "system mongodb on 2 2")
        w:command("series row 20 bytes 1000000")
        w:play_for(17)
      end,
      say = [[
        New rows came to one shard only; it has {b7_uneven(w)} MB more than the other. A range is {SIZE} MB. The balancer leaves small differences alone: less than {3} times the size of a range.]],
      with = { SIZE = 128 },
      predict = { id = "p7-mongo-line", kind = "choice",
        ask = "What does it move?",
        choices = {
          { "A range of {SIZE} MB", belief = "one range is enough", why = "Then ranges would go to and fro. Three times that are waited for.", holds = function(w) return w:system("mongodb").moved == 1 end },
          { "As much as evens it out", belief = "any difference is evened out", why = "Each move costs; a small difference is not worth it.", holds = function(w) return w:system("mongodb").moved > 1 end },
          { "Nothing yet", holds = function(w) return w:system("mongodb").moved == 0 end },
        },
        why = "It begins at {3 * 128} MB.",
        hints = { "Three times what?", "Three times {SIZE} MB.", "Is the difference as large?" } },
      run = function(w)
        w:command("series row 0")
        w:play_for(4)
      end,
      after = [[
        With {100} MB more rows it begins, and 20 s later it has moved {b7_round(b7_balanced(w).moved_bytes / 1000000)} MB. A shard takes part in one move at a time. What goes is cut off as it goes; since 6.0.3 nothing is cut beforehand, and ranges grow beyond 128 MB where they are.]] },

    { id = "mongo-jumbo", title = "Too large to move", deeper = true, show = { "parts:mongodb" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system mongodb on 2 2")
        b7_crowd(w, B7_LIKES, B7_LIKES)
        w:play_for(2.2)
      end,
      say = [=[
        A shop's orders are placed by `country` alone. Of one country there are {SHARE} GB, all with one value of the key. A range is {SIZE} MB, and the balancer wants half of the country elsewhere.]=],
      with = { SHARE = 40, SIZE = 128 },
      predict = { id = "p7-mongo-jumbo", kind = "choice",
        ask = "What can it do?",
        choices = {
          { "Cut the range in the middle, move half", belief = "what is large can be cut", why = "A cut is at a value of the key. There is one value in it.",
            holds = function(w) return b7_cut_twice(w) end },
          { "Move the whole range", belief = "what cannot be cut can be moved", why = "It is larger than a range, so the balancer marks it jumbo and leaves it. (A move can be forced.)",
            holds = function() return 40 * 1000 <= 128 end },
          { "Nothing: it is jumbo", holds = function(w) return not b7_cut_twice(w) end },
        },
        why = "Between two equal keys there is no cut.",
        hints = { "Where can a range be cut?", "At a value of the key.", "How many values are there?" } },
      after = [=[
        A range with p9 alone was cut once more on a copy: one half got all of p9, the other nothing. A [[jumbo]] range needs more in its key: `country, order` (refineCollectionShardKey); later cuts have something to
        cut at then. Since 5.0 one may also reshard. A hashed `country` is one value as well.]=] },

    -- ------------------------------------------------------------------ deeper: Vitess

    { id = "vitess-reshard", title = "Reshard", deeper = true, show = { "parts:vitess" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system vitess on 2")
        b7_crowd(w, B7_LIKES, B7_LIKES)
        w:play_for(0.1) -- little to copy
      end,
      say = [=[
        Vitess puts MySQL servers under a hash: a [[vindex]] makes a number of a key, a shard has a run of them. [[Reshard]] fills new shards by a copy and a stream, beside the old ones. VDiff compares both. Then you [[switch traffic]], reads first.

        Shard {b7_part(w, "vitess").number} has p9. First `system vitess cut {=b7_part(w, "vitess").number}`, then `system vitess set serves reads`, then `system vitess set serves new`.]=],
      try = { ask = "Cut it, switch reads, then writes (:).", builds = true,
        goal = function(w)
          local v = w:system("vitess")
          return v.parts == 3 and v.settings.serves == "new"
        end,
        solution = { "system vitess cut 1", "system vitess set serves reads", "system vitess set serves new" },
        hints = { "`system vitess cut {=b7_part(w, \"vitess\").number}` begins it.", "`system vitess set serves reads`", "`system vitess set serves new`" } } },

    { id = "vitess-reverse", title = "The way back", deeper = true, show = { "parts:vitess" }, key = "likes:{p9}",
      enter = function(w)
        b7_only(w, "system vitess on 2", "system vitess set reverse off")
        b7_crowd(w, B7_LIKES, B7_LIKES)
        w:play_for(1.2)
        b7_resharded(w)
      end,
      say = [=[
        Writes go to the new shards. A [[reverse stream]] brings them to the old ones as well, so that one can [[reverse traffic]].

        Somebody had set `reverse off`. A second after the switch the new shards turn out too slow: back, with `system vitess set serves old`.]=],
      predict = { id = "p7-vitess-reverse", kind = "choice", confidence = true,
        ask = "What comes of it?",
        choices = {
          { "Back, with all likes", belief = "the old shards still have everything", why = "They have what was written until the switch.",
            holds = function(w) return b7_back(w) and w:system("vitess").lost == 0 end },
          { "Back, without some likes", belief = "a way back is always open", why = "Those would be gone. It is not allowed.",
            holds = function(w) return b7_back(w) and w:system("vitess").lost > 0 end },
          { "It is refused", holds = function(w) return not b7_back(w) end },
        },
        why = "The old shards lack what was written since.",
        hints = { "Who took likes since the switch?", "The new shards only.", "And the old ones were told nothing." } },
      after = [=[
        With the stream it is one command, and nothing is missing; one may send reads alone to the new shards first, to try them. Vitess keeps it running unless told otherwise; when the Reshard is completed it ends, and with it the quick way back.]=] },

    -- ------------------------------------------------------------------ deeper: all of them

    { id = "moves", title = "What moves, and how", deeper = true, show = { "table", "systems" },
      enter = function(w) b7_only(w) end, table = function() return b7_moves() end,
      say = [[
        {MB} MB were written, and then one piece goes to another machine, in six systems that let you ask for it. The table tells the piece, how it goes, and the MB copied: shares of the {MB}, by where each put them.]],
      with = { MB = 100 },
      predict = { id = "p7-moves", kind = "choice",
        ask = "Where is nothing copied?",
        choices = {
          { "Redis Cluster", belief = "slots are only numbers", why = "The keys in them go along, one by one.", holds = function() return b7_copied("redis") == 0 end },
          { "Kafka", belief = "a partition is a name", why = "Its log is on the broker's disk. The new one gets a copy, then leads.", holds = function() return b7_copied("kafka") == 0 end },
          { "HBase", holds = function() return b7_copied("hbase") == 0 end },
          { "MongoDB", belief = "a range is a line in a table", why = "Its documents are copied; then the config servers take the new owner.", holds = function() return b7_copied("mongodb") == 0 end },
        },
        why = "Its bytes are in a shared file system.",
        hints = { "Where do the bytes lie?", "Mostly on the machine that serves them.", "One has a file system that all share." } },
      after = [[
        MongoDB's new owner counts when the config servers have it. Vitess flips reads first, and can go back. Kafka's copy may lead when it is in sync. Cassandra's nodes come and go with their tokens; DynamoDB moves by itself. Kinesis never moves records: you cut, and new ones go to the children.]] },

    { id = "add-bytes", title = "A machine more, later", deeper = true, show = { "table", "systems" },
      enter = function(w) b7_only(w) end, table = function() return b7_grown() end,
      say = [[
        {MB} MB of rows are written, all in order. A machine joins, and {MIN} minutes go by. Nobody types anything else.]],
      with = { MB = 900, MIN = 5 },
      predict = { id = "p7-add-bytes", kind = "number", unit = "systems",
        ask = "In how many of the seven does it serve something then?",
        answer = function()
          local n = 0
          for i = 1, 7 do if cells[i][2] > 0 then n = n + 1 end end
          return n
        end,
        wrong = { [7] = { belief = "a new machine takes its share", why = "In some it stays empty until somebody says so." },
          [0] = { belief = "nothing moves by itself", why = "Some have a balancer, and a ring gives a new node its tokens." } },
        why = "A ring, or a balancer, or nobody.",
        hints = { "Whose ring gives it tokens?", "Cassandra's. Which balancers see a reason?", "Those of CockroachDB, HBase and MongoDB. Kafka, Redis Cluster and Vitess have none." } },
      after = [[
        A ring and three balancers. MongoDB's gave it {cells[5][2]} of its ranges: the bytes of two shards differed by {3 * 128} MB; with fewer it would not have. The others wait for a tool: kafka-reassign-partitions, redis-cli --cluster rebalance, Reshard.]] },

    { id = "lose-seconds", title = "How long is it away?", deeper = true, show = { "table", "systems" }, key = "likes:{p9}",
      enter = function(w) b7_only(w) end, table = function() return b7_deaths() end,
      say = [[
        The machine with p9 dies. Its requests find nobody until it is taken for dead, and another has taken over. How long that is, a vendor's default says, or the model.]],
      predict = { id = "p7-lose-seconds", kind = "choice",
        ask = "Where does it take longest?",
        choices = {
          { "Redis Cluster: it votes", belief = "a vote is slow", why = "It is away for {b7_seconds(\"redis\")} s, and the vote takes one of them: it waits before.", holds = function() return b7_slowest() == "Redis Cluster" end },
          { "Cassandra: it has no leader", belief = "without a leader nobody decides", why = "Without a leader there is nobody to wait for: the other copies take it.", holds = function() return b7_slowest() == "Cassandra" end },
          { "HBase: one server has a region", holds = function() return b7_slowest() == "HBase" end },
          { "CockroachDB: the lease must end", belief = "a lease is long", why = "Some seconds.", holds = function() return b7_slowest() == "CockroachDB" end },
        },
        why = "{b7_seconds(\"hbase\")} s: its session has to time out, which is most of it, and then its log is read (the model's part).",
        hints = { "Which can go on without an election?", "Cassandra. And where is no copy ready to take over?", "A region is served by one server only." } },
      after = [[
        Compare only what vendors name. Cassandra's nodes really need seconds to miss one, and requests to it time out; in Redis Cluster all masters refuse meanwhile, by default. To be quick has a price: who is taken for dead too soon costs a move for nothing, or two leaders. Part 10 tells of both.]] },

    { id = "who-knows", title = "Who knows the map?", deeper = true, show = { "table" },
      enter = function(w) b7_only(w) end,
      table = function(w)
        local rows = {}
        for i, r in ipairs { { "Redis, Cassandra", "client", "any node" }, { "Kafka", "client", "any broker" }, { "HBase", "client", "a table" },
          { "MongoDB", "proxy", "config servers" }, { "Vitess", "proxy", "topology" }, { "CockroachDB", "any node", "index ranges" },
          { "DynamoDB", "its routers", "a service" }, { "Kinesis", "its front", "not told" } } do
          rows[i] = { label = r[1], cells = { r[2], r[3] } }
        end
        return { title = "Who has the map, and whom it asks", columns = { "system", "who", "asks" }, rows = rows }
      end,
      say = [=[
        In Part 1 routers gossiped: who has news tells one other a second. That is *push*. In Cassandra and Redis both tell each other what they know: *push and pull*.

        1,000 nodes; push takes {b7_rounds(w, "push")} rounds.]=],
      predict = { id = "p7-who-knows", kind = "number", unit = "rounds", tolerance = 2,
        ask = "And push and pull?",
        answer = function(w) return b7_rounds(w, "push-pull") end,
        wrong = function(w) return { [b7_rounds(w, "push")] = { belief = "who asks and who tells is the same", why = "At the end of push many who know call others who know. With pull each who does not know asks." } } end,
        why = "{b7_rounds(w, \"push-pull\")} here: nearly everybody knows by then, and the last ones ask.",
        hints = { "What does push waste?", "Its last rounds, for the few who do not know.", "About half." } },
      after = [[
        The table tells where each system's map is, and whom its holder asks. Nodes of Redis and Cassandra gossip; Kafka's brokers hear of it from the controller. With redirects an old map costs a hop; with a front of its own, as DynamoDB's, clients have none.]] },

    { id = "logical", title = "Names of hosts", deeper = true, show = { "table" },
      enter = function(w) b7_only(w) end,
      table = function()
        return { title = "480 logical shards", columns = { "hosts named", "changes" }, numbers = { 2 }, rows = {
          { label = "anew", cells = function() return { b7_renamed() } end },
          { label = "old ones keep five", cells = function() return { b7_kept() } end } } }
      end,
      say = [=[
        One big SQL database is cut into many by hand: each tenant is hashed to one of 480 [[logical shards]], for ever, and a small table names the host of each.

        32 hosts have {480 // 32} each. Now there are to be 96. Logical shard n is on host n / 15, or then on n / 5, rounded down.]=],
      predict = { id = "p7-logical", kind = "number", unit = "of 480",
        ask = "How many logical shards get another host?",
        answer = function() return cells[1][2] end,
        wrong = function() return { [b7_kept()] = { belief = "only what must moves", why = "So many must. But this rule gives old hosts new numbers, and what they have is not what they had." },
          [0] = { belief = "logical shards never move", why = "Their tenants stay together. Their hosts change." } } end,
        why = "Only shards 0 to 4 stay with their host.",
        hints = { "Where was shard 5, and where is it now?", "On host 0, and then on host 1.", "So only 0 to 4 stay." } },
      after = [[
        {cells[2][2]} are enough, when each old host keeps five of its fifteen and new hosts get new names. So let the table say it, row by row, and no formula.]] },

  },
}
