-- Which keys live together: what of a key is hashed, which keys share a slot, how many slots a
-- handful of keys takes; and a tag, written by the learner, that puts three keys in one slot.

local WORDS = { "cart", "wish", "orders", "card", "badge", "draft", "inbox", "photo" }
local OWNERS = { "u", "shop", "team", "room", "user" }

return drill {
  id = "hash-tags", part = 1, title = "Hash tags",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local function slot(key) return map:position(key) end
    local words = r:shuffle(WORDS)
    local a, b, c, d = words[1], words[2], words[3], words[4]
    local owner = r:pick(OWNERS)
    local n = r:between(11, 98)
    local tag, next_tag = owner .. n, owner .. (n + 1)
    local base = a .. ":{" .. tag .. "}"

    -- --- what is hashed ---

    -- A key with a trap, what of it is hashed, and what people take for it.
    local traps = {
      { key = b .. ":{" .. tag .. "}:{" .. next_tag .. "}", hashed = tag,
        wrong = { [next_tag] = { "the last tag wins", "The first pair of braces decides, and nobody looks for a second." } } },
      { key = b .. "{}{" .. tag .. "}", hashed = b .. "{}{" .. tag .. "}",
        wrong = { [tag] = { "an empty tag is skipped", "The first pair is empty, and then the whole key is hashed." } } },
      { key = b .. ":{" .. tag, hashed = b .. ":{" .. tag,
        wrong = { [tag] = { "an open brace is enough", "No brace closes it, so there is no tag, and the whole key is hashed." } } },
      { key = b .. ":{{" .. tag .. "}}", hashed = "{" .. tag,
        wrong = { [tag] = { "braces nest", "Braces do not nest. From the first `{` to the first `}` behind it: an open brace is left inside." },
                  ["{" .. tag .. "}"] = { "braces nest", "It ends at the first closing brace, not at the last." } } },
      { key = "}" .. b .. ":{" .. tag .. "}", hashed = tag,
        wrong = { ["}" .. b .. ":{" .. tag .. "}"] = { "a stray brace spoils the tag", "A closing brace before the first open one counts for nothing." } } },
    }
    local trap = r:pick(traps)
    local takes = {}
    for given, why in pairs(trap.wrong) do takes[given] = { belief = why[1], why = why[2] } end
    if takes[trap.key] == nil and trap.hashed ~= trap.key then
      takes[trap.key] = { belief = "the whole key is hashed", why = "It has a tag, and then nothing else is hashed." }
    end

    -- --- who lives with the base key ---

    local together = r:shuffle({
      { b .. ":{" .. tag .. "}", nil, "What stands outside the braces does not count." },
      { "{" .. tag .. "}:" .. c, nil, "A tag may stand anywhere in the key." },
      { "{" .. tag .. "}", nil, "It is a key like any other, and its tag is the same." },
      { c .. ":{" .. tag .. "}:{" .. next_tag .. "}", nil, "The first pair of braces decides." },
      { d .. "}{" .. tag .. "}", nil, "A closing brace before the first open one counts for nothing." },
    })
    local apart = r:shuffle({
      { a .. ":" .. tag, "a name is enough", "It has no braces, so all of it is hashed." },
      { b .. ":{}{" .. tag .. "}", "an empty tag is skipped", "Its first pair is empty, so all of it is hashed." },
      { c .. ":{" .. tag, "an open brace is enough", "No brace closes the first one, so all of it is hashed." },
      { a .. ":{" .. next_tag .. "}", "neighbours in name are neighbours in place", "Another tag, and so another slot." },
      { d .. ":{{" .. tag .. "}}", "braces nest", "Its tag begins after the first brace, and has a brace in it." },
      { d .. ":{" .. tag:upper() .. "}", "case does not matter", "Other letters are other bytes, and give another hash." },
    })
    local chosen, count = {}, r:between(2, 3)
    for i = 1, count do chosen[#chosen + 1] = together[i] end
    for i = 1, #apart do -- two keys of different tags share a slot once in 16,384: not in a question
      if #chosen < 5 and slot(apart[i][1]) ~= slot(base) then chosen[#chosen + 1] = apart[i] end
    end
    local choices, not_there = {}, {}
    for i, one in ipairs(r:shuffle(chosen)) do
      if slot(one[1]) ~= slot(base) then
        not_there[#not_there + 1] = "`" .. one[1] .. "` (" .. one[3]:sub(1, 1):lower() .. one[3]:sub(2, -2) .. ")"
      end
      choices[i] = { "`" .. one[1] .. "`", belief = one[2], why = "`" .. one[1] .. "`: " .. one[3]:sub(1, 1):lower() .. one[3]:sub(2),
        holds = function(w) return w:slot(one[1]) == w:slot(base) end }
    end

    -- --- how many slots ---

    local mixed, first, second
    local function distinct(list)
      local seen, number = {}, 0
      for _, key in ipairs(list) do
        if not seen[slot(key)] then number = number + 1 end
        seen[slot(key)] = true
      end
      return number
    end
    repeat -- two hashes in one slot by chance: other names
      first, second = c .. r:between(2, 99), d .. r:between(2, 99)
      local shared = { a .. ":{" .. first .. "}", b .. ":{" .. first .. "}", b .. ":{" .. second .. "}", "{" .. second .. "}:" .. a }
      local lone = { r:pick({ a .. ":{}{" .. first .. "}", a .. ":" .. first, a .. ":{" .. second }) }
      if r:chance(1, 2) then
        shared[#shared + 1] = a .. "{" .. first .. "}{" .. second .. "}"
      else
        lone[#lone + 1] = b .. ":" .. second
      end
      mixed = {}
      for _, key in ipairs(shared) do mixed[#mixed + 1] = key end
      for _, key in ipairs(lone) do mixed[#mixed + 1] = key end
    until distinct(mixed) == 2 + #lone
    mixed = r:shuffle(mixed)
    local function slots(w, list)
      local seen, number = {}, 0
      for _, key in ipairs(list) do
        if not seen[w:slot(key)] then number = number + 1 end
        seen[w:slot(key)] = true
      end
      return number
    end
    local listed = {}
    for i, key in ipairs(mixed) do listed[i] = "  " .. key end

    -- The keys by slot, one slot a line or two.
    local function grouped()
      local lines, at = {}, {}
      for _, key in ipairs(mixed) do
        local i = at[slot(key)] or #lines + 1
        at[slot(key)] = i
        lines[i] = lines[i] and lines[i] .. "\n         " .. key or string.format("  %-5d  %s", slot(key), key)
      end
      return table.concat(lines, "\n")
    end

    -- --- three in one slot ---

    local WANTED = { a, b, c }
    local whose = owner .. r:between(101, 989)
    local function three_together(w)
      local found = {}
      for i = math.max(1, w.last.number - 11), w.last.number do
        local asked, got = pcall(w.request, w, i)
        if asked and got.done and got.key:find(whose, 1, true) then
          for _, name in ipairs(WANTED) do
            if got.key:sub(1, #name + 1) == name .. ":" then found[name] = w:slot(got.key) end
          end
        end
      end
      return found[a] ~= nil and found[a] == found[b] and found[b] == found[c]
    end

    return { world = "story-quiet", steps = {
      { id = "hashed", title = "What is hashed", show = { "slot_map" }, key = trap.key,
        say = "A key is `" .. trap.key .. "`.",
        predict = { id = "drill-hashed", kind = "text",
          ask = "Which part of it is hashed? Type just that.",
          answer = function(w) return w:tag(trap.key) end,
          wrong = takes,
          why = "From the first `{` to the first `}` behind it, if anything is between. Otherwise all of it.",
          hints = { "Where is the first `{`?", "Where is the first `}` behind it, and is anything between?",
            "It has {LENGTH} characters." } },
        with = { LENGTH = #trap.hashed, trap = trap.key },
        after = "{w:tag(trap)}: slot {w:slot(trap)}." },

      { id = "together", title = "Who lives together", show = { "slot_map" }, key = base,
        say = "`" .. base .. "` is in slot {w:slot(base)}.",
        with = { base = base, COUNT = count, tag = tag, not_there = table.concat(not_there, "; ") },
        predict = { id = "drill-together", kind = "several",
          ask = "Which of these are in that slot, too?", choices = choices,
          why = "The same tag, the same slot, whatever stands around it.",
          hints = { "Find the tag of each key.", "No tag, or an empty one: all of the key is hashed.",
            "{COUNT} of the five have the tag {tag}." } },
        after = "Not in it: {=not_there}." },

      { id = "count", title = "How many slots", show = { "slot_map" }, key = mixed[1],
        say = "Six keys:\n\n" .. "{=keys}",
        with = { keys = table.concat(listed, "\n"), grouped = grouped(), slots_of = function(w) return slots(w, mixed) end },
        predict = { id = "drill-count", kind = "number",
          ask = "In how many slots are they, all together?",
          answer = function(w) return slots(w, mixed) end,
          wrong = { [6] = { belief = "every key has a slot of its own", why = "Keys with the same tag share theirs." },
            [2] = { belief = "what names the same thing is together", why = "Only what stands in the first pair of braces counts. A name without them does not." },
            [1] = { belief = "braces put keys together", why = "The same tag does. Different tags have different slots." } },
          why = "Count the tags, and each key without a tag for itself.",
          hints = { "Write down what is hashed of each.", "Cross out what is there twice.", "It is {slots_of(w)}." } },
        after = "{slots_of(w)} slots:\n\n{=grouped}" },

      { id = "write", title = "Three in one slot", show = { "crc16", "trace" }, key = base, actions = { "route", "key" },
        say = "Three keys of `{=whose}` are needed at once, and one shard is to answer for all: one that begins with `{=A}:`, one with `{=B}:`, "
          .. "one with `{=C}:`.\n\nPress r and type each of them. K tries a key without sending it.",
        with = { whose = whose, A = a, B = b, C = c },
        try = { ask = "Send three such keys, with {whose} in each, that are all in one slot.", builds = true,
          goal = three_together,
          solution = { "request read " .. a .. ":{" .. whose .. "} via R0", "request read " .. b .. ":{" .. whose .. "} via R0",
            "request read " .. c .. ":{" .. whose .. "} via R0" },
          hints = { "What must be the same in all three?", "Put {whose} in braces.",
            "{A}, a colon, {whose} in braces; so with {B} and {C}." } } },
    } }
  end,
}
