-- Part 11. Core path: three questions for any store, and what p9 fills of its unit; prefixes of S3; what looks like
-- sharding and is not; who decides that data moves; the same ideas where machines learn: features, vectors.
-- Then capacity, cases and what tools print. Deeper: units, indexes, warehouses, memory stores, rebalancing
-- by itself, within limits and by hand; hot items, graphs, models, training data, candidates.

local LIKE, FANS, POSTS = 50, 2400, 16 -- likes a second: of a post, of p9 after 20:02
local P9 = "likes:{p9}"
local SYSTEMS = { "dynamodb", "kinesis", "kafka", "cassandra", "cockroachdb", "hbase", "mongodb", "redis", "vitess" }
local M = {} -- what a step keeps for its texts
function m(name) return M[name] end

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

local function commas(n) -- 10,000, in titles
  local text = tostring(n)
  return #text > 3 and string.sub(text, 1, -4) .. "," .. string.sub(text, -3) or text
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

local function likes(w, p9, others)
  for n = 1, POSTS do
    pcall(w.flow, w, "like", "likes:{p" .. n .. "}", n == 9 and p9 or others or 0, "scattered")
  end
end

-- Nobody asks anything; all systems are gone, nodes are well and nobody watches them.
local function calm(w)
  likes(w, 0, 0)
  for n = 1, POSTS do pcall(w.flow, w, "read", "post:{p" .. n .. "}", 0) end
  order(w, "series photo 0", "flow read item:I789 0", "reads item:I789 plain", "zone b up", "capacity 0", "heal", "beats off", "recopy off",
    "ceiling S2 1000 3000", "times all off", "replicas S2 1")
  for i = 1, w:nodes() do order(w, "node N" .. i .. " up", "node N" .. i .. " slow 1") end
  for _, name in ipairs(SYSTEMS) do
    if w:system(name) then w:command("system " .. name .. " off") end
  end
end

-- This system alone is on, begun anew.
local function only(w, name, size, ...)
  calm(w)
  perform(w, "system " .. name .. " on" .. (size or ""))
  for _, words in ipairs { ... } do w:command("system " .. name .. " set " .. words) end
end

-- --- what you know ---

local TAKES, HEAT, RUSH = 500, 60, 1600 -- requests a second of a router; seconds before a split; p9's likes
local UNITS = 1000 -- write units of a partition of DynamoDB, records of a shard of Kinesis

local function evening(w)
  calm(w)
  w:command("capacity " .. TAKES)
  for n = 1, POSTS do
    w:flow("like", "likes:{p" .. n .. "}", LIKE)
    w:flow("read", "post:{p" .. n .. "}", 2 * LIKE)
  end
  w:play_for(1.2)
end

-- --- services ---

local PUTS, GETS = 3500, 5500 -- a second: what a range of keys of Amazon S3 takes, at least

-- p9's likes alone, on one unit of a service: S2, with the limit that is documented.
local SERVICES = {
  { "DynamoDB", "hash", UNITS },
  { "Keyspaces", "hash", UNITS },
  { "Kinesis", "MD5", UNITS },
  { "Amazon S3", "in order", PUTS },
  { "MSK", "hash mod N" },
  { "ElastiCache", "CRC16" },
  { "MemoryDB", "CRC16" },
  { "DocumentDB", "hash" },
  { "OpenSearch", "hash mod N" },
  { "Limitless", "hash" },
  { "Redshift", "hash" },
}
local function services()
  local rows = {}
  for i, s in ipairs(SERVICES) do
    local row = { label = s[1], cells = { s[2], "machine", "-" } }
    if s[3] then
      row.run = function(f)
        calm(f)
        f:command("ceiling S2 " .. s[3] .. " " .. GETS)
        f:flow("like", P9, FANS)
        f:play_for(2)
      end
      row.cells = function(f) return { s[2], s[3], round(f.S2.write_pct) } end
    end
    rows[i] = row
  end
  return { title = "p9 on one unit of each", columns = { "service", "keys by", "writes/s", "p9 %" }, numbers = { 3, 4 }, rows = rows }
end
-- How many of those with a documented number take p9.
function fitting()
  local n = 0
  for i, s in ipairs(SERVICES) do if s[3] and cells[i][4] <= 100 then n = n + 1 end end
  return n
end

-- --- prefixes ---

local PHOTOS, EACH = 10500, 10 -- PUTs a second; of each key of the list
local OLD = keys("2030-06-%02d", 1, 13)
local TODAY = keys("2030-06-14/photo%04d", 1, PHOTOS // EACH, function() return EACH end)
local SPREAD = {}
for i = 1, #TODAY do SPREAD[i] = { string.format("%02x/", bucket_of(TODAY[i], 256)) .. TODAY[i], EACH } end
SPREAD = keys(SPREAD)
local RANGES = 4
local function by_date() return layout("range", { shards = RANGES, keys = OLD }) end
local function by_hash() return layout("range", { shards = RANGES, keys = SPREAD }) end
function over(l, ks) -- what ranges are asked for beyond what they take
  local sum = 0
  for id = 0, l:shards() - 1 do sum = sum + math.max(0, l:load(ks, id) - PUTS) end
  return sum
end

-- Keys that one names oneself, and into how many ranges they are cut.
local FANNED = {} -- by who took the photo; one of forty took half of them
for i = 1, #TODAY do
  FANNED[i] = { string.format("user%02d/photo%04d", i % 2 == 0 and 7 or i % 40, i), EACH }
end
FANNED = keys(FANNED)
local NAMED, HEADROOM = { date = TODAY, user = FANNED, hash = SPREAD }, 80 -- percent of what a range takes
local BEFORE = { date = OLD, user = keys("user%02d", 0, 39), hash = {} } -- what is cut
for i = 0, 255 do BEFORE.hash[i + 1] = string.format("%02x", i) end
local function named(knob) return layout("range", { shards = knob.shards, keys = BEFORE[knob.key] }) end
function fullest(knob)
  local l, most = named(knob), 0
  for id = 0, l:shards() - 1 do most = math.max(most, l:load(NAMED[knob.key], id)) end
  return most
end
function names_say(key)
  return key == "date" and "New names come last." or key == "user" and "A user's names lie side by side." or "Names are spread."
end
local function roomy(knob) return fullest(knob) * 100 <= PUTS * HEADROOM end

-- --- look-alikes ---

local CROWD, COPIES = 300, 5 -- likes a second of each post; of a shard, its leader among them
local ALIKE = {
  { "as it is", "one shard", function() end },
  { "2 read replicas", "one leads", function(f) for i = 0, 3 do f:command("replicas S" .. i .. " 3") end end },
  { "CDN", "one shard", function(f) for n = 9, POSTS do f:command("reads post:{p" .. n .. "} edge") end end },
  { "fifth shard", "one shard", function(f) -- takes a post of each
      f:add_shard("c")
      local from = {}
      for n = 1, POSTS do
        local slot, owner = f:slot("likes:{p" .. n .. "}"), f:owner("likes:{p" .. n .. "}")
        if not from[owner] then f:move(slot, slot, "S4") end
        from[owner] = true
      end
    end },
  { "a copy a zone", "one leads" },
  { "balancer", "any router" },
  { "local parts", "1 machine" },
  { "RAID", "no disk" },
}
local function look_alikes()
  local rows = {}
  for i, a in ipairs(ALIKE) do
    local told
    rows[i] = { label = a[1] }
    if a[3] then
      rows[i].run = function(f)
        calm(f)
        a[3](f)
        f:play_for(0.5)
        likes(f, CROWD, CROWD)
        f:play_for(1.5)
        told = f.cluster.writes_ok
      end
      rows[i].cells = function() return { a[2], told } end
    else
      rows[i].cells = { a[2], "as it is" }
    end
  end
  return { title = CROWD .. " likes/s of each post", columns = { "", "a row has", "OK/s" }, numbers = { 3 }, rows = rows }
end
local function more(row) return cells[row][3] > cells[1][3] * 105 // 100 end

-- --- who decides ---

local ON = { { 1, 2, 5 }, { 3, 4, 5 }, { 4, 1, 5 }, { 2, 1, 3 }, { 4, 1, 2 }, { 3, 2, 4 }, { 1, 4, 5 }, { 2, 4, 5 }, { 3, 1, 5 },
  { 4, 1, 2 }, { 3, 1, 5 }, { 4, 2, 3 } } -- twelve shards' copies, the leader first
local ZONE_OF, GB, HASTE, ASLEEP = { "a", "b", "c", "a", "b", "c", "a", "b" }, 5, 1200, 1200 -- GB of a shard; ms; seconds
local WAYS = { { "by itself", "timeout " .. HASTE, "recopy on" }, { "in limits", "timeout 10000", "recopy on 100MB" },
  { "by hand", "timeout 10000", "recopy off" } }

local function copies(w)
  calm(w)
  while w:nodes() < #ZONE_OF do w:command("node add " .. ZONE_OF[w:nodes() + 1]) end
  w:command("node link 1250MB")
  for i, on in ipairs(ON) do
    w:command(string.format("group P%d N%d N%d N%d bytes %dGB", i, on[1], on[2], on[3], GB))
  end
  w:play_for(0.5)
end

-- N3 is slow for four seconds. What was copied meanwhile, in GB.
local function hangs(w)
  local gb = 0
  local function look(seconds)
    for _ = 1, seconds * 4 do
      w:play_for(0.25)
      for n = 1, #ZONE_OF do gb = gb + w:node("N" .. n).load * 1.25 / 1000 / 4 / 2 end -- each copy is on two links
    end
  end
  w:command("node N3 slow 20000")
  look(4)
  w:command("node N3 slow 1")
  look(4)
  return gb
end

local function deciding()
  local rows = {}
  for i, way in ipairs(WAYS) do
    local gb, back
    rows[i] = { label = way[1], run = function(f)
        copies(f)
        perform(f, "beats 500 " .. way[2], way[3])
        f:play_for(10)
        gb = hangs(f:fork())
        f:command("node N3 down")
        local waited = 0
        if way[3] == "recopy off" then
          f:play_for(ASLEEP)
          waited = ASLEEP
          f:command("recopy on 100MB")
        end
        for t = 1, 300 do
          f:play_for(1)
          if f:recopy().done >= 6 and f:recopy().under_way == 0 then
            back = waited + t
            break
          end
        end
      end,
      cells = function() return { round(gb, 1), back or "over 300" } end }
  end
  return { title = "Who decides", columns = { "data moves", "GB in vain", "whole in s" }, numbers = { 2, 3 }, rows = rows }
end

-- --- features ---

local USER, ITEM, HOT_READS = "user:U42", "item:I789", 9000

-- --- deeper: services ---

local KB = 2.5
-- p9's likes with a comment each, in the unit of a service.
local function sized()
  local rows = {}
  for i, s in ipairs {
    { "DynamoDB", "1 KB", math.ceil(KB) * FANS * 100 // UNITS },
    { "Keyspaces", "1 KB", math.ceil(KB) * FANS * 100 // UNITS },
    { "Kinesis", "record or KB", math.max(FANS * 100 // UNITS, round(KB * FANS / 10)) },
    { "Amazon S3", "request", round(FANS * 100 / PUTS) },
  } do rows[i] = { label = s[1], cells = function() return { s[2], s[3] } end } end
  return { title = "p9, " .. KB .. " KB a like", columns = { "service", "counts", "p9 %" }, numbers = { 3 }, rows = rows }
end

-- Shards of a stream for so many records of so many KB a second.
local function stream(records, kb)
  local by_records, by_bytes = records / UNITS, records * kb / 1000
  local more = math.max(by_records, by_bytes)
  return { records = round(by_records, 1), bytes = round(by_bytes, 1), more = round(more, 1), shards = math.ceil(more * 100 / HEADROOM) }
end
local HOT = 1700 -- records a second of the busiest key
local function streamed(records, kb, hot)
  return function()
    local n, rows = stream(records, kb), {}
    for i, r in ipairs { { "by records", n.records }, { "by MB", n.bytes }, { "the larger", n.more }, { "at " .. HEADROOM .. "%", n.shards },
      { "busiest key", math.floor(math.max(hot, hot * kb) * 100 / UNITS) .. "%" } } do
      rows[i] = { label = r[1], cells = function() return { r[2] } end }
    end
    return { title = "Shards of a stream", columns = { "step", "" }, numbers = { 2 }, rows = rows }
  end
end

local MANY = keys("doc%d", 0, 3999)
local function primaries(n) return layout("mod-n", { shards = n }) end

-- Sales, and where their rows are: one scan of four slices.
local ROWS, PER = 100, 2 -- million rows; ms a million
local COUNTRIES = { { "us", 70 }, { "de", 8 }, { "fr", 6 }, { "jp", 5 }, { "br", 4 }, { "in", 4 }, { "uk", 3 } }
local CUSTOMERS = keys("customer%d", 1, 1000, function() return 1 end)
local function sales(by)
  local l, out = layout("slots", { shards = 4, slots = 16384 }), {}
  for id = 0, 3 do
    if by == "country" then
      out[id] = l:load(keys(COUNTRIES), id)
    else
      out[id] = by == "customer" and l:load(CUSTOMERS, id) / 10 or ROWS / 4
    end
  end
  return out
end
function fullest_slice()
  local rows = sales("country")
  return math.max(rows[0], rows[1], rows[2], rows[3])
end
local function warehouse(w)
  calm(w)
  w:play_for(0.2)
  for n = 1, 4 do w:send("like", "sales:" .. n, "R0") end
  w:play_answered()
  perform(w, "query sales sum of sales:*")
end
local function slices()
  local rows = {}
  for i, by in ipairs { "EVEN", "country", "customer" } do
    rows[i] = { label = by, run = function(f)
        local on = sales(by)
        for id = 0, 3 do
          local ms = math.max(1, round(on[id] * PER))
          perform(f, string.format("times S%d %d %d", id, ms, ms))
        end
        f:command("gather sales via R0")
        f:play_answered()
      end,
      cells = function(f)
        local on = sales(by)
        return { round(math.max(on[0], on[1], on[2], on[3]), 1), round(f:query("sales").last.ms) }
      end }
  end
  return { title = "A scan of all sales", columns = { "rows by", "fullest, M", "ms" }, numbers = { 2, 3 }, rows = rows }
end

-- Growing keys at systems that one runs oneself.
local OWN = { { "cassandra", "Cassandra", "token" }, { "cockroachdb", "CockroachDB", "range" }, { "hbase", "HBase", "region" },
  { "mongodb", "MongoDB", "range" }, { "kafka", "Kafka", "partition" }, { "redis", "Redis", "slot" }, { "vitess", "Vitess", "shard" } }
local BETWEEN = { cassandra = "Murmur3", cockroachdb = "-", hbase = "-", mongodb = "-", kafka = "murmur2", redis = "CRC16", vitess = "XXH64" }
local function growing()
  local rows = {}
  for i, s in ipairs(OWN) do
    rows[i] = { label = s[2], run = function(f)
        only(f, s[1])
        f:command("series photo 300")
        f:play_for(3.1)
      end,
      cells = function(f)
        local most, sum = 0, 0
        for _, p in ipairs(f:system_parts(s[1])) do most, sum = math.max(most, p.writes), sum + p.writes end
        return { s[3], BETWEEN[s[1]], sum > 0 and round(100 * most / sum) or 0 }
      end }
  end
  return { title = "Growing keys", columns = { "store", "unit", "hash", "%" }, numbers = { 4 }, rows = rows }
end

function wait(row) return cells[row][3] == "over 300" and 1000000 or cells[row][3] end

local FIXES = { { "as it is" }, { "2 replicas", "reads item:I789 replicas", "replicas S2 3" }, { "4 copies", "reads item:I789 copies 4" },
  { "kept 1 s", "reads item:I789 cached" } }
local function hot_item()
  local rows = {}
  for i, fix in ipairs(FIXES) do
    rows[i] = { label = fix[1], run = function(f)
        calm(f)
        for j = 2, #fix do f:command(fix[j]) end
        f:flow("read", ITEM, HOT_READS, "scattered")
        f:play_for(2.2)
      end,
      cells = function(f)
        local most = 0
        for id = 0, 3 do most = math.max(most, f["S" .. id].read_pct) end
        return { f.S2.reads, most }
      end }
  end
  return { title = "Lookups of I789", columns = { "", "at S2", "fullest %" }, numbers = { 2, 3 }, rows = rows }
end

-- --- vectors ---

local ITEMS, PARTS, K, BORDER, WANTED = 2000, 40, 10, 4, 99 -- nearest wanted; a query near borders; percent
local TEN = { vectors = 10000000, parts = 1000, probe = 20 }
local MORE, DIMS = 10000, 16
local function items() return corpus { points = ITEMS, dims = 2, groups = 12 } end
local function index() return items():ivf { parts = PARTS } end
local function larger() return corpus { points = MORE, dims = DIMS, groups = 24 } end
local function one(probe) return index():search(items():query(BORDER), { k = K, probe = probe }) end
local function hundred(probe) return index():recall { k = K, probe = probe, queries = 100 } end
local PROBES = { 1, 2, 3, 4, 6, 8, 12, 20 }
function enough() -- the fewest parts for the recall that is wanted
  for _, probe in ipairs(PROBES) do if hundred(probe).recall >= WANTED then return probe end end
end
local CUTS = { 10, 40, 100 }
local function cuts()
  local rows = {}
  for i, parts in ipairs(CUTS) do
    rows[i] = { label = tostring(parts), cells = function()
      local r = larger():ivf { parts = parts }:recall { k = K, probe = 2, queries = 100 }
      return { round(r.scanned), round(r.recall, 1) }
    end }
  end
  return { title = "nprobe 2, " .. commas(MORE) .. " items", columns = { "parts", "compared", "recall %" }, numbers = { 2, 3 }, rows = rows }
end
local GRAPHS, WIDTH = 4, 32
local function graphs(shards) return larger():graph { links = 8, shards = shards } end
local function walk(shards) return graphs(shards):recall { k = K, width = WIDTH, queries = 50 } end

-- --- models ---

local SHARE, GROWN, USERS = 10, 20, 10000 -- percent of a canary, and later; users
-- The first user whose number is this one.
local function user_at(n)
  for i = 1, 5000 do if bucket_of("U" .. i, 100) == n then return "U" .. i end end
end
local function switched(salt) -- users whose model changes as the canary grows
  local n = 0
  for i = 1, USERS do
    local was = bucket_of("U" .. i, 100) < SHARE
    local is = (salt and bucket_of("U" .. i, 100, salt) or bucket_of("U" .. i, 100)) < GROWN
    if was ~= is then n = n + 1 end
  end
  return n
end
local function growth()
  return { title = commas(USERS) .. " users, " .. SHARE .. "% to " .. GROWN .. "%", columns = { "number from", "change" }, numbers = { 2 }, rows = {
    { label = "the same hash", cells = function() return { switched() } end },
    { label = "a new one", cells = function() return { switched("second") } end },
  } }
end

local function models()
  local rows = {}
  for i, r in ipairs { { "v1", "A, B", "90" }, { "v2", "C", "10" }, { "v3", "D, E", "-" } } do rows[i] = { label = r[1], cells = { r[2], r[3] } } end
  return { title = "The directory of models", columns = { "model", "nodes", "% of users" }, numbers = { 3 }, rows = rows }
end

-- --- training data ---

local FILES, WORKERS = { count = 96, low = 20, high = 60, long = 8, longer = 6, run = 4, seed = 3 }, 8 -- MB of each file
local DEALS = { { "rows", "by count" }, { "bytes", "by bytes" }, { "steal", "who is free" } }
local function dealt(by, pieces) return deal(FILES, { workers = WORKERS, by = by, pieces = pieces }) end
local function workers(names)
  local deals = {}
  for i, d in ipairs(names) do deals[i] = { label = d[2], deal = dealt(d[1]) } end
  return { title = FILES.count .. " files, " .. WORKERS .. " workers", unit = "MB", deals = deals }
end
local PIECES, LEAST = { 8, 16, 24, 48, 96 }, 15 -- percent of waiting
function fewest()
  for _, n in ipairs(PIECES) do if dealt("steal", n):idle() < LEAST then return n end end
end

-- --- candidates ---

local NODES, BEST, CATALOGUE = 50, 200, 100 -- million items
local function shop() return size("vectors", { vectors = CATALOGUE * 1000000, nodes = NODES, best = BEST }) end
local function wide(w, n)
  calm(w)
  w:play_for(0.2)
  for _ = w:shards(), n - 1 do w:add_shard("c") end
  for i = 0, n - 1 do pcall(w.move, w, 16384 * i // n, 16384 * (i + 1) // n - 1, "S" .. i) end
  for i = 1, 4 * n do w:send("like", "item:I" .. i, "R" .. i % 6) end
  w:play_answered()
  perform(w, "query cand top 16 of item:* bytes 20KB", "times all 4 6 slow 1 50 60")
end
-- Of a hundred queries so many wait for a node that is slow just then.
local function slow(w)
  local least = 0
  for percent = 1, 99 do if w:query_ms("cand", percent) < 20 then least = percent end end
  return 100 - least
end
local function visits()
  local rows = {}
  for i, n in ipairs { 1, 4, 20, NODES } do
    rows[i] = { label = (n == NODES and "all " or n .. " of ") .. NODES, run = function(f)
        wide(f, NODES)
        f:command("query cand ask " .. n)
        f:command("gather cand 500 steady")
        f:play_for(2)
        f:command("gather cand 0")
        f:play_for(0.2)
      end,
      cells = function(f) return { f:query_ms("cand", 50), f:query_ms("cand", 99), slow(f) } end }
  end
  return { title = "A visit asks", columns = { "", "half in ms", "99% in ms", "slow %" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- === section B, helpers ===
do
  -- --- section B: capacity and cases ---

  local shapes, readings = require("shapes"), require("readings")

  -- Nobody asks anything, and nothing of these steps is left over.
  local TODAY_KEY = "likes:{2026-09-23}"
  function b11_calm(w)
    calm(w)
    pcall(w.flow, w, "like", TODAY_KEY, 0)
    order(w, "shift 7103 stop")
  end

  PLAN = {} -- inputs of the plan; {}: the calculator's own
  SHEET = { "users", "items", "item_reads", "process_gb", "process_rate", "viral_pct",
    "masters", "reads", "reads_each", "viral", "viral_master", "viral_fits" }
  ROOM = { "process_gb", "processes_each", "instance_gb", "raw_tb", "masters", "processes", "each_gb", "instances", "left_gb", "left_pct", "snapshots_fit",
    "usd_month" }
  function b11_plan(name) return size("capacity", PLAN)[name] end
  function b11_twice() -- the hot set's reads once more on top of all
    local p = size("capacity", PLAN)
    return p.reads_each + p.hot_reads_each + p.viral
  end

  function b11_owns(w)
    local sum = 0
    for share in string.gmatch((w:readout("nodetool-status")), "(%d+%.%d)%%") do sum = sum + tonumber(share) end
    return round(sum)
  end
  function b11_first_slot(w) return readings.stats((w:readout("slot-stats", "S2", { by = "cpu-usec", limit = 4 })))[1] end

  -- Heat maps: what each cause looks like, and the belief of who takes another map for it.
  local CAUSES = {
    ["one key"] = { "One key went viral", "every heat is a hot key", "One key is one row." },
    ["time in the key"] = { "The time leads the key", "what is hot is what is new", "With the time in front, rows still to come are dark: there are no such keys yet." },
    ["one tenant"] = { "One tenant grew busy", "behind a load is one customer", "One tenant is a band of rows, bright from some moment on." },
    ["batch"] = { "A job runs at even intervals", "behind a load is a job", "A job lights the same rows again and again." },
    ["scan"] = { "One client read all keys in order", "behind a load is one who reads all", "A scan walks through keys that were there before, each for a moment." },
    ["everybody at once"] = { "All came at one time", "much load is many people at once", "A rush of all is a column: all rows, for a moment." },
    ["split"] = { "A shard was cut in two", "what changes was our own doing", "After a split one row dims, and beside it another begins." },
  }
  -- Who takes one slope for the other believes something else.
  local ALIKE_MAPS = { ["scan, time in the key"] = "every slope is time in the key", ["time in the key, scan"] = "every slope is a scan" }
  local MAP_PLANS = {}
  for _, name in ipairs(shapes.names) do MAP_PLANS[name] = shapes.plan(name) end
  -- A step: a map, the causes to choose from (the right one among them, in this order), what to do about it.
  function b11_map(id, title, name, among, rest)
    local choices = {}
    for i, other in ipairs(among) do
      local c = CAUSES[other]
      choices[i] = { c[1], belief = other ~= name and (ALIKE_MAPS[name .. ", " .. other] or c[2]) or nil, why = other ~= name and c[3] or nil,
        holds = function(w)
          shapes.map(w, MAP_PLANS[name])
          return shapes.read(MAP_PLANS[name].values) == other
        end }
    end
    return { id = id, title = title, deeper = rest.deeper, show = { "heat" }, enter = b11_calm,
      heat = function(w) return shapes.map(w, MAP_PLANS[name]) end,
      say = rest.say,
      predict = { id = "p11-" .. id, kind = "choice", ask = rest.ask or "What goes on?", choices = choices, why = CAUSES[name][3], hints = rest.hints },
      after = rest.after }
  end

  -- Case 1: a shop's cache. One request of the run is a hundred of theirs, one router ten of their servers.
  MASTERS, SCALE, SERVERS = 12, 100, 60
  EACH_MASTER, SALE, TAKES_MASTER = 50000, 180000, 100000
  local PRODUCTS = 4 -- of each master, at the same rate, the one on sale among them
  B11_DISK, B11_CAP = 250, 25 -- MB a second: of a node's disk in the run; 200 megabits

  -- The products of each master, and the one that will be on sale: the first of S2.
  local function shop(w, masters)
    calm(w)
    while w:shards() < masters do w:add_shard("a") end
    for i = 0, masters - 1 do
      pcall(w.move, w, i * 16384 // masters, (i + 1) * 16384 // masters - 1, "S" .. i)
      perform(w, "ceiling S" .. i .. " 1000 " .. TAKES_MASTER // SCALE)
    end
  end
  local function products(w)
    local have, on_sale, sum, n = {}, nil, 0, 0
    while sum < MASTERS * PRODUCTS do
      n = n + 1
      local key = "item:{i" .. n .. "}"
      local i = w:slot(key) * MASTERS // 16384
      if (have[i] or 0) < PRODUCTS then
        have[i], sum = (have[i] or 0) + 1, sum + 1
        w:flow("read", key, EACH_MASTER / SCALE / PRODUCTS)
        if i == 2 then on_sale = on_sale or key end
      end
    end
    return on_sale
  end
  B11_OWN = EACH_MASTER // PRODUCTS + SALE -- reads a second of the product
  local function sale(w, key) w:flow("read", key, (EACH_MASTER / PRODUCTS + SALE) / SCALE) end

  local SALE_ROWS = {
    { "as it is", MASTERS },
    { "24 masters", 2 * MASTERS },
    { "retry budget", MASTERS, function(f) perform(f, "clients at-once times 3 budget 10") end },
    { "kept 1 s", MASTERS, function(f, key) perform(f, "reads " .. key .. " cached") end },
  }
  local function sale_rows(last)
    local rows = {}
    for i = 1, last do
      local fix = SALE_ROWS[i]
      local hot
      rows[i] = { label = fix[1], run = function(f)
          shop(f, fix[2])
          local key = products(f)
          hot = f:owner(key)
          perform(f, "clients at-once times 3")
          if fix[3] then fix[3](f, key) end
          f:play_for(1.1)
          sale(f, key)
          f:play_for(2.1)
        end,
        cells = function(f)
          local s = f[hot]
          return { round(s.reads) * SCALE, math.max(round(s.reads), round((s.reads + s.repeats) / 10) * 10) * SCALE, round(s.reads_refused / 10) * 10 * SCALE }
        end }
    end
    return { title = "The product's master, a second", columns = { "fix", "reads", "tries", "refused" }, numbers = { 2, 3, 4 }, rows = rows }
  end
  function b11_before_sale() return sale_rows(1) end
  function b11_sale() return sale_rows(#SALE_ROWS) end

  -- The board: what each master is asked, tries and all, a column a second; the sale begins after four.
  function b11_masters(w)
    local f, values = w:fork(), {}
    shop(f, MASTERS)
    local key = products(f)
    perform(f, "clients at-once times 3")
    f:play_for(1)
    for i = 1, MASTERS do values[i] = {} end
    for j = 1, 12 do
      if j == 5 then sale(f, key) end
      f:play_for(1)
      for i = 1, MASTERS do
        local s = f["S" .. i - 1]
        values[i][j] = s.reads + s.repeats
      end
    end
    return values
  end

  -- Case 2: fifty nodes, ten more. What moves follows from the placement.
  OLD50, MORE10, PARTS50, PART50_GB = 50, 10, 10000, 5
  local function grown(steps)
    local l, moved = layout("slots", { shards = OLD50, slots = PARTS50, deal = "ranges" }), 0
    for _ = 1, steps do
      local had = l:shards()
      for _ = 1, MORE10 // steps do l = l:add() end
      for id = had, l:shards() - 1 do moved = moved + l:slots_of(id) end -- what new ones have has moved
    end
    return moved * PART50_GB / 1000
  end
  function b11_at_once()
    M.at_once = M.at_once or grown(1)
    return M.at_once
  end
  function b11_by_twos()
    M.by_twos = M.by_twos or grown(5)
    return M.by_twos
  end
  function b11_unthrottled() return b11_at_once() * 1e6 / (OLD50 * B11_DISK) / 60 end -- minutes, as fast as old disks read
  function b11_hours(tb, receivers) return tb * 1e6 / (receivers * B11_CAP) / 3600 end

  -- A copy beside reads, on S2 of the story's cluster: milliseconds that 99 of 100 reads do not exceed.
  local B11_SLOT, MOVE_GB = 12067, 5
  local function copying(f, rate)
    calm(f)
    if f:shards() < 5 then f:add_shard("a") end
    f:flow("read", "post:{p9}", 500)
    f:play_for(0.5)
    if rate > 0 then perform(f, "disk S2 " .. B11_DISK .. "MB", "migrate " .. B11_SLOT .. " S4 " .. MOVE_GB .. "GB " .. rate .. "MB") end
    f:play_for(1)
  end
  local EXPAND = {
    { "as it is", B11_DISK, 10 },
    { "ten, capped", B11_CAP, 10 },
    { "two, capped", B11_CAP, 2 },
  }
  function b11_expand()
    local rows = {}
    for i, plan in ipairs(EXPAND) do
      rows[i] = { label = plan[1], run = function(f) copying(f, plan[2]) end,
        cells = function(f)
          local tb = plan[3] == 10 and b11_at_once() or b11_by_twos()
          return { decimals(f:latency("read", 99), 1), decimals(tb, 1), i == 1 and round(b11_unthrottled() / 60, 1) or round(b11_hours(tb, plan[3]), 1) }
        end }
    end
    return { title = "Ten nodes join", columns = { "plan", "p99 ms", "TB", "hours" }, numbers = { 2, 3, 4 }, rows = rows }
  end
  -- The board of it: what 99 of 100 reads take on each node, a column a second; the copies begin after four.
  function b11_nodes(w)
    local f, values = w:fork(), {}
    calm(f)
    if f:shards() < 5 then f:add_shard("a") end
    local posts = {}
    for n = 1, POSTS do
      local i = f:slot("post:{p" .. n .. "}") // 4096
      posts[i] = posts[i] or n
    end
    for i = 0, 3 do
      f:flow("read", "post:{p" .. posts[i] .. "}", 200)
      perform(f, "disk S" .. i .. " " .. B11_DISK .. "MB")
      values[i + 1] = {}
    end
    f:play_for(0.5)
    for j = 1, 10 do
      if j == 5 then
        for i = 0, 3 do perform(f, "migrate " .. f:slot("post:{p" .. posts[i] .. "}") .. " S4 " .. MOVE_GB .. "GB " .. B11_DISK .. "MB") end
      end
      f:play_for(1)
      for i = 0, 3 do values[i + 1][j] = f:latency("read", 99, "post:{p" .. posts[i] .. "}") end
    end
    return values
  end

  -- Case 3: sessions in a cache.
  HITS, ASKS, DB_TAKES = 95, 50000, 10000
  local SESSIONS = keys("k%d", 0, 9999)
  function b11_cached(name, n) return layout(name, { shards = n }) end
  function b11_stay(name, n) -- the share of sessions that a server more leaves where they are
    local before = b11_cached(name, n)
    return 1 - before:moved(before:add(), SESSIONS) / #SESSIONS
  end
  function b11_hit(name, n) return HITS * b11_stay(name, n) end
  function b11_db(name, n) return round(ASKS * (1 - b11_hit(name, n) / 100)) end
  function b11_twelfth()
    local rows = {}
    for i, way in ipairs { { "mod N", "mod-n" }, { "ring, 1 token", "ring" }, { "Ketama", "ketama" }, { "slots", "slots" } } do
      rows[i] = { label = way[1], cells = function() return { round(b11_hit(way[2], 11), 1), b11_db(way[2], 11) } end }
    end
    return { title = "The twelfth server", columns = { "placed by", "hits %", "database" }, numbers = { 2, 3 }, rows = rows }
  end

  -- What each server finds, in percent, a column a minute: the eleventh joins after four.
  function b11_found()
    local before, after = b11_cached("mod-n", 10), b11_cached("mod-n", 11)
    local has, kept, values = {}, {}, {}
    for i = 1, #SESSIONS, 5 do
      local id = after:owner(SESSIONS[i])
      has[id] = (has[id] or 0) + 1
      if before:owner(SESSIONS[i]) == id then kept[id] = (kept[id] or 0) + 1 end
    end
    for id = 0, 10 do
      values[id + 1] = {}
      for j = 1, 8 do values[id + 1][j] = j > 4 and HITS * (kept[id] or 0) / has[id] or id < 10 and HITS or 0 end
    end
    return values
  end

  -- Case 4: six nodes.
  SIX = 6
  function b11_six(tokens, seed, rule) return layout("ring", { shards = SIX, tokens = tokens, seed = seed, token_rule = rule }) end
  function b11_shares(l)
    local list = {}
    for id = 0, SIX - 1 do list[id + 1] = 100 * l:share(id) end
    table.sort(list, function(a, b) return a > b end)
    return list
  end
  STORY_SEED = 1481
  function b11_story() return b11_shares(b11_six(1, STORY_SEED)) end
  function b11_node(rank) -- who owns so much
    local l, share = b11_six(1, STORY_SEED), b11_story()[rank]
    for id = 0, SIX - 1 do if 100 * l:share(id) == share then return "S" .. id end end
  end
  DRAWS = 100
  local function fullest_mean(tokens, rule)
    local sum = 0
    for seed = 1, DRAWS do sum = sum + b11_shares(b11_six(tokens, seed, rule))[1] end
    return sum / DRAWS
  end
  function b11_cpu(share) return 12.5 + 2.5 * share end
  local TOKEN_WAYS = { { "1, random", 1 }, { "16, random", 16 }, { "16, chosen", 16, "chosen" } }
  local function token_rows(last)
    local rows = {}
    for i = 1, last do
      local way = TOKEN_WAYS[i]
      rows[i] = { label = way[1], cells = function()
        local share = way[3] and b11_shares(b11_six(16, nil, "chosen"))[1] or fullest_mean(way[2])
        return { round(share, 1), round(b11_cpu(share)) }
      end }
    end
    return { title = "Six nodes, the fullest", columns = { "tokens", "owns %", "CPU %" }, numbers = { 2, 3 }, rows = rows }
  end
  function b11_drawn() return token_rows(1) end
  function b11_tokens() return token_rows(#TOKEN_WAYS) end

  -- Case 5: telemetry by date.
  DEVICES, TELLS = 1000000, 10
  BOUGHT = 5 * DEVICES // TELLS -- writes a second that are paid for
  function b11_today(w)
    calm(w)
    perform(w, "system dynamodb on")
    w:flow("like", TODAY_KEY, DEVICES // TELLS)
  end
  function b11_date(w) return w:system_of("dynamodb", "2026-09-23") or { ok = 0, asked = 0, throttled = 0, limit_writes = 1000 } end
  local DEVICE_KEYS = keys("device%d", 1, 10000, function() return DEVICES // TELLS // 10000 end)
  -- Writes a second that so many partitions take of these keys, 1,000 each.
  local function taken_of(ks, partitions)
    local l, sum, most = layout("slots", { shards = partitions, slots = 16384 }), 0, 0
    for id = 0, partitions - 1 do
      local load = l:load(ks, id)
      sum, most = sum + math.min(load, 1000), math.max(most, load)
    end
    return sum, most
  end
  local DATE_FIXES = {
    { "the date", keys("2026-09-2%d", 3, 3, function() return DEVICES // TELLS end) },
    { "date#0 to #9", keys("2026-09-23#%d", 0, 9, function() return DEVICES // TELLS // 10 end) },
    { "device, time", DEVICE_KEYS },
  }
  function b11_dates()
    local rows = {}
    for i, fix in ipairs(DATE_FIXES) do
      rows[i] = { label = fix[1], cells = function()
        local ok, most = taken_of(fix[2], 200)
        return { ok, most }
      end }
      if i == 1 then
        rows[i].run = function(f)
          b11_today(f)
          f:play_for(2.1)
        end
        rows[i].cells = function(f) return { b11_date(f).ok, b11_date(f).asked } end
      end
    end
    return { title = "100,000 writes/s, 200 partitions", columns = { "key", "taken/s", "fullest" }, numbers = { 2, 3 }, rows = rows }
  end

  -- Four days, a column for six hours each: the partitions on which these days are, and others.
  function b11_days()
    local l, ids, values, seen = layout("slots", { shards = 500, slots = 16384 }), {}, {}, {}
    for day = 1, 4 do
      ids[day] = l:owner("2026-09-2" .. day + 2)
      seen[ids[day]] = true
    end
    local rows = { ids[1], ids[2], ids[3], ids[4] }
    for id = 20, 499, 40 do
      if not seen[id] and #rows < 16 then rows[#rows + 1] = id end
    end
    table.sort(rows)
    for i, id in ipairs(rows) do
      values[i] = {}
      for j = 1, 16 do values[i][j] = ids[(j + 3) // 4] == id and DEVICES // TELLS or 0 end
    end
    return values
  end

  -- Case 6: customers by id, asked for by email.
  BANK, RUNS = 256, 64 -- shards of the bank; of the run
  function b11_slow(n)
    local fast = 1
    for _ = 1, n do fast = fast * 0.99 end
    return 100 * (1 - fast)
  end
  local function bank(f, shards)
    local n = shards or RUNS
    calm(f)
    while f:shards() < n do f:add_shard("a") end
    for i = 0, n - 1 do pcall(f.move, f, i * 16384 // n, (i + 1) * 16384 // n - 1, "S" .. i) end
    f:play_for(0.2)
    perform(f, "times all 4 18 slow 1 21 400")
  end
  -- So many logins a second, each of which asks all shards.
  local function logins(f, rate)
    f:send("like", "mail:{p9}", "R0")
    f:play_answered()
    perform(f, "query login sum of mail:*", "gather login " .. rate)
    f:play_for(3)
  end
  function b11_waiting(f) -- percent of them that took longer than 20 ms
    local low, high = 0, 1000
    while high - low > 1 do
      local middle = (low + high) // 2
      if f:query_ms("login", middle / 10) <= 20 then low = middle else high = middle end
    end
    return (1000 - low) / 10
  end
  function b11_fans()
    local rows = {}
    for i, n in ipairs { 4, 16, RUNS, BANK } do
      rows[i] = { label = n .. " shards", cells = { decimals(b11_slow(n), 1), "worked out" } }
      if n <= RUNS then
        rows[i].run = function(f)
          bank(f, n)
          logins(f, 200)
        end
        rows[i].cells = function(f) return { decimals(b11_waiting(f), 1), "played" } end
      end
    end
    return { title = "Logins longer than 20 ms", columns = { "each asks", "%", "" }, numbers = { 2 }, rows = rows }
  end
  -- Rows that a new e-mail of a customer writes, where an index has its own shards.
  function b11_change(f)
    local g = f:fork()
    perform(g, "gather login 0", "times all off", "catalog users sync", "put users 1 mail1 via R0")
    g:play_for(1)
    perform(g, "put users 1 mail2 via R0")
    g:play_for(1)
    return g:catalog("users").put_writes
  end
  -- A login on four shards, asked once: what the picture shows before rows are opened.
  function b11_login(w)
    b11_calm(w)
    pcall(w.send, w, "like", "mail:{p9}", "R0")
    w:play_answered()
    perform(w, "query login sum of mail:*", "gather login via R0")
    w:play_answered()
  end
  function b11_few(row) return tonumber(cells[row][3]) < 5 end
  function b11_emails()
    local rows = {}
    local ways = { { "ask all" }, { "ask twice", "hedge 20" }, { "own index", "ask 2" } } -- who knows the id by an index asks two
    for i, way in ipairs(ways) do
      rows[i] = { label = way[1], run = function(f)
          bank(f)
          logins(f, 0)
          if way[2] then perform(f, "query login " .. way[2]) end
          perform(f, "gather login 200")
          f:play_for(3)
        end,
        cells = function(f) return { i == 3 and 2 or RUNS, decimals(b11_waiting(f), 1), i == 3 and b11_change(f) or 1 } end }
    end
    return { title = "A login", columns = { "way", "shards", "slow %", "a change" }, numbers = { 2, 3, 4 }, rows = rows }
  end

  -- Cases 7 to 9: what companies published, and what of it can be played.
  HOSTS32, HOSTS96, SHARDS480 = 32, 96, 480
  local function hosts(n) return layout("slots", { shards = n, slots = SHARDS480, deal = "ranges" }) end
  local function grown_to(n)
    local l = hosts(HOSTS32)
    for _ = HOSTS32 + 1, n do l = l:add() end
    return l
  end
  function b11_fleets()
    local rows = {}
    for i, n in ipairs { 32, 48, 96 } do
      rows[i] = { label = n .. " hosts", cells = function()
        local l, moved, most, least = grown_to(n), 0, 0, SHARDS480
        for id = 0, n - 1 do
          local has = l:slots_of(id)
          moved, most, least = moved + (id >= HOSTS32 and has or 0), math.max(most, has), math.min(least, has)
        end
        return { most == least and tostring(most) or least .. " or " .. most, moved }
      end }
    end
    return { title = "480 logical shards", columns = { "on", "each", "moved" }, numbers = { 3 }, rows = rows }
  end

  -- One database on S0, with views on it, and then with its first table moved.
  local function views(f)
    calm(f)
    pcall(f.move, f, 0, 16383, "S0")
    f:play_for(0.1)
  end
  b11_one_db = views
  function b11_views()
    local rows = {}
    for i, phase in ipairs { "8 views", "first table moved" } do
      local pause, bytes = 0, 0
      rows[i] = { label = phase, run = function(f)
          views(f)
          if i == 2 then
            f:flow("edit", "file:{p9}", 20)
            f:play_for(0.2)
            perform(f, "migrate " .. B11_SLOT .. " S2 200MB 100MB reverse")
            f:play_until_phase(B11_SLOT, "caught-up")
            perform(f, "fence " .. B11_SLOT)
            f:play_until_phase(B11_SLOT, "moved")
            pause, bytes = f:move_of(B11_SLOT).pause_ms, f:move_of(B11_SLOT).bytes
          end
        end,
        cells = function() return { bytes // 1000000, round(pause, 1), i == 1 and "a setting" or "a move" } end }
    end
    return { title = "Two steps", columns = { "step", "MB", "pause ms", "back by" }, numbers = { 2, 3 }, rows = rows }
  end

  -- Eight shards of different load, to be packed on fewer.
  LOADS, MOST_FULL = { 300, 220, 160, 120, 110, 60, 40, 30 }, 80 -- writes a second; percent of 1,000
  local function packed(f, fewer)
    calm(f)
    while f:shards() < #LOADS do f:add_shard("a") end
    for i = 0, #LOADS - 1 do
      local first, last = i * 16384 // #LOADS, (i + 1) * 16384 // #LOADS - 1
      pcall(f.move, f, first, last, "S" .. i % fewer)
      local n = 0
      repeat n = n + 1 until f:slot("doc:{d" .. n .. "}") >= first and f:slot("doc:{d" .. n .. "}") <= last
      f:flow("like", "doc:{d" .. n .. "}", LOADS[i + 1])
    end
    f:play_for(3.1)
  end
  function b11_unpacked(w) packed(w, #LOADS) end
  function b11_packs()
    local rows = {}
    for i, n in ipairs { 8, 4, 2, 1 } do
      rows[i] = { label = n == 1 and "1 shard" or n .. " shards", run = function(f) packed(f, n) end,
        cells = function(f)
          local most, refused = 0, 0
          for id = 0, f:shards() - 1 do
            most, refused = math.max(most, f["S" .. id].writes), refused + f["S" .. id].writes_refused
          end
          return { round(most / 10), refused }
        end }
    end
    return { title = "Packed", columns = { "on", "fullest %", "refused/s" }, numbers = { 2, 3 }, rows = rows }
  end

  -- --- section B: more of capacity ---

  local STORE = { items = 1e9, item_kb = 2, copies = 3 }
  function b11_store(name) return size("storage", STORE)[name] end
  function b11_load(name) return size("throughput", {})[name] end
  function b11_hot(name, give) return size("hotspot", give or {})[name] end
  TOP = { items = 1000000, partitions = 6000 }
  function b11_top(zipf) return size("hotspot", { items = TOP.items, zipf = zipf }).top_share_pct end
  function b11_law(zipf)
    local share = round(b11_top(zipf))
    if share <= 50 then return "At " .. zipf .. " the top 1% get " .. share .. "%." end
    return "At " .. zipf .. " it is " .. share .. "%. So \"20 to 50%\" holds from about 0.66 to 0.89. At 1, which is usual, it is " .. round(b11_top(1)) .. "%. Measure yours."
  end
  function b11_fit(gb)
    local n = b11_machine(gb, "instances")
    if gb ~= 17 then return n .. " machines." end
    return n .. " machines instead of " .. b11_plan("instances") .. ": that is what the safe side costs. One process after the other could save itself instead."
  end
  function b11_machine(gb, name) return size("capacity", { process_gb = gb })[name] end
  function b11_divisors(n)
    local count = 0
    for d = 1, n do if n % d == 0 then count = count + 1 end end
    return count
  end
end
-- === section B, helpers, end ===

return lesson {
  id = "11_in_the_field", part = 11, title = "In the field", minutes = 12,
  needs = { "10_one_like_end_to_end" },
  world = "story-quiet",
  placement = { go = "tell" },

  steps = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-prefix", title = "Logs", check = true, show = { "bars" },
      say = [[
        A bucket gets 14,000 small logs a second. Their keys begin with a digit of a hash. A range of keys takes 3,500 PUTs a second.]],
      predict = { id = "p11-check-prefix", kind = "number", unit = "ranges", tolerance = 0,
        ask = "Over how many ranges must they fall, at least?",
        answer = function() return math.ceil(14000 / PUTS) end,
        wrong = { [1] = { belief = "a bucket has one limit", why = "The limit is a range's. A bucket has as many as it is cut into." },
          [14] = { belief = "every unit takes 1,000 writes", why = "A partition of DynamoDB does. Here it is 3,500." } },
        why = "14,000 / 3,500." } },

    { id = "check-copies", title = "More writes", check = true, show = { "bars" },
      say = [[
        A shard takes all the writes that it can. Its database has five copies in three zones, a load balancer and a CDN in front.]],
      predict = { id = "p11-check-copies", kind = "choice", ask = "What lets more writes through?",
        choices = {
          { "A sixth copy", belief = "more machines take more of everything", why = "It does every write that the others do.", holds = function() return false end },
          { "A second shard that owns half of the keys", holds = function() return true end },
          { "A copy in a fourth zone", belief = "zones add capacity", why = "A copy is a copy, wherever it is.", holds = function() return false end },
        },
        why = "Only where rows have another owner are there fewer writes for each." } },

    { id = "check-parts", title = "Near ones", check = true, show = { "bars" },
      say = [[
        An index of 6 million vectors in 300 parts of equal size. A query is compared with what is in the 3 nearest parts.]],
      predict = { id = "p11-check-parts", kind = "number", unit = "%", tolerance = 0,
        ask = "With what share of all vectors?",
        answer = function() return size("vectors", { vectors = 6000000, parts = 300, probe = 3 }).scanned_pct end,
        wrong = { [100] = { belief = "a query sees all", why = "It sees three parts of 300." },
          [3] = { belief = "a part is a percent", why = "There are 300 parts, not 100." } },
        why = "3 of 300." } },

    { id = "check-wait", title = "All are asked", check = true, show = { "bars" },
      say = [[
        40 nodes hold the items of a shop. Each is asked, and gives its 250 best.]],
      predict = { id = "p11-check-wait", kind = "number", tolerance = 0,
        ask = "How many candidates are ranked?",
        answer = function() return size("vectors", { nodes = 40, best = 250 }).merged end,
        wrong = { [250] = { belief = "the merge keeps as many as one gives", why = "That is each node's part. All of them are merged first." },
          [40] = { belief = "one a node", why = "Each gives 250." } },
        why = "40 x 250." } },

    -- ------------------------------------------------------------------ what you know

    { id = "recall", title = "A zone goes", show = { "fleet" }, enter = evening,
      say = [[
        Six routers in three zones take {TAKES} requests a second each. {POSTS * 3 * LIKE} come: each router is {round(w:fleet_router("R0").rate * 100 / TAKES)}% full. Then zone b loses power.]],
      with = { TAKES = TAKES, POSTS = POSTS, LIKE = LIKE },
      predict = { id = "p11-recall", kind = "number", unit = "%", tolerance = 1,
        ask = "How much of what it takes is each router asked for then?",
        answer = function(w) return round(w:fleet_router("R0").rate * 100 / TAKES) end,
        wrong = { [80] = { belief = "a lost zone's share is lost", why = "Its phones go to the routers of the other zones." },
          [100] = { belief = "full is the most", why = "It serves no more than that. It is asked for more." },
          [107] = { belief = "the share is a third of each", why = "A third of all goes to two thirds of the routers: half as much again for each." } },
        why = "{POSTS * 3 * LIKE} on four routers instead of six.",
        hints = { "How many routers are left?", "Four, for {POSTS * 3 * LIKE} requests.", "{POSTS * 3 * LIKE // 4} of {TAKES}." } },
      run = function(w)
        w:command("zone b down 300")
        w:play_for(2.1)
      end,
      after = [[
        So fleets are sized for the day on which a zone is gone (Part 10).]] },

    { id = "recall-item", title = "Alone", show = { "parts:dynamodb" }, key = P9,
      enter = function(w)
        only(w, "dynamodb")
        likes(w, RUSH, LIKE)
        w:play_for(2 * HEAT - 1)
      end,
      say = [[
        DynamoDB has split p9's partition once; {UNITS} writes a second are the most that one takes. p9 alone is asked for {RUSH}. Soon it is split again.]],
      with = { UNITS = UNITS, RUSH = RUSH },
      predict = { id = "p11-recall-item", kind = "number", unit = "likes/s", tolerance = 40,
        ask = "How many likes a second are refused after that?",
        answer = function(w) return w:system_of("dynamodb", "p9").writes - UNITS end,
        wrong = { [0] = { belief = "splitting goes on until it fits", why = "An item is on one partition, however often it is split." } },
        why = "p9 is one item: {RUSH} - {UNITS}.",
        hints = { "Who is left on its partition?", "p9 alone, with all of its likes.", "{RUSH} - {UNITS}." } },
      run = function(w) w:play_for(4) end,
      after = [[
        One key, one unit (Part 7). Now other stores: what is *their* unit?]] },

    -- ------------------------------------------------------------------ services

    { id = "services", title = "Three questions", show = { "table", "bars" }, key = P9, table = services,
      enter = function(w)
        calm(w)
        likes(w, FANS, 0)
        w:play_for(1.1)
      end,
      say = [[
        Ask of any store: What is the *unit*? How does a key get to it? How much does one unit take?

        p9 alone gets {FANS} likes a second, small writes. Four name a number here: Keyspaces counts as DynamoDB does, and a range of keys of Amazon S3 takes {PUTS} writes. With others the machine decides.]],
      with = { FANS = FANS, UNITS = UNITS, PUTS = PUTS, fitting = fitting },
      predict = { id = "p11-services", kind = "number", tolerance = 0,
        ask = "On how many of the four does one unit take p9?",
        answer = function() return fitting() end,
        wrong = { [0] = { belief = "every unit takes 1,000 writes", why = "Three do. A range of keys of Amazon S3 takes at least {PUTS}." },
          [4] = { belief = "a cloud service has room", why = "It has many units. p9 is on one of them." },
          [3] = { belief = "a cloud service has room", why = "{UNITS} a second is the most that three of them give to one unit." } },
        why = "Amazon S3: {PUTS} writes a second. The other three stop at {UNITS}.",
        hints = { "DynamoDB, Keyspaces, Kinesis: how much does a unit take?", "{UNITS} writes a second each.", "And Amazon S3 {PUTS}." } },
      after = [[
        Unit, mapping and limit tell where a hot key will hurt. *Enter* opens a row: S2 with that limit.]],
      notes = "Let each name a store that they run, and answer the three questions for it." },

    -- ------------------------------------------------------------------ look-alikes

    { id = "replicas", title = "It looks alike", show = { "bars" }, key = P9,
      enter = function(w)
        calm(w)
        likes(w, FANS, 0)
        w:play_for(1.1)
      end,
      say = [[
        Much looks like sharding. Two questions tell. Has each row *one owner*? Does *write capacity* grow?

        p9 gets {FANS} likes a second, of which S2 takes {UNITS}. Now S2 gets {COPIES - 1} read replicas.]],
      with = { FANS = FANS, UNITS = UNITS, COPIES = COPIES },
      predict = { id = "p11-replicas", kind = "number", unit = "likes/s", tolerance = 20,
        ask = "How many likes a second are told OK?",
        answer = function(w) return w.S2.writes_ok end,
        wrong = { [FANS] = { belief = "more machines take more of everything", why = "A replica takes reads. Each write must be done by S2, and by each replica as well." },
          [UNITS * COPIES] = { belief = "copies share the writes", why = "Each copy does every write. Sharing would mean that some lack it." } },
        why = "Each copy does each write, so five can do what one can.",
        hints = { "Who takes a write?", "S2, and then each replica does it too.", "As before." } },
      run = function(w)
        w:command("replicas S2 " .. COPIES)
        w:play_for(2.1)
      end,
      after = [[
        Reads grew, writes did not: no sharding. So it is with a CDN, a load balancer, and a copy in each zone.]] },

    -- ------------------------------------------------------------------ keys in order

    { id = "prefixes", title = "By date", show = { "ranges" },
      placing = function() return { { title = "a bucket, by date", before = by_date(), keys = OLD } } end,
      say = [[
        Amazon S3 keeps a bucket's keys in order and cuts them into ranges, by prefixes. Each takes at least {PUTS} PUTs or {GETS} GETs a second.

        Here keys begin with the date. {RANGES} ranges hold what there is. Today {PHOTOS} photos a second come.]],
      with = { PUTS = PUTS, GETS = GETS, RANGES = RANGES, PHOTOS = PHOTOS, by_hash = by_hash, SPREAD = SPREAD, over = over },
      predict = { id = "p11-prefixes", kind = "number", unit = "PUTs/s", tolerance = 0,
        ask = "How many a second get 503 Slow Down at first?",
        answer = function() return over(by_date(), TODAY) end,
        wrong = { [0] = { belief = "ranges share what comes", why = "All of today's keys lie behind the last cut: in one range." },
          [PHOTOS - GETS] = { belief = "reads and writes have one limit", why = "{GETS} is for GETs. A PUT counts against {PUTS}." } },
        why = "{PHOTOS} on one range that takes {PUTS}.",
        hints = { "In which range does a key of today lie?", "All of them in the last.", "{PHOTOS} - {PUTS}." } },
      after = [[
        Amazon S3 splits a hot range, in time; tomorrow's keys lie behind that cut again. At lower rates dates are fine, says AWS. Beyond, put a hash in front: once those ranges are split {over(by_hash(), SPREAD)} are refused, and a day is listed from each.]] },

    -- ------------------------------------------------------------------ who decides

    { id = "hang", title = "Who decides?", show = { "nodes" },
      enter = function(w)
        copies(w)
        perform(w, "beats 500 timeout " .. HASTE, "recopy on")
        w:play_for(10)
      end,
      say = [[
        Who decides that data moves? Here the cluster *itself*: a node silent for {HASTE / 1000} s counts as dead, and its copies are made anew at full speed. Heartbeats use the same links.

        N3 hangs for four seconds. All eight nodes live.]],
      with = { HASTE = HASTE },
      predict = { id = "p11-hang", kind = "choice", confidence = true,
        ask = "Which nodes are declared dead?",
        choices = {
          { "None: all of them live", belief = "slow is not dead", why = "Nobody can tell the two apart from outside. N3 was silent for too long.",
            holds = function(w) return w:beats().declared == 0 end },
          { "N3", belief = "a mistake stays one mistake", why = "Its copies filled the links, and other heartbeats came late.",
            holds = function(w) return w:beats().declared == 1 end },
          { "N3, and then others", holds = function(w) return w:beats().declared > 1 end },
        },
        why = "Copies fill the links, other heartbeats come late, and those nodes count as dead too.",
        hints = { "N3 is silent for longer than {HASTE / 1000} s.", "What do six copies at full speed do to the links?", "And what else uses the links?" } },
      run = function(w) M.gb = hangs(w) end,
      after = [[
        {w:beats().declared} nodes, {decimals(m("gb"), 1)} GB copied in vain. *Automatic*: fast, also when wrong. *Within limits* that you set: slower, calmer. *By hand*: never fooled, but somebody must be awake.]],
      notes = "Ask what the group's own store does when a node is silent, after how long, and who said so." },

    -- ------------------------------------------------------------------ machines that learn

    { id = "lookups", title = "Two lookups", show = { "trace:R0" }, router = "R0",
      enter = function(w)
        calm(w)
        w:play_for(0.2)
        w:send("read", USER, "R0")
        w:play_answered()
        M.user = last.ms
        w:send("read", ITEM, "R0")
        w:play_answered()
        M.item = last.ms
      end,
      with = { USER = USER, ITEM = ITEM, slot = function(w, key) return tostring(w:slot(key)) end },
      say = [[
        A *feature store* keeps what a model must know: of a user under `user:U42`, of an item under `item:I789`. Slots {slot(w, USER)} and {slot(w, ITEM)}: {w:owner(USER)} and {w:owner(ITEM)}.

        Alone the first lookup took {m("user")} ms, the second {m("item")}. To rank I789 for U42 the model needs both.]],
      predict = { id = "p11-lookups", kind = "number", unit = "ms", tolerance = 0.3,
        ask = "How long do both take, asked at once?",
        answer = function(w) return math.max(w:request(last.number - 1).ms, last.ms) end,
        wrong = { [12.5] = { belief = "lookups come one after the other", why = "They go to two shards, which work at the same time." },
          [6] = { belief = "the first answer is enough", why = "The model waits for both, so for the slower one." } },
        why = "The slower of the two.",
        hints = { "Do the two shards wait for each other?", "No. Who is the last to answer?", "{m(\"item\")} ms." } },
      run = function(w)
        w:send("read", USER, "R0")
        w:send("read", ITEM, "R0")
        w:play_answered()
      end,
      after = [=[
        Each lookup is one key on one shard, so this store shards well. What hurts is a hot item, a [[hot key]] like p9.]=] },

    { id = "near", title = "The nearest", show = { "vectors" },
      vectors = function() return { title = commas(ITEMS) .. " items", index = index(), query = items():query(BORDER), probe = 1, k = K } end,
      say = [[
        A *vector* says what an item is like; alike is near. A query wants the {K} nearest, so no hash helps. Items are cut into parts by nearness, each with a centre. Only the *nprobe* parts with the nearest centres are searched.

        10 million items, 1,000 parts, nprobe {TEN.probe}.]],
      with = { K = K, one = one, TEN = TEN, thousand = function() return size("vectors", TEN).part_vectors end },
      predict = { id = "p11-near", kind = "number", unit = "%", tolerance = 0,
        ask = "What share of the items is the query compared with?",
        answer = function() return size("vectors", TEN).scanned_pct end,
        wrong = { [20] = { belief = "a part is a percent", why = "There are 1,000 parts, not 100." },
          [100] = { belief = "a query sees all", why = "Then it would need no parts." } },
        why = "{TEN.probe} of 1,000 parts, about: full ones are asked more often. A part has {thousand()} items.",
        hints = { "How many items has a part?", "10 million / 1,000, and {TEN.probe} of them.", "{TEN.probe} of 1,000." } },
      after = [[
        The price, in the picture with nprobe 1: {one(1).found} of the {K} nearest are found. The others lie across a border. The share that is found is the *recall*.]] },

    -- === section B ===
    -- ------------------------------------------------------------------ capacity

    { id = "capacity", title = "Will it hold?", show = { "worksheet" }, enter = b11_calm,
      worksheet = function() return { what = "capacity", title = "A feature store", give = PLAN, only = SHEET } end,
      with = { plan = b11_plan, TAKES_MASTER = TAKES_MASTER },
      say = [[
        A plan: 500 million users, 50 million items, features in memory, 30 GB a process: {plan("masters")} masters. {plan("reads")} reads a second come, {round(plan("reads_each"))} to each. One can answer {TAKES_MASTER}.

        Now one item gets 5% of all reads of items: {plan("viral")} a second.]],
      predict = { id = "p11-capacity", kind = "number", unit = "reads/s", tolerance = 500, confidence = true,
        ask = "How many reads a second does its master get?",
        answer = function() return b11_plan("viral_master") end,
        wrong = function()
          return { [round(b11_plan("reads_each"))] = { belief = "the mean is the plan", why = "That is the mean. Nobody spreads one key." },
            [round(b11_plan("viral"))] = { belief = "a hot key comes alone", why = "Its master has other keys too, and they are read as before." },
            [round(b11_plan("viral") + b11_plan("reads_each"))] = { belief = "hot reads come on top", why = "They are among the {b11_plan(\"reads\")} already. Take them off before you divide." },
            [round(b11_twice())] = { belief = "hot reads come on top", why = "The hot items' reads are in the {plan(\"reads\")} already: do not add them again." } }
        end,
        why = "{b11_plan(\"viral\")}, and a part of the rest: {b11_plan(\"how\").viral_master}.",
        hints = { "Its own, and what its neighbours get.", "The rest is {b11_plan(\"reads\")} - {b11_plan(\"viral\")}.", "That over {b11_plan(\"masters\")}, and its own." } },
      after = [[
        More than a process takes. The mean was fine, the plan is not: look at the busiest *key*. (Up and down show how each line is worked out.)]] },

    -- ------------------------------------------------------------------ a heat map

    b11_map("map-walk", "It walks", "time in the key", { "one key", "time in the key", "scan" }, {
      say = [[
        Where does it hurt? Draw what is asked: a row for each sixteenth of the keys, in order; a column a second.]],
      hints = { "Is the bright spot in one row?", "It walks. What is in the rows below it?", "Nothing, until it comes." },
      after = [[
        New keys are hot, old ones cool, and keys to come are not there yet. Put a hash, or a device, before the time. A *scan* walks too; but rows ahead of it have some traffic.]] }),

    -- ------------------------------------------------------------------ case 1

    { id = "sale", title = "Case 1: the board", show = { "heat" }, enter = b11_calm,
      heat = function(w)
        return { title = "Tries at each master", rows_are = "masters", columns_are = "seconds", first_row = "S0", last_row = "S11",
          first_column = "14:00:00", last_column = "14:00:11", values = b11_masters(w) }
      end,
      say = [[
        Now cases: board first. {MASTERS} masters of a shop's cache, as in the map.

          slots of each  {16384 // MASTERS} or {16384 // MASTERS + 1}
          products       as yesterday
          S2's CPU       100%
          S2's answers   in time, or none
          who suffers    some products]],
      with = { MASTERS = MASTERS },
      predict = { id = "p11-sale", kind = "choice",
        ask = "What is behind it?",
        choices = {
          { "S2 is a slow machine", belief = "who is late is broken", why = "It is *asked* more than the others: that is what the map counts.", holds = function() return false end },
          { "S2 has too many slots", belief = "uneven load is uneven placement", why = "It has as many as the others, and was even until 14:00:04.", holds = function() return false end },
          { "One product is hot", holds = function(w)
            local values, cool, hot = b11_masters(w), 0, 0
            for i = 1, MASTERS do
              if values[i][12] > 2 * values[i][4] then hot = hot + 1 else cool = cool + 1 end
            end
            return hot == 1 and cool == MASTERS - 1
          end },
        },
        why = "Even slots, even load, and then one row that glows.",
        hints = { "When did it begin, and where?", "One row, at once. Slots do not change at once.", "What is on one master only?" } },
      after = [[
        Those whose product shares the master suffer with it. (Tries: clients ask again, up to three times.)]] },

    { id = "sale-factor", title = "Case 1: how hot?", show = { "table", "bars" }, enter = b11_calm, table = b11_before_sale,
      with = { EACH = EACH_MASTER, SALE = SALE, MASTERS = MASTERS, SCALE = SCALE, TAKES = TAKES_MASTER },
      say = [=[
        Each master had {EACH} reads a second. The product alone has {SALE} on top. The [[hotspot factor]] is the busiest over the average *now*.]=],
      predict = { id = "p11-sale-factor", kind = "number", unit = "times", tolerance = 0.06,
        ask = "What is it? Count first asks only.",
        answer = function() return round(cells[1][2] / (EACH_MASTER + SALE / MASTERS), 2) end,
        wrong = { [4.6] = { belief = "the average is yesterday's", why = "{SALE} more come, so the average is {EACH + SALE // MASTERS} now." },
          [3.6] = { belief = "the key over the average", why = "Its master has the other {EACH} as well." },
          [2.77] = { belief = "the key over the average", why = "Its master has the other {EACH} as well." } },
        why = "{cells[1][2]} over {EACH + SALE // MASTERS}.",
        hints = { "The busiest: {EACH} + {SALE}.", "All: {MASTERS} x {EACH} + {SALE}, over {MASTERS}.", "{EACH + SALE} / {EACH + SALE // MASTERS}." } },
      after = [[
        A master answers {TAKES}. Who is refused asks again at once, up to three times: {cells[1][3]} tries a second, {cells[1][4]} refused. *Enter* opens a row: a hundredth of the shop's traffic.]] },

    { id = "sale-fix", title = "Case 1: the fix", show = { "table", "bars" }, enter = b11_calm, table = b11_sale,
      with = { SALE = SALE, SERVERS = SERVERS, MASTERS = MASTERS, own = B11_OWN },
      say = [[
        Three ideas: twice as many masters; a budget for repeats; and each of the {SERVERS} app servers keeps the product for a second.]],
      predict = { id = "p11-sale-fix", kind = "choice",
        ask = "With which is nothing refused?",
        choices = {
          { "{2 * MASTERS} masters", belief = "more shards, less load each", why = "Its neighbours go elsewhere. The product does not.", holds = function() return cells[2][4] == 0 end },
          { "A budget for repeats", belief = "retries are the load", why = "It ends the repeats. First asks are too many already.", holds = function() return cells[3][4] == 0 end },
          { "Kept 1 s at each server", holds = function() return cells[4][4] == 0 and cells[2][4] > 0 and cells[3][4] > 0 end },
        },
        why = "Then each server asks for it once a second.",
        hints = { "What can be done with one key?", "Cut its asks, not its shard.", "Who asks Redis then, and how often?" } },
      after = [[
        {SERVERS} servers, one read a second each, instead of {own}: {own // SERVERS} times fewer. (In the run a router stands for ten servers, a read for a hundred.)]] },

    -- ------------------------------------------------------------------ case 2

    { id = "ten", title = "Case 2: the board", show = { "heat" }, enter = b11_calm,
      heat = function(w)
        return { title = "p99 of reads, ms", rows_are = "old nodes", columns_are = "seconds", first_row = "S0", last_row = "S3",
          first_column = "09:00:00", last_column = "09:00:09", values = b11_nodes(w) }
      end,
      with = { OLD = OLD50, MORE = MORE10 },
      say = [[
        A store of {OLD} nodes, 50 TB; four of them in the map. At 09:00:04 {MORE} more were added.

          requests        as ever
          hottest key     0.1%
          old disks       95% busy
          new nodes' net  full
          declared dead   2 old nodes]],
      predict = { id = "p11-ten", kind = "choice",
        ask = "Why are reads slow?",
        choices = {
          { "Ten were too few", belief = "slow means too small", why = "It was well with {OLD - 0} until they came.", holds = function() return false end },
          { "A key went viral", belief = "every slow shard is a hot key", why = "Then one row would glow. All do.", holds = function() return false end },
          { "Data moves without a limit", holds = function(w)
            local v = b11_nodes(w)
            for i = 1, 4 do if v[i][10] < 5 * v[i][4] then return false end end
            return true
          end },
        },
        why = "Old nodes read their disks for the new ones, and reads wait.",
        hints = { "What do full networks of *new* nodes say?", "They receive.", "And who sends?" } },
      after = [[
        Slow nodes then counted as dead, and *their* data was copied too. The team saw 900 ms. The map is of a smaller run: one copy beside reads on each disk.]] },

    { id = "ten-hours", title = "Case 2: how long?", show = { "table", "move:12067" }, enter = b11_calm, table = b11_expand,
      with = { OLD = OLD50, MORE = MORE10, CAP = B11_CAP },
      say = [[
        Again, two nodes at a time, and each receives {CAP * 8} megabits a second: {CAP} MB. In all {decimals(b11_by_twos(), 1)} TB move. "It took 12 hours", somebody wrote.]],
      predict = { id = "p11-ten-hours", kind = "number", unit = "hours", tolerance = 1.5,
        ask = "How long does it take?",
        answer = function() return round(b11_hours(b11_by_twos(), 2), 1) end,
        wrong = { [12] = { belief = "what is written was measured", why = "In that time two receive {decimals(12 * 3600 * 2 * CAP / 1e6, 1)} TB. So those 12 hours cannot be right." },
          [99.5] = { belief = "one after the other", why = "Two receive at a time." },
          [9.95] = { belief = "all receive at once", why = "Two do." },
          [6.2] = { belief = "a megabit is a megabyte", why = "Eight bits make a byte." } },
        why = "{decimals(b11_by_twos(), 2)} TB over 2 x {CAP} MB a second.",
        hints = { "How much do two take a second?", "{2 * CAP} MB.", "{round(b11_by_twos() * 1000)} GB / {2 * CAP} MB are {round(b11_by_twos() * 1e6 / 50)} s." } },
      after = [[
        Two days, and reads are as fast as ever: {cells[3][2]} ms against {cells[1][2]}. (By twos {cells[3][3]} TB move, not {cells[2][3]}: some of it twice.) All ten at once, capped: {cells[2][4]} hours. So add nodes *before* you need them.]] },

    -- ------------------------------------------------------------------ what tools print

    { id = "read-check", title = "Read it", show = { "readout:cluster-check" },
      enter = function(w)
        b11_calm(w)
        perform(w, "shift 7103 S3 open")
      end,
      say = [[
        redis-cli checks the cluster after somebody stopped a script of his in the middle. Read it: tab, then down.]],
      predict = { id = "p11-read-check", kind = "choice",
        ask = "What is wrong?",
        choices = {
          { "A slot has no owner", belief = "every warning is an outage", why = "All slots are covered, it says. Requests of that slot are answered.", holds = function() return false end },
          { "A move was left half way", holds = function(w) return w:readout_node(w:owner(7103)).migrating ~= nil end },
          { "A master is down", belief = "every warning is an outage", why = "All four answer, with their slots.", holds = function() return false end },
        },
        why = "Slot 7103 is open at both ends, and covered.",
        hints = { "Is every slot covered?", "Yes. What do the warnings name?", "The same slot, twice: leaving, and arriving." } },
      run = function(w) M.check = w:readout("cluster-check") end,
      after = [[
        Nothing is lost. Finish that move (`--cluster fix`), then look on. Drills have more of these.]] },

    -- ------------------------------------------------------------------ the explanation

    { id = "tell", title = "Tell a colleague", show = { "worksheet" },
      worksheet = function() return { what = "capacity", title = "A feature store", give = PLAN, only = SHEET } end,
      enter = b11_calm,
      say = [["The masters are at 31%. So there is room."]],
      predict = { id = "p11-tell", kind = "explain",
        ask = "What else do you look at before you agree?",
        model = "31% is the mean. One item with 5% of the reads puts {b11_plan(\"viral_master\")} on one master. And moves and lost machines need room.",
        rubric = { "a mean hides the busiest", "a key is on one master", "moves and losses need room" },
        hints = { "Is anything hidden by a mean?", "What is one key on?", "What else takes room?" } },
      after = [[
        From here on it goes deeper.]] },
    -- === section B ends ===
    -- ------------------------------------------------------------------ deeper: services

    { id = "units", title = "Count in the unit", deeper = true, show = { "table" }, enter = calm, table = sized,
      say = [[
        A unit is not always a request. A write unit of DynamoDB or Keyspaces is up to 1 KB of one write; a shard of Kinesis takes {UNITS} records or 1 MB, whichever comes first. Amazon S3 counts requests.

        Likes come with a comment now: {KB} KB each, {FANS} a second for p9.]],
      with = { UNITS = UNITS, KB = KB, FANS = FANS },
      predict = { id = "p11-units", kind = "number", unit = "%", tolerance = 0,
        ask = "How much of a partition's {UNITS} write units is p9 asked for?",
        answer = function() return cells[1][3] end,
        wrong = { [240] = { belief = "a write is a unit", why = "One of up to 1 KB is. 2.5 KB are 3 units." },
          [600] = { belief = "parts of a unit are counted as parts", why = "Each write is rounded up: 2.5 KB to 3." } },
        why = "{FANS} x 3 units.",
        hints = { "How many units is a write of {KB} KB?", "3: it is rounded up.", "{FANS} x 3 of {UNITS}." } },
      after = [[
        In Kinesis bytes become the limit: {decimals(FANS * KB / 1000, 1)} MB of 1. Ask what is counted: requests, bytes, or bytes rounded up.]] },

    { id = "stream-open", title = "The last step", deeper = true, show = { "table" }, enter = calm, table = streamed(30000, 0.5, HOT),
      say = [[
        30,000 records of half a KB a second, on shards of Kinesis:

          by records  30,000 / {UNITS}   {stream(30000, 0.5).records}
          by MB              15 / 1   {stream(30000, 0.5).bytes}
          the larger                  {stream(30000, 0.5).more}
          at {HEADROOM}%                      {stream(30000, 0.5).shards}

        The busiest key has {HOT} records a second.]],
      with = { UNITS = UNITS, HEADROOM = HEADROOM, HOT = HOT, stream = stream },
      predict = { id = "p11-stream-open", kind = "number", unit = "%", tolerance = 0,
        ask = "How full is its shard, by that key alone?",
        answer = function() return HOT * 100 // UNITS end,
        wrong = { [45] = { belief = "load spreads by itself", why = "That is {HOT} over all shards. One key is on one of them." },
          [100] = { belief = "full is the most", why = "It takes no more. It is asked for more." } },
        why = "{HOT} of {UNITS}, however many shards there are.",
        hints = { "On how many shards is a key?", "On one.", "{HOT} of {UNITS}." } },
      after = [[
        So shards are counted first, and the busiest key last: no number of shards helps it.]] },

    { id = "stream-alone", title = "On your own", deeper = true, show = { "table" }, enter = calm, table = streamed(12000, 3, 250),
      say = [[
        12,000 records of 3 KB a second, no key among them above 250. Shards of Kinesis, at {HEADROOM}%.]],
      with = { HEADROOM = HEADROOM },
      predict = { id = "p11-stream-alone", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many?",
        answer = function() return stream(12000, 3).shards end,
        wrong = { [15] = { belief = "only requests count", why = "So many by records. 36 MB a second need 36 shards, and room." },
          [12] = { belief = "only requests count", why = "So many by records, full. Bytes ask for more." },
          [36] = { belief = "full is where the line is", why = "By bytes, and full: no burst fits." } },
        why = "36 MB a second, at {HEADROOM}% of 1 MB a shard.",
        hints = { "By records, and by MB.", "12 and 36. The larger.", "36 / 0.8." } },
      after = [[
        And the busiest key, with 750 KB a second of 1 MB, fits on its shard.]] },

    { id = "name-keys", title = "Name the keys", deeper = true, show = { "ranges" },
      knobs = { { name = "key", label = "begin with", values = { "date", "user", "hash" }, start = "date" },
        { name = "shards", label = "ranges", values = { 1, 2, 3, 4, 6, 8 }, start = 2 } },
      placing = function(_, knob) return { { title = "today's photos", before = named(knob), keys = NAMED[knob.key] } } end,
      say = [[
        Amazon S3 again, {PHOTOS} PUTs a second. One user of forty takes half of the photos.

        Keys begin with the {knob.key}, {knob.shards == 1 and "one range" or knob.shards .. " ranges"}: the fullest gets {fullest(knob)} PUTs, {round(fullest(knob) * 100 / PUTS)}%. {names_say(knob.key)}]],
      with = { PHOTOS = PHOTOS, PUTS = PUTS, HEADROOM = HEADROOM },
      try = { ask = "Turn y and +: no range above {HEADROOM}%, and few ranges to list.", builds = true,
        goal = function()
          if not roomy(knob) then return false end
          for _, n in ipairs { 1, 2, 3, 4, 6, 8 } do
            if n < knob.shards and roomy { key = knob.key, shards = n } then return false end
          end
          return true
        end,
        solution = { "knob key hash", "knob shards 4" },
        hints = { "By date all come to the last range. And by user?", "One user has half, in one range.", "A hash, and {PHOTOS} / (0.8 x {PUTS}) = 3.75." } } },

    { id = "opensearch", title = "Five for ever", deeper = true, show = { "grid" },
      grids = function() return { { title = "5 primary shards, then 6", keys = MANY, before = primaries(5), after = primaries(6) } } end,
      say = [[
        OpenSearch puts a document on a *primary shard*: a hash of its routing value (the id, if you say nothing), modulo their number. An index has 5. Somebody wants 6.]],
      predict = { id = "p11-opensearch", kind = "number", unit = "%", tolerance = 2,
        ask = "What share of {#MANY} documents would belong to another shard?",
        answer = function() return round(100 * primaries(5):moved(primaries(6), MANY) / #MANY, 1) end,
        wrong = { [17] = { belief = "only the new one's share moves", why = "So it is on a ring. Modulo deals all of them anew." },
          [20] = { belief = "only the new one's share moves", why = "So it is on a ring. Modulo deals all of them anew." },
          [50] = { belief = "half of it moves", why = "That is for twice as many. From 5 to 6 few remainders stay." } },
        why = "A remainder by 5 is seldom the remainder by 6: for 5 numbers of 30.",
        hints = { "Modulo 5, then modulo 6.", "Of 30 numbers in a row, for how many is it the same?", "5 of 30 stay." } },
      with = { MANY = MANY },
      after = [[
        So the number is fixed when an index is made. A split multiplies it (5 to 10), or you write all into a new index. And a search without a routing value asks every shard.]] },

    { id = "slices", title = "The fullest slice", deeper = true, show = { "table", "scatter:sales" }, enter = warehouse, table = slices,
      say = [[
        Redshift keeps a table in *slices* and scans them all at once. Which slice a row is in: by a hash of its *DISTKEY*, or in turn (EVEN).

        {ROWS} million sales on four slices, {PER} ms a million: {ROWS // 4 * PER} ms with EVEN. {SHARE} in 100 are from one country.]],
      with = { ROWS = ROWS, PER = PER, SHARE = COUNTRIES[1][2], COUNTRIES = COUNTRIES },
      predict = { id = "p11-slices", kind = "number", unit = "ms", tolerance = 8,
        ask = "How long does the scan take with DISTKEY country?",
        answer = function() return cells[2][3] end,
        wrong = { [51] = { belief = "the work is the same", why = "In all it is. But one slice has most of it, and the others wait." },
          [201] = { belief = "all rows are on one slice", why = "{COUNTRIES[1][2]} in 100 are. The rest is elsewhere." } },
        why = "The fullest slice has {fullest_slice()} million rows, and the query is over when it is.",
        hints = { "Where are the rows of that country?", "All on one slice: {fullest_slice()} million.", "{PER} ms a million." } },
      after = [[
        As with the slowest shard in Part 9, only every time. DISTKEY customer: {cells[3][3]} ms, and a join with a table that has it too stays in its slice.]] },

    { id = "memory", title = "Told OK, and gone", deeper = true, show = { "machines:redis" }, key = P9,
      enter = function(w)
        only(w, "redis")
        w:flow("like", P9, 600, "scattered")
        w:play_for(2.1)
      end,
      say = [[
        ElastiCache and MemoryDB place keys like Redis Cluster. In Redis a primary says OK, its replica hears a moment later.

        p9 is liked 600 times a second. Its primary dies.]],
      predict = { id = "p11-memory", kind = "choice",
        ask = "What becomes of likes that were told OK?",
        choices = {
          { "A few are gone", holds = function(w) return w:system("redis").lost > 0 and w:system("redis").lost < 100 end },
          { "None: there is a replica", belief = "a replica has everything", why = "It has what had reached it.",
            holds = function(w) return w:system("redis").lost == 0 end },
          { "All: it was memory", belief = "memory is lost", why = "The replica's memory is alive.",
            holds = function(w) return w:system("redis").lost >= 100 end },
        },
        why = "{w:system(\"redis\").lost} had not reached the replica.",
        hints = { "When does the primary say OK?", "Before its replica has the write.", "How long is such a write on its way?" } },
      run = function(w)
        w:command("system redis down " .. w:system_of("redis", "p9").machine)
        w:play_for(18)
      end,
      after = [[
        That is ElastiCache: a cache, made again from elsewhere. MemoryDB writes to a log in several zones *before* OK: nothing is lost, and each write waits for it.]] },

    { id = "limitless", title = "Three kinds of table", deeper = true, enter = calm,
      say = [[
        Aurora Limitless: a *sharded* table is spread over PostgreSQL shards by a hash of its shard key. A *reference* table is whole on each, so joins stay there. A *standard* one is on one shard.

        {SHARDS} shards. Orders are sharded by customer, products is a reference table.]],
      with = { SHARDS = 8 },
      predict = { id = "p11-limitless", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards does a new price of one product write?",
        answer = function() return layout("slots", { shards = 8 }):shards() end,
        wrong = { [1] = { belief = "a row has one owner", why = "In a sharded table. A reference table has a copy of it on each shard." } },
        why = "Each has its copy.",
        hints = { "On how many shards is the row?", "A reference table is whole on each.", "All {SHARDS}." } },
      after = [[
        Copy what is small and seldom changes; shard what grows. And what is often joined has the same shard key, so that it lies together.]] },

    { id = "own", title = "Run by yourself", deeper = true, show = { "table", "systems" }, enter = calm, table = growing,
      say = [[
        The same questions for what you run yourself. Photos have growing names: photo1, photo2 ... {RATE} new ones a second.]],
      with = { RATE = 300 },
      predict = { id = "p11-own", kind = "several",
        ask = "Where do all of them come to one unit?",
        choices = {
          { "Cassandra, by token", belief = "a growing key is always hot", why = "A hash is between: neighbours in name are no neighbours there.", holds = function() return cells[1][4] > 90 end },
          { "CockroachDB and HBase", why = "Keys in order: a new one is behind all others.", holds = function() return cells[2][4] > 90 and cells[3][4] > 90 end },
          { "MongoDB, by range", why = "By range it is in order. With a hashed shard key it is not.", holds = function() return cells[4][4] > 90 end },
          { "Kafka and Vitess, by hash", belief = "a growing key is always hot", why = "A hash is between.", holds = function() return cells[5][4] > 90 and cells[7][4] > 90 end },
        },
        why = "Where keys are kept in order.",
        hints = { "What is between a key and its unit?", "A hash, or nothing.", "In order: the last range." } },
      after = [[
        In order: ranges are read cheaply, growing keys hurt. By hash: the other way round. That choice is in every store, also in those with a bill. *Enter* opens a row.]] },

    -- ------------------------------------------------------------------ deeper: look-alikes, and who decides

    { id = "alikes", title = "Sort them", deeper = true, show = { "table", "bars" }, enter = function(w)
        calm(w)
        likes(w, CROWD, CROWD)
        w:play_for(1.5)
      end,
      table = look_alikes,
      say = [[
        {CROWD} likes a second for each of {POSTS} posts: {CROWD * POSTS}. Four shards take {UNITS} each. Six things that look like sharding, and a fifth shard that takes over one post of each.]],
      with = { CROWD = CROWD, POSTS = POSTS, UNITS = UNITS },
      predict = { id = "p11-alikes", kind = "choice",
        ask = "Which lets more likes through?",
        choices = {
          { "Two read replicas for each shard", belief = "more machines take more of everything", why = "Each does every write of its shard.", holds = function() return more(2) end },
          { "A CDN in front", belief = "what takes load off makes room", why = "It takes reads off. These are writes.", holds = function() return more(3) end },
          { "The fifth shard", holds = function() return more(4) and not more(2) and not more(3) end },
        },
        why = "It alone owns rows that nobody else has to write.",
        hints = { "Who does a write, with each of them?", "A replica does it as well, a CDN passes it on.", "A fifth shard takes some of them over." } },
      after = [[
        *Parts of one table on one server* have owners, and one machine. *RAID* writes faster, and no row has a disk of its own. *Copies in zones* save data. A *balancer* picks any router. Each is good for something else.]] },

    { id = "ways", title = "Three ways", deeper = true, show = { "table", "nodes" }, enter = copies, table = deciding,
      say = [[
        *By itself*: dead after {HASTE / 1000} s, full speed. *In limits*: you said 10 s, and 100 MB/s for a copy. *By hand*: nothing moves until somebody has read the page, {ASLEEP // 60} minutes later.

        N3 hangs for four seconds, or it dies and six shards lack a copy.]],
      with = { HASTE = HASTE, ASLEEP = ASLEEP, GB = GB },
      predict = { id = "p11-ways", kind = "choice",
        ask = "N3 dies. Who has all copies back first?",
        choices = {
          { "By itself", belief = "faster is sooner", why = "Its copies fill the links. Living nodes count as dead, and their copies begin too. In 300 s, when the run stops, it is not done.",
            holds = function() return wait(1) < wait(2) and wait(1) < wait(3) end },
          { "In limits", holds = function() return wait(2) < wait(1) and wait(2) < wait(3) end },
          { "By hand", belief = "people decide best", why = "They do not err here. They come {ASLEEP // 60} minutes later.",
            holds = function() return wait(3) < wait(2) and wait(3) < wait(1) end },
        },
        why = "It waits 10 s, copies at a speed that leaves room, and nobody else is taken for dead.",
        hints = { "What did full speed do to heartbeats?", "And how long does the person sleep?", "{GB} GB at 100 MB/s are {GB * 10} s." } },
      after = [[
        {wait(2)} s, against {wait(3)} by hand. Each has its risk: by itself it acts on an error, by hand it does not act. In limits you need the right ones. DynamoDB decides by itself, CockroachDB in limits, Kafka moves what you list.]] },

    -- ------------------------------------------------------------------ deeper: features

    { id = "hot-item", title = "A hot item", deeper = true, show = { "table", "bars" }, table = hot_item,
      enter = function(w)
        calm(w)
        w:flow("read", ITEM, HOT_READS, "scattered")
        w:play_for(1.5)
      end,
      say = [[
        I789 is in every list tonight: {HOT_READS} lookups a second. Features of an item change once an hour.]],
      with = { HOT_READS = HOT_READS },
      predict = { id = "p11-hot-item", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "Each of 6 routers keeps it for a second. How many lookups reach S2?",
        answer = function() return cells[4][2] end,
        wrong = { [1] = { belief = "one cache for all", why = "Each router keeps its own." },
          [HOT_READS // 6] = { belief = "a cache divides", why = "A router asks once a second, however many ask it." } },
        why = "Six routers, once a second each.",
        hints = { "How often does one router ask?", "Once a second.", "6 x 1." } },
      after = [[
        Replicas and copies share the load, a cache takes it away. (DynamoDB has one to put in front: DAX.) A user's features are seldom hot: nobody asks for U42 but U42.]] },

    -- ------------------------------------------------------------------ deeper: vectors

    { id = "probe", title = "Enough parts", deeper = true, show = { "vectors" },
      vectors = function(_, knob) return { title = commas(ITEMS) .. " items", index = index(), query = items():query(BORDER), probe = knob.size, k = K } end,
      knobs = { { name = "size", label = "nprobe", values = PROBES, start = 1 } },
      say = [[
        {ITEMS} items, {PARTS} parts. This query, nprobe {knob.size}: {one(knob.size).found} of {K} found, {one(knob.size).scanned} items compared ({one(knob.size).share}%).

        Over a hundred queries: recall {hundred(knob.size).recall}%, {hundred(knob.size).share}% compared.]],
      with = { ITEMS = ITEMS, PARTS = PARTS, K = K, WANTED = WANTED, one = one, hundred = hundred },
      try = { ask = "Turn Z (a capital) to the smallest nprobe with a recall of {WANTED}% over the hundred.",
        goal = function() return knob.size == enough() end,
        solution = { "knob size 3" },
        hints = { "Z goes to the next number, and round.", "The line on a hundred queries counts.", "{enough()}." } } },

    { id = "cuts", title = "More parts", deeper = true, show = { "table", "vectors" }, table = cuts,
      vectors = function() return { title = commas(ITEMS) .. " items, 100 parts", index = items():ivf { parts = 100 }, query = items():query(BORDER), probe = 2, k = K } end,
      say = [[
        {MORE} items now, of {DIMS} numbers each, and nprobe 2. They were cut into 10 parts, or 40, or 100. (The picture has two numbers an item, and 100 parts.)]],
      with = { MORE = MORE, DIMS = DIMS },
      predict = { id = "p11-cuts", kind = "choice",
        ask = "What falls with more parts?",
        choices = {
          { "The work alone", belief = "smaller parts cost nothing", why = "More parts have more borders, and near items lie beyond them.", holds = function() return cells[3][2] < cells[1][2] and cells[3][3] >= cells[1][3] end },
          { "The work and the recall", holds = function() return cells[3][2] < cells[1][2] and cells[3][3] < cells[1][3] end },
          { "The recall alone", belief = "parts are overhead", why = "Two parts of 100 hold less than two of 10.", holds = function() return cells[3][2] >= cells[1][2] end },
        },
        why = "Smaller parts, fewer items compared, more borders.",
        hints = { "How many items are in two parts?", "And how far is the next border?", "Both fall." } },
      after = [[
        {cells[1][3]}% to {cells[3][3]}%. So with more parts more are probed. If each part is on a node of its own, nprobe is how many nodes a query asks: few, and never all.]] },

    { id = "graph", title = "A graph", deeper = true, show = { "vectors" },
      vectors = function() return { title = commas(ITEMS) .. " items, a graph a shard", index = items():graph { links = 8, shards = GRAPHS }, query = items():query(BORDER), k = K } end,
      say = [[
        A *graph* (HNSW) links each item with some near ones; a search walks from link to link towards the query. {MORE} items of {DIMS} numbers in one graph: it looks at {round(walk(1).looked)} of them, recall {walk(1).recall}%.

        Cut by id over {GRAPHS} shards, each shard has a graph of its own items.]],
      with = { MORE = MORE, DIMS = DIMS, GRAPHS = GRAPHS, walk = walk, ITEMS = commas(ITEMS) },
      predict = { id = "p11-graph", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards must a query ask?",
        answer = function()
          local n = 0
          for _, shard in ipairs(graphs(GRAPHS):search(larger():query(1), { k = K, width = WIDTH }).shards) do if shard.looked > 0 then n = n + 1 end end
          return n
        end,
        wrong = { [1] = { belief = "a walk ends where it should", why = "A link leads to an item of the same shard. Near ones on others it never sees." },
          [2] = { belief = "near items lie together", why = "They were cut by id, which says nothing of nearness." } },
        why = "By id the near ones are anywhere.",
        hints = { "Do links lead to another shard?", "No. Where may the nearest be?", "On any." } },
      after = [[
        Together they look at {round(walk(GRAPHS).looked)} (of {MORE}; the picture has {ITEMS} items of two numbers). A quarter of the items is no quarter of a walk. OpenSearch does this. Or each node has the whole graph: more queries, no more items. Or IVF cuts first.]] },

    -- ------------------------------------------------------------------ deeper: models, training, candidates

    { id = "models", title = "Which model?", deeper = true, show = { "table" }, table = models,
      say = [[
        A GPU node has a few models in memory, so a request must reach one that has its own: a *directory*, with the model's name as the key. Version v2 is tried with {SHARE}% of users, as a *canary*: those whose hash modulo 100 is below {SHARE}.

        {user_at(37)} has the number {bucket_of(user_at(37))}, {user_at(7)} has {bucket_of(user_at(7))}.]],
      with = { SHARE = SHARE, user_at = user_at },
      predict = { id = "p11-models", kind = "choice",
        ask = "Who gets an answer from v2?",
        choices = {
          { "Every tenth request of each", belief = "ten percent is a dice roll each time", why = "Then a user would meet both models within a minute. The hash of the user does not change.", holds = function() return bucket_of(user_at(37)) < SHARE and bucket_of(user_at(7)) < SHARE end },
          { "The first, always", belief = "large numbers go first", why = "37 is not below {SHARE}.", holds = function() return bucket_of(user_at(37)) < SHARE and bucket_of(user_at(7)) >= SHARE end },
          { "The second, always", holds = function() return bucket_of(user_at(37)) >= SHARE and bucket_of(user_at(7)) < SHARE end },
        },
        why = "7 < {SHARE}, today and tomorrow. 37 stays with v1.",
        hints = { "Does a user's hash change from request to request?", "No. Which number is below {SHARE}?", "7." } },
      after = [[
        The hash is *sticky*: a session sees one model. Then the directory says which nodes have it.]] },

    { id = "canary", title = "The canary grows", deeper = true, show = { "table" }, table = growth,
      say = [[
        v2 does well. From {SHARE}% it goes to {GROWN}%, by the same hash, of {USERS} users.]],
      with = { SHARE = SHARE, GROWN = GROWN, USERS = USERS },
      predict = { id = "p11-canary", kind = "number", unit = "users", tolerance = 120,
        ask = "About how many users change their model?",
        answer = function() return switched() end,
        wrong = { [USERS * GROWN // 100] = { belief = "a new share is drawn anew", why = "Half of those have v2 already, and keep it." },
          [0] = { belief = "sticky means for ever", why = "Those with numbers from {SHARE} to {GROWN - 1} come over." } },
        why = "Those with numbers from {SHARE} to {GROWN - 1}: a tenth.",
        hints = { "Which numbers are below {SHARE}, which below {GROWN}?", "Who is between?", "{GROWN - SHARE} in a hundred." } },
      after = [[
        With a new hash {cells[2][2]} change, and many of them from v2 back to v1. The next experiment takes a new one, so that the same users are not always the ones who try things.]] },

    { id = "training", title = "All wait", deeper = true, show = { "workers" },
      knobs = { { name = "choice", label = "dealt", values = { "count", "bytes", "free" }, start = "count" } },
      workers = function(_, knob) return workers { DEALS[({ count = 1, bytes = 2, free = 3 })[knob.choice]] } end,
      say = [[
        {WORKERS} workers train a model. All wait at a *barrier* for the last. By count each gets {FILES.count // WORKERS} of {FILES.count} files, in their order. A few are long.]],
      with = { WORKERS = WORKERS, FILES = FILES, dealt = dealt },
      predict = { id = "p11-training", kind = "choice",
        ask = "By count: how much of the time do they wait?",
        choices = {
          { "Hardly any: counts are equal", belief = "equal counts are equal work", why = "Long files lie side by side, and one worker has them.", holds = function() return dealt("rows"):idle() < 10 end },
          { "About a quarter or less", belief = "it evens out", why = "It would, if the average counted. What counts is the slowest.", holds = function() local i = dealt("rows"):idle() return i >= 10 and i < 30 end },
          { "More than that", holds = function() return dealt("rows"):idle() >= 30 end },
        },
        why = "The slowest decides, and it has the long files.",
        hints = { "Who is waited for?", "Who has the long files?", "One worker has several of them." } },
      after = [[
        {dealt("rows"):idle()}% of their time. By bytes {dealt("bytes"):idle()}%, and with small pieces, of which who is free takes the next, {dealt("steal"):idle()}%. Turn H to see each. (Time is counted in MB read.)]] },

    { id = "pieces", title = "Smaller pieces", deeper = true, show = { "workers" },
      workers = function(_, knob) return { title = knob.size .. " pieces, " .. WORKERS .. " workers", unit = "MB", deals = {
        { label = "who is free", deal = dealt("steal", knob.size) } } } end,
      knobs = { { name = "size", label = "pieces", values = PIECES, start = 8 } },
      say = [[
        The same files in {knob.size} pieces. Who is free takes the next: the workers wait {dealt("steal", knob.size):idle()}% of their time, and the slowest reads {dealt("steal", knob.size):barrier()} MB.]],
      with = { dealt = dealt, LEAST = LEAST },
      try = { ask = "Turn Z to the fewest pieces with which they wait less than {LEAST}% of their time.",
        goal = function() return knob.size == fewest() end,
        solution = { "knob size 48" },
        hints = { "Z goes to the next number, and round.", "Eight pieces are one each: nobody can take a second.", "{fewest()}." } } },

    { id = "candidates", title = "The slowest of fifty", deeper = true, show = { "table", "scatter:cand" }, enter = calm, table = visits,
      say = [[
        A shop has {CATALOGUE} million items on {NODES} nodes, {shop().node_vectors // 1000000} million each. A visit asks *all* of them for their {BEST} nearest, merges what they give, and a costly model ranks it.

        A node takes 4 to 6 ms. One answer in a hundred takes 50 or more.]],
      with = { CATALOGUE = CATALOGUE, NODES = NODES, BEST = BEST, shop = shop },
      predict = { id = "p11-candidates", kind = "number", unit = "visits", tolerance = 6,
        ask = "Of a hundred visits, how many wait 50 ms?",
        answer = function() return cells[4][4] end,
        wrong = { [1] = { belief = "one in a hundred is one in a hundred", why = "Of one node's answers. A visit needs {NODES} of them." },
          [50] = { belief = "chances add up", why = "Two slow ones in one visit count once." } },
        why = "1 - 0.99^{NODES}: the slowest of {NODES} decides.",
        hints = { "With what chance is none of {NODES} slow?", "0.99^{NODES} is 0.605.", "1 - 0.605." } },
      after = [[
        {BEST} x {NODES}: {shop().merged} candidates, most often in {cells[4][2]} ms. Do without late nodes: 49 of 50 are nearly as good. Or ask few, as IVF does: of 20 nodes {cells[3][4]}% wait.]] },

    -- === section B, deeper ===
    -- ------------------------------------------------------------------ deeper: capacity

    { id = "copies", title = "Count them once", deeper = true, show = { "worksheet" }, enter = b11_calm,
      worksheet = function() return { what = "throughput", title = "Each partition, each node", give = {}, only = { "reads", "partitions", "copies", "reads_partition", "partitions_distinct", "reads_leader" } } end,
      with = { store = b11_store, reads = b11_load },
      say = [[
        A billion items of 2 KB, three copies: {store("total_tb")} TB. At 1 GB a partition somebody writes "{store("partitions")} partitions", and 500,000 reads a second over {store("partitions")}: {round(b11_load("reads_partition"))} each.

        Here only leaders are read.]],
      predict = { id = "p11-copies", kind = "number", unit = "reads/s", tolerance = 1,
        ask = "How many reads does a leader get?",
        answer = function() return b11_load("reads_leader") end,
        wrong = { [83.3] = { belief = "a copy is a partition", why = "{store(\"partitions\")} counts each partition three times. There are {store(\"partitions_distinct\")}, and each has one leader." },
          [750] = { belief = "each copy is a load", why = "That would be 500,000 reads done three times. A read is done once." } },
        why = "500,000 over {store(\"partitions_distinct\")} leaders.",
        hints = { "How many *different* partitions are there?", "{store(\"partitions_distinct\")}.", "500,000 / {store(\"partitions_distinct\")}." } },
      after = [[
        Room is counted with copies, reads by who answers them. If followers answer too, the first number is right.]] },

    { id = "rounding", title = "Round at the end", deeper = true, show = { "worksheet" }, enter = b11_calm,
      worksheet = function() return { what = "throughput", title = "Each partition, each node", give = {}, only = { "writes", "partitions", "nodes", "copies", "writes_partition", "writes_node", "writes_node_copied" } } end,
      with = { reads = b11_load },
      say = [[
        The same store, 50,000 writes a second, six nodes with 1,000 copies of partitions each. "50,000 over 6,000 is 8. Times 1,000, times three copies: 24,000 a node."]],
      predict = { id = "p11-rounding", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes does a node really do?",
        answer = function() return b11_load("writes_node_copied") end,
        wrong = { [24000] = { belief = "rounding is harmless", why = "8.33 became 8, and 1,000 writes a second are gone." },
          [8333] = { belief = "copies do not write", why = "Each write is done on three nodes." },
          [50000] = { belief = "every node does all", why = "Three of six do each." } },
        why = "50,000 x 3 over six nodes.",
        hints = { "How many writes are done, copies and all?", "150,000.", "Over six." } },
      after = [[
        A twenty-fifth too little, by one rounding. Multiply first, divide last: 50,000 x 3 / 6.]] },

    { id = "factor", title = "More partitions", deeper = true, show = { "worksheet" }, enter = b11_calm,
      knobs = { { name = "shards", label = "partitions", values = { 2000, 6000, 12000 }, start = 6000 } },
      worksheet = function(_, knob) return { what = "hotspot", title = "One hot key", give = { partitions = knob.shards }, only = { "rate", "partitions", "key_pct", "average", "key_rate", "key_factor" } } end,
      with = { hot = function() return b11_hot("key_factor", { partitions = knob.shards }) end, TIMES = function() return b11_hot("key_rate") end },
      say = [[
        500,000 requests a second on {knob.shards} partitions. One key has 10% of them: {TIMES()} a second on one partition. The hotspot factor tells how many times the average that is.]],
      predict = { id = "p11-factor", kind = "choice",
        ask = "What do more partitions do to it?",
        choices = {
          { "It falls: load is spread", belief = "more shards, less load each", why = "The others' load is. This is one key.", holds = function() return b11_hot("key_factor", { partitions = 12000 }) < b11_hot("key_factor") end },
          { "It stays: one key is one key", belief = "a factor is a rate", why = "Its rate stays. The average, by which one divides, falls.", holds = function() return b11_hot("key_factor", { partitions = 12000 }) == b11_hot("key_factor") end },
          { "It rises", holds = function() return b11_hot("key_factor", { partitions = 12000 }) > b11_hot("key_factor") end },
        },
        why = "The key keeps its rate, and the average falls.",
        hints = { "Busiest over average.", "The busiest stays at {TIMES()}.", "The average is over more partitions." } },
      after = [[
        Now it is {round(hot())}. Turn the knob: the key is the same, the factor is not. So the factor alone decides nothing: compare {TIMES()} with what one partition takes. Reads: copies or a cache. Writes: divide.]] },

    { id = "law", title = "The top hundredth", deeper = true, show = { "worksheet" }, enter = b11_calm,
      knobs = { { name = "weight", label = "exponent", values = { 0.6, 0.8, 0.9, 1, 1.1 }, start = 0.6 } },
      worksheet = function(_, knob) return { what = "hotspot", title = "The busiest hundredth", give = { items = TOP.items, zipf = knob.weight }, only = { "items", "zipf", "top_pct", "top_share_pct" } } end,
      say = [[
        Zipf's law: the n-th busiest key gets a part like 1 over n to an *exponent*. "The top 1% get 20 to 50%", one reads.]],
      try = { ask = "Turn W until they get more than half.",
        goal = function() return b11_top(knob.weight) > 50 end,
        solution = { "knob weight 0.9" },
        hints = { "W goes to the next exponent.", "Read the share of the busiest keys.", "At 0.8 it is {round(b11_top(0.8))}%." } },
      after = [[
        {b11_law(knob.weight)}]] },

    { id = "forks", title = "A snapshot by fork", deeper = true, show = { "worksheet" }, enter = b11_calm,
      worksheet = function() return { what = "capacity", title = "A feature store", give = PLAN, only = ROOM } end,
      with = { plan = b11_plan },
      say = [[
        The plan again. A machine has 64 GiB, which are {decimals(64 * 1.073741824, 1)} GB, and two processes of {plan("each_gb")} GB. To save itself a process forks; what is written meanwhile is copied, all of it at worst.]],
      predict = { id = "p11-forks", kind = "number", unit = "GB", tolerance = 0.1,
        ask = "How much memory is left for that?",
        answer = function() return round(b11_plan("left_gb"), 1) end,
        wrong = { [4] = { belief = "a GiB is a GB", why = "64 GiB are 68.7 GB. And the system itself needs some." },
          [34] = { belief = "one process a machine", why = "There are two." },
          [38.7] = { belief = "one process a machine", why = "There are two." } },
        why = "{plan(\"how\").left_gb}.",
        hints = { "In GB on both sides.", "68.7, less two processes.", "68.7 - 60." } },
      after = [[
        {round(plan("left_pct"))}% of the machine. Two snapshots at once could need {2 * plan("each_gb")} GB, one {plan("each_gb")}. Few writes come here, so it may go well; a plan says so.]] },

    { id = "fit", title = "Make it fit", deeper = true, show = { "worksheet" }, enter = b11_calm,
      knobs = { { name = "size", label = "GB a process", values = { 30, 25, 20, 17, 15, 10 }, start = 30 } },
      worksheet = function(_, knob) return { what = "capacity", title = "A feature store", give = { process_gb = knob.size }, only = ROOM } end,
      with = { machine = function(name) return b11_machine(knob.size, name) end },
      say = [[
        Smaller processes leave room. With {knob.size} GB: {machine("masters")} masters on {machine("instances")} machines, {decimals(machine("left_gb"), 1)} GB left on each, {round(machine("usd_month"))} dollars a month.]],
      try = { ask = "Turn Z to the largest with which snapshots fit, at worst.",
        goal = function() return knob.size == 17 end,
        solution = { "knob size 17" }, builds = true,
        hints = { "What is left must be as much as what is held.", "The worksheet says it: snapshots_fit.", "Half of 68.7, over two processes." } },
      after = [[
        {b11_fit(knob.size)}]] },

    -- ------------------------------------------------------------------ deeper: heat maps

    b11_map("map-band", "A band", "one tenant", { "one key", "one tenant", "everybody at once", "time in the key" }, { deeper = true,
      say = [[
        Five more maps. The same rows and columns, another morning.]],
      hints = { "How many rows, for how long?", "A few that lie together, and it lasts.", "What have keys in common that lie together?" },
      after = [[
        A tenant's keys begin alike, so they lie together. A limit for that tenant first; then a shard of its own (Part 3).]] }),

    b11_map("map-again", "Again and again", "batch", { "everybody at once", "batch", "scan", "one tenant" }, { deeper = true,
      say = [[
        Nobody complains yet. But a few requests time out, and again a little later.]],
      hints = { "When is it bright?", "Every few columns, in the same rows.", "What does things by the clock?" },
      after = [[
        Spread the job over its period, or let it read a replica. An average over a minute would not have shown it.]] }),

    b11_map("map-sweep", "It walks again", "scan", { "time in the key", "scan", "batch", "split" }, { deeper = true,
      say = [[
        Another diagonal.]],
      hints = { "What do rows have before it comes?", "Some traffic: the keys were there.", "So nothing new is written." },
      after = [[
        An export, or a backup. Give it a rate; let it pass each range slowly. The cache forgets what people want meanwhile.]] }),

    b11_map("map-column", "A column", "everybody at once", { "one key", "everybody at once", "batch", "scan" }, { deeper = true,
      say = [[
        Two seconds, and it was over.]],
      hints = { "Which rows?", "All of them, at one time.", "What makes everybody ask at once?" },
      after = [[
        A cache that was emptied, or clients that all came back at once. Jitter, and one fetch for all who wait (Part 4). No shard is hot, so no split helps.]] }),

    b11_map("map-halves", "One dims", "split", { "one tenant", "one key", "everybody at once", "split" }, { deeper = true,
      say = [[
        Here rows are shards, in the order of their slots. Somebody acted.]],
      hints = { "What becomes of the bright row?", "It is half as bright, and a row beside it begins.", "Who can take half of a shard's keys?" },
      after = [[
        The load was on several keys, so a cut helped. After a split look again: would one key alone have dimmed?]] }),

    -- ------------------------------------------------------------------ what tools print

    { id = "read-stats", title = "Read the slots", deeper = true, show = { "readout:slot-stats:S2:cpu-usec:4" },
      enter = function(w)
        b11_calm(w)
        perform(w, "system redis on")
        for n = 1, POSTS do
          w:flow("like", "likes:{p" .. n .. "}", n == 9 and 600 or 60, "scattered")
          w:flow("read", "post:{p" .. n .. "}", 100, "scattered")
        end
        w:play_for(2)
        likes(w, 0, 0)
        for n = 1, POSTS do pcall(w.flow, w, "read", "post:{p" .. n .. "}", 0) end
      end,
      say = [[
        A node at its limit, and the slots that used most of its CPU. Counters add up; they were reset two seconds ago. A usec is a millionth of a second.]],
      predict = { id = "p11-read-stats", kind = "number", unit = "%", tolerance = 1,
        ask = "How much of the node's time is the first slot's?",
        answer = function(w) return round(b11_first_slot(w).cpu / 2 / 10000, 1) end,
        wrong = function(w)
          local cpu = b11_first_slot(w).cpu
          return { [round(cpu / 10000)] = { belief = "counters are of the last second", why = "It is the sum of two seconds." },
            [100] = { belief = "the first is all", why = "Three more are listed, and used some of it." } }
        end,
        why = "{b11_first_slot(w).cpu} of 2,000,000.",
        hints = { "How many usec have two seconds?", "2,000,000.", "{b11_first_slot(w).cpu} of these." } },
      after = [[
        And it has {b11_first_slot(w).keys} keys. Alone on a node the slot would still take as much: a move can do no more. Find which key is hot, and treat that (Parts 4 and 5).]] },

    { id = "read-nodes", title = "Two views", deeper = true, show = { "readout:cluster-nodes:S0", "readout:cluster-nodes:S1" },
      enter = function(w)
        b11_calm(w)
        w:deaf("R0", true)
        pcall(w.move, w, 12188, 12287, "S3") -- refused if it was done before
        for i = 1, 5 do w:reload("R" .. i) end
        w:play_for(0.1)
      end,
      say = [[
        `CLUSTER NODES` is one node's view: addresses, who leads, a node's epoch, its slots. Here are two views of one cluster, asked at one moment.]],
      predict = { id = "p11-read-nodes", kind = "number", unit = "slots", tolerance = 0,
        ask = "Of how many slots do they name different owners?",
        answer = function(w)
          local count = 0
          for slot = 8192, 16383 do
            if w:says("R0", slot) ~= w:says("R1", slot) then count = count + 1 end
          end
          return count
        end,
        wrong = { [4096] = { belief = "a line that differs is all different", why = "Compare where the ranges end: most of the line is the same." },
          [99] = { belief = "last less first", why = "Both ends belong to the range: one more." },
          [200] = { belief = "both lines count", why = "What one owner has more, the other has less: they are the same slots." } },
        why = "12188 to 12287. The higher epoch is the newer word.",
        hints = { "Which two lines differ?", "Where do their ranges end?", "12188 to 12287." } },
      after = [[
        A node that missed the news names the old owner. Whoever asks there is sent on, MOVED, or is served wrongly if nobody looks: ask several nodes before you believe one.]] },

    { id = "read-owns", title = "Who owns what", deeper = true, show = { "readout:nodetool-status" },
      enter = function(w)
        w:deaf("R0", false)
        pcall(w.move, w, 12188, 12287, "S2")
        for i = 0, 5 do w:reload("R" .. i) end
        w:play_for(0.1)
        only(w, "cassandra")
      end,
      say = [[
        `nodetool status`: a line a node. *UN* is up and normal. *Owns (effective)* is the share of all rows of which the node has a copy. Each row has three copies.]],
      predict = { id = "p11-read-owns", kind = "number", unit = "%", tolerance = 1,
        ask = "What do the shares of all nodes add up to?",
        answer = function(w) return b11_owns(w) end,
        wrong = { [100] = { belief = "each row counts once", why = "Three nodes have it, and each of them counts it." } },
        why = "Three copies of everything.",
        hints = { "How many nodes have a row?", "Three.", "Three times all rows." } },
      after = [[
        With {#w:system_machines("cassandra")} nodes a fair share is {round(b11_owns(w) / #w:system_machines("cassandra"))}%. Watch the node that is far above it.]] },

    -- ------------------------------------------------------------------ case 2, once more

    { id = "ten-rule", title = "Case 2: a rule of thumb", deeper = true, show = { "table" }, enter = b11_calm, table = b11_expand,
      with = { CAP = B11_CAP, MORE = MORE10, each = function() return b11_at_once() * 1000 / MORE10 end },
      say = [[
        "A rebalance from 50 nodes to 60 takes 10 to 60 minutes, throttled." Each of the {MORE} new nodes must receive {round(each())} GB. Throttled means {CAP * 8} megabits a second here, for each of them, all at once.]],
      predict = { id = "p11-ten-rule", kind = "number", unit = "hours", tolerance = 0.3,
        ask = "How long does it take?",
        answer = function() return round(b11_hours(b11_at_once(), MORE10), 1) end,
        wrong = { [0.2] = { belief = "a rule was measured", why = "That is at full speed, without a throttle." },
          [1] = { belief = "a rule was measured", why = "In an hour each would need 1.9 gigabits a second: nine times as much." },
          [92.7] = { belief = "one after the other", why = "All ten receive at once." },
          [1.2] = { belief = "a megabit is a megabyte", why = "Eight bits make a byte: {CAP} MB a second." } },
        why = "{round(each())} GB at {CAP} MB a second.",
        hints = { "{CAP * 8} megabits are {CAP} MB.", "{round(each())} GB / {CAP} MB are {round(each() * 1000 / CAP)} s.", "Over 3,600." } },
      after = [[
        Without a throttle it takes {round(b11_unthrottled())} minutes: that is where the rule is from. A throttle costs time; plan it as hours.]] },

    -- ------------------------------------------------------------------ case 3

    { id = "noon", title = "Case 3: the board", deeper = true, show = { "heat" }, enter = b11_calm,
      heat = function()
        return { title = "Found in cache, %", rows_are = "servers", columns_are = "minutes", first_row = "0", last_row = "10",
          first_column = "11:56", last_column = "12:03", values = b11_found() }
      end,
      with = { before = HITS, now = function() return round(b11_hit("mod-n", 10)) end, usual = function() return round(ASKS * (100 - HITS) / 100) end,
        after_that = function() return b11_db("mod-n", 10) end, TAKES = DB_TAKES },
      say = [[
        A cache. At noon an eleventh server joined.

          found in cache  {before}%, now {now()}%
          database, reads {usual()}/s
            and now       {after_that()}/s
            it can do     {TAKES}/s
          a login         now 3 s
          servers         asked evenly]],
      predict = { id = "p11-noon", kind = "choice",
        ask = "Why?",
        choices = {
          { "The new server is cold", belief = "only the new one's share is cold", why = "It has an eleventh of the keys. That would cost 9 points, not {before - now()}.", holds = function() return b11_stay("mod-n", 10) > 0.8 end },
          { "Most keys have another server", holds = function() return b11_stay("mod-n", 10) < 0.2 end },
          { "The database got slower", belief = "who is late is broken", why = "It is late because it is asked so much.", holds = function() return false end },
        },
        why = "Keys are asked for where they are not.",
        hints = { "How much would one cold server of eleven cost?", "A ninth part at most.", "So the old ten are asked for keys that they do not have." } },
      after = [[
        A client that counts `hash mod N` does that. Look at the client's setting *before* the first new server.]] },

    { id = "noon-share", title = "Case 3: how many?", deeper = true, show = { "grid" }, enter = b11_calm,
      grids = function() return { { title = "10 servers, then 11", keys = keys("k%d", 0, 3999), before = b11_cached("mod-n", 10), after = b11_cached("mod-n", 11) } } end,
      with = { ASKS = ASKS, HITS = HITS, stay = function() return b11_stay("mod-n", 10) end },
      say = [[
        {ASKS} reads a second, {HITS}% of them found. Then mod 10 becomes mod 11.]],
      predict = { id = "p11-noon-share", kind = "number", unit = "reads/s", tolerance = 500,
        ask = "How many a second does the cache *not* answer, at first?",
        answer = function() return b11_db("mod-n", 10) end,
        wrong = { [6818] = { belief = "only the new one's share is cold", why = "So it is on a ring, or with slots." },
          [50000] = { belief = "all of it is cold", why = "One key in eleven stays." },
          [43182] = { belief = "misses begin at none", why = "2,500 missed before." } },
        why = "About one in eleven stays, here {round(100 * stay(), 1)}% of the sessions. Of those {HITS}% are found.",
        hints = { "Which numbers have the same rest by 10 and by 11?", "One in eleven.", "{HITS}% over 11 is found. The rest goes to the database." } },
      after = [[
        More than four times what it can do. It cannot even fill the cache.]] },

    { id = "noon-fix", title = "Case 3: the fix", deeper = true, show = { "table" }, enter = b11_calm, table = b11_twelfth,
      with = { TAKES = DB_TAKES, exactly = round(ASKS * (1 - HITS / 100 * 11 / 12)) },
      say = [[
        The cache is warm again, with 11 servers, and a twelfth is to come. The database can do {TAKES} reads a second. How shall clients place keys from now on? (Changing it is a cold start too, once.)]],
      predict = { id = "p11-noon-fix", kind = "several",
        ask = "With which does the database survive?",
        choices = {
          { "mod N, at a quiet hour", belief = "a quiet hour is enough", why = "{cells[1][3]} at noon. It would have to be five times quieter.", holds = function() return cells[1][3] <= DB_TAKES end },
          { "Ketama, 160 points a server", why = "About a twelfth moves.", holds = function() return cells[3][3] <= DB_TAKES end },
          { "Slots", why = "A twelfth moves, and you choose which.", holds = function() return cells[4][3] <= DB_TAKES end },
        },
        why = "What moves is what the new server takes.",
        hints = { "How much moves at least?", "A twelfth.", "Which ways move no more than that?" } },
      after = [[
        Ketama: {cells[3][2]}%, {cells[3][3]} reads. (Were it a twelfth exactly: {exactly} reads.)]] },

    -- ------------------------------------------------------------------ case 4

    { id = "nodes-six", title = "Case 4: the board", deeper = true, show = { "ring" }, enter = b11_calm,
      placing = function() return { { title = "six nodes", before = b11_six(1, STORY_SEED), keys = keys("row%d", 1, 400) } } end,
      with = { own = function(id) return string.format("%2d", round(100 * b11_six(1, STORY_SEED):share(id))) end, most = b11_node(1), least = b11_node(6), cpu = function(i) return round(b11_cpu(b11_story()[i])) end },
      say = [[
        Six equal Cassandra nodes, a random token each, one copy.

          node    S0 S1 S2 S3 S4 S5
          owns %  {own(0)} {own(1)} {own(2)}  {own(3)} {own(4)} {own(5)}

          CPU of {most}       {cpu(1)}%
          CPU of {least}       {cpu(6)}%
          hottest key     0.01%]],
      predict = { id = "p11-nodes-six", kind = "choice",
        ask = "What is it?",
        choices = {
          { "A hot key on {most}", belief = "every hot shard is a hot key", why = "The hottest has a ten-thousandth.", holds = function() return false end },
          { "{most} owns too much", holds = function() return b11_story()[1] > 100 / SIX * 1.5 end },
          { "{least} is broken", belief = "who is idle is broken", why = "It serves what it owns, which is little.", holds = function() return false end },
        },
        why = "Load follows what each owns: 2.5% CPU for each percent, and 12.5% for the rest of a node's work.",
        hints = { "What would be fair?", "16.7%.", "Compare what each owns with its CPU." } },
      after = [[
        {decimals(b11_story()[1] / (100 / 6), 1)} times its share. Nobody made an error, except by drawing one token each.]] },

    { id = "six-usual", title = "Case 4: how usual?", deeper = true, show = { "table" }, enter = b11_calm, table = b11_drawn,
      with = { DRAWS = DRAWS },
      say = [[
        {DRAWS} times six tokens are drawn, one a node, and each time it is noted how much the fullest node owns.]],
      predict = { id = "p11-six-usual", kind = "number", unit = "%", tolerance = 3,
        ask = "How much is that, on average?",
        answer = function() return cells[1][2] end,
        wrong = { [16.7] = { belief = "chance is fair", why = "Each arc is fair on average. The longest of six never is." },
          [31] = { belief = "the story's is the usual", why = "They were lucky: five of six clusters are worse." },
          [50] = { belief = "chance gives half to one", why = "That is rare." } },
        why = "(1 + 1/2 + 1/3 + 1/4 + 1/5 + 1/6) / 6 is {decimals((1 + 1/2 + 1/3 + 1/4 + 1/5 + 1/6) / 6 * 100, 1)}%.",
        hints = { "More than a fair sixth, and more than 31%.", "1 + 1/2 + ... + 1/6, over six.", "2.45 / 6." } },
      after = [[
        A node with that much would need {round(b11_cpu(cells[1][2]))}% CPU: more than it has. 31% was luck.]] },

    { id = "six-fix", title = "Case 4: the fix", deeper = true, show = { "table" }, enter = b11_calm, table = b11_tokens,
      say = [[
        Three ideas. Draw the fullest one's token again. Give each node 16 random tokens. Or 16 that an *allocator* chooses so that shares come out even. The last two need a second ring, and traffic that moves there.]],
      predict = { id = "p11-six-fix", kind = "choice",
        ask = "Which brings the fullest under 60% CPU?",
        choices = {
          { "Draw once more", belief = "bad luck does not come twice", why = "On average the fullest owns {cells[1][2]}%: it gets worse.", holds = function() return cells[1][3] < 60 end },
          { "16 random tokens", belief = "more tokens are even", why = "More even: {cells[2][2]}% for the fullest. Not even enough.", holds = function() return cells[2][3] < 60 end },
          { "16 chosen tokens", holds = function() return cells[3][3] < 60 and cells[2][3] >= 60 end },
        },
        why = "{cells[3][2]}% for the fullest of six.",
        hints = { "What owns the fullest with 16 random ones?", "A fifth and more.", "And if somebody chooses them?" } },
      after = [[
        {cells[3][3]}% CPU. Choose tokens on the first day. Six single tokens at even places cure it too (`nodetool move`, node by node), until a seventh node comes. With three copies shares are flatter.]] },

    -- ------------------------------------------------------------------ case 5

    { id = "today", title = "Case 5: the board", deeper = true, show = { "heat" }, enter = b11_calm,
      heat = function()
        return { title = "Writes asked", rows_are = "partitions", columns_are = "days", first_row = "0", last_row = "15",
          first_column = "09-23", last_column = "09-26", values = b11_days() }
      end,
      with = { RATE = DEVICES // TELLS, BOUGHT = BOUGHT, MILLION = DEVICES, TELLS = TELLS },
      say = [[
        {MILLION} devices tell how they are, every {TELLS} s. On the table's board:

          writes asked    {RATE}/s
          paid for        {BOUGHT}/s
          refused         99%
          partitions      500; 16 of them
                          in the map]],
      predict = { id = "p11-today", kind = "choice",
        ask = "What is it?",
        choices = {
          { "Too little is paid for", belief = "throttled means under-provisioned", why = "Five times what is asked for.", holds = function() return false end },
          { "One device is mad", belief = "every hot shard is a hot key", why = "It would not change at midnight.", holds = function() return false end },
          { "The date is the partition key", holds = function(w)
            local f = w:fork()
            b11_today(f)
            f:play_for(2.1)
            return b11_date(f).asked == DEVICES // TELLS and b11_date(f).throttled > 0
          end },
        },
        why = "All that is written today has today's key.",
        hints = { "What changes at midnight?", "What has every write of a day in common?", "Then it is one key, on one partition." } },
      after = [[
        A hot spot that moves on by itself each day: no split helps for longer than that.]] },

    { id = "today-idle", title = "Case 5: how much?", deeper = true, show = { "parts:dynamodb" }, enter = b11_calm,
      with = { RATE = DEVICES // TELLS, BOUGHT = BOUGHT },
      say = [[
        {RATE} writes a second with one partition key. A partition takes 1,000, and {BOUGHT} are paid for.]],
      predict = { id = "p11-today-idle", kind = "number", unit = "writes/s", tolerance = 10,
        ask = "How much of what is paid for is not used?",
        answer = function(w) return BOUGHT - b11_date(w).ok end,
        wrong = { [400000] = { belief = "capacity goes where it is needed", why = "Not beyond what one partition takes." },
          [99000] = { belief = "what is refused is idle", why = "That is what was refused. It could have been served elsewhere." },
          [0] = { belief = "throttled means under-provisioned", why = "One partition is at its limit, and only that one." } },
        why = "{BOUGHT} less the 1,000 that one partition takes.",
        hints = { "How many writes are taken?", "1,000.", "{BOUGHT} - 1,000." } },
      run = function(w)
        b11_today(w)
        w:play_for(2.1)
      end,
      after = [[
        {b11_date(w).throttled} a second are refused beside it.]] },

    { id = "today-fix", title = "Case 5: the fix", deeper = true, show = { "table" },
      enter = b11_calm,
      table = b11_dates,
      say = [[
        Two other keys: the date with a number behind it, `2026-09-23#0` to `#9`, drawn for each write. Or the device as partition key, and the time as sort key behind it. 200 partitions.]],
      predict = { id = "p11-today-fix", kind = "choice",
        ask = "Which takes all 100,000?",
        choices = {
          { "The date, salted by ten", belief = "salt is enough", why = "Ten keys are ten partitions: {cells[2][2]}. It would need a hundred, and reads that ask them all.", holds = function() return cells[2][2] >= 100000 end },
          { "The device", holds = function() return cells[3][2] >= 100000 and cells[2][2] < 100000 end },
          { "Both", belief = "salt is enough", why = "Ten keys are ten partitions: {cells[2][2]}.", holds = function() return cells[2][2] >= 100000 and cells[3][2] >= 100000 end },
        },
        why = "A million keys on 200 partitions: about 500 writes each.",
        hints = { "On how many partitions are ten keys?", "Ten at most: 10,000 writes.", "And a million keys?" } },
      after = [[
        Fullest: {cells[3][3]} of 1,000. Put time in the *sort key*. "All of today" is then asked of all devices: ask it of a report instead.]] },

    -- ------------------------------------------------------------------ case 6

    { id = "mail", title = "Case 6: the board", deeper = true, enter = b11_calm,
      with = { BANK = BANK },
      say = [[
        A bank has {BANK} shards by customer id. On its board:

          each shard's p99   20 ms
          login's p99        1.2 s
          load of shards     even, 30%
          a shard restarts   all logins
                             time out
          look-up by id      5 ms]],
      predict = { id = "p11-mail", kind = "choice",
        ask = "What is it?",
        choices = {
          { "Logins ask every shard", holds = function() return b11_slow(BANK) > 50 end },
          { "One shard is slow", belief = "a slow page has a slow shard", why = "None is. Each is at 20 ms.", holds = function() return false end },
          { "Shards are too small", belief = "slow means too small", why = "They are at 30%.", holds = function() return false end },
        },
        why = "Which shard restarts does not matter: each login needs it.",
        hints = { "What does a look-up by id do that a login does not?", "It knows its shard.", "A login has an e-mail, and no id." } },
      after = [[
        An index beside the rows of each shard is quick on each shard. The login waits for the slowest of {BANK}.]] },

    { id = "mail-slow", title = "Case 6: how often?", deeper = true, show = { "table", "scatter:login" }, enter = b11_login, table = b11_fans,
      with = { BANK = BANK, RUNS = RUNS },
      say = [[
        On each shard 99 of 100 look-ups take 20 ms or less. A login asks {BANK}, and waits for all.]],
      predict = { id = "p11-mail-slow", kind = "number", unit = "%", tolerance = 1.5,
        ask = "What share of logins takes longer than 20 ms?",
        answer = function() return round(b11_slow(BANK), 1) end,
        wrong = { [1] = { belief = "all are as slow as one", why = "A login is quick only if all {BANK} are." },
          [100] = { belief = "chances add up", why = "Nearly. They do not add up: some meet three slow ones, some none." },
          [2.56] = { belief = "a percent of {BANK} is a percent", why = "That many slow ones a login meets on average: 2.56, not percent." } },
        why = "100% less 0.99 to the power {BANK}.",
        hints = { "When is a login quick?", "If all are: 0.99 x 0.99 x ...", "0.99 to the power {BANK} is 0.076." } },
      after = [[
        {RUNS} shards, played: {cells[3][2]}% (worked out: {round(b11_slow(RUNS), 1)}%). From 69 on it is more than half. What is rare on a shard is usual for who asks all.]] },

    { id = "mail-fix", title = "Case 6: the fix", deeper = true, show = { "table", "scatter:login" }, enter = b11_login, table = b11_emails,
      with = { RUNS = RUNS, BANK = BANK },
      say = [[
        The run has {RUNS} shards. Asked as it is; with a *hedge*: whoever is silent for 20 ms is asked again elsewhere; or with an index of its own, sharded by e-mail: first the id, then the row. Slow is a shard that takes over 20 ms.]],
      predict = { id = "p11-mail-fix", kind = "choice",
        ask = "With which do fewer than 5 of 100 logins meet a slow one?",
        choices = {
          { "The hedge", belief = "asking twice is cheap", why = "It cuts a long wait short. {cells[2][3]}% still meet one: {RUNS} shards are asked.", holds = function() return b11_few(2) end },
          { "An index of its own", holds = function() return b11_few(3) and not b11_few(2) end },
          { "None: the tail is a shard's", belief = "the tail cannot be helped", why = "A login that asks two shards meets it seldom.", holds = function() return not b11_few(3) and not b11_few(2) end },
        },
        why = "Two shards instead of {RUNS}: {cells[3][3]}%. (1 - 0.99 x 0.99 is 2%.)",
        hints = { "How many shards does each way ask?", "{RUNS}, {RUNS}, and two.", "Who asks two seldom meets a slow one." } },
      after = [[
        Price: a new e-mail writes {cells[3][4]} rows, on up to three shards: the customer, the new entry, and the old one goes (Part 9). A look-up on a hot path wants its own index.]] },

    -- ------------------------------------------------------------------ cases 7 to 9: as companies published them

    { id = "notion", title = "Case 7: Notion", deeper = true, show = { "table" }, enter = b11_calm, table = b11_fleets,
      with = { ALL = SHARDS480, FEW = HOSTS32, MANY = HOSTS96 },
      say = [[
        *As published by Notion.* One PostgreSQL with all workspaces stalled in its own clean-up. So: {ALL} logical shards by workspace, on {FEW} hosts. About two years later these were full: now {MANY}.]],
      predict = { id = "p11-notion", kind = "number", unit = "of 480",
        ask = "How many logical shards must move, at least, so that each host has as many?",
        answer = function() return cells[3][3] end,
        wrong = { [480] = { belief = "a new count moves everything", why = "Old hosts keep what they can: {ALL // MANY} each." },
          [160] = { belief = "what stays moves", why = "{ALL // MANY} stay on each of {FEW} hosts: that is what does *not* move." },
          [64] = { belief = "one for each new host", why = "Each new host gets {ALL // MANY}." } },
        why = "{MANY - FEW} new hosts with {ALL // MANY} each.",
        hints = { "How many has each host in the end?", "{ALL} / {MANY} = {ALL // MANY}.", "{MANY - FEW} new hosts." } },
      after = [[
        Each as a whole: no workspace changes its logical shard. Notion copied all {ALL} to {MANY} new hosts and then switched. Published too: indexes made after the copy, 12 hours instead of 3 days; compared by dark reads first.]] },

    { id = "notion-why", title = "Case 7: why so many?", deeper = true, show = { "table" }, enter = b11_calm,
      table = function()
        local rows = {}
        for i, n in ipairs { 32, 100, 480, 512 } do
          rows[i] = { label = n .. " shards", cells = function() return { b11_divisors(n), n % 96 == 0 and n // 96 .. " each" or "uneven" } end }
        end
        return { title = "Logical shards", columns = { "how many", "divisors", "on 96 hosts" }, numbers = { 2 }, rows = rows }
      end,
      say = [[
        Hosts stay even only when their number divides the number of logical shards, which never changes.]],
      predict = { id = "p11-notion-why", kind = "choice",
        ask = "Which leaves most sizes of fleet open?",
        choices = {
          { "512: it is the largest", belief = "more is more choice", why = "Only powers of two divide it: {cells[4][2]} numbers.", holds = function() return cells[4][2] > cells[3][2] end },
          { "100: it is round", belief = "round is even", why = "{cells[2][2]} numbers divide it.", holds = function() return cells[2][2] > cells[3][2] end },
          { "480", holds = function() return cells[3][2] > cells[4][2] and cells[3][2] > cells[2][2] end },
        },
        why = "{cells[3][2]} numbers divide it: 32, 40, 48, 60, 80, 96 ...",
        hints = { "Count divisors.", "512 is 2 times 2 times 2 ...", "480 has 2, 3 and 5 in it." } },
      after = [[
        The number of logical shards is chosen once. Take many more than machines, with many divisors.]] },

    { id = "figma", title = "Case 8: Figma", deeper = true, show = { "table", "move:12067" }, enter = b11_one_db, table = b11_views,
      say = [[
        *As published by Figma.* Tables outgrew one primary. First *views*, one for each logical shard, on the undivided database: the application runs as if sharded. Months later data moves.]],
      predict = { id = "p11-figma", kind = "choice",
        ask = "When do you want to find a statement without a key?",
        choices = {
          { "With views", holds = function() return cells[1][2] == 0 and cells[2][2] > 0 end },
          { "When the table moves", belief = "only real data tests it", why = "Then going back is a move as well, with a pause of {cells[2][3]} ms, while users wait.", holds = function() return false end },
          { "It makes no difference", belief = "a bug is a bug", why = "With views {cells[1][2]} MB have moved. Going back is a setting.", holds = function() return false end },
        },
        why = "Nothing has moved yet, so going back is a setting.",
        hints = { "What does going back cost in each?", "With views no byte has moved.", "After a move it is a move." } },
      after = [[
        Behaviour first, then data. Published: nine months of work, and 10 seconds of partial availability when the first table moved. (MB and ms in the table are this run's.)]] },

    { id = "stripe", title = "Case 9: Stripe", deeper = true, show = { "table", "bars" }, enter = b11_unpacked, table = b11_packs,
      with = { LOADS = table.concat(LOADS, ", "), MOST = MOST_FULL },
      say = [[
        *As published by Stripe.* Thousands of databases stood half empty. A platform copies, follows changes, compares and switches within two seconds. So it was used for the other direction, too.

        Here: 8 shards with {LOADS} writes/s. Each takes 1,000, and {MOST}% is the line.]],
      predict = { id = "p11-stripe", kind = "number", unit = "shards", tolerance = 0,
        ask = "On how few can they be?",
        answer = function()
          for i = #cells, 1, -1 do
            if cells[i][2] <= MOST_FULL then return ({ 8, 4, 2, 1 })[i] end
          end
        end,
        wrong = { [8] = { belief = "shards only grow in number", why = "A move that costs little can also empty one." },
          [4] = { belief = "half of it is safe", why = "Then the fullest is at {cells[2][2]}%. There is more room." },
          [1] = { belief = "it fits in sum", why = "{cells[4][2]}% on one: more than it takes." } },
        why = "1,040 in all, and two take 800 each at the line.",
        hints = { "How much is it in all?", "1,040 writes a second.", "{MOST}% of 1,000 on each." } },
      after = [[
        {cells[3][2]}% on the fuller: every second shard went there. Published: 1.5 PB moved in a year, three quarters of the shards gone. When a move is routine, you merge as you split.]] },
    -- === section B, deeper, ends ===
  },
}
