// How large a history becomes and how quickly it answers: a real result file, multiplied to 332 benchmarks, over 1,000
// invented commits. Run by scripts/benches/store; judges nothing.
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "icount/store/history.h"
#include "icount/store/result_file.h"

namespace {

using namespace icount;
using Clock = std::chrono::steady_clock;

constexpr size_t kBenchmarks = 332;
constexpr int64_t kFirstCommitTime = 1'700'000'000;
constexpr int64_t kCommitDistance_s = 7200;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string hash_of_commit(int64_t commit) {
  char text[41];
  std::snprintf(text, sizeof(text), "%08llx%032llx", static_cast<unsigned long long>(commit * 2654435761u & 0xffffffff),
                static_cast<unsigned long long>(commit));
  return text;
}

/// One benchmark's graph, which changes as a code base changes it.
class Benchmark {
 public:
  Benchmark(Result result, CostGraph graph) : result_(std::move(result)), graph_(std::move(graph)) {}

  /// A function got dearer or cheaper: its own cost, one of its rows and lines, and what its callers carry, up to the
  /// root.
  void change_function(size_t pick, int64_t delta) {
    const auto f = static_cast<FunctionIndex>(pick % graph_.functions.size());
    for (size_t r = 0; r < graph_.rows.size(); ++r)
      if (graph_.rows[r].function == f) {
        graph_.row_self[r] += delta;
        graph_.self[f] += delta;
        graph_.totals[0] += delta;
        for (size_t l = 0; l < graph_.lines.size(); ++l)
          if (graph_.lines[l].function == f) {
            graph_.line_self[l] += delta;
            break;
          }
        break;
      }
    carry_up(f, delta);
    packed_ = false;
  }
  /// Somebody added lines at the top of one file.
  void shift_lines(size_t pick, int64_t by) {
    if (graph_.lines.empty()) return;
    const StringId file = graph_.lines[pick % graph_.lines.size()].file;
    for (LineRow& line : graph_.lines)
      if (line.file == file && line.line > 0) line.line += static_cast<uint64_t>(by);
    packed_ = false;
  }

  const Result& measured(int64_t time) {
    if (!packed_) result_.graph = std::make_shared<const CostGraph>(graph_);
    packed_ = true;
    const std::string start = "\"unix_time\":";
    result_.counts.assign(2, graph_.totals[0]);
    result_.extra =
        "{\"key\": \"" + result_key(result_) + "\", \"position\": 6, \"unix_time\": " + std::to_string(time) + "}";
    return result_;
  }

 private:
  void carry_up(FunctionIndex f, int64_t delta) {
    std::vector<bool> seen(graph_.functions.size(), false);
    std::vector<FunctionIndex> open = {f};
    while (!open.empty()) {
      const FunctionIndex callee = open.back();
      open.pop_back();
      if (seen[callee]) continue;
      seen[callee] = true;
      for (size_t e = 0; e < graph_.edges.size(); ++e)
        if (graph_.edges[e].callee == callee && graph_.edges[e].caller != callee) {
          graph_.inclusive[e * graph_.events.size()] += delta;
          open.push_back(graph_.edges[e].caller);
        }
    }
  }

  Result result_;
  CostGraph graph_;
  bool packed_ = false;
};

std::vector<Benchmark> make_benchmarks(const ResultFile& file) {
  std::vector<Benchmark> benchmarks;
  for (size_t i = 0; benchmarks.size() < kBenchmarks && i < 100 * kBenchmarks; ++i) {
    Result result = file.results[i % file.results.size()];
    if (!result.ok()) continue;
    const auto graph = unpack_graph(result, "FILE");
    if (!graph) continue;
    const size_t copy = i / file.results.size();
    if (copy > 0) result.label.push_back("copy " + std::to_string(copy));
    result.graph_blob.clear();
    benchmarks.emplace_back(std::move(result), *graph);
    // Copies stand for benchmarks of their own: they start out different.
    for (size_t c = 0; c < 20 * copy; ++c)
      benchmarks.back().change_function(c * 7919 + i, static_cast<int64_t>(c % 13) + 1);
  }
  return benchmarks;
}

/// 5 in 100 commits touch what every benchmark runs through, 30 in 100 touch up to ten of them, 1 in 100 is another
/// compiler, the rest change no count at all.
void change(std::vector<Benchmark>& benchmarks, std::mt19937_64& random) {
  const uint64_t kind = random() % 100;
  if (kind < 5) {
    const uint64_t function = random(), delta = random() % 2000, shift = random() % 30;
    for (Benchmark& benchmark : benchmarks) {
      benchmark.change_function(function, static_cast<int64_t>(delta) - 900);
      benchmark.shift_lines(function, static_cast<int64_t>(shift));
    }
  } else if (kind < 35) {
    for (uint64_t n = random() % 10 + 1; n > 0; --n) {
      Benchmark& benchmark = benchmarks[random() % benchmarks.size()];
      benchmark.change_function(random(), static_cast<int64_t>(random() % 5000) - 2000);
      benchmark.shift_lines(random(), 3);
    }
  } else if (kind == 35) {
    for (Benchmark& benchmark : benchmarks)
      for (int f = 0; f < 60; ++f) benchmark.change_function(random(), static_cast<int64_t>(random() % 200) - 100);
  }
}

template <typename Work>
void report(const char* what, Work work) {
  const auto start = Clock::now();
  const size_t n = work();
  std::printf("%-58s %8.3f s  (%zu)\n", what, seconds_since(start), n);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: store_bench RESULTS STORE [COMMITS]\n");
    return 2;
  }
  const int64_t commits = argc > 3 ? std::stoll(argv[3]) : 1000;
  LoadedResults loaded = load_result_file(argv[1]);
  std::vector<Benchmark> benchmarks = make_benchmarks(loaded.file);
  const StoreUrl url = parse_store_url(argv[2]);
  std::mt19937_64 random(8);
  double in_import_s = 0, slowest_s = 0, last_tenth_s = 0;
  {
    History history(url, OpenMode::kCreate);
    for (int64_t commit = 0; commit < commits; ++commit) {
      if (commit > 0) change(benchmarks, random);
      ResultFile file{.command = loaded.file.command,
                      .planned = static_cast<int64_t>(benchmarks.size()),
                      .fingerprint = loaded.file.fingerprint};
      const int64_t time = kFirstCommitTime + commit * kCommitDistance_s;
      for (Benchmark& benchmark : benchmarks) file.results.push_back(benchmark.measured(time));
      RunTag tag{.branch = "main", .unix_time = time};
      tag.commit = {.hash = hash_of_commit(commit), .unix_time = time, .subject = "An invented change"};
      if (commit > 0) tag.commit.parents = {hash_of_commit(commit - 1)};
      const auto start = Clock::now();
      history.import(file, tag, "invented");
      const double took = seconds_since(start);
      in_import_s += took;
      slowest_s = std::max(slowest_s, took);
      if (commit >= commits * 9 / 10) last_tenth_s += took;
    }
  }
  std::printf("%zu benchmarks, %lld commits\n", benchmarks.size(), static_cast<long long>(commits));
  std::printf("import: %.1f s in all, %.3f s on average, %.3f s in the last tenth, %.3f s at most\n", in_import_s,
              in_import_s / static_cast<double>(commits), last_tenth_s / static_cast<double>(commits) * 10, slowest_s);
  const auto opening = Clock::now();
  History history(url, OpenMode::kRead);
  std::printf("%-58s %8.3f s\n", "open", seconds_since(opening));
  const std::string key = history.benchmarks().at(100);
  report("newest run of the branch, found",
         [&] { return history.newest_run({.branch = "main"}).has_value() ? size_t{1} : size_t{0}; });
  report("that run loaded, with all graphs packed", [&] { return history.load(commits).results.size(); });
  report("one run in the middle loaded", [&] { return history.load(commits / 2).results.size(); });
  report("one benchmark over all commits", [&] { return history.series(key).points.size(); });
  report("all benchmarks over the newest 200 commits", [&] { return history.all_series({.newest = 200}).size(); });
  report("all benchmarks over all commits", [&] { return history.all_series().size(); });
  const HistorySize size = history.size();
  std::printf("%lld results, %lld texts of %.1f MB, %.1f MB in all\n", static_cast<long long>(size.results),
              static_cast<long long>(size.blobs), static_cast<double>(size.blob_bytes) / 1e6,
              static_cast<double>(size.file_bytes) / 1e6);
  return 0;
}
