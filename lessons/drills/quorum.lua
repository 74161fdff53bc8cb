-- Quorums: how many answers meet every write, how many nodes may be down, what a read after a cut returns,
-- which side of a cut takes writes, and whether hints make a write succeed. Numbers, places and cuts are new
-- each time. What is told OK, and what is read, is a run's.

local NODES = 7

return drill {
  id = "quorum", part = 10, title = "Enough",
  make = function(r)
    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        if m[1] ~= right and not out[m[1]] and m[1] >= 0 then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end
    local function name(n) return "N" .. n end
    local function list(from, to)
      local out = {}
      for n = from, to do out[#out + 1] = name(n) end
      return table.concat(out, ", ", 1, #out - 1) .. " and " .. out[#out]
    end

    -- least: N and W. down: N, W and R that overlap.
    local n1 = r:between(3, 5)
    local w1 = r:between(2, n1 - 1)
    local n2 = r:between(3, 5)
    local w2 = r:between(2, n2)
    local r2 = r:between(n2 - w2 + 1, n2)

    -- A store for the reads: a key whose copies begin at N1.
    local n3 = r:pick({ 3, 5 })
    local cut = n3 == 3 and r:between(1, 2) or r:between(2, 3) -- so many of its nodes are on this side
    local w3 = r:between(1, cut)
    local r3 = r:between(1, n3)
    local heals = r:chance(1, 3)
    if heals then r3 = r:between(n3 - w3 + 1, n3) end
    local old, new = r:between(2, 40), r:between(50, 90)

    -- A group with its leader, and a cut.
    local size = r:pick({ 3, 4, 5 })
    local side = r:between(1, 3) -- N1 to this one are on one side
    local lead = r:between(1, size)

    -- A write where some of a key's three nodes can be reached.
    local kind = r:pick({ "strict", "sloppy", "hints" })
    local reach = r:between(0, 2) -- of N1 to N3
    local names = { n1 = n1, w1 = w1, n2 = n2, w2 = w2, r2 = r2, n3 = n3, w3 = w3, r3 = r3, old = old, new = new, heals = heals,
      here = cut == 1 and "N1" or list(1, cut), there = cut == n3 - 1 and name(n3) or list(cut + 1, n3), size = size, lead = name(lead),
      side = side == 1 and "N1" or list(1, side), rest = list(side + 1, NODES), max = math.max(w2, r2), mine = math.min(side, size),
      theirs = math.max(0, size - side), half = size // 2 + 1, reach = reach, is = cut == 1 and "is" or "are", of_three = reach == 0 and "none of the three" or reach == 1 and "one of the three" or "two of the three", via = reach == 0 and "N4" or "N1" }

    local KEY = "emma" -- its copies begin at N1
    local out = { here = false, there = false, got = nil, ok = false }
    local function seven(w)
      if w:nodes() == 0 then
        for i = 1, NODES do w:command("node add " .. ("abcabca"):sub(i, i)) end
      end
      pcall(w.command, w, "heal")
    end

    local function apart(w, from, to)
      local side_of = {}
      for n = from, to do side_of[#side_of + 1] = name(n) end
      w:command("split " .. table.concat(side_of, " "))
    end

    return { world = "story-quiet", steps = {
      { id = "least", title = "Meet every write", show = { "store:cart:" .. KEY }, with = names, enter = function(w)
          seven(w)
          w:command(string.format("store cart %d %d 1", n1, w1))
          w:command("set cart " .. KEY .. " " .. old .. " via N1")
          w:play_for(0.5)
        end,
        say = [[A store without leaders. Each key is on {n1} of seven nodes; a write is told OK when {w1} have it. A read waits for one answer so far.]],
        predict = { id = "drill-quorum-least", kind = "number", unit = "answers", tolerance = 0,
          ask = "For how many answers must a read wait, at least, to meet every such write?",
          answer = function()
            for a = 1, n1 do if a + w1 > n1 then return a end end
          end,
          wrong = mistakes(n1 - w1 + 1, {
            { n1 - w1, "as many as may be missing", "All of those may be nodes that lack the write." },
            { n1, "ask all to be sure", "{n1 - w1} nodes may lack it. One more than that cannot miss it." },
            { 1, "the fastest answer is the newest", "It may come from a node that lacks the write." },
            { w1, "the same for both", "What counts is that both together are more than {n1}." } }),
          why = "{n1 - w1} may lack it. One more meets one that has it.",
          hints = { "How many nodes may lack the write?", "{n1 - w1}.", "One more." } } },

      { id = "down", title = "How many may be down", show = { "store:cart:" .. KEY }, with = names,
        enter = function(w)
          seven(w)
          w:command(string.format("store cart %d %d %d", n2, w2, r2))
          w:command("set cart " .. KEY .. " " .. old .. " via N1")
          w:play_for(0.5)
        end,
        say = [[Each key is on {n2} nodes. A write needs {w2} of them, a read {r2}.]],
        predict = { id = "drill-quorum-down", kind = "number", unit = "nodes", tolerance = 0,
          ask = "How many of a key's nodes may be down so that it can still be written *and* read?",
          answer = function() return n2 - math.max(w2, r2) end,
          wrong = mistakes(n2 - math.max(w2, r2), {
            { n2 - math.min(w2, r2), "the easier one decides", "Then one of the two works, and the other does not." },
            { (n2 - 1) // 2, "a quorum is a majority", "It is what was chosen: {w2} for a write, {r2} for a read." },
            { n2 - 1, "one copy is enough", "One copy keeps the data. It is not enough to answer." } }),
          why = "The larger one decides: {max} must be up.",
          hints = { "How many must be up for a write? For a read?", "{max} for the one that needs more.", "{n2} less that." } } },

      { id = "read", title = "After a cut", show = { "store:cart:" .. KEY }, with = names,
        enter = function(w)
          seven(w)
          w:command(string.format("store cart %d %d %d", n3, w3, r3))
          w:command("set cart " .. KEY .. " " .. old .. " via N1")
          w:play_for(0.5)
        end,
        say = [[N = {n3}, W = {w3}, R = {r3}, and nothing is repaired. All {n3} have value {old}. Now {here} {is} cut off from {there} and the rest. Value {new} is written through N1, on this side, and told OK.

          ]] .. (heals and [[Then the cut is healed, and a read goes to ]] or [[The cut stays, and a read goes to ]]) .. name(n3) .. [[.]],
        predict = { id = "drill-quorum-read", kind = "choice", ask = "What does it return?",
          choices = r:shuffle {
            { "The old value", belief = "reads may always be old", why = "R + W is more than N: a read that has its answers meets the write.",
              holds = function() return out.got == old end },
            { "The new value", belief = "OK means everywhere", why = "Only nodes on the other side of the cut have it.",
              holds = function() return out.got == new end },
            { "Nothing: too few answer", belief = "a cut stops everything", why = "It reaches {r3} of the key's nodes.",
              holds = function() return out.got == nil end } },
          why = "R answers, and the newest of those.",
          hints = { "How many of the key's nodes does it reach?", "Are these R = {r3}?", "Has one of them the new value?" } },
        run = function(w)
          apart(w, 1, cut)
          w:command("set cart " .. KEY .. " " .. new .. " via N1")
          w:play_for(0.5)
          if heals then w:command("heal") end
          w:command("get cart " .. KEY .. " via " .. name(n3))
          w:play_for(0.5)
          local all = w:history("cart")
          local last = all[#all]
          out.got = nil
          if last.ok then out.got = last.value end
        end },

      { id = "cut", title = "Which side?", show = { "replicas:P1", "nodes" }, with = names,
        enter = function(w)
          seven(w)
          local members = { name(lead) }
          for n = 1, size do if n ~= lead then members[#members + 1] = name(n) end end
          w:command("group P1 " .. table.concat(members, " "))
          w:command("append P1 via " .. name(lead))
          w:play_for(0.5)
        end,
        say = [[A shard with a leader, {lead}, has copies on N1 to N{size}. The network is cut: {side} on one side, {rest} on the other. Clients reach both. Some seconds pass.]],
        predict = { id = "drill-quorum-cut", kind = "choice", ask = "On which side are writes told OK then?",
          choices = {
            { side == 1 and "N1's" or "That of " .. list(1, side), belief = "the leader decides, not the number", why = "It has {mine} of {size} copies. A majority is {half}.",
              holds = function() return out.here and not out.there end },
            { "That of " .. list(side + 1, NODES), belief = "more nodes, more rights", why = "Of the shard's copies it has {theirs}. A majority of {size} is {half}.",
              holds = function() return out.there and not out.here end },
            { "On none", belief = "a cut stops everything", why = "One side has {half} of {size} copies or more, and elects a leader if it has none.",
              holds = function() return not out.here and not out.there end },
            { "On both", belief = "each side goes on alone", why = "Two majorities of {size} would share a copy.",
              holds = function() return out.here and out.there end } },
          why = "Where a majority of the copies is: {half} of {size}.",
          hints = { "How many of the copies are on each side?", "{mine} and {theirs}.", "A majority of {size} is {half}." } },
        run = function(w)
          apart(w, 1, side)
          w:play_for(4)
          local before = w:group("P1").acked
          for n = 1, side do w:command("append P1 via " .. name(n)) end
          w:play_for(1)
          out.here = w:group("P1").acked > before
          before = w:group("P1").acked
          for n = side + 1, size do w:command("append P1 via " .. name(n)) end
          w:play_for(1)
          out.there = w:group("P1").acked > before
        end },

      { id = "hints", title = "Hints", show = { "store:cart:" .. KEY }, with = names,
        enter = function(w)
          seven(w)
          w:command("store cart 3 2 2" .. (kind == "strict" and "" or " sloppy"))
          if kind == "hints" then w:command("store cart hints off") end
          w:command("set cart " .. KEY .. " " .. old .. " via N1")
          w:play_for(0.5)
        end,
        say = [[N = 3, W = 2. ]] .. KEY .. [['s cart is on N1, N2 and N3. A cut leaves N4 to N7 and {of_three} on this side. ]] ..
          (kind == "strict" and "Nobody else may take a write for one of the three." or
            kind == "sloppy" and "Other nodes take it with a hint, and that counts." or
            "Other nodes take it with a hint, and that does not count.") .. [[ She writes here.]],
        predict = { id = "drill-quorum-hints", kind = "choice", ask = "What is she told?",
          choices = {
            { "OK", belief = "a write finds its way", why = "Only {reach} that count can take it, and two must.",
              holds = function() return out.ok end },
            { "It failed", belief = "a cut stops everything", why = "Two that count have taken it.",
              holds = function() return not out.ok end } },
          why = "Two that count must have it.",
          hints = { "Which nodes count?", "How many of those are on this side?", "Two are needed." } },
        run = function(w)
          local there = {}
          for n = reach + 1, 3 do there[#there + 1] = name(n) end
          w:command("split " .. table.concat(there, " "))
          local before = w:store("cart").sets_ok
          w:command("set cart " .. KEY .. " " .. new .. " via " .. (reach == 0 and "N4" or "N1"))
          w:play_for(0.5)
          out.ok = w:store("cart").sets_ok > before
        end },
    } }
  end,
}
