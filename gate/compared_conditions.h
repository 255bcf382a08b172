// What two sides of a gate were measured under, and by which figure their counts are judged: the count, what a further
// run costs (stats/iteration_slopes.h), or what a further iteration costs (stats/iteration_slopes.h). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/gate/gate_sides.h"
#include "icount/stats/iteration_slopes.h"
#include "icount/verdict/gate.h"

namespace icount {

/// Why counts of a result can't be compared with accepted ones of these accepted_facts; each in plain words. What only
/// its build has otherwise is among `differences`.
Comparability comparable_to_accepted(const Fingerprint& accepted, const Fingerprint& now);

/// What differs and may be the very thing compared.
void add_differences(const Comparability& alike, std::vector<std::string>& notes);
/// That other statements were compiled beside it: noted where a value moved, which may come of that.
void add_neighbours(const Comparability& alike, GateBenchmark& benchmark);

/// That a benchmark is judged by its slope because of a `difference`, or by its marginal cost per run.
std::string slope_note(const Result& head, const std::string& difference, int64_t iterations);
std::string marginal_note(const Result& head);

/// The marginal costs of two results where they are judged by them. nullopt as well for results of an icount that
/// neither gave its stubs a version nor recorded how it built them: they are judged as they were then, by their counts.
std::optional<MarginalPair> judged_marginal(const GateSides& sides, const Result& base, const Result& head);

/// The slopes of two results of base and head that are judged by them.
std::optional<SlopePair> judged_slopes(const GateSides& sides, const Result& base, const Result& head);

}  // namespace icount
