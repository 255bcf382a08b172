#include <gtest/gtest.h>

#include "icount/harness/bench_hooks.h"
#include "icount/harness/elf_file.h"
#include "support/error_of.h"

namespace icount {
namespace {

/// A shared program with these symbols.
ElfSymbols with(const std::vector<std::string_view>& names) {
  ElfSymbols symbols;
  symbols.is_static = symbols.is_stripped = false;
  for (const std::string_view name : names) symbols.symbols.push_back({.name = name, .is_function = true});
  return symbols;
}

TEST(BenchFrameworkTest, FrameworksAreFoundByTheFunctionsThatAreHooked) {
  EXPECT_EQ(find_framework(with({"main", "_ZN9benchmark5State16StartKeepRunningEv"}), "b", CaseKind::kBenchmarks),
            BenchFramework::kGoogleBenchmark);
  EXPECT_EQ(
      find_framework(with({"_ZNK6ankerl9nanobench6detail14IterationLogic8numItersEv"}), "b", CaseKind::kBenchmarks),
      BenchFramework::kNanobench);
}

TEST(BenchFrameworkTest, TestsAreAskedForApart) {
  const ElfSymbols both = with({"_ZN5Catch10RunContext7runTestERKNS_8TestCaseE",
                                "_ZNK5Catch9Benchmark6Detail17BenchmarkFunction5modelIvE4callE"});
  EXPECT_EQ(find_framework(both, "b", CaseKind::kTests), BenchFramework::kCatch2Tests);
  EXPECT_EQ(find_framework(both, "b", CaseKind::kBenchmarks), BenchFramework::kCatch2);
  EXPECT_EQ(find_framework(with({"_ZN10A_One_Test8TestBodyEv"}), "b", CaseKind::kTests), BenchFramework::kGoogleTest);
  EXPECT_EQ(find_framework(with({"_ZL19DOCTEST_ANON_FUNC_2v"}), "b", CaseKind::kTests), BenchFramework::kDoctest);
  const auto refused = [](const std::vector<std::string_view>& names) {
    return error_of(ErrorKind::kCannotJudge, [&] { find_framework(with(names), "b", CaseKind::kTests); });
  };
  EXPECT_EQ(
      refused({"main"}),
      "cannot count b: it has no symbol of GoogleTest, Catch2 or doctest; count the whole program: icount count -- "
      "PROGRAM");
  EXPECT_NE(refused({"_ZN10A_One_Test8TestBodyEv", "_ZNSt3__14coutE"}).find("libc++"), std::string::npos)
      << "the names of tests would be read from other objects";
}

TEST(BenchFrameworkTest, CriterionIsRefusedByName) {
  for (const char* name : {"_ZN9criterion9Criterion14bench_function17h0123456789abcdefE",
                           "_RNvMCs1234_9criterionNtB2_9Criterion14bench_function"})
    EXPECT_EQ(error_of(ErrorKind::kCannotJudge,
                       [&] {
                         find_framework(with({"main", name}), "b", CaseKind::kBenchmarks);
                       }),
              "cannot count b: it has benchmarks of Criterion (Rust), which icount does not know; count the whole "
              "program, with each benchmark run once: icount count -- PROGRAM --test NAME");
}

}  // namespace
}  // namespace icount
