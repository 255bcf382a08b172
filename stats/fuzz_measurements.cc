#include "icount/stats/fuzz_measurements.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {

std::vector<Measurement> fuzz_measurements(const FuzzResult& result, std::string_view name) {
  if (result.unit != FuzzUnit::kSeconds)
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{}: this run counted instructions, and tables show times; measure them with icount fuzz --time",
                    name));
  std::vector<Measurement> measurements;
  const auto add = [&](const FuzzPoint& point, const FuzzCost& cost, const std::string& stmt) {
    if (!cost.per_run) return;
    TaskSpec task;
    task.stmt = stmt;
    task.setup = result.setup;
    task.global_setup = result.global_setup;
    task.num_threads = result.num_threads;
    task.label = "fuzz: " + result.source;
    // Two samples may have the same shapes: each has a row of its own.
    task.sub_label = fmt::format("{}: {}", point.sample, point.shape);
    task.description = stmt;
    measurements.emplace_back(1, std::vector<double>{*cost.per_run}, std::move(task),
                              Json{{"elements", point.elements}, {"params", point.params}});
  };
  for (const FuzzPoint& point : result.points) {
    add(point, point.cost, result.stmt);
    if (point.against) add(point, *point.against, result.against);
  }
  return measurements;
}

}  // namespace icount
