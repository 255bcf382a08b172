// Which Valgrind runs here. Counts of two versions are not comparable, so the version is part of every fingerprint.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace icount {

struct Valgrind {
  std::filesystem::path path;
  std::string version;      ///< "3.19.0"
  bool is_carried = false;  ///< installed beside icount (callgrind/carried_valgrind.h)
  /// Of icount's own tool, where that is to count (callgrind/own_counter.h); empty: Callgrind does.
  std::filesystem::path counter_folder = {};
};

/// "3.19.0" from "valgrind-3.19.0" (a suffix such as ".GIT" is kept); nullopt for anything else.
std::optional<std::string> parse_valgrind_version(std::string_view output);

/// The Valgrind in PATH, or `program` when it is given. Error{kTool} that says how to install it when there is none or
/// it does not run.
Valgrind probe_valgrind(std::string_view program = "valgrind");

}  // namespace icount
