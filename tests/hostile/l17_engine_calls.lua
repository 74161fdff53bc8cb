-- L17: many calls of the engine are charged; ten thousand fit, a million do not.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l17_engine_calls", part = 1, title = "L17", minutes = 1, world = "story", steps = {
  step("start"),
  step("ten-thousand", function(w)
    for i = 1, 10000 do w:slot("key") end
    error("ten thousand calls are done")
  end),
  step("a-million", function(w) for i = 1, 1000000 do w:slot("key") end end),
  step("rates", function(w)
    while true do
      w:play_for(0.001)
      local x = S0.writes
    end
  end),
  step("time", function(w) while true do w:play_for(1) end end),
  step("forks", function(w) while true do w:fork() end end),
  step("layouts", function(w) while true do layout("slots", { shards = 100, slots = 65536 }):add() end end),
  step("keys", function(w) while true do keys("k%d", 0, 4095) end end),
} }
