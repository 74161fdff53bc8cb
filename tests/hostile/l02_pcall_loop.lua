-- L02: a stop cannot be caught.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local function forever() while true do end end
return lesson { id = "l02_pcall_loop", part = 1, title = "L02", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("pcall", function() while true do pcall(forever) end end),
  step("handler", function() while true do xpcall(forever, forever) end end),
  step("tower", function()
    local function tower() while true do pcall(pcall, tower) end end
    tower()
  end),
  step("handler-error", function() while true do xpcall(error, function() error("again") end) end end),
  step("close", function()
    while true do
      pcall(function()
        local c <close> = setmetatable({}, { __close = forever })
        error("out")
      end)
    end
  end),
} }
