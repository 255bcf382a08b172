#include "icount/report/measurement_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "icount/base/text.h"
#include "icount/stats/python_text.h"
#include "icount/stats/units.h"

namespace icount {
namespace {

// Lines that hold this word are dropped, since PyTorch's own first lines carry it.
constexpr std::string_view kSkippedLine = "MEASUREMENT_REPR_SKIP_LINE";

TimeUnit unit_of(const Measurement& measurement, TimeText style) {
  double median = measurement.median();
  TimeUnit fine = select_fine_unit(median);
  return style == TimeText::kCompatible && fine.name == "ps" ? TimeUnit{"s", 1.0} : fine;
}

std::string figures(const Measurement& measurement, TimeText style) {
  size_t blocks = measurement.raw_times().size();
  if (blocks == 0) return "  No measurements";
  TimeUnit unit = unit_of(measurement, style);
  auto scaled = [&](double seconds) { return seconds / unit.seconds; };
  std::string text =
      fmt::format("  {}{:.2f} {}\n", blocks > 1 ? "Median: " : "", scaled(measurement.median()), unit.name);
  if (blocks >= 4)
    text += fmt::format("  IQR:    {:.2f} {} ({:.2f} to {:.2f})\n", scaled(measurement.iqr()), unit.name,
                        scaled(measurement.p25()), scaled(measurement.p75()));
  int threads = measurement.task_spec().num_threads;
  return text + fmt::format("  {} measurement{}, {} runs {} {} thread{}", blocks, blocks > 1 ? "s" : "",
                            measurement.number_per_run(), blocks > 1 ? "per measurement," : ",", threads,
                            threads > 1 ? "s" : "");
}

std::string warning(const Measurement& measurement) {
  std::string_view advice;
  if (!measurement.meets_confidence(0.25))
    advice = "This suggests significant environmental influence.";
  else if (!measurement.meets_confidence(0.1))
    advice = "This could indicate system fluctuation.";
  else
    return {};
  return fmt::format("\n  WARNING: Interquartile range is {:.1f}% of the median measurement.\n{:11}{}",
                     measurement.relative_iqr() * 100, "", advice);
}

}  // namespace

std::string render_measurement(const Measurement& measurement, TimeText style) {
  std::string whole = task_summary(measurement.task_spec()) + "\n" + figures(measurement, style) + warning(measurement);
  std::string text;
  bool first = true;
  for (std::string_view line : python_splitlines(python_rstrip(whole))) {
    if (line.find(kSkippedLine) != std::string_view::npos) continue;
    text.append(first ? "" : "\n").append(line);
    first = false;
  }
  return text;
}

namespace {

constexpr size_t kLeastNameWidth = 40;
constexpr size_t kRowsAtEachEnd = 9;
constexpr std::string_view kEllipsis = " ... ";

// The sign of a negative count is counted twice, as PyTorch does.
size_t count_width(const FunctionCounts& counts) {
  size_t width = 0;
  for (const FunctionCount& row : counts) width = std::max(width, std::to_string(row.count).size() + (row.count < 0));
  return width;
}

std::string shortened(std::string_view name, size_t width) {
  size_t length = code_point_count(name);
  if (length <= width) return std::string(name);
  size_t left = (width - kEllipsis.size()) / 2;
  size_t right = width - left - kEllipsis.size();
  return std::string(code_points(name, 0, left)).append(kEllipsis).append(code_points(name, length - right, length));
}

std::string padded(int64_t count, size_t width) { return python_rjust(std::to_string(count), width); }

std::string stats_line(std::string_view title, const FunctionCounts& counts) {
  return python_ljust(title, 18) + padded(counts.sum(), 12) + std::string(15, ' ') +
         padded(counts.denoise().sum(), 12) + "\n";
}

}  // namespace

std::string render_counts(const FunctionCounts& counts, size_t line_width) {
  size_t width = count_width(counts);
  size_t name_width = std::max(line_width > width + 4 ? line_width - width - 4 : 0, kLeastNameWidth);
  std::vector<std::string> lines;
  for (const FunctionCount& row : counts)
    lines.push_back("  " + padded(row.count, width) + "  " + shortened(row.function, name_width));
  if (counts.truncate_rows() && lines.size() > 2 * kRowsAtEachEnd) {
    lines.erase(lines.begin() + kRowsAtEachEnd, lines.end() - kRowsAtEachEnd);
    lines.insert(lines.begin() + kRowsAtEachEnd, python_rjust("...", width + 2));
  }
  if (!counts.inclusive()) {
    lines.push_back("");
    lines.push_back("Total: " + std::to_string(counts.sum()));
  }
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) text.append(i > 0 ? "\n" : "").append(lines[i]);
  return text;
}

std::string render_callgrind_stats(const CallgrindStats& stats) {
  int threads = stats.task_spec().num_threads;
  std::string text = task_summary(stats.task_spec()) + "\n";
  text += std::string(27, ' ') + "All" + std::string(10, ' ') + "Noisy symbols removed\n";
  text += stats_line("    Instructions:", stats.stats());
  text += stats_line("    Baseline:", stats.baseline());
  text += std::to_string(stats.number_per_run()) + " runs per measurement, " + std::to_string(threads) +
          (threads > 1 ? " threads" : " thread");
  if (!stats.built_with_debug_symbols())
    text +=
        "\nWarning: PyTorch was not built with debug symbols.\n"
        "         Source information may be limited. Rebuild with\n"
        "         REL_WITH_DEB_INFO=1 for more detailed results.";
  return text;
}

namespace {

/// Four significant figures and the unit that fits: "12.34 us".
std::string duration(double seconds) {
  struct Unit {
    double scale;
    const char* name;
  };
  for (const Unit& unit : {Unit{1, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "us"}})
    if (seconds >= unit.scale) return fmt::format("{:.4g} {}", seconds / unit.scale, unit.name);
  return fmt::format("{:.4g} ns", seconds * 1e9);
}

std::string rate(double per_second, const char* unit) {
  return per_second >= 1e12 ? fmt::format("{:.4g} T{}", per_second / 1e12, unit)
                            : fmt::format("{:.4g} G{}", per_second / 1e9, unit);
}

std::string peak_line(const char* what, double amount, double seconds, double share, const char* unit) {
  if (amount <= 0 || seconds <= 0) return {};
  const std::string of_peak = share > 0 ? fmt::format(", {:.1f} % of the device's peak", share * 100)
                                        : std::string(", the device's peak is not known");
  return fmt::format("  {}{}{}\n", what, rate(amount / seconds, unit), of_peak);
}

}  // namespace

std::string render_device_measurement(const DeviceMeasurement& m) {
  const DeviceFacts& d = m.device;
  std::string out = fmt::format("  {} ({}, {} SMs, driver {}, runtime {})\n", escape_for_terminal(d.name),
                                d.architecture, d.sm_count, d.driver, d.runtime);
  out += fmt::format("  cold    {:>10}  median of {} runs, L2 flushed before each, IQR {:.1f} %\n",
                     duration(m.median_cold()), m.cold_seconds.size(), m.cold_noise() * 100);
  if (!m.hot_seconds.empty())
    out += fmt::format("  hot     {:>10}  median of {} batches of {} runs\n", duration(m.median_hot()),
                       m.hot_seconds.size(), with_thousands(m.hot_runs_per_batch));
  out += fmt::format("  launch  {:>10}  time of the host for one run\n", duration(m.median_launch()));
  const double best = m.hot_seconds.empty() ? m.median_cold() : m.median_hot();
  out += peak_line("memory  ", m.bytes_moved, m.median_cold(), m.share_of_peak_bandwidth(), "B/s");
  out += peak_line("compute ", m.flops, best, m.share_of_peak_flops(), "FLOP/s");
  out += fmt::format("  stopped because {}; SM clock {:.0f} MHz of {:.0f} MHz\n", m.stop_reason, m.sm_clock_hz / 1e6,
                     d.default_sm_clock_hz / 1e6);
  if (m.capped_clock_hz > 0)
    out += fmt::format(
        "  WARNING: the device stays at {:.0f} MHz (a power limit, or a clock set for applications): samples were "
        "judged "
        "against that clock\n",
        m.capped_clock_hz / 1e6);
  if (m.launch_bound)
    out += fmt::format(
        "  WARNING: the host takes {} to queue a run that the device does in {}: hot batches are {} runs that were "
        "queued "
        "beforehand\n",
        duration(m.launch_share * m.median_hot()), duration(m.median_hot()), with_thousands(m.hot_runs_per_batch));
  if (m.throttled > 0)
    out += fmt::format("  WARNING: {} samples were discarded because the device was throttled\n",
                       with_thousands(m.throttled));
  for (const std::string& user : d.other_users)
    out += fmt::format("  WARNING: another process used the device at the same time: {}\n", escape_for_terminal(user));
  return out;
}

}  // namespace icount
