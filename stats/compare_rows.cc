#include "icount/stats/compare_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "icount/stats/python_text.h"

namespace icount {
namespace {

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

}  // namespace

std::string column_key(const Measurement& m) { return m.task_spec().description.value_or(std::string(kNoDescription)); }

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

}  // namespace icount
