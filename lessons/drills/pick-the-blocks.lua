-- Which slots should the new shard take? Blocks of slots on the story's map, with the posts where
-- their hashes put them, and a new load each time.

local CELL, POSTS = 16384, 16
local QUARTER = CELL // 4
local SIZE = { [0] = 819, 819, 819, 820 }

local function grouped(n)
  return n < 1000 and tostring(n) or string.format("%d,%03d", n // 1000, n % 1000)
end

return drill {
  id = "pick-the-blocks", part = 6, title = "Pick the blocks",
  make = function(r)
    local shard = r:between(0, 3)
    local first, size = shard * QUARTER, SIZE[shard]
    local last = first + QUARTER - 1
    local map = layout("slots", { shards = 4, deal = "ranges" })

    local mine = {} -- the posts of this shard, by slot
    for n = 1, POSTS do
      local slot = map:position("{p" .. n .. "}")
      if slot >= first and slot <= last then mine[#mine + 1] = { post = "p" .. n, slot = slot } end
    end
    table.sort(mine, function(a, b) return a.slot < b.slot end)

    local function inside(start)
      local count, which = 0, nil
      for _, m in ipairs(mine) do
        if m.slot >= start and m.slot < start + size then count, which = count + 1, m.post end
      end
      return count, which
    end
    local alone, lowest = {}, nil -- post -> the lowest block that has it and no other
    for start = first, last - size + 1 do
      local count, which = inside(start)
      if count == 1 then
        alone[which] = alone[which] or start
        lowest = lowest or start
      end
    end

    local rates, shown, listed = {}, {}, {}
    for i, m in ipairs(mine) do
      rates[m.post] = 10 * r:between(2, 18)
      local slot = grouped(m.slot)
      listed[i] = m.post .. " in slot " .. slot
      shown[i] = m.post .. " in slot " .. slot .. " with " .. rates[m.post]
    end
    local able = {}
    for _, m in ipairs(mine) do
      if alone[m.post] then able[#able + 1] = m.post end
    end
    local wanted = r:pick(able)

    local function with_load(w)
      for _, m in ipairs(mine) do w:flow("like", "likes:{" .. m.post .. "}", rates[m.post]) end
    end
    local function start_world(w)
      with_load(w)
      w:add_shard()
    end

    local names = { shard = shard, first = first, last = last, size = size, posts = table.concat(listed, ", "),
      lowest = lowest, rates = table.concat(shown, "; "), wanted = wanted, from = alone[wanted],
      to = alone[wanted] + size - 1, rate = rates[wanted], able = table.concat(able, ", ") }

    local choices = {}
    for i, m in ipairs(mine) do
      choices[i] = { m.post, belief = "a block can be laid anywhere",
        why = alone[m.post] and "From slot " .. grouped(alone[m.post]) .. " on there are " .. size .. " slots with nothing but " .. m.post .. " in them."
          or "Each block of " .. size .. " slots with " .. m.post .. " in it has another post as well, or leaves the shard.",
        holds = function() return alone[m.post] ~= nil end }
    end

    return { world = "story-quiet", steps = {
      { id = "alone", title = "One post and no other", show = { "slot_map:*" }, key = "likes:{" .. wanted .. "}", with = names,
        enter = with_load,
        say = [[S{shard} owns slots {first} to {last}, with {posts}. A new shard is to get a block of {size} of these slots, in one
          piece.]],
        predict = { id = "drill-blocks-alone", kind = "several",
          ask = "Which posts can such a block take along alone?", choices = r:shuffle(choices),
          why = "A block fits if there is room for {size} slots around the post that holds no other.",
          hints = { "How far is each post from its neighbours and from the ends?",
            "A post is free if {size} slots fit between the post before it and the one behind it.", "{able}." } },
        after = [[{able}.]] },

      { id = "lowest", title = "The lowest block", show = { "slot_map:*" }, with = names, enter = with_load,
        say = [[S{shard}: slots {first} to {last}, {posts}. Blocks of {size} slots with exactly one post in them can be laid in many
          ways.]],
        predict = { id = "drill-blocks-lowest", kind = "number", tolerance = 0,
          ask = "Which is the lowest slot that such a block can begin with?",
          answer = function() return lowest end,
          wrong = { [mine[1].slot] = lowest ~= mine[1].slot and { belief = "a block begins at its post",
              why = "The post may as well be in the last slot of its block." } or nil,
            [first] = lowest ~= first and { belief = "the lowest block begins at the lowest slot",
              why = "From there it does not reach a post, or reaches more than one." } or nil },
          why = "Lay it as low as the first post allows: with that post in its last slot, or as soon as it is alone.",
          hints = { "The lowest block holds the lowest post that it can.", "That post may be its last slot.",
            "A block that ends at slot s begins at s - {size - 1}." } },
        after = [[{lowest} to {lowest + size - 1}.]] },

      { id = "move-it", title = "Do it", show = { "bars", "slot_map:*" }, key = "likes:{" .. wanted .. "}", with = names, enter = start_world,
        actions = { "key" },
        say = [[S{shard} by likes a second: {rates}. S4 has joined. It should take {wanted} and no other post, with {size} slots in
          one piece.

          Press : and type, for example, `move {=first}-{=first + size - 1} S4`.]],
        try = { ask = "Give S4 those {size} slots.",
          goal = function(w)
            local got = w.S4.slots == size and w:owner("{" .. wanted .. "}") == "S4"
            for _, m in ipairs(mine) do
              got = got and (m.post == wanted or w:owner("{" .. m.post .. "}") ~= "S4")
            end
            return got
          end,
          solution = { "move " .. alone[wanted] .. "-" .. alone[wanted] + size - 1 .. " S4" },
          hints = { "{wanted} must be inside, and its neighbours outside.", "u takes a move back.",
            "{from} to {to} is one that fits." } } },
    } }
  end,
}
