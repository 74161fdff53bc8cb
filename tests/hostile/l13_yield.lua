-- L13: waiting where one cannot wait.
return lesson { id = "l13_yield", part = 1, title = "L13", minutes = 1, world = "story-quiet", steps = {
  { id = "start", title = "Start", say = "Nothing." },
  { id = "in-sort", title = "In a comparator", say = "Nothing.",
    run = function(w) table.sort({ 3, 2, 1 }, function(a, b) w:play_for(1) return a < b end) end },
  { id = "in-gsub", title = "In a replacement", say = "Nothing.",
    run = function(w) ("abc"):gsub(".", function() w:play_for(1) end) end },
  { id = "in-text", title = "In a text", say = "{w:play_for(1)}" },
  { id = "in-goal", title = "In a goal", say = "Nothing.",
    try = { ask = "Nothing.", goal = function(w) w:play_for(1) return true end } },
  { id = "coroutine", title = "Coroutine", say = "Nothing.",
    run = function() coroutine.wrap(function() end)() end },
} }
