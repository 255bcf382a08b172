#include "icount/report/wall_time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "icount/base/text.h"
#include "icount/stats/median_interval.h"
#include "icount/stats/units.h"

namespace icount {
namespace {

struct Row {
  const WallTimePair* pair;
  WallTimeChange change;
};

double size_of(const WallTimeChange& change) { return change.ratio > 0 ? std::abs(std::log(change.ratio)) : HUGE_VAL; }

std::vector<Row> rows_of(std::span<const WallTimePair> pairs, bool all) {
  std::vector<Row> rows;
  for (const WallTimePair& pair : pairs) {
    const WallTimeChange change = compare_wall_times(pair.base, pair.head);
    if (all || change.sure) rows.push_back({&pair, change});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (a.change.sure != b.change.sure) return a.change.sure;
    const double size_a = size_of(a.change), size_b = size_of(b.change);
    return size_a != size_b ? size_a > size_b : a.pair->key < b.pair->key;
  });
  return rows;
}

std::string change_text(const WallTimeChange& change) {
  return fmt::format("{:+.1f} %{}", 100 * (change.ratio - 1), change.sure ? "" : " ?");
}

Tone tone_of(const WallTimeChange& change) {
  return !change.sure ? Tone::kDim : change.ratio > 1 ? Tone::kWorse : Tone::kBetter;
}

/// What stands below the table; empty when there is nothing to say.
std::string rest_text(size_t pairs, size_t shown) {
  if (shown == pairs) return {};
  return fmt::format("{} of {} wall times can't be told apart (their 95 % intervals overlap); --all shows them",
                     pairs - shown, pairs);
}

std::string model_of(const Measurement& measurement) {
  const Json& metadata = measurement.metadata();
  if (!metadata.is_object() || !metadata.contains("surroundings")) return {};
  const Json& facts = metadata["surroundings"];
  return facts.is_object() && facts.contains("cpu_model") && facts["cpu_model"].is_string()
             ? facts["cpu_model"].get<std::string>()
             : std::string();
}

std::string models_text(std::span<const WallTimePair> pairs) {
  for (const WallTimePair& pair : pairs) {
    const std::string base = model_of(pair.base), head = model_of(pair.head);
    if (base != head)
      return fmt::format("timed on different processors ({} against {}): the wall times say little about the code",
                         base, head);
  }
  return {};
}

}  // namespace

std::string wall_time_text(const Measurement& measurement) {
  const double median = measurement.median();
  const TimeUnit unit = select_fine_unit(median);
  const double figure = trim_sigfig(median, measurement.significant_figures()) / unit.seconds;
  const int digits = std::abs(figure) >= 1 ? 1 + static_cast<int>(std::log10(std::abs(figure))) : 1;
  return fmt::format("{:.{}f} {}", figure, std::max(0, measurement.significant_figures() - digits), unit.name);
}

WallTimeChange compare_wall_times(const Measurement& base, const Measurement& head) {
  WallTimeChange change;
  if (base.median() > 0) change.ratio = head.median() / base.median();
  const std::vector<double> base_times = base.times(), head_times = head.times();
  const auto a = median_interval(base_times), b = median_interval(head_times);
  change.sure = a && b && (a->high < b->low || b->high < a->low);
  return change;
}

Document make_wall_times_document(std::span<const WallTimePair> pairs, bool all) {
  Document out;
  if (pairs.empty()) return out;
  out.gap();
  out.title({"Wall times per run"});
  if (std::string models = models_text(pairs); !models.empty()) out.line(std::move(models));
  const std::vector<Row> rows = rows_of(pairs, all);
  Table table({{"base"}, {"head"}, {"change"}, {"benchmark", Align::kLeft}});
  for (const Row& row : rows)
    table.add_row({{wall_time_text(row.pair->base)},
                   {wall_time_text(row.pair->head)},
                   {change_text(row.change), tone_of(row.change)},
                   {row.pair->key}});
  out.table(std::move(table));
  if (std::string rest = rest_text(pairs.size(), rows.size()); !rest.empty()) out.line(std::move(rest));
  return out;
}

Json wall_times_to_json(std::span<const WallTimePair> pairs) {
  Json list = Json::array();
  for (const WallTimePair& pair : pairs) {
    const WallTimeChange change = compare_wall_times(pair.base, pair.head);
    list.push_back({{"label", pair.key},
                    {"base_seconds", pair.base.median()},
                    {"head_seconds", pair.head.median()},
                    {"ratio", change.ratio},
                    {"sure", change.sure}});
  }
  return list;
}

}  // namespace icount
