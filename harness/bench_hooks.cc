#include "icount/harness/bench_hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench_catch_text.h"
#include "bench_child_text.h"
#include "bench_escape_text.h"
#include "bench_functions_text.h"
#include "bench_google_text.h"
#include "bench_log_text.h"
#include "bench_memory_text.h"
#include "bench_nano_text.h"
#include "bench_region_text.h"
#include "bench_tests_text.h"
#include "bench_wrap_text.h"
#include "hook_library_text.h"
#include "icount/base/error.h"
#include "icount/harness/compile.h"
#include "stub_mappings_text.h"

namespace icount {
namespace {

/// What a framework's symbols hold, and the one that its hooks need.
struct Marks {
  CaseKind kind;
  BenchFramework framework;
  std::string_view trace;   ///< part of any symbol of the framework
  std::string_view hooked;  ///< part of a symbol that must be there
  std::string_view remedy;  ///< where it is not
};

constexpr std::string_view kUnstripped =
    "link it with a shared libbenchmark, or without -s, strip and -flto, and count that binary";

constexpr std::string_view kUnstrippedTests = "link it without -s, strip and -flto, and count that binary";

constexpr Marks kMarks[] = {
    {CaseKind::kBenchmarks, BenchFramework::kGoogleBenchmark, "N9benchmark", "_ZN9benchmark5State16StartKeepRunningEv",
     kUnstripped},
    {CaseKind::kBenchmarks, BenchFramework::kCatch2, "N5Catch9Benchmark",
     "5Catch9Benchmark6Detail17BenchmarkFunction5model",
     "compile with CATCH_CONFIG_ENABLE_BENCHMARKING (version 2), and link without -s, strip and -flto"},
    {CaseKind::kBenchmarks, BenchFramework::kNanobench, "N6ankerl9nanobench",
     "_ZNK6ankerl9nanobench6detail14IterationLogic8numItersEv",
     "put #define ANKERL_NANOBENCH_IMPLEMENT into a source file of its own, so that its functions are not inlined into "
     "the benchmarks, and link without -s, strip and -flto"},
    {CaseKind::kTests, BenchFramework::kGoogleTest, "N7testing8internal", "8TestBodyEv", kUnstrippedTests},
    {CaseKind::kTests, BenchFramework::kCatch2Tests, "N5Catch", "_ZN5Catch10RunContext7runTestE", kUnstrippedTests},
    {CaseKind::kTests, BenchFramework::kDoctest, "N7doctest", "DOCTEST_ANON_", kUnstrippedTests},
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
    case BenchFramework::kGoogleTest:
      return "googletest";
    case BenchFramework::kCatch2Tests:
      return "catch2-tests";
    case BenchFramework::kDoctest:
      return "doctest";
    case BenchFramework::kFunctions:
      break;
  }
  return "functions";
}

BenchFramework find_framework(const ElfSymbols& symbols, const std::filesystem::path& binary, CaseKind kind) {
  const auto fail = [&](std::string_view what, std::string_view remedy) {
    throw Error(ErrorKind::kCannotJudge, fmt::format("cannot count {}: {}; {}", binary.string(), what, remedy));
  };
  if (symbols.is_static) fail("it is a static program, into which no hooks can be loaded", "link it without -static");
  const bool is_of_tests = kind == CaseKind::kTests;
  if (is_of_tests && has(symbols, "NSt3__1"))
    fail("it is built with libc++, in which icount does not know the names of tests", "build it with libstdc++");
  for (const Marks& marks : kMarks)
    if (marks.kind == kind && has(symbols, marks.hooked)) return marks.framework;
  for (const Marks& marks : kMarks)
    if (marks.kind == kind && has(symbols, marks.trace))
      fail(fmt::format("it has {}, but not the function that icount hooks ({})", to_text(marks.framework),
                       demangle(marks.hooked)),
           marks.remedy);
  // Either mangling of Rust: _ZN9criterion..., _RNv...9criterion.
  if (has(symbols, "9criterion"))
    fail("it has benchmarks of Criterion (Rust), which icount does not know",
         "count the whole program, with each benchmark run once: icount count -- PROGRAM --test NAME");
  if (symbols.is_stripped)
    fail(fmt::format("it is stripped and names no {} framework", is_of_tests ? "test" : "benchmark"),
         is_of_tests ? kUnstrippedTests : kUnstripped);
  if (is_of_tests)
    fail("it has no symbol of GoogleTest, Catch2 or doctest", "count the whole program: icount count -- PROGRAM");
  fail("it has no symbol of Google Benchmark, Catch2 or nanobench",
       "count its functions by name with --case 'NAME*', or the whole program with `icount count -- PROGRAM`");
  return BenchFramework::kFunctions;
}

namespace fs = std::filesystem;

/// Without the C++ library: the benchmark brings its own.
fs::path build_bench_hooks(const Compiler& compiler, BuildCache& cache) {
  OwnLibrary library;
  library.what = "the hooks for benchmark binaries";
  library.files = {
      {"bench_log.h", std::string(bench_log_text())},       {"bench_escape.h", std::string(bench_escape_text())},
      {"bench_region.h", std::string(bench_region_text())}, {"bench_memory.h", std::string(bench_memory_text())},
      {"bench_wrap.h", std::string(bench_wrap_text())},     {"bench_child.h", std::string(bench_child_text())},
      {"bench_google.h", std::string(bench_google_text())}, {"bench_catch.h", std::string(bench_catch_text())},
      {"bench_nano.h", std::string(bench_nano_text())},     {"bench_functions.h", std::string(bench_functions_text())},
      {"bench_tests.h", std::string(bench_tests_text())},   {"stub_mappings.h", std::string(stub_mappings_text())},
      {"hook_library.cc", std::string(hook_library_text())}};
  library.flags = {"-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"};
  library.libraries = {"-Wl,--as-needed", "-ldl"};
  library.name = "bench_hooks.so";
  return build_own_library(library, compiler, cache);
}

}  // namespace icount
