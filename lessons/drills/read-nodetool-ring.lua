-- A ring of Cassandra, as nodetool tells of it: what a line is, whose a token is, where its copies are, how
-- uneven the ring is, what a node that is down costs, and what is done about it. Another ring, another token
-- and another death each time; answers are counted on the ring, and can be read out of the text.

local HINTS = 3 -- hours that hints are kept for a node that is down (max_hint_window)

-- The ranges of the ring, clockwise: where each ends, who is first, who has copies.
local function ring(w)
  local list = {}
  for i, part in ipairs(w:system_parts("cassandra")) do
    list[i] = { token = tonumber("0x" .. part.last_text) ~ math.mininteger, nodes = part.copies, share = part.last - part.first }
  end
  table.sort(list, function(a, b) return a.token < b.token end)
  return list
end

local function host(n) return "10.1.0." .. 10 + n end

local function has(nodes, n)
  for _, one in ipairs(nodes) do
    if one == n then return true end
  end
  return false
end

-- Of the whole circle, in percent: what a node has a copy of.
local function owns(w, n)
  local sum = 0
  for _, range in ipairs(ring(w)) do
    if has(range.nodes, n) then sum = sum + range.share end
  end
  return 100 * sum
end

return drill {
  id = "read-nodetool-ring", part = 11, title = "Read a ring",
  make = function(r)
    local nodes = r:between(4, 6)
    local tokens = r:between(2, nodes == 6 and 3 or 4)
    local at = r:between(2, nodes * tokens)
    local part = r:between(10, 90) -- where between the two tokens the key's is
    local ill = r:between(0, nodes - 1)
    local two = r:chance(1, 2)
    local also = (ill + r:between(1, nodes - 1)) % nodes
    local level = r:pick(two and { { "one", 1 }, { "quorum", 2 }, { "quorum", 2 } } or { { "quorum", 2 }, { "all", 3 }, { "all", 3 } })
    local hours, rate = r:pick { 1, 2, 5, 9 }, 100 * r:between(3, 9)
    local show = { "readout:nodetool-ring" }

    -- Two lines that follow each other, of two nodes: a key's token is between theirs.
    local function lines(w)
      local list = ring(w)
      for i = 0, #list - 2 do
        local lower = (at - 2 + i) % (#list - 1) + 1
        if list[lower].nodes[1] ~= list[lower + 1].nodes[1] then return list[lower], list[lower + 1] end
      end
    end
    local function place(w)
      local lower, upper = lines(w)
      return lower.token + (upper.token // 100 - lower.token // 100) * part
    end
    local function upper(w) return (select(2, lines(w))) end
    -- How much of the circle cannot be read at the level.
    local function away(w)
      local sum = 0
      for _, range in ipairs(ring(w)) do
        local up = 0
        for _, n in ipairs(range.nodes) do
          if not w:system_machines("cassandra")[n + 1].down then up = up + 1 end
        end
        if up < level[2] then sum = sum + range.share end
      end
      return 100 * sum
    end
    local function fullest(w)
      local most = 0
      for n = 0, nodes - 1 do most = math.max(most, owns(w, n)) end
      return most
    end
    local function over(w) return math.floor(fullest(w) * nodes / 3 - 100 + 0.5) end

    local names = { nodes = nodes, tokens = tokens, host = host, ill = host(ill), also = host(also), two = two, level = string.upper(level[1]),
      want = level[2], hours = hours, kept = HINTS, place = function(w) return string.format("%d", place(w)) end,
      token = function(w) return string.format("%d", upper(w).token) end,
      owner = function(w) return host(upper(w).nodes[1]) end, over = over,
      before = function(w) return string.format("%d", lines(w).token) end,
      even = function() return string.format("%.1f", 300 / nodes) end,
      most = function(w) return string.format("%.1f", fullest(w)) end,
      away = function(w) return string.format("%.0f", away(w)) end }

    local copies = {}
    for n = 0, nodes - 1 do
      copies[n + 1] = { host(n), belief = "the copies are in the next lines, whoever is in them",
        why = "From the first copy on the next *other* nodes have one each, three in all. A line of a node that has a copy already is passed over.",
        holds = function(w) return has(upper(w).nodes, n) end }
    end

    local function lost(kind, text, belief, why)
      return { text, belief = belief, why = why, holds = function(w)
        local percent = away(w)
        return (percent < 0.001 and "none" or percent > 99.999 and "all" or "some") == kind
      end }
    end

    local late = hours > HINTS
    return { world = "story-quiet", steps = {
      { id = "lines", title = "A ring", show = show, with = names,
        enter = function(w)
          w:command("system cassandra on " .. nodes * tokens .. " " .. nodes)
          w:command("series msg " .. rate)
          w:play_for(2)
          w:command("series msg 0")
        end,
        say = [[`nodetool ring story` lists a ring of Cassandra, with three copies of everything. One look at its size.]],
        predict = { id = "drill-ring-lines", kind = "number", unit = "nodes",
          ask = "How many nodes are there?",
          answer = function() return nodes end,
          wrong = { [nodes * tokens] = { belief = "a line is a node", why = "A line is a token. A node has several, and stands in as many lines." },
            [nodes * tokens + 1] = { belief = "a line is a node", why = "A line is a token, and the first one, with a token alone, is the last one again: the ring is closed." } },
          why = "As many as there are different addresses.",
          hints = { "What is different in each line?", "The token. An address comes again.", "Count the different addresses." } },
        after = [[{nodes} nodes, {tokens} tokens each. Load and Owns are the node's, and stand in each of its lines again.]] },

      { id = "whose", title = "Whose token?", show = show, with = names,
        say = [[A key's token is its hash. This key's is

  {place(w)}]],
        predict = { id = "drill-ring-whose", kind = "text",
          ask = "On which node is its first copy? Write the address, as in 10.1.0.12.",
          answer = function(w) return host(upper(w).nodes[1]) end,
          wrong = function(w)
            return { [host(lines(w).nodes[1])] = { belief = "a token is where a range begins",
              why = "It is where one ends: a node has what lies behind the token before its own, up to its own." } }
          end,
          why = "The first token that is not below the key's.",
          hints = { "Between which two tokens is it?", "{before(w)} and {token(w)}.", "The upper one ends the range." } },
        after = [[Up to {token(w)}: {owner(w)}.]] },

      { id = "copies", title = "Its copies", show = show, with = names,
        say = [[Three nodes have a copy of it. All are in one rack.]],
        predict = { id = "drill-ring-copies", kind = "several",
          ask = "Which nodes are that?",
          choices = copies,
          why = "From the first one on clockwise: the next two other nodes.",
          hints = { "Begin at the line of its first copy.", "Go down. Whom do you meet that has none yet?", "After the last line comes the first." } },
        after = [[Clockwise is down in the list, and from the last line to the first.]] },

      { id = "even", title = "How even?", show = { "readout:nodetool-status" }, with = names,
        say = [[`nodetool status story` has a line a node. Owns (effective) counts all three copies: {nodes} nodes own 300% together, {even()}% each if it were even. These tokens were drawn at random.]],
        predict = { id = "drill-ring-even", kind = "number", unit = "%", tolerance = 1,
          ask = "By how many percent is the fullest node above an even share?",
          answer = over,
          wrong = function(w)
            local right = over(w)
            local list = {}
            for _, m in ipairs { { math.floor(fullest(w) - 300 / nodes + 0.5), "percent of the ring are percent of a share", "That is how much more of the ring it has. Of an even share, {even()}% of the ring, it is another part." },
              { math.floor(fullest(w) * nodes - 100 + 0.5), "an even share is 100% over the nodes", "With three copies 300% are shared." } } do
              if math.abs(m[1] - right) > 1 and not list[m[1]] then list[m[1]] = { belief = m[2], why = m[3] } end
            end
            return list
          end,
          why = "What it owns over {even()}%, less one.",
          hints = { "The highest number under Owns is {most(w)}%.", "Over {even()}%.", "{most(w)} / {even()}, less 1." } },
        after = [[{over(w)}% more data and requests than an even share. More tokens a node, or chosen ones, even that out.]] },

      { id = "down", title = two and "Two down" or "One down", show = { "readout:nodetool-status", "readout:nodetool-ring" }, with = names,
        enter = function(w)
          w:command("system cassandra down " .. ill)
          if two then w:command("system cassandra down " .. also) end
        end,
        say = [[At night {ill}{two and " and " .. also or ""} went down: D in the status. Clients read at level {level}: {want} of the three copies must answer.]],
        predict = { id = "drill-ring-down", kind = "choice",
          ask = "What can clients not read now?",
          choices = r:shuffle {
            lost("none", "Nothing: all can be read.", "three copies survive anything", "Some ranges have fewer than {want} of their three copies on nodes that are up."),
            lost("some", "Some keys; the others can be read.", "a node takes its keys with it", "{away(w) == \"0\" and \"Each range has enough copies on nodes that are up.\" or \"No range has \" .. want .. \" copies on nodes that are up.\"}"),
            lost("all", "Nothing can be read at all.", "a ring with a hole stands still", "What is read needs {want} of its copies, and no node that is down. There are ranges that have them."),
          },
          why = "Count for each range how many of its three copies are up.",
          hints = { "A range has three copies. How many must answer?", "How many of the three can be down?", "Is there a range with more than that down, and one without?" } },
        after = [[{away(w)}% of the ring cannot be read at {level}.]] },

      { id = "first", title = "What first?", show = { "readout:nodetool-status" }, with = names,
        say = [[{two and "Both machines are" or "Its machine is"} repaired, and the disk is as it was. {ill} was down for {hours} hour{hours == 1 and "" or "s"}. Hints of writes that it missed are kept for {kept} hours.]],
        predict = { id = "drill-ring-first", kind = "choice",
          ask = "What is enough for {ill} to begin with?",
          choices = r:shuffle {
            { "Start it. Hints bring what it missed.", belief = "hints are kept for ever",
              why = "They were kept for the first {kept} hours alone. What was written later it would never hear of.", holds = function() return not late end },
            { "Start it, and then `nodetool repair`.", belief = "after each outage everything is compared",
              why = "It was away for less than {kept} hours: hints bring nearly all that it missed. The repair that you run anyway, each week or so, finds the rest.", holds = function() return late end },
            { "`nodetool removenode`, and add a new node.", belief = "a node that was down is replaced",
              why = "Its ranges would be streamed twice, to others now and back later. Its data is there.", holds = function() return false end },
            { "Nothing: the others have the copies.", belief = "two copies are enough",
              why = "Until it is back each of its ranges has a copy less, and the next death costs reads.", holds = function() return false end },
          },
          why = "What decides is whether hints were kept for all of that time.",
          hints = { "How long are hints kept?", "{kept} hours. How long was it down?", "{hours} hour{hours == 1 and \"\" or \"s\"}." } },
        run = function(w)
          w:command("system cassandra up " .. ill)
          if two then w:command("system cassandra up " .. also) end
          w:play_for(1)
        end,
        after = [[Up and normal again, UN.]] },
    } }
  end,
}
