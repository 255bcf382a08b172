// Results of one benchmark on two sides -> their explained difference; two files of results -> what became of each
// benchmark of either. Asks first whether the two were measured alike; then explain/explain.h does the work. `diff` and
// the gate use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/mine/attribution.h"
#include "icount/report/explanation_document.h"
#include "icount/report/suite_text.h"
#include "icount/stats/name_rules.h"
#include "icount/stats/result.h"

namespace icount {

struct CompareResultsOptions {
  ExplainOptions explain;
  bool force = false;               ///< compare what was not measured alike, and say so
  bool c_functions = false;         ///< explain Python statements by C functions, also where Python calls were recorded
  std::optional<NameRules> rename;  ///< rewrites names on both sides before they are matched; a note says so
  const CommitSources* commits = nullptr;  ///< what lies between the sides: the heading then says what is theirs
};

/// One benchmark's result on one side, with what is needed to speak about it.
struct ComparedSide {
  std::string name;  ///< of the file or program
  const ResultFile* file = nullptr;
  const Result* result = nullptr;
};

struct ComparedPair {
  Explanation explanation;
  ExplanationHeading heading;
};

/// Error{kCannotJudge} when a side failed, the two were not measured alike (unless forced), or have no event in common;
/// Error{kUsage} for an event that a side lacks. Where no cost graph was kept the explanation has one cause of kind
/// rest.
ComparedPair compare_results(const ComparedSide& base, const ComparedSide& head, const CompareResultsOptions& options);

/// What became of one benchmark.
struct BenchmarkDiff {
  enum class State { kCompared, kNew, kVanished, kFailed, kNotAlike };
  std::string key;  ///< result_key
  State state = State::kCompared;
  std::string reason;                ///< why it failed or is not comparable
  std::optional<ComparedPair> pair;  ///< when compared
  std::optional<WallTimePair> time;  ///< when both sides were done and timed
};
std::string_view to_text(BenchmarkDiff::State state);

/// Every benchmark of either side: compared ones by magnitude of change, then the others, each group by key.
std::vector<BenchmarkDiff> compare_files(const std::string& base_name, const ResultFile& base,
                                         const std::string& head_name, const ResultFile& head,
                                         const CompareResultsOptions& options);

}  // namespace icount
