// Which of Valgrind's tools counts: Callgrind, or icount's own (tool/, docs/counter.md), which counts the same in a
// fraction of the time and has nothing beside instructions.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgrind/version.h"

namespace icount {

/// Name of the variable that holds the choice, "own" or "callgrind"; `--counter` sets it.
inline constexpr std::string_view kCounterVariable = "ICOUNT_COUNTER";

/// The tool's file name in its folder, and that of the file that says for which version of Valgrind it was built.
inline constexpr std::string_view kCounterFile = "icount-amd64-linux";
inline constexpr std::string_view kCounterVersionFile = "valgrind-version";
inline constexpr std::string_view kCounterToolOption = "--tool=icount";

/// The folder with the tool that belongs to `file` (own_file()): of the build tree, where tests lie one folder lower
/// and the Python package two, or beside the carried Valgrind. Empty when there is none.
std::filesystem::path find_counter_folder(const std::filesystem::path& file);

/// Why the tool in `folder` (empty: there is none) can't count with `valgrind`; empty: it can.
std::string why_counter_unusable(const std::filesystem::path& folder, const Valgrind& valgrind);

/// Fills valgrind.counter_folder as `asked` says: "own", "callgrind", or "" for icount's own where it can count this.
/// `callgrinds` names what of it Callgrind alone has; "": nothing. Where "own" is asked for, Error{kUsage} for such,
/// and Error{kTool} where the tool can't be used; Error{kUsage} for another word.
void choose_counter(std::string_view asked, std::string_view callgrinds, Valgrind& valgrind);

}  // namespace icount
