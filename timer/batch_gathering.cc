#include "icount/timer/batch_gathering.h"

#include <fmt/format.h>

#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/user_options.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/stacks/stack_contexts.h"
#include "icount/timer/region_parts.h"
#include "icount/timer/unknown_instruction.h"

namespace icount {
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
