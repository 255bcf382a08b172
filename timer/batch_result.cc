#include "icount/timer/batch_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "icount/base/text.h"
#include "icount/callgrind/user_options.h"
#include "icount/harness/constant_inputs.h"
#include "icount/objects/misplaced_code.h"

namespace icount {
namespace {

/// What a loop without a body costs a run: clang counts down (subtract, jump), g++ up (add, compare, jump).
double empty_loop(const Compiler& compiler) { return compiler.kind == Compiler::Kind::kClang ? 2 : 3; }
/// Compilers remove such a loop unless something in it must stay (icount::keep), and then may unroll it, by eight at
/// the most: two instructions of sixteen.
constexpr double kLeastOfLoop = 2.0 / 16;
/// A region costs up to so many instructions more than the empty one, without any run.
constexpr int64_t kMostOfLoop = 8;
/// A statement that does more than this for each run is not asked whether it was worked out beforehand.
constexpr double kAlmostNothing = 64;

int64_t total_of(const CostGraph& graph) { return graph.totals.empty() ? 0 : graph.totals[0]; }

/// What n runs cost without what begins and ends their region. A statement's own loop has up to a few instructions more
/// there than the empty one: those by which the count exceeds a multiple of n, if that is less than half an instruction
/// a run.
int64_t without_markers(int64_t count, int64_t marker_count, int64_t runs) {
  const int64_t inner = count - marker_count;
  const int64_t rest = inner % runs;
  return inner > 0 && rest <= kMostOfLoop && 2 * rest < runs ? inner - rest : inner;
}

void set_slope(CollectResult& result, int64_t second_count, int64_t second_marker_count) {
  const int64_t count = result.counts[0];  // of the child that went on to the second region
  const int64_t double_count = count + without_markers(second_count, second_marker_count, result.number_per_run);
  const double runs = static_cast<double>(result.number_per_run);
  CollectResult::Slope slope;
  slope.double_count = double_count;
  slope.per_run = static_cast<double>(double_count - count) / runs;
  slope.fixed = static_cast<double>(2 * count - double_count);
  slope.unexplained = slope.fixed - static_cast<double>(result.marker_count);
  result.slope = slope;
}

std::string describe_threads(const std::vector<ThreadTotal>& threads) {
  std::string text = "by thread:";
  for (const ThreadTotal& thread : threads)
    text +=
        fmt::format("{} {} in {}", text.back() == ':' ? "" : ",", with_thousands(thread.count),
                    thread.thread == 1 ? std::string("the calling thread") : fmt::format("thread {}", thread.thread));
  return text;
}

void end_dead(const CollectBatch& batch, CollectResult& result) {
  const std::string text =
      "the compiler optimized the statement away: its count does not grow with the number of runs; use its result, as "
      "in icount::keep(y), and hide constant inputs, as in icount::keep(x) in the set-up";
  if (batch.options.allow_dead) {
    result.notes.push_back(text);
  } else {
    result.status = CollectStatus::kDead;
    result.error = text + ", or pass --allow-dead";
  }
}

bool calls_anything(const CostGraph& graph) {
  return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const Edge& edge) {
    return edge.calls > 0 && graph.name(edge.caller) == "stmt" && graph.name(edge.callee) != "stmt";
  });
}

/// What the compiler may have worked out before the loop or before the program ran.
void note_constants(const TimerArgs& args, const Compiler& compiler, double per_run, CollectResult& result) {
  if (per_run <= empty_loop(compiler))
    result.notes.push_back(fmt::format(
        "{:g} instructions per run are the loop alone: the compiler computes the statement's value once, before "
        "the loop; icount::keep(x) of an input x in the statement makes every run compute it",
        per_run));
  else if (const std::string call = find_call_of_constants(args.stmt, args.setup);
           !call.empty() && !calls_anything(result.graph))
    result.notes.push_back(fmt::format(
        "the inputs of {} are constants and no call is left: the compiler may have computed it in advance; to "
        "count it with unknown inputs, put them into variables and hide their values with icount::keep(x) in "
        "the set-up",
        call));
}

/// A thread that the statement starts runs beside it, and who waits for whom is decided anew each time.
bool starts_threads(const CostGraph& graph) {
  return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const Edge& edge) {
    const std::string_view callee = graph.name(edge.callee);
    return edge.calls > 0 &&
           (callee.starts_with("pthread_create@") || callee == "pthread_create" || callee == "__pthread_create_2_1");
  });
}

size_t find_median(const std::vector<int64_t>& counts) {
  std::vector<size_t> order(counts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return std::pair(counts[a], a) < std::pair(counts[b], b); });
  return order[(order.size() - 1) / 2];
}

}  // namespace

void conclude(GatheredRegions regions, const CollectBatch& batch, const BatchConditions& conditions,
              CollectResult& result) {
  result.number_per_run = batch.options.number;
  for (const CostGraph& graph : regions.graphs) result.counts.push_back(total_of(graph));
  result.event = regions.graphs[0].events[0];
  result.median_repeat = find_median(result.counts);
  result.graph = std::move(regions.graphs[result.median_repeat]);
  result.stacks = std::move(regions.stacks[result.median_repeat]);
  result.python_functions = std::move(regions.functions);
  result.marker_count = conditions.marker_count;
  if (batch.server.interpreted) {
    result.baseline_counts = {conditions.marker_count};
    result.baseline = conditions.baseline;
  }
  result.setup_count = regions.setup_count;
  for (std::string& note : floating_point_notes(regions.floating)) result.notes.push_back(std::move(note));
  if (result.counts.size() == 1 && starts_threads(result.graph))
    result.notes.push_back(
        "the statement starts threads: their order changes from run to run, so the count may move; --repeats 3 shows "
        "by how much");
  if (!regions.placed.empty()) result.notes.push_back(describe_placed_code(regions.placed));
  if (!regions.thread_counts.empty()) result.notes.push_back(describe_threads(regions.thread_counts));
  if (regions.unlinked_code && !sets_smc_check(batch.options.callgrind_options))
    result.notes.push_back(
        "the statement runs code from memory that a memfd or a deleted file backs, as some JIT compilers do: where "
        "such code is rewritten, Valgrind runs the old code; count it with --callgrind-option --smc-check=all");
  if (regions.stray_bytes > 0)
    result.notes.push_back(
        fmt::format("the statement wrote {} bytes to a file descriptor that it did not open: icount's own, which "
                    "reports the measurement",
                    with_thousands(regions.stray_bytes)));
  result.prepared = regions.prepared;
  result.per_run =
      static_cast<double>(result.counts[result.median_repeat]) / static_cast<double>(result.number_per_run);
  if (regions.second_count >= 0) set_slope(result, regions.second_count, conditions.second_marker_count);
}

void note_conditions(const CollectBatch& batch, const BatchConditions& conditions, CollectResult& result) {
  for (const Fact& fact : batch.server.facts) result.fingerprint.set(fact.name, fact.value, fact.fact_class);
  add_routines(result.graph, result.fingerprint);
  add_cores(result.graph, result.fingerprint);
  if (conditions.measuring.aslr_refused)
    result.notes.push_back(
        "address space randomization could not be disabled (does the container refuse it?); the result records this");
  if (std::string note = describe_lost_threads(conditions.lost_threads, "counted"); !note.empty())
    result.notes.push_back(std::move(note));
  if (const std::string broken = find_broken_pin(result.graph, batch.options.pins); !broken.empty())
    result.notes.push_back(broken);
}

void judge_dead(const CollectBatch& batch, CollectResult& result) {
  result.status = CollectStatus::kDone;
  const int64_t count = result.counts[result.median_repeat];
  if (batch.server.interpreted) {
    if (count == result.marker_count) result.notes.push_back("the statement does nothing: it costs as much as `pass`");
    return;
  }
  const double runs = static_cast<double>(result.number_per_run);
  const int64_t inner = std::max<int64_t>(0, count - result.marker_count - kMostOfLoop);
  const double per_run = result.slope ? result.slope->per_run : static_cast<double>(inner) / runs;
  if (per_run < kLeastOfLoop) return end_dead(batch, result);
  const TimerArgs& args = batch.statements[result.index];
  if (args.language == Language::kCpp && per_run <= kAlmostNothing)
    note_constants(args, batch.toolchain.compiler, per_run, result);
}

}  // namespace icount
