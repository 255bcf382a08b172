#include "icount/stats/callgrind_stats.h"

#include <algorithm>
#include <map>
#include <set>

#include "icount/base/error.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

using FilesByName = std::map<std::string_view, std::vector<std::string_view>>;

FilesByName by_name(const std::set<std::string_view>& files, const std::set<std::string_view>& others) {
  FilesByName result;
  for (std::string_view file : files)
    if (!others.contains(file) && file.find('/') != std::string_view::npos) result[base_of_path(file)].push_back(file);
  return result;
}

// Length of the longest common suffix made of whole path components.
size_t common_tail(std::string_view a, std::string_view b) {
  size_t same = 0, whole = 0;
  while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    if (a[a.size() - 1 - same] == '/') whole = same;
    ++same;
  }
  auto starts_component = [same](std::string_view path) {
    return same == path.size() || path[path.size() - 1 - same] == '/';
  };
  return starts_component(a) && starts_component(b) ? same : whole;
}

std::string_view without_tail(std::string_view path, size_t tail) { return path.substr(0, path.size() - tail); }

// A vote of one base file for the head file that shares the longest tail with it; none when two share equally long
// ones.
void vote(std::string_view file, const std::vector<std::string_view>& candidates, bool lone,
          std::map<std::pair<std::string, std::string>, int>& votes) {
  size_t best = 0;
  std::string_view winner;
  bool tie = false;
  for (std::string_view candidate : candidates) {
    size_t tail = common_tail(file, candidate);
    tie = tail == best && !winner.empty();
    if (tail > best) {
      best = tail;
      winner = candidate;
      tie = false;
    }
  }
  if (winner.empty() || tie) return;
  bool has_folder = file.substr(file.size() - best).find('/') != std::string_view::npos;
  if (has_folder || lone) ++votes[{std::string(without_tail(file, best)), std::string(without_tail(winner, best))}];
}

}  // namespace

std::vector<RootPair> find_build_roots(std::span<const std::string_view> base_files,
                                       std::span<const std::string_view> head_files) {
  std::set<std::string_view> base(base_files.begin(), base_files.end()), head(head_files.begin(), head_files.end());
  FilesByName base_only = by_name(base, head), head_only = by_name(head, base);
  std::map<std::pair<std::string, std::string>, int> votes;
  for (const auto& [name, files] : base_only) {
    auto others = head_only.find(name);
    if (others == head_only.end()) continue;
    bool lone = files.size() == 1 && others->second.size() == 1;
    for (std::string_view file : files) vote(file, others->second, lone, votes);
  }
  std::vector<std::pair<int, RootPair>> ranked;
  for (const auto& [roots, count] : votes) ranked.push_back({count, {roots.first, roots.second}});
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<RootPair> pairs;
  for (auto& [count, pair] : ranked) pairs.push_back(std::move(pair));
  return pairs;
}

std::string to_base_root(std::string_view file, std::span<const RootPair> roots) {
  for (const RootPair& pair : roots)
    if (!pair.head.empty() && file.starts_with(pair.head))
      return pair.base + std::string(file.substr(pair.head.size()));
  for (const RootPair& pair : roots)
    if (pair.head.empty() && !file.starts_with('/') && !file.empty()) return pair.base + std::string(file);
  return std::string(file);
}

namespace {

using Wide = __int128;

// count * to / from, rounded to the nearest, halves away from zero.
int64_t rescaled(int64_t count, int64_t to, int64_t from) {
  Wide doubled = Wide{count} * to * 2;
  Wide half = count < 0 ? -Wide{from} : Wide{from};
  Wide result = (doubled + half) / (Wide{from} * 2);
  if (result > INT64_MAX || result < INT64_MIN)
    throw Error(ErrorKind::kMalformed, "a count brought to " + std::to_string(to) + " runs overflows 64 bits");
  return static_cast<int64_t>(result);
}

FunctionCounts rescaled(const FunctionCounts& counts, int64_t to, int64_t from) {
  std::vector<FunctionCount> rows;
  for (const FunctionCount& row : counts) rows.push_back({rescaled(row.count, to, from), row.function});
  return FunctionCounts::sorted(std::move(rows), counts.inclusive());
}

std::string standard_name(std::string_view name, const NameRules& file_rules) {
  CountedName parts = split_counted_name(name);
  std::string file = file_rules.apply(parts.file);
  return join_counted_name({file, parts.function, base_of_path(parts.object)});
}

void collect_files(const CallgrindStats& stats, std::vector<std::string_view>& files) {
  for (bool inclusive : {false, true})
    for (const FunctionCounts* counts : {&stats.stats(inclusive), &stats.baseline(inclusive)})
      for (const FunctionCount& row : *counts) files.push_back(split_counted_name(row.function).file);
}

}  // namespace

CallgrindStats::CallgrindStats(Parts parts) : parts_(std::move(parts)) {
  if (parts_.number_per_run < 1)
    throw Error(ErrorKind::kUsage,
                "CallgrindStats of " + std::to_string(parts_.number_per_run) + " runs: at least one run is needed");
}

int64_t CallgrindStats::counts(bool denoise) const {
  return denoise ? parts_.stmt_exclusive.denoise().sum() : parts_.stmt_exclusive.sum();
}

double CallgrindStats::counts_per_run() const {
  return static_cast<double>(counts()) / static_cast<double>(parts_.number_per_run);
}

FunctionCounts CallgrindStats::delta(const CallgrindStats& other, bool inclusive, UnequalRuns unequal) const {
  bool same = number_per_run() == other.number_per_run();
  if (same || unequal == UnequalRuns::kIgnore) return stats(inclusive) - other.stats(inclusive);
  if (unequal == UnequalRuns::kScale)
    return stats(inclusive) - rescaled(other.stats(inclusive), number_per_run(), other.number_per_run());
  throw Error(ErrorKind::kCannotJudge,
              "delta of counts for " + std::to_string(number_per_run()) + " runs and for " +
                  std::to_string(other.number_per_run()) +
                  " runs: use the same number of runs on both sides, or request scaled counts");
}

CallgrindStats CallgrindStats::rewritten(const std::function<FunctionCounts(const FunctionCounts&)>& rewrite) const {
  Parts parts = parts_;
  for (FunctionCounts* counts :
       {&parts.baseline_inclusive, &parts.baseline_exclusive, &parts.stmt_inclusive, &parts.stmt_exclusive})
    *counts = rewrite(*counts);
  parts.stmt_callgrind_out.reset();
  return CallgrindStats(std::move(parts));
}

CallgrindStats CallgrindStats::as_standardized() const {
  return rewritten([](FunctionCounts counts) {
    const NameRules& rules = compatible_rules();
    for (size_t rule = 0; rule < rules.size(); ++rule)
      counts = counts.transform([&](std::string_view name) { return rules.apply_one(rule, name); });
    return counts;
  });
}

CallgrindStats CallgrindStats::as_standardized(const NameRules& file_rules) const {
  return rewritten([&](const FunctionCounts& counts) {
    return counts.transform([&](std::string_view name) { return standard_name(name, file_rules); });
  });
}

const NameRules& standard_file_rules() {
  static const NameRules kRules({
      {"relative sources of PyTorch", R"(^.+build/\.\./)", "build/../"},
      {"generated sources of ATen", R"(^.+/build/aten/)", "build/aten/"},
      {"core of CPython", R"(^.+/Python/)", "Python/"},
      {"objects of CPython", R"(^.+/Objects/)", "Objects/"},
      {"glibc as Debian builds it", R"(^\./[a-z0-9_-]+/(?:\./|\.\./))", ""},
      {"glibc below a source folder", R"(^.*/glibc-[0-9.]+/)", ""},
  });
  return kRules;
}

std::pair<CallgrindStats, CallgrindStats> standardized_together(const CallgrindStats& base,
                                                                const CallgrindStats& head) {
  CallgrindStats a = base.as_standardized(standard_file_rules());
  CallgrindStats b = head.as_standardized(standard_file_rules());
  std::vector<std::string_view> a_files, b_files;
  collect_files(a, a_files);
  collect_files(b, b_files);
  std::vector<RootPair> roots = find_build_roots(a_files, b_files);
  CallgrindStats moved = b.rewritten([&](const FunctionCounts& counts) {
    return counts.transform([&](std::string_view name) {
      CountedName parts = split_counted_name(name);
      std::string file = to_base_root(parts.file, roots);
      return join_counted_name({file, parts.function, parts.object});
    });
  });
  return {std::move(a), std::move(moved)};
}

FunctionCounts make_function_counts(const CostGraph& graph, size_t event, bool inclusive) {
  ICOUNT_CHECK(event < graph.event_count(), "event index");
  InclusiveCosts costs;
  if (inclusive) costs = make_inclusive_costs(graph);
  std::vector<FunctionCount> rows;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    int64_t count = inclusive ? costs.of(f, event) : graph.self_of(f, event);
    if (count != 0) rows.push_back({count, join_counted_name({graph.file(f), graph.name(f), graph.object(f)})});
  }
  return FunctionCounts::sorted(std::move(rows), inclusive);
}

}  // namespace icount
