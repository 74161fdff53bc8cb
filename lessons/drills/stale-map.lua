-- Routers with maps of different age: how many shards each asks, who sends it on and to whom, what
-- map it has afterwards, and how often MOVED is said in all. The key's slot went from shard to
-- shard to shard; other slots moved as well, and that makes a map old and not wrong.

local NAMES = { "cart", "room", "song", "seat", "photo", "ticket" }

return drill {
  id = "stale-map", part = 1, title = "Old maps",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local key = r:pick(NAMES) .. ":{" .. r:between(100, 999) .. "}"
    local slot, at_first = map:position(key), map:owner(key)
    local rest = {}
    for i = 0, 3 do
      if i ~= at_first then rest[#rest + 1] = "S" .. i end
    end
    rest = r:shuffle(rest)
    local first, second, third = "S" .. at_first, rest[1], rest[2]

    -- The history of the map: four changes, two of them of the key's slot. Who hears how much is
    -- drawn: of six routers two know all, the others fell deaf at different times.
    local elsewhere = (slot + r:between(1000, 9000)) % 16384
    local routers = r:shuffle({ "R0", "R1", "R2", "R3", "R4", "R5" })
    local oldest, older, between, nearly = routers[1], routers[2], routers[3], routers[4]
    local ones = { routers[r:pick({ 1, 1, 2, 5 })], routers[r:pick({ 3, 3, 6 })] } -- those asked one by one
    local left = {}
    for i = 1, 4 do -- and one more, that none of these is
      if routers[i] ~= ones[1] and routers[i] ~= ones[2] then left[#left + 1] = routers[i] end
    end
    ones[3] = r:chance(1, 2) and nearly or r:pick(left)

    local function move(w, from, to) -- a slot that may be there already goes to the next but one
      if w:owner(from) == to then to = third end
      w:move(from, from, to)
      w:play_for(1)
    end

    local function set_up(w)
      w:deaf(oldest, true)
      move(w, elsewhere, second)
      w:deaf(older, true)
      move(w, slot, second)
      w:deaf(between, true)
      move(w, slot, third)
      w:deaf(nearly, true)
      move(w, elsewhere, w:owner(elsewhere) == first and second or first)
    end

    local function ages(w)
      local lines = {}
      for i = 0, w:routers() - 1 do
        local name = "R" .. i
        lines[i + 1] = string.format("  %s  v%d, for this slot %s", name, w[name].version, w:says(name, key))
      end
      return table.concat(lines, "\n")
    end

    local function ask(w, router)
      w:send("read", key, router)
      w:play_answered()
    end

    local one, two, three = ones[1], ones[2], ones[3]
    local wrong_before = one == oldest or one == older or one == between -- whether its map names a former owner
    local names = { key = key, first = first, second = second, third = third, ages = ages, one = one, two = two, three = three, wrong_before = wrong_before }

    -- The last scene: so many routers missed a move, and each router is asked so many times.
    local DEAF, TIMES = r:between(2, 5), r:between(3, 9)
    local missed = {}
    for i = 1, DEAF do missed[i] = routers[i] end
    table.sort(missed)
    local function said_moved(w)
      local count = 0
      for i = w.last.number - TIMES * w:routers() + 1, w.last.number do count = count + w:request(i).asks - 1 end
      return count
    end
    local mistakes = {
      [DEAF * TIMES] = { belief = "an old router stays old", why = "MOVED makes a router fetch the map. Its later requests go straight." },
      [1] = { belief = "one router tells the others", why = "Routers do not talk to each other. Each finds out for itself." },
      [0] = { belief = "a router knows that its map is old", why = "From the inside an old map looks like a new one." },
      [6] = { belief = "every router has to learn", why = "Those that heard of the move have nothing to learn." },
      [6 * TIMES] = { belief = "every request is sent on", why = "A router with the newest map goes straight." },
    }

    return { world = "story-quiet", steps = {
      { id = "hops", title = "How many shards", show = { "trace", "maps" }, key = key, router = one,
        enter = set_up,
        say = "The slot of `" .. key .. "` went from {first} to {second}, then to {third}. The map is v{directory.version}. The routers have:\n\n{=ages(w)}"
          .. "\n\nA phone asks {one}.",
        with = names,
        predict = { id = "drill-hops", kind = "number",
          ask = "How many shards does {one} ask in all?",
          answer = function(w) return w.last.asks end,
          wrong = { [3] = { belief = "MOVED leads from owner to owner",
              why = "After MOVED a router fetches the newest map, and that names the last owner." },
            [wrong_before and 1 or 2] = wrong_before and { belief = "a router knows that its map is old",
              why = "From the inside an old map looks like a new one. It asks by its map first." }
              or { belief = "every move costs everybody a hop", why = "This router heard of the moves. Its map names the owner." },
            [4] = { belief = "a lost router asks everybody",
              why = "Nobody is asked at random: one by the router's map, and if need be one by the map that it fetches." } },
          why = "One by the map it has; if that was wrong, one more by the map it fetches, however many moves were missed.",
          hints = { "Whom does it ask first?", "Is that the owner? If not, it fetches the newest map.",
            "It is {wrong_before and 2 or 1}." } },
        run = function(w) ask(w, one) end,
        after = "{last.asks} asked. {one} has v{w[one].version} now." },

      { id = "who", title = "Who sends it on", show = { "trace", "maps" }, key = key, router = two,
        say = "A phone asks {two}, whose map is v{w[two].version} and has {w:says(two, key)} for the slot. The owner is {third}.",
        with = names,
        predict = { id = "drill-who-says-moved", kind = "text",
          ask = "Which shard says MOVED? Type it, or none.",
          answer = function(w) return w.last.asks > 1 and second or "none" end,
          wrong = function(w)
            local sent_on = w.last.asks > 1
            return { [first] = { belief = "the first owner sends everybody on", why = "It is not asked. {two}'s map does not name it." },
              [third] = { belief = "the owner says MOVED", why = "The owner serves. MOVED comes from one who gave the slot away." },
              [sent_on and "none" or second] = sent_on and { belief = "nearly new is new enough",
                why = "Its map is newer than others, and still wrong about this slot." }
                or { belief = "every move is told by MOVED", why = "{two} heard of the move from the directory, and asks the owner at once." } }
          end,
          why = "MOVED is said by the shard that the map names, if that one gave the slot away.",
          hints = { "Whom does {two} ask first?", "Does that one still own the slot?", "If it does, nobody says MOVED." } },
        run = function(w) ask(w, two) end,
        after = "{last.asks} asked, and {last.shard} served." },

      { id = "old-not-wrong", title = "Old, or wrong", show = { "trace", "maps" }, key = key, router = three,
        say = "{three} has v{w[three].version}, and the newest is v{directory.version}. A phone asks it for `" .. key .. "`.",
        with = names,
        predict = { id = "drill-old-not-wrong", kind = "choice",
          ask = "What happens?",
          choices = {
            { "One shard is asked. The map of {three} stays as it is.", belief = "old is never wrong",
              why = "Its map names a shard that gave the slot away. That one says MOVED, and the map is fetched.",
              holds = function(w) return w.last.asks == 1 and w[three].version < w:map_version() end },
            { "One shard is asked, serves, and says that the map is old.", belief = "any old map must be reloaded",
              why = "Reload is said by the owner, when the epoch of this very slot is old in the router's map.",
              holds = function(w) return w.last.asks == 1 and w[three].version == w:map_version() end },
            { "Two are asked, and the map is fetched.", belief = "an old map is a wrong map",
              why = "It is old, and right about this slot. What it does not know is about another one.",
              holds = function(w) return w.last.asks == 2 end },
          },
          why = "What counts is this slot's owner and epoch, and not the version of the whole map.",
          hints = { "What does its map say about this slot?", "Is that the owner, {third}?", "If so, nothing more happens." } },
        run = function(w)
          ask(w, three)
          w:play_for(1)
        end,
        after = "{last.asks} asked. {three} has v{w[three].version}." },

      { id = "in-all", title = "In all", show = { "maps", "trace" }, key = key, router = missed[1],
        enter = function(w)
          for i = 0, w:routers() - 1 do
            local name = "R" .. i
            if w[name].deaf then w:deaf(name, false) end
            if w[name].version < w:map_version() then w:reload(name) end
          end
          w:play_for(1)
          for _, name in ipairs(missed) do w:deaf(name, true) end
          w:move(slot, slot, first)
          w:play_for(1)
        end,
        say = "All routers caught up. Then the slot went on to {first}, and {missed} missed that.\n\nNow each of the {w:routers()} routers is asked {times} times for `"
          .. key .. "`, one request after another.",
        with = { first = first, missed = table.concat(missed, ", "), times = TIMES, said = said_moved, deaf = DEAF },
        predict = { id = "drill-moved-in-all", kind = "number",
          ask = "How often is MOVED said, all together?",
          answer = said_moved,
          wrong = mistakes,
          why = "Once to each router that missed the move, and then never again.",
          hints = { "Which routers are wrong about the slot?", "What does each do after its first MOVED?",
            "{deaf} of them, once each." } },
        run = function(w)
          for _ = 1, TIMES do
            for i = 0, w:routers() - 1 do ask(w, "R" .. i) end
          end
        end,
        after = "{said(w)} times, in {times * w:routers()} requests." },
    } }
  end,
}
