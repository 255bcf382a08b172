#include "icount/report/plot_json.h"

#include <algorithm>

namespace icount {
namespace {

Json fit_to_json(const std::optional<PowerFit>& fit) {
  if (!fit) return nullptr;
  return {{"factor", fit->factor}, {"exponent", fit->exponent}};
}

Json cost_to_json(const std::optional<FuzzCost>& cost) { return cost && cost->per_run ? Json(*cost->per_run) : Json(); }

Json cell_to_json(const CompareTable& table, size_t row, size_t column) {
  const Measurement* cell = table.cell(row, column);
  if (!cell) return nullptr;
  std::vector<double> times = cell->times();
  std::sort(times.begin(), times.end());
  Json shown = Json::array();
  const size_t count = std::min(times.size(), kMostTimes);
  for (size_t i = 0; i < count; ++i) shown.push_back(times[count == 1 ? 0 : i * (times.size() - 1) / (count - 1)]);
  Json json = {
      {"median", cell->median()},       {"p25", cell->p25()},       {"p75", cell->p75()}, {"blocks", times.size()},
      {"runs", cell->number_per_run()}, {"times", std::move(shown)}};
  if (const auto& instructions = table.instructions[*table.rows[row].cells[column]])
    json["instructions"] = *instructions;
  return json;
}

}  // namespace

Json fuzz_plot_json(std::string_view name, const FuzzResult& result) {
  Json elements = Json::array(), cost = Json::array(), against = Json::array(), shape = Json::array(),
       sample = Json::array();
  for (const FuzzPoint& point : result.points) {
    sample.push_back(point.sample);
    elements.push_back(point.elements);
    cost.push_back(cost_to_json(point.cost));
    against.push_back(cost_to_json(point.against));
    shape.push_back(point.shape);
  }
  return {{"name", name},
          {"stmt", result.stmt},
          {"against", result.against},
          {"source", result.source},
          {"unit", to_text(result.unit)},
          {"failed", failed_points(result)},
          {"fit", fit_to_json(fit_cost(result))},
          {"fit_against", result.against.empty() ? Json() : fit_to_json(fit_cost(result, true))},
          {"points",
           {{"sample", std::move(sample)},
            {"elements", std::move(elements)},
            {"cost", std::move(cost)},
            {"against", std::move(against)},
            {"shape", std::move(shape)}}}};
}

Json timing_plot_json(const CompareTable& table) {
  Json rows = Json::array();
  for (size_t row = 0; row < table.rows.size(); ++row) {
    Json cells = Json::array();
    for (size_t column = 0; column < table.columns.size(); ++column) cells.push_back(cell_to_json(table, row, column));
    const CompareRow& from = table.rows[row];
    rows.push_back({{"name", from.name},
                    {"threads", from.num_threads},
                    {"env", from.env ? Json(*from.env) : Json()},
                    {"cells", std::move(cells)}});
  }
  return {{"label", table.label ? *table.label : std::string()},
          {"columns", table.columns},
          {"rows", std::move(rows)},
          {"notes", table.notes}};
}

}  // namespace icount
