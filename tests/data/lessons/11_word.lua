-- A question that is answered with a word.
return lesson {
  id = "11_word", part = 1, title = "A word", minutes = 1, world = "story-quiet",
  steps = {
    { id = "word", title = "A word", say = "One word is asked for.",
      predict = { id = "t-word", kind = "text", ask = "Which shard owns `post:{p9}`?",
        answer = function(w) return w:owner("post:{p9}") end,
        why = "Its slot is in the third run.",
        hints = { "Which slot?", "Which run?", "S2." } } },
  },
}
