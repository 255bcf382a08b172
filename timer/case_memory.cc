#include "icount/timer/case_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "icount/base/file.h"
#include "icount/callgraph/allocations.h"
#include "icount/stats/result_figures.h"

namespace icount {
namespace {

MemoryUse load_dhat(const std::filesystem::path& folder, int process) {
  return parse_dhat(load_text(folder / fmt::format("dhat.{}", process)), "DHAT's file");
}

/// Why a region has no figures; empty when it has.
std::string failure_of(const BenchRun& run, const BenchCaseRun& one) {
  if (one.memory) return {};
  if (run.is_together) return "the binary has threads before its first case, so that no case has a process of its own";
  return one.failure ? fmt::format("under DHAT it ended with {}", describe_end(*one.failure))
                     : "under DHAT it did not run its loop";
}

/// Why a region's figures would not be exact; empty when they are. Allocations were counted without the pauses.
std::string doubt_of(const BenchMemory& measured, const MemoryUse& memory, std::optional<int64_t> allocations) {
  if (measured.pauses && memory.blocks != allocations)
    return "it allocates where its timing pauses, and DHAT does not stop there";
  if (memory.blocks == 0 && allocations.value_or(0) > 0)
    return "DHAT saw none of its allocations (an allocator that Valgrind does not replace?)";
  return {};
}

}  // namespace

std::string memory_plan(size_t case_index, const Result& result) {
  return fmt::format("runs {} {}\n", case_index, result.number_per_run);
}

MemoryUse load_bench_memory(const std::filesystem::path& folder, const BenchMemory& memory) {
  const MemoryUse before = load_dhat(folder, memory.before), whole = load_dhat(folder, memory.whole);
  MemoryUse region;
  region.bytes = whole.bytes - before.bytes - memory.taken;
  region.blocks = whole.blocks - before.blocks - 1;
  region.peak_bytes = whole.peak_bytes - before.end_bytes - memory.taken;
  region.peak_blocks = std::max<int64_t>(0, whole.peak_blocks - before.end_blocks - 1);
  // A region may free what was there before.
  region.end_bytes = std::max<int64_t>(0, whole.end_bytes - before.end_bytes - memory.taken);
  region.end_blocks = std::max<int64_t>(0, whole.end_blocks - before.end_blocks - 1);
  return region;
}

void take_memory(const std::filesystem::path& folder, const BenchRun& run, const BenchCaseRun& one, Result& result) {
  std::string doubt = failure_of(run, one);
  MemoryUse memory;
  if (doubt.empty()) {
    memory = load_bench_memory(folder, *one.memory);
    doubt = doubt_of(*one.memory, memory, find_figure(result, kAllocations));
  }
  if (doubt.empty())
    add_memory_figures(memory, result);
  else
    result.notes.push_back(kNoMemory + doubt);
}

void note_missing_memory(Result& result) {
  const bool is_noted = std::any_of(result.notes.begin(), result.notes.end(),
                                    [](const std::string& note) { return note.starts_with(kNoMemory); });
  if (!is_noted && !find_figure(result, kMemoryFigures[0]))
    result.notes.push_back(std::string(kNoMemory) + "the binary ended before this case under DHAT");
}

}  // namespace icount
