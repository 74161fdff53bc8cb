-- Part 4. Core path: a micro-cache, its ages, its restart, what an edit does to it, the bound of
-- its staleness; coalescing, its rule, replicas; which of them for what. Deeper: more routers, ages
-- that are counted wrongly, a cache for ever, a cache that writes pass by, a fetch across an edit,
-- coalescing under many writes and at several routers, copies, edges, own writes at replicas.

local P9, LIKES, P7 = "post:{p9}", "likes:{p9}", "post:{p7}"
READS, WRITES = 9000, 2400 -- of p9, a second
OTHERS = 300               -- reads of p1, p5 and p13, which live on S2 as well
QUERY, LAG = 5, 20         -- milliseconds of a query, and by which replicas are behind
FLEET = 2500               -- requests a second that a router is good for
local RULES = { "single-flight", "bounded-age", "age-from-read", "drop-on-edit", "fill-not-across-edit",
  "join-before-write", "one-router-a-key" }

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

function whole(x)
  return math.floor(x + 0.5)
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
  pcall(w.command, w, "replicas S2 1") -- refused where it is so already
  if w.S2.write_ceiling ~= 1000 then w:command("ceiling S2 1000 3000") end
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

-- p9 alone on a shard of its own.
function alone(w)
  local f, slot = w:fork(), w:slot("{p9}")
  f:add_shard()
  f:move(slot, slot, "S4")
  return f.S4.read_pct
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

-- A like through R0 is done; R3 is asked at once. Does it show the like?
local function shows_like(w, how)
  local f = w:fork()
  plain(f)
  treat(f, how, LIKES)
  f:command("replicas S2 " .. (how == "replicas" and 3 or 1))
  for r = 0, 5 do f:send("read", LIKES, "R" .. r) end
  f:play_answered()
  local before = f:acked(LIKES)
  f:send("like", LIKES, "R0")
  f:play_answered()
  for _ = 1, 3 do
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

-- Whether somebody liked p9 shortly before the last request.
function liked(w)
  for n = math.max(1, w.last.number - 4), w.last.number do
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

-- Reads that S2 has to serve with so many of its copies, in percent.
function replicated(w, n)
  local f = w:fork()
  if n > 0 then f:command("replicas S2 " .. n) end
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

-- --- four settings of a cache ---

SETTINGS = { { 1000, 2500 }, { 2000, 3000 }, { 1600, 2400 }, { 2400, 4000 } }

function seconds(ms)
  return (ms % 1000 == 0 and ms // 1000 or ms / 1000) .. " s"
end

function costs(f, fresh, stale)
  plain(f)
  treat(f, "cached " .. fresh .. " " .. stale)
  f:flow("read", P9, 600, "scattered")
  f:play_for(12)
end

-- Whether a setting keeps both promises: never older than `oldest`, at most so many fetches a second.
function keeps(w, which, oldest, fetches)
  local fresh, stale = SETTINGS[which][1], SETTINGS[which][2]
  if oldest_possible(w, fresh, stale, true) > oldest then return false end
  local f = w:fork()
  costs(f, fresh, stale)
  return f:reads_of(P9).fetches / 12 <= fetches
end

-- --- copies of one value ---

local function copied(w, n)
  local f = w:fork()
  plain(f)
  f:command("ceiling S2 1000 3000")
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

-- Writes that shards take for one edit.
function edit_costs(w, n)
  local f = w:fork()
  plain(f)
  if n > 0 then treat(f, "copies " .. n) end
  local function served() return f.S0.served + f.S1.served + f.S2.served + f.S3.served end
  local before = served()
  edit(f, "R0")
  return served() - before
end

-- --- the table at the end ---

local function row(label, how, behind)
  return { label = label, run = function(f)
    plain(f)
    if how == "replicas" then f:command("replicas S2 3") end
    if how ~= "plain" then treat(f, how) end
    evening(f, READS, WRITES, how:find("^coalesced") and "poisson")
    f:play_for(2)
  end, cells = function(f)
    return { whole(f.S2.reads - OTHERS), decimals(f.S2.read_pct) .. "%", whole(f:reads_of(P9).oldest_ms) + (behind or 0) }
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
      say = [[The caches of all {w:routers()} routers are emptied at once. A query takes {QUERY} ms, and the rule single-flight is off.]],
      predict = { id = "p4-check-restart", kind = "number", tolerance = 11,
        ask = "{READS} readers come a second. How many of their reads reach S2?",
        answer = function(w) return (restarted(w, false)) end,
        wrong = { [6] = { belief = "a router fetches once", why = "That is what single-flight would do." },
          [9000] = { belief = "everybody asks until a second is over", why = "The first answers are back after a query, and are kept." } },
        why = "All who come while the first query is under way." } },

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
        ask = "A query takes {QUERY} ms. How old is what a reader may get, at most?",
        answer = function(w) return oldest_possible(w, 1000, 3000, false) + 1 end, -- just under that
        wrong = { [1000] = { belief = "the fresh bound is the bound", why = "After it the answer is still given, once at least." },
          [3000] = { belief = "an age begins when the answer comes", why = "The value was read before that: a query more." } },
        why = "The stale bound and the query." } },

    { id = "recall", title = "From Part 3", show = { "bars" },
      enter = function(w) evening(w, READS, WRITES) end,
      say = [[
        20:02. p9 is read {READS} times a second, and liked {WRITES} times. S2 may serve {S2.read_ceiling} reads, so it is
        {S2.read_pct}% full.

        Somebody clears it: p1, p5 and p13 go elsewhere, and p9 has a shard to itself.]],
      predict = { id = "p4-recall", kind = "number", unit = "%", tolerance = 3,
        ask = "How full is that shard, in reads?",
        answer = alone,
        wrong = { [100] = { belief = "a shard of its own is enough", why = "p9 alone is asked for three times what a shard may serve." },
          [75] = { belief = "load spreads by itself", why = "That would be so if all four shards shared p9. One key is on one shard." } },
        why = "One key is on one shard, and no shard takes {READS} reads.",
        hints = { "What is left on the shard of p9?", "{READS} reads a second.", "{READS} of {S2.read_ceiling}." } },
      after = [[
        {alone(w)}%. So reads have to end before they come to the shard. This part shows how, and what each way costs.]] },

    { id = "keep-it", title = "Keep the answer", show = { "bars", CACHE }, key = P9,
      enter = function(w) evening(w, READS, WRITES) end,
      say = [[
        All {READS} ask the same question, and S2 answers each anew. A *micro-cache* in each of the {w:routers()} routers
        keeps the answer for one second. So long it is *fresh*, and is given without asking S2.]],
      predict = { id = "p4-keep-it", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "It is switched on. How many reads of p9 a second reach S2?",
        answer = function(w) return w.S2.reads - OTHERS end,
        wrong = { [1] = { belief = "routers share one cache", why = "Each router has a cache of its own, and fetches for itself." },
          [9000] = { belief = "a cache only makes answers faster", why = "What a router answers itself, S2 never hears of." },
          [1500] = { belief = "a cache helps one reader in six", why = "So many readers come to each router. It asks for one of them." },
          [0] = { belief = "what is cached is never fetched again", why = "After a second each router fetches it anew." } },
        why = "One fetch a second for each router, however many readers come.",
        hints = { "Who asks S2 now: readers, or routers?", "A router asks when its answer is older than a second.", "Six routers, once a second." } },
      run = function(w)
        treat(w, "cached")
        w:play_for(0.95)
      end,
      after = [[
        {S2.reads - OTHERS}. S2 is at {S2.read_pct}% of its reads. Its writes are as many as before: no cache takes a write
        off a shard. That is Part 5.]],
      notes = "Ask what happens at 90,000 readers a second: the same six." },

    { id = "twelve", title = "Twice the routers", show = { CACHE, "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(0.9)
      end,
      say = [[
        The fleet of routers is doubled, to twelve, for the same readers. Each keeps p9's answer for a second, as before.]],
      predict = { id = "p4-twelve", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads of p9 a second reach S2 then?",
        answer = function(w) return 12 * per_router(w) / 4 end,
        wrong = { [6] = { belief = "the same readers, the same fetches", why = "Fetches are not made for readers. Each router makes its own." },
          [3] = { belief = "more routers, less for the shard", why = "Each has fewer readers, and fetches as often as before." } },
        why = "One a router and second. Readers do not count.",
        hints = { "How many has one router here?", "One a second.", "Twelve routers." } },
      after = [[
        Each of the six here fetches {per_router(w)} times in 4 s. With 600 routers it is 600 a second, for each hot key: then
        a layer between them and the shard pays.]] },

    { id = "who-waits", title = "Stale", show = { "table", CACHE }, key = P9, router = "R0",
      enter = function(w)
        plain(w)
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
      say = [[
        After its second an answer is *stale*. Up to 3 s it is still given, and fetched anew behind that:
        *stale-while-revalidate*.

        R0 has an answer. Then nobody asks for a while.]],
      predict = { id = "p4-who-waits", kind = "several",
        ask = "At which age must the next reader wait?",
        choices = {
          { "0.5 s", belief = "a cache always asks first", why = "At 0.5 s it is fresh.", holds = function(w) return waits(w, 500) > 0 end },
          { "1.1 s", belief = "stale means useless", why = "At 1.1 s it is stale, and given at once. The fetch goes on behind it.",
            holds = function(w) return waits(w, 1100) > 0 end },
          { "2.9 s", belief = "stale means useless", why = "2.9 s is within the stale bound.", holds = function(w) return waits(w, 2900) > 0 end },
          { "3.1 s", belief = "old is better than slow", why = "Beyond 3 s nobody gets it, or staleness would have no bound.",
            holds = function(w) return waits(w, 3100) > 0 end },
        },
        why = "Fresh: given. Stale: given, and fetched again. Too old: the reader waits for a query.",
        hints = { "Two bounds: 1 s and 3 s.", "Between them it is given at once.", "Only beyond 3 s." } },
      after = [[
        The wait is a query: {decimals(waits(w, 3100))} ms. Tab goes to the table; Enter opens a row, and the other picture
        shows that run.]] },

    { id = "restart", title = "All empty at once", show = { FALL, "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "steady")
        treat(w, "cached")
        w:play_for(2.5)
      end,
      say = [[
        The worst moment of a cache is a restart: all routers are empty, and {READS} readers a second go on.

        *Single-flight*: of those who find nothing at a router, the first fetches. Who comes meanwhile waits for that fetch.]],
      predict = { id = "p4-restart", kind = "number", tolerance = 0,
        ask = "All six are emptied now. How many fetches until they are full again?",
        answer = function(w) return w:reads_of(P9).fetches end,
        wrong = { [1] = { belief = "routers share one cache", why = "They do not know of each other. Each fetches for itself." },
          [45] = { belief = "who comes meanwhile asks as well", why = "They wait. Without the rule they would ask: that is the next step." },
          [9000] = { belief = "a miss is a query", why = "A miss is a query only for the first." } },
        why = "One for each router.",
        hints = { "Whom does the first reader at R0 make work for?", "And the second one?", "One a router." } },
      run = empty,
      after = [[
        {w:reads_of("post:{p9}").fetches} fetches, and {w:reads_of("post:{p9}").waits} readers waited a few milliseconds for
        them.]] },

    { id = "stampede", title = "Break it", show = { FALL, "bars" }, key = P9, breaks = "single-flight",
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "steady")
        treat(w, "cached")
        w:play_for(2.5)
        w:set_rule("single-flight", false)
      end,
      say = [[
        Now single-flight is off: whoever finds nothing asks S2. A query takes {QUERY} ms, and {READS} readers come a second.
        All caches are emptied again.]],
      predict = { id = "p4-stampede", kind = "number", tolerance = 11,
        ask = "About how many reads of p9 reach S2 before the first answers are back?",
        answer = function(w) return w:reads_of(P9).fetches end,
        wrong = { [6] = { belief = "a router fetches once", why = "That was the rule, and it is off." },
          [9000] = { belief = "everybody asks for a whole second", why = "Only until the first answers are back and kept." } },
        why = "All who come within the time of a query.",
        hints = { "How long are the caches empty?", "{QUERY} ms. How many readers come in one of them?", "Nine a millisecond." } },
      run = empty,
      after = [[
        {w:reads_of("post:{p9}").fetches} instead of {(restarted(w, true))}: a *stampede*. Here it is small, since a query is
        short. With queries of 2 s it would be {READS * 2}, and so many queries make a shard slow.]],
      notes = "The loop is worth a drawing: slow shard, longer misses, more queries, slower shard." },

    { id = "how-old", title = "How old is it?", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(0.9)
      end,
      say = [[
        Each cached answer has an age, and the picture tells it at every moment: how long ago its fetch was sent. By the
        bounds it may be given until 3 s. p9 is read all the time.]],
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
        {whole(w:reads_of("post:{p9}").oldest_ms)} ms. But if nobody asks for 2.9 s, the next reader gets what is 2.9 s old.
        Who is asked for seldom is older.]] },

    { id = "an-edit", title = "An edit", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(2.3)
      end,
      say = [[
        nova edits the text of p9, through R0. A router that sees a write of the key *drops* its answer, and its next reader
        fetches.]],
      predict = { id = "p4-an-edit", kind = "choice",
        ask = "Her edit is done. A moment later, where do readers still get the old text?",
        choices = {
          { "Nowhere", belief = "a write clears all caches", why = "Only R0 saw the edit. Nobody told the others.",
            holds = function(w) return behind(w, 10) == 0 end },
          { "At the five other routers", holds = function(w) return behind(w, 10) == 5 end },
          { "At all six", belief = "only age ends an answer", why = "R0 saw the edit, and dropped what it had.", holds = function(w) return behind(w, 10) == 6 end },
        },
        why = "R0 saw the edit. The others have only the age to go by.",
        hints = { "Who knows of the edit?", "S2 and R0.", "S2 does not tell the other routers." } },
      run = function(w)
        edit(w, "R0")
        w:play_for(0.01)
      end,
      after = [[
        {behind(w, 10)} of {w:routers()}. There it ends by age: with p9 in about a second, and in 3 s whatever happens. Likes
        drop nothing: with {WRITES} of them a second no answer would last.]],
      with = { WRITES = WRITES } },

    { id = "for-ever", title = "Cache it for ever", show = { CACHE }, key = P9, breaks = "bounded-age",
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached")
        w:play_for(2.2)
        w:set_rule("bounded-age", false)
        w:set_rule("drop-on-edit", false)
        treat(w, "cached 3600000 3600000")
        fill(w)
      end,
      say = [[
        "Why fetch it again each second?" Answers are fresh for an hour now, nothing bounds their age, and routers do not drop
        them. p9 has to be taken down: the edit goes through R0, and is done.]],
      predict = { id = "p4-for-ever", kind = "number", tolerance = 0,
        ask = "Ten seconds later: how many of the six routers still show it?",
        answer = function(w) return behind(w, 10000) end,
        wrong = { [0] = { belief = "a write clears all caches", why = "A write goes to the shard. Caches learn nothing." },
          [5] = { belief = "the router that writes knows", why = "It would, by the rule that is off here." } },
        why = "Nobody told them, and nothing ends by itself.",
        hints = { "What ends an answer here?", "Neither age nor an edit.", "All six." } },
      run = function(w)
        edit(w, "R0")
        w:play_for(10)
      end,
      after = [[
        {behind(w, 10000)}, and so it is for an hour. A cache in front of a hot key needs a bound, or a way that every write
        takes to clear it.]] },

    { id = "bound", title = "State the bound", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        treat(w, "cached")
        fill(w)
        w:play_for(0.7)
      end,
      say = [[
        How old may an answer be?

          1 stale bound         3,000 ms
          2 age counts from
            when it is asked      + 0 ms
          3 always asked for:
            fresh and a query   {1000 + QUERY} ms]],
      predict = { id = "p4-bound", kind = "choice",
        ask = "What do you promise of p9?",
        choices = {
          { "{1000 + QUERY} ms: that is what is measured.", belief = "what is measured may be promised", why = "At night nobody asks for 2.9 s, and then somebody does.",
            holds = function(w) return oldest_possible(w, 1000, 3000, true) <= 1005 end },
          { "3,000 ms", holds = function(w)
            local most = oldest_possible(w, 1000, 3000, true)
            return most > 1005 and most <= 3000
          end },
          { "Nothing: it is only likely to be new.", belief = "staleness has no bound", why = "Beyond the stale bound nothing is given. That is what it is for.",
            holds = function(w) return oldest_possible(w, 1000, 3000, true) > 3000 end },
        },
        why = "Lines 1 and 2 hold always. Line 3 only while the key is hot.",
        hints = { "Which lines hold at night?", "Line 3 needs readers.", "Lines 1 and 2." } },
      after = [[
        Found by trying: R0 gave an answer {whole(oldest_possible(w, 1000, 3000, true))} ms old, and none of 3,000.]] },

    { id = "bound-one-open", title = "The last line is yours", show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        treat(w, "cached 2000 5000")
        w:play_for(1)
      end,
      say = [[
        Another cache: fresh for 2 s, stale until 5 s. A query takes {QUERY} ms.

          1 stale bound         5,000 ms
          2 age counts from
            when it is asked      + 0 ms
          3 always asked for:
            fresh and a query   ?]],
      predict = { id = "p4-bound-one-open", kind = "number", unit = "ms", tolerance = 4,
        ask = "Of p9 in the rush: how old is the oldest answer that readers get?",
        answer = function(w) return math.floor(oldest_busy(w, 2000, 5000, true)) end,
        wrong = { [5000] = { belief = "what is allowed happens", why = "It is renewed long before: the first reader after 2 s sees to it." },
          [1005] = { belief = "every cache has one second", why = "This one is fresh for two." } },
        why = "Fresh, and a query until the new one is here.",
        hints = { "When does the fetch begin?", "At 2,000 ms, when the next reader comes.", "And it takes {QUERY} ms." } },
      run = function(w) w:play_for(4) end,
      after = [[
        {whole(w:reads_of("post:{p9}").oldest_ms)} ms: fresh, until a reader came, and the query.]] },

    { id = "coalesce", title = "No cache at all", show = { FALL, "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0, "poisson")
        w:play_for(0.2)
      end,
      say = [[
        Some must not get old answers: those who check whether p9 is still allowed, say. But at any moment many ask the same.

        *Coalescing*: who comes while the same query is under way at this router waits for its answer too.]],
      predict = { id = "p4-coalesce", kind = "number", unit = "queries/s", tolerance = 70,
        ask = "{READS // w:routers()} come to each router a second, a query takes {QUERY} ms. How many queries come from all six?",
        answer = function(w) return w.S2.reads - OTHERS end,
        wrong = { [1200] = { belief = "a query follows the other at once", why = "After each query a router is idle until the next reader comes." },
          [6] = { belief = "a shared answer is kept", why = "It is gone when it was given. The next reader begins a new query." },
          [9000] = { belief = "each reader is a query", why = "Those who come meanwhile wait for the same one." } },
        why = "A query serves the one who began it and the {1500 * QUERY / 1000} who come in its {QUERY} ms.",
        hints = { "How many come to R0 within {QUERY} ms?", "{1500 * QUERY / 1000}, and the one who began: {1 + 1500 * QUERY / 1000}.",
          "{1500} / {1 + 1500 * QUERY / 1000}, six times." } },
      run = function(w)
        treat(w, "coalesced")
        w:play_for(1)
      end,
      after = [[
        {S2.reads - OTHERS}. For l readers a second and a query of t seconds it is `l / (1 + l t)`:
        {decimals(shared(1500), 2)} a router, {whole(6 * shared(1500))} in all.]] },

    { id = "one-router", title = "All at one router", show = { FALL, "bars" }, key = P9,
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
        {S2.reads - OTHERS}; the formula says {decimals(shared(READS), 2)}, and never more than 1/t = {1000 // QUERY}. The
        price: all {READS} pass one router, and one is good for {FLEET}.]] },

    { id = "join-rule", title = "Break it", show = { "trace:" .. LIKES, "waterfall:" .. LIKES }, key = LIKES, router = "R3",
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
        {last.value} of {w:acked("likes:{p9}")}, after {decimals(last.ms)} ms. With the rule on the fan would see all, after
        {by_rule(w)} ms: by a query that began after the like. That rule is what makes coalescing give what is new.]] },

    { id = "rule-back", title = "Put it back", show = { "trace:" .. LIKES }, key = LIKES, router = "R3",
      breaks = "join-before-write", actions = { "break", "route" },
      enter = function(w)
        plain(w)
        treat(w, "coalesced by-key", LIKES)
        w:play_for(0.1)
        w:set_rule("join-before-write", false)
      end,
      say = [[
        The rule costs a look at the list of writes. x switches it. r sends a request: type `like likes:{p9}`, and after that
        `read likes:{p9}`.]],
      try = { ask = "With the rule on, like p9 and then read its likes.",
        goal = function(w)
          return w:rule("join-before-write") and last.done and last.op == "read" and last.key == LIKES and liked(w)
        end,
        solution = { "rule join-before-write on", "request like likes:{p9} via R3", "request read likes:{p9} via R3" },
        hints = { "x switches the rule.", "r, then `like likes:{p9}`.", "r again, then `read likes:{p9}`." } } },

    { id = "replicas", title = "Ask the copies of the shard", show = { "bars" },
      enter = function(w)
        plain(w)
        evening(w, READS, WRITES)
      end,
      say = [[
        S2 has two *replicas*: copies of the shard on other machines, which follow it {LAG} ms behind. Let all three answer
        reads.]],
      predict = { id = "p4-replicas", kind = "number", unit = "%", tolerance = 1,
        ask = "S2 is at {S2.read_pct}% of its reads. What is it then?",
        answer = function(w) return w.S2.read_pct end,
        wrong = { [310] = { belief = "replicas are for failures only", why = "They may answer reads, if an answer may be a little behind." },
          [155] = { belief = "two replicas halve the load", why = "The leader answers as well: three of them." } },
        why = "Three times the ceiling, for the same reads.",
        hints = { "How many copies answer?", "Three, with {cluster.read_ceiling // w:shards()} each.", "{S2.reads} of three times that." } },
      run = function(w)
        w:command("replicas S2 3")
        treat(w, "replicas")
        w:play_for(1)
      end,
      after = [[
        {S2.read_pct}%: still too full. And each write is done by all three, so writes stay at {S2.write_pct}%. Good for a
        shard that is warm, no cure for one hot key.]] },

    { id = "which-one", title = "Which one?", show = { "table" }, key = P9,
      enter = function(w) plain(w) end,
      table = function()
        return { title = "p9 at 20:02", columns = { "its reads", "at S2", "S2 full", "oldest ms" }, numbers = { 2, 3, 4 },
          rows = { row("as it is", "plain", QUERY), row("micro-cache", "cached"), row("coalesced", "coalesced"),
            row("by key", "coalesced by-key"), row("replicas", "replicas", QUERY + LAG) } }
      end,
      say = [[
        All of it in one table; each row is a run that you can open (Enter).

        A moderator hides something and counts again at once, through another router. What is done must be seen.]],
      predict = { id = "p4-which-one", kind = "choice",
        ask = "Which of these may they use?",
        choices = {
          { "The micro-cache", belief = "a second is nothing", why = "For a second the other routers give what they have.",
            holds = function(w) return shows_like(w, "cached") end },
          { "Replicas", belief = "a replica knows what its leader knows", why = "For {LAG} ms a replica is behind.",
            holds = function(w) return shows_like(w, "replicas") end },
          { "Coalescing by key", holds = function(w) return shows_like(w, "coalesced by-key") end },
        },
        why = "It shares queries, and keeps nothing. All the others keep something.",
        hints = { "Which of them keep an answer, or lag?", "Two of the three.", "Coalescing keeps nothing." } },
      after = [[
        Where a second of staleness is fine, take the cache: it is the cheapest. Where it is not, coalesce. Both leave the
        writes: that is Part 5.]] },

    -- ------------------------------------------------------------------ deeper

    { id = "bound-two-open", title = "Two lines are yours", deeper = true, show = { CACHE }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
        w:set_rule("age-from-read", false)
        treat(w, "cached 500 1500")
        w:play_for(0.4)
      end,
      say = [[
        Fresh for 0.5 s, stale until 1.5 s. A query takes {QUERY} ms, and p9 is asked for all the time.

          1 stale bound         1,500 ms
          2 age counts from
            when it is answered   ?
          3 always asked for:
            fresh and a query     ?]],
      predict = { id = "p4-bound-two-open", kind = "number", unit = "ms", tolerance = 3,
        ask = "How old is really the oldest answer that readers get?",
        answer = function(w) return math.floor(oldest_busy(w, 500, 1500, false)) end,
        wrong = { [500] = { belief = "the fresh bound is the bound", why = "A query goes by before its age begins to count, and one until the next answer is here." },
          [505] = { belief = "an age begins when the answer comes", why = "When its age begins, the value is a query old already." },
          [1505] = { belief = "what is allowed happens", why = "That is the promise. Readers who always come renew it earlier." } },
        why = "A query before its age begins, 500 ms, and a query until it is renewed.",
        hints = { "How old is the value when its age begins?", "{QUERY} ms. At 500 a fetch begins.", "And that takes {QUERY} again." } },
      run = function(w) w:play_for(2) end,
      after = [[
        {whole(w:reads_of("post:{p9}").oldest_ms)} ms. And the promise, by lines 1 and 2, is
        {whole(oldest_possible(w, 500, 1500, false) + 1)}.]] },

    { id = "bound-alone", title = "Alone", deeper = true, show = { "table" }, key = P9,
      enter = function(w) plain(w) end,
      table = function()
        local rows = {}
        for i, s in ipairs(SETTINGS) do
          rows[i] = { label = seconds(s[1]) .. " and " .. seconds(s[2]), run = function(f) costs(f, s[1], s[2]) end,
            cells = function(f) return { decimals(f:reads_of(P9).fetches / 12, 1), whole(f:reads_of(P9).oldest_ms) } end }
        end
        return { title = "12 s of p9", columns = { "fresh and stale", "fetches/s", "oldest ms" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        A page must never be older than 2.5 s, hot or not. And p9 may cost its shard at most 5 reads a second, over six
        routers. Ages count from when the fetch was sent.]],
      predict = { id = "p4-bound-alone", kind = "choice",
        ask = "Fresh for, and stale until:",
        choices = {
          { "1 s and 2.5 s", belief = "refills cost nothing", why = "Six routers once a second: six reads.", holds = function(w) return keeps(w, 1, 2500, 5) end },
          { "2 s and 3 s", belief = "the fresh bound is the bound", why = "A seldom reader may get what is 3 s old.", holds = function(w) return keeps(w, 2, 2500, 5) end },
          { "1.6 s and 2.4 s", holds = function(w) return keeps(w, 3, 2500, 5) end },
          { "2.4 s and 4 s", belief = "a hot key is always hot", why = "While it is hot it is renewed at 2.4 s. In a quiet moment it is 4 s old.",
            holds = function(w) return keeps(w, 4, 2500, 5) end },
        },
        why = "6 / 1.6 is 3.75, and nothing is given beyond 2.4 s.",
        hints = { "Which bound says how old at most?", "The stale one: two of the four are left.", "Refills are six routers over the fresh bound." } },
      after = [[
        The stale bound answers "how old", the fresh bound "how many fetches". The drill *staleness-budget* has more of these.]] },

    { id = "from-return", title = "Counted from the answer", deeper = true, show = { CACHE }, key = P9, breaks = "age-from-read",
      enter = function(w)
        plain(w)
        w:set_rule("age-from-read", false)
        treat(w, "cached")
        ask(w, "R0")
        w:play_for(1)
      end,
      say = [[
        Many caches begin to count when the answer comes back. Here the rule that says otherwise is off: fresh for 1 s, stale
        until 3 s, and a query takes {QUERY} ms.]],
      predict = { id = "p4-from-return", kind = "number", unit = "ms", tolerance = 1,
        ask = "How old may an answer be at most?",
        answer = function(w) return oldest_possible(w, 1000, 3000, false) + 1 end, -- just under that
        wrong = { [3000] = { belief = "an age begins when the answer comes", why = "S2 read the value before it sent the answer." },
          [1005] = { belief = "the fresh bound is the bound", why = "Until 3 s it may be given." } },
        why = "The stale bound, and a query.",
        hints = { "When did S2 read the value?", "A query before its age began.", "3,000 + {QUERY}." } },
      after = [[
        An answer of {whole(oldest_possible(w, 1000, 3000, false))} ms was found by trying, and none a millisecond older. If a
        query takes 2 s on a bad day, it is 5 s on that day.]] },

    { id = "query-cache", title = "Writes pass it by", deeper = true, show = { CACHE }, key = P9, breaks = "drop-on-edit", router = "R0",
      enter = function(w)
        plain(w)
        w:set_rule("drop-on-edit", false)
        treat(w, "cached 60000 60000")
        fill(w)
        w:play_for(1)
      end,
      say = [[
        Some stores sell a cache that goes with them. Single items in it are written through. The results of *queries* are
        another cache: writes to the table do not touch it, and here it has a minute.

        nova edits p9 through R0 and reads it again through R0, 10 s later.]],
      predict = { id = "p4-query-cache", kind = "choice",
        ask = "What does she get?",
        choices = {
          { "Her new text: the same cache saw the write.", belief = "a cache knows of the writes that pass it", why = "The write went past. What is kept is the result of a query, and nobody knows which results a write would change.",
            holds = function(w) return w:reads_of(P9, "R0").held_ms < 10000 end },
          { "Her old text", holds = function(w) return last.asks == 0 and w:reads_of(P9, "R0").held_ms > 10000 end },
        },
        why = "Only its age ends such a result.",
        hints = { "What would have to drop it?", "That rule is off.", "So it is given until its minute is over." } },
      run = function(w)
        edit(w, "R0")
        w:play_for(10)
        ask(w, "R0")
      end,
      after = [[
        An answer {decimals(w:reads_of("post:{p9}", "R0").held_ms / 1000, 1)} s old, from before her edit. For such a cache
        the TTL (*time to live*, how long it is kept) is the only bound there is.]] },

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
          { "Nobody: it was dropped.", belief = "dropping is enough", why = "There was nothing to drop: the old text was still on its way.",
            holds = function() return last.asks > 0 end },
          { "Only who waited for it", belief = "a late reply harms only who waits", why = "That is so by the rule. Without it the reply is kept, as if it were new.",
            holds = function() return false end },
          { "Who waited, and all after them", holds = function(w) return last.asks == 0 and w:reads_of(P9, "R0").held_ms > 20 end },
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
        R0 gave an answer whose fetch was sent {decimals(w:reads_of("post:{p9}", "R0").held_ms)} ms ago, before the edit.
        Those who waited asked before it, so for them the old text is right.]] },

    { id = "writes-first", title = "Writes first", deeper = true, show = { "bars" }, key = LIKES,
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
        why = "Every {decimals(1000 / WRITES, 1)} ms a write is completed, and a query takes no more readers.",
        hints = { "How long is it from write to write?", "{decimals(1000 / WRITES, 2)} ms, and not {QUERY}.",
          "So {READS / WRITES} come meanwhile, and the one who began." } },
      run = function(w)
        treat(w, "coalesced by-key", LIKES)
        w:play_for(1)
      end,
      after = [[
        {whole(asked_of_S2(w, "coalesced by-key", WRITES))}; the formula, with 1/{WRITES} s for t, says
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
            holds = function(w) return last.value == w:acked(LIKES) end },
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
        {last.value} of {w:acked("likes:{p9}")}. Coalescing at each router is cheap and right for who writes and reads through
        the same one. Whoever needs more sends the whole key through one router.]] },

    { id = "own-write", title = "Where is my like?", deeper = true, show = { "trace:" .. LIKES }, key = LIKES, router = "R0",
      enter = function(w)
        plain(w)
        w:command("replicas S2 3")
        treat(w, "replicas", LIKES)
        w:play_for(0.1)
      end,
      say = [[
        S2 and its two replicas answer reads in turn. A fan likes p9, sees OK, and reads the likes three times at once.]],
      predict = { id = "p4-own-write", kind = "number", tolerance = 0,
        ask = "How many of the three answers lack the like?",
        answer = function(w) return lacking(w) end,
        wrong = { [0] = { belief = "a replica knows what its leader knows", why = "It follows {LAG} ms behind." },
          [3] = { belief = "replicas answer all reads", why = "The leader takes its turn, and knows." } },
        why = "Two replicas do not know of it yet.",
        hints = { "Who answers in turn?", "The leader and two replicas.", "The replicas are {LAG} ms behind." } },
      run = function(w)
        w:send("like", LIKES, "R0")
        w:play_answered()
        for _ = 1, 3 do w:send("read", LIKES, "R0") end
        w:play_answered()
      end,
      after = [[
        And the like may be there, then gone, then there again. So who has just written should read from the leader for a
        while.]] },

    { id = "how-many-replicas", title = "How many replicas?", deeper = true, show = { "bars" },
      knobs = { { name = "size", values = { 1, 2, 3, 4, 5, 6 }, start = 3 } },
      enter = function(w)
        plain(w)
        evening(w, READS, WRITES)
        treat(w, "replicas")
      end,
      say = [[
        With {knob.size} copies of S2 answering, its leader among them, reads are at {replicated(w, knob.size)}%, and writes
        at {S2.write_pct}%.]],
      try = { ask = "Turn the size with Z to the least number of copies that brings reads to 80% or less.",
        goal = function(w) return replicated(w, knob.size) <= 80 and replicated(w, knob.size - 1) > 80 end,
        solution = { "knob size 4" },
        hints = { "Z goes to the next number.", "Read the percentage.", "Four." } } },

    { id = "copies", title = "Copies of one value", deeper = true, show = { "bars", "slot_map" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
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
        {whole(100 * busiest_copy(w, 4) / 3000)}%. With eight copies it is {whole(100 * busiest_copy(w, 8) / 3000)}%: there
        are only four shards to put them on.]] },

    { id = "copies-cost", title = "What copies cost", deeper = true, show = { "trace" }, key = P9, router = "R0",
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
        with {WRITES} likes a second is not.]],
      with = { WRITES = WRITES } },

    { id = "edges", title = "Before the routers", deeper = true, show = { CACHE, "bars" }, key = P9,
      enter = function(w)
        plain(w)
        evening(w, READS, 0)
      end,
      say = [[
        A *CDN* keeps answers at its *edges*, near to the readers. Who asks an edge for what it does not have waits while one
        of them fetches. Here each of the three zones has one edge, before its two routers, and keeps p9 for a second.]],
      predict = { id = "p4-edges", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads of p9 a second reach S2?",
        answer = function(w) return w.S2.reads - OTHERS end,
        wrong = { [6] = { belief = "routers fetch for themselves", why = "They hear of p9 only through their edge now." },
          [9000] = { belief = "a CDN is for pictures", why = "For whatever many ask alike." } },
        why = "One an edge and second.",
        hints = { "Who fetches now?", "Three edges.", "Once a second each." } },
      run = function(w)
        treat(w, "edge")
        w:play_for(3)
      end,
      after = [[
        {S2.reads - OTHERS}. And the routers, too, are spared: they had {READS} requests a second, and now a handful. The
        nearer to the reader a hot key ends, the less it costs. But no edit reaches an edge: its TTL is the bound.]],
      with = { OTHERS = OTHERS, READS = READS } },

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
        {whole(w:reads_of("post:{p7}", "R0").oldest_ms)} ms, and each of these reads made a fetch. For a key that is read
        seldom a cache saves nothing and only makes it old. Use it where it is hot.]] },
  },
}
