-- L19: and this one has not set it.
return lesson { id = "l19_globals_b", part = 1, title = "L19", minutes = 1, world = "story-quiet", steps = {
  { id = "start", title = "Start", say = "{shared_name}" } } }
