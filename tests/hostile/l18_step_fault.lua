-- L18: a step that fails is undone, whole.
return lesson { id = "l18_step_fault", part = 1, title = "L18", minutes = 1, world = "story-quiet", steps = {
  { id = "start", title = "Start", say = "Nothing." },
  { id = "half-done", title = "Half done", say = "Nothing.",
    enter = function(w)
      w:set_rule("slot-table-check", false)
      w:send("like", "likes:{p9}", "R0")
      w:play_answered()
      local nothing = nil
      nothing.field = 1
    end },
  { id = "fails-in-run", title = "In the run", say = "Nothing.",
    run = function(w)
      w:send("like", "likes:{p9}", "R0")
      w:play_for(1)
      error("the run is broken")
    end },
  { id = "good", title = "Good", say = "Likes: {w:acked(\"likes:{p9}\")}." },
} }
