#include "icount/timer/program_memory.h"

#include <fmt/format.h>

#include <filesystem>

#include "icount/base/checked.h"
#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/carried_valgrind.h"
#include "icount/callgrind/command.h"
#include "icount/harness/compiler_record.h"
#include "icount/harness/elf_symbols.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/program_results.h"

namespace icount {
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
