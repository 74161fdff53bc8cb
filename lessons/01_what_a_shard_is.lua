-- Part 1, the core path: key, tag, slot, directory, owner; an old map and one extra hop; and what
-- happens when a shard stops looking into its own table.

local P9 = "post:{p9}"
local LIKES = "likes:{p9}"

-- The shard that the slot goes to next: S3, or S2 when S3 has it already.
local function other(w)
  if w:owner(P9) == "S3" then return "S2" end
  return "S3"
end

-- R5 holds an old map: it fetches once, stops listening, and then the slot changes hands.
local function make_stale(w, router)
  w:deaf(router, false)
  w:reload(router)
  w:play_for(1)
  w:deaf(router, true)
  w:move(w:slot(P9), w:slot(P9), other(w))
  w:play_for(1)
end

-- Tried on a copy: one like through a router with an old map, while shards check their tables or not.
local function loses(w, checked)
  local f = w:fork()
  f:set_rule("slot-table-check", checked)
  make_stale(f, "R1")
  local lost = f:lost(LIKES)
  f:send("like", LIKES, "R1")
  f:play_answered()
  return f:lost(LIKES) > lost
end

return lesson {
  id = "01_what_a_shard_is", part = 1, title = "What a shard is", minutes = 12,
  world = "story-quiet",

  steps = {
    { id = "one-of-four", title = "Asking for a post", show = { "trace" }, key = P9, router = "R0",
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
        w:send("read", P9, "R0")
        w:play_answered()
      end,
      after = [[
        R0 asked {last.shard} and nobody else. From the phone and back it took {last.ms} ms. The picture counts
        them from the first arrow; most went by at the shard.]],
      notes = "Let the group vote before the run. Ask those who said four what it would cost at a hundred shards." },

    { id = "to-a-number", title = "From key to number", show = { "crc16:post:{p9}" },
      say = [[
        R0 did not search. It computed. A fixed function, CRC16, turns bytes into a number. The same
        bytes give the same number on every machine, today and in a year.

        The picture feeds it `p9`, one byte after the other. The result is {w:crc16("p9")}. What is left
        when you divide that by 16,384 is the *slot* of the key. Slots are what the shards are given, as you
        will see.]],
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
          { "`likes:{p9}`", belief = "the whole key is hashed",
            why = "`likes:{p9}` has the tag p9 as well. What stands outside the braces does not count.",
            holds = function(w) return w:slot("likes:{p9}") == w:slot(P9) end },
          { "`likes:p9`", belief = "a name is enough",
            why = "`likes:p9` has no braces, so all of it is hashed.",
            holds = function(w) return w:slot("likes:p9") == w:slot(P9) end },
          { "`{p9}:title`", belief = "a tag must come last",
            why = "In `{p9}:title` the tag is p9. It may stand anywhere in the key.",
            holds = function(w) return w:slot("{p9}:title") == w:slot(P9) end },
          { "`post:{p10}`", belief = "neighbours in name are neighbours in place",
            why = "`post:{p10}` has another tag, and a hash sends it somewhere else.",
            holds = function(w) return w:slot("post:{p10}") == w:slot(P9) end },
          { "`a{p9}{p10}`", belief = "the last tag wins",
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
      say = [[
        There are 16,384 slots and {cluster.shards} shards. Each slot has exactly one *owner*. At first
        they were dealt out in equal runs: slots 0 to {S0.slots - 1} to S0, the next {S1.slots} to S1, then S2, then S3.

        Two steps, then. A function turns the key into a slot, and nobody can change that. A map says who
        owns the slot, and that can change.]],
      predict = { id = "p1-owner", kind = "choice",
        ask = "Which shard owns slot {w:slot(\"post:{p9}\")}?",
        choices = {
          { "S0", belief = "a slot tells nothing about its shard",
            why = "The run of S0 ends at slot {S0.slots - 1}.",
            holds = function(w) return w:owner(P9) == "S0" end },
          { "S1", belief = "runs are longer than they are",
            why = "The run of S1 ends at slot {S0.slots + S1.slots - 1}.",
            holds = function(w) return w:owner(P9) == "S1" end },
          { "S2", holds = function(w) return w:owner(P9) == "S2" end },
          { "S3", belief = "counting starts at one",
            why = "The first run belongs to S0, so the third run belongs to S2.",
            holds = function(w) return w:owner(P9) == "S3" end },
        },
        why = "Slots {4096 * 2} to {4096 * 3 - 1} belong to S2.",
        hints = { "Look for the mark on the map.", "Each run is {S0.slots} slots long.",
                  "{w:slot(\"post:{p9}\")} divided by {S0.slots} is a little under 3, and the runs are counted from 0." } },
      after = [[
        {w:owner("post:{p9}")}. Press Tab to go to the map: the arrows move on it, and + looks closer.]] },

    { id = "next-door", title = "Next door", show = { "slot_map", "trace:post:{p10}" },
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
        w:send("read", "post:{p10}", "R0")
        w:play_answered()
      end,
      after = [[
        p10 is in slot {w:slot("post:{p10}")}, on {w:owner("post:{p10}")}.]] },

    { id = "the-directory", title = "Who keeps the map", show = { "maps", "trace" }, key = P9, router = "R2",
      enter = function(w)
        w:move(100, 100, "S1")
        w:play_for(1)
      end,
      say = [[
        The map lives in the *directory*. Each change gives it a new *version*: slot 100 has just been given to another
        shard, so it is v{directory.version} now. Each slot has an *epoch* of its own, which goes up only when that slot changes
        hands: {w:epoch("post:{p9}")} for slot {w:slot("post:{p9}")}.

        Each router keeps a copy of the map. A phone asks R2 for `post:{p9}`.]],
      predict = { id = "p1-directory-asked", kind = "number",
        ask = "How many times is the directory asked?",
        answer = function(w) return last.reloads end,
        wrong = { [1] = { belief = "the directory is asked every time",
                    why = "It would be asked by every request of every user, and fall over first. A router trusts its copy." } },
        why = "The copy is enough. The directory is asked only when the copy proves old.",
        hints = { "What is the copy for?", "Watch for an arrow to the directory.", "There is none." } },
      run = function(w)
        w:send("read", P9, "R2")
        w:play_answered()
      end,
      after = [[
        R2 looked into its copy of v{R2.version} and went straight to {last.shard}.]] },

    { id = "the-truth", title = "The last word", show = { "maps", "trace" }, actions = { "route" },
      say = [[
        The directory is the plan. The truth is at the shard. Each shard has a *slot table*, one row for each slot that it
        owns or once owned, and it looks there before it answers anything.

        The trace is the picture with the arrows. Choose the answer of {last.shard} there and press i. It says why.]],
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
            holds = function(w) return last.outcome == "OK" and last.asks == 1 end },
          { "The old owner sends R5 on to the new one.",
            holds = function(w) return last.outcome == "OK" and last.asks == 2 end },
          { "R5 asks the directory first.", belief = "a router knows that its map is old",
            why = "From the inside, an old copy looks like a fresh one. Only a shard can tell R5.",
            holds = function(w) return last.outcome == "OK" and last.asks == 1 and last.reloads == 1 end },
        },
        why = "The reply is MOVED. R5 then fetches the map and asks the right shard.",
        hints = { "R5 does not know that its copy is old.", "So it asks {w:says(\"R5\", \"post:{p9}\")} first.",
                  "And that shard looks into its slot table." } },
      run = function(w)
        w:send("read", P9, "R5")
        w:play_answered()
      end,
      after = [[
        {last.asks} shards were asked: one extra hop. After MOVED, R5 fetched v{R5.version}.]] },

    { id = "and-then", title = "And then", show = { "maps", "trace" },
      say = [[
        Another phone asks R5 for the same post.]],
      predict = { id = "p1-then-none", kind = "number",
        ask = "How many shards are asked this time?",
        answer = function(w) return last.asks end,
        wrong = { [2] = { belief = "an old router stays old",
                    why = "MOVED made it fetch the map. What it learned, it keeps." } },
        why = "An old map costs one extra hop, once.",
        hints = { "What did R5 fetch?", "Compare its version with the directory's.", "They are the same." } },
      run = function(w)
        w:send("read", P9, "R5")
        w:play_answered()
      end,
      after = [[
        One. Nobody had to tell every router before the move. Each one finds out when it needs to.]] },

    { id = "yourself", title = "Do it yourself", show = { "maps", "trace" }, key = P9, router = "R4",
      actions = { "stale", "move", "route", "reload" },
      enter = function(w) w:deaf("R5", false) end,
      say = [[
        Make a router's map old and send a request through it. These keys act on R4: e makes it deaf to news, m moves the
        slot to another shard, r sends a request.]],
      try = { ask = "Make one request take an extra hop.",
        goal = function(w) return last.done and last.asks == 2 end,
        solution = { "deaf R4 on", "move 12067-12067 S1", "move 12067-12067 S0", "request read post:{p9} via R4" },
        hints = { "First R4 must be deaf: e.", "Then the slot must change hands: m.",
                  "Then ask for `post:{p9}` through R4: r." } },
      notes = "Some make the slot move first. Then R4 has heard of it, and there is no extra hop. Ask them why." },

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
            holds = function(w) return last.outcome == "OK" and w:lost(LIKES) == 0 end },
          { "The fan sees OK, and the like is lost.",
            holds = function(w) return last.outcome == "OK" and w:lost(LIKES) == 1 end },
        },
        why = "The old owner wrote it into a copy that nobody will ever read.",
        hints = { "Whom does R5 ask?", "That shard does not check. So it serves.", "Where do readers look for the count?" } },
      run = function(w)
        w:send("like", LIKES, "R5")
        w:play_answered()
      end,
      after = [[
        The fan was told OK. Likes acknowledged: {w:acked("likes:{p9}")}. Likes at the owner: {w:value("likes:{p9}")}. No error, no
        alarm.]] },

    { id = "how-many", title = "How many", show = { "maps", "trace" },
      say = [[
        R5 does not learn, because no shard says MOVED. Two more likes arrive through R5, and three through R0, which has
        the new map.]],
      predict = { id = "p1-lost-count", kind = "number",
        ask = "How many acknowledged likes are lost in all, with the first one?",
        answer = function(w) return w:lost(LIKES) end,
        wrong = { [6] = { belief = "one bad router spoils all",
                    why = "R0 asks the right shard. Its likes are safe." },
                  [1] = { belief = "it happens once",
                    why = "With the rule on, MOVED would have taught R5. With the rule off it goes on and on." },
                  [2] = { belief = "it happens once",
                    why = "Those are the new ones. The first like is gone as well." } },
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
        move.]] },
  },
}
