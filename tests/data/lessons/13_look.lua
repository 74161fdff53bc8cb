-- Tasks that ask to look at something: any why, the why of one answer, one shard and no other.
return lesson {
  id = "13_look", part = 1, title = "Look", minutes = 2, world = "story-quiet",
  steps = {
    { id = "any", title = "Any", show = { "maps", "trace" }, key = "post:{p9}", say = "A read.",
      run = function(w) w:send("read", "post:{p9}", "R0") w:play_answered() end,
      try = { ask = "Open the why of a message.", opened = "why", hints = { "a", "b", "c" } } },
    { id = "answer", title = "One", show = { "maps", "trace" }, key = "post:{p9}", say = "The same.",
      try = { ask = "Open the why of S2's answer.", opened = "why", of = "answer S2", hints = { "a", "b", "c" } } },
    { id = "shard", title = "S2", show = { "bars" }, say = "Four shards.",
      try = { ask = "Inspect S2.", opened = "inspect", of = "shard S2", hints = { "a", "b", "c" } } },
  },
}
