-- Part 3. Core path: one post goes viral, who pays for it, why shards do not help, how the key is
-- found and reported, found alone, what a limit is worth, what to watch and what to tell others.
-- Deeper: Retry-After and back-off, waiting and Little's law, retries and the cascade with what
-- stops it, cells, the hotspot factor, and what a sketch knows.

local LIKES, POST = "likes:{p9}", "post:{p9}"
local FANS, READERS = 2400, 9000 -- of p9, a second, at 20:02
local NEIGHBOURS = { "p1", "p5", "p13" }
local LIKES_EACH, READS_EACH = 50, 100
local KEY_LIKES, KEY_READS = 600, 2000 -- the limits of 20:02:30
local CELL = 16384
local QUERY_MS = 5

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

function percent(part, whole, n)
  return decimals(100 * part / whole, n) .. "%"
end

function round(x, n)
  local by = 10 ^ (n or 0)
  return math.tointeger(math.floor(x * by + 0.5) / by) or math.floor(x * by + 0.5) / by
end

-- What a run measured; each step's run writes what its own texts read.
local M = {}
function m(name)
  return M[name]
end

-- --- the evening ---

local function flow(w, op, key, rate, how)
  if rate > 0 then
    w:flow(op, key, rate, how or "scattered")
  else
    pcall(w.flow, w, op, key, 0) -- what does not run cannot be ended
  end
end

local function flows(w, post, likes, reads, how)
  flow(w, "like", "likes:{" .. post .. "}", likes, how)
  flow(w, "read", "post:{" .. post .. "}", reads, how)
end

-- As at 20:02: p9 and those beside it, at random instants.
local function hot(w)
  flows(w, "p9", FANS, READERS)
  for _, post in ipairs(NEIGHBOURS) do flows(w, post, LIKES_EACH, READS_EACH) end
end

-- To the next whole second: a scattered flow has its rate in each of these.
local function whole(w)
  local part = tonumber("0" .. (string.match(w:clock(), "%.%d+") or ""))
  if part > 0 then w:play_for(1 - part) end
end

-- Everything that this part turns on is off, and p9 is hot, alone.
local function afresh(w)
  if w:in_flight("S2") > 100 then -- a line that an earlier step left would count as refused
    flows(w, "p9", 0, 0)
    pcall(w.command, w, "clients none")
    w:play_for(2)
  end
  whole(w)
  for _, command in ipairs {
    "limit key " .. LIKES .. " none", "limit key " .. POST .. " none", "limit tenant nova none",
    "clients none", "breaker off", "share nova off", "shed off", "patience 0 0", "ceiling S2 1000 3000",
    "ceiling S0 1000 3000", "flow read old:* 0 over 300", "limit key likes:{p6} none", "network calm",
  } do pcall(w.command, w, command) end -- what is off cannot be turned off
  for n = 1, 16 do
    if w:owner("{p" .. n .. "}") ~= w:owner(LIKES) then flows(w, "p" .. n, LIKES_EACH, READS_EACH, "steady") end
  end
  hot(w)
end

local function limited(w)
  w:command("limit key " .. LIKES .. " " .. KEY_LIKES)
  w:command("limit key " .. POST .. " " .. KEY_READS)
end

-- Requests of all posts come at random instants: in step they would take a router's places at once.
local function out_of_step(w)
  for n = 1, 16 do
    if w:owner("{p" .. n .. "}") ~= w:owner(LIKES) then flows(w, "p" .. n, LIKES_EACH, READS_EACH) end
  end
end

-- S2 serves all that it is asked for, and nobody likes anything.
local function only_reads(w)
  afresh(w)
  w:command("ceiling S2 1000 0")
  for n = 1, 16 do flows(w, "p" .. n, 0, READS_EACH, "steady") end
  w:flow("read", POST, READERS, "steady")
end

-- --- what is counted ---

local function near_likes(w)
  local sum = 0
  for _, post in ipairs(NEIGHBOURS) do sum = sum + w:acked("likes:{" .. post .. "}") end
  return sum
end

-- Asks of S2 for each thing that somebody wants of it.
function per_wish(w)
  return round(1 + M.repeats / (w.S2.writes + w.S2.reads), 1)
end

-- Within what a second's edge can bring or take.
local function near(a, b)
  return math.abs(a - b) <= 3
end

local function counts(w)
  return { served = w.S2.served, refused = w.S2.refused, fans = w:acked(LIKES), near = near_likes(w),
    other = w.S0.served, repeats = w:clients().repeats }
end

local function redirects(w)
  local sum = 0
  for i = 0, w:routers() - 1 do sum = sum + w["R" .. i].redirects end
  return sum
end

-- What a second brought, from two counts.
local function keep(before, after)
  for name, value in pairs(after) do M[name] = value - before[name] end
  M.near = math.min(M.near, #NEIGHBOURS * LIKES_EACH) -- one may have been asked for just before
end

-- How many requests wait for an answer of S2, on average of many looks.
local LOOKS = 40
local function mean_in_flight(w)
  local sum = 0
  for _ = 1, LOOKS do
    w:play_for(0.01237)
    sum = sum + w:in_flight("S2")
  end
  return sum / LOOKS
end

-- --- more shards ---

-- Equal runs of slots for n shards.
local function spread(w, n)
  while w:shards() < n do w:add_shard() end
  for i = n - 1, 0, -1 do -- a move to the owner is refused
    pcall(w.move, w, i * CELL // n, (i + 1) * CELL // n - 1, "S" .. i)
  end
end

function with_shards(w, n)
  local f = w:fork()
  hot(f)
  spread(f, n)
  return f
end

function shard_of_p9(w)
  return w[w:owner(LIKES)]
end

local function more_shards(n)
  return { label = n .. " shards", run = function(f) spread(f, n) end, cells = function(f)
    return { f:owner(LIKES), shard_of_p9(f).write_pct .. "%", decimals(f.cluster.write_pct) .. "%" }
  end }
end

-- --- how uneven ---

local MANY, ALL_READS = 6000, 500000 -- a large store

local function grouped(n)
  return n < 1000 and tostring(n) or n // 1000 .. string.format(",%03d", n % 1000)
end

-- The shard of p9 over the average of n shards, in writes.
function factor(w, n)
  local f = with_shards(w, n)
  return shard_of_p9(f).writes / (f.cluster.writes / n)
end

local function uneven(n)
  return { label = n .. " shards", run = function(f) spread(f, n) end, cells = function(f)
    local average = f.cluster.writes / f:shards()
    return { shard_of_p9(f).writes, round(average, 1), round(shard_of_p9(f).writes / average, 1) }
  end }
end

-- --- cells ---

-- Tenants of eight machines when one of them, nova, takes down all of its own.
local TENANTS = keys("tenant%03d", 0, 999)
local EIGHT, FOUR = layout("rendezvous", { shards = 8 }), layout("rendezvous", { shards = 4 })

local function machines(way, name)
  if way == "shared" then return { 0, 1, 2, 3, 4, 5, 6, 7 } end
  if way == "cells" then
    local cell = FOUR:owner(name)
    return { 2 * cell, 2 * cell + 1 }
  end
  local best, second
  for id = 0, 7 do
    if not best or EIGHT:score(name, id) > EIGHT:score(name, best) then
      best, second = id, best
    elseif not second or EIGHT:score(name, id) > EIGHT:score(name, second) then
      second = id
    end
  end
  return { best, second }
end

-- How many tenants lose all of their machines, and how many lose some.
local function struck(way)
  local dead, all, some = {}, 0, 0
  for _, id in ipairs(machines(way, "nova")) do dead[id] = true end
  for i = 1, #TENANTS do
    local mine, lost = machines(way, TENANTS[i]), 0
    for _, id in ipairs(mine) do lost = lost + (dead[id] and 1 or 0) end
    if lost == #mine then all = all + 1 elseif lost > 0 then some = some + 1 end
  end
  return all, some
end
local STRUCK = {}
for _, way in ipairs { "shared", "cells", "shuffled" } do
  local all, some = struck(way)
  STRUCK[way] = { all = all, some = some, none = #TENANTS - all - some }
end

local function struck_row(way, label)
  return { label = label, cells = { STRUCK[way].all, STRUCK[way].some, STRUCK[way].none } }
end

-- --- the cascade and what stops it ---

-- A long queue, routers that wait 25 ms and clients that ask again: three times more.
local QUEUE, PATIENCE = 250, 25
local function cascading(w)
  w:command("ceiling S2 1000 3000 " .. QUEUE)
  w:command("patience " .. PATIENCE .. " " .. PATIENCE + 1)
  w:command("clients at-once times 3")
end

local START = {}
-- From before p9 takes off; what is set in the middle of it comes half a second after.
local function remedy(label, commands, in_the_middle)
  return { label = label, run = function(f)
    flows(f, "p9", 0, 0)
    f:play_for(0.3)
    cascading(f)
    for _, command in ipairs(in_the_middle and {} or commands) do f:command(command) end
    hot(f)
    f:play_for(0.5)
    for _, command in ipairs(in_the_middle and commands or {}) do f:command(command) end
    f:play_for(0.5)
    START[label] = counts(f)
    f:play_for(1)
  end, cells = function(f)
    local now, was = counts(f), START[label]
    return { now.served + now.refused - was.served - was.refused, math.min(now.near - was.near, #NEIGHBOURS * LIKES_EACH) }
  end }
end

-- What bounds nova's part of each router.
local LIMITS = { "limit key " .. LIKES .. " " .. KEY_LIKES, "limit key " .. POST .. " " .. KEY_READS }
local ISOLATED = { "tenant nova " .. LIKES, "tenant nova " .. POST, "shed 8", "share nova 30" }

-- --- who asks again ---

-- A rush: so many likes of p9 in a moment, and quiet after it. Who is turned away waits and asks again.
local RUSH, RUSH_MS = 600, 50
local function rush_row(label, clients)
  return { label = label, run = function(f)
    for n = 1, 16 do flows(f, "p" .. n, 0, 0) end
    f:play_for(0.3)
    f:command(clients)
    START[label] = f:acked(LIKES)
    f:flow("like", LIKES, RUSH * 1000 // RUSH_MS, "steady")
    f:play_for(RUSH_MS / 1000)
    flow(f, "like", LIKES, 0)
    f:play_for(8)
  end, cells = function(f) return { f:acked(LIKES) - START[label] } end }
end

-- The overload of p9 with clients that ask again: asks for each wish, and what S2 serves.
local function patient(label, clients)
  return { label = label, run = function(f)
    f:command(clients)
    f:play_for(1)
    START[label] = counts(f)
    f:play_for(1)
  end, cells = function(f)
    local now, was = counts(f), START[label]
    return { round(1 + (now.repeats - was.repeats) / (f.S2.writes + f.S2.reads), 1), now.served - was.served }
  end }
end

-- --- find it ---

-- Another evening: p9 is as quiet as it was, and others are not. A command before it is sampled.
local function other_evening(w, hot_ones, command)
  afresh(w)
  flows(w, "p9", LIKES_EACH, READS_EACH)
  for _, hot_one in ipairs(hot_ones) do flows(w, hot_one[1], hot_one[2], hot_one[3]) end
  if command then w:command(command) end
  w:command("sample 100 5000")
  w:play_for(6)
end

function reported(w)
  return w:report()[1] or { key = "none", shard = "none", kind = "none", share = 0, writes = 0, reads = 0, shard_writes = 0 }
end

-- The key whose count says least, and p9's row.
function loosest(w)
  local worst = { requests = 0, error = 0 }
  for _, row in ipairs(w:hot(1000)) do
    if row.error > worst.error then worst = row end
  end
  return worst
end

function hottest(w)
  return w:hot(1)[1] or { requests = 0, error = 0 }
end

local function post_of(key)
  return (string.gsub(string.gsub(key, "^[a-z]+:{", ""), "}$", ""))
end

-- The keys most sampled, and not what they are hot in.
local function sampled(w)
  local rows = {}
  for i, row in ipairs(w:hot(6)) do
    rows[i] = { label = string.format("%-4s %s  %4d", post_of(row.key), row.shard, row.requests), cells = {} }
  end
  return { title = "Most sampled: post, shard, requests", columns = { "of the sample" }, rows = rows }
end

local function kinds(is, why)
  local list = {}
  for i, kind in ipairs { "writes", "reads", "both" } do
    list[i] = { kind == "both" and "writes and reads" or kind, belief = why[kind] and why[kind][1],
      why = why[kind] and why[kind][2], holds = function(w) return is(w) == kind end }
  end
  return list
end

return lesson {
  id = "03_the_hot_key", part = 3, title = "The hot key", minutes = 12,
  needs = { "01_what_a_shard_is", "02_choosing_the_key" },
  world = "story",
  placement = { go = "find-it-alone" },

  steps = {
    { id = "recall-where", title = "From Part 1", show = { "crc16:likes:{p9}" },
      say = [[
        Likes of post p9 are counted under `likes:{p9}`. There are 16,384 slots, and four shards own them in four
        equal runs, S0 the lowest.]],
      predict = { id = "p3-recall-where", kind = "choice",
        ask = "Which shard counts the likes of p9?",
        choices = {
          { "S0", belief = "a slot tells nothing about its shard", why = "The run of S0 ends at slot {S0.slots - 1}.",
            holds = function(w) return w:owner(LIKES) == "S0" end },
          { "S1", belief = "runs are longer than they are", why = "The run of S1 ends at slot {S0.slots + S1.slots - 1}.",
            holds = function(w) return w:owner(LIKES) == "S1" end },
          { "S2", holds = function(w) return w:owner(LIKES) == "S2" end },
          { "S3", belief = "counting starts at one", why = "Each run has {S0.slots} slots, and the first is that of S0. Slot {w:slot(\"{p9}\")} is in the third run.",
            holds = function(w) return w:owner(LIKES) == "S3" end },
        },
        why = "The tag is p9, its slot is {w:slot(\"{p9}\")}, and that is in the third run.",
        hints = { "The picture computes the slot.", "How often does 4,096 fit into it?", "Twice, and a bit: the third run." } },
      after = [[
        Its neighbours there are p1, p5 and p13. Remember these three.]] },

    { id = "recall-count", title = "From Part 2", show = { "bars" },
      say = [=[
        One shard takes {cluster.write_ceiling // w:shards()} writes a second: its [[ceiling]]. Plan for 70% of it. The busiest second of the
        year will bring {soon(w)} writes.]=],
      with = { soon = function(w) return with_shards(w, 4).cluster.writes end },
      predict = { id = "p3-recall-count", kind = "number", tolerance = 0,
        ask = "How many shards does Part 2's rule ask for?",
        answer = function(w)
          return math.ceil(with_shards(w, 4).cluster.writes * w:shards() / (w.cluster.write_ceiling * 0.7))
        end,
        wrong = { [4] = { belief = "a ceiling is a plan", why = "Four would do at 100% of each. The rule keeps room: 70%." },
          [3] = { belief = "a little too much always fits", why = "Three take 3,000 at 100% of each. The rule keeps room, and rounds up." } },
        why = "The writes over 700, rounded up.",
        hints = { "What may one shard be given, at 70%?", "700 writes a second.", "4.5 shards: round up." } },
      after = [[
        Keep that answer. The rule is right, and tonight it will not help: it shares out what can be shared.]] },

    { id = "calm", title = "A quiet evening", show = { "bars" },
      say = [=[
        20:00. Sixteen posts, {cluster.writes} likes and {cluster.reads} reads a second. You are on call, and nothing hurts.

        What is asked of a shard, divided by its own ceiling, is its [[utilisation]]. S2 is at {S2.write_pct}% of its writes and {S2.read_pct}% of its
        reads.]=],
      predict = { id = "p3-headroom", kind = "number", unit = "likes/s", tolerance = 0,
        ask = "How many more likes a second could S2 serve?",
        answer = function(w) return w.S2.write_ceiling - w.S2.writes end,
        wrong = { [3200] = { belief = "a shard can borrow", why = "That is the room of all four. A key is on one shard, and only that shard's room counts." },
          [2600] = { belief = "one ceiling for all", why = "That is its room for reads. Writes have a ceiling of their own." },
          [80] = { belief = "a percentage is a rate", why = "So many percent of its ceiling are free. The question is how many likes that is." } },
        why = "Its ceiling, less what it is asked for.",
        hints = { "The bar of S2 against its ceiling.", "{S2.write_ceiling} may come; {S2.writes} do.", "{S2.write_ceiling} less {S2.writes}." } },
      after = [[
        {S2.write_ceiling - S2.writes}, and {S2.read_ceiling - S2.reads} reads. Keep the first number in mind.]] },

    { id = "viral", title = "20:02", show = { "bars" },
      say = [[
        nova, with 60 million followers, promotes p9. Now {FANS} people a second like it and {READERS} read it.

        All four shards together can take {cluster.write_ceiling} writes. They are asked for {soon(w)}.]],
      with = { FANS = FANS, READERS = READERS, soon = function(w) return with_shards(w, 4).cluster.writes end },
      predict = { id = "p3-will-it-hold", kind = "choice", confidence = true,
        ask = "What do people see?",
        choices = {
          { "Nothing: it fits.", belief = "the average decides",
            why = "It would fit if it were spread. All of p9 is on one shard, and a shard cannot borrow.",
            holds = function(w) return w.S2.refused == 0 end },
          { "Likes of four posts fail.",
            holds = function(w) return w.S2.refused > 0 and w.S0.refused == 0 and M.near < M.near_asked - 3 end },
          { "Likes of every post fail.", belief = "load spreads by itself",
            why = "S0, S1 and S3 are asked for what they were always asked for. They have refused nothing.",
            holds = function(w) return w.S0.refused > 0 end },
          { "Likes of p9 fail.", belief = "a shard refuses the guilty key",
            why = "A shard counts requests, and does not ask for which post. Those of p1, p5 and p13 fail as well.",
            holds = function(w) return w.S2.refused > 0 and near(M.near, M.near_asked) end },
        },
        why = "S2 refuses, and p1, p5 and p13 live there as well.",
        hints = { "Where is p9? Who else is there?", "What S0 has left is of no use to S2.", "S2 refuses by number, not by name." } },
      run = function(w)
        w:event("4")
        w:play_for(1)
        local before = near_likes(w)
        w:play_for(1)
        M.near, M.near_asked = near_likes(w) - before, #NEIGHBOURS * LIKES_EACH
      end,
      after = [=[
        A [[hot key]]: one key that is asked for more than its shard has left. S2 [[throttles]]: it refuses what is beyond
        its ceiling.]=],
      notes = "Vote first. Those who say that it fits have the cluster's average on their side; keep it for the next step." },

    { id = "one-bar", title = "One bar", show = { "bars", "trace" },
      say = [[
        S2 is asked for {S2.write_pct}% of its writes and {S2.read_pct}% of its reads. The cluster: {cluster.write_pct}% and {cluster.read_pct}%. Whoever watches the
        average sees a busy evening.

        Ask S2 why it refuses. In the trace, choose an answer that says so, and press i.]],
      try = { ask = "Open the why of one refusal.", opened = "why", of = "refused",
        hints = { "Tab goes to the trace.", "The arrow keys choose a row; refusals are marked.", "Press i on it." } } },

    { id = "who-pays", title = "Who pays", show = { "bars" },
      say = [[
        p1, p5 and p13 changed nothing. Together they get {#NEAR * EACH} likes a second, as always, on a shard that is asked for
        {S2.writes} and serves {S2.write_ceiling}.]],
      with = { NEAR = NEIGHBOURS, EACH = LIKES_EACH, fair = function(w) return round(150 * w.S2.write_ceiling / w.S2.writes) end },
      predict = { id = "p3-neighbours", kind = "number", tolerance = 12,
        ask = "How many of these are still counted, a second?",
        answer = function() return M.near end,
        wrong = { [150] = { belief = "a shard refuses the guilty key", why = "The bucket of S2 has no names on it. Whoever comes while it is empty is refused." },
          [0] = { belief = "the crowd takes all", why = "Each request has the same chance, whatever its post. It is 1,000 in {S2.writes}." },
          [75] = { belief = "half and half", why = "The chance is the same for all: 1,000 in {S2.writes}, less than a half." } },
        why = "Each has the same chance, 1,000 in {S2.writes}. Of 150 that is {fair(w)}, and chance does the rest.",
        hints = { "S2 refuses without looking at the post.", "1,000 of {S2.writes} are served.", "150 times 1,000, divided by {S2.writes}." } },
      run = function(w)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        About {fair(w)}; this second it was {m("near")}. Their owners share a shard with p9, and that is all they did. S2 has {S2.writes - 1000}
        writes too many, every second.]] },

    { id = "add-shards", title = "The obvious fix", show = { "table", "bars" },
      say = [[
        Somebody writes: just add shards. You have sixty more in the rack. Slots are dealt out anew, in equal
        runs.

        The rule of Part 2 said five.]],
      table = function()
        return { title = "what if", columns = { "shards", "p9 on", "its writes", "average" }, numbers = { 3, 4 },
          rows = { more_shards(4), more_shards(5), more_shards(8), more_shards(16), more_shards(64) } }
      end,
      predict = { id = "p3-more-shards", kind = "number", unit = "%", tolerance = 3,
        ask = "With 64 shards instead of 4: how high is the utilisation of the one with p9, in writes?",
        answer = function(w) return shard_of_p9(with_shards(w, 64)).write_pct end,
        wrong = { [16] = { belief = "more shards, smaller pieces", why = "For that p9 would be cut into pieces. It is one key, in one slot, on one shard." },
          [5] = { belief = "the average decides", why = "That is the average of 64 shards. p9 is on one of them." },
          [255] = { belief = "nothing changes at all", why = "Its neighbours move away, with their likes. Only p9 itself stays whole." } },
        why = "{FANS} likes on a shard that takes 1,000. Only the neighbours have moved away.",
        hints = { "Which keys can be moved off p9's shard?", "All but p9 itself.", "{FANS} over 1,000." } },
      with = { FANS = FANS },
      after = [[
        Never under {shard_of_p9(with_shards(w, 64)).write_pct}%. The average fell, and that is what a dashboard would praise. Choose a row and
        press enter to see its cluster.]] },

    { id = "sample", title = "Which key?", show = { "top", "bars" },
      say = [=[
        Utilisation tells *where*: S2. Now *which* key? To count every key is dear. So each router counts one request
        in 100, its [[sample]], and after 5 seconds all are added up, by hash tag.]=],
      predict = { id = "p3-sample", kind = "number", tolerance = 25,
        ask = "S2 is asked for {S2.writes} writes a second. About how many writes of S2 will the 5 seconds' sample hold?",
        answer = function(w) return reported(w).shard_writes end,
        wrong = { [25] = { belief = "a sample is one second", why = "That is one second. The window is five." },
          [12750] = { belief = "a sample is a count", why = "That is all of them. One in a hundred is kept." } },
        why = "Five seconds of {S2.writes}, one in a hundred: near {S2.writes * 5 // 100}, and chance does the rest.",
        hints = { "All writes in five seconds first.", "{S2.writes * 5}. One in a hundred of these.", "{S2.writes * 5 // 100}, give or take." } },
      run = function(w)
        w:command("sample 100 5000")
        w:play_for(6)
      end,
      after = [[
        {reported(w).shard_writes} this time: which ones are counted is chance. {reported(w).writes} of them had the tag p9: {percent(reported(w).writes, reported(w).shard_writes)}. In truth it is {percent(FANS, S2.writes)}: a few samples are
        enough for a key that is hot.

        In the picture: writes solid, reads shaded; *share* is of all that was sampled of the key's own shard.]],
      with = { FANS = FANS } },

    { id = "the-report", title = "The report", show = { "top", "bars" },
      say = [[
        Three lines name the culprit:

          1 where: a shard over 70% of a
            ceiling. S2
          2 which: a key over 10% of its
            sample. p9: {reported(w).share}% of the
            writes, {percent(reported(w).reads, reported(w).shard_reads)} of the reads
          3 what: writes, reads? Both]],
      predict = { id = "p3-line", kind = "number", unit = "likes/s", tolerance = 0,
        ask = "Leave reads aside. How many likes a second may p9 get before S2 is reported?",
        answer = function(w) return round(0.7 * w.cluster.write_ceiling / w:shards() - #NEIGHBOURS * LIKES_EACH) end,
        wrong = { [700] = { belief = "a shard holds one key", why = "The neighbours bring 150 of these 700." },
          [850] = { belief = "the report waits for the ceiling", why = "At 850 S2 is full. The report comes at 70%, while there is time." } },
        why = "70% of 1,000, less the 150 of its neighbours.",
        hints = { "70% of the ceiling, in writes?", "700, for the whole shard.", "Its neighbours bring 150." } },
      after = [[
        The procedure of this part: where, which, what; a W and an R beside a key are its third line. Fixes for reads and for writes
        differ, so that line matters most.]] },

    { id = "what-kind", title = "The third line", show = { "top", "bars" },
      enter = function(w) other_evening(w, { { "p14", 60, 3000 } }) end,
      say = [[
        Another evening, and the lines are nearly done:

          1 where: S1, writes at {S1.write_pct}%,
            reads at {S1.read_pct}%
          2 which: p14
          3 what: for you]],
      predict = { id = "p3-kind", kind = "choice",
        ask = "What is p14 hot in?",
        choices = kinds(function(w) return reported(w).kind end, {
          writes = { "a busy shard is busy with writes", "S1 has {100 - S1.write_pct}% of its writes to spare." },
          both = { "a large share is enough", "It has a share of the writes too, but these are far below the ceiling. Nothing there needs a fix." },
        }),
        why = "Only its reads are over the line. To spread its likes would cure nothing.",
        hints = { "Which of the two ceilings is in danger?", "Both lines count: 70% of a ceiling, and 10% of that kind.", "Writes are at {S1.write_pct}%." } },
      after = [[
        {post(reported(w).key)}, {reported(w).kind}. Each evening leaves you one line more.]], with = { post = post_of } },

    { id = "find-which", title = "Two lines open", show = { "bars", "table" }, table = sampled,
      enter = function(w) other_evening(w, { { "p4", 900, 2600 }, { "p3", 60, 1500 } }) end,
      say = [[
        Another evening.

          1 where: S3, writes at {S3.write_pct}%,
            reads at {S3.read_pct}%
          2 which: for you
          3 what: for you, next]],
      predict = { id = "p3-find-which", kind = "text",
        ask = "Which post is it? Write p and its number.",
        answer = function(w) return post_of(reported(w).key) end,
        wrong = { p3 = { belief = "what is read much is hot", why = "p3 is on S0. Its reads are at {S0.read_pct}%, under the line of 70%." },
          p9 = { belief = "it is always p9", why = "p9 is quiet tonight." } },
        why = "The most sampled key on S3: {reported(w).share}% of what was sampled of its writes.",
        hints = { "The lower picture lists keys with their shards.", "Only S3 matters.", "The first of S3's." } },
      after = [[
        {post(reported(w).key)}, on {reported(w).shard}.]], with = { post = post_of } },

    { id = "find-what", title = "And what?", show = { "bars", "top" },
      say = [[
        One line is left.

          1 where: S3, writes at {S3.write_pct}%,
            reads at {S3.read_pct}%
          2 which: {post(reported(w).key)}
          3 what: for you]],
      with = { post = post_of },
      predict = { id = "p3-find-what", kind = "choice",
        ask = "What is it hot in?",
        choices = kinds(function(w) return reported(w).kind end, {
          writes = { "the fullest ceiling is the kind", "Writes are further over. But reads are at {S3.read_pct}%, and a cure for likes alone would leave them there." },
          reads = { "what is asked most often is hot", "It is read more often than liked. But {S3.write_pct}% of its writes is over the line as well." },
        }),
        why = "Both are over 70%, and p4 has most of both. It needs two fixes.",
        hints = { "Which ceilings are over the line?", "Over 70%.", "{S3.write_pct}% and {S3.read_pct}%." } },
      after = [[
        Part 4 has the cures for reads, Part 5 those for writes.]] },

    { id = "admission", title = "20:02:30", show = { "bars", "bucket:likes:{p9}" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [=[
        p9 again. Routers now give its likes a [[token bucket]]: {KEY} tokens a second, all routers together. A like takes one; without one it is
        answered [[429]], too many, and S2 never hears of it. Reads get {READS}.]=],
      with = { KEY = KEY_LIKES, READS = KEY_READS, reach = function(w) return w.S2.writes_ok + w.S2.writes_refused end },
      predict = { id = "p3-who-gains", kind = "choice", confidence = true,
        ask = "Who is better off?",
        choices = {
          { "p1, p5 and p13.", holds = function() return near(M.near, #NEIGHBOURS * LIKES_EACH) and M.fans <= M.fans_before end },
          { "The fans of p9.", belief = "a limit serves the hot key",
            why = "S2 had counted about 1,000 likes in all. Now {KEY} of p9 get through, fewer than before.",
            holds = function() return M.fans > M.fans_before end },
          { "Nobody: no is no.", belief = "a refusal costs the same anywhere",
            why = "What a router turns away takes nothing from S2. What S2 has left is free for p1, p5 and p13.",
            holds = function() return M.near <= M.near_before and M.fans <= M.fans_before end },
        },
        why = "p9 may no longer take all that S2 can serve. What its neighbours ask for fits.",
        hints = { "Who used up what S2 can serve, until now?", "S2 is asked for {KEY} of p9, and 150 beside.", "That is below 1,000." } },
      run = function(w)
        local a = counts(w)
        w:play_for(1)
        local b = counts(w)
        M.fans_before, M.near_before = b.fans - a.fans, b.near - a.near
        limited(w)
        w:play_for(1)
        a = counts(w)
        w:play_for(1)
        keep(a, counts(w))
      end,
      after = [=[
        {m("near")} of 150 likes of the neighbours; it was {m("near_before")}. People still want {S2.writes} likes a second; {reach(w)} of them reach S2, and
        the routers answer the others.

        This is [[admission]]: to refuse early what cannot be served anyway.]=] },

    { id = "the-price", title = "The price", show = { "bars", "bucket:likes:{p9}" },
      enter = function(w)
        local f = w:fork()
        afresh(f)
        f:play_for(0.2)
        local before = f:acked(LIKES)
        f:play_for(1)
        M.fans_before = f:acked(LIKES) - before
      end,
      say = [[
        Before, {m("fans_before")} likes of p9 were counted a second. Now {FANS} people a second like it, and {KEY} may pass.]],
      with = { FANS = FANS, KEY = KEY_LIKES },
      predict = { id = "p3-price", kind = "number", unit = "%", tolerance = 1,
        ask = "What part of the fans' likes gets through?",
        answer = function() return round(100 * M.fans / FANS) end,
        wrong = { [39] = { belief = "a limit serves the hot key", why = "So many got through before. The limit is lower than what S2 could give." },
          [60] = { belief = "a limit is a percentage", why = "600 of 2,400, and not of 1,000." },
          [75] = { belief = "what is served is the answer", why = "Those are turned away. The question was who gets through." } },
        why = "{KEY} of {FANS}.",
        hints = { "How many may pass?", "{KEY} of {FANS}.", "One in four." } },
      run = function(w)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        {percent(m("fans"), FANS)}. A limit protects neighbours and serves no fan. Parts 4 and 5 serve them: the reads first, then the
        likes.]],
      notes = "Ask what the limit should be. 850 would fill S2; the step 'Your limit' further on lets them try." },

    { id = "your-limit", title = "Your limit", show = { "bars", "bucket:likes:{p9}" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        No limits. You write the policy. p9 gets as much as it can, but S2 must stay at 80% of each ceiling: reports come at 70%, and a bad
        minute needs the rest. (In its first second a full bucket lets a tenth more pass.)

        Press : and type `limit key likes:{p9} 100`, with your number. Then one for `post:{p9}`.]],
      try = { ask = "Give p9 as many likes and reads a second as 80% allows; within 100 will do.", builds = true,
        goal = function(w)
          local likes = 0.8 * w.S2.write_ceiling - #NEIGHBOURS * LIKES_EACH - w:limit(LIKES)
          local reads = 0.8 * w.S2.read_ceiling - #NEIGHBOURS * READS_EACH - w:limit(POST)
          return w:limit(LIKES) > 0 and w:limit(POST) > 0 and likes >= 0 and likes <= 100 and reads >= 0 and reads <= 100
        end,
        solution = { "limit key likes:{p9} 650", "limit key post:{p9} 2100" },
        hints = { "80% of 1,000 likes and of 3,000 reads is for the whole shard.", "p1, p5 and p13 bring 150 likes and 300 reads of it.",
          "800 less 150, and 2,400 less 300." } } },

    { id = "find-it-alone", title = "All open", show = { "bars", "top" },
      enter = function(w) other_evening(w, { { "p15", 60, 6500 }, { "p6", 900, 1500 } }, "ceiling S0 4000 12000") end,
      say = [[
        Another evening. S0 is a bigger machine: its ceilings are four times as high.

        Where, which, what? Find the hot key, and limit what it is hot in, so that its shard stays at 70% or less. Press : and
        type `limit key KEY RATE`. The key is `likes:` or `post:` and the tag in braces.]],
      try = { ask = "Limit the hot key; within 100 will do.",
        goal = function(w)
          local most = 0.7 * w.S1.write_ceiling - 3 * LIKES_EACH
          local rate = w:limit("likes:{p6}")
          return rate > 0 and rate <= most and rate >= most - 100
        end,
        solution = { "limit key likes:{p6} 550" },
        hints = { "The longest bar is not the fullest shard: look at the percentages.", "S1 is over in writes. Which of its posts has most of them?",
          "`likes:{p6}`: 70% of 1,000, less the 150 of its neighbours." } } },

    { id = "monitor", title = "What to watch", show = { "bars", "maps" }, key = POST,
      enter = function(w)
        afresh(w)
        local before = redirects(w)
        w:play_for(1)
        M.redirects = redirects(w) - before
      end,
      say = [[
        It is 20:02 again, and nobody sleeps. Which alarm rang?]],
      predict = { id = "p3-monitor", kind = "several",
        ask = "Choose all that did.",
        choices = {
          { "Cluster over 90% of its writes", belief = "the average decides", why = "It was at {cluster.write_pct}%. A hot key hides in it.",
            holds = function(w) return w.cluster.write_pct > 90 end },
          { "A shard over 1.5 times the mean", why = "S2 has {decimals(S2.writes / (cluster.writes / 4), 1)} times the mean. This is the alarm for hot keys.",
            holds = function(w) return w.S2.writes > 1.5 * w.cluster.writes / w:shards() end },
          { "Redirects went up", belief = "overload looks like moving", why = "MOVED comes when slots move. None did.",
            holds = function() return M.redirects > 0 end },
          { "A router with an old map", belief = "all trouble is stale maps", why = "All routers have v{directory.version}.",
            holds = function(w) return w.R0.version < w.directory.version or w.R5.version < w.directory.version end },
          { "A key over 10% of a shard that is over 70%", why = "p9 has {percent(w:asked(\"likes:{p9}\").writes, S2.writes)} of the writes of S2, and S2 is over. Without the 70% it would ring every evening: of four posts each has a quarter of its shard.",
            holds = function(w) return w.S2.write_pct > 70 and w:asked(LIKES).writes > 0.1 * w.S2.writes end },
        },
        why = "Each shard against the mean, and the keys of a shard that is too full. The other three find other ills.",
        hints = { "Compare shards with each other.", "Has any slot moved tonight?", "Two of the five." } },
      after = [[
        Watch also each shard's size, what part of queries ask all shards and how slow the slowest of these are. And while slots move, how far the
        copy is.]] },

    { id = "tell-them", title = "In the channel", show = { "bars" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
        local f = w:fork()
        f:command("ceiling S2 2000 6000")
        f:play_for(0.2)
        M.doubled = math.max(f.S2.write_pct, f.S2.read_pct)
      end,
      say = [[
        People write: "We are at {decimals(cluster.write_pct)}% and things fail." There are three answers.]],
      with = { times = function(w) return math.max(w.S2.write_pct, w.S2.read_pct) / 70 end },
      predict = { id = "p3-tell-them", kind = "choice",
        ask = "Which one is true?",
        choices = {
          { "\"Order shards: with 64 it stops.\"", belief = "more shards, smaller pieces",
            why = "With 64 the average is {decimals(with_shards(w, 64).cluster.write_pct)}%, and the shard of p9 at {shard_of_p9(with_shards(w, 64)).write_pct}%.",
            holds = function(w) return shard_of_p9(with_shards(w, 64)).write_pct <= 100 end },
          { "\"Double S2, and it stops.\"", belief = "a bigger machine is a cure",
            why = "Twice as big it would be at {m(\"doubled\")}%. It takes {decimals(times(w), 1)} times for 70%, all for one post.",
            holds = function() return M.doubled <= 100 end },
          { "\"One post fills one shard. We limit it.\"",
            holds = function(w) return shard_of_p9(with_shards(w, 64)).write_pct > 100 and M.doubled > 100 end },
        },
        why = "The sentence names the key, not the cluster.",
        hints = { "What would 64 shards change?", "One key is on one shard.", "What is S2 asked for, twice as big?" } },
      after = [[
        A limit tonight; fixes of its own for reads and for likes after that.]] },

    { id = "explain", title = "Tell them", show = { "bars" },
      say = [[
        Your manager has read all that.]],
      predict = { id = "p3-explain", kind = "explain",
        ask = "She asks: \"{decimals(cluster.write_pct)}%. Why not order shards?\" Explain it to her.",
        model = "One post fills one shard: {S2.write_pct}%. A key is on one shard, however many there are. A limit saves its neighbours now; its fans need other fixes.",
        rubric = { "one shard is over, not all", "a key stays on one shard", "a limit saves neighbours", "fans need other fixes" },
        hints = { "Begin with the one bar that is too long.", "What would 64 shards change?", "Who gains by a limit, who does not?" } } },

    -- ------------------------------------------------------------------ deeper: limits

    { id = "retry-after", title = "Retry-After", deeper = true, show = { "bucket:likes:{p9}", "trace:likes:{p9}" },
      enter = function(w)
        afresh(w)
        limited(w)
        w:play_for(1)
      end,
      say = [=[
        From here on steps go deeper.

        {w:limit("likes:{p9}")} likes of p9 a second, over all {w:routers()} routers. They do not talk about it: each has a bucket with its equal
        part. A 429 says how long until its next token: [[Retry-After]].]=],
      predict = { id = "p3-retry-after", kind = "number", unit = "ms", tolerance = 0.5,
        ask = "How many milliseconds lie between two tokens at R0?",
        answer = function(w) return 1000 * w:routers() / w:limit(LIKES) end,
        wrong = { [1.7] = { belief = "routers share one bucket", why = "That would be so if every router took from one bucket, and asked for each token." },
          [600] = { belief = "a rate is a time", why = "So many tokens come in a second, at all routers." } },
        why = "A sixth of {w:limit(\"likes:{p9}\")} a second.",
        hints = { "How many tokens a second are R0's?", "{w:limit(\"likes:{p9}\") // w:routers()}.", "1,000 ms over that." } },
      after = [[
        Our routers say milliseconds. In HTTP the header has whole seconds, or a date: 1 at least.

        Equal parts are right while fans come to all routers alike. With all of them at R0 only {w:limit("likes:{p9}") // w:routers()} a second would pass. Part 5 has a
        cure.]] },

    { id = "come-back", title = "Come back later", deeper = true, show = { "table", "trace:likes:{p9}" },
      enter = function(w)
        afresh(w)
        limited(w)
        w:play_for(0.2)
      end,
      say = [[
        The limit is {w:limit("likes:{p9}")} a second, and {RUSH} likes come within {RUSH_MS} ms. Then it is quiet. Who is answered 429 asks again, three times at
        most.]],
      with = { RUSH = RUSH, RUSH_MS = RUSH_MS, at_random = function() return cells[5][2] end },
      table = function()
        return { title = "of " .. RUSH .. " likes, counted in the end", columns = { "they wait", "counted" }, numbers = { 2 },
          rows = {
            rush_row("give up", "clients none"),
            rush_row("at once", "clients at-once times 3"),
            rush_row("as told, in ms", "clients backoff 1 times 3"),
            rush_row("1, 2, 4 s", "clients backoff 1000 times 3"),
            rush_row("at random, so long", "clients backoff 1000 times 3 jitter"),
          } }
      end,
      predict = { id = "p3-come-back", kind = "choice",
        ask = "Who gets nearly all of them counted?",
        choices = {
          { "Who asks again at once", belief = "who asks first is served", why = "All three tries are over before there are tokens. {cells[2][2]} are counted.",
            holds = function() return cells[2][2] > 0.9 * RUSH end },
          { "Who waits as told, to the millisecond", belief = "Retry-After is a reservation", why = "All who were told the same come for the same token. One gets it.",
            holds = function() return cells[3][2] > 0.9 * RUSH end },
          { "Who waits 1, 2 and 4 s", belief = "to wait is enough", why = "They all wait equally long, and come back as the same crowd.",
            holds = function() return cells[4][2] > 0.9 * RUSH end },
          { "Who waits up to so long, at random", holds = function() return cells[5][2] > 0.9 * RUSH end },
        },
        why = "Chance spreads the crowd over seconds, and each second has {w:limit(\"likes:{p9}\")} tokens.",
        hints = { "When do those come back who were refused together?", "Together, if they all wait equally long.", "Only chance parts them." } },
      after = [=[
        To wait longer each time is [[back-off]]; the random part is [[jitter]]. {at_random()} of {RUSH} for those who have both.]=] },

    { id = "tenant", title = "By owner", deeper = true, show = { "bars", "bucket:nova" },
      enter = function(w)
        afresh(w)
        for n = 9, 12, 3 do
          w:command("tenant nova likes:{p" .. n .. "}")
          w:command("tenant nova post:{p" .. n .. "}")
        end
        flows(w, "p12", 2400, READS_EACH)
        limited(w)
        w:play_for(1)
      end,
      say = [=[
        p9 is limited, and S2 is safe. So nova promotes a second post: p12, on {w:owner("{p12}")}. No key limit knows of it, and {w:owner("{p12}")}
        is at {S3.write_pct}%.

        nova is a [[tenant]]: whoever all those keys belong to. She gets one bucket for all of them, {RATE} requests a second.]=],
      with = { RATE = 1500 },
      predict = { id = "p3-tenant", kind = "choice",
        ask = "What does that do to S3?",
        choices = {
          { "Nothing: p12 has no limit.", belief = "limits are for keys", why = "A tenant's bucket counts whatever is hers, known or new.",
            holds = function() return M.refused_there > 0 end },
          { "It refuses nothing any more.", holds = function() return M.refused_there == 0 and M.fans_there > 0 end },
          { "It sees nothing of nova.", belief = "a limit is a ban", why = "p12 gets what tokens p9 leaves: {m(\"fans_there\")} likes a second.",
            holds = function() return M.fans_there == 0 end },
        },
        why = "Her new post takes tokens from the same bucket, before anybody found it.",
        hints = { "Which bucket does p12 take its tokens from?", "Hers, with p9.", "S3 gets at most what she has left." } },
      run = function(w)
        w:command("limit tenant nova 1500")
        w:play_for(1)
        local before, fans = w.S3.refused, w:acked("likes:{p12}")
        w:play_for(1)
        M.refused_there, M.fans_there = w.S3.refused - before, w:acked("likes:{p12}") - fans
      end,
      after = [[
        S3 serves {m("fans_there")} likes of p12 a second and refuses {m("refused_there")}. A key's limit comes after the key was found. A tenant's limit is there before.]] },

    -- ------------------------------------------------------------------ deeper: waiting

    { id = "in-flight", title = "At one instant", deeper = true, show = { "bars" },
      enter = function(w)
        only_reads(w)
        w:play_for(0.3)
      end,
      say = [=[
        For once S2 can serve every read, {S2.reads} a second, and nobody likes anything. Each read keeps S2 busy for {QUERY_MS} ms.

        [[Little's law]]: what is inside equals how many come in a second, times how long each stays. It holds where as many leave as come.]=],
      with = { QUERY_MS = QUERY_MS, LOOKS = LOOKS },
      predict = { id = "p3-little-5", kind = "number", unit = "reads", tolerance = 1,
        ask = "How many reads does S2 hold at one instant, on average?",
        answer = function(w) return w.S2.reads * QUERY_MS / 1000 end,
        wrong = { [1860] = { belief = "rate over time", why = "Times, not divided by: what comes in while one of them is inside." },
          [9300] = { belief = "a rate is a number of requests", why = "So many come in a second, and each stays for a two-hundredth of it." } },
        why = "{S2.reads} times 0.005.",
        hints = { "5 ms are 0.005 seconds.", "Rate times time.", "{S2.reads} x 0.005." } },
      run = function(w) M.flight = mean_in_flight(w) end,
      after = [[
        In {LOOKS} looks routers waited for {decimals(m("flight"), 1)} on average. By the law {decimals(S2.reads * QUERY_MS / 1000, 1)} of these are in S2. The others are on their way:
        {decimals(m("flight") - S2.reads * QUERY_MS / 1000, 1)} of {S2.reads} a second, so {decimals(1000 * m("flight") / S2.reads - QUERY_MS, 1)} ms each.]] },

    { id = "half-a-second", title = "Half a second", deeper = true, show = { "bars" },
      enter = function(w)
        only_reads(w)
        w:play_for(0.3)
      end,
      say = [[
        The network has a bad minute. S2 serves every read as before. But each message is held up, and from a router's ask to the client's answer
        half a second passes, on average.]],
      with = { ASKED = READERS + #NEIGHBOURS * READS_EACH },
      predict = { id = "p3-little-500", kind = "number", unit = "reads", tolerance = 60,
        ask = "{ASKED} reads a second still come and go. How many are under way at one instant?",
        answer = function() return (READERS + #NEIGHBOURS * READS_EACH) // 2 end,
        wrong = { [46.5] = { belief = "a rate decides alone", why = "That was at 5 ms. They stay a hundred times as long." },
          [9300] = { belief = "all of a second are inside", why = "Each is under way for half a second, so half of a second's reads are." } },
        why = "{ASKED} x 0.5: a hundred times what it was at 5 ms.",
        hints = { "Rate times time, again.", "500 ms are half a second.", "Half of {ASKED}." } },
      run = function(w)
        w:command("network delay 100% 330") -- three messages, 165 ms each on average
        w:play_for(1)
        M.flight = mean_in_flight(w)
        w:command("network calm")
      end,
      after = [[
        {round(m("flight"))} were counted, {ASKED // 2} by the law. Each holds a connection and some memory, at its router too. That is how one slow shard
        fills all that ask it.]] },

    { id = "a-queue", title = "Waiting in line", deeper = true, show = { "bars", "trace:post:{p1}" },
      enter = function(w)
        afresh(w)
        w:command("ceiling S2 1000 3000 1500")
        w:play_for(1)
      end,
      say = [[
        Back to 3,000 reads a second. But S2 does not refuse at once: it lets {Q} reads wait in line, and as many
        writes. Only what finds the line full is refused. Somebody opens p1. (Space passes over the wait.)]],
      with = { Q = 1500, growth = READERS + #NEIGHBOURS * READS_EACH - 3000 },
      predict = { id = "p3-queue-wait", kind = "number", unit = "ms", tolerance = 20,
        ask = "How long does she wait, once she is let into the line?",
        answer = function(w) return round(w.last.ms) end,
        wrong = { [5] = { belief = "a query takes what it takes", why = "The query does. The line before it is {Q} long." },
          [1500] = { belief = "the line moves one a millisecond", why = "3,000 a second leave it: three a millisecond." },
          [0] = { belief = "small posts pass first", why = "The line is first come, first served." } },
        why = "The line is {Q} long and 3,000 a second leave it: Little's law, turned around.",
        hints = { "How many leave the line in a second?", "3,000. So {Q} leave it in ...", "half a second." } },
      run = function(w)
        for _ = 1, 30 do -- two of three are still refused
          w:send("read", "post:{p1}", "R0")
          w:play_answered()
          if w.last.outcome == "OK" then break end
        end
      end,
      after = [[
        {decimals(last.ms)} ms. Of what is let in 3,000 come and 3,000 leave: the law holds. Were nothing refused, the line would grow by {growth} each second, and no law could say
        how long it is. A line helps in a short rush.]] },

    -- ------------------------------------------------------------------ deeper: retries

    { id = "again", title = "Break it: ask again", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        Apps are written to try again. Here each that is refused asks again at once, up to three times.

        People want {S2.writes + S2.reads} things a second of S2, and it can serve {S2.write_ceiling + S2.read_ceiling}.]],
      predict = { id = "p3-amplified", kind = "choice",
        ask = "How many asks reach S2 for each of these?",
        choices = {
          { "One", belief = "a retry replaces the request", why = "The first ask was made, and answered. The next one comes on top.",
            holds = function(w) return per_wish(w) < 1.5 end },
          { "About two", belief = "the second try mostly works", why = "It meets the same crowd, and now with everybody's second tries. Most fail again.",
            holds = function(w) return per_wish(w) >= 1.5 and per_wish(w) < 2.5 end },
          { "More than three", holds = function(w) return per_wish(w) >= 3 end },
        },
        why = "Most are refused each time, so most ask three times more.",
        hints = { "How many asks at least, how many at most?", "One, and four. Most are refused each time.", "And the more ask again, the more are refused." } },
      run = function(w)
        w:command("clients at-once times 3")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
        M.at_once = per_wish(w)
      end,
      after = [=[
        {S2.writes + S2.reads + m("repeats")} asks a second, {per_wish(w)} for each wish. This is [[retry amplification]]. With limits on it is the routers that
        pay: they answer all these 429.]=] },

    { id = "for-nothing", title = "What it bought", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("clients at-once times 3")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      say = [[
        {S2.writes + S2.reads + m("repeats")} asks instead of {S2.writes + S2.reads}. Each second S2 served {m("served")}.]],
      predict = { id = "p3-bought", kind = "choice",
        ask = "How much more is served thanks to the retries?",
        choices = {
          { "Nothing.", holds = function(w) return math.abs(M.served - M.served_none) < 100 end },
          { "About as many as failed before.", belief = "a retry helps in the end",
            why = "It helps the one who asks, at the cost of somebody else. S2 serves 4,000 a second, and it did before.",
            holds = function() return M.served > M.served_none * 1.5 end },
          { "Less: S2 is worn out.", belief = "refusing is costly here",
            why = "In this cluster a refusal is free. In others it is not, and then it would be less.",
            holds = function() return M.served < M.served_none * 0.9 end },
        },
        why = "The ceiling was reached before. Retries change who is served, and not how many.",
        hints = { "How many could S2 serve before?", "1,000 writes and 3,000 reads, and it did.", "The ceiling is the same." } },
      run = function(w)
        local f = w:fork()
        f:command("clients none")
        f:play_for(0.2)
        local before = f.S2.served
        f:play_for(1)
        M.served_none = f.S2.served - before
      end,
      after = [[
        {m("served")} with retries, {m("served_none")} without.]] },

    { id = "back-off", title = "With patience", deeper = true, show = { "table", "bars" }, enter = afresh,
      say = [[
        Back-off with a random part cured the rush. Now it is p9 all evening: S2 is asked for more than it can serve in every second. They wait up to
        100, 200 and 400 ms, at random, before they ask again.]],
      table = function()
        return { title = "asks for each wish, and what is served", columns = { "clients", "asks", "served" }, numbers = { 2, 3 },
          rows = { patient("give up", "clients none"), patient("at once", "clients at-once times 3"), patient("back-off", "clients backoff 100 times 3"),
            patient("and at random", "clients backoff 100 times 3 jitter") } }
      end,
      predict = { id = "p3-back-off", kind = "choice", confidence = true,
        ask = "At once it was {m(\"at_once\")} asks for each wish. And now?",
        choices = {
          { "About one: the crowd is spread.", belief = "waiting makes load go away", why = "It is spread into seconds that are just as full.",
            holds = function() return cells[4][2] < 1.5 end },
          { "About half as many.", belief = "slower clients ask less", why = "Each asks later, and as often: until it is served, or has tried four times.",
            holds = function() return cells[4][2] >= 1.5 and cells[4][2] < 3 end },
          { "As many as before.", holds = function() return cells[4][2] >= 3 end },
        },
        why = "Every second brings its own crowd, and those of the seconds before.",
        hints = { "When do they ask again?", "A moment later, when S2 is as full as before.", "Nothing tells them to ask less often." } },
      after = [[
        {cells[4][2]}. Waiting parts a short rush. Against a lasting one only fewer tries help, a limit, or less that is wanted.]] },

    { id = "a-budget", title = "A budget", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("clients at-once times 3")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      say = [=[
        Retries are good when a failure is rare. A [[retry budget]] keeps that: repeats may be at most so many percent of first
        asks. Now there is none, and {per_wish(w)} asks come for each wish.

        Press : and type `clients at-once times 3 budget 50`, with a better number.]=],
      try = { ask = "Bring it to at most 1.25 asks for each wish.",
        goal = function(w)
          local f = w:fork()
          f:play_for(0.2)
          local before = f:clients().repeats
          f:play_for(0.2)
          return 5 * (f:clients().repeats - before) <= 0.25 * (w.S2.writes + w.S2.reads)
        end,
        solution = { "clients at-once times 3 budget 10" },
        hints = { "The budget is in percent of first asks.", "1.25 asks: what part of a first ask is repeated?", "Up to 20 will do; 10 is a usual number." } } },

    -- ------------------------------------------------------------------ deeper: the cascade

    { id = "too-late", title = "In the line", deeper = true, show = { "bars", "trace" },
      enter = function(w)
        afresh(w)
        w:command("ceiling S2 1000 3000 " .. QUEUE)
        w:command("patience " .. PATIENCE .. " " .. PATIENCE + 1)
      end,
      say = [=[
        S2 lets {QUEUE} reads and {QUEUE} writes wait. And routers have a [[timeout]]: they wait {PATIENCE} ms for a shard, then tell
        the client that it failed. S2 does not hear of that, and works through its line.]=],
      with = { QUEUE = QUEUE, PATIENCE = PATIENCE },
      predict = { id = "p3-too-late", kind = "choice", confidence = true,
        ask = "Of all that S2 serves now, how much reaches a client in time?",
        choices = {
          { "Nothing.", holds = function(w) return M.fans + M.near == 0 end },
          { "About half.", belief = "a timeout cuts the slow half",
            why = "There is no fast half. The line is full, and everybody stands in it equally long.",
            holds = function() return M.fans + M.near > 0 and M.fans + M.near <= 500 end },
          { "Most: S2 is as fast as before.", belief = "a busy shard is a useful shard",
            why = "S2 works at full speed, on requests that were given up while they stood in line.",
            holds = function() return M.fans + M.near > 500 end },
        },
        why = "The line takes {QUEUE * 1000 // 3000} ms or more. Whoever is served was given up before.",
        hints = { "How long does a read stand in a line of {QUEUE}, at 3,000 a second?", "{QUEUE * 1000 // 3000} ms. And a router waits {PATIENCE}.", "Compare the two." } },
      run = function(w)
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        S2 served {m("served")} this second. Likes that were answered in time: {m("fans") + m("near")}.]] },

    { id = "cascade", title = "And again", deeper = true, show = { "bars", "trace" },
      say = [[
        Nobody got an answer. So the apps try again, three times at most, at once. And p1, p5 and p13 do, too.]],
      predict = { id = "p3-cascade", kind = "number", unit = "times", tolerance = 0.15,
        ask = "How many asks come for each wish now?",
        answer = function(w) return per_wish(w) end,
        wrong = { [3] = { belief = "three tries in all", why = "Three more, after the first." },
          [3.3] = { belief = "some get through", why = "They did when S2 refused at once. Now nobody is in time, and all try to the end." } },
        why = "Every try fails, so everybody uses all: one, and three more.",
        hints = { "Who is served in time?", "Nobody, so nobody stops early.", "The first, and three more." } },
      run = function(w)
        w:command("clients at-once times 3")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [=[
        {S2.writes + S2.reads + m("repeats")} asks a second. A key that is asked for 100 times as often as usual comes as 400 times. This is a [[cascade]]:
        each step makes the next one worse.]=] },

    { id = "declared-dead", title = "Declared dead", deeper = true, show = { "bars", "slot_map" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
        M.fresh = w.S2.write_pct
      end,
      say = [=[
        S2 answers nobody, so whoever watches it takes it for dead. [[Failover]]: all of its slots go to S3, which is well. Its clients ask
        nothing twice any more.]=],
      predict = { id = "p3-declared-dead", kind = "choice",
        ask = "What becomes of it?",
        choices = {
          { "S3 serves all: it is not ill.", belief = "a fresh shard is a cure",
            why = "The load did not die with S2. It was the load that was ill.",
            holds = function(w) return w.S3.write_pct <= 100 end },
          { "S3 is as ill as S2 was.", holds = function(w) return w.S3.write_pct > M.fresh end },
          { "Each has half, and is over.", belief = "two shards share it",
            why = "S2 is out. S3 has all of it, and its own.",
            holds = function(w) return w.S3.write_pct > 100 and w.S3.write_pct < M.fresh end },
        },
        why = "What S2 was asked for, and what S3 had.",
        hints = { "What does S3 take over?", "{S2.write_pct}% of a ceiling.", "And it has {S3.write_pct}% of its own." } },
      run = function(w)
        w:move(2 * CELL // 4, 3 * CELL // 4 - 1, "S3")
        w:play_for(1)
      end,
      after = [[
        {S3.write_pct}%. Now the posts of S3 suffer, and it is the next to be declared dead. In many stores a copy takes over
        that has only these slots: it would be at {m("fresh")}%. A slow shard is not a dead one, and a hot key goes where its slot goes.]] },

    { id = "breaker", title = "A circuit breaker", deeper = true, show = { "trace:likes:{p1}", "bars" },
      enter = function(w)
        spread(w, 4)
        afresh(w)
        w:command("breaker on")
        w:play_for(1)
        M.open, M.router = 0, "R0"
        for i = 0, w:routers() - 1 do
          if w:breaker("R" .. i, "S2") == "open" then M.open, M.router = M.open + 1, "R" .. i end
        end
      end,
      say = [=[
        A [[circuit breaker]] stands in each router, one for each shard. When half of the answers in a second fail, it
        opens: for a second the router asks that shard nothing. Then it lets one ask pass, to see.]=],
      predict = { id = "p3-breaker", kind = "choice",
        ask = "{m(\"router\")}'s breaker for S2 is open. A like of p1 comes to {m(\"router\")}. What happens?",
        choices = {
          { "An error, at once.", holds = function(w) return w.last.asks == 0 and w.last.outcome ~= "OK" and w.last.ms < 5 end },
          { "It passes: p1 is not hot.", belief = "a breaker protects the innocent",
            why = "A breaker knows shards, and no keys.", holds = function(w) return w.last.asks > 0 end },
          { "It waits until it closes.", belief = "a breaker is a queue",
            why = "It exists so that nobody waits.", holds = function(w) return w.last.ms > 500 end },
        },
        why = "All of S2 is cut off, so that S2 can breathe and nobody waits in vain.",
        hints = { "What does a breaker know?", "Which shard failed how often.", "p1 is on S2." } },
      run = function(w)
        w:send("like", "likes:{p1}", M.router)
        w:play_answered()
      end,
      after = [[
        {last.outcome}, after {last.ms} ms, and no shard was asked. The breakers of {m("open")} of {w:routers()} routers are open; what these keep away leaves room for the
        others. And p1 pays again.]] },

    { id = "shedding", title = "Shedding", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        out_of_step(w)
        w:command("shed 8")
      end,
      say = [=[
        [[Load shedding]]: a router has at most 8 requests in hand, and answers the rest [[503]]: too busy. It keeps the last places
        for likes: a read can be made later, or answered from elsewhere; a like is what somebody did.

        S0 holds no hot key.]=],
      predict = { id = "p3-shedding", kind = "choice",
        ask = "What becomes of requests for S0?",
        choices = {
          { "All are served, as before.", belief = "a router keeps shards apart",
            why = "The 8 places are for all shards. p9 fills them.",
            holds = function() return M.other >= 590 end },
          { "Some are turned away.", holds = function() return M.other > 10 and M.other < 590 end },
          { "Nearly none is served.", belief = "a full router is a dead router",
            why = "A place is free again after some milliseconds, and whoever comes then gets it.",
            holds = function() return M.other <= 10 end },
        },
        why = "A router that is full of p9 has no place for S0 either.",
        hints = { "Whose are the 8 places?", "Anybody's, for any shard.", "p9 takes most of them, most of the time." } },
      run = function(w)
        w:play_for(1)
        local before, turned = counts(w), w:turned()
        w:play_for(1)
        keep(before, counts(w))
        M.shed_reads, M.shed_likes = w:turned().shed_reads - turned.shed_reads, w:turned().shed_writes - turned.shed_writes
      end,
      after = [[
        {m("other")} of 600 requests of S0 were served. Of all posts {m("shed_reads")} reads were turned away, and {m("shed_likes")} likes. Shedding saves the router, and does not
        ask who is to blame.]] },

    { id = "isolation", title = "Isolation", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        out_of_step(w)
        w:command("tenant nova " .. LIKES)
        w:command("tenant nova " .. POST)
        w:command("shed 8")
      end,
      say = [=[
        The same 8 places. Now at most 30% of them may be taken by nova, whoever else is there: [[isolation]]. Each gets a part, and
        nobody can take it all.]=],
      predict = { id = "p3-isolation", kind = "number", tolerance = 10,
        ask = "How many of the 150 likes of the neighbours get through?",
        answer = function() return M.near end,
        wrong = { [59] = { belief = "a part is too small to matter", why = "So it was without a bound. nova now reaches S2 with less than it can take." },
          [45] = { belief = "30% is for everybody", why = "The bound is nova's. Nobody else has one." },
          [105] = { belief = "the rest is what nova leaves", why = "They are few. What nova may not take is more than they need." } },
        why = "nova can no longer fill the routers, nor S2.",
        hints = { "Whom does the bound hold for?", "nova alone.", "There is room for all others." } },
      run = function(w)
        w:command("share nova 30")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        {m("near")} of 150, and {m("other")} of 600 for S0: now and then all 8 places are taken by chance. The fans of p9 get {m("fans")}.]] },

    { id = "hedging", title = "Ask twice?", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [=[
        [[Hedging]]: when an answer is later than, say, 95 of 100, the same question is asked a second time, and the first answer wins. It
        helps where slowness is bad luck. S2 is late because it is asked too much.]=],
      predict = { id = "p3-hedge", kind = "choice",
        ask = "Where does a second question get more readers an answer?",
        choices = {
          { "At S2 again", belief = "a second ticket wins more often",
            why = "Everybody has two tickets then. Of twice as many questions S2 serves {m(\"twice\")}, as before.",
            holds = function() return M.twice > M.once * 1.1 end },
          { "At S3, which idles", belief = "any shard can answer",
            why = "S3 does not have p9. It would answer MOVED.",
            holds = function(w) return w:owner(POST) == "S3" end },
          { "At another copy of S2", holds = function() return M.copies > M.once * 1.1 and M.twice <= M.once * 1.1 end },
        },
        why = "Never ask the one that is overloaded. Another copy may be free, if there is one.",
        hints = { "Why is S2 late?", "It is not bad luck.", "Who else could know the answer, and has time?" } },
      run = function(w)
        M.once = w.S2.reads_ok
        local f = w:fork()
        flows(f, "p9", FANS, 2 * READERS)
        for _, post in ipairs(NEIGHBOURS) do flows(f, post, LIKES_EACH, 2 * READS_EACH) end
        f:play_for(0.2)
        M.twice = f.S2.reads_ok
        f = w:fork()
        f:command("replicas S2 4")
        f:command("reads " .. POST .. " replicas")
        f:play_for(1)
        M.copies = f.S2.reads_ok
      end,
      after = [[
        S2 alone serves {m("once")} reads, asked once or twice; with three copies beside it {m("copies")}. And hedge only what may be done twice: a like that is
        asked for twice is counted twice, unless the shard remembers it.]] },

    { id = "what-stops-it", title = "What stops it?", deeper = true, show = { "table", "bars" },
      enter = afresh,
      say = [[
        The cascade once more: a long line, a short timeout, three retries. Each row has one remedy and nothing else, from before p9 takes
        off.]],
      table = function()
        return { title = "asks at S2, and neighbours' likes", columns = { "remedy", "asks", "likes" }, numbers = { 2, 3 },
          rows = {
            remedy("none", {}),
            remedy("budget 10%", { "clients at-once times 3 budget 10" }),
            remedy("breaker", { "breaker on" }),
            remedy("limits for p9", LIMITS),
            remedy("isolation", ISOLATED),
            remedy("no line at S2", { "ceiling S2 1000 3000" }),
            remedy("limits, later", LIMITS, true),
          } }
      end,
      predict = { id = "p3-what-stops-it", kind = "several",
        ask = "Which save all 150 likes of the neighbours? Choose all.",
        choices = {
          { "A retry budget", belief = "retries are the cause",
            why = "They feed it. But the first asks alone are too many, and all of them come too late.",
            holds = function() return cells[2][3] >= 147 end },
          { "A circuit breaker", belief = "a breaker protects the innocent",
            why = "It opens for the whole shard. Those who ask for p1 are turned away as well.",
            holds = function() return cells[3][3] >= 147 end },
          { "Limits for p9", why = "They take away what p9 asks of S2 beyond its part.", holds = function() return cells[4][3] >= 147 end },
          { "Isolation of nova", why = "Her part of the routers bounds what reaches S2.", holds = function() return cells[5][3] >= 147 end },
          { "No line at S2", belief = "the line is the cause",
            why = "Then S2 answers in time. It is asked too much all the same, and refuses without looking at names.",
            holds = function() return cells[6][3] >= 147 end },
        },
        why = "What bounds p9 itself helps. What treats all of S2 alike does not.",
        hints = { "Which of them know of p9, or of nova?", "A budget, a breaker and a line treat all alike.", "Two of the five." } },
      after = [[
        The last row sets the limits when the line is full already: {cells[7][3]} likes. Who gave up asks again and keeps it full; first it must be emptied. In practice:
        a short line, a budget, and in time one of the two that name the culprit.]] },

    -- ------------------------------------------------------------------ deeper: cells

    { id = "cells", title = "Small worlds", deeper = true, show = { "table" },
      say = [=[
        Eight machines, nova and {#NAMES} other tenants. nova takes down every machine that she uses. Three ways to share them:

        [[Cells]]: four pairs, and each tenant lives in one. [[Shuffle sharding]]: each tenant gets two of the eight, drawn by its
        name.]=],
      with = { NAMES = TENANTS, cells = STRUCK.cells, shuffled = STRUCK.shuffled },
      table = function()
        return { title = "of 1,000 tenants lose all, half, none", columns = { "way", "all", "half", "none" }, numbers = { 2, 3, 4 },
          rows = { struck_row("shared", "all share all"), struck_row("cells", "4 cells of 2"), struck_row("shuffled", "shuffled, 2 of 8") } }
      end,
      predict = { id = "p3-shuffle", kind = "number", unit = "tenants", tolerance = 20,
        ask = "Shuffled: about how many lose both of their machines?",
        answer = function() return STRUCK.shuffled.all end,
        wrong = { [250] = { belief = "shuffling is like cells", why = "In a cell everybody shares both. Here only who drew the very same pair does." },
          [500] = { belief = "one machine lost is all lost", why = "Many share one of her two, and have another one left." },
          [125] = { belief = "one in eight", why = "Both must be the same. Eight machines make 28 pairs." } },
        why = "Eight machines make 28 pairs. One in 28 has hers.",
        hints = { "They lose both if they drew the same pair as nova.", "How many pairs do eight machines make?", "28: so about 36." } },
      after = [[
        {shuffled.all}, where cells lose {cells.all}. The price: {shuffled.some} lose one of two, so either must be able to serve them alone. Routers can. Our shards each own their data: for them
        it takes copies on both.]] },

    -- ------------------------------------------------------------------ deeper: how uneven

    { id = "hotspot-factor", title = "Hotspot factor", deeper = true, show = { "bars" }, enter = afresh,
      say = [=[
        One number for it: the [[hotspot factor]], the busiest shard over the average one. S2 has {S2.writes} writes, the average of four is
        {decimals(cluster.writes / 4, 1)}: {decimals(factor(w, 4), 2)}.

        Books say: under 5, copies will do; over 20 the key itself must be treated.]=],
      predict = { id = "p3-factor", kind = "number", unit = "times", tolerance = 0,
        ask = "On four shards, how large can the factor be at most?",
        answer = function(w)
          local f = w:fork()
          for n = 1, 16 do flows(f, "p" .. n, 0, 0) end
          f:flow("like", LIKES, 1000, "scattered")
          return f.S2.writes / (f.cluster.writes / f:shards())
        end,
        wrong = { [20] = { belief = "a factor has no limit", why = "Let one of the four have everything. The average is a quarter of it." },
          [5] = { belief = "the books' line can be reached anywhere", why = "One shard has all, and the average counts it too: a quarter." },
          [100] = { belief = "a factor is a percentage", why = "It compares two rates. With everything on one of four it is all over a quarter." } },
        why = "Everything on one shard, over a quarter of everything.",
        hints = { "Let S2 have everything, the others nothing.", "What is the average then?", "A quarter of it all." } },
      after = [[
        So those lines are for large clusters. Here p9's {decimals(factor(w, 4), 1)} looks harmless. But S2 is at {S2.write_pct}%, and copies take no likes. On few shards
        look at utilisation.]] },

    { id = "factor-64", title = "More shards", deeper = true, show = { "table", "bars" },
      table = function()
        return { title = "writes a second", columns = { "shards", "p9's", "average", "factor" }, numbers = { 2, 3, 4 },
          rows = { uneven(4), uneven(16), uneven(64) } }
      end,
      say = [[
        The same evening on 64 shards. No user sees any difference in p9, which is at {shard_of_p9(with_shards(w, 64)).write_pct}% there.]],
      predict = { id = "p3-factor-64", kind = "choice",
        ask = "What becomes of the factor?",
        choices = {
          { "It falls: the neighbours left.", belief = "more shards are more even", why = "The busiest hardly changes, and the average falls to a sixteenth.",
            holds = function(w) return factor(w, 64) < factor(w, 4) - 0.1 end },
          { "It stays near 3.", belief = "the factor belongs to the key", why = "It compares with an average, and that has changed.",
            holds = function(w) return math.abs(factor(w, 64) - factor(w, 4)) <= 0.1 end },
          { "It is beyond 20.", holds = function(w) return factor(w, 64) > 20 end },
        },
        why = "The average is 16 times smaller, p9 is as large as ever.",
        hints = { "What happens to the average?", "It is shared by 64.", "A sixteenth, and p9 is whole." } },
      after = [[
        {decimals(factor(w, 64), 1)}. The more shards, the worse a hot key looks beside them.]] },

    { id = "at-scale", title = "A tenth", deeper = true, show = { "table" },
      say = [[
        A large store: {MANY} partitions, {ALL} reads a second. One key gets a tenth of these. The hash is good: without that key all
        partitions would be alike.]],
      with = { MANY = MANY, ALL = ALL_READS },
      table = function()
        local function row(n)
          return { label = grouped(n), cells = function() return { round(ALL_READS / n, 1), round(0.1 * n, 1), round(0.01 * n, 2) } end }
        end
        return { title = "reads of an average partition; factors", columns = { "partitions", "average", "a tenth", "1 in 100" }, numbers = { 1, 2, 3, 4 },
          rows = { row(8), row(80), row(MANY) } }
      end,
      predict = { id = "p3-at-scale", kind = "number", unit = "times", tolerance = 1,
        ask = "How many times the average partition is that key alone?",
        answer = function() return 0.1 * ALL_READS / (ALL_READS / MANY) end,
        wrong = { [10] = { belief = "a share is a factor", why = "It has a tenth of everything. A partition has one of {MANY} parts." },
          [60] = { belief = "a tenth is one in a hundred", why = "That would be a key with a hundredth of the reads." } },
        why = "Its share of the reads, times the number of partitions.",
        hints = { "How many reads has an average partition?", "{decimals(ALL / MANY, 1)}.", "{ALL // 10} over that." } },
      after = [[
        On {MANY} partitions: {decimals(0.1 * MANY)} times. On 8 nobody notices. Growth finds hot keys that were always there.]] },

    { id = "a-slip", title = "Which average?", deeper = true, show = { "table" },
      say = [[
        A report says: 12 caches, {EACH} reads a second each. Then one product brings {HOT} more to one of them. "Hotspot factor
        {decimals((EACH + HOT) / EACH, 1)}."]],
      with = { EACH = 50000, HOT = 180000 },
      table = function()
        return { title = "one cache with 230,000 reads", columns = { "average of", "reads", "factor" }, numbers = { 2, 3 },
          rows = { { label = "before", cells = { "50,000", decimals(230000 / 50000, 2) } },
            { label = "today", cells = { "65,000", decimals(230000 / 65000, 2) } } } }
      end,
      predict = { id = "p3-slip", kind = "number", unit = "times", tolerance = 0.05,
        ask = "The report took the average from before. What is the factor by the definition, with today's average?",
        answer = function() return round(230000 / ((12 * 50000 + 180000) / 12), 2) end,
        wrong = { [4.6] = { belief = "the average is what it was", why = "That is the report's number. Today's average counts today's load." },
          [3.6] = { belief = "only the new load counts", why = "The cache has its {EACH} of before as well." } },
        why = "230,000 over 65,000.",
        hints = { "How many reads do all 12 get today?", "12 x 50,000, and 180,000.", "780,000 over 12 is 65,000." } },
      after = [[
        {decimals(230000 / 65000, 2)}. Both are below 5, and that cache was at its end. Say which average you mean.]] },

    -- ------------------------------------------------------------------ deeper: what a sketch knows

    { id = "error-bound", title = "What a sketch knows", deeper = true, show = { "top" },
      enter = function(w)
        afresh(w)
        flows(w, "p9", 300, 300)
        w:command("flow read old:* 6000 scattered over 300")
        w:command("sample 10 5000")
        w:play_for(6)
      end,
      say = [=[
        A router has 64 cells, for the keys of all shards. Tonight hundreds of old posts are asked for. A key without a cell takes
        the one with the lowest sum: it counts from 0, and keeps that sum as its *error*. This is a [[sketch]].

        One key: {cell(w).requests} counted, error {cell(w).error}.]=],
      with = { cell = loosest },
      predict = { id = "p3-error", kind = "choice",
        ask = "How often was it in the sample?",
        choices = {
          { "Exactly {cell(w).requests} times", belief = "a sketch counts", why = "That would need a cell for each key. It may have come before it got one.",
            holds = function(w) return loosest(w).error == 0 end },
          { "{cell(w).requests} to {cell(w).requests + cell(w).error} times", holds = function(w) return loosest(w).error > 0 end },
          { "0 to {cell(w).requests} times", belief = "an error takes away",
            why = "What was counted has been seen. Only what came before is unknown.",
            holds = function() return false end },
        },
        why = "What is counted was seen. What came before it had a cell is at most the sum that was there.",
        hints = { "Can a count be too high here?", "Each count was a request.", "Too low, by at most the error." } },
      after = [[
        p9: {hottest(w).requests}, error {hottest(w).error}. A hot key gets a cell early and keeps it. This is Space-Saving; many tools print the sum of the two, and the error to
        take off.]] },

    -- ------------------------------------------------------------------ the placement check

    { id = "check-shards", title = "64 shards", check = true, show = { "bars" },
      enter = afresh,
      say = [[
        p9 is asked for {FANS} likes a second, and its shard takes 1,000. Slots are dealt to 64 shards instead of 4.]],
      with = { FANS = FANS },
      predict = { id = "p3-check-shards", kind = "number", unit = "%", tolerance = 3,
        ask = "How high is the utilisation of the one with p9?",
        answer = function(w) return shard_of_p9(with_shards(w, 64)).write_pct end,
        wrong = { [16] = { belief = "more shards, smaller pieces", why = "One key is on one shard." } },
        why = "One key stays whole." } },

    { id = "check-neighbours", title = "Neighbours", check = true, show = { "bars" },
      enter = afresh,
      say = [[
        S2 is at {S2.write_pct}%. Of its likes p1, p5 and p13 get 150 a second.]],
      predict = { id = "p3-check-neighbours", kind = "choice",
        ask = "How many of these are counted?",
        choices = {
          { "All 150", belief = "a shard refuses the guilty key", why = "S2 does not look at names.", holds = function() return near(M.near, 150) end },
          { "About 60", holds = function() return M.near > 40 and M.near < 80 end },
          { "None", belief = "the crowd takes all", why = "Each has the same chance.", holds = function() return M.near == 0 end },
        },
        why = "1,000 of {S2.writes}, the same for all." },
      run = function(w)
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end },

    { id = "check-kind", title = "The third line", check = true, show = { "bars", "top" },
      enter = function(w) other_evening(w, { { "p14", 60, 3000 } }) end,
      say = [[
        S1 is at {S1.write_pct}% of its writes and {S1.read_pct}% of its reads. p14 is liked and read more than its neighbours there.]],
      predict = { id = "p3-check-kind", kind = "choice",
        ask = "What is p14 reported for?",
        choices = kinds(function(w) return reported(w).kind end, {
          writes = { "a busy shard is busy with writes", "Those are far below their ceiling." },
          both = { "a large share is enough", "The writes are far below their ceiling." },
        }),
        why = "Only where its shard is over 70% of a ceiling." } },

    { id = "check-limit", title = "A limit", check = true, show = { "bars" },
      enter = afresh,
      say = [[
        Routers let 600 likes and 2,000 reads of p9 a second pass, and answer the rest 429.]],
      predict = { id = "p3-check-limit", kind = "choice",
        ask = "Who gains?",
        choices = {
          { "Its fans", belief = "a limit serves the hot key", why = "Fewer of them get through than before.", holds = function() return M.fans > 900 end },
          { "Its neighbours", holds = function() return near(M.near, 150) and M.fans < 700 end },
          { "Nobody", belief = "a refusal costs the same anywhere", why = "What is refused at a router takes no token of S2.",
            holds = function() return M.near < 100 end },
        },
        why = "It protects neighbours, and serves no fan." },
      run = function(w)
        limited(w)
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end },
  },
}
