-- Part 5. Core path: one count over several sub-keys, how many and where; what readers pay for them;
-- sums that routers write instead; what a crash takes and a rebuild gives back; what counts twice;
-- every fix in one table, its ages, its bill. Deeper: which fix for whom, the procedure on other
-- posts, retries, moving from one way to another, sums in a stream job, budgets, balances, indexes.

local broken = require("break_it")

local P9, P3 = "likes:{p9}", "likes:{p3}"
local FRESH = "hearts:{p9}" -- a count that no step before has treated
local CEILING, LINE, LIKES, READS, ROUTERS = 1000, 800, 2400, 9000, 6
local SHARDS = { "S0", "S1", "S2", "S3" }
local EVENING = "20:03:57" -- p9 as it was before Part 3's limits and Part 4's caches

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

local function round(x)
  return math.floor(x + 0.5)
end

-- --- the cluster ---

local function flows(w, likes, reads)
  for n = 1, 16 do
    pcall(w.flow, w, "like", "likes:{p" .. n .. "}", likes)
    pcall(w.flow, w, "read", "post:{p" .. n .. "}", reads)
  end
end

-- What a step wants of the learner's world. Somebody may have typed it already, and then it is refused.
local function order(w, command)
  pcall(w.command, w, command)
end

local function stop(w, op, key)
  pcall(w.flow, w, op, key, 0)
end

local function evening(w)
  w:play_until(EVENING)
  flows(w, 50, 100)
  w:flow("like", P9, LIKES)
  w:flow("read", "post:{p9}", READS)
  w:play_for(3)
end

-- The slots of p9's sub-keys as they were dealt.
local HOME = layout("slots", { shards = 4, deal = "ranges" })
local function brought_home(w)
  for i = 0, 11 do
    local key = "likes:{p9#" .. i .. "}"
    local home = "S" .. HOME:owner(key)
    if w:owner(key) ~= home then w:move(w:slot(key), w:slot(key), home) end
  end
end

-- As if nothing had been done for p9's likes. It is done in a calm moment: in the overload S2 would
-- refuse the last flushes, and what is not flushed cannot be frozen. Whoever comes by the placement
-- check has not seen the evening yet.
local function untreated(w)
  if w:clock() < EVENING then evening(w) end
  if w:limit(P9) > 0 then order(w, "limit key likes:{p9} none") end
  if w:count(P9).mode ~= "plain" then
    w:flow("like", P9, 50)
    order(w, "writes likes:{p9} plain")
    w:play_for(1.2)
    brought_home(w)
    w:flow("like", "likes:{p4}", 50)
    w:flow("like", P9, LIKES)
    w:play_for(0.5)
  end
end

-- A copy on which something was done, and half a second has passed.
function with(w, ...)
  local f = w:fork()
  for _, command in ipairs { ... } do f:command(command) end
  f:play_for(0.5)
  return f
end

-- "80, 80, 75 and 80"
function levels(w)
  local out = {}
  for i, name in ipairs(SHARDS) do out[i] = decimals(w[name].write_pct) end
  return table.concat(out, ", ", 1, 3) .. " and " .. out[4]
end

function busiest(w)
  local most = 0
  for i = 0, w:shards() - 1 do most = math.max(most, w["S" .. i].write_pct) end
  return most
end

local function fits(w)
  return busiest(w) <= 80
end

function salted(w, count, key)
  return with(w, "writes " .. (key or P9) .. " salted " .. count)
end

-- The shards of sub-keys 0 to n - 1: "S3, S2, S1".
function placed(w, post, n)
  local out = {}
  for i = 0, n - 1 do out[i + 1] = w:owner("likes:{" .. post .. "#" .. i .. "}") end
  return table.concat(out, ", ")
end

-- How many of p9's likes find room under the line, beside what each shard has to do.
function room(w)
  local sum = 0
  for _, name in ipairs(SHARDS) do sum = sum + LINE - w[name].writes end
  return sum + LIKES
end

-- What each shard would hold with S sub-keys, worked out on a copy.
local function spread(w, post, count, loads)
  local key, rows = "likes:{" .. post .. "}", {}
  local bare, f = w:fork()
  stop(bare, "like", key)
  for i, name in ipairs(SHARDS) do
    local there = 0
    for n = 0, count - 1 do
      if w:owner("likes:{" .. post .. "#" .. n .. "}") == name then there = there + 1 end
    end
    rows[i] = { label = name, cells = function()
      local out = { bare[name].writes, there }
      if loads then
        f = f or salted(w, count, key)
        out[3], out[4] = f[name].writes, decimals(f[name].write_pct) .. "%"
      end
      return out
    end }
  end
  local columns = loads and { "shard", "others", "sub-keys", "in all", "full" } or { "shard", "others", "sub-keys" }
  return { title = "S = " .. count, columns = columns, numbers = loads and { 2, 3, 4, 5 } or { 2, 3 }, rows = rows }
end

-- p9's likes go to a count that was never salted, summed or corrected, and nothing is cached.
local function fresh(w)
  untreated(w)
  stop(w, "like", P9)
  order(w, "reads post:{p9} plain")
  order(w, "writes hearts:{p9} plain")
  w:flow("like", FRESH, LIKES)
  w:flow("read", "post:{p9}", READS)
  w:play_for(1)
end

-- p9 is calm; to end a flow that does not run is refused.
local function calm(w)
  stop(w, "like", FRESH)
  stop(w, "read", FRESH)
  stop(w, "read", "post:{p9}")
end

-- What of it reaches each shard, less what routers turn away; of copies of a shard, each one's part.
-- A copy's second is measured once, so copies are read one by one.
local function asked(f)
  local writes, reads = {}, {}
  for i = 0, f:shards() - 1 do
    local s = f["S" .. i]
    writes[i] = s.writes - s.writes_turned
    reads[i] = (s.reads - s.reads_turned) // (s.read_ceiling // 3000)
  end
  return writes, reads
end

-- What p9 costs: with its traffic, less the same without. The writes of the shard that has most of
-- them, and of the one that is read most the reads of the post and those of the count; the reads of
-- all shards.
local function own(f)
  local bare, post = f:fork(), f:fork()
  calm(bare)
  stop(post, "read", FRESH)
  bare:play_for(0.5) -- until sums are out
  post:play_for(0.5)
  local w, r = asked(f)
  local w0, r0 = asked(bare)
  local _, r1 = asked(post)
  local writes, of_post, of_count, all = 0, 0, 0, 0
  for i = 0, f:shards() - 1 do
    writes = math.max(writes, w[i] - w0[i])
    if r[i] - r0[i] > of_post + of_count then of_post, of_count = r1[i] - r0[i], r[i] - r1[i] end
    all = all + (r[i] - r0[i]) * (f["S" .. i].read_ceiling // 3000)
  end
  return writes, of_post, of_count, all
end

-- By how much p9's count is off once nobody likes it any more and every sum is written.
function off(w, key)
  local f = w:fork()
  stop(f, "like", key or P9)
  f:play_for(1.5)
  local count = f:count(key or P9)
  return count.shown - count.durable
end

-- --- flushes ---

-- To the moment before R4 flushes, when its buffer is as full as it gets.
local function to_flush(w)
  local hour, minute, second = string.match(w:clock(), "(%d+):(%d+):(%d+)")
  local next = hour * 3600 + minute * 60 + second + 1
  w:play_until(string.format("%02d:%02d:%02d.059", next // 3600, next // 60 % 60, next % 60))
end

-- To a moment before R4 flushes at which no row of its is under way: what a crash takes then is its buffer alone.
local function to_full_buffer(w)
  to_flush(w)
  for i = 1, 10 do
    local f = w:fork()
    f:play_for(0.49725 + i / 4000)
    f:command("crash R4 100")
    f:play_for(0.3)
    stop(f, "like", P9)
    f:play_for(0.8)
    if f:count(P9).unheard == 0 then return w:play_for(0.49725 + i / 4000) end
  end
end

-- R4 flushes, and for five milliseconds nothing arrives: what S2 answers is lost.
local function lose_an_answer(w)
  to_flush(w)
  w:play_for(0.001)
  w:command("network loss 100%")
  w:play_for(0.005)
  w:command("network calm")
end

-- R4 flushes, and its flush is held up on the way. The network draws how long, at most `span` ms; a draw
-- that fits is searched for on copies, by letting the network draw for a few messages before.
local function hold_up(w, span, draws)
  w:command("network delay 0.0001% 1")
  w:play_for(draws / 1000)
  w:command("network calm")
  to_flush(w)
  w:play_for(0.0001)
  w:command("network delay 100% " .. span)
  w:play_for(0.001)
  w:command("network calm")
end

local function held_up(w, span, after)
  for draws = 1, 13 do
    local f = w:fork()
    hold_up(f, span, draws)
    after(f)
    local count = f:count(P9)
    if math.abs(count.shown - count.durable) > 100 then
      hold_up(w, span, draws)
      return after(w)
    end
  end
end

local function crash(w, key)
  to_flush(w)
  w:command("crash R4 100")
  w:play_for(1.3)
end

-- A copy on which R4 died with the rules as they are, or one of them off.
local function crashed(w, rule)
  return broken.without(w, rule, crash)
end

-- All is right again: rules on, nothing lost on the way, the count as its rows are. What was broken in the
-- step before leaves no trace in this one.
local function tidy(w)
  for _, rule in ipairs { "absolute-flush", "flush-sequence", "claim-on-restart", "durable-before-ack", "recount-at-flushed" } do
    w:set_rule(rule, true)
  end
  order(w, "network calm")
  order(w, "patience 0")
  order(w, "clients none")
  stop(w, "like", P9)
  w:play_for(1.2)
  order(w, "rebuild likes:{p9}")
  w:play_for(0.3)
  w:flow("like", P9, LIKES)
  w:play_for(1)
end

-- p9's likes are summed, and nothing of the steps before is left.
local function summed(w, way)
  untreated(w)
  order(w, "writes likes:{p9} summed " .. (way or "absolute"))
  tidy(w)
end

-- --- every fix ---

local CALM = "" -- half a second passes: a cache that is filled amid refusals stays empty
local function row(label, price, ...)
  local commands = { ... }
  return { label = label, price = price, run = function(f)
    for _, c in ipairs(commands) do
      if c == CALM then f:play_for(0.5) else f:command(c) end
    end
    f:play_for(2)
  end }
end

-- What a fix costs elsewhere, out of a second of its run.
local function second(f)
  local before, rows = {}, f:count(FRESH).durable
  for i = 0, ROUTERS - 1 do before[i] = f["R" .. i].requests end
  f:play_for(1)
  local most, who = 0, 0
  for i = 0, ROUTERS - 1 do
    local here = f["R" .. i].requests - before[i]
    if here > most then most, who = here, i end
  end
  return f:count(FRESH).durable - rows, most, who
end

local function grouped(n)
  return (string.gsub(tostring(n), "(%d)(%d%d%d)$", "%1,%2"))
end

local function rows_elsewhere(f)
  return grouped(second(f)) .. " rows/s elsewhere"
end

local function one_router(f)
  local _, most, who = second(f)
  return "R" .. who .. " takes " .. grouped(most) .. "/s"
end

local function turned_away(f)
  return decimals(100 * f.S2.writes_turned / LIKES) .. "% of fans sent away"
end

-- A page of p9 shows the post and its count. Where both lie in p9's slot, one ask reads both; where the
-- count or a copy of the post lies elsewhere, the count is asked for by itself.
local COUNT = "flow read hearts:{p9} 9000"
local NO_POST, POST = "flow read post:{p9} 0", "flow read post:{p9} 9000"
local POISSON = POST .. " poisson" -- so that formulas hold
local FIXES = {
  row("as it is", "refusals, for anybody"),
  row("limit", turned_away, "limit key hearts:{p9} 600", "limit key post:{p9} 2000"),
  row("3 replicas", "two machines", "replicas S2 3", "reads post:{p9} replicas"),
  row("4 copies", "each copy is written", "reads post:{p9} copies 4", COUNT),
  row("edge", "old pages, more places", "reads post:{p9} edge"),
  row("micro-cache", "old answers", "reads post:{p9} cached"),
  row("coalesced", "readers wait", "reads post:{p9} coalesced", POISSON),
  row("and by key", one_router, "reads post:{p9} coalesced by-key", POISSON),
  row("salt 8", "reads, and free room", "writes hearts:{p9} salted 8", CALM, COUNT),
  row("salt 4", "fewer reads, more luck", "writes hearts:{p9} salted 4", CALM, COUNT),
  row("salt 8, cached", "old answers", NO_POST, "writes hearts:{p9} salted 8", CALM, "reads hearts:{p9} cached",
    "reads post:{p9} cached", COUNT, POST),
  row("summed", rows_elsewhere, "writes hearts:{p9} summed"),
  row("summed, cached", "rows, and old answers", "writes hearts:{p9} summed", "reads post:{p9} cached with hearts:{p9}"),
  row("own shard", "a machine", "shard add", "move 12067-12067 S4"),
}

local function fixes(title, columns, numbers, cells)
  local rows = {}
  for i, fix in ipairs(FIXES) do
    rows[i] = { label = fix.label, run = fix.run, cells = function(f) return cells(f, fix) end }
  end
  return { title = title, columns = columns, numbers = numbers, rows = rows }
end

local function loads(f)
  local writes, post, count = own(f)
  return { writes, post, count > 0 and count or "with it" }
end

local function fixed(w, label)
  for _, fix in ipairs(FIXES) do
    if fix.label == label then
      local f = w:fork()
      fix.run(f)
      return f
    end
  end
end

-- How long after a like its copies still give the old count, in milliseconds: the oldest of some reads.
local function lag(f)
  calm(f)
  f:flow("like", FRESH, 500)
  f:command("reads hearts:{p9} replicas")
  f:play_for(0.5)
  local most = 0
  for _ = 1, 6 do
    f:send("read", FRESH, "R0")
    f:play_answered()
    if f.last.outcome == "OK" then most = math.max(most, f:value(FRESH) - f.last.value) end
  end
  return most * 1000 // 500
end

-- How old an answer can be, in milliseconds: what routers held longest, or else the query; at copies of
-- the shard their lag; and what waits in a buffer.
local function age(f, fix)
  local held = math.max(f:reads_of("post:{p9}").oldest_ms, f:reads_of(FRESH).oldest_ms)
  if fix.label == "3 replicas" then return lag(f:fork()) end
  if held < 1 then held = f:latency("read", 50, "post:{p9}") end
  local g, waits = f:fork(), 0
  for _ = 1, 50 do
    g:play_for(0.01)
    waits = math.max(waits, g:buffered(FRESH, "R4"))
  end
  return round(held + 1000 * waits * ROUTERS / LIKES)
end

-- The fix of these whose answers are oldest.
local known = {} -- by time: each choice asks, and each answer takes copies of the world
local function oldest(w, labels)
  local most, which = -1, known[w:clock()]
  if which then return which end
  for _, fix in ipairs(FIXES) do
    if labels[fix.label] then
      local f = w:fork()
      fix.run(f)
      local ms = age(f, fix)
      if ms > most then most, which = ms, fix.label end
    end
  end
  known[w:clock()] = which
  return which
end

local LATE = { ["micro-cache"] = true, summed = true, ["summed, cached"] = true, ["salt 8, cached"] = true }
local function is_oldest(label)
  return function(w) return oldest(w, LATE) == label end
end

-- What a page asks for, or how many share one ask.
local function asks(f)
  local _, _, _, all = own(f)
  local pages = READS
  for i = 0, f:shards() - 1 do pages = pages - f["S" .. i].reads_turned end
  if all >= pages * 0.9 then return tostring(round(all / pages)) end
  return "1 of " .. grouped(round(READS / all))
end

local function lowers(label)
  return function(w) return (own(fixed(w, label))) < LIKES / 2 end
end

-- Whether every shard is at 80% or less, of writes and of reads.
local function under(label)
  return function(w)
    local f = fixed(w, label)
    local writes, reads = asked(f)
    for i = 0, f:shards() - 1 do
      if writes[i] > LINE or reads[i] > 2400 then return false end
    end
    return true
  end
end

-- Durable writes of p9's likes in a second of a fix: rows of `liked`, and what S2 takes.
local function durable_writes(w)
  local f = fixed(w, "summed")
  local writes = own(f)
  return writes + second(f)
end

-- --- other posts ---

local P7 = 500
-- p3 takes off instead of p9, and p4 is busier than usual.
local function other_evening(w)
  calm(w)
  w:play_for(0.5)
  w:flow("like", P9, 50)
  w:flow("read", "post:{p9}", 100)
  w:flow("like", "likes:{p4}", 150)
  w:flow("like", "likes:{p3}", 1600)
  w:play_for(0.5)
end

-- --- sub-keys whose places nobody can see ---

-- The busiest of four shards over their average, when `count` sub-keys fall where they like.
local OTHERS = { 200, 200, 150, 200 }
local AVERAGE = (200 + 200 + 150 + 200 + LIKES) / 4
local HAND = layout("mod-n", { shards = 4 })
local function blind(count, try)
  local load = { table.unpack(OTHERS) }
  for i = 1, count do
    local id = HAND:owner("try " .. try .. ", " .. i .. " of " .. count) + 1
    load[id] = load[id] + LIKES / count
  end
  return math.max(table.unpack(load)) / AVERAGE
end

-- How many of the tries stay below so many writes a second on their fullest shard.
function stay_below(count, writes)
  local good = 0
  for try = 1, 40 do
    if blind(count, try) * AVERAGE <= writes then good = good + 1 end
  end
  return good
end

local function blind_group(count)
  return { label = count .. " sub-keys", times = 40, try = function(i) return blind(count, i) end }
end

-- --- a like that is sent again ---

local CLAPS = "claps:{p9}" -- a count that nobody else likes
-- One like through R0, whose answer is held up until its client has asked again. How many sub-keys
-- have it then.
local function send_twice(w, pick)
  local before, places = {}, 0
  order(w, "writes " .. CLAPS .. " salted 8 " .. pick)
  for i, sub in ipairs(w:subkeys(CLAPS)) do before[i] = sub.value end
  w:send("like", CLAPS, "R0")
  w:play_for(0.002)
  w:command("hold " .. w.last.number .. " 300")
  w:play_for(1)
  for i, sub in ipairs(w:subkeys(CLAPS)) do
    if sub.value > before[i] then places = places + 1 end
  end
  return places
end

-- Of six such likes on a copy: how many have their repeat in the same sub-key.
function together(w, pick)
  local f, good = w:fork(), 0
  for _ = 1, 6 do
    if send_twice(f, pick) == 1 then good = good + 1 end
  end
  return good
end

-- --- a stream job, by its rules alone ---

-- Likes by the second in which they were made, in the order in which they arrive; 0 is 20:04:00.
local ARRIVALS = { 12, 31, 48, 57, 63, 55, 71, 59, 74, 52, 86 }
local LAG, MINUTE = 10, 60

-- What became of each: the watermark when it came, and whether its minute was still open.
local function streamed()
  local newest, out = 0, {}
  for i, made in ipairs(ARRIVALS) do
    local mark = newest - LAG
    out[i] = { made = made, mark = mark, open = mark < (made // MINUTE + 1) * MINUTE }
    newest = math.max(newest, made)
  end
  return out
end

local function late()
  local count = 0
  for _, like in ipairs(streamed()) do
    if not like.open then count = count + 1 end
  end
  return count
end

local function at(second)
  return string.format("20:%02d:%02d", 4 + second // 60, second % 60)
end

-- A job that counts 100 likes and dies after `dies` of them. It writes its position down after each
-- 25, and its sum together with that, or (apart) adds each 10 to the store as it goes.
function recounted(dies, apart)
  local sum, stored, position, pending = 0, 0, 0, 0
  local saved = { sum = 0, position = 0 }
  local died = false
  while position < 100 do
    position, pending = position + 1, pending + 1
    if apart and pending == 10 then stored, pending = stored + 10, 0 end
    sum = sum + 1
    if position % 25 == 0 then saved = { sum = sum, position = position } end
    if position == dies and not died then
      died, pending = true, 0
      sum, position = saved.sum, saved.position
    end
  end
  return apart and stored or sum
end

function most_writes(w)
  local most = 0
  for _, name in ipairs(SHARDS) do most = math.max(most, w[name].writes) end
  return most
end

local function smallest(w, key)
  for count = 2, 8 do
    if fits(salted(w, count, key)) then return count end
  end
end

-- Likes that a reader does not see who knows the sub-keys of before, a second after writers use eight;
-- and one who knows all eight from the start.
function missed(w, first)
  local f = w:fork()
  local function higher() -- what the sub-keys #4 to #7 hold
    local held = 0
    for i = 4, 7 do held = held + f:value("likes:{p9#" .. i .. "}") end
    return held
  end
  local before, was = higher(), off(w) -- likes that were sent twice count once too often
  order(f, "writes " .. P9 .. " salted 8")
  f:play_for(1)
  if first == "readers" then return was - off(f) end
  return higher() - before
end

local NOVA = { "p9", "p3", "p6", "p12" } -- nova's posts, as Part 2 has them

-- Likes of p9 that still get through in a second, when the index key's shard refuses entries and the
-- store holds back the table until they are in.
function held_back(w)
  local f = w:fork()
  for _, post in ipairs(NOVA) do
    f:command("index likes:{" .. post .. "} none")
    f:command("index likes:{" .. post .. "} by:nova throttle")
  end
  f:play_for(2)
  local before = f:count(P9).durable
  f:play_for(1)
  return f:count(P9).durable - before
end

-- What waits in the routers' buffers, on average over a second.
function waiting(w)
  local f, sum = w:fork(), 0
  for _ = 1, 100 do
    f:play_for(0.01)
    sum = sum + f:buffered(P9)
  end
  return round(sum / 100)
end

-- R4's buffer at 41 moments that do not keep step with its flushes: the median.
function usual_loss(w)
  local f, list = w:fork(), {}
  for i = 1, 41 do
    f:play_for(0.137)
    list[i] = f:buffered(P9, "R4")
  end
  table.sort(list)
  return list[21]
end

-- --- which fix for whom ---

-- The posts of a shard have so many likes a second each; all else is as on a quiet evening.
local function posts_of(w, shard)
  local out = {}
  for n = 1, 16 do
    if w:owner("likes:{p" .. n .. "}") == shard then out[#out + 1] = "p" .. n end
  end
  return out
end

-- All shards at 80% or less of writes and reads, once these commands are done.
local function cured(...)
  local commands = { ... }
  return function(w)
    local f = with(w, table.unpack(commands))
    f:play_for(0.5)
    local writes, reads = asked(f)
    for i = 0, f:shards() - 1 do
      if writes[i] > LINE or reads[i] > 2400 then return false end
    end
    return true
  end
end

-- --- a balance ---

local function swept(w)
  order(w, "sweep acct:{shop}")
  w:play_for(0.5)
end

local function paid(w)
  swept(w)
  order(w, "request debit acct:{shop} 60 via R1")
  w:play_answered()
end

return lesson {
  id = "05_taming_hot_writes", part = 5, title = "Taming hot writes", minutes = 12,
  needs = { "03_the_hot_key", "04_taming_hot_reads" },
  world = "story-near",
  placement = { go = "every-fix" },

  steps = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-salt", title = "How full?", check = true, show = { "bars" },
      say = [[
        A shard can take 1,000 writes a second, and 300 of other keys are there. Of a count with 3,000 likes a second it
        holds two of ten sub-keys.]],
      predict = { id = "p5-check-salt", kind = "number", unit = "%", tolerance = 0,
        ask = "How full is it?",
        answer = function() return (300 + 2 * 3000 // 10) * 100 // CEILING end,
        wrong = { [60] = { belief = "only the hot key counts", why = "The other keys of that shard are still there." } },
        why = "300, and twice 300." } },

    { id = "check-trap", title = "Which slots?", check = true, show = { "slot_map" }, key = P9,
      say = [[
        `likes:{p9}` is to be split, and its parts are to lie in other slots than its own.]],
      predict = { id = "p5-check-trap", kind = "several",
        ask = "Which lie in another slot?",
        choices = {
          { "`likes:{p9#1}`", why = "The tag is p9#1.", holds = function(w) return w:slot("likes:{p9#1}") ~= w:slot(P9) end },
          { "`likes:{p9}#1`", belief = "the whole key is hashed", why = "The tag of `likes:{p9}#1` is p9.",
            holds = function(w) return w:slot("likes:{p9}#1") ~= w:slot(P9) end },
          { "`likes#1:{p9}`", belief = "the whole key is hashed", why = "The tag of `likes#1:{p9}` is p9.",
            holds = function(w) return w:slot("likes#1:{p9}") ~= w:slot(P9) end },
        },
        why = "Only what is in braces is hashed." } },

    { id = "check-crash", title = "What is gone?", check = true, show = { "bars" },
      enter = function(w)
        untreated(w)
        order(w, "writes likes:{p9} summed")
        w:play_for(2)
      end,
      say = [[
        Each router writes a row for every like, then tells the fan, then adds one to a sum in memory. Twice a second it
        writes the sum. One of them dies.]],
      predict = { id = "p5-check-crash", kind = "choice",
        ask = "What is missing when it is back?",
        choices = {
          { "Rows, and likes of the count", belief = "memory holds the only copy", why = "Each row was written before its fan was told.",
            holds = function(w) return crashed(w):count(P9).forgotten > 0 end },
          { "Likes of the count only", holds = function(w) local f = crashed(w) return f:count(P9).forgotten == 0 and off(f) < 0 end },
          { "Nothing", belief = "a sum is durable", why = "What was summed since the last write is gone.",
            holds = function(w) return off(crashed(w)) == 0 end },
        },
        why = "The sum in memory is gone, and it can be counted again." } },

    { id = "check-fixes", title = "Which help?", check = true, show = { "bars" },
      enter = fresh,
      say = [[
        p9 is asked for {LIKES} likes and {READS} reads a second.]],
      with = { LIKES = LIKES, READS = READS },
      predict = { id = "p5-check-fixes", kind = "several",
        ask = "What lowers the writes of its busiest shard to less than half?",
        choices = {
          { "A micro-cache", belief = "a cache helps everything", why = "A cache answers reads.", holds = lowers("micro-cache") },
          { "Three replicas", belief = "a copy takes a part of the writes", why = "Every copy takes every write.", holds = lowers("3 replicas") },
          { "Salting", why = "Salting spreads the likes over sub-keys.", holds = lowers("salt 8") },
          { "Sums at the routers", why = "A router writes one sum for many likes.", holds = lowers("summed") },
          { "A shard of its own", belief = "a bigger place cures", why = "All its likes go along.", holds = lowers("own shard") },
        },
        why = "Writes go down when they are spread, or when fewer are sent." } },

    -- ------------------------------------------------------------------ core

    { id = "turned-away", title = "From Part 3", show = { "bars" }, key = P9, enter = untreated,
      say = [[
        20:04. p9 takes {LIKES} likes a second, its neighbours on S2 {S2.writes - LIKES} together. S2 can take {CEILING}.

        In Part 3 the routers were told to let no more than {LIMIT} of p9's likes through.]],
      with = { LIKES = LIKES, CEILING = CEILING, LIMIT = 600 },
      predict = { id = "p5-turned-away", kind = "number", unit = "%", tolerance = 1,
        ask = "What part of p9's fans is sent away by that limit?",
        answer = function(w) return w.S2.writes_turned * 100 / LIKES end,
        wrong = { [25] = { belief = "the limit is what is turned away", why = "That part gets through: 600 of 2,400." },
          [61] = { belief = "a limit refuses what the shard would", why = "S2 alone refuses 1,550 of 2,550, whoever sent them. The limit takes it all from p9's fans." } },
        why = "600 of {LIKES} get through.",
        hints = { "How many get through?", "{LIMIT} of {LIKES}.", "The rest is {LIKES - LIMIT}." } },
      run = function(w)
        order(w, "limit key likes:{p9} 600")
        w:play_for(1)
      end,
      after = [[
        {S2.writes - S2.writes_turned} reach S2: its neighbours are saved, and three fans of four are not. This part lets all of them in.]],
      notes = "From Part 3: more shards never brought p9 under 240% either. Ask who remembers why." },

    { id = "cache-likes", title = "From Part 4", show = { "bars" },
      enter = function(w)
        order(w, "limit key likes:{p9} none")
        w:play_for(0.5)
      end,
      say = [[
        The limit is off. Now what Part 4 did for readers: each router keeps p9's answer for a second, and fetches it once.]],
      predict = { id = "p5-cache", kind = "choice",
        ask = "What is S2 asked for then, a second?",
        choices = {
          { "{LIKES + 150} writes, 306 reads", holds = function(w) return w.S2.writes >= 2500 and w.S2.reads < 400 end },
          { "Hundreds of both", belief = "a cache helps everything", why = "A kept answer can be given again. A like is a change, and S2 has to hear of each.",
            holds = function(w) return w.S2.writes < 1000 and w.S2.reads < 400 end },
          { "A sixth of both", belief = "six routers share the load", why = "Each router passes on the likes that reach it: six sixths.",
            holds = function(w) return w.S2.writes >= 300 and w.S2.writes < 600 and w.S2.reads > 1000 end },
          { "{LIKES + 150} writes, 54,300 reads", belief = "each router asks for each reader", why = "A router asks once a second, however many readers it has.",
            holds = function(w) return w.S2.reads > 10000 end },
        },
        why = "An old answer can be given again. Each like changes the count, so none can be left out.",
        hints = { "How often does a router fetch?", "Once a second: six reads, and 300 of the neighbours.", "And a like is no answer that could be given again." } },
      with = { LIKES = LIKES },
      run = function(w)
        w:command("reads post:{p9} cached")
        w:play_for(2)
      end,
      after = [[
        {S2.read_pct}% of what S2 can read, and {S2.write_pct}% of what it can write. For writes there are two ways: send them to several
        places, or send fewer.]] },

    { id = "three", title = "Several places", show = { "bars" }, key = P9,
      say = [=[
        [[Salting]] makes one count of several [[sub-keys]]: `likes:{p9#0}`, `likes:{p9#1}` and so on. A like goes to one
        of them. A read adds them up.

        {LIKES} over {CEILING} is {decimals(LIKES / CEILING, 1)}, so somebody takes three. They lie on {placed(w, "p9", 3)}.]=],
      with = { LIKES = LIKES, CEILING = CEILING },
      predict = { id = "p5-three", kind = "number", unit = "%", tolerance = 1,
        ask = "How full is the busiest shard then?",
        answer = function(w) return busiest(w) end,
        wrong = { [80] = { belief = "only the hot key counts", why = "That is one sub-key's part. The shard that holds it has other keys as well." },
          [85] = { belief = "the likes stay near p9", why = "Two of the three lie on other shards, and each of those has 200 of its own." },
          [240] = { belief = "a sub-key stays with its key", why = "Each sub-key has a tag of its own, and so a slot of its own." } },
        why = "800 likes for each sub-key, and 200 writes that were there before.",
        hints = { "How many likes does each sub-key take?", "800. And what else is on that shard?", "200 more, of {CEILING}." } },
      run = function(w)
        order(w, "writes likes:{p9} salted 3")
        w:play_for(1)
      end,
      after = [[
        {S1.writes} on S1 and on S3: not one like more would fit. The division forgot what the shards had to do
        before.]] },

    { id = "the-rule", title = "The rule", show = { "bars" },
      say = [[
        A shard's load is its other writes, and LIKES / S for each sub-key that it holds; S is how many there are. Choose S and
        places so that no shard is above 80%.

        Here S is 8, and each shard gets two.]],
      predict = { id = "p5-rule", kind = "number", unit = "writes/s", tolerance = 1,
        ask = "How many writes a second is S0 asked for? It has 200 of other keys.",
        answer = function(w) return w.S0.writes end,
        wrong = { [600] = { belief = "only the hot key counts", why = "Those are the sub-keys. The other 200 are still there." },
          [500] = { belief = "one sub-key on each shard", why = "Eight sub-keys on four shards: each has two." },
          [800 - 50] = { belief = "all shards had the same", why = "That is S2, which had p9 and now has only 150 of others." } },
        why = "200 + 2 x {LIKES} / 8.",
        hints = { "What does one of eight sub-keys take?", "{LIKES} / 8 = 300.", "200 + 300 + 300." } },
      with = { LIKES = LIKES },
      run = function(w)
        order(w, "writes likes:{p9} salted 8")
        w:play_for(1)
      end,
      after = [[
        The shards are at {levels(w)}%. Under the line all four have room for {room(w)} likes; p9 needs {LIKES}. It fits, because
        it is spread evenly.]],
      notes = "This is the worked example. The deeper steps take its steps away one by one, and the drill salt-it all of them." },

    { id = "fewer", title = "How many?", show = { "table" }, key = P9,
      knobs = { { name = "salt", values = { 3, 4, 5, 6, 7, 8, 10, 12 }, start = 8 } },
      table = function(w, knob) return spread(w, "p9", knob.salt, true) end,
      say = [[
        A read of the count has to ask for each sub-key: the fewer, the cheaper for readers.

        With S = {knob.salt}, #0 to #{knob.salt - 1} lie on {placed(w, "p9", knob.salt)}.]],
      try = { ask = "Turn S with L. Find the smallest that keeps every shard at 80% or less.",
        goal = function() return knob.salt == 4 end, solution = { "knob salt 4" },
        hints = { "L goes to the next S.", "Five, six and seven do not spread evenly over four shards.", "It is less than eight." } } },

    { id = "place-them", title = "Where?", show = { "bars" }, key = P9,
      enter = function(w)
        untreated(w)
        w:flow("like", "likes:{p4}", 300)
        w:flow("like", P9, 1800)
        w:play_for(0.5)
      end,
      say = [[
        Four do: just, and S has to change when p9 grows.

        Another evening. p9 takes {P9_NOW}; p4 is busy too, so S3 has {S3.writes} of others. #0 to #3 lie on {placed(w, "p9", 4)}, by
        their slots: {slots(w)}. But a slot can move: `move {=second(w)} S3`.]],
      with = { P9_NOW = 1800,
        second = function(w) return tostring(w:slot("likes:{p9#1}")) end,
        slots = function(w)
          local out = {}
          for i = 0, 3 do out[i + 1] = w:slot("likes:{p9#" .. i .. "}") end
          return table.concat(out, ", ")
        end },
      try = { ask = "Salt p9 and place its sub-keys: no shard above 80%. Press : and type `writes likes:{p9} salted 4` or another S.",
        goal = function(w) return w:count(P9).mode == "salted" and fits(w) end,
        builds = true,
        solution = { "writes likes:{p9} salted 3", "move 15527 S0" },
        hints = { "S3 has room for 350. Four would bring 450 there.", "With three it is 600 each, and #0 would lie on S3. Which shard is without one?",
                  "`writes likes:{p9} salted 3`, and `move 15527 S0`." } } },

    { id = "tag-trap", title = "Eight names", show = { "bars" }, key = P9,
      enter = untreated,
      say = [[
        p9 is back at {LIKES}, p4 is calm, all slots are back. Somebody in a hurry names the eight sub-keys `likes:{p9}#0` to
        `likes:{p9}#7`.]],
      with = { LIKES = LIKES },
      predict = { id = "p5-trap", kind = "number", unit = "%", tolerance = 2,
        ask = "How full is S2?",
        answer = function(w) return w.S2.write_pct end,
        wrong = { [75] = { belief = "eight keys are eight places", why = "Eight keys they are. But which slot they lie in is decided by what is in braces." },
          [240] = { belief = "nothing else is there", why = "S2 has p1, p5 and p13 as well." } },
        why = "Only what is in braces is hashed, and that is p9 for all eight.",
        hints = { "What is the tag of `likes:{p9}#3`?", "p9. And its slot?", "All eight are where p9 was." } },
      run = function(w)
        order(w, "writes likes:{p9} salted 8 outside")
        w:play_for(1)
      end,
      after = [[
        All eight are in slot {w:slot("{p9}")}. Nothing was gained but eight names. The salt must stand inside the braces.]] },

    { id = "dear-reads", title = "The whole count", show = { "bars" },
      enter = function(w)
        untreated(w)
        order(w, "writes likes:{p9} salted 8")
        stop(w, "read", "post:{p9}")
        w:play_for(1)
      end,
      say = [[
        Eight inside the braces, two on each shard. Now {READS} readers a second want the count, and no cache helps. Each
        sub-key has a slot of its own, and one ask reads one slot.]],
      with = { READS = READS,
        kept = function(w)
          local f = with(w, "flow read likes:{p9} 0")
          f:command("reads likes:{p9} cached")
          f:flow("read", P9, READS)
          f:play_for(2)
          return f
        end },
      predict = { id = "p5-dear", kind = "number", unit = "reads/s", tolerance = 200,
        ask = "How many reads a second does that put on each shard?",
        answer = function(w) return w.S0.reads - 400 end,
        wrong = { [9000] = { belief = "a read is one ask", why = "Each read asks for every sub-key, and two of them are here." },
          [2250] = { belief = "reads are divided as well", why = "Writes are divided. A read has to add up all eight." },
          [72000] = { belief = "each shard has all sub-keys", why = "That is all four shards together." } },
        why = "Each read asks for two sub-keys here.",
        hints = { "What does one read have to ask for?", "All eight. How many of them are on one shard?", "2 x {READS}." } },
      run = function(w)
        w:flow("read", P9, READS)
        w:play_for(0.2)
      end,
      after = [[
        {S0.read_pct}% of what a shard can read, on all four. Salting helps writes and hurts reads. If each router keeps the sum for a
        second, it is {kept(w).S0.reads - 400} reads a second.]] },

    { id = "fewer-writes", title = "Sums at the routers", show = { "bars", "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        stop(w, "read", P9)
        w:flow("read", "post:{p9}", READS)
        w:play_for(1)
      end,
      say = [=[
        The other way. Let each of the {ROUTERS} routers count the likes that reach it, and write the sum twice a second, to a
        sub-key of its own: `likes:{p9}:r0` to `:r5`. The write is a [[flush]], and all this is [[pre-aggregation]].]=],
      with = { ROUTERS = ROUTERS, LIKES = LIKES },
      predict = { id = "p5-sums", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes a second do p9's {LIKES} likes cost S2 then?",
        answer = function(w) return w.S2.writes - 150 end,
        wrong = { [2] = { belief = "one router does it all", why = "Each of the six routers flushes for itself." },
          [6] = { belief = "once a second", why = "Twice a second, each of them." },
          [2400] = { belief = "every like is a write", why = "A flush of 200 likes is one write." },
          [400] = { belief = "every like is a write", why = "So many likes reach one router. It writes their sum." } },
        why = "Six routers, twice a second each.",
        hints = { "Who flushes?", "{ROUTERS} routers, each twice a second.", "{ROUTERS} x 2." } },
      run = function(w)
        order(w, "writes likes:{p9} summed")
        order(w, "reads post:{p9} cached with likes:{p9}")
        w:play_for(2)
      end,
      after = [=[
        {S2.writes} with the others: the hot shard is the coolest now, at {S2.write_pct}%. The six sub-keys have the tag p9, so one ask reads
        all. What salting had collected is [[frozen]]: a sum that nobody changes any more, and that is added.]=] },

    { id = "a-router-dies", title = "R4 dies", show = { "counter:likes:{p9}" }, key = P9,
      enter = to_full_buffer,
      say = [[
        A router first writes a row for each like, "u likes p9", to a table `liked`, on shards of its own. Then it says OK. Then, if the row is new, it adds one to
        its buffer.

        R4 has {w:buffered(P9, "R4")} likes in its buffer. It dies.]],
      with = { P9 = P9, lost = function(w) return w:count(P9).lost end },
      predict = { id = "p5-crash", kind = "choice", confidence = true,
        ask = "What has become of them?",
        choices = {
          { "R4 flushes them when it is back", belief = "a buffer survives", why = "A buffer is memory. R4 comes back with an empty one.",
            holds = function(w) return w:count(P9).lost == 0 end },
          { "They are gone for good", belief = "memory holds the only copy", why = "Each had its row in `liked` before its fan was told OK.",
            holds = function(w) return w:count(P9).forgotten > 0 end },
          { "The count lacks them, `liked` has them", holds = function(w) return w:count(P9).forgotten == 0 and w:count(P9).lost > 0 end },
        },
        why = "The count is a view of `liked`, and a view can be made again.",
        hints = { "What was written before OK?", "A row in `liked`.", "And the buffer was only memory." } },
      run = function(w)
        w:command("crash R4 100")
        w:play_for(1.3)
      end,
      after = [[
        {lost(w)} likes are missing from the count, and none from `liked`.]] },

    { id = "rebuild", title = "Count again", show = { "counter:likes:{p9}" }, key = P9,
      say = [[
        Nobody will flush those {w:count(P9).lost} any more.

        A job counts the rows of `liked` and compares. What is in buffers comes by itself, and is not missing. What is missing the job
        writes into one more sub-key, `likes:{p9}:fix`, and every read adds that.]],
      with = { P9 = P9 },
      predict = { id = "p5-rebuild", kind = "number", tolerance = 5,
        ask = "What will be in `:fix`?",
        answer = function(w) return w:count(P9).fix end,
        wrong = function(w)
          return { [0] = { belief = "the sub-keys are put right", why = "R4's sub-key is left alone: R4 goes on writing it, and would overwrite what the job put there." },
            [w:count(P9).durable] = { belief = "a rebuild begins from nothing", why = "All rows of `liked` would be in the count twice. What is missing is added, no more." } }
        end,
        why = "What the crash took, and no more: the buffers will be flushed.",
        hints = { "What does the job compare?", "The rows of `liked` with the sub-keys and the buffers.", "It is what the crash took." } },
      run = function(w)
        order(w, "rebuild likes:{p9}")
        w:play_for(1)
      end,
      after = [[
        {w:count(P9).fix}, and the red line is gone.]] },

    { id = "sent-again", title = "Break it: \"200 more\"", show = { "counter:likes:{p9}" }, key = P9, router = "R4",
      enter = function(w)
        w:flow("read", "post:{p9}", 100)
        tidy(w)
        w:set_rule("absolute-flush", false)
        order(w, "patience 100 300")
        w:play_for(1)
      end,
      say = [=[
        A flush carries the router's [[total]] so far, and a number that goes up with each, its [[sequence]]. Suppose it said "200 more" instead.

        R4 flushes, S2 adds, and the answer is lost on the way. After a while R4 sends it again.]=],
      predict = { id = "p5-again", kind = "choice", confidence = true,
        ask = "What does the count say when all is quiet?",
        choices = {
          { "The truth: S2 notices the repeat", belief = "a store knows what it has seen", why = "For S2 it is one more \"200 more\". Nothing in it says that it is the same.",
            holds = function(w) return off(w) == 0 end },
          { "About 200 too many", holds = function(w) return off(w) > 100 end },
          { "About 200 too few", belief = "no answer, no effect", why = "The flush arrived. Only its answer was lost.",
            holds = function(w) return off(w) < -100 end },
        },
        why = "An answer that is lost looks like a write that is lost, and the write is done twice.",
        hints = { "Did the first flush arrive?", "It did, and it was added.", "And then once more." } },
      run = function(w)
        lose_an_answer(w)
        w:play_for(1)
      end,
      after = [[
        {off(w)} too many: the line "counted twice". A total can be sent as often as you like. It says the same thing each time.]] },

    { id = "out-of-order", title = "Break it: two flushes", show = { "counter:likes:{p9}" }, key = P9, router = "R4",
      enter = function(w)
        tidy(w)
        w:set_rule("flush-sequence", false)
      end,
      say = [[
        Totals again, and S2 takes whatever comes, whatever its sequence.

        R4's flush is held up, and its next one overtakes it. Then the first arrives, and by then nobody likes p9 any more.]],
      predict = { id = "p5-order", kind = "choice",
        ask = "What does the count say?",
        choices = {
          { "200 too few: the older total stays", holds = function(w) return off(w) < -100 end },
          { "The truth: the newer total stays", belief = "a store keeps the newest", why = "The newest for S2 is what came last. Nothing but the sequence tells it that this one is older.",
            holds = function(w) return math.abs(off(w)) <= 100 end },
          { "200 too many: both are added", belief = "writes add up", why = "A total replaces the one before.",
            holds = function(w) return off(w) > 100 end },
        },
        why = "The last to arrive replaces what is there, and it is the older one.",
        hints = { "What does a total do to the one before?", "It replaces it.", "Which of the two comes last?" } },
      run = function(w)
        held_up(w, 2800, function(f)
          f:play_for(0.4993)
          stop(f, "like", P9)
          f:play_for(2.5)
        end)
      end,
      after = [[
        {-off(w)} too few, though S2 answered both. So S2 takes a flush only if its sequence is higher. `hotshard check preagg --without
        flush-sequence` finds the shortest way there.]] },

    { id = "comes-back", title = "Break it: R4 comes back", show = { "counter:likes:{p9}" }, key = P9, router = "R4",
      enter = function(w)
        tidy(w)
        w:set_rule("claim-on-restart", false)
      end,
      say = [[
        A flush of R4 is held up, and R4 dies. It comes back, reads its sub-key, and goes on from there. A rebuild counts those 200 as missing.

        Then the old flush arrives.]],
      predict = { id = "p5-comes-back", kind = "choice",
        ask = "What does the count say then?",
        choices = {
          { "The truth: what a dead router sent does not count", belief = "a message dies with its sender", why = "It is on the way, its sequence is the next, and S2 cannot tell from which life of R4 it is.",
            holds = function(w) return math.abs(off(w)) <= 100 end },
          { "200 too few", belief = "the new R4 overwrites it", why = "R4 has not flushed yet, and S2 takes the old flush.",
            holds = function(w) return off(w) < -100 end },
          { "200 too many", holds = function(w) return off(w) > 100 end },
        },
        why = "They are in `:fix` already, and come once more.",
        hints = { "What did the rebuild do with the 200?", "They are in `:fix`.", "And the old flush brings them to R4's sub-key." } },
      run = function(w)
        held_up(w, 1600, function(f)
          f:command("crash R4 100")
          stop(f, "like", P9)
          f:play_for(0.13)
          order(f, "rebuild likes:{p9}")
          f:play_for(1.5)
        end)
      end,
      after = [=[
        {off(w)} too many. So R4 first [[claims]] its sub-key: it raises the sequence there by 1,000, and what is older is refused. `hotshard check preagg
        --without claim-on-restart` tries every order.]=] },

    { id = "second-writer", title = "Break it: one more writer", show = { "bars" }, key = P9,
      enter = function(w)
        tidy(w)
        w:flow("read", "post:{p9}", READS)
        w:play_for(1)
      end,
      say = [[
        All is right again: {S2.writes} writes a second on S2. Now somebody wants to list who liked p9, and lets each like also write an entry into
        `who:{p9}`.]],
      predict = { id = "p5-second", kind = "number", unit = "writes/s", tolerance = 30,
        ask = "How many writes a second is S2 asked for?",
        answer = function(w) return w.S2.writes end,
        wrong = { [162] = { belief = "another key is another place", why = "Its tag is p9 as well, so it lies in the same slot." },
          [174] = { belief = "entries are summed too", why = "The routers sum the count. An entry names a fan, and cannot be added up." } },
        why = "One write for each like, in p9's slot, is what the sums were meant to spare.",
        hints = { "Where does `who:{p9}` lie?", "In p9's slot. How often is it written?", "Once for each like: {LIKES} more." } },
      with = { LIKES = LIKES },
      run = function(w)
        order(w, "index likes:{p9} who:{p9}")
        w:play_for(1)
      end,
      after = [[
        {S2.write_pct}%. Sums only help if nothing else writes the hot key once per like. That is why the rows of `liked` go by the fan, and
        not by the post.]] },

    { id = "every-fix", title = "Every fix", show = { "table" }, key = P9,
      enter = function(w)
        if w:account("who:{p9}").kind == "index" then order(w, "index likes:{p9} none") end
        fresh(w)
      end,
      table = function()
        return fixes("p9, on its busiest shard, a second", { "fix", "writes", "post", "count" }, { 2, 3, 4 }, loads)
      end,
      say = [[
        p9 untreated: {LIKES} likes, and {READS} pages, each with post and count. One ask reads both where they lie in one slot.]],
      with = { LIKES = LIKES, READS = READS },
      predict = { id = "p5-both", kind = "several", confidence = true,
        ask = "Which keep every shard at 80% or less, of writes and of reads?",
        choices = {
          { "limit", why = "600 likes and 2,000 reads get through. The rest is turned away.", holds = under("limit") },
          { "3 replicas", belief = "a copy takes a part of the writes", why = "Every copy takes every write.", holds = under("3 replicas") },
          { "micro-cache", belief = "a cache helps everything", why = "A cache answers reads.", holds = under("micro-cache") },
          { "salt 8", belief = "what is spread is cured", why = "Its likes are spread, and its readers ask for nine slots.", holds = under("salt 8") },
          { "summed", belief = "fewer writes are fewer reads", why = "12 writes, and 9,000 reads as before.", holds = under("summed") },
          { "summed, cached", why = "12 writes, and 6 reads.", holds = under("summed, cached") },
        },
        why = "One for the writes and one for the reads; or a limit, at the fans' cost.",
        hints = { "Go by the writes first: who changes where likes go, or how many?", "Then the reads.", "Two of them." } },
      after = [[
        Nothing for reads touches writes, and salting makes reads dearer: p9 needs one fix from each half. Tab goes to the table: enter opens a
        row's run.]],
      notes = "Let each group defend one row before the table is shown." },

    { id = "prices", title = "How old, how many", show = { "table" }, key = P9,
      table = function()
        return fixes("how old, how many asks a page", { "fix", "age, ms", "asks" }, { 2 }, function(f, fix)
          return { age(f, fix), asks(f) }
        end)
      end,
      say = [[
        The same runs once more: how old what a page shows may get, and what a page has to ask for.]],
      predict = { id = "p5-oldest", kind = "choice",
        ask = "Which row gives the oldest answers?",
        choices = {
          { "summed", belief = "a buffer is worse than a cache", why = "Half a second at most. A cache keeps what it has for longer.",
            holds = is_oldest("summed") },
          { "micro-cache", belief = "only caches are late", why = "Its answers are as old as the cache lets them get. Another row waits twice.",
            holds = is_oldest("micro-cache") },
          { "salt 8, cached", belief = "more parts, more age", why = "The parts are asked for at one time, and kept as long as one.",
            holds = is_oldest("salt 8, cached") },
          { "summed, cached", holds = is_oldest("summed, cached") },
        },
        why = "A like waits in a buffer, and then the sum waits in a cache.",
        hints = { "Where can a like wait?", "In a buffer, and in a cache.", "The row that has both." } },
      after = [[
        Where nobody asks for a while, a cache may serve its answer until 3 s.]] },

    { id = "the-bill", title = "Who pays", show = { "table" }, key = P9,
      table = function()
        return fixes("who pays", { "fix", "price" }, {}, function(f, fix)
          return { type(fix.price) == "function" and fix.price(f) or fix.price }
        end)
      end,
      say = [[
        With sums S2 takes {flushes(w)} writes a second for p9's {LIKES} likes.]],
      with = { LIKES = LIKES, flushes = function(w) return (own(fixed(w, "summed"))) end },
      predict = { id = "p5-bill", kind = "number", unit = "writes/s", tolerance = 5,
        ask = "And the whole system, all shards and tables together: how many durable writes for these likes?",
        answer = durable_writes,
        wrong = { [12] = { belief = "what the hot key is spared is spared", why = "Each like still has its row in `liked` before its fan is told OK." },
          [4800] = { belief = "each like is written twice", why = "A row each. Of the count only sums are written." } },
        why = "A row for each like, and the flushes.",
        hints = { "What does a router do before it says OK?", "It writes a row: {LIKES} a second.", "And 12 flushes." } },
      after = [[
        What became 12 is the hot key; the rows go by the fan, and none is hot. "By key" takes one router that all must pass: good for those who must see
        the newest, not for everybody.]] },

    { id = "tell", title = "Tell the owner", show = { "table" }, key = P9,
      table = function()
        local t = fixes("p9, on its busiest shard, a second", { "fix", "writes", "post", "count" }, { 2, 3, 4 }, loads)
        t.rows = { t.rows[1], t.rows[#t.rows - 1] }
        return t
      end,
      say = [[
        You chose sums and a cache. The owner asks: "Why not more machines?"]],
      with = { costs = function(w)
        local writes, reads = own(fixed(w, "summed, cached"))
        return writes .. " writes, " .. reads .. " reads"
      end },
      predict = { id = "p5-tell", kind = "explain",
        ask = "Why not, and what does yours cost?",
        model = "A key is on one shard: machines do not help. Now p9 costs {costs(w)}. Pages may be 1.5 s old; a crash hides likes until a rebuild.",
        rubric = { "one key, one shard", "{costs(w)}", "how old a page is", "a crash, a rebuild" },
        hints = { "Begin with the key." } },
      after = [[
        From here on it goes deeper.]] },

    -- ------------------------------------------------------------------ deeper

    { id = "which-s1", title = "Which fix? S1", deeper = true, show = { "bars" },
      enter = function(w)
        calm(w)
        for _, post in ipairs(posts_of(w, "S1")) do w:flow("like", "likes:{" .. post .. "}", 280) end
        w:play_for(1)
      end,
      say = [[
        Parts 3 to 5, mixed. S1 is over its line: {list(w)}, each with 280 likes and 100 reads a second.]],
      with = { list = function(w) return table.concat(posts_of(w, "S1"), ", ") end },
      predict = { id = "p5-which-s1", kind = "choice",
        ask = "One thing may be done. What brings every shard to 80% or less?",
        choices = {
          { "Salt one of them by eight", belief = "an overload has a hot key", why = "None is hot: each has a quarter. Without one S1 has three left, 840, and a part of the fourth.",
            holds = cured("writes likes:{p2} salted 8") },
          { "Move two of their slots to S0 and S3", holds = function(w)
            local f, posts = w:fork(), posts_of(w, "S1")
            for i, to in ipairs { "S0", "S3" } do
              local slot = f:slot("likes:{" .. posts[i] .. "}")
              f:move(slot, slot, to)
            end
            f:play_for(0.5)
            return fits(f)
          end },
          { "Sum the likes of one of them", belief = "an overload has a hot key", why = "It takes one of four away: 840 remain.",
            holds = cured("writes likes:{p2} summed") },
          { "Keep their answers at the routers", belief = "a cache helps everything", why = "S1 is over its line of writes.",
            holds = cured("reads post:{p2} cached", "reads post:{p6} cached") },
        },
        why = "Many warm keys: there is room elsewhere, and moving costs readers nothing.",
        hints = { "Is one key hot, or is the shard full?", "Each of the four has a quarter.", "Other shards have room." } },
      after = [[
        A hot shard is not yet a hot key: first *which*, then what.]] },

    { id = "which-p14", title = "Which fix? p14", deeper = true, show = { "bars" },
      enter = function(w)
        for _, post in ipairs(posts_of(w, "S1")) do w:flow("like", "likes:{" .. post .. "}", 50) end
        w:flow("read", "post:{p14}", 5000)
        w:play_for(1)
      end,
      say = [[
        p14 is read {w:asked("post:{p14}").reads} times a second. It gets 50 likes.]],
      predict = { id = "p5-which-p14", kind = "choice",
        ask = "One thing may be done. What brings every shard to 80% or less?",
        choices = {
          { "Salt its likes by eight", belief = "salting cures what is hot", why = "Its likes are few. Who reads the count would ask eight times.",
            holds = cured("writes likes:{p14} salted 8") },
          { "A shard of its own", belief = "a bigger place cures", why = "5,000 reads go along, and a shard takes 3,000.",
            holds = cured("shard add", "move 6267-6267 S4") },
          { "One copy of S1, read as well", belief = "a copy is always enough", why = "Twice 3,000, and 5,300 are asked for: 88%.",
            holds = cured("replicas S1 2", "reads post:{p14} replicas") },
          { "Keep its answer at the routers", holds = cured("reads post:{p14} cached") },
        },
        why = "Hot by its reads: six fetches a second instead of 5,000.",
        hints = { "Is it hot by its reads or by its likes?", "By its reads, and no single shard takes as many.", "Who can give an answer without S1?" } },
      after = [[
        Whoever must see the newest, such as the author, is sent through one router, or asks the shard.]] },

    { id = "which-p9", title = "Which fix? p9", deeper = true, show = { "bars" },
      enter = function(w)
        w:flow("read", "post:{p14}", 100)
        w:flow("like", FRESH, 3600)
        w:play_for(1)
      end,
      say = [[
        p9 is back, with {w:asked("hearts:{p9}").writes} likes a second, and reads as on a quiet day.]],
      predict = { id = "p5-which-p9", kind = "choice",
        ask = "One thing may be done. What brings every shard to 80% or less?",
        choices = {
          { "Salt 8", belief = "what is spread is cured", why = "Four shards have room for 2,450 under the line, however they are spread.",
            holds = cured("writes hearts:{p9} salted 8") },
          { "Sums at the routers", holds = cured("writes hearts:{p9} summed") },
          { "Salt 64", belief = "more parts, more room", why = "More parts are more even. The room is the same.",
            holds = cured("writes hearts:{p9} salted 64") },
          { "A shard of its own", belief = "a bigger place cures", why = "360% of what one shard takes.",
            holds = cured("shard add", "move 12067-12067 S4") },
        },
        why = "The cluster has no room for so many writes. So fewer must be sent.",
        hints = { "How much room have four shards under 80%?", "2,450 at most.", "Then spreading will not do." } },
      after = [[
        Salting needs room somewhere; sums do not. Salting gives each read the newest; sums do not.]] },

    { id = "choose-one", title = "Choose S: the last step", deeper = true, show = { "bars" }, key = "likes:{p3}",
      enter = other_evening,
      say = [[
        Another post, p3, takes {P3} likes a second. Room under 80%: S0 {800 - (S0.writes - P3)}, S1 {800 - S1.writes}, S2 {800 - S2.writes}, S3
        {800 - S3.writes}.

        S = 4: {P3 // 4} for each sub-key. #0 to #3 lie on {placed(w, "p3", 4)}, one on each shard.]],
      with = { P3 = 1600 },
      predict = { id = "p5-choose-last", kind = "number", unit = "writes/s", tolerance = 1,
        ask = "The last step: how many writes is the fullest shard asked for?",
        answer = function(w) return most_writes(salted(w, 4, "likes:{p3}")) end,
        wrong = { [600] = { belief = "all shards had the same", why = "S3 has p4, which is busier than usual." },
          [400] = { belief = "only the hot key counts", why = "The other writes of the shard are there as well." } },
        why = "The least room decides: its other writes, and one sub-key.",
        hints = { "Which shard has least room?", "S3: 300 of other writes.", "300 + 400." } },
      after = [[
        At most 800: S = 4 will do.]] },

    { id = "choose-two", title = "Choose S: two steps", deeper = true, show = { "bars" }, key = "likes:{p3}",
      enter = function(w) w:flow("like", "likes:{p3}", 1800) end,
      say = [[
        p3 climbs to {P3} likes a second. The others are as before, and most of them on S3: {S3.writes}. Two steps are open: S, and what each shard is asked for.]],
      with = { P3 = 1800 },
      predict = { id = "p5-choose-two", kind = "choice",
        ask = "Which is the smallest S that keeps every shard at 80% or less?",
        choices = {
          { "3", belief = "the ceiling decides alone", why = "A third of 1,800 is 600. With 200 or more of others that is 800 at best, and S3 is not so lucky.",
            holds = function(w) return smallest(w, "likes:{p3}") == 3 end },
          { "4", holds = function(w) return smallest(w, "likes:{p3}") == 4 end },
          { "6", belief = "more is safer", why = "With six, two shards hold two sub-keys and two hold one. It may fit, and fewer do as well.",
            holds = function(w) return smallest(w, "likes:{p3}") == 6 end },
          { "8", belief = "more is safer", why = "It would do, and a read asks twice as many.",
            holds = function(w) return smallest(w, "likes:{p3}") == 8 end },
        },
        why = "450 on each, and the fullest has 300 of others.",
        hints = { "Divide by S, and add what is there.", "With 4 it is 450 and 300.", "With 3 one of them has 600 and at least 200." } },
      after = [[
        With three the fullest is at {busiest(salted(w, 3, "likes:{p3}"))}%, with four at {busiest(salted(w, 4, "likes:{p3}"))}%.]] },

    { id = "choose-alone", title = "Choose S: alone", deeper = true, show = { "table" }, key = "likes:{p3}",
      table = function(w, knob) return spread(w, "p3", knob.salt, false) end,
      enter = function(w)
        w:flow("like", "likes:{p3}", 1500)
        w:flow("like", "likes:{p4}", 50)
        w:flow("like", "likes:{p7}", P7)
      end,
      knobs = { { name = "salt", values = { 2, 3, 4, 5, 6, 7, 8, 12 }, start = 8 } },
      say = [[
        p3 is back at {P3}, p4 is calm, and p7 on S0 takes {P7}. The table tells how many of the {knob.salt} sub-keys each shard holds, and not how full it
        gets. Work it out before you turn.]],
      with = { P3 = 1500, P7 = P7 },
      try = { ask = "Turn S with L to the smallest that keeps all shards at 80% or less.",
        goal = function(w) return knob.salt == smallest(w, "likes:{p3}") end,
        solution = { "knob salt 3" },
        hints = { "Which shard has least room now, and which sub-key lies there?", "S0 has 200 left, and #3 is the first one there.",
                  "A shard without room may do without a sub-key: three, on the others." } } },

    { id = "blind", title = "Places you cannot see", deeper = true, show = { "layouts" },
      say = [[
        Many services hide where a key lies: sub-keys fall where they like, and may meet.

        Each dot will be a try: the fullest of four shards over their average. The line of 80% is at {decimals(LINE / AVERAGE, 2)}, the ceiling at {decimals(CEILING / AVERAGE, 2)}.]],
      with = { AVERAGE = AVERAGE, CEILING = CEILING, LINE = LINE },
      predict = { id = "p5-blind", kind = "choice",
        ask = "Of 40 tries with 64 sub-keys, how many stay below 80%?",
        choices = {
          { "Nearly all", belief = "64 parts are even", why = "On average each shard gets 16. But one has 19 or 20 in most tries, and the average is at 79% already.",
            holds = function() return stay_below(64, LINE) > 30 end },
          { "About half", belief = "luck is half", why = "The average is at 79%. Only a spread with next to no luck in it stays below 80.",
            holds = function() return stay_below(64, LINE) <= 30 and stay_below(64, LINE) > 8 end },
          { "One or none", holds = function() return stay_below(64, LINE) <= 8 end },
        },
        why = "A cluster at 79% has no room for chance.",
        hints = { "How full are the shards on average?", "787 of 1,000.", "And one of four is always above the average." } },
      experiment = { title = "the fullest shard over the average", groups = { blind_group(8), blind_group(16), blind_group(64) } },
      after = [[
        Of 40 tries {stay_below(8, LINE)}, {stay_below(16, LINE)} and {stay_below(64, LINE)} stay below the line, and {stay_below(8, CEILING)}, {stay_below(16, CEILING)} and
        {stay_below(64, CEILING)} below the ceiling. More sub-keys help; room helps more. On p9's four equal runs of slots #0 to #3 always lie apart; do not count on that elsewhere.]] },

    { id = "one-fan", title = "Did she like it?", deeper = true, show = { "crc16:fan:417" },
      say = [=[
        A page shows whether *this* fan liked p9. The likes are rows under 8 sub-keys, and asking all eight for one row is dear.

        So derive the number from the fan: hash mod 8, a [[calculated suffix]]. By CRC16 the hash of `fan:417` is {w:crc16("fan:417")}. (The picture goes on to mod 16,384, as for a slot.)]=],
      predict = { id = "p5-suffix", kind = "number",
        ask = "Which of #0 to #7 does the page ask?",
        answer = function(w) return w:crc16("fan:417") % 8 end,
        wrong = function(w)
          return { [w:crc16("fan:417") // 8] = { belief = "the quotient counts", why = "That is how often 8 fits. The suffix is what is left over." },
            [w:crc16("fan:417") % 4] = { belief = "a suffix is a shard", why = "That is by four. There are eight sub-keys, wherever they lie." } }
        end,
        why = "What is left when the hash is divided by 8.",
        hints = { "Divide by 8, and take what is left.", "8 fits {w:crc16(\"fan:417\") // 8} times.", "{w:crc16(\"fan:417\")} - 8 x {w:crc16(\"fan:417\") // 8}." } },
      after = [[
        One ask instead of eight. It makes nothing cheaper for those who want the whole count: they still ask all eight.]] },

    { id = "sent-twice", title = "A like, sent again", deeper = true, show = { "counter:claps:{p9}" }, key = CLAPS, router = "R0",
      enter = function(w)
        untreated(w)
        tidy(w)
        flows(w, 0, 0) -- so that these likes are the only ones
        w:play_for(1)
        order(w, "writes claps:{p9} salted 8")
        order(w, "patience 400 200")
        order(w, "clients at-once times 1")
      end,
      say = [[
        A new count of p9, salted by eight. A fan's app gets no answer in time and sends the like again. Three ways to pick the salt: the next one in turn, one at random, or a hash of the fan, the one who writes.]],
      predict = { id = "p5-derived", kind = "choice",
        ask = "Which brings every repeat to the sub-key that has the like already?",
        choices = {
          { "In turn", belief = "a router remembers a like", why = "A router keeps a number for the next salt, and not who liked what.",
            holds = function(w) return together(w, "turn") == 6 and together(w, "writer") < 6 end },
          { "At random", belief = "chance evens out", why = "By chance one of eight comes to the same place.",
            holds = function(w) return together(w, "random") == 6 end },
          { "From the fan", holds = function(w) return together(w, "turn") < 6 and together(w, "random") < 6 and together(w, "writer") == 6 end },
          { "All three", belief = "the same like, the same place", why = "In turn or at random it depends on who came before, and not on the like.",
            holds = function(w) return together(w, "turn") == 6 and together(w, "random") == 6 and together(w, "writer") == 6 end },
        },
        why = "Same fan, same salt, same sub-key.",
        hints = { "What does each salt depend on?", "Two depend on who came before, or on chance.", "One on the fan alone." } },
      run = function(w) send_twice(w, "turn") end,
      after = [[
        Of six likes sent twice {together(w, "turn")} came to one place in turn, {together(w, "random")} at random, {together(w, "writer")} from the fan. A shard drops a repeat only if it
        has seen the first. The price: a fan who writes all the time makes one sub-key hot.]] },

    { id = "frozen", title = "From salts to sums", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        flows(w, 50, 100)
        order(w, "writes likes:{p9} salted 8 turn")
        tidy(w)
        w:flow("read", P9, 100)
        w:play_for(1)
      end,
      say = [[
        p9 is salted by eight. 100 readers a second ask nine sub-keys each, eight salts and the correction: {w:asked("likes:{p9}").reads} asks. Now sums are switched on: six
        more sub-keys, in one slot with the correction. The eight are not written any more, but their likes still count.]],
      predict = { id = "p5-frozen", kind = "number", unit = "asks/s", tolerance = 2,
        ask = "How many asks do those 100 readers make a while later?",
        answer = function(w) return w:asked(P9).reads end,
        wrong = { [1500] = { belief = "old parts are read for ever", why = "What never changes need not be read again. Its sum is one number that every router knows." },
          [600] = { belief = "each sub-key is an ask", why = "All six have the tag p9. One ask reads all keys of a slot." },
          [900] = { belief = "old parts are read for ever", why = "The eight are frozen: what never changes need not be read again." },
          [1000] = { belief = "old parts are read for ever", why = "The eight are frozen: what never changes need not be read again." } },
        why = "The eight have become one frozen number, and the others lie in one slot.",
        hints = { "Can the eight still change?", "No: so their sum can be written down once.", "And the rest is in one slot: one ask a read." } },
      run = function(w)
        order(w, "writes likes:{p9} summed")
        w:play_for(2)
      end,
      after = [[
        First all readers know the new parts, then writers use them, then the old ones freeze: only when every router has said that it writes them no
        more. One that has not heard would like into a part that nobody reads. Part 8 builds the fence for that.]] },

    { id = "readers-first", title = "Another S, live", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        order(w, "writes likes:{p9} salted 4")
        w:play_for(1)
      end,
      say = [[
        p9 is salted by four, and people like it all the time. It is to be salted by eight.]],
      predict = { id = "p5-live", kind = "choice",
        ask = "Who must hear of the eight first?",
        choices = {
          { "Writers: they make the new sub-keys", belief = "data first, readers later",
            why = "A reader who knows four would miss every like in #4 to #7.",
            holds = function(w) return missed(w, "writers") == 0 end },
          { "Readers", holds = function(w) return missed(w, "readers") == 0 and missed(w, "writers") > 0 end },
          { "It does not matter", belief = "a sub-key tells of itself", why = "Nobody asks for a sub-key that they do not know.",
            holds = function(w) return missed(w, "writers") == 0 and missed(w, "readers") == 0 end },
        },
        why = "A sub-key that is asked too early is empty, and does no harm.",
        hints = { "What does a reader do who knows too few?", "It leaves some out.", "And one who knows too many adds zeros." } },
      run = function(w)
        order(w, "writes likes:{p9} salted 8")
        w:play_for(1)
      end,
      after = [[
        Had writers gone first, a reader would have missed {missed(w, "writers")} likes after this second. Going down is the same the other
        way round: writers first, and readers ask all eight until they are frozen.]] },

    { id = "any-moment", title = "At any moment", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        stop(w, "read", P9)
        summed(w)
      end,
      say = [[
        When R4 died just before its flush, 200 likes went missing. But a machine dies at any moment. Look into R4's buffer at many
        moments, and take the middle one.]],
      predict = { id = "p5-moment", kind = "number", unit = "likes", tolerance = 25,
        ask = "How many likes are in it?",
        answer = usual_loss,
        wrong = { [200] = { belief = "the worst case is the usual one", why = "That is a full buffer. Halfway through it is half full." },
          [400] = { belief = "a second is lost", why = "So many reach R4 in a second. It flushes twice in that time." },
          [600] = { belief = "all buffers are lost", why = "So many wait at all six. Only R4 died." } },
        why = "On average half a buffer.",
        hints = { "The buffer fills evenly.", "From 0 to 200.", "About the middle." } },
      after = [[
        {usual_loss(w)}: the usual loss. All six hold {waiting(w)} on average; so far is the count behind. Nobody minds on a post with a million likes. It would
        matter for money.]] },

    { id = "told-too-soon", title = "Break it: OK first", deeper = true, show = { "counter:hearts:{p9}" }, key = FRESH,
      enter = function(w)
        stop(w, "like", P9)
        w:flow("like", FRESH, LIKES)
        order(w, "writes hearts:{p9} summed")
        w:play_for(2)
      end,
      say = [[
        A count without a past: p9's hearts. Writing the row takes 2 ms. Somebody wants to be faster: a router says OK at once, and writes the row when it flushes.

        R4 dies just before its flush.]],
      predict = { id = "p5-too-soon", kind = "choice",
        ask = "What can a rebuild put back?",
        choices = {
          { "All of it", belief = "a count can always be made again", why = "It can be made again of rows. These have none.",
            holds = function(w) return w:count(FRESH).forgotten == 0 and w:count(FRESH).lost == 0 end },
          { "What R4 had told OK: it must have noted it", belief = "an OK is kept somewhere", why = "An OK is a message. R4 had those likes in its memory, and nowhere else.",
            holds = function(w) return w:count(FRESH).forgotten == 0 and w:count(FRESH).lost > 0 end },
          { "Nothing: those likes are nowhere", holds = function(w) return w:count(FRESH).forgotten > 0 end },
        },
        why = "The buffer held the only trace of them.",
        hints = { "Of what does a rebuild count?", "Of the rows in `liked`.", "Were they written?" } },
      run = function(w)
        w:set_rule("durable-before-ack", false)
        w:play_for(1)
        crash(w)
        stop(w, "like", FRESH)
        w:play_for(1)
      end,
      after = [[
        {w:count("hearts:{p9}").forgotten} fans were told OK, and no store knows of it. First durable, then OK.]] },

    { id = "recount", title = "Break it: count too much", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = summed,
      say = [[
        p9's likes again. A rebuild leaves out the rows whose likes routers still have in their buffers. Without that rule it counts all rows. A buffer's
        likes have rows already.]],
      predict = { id = "p5-recount", kind = "choice",
        ask = "A rebuild in full traffic, without the rule. What does the count say once all is quiet?",
        choices = {
          { "The truth", belief = "counting everything is exact", why = "What was in the buffers is counted now, and flushed a moment later: twice.",
            holds = function(w) return off(w) == 0 end },
          { "Hundreds too many", holds = function(w) return off(w) > 100 end },
          { "Hundreds too few", belief = "buffers are left out", why = "Left out is what the rule asks for. Without it they are counted twice.",
            holds = function(w) return off(w) < -100 end },
        },
        why = "Counted from the rows, and flushed afterwards.",
        hints = { "Where is a like that sits in a buffer?", "In the buffer, and in a row.", "Both reach the count." } },
      run = function(w)
        w:set_rule("recount-at-flushed", false)
        order(w, "rebuild likes:{p9}")
        w:play_for(0.5)
        stop(w, "like", P9)
        w:play_for(1.5)
      end,
      after = [[
        {off(w)} too many: what the six buffers held. Count up to where each router flushed last, and the rest comes by itself.]] },

    { id = "window", title = "On a condition", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        summed(w, "window")
        order(w, "patience 100 300")
        w:play_for(1)
      end,
      say = [[
        A flush may carry the difference, if the store adds it on a condition: "200 more, if this window of R4 is later than the last you took". R4 numbers
        its half seconds, and sends the next only when this one is answered.

        The answer is lost again.]],
      predict = { id = "p5-window", kind = "number", unit = "likes", tolerance = 0,
        ask = "R4 sends it again. By how much is the count off in the end?",
        answer = off,
        wrong = { [200] = { belief = "a difference always counts twice", why = "The second time the window is not later than the last, and nothing is added." },
          [400] = { belief = "a difference always counts twice", why = "The second time the window is not later than the last, and nothing is added." } },
        why = "The condition makes the repeat harmless.",
        hints = { "What does S2 do with the second one?", "It has taken this window.", "Nothing is added." } },
      run = function(w)
        lose_an_answer(w)
        w:play_for(1)
      end,
      after = [[
        A total with a sequence, or a difference with a condition: either makes a repeat harmless. Without totals one row can take the differences of all routers.]] },

    { id = "merge", title = "A third way", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        summed(w, "merge")
        order(w, "patience 100 300")
      end,
      say = [=[
        Without a sequence: each writer has a sub-key, its total only grows, and the store keeps the larger of two. Copies merge in any order: a [[CRDT]].

        R4's sub-key holds 5,600. A fan takes a like back, and R4 sends 5,599.]=],
      predict = { id = "p5-merge", kind = "choice",
        ask = "What does the sub-key hold then?",
        choices = {
          { "5,599", belief = "the last one wins", why = "So it would be if a write replaced. Here the larger of the two stays.", holds = function() return math.max(5600, 5599) == 5599 end },
          { "5,600", holds = function() return math.max(5600, 5599) == 5600 end },
          { "11,199", belief = "writes add up", why = "Both are totals of the same router.", holds = function() return math.max(5600, 5599) == 11199 end },
        },
        why = "The larger of the two: a count that only grows cannot shrink.",
        hints = { "Which of them is larger?", "It was there first.", "It stays." } },
      run = function(w)
        lose_an_answer(w)
        w:play_for(1)
      end,
      after = [[
        So unlikes get a count of their own that only grows, and a read subtracts. (CRDT: conflict-free replicated data type.) A lost answer and a repeat: off by {off(w)} here. After a restart a router must
        read its total back first: what it sends below that is lost.]] },

    { id = "late", title = "In a stream job", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, like in ipairs(streamed()) do
          rows[i] = { label = "made " .. at(like.made),
            cells = { i == 1 and "-" or at(like.mark), like.open and "yes" or "too late" } }
        end
        return { title = "in the order in which they came", columns = { "like", "watermark", "counts" }, rows = rows }
      end,
      say = [=[
        Sums can also be made by a job that reads the stream of likes, minute by minute of when they were *made*. Its [[watermark]] is the newest time seen
        less 10 s. Once that is past a minute's end, the minute is closed.]=],
      predict = { id = "p5-late", kind = "number",
        ask = "How many likes come too late for their minute?",
        answer = function() return late() end,
        wrong = { [4] = { belief = "out of order is too late", why = "A like from before the newest one still counts while its minute is open." } },
        why = "Late is who comes when the watermark has passed 20:05:00.",
        hints = { "When does the minute of 20:04 close?", "When somebody from 20:05:10 or later has been seen.", "After that, count those made before 20:05:00." } },
      after = [[
        What comes too late is dropped, or corrects the sum afterwards. The lag is a choice: wait longer, or be wrong more often. A stream in several parts has the lowest of
        their watermarks, and a part where nobody likes holds it up.]] },

    { id = "checkpoint", title = "Where it left off", deeper = true, show = { "table" },
      table = function()
        return { title = "100 likes, a crash after 60", columns = { "writes down", "counted" }, numbers = { 2 }, rows = {
          { label = "position and sum together", cells = { tostring(recounted(60, false)) } },
          { label = "position alone, sum at once", cells = { tostring(recounted(60, true)) } },
        } }
      end,
      say = [=[
        The job dies too. It writes down its position in the stream after every 25 likes, a [[checkpoint]], and reads on from there.

        One job writes its sum down with the position. Another adds each 10 likes to the store as it goes. Both die after 60 of 100.]=],
      predict = { id = "p5-checkpoint", kind = "number",
        ask = "What does the second job's store say in the end?",
        answer = function() return recounted(60, true) end,
        wrong = { [100] = { belief = "a position is enough", why = "The store had 60 already. From 50 on they are read once more, and added." },
          [90] = { belief = "what is read again is lost", why = "It is not lost. It is added twice." },
          [125] = { belief = "a whole checkpoint is repeated", why = "Only what came after position 50: ten likes." } },
        why = "Ten likes, 51 to 60, were added and are read again.",
        hints = { "What was in the store when it died?", "60. And from where does it read on?", "From 50: ten are added twice." } },
      after = [[
        The first job says {recounted(60, false)}. Position and sum belong into one write, like a total and its sequence.]] },

    { id = "leases", title = "Tokens by the block", deeper = true, show = { "bars" }, key = "budget:{nova}",
      enter = function(w)
        tidy(w)
        untreated(w)
        w:flow("like", P9, 50)
        order(w, "lease budget:{nova} 3000 1")
        order(w, "flow take budget:{nova} 2400")
        w:play_for(1)
      end,
      say = [=[
        Part 3 gave each router a sixth of nova's limit: too little for the one where most fans come. As one number for all, each request takes a
        [[token]] from it: {w:asked("budget:{nova}").writes} writes a second on one key. The limiter is the hot key now.

        Let routers [[lease]] 100 tokens at a time.]=],
      predict = { id = "p5-lease", kind = "number", unit = "writes/s", tolerance = 3,
        ask = "How many writes a second does the limit cost then?",
        answer = function(w) return w:asked("budget:{nova}").writes end,
        wrong = { [30] = { belief = "the whole budget is leased", why = "That would be 3,000 tokens. Only 2,400 are asked for." },
          [2400] = { belief = "a token is a write", why = "A write brings a hundred tokens." },
          [6] = { belief = "one lease a router", why = "A router needs 400 tokens a second: four leases." } },
        why = "2,400 tokens, a hundred a write.",
        hints = { "How many tokens are needed in a second?", "2,400, and a lease brings 100.", "2,400 / 100." } },
      run = function(w)
        order(w, "lease budget:{nova} 3000 100")
        w:play_for(2)
      end,
      after = [[
        Sums, the other way round. The price: tokens that one router has left over are no use to another, and a crash loses a block.]] },

    { id = "stripes", title = "A balance", deeper = true, show = { "trace" }, key = "acct:{shop}",
      enter = function(w)
        order(w, "flow take budget:{nova} 0")
        order(w, "account acct:{shop} 4 0")
        w:play_for(1)
        for i = 0, 3 do order(w, "request credit acct:{shop} 25 via R" .. i) end
        w:play_answered()
      end,
      say = [=[
        A shop's account gets many credits, and must not fall below its [[floor]], here 0. Credits are spread over four [[stripes]]: {w:account("acct:{shop}").striped} lie there,
        25 in each. Who takes money out takes it from the main account alone, where the floor is checked: it holds {w:account("acct:{shop}").main}.]=],
      predict = { id = "p5-stripes", kind = "choice",
        ask = "Somebody takes 60. What is the answer?",
        choices = {
          { "OK: there are 100", belief = "a sum can be spent", why = "The 100 lie in four places, and nobody may look at four places and take from one.",
            holds = function() return last.outcome == "OK" and last.value ~= 25 end },
          { "25 now, the rest later", belief = "a part is better than nothing", why = "A debit is done whole or not at all, and it looks at the main account alone.",
            holds = function() return last.outcome == "OK" and last.value == 25 end },
          { "Not enough", holds = function() return last.outcome ~= "OK" end },
        },
        why = "The main account holds nothing yet.",
        hints = { "Where does a debit come from?", "From the main account alone.", "It has {w:account(\"acct:{shop}\").main}." } },
      run = function(w)
        order(w, "request debit acct:{shop} 60 via R1")
        w:play_answered()
      end,
      after = [[
        Four shards share the credits. The price: what has come in cannot be spent at once.]] },

    { id = "sweep", title = "The sweeper", deeper = true, show = { "table" }, key = "acct:{shop}",
      table = function()
        local function cells(f) return { f:account("acct:{shop}").main, f:account("acct:{shop}").striped } end
        return { title = "where the money is", columns = { "when", "main", "stripes" }, numbers = { 2, 3 }, rows = {
          { label = "now", cells = cells },
          { label = "swept", run = swept, cells = cells },
          { label = "60 taken", run = paid, cells = cells },
        } }
      end,
      say = [=[
        A [[sweeper]] carries what lies in the stripes to the main account, stripe by stripe. Then the same 60 are asked for again.]=],
      predict = { id = "p5-sweep", kind = "number", tolerance = 0,
        ask = "What is in the main account in the end?",
        answer = function() return cells[3][2] end,
        wrong = { [0] = { belief = "a sweep pays out", why = "It moves 100 into the main account, and 60 of them are taken." },
          [100] = { belief = "a refused debit stays refused", why = "Now the main account holds 100, and 60 can be taken." },
          [15] = { belief = "each stripe pays its part", why = "Stripes pay nobody. All they have goes to the main account." } },
        why = "100 come, 60 go.",
        hints = { "What has the main account after the sweep?", "100.", "Less 60." } },
      after = [[
        {cells[3][2]}. How often it sweeps decides how long a credit waits.]] },

    { id = "two-debits", title = "Break it: any stripe", deeper = true, show = { "trace" }, key = "acct:{shop}",
      enter = function(w)
        paid(w)
        for i = 0, 3 do order(w, "request credit acct:{shop} 15 via R" .. i) end
        w:play_answered()
        w:set_rule("debit-main-only", false)
      end,
      say = [[
        Credits of 15 came to each stripe: {w:account("acct:{shop}").total} in all, with the {w:account("acct:{shop}").main} of the main account. Without the rule a router adds up all parts, sees
        that much, and lets one part go below zero for it. Two routers do so at the same time, 80 each.]],
      predict = { id = "p5-two-debits", kind = "number", tolerance = 0,
        ask = "By how much is the account overdrawn, all parts together?",
        answer = function(w) return -w:account("acct:{shop}").total end,
        wrong = { [0] = { belief = "a balance stops at zero", why = "No single place checked the floor. Each router saw 100 and was content." },
          [80] = { belief = "there was nothing to begin with", why = "There were 100, and 160 were taken." } },
        why = "100 were there, and twice 80 were taken.",
        hints = { "What did each router see?", "100, so each took 80.", "160 - 100." } },
      run = function(w)
        order(w, "request debit acct:{shop} 80 via R1")
        order(w, "request debit acct:{shop} 80 via R4")
        w:play_answered()
      end,
      after = [[
        Both were told OK, and {w:account("acct:{shop}").total} is left, below the floor of 0. Likes can be spread because nothing is refused. Where something may be refused, one place
        has to decide.]] },

    { id = "index", title = "A hot index", deeper = true, show = { "bars" }, key = "by:nova",
      enter = function(w)
        w:set_rule("debit-main-only", true)
        w:flow("like", P9, LIKES)
        order(w, "writes likes:{p9} summed")
        for _, post in ipairs(NOVA) do order(w, "index likes:{" .. post .. "} by:nova") end
        w:play_for(1)
      end,
      say = [=[
        p9's count is summed. There is also an [[index]] of all likes by the post's creator, key `by:nova`. nova has p9, p3, p6 and
        p12, and each like is an entry.]=],
      predict = { id = "p5-index", kind = "number", unit = "writes/s", tolerance = 5,
        ask = "How many writes a second is `by:nova` asked for?",
        answer = function(w) return w:asked("by:nova").writes end,
        wrong = { [2400] = { belief = "only the hot post counts", why = "The likes of nova's other three posts are entries too." },
          [162] = { belief = "sums help everything", why = "Sums spared the count. An entry is written for each like." },
          [12] = { belief = "sums help everything", why = "Sums spared the count. An entry is written for each like." } },
        why = "{LIKES} and three times 50.",
        hints = { "Whose likes make entries?", "Those of all four posts.", "{LIKES} + 3 x 50." } },
      with = { LIKES = LIKES },
      after = [[
        One key, on {w:owner("by:nova")}, with {w:asked("by:nova").writes}. Some stores hold back the table as well, and of p9's {LIKES} likes {held_back(w)} get through. Look at an
        index as you look at a table.]] },

    { id = "salted-index", title = "Salt the index", deeper = true, show = { "bars" }, key = "by:nova",
      say = [[
        The cure is the same: `by:nova#0` to `by:nova#7`, and whoever lists nova's likes asks all eight and merges.]],
      predict = { id = "p5-salted-index", kind = "number", unit = "writes/s", tolerance = 1,
        ask = "How many entries a second does each of them take?",
        answer = function(w) return w:asked("by:nova").writes / 8 end,
        wrong = { [300] = { belief = "only the hot post counts", why = "That would be p9's likes alone." },
          [637.5] = { belief = "a sub-key is a shard", why = "That is a shard's part: two sub-keys." } },
        why = "2,550 divided by eight.",
        hints = { "What did the whole key take?", "2,550.", "2,550 / 8." } },
      run = function(w)
        order(w, "writes by:nova salted 8")
        w:play_for(1)
      end,
      after = [[
        {decimals(w:asked("by:nova").writes / 8, 2)}. The fullest shard is at {busiest(w)}%, above the line: this cluster is short of a shard. Lists are
        read less often than counts, so asking eight is seldom dear.]] },

    { id = "neighbours", title = "Why isolate at all?", deeper = true, show = { "bars" }, key = P9,
      with = { CEILING = CEILING, untamed = function(w)
        local f = w:fork()
        untreated(f) -- in a calm moment, and back to what it was
        return f.S4.write_pct
      end },
      enter = function(w)
        for _, post in ipairs(NOVA) do order(w, "index likes:{" .. post .. "} none") end
        w:play_for(1)
      end,
      say = [[
        With sums and caches p9 needs next to nothing. Still it may be worth a shard of its own: whoever shares a shard with it shares its bad
        days. p9's slot goes to S4.]],
      predict = { id = "p5-isolate", kind = "number", unit = "%", tolerance = 1,
        ask = "How full of writes is S2 then?",
        answer = function(w) return w.S2.write_pct end,
        wrong = { [20] = { belief = "S2 keeps four posts", why = "Three: p1, p5 and p13." },
          [0] = { belief = "the shard is emptied", why = "Its other posts stay." } },
        why = "Three posts with 50 likes each.",
        hints = { "Which posts stay on S2?", "Three of them, 50 likes each.", "150 of {CEILING}." } },
      run = function(w)
        order(w, "shard add")
        order(w, "move 12067-12067 S4")
        w:play_for(1)
      end,
      after = [[
        If the cure ever fails, S4 is at {untamed(w)}%, and only S4. Isolation is no cure; it says who falls ill. Part 8 makes this
        move under full load.]] },
  },
}
