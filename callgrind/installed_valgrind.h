// Which Valgrind counts here, and which of its tools. Counts of two versions are not comparable, so the version is part
// of every fingerprint.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct Valgrind {
  std::filesystem::path path;
  std::string version;      ///< "3.19.0"
  bool is_carried = false;  ///< installed beside icount (callgrind/installed_valgrind.h)
  /// Of icount's own tool, where that is to count (callgrind/installed_valgrind.h); empty: Callgrind does.
  std::filesystem::path counter_folder = {};
};

/// "3.19.0" from "valgrind-3.19.0" (a suffix such as ".GIT" is kept); nullopt for anything else.
std::optional<std::string> parse_valgrind_version(std::string_view output);

/// The Valgrind in PATH, or `program` when it is given. Error{kTool} that says how to install it when there is none or
/// it does not run.
Valgrind probe_valgrind(std::string_view program = "valgrind");

/// Name of the variable that holds the choice; `--valgrind` sets it.
inline constexpr std::string_view kValgrindVariable = "ICOUNT_VALGRIND";

/// libexec/icount/valgrind/valgrind below the folder that holds the program's bin/; empty when there is none. `program`
/// is own_program() (base/program_paths.h).
std::filesystem::path find_carried_valgrind(const std::filesystem::path& program);

/// "carried": the carried one, Error{kTool} where there is none, or in a folder whose name has a blank or a colon;
/// "system": PATH's; anything else: a program's name or path. Empty: the carried one where there is one, else PATH's.
/// Errors of probe_valgrind.
Valgrind choose_valgrind(std::string_view asked);

// Which of Valgrind's tools counts: Callgrind, or icount's own (tool/, docs/counter.md), which counts the same in a
// fraction of the time and has nothing beside instructions.

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
