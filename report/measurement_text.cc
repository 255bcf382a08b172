#include "icount/report/measurement_text.h"

#include <fmt/format.h>

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

}  // namespace icount
