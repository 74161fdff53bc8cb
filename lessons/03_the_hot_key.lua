-- Part 3. Core path: one post goes viral, who pays for it, why shards do not help, how the key is
-- found and reported, and what a limit is worth. Deeper: waiting and Little's law, retries and the
-- cascade with what stops it, cells, what to watch, the hotspot factor, and the key found alone.

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

local function flows(w, post, likes, reads, how)
  w:flow("like", "likes:{" .. post .. "}", likes, how or "scattered")
  w:flow("read", "post:{" .. post .. "}", reads, how or "scattered")
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
  whole(w)
  for _, command in ipairs {
    "limit key " .. LIKES .. " none", "limit key " .. POST .. " none", "limit tenant nova none",
    "clients none", "breaker off", "shed off", "share nova off", "patience 0 0", "ceiling S2 1000 3000",
    "ceiling S0 1000 3000", "flow read old:* 0 over 300", "limit key post:{p6} none",
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

-- The shard of p9 over the average of n shards, in writes.
function factor(w, n)
  local f = with_shards(w, n)
  return shard_of_p9(f).writes / (f.cluster.writes / n)
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

-- Whether the cascade with this added lets all of the neighbours' likes through.
local function saved(w, ...)
  local f = w:fork()
  cascading(f)
  for _, command in ipairs { ... } do f:command(command) end
  f:play_for(0.3)
  local before = near_likes(f)
  f:play_for(1)
  return near_likes(f) - before >= #NEIGHBOURS * LIKES_EACH - 3
end

local START = {}
local function remedy(label, ...)
  local commands = { ... }
  return { label = label, run = function(f)
    afresh(f)
    cascading(f)
    for _, command in ipairs(commands) do f:command(command) end
    f:play_for(0.5)
    START[label] = counts(f)
    f:play_for(1)
  end, cells = function(f)
    local now, was = counts(f), START[label]
    return { now.served + now.refused - was.served - was.refused, math.min(now.near - was.near, #NEIGHBOURS * LIKES_EACH) }
  end }
end

-- --- find it ---

-- Another evening: p9 is as quiet as it was, and others are not.
local function other_evening(w, ...)
  afresh(w)
  flows(w, "p9", LIKES_EACH, READS_EACH)
  for _, hot_one in ipairs { ... } do flows(w, hot_one[1], hot_one[2], hot_one[3]) end
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
      say = [[
        One shard takes {cluster.write_ceiling // w:shards()} writes a second: its *ceiling*. Plan for 70% of it. The busiest second of the
        year will bring {soon(w)} writes.]],
      with = { soon = function(w) return with_shards(w, 4).cluster.writes end },
      predict = { id = "p3-recall-count", kind = "number", tolerance = 0,
        ask = "How many shards does Part 2's rule ask for?",
        answer = function(w)
          return math.ceil(with_shards(w, 4).cluster.writes * w:shards() / (w.cluster.write_ceiling * 0.7))
        end,
        wrong = { [4] = { belief = "a ceiling is a plan", why = "Four would do at 100% of each. The rule keeps room: 70%." },
          [3] = { belief = "round to the nearest", why = "Part of a shard is not to be had. Round up, and keep the room." } },
        why = "The writes over 700, rounded up.",
        hints = { "What may one shard be given, at 70%?", "700 writes a second.", "4.5 shards: round up." } },
      after = [[
        Keep that answer. The rule is right, and tonight it will not help: it shares out what can be shared.]] },

    { id = "calm", title = "A quiet evening", show = { "bars" },
      say = [[
        20:00. Sixteen posts, {cluster.writes} likes and {cluster.reads} reads a second. You are on call, and nothing hurts.

        What is asked of a shard over its own ceiling is its *utilisation*. The line beside a bar is the ceiling.]],
      predict = { id = "p3-headroom", kind = "number", unit = "%", tolerance = 1,
        ask = "How high is the utilisation of S2, counted in writes?",
        answer = function(w) return w.S2.write_pct end,
        wrong = { [13] = { belief = "one ceiling for all", why = "That is its reads: 400 of 3,000. Writes have a ceiling of their own." },
          [5] = { belief = "a shard's share of the cluster", why = "That compares with the ceiling of all four. S2 has only its own." } },
        why = "{S2.writes} asked, over 1,000.",
        hints = { "Read the bar of S2 against its line.", "Writes asked for, over the ceiling of writes.", "{S2.writes} of 1,000." } },
      after = [[
        {S2.write_pct}% of its writes, {S2.read_pct}% of its reads, and the same on every shard.]] },

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
          { "Some likes of every post fail.", belief = "load spreads by itself",
            why = "S0, S1 and S3 are asked for what they were always asked for. They have refused nothing.",
            holds = function(w) return w.S0.refused > 0 end },
          { "Only likes of p9 fail.", belief = "a shard refuses the guilty key",
            why = "A shard counts requests, and does not ask for which post. Those of p1, p5 and p13 fail as well.",
            holds = function(w) return w.S2.refused > 0 and near(M.near, M.near_asked) end },
          { "Likes of four posts fail.",
            holds = function(w) return w.S2.refused > 0 and w.S0.refused == 0 and M.near < M.near_asked - 3 end },
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
      after = [[
        A *hot key*: one key that is asked for more than its shard has left. S2 *throttles*: it refuses what is beyond
        its ceiling.]],
      notes = "Vote first. Those who say that it fits have the cluster's average on their side; keep it for the next step." },

    { id = "one-bar", title = "One bar", show = { "bars", "trace" },
      say = [[
        S2 is asked for {S2.write_pct}% of its writes and {S2.read_pct}% of its reads. The cluster: {cluster.write_pct}% and {cluster.read_pct}%. Whoever watches the
        average sees a busy evening.

        Ask S2 why it refuses. In the trace, choose an answer that says so, and press i.]],
      try = { ask = "Open the why of one refusal.", opened = "why",
        hints = { "Tab goes to the trace.", "The arrow keys choose a row; refusals are marked.", "Press i on it." } } },

    { id = "who-pays", title = "Who pays", show = { "bars" },
      say = [[
        p1, p5 and p13 changed nothing. Together they get {#NEAR * EACH} likes a second, as always, on a shard that is asked for
        {S2.writes} and serves 1,000.]],
      with = { NEAR = NEIGHBOURS, EACH = LIKES_EACH },
      predict = { id = "p3-neighbours", kind = "number", tolerance = 12,
        ask = "How many of these are still counted, a second?",
        answer = function() return M.near end,
        wrong = { [150] = { belief = "a shard refuses the guilty key", why = "The bucket of S2 has no names on it. Whoever comes while it is empty is refused." },
          [0] = { belief = "the crowd takes all", why = "Each request has the same chance, whatever its post. It is 1,000 in {S2.writes}." },
          [75] = { belief = "half and half", why = "The chance is the same for all: 1,000 in {S2.writes}, less than a half." } },
        why = "Each has the same chance, 1,000 in {S2.writes}.",
        hints = { "S2 refuses without looking at the post.", "1,000 of {S2.writes} are served.", "150 times 1,000, divided by {S2.writes}." } },
      run = function(w)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        {m("near")} this second, about {round(150 * 1000 / S2.writes)} on average. Their owners share a shard with p9, and that is all they
        did. S2 has {S2.writes - 1000} writes too many, every second.]] },

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
      say = [[
        Utilisation tells *where*: S2. Now *which* key? To count every key is dear. So each router counts one request
        in 100, its *sample*, and after 5 seconds all are added up.]],
      predict = { id = "p3-sample", kind = "number", tolerance = 25,
        ask = "S2 is asked for {S2.writes} writes a second. About how many of them will the sample hold?",
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
        {reported(w).shard_writes}, and {reported(w).writes} of them had the tag p9: {percent(reported(w).writes, reported(w).shard_writes)}. In truth it is {percent(FANS, S2.writes)}. A handful of samples is
        enough for a key that is hot.]],
      with = { FANS = FANS } },

    { id = "the-report", title = "The report", show = { "top", "bars" },
      say = [[
        Three lines name the culprit:

          1 where: a shard over 70% of a
            ceiling. S2
          2 which: a key over 10% of its
            sample. p9, {reported(w).share}%
          3 what: writes, reads? Both]],
      predict = { id = "p3-line", kind = "number", unit = "likes/s", tolerance = 0,
        ask = "Reads left aside: above how many likes a second on p9 does S2 get into the report?",
        answer = function(w) return round(0.7 * w.cluster.write_ceiling / w:shards() - #NEIGHBOURS * LIKES_EACH) end,
        wrong = { [700] = { belief = "a shard holds one key", why = "The neighbours bring 150 of these 700." },
          [850] = { belief = "the report waits for the ceiling", why = "At 850 S2 is full. The report comes at 70%, while there is time." } },
        why = "70% of 1,000, less the 150 of its neighbours.",
        hints = { "70% of the ceiling, in writes?", "700, for the whole shard.", "Its neighbours bring 150." } },
      after = [[
        This is the procedure of this part: where, which, what. Fixes for reads and for writes differ, so the third line
        matters most.]] },

    { id = "what-kind", title = "The third line", show = { "top", "bars" },
      enter = function(w) other_evening(w, { "p14", 60, 3000 }) end,
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
        why = "Only its reads are over the line. A cache will help, and salting would not.",
        hints = { "Which of the two ceilings is in danger?", "Both lines count: 70% of a ceiling, and 10% of that kind.", "Writes are at {S1.write_pct}%." } },
      after = [[
        `{=reported(w).key}`, {reported(w).kind}. The steps at the end leave you one line more each time.]] },

    { id = "admission", title = "20:02:30", show = { "bars", "bucket:likes:{p9}" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        p9 again. Routers now give it a *token bucket*: {KEY} tokens a second for likes. A like takes one. Without a token it is
        answered *429*, and *Retry-After* says when to come back. S2 never hears of it. Reads get {READS}.]],
      with = { KEY = KEY_LIKES, READS = KEY_READS },
      predict = { id = "p3-who-gains", kind = "choice", confidence = true,
        ask = "Who is better off?",
        choices = {
          { "The fans of p9.", belief = "a limit serves the hot key",
            why = "S2 had counted about 1,000 likes in all. Now {KEY} of p9 get through, fewer than before.",
            holds = function() return M.fans > M.fans_before end },
          { "Nobody: no is no.", belief = "a refusal costs the same anywhere",
            why = "What a router turns away takes no token from S2. Those are free for p1, p5 and p13.",
            holds = function() return M.near <= M.near_before and M.fans <= M.fans_before end },
          { "p1, p5 and p13.", holds = function() return near(M.near, #NEIGHBOURS * LIKES_EACH) and M.fans <= M.fans_before end },
        },
        why = "p9 may no longer empty the bucket of S2. What its neighbours ask for fits.",
        hints = { "Whose tokens did the fans use up until now?", "S2 is asked for {KEY} of p9, and 150 beside.", "That is below 1,000." } },
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
      after = [[
        {m("near")} of 150 likes of the neighbours; it was {m("near_before")}. This is *admission*: to refuse early what cannot be served
        anyway.]] },

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
        No limits. You write the policy. p9 should get as much as it can, but S2 must stay at 80% of its writes or less,
        so that a bad minute does no harm.

        Press : and type `limit key likes:{p9} 100`, with your number.]],
      try = { ask = "Give p9 as many likes a second as 80% allows; within 50 will do.",
        goal = function(w)
          local rate = w:limit(LIKES)
          return rate > 0 and rate <= 800 - 150 and rate >= 800 - 200
        end,
        solution = { "limit key likes:{p9} 650" },
        hints = { "80% of 1,000 is for the whole shard.", "p1, p5 and p13 bring 150 of it.", "650, or a little less." } } },
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
          { "A key over 10% of its shard", why = "p9 has {percent(w:asked(\"likes:{p9}\").writes, S2.writes)} of its writes. The sample names it.",
            holds = function(w) return w:asked(LIKES).writes > 0.1 * w.S2.writes end },
          { "Redirects went up", belief = "overload looks like moving", why = "MOVED comes when slots move. None did.",
            holds = function() return M.redirects > 0 end },
          { "A router with an old map", belief = "all trouble is stale maps", why = "All routers have v{directory.version}.",
            holds = function(w) return w.R0.version < w.directory.version or w.R5.version < w.directory.version end },
        },
        why = "Each shard against the mean, and the keys against their shard. The other three find other ills.",
        hints = { "Compare shards with each other.", "Has any slot moved tonight?", "Two of the five." } },
      after = [[
        Watch also the share and the slowest of queries that ask all shards, and each shard's size. And during a move how far the copy
        is.]] },
    { id = "tell-them", title = "Tell them", show = { "bars" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        Your manager asks in the channel: "We are at {decimals(cluster.write_pct)}% and things fail. Shall I order shards?" You have one sentence.]],
      predict = { id = "p3-tell-them", kind = "choice",
        ask = "Which one is true?",
        choices = {
          { "Yes, 79% is too close to the ceiling.", belief = "the average decides",
            why = "With 64 shards the average would be 5%, and p9 at 240%.",
            holds = function(w) return shard_of_p9(with_shards(w, 64)).write_pct <= 100 end },
          { "No: one post fills one shard, and more shards leave it whole. We limit it now, and cache and split its count next.",
            holds = function(w) return shard_of_p9(with_shards(w, 64)).write_pct > 100 end },
          { "No, a bigger machine for S2 and we are done.", belief = "a bigger machine is a cure",
            why = "S2 would have to be three and a half times as big, for one post, until the next one.",
            holds = function(w) return w.S2.read_pct < 100 end },
        },
        why = "Where, which, what, and then what is done about it.",
        hints = { "What would 64 shards change?", "One key is on one shard.", "The sentence names the key, not the cluster." } },
      after = [[
        Say it aloud to somebody who has not taken this part, in your own words. They will ask about the average.]] },

    -- ------------------------------------------------------------------ deeper: limits


    { id = "retry-after", title = "Retry-After", deeper = true, show = { "bucket:likes:{p9}", "trace" },
      enter = function(w)
        afresh(w)
        limited(w)
        w:play_for(1)
      end,
      say = [[
        {w:limit("likes:{p9}")} likes of p9 a second, over all {w:routers()} routers. They do not talk about it: each has a bucket with its equal
        part.

        A 429 says after how many milliseconds there will be a token.]],
      predict = { id = "p3-retry-after", kind = "number", unit = "ms", tolerance = 0.5,
        ask = "How many milliseconds lie between two tokens at R0?",
        answer = function(w) return 1000 * w:routers() / w:limit(LIKES) end,
        wrong = { [1.7] = { belief = "routers share one bucket", why = "That would be so if every router took from one bucket, and asked for each token." },
          [600] = { belief = "a rate is a time", why = "So many tokens come in a second, at all routers." } },
        why = "A sixth of {w:limit(\"likes:{p9}\")} a second.",
        hints = { "How many tokens a second are R0's?", "{w:limit(\"likes:{p9}\") // w:routers()}.", "1,000 ms over that." } },
      after = [[
        A wait that short is no use to {FANS} people: all of them would be back at once. So real answers say seconds, and a random part on
        top.]],
      with = { FANS = FANS } },

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
      say = [[
        p9 is limited, and S2 is safe. So nova promotes a second post: p12, on {w:owner("{p12}")}. No key limit knows of it, and {w:owner("{p12}")}
        is at {S3.write_pct}%.

        nova is a *tenant*: whoever all those keys belong to. She gets one bucket for all of them, {RATE} requests a second.]],
      with = { RATE = 1500 },
      predict = { id = "p3-tenant", kind = "choice",
        ask = "What does that do to S3?",
        choices = {
          { "Nothing: it has no hot key.", belief = "limits are for keys", why = "A tenant's bucket counts whatever is hers, known or new.",
            holds = function() return M.refused_there > 0 end },
          { "S3 refuses nothing any more.", holds = function() return M.refused_there == 0 end },
        },
        why = "Her new post takes tokens from the same bucket, before anybody found it.",
        hints = { "Which bucket does p12 take its tokens from?", "Hers, with p9.", "S3 gets at most what she has left." } },
      run = function(w)
        w:command("limit tenant nova 1500")
        w:play_for(1)
        local before = w.S3.refused
        w:play_for(1)
        M.refused_there = w.S3.refused - before
      end,
      after = [[
        A key's limit comes after the key was found. A tenant's limit is there before.]] },

    -- ------------------------------------------------------------------ deeper: waiting

    { id = "in-flight", title = "At one instant", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("ceiling S2 1000 0")
        w:play_for(1)
      end,
      say = [[
        For once S2 can serve every read: {S2.reads} a second, and each keeps it busy for {MS} ms.

        *Little's law*: what is inside equals how many come in a second, times how long each stays.]],
      with = { MS = QUERY_MS },
      predict = { id = "p3-little-5", kind = "number", unit = "reads", tolerance = 1,
        ask = "How many reads does S2 hold at one instant?",
        answer = function(w) return w.S2.reads * QUERY_MS / 1000 end,
        wrong = { [1860] = { belief = "rate over time", why = "Times, not divided by: what comes in while one of them is inside." },
          [9300] = { belief = "a rate is a number of requests", why = "So many come in a second, and each stays for a two-hundredth of it." } },
        why = "{S2.reads} times 0.005.",
        hints = { "5 ms are 0.005 seconds.", "Rate times time.", "{S2.reads} x 0.005." } },
      run = function(w)
        w:play_for(1)
        M.flight, M.ms = w:in_flight("S2"), w:latency("read", 50, POST)
      end,
      after = [[
        For a client a read takes {decimals(m("ms"), 1)} ms, with the way there and back. So {decimals(S2.reads * m("ms") / 1000)} are on the way at any time by the
        law, with some writes beside; {m("flight")} were counted just now.]] },

    { id = "a-queue", title = "Waiting in line", deeper = true, show = { "bars", "trace:post:{p1}" },
      enter = function(w)
        afresh(w)
        w:command("ceiling S2 1000 3000 1500")
      end,
      say = [[
        Back to 3,000 reads a second. But S2 does not refuse at once: it lets {Q} reads wait in line, and as many
        writes. The line is always full. Somebody opens p1.]],
      with = { Q = 1500 },
      predict = { id = "p3-queue-wait", kind = "number", unit = "ms", tolerance = 20,
        ask = "How long does she wait, once she is let into the line?",
        answer = function(w) return round(w.last.ms) end,
        wrong = { [5] = { belief = "a query takes what it takes", why = "The query does. The line before it is {Q} long." },
          [1500] = { belief = "the line moves one a millisecond", why = "3,000 a second leave it: three a millisecond." },
          [0] = { belief = "small posts pass first", why = "The line is first come, first served." } },
        why = "The line is {Q} long and 3,000 a second leave it: Little's law, turned around.",
        hints = { "How many leave the line in a second?", "3,000. So {Q} leave it in ...", "half a second." } },
      run = function(w)
        w:play_for(1)
        for _ = 1, 30 do -- two of three are still refused
          w:send("read", "post:{p1}", "R0")
          w:play_answered()
          if w.last.outcome == "OK" then break end
        end
      end,
      after = [[
        {decimals(last.ms)} ms, and some were refused all the same. A line helps in a short rush. In a long one it makes everybody wait for
        nothing.]] },

    { id = "half-a-second", title = "Half a second", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("ceiling S2 1000 3000 1500")
      end,
      say = [[
        Suppose that nothing were refused, and all {ASKED} reads a second stayed for 500 ms.]],
      with = { ASKED = READERS + #NEIGHBOURS * READS_EACH },
      predict = { id = "p3-little-500", kind = "number", unit = "reads", tolerance = 20,
        ask = "How many would be with S2 at one instant?",
        answer = function() return (READERS + #NEIGHBOURS * READS_EACH) // 2 end,
        wrong = { [46.5] = { belief = "a rate decides alone", why = "That was at 5 ms. They stay a hundred times as long." },
          [1500] = { belief = "the line bounds it", why = "So many wait now, since the rest is refused." } },
        why = "{ASKED} x 0.5: a hundred times what it was at 5 ms.",
        hints = { "Rate times time, again.", "500 ms are half a second.", "Half of {ASKED}." } },
      after = [[
        {ASKED // 2}. Each holds a connection and some memory. That is how one slow shard fills its routers, too.]] },

    -- ------------------------------------------------------------------ deeper: retries

    { id = "again", title = "Break it: ask again", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        Apps are written to try again. Here each that is refused asks again at once, up to three times.

        People want {S2.writes + S2.reads} things a second of S2.]],
      predict = { id = "p3-amplified", kind = "number", unit = "times", tolerance = 0.3,
        ask = "How many asks reach S2 for each of these?",
        answer = function(w) return per_wish(w) end,
        wrong = { [1] = { belief = "a retry replaces the request", why = "The first ask was made, and answered. The next one comes on top." },
          [4] = { belief = "everybody tries four times", why = "Some are served at the first or second try, and stop there. It gets close." } },
        why = "Most are refused each time, so most ask three times more.",
        hints = { "How many asks at least, how many at most?", "One, and four. Most are refused each time.", "A bit over three." } },
      run = function(w)
        w:command("clients at-once times 3")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        {S2.writes + S2.reads + m("repeats")} asks a second, {per_wish(w)} for each wish. This is *retry amplification*.]] },

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
            why = "It helps the one who asks, at the cost of somebody else. S2 gives out 4,000 tokens a second, and all were taken before.",
            holds = function() return M.served > M.served_none * 1.5 end },
          { "Less: S2 is worn out.", belief = "refusing is costly here",
            why = "In this cluster a refusal is free. In others it is not, and then it would be less.",
            holds = function() return M.served < M.served_none * 0.9 end },
        },
        why = "The ceiling was reached before. Retries only stir.",
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

    { id = "a-budget", title = "A budget", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("clients at-once times 3")
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      say = [[
        Retries are good when a failure is rare. A *retry budget* keeps that: repeats may be at most so many percent of first
        asks. Now there is none: that rule is broken, and {per_wish(w)} asks come for each wish.

        Press : and type `clients at-once times 3 budget 50`, with a better number.]],
      try = { ask = "Bring it to at most 1.2 asks for each wish.",
        goal = function(w)
          local f = w:fork()
          f:play_for(0.2)
          local before = f:clients().repeats
          f:play_for(0.2)
          return 5 * (f:clients().repeats - before) <= 0.2 * (w.S2.writes + w.S2.reads)
        end,
        solution = { "clients at-once times 3 budget 10" },
        hints = { "The budget is in percent of first asks.", "1.2 asks: what part of them are repeats?", "10 is a usual number." } } },

    -- ------------------------------------------------------------------ deeper: the cascade

    { id = "too-late", title = "Too late", deeper = true, show = { "bars", "trace" },
      enter = function(w)
        afresh(w)
        w:command("ceiling S2 1000 3000 " .. QUEUE)
        w:command("patience " .. PATIENCE .. " " .. PATIENCE + 1)
      end,
      say = [[
        S2 lets {QUEUE} reads and {QUEUE} writes wait. And routers have a *timeout*: they wait {PATIENCE} ms for a shard, then tell
        the client that it failed. S2 does not hear of that, and works through its line.]],
      with = { QUEUE = QUEUE, PATIENCE = PATIENCE },
      predict = { id = "p3-too-late", kind = "choice", confidence = true,
        ask = "Of all that S2 serves now, how much reaches a client in time?",
        choices = {
          { "Most of it: S2 is as fast as before.", belief = "a busy shard is a useful shard",
            why = "S2 works at full speed, on requests that were given up while they stood in line.",
            holds = function() return M.fans + M.near > 500 end },
          { "About half.", belief = "a timeout cuts the slow half",
            why = "There is no fast half. The line is full, and everybody stands in it equally long.",
            holds = function() return M.fans + M.near > 0 and M.fans + M.near <= 500 end },
          { "Nothing.", holds = function() return M.fans + M.near == 0 end },
        },
        why = "The line takes {QUEUE * 1000 // 3000} ms or more. Whoever is served was given up before.",
        hints = { "How long does a read stand in a line of {QUEUE}, at 3,000 a second?", "{QUEUE * 1000 // 3000} ms. And a router waits {PATIENCE}.", "So each comes too late." } },
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
      after = [[
        {S2.writes + S2.reads + m("repeats")} asks a second. A post that is asked for 100 times as often as usual comes as 400 times. This is a *cascade*:
        each step makes the next one worse.]] },

    { id = "declared-dead", title = "Declared dead", deeper = true, show = { "bars", "slot_map" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        S2 answers nobody, so whoever watches it takes it for dead. All of its slots go to S3, with p9 and its neighbours.]],
      predict = { id = "p3-declared-dead", kind = "number", unit = "%", tolerance = 1,
        ask = "How high is the utilisation of S3 then, in writes?",
        answer = function(w) return w.S3.write_pct end,
        wrong = { [20] = { belief = "a fresh shard is a cure", why = "The load did not die with S2. It was the load that was ill." },
          [255] = { belief = "the old load goes away", why = "S3 keeps its own 20% as well." },
          [127.5] = { belief = "two shards share it", why = "S2 is out, and S3 has it all." } },
        why = "What S2 was asked for, and what S3 had.",
        hints = { "What does S3 take over?", "{S2.write_pct}% of a ceiling.", "And it has {S3.write_pct}% of its own." } },
      run = function(w)
        w:move(2 * CELL // 4, 3 * CELL // 4 - 1, "S3")
        w:play_for(1)
      end,
      after = [[
        {S3.write_pct}%. Now the posts of S3 suffer as well, and it is the next to be declared dead. A slow shard is not a dead one, and a
        hot key goes where its slot goes.]] },

    { id = "what-stops-it", title = "What stops it?", deeper = true, show = { "table", "bars" },
      enter = function(w)
        spread(w, 4)
        afresh(w)
      end,
      say = [[
        The cascade again: a long line, a short timeout, three retries. Each row adds one remedy and nothing else.]],
      table = function()
        return { title = "asks at S2, and neighbours' likes", columns = { "remedy", "asks", "likes" }, numbers = { 2, 3 },
          rows = {
            remedy("none"),
            remedy("budget 10%", "clients at-once times 3 budget 10"),
            remedy("circuit breaker", "breaker on"),
            remedy("limits for p9", "limit key " .. LIKES .. " " .. KEY_LIKES, "limit key " .. POST .. " " .. KEY_READS),
            remedy("no line at S2", "ceiling S2 1000 3000"),
          } }
      end,
      predict = { id = "p3-what-stops-it", kind = "choice",
        ask = "After which are all 150 likes of the neighbours counted?",
        choices = {
          { "A retry budget", belief = "retries are the cause",
            why = "They feed it. But the first asks alone are too many, and all of them come too late.",
            holds = function(w) return saved(w, "clients at-once times 3 budget 10") end },
          { "A circuit breaker", belief = "a breaker protects the innocent",
            why = "It opens for the whole shard. Those who ask for p1 are turned away as well.",
            holds = function(w) return saved(w, "breaker on") end },
          { "Limits for p9", holds = function(w)
            return saved(w, "limit key " .. LIKES .. " " .. KEY_LIKES, "limit key " .. POST .. " " .. KEY_READS)
          end },
        },
        why = "Only the limit takes the cause away: what p9 asks of S2. The others make the fall softer.",
        hints = { "Which of them knows of p9?", "A budget and a breaker treat all alike.", "The limits." } },
      after = [[
        Answers are in the rows; enter opens one. Without a line S2 refuses at once, and some are served in time. In
        practice you want all of these.]] },

    { id = "breaker", title = "A circuit breaker", deeper = true, show = { "trace", "bars" },
      enter = function(w)
        afresh(w)
        w:command("breaker on")
        w:play_for(1)
        M.open, M.router = 0, "R0"
        for i = 0, w:routers() - 1 do
          if w:breaker("R" .. i, "S2") == "open" then M.open, M.router = M.open + 1, "R" .. i end
        end
      end,
      say = [[
        A *circuit breaker* stands in each router, one for each shard. When half of the answers in a second fail, it
        opens: for a second the router asks that shard nothing. Then it lets one ask pass, to see.]],
      predict = { id = "p3-breaker", kind = "choice",
        ask = "{m(\"router\")}'s breaker for S2 is open. A like of p1 comes to {m(\"router\")}. What happens?",
        choices = {
          { "It passes: p1 is not hot.", belief = "a breaker protects the innocent",
            why = "A breaker knows shards, and no keys.", holds = function(w) return w.last.asks > 0 end },
          { "An error, at once.", holds = function(w) return w.last.asks == 0 and w.last.outcome ~= "OK" and w.last.ms < 5 end },
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
        {last.outcome}, after {last.ms} ms, and no shard was asked. It is open at {m("open")} of {w:routers()} routers; what these keep away leaves room for the
        others. And p1 pays again.]] },

    { id = "shedding", title = "Shedding", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("shed 8")
      end,
      say = [[
        *Load shedding*: a router has at most 8 requests in hand, and answers the rest *503*: too busy. It keeps the last places
        for likes, since a lost read is asked again.

        S0 holds no hot key.]],
      predict = { id = "p3-shedding", kind = "choice",
        ask = "What becomes of requests for S0?",
        choices = {
          { "All are served, as before.", belief = "a router keeps shards apart",
            why = "The 8 places are for all shards. p9 fills them.",
            holds = function() return M.other >= 590 end },
          { "Some are turned away.", holds = function() return M.other < 590 end },
        },
        why = "A router that is full of p9 has no place for S0 either.",
        hints = { "Whose are the 8 places?", "Anybody's, for any shard.", "p9 takes most of them." } },
      run = function(w)
        w:play_for(1)
        local before = counts(w)
        w:play_for(1)
        keep(before, counts(w))
      end,
      after = [[
        {m("other")} of 600 requests of S0 were served. Shedding saves the router, and does not ask who is to blame.]] },

    { id = "isolation", title = "Isolation", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:command("tenant nova " .. LIKES)
        w:command("tenant nova " .. POST)
        w:command("shed 8")
      end,
      say = [[
        The same 8 places. Now at most 30% of them may be taken by nova, whoever else is there: *isolation*. Each gets a part, and
        nobody can take it all.]],
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
        {m("near")} of 150, and {m("other")} of 600 for S0. The fans of p9 get {m("fans")}.]] },

    { id = "hedging", title = "Ask twice?", deeper = true, show = { "bars" },
      enter = function(w)
        afresh(w)
        w:play_for(1)
      end,
      say = [[
        *Hedging*: when an answer is late, the same question is asked a second time, and the first answer wins. It cuts the slow
        ones off where slowness is bad luck.]],
      predict = { id = "p3-hedge", kind = "choice",
        ask = "S2 is late. Where may the second question go?",
        choices = {
          { "To S2 again", belief = "a second ticket wins more often",
            why = "S2 is late because it is asked too much, {S2.read_pct}% of its reads. This would ask it more.",
            holds = function(w) return w.S2.read_pct < 100 end },
          { "To another copy of the data", holds = function(w) return w.S2.read_pct >= 100 end },
          { "To S3, which idles", belief = "any shard can answer",
            why = "S3 does not have p9. It would answer MOVED.",
            holds = function(w) return w:owner(POST) == "S3" end },
        },
        why = "Never ask the one that is overloaded. Another copy may be free, if there is one.",
        hints = { "Why is S2 late?", "It is not bad luck.", "Who else could know the answer, and has time?" } },
      after = [[
        And only reads. A like that is asked for twice is counted twice, unless the shard remembers which it has seen.]] },

    -- ------------------------------------------------------------------ deeper: cells

    { id = "cells", title = "Small worlds", deeper = true, show = { "table" },
      say = [[
        Eight machines, {#NAMES} tenants. One of them, nova, takes down every machine that she uses. Three ways to
        share them:

        *Cells*: four pairs, and each tenant lives in one. *Shuffle sharding*: each tenant gets two of the eight, drawn by its
        name.]],
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
        {shuffled.all}, where cells lose {cells.all}. The price: {shuffled.some} lose one of two, and must be able to live with that.]] },

    -- ------------------------------------------------------------------ deeper: what to watch


    { id = "hotspot-factor", title = "Hotspot factor", deeper = true, show = { "bars" }, enter = afresh,
      say = [[
        One number for it: the *hotspot factor*, the busiest shard over the average one. Below 5, copies and room will do. Above 20 the key
        itself must be treated.

        S2 has {S2.writes} writes; all four together {cluster.writes}.]],
      predict = { id = "p3-factor", kind = "number", unit = "times", tolerance = 0.1,
        ask = "How large is it, in writes?",
        answer = function(w) return round(factor(w, 4), 2) end,
        wrong = { [12.75] = { belief = "over another shard", why = "That is S2 over S0. The average counts S2 as well." },
          [2.55] = { belief = "over the ceiling", why = "That is its utilisation." } },
        why = "{S2.writes} over a quarter of {cluster.writes}.",
        hints = { "What is the average of the four?", "{cluster.writes} divided by 4: {cluster.writes / 4}.", "{S2.writes} over that." } },
      after = [[
        {decimals(factor(w, 4), 1)}. It looks harmless, and S2 is at {S2.write_pct}%: the factor says how uneven, and not how full.]] },

    { id = "factor-64", title = "More shards", deeper = true, show = { "bars" },
      say = [[
        The same evening on 64 shards. No user sees any difference in p9, which is at 240% there.]],
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

    { id = "at-scale", title = "A twentieth", deeper = true, show = { "bars" },
      say = [[
        A key gets {SHARE}% of all requests. On {FEW} shards that is {decimals(fair(FEW), 1)} of one shard's fair share, and nobody notices.]],
      with = { SHARE = 5, FEW = 8, MANY = 80, fair = function(n) return 5 * n / 100 end },
      predict = { id = "p3-at-scale", kind = "number", unit = "times", tolerance = 0,
        ask = "And on {MANY} shards?",
        answer = function() return 5 * 80 / 100 end,
        wrong = { [0.4] = { belief = "a share is a share", why = "Its part of the traffic is the same. A fair share has become ten times smaller." },
          [0.04] = { belief = "more shards, smaller pieces", why = "The key is not cut. The fair shares are." } },
        why = "5% against 1.25%: its share of the traffic times the number of shards.",
        hints = { "What is one shard's fair share of 80?", "1.25%.", "5 over 1.25." } },
      after = [[
        {decimals(fair(MANY))} times. A key with a tenth of the traffic, on 6,000 partitions: {decimals(0.1 * 6000)} times. Growth finds hot keys that were always there.]] },

    { id = "a-slip", title = "Which average?", deeper = true, show = { "bars" },
      say = [[
        A report says: 12 caches, {EACH} reads a second each. Then one product brings {HOT} more to one of them. "Hotspot factor
        {decimals((EACH + HOT) / EACH, 1)}."]],
      with = { EACH = 50000, HOT = 180000 },
      predict = { id = "p3-slip", kind = "number", unit = "times", tolerance = 0.05,
        ask = "The report took the average from before. What is the factor by the definition, with today's average?",
        answer = function() return round(230000 / ((12 * 50000 + 180000) / 12), 2) end,
        wrong = { [4.6] = { belief = "the average is what it was", why = "That is the report's number. Today's average counts today's load." },
          [3.6] = { belief = "only the new load counts", why = "The cache has its {EACH} of before as well." } },
        why = "230,000 over 65,000.",
        hints = { "How many reads do all 12 get today?", "12 x 50,000, and 180,000.", "780,000 over 12 is 65,000." } },
      after = [[
        {decimals(230000 / 65000, 2)}. Both are below 5, and that cache was at its end. Say which average you mean.]] },

    { id = "error-bound", title = "What a sketch knows", deeper = true, show = { "top" },
      enter = function(w)
        afresh(w)
        flows(w, "p9", 300, 300)
        w:command("flow read old:* 6000 scattered over 300")
        w:command("sample 10 5000")
        w:play_for(6)
      end,
      say = [[
        A router has 64 cells for its count, and tonight hundreds of old posts are asked for. Whoever has no cell takes the one with
        the lowest number, and *inherits that number as its error*. Such a count is a *sketch*.

        One key: {cell(w).requests} counted, error {cell(w).error}.]],
      with = { cell = loosest },
      predict = { id = "p3-error", kind = "choice",
        ask = "How often was it really in the sample?",
        choices = {
          { "Exactly {cell(w).requests} times", belief = "a sketch counts", why = "That would need a cell for each key. It may have come before it got one.",
            holds = function(w) return loosest(w).error == 0 end },
          { "{cell(w).requests} to {cell(w).requests + cell(w).error} times", holds = function(w) return loosest(w).error > 0 end },
          { "Up to {cell(w).error} times more or fewer", belief = "an error goes both ways",
            why = "What was counted has been seen. Only what came before is unknown.",
            holds = function() return false end },
        },
        why = "What is counted was seen. What came before it had a cell is at most the number that it inherited.",
        hints = { "Can a count be too high here?", "Each count was a request.", "Too low, by at most the error." } },
      after = [[
        p9 has {hottest(w).requests}, error {hottest(w).error}. A hot key gets its cell early and keeps it: the bound is loose only where nobody cares.]] },

    -- ------------------------------------------------------------------ deeper: find the key

    { id = "find-which", title = "Two lines open: which?", deeper = true, show = { "bars", "top" },
      enter = function(w) other_evening(w, { "p4", 900, 150 }, { "p3", 60, 400 }) end,
      say = [[
        Another evening.

          1 where: S3, writes at {S3.write_pct}%,
            reads at {S3.read_pct}%
          2 which: for you
          3 what: for you, next]],
      predict = { id = "p3-find-which", kind = "text",
        ask = "Which post is it? Write p and its number.",
        answer = function(w) return post_of(reported(w).key) end,
        wrong = { p3 = { belief = "the loudest read wins", why = "p3 is on S0, which is far from its ceilings." },
          p9 = { belief = "it is always p9", why = "p9 is quiet tonight." } },
        why = "Of the sample of S3 it has {reported(w).share}%.",
        hints = { "The picture lists keys with their shards.", "Only S3 matters.", "The longest bar of S3." } },
      after = [[
        `{=reported(w).key}`, on {reported(w).shard}.]] },

    { id = "find-what", title = "And what?", deeper = true, show = { "bars", "top" },
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
          reads = { "what is read most is hot", "S3 has {100 - S3.read_pct}% of its reads to spare." },
          both = { "a large share is enough", "It has a share of the reads too, but these are far below the ceiling." },
        }),
        why = "Only its writes are over 70% of a ceiling. A cache would not help.",
        hints = { "Which ceiling is in danger?", "Over 70%.", "{S3.write_pct}% of its writes." } },
      after = [[
        Writes: Part 5 has the cures.]] },

    { id = "find-it-alone", title = "All open", deeper = true, show = { "bars", "top" },
      enter = function(w)
        other_evening(w, { "p15", 60, 6500 }, { "p6", 60, 2600 })
        w:command("ceiling S0 4000 12000")
      end,
      say = [[
        Another evening. S0 is a bigger machine: its ceilings are four times as high.

        Where, which, what? Find the hot key and limit it, so that its shard stays at 70% or less of what it can do. Press : and
        type `limit key KEY RATE`. The key begins with `post:` or `likes:`.]],
      try = { ask = "Limit the hot key.",
        goal = function(w)
          local rate = w:limit("post:{p6}")
          return rate > 0 and rate <= 2100 - 3 * READS_EACH and rate >= 500 and w:limit("post:{p15}") == 0
        end,
        solution = { "limit key post:{p6} 1800" },
        hints = { "The longest bar is not the fullest shard: look at the percentages.", "S1 is over in reads. Which of its posts?",
          "`post:{p6}`: 70% of 3,000, less the 300 of its neighbours." } } },

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
      enter = function(w) other_evening(w, { "p14", 60, 3000 }) end,
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
