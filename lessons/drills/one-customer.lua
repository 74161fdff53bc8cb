-- One customer far larger than the rest: what its shard is asked for, whether it may stay, move or
-- must be divided; the same for one with 40% of everything; into how many parts, and who pays for it.
-- New tenants and rates each time; every answer is measured on a copy of the cluster.

local CEILING, LINE, SHARDS = 1000, 800, 12
local NAMES = { "acme", "bolt", "cobalt", "delta", "ember", "fjord", "grove", "hazel", "indigo", "juniper", "kite", "lumen",
  "maple", "nectar", "onyx", "pepper" }

return drill {
  id = "one-customer", part = 5, title = "One customer",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local tenants, big, usual, home, beside, large

    local function key(name) return "orders:{" .. name .. "}" end
    local function far(a, b) return math.abs(a - b) > 25 end

    -- Twelve tenants, and one of them ten times the usual; the kind of case is drawn first.
    local kind = r:pick({ "stay", "move", "divide" })
    for _ = 1, 400 do
      tenants = r:shuffle({ table.unpack(NAMES) })
      big, usual = tenants[1], 10 * r:between(2, 16)
      home, beside = map:owner("{" .. big .. "}"), 0
      for i = 2, 12 do
        if map:owner("{" .. tenants[i] .. "}") == home then beside = beside + usual end
      end
      local alone, there = 10 * usual, 10 * usual + beside
      local fits = kind == "stay" and there < LINE and there > 480 or kind == "move" and alone < LINE and there > LINE
        or kind == "divide" and alone > LINE
      if fits and far(alone, LINE) and far(there, LINE) and beside >= usual and beside <= 5 * usual then break end
    end
    large = 10 * usual

    -- The one with 40% of everything: total and parts, before it has grown (the kind of case is drawn
    -- first) and after. On its shard is a twelfth of what the others write.
    local forty = r:pick({ "stay", "move", "divide" })
    local first = 50 * (forty == "stay" and r:between(24, 33) or forty == "move" and r:between(37, 39) or r:between(43, 60))
    local first_part, first_beside = first * 2 // 5, (first - first * 2 // 5) // SHARDS
    local whole, part_of, parts
    repeat
      whole = 100 * r:between(22, 60)
      part_of = whole * 2 // 5
      parts = math.ceil(part_of / LINE)
    until whole > first + 100 and part_of > LINE and part_of % LINE > 40 and part_of % LINE < 760
      and parts ~= math.ceil(part_of / CEILING)
    local giant, by = "orders:{giant}", r:pick({ "project", "hash" })
    local told = by == "project" and "by project" or "by the hash of each order's number"

    local means = by == "project" and "An order names its project." or "A project has many orders, each with a number of its own."
    local listed = {}
    for i = 2, 12 do
      if map:owner("{" .. tenants[i] .. "}") == home then listed[#listed + 1] = tenants[i] end
    end
    local names = { big = big, usual = usual, large = large, home = "S" .. home, count = #listed, ceiling = CEILING,
      whole = whole, part_of = part_of, parts = parts, line = LINE, beside = beside, names = table.concat(listed, ", "),
      word = large + beside > LINE and "Above the line of 80%: something must be done." or "Below the line of 80%, so far.", told = told, shards = SHARDS, first = first,
      first_part = first_part, first_beside = first_beside, means = means }

    local function start(w)
      for i = 1, 12 do w:flow("like", key(tenants[i]), usual) end
    end
    local function grow(w)
      w:flow("like", key(big), large)
      w:play_for(0.3) -- until no bucket is full any more
    end
    local function pct(w)
      local most = 0
      for id = 0, w:shards() - 1 do most = math.max(most, w["S" .. id].write_pct) end
      return most
    end
    local function moved(w)
      local f = w:fork()
      f:add_shard()
      f:move(f:slot(key(big)), f:slot(key(big)), "S4")
      return f
    end
    local function flow_of_all(w, all, of_giant)
      w:command("flow like orders:o* " .. all - of_giant .. " over 240")
      w:flow("like", giant, of_giant)
    end
    local function isolated(w)
      local f = w:fork()
      f:add_shard()
      f:move(f:slot(giant), f:slot(giant), "S" .. f:shards() - 1)
      return f
    end
    local least -- 1: it may stay, 2: a shard of its own, 3: it must be divided
    local function least_for_giant(w)
      least = least or pct(w) <= 80 and 1 or pct(isolated(w)) <= 80 and 2 or 3
      return least
    end
    local function stays(w) return pct(w) <= 80 end
    local function moves(w) return not stays(w) and pct(moved(w)) <= 80 end

    -- The giant in so many parts, each with a shard of its own.
    local function divide(f, count)
      f:command("writes " .. giant .. " salted " .. count)
      for i = 0, count - 1 do
        local slot = f:slot("orders:{giant#" .. i .. "}")
        f:add_shard()
        f:move(slot, slot, "S" .. f:shards() - 1)
      end
    end
    local found -- measured once: a copy's second of this traffic is dear
    local function enough(w)
      for count = 2, 8 do
        if found then break end
        local f = w:fork()
        divide(f, count)
        if pct(f) <= 80 then found = count end
      end
      return found
    end
    -- How many shards a read of this key asks, now that the giant is divided.
    local reads = {}
    local function asked(w, which)
      if not reads[which] then
        local f = w:fork()
        f:flow("read", which, 60)
        reads[which] = f:asked(which).reads // 60
      end
      return reads[which]
    end

    local counts = {}
    local function mistake(value, belief, why)
      if value ~= parts and value > 0 and not counts[value] then counts[value] = { belief = belief, why = why } end
    end
    mistake(1, "a shard of its own cures", "All of it would go along: {part_of} writes a second on one shard.")
    mistake(math.ceil(part_of / CEILING), "the ceiling is the line", "Then the fullest is above 80%.")
    mistake(4, "one part for each old shard", "Each part has a shard of its own here. Count what one may take.")
    mistake(math.ceil(whole / LINE), "everybody is divided", "That would be for all traffic. Only this tenant is divided.")

    return { world = "story-near", steps = {
      { id = "tenfold", title = "Ten times", show = { "bars" }, key = key(big), with = names, enter = start,
        say = [[Twelve customers of a shop system, each with {usual} writes a second. A customer's data is one key. {big} lives on
          {home}, with {count} others: {names}.

          {big} grows tenfold.]],
        predict = { id = "drill-customer-tenfold", kind = "number", unit = "%", tolerance = 1,
          ask = "How full is {home} then, of {ceiling} writes a second?",
          answer = function(w) return w["S" .. home].write_pct end,
          wrong = {
            [large * 100 // CEILING] = { belief = "only the big one counts", why = "Its neighbours write as well, {beside} together." },
            [10 * (beside + usual) * 100 // CEILING] = { belief = "all grow together", why = "Only {big} grew. The others are as before." },
          },
          why = "{large}, and {beside} of its neighbours.",
          hints = { "What does {big} write now?", "{large}. And the others on {home}?", "{large} + {beside}." } },
        run = grow,
        after = [[{word}]] },

      { id = "what-to-do", title = "What must be done?", show = { "table", "bars" }, key = key(big), with = names,
        table = function()
          return { title = "the fullest of all shards", columns = { "what", "full, %" }, numbers = { 2 }, rows = {
            { label = "as it is", run = function() end, cells = function(f) return { pct(f) } end },
            { label = "a shard of its own", run = function(f)
              f:add_shard()
              f:move(f:slot(key(big)), f:slot(key(big)), "S4")
            end, cells = function(f) return { pct(f) } end },
            { label = "three parts, three new shards", run = function(f)
              f:command("writes " .. key(big) .. " salted 3")
              for i = 0, 2 do
                local slot = f:slot("orders:{" .. big .. "#" .. i .. "}")
                f:add_shard()
                f:move(slot, slot, "S" .. 4 + i)
              end
            end, cells = function(f) return { pct(f) } end },
          } }
        end,
        say = [[{big} writes {large} a second on {home}, its neighbours {beside}. No shard should be above 80% of {ceiling}. Dividing a
          customer makes each of its reports ask several shards, and a new shard costs a machine.]],
        predict = { id = "drill-customer-what", kind = "choice",
          ask = "What is the least that will do?",
          choices = {
            { "Nothing: it may stay", belief = "a big one can stay where it is", why = "{large} and {beside} are more than {line}.",
              holds = stays },
            { "A shard of its own", belief = "a big one wants a shard of its own",
              why = kind == "stay" and "It would fit, and it fits where it is: {large} and {beside} are less than {line}."
                or "Alone it still writes {large}, and that is more than {line}.",
              holds = moves },
            { "Divide it", belief = "what is big must be divided",
              why = kind == "stay" and "It fits where it is: {large} and {beside} are less than {line}."
                or "Alone on a shard it fits: {large} is less than {line}. And it stays whole.",
              holds = function(w) return not stays(w) and not moves(w) end },
          },
          why = "First with its neighbours, then alone; only what is too much alone is divided.",
          hints = { "Compare {large} + {beside} with {line}.", "Then {large} alone.", "{large} + {beside} = {large + beside}." } },
        after = [[Known in advance, its slot can be moved before the day it grows. Each row of the table is a run.]] },

      { id = "forty", title = "Forty percent", show = { "bars" }, key = giant, with = names,
        enter = function(w)
          for i = 1, 12 do w:flow("like", key(tenants[i]), 0) end
          while w:shards() < SHARDS do w:add_shard() end
          for id = 4, SHARDS - 1 do -- of each old shard's slots two thirds, in two pieces
            local old, third = (id - 4) // 2, 16384 // 12
            local from = old * 4096 + (1 + id % 2) * third
            w:move(from, from + third - 1, "S" .. id)
          end
          flow_of_all(w, first, first_part)
          w:play_for(0.3)
        end,
        say = [[Another shop system: {shards} shards, {first} writes a second, and one customer makes 40% of them, {first_part}. The others are spread
          evenly, about {first_beside} on each shard. A shard of its own costs a machine; parts also make its reports ask several shards.]],
        predict = { id = "drill-customer-forty", kind = "choice",
          ask = "What is the least that keeps every shard at 80% or less?",
          choices = {
            { "Nothing: it may stay", belief = "a big one can stay where it is", why = "{first_part} and {first_beside} are more than {line}.",
              holds = function(w) return least_for_giant(w) == 1 end },
            { "Isolate it: a shard of its own", belief = "a big one wants a shard of its own",
              why = forty == "stay" and "It would keep its bad days from the others. For the line it is not needed: {first_part} and {first_beside} are less than {line}."
                or "Alone it still writes {first_part}, and that is more than {line}.",
              holds = function(w) return least_for_giant(w) == 2 end },
            { "Divide it", belief = "40% of everything must be divided",
              why = forty == "stay" and "It fits where it is: {first_part} and {first_beside} are less than {line}."
                or "Alone on a shard it fits: {first_part} is less than {line}. And its reports ask one shard.",
              holds = function(w) return least_for_giant(w) == 3 end },
          },
          why = "A part of the whole says nothing. What one shard takes does.",
          hints = { "How much may a shard be asked for?", "{line}. Compare {first_part}, with {first_beside} and without.",
            "{first_part} + {first_beside} = {first_part + first_beside}." } },
        after = [[Isolated, it also keeps its bad days to itself; divided over shards of its own it does so too.]] },

      { id = "parts", title = "It grows", show = { "bars" }, key = giant, with = names,
        enter = function(w)
          flow_of_all(w, whole, part_of)
          w:play_for(0.3)
        end,
        say = [[A year later: {whole} writes a second, and {part_of} of them are its. Its data is divided, {told}. Each part gets a shard of its own.]],
        predict = { id = "drill-customer-parts", kind = "number", tolerance = 0,
          ask = "Into how many parts at least, so that none is above 80% of {ceiling}?",
          answer = enough, wrong = counts,
          why = "{part_of} divided by {line}, rounded up.",
          hints = { "What may one shard take?", "{line}. And {part_of} divided by it?", "Round up." } },
        run = function(w)
          divide(w, parts)
          w:play_for(0.2)
        end,
        after = [[{parts} parts of {part_of // parts}. Only this customer's key is longer now, and the map has an entry for it.]] },

      { id = "who-pays", title = "Who pays?", show = { "bars" }, key = giant, with = names,
        say = [[The customer with 40% is divided {told}, into {parts} parts on shards of their own. {means}]],
        predict = { id = "drill-customer-pays", kind = "several",
          ask = "Which questions ask several shards now?",
          choices = r:shuffle {
            { "All orders of that customer", why = "Its orders are in {parts} places now.",
              holds = function(w) return asked(w, giant) > 1 end },
            { "All orders of one of its projects", belief = by == "project" and "what is divided is always read whole" or "a project stays together",
              why = by == "project" and "A project is in one part, and its name says which." or "A hash of the order's number scatters a project over all parts.",
              holds = function(w) return asked(w, by == "project" and "orders:{giant#1}" or giant) > 1 end },
            { "All orders of another customer", belief = "one divided, all divided", why = "Nobody else was divided.",
              holds = function(w) return asked(w, "orders:{" .. tenants[2] .. "}") > 1 end },
          },
          why = "Whatever spans its parts.",
          hints = { "What is in one place, and what is not?", by == "project" and "A project is in one part." or "A project's orders have many numbers, and so many hashes.",
            by == "project" and "One of them." or "Two of them." } },
        after = [[That is why only this one is divided, and by what its busiest question names.]] },
    } }
  end,
}
