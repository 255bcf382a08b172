// Which Valgrind counts: the one that was installed beside this program (cmake/CarryValgrind.cmake), the system's, or
// one that the user names. Probing it is callgrind/version.h's.
#pragma once

#include <filesystem>
#include <string_view>

#include "icount/callgrind/version.h"

namespace icount {

/// Name of the variable that holds the choice; `--valgrind` sets it.
inline constexpr std::string_view kValgrindVariable = "ICOUNT_VALGRIND";

/// libexec/icount/valgrind/valgrind below the folder that holds the program's bin/; empty when there is none. `program`
/// is own_program() (base/own_program.h).
std::filesystem::path find_carried_valgrind(const std::filesystem::path& program);

/// "carried": the carried one, Error{kTool} where there is none, or in a folder whose name has a blank or a colon;
/// "system": PATH's; anything else: a program's name or path. Empty: the carried one where there is one, else PATH's.
/// Errors of probe_valgrind.
Valgrind choose_valgrind(std::string_view asked);

}  // namespace icount
