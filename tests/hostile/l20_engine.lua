-- L20: the engine refuses what is out of range, and names the range.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l20_engine", part = 1, title = "L20", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("slot", function(w) w:owner(16384) end),
  step("negative", function(w) w:owner(-1) end),
  step("huge", function(w) w:move(0, math.maxinteger, "S1") end),
  step("shard", function(w) w:move(0, 1, "S99999999999999999999") end),
  step("router", function(w) w:send("read", "k", "R6") end),
  step("rate", function(w) w:flow("read", "k", math.mininteger) end),
  step("key", function(w) w:slot(("k"):rep(65)) end),
  step("time", function(w) w:play_for(1e300) end),
  step("not-a-number", function(w) w:play_for(0 / 0) end),
  step("shards", function(w) layout("slots", { shards = 0 }) end),
  step("request", function(w) w:request(math.maxinteger) end),
  step("fraction", function(w) w:owner(1.5) end),
} }
