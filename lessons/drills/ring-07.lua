-- A ring on which each node has one token: who gives when one joins, who takes when one leaves, and
-- how much. New nodes each time; every answer is counted on a thousand keys.

local KEYS = 1000

return drill {
  id = "ring-07", part = 6, title = "One token each",
  make = function(r)
    local n = r:between(5, 8)
    local name = r:pick({ "user", "order", "photo", "room", "cart", "song", "ticket", "page" })
    local ks = keys(name .. ":%03d", 0, KEYS - 1)
    local before, after, donor, gave

    -- Told in whole percents, no two tokens may stand at one.
    local function apart(l)
      local seen = {}
      for _, token in ipairs(l:tokens()) do
        local at = math.floor(100 * token.at + 0.5) % 100
        if seen[at] then return false end
        seen[at] = true
      end
      return true
    end

    -- Rings are random; one is taken on which the arc that the newcomer cuts can be told from a fair
    -- share, and on which somebody would notice that it goes.
    -- Its tokens tell this to a percent or so, and its keys are counted only then.
    local function arc(l, id)
      local list = l:tokens()
      for i, token in ipairs(list) do
        if token.shard == id then return KEYS * ((token.at - list[i > 1 and i - 1 or #list].at) % 1) end
      end
    end
    local function promising(joined, l, leaver)
      local moves = arc(joined, n)
      return moves > 60 and moves < 470 and math.abs(moves - KEYS / (n + 1)) > 50 and arc(l, leaver) > 50 and apart(joined)
    end
    local leaver, heir, left
    for _ = 1, 300 do
      local l = layout("ring", { shards = n, tokens = 1, seed = r:between(1, 1000000) })
      local joined, goes = l:add(), r:between(0, n - 1)
      if promising(joined, l, goes) then
        before, after, leaver = l, joined, goes
        for id = 0, n - 1 do
          if before:gave(after, ks, id) > 0 then donor, gave = id, before:gave(after, ks, id) end
        end
        left = before:remove(leaver)
        for id = 0, n - 1 do
          if id ~= leaver and left:taken(before, ks, id) > 0 then heir = id end
        end
        local moved, fair, share = before:moved(after, ks), KEYS // (n + 1), before:owned(ks, leaver)
        if moved >= 80 and moved <= 450 and math.abs(moved - fair) > 60 and share >= 60
          and leaver ~= donor and math.abs(before:owned(ks, donor) - moved) > 45 then break end
      end
    end

    local function told(l)
      local out = {}
      for i, token in ipairs(l:tokens()) do
        out[i] = "S" .. token.shard .. " " .. math.floor(100 * token.at + 0.5) .. "%"
      end
      return table.concat(out, ", ")
    end
    local at
    for _, token in ipairs(after:tokens()) do
      if token.shard == n then at = math.floor(100 * token.at + 0.5) end
    end
    -- The shard whose token stands before that of `id`, anticlockwise.
    local function behind(l, id)
      local list = l:tokens()
      for i, token in ipairs(list) do
        if token.shard == id then return "S" .. list[i > 1 and i - 1 or #list].shard end
      end
    end

    local names = { n = n, at = at, tokens = told(before), donor = donor, gave = gave, leaver = leaver, heir = heir,
      keys = KEYS, moved = before:moved(after, ks), lost = before:owned(ks, leaver), new = "S" .. n,
      holds = left:owned(ks, heir), spread = 0 }

    -- The same nodes with a hundred tokens each.
    local many = layout("ring", { shards = n, tokens = 100, seed = 1 })
    local fewer = many:remove(leaver)
    local heirs = 0
    for id = 0, n - 1 do
      if id ~= leaver and fewer:taken(many, ks, id) > 0 then heirs = heirs + 1 end
    end
    names.heirs = heirs

    local function joins() return { { title = "one token each", before = before, after = after, keys = ks } } end
    local function leaves() return { { title = "S" .. leaver .. " leaves", before = before, after = left, keys = ks } } end

    return { steps = {
      { id = "who-gives", title = "One more node", show = { "ring" }, placing = joins, with = names,
        say = [[{n} nodes on a ring with one token each, at {tokens}. {new} joins, and its token falls at {at}%.]],
        predict = { id = "drill-ring-gives", kind = "text",
          ask = "Which node gives keys to {new}?",
          answer = function() return "S" .. donor end,
          wrong = { [behind(after, n)] = { belief = "the token before gives",
            why = "Its arc ends at its own token, before {at}%, and is not cut." } },
          why = "The next token clockwise: the front part of its arc is the newcomer's now.",
          hints = { "Go clockwise from {at}%.", "Past 100% it goes on at 0%.", "The next token is that of S{donor}." } },
        after = [[S{donor} alone gave. The other {n - 1} noticed nothing.]] },

      { id = "how-many", title = "How many", show = { "ring" }, placing = joins, with = names,
        say = [[The tokens again: {tokens}, and {new} at {at}%. There are {keys} keys, and a hash spreads them evenly.]],
        predict = { id = "drill-ring-many", kind = "number", tolerance = 45,
          ask = "About how many keys move to {new}?",
          answer = function() return before:moved(after, ks) end,
          wrong = {
            [KEYS // (n + 1)] = { belief = "a newcomer takes its fair share",
              why = "On average over many rings, yes. On this one it takes the arc that it cut, whatever its length." },
            [before:owned(ks, donor)] = { belief = "an arc is taken whole",
              why = "That is all the donor had. It keeps the rear part of its arc." } },
          why = "As many as the arc between the token before and {at}% is long.",
          hints = { "Which token comes before {at}%?", "How many percent lie between them?", "Ten keys for each percent." } },
        after = [[{moved} of {keys}.]] },

      { id = "who-takes", title = "One node less", show = { "ring" }, placing = leaves, with = names,
        say = [[Back to the {n} nodes: {tokens}. Now S{leaver} dies, and with it its {lost} keys' owner.]],
        predict = { id = "drill-ring-takes", kind = "text",
          ask = "Who takes over its keys?",
          answer = function() return "S" .. heir end,
          wrong = { [behind(before, leaver)] = { belief = "the token before takes over",
            why = "A key goes on clockwise, and that token lies behind it." } },
          why = "Its arc now ends at the next token clockwise.",
          hints = { "Where is the token of S{leaver}?", "What comes next, clockwise?", "S{heir}." } },
        after = [[S{heir} takes all {lost}, and has {holds} now. If it fails under them, the next one gets it all: so a ring
          falls node by node.]] },

      { id = "many-heirs", title = "With a hundred tokens", show = { "ring" }, with = names,
        placing = function() return { { title = "100 tokens each, S" .. leaver .. " leaves", before = many, after = fewer, keys = ks } } end,
        say = [[The same {n} nodes, each with 100 tokens. S{leaver} dies.]],
        predict = { id = "drill-ring-heirs", kind = "number", tolerance = 0,
          ask = "How many nodes take over a part of its keys?",
          answer = function() return heirs end,
          wrong = { [1] = { belief = "the neighbour takes it all",
            why = "Each of its hundred arcs has a neighbour of its own." } },
          why = "A hundred arcs have neighbours all around the circle.",
          hints = { "Each token has its own next one.", "A hundred of them belong to nearly everybody.", "All that are left." } },
        after = [[{heirs}: nobody takes it all.]] },
    } }
  end,
}
