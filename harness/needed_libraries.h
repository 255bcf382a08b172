// Which shared libraries the loader loads together with a program: its answer, not ours (`ld.so --list`, what ldd
// prints). What a program opens later by itself (dlopen) is not among them. Used by timer/statement_files and
// suite/benchmark_identity.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/harness/environment.h"

namespace icount {

struct NeededLibraries {
  std::vector<std::filesystem::path> libraries;  ///< with the loader itself; none for a static program
  std::string unknown;                           ///< why there is no answer: a script, no ELF file, a library not found
};

/// Runs the program's own loader, never the program.
NeededLibraries load_needed_libraries(const std::filesystem::path& program, const Environment& environment);

/// Whether a loaded library is one of Valgrind's own, which its version stands for.
bool is_valgrinds(const std::filesystem::path& library);

}  // namespace icount
