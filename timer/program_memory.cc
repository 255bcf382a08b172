#include "icount/timer/program_memory.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "icount/base/checked.h"
#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/carried_valgrind.h"
#include "icount/stats/result_figures.h"
#include "icount/timer/program_results.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

int64_t integer_of(const Json& point, const char* field, const std::string& name) {
  const Json& value = json_field(point, field, name);
  if (!value.is_number_integer())
    throw Error(ErrorKind::kMalformed, fmt::format("{}: '{}' is no whole number", name, field));
  return value.get<int64_t>();
}

ProcessSpec dhat_process(const std::vector<std::string>& argv, const ProgramCountOptions& options,
                         const fs::path& out) {
  const PinnedSurroundings surroundings = apply_pins(options.pins, options.environment, options.extra_environment);
  ProcessSpec process;
  process.argv = {choose_valgrind(options.environment.get(kValgrindVariable).value_or("")).path.string(),
                  "--command-line-only=yes",
                  "-q",
                  "--vgdb=no",
                  "--tool=dhat",
                  "--dhat-out-file=" + out.string()};
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

MemoryUse parse_dhat(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  const Json& mode = json_field(json, "mode", name);
  if (mode != "heap") throw Error(ErrorKind::kMalformed, name + ": DHAT's file is not of its mode heap");
  const Json& points = json_field(json, "pps", name);
  if (!points.is_array()) throw Error(ErrorKind::kMalformed, name + ": 'pps' is no list");
  MemoryUse memory;
  const auto add = [&](int64_t& sum, const Json& point, const char* field) {
    sum = checked_add(sum, integer_of(point, field, name), field);
  };
  for (const Json& point : points) {
    add(memory.bytes, point, "tb");
    add(memory.blocks, point, "tbk");
    add(memory.peak_bytes, point, "gb");
    add(memory.peak_blocks, point, "gbk");
    add(memory.end_bytes, point, "eb");
  }
  return memory;
}

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

void add_memory_figures(const MemoryUse& memory, Result& result) {
  const std::array<int64_t, 5> values = {memory.bytes, memory.blocks, memory.peak_bytes, memory.peak_blocks,
                                         memory.end_bytes};
  for (size_t i = 0; i < kMemoryFigures.size(); ++i)
    result.figures.push_back({std::string(kMemoryFigures[i]), values[i]});
}

}  // namespace icount
