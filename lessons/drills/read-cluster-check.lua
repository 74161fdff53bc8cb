-- Two clusters, as redis-cli --cluster check tells of them: what is wrong with each, how bad it is, and
-- what is done first. Another fault, other nodes and other slots each time; what is asked for is counted
-- on the cluster, and can be read out of the text.

local readings = require("readings")
local SLOTS = readings.SLOTS

local KINDS = { "dead", "open", "nobody", "views", "empty", "bare" }

local WHAT = {
  dead = { "A leader is gone, and its slots with it.", "an error means a dead node",
    "Every node could be reached: no line says Connection refused." },
  open = { "Slots are on their way, and have stopped there.", "whatever is wrong, a move did it",
    "A slot on its way is told as migrating or importing. No line tells of one." },
  nobody = { "All nodes live, and slots belong to nobody.", "an error means that slots are lost",
    function(kind) return kind == "dead" and "A node is gone, and that is why: these slots were its own."
      or "The last line: all slots are covered." end },
  views = { "Nodes know different maps. Each slot is served.", "trouble is always a disagreement",
    function(kind) return kind == "nobody" and "They disagree too. But look at the last line: not every slot is served."
      or "All nodes agree, the check says." end },
  empty = { "Nothing fails. A leader has no slots.", "somebody must be idle", "Each leader that answers has slots." },
  bare = { "Nothing fails. A leader has no replica.", "copies are what is missing", "Each leader that answers has a replica." },
}

local FIRST = {
  dead = { "Bring that node back, with its disk.", "a node is always the cause", function() return "No node is down." end },
  open = { "See whether a reshard still runs. If not, `--cluster fix` ends it.", "a reshard is always the cause",
    function() return "Nothing is migrating or importing: no reshard has left anything behind." end },
  nobody = { "Give these slots to a node: `--cluster fix`.", "fix repairs everything",
    function(kind) return kind == "dead" and "It would give the slots away empty, while their data is on a disk. Without a second flag it refuses."
      or kind == "open" and "A reshard that still runs would be cut off by it. Look first."
      or "Every slot has an owner. There is nothing to give." end },
  views = { "Check once more in some seconds.", "clusters heal by themselves",
    function(kind) return ({ dead = "A leader without a replica is as dead in a minute.", open = "Nobody ends the move by himself: the slots stay open.",
      nobody = "No node claims a slot by itself.", empty = "Redis Cluster moves no slot by itself.", bare = "No replica comes by itself." })[kind] end },
  empty = { "Give it its share: `--cluster rebalance` with `--cluster-use-empty-masters`.", "trouble is always imbalance",
    function(kind) return kind == "bare" and "Slots are not what is missing. A copy is."
      or "redis-cli moves nothing while its own check finds errors." end },
  bare = { "Add a replica for it.", "one more copy always helps",
    function() return "A replica copies its leader. It gives nobody slots, and each leader that answers has one." end },
}

-- The fault's own line, and three more that are not so.
local function choices(r, of, kind, holds)
  local others = r:shuffle(readings.others(KINDS, kind))
  local list = {}
  for i, name in ipairs { kind, others[1], others[2], others[3] } do
    local why = of[name][3]
    list[i] = { of[name][1], belief = name ~= kind and of[name][2] or nil,
      why = name ~= kind and (type(why) == "function" and why(kind) or why) or nil,
      holds = function(w) return holds(w) == name end }
  end
  return r:shuffle(list)
end

-- Mistakes that are no right answer: a list of { figure, belief, why }.
local function wrong(right, list)
  local found = {}
  for _, m in ipairs(list) do
    if m[1] ~= right and not found[m[1]] then found[m[1]] = { belief = m[2], why = m[3] } end
  end
  return found
end

local function named(text, number)
  local count = 0
  for _ in string.gmatch(text, number) do count = count + 1 end
  return count
end

-- How bad it is, by the fault.
local function much(kind, fault)
  local kinds = {
    dead = { ask = "How many slots has nobody now?",
      answer = function(w) return SLOTS - readings.covered(w) end,
      wrong = function(w)
        return { { readings.covered(w), "what is listed is what is lost", "Those are the slots that answer. All others do not." },
          { SLOTS // w:shards(), "all leaders have as many", "Slots have changed hands here. Add up what is listed." } }
      end,
      why = "{slots}, less those that are listed.",
      hints = { "Who is not listed any more has them.", "Add up the slots of all M lines.", "{slots} less that sum." } },
    open = { ask = "How many slots are open?",
      answer = function() return #fault.slots end,
      wrong = function(w)
        local text = w:readout("cluster-check", readings.through(w))
        local told = 0
        for line in string.gmatch(text, "in %a+ting state ([%d,]+)%.") do told = told + named(line, "%d+") end
        return { { told, "each line is another slot", "A slot that moves is told twice: where it leaves, and where it arrives." },
          { 1, "one warning is one slot", "Each line can name several." } }
      end,
      why = "The line below the warnings names each once.",
      hints = { "Some are told by both ends.", "The last of the warnings has each once.", "Count the numbers in it." } },
    nobody = { ask = "How many slots has nobody?",
      answer = function(w) return SLOTS - readings.covered(w) end,
      wrong = function(w)
        local right = SLOTS - readings.covered(w)
        return { { 2, "a gap is a slot", "One of the two gaps is many slots wide." },
          { right - 1, "from first to last is last less first", "Both ends of the gap are slots too." } }
      end,
      why = "{slots}, less those of all leaders.",
      hints = { "Two gaps are in the ranges of one leader.", "Or add up the slots of all M lines.", "{slots} less that sum." } },
    views = { ask = "How many slots have nobody who serves them?",
      answer = function(w) return SLOTS - readings.covered(w) end,
      wrong = function()
        return { { 1, "who disagrees does not serve", "A leader serves what its own table says, whatever the others believe." },
          { SLOTS // 4, "a node with an old map is out of order", "It serves its own slots as ever. It is wrong about others'." } }
      end,
      why = "The last line: all are covered.",
      hints = { "What do the others' maps change for a leader?", "It serves what is its own.", "Read the last line." } },
    empty = { ask = "How many slots would be an even share, rounded down?",
      answer = function(w) return SLOTS // w:shards() end,
      wrong = function(w)
        return { { SLOTS // (w:shards() - 1), "who is empty does not count", "It is there to take its share." },
          { SLOTS // (2 * w:shards()), "replicas take slots too", "A replica has no slots. It copies those of its leader." } }
      end,
      why = "All slots over all leaders, the new one among them.",
      hints = { "How many leaders are there? M lines.", "All share {slots} slots.", "{slots} / {w:shards()}." } },
    bare = { ask = "That leader dies tonight. How many slots has nobody then?",
      answer = function(w) return w:readout_node("S" .. fault.n).slots end,
      wrong = function(w)
        return { { 0, "somebody's replica steps in", "A replica has its own leader's data, and can take its place alone." },
          { SLOTS // w:shards(), "all leaders have as many", "Slots have changed hands here. Its own line says how many." } }
      end,
      why = "All that it has: there is no other copy.",
      hints = { "Which M has no line about replicas?", "Nobody else has a copy of its slots.", "The number in its line." } },
  }
  local q = kinds[kind]
  return { kind = "number", unit = "slots", ask = q.ask, answer = q.answer, why = q.why, hints = q.hints,
    wrong = function(w) return wrong(q.answer(w), q.wrong(w)) end }
end

local AFTER = {
  dead = "Back, it has its slots as before: its table is on its disk, and its data as far as it had saved them.",
  open = "Closed again. While they were open clients were sent to and fro, and every key was served; a command on several keys could get TRYAGAIN.",
  nobody = "They have an owner again. Until then each request for them failed, and with cluster-require-full-coverage, which is usual, so did all others.",
  views = "They agree. A leader that takes a slot takes a higher epoch, and by gossip the higher epoch wins within seconds.",
  empty = "It has slots. A node that joins has none until somebody moves some.",
  bare = "Each leader has a copy again, somewhere else.",
}

return drill {
  id = "read-cluster-check", part = 11, title = "Read a cluster check",
  make = function(r)
    local moves, keys = readings.moves(r), r:between(9, 40)
    local order = r:shuffle { "dead", "open", "nobody", "views", "empty", "bare" }
    local steps = {}
    for k = 1, 2 do
      local kind = order[k]
      local fault = readings.faults[kind](r)
      local asked = r:pick(readings.others({ 0, 1, 2, 3 }, fault.n))
      local show = { "readout:cluster-check:S" .. asked }
      local names = { asked = readings.host(asked), slots = SLOTS }
      local number = much(kind, fault)
      number.id = "drill-check-much-" .. k
      steps[#steps + 1] = { id = "what-" .. k, title = k == 1 and "An alarm" or "Another night", show = show, with = names,
        enter = function(w)
          if k == 1 then readings.calm(w, moves, keys) end
          fault.make(w)
        end,
        say = k == 1 and [=[A Redis Cluster, and an alarm. You ask {asked} to check all of it. M (master) is a [[leader]], S (slave) a [[replica]]. Read down to the last line.]=]
          or [[Some weeks later. Another alarm, and {asked} is asked.]],
        predict = { id = "drill-check-what-" .. k, kind = "choice", ask = "What is wrong?",
          choices = choices(r, WHAT, kind, readings.kind),
          why = "Each line of the check is about one of these.",
          hints = { "Who could not be reached? What is migrating?", "Do nodes agree? Are all slots covered?", "If all is well: look at slots and replicas." } } }
      steps[#steps + 1] = { id = "much-" .. k, title = "How bad?", show = show, with = names,
        say = [[Before anybody acts: how many slots are concerned?]], predict = number }
      steps[#steps + 1] = { id = "first-" .. k, title = "What first?", show = show, with = names,
        say = [[Now you may act.]],
        predict = { id = "drill-check-first-" .. k, kind = "choice", ask = "What do you do first?",
          choices = choices(r, FIRST, kind, function() return kind end),
          why = "It mends what is wrong, and nothing else.",
          hints = { "What exactly is missing?", "Where is the data now?", "Which of these changes that, and only that?" } },
        run = fault.heal,
        after = AFTER[kind] }
    end
    return { world = "story-quiet", steps = steps }
  end,
}
