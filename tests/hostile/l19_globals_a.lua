-- L19: a global of one lesson is none of another's.
shared_name = "a"
return lesson { id = "l19_globals_a", part = 1, title = "L19", minutes = 1, world = "story-quiet", steps = {
  { id = "start", title = "Start", say = "{shared_name}" } } }
