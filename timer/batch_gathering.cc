#include "icount/timer/batch_gathering.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/user_options.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/harness/constant_inputs.h"
#include "icount/objects/misplaced_code.h"
#include "icount/stacks/stack_contexts.h"
#include "icount/timer/count_gaps.h"

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

/// Adds what the profile says about the conditions: routines to the fingerprint, pins that don't hold to the notes.
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

/// Sets the status: kDone, or kDead when the count does not grow with the number of runs and that is not allowed. Says
/// what else the compiler may have worked out beforehand: a statement of which the loop alone is left, a call of
/// constants that left no call.
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

namespace {

namespace fs = std::filesystem;

constexpr int kRegion = 2;  // part of a profile; the first is set-up and warm-up
constexpr int kSecondRegion = 3;

CollectStatus status_of(JobStatus status) {
  switch (status) {
    case JobStatus::kDone:
      return CollectStatus::kDone;
    case JobStatus::kThrew:
      return CollectStatus::kThrew;
    case JobStatus::kSignal:
      return CollectStatus::kCrashed;
    case JobStatus::kExited:
      return CollectStatus::kExited;
    case JobStatus::kTimeout:
      return CollectStatus::kTimedOut;
    case JobStatus::kCancelled:
      return CollectStatus::kCancelled;
    case JobStatus::kForked:
      return CollectStatus::kForked;
    case JobStatus::kUnfit:
      break;
  }
  return CollectStatus::kServerLost;
}

}  // namespace

BatchGathering::BatchGathering(const CollectBatch& plan, std::filesystem::path folder,
                               std::vector<CollectResult>& results)
    : plan_(plan),
      options_(plan.options),
      folder_(std::move(folder)),
      object_(plan.server.object),
      results_(results),
      objects_(plan.toolchain),
      namer_(regroups_functions(plan.options.callgrind_options) ? CodePlacing::kAsListed : CodePlacing::kByAddress) {
  conditions_.measuring.valgrind = plan.valgrind;
  conditions_.measuring.pins = plan.options.pins;
  conditions_.measuring.markers = toggling() ? "toggle" : options_.per_thread ? "dump of each thread" : "dump";
}

void BatchGathering::take_markers(const StubJob& job, const JobOutcome& outcome) {
  const int part = toggling() ? 1 : kRegion;
  conditions_.marker_count = load_region_total(folder_, outcome.pid, part);
  if (plan_.server.interpreted) {
    CostGraph& baseline = conditions_.baseline;
    baseline = load_region(folder_, outcome.pid, part, parse_options());
    if (options_.stacks > 0) take_call_stacks(baseline);
    use_plain_names(baseline, object_);
  }
  if (job.then > 0) conditions_.second_marker_count = load_region_total(folder_, outcome.pid, kSecondRegion);
  remove_parts(folder_, outcome.pid, kSecondRegion);
}

ParseOptions BatchGathering::parse_options() const {
  ParseOptions parse;
  parse.keep_lines = options_.keep_lines;
  parse.keep_insides = options_.keep_insides && options_.stacks == 0;
  return parse;
}

void BatchGathering::take(const StubJob& job, const JobOutcome& outcome) {
  const auto statement = static_cast<size_t>(job.benchmark);
  Gathered& gathered = gathered_[statement];
  if (!gathered.ended) {
    try {
      if (const std::string other = objects_.find_other(outcome.objects); !other.empty())
        end(statement, CollectStatus::kWrongLibrary, other, outcome.output);
      else if (outcome.status == JobStatus::kDone)
        gather(job, outcome, gathered);
      else
        end_badly(job, outcome);
    } catch (const Error& error) {
      end(statement, CollectStatus::kCrashed, fmt::format("it could not be counted: {}", error.what()), outcome.output);
    }
  }
  keep_or_remove(job, outcome);
}

void BatchGathering::keep_or_remove(const StubJob& job, const JobOutcome& outcome) const {
  const int parts = toggling() ? options_.repeats : job.then > 0 ? kSecondRegion : kRegion;
  if (!options_.keep_dir.empty() && outcome.status == JobStatus::kDone)
    keep_part(folder_, outcome.pid, toggling() ? parts : kRegion,
              options_.keep_dir / fmt::format("callgrind.out.{}", job.benchmark));
  remove_parts(folder_, outcome.pid, parts);
}

void BatchGathering::gather(const StubJob& job, const JobOutcome& outcome, Gathered& gathered) {
  GatheredRegions& regions = gathered.regions;
  const int parts = toggling() ? options_.repeats : 1;
  for (int repeat = 0; repeat < parts; ++repeat) {
    const int part = toggling() ? repeat + 1 : kRegion;
    CostGraph& graph = regions.graphs.emplace_back(
        load_region(folder_, outcome.pid, part, parse_options(), RegionStart::kLastPart, KeptCode::kAll));
    regions.placed.merge(namer_.place_code(graph));
    namer_.find_floating_point(graph, regions.floating);
    namer_.find_fast_math(object_, regions.floating);
    keep_costly_code(graph);
    regions.stacks.emplace_back();
    if (options_.stacks > 0) regions.stacks.back() = take_call_stacks(regions.graphs.back());
    namer_.name(regions.graphs.back());
    use_plain_names(regions.graphs.back(), object_);
    if (regions.stacks.back()) use_plain_names(*regions.stacks.back(), object_);
  }
  if (job.then > 0) regions.second_count = load_region_total(folder_, outcome.pid, kSecondRegion);
  regions.prepared = outcome.prepared;
  if (job.objects) regions.objects = outcome.objects;
  for (const CompiledFunction& function : outcome.functions)
    regions.functions.push_back({function.address, function.name, function.file, function.line});
  regions.stray_bytes += outcome.stray_bytes;
  regions.multi_threaded |= outcome.multi_threaded;
  regions.unlinked_code |= outcome.unlinked_code;
  if (options_.per_thread && !toggling() && regions.thread_counts.empty()) {
    regions.thread_counts = load_thread_totals(folder_, outcome.pid, kRegion);
    // A number that a neighbour's thread had has a part as well.
    std::erase_if(regions.thread_counts, [](const ThreadTotal& thread) { return thread.count == 0; });
  }
  if (regions.setup_count == 0 && !toggling() && !outcome.prepared && !hides_setup_counts_)
    regions.setup_count = load_region_total(folder_, outcome.pid, 1);
  if (--gathered.missing == 0) end_well(static_cast<size_t>(job.benchmark), gathered);
}

bool BatchGathering::shows_exception(const JobOutcome& outcome) const {
  for (int part = 1; part <= kSecondRegion; ++part) {
    const fs::path path = folder_ / fmt::format("cg.{}.{}", outcome.pid, part);
    std::error_code error;
    if (fs::exists(path, error) && map_file(path).view().find("_Unwind_") != std::string_view::npos) return true;
  }
  return false;
}

void BatchGathering::drop(const JobOutcome& outcome) const { remove_parts(folder_, outcome.pid, kSecondRegion); }

void BatchGathering::end_badly(const StubJob& job, const JobOutcome& outcome) {
  CollectStatus status = status_of(outcome.status);
  std::string error = describe_job_end(outcome, job.limit_seconds);
  if (outcome.status == JobStatus::kSignal && outcome.signal == 4) {
    const std::string log = load_text(folder_ / "log");
    if (const auto unknown = find_unhandled_instruction(log, outcome.pid)) {
      status = CollectStatus::kUnhandledInstruction;
      error = describe_unknown_instruction(*unknown);
    }
  }
  end(static_cast<size_t>(job.benchmark), status, error, outcome.output);
}

void BatchGathering::end(size_t statement, CollectStatus status, std::string error, std::string details) {
  CollectResult& result = results_[statement];
  result.status = status;
  result.error = std::move(error);
  result.details = std::move(details);
  result.number_per_run = options_.number;
  give_out(statement);
}

void BatchGathering::end_all_open(CollectStatus status, const std::string& error) {
  for (const auto& [statement, gathered] : gathered_)
    if (!gathered.ended) end(statement, status, error);
}

void BatchGathering::end_well(size_t statement, Gathered& gathered) {
  CollectResult& result = results_[statement];
  const std::vector<LoadedObject> objects = std::move(gathered.regions.objects);
  const bool multi_threaded = gathered.regions.multi_threaded;
  conclude(std::move(gathered.regions), plan_, conditions_, result);
  result.fingerprint =
      make_fingerprint(plan_.statements[statement], options_.number, plan_.toolchain, conditions_.measuring);
  add_option_facts(options_.callgrind_options, result.fingerprint);
  add_cores_at_start(multi_threaded, result.fingerprint);
  add_loaded_objects(objects, result.fingerprint);
  if (plan_.files) result.files = plan_.files->record(statement, objects);
  add_stub_version(result.graph, result.fingerprint);
  note_conditions(plan_, conditions_, result);
  judge_dead(plan_, result);
  give_out(statement);
}

void BatchGathering::give_out(size_t statement) {
  gathered_[statement].ended = true;
  gathered_[statement].regions = {};
  if (options_.on_result) options_.on_result(results_[statement]);
}

}  // namespace icount
