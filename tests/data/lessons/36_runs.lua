-- A placement check, a table whose rows are runs, and a knob: for the tests of the screen.
local function which(id, right)
  return { id = id, kind = "choice", ask = "Which?", why = "So it is.", choices = {
    { "The first.", belief = "first", why = "No.", holds = function() return right == 1 end },
    { "The second.", belief = "second", why = "No.", holds = function() return right == 2 end } } }
end

return lesson {
  id = "36_runs", part = 4, title = "Runs", minutes = 2, world = "story", placement = { go = "far" },
  steps = {
    { id = "table", title = "Fixes", say = "One second.", show = { "table", "bars" },
      enter = function(w) w:event(4) end,
      predict = which("q-table", 2),
      knobs = { { name = "salt", label = "sub-keys", values = { 2, 8 }, start = 8 } },
      table = function(w, knob)
        return { title = "Fixes of p9", columns = { "fix", "reads", "writes" }, numbers = { 2, 3 }, rows = {
          { label = "as it is", run = function(f) f:play_for(1) end,
            cells = function(f) return { f.S2.reads, f.S2.writes } end },
          { label = "cache", run = function(f) f:command("reads post:{p9} cached") f:play_for(2) end,
            cells = function(f) return { f.S2.reads, f.S2.writes } end },
          { label = "{knob.salt} salts",
            run = function(f) f:command("writes likes:{p9} salted " .. knob.salt) f:play_for(1) end,
            cells = function(f) return { f.S2.reads, f.S2.writes } end },
          { label = "nothing", cells = { "-", "-" } } } }
      end },
    { id = "check-one", title = "One", say = "a", check = true, predict = which("c-one", 2) },
    { id = "check-two", title = "Two", say = "b", check = true, predict = which("c-two", 1) },
    { id = "near", title = "Near", say = "near" },
    { id = "far", title = "Far", say = "far" },
  },
}
