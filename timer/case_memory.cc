#include "icount/timer/case_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "icount/base/checked.h"
#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/elf_file.h"
#include "icount/timer/count_results.h"

namespace icount {

MemoryUse parse_dhat(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  const Json& mode = json_field(json, "mode", name);
  if (mode != "heap") throw Error(ErrorKind::kMalformed, name + ": DHAT's file is not of its mode heap");
  const Json& points = json_field(json, "pps", name);
  if (!points.is_array()) throw Error(ErrorKind::kMalformed, name + ": 'pps' is not a list");
  MemoryUse memory;
  const auto add = [&](int64_t& sum, const Json& point, const char* field) {
    sum = checked_add(sum, json_whole_number_field(point, field, name), field);
  };
  for (const Json& point : points) {
    add(memory.bytes, point, "tb");
    add(memory.blocks, point, "tbk");
    add(memory.peak_bytes, point, "gb");
    add(memory.peak_blocks, point, "gbk");
    add(memory.end_bytes, point, "eb");
    add(memory.end_blocks, point, "ebk");
  }
  return memory;
}

std::vector<std::string> make_dhat_command(const std::filesystem::path& valgrind, const std::filesystem::path& out) {
  return {valgrind.string(), "--command-line-only=yes",        "-q", "--vgdb=no",
          "--tool=dhat",     "--dhat-out-file=" + out.string()};
}

void add_memory_figures(const MemoryUse& memory, Result& result) {
  const std::array<int64_t, 5> values = {memory.bytes, memory.blocks, memory.peak_bytes, memory.peak_blocks,
                                         memory.end_bytes};
  for (size_t i = 0; i < kMemoryFigures.size(); ++i)
    result.figures.push_back({std::string(kMemoryFigures[i]), values[i]});
}

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

/// Of the region alone, above what was in use where it began. Error{kIo}, Error{kMalformed} when a file is not whole.
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

}  // namespace

std::string memory_plan(size_t case_index, const Result& result) {
  return fmt::format("runs {} {}\n", case_index, result.number_per_run);
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

namespace {

namespace fs = std::filesystem;

fs::path path_of(const std::vector<std::string>& argv, const ProgramCountOptions& options) {
  const bool is_there = argv[0].find('/') != std::string::npos;
  fs::path program = is_there ? options.working_dir / argv[0] : find_program(argv[0]);
  if (program.empty() || !fs::exists(program))
    throw Error(ErrorKind::kTool,
                fmt::format("cannot start {}: no such program; is it installed and in PATH?", argv[0]));
  return program;
}

/// Why DHAT cannot see what a program allocates: it replaces malloc by a library that it has the loader load, and where
/// others can see it. Empty when it can.
std::string why_unseen(const fs::path& program) {
  if (load_compiler_record(program).is_go) return "Go's runtime has a heap of its own, and DHAT sees only malloc's";
  try {
    if (load_elf_symbols(program).is_static)
      return "it is linked statically, so that DHAT cannot see its allocations; link it without -static";
  } catch (const Error&) {  // a script
  }
  return {};
}

/// How often malloc was called from outside of the allocator.
int64_t calls_of_malloc(const CostGraph& graph) {
  int64_t calls = 0;
  for (const Edge& edge : graph.edges)
    if (canonical_name(graph.name(edge.callee)) == "malloc" &&
        !is_part_of_allocator(graph.name(edge.caller), graph.object(edge.caller)))
      calls = saturating_add(calls, edge.calls);
  return calls;
}

ProcessSpec dhat_process(const std::vector<std::string>& argv, const ProgramCountOptions& options,
                         const fs::path& program, const fs::path& out) {
  const PinnedSurroundings surroundings = apply_pins(options.pins, options.environment, options.extra_environment);
  ProcessSpec process;
  process.argv = make_dhat_command(choose_valgrind(options.environment.get(kValgrindVariable).value_or("")).path,
                                   valgrind_path(out));
  process.argv.push_back("--max-threads=2000");
  for (std::string& option : probe_stack_options()) process.argv.push_back(std::move(option));
  process.argv.push_back(fs::absolute(program).string());
  process.argv.insert(process.argv.end(), argv.begin() + 1, argv.end());
  process.environment = surroundings.environment.block();
  process.disable_aslr = surroundings.disable_aslr;
  process.working_dir = options.working_dir;
  process.input_file = options.input_file;
  process.time_limit = options.time_limit;
  process.cancelled = options.cancelled;
  return process;
}

}  // namespace

ProgramMemory measure_memory(const std::vector<std::string>& argv, const ProgramCountOptions& options,
                             const ProgramCount& counted, int exit_code) {
  const fs::path program = path_of(argv, options);
  if (const std::string reason = why_unseen(program); !reason.empty()) return {std::nullopt, kNoMemory + reason};
  const ScratchDir folder;
  const fs::path out = folder.path() / "dhat.json";
  const ProcessOutcome outcome = run_process(dhat_process(argv, options, program, out));
  if (!ended_with(outcome, exit_code) || !fs::exists(out))
    throw Error(ErrorKind::kTool,
                fmt::format("cannot measure the memory of {} (Valgrind's DHAT): {}{}", shell_quote(argv),
                            describe_end(outcome), fs::exists(out) ? "" : ", and DHAT wrote no file"));
  const MemoryUse use = parse_dhat(load_text(out), "DHAT's file");
  const int64_t calls = counted.processes.empty() ? 0 : calls_of_malloc(counted.processes[0].graph);
  if (use.blocks < calls / 2)
    return {std::nullopt, fmt::format("{}DHAT saw {} blocks, and malloc was called {} times (an allocator that "
                                      "Valgrind does not replace?)",
                                      kNoMemory, with_thousands(use.blocks), with_thousands(calls))};
  return {use, {}};
}

}  // namespace icount
