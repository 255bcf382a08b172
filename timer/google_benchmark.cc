#include "icount/timer/google_benchmark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/stats/growth.h"

namespace icount {
namespace {

constexpr std::string_view kPerSecond = "_per_second";

/// Fields of a run in the library's JSON; every other number is a counter.
constexpr std::string_view kOwnFields =
    "name family_index per_family_instance_index run_name run_type repetitions threads iterations repetition_index "
    "real_time cpu_time time_unit net_heap_growth label allocs_per_iter max_bytes_used total_allocated_bytes";

std::string text_of(const Json& run, const char* key) {
  const auto found = run.find(key);
  return found != run.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_of(const Json& run, const char* key) {
  const auto found = run.find(key);
  return found != run.end() && found->is_number() ? found->get<double>() : 0;
}

/// Where the run stands: runs of one case share it.
std::pair<double, double> place_of(const Json& run) {
  return {number_of(run, "family_index"), number_of(run, "per_family_instance_index")};
}

std::string name_of(const Json& run) {
  std::string name = text_of(run, "run_name");
  return name.empty() ? text_of(run, "name") : name;
}

/// The curve that was fitted to a family's cases, and how well.
bool is_of_family(const Json& aggregate) {
  const std::string kind = text_of(aggregate, "aggregate_name");
  return kind == "BigO" || kind == "RMS" || aggregate.contains("big_o");
}

bool nearly_equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

/// A value that differs between runs of one iteration each is one per second, or no value of the case: what it is per
/// iteration, if it is the same in both.
std::optional<double> per_iteration(const Json& first, const Json& second, const std::string& key) {
  const double a = number_of(first, key.c_str());
  const double b = number_of(second, key.c_str());
  if (a == b && !key.ends_with(kPerSecond)) return a;
  for (const char* time : {"cpu_time", "real_time"}) {
    const std::string unit = text_of(first, "time_unit");
    const double seconds = unit == "s" ? 1 : unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : 1e-9;
    const double amount = a * number_of(first, time) * seconds;
    if (amount > 0 && nearly_equal(amount, b * number_of(second, time) * seconds)) {
      const double whole = std::round(amount);
      return nearly_equal(amount, whole) ? whole : amount;
    }
  }
  return std::nullopt;
}

std::vector<GoogleCounter> read_counters(const Json& first, const Json& second) {
  const std::vector<std::string_view> own = split(kOwnFields, ' ');
  std::vector<GoogleCounter> counters;
  for (const auto& [key, value] : first.items()) {
    if (!value.is_number() || std::find(own.begin(), own.end(), key) != own.end()) continue;
    const auto amount = per_iteration(first, second, key);
    if (!amount) continue;
    const bool rate = key.ends_with(kPerSecond);
    counters.push_back({rate ? key.substr(0, key.size() - kPerSecond.size()) : key, *amount});
  }
  return counters;
}

GoogleReport read_case(const Json& first, const Json& second) {
  GoogleReport report;
  report.name = name_of(first);
  report.label = text_of(first, "label");
  if (first.value("error_occurred", false)) report.error = text_of(first, "error_message");
  if (first.value("skipped", false)) report.skipped = text_of(first, "skip_message");
  // Of a case that waits for a time to pass, the library knows other numbers than were run.
  if (&first != &second && number_of(first, "iterations") == 1) report.counters = read_counters(first, second);
  return report;
}

/// The library writes numbers that JSON has not: NaN, Infinity.
std::string without_odd_numbers(std::string_view json) {
  std::string out;
  for (const std::string_view line : split_lines(json)) {
    const size_t colon = line.find("\": ");
    const std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 3);
    const bool odd = value.starts_with("NaN") || value.starts_with("Infinity") || value.starts_with("-Infinity") ||
                     value.starts_with("-NaN");
    out +=
        odd ? fmt::format("{}null{}", line.substr(0, colon + 3), value.ends_with(',') ? "," : "") : std::string(line);
    out += '\n';
  }
  return out;
}

/// Binaries have one of three kinds of regular expressions, which differ in what may stand behind a backslash; brackets
/// mean the same in all of them. What cannot stand alone in brackets is matched by any character.
std::string escape_pattern(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::string_view("\\^]}").find(c) != std::string_view::npos)
      out += '.';
    else if (std::string_view("$.|?*+()[{").find(c) != std::string_view::npos)
      out += fmt::format("[{}]", c);
    else
      out += c;
  }
  return out;
}

}  // namespace

GoogleCase parse_google_name(std::string_view name) {
  GoogleCase one{.name = std::string(name)};
  for (const std::string_view part : split(name, '/')) {
    const size_t colon = part.rfind(':');
    if (colon == std::string_view::npos) continue;
    const auto value = parse_int64(part.substr(colon + 1));
    if (!value) continue;
    const std::string_view key = part.substr(0, colon);
    if (key == "threads") one.threads = *value;
    if (key == "iterations") one.iterations = *value;
    if (key == "repeats") one.repetitions = *value;
  }
  return one;
}

std::vector<GoogleCase> parse_google_list(std::string_view output) {
  std::vector<GoogleCase> cases;
  for (const std::string_view line : split_lines(output))
    if (!trim(line).empty()) cases.push_back(parse_google_name(line));
  return cases;
}

std::string exact_filter(std::span<const std::string> names) {
  std::string filter = "^(";
  for (const std::string& name : names) filter += (filter.size() > 2 ? "|" : "") + escape_pattern(name);
  return filter + ")$";
}

std::string family_pattern(std::string_view family) {
  const bool is_pattern = family.find(kSizeWord) != std::string_view::npos;
  return is_pattern ? std::string(family) : fmt::format("{}/{}", family, kSizeWord);
}

std::string family_filter(std::string_view pattern, std::span<const int64_t> sizes) {
  const size_t at = pattern.find(kSizeWord);
  const std::string size = sizes.empty() ? std::string("[0-9]+") : fmt::format("({})", fmt::join(sizes, "|"));
  return fmt::format("^{}{}{}(/[a-z].*)?$", escape_pattern(pattern.substr(0, at)), size,
                     escape_pattern(pattern.substr(at + kSizeWord.size())));
}

std::vector<std::string> google_run_arguments(std::string_view filter, std::string_view out_path, int repetitions) {
  std::vector<std::string> arguments = {"--benchmark_min_time=0",
                                        fmt::format("--benchmark_repetitions={}", repetitions),
                                        "--benchmark_report_aggregates_only=false",
                                        "--benchmark_display_aggregates_only=false",
                                        "--benchmark_out_format=json",
                                        fmt::format("--benchmark_out={}", out_path)};
  if (!filter.empty()) arguments.push_back(fmt::format("--benchmark_filter={}", filter));
  return arguments;
}

GoogleCounter make_google_counter(const std::string& name, int64_t flags, double value, int64_t ran) {
  constexpr int64_t kIsRate = 1, kAvgIterations = 8, kInvert = int64_t{1} << 31;
  if ((flags & (kIsRate | kAvgIterations)) && ran > 0) value /= static_cast<double>(ran);
  if ((flags & kInvert) && value != 0) value = 1 / value;
  return {name.ends_with(kPerSecond) ? name.substr(0, name.size() - kPerSecond.size()) : name, value};
}

std::optional<GoogleReports> parse_google_reports(std::string_view json) {
  Json whole;
  try {
    whole = parse_json(without_odd_numbers(json), "the benchmark's JSON");
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto runs = whole.is_object() ? whole.find("benchmarks") : whole.end();
  if (!whole.is_object() || runs == whole.end() || !runs->is_array()) return std::nullopt;
  GoogleReports reports;
  const Json* first = nullptr;
  for (const Json& run : *runs) {
    const bool is_aggregate = text_of(run, "run_type") == "aggregate";
    if (is_aggregate && is_of_family(run)) {
      if (const std::string big_o = text_of(run, "big_o"); !big_o.empty())
        reports.big_o[text_of(run, "run_name")] = big_o;
      continue;
    }
    if (first && place_of(*first) == place_of(run) && name_of(*first) == name_of(run)) {
      if (!is_aggregate && number_of(run, "repetition_index") == 1) reports.cases.back() = read_case(*first, run);
      continue;
    }
    // An aggregate comes first where the case reports nothing else (ReportAggregatesOnly); its numbers are no counters.
    first = &run;
    reports.cases.push_back(is_aggregate ? GoogleReport{.name = name_of(run), .label = text_of(run, "label")}
                                         : read_case(run, run));
  }
  return reports;
}

namespace {

struct Curve {
  const char* name;
  double (*at)(double);
};

constexpr Curve kCurves[] = {
    {"(1)", [](double) { return 1.0; }},     {"lgN", [](double n) { return std::log2(n); }},
    {"N", [](double n) { return n; }},       {"NlgN", [](double n) { return n * std::log2(n); }},
    {"N^2", [](double n) { return n * n; }}, {"N^3", [](double n) { return n * n * n; }},
};

/// cost = coefficient * curve(n) by least squares through the origin.
ComplexityFit fit(std::span<const ComplexityPoint> points, const Curve& curve) {
  double products = 0, squares = 0, costs = 0;
  for (const ComplexityPoint& point : points) {
    const double y = curve.at(point.n);
    products += point.cost * y;
    squares += y * y;
    costs += point.cost;
  }
  ComplexityFit result{.big_o = curve.name, .coefficient = squares > 0 ? products / squares : 0};
  double residuals = 0;
  for (const ComplexityPoint& point : points)
    residuals += std::pow(point.cost - result.coefficient * curve.at(point.n), 2);
  const auto count = static_cast<double>(points.size());
  const double mean = costs / count;
  result.rms = mean > 0 ? std::sqrt(residuals / count) / mean : 0;
  return result;
}

}  // namespace

std::optional<ComplexityFit> fit_complexity(std::span<const ComplexityPoint> points) {
  bool differ = false;
  for (const ComplexityPoint& point : points) differ |= point.n != points.front().n;
  if (!differ) return std::nullopt;
  std::optional<ComplexityFit> best;
  for (const Curve& curve : kCurves)
    if (const ComplexityFit next = fit(points, curve); !best || next.rms < best->rms) best = next;
  return best;
}

}  // namespace icount
