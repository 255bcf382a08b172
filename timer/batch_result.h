// From what a batch has gathered of one statement to its result: counts, the median repeat, the slope, remarks, whether
// anything is left of the statement. Pure; timer/collect_batch gathers.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/objects/floating_point.h"
#include "icount/stacks/call_stacks.h"
#include "icount/timer/collect_batch.h"
#include "icount/timer/collect_fingerprint.h"
#include "icount/timer/region_parts.h"

namespace icount {

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

/// Adds what the profile says about the conditions: routines to the fingerprint, pins that don't hold to the notes.
void note_conditions(const CollectBatch& batch, const BatchConditions& conditions, CollectResult& result);

/// Sets the status: kDone, or kDead when the count does not grow with the number of runs and that is not allowed. Says
/// what else the compiler may have worked out beforehand: a statement of which the loop alone is left, a call of
/// constants that left no call.
void judge_dead(const CollectBatch& batch, CollectResult& result);

}  // namespace icount
