#include "icount/suite/fuzz_compile.h"

#include <vector>

#include "icount/harness/build.h"
#include "icount/harness/lower_statement.h"

namespace icount {

std::optional<std::string> check_compiles(std::span<const TimerArgs> statements, const CollectOptions& options) {
  if (statements.empty() || statements.front().language == Language::kPython) return std::nullopt;
  std::vector<TimerArgs> compiled;
  for (const TimerArgs& statement : statements) compiled.push_back(make_cpp_statement(statement));
  BuildCache cache(options.cache_dir.empty() ? default_cache_dir(options.environment) : options.cache_dir);
  BuildOptions build;
  build.jobs = options.jobs;
  build.cancelled = options.cancelled;
  for (const StubPlan& plan : plan_stubs(compiled)) {
    const Toolchain toolchain = find_toolchain(options.toolchain, plan.torch, options.environment);
    const BuildOutcome built = build_stub(compiled, plan, toolchain, cache, build);
    if (!built.failures.empty()) return built.failures.front().error + "\n" + built.failures.front().details;
  }
  return std::nullopt;
}

}  // namespace icount
