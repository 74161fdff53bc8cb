-- Be the shard: requests come in, each with the slot it is for and the epoch that its router's map
-- has for it, and the shard's slot table says what to answer. Two requests one by one, then five in
-- a row. What is right is what the shard itself answered when they were sent.

local NAMES = { "clip", "post", "song", "story", "photo", "video" }
local SLOTS = 16384

-- What a shard may answer, and the letter for it.
local ANSWERS = { "serve", "serve, and say reload", "MOVED", "retry" }
local LETTERS = { "s", "r", "m", "w" }

-- Why each answer would be wrong where another is right: BELIEFS[given][right]; for a read another
-- reason, where it differs.
local READS = { [1] = { [4] = "The slot is on its way. In a moment the other shard may have newer values than this one." } }
local BELIEFS = {
  { -- serve
    [2] = { "a shard only serves", "It owns the slot, so it serves. But the request names an older epoch: the router's map is old, and should be told so." },
    [3] = { "a shard serves what it has", "The slot moved away. What is still here may be old, and nobody would ever read what is written to it." },
    [4] = { "owning is enough", "The slot is on its way. What is written now could be missed by the copy." },
  },
  { -- serve, and say reload
    [1] = { "any old map must be reloaded", "The request names the row's own epoch. For this slot the router's map is new enough, whatever else is old in it." },
    [3] = { "a shard serves what it has", "The slot moved away, so it must not be served at all." },
    [4] = { "owning is enough", "Nobody serves a slot that is on its way." },
  },
  { -- MOVED
    [1] = { "an old map is always turned away", "The slot is here, and the epoch is that of its row. There is nothing to turn away." },
    [2] = { "an old epoch means the wrong shard", "The map is old, but it led to the right shard: the slot left and came back. Serve, and say that a newer map exists." },
    [4] = { "on its way is gone", "It has not arrived anywhere yet. MOVED would send the router to a shard that does not serve it." },
  },
  { -- retry
    [1] = { "any move holds up all slots", "This slot is not on its way. Only rows that say migrating are held." },
    [2] = { "an old router must wait", "Waiting does not renew a map. The slot is here: serve, and say reload." },
    [3] = { "retry is always safe", "The router would come back with the same old map, again and again. The row knows where the slot went." },
  },
}

local function why_wrong(given, right, op)
  return op == "read" and READS[given] and READS[given][right] or BELIEFS[given][right][2]
end

return drill {
  id = "be-the-shard", part = 1, title = "Be the shard",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local mine = r:between(0, 3)
    local me = "S" .. mine
    local others = {}
    for i = 0, 3 do
      if i ~= mine then others[#others + 1] = "S" .. i end
    end
    others = r:shuffle(others)
    local name = r:pick(NAMES)

    -- Keys on this shard, each in a slot of its own: four of the first table, four of the second.
    local keys_here, seen, at = {}, {}, r:between(1, 400)
    while #keys_here < 8 do
      local key = name .. ":{" .. at .. "}"
      local slot = map:position(key)
      if map:owner(key) == mine and not seen[slot] then
        keys_here[#keys_here + 1] = { key = key, slot = slot }
        seen[slot] = true
      end
      at = at + r:between(1, 9)
    end
    keys_here = r:shuffle(keys_here)

    -- A table: one slot stayed, one left, one left and came back, one is on its way.
    local function scene(from)
      local s = { stayed = keys_here[from], left = keys_here[from + 1], back = keys_here[from + 2], going = keys_here[from + 3] }
      s.rows = r:shuffle({ s.stayed, s.left, s.back, s.going })
      return s
    end
    local one, two = scene(1), scene(5)

    local function to(w, k, shard) w:move(k.slot, k.slot, shard) end

    -- Routers `old` have heard of nothing since, `half` of nothing since the slot came back.
    local function set_up(w, s, old, half)
      for i = 0, w:routers() - 1 do
        local router = "R" .. i
        if w[router].deaf then w:deaf(router, false) end
        if w[router].version < w:map_version() then w:reload(router) end
      end
      w:play_for(1)
      for _, router in ipairs(old) do w:deaf(router, true) end
      to(w, s.back, others[1])
      to(w, s.back, me)
      w:play_for(1)
      for _, router in ipairs(half) do w:deaf(router, true) end
      to(w, s.left, others[2])
      w:play_for(1)
      w:freeze(s.going.slot, s.going.slot, me, true)
    end

    local function let_go(w, s)
      w:play_for(0.025)
      w:freeze(s.going.slot, s.going.slot, me, false)
      w:play_answered()
      w:play_for(0.01) -- the maps that were asked for
    end

    -- What the shard answered to the last n requests, by what became of them: number i went through
    -- list[i].router, which had an old map.
    local function answers(w, list)
      local out = {}
      for i, q in ipairs(list) do
        local got = w:request(w.last.number - #list + i)
        if got.retries > 0 then
          out[i] = 4
        elseif got.asks > 1 then
          out[i] = 3
        elseif q.heard ~= "all" and w[q.router].version == w:map_version() then
          out[i] = 2 -- it fetched the map although nobody said MOVED
        else
          out[i] = 1
        end
      end
      return out
    end

    -- --- texts ---

    local function row_of(w, k)
      local state = w:table(me, k.key)
      if state == "moved" then return "moved to " .. w:owner(k.key) .. ", epoch " .. w:epoch(k.key) end
      return state .. ", epoch " .. w:epoch(k.key)
    end

    local function table_of(w, s)
      local lines = {}
      for i, k in ipairs(s.rows) do lines[i] = string.format("  %-5d  %s", k.slot, row_of(w, k)) end
      return table.concat(lines, "\n")
    end

    -- The epoch that a router's map has for a slot, by how far it has heard: the slot that came back
    -- went up twice, the one that left once.
    local function epoch_seen(w, s, q)
      local epoch = w:epoch(q.k.key)
      if q.k == s.left then return epoch - 1 end
      if q.k == s.back and q.heard == "old" then return epoch - 2 end
      return epoch
    end

    local function request(s, kind, router)
      local q = { router = router, op = r:pick({ "read", "like" }), kind = kind }
      q.heard = (kind == "back" or kind == "left-half") and "half" or "old"
      q.k = ({ stayed = s.stayed, back = s.back, reload = s.back, left = s.left, ["left-half"] = s.left, going = s.going })[kind]
      q.right = ({ stayed = 1, back = 1, reload = 2, left = 3, ["left-half"] = 3, going = 4 })[kind]
      return q
    end

    local function heard(list, what)
      local out = {}
      for _, q in ipairs(list) do
        if q.heard == what then out[#out + 1] = q.router end
      end
      return out
    end

    local function send(w, s, list)
      for _, q in ipairs(list) do w:send(q.op, q.k.key, q.router) end
      let_go(w, s)
    end

    -- --- one by one ---

    local kinds = r:shuffle({ "reload", "left", "going", "stayed" })
    local singles = { request(one, kinds[1], "R1"), request(one, kinds[2], "R2") }

    local function single(id, title, q)
      local choices = {}
      for given, text in ipairs { "Serve it.", "Serve it, and say \"reload\".", "MOVED.", "Retry later." } do
        local wrong = BELIEFS[given][q.right]
        choices[given] = { text, belief = wrong and wrong[1], why = wrong and why_wrong(given, q.right, q.op),
          holds = function(w) return answers(w, { q })[1] == given end }
      end
      return { id = id, title = title, show = { "trace", "maps" }, key = q.k.key, router = q.router,
        enter = function(w)
          if q == singles[1] then
            set_up(w, one, { "R1", "R2" }, {})
          else
            w:freeze(one.going.slot, one.going.slot, me, true)
          end
        end,
        say = "You are {me}. Rows of your slot table:\n{=rows(w)}\n\n"
          .. "A {op} comes from {router}: slot {=slot}, epoch {seen(w)} in {router}'s map.",
        with = { me = me, op = q.op, router = q.router, slot = q.k.slot, rows = function(w) return table_of(w, one) end,
          seen = function(w) return epoch_seen(w, one, q) end },
        predict = { id = "drill-" .. id, kind = "choice", ask = "What do you answer?", choices = choices,
          why = "The row alone decides: its state, and its epoch against the one that the request names.",
          hints = { "Which row is it?", "Owned, moved or migrating?", "If owned: is the epoch named as new as the row's?" } },
        run = function(w) send(w, one, { q }) end,
        after = [[Open the answer of {me} with i to see what it looked at.]] }
    end

    -- --- five in a row ---

    local five = r:shuffle({ "reload", r:pick({ "left", "left-half" }), "going", r:pick({ "stayed", "back" }),
      r:pick({ "stayed", "back", "left", "left-half", "reload", "going" }) })
    local stream = {}
    for i, kind in ipairs(five) do stream[i] = request(two, kind, "R" .. (i - 1)) end

    local function lettered(list)
      local out = {}
      for i, right in ipairs(list) do out[i] = LETTERS[right] end
      return table.concat(out)
    end

    local function number_of(letter)
      for i, l in ipairs(LETTERS) do
        if l == letter then return i end
      end
    end

    -- The first wrong letter, said with the belief behind it.
    local function first_wrong(given, right)
      for i = 1, #right do
        local g, t = number_of(given:sub(i, i)), number_of(right:sub(i, i))
        if g == nil then break end
        if g ~= t then
          local wrong = BELIEFS[g][t]
          return { belief = wrong[1], why = "The first wrong one is request " .. i .. ": " .. me .. " said \"" .. ANSWERS[t] .. "\". "
            .. why_wrong(g, t, stream[i].op) }
        end
      end
      return { why = "Five letters are wanted, each s, r, m or w, without blanks." }
    end

    local function requests_of(w)
      local lines = {}
      for i, q in ipairs(stream) do
        lines[i] = string.format("  %d  %s: %s %d, epoch %d", i, q.router, q.op, q.k.slot, epoch_seen(w, two, q))
      end
      return table.concat(lines, "\n")
    end

    return { world = "story-quiet", steps = {
      single("first", "A request", singles[1]),
      single("second", "Another one", singles[2]),
      { id = "stream", title = "Five in a row", show = { "trace:" .. me, "maps" }, key = two.left.key,
        enter = function(w) set_up(w, two, heard(stream, "old"), heard(stream, "half")) end,
        say = "New rows of {me}:\n{=rows(w)}\n\nFive routers ask at once:\n{=requests(w)}",
        with = { me = me, rows = function(w) return table_of(w, two) end, requests = requests_of,
          truth = function(w) return lettered(answers(w, stream)) end, LETTER = LETTERS[stream[1].right] },
        predict = { id = "drill-stream", kind = "text",
          ask = "Five letters: s serve, r serve and reload, m MOVED, w retry.",
          answer = function(w) return lettered(answers(w, stream)) end,
          wrong = function(w)
            local right, out = lettered(answers(w, stream)), {}
            for _, swap in ipairs { { "r", "s" }, { "m", "s" }, { "w", "m" } } do
              local mistake = right:gsub(swap[1], swap[2])
              out[mistake] = first_wrong(mistake, right)
            end
            if answer ~= nil then
              local given = tostring(answer):lower()
              out[given] = first_wrong(given, right)
            end
            return out
          end,
          why = "Row by row: owned, and the epoch as new: serve. Owned, and older: serve and reload. Moved: MOVED. Migrating: retry.",
          hints = { "Take them one by one. Which row is it?", "Only an owned row looks at the epoch.",
            "The first one is {LETTER}." } },
        run = function(w) send(w, two, stream) end,
        after = [[{me} answered {truth(w)}.]] },
    } }
  end,
}
