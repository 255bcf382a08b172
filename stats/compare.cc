#include "icount/stats/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "icount/stats/python_text.h"

namespace icount {
namespace {

// Which result of a comparison goes to which row and cell, and what happens when two want the same one.

using RowKey = std::tuple<int, std::optional<std::string>, std::string>;

RowKey row_key(const Measurement& m) {
  return {m.task_spec().num_threads, m.task_spec().env, task_row_name(m.task_spec())};
}

size_t index_of(const auto& values, const auto& value) {
  return std::find(values.begin(), values.end(), value) - values.begin();
}

bool same_code(const TaskSpec& a, const TaskSpec& b) {
  return a.stmt == b.stmt && a.setup == b.setup && a.global_setup == b.global_setup;
}

// Places the results of one row key. A cell can take one result; in kMended every further one goes to a
// variant of the row, to the one that holds the same statement if there is such.
class RowPlacer {
 public:
  RowPlacer(const CompareTable& table, CompareMode mode) : table_(table), mode_(mode), variants_(1) {
    variants_[0].resize(table.columns.size());
  }

  void place(size_t result, size_t column) {
    if (mode_ == CompareMode::kCompatible) {
      variants_[0][column] = result;
      return;
    }
    auto holder = std::find_if(variants_.begin(), variants_.end(),
                               [&](const Cells& cells) { return !cells[column] && holds_code_of(cells, result); });
    if (holder == variants_.end())
      holder = std::find_if(variants_.begin(), variants_.end(), [&](const Cells& cells) { return !cells[column]; });
    if (holder == variants_.end()) holder = variants_.insert(variants_.end(), Cells(table_.columns.size()));
    (*holder)[column] = result;
  }

  const std::vector<std::vector<std::optional<size_t>>>& variants() const { return variants_; }

 private:
  using Cells = std::vector<std::optional<size_t>>;

  bool holds_code_of(const Cells& cells, size_t result) const {
    return std::any_of(cells.begin(), cells.end(), [&](std::optional<size_t> other) {
      return other && same_code(table_.results[*other].task_spec(), table_.results[result].task_spec());
    });
  }

  const CompareTable& table_;
  CompareMode mode_;
  std::vector<Cells> variants_;
};

std::string first_line(std::string_view text) {
  constexpr size_t kShown = 60;
  std::vector<std::string_view> lines = python_splitlines(text);
  if (lines.empty()) return "";
  std::string_view shown = code_points(lines[0], 0, kShown);
  return std::string(shown) + (shown.size() < text.size() ? " ..." : "");
}

// "'a' is `x + y`, 'a [2]' is `x * y`": what tells colliding rows apart, the statement or else a set-up.
std::string told_apart(const CompareTable& table, size_t first_row) {
  std::vector<const TaskSpec*> specs;
  for (size_t row = first_row; row < table.rows.size(); ++row)
    for (const std::optional<size_t>& cell : table.rows[row].cells)
      if (cell) {
        specs.push_back(&table.results[*cell].task_spec());
        break;
      }
  const auto differ = [&](std::string TaskSpec::*part) {
    return std::any_of(specs.begin(), specs.end(), [&](const TaskSpec* s) { return s->*part != specs[0]->*part; });
  };
  const bool by_stmt = differ(&TaskSpec::stmt), by_setup = !by_stmt && differ(&TaskSpec::setup);
  const auto part = by_stmt ? &TaskSpec::stmt : by_setup ? &TaskSpec::setup : &TaskSpec::global_setup;
  const std::string_view verb = by_stmt ? "is" : by_setup ? "has the set-up" : "has the global set-up";
  std::string text;
  for (size_t i = 0; i < specs.size(); ++i)
    text += fmt::format("{}'{}' {} `{}`", i > 0 ? ", " : "", table.rows[first_row + i].name, verb,
                        first_line(specs[i]->*part));
  return text;
}

void add_rows(CompareTable& table, const RowKey& key, const RowPlacer& placer) {
  const auto& variants = placer.variants();
  size_t first_row = table.rows.size();
  for (size_t v = 0; v < variants.size(); ++v) {
    CompareRow row;
    std::tie(row.num_threads, row.env, row.name) = key;
    if (v > 0) row.name += fmt::format(" [{}]", v + 1);
    row.cells = variants[v];
    table.rows.push_back(std::move(row));
  }
  if (variants.size() > 1)
    table.notes.push_back(fmt::format("row '{}' holds {} different statements in one column: {}", std::get<2>(key),
                                      variants.size(), told_apart(table, first_row)));
}

/// The column that a result belongs to: its description.
std::string column_key(const Measurement& m) { return m.task_spec().description.value_or(std::string(kNoDescription)); }

/// Makes table.rows of table.results; table.columns must be there. In kMended results that collide get rows of their
/// own and a note.
void fill_compare_rows(CompareTable& table, CompareMode mode) {
  std::vector<RowKey> keys;
  for (const Measurement& result : table.results) keys.push_back(row_key(result));
  keys = ordered_unique(keys);
  // An absent env comes before every other; PyTorch can't order it at all.
  std::stable_sort(keys.begin(), keys.end(), [](const RowKey& a, const RowKey& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<RowPlacer> placers(keys.size(), RowPlacer(table, mode));
  for (size_t i = 0; i < table.results.size(); ++i)
    placers[index_of(keys, row_key(table.results[i]))].place(i, index_of(table.columns, column_key(table.results[i])));
  for (size_t k = 0; k < keys.size(); ++k) add_rows(table, keys[k], placers[k]);
}

// Which rows open a block of threads and which show their env. As PyTorch starts each block with
// a prior env of "", an env of "" there is not shown.
void mark_blocks(CompareTable& table) {
  std::vector<std::optional<std::string>> envs;
  for (const CompareRow& row : table.rows) envs.push_back(row.env);
  table.shows_envs = ordered_unique(envs).size() > 1;
  std::optional<std::string> prior_env;
  size_t block = 0;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    CompareRow& row = table.rows[i];
    row.opens_thread_block = i == 0 || row.num_threads != table.rows[i - 1].num_threads;
    block += i > 0 && row.opens_thread_block;
    row.thread_block = block;
    if (row.opens_thread_block) prior_env = "";
    row.shows_env = table.shows_envs && row.env != prior_env;
    prior_env = row.env;
  }
}

void choose_unit(CompareTable& table, CompareMode mode) {
  double smallest = 0;
  for (const Measurement& result : table.results)
    if (result.median() > 0 && (smallest == 0 || result.median() < smallest)) smallest = result.median();
  table.unit = select_fine_unit(smallest);
  if (mode == CompareMode::kCompatible && table.unit.name == "ps") table.unit = {"s", 1.0};
}

// A result without times has no median and no place in a table.
void drop_empty_results(CompareTable& table) {
  std::erase_if(table.results, [&](const Measurement& result) {
    if (!result.raw_times().empty()) return false;
    table.notes.push_back(fmt::format("left out because it has no times: row '{}', column '{}'",
                                      task_row_name(result.task_spec()), column_key(result)));
    return true;
  });
}

bool has_several_lines(std::string_view text) { return python_splitlines(text).size() > 1; }

void note_odd_names(CompareTable& table) {
  auto any_result = [&](auto fits) { return std::any_of(table.results.begin(), table.results.end(), fits); };
  if (any_result([](const Measurement& m) { return !m.task_spec().description; }))
    table.notes.push_back(fmt::format("results without a description are in the column '{}'", kNoDescription));
  if (table.shows_envs && any_result([](const Measurement& m) { return !m.task_spec().env; }))
    table.notes.push_back(fmt::format("results without an env are marked '({})'", kNoEnv));
  if (any_result([](const Measurement& m) { return has_several_lines(task_row_name(m.task_spec())); }))
    table.notes.push_back("multi-line names take several rows; their figures are on the first");
  auto spans_lines = [](const std::optional<std::string>& text) { return text && has_several_lines(*text); };
  if (spans_lines(table.label) || any_result([&](const Measurement& m) {
        return spans_lines(m.task_spec().description) || spans_lines(m.task_spec().env);
      }))
    table.notes.push_back("labels, descriptions and envs of several lines are shown on one");
  if (table.unit.name == "ps") table.notes.push_back("the smallest median is below 1 ns, so times are in picoseconds");
  if (any_result([](const Measurement& m) { return m.median() <= 0; }))
    table.notes.push_back("a median is zero or negative: the clock is too coarse or went backwards");
}

CompareTable make_table(std::optional<std::string> label, std::vector<Measurement> results, CompareMode mode) {
  CompareTable table;
  table.label = std::move(label);
  table.results = std::move(results);
  drop_empty_results(table);
  choose_unit(table, mode);
  for (const Measurement& result : table.results) table.columns.push_back(column_key(result));
  table.columns = ordered_unique(table.columns);
  fill_compare_rows(table, mode);
  mark_blocks(table);
  note_odd_names(table);
  if (mode == CompareMode::kCompatible) table.notes.clear();
  return table;
}

// Merging drops metadata, so the counts are taken from the replicates; the last one that has a count wins.
std::vector<std::optional<double>> figures_of(const CompareTable& table, std::span<const Measurement> replicates,
                                              const char* name) {
  std::vector<std::optional<double>> figures(table.results.size());
  for (const Measurement& replicate : replicates) {
    if (!replicate.metadata().is_object()) continue;
    auto count = replicate.metadata().find(name);
    if (count == replicate.metadata().end() || !count->is_number()) continue;
    for (size_t i = 0; i < table.results.size(); ++i)
      if (table.results[i].task_spec() == replicate.task_spec()) figures[i] = count->get<double>();
  }
  return figures;
}

/// "built: A", or each build with the columns of its results; the times of a cell may be of several.
void note_builds(CompareTable& table, std::span<const Measurement> replicates) {
  std::vector<std::pair<std::string, std::vector<std::string>>> builds;  // with their columns
  for (const Measurement& replicate : replicates) {
    const std::string built = build_of(replicate);
    const auto is_same_task = [&](const Measurement& result) { return result.task_spec() == replicate.task_spec(); };
    if (built.empty() || std::none_of(table.results.begin(), table.results.end(), is_same_task)) continue;
    auto at = std::find_if(builds.begin(), builds.end(), [&](const auto& known) { return known.first == built; });
    if (at == builds.end()) at = builds.insert(at, {built, {}});
    at->second.push_back(column_key(replicate));
  }
  std::string text;
  for (auto& [built, columns] : builds) {
    text += (text.empty() ? "" : "; ") + built;
    if (builds.size() > 1) text += fmt::format(" ({})", fmt::join(ordered_unique(columns), ", "));
  }
  if (!text.empty()) table.notes.push_back("built: " + text);
}

}  // namespace

const Measurement* CompareTable::cell(size_t row, size_t column) const {
  const std::optional<size_t>& at = rows[row].cells[column];
  return at ? &results[*at] : nullptr;
}

std::optional<double> CompareTable::best_of_column(size_t column, size_t thread_block) const {
  std::optional<double> best;
  for (size_t row = 0; row < rows.size(); ++row)
    if (const Measurement* m = cell(row, column); m && rows[row].thread_block == thread_block)
      best = best ? std::min(*best, m->median()) : m->median();
  return best;
}

std::optional<double> CompareTable::best_of_row(size_t row) const {
  std::optional<double> best;
  for (size_t column = 0; column < columns.size(); ++column)
    if (const Measurement* m = cell(row, column)) best = best ? std::min(*best, m->median()) : m->median();
  return best;
}

CellRank CompareTable::rank(size_t row, size_t column, Colorize colorize) const {
  const Measurement* m = cell(row, column);
  if (!m) return CellRank::kPlain;
  std::optional<double> best =
      colorize == Colorize::kRowwise ? best_of_row(row) : best_of_column(column, rows[row].thread_block);
  return rank_of(m->median(), *best);
}

CellRank rank_of(double value, double best) {
  if (value <= best * 1.01 || value <= best + 100e-9) return CellRank::kBest;
  if (value <= best * 1.1) return CellRank::kGood;
  if (value >= best * 5) return CellRank::kWorst;
  if (value >= best * 2) return CellRank::kBad;
  return CellRank::kPlain;
}

std::vector<CompareTable> make_compare_tables(std::span<const Measurement> results, CompareMode mode) {
  std::vector<std::optional<std::string>> labels;
  std::vector<std::vector<Measurement>> groups;
  for (Measurement& result : merge(results)) {
    const size_t group = std::find(labels.begin(), labels.end(), result.task_spec().label) - labels.begin();
    if (group == labels.size()) {
      labels.push_back(result.task_spec().label);
      groups.emplace_back();
    }
    groups[group].push_back(std::move(result));
  }
  std::vector<CompareTable> tables;
  for (size_t i = 0; i < labels.size(); ++i) {
    tables.push_back(make_table(labels[i], std::move(groups[i]), mode));
    if (mode == CompareMode::kMended) note_builds(tables.back(), results);
    tables.back().instructions = figures_of(tables.back(), results, "instructions_per_run");
    tables.back().allocations = figures_of(tables.back(), results, "allocations_per_run");
  }
  return tables;
}

std::vector<CompareTable> Compare::tables() const { return make_compare_tables(results_, options_.mode); }

}  // namespace icount
