-- Part 10. Core path: one like and one read at 20:20, layer by layer, and who decides what there; how many
-- routers a zone needs so that one may go; what a shard is made of, and who leads when a machine dies;
-- a cut in the network; how many answers are enough. Deeper: what a fleet costs, Break it for
-- leaders, stores without leaders, who is taken for dead and what that sets in motion; then the like and the fleet
-- once more.

local P9, POST, SLOT = "likes:{p9}", "post:{p9}", 12067
local LIKES, READS, POSTS, LIKE, READ = 2400, 9000, 16, 50, 100 -- p9's a second; posts; each one's
local CAPACITY, SHARE, ZONES, ROUTERS = 2500, 80, 3, 6
local FLUSH = 500 -- ms
local M = {} -- what a step keeps for its texts
function m(name) return M[name] end

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. (n or 0) .. "f", x))
end

function round(x, n)
  local p = 10 ^ (n or 0)
  local r = math.floor(x * p + 0.5) / p
  return r == math.floor(r) and math.tointeger(r) or r
end

-- --- the cluster ---

-- What a step wants of the learner's world. Somebody may have typed it already, and then it is refused.
local function order(w, ...)
  for _, text in ipairs { ... } do pcall(w.command, w, text) end
end

local function perform(w, ...)
  for _, text in ipairs { ... } do w:command(text) end
end

local function till(w, at)
  if w:clock() < at then w:play_until(at) end
end

local function fans(w, on)
  for n = 1, POSTS do
    local likes, reads = "likes:{p" .. n .. "}", "post:{p" .. n .. "}"
    pcall(w.flow, w, "like", likes, on and (likes == P9 and LIKES or LIKE) or 0)
    pcall(w.flow, w, "read", reads, on and (reads == POST and READS or READ) or 0)
  end
end

-- p9 as Parts 4, 5 and 8 leave it: kept at the routers, summed there, and its slot on S4. R2 slept
-- through the move. Nobody asks.
local function evening(w)
  if w:count(P9).mode == "summed" then return end
  till(w, "20:19:50")
  perform(w, "writes likes:{p9} summed", "reads post:{p9} cached with likes:{p9}")
  fans(w, true)
  w:play_for(4)
  fans(w, false)
  w:play_for(1)
  w:deaf("R2", true)
  w:add_shard("c")
  w:move(SLOT, SLOT, "S4")
  till(w, "20:20:00")
end

-- A copy on which everybody is back for so many seconds.
function crowded(w, seconds)
  local f = w:fork()
  fans(f, true)
  f:play_for(seconds or 1)
  return f
end

-- Whether any router takes a like of p9.
local function any_router(w)
  for i = 0, w:routers() - 1 do
    local f = w:fork()
    f:send("like", P9, "R" .. i)
    f:play_answered()
    if f.last.outcome ~= "OK" then return false end
  end
  return true
end

-- Likes that are gone for good, and those that a count lacks, when a router dies with a like in its buffer.
local function without_router(w, durable)
  local f = w:fork()
  if durable == false then f:set_rule("durable-before-ack", false) end
  f:send("like", P9, "R3")
  f:play_answered()
  f:command("crash R3 100")
  f:play_for(1)
  return f:count(P9)
end

local function peak() return POSTS * (LIKE + READ) - LIKE - READ + LIKES + READS end
local function each() return CAPACITY * SHARE // 100 end
-- Routers for so many requests a second: in so many zones, so that one may be lost.
function fleet(rate, cap, zones)
  return zones * math.ceil(rate / cap / (zones - 1))
end

-- The story's routers as a fleet, with everybody back.
local function busy_fleet(w)
  evening(w)
  perform(w, "capacity " .. CAPACITY)
  fans(w, true)
  w:play_for(1.2)
end

local function calm_fleet(w)
  fans(w, false)
  order(w, "zone b up", "capacity 0")
  w:play_for(0.5)
  if w:count(P9).lost > 0 then -- what R2 and R3 had summed
    w:command("rebuild " .. P9)
    w:play_for(2)
  end
end

-- --- nodes ---

local ON = { { 1, 2, 5 }, { 3, 4, 5 }, { 4, 1, 5 }, { 2, 1, 3 }, { 4, 1, 2 }, { 3, 2, 4 }, { 1, 4, 5 }, { 2, 4, 5 }, { 3, 1, 5 },
  { 4, 1, 2 }, { 3, 1, 5 }, { 4, 2, 3 } } -- the leader first
local NODES, SHARDS, GB, LINK, BUDGET = 5, #ON, 1, 1250, 100 -- of a copy; MB a second of a link; of it for a copy
local ZONE_OF = { "a", "b", "c", "a", "b" }

-- Five nodes, twelve shards of three copies each.
local function cluster_of_copies(w)
  evening(w)
  calm_fleet(w)
  if w:nodes() > 0 then return end
  for i = 1, NODES do w:command("node add " .. ZONE_OF[i]) end
  w:command("node link " .. LINK .. "MB")
  for i, on in ipairs(ON) do
    w:command(string.format("group P%d N%d N%d N%d bytes %dGB", i, on[1], on[2], on[3], GB))
  end
  w:play_for(0.5)
end

-- All nodes are up and reach each other, nobody watches, nothing is copied.
local function healed(w)
  cluster_of_copies(w)
  calm_fleet(w)
  for _, rule in ipairs(check.rules("failover")) do
    if not w:rule(rule.name) then w:set_rule(rule.name, true) end
  end
  order(w, "heal", "beats off", "recopy off")
  for i = 1, w:nodes() do order(w, "node N" .. i .. " up", "node N" .. i .. " slow 1") end
  w:play_for(3)
end

function leader(w, name) return w:group(name).leader end

-- How many of P1 to P12 have no leader.
function leaderless(w)
  local n = 0
  for i = 1, SHARDS do if not leader(w, "P" .. i) then n = n + 1 end end
  return n
end

local function copies_up(g)
  local n = 0
  for _, r in ipairs(g.replicas) do if r.up and r.state == "votes" then n = n + 1 end end
  return n
end

-- So many of three copies must take a write before it is acknowledged.
local function needed(w)
  local dead = {}
  for up = 3, 1, -1 do
    local f = w:fork()
    for i = 1, #dead do f:command("node " .. dead[i] .. " down") end
    f:command("append P1 via N1")
    f:play_for(0.05)
    if f:group("P1").acked == w:group("P1").acked then return up + 1 end
    dead[#dead + 1] = up == 3 and "N2" or "N5"
  end
  return 1
end

-- "9, 9, 9 and 9" of the nodes that are up.
function on_each(w, what)
  local out = {}
  for i = 1, NODES do
    local node = w:node("N" .. i)
    if not node.down then out[#out + 1] = tostring(node[what]) end
  end
  return table.concat(out, ", ", 1, #out - 1) .. " and " .. out[#out]
end

-- --- quorums ---

-- The least r so that any r of n nodes and any w of them have one in common.
local function members(bits)
  local n = 0
  while bits > 0 do n, bits = n + bits % 2, bits // 2 end
  return n
end
function least_read(n, w)
  for r = 1, n do
    local meet = true
    for a = 0, 2 ^ n // 1 | 0 do
      for b = 0, 2 ^ n // 1 | 0 do
        if a < 2 ^ n and b < 2 ^ n and members(a) == r and members(b) == w and a & b == 0 then meet = false end
      end
    end
    if meet then return r end
  end
end

-- --- deeper ---

local function fleet_table()
  local rows = {}
  for _, n in ipairs { 6, 7, 9, 11, 12 } do
    local lost = math.ceil(n / ZONES) -- the largest zone goes
    local left = n - lost
    local smallest = n // ZONES -- clients go to the zones that are left, half to each
    rows[#rows + 1] = { label = tostring(n), cells = function()
      local full = peak() / 2 / smallest * 100 / CAPACITY
      return { decimals(peak() / n, 1), left, decimals(peak() / 2 / smallest, 1), decimals(full, 1) .. "%" }
    end }
  end
  return { title = "Routers in three zones", columns = { "routers", "each", "left", "then", "full" }, numbers = { 2, 3, 4, 5 }, rows = rows }
end

-- The steps of sizing, one a row.
local function sizing(rate, capacity, percent, zones)
  local each = capacity * percent // 100
  local left = rate / each
  local rows = {}
  for i, r in ipairs {
    { "a router as planned", each },
    { "must be left", decimals(left, 2) },
    { "in each of " .. zones - 1 .. " zones", decimals(left / (zones - 1), 2) },
    { "rounded up", math.ceil(left / (zones - 1)) },
    { "in " .. zones .. " zones", fleet(rate, each, zones) },
  } do rows[i] = { label = r[1], cells = function() return { r[2] } end } end
  return { title = "Sizing", columns = { "step", "routers" }, numbers = { 2 }, rows = rows }
end

local FAILOVER = "failover"
local function broken(rule) return check.search(FAILOVER, { without = { rule }, size = "small" }) end
function shortest(rule) return broken(rule).depth end

function step_with(r, words)
  for i, step in ipairs(r.steps) do
    if string.find(step.actor .. " " .. step.action, words, 1, true) then return i end
  end
  return 0
end

local LEAD_RULES = { "ack-needs-majority", "election-needs-majority", "vote-for-longer-log", "refuse-old-term", "durable-vote", "votes-count-once" }
local function searches()
  local rows = {}
  for i, rule in ipairs(LEAD_RULES) do
    rows[i] = { label = rule, cells = function()
      local r = broken(rule)
      return { r.holds and "-" or r.depth }
    end }
  end
  return { title = "The shortest failure", columns = { "without", "steps" }, numbers = { 2 }, rows = rows }
end
function spare()
  local n = 0
  for i = 1, #LEAD_RULES do if cells[i][2] == "-" then n = n + 1 end end
  return n
end

-- A write a millisecond; the leader reaches nobody for so many ms, and dies.
local ALONE, RATE = 20, 1000
local function acks_table()
  local rows = {}
  for i, acks in ipairs { "one", "majority", "all" } do
    rows[i] = { label = acks, run = function(f)
        perform(f, "group P7 acks " .. acks, "append P7 rate " .. RATE)
        f:play_for(1)
        perform(f, "split N1")
        f:play_for(ALONE / 1000)
        perform(f, "node N1 down", "append P7 rate 0", "heal")
        f:play_for(4)
      end,
      cells = function(f) return { f:group("P7").lost } end }
  end
  return { title = "OK when ... copies have it", columns = { "copies", "lost" }, numbers = { 2 }, rows = rows }
end

-- Writes of a second that are told OK while one follower is down.
function follower_down(w, acks)
  local f = w:fork()
  perform(f, "group P7 acks " .. acks, "node N5 down", "append P7 rate " .. RATE)
  f:play_for(1)
  return f:group("P7").acked
end

-- How many of a group's nodes may die one after the other: for a write that was told OK as soon as it could
-- be, for one that all have, and for writes.
local function deaths_table()
  local rows = {}
  for i, nodes in ipairs { "N1 N2 N3", "N1 N2 N3 N4 N5" } do
    local told, kept, written = 0, 0, 0
    local list = {}
    for node in string.gmatch(nodes, "N%d") do list[#list + 1] = node end
    local function held(f)
      for _, r in ipairs(f:group("P1").replicas) do if r.up and r.last > 0 then return true end end
      return false
    end
    rows[i] = { label = tostring(#list), run = function(f)
        local half = #list // 2 + 1
        perform(f, "group P1 " .. nodes, "split " .. table.concat(list, " ", half + 1), "append P1 via N1")
        f:play_for(0.1)
        for n = 1, half do
          f:command("node " .. list[n] .. " down")
          if held(f) then told = n end
        end
        for n = 1, half do f:command("node " .. list[n] .. " up") end
        perform(f, "heal", "group P1 " .. nodes, "append P1 via N1")
        f:play_for(0.1)
        for n = 1, #list - 1 do
          f:command("node " .. list[n] .. " down")
          f:play_for(4)
          local before = f:group("P1")
          if before.leader then
            f:command("append P1 via " .. before.leader)
            f:play_for(0.1)
          end
          if f:group("P1").acked > before.acked then written = n end
          if held(f) then kept = n end
        end
      end,
      cells = function() return { told, kept, written } end }
  end
  return { title = "How many may die", columns = { "copies", "told OK", "on all", "writes" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- Twelve shards as they were dealt.
local function dealt(w, gb)
  healed(w)
  for i, on in ipairs(ON) do
    w:command(string.format("group P%d N%d N%d N%d bytes %dGB", i, on[1], on[2], on[3], gb or GB))
  end
  w:play_for(0.5)
end

-- How many of P1 to P12 a node leads.
function leads_of(w, name)
  local n = 0
  for i = 1, SHARDS do if leader(w, "P" .. i) == name then n = n + 1 end end
  return n
end
function dealt_leads(node)
  local n = 0
  for _, on in ipairs(ON) do if on[1] == node then n = n + 1 end end
  return n
end

-- N3 has died, and others stood at once.
local function promoted(w)
  dealt(w)
  perform(w, "node N3 down", "stand P2 N4", "stand P6 N2", "stand P9 N1", "stand P11 N1")
  w:play_for(0.5)
end

local PLAN = { P2 = 1, P4 = 5, P6 = 5, P9 = 2, P11 = 4, P12 = 1 }
local NEEDY = { "P2", "P4", "P6", "P9", "P11", "P12" }
local function plans(w)
  local function made(f, plan)
    f:command("node N3 down")
    f:play_for(3)
    f:command("recopy on " .. BUDGET .. "MB")
    for _, name in ipairs(NEEDY) do f:command("recopy " .. name .. " N" .. plan[name]) end
    f:play_for(30)
  end
  local function cells(f)
    local out = {}
    for _, i in ipairs { 1, 2, 4, 5 } do out[#out + 1] = f:node("N" .. i).replicas end
    return out
  end
  local better = {}
  for name, node in pairs(PLAN) do better[name] = node end
  better.P2 = 2
  return { title = "Copies on each node", columns = { "plan", "N1", "N2", "N4", "N5" }, numbers = { 2, 3, 4, 5 }, rows = {
    { label = "as drawn", run = function(f) made(f, PLAN) end, cells = cells },
    { label = "P2 to N2", run = function(f) made(f, better) end, cells = cells },
    { label = "fewest first", run = function(f)
        f:command("node N3 down")
        f:play_for(3)
        perform(f, "recopy on " .. BUDGET .. "MB", "recopy now N3")
        f:play_for(30)
      end, cells = cells },
  } }
end

-- --- stores ---

local KEY, AWAY = "mia", "ida" -- on N1 N2 N3, and on N3 N4 N5

local function shop(w, words)
  healed(w)
  perform(w, "store cart " .. words)
end

-- Value 2 is on its way: N1 has it, N2 and N3 not yet.
local function half_written(f)
  perform(f, "set cart mia 1 via N1")
  f:play_for(0.5)
  perform(f, "set cart mia 2 via N1", "node N1 slow 300") -- the client's message is on its way already
  f:play_for(0.001)
  perform(f, "node N1 slow 1")
end

-- So many reads have their answer; not longer than a tenth of a second.
local function answered_reads(f, wanted)
  for _ = 1, 100 do
    local n = 0
    for _, op in ipairs(f:history("cart")) do
      if op.op == "get" and op.ended_ms then n = n + 1 end
    end
    if n >= wanted then return end
    f:play_for(0.001)
  end
end

-- One reads the new value, where N1 is near. When that is told another one reads elsewhere; whatever
-- the first one's node writes on is slow.
local function two_reads(f)
  perform(f, "get cart mia via N4")
  f:play_for(0.0005)
  perform(f, "node N4 slow 40")
  answered_reads(f, 1)
  perform(f, "node N1 slow 100", "get cart mia via N5")
  answered_reads(f, 2)
end

-- What the reads of a store returned, in their order.
function returned(w)
  local out = {}
  for _, op in ipairs(w:history("cart")) do
    if op.op == "get" then out[#out + 1] = op.value end
  end
  return out
end

-- mia's cart is on N3, N4 and N5 there; the cut leaves N1 and N2 here. Both sides write.
local function both_sides(w, words, ...)
  shop(w, words)
  perform(w, ...)
  perform(w, "set cart ida 1 via N3")
  w:play_for(0.5)
  perform(w, "get cart ida via N1")
  w:play_for(0.5)
  perform(w, "split N1 N2")
end

local function write_here(w) perform(w, "set cart ida 2 via N1") w:play_for(0.5) end
local function write_there(w) perform(w, "set cart ida 3 via N4") w:play_for(0.5) end

function versions_of(w)
  local most = 0
  for _, held in ipairs(w:held("cart", AWAY)) do
    if held.wanted then most = math.max(most, #held.values) end
  end
  return most
end

-- --- dead, or slow ---

local PERIOD = 1000
local function watched(w)
  healed(w)
  w:command("beats " .. PERIOD .. " timeout 10000")
  w:play_for(8)
end
-- N2 hangs for four seconds; later N3 dies.
local function hang(f, watch)
  perform(f, "beats " .. PERIOD .. " " .. watch)
  f:play_for(20)
  perform(f, "node N2 slow 12000")
  f:play_for(1.5)
  perform(f, "node N2 slow 1")
  f:play_for(20)
  perform(f, "node N3 down")
  f:play_for(45)
end
local function watch_table()
  local rows = {}
  for i, t in ipairs { 2, 5, 10, 30 } do
    rows[i] = { label = t .. " s", run = function(f) hang(f, "timeout " .. 1000 * t) end,
      cells = function(f)
        local b = f:beats()
        return { decimals(b.detect_ms / 1000, 1), b.falsely }
      end }
  end
  return { title = "N2 hangs, N3 dies", columns = { "timeout", "N3 found in s", "falsely" }, numbers = { 2, 3 }, rows = rows }
end

-- phi of N2 after three seconds of silence; before, its beats came evenly, or now and then late.
local function silence(f, uneven)
  perform(f, "beats " .. PERIOD .. " phi 8")
  for i = 1, 30 do
    if uneven and i % 3 == 0 then perform(f, "node N2 slow 5000") end
    f:play_for(1)
    if uneven then perform(f, "node N2 slow 1") end
  end
  perform(f, "node N2 down")
  f:play_for(3)
end
local function phi_table()
  local function cells(f) return { decimals(f:node("N2").phi, 1) } end
  return { title = "N2 is silent for 3 s", columns = { "its beats before", "phi" }, numbers = { 2 }, rows = {
    { label = "even", run = function(f) silence(f, false) end, cells = cells },
    { label = "often late", run = function(f) silence(f, true) end, cells = cells } } }
end

-- The storm: 50 nodes with so many shards and bytes get 10 more.
local STORM = { nodes = 50, more = 10, shards = 10000, tb = 50 }
local function storm()
  local share = STORM.more / (STORM.nodes + STORM.more)
  local most = math.ceil(STORM.shards / (STORM.nodes + STORM.more))
  local each = most * (STORM.tb * 1000 // STORM.shards)
  return { share = share, tb = STORM.tb * share, most = most, each = each, minutes = each / 1.25 / 60, hours = each * 1000 / 25 / 3600 }
end

local DEAD_AFTER, JOINED = 1200, { "c", "a", "b" } -- ms; zones of three nodes more
local LARGE = 20 -- GB of a shard, where copies take their time
local function joined(w)
  healed(w)
  for i = w:nodes() - NODES + 1, #JOINED do w:command("node add " .. JOINED[i]) end
  dealt(w, LARGE)
end

local RETRIES, HOT, HOSTED = 3, 100, 51

-- Ten new nodes, by the throttle of each.
local function storm_table()
  local rows = {}
  for i, r in ipairs { { "200 Mb/s", 25 }, { "1 Gb/s", 125 }, { "10 Gb/s", 1250 } } do
    rows[i] = { label = r[1], cells = function()
      local minutes = storm().each * 1000 / r[2] / 60
      return { r[2], minutes < 120 and decimals(minutes, 1) .. " min" or decimals(minutes / 60, 2) .. " h" }
    end }
  end
  return { title = decimals(storm().each) .. " GB for each new node", columns = { "throttle", "MB/s", "time" }, numbers = { 2, 3 }, rows = rows }
end

-- What N3's death brings, by the throttle: in four minutes.
local MINUTES = 4
local function throttled(_, knob)
  return { title = knob.cap .. " MB/s for each copy", columns = { "", "dead, alive", "copies made" }, numbers = { 2, 3 }, rows = {
    { label = "N3 dies", run = function(f)
        perform(f, "recopy on " .. knob.cap .. "MB", "node N3 down")
        f:play_for(60 * MINUTES)
      end,
      cells = function(f) return { f:beats().falsely, f:recopy().done - M.done } end } } }
end

-- What W and R of five bear.
local function choice_of_quorum(_, knob)
  local function store(f) perform(f, string.format("store mine 5 %d %d", knob.weight, knob.size)) end
  local function down(f, from, to, up)
    for i = from, to do f:command("node N" .. i .. (up and " up" or " down")) end
    f:play_for(0.1)
  end
  local function yes(x) return { x and "yes" or "no" } end
  return { title = "N = 5, W = " .. knob.weight .. ", R = " .. knob.size, columns = { "does it work?", "" }, rows = {
    { label = "write, two down", run = function(f)
        store(f)
        down(f, 4, 5)
        f:command("set mine mia 1 via N1")
        f:play_for(0.5)
      end, cells = function(f) return yes(f:store("mine").sets_ok == 1) end },
    { label = "read, two down", run = function(f)
        store(f)
        f:command("set mine mia 1 via N1")
        f:play_for(0.5)
        down(f, 4, 5)
        f:command("get mine mia via N1")
        f:play_for(0.5)
      end, cells = function(f) return yes(f:store("mine").gets_ok == 1) end },
    -- W nodes have it; a read reaches R of the others first
    { label = "read meets write", run = function(f)
        store(f)
        down(f, knob.weight + 1, 5)
        f:command("set mine mia 1 via N1")
        f:play_for(0.5)
        down(f, knob.weight + 1, 5, true)
        down(f, 1, 5 - knob.size)
        f:command("get mine mia via N5")
        f:play_for(0.5)
      end, cells = function(f)
        local h = f:history("mine")
        return yes(h[#h].value == 1)
      end },
  } }
end

return lesson {
  id = "10_one_like_end_to_end", part = 10, title = "One like, end to end", minutes = 12,
  needs = { "05_taming_hot_writes", "08_moving_data_live" },
  world = "story-quiet",
  placement = { go = "enough" },

  steps = {
    -- ------------------------------------------------------------------ the placement check

    { id = "check-ok", title = "Told OK", check = true, show = { "counter:likes:{p9}" }, key = P9, enter = evening,
      say = [[
        A router sums likes in its memory, and writes totals. It dies with a like in it that was told OK, and comes back empty.]],
      predict = { id = "p10-check-ok", kind = "choice", ask = "What has become of that like?",
        choices = {
          { "It is lost for good", belief = "memory holds the only copy", why = "Its row was in `liked` before its fan was told OK.",
            holds = function(w) return without_router(w).forgotten > 0 end },
          { "The count lacks it, for now", holds = function(w) local c = without_router(w) return c.forgotten == 0 and c.lost > 0 end },
          { "It is in the count", belief = "OK means counted", why = "What was not flushed no shard has seen.",
            holds = function(w) return without_router(w).lost == 0 end },
        },
        why = "The row is there, and a rebuild finds it." } },

    { id = "check-fleet", title = "A fleet", check = true, show = { "fleet" }, enter = evening,
      say = [[
        18,000 requests a second. A router carries 2,000 as planned. Three zones, and one of them may be lost.]],
      predict = { id = "p10-check-fleet", kind = "number", unit = "routers", tolerance = 0, ask = "How many routers?",
        answer = function() return fleet(18000, 2000, 3) end,
        wrong = { [9] = { belief = "zones do not fail", why = "With a zone lost 6 would be left, for 18,000." },
          [14] = { belief = "half as much again", why = "13.5, rounded up at the end: a zone of 4 would get half of all." } },
        why = "9 in two zones is 4.5, so 5 in each." } },

    { id = "check-lead", title = "A majority", check = true, show = { "nodes" }, enter = evening,
      say = [[
        A shard has five copies. A cut leaves its leader with one follower on one side, and three followers on the other.]],
      predict = { id = "p10-check-lead", kind = "choice", ask = "Where are writes told OK?",
        choices = {
          { "On the leader's side", belief = "a leader is for good", why = "Two of five are no majority.", holds = function() return least_read(5, 3) <= 2 end },
          { "Where the three are", holds = function() return least_read(5, 3) == 3 end },
          { "Nowhere", belief = "a cut stops everything", why = "Three of five elect a leader and go on.", holds = function() return least_read(5, 3) > 3 end },
        },
        why = "Three of five are a majority." } },

    { id = "check-quorum", title = "Enough", check = true, show = { "nodes" }, enter = evening,
      say = [[
        A store without leaders: N = 5, W = 3.]],
      predict = { id = "p10-check-quorum", kind = "number", unit = "answers", tolerance = 0, ask = "How large must R be to meet every write that was told OK?",
        answer = function() return least_read(5, 3) end,
        wrong = { [2] = { belief = "as many as may be missing", why = "2 + 3 is 5, not more: both may be those that lack it." },
          [5] = { belief = "ask all to be sure", why = "Three of five and three of five share one." } },
        why = "R + 3 > 5." } },

    -- ------------------------------------------------------------------ one like

    { id = "evening", title = "20:20", show = { "counter:likes:{p9}" }, key = P9, enter = evening,
      say = [[
        p9 was hot at 20:02. Since then its likes are summed at the {ROUTERS} routers, each writes its total twice a second, and its slot moved to S4.

        Just now nobody asks. When its fans are there, {LIKES} a second like it.]],
      with = { LIKES = LIKES, ROUTERS = ROUTERS },
      predict = { id = "p10-evening", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes a second do these likes cost S4?",
        answer = function(w) return crowded(w, 2).S4.writes end,
        wrong = { [LIKES] = { belief = "every like is a write", why = "A router adds likes up in its memory. What it writes is a total." },
          [2] = { belief = "one router does it all", why = "Each of the {ROUTERS} routers writes a total of its own." },
          [ROUTERS] = { belief = "once a second", why = "Twice a second, each of them." } },
        why = "{ROUTERS} routers, twice a second each.",
        hints = { "Who writes to S4?", "{ROUTERS} routers, each twice a second.", "{ROUTERS} x 2." } },
      after = [[
        How does that go for *one* like? Before the fans are back we send one, alone. At each layer: who decides what?]] },

    { id = "a-router", title = "To a router", show = { "trace", "maps" }, key = P9, router = "R2", enter = evening,
      say = [[
        A phone in zone b likes p9. Its app asks the load balancer, which knows routers and nothing of posts. In b are R2 and R3. p9 is on S4, in zone c.]],
      predict = { id = "p10-a-router", kind = "choice",
        ask = "Which router may take the like?",
        choices = {
          { "Any, so one near: R2 or R3", holds = function() return M.any end },
          { "One in zone c, beside S4", belief = "the way is chosen by where the data is", why = "Then each phone would have to know the map. Routers exist so that it need not.",
            holds = function() return not M.any end },
          { "The one that sums p9's likes", belief = "a key has its router", why = "All of them sum p9, each what it gets.",
            holds = function() return not M.any end },
        },
        why = "Each router has the map and sums for itself. So the near one is taken.",
        hints = { "What does the load balancer know?", "Routers, and which are near.", "Could R0 do it as well?" } },
      run = function(w)
        M.any = any_router(w)
        M.shown, M.durable = w:count(P9).shown, w:count(P9).durable
        w:send("like", P9, "R2")
        w:play_for(0.0005)
      end,
      after = [[
        R2 has it. The *load balancer* decides by nearness alone.]] },

    { id = "told-ok", title = "OK", show = { "trace", "counter:likes:{p9}" }, key = P9, router = "R2", enter = evening,
      say = [[
        R2 has limits, and turns nothing away now. The phone waits.]],
      predict = { id = "p10-told-ok", kind = "choice", confidence = true,
        ask = "When may R2 tell it OK?",
        choices = {
          { "Now: it is in R2's sum", belief = "a router's memory will do", why = "R2 may die the next moment, and the fan was told OK.",
            holds = function(w) return w:count(P9).durable == M.durable end },
          { "When its row is in `liked`", holds = function(w) local c = w:count(P9) return c.durable > M.durable and c.shown == M.shown end },
          { "When S4 has it", belief = "OK means counted", why = "S4 hears of it with R2's next total. Nobody has to wait for that: the row is what cannot be lost.",
            holds = function(w) return w:count(P9).shown > M.shown end },
        },
        why = "What is told OK must survive. A row in `liked` does, a sum in memory does not.",
        hints = { "What must be true of a like that was told OK?", "It is never lost.", "Where can it not be lost?" } },
      run = function(w) w:play_answered() end,
      after = [[
        OK after {last.ms} ms. `liked` decides whether the row is *new*: a like that comes twice counts once.]] },

    { id = "not-counted", title = "Where is my like?", show = { "counter:likes:{p9}", "trace" }, key = P9, router = "R0", enter = evening,
      say = [[
        A friend asks for p9's count, now, through R0, and R0 asks S4.]],
      predict = { id = "p10-not-counted", kind = "choice",
        ask = "Is the like in what the friend sees?",
        choices = {
          { "Yes: it was told OK", belief = "OK means counted", why = "It is in `liked`, and in R2's memory. S4, which is asked for the count, has not heard of it.",
            holds = function() return last.value > M.shown end },
          { "No, not yet", holds = function() return last.value == M.shown end },
          { "Yes, if R0 asks R2 as well", belief = "routers ask each other", why = "They do not. What R2 has in memory only R2 knows.",
            holds = function() return false end },
        },
        why = "Told OK is one promise, counted another. Only the first is kept at once.",
        hints = { "Whom does R0 ask?", "S4, for the post and all its sub-keys.", "Has R2 written its total by now?" } },
      run = function(w)
        w:send("read", P9, "R0")
        w:play_answered()
      end,
      after = [[
        {last.value}, as before. A count may be half a second behind: that was decided in Part 5, by whoever set the flush to {FLUSH} ms.]],
      with = { FLUSH = FLUSH } },

    { id = "the-flush", title = "The flush", show = { "trace:" .. P9 .. ":r2", "maps" }, key = P9, router = "R2", enter = evening,
      say = [=[
        R2's own *clock* decides when its total goes out. *Where* to: key, slot {SLOT}, and its copy of the [[map]]. But R2 slept at 20:11. Its map is v{R2.version}, the
        directory's v{w:map_version()}.]=],
      with = { SLOT = tostring(SLOT), P9 = P9 },
      predict = { id = "p10-the-flush", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards does R2 ask until its total is stored?",
        answer = function(w) return w.R2.redirects + 1 end,
        wrong = { [1] = { belief = "shards forward", why = "S2, which the old map names, does not pass it on. It says MOVED, and R2 goes to S4 itself." },
          [5] = { belief = "a lost router asks everybody", why = "S2's slot table says where the slot went. One look is enough." } },
        why = "S2, whose slot table knows better, and then S4.",
        hints = { "Where does R2's map send it?", "To S2. What does S2's slot table say?", "Moved to S4." } },
      run = function(w)
        w:play_for(0.5)
        w:deaf("R2", false)
      end,
      after = [[
        The map proposes, and the *shard* decides: by its slot table. S2 said MOVED, so R2 fetched v{R2.version}. S4 found the total newer than the one before: the count is {w:count(P9).shown}, and the like is in.]] },

    { id = "who-loses", title = "What may be lost", show = { "table" }, key = P9, enter = evening,
      table = function()
        local rows = {}
        for i, r in ipairs {
          { "balancer", "near router", "-" },
          { "router", "limits", "the sum" },
          { "liked", "new?", "the row" },
          { "flush", "when", "-" },
          { "map", "which shard", "a copy" },
          { "slot table", "mine, moved", "one row" },
          { "S4's log", "newer?", "the count" },
        } do rows[i] = { label = r[1], cells = { r[2], r[3] } } end
        return { title = "Who decides what", columns = { "layer", "decides", "has" }, rows = rows }
      end,
      say = [[
        The table comes with your answer. `liked` also has a *stream* of its changes, `like-events`: the rebuild reads it, and nova's notices.

        One layer loses all that it has.]],
      predict = { id = "p10-who-loses", kind = "choice",
        ask = "With which one are likes gone for good?",
        choices = {
          { "A router: its sums", belief = "memory holds the only copy", why = "The count lacks them until the rebuild. The rows are there.",
            holds = function(w) return without_router(w).forgotten > 0 end },
          { "S4: the count", belief = "the count is the truth", why = "It can be counted again, from `liked`.",
            holds = function(w) return w:count(P9).durable < w:count(P9).told end },
          { "`liked`", holds = function(w) return without_router(w, false).forgotten > 0 and without_router(w).forgotten == 0 end },
        },
        why = "All others can be made again from it.",
        hints = { "Which of them can be made again?", "A map from the directory, a count from the rows.", "And the rows?" } },
      after = [=[
        So `liked` is the [[source of truth]], and everything else is speed.]=],
      notes = "Before the table is shown let each of the group name one layer, and what it decides." },

    -- ------------------------------------------------------------------ one read

    { id = "a-read", title = "One read", show = { "cache:" .. POST, "trace" }, key = POST, router = "R0",
      enter = function(w)
        evening(w)
        w:send("read", POST, "R0")
        w:play_for(0.3)
      end,
      say = [[
        A friend reads p9 through R0, which asks S4 for it. Then, 300 ms later, another one does.]],
      predict = { id = "p10-a-read", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards does this read ask?",
        answer = function() return last.asks end,
        wrong = { [1] = { belief = "a read goes to the shard", why = "R0 kept the answer, and it is less than a second old." },
          [7] = { belief = "each sub-key is a shard", why = "They share the tag p9, so they are all on S4. And R0 need not ask even that." } },
        why = "R0 has an answer that is fresh for a second.",
        hints = { "What did the first read leave behind at R0?", "An answer. How old is it?", "Younger than a second: fresh." } },
      run = function(w)
        w:send("read", POST, "R0")
        w:play_answered()
      end,
      after = [[
        {last.ms} ms, and no shard heard of it: the *router* decides, by the age of what it keeps. About once a second each asks S4 anew, in one request for the post and all sums. Of {READS} reads a second S4 sees {ROUTERS}.]],
      with = { READS = READS, ROUTERS = ROUTERS } },

    -- ------------------------------------------------------------------ the fleet

    { id = "peak", title = "Everybody", show = { "system" }, key = P9, enter = busy_fleet,
      say = [[
        The fans are back: {LIKES} likes and {READS} reads of p9, {LIKE} and {READ} of each of {POSTS - 1} others. That is {LIKES + 15 * LIKE} and {READS + 15 * READ}: {peak()} requests a second.

        A router can do {CAPACITY}. It should run at {SHARE}% at most, so that a burst fits.]],
      with = { LIKES = LIKES, READS = READS, LIKE = LIKE, READ = READ, POSTS = POSTS, peak = peak, CAPACITY = CAPACITY, SHARE = SHARE, ROUTERS = ROUTERS },
      predict = { id = "p10-peak", kind = "number", unit = "%", tolerance = 0.5,
        ask = "How full is each of the {ROUTERS} routers?",
        answer = function(w) return round(w:fleet_router("R0").rate * 100 / CAPACITY, 1) end,
        wrong = { [SHARE] = { belief = "a rule is kept because it is a rule", why = "Nobody has checked it since p9 took off." },
          [114] = { belief = "full is where the line is", why = "That is against the {SHARE}% line. Full is {CAPACITY}." } },
        why = "{peak() // ROUTERS} of {CAPACITY}.",
        hints = { "Divide the requests by {ROUTERS}.", "{peak() // ROUTERS} each.", "Of {CAPACITY}." } },
      after = [[
        Over the line, and nothing shows: all are answered. Then zone b loses power.]] },

    { id = "zone-down", title = "Without zone b", show = { "fleet" }, key = P9,
      enter = function(w)
        if w:fleet().capacity == 0 then busy_fleet(w) end
      end,
      say = [[
        R2 and R3 are down. Phones in b turn to the routers of a and c: the load balancer sees to it.]],
      with = { peak = peak, CAPACITY = CAPACITY, ROUTERS = ROUTERS },
      predict = { id = "p10-zone-down", kind = "number", unit = "requests/s", tolerance = 60,
        ask = "How many requests a second do routers refuse now?",
        answer = function() return M.refused end,
        wrong = { [0] = { belief = "the others take over", why = "They take what they can: {CAPACITY} each, and they are {ROUTERS - 2}." },
          [round(peak() / 3)] = { belief = "a lost zone's share is lost", why = "So much came to b. It goes to the others now, and fills what they had left." } },
        why = "{peak()} come, and {ROUTERS - 2} routers take {CAPACITY} each.",
        hints = { "How many routers are left?", "{ROUTERS - 2}, of {CAPACITY} each.", "{peak()} less {(ROUTERS - 2) * CAPACITY}." } },
      run = function(w)
        w:command("zone b down 300")
        w:play_for(1)
        local before = w:fleet().refused
        w:play_for(1)
        M.refused = w:fleet().refused - before
      end,
      after = [[
        {round(peak() * 100 / (ROUTERS - 2) / CAPACITY, 1)}% each. More than one of four requests fails, from phones of all zones, for all posts alike.]] },

    { id = "size", title = "A zone to spare", show = { "fleet" }, key = P9,
      say = [[
        So a fleet is sized for the day on which a zone is gone. For 9,000 a second, {each()} a router, {ZONES} zones:

          9,000 / {each()} = 4.5 must be left
          in {ZONES - 1} zones: 2.25 in each
          rounded up: 3 in each
          in {ZONES} zones: 9

        p9's app: {peak()} / {each()} is {decimals(peak() / each(), 2)}, in {ZONES - 1} zones.]],
      with = { peak = peak, each = each, ZONES = ZONES, CAPACITY = CAPACITY },
      predict = { id = "p10-size", kind = "number", unit = "routers", tolerance = 0,
        ask = "How many routers does it need?",
        answer = function() return fleet(peak(), each(), ZONES) end,
        wrong = { [7] = { belief = "zones do not fail", why = "That is for a day with all zones." },
          [11] = { belief = "half as much again", why = "{decimals(peak() / each() * 1.5, 2)}, rounded up at the end. Zones of 4, 4 and 3: and if a 4 goes, the zone of 3 is too small." },
          [9] = { belief = "rounding goes to the nearest", why = "3 in each: with a zone lost 6 are left, as on that evening." },
          [8] = { belief = "the spare zone is empty", why = "Nobody knows which zone goes. Each must have its 4." } },
        why = "{decimals(peak() / each() / 2, 2)} in each, so 4, in three zones.",
        hints = { "How many must each of two zones have?", "{decimals(peak() / each() / 2, 2)}, rounded up.", "4 in each of three." } },
      after = [[
        On a good day each has {round(peak() / 12, 1)}, {round(peak() / 120 / CAPACITY * 1000, 1)}% of {CAPACITY}; without a zone {round(peak() / 8, 2)}. The line holds.]],
      notes = "Ask who has counted per zone, and who rounded at the end." },

    -- ------------------------------------------------------------------ what a shard is made of

    { id = "three-copies", title = "Three of each", show = { "nodes", "replicas:P1" }, enter = cluster_of_copies,
      say = [=[
        S4 looked like one box. Really a shard is the same data on several machines, [[nodes]]: one copy *leads* (L) and takes the writes, others *follow* (f). Here are {NODES} nodes and {SHARDS} shards, P1 to P12, each a *group* of copies.

        N1 leads P1. It appends a write and sends it to N2 and N5.]=],
      with = { NODES = NODES, SHARDS = SHARDS },
      predict = { id = "p10-three-copies", kind = "number", unit = "copies", tolerance = 0,
        ask = "How many of the three must have it before OK, so that the death of any one node loses nothing?",
        answer = needed,
        wrong = { [1] = { belief = "the leader's copy is the data", why = "N1 may be the one that dies." },
          [3] = { belief = "all copies must agree", why = "Then a dead follower stops all writes. Two are enough: one of them lives." } },
        why = "Two of three, a majority. Whatever one dies, another has it.",
        hints = { "With one copy: what if it is N1 that dies?", "With all three: what if N5 is down for a day?", "Something in between." } },
      run = function(w)
        w:command("append P1 via N1")
        w:play_for(0.05)
      end,
      after = [=[
        That is a [[quorum]]: so many that they are enough. Any two majorities share a node, and the rest follows from it.]=] },

    { id = "n3-dies", title = "N3 dies", show = { "nodes" },
      enter = function(w)
        healed(w)
        perform(w, "split N5", "append P2 via N3") -- N5 lacks what N3 and N4 have
        w:play_for(0.004)
        w:command("heal")
      end,
      say = [[
        N3 leads some shards and follows in others. It loses power.

        A shard without a leader takes no writes.]],
      predict = { id = "p10-n3-dies", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many of {SHARDS} shards take no writes, right after?",
        answer = leaderless,
        wrong = { [6] = { belief = "a lost copy stops a shard", why = "Two of them lost a follower. Their leader and one more are a majority." },
          [12] = { belief = "a cluster fails as a whole", why = "Shards do not know each other. Those without N3 noticed nothing." },
          [2] = { belief = "followers take the writes", why = "Those two lost a follower, and go on." } },
        why = "Those that N3 led: P2, P6, P9 and P11.",
        hints = { "Look at N3's column.", "Which L are there?", "P4 and P12 only lost an f." } },
      with = { SHARDS = SHARDS },
      run = function(w)
        w:command("node N3 down")
        w:play_for(0.01)
      end,
      after = [[
        P4 and P12 lost a follower, and go on like the rest.]] },

    { id = "who-leads", title = "Who leads P2?", show = { "replicas:P2", "nodes" },
      enter = function(w)
        if not w:node("N3").down then w:command("node N3 down") end
      end,
      say = [=[
        A follower that hears nothing from its leader for a while *stands* for the next [[term]] and asks the others for their votes. Each has one vote a term. P2 has N4 and N5 left, and N5 lacks the
        last write that was told OK.]=],
      predict = { id = "p10-who-leads", kind = "choice", confidence = true,
        ask = "Who leads P2 next?",
        choices = {
          { "Whoever stands first", belief = "first come, first served", why = "N5 may stand first. N4 has more in its log, and does not vote for it.",
            holds = function(w) return leader(w, "P2") == "N5" end },
          { "N4", holds = function(w) return leader(w, "P2") == "N4" end },
          { "Nobody, until N3 is back", belief = "a leader is for good", why = "Two of three are a majority. They need nobody else.",
            holds = function(w) return leader(w, "P2") == nil end },
        },
        why = "Nobody votes for a log that is behind its own. And two votes are needed.",
        hints = { "How many votes are needed? Two.", "Will N4 vote for somebody who has less?", "Then N5 cannot get its second vote." } },
      run = function(w)
        w:play_for(4)
        w:command("look P2")
        w:play_for(0.1)
        M.looked = w:group("P2").looked
      end,
      after = [=[
        {leader(w, "P2")}, after {round(w:group("P2").leaderless_ms)} ms: a [[failover]], with no operator.{stood(w)} Its term begins with an empty entry, which commits all before it: a read gives {looked()}.]=],
      with = { looked = function() return M.looked end,
        stood = function(w) return w:group("P2").term > 2 and " (In term " .. w:group("P2").term .. ": N5 stood before, in vain.)" or "" end } },

    { id = "copied-anew", title = "Two of three", show = { "nodes" },
      enter = function(w)
        if not w:node("N3").down then w:command("node N3 down") w:play_for(4) end
        w:command("recopy on " .. BUDGET .. "MB")
      end,
      say = [[
        N3 is declared dead after a while, and each shard that lacks a copy gets one on another node: {GB} GB, at {BUDGET} MB a second.]],
      with = { GB = GB, BUDGET = BUDGET, SHARDS = SHARDS, made = function(w) return w:recopy().done - M.done end },
      predict = { id = "p10-copied-anew", kind = "number", unit = "copies", tolerance = 0,
        ask = "How many copies has the fullest of the four nodes then?",
        answer = function(w)
          local most = 0
          for i = 1, NODES do most = math.max(most, w:node("N" .. i).replicas) end
          return most
        end,
        wrong = { [14] = { belief = "one node takes over", why = "A copy may go to any node that has none of its shard. They are spread, where there are fewest." },
          [10] = { belief = "nobody looks at the whole", why = "Each copy goes where there are fewest." },
          [8] = { belief = "copies are lost with their node", why = "N3's are made anew, elsewhere." } },
        why = "{SHARDS} x 3 copies on four nodes.",
        hints = { "How many copies are there in all?", "{SHARDS} x 3. Four nodes are left.", "Spread evenly." } },
      run = function(w)
        M.done = w:recopy().done
        w:command("recopy now N3")
        for _ = 1, 60 do
          w:play_for(0.5)
          if w:recopy().under_way == 0 then break end
        end
      end,
      after = [[
        {made(w)} copies, for the {made(w)} of N3, side by side in {GB * 1000 // BUDGET} s. Now the nodes hold {on_each(w, "replicas")}.]] },

    { id = "cut", title = "A cut", show = { "replicas:P7", "nodes" },
      enter = function(w)
        healed(w)
        if leader(w, "P7") ~= "N1" or w:group("P7").acked == 0 then
          w:command("append P7 via " .. (leader(w, "P7") or "N1"))
          w:play_for(0.3)
        end
      end,
      say = [=[
        N3 is back. P7 is on N1, which leads it, N4 and N5. Now nobody dies, but the network is cut: N1 and N2 here, N3, N4 and N5 there. Clients reach both sides. One
        writes to N1, later one over there.]=],
      predict = { id = "p10-cut", kind = "choice", confidence = true,
        ask = "Who is told OK?",
        choices = {
          { "Who writes to N1: it leads", belief = "a leader is for good", why = "N1 may believe so. Of three copies it reaches one, its own.",
            holds = function(w) return M.here and not M.there end },
          { "Who writes over there", holds = function(w) return M.there and not M.here end },
          { "Both", belief = "each side goes on alone", why = "That would be a split brain. N1 cannot get a second copy, so it says nothing.",
            holds = function(w) return M.there and M.here end },
          { "Nobody, until it is healed", belief = "a cut stops everything", why = "N4 and N5 are two of three. They elect a leader and go on.",
            holds = function(w) return not M.there and not M.here end },
        },
        why = "N4 and N5 are two of P7's three copies. Only one side can have a majority.",
        hints = { "How many of P7's copies has each side?", "One here, two there.", "Two of three is a majority." } },
      run = function(w)
        local before = w:group("P7").acked
        w:command("split N1 N2")
        w:command("append P7 via N1")
        w:play_for(4)
        M.here = w:group("P7").acked > before
        before = w:group("P7").acked
        local there = leader(w, "P7")
        w:command("append P7 via " .. (there ~= "N1" and there or "N4"))
        w:play_for(1)
        M.there = w:group("P7").acked > before
      end,
      after = [=[
        {leader(w, "P7")} leads term {w:group("P7").term}, N1 has not heard of it: {w:group("P7").leaders} believe that they lead. But one only gets OKs, so it is no [[split brain]]: two majorities would share a node, and that node knows.]=],
      notes = "Draw three copies and every way to part them: no cut leaves two majorities." },

    -- ------------------------------------------------------------------ enough

    { id = "enough", title = "Without a leader", show = { "store:cart:mia" },
      enter = function(w)
        healed(w)
        perform(w, "store cart 5 4 2")
      end,
      say = [=[
        Some stores have no leader. A key is on *N* nodes. A write is sent to all, and told OK when *W* have it. A read waits for *R* answers and takes the newest.

        N = 5, W = 4: a read of R = 2 meets every write, as 4 + 2 > 5. With R = 1 it may ask the one that lacks it.

        Now N = 3, W = 2.]=],
      predict = { id = "p10-enough", kind = "number", unit = "answers", tolerance = 0,
        ask = "How large must R be, at least, to meet every write that was told OK?",
        answer = function() return least_read(3, 2) end,
        wrong = { [1] = { belief = "the fastest answer is the newest", why = "It may be the node that lacks the write." },
          [3] = { belief = "ask all to be sure", why = "Two of three and two of three always share one." } },
        why = "Then the two sets share a node.",
        hints = { "How many nodes may lack a write? One.", "Which R cannot miss it?", "2 + 2 > 3." } },
      run = function(w)
        w:command("store cart 3 2 2")
        w:command("set cart mia 1 via N1")
        w:play_for(0.5)
        w:command("get cart mia via N2")
        w:play_for(0.5)
      end,
      after = [[
        R + W > N: the sets *overlap*. So a read meets each write that was over. More it does not promise.]] },

    { id = "tell", title = "Tell a colleague", show = { "nodes" },
      say = [[
        "We have three copies. So two may die."]],
      predict = { id = "p10-tell", kind = "explain",
        ask = "What is true of it, and what not?",
        model = "What all three have survives two deaths. What was told OK, maybe on two, survives one, and so do writes: they need two of three.",
        rubric = { "on all three: two deaths", "told OK: one", "writes: one", "two of three are needed" },
        hints = { "On how many copies is a write that was told OK?", "What needs two that live?", "Why not be content with one?" } },
      after = [[
        From here on it goes deeper.]] },

    -- ------------------------------------------------------------------ deeper: leaders

    { id = "acks", title = "Who must have it?", deeper = true, show = { "table", "replicas:P7" }, enter = function(w) dealt(w) end, table = acks_table,
      say = [[
        The shards are as dealt at first again. Many stores let you choose: OK when *one* copy has it, the leader's; a *majority*; or *all*. P7 gets {RATE} writes a second. Its leader reaches nobody for {ALONE} ms, then dies.]],
      with = { RATE = RATE, ALONE = ALONE },
      predict = { id = "p10-acks", kind = "choice",
        ask = "With which are writes lost that were told OK?",
        choices = {
          { "one", holds = function() return cells[1][2] > 0 and cells[2][2] == 0 end },
          { "one and majority", belief = "only all is safe", why = "A write that a majority has is with each later leader: two majorities share a copy.",
            holds = function() return cells[1][2] > 0 and cells[2][2] > 0 end },
          { "none: the log is on disk", belief = "a disk outlives its node", why = "It does, on a node that is down. The new leader has another log, and the old one must take it over.",
            holds = function() return cells[1][2] == 0 end },
        },
        why = "What the leader alone had. The new one never saw it, and goes on without it.",
        hints = { "Where is a write that only the leader has?", "On a node that is dead.", "Who leads now does not have it." } },
      after = [[
        {cells[1][2]} lost. With *all* none is, but let one follower be down: then {follower_down(w, "all")} of {RATE} writes are told OK, with a majority {follower_down(w, "majority")}. Redis and many SQL replicas
        do *one* unless told otherwise.

        (Kafka's *all* is all that are in sync, and `min.insync.replicas` says how few these may be. Here a copy counts when its disk has the write; Kafka and Redis do not wait for the disk.)]] },

    { id = "shortest", title = "The shortest way", deeper = true, show = { "replicas:P7" }, enter = function(w) dealt(w) end,
      protocol = { name = FAILOVER, without = { "ack-needs-majority" } },
      say = [[
        x searches all orders of three copies A, B and C that vote and take writes, without the majority for OK. Its shortest failure has {shortest("ack-needs-majority")} steps: walk them with space. Escape leads back.]],
      predict = { id = "p10-shortest", kind = "number", tolerance = 0,
        ask = "Which step says OK too early?",
        answer = function() return step_with(broken("ack-needs-majority"), "takes write") end,
        wrong = function()
          return { [shortest("ack-needs-majority")] = { belief = "who notices is to blame", why = "C's vote was right: B's log is as far as its own." },
            [step_with(broken("ack-needs-majority"), "stands")] = { belief = "the new leader is at fault", why = "It may stand at any time. A may be dead, or just slow." } }
        end,
        why = "A told its client OK while nobody else had the write.",
        hints = { "Which step tells a client something?", "A takes write 1.", "The first." } },
      after = [[
        No crash is in it, and no cut: a message is slow, that is all.]] },

    { id = "same-term", title = "Without votes", deeper = true, show = { "replicas:P7" }, enter = function(w) dealt(w) end,
      protocol = { name = FAILOVER, without = { "election-needs-majority" } },
      say = [[
        Now whoever stands leads, by its own vote. What must happen before two lead the same term?]],
      predict = { id = "p10-same-term", kind = "choice",
        ask = "At least:",
        choices = {
          { "Two stand, and no more", holds = function() return shortest("election-needs-majority") == 2 end },
          { "A cut in the network", belief = "a split brain needs a cut", why = "It is enough that both are impatient.",
            holds = function() return step_with(broken("election-needs-majority"), "cut") > 0 end },
          { "The leader dies first", belief = "an election needs a death", why = "It is enough that two have not heard from it for a while.",
            holds = function() return step_with(broken("election-needs-majority"), "restart") > 0 end },
        },
        why = "{shortest(\"election-needs-majority\")} steps: B stands, C stands.",
        hints = { "Press x and walk.", "How many steps are there?", "Both say \"stands\"." } },
      after = [[
        With votes of a majority a term has one leader at most: two majorities share a copy, and it votes once.]] },

    { id = "six-rules", title = "Six rules", deeper = true, show = { "table" }, table = searches, protocol = { name = FAILOVER },
      say = [[
        Six of the rules. An OK needs a majority, and so does an election.

        A vote goes to no log behind: the later last term counts, then the length. Who is in a later term refuses an older leader.

        A vote is written down before it is told. It counts once.]],
      predict = { id = "p10-six-rules", kind = "number", tolerance = 0,
        ask = "How many of these six can be left out, alone?",
        answer = spare,
        wrong = { [2] = { belief = "rules come in pairs", why = "When slots move, two cover for each other. Here each has a failure of its own." },
          [1] = { belief = "votes are rarely sent twice", why = "Rarely is enough: with five copies three votes, one of them counted twice, make two leaders." } },
        why = "Each has its own failure.",
        hints = { "Each row of the table is one of them.", "A row that has steps has a failure.", "All have." } },
      after = [[
        The nearest failure is {math.min(cells[1][2], cells[2][2])} steps away, the farthest {cells[6][2]}. Press x: there you switch them. (And there are more: only an entry of its own term lets a leader commit; logs are made to match; a disk has an entry before its copy counts; members change one at a time.)]],
      with = { math = math } },

    { id = "old-copy", title = "A read of a copy", deeper = true, show = { "replicas:P7", "trace:N5" },
      enter = function(w)
        dealt(w)
        perform(w, "append P7 via N1")
        w:play_for(0.5)
        M.stale = w:group("P7").stale
      end,
      say = [[
        Followers may answer reads: it is quicker, and spares the leader. P7 has value {leads_with(w)} on all three. Then N5 is out of touch for {APART} ms, while a write to N1 is told OK.]],
      with = { APART = 50, leads_with = function(w) return w:group("P7").replicas[1].value end },
      predict = { id = "p10-old-copy", kind = "choice",
        ask = "What does a read of N5's copy return?",
        choices = {
          { "The old value", holds = function(w) return w:group("P7").stale > M.stale end },
          { "An error: it is behind", belief = "a copy knows that it is behind", why = "It knows what it has. What it has not heard of it cannot miss.",
            holds = function(w) return w:group("P7").stale == M.stale end },
          { "The new one: it was told OK", belief = "OK means everywhere", why = "OK means a majority, and N5 was not in it.",
            holds = function() return false end },
        },
        why = "N5 answers with what it has.",
        hints = { "Was N5 needed for OK?", "No: N1 and N4 are two of three.", "So what does it have?" } },
      run = function(w)
        perform(w, "split N5", "append P7 via N1")
        w:play_for(0.05)
        w:command("look P7 via N5 weak")
        w:play_for(0.01)
      end,
      after = [=[
        It gave {w:group("P7").looked}. That is [[replica lag]] again, of one that may grow for as long as the cut lasts.]=] },

    { id = "old-leader", title = "A read of an old leader", deeper = true, show = { "replicas:P7" },
      enter = function(w)
        dealt(w)
        perform(w, "append P7 via N1")
        w:play_for(0.5)
        w:command("split N1 N2")
        w:play_for(3)
        local there = leader(w, "P7")
        w:command("append P7 via " .. (there ~= "N1" and there or "N4"))
        w:play_for(0.1)
        M.looks, M.stale = w:group("P7").looks, w:group("P7").stale
      end,
      say = [[
        The cut once more: N1 believes that it leads, {leader(w, "P7")} does, and has taken a write. A client of N1 reads, and wants the truth.]],
      predict = { id = "p10-old-leader", kind = "choice",
        ask = "What does N1 do?",
        choices = {
          { "It answers: it leads", belief = "a leader knows the newest", why = "So it would tell an old value. First it asks whether a majority still follows.",
            holds = function(w) return w:group("P7").stale > M.stale end },
          { "It does not answer", holds = function(w) return w:group("P7").stale == M.stale end },
          { "It sends the client on", belief = "who is deposed knows it", why = "It would, if it heard of the new leader. The cut is in between.",
            holds = function() return false end },
        },
        why = "A leader reads for itself only while it knows that it leads.",
        hints = { "How can N1 know that it still leads?", "A majority must tell it.", "Whom can it reach?" } },
      run = function(w)
        w:command("look P7 via N1")
        w:play_for(1.2)
      end,
      after = [=[
        Or it holds a *leader lease*: for so long the others promised to elect nobody. That trusts that clocks run alike, and that nobody sleeps. (N1 goes on to believe that it leads. Elsewhere who reaches no majority steps down: *check quorum*.)]=] },

    { id = "deaths", title = "How many may die", deeper = true, show = { "table" }, enter = healed, table = deaths_table,
      say = [[
        Three copies: what all have survives two deaths; what was told OK, and writes, one. Take five copies instead, and let nodes die one after the other.]],
      predict = { id = "p10-deaths", kind = "number", unit = "deaths", tolerance = 0,
        ask = "How many do writes survive with five?",
        answer = function() return cells[2][4] end,
        wrong = { [4] = { belief = "one copy is enough", why = "For the data. A write needs a majority, three of five." },
          [3] = { belief = "two are still two", why = "Two are no majority of five: the other three might be alive, elsewhere." } },
        why = "Three of five are a majority.",
        hints = { "What is a majority of five?", "Three.", "How many may then be missing?" } },
      after = [[
        And what was told OK survives {cells[2][2]}: it may be on three. A fourth copy alone would bring nothing for writes: its majority is three.]] },

    { id = "even-leads", title = "Who leads too much?", deeper = true, show = { "nodes" }, enter = promoted,
      say = [[
        Followers keep every write, leaders do more. N1 led {dealt_leads(1)} shards, N2 {dealt_leads(2)}, N3 {dealt_leads(3)}, N4 {dealt_leads(4)}, N5 {dealt_leads(5)}.

        N3 dies again, and this time others stand first: N4 for P2, N2 for P6, N1 for P9 and P11. Now N1 leads {leads_of(w, "N1")}, N2 {leads_of(w, "N2")}, N4 {leads_of(w, "N4")}, N5 {leads_of(w, "N5")}.]],
      try = { ask = "Let N5 lead two, and nobody more than four. `stand P2 N5` lets N5 stand for P2: press : and type, then p, for time to pass.", builds = true,
        goal = function(w)
          local most = 0
          for i = 1, NODES do most = math.max(most, leads_of(w, "N" .. i)) end
          return leads_of(w, "N5") >= 2 and most <= 4
        end,
        solution = { "stand P2 N5", "request read post:{p1} via R0", "stand P11 N5", "request read post:{p1} via R0" },
        hints = { "N4 leads five: one of those. N1 leads four.", "N5 has copies of P2 and of P11.", "`stand P2 N5`, and `stand P11 N5`; p lets time pass." } } },

    { id = "plan", title = "A plan on paper", deeper = true, show = { "table", "nodes" }, enter = function(w) dealt(w) end, table = plans,
      say = [[
        N3 dies, and somebody draws a plan for the six copies: P2 to N1, P4 to N5, P6 to N5, P9 to N2, P11 to N4, P12 to N1. No node gets a copy that it has. N1 had 8, N2 7, N4 8, N5 7.]],
      predict = { id = "p10-plan", kind = "number", unit = "copies", tolerance = 0,
        ask = "How many more has the fullest node than the emptiest, in the end?",
        answer = function()
          local most, least = 0, math.huge
          for c = 2, 5 do most, least = math.max(most, cells[1][c]), math.min(least, cells[1][c]) end
          return most - least
        end,
        wrong = { [0] = { belief = "a valid plan is an even plan", why = "N1 gets two and had 8 already; N2 gets one and had 7." },
          [1] = { belief = "nobody gets more than two", why = "They had not the same to begin with." } },
        why = "N1 has 10, N2 has 8.",
        hints = { "Add to each what it gets.", "N1: 8 and 2.", "N2: 7 and 1." } },
      after = [[
        One change evens it: P2 to N2. *Fewest first* finds such a plan by itself: {on_row(3)}. (In Raft each such change is an entry of the shard's own log.)]],
      with = { on_row = function(r) return cells[r][2] .. ", " .. cells[r][3] .. ", " .. cells[r][4] .. ", " .. cells[r][5] end } },

    { id = "how-long", title = "How long?", deeper = true, show = { "nodes" }, enter = healed,
      say = [[
        The nodes here are quick. Many systems take 10 to 30 s to find that a node is dead, and 1 to 5 s to elect. A copy of {GB} GB at {BUDGET} MB a second is {GB * 1000 // BUDGET} s more.]],
      with = { GB = GB, BUDGET = BUDGET },
      predict = { id = "p10-how-long", kind = "number", unit = "s", tolerance = 0,
        ask = "How long can a shard be without writes, at worst?",
        answer = function() return 30 + 5 end,
        wrong = { [45] = { belief = "a shard waits for its third copy", why = "Two copies are a majority: it writes while the third is made." },
          [5] = { belief = "death is noticed at once", why = "Nobody stands before the leader is taken for dead." },
          [30] = { belief = "a new leader is there at once", why = "First it is found, then somebody is elected." } },
        why = "30 s until it is found, 5 s until somebody leads.",
        hints = { "What must happen before a write is taken?", "It is found, and somebody is elected.", "And the copy?" } },
      after = [[
        {10 + 1} s at best. Most of it is waiting until the death is believed. Here the copies elect; with Kafka or Redis Sentinel others decide. Either way routers must learn of it. (Copying begins much later: CockroachDB waits five minutes, Kafka and Cassandra for an operator.)]] },

    { id = "one-zone", title = "Where copies stand", deeper = true, show = { "replicas:P3", "nodes" }, enter = function(w) dealt(w) end,
      say = [[
        Nobody looked at zones when these shards were dealt. Some have two copies in one: P3 is on N4 and N1, both in a, and N5 in b. Then zone a burns down.]],
      predict = { id = "p10-one-zone", kind = "choice",
        ask = "What is left of P3?",
        choices = {
          { "All: three copies, one zone lost", belief = "copies are independent", why = "Two of three stood in that zone. Copies that die together count once.",
            holds = function(w) return leader(w, "P3") ~= nil end },
          { "The data, but no writes", holds = function(w) return leader(w, "P3") == nil and copies_up(w:group("P3")) == 1 end },
          { "Nothing", belief = "without a majority data is gone", why = "N5 has its copy, perhaps without the last write. It just must not go on alone.",
            holds = function(w) return copies_up(w:group("P3")) == 0 end },
        },
        why = "One of three is no majority.",
        hints = { "Which of its nodes are left?", "N5 alone.", "Is that a majority?" } },
      run = function(w)
        perform(w, "node N1 down", "node N4 down")
        w:play_for(4)
      end,
      after = [=[
        So a placement rule: no two copies of a shard in one [[zone]]. On N1, N3 and N5 (a, c and b) P3 would go on, whichever is lost.]=] },

    -- ------------------------------------------------------------------ deeper: without a leader

    { id = "your-quorum", title = "Yours", deeper = true, show = { "table" }, enter = healed, table = choice_of_quorum,
      knobs = { { name = "weight", label = "W", values = { 1, 2, 3, 4, 5 }, start = 5 }, { name = "size", label = "R", values = { 1, 2, 3, 4, 5 } } },
      say = [[
        N = 5, W = 5, R = 1: reads are quick, but one node that is down stops all writes.

        The table tries your W and R, also with a read that first hears those whom a write has not reached.]],
      try = { ask = "Choose W (with W) and R (with Z): all three must work.", builds = true,
        goal = function() return cells[1][2] == "yes" and cells[2][2] == "yes" and cells[3][2] == "yes" end,
        solution = { "knob weight 3", "knob size 3" },
        hints = { "With two down three are left: how large may W be?", "3 at most, and R as well.", "And together more than 5." } } },

    { id = "meets", title = "R + W = N", deeper = true, show = { "store:cart:mia" },
      enter = function(w)
        shop(w, "3 2 1")
        perform(w, "set cart mia 1 via N1")
        w:play_for(0.5)
      end,
      say = [[
        A store of carts: N = 3, W = 2, R = 1. mia's cart is on N1, N2 and N3, with value 1. N3 is cut off. Value 2 is written through N1, and told OK. Then N3 gets a read.]],
      predict = { id = "p10-meets", kind = "number", tolerance = 0,
        ask = "Which value does it return?",
        answer = function(w) local r = returned(w) return r[#r] end,
        wrong = { [2] = { belief = "OK means everywhere", why = "Two of three have it. N3 is the third, and with R = 1 it is asked alone." },
          [0] = { belief = "a node that is cut off does not answer", why = "It cannot reach the others. But one answer is enough, and it is its own." } },
        why = "2 + 1 is not more than 3: the sets need not meet.",
        hints = { "Who has the write? N1 and N2.", "Whom does the read ask? R = 1.", "What does N3 have?" } },
      run = function(w)
        perform(w, "split N3", "set cart mia 2 via N1")
        w:play_for(0.5)
        w:command("get cart mia via N3")
        w:play_for(0.5)
      end,
      after = [[
        With R = 2 this read would have had to wait for one that knows.]] },

    { id = "two-reads", title = "New, and old again", deeper = true, show = { "store:cart:mia" },
      enter = function(w)
        shop(w, "3 2 2")
        half_written(w)
      end,
      say = [=[
        N = 3, W = 2, R = 2: it overlaps. Value 2 is being written; only N1 has it so far. A read hears N1 and N2 first. *When it is over* another one hears N2 and N3 first.

        *Linearizable* means: as if there were one copy. Who comes later never sees less.]=],
      predict = { id = "p10-two-reads", kind = "choice", confidence = true,
        ask = "What do they see?",
        choices = {
          { "2, then 2", belief = "overlap is linearizable", why = "The overlap is with writes that are finished. This one is not.",
            holds = function(w) local r = returned(w) return r[1] == 2 and r[2] == 2 end },
          { "2, then 1", holds = function(w) local r = returned(w) return r[1] == 2 and r[2] == 1 end },
          { "1, then 1: it is not done", belief = "unfinished writes are hidden", why = "N1 has it, and says so to whoever asks.",
            holds = function(w) local r = returned(w) return r[1] == 1 and r[2] == 1 end },
        },
        why = "The first read met the unfinished write, the second did not.",
        hints = { "What does N1 hold, and what N2 and N3?", "N1 has 2, the others 1.", "The newest of each pair?" } },
      run = two_reads,
      after = [=[
        Linearizable: {w:linearizable("cart") and "yes" or "no"}. R + W > N promises that a read meets a write that was told OK *before* it began, and not more.]=],
      notes = "Many say 'R + W > N, so it is consistent'. Let them say of what: of writes that were over." },

    { id = "repair-first", title = "Read repair", deeper = true, show = { "table", "store:cart:mia" },
      enter = function(w) shop(w, "3 2 2") end,
      table = function()
        local rows = {}
        for i, when in ipairs { "off", "after", "before" } do
          rows[i] = { label = when, run = function(f)
              perform(f, "store cart repair " .. when)
              half_written(f)
              two_reads(f)
              f:play_for(0.5)
            end,
            cells = function(f)
              local r = returned(f)
              return { r[1] .. ", " .. r[2], f:linearizable("cart") and "yes" or "no" }
            end }
        end
        return { title = "The same two reads", columns = { "read repair", "see", "linearizable" }, rows = rows }
      end,
      say = [=[
        [[Read repair]]: a read that finds a copy behind writes the newest value there. It can do so *after* it has answered, or *before*.]=],
      predict = { id = "p10-repair-first", kind = "choice",
        ask = "With which is the second read sure to see 2?",
        choices = {
          { "After, and before", belief = "a repair is a repair", why = "After the answer is after the promise: the next read may be quicker than the repair.",
            holds = function() return cells[2][3] == "yes" and cells[3][3] == "yes" and false end },
          { "Before only", holds = function() return cells[1][3] == "no" and cells[3][3] == "yes" end },
          { "Neither", belief = "reads change nothing", why = "A read that writes does. Two of three have 2 before anybody is told of it.",
            holds = function() return cells[3][3] == "no" end },
        },
        why = "Who is told 2 knows that two copies have it.",
        hints = { "What must be true before somebody is told 2?", "W copies have it.", "So the read writes first." } },
      after = [=[
        That makes each such read as slow as a write. Cassandra does it among the copies that a quorum read asked; Dynamo and Riak repair after, which is [[eventual]]. (Yes is for these two reads. Where clocks order the versions, more can go wrong.)]=] },

    { id = "sloppy", title = "A sloppy quorum", deeper = true, show = { "store:cart:ida" },
      enter = function(w) both_sides(w, "3 2 2 sloppy") end,
      say = [=[
        ida's cart is on N3, N4 and N5. After a cut she reaches only N1 and N2.

        Dynamo's way, a [[sloppy quorum]]: the next nodes take the write, each with a *hint* for whom it is.]=],
      predict = { id = "p10-sloppy", kind = "choice",
        ask = "She writes; on the other side somebody else does. Who is told OK?",
        choices = {
          { "Both", holds = function(w) return M.here and M.there end },
          { "Only the other side", belief = "a quorum is a majority", why = "So it is in a strict one. Here any two that can be reached are enough.",
            holds = function(w) return M.there and not M.here end },
          { "Only ida", belief = "one side wins", why = "The other side has all three nodes. Nothing stops it.",
            holds = function(w) return M.here and not M.there end },
        },
        why = "Always writable: and so both sides are.",
        hints = { "Who can take a hint on ida's side?", "N1 and N2: that is two.", "And over there all three are up." } },
      run = function(w)
        local before = w:store("cart").sets_ok
        write_here(w)
        M.here = w:store("cart").sets_ok > before
        before = w:store("cart").sets_ok
        write_there(w)
        M.there = w:store("cart").sets_ok > before
      end,
      after = [[
        {w:store("cart").hints} hints. Now there are two carts, and both were told OK. And a read here does not overlap a write there.]] },

    { id = "hints-dont-count", title = "Hints that do not count", deeper = true, show = { "store:cart:ida" },
      enter = function(w) both_sides(w, "3 2 2 sloppy", "store cart hints off") end,
      say = [[
        Cassandra keeps hints as well. But they do not count towards W: a hint is help for later, and no vote. The same cut again, just now: nobody knows yet who is gone. ida writes through N1.]],
      predict = { id = "p10-hints-dont-count", kind = "choice",
        ask = "What is ida told now?",
        choices = {
          { "OK", belief = "hints are sloppy quorums", why = "Two nodes keep hints, and none of them is one of her three. W = 2 is not reached.",
            holds = function(w) return M.here end },
          { "It failed", holds = function(w) return not M.here end },
        },
        why = "None of N3, N4 and N5 has it.",
        hints = { "Which nodes count?", "N3, N4 and N5.", "How many of them does she reach?" } },
      run = function(w)
        local before = w:store("cart").sets_ok
        write_here(w)
        M.here = w:store("cart").sets_ok > before
      end,
      after = [[
        "Failed", by a timeout, may still take effect: hints are handed over later. (Once N1 knows that they are down, it refuses at once, and keeps no hint. Its hints lie on the coordinator alone; with *ANY* one is enough.)]] },

    { id = "siblings", title = "Two carts", deeper = true, show = { "store:cart:ida" },
      enter = function(w)
        both_sides(w, "3 2 2 sloppy")
        write_here(w)
        write_there(w)
      end,
      say = [=[
        The cut heals. N1 and N2 hand their hints over: [[hinted handoff]]. Each version carries a counter for each node that wrote, a *version vector*: so one can tell whether a version has *seen* another. These two have not.]=],
      predict = { id = "p10-siblings", kind = "number", unit = "versions", tolerance = 0,
        ask = "How many versions does N4 keep of ida's cart?",
        answer = versions_of,
        wrong = { [1] = { belief = "the newest wins", why = "Neither is newer: none was made from the other. The store cannot know which one ida wants." },
          [3] = { belief = "all versions are kept", why = "The first one was read before both were written: both replace it." } },
        why = "Two that do not know of each other: siblings.",
        hints = { "Which versions exist? 1, 2 and 3.", "2 and 3 were both made from 1.", "Which is made from the other?" } },
      run = function(w)
        w:command("heal")
        w:play_for(2)
      end,
      after = [[
        *Siblings*. The next who reads gets both and must merge them: for a cart, all that is in either. (So what was taken out may come back.)]] },

    { id = "last-wins", title = "The last one wins", deeper = true, show = { "store:cart:ida" },
      enter = function(w)
        both_sides(w, "3 2 2 sloppy", "store cart versions last")
        write_here(w)
        write_there(w)
      end,
      say = [[
        Merging is work, so most applications let the later one win, by the writer's clock. Again both sides were told OK, and the cut heals.]],
      predict = { id = "p10-last-wins", kind = "number", unit = "writes", tolerance = 0,
        ask = "How many writes that were told OK are lost?",
        answer = function(w) return w:store("cart").overwritten end,
        wrong = { [0] = { belief = "the last one has seen the others", why = "It is later on a clock, and was made without knowing of the other." },
          [2] = { belief = "both are dropped", why = "The later one stays." } },
        why = "The earlier of the two, without a word.",
        hints = { "How many versions were told OK on both sides?", "Two.", "How many are left?" } },
      run = function(w)
        w:command("heal")
        w:play_for(2)
      end,
      after = [[
        For a cart that is annoying, for money it is not allowed. And if a clock is wrong it is the later one that is lost.]] },

    -- ------------------------------------------------------------------ deeper: dead, or slow

    { id = "beats", title = "Dead, or slow?", deeper = true, show = { "table", "phi" }, enter = watched, table = watch_table,
      say = [=[
        Each node sends a [[heartbeat]] a second. Who is silent for longer than a timeout is declared dead: 2, 5, 10 or 30 s. N2 hangs for a few seconds. Later N3 really dies.]=],
      predict = { id = "p10-beats", kind = "choice",
        ask = "What is true of the timeout?",
        choices = {
          { "Short is best: N3 is found", belief = "sooner is better", why = "With 2 s N2 is declared dead as well, and all it holds is copied for nothing.",
            holds = function() return cells[1][3] == 0 end },
          { "Longer: later, fewer mistakes", holds = function() return cells[1][3] > cells[4][3] and cells[1][2] < cells[4][2] end },
          { "It makes no difference", belief = "a dead node harms nobody", why = "So long its shards have one copy less.",
            holds = function() return cells[1][2] == cells[4][2] end },
        },
        why = "Seen from outside, slow and dead look alike. A timeout says how long one bears not to know.",
        hints = { "What does the watcher see of N2?", "Silence, as of a dead one.", "Which timeouts are longer than that silence?" } },
      after = [[
        2 s: found {cells[1][2]} s after it died, {cells[1][3]} wrongly. 10 s: {cells[3][2]} s, {cells[3][3]} wrongly. (A timeout runs from the last heartbeat, up to a second before the death.)]] },

    { id = "phi", title = "How odd is this silence?", deeper = true, show = { "table", "phi" }, enter = watched, table = phi_table,
      say = [=[
        Instead of a yes or no one may keep a *suspicion* of each node: [[phi]]. It compares the silence with the gaps between the node's earlier heartbeats. At 1 one gap in ten would be as long, at 8 one in a hundred million.

        N2 is silent for 3 s.]=],
      predict = { id = "p10-phi", kind = "choice",
        ask = "When is its phi higher?",
        choices = {
          { "When its beats came evenly", holds = function() return tonumber(cells[1][2]) > tonumber(cells[2][2]) end },
          { "When they were often late", belief = "a bad record is suspicious", why = "Then a silence of 3 s is nothing unusual. Who is always punctual and is silent: that is odd.",
            holds = function() return tonumber(cells[1][2]) < tonumber(cells[2][2]) end },
          { "3 s are 3 s", belief = "silence is silence", why = "For a timeout. phi measures it against the gaps it has seen.",
            holds = function() return cells[1][2] == cells[2][2] end },
        },
        why = "It asks how unusual this is for that node.",
        hints = { "What is unusual for somebody punctual?", "Any delay.", "And for somebody who is late every third time?" } },
      after = [[
        {cells[1][2]} and {cells[2][2]}. The threshold then says how sure one wants to be, in a quick network and in a slow one. (This phi looks at mean and spread of the gaps, Cassandra's at the mean alone.)]] },

    { id = "storm-size", title = "Ten at once", deeper = true, show = { "table" }, enter = healed, table = storm_table,
      say = [[
        {STORM.nodes} nodes hold {STORM.shards} shards, {STORM.tb} TB. {STORM.more} join at once: each gets {decimals(STORM.shards / 60, 1)} shards of {STORM.tb * 1000 // STORM.shards} GB: up to {storm().most}, {storm().each} GB.

        The plan: "Throttled to 200 Mb/s a node. Done in 10 to 60 minutes."]],
      with = { STORM = STORM, storm = storm },
      predict = { id = "p10-storm-size", kind = "choice",
        ask = "What is wrong with the plan?",
        choices = {
          { "Nothing: ten share the work", belief = "many hands make it short", why = "They do, and {storm().each} GB is what is left for each of them.",
            holds = function() return storm().hours <= 1 end },
          { "The throttle: it takes hours", holds = function() return storm().hours > 1 and storm().minutes < 60 end },
          { "So much takes hours anyway", belief = "much data is slow", why = "At the full 10 Gb/s of a link it is {decimals(storm().minutes, 1)} minutes. Only, nobody else gets anything through.",
            holds = function() return storm().minutes >= 60 end },
        },
        why = "{storm().each} GB at 25 MB/s are {decimals(storm().hours, 2)} h.",
        hints = { "200 Mb/s are how many MB/s?", "25.", "{storm().each},000 MB / 25 MB/s." } },
      after = [[
        {decimals(storm().tb, 2)} TB move in all, {decimals(100 * storm().share, 1)}%. {decimals(storm().minutes, 1)} minutes at full speed, {decimals(storm().hours, 1)} h at that throttle: a throttle *is* time.]] },

    { id = "false-deaths", title = "A storm", deeper = true, show = { "nodes", "phi" },
      enter = function(w)
        joined(w)
        perform(w, "beats 500 timeout " .. DEAD_AFTER, "recopy on")
        w:play_for(5)
      end,
      say = [[
        N6 (zone c), N7 and N8 joined, empty. Who is silent for {DEAD_AFTER / 1000} s is declared dead, and its copies, {LARGE} GB each, are made anew at full speed, in a zone that has none. Heartbeats share the links.

        N3 dies. It was alone in c, so all six go to N6.]],
      with = { DEAD_AFTER = DEAD_AFTER, LARGE = LARGE, done = function(w) return w:recopy().done - (M.done or 0) end },
      predict = { id = "p10-false-deaths", kind = "choice",
        ask = "What comes of it in a minute?",
        choices = {
          { "Six copies are made", belief = "the quickest repair is the best", why = "They fill the links, and heartbeats come late. Who is late is declared dead, and is copied, too.",
            holds = function(w) return w:beats().falsely == M.falsely and w:recopy().done - M.done == 6 end },
          { "Six copies, a few late beats", belief = "late is not dead", why = "For whoever waits {DEAD_AFTER / 1000} s and no longer it is.",
            holds = function(w) return w:beats().falsely > M.falsely and w:recopy().done - M.done >= 6 end },
          { "False deaths, and no copy", holds = function(w) return w:beats().falsely > M.falsely and w:recopy().done == M.done end },
        },
        why = "Copying makes heartbeats late, late means dead, and dead means copying.",
        hints = { "What else goes over a link that copies fill?", "Heartbeats.", "And what does a late one mean?" } },
      run = function(w)
        M.falsely, M.done = w:beats().falsely, w:recopy().done
        perform(w, "node N3 down")
        w:play_for(60)
      end,
      after = [[
        {w:beats().declared} deaths were declared, {w:beats().falsely} of them of nodes that live and came back. {done(w)} copies are complete: each false death begins the next ones. A throttle stops it, and more patience; so does a limit on copies at one time, and on nodes that may be dead at one time.]],
      notes = "Ask for the feedback loop in one sentence, then for every place where it can be cut." },

    { id = "throttle", title = "A throttle", deeper = true, show = { "table", "nodes" }, table = throttled,
      enter = function(w)
        joined(w)
        perform(w, "beats 500 timeout " .. DEAD_AFTER)
        w:play_for(5)
        M.done = w:recopy().done
      end,
      knobs = { { name = "cap", label = "throttle", values = { 50, 100, 150, 200, 250, 400, 800 }, start = 800 } },
      say = [[
        N3 is up still. Each copy may have {knob.cap} MB a second of the {LINK} of a link; N6 takes six at once.

        The table lets N3 die, and plays {MINUTES} minutes.]],
      with = { LINK = LINK, MINUTES = MINUTES },
      try = { ask = "Turn C: all six copies are made, and nobody who lives is declared dead.",
        goal = function() return cells[1][2] == 0 and cells[1][3] == 6 end,
        solution = { "knob cap 100" },
        hints = { "Six copies at {knob.cap} MB/s are {6 * knob.cap}. A link has {LINK}.", "Full links make heartbeats late. Very slow copies are not done in {MINUTES} minutes.", "100 MB/s: six take half of the link." } } },

    { id = "hot-cascade", title = "A hot one", deeper = true, show = { "table" }, enter = healed,
      table = function()
        local rows = {}
        for i = 0, RETRIES do
          rows[i + 1] = { label = i == 0 and "first ask" or "again, " .. i, cells = function() return { HOT, HOT * (i + 1) } end }
        end
        return { title = "Times the usual load", columns = { "", "comes", "in all" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        Hot keys can kill nodes as well. A post goes viral: {HOT} times as many requests come for its shard. Its node now takes {SLOW} ms for an answer instead of {QUICK}. Clients wait 50 ms and ask again, {RETRIES} times.]],
      with = { HOT = HOT, RETRIES = RETRIES, SLOW = 200, QUICK = 2 },
      predict = { id = "p10-hot-cascade", kind = "number", unit = "times", tolerance = 0,
        ask = "How many times the usual load reaches it?",
        answer = function() return cells[RETRIES + 1][3] end,
        wrong = { [HOT * RETRIES] = { belief = "three tries in all", why = "{RETRIES} more, after the first." },
          [HOT] = { belief = "who gives up goes away", why = "It comes again, and the first request is still worked on." } },
        why = "Every one of them is too late, so each is asked four times.",
        hints = { "How long does an answer take? Longer than 50 ms.", "So who is served in time?", "1 + {RETRIES} asks each." } },
      after = [=[
        Each answer takes {SLOW // QUICK} times as long as before. That is why clients ask again, and their asks make it slower still. A [[retry budget]] ends that circle, and so does refusing early what is too much.]=] },

    { id = "innocent", title = "And its neighbours", deeper = true, show = { "nodes", "replicas:P5" },
      enter = function(w)
        dealt(w)
        M.led = {}
        for i = 1, SHARDS do if leader(w, "P" .. i) == "N4" then M.led[#M.led + 1] = "P" .. i end end
      end,
      say = [[
        The hot shard is P5, and N4 leads it, beside others. N4 gets so slow that its followers hear nothing of it for seconds.]],
      predict = { id = "p10-innocent", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards get a new leader?",
        answer = function(w)
          local n = 0
          for _, name in ipairs(M.led) do if leader(w, name) ~= "N4" then n = n + 1 end end
          return n
        end,
        wrong = { [1] = { belief = "only the hot one moves", why = "Followers of the others hear nothing either: they share the node." },
          [0] = { belief = "slow is not dead", why = "True, and nobody can see the difference." } },
        why = "All that N4 led.",
        hints = { "Which shards did N4 lead?", "Do their followers hear from it?", "All of them." } },
      run = function(w)
        w:command("node N4 slow " .. HOT * 100)
        w:play_for(6)
      end,
      after = [[
        {still(w)}With 50 others it would be {HOSTED} elections. P5 is as hot as before: its next node is ill soon. A fix for the key (Parts 4 and 5) ends it.]],
      with = { HOSTED = HOSTED,
        still = function(w)
          local n = 0
          for i = 1, SHARDS do if w:group("P" .. i).leaders > 1 then n = n + 1 end end
          return n == 0 and "" or "(Where two lead, " .. n .. ", one has not heard of the other; only one gets a majority.) "
        end } },

    -- ------------------------------------------------------------------ deeper: one like, and the fleet

    { id = "at-s4", title = "At S4", deeper = true, show = { "trace:R2", "counter:likes:{p9}" }, key = P9, router = "R2",
      enter = healed,
      say = [[
        Back to the one like: one more comes to R2, and its total goes to S4, for the key `likes:{p9}:r2`. S4 is asked for a few writes a second, far from its ceiling.]],
      predict = { id = "p10-at-s4", kind = "several",
        ask = "What else must S4 look at before it stores the total?",
        choices = {
          { "Its slot table: mine?", why = "Without it S2 would have taken the total.",
            holds = function() return not check.search("fence-and-flip", { without = { "slot-table-check" } }).holds end },
          { "Its sequence: newer?", why = "An older total may come late, and would undo a newer one.",
            holds = function() return not check.search("preagg", { without = { "flush-sequence" } }).holds end },
          { "The directory: still mine?", belief = "the directory is asked each time", why = "Then nothing could be written while it is down. The slot table is the truth, and S4 has it.",
            holds = function(w) return w:fork().directory.down end },
          { "`liked`: are the rows there?", belief = "counts are checked on the way in", why = "R2 wrote each row before. A count that is off is put right later, by the rebuild.",
            holds = function() return false end },
        },
        why = "Mine, and newer than what I have.",
        hints = { "Two of them.", "What did S2 look at?", "And what if two totals overtake each other?" } },
      run = function(w)
        w:send("like", P9, "R2")
        w:play_for(1)
      end,
      after = [[
        The total replaces the old one, in S4's log and on its disk. (R2 was down, so its sequence goes on in another thousand: no total from before can seem newer.)]] },

    { id = "a-miss", title = "A miss", deeper = true, show = { "waterfall:" .. POST, "trace" }, key = POST, router = "R3", enter = healed,
      say = [[
        And the reads. R3 has nothing fresh of p9. It sends S4 *one* request, for the post and for the sums of all routers.]],
      predict = { id = "p10-a-miss", kind = "number", unit = "keys", tolerance = 0,
        ask = "How many keys does S4 read for it?",
        answer = function(w) return w.S4.keys_read - M.keys end,
        wrong = { [1] = { belief = "the count is one key", why = "Each router writes a sub-key of its own, so that none waits for another." },
          [6] = { belief = "the count is the page", why = "And the post itself, which the phone wants as well." },
          [2] = { belief = "the count is one key", why = "The post, and a sub-key of each router." } },
        why = "The post, and a sub-key of each of {ROUTERS} routers.",
        hints = { "The post is one.", "And who writes a sum?", "{ROUTERS} routers." } },
      with = { ROUTERS = ROUTERS, READS = READS },
      run = function(w)
        M.keys = w.S4.keys_read
        w:send("read", POST, "R3")
        w:play_answered()
      end,
      after = [[
        One ask, because all have the tag p9. On its way back the answer stays at R3, for the next ones.]] },

    { id = "size-open", title = "The last step", deeper = true, show = { "table" }, enter = healed, table = function() return sizing(22000, 3000, 75, 4) end,
      say = [[
        A shop: 22,000 requests a second, routers that do 3,000 and should run at 75%. *Four* zones.

          22,000 / 2,250  {decimals(22000 / 2250, 2)}
          in 3 zones      {decimals(22000 / 2250 / 3, 2)} in each
          rounded up      {math.ceil(22000 / 2250 / 3)} in each]],
      predict = { id = "p10-size-open", kind = "number", unit = "routers", tolerance = 0,
        ask = "How many in all, if one zone may be lost?",
        answer = function() return fleet(22000, 2250, 4) end,
        wrong = { [12] = { belief = "the spare zone is empty", why = "Nobody knows which one will be lost: each of four has its routers." },
          [10] = { belief = "zones do not fail", why = "{decimals(22000 / 2250, 2)}, rounded up: for a day with all zones." } },
        why = "{math.ceil(22000 / 2250 / 3)} in each of four zones.",
        hints = { "How many zones are there?", "Four, with as many each.", "4 x {math.ceil(22000 / 2250 / 3)}." } },
      with = { math = math } },

    { id = "size-alone", title = "Alone", deeper = true, show = { "table" }, enter = healed, table = function() return sizing(40000, 4000, 70, 3) end,
      say = [[
        A game: 40,000 requests a second. A router does 4,000, and should run at 70%. Three zones, one may be lost.]],
      predict = { id = "p10-size-alone", kind = "number", unit = "routers", tolerance = 0,
        ask = "How many routers?",
        answer = function() return fleet(40000, 2800, 3) end,
        wrong = { [15] = { belief = "zones do not fail", why = "{decimals(40000 / 2800, 2)}, rounded up: for a day with all zones." },
          [22] = { belief = "half as much again", why = "Then two zones have 7 and 8: too few for a zone of 7, which gets half of all." },
          [21] = { belief = "rounding goes to the nearest", why = "{decimals(40000 / 2800 / 2, 2)} a zone is more than 7." },
          [15 + 3] = { belief = "at full speed", why = "At 4,000 each it would be 5 a zone. The line is 70%." } },
        why = "40,000 / 2,800 / 2 is {decimals(40000 / 2800 / 2, 2)}, so 8 in each zone.",
        hints = { "What does one carry at 70%?", "2,800. Two zones carry 40,000.", "{decimals(40000 / 2800 / 2, 2)} in each, rounded up, three times." } } },

    { id = "spread", title = "Fewer will do?", deeper = true, show = { "table" }, enter = healed, table = fleet_table,
      say = [[
        Back to p9's app. Someone says: {peak() / each()} routers, and half as much again, is {decimals(peak() / each() * 1.5, 2)}: "11 will do." Another one: "9, three in each zone."

        The load balancer gives each zone that is up the same share.]],
      with = { peak = peak, each = each, CAPACITY = CAPACITY },
      predict = { id = "p10-spread", kind = "number", unit = "%", tolerance = 0.5,
        ask = "With 9 and a zone lost: how full is a router?",
        answer = function() return round(peak() / 6 / CAPACITY * 100, 1) end,
        wrong = { [61] = { belief = "zones do not fail", why = "That is with all 9." },
          [round(peak() / 6 / each() * 100, 1)] = { belief = "full is where the line is", why = "That is against the line. Full is {CAPACITY}." } },
        why = "6 are left. That is the evening's fleet again.",
        hints = { "How many are left?", "6. {decimals(peak() / 6)} each.", "Of {CAPACITY}." } },
      after = [[
        11 is 4, 4 and 3: if a 4 goes, the zone of 3 gets half of all. What does not divide by the zones is as good as the number below that does.]] },

    { id = "most-routers", title = "How far does it go?", deeper = true, show = { "counter:likes:{p9}" }, enter = healed,
      say = [[
        12 routers cost S4 {flushes(w)} writes and {fetches(w)} reads of p9 a second, twice as many as {ROUTERS}: both fixes cost by the router, however many fans there are.

        A shard takes 1,000 writes a second, {SHARE}% of it as planned. Say p9's flushes are all that S4 has to write.]],
      with = { SHARE = SHARE, ROUTERS = ROUTERS, flushes = function(w) return crowded(w, 2).S4.writes * 12 // ROUTERS end,
        fetches = function(w) return crowded(w, 2).S4.reads * 12 // ROUTERS end },
      predict = { id = "p10-most-routers", kind = "number", unit = "routers", tolerance = 0,
        ask = "How many routers can sum p9's likes?",
        answer = function() return 1000 * SHARE // 100 // 2 end,
        wrong = { [800] = { belief = "once a second", why = "Each router writes twice a second." },
          [500] = { belief = "a ceiling is a plan", why = "That fills S4 to the last write." } },
        why = "800 writes, two for each.",
        hints = { "How many writes may there be?", "800.", "Each router takes two." } },
      after = [[
        Before that one would flush less often, or let routers of a zone sum among themselves first.]] },
  },
}
