#include "icount/cli/cuda_fallback.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/statement_needs.h"
#include "icount/harness/timer_args.h"

namespace icount {
namespace {

/// Loading the driver's library starts nothing; a machine without it needs no native run to know.
bool has_cuda_driver() {
  void* driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver) ::dlclose(driver);
  return driver != nullptr;
}

}  // namespace

std::vector<bool> find_cuda_statements(const std::vector<TimerArgs>& statements, const StubTimingOptions& options) {
  std::vector<bool> found(statements.size(), false);
  if (!has_cuda_driver()) return found;
  const StubTiming natively(statements, options);
  for (size_t i = 0; i < statements.size(); ++i) found[i] = natively.probe_device(i) == "cuda";
  return found;
}

CudaOutcome time_on_cuda(TimerArgs statement, CudaStubOptions options, const ToolchainOptions& toolchain,
                         const CommandContext& context) {
  ICOUNT_CHECK(statement.language != Language::kPython, "it is timed in blocks: timer/stub_timing.h");
  options.cancelled = context.cancelled;
  try {
    const bool compiled_by_torch = statement.language == Language::kTorchScript;
    statement = make_cpp_statement(statement);
    if (!statement.backward.empty()) statement.stmt += "\n;" + statement.backward + ".backward();";
    statement.torch =
        statement.torch && (compiled_by_torch || !toolchain.torch_dir.empty() || names_libtorch(statement));
    if (statement.torch) options.torch = probe_libtorch(toolchain, context.environment);
    const ScratchDir folder;
    return run_cuda_stub(statement, options, folder.path());
  } catch (const Error& error) {
    if (context.cancelled && context.cancelled()) throw;
    return {std::nullopt, error.what(), {}};
  }
}

std::string describe_no_count(const std::string& label) {
  return fmt::format("{}: no instruction count: a CUDA device does its work, which Valgrind cannot count", label);
}

}  // namespace icount
