// The files a measured child leaves: finds the part that holds the region and makes a cost graph of it. Between
// harness/stub_client (which says how the child ended) and callgrind/parser.
#pragma once

#include <cstdint>
#include <filesystem>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

// The harness's own functions in a measured region become one: people look for their statement, not for our steps
// around it. Totals stay.

/// Every function of the stub server ("icount_stub::...") as one function "(measuring loop)" without a file that
/// nobody calls, and which calls the statement: also where the profile begins within the statement. A graph without any
/// stays as it is.
void fold_measuring_loop(CostGraph& graph);

/// The same for frames: those that follow each other become one.
void fold_measuring_loop(CallStacks& stacks);

/// Where the costs of a part begin.
enum class RegionStart {
  kLastPart,       ///< at the end of the part before
  kAfterLastPart,  ///< later: they were set to zero there, and the part's range of basic blocks says nothing about them
};

/// DIR/cg.PID.PART as a graph. Error{kIo} naming the file when it is not there, not whole, or was not written by a
/// marker (callgrind/own_profile.h): a process that crashes or exits leaves complete looking files too.
CostGraph load_region(const std::filesystem::path& dir, int pid, int part, const ParseOptions& options,
                      RegionStart start = RegionStart::kLastPart, KeptCode kept = KeptCode::kCostly);

/// What one thread counted; the calling thread is number 1.
struct ThreadTotal {
  int thread = 1;
  int64_t count = 0;
};

/// Of each thread that wrote such a part, in order; with --separate-threads=yes there are parts DIR/cg.PID.PART-THREAD,
/// which the other functions add up. Error{kIo} when there is none, or one is not whole.
std::vector<ThreadTotal> load_thread_totals(const std::filesystem::path& dir, int pid, int part);

/// First event's total of such a part, without building a graph. Error{kIo} when it is not there or not whole.
int64_t load_region_total(const std::filesystem::path& dir, int pid, int part);

/// Names of generated code as people know them: function "stmt" in files "stmt" and "setup", object "stub"; our own
/// steps around it are one function "(measuring loop)".
void use_plain_names(CostGraph& graph, const std::filesystem::path& executable);
void use_plain_names(CallStacks& stacks, const std::filesystem::path& executable);

/// Saves such a part as a profile of Callgrind's form; does nothing where there is none.
void keep_part(const std::filesystem::path& dir, int pid, int part, const std::filesystem::path& to);

/// Removes all that process `pid` wrote.
void remove_parts(const std::filesystem::path& dir, int pid, int parts);

}  // namespace icount
