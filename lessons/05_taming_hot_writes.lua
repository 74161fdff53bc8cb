-- Part 5. Core path: one count over several sub-keys, how many and where; what readers pay for them;
-- sums that routers write instead; what a crash takes, and a rebuild gives back; what counts twice;
-- every fix in one table. Deeper: the procedure on other posts, retries, moving from one way to
-- another, sums in a stream job, budgets, balances, indexes, and each rule switched off.

local P9 = "likes:{p9}"
local FRESH = "hearts:{p9}" -- p9's count in the table of fixes: no step has treated it
local LAG_MS = 20 -- of a replica, as the story has it
local CEILING, LIKES, READS, ROUTERS = 1000, 2400, 9000, 6
local SHARDS = { "S0", "S1", "S2", "S3" }
local EVENING = "20:03:50" -- the caches of Part 4 are on, and the limits of Part 3 are off

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

local function evening(w)
  w:play_until(EVENING)
  flows(w, 50, 100)
  w:flow("like", P9, LIKES)
  w:command("reads post:{p9} cached")
  w:flow("read", "post:{p9}", READS)
  w:play_for(3)
end

-- What a step wants of the learner's world. Somebody may have typed it already, and then it is refused.
local function order(w, command)
  pcall(w.command, w, command)
end

local function stop(w, op, key)
  pcall(w.flow, w, op, key, 0)
end

-- As if nothing had been done for p9's likes. It is done in a calm moment: in the overload S2 would
-- refuse the last flushes, and what is not flushed cannot be frozen. Whoever comes by the placement
-- check has not seen the evening yet.
local function untreated(w)
  if w:clock() < EVENING then evening(w) end
  if w:count(P9).mode ~= "plain" then
    w:flow("like", P9, 50)
    order(w, "writes likes:{p9} plain")
    w:play_for(1.2)
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
  for _, name in ipairs(SHARDS) do most = math.max(most, w[name].write_pct) end
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

-- p9's likes go to a count that was never salted, summed or corrected, and nothing is cached.
local function fresh(w)
  untreated(w)
  stop(w, "like", P9)
  order(w, "reads post:{p9} plain")
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

-- What each shard is asked for. A copy's second is measured once, so copies are read one by one.
local function asked(f)
  local writes, reads = {}, {}
  for i = 0, f:shards() - 1 do writes[i], reads[i] = f["S" .. i].writes, f["S" .. i].reads end
  return writes, reads
end

-- What p9 costs: with its traffic, less the same without. On the shard that has most of it, and the
-- reads of all shards.
local function own(f)
  local g, writes, reads, all = f:fork(), 0, 0, 0
  calm(g)
  g:play_for(0.5) -- until sums are out
  local w, r = asked(f)
  local w0, r0 = asked(g)
  for i = 0, f:shards() - 1 do
    writes = math.max(writes, w[i] - w0[i])
    reads = math.max(reads, r[i] - r0[i])
    all = all + r[i] - r0[i]
  end
  return writes, reads, all
end

-- By how much p9's count is off once nobody likes it any more and every sum is written.
function off(w)
  local f = w:fork()
  stop(f, "like", P9)
  f:play_for(1.5)
  local count = f:count(P9)
  return count.shown - count.durable
end

-- --- flushes ---

-- To the moment before R4 flushes, when its buffer is as full as it gets.
local function to_flush(w)
  local hour, minute, second = string.match(w:clock(), "(%d+):(%d+):(%d+)")
  local next = hour * 3600 + minute * 60 + second + 1
  w:play_until(string.format("%02d:%02d:%02d.059", next // 3600, next // 60 % 60, next % 60))
end

-- R4 flushes, and for five milliseconds nothing arrives: what S2 answers is lost.
local function lose_an_answer(w)
  to_flush(w)
  w:play_for(0.001)
  w:command("network loss 100%")
  w:play_for(0.005)
  w:command("network calm")
end

local function crash(w)
  to_flush(w)
  w:command("crash R4 100")
  w:play_for(1.5)
end

-- A copy on which R4 died with the rules as they are, or one of them off.
local function crashed(w, rule)
  local f = w:fork()
  if rule then f:set_rule(rule, false) end
  crash(f)
  return f
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

local POISSON = "flow read post:{p9} 9000 poisson" -- so that formulas hold
local COUNT = "flow read hearts:{p9} 9000"          -- who reads the count asks for its parts
local NO_POST = "flow read post:{p9} 0"
local FIXES = {
  row("as it is", "likes fail"),
  row("3 replicas", "two machines", "replicas S2 3", "reads post:{p9} replicas"),
  row("micro-cache", "old answers", "reads post:{p9} cached"),
  row("coalesced", "readers wait", "reads post:{p9} coalesced", POISSON),
  row("and by key", "one more hop", "reads post:{p9} coalesced by-key", POISSON),
  row("salt 8", "dear reads", "writes hearts:{p9} salted 8", NO_POST, COUNT),
  row("salt 4", "dear reads", "writes hearts:{p9} salted 4", NO_POST, COUNT),
  row("salt 8, cached", "old answers", NO_POST, "writes hearts:{p9} salted 8", CALM, "reads hearts:{p9} cached", COUNT),
  row("summed", "crashes show", "writes hearts:{p9} summed"),
  row("summed, cached", "both of these", "writes hearts:{p9} summed", "reads post:{p9} cached with hearts:{p9}"),
  row("own shard", "a machine", "shard add", "move 12067-12067 S4"),
}

local function fixes(columns, cells)
  local rows = {}
  for i, fix in ipairs(FIXES) do
    rows[i] = { label = fix.label, run = fix.run, cells = function(f) return cells(f, fix) end }
  end
  return { title = "p9, on its busiest shard", columns = columns, numbers = { 2, 3 }, rows = rows }
end

local function loads(f, fix)
  local writes, reads = own(f)
  if fix.label == "3 replicas" then reads = reads // 3 end -- one copy's part
  return { writes, reads }
end

-- How old an answer can be, in milliseconds: what routers held longest, and what waits in a buffer.
local function age(f)
  local held = math.max(f:reads_of("post:{p9}").oldest_ms, f:reads_of(FRESH).oldest_ms)
  local g, waits = f:fork(), 0
  for _ = 1, 50 do
    g:play_for(0.01)
    waits = math.max(waits, g:buffered(FRESH, "R4"))
  end
  return round(held + 1000 * waits * ROUTERS / LIKES)
end

-- The fix of these whose answers are oldest.
local known = {} -- by time: each choice asks, and each answer takes six copies of the world
local function oldest(w, labels)
  local most, which = -1, known[w:clock()]
  if which then return which end
  for _, fix in ipairs(FIXES) do
    if labels[fix.label] then
      local f = w:fork()
      fix.run(f)
      local ms = age(f)
      if ms > most then most, which = ms, fix.label end
    end
  end
  known[w:clock()] = which
  return which
end

local LATE = { ["micro-cache"] = true, summed = true, ["summed, cached"] = true }
local function is_oldest(label)
  return function(w) return oldest(w, LATE) == label end
end

-- What a read asks, or how many share one ask.
local function asks(f)
  local _, _, all = own(f)
  if all >= READS * 0.9 then return round(all / READS) end
  return "1 of " .. string.gsub(tostring(round(READS / all)), "(%d)(%d%d%d)$", "%1,%2")
end

local function by_fix(w, label)
  for _, fix in ipairs(FIXES) do
    if fix.label == label then
      local f = w:fork()
      fix.run(f)
      return (own(f))
    end
  end
end

local function lowers(label)
  return function(w) return by_fix(w, label) < LIKES / 2 end
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
local function blind(count, try)
  local hand, names = layout("mod-n", { shards = 4 }), {}
  for i = 1, count do names[i] = "try " .. try .. ", " .. i .. " of " .. count end
  local list, most = keys(names), 0
  for id = 0, 3 do
    most = math.max(most, OTHERS[id + 1] + hand:owned(list, id) * LIKES / count)
  end
  return most / AVERAGE
end

local function blind_group(count)
  return { label = count .. " sub-keys", times = 40, try = function(i) return blind(count, i) end }
end

-- --- a like that is sent again ---

-- One like through R0, whose answer is held up until its client has asked again. How many sub-keys
-- have it then.
local function send_twice(w, pick)
  local before, places = {}, 0
  order(w, "writes " .. P9 .. " salted 8 " .. pick)
  for i, sub in ipairs(w:subkeys(P9)) do before[i] = sub.value end
  w:send("like", P9, "R0")
  w:play_for(0.002)
  w:command("hold " .. w.last.number .. " 300")
  w:play_for(1)
  for i, sub in ipairs(w:subkeys(P9)) do
    if sub.value > before[i] then places = places + 1 end
  end
  return places
end

function twice(w, pick)
  return send_twice(w:fork(), pick)
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
  local before, was = higher(), off(w) -- the like that was sent twice counts once too often
  order(f, "writes " .. P9 .. " salted 8")
  f:play_for(1)
  if first == "readers" then return was - off(f) end
  return higher() - before
end

-- Likes of p9 that still get through in a second, when the index key's shard refuses entries and the
-- store holds back the table until they are in.
function held_back(w)
  local f = w:fork()
  for _, post in ipairs { "p9", "p1", "p5", "p13" } do
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

    { id = "own-place", title = "From Part 3", show = { "bars" }, enter = untreated,
      say = [[
        20:04, and p9 is still hot. Part 4's caches answer its reads: S2 is asked for {S2.reads} a second. Its
        writes are another matter: {S2.writes}, {S2.write_pct}% of what it can take.

        Somebody wants to give p9's slot a shard with nothing else on it.]],
      predict = { id = "p5-own-shard", kind = "number", unit = "%", tolerance = 2,
        ask = "How full of writes would that shard be?",
        answer = function(w) return with(w, "shard add", "move 12067-12067 S4").S4.write_pct end,
        wrong = function(w)
          return { [w.S2.write_pct] = { belief = "the neighbours move along", why = "p1, p5 and p13 stay on S2. Only p9's likes go." },
            [100] = { belief = "a shard takes what it can", why = "That is what it serves. It is asked for more, and the rest fails." },
            [60] = { belief = "a new shard shares the load", why = "The key is on one shard, however many there are." } }
        end,
        why = "One key is on one shard, and brings all its likes.",
        hints = { "Which likes go with the slot?", "{LIKES} a second.", "{LIKES} of {CEILING}." } },
      with = { LIKES = LIKES, CEILING = CEILING },
      after = [[
        So p9's neighbours would be saved, and p9 would not. A key that is too hot for one shard has to be cut.]],
      notes = "From Part 3: more shards never brought p9 under 240%. Ask who remembers why." },

    { id = "cache-likes", title = "From Part 4", show = { "bars" },
      say = [[
        For reads there was a cure: the routers' caches took {READS} a second down to {ROUTERS}.]],
      with = { READS = READS, ROUTERS = ROUTERS },
      predict = { id = "p5-cache", kind = "choice",
        ask = "How many of p9's likes does such a cache keep away from S2?",
        choices = {
          { "Nearly all", belief = "a cache helps everything", why = "A cached answer can be given again. A like is a change, and S2 has to hear of it.",
            holds = function(w) return w.S2.writes < 300 end },
          { "The part that a router has seen before", belief = "likes repeat",
            why = "Two likes look alike, and both count.", holds = function(w) return w.S2.writes >= 300 and w.S2.writes < 2500 end },
          { "None", holds = function(w) return w.S2.writes >= 2500 end },
        },
        why = "Each like changes the count, so none can be answered from memory.",
        hints = { "What does a cache give?", "An old answer, again.", "Look at S2's writes: the cache is on." } },
      after = [[
        {S2.writes}, with the cache on. For writes there are two ways: send them to several places, or send fewer.]] },

    { id = "three", title = "Several places", show = { "bars" }, key = P9,
      say = [[
        *Salting* makes one count of several *sub-keys*: `likes:{p9#0}`, `likes:{p9#1}` and so on. A like goes to one
        of them. A read adds them up.

        {LIKES} likes, and a shard takes {CEILING} writes. {decimals(LIKES / CEILING, 1)}, so somebody takes three.]],
      with = { LIKES = LIKES, CEILING = CEILING },
      predict = { id = "p5-three", kind = "number", unit = "%", tolerance = 1,
        ask = "How full is the busiest shard then?",
        answer = function(w) return busiest(w) end,
        wrong = { [80] = { belief = "only the hot key counts", why = "That is one sub-key's part. The shard that holds it has other keys as well." },
          [85] = { belief = "the likes stay near p9", why = "Sub-keys are other keys, in other slots, mostly on other shards." },
          [240] = { belief = "a sub-key stays with its key", why = "Each sub-key has a tag of its own, and so a slot of its own." } },
        why = "800 likes for each sub-key, and 200 writes that were there before.",
        hints = { "How many likes does each sub-key take?", "800. And what else is on that shard?", "200 more, of {CEILING}." } },
      run = function(w)
        order(w, "writes likes:{p9} salted 3")
        w:play_for(1)
      end,
      after = [[
        {S1.writes} on S1 and on S3. Not one like more would fit. The division forgot what the shards had to do
        before.]] },

    { id = "the-rule", title = "The rule", show = { "bars" },
      say = [[
        A shard's load is its other writes, and the likes divided by S for each sub-key that it holds. Choose S, the
        number of sub-keys, and their places so that no shard is above 80%.

        Here S is 8. Each shard gets two sub-keys.]],
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
        S0, S1 and S3 are at {S0.write_pct}%, S2 at {S2.write_pct}%. Altogether the shards have room for 2,450 likes under the line, and
        p9 needs {LIKES}. It fits, because it is spread evenly.]],
      notes = "This is the worked example. The deeper steps take its steps away one by one, and the drill salt-it all of them." },

    { id = "fewer", title = "As few as will do", show = { "counter:likes:{p9}" }, key = P9,
      knobs = { { name = "salt", values = { 3, 4, 5, 6, 7, 8, 10, 12 }, start = 8 } },
      say = [[
        A read of the count has to ask for each sub-key. So the fewest that will do are the best.

        With S = {knob.salt} the shards are at {levels(try(w))}%. #0 to #{knob.salt - 1} lie on {placed(w, "p9", knob.salt)}.]],
      with = { try = function(w) return salted(w, knob.salt) end },
      try = { ask = "Turn S with L. Find the smallest that keeps every shard at 80% or less.",
        goal = function() return knob.salt == 4 end, solution = { "knob salt 4" },
        hints = { "L goes to the next S.", "Five, six and seven do not spread evenly over four shards.", "It is less than eight." } } },

    { id = "tag-trap", title = "Behind the brace", show = { "bars", "slot_map" }, key = P9,
      enter = untreated,
      say = [[
        Four do as well as eight, and a read asks for half as many. Another evening, and somebody in a hurry names the
        eight sub-keys `likes:{p9}#0` to `likes:{p9}#7`.]],
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

    { id = "dear-reads", title = "Who pays", show = { "bars" },
      enter = function(w)
        untreated(w)
        order(w, "writes likes:{p9} salted 8")
        stop(w, "read", "post:{p9}")
        w:play_for(1)
      end,
      say = [[
        Back to eight inside the braces, two on each shard. Now somebody reads the count, {READS} times a second, and no cache
        helps.]],
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

    { id = "fewer-writes", title = "Fewer writes", show = { "counter:likes:{p9}", "bars" }, key = P9,
      enter = function(w)
        stop(w, "read", P9)
        w:flow("read", "post:{p9}", READS)
        w:play_for(1)
      end,
      say = [[
        The other way. Most likes say "one more". Let each of the {ROUTERS} routers count its own, and write the sum twice a second, to a
        sub-key of its own: `likes:{p9}:r0` to `:r5`. The write is a *flush*, and all this is *pre-aggregation*.]],
      with = { ROUTERS = ROUTERS, LIKES = LIKES, OTHERS = 150 },
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
      after = [[
        {S2.writes} with the others: the hot shard is the coolest now, at {S2.write_pct}%. All six sub-keys have the tag p9, so one ask reads
        them all. What salting had collected is *frozen*: a sum that never changes, and is added.]] },

    { id = "a-router-dies", title = "R4 dies", show = { "counter:likes:{p9}" }, key = P9,
      say = [[
        A router that gets a like first writes "u likes p9" to the table `liked`, on shards of its own. Then it says OK.
        Then it adds one to its buffer.

        R4 has about {PER} likes in its buffer, and dies before it flushes.]],
      with = { PER = LIKES // ROUTERS // 2, lost = function(w) return w:count(P9).lost end },
      predict = { id = "p5-crash", kind = "choice", confidence = true,
        ask = "What has become of them?",
        choices = {
          { "They are gone for good", belief = "memory holds the only copy", why = "Each had its row in `liked` before its fan was told OK.",
            holds = function(w) return w:count(P9).forgotten > 0 end },
          { "The count lacks them, `liked` has them", holds = function(w) return w:count(P9).forgotten == 0 and w:count(P9).lost > 0 end },
          { "R4 flushes them when it is back", belief = "a buffer survives", why = "A buffer is memory. R4 comes back with an empty one.",
            holds = function(w) return w:count(P9).lost == 0 end },
        },
        why = "The count is a view of `liked`, and a view can be made again.",
        hints = { "What was written before OK?", "A row in `liked`.", "And the buffer was only memory." } },
      run = crash,
      after = [[
        {lost(w)} likes are missing from the count, and none from `liked`.]] },

    { id = "rebuild", title = "Count again", show = { "counter:likes:{p9}" }, key = P9,
      say = [[
        A job can count the rows of `liked` and compare. What the sub-keys lack it writes into one more, `likes:{p9}:fix`, which every
        read adds.

        Press : and type `rebuild likes:{p9}`.]],
      try = { ask = "Put the missing likes back.",
        goal = function(w) return w:count(P9).fix > 0 or w:count(P9).rebuilding end,
        solution = { "rebuild likes:{p9}" },
        hints = { "The prompt opens with :", "The command is rebuild, and the count's key.", "`rebuild likes:{p9}`" } } },

    { id = "sent-again", title = "Break it: \"200 more\"", show = { "counter:likes:{p9}" }, key = P9, router = "R4",
      enter = function(w)
        w:flow("read", "post:{p9}", 100)
        w:set_rule("absolute-flush", false)
        order(w, "patience 100 300")
        w:play_for(1)
      end,
      say = [[
        A flush carries the router's *total* so far, and a number that goes up: its *sequence*. Suppose that it said "200 more" instead.

        R4 flushes, S2 adds, and the answer is lost on the way. After a while R4 sends it again.]],
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
        {off(w)} too many. A total can be sent as often as you like: it says the same thing each time, and S2 takes it only with a
        higher sequence than it has.]] },

    { id = "second-writer", title = "Break it: one more writer", show = { "bars" }, key = P9,
      enter = function(w)
        w:set_rule("absolute-flush", true)
        order(w, "patience 0")
        w:play_for(1)
      end,
      say = [[
        S2 takes {S2.writes} writes a second. Now somebody wants to list who liked p9, and lets each like also write an entry into
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
      table = function() return fixes({ "fix", "writes/s", "reads/s" }, loads) end,
      say = [[
        p9 as it was, with {LIKES} likes and {READS} reads a second, and a count that nobody has treated yet. Each row of the table is a run of its
        own.]],
      with = { LIKES = LIKES, READS = READS },
      predict = { id = "p5-fixes", kind = "several",
        ask = "Which bring p9's writes on its busiest shard to less than half?",
        choices = {
          { "3 replicas", belief = "a copy takes a part of the writes", why = "Every copy takes every write.", holds = lowers("3 replicas") },
          { "micro-cache", belief = "a cache helps everything", why = "A cache answers reads.", holds = lowers("micro-cache") },
          { "salt 8", why = "Its likes are spread over all four shards.", holds = lowers("salt 8") },
          { "summed", why = "A flush carries about 200 likes.", holds = lowers("summed") },
          { "own shard", belief = "a bigger place cures", why = "All its likes go along.", holds = lowers("own shard") },
        },
        why = "Spread the writes, or send fewer. Nothing for reads touches them.",
        hints = { "Which of them change where likes go, or how many?", "Salting spreads them, sums replace them.", "Two." } },
      after = [[
        Down one column and down the other: nothing for reads touches writes, and salting makes reads worse. So p9 needs one
        fix from each half.]],
      notes = "Let each group defend one row before the table is shown." },

    -- ------------------------------------------------------------------ deeper

    { id = "prices", title = "What each costs", show = { "table", "bars" }, key = P9,
      table = function()
        local t = fixes({ "fix", "age, ms", "asks", "price" }, function(f, fix)
          return { fix.label == "3 replicas" and LAG_MS or age(f), asks(f), fix.price }
        end)
        t.title = "How old, how many asks a read, and the price"
        return t
      end,
      say = [[
        The same runs once more. How old an answer may get, what a read has to ask, and who pays.]],
      predict = { id = "p5-oldest", kind = "choice",
        ask = "Which row gives the oldest answers?",
        choices = {
          { "micro-cache", belief = "only caches are late", why = "Its answers are as old as the cache lets them get. Another row waits twice.",
            holds = is_oldest("micro-cache") },
          { "summed", belief = "a buffer is worse than a cache", why = "Half a second at most. A cache keeps what it has for longer.",
            holds = is_oldest("summed") },
          { "summed, cached", holds = is_oldest("summed, cached") },
        },
        why = "A like waits in a buffer, and then the sum waits in a cache.",
        hints = { "Where can a like wait?", "In a buffer, and in a cache.", "The row that has both." } },
      after = [[
        The ages are of these runs; a cache may serve its answer for three seconds, and then fetches. Tab goes to the table: enter opens a row's run,
        escape comes back.]] },

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
        Under 800: S = 4 will do.]] },

    { id = "choose-two", title = "Choose S: two steps", deeper = true, show = { "bars" }, key = "likes:{p3}",
      enter = function(w) w:flow("like", "likes:{p3}", 1800) end,
      say = [[
        p3 climbs to {P3} likes a second. The room is as before, least on S3. It has {S3.writes} writes of others.]],
      with = { P3 = 1800 },
      predict = { id = "p5-choose-two", kind = "choice",
        ask = "S, and with it each shard's load. Which is the smallest S that keeps all at 80% or less?",
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

    { id = "choose-alone", title = "Choose S: alone", deeper = true, show = { "bars" }, key = "likes:{p3}",
      enter = function(w)
        w:flow("like", "likes:{p3}", 1500)
        w:flow("like", "likes:{p4}", 50)
        w:flow("like", "likes:{p7}", P7)
      end,
      knobs = { { name = "salt", values = { 2, 3, 4, 5, 6, 7, 8, 12 }, start = 8 } },
      say = [[
        p3 is back at {P3}, p4 is calm, and p7 on S0 takes {P7}. #0 to #{knob.salt - 1} lie on {placed(w, "p3", knob.salt)}. Work it
        out before you turn; nothing tells you how full they get.]],
      with = { P3 = 1500, P7 = P7 },
      try = { ask = "Turn S with L to the smallest that keeps all shards at 80% or less.",
        goal = function(w) return knob.salt == smallest(w, "likes:{p3}") end,
        solution = { "knob salt 3" },
        hints = { "Which shard has least room now, and which sub-key lies there?", "S0 has 200 left, and #3 is the first one there.",
                  "A shard without room may do without a sub-key: three, on the others." } } },

    { id = "blind", title = "Places you cannot see", deeper = true, show = { "layouts" },
      say = [[
        Here #0 to #3 never collide: so CRC16 treats a last digit. In a service that hides its partitions sub-keys fall where they
        like, and may meet.

        Each dot is a try: the fullest of four shards over their average. Placed well it has {decimals(800 / AVERAGE, 2)} times; the ceiling is
        at {decimals(CEILING / AVERAGE, 2)}.]],
      with = { AVERAGE = AVERAGE, CEILING = CEILING },
      predict = { id = "p5-blind", kind = "choice",
        ask = "Eight sub-keys in unknown places: where is the median try?",
        choices = {
          { "At 1.02, as here", belief = "a hash spreads evenly", why = "It spreads a thousand keys evenly. Of eight, three or four often meet on one shard.",
            holds = function() return experiment[1].median <= 1.1 end },
          { "About 1.15", belief = "luck evens out soon", why = "One sub-key more than its share is 300 writes more.",
            holds = function() return experiment[1].median > 1.1 and experiment[1].median <= CEILING / AVERAGE end },
          { "Above the ceiling", holds = function() return experiment[1].median > CEILING / AVERAGE end },
        },
        why = "A shard with three is at 1,100 already.",
        hints = { "What if one shard gets three?", "200 + 3 x 300.", "More than the ceiling." } },
      experiment = { title = "fullest of four shards over their average", groups = { blind_group(8), blind_group(16), blind_group(64) } },
      after = [[
        Medians: {decimals(experiment[1].median, 2)} with 8, {decimals(experiment[2].median, 2)} with 16, {decimals(experiment[3].median, 2)}
        with 64. Where you cannot see, take many, for room. Where you can, look where each lands.]] },

    { id = "one-fan", title = "Did she like it?", deeper = true, show = { "crc16:fan:417" },
      say = [[
        A page shows whether *this* fan liked p9. The likes are rows under 8 sub-keys, and asking all eight for one row is dear.

        So derive the number from the fan: hash mod 8, a *calculated suffix*. By CRC16 the hash of `fan:417` is {w:crc16("fan:417")}.]],
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

    { id = "sent-twice", title = "A like, sent again", deeper = true, show = { "counter:likes:{p9}" }, key = P9, router = "R0",
      enter = function(w)
        flows(w, 0, 0) -- so that this like is the only one
        w:play_for(1)
        order(w, "writes likes:{p9} salted 8")
        order(w, "patience 400 200")
        order(w, "clients at-once times 1")
      end,
      say = [[
        A fan's app gets no answer in time and sends the like again, as the same operation. Two ways to pick the salt: the router
        takes the next one in turn, or it is derived from the operation.]],
      predict = { id = "p5-derived", kind = "choice",
        ask = "In which way does the repeat reach the sub-key that has the like already?",
        choices = {
          { "In turn", belief = "a router remembers a like", why = "A router keeps a number for the next salt, and not who liked what.",
            holds = function(w) return twice(w, "turn") == 1 and twice(w, "writer") > 1 end },
          { "Derived", holds = function(w) return twice(w, "turn") > 1 and twice(w, "writer") == 1 end },
          { "In both", belief = "the same like, the same place", why = "In turn, the next like goes to the next place, whatever it is.",
            holds = function(w) return twice(w, "turn") == 1 and twice(w, "writer") == 1 end },
          { "In neither", belief = "salt is luck", why = "A derived salt is computed, and comes out the same each time.",
            holds = function(w) return twice(w, "turn") > 1 and twice(w, "writer") > 1 end },
        },
        why = "Same operation, same salt, same sub-key.",
        hints = { "What does each salt depend on?", "One depends on who came before.", "The other on the operation alone." } },
      run = function(w) send_twice(w, "turn") end,
      after = [[
        In turn, {twice(w, "turn")} sub-keys have it; derived, {twice(w, "writer")}. A shard that remembers operations can drop
        the repeat only if it comes to the same place. So derive the salt from the writer.]] },

    { id = "frozen", title = "From salts to sums", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        order(w, "patience 0")
        order(w, "clients none")
        flows(w, 50, 100)
        w:flow("like", P9, LIKES)
        order(w, "writes likes:{p9} salted 8 turn")
        w:flow("read", P9, 100)
        w:play_for(2)
      end,
      say = [[
        p9 is salted by eight, and 100 readers a second ask {w:asked("likes:{p9}").reads} sub-keys. Now sums are switched on. Six more sub-keys; the
        eight are not written any more, but their likes still count.]],
      predict = { id = "p5-frozen", kind = "number", unit = "asks/s", tolerance = 2,
        ask = "How many asks a second do those 100 readers make a while later?",
        answer = function(w) return w:asked(P9).reads end,
        wrong = { [1400] = { belief = "old parts are read for ever", why = "What never changes need not be read again. Its sum is one number that every router knows." },
          [600] = { belief = "each sub-key is an ask", why = "All six have the tag p9. One ask reads all keys of a slot." },
          [800] = { belief = "reads stay as they were", why = "The eight are frozen, and the six lie in one slot." } },
        why = "The eight have become one frozen number, and the six lie in one slot.",
        hints = { "Can the eight still change?", "No: so their sum can be written down once.", "And the six are in one slot: one ask a read." } },
      run = function(w)
        order(w, "writes likes:{p9} summed")
        w:play_for(2)
      end,
      after = [[
        A change of the way is a small move: first all readers know the new parts, then writers use them, then the old ones freeze.]] },

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
          { "It does not matter", belief = "a sub-key tells of itself", why = "Nobody asks a sub-key that he does not know.",
            holds = function(w) return missed(w, "writers") == 0 and missed(w, "readers") == 0 end },
        },
        why = "A sub-key that is asked too early is empty, and does no harm.",
        hints = { "What does a reader do who knows too few?", "He leaves some out.", "And one who knows too many adds zeros." } },
      run = function(w)
        order(w, "writes likes:{p9} salted 8")
        w:play_for(1)
      end,
      after = [[
        Had writers gone first, a reader would have missed {missed(w, "writers")} likes after this second. Going down is the same the other
        way round: writers first, and readers ask all eight until they are frozen.]] },

    { id = "behind", title = "How far behind", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        stop(w, "read", P9)
        order(w, "writes likes:{p9} summed")
        w:play_for(2)
      end,
      say = [[
        {LIKES} likes a second at {ROUTERS} routers; each flushes every half second, one after the other.]],
      with = { LIKES = LIKES, ROUTERS = ROUTERS },
      predict = { id = "p5-behind", kind = "number", unit = "likes", tolerance = 30,
        ask = "How many likes is the shown count behind, on average?",
        answer = waiting,
        wrong = { [1200] = { belief = "every buffer is full", why = "They are full only just before they flush. On average each is half full." },
          [100] = { belief = "one router is the cluster", why = "So many wait at each router." },
          [0] = { belief = "a count is exact", why = "What is in a buffer is not in the count yet." } },
        why = "Six buffers, each half full: 100 likes.",
        hints = { "How many likes does one flush carry?", "200; so on average 100 wait.", "{ROUTERS} x 100." } },
      after = [[
        {waiting(w)}, measured. Nobody minds on a post with a million likes. It would matter for money.]] },

    { id = "any-moment", title = "At any moment", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      say = [[
        When R4 died just before its flush, about 200 likes went missing. But a machine dies when it likes. Look into R4's buffer at many
        moments, and take the middle one.]],
      predict = { id = "p5-moment", kind = "number", unit = "likes", tolerance = 25,
        ask = "How many likes are in it?",
        answer = usual_loss,
        wrong = { [200] = { belief = "the worst case is the usual one", why = "That is a full buffer. Halfway through it is half full." },
          [400] = { belief = "a second is lost", why = "So many reach R4 in a second. It flushes twice in that time." } },
        why = "On average half a buffer.",
        hints = { "The buffer fills evenly.", "From 0 to 200.", "About the middle." } },
      after = [[
        {usual_loss(w)}: what the usual crash takes from the count.]] },

    { id = "told-too-soon", title = "Break it: OK first", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      say = [[
        Writing the row takes 2 ms. Somebody wants to be faster: the router says OK at once, and the row is written when the sum is flushed.
        R4 dies just before.]],
      predict = { id = "p5-too-soon", kind = "choice",
        ask = "What can a rebuild put back?",
        choices = {
          { "All of it", belief = "a count can always be made again", why = "It can be made again of rows. These have none.",
            holds = function(w) return w:count(P9).forgotten == 0 end },
          { "Nothing: those likes are nowhere", holds = function(w) return w:count(P9).forgotten > 0 end },
        },
        why = "The buffer held the only trace of them.",
        hints = { "Of what does a rebuild count?", "Of the rows in `liked`.", "Were they written?" } },
      run = function(w)
        w:set_rule("durable-before-ack", false)
        w:play_for(1)
        crash(w)
        stop(w, "like", P9)
        w:play_for(1)
      end,
      after = [[
        {w:count("likes:{p9}").forgotten} fans were told OK, and no store knows of it. First durable, then OK.]] },

    { id = "recount", title = "Break it: count too much", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        w:set_rule("durable-before-ack", true)
        w:flow("like", P9, LIKES)
        w:play_for(2)
      end,
      say = [[
        A rebuild leaves out the rows whose likes routers still have in their buffers. Without that rule it counts all rows. A buffer's
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

    { id = "window", title = "Only if it is new", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        w:set_rule("recount-at-flushed", true)
        order(w, "rebuild likes:{p9}") -- nobody likes it just now, so this one is exact
        w:play_for(1)
        w:flow("like", P9, LIKES)
        order(w, "writes likes:{p9} summed window")
        order(w, "patience 100 300")
        w:play_for(1)
      end,
      say = [[
        Some stores cannot compare a sequence, but can write *on a condition*. Then a flush says: add these 200, if this window of R4 is
        new to you. The next window waits until this one is answered.

        The answer is lost again, and R4 sends it again.]],
      predict = { id = "p5-window", kind = "number", unit = "likes", tolerance = 0,
        ask = "By how much is the count off in the end?",
        answer = off,
        wrong = { [200] = { belief = "a difference always counts twice", why = "The second time the window is not new, and nothing is added." },
          [400] = { belief = "a difference always counts twice", why = "The second time the window is not new, and nothing is added." } },
        why = "The condition makes the repeat harmless.",
        hints = { "What does S2 do with the second one?", "It has seen this window.", "Nothing is added." } },
      run = function(w)
        lose_an_answer(w)
        w:play_for(1)
      end,
      after = [[
        A total with a sequence, or a difference with a condition: either makes a repeat harmless.]] },

    { id = "merge", title = "The larger one", deeper = true, show = { "counter:likes:{p9}" }, key = P9,
      enter = function(w)
        order(w, "writes likes:{p9} summed merge")
        w:play_for(1)
      end,
      say = [[
        A third way needs no sequence. Each writer has a sub-key of its own, its total only grows, and the store keeps the *larger* of two values.
        This is a *CRDT* counter: copies merge in any order.

        R4 sends the total 5,400, then 5,600. The first is late and arrives last.]],
      predict = { id = "p5-merge", kind = "number", tolerance = 0,
        ask = "What does R4's sub-key hold then?",
        answer = function() return math.max(5600, 5400) end,
        wrong = { [5400] = { belief = "the last one wins", why = "So it would be if a write replaced. Here the larger of the two stays." },
          [11000] = { belief = "writes add up", why = "Both are totals of the same router." } },
        why = "The larger of the two, in whatever order they come.",
        hints = { "Which of them is larger?", "It was there first.", "It stays." } },
      run = function(w)
        lose_an_answer(w)
        w:play_for(1)
      end,
      after = [[
        A lost answer and a repeat: off by {off(w)} here as well. The idea is that of the routers' sub-keys: one writer for each
        number, so nobody has to ask anybody.]] },

    { id = "late", title = "In a stream job", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, like in ipairs(streamed()) do
          rows[i] = { label = "made " .. at(like.made),
            cells = { i == 1 and "-" or at(like.mark), like.open and "yes" or "too late" } }
        end
        return { title = "in the order in which they came", columns = { "like", "watermark", "counts" }, rows = rows }
      end,
      say = [[
        Sums can also be made by a job that reads the stream of likes, minute by minute of when they were *made*. Its *watermark* is the newest time seen
        less 10 s. Once that is past a minute's end, the minute is closed.]],
      predict = { id = "p5-late", kind = "number",
        ask = "How many likes come too late for their minute?",
        answer = function() return late() end,
        wrong = { [4] = { belief = "out of order is too late", why = "A like from before the newest one still counts while its minute is open." } },
        why = "Late is who comes when the watermark has passed 20:05:00.",
        hints = { "When does the minute of 20:04 close?", "When somebody from 20:05:10 or later has been seen.", "After that, count those made before 20:05:00." } },
      after = [[
        What comes too late is dropped, or corrects the sum afterwards. The lag is a choice: wait longer, or be wrong more often.]] },

    { id = "checkpoint", title = "Where it left off", deeper = true, show = { "table" },
      table = function()
        return { title = "100 likes, a crash after 60", columns = { "writes down", "counted" }, numbers = { 2 }, rows = {
          { label = "position and sum together", cells = { tostring(recounted(60, false)) } },
          { label = "position alone, sum at once", cells = { tostring(recounted(60, true)) } },
        } }
      end,
      say = [[
        The job dies too. It writes down its position in the stream after every 25 likes, a *checkpoint*, and reads on from there.

        One job writes its sum down with the position. Another adds each 10 likes to the store as it goes. Both die after 60 of 100.]],
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
        order(w, "patience 0")
        untreated(w)
        w:flow("like", P9, 50)
        order(w, "lease budget:{nova} 3000 1")
        order(w, "flow take budget:{nova} 2400")
        w:play_for(1)
      end,
      say = [[
        Part 3 limited nova. If that limit is one number for all routers, each request takes a *token* from it:
        {w:asked("budget:{nova}").writes} writes a second on one key, of {RATE} tokens. The limiter is the hot key now.

        Let routers *lease* 100 tokens at a time and spend them alone.]],
      with = { RATE = 3000 },
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
      say = [[
        A shop's account gets many credits. It must not fall below zero, its *floor*. Credits go to four *stripes*; each has 25 now. Debits come from
        the main account alone, where the floor is checked. A sweeper carries the stripes' money there.

        Somebody wants 60.]],
      predict = { id = "p5-stripes", kind = "choice",
        ask = "The sweeper has not come yet. What is the answer?",
        choices = {
          { "OK: there are 100", belief = "a sum can be spent", why = "The 100 lie in four places, and nobody may look at four places and take from one.",
            holds = function() return last.outcome == "OK" end },
          { "Not enough", holds = function() return last.outcome ~= "OK" end },
        },
        why = "The main account holds nothing yet.",
        hints = { "Where does a debit come from?", "From the main account alone.", "It has {w:account(\"acct:{shop}\").main}." } },
      run = function(w)
        order(w, "request debit acct:{shop} 60 via R1")
        w:play_answered()
      end,
      after = [[
        A credit can be spent only after the sweep: that is the price. In return four shards share the credits.]] },

    { id = "two-debits", title = "Break it: any stripe", deeper = true, show = { "trace" }, key = "acct:{shop}",
      enter = function(w) w:set_rule("debit-main-only", false) end,
      say = [[
        Without that rule a router adds up all parts, sees 100, and takes the money from some stripe. Two routers do so at the same
        time, 80 each.]],
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
        Likes can be salted because nothing is refused. Where something may be refused, one place has to decide.]] },

    { id = "index", title = "A hot index", deeper = true, show = { "bars" }, key = "by:nova",
      enter = function(w)
        w:set_rule("debit-main-only", true)
        w:flow("like", P9, LIKES)
        order(w, "writes likes:{p9} summed")
        for _, post in ipairs { "p9", "p1", "p5", "p13" } do order(w, "index likes:{" .. post .. "} by:nova") end
        w:play_for(1)
      end,
      say = [[
        p9's count is summed. There is also an *index* of all likes by the post's creator, key `by:nova`. nova has p9, p1, p5 and
        p13, and each like is an entry.]],
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
        One key, on {w:owner("by:nova")}, with {w:asked("by:nova").writes}. Some stores then hold back the table as well: p9's likes would fall to {held_back(w)} a second. Look at an
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
      enter = function(w)
        for _, post in ipairs { "p9", "p1", "p5", "p13" } do order(w, "index likes:{" .. post .. "} none") end
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
      with = { CEILING = CEILING },
      run = function(w)
        order(w, "shard add")
        order(w, "move 12067-12067 S4")
        w:play_for(1)
      end,
      after = [[
        If the cure ever fails, only S4 suffers. Isolation is no cure; it says who falls ill. Part 8 makes this move under full load.]] },
  },
}
