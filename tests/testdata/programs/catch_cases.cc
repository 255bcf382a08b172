// Cases of Catch2 version 2; its main is in catch_main.cc.
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include <string>

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

TEST_CASE("bodies of <nops>") {
  BENCHMARK("ten") { nops<10>(); };
  BENCHMARK("a hundred & ten") { nops<110>(); };
  BENCHMARK_ADVANCED("prepared")(Catch::Benchmark::Chronometer meter) {
    nops<5000>();
    meter.measure([] { nops<60>(); });
  };
}

TEMPLATE_TEST_CASE("of a template", "", int, double) {
  BENCHMARK("string") { return std::string(100, 'x'); };
}
