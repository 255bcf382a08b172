#include "icount/suite/fuzz_compile.h"

#include <vector>

#include "icount/harness/build.h"
#include "icount/harness/lower_statement.h"

namespace icount {
namespace {

Toolchain probe_toolchain(const CollectOptions& options, bool torch) {
  Toolchain toolchain;
  toolchain.compiler = probe_compiler(options.toolchain, options.environment);
  if (torch) toolchain.torch = probe_libtorch(options.toolchain, options.environment);
  toolchain.cxxflags = options.toolchain.cxxflags;
  toolchain.link_flags = options.toolchain.link_flags;
  return toolchain;
}

}  // namespace

std::optional<std::string> check_compiles(std::span<const TimerArgs> statements, const CollectOptions& options) {
  if (statements.empty() || statements.front().language == Language::kPython) return std::nullopt;
  std::vector<TimerArgs> compiled;
  for (const TimerArgs& statement : statements) compiled.push_back(make_cpp_statement(statement));
  BuildCache cache(options.cache_dir.empty() ? default_cache_dir(options.environment) : options.cache_dir);
  BuildOptions build;
  build.jobs = options.jobs;
  build.cancelled = options.cancelled;
  for (const StubPlan& plan : plan_stubs(compiled)) {
    const BuildOutcome built = build_stub(compiled, plan, probe_toolchain(options, plan.torch), cache, build);
    if (!built.failures.empty()) return built.failures.front().error + "\n" + built.failures.front().details;
  }
  return std::nullopt;
}

}  // namespace icount
