#include "icount/timer/count_bench.h"

#include <fmt/format.h>

#include <optional>

#include "icount/base/error.h"
#include "icount/timer/bench_session.h"
#include "icount/timer/count_google.h"
#include "icount/timer/count_hooked.h"

namespace icount {

namespace {

/// The binary with its framework, ready to be run.
struct OpenBench {
  explicit OpenBench(const BenchOptions& options)
      : symbols(load_elf_symbols(require_binary(options))),
        framework(options.functions.empty() ? find_framework(symbols, require_binary(options), options.kind)
                                            : BenchFramework::kFunctions) {
    if (!options.functions.empty() && symbols.is_static)
      throw Error(ErrorKind::kCannotJudge,
                  fmt::format("cannot count {}: it is a static program, into which no hooks can be loaded; link it "
                              "without -static",
                              options.argv[0]));
    session.emplace(options, framework, symbols.is_stripped);
  }

  static std::filesystem::path require_binary(const BenchOptions& options) {
    if (options.argv.empty()) throw Error(ErrorKind::kUsage, "no benchmark binary given");
    std::filesystem::path binary = find_binary(options.argv[0], options.working_dir);
    if (binary.empty())
      throw Error(ErrorKind::kTool,
                  fmt::format("cannot count {}: no such program, or not executable", options.argv[0]));
    return binary;
  }

  ElfSymbols symbols;
  BenchFramework framework;
  std::optional<BenchSession> session;
};

}  // namespace

BenchCount count_bench(const BenchOptions& options) {
  OpenBench bench(options);
  BenchCount count;
  count.framework = to_text(bench.framework);
  switch (bench.framework) {
    case BenchFramework::kGoogleBenchmark:
      count_google(*bench.session, count);
      break;
    case BenchFramework::kFunctions:
      count_functions(*bench.session, bench.symbols, count);
      break;
    case BenchFramework::kCatch2:
    case BenchFramework::kNanobench:
    case BenchFramework::kGoogleTest:
    case BenchFramework::kCatch2Tests:
    case BenchFramework::kDoctest:
      count_hooked(*bench.session, count);
      break;
  }
  if (options.kind == CaseKind::kTests)
    for (Result& result : count.results) classify_test(result);
  return count;
}

BenchList list_bench(const BenchOptions& options) {
  OpenBench bench(options);
  switch (bench.framework) {
    case BenchFramework::kGoogleBenchmark:
      return list_google(*bench.session);
    case BenchFramework::kCatch2:
    case BenchFramework::kNanobench:
    case BenchFramework::kGoogleTest:
    case BenchFramework::kCatch2Tests:
    case BenchFramework::kDoctest:
      return {list_hooked(*bench.session), {}};
    case BenchFramework::kFunctions:
      break;
  }
  return {list_functions(*bench.session, bench.symbols), {}};
}

}  // namespace icount
