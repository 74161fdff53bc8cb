-- Part 8. Core path: what p9 costs by now, and who decides what a shard takes; why a slot is moved
-- while it is used, and cooled before; snapshot and tail, the compare, the fence, the commit, routers
-- that hear of it late, the copy that is deleted, as one worked example with p9's slot; a move that is
-- dropped; what is lost without a rule; then the same by the learner, with ever more steps open.
-- Deeper: each rule by itself, in a rehearsal and in every order of events; back, how fast, what else
-- may move; key by key with ASK; dual writes with a backfill; a live SQL database in six phases.

local broken = require("break_it")

local P9, SLOT = "likes:{p9}", 12067
local MB, RATE = 200, 3 -- of p9's slot; that may be copied a second
local LIKES, READS, POSTS = 2400, 9000, 16
local POPULAR = 500 -- likes a second of p13
P13, P5, P1, P4 = "likes:{p13}", "likes:{p5}", "likes:{p1}", "likes:{p4}"
local MOVE, LOG = "move:" .. SLOT, "log:" .. SLOT

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

function round(x)
  return math.floor(x + 0.5)
end

function hundreds(x) return 100 * round(x / 100) end

local SECONDS = round(MB / RATE)

function move(w) return w:move_of(SLOT) end

-- "20:11:10.470" without its hour.
function short(clock) return string.sub(clock, 4, 12) end

-- --- the cluster ---

-- What a step wants of the learner's world. Somebody may have typed it already, and then it is refused.
local function order(w, command)
  return (pcall(w.command, w, command))
end

local function till(w, at)
  if w:clock() < at then w:play_until(at) end
end

-- p9 as Parts 4 and 5 leave it: kept at the routers, and summed. Until then nobody asks anything, so
-- that time passes quickly.
local function evening(w, from, at)
  if w:count(P9).mode ~= "summed" then
    till(w, from)
    for n = 1, POSTS do
      w:flow("like", "likes:{p" .. n .. "}", 50)
      w:flow("read", "post:{p" .. n .. "}", 100)
    end
    w:flow("like", P9, LIKES)
    w:flow("read", "post:{p9}", READS)
    w:command("writes likes:{p9} summed")
    w:command("reads post:{p9} cached with likes:{p9}")
  end
  till(w, at)
end

local function cooled(w) evening(w, "20:09:50", "20:10:00") end

-- --- p9's move, as far as a step needs it ---

local RANK = { none = 0, aborted = 0, copying = 1, tailing = 2, fenced = 3, committed = 4, moved = 5, deleted = 6 }
local function before(w, phase, slot)
  return RANK[w:move_of(slot or SLOT).phase] < RANK[phase]
end

local function begun(w)
  cooled(w)
  if w:shards() < 5 then w:add_shard() end
  if before(w, "copying") then w:command("migrate " .. SLOT .. " S4 " .. MB .. "MB " .. RATE .. "MB") end
end

-- To the end of the copy. R5 sleeps from 20:11 on, and will not hear of the next map.
local function copied(w)
  till(w, "20:11:00")
  order(w, "deaf R5 on")
  w:play_until_phase(SLOT, "tailing")
end

-- Not before `from`, and so many milliseconds after a half second: routers write their totals twice a
-- second, R0 at 226 and R3 at 476.
local function next_at(w, from, ms)
  till(w, from)
  local now = tonumber(string.match(w:clock(), "%.(%d%d%d)"))
  if now % 500 ~= ms then w:play_for(((ms - now) % 500) / 1000) end
end

local function fenced(w)
  if before(w, "fenced") then w:command("fence " .. SLOT) end
end

-- Whoever comes by the placement check has not seen p9's move. It is done at once, by a faster copy.
local function p9_moved(w)
  if w:owner(SLOT) == "S4" then return end
  evening(w, "20:11:55", "20:12:00")
  if w:shards() < 5 then w:add_shard() end
  if before(w, "copying") then w:command("migrate " .. SLOT .. " S4 " .. MB .. "MB " .. MB .. "MB") end
  w:play_until_phase(SLOT, "tailing", 100)
  fenced(w)
  w:play_until_phase(SLOT, "moved")
end

-- --- the slots of other posts ---

local function busy(w, likes) w:flow("like", P13, likes) end

-- A post's slot is copied to another shard, and both sides agree.
local function ready(w, key, to)
  local slot = w:slot(key)
  if before(w, "tailing", slot) then
    order(w, "migrate " .. slot .. " " .. (to or "S4") .. " 5MB 5MB")
    w:play_until_phase(slot, "tailing")
    w:play_for(0.2)
  end
end

-- And then it has changed hands.
local function handed(w, key)
  local slot = w:slot(key)
  if before(w, "fenced", slot) then order(w, "fence " .. slot) end
  w:play_until_phase(slot, "moved")
end

function of(w, key) return w:move_of(w:slot(key)) end

-- Who came in the pause.
function met(w)
  for i = 0, w:routers() - 1 do
    if w["R" .. i].retries > 0 then return "R" .. i .. " came, was told retry, and waits." end
  end
  return "Who comes is told retry, and waits."
end

-- --- what the search says ---

local function holds_without(...)
  return check.search("fence-and-flip", { without = { ... } }).holds
end

-- Whether nothing is lost when nobody waits for the fence to be applied.
function drained() return holds_without("drain-to-fence") end

-- Whether something is lost when the old owner does not look into its row.
function needs_row() return not holds_without("slot-table-check") end

-- The shortest way to a loss without a rule, in steps.
function shortest(rule) return check.search("fence-and-flip", { without = { rule } }).depth end

-- --- deeper: slots of new posts, where nothing of the core is in the way ---

local P22, P26 = "post:{p22}", "post:{p26}"
local P37, LIKES37, P33, LIKES33 = "post:{p37}", "likes:{p37}", "post:{p33}", "likes:{p33}"
local P31, LIKES31, P35, LIKES35, ACCOUNT = "post:{p31}", "likes:{p31}", "post:{p35}", "likes:{p35}", "acct:{p39}"
local MEGA, MEBI = 1000000, 1024 * 1024
local PROTOCOL = "fence-and-flip"

-- A slot as it is typed: without a comma.
function typed(w, key) return tostring(w:slot(key)) end

-- --- the cluster ---

local function perform(w, ...)
  for _, text in ipairs { ... } do w:command(text) end
end

local function mended(w)
  for _, name in ipairs { PROTOCOL, "ask", "dual-write" } do
    for _, rule in ipairs(check.rules(name)) do w:set_rule(rule.name, true) end
  end
end

-- Whatever moves this slot comes to its end, or is dropped.
local function ended(w, slot)
  local shift, move = w:shift_of(slot), w:move_of(slot)
  if shift.kind == "ask" and shift.phase == "open" then
    w:play_for(3) -- a key in its hand-over
    perform(w, "shift " .. slot .. " " .. shift.target .. " 1000")
    w:play_until_phase(slot, "empty")
    perform(w, "shift " .. slot .. " finish")
    w:play_for(0.1)
  elseif shift.kind == "dual" then
    perform(w, shift.phase == "switched" and "switch " .. slot .. " done" or "dual " .. slot .. " stop")
  elseif move.phase ~= "none" and not move.ended and not order(w, "abort " .. slot) then
    w:play_for(0.1)
    order(w, "cleanup " .. slot)
  end
end

local TAGS = { "lido" }
for n = 1, 39 do TAGS[#TAGS + 1] = "p" .. n end
local NAMES = { "post", "likes", "hearts", "comments", "caption", "photo" }

-- A fifth shard; all rules hold; nobody asks, no slot is under way, and that of the key is `shard`'s.
local function settled(w, shard, key)
  if w:shards() < 5 then w:add_shard("c") end
  mended(w)
  for i = 0, 5 do w:deaf("R" .. i, false) end
  for _, tag in ipairs(TAGS) do
    for _, name in ipairs(NAMES) do
      for _, op in ipairs { "like", "read", "edit" } do pcall(w.flow, w, op, name .. ":{" .. tag .. "}", 0) end
    end
    ended(w, w:slot("{" .. tag .. "}"))
  end
  local slot = w:slot(key)
  if w:owner(key) ~= shard then w:move(slot, slot, shard) end
  perform(w, "budget 0")
  w:play_for(0.2)
end

local function edits(w, router, times, ...)
  for _, key in ipairs { ... } do
    for _ = 1, times do
      w:send("edit", key, router)
      w:play_answered()
    end
  end
end

-- --- a rehearsal ---

local RULES = { "fence", "fence-covers-reads", "drain-to-fence", "target-waits-for-commit", "snapshot-position",
  "compare-before-fence", "check-and-append", "durable-fence", "abort-before-commit", "slot-table-check" }
local CROWD = 500 -- likes and reads a second of the post in a rehearsal
local LAG = 0.02 -- of a replica, in seconds

local function crowded(w, key)
  key = key or LIKES31
  settled(w, "S2", key)
  w:flow("like", key, CROWD)
  w:flow("read", key, CROWD)
  w:deaf("R5", true)
  w:play_for(0.3)
end

local function bring(w, key)
  perform(w, "migrate " .. w:slot(key or P31) .. " S4 1MB 3MB")
  w:play_for(0.5)
end

local function stop(w, key)
  return order(w, "fence " .. w:slot(key or P31))
end

local function rehearse(w, without, key)
  key = key or LIKES31
  w:set_rule(without, false)
  bring(w, key)
  stop(w, key)
  w:play_for(0.5)
  w:flow("like", key, 0)
  w:flow("read", key, 0)
  w:play_for(0.5)
end

function rehearsed(w, without)
  local f = w:fork()
  ended(f, f:slot(LIKES31))
  rehearse(f, without)
  return f:lost(LIKES31)
end

local function rehearsals(w)
  local rows = {}
  for i, rule in ipairs(RULES) do
    rows[i] = { label = rule, run = function(f) rehearse(f, rule) end,
      cells = function(f) return { f:lost(LIKES31), f:owner(P31) } end }
  end
  return { title = "One rehearsal without each rule", columns = { "without", "lost", "owner" }, numbers = { 2 }, rows = rows }
end

function losing()
  local n = 0
  for i = 1, #RULES do if cells[i][2] > 0 then n = n + 1 end end
  return n
end

-- --- every order of events ---

function searched(...)
  return check.search(PROTOCOL, { without = { ... }, size = "small" })
end

-- Rules that are missed sooner in a larger world than in the small one that tells most.
local NEARER = { ["slot-table-check"] = true, ["ask-keeps-map"] = true, ["close-when-empty"] = true }

function larger(name, rule) return check.search(name, { without = { rule }, size = "large" }).depth end

-- Two cells: steps, with an asterisk where a larger world needs fewer; states.
local function found(name, rule)
  local r = check.search(name, { without = { rule }, size = "small" })
  local nearer = NEARER[rule] and larger(name, rule) < r.depth
  return { r.holds and "- " or r.depth .. (nearer and "*" or " "), r.states }
end

local function searches()
  local rows = {}
  for i, rule in ipairs(RULES) do
    rows[i] = { label = rule, cells = function() return found(PROTOCOL, rule) end }
  end
  return { title = "Shortest failure, small world", columns = { "without", "steps", "states" }, numbers = { 2, 3 }, rows = rows }
end

function spare()
  local n = 0
  for _, rule in ipairs(RULES) do if searched(rule).holds then n = n + 1 end end
  return n
end

function nearest()
  local least = math.huge
  for _, rule in ipairs(RULES) do
    local r = searched(rule)
    if not r.holds then least = math.min(least, r.depth) end
  end
  return least
end

function through() return searched("fence-covers-reads") end
function early() return searched("target-waits-for-commit") end

-- The number of the step whose words have this in them.
function step_with(r, words)
  for i, step in ipairs(r.steps) do
    if string.find(step.actor .. " " .. step.action, words, 1, true) then return i end
  end
  return 0
end


-- Positions of S2's log: where the copy was taken, and where S2 is; nothing but p31 is written.
function taken(w) return w:move_of(P31).snapshot end
function newest(w) return taken(w) + w:move_of(P31).entries end

-- --- a way back ---

local BACK_MB, BACK_RATE = 30, 3
local APPLY, COMMIT = 12, 1 -- ms: an entry on its way to the target; the directory

function there_and_back(f, words)
  local slot = f:slot(P33)
  perform(f, "migrate " .. slot .. " S4 " .. BACK_MB .. "MB " .. BACK_RATE .. "MB" .. words)
  f:play_until_phase(slot, "tailing")
  perform(f, "fence " .. slot)
  f:play_for(1)
  perform(f, "rollback " .. slot)
end

-- Milliseconds from there until S2 serves again; the fence as soon as it is allowed.
function again(f)
  local slot = f:slot(P33)
  f:play_until_phase(slot, "tailing")
  perform(f, "fence " .. slot)
  f:play_until_phase(slot, "moved")
  local back = f:move_of(slot)
  return round(back.copy_ms + back.pause_ms)
end

-- --- speed, and bytes ---

local COOL, HOT = 12, 2400 -- writes a second of p9 with sums and caches, and without

-- The copy of 200 MB under so many writes a second.
function tailed(w, rate, speed)
  local f = w:fork()
  f:flow("like", LIKES31, rate)
  f:play_for(1)
  perform(f, "migrate " .. f:slot(P31) .. " S4 200MB " .. speed)
  f:play_until_phase(f:slot(P31), "tailing")
  return f:move_of(P31)
end

local DISK = 100 -- MB a second

local SPEEDS = { 3, 10, 25, 50, 80 }

-- As the other texts say it: whole, and short ones to a tenth.
local function seconds(s) return s < 10 and decimals(s, 1) or decimals(s) end

-- What becomes of S2's requests in a second beside a copy of so many MB a second.
function beside(w, speed)
  local f = w:fork()
  perform(f, "migrate " .. f:slot(P31) .. " S4 200MB " .. speed .. "MB")
  f:play_for(1)
  return { refused = f.S2.writes_refused, ms = (f:latency("read", 99, P31)) }
end

local spared -- is asked for again and again, and stays as it is
local function fastest(w)
  if not spared then
    for _, speed in ipairs(SPEEDS) do
      if beside(w, speed).refused == 0 then spared = speed end
    end
  end
  return spared
end

local HOT_SLOT = { { "p9", 200 } } -- and megabytes
local COLD_SLOTS = { { "p1", 20 }, { "p5", 20 }, { "p13", 20 } }

function megabytes(list)
  local sum = 0
  for _, slot in ipairs(list) do sum = sum + slot[2] end
  return sum
end

function move_all(f, list)
  for _, slot in ipairs(list) do perform(f, "migrate " .. f:slot("{" .. slot[1] .. "}") .. " S4 " .. slot[2] .. "MB") end
  for _, slot in ipairs(list) do
    local number = f:slot("{" .. slot[1] .. "}")
    f:play_until_phase(number, "tailing", 120)
    perform(f, "fence " .. number)
  end
  f:play_for(1)
end

-- Seconds until the last of the copies was complete.
function took(f, list)
  local most = 0
  for _, slot in ipairs(list) do most = math.max(most, f:move_of("{" .. slot[1] .. "}").copy_ms) end
  return most / 1000
end

-- Two slots of a terabyte each within one budget.
function long_begin(w)
  for _, key in ipairs { P22, P26 } do perform(w, "migrate " .. w:slot(key) .. " S4 1000GB") end
end

function long_copy(w)
  local f = w:fork()
  for _ = 1, 12 do f:play_for(1800) end
  return math.max(f:move_of(P22).copy_ms, f:move_of(P26).copy_ms) / 1000
end

-- What the account's two copies have paid out of this.
local SPENT = 100
function paid(w)
  return 2 * SPENT - w:value(ACCOUNT, "S2") - w:value(ACCOUNT, "S4")
end

local ENGINES = {
  { "Redis, classic", "slot", "key by key" },
  { "Vitess", "key range", "copy, flip" },
  { "MongoDB", "range", "copy, flip" },
  { "CockroachDB", "range", "new member" },
  { "DynamoDB", "partition", "by itself" },
  { "Kafka", "partition", "new member" },
}
local function way_of(name)
  for _, e in ipairs(ENGINES) do if e[1] == name then return e[3] == "copy, flip" end end
end

-- --- key by key ---

local P17 = "post:{p17}"
local KEYS17 = { P17, "comments:{p17}", "caption:{p17}", "photo:{p17}" }

-- p17's slot at S2, with four keys.
local function slot_with_keys(w)
  settled(w, "S2", P17)
  if w:versions(P17).S2 == 0 then edits(w, "R0", 1, table.unpack(KEYS17)) end
end

function told(w) return w:count("likes:{p22}").told end

function spare_of(name)
  local n = 0
  for _, rule in ipairs(check.rules(name)) do
    if check.search(name, { without = { rule.name }, size = "small" }).holds then n = n + 1 end
  end
  return n
end

local function whole(f)
  perform(f, "migrate " .. f:slot(P17) .. " S4 1MB 3MB")
  f:play_for(1)
  perform(f, "fence " .. f:slot(P17))
  f:play_for(1)
end

local function piecewise(f)
  perform(f, "shift " .. f:slot(P17) .. " S4 4")
  f:play_for(1.5)
  perform(f, "shift " .. f:slot(P17) .. " finish")
  f:play_for(0.5)
end

function hops(f)
  local n = 0
  for i = 0, 5 do n = n + f["R" .. i].redirects end
  return n
end

-- --- dual writes ---

local P21, P25 = "post:{p21}", "post:{p25}"

-- p21's caption, four times edited; no store has two writes of it yet.
local function captions(w)
  settled(w, "S1", P21)
  if w:versions(P21).S1 == 0 then edits(w, "R0", 4, P21) end
  perform(w, "dual " .. w:slot(P21) .. " S4")
  w:play_for(0.1)
end

-- p25's caption: on both stores, and each edit goes to both at once.
local function alike(w)
  settled(w, "S1", P25)
  if w:versions(P25).S1 == 0 then edits(w, "R0", 4, P25) end
  perform(w, "dual " .. w:slot(P25) .. " S4")
  w:play_for(0.1)
  perform(w, "dual " .. w:slot(P25) .. " S4 backfill 100")
  w:play_until_phase(w:slot(P25), "filled")
  perform(w, "dual " .. w:slot(P25) .. " S4 parallel")
  w:play_for(0.1)
end

-- Every order of two pairs of steps, each pair in its own order ("race": in any).
local KINDS = { gone = "row gone", tombstone = "tombstone", backfill = "backfill, edit", ["source first"] = "edits, S1 first", race = "edits, at once" }
local STEPS = {
  backfill = { { "read" }, { "fill" }, { "S1", 5 }, { "S4", 5 } },
  ["source first"] = { { "S1", 5 }, { "S4", 5 }, { "S1", 6 }, { "S4", 6 } },
  race = { { "S1", 5 }, { "S4", 5 }, { "S1", 6 }, { "S4", 6 } },
  gone = { { "read" }, { "fill" }, { "S1" }, { "S4" } }, -- a delete leaves nothing,
  tombstone = { { "read" }, { "fill" }, { "S1", 5 }, { "S4", 5 } }, -- or a version
}

local function allowed(kind, sequence)
  local place = {}
  for i, step in ipairs(sequence) do place[step] = i end
  return kind == "race" or (place[1] < place[2] and place[3] < place[4])
end

local function ends(kind, sequence, newer)
  local held, carried = { S1 = 4, S4 = 0 }, 0
  local function store(where, version)
    if not newer or version > held[where] then held[where] = version end
  end
  for _, i in ipairs(sequence) do
    local step = STEPS[kind][i]
    if step[1] == "read" then carried = held.S1
    elseif step[1] == "fill" then store("S4", carried)
    elseif not step[2] then held[step[1]] = 0
    else store(step[1], step[2]) end
  end
  return held.S1 ~= held.S4
end

local function each_order(kind, visit)
  for a = 1, 4 do for b = 1, 4 do for c = 1, 4 do for d = 1, 4 do
    local distinct = a ~= b and a ~= c and a ~= d and b ~= c and b ~= d and c ~= d
    if distinct and allowed(kind, { a, b, c, d }) then visit({ a, b, c, d }) end
  end end end end
end

function orders(kind)
  local n = 0
  each_order(kind, function() n = n + 1 end)
  return n
end

function bad(kind, newer)
  local n = 0
  each_order(kind, function(sequence) if ends(kind, sequence, newer) then n = n + 1 end end)
  return n
end

-- Two edits, stamped by the clocks of their routers; a clock is `slow_s` behind.
local SLOW = 5
local CLOCKED = {
  { router = "R1", text = "at last", true_s = 10, slow_s = 0 },
  { router = "R2", text = "At last!", true_s = 12, slow_s = SLOW },
}
local function at(s) return string.format("20:30:%02d", s) end
local function stamp(e) return e.true_s - e.slow_s end
-- What a store keeps that sees them in this order.
local function kept(first)
  local a, b = CLOCKED[first], CLOCKED[3 - first]
  return stamp(b) > stamp(a) and b.text or a.text
end

-- --- six phases ---

local LOGICAL = 480
local ALBUMS = {}
for i = 1, 6 do ALBUMS[i] = "album" .. i .. ":{lido}" end
local ALBUM, ALBUM_SLOT = ALBUMS[1], 2493

-- How many logical shards a query asks, with its tenant or without.
function asks(tenant)
  return tenant and 1 or layout("slots", { shards = 1, slots = LOGICAL }):slots_of(0)
end

-- S0 is the old database, S5 the new one; the tenant's albums are on the old one.
local function albums(w)
  while w:shards() < 6 do w:add_shard("a") end
  settled(w, "S0", ALBUM)
  if w:versions(ALBUM).S0 == 0 then edits(w, "R0", 2, table.unpack(ALBUMS)) end
  w:flow("edit", ALBUMS[2], 10)
end

-- As after phase two, three and four, five: whatever the learner has done.
local function both(w)
  if w:shards() < 6 or w:owner(ALBUM) ~= "S0" or w:shift_of(ALBUM).phase == "switched" then albums(w) end
  if w:shift_of(ALBUM).phase == "none" then perform(w, "dual " .. w:slot(ALBUM) .. " S5") end
  w:play_for(0.1)
end

local function same(w)
  both(w)
  if not w:shift_of(ALBUM).filled then
    if not w:shift_of(ALBUM).working then perform(w, "dual " .. w:slot(ALBUM) .. " S5 backfill 20") end
    w:play_until_phase(w:slot(ALBUM), "filled")
  end
end

-- Edits are held back for a moment.
local function still(w)
  same(w)
  pcall(w.flow, w, "edit", ALBUMS[2], 0)
  w:play_for(0.1)
end

local function switched(w)
  if w:owner(ALBUM) == "S5" and w:shift_of(ALBUM).phase == "switched" then return end
  still(w)
  perform(w, "switch " .. w:slot(ALBUM) .. " reads")
  w:play_for(0.1)
end

local PHASES = {
  { "1 logical", "setting", function(f) end },
  { "2 both", "stop", function(f) both(f) end },
  { "3 backfill", "stop", function(f)
    both(f)
    perform(f, "dual " .. f:slot(ALBUM) .. " S5 backfill 20")
  end },
  { "4 compare", "stop", function(f) same(f) end },
  { "5 reads", "switch", function(f) switched(f) end },
  { "6 one", "all six", function(f)
    switched(f)
    perform(f, "switch " .. f:slot(ALBUM) .. " done")
  end },
}

-- Which shards an edit of the tenant's last album reaches.
local function written(f)
  local before, out = f:versions(ALBUMS[#ALBUMS]), {}
  edits(f, "R0", 1, ALBUMS[#ALBUMS])
  f:play_for(0.05)
  local after = f:versions(ALBUMS[#ALBUMS])
  local owner = f:owner(ALBUM) -- is asked first
  for _, shard in ipairs { owner, owner == "S0" and "S5" or "S0" } do
    if after[shard] > before[shard] then out[#out + 1] = shard end
  end
  return table.concat(out, " ")
end

local function phases(w)
  local rows = {}
  for i, phase in ipairs(PHASES) do
    rows[i] = { label = phase[1], run = function(f)
      albums(f)
      phase[3](f)
      f:play_for(0.05)
    end, cells = function(f) return { f:owner(ALBUM), written(f), phase[2] } end }
  end
  return { title = "Six phases", columns = { "phase", "reads", "writes", "back" }, rows = rows }
end

return lesson {
  id = "08_moving_data_live", part = 8, title = "Moving data live", minutes = 12,
  needs = { "05_taming_hot_writes", "06_growing_the_cluster" },
  world = "story-quiet",
  placement = { go = "no-fence" },

  steps = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-tail", title = "What has to follow?", check = true, show = { "slot_map" }, key = P9,
      say = [[
        A slot is copied while it is used. The copy is a snapshot of position 4,000 of its shard's log. When all bytes are over, the
        log's last entry is 4,120. Every entry is of this slot.]],
      predict = { id = "p8-check-tail", kind = "number", unit = "entries", tolerance = 0,
        ask = "How many entries does the target have to apply then?",
        answer = function() return 4120 - 4000 end,
        wrong = { [121] = { belief = "the snapshot's own entry, too", why = "Entry 4,000 is in the snapshot. The first that is missing is 4,001." },
          [0] = { belief = "a copy is complete when its bytes are", why = "It is as old as its snapshot." } },
        why = "4,001 to 4,120." } },

    { id = "check-pause", title = "How long?", check = true, show = { "slot_map" }, key = P9,
      say = [[
        A slot of 10 GB is copied in an hour. An entry of the log is applied 40 ms after it was written, and the directory
        needs 5 ms for its commit.]],
      predict = { id = "p8-check-pause", kind = "number", unit = "ms", tolerance = 0,
        ask = "How many ms long does nobody serve the slot?",
        answer = function() return 40 + 5 end,
        wrong = { [40] = { belief = "who has everything may serve", why = "It has everything, and owns nothing yet: the directory says so 5 ms later." },
          [3600000] = { belief = "a slot that is copied is closed", why = "While bytes flow its shard goes on serving." } },
        why = "The fence is applied after 40 ms, and then comes the commit." } },

    { id = "check-known", title = "When may it?", check = true, show = { "slot_map" }, key = P9,
      say = [[
        The old owner has written the fence into its log. The new one applies what is left.]],
      predict = { id = "p8-check-known", kind = "choice",
        ask = "When may the directory name the new owner?",
        choices = {
          { "As soon as the fence is written", belief = "the fence is the flip", why = "The last entries are still on their way.",
            holds = function() return check.search("fence-and-flip", { without = { "drain-to-fence" } }).holds end },
          { "When the fence itself is applied", holds = function() return not check.search("fence-and-flip", { without = { "drain-to-fence" } }).holds end },
          { "When each router knows", belief = "everybody must know first", why = "A router that asks the wrong shard is sent on. Nobody waits for the last of them.",
            holds = function() return false end },
        },
        why = "Nothing comes behind the fence: who has applied it has all." } },

    { id = "check-late", title = "A late router", check = true, show = { "maps" }, key = "likes:{p17}",
      enter = function(w)
        w:add_shard()
        w:deaf("R5", true)
        w:move(w:slot("{p17}"), w:slot("{p17}"), "S4") -- p17: nobody asks for it, so that R5 stays as it is
        w:play_for(0.1)
      end,
      say = [[
        S2 gave p17's slot to S4, and R5 has not heard of it. It sends S2 a like for p17.]],
      predict = { id = "p8-check-late", kind = "choice",
        ask = "What does S2 do?",
        choices = {
          { "Takes it, and sends it to S4", belief = "shards forward", why = "A shard serves, or says whom to ask. It passes nothing on.",
            holds = function() return last.outcome == "OK" and last.asks == 1 end },
          { "Says MOVED", holds = function() return last.asks == 2 and last.reloads == 1 end },
          { "Says retry", belief = "a slot on its way and one that is gone are alike", why = "Retry is for the pause. This slot is gone, and S2 knows where.",
            holds = function() return last.retries > 0 end },
        },
        why = "Its slot table says so, for ever." },
      run = function(w)
        w:send("like", "likes:{p17}", "R5")
        w:play_answered()
      end },

    -- ------------------------------------------------------------------ what it costs, and who decides

    { id = "twelve", title = "What p9 costs", show = { "bars" }, key = P9, enter = cooled,
      say = [[
        This part moves p9 to another shard, while fans go on. At 20:10 p9 gets {LIKES} likes and {READS} reads a second. Each of the {w:routers()} routers keeps the post for a second,
        sums its likes, and writes its total twice a second.]],
      with = { LIKES = LIKES, READS = READS },
      predict = { id = "p8-twelve", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes a second does p9 cost S2?",
        answer = function(w) return w:asked(P9).writes end,
        wrong = { [LIKES] = { belief = "a like is a write", why = "At the router it is. S2 hears of sums only." },
          [2] = { belief = "there is one sum", why = "Each router has its own." },
          [6] = { belief = "a router writes once a second", why = "Twice: every 500 ms." } },
        why = "{w:routers()} routers, twice a second.",
        hints = { "Who writes to S2?", "The routers: {w:routers()} of them.", "Each of them twice a second." } },
      after = [[
        S2 is at {S2.write_pct}%: p9 is tame. If a router fails at that, all posts on S2 suffer. So p9 gets a shard of its own, S4.]],
      notes = "Part 5 ends with the same wish, done by a command at one stroke. Ask what such a command has to hide." },

    { id = "how-many-slots", title = "How much of it?", show = { "bars" }, key = P9,
      say = [[
        In Part 6 a new shard took its fair share of the {SLOTS} slots, and you chose which. S4 joins for p9 alone.]],
      with = { SLOTS = 16384, SLOT = tostring(SLOT) },
      predict = { id = "p8-how-many-slots", kind = "number", tolerance = 0,
        ask = "How many slots does S4 need?",
        answer = function() return 1 end,
        wrong = { [3277] = { belief = "a new shard takes a fair share", why = "That is for load of many keys. Here one post is to be alone." },
          [2] = { belief = "each key has a slot of its own", why = "The post, its count and the routers' totals have one tag, and so one slot." } },
        why = "Post, count and totals have the tag p9, and so one slot.",
        hints = { "What is hashed of `likes:{=\"{p9}\"}`?", "The tag. All of p9 has the same.", "One tag, one slot." } },
      after = [=[
        In Part 6 that was one command. Really S2's [[slot table]], S4's and the directory are on three machines, and never change
        at one instant. So order is all.]=] },

    { id = "stand-still", title = "Stop, copy, go", show = { "bars" }, key = P9,
      say = [[
        Slot {SLOT} holds {MB} MB. S2's users need its disk, so a copy may take {RATE} MB a second.

        A first idea: S2 stops serving the slot, it is copied, S4 serves.]],
      with = { SLOT = tostring(SLOT), MB = MB, RATE = RATE, SECONDS = SECONDS, LIKES = LIKES },
      predict = { id = "p8-stand-still", kind = "number", unit = "s", tolerance = 1,
        ask = "How many seconds long does nobody serve p9?",
        answer = function() return round(MB / RATE) end,
        wrong = { [MB] = { belief = "a megabyte takes a second", why = "That is one megabyte a second. {RATE} go over." },
          [MB * RATE] = { belief = "more speed takes longer", why = "At {RATE} MB a second it is shorter than at one." } },
        why = "{MB} over {RATE}.",
        hints = { "How much goes over in a second?", "{RATE} of {MB} MB.", "{MB} / {RATE}." } },
      after = [=[
        {SECONDS} s, {LIKES * SECONDS} likes. So S2 serves the slot while it is copied: a [[live move]]. Its price: the copy
        grows old.]=] },

    { id = "cool-first", title = "Cool first", show = { "table" },
      table = function(w)
        local function cells(f)
          local writes = f:asked(P9).writes
          return { writes, writes * SECONDS, f.S2.write_pct .. "%" }
        end
        return { title = "p9's writes at S2", columns = { "p9", "a second", "in " .. SECONDS .. " s", "S2" }, numbers = { 2, 3, 4 }, rows = {
          { label = "hot (Part 3)", run = function(f)
            f:flow("like", P9, 0) -- what the routers hold is written in a calm moment
            f:command("writes " .. P9 .. " plain")
            f:play_for(1.2)
            f:flow("like", P9, LIKES)
            f:play_for(0.5)
          end, cells = cells },
          { label = "cooled", cells = cells },
        } }
      end,
      say = [=[
        Each write of S2 is an entry of its [[log]], at the next [[position]]. What is written while the slot's bytes flow is the
        [[log tail]]: S4 needs that as well.]=],
      with = { SECONDS = SECONDS },
      predict = { id = "p8-cool-first", kind = "number", unit = "entries", tolerance = 15,
        ask = "How many entries come for p9 in {SECONDS} s, as it is now?",
        answer = function() return cells[2][3] end,
        wrong = { [LIKES * SECONDS] = { belief = "each like has to follow", why = "S2's log has sums: twelve a second. A hot p9 would have an entry for each like." },
          [12] = { belief = "a second's writes", why = "That is one second. The bytes flow for {SECONDS}." } },
        why = "12 a second, {SECONDS} seconds.",
        hints = { "How many writes a second is it?", "12.", "12 x {SECONDS}." } },
      after = [[
        Hot it would be {cells[1][3]}, from a shard at {cells[1][4]}, with nothing left to copy by. Cool first, move second.]] },

    -- ------------------------------------------------------------------ the move of p9, step by step

    { id = "snapshot", title = "Snapshot", show = { MOVE, LOG }, key = P9,
      enter = function(w)
        begun(w)
        if move(w).copied == 0 then w:play_for(0.01) end
      end,
      say = [=[
        S4 joins, and the move begins with a [[snapshot]]: the slot as it stood at position {move(w).snapshot} of S2's log. Its bytes flow, and S2 goes
        on.]=],
      predict = { id = "p8-snapshot", kind = "number", tolerance = 0,
        ask = "What is the first position that S4 needs of the log?",
        answer = function(w) return move(w).snapshot + 1 end,
        wrong = function(w)
          local p = move(w).snapshot
          return { [p] = { belief = "twice is safer than never", why = "The snapshot holds that entry. Applied once more, a like that adds one would count twice." },
            [1] = { belief = "a copy needs the whole log", why = "All up to {move(w).snapshot} is in the snapshot already." } }
        end,
        why = "Nothing is missing, and nothing comes twice.",
        hints = { "Up to where does the snapshot hold everything?", "Up to {move(w).snapshot}, and that one too.", "The next one." } },
      run = function(w) till(w, "20:10:03") end,
      after = [[
        {move(w).copied // 1000000} of {MB} MB are over, and {move(w).entries} entries wait behind them.]],
      with = { MB = MB },
      notes = "A snapshot without its position is worthless: write p and p + 1 on the board and keep them there. From here to the end of p9's move the class watches one worked example." },

    { id = "who-takes", title = "Half a copy", show = { MOVE, LOG }, key = P9,
      enter = function(w)
        begun(w)
        till(w, "20:10:30")
      end,
      say = [[
        {decimals(move(w).copied * 100 / move(w).bytes)}% of the slot is on S4. A router writes its total of p9's likes.]],
      predict = { id = "p8-who-takes", kind = "choice",
        ask = "Which shard takes it?",
        choices = {
          { "Both, so that none lacks it", belief = "both copies must be written", why = "That is another way to move, with failures of its own. Here S2's log brings it to S4.",
            holds = function(w) return move(w).accepts == "S2, S4" end },
          { "S2", holds = function(w) return move(w).accepts == "S2" end },
          { "S4, if that part is there", belief = "a copy may serve what it has", why = "What it has is as old as the snapshot. S4 takes nothing yet.",
            holds = function(w) return move(w).accepts == "S4" end },
        },
        why = "S2 is the owner, as if nothing went on.",
        hints = { "What does S2's slot table say?", "Owned.", "The last line of the upper picture says who accepts." } },
      run = function(w) w:play_for(1) end,
      after = [[
        {move(w).entries} entries wait. After the last byte S4 applies them, in order.]] },

    { id = "invariant", title = "What must hold", show = { MOVE, LOG }, key = P9,
      enter = function(w)
        copied(w)
        till(w, "20:11:06.716")
      end,
      say = [=[
        The bytes are over. At every instant the [[invariant]] must hold: *at most one shard accepts the slot, and it holds every write that any shard accepted before.* See the picture's last
        line.]=],
      predict = { id = "p8-invariant", kind = "several",
        ask = "What would break it?",
        choices = {
          { "S2 and S4 both accept", why = "Then each has writes that the other lacks.", holds = function() return true end },
          { "Nobody accepts, for a moment", belief = "nobody is as bad as two", why = "Who asks is told to retry. That is late, and not lost.", holds = function() return false end },
          { "S4 alone accepts, and lacks a like", why = "A like that somebody was told OK for.", holds = function() return true end },
          { "R5's map is old", belief = "everybody must agree", why = "R5 asks the wrong shard, and that one accepts nothing.", holds = function() return false end },
        },
        why = "One at most, and with everything.",
        hints = { "Go word by word: at most one.", "Is nobody more than one?", "A map accepts nothing. Shards do." } },
      after = [[
        For a moment there may be nobody.]] },

    { id = "compare", title = "The same?", show = { MOVE, "copies:" .. SLOT }, key = P9,
      enter = function(w)
        copied(w)
        if before(w, "fenced") then next_at(w, "20:11:10.228", 228) end
      end,
      protocol = { name = "fence-and-flip", without = { "snapshot-position", "compare-before-fence" } },
      say = [[
        {SECONDS} s, then {move(w).caught_up} entries: now S4 is 12 ms behind. Before S2 gives up anything, both are compared. R0 just wrote its total: S2 holds {R0_AT(w, "S2")}, S4
        {R0_AT(w, "S4")}.]],
      with = { SECONDS = SECONDS, R0_AT = function(w, shard) return w:value("likes:{p9}:r0", shard) end },
      predict = { id = "p8-compare", kind = "choice",
        ask = "What does that mean for the copy?",
        choices = {
          { "It is wrong: copy again", belief = "copies agree at every instant", why = "S4 is 12 ms behind, always. The next copy would be as well.",
            holds = function(w) return move(w).differing > 0 end },
          { "Nothing: compare at one position", holds = function(w) return move(w).alike and move(w).differing == 0 end },
          { "Wait until they agree", belief = "there is a quiet instant", why = "With a thousand writes a second there is none, and it would say nothing about the next one.",
            holds = function() return false end },
        },
        why = "S4 as of an entry, and S2 as of that same entry.",
        hints = { "How old is S4's copy?", "12 ms. R0's total is on its way.", "What did S2 hold at the entry that S4 applied last?" } },
      run = function(w) till(w, "20:11:10.400") end,
      after = [[
        Compared at one position, {move(w).differing} keys differ. If the copy lacked a like, it would show now, while S2 can still serve.]] },

    { id = "fence", title = "The fence", show = { MOVE, LOG }, key = P9,
      enter = function(w)
        copied(w)
        if before(w, "fenced") then next_at(w, "20:11:10.470", 470) end
      end,
      say = [=[
        {short(w:clock())}. S2 writes one more entry, the [[fence]]: *slot {SLOT} migrating, epoch {w:epoch(SLOT) + 1} comes.* Like any write it
        survives a crash. From now on S2 answers for this slot: retry.]=],
      with = { SLOT = tostring(SLOT) },
      predict = { id = "p8-fence", kind = "choice", confidence = true,
        ask = "A flush comes 6 ms later. Who takes it?",
        choices = {
          { "S2, until S4 is ready", belief = "somebody must always serve", why = "Then S2 would have an entry behind the fence, and S4 would never get it.",
            holds = function(w) return move(w).accepts == "S2" end },
          { "S4", belief = "the fence hands over", why = "S4 has not applied the last entries. It would accept with likes missing.",
            holds = function(w) return move(w).accepts == "S4" end },
          { "Nobody", holds = function(w) return move(w).accepts == "nobody" end },
        },
        why = "At most one, and for now none.",
        hints = { "What has S2 just promised?", "And does S4 hold every write?", "Read the invariant once more." } },
      run = function(w)
        fenced(w)
        w:play_for(0.008)
      end,
      after = [=[
        {met(w)} This is the [[pause]]: late is allowed, lost is not.]=] },

    { id = "how-known", title = "How does S4 know?", show = { MOVE, LOG }, key = P9,
      enter = fenced,
      protocol = { name = "fence-and-flip", without = { "drain-to-fence" } },
      say = [[
        S4 applies entry after entry, the fence last. On a bad day each takes a second.]],
      predict = { id = "p8-how-known", kind = "choice",
        ask = "When does S4 have everything then?",
        choices = {
          { "After 12 ms, as always", belief = "time tells", why = "So long it usually takes. That day likes would be gone.",
            holds = function() return drained() end },
          { "When its counts equal S2's", belief = "compare once more", why = "Now that would do. But nobody is served meanwhile, and to read {MB} MB takes a minute.",
            holds = function() return drained() end },
          { "After a second, with the fence", holds = function() return not drained() end },
        },
        why = "Nothing comes behind the fence. Who has it has all.",
        hints = { "The log is in order.", "What is its last entry for this slot?", "The fence." } },
      with = { MB = MB },
      run = function(w)
        if before(w, "committed") then w:play_until_phase(SLOT, "drained") end
      end,
      after = [[
        S4 has applied the fence, and S2 accepts nothing. It is safe to hand over.]] },

    { id = "flip", title = "The flip", show = { MOVE, "tables:" .. SLOT }, key = P9, enter = fenced,
      say = [=[
        Now the directory makes map v{w:map_version() + 1}: slot {SLOT} is S4's, in epoch {w:epoch(SLOT) + 1}. One write, whole or not at all: the [[commit]]. It
        takes 1 ms. Then S4's table says *owned*.]=],
      with = { SLOT = tostring(SLOT) },
      predict = { id = "p8-flip", kind = "number", unit = "ms", tolerance = 0,
        ask = "How many ms long did nobody accept the slot?",
        answer = function(w) return round(move(w).pause_ms) end,
        wrong = { [12] = { belief = "who has everything may serve", why = "At 12 ms S4 had everything. It was the owner 1 ms later." },
          [1] = { belief = "the pause is the commit", why = "S2 stopped at the fence, 12 ms before." },
          [SECONDS * 1000] = { belief = "the copy is the pause", why = "While the bytes flowed S2 served." } },
        why = "12 ms until S4 had applied the fence, and 1 ms for the commit.",
        hints = { "When did S2 stop?", "At the fence. S4 applied it 12 ms later.", "And 1 ms for the commit." } },
      run = function(w)
        w:play_until_phase(SLOT, "moved")
        w:play_for(0.015)
      end,
      after = [[
        That one write is the move: before it all can be dropped, after it not. S2's table says *moved to S4*.]] },

    { id = "late-router", title = "R5 has not heard", show = { "trace:" .. P9 .. ":r5", MOVE }, key = P9, router = "R5",
      enter = function(w)
        if before(w, "moved") then
          fenced(w)
          w:play_until_phase(SLOT, "moved")
        end
      end,
      say = [=[
        Routers hear of v{w:map_version()} when the directory *pushes* it, when they *poll*, or when a shard says [[MOVED]]. The push to R5 got
        lost. Its next flush goes by the old map.]=],
      predict = { id = "p8-late-router", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards does R5 ask until its total is written?",
        answer = function(w) return w.R5.redirects + 1 end,
        wrong = { [1] = { belief = "shards forward", why = "S2 does not pass it on. It says MOVED, and R5 has to go to S4 itself." },
          [6] = { belief = "a lost router asks everybody", why = "S2's table says where the slot went. One look is enough." } },
        why = "S2, which knows better, and then S4.",
        hints = { "Where does R5's map send it?", "To S2. What does S2's slot table say?", "Moved to S4." } },
      run = function(w)
        till(w, "20:11:10.645")
        if w.R5.redirects == 0 then w:play_for(0.5) end
      end,
      after = [[
        S2 said MOVED, the directory gave v{R5.version}, S4 said OK. R5 asks S4 from now on.]] },

    { id = "delete", title = "The old copy", show = { MOVE, "tables:" .. SLOT }, key = P9, enter = p9_moved,
      protocol = { name = "fence-and-flip", without = { "slot-table-check" } },
      say = [[
        S2 still has {MB} MB that nobody asks for, and its row: moved. Say that both are deleted. A router slept all evening, its map still v{w:map_version() - 1}.]],
      with = { MB = MB, SECONDS = SECONDS },
      predict = { id = "p8-delete", kind = "choice",
        ask = "It sends S2 its total:",
        choices = {
          { "S2 says MOVED", belief = "every shard knows the map", why = "Maps are at the routers and in the directory. S2 knew of S4 from that row alone.",
            holds = function() return not needs_row() end },
          { "S2 takes it, and S4 lacks it", holds = function() return needs_row() end },
          { "S2 sends it on", belief = "shards forward", why = "A shard serves, or says whom to ask. It passes nothing on.",
            holds = function() return false end },
        },
        why = "S2 makes the key anew, with one total.",
        hints = { "How does S2 know that the slot is not its own?", "From its row alone.", "Without it S2 takes what comes." } },
      run = function(w)
        order(w, "deaf R5 off")
        order(w, "cleanup " .. SLOT)
        w:play_for(0.1)
      end,
      after = [[
        So the row stays. The move is over: {SECONDS} s of copying, {round(move(w).pause_ms)} ms of pause, {move(w).lost} likes lost.]] },

    -- ------------------------------------------------------------------ dropped, and broken

    { id = "abort", title = "Drop it", show = { "move:" .. 10396, "log:" .. 10396 }, key = P13, router = "R0",
      enter = function(w)
        p9_moved(w)
        ready(w, P13)
        w:play_for(0.1)
        order(w, "fence " .. w:slot(P13))
        w:play_for(0.006)
      end,
      say = [=[
        S2 is to be repaired, so its other posts go, too. p13's slot was copied, compared, and fenced 6 ms ago. Then S4's
        disk complains, and the operator drops the move: [[abort]].]=],
      with = { SLOT = 10396 },
      predict = { id = "p8-abort", kind = "choice",
        ask = "What is lost?",
        choices = {
          { "What was written during the copy", belief = "it went to S4", why = "S2 accepted all of it and still has it. S4 only got it, too.",
            holds = function(w) return of(w, P13).lost > 0 end },
          { "Nothing", holds = function(w) return of(w, P13).lost == 0 and of(w, P13).accepts == "S2" and w:clients().given_up == 0 end },
          { "Likes of these 6 ms", belief = "the pause loses what comes", why = "Who came was told retry, and S2 takes it back: nobody else was told that it owns the slot. Late, not lost.",
            holds = function(w) return w:clients().given_up > 0 end },
        },
        why = "Before the commit S2 has every write that anybody accepted.",
        hints = { "Who accepted each write up to now?", "S2 alone.", "S4's copy is dropped, and S2's table says owned again." } },
      run = function(w)
        order(w, "abort " .. w:slot(P13))
        w:play_for(0.05)
      end,
      after = [[
        After the commit S4 accepts writes that S2 lacks. Then there is one way back: the same move, from S4 to S2.]] },

    { id = "no-fence", title = "Break it: no fence", show = { "table", "move:" .. 10396 }, key = P13,
      enter = function(w)
        p9_moved(w)
        ready(w, P13)
        w:play_for(0.1)
      end,
      protocol = { name = "fence-and-flip", without = { "fence" } },
      table = function(w)
        local slot = w:slot(P13)
        return { title = "p13's slot, S2 to S4", columns = { "the fence", "pause", "likes lost" }, numbers = { 2, 3 },
          rows = broken.rows("fence", function(f)
            busy(f, POPULAR)
            f:play_for(0.5)
            f:command("fence " .. slot)
            f:play_for(0.1)
          end, function(f) return { round(f:move_of(slot).pause_ms) .. " ms", f:move_of(slot).lost } end) }
      end,
      say = [[
        p13 is copied once more, and S4 is 12 ms behind. Then it gets {POPULAR} likes a second, each a write. "Why a pause?" So without a
        fence the directory commits at once.]],
      with = { POPULAR = POPULAR },
      predict = { id = "p8-no-fence", kind = "number", unit = "likes", tolerance = 1,
        ask = "About how many likes that fans were told OK for are lost?",
        answer = function() return cells[2][3] end,
        wrong = { [0] = { belief = "the tail comes in later", why = "Once S4 takes writes of its own, old entries would overwrite them. Nobody applies them any more." },
          [POPULAR] = { belief = "a second's likes", why = "S4 is 12 ms behind, and not a second." },
          [3] = { belief = "half of them have come", why = "Each like is on its way for all of the 12 ms. So 12 ms of them lack." },
          [1] = { belief = "one like at most", why = "All that is on its way: 12 ms of {POPULAR} a second." } },
        why = "What is on its way at the commit: 12 ms of {POPULAR} a second.",
        hints = { "What does S4 lack when the directory commits?", "The likes of the last 12 ms.", "{POPULAR} a second, 12 ms." } },
      after = [[
        Lost, and no error anywhere. Open both rows (tab, enter).]] },

    { id = "shortest", title = "The shortest way", show = { "move:" .. 10396, "log:" .. 10396 }, key = P13,
      protocol = { name = "fence-and-flip", without = { "fence" } },
      say = [[
        x opens Break it: a search of all *states* (who holds what, what is on its way) for the shortest way to a wrong read. A slot goes from A to B without a fence.
        space walks its {shortest("fence")} steps, escape leads back.]],
      predict = { id = "p8-shortest", kind = "number", tolerance = 0,
        ask = "Which step accepts what is missing in the end?",
        answer = function() return step_with(check.search("fence-and-flip", { without = { "fence" } }), "accepts") end,
        wrong = function()
          local found = check.search("fence-and-flip", { without = { "fence" } })
          return { [found.depth] = { belief = "who notices is to blame", why = "There somebody notices. B answers as its table says, and has nothing else." },
            [found.refused] = { belief = "the commit loses it", why = "It comes too early, but accepts nothing. A had told a client OK before." },
            [step_with(found, "copies")] = { belief = "an old copy is the fault", why = "Every copy is a little old. The log tail would bring the rest." } }
        end,
        why = "A's client was told OK, and B never got that entry.",
        hints = { "Walk to the last step: what does the answer lack?", "It lacks w1. Who accepted that?", "A, early on." } },
      after = [[
        Step {check.search("fence-and-flip", { without = { "fence" } }).refused} (!) is the commit: with a fence it waits for that entry.]] },

    { id = "no-look", title = "Break it: S2 forgets", show = { "move:" .. 10396, "tables:" .. 10396 }, key = P13, router = "R5",
      enter = function(w)
        p9_moved(w)
        busy(w, POPULAR)
        ready(w, P13)
        order(w, "deaf R5 on")
        order(w, "fence " .. w:slot(P13))
        w:play_until_phase(w:slot(P13), "moved")
        w:play_for(0.001) -- the others have heard
        w:set_rule("slot-table-check", false)
      end,
      protocol = { name = "fence-and-flip", without = { "slot-table-check" } },
      say = [[
        With its fence p13 moved well, and the push to R5 got lost again. But now S2 does not look into its table. p13
        has {POPULAR} likes a second, a sixth through R5.]],
      with = { POPULAR = POPULAR },
      predict = { id = "p8-no-look", kind = "number", unit = "likes", tolerance = 8,
        ask = "About how many likes are lost in one second?",
        answer = function(w) return of(w, P13).lost end,
        wrong = { [0] = { belief = "the fence was enough", why = "The fence was for the time before the commit. R5 comes after it." },
          [1] = { belief = "R5 learns from the first", why = "It learns from MOVED, and nobody says that any more." },
          [POPULAR] = { belief = "all likes go to S2", why = "Five of six routers heard of the move." } },
        why = "All that R5 sends, each told OK. A sixth is about {POPULAR // 6}.",
        hints = { "Where does R5 send its likes?", "To S2, which takes them.", "A sixth of {POPULAR}." } },
      run = function(w) w:play_for(1) end,
      after = [[
        {of(w, P13).lost}, and it goes on: two shards accept. Elsewhere it is a room sold twice, or money spent
        twice.]],
      notes = "Both rules are needed: the fence guards the time before the commit, the old owner's row the time after it." },

    -- ------------------------------------------------------------------ by yourself

    { id = "last-open", title = "The last step", show = { "move:" .. 11951, "log:" .. 11951 }, key = P5,
      enter = function(w)
        p9_moved(w)
        w:set_rule("slot-table-check", true)
        order(w, "deaf R5 off")
        order(w, "reload R5")
        busy(w, 50)
        ready(w, P5)
        handed(w, P5)
        w:play_for(0.1)
      end,
      say = [[
        A move is three commands, here for p5's slot:

          migrate {SLOT} S4 5MB 5MB
          fence {SLOT}
          cleanup {SLOT}

        5 MB, at 5 MB a second. Two are done.]],
      with = { SLOT = "11951" },
      try = { ask = "Press : and type what is left.",
        goal = function(w) return of(w, P5).phase == "deleted" end,
        solution = { "cleanup 11951" },
        hints = { "Look at the upper picture: what has not been done?", "S2's copy is still there.", "`cleanup {=SLOT}`" } } },

    { id = "two-open", title = "Two steps", show = { "move:" .. 11819, "log:" .. 11819 }, key = P1,
      enter = function(w)
        p9_moved(w)
        ready(w, P1)
      end,
      say = [[
        p1, slot {SLOT}: copied and compared, and S2 serves. Two commands are left; in between time must pass: p lets it run. What comes too early is refused.]],
      with = { SLOT = "11819" },
      try = { ask = "Bring p1's slot to S4, to the end.", builds = true,
        goal = function(w) return of(w, P1).phase == "deleted" end,
        solution = { "fence 11819", "request read post:{p1} via R0", "request read post:{p1} via R0", "cleanup 11819" },
        hints = { "First S2 has to stop.", "`fence {=SLOT}`; the commit comes by itself, 13 ms later.", "Then `cleanup {=SLOT}`." } } },

    { id = "alone", title = "Alone", show = { "move:16014", "log:16014" }, key = P4,
      enter = function(w)
        p9_moved(w)
      end,
      say = [[
        S2 is back, and empty. p4 lies on {w:owner(P4)}, in slot {SLOT(w)}: 64 KB; 5 MB a second may be copied. All commands are yours; `migrate` wants slot, target, size, speed.]],
      with = { P4 = P4, SLOT = function(w) return tostring(w:slot(P4)) end },
      try = { ask = "Bring p4's slot to S2, to the end. No like may be lost.", builds = true,
        goal = function(w) return of(w, P4).phase == "deleted" and of(w, P4).target == "S2" and of(w, P4).lost == 0 end,
        solution = { "migrate 16014 S2 64KB 5MB", "request read post:{p4} via R0", "request read post:{p4} via R0", "fence 16014", "request read post:{p4} via R0", "request read post:{p4} via R0", "cleanup 16014" },
        hints = { "Three commands: to copy, to stop, to delete. u takes one back.", "`migrate {=SLOT(w)} S2 64KB 5MB`, and 13 ms pass.", "`fence {=SLOT(w)}`, and after 13 ms `cleanup {=SLOT(w)}`." } } },

    { id = "tell", title = "Tell a colleague", show = { "move:16014" }, key = P4,
      say = [[
        "13 ms without p9? Just switch!"]],
      predict = { id = "p8-tell", kind = "explain",
        ask = "Why must there be a pause?",
        model = "S2 stops first: a fence in its log. S4 applies it, so it lacks nothing. Then one write makes it the owner. Else likes are lost.",
        rubric = { "S2 stops first", "S4 applies the fence", "one write decides", "late, not lost" },
        hints = { "What is on its way when S2 stops?", "How does S4 know that it has all?", "What may never be true at one instant?" } },
      after = [[
        From here on it goes deeper.]] },

    -- ------------------------------------------------------------------ every rule by itself

    { id = "rehearsal", title = "A rehearsal", deeper = true, show = { "table", "move:11964" }, key = LIKES31,
      enter = crowded, table = rehearsals,
      say = [[
        The move rests on ten rules (w tells each). Would you notice one missing? Rehearse it, without one at a time: p31's slot goes to S4 under {CROWD} likes and reads a second. R5 gets no map.]],
      with = { CROWD = CROWD },
      predict = { id = "p8-rehearsal", kind = "several",
        ask = "Without which of these are likes lost?",
        choices = {
          { "fence", why = "Without a fence S2 takes likes that S4 never sees.", holds = function() return cells[1][2] > 0 end },
          { "durable-fence", belief = "what matters is missed at once",
            why = "It is missed when S2 restarts while the fence is up. Here nothing restarted.",
            holds = function() return cells[8][2] > 0 end },
          { "slot-table-check", why = "R5 goes on sending likes to S2, and S2 takes them.", holds = function() return cells[10][2] > 0 end },
          { "fence-covers-reads", belief = "what matters is missed at once",
            why = "A read loses no like. What it may do is to answer with less than was said.",
            holds = function() return cells[2][2] > 0 end },
        },
        why = "Lost is what S2 took and S4 never got.",
        hints = { "Who takes a like that S4 does not get?", "Reads lose nothing, and nothing restarts.", "The fence, and the look into the slot table." } },
      after = [[
        {losing()} of ten lost likes. Without snapshot-position another rule stopped the move: the slot is still S2's (open the row). Nobody missed the others, this time. A
        rehearsal is one order of events among thousands.]],
      notes = "Ask how many would have signed off the move after one green rehearsal." },

    { id = "every-order", title = "Every order", deeper = true, show = { "table" }, table = searches,
      protocol = { name = PROTOCOL },
      say = [=[
        So let a program try *every* order: two shards, two routers, a few requests, a crash. It goes by length and stops at the first order in
        which somebody loses or reads too little. What it meets it calls *states*: who holds what, and what is on its way.]=],
      predict = { id = "p8-spare", kind = "number",
        ask = "How many of the ten can be left out alone, in any order of events?",
        answer = function() return spare() end,
        wrong = { [0] = { belief = "every rule stands alone", why = "Two of them watch the same door. Leave one out, and the other still does its work." },
          [6] = { belief = "what a rehearsal does not show is not needed", why = "So many did no harm in one order. Most of them do in another." } },
        why = "Two of them cover for each other.",
        hints = { "Fewer than the rehearsal made you think.", "The one whose rehearsal was stopped is one of them.", "And the one that stopped it." } },
      after = [[
        The nearest failure is {nearest()} steps away. (* Here S2 forgets what it gave away. A target that does not look fails in {larger("fence-and-flip", "slot-table-check")}, if a map comes too early.) Press x: there space switches a rule off, and r leads to the steps.]] },
    { id = "lagging-copy", title = "A copy from a follower", deeper = true, show = { "tables:11964" }, key = LIKES31,
      enter = function(w)
        crowded(w)
        perform(w, "migrate " .. w:slot(P31) .. " S4 1MB 3MB")
        w:play_for(LAG)
      end,
      say = [=[
        The copy may be read from a [[replica]] of S2: its disk has less to do. It is {LAG_MS} ms behind.

        S2's log is at position {newest(w)}. The replica has applied it through {taken(w)}. What it holds is the copy.]=],
      with = { LAG_MS = round(LAG * 1000) },
      predict = { id = "p8-lagging", kind = "number", tolerance = 0,
        ask = "Somebody stamps it with S2's position. How many entries are then neither in the copy nor in the tail?",
        answer = function(w) return newest(w) - taken(w) end,
        wrong = { [0] = { belief = "the tail brings everything", why = "The tail begins behind the stamp. What the replica had not yet applied lies before it." },
          [CROWD] = { belief = "a second is missing", why = "So many come in a second. The replica is {LAG_MS} ms behind." } },
        why = "What lies between the two positions.",
        hints = { "What does the copy hold?", "All through {taken(w)}.", "And the tail begins behind {newest(w)}." } },
      after = [[
        So a copy is stamped with the position at which it was really taken, wherever it was read (rule snapshot-position). It may be old. It must not claim to
        be new.]] },

    { id = "two-mistakes", title = "Two mistakes", deeper = true, show = { "move:11964" }, key = LIKES31,
      enter = function(w)
        crowded(w)
        w:set_rule("snapshot-position", false)
        perform(w, "migrate " .. w:slot(P31) .. " S4 1MB 3MB")
        w:play_for(0.1)
      end, protocol = { name = PROTOCOL, without = { "snapshot-position", "compare-before-fence" } },
      say = [[
        Say that this has happened: the copy is the replica's, its stamp is S2's. All else is done as it should be: tail, compare,
        fence.]],
      predict = { id = "p8-two-mistakes", kind = "choice", confidence = true,
        ask = "What becomes of the move?",
        choices = {
          { "S4 gets the slot, without some likes", belief = "a wrong copy is a lost write",
            why = "The compare looks at both sides at one position. What S4 lacks there cannot still be on its way.",
            holds = function(w) return w:owner(P31) == "S4" end },
          { "The tail brings what is missing", belief = "the tail brings everything",
            why = "The tail begins behind the stamp. What lies between is in neither.",
            holds = function(w) return w:owner(P31) == "S2" and w:move_of(P31).alike end },
          { "It may not fence; it can only be dropped", holds = function(w) return w:owner(P31) == "S2" and not w:move_of(P31).alike end },
        },
        why = "The compare before the fence finds what the copy lacks.",
        hints = { "What is done before the fence?", "The two sides are compared.", "They differ, and so there is no fence." } },
      run = function(w)
        w:play_for(0.5)
        stop(w)
        w:play_for(0.3)
      end,
      after = [[
        Without the compare alone nothing happens either: the copy is right, and so in all {searched("compare-before-fence").states} states. It takes
        both mistakes. Then {searched("snapshot-position", "compare-before-fence").depth} steps do (x). A check is for the day when something else fails.]] },

    { id = "reads-through", title = "Only writes?", deeper = true, show = { "tables:11964" }, key = LIKES31,
      protocol = { name = PROTOCOL, without = { "fence-covers-reads" } },
      enter = function(w)
        crowded(w)
        bring(w)
        stop(w)
        w:play_for(0.005)
      end,
      say = [[
        The pause turns reads away too. "Why? A read changes nothing. Let S2 answer them until it hears of the commit; nothing is written
        meanwhile."]],
      predict = { id = "p8-reads-through", kind = "choice", confidence = true,
        ask = "When can such a read be wrong?",
        choices = {
          { "From the fence on", belief = "the target serves during the fence",
            why = "Until the commit nobody takes a write, so S2's copy is the newest there is.",
            holds = function() return step_with(through(), "commits") == 0 and not through().holds end },
          { "Only between the commit and S2's hearing of it", holds = function()
            local r = through()
            return not r.holds and step_with(r, "commits") > 0 and step_with(r, "moved") == 0
          end },
          { "Never", belief = "a frozen copy is a true copy",
            why = "It is true until somebody else takes a write. From the commit on that is S4.",
            holds = function() return through().holds end },
        },
        why = "From the commit on S4 takes writes, and S2 does not know.",
        hints = { "Who may take a write during the pause?", "Nobody. And after the commit?", "S4. S2 hears of it a message later." } },
      run = function(w) w:play_until_phase(w:slot(P31), "committed") end,
      after = [[
        Now S4 serves, and S2 has not heard. A read goes wrong in {through().depth} steps (x): the commit is step {step_with(through(), "commits")}, then the new owner takes a like, and in the last the old one answers
        without it. S2 cannot see the commit, so it has to stop before.]] },

    { id = "too-early", title = "A map from tomorrow", deeper = true, show = { "tables:11964" }, key = LIKES31,
      enter = function(w)
        crowded(w)
        bring(w)
        w:set_rule("target-waits-for-commit", false)
      end,
      protocol = { name = PROTOCOL, without = { "target-waits-for-commit" } },
      say = [[
        The target serves only after the commit. Leave that out: S4 serves whoever comes, from its first copy on. Its copy is behind by the
        tail.]],
      predict = { id = "p8-too-early", kind = "choice",
        ask = "Who gets hurt by it?",
        choices = {
          { "Everybody who reads p31", belief = "who may answer is asked",
            why = "Routers go by their maps. These say S2 until the commit, and so nobody comes to S4.",
            holds = function() return not early().holds and step_with(early(), "planned owner") == 0 end },
          { "Nobody: the fence is there", belief = "the fence guards the target",
            why = "The fence stops S2. S4 may answer long before there is one.",
            holds = function() return early().holds end },
          { "Whoever asks a router that heard of S4 too early", holds = function() return step_with(early(), "planned owner") > 0 end },
        },
        why = "It takes a map that names S4 before the commit.",
        hints = { "Who sends a request to S4?", "A router, by its map.", "When does a map say S4?" } },
      after = [[
        With such a map {early().depth} steps do, the fewest of all (x). In the rehearsal no router had one: {rehearsed(w, "target-waits-for-commit")} likes lost. But maps are
        pushed by hand, restored from yesterday, typed. S4 does not rely on them.]] },

    { id = "look-then-write", title = "Looked, then wrote", deeper = true, show = { "log:11832", "move:11832" }, key = LIKES35,
      protocol = { name = PROTOCOL, without = { "check-and-append" } },
      enter = function(w) crowded(w, LIKES35) end,
      say = [[
        A like for p35 arrives at S2, which looks into its slot table: owned. It takes {QUERY} ms until the like is in the log. In between the fence
        goes up.]],
      with = { QUERY = 5 },
      predict = { id = "p8-look-then-write", kind = "choice",
        ask = "Nobody looks again. What becomes of it?",
        choices = {
          { "It is told OK, and S4 never gets it", holds = function(w) return w:lost(LIKES35) > 0 end },
          { "It goes along with the tail", belief = "the tail brings everything",
            why = "The fence is the last entry that S4 waits for. This one stands behind it.",
            holds = function(w) return w:lost(LIKES35) == 0 and w:owner(P35) == "S4" end },
          { "S2 refuses it", belief = "the fence sees everything",
            why = "The fence is a row in the slot table. Who has looked already does not see it.",
            holds = function(w) return w:owner(P35) == "S2" end },
        },
        why = "It lies behind the fence, in a log that nobody reads any more.",
        hints = { "Where does it stand in the log?", "Behind the fence.", "And S4 stops at the fence." } },
      run = function(w) rehearse(w, "check-and-append", LIKES35) end,
      after = [[
        {w:lost("likes:{p35}")} likes. Look and append are one step: under one lock, or as one entry. Nor may the fence be in memory alone: a restart in the
        pause forgets it, and S2 serves on (rule durable-fence).]] },

    -- ------------------------------------------------------------------ off, back, how fast, what else

    { id = "the-way-back", title = "After the flip", deeper = true, show = { "move:3706" }, key = P37, router = "R0",
      enter = function(w)
        settled(w, "S2", P37)
        w:flow("like", LIKES37, 50)
        perform(w, "migrate " .. w:slot(P37) .. " S4 1MB 1GB")
        w:play_for(0.1)
        stop(w, P37)
        w:play_for(0.5)
      end,
      say = [[
        Before the commit a move is dropped, and that is all. p37's move has been committed. S4 has taken likes that S2 never saw; `abort` would throw them away, and is
        refused. The way back is the same move, from S4 to S2: `rollback {=typed(w, "{p37}")}` begins it; then the fence, as before.]],
      try = { ask = "Bring the slot back to S2 (: and a command). Then read `post:{p37}`.",
        goal = function(w) return w:owner(P37) == "S2" and last.op == "read" and last.shard == "S2" end,
        solution = { "rollback 3706", "fence 3706", "request read post:{p37} via R0" },
        hints = { "`rollback {=typed(w, \"{p37}\")}`, and look at the picture.", "Nothing flips without a fence.",
          "`fence {=typed(w, \"{p37}\")}`, then `read post:{p37}`." } } },

    { id = "kept-new", title = "The old copy, kept new", deeper = true, show = { "table", "move:3838" }, key = P33,
      enter = function(w) settled(w, "S2", P33) w:flow("like", LIKES33, 50) w:play_for(0.2) end,
      table = function(w)
        local rows = {}
        for i, words in ipairs { "", " reverse" } do
          rows[i] = { label = i == 1 and "without a stream" or "with one",
            run = function(f) there_and_back(f, words) end,
            cells = function(f) return { again(f), f:lost(LIKES33) } end }
        end
        return { title = "From rollback to S2's own", columns = { "way back", "ms", "lost" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [=[
        p33's slot has {BACK_MB} MB. A way back by a second copy takes as long as the way there, at {BACK_RATE} MB a second. So before the commit somebody asks for a
        [[reverse stream]]: what S4 takes from then on goes to S2's old copy too, until the cleanup.]=],
      with = { BACK_MB = BACK_MB, BACK_RATE = BACK_RATE, APPLY = APPLY, COMMIT = COMMIT },
      predict = { id = "p8-kept-new", kind = "number", unit = "ms", tolerance = 2,
        ask = "How long does the way back take then?",
        answer = function() return cells[2][2] end,
        wrong = function()
          return { [0] = { belief = "the old copy just serves again", why = "S4 has to stop first, and S2 to have its last likes: a fence and a commit." },
            [cells[1][2]] = { belief = "each move copies", why = "So long it takes without a stream. S2's copy is as new as S4's already." } }
        end,
        why = "No copy: only the pause, {APPLY} ms for the tail and {COMMIT} for the commit.",
        hints = { "What is copied?", "Nothing. What else takes time?", "The fence entry: {APPLY} ms. The commit: {COMMIT} ms." } },
      after = [[
        {cells[2][2]} ms against {cells[1][2]}. Vitess keeps such a stream by default once it has switched writes; turn it off and the quick way back is gone. So: no
        cleanup before you are sure.]] },

    { id = "how-fast", title = "How fast?", deeper = true, show = { "table" }, key = LIKES31,
      enter = function(w)
        settled(w, "S2", P31)
        perform(w, "ceiling S2 0 0")
      end,
      table = function(w)
        local rows = {}
        for i, speed in ipairs { { "24 MiB/s", 24 * MEBI }, { "100 MB/s", 100 * MEGA } } do
          rows[i] = { label = speed[1], cells = function()
            local cool, hot = tailed(w, COOL, speed[2]), tailed(w, HOT, speed[2])
            return { decimals(cool.copy_ms / 1000, 2), cool.caught_up, hundreds(hot.caught_up) }
          end }
        end
        return { title = "200 MB", columns = { "speed", "s", "at 12/s", "at 2,400/s" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        Cassandra lets a node stream 24 MiB a second, about 200 megabits. At that speed a slot of 200 MB is copied. A MiB is {MIB} bytes, a MB {MB}.]],
      with = { MIB = MEBI, MB = MEGA, HOT = HOT, COOL = COOL },
      predict = { id = "p8-how-fast", kind = "number", unit = "s", tolerance = 0.1,
        ask = "How long does the copy take?",
        answer = function() return tonumber(cells[1][2]) end,
        wrong = { [8.33] = { belief = "a MiB is a MB", why = "That is 200 / 24. A MiB has 1,048,576 bytes, and so 24 of them are 25.2 MB." },
          [1] = { belief = "a megabit is a megabyte", why = "200 megabits are 25 megabytes: eight bits make a byte." } },
        why = "200,000,000 / 25,165,824.",
        hints = { "How many bytes are 24 MiB?", "25,165,824.", "200,000,000 by that." } },
      after = [[
        Meanwhile the log grows: by {cells[1][3]} entries for the cool p9, with {COOL} writes a second, by some {cells[1][4]} for the hot one with {HOT}. At 100 MB/s it is {cells[2][4]}. But the copy reads S2's
        disk while S2 serves.]] },

    { id = "spare-disk", title = "What is spare", deeper = true, show = { "table" }, key = P31,
      knobs = { { name = "size", label = "MB a second", values = SPEEDS, start = 80 } },
      enter = function(w)
        settled(w, "S2", P31)
        perform(w, "ceiling S2 1000 3000", "disk S2 " .. DISK .. "MB")
        w:flow("like", LIKES31, 700)
        w:flow("read", P31, 1500)
        w:play_for(0.3)
      end,
      table = function(w, knob)
        local b = beside(w, knob.size)
        return { title = "A second of S2 beside a copy of 200 MB", columns = { "copy", "s", "read ms", "refused" }, numbers = { 2, 3, 4 }, rows = {
          { label = knob.size .. " MB/s", cells = function() return { seconds(200 / knob.size), decimals(b.ms, 1), b.refused } end } } }
      end,
      say = [[
        S2's disk does {DISK} MB a second, for copies and requests together. Beside a copy each request lasts longer, and S2 can do fewer than {CEILING} writes. It is asked
        for {S2.writes}.

        The table tells how long copy and read take, and how many likes are refused.]],
      with = { DISK = DISK, CEILING = 1000 },
      try = { ask = "Turn Z to the fastest at which nothing is refused.",
        goal = function(w) return knob.size == fastest(w) end,
        solution = { "knob size 25" },
        hints = { "Z goes to the next speed, and round.", "Read how many likes are refused.", "Less than a third of the disk is spare." } } },

    { id = "cold-slots", title = "Move the others", deeper = true, show = { "table", "bars" }, key = "post:{p9}",
      enter = function(w)
        settled(w, "S2", "post:{p1}")
        settled(w, "S2", "post:{p13}")
        settled(w, "S2", "post:{p5}")
        settled(w, "S2", "post:{p9}")
        perform(w, "budget " .. BACK_RATE .. "MB")
        w:flow("like", "likes:{p9}", COOL)
        for _, p in ipairs { "p1", "p5", "p13" } do w:flow("like", "likes:{" .. p .. "}", 50) end
        w:play_for(0.2)
      end,
      table = function(w)
        local rows = {}
        for i, plan in ipairs { { "p9", HOT_SLOT }, { "p1, p5, p13", COLD_SLOTS } } do
          rows[i] = { label = plan[1], run = function(f) move_all(f, plan[2]) end,
            cells = function(f) return { megabytes(plan[2]), round(took(f, plan[2])), #plan[2], f.S2.writes } end }
        end
        return { title = "p9 alone on its shard", columns = { "to S4", "MB", "s", "fences", "S2" }, numbers = { 2, 3, 4, 5 }, rows = rows }
      end,
      say = [[
        Say that all four posts are on S2 again, and p9 shall have a shard of its own. Its slot has {HOT_SLOT[1][2]} MB. p1, p5 and p13 have {COLD_SLOTS[1][2]} MB each. All copies together
        may take {BACK_RATE} MB a second.]],
      with = { HOT_SLOT = HOT_SLOT, COLD_SLOTS = COLD_SLOTS, BACK_RATE = BACK_RATE },
      predict = { id = "p8-cold-slots", kind = "number", unit = "s", tolerance = 1,
        ask = "How long would it take to move the other three instead?",
        answer = function() return tonumber(cells[2][3]) end,
        wrong = { [67] = { belief = "isolation means to move the hot one", why = "That is p9's own slot. It is alone as well when the others have gone." },
          [7] = { belief = "each copy has the whole budget", why = "So long one takes alone. Three share the budget, or come one after the other." } },
        why = "Three small copies within one budget: their bytes over the rate.",
        hints = { "How many MB are to be copied?", "Three times {COLD_SLOTS[1][2]}.", "{megabytes(COLD_SLOTS)} / {BACK_RATE}." } },
      after = [[
        {cells[2][3]} s instead of {cells[1][3]}, and p9 has no pause at all. Three slots have one each. Move what is small and calm, and leave the hot one
        where it is.]] },

    { id = "two-terabytes", title = "Two terabytes", deeper = true, show = { "move:11626" }, key = P26,
      enter = function(w)
        settled(w, "S2", P26)
        settled(w, "S2", P22)
        perform(w, "budget 100MB")
      end,
      say = [[
        10 TB on four shards, and a fifth joins: a fifth of the data moves, 2 TB. Say that it is two slots of 1 TB, p26's and p22's. Both copies together may take 100 MB a second, well below what the disks have
        to spare.]],
      predict = { id = "p8-two-terabytes", kind = "number", unit = "hours", tolerance = 0.1,
        ask = "How many hours does it take?",
        answer = function(w) return round(long_copy(w) / 360) / 10 end,
        wrong = { [20000] = { belief = "seconds are hours", why = "That is in seconds. An hour has 3,600." },
          [28] = { belief = "everything moves", why = "So long all 10 TB would take. A fifth moves." } },
        why = "2,000,000 MB / 100 MB a second = 20,000 s.",
        hints = { "How many MB are 2 TB?", "2,000,000 / 100 = 20,000 s.", "20,000 / 3,600." } },
      run = function(w)
        long_begin(w)
        w:play_for(5)
      end,
      after = [[
        {decimals(long_copy(w:fork()) / 3600, 1)} hours: each slot has half of the 100 MB a second. That is bandwidth, and nobody waits for it. Each slot's pause is what its last entries take: milliseconds, whether the move takes a
        minute or a night.]] },

    { id = "spent-twice", title = "Spent twice", deeper = true, show = { "trace" }, key = ACCOUNT,
      enter = function(w)
        settled(w, "S2", ACCOUNT)
        if w:account(ACCOUNT).kind == "none" then
          perform(w, "account " .. ACCOUNT .. " 0 0")
        end
        perform(w, "request credit " .. ACCOUNT .. " " .. SPENT .. " via R0")
        w:play_answered()
        w:set_rule("slot-table-check", false)
        w:deaf("R5", true)
        perform(w, "migrate " .. w:slot(ACCOUNT) .. " S4 1MB 3MB")
        w:play_for(0.5)
        perform(w, "fence " .. w:slot(ACCOUNT))
        w:play_for(0.2)
      end,
      say = [[
        A lost like is a number. Here the slot holds an account with {w:account(ACCOUNT).total}. It has moved to S4, and S2 does not look into its slot table. R5 has not
        heard of the move.

        Somebody spends {SPENT} through R0, then once more through R5.]],
      with = { ACCOUNT = ACCOUNT, SPENT = SPENT },
      predict = { id = "p8-spent-twice", kind = "number",
        ask = "How much is paid out?",
        answer = function(w) return paid(w) end,
        wrong = { [100] = { belief = "a balance is checked somewhere central", why = "It is checked where the account is. S2 has a copy with 100 in it, and does not know that it is old." } },
        why = "S4 pays from the account, S2 from its old copy of it.",
        hints = { "Where does R5 send the second one?", "To S2, whose copy says {SPENT}.", "And S2 does not look whether it is still the owner." } },
      run = function(w)
        for _, router in ipairs { "R0", "R5" } do
          perform(w, "request debit " .. ACCOUNT .. " " .. SPENT .. " via " .. router)
          w:play_answered()
        end
      end,
      after = [[
        In a wallet a lost write is a double spend; in a hotel, a room sold twice. Same rule for all: the old shard keeps its "moved" row for good, and every
        transaction looks at it under the same lock.]] },

    { id = "engines", title = "Who does it for you", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, e in ipairs(ENGINES) do rows[i] = { label = e[1], cells = { e[2], e[3] } } end
        return { title = "What moves, and how", columns = { "engine", "piece", "way" }, rows = rows }
      end,
      say = [[
        Few people write such a move. You meet it in the engine that you use, under another name. Most copy and then catch up. But who stops the source for a moment and flips a map?]],
      predict = { id = "p8-engines", kind = "several",
        ask = "A guess: which have a fence and a flip, as in this part?",
        choices = {
          { "Vitess", why = "It copies and streams the changes. Then it switches reads, at last writes, which wait for that moment.", holds = function() return way_of("Vitess") end },
          { "MongoDB", why = "Its balancer copies the documents of a range and catches up. Writes wait while the config servers take the new owner.", holds = function() return way_of("MongoDB") end },
          { "Redis, classic", belief = "all slots move whole", why = "It hands one key over after the other. That comes next.", holds = function() return way_of("Redis, classic") end },
          { "CockroachDB", belief = "all moves are one", why = "It copies and catches up, too. But a range is a group of copies that vote: one joins, another leaves, and no map is flipped under a fence.", holds = function() return way_of("CockroachDB") end },
        },
        why = "Two of these stop the source and flip a map.",
        hints = { "Which hands over keys?", "Which has copies that agree by votes?", "The other two." } },
      after = [[
        The others are variants: with votes the group itself knows its members, and one that has everything takes the lead. The names differ, the questions do not: who accepts now, does it hold everything, and what if a router has not heard?]] },

    -- ------------------------------------------------------------------ key by key

    { id = "key-by-key", title = "One key at a time", deeper = true, show = { "ask:10264" }, key = "post:{p17}", router = "R0",
      enter = function(w)
        slot_with_keys(w)
        perform(w, "shift " .. w:slot(P17) .. " S4 2")
        w:play_for(0.3)
      end,
      say = [=[
        Redis Cluster and Valkey move a slot key by key, so the slot as a whole needs no pause. Of p17's slot `post:{p17}` has gone to S4, {w:shift_of(P17).here} keys have not. Who asks S2 for
        a key that has gone is told [[ASK]]: "S4 has it; ask there, this once".]=],
      with = { P17 = P17 },
      predict = { id = "p8-key-by-key", kind = "number",
        ask = "R0 reads `post:{p17}`. How many shards are asked?",
        answer = function() return last.asks end,
        wrong = { [1] = { belief = "the router knows where a key is", why = "Its map says S2 for the whole slot. Which keys have gone only S2 knows." },
          [3] = { belief = "a redirect means a new map", why = "ASK names the shard. The directory is not asked, nor S2 again." } },
        why = "S2, which says ASK, and S4.",
        hints = { "Where does R0's map send it?", "To S2. The key is not there.", "S2 says ASK, and R0 asks S4." } },
      run = function(w)
        w:send("read", P17, "R0")
        w:play_answered()
      end,
      after = [=[
        To S4 it said [[ASKING]] first. Without that word S4 turns everybody away, for by the map the slot is S2's. (Their words for the two rows: MIGRATING at
        S2, IMPORTING at S4.)]=] },

    { id = "once-more", title = "And once more", deeper = true, show = { "ask:10264", "trace" }, key = "post:{p17}", router = "R0",
      say = [[
        R0 has been told where `post:{p17}` is. It is asked for it again.]],
      predict = { id = "p8-once-more", kind = "choice",
        ask = "Where does R0 send it?",
        choices = {
          { "To S4 at once", belief = "ASK is news about the slot",
            why = "It was about one key and one request. If R0 took it for news about the slot, it would look for the other keys at S4, in vain.",
            holds = function() return last.asks == 1 end },
          { "To S2, as before", holds = function() return last.asks == 2 and last.reloads == 0 end },
          { "To the directory", belief = "a redirect means a new map",
            why = "That is what MOVED is for: the slot has changed hands. It has not, yet.",
            holds = function() return last.reloads > 0 end },
        },
        why = "ASK leaves the router's map alone; only MOVED changes it.",
        hints = { "What does R0's map say?", "That S2 has the slot, and this is still true.", "ASK was for one request." } },
      run = function(w)
        w:send("read", P17, "R0")
        w:play_answered()
      end,
      after = [[
        {last.asks} asks again, map v{R0.version} as before. So while a slot goes over, more and more of its requests make two hops. A key that nobody has written
        yet is "not here" too, so it is made at S4.]] },

    { id = "two-places", title = "Some here, some there", deeper = true, show = { "ask:11758", "trace" }, key = "likes:{p22}", router = "R0",
      enter = function(w)
        slot_with_keys(w)
        if w:count("likes:{p22}").mode ~= "summed" then perform(w, "writes likes:{p22} summed") end
        w:flow("like", "likes:{p22}", 60)
        w:play_for(2)
        w:flow("like", "likes:{p22}", 0)
        w:play_for(1)
        perform(w, "shift " .. w:slot(P22) .. " S4 10")
        w:play_for(0.35)
      end,
      say = [=[
        p22's likes are summed: one request reads the parts of all routers, since they lie in one slot. Now the slot goes over, and {w:shift_of(P22).there} of its keys have
        gone.]=],
      with = { P22 = P22 },
      predict = { id = "p8-two-places", kind = "choice",
        ask = "R0 reads the count now. What does S2 answer?",
        choices = {
          { "What it has of it", belief = "some is better than none",
            why = "The sum of some parts looks like a count, and is wrong. Nobody could tell.",
            holds = function(w) return last.outcome == "OK" and last.value < told(w) end },
          { "ASK", belief = "S4 has what S2 lacks",
            why = "S4 does not have all of it either. The request would go there and back.",
            holds = function() return last.retries == 0 end },
          { "TRYAGAIN", holds = function(w) return last.retries > 0 and last.value == told(w) end },
        },
        why = "No shard has all of it. It is asked again until one has.",
        hints = { "Who has all six parts?", "Nobody, for now.", "So: wait, and try again." } },
      run = function(w)
        w:send("read", "likes:{p22}", "R0")
        w:play_answered()
      end,
      after = [=[
        [[TRYAGAIN]]: {last.retries} times, {last.ms} ms. Requests for one key make a second hop. Those for several wait until the last of their keys has gone over, and
        the more keys a slot has, the longer that is.]=] },

    { id = "large-key", title = "A large key", deeper = true, show = { "ask:11626", "trace" }, key = "comments:{p26}", router = "R0",
      enter = function(w)
        settled(w, "S2", P26)
        edits(w, "R0", 1, P26, "comments:{p26}")
        perform(w, "budget 100MB", "shift size comments:{p26} 200MB", "shift " .. w:slot(P26) .. " S4 100")
        w:play_for(0.05)
      end,
      say = [[
        A key goes over in one piece. `comments:{p26}` has grown to {SIZE_MB} MB, and {SPEED_MB} MB a second fit through. Its hand-over has just
        begun.]],
      with = { SIZE_MB = 200, SPEED_MB = 100, LIMIT_MB = 256, round = round },
      predict = { id = "p8-large-key", kind = "choice",
        ask = "Somebody reads the comments. What comes of it?",
        choices = {
          { "S2 answers from its copy", belief = "the old copy is served meanwhile",
            why = "Then a write could come to it as well, and would be thrown away with it. A key is at one side, or in its hand-over.",
            holds = function() return last.outcome == "OK" and last.retries == 0 end },
          { "A short wait, then the answer", belief = "a pause is a pause",
            why = "The pause of a whole slot waits for the last entries only. Here all bytes of the key go within it.",
            holds = function() return last.outcome == "OK" and last.retries > 0 end },
          { "It is given up", holds = function() return last.outcome ~= "OK" and last.retries > 0 end },
        },
        why = "For {SIZE_MB // SPEED_MB} s nobody may serve it, and a router does not ask for ever.",
        hints = { "How long does the hand-over take?", "{SIZE_MB} / {SPEED_MB} = {SIZE_MB // SPEED_MB} s.", "Who may serve it meanwhile? Nobody." } },
      run = function(w)
        w:send("read", "comments:{p26}", "R0")
        w:play_answered()
      end,
      after = [[
        {last.asks} times TRYAGAIN in {round(last.ms)} ms. Here a single key is told so, and none above {LIMIT_MB} MB goes: its slot stays half here, half there.

        In Redis TRYAGAIN is for several keys only. Its MIGRATE blocks *both servers* while a key goes over: every slot on them waits.]] },

    { id = "six-rules", title = "Six rules", deeper = true, show = { "table" }, protocol = { name = "ask" },
      table = function()
        local rows = {}
        for i, rule in ipairs(check.rules("ask")) do
          rows[i] = { label = rule.name, cells = function() return found("ask", rule.name) end }
        end
        return { title = "Shortest failure, small world", columns = { "without", "steps", "states" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        This way has six rules of its own. You have met most of them: ASK for a key that has gone, ASKING, ASK leaves maps alone, TRYAGAIN; a key is at one side only; the
        slot is handed over empty.]],
      predict = { id = "p8-six-rules", kind = "number",
        ask = "How many of the six can be left out?",
        answer = function() return spare_of("ask") end,
        wrong = { [2] = { belief = "every protocol has slack", why = "The fence had two that watch the same door. Here each watches one of its own." } },
        why = "Each is missed within a few steps, in the small world.",
        hints = { "Is there one that does the work of another?", "Take them one by one: what would a client see?", "None." } },
      after = [[
        The fence and flip could spare {spare()}, here it is {spare_of("ask")}. With the fence everything happens at one instant; here the slot is in between for as
        long as keys go over, and clients come all the time (x). (* One step less in a larger world: with a map that comes early, or a key that nobody has written.)]] },

    { id = "two-ways", title = "Two ways", deeper = true, show = { "table", "tables:10264" }, key = P17,
      enter = function(w)
        slot_with_keys(w)
        for _, key in ipairs(KEYS17) do w:flow("read", key, 50) end
        w:play_for(1)
      end,
      table = function(w)
        local rows, before = {}, hops(w)
        for i, way in ipairs { "with a fence", "key by key" } do
          rows[i] = { label = way, run = i == 1 and whole or piecewise,
            cells = function(f) return { hops(f) - before, decimals((f:latency("read", 100)), 1) } end }
        end
        return { title = "Two seconds of reads", columns = { "way", "2nd hops", "slowest ms" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        Both ways, the same small slot, {READS17} reads a second. The table will tell how many made a second hop, and how long the slowest took.]],
      with = { READS17 = 200 },
      predict = { id = "p8-two-ways", kind = "choice",
        ask = "And key by key?",
        choices = {
          { "Spares a pause, costs hops", holds = function() return cells[2][2] > cells[1][2] and tonumber(cells[2][3]) < tonumber(cells[1][3]) end },
          { "Spares both", belief = "no pause, no price",
            why = "Each request for a key that has gone asks S2 first, as long as the slot is under way.",
            holds = function() return cells[2][2] <= cells[1][2] and tonumber(cells[2][3]) < tonumber(cells[1][3]) end },
          { "Spares hops, costs a pause", belief = "keys are paused longer",
            why = "A small key goes over in no time. What lasts is that the slot is in two places.",
            holds = function() return cells[2][2] < cells[1][2] and tonumber(cells[2][3]) > tonumber(cells[1][3]) end },
        },
        why = "One short pause and one switch, or no pause and two places for a while.",
        hints = { "Which of them has a pause?", "The fence. And what happens to a read of a key that has gone?", "It asks S2, and then S4." } },
      after = [[
        {cells[2][2]} second hops against {cells[1][2]}; the slowest {cells[2][3]} ms against {cells[1][3]}. Add large keys and requests for several keys, and the pause looks
        small. Newer servers can move a slot whole, too.]] },

    -- ------------------------------------------------------------------ dual writes

    { id = "write-both", title = "Write both", deeper = true, protocol = { name = "dual-write", without = { "newer-only" } }, show = { "dual:7565", "trace" }, key = P21,
      enter = function(w) captions(w) end,
      say = [=[
        Without a log the application writes each edit to both stores, [[dual writes]], and a [[backfill]] copies what was there before.

        It reads p21's caption, v{w:versions(P21).S1}, at S1, to write it at S4. In between an edit makes v{w:versions(P21).S1 + 1} on both.]=],
      with = { P21 = P21 },
      predict = { id = "p8-write-both", kind = "choice", confidence = true,
        ask = "The last write wins. They hold:",
        choices = {
          { "S1 the new, S4 the old", holds = function(w) local v = w:versions(P21) return v.S1 > v.S4 end },
          { "Both the new", belief = "the newest wins by itself",
            why = "The backfill's write comes last at S4, and what it carries is old.",
            holds = function(w) local v = w:versions(P21) return v.S1 == v.S4 and v.S1 > 4 end },
          { "Both the old", belief = "the backfill writes to both", why = "It writes to S4 alone.",
            holds = function(w) local v = w:versions(P21) return v.S1 == v.S4 and v.S1 == 4 end },
        },
        why = "Read before the edit, written after it.",
        hints = { "Which write is the last at S4?", "The backfill's.", "And what does it carry?" } },
      run = function(w)
        w:set_rule("newer-only", false)
        perform(w, "dual " .. w:slot(P21) .. " S4 backfill 100")
        w:play_for(0.001)
        w:send("edit", P21, "R2")
        w:play_for(0.3)
      end,
      after = [[
        S1 holds v{w:versions(P21).S1}, S4 v{w:versions(P21).S4}. Of the {orders("backfill")} orders in which one read and three writes can happen, {bad("backfill")} ends so. That is rare,
        and so it is found late.]] },

    { id = "two-writers", title = "Two writers", deeper = true, protocol = { name = "dual-write", without = { "newer-only" } }, show = { "dual:7433", "trace" }, key = P25,
      enter = function(w) alike(w) end,
      with = { P25 = P25 },
      say = [[
        p25 has moved that far, too: the backfill is done, both stores agree. R2 stands next to S1, R4 next to S4. Both edit the caption in the same moment. Each draws a number and sends
        to both stores at once.]],
      predict = { id = "p8-two-writers", kind = "number",
        ask = "Four messages arrive, in {orders(\"race\")} possible orders. After how many do the stores differ?",
        answer = function() return bad("race") end,
        wrong = { [0] = { belief = "both stores see both writes", why = "They do, in different order. And the last one wins." },
          [1] = { belief = "races are rare", why = "That is the backfill's. Here each store has its own idea of who was last, as if by a coin." },
          [24] = { belief = "they always cross", why = "If one edit is the last at both, they agree." } },
        why = "They differ when another edit is the last at S4 than at S1: in half of the orders.",
        hints = { "Who is last at S1? Two possibilities.", "And at S4? Two as well, whatever S1 saw.", "They agree in half." } },
      run = function(w)
        w:set_rule("newer-only", false)
        w:send("edit", P25, "R2")
        w:send("edit", P25, "R4")
        w:play_answered()
      end,
      after = [[
        S1 holds v{w:versions(P25).S1}, S4 v{w:versions(P25).S4}, and both clients were told OK. If each writes S1 first and waits, it is {bad("source first")} of
        {orders("source first")} orders: fewer, not none.]] },

    { id = "versions", title = "Only over an older one", deeper = true, show = { "table" }, protocol = { name = "dual-write", without = { "newer-only" } },
      table = function()
        local rows = {}
        for i, kind in ipairs { "backfill", "source first", "race" } do
          rows[i] = { label = KINDS[kind], cells = { orders(kind), bad(kind), bad(kind, true) } }
        end
        return { title = "Orders after which they differ, by rule", columns = { "two at once", "orders", "last", "newer" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        One rule more: a store takes a version only over an older one. What comes late and is older is let fall.]],
      predict = { id = "p8-versions", kind = "number",
        ask = "In how many orders do the stores differ then, in all three cases together?",
        answer = function() return cells[1][4] + cells[2][4] + cells[3][4] end,
        wrong = { [1] = { belief = "the backfill is still late", why = "It still comes late. What it carries is older, so S4 keeps what it has." },
          [15] = { belief = "order decides", why = "That was before. By the rule the highest version stays, in whichever order they come." } },
        why = "The highest version stays, whatever comes first.",
        hints = { "What does a store do with an older one?", "It keeps what it has.", "So both end with the highest." } },
      after = [[
        The order of arrival does not matter any more. A backfill that writes only where nothing is does as well, for rows that are never changed. Neither says what a delete
        is.]] },

    { id = "deleted", title = "What is deleted", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, kind in ipairs { "gone", "tombstone" } do
          rows[i] = { label = KINDS[kind], cells = { orders(kind), bad(kind, true) } }
        end
        return { title = "A backfill and a delete", columns = { "it leaves", "orders", "back" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        The rule holds, and somebody deletes the caption: at S1, then at S4. The backfill has the same two steps as before: it reads at S1, it writes at
        S4.]],
      predict = { id = "p8-deleted", kind = "number",
        ask = "In how many of the {orders(\"gone\")} orders is the caption back at S4?",
        answer = function() return cells[1][3] end,
        wrong = { [0] = { belief = "newer-only covers deletes", why = "A row that is gone has no version. The old one is newer than nothing." },
          [3] = { belief = "read before, back after", why = "So many read it before the delete. In two of them S4 deletes it after it was written." },
          [6] = { belief = "a delete loses against a copy", why = "Only if the backfill reads before it at S1, and writes after it at S4." } },
        why = "Read, deleted at both, then written: S4 has nothing that would be newer.",
        hints = { "What does S4 hold after the delete?", "Nothing, so it takes any version.", "Read first, write last: one order." } },
      after = [=[
        So a delete leaves a [[tombstone]]: the next version, of nothing. Then it is {cells[2][3]} of {cells[2][2]}. It may go when the backfill is through. The rest is up to the number: who gives
        it?]=] },

    { id = "whose-number", title = "Whose number?", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, e in ipairs(CLOCKED) do rows[i] = { label = e.router, cells = { at(e.true_s), at(stamp(e)), e.text } } end
        return { title = "Stamped by the router's clock", columns = { "by", "happened", "stamped", "caption" }, rows = rows }
      end,
      say = [[
        "We have a number: the time." R2's clock is {SLOW} s slow. R1 writes "{CLOCKED[1].text}"; two seconds later somebody corrects it through R2, to "{CLOCKED[2].text}". Both stores take the higher stamp.]],
      with = { SLOW = SLOW, CLOCKED = CLOCKED },
      predict = { id = "p8-whose-number", kind = "choice",
        ask = "What do the stores hold?",
        choices = {
          { "Both the correction", belief = "clocks agree",
            why = "It has the lower stamp, and is let fall as older. Its author was told OK.",
            holds = function() return kept(1) == CLOCKED[2].text and kept(2) == CLOCKED[2].text end },
          { "Both the first caption", holds = function() return kept(1) == CLOCKED[1].text and kept(2) == CLOCKED[1].text end },
          { "One of each", belief = "clocks make them differ",
            why = "Both compare the same two stamps, so they agree. They agree on the wrong one.",
            holds = function() return kept(1) ~= kept(2) end },
        },
        why = "Equal everywhere, and wrong everywhere.",
        hints = { "What is stamped on the correction?", "A time before the first one's.", "So it is older, to both." } },
      after = [[
        No compare will ever find that. So versions come from one place: the position in the source's log, or a counter. Here each slot has one. The shard that is asked first takes the next number as it applies the
        edit; if both are asked at once the router draws it before.]] },

    -- ------------------------------------------------------------------ a live SQL database, in six phases

    { id = "one-database", title = "One database", deeper = true, show = { "table", "dual:2493" }, key = ALBUM,
      table = phases,
      say = [=[
        An old SQL database, albums of all studios, has outgrown its machine. Six phases lead out. The first is only *logical*, as at Figma: hash the tenant into {LOGICAL} [[logical shards]], send each query through a layer that knows them, and leave all where they are.]=],
      with = { LOGICAL = LOGICAL },
      predict = { id = "p8-one-database", kind = "choice",
        ask = "Phase one moves nothing. What does it bring to light?",
        choices = {
          { "Queries that name no tenant", holds = function() return asks(true) == 1 and asks(false) == LOGICAL end },
          { "Nothing, until data moves", belief = "sharding begins with the data",
            why = "The application behaves as if it were sharded. A query without a tenant now asks every logical shard.",
            holds = function() return asks(false) == 1 end },
          { "How fast a shard copies", belief = "the copy is the hard part", why = "Nothing is copied yet. Most mistakes are in queries, not in copies.",
            holds = function() return asks(true) > 1 end },
        },
        why = "A query with its tenant asks {asks(true)}, one without asks {asks(false)}.",
        hints = { "What does the layer need, to send a query on?", "The tenant.", "Which queries do not have it?" } },
      after = [[
        And cross-shard joins. Found now, they are cheap: the way back is a setting. Figma had a view for each. Notion and Stripe then copied and followed a stream of changes, like p9's move. Where there is none, one writes
        twice.]] },

    { id = "phase-two", title = "Phase two: both", deeper = true, show = { "dual:2493" }, key = ALBUM, router = "R0",
      enter = albums,
      say = [[
        S0 is that database, S5 a new one. The tenant `lido` is in slot {=typed(w, ALBUM)}: that shall be a logical shard. It has {#ALBUMS} albums, and they are edited as we
        speak.

        Phase two: each edit goes to both. What was there before is still only on S0. Answers come from S0.]],
      try = { ask = "Press : and type `dual {=typed(w, ALBUM)} S5`.",
        goal = function(w) return w:shift_of(ALBUM).phase == "double" end,
        solution = { "dual 2493 S5" },
        hints = { "A colon opens the line for commands.", "`dual`, the slot, the new shard.", "`dual {=typed(w, ALBUM)} S5`" } },
      with = { ALBUM = ALBUM, ALBUMS = ALBUMS } },

    { id = "the-new-one-dies", title = "What it risks", deeper = true, show = { "dual:2493", "trace" }, key = ALBUM, router = "R0",
      enter = function(w) both(w) end,
      say = [[
        Each edit asks two machines now. S5 dies, for {DOWN} s. Somebody edits an album.]],
      with = { DOWN = 3, ALBUM = ALBUM },
      predict = { id = "p8-new-one-dies", kind = "choice",
        ask = "What is the client told?",
        choices = {
          { "OK, and S5 lacks the edit", holds = function(w) local v = w:versions(ALBUM) return last.outcome == "OK" and v.S0 > v.S5 end },
          { "Failed: one of two is not both", belief = "two writes are a transaction",
            why = "Then a store that nobody reads from would stop the business. S0 counts; S5 is made good later.",
            holds = function() return last.outcome ~= "OK" end },
          { "OK, and both have it", belief = "a queue remembers",
            why = "No queue keeps what S5 did not take. Only going over all keys finds it.",
            holds = function(w) local v = w:versions(ALBUM) return last.outcome == "OK" and v.S0 == v.S5 end },
        },
        why = "Answers come from S0, so S0 decides. S5 lacks the edit until something goes over all keys.",
        hints = { "From whom do answers come?", "From S0, and it took the edit.", "S5 has missed it." } },
      run = function(w)
        perform(w, "crash S5 3000")
        w:send("edit", ALBUM, "R0")
        w:play_answered()
      end,
      after = [[
        Second writes that failed: {w:shift_of(ALBUM).failed}. Do not mend it by hand: the backfill comes over all keys, and then a compare.

        A router that dies between its two writes leaves the same gap, and its client gets no answer at all.]] },

    { id = "go-back", title = "And back", deeper = true, show = { "dual:2493" }, key = ALBUM, router = "R0",
      enter = function(w)
        both(w)
        w:play_for(3.5)
        edits(w, "R0", 1, ALBUM)
      end,
      say = [[
        Each phase can be left the way it was entered, and you should have gone back once before you need it. Here it costs nothing: nobody reads
        S5.]],
      try = { ask = "Drop S5's copy: `dual {=typed(w, ALBUM)} stop`. Then go into phase two again.", builds = true,
        goal = function(w) return w:shift_of(ALBUM).phase == "double" and (w:versions(ALBUM).S5 or 0) == 0 end,
        solution = { "dual 2493 stop", "dual 2493 S5" },
        hints = { "First `stop`.", "Then as before.", "`dual {=typed(w, ALBUM)} S5`" } },
      with = { ALBUM = ALBUM } },

    { id = "phase-three", title = "Phase three: the rest", deeper = true, protocol = { name = "dual-write", without = { "dual-before-backfill" } }, show = { "dual:2493" }, key = ALBUM, router = "R0",
      enter = function(w) both(w) end,
      say = [[
        Now the backfill copies what was there before. It must not begin earlier: what is written between its reading of a key and the first double write would be on S0 alone.

        Copy without secondary indexes and build these afterwards. Notion did, in 2023 by the database's own replication, and came down from 3 days to 12 hours.]],
      try = { ask = "Type `dual {=typed(w, ALBUM)} S5 backfill 20`: 20 keys a second. Then try `switch {=typed(w, ALBUM)} reads` at once.",
        goal = function(w) return w:shift_of(ALBUM).working or w:shift_of(ALBUM).filled end,
        solution = { "dual 2493 S5 backfill 20" },
        hints = { "Two commands, one after the other.", "The second is refused. It says why.", "`dual {=typed(w, ALBUM)} S5 backfill 20`" } },
      with = { ALBUM = ALBUM } },

    { id = "phase-four", title = "Phase four: the same?", deeper = true, protocol = { name = "dual-write", without = { "compare-before-switch" } }, show = { "dual:2493" }, key = ALBUM, router = "R0",
      enter = function(w)
        if w:shift_of(ALBUM).phase ~= "double" then both(w) end
        if not w:shift_of(ALBUM).working then perform(w, "dual " .. w:slot(ALBUM) .. " S5 backfill 20") end
        w:play_for(0.01)
      end,
      say = [=[
        The switch is refused while the stores differ: on {w:shift_of(ALBUM).differ} of {#ALBUMS} albums, at this moment. Real systems cannot stop to look, so they send a sample of reads to
        both and compare the answers: [[dark reads]].]=],
      with = { ALBUM = ALBUM, ALBUMS = ALBUMS },
      predict = { id = "p8-phase-four", kind = "number",
        ask = "On how many do they differ when the backfill is through, with edits going on all the time?",
        answer = function(w) return w:shift_of(ALBUM).differ end,
        wrong = { [1] = { belief = "at any instant one is on its way", why = "Only for some milliseconds of each. With ten edits a second most instants have none." },
          [#ALBUMS] = { belief = "a moving target cannot be copied", why = "What is edited goes to both, and what is not is copied once. Each key has been at both since." } },
        why = "Each key was copied once, and each edit since has gone to both.",
        hints = { "Which keys have not been copied?", "None, after a whole pass.", "And an edit goes to both." } },
      run = function(w)
        w:play_until_phase(ALBUM_SLOT, "filled")
      end,
      after = [[
        On {w:shift_of(ALBUM).differ}. Had they differed, nothing would be lost: S0 answers, and you look for the reason. Go on only when nothing has differed for
        days.]] },

    { id = "phase-five", title = "Phase five: reads", deeper = true, show = { "dual:2493", "trace" }, key = ALBUM, router = "R0",
      enter = function(w) still(w) end,
      say = [[
        Now S5 answers. Still both are written, S5 first. The map changes: a logical shard has another owner.

        A compare that meets an edit on its way would refuse. So edits are held back for a moment, as by a fence. Stripe's switch takes under two seconds; Figma's first one, about
        ten on some primaries.]],
      try = { ask = "`switch {=typed(w, ALBUM)} reads`, then read `{=ALBUM}`.",
        goal = function(w) return w:shift_of(ALBUM).phase == "switched" and last.op == "read" and last.shard == "S5" end,
        solution = { "switch 2493 reads", "request read album1:{lido} via R0" },
        hints = { "Two commands.", "`read {=ALBUM}` asks through the page's router.", "`switch {=typed(w, ALBUM)} reads`" } },
      with = { ALBUM = ALBUM } },

    { id = "if-it-fails-now", title = "If it fails now", deeper = true, show = { "dual:2493", "trace" }, key = ALBUM, router = "R0",
      enter = function(w) switched(w) end,
      say = [[
        An hour later the new machine is in trouble: full disk, wrong index, it does not matter. Both stores have been written all the time, and S0 has every
        edit.]],
      predict = { id = "p8-if-it-fails", kind = "choice",
        ask = "What does the way back cost?",
        choices = {
          { "The edits of that hour", belief = "after the switch there is no way back",
            why = "That is so when the old one is no longer written. Here it was, by each edit.",
            holds = function(w) return w:versions(ALBUM).S0 < w:versions(ALBUM).S5 end },
          { "A second copy of everything", belief = "each way needs its copy", why = "S0 holds the same as S5.",
            holds = function(w) return w:shift_of(ALBUM).differ > 0 end },
          { "A switch of reads", holds = function(w) return w:versions(ALBUM).S0 == w:versions(ALBUM).S5 and w:shift_of(ALBUM).differ == 0 end },
        },
        why = "The old store is as new as the new one, as long as both are written.",
        hints = { "Who is written in phase five?", "Both.", "So they are the same." } },
      run = function(w)
        edits(w, "R0", 1, ALBUM)
        w:play_for(0.2)
      end,
      after = [[
        v{w:versions(ALBUM).S0} on S0, v{w:versions(ALBUM).S5} on S5. Nobody copies anything: the map says S0 again, and both are written on. The next step does
        it.]],
      with = { ALBUM = ALBUM } },

    { id = "back-again", title = "Reads go back", deeper = true, show = { "dual:2493" }, key = ALBUM, router = "R0",
      enter = function(w) switched(w) end,
      say = [[
        Go, then: `switch {=typed(w, ALBUM)} back`. As on the way there both must hold the same, and edits are held back for that moment. Afterwards S0 answers, and both are
        written, S0 first: phase four.]],
      try = { ask = "Bring reads back to S0, then read `{=ALBUM}`.",
        goal = function(w) return w:owner(ALBUM) == "S0" and w:shift_of(ALBUM).phase == "double" and last.op == "read" and last.shard == "S0" end,
        solution = { "switch 2493 back", "request read album1:{lido} via R0" },
        hints = { "Two commands.", "`switch`, the slot, `back`; then a read.", "`switch {=typed(w, ALBUM)} back`, `read {=ALBUM}`" } },
      with = { ALBUM = ALBUM } },

    { id = "phase-six", title = "Phase six: one again", deeper = true, show = { "dual:2493" }, key = ALBUM, router = "R0",
      enter = function(w) switched(w) end,
      say = [[
        S5 is well again, and you are in phase five once more. When it has run for long enough, S0 is written no more. Its copy may stay, to look something up, but it ages with the first edit. From then on the way back is all six phases, and S0 begins them with
        nothing.]],
      try = { ask = "`switch {=typed(w, ALBUM)} done`, then edit `{=ALBUM}`. And back? Try `switch {=typed(w, ALBUM)} back`.",
        goal = function(w)
          local v = w:versions(ALBUM)
          return w:shift_of(ALBUM).phase == "none" and w:owner(ALBUM) == "S5" and v.S5 > v.S0
        end,
        solution = { "switch 2493 done", "request edit album1:{lido} via R0" },
        hints = { "Three commands. The last is refused.", "`switch {=typed(w, ALBUM)} done`, and an edit.",
          "`switch {=typed(w, ALBUM)} done`, `edit {=ALBUM}`" } },
      with = { ALBUM = ALBUM } },

    { id = "from-32-to-96", title = "And then?", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, hosts in ipairs { 32, 96 } do
          rows[i] = { label = hosts .. " machines", cells = { layout("slots", { shards = hosts, slots = LOGICAL }):slots_of(0) } }
        end
        return { title = LOGICAL .. " logical shards", columns = { "on", "each" }, numbers = { 2 }, rows = rows }
      end,
      say = [[
        Notion put its {LOGICAL} logical shards on 32 machines. Two years later these were full, and it took 96. No row was hashed anew: whole logical shards moved, each as in this
        part.

        Say that each old machine keeps what it may.]],
      with = { LOGICAL = LOGICAL },
      predict = { id = "p8-96", kind = "number",
        ask = "How many of the {LOGICAL} move?",
        answer = function() return LOGICAL - 32 * cells[2][2] end,
        wrong = { [LOGICAL] = { belief = "a new layout moves everything", why = "Each old machine keeps five of its fifteen." },
          [160] = { belief = "what stays is what moves", why = "So many stay: five on each of the 32." } },
        why = "Each of the 32 keeps {cells[2][2]} of {cells[1][2]}.",
        hints = { "How many has each machine before, and after?", "15, and 5.", "10 from each of 32." } },
      after = [[
        The number of logical shards is the one that cannot be changed later. Take many more than you will ever have machines, with many divisors. Then a move is routine, and the fleet can be
        reshaped whenever it should be.]] },
  },
}
