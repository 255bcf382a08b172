#include "icount/suite/progress_text.h"

#include <fmt/format.h>

#include <cmath>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr size_t kEnoughForARate = 5;

}  // namespace

std::string duration_text(Seconds duration) {
  int64_t seconds = static_cast<int64_t>(std::ceil(duration.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, (seconds % 3600 + 59) / 60);
}

std::string progress_text(const BatchProgress& progress, Seconds elapsed, size_t width) {
  const std::string total = fmt::format("{}", progress.total);
  std::string line = fmt::format("{:>{}}/{}", progress.done, total.size(), total);
  if (progress.failed > 0) line += fmt::format(", {} failed", progress.failed);
  if (progress.done >= kEnoughForARate && elapsed.count() > 0) {
    double rate = static_cast<double>(progress.done) / elapsed.count();
    line += rate >= 1 ? fmt::format(", {:.1f} per second", rate) : fmt::format(", {:.1f} s each", 1 / rate);
    if (progress.done < progress.total) {
      line += fmt::format(", about {} to go",
                          duration_text(Seconds(static_cast<double>(progress.total - progress.done) / rate)));
    }
  }
  const std::string& doing = progress.stage.empty() ? progress.label : progress.stage;
  if (!doing.empty()) line += ": " + doing;
  line = escape_for_terminal(line);
  return width == 0 ? line : shorten_middle(line, width);
}

}  // namespace icount
