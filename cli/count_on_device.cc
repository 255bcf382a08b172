#include "icount/cli/count_on_device.h"

#include <ostream>
#include <utility>

#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/cuda_fallback.h"
#include "icount/report/device_text.h"
#include "icount/suite/collected_result.h"

namespace icount {

std::vector<TimerArgs> take_cuda_statements(CountOptions& options, const CommandContext& context) {
  if (options.on_cuda) return std::exchange(options.statements, {});
  StubTimingOptions native;
  native.toolchain = options.collect.toolchain;
  if (!options.torch_dirs.empty()) native.toolchain.torch_dir = options.torch_dirs[0];
  native.environment = context.environment;
  native.torch_as_needed = options.collect.torch_as_needed;
  native.block_limit = options.collect.time_limit;
  native.cancelled = context.cancelled;
  const std::vector<bool> on_cuda = find_cuda_statements(options.statements, native);
  std::vector<TimerArgs> taken, left;
  for (size_t i = 0; i < on_cuda.size(); ++i) (on_cuda[i] ? taken : left).push_back(options.statements[i]);
  options.statements = std::move(left);
  return taken;
}

Result measure_on_device(const TimerArgs& statement, const CountOptions& options, CommandContext& context) {
  Result result = make_failed_result(statement, kOnDevice, {});
  result.error = describe_no_count(result_key(result));
  context.err << "icount: " << escape_for_terminal(result.error)
              << (options.fallback ? "; reporting wall-clock times instead\n" : "\n");
  if (!options.fallback) return result;
  CudaStubOptions cuda = options.cuda;
  cuda.cxxflags = options.collect.toolchain.cxxflags;
  cuda.link_flags = options.collect.toolchain.link_flags;
  ToolchainOptions toolchain = options.collect.toolchain;
  if (!options.torch_dirs.empty()) toolchain.torch_dir = options.torch_dirs[0];
  const CudaOutcome outcome = time_on_cuda(statement, cuda, toolchain, context);
  if (outcome.measurement) {
    result.extra = dump_json(Json{{"device_measurement", to_json(*outcome.measurement)}});
    if (options.format != CountFormat::kJson)
      context.out << escape_for_terminal(result_key(result)) << '\n'
                  << render_device_measurement(*outcome.measurement) << '\n';
    return result;
  }
  result.status = kDeviceFailed;
  result.error = outcome.error;
  result.details = outcome.details;
  return result;
}

}  // namespace icount
