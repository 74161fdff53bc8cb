-- Part 4. Core path: what reads cost and a limit gives; a micro-cache, its ages, its restart, a fetch
-- that is refused, what an edit does to it, the bound of its staleness, and bounds of one's own;
-- coalescing, its rule, replicas; which of them for what, in the learner's words. Deeper: the bound by
-- another clock, more routers, a cache for ever, a silent shard, a cache that writes pass by, a fetch
-- across an edit, coalescing under many writes and at several routers, own writes at replicas, copies
-- and what becomes of them, edges, a key that is read seldom.

local P9, LIKES, P7, P13 = "post:{p9}", "likes:{p9}", "post:{p7}", "post:{p13}"
READS, WRITES = 9000, 2400 -- of p9, a second
OTHERS = 300               -- reads of p1, p5 and p13, which live on S2 as well
QUERY = 5                  -- milliseconds that a shard takes to answer
FLEET = 2500               -- requests a second that a router is good for
PART = 70                  -- percent of a ceiling that a shard is planned for
local RULES = { "single-flight", "bounded-age", "age-from-read", "drop-on-edit", "fill-not-across-edit",
  "join-before-write", "one-router-a-key" }

local M = {} -- what a run measured, for the texts after it
function m(name)
  return M[name] or 0
end

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

function whole(x)
  return math.floor(x + 0.5)
end

-- An age as the pictures tell it.
function age(ms)
  return math.floor(ms)
end

-- Queries a second of so many readers that share them.
function shared(readers, ms)
  return readers / (1 + readers * (ms or QUERY) / 1000)
end

-- --- scenes ---

local function flow(w, kind, key, rate, arrivals)
  pcall(w.flow, w, kind, key, rate, arrivals) -- a flow that does not run cannot end
end

-- p9 is read and liked so often, the other posts as always; or nobody asks for anything.
local function evening(w, reads, likes, kind)
  for n = 1, 16 do
    local hot = n == 9
    flow(w, "read", "post:{p" .. n .. "}", hot and reads or 100, hot and (kind or "scattered") or "steady")
    flow(w, "like", "likes:{p" .. n .. "}", hot and likes or 50, hot and "scattered" or "steady")
  end
end

local function quiet(w)
  for n = 1, 16 do
    flow(w, "read", "post:{p" .. n .. "}", 0)
    flow(w, "like", "likes:{p" .. n .. "}", 0)
  end
  flow(w, "read", LIKES, 0)
  w:play_for(0.1)
  local part = tonumber("0." .. (w:clock():match("%.(%d+)") or "0")) -- scattered traffic is exact in whole seconds
  if part > 0 then w:play_for(1 - part) end
end

-- Nothing special anywhere, all rules on: what a step may begin with.
local function plain(w)
  quiet(w)
  for _, rule in ipairs(RULES) do
    if not w:rule(rule) then w:set_rule(rule, true) end
  end
  for _, key in ipairs { P9, LIKES, P7 } do
    if w:reads_of(key).mode ~= "plain" then w:command("reads " .. key .. " plain") end
  end
  if w:limit(P9) > 0 then w:command("limit key " .. P9 .. " none") end
  pcall(w.command, w, "network calm")   -- refused where it is so already
  pcall(w.command, w, "replicas S2 1")
  for _, s in ipairs { "S0", "S2" } do
    if w[s].write_ceiling ~= 1000 then w:command("ceiling " .. s .. " 1000 3000") end
  end
end

-- The same, and what went before is out of the pictures.
local function calm(w)
  plain(w)
  w:play_for(4)
end

local function treat(w, how, key) w:command("reads " .. (key or P9) .. " " .. how) end

local function ask(w, router, key)
  w:send("read", key or P9, router)
  w:play_answered()
end

-- Every router has just fetched p9.
local function fill(w)
  for r = 0, w:routers() - 1 do w:send("read", P9, "R" .. r) end
  w:play_answered()
end

local function edit(w, router)
  w:send("edit", P9, router)
  w:play_answered()
end

-- --- measured on copies ---

-- p9's limit with which its shard is at the planned part of its ceiling.
local function limit_for_plan(w)
  return w.S2.read_ceiling * PART // 100 - OTHERS
end

-- Milliseconds that a reader waits at R0, whose answer was fetched so long ago; and how old the answer is.
local function come_after(f, ms, how)
  plain(f)
  treat(f, how or "cached")
  ask(f, "R0")
  f:play_for((ms - QUERY) / 1000)
  ask(f, "R0")
end
function waits(w, ms, how)
  local f = w:fork()
  come_after(f, ms, how)
  return f.last.ms
end

-- The oldest answer that R0 may give, found by trying: it is asked when its answer is so old.
function oldest_possible(w, fresh, stale, from_read)
  local f, most = w:fork(), 0
  for _, ms in ipairs { fresh, stale - 1, stale, stale + QUERY - 1, stale + QUERY } do
    plain(f)
    f:set_rule("age-from-read", from_read)
    treat(f, "cached " .. fresh .. " " .. stale)
    ask(f, "R0")
    f:play_for((ms - QUERY) / 1000)
    ask(f, "R0")
    most = math.max(most, f:reads_of(P9, "R0").oldest_ms)
  end
  return most
end

-- The oldest answer that readers of p9 do get, while they come all the time.
function oldest_busy(w, fresh, stale, from_read)
  local f = w:fork()
  plain(f)
  f:set_rule("age-from-read", from_read)
  treat(f, "cached " .. fresh .. " " .. stale)
  f:flow("read", P9, READS, "scattered")
  f:play_for(3 * fresh / 1000 + 0.5)
  return f:reads_of(P9).oldest_ms
end

-- All caches are emptied: whatever they had is forgotten, and is counted anew.
local function empty(w)
  treat(w, "plain")
  treat(w, "cached")
  w:play_for(0.05)
end

-- Fetches and waiting readers when that happens, with single-flight or without.
function restarted(w, single)
  local f = w:fork()
  f:set_rule("single-flight", single)
  empty(f)
  local r = f:reads_of(P9)
  return r.fetches, r.waits
end

-- Readers who come to R1 one after the other; how many of them were refused, and how many answered.
RUSH = 15
local function rush(w)
  local number = {}
  for i = 1, RUSH do
    w:send("read", P9, "R1")
    number[i] = w.last.number
    w:play_for(0.00067)
  end
  local refused, answered
  for _ = 1, 20 do
    refused, answered = 0, 0
    for i = 1, RUSH do
      local outcome = w:request(number[i]).outcome
      if outcome == "refused" then refused = refused + 1 end
      if outcome == "OK" then answered = answered + 1 end
    end
    if refused + answered == RUSH then break end
    w:play_for(0.002)
  end
  return refused, answered
end

-- Routers that keep p9 as it was before an edit that was done `ms` ago.
function behind(w, ms)
  local count = 0
  for r = 0, w:routers() - 1 do
    if w:reads_of(P9, "R" .. r).held_ms > ms then count = count + 1 end
  end
  return count
end

-- Reads of p9 a second that S2 is asked for, with a treatment and so many likes a second.
function asked_of_S2(w, how, likes)
  local f = w:fork()
  plain(f)
  f:command("ceiling S2 4000 20000")
  treat(f, how, LIKES)
  f:flow("read", LIKES, READS, "poisson")
  f:flow("like", LIKES, likes, "poisson")
  f:play_for(1)
  local before = f:reads_of(LIKES).fetches
  f:play_for(4)
  return (f:reads_of(LIKES).fetches - before) / 4
end

-- A read is under way at R3 and its reply is late. A like through R0 is done, then R3 is asked.
-- Does it show the like?
local function shows_like(w, how)
  local f = w:fork()
  plain(f)
  if how ~= "plain" then treat(f, how, LIKES) end
  if how == "replicas" then f:command("replicas S2 3") end
  for r = 0, 5 do f:send("read", LIKES, "R" .. r) end
  f:play_answered()
  local before = f:acked(LIKES)
  f:send("read", LIKES, "R3")
  f:play_for(0.001)
  if how:find("^coalesced") then f:command("hold " .. f.last.number + 1 .. " 40") end
  f:send("like", LIKES, "R0")
  f:play_for(0.012)
  for _ = 1, how == "replicas" and 3 or 1 do
    ask(f, "R3", LIKES)
    if f.last.value <= before then return false end
  end
  return true
end

-- A reply is held up on its way to the router that takes p9's requests; meanwhile somebody likes
-- p9, and asks for the likes.
local function overtaken(w)
  w:send("read", LIKES, "R3")
  w:play_for(0.001)
  w:command("hold " .. w.last.number + 1 .. " 40")
  w:send("like", LIKES, "R3")
  w:play_for(0.012)
  w:send("read", LIKES, "R3")
  w:play_answered()
end

-- The tale of `overtaken` with the rule on: how long the fan waits to see the own like.
function by_rule(w)
  local f = w:fork()
  plain(f)
  treat(f, "coalesced by-key", LIKES)
  f:play_for(0.1)
  overtaken(f)
  return f.last.value == f:acked(LIKES) and decimals(f.last.ms) or "no"
end

-- Whether somebody liked p9 after the step began, shortly before the last request.
local function liked(w)
  for n = math.max(M.first + 1, w.last.number - 4), w.last.number do
    local known, r = pcall(w.request, w, n) -- those of long ago are forgotten
    if known and r.op == "like" and r.key == LIKES and r.outcome == "OK" then return true end
  end
  return false
end

-- How often each router fetches p9 in four seconds.
function per_router(w)
  local f = w:fork()
  local before = f:reads_of(P9).fetches
  f:play_for(4)
  return math.floor((f:reads_of(P9).fetches - before) / w:routers() + 0.5)
end

-- Milliseconds between the first and the last router's fetch of a second.
function in_step(w)
  local least, most = math.huge, 0
  for r = 0, w:routers() - 1 do
    local held = w:reads_of(P9, "R" .. r).held_ms
    least, most = math.min(least, held), math.max(most, held)
  end
  return most - least
end

-- Percent of what so many copies of S2 may serve, in reads.
function replicated(w, n)
  local f = w:fork()
  pcall(f.command, f, "replicas S2 " .. n)
  return f.S2.read_pct
end

-- Of the last three reads, those without the like before them.
function lacking(w)
  local count = 0
  for n = w.last.number - 2, w.last.number do
    local r = w:request(n)
    if r.value < w:acked(LIKES) then count = count + 1 end
  end
  return count
end

-- For how many milliseconds after its OK a like may be missing in what replicas answer.
local lag
function lag_ms(w)
  if lag then return lag end
  local f, least, most = w:fork(), 0, 100
  plain(f)
  f:command("replicas S2 3")
  treat(f, "replicas", LIKES)
  f:send("like", LIKES, "R0")
  f:play_answered()
  while most - least > 1 do
    local g, ms = f:fork(), (least + most) // 2
    g:play_for(ms / 1000)
    for _ = 1, 3 do g:send("read", LIKES, "R0") end
    g:play_answered()
    if lacking(g) > 0 then least = ms else most = ms end
  end
  lag = most + QUERY
  return lag
end

-- --- bounds of one's own ---

local BOUND, MOST = 2500, 3 -- how old at most; fetches a second at most

-- With such bounds: below which age all answers are; while p9 is hot fetches a second of all routers, and
-- readers a second who wait. Every world that is plain gives the same.
local found = {}
local function measured(w, fresh, stale)
  local how = fresh .. " " .. stale
  if found[how] then return found[how] end
  local f = w:fork()
  plain(f)
  f:set_rule("age-from-read", false)
  treat(f, "cached " .. how)
  ask(f, "R0")
  f:play_for((stale - 1) / 1000)
  ask(f, "R0")
  local oldest = age(f:reads_of(P9, "R0").oldest_ms) + 1
  f = w:fork()
  plain(f)
  f:set_rule("age-from-read", false)
  treat(f, "cached " .. how)
  f:flow("read", P9, 600, "steady")
  f:play_for(0.3)
  local function to_fetch() -- R0's next one: how long until then
    local before, took = f:reads_of(P9, "R0").fetches, 0
    while f:reads_of(P9, "R0").fetches == before do
      f:play_for(0.01)
      took = took + 0.01
    end
    return took
  end
  to_fetch()
  local before = f:reads_of(P9).waits
  local period = to_fetch()
  found[how] = { oldest, whole(10 * w:routers() / period) / 10, whole((f:reads_of(P9).waits - before) / period) }
  return found[how]
end

function granted(w, fresh, stale)
  local got, count = measured(w, fresh, stale), 0
  for _, yes in ipairs { got[1] < BOUND, got[2] <= MOST, got[3] == 0 } do
    if yes then count = count + 1 end
  end
  return count
end

local function wishes(w, fresh, stale)
  local got = measured(w, fresh, stale)
  return { title = fresh .. " ms fresh, stale until " .. stale, columns = { "", "it gives", "wanted" }, numbers = { 2, 3 }, rows = {
    { label = "all below, ms", cells = { tostring(got[1]), tostring(BOUND) } },
    { label = "fetches/s", cells = { tostring(got[2]), MOST .. " or less" } },
    { label = "waits/s", cells = { tostring(got[3]), "0" } },
  } }
end

-- --- copies of one value ---

local function copied(w, n)
  local f = w:fork()
  plain(f)
  treat(f, "copies " .. n)
  evening(f, READS, 0)
  f:play_for(1)
  return f
end

function busiest_copy(w, n)
  local f, most = copied(w, n), 0
  for _, s in ipairs { f.S0, f.S1, f.S2, f.S3 } do most = math.max(most, s.reads) end
  return most
end

local function served(f) return f.S0.served + f.S1.served + f.S2.served + f.S3.served end

-- Writes that shards take for one edit.
function edit_costs(w, n)
  local f = w:fork()
  plain(f)
  if n > 0 then treat(f, "copies " .. n) end
  local before = served(f)
  edit(f, "R0")
  return served(f) - before
end

-- --- the table at the end ---

local function row(label, how)
  return { label = label, run = function(f)
    plain(f)
    if how == "replicas" then f:command("replicas S2 3") end
    if how ~= "plain" then treat(f, how) end
    evening(f, READS, WRITES, how:find("^coalesced") and "poisson")
    f:play_for(2)
  end, cells = function(f)
    local behind = shows_like(f, how) and 0 or how == "replicas" and lag_ms(f) or age(f:reads_of(P9).oldest_ms)
    return { whole(f.S2.reads - OTHERS), decimals(f.S2.read_pct) .. "%", behind }
  end }
end

local CACHE, FALL = "cache:" .. P9, "waterfall:" .. P9

return lesson {
  id = "04_taming_hot_reads", part = 4, title = "Taming hot reads", minutes = 12,
  needs = { "03_the_hot_key" },
  world = "story-near",
  placement = { go = "bound-two-open" },

  steps = {
    { id = "check-refills", title = "What reaches the shard", check = true, show = { "bars" },
      enter = function(w) evening(w, READS, WRITES) end,
      say = [[p9 is read {READS} times a second through {w:routers()} routers. Each keeps its answer for 2 s and then fetches it once.]],
      predict = { id = "p4-check-refills", kind = "number", unit = "reads/s", tolerance = 0.3,
        ask = "How many reads of p9 a second reach its shard?",
        answer = function(w)
          local f = w:fork()
          treat(f, "cached 2000 3000")
          f:play_for(1)
          local before = f:reads_of(P9).fetches
          f:play_for(10)
          return math.floor((f:reads_of(P9).fetches - before) / 10 + 0.5)
        end,
        wrong = { [6] = { belief = "a cache fetches once a second", why = "Each router fetches once in two seconds." },
          [0.5] = { belief = "routers share one cache", why = "Each of the routers has a cache of its own." } },
        why = "One in two seconds for each router." } },

    { id = "check-restart", title = "All of them empty", check = true, show = { "bars" },
      enter = function(w)
        evening(w, READS, 0, "steady")
        treat(w, "cached")
        w:play_for(2)
      end,
      say = [[The caches of all {w:routers()} routers are emptied at once. A fetch takes {QUERY} ms, and the rule single-flight is off.]],
      predict = { id = "p4-check-restart", kind = "number", tolerance = 11,
        ask = "{READS} readers come a second. How many of their reads reach S2?",
        answer = function(w) return (restarted(w, false)) end,
        wrong = { [6] = { belief = "a router fetches once", why = "That is what single-flight would do." },
          [9000] = { belief = "everybody asks until a second is over", why = "The first answers are back after a fetch, and are kept." } },
        why = "All who come while the first fetch is under way." } },

    { id = "check-coalescing", title = "Shared queries", check = true, show = { "bars" },
      enter = function(w) evening(w, READS, 0, "poisson") end,
      say = [[No cache, but reads of p9 that are under way at the same time share a query of {QUERY} ms. All of them pass one router.]],
      predict = { id = "p4-check-coalescing", kind = "number", unit = "queries/s", tolerance = 10,
        ask = "{READS} reads a second come at random. How many queries a second reach S2?",
        answer = function(w)
          local f = w:fork()
          treat(f, "coalesced by-key")
          f:play_for(1)
          return f.S2.reads - OTHERS
        end,
        wrong = { [1059] = { belief = "one router or six is the same", why = "So many it is when each of six routers shares queries of its own." } },
        why = "A query serves the reader who began it and the {READS * QUERY // 1000} who come in its {QUERY} ms." } },

    { id = "check-bound", title = "How old", check = true, show = { "bars" },
      say = [[An answer is fresh for 1 s and may be given up to an age of 3 s. Its age counts from when the fetch came back.]],
      predict = { id = "p4-check-bound", kind = "number", unit = "ms", tolerance = 1,
        ask = "A fetch takes {QUERY} ms. How old is what a reader may get, at most?",
        answer = function(w) return oldest_possible(w, 1000, 3000, false) + 1 end, -- just under that
        wrong = { [1000] = { belief = "the fresh bound is the bound", why = "After it the answer is still given, once at least." },
          [3000] = { belief = "an age begins when the answer comes", why = "The value was read before that: a fetch more." } },
        why = "The stale bound and the fetch." } },

    -- ------------------------------------------------------------------ what the reads ask for

    { id = "recall-plan", title = "From Part 2", show = { "bars" },
      enter = function(w)
        evening(w, READS, WRITES)
        w:play_for(1)
      end,
      say = [[
        As at 20:02 p9 is read {READS} times a second, and liked {WRITES} times. Its shard S2 is asked for {S2.reads} reads. Its
        ceiling is {S2.read_ceiling}, and Part 2 plans a shard for {PART}% of that.]],
      predict = { id = "p4-recall-plan", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads a second too many has S2, by that plan?",
        answer = function(w) return w.S2.reads - w.S2.read_ceiling * PART // 100 end,
        wrong = { [6300] = { belief = "a ceiling is a plan", why = "That fills S2 to the brim. The plan keeps room." },
          [2790] = { belief = "a percentage is of what is asked", why = "The {PART}% are of the ceiling: of what S2 can do." } },
        why = "What is asked, less {PART}% of {S2.read_ceiling}.",
        hints = { "What is S2 planned for?", "{S2.read_ceiling * PART // 100}.", "{S2.reads} less that." } },
      after = [[
        Its other posts bring only {OTHERS}. So most reads of p9 itself have to end before they come to S2.]] },

    { id = "recall-limit", title = "From Part 3", show = { "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, WRITES)
        w:play_for(1)
      end,
      say = [[
        Part 3 would give p9 a limit: {LIMIT(w)} reads a second, all routers together. S2 is then at {PART}% of its reads.]],
      with = { LIMIT = limit_for_plan },
      predict = { id = "p4-recall-limit", kind = "choice",
        ask = "What do the {READS} readers get?",
        choices = {
          { "All an answer, some a little later", belief = "a limit is a queue", why = "Nobody waits in line. Who finds no token is told 429 at once.",
            holds = function(w) return w.S2.reads_ok - OTHERS > READS * 0.9 end },
          { "About one in three an answer: S2 decides", belief = "a limit changes nothing for the hot key", why = "So it was before. Now routers let fewer pass than S2 could serve.",
            holds = function(w) local n = w.S2.reads_ok - OTHERS return n > READS * 0.25 and n < READS * 0.4 end },
          { "One in five an answer, the others 429", holds = function(w) local n = w.S2.reads_ok - OTHERS return n > READS * 0.15 and n < READS * 0.25 end },
        },
        why = "{LIMIT(w)} of {READS} may pass.",
        hints = { "What does a router do with a read for which it has no token?", "It says 429.", "{LIMIT(w)} of {READS}." } },
      run = function(w)
        w:command("limit key " .. P9 .. " " .. limit_for_plan(w))
        w:play_for(1)
      end,
      after = [[
        {S2.reads_ok - OTHERS} of {READS}. A limit sends p9's readers away. This part gives all of them an answer; the price is
        that it may be old.]] },

    -- ------------------------------------------------------------------ a cache

    { id = "keep-it", title = "Keep the answer", show = { "bars", CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, WRITES)
        w:play_for(1)
      end,
      say = [=[
        No limit. Each of the {w:routers()} routers gets a [[micro-cache]]: it keeps its answer for p9 for 1 s. So long the
        answer is [[fresh]], and is given without S2. Then the router asks S2 again: a [[fetch]].

        In this part messages take no time, and a fetch {QUERY} ms.]=],
      predict = { id = "p4-keep-it", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads of p9 a second reach S2?",
        answer = function(w) return w.S2.reads - OTHERS end,
        wrong = { [1] = { belief = "routers share one cache", why = "Each router has a cache of its own, and fetches for itself." },
          [9000] = { belief = "a cache only makes answers faster", why = "What a router answers itself, S2 never hears of." },
          [1500] = { belief = "a cache helps one reader in six", why = "So many readers come to each router. It asks for one of them." },
          [0] = { belief = "what is cached is never fetched again", why = "After a second each router fetches it anew." } },
        why = "One fetch a second for each router, however many readers come.",
        hints = { "Who asks S2 now: readers, or routers?", "A router asks when its answer is older than a second.", "Six routers, once a second." } },
      run = function(w)
        evening(w, 0, WRITES) -- for a moment, or S2 refuses the first fetches
        w:play_for(0.05)
        treat(w, "cached")
        fill(w)
        evening(w, READS, WRITES)
        w:play_for(0.945)
      end,
      after = [[
        {S2.reads - OTHERS}: S2 is at {S2.read_pct}% of its reads. Its writes stay: no cache takes them off. They are Part 5's,
        and left out of the next steps.]],
      notes = "Ask what happens at 90,000 readers a second: the same six." },

    { id = "who-waits", title = "After its second", show = { "table", CACHE }, key = P9, router = "R0",
      enter = function(w)
        calm(w)
        treat(w, "cached")
        ask(w, "R0")
      end,
      table = function()
        local rows = {}
        for i, ms in ipairs { 500, 1100, 2900, 3100 } do
          rows[i] = { label = decimals(ms / 1000, 1) .. " s", run = function(f) come_after(f, ms) end,
            cells = function(f) return { decimals(f.last.ms) .. " ms", f:reads_of(P9, "R0").fetches - 1 } end }
        end
        return { title = "A reader comes to R0", columns = { "its answer is", "waits", "fetches" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [=[
        After its second an answer is [[stale]]. Up to an age of 3 s it is still given, and a fetch goes on behind that:
        [[stale-while-revalidate]].

        R0 has an answer. Then nobody asks for a while.]=],
      predict = { id = "p4-who-waits", kind = "several",
        ask = "At which age must the next reader wait?",
        choices = {
          { "0.5 s", belief = "a cache always asks first", why = "At 0.5 s it is fresh.", holds = function(w) return waits(w, 500) > 0 end },
          { "1.1 s", belief = "stale means useless", why = "At 1.1 s it is stale, and given at once. The fetch goes on behind it.",
            holds = function(w) return waits(w, 1100) > 0 end },
          { "2.9 s", belief = "stale means useless", why = "2.9 s is within the stale bound.", holds = function(w) return waits(w, 2900) > 0 end },
          { "3.1 s", belief = "old is better than slow", why = "Beyond 3 s nobody gets it, or an age would have no bound.",
            holds = function(w) return waits(w, 3100) > 0 end },
        },
        why = "Fresh: given. Stale: given, and fetched again. Too old: the reader waits for the fetch.",
        hints = { "Two bounds: 1 s and 3 s.", "Between them it is given at once.", "Only beyond 3 s." } },
      after = [[
        The wait is a fetch: {decimals(waits(w, 3100))} ms. Tab goes to the table; Enter opens a row, and the other picture
        shows that run.]] },

    { id = "restart", title = "All empty at once", show = { FALL, CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "steady")
        treat(w, "cached")
        w:play_for(2.5)
      end,
      say = [=[
        The worst moment of a cache is a restart: all routers are empty, and {READS} readers a second go on.

        [[Single-flight]]: of those who find nothing at a router, the first one makes it fetch. Who comes meanwhile waits for that
        fetch.]=],
      predict = { id = "p4-restart", kind = "number", tolerance = 0,
        ask = "All six are emptied now. How many fetches until they are full again?",
        answer = function(w) return w:reads_of(P9).fetches end,
        wrong = { [1] = { belief = "routers share one cache", why = "They do not know of each other. Each fetches for itself." },
          [45] = { belief = "who comes meanwhile asks as well", why = "They wait for the fetch that is under way." },
          [9000] = { belief = "a miss is a fetch", why = "A miss is a fetch only for the first." } },
        why = "One for each router.",
        hints = { "What does the first reader at R0 set off?", "And the second one?", "One for each router." } },
      run = empty,
      after = [[
        {w:reads_of("post:{p9}").fetches}, and {w:reads_of("post:{p9}").waits} readers waited for them. A heavy line is a router
        that asks S2; the thin ones below it wait.]] },

    { id = "stampede", title = "Break it: everybody asks", show = { FALL }, key = P9, breaks = "single-flight",
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "steady")
        treat(w, "cached")
        w:play_for(2.5)
        w:set_rule("single-flight", false)
      end,
      say = [[
        Now single-flight is off: whoever finds nothing makes the router ask S2. A fetch takes {QUERY} ms, and {READS} readers
        come a second. All caches are emptied again.]],
      predict = { id = "p4-stampede", kind = "number", tolerance = 11,
        ask = "About how many reads of p9 reach S2 before the first answers are back?",
        answer = function(w) return w:reads_of(P9).fetches end,
        wrong = { [6] = { belief = "a router fetches once", why = "That was the rule, and it is off." },
          [9000] = { belief = "everybody asks for a whole second", why = "Only until the first answers are back and kept." } },
        why = "All who come within the time of a fetch.",
        hints = { "How long are the caches empty?", "{QUERY} ms. How many readers come in one of them?", "{READS // 1000} a millisecond." } },
      run = empty,
      after = [=[
        {w:reads_of("post:{p9}").fetches} instead of {(restarted(w, true))}: a [[stampede]]. Here it is small, since a fetch is
        short. Were it 2 s, it would be {READS * 2}; and so many make a shard slow, which makes each of them longer.]=],
      notes = "The loop is worth a drawing: slow shard, longer misses, more fetches, slower shard." },

    { id = "how-old", title = "How old is it?", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(0.9)
      end,
      say = [=[
        How old an answer is, from when its fetch was sent, is its [[staleness]]: the picture tells it. It may be given until 3 s.
        p9 is read all the time.]=],
      predict = { id = "p4-how-old", kind = "choice", confidence = true,
        ask = "How old is the oldest answer that a reader of p9 gets?",
        choices = {
          { "Never more than 1 s", belief = "stale answers are not given", why = "After a second it is given once more, and until the fetch is back.",
            holds = function(w) return w:reads_of(P9).oldest_ms <= 1000 end },
          { "A little more than 1 s", holds = function(w) local o = w:reads_of(P9).oldest_ms return o > 1000 and o < 1500 end },
          { "Nearly 3 s", belief = "what is allowed happens", why = "The first reader after the second starts a fetch, and with p9 that reader comes at once.",
            holds = function(w) return w:reads_of(P9).oldest_ms >= 2500 end },
        },
        why = "A second, until somebody comes, and the fetch.",
        hints = { "What does the first reader do who finds it stale?", "How soon after the second does one come?", "And the fetch takes {QUERY} ms." } },
      run = function(w) w:play_for(4) end,
      after = [[
        {age(w:reads_of("post:{p9}").oldest_ms)} ms. What is asked for seldom is given older: had nobody come for 2.9 s, the
        next would get what is 2.9 s old.]] },

    { id = "an-edit", title = "nova edits p9", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(2.3)
      end,
      say = [=[
        nova edits the text of p9, through R0. A router that sees a write of the key [[drops]] its answer, and its next reader
        makes it fetch.]=],
      predict = { id = "p4-an-edit", kind = "choice",
        ask = "Her edit is done. A moment later, where do readers still get the old text?",
        choices = {
          { "At the five other routers", holds = function(w) return behind(w, 10) == 5 end },
          { "At all six", belief = "only age ends an answer", why = "R0 saw the edit, and dropped what it had.", holds = function(w) return behind(w, 10) == 6 end },
          { "Nowhere", belief = "a write clears all caches", why = "Only R0 saw the edit. Nobody told the others.",
            holds = function(w) return behind(w, 10) == 0 end },
        },
        why = "R0 saw the edit. The others have only the age to go by.",
        hints = { "Who knows of the edit?", "S2 and R0.", "S2 does not tell the other routers." } },
      run = function(w)
        edit(w, "R0")
        w:play_for(0.01)
      end,
      after = [[
        {behind(w, 10)} of {w:routers()}. There it ends by age: with p9 in about a second. (Likes drop nothing, or no answer
        would last.)]] },

    { id = "bound", title = "What to promise", show = { CACHE }, key = P9,
      enter = function(w)
        calm(w)
        w:set_rule("age-from-read", false)
        treat(w, "cached")
        fill(w)
        w:play_for(0.7)
      end,
      say = [[
        R0 now counts an age as most caches do: from when the answer *came*.

          1 stale bound        3,000 ms
          2 S2 read it before
            it came              ?
          3 while it is hot    {BUSY} ms]],
      with = { BUSY = 1000 + 2 * QUERY },
      predict = { id = "p4-bound", kind = "choice", confidence = true,
        ask = "A fetch takes {QUERY} ms. Day and night: how old is p9 at most?",
        choices = {
          { "{BUSY} ms", belief = "what is measured may be promised", why = "At night nobody asks for 2.9 s, and then somebody does.",
            holds = function(w) return oldest_possible(w, 1000, 3000, false) <= 1010 end },
          { "{3000} ms", belief = "an age begins when the answer comes", why = "S2 read the value before it sent the answer.", holds = function(w)
            local most = oldest_possible(w, 1000, 3000, false)
            return most > 1010 and most <= 3000
          end },
          { "{3000 + QUERY} ms", holds = function(w)
            local most = oldest_possible(w, 1000, 3000, false)
            return most > 3000 and most <= 3005
          end },
          { "Nobody can say", belief = "staleness has no bound", why = "Beyond the stale bound nothing is given. That is what it is for.",
            holds = function(w) return oldest_possible(w, 1000, 3000, false) > 3005 end },
        },
        why = "Lines 1 and 2 hold always. Line 3 only while the key is hot.",
        hints = { "Which lines hold at night?", "Line 3 needs readers.", "Lines 1 and 2." } },
      run = function(w)
        w:play_for(2.299)
        ask(w, "R0")
      end,
      after = [[
        The stale bound and a fetch. R0 gave what was {age(w:reads_of("post:{p9}", "R0").oldest_ms)} ms old. On a day
        when a fetch takes 2 s it is 5 s. Counted from when the fetch is *sent*, line 2 is gone, and the oldest is
        {age(oldest_possible(w, 1000, 3000, true))}.]] },

    { id = "bound-one-open", title = "The last line is yours", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        w:set_rule("age-from-read", false)
        evening(w, READS, 0)
        treat(w, "cached 2000 5000")
        w:play_for(1)
      end,
      say = [[
        Another cache: fresh for 2 s, stale until 5 s, and the same clock. A fetch takes {QUERY} ms.

          1 stale bound        5,000 ms
          2 S2 read it up to a
            fetch before         + {QUERY} ms
          3 while it is hot      ?]],
      predict = { id = "p4-bound-one-open", kind = "number", unit = "ms", tolerance = 3,
        ask = "p9 in the rush: how old is the oldest answer that readers get?",
        answer = function(w) return math.floor(oldest_busy(w, 2000, 5000, false)) end,
        wrong = { [5005] = { belief = "what is allowed happens", why = "It is renewed long before: the first reader after 2 s sees to it." },
          [1010] = { belief = "every cache has one second", why = "This one is fresh for two." },
          [2000] = { belief = "a fetch takes no time", why = "It is {QUERY} ms old when its age begins, and given until the next one is there." },
          [2005] = { belief = "an age begins with the fetch", why = "By this clock it is {QUERY} ms old already when its age begins." } },
        why = "A fetch, fresh, and a fetch until the new one is there.",
        hints = { "How old is it when R0 begins to count?", "{QUERY} ms. And at 2,000 the next fetch begins.", "Which takes {QUERY} ms again." } },
      run = function(w) w:play_for(4) end,
      after = [[
        {age(w:reads_of("post:{p9}").oldest_ms)} ms: a fetch, fresh, until a reader came, and a fetch.]] },

    { id = "bound-alone", title = "Three wishes", show = { "table" }, key = P9,
      knobs = { { name = "choice", label = "fresh", values = { 400, 800, 1200, 1600, 2000 }, start = 800 },
        { name = "size", label = "stale", values = { 2000, 2400, 2500, 3000 }, start = 3000 } },
      enter = function(w) plain(w) end,
      table = function(w, knob) return wishes(w, knob.choice, knob.size) end,
      say = [[
        Set the bounds yourself, by the same clock. No answer may be {BOUND} ms old. S2 has room for {MOST} fetches a second, from
        all six routers. While p9 is hot nobody should wait.

        Kept now: {granted(w, knob.choice, knob.size)} of 3. H turns fresh, Z stale.]],
      with = { BOUND = BOUND, MOST = MOST },
      try = { ask = "Grant all three.", builds = true,
        goal = function(w) return granted(w, knob.choice, knob.size) == 3 end,
        solution = { "knob choice 2000", "knob size 2400" },
        hints = { "The stale bound and a fetch is how old an answer may be.", "Six routers over the fresh bound are the fetches.",
          "2,000 fresh. Where both bounds are the same, somebody waits: so stale a little later." } } },

    -- ------------------------------------------------------------------ nothing is kept

    { id = "coalesce", title = "No cache at all", show = { FALL }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "poisson")
        w:play_for(0.2)
      end,
      say = [=[
        Some must not get what is old. Without a cache S2 refuses most (×). But many ask the same at once. [[Coalescing]]: who
        comes while a router asks S2 the same waits for that *query*. Nothing is kept: the next reader begins a new one.]=],
      predict = { id = "p4-coalesce", kind = "choice",
        ask = "{READS // w:routers()} a second come to each router, a query takes {QUERY} ms. How many queries a second do all six make?",
        choices = {
          { "Six", belief = "a shared answer is kept", why = "It is gone when it was given. The next reader begins a new query.",
            holds = function(w) return w.S2.reads - OTHERS < 100 end },
          { "Somewhat fewer than {w:routers() * 1000 // QUERY}", holds = function(w)
            local most = w:routers() * 1000 // QUERY
            return w.S2.reads - OTHERS > 0.8 * most and w.S2.reads - OTHERS < most
          end },
          { "{w:routers() * 1000 // QUERY}: {1000 // QUERY} each", belief = "a query follows the other at once",
            why = "After each query a router is idle until the next reader comes.",
            holds = function(w) return w.S2.reads - OTHERS == w:routers() * 1000 // QUERY end },
          { "{READS}", belief = "each reader is a query", why = "Those who come meanwhile wait for the same one.",
            holds = function(w) return w.S2.reads - OTHERS > 8000 end },
        },
        why = "A query serves the one who began it and the {1500 * QUERY / 1000} who come in its {QUERY} ms. Then the router waits for the next.",
        hints = { "How many queries of {QUERY} ms fit into a second?", "{1000 // QUERY}, if one follows the other at once.",
          "It waits a moment for the next reader." } },
      run = function(w)
        treat(w, "coalesced")
        w:play_for(1)
      end,
      after = [[
        {S2.reads - OTHERS}. For n readers a second and a query of t seconds it is `n / (1 + n t)`:
        {decimals(shared(1500), 2)} a router, {whole(6 * shared(1500))} in all.]] },

    { id = "one-router", title = "All at one router", show = { FALL }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "poisson")
        treat(w, "coalesced")
        w:play_for(0.2)
      end,
      say = [[
        The same, but all reads of p9 are sent to one router: the key decides which.]],
      predict = { id = "p4-one-router", kind = "choice",
        ask = "How many queries a second reach S2 now?",
        choices = {
          { "As many as before: the readers are the same.", belief = "the sum is the same however it is cut", why = "With more readers at one place more of them meet in a query.",
            holds = function(w) return w.S2.reads - OTHERS > 800 end },
          { "More: one router is slower than six.", belief = "one place is a bottleneck for the shard", why = "A full router shares more, and asks less.",
            holds = function(w) return w.S2.reads - OTHERS > 1200 end },
          { "About a fifth of that", holds = function(w) local q = w.S2.reads - OTHERS return q > 100 and q < 400 end },
        },
        why = "{1 + READS * QUERY // 1000} readers a query, instead of {1 + 1500 * QUERY / 1000}.",
        hints = { "How many come to that router within {QUERY} ms?", "{READS * QUERY // 1000}, and the one who began.",
          "{READS} / {1 + READS * QUERY // 1000}." } },
      run = function(w)
        treat(w, "coalesced by-key")
        w:play_for(1)
      end,
      after = [[
        {S2.reads - OTHERS}; the formula says {decimals(shared(READS), 2)}, and never more than 1/t = {1000 // QUERY}. But all {READS} pass one
        router. Ours have no ceiling; one that is good for {FLEET} would be at {100 * READS // FLEET}%: the hot key has moved there.]] },

    { id = "join-rule", title = "Break it: a late reply", show = { "trace:R3" }, key = LIKES, router = "R3",
      breaks = "join-before-write",
      enter = function(w)
        plain(w)
        treat(w, "coalesced by-key", LIKES)
        w:play_for(0.1)
        w:set_rule("join-before-write", false)
      end,
      say = [[
        The rule: nobody joins a query if a write of the key was completed since it began. It is off now.

        A query has been answered by S2, and its reply is late. Meanwhile a fan likes p9, sees OK, and asks for the likes.]],
      predict = { id = "p4-join-rule", kind = "choice", confidence = true,
        ask = "What does the fan see?",
        choices = {
          { "The count with their like", belief = "after OK everybody sees it", why = "S2 has it. But the reply on its way left before.",
            holds = function(w) return last.value == w:acked(LIKES) end },
          { "The count without it", holds = function(w) return last.outcome == "OK" and last.value < w:acked(LIKES) end },
          { "An error", belief = "a mistake shows itself", why = "Nobody noticed anything.", holds = function() return last.outcome ~= "OK" end },
        },
        why = "They joined a query that was older than their like.",
        hints = { "When did S2 answer that query?", "Before the like.", "And the fan waits for that answer." } },
      run = overtaken,
      after = [[
        {last.value} of {w:acked("likes:{p9}")}, after {decimals(last.ms)} ms. By the rule the fan sees all, after {by_rule(w)} ms:
        by a query that began after the like.]] },

    -- ------------------------------------------------------------------ copies of the shard, and all together

    { id = "replicas", title = "Copies of the shard", show = { "table", "bars" },
      enter = function(w)
        plain(w)
        evening(w, READS, WRITES)
        w:play_for(1)
      end,
      table = function()
        local rows = {}
        for n = 1, 6 do
          rows[n] = { label = n == 1 and "S2 alone" or "S2 and " .. n - 1, run = function(f)
            if n > 1 then f:command("replicas S2 " .. n) end
            treat(f, "replicas")
            f:play_for(1)
          end, cells = function(f) return { decimals(f.S2.read_pct, 1) .. "%", decimals(f.S2.write_pct) .. "%" } end }
        end
        return { title = "Of each copy's ceiling", columns = { "copies", "reads", "writes" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [=[
        S2 can have [[replicas]]: copies of the shard on other machines. S2, their [[leader]], takes the writes; they follow
        {lag_ms(w)} ms behind. Reads go to all of them in turn. S2 alone is at {S2.read_pct}% of its reads.]=],
      predict = { id = "p4-replicas", kind = "number", tolerance = 0,
        ask = "How many are needed, S2 with them, until reads are at the planned {PART}% or less?",
        answer = function(w)
          for n = 1, 6 do
            if replicated(w, n) <= PART then return n end
          end
        end,
        wrong = { [4] = { belief = "a ceiling is a plan", why = "Four are at {replicated(w, 4)}%: each can do that, and has less room than planned." },
          [3] = { belief = "round to the nearest", why = "Three are at {replicated(w, 3)}%: {S2.reads} of three times the ceiling." },
          [2] = { belief = "a replica takes all reads off", why = "They share. Two are at {replicated(w, 2)}%." } },
        why = "{S2.reads} of so many times the ceiling.",
        hints = { "What may one serve, at {PART}%?", "{3000 * PART // 100} reads a second.",
          "{S2.reads} / {3000 * PART // 100}, rounded up." } },
      after = [[
        Three are at {replicated(w, 3)}%, four at {replicated(w, 4)}%, five at {replicated(w, 5)}%. And
        each copy does each write: that column stays.]] },

    { id = "which-one", title = "Which one?", show = { "table", "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, WRITES)
        w:play_for(1)
      end,
      table = function()
        return { title = "p9's reads, as at 20:02", columns = { "fix", "at S2", "S2 full", "behind ms" }, numbers = { 2, 3, 4 },
          rows = { row("as it is", "plain"), row("micro-cache", "cached"), row("coalesced", "coalesced"),
            row("by key", "coalesced by-key"), row("2 replicas", "replicas") } }
      end,
      say = [[
        *Behind*: for how long after its OK a write may be missing, while p9 is hot and nothing late.

        A moderator corrects the count of likes through R0 and reads it at once through R3. It has to be right.]],
      predict = { id = "p4-which-one", kind = "choice",
        ask = "Which may they use?",
        choices = {
          { "Coalescing at each router", belief = "what keeps nothing is new", why = "R3 does not know of what passed R0. A query that began before is still joined there.",
            holds = function(w) return shows_like(w, "coalesced") end },
          { "Coalescing by key", holds = function(w) return shows_like(w, "coalesced by-key") end },
          { "The micro-cache", belief = "a second is nothing", why = "For a second the other routers give what they have.",
            holds = function(w) return shows_like(w, "cached") end },
          { "Replicas", belief = "a replica knows what its leader knows", why = "For {lag_ms(w)} ms a replica is behind.",
            holds = function(w) return shows_like(w, "replicas") end },
        },
        why = "One router sees all writes of the key, and no reader joins what began before one.",
        hints = { "Which of them keep an answer, or lag?", "And who knows of a write through R0?", "Only where one router sees all." } },
      after = [[
        By key gives what is new, if one router can take {READS}. Where seconds are fine a cache costs less. So cache for
        everybody, and send by key only who must see the newest.]] },

    { id = "tell", title = "One line for the wiki", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        w:set_rule("age-from-read", false)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(2.5)
      end,
      say = [[
        Fresh for 1 s, stale until 3 s. A colleague writes: "1 s at most."]],
      predict = { id = "p4-tell", kind = "explain",
        ask = "Correct it. How old, and why?",
        model = "3 s and a fetch: it is given until 3 s, and was read a fetch before. While hot about 1 s. An edit clears one router.",
        rubric = { "3 s: the stale bound", "and a fetch", "about 1 s while hot", "an edit clears one" },
        hints = { "Which bound ends an answer at night?" } },
      after = [[
        The steps from here on go deeper.]] },

    -- ------------------------------------------------------------------ deeper

    { id = "bound-two-open", title = "By the other clock", deeper = true, show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached 500 1500")
        w:play_for(0.4)
      end,
      say = [[
        Fresh for 0.5 s, stale until 1.5 s. A fetch takes {QUERY} ms, p9 is hot. And this router counts an age from when it
        *sends* a fetch.

          1 stale bound        1,500 ms
          2 S2 read it up to a
            fetch before         ?
          3 while it is hot      ?]],
      predict = { id = "p4-bound-two-open", kind = "number", unit = "ms", tolerance = 3,
        ask = "How old is the oldest answer that readers get?",
        answer = function(w) return math.floor(oldest_busy(w, 500, 1500, true)) end,
        wrong = { [500] = { belief = "the fresh bound is the bound", why = "At 500 ms a fetch begins, and until it is back the old answer is given." },
          [510] = { belief = "every clock starts at the answer", why = "So it was before. This one starts with the fetch: it counts it already." },
          [1500] = { belief = "what is allowed happens", why = "That is the promise. Readers who always come renew it earlier." } },
        why = "500 ms, and a fetch until it is renewed. Line 2 is nothing.",
        hints = { "How old is the value when its age begins?", "Not at all. At 500 a fetch begins.", "And that takes {QUERY} ms." } },
      run = function(w) w:play_for(2) end,
      after = [[
        {age(w:reads_of("post:{p9}").oldest_ms)} ms. And the promise is line 1 alone: by trying, nothing was
        {age(oldest_possible(w, 500, 1500, true)) + 1} ms old.]] },

    { id = "twelve", title = "A larger fleet", deeper = true, show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(3.9)
      end,
      say = [[
        The same readers, twice the routers: twelve, and each keeps p9 for a second. (No run here has twelve: take what one
        of the six does.)]],
      predict = { id = "p4-twelve", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads of p9 a second reach S2 then?",
        answer = function(w) return 12 * per_router(w) / 4 end,
        wrong = { [6] = { belief = "the same readers, the same fetches", why = "Fetches are not made for readers. Each router makes its own." },
          [3] = { belief = "more routers, less for the shard", why = "Each has fewer readers, and fetches as often as before." } },
        why = "One a second for each router. Readers do not count.",
        hints = { "How many has one router here?", "One a second.", "Twelve routers." } },
      after = [=[
        In 4 s each of the six fetches {per_router(w)} times. They do it in step, within {decimals(in_step(w), 1)} ms: they were filled
        together. With 600 routers that is a burst each second, for each hot key. So caches make each [[TTL]] (how long an
        answer is kept) a little different, and a layer more between them and the shard helps.]=] },

    { id = "for-ever", title = "Break it: keep it for ever", deeper = true, show = { CACHE }, key = P9, breaks = "bounded-age",
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(2.2)
        w:set_rule("bounded-age", false)
        treat(w, "cached 3600000 3600000")
        fill(w)
      end,
      say = [[
        "Why fetch it again each second?" Answers are fresh for an hour now, and no age is too old to be given. p9 has to be
        taken down: the edit goes through R0, and is done.]],
      predict = { id = "p4-for-ever", kind = "number", tolerance = 0,
        ask = "Ten seconds later: how many of the six routers still show it?",
        answer = function(w) return behind(w, 10000) end,
        wrong = { [0] = { belief = "a write clears all caches", why = "A write goes to the shard, and the router on its way drops its answer. The others learn nothing." },
          [6] = { belief = "only age ends an answer", why = "R0 saw the edit and dropped its answer: that rule is on." },
          [1] = { belief = "the shard tells the routers", why = "S2 does not know what they keep." } },
        why = "Only R0 saw the edit, and nothing ends by itself.",
        hints = { "What ends an answer here?", "An edit that passes; no age.", "Five did not see it." } },
      run = function(w)
        edit(w, "R0")
        w:play_for(10)
      end,
      after = [[
        {behind(w, 10000)}, and nothing will end it there. So a cache needs a bound of age, or every write must reach every
        cache. The second fails now and then, so keep the first as well.]] },

    { id = "refused", title = "A bad moment", deeper = true, show = { FALL }, key = P9, router = "R1",
      enter = function(w)
        plain(w)
        evening(w, 0, 0)
        w:flow("read", P13, READS, "scattered")
        treat(w, "cached")
        w:command("network delay 100% 4")
        w:play_for(0.3)
        for _ = 1, 40 do -- until the first fetch will be refused, and a later one answered
          local refused, answered = rush(w:fork())
          if refused >= 5 and answered >= 5 then break end
          w:play_for(0.0137)
        end
      end,
      say = [[
        p13, also on S2, is hot too and not cached: S2 refuses two of three reads. Messages take up to 4 ms.

        {RUSH} readers come to R1. It is empty, and its fetch is refused.]],
      predict = { id = "p4-refused", kind = "choice",
        ask = "What do those get who wait for that fetch?",
        choices = {
          { "All of them the refusal", holds = function() return m("refused") > 3 end },
          { "One a refusal; the others fetch", belief = "each waits on their own", why = "They share one fetch, and what becomes of it.",
            holds = function() return m("refused") == 1 end },
          { "An answer: R1 tries again", belief = "who waits is safe", why = "No router tries again for those who wait. Who comes next begins another fetch.",
            holds = function() return m("refused") == 0 end },
        },
        why = "Whoever shares a fetch shares its end.",
        hints = { "How many fetches has R1 under way?", "One, by the rule.", "It is what all of them wait for." } },
      run = function(w) M.refused, M.answered = rush(w) end,
      after = [[
        {m("refused")} of {RUSH} were refused: R1 made {w:reads_of("post:{p9}", "R1").fetches} fetches until one came
        through. Only an answer is kept. Had R1 a stale one, it would have given that: the next step.]] },

    { id = "silent", title = "S2 is gone", deeper = true, show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        w:flow("read", P9, 600, "steady")
        treat(w, "cached")
        w:play_for(1.4)
      end,
      say = [[
        The usual cache: fresh for 1 s, stale until 3 s; p9 is read {600} times a second. Then S2 dies: nobody
        listens there, and each fetch fails at once.]],
      predict = { id = "p4-silent", kind = "choice",
        ask = "When do readers of p9 notice?",
        choices = {
          { "At once", belief = "a cache needs its shard", why = "A fresh answer is given without asking S2.", holds = function() return m("noticed") < 100 end },
          { "When it is no longer fresh", belief = "a stale answer needs a fetch that works", why = "It is given at once. Whether the fetch behind it works shows later.",
            holds = function() return m("noticed") >= 100 and m("noticed") < 1500 end },
          { "When it is 3 s old", holds = function() return m("noticed") >= 1500 end },
        },
        why = "Up to the stale bound an answer is given, and a failed fetch leaves it where it is.",
        hints = { "Who asks S2 while it is fresh? And while it is stale?", "Only the router, behind its reader.", "Until the stale bound." } },
      run = function(w)
        local before = w:reads_of(P9)
        M.noticed = 0
        w:command("crash S2 3500")
        while w:reads_of(P9).waits == before.waits and M.noticed < 5000 do
          w:play_for(0.05)
          M.noticed = M.noticed + 50
        end
        M.fetches = w:reads_of(P9).fetches - before.fetches
      end,
      after = [=[
        After {decimals(m("noticed") / 1000, 1)} s. To give what is stale when a fetch fails is called [[stale-if-error]]; many caches have
        a longer bound for it. But single-flight is no help here: each reader finds no fetch under way and begins one,
        {m("fetches")} so far. So let a router pause between tries. (Were S2 silent, a fetch would hang until its
        time-out, with its readers.)]=] },

    { id = "query-cache", title = "Writes pass it by", deeper = true, show = { CACHE }, key = P9, breaks = "drop-on-edit", router = "R0",
      enter = function(w)
        plain(w)
        w:set_rule("drop-on-edit", false)
        treat(w, "cached 60000 60000")
        fill(w)
        w:play_for(1)
      end,
      say = [=[
        DynamoDB's cache, DAX, renews an item when a write passes. Results of queries lie in a [[query cache]] beside, here for a
        minute.

        R0 keeps such a result: the page of p9. nova edits p9 through R0 and looks 10 s later.]=],
      predict = { id = "p4-query-cache", kind = "choice",
        ask = "Which text does it show?",
        choices = {
          { "The new one: the cache saw it", belief = "a cache knows of the writes that pass it", why = "It renewed the item. The page is the result of a query, and no write looks for those.",
            holds = function(w) return last.asks == 0 and w:reads_of(P9, "R0").held_ms < 10000 end },
          { "The old one", holds = function(w) return last.asks == 0 and w:reads_of(P9, "R0").held_ms > 10000 end },
          { "The new one: the page was dropped", belief = "a cache knows what its results are made of", why = "Nobody keeps a list of which results a write would change.",
            holds = function() return last.asks > 0 end },
        },
        why = "Only its age ends such a result.",
        hints = { "What would have to drop it?", "That rule is off.", "So it is given until its minute is over." } },
      run = function(w)
        edit(w, "R0")
        w:play_for(10)
        ask(w, "R0")
      end,
      after = [=[
        An answer {decimals(w:reads_of("post:{p9}", "R0").held_ms / 1000, 1)} s old, from before her edit. For a query cache the
        [[TTL]] is the only bound there is.]=] },

    { id = "across", title = "A fetch across an edit", deeper = true, show = { "trace" }, key = P9, router = "R0", breaks = "fill-not-across-edit",
      enter = function(w)
        plain(w)
        treat(w, "cached")
        w:play_for(0.1)
        w:set_rule("fill-not-across-edit", false)
      end,
      say = [[
        R0 drops its answer when it sees an edit. But a fetch may be under way that S2 answered before the edit, and its reply
        comes late. By a rule it is then not kept. That rule is off.]],
      predict = { id = "p4-across", kind = "choice",
        ask = "The edit is done, then the late reply arrives at R0. Who gets the old text?",
        choices = {
          { "Who waited, and all after them", holds = function(w) return last.asks == 0 and w:reads_of(P9, "R0").held_ms > 20 end },
          { "Nobody: it was dropped.", belief = "dropping is enough", why = "There was nothing to drop: the old text was still on its way.",
            holds = function() return last.asks > 0 end },
          { "Only who waited for it", belief = "a late reply harms only who waits", why = "That is so by the rule. Without it the reply is kept, as if it were new.",
            holds = function() return false end },
        },
        why = "It was kept, and looks fresh.",
        hints = { "What does R0 do with a reply?", "It keeps it.", "And gives it for a second." } },
      run = function(w)
        w:send("read", P9, "R0")
        w:play_for(0.001)
        w:command("hold " .. w.last.number + 1 .. " 40")
        w:send("edit", P9, "R0")
        w:play_for(0.06)
        ask(w, "R0")
      end,
      after = [[
        R0 gave an answer whose fetch was sent {decimals(w:reads_of("post:{p9}", "R0").held_ms)} ms ago, before the edit. Those
        who waited asked before it, so for them the old text is right. `hotshard check micro-cache` tries every order of these
        steps.]] },

    { id = "writes-first", title = "Readers of the likes", deeper = true, show = { "bars" }, key = LIKES,
      enter = function(w)
        plain(w)
        w:command("ceiling S2 4000 20000")
        w:flow("like", LIKES, WRITES, "poisson")
        w:flow("read", LIKES, READS, "poisson")
        w:play_for(0.5)
      end,
      say = [[
        Coalescing by key gave about 200 queries a second. Now it is `likes:{p9}` that {READS} readers ask for, and {WRITES}
        likes a second are written to it. S2 has been made large enough.]],
      predict = { id = "p4-writes-first", kind = "choice",
        ask = "How many queries a second reach S2?",
        choices = {
          { "About 200: as before", belief = "writes do not matter to readers", why = "After each write nobody may join an older query.",
            holds = function(w) return w.S2.reads < 300 end },
          { "About 1,900", holds = function(w) return w.S2.reads >= 1700 and w.S2.reads < 2100 end },
          { "About 9,000: nothing is shared", belief = "a rule ends sharing", why = "Between two writes readers still share.",
            holds = function(w) return w.S2.reads > 8000 end },
        },
        why = "Every {decimals(1000 / WRITES, 1)} ms a write is completed, and whoever comes after it begins a new query.",
        hints = { "How long is it from write to write?", "{decimals(1000 / WRITES, 2)} ms, and not {QUERY}.",
          "So {READS / WRITES} come meanwhile, and the one who began." } },
      run = function(w)
        treat(w, "coalesced by-key", LIKES)
        w:play_for(1)
      end,
      after = [[
        {whole(asked_of_S2(w, "coalesced by-key", WRITES))} on average; the formula, with 1/{WRITES} s for t, says
        {whole(READS / (1 + READS / WRITES))}. With 12 writes a second, which is what Part 5 makes of the likes, it is
        {whole(asked_of_S2(w, "coalesced by-key", 12))}. So cure the writes first.]] },

    { id = "two-routers", title = "Who knows of a write?", deeper = true, show = { "trace:" .. LIKES }, key = LIKES, router = "R1", breaks = "one-router-a-key",
      enter = function(w)
        plain(w)
        w:set_rule("one-router-a-key", false)
        treat(w, "coalesced by-key", LIKES)
        w:play_for(0.1)
      end,
      say = [[
        The rule of joining is on. But the requests of p9 go to many routers again, and each knows of the writes that passed
        it.

        A query is under way at R1, its reply is late. A fan likes p9 through R0, sees OK, and asks R1.]],
      predict = { id = "p4-two-routers", kind = "choice",
        ask = "Is the like there?",
        choices = {
          { "Yes: the rule is on.", belief = "a rule holds wherever it is obeyed", why = "R1 obeys it. It just does not know of the like.",
            holds = function(w) return last.value == w:acked(LIKES) and last.ms <= QUERY end },
          { "Yes, a little later: R0 tells R1.", belief = "routers tell each other of writes", why = "They do not. A router learns of what passes it.",
            holds = function(w) return last.value == w:acked(LIKES) and last.ms > QUERY end },
          { "No", holds = function(w) return last.outcome == "OK" and last.value < w:acked(LIKES) end },
        },
        why = "R1 let the fan join, since it had seen no write.",
        hints = { "Who told R1 of the like?", "Nobody.", "So it may be joined, as far as R1 knows." } },
      run = function(w)
        w:send("read", LIKES, "R1")
        w:play_for(0.001)
        w:command("hold " .. w.last.number + 1 .. " 40")
        w:send("like", LIKES, "R0")
        w:play_for(0.012)
        w:send("read", LIKES, "R1")
        w:play_answered()
      end,
      after = [[
        {last.value} of {w:acked("likes:{p9}")}. Coalescing at each router is cheap, and right for who writes and reads through
        the same one. Whoever needs more sends the whole key through one router. `hotshard check coalesce` tries every order.]] },

    { id = "rule-back", title = "Put the rule back", deeper = true, show = { "trace:" .. LIKES }, key = LIKES, router = "R3",
      breaks = "join-before-write", actions = { "break", "route" },
      enter = function(w)
        plain(w)
        treat(w, "coalesced by-key", LIKES)
        w:play_for(0.1)
        w:set_rule("join-before-write", false)
        M.first = w.last.number
      end,
      say = [[
        The rule of joining costs a look at the list of writes. x switches it. r sends a request: type `like likes:{p9}`, and
        after that `read likes:{p9}`.]],
      try = { ask = "Switch the rule on, like p9 and then read its likes.",
        goal = function(w)
          return w:rule("join-before-write") and last.number > M.first and last.done and last.op == "read" and last.key == LIKES and liked(w)
        end,
        solution = { "rule join-before-write on", "request like likes:{p9} via R3", "request read likes:{p9} via R3" },
        hints = { "x switches the rule.", "r, then `like likes:{p9}`.", "r again, then `read likes:{p9}`." } } },

    { id = "own-write", title = "Where is my like?", deeper = true, show = { "trace:" .. LIKES }, key = LIKES, router = "R0",
      enter = function(w)
        plain(w)
        w:command("replicas S2 3")
        treat(w, "replicas", LIKES)
        w:play_for(0.1)
      end,
      say = [[
        S2, the leader, and its two replicas answer reads in turn. A fan likes p9 and sees OK. The page then reads the likes three
        times, all at the same moment.]],
      predict = { id = "p4-own-write", kind = "number", tolerance = 0,
        ask = "How many of the three answers lack the like?",
        answer = function(w) return lacking(w) end,
        wrong = { [0] = { belief = "a replica knows what its leader knows", why = "It follows {lag_ms(w)} ms behind." },
          [3] = { belief = "replicas answer all reads", why = "The leader takes its turn, and knows." } },
        why = "Two replicas do not know of it yet.",
        hints = { "Who answers in turn?", "The leader and two replicas.", "The replicas are {lag_ms(w)} ms behind." } },
      run = function(w)
        w:send("like", LIKES, "R0")
        w:play_answered()
        for _ = 1, 3 do w:send("read", LIKES, "R0") end
        w:play_answered()
      end,
      after = [=[
        The like is there, and then it is gone. Who has written can read from the leader for a while; or better, take the
        position of the write along, and read from a copy that has it: [[read-your-writes]]. Our [[replica lag]] is fixed. A real
        one grows when writes are many, and has no bound.]=] },

    { id = "copies", title = "Copies of one value", deeper = true, show = { "bars", "slot_map" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        w:play_for(1)
      end,
      say = [[
        Or copy just the value. `post:{p9~1}` to `post:{p9~4}` hold the same, and each read picks one of them at random. The
        number is inside the braces, so each copy has a slot of its own: they are on {COPY_SHARDS(w)}.]],
      predict = { id = "p4-copies", kind = "number", unit = "%", tolerance = 5,
        ask = "How full is the busiest shard then, in reads?",
        answer = function(w) return whole(100 * busiest_copy(w, 4) / 3000) end,
        wrong = { [310] = { belief = "copies sit beside the original", why = "With the number outside the braces they would. Inside, each has its own slot." },
          [75] = { belief = "a shard has one guest", why = "The other posts of the shard are still there: 400 reads." } },
        why = "A quarter of {READS}, and what the shard has anyway.",
        hints = { "Which part does each copy get?", "2,250 a second.", "And 400 for the four posts of that shard." } },
      with = { COPY_SHARDS = function(w)
        local names = {}
        for i = 1, 4 do names[i] = w:owner("post:{p9~" .. i .. "}") end
        return table.concat(names, ", ")
      end },
      run = function(w)
        treat(w, "copies 4")
        w:play_for(1)
      end,
      after = [[
        {whole(100 * (READS / 4 + 400) / 3000)}% on average; readers pick at random, and the busiest has
        {whole(100 * busiest_copy(w, 4) / 3000)}%. With eight copies it is {whole(100 * busiest_copy(w, 8) / 3000)}%: there are
        only four shards to put them on.]] },

    { id = "copies-cost", title = "Every copy is written", deeper = true, show = { "trace:R0" }, key = P9, router = "R0",
      enter = function(w)
        plain(w)
        treat(w, "copies 4")
        w:play_for(0.1)
      end,
      say = [[
        nova edits p9. It is done when no reader can find the old text any more, whichever copy they pick.]],
      predict = { id = "p4-copies-cost", kind = "number", tolerance = 0,
        ask = "The value has 4 copies beside it. How many writes do the shards take for one edit?",
        answer = function(w) return edit_costs(w, 4) end,
        wrong = { [1] = { belief = "copies follow by themselves", why = "They are keys like others. Somebody has to write each." },
          [4] = { belief = "the copies replace the value", why = "The value itself is kept too, so that one can go back." } },
        why = "One for each copy, and one for the value.",
        hints = { "Which keys hold the text?", "Four copies, and the value.", "Five." } },
      run = function(w) edit(w, "R0") end,
      after = [[
        {edit_costs(w, 4)} instead of {edit_costs(w, 0)}. So copies are for what is read much and edited seldom. A counter
        with {WRITES} likes a second is not.]] },

    { id = "copies-torn", title = "One of five", deeper = true, show = { "trace:R0" }, key = P9, router = "R0",
      enter = function(w)
        plain(w)
        treat(w, "copies 4")
        w:command("ceiling S0 1 3000")
        edit(w, "R0") -- takes what S0 may write this second
      end,
      say = [[
        nova edits again. But S0, where the fourth copy lies, has no room for writes this second. It refuses, and R0 tells nova
        that her edit failed.]],
      predict = { id = "p4-copies-torn", kind = "number", tolerance = 0,
        ask = "How many of the five keys hold her new text now?",
        answer = function() return m("written") end,
        wrong = { [0] = { belief = "what failed has changed nothing", why = "The others had written it by then. They are in other slots, and know nothing of S0." },
          [5] = { belief = "a write is tried until it works", why = "Nobody tries again by itself." },
          [1] = { belief = "the value is written first", why = "All five are sent at once. Four shards took theirs." } },
        why = "Five writes in five slots are not one: each is taken or refused by itself.",
        hints = { "Who refused?", "One of five.", "The others did not wait for it." } },
      run = function(w)
        local before = served(w)
        edit(w, "R0")
        M.written = served(w) - before
      end,
      after = [[
        {m("written")}, and nova was told: {last.outcome}. One reader in four still gets the old text, until somebody writes all five
        again. So give each copy a version, and let a job look for those that fell behind.]] },

    { id = "edges", title = "Before the routers", deeper = true, show = { CACHE, "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        w:play_for(1)
      end,
      say = [=[
        A [[CDN]] keeps answers at its [[edges]], near to the readers. Ours let one reader fetch while the others wait (a real one
        may need to be told). Each of our three zones has one edge, before its two routers; it keeps p9 for a second.]=],
      predict = { id = "p4-edges", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads of p9 a second reach S2?",
        answer = function(w) return w.S2.reads - OTHERS end,
        wrong = { [6] = { belief = "routers fetch for themselves", why = "They hear of p9 only through their edge now." },
          [9000] = { belief = "a CDN is for pictures", why = "For whatever many ask alike." } },
        why = "One a second for each edge.",
        hints = { "Who fetches now?", "Three edges.", "Once a second each." } },
      run = function(w)
        treat(w, "edge")
        w:play_for(3)
      end,
      after = [=[
        {S2.reads - OTHERS}, and the routers are spared as well. Here no edit reaches an edge: its TTL is the bound. Real CDNs can be
        told to [[purge]] a page; that may fail, so keep the TTL. And they have hundreds of edges, each of which fetches: a
        [[shield]], one cache more, stands between.]=] },

    { id = "seldom", title = "Every two seconds", deeper = true, show = { "cache:" .. P7 }, key = P7, router = "R0",
      enter = function(w)
        plain(w)
        treat(w, "cached", P7)
        ask(w, "R0", P7)
      end,
      say = [[
        p7 is nobody's favourite. At R0 somebody reads it every two seconds, exactly. The cache is the usual one: fresh for 1
        s, stale until 3 s.]],
      predict = { id = "p4-seldom", kind = "number", unit = "ms", tolerance = 10,
        ask = "How old are the answers that these readers get?",
        answer = function(w) return w:reads_of(P7, "R0").oldest_ms end,
        wrong = { [1000] = { belief = "the fresh bound is the bound", why = "At one second nobody comes, so nobody starts a fetch." },
          [3000] = { belief = "what is allowed happens", why = "At 3 s it would be too old. But somebody comes before." },
          [5] = { belief = "stale means useless", why = "At two seconds it is stale, and given." } },
        why = "Each gets what the one before had fetched.",
        hints = { "Who started the last fetch?", "The reader two seconds ago.", "2,000 ms." } },
      run = function(w)
        for _ = 1, 4 do
          w:play_for(2 - QUERY / 1000)
          ask(w, "R0", P7)
          w:play_for(QUERY / 1000)
        end
        w:play_for(0.1)
      end,
      after = [[
        {age(w:reads_of("post:{p7}", "R0").oldest_ms)} ms, and each of these reads made a fetch. For a key that is read seldom a
        cache saves nothing and only makes it old. Use it where it is hot.]] },
  },
}
