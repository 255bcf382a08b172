// Results, accepted values and a base -> the Comparison that verdict/gate.h judges, benchmark by benchmark. No effects:
// what is read from disk or measured comes in as values. Called by command_gate.cc; read verdict/gate_values.h first.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "icount/stats/result.h"
#include "icount/store/expected_file.h"
#include "icount/verdict/gate.h"

namespace icount {

/// What a run is compared with. Accepted values win over the base for counts; wall time and what was never accepted
/// come from the base.
struct GateSides {
  std::string head_name;
  const ResultFile* head = nullptr;
  std::string base_name;
  const ResultFile* base = nullptr;  ///< may be null
  std::string expected_name;
  const ExpectedFile* expected = nullptr;  ///< may be null, but not both
  /// Totals of earlier runs by result_key, oldest first; null: no history at hand.
  const std::map<std::string, std::vector<int64_t>>* history = nullptr;
  bool allow_other_build = false;  ///< compare with accepted values of another compiler or other flags all the same
  /// Whether the benchmark of this key was meant to be in head: what it left out on purpose has not vanished. Empty:
  /// every one was.
  std::function<bool(const std::string& key)> selected;
};

Comparison make_comparison(const GateSides& sides, const LimitSet& limits);

/// Why counts of a result can't be compared with accepted ones of these accepted_facts; each in plain words. What only
/// its build has otherwise is among `differences`.
Comparability comparable_to_accepted(const Fingerprint& accepted, const Fingerprint& now);

/// What differs between the circumstances of head and what it is compared with and may be the very thing compared; each
/// sentence once; and which benchmarks are judged by their marginal cost per run (stats/marginal_cost.h).
std::vector<std::string> differences_of(const GateSides& sides);

}  // namespace icount
