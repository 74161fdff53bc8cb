-- readings: clusters with one thing wrong, for the drills that read what operators see.
--
--   local readings = require("readings")
--   readings.moves(r)             three runs of slots that change hands, so that no two clusters are alike
--   readings.calm(w, moves, keys) four leaders with a replica each, so many keys, and those moves done
--   readings.kind(w)              what is wrong: "dead" (a leader is down), "open" (slots on their way),
--                                 "nobody" (slots without an owner), "views" (nodes know different maps),
--                                 "empty" (a leader without slots), "bare" (one without a replica), "none"
--   readings.covered(w)           slots that some node which answers says are its own
--   readings.others(list, n)      a copy of the list without n
--   readings.stats(text)          slot statistics out of their text
--
-- Faults are made by commands, and what they cost is counted on the cluster, never typed.

local readings = { SLOTS = 16384 }
local PART = readings.SLOTS // 4

function readings.address(n)
  return "10.0.0." .. 10 + n .. ":6379"
end

function readings.host(n)
  return "10.0.0." .. 10 + n
end

function readings.others(list, n)
  local rest = {}
  for _, one in ipairs(list) do
    if one ~= n then rest[#rest + 1] = one end
  end
  return rest
end

function readings.moves(r)
  local moves = {}
  for i, from in ipairs(r:shuffle { 0, 1, 2, 3 }) do
    if i < 4 then
      local first = from * PART + r:between(300, PART - 1700)
      moves[i] = { first = first, last = first + r:between(60, 999), to = (from + r:between(1, 3)) % 4 }
    end
  end
  return moves
end

function readings.calm(w, moves, keys)
  for i = 1, keys or 0 do w:command("request like likes:{p" .. i .. "} via R0") end
  for i = 0, 3 do w:command("replicas S" .. i .. " 2") end
  for _, m in ipairs(moves) do w:command("move " .. m.first .. "-" .. m.last .. " S" .. m.to) end
  w:play_for(0.1)
end

local function nodes(w)
  local list = {}
  for i = 0, w:shards() - 1 do list[#list + 1] = w:readout_node("S" .. i) end
  return list
end

function readings.covered(w)
  local sum = 0
  for _, node in ipairs(nodes(w)) do
    if not node.down then sum = sum + node.slots end
  end
  return sum
end

local function any(list, holds)
  for _, node in ipairs(list) do
    if holds(node) then return true end
  end
  return false
end

-- Through which node the whole cluster is looked at: the first that answers.
function readings.through(w)
  for i = 0, w:shards() - 1 do
    if not w:readout_node("S" .. i).down then return "S" .. i end
  end
end

function readings.kind(w)
  local list = nodes(w)
  if any(list, function(n) return n.down end) then return "dead" end
  if any(list, function(n) return n.migrating + n.importing > 0 end) then return "open" end
  if readings.covered(w) < readings.SLOTS then return "nobody" end
  if string.find((w:readout("cluster-check", readings.through(w))), "Nodes don't agree", 1, true) then return "views" end
  if any(list, function(n) return n.slots == 0 end) then return "empty" end
  if any(list, function(n) return n.replicas == 0 end) then return "bare" end
  return "none"
end

-- The slots of a text of CLUSTER SLOT-STATS, in their order: { slot, keys, cpu, bytes_in, bytes_out }.
function readings.stats(text)
  local list, now, field = {}, nil, nil
  for line in string.gmatch(text, "[^\n]+") do
    local slot = string.match(line, "^ *%d+%) 1%) %(integer%) (%d+)")
    local name, value = string.match(line, '"([%a-]+)"'), string.match(line, "%(integer%) (%d+)")
    if slot then
      now = { slot = tonumber(slot) }
      list[#list + 1] = now
    elseif name then
      field = name
    elseif value then
      now[({ ["key-count"] = "keys", ["cpu-usec"] = "cpu", ["network-bytes-in"] = "bytes_in",
        ["network-bytes-out"] = "bytes_out" })[field]] = tonumber(value)
    end
  end
  return list
end

-- --- faults: `make` on the cluster, and `heal` afterwards ---

-- Each fault has slots of its own in a leader's quarter, and `moves` has others: what was done for one
-- is not in another's way.
local function slot_of(n, from, to, r)
  return n * PART + r:between(from, to)
end

local faults = {}
readings.faults = faults

function faults.dead(r)
  local n = r:between(0, 3)
  return { n = n,
    make = function(w)
      w:command("replicas S" .. n .. " 1")
      w:command("crash S" .. n .. " 60000")
      w:play_for(30)
    end,
    heal = function(w)
      w:play_for(40)
      w:command("replicas S" .. n .. " 2")
    end }
end

function faults.open(r)
  local from = r:between(0, 3)
  local to = (from + r:between(1, 3)) % 4
  local slots, half = {}, r:chance(1, 2)
  local many = r:between(2, 4)
  while #slots < many do
    local slot = slot_of(from, 200, 280, r)
    local new = true
    for _, known in ipairs(slots) do new = new and known ~= slot end
    if new then slots[#slots + 1] = slot end
  end
  return { n = from, to = to, slots = slots,
    make = function(w)
      for i, slot in ipairs(slots) do
        w:command(half and i == 1 and "dual " .. slot .. " S" .. to or "shift " .. slot .. " S" .. to .. " open")
      end
    end,
    heal = function(w)
      for i, slot in ipairs(slots) do w:command((half and i == 1 and "dual " or "shift ") .. slot .. " stop") end
    end }
end

function faults.nobody(r)
  local n = r:between(0, 3)
  local one, first = slot_of(n, 10, 60, r), slot_of(n, 70, 120, r)
  local last = first + r:between(4, 70)
  local function freeze(w, how)
    w:command("freeze " .. one .. " S" .. n .. " " .. how)
    w:command("freeze " .. first .. "-" .. last .. " S" .. n .. " " .. how)
  end
  return { n = n, one = one, first = first, last = last,
    make = function(w) freeze(w, "on") end,
    heal = function(w) freeze(w, "off") end }
end

function faults.views(r)
  local order = r:shuffle { 0, 1, 2, 3 }
  local deaf, from, to = order[1], order[2], order[3]
  local slot = slot_of(from, 284, 299, r)
  return { n = deaf, from = from, to = to, slot = slot,
    make = function(w)
      w:command("deaf R" .. deaf .. " on")
      w:command("move " .. slot .. " S" .. to)
      w:play_for(0.1)
    end,
    heal = function(w)
      w:command("deaf R" .. deaf .. " off")
      w:command("reload R" .. deaf)
      w:play_for(0.1)
    end }
end

function faults.empty(r)
  local from = r:between(0, 3)
  local first = slot_of(from, PART - 600, PART - 300, r)
  return { n = 4,
    make = function(w)
      w:command("shard add")
      w:command("replicas S" .. w:shards() - 1 .. " 2")
    end,
    heal = function(w)
      w:command("move " .. first .. "-" .. first + 270 .. " S" .. w:shards() - 1)
      w:play_for(0.1)
    end }
end

function faults.bare(r)
  local n = r:between(0, 3)
  return { n = n,
    make = function(w) w:command("replicas S" .. n .. " 1") end,
    heal = function(w) w:command("replicas S" .. n .. " 2") end }
end

return readings
