// What the gate puts side by side, as values: a run, accepted values, a base, earlier runs. gate/gate_files makes them
// of files and measurements, gate/gate_comparison compares them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "icount/stats/result.h"
#include "icount/store/expected_file.h"
#include "icount/store/result_file.h"
#include "icount/verdict/gate.h"
#include "icount/verdict/growth_limit.h"

namespace icount {

/// What a run is compared with. Accepted values win over the base for counts; wall time and what was never accepted
/// come from the base.
struct GateSides {
  std::string head_name;
  const ResultFile* head = nullptr;
  std::string base_name;
  const ResultFile* base = nullptr;  ///< may be null
  std::string expected_name;
  const ExpectedFile* expected = nullptr;         ///< may be null, but not both
  const ExpectedFile* expected_before = nullptr;  ///< that file as the base's commit has it; null: not known
  /// Totals of earlier runs by result_key, oldest first; null: no history at hand.
  const std::map<std::string, std::vector<int64_t>>* history = nullptr;
  std::vector<GrowthLimit> growths = {};  ///< of the suite's [[growth]] tables
  std::vector<GateKernels> kernels = {};  ///< of its [[kernels]] tables
  bool allow_other_build = false;  ///< compare with accepted values of another compiler or other flags all the same
  /// Whether the benchmark of this key was meant to be in head: what it left out on purpose has not vanished. Empty:
  /// every one was.
  std::function<bool(const std::string& key)> selected;
};

/// Whether a result of the file needs no accepted value until it gets one: a test of `icount tests` or `pytest
/// --icount`.
bool is_test_in(const ResultFile& file, const Result& result);

/// The results of a file by result_key; empty for null.
std::map<std::string, const Result*> results_by_key(const ResultFile* file);

}  // namespace icount
