#include "icount/timer/stripped_copy.h"

#include <fmt/format.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/harness/needed_libraries.h"

namespace icount {

namespace fs = std::filesystem;

std::optional<StrippedCopy> StrippedCopy::make(const fs::path& program, const Environment& environment) {
  fs::path strip = find_program("strip");
  if (strip.empty()) strip = find_program("llvm-strip");
  if (strip.empty()) return std::nullopt;
  StrippedCopy copy(program);
  const ProcessOutcome outcome =
      run_process({.argv = {strip.string(), "-g", "-o", copy.path().string(), program.string()}});
  const NeededLibraries there = load_needed_libraries(program, environment);
  const NeededLibraries here = load_needed_libraries(copy.path(), environment);
  if (!outcome.ok() || here.libraries != there.libraries || here.unknown != there.unknown) return std::nullopt;
  return copy;
}

void StrippedCopy::stand_in(CallgrindRun& run) const {
  const std::string from = path().string();
  for (ProcessProfile& process : run.processes) {
    if (!process.argv.empty() && process.argv[0] == from) process.argv[0] = program_.string();
    for (Profile& profile : process.programs) {
      const StringId copy = profile.strings.intern(from), program = profile.strings.intern(program_.string());
      for (Function& function : profile.functions)
        if (function.object == copy) function.object = program;
      if (profile.command.starts_with(from)) profile.command.replace(0, from.size(), program_.string());
    }
  }
  run.notes.push_back(fmt::format(
      "Valgrind cannot read the debug information of {}, so a copy without it (strip -g) was counted: there "
      "are no source lines, and what the program does with its own path, which is another one, is counted "
      "for the copy's; compile it with -gdwarf-4 and without -gsplit-dwarf",
      program_.string()));
}

}  // namespace icount
