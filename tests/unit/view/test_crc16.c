/* CRC16 byte by byte: what is hashed is marked, and the last line is the slot. */
#include "scenes.h"

static void a_key_with_a_tag(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = "post:{p9}"};
    scene_goldens(&st.scene, "crc16", &v, "crc16");
    char *told = scene_told(&st.scene, "crc16", &v);
    assert_contains(told, "Key post:{p9}: hashed is only what is in the braces, p9.");
    assert_contains(told, "crc 0xaf23 = 44835\n44835 mod 16384 = slot 12067\n");
    assert_contains(told, "44835 mod 16384 = slot 12067\n");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void one_byte_shift_by_shift(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = "post:{p9}"};
    assert_true(view_crc16.move(&v, &st.scene, VERB_DOWN, 40, 19));
    assert_false(view_crc16.move(&v, &st.scene, VERB_DOWN, 40, 19));
    assert_true(view_crc16.move(&v, &st.scene, VERB_ZOOM_IN, 40, 19));
    scene_golden(&st.scene, "crc16", &v, "crc16_shifts", 40, 19, GLYPHS_UTF8);
    assert_true(view_crc16.move(&v, &st.scene, VERB_ZOOM_OUT, 40, 19));
    assert_int_equal(view_crc16.subject(&v, &st.scene).kind, SUBJECT_SLOT);
    stage_free(&st);
}

static void a_long_key_keeps_its_ends(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    st.page.key = "session:2026-11-30:eu-west:0123456789abcdef:0123456789";
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "crc16", &v, "crc16_long", 40, 19, GLYPHS_UTF8);
    for (int i = 0; i < 30; i++) {
        assert_true(view_crc16.move(&v, &st.scene, VERB_DOWN, 40, 19));
    }
    scene_golden(&st.scene, "crc16", &v, "crc16_long_middle", 40, 19, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "crc16", &v);
    assert_contains(told, "has no tag,\n  so the whole key is hashed.");
    assert_null(strstr(told, "owner"));
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void bytes_beyond_ascii_are_shown_in_hex(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    struct view_state v = {.argument = "a\x1b[2Jé"};
    scene_golden(&st.scene, "crc16", &v, "crc16_bytes", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "crc16", &v);
    assert_contains(told, "Key a\\x1b[2Jé");
    assert_contains(told, ".     1b ");
    assert_contains(told, ".     c3 ");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_with_a_tag),
        cmocka_unit_test(one_byte_shift_by_shift),
        cmocka_unit_test(a_long_key_keeps_its_ends),
        cmocka_unit_test(bytes_beyond_ascii_are_shown_in_hex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
