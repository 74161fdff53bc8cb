-- A stream whose shards were cut and merged at random: what has to be read to its end before a shard,
-- which shards may be begun, which order of work is right, what a reader that does not care meets
-- first, and how long a child has to wait. The lineage is the engine's, and so is what is read.

local FEW = 5 -- choices at most

-- "0, 1 and 3"
local function list(items)
  if #items < 2 then return tostring(items[1] or "none") end
  return table.concat(items, ", ", 1, #items - 1) .. " and " .. items[#items]
end

local function in_order(a) return table.concat(a, ", ") end

-- --- a lineage, as the stream will number its shards ---

local function new_stream(n)
  local s = { shard = {}, open = {} } -- open: numbers, in the order of their ranges
  for i = 0, n - 1 do
    s.shard[i] = { parents = {} }
    s.open[i + 1] = i
  end
  s.count = n
  return s
end

local function place_of(s, number)
  for i, n in ipairs(s.open) do if n == number then return i end end
end

local function born(s, parents)
  s.shard[s.count] = { parents = parents }
  s.count = s.count + 1
  return s.count - 1
end

local function cut(s, number)
  local at = place_of(s, number)
  s.open[at] = born(s, { number })
  table.insert(s.open, at + 1, born(s, { number }))
end

local function merge(s, at)
  local a, b = s.open[at], s.open[at + 1]
  table.remove(s.open, at + 1)
  s.open[at] = born(s, { a, b })
  return a, b
end

local function ancestors(s, number, into)
  into = into or {}
  for _, p in ipairs(s.shard[number].parents) do
    into[p] = true
    ancestors(s, p, into)
  end
  return into
end

local function count(set)
  local n = 0
  for _ in pairs(set) do n = n + 1 end
  return n
end

-- The first shard of an order that comes before one of its parents, and that parent.
local function broken(s, order)
  local place = {}
  for i, n in ipairs(order) do place[n] = i end
  for i, n in ipairs(order) do
    for _, p in ipairs(s.shard[n].parents) do
      if place[p] > i then return n, p end
    end
  end
end

-- --- the drill ---

return drill {
  id = "parent-first", part = 7, title = "Parents first",
  make = function(r)
    -- Two or three shards, some of them cut, two neighbours merged.
    local first = r:between(2, 3)
    local s, commands = new_stream(first), {}
    local function do_cut(number)
      commands[#commands + 1] = "system kinesis cut " .. number
      cut(s, number)
    end
    local function do_merge(at)
      local a, b = merge(s, at)
      commands[#commands + 1] = "system kinesis join " .. a .. " " .. b
    end
    do_cut(r:pick(s.open))
    if r:chance(1, 2) then do_cut(r:pick(s.open)) end
    do_merge(r:between(1, #s.open - 1))
    if s.count < 7 then do_cut(r:pick(s.open)) end

    local shards = {}
    for n = 0, s.count - 1 do shards[#shards + 1] = n end

    -- The engine's lineage is the one that the choices are made of, or the drill is not set up.
    local function stream(w)
      w:command("system kinesis on " .. first)
      for n = 1, 16 do w:flow("like", "likes:{p" .. n .. "}", 20) end
      for _, c in ipairs(commands) do
        w:play_for(0.4)
        w:command(c)
      end
      w:play_for(0.4)
      for n = 1, 16 do w:flow("like", "likes:{p" .. n .. "}", 0) end
      for n = 0, s.count - 1 do
        local p, there = w:system_part("kinesis", n), {}
        for _, number in ipairs(p and p.parents or {}) do there[number] = true end
        assert(p and count(there) == #s.shard[n].parents, "this drill cannot be set up here: shard " .. n .. " has other parents")
        for _, number in ipairs(s.shard[n].parents) do
          assert(there[number], "this drill cannot be set up here: shard " .. n .. " has other parents")
        end
      end
    end
    -- Whether the engine says that b comes before a, at however many removes.
    local function before(w, a, b)
      for _, p in ipairs(w:system_part("kinesis", a).parents) do
        if p == b or before(w, p, b) then return true end
      end
      return false
    end

    -- --- finish first ---

    local target, most = nil, 0 -- the shard with most before it
    for _, n in ipairs(s.open) do
      local c = count(ancestors(s, n))
      if c >= most then target, most = n, c end
    end
    local needed, others = ancestors(s, target), {}
    for _, n in ipairs(shards) do
      if n ~= target and not needed[n] then others[#others + 1] = n end
    end
    others = r:shuffle(others)
    local asked = {}
    for n in pairs(needed) do if #asked < FEW - 1 then asked[#asked + 1] = n end end
    for _, n in ipairs(others) do if #asked < FEW then asked[#asked + 1] = n end end
    table.sort(asked)
    local finish = {}
    for i, n in ipairs(asked) do
      local sibling = #s.shard[n].parents == 1 and #s.shard[target].parents == 1 and s.shard[n].parents[1] == s.shard[target].parents[1]
      finish[i] = { "shard " .. n, belief = n > target and "what is newer is read first" or sibling and "siblings wait for each other" or "low numbers are read first",
        why = needed[n] and "Keys of shard " .. target .. " were in shard " .. n .. " before." or sibling and "Both come from shard " .. s.shard[n].parents[1] .. ", and share no key. Once that is read, they can be read side by side."
          or n > target and "Shard " .. n .. " is newer, and no part of what shard " .. target .. " comes from."
          or "Nothing of shard " .. n .. " went on in shard " .. target .. ": they share no key by way of the lineage.",
        holds = function(w) return before(w, target, n) end }
    end

    -- --- what may be begun ---

    local read, done = {}, {} -- shards that were read to their ends; their parents were, too
    local order = {} -- all shards, parents first, otherwise at random
    repeat
      order = r:shuffle(shards)
      local placed, sorted = {}, {}
      while #sorted < #order do
        for _, n in ipairs(order) do
          local ready = not placed[n]
          for _, p in ipairs(s.shard[n].parents) do ready = ready and placed[p] end
          if ready then
            placed[n] = true
            sorted[#sorted + 1] = n
          end
        end
      end
      order = sorted
    until not broken(s, order)
    local function waits(n)
      for _, p in ipairs(s.shard[n].parents) do if not done[p] then return p end end
    end
    for i = 1, r:between(1, #order - 3) do
      if not place_of(s, order[i]) then -- an open shard has no end yet
        read[#read + 1] = order[i]
        done[order[i]] = true
      end
      local some
      for _, n in ipairs(shards) do some = some or (not done[n] and waits(n)) end
      if not some then -- then nothing would be wrong
        if #read > 0 then done[table.remove(read)] = nil end
        break
      end
    end
    table.sort(read)
    local function may(w, n)
      for _, p in ipairs(w:system_part("kinesis", n).parents) do
        if not done[p] then return false end
      end
      return true
    end
    local free, waiting, some = {}, {}, {}
    for _, n in ipairs(r:shuffle(shards)) do
      if not done[n] then
        local list = waits(n) and waiting or free
        list[#list + 1] = n
      end
    end
    for i = 1, math.max(#free, #waiting) do -- by turns, so that there is one of each
      if free[i] and #some < FEW then some[#some + 1] = free[i] end
      if waiting[i] and #some < FEW then some[#some + 1] = waiting[i] end
    end
    local begin = {}
    for i, n in ipairs(r:shuffle(some)) do
      local missing = waits(n)
      begin[i] = { "shard " .. n,
        belief = #s.shard[n].parents == 2 and missing and "one parent is enough" or missing and "a free reader may take any shard" or nil,
        why = missing and "Its parent, shard " .. missing .. ", is not read to its end." or #s.shard[n].parents == 0 and "It has no parent." or "Its parents are read to their ends.",
        holds = function(w) return may(w, n) end }
    end
    local ready = {} -- for the hint
    for _, n in ipairs(shards) do
      local all = not done[n]
      for _, p in ipairs(s.shard[n].parents) do all = all and done[p] end
      if all then ready[#ready + 1] = n end
    end

    -- --- an order of work ---

    -- Not by number, which would always do; and three that go wrong in ways of their own.
    local function moved(from, to)
      local out = {}
      for i, n in ipairs(order) do out[i] = n end
      table.insert(out, to, table.remove(out, from))
      return out
    end
    local children = {}
    for i, n in ipairs(order) do if #s.shard[n].parents > 0 then children[#children + 1] = i end end
    local newest, wrong, told = {}, {}, {}
    for i = #order, 1, -1 do newest[#newest + 1] = order[i] end
    told[in_order(order)] = true
    local function add(o, belief)
      local child, parent = broken(s, o)
      if not child or told[in_order(o)] then return end
      told[in_order(o)] = true
      wrong[#wrong + 1] = { in_order(o), belief = belief, why = "Shard " .. child .. " comes before its parent, shard " .. parent .. ".",
        holds = function(w)
          for i, n in ipairs(o) do
            for k = i + 1, #o do if before(w, n, o[k]) then return false end end
          end
          return true
        end }
    end
    add(newest, "what is newer is read first")
    for _, i in ipairs(r:shuffle(children)) do
      local n = order[i]
      for k = i - 1, 1, -1 do
        local first_parent = false
        for _, p in ipairs(s.shard[n].parents) do first_parent = first_parent or order[k] == p end
        if first_parent then
          add(moved(i, k), #s.shard[n].parents == 2 and "one parent is enough" or "open shards are what counts")
          break
        end
      end
    end
    local orders = { { in_order(order), holds = function(w)
      for i, n in ipairs(order) do
        for k = i + 1, #order do if before(w, n, order[k]) then return false end end
      end
      return true
    end } }
    for i = 1, math.min(3, #wrong) do orders[#orders + 1] = wrong[i] end

    -- --- what comes too early, and how long a child waits ---

    local post = "p" .. r:between(1, 16)
    local likes = "likes:{" .. post .. "}"
    local rate = 10 * r:between(8, 30)
    local old_s, new_s = r:between(4, 8), r:between(1, 3)
    local reads = 5 * r:between(10, 40)
    local function written(w)
      w:command("system kinesis on 1") -- anew
      w:flow("like", likes, rate)
      w:play_for(old_s)
      w:command("system kinesis cut 0")
      w:play_for(new_s)
      w:flow("like", likes, 0)
      w:play_for(0.5)
      assert(w:system_part("kinesis", 0).records > 0 and w:system_of("kinesis", post).records > 0, "this drill cannot be set up here: a shard is empty")
    end
    local function old(w) return w:system_part("kinesis", 0).records end
    local function new(w) return w:system_of("kinesis", post).records end
    -- What of the child was read too early, by a reader who takes any shard.
    local early
    local function too_early(w)
      if not early then
        local f = w:fork()
        f:command("system kinesis set order any")
        f:command("system kinesis set reader " .. reads)
        f:play_for(0.3)
        for _ = 1, 200 do
          if f:system("kinesis").unread == 0 then break end
          f:play_for(0.5)
        end
        early = f:system_key("kinesis", post).disorder
      end
      return early
    end
    -- Seconds until the child may be begun.
    local function waited(w)
      local f = w:fork()
      f:command("system kinesis set order parents")
      f:command("system kinesis set reader " .. reads)
      for i = 1, 4000 do
        if f:system_part("kinesis", 0).unread == 0 then return i / 20 end
        f:play_for(0.05)
      end
    end
    local wait

    local names = { target = target, needed = needed, s = s, read = list(read), ready = list(ready), post = post, rate = rate, old_s = old_s, new_s = new_s,
      reads = reads, old = old, new = new, list = list, first = first,
      all_of = function()
        local out = {}
        for _, n in ipairs(shards) do if needed[n] then out[#out + 1] = n end end
        return list(out)
      end,
      right = in_order(order), early = function(w) return too_early(w) end, wait = function() return wait end }
    local show = { "lineage:kinesis" }

    return { world = "story-quiet", steps = {
      { id = "before", title = "Before this one", show = show, with = names, enter = stream,
        say = [[A stream had {first} shards. Some were cut, some merged; the picture shows which came of which. Nobody has read anything yet. No record may be read before an older one of its key.]],
        predict = { id = "drill-parent-before", kind = "several",
          ask = "Which have to be read to their ends before shard {target} is begun?", choices = finish,
          why = "All that its keys went through before, parents of parents too.",
          hints = { "Who are its parents?", "And theirs?", "{all_of()}." } },
        after = [[{all_of()}. The others do not hold up shard {target}; each of them waits for its own parents.]] },

      { id = "begin", title = "What may be begun", show = show, with = names, enter = stream,
        say = [[Read to their ends: {read}. Workers are free.]],
        predict = { id = "drill-parent-begin", kind = "several",
          ask = "Which of these may be begun now?", choices = begin,
          why = "All parents are read to their ends, or there are none.",
          hints = { "Look at each one's parents.", "Both of them, where two were merged.", "{ready}." } },
        after = [[{ready}. As many workers as there are of those can be busy at a time.]] },

      { id = "order", title = "One worker", show = show, with = names, enter = stream,
        say = [[One worker reads all shards, one after the other, each to its end.]],
        predict = { id = "drill-parent-order", kind = "choice",
          ask = "In which order?", choices = r:shuffle(orders),
          why = "Nothing comes before its parents. In between there is a choice.",
          hints = { "Go through each order: does a shard come before a parent?", "A merged shard has two.", "{right}." } },
        after = [[{right}. Other orders would do as well, as long as each shard comes behind its parents.]] },

      { id = "early", title = "Any shard at any time", show = show, with = names, enter = written,
        say = [[{rate} likes a second of {post} came, for {old_s} s. Then the shard was cut, and they came for {new_s} s more. Now a reader takes {reads} records a second from *each* shard.]],
        predict = { id = "drill-parent-early", kind = "number", unit = "likes", tolerance = 2,
          ask = "How many likes are read before an older one of {post}?",
          answer = too_early,
          wrong = function(w)
            local out = { [0] = { belief = "records carry their order", why = "They carry it within their shard. The reader has two shards, and does not compare." } }
            out[old(w)] = { belief = "the old ones come too early", why = "The old ones come late. Too early are those that overtake them." }
            out[old(w) + new(w)] = { belief = "everything is mixed up", why = "Within the parent the order is right, and the child's records are the ones that overtake." }
            out[1] = { belief = "the first is the only one", why = "It is the first. As long as the parent is unread, all that come from the child are too early." }
            return out
          end,
          why = "While the parent has older ones, each that is read of the child is too early.",
          hints = { "How long does the reader need for the parent?", "And for the child? It is done first.", "All of the child: {new_s} s of {rate}." } },
        run = function(w)
          w:command("system kinesis set order any")
          w:command("system kinesis set reader " .. reads)
          w:play_for(2)
        end,
        after = [[The first of them was like {old(w) + 1}, when nearly all of the parent were unread. A state that keeps the last thing it saw would end with an old one.]] },

      { id = "wait", title = "How long it waits", show = show, with = names,
        enter = function(w)
          written(w)
          wait = waited(w)
        end,
        say = [[The same again: {rate} likes a second for {old_s} s, a cut, and {new_s} s more. The reader takes {reads} records a second from a shard. Now it keeps the rule.]],
        predict = { id = "drill-parent-wait", kind = "number", unit = "s", tolerance = 0.6,
          ask = "After how many seconds may the child be begun?",
          answer = function() return wait end,
          wrong = function(w)
            local right, out = wait, {}
            local function add(value, belief, why)
              if math.abs(value - right) > 1.3 then out[value] = { belief = belief, why = why } end
            end
            add(0, "shards are read side by side", "Side by side with others, yes. This one's parent comes first.")
            add(math.floor(10 * (old(w) + new(w)) / reads + 0.5) / 10, "it is over when all is read", "Then the child is read, too. It may begin when its parent is done.")
            add(math.floor(10 * new(w) / reads + 0.5) / 10, "a child waits as long as it is", "It waits for its parent's records.")
            return out
          end,
          why = "The parent's records over what is read a second.",
          hints = { "What has to be read before?", "The parent's records: {rate} x {old_s}.", "{old(w)} / {reads}." } },
        run = function(w)
          w:command("system kinesis set order parents")
          w:command("system kinesis set reader " .. reads)
          w:play_for(2)
        end,
        after = [[{wait()} s. To be faster one reads faster, before the cut: what is unread when a shard is cut is what its children wait for.]] },
    } }
  end,
}
