// Tests of doctest.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

TEST_CASE("ten") { nops<10>(); }
TEST_CASE("a hundred & ten") { nops<110>(); }
TEST_SUITE("suite") {
  struct Fixture {};
  TEST_CASE_FIXTURE(Fixture, "of a fixture") { nops<60>(); }
  TEST_CASE_TEMPLATE("of a template", T, char) { nops<sizeof(T) * 70>(); }
}
TEST_CASE("sections") {
  SUBCASE("one") { nops<1000>(); }
  SUBCASE("two") { nops<2000>(); }
}
TEST_CASE("fails") { CHECK(1 == 2); }
TEST_CASE("fails as it should" * doctest::should_fail()) { CHECK(1 == 2); }
