// The accepted value of a benchmark binary's case that was counted with another number of iterations: what one
// iteration costs can be compared all the same (stats/iteration_slopes.h has the same for two results). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "icount/stats/result.h"
#include "icount/store/expected_file.h"

namespace icount {

/// Whether the conditions are those of a benchmark binary's case.
bool is_bench_case(const Fingerprint& conditions);

/// The slopes of an accepted value and of a result, on the scale of the smaller number of iterations: there what was
/// rounded when it was accepted changes nothing.
struct AcceptedSlope {
  int64_t accepted_iterations = 0, head_iterations = 0;
  int64_t head = 0;  ///< what judged_iterations() further ones cost now
  int64_t judged_iterations() const;
  /// A figure of the accepted value for judged_iterations().
  int64_t scaled(int64_t accepted) const;
  /// "the numbers of iterations differ (100 against 10)"
  std::string difference() const;
};

/// nullopt unless `accepted` holds what an iteration of such a case costs, and the result has another number of
/// iterations and a slope.
std::optional<AcceptedSlope> accepted_slope(const ExpectedValue& accepted, const Fingerprint& conditions,
                                            const Result& head);

/// A figure of `from` iterations for `to`, rounded.
int64_t scale_iterations(int64_t figure, int64_t from, int64_t to);

}  // namespace icount
