// Results -> accepted values: what `icount accept` writes down, and what it refuses to take over without a person. On
// values; cli/command_accept.cc reads and writes the files. Read store/expected_file.h first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/store/expected_file.h"
#include "icount/verdict/gate.h"
#include "icount/verdict/growth_limit.h"

namespace icount {

/// What changed in the file of accepted values, for the person.
struct AcceptedChange {
  std::string name;  ///< "Math / add: Ir"
  std::optional<int64_t> before, after;
};

struct AcceptRules {
  std::string result_name;  ///< stands for the results in messages
  std::string why;          ///< kept beside each value that changes; a refresh has none
  bool refresh = false;     ///< the reference stays, unless the value fell below it
};

class Accepter {
 public:
  /// `limits` say which numbers beside the totals are kept. Both references must outlive the object.
  Accepter(AcceptRules rules, const LimitSet& limits, ExpectedFile& expected)
      : rules_(std::move(rules)), limits_(limits), expected_(expected) {}

  /// Writes down a result of `file` that has counts; lines of the benchmark that it has no number for go.
  void accept(const ResultFile& file, const Result& result);
  /// Writes down how functions grow in the results that differ in their size alone, where `is_meant` says so of their
  /// key without the size; what such a key had before goes.
  void accept_growths(const ResultFile& file, const std::vector<GrowthLimit>& growths,
                      const std::function<bool(const std::string& key)>& is_meant);
  /// Takes every line of the benchmark out that is not in `kept`.
  void drop(const std::string& key, const std::set<Measure>& kept);
  /// So far, in the order they were made.
  const std::vector<AcceptedChange>& changes() const { return changes_; }

 private:
  /// How a result was measured.
  struct Measured {
    Fingerprint facts;
    std::string conditions;
    int64_t number_per_run = 1;
    int64_t spread = 0;  ///< of the total
    Measure total;
    std::optional<int64_t> marginal;  ///< stands for the total where the cost per run depends on the number of runs
  };
  void take(const std::string& key, const MeasuredValue& value, const Measured& measured);

  AcceptRules rules_;
  const LimitSet& limits_;
  ExpectedFile& expected_;
  std::vector<AcceptedChange> changes_;
};

/// Whether a label means a benchmark: the one of that name and all below it.
bool is_below(std::string_view key, std::string_view label);

/// The fewest labels that mean `keys` and no other of `all`, which has them; none where these are all.
std::vector<std::string> labels_of(const std::set<std::string>& keys, const std::set<std::string>& all);

/// What a refresh must not take over: values above their limits first, then benchmarks that were measured or built
/// otherwise than the accepted ones. Empty: everything may be taken over; what is new may.
std::vector<Finding> refused_by_refresh(const ResultFile& file, const std::string& result_name,
                                        const ExpectedFile& expected, const std::string& expected_name,
                                        const LimitSet& limits);

}  // namespace icount
