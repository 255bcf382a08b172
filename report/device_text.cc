#include "icount/report/device_text.h"

#include <fmt/format.h>

#include <cmath>

#include "icount/base/text.h"

namespace icount {
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
