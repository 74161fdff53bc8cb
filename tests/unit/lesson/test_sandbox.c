/*
 * The sandbox: the golden list of names, and the patterns that we match ourselves.
 */
#include "lesson/call.h"
#include "lesson/sandbox.h"

#include "helpers.h"

/* A name that joins or leaves must be read here first. */
static const char golden[] =
    "_VERSION\nassert\nerror\ngetmetatable\nipairs\nmath\nmath.abs\nmath.ceil\nmath.floor\n"
    "math.fmod\nmath.huge\nmath.max\nmath.maxinteger\nmath.min\nmath.mininteger\nmath.modf\n"
    "math.pi\nmath.random\nmath.sqrt\nmath.tointeger\nmath.type\nmath.ult\nnext\npairs\npcall\n"
    "rawequal\nrawget\nrawlen\nrawset\nrequire\nselect\nsetmetatable\nstring\nstring.byte\n"
    "string.char\nstring.find\nstring.format\nstring.gmatch\nstring.gsub\nstring.len\n"
    "string.lower\nstring.match\nstring.rep\nstring.reverse\nstring.sub\nstring.upper\ntable\n"
    "table.concat\ntable.insert\ntable.move\ntable.pack\ntable.remove\ntable.sort\n"
    "table.unpack\ntonumber\ntostring\ntype\nutf8\nutf8.char\nutf8.charpattern\n"
    "utf8.codepoint\nutf8.codes\nutf8.len\nutf8.offset\nxpcall\n";

static void only_these_names_exist(void **state)
{
    (void)state;
    struct sandbox *sb = sandbox_new("golden.lua", 1);
    struct str list = STR_EMPTY;
    sandbox_list(sb, &list);
    assert_string_equal(list.text, golden);
    str_free(&list);
    sandbox_free(sb);
}

struct job {
    const char *code;
    char result[700];
};

static int run_code(lua_State *L)
{
    struct job *job = lua_touserdata(L, 1);
    sandbox_push_env(L);
    sandbox_load(L, bytes_of(job->code), "@code", 2);
    lua_call(L, 0, 1);
    snprintf(job->result, sizeof job->result, "%s", luaL_optstring(L, -1, "nil"));
    return 0;
}

static void assert_gives(const char *code, const char *result)
{
    struct sandbox *sb = sandbox_new("code", 1);
    struct job job = {code, ""};
    struct err err = {""};
    if (!call_job(sb, run_code, &job, &err)) {
        snprintf(job.result, sizeof job.result, "error %s", err.text);
    }
    if (strstr(job.result, result) == NULL ||
        (result[0] != 'e' && strcmp(job.result, result) != 0)) {
        print_error("%s\ngives %s, not %s\n", code, job.result, result);
        fail();
    }
    assert_int_equal(lua_gettop(sb->L), 0);
    sandbox_free(sb);
}

static void patterns_match_as_in_lua(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"return ('hello world'):match('o w')", "o w"},
        {"return ('hello'):match('l+')", "ll"},
        {"return ('key:042'):match('^(%a+):0*(%d+)$')", "key"},
        {"return select(2, ('key:042'):match('^(%a+):0*(%d+)$'))", "42"},
        {"return ('x'):match('y')", "nil"},
        {"return ('  trim  '):match('^%s*(.-)%s*$') .. '|'", "trim|"},
        {"return table.concat({ ('abc'):find('b') }, ' ')", "2 2"},
        {"return table.concat({ ('abc'):find('()c()') }, ' ')", "3 3 3 4"},
        {"return table.concat({ ('a.b'):find('.', 2, true) }, ' ')", "2 2"},
        {"return table.concat({ ('abc'):find('', 10) }, ' ')", ""},
        {"return table.concat({ ('abc'):find('', 4) }, ' ')", "4 3"},
        {"return ('abc'):find('b', -1)", "nil"},
        {"return ('f(a(b)c)d'):match('%b()')", "(a(b)c)"},
        {"return ('THE (quick) fox'):find('%f[%a]%a+%f[%A]')", "1"},
        {"return ('say \"hi\" x'):match('([\"\\'])(.-)%1')", "\""},
        {"return ('[x]'):match('[]]')", "]"},
        {"return ('a-z'):match('[a%-z]+')", "a-z"},
        {"return ('a^b'):match('[b^]+')", "^b"},
        {"return ('abc123'):match('[^%d]+')", "abc"},
        {"return ('x1y22'):gsub('%d+', '<%0>')", "x<1>y<22>"},
        {"return (('a b c'):gsub('(%w) (%w)', '%2 %1'))", "b a c"},
        {"return (('abc'):gsub('', '-'))", "-a-b-c-"},
        {"return (('abc'):gsub('%w', '%%%0'))", "%a%b%c"},
        {"return (('hello'):gsub('l', { l = 'L' }))", "heLLo"},
        {"return (('hello'):gsub('.', function(c) if c == 'l' then return '1' end end))", "he11o"},
        {"return (('hello'):gsub('l', 'L', 1))", "heLlo"},
        {"return (('aaa'):gsub('^a', 'b'))", "baa"},
        {"return select(2, ('abc'):gsub('%w', 'x'))", "3"},
        {"local t = {} for k, v in ('a=1, b=2'):gmatch('(%w)=(%w)') do t[#t + 1] = k .. v end "
         "return table.concat(t, ' ')",
         "a1 b2"},
        {"local t = {} for w in ('one two'):gmatch('%a*') do t[#t + 1] = '<' .. w .. '>' end "
         "return table.concat(t)",
         "<one><two>"},
        {"return ('aXb'):match('%u') .. ('aXb'):match('%l') .. ('a1'):match('%x+')", "Xaa1"},
        {"return ('x'):match('(x')", "error code:1: malformed pattern"},
        {"return ('x'):match('x)')", "error code:1: malformed pattern"},
        {"return ('x'):match('[x')", "error code:1: malformed pattern"},
        {"return ('x'):match('%')", "error code:1: malformed pattern"},
        {"return ('x'):match('%1')", "error code:1: invalid capture"},
        {"return ('x'):gsub('x', '%2')", "error code:1: invalid capture"},
        {"return ('x'):gsub('x', '%x')", "error code:1: '%' in a replacement"},
        {"return ('x'):gsub('x', function() return {} end)", "error code:1: a replacement"},
        {"return ('x'):rep(3, ',')", "x,x,x"},
        {"return ('%5.2f|%-4d|%s|%q'):format(1.5, 7, true, 'a\"')", " 1.50|7   |true|\"a\\\"\""},
        {"return ('%i'):format('x')", "error"},
        {"return select('#', ('abc'):byte(1, -1))", "3"},
        {"return ('abc'):byte(10)", "nil"},
        {"local ok, why = xpcall(error, function(e) return e .. '!' end, 'no') return why", "no!"},
        {"local ok, a, b = xpcall(function(...) return ... end, error, 1, 2) return a + b", "3"},
        {"return ('aZ\xC3\xA9'):upper() .. ('aZ\xC3\x89'):lower()", "AZ\xC3\xA9"
                                                                    "az\xC3\x89"},
        {"return ('\xE9'):match('%a')", "nil"},
        {"return ('\xE9'):match('%A')", "\xE9"},
        {"return tostring(1.5) .. tostring(3) .. tostring(nil)", "1.53nil"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_gives(cases[i][0], cases[i][1]);
    }
}

static void sort_orders_every_length(void **state)
{
    (void)state;
    assert_gives("for n = 0, 70 do\n"
                 "  local t = {}\n"
                 "  for i = 1, n do t[i] = (i * 37) % 71 end\n"
                 "  table.sort(t)\n"
                 "  for i = 2, n do assert(t[i - 1] <= t[i]) end\n"
                 "  table.sort(t, function(a, b) return a > b end)\n"
                 "  for i = 2, n do assert(t[i - 1] >= t[i]) end\n"
                 "  assert(#t == n)\n"
                 "end\n"
                 "return 'sorted'",
                 "sorted");
    assert_gives("local t = { 3, 2, 1 }\n"
                 "pcall(table.sort, t, function() error('no') end)\n"
                 "return table.concat(t, ' ')",
                 "3 2 1");
}

static void memory_is_given_back(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_gives("local t, s = {}, ('x'):rep(60000) while true do t[#t + 1] = s .. #t end",
                     "error code:1: memory limit");
    }
    struct sandbox *sb = sandbox_new("peak.lua", 1);
    struct job job = {"local t, s = {}, ('x'):rep(60000) while true do t[#t + 1] = s .. #t end",
                      ""};
    assert_false(call_job(sb, run_code, &job, NULL));
    assert_true(sb->used <= SANDBOX_MEMORY_MAX);
    sandbox_free(sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_these_names_exist),
        cmocka_unit_test(patterns_match_as_in_lua),
        cmocka_unit_test(sort_orders_every_length),
        cmocka_unit_test(memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
