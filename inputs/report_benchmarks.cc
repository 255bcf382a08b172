#include "icount/inputs/report_benchmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/counter/named_counts.h"
#include "icount/explain/shared_causes.h"
#include "icount/inputs/growth_of.h"
#include "icount/inputs/listing_sources.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

using ByKey = std::map<std::string, const Result*>;

ByKey index_results(const ResultFile* file) {
  ByKey index;
  if (file)
    for (const Result& result : file->results) index[result_key(result)] = &result;
  return index;
}

const Result* find(const ByKey& index, const std::string& key) {
  const auto found = index.find(key);
  return found == index.end() ? nullptr : found->second;
}

ReportVerdict verdict_of(const BenchmarkDiff& diff, const ReportBenchmark& benchmark) {
  switch (diff.state) {
    case BenchmarkDiff::State::kNew:
      return ReportVerdict::kNew;
    case BenchmarkDiff::State::kVanished:
      return ReportVerdict::kVanished;
    case BenchmarkDiff::State::kFailed:
      return ReportVerdict::kFailed;
    case BenchmarkDiff::State::kNotAlike:
      return ReportVerdict::kNotAlike;
    case BenchmarkDiff::State::kCompared:
      break;
  }
  return judge_change(diff.pair->explanation.delta,
                      std::max(count_spread(*benchmark.base), count_spread(*benchmark.head)));
}

/// What is made of the cost graphs of both sides.
struct Drawn {
  ComparedTables tables;
  StackTreeDiff stacks;
  std::vector<ComparedLine> lines;
};

/// One side of a flame graph; a side that is not there is an empty tree.
struct StackSide {
  const Result* result;
  const CostGraph& graph;
  std::shared_ptr<const CallStacks> stacks;  ///< null: not recorded

  StackSide(const Result* of, const CostGraph& its_graph) : result(of), graph(its_graph) {
    if (result) stacks = unpack_stacks(*result, result_key(*result));
  }
  bool recorded() const { return !result || stacks; }
  StackTree tree(const std::string& event, const StackTreeOptions& options, bool real) const {
    if (!result) return StackTree{.event = event};
    return real ? make_stack_tree(*stacks, event, options) : make_stack_tree(graph, event, options);
  }
};

/// Recorded stacks only where both sides have them: a guessed tree beside a true one differs everywhere.
StackTreeDiff compare_stacks(const StackSide& base, const StackSide& head, const std::string& event,
                             const ComparedTables& tables, size_t frames) {
  const StackTreeOptions options{.max_frames = frames, .max_leaves = frames / 2};
  std::vector<RenamedFunction> renamed;
  for (const ComparedFunction& function : tables.functions)
    if (!function.base_name.empty()) renamed.push_back({function.base_name, function.name});
  const bool real = base.recorded() && head.recorded();
  return make_stack_tree_diff(base.tree(event, options, real), head.tree(event, options, real), renamed);
}

/// An empty graph stands for a side that a new or vanished benchmark lacks; nullopt when a side that was measured kept
/// no graph.
std::optional<Drawn> draw(const ReportBenchmark& benchmark, bool raw_names, const ReportLimits& limits) {
  const auto graph_of = [](const Result* result) {
    return result && result->ok() ? unpack_graph(*result, result_key(*result)) : nullptr;
  };
  const auto base = graph_of(benchmark.base), head = graph_of(benchmark.head);
  if ((benchmark.base && !base) || (benchmark.head && !head)) return std::nullopt;
  const CostGraph empty = make_empty_graph(benchmark.event);
  const CostGraph &left = base ? *base : empty, &right = head ? *head : empty;
  if (!left.event_index(benchmark.event) || !right.event_index(benchmark.event)) return std::nullopt;
  Drawn drawn;
  drawn.tables = make_compared_tables(left, right, benchmark.event, raw_names);
  drawn.stacks =
      compare_stacks({benchmark.base, left}, {benchmark.head, right}, benchmark.event, drawn.tables, limits.frames);
  drawn.lines = compare_lines(left, right, benchmark.event);
  return drawn;
}

void set_totals(ReportBenchmark& benchmark) {
  if (benchmark.explanation) {
    benchmark.event = benchmark.explanation->event;
    benchmark.base_total = benchmark.explanation->base_total;
    benchmark.head_total = benchmark.explanation->head_total;
    return;
  }
  const Result* shown = benchmark.head ? benchmark.head : benchmark.base;
  if (shown) benchmark.event = shown->event;
  if (benchmark.base && benchmark.base->ok()) benchmark.base_total = median_count(*benchmark.base);
  if (benchmark.head && benchmark.head->ok()) benchmark.head_total = median_count(*benchmark.head);
}

class Adder {
 public:
  Adder(ReportJson& report, const ReportSources& sources) : report_(report), sources_(sources) {}

  void add(ReportBenchmark benchmark) {
    set_totals(benchmark);
    const auto past = sources_.history.values.find(benchmark.key);
    if (past != sources_.history.values.end()) benchmark.history = past->second;
    std::optional<Drawn> drawn = draw(benchmark, sources_.compare.explain.raw_names, report_.limits());
    if (drawn) {
      benchmark.tables = &drawn->tables;
      benchmark.stacks = &drawn->stacks;
      benchmark.lines = std::move(drawn->lines);
    }
    report_.add_benchmark(benchmark);
  }

 private:
  ReportJson& report_;
  const ReportSources& sources_;
};

void add_single(Adder& adder, const ReportPoint& head) {
  for (const Result& result : head.file->results) {
    ReportBenchmark benchmark{.key = result_key(result), .head = &result};
    if (!result.ok()) {
      benchmark.verdict = ReportVerdict::kFailed;
      benchmark.reason = result.status + ": " + result.error;
    }
    adder.add(std::move(benchmark));
  }
}

void add_shared(ReportJson& report, const std::vector<BenchmarkDiff>& diffs) {
  std::vector<const Explanation*> explanations;
  for (const BenchmarkDiff& diff : diffs)
    if (diff.pair) explanations.push_back(&diff.pair->explanation);
  if (explanations.size() > 1) report.add_shared_causes(find_shared_causes(explanations));
}

void add_pairs(Adder& adder, ReportJson& report, const ReportSources& sources) {
  const bool single = sources.base.file->results.size() == 1 && sources.head.file->results.size() == 1;
  std::vector<BenchmarkDiff> diffs;
  if (single) {
    // Two profiles or programs of any names are one pair, as in `icount diff`.
    const Result &base = sources.base.file->results[0], &head = sources.head.file->results[0];
    BenchmarkDiff diff{.key = result_key(head)};
    diff.pair = compare_results({sources.base.name, sources.base.file, &base},
                                {sources.head.name, sources.head.file, &head}, sources.compare);
    diffs.push_back(std::move(diff));
  } else {
    diffs =
        compare_files(sources.base.name, *sources.base.file, sources.head.name, *sources.head.file, sources.compare);
  }
  const ByKey base = index_results(sources.base.file), head = index_results(sources.head.file);
  for (BenchmarkDiff& diff : diffs) {
    if (diff.pair && sources.with_source)
      load_listing_sources(diff.pair->explanation.listings, {sources.base.name, sources.head.name},
                           sources.compare.commits);
    ReportBenchmark benchmark{.key = diff.key, .reason = diff.reason};
    benchmark.base = single ? &sources.base.file->results[0] : find(base, diff.key);
    benchmark.head = single ? &sources.head.file->results[0] : find(head, diff.key);
    benchmark.verdict = verdict_of(diff, benchmark);
    if (diff.pair) {
      benchmark.explanation = &diff.pair->explanation;
      benchmark.heading = &diff.pair->heading;
    }
    adder.add(std::move(benchmark));
  }
  add_shared(report, diffs);
}

}  // namespace

ReportHistory make_report_history(std::span<const ReportPoint> points) {
  ReportHistory history;
  // Profiles are called after their files; one result per point is one benchmark, whatever it is called.
  const bool single = std::all_of(points.begin(), points.end(),
                                  [](const ReportPoint& point) { return point.file->results.size() == 1; });
  for (const ReportPoint& point : points) {
    history.names.push_back(point.name);
    for (const Result& result : point.file->results)
      if (const auto value = result.ok() ? per_run(result) : std::nullopt) {
        std::vector<std::optional<double>>& values =
            history.values[result_key(single ? points.back().file->results[0] : result)];
        values.resize(history.names.size() - 1);
        values.push_back(value);
      }
  }
  for (auto& [key, values] : history.values) values.resize(history.names.size());
  return history;
}

void add_report_benchmarks(ReportJson& report, const ReportSources& sources) {
  Adder adder(report, sources);
  if (sources.base.file)
    add_pairs(adder, report, sources);
  else
    add_single(adder, sources.head);
  for (const Growth& growth : find_growths(*sources.head.file, sources.head.name)) report.add_growth(growth);
}

ReportHistory load_report_history(History& history) {
  const RunFilter newest{.newest = kMostReportPoints};
  ReportHistory out;
  std::map<int64_t, size_t> place;  // of a run's id
  for (const RunInfo& run : history.runs(newest)) {
    place.emplace(run.id, out.names.size());
    out.names.push_back(run.tag.commit.hash.empty() ? fmt::format("#{}", run.id) : run.tag.commit.hash.substr(0, 10));
  }
  for (const BenchmarkSeries& series : history.all_series(newest)) {
    auto& values = out.values[series.key];
    values.resize(out.names.size());
    for (const HistoryPoint& point : series.points)
      if (point.median_count)
        values[place.at(point.run)] =
            static_cast<double>(*point.median_count) / static_cast<double>(point.number_per_run);
  }
  return out;
}

namespace {

enum class Kind { kSide, kResult, kFuzz, kTimings };

Kind kind_of(const std::string& word) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(word, ignored)) return Kind::kSide;
  const FileBytes bytes = CountsNamer().load_profile(word);
  if (looks_like_result_file(bytes.view())) return Kind::kResult;
  if (looks_like_fuzz_result(bytes.view())) return Kind::kFuzz;
  return bytes.view().starts_with('{') ? Kind::kTimings : Kind::kSide;
}

void add_timings(const std::string& word, ReportInput& input, const CommandContext& context) {
  LoadedMeasurements loaded = load_measurements(word);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  for (Measurement& one : loaded.measurements) input.timings.push_back(std::move(one));
}

void add_side(const std::string& word, const DiffSideOptions& options, ReportInput& input, CommandContext& context) {
  input.sides.push_back(load_diff_side(word, options, context));
}

/// An empty one is a report, too: it says that nothing was measured.
void add_result(const std::string& word, ReportInput& input, const CommandContext& context) {
  LoadedResults loaded = load_result_file(word);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  input.sides.push_back({.name = word, .saved = true, .file = std::move(loaded.file)});
  for (const Result& result : input.sides.back().file.results)
    if (!result.measurement.empty())
      input.timings.push_back(parse_measurement(parse_json(result.measurement, word), word));
}

}  // namespace

ReportInput load_report_input(const std::vector<std::string>& words, const DiffSideOptions& options,
                              CommandContext& context) {
  ReportInput input;
  for (const std::string& word : words) {
    switch (kind_of(word)) {
      case Kind::kFuzz:
        input.fuzz.emplace_back(word, fuzz_result_from_json(parse_json(load_file(word).view(), word), word));
        break;
      case Kind::kTimings:
        add_timings(word, input, context);
        break;
      case Kind::kSide:
        add_side(word, options, input, context);
        break;
      case Kind::kResult:
        add_result(word, input, context);
        break;
    }
  }
  return input;
}

}  // namespace icount
