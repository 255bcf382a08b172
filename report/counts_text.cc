#include "icount/report/counts_text.h"

#include <algorithm>
#include <vector>

#include "icount/stats/python_text.h"

namespace icount {
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

}  // namespace icount
