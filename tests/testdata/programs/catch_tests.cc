// Tests of Catch2 version 2; its main is in catch_main.cc.
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

TEST_CASE("ten") { nops<10>(); }
TEST_CASE("a hundred & ten") { nops<110>(); }
struct Fixture {};
TEST_CASE_METHOD(Fixture, "of a fixture") { nops<60>(); }
TEST_CASE("sections") {
  SECTION("one") { nops<1000>(); }
  SECTION("two") { nops<2000>(); }
}
TEST_CASE("fails") { CHECK(1 == 2); }
TEST_CASE("has a benchmark") {
  BENCHMARK("ten") { nops<10>(); };
}
