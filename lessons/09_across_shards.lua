-- Part 9. Core path: a page that names no key, how long it takes, the slowest of five, a timeout, a
-- hedge, the same page for everybody once a second, bytes between zones; an index beside the rows or
-- by the term, written at once or later, an email that only one may have; a payment over two shards
-- by nothing, by two-phase commit (whose coordinator dies), as a saga; a follow; the learner's words.
-- Deeper: more about tails; tops that cannot be merged; searches of a query while a slot moves; when
-- an index fails halfway; where a coordinator may die; locks, rules of both ways left out; how to
-- have none of it: co-location, copies of a column, joins by hand, reports elsewhere.

local broken = require("break_it")

local Q, PAGE = "trending", "scatter:trending"
local P9, SLOT = "likes:{p9}", 12067
local POSTS, LIKES, READS = 16, 2400, 9000 -- of p9, a second
ASKED, LIVE = 1000, 5                      -- people a second who open Trending
LO, HI, SLOW_LO, SLOW_HI = 3, 7, 50, 200   -- milliseconds of a shard's part
PART_KB, TOP = 20, 10
QUERY = 5                                  -- milliseconds of any other request
GB, MONTH = 1000000000, 30 * 24 * 3600

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

function tenths(x)
  return whole(10 * x) / 10
end

local function power(x, n)
  local product = 1
  for _ = 1, n do product = product * x end
  return product
end

-- Of so many shards, each slow once in a hundred times, one at least: percent.
function meets(n, percent)
  return 100 * (1 - power(1 - (percent or 1) / 100, n))
end

-- The time that the slowest of n parts does not exceed in so many of a hundred queries, worked out.
function within(n, percent)
  local low, high = LO, SLOW_HI
  for _ = 1, 60 do
    local t = (low + high) / 2
    local one = t <= HI and 0.99 * (t - LO) / (HI - LO)
      or t < SLOW_LO and 0.99 or 0.99 + 0.01 * (t - SLOW_LO) / (SLOW_HI - SLOW_LO)
    if power(one, n) < percent / 100 then low = t else high = t end
  end
  return high
end

function mean_part()
  return 0.99 * (LO + HI) / 2 + 0.01 * (SLOW_LO + SLOW_HI) / 2
end

-- --- the cluster ---

-- What a step wants of the learner's world. Somebody may have typed it already, and then it is refused.
local function order(w, command)
  return (pcall(w.command, w, command))
end

local function perform(w, ...)
  for _, text in ipairs { ... } do w:command(text) end
end

local function till(w, at)
  if w:clock() < at then w:play_until(at) end
end

local function flow(w, kind, key, rate, arrivals)
  pcall(w.flow, w, kind, key, rate, arrivals or "steady") -- a flow that does not run cannot end
end

-- As Part 8 left it: S4 with p9's slot. And what the page asks for, each post's likes of the last hour.
local function five(w)
  if w:shards() >= 5 then return end
  w:add_shard("c")
  w:move(SLOT, SLOT, "S4")
  till(w, "20:14:50")
  for n = 1, POSTS do flow(w, "like", "hour:{p" .. n .. "}", n == 9 and 300 or 20 + n * 7 % 17) end
  w:play_for(2)
  for n = 1, POSTS do flow(w, "like", "hour:{p" .. n .. "}", 0) end
  w:play_for(0.1)
  till(w, "20:15:00")
end

local function quiet(w)
  five(w)
  order(w, "gather " .. Q .. " 0")
  order(w, "popular " .. Q .. " off")
  order(w, "coordinator lives")
  for n = 1, POSTS do
    flow(w, "read", "post:{p" .. n .. "}", 0)
    flow(w, "like", "likes:{p" .. n .. "}", 0)
  end
  for _, protocol in ipairs { "scatter", "two-phase-commit", "saga" } do
    for _, rule in ipairs(check.rules(protocol)) do pcall(w.set_rule, w, rule.name, true) end
  end
  w:play_for(0.3)
end

-- The query begun anew, with nothing counted: a hedge or a timeout, in milliseconds.
local function begin(w, hedge, timeout)
  perform(w, "query " .. Q .. " top " .. TOP .. " of hour:* bytes " .. PART_KB .. "KB")
  if hedge then perform(w, "query " .. Q .. " hedge " .. hedge) end
  if timeout then perform(w, "query " .. Q .. " timeout " .. timeout) end
end

-- The query, as a step begins with it: nothing counted yet.
local function asked(w, hedge, timeout, slow)
  quiet(w)
  order(w, "query " .. Q .. " drop")
  begin(w, hedge, timeout)
  order(w, "times all off")
  perform(w, "times all " .. LO .. " " .. HI .. (slow ~= false and " slow 1 " .. SLOW_LO .. " " .. SLOW_HI or ""))
end

-- So many seconds of it.
local function busy(w, seconds, rate)
  perform(w, "gather " .. Q .. " " .. (rate or ASKED))
  w:play_for(seconds)
  perform(w, "gather " .. Q .. " 0")
  w:play_for(0.3)
end

function q(w)
  return w:query(Q)
end

-- One as most are: its slowest part neither quick nor at the very end.
local function typical(w)
  for _ = 1, 100 do
    begin(w)
    w:command("gather " .. Q .. " via R3")
    w:play_for(0.01)
    local ms = w:query(Q).last.ms
    if ms >= 6.3 and ms <= 6.8 then return end
  end
end

-- One more, of the kind that is to be seen in the picture; `alone`: counted by itself, so that the picture
-- has no percentiles of those before.
local function show_one(w, is, alone)
  for _ = 1, 400 do
    if alone then begin(w) end
    w:command("gather " .. Q .. " via R3")
    w:play_for(0.009)
    if not w:query(Q).last.ended then
      w:play_for(0.25)
      if is(w:query(Q).last) then return end
    end
  end
end

local function slow_one(last)
  local slow = 0
  for _, part in ipairs(last.parts) do
    if part.ms > SLOW_LO - 1 then slow = slow + 1 end
  end
  return last.ms > 90 and slow == 1
end
local function partial_one(last) return not last.whole end
local function hedged_one(last)
  for _, part in ipairs(last.parts) do
    if part.hedged and part.follower then return true end
  end
  return false
end

-- Percent of the queries that took longer than any quick part does.
function slow_share(w)
  local low, high = 0, 1000
  while high - low > 1 do
    local middle = (low + high) // 2
    if w:query_ms(Q, middle / 10) <= 10 then low = middle else high = middle end
  end
  return (1000 - low) / 10
end

-- All posts as in Part 8, at 20:15: p9 kept at the routers, and summed.
local function evening(w)
  if w:count(P9).mode ~= "summed" then order(w, "writes " .. P9 .. " summed") end
  if w:reads_of("post:{p9}").mode ~= "cached" then order(w, "reads post:{p9} cached with " .. P9) end
  for n = 1, POSTS do
    flow(w, "like", "likes:{p" .. n .. "}", n == 9 and LIKES or 50)
    flow(w, "read", "post:{p" .. n .. "}", n == 9 and READS or 100)
  end
  w:play_for(2)
end

-- --- bytes ---

-- Replies that cross a zone's border when a router of that zone asks all.
function crossings(w, zone)
  local n = 0
  for i = 0, 4 do if w["S" .. i].zone ~= zone then n = n + 1 end end
  return n
end

function crossings_of_all(w)
  return (crossings(w, "a") + crossings(w, "b") + crossings(w, "c")) / 3
end

function month_gb(bytes)
  return bytes * MONTH / GB
end

-- Two cents a GB: one where it leaves a zone, one where it comes in.
function dollars(bytes)
  return month_gb(bytes) * 0.02
end

function live_bytes(w)
  return ASKED * PART_KB * 1000 * crossings_of_all(w)
end

NEXT = 2500
function next_year(w)
  return live_bytes(w) * NEXT / ASKED
end

function job_bytes(w, zone)
  return PART_KB * 1000 * crossings(w, zone)
end

-- --- rows with an index ---

local CITIES = { "rome", "york", "cork", "rome", "cork", "york", "rome", "cork", "rome" } -- of riders 1 to 9
HITS = 4 -- in Rome
LAG = 500

local function put(w, id, term, catalog, router)
  w:command("put " .. (catalog or "riders") .. " " .. id .. " " .. term .. " via " .. (router or "R0"))
  w:play_for(0.05)
end

local function find(w, term, catalog)
  w:command("find " .. (catalog or "riders") .. " " .. term .. " via R0")
  w:play_for(0.05)
end

local function riders(w, mode)
  quiet(w)
  w:command("catalog riders " .. mode)
  for id, city in ipairs(CITIES) do put(w, id, city) end
  w:play_for(1)
end

local function users(w, mode)
  quiet(w)
  w:command("catalog users " .. mode)
end

local EMAIL = "ana@sea"

local function both_sign_up(w)
  w:command("put users 1 " .. EMAIL .. " via R0")
  w:command("put users 2 " .. EMAIL .. " via R4")
  w:play_for(0.1)
end

-- How many of the two have it.
function accepted(w)
  local n = 0
  for id = 1, 2 do
    local found, row = pcall(w.catalog_row, w, "users", id)
    if found and row and row.term == EMAIL then n = n + 1 end
  end
  return n
end

-- --- rows that transactions change ---

ALICE, BOB, CAROL, SEAT = "acct:{alice}", "acct:{bob}", "acct:{carol}", "seat:{12}"
HAVE, PAY, DOWN = 100, 30, 3

-- A row that a transaction has locked cannot be set: it is waited for.
local function set(w, key, value)
  for _ = 1, 8 do
    if order(w, "row " .. key .. " " .. value) then return end
    w:play_for(1)
  end
  w:command("row " .. key .. " " .. value)
end

local function accounts(w)
  quiet(w)
  for _, key in ipairs { ALICE, BOB, CAROL } do set(w, key, HAVE) end
  set(w, SEAT, 0)
end

local function pay(by, router)
  return "txn " .. by .. " via " .. (router or "R2") .. " take " .. ALICE .. " " .. PAY .. " give " .. BOB .. " " .. PAY
end

local function book(by, router)
  return "txn " .. by .. " via " .. (router or "R2") .. " take " .. ALICE .. " " .. PAY .. " claim " .. SEAT
end

-- Both have voted, and R2 is down.
local function blocked(w)
  accounts(w)
  perform(w, "coordinator dies voted " .. DOWN * 1000, pay("2pc"))
  w:play_for(1)
  M.first = w:txn().number
end

function pair(w)
  return w:row(ALICE).value + w:row(BOB).value
end

-- The picture of transactions shows the last one: what goes before a question is one like it, and the rows
-- are set anew behind it.
local function after_one(w, text, seat)
  accounts(w)
  set(w, SEAT, seat or 0)
  perform(w, text)
  w:play_for(0.3)
  accounts(w)
  set(w, SEAT, seat or 0)
end


-- The follow in three ways, while nova's shard is down.
local FOLLOWS, FANS = "follows:{bob}", "fans:{nova}"
FANS_DOWN = 2

local function ways_to_follow(w)
  local function down(f)
    f:command("crash " .. f:owner(FANS) .. " " .. FANS_DOWN * 1000)
    f:play_for(0.01)
  end
  local function txn(by)
    return function(f)
      down(f)
      f:command("txn " .. by .. " via R2 give " .. FOLLOWS .. " 1 give " .. FANS .. " 1")
      f:play_for(6)
    end
  end
  local function cells(f)
    local t = f:txn()
    return { t.outcome == "done" and "OK" or "no", whole(t.ms), whole(t.steps[1].locked_ms) }
  end
  return { title = "bob follows nova", columns = { "by", "told", "ms", "locked" }, numbers = { 3, 4 }, rows = {
    { label = "two-phase commit", run = txn("2pc"), cells = cells },
    { label = "saga", run = txn("saga"), cells = cells },
    { label = "derived index", run = function(f)
      down(f)
      f:command("catalog follows async 200")
      f:command("put follows 1 nova via R2")
      f:play_for(6)
    end, cells = function(f)
      local c = f:catalog("follows")
      return { c.put == "stored" and c.behind == 0 and "OK" or "no", whole(c.put_ms), 0 }
    end },
  } }
end

-- --- deeper: slow ends ---

local TEAMS = 8

-- p99 of one shard, measured anew each time.
local function edge_table()
  local rows = {}
  for i = 1, TEAMS do
    rows[i] = { label = "team " .. i, run = function(f)
      f:move(0, 16383, "S0")
      asked(f)
      busy(f, 10 * i) -- each team has draws of its own
      asked(f)
      busy(f, 10)
    end, cells = function(f) return { tenths(q(f).p99), q(f).asked } end }
  end
  return { title = "p99 of one shard", columns = { "by", "ms", "queries" }, numbers = { 2, 3 }, rows = rows }
end

local function edge(best)
  local value = cells[1][2]
  for i = 2, TEAMS do value = best(value, cells[i][2]) end
  return value
end
function edge_least() return edge(math.min) end
function edge_most() return edge(math.max) end
function edge_spread() return edge_most() / edge_least() end

TUNED = 10 -- seconds
local function tune_table(w, knob)
  return { title = TUNED .. " s of Trending", columns = { "", "p50", "p99", "lack %", "more %" }, numbers = { 2, 3, 4, 5 }, rows = {
    { label = "now", run = function(f)
      asked(f, knob.choice ~= "off" and knob.choice or nil, knob.cap ~= "off" and knob.cap or nil)
      busy(f, TUNED)
    end, cells = function(f)
      local i = q(f)
      return { tenths(i.p50), tenths(i.p99), tenths(100 * i.partial / i.asked), tenths(100 * i.hedges / (i.parts - i.hedges)) }
    end } } }
end
function tuned()
  return cells[1][3] < 15 and cells[1][4] == 0 and cells[1][5] <= 2
end

-- Two sets of parts with those percentiles, whose common ones differ.
local function p99_of(times)
  table.sort(times)
  return times[math.ceil(#times * 0.99)]
end
local function parts(most, low, slow)
  local list = {}
  for i = 1, 1000 do list[i] = i > 1000 - slow and most or low end
  return list
end
function both_possible()
  local out = {}
  for i, slow in ipairs { 11, 500 } do
    local both = parts(20, 5, 11)
    for _, t in ipairs(parts(100, 5, slow)) do both[#both + 1] = t end
    out[i] = p99_of(both)
  end
  return out[1] ~= out[2]
end

-- --- deeper: tops, and rules of a scatter ---

local WORDS = { { sun = 50, sea = 45, rain = 6 }, { rain = 52, sea = 44, sun = 4 } }

function sums()
  local total = {}
  for _, words in ipairs(WORDS) do
    for word, n in pairs(words) do total[word] = (total[word] or 0) + n end
  end
  return total
end

function first()
  local best, most = "", 0
  for word, n in pairs(sums()) do
    if n > most then best, most = word, n end
  end
  return best
end

local function tops_table()
  local rows = {}
  for i, word in ipairs { "sun", "rain", "sea" } do
    rows[i] = { label = word, cells = { tostring(WORDS[1][word]), tostring(WORDS[2][word]), tostring(sums()[word]) } }
  end
  return { title = "Words", columns = { "word", "S0", "S1", "together" }, numbers = { 2, 3, 4 }, rows = rows }
end

local function searched(name, rule)
  return check.search(name, { without = { rule }, size = "small" })
end

function twice(rule)
  return string.find(searched("scatter", rule).broken, "twice", 1, true) ~= nil
end

function stuck(rule)
  return string.find(searched("two-phase-commit", rule).broken, "finished", 1, true) ~= nil
end

local function rules_table(name)
  return function()
    local rows = {}
    for i, rule in ipairs(check.rules(name)) do
      rows[i] = { label = rule.name, cells = function()
        local r = searched(name, rule.name)
        return { r.holds and "-" or r.depth }
      end }
    end
    return { title = "Steps to the nearest harm", columns = { "without", "steps" }, numbers = { 2 }, rows = rows }
  end
end

local scatter_table = rules_table("scatter")

-- --- deeper: transactions ---

OLD, NEW, USER = "name:{ana@sea}", "name:{ana@lake}", "user:{4}"

local POINTS = { { "begun", "begun" }, { "asked", "asked" }, { "voted", "voted" }, { "decided", "logged" }, { "told-one", "one told" } }
local SAGA_POINTS = { { "begun", "begun" }, { "asked", "first asked" }, { "voted", "first done" }, { "decided", "going back" } }

local function ladder_table(by)
  return function()
    local rows = {}
    for i, point in ipairs(by == "2pc" and POINTS or SAGA_POINTS) do
      rows[i] = { label = point[2], run = function(f)
        f:command("coordinator dies " .. point[1] .. " " .. DOWN * 1000)
        f:command(by == "2pc" and pay("2pc") or book("saga"))
        f:play_for(DOWN + 2)
      end, cells = function(f)
        local t = f:txn()
        if by == "2pc" then
          return { t.outcome, f:row(ALICE).value, f:row(BOB).value, decimals(math.max(t.steps[1].locked_ms, t.steps[2].locked_ms) / 1000, 1) }
        end
        return { t.outcome, f:row(ALICE).value, decimals(t.steps[1].seen_ms / 1000, 1) }
      end }
    end
    if by == "2pc" then
      return { title = "R2 dies", columns = { "it has", "ends", "alice", "bob", "locked s" }, numbers = { 3, 4, 5 }, rows = rows }
    end
    return { title = "R2 dies", columns = { "it has", "ends", "alice", "away s" }, numbers = { 3, 4 }, rows = rows }
  end
end

FANS_N = 5
local NOVA = "acct:{nova}"

local function hot_table()
  local rows = {}
  for i, by in ipairs { "2pc", "saga" } do
    rows[i] = { label = by == "2pc" and "two-phase commit" or "saga", run = function(f)
      set(f, NOVA, 0)
      for n = 1, FANS_N do set(f, "acct:{fan" .. n .. "}", 10) end
      for n = 1, FANS_N do
        f:command("txn " .. by .. " via R" .. n - 1 .. " take acct:{fan" .. n .. "} 1 give " .. NOVA .. " 1")
      end
      f:play_for(0.5)
    end, cells = function(f) return { f:row(NOVA).value, FANS_N - f:row(NOVA).value } end }
  end
  return { title = "At one instant, to nova", columns = { "by", "paid", "refused" }, numbers = { 2, 3 }, rows = rows }
end

-- --- deeper: without ---

N_COMMENTS, OWN, REPORT_MB = 20, 40, 500

function shards_of_authors(w)
  local seen, n = {}, 0
  for i = 1, N_COMMENTS do
    local shard = w:owner("user:{u" .. i .. "}")
    if not seen[shard] then seen[shard], n = true, n + 1 end
  end
  return n
end

local function join_table(w)
  return { title = "A page of " .. N_COMMENTS .. " comments", columns = { "names", "requests" }, numbers = { 2 }, rows = {
    { label = "one by one", cells = function() return { 1 + N_COMMENTS } end },
    { label = "shard by shard", cells = function() return { 1 + shards_of_authors(w) } end },
  } }
end

local function copy_table()
  return { title = "An author's name", columns = { "it stands", "a page asks", "new name" }, numbers = { 2, 3 }, rows = {
    { label = "in her row", cells = { "2 rounds", "1 write" } },
    { label = "in each comment", cells = { "1 round", tostring(OWN + 1) .. " writes" } },
  } }
end

local function report_table()
  return { title = "An hour's report", columns = { "runs", "reads then", "MB then" }, numbers = { 2, 3 }, rows = {
    { label = "on the shards", run = function(f)
      f:command("query report sum of hour:* bytes " .. REPORT_MB .. "MB")
      f:command("gather report via R0")
      f:play_for(0.5)
    end, cells = function(f) return { f:query("report").parts, f:query("report").answers * REPORT_MB } end },
    { label = "on a copy", cells = function() return { 0, 0 } end },
  } }
end

return lesson {
  id = "09_across_shards", part = 9, title = "Across shards", minutes = 12,
  needs = { "04_taming_hot_reads", "08_moving_data_live" },
  world = "story-near",
  placement = { go = "dies" },

  steps = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-slow", title = "One of three", check = true, show = { "bars" }, enter = quiet,
      say = [[A query asks three shards at once and waits for all. Each of them is slow in 10 of 100 cases, whatever the others are.]],
      predict = { id = "p9-check-slow", kind = "number", unit = "%", tolerance = 0.6,
        ask = "What percentage of queries meets a slow shard?",
        answer = function() return tenths(meets(3, 10)) end,
        wrong = { [10] = { belief = "rare stays rare", why = "The query waits for whichever is slow: any of three." },
          [30] = { belief = "chances add up", why = "Almost. Queries that meet two slow ones would count twice." },
          [0.1] = { belief = "all must be slow", why = "One is enough to wait for." } },
        why = "100% less 0.9 x 0.9 x 0.9." } },

    { id = "check-bytes", title = "Billed twice", check = true, show = { "bars" }, enter = quiet,
      say = [[A job in one zone asks six shards once a second, for 1 MB each. Two of the shards are in the job's zone.]],
      predict = { id = "p9-check-bytes", kind = "number", unit = "MB/s", tolerance = 0,
        ask = "How many MB a second cross a zone's border?",
        answer = function() return 6 - 2 end,
        wrong = { [6] = { belief = "every reply crosses", why = "Two shards answer from within the zone." },
          [2] = { belief = "only the near ones count", why = "Those two stay inside." } },
        why = "Four replies of 1 MB." } },

    { id = "check-index", title = "Two fields", check = true, show = { "bars" }, enter = quiet,
      say = [[Cars are kept by their number. There are two global indexes, each cut by its own value: colour and city. A red car in Rome is painted blue and goes to Oslo.]],
      predict = { id = "p9-check-index", kind = "number", tolerance = 0,
        ask = "How many writes is that, with both indexes?",
        answer = function() return 1 + 2 * 2 end,
        wrong = { [3] = { belief = "an index is one write", why = "In each index an old entry goes, and a new one comes: two." },
          [1] = { belief = "an index keeps itself", why = "Its entries are rows on other shards." } },
        why = "The row; red, blue; Rome, Oslo." } },

    { id = "check-votes", title = "Two yeses", check = true, show = { "bars" }, enter = quiet,
      say = [[Two-phase commit: both participants have voted yes. Now their coordinator is silent.]],
      predict = { id = "p9-check-votes", kind = "choice",
        ask = "What may a participant do of its own accord?",
        choices = {
          { "Commit", belief = "a yes is a decision", why = "It knows its own vote. The other may have said no.",
            holds = function() return check.search("two-phase-commit", { without = { "no-lone-commit-when-prepared" } }).holds end },
          { "Abort", belief = "who waits too long may leave", why = "For all it knows, the other one has been told to commit.",
            holds = function() return check.search("two-phase-commit", { without = { "no-lone-abort-when-prepared" } }).holds end },
          { "Wait, its rows locked", holds = function() return not check.search("two-phase-commit", { without = { "no-lone-abort-when-prepared" } }).holds end },
        },
        why = "Its yes was a promise to end either way." } },

    -- ------------------------------------------------------------------ a page without a key

    { id = "six", title = "From Part 4", show = { "bars" }, key = P9,
      enter = quiet, run = evening, -- bars with S4's reads come with the answer
      say = [[
        20:15. p9 has S4 for itself since Part 8. Each of the {w:routers()} routers keeps its page, and fetches it anew once a second.]],
      predict = { id = "p9-six", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "{READS} people a second open p9. How many reads reach S4?",
        answer = function(w) return w.S4.reads end,
        wrong = { [READS] = { belief = "a cache only makes answers faster", why = "What a router answers itself, S4 never hears of." },
          [1] = { belief = "routers share one cache", why = "Each has its own, and fetches for itself." } },
        why = "One a second for each router.",
        hints = { "Who asks S4: readers, or routers?", "Routers, once a second each.", "There are {w:routers()} of them." } },
      with = { READS = READS },
      after = [[
        Each read names a post. Now comes a request that names nothing.]] },

    { id = "no-key", title = "No key in it", show = { "slot_map:*" },
      enter = quiet,
      say = [=[
        The app gets a new page, *Trending now*: the {TOP} posts with the most likes of the last hour. A post's count is in `hour:{p1}` and so on, on the shard of its tag.]=],
      predict = { id = "p9-no-key", kind = "number", tolerance = 0,
        ask = "How many shards must a router ask for that page?",
        answer = function(w) return w:shards() end,
        wrong = { [1] = { belief = "what is listed together lies together", why = "The counts lie where their tags hash to. No shard has them all." },
          [TOP] = { belief = "one for each line of the page", why = "Which posts these are is what the page wants to know." },
          [POSTS] = { belief = "each post is asked for", why = "A shard answers for all of its posts at once." } },
        why = "Any shard may hold one of the {TOP}.",
        hints = { "Which shards may hold one of the {TOP}?", "Each of them.", "Count the shards." } },
      with = { TOP = TOP, POSTS = POSTS },
      after = [=[
        It *scatters* the question to all {w:shards()}. Each answers with its own {TOP} best; the router *gathers* {w:shards() * TOP} lines and keeps {TOP}. That is a [[scatter-gather]].]=] },

    { id = "how-long", title = "How long?", show = { PAGE },
      enter = function(w) asked(w, nil, nil, false) end,
      say = [[
        R3 asks all five at once. A shard needs {LO} to {HI} ms for its part, evenly spread. Messages take no time in this part.]],
      predict = { id = "p9-how-long", kind = "number", unit = "ms", tolerance = 0.8, confidence = true,
        ask = "About how many ms until R3 has its page?",
        answer = function(w) return tenths(q(w).last.ms) end,
        wrong = { [5] = { belief = "the average decides", why = "Five parts take 5 ms on average. The page is there when the last of them is." },
          [25] = { belief = "one after the other", why = "They work at the same time." },
          [3] = { belief = "the fastest decides", why = "One part is not the page." } },
        why = "The slowest of five is most often near {HI}.",
        hints = { "Which of five answers makes the page complete?", "The last one.", "The last of five between {LO} and {HI}: near {HI}." } },
      run = typical,
      with = { LO = LO, HI = HI },
      after = [[
        {tenths(q(w).last.ms)} ms: {q(w).last.slowest} was last. *The slowest part is the query.*]] },

    { id = "one-slow", title = "One in a hundred", show = { PAGE },
      enter = function(w)
        asked(w)
        typical(w)
      end,
      say = [[
        Once in a hundred times a shard is slow, {SLOW_LO} to {SLOW_HI} ms: a busy disk, a full queue. Each is so by itself.

        {ASKED} people a second open Trending, for {LIVE} s.]],
      predict = { id = "p9-one-slow", kind = "number", unit = "%", tolerance = 0.4,
        ask = "How many of a hundred queries meet at least one slow shard?",
        answer = function() return tenths(meets(5)) end,
        wrong = { [1] = { belief = "rare stays rare", why = "That is one shard. The query waits for any of five." },
          [0.2] = { belief = "it averages out", why = "Four quick parts do not make up for the fifth." },
          [20] = { belief = "one of five is slow", why = "One of five would be that, if one were always slow." } },
        why = "All five are quick in 0.99 x 0.99 x 0.99 x 0.99 x 0.99 of all cases.",
        hints = { "How often is one shard quick? And two at once?", "0.99, and 0.99 x 0.99.", "100% less 0.99 five times over." } },
      run = function(w)
        busy(w, LIVE)
        M.slow = slow_share(w)
        show_one(w, slow_one, true)
      end,
      with = { SLOW_LO = SLOW_LO, SLOW_HI = SLOW_HI, ASKED = ASKED, LIVE = LIVE },
      after = [[
        Measured {decimals(m("slow"), 1)}%, by chance a little off. The picture has such a one. In general 1 - (1 - p)^N, here one query in {decimals(100 / meets(5), 1)}.]] },

    { id = "p99", title = "The slow end", show = { "table" },
      enter = function(w) asked(w) end,
      table = function(w)
        local function cells(f)
          local i = q(f)
          return { decimals(i.p50, 1), decimals(i.p99, 1), decimals(i.max, 0) }
        end
        return { title = "20,000 queries, in ms", columns = { "asked", "p50", "p99", "worst" }, numbers = { 2, 3, 4 },
          rows = {
            { label = "one shard", run = function(f)
              f:move(0, 16383, "S0")
              asked(f)
              busy(f, 20)
            end, cells = cells },
            { label = "all five", run = function(f) asked(f) busy(f, 20) end, cells = cells },
          } }
      end,
      say = [=[
        A [[percentile]] says how long the slow ones take: 99 of 100 queries are done within p99.

        For one shard p99 stands at the edge: 99 of 100 parts need {HI} ms at most, and the last one {SLOW_LO} or more.]=],
      predict = { id = "p9-p99", kind = "number", unit = "ms", tolerance = 14,
        ask = "Within about how many ms are 99 of 100 queries of all five done?",
        answer = function() return whole(tonumber(cells[2][3])) end,
        wrong = { [HI] = { belief = "the usual decides", why = "Five in a hundred queries meet a slow shard. p99 is in the midst of these." },
          [SLOW_LO] = { belief = "a query is as its shards are", why = "So it is for one shard. Of five slow queries only the slowest may lie beyond p99." },
          [SLOW_HI] = { belief = "p99 is the worst", why = "The worst one is. One in a hundred may be slower than p99, and here those are a fifth of the slow ones." } },
        why = "Five in a hundred are slow, {SLOW_LO} to {SLOW_HI} ms. The slowest fifth of them begins at about {whole(within(5, 99))}.",
        hints = { "How many of 100 queries are slow?", "About 5, evenly between {SLOW_LO} and {SLOW_HI} ms. One of these 5 may be beyond p99.", "A fifth of the way down from {SLOW_HI} to {SLOW_LO}." } },
      with = { HI = HI, SLOW_LO = SLOW_LO, SLOW_HI = SLOW_HI },
      after = [[
        {cells[1][3]} ms, and {cells[2][3]} ms. Chances alone give {decimals(within(5, 99), 1)}. The middle hardly moved: {cells[1][2]}, {cells[2][2]}; it hides the slow end.]] },

    { id = "give-up", title = "Wait no longer", show = { PAGE },
      enter = function(w)
        asked(w)
        show_one(w, slow_one, true)
      end,
      say = [=[
        A page with four of five shards' posts is better than none. R3 gives up a part after {SLOW_LO} ms, answers with what it has, and says so: a [[partial result]].

        No slow part comes within that time.]=],
      predict = { id = "p9-give-up", kind = "number", unit = "%", tolerance = 0.4,
        ask = "How many of a hundred pages lack a shard?",
        answer = function() return tenths(meets(5)) end,
        wrong = { [1] = { belief = "rare stays rare", why = "One of five is slow, and its part is given up." },
          [0] = { belief = "a timeout makes shards faster", why = "The shard takes as long as before. Nobody waits for it." } },
        why = "As many as meet a slow shard.",
        hints = { "Which queries lack a part?", "Those that meet a slow shard.", "The same number as before." } },
      run = function(w)
        begin(w, nil, SLOW_LO)
        busy(w, LIVE)
        show_one(w, partial_one)
      end,
      with = { SLOW_LO = SLOW_LO },
      after = [[
        Measured {decimals(q(w).partial * 100 / q(w).asked, 1)}%, by chance; and p99 is {decimals(q(w).p99, 0)} ms.]] },

    { id = "hedge", title = "Ask once more", show = { PAGE },
      enter = function(w)
        asked(w)
        show_one(w, slow_one, true)
      end,
      say = [=[
        Each shard has a [[replica]] that could answer too. If a part is not there after 10 ms, R3 asks the replica the same, and takes what comes first: a [[hedged request]].]=],
      predict = { id = "p9-hedge", kind = "number", unit = "%", tolerance = 0.3,
        ask = "How many more requests is that, for a hundred parts?",
        answer = function() return 1 end,
        wrong = { [100] = { belief = "a hedge asks everything twice", why = "Most parts are there within {HI} ms, and nobody is asked again." },
          [5] = { belief = "the whole query is asked again", why = "Only the late part is: one shard's." },
          [20] = { belief = "one of five is asked again", why = "Only when it is late." } },
        why = "Only late parts are asked again: one in a hundred.",
        hints = { "Which parts are not there after 10 ms?", "The slow ones.", "One part in a hundred." } },
      run = function(w)
        begin(w, 10)
        busy(w, LIVE)
        show_one(w, hedged_one)
      end,
      with = { HI = HI },
      after = [[
        {decimals(q(w).hedges * 100 / (q(w).parts - q(w).hedges), 1)}% more, and p99 falls to {decimals(q(w).p99, 1)} ms: 10 ms, and a quick replica. Nothing is missing, if the replica is up to date, and not slow as well.]] },

    -- ------------------------------------------------------------------ what it costs

    { id = "all-read", title = "A thousand a second", show = { "bars" },
      enter = function(w)
        asked(w)
        evening(w)
      end,
      say = [[
        Back to the evening. S0 is read {S0.reads} times a second, and S4 {S4.reads} times. Now {ASKED} people a second open Trending.]],
      predict = { id = "p9-all-read", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "How many reads a second does S0 get?",
        answer = function(w) return w.S0.reads end,
        wrong = { [600] = { belief = "five shards share the work", why = "Each query asks each of them." },
          [ASKED] = { belief = "the new page is all there is", why = "Its posts are read as before." },
          [1500] = { belief = "everything is doubled", why = "To what S0 had comes one part of each query." } },
        why = "What it had, and a part of each query.",
        hints = { "How many of the {ASKED} queries ask S0?", "All.", "{ASKED} more than before." } },
      run = function(w)
        perform(w, "gather " .. Q .. " " .. ASKED)
        w:play_for(2)
      end,
      with = { ASKED = ASKED },
      after = [[
        {S0.reads}, {S0.read_pct}% of what it can do. {ASKED * 5} reads a second for one page; a sixth shard would take nothing off.]] },

    { id = "once", title = "Once a second", show = { "bars" },
      enter = function(w)
        asked(w)
        evening(w)
        perform(w, "gather " .. Q .. " " .. ASKED)
        w:play_for(1)
      end,
      say = [[
        All {ASKED} get the same page. That is Part 4's hot read. So a *job* makes it once a second, in zone a, and each router answers from the last result.]],
      predict = { id = "p9-once", kind = "number", unit = "reads/s", tolerance = 0,
        ask = "S0 had {S0.reads}. How many reads does it get now?",
        answer = function(w) return w.S0.reads end,
        wrong = { [400] = { belief = "what is kept costs nothing", why = "The job asks once a second. Its part is one read." },
          [406] = { belief = "each router asks", why = "One job asks for all of them." },
          [405] = { belief = "S0 gets all five parts", why = "One of the five is S0's." } },
        why = "Its own {S0.reads - 1}, and the job's one.",
        hints = { "Who asks S0 for Trending now?", "The job, once a second.", "One more than without the page." } },
      run = function(w)
        perform(w, "popular " .. Q .. " zone a every 1000")
        w:play_for(3)
      end,
      with = { ASKED = ASKED },
      after = [[
        Five reads a second instead of {ASKED * 5}, and a page up to a second old.]] },

    { id = "crossing", title = "Over the border", show = { "zones:" .. Q },
      enter = function(w)
        asked(w)
        perform(w, "gather " .. Q .. " via R3") -- an example, from zone b
        w:play_for(0.3)
      end,
      say = [=[
        Each shard's answer is {PART_KB} KB. The shards stand in three [[zone]]s: S0 in a, S1 and S3 in b, S2 and S4 in c. Some clouds bill the bytes between zones.]=],
      predict = { id = "p9-crossing", kind = "number", tolerance = 0,
        ask = "A router in zone a asks all five. How many replies cross a border?",
        answer = function(w) return crossings(w, "a") end,
        wrong = { [5] = { belief = "every reply crosses", why = "S0 is in zone a itself." },
          [2] = { belief = "a border is crossed once", why = "There are two other zones, but each reply is sent by itself." } },
        why = "All but S0's.",
        hints = { "Which shards are in zone a?", "S0 alone.", "The other four." } },
      run = function(w)
        perform(w, "gather " .. Q .. " " .. ASKED)
        w:play_for(2)
        perform(w, "gather " .. Q .. " via R0")
        w:play_for(0.02)
      end,
      with = { PART_KB = PART_KB, ASKED = ASKED },
      after = [[
        From b or c it is {crossings(w, "b")}; {decimals(crossings_of_all(w), 2)} on average. At {ASKED} a second {decimals(live_bytes(w) / 1000000, 1)} MB/s cross: ${whole(dollars(live_bytes(w)))} a month. The job in zone a: ${decimals(dollars(job_bytes(w, "a")), 2)}.]] },


    -- ------------------------------------------------------------------ an index over shards

    { id = "beside", title = "An index beside the rows", show = { "catalog:riders" },
      enter = function(w) riders(w, "local") end,
      say = [=[
        Riders are kept by number, `riders:7`. Support asks: who is in Rome? No city is in the key.

        Each shard keeps an [[index]] of its own rows, and writes row and entry in one step: a [[local index]].]=],
      predict = { id = "p9-beside", kind = "number", tolerance = 0,
        ask = "How many shards does \"who is in Rome?\" ask?",
        answer = function(w) return w:catalog("riders").found.parts end,
        wrong = { [1] = { belief = "an index says where to look", why = "There are five of them, and each knows the rows of its own shard only." },
          [HITS] = { belief = "as many as there are answers", why = "Nobody knows before which shards have one." } },
        why = "Any shard may have a rider in Rome.",
        hints = { "What does S0's index know?", "S0's rows.", "So all five are asked." } },
      run = function(w) find(w, "rome") end,
      after = [[
        {w:catalog("riders").found.count} riders, from {w:catalog("riders").found.parts} shards: a scatter-gather again. The index makes each part quick, not fewer.]] },

    { id = "by-term", title = "An index by city", show = { "catalog:riders" },
      enter = function(w) riders(w, "sync") end,
      say = [=[
        So keep all entries of a city together, on the shard of the key `riders@rome`: a [[global index]]. The question asks one shard.

        Rider 7 moves from Rome to York.]=],
      predict = { id = "p9-by-term", kind = "number", tolerance = 0,
        ask = "How many writes is that?",
        answer = function(w) return m("writes") end,
        wrong = { [1] = { belief = "an index keeps itself", why = "Its entries are rows of other shards, and somebody has to write them." },
          [2] = { belief = "the old entry goes by itself", why = "Then rider 7 would be in Rome and in York." } },
        why = "The row, the entry that goes, the entry that comes.",
        hints = { "Which rows change besides rider 7's?", "Rome's list, and York's.", "The row and two entries." } },
      run = function(w)
        M.before = w:catalog("riders").writes
        put(w, 7, "york")
        M.writes = w:catalog("riders").writes - M.before
        find(w, "york")
      end,
      after = [[
        Beside the rows: cheap writes, dear finds. By the city: the other way round.]] },

    { id = "lag", title = "Not yet there", show = { "catalog:riders" }, router = "R0",
      enter = function(w) riders(w, "async 500") end,
      say = [=[
        Three shards for each put is slow. So many stores answer when the row is written, and the index follows, here {LAG} ms later. Rider 7 moves to York, is told OK, and 100 ms later somebody asks who is in York.]=],
      predict = { id = "p9-lag", kind = "choice",
        ask = "What is the answer?",
        choices = {
          { "Rider 7 is in it", belief = "OK means everywhere", why = "OK means: the row is written. The index has not heard.",
            holds = function() return m("missing") == 0 and m("waited") == 0 end },
          { "Without rider 7, and nothing says so", holds = function() return m("missing") > 0 end },
          { "It waits until the index is complete", belief = "an index knows that it is late", why = "It knows what it has. What is on its way it cannot know.",
            holds = function() return m("waited") > 0 end },
        },
        why = "The index answers with what it has.",
        hints = { "What has been written when OK is said?", "The row.", "And the question asks the index." } },
      run = function(w)
        w:command("put riders 7 york via R0")
        w:play_answered()
        w:play_for(0.1)
        w:command("find riders york via R0")
        w:play_answered()
        local f = w:catalog("riders").found
        M.missing, M.waited = f.missing, f.ms > 50 and 1 or 0
      end,
      with = { LAG = LAG },
      after = [[
        Missing: {w:catalog("riders").found.missing}. And Rome still lists it.]] },

    { id = "claim", title = "A row for the email", show = { "catalog:users" },
      enter = function(w) users(w, "unique") end,
      say = [=[
        Users are kept by number, and no two may have one email. A shard sees only its own rows. So each email gets a row, on the shard of `users@ana@sea`, and a sign-up *claims* it first: insert, if nobody has it. A [[unique index]] over all shards.]=],
      predict = { id = "p9-claim", kind = "number", tolerance = 0,
        ask = "A login knows the email only. How many shards does it ask until it has the user's row?",
        answer = function(w) return m("login") end,
        wrong = { [5] = { belief = "an email is no key", why = "Now it is one: it names the shard of its row." },
          [1] = { belief = "the email's row is the user", why = "It has the user's number. The user is elsewhere." } },
        why = "The email's row, and then the user's.",
        hints = { "Where does the email lead?", "To its row, which has the user's number.", "And from there to the user." } },
      run = function(w)
        both_sign_up(w)
        w:command("find users ana@sea via R0")
        w:play_for(0.05)
        M.login = w:catalog("users").found.parts + 1
      end,
      after = [[
        Two signed up with it at once: {accepted(w)} got in, {w:catalog("users").refused} was refused. The find in the picture is the first of the login's two. A sign-up is two writes now.]] },

    -- ------------------------------------------------------------------ a change of two shards

    { id = "prepare", title = "Ask first", show = { "txn" }, router = "R2",
      enter = accounts,
      say = [=[
        alice pays bob {PAY}: two rows, two shards. If who sends both changes dies after one, the money is gone. [[Two-phase commit]]: R2, the [[coordinator]], asks both [[participant]]s to [[prepare]]: check, lock the row, write it down, vote. If all vote yes, it writes *commit* to its own log, and tells both.]=],
      predict = { id = "p9-prepare", kind = "choice",
        ask = "What makes it certain that bob is paid?",
        choices = {
          { "Both have voted yes", belief = "the votes decide", why = "R2 may still abort: say, it dies before it has counted.",
            holds = function() return check.search("two-phase-commit", { without = { "log-decision-first" } }).holds end },
          { "R2 has written commit down", holds = function() return not check.search("two-phase-commit", { without = { "log-decision-first" } }).holds end },
          { "Both shards have done it", belief = "done is decided", why = "Once it is in the log R2 tells them until both have heard, however often somebody dies.",
            holds = function() return false end },
        },
        why = "One line in one log decides.",
        hints = { "What survives if R2 dies?", "Its log.", "So what has to be in it?" } },
      run = function(w)
        perform(w, pay("2pc"))
        w:play_for(0.1)
      end,
      with = { PAY = PAY },
      after = [[
        {w:txn().messages} messages, {2 * w:txn().messages} with answers. Each row is locked until it hears *commit*, {whole(w:txn().ms)} ms; after {whole(w:txn().over_ms)} R2 knows that both have.]] },

    { id = "dies", title = "After the votes", show = { "txn" }, router = "R2",
      enter = accounts,
      say = [[
        The same payment. Both shards have voted yes. Before R2 writes anything down it dies, for {DOWN} s.]],
      predict = { id = "p9-dies", kind = "choice", confidence = true,
        ask = "What does {w:owner(ALICE)} do meanwhile?",
        choices = {
          { "Commits: all voted yes", belief = "a yes is a decision", why = "It knows of its own vote only. The other may have said no.",
            holds = function(w) return w:row(ALICE).value < HAVE end },
          { "Aborts after a while", belief = "who waits too long may leave", why = "For all it knows, R2 has told bob's shard to commit. Then bob would have the {PAY}, and alice would keep them.",
            holds = function(w) return w:row(ALICE).value == HAVE and w:row(ALICE).locked_by == 0 end },
          { "Waits, alice's row locked", holds = function(w) return w:row(ALICE).locked_by > 0 end },
        },
        why = "With its yes it has given up the right to decide.",
        hints = { "What does it know of the other vote?", "Nothing. Only R2 has counted.", "So it can neither go on nor back." } },
      run = function(w)
        perform(w, "coordinator dies voted " .. DOWN * 1000, pay("2pc"))
        w:play_for(1)
      end,
      protocol = { name = "two-phase-commit", without = { "no-lone-abort-when-prepared" } },
      with = { PAY = PAY, DOWN = DOWN, HAVE = HAVE },
      after = [[
        Locked for {whole(w:row(ALICE).locked_ms)} ms by now. When R2 is back, its log has no commit: abort, and both rows are free.]] },

    { id = "step-by-step", title = "Do it, or take it back", show = { "txn" }, router = "R2",
      enter = function(w)
        accounts(w)
        perform(w, "row " .. SEAT .. " 1")
      end,
      say = [=[
        Alice books seat 12 for {PAY}. Another way: each step is done at once, for good. If a later one is refused, those before are taken back, each by its [[compensation]]. That is a [[saga]].

        The first step takes her {PAY}. Seat 12 is gone already.]=],
      predict = { id = "p9-step-by-step", kind = "number", tolerance = 0,
        ask = "Alice has {HAVE}. What does she see between the two steps?",
        answer = function() return m("between") end,
        wrong = { [HAVE] = { belief = "nothing shows until all is done", why = "In a saga each step is done for good, and everybody sees it." },
          [0] = { belief = "her account is locked", why = "Nothing is locked." } },
        why = "The step is done. That it will be taken back nobody knows yet.",
        hints = { "What has the first step done?", "It has taken {PAY}, for good.", "{HAVE} less {PAY}." } },
      run = function(w)
        perform(w, book("saga"))
        for _ = 1, 40 do
          w:play_for(0.001)
          local v = w:row(ALICE).value
          if v < HAVE then M.between = v end
        end
        w:play_for(0.2)
      end,
      with = { PAY = PAY, HAVE = HAVE },
      after = [[
        Then the seat says no, and she has {w:row(ALICE).value} again. Nothing was locked, but for a moment anyone could see half of it.]] },

    { id = "follow", title = "A follow", show = { "table" },
      enter = accounts, table = ways_to_follow,
      say = [[
        bob follows nova: one row on his shard, one on hers, her list of followers. The list refuses nobody. Just now her shard is down, for {FANS_DOWN} s. A coordinator waits 1 s for an answer.]],
      predict = { id = "p9-follow", kind = "choice",
        ask = "By which way is bob told OK?",
        choices = {
          { "Two-phase commit", belief = "two shards need a transaction", why = "It needs nova's vote. After 1 s without it R2 gives up; so long bob's row is locked, and he is told no.",
            holds = function() return cells[1][2] == "OK" end },
          { "A saga", belief = "two steps need a coordinator", why = "This saga turns back: her step did not come through in 1 s. One that sends the last step until it comes (*forward recovery*) can say OK: that is the third way.",
            holds = function() return cells[2][2] == "OK" end },
          { "His row now, her list later", holds = function() return cells[3][2] == "OK" and cells[1][2] ~= "OK" and cells[2][2] ~= "OK" end },
        },
        why = "One write decides. The other is made from it, when it can be.",
        hints = { "Which way needs her shard now?", "Both protocols ask it.", "What can wait may simply come later." } },
      with = { FANS_DOWN = FANS_DOWN },
      after = [=[
        Her list is a [[derived index]]: made from rows like bob's, a moment late. The saga's *no* came only when her shard was back.]=] },

    { id = "tell", title = "Tell a colleague", show = { PAGE },
      enter = function(w)
        asked(w)
        perform(w, "gather " .. Q .. " via R3")
        w:play_for(0.3)
      end,
      say = [["With 50 shards Trending gets fast."]],
      predict = { id = "p9-tell", kind = "explain",
        ask = "Why slower, and what helps?",
        model = "It waits for the slowest. One of 5 shards is slow in {decimals(meets(5), 1)}% of queries, of 50 in {decimals(meets(50), 1)}%. Hedge, or ask once.",
        rubric = { "every shard is asked", "the slowest decides", "more are slow", "hedge, or once for all" },
        hints = { "Who is asked?", "For whom does the router wait?", "Must each reader ask at all?" } },
      after = [[
        Here you may stop.]] },

    -- ------------------------------------------------------------------ deeper: slow ends

    { id = "half", title = "Queries: more shards", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, n in ipairs { 1, 5, 8, 10, 50, 100, 256, 1000, 69 } do
          rows[i] = { label = n == 69 and "half" or tostring(n), cells = { decimals(meets(n), n < 1000 and 1 or 3), decimals(within(n, 50), 1), decimals(within(n, 99), 1) } }
        end
        return { title = "A query of N shards", columns = { "N", "slow %", "p50 ms", "p99 ms" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        Four deeper parts follow: *queries*, *indexes*, *transactions*, *design*. One may stop after each.

        The app grows, and so do the shards. Each is slow once in a hundred times, as before.]],
      predict = { id = "p9-half", kind = "number", tolerance = 3,
        ask = "With about how many shards does half of all queries meet a slow one?",
        answer = function()
          local n = 1
          while meets(n) < 50 do n = n + 1 end
          return n
        end,
        wrong = { [50] = { belief = "chances add up", why = "50 times 1% counts those twice that meet two slow ones. With 50 it is {decimals(meets(50), 1)}%." },
          [100] = { belief = "a hundred hundredths are a certainty", why = "Of a hundred shards one is slow on average. Sometimes it is two, sometimes none." },
          [10] = { belief = "ten times five", why = "With ten it is {decimals(meets(10), 1)}%." } },
        why = "0.99 times itself 69 times is a half.",
        hints = { "More than 50: some queries meet two.", "0.99 x 0.99 ... until it is a half.", "With 50 shards it is {decimals(meets(50), 1)}%." } },
      after = [[
        "half" is the row with 69. From there on the *usual* query is a slow one. More shards take more load, and make each such query slower.]] },

    { id = "mean", title = "What is usual?", deeper = true, show = { PAGE },
      enter = function(w)
        asked(w)
        show_one(w, slow_one, true)
      end,
      say = [[
        One shard: 99 of 100 parts take {LO} to {HI} ms, evenly, and one takes {SLOW_LO} to {SLOW_HI}.]],
      predict = { id = "p9-mean", kind = "number", unit = "ms", tolerance = 0.06,
        ask = "How long does a part take on average?",
        answer = function() return tenths(mean_part()) end,
        wrong = { [5] = { belief = "rare is nothing", why = "That is without the slow one. It adds 1.25, and takes off a hundredth of 5." },
          [125] = { belief = "the slow ones are the average", why = "That is the average of the slow ones." } },
        why = "0.99 x 5 + 0.01 x 125.",
        hints = { "What is the average of the quick ones, and of the slow ones?", "5, and 125.", "99 of one, 1 of the other, over 100." } },
      with = { LO = LO, HI = HI, SLOW_LO = SLOW_LO, SLOW_HI = SLOW_HI },
      after = [[
        The one slow part has added over a millisecond to what 99 take, {(LO + HI) / 2} ms on average. So the number tells neither how long most take, nor how long the slow one does. And what a page waits for, five parts together, is in no average of parts.]] },

    { id = "edge", title = "A number on an edge", deeper = true, show = { "table" }, enter = function(w) asked(w) end,
      table = edge_table,
      say = [[
        Two teams measure p99 of the same single shard, 10,000 queries each. On average one part in a hundred is slow.]],
      predict = { id = "p9-edge", kind = "choice",
        ask = "How do their numbers compare?",
        choices = {
          { "Equal but for a percent or two", belief = "ten thousand is enough", why = "For a number in the midst of others. p99 of this shard lies in a gap, between {HI} and {SLOW_LO} ms.",
            holds = function() return edge_spread() < 3 end },
          { "One may be several times the other", holds = function() return edge_spread() >= 3 end },
          { "Both are near 30, the middle", belief = "a percentile is in the middle of a gap", why = "No part takes that. It is one edge or the other.",
            holds = function() return false end },
        },
        why = "A few slow parts more or fewer, and it is on the other side of the gap.",
        hints = { "Which parts take between {HI} and {SLOW_LO} ms?", "None.", "With 99 slow ones of 10,000 p99 is a quick one, with 101 a slow one." } },
      with = { HI = HI, SLOW_LO = SLOW_LO },
      after = [[
        {decimals(edge_least(), 1)} to {decimals(edge_most(), 1)} ms, of the same shard. Look at more than one percentile, or count what is over a bound: "slower than 50 ms" is 1% on any day.]] },

    { id = "may-lack", title = "Who may lack a part?", deeper = true, show = { PAGE },
      enter = function(w)
        asked(w, nil, SLOW_LO)
        show_one(w, partial_one)
      end,
      say = [[
        An answer that lacks a shard must say so. Still not every question can do with one.]],
      predict = { id = "p9-may-lack", kind = "several",
        ask = "Which may be answered by four of five?",
        choices = {
          { "What is trending?", holds = function() return true end },
          { "Is this email taken?", belief = "almost sure is sure", why = "It may be taken on the fifth. A no has to be certain.", holds = function() return false end },
          { "Search: ten posts on cats", holds = function() return true end },
          { "What do all accounts add up to?", belief = "a sum may be rounded", why = "A fifth may be missing. That is no rounding.", holds = function() return false end },
        },
        why = "A list of good ones may lack some. A sum, or a no, may not.",
        hints = { "What would be wrong if one shard said nothing?", "A list gets shorter, a sum gets false.", "And no means: on none of them." } },
      after = [[
        For the others there is a better way.]] },

    { id = "tune", title = "Set it yourself", deeper = true, show = { "table" },
      enter = function(w) asked(w) end,
      knobs = { { name = "choice", label = "hedge", values = { "off", 4, 6, 8, 10, 20, 50 } },
        { name = "cap", label = "timeout", values = { "off", 20, 50, 100 } } },
      table = tune_table,
      say = [[
        Hedge: ask the replica after so many ms. Timeout: give a part up after so many. Turn both (H, C) and read the table. Each turn plays {TUNED} s anew: a moment.

        Asked for: p99 under 15 ms, at most 2% more requests, and no page that lacks a part.]],
      try = { ask = "Set both so that all three hold.",
        goal = function() return tuned(knob.choice, knob.cap) end,
        solution = { "knob choice 8" },
        hints = { "A timeout leaves parts out.", "A hedge before {HI} ms asks for parts that are about to come.", "After 10 ms it is later than it need be. 8, and timeout off." } },
      with = { HI = HI } },

    { id = "all-slow", title = "When all are slow", deeper = true, show = { PAGE },
      enter = function(w)
        asked(w)
        perform(w, "times all 40 60")
        perform(w, "gather " .. Q .. " via R3")
        w:play_for(0.2)
      end,
      say = [[
        The same hedge, after 10 ms. Then an overload: every shard takes 40 to 60 ms for every part, since it has too much to do.]],
      predict = { id = "p9-all-slow", kind = "number", unit = "%", tolerance = 3,
        ask = "How many more requests is that, for a hundred parts?",
        answer = function(w) return whole(q(w).hedges * 100 / (q(w).parts - q(w).hedges)) end,
        wrong = { [1] = { belief = "a hedge is always cheap", why = "It was, when one in a hundred was late. Now all are." },
          [5] = { belief = "one query, one hedge", why = "Each late part is asked for again, and all five are late." },
          [0] = { belief = "a router sees that it is no use", why = "It sees no answer after 10 ms, and asks again." } },
        why = "Each part is late, so each is asked for twice.",
        hints = { "Which parts are there after 10 ms?", "None.", "So each of them is asked for again." } },
      run = function(w)
        begin(w, 10)
        busy(w, 5, 50)
      end,
      after = [[
        Twice the work, for machines that have too much of it: the same as retries in Part 3. So hedge after a high percentile, and stop when more than a few in a hundred are hedged.]] },

    { id = "add-p99", title = "The p99 of two", deeper = true, show = { "table" },
      table = function()
        return { title = "Last minute", columns = { "shard", "parts", "p99 ms" }, numbers = { 2, 3 }, rows = {
          { label = "S0", cells = { "60,000", "20" } }, { label = "S1", cells = { "60,000", "100" } } } }
      end,
      say = [[
        A dashboard has p99 of S0, 20 ms, and of S1, 100 ms, with as many parts each.]],
      predict = { id = "p9-add-p99", kind = "choice",
        ask = "And p99 of all their parts?",
        choices = {
          { "60 ms", belief = "percentiles have an average", why = "Percentiles cannot be added or halved.", holds = function() return false end },
          { "100 ms", belief = "the worst counts for all", why = "It is 100 or less. How much less is not said.", holds = function() return false end },
          { "That cannot be said from these", holds = function() return both_possible() end },
        },
        why = "Between 20 and 100; two numbers do not tell where.",
        hints = { "Make up times of parts that fit.", "Half of S1's at 99 ms would fit, and half of S1's at 1 ms too.", "Both fit, with another p99 together." } },
      after = [[
        Keep counts by span (up to 5 ms, up to 10 ...): these can be added over shards and minutes, and p99 read off the sum.]] },

    { id = "tops", title = "The best of the best", deeper = true, show = { "table" }, table = tops_table,
      say = [[
        Of posts the merged ten were right. Another table counts *words*, on each shard those of its posts. S0 has sun {WORDS[1].sun}, sea {WORDS[1].sea}, rain {WORDS[1].rain}; S1 rain {WORDS[2].rain}, sea {WORDS[2].sea}, sun {WORDS[2].sun}. Each sends its best word.]],
      predict = { id = "p9-tops", kind = "choice",
        ask = "Which is most frequent on both together?",
        choices = {
          { "sun", belief = "who leads somewhere leads", why = "It has 50 on S0, and {sums().sun} together.", holds = function() return first() == "sun" end },
          { "sea", holds = function() return first() == "sea" end },
          { "rain", belief = "the merged best is the best", why = "It has 52 on S1, and {sums().rain} together.", holds = function() return first() == "rain" end },
        },
        why = "{sums().sea} together, and no shard sent it.",
        hints = { "Add each word over both shards.", "sun {sums().sun}, rain {sums().rain}.", "sea {sums().sea}." } },
      with = { WORDS = WORDS },
      after = [[
        A top can be merged if each key is whole on one shard. A salted counter is not, nor are words. A sum can always be merged, an average with its count, a p99 only as counts by span.]] },

    { id = "salted", title = "Salt once more", deeper = true, show = { "trace:likes:{p20}" }, key = "likes:{p20}", router = "R0",
      enter = function(w)
        quiet(w)
        if w:count("likes:{p20}").mode ~= "salted" then w:command("writes likes:{p20} salted 8") end
        w:play_for(0.1)
      end,
      say = [[
        Part 5 cut a hot count into 8 sub-keys. `likes:{p20}` is such a one. Nobody keeps it at the routers; a page reads it through R0.]],
      predict = { id = "p9-salted", kind = "number", tolerance = 0,
        ask = "How many times the bytes of a plain count does that read move?",
        answer = function(w) return w:count("likes:{p20}").salts end,
        wrong = { [1] = { belief = "a count is one number", why = "Each sub-key answers by itself, with a reply of its own." },
          [5] = { belief = "one reply from each shard", why = "One reply for each sub-key, wherever it lies." } },
        why = "A reply for each sub-key.",
        hints = { "What is asked for?", "Each sub-key.", "There are {w:count(\"likes:{p20}\").salts}." } },
      run = function(w)
        w:send("read", "likes:{p20}", "R0")
        w:play_answered()
      end,
      after = [[
        Salt is a small scatter-gather that you built in yourself, with its slowest part and its bytes over borders. Sums at the router (Part 5) have it as well, a part for each router. Both want a cache in front.]] },

    { id = "twice", title = "A slot on its way", deeper = true, show = { "table" }, table = scatter_table,
      protocol = { name = "scatter", without = { "one-epoch-a-slot" } },
      say = [[
        A slot moves, as in Part 8, while a query over all shards is under way: the old owner answers before the move, the new one after it.]],
      predict = { id = "p9-twice", kind = "several",
        ask = "Without which of them can a post be counted twice?",
        choices = {
          { "one-epoch-a-slot: no slot at two epochs", why = "Both owners were right when they answered.", holds = function() return twice("one-epoch-a-slot") end },
          { "mark-partial: say what is missing", belief = "every rule guards the same", why = "It guards against too few: a page that lacks a shard and does not say so.", holds = function() return twice("mark-partial") end },
          { "first-answer-counts: shard or replica", why = "Shard and replica answer the same question, and both are added.", holds = function() return twice("first-answer-counts") end },
        },
        why = "Two answers that hold the same slot are merged.",
        hints = { "What must come twice for that?", "An answer with the same slot.", "From two owners, or from a shard and its replica." } },
      after = [[
        The epoch of Part 1 does it: an answer says of each slot at which epoch it had it. x shows the steps.]] },

    -- ------------------------------------------------------------------ deeper: bytes

    { id = "dollars", title = "A bill", deeper = true, show = { "zones:" .. Q },
      enter = function(w)
        asked(w)
        perform(w, "gather " .. Q .. " " .. ASKED)
        w:play_for(2)
      end,
      say = [[
        {ASKED} pages a second, {decimals(live_bytes(w) / 1000000, 1)} MB/s, are {whole(month_gb(live_bytes(w)))} GB in 30 days. AWS bills a cent a GB where they leave a zone, and a cent where they come in. The picture does so with its last second, a few replies more or fewer.

        Next year it may be {NEXT} pages a second.]],
      predict = { id = "p9-dollars", kind = "number", unit = "dollars", tolerance = 60,
        ask = "About how many dollars a month will that be?",
        answer = function(w) return whole(dollars(next_year(w))) end,
        wrong = function(w)
          return { [whole(dollars(live_bytes(w)))] = { belief = "a page is a page", why = "That is today's {ASKED} a second." },
            [whole(dollars(next_year(w)) / 2)] = { belief = "bytes are billed once", why = "Both ends are billed: two cents a GB." },
            [whole(dollars(next_year(w)) * 100)] = { belief = "cents are dollars", why = "Those are cents." } }
        end,
        why = "{whole(month_gb(next_year(w)))} GB at two cents.",
        hints = { "What does one GB cost?", "Two cents: out and in.", "{whole(month_gb(live_bytes(w)))} GB x {NEXT / ASKED} x 0.02." } },
      with = { ASKED = ASKED, NEXT = NEXT },
      after = [[
        And ${whole(dollars(live_bytes(w)))} today, for one page. The job in zone a: {whole(job_bytes(w, "a") / 1000)} KB/s, {decimals(month_gb(job_bytes(w, "a")), 0)} GB, ${decimals(dollars(job_bytes(w, "a")), 2)}. {whole(live_bytes(w) / job_bytes(w, "a"))} times less.]] },

    { id = "where-to", title = "Place the job", deeper = true, show = { "zones:" .. Q },
      enter = function(w)
        asked(w)
        perform(w, "popular " .. Q .. " zone a every 1000")
        w:play_for(3)
      end,
      say = [[
        The job runs in zone a, and four of its five replies come from elsewhere. It could run anywhere. p lets time go on: the bytes are those of the last second.

        Press : to type a command: `popular trending zone a every 1000` is the one in force.]],
      try = { ask = "Place it where it costs least.",
        goal = function(w) return q(w).zone == "b" or q(w).zone == "c" end,
        solution = { "popular trending zone b every 1000" },
        hints = { "How many shards are in each zone?", "One in a, two in b, two in c.", "`popular trending zone b every 1000`; c has two as well, and costs the same." } },
      with = {} },

    -- ------------------------------------------------------------------ deeper: indexes

    { id = "which-index", title = "Indexes: which one?", deeper = true, show = { "catalog:riders" },
      enter = function(w) riders(w, "local") end,
      say = [[
        A local index asks every shard, unless the question also names the key: then one shard has all that it needs.]],
      predict = { id = "p9-which-index", kind = "several",
        ask = "Which are well served by a local index?",
        choices = {
          { "Failed orders of customer 7", why = "The customer names the shard.", holds = function() return true end },
          { "Login by email", belief = "an index is an index", why = "Each login would ask every shard, and no shard could say that an email is taken.", holds = function() return false end },
          { "An audit, once a month", why = "Seldom enough to ask everybody, and it costs writes nothing.", holds = function() return true end },
          { "Riders near you, each second", belief = "local means near", why = "Local means: on the row's shard. All shards would be asked each second.", holds = function() return false end },
        },
        why = "The key is named too, or hardly anybody asks.",
        hints = { "Does the question name the key?", "How often is it asked?", "Two of four." } } },

    { id = "email", title = "Only one may have it", deeper = true, show = { "catalog:users" },
      enter = function(w) users(w, "local") end,
      say = [[
        Users are kept by number as well. An email may belong to one user only. Each shard has a *unique* local index of emails. Users 1 and 2 live on different shards, and both sign up with `ana@sea` at the same moment.]],
      predict = { id = "p9-email", kind = "choice",
        ask = "Who gets in?",
        choices = {
          { "The first, by some microseconds", belief = "unique is unique", why = "On one shard. No shard sees the other's emails.",
            holds = function(w) return m("in") == 1 end },
          { "Both", holds = function(w) return m("in") == 2 end },
          { "Neither: they lock each other", belief = "shards ask each other", why = "A shard writes its row and its own index, and asks nobody.",
            holds = function(w) return m("in") == 0 end },
        },
        why = "Each shard finds the email free, in its own rows.",
        hints = { "What does the first user's shard see?", "Its own rows. There is no such email.", "And so does the other one." } },
      run = function(w)
        both_sign_up(w)
        M["in"] = accepted(w)
      end,
      after = [[
        {accepted(w)} users with one email. Each shard kept its rule.]] },

    { id = "index-half", title = "Between two writes", deeper = true, show = { "catalog:riders" }, router = "R0",
      enter = function(w) riders(w, "sync") end,
      say = [[
        A global index that is written at once: the row first, then both entries. Rider 7 goes from Rome to York through R0. R0 dies when the row is written, and its client is told nothing.]],
      predict = { id = "p9-index-half", kind = "choice",
        ask = "Where does \"who is in York?\" see rider 7 from then on?",
        choices = {
          { "In York: the row says so", belief = "an index reads the row", why = "It reads entries. York's was not written.",
            holds = function(w) return w:catalog("riders").found.missing == 0 end },
          { "Nowhere; Rome still lists it", holds = function(w) return w:catalog("riders").found.missing > 0 end },
          { "Nowhere: it was undone", belief = "what is half done is undone", why = "No transaction is around these writes. The row says York.",
            holds = function(w) return w:catalog_row("riders", 7).term ~= "york" end },
        },
        why = "The row is new, both entries are old.",
        hints = { "Which of three writes was done?", "The row.", "The entries are as before." } },
      run = function(w)
        w:command("put riders 7 york via R0")
        w:play_for(0.003)
        w:command("crash R0 500")
        w:play_for(1)
        find(w, "york")
      end,
      after = [[
        "At once" is not "all or nothing". A database that keeps such an index right (Spanner, CockroachDB) puts a transaction around it: two-phase commit for each put. Others compare rows and entries in the background and mend.]] },

    { id = "orphan", title = "Taken by nobody", deeper = true, show = { "catalog:users" }, router = "R0",
      enter = function(w) users(w, "unique") end,
      say = [[
        A sign-up claims the email's row, then writes the user. R0 dies between the two. Its user tries again later, through R4, as user 2.]],
      predict = { id = "p9-orphan", kind = "choice",
        ask = "What is he told?",
        choices = {
          { "Welcome", belief = "who died has nothing", why = "The email's row was written before, and says: taken.",
            holds = function(w) return accepted(w) == 1 end },
          { "This email is taken", holds = function(w) return accepted(w) == 0 end },
          { "Please wait", belief = "somebody cleans up at once", why = "Nobody knows that user 1 will never come.",
            holds = function() return false end },
        },
        why = "The claim stands, and nobody is behind it.",
        hints = { "Which of two rows was written?", "The email's.", "It cannot know that no user comes." } },
      run = function(w)
        w:command("put users 1 " .. EMAIL .. " via R0")
        w:play_for(0.003)
        w:command("crash R0 500")
        w:play_for(1)
        w:command("put users 2 " .. EMAIL .. " via R4")
        w:play_for(0.1)
      end,
      with = { EMAIL = EMAIL },
      after = [[
        So a claim carries its time, and a job removes old ones without a user. A router that slept may still come back and write its user: so that write asks whether *its* claim still stands. User first would leave users whose email anybody can take.]] },

    { id = "change-email", title = "A new email", deeper = true, show = { "txn" }, router = "R2",
      enter = function(w)
        quiet(w)
        for _, key in ipairs { NEW, OLD, USER } do set(w, key, 0) end
        perform(w, "txn saga via R2 claim " .. OLD .. " give " .. USER .. " 1") -- as she signed up
        w:play_for(0.3)
      end,
      say = [[
        Ana changes her email. Three rows on three shards: `{=OLD}` (1: taken), `{=NEW}` (0: free), and `{=USER}`, where `give {=USER} 1` stands for writing the new email. A saga does it; a claim may be refused.

        `claim` takes a name, `free` gives it back. Order matters: if it stops halfway, neither name may be open to others.]],
      try = { ask = "Type `txn saga via R2` and three steps in the right order.", builds = true,
        goal = function(w)
          local t = w:txn()
          return t.by == "saga" and t.outcome == "done" and #t.steps == 3 and t.steps[1].what == "claim" and t.steps[3].what == "free"
            and w:row(NEW).value == 1 and w:row(OLD).value == 0
        end,
        solution = { "txn saga via R2 claim name:{ana@lake} give user:{4} 1 free name:{ana@sea}", "request read post:{p1} via R0", "request read post:{p1} via R0", "request read post:{p1} via R0" },
        hints = { "Which step may be refused? It comes first.", "Which must not happen before all else is sure? It comes last.",
          "`claim {=NEW} give {=USER} 1 free {=OLD}`" } },
      with = { NEW = NEW, OLD = OLD, USER = USER } },

    -- ------------------------------------------------------------------ deeper: two-phase commit

    { id = "half-paid", title = "Transactions: by nothing", deeper = true, show = { "txn" }, router = "R2",
      enter = function(w) after_one(w, pay("plain")) end,
      say = [[
        alice pays bob {PAY}. `{=ALICE}` is on {w:owner(ALICE)}, `{=BOB}` on {w:owner(BOB)}, with {HAVE} each. R2 sends both changes, and dies when the first is under way.]],
      predict = { id = "p9-half-paid", kind = "number", tolerance = 0,
        ask = "How much do both have together then?",
        answer = pair,
        wrong = { [2 * HAVE] = { belief = "what is half done is undone", why = "Who should undo it? Each shard has done all that it was asked for." },
          [2 * HAVE + PAY] = { belief = "the money comes first", why = "Alice's was under way first." } },
        why = "Alice's {PAY} are taken, and nobody gives them to bob.",
        hints = { "Which of the two changes is done?", "The one that takes.", "{2 * HAVE} less {PAY}." } },
      run = function(w)
        perform(w, "coordinator dies told-one 1000", pay("plain"))
        w:play_for(2)
      end,
      with = { PAY = PAY, HAVE = HAVE },
      after = [=[
        {pair(w)}. No machine has made a mistake. *All or nothing* holds on one shard. Over two it needs somebody who takes care of it.]=] },

    { id = "ladder", title = "Where it dies", deeper = true, show = { "table", "txn" },
      enter = function(w) after_one(w, pay("2pc")) end, table = ladder_table("2pc"),
      say = [[
        The payment of alice and bob by two-phase commit. R2 dies at one of five places, for {DOWN} s, and comes back with its log.]],
      predict = { id = "p9-ladder", kind = "several",
        ask = "After which deaths is bob paid in the end?",
        choices = {
          { "All are asked to prepare", belief = "what is begun is finished", why = "Its log says nothing of commit.", holds = function() return cells[2][2] == "done" end },
          { "Both votes are in", belief = "the votes decide", why = "R2 had them in its memory only.", holds = function() return cells[3][2] == "done" end },
          { "Commit is in its log", holds = function() return cells[4][2] == "done" end },
          { "One of the two is told", holds = function() return cells[5][2] == "done" end },
        },
        why = "The line in the log decides, and what is told comes after it.",
        hints = { "What does R2 know when it comes back?", "What its log says.", "Commit is there from the fourth place on." } },
      with = { DOWN = DOWN, ASK_MS = 100 },
      after = [[
        Both agree in the end. What differs is how long the longer of both locks held. With commit in its log R2 tells at once when it is back; without, a shard has to ask it, and asks every {ASK_MS} ms.]] },

    { id = "alone", title = "Alone", deeper = true, show = { "txn" }, router = "R1",
      enter = function(w) after_one(w, pay("2pc")) end,
      say = [[
        carol pays both of them: 10 to alice, 20 to bob, all or nothing, through R1. Three rows, three steps, and 30 taken once.

        Steps: `take KEY N`, `give KEY N`. Her account is `{=CAROL}`.]],
      try = { ask = "Type the transaction: `txn 2pc via R1 ...`", builds = true,
        goal = function(w)
          local t = w:txn()
          return t.by == "2pc" and t.outcome == "done" and w:row(CAROL).value == HAVE - 30 and w:row(ALICE).value == HAVE + 10 and w:row(BOB).value == HAVE + 20
        end,
        solution = { "txn 2pc via R1 take acct:{carol} 30 give acct:{alice} 10 give acct:{bob} 20", "request read post:{p1} via R0", "request read post:{p1} via R0" },
        hints = { "One step a row.", "`take {=CAROL} 30`, then two gives.", "`... give {=ALICE} 10 give {=BOB} 20`" } },
      with = { ALICE = ALICE, BOB = BOB, CAROL = CAROL, HAVE = HAVE } },

    { id = "locked", title = "Carol waits", deeper = true, show = { "txn" }, router = "R4",
      enter = blocked,
      say = [[
        R2 is down. Alice also pays carol 10, through R4, which is well.]],
      predict = { id = "p9-locked", kind = "choice",
        ask = "What does alice see?",
        choices = {
          { "Carol is paid: R4 is well", belief = "a fault stays where it is", why = "Alice's row is locked by R2's transaction, whoever asks.",
            holds = function(w) return m("second") == 1 end },
          { "Her payment is refused", holds = function(w) return m("second") == 0 end },
          { "She has paid twice", belief = "locks are only for reads", why = "A locked row takes nothing else.",
            holds = function(w) return w:row(ALICE).value < HAVE - 10 end },
        },
        why = "A locked row says no to every other transaction.",
        hints = { "What is needed for the second payment?", "Alice's row.", "It is locked." } },
      run = function(w)
        if not w:txn(m("first")).down then blocked(w) end -- somebody has let time pass
        perform(w, "txn 2pc via R4 take " .. ALICE .. " 10 give " .. CAROL .. " 10")
        w:play_for(0.3)
        M.second = w:txn().outcome == "done" and 1 or 0
        w:play_for(DOWN)
      end,
      with = { DOWN = DOWN, HAVE = HAVE },
      after = [[
        At last R2 came back. Its log knew nothing of the payment, and that means abort. Both rows are free, after {decimals(w:txn(m("first")).steps[1].locked_ms / 1000, 1)} s, and have {pair(w)} together. Nothing is lost; it *blocks*. Ways out: ask the other participant, or keep the coordinator's log in copies (Spanner, CockroachDB).]] },

    { id = "hot-row", title = "Everybody pays nova", deeper = true, show = { "table" },
      enter = accounts, table = hot_table,
      say = [[
        {FANS_N} people pay nova 1 in the same instant, each through a transaction of its own. All of them change nova's row.]],
      predict = { id = "p9-hot-row", kind = "number", tolerance = 0,
        ask = "How many go through by two-phase commit?",
        answer = function() return cells[1][2] end,
        wrong = { [FANS_N] = { belief = "a lock is short enough", why = "Short, but all came at once. A locked row votes no." },
          [0] = { belief = "they all block each other", why = "The first one finds the row free." } },
        why = "The first locks the row; for the others it is locked.",
        hints = { "How many can hold nova's lock?", "One.", "And the others vote no." } },
      with = { FANS_N = FANS_N },
      after = [[
        The saga: {cells[2][2]}. A row has one lock, and holds it for both rounds: that is all that such a key can do, on however many shards. A real database lets them queue: none is faster, and two may wait for each other (*deadlock*), unless all lock in one order, or give up after a while.]] },

    { id = "two-rules", title = "Rules of the vote", deeper = true, show = { "table" }, table = rules_table("two-phase-commit"),
      protocol = { name = "two-phase-commit" },
      say = [[
        Two-phase commit rests on seven rules. The table leaves out one at a time, and searches all orders of messages, losses and restarts for harm: one commits, another aborts.]],
      predict = { id = "p9-two-rules", kind = "choice",
        ask = "Without which can a participant be stuck for ever instead?",
        choices = {
          { "log-decision-first: log, then tell", belief = "a lost decision blocks", why = "Worse: one was told to commit, and the coordinator comes back knowing nothing.", holds = function() return stuck("log-decision-first") end },
          { "presumed-abort: unknown is aborted", holds = function() return stuck("presumed-abort") end },
          { "decide-once: no second thoughts", belief = "deciding twice never ends", why = "It ends in two ways: one commits, another aborts.", holds = function() return stuck("decide-once") end },
        },
        why = "It asks, and the coordinator, which remembers nothing, has no answer.",
        hints = { "Who waits, in this protocol?", "A participant that has voted yes. It asks the coordinator.", "And what if that one knows of nothing?" } },
      after = [[
        "I know nothing of it" means abort: for a commit there would be a line in its log. So aborts need not be written. A commit's line must stay until every participant has heard. x tells what each rule demands.]] },

    -- ------------------------------------------------------------------ deeper: sagas

    { id = "saga-dies", title = "A saga's coordinator", deeper = true, show = { "table", "txn" },
      enter = function(w) after_one(w, book("saga"), 1) end,
      table = ladder_table("saga"),
      say = [[
        Alice books a seat that is gone, as before. R2 dies on the way, for {DOWN} s. What it does next is always in its log before it is sent.]],
      predict = { id = "p9-saga-dies", kind = "number", tolerance = 0,
        ask = "In how many of these deaths does alice lose money for good?",
        answer = function()
          local n = 0
          for i = 1, 4 do if cells[i][3] ~= HAVE then n = n + 1 end end
          return n
        end,
        wrong = { [1] = { belief = "between two steps nobody knows", why = "R2's log knows. It comes back and takes back." },
          [4] = { belief = "a dead coordinator leaves half", why = "So it was without anybody who cares (plain). A saga goes on from its log." } },
        why = "It comes back, reads its log, and goes on taking back.",
        hints = { "What does R2 know when it is back?", "The step that it asked for last.", "It goes on from there." } },
      with = { DOWN = DOWN },
      after = [[
        But look how long her money is away: for all the {DOWN} s. A saga shows the half and locks nothing. Two-phase commit hides it only from readers who respect locks too, or read one snapshot.]] },

    { id = "order", title = "First what may say no", deeper = true, show = { "txn" }, router = "R2",
      enter = function(w) after_one(w, book("saga"), 1) end,
      say = [[
        Alice's {PAY} were taken and given back, for a seat that was gone. She saw it, and wrote to support.

        The saga was `take {=ALICE} {=PAY} claim {=SEAT}`.]],
      try = { ask = "Book once more, so that nothing has to be taken back.",
        goal = function(w)
          local t = w:txn()
          return t.by == "saga" and t.outcome == "undone" and t.steps[1].what == "claim" and w:row(ALICE).value == HAVE
        end,
        solution = { "txn saga via R2 claim seat:{12} take acct:{alice} 30", "request read post:{p1} via R0", "request read post:{p1} via R0" },
        hints = { "Which step is refused here?", "If it comes first, nothing was done before it.", "`txn saga via R2 claim {=SEAT} take {=ALICE} {=PAY}`" } },
      with = { PAY = PAY, ALICE = ALICE, SEAT = SEAT, HAVE = HAVE } },

    { id = "saga-rules", title = "Rules of going back", deeper = true, show = { "table" }, table = rules_table("saga"),
      protocol = { name = "saga", without = { "compensation-bars-step" } },
      say = [[
        A debit was asked for, and no answer came. The saga gives up, and asks to take it back. That request overtakes the first: the shard finds no debit.]],
      predict = { id = "p9-saga-rules", kind = "choice", confidence = true,
        ask = "What should it do?",
        choices = {
          { "Nothing: there is nothing to take back", belief = "what is not there needs no undoing", why = "Then the debit arrives, late, and is done. The saga is over, and nobody takes it back.",
            holds = function() return check.search("saga", { without = { "compensation-bars-step" } }).holds end },
          { "Write down: this debit is never to be done", holds = function() return not check.search("saga", { without = { "compensation-bars-step" } }).holds end },
          { "Take it back anyway: give the money", belief = "better once too often", why = "Then alice has it twice: it was never taken.",
            holds = function() return check.search("saga", { without = { "compensate-once" } }).holds end },
        },
        why = "Who takes back what never came must bar it.",
        hints = { "What is still on its way?", "The debit.", "And the saga is over when it comes." } },
      after = [[
        Messages overtake each other and come twice. So each step has an id, and its shard remembers it: done, taken back, barred. A compensation is sent until it succeeds; and a gift may be spent by then. So what nobody may see too early comes last. x tells the rules.]] },

    -- ------------------------------------------------------------------ deeper: have none of it

    { id = "one-shard", title = "Design: one tag", deeper = true, show = { "crc16:booking:{hotel7}:81" },
      enter = quiet,
      say = [=[
        A hotel's rooms and its bookings change together. `rooms:{hotel7}:may` and `booking:{hotel7}:81` have one tag.]=],
      predict = { id = "p9-one-shard", kind = "number", tolerance = 0,
        ask = "How many shards does a booking change?",
        answer = function(w) return w:slot("rooms:{hotel7}:may") == w:slot("booking:{hotel7}:81") and 1 or 2 end,
        wrong = { [2] = { belief = "two tables are two shards", why = "The tag is hashed, and it is the same." },
          [5] = { belief = "a transaction asks everybody", why = "Only those that hold its rows." } },
        why = "One tag, one slot, one shard.",
        hints = { "What is hashed?", "The tag: hotel7.", "It is in both." } },
      after = [=[
        One shard changes both in one step, if its store has transactions of its own. No coordinator, no votes. This is [[co-location]], the first answer to "across shards": choose the key so that it does not come up.]=] },

    { id = "other-side", title = "Its price", deeper = true, show = { "slot_map:booking:{hotel7}:81" },
      enter = quiet,
      say = [[
        Bookings are kept by hotel. A guest opens "my bookings": three hotels, and nobody knows before which.]],
      predict = { id = "p9-other-side", kind = "number", tolerance = 0,
        ask = "How many shards must be asked, if there is no other table?",
        answer = function(w) return w:shards() end,
        wrong = { [3] = { belief = "somebody knows where the three are", why = "That would be an index by guest. There is none." },
          [1] = { belief = "a guest's rows are together", why = "A hotel's are. A row lies in one place, by one key." } },
        why = "Rows lie by hotel. For a guest that is anywhere.",
        hints = { "By what are rows placed?", "By hotel.", "And which hotels are not known." } },
      after = [[
        Co-location helps one question. For the other there is a second table by guest, fed from the first one's changes: a derived index again.]] },

    { id = "by-hand", title = "A join by hand", deeper = true, show = { "table" },
      enter = quiet, table = join_table,
      say = [=[
        A page shows {N} comments with their authors' names. Comments are with the post; authors lie by user. No database joins rows of two shards for you here, so the app does it: a [[database join]] by hand. The authors lie on {shards_of_authors(w)} of the {w:shards()} shards; S4 has one slot only, and none of them.]=],
      predict = { id = "p9-by-hand", kind = "number", tolerance = 0,
        ask = "How many requests, if it asks each shard once for all names it has?",
        answer = function() return cells[2][2] end,
        wrong = function() return { [N_COMMENTS + 1] = { belief = "one row, one request", why = "So it is name by name. Those of one shard can be asked for together." },
          [2] = { belief = "a table is one place", why = "The authors are on several shards." },
          [cells[2][2] + 1] = { belief = "a scatter asks everybody", why = "Only those with an author. S4 has none." },
          [cells[2][2] - 1] = { belief = "one shard, one request", why = "That is for the names. The comments come before." } } end,
        why = "One for the comments, one for each shard that has names.",
        hints = { "What must be known before names can be asked for?", "The comments: one request.", "And then each shard that has one of the authors." } },
      with = { N = N_COMMENTS },
      after = [[
        Two rounds, and the second waits for its slowest shard. Name by name it would be {cells[1][2]} requests.]] },

    { id = "copied", title = "Or write it twice", deeper = true, show = { "table" },
      enter = quiet, table = copy_table,
      say = [=[
        Or each comment keeps its author's name, too: a copy of a column, called [[denormalisation]]. The page is one request again.

        nova has written {OWN} comments on {OWN} posts. She changes her name.]=],
      predict = { id = "p9-copied", kind = "number", tolerance = 0,
        ask = "How many writes, until no comment has the old name?",
        answer = function() return OWN + 1 end,
        wrong = { [1] = { belief = "a name is one row", why = "Now it is in each comment as well." },
          [OWN] = { belief = "only the copies", why = "And her own row." } },
        why = "Her row, and each copy.",
        hints = { "Where does her name stand?", "In her row, and in each comment.", "{OWN}, and one." } },
      with = { OWN = OWN },
      after = [[
        The page is read a million times for each change of a name, so it pays. The copies follow by a stream, a moment late. Copy what seldom changes: a name, not a balance.]] },

    { id = "report", title = "A report", deeper = true, show = { "table" },
      enter = function(w) asked(w) end, table = report_table,
      say = [[
        The admins want a report over all tenants: every row of every shard, {REPORT_MB} MB from each, once an hour. Each reader of that hour waits behind it.]],
      predict = { id = "p9-report", kind = "choice",
        ask = "Where should it run?",
        choices = {
          { "As a scatter over all shards", belief = "one more read is no matter", why = "It reads every row. Once an hour all readers would wait behind it.", holds = function() return false end },
          { "On the shards' replicas", belief = "a replica is for free", why = "They take over when a leader dies, and have its load then. And five parts still have to be put together.", holds = function() return false end },
          { "On a copy elsewhere, minutes behind", holds = function() return cells[1][2] > 0 and cells[2][2] == 0 end },
        },
        why = "Each shard streams its changes to one store made for such questions.",
        hints = { "How new must a report be?", "Minutes will do.", "Then it need not ask a shard at all." } },
      with = { REPORT_MB = REPORT_MB },
      after = [[
        A warehouse or a data lake, fed by the stream of changes that moved p9's slot in Part 8. That stream, and its first snapshot, read the shards too, but not when a report runs. Joins and sums over all rows are what such a store is built for.]] },
  },
}
