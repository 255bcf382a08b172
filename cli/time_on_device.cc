#include "icount/cli/time_on_device.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/cuda_fallback.h"
#include "icount/report/device_text.h"

namespace icount {

void tell_time_failure(const TaskSpec& spec, const std::string& error, CommandContext& context) {
  context.err << fmt::format("icount: {}: {}\n", escape_for_terminal(task_row_name(spec)), escape_for_terminal(error));
}

ExitCode time_on_device(const TimeOptions& options, CommandContext& context) {
  CudaStubOptions cuda = options.cuda_stub;
  cuda.cxxflags = options.cxxflags;
  cuda.link_flags = options.link_flags;
  cuda.use_entropy = options.entropy;
  cuda.synchronises = options.cuda_sync;
  cuda.bytes_moved = options.bytes_moved;
  cuda.flops = options.flops;
  cuda.time_limit = Seconds(options.block_limit);
  const ToolchainOptions toolchain = time_toolchain(options);
  ExitCode code = ExitCode::kOk;
  Json results = Json::array();
  for (size_t i = 0; i < options.statements.size(); ++i) {
    const CudaOutcome outcome = time_on_cuda(options.statements[i], cuda, toolchain, context);
    if (!outcome.measurement) {
      code = ExitCode::kFailure;
      tell_time_failure(options.specs[i], outcome.error, context);
      results.push_back(Json{{"stmt", options.specs[i].stmt}, {"status", "failed"}, {"error", outcome.error}});
      continue;
    }
    Json item{
        {"stmt", options.specs[i].stmt}, {"status", "done"}, {"device_measurement", to_json(*outcome.measurement)}};
    if (options.specs[i].label) item["label"] = *options.specs[i].label;
    if (options.specs[i].sub_label) item["sub_label"] = *options.specs[i].sub_label;
    results.push_back(std::move(item));
    if (!options.json)
      context.out << escape_for_terminal(task_title(options.specs[i])) << '\n'
                  << render_device_measurement(*outcome.measurement) << '\n';
  }
  if (options.json)
    context.out << dump_json(
                       Json{{"schema", {{"name", "icount-time"}, {"version", 1}}}, {"results", std::move(results)}})
                << '\n';
  return code;
}

}  // namespace icount
