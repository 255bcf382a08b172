#include "icount/gate/accepted_slope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/stats/iteration_slopes.h"

namespace icount {

bool is_bench_case(const Fingerprint& conditions) { return conditions.find(kIterationsFact) != nullptr; }

int64_t scale_iterations(int64_t figure, int64_t from, int64_t to) {
  return std::llround(static_cast<long double>(figure) * static_cast<long double>(to) / static_cast<long double>(from));
}

int64_t AcceptedSlope::judged_iterations() const { return std::min(accepted_iterations, head_iterations); }

int64_t AcceptedSlope::scaled(int64_t accepted) const {
  return scale_iterations(accepted, accepted_iterations, judged_iterations());
}

std::string AcceptedSlope::difference() const {
  return fmt::format("the numbers of iterations differ ({} against {})", accepted_iterations, head_iterations);
}

std::optional<AcceptedSlope> accepted_slope(const ExpectedValue& accepted, const Fingerprint& conditions,
                                            const Result& head) {
  if (!is_bench_case(conditions) || !accepted.marginal || !head.slope) return std::nullopt;
  if (accepted.number_per_run == head.number_per_run) return std::nullopt;
  AcceptedSlope slope{accepted.number_per_run, head.number_per_run};
  slope.head = std::llround(*head.slope * static_cast<double>(slope.judged_iterations()));
  return slope;
}

}  // namespace icount
