-- How many keys move when one shard joins: by hash mod N, by slots dealt from a map, and by one of
-- the other schemes; and which scheme cannot lose a shard from the middle. New numbers each time;
-- every answer is counted on a thousand keys.

local SLOTS = 4096

return drill {
  id = "modn-vs-slots", part = 6, title = "mod N or slots",
  make = function(r)
    local n = r:between(3, 12)
    local name = r:pick({ "user", "order", "photo", "room", "cart", "song", "ticket", "page" })
    local ks = keys(name .. ":%03d", 0, 999)
    local mod = layout("mod-n", { shards = n, hash = "fnv1a" })
    local mod_after = mod:add()
    local map = layout("slots", { shards = n, hash = "fnv1a", slots = SLOTS })
    local map_after = map:add()
    local fair = 1000 // (n + 1)

    local other = r:pick({ "ring", "jump", "rendezvous", "maglev", "ketama" })
    local told = {
      ring = "by a ring on which each has 100 tokens",
      jump = "by jump hash, which computes a shard's number without a table",
      rendezvous = "by rendezvous: each shard draws a number for the key, and the highest wins",
      maglev = "by Maglev's table, whose entries the shards fill in turn",
      ketama = "by Ketama, the ring of memcached with 160 points a server",
    }
    local scheme = layout(other, { shards = n })
    local scheme_after = scheme:add()
    -- Of four schemes one moves keys of shards that stay when one of the middle leaves.
    local unkind = r:pick({ "mod-n", "jump", "maglev" })
    local names = { ["mod-n"] = "hash mod N", jump = "jump hash", maglev = "Maglev, with a small table",
      ring = "a ring", slots = "slots and a map", rendezvous = "rendezvous", ketama = "Ketama" }
    local four = r:shuffle({ "ring", "slots", "rendezvous", "ketama" })
    four[r:between(1, 4)] = unkind
    local gone = r:between(1, n - 2)
    local leaving = {}
    local function bystanders(i)
      return leaving[i].before:moved(leaving[i].after, ks) - leaving[i].own
    end
    for i, s in ipairs(four) do
      for _, entries in ipairs { 251, 127, 61, 31 } do -- the smaller, the more Maglev disturbs
        local l = layout(s, { shards = n, table = entries })
        leaving[i] = { before = l, after = l:remove(gone), own = l:owned(ks, gone) }
        if s ~= "maglev" or bystanders(i) > 0 then break end
      end
    end
    local because = {
      ["mod-n"] = "All remainders change when the number of shards does.",
      jump = "The later shards move down by one number, and their keys with them.",
      maglev = "Turns come earlier when one shard less takes part, and some entries go to another one.",
    }
    local choices, guilty = {}, 1
    for i, s in ipairs(four) do
      if s == unkind then guilty = i end
      choices[i] = { names[s], belief = "every scheme shuffles",
        why = "By " .. names[s] .. " only the keys of S" .. gone .. " moved.",
        holds = function() return bystanders(i) > 0 end }
    end
    choices[guilty].belief, choices[guilty].why = nil, nil

    local function two_grids()
      return {
        { title = "hash mod " .. n .. ", then mod " .. (n + 1), keys = ks, before = mod, after = mod_after },
        { title = SLOTS .. " slots", keys = ks, before = map, after = map_after },
      }
    end

    return { steps = {
      { id = "mod-n", title = "By hash mod N", show = { "grid:1" }, grids = two_grids,
        say = "A thousand keys, `" .. name .. ":000` to `" .. name .. [[:999`, are on {n} shards. Each key's shard is
          its hash mod {n}, the remainder when the hash is divided by {n}. One more shard joins, and from now on it is the hash mod {n + 1}.]],
        with = { n = n, moved = mod:moved(mod_after, ks) },
        predict = { id = "drill-modn-moved", kind = "number", tolerance = 50,
          ask = "About how many of the 1,000 keys change their shard?",
          answer = function() return mod:moved(mod_after, ks) end,
          wrong = {
            [fair] = { belief = "only the new shard's share moves",
              why = "The new shard's share would be the least. But the remainder by " .. (n + 1)
                .. " has nothing to do with the remainder by " .. n .. ", so old shards swap keys as well." },
            [1000] = { belief = "everything moves",
              why = "A few keys have the same remainder by chance: about one in " .. (n + 1) .. "." },
            [500] = { belief = "half moves",
              why = "Half moves when the count doubles. For one more shard it is far more." } },
          why = "Only hashes with the same remainder by " .. n .. " and by " .. (n + 1)
            .. " stay: one in " .. (n + 1) .. ".",
          hints = { "When does a hash have the same remainder by " .. n .. " and by " .. (n + 1) .. "?",
            "Of " .. n * (n + 1) .. " hashes in a row, only the first " .. n .. " agree.",
            "So " .. n .. " of " .. n + 1 .. " move." } },
        after = [[{moved} of 1,000 moved. All {n} old shards gave keys away, mostly to each other.]] },

      { id = "slots", title = "By slots", show = { "grid:2" }, grids = two_grids,
        say = [[The same keys, with a map between. The hash picks one of {slots} slots, for ever. The map deals the
          slots to {n} shards. When one more joins it takes its fair share of slots, one at a time from whoever has most.]],
        with = { n = n, slots = SLOTS, moved = map:moved(map_after, ks), by_mod = mod:moved(mod_after, ks) },
        predict = { id = "drill-slots-moved", kind = "number", tolerance = 40,
          ask = "About how many of the 1,000 keys change their shard now?",
          answer = function() return map:moved(map_after, ks) end,
          wrong = {
            [1000 * n // (n + 1)] = { belief = "slots are a hash mod N too",
              why = "The slot is, but the number of slots never changes. Only the map does." },
            [0] = { belief = "with a map nothing moves",
              why = "The new shard must hold something, and what it holds came from somewhere." } },
          why = "The new shard gets one part of " .. (n + 1) .. ", and nothing else moves.",
          hints = { "Which slots change their owner?", "Only those that the new shard takes.",
            "One part of " .. n + 1 .. "." } },
        after = [[{moved} of 1,000 moved. By hash mod N it was {by_mod}.]] },

      { id = "who-gave", title = "Who gave", show = { "grid" }, grids = two_grids,
        say = [[Both pictures again. Answer first; then the keys that moved are lit.]],
        with = { n = n },
        predict = { id = "drill-who-gains", kind = "choice",
          ask = "By slots, did any key go from one old shard to another old shard?",
          choices = r:shuffle {
            { "Yes, a few had to make room.", belief = "moving is a shuffle",
              why = "Nobody had to make room. Every old shard only gave.",
              holds = function() return map_after:taken(map, ks, n) < map:moved(map_after, ks) end },
            { "No, each moved key is on the new shard.",
              holds = function() return map_after:taken(map, ks, n) == map:moved(map_after, ks) end },
          },
          why = "That is the least that can move: what the new shard must hold.",
          hints = { "Follow one lit key.", "Which letter does it have afterwards?", "Always the new shard's." } },
        after = [[Every old shard gave a little, and the new shard took it all.]] },

      { id = "another", title = "Another way", show = { "grid" },
        grids = function() return { { title = other, keys = ks, before = scheme, after = scheme_after } } end,
        say = [[The same keys on {n} shards once more, this time {told}. One more shard joins.]],
        with = { n = n, told = told[other], moved = scheme:moved(scheme_after, ks), by_mod = mod:moved(mod_after, ks) },
        predict = { id = "drill-another-moved", kind = "number", tolerance = 30,
          ask = "About how many of the 1,000 keys change their shard?",
          answer = function() return scheme:moved(scheme_after, ks) end,
          wrong = {
            [1000 * n // (n + 1)] = { belief = "every formula shuffles",
              why = "By the remainder it would be so. This way was made so that only the new shard's part moves." },
            [0] = { belief = "a good scheme moves nothing",
              why = "The new shard must hold something, and what it holds came from somewhere." } },
          why = "About one part of " .. (n + 1) .. ": what the new shard takes."
            .. ((other == "ring" or other == "ketama") and " It is a fair share because each has many points." or ""),
          hints = { "What is the least that can move?", "The new shard's fair share.", "1,000 divided by " .. n + 1 .. "." } },
        after = [[{moved}. By hash mod N it was {by_mod}.]] },

      { id = "one-leaves", title = "One leaves", show = { "grid" },
        grids = function()
          return { { title = "S" .. gone .. " leaves", keys = ks, before = leaving[guilty].before, after = leaving[guilty].after } }
        end,
        say = [[{n} shards, and S{gone} of the middle leaves. Its own keys must go somewhere. The question is the keys of the
          others.]],
        with = { n = n, gone = gone, moved = bystanders(guilty), name = names[unkind] },
        predict = { id = "drill-one-leaves", kind = "choice",
          ask = "By which of these do keys of shards that stay move as well?",
          choices = choices, why = because[unkind],
          hints = { "Which of them number the shards, or share a table?", "Rings, slots and draws leave the others alone.",
            "It is {name}." } },
        after = [[By {name} {moved} keys of other shards moved.]] },
    } }
  end,
}
