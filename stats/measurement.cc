#include "icount/stats/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "icount/base/error.h"
#include "icount/stats/python_text.h"
#include "icount/stats/quantile.h"
#include "icount/stats/units.h"

namespace icount {
namespace {

constexpr std::string_view kIndent = "  ";

bool has_lines(std::string_view text) { return text.find('\n') != std::string_view::npos; }

}  // namespace

std::string clean_statement(std::string_view text) {
  std::string cleaned = python_dedent(text);
  std::string_view view = cleaned;
  if (view.starts_with('\n')) view.remove_prefix(1);
  return std::string(python_rstrip(view));
}

TaskSpec clean_cpp_spec(TaskSpec spec) {
  spec.stmt = clean_statement(spec.stmt);
  spec.setup = spec.setup == "pass" ? "" : clean_statement(spec.setup);
  return spec;
}

TaskSpec clean_python_spec(TaskSpec spec) {
  if (!spec.global_setup.empty())
    throw Error(ErrorKind::kUsage, "global_setup is C++ only; a Python statement was given '" + spec.global_setup +
                                       "'; put it into setup");
  spec.stmt = clean_statement(spec.stmt);
  spec.setup = clean_statement(spec.setup);
  return spec;
}

std::string compiler_text(std::string_view text) { return python_dedent(text); }

std::string task_title(const TaskSpec& spec) {
  bool has_sub_label = spec.sub_label && !spec.sub_label->empty();
  if (spec.label || !has_lines(spec.stmt)) {
    const std::string& name = spec.label ? *spec.label : spec.stmt;
    return has_sub_label ? name + ": " + *spec.sub_label : name;
  }
  std::string head = has_sub_label ? "stmt: (" + *spec.sub_label + ")" : "stmt:";
  return head + "\n" + python_indent(spec.stmt, kIndent);
}

std::string task_setup_text(const TaskSpec& spec) {
  if (spec.setup.empty() || spec.setup == "pass") return {};
  return has_lines(spec.setup) ? "setup:\n" + python_indent(spec.setup, kIndent) : "setup: " + spec.setup;
}

std::string task_summary(const TaskSpec& spec) {
  std::string summary;
  for (const std::string& section : {task_title(spec), spec.description.value_or(""), task_setup_text(spec)}) {
    if (section.empty()) continue;
    if (!summary.empty()) summary += '\n';
    summary += section;
    if (has_lines(section)) summary += '\n';
  }
  return summary;
}

std::string task_row_name(const TaskSpec& spec) {
  if (spec.sub_label && !spec.sub_label->empty()) return *spec.sub_label;
  return spec.stmt.empty() ? "[Unknown]" : spec.stmt;
}

namespace {

constexpr int kMaxSignificantFigures = 4;
// The clock is not trusted below this, however many blocks were taken.
constexpr double kMinConfidenceInterval = 25e-9;

// Digits of the median that a rough 90 % interval of the middle half's mean leaves standing.
int figures_of(const std::vector<double>& sorted, double median) {
  if (sorted.empty() || !(median > 0)) return 1;
  size_t from = sorted.size() / 4;
  size_t to = (3 * sorted.size() + 3) / 4;
  std::span<const double> middle(sorted.data() + from, to - from);
  float root = std::sqrt(static_cast<float>(middle.size()));
  double interval = std::max(1.645 * static_cast<double>(float32_deviation(middle)) / static_cast<double>(root),
                             kMinConfidenceInterval);
  float digits = std::floor(log10_float32(median / interval));
  // Not a number when the times don't fit into float32.
  return digits > 1 ? static_cast<int>(std::min(digits, static_cast<float>(kMaxSignificantFigures))) : 1;
}

}  // namespace

Measurement::Measurement(int64_t number_per_run, std::vector<double> raw_times, TaskSpec task_spec, Json metadata)
    : number_per_run_(number_per_run),
      raw_times_(std::move(raw_times)),
      task_spec_(std::move(task_spec)),
      metadata_(std::move(metadata)) {
  if (number_per_run < 1)
    throw Error(ErrorKind::kUsage,
                fmt::format("a measurement of {} runs per block: at least one is needed", number_per_run));
  auto odd = std::find_if_not(raw_times_.begin(), raw_times_.end(), [](double time) { return std::isfinite(time); });
  if (odd != raw_times_.end())
    throw Error(ErrorKind::kUsage, fmt::format("a measurement whose time {} is {} s: times must be finite",
                                               odd - raw_times_.begin(), *odd));
  if (raw_times_.empty()) return;
  std::vector<double> sorted = times();
  std::sort(sorted.begin(), sorted.end());
  median_ = quantile(sorted, 0.5);
  p25_ = quantile(sorted, 0.25);
  p75_ = quantile(sorted, 0.75);
  mean_ = cascade_mean(sorted);
  significant_figures_ = figures_of(sorted, median_);
}

std::vector<double> Measurement::times() const {
  std::vector<double> result;
  result.reserve(raw_times_.size());
  for (double time : raw_times_) result.push_back(time / static_cast<double>(number_per_run_));
  return result;
}

double Measurement::relative_iqr() const {
  if (median_ != 0) return iqr() / median_;
  return iqr() == 0 ? 0 : std::numeric_limits<double>::infinity();
}

std::string build_of(const Measurement& measurement) {
  const Json& metadata = measurement.metadata();
  return metadata.is_object() && metadata.contains("built") && metadata["built"].is_string()
             ? metadata["built"].get<std::string>()
             : std::string();
}

std::vector<Measurement> merge(std::span<const Measurement> measurements) {
  std::vector<const TaskSpec*> specs;
  std::vector<std::vector<double>> times;
  for (const Measurement& measurement : measurements) {
    auto same =
        std::find_if(specs.begin(), specs.end(), [&](const TaskSpec* s) { return *s == measurement.task_spec(); });
    size_t group = same - specs.begin();
    if (same == specs.end()) {
      specs.push_back(&measurement.task_spec());
      times.emplace_back();
    }
    std::vector<double> more = measurement.times();
    times[group].insert(times[group].end(), more.begin(), more.end());
  }
  std::vector<Measurement> merged;
  for (size_t group = 0; group < specs.size(); ++group) merged.emplace_back(1, std::move(times[group]), *specs[group]);
  return merged;
}

}  // namespace icount
