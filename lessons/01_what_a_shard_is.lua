-- Part 1. Core path: key, tag, slot, directory, owner; an old map and one extra hop; a slot that came
-- back; a slot that is held; a directory that is down; and what happens when a shard stops looking into
-- its own table. Deeper: what CRC16 does to names that are alike, slots without help, commands over two
-- keys, who may hold the map, how news of it travels, ids that name a shard, errors as one meets them.

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
  if w.directory.down then needs(w.command, "directory on") end
  if w:fleet().gossip_ms > 0 then needs(w.command, "gossip off") end
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

-- The directory's machine dies: it answers nobody, and no slot changes its owner.
local function directory_dies(w)
  if not w.directory.down then w:command("directory off") end
end

-- R5 heard nothing while the slot went away and came back: its map is right about the owner, and old.
local function there_and_back(w, router)
  put_right(w)
  bring_home(w, P9, "S2")
  put_right(w)
  w:deaf(router, true)
  w:move(w:slot(P9), w:slot(P9), "S3")
  w:move(w:slot(P9), w:slot(P9), "S2")
  w:play_for(1)
end

-- The same, unless the router's map is wrong about p9 already.
local function keep_stale(w, router)
  put_right(w, router)
  if w:says(router, P9) == w:owner(P9) then make_stale(w, router) end
end

-- Tried on a copy: all routers but one have the new map, and one like comes through that one, while
-- shards check their tables or not.
local function loses(w, checked)
  local f = w:fork()
  make_stale(f, "R1")
  f:set_rule("slot-table-check", checked)
  local lost = f:lost(LIKES)
  f:send("like", LIKES, "R1")
  f:play_answered()
  return f:lost(LIKES) > lost
end

-- What S2 cannot take of so many requests a second, with that many copies of all that it holds. A
-- shard may save up a tenth of a second's work: the first second is let go by.
local function ask_much(f, copies, op, keys, rate)
  for _, key in ipairs(keys) do bring_home(f, key, "S2") end
  put_right(f)
  f:command("replicas S2 " .. copies)
  for _, key in ipairs(keys) do f:flow(op, key, rate // #keys, "steady") end
  f:play_for(1)
  local before = f.S2.refused
  f:play_for(1)
  return f.S2.refused - before
end

local function beyond(w, copies, op, keys, rate)
  return ask_much(w:fork(), copies, op, keys, rate)
end

local function copies_help(w, op, keys, rate)
  return beyond(w, 3, op, keys, rate) < beyond(w, 1, op, keys, rate)
end

local ON_S2 = { "post:{p1}", "post:{p5}", "post:{p9}", "post:{p13}" }

local function tried_copies()
  local rows = {}
  local function add(label, op, keys, rate)
    for _, copies in ipairs { 1, 3 } do
      local refused
      rows[#rows + 1] = { label = label .. (copies == 1 and ", alone" or ", 3 copies"),
        run = function(f) refused = ask_much(f, copies, op, keys, rate) end,
        cells = function() return { rate, refused } end }
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

-- What the old owner itself would answer to a reader.
function beside(w) return w:value(LIKES, w:says("R5", LIKES)) end

function back_off_rule()
  if last.asks == 4 then return "It asked at about 0, 10, 30 and 70 ms. At 70 the slot was free." end
  return "Each wait was twice the one before it."
end

-- --- ids: 41 bits of time, 13 of the logical shard, 10 of a sequence ---

local BORN_MS, LOGICAL, SEQUENCE = 312345678901, 1341, 5
ID = BORN_MS << 23 | LOGICAL << 10 | SEQUENCE

local function logical(shards) return layout("slots", { shards = shards, slots = 1 << 13 }) end

-- --- three ways to find the shard, on a copy: the engine plays its own router, and what stands in one
-- program or one machine with it sends no message ---

-- Messages of the last n requests, there and back. Where the router is a client's own library, it and
-- its client are one; where it is part of shard i, it and that shard are one.
local function messages(f, n, way, node)
  local total = 0
  for i, r in ipairs(recent(f, n)) do
    local inside = way == "any node" and r.shard == "S" .. (node or i - 1)
    total = total + (way == "library" and 0 or 2) + (inside and 0 or 2 * r.asks) + 2 * r.reloads
  end
  return total / n
end

local function ask_one(f)
  bring_home(f, P9, "S2")
  make_stale(f, "R1")
  f:send("read", P9, "R1")
  f:play_answered()
  local old = f.last.number
  f:send("read", P9, "R1")
  f:play_answered()
  return old
end

-- By each of the four nodes once.
local function ask_four(f)
  bring_home(f, P9, "S2")
  put_right(f)
  for i = 0, 3 do
    f:send("read", P9, "R" .. i)
    f:play_answered()
  end
end

function messages_by_any(w)
  local f = w:fork()
  ask_four(f)
  return messages(f, 4, "any node")
end

-- With the right map, and with an old one; a node that is neither the old owner nor the new.
function messages_of(w, way, old)
  local f = w:fork()
  ask_one(f)
  local both, last = messages(f, 2, way, 1), messages(f, 1, way, 1)
  return whole(old and 2 * both - last or last)
end

-- Whether R3's copy still leads straight to the post, so many seconds from now.
function still_good(w, seconds)
  local f = w:fork()
  for _ = 1, seconds // 1800 do f:play_for(1800) end
  f:send("read", P9, "R3")
  f:play_answered()
  return f.last.outcome == "OK" and f.last.asks == 1
end

-- How long a read takes through a router that goes to the owner named in MOVED.
function followed(w)
  local f = w:fork()
  make_stale(f, "R5")
  f:set_rule("reload-on-moved", false)
  f:send("read", P9, "R5")
  f:play_answered()
  return f.last.ms
end

-- A thousand photos by their ids: which machine has each one's logical shard, before and after.
local FOUR = logical(4)
local FIVE = FOUR:add()
local function logical_of(photo) return photo * 5021 % (1 << 13) end

function rehoused()
  local n = 0
  for photo = 1, 1000 do
    local at = logical_of(photo)
    if FOUR:slot_owner(at) ~= FIVE:slot_owner(at) then n = n + 1 end
  end
  return n
end

-- --- names that are alike ---

local WORDS_TRIED = 1000

-- Of so many words, each with 0, 1, 2 and 3 behind it: how many find their four keys on four shards.
function parted(hash)
  local l = layout("slots", { shards = 4, deal = "ranges", hash = hash })
  local n = 0
  for i = 1, WORDS_TRIED do
    local seen, count = {}, 0
    for digit = 0, 3 do
      local owner = l:owner("word" .. i .. "-" .. digit)
      if not seen[owner] then count = count + 1 end
      seen[owner] = true
    end
    if count == 4 then n = n + 1 end
  end
  return n
end

function whole(x) return x == math.floor(x) and math.tointeger(x) or x end

-- --- a session, to be read: what was typed, the keys in it, what came back ---

local SESSION = {
  { "GET post:{p9}", keys = { P9 }, back = "(error) MOVED {slot} {owner}" },
  { "MGET post:{p9} likes:{p9}", keys = { P9, LIKES }, back = "1) \"...\"  2) \"41\"" },
  { "MGET post:p9 likes:{p9}", keys = { "post:p9", LIKES }, back = "(error) CROSSSLOT" },
  { "MGET post:{p9} likes:{p9}", keys = { P9, LIKES }, back = "(error) TRYAGAIN" },
}

local function one_slot(w, list)
  for _, key in ipairs(list) do
    if w:slot(key) ~= w:slot(list[1]) then return false end
  end
  return true
end

function session_lines(w)
  local out = {}
  for i, line in ipairs(SESSION) do
    local back = line.back:gsub("{slot}", tostring(w:slot(P9))):gsub("{owner}", w:owner(P9))
    out[i] = "\n  " .. i .. "  " .. line[1] .. "\n     " .. back
  end
  return table.concat(out)
end

-- --- news: slots that change hands at night, beside those of the posts ---

local CHANGES, NIGHT = 10, 200

-- Changes that reached routers since the step began: each router's map is one version further for each.
local function heard(w, from)
  local total = 0
  for _, name in ipairs(router_names(w)) do total = total + w[name].version - from end
  return total
end

function news_heard(w) return heard(w, w:map_version() - CHANGES) end

-- --- gossip ---

local TRIES = 5 -- fleets that are tried of each size, by chance each
local tried = {} -- what came of each, which hangs on its size and number alone

local function try(w, routers, seed)
  local name = routers .. "/" .. seed
  tried[name] = tried[name] or w:gossip_in(routers, seed)
  return tried[name]
end

function gossip_rounds(w, routers)
  local rounds = 0
  for seed = 1, TRIES do rounds = rounds + try(w, routers, seed).rounds end
  return whole(rounds / TRIES)
end

function gossip_told(w, routers) return try(w, routers, 1).told end
function gossip_by_round(w, routers) return try(w, routers, 1).by_round end

-- "3, 16, 67": how many know after each round.
function gossip_grows(rounds) return table.concat(rounds, ", ") end

return lesson {
  id = "01_what_a_shard_is", part = 1, title = "What a shard is", minutes = 12,
  needs = { "00_start_here" }, world = "story-quiet", placement = { go = "break-it" },

  steps = {
    { id = "recall", title = "From Part 0", show = { "table" }, table = tried_copies,
      say = [[
        One machine held all posts, until people asked for more than it can do. One of the cheaper steps of Part 0
        was a *copy*: more machines that hold the same, and answer reads.]],
      predict = { id = "p1-recall-copies", kind = "choice",
        ask = "What do more copies not help with?",
        choices = {
          { "Many reads of one post.", belief = "one key is always one machine's work",
            why = "Each copy has that post as well, so they can share its readers.",
            holds = function(w) return not copies_help(w, "read", { P9 }, 6000) end },
          { "Many likes.", holds = function(w) return not copies_help(w, "like", { LIKES }, 2000) end },
          { "Many reads of many posts.", belief = "copies are for safety only",
            why = "Copies survive a crash, and they also share the readers.",
            holds = function(w) return not copies_help(w, "read", ON_S2, 6000) end },
        },
        why = "Every copy has to write down every like. More copies take no more likes than one.",
        hints = { "What must happen to a like on each copy?", "Readers may go to any copy. A write goes to all.",
                  "Likes are writes." } },
      after = [[
        Alone it refuses {beyond_likes(w, 1)} likes a second, with three copies {beyond_likes(w, 3)}. To take more writes the data
        itself has to be divided.]],
      with = { beyond_likes = function(w, n) return beyond(w, n, "like", { LIKES }, 2000) end },
      notes = "Part 0 shows the cheaper steps. Who skipped it can still answer this one." },

    { id = "one-of-four", title = "Asking for a post", show = { "trace" }, key = P9, router = "R0",
      enter = put_right,
      say = [=[
        A photo app keeps its posts on {cluster.shards} machines: one could not answer everybody. Each
        is a [[shard]] and holds a part of the data.

        Phones ask a [[router]], and the router has to find the shard. A phone is about to ask router R0
        for the [[key]] `post:{p9}`.]=],
      predict = { id = "p1-how-many-asked", kind = "choice",
        ask = "How many shards does R0 ask?",
        choices = {
          { "One.", holds = function(w) return last.asks == 1 end },
          { "Two, and it compares the answers.", belief = "a shard is a copy",
            why = "That is replication: the same data twice. Sharding puts each key in one place only.",
            holds = function(w) return last.asks == 2 end },
          { "All four. One of them has it.", belief = "a key has to be searched for",
            why = "Searching would make every shard work for every request. Four shards would then carry no more than one.",
            holds = function(w) return last.asks == 4 end },
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
        R0 asked {last.shard}{last.asks == 1 and " and nobody else" or " last"}. From the phone and back it took {last.ms} ms, most
        of them at the shard.]],
      notes = "Let the group vote before the run. Ask those who said four what it would cost at a hundred shards." },

    { id = "worked", title = "From key to number", show = { "crc16:post:{p11}" },
      say = [=[
        R0 did not search. It computed. A fixed function, CRC16 (the kind called XMODEM, as in Redis
        Cluster), turns bytes into a number.

        An example, for `post:{p11}`. The picture feeds it `p11`, byte by byte.

          CRC16 of p11 is {w:crc16("p11")}.
          16,384 fits {w:crc16("p11") // SLOTS} times,
          and {w:slot("p11")} is left over.

        That is the key's [[slot]], one of 16,384. Shards are given slots.]=],
      with = { SLOTS = SLOTS } },

    { id = "to-a-number", title = "The remainder", show = { "crc16:post:{p9}" },
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
      say = [=[
        The key is `post:{p9}`, yet only `p9` was fed in. What stands between the first `{` of a key and the next `}`, at least one byte,
        is its [[tag]], and the tag alone is hashed. A key without a tag is hashed whole.]=],
      predict = { id = "p1-same-slot", kind = "several",
        ask = "Which share the slot of `post:{p9}`?",
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
            why = "`post:{p10}` has another tag, and that gives another slot.",
            holds = function(w) return w:slot("post:{p10}") == w:slot(P9) end },
          { "`a{p9}{p10}`",
            why = "In `a{p9}{p10}` the first pair of braces decides.",
            holds = function(w) return w:slot("a{p9}{p10}") == w:slot(P9) end },
          { "`likes:{}{p9}`", belief = "an empty tag is skipped",
            why = "The first pair of `likes:{}{p9}` is empty: no tag, so the whole key is hashed. Nobody looks for a second pair.",
            holds = function(w) return w:slot("likes:{}{p9}") == w:slot(P9) end },
        },
        why = "First brace, next closing brace, and at least one byte between them. Otherwise the whole key.",
        hints = { "Find the first { in each key.", "What stands between it and the next }?",
                  "Three of the six have the tag p9." } },
      after = [[
        So keys that belong together can be made to live together. The post, its likes and its comments share
        slot {w:slot("post:{p9}")}, and one shard can answer for all of them.]],
      notes = "The empty pair surprises experienced people too. It is in the specification of Redis Cluster." },

    { id = "write-a-tag", title = "A key of your own", show = { "crc16", "trace" }, actions = { "route", "key" },
      say = [[
        Your turn. K tries a key without sending it: the picture works out its slot. r sends a read of a key through R0.

        A key that was never written is answered, too: it counts 0.]],
      try = { ask = "Make up a key of slot {w:slot(\"post:{p9}\")}, other than `post:{p9}`, and send a read of it.", builds = true,
        goal = function(w)
          return last.done and last.key ~= P9 and w:slot(last.key) == w:slot(P9)
        end,
        solution = { "request read comments:{p9} via R0" },
        hints = { "Which part of a key is hashed?", "Give it the tag p9.",
                  "Press r and type `comments:{p9}`." } } },

    { id = "the-map", title = "Slots have owners", show = { "slot_map" }, key = "post:{p14}",
      enter = function(w)
        bring_home(w, P9, "S2")
        put_right(w)
      end,
      say = [=[
        Each slot has one [[owner]]. At first the slots were dealt out in equal runs: 0 to {RUN - 1} to S0, the next {RUN} to S1,
        then S2, then S3.

        Two steps, then: a rule, from key to slot, that never changes; and a [[map]], from slot to shard, that can.

        `post:{p14}` is in slot {w:slot("post:{p14}")}.]=],
      with = { RUN = RUN },
      predict = { id = "p1-owner", kind = "choice",
        ask = "Whose slot is that?",
        choices = {
          { "S0", belief = "a slot tells nothing about its shard",
            why = "The run of S0 ends at slot {RUN - 1}.",
            holds = function(w) return w:slot("post:{p14}") // RUN == 0 end },
          { "S1", holds = function(w) return w:slot("post:{p14}") // RUN == 1 end },
          { "S2", belief = "counting starts at one",
            why = "The first run belongs to S0, so the second belongs to S1.",
            holds = function(w) return w:slot("post:{p14}") // RUN == 2 end },
          { "S3", belief = "the map has to be asked",
            why = "Later, when slots have moved. At first it is arithmetic: S3 has the last run, from {3 * RUN} on.",
            holds = function(w) return w:slot("post:{p14}") // RUN == 3 end },
        },
        why = "Slots {RUN} to {2 * RUN - 1} are the second run.",
        hints = { "Each run is {RUN} slots long.", "How often does {RUN} fit into {w:slot(\"post:{p14}\")}?",
                  "Once, and the runs are counted from 0." } },
      after = [[
        S{w:slot("post:{p14}") // RUN}. One machine more, and keys keep their slots: only some slots change owners.

        Tab goes to the map: arrows move on it, + looks closer.]],
      notes = "Why 16,384? It is Redis Cluster's choice: far more slots than shards, and few enough for each router to hold the map." },

    { id = "the-directory", title = "Who keeps the map", show = { "maps", "trace" }, key = P9, router = "R2",
      enter = function(w)
        w:move(100, 100, w:owner(100) == "S1" and "S0" or "S1")
        put_right(w)
      end,
      say = [=[
        The map lives in the [[directory]]. Each change gives it a new [[version]]: slot 100 went to {w:owner(100)} just now, so
        it is v{directory.version}. A slot's own [[epoch]] goes up only when that slot changes hands: {w:epoch("post:{p9}")} for {w:slot("post:{p9}")}, as the cluster has a past.

        Each router keeps a copy of the map. A phone asks R2 for `post:{p9}`.]=],
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

    { id = "the-truth", title = "The last word", show = { "maps", "trace" }, key = P9,
      enter = function(w)
        bring_home(w, P9, "S2")
        put_right(w)
      end,
      say = [=[
        The directory is the plan. The truth is at the shard: its [[slot table]] has a row for each slot that it owns or once
        owned, and it looks there before it answers.

        The picture shows plan, copies and slot tables for slot {w:slot("post:{p9}")}.]=],
      try = { ask = "Tab to the picture, choose S2 at its foot, and press i.", opened = "inspect", of = "shard S2",
        hints = { "Tab goes to the next picture.",
                  "The arrow keys choose a line: the shards are the last.", "Press i." } },
      notes = "When may a row that says moved go? When no router can still hold a map from before. Here it stays." },

    { id = "an-old-map", title = "An old map", show = { "trace" }, key = P9, router = "R5",
      enter = function(w) make_stale(w, "R5") end,
      say = [=[
        Slot {w:slot("post:{p9}")} was given to {w:owner("post:{p9}")}, with its data, and the map is v{directory.version} now. R5 is [[deaf]]: it hears no
        news, though it can still ask. Its copy is v{R5.version}, and says {w:says("R5", "post:{p9}")}.

        A phone asks R5 for `post:{p9}`.]=],
      predict = { id = "p1-old-map", kind = "choice", confidence = true,
        ask = "What happens?",
        choices = {
          { "The post is gone: an error.", belief = "an old map is fatal",
            why = "The old owner remembers whom it gave the slot to, and says so.",
            holds = function(w) return last.outcome ~= "OK" end },
          { "The old owner answers from its old copy.", belief = "a shard serves what it has",
            why = "The old owner looks into its slot table first. Its row says moved, so it does not serve.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 and last.reloads == 0 end },
          { "R5 asks the directory first.", belief = "a router knows that its map is old",
            why = "From the inside, an old copy looks like a fresh one. Only a shard can tell R5.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 and last.reloads == 1 end },
          { "The old owner sends R5 on to the new one.",
            holds = function(w) return last.outcome == "OK" and last.asks > 1 end },
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
        {how_it_went()} (Clients of Redis Cluster go straight to the owner that MOVED names, and fetch the map beside that.)]] },

    { id = "and-then", title = "The next phone", show = { "maps", "trace" },
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

    { id = "came-back", title = "There and back", show = { "maps", "trace" }, key = P9, router = "R5",
      enter = function(w) there_and_back(w, "R5") end,
      say = [=[
        With each request a router sends the [[epoch]] that its map has for the slot. Answers may add [[reload]]: fetch the map.

        Slot {w:slot("post:{p9}")} is S2's again, and R5 has heard: epoch {w:epoch("post:{p9}") - 2}. Then, with R5 deaf, it went to S3 and back
        to S2: epoch {w:epoch("post:{p9}")} now. A phone asks R5.]=],
      predict = { id = "p1-came-back", kind = "choice",
        ask = "What does S2 answer?",
        choices = {
          { "MOVED: the epoch is old.", belief = "an old epoch means the wrong shard",
            why = "The epoch is old, and yet S2 is the right shard. To send R5 away would gain nothing.",
            holds = function(w) return last.asks > 1 end },
          { "It serves, and says reload.",
            holds = function(w) return last.asks == 1 and w.R5.version == w:map_version() end },
          { "It serves, and that is all.", belief = "the right shard has nothing to tell",
            why = "It sees that R5 missed something, and R5 may be wrong about other slots. So it says so.",
            holds = function(w) return last.asks == 1 and w.R5.version < w:map_version() end },
          { "Retry later.", belief = "an old router must wait",
            why = "Waiting does not renew a map.",
            holds = function(w) return last.retries > 0 end },
        },
        why = "The row says owned, so S2 serves. The epoch that came along is older than the row's, so it adds reload.",
        hints = { "Does S2 own the slot?", "So it serves. What does the epoch tell it?", "R5's map is old. It serves, and says so." } },
      run = function(w)
        if w.R5.version == w:map_version() then there_and_back(w, "R5") end
        w:send("read", P9, "R5")
        w:play_answered()
        w:play_for(0.01)
      end,
      after = [[
        {word(last.asks)} shard was asked, no extra hop. R5 fetched the map beside it: v{R5.version}.]] },

    { id = "yourself", title = "Make a map old", show = { "trace", "maps" }, key = P9, router = "R4",
      actions = { "stale", "move", "route", "reload" },
      enter = put_right,
      say = [[
        Now you. These keys act on R4: e makes it deaf to news (press e again, and it hears), m moves the slot to the
        shard that you type, as in S1, r sends a request.]],
      try = { ask = "Make one request take an extra hop.",
        goal = function(w) return last.done and last.asks == 2 end,
        solution = { "deaf R4 on", "move 12067-12067 S1", "move 12067-12067 S0", "request read post:{p9} via R4" },
        hints = { "First R4 must be deaf: e.", "Then the slot must change hands: m.",
                  "Then ask for `post:{p9}` through R4: r." } },
      notes = "Some make the slot move first. Then R4 has heard of it, and there is no extra hop. Ask them why." },

    { id = "not-now", title = "Not now", show = { "trace", "maps" }, key = P9, router = "R0",
      enter = function(w)
        bring_home(w, P9, "S2")
        put_right(w)
      end,
      say = [=[
        A move copies a slot for a minute, and its owner serves it meanwhile. Just before the end its row says
        [[migrating]]: for that moment nobody serves it.

        Who asks then is told "retry". The router waits 10 ms and asks again, then 20, then 40: [[back-off]].

        {w:owner("post:{p9}")} keeps slot {w:slot("post:{p9}")} so for {HELD} ms. At the start of that a phone asks R0.]=],
      with = { HELD = HELD_MS },
      predict = { id = "p1-back-off", kind = "number",
        ask = "How often does R0 ask, in all?",
        answer = function(w) return last.asks end,
        wrong = { [6] = { belief = "all waits are equal",
                    why = "With 10 ms each time it would be so. Each wait is twice the last, so fewer are needed." },
                  [5] = { belief = "a wait counts from the start",
                    why = "Each wait begins when the last answer came. They add up: 10, then 30, then 70 ms after the first try." },
                  [3] = { belief = "the try that works is no try",
                    why = "Three are told retry. The one that is served is an ask as well." },
                  [2] = { belief = "a router waits until it is over",
                    why = "R0 does not know how long it takes. It waits 10 ms, and that was too short." },
                  [1] = { belief = "a shard keeps what it cannot serve",
                    why = "A shard keeps no list of who asked. It answers \"retry\" at once, and forgets." } },
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
      after = [=[
        {last.retries} times "retry", then {last.outcome}, {last.ms} ms after the phone asked. Real routers add a little chance to each wait,
        [[jitter]], or all would come back at one instant.]=],
      notes = "Ask what ten thousand routers would do to a shard that is busy, if each tried again at once. In Redis Cluster a slot that is migrating still serves the keys that have not left." },

    { id = "no-directory", title = "The directory is down", show = { "maps", "trace:R5" }, key = P9, router = "R5", actions = { "move" },
      enter = function(w)
        make_stale(w, "R5")
        directory_dies(w)
      end,
      say = [[
        The directory's machine has died: it answers nobody. Each router still has its copy of the map. Five have the newest;
        R5 missed the last change, and has {w:says("R5", "post:{p9}")} for slot {w:slot("post:{p9}")}. The owner is {w:owner("post:{p9}")}. Told MOVED, our
        routers fetch the map first.

        {w:routers()} phones ask for `post:{p9}`, one at each router.]],
      predict = { id = "p1-no-directory", kind = "number",
        ask = "How many of the {w:routers()} phones get the post?",
        answer = function(w) return (answered(w, w:routers())) end,
        wrong = function(w)
          return { [0] = { belief = "without the directory nothing works",
                     why = "Five of them had to ask it nothing. Their copies are enough." },
                   [w:routers()] = { belief = "MOVED carries the data",
                     why = "R5 is told MOVED, and does not go to the shard that it names: it asks for the map. Nobody answers." },
                   [1] = { belief = "copies run out",
                     why = "A copy does not wear off. It is old when the plan has changed, not before." } }
        end,
        why = "The directory is not on the way of a request, until a map turns out to be old.",
        hints = { "Which of the routers has to ask the directory?", "R5 asks {w:says(\"R5\", \"post:{p9}\")}, and is told MOVED.",
                  "R5's phone waits. The others need no directory." } },
      run = function(w)
        if w:says("R5", P9) == w:owner(P9) then make_stale(w, "R5") end
        directory_dies(w)
        for _, name in ipairs(router_names(w)) do w:send("read", P9, name) end
        w:play_for(0.1)
      end,
      after = [[
        {answered(w, w:routers())} of {w:routers()}. R5's phone waits until the directory is back. And change stands still: no slot can be given away. Try it: m.]],
      notes = "The directory is a few machines in practice, since changes must not wait for long either (Part 10)." },

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
          { "The fan sees OK, and the like is lost.",
            holds = function(w) return last.outcome == "OK" and last.shard ~= w:owner(LIKES) end },
          { "It is counted. The old shard passes it on.", belief = "shards forward",
            why = "A shard does not forward. It answers, or it says MOVED, and the rule that makes it say so is off.",
            holds = function(w) return last.outcome == "OK" and last.shard == w:owner(LIKES) end },
          { "The fan sees an error and tries again.", belief = "a mistake shows itself",
            why = "Nobody noticed anything. The shard did what it was asked and said OK.",
            holds = function(w) return last.outcome ~= "OK" end },
        },
        why = "The old owner wrote it where only R5's readers look, and that copy will be deleted.",
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
        The fan was told {last.outcome}. Who reads through R5 sees {beside(w)}, who reads through R0 sees {w:value("likes:{p9}")}: two truths, a *split brain*.
        Likes acknowledged: {w:acked("likes:{p9}")}; at the owner: {w:value("likes:{p9}")}. No alarm went off.]] },

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
        Somebody asks you in an interview: "The directory, a router's copy of its map, a shard's slot table: three places say who
        owns a slot. They cannot all change at one instant."]],
      predict = { id = "p1-what-may-be-wrong", kind = "choice",
        ask = "\"Which may be old for a while, and no like is lost?\"",
        choices = {
          { "The old owner's table, if most routers have the new map.", belief = "the map protects the data",
            why = "One router has not heard, asks the old owner, and is served. You saw R5 do it.",
            holds = function(w) return not loses(w, false) end },
          { "A router's copy, if shards check their tables.",
            holds = function(w) return not loses(w, true) end },
          { "None. All must change together.", belief = "everything must agree at once",
            why = "You saw R5 with an old map, and it cost one extra hop and nothing more.",
            holds = function(w) return loses(w, true) end },
        },
        why = "A router may be wrong, as long as the shard that it asks knows better.",
        hints = { "Which of the three did you make old, with the rule on?", "What did it cost?",
                  "And with the rule off?" } },
      after = [[
        Who holds the data has the last word about who may write it.]],
      notes = "A fourth place for the discussion: a directory that is restored from last week's backup. Its epochs are lower than those in the slot tables." },

    { id = "tell", title = "Tell a colleague", show = { "maps" },
      say = [[
        In your words:]],
      predict = { id = "p1-tell", kind = "explain",
        ask = "How does a read of p9 find its shard? And if the map is old?",
        model = "The tag p9 gives slot {w:slot(\"post:{p9}\")}, the map its shard. If that gave it away, it says MOVED: fetch the map, ask again.",
        rubric = { "tag to slot, a hash", "slot to shard, a map", "MOVED, a new map" },
        hints = { "Begin with the key." } },
      after = [[
        From here on it goes deeper.]],
      notes = "In a group: one tells, the others tick the three points." },

    { id = "next-door", title = "Next door", deeper = true, show = { "slot_map:*", "trace:R0" }, key = P9,
      enter = function(w)
        bring_home(w, P9, "S2")
        bring_home(w, "post:{p8}", "S3")
        bring_home(w, "post:{p10}", "S1")
        put_right(w)
      end,
      say = [[
        p8 was posted just before p9, and p10 just after. p9 is in slot {w:slot("post:{p9}")}, on {w:owner("post:{p9}")}.]],
      predict = { id = "p1-neighbour", kind = "choice",
        ask = "Where are p8 and p10?",
        choices = {
          { "Each on another shard, and not beside p9.",
            holds = function(w)
              return w:owner("post:{p8}") ~= w:owner(P9) and w:owner("post:{p10}") ~= w:owner(P9)
                and w:owner("post:{p8}") ~= w:owner("post:{p10}") and w:owner("post:{p8}") ~= "S1"
            end },
          { "On S2, next to it.", belief = "neighbours in name are neighbours in place",
            why = "The slot comes from a remainder of CRC16, and that does not keep the order of names.",
            holds = function(w) return w:owner("post:{p8}") == w:owner(P9) and w:owner("post:{p10}") == w:owner(P9) end },
          { "p8 on S1 and p10 on S3, in turn.", belief = "keys are dealt in turn",
            why = "Nobody deals keys out. Each key's own bytes decide.",
            holds = function(w) return w:owner("post:{p8}") == "S1" and w:owner("post:{p10}") == "S3" end },
        },
        why = "One other byte, another slot, and here another shard.",
        hints = { "Does CRC16 keep the order of names?", "Each slot comes from its own bytes.",
                  "All three are apart." } },
      run = function(w)
        bring_home(w, P9, "S2")
        bring_home(w, "post:{p8}", "S3")
        bring_home(w, "post:{p10}", "S1")
        put_right(w)
        w:send("read", "post:{p8}", "R0")
        w:play_answered()
        w:send("read", "post:{p10}", "R0")
        w:play_answered()
      end,
      after = [[
        p8: slot {w:slot("post:{p8}")}, on {w:owner("post:{p8}")}. p10: slot {w:slot("post:{p10}")}, on {w:owner("post:{p10}")}. Was that luck?]] },

    { id = "not-random", title = "Not by chance", deeper = true, show = { "table" },
      table = function()
        local function row(hash)
          return { label = hash, cells = function() return { parted(hash) } end }
        end
        return { title = "Words whose four keys are on four shards", columns = { "hash", "of " .. WORDS_TRIED }, numbers = { 2 },
          rows = { row("crc16"), row("mix64") } }
      end,
      with = { TRIED = WORDS_TRIED, DRAWN = WORDS_TRIED * 24 // 256 },
      say = [[
        Take a word, write 0, 1, 2 and 3 behind it, and look where these four keys are. By lot, all four would be on different
        shards for some {DRAWN} of {TRIED} words.

        CRC16 was made to find errors in what is sent, not to scatter. The hash mix64 was.]],
      predict = { id = "p1-not-random", kind = "number",
        ask = "And by CRC16: for how many of {TRIED}?",
        answer = function() return parted("crc16") end,
        wrong = { [WORDS_TRIED * 24 // 256] = { belief = "every hash is a lottery",
                    why = "mix64 comes to that. CRC16 does not draw: the same change of a byte changes the slot by the same pattern." },
                  [0] = { belief = "neighbours in name are neighbours in place",
                    why = "They are never together: the last digit reaches the first bits of the slot, and those choose the shard." } },
        why = "A last digit that changes in one way changes the slot in one way, whatever stands before it.",
        hints = { "Is CRC16 a lottery?", "From 0 to 1 the slot changes by one fixed pattern of bits. So it does for any word.",
                  "All of them." } },
      after = [[
        {parted("crc16")} of {TRIED}, and {parted("mix64")} by mix64. p8 and p9 differ by the bits of {w:slot("post:{p8}") ~ w:slot("post:{p9}")}, as p0 and p1 do.
        Names that count up part well. That is not luck, and it is no measure of what a hash does to other names.]],
      notes = "{w:slot(\"post:{p8}\") ~ w:slot(\"post:{p9}\")} is 0x1021, the polynomial itself: CRC is linear. Bits 12 and 13 of a slot choose the shard while the runs are equal." },

    { id = "odd-braces", title = "Odd braces", deeper = true, show = { "crc16" }, key = "post:{p9}", actions = { "key" },
      say = [=[
        The rule once more: from the first `{` of the key to the first `}` behind it, if anything is between. Otherwise the whole key
        is hashed.

        Someone wrote `post:{{p9}}`.]=],
      predict = { id = "p1-odd-braces", kind = "text",
        ask = "What of that key is hashed? Type just that.",
        answer = function(w) return w:tag("post:{{p9}}") end,
        wrong = { ["p9"] = { belief = "braces nest", why = "Braces do not nest. The first `{` opens, and what follows it is in the tag: a brace, too." },
                  ["{p9}"] = { belief = "the last brace closes", why = "It ends at the first `}`, not at the last." },
                  ["post:{{p9}}"] = { belief = "what is odd has no tag", why = "Between the first `{` and the first `}` there is something, so that is the tag." } },
        why = "From the first `{` to the first `}` behind it.",
        hints = { "Where is the first `{`?", "Where is the first `}` behind it?", "A brace and p9 are between." } },
      after = [=[
        Slot {w:slot("post:{{p9}}")}. Two more: in `post:{p9` nothing closes the brace, so all of it is hashed, slot {w:slot("post:{p9")}. In `post}{p9}` a brace
        that closes nothing counts for nothing: slot {w:slot("post}{p9}")}, p9's.]=] },

    { id = "two-open", title = "A longer key", deeper = true, show = { "trace:likes:{p7}:today" }, key = P9, router = "R0", enter = put_right,
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
      run = function(w)
        w:send("read", "likes:{p7}:today", "R0")
        w:play_answered()
      end,
      after = [[
        Slot {w:slot("likes:{p7}:today")}, beside everything else of p7, and so {last.shard} was asked.]] },

    { id = "alone", title = "An empty pair", deeper = true, show = { "crc16" }, key = P9, actions = { "key" },
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

    { id = "two-tags", title = "One command, two keys", deeper = true, show = { "slot_map:*", "trace:R0" }, key = P9,
      enter = function(w)
        bring_home(w, P9, "S2")
        bring_home(w, "post:{p5}", "S2")
        put_right(w)
      end,
      say = [=[
        Redis Cluster takes a command over several keys only if all are in one slot. Otherwise it refuses: `CROSSSLOT`.

        S2 has p9 and p5.]=],
      predict = { id = "p1-two-tags", kind = "several",
        ask = "Which pairs does it take?",
        choices = {
          { "`post:{p9}`, `post:{p5}`", belief = "the same shard is enough",
            why = "`post:{p9}` and `post:{p5}` are on one shard today. Either slot may move tomorrow, so the rule asks for one slot.",
            holds = function(w) return w:slot(P9) == w:slot("post:{p5}") end },
          { "`post:{p9}`, `likes:{p9}`", why = "`post:{p9}` and `likes:{p9}` have one tag, and so one slot.",
            holds = function(w) return w:slot(P9) == w:slot(LIKES) end },
          { "`post:{p9}`, `post:p9`", belief = "a name is enough",
            why = "`post:p9` has no tag: all of it is hashed.",
            holds = function(w) return w:slot(P9) == w:slot("post:p9") end },
          { "`{p9}:{p5}`, `likes:{p9}`", why = "In `{p9}:{p5}` the first pair decides.",
            holds = function(w) return w:slot("{p9}:{p5}") == w:slot(LIKES) end },
        },
        why = "One tag, one slot. That is what tags are for.",
        hints = { "What is hashed of each key?", "Same tag, same slot.", "Two of the four pairs." } },
      run = function(w)
        put_right(w)
        w:send("read", P9, "R0")
        w:send("read", "post:{p10}", "R0")
        w:play_answered()
      end,
      after = [=[
        A request of our engine has one key. To read p9 and p10 it sends two, as you see: two shards, two answers, and nobody
        promises that they are of one moment.]=] },

    { id = "how-many", title = "How many", deeper = true, show = { "trace", "maps" }, key = LIKES, router = "R5",
      breaks = "slot-table-check",
      enter = function(w)
        make_stale(w, "R5")
        w:set_rule("slot-table-check", false)
        w:send("like", LIKES, "R5")
        w:play_answered()
      end,
      say = [[
        The rule is off once more, R5 is behind, and somebody liked p9 through it. No shard says MOVED, so R5 does not learn.
        {word(w:lost("likes:{p9}"))} {w:lost("likes:{p9}") == 1 and "like is" or "likes are"} lost so far.

        Two more arrive through R5, and three through R0, which has the new map.]],
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
        hints = { "Which router asks the wrong shard?", "R5, each time.", "{w:lost(\"likes:{p9}\")} before, two now." } },
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

    { id = "how-long", title = "How long is it safe?", deeper = true, show = { "maps", "trace" }, key = P9, router = "R3",
      enter = function(w)
        put_right(w)
        directory_dies(w)
        w:play_for(600)
      end,
      say = [[
        The directory has been down for ten minutes. The copies in the routers are as old as that, or older.]],
      predict = { id = "p1-how-long", kind = "choice", confidence = true,
        ask = "How much longer may R3 go on with its copy?",
        choices = {
          { "As long as it takes.", holds = function(w) return still_good(w, 86400) end },
          { "It should have stopped by now.", belief = "a copy wears off",
            why = "No slot changed hands meanwhile: a change begins in the directory, and that is down. The copy is as true as ever.",
            holds = function(w) return not still_good(w, 0) end },
          { "An hour or so.", belief = "a copy wears off",
            why = "Time alone makes no map wrong. Tried on a copy, a day later: one shard is asked, and it answers OK.",
            holds = function(w) return still_good(w, 0) and not still_good(w, 86400) end },
        },
        why = "No directory, no change of owner. The copy stays as true as it was.",
        hints = { "What makes a copy wrong?", "Where does a change of owner begin?",
                  "In the directory, and it is down." } },
      run = function(w)
        w:send("read", P9, "R3")
        w:play_answered()
      end,
      after = [[
        {how_it_went()} It holds here because each change goes through the old owner. A shard that is thought dead is replaced
        without it: then a lease or a quorum has to stop it (Part 10).]] },

    { id = "old-and-alone", title = "Old, and alone", deeper = true, show = { "trace" }, key = P9, router = "R5",
      enter = function(w)
        make_stale(w, "R5")
        directory_dies(w)
      end,
      say = [[
        The worst case: R5 was deaf when slot {w:slot("post:{p9}")} went to {w:owner("post:{p9}")}, and the directory is down, for {AWAY // 1000} seconds. A phone
        asks R5.]],
      with = { AWAY = AWAY_MS },
      predict = { id = "p1-old-and-alone", kind = "choice",
        ask = "By our routers' rule, what does the phone see?",
        choices = {
          { "The post, from the old owner.", belief = "better an old answer than none",
            why = "The old owner looks into its table, as always. It does not serve what it gave away.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 end },
          { "An error.", belief = "who cannot fetch the map gives up",
            why = "R5 has the request in its hands, and waits for the map.",
            holds = function(w) return last.outcome ~= "OK" end },
          { "The post at once: MOVED names the new owner.", belief = "every router follows MOVED",
            why = "Clients of Redis Cluster do just that, and fetch the map meanwhile. Our routers fetch first: simpler, and here is its price.",
            holds = function(w) return last.outcome == "OK" and last.asks > 1 and last.ms < AWAY_MS end },
          { "The post, when the directory is back.",
            holds = function(w) return last.outcome == "OK" and last.asks > 1 and last.ms >= AWAY_MS end },
        },
        why = "MOVED makes R5 fetch the map, and nobody answers until the directory is back.",
        hints = { "Whom does R5 ask first, and what is it told?", "After MOVED it fetches the map before it goes on.",
                  "From a directory that is down." } },
      run = function(w)
        if w:says("R5", P9) == w:owner(P9) then make_stale(w, "R5") end
        directory_dies(w)
        w:send("read", P9, "R5")
        w:play_for(AWAY_MS / 1000)
        w:command("directory on")
        w:play_answered()
      end,
      after = [[
        {last.ms} ms. A router that goes on to the owner named in MOVED has the post after {followed(w)} ms. It must fetch the map all
        the same, or each request pays the extra hop.]] },

    { id = "who-tells", title = "Nobody tells them", deeper = true, show = { "maps", "trace" }, key = P9, router = "R0",
      enter = function(w)
        put_right(w)
        for _, name in ipairs(router_names(w)) do w:deaf(name, true) end
        w:move(w:slot(P9), w:slot(P9), other(w))
        w:play_for(1)
      end,
      say = [=[
        A router may learn only from MOVED, and nobody tells it anything: it works by *redirects*. Slot {w:slot("post:{p9}")} was given to
        {w:owner("post:{p9}")}, and all {w:routers()} routers missed it.

        Now ten phones a router ask for p9, one after another: {10 * w:routers()} requests.]=],
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
      after = [=[
        {moved_replies(w, 10 * w:routers())} extra hops, and {fetched_maps(w, 10 * w:routers())} maps fetched. Then the map is wherever it is needed.]=] },

    { id = "watched", title = "All are told", deeper = true, show = { "trace:directory", "maps" }, key = P9, router = "R0",
      enter = put_right,
      say = [=[
        Or routers [[watch]] a central store, like ZooKeeper or etcd: it tells all who listen of each change. Our directory does
        so, and {w:routers()} routers listen.

        It is night. {CHANGES} slots change hands, one after another, and nobody asks for them.]=],
      with = { CHANGES = CHANGES },
      predict = { id = "p1-watched", kind = "number",
        ask = "How many messages does the directory send?",
        answer = function(w) return news_heard(w) end,
        wrong = function(w)
          return { [CHANGES] = { belief = "one message reaches all", why = "One for each change, and to each router." },
                   [0] = { belief = "routers learn when they need to", why = "That is the way of redirects. Who watches is told at once, needed or not." },
                   [w:routers()] = { belief = "only the last map counts", why = "Nobody knows which change is the last. Each is sent." } }
        end,
        why = "Every change, to every router.",
        hints = { "Who is told of one change?", "All {w:routers()}. And of the next?", "{CHANGES} times {w:routers()}." } },
      run = function(w)
        put_right(w)
        for i = 1, CHANGES do
          w:move(NIGHT + i, NIGHT + i, w:owner(NIGHT + i) == "S0" and "S1" or "S0")
          w:play_for(0.01)
        end
      end,
      after = [=[
        {news_heard(w)} messages for {CHANGES} changes, and no request will pay an extra hop. Redirects cost only what is used. Most systems
        do both: news, and MOVED for those who missed it.]=] },

    { id = "gossip", title = "One tells another", deeper = true, show = { "trace", "fleet" }, key = P9, router = "R0",
      enter = function(w)
        put_right(w)
        w:command("gossip 1000 from R0")
        w:play_for(0.3)
      end,
      say = [=[
        With *gossip* routers tell each other: once a second each tells one other, drawn at random, which map it has. Whoever has the
        older one takes the newer, be it the teller.

        The directory tells R0 alone. p9's slot moves; {w:routers()} are to hear.]=],
      predict = { id = "p1-gossip", kind = "choice",
        ask = "How many rounds until all know?",
        choices = {
          { "{w:routers() - 1}: one learns in each.", belief = "one router spreads the news",
            why = "Whoever has heard tells others as well. Those who tell are more in each round.",
            holds = function(w) return w:fleet().rounds >= w:routers() - 1 end },
          { "Fewer: more and more tell.",
            holds = function(w) local f = w:fleet() return f.knowing == f.routers and f.rounds < f.routers - 1 end },
          { "Chance may leave one out.", belief = "who is not drawn never hears",
            why = "It tells others, too. Whoever has a newer map answers with it, so it need not even be drawn.",
            holds = function(w) return w:fleet().knowing < w:routers() end },
        },
        why = "Each round has more who tell, and who is told of an older map answers with the newer.",
        hints = { "After R0 has told somebody, how many know?", "In the next round both of them tell.",
                  "And a router that does not know tells R0 of its old map." } },
      run = function(w)
        w:move(w:slot(P9), w:slot(P9), other(w))
        for _ = 1, 300 do
          if w:fleet().knowing == w:routers() then break end
          w:play_for(0.1)
        end
      end,
      after = [=[
        Rounds: {w:fleet().rounds}. So many knew at the end of each: {gossip_grows(w:fleet().by_round)}. The directory sent one message. Until a router
        knows, an old map costs it what it always costs: MOVED, and an extra hop.]=] },

    { id = "gossip-many", title = "And six hundred?", deeper = true, show = { "table" }, enter = put_right,
      say = [[
        The nodes of Redis Cluster and of Cassandra gossip. Fleets grow, so let us try larger ones, each {TRIES} times, by chance.

        You saw one try with {w:routers()} routers. On average they need {gossip_rounds(w, w:routers())} rounds until all of them know.]],
      with = { TRIES = TRIES },
      table = function(w)
        local function row(routers)
          return { label = tostring(routers),
                   cells = { "{gossip_rounds(w, " .. routers .. ")}", "{gossip_told(w, " .. routers .. ")}" } }
        end
        return { title = "Until all know", columns = { "routers", "rounds", "messages" }, numbers = { 2, 3 },
          rows = { row(w:routers()), row(10 * w:routers()), row(100 * w:routers()) } }
      end,
      predict = { id = "p1-gossip-many", kind = "choice",
        ask = "How many rounds do {100 * w:routers()} need?",
        choices = {
          { "A hundred times as many.", belief = "time grows with the fleet",
            why = "Those who tell grow along with those who have to hear.",
            holds = function(w) return gossip_rounds(w, 100 * w:routers()) >= 20 * gossip_rounds(w, w:routers()) end },
          { "A few times as many.",
            holds = function(w)
              local ratio = gossip_rounds(w, 100 * w:routers()) / gossip_rounds(w, w:routers())
              return ratio >= 1.5 and ratio < 20
            end },
          { "Just as many.", belief = "all routers hear at once",
            why = "In one round a router tells one other. From one who knows to all takes several rounds.",
            holds = function(w) return gossip_rounds(w, 100 * w:routers()) < 1.5 * gossip_rounds(w, w:routers()) end },
        },
        why = "Those who know grow by a factor in each round. Ten times the routers are a few more rounds.",
        hints = { "By what does the number of those who know grow in a round?", "It doubles, or more.",
                  "How often must you double to come from {w:routers()} to {100 * w:routers()}?" } },
      after = [[
        {gossip_rounds(w, 100 * w:routers())}. In one try so many knew after each round: {gossip_grows(gossip_by_round(w, 100 * w:routers()))}. The last rounds are for
        the few whom chance left out. Messages are the price: each router sends one a second, news or not.]] },

    { id = "three-ways", title = "Three places for a map", deeper = true, show = { "trace:R1", "table" }, key = P9,
      say = [=[
        A [[library]] in each client has the map and asks the shard. Or a [[proxy tier]] does: our routers. Or [[any node]]: a
        client asks any shard, that one the owner.

        The engine has only routers. The table counts their arrows, less those within one program or machine.]=],
      table = function(w)
        local function row(way, at)
          return { label = way, run = ask_one, cells = function() return { messages_of(w, way, true), messages_of(w, way), at } end }
        end
        return { title = "A read of p9, there and back", columns = { "by way of", "old map", "new map", "maps" }, numbers = { 2, 3 },
          rows = { row("library", "a client"), row("proxy tier", "{w:routers()}"), row("any node", "{w:shards()}") } }
      end,
      predict = { id = "p1-any-node", kind = "number", tolerance = 0.01,
        ask = "Any node of our four, new map: how many messages a read, on average?",
        answer = function(w) return messages_by_any(w) end,
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
        {messages_by_any(w)}; with a hundred shards nearly {messages_of(w, "any node")}, as through a proxy tier. An old map costs MOVED, a fetch, and one more ask, whoever
        holds it. Open a row: its trace shows both reads.]] },

    { id = "which-way", title = "What each way costs", deeper = true, show = { "table" },
      say = [[
        Redis Cluster has libraries, MongoDB and Vitess proxies; CockroachDB takes a request at any node.

        Your callers: 200 servers, updated every day. Half a millisecond counts.]],
      table = function()
        return { title = "A read, and who keeps the code", columns = { "way", "messages", "whose code" }, numbers = { 2 },
          rows = { { label = "library", cells = { "{messages_of(w, 'library')}", "callers'" } },
                   { label = "proxy tier", cells = { "{messages_of(w, 'proxy tier')}", "the store's" } },
                   { label = "any node", cells = { "{messages_by_any(w)}", "the store's" } } } }
      end,
      predict = { id = "p1-which-way", kind = "choice",
        ask = "Which way fits them?",
        choices = {
          { "A proxy tier.", belief = "a map belongs to routers",
            why = "It costs them two messages a request, and what it would spare them, old code in many hands, they do not have.",
            holds = function(w) return messages_of(w, "proxy tier") < messages_of(w, "library") end },
          { "Any node: no maps.", belief = "any node needs no map",
            why = "Each node needs it, to pass on what is not its own; and most requests are passed on.",
            holds = function(w) return messages_by_any(w) < messages_of(w, "library") end },
          { "A library in each server.",
            holds = function(w)
              return messages_of(w, "library") < messages_of(w, "proxy tier") and messages_of(w, "library") < messages_by_any(w)
            end },
        },
        why = "The fewest messages, and the code beside the map can be replaced within a day.",
        hints = { "Which way has the fewest messages?", "Who would have to update the code beside the map?",
                  "They do so every day." } },
      after = [[
        For a million phones, some not updated for years, it is the other way round. Ways are mixed as well: any node of Cassandra
        takes a request, yet its drivers mostly know the right one. This course keeps a proxy tier: R0 to R{w:routers() - 1}.]] },

    { id = "ids", title = "An id that says where", deeper = true, show = { "table" },
      table = function()
        return { title = "The parts of the id", columns = { "part", "bits", "number" }, numbers = { 2, 3 },
          rows = { { label = "time", cells = { "41", "{ID >> 23}" } }, { label = "logical shard", cells = { "13", "{ID >> 10 & (1 << 13) - 1}" } },
                   { label = "sequence", cells = { "10", "{ID & (1 << 10) - 1}" } } } }
      end,
      say = [=[
        Instagram's ids have 64 bits: 41 of time, 13 of a [[logical shard]] (a part of the data; a machine has many), 10 of a sequence.
        One is {ID}.

        Its last 23 bits, as a number, are {ID & (1 << 23) - 1}. Divide by 1,024 and drop the rest, the sequence.]=],
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
        No hash: the place is in the id. 41 bits of milliseconds last {(1 << 41) // (1000 * 86400 * 365)} years, half of that where the number has a
        sign. Each logical shard can make {1 << 10} ids in every millisecond.]] },

    { id = "ids-grow", title = "And when machines join?", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i = 0, 4 do
          rows[i + 1] = { label = "machine " .. i, cells = function() return { i < 4 and FOUR:slots_of(i) or 0, FIVE:slots_of(i) } end }
        end
        return { title = "Logical shards on each machine", columns = { "", "of four", "of five" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        13 bits make {1 << 13} logical shards, and they stay for ever. Now they live on 4 machines, {(1 << 13) // 4} on each. A fifth joins.]],
      predict = { id = "p1-ids-grow", kind = "choice",
        ask = "What becomes of the ids of photos that move?",
        choices = {
          { "They are written anew.", belief = "the id names a machine",
            why = "It names a logical shard, and a photo stays in that one. What moves is the whole logical shard.",
            holds = function() return FIVE:slots_of(4) == 0 end },
          { "They stay. A small map says which machine has the logical shard.",
            holds = function() return rehoused() > 0 and FIVE:slots_of(4) > 0 end },
          { "Nothing moves: the place is in the id.", belief = "a place in the id is a place for ever",
            why = "The logical shard is for ever. Its machine may change, or the fifth would stay empty.",
            holds = function() return rehoused() == 0 end },
        },
        why = "Key to slot by a rule that never changes, slot to machine by a map that may: the same two steps as before.",
        hints = { "What does the id name?", "Do logical shards change when a machine joins?",
                  "No, but where they live does." } },
      after = [[
        {FIVE:slots_of(4)} logical shards move, and with them {rehoused()} of a thousand photos, ids and all. The price of such an id: what is in one
        logical shard stays together, whatever it weighs.]],
      with = { FIVE = FIVE } },

    { id = "read-it", title = "On a terminal", deeper = true, show = { "crc16" }, key = P9, actions = { "key" },
      say = [=[
        MGET reads several keys.
        {=session(w)}]=],
      with = { session = session_lines },
      predict = { id = "p1-read-it", kind = "number",
        ask = "In which line would neither a new map nor time help?",
        answer = function(w)
          for i, line in ipairs(SESSION) do
            if not one_slot(w, line.keys) then return i end
          end
        end,
        wrong = { [1] = { belief = "every redirect is a fault of the key", why = "MOVED is news about a slot. With the newest map the client would have asked the right shard." },
                  [2] = { belief = "several keys are never allowed", why = "Line 2 was answered: its keys have one tag." },
                  [4] = { belief = "try again means never", why = "A slot is on its way, and some of the keys have left already. In a moment they are together again." } },
        why = "Its keys are in two slots. No map can change that, only other names.",
        hints = { "Which answers are errors?", "What is hashed of each key?", "One key there has no braces." } },
      after = [[
        Line 1: an old map, and the client goes on by itself. Line 3: `post:p9` needs braces. Line 4: later.]] },

    { id = "why-check", title = "One more question", deeper = true, show = { "maps" },
      say = [[
        An interviewer looks at your drawing of this part.]],
      predict = { id = "p1-why-check", kind = "explain",
        ask = "\"Your routers have the map. Why does each shard check again?\"",
        model = "Some router is the last to hear. The old owner would take its writes where nobody else looks: acknowledged, and lost.",
        rubric = { "a router's map may be old", "what would be lost", "the price: one hop" } } },

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
      enter = function(w)
        put_right(w)
        w:deaf("R5", true)
        w:move(w:slot(P9), w:slot(P9), "S3")
        w:move(w:slot(P9), w:slot(P9), "S0")
        w:play_for(1)
      end,
      say = [[
        Slot {w:slot("post:{p9}")} went from {w:says("R5", "post:{p9}")} to S3, and on to {w:owner("post:{p9}")}. R5 missed both, and is asked for p9 twice, one after the
        other.]],
      predict = { id = "p1-check-old-map", kind = "number",
        ask = "How many times does R5 ask a shard, in both together?",
        answer = function(w) return w:request(last.number - 1).asks + last.asks end,
        wrong = { [4] = { belief = "MOVED leads from owner to owner", why = "After MOVED it fetches the newest map, and that names the last owner." },
                  [6] = { belief = "an old router stays old", why = "MOVED makes it fetch the map. The second request goes straight." },
                  [2] = { belief = "a router knows that its map is old", why = "It learns that from MOVED, and that is one ask more." } },
        why = "Two for the first, which learns of the moves, and one for the second." },
      run = function(w)
        for _ = 1, 2 do
          w:send("read", P9, "R5")
          w:play_answered()
        end
      end },

    { id = "check-truth", title = "Check: without looking", check = true, show = { "maps" }, key = LIKES, router = "R1",
      enter = function(w)
        make_stale(w, "R1")
        w:set_rule("slot-table-check", false)
      end,
      say = [[
        Shards no longer look into their slot tables. Of {w:routers()} routers R1 alone has an old map. Two likes for p9 come through each.]],
      predict = { id = "p1-check-truth", kind = "number",
        ask = "How many of them are lost?",
        answer = function(w) return w:lost(LIKES) end,
        wrong = function(w)
          return { [0] = { belief = "the map protects the data", why = "R1 asks the old owner, and nobody stops the write." },
                   [1] = { belief = "it happens once", why = "Nobody tells R1, so it goes on." },
                   [2 * w:routers()] = { belief = "one bad router spoils all", why = "The others ask the owner." } }
        end,
        why = "Those that came through R1, acknowledged and all." },
      run = function(w)
        for i = 0, w:routers() - 1 do
          w:send("like", LIKES, "R" .. i)
          w:send("like", LIKES, "R" .. i)
        end
        w:play_answered()
      end },
  },
}
