// One benchmark of a run against its accepted values. Used by gate/gate_comparison. Pure; read store/expected_file.h
// first.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "icount/gate/gate_sides.h"
#include "icount/verdict/gate.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

/// The lines of one benchmark.
using AcceptedLines = std::vector<const std::pair<const ExpectedKey, ExpectedValue>*>;

/// Lines by the benchmark's key; empty for null.
std::map<std::string, AcceptedLines> lines_by_key(const ExpectedFile* expected);

/// Totals that a person accepted in `sides.expected` since `sides.expected_before`, of benchmarks that were selected.
std::vector<NewlyAccepted> newly_accepted(const GateSides& sides);

/// Fills state, values and notes of a benchmark that has accepted values in sides.expected; a `base` that can be
/// compared fills in what was never accepted. It and its comparable_to_base may be null.
void judge_by_accepted(const GateSides& sides, const LimitSet& limits, const AcceptedLines& lines, const Result& head,
                       const Result* base, const Comparability* alike_base, GateBenchmark& benchmark);

}  // namespace icount
