-- Part 1. Core path: key, tag, slot, directory, owner; an old map and one extra hop; a slot that is
-- held; a directory that is down; and what happens when a shard stops looking into its own table.
-- Deeper: slots without help, who may hold the map, how news of it travels, ids that name a shard.

local P9 = "post:{p9}"
local LIKES = "likes:{p9}"
local SLOTS = 16384
local RUN = SLOTS // 4 -- slots of a shard at the start
local HELD_MS = 50     -- how long the slot is held in "Not now"
local AWAY_MS = 2000   -- how long the directory is down in "Old, and alone"
local PHONES = 1000000

-- --- the cluster as a step needs it, whatever the learner did before ---

local function router_names(w)
  local out = {}
  for i = 1, w:routers() do out[i] = "R" .. (i - 1) end
  return out
end

-- Rules on, nobody deaf, nothing held, no cache for p9, every router with the newest map, except one
-- that is to be as it is. What is so already is left alone, and then no time passes.
local function put_right(w, except)
  local busy = false
  local function needs(change, ...)
    change(w, ...)
    busy = true
  end
  for _, rule in ipairs { "slot-table-check", "reload-on-moved" } do
    if not w:rule(rule) then needs(w.set_rule, rule, true) end
  end
  local owner, slot = w:owner(P9), w:slot(P9)
  if w:table(owner, P9) == "migrating" then needs(w.freeze, slot, slot, owner, false) end
  if w:reads_of(P9).mode ~= "plain" then needs(w.command, "reads " .. P9 .. " plain") end
  if w:count(LIKES).mode ~= "plain" then needs(w.command, "writes " .. LIKES .. " plain") end
  for _, name in ipairs(router_names(w)) do
    if name ~= except then
      if w[name].deaf then needs(w.deaf, name, false) end
      busy = busy or w[name].version < w:map_version()
    end
  end
  if busy then w:play_for(0.5) end -- news on its way arrives
  for _, name in ipairs(router_names(w)) do
    if name ~= except and w[name].version < w:map_version() then w:reload(name) end
  end
  if busy then w:play_for(0.5) end
end

local function bring_home(w, key, shard)
  if w:owner(key) ~= shard then w:move(w:slot(key), w:slot(key), shard) end
end

-- The shard that the slot goes to next: S3, or S2 when S3 has it already.
local function other(w)
  if w:owner(P9) == "S3" then return "S2" end
  return "S3"
end

-- R5 holds an old map: it fetches once, stops listening, and then the slot changes hands.
local function make_stale(w, router)
  put_right(w)
  w:deaf(router, true)
  w:move(w:slot(P9), w:slot(P9), other(w))
  w:play_for(1)
end

-- The same, unless the router's map is wrong about p9 already.
local function keep_stale(w, router)
  put_right(w, router)
  if w:says(router, P9) == w:owner(P9) then make_stale(w, router) end
end

-- Tried on a copy: one like through a router with an old map, while shards check their tables or not.
local function loses(w, checked)
  local f = w:fork()
  make_stale(f, "R1")
  f:set_rule("slot-table-check", checked)
  local lost = f:lost(LIKES)
  f:send("like", LIKES, "R1")
  f:play_answered()
  return f:lost(LIKES) > lost
end

-- What S2 cannot take of so many requests a second, with that many copies of all that it holds.
local function ask_much(f, copies, op, keys, rate)
  for _, key in ipairs(keys) do bring_home(f, key, "S2") end
  put_right(f)
  f:command("replicas S2 " .. copies)
  for _, key in ipairs(keys) do f:flow(op, key, rate // #keys, "steady") end
  f:play_for(1)
end

local function beyond(w, copies, op, keys, rate)
  local f = w:fork()
  ask_much(f, copies, op, keys, rate)
  return f.S2.refused
end

local function copies_help(w, op, keys, rate)
  return beyond(w, 3, op, keys, rate) < beyond(w, 1, op, keys, rate)
end

local ON_S2 = { "post:{p1}", "post:{p5}", "post:{p9}", "post:{p13}" }

local function tried_copies()
  local rows = {}
  local function add(label, op, keys, rate)
    for _, copies in ipairs { 1, 3 } do
      rows[#rows + 1] = { label = label .. (copies == 1 and ", alone" or ", 3 copies"),
        run = function(f) ask_much(f, copies, op, keys, rate) end,
        cells = function(f) return { rate, f.S2.refused } end }
    end
  end
  add("reads", "read", { P9 }, 6000)
  add("likes", "like", { LIKES }, 2000)
  return { title = "One machine, for a second", columns = { "load", "asked", "refused" },
    numbers = { 2, 3 }, rows = rows }
end

-- --- the last requests ---

-- The last n requests, the oldest first. Those of a flow have numbers too, and are not remembered.
local function recent(w, n)
  local out, number = {}, w.last.number
  for i = number, math.max(number - 4000, 1), -1 do
    local known, r = pcall(w.request, w, i)
    if known then table.insert(out, 1, r) end
    if #out == n then break end
  end
  return out
end

-- Of the last n requests: how many were answered OK, how often they were sent on, maps fetched.
function answered(w, n)
  local ok, sent_on, fetches = 0, 0, 0
  for _, r in ipairs(recent(w, n)) do
    if r.outcome == "OK" then ok = ok + 1 end
    sent_on = sent_on + math.max(r.asks - 1 - r.retries, 0)
    fetches = fetches + r.reloads
  end
  return ok, sent_on, fetches
end

function moved_replies(w, n)
  local _, sent_on = answered(w, n)
  return sent_on
end

function fetched_maps(w, n)
  local _, _, fetches = answered(w, n)
  return fetches
end

local WORDS = { "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight" }
function word(n) return WORDS[n] or tostring(n) end

function shards_asked()
  return word(last.asks) .. (last.asks == 1 and " shard was asked" or " shards were asked")
end

-- How the last request went, in a sentence or two: what is true, whatever the learner did.
function how_it_went()
  if last.outcome ~= "OK" then return "It ended with " .. last.outcome .. " after " .. last.asks .. " tries." end
  if last.asks == 1 and last.reloads == 0 then return "One shard was asked, and it answered OK." end
  local extra = last.asks - 1
  local text = shards_asked() .. ": " .. string.lower(word(extra)) .. (extra == 1 and " extra hop." or " extra hops.")
  if last.reloads > 0 then
    text = text .. " After MOVED, " .. last.router .. " fetched v" .. w[last.router].version .. "."
  end
  return text
end

function old_map_rule()
  if last.asks > 1 and last.reloads > 0 then
    return "The reply is MOVED. " .. last.router .. " then fetches the map and asks the right shard."
  end
  return "This time nobody said MOVED: " .. last.router .. " asked " .. last.shard .. ", and that was that."
end

function back_off_rule()
  if last.asks == 4 then return "It asked at about 0, 10, 30 and 70 ms. At 70 the slot was free." end
  return "Each wait was twice the one before it."
end

-- --- ids: 41 bits of time, 13 of the logical shard, 10 of a sequence ---

local BORN_MS, LOGICAL, SEQUENCE = 312345678901, 1341, 5
ID = BORN_MS << 23 | LOGICAL << 10 | SEQUENCE

local function logical(shards) return layout("slots", { shards = shards, slots = 1 << 13 }) end

-- --- three ways to find the shard, on a copy: one request for p9 through each of four routers ---

local function ask_four(f)
  bring_home(f, P9, "S2")
  put_right(f)
  for i = 0, 3 do
    f:send("read", P9, "R" .. i)
    f:play_answered()
  end
end

-- Messages of a request, there and back. Where the router is a client's own library, it and its
-- client are one; where it is a shard's, it and that shard are one.
function messages(f, way)
  local total = 0
  for i, r in ipairs(recent(f, 4)) do
    local inside = way == "any node" and r.shard == "S" .. i - 1
    total = total + (way == "library" and 0 or 2) + (inside and 0 or 2 * r.asks)
  end
  return total / 4
end

function messages_of(w, way)
  local f = w:fork()
  ask_four(f)
  return messages(f, way)
end

-- Whether R3's copy still leads straight to the post, so many seconds from now.
function still_good(w, seconds)
  local f = w:fork()
  for _ = 1, seconds // 1800 do f:play_for(1800) end
  f:send("read", P9, "R3")
  f:play_answered()
  return f.last.outcome == "OK" and f.last.asks == 1
end

-- How long a read takes through a router that follows MOVED and leaves the map for later.
function followed(w)
  local f = w:fork()
  make_stale(f, "R5")
  f:set_rule("reload-on-moved", false)
  f:send("read", P9, "R5")
  f:play_answered()
  return f.last.ms
end

local PHOTOS = keys("photo:%d", 0, 999)

function rehoused() return logical(4):moved(logical(4):add(), PHOTOS) end
function relabelled()
  local before, after, n = logical(4), logical(4):add(), 0
  for i = 1, #PHOTOS do
    if before:position(PHOTOS[i]) ~= after:position(PHOTOS[i]) then n = n + 1 end
  end
  return n
end

function whole(x) return x == math.floor(x) and math.tointeger(x) or x end

return lesson {
  id = "01_what_a_shard_is", part = 1, title = "What a shard is", minutes = 12,
  needs = { "00_start_here" }, world = "story-quiet", placement = { go = "break-it" },

  steps = {
    { id = "recall", title = "From Part 0", show = { "table", "bars" }, table = tried_copies,
      say = [[
        One machine held all posts until people asked for more than it can do. A cheaper step than dividing it is a
        *copy*: more machines that hold all the same. Each copy answers reads.]],
      predict = { id = "p1-recall-copies", kind = "choice",
        ask = "What do more copies not help with?",
        choices = {
          { "Many reads of one post.", belief = "one key is always one machine's work",
            why = "Each copy has that post as well, so they can share its readers.",
            holds = function(w) return not copies_help(w, "read", { P9 }, 6000) end },
          { "Many reads of many posts.", belief = "copies are for safety only",
            why = "Copies survive a crash, and they also share the readers.",
            holds = function(w) return not copies_help(w, "read", ON_S2, 6000) end },
          { "Many likes.", holds = function(w) return not copies_help(w, "like", { LIKES }, 2000) end },
        },
        why = "Every copy has to write down every like. More copies take no more likes than one.",
        hints = { "What must happen to a like on each copy?", "Readers may go to any copy. A write goes to all.",
                  "Likes are writes." } },
      after = [[
        Alone it refuses {beyond_likes(w, 1)} likes, with three copies {beyond_likes(w, 3)}. To take more writes the data itself
        has to be divided.]],
      with = { beyond_likes = function(w, n) return beyond(w, n, "like", { LIKES }, 2000) end },
      notes = "Part 0 shows the cheaper steps. Who skipped it can still answer this one." },

    { id = "one-of-four", title = "Asking for a post", show = { "trace" }, key = P9, router = "R0",
      enter = put_right,
      say = [[
        A photo app keeps its posts on {cluster.shards} machines: one could not answer everybody. Each
        is a *shard* and holds a part of the data.

        Phones ask a *router*, and the router has to find the shard. A phone is about to ask router R0
        for the *key* `post:{p9}`.]],
      predict = { id = "p1-how-many-asked", kind = "choice",
        ask = "How many shards does R0 ask?",
        choices = {
          { "All four. One of them has it.", belief = "a key has to be searched for",
            why = "Searching would make every shard work for every request. Four shards would then carry no more than one.",
            holds = function(w) return last.asks == 4 end },
          { "Two, and it compares the answers.", belief = "a shard is a copy",
            why = "That is replication: the same data twice. Sharding puts each key in one place only.",
            holds = function(w) return last.asks == 2 end },
          { "One.", holds = function(w) return last.asks == 1 end },
        },
        why = "R0 knew where to go before it asked. The next steps show how.",
        hints = { "What would a second shard know that the first does not?",
                  "Each key is held by one shard.",
                  "If a router had to search, four shards would do four times the work." } },
      run = function(w)
        put_right(w)
        w:send("read", P9, "R0")
        w:play_answered()
      end,
      after = [[
        R0 asked {last.shard}{last.asks == 1 and " and nobody else" or " last"}. From the phone and back it took {last.ms} ms. The
        picture counts them from the first arrow; most went by at the shard.]],
      notes = "Let the group vote before the run. Ask those who said four what it would cost at a hundred shards." },

    { id = "worked", title = "From key to number", show = { "crc16:post:{p11}" },
      say = [[
        R0 did not search. It computed. A fixed function, CRC16, turns bytes into a number, and the same
        bytes give the same number on every machine.

        An example, for `post:{p11}`. The picture feeds the function `p11`, byte by byte.

          CRC16 of p11 is {w:crc16("p11")}.
          16,384 fits {w:crc16("p11") // SLOTS} times,
          and {w:slot("p11")} is left over.

        What is left over is the *slot* of the key. Shards are given slots, as you will see.]],
      with = { SLOTS = SLOTS } },

    { id = "to-a-number", title = "The last step is yours", show = { "crc16:post:{p9}" },
      say = [[
        Now `post:{p9}`. The picture feeds CRC16 with `p9`, and the result is {w:crc16("p9")}.

        The slot is what is left when you divide that by 16,384.]],
      predict = { id = "p1-mod", kind = "number",
        ask = "{w:crc16(\"p9\")} divided by 16,384: what is the remainder?",
        answer = function(w) return w:slot(P9) end,
        wrong = function(w)
          return { [w:crc16("p9")] = { belief = "the hash is the slot",
                     why = "That is the hash. It can be as large as 65,535, and there are only 16,384 slots." },
                   [w:crc16("p9") // 16384] = { belief = "the quotient counts",
                     why = "That is how often 16,384 fits. The slot is what is left over." } }
        end,
        why = "Every router computes this, and all of them get the same slot.",
        hints = { "Take 16,384 away as often as you can.",
                  "It fits {w:crc16(\"p9\") // 16384} times.",
                  "{w:crc16(\"p9\")} - {w:crc16(\"p9\") // 16384} x 16,384." } },
      after = [[
        Slot {w:slot("post:{p9}")}. A key never changes its slot, however many shards there are.]] },

    { id = "the-tag", title = "Only what is in braces", show = { "crc16:post:{p9}" },
      say = [[
        The key is `post:{p9}`, yet only `p9` was fed in. If a key has braces, just the part between
        the first `{` and the next `}` is hashed: the *tag*. Without a tag, or with an empty one, the
        whole key is hashed.]],
      predict = { id = "p1-same-slot", kind = "several",
        ask = "Which share the slot of that key?",
        choices = {
          { "`likes:{p9}`",
            why = "`likes:{p9}` has the tag p9 as well. What stands outside the braces does not count.",
            holds = function(w) return w:slot("likes:{p9}") == w:slot(P9) end },
          { "`likes:p9`", belief = "a name is enough",
            why = "`likes:p9` has no braces, so all of it is hashed.",
            holds = function(w) return w:slot("likes:p9") == w:slot(P9) end },
          { "`{p9}:title`",
            why = "In `{p9}:title` the tag is p9. It may stand anywhere in the key.",
            holds = function(w) return w:slot("{p9}:title") == w:slot(P9) end },
          { "`post:{p10}`", belief = "neighbours in name are neighbours in place",
            why = "`post:{p10}` has another tag, and a hash sends it somewhere else.",
            holds = function(w) return w:slot("post:{p10}") == w:slot(P9) end },
          { "`a{p9}{p10}`",
            why = "In `a{p9}{p10}` the first pair of braces decides.",
            holds = function(w) return w:slot("a{p9}{p10}") == w:slot(P9) end },
          { "`likes:{}{p9}`", belief = "an empty tag is skipped",
            why = "The first pair of `likes:{}{p9}` is empty, and then the whole key is hashed. Nobody looks for a second pair.",
            holds = function(w) return w:slot("likes:{}{p9}") == w:slot(P9) end },
        },
        why = "First brace, next closing brace, and at least one byte between them. Otherwise the whole key.",
        hints = { "Find the first { in each key.", "What stands between it and the next }?",
                  "Three of the six have the tag p9." } },
      after = [[
        So keys that belong together can be made to live together. The post, its likes and its comments share
        slot {w:slot("post:{p9}")}, and one shard can answer for all of them.]],
      notes = "The empty pair surprises experienced people too. It is in the specification of Redis Cluster." },

    { id = "write-a-tag", title = "Write one", show = { "crc16", "trace" }, actions = { "route", "key" },
      say = [[
        Your turn. Press r, type a key, and it is sent through R0. The picture works out its slot. Press K
        to try a key without sending it.]],
      try = { ask = "Send a key of your own to slot {w:slot(\"post:{p9}\")}. `post:{p9}` itself does not count.",
        goal = function(w)
          return last.done and last.key ~= P9 and w:slot(last.key) == w:slot(P9)
        end,
        solution = { "request read comments:{p9} via R0" },
        hints = { "Which part of a key is hashed?", "Give it the tag p9.",
                  "Press r and type `comments:{p9}`." } } },

    { id = "the-map", title = "Slots have owners", show = { "slot_map" }, key = P9,
      enter = function(w)
        bring_home(w, P9, "S2")
        put_right(w)
      end,
      say = [[
        There are 16,384 slots and {cluster.shards} shards. Each slot has exactly one *owner*. At first
        they were dealt out in equal runs: slots 0 to {RUN - 1} to S0, the next {RUN} to S1, then S2, then S3.

        Two steps, then. A function turns the key into a slot, and nobody can change that. A map says who
        owns the slot, and that can change.]],
      with = { RUN = RUN },
      predict = { id = "p1-owner", kind = "choice",
        ask = "Which shard was slot {w:slot(\"post:{p9}\")} given to?",
        choices = {
          { "S0", belief = "a slot tells nothing about its shard",
            why = "The run of S0 ends at slot {RUN - 1}.",
            holds = function(w) return w:slot(P9) // RUN == 0 end },
          { "S1", belief = "runs are longer than they are",
            why = "The run of S1 ends at slot {2 * RUN - 1}.",
            holds = function(w) return w:slot(P9) // RUN == 1 end },
          { "S2", holds = function(w) return w:slot(P9) // RUN == 2 end },
          { "S3", belief = "counting starts at one",
            why = "The first run belongs to S0, so the third run belongs to S2.",
            holds = function(w) return w:slot(P9) // RUN == 3 end },
        },
        why = "Slots {2 * RUN} to {3 * RUN - 1} belong to S2.",
        hints = { "Look for the mark on the map.", "Each run is {RUN} slots long.",
                  "{w:slot(\"post:{p9}\")} divided by {RUN} is a little under 3, and the runs are counted from 0." } },
      after = [[
        S{w:slot("post:{p9}") // RUN}. Press Tab to go to the map: the arrows move on it, and + looks closer.]] },

    { id = "next-door", title = "Next door", show = { "slot_map", "trace:post:{p10}" },
      enter = function(w)
        bring_home(w, P9, "S2")
        bring_home(w, "post:{p10}", "S1")
        put_right(w)
      end,
      say = [[
        p10 was posted right after p9. The map shows p9 in slot {w:slot("post:{p9}")}, on {w:owner("post:{p9}")}.]],
      predict = { id = "p1-neighbour", kind = "choice",
        ask = "Where is p10?",
        choices = {
          { "On the same shard, next to it.", belief = "neighbours in name are neighbours in place",
            why = "A hash is made to forget order. One changed byte gives an unrelated slot.",
            holds = function(w) return w:owner("post:{p10}") == w:owner(P9) end },
          { "On S3, the next shard.", belief = "keys are dealt in turn",
            why = "Nobody deals keys out. Each key's own bytes decide.",
            holds = function(w) return w:owner("post:{p10}") == "S3" end },
          { "Somewhere else. Its slot has nothing to do with p9's.",
            holds = function(w)
              return w:owner("post:{p10}") ~= w:owner(P9) and w:owner("post:{p10}") ~= "S3"
            end },
        },
        why = "That is why sixteen posts in a row spread over all four shards.",
        hints = { "What does a hash do to two similar keys?", "The slot comes from the bytes p10, by CRC16.",
                  "A slot anywhere from 0 to 16,383 is as likely as any other." } },
      run = function(w)
        bring_home(w, P9, "S2")
        bring_home(w, "post:{p10}", "S1")
        put_right(w)
        w:send("read", "post:{p10}", "R0")
        w:play_answered()
      end,
      after = [[
        p10 is in slot {w:slot("post:{p10}")}, on {w:owner("post:{p10}")}.]] },

    { id = "the-directory", title = "Who keeps the map", show = { "maps", "trace" }, key = P9, router = "R2",
      enter = function(w)
        w:move(100, 100, w:owner(100) == "S1" and "S0" or "S1")
        put_right(w)
      end,
      say = [[
        The map lives in the *directory*. Each change gives it a new *version*: slot 100 was given to {w:owner(100)} just now, so
        it is v{directory.version}. Each slot has an *epoch* of its own, which goes up only when that slot changes hands:
        {w:epoch("post:{p9}")} for slot {w:slot("post:{p9}")}.

        Each router keeps a copy of the map. A phone asks R2 for `post:{p9}`.]],
      predict = { id = "p1-directory-asked", kind = "number",
        ask = "How many times is the directory asked?",
        answer = function(w) return last.reloads end,
        wrong = { [1] = { belief = "the directory is asked every time",
                    why = "It would be asked by every request of every user, and fall over first. A router trusts its copy." } },
        why = "A copy is enough until a shard says that it is old. Only then the directory is asked.",
        hints = { "What is the copy for?", "Watch for an arrow to the directory.", "There is none." } },
      run = function(w)
        w:send("read", P9, "R2")
        w:play_answered()
      end,
      after = [[
        R2 looked into its copy of v{R2.version} and went {last.asks == 1 and "straight" or "in the end"} to {last.shard}.]] },

    { id = "the-truth", title = "The last word", show = { "maps", "trace" }, actions = { "route" },
      say = [[
        The directory is the plan. The truth is at the shard. Each shard has a *slot table*, one row for each slot that it
        owns or once owned, and it looks there before it answers anything.

        The trace is the picture with the arrows. Choose a shard's answer there and press i. It says why.]],
      try = { ask = "Ask an arrow why it is so: Tab to the trace, choose a row, press i.", opened = "why",
        hints = { "Tab goes to the next picture; the trace is the one with arrows.",
                  "The arrow keys choose a row.", "Press i." } } },

    { id = "an-old-map", title = "An old map", show = { "maps", "trace" }, key = P9, router = "R5",
      enter = function(w) make_stale(w, "R5") end,
      say = [[
        The operator gave slot {w:slot("post:{p9}")} to {w:owner("post:{p9}")}, with its data. The map is v{directory.version} now. R5 is *deaf*
        to news: its copy is v{R5.version}, and says {w:says("R5", "post:{p9}")}.

        A phone asks R5 for `post:{p9}`.]],
      predict = { id = "p1-old-map", kind = "choice", confidence = true,
        ask = "What happens?",
        choices = {
          { "The post is gone: an error.", belief = "an old map is fatal",
            why = "The old owner remembers whom it gave the slot to, and says so.",
            holds = function(w) return last.outcome ~= "OK" end },
          { "The old owner answers from its old copy.", belief = "a shard serves what it has",
            why = "The old owner looks into its slot table first. Its row says moved, so it does not serve.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 and last.reloads == 0 end },
          { "The old owner sends R5 on to the new one.",
            holds = function(w) return last.outcome == "OK" and last.asks > 1 end },
          { "R5 asks the directory first.", belief = "a router knows that its map is old",
            why = "From the inside, an old copy looks like a fresh one. Only a shard can tell R5.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 and last.reloads == 1 end },
        },
        why = "{old_map_rule()}",
        hints = { "R5 does not know that its copy is old.", "So it asks {w:says(\"R5\", \"post:{p9}\")} first.",
                  "And that shard looks into its slot table." } },
      run = function(w)
        keep_stale(w, "R5")
        w:send("read", P9, "R5")
        w:play_answered()
      end,
      after = [[
        {how_it_went()}]] },

    { id = "and-then", title = "And then", show = { "maps", "trace" },
      say = [[
        Another phone asks R5 for the same post.]],
      predict = { id = "p1-then-none", kind = "number",
        ask = "How many shards are asked this time?",
        answer = function(w) return last.asks end,
        wrong = { [2] = { belief = "an old router stays old",
                    why = "MOVED made it fetch the map. What it learned, it keeps." } },
        why = "{last.asks == 1 and \"An old map costs one extra hop, once.\" or \"Its map was old again, so MOVED came again.\"}",
        hints = { "What did R5 fetch?", "Compare its version with the directory's.", "Is it the same?" } },
      run = function(w)
        w:send("read", P9, "R5")
        w:play_answered()
      end,
      after = [[
        {word(last.asks)}. Nobody had to tell every router before the move. Each one finds out when it needs to.]] },

    { id = "yourself", title = "Do it yourself", show = { "trace", "maps" }, key = P9, router = "R4",
      actions = { "stale", "move", "route", "reload" },
      enter = put_right,
      say = [[
        Make a router's map old and send a request through it. These keys act on R4: e makes it deaf to news, m moves the
        slot to another shard, r sends a request.]],
      try = { ask = "Make one request take an extra hop.",
        goal = function(w) return last.done and last.asks == 2 end,
        solution = { "deaf R4 on", "move 12067-12067 S1", "move 12067-12067 S0", "request read post:{p9} via R4" },
        hints = { "First R4 must be deaf: e.", "Then the slot must change hands: m.",
                  "Then ask for `post:{p9}` through R4: r." } },
      notes = "Some make the slot move first. Then R4 has heard of it, and there is no extra hop. Ask them why." },

    { id = "not-now", title = "Not now", show = { "trace" }, key = P9, router = "R0",
      enter = put_right,
      say = [[
        While a slot is on its way to another shard, its row says *migrating*, and nobody serves it. The shard answers
        "retry". The router waits 10 ms and asks again, then 20, then 40: each wait is twice the last. That is
        *back-off*.

        {w:owner("post:{p9}")} holds slot {w:slot("post:{p9}")} for {HELD} ms, and at the start of that a phone asks R0 for the post.]],
      with = { HELD = HELD_MS },
      predict = { id = "p1-back-off", kind = "number",
        ask = "How often does R0 ask, in all?",
        answer = function(w) return last.asks end,
        wrong = { [6] = { belief = "all waits are equal",
                    why = "With 10 ms each time it would be so. Each wait is twice the last, so fewer are needed." },
                  [5] = { belief = "all waits are equal",
                    why = "Each wait is twice the last, so fewer tries are needed." },
                  [1] = { belief = "a shard keeps what it cannot serve",
                    why = "A shard keeps no list of who asked. It answers \"retry\" at once, and forgets." },
                  [2] = { belief = "a router waits until it is over",
                    why = "R0 does not know how long it takes. It waits 10 ms, and that was too short." },
                  [3] = { belief = "a wait counts from the start",
                    why = "The waits add up: 10, then 30, then 70 ms after the first try. At 30 the slot was still held." } },
        why = "{back_off_rule()}",
        hints = { "Add up the waits: when does each try come?", "At about 0, 10, 30 and 70 ms.",
                  "The first one after {HELD} ms is served." } },
      run = function(w)
        put_right(w)
        local owner, slot = w:owner(P9), w:slot(P9)
        w:freeze(slot, slot, owner, true)
        w:send("read", P9, "R0")
        w:play_for(HELD_MS / 1000)
        w:freeze(slot, slot, owner, false)
        w:play_answered()
      end,
      after = [[
        {last.retries} times "retry", then {last.outcome}, {last.ms} ms after the phone asked. No error, and the shard was not
        pestered: the longer it takes, the rarer the tries.]],
      notes = "Ask what ten thousand routers would do to a shard that is busy moving a slot, if each tried again at once." },

    { id = "no-directory", title = "The directory is down", show = { "maps", "trace" }, key = P9, router = "R0",
      enter = function(w)
        put_right(w)
        for _, name in ipairs(router_names(w)) do w:deaf(name, true) end
      end,
      say = [[
        The directory's machine has died. It answers nobody and announces nothing: the pictures call the routers deaf. Each
        still has its copy.

        Now a phone asks each of the {w:routers()} routers for `post:{p9}`.]],
      predict = { id = "p1-no-directory", kind = "number",
        ask = "How many of the {w:routers()} get the post?",
        answer = function(w) return (answered(w, w:routers())) end,
        wrong = { [0] = { belief = "without the directory nothing works",
                    why = "None of them had to ask it. Their copies are enough." },
                  [1] = { belief = "copies run out",
                    why = "A copy does not wear off. It is old when the plan has changed, not before." } },
        why = "The directory is not on the way of a request. It was asked {fetched_maps(w, w:routers())} times.",
        hints = { "Where does a request go, step by step?", "Client, router, shard.",
                  "No step of it needs the directory." } },
      run = function(w)
        for _, name in ipairs(router_names(w)) do w:send("read", P9, name) end
        w:play_answered()
      end,
      after = [[
        {answered(w, w:routers())} of {w:routers()}. What stands still is change: no slot can be given away, no shard can
        join, a new router gets no map.]],
      notes = "The directory is still a few machines in practice, since changes must not wait for long either." },

    { id = "break-it", title = "Break it", show = { "trace", "maps" }, key = LIKES, router = "R5",
      breaks = "slot-table-check",
      enter = function(w)
        make_stale(w, "R5")
        w:set_rule("slot-table-check", false)
      end,
      say = [[
        Now one rule is off: shards no longer look into their slot table. They serve whatever they are asked. R5 is
        behind again: it says {w:says("R5", "likes:{p9}")}, and the owner is {w:owner("likes:{p9}")}.

        A fan likes p9 through R5.]],
      predict = { id = "p1-break", kind = "choice", confidence = true,
        ask = "What becomes of the like?",
        choices = {
          { "The fan sees an error and tries again.", belief = "a mistake shows itself",
            why = "Nobody noticed anything. The shard did what it was asked and said OK.",
            holds = function(w) return last.outcome ~= "OK" end },
          { "It is counted. The old shard passes it on.", belief = "shards forward",
            why = "A shard does not forward. It answers, or it says MOVED, and the rule that makes it say so is off.",
            holds = function(w) return last.outcome == "OK" and last.shard == w:owner(LIKES) end },
          { "The fan sees OK, and the like is lost.",
            holds = function(w) return last.outcome == "OK" and last.shard ~= w:owner(LIKES) end },
        },
        why = "The old owner wrote it into a copy that nobody will ever read.",
        hints = { "Whom does R5 ask?", "That shard does not check. So it serves.", "Where do readers look for the count?" } },
      run = function(w)
        if w:rule("slot-table-check") or w:says("R5", P9) == w:owner(P9) then -- somebody repaired it
          keep_stale(w, "R5")
          w:set_rule("slot-table-check", false)
        end
        w:send("like", LIKES, "R5")
        w:play_answered()
      end,
      after = [[
        The fan was told {last.outcome}. Likes acknowledged: {w:acked("likes:{p9}")}. Likes at the owner: {w:value("likes:{p9}")}. No
        alarm went off.]] },

    { id = "how-many", title = "How many", show = { "maps", "trace" },
      say = [[
        R5 does not learn, because no shard says MOVED. {word(w:lost("likes:{p9}"))} {w:lost("likes:{p9}") == 1 and "like is" or "likes are"} lost so far. Two more
        arrive through R5, and three through R0, which has the new map.]],
      predict = { id = "p1-lost-count", kind = "number",
        ask = "How many acknowledged likes are lost in all, with those before?",
        answer = function(w) return w:lost(LIKES) end,
        wrong = function(w)
          local lost = w:lost(LIKES)
          return { [lost + 3] = { belief = "one bad router spoils all",
                     why = "R0 asks the right shard. Its likes are safe." },
                   [lost - 2] = { belief = "it happens once",
                     why = "With the rule on, MOVED would have taught R5. With the rule off it goes on and on." },
                   [lost - 1] = { belief = "it happens once",
                     why = "What was lost before is lost as well, and both new ones are." } }
        end,
        why = "Everything that came through R5, and nothing that came through R0.",
        hints = { "Which router asks the wrong shard?", "R5, each time.", "One before, two now." } },
      run = function(w)
        w:send("like", LIKES, "R5")
        w:send("like", LIKES, "R0")
        w:send("like", LIKES, "R5")
        w:send("like", LIKES, "R0")
        w:send("like", LIKES, "R0")
        w:play_answered()
      end,
      after = [[
        {w:lost("likes:{p9}")} lost of {w:acked("likes:{p9}")} acknowledged.]] },

    { id = "repair", title = "Put it back", show = { "trace", "maps" },
      actions = { "break", "route" }, breaks = "slot-table-check",
      say = [[
        The rule costs one look into a table. Put it back with x. Then press r and type `like likes:{p9}`, to send one
        more like through R5.]],
      try = { ask = "With the rule on, send a like through R5.",
        goal = function(w)
          return w:rule("slot-table-check") and last.done and last.op == "like" and last.router == "R5"
            and (last.asks == 2 or w:says("R5", LIKES) == w:owner(LIKES))
        end,
        solution = { "rule slot-table-check on", "request like likes:{p9} via R5" },
        hints = { "x switches the rule.", "r sends, `like likes:{p9}` is what to type.",
                  "R5 must be the router: R chooses another one." } },
      notes = "The lost likes stay lost. Ask where they are, and who could ever find them." },

    { id = "what-may-be-wrong", title = "What may be wrong", show = { "maps" },
      say = [[
        Three places say who owns a slot: the directory, a router's copy of its map, and the slot table of a shard.]],
      predict = { id = "p1-what-may-be-wrong", kind = "choice",
        ask = "What may be old for a while, and no like is lost?",
        choices = {
          { "A router's copy, as long as shards check their tables.",
            holds = function(w) return not loses(w, true) end },
          { "A shard's table, as long as routers have the new map.", belief = "the map protects the data",
            why = "Some router is always the last to hear. If the shard does not know, nobody stops the write.",
            holds = function(w) return not loses(w, false) end },
          { "None. All must change together.", belief = "everything must agree at once",
            why = "You saw R5 with an old map, and it cost one extra hop and nothing more.",
            holds = function(w) return loses(w, true) end },
        },
        why = "A router may be wrong, as long as the shard that it asks knows better.",
        hints = { "Which of the three did you make old, with the rule on?", "What did it cost?",
                  "And with the rule off?" } },
      after = [[
        Key, tag, slot, map, owner; and the owner checks. Everything later rests on these.

        One thing is open: what if the number of shards changes? The drill *mod N or slots* asks how many keys have to
        move. The steps from here on go deeper.]] },

    { id = "two-open", title = "Two steps are yours", deeper = true, show = { "slot_map" }, key = "post:{p2}",
      say = [[
        A slot again, for `likes:{p7}:today`. Two numbers are ready:

          all but the braces  {w:crc16("likes:p7:today")}
          p7 alone            {w:crc16("p7")}

        Which of them counts, and what is left after division by 16,384?]],
      predict = { id = "p1-two-open", kind = "number",
        ask = "What is the slot of `likes:{p7}:today`?",
        answer = function(w) return w:slot("likes:{p7}:today") end,
        wrong = function(w)
          return { [w:crc16("likes:p7:today") % 16384] = { belief = "braces are left out, and that is all",
                     why = "The key has a tag, and then nothing else is hashed." },
                   [w:crc16("p7")] = { belief = "the hash is the slot",
                     why = "That is the hash. The slot is what is left over when it is divided by 16,384." },
                   [w:crc16("p7") // 16384] = { belief = "the quotient counts",
                     why = "That is how often 16,384 fits. The slot is what is left over." } }
        end,
        why = "Tag first, then the remainder.",
        hints = { "What stands in the braces?", "{w:crc16(\"p7\")}: how often does 16,384 fit?",
                  "{w:crc16(\"p7\")} - {w:crc16(\"p7\") // 16384} x 16,384." } },
      after = [[
        Slot {w:slot("likes:{p7}:today")}, beside everything else of p7.]] },

    { id = "alone", title = "Alone", deeper = true, show = { "crc16" }, key = "post:{p2}", actions = { "key" },
      say = [[
        All of it now, for a key with a trap: `{}{p12}`. The picture runs CRC16 over the bytes of any key that you give it:
        press K, and type the key.]],
      predict = { id = "p1-alone", kind = "number",
        ask = "What is the slot of `{}{p12}`?",
        answer = function(w) return w:slot("{}{p12}") end,
        wrong = function(w)
          return { [w:slot("p12")] = { belief = "an empty tag is skipped",
                     why = "The first pair is empty, so the whole key is hashed, braces and all." },
                   [w:crc16("{}{p12}")] = { belief = "the hash is the slot",
                     why = "That is the hash. The slot is what is left over when it is divided by 16,384." } }
        end,
        why = "An empty first pair: the whole key is hashed, and the remainder is its slot.",
        hints = { "What is in the first pair of braces?", "Nothing, so all bytes are hashed. Press K and type `{}{p12}`.",
                  "CRC16 gives {w:crc16(\"{}{p12}\")}. 16,384 fits {w:crc16(\"{}{p12}\") // 16384} time." } },
      after = [[
        Slot {w:slot("{}{p12}")}, in the run of S{w:slot("{}{p12}") // RUN}. `post:{p12}` is in slot {w:slot("post:{p12}")}. `hotshard slot KEY` works
        this out for any key of yours.]],
      with = { RUN = RUN } },

    { id = "how-long", title = "How long is it safe?", deeper = true, show = { "maps", "trace" }, key = P9, router = "R3",
      enter = function(w)
        put_right(w)
        for _, name in ipairs(router_names(w)) do w:deaf(name, true) end
        w:play_for(600)
      end,
      say = [[
        The directory has been down for ten minutes. The copies in the routers are as old as that, or older.]],
      predict = { id = "p1-how-long", kind = "choice", confidence = true,
        ask = "How much longer may R3 go on with its copy?",
        choices = {
          { "It should have stopped by now.", belief = "a copy wears off",
            why = "No slot changed hands meanwhile: a change begins in the directory, and that is down. The copy is as true as ever.",
            holds = function(w) return not still_good(w, 0) end },
          { "An hour or so.", belief = "a copy wears off",
            why = "Time alone makes no map wrong. Tried on a copy, a day later: one shard is asked, and it answers OK.",
            holds = function(w) return still_good(w, 0) and not still_good(w, 86400) end },
          { "As long as it takes.", holds = function(w) return still_good(w, 86400) end },
        },
        why = "No directory, no change. And if one did happen, the shard's own table would say MOVED.",
        hints = { "What makes a copy wrong?", "Where does a change of owner begin?",
                  "In the directory, and it is down." } },
      run = function(w)
        w:send("read", P9, "R3")
        w:play_answered()
      end,
      after = [[
        {how_it_went()} What cannot wait for ever is repair: a shard that dies now gets no successor, since that would be a
        change of the plan.]] },

    { id = "old-and-alone", title = "Old, and alone", deeper = true, show = { "trace" }, key = P9, router = "R5",
      enter = function(w) make_stale(w, "R5") end,
      say = [[
        The worst case: R5 was deaf when slot {w:slot("post:{p9}")} went to {w:owner("post:{p9}")}, and now the directory is down as well, for
        {AWAY / 1000} seconds. A phone asks R5 for the post.]],
      with = { AWAY = AWAY_MS },
      predict = { id = "p1-old-and-alone", kind = "choice",
        ask = "What does the phone see?",
        choices = {
          { "The post, from the old owner.", belief = "better an old answer than none",
            why = "The old owner looks into its table, as always. It does not serve what it gave away.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 end },
          { "An error.", belief = "who cannot fetch the map gives up",
            why = "R5 has the request in its hands, and waits for the map.",
            holds = function(w) return last.outcome ~= "OK" end },
          { "The post, when the directory is back.",
            holds = function(w) return last.outcome == "OK" and last.asks > 1 and last.ms >= AWAY_MS end },
          { "The post at once: MOVED names the new owner.", belief = "MOVED is followed blindly",
            why = "It could. But R5 fetches the map after MOVED before it goes on, so that the next request goes straight.",
            holds = function(w) return last.outcome == "OK" and last.asks > 1 and last.ms < AWAY_MS end },
        },
        why = "MOVED makes R5 fetch the map, and nobody answers until the directory is back.",
        hints = { "Whom does R5 ask first, and what is it told?", "After MOVED it fetches the map.",
                  "From a directory that is down." } },
      run = function(w)
        keep_stale(w, "R5")
        local number = w:send("read", P9, "R5")
        for _ = 1, 60 do -- until MOVED has come, and the wish for the map is on its way
          if w:request(number).reloads > 0 then break end
          w:play_for(0.0001)
        end
        if not w:request(number).done then w:command("hold " .. number .. " " .. AWAY_MS) end
        w:play_answered()
      end,
      after = [[
        {last.ms} ms. Some systems switch the rule *reload-on-moved* off for such a time: on a copy, R5 then follows
        MOVED and answers after {followed(w)} ms, with an extra hop each time.]] },

    { id = "who-tells", title = "Who tells the routers?", deeper = true, show = { "maps", "trace" }, key = P9, router = "R0",
      enter = function(w)
        put_right(w)
        for _, name in ipairs(router_names(w)) do w:deaf(name, true) end
        w:move(w:slot(P9), w:slot(P9), other(w))
        w:play_for(1)
      end,
      say = [[
        Here routers *watch* a central store: the directory sends each change to all of them, as ZooKeeper or etcd would.
        Suppose it did not. Slot {w:slot("post:{p9}")} was given to {w:owner("post:{p9}")}, and all {w:routers()} routers missed it.

        Now ten phones a router ask for p9, one after another: {10 * w:routers()} requests.]],
      predict = { id = "p1-redirects", kind = "number",
        ask = "How often is MOVED said?",
        answer = function(w) return moved_replies(w, 10 * w:routers()) end,
        wrong = function(w)
          return { [10 * w:routers()] = { belief = "an old router stays old",
                     why = "MOVED makes it fetch the map. After that it is right." },
                   [1] = { belief = "one router tells the others",
                     why = "Routers do not talk to each other. Each has to find out for itself." },
                   [0] = { belief = "a router knows that its map is old",
                     why = "From the inside an old copy looks like a fresh one." } }
        end,
        why = "Once for each router, and then never again.",
        hints = { "What does the first MOVED do to its router?", "It fetches the map. What of the other routers?",
                  "Each learns once." } },
      run = function(w)
        for _ = 1, 10 do
          for _, name in ipairs(router_names(w)) do
            w:send("read", P9, name)
            w:play_answered()
          end
        end
      end,
      after = [[
        {moved_replies(w, 10 * w:routers())} extra hops, and the map is everywhere where it is needed. Watching spares those hops, and costs a
        message to every router for every change. Most systems do both. A third way, *gossip*, comes later: nodes tell a few
        others, who tell others.]] },

    { id = "three-ways", title = "Three places for a map", deeper = true, show = { "table" }, key = P9,
      say = [[
        Who knows the map? A *library* in each client, which asks the shard itself. Or a *proxy tier*: our routers, in
        between. Or *any node*: a client asks any shard, and that one passes the request on if the owner is another.]],
      table = function(w)
        local function row(way, held)
          return { label = way, run = ask_four, cells = function(f) return { messages(f, way), held } end }
        end
        return { title = "Four reads of p9 by each way", columns = { "way", "messages", "map held by" }, numbers = { 2 },
          rows = { row("library", "each client"), row("proxy tier", w:routers() .. " routers"),
                   row("any node", w:shards() .. " shards") } }
      end,
      predict = { id = "p1-any-node", kind = "number", tolerance = 0.01,
        ask = "By any node, how many messages does a read take on average, there and back?",
        answer = function(w) return messages_of(w, "any node") end,
        wrong = { [4] = { belief = "somebody always passes it on",
                    why = "One time in four the client meets the owner itself, and then it is two." },
                  [2] = { belief = "any node has the data",
                    why = "Any node takes the request. Only the owner has the slot, and three times in four that is another." },
                  [3] = { belief = "half the time it meets the owner",
                    why = "There are four shards, and one of them is the owner." } },
        why = "Two messages with the node asked, and two more with the owner, unless they are one and the same.",
        hints = { "If the node asked is the owner: two messages.", "Otherwise four. How often is it another?",
                  "One time in four 2, three times in four 4." } },
      after = [[
        Library {whole(messages_of(w, "library"))}, proxy tier {whole(messages_of(w, "proxy tier"))}, any node {messages_of(w, "any node")}.]] },

    { id = "which-way", title = "What each way costs", deeper = true, show = { "table" },
      say = [[
        Redis Cluster and Kafka have libraries, MongoDB and Vitess a proxy tier, and any node of Cassandra takes a request.

        A slot changes hands, and each map is old until it hears of that.]],
      table = function(w)
        return { title = "A slot changes hands", columns = { "way", "old maps", "whose code" }, numbers = {},
          rows = { { label = "library", cells = { "one a client", "theirs" } },
                   { label = "proxy tier", cells = { "{w:routers()}", "ours" } },
                   { label = "any node", cells = { "{w:shards()}", "ours" } } } }
      end,
      predict = { id = "p1-which-way", kind = "choice",
        ask = "A million phones, some not updated for years. Which way is the worst for them?",
        choices = {
          { "A library in each phone.",
            holds = function(w) return PHONES > w:routers() and PHONES > w:shards() end },
          { "A proxy tier.", belief = "the fewest hops always win",
            why = "It costs a hop, and for that {w:routers()} machines of our own know the map, and phones know nothing.",
            holds = function(w) return w:routers() >= PHONES end },
          { "Any node.", belief = "whoever stores must not route",
            why = "Phones need to know only one address. {w:shards()} machines of our own know the map.",
            holds = function(w) return w:shards() >= PHONES end },
        },
        why = "Fewest messages, most copies of the map, and code in every phone that nobody can update at once.",
        hints = { "Where is the map, and who can change the code beside it?", "How many copies are there?",
                  "As many as phones." } },
      after = [[
        Libraries are for servers of one's own, where a hop less counts. For the rest of this course a proxy tier stands in
        between: R0 to R{w:routers() - 1}.]] },

    { id = "ids", title = "An id that says where", deeper = true, show = { "table" },
      table = function()
        return { title = "The parts of the id", columns = { "part", "bits", "number" }, numbers = { 2, 3 },
          rows = { { label = "time", cells = { "41", "{ID >> 23}" } }, { label = "logical shard", cells = { "13", "{ID >> 10 & (1 << 13) - 1}" } },
                   { label = "sequence", cells = { "10", "{ID & (1 << 10) - 1}" } } } }
      end,
      say = [[
        A photo gets an id when it is made. Instagram's have 64 bits: 41 of time, 13 of a *logical shard*, 10 of a sequence.
        One id is {ID}.

        Its last 23 bits, as a number, are {ID & (1 << 23) - 1}. The last 10 of them are the sequence: divide by 1,024, and drop
        what is left.]],
      with = { ID = ID },
      predict = { id = "p1-id-shard", kind = "number",
        ask = "Which logical shard is the photo on?",
        answer = function() return ID >> 10 & (1 << 13) - 1 end,
        wrong = { [ID & (1 << 10) - 1] = { belief = "the last bits name the shard",
                    why = "That is the sequence: the last 10 bits." },
                  [ID & (1 << 23) - 1] = { belief = "all that is not time is the shard",
                    why = "Those are both parts together: 13 bits of the shard, 10 of the sequence." },
                  [(ID & (1 << 23) - 1) // (1 << 13)] = { belief = "the shard stands last",
                    why = "That cuts off 13 bits. The sequence has 10, and stands last." } },
        why = "Whoever holds the id can work this out. Nobody has to be asked.",
        hints = { "Which part of the id is in the middle?", "{ID & (1 << 23) - 1} divided by 1,024.",
                  "It is {ID >> 10 & (1 << 13) - 1}, and {ID & (1 << 10) - 1} is left." } },
      after = [[
        No directory, no hash: the place is in the id. 41 bits of milliseconds last {(1 << 41) // (1000 * 86400 * 365)} years, and each
        logical shard can make {1 << 10} ids in every one.]] },

    { id = "ids-grow", title = "And when machines join?", deeper = true, show = { "grid" },
      grids = function()
        return { { title = "ids on four machines, then on five", keys = keys("photo:%d", 0, 999), before = logical(4), after = logical(4):add() } }
      end,
      say = [[
        13 bits make {1 << 13} logical shards, and they stay for ever. Now they live on 4 machines, {(1 << 13) // 4} on each. A fifth joins.]],
      predict = { id = "p1-ids-grow", kind = "choice",
        ask = "What becomes of the ids of photos that move?",
        choices = {
          { "They are written anew.", belief = "the id names a machine",
            why = "It names a logical shard, and a photo stays in that one. What moves is the whole logical shard.",
            holds = function() return relabelled() > 0 end },
          { "They stay. A small map says which machine has the logical shard.",
            holds = function() return relabelled() == 0 and rehoused() > 0 end },
          { "Nothing moves: the place is in the id.", belief = "a place in the id is a place for ever",
            why = "The logical shard is for ever. Its machine may change, or the fifth would stay empty.",
            holds = function() return rehoused() == 0 end },
        },
        why = "Key to slot by a rule that never changes, slot to machine by a map that may: the same two steps as before.",
        hints = { "What does the id name?", "Do logical shards change when a machine joins?",
                  "No, but where they live does." } },
      after = [[
        {rehoused()} of a thousand photos change machines, and {relabelled()} change their logical shard. The price of such an id: what is
        in one logical shard stays together, whatever it weighs.]] },

    { id = "check-slot", title = "Check: a slot", check = true, show = { "slot_map" }, key = "post:{p9}",
      say = [[
        CRC16 of `p6` is {w:crc16("p6")}, of `p6:likes` {w:crc16("p6:likes")}, and of `post:p6:likes` {w:crc16("post:p6:likes")}.]],
      predict = { id = "p1-check-slot", kind = "number",
        ask = "What is the slot of `post:{p6}:likes`, of 16,384?",
        answer = function(w) return w:slot("post:{p6}:likes") end,
        wrong = function(w)
          return { [w:crc16("p6")] = { belief = "the hash is the slot", why = "The slot is what is left over of it." },
                   [w:crc16("post:p6:likes") % 16384] = { belief = "braces are left out, and that is all", why = "The tag alone is hashed." } }
        end,
        why = "The tag alone, and the remainder." } },

    { id = "check-tags", title = "Check: tags", check = true, show = { "slot_map" }, key = "post:{p9}",
      say = [[
        A user's cart is stored under `cart:{u7}`.]],
      predict = { id = "p1-check-tags", kind = "several",
        ask = "Which keys are sure to be in its slot?",
        choices = {
          { "`{u7}`", why = "`{u7}` is a key, and its tag is u7.",
            holds = function(w) return w:slot("{u7}") == w:slot("cart:{u7}") end },
          { "`cart:{}{u7}`", belief = "an empty tag is skipped", why = "The first pair of `cart:{}{u7}` is empty: the whole key is hashed.",
            holds = function(w) return w:slot("cart:{}{u7}") == w:slot("cart:{u7}") end },
          { "`wish:{u7}:{u8}`", why = "In `wish:{u7}:{u8}` the first pair decides.",
            holds = function(w) return w:slot("wish:{u7}:{u8}") == w:slot("cart:{u7}") end },
          { "`cart:u7`", belief = "a name is enough", why = "`cart:u7` has no tag.",
            holds = function(w) return w:slot("cart:u7") == w:slot("cart:{u7}") end },
        },
        why = "The first brace, the next closing one, and something between." } },

    { id = "check-old-map", title = "Check: an old map", check = true, show = { "maps", "trace" }, key = P9, router = "R5",
      enter = function(w) make_stale(w, "R5") end,
      say = [[
        Slot {w:slot("post:{p9}")} went from {w:says("R5", "post:{p9}")} to {w:owner("post:{p9}")}. R5 missed it, and is asked for p9 twice, one
        after the other.]],
      predict = { id = "p1-check-old-map", kind = "number",
        ask = "How many times does R5 ask a shard, in both together?",
        answer = function(w) return w:request(last.number - 1).asks + last.asks end,
        wrong = { [4] = { belief = "an old router stays old", why = "MOVED makes it fetch the map. The second goes straight." },
                  [2] = { belief = "a router knows that its map is old", why = "It learns that from MOVED, and that is one ask more." } },
        why = "Two for the first, which learns of the move, and one for the second." },
      run = function(w)
        for _ = 1, 2 do
          w:send("read", P9, "R5")
          w:play_answered()
        end
      end },

    { id = "check-truth", title = "Check: the last word", check = true, show = { "maps" }, key = LIKES,
      say = [[
        The directory, the copies in the routers, the slot tables of the shards: one of them has the last word before a write is taken.]],
      predict = { id = "p1-check-truth", kind = "choice",
        ask = "Which copy may be old without a like being lost?",
        choices = {
          { "A shard's slot table, if all routers are up to date.", belief = "the map protects the data",
            why = "Some router is always the last to hear, and then nobody stops the write.",
            holds = function(w) return not loses(w, false) end },
          { "A router's map, if shards check their tables.", holds = function(w) return not loses(w, true) end },
          { "None of them.", belief = "everything must agree at once",
            why = "A router with an old map costs an extra hop, and no like.",
            holds = function(w) return loses(w, true) end },
        },
        why = "The shard that is asked looks into its own table." } },
  },
}
