#include "icount/timer/program_memory.h"

#include <fmt/format.h>

#include <filesystem>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/carried_valgrind.h"
#include "icount/timer/program_results.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

ProcessSpec dhat_process(const std::vector<std::string>& argv, const ProgramCountOptions& options,
                         const fs::path& out) {
  const PinnedSurroundings surroundings = apply_pins(options.pins, options.environment, options.extra_environment);
  ProcessSpec process;
  process.argv = make_dhat_command(choose_valgrind(options.environment.get(kValgrindVariable).value_or("")).path, out);
  const bool is_there = argv[0].find('/') != std::string::npos;
  const fs::path program = is_there ? options.working_dir / argv[0] : find_program(argv[0]);
  if (program.empty() || !fs::exists(program))
    throw Error(ErrorKind::kTool,
                fmt::format("cannot start {}: no such program; is it installed and in PATH?", argv[0]));
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

MemoryUse measure_memory(const std::vector<std::string>& argv, const ProgramCountOptions& options, int exit_code) {
  const ScratchDir folder;
  const fs::path out = folder.path() / "dhat.json";
  const ProcessOutcome outcome = run_process(dhat_process(argv, options, out));
  if (!ended_with(outcome, exit_code) || !fs::exists(out))
    throw Error(ErrorKind::kTool,
                fmt::format("cannot measure the memory of {} (Valgrind's DHAT): {}{}", shell_quote(argv),
                            describe_end(outcome), fs::exists(out) ? "" : ", and DHAT wrote no file"));
  return parse_dhat(load_text(out), "DHAT's file");
}

}  // namespace icount
