#include "icount/gate/judged_values.h"

#include <utility>

#include "icount/base/checked.h"

namespace icount {

void set_state(GateBenchmark& benchmark, GateBenchmark::State state, std::string reason) {
  benchmark.state = state;
  benchmark.reason = std::move(reason);
  benchmark.values.clear();
}

void take_marginal(int64_t marginal, std::optional<int64_t>& count, GateBenchmark& benchmark) {
  const int64_t shift = checked_sub(marginal, *count, "a marginal cost");
  count = marginal;
  if (benchmark.history)
    for (int64_t& earlier : *benchmark.history) earlier = checked_add(earlier, shift, "a marginal cost");
}

}  // namespace icount
