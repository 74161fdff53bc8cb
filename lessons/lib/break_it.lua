-- break_it: what a rule is good for, shown on copies of a world.
--
--   local broken = require("break_it")
--   broken.without(w, rule, play)     a copy on which the rule was off while `play` was done (a rule
--                                     of nil: none was off)
--   broken.rows(rule, play, cells)    two rows of a table: the same with the rule, and without it

local broken = {}

-- The rule is off from the beginning, and back on for what comes after.
local function played(f, rule, play)
  if rule then f:set_rule(rule, false) end
  play(f)
  if rule then f:set_rule(rule, true) end
  return f
end

function broken.without(w, rule, play)
  return played(w:fork(), rule, play)
end

function broken.rows(rule, play, cells)
  return {
    { label = "with the rule", run = play, cells = cells },
    { label = "without it", run = function(f) played(f, rule, play) end, cells = cells },
  }
end

return broken
