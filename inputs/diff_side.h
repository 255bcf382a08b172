// What BASE and HEAD of `icount diff` may be: a profile, a saved result, a stored run, an executable, a quoted command
// line. Each becomes a ResultFile, so that the comparison knows one form only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/callgrind/cost_graph_builder.h"
#include "icount/console/command_spec.h"
#include "icount/stats/result.h"

namespace icount {

// Whether a file is called as data is: a run bit, which copies from other file systems have by themselves, makes no
// program of it.

/// By the last part of the path alone, in letters of either case: "x.icount", "e.expected", "callgrind.out.7",
/// "profile.out", also as backups and copies ("r.icount.bak", "x.json~", "x.ICOUNT.1", "x.icount (2)").
bool is_named_like_data(const std::filesystem::path& path);

struct DiffSide {
  std::string name;    ///< what the user wrote
  bool saved = false;  ///< a saved result; else one result with a graph and, for a profile, no fingerprint
  std::vector<std::string> warnings;  ///< said on err when both sides are read
  ResultFile file;
  std::string commit = {};  ///< of a stored run; empty: not known
};

struct DiffSideOptions {
  bool run = false;         ///< run executables whose names are those of data (x.icount), too
  bool fresh = false;       ///< measure an executable again even when its result is kept
  double time_limit_s = 0;  ///< for programs; 0: none
  bool jumps = true;        ///< record what happens inside functions of what is measured
  KeptCode code = KeptCode::kCostly;
  std::string store;  ///< --store, for sides such as @main (inputs/open_store.h)
};

struct DiffSides {
  DiffSide base, head;
};

/// Reads or measures both. Files are read side by side, programs measured one after the other. Error "NAME: ..." for a
/// folder, a damaged file, a word that is neither a file nor a program; base's when both fail.
DiffSides load_diff_sides(const std::string& base, const std::string& head, const DiffSideOptions& options,
                          CommandContext& context);

/// One side alone; the same errors, warnings said on err.
DiffSide load_diff_side(const std::string& text, const DiffSideOptions& options, CommandContext& context);

/// A saved result, or a stored run ("@main"); nothing is measured.
DiffSide load_kept_side(const std::string& text, CommandContext& context);

}  // namespace icount
