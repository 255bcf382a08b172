// How figures become the values of a benchmark that the verdict judges; shared by comparisons with accepted values and
// with a base. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "icount/verdict/gate.h"

namespace icount {

/// The benchmark cannot be compared: its state and why, without values.
void set_state(GateBenchmark& benchmark, GateBenchmark::State state, std::string reason);

/// Puts what a further run costs in the place of a count; the history's counts keep their steps and follow.
void take_marginal(int64_t marginal, std::optional<int64_t>& count, GateBenchmark& benchmark);

}  // namespace icount
