#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <utility>

#include "bindings.h"
#include "icount/timer/autorange.h"

namespace icount::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

/// A block is timed by a call of Python.
class CallableBlocks : public TimeSource {
 public:
  explicit CallableBlocks(std::function<double(int64_t)> run) : run_(std::move(run)) {}
  double run_block(int64_t number) override { return run_(number); }

 private:
  std::function<double(int64_t)> run_;
};

using RunBlock = std::function<double(int64_t)>;
using Blocks = std::pair<int64_t, std::vector<double>>;

Blocks blocks_of(const Measurement& measurement) { return {measurement.number_per_run(), measurement.raw_times()}; }

}  // namespace

void bind_timing(nb::module_& module) {
  module.def(
      "timeit",
      [](RunBlock run_block, int64_t number) {
        CallableBlocks source(std::move(run_block));
        return blocks_of(timeit(source, TaskSpec{}, number));
      },
      "run_block"_a, "number"_a);
  module.def(
      "blocked_autorange",
      [](RunBlock run_block, BlockCallback callback, double min_run_time) {
        CallableBlocks source(std::move(run_block));
        return blocks_of(blocked_autorange(source, TaskSpec{}, {std::move(callback), min_run_time}));
      },
      "run_block"_a, "callback"_a.none(), "min_run_time"_a);
  module.def(
      "adaptive_autorange",
      [](RunBlock run_block, double threshold, double min_run_time, double max_run_time, BlockCallback callback) {
        CallableBlocks source(std::move(run_block));
        return blocks_of(adaptive_autorange(source, TaskSpec{},
                                            {.threshold = threshold,
                                             .min_run_time = min_run_time,
                                             .max_run_time = max_run_time,
                                             .callback = std::move(callback)}));
      },
      "run_block"_a, "threshold"_a, "min_run_time"_a, "max_run_time"_a, "callback"_a.none());
}

}  // namespace icount::python
