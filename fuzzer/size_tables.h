// Sizes of dimensions to choose from: regular numbers, and tables of values with their probabilities for a
// Distribution. Used by fuzzer/op_fuzzers.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/fuzzer/distribution.h"

namespace icount {

/// Numbers 2^a 3^b 5^c in [first, last], ascending.
std::vector<int64_t> regular_sizes(int64_t first, int64_t last);

/// Every value with the same probability.
std::vector<Distribution::Entry> equally_likely(const std::vector<int64_t>& values);

/// Ascending values, each as likely as the stretch of the logarithm up to the next one, the last up to `last`: regular
/// numbers crowd together as they grow, and are spread evenly so.
std::vector<Distribution::Entry> log_spread(const std::vector<int64_t>& values, int64_t last);

}  // namespace icount
