#include "icount/cli/count_on_device.h"

#include <ostream>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/cuda_fallback.h"
#include "icount/cli/time_options.h"
#include "icount/report/device_text.h"
#include "icount/report/measurement_text.h"
#include "icount/store/measurement_file.h"
#include "icount/suite/collected_result.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/stub_timing.h"

namespace icount {

namespace {

/// For statements that run natively: to see whether they use a device, and to time Python ones on it.
StubTimingOptions native_options(const CountOptions& options, const CommandContext& context) {
  StubTimingOptions native;
  native.toolchain = options.collect.toolchain;
  if (!options.torch_dirs.empty()) native.toolchain.torch_dir = options.torch_dirs[0];
  native.environment = with_cuda_device(context.environment, options.cuda.device);
  native.torch_as_needed = options.collect.torch_as_needed;
  native.block_limit = options.collect.time_limit;
  native.cancelled = context.cancelled;
  return native;
}

/// Fills in the figures of `icount time --device cuda --language python`, or what keeps them away.
void measure_python(const TimerArgs& statement, const CountOptions& options, CommandContext& context, Result& result) {
  StubTimingOptions native = native_options(options, context);
  native.on_device = true;
  try {
    const StubTiming timing({&statement, 1}, std::move(native));
    if (const TimingFailure* failure = timing.failure(0)) {
      result.details = failure->details;
      throw Error(ErrorKind::kTool, failure->error);
    }
    TaskSpec spec{.stmt = statement.stmt, .setup = statement.setup, .global_setup = statement.global_setup};
    spec.num_threads = statement.num_threads;
    const auto source = timing.open(0);
    const SteadyResult timed = time_steadily(*source, clean_spec(std::move(spec), statement.language));
    result.extra = dump_json(Json{{"measurement", to_json(timed.measurement)}});
    if (options.format == OutputFormat::kJson) return;
    context.out << escape_lines_for_terminal(render_measurement(timed.measurement)) << '\n';
    if (const std::string remark = source->remark(); !remark.empty())
      context.out << "  " << escape_for_terminal(remark) << '\n';
    context.out << '\n';
  } catch (const Error& error) {
    if (context.cancelled && context.cancelled()) throw;
    result.status = kDeviceFailed;
    result.error = error.what();
  }
}

}  // namespace

std::vector<TimerArgs> take_cuda_statements(CountOptions& options, const CommandContext& context) {
  if (options.on_cuda) return std::exchange(options.statements, {});
  const std::vector<bool> on_cuda = find_cuda_statements(options.statements, native_options(options, context));
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
  if (statement.language == Language::kPython) {
    measure_python(statement, options, context, result);
    return result;
  }
  CudaStubOptions cuda = options.cuda;
  cuda.cxxflags = options.collect.toolchain.cxxflags;
  cuda.link_flags = options.collect.toolchain.link_flags;
  ToolchainOptions toolchain = options.collect.toolchain;
  if (!options.torch_dirs.empty()) toolchain.torch_dir = options.torch_dirs[0];
  const CudaOutcome outcome = time_on_cuda(statement, cuda, toolchain, context);
  if (outcome.measurement) {
    result.extra = dump_json(Json{{"device_measurement", to_json(*outcome.measurement)}});
    if (options.format != OutputFormat::kJson)
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
