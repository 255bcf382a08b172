// Many Measurements as tables: PyTorch's Compare. Here is the model (which results, which rows and
// columns, what is in which cell, what was lost or mended on the way); report/compare_text.h, _markdown, _csv
// and _html render it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/stats/measurement.h"
#include "icount/stats/units.h"

namespace icount {

/// What happens where PyTorch loses or breaks something; where it does not, both give the same table.
enum class CompareMode {
  kMended,     ///< nothing is lost: colliding results get rows of their own, odd names and units are shown right
  kCompatible  ///< PyTorch's bytes: of colliding results the last one wins, below 1 ns the unit is s
};

enum class Colorize { kNone, kColumnwise, kRowwise };

/// How tables are shown.
struct CompareOptions {
  bool trim_significant_figures = false;
  Colorize colorize = Colorize::kNone;
  bool highlight_warnings = false;
  CompareMode mode = CompareMode::kMended;
};

enum class CellRank;

/// One row: results of one (threads, env, name).
struct CompareRow {
  int num_threads = 1;
  std::optional<std::string> env;
  std::string name;                          ///< may hold several lines
  std::vector<std::optional<size_t>> cells;  ///< per column: index into CompareTable::results
  size_t thread_block = 0;                   ///< rows of equal num_threads, from 0
  bool opens_thread_block = false;
  bool shows_env = false;  ///< first row of its env within the block, in a table of several envs
};

/// All results of one label. Rows are ordered by (threads, env), then first appearance; columns by first
/// appearance.
struct CompareTable {
  std::optional<std::string> label;
  TimeUnit unit;  ///< chosen from the smallest median
  std::vector<Measurement> results;
  /// Per result: instructions per run, when a replicate's metadata has "instructions_per_run".
  std::vector<std::optional<double>> instructions;
  std::vector<std::optional<double>> allocations;  ///< the same of "allocations_per_run"
  std::vector<std::string> columns;
  std::vector<CompareRow> rows;
  bool shows_envs = false;
  std::vector<std::string> notes;  ///< what was done where PyTorch would have lost something; kMended only

  const Measurement* cell(size_t row, size_t column) const;
  /// Smallest median of a column within one thread block; nullopt when the column is empty there.
  std::optional<double> best_of_column(size_t column, size_t thread_block) const;
  /// Smallest median of a row; nullopt when it is empty.
  std::optional<double> best_of_row(size_t row) const;
  /// Rank of a cell's median within its row (kRowwise) or else its column; kPlain for an empty cell.
  CellRank rank(size_t row, size_t column, Colorize colorize) const;
};

/// A growing list of results and how to show it. Rendering never changes it.
class Compare {
 public:
  explicit Compare(std::vector<Measurement> results = {}) : results_(std::move(results)) {}

  void extend_results(std::span<const Measurement> results) {
    results_.insert(results_.end(), results.begin(), results.end());
  }
  void trim_significant_figures(bool on = true) { options_.trim_significant_figures = on; }
  void colorize(Colorize colorize = Colorize::kColumnwise) { options_.colorize = colorize; }
  void highlight_warnings(bool on = true) { options_.highlight_warnings = on; }
  void set_mode(CompareMode mode) { options_.mode = mode; }

  const std::vector<Measurement>& results() const { return results_; }
  const CompareOptions& options() const { return options_; }
  /// Replicates merged, one table per label in order of first appearance.
  std::vector<CompareTable> tables() const;

 private:
  std::vector<Measurement> results_;
  CompareOptions options_;
};

/// What Compare::tables does, as a function.
std::vector<CompareTable> make_compare_tables(std::span<const Measurement> results, CompareMode mode);

/// How a time stands against the best of its column or row: PyTorch's limits for colours.
enum class CellRank {
  kBest,  ///< within 1 % or 100 ns of the best
  kGood,  ///< within 10 %
  kPlain,
  kBad,    ///< twice the best or more
  kWorst,  ///< five times or more
};
CellRank rank_of(double value, double best);

/// Stands for an absent description or env where others are present.
constexpr std::string_view kNoDescription = "(no description)";
constexpr std::string_view kNoEnv = "no env";

}  // namespace icount
