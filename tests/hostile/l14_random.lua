-- L14: random numbers come from the lesson's seed. The text shows them; the test compares runs.
return lesson { id = "l14_random", part = 1, title = "L14", minutes = 1, world = "story-quiet", steps = {
  { id = "start", title = "Start",
    say = "{math.random(1, 1000000)} {math.random(6)} {math.random(math.mininteger, math.maxinteger) % 1000}" },
} }
