#include <nanobind/operators.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "icount/report/measurement_text.h"
#include "icount/stats/callgrind_stats.h"
#include "icount/stats/function_counts.h"

namespace icount::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

using Rows = std::vector<std::pair<int64_t, std::string>>;

FunctionCounts make_counts(Rows rows, bool inclusive, bool truncate_rows) {
  std::vector<FunctionCount> counts;
  counts.reserve(rows.size());
  for (auto& [count, function] : rows) counts.push_back({count, std::move(function)});
  return FunctionCounts(std::move(counts), inclusive, truncate_rows);
}

Rows rows_of(const FunctionCounts& counts) {
  Rows rows;
  rows.reserve(counts.size());
  for (const FunctionCount& row : counts) rows.emplace_back(row.count, row.function);
  return rows;
}

CallgrindStats make_stats(TaskSpec task_spec, int64_t number_per_run, bool built_with_debug_symbols,
                          const FunctionCounts& baseline, const FunctionCounts& stmt) {
  CallgrindStats::Parts parts;
  parts.task_spec = std::move(task_spec);
  parts.number_per_run = number_per_run;
  parts.built_with_debug_symbols = built_with_debug_symbols;
  parts.baseline_exclusive = baseline;
  parts.stmt_exclusive = stmt;
  return CallgrindStats(std::move(parts));
}

FunctionCounts standardized(const FunctionCounts& counts) {
  FunctionCounts result = counts;
  const NameRules& rules = compatible_rules();
  for (size_t rule = 0; rule < rules.size(); ++rule)
    result = result.transform([&](std::string_view name) { return rules.apply_one(rule, name); });
  return result;
}

}  // namespace

void bind_counts(nb::module_& module) {
  nb::class_<FunctionCounts>(module, "FunctionCounts")
      .def(
          "__init__",
          [](FunctionCounts* self, Rows rows, bool inclusive, bool truncate_rows) {
            new (self) FunctionCounts(make_counts(std::move(rows), inclusive, truncate_rows));
          },
          "rows"_a, "inclusive"_a, "truncate_rows"_a)
      .def("rows", rows_of)
      .def("__len__", &FunctionCounts::size)
      .def_prop_ro("inclusive", &FunctionCounts::inclusive)
      .def_prop_ro("truncate_rows", &FunctionCounts::truncate_rows)
      .def("sum", &FunctionCounts::sum)
      .def("filter", &FunctionCounts::filter, "fits"_a)
      .def("transform", &FunctionCounts::transform, "rewrite"_a)
      .def("denoise", &FunctionCounts::denoise)
      .def("standardized", standardized)
      .def("__add__", [](const FunctionCounts& a, const FunctionCounts& b) { return a + b; })
      .def("__sub__", [](const FunctionCounts& a, const FunctionCounts& b) { return a - b; })
      .def("times_integer", [](const FunctionCounts& a, int64_t factor) { return a.times(factor); })
      .def("times_number", [](const FunctionCounts& a, double factor) { return a.times(factor); })
      .def("__eq__", [](const FunctionCounts& a, const FunctionCounts& b) { return a == b; })
      .def(
          "text", [](const FunctionCounts& self, size_t line_width) { return render_counts(self, line_width); },
          "line_width"_a);
  module.def(
      "callgrind_stats_text",
      [](TaskSpec task_spec, int64_t number_per_run, bool built_with_debug_symbols, const FunctionCounts& baseline,
         const FunctionCounts& stmt) {
        return render_callgrind_stats(
            make_stats(std::move(task_spec), number_per_run, built_with_debug_symbols, baseline, stmt));
      },
      "task_spec"_a, "number_per_run"_a, "built_with_debug_symbols"_a, "baseline"_a, "stmt"_a);
}

}  // namespace icount::python
