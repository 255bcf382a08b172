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
  EXPECT_EQ(find_framework(with({"main", "_ZN9benchmark5State16StartKeepRunningEv"}), "b"),
            BenchFramework::kGoogleBenchmark);
  EXPECT_EQ(find_framework(with({"_ZNK6ankerl9nanobench6detail14IterationLogic8numItersEv"}), "b"),
            BenchFramework::kNanobench);
}

TEST(BenchFrameworkTest, CriterionIsRefusedByName) {
  for (const char* name : {"_ZN9criterion9Criterion14bench_function17h0123456789abcdefE",
                           "_RNvMCs1234_9criterionNtB2_9Criterion14bench_function"})
    EXPECT_EQ(error_of(ErrorKind::kCannotJudge,
                       [&] {
                         find_framework(with({"main", name}), "b");
                       }),
              "cannot count b: it has benchmarks of Criterion (Rust), which icount does not know; count the whole "
              "program, with each benchmark run once: icount count -- PROGRAM --test NAME");
}

}  // namespace
}  // namespace icount
