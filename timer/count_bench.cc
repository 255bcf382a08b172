#include "icount/timer/count_bench.h"

#include <fmt/format.h>

#include <memory>

#include "icount/base/error.h"
#include "icount/timer/bench_session.h"
#include "icount/timer/count_google.h"
#include "icount/timer/count_hooked.h"

namespace icount {

BenchCount count_bench(const BenchOptions& options) {
  if (options.argv.empty()) throw Error(ErrorKind::kUsage, "no benchmark binary given");
  const std::filesystem::path binary = find_binary(options.argv[0]);
  if (binary.empty())
    throw Error(ErrorKind::kTool, fmt::format("cannot count {}: no such program, or not executable", options.argv[0]));
  BenchCount count;
  const ElfSymbols symbols = load_elf_symbols(binary);
  if (!options.functions.empty() && symbols.is_static)
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("cannot count {}: it is a static program, into which no hooks can be loaded; link it "
                            "without -static",
                            options.argv[0]));
  const BenchFramework framework =
      options.functions.empty() ? find_framework(symbols, binary) : BenchFramework::kFunctions;
  count.framework = to_text(framework);
  BenchSession session(options, framework, symbols.is_stripped);
  switch (framework) {
    case BenchFramework::kGoogleBenchmark:
      count_google(session, count);
      break;
    case BenchFramework::kCatch2:
      count_catch2(session, count);
      break;
    case BenchFramework::kNanobench:
      count_nanobench(session, count);
      break;
    case BenchFramework::kFunctions:
      count_functions(session, symbols, count);
      break;
  }
  return count;
}

}  // namespace icount
