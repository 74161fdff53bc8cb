-- One node's view of a Redis Cluster, CLUSTER NODES: whose a slot is, how sure the cluster is that a node
-- has failed and how many slots that are, where a slot goes, and two views that differ. Other slots, other
-- nodes and another stage of a failure each time.

local readings = require("readings")
local SLOTS = readings.SLOTS
local AWAY = 10000 -- ms that nodes are still down when they are asked about

local function name(n) return "s" .. n end

-- How long a node has been silent, and how many are.
local STAGES = {
  { seconds = 8, down = 1 },   -- its links are lost
  { seconds = 15.5, down = 1 }, -- suspected
  { seconds = 30, down = 1 },  -- failed
  { seconds = 30, down = 2 },  -- suspected still: no majority is left that could agree
}

local function stage_of(w, n)
  local node = w:readout_node("S" .. n)
  return node.failed and "failed" or node.suspected and "suspected" or node.down and "silent" or "well"
end

-- How many ranges and single slots its line names, in the view of another node.
local function ranges(w, n, through)
  local line = string.match(w:readout("cluster-nodes", "S" .. through), ",s" .. n .. " [^\n]*connected([^\n]*)")
  local count = 0
  for _ in string.gmatch(line, "%d[%d-]*") do count = count + 1 end
  return count
end

return drill {
  id = "read-cluster-nodes", part = 11, title = "Read one node's view",
  make = function(r)
    local moves, keys = readings.moves(r), r:between(9, 40)
    local moved = r:pick(moves)
    local at = r:chance(1, 2) and moved.first or moved.last
    local order = r:shuffle { 0, 1, 2, 3 }
    local ill, second, asked = order[1], order[2], order[3]
    local stage = r:pick(STAGES)
    local open, views = readings.faults.open(r), readings.faults.views(r)
    local slot = open.slots[#open.slots]
    local leaves = r:chance(1, 2)
    local fresh = r:pick { views.from, views.to }

    local names = { at = at, patience = 15, ill = name(ill), second = name(second), asked = readings.host(asked), two = stage.down == 2,
      slot = slot, asked_open = readings.host(leaves and open.n or open.to),
      stale = readings.host(views.n), fresh = readings.host(fresh), ranges = function(w) return ranges(w, ill, asked) end, waited = math.floor(stage.seconds),
      views_slot = views.slot, old = name(views.from), new = name(views.to),
      epoch = function(w) return w:readout_node("S" .. views.to).epoch end,
      slots = function(w) return w:readout_node("S" .. ill).slots end }
    local nodes = { "readout:cluster-nodes:S" .. asked }
    local both = { "readout:cluster-nodes:S" .. views.n, "readout:cluster-nodes:S" .. fresh }

    local function told(kind, text, belief, why)
      return { text, belief = belief, why = why, holds = function(w) return stage_of(w, ill) == kind end }
    end

    return { world = "story-quiet", steps = {
      { id = "whose", title = "Whose is it?", show = nodes, with = names,
        enter = function(w) readings.calm(w, moves, keys) end,
        say = [[You ask {asked} for its view. A line a node: id, address and host name, flags, whose replica, last ping and pong, config epoch, link, slots. A range names its first and its last slot.]],
        predict = { id = "drill-nodes-whose", kind = "text",
          ask = "Whose is slot {=at}? Write the host name, as in s2.",
          answer = function(w) return string.lower(w:owner(at)) end,
          wrong = { [name(at * 4 // SLOTS)] = { belief = "slots lie in equal pieces",
            why = "They did. Some have changed hands since, and this is one of them." } },
          why = "It is an end of a range, and both ends belong to it.",
          hints = { "Look for a range that begins or ends with it.", "Both ends are in the range.", "The line that has {=at} in it." } },
        after = [[A node's own line has the flag myself. What it says of the others is what it has heard.]] },

      { id = "how-sure", title = "A silent node", show = nodes, with = names,
        enter = function(w)
          for i = 1, stage.down do
            w:command("replicas S" .. order[i] .. " 1")
            w:command("crash S" .. order[i] .. " " .. math.floor(1000 * stage.seconds) + AWAY)
          end
          w:play_for(stage.seconds)
        end,
        say = [[Some seconds ago {ill}{two and " and " .. second or ""} fell silent. (In Redis words fail? is suspected, by the node that you ask; fail is agreed on.)]],
        predict = { id = "drill-nodes-sure", kind = "choice",
          ask = "How sure is the cluster that {ill} has failed?",
          choices = r:shuffle {
            told("silent", "Its link is lost. Nobody suspects it yet.", "a lost link is no suspicion yet",
              "A flag stands there already, and flags come after the link."),
            told("suspected", "The node that you ask suspects it. No majority has agreed.", "a node that is silent is suspected at once",
              "The question mark tells it apart: without a flag nobody suspects, without the mark it is agreed."),
            told("failed", "A majority of the leaders agrees that it has.", "a node that does not answer has failed",
              "Agreed on would be fail, without a question mark. For that each leader waits {patience} s, and then more than half of them have to say so."),
          },
          why = "The flags decide, not the link.",
          hints = { "Read the flags of {ill}.", "None, fail? or fail.", "A question mark is one node's suspicion." } },
        after = [[{two and "Two of four are silent, and two are no majority: it stays a suspicion, and no replica is elected." or "After " .. patience .. " s a node suspects, and when a majority does the flag is fail. A replica is elected then, if there is one."}]] },

      { id = "how-bad", title = "Its slots", show = nodes, with = names,
        say = [[Here {ill} has no replica. Its line still lists what is its own.]],
        predict = { id = "drill-nodes-slots", kind = "number", unit = "slots",
          ask = "How many slots does nobody serve because of {ill}?",
          answer = function(w) return w:readout_node("S" .. ill).slots end,
          wrong = function(w)
            local right = w:readout_node("S" .. ill).slots
            return { [right - ranges(w, ill, asked)] = { belief = "from first to last is last less first", why = "Both ends of a range belong to it: each is one more." },
              [SLOTS // 4] = right ~= SLOTS // 4 and { belief = "all leaders have as many", why = "Slots have changed hands here. Add up its ranges." } or nil,
              [0] = { belief = "another leader serves them meanwhile", why = "The others do not have its data. They answer MOVED to {ill}, or that the cluster is down." } }
          end,
          why = "Of each range the last less the first, plus one.",
          hints = { "Each range: last less first, plus one.", "It has {ranges(w)} ranges.", "Add them up." } },
        after = [[{slots(w)} slots. {two and "Two of four leaders are no majority: the others serve nothing either." or "With cluster-require-full-coverage, which is usual, the others serve nothing either."}]] },

      { id = "where", title = "A bracket", show = { "readout:cluster-nodes:S" .. (leaves and open.n or open.to) }, with = names,
        enter = function(w)
          w:play_for(AWAY / 1000 + 2)
          for i = 1, stage.down do w:command("replicas S" .. order[i] .. " 2") end
          open.make(w)
        end,
        say = [[All are back. Somebody moves slots, key by key, and you ask {asked_open}. What stands in brackets is open: `[slot->-id]` leaves for the node with this id, `[slot-<-id]` arrives from it.]],
        predict = { id = "drill-nodes-where", kind = "text",
          ask = leaves and "To which node does slot {=slot} go? Write its host name." or "From which node does slot {=slot} come? Write its host name.",
          answer = function() return name(leaves and open.to or open.n) end,
          wrong = { [name(leaves and open.n or open.to)] = { belief = "a bracket is about the node in whose line it stands",
            why = "That is the node that you asked: brackets stand in its own line alone. The id in it names the other one." } },
          why = "The line that begins with the id in the bracket.",
          hints = { "Find the bracket of this slot in the line with myself.", "The id in it is another node's.", "Which line begins with that id?" } },
        run = open.heal,
        after = [[Until the move ends the slot stands in the ranges of who had it. Only the two ends know that it is open, so ask them.]] },

      { id = "differ", title = "Two views", show = both, with = names,
        enter = function(w) views.make(w) end,
        say = [[A slot has just changed hands. You ask {stale}, and then {fresh}: their views differ in that slot.]],
        predict = { id = "drill-nodes-differ", kind = "number", tolerance = 0,
          ask = "Which slot is it?",
          answer = function() return views.slot end,
          wrong = { [views.slot - 1] = { belief = "a range ends before its last slot", why = "That one is in both views the same leader's: a range ends with its last slot." },
            [views.slot + 1] = { belief = "a range begins after its first slot", why = "That one is in both views the same leader's: a range begins with its first slot." } },
          why = "In one of the views it is a hole in a range, and stands alone in another line.",
          hints = { "Compare the two line by line.", "One range is whole in one view, and in two pieces in the other.", "The slot in the hole." } },
        after = [[Slot {=views_slot}. It stands alone in the line of who has taken it.]] },

      { id = "who-wins", title = "Who is right?", show = both, with = names,
        say = [[{stale} says that slot {=views_slot} is {old}'s. {fresh} says that it is {new}'s. The number before the link is the config epoch: who takes slots takes a higher one than all.]],
        predict = { id = "drill-nodes-wins", kind = "text",
          ask = "Whose is it? Write the host name.",
          answer = function(w) return string.lower(w:owner(views.slot)) end,
          wrong = { [name(views.from)] = { belief = "who had it first has it", why = "Its epoch is the lower one. The other took the slot later." } },
          why = "Of two that are said to have a slot, the one with the higher config epoch.",
          hints = { "Read the epochs of {old} and of {new}.", "In the view of {fresh} one of them is the highest of all.", "The higher epoch is the later owner." } },
        run = views.heal,
        after = [[By gossip {stale} hears of epoch {epoch(w)} within seconds, and gives in. Until then it answers MOVED to {old}, which answers MOVED to {new}.]] },
    } }
  end,
}
