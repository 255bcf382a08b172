#include "icount/cli/time_run.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "icount/base/text.h"
#include "icount/report/compare_text.h"
#include "icount/report/measurement_text.h"
#include "icount/stats/compare.h"
#include "icount/store/measurement_file.h"

namespace icount {
namespace {

std::string ratio_text(const PairedRatio& paired, bool names_threads) {
  std::string text = names_threads ? counted(static_cast<size_t>(paired.num_threads), "thread") + ": " : std::string();
  text += fmt::format("against takes {:.4g} times as long as stmt", paired.ratio);
  if (!paired.interval) return text + " (too few rounds for an interval)\n";
  const bool sure = paired.interval->low > 1 || paired.interval->high < 1;
  return text + fmt::format(" (95 % interval {:.4g} to {:.4g}): {}\n", paired.interval->low, paired.interval->high,
                            !sure              ? "can't tell them apart"
                            : paired.ratio > 1 ? "slower"
                                               : "faster");
}

Json ratio_json(const PairedRatio& ratio) {
  Json json{{"ratio", ratio.ratio}};
  if (ratio.interval) json["ratio_interval"] = {ratio.interval->low, ratio.interval->high};
  return json;
}

/// By thread count; of a single one beside the results as well.
void add_ratios(Json& json, const TimeRun& run, const TimeOptions& options) {
  json["ratios"] = Json::array();
  for (const PairedRatio& ratio : run.ratios) {
    Json item = ratio_json(ratio);
    item["num_threads"] = ratio.num_threads;
    json["ratios"].push_back(std::move(item));
  }
  if (options.specs.size() == 2 && !run.ratios.empty()) json.update(ratio_json(run.ratios.front()));
}

}  // namespace

Measurement with_metadata(const Timed& timed, const Json& surroundings) {
  const Measurement& m = *timed.measurement;
  Json metadata{{"surroundings", surroundings}};
  if (!timed.built.empty()) metadata["built"] = timed.built;
  if (timed.instructions) metadata["instructions_per_run"] = *timed.instructions;
  if (timed.allocations) metadata["allocations_per_run"] = *timed.allocations;
  return Measurement(m.number_per_run(), m.raw_times(), m.task_spec(), std::move(metadata));
}

void render_time_run(std::ostream& out, const TimeRun& run, const TimeOptions& options) {
  std::vector<Measurement> all;
  for (const Timed& timed : run.timed)
    if (timed.measurement) all.push_back(with_metadata(timed, run.surroundings));
  // The table of several says it below.
  const bool says_build = options.paired || all.size() == 1;
  for (const Timed& timed : run.timed) {
    if (!timed.measurement) continue;
    out << escape_lines_for_terminal(render_measurement(*timed.measurement)) << '\n';
    if (timed.instructions) out << fmt::format("  {:.7g} instructions per run\n", *timed.instructions);
    if (timed.allocations.value_or(0) != 0)
      out << fmt::format("  {:.7g} allocation{} per run\n", *timed.allocations, *timed.allocations == 1 ? "" : "s");
    for (const std::string& note : timed.notes) out << "  " << escape_for_terminal(note) << '\n';
    if (says_build && !timed.built.empty()) out << "  built: " << escape_for_terminal(timed.built) << '\n';
    out << '\n';
  }
  for (const PairedRatio& ratio : run.ratios) out << ratio_text(ratio, options.specs.size() > 2);
  if (all.size() > 1 && !options.paired) out << render_compare(Compare(all));
}

Json time_run_to_json(const TimeRun& run, const TimeOptions& options) {
  Json json;
  json["schema"] = Json{{"name", "icount-time"}, {"version", 1}};
  json["surroundings"] = run.surroundings;
  json["results"] = Json::array();
  for (size_t i = 0; i < run.timed.size(); ++i) {
    const Timed& timed = run.timed[i];
    Json item{{"stmt", options.specs[i].stmt},
              {"num_threads", options.specs[i].num_threads},
              {"status", timed.measurement ? "done" : "failed"}};
    if (!timed.error.empty()) item["error"] = timed.error;
    if (timed.measurement) {
      item["median_seconds"] = timed.measurement->median();
      item["iqr_seconds"] = timed.measurement->iqr();
      if (timed.instructions) item["instructions_per_run"] = *timed.instructions;
      if (timed.allocations) item["allocations_per_run"] = *timed.allocations;
      item["measurement"] = to_json(*timed.measurement);
    }
    item["notes"] = timed.notes;
    json["results"].push_back(std::move(item));
  }
  if (options.paired) add_ratios(json, run, options);
  return json;
}

}  // namespace icount
