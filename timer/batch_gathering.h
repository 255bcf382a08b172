// What the children of a batch leave, statement by statement, until all jobs of one have ended and its result goes out.
// Reads the profiles (timer/region_parts) and concludes; timer/collect_batch runs the server and hands the jobs' ends
// in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/harness/object_check.h"
#include "icount/harness/stub_client.h"
#include "icount/objects/disassembly.h"
#include "icount/objects/name_code.h"
#include "icount/stacks/call_stacks.h"
#include "icount/timer/collect_batch.h"
#include "icount/timer/collect_fingerprint.h"
#include "icount/timer/region_parts.h"

namespace icount {

// From what a batch has gathered of one statement to its result: counts, the median repeat, the slope, remarks, whether
// anything is left of the statement. Pure; timer/collect_batch gathers.

/// The regions of one statement.
struct GatheredRegions {
  std::vector<CostGraph> graphs;                  ///< one per repeat
  std::vector<std::optional<CallStacks>> stacks;  ///< as many
  int64_t setup_count = 0;
  int64_t second_count = -1;  ///< of n more runs behind those of the first repeat; -1: not asked for
  bool prepared = false;
  std::vector<PythonFunction> functions;   ///< that have machine code of their own, of the first repeat
  std::vector<LoadedObject> objects;       ///< loaded at the end of the first repeat
  FloatingPoint floating;                  ///< of all repeats
  bool multi_threaded = false;             ///< the process had had a second thread when a region began
  bool unlinked_code = false;              ///< mapped at the end of a repeat: stale code may have run
  std::set<std::string> placed;            ///< functions that code was moved to, in any repeat
  int64_t stray_bytes = 0;                 ///< that the statement wrote to a descriptor of ours
  std::vector<ThreadTotal> thread_counts;  ///< of the first repeat; empty: threads were not kept apart
};

/// What holds for all statements of a server.
struct BatchConditions {
  MeasuringConditions measuring;
  int64_t marker_count = 0;         ///< of an empty region
  int64_t second_marker_count = 0;  ///< of an empty region behind it
  CostGraph baseline;               ///< its graph, for interpreted statements
  int lost_threads = 0;             ///< threads of global set-ups, which the measured processes do not have
};

/// Fills in what was measured. `regions.graphs` must not be empty.
void conclude(GatheredRegions regions, const CollectBatch& batch, const BatchConditions& conditions,
              CollectResult& result);

class BatchGathering {
 public:
  /// Children write their profiles below `folder`; the server's log is there, too. Results go to `results` by
  /// statement.
  BatchGathering(const CollectBatch& plan, std::filesystem::path folder, std::vector<CollectResult>& results);

  /// Where the children of the next jobs write, and the path under which their profiles have the stub.
  void use_server(std::filesystem::path folder, std::string object) {
    folder_ = std::move(folder);
    object_ = std::move(object);
  }
  /// The jobs to come are those of a server that stays warm: what their set-ups cost is not told, as with snapshots.
  void hide_setup_counts(bool hide) { hides_setup_counts_ = hide; }
  /// Whether an exception went through the frames of this job's process.
  bool shows_exception(const JobOutcome& outcome) const;
  /// Removes what the job's process wrote.
  void drop(const JobOutcome& outcome) const;

  /// What holds for all statements of the server.
  BatchConditions& conditions() { return conditions_; }

  /// So many jobs will be handed in before the statement's result can go out.
  void expect(size_t statement, int jobs) { gathered_[statement].missing = jobs; }
  bool has_ended(size_t statement) const { return gathered_.at(statement).ended; }

  /// What an empty region cost, and its graph for interpreted statements.
  void take_markers(const StubJob& job, const JobOutcome& outcome);

  /// One job's end; job.benchmark is the statement. The last one, or the first bad one, sends the result out. Removes
  /// what the child wrote, but for a copy of the region in options.keep_dir.
  void take(const StubJob& job, const JobOutcome& outcome);

  /// Sends out a result without counts.
  void end(size_t statement, CollectStatus status, std::string error, std::string details = {});
  /// The same for all whose results are not out yet.
  void end_all_open(CollectStatus status, const std::string& error);

 private:
  ParseOptions parse_options() const;
  /// What has come of a statement so far.
  struct Gathered {
    GatheredRegions regions;
    int missing = 0;     // jobs still to come
    bool ended = false;  // its result is out
  };

  bool toggling() const { return options_.markers == Markers::kToggle; }
  void gather(const StubJob& job, const JobOutcome& outcome, Gathered& gathered);
  void end_badly(const StubJob& job, const JobOutcome& outcome);
  void end_well(size_t statement, Gathered& gathered);
  void give_out(size_t statement);
  void keep_or_remove(const StubJob& job, const JobOutcome& outcome) const;

  const CollectBatch& plan_;
  const CollectOptions& options_;
  std::filesystem::path folder_;
  std::string object_;
  std::vector<CollectResult>& results_;
  std::map<size_t, Gathered> gathered_;
  BatchConditions conditions_;
  ObjectCheck objects_;
  CodeNamer namer_;
  bool hides_setup_counts_ = false;
};

}  // namespace icount
