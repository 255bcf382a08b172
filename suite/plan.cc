#include "icount/suite/plan.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/suite/labels.h"

namespace icount {
namespace {

bool has_language(const std::vector<Language>& languages, Language language) {
  return languages.empty() || std::find(languages.begin(), languages.end(), language) != languages.end();
}

std::string describe(const PlanOptions& options) {
  std::vector<std::string> parts;
  if (!options.filter.empty()) parts.push_back(fmt::format("the filter \"{}\"", options.filter));
  for (Language language : options.languages) parts.push_back(fmt::format("language {}", to_text(language)));
  if (options.shard.count > 1) parts.push_back(fmt::format("shard {}/{}", options.shard.index, options.shard.count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What the benchmarks cost in an earlier run; the (lower) median for those that were not in it.
std::vector<double> recorded_costs(const std::vector<Benchmark>& benchmarks,
                                   const std::map<std::string, double>& costs) {
  std::vector<double> known;
  for (const auto& [name, cost] : costs) known.push_back(cost);
  std::sort(known.begin(), known.end());
  const double median = known[(known.size() - 1) / 2];
  std::vector<double> result;
  for (const Benchmark& benchmark : benchmarks) {
    const auto found = costs.find(benchmark_name(benchmark));
    result.push_back(found == costs.end() ? median : found->second);
  }
  return result;
}

/// The shard of each benchmark, from 0. With costs the most expensive one goes first, to the shard that has least so
/// far: the same answer on every machine.
std::vector<int> shards_of(const std::vector<Benchmark>& benchmarks, const Shard& shard) {
  std::vector<int> chosen(benchmarks.size());
  if (shard.costs.empty()) {
    for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = static_cast<int>(i % static_cast<size_t>(shard.count));
    return chosen;
  }
  const std::vector<double> costs = recorded_costs(benchmarks, shard.costs);
  std::vector<size_t> order(benchmarks.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return costs[a] > costs[b]; });
  std::set<std::pair<double, int>> loads;
  for (int i = 0; i < shard.count; ++i) loads.emplace(0, i);
  for (const size_t i : order) {
    const auto [load, least] = *loads.begin();
    loads.erase(loads.begin());
    loads.emplace(load + costs[i], least);
    chosen[i] = least;
  }
  return chosen;
}

std::vector<Benchmark> take_shard(std::vector<Benchmark> benchmarks, const Shard& shard) {
  if (shard.count == 1) return benchmarks;
  const std::vector<int> chosen = shards_of(benchmarks, shard);
  std::vector<Benchmark> taken;
  for (size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] == shard.index - 1) taken.push_back(std::move(benchmarks[i]));
  return taken;
}

}  // namespace

struct NameFilter::Compiled {
  explicit Compiled(const std::string& pattern) : regex(pattern, RE2::Quiet) {}
  RE2 regex;
};

NameFilter::NameFilter(const std::string& pattern) : compiled_(std::make_unique<Compiled>(pattern)) {
  if (!compiled_->regex.ok())
    throw Error(ErrorKind::kUsage,
                fmt::format("the filter \"{}\" is not a regular expression: {}", pattern, compiled_->regex.error()));
}
NameFilter::~NameFilter() = default;

bool NameFilter::matches(std::string_view name) const { return RE2::PartialMatch(name, compiled_->regex); }

Shard parse_shard(std::string_view text) {
  size_t slash = text.find('/');
  std::optional<int64_t> index, count;
  if (slash != std::string_view::npos) {
    index = parse_int64(text.substr(0, slash));
    count = parse_int64(text.substr(slash + 1));
  }
  constexpr int64_t kMost = 1'000'000;
  if (index && count && *index >= 1 && *index <= *count && *count <= kMost)
    return {static_cast<int>(*index), static_cast<int>(*count), {}};
  throw Error(ErrorKind::kUsage,
              fmt::format("shard \"{}\": the form is INDEX/COUNT with INDEX from 1 to COUNT, such as 2/4", text));
}

std::string benchmark_name(const Benchmark& benchmark) {
  std::string name = to_text(benchmark.timer_args.label);
  if (benchmark.timer_args.num_threads != 1) name += fmt::format(" [{} threads]", benchmark.timer_args.num_threads);
  return name;
}

std::vector<Benchmark> select_benchmarks(std::span<const Benchmark> benchmarks, const PlanOptions& options,
                                         std::string_view suite_name) {
  const NameFilter filter(options.filter);
  std::vector<Benchmark> selected;
  for (const Benchmark& benchmark : benchmarks) {
    if (!benchmark.is_statement() && !options.languages.empty()) continue;
    if (!has_language(options.languages, benchmark.timer_args.language)) continue;
    const std::string name = benchmark_name(benchmark);
    if (!filter.matches(name) || options.left_out.contains(name)) continue;
    selected.push_back(benchmark);
  }
  selected = take_shard(std::move(selected), options.shard);
  if (!selected.empty() || options.may_be_empty) return selected;
  throw Error(
      ErrorKind::kUsage,
      fmt::format(
          "nothing to run: of the {} benchmarks of suite {} none passes {}; `icount suite list` shows their names",
          benchmarks.size(), suite_name, describe(options)));
}

void check_threads(std::span<const Benchmark> benchmarks, int cores) {
  std::vector<std::string> lines;
  for (const Benchmark& benchmark : benchmarks) {
    int threads = benchmark.timer_args.num_threads;
    if (threads > cores)
      lines.push_back(fmt::format("\"{}\" needs {} threads", to_text(benchmark.timer_args.label), threads));
  }
  if (lines.empty()) return;
  throw Error(ErrorKind::kUsage, fmt::format("more threads than the {} available cores (leave these benchmarks out "
                                             "with --filter, or allow more with --cores):\n{}",
                                             cores, fmt::join(lines, "\n")));
}

}  // namespace icount
