-- An explanation that the learner marks, between two questions.
return lesson {
  id = "12_explain", part = 1, title = "In your words", minutes = 2, world = "story-quiet",
  steps = {
    { id = "asked", title = "A slot", show = { "slot_map" }, key = "post:{p9}",
      say = "`post:{p9}` is in slot {w:slot(\"post:{p9}\")}.",
      predict = { id = "x-slot", kind = "choice", ask = "Who owns it?",
        choices = {
          { "S2.", holds = function(w) return w:owner("post:{p9}") == "S2" end },
          { "S0.", belief = "slots are dealt in turn", why = "Slots come in ranges.",
            holds = function(w) return w:owner("post:{p9}") == "S0" end } },
        why = "S2 owns the range with that slot.", hints = { "a", "b", "c" } } },
    { id = "told", title = "In your words", show = { "slot_map" },
      say = "You have seen how a key comes to its shard.",
      predict = { id = "x-told", kind = "explain",
        ask = "Tell a colleague how `post:{p9}` comes to its shard.",
        model = "The tag p9 is hashed to slot {w:slot(\"post:{p9}\")}; the map gives that slot to {w:owner(\"post:{p9}\")}.",
        rubric = { "the tag is what is hashed", "the hash gives a slot", "the map says who owns it" },
        hints = { "Begin with the key." } } },
    { id = "end", title = "The end", show = { "slot_map" }, say = "That was it." },
  },
}
