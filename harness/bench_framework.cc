#include "icount/harness/bench_framework.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"

namespace icount {
namespace {

/// What a framework's symbols hold, and the one that its hooks need.
struct Marks {
  BenchFramework framework;
  std::string_view trace;   ///< part of any symbol of the framework
  std::string_view hooked;  ///< part of a symbol that must be there
  std::string_view remedy;  ///< where it is not
};

constexpr std::string_view kUnstripped =
    "link it with a shared libbenchmark, or without -s, strip and -flto, and count that binary";

constexpr Marks kMarks[] = {
    {BenchFramework::kGoogleBenchmark, "N9benchmark", "_ZN9benchmark5State16StartKeepRunningEv", kUnstripped},
    {BenchFramework::kCatch2, "N5Catch9Benchmark", "5Catch9Benchmark6Detail17BenchmarkFunction5model",
     "compile with CATCH_CONFIG_ENABLE_BENCHMARKING (version 2), and link without -s, strip and -flto"},
    {BenchFramework::kNanobench, "N6ankerl9nanobench", "_ZNK6ankerl9nanobench6detail14IterationLogic8numItersEv",
     "put #define ANKERL_NANOBENCH_IMPLEMENT into a source file of its own, so that its functions are not inlined into "
     "the benchmarks, and link without -s, strip and -flto"},
};

bool has(const ElfSymbols& symbols, std::string_view part) {
  return std::any_of(symbols.symbols.begin(), symbols.symbols.end(),
                     [&](const ElfSymbol& symbol) { return symbol.name.find(part) != std::string_view::npos; });
}

}  // namespace

std::string_view to_text(BenchFramework framework) {
  switch (framework) {
    case BenchFramework::kGoogleBenchmark:
      return "google-benchmark";
    case BenchFramework::kCatch2:
      return "catch2";
    case BenchFramework::kNanobench:
      return "nanobench";
    case BenchFramework::kFunctions:
      break;
  }
  return "functions";
}

BenchFramework find_framework(const ElfSymbols& symbols, const std::filesystem::path& binary) {
  const auto fail = [&](std::string_view what, std::string_view remedy) {
    throw Error(ErrorKind::kCannotJudge, fmt::format("cannot count {}: {}; {}", binary.string(), what, remedy));
  };
  if (symbols.is_static) fail("it is a static program, into which no hooks can be loaded", "link it without -static");
  for (const Marks& marks : kMarks)
    if (has(symbols, marks.hooked)) return marks.framework;
  for (const Marks& marks : kMarks)
    if (has(symbols, marks.trace))
      fail(fmt::format("it has {}, but not the function that icount hooks ({})", to_text(marks.framework),
                       demangle(marks.hooked)),
           marks.remedy);
  // Either mangling of Rust: _ZN9criterion..., _RNv...9criterion.
  if (has(symbols, "9criterion"))
    fail("it has benchmarks of Criterion (Rust), which icount does not know",
         "count the whole program, with each benchmark run once: icount count -- PROGRAM --test NAME");
  if (symbols.is_stripped) fail("it is stripped and names no benchmark framework", kUnstripped);
  fail("it has no symbol of Google Benchmark, Catch2 or nanobench",
       "count its functions by name with --case 'NAME*', or the whole program with `icount count -- PROGRAM`");
  return BenchFramework::kFunctions;
}

}  // namespace icount
