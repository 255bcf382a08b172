// A timing result: how long blocks of runs of one task took, and the statistics of that, bit for bit
// PyTorch's. The timer makes them, store/ keeps them, stats/compare.h puts them into tables,
// report/measurement_text.h prints one.
//
// Times are seconds per run: raw seconds of a block divided by its runs, sorted as s[0..n-1].
// * median, p25, p75: rank r = q (n - 1), interpolated between its neighbours a and b with w = r - floor(r):
//   a + w (b - a) for w < 1/2, else b - (b - a)(1 - w).
// * mean: ATen's cascade of 4 lanes, 4 accumulators and 4 levels; the rest, then the lanes in order; divided by n.
// * significant figures: of the middle half s[floor(n/4) .. ceil(3n/4)) the population deviation as float32, over the
//   float32 root of its count, times 1.645, at least 25 ns; floor(log10 of the float32 of median / that), within 1..4.
// * unit: floor(log10 of the float32 / 3): -3 ns, -2 us, -1 ms, else s.
// * trim_sigfig(x, k): x / scale rounded once to float32, half to even, times the float32 of
//   scale = 10^(ceil(log10) - k).
// log10 is the double log10 of the float32 value, rounded to float32 (log10f of glibc differs next to powers of ten).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"

namespace icount {

// What was measured, as a value: PyTorch's TaskSpec with its eight fields and the texts made of them.
// Measurements and CallgrindStats carry one; Compare groups by it. The recipe that runs is
// harness/timer_args.h.

/// Equality and order are over all eight fields.
struct TaskSpec {
  std::string stmt;
  std::string setup;
  std::string global_setup;
  std::optional<std::string> label;
  std::optional<std::string> sub_label;
  std::optional<std::string> description;
  std::optional<std::string> env;
  int num_threads = 1;

  auto operator<=>(const TaskSpec&) const = default;
};

/// A statement or set-up as PyTorch keeps it: dedented, one leading line break dropped, white space at
/// the end gone.
std::string clean_statement(std::string_view text);

/// stmt and setup cleaned as for a C++ statement; a setup of "pass" becomes empty. global_setup stays as it
/// is.
TaskSpec clean_cpp_spec(TaskSpec spec);

/// stmt and setup cleaned as for a Python statement. Error{kUsage} for a global_setup, which only C++ knows.
TaskSpec clean_python_spec(TaskSpec spec);

/// What a compiler gets of any of the three texts: dedented once more, since cleaning may have left blank
/// ends behind.
std::string compiler_text(std::string_view text);

/// One line that names the task ("label: sub_label", or the statement), or several for a statement of several
/// lines.
std::string task_title(const TaskSpec& spec);

/// "setup: ..." or "setup:" and indented lines; empty when there is no set-up ("pass" is none).
std::string task_setup_text(const TaskSpec& spec);

/// Title, description and set-up, those that are not empty; a blank line follows each that has several lines.
std::string task_summary(const TaskSpec& spec);

/// sub_label, else stmt, else "[Unknown]": the first that is not empty.
std::string task_row_name(const TaskSpec& spec);

/// Immutable; the statistics are computed once, when it is made. Times are seconds.
class Measurement {
 public:
  /// `raw_times` are seconds per block of `number_per_run` runs, in the order they were taken. Error{kUsage}
  /// when number_per_run is below 1 or a time is not finite.
  Measurement(int64_t number_per_run, std::vector<double> raw_times, TaskSpec task_spec, Json metadata = nullptr);

  int64_t number_per_run() const { return number_per_run_; }
  const std::vector<double>& raw_times() const { return raw_times_; }
  const TaskSpec& task_spec() const { return task_spec_; }
  /// Whatever the maker wanted to keep beside it; null when nothing.
  const Json& metadata() const { return metadata_; }

  /// Seconds per run, in the order taken.
  std::vector<double> times() const;

  /// Seconds per run; -1 each when there are no times.
  double median() const { return median_; }
  double mean() const { return mean_; }
  double p25() const { return p25_; }
  double p75() const { return p75_; }
  /// p75 - p25.
  double iqr() const { return p75_ - p25_; }
  /// iqr / median; 0 when both are 0, infinite when only the median is (PyTorch fails there).
  double relative_iqr() const;
  /// relative_iqr() < threshold.
  bool meets_confidence(double threshold = 0.1) const { return relative_iqr() < threshold; }
  /// Whether the spread is so large that printing warns: 10 % and more.
  bool has_warnings() const { return !meets_confidence(0.1); }
  /// Digits of the median that mean something, 1 to 4; 1 when there are no times or the median is not
  /// positive.
  int significant_figures() const { return significant_figures_; }

  /// The same but for the raw bits of a double: what two files must agree in. NaN never occurs.
  bool operator==(const Measurement& other) const {
    return number_per_run_ == other.number_per_run_ && raw_times_ == other.raw_times_ &&
           task_spec_ == other.task_spec_ && metadata_ == other.metadata_;
  }

 private:
  int64_t number_per_run_;
  std::vector<double> raw_times_;
  TaskSpec task_spec_;
  Json metadata_;
  double median_ = -1, mean_ = -1, p25_ = -1, p75_ = -1;
  int significant_figures_ = 1;
};

/// By which compiler the statement was built, how far optimised: "built" of the metadata; empty: not known.
std::string build_of(const Measurement& measurement);

/// Replicates joined: one Measurement per task in order of first appearance, with all its times per run
/// (number_per_run 1); metadata is dropped.
std::vector<Measurement> merge(std::span<const Measurement> measurements);

}  // namespace icount
