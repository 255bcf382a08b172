#include "icount/report/fuzz_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "icount/base/text.h"
#include "icount/report/document.h"

namespace icount {
namespace {

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double kLevels = 8;

// Where `value` lies between the ends, from 0 to 1 in the logarithm; 0 when there is no stretch between them.
double share_of(double value, double low, double high) {
  if (!(high > low)) return 0;
  return (std::log2(value) - std::log2(low)) / (std::log2(high) - std::log2(low));
}

size_t bucket(double share, double count) {
  return static_cast<size_t>(std::clamp(std::floor(share * count), 0.0, count - 1));
}

bool is_inside(const std::pair<double, double>& point, const ScatterRange& range) {
  return point.first >= range.low_x && point.first <= range.high_x && point.second >= range.low_y &&
         point.second <= range.high_y;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

ScatterRange scatter_range(std::span<const std::pair<double, double>> points, const ScatterRange* joined) {
  ScatterRange range;
  bool is_first = joined == nullptr;
  if (joined) range = *joined;
  for (const auto& [x, y] : points) {
    if (!(x > 0 && y > 0)) continue;
    if (is_first) range = {x, x, y, y};
    is_first = false;
    range = {std::min(range.low_x, x), std::max(range.high_x, x), std::min(range.low_y, y), std::max(range.high_y, y)};
  }
  return range;
}

std::string render_scatter(std::span<const std::pair<double, double>> points, const ScatterRange& range,
                           size_t columns) {
  std::vector<std::vector<double>> cells(columns);
  for (const auto& point : points)
    if (is_inside(point, range))
      cells[bucket(share_of(point.first, range.low_x, range.high_x), static_cast<double>(columns))].push_back(
          point.second);
  std::string text;
  for (const std::vector<double>& cell : cells)
    text += cell.empty() ? " " : kBlocks[bucket(share_of(median(cell), range.low_y, range.high_y), kLevels)];
  return text;
}

namespace {

using Points = std::vector<std::pair<double, double>>;

constexpr size_t kScatterColumns = 60;

std::string cost_text(double cost, FuzzUnit unit) {
  if (unit == FuzzUnit::kInstructions) return with_thousands(std::llround(cost));
  return fmt::format("{:.4g} us", cost * 1e6);
}

std::string per_element_text(double cost, FuzzUnit unit) {
  return unit == FuzzUnit::kInstructions ? fmt::format("{:.4g}", cost) : fmt::format("{:.4g} ns", cost * 1e9);
}

std::string difference_text(double difference) { return fmt::format("{:+.2f} %", difference * 100); }

Points points_of(const FuzzResult& result, bool second) {
  Points points;
  for (const FuzzPoint& point : result.points) {
    if (second && !point.against) continue;
    const FuzzCost& cost = second ? *point.against : point.cost;
    if (cost.per_run) points.emplace_back(static_cast<double>(point.elements), *cost.per_run);
  }
  return points;
}

class FuzzText {
 public:
  FuzzText(std::ostream& out, const FuzzResult& result, const FuzzTextOptions& options, const TextStyle& style)
      : out_(out), result_(result), options_(options), style_(style), two_(!result.against.empty()) {}

  void render() {
    heading();
    fits();
    scatter();
    if (two_) differences();
    extremes();
    failures();
  }

 private:
  void heading() {
    out_ << paint(escape_for_terminal(result_.stmt), Tone::kBold, style_);
    if (two_) out_ << "  against  " << paint(escape_for_terminal(result_.against), Tone::kBold, style_);
    out_ << fmt::format("\n{} samples of {}, seed {}; {} per run\n", result_.points.size(),
                        escape_for_terminal(result_.source), result_.seed, to_text(result_.unit));
    const double attempts = 1 / (1 - std::min(result_.rejection_rate, 0.999999));
    out_ << fmt::format("{:.1f} candidates were drawn per sample\n", attempts);
  }

  void fits() {
    fit_line("cost", fit_cost(result_));
    if (two_) fit_line("against", fit_cost(result_, true));
  }

  void fit_line(std::string_view name, const std::optional<PowerFit>& fit) {
    if (!fit) {
      out_ << fmt::format("{}: too few sizes to fit how it grows\n", name);
      return;
    }
    const double within = (std::exp2(fit->residual_log2) - 1) * 100;
    out_ << fmt::format("{}: grows as elements^{:.3f}; typically within {:.0f} % of {} * elements^{:.3f}\n", name,
                        fit->exponent, within, per_element_text(fit->factor, result_.unit), fit->exponent);
  }

  void scatter() {
    const Points first = points_of(result_, false), second = points_of(result_, true);
    if (first.empty()) return;
    ScatterRange range = scatter_range(first);
    if (two_) range = scatter_range(second, &range);
    out_ << fmt::format("\n  {} |{}| {}\n", "cost   ", render_scatter(first, range, kScatterColumns),
                        cost_text(range.high_y, result_.unit));
    if (two_) out_ << fmt::format("  against |{}|\n", render_scatter(second, range, kScatterColumns));
    const std::string low = with_thousands(std::llround(range.low_x)),
                      high = with_thousands(std::llround(range.high_x));
    const size_t gap = kScatterColumns + 2 - std::min(kScatterColumns, low.size() + high.size());
    out_ << fmt::format("           {}{}{} elements (both axes logarithmic; lowest {})\n", low,
                        std::string(gap - 2, ' '), high, cost_text(range.low_y, result_.unit));
  }

  void differences() {
    const std::vector<size_t> order = by_difference(result_);
    if (order.empty()) return;
    out_ << "\nwhere the two differ most (relative to their mean; + means the second costs more)\n";
    Table table({{"difference"}, {"cost"}, {"against"}, {"elements"}, {"sample"}, {"shape", Align::kLeft}});
    const size_t shown = options_.top == 0 ? order.size() : std::min(order.size(), options_.top);
    for (size_t i = 0; i < shown; ++i) {
      const FuzzPoint& point = result_.points[order[i]];
      const double difference = *relative_difference(point);
      const Tone tone = difference > 0 ? Tone::kWorse : difference < 0 ? Tone::kBetter : Tone::kPlain;
      table.add_row({{difference_text(difference), tone},
                     {cost_text(*point.cost.per_run, result_.unit)},
                     {cost_text(*point.against->per_run, result_.unit)},
                     {with_thousands(point.elements)},
                     {fmt::format("{}", point.sample)},
                     {point.shape}});
    }
    table.render_text(out_, style_);
  }

  void extremes() {
    const std::vector<size_t> order = by_cost_per_element(result_);
    if (order.empty()) return;
    if (options_.top == 0 || order.size() <= 2 * options_.top)
      return rows("by cost per element, cheapest first", order);
    const auto top = static_cast<std::ptrdiff_t>(options_.top);
    rows("cheapest per element", {order.begin(), order.begin() + top});
    rows("most expensive per element", {order.rbegin(), order.rbegin() + top});
  }

  void rows(std::string_view title, const std::vector<size_t>& order) {
    out_ << '\n' << title << '\n';
    Table table({{"per element"}, {"cost"}, {"elements"}, {"sample"}, {"shape", Align::kLeft}});
    for (const size_t index : order) {
      const FuzzPoint& point = result_.points[index];
      table.add_row({{per_element_text(*point.cost.per_run / static_cast<double>(point.elements), result_.unit)},
                     {cost_text(*point.cost.per_run, result_.unit)},
                     {with_thousands(point.elements)},
                     {fmt::format("{}", point.sample)},
                     {point.shape}});
    }
    table.render_text(out_, style_);
  }

  void failures() {
    const int64_t failed = failed_points(result_);
    if (failed == 0) return;
    out_ << fmt::format("\n{} of {} samples have no cost\n", failed, result_.points.size());
    for (const FuzzPoint& point : result_.points) {
      failure(point, point.cost, "cost");
      if (point.against) failure(point, *point.against, "against");
    }
  }

  void failure(const FuzzPoint& point, const FuzzCost& cost, std::string_view which) {
    if (cost.per_run) return;
    out_ << fmt::format("  sample {} ({}), {}: {}{}{}\n", point.sample, escape_for_terminal(point.shape), which,
                        cost.status, cost.error.empty() ? "" : ": ", escape_for_terminal(cost.error));
  }

  std::ostream& out_;
  const FuzzResult& result_;
  const FuzzTextOptions& options_;
  const TextStyle& style_;
  bool two_;
};

}  // namespace

void render_fuzz_text(std::ostream& out, const FuzzResult& result, const FuzzTextOptions& options,
                      const TextStyle& style) {
  FuzzText(out, result, options, style).render();
}

}  // namespace icount
