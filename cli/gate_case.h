// The two sides of a gate as they become known: what can be read is opened, and said to be wrong, before anything is
// measured; then head is measured; then the base, where it is needed. Used by cli/command_gate.cc; read
// gate/gate_comparison.h first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "icount/cli/gate_options.h"
#include "icount/console/command_spec.h"
#include "icount/gate/gate_base.h"
#include "icount/gate/gate_comparison.h"
#include "icount/gate/kernel_tables.h"
#include "icount/store/expected_file.h"

namespace icount {

/// What is judged, and where everything about it stands.
struct GateHead {
  ResultFile file;  ///< empty until a suite is measured
  bool to_measure = false;
  bool is_profile = false;
  std::string small_collection;           ///< of a profile, as LoadedProfile has it
  std::string suite;                      ///< whose limits count; empty: none
  Suite definition = {};                  ///< that suite; empty: none
  std::vector<GrowthLimit> growths = {};  ///< its
  std::vector<KernelsJob> kernels = {};   ///< likewise, as far as benchmarks are not restricted
  std::string expected;                   ///< file of accepted values; empty: none
};

/// What the verdict's numbers were compared with, and what explains them.
struct GateBases {
  std::optional<ExpectedFile> expected;
  std::optional<ExpectedFile> expected_before;  ///< as it was where --base-ref and head part
  std::optional<BaseSide> base;
  JudgedKernels kernels = {};
};

struct Judgement {
  Comparison comparison;
  Verdict verdict;
};

/// Measures suites of other commits as the options say; their relative paths mean the caller's working folder.
MeasureSuite suite_measurer(SuiteRunOptions measuring, CommandContext& context);

/// A result is read, a suite only found. Error{kUsage} for a result that options are given for which say how a suite is
/// measured, or of which they leave nothing.
GateHead open_head(const GateOptions& options, CommandContext& context);

/// Accepted values and a base that is there already. Error{kUsage} when git does not know the commit of --base-ref,
/// Error{kCannotJudge} when there is nothing to compare with.
GateBases open_bases(const GateOptions& options, const GateHead& head, CommandContext& context);

/// Measures the suite, if head is one.
void measure_head(const GateOptions& options, GateHead& head, CommandContext& context);

/// Measures the commit that --base-ref names where it is needed: always without accepted values, else when there is
/// something to explain. Compares kernels with it.
void complete_bases(const GateOptions& options, GateHead& head, const LimitSet& limits, GateBases& bases,
                    CommandContext& context);

/// `kind` of --allow.
bool allows(const GateOptions& options, std::string_view kind);

Judgement judge_sides(const GateOptions& options, const GateHead& head, const GateBases& bases, const LimitSet& limits);

}  // namespace icount
