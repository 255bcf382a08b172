#include "icount/stats/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/stats/compare_rows.h"
#include "icount/stats/python_text.h"

namespace icount {
namespace {

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
    tables.back().instructions = figures_of(tables.back(), results, "instructions_per_run");
    tables.back().allocations = figures_of(tables.back(), results, "allocations_per_run");
  }
  return tables;
}

std::vector<CompareTable> Compare::tables() const { return make_compare_tables(results_, options_.mode); }

}  // namespace icount
