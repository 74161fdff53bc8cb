-- A small lesson with one of everything, for the tests of the player.

local KEY = "post:{p9}"
count = 0

return lesson {
  id = "10_good", part = 1, title = "A good lesson", minutes = 5, world = "story-quiet",
  steps = {
    { id = "hello", title = "Hello", show = { "trace", "crc16:post:{p9}" }, key = KEY, router = "R1",
      say = [[
        There are {cluster.shards} shards. `{p9}` stays, `{=w:slot("post:{p9}")}` does not,
        and {w:slot("post:{p9}")} is grouped. A lone { stays too.

          kept    as it is]],
      notes = "For the instructor." },

    { id = "ask-one", title = "One", show = { "trace" },
      say = "A router asks.",
      predict = { id = "q-one", kind = "choice",
        ask = "How many shards does R{1} ask?",
        choices = {
          { "Four.", belief = "a key has to be searched for", why = "It does not search among {w:shards()}.",
            holds = function(w) return last.asks == 4 end },
          { "One.", holds = function(w) return last.asks == 1 end },
        },
        why = "It knows slot {w:slot(\"post:{p9}\")}.",
        hints = { "First.", "Second.", "Third." } },
      run = function(w)
        w:send("read", KEY, "R1")
        w:play_answered()
        w:play_for(2)
      end,
      after = "It asked {last.shard}, you said {answer or \"nothing\"}." },

    { id = "ask-several", title = "Several", say = "Tags.",
      predict = { id = "q-several", kind = "several", ask = "Which?",
        choices = {
          { "`likes:{p9}`", why = "It has the tag.",
            holds = function(w) return w:slot("likes:{p9}") == w:slot(KEY) end },
          { "`likes:p9`", why = "It has no tag.", belief = "a name is enough",
            holds = function(w) return w:slot("likes:p9") == w:slot(KEY) end },
          { "`{p9}`", why = "It is the tag.", holds = function(w) return w:slot("{p9}") == w:slot(KEY) end },
        } } },

    { id = "ask-number", title = "Number", say = "Slots.",
      predict = { id = "q-number", kind = "number", unit = "%", tolerance = 2, ask = "How many?",
        answer = function(w) return 25 end,
        wrong = function(w) return { [75] = { belief = "the rest", why = "That is the rest." }, [50] = "Half." } end,
        why = "A quarter." } },

    { id = "ask-text", title = "Text", say = "Owner.",
      predict = { id = "q-text", kind = "text", ask = "Who?",
        answer = function(w) return w:owner(KEY) end, wrong = { s3 = "Counted from one." } } },

    { id = "act", title = "Act", say = "Do it.", actions = { "route", "break" }, breaks = "slot-table-check",
      router = "R2",
      try = { ask = "Send a like.", goal = function(w) return w:acked("likes:{p9}") >= 1 end,
        solution = { "request like likes:{p9} via R0" }, hints = { "One.", "Two." } } },

    { id = "open", title = "Open", say = "Open it.", key = "likes:{p9}",
      try = { ask = "Ask why.", opened = "why" } },

    { id = "shows", title = "Shows", say = "Watch.",
      enter = function(w)
        count = count + 1
        w:send("like", "likes:{p9}", "R0")
        w:play_answered()
      end,
      run = function(w)
        w:send("like", "likes:{p9}", "R3")
        w:play_answered()
      end,
      after = "Likes: {w:acked(\"likes:{p9}\")}." },

    { id = "end", title = "End", say = "The end.", deeper = true },
  },
}
