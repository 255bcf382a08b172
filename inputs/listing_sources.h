// The source text of listed functions (explain/function_listing.h) and of causes' lines, read from the disk: of the
// lines that were executed and a few around them. `icount diff` and `icount report` use it, unless --no-source forbids
// it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "icount/console/options.h"
#include "icount/explain/explain.h"
#include "icount/explain/function_listing.h"
#include "icount/mine/attribution.h"

namespace icount {

inline constexpr OptionSpec kNoSourceOption = {"no-source", "", "leave source text out; only files and line numbers"};

/// Fills sources and source_notes. `sides`: base, empty where there is none, and head as the user named them; where
/// that is a file, it says when the side was recorded, and relative names are looked up in its folder, else in the
/// current one. A file whose executed lines are blank, comments or missing is not the one that was recorded: its text
/// is left out. A file that was changed after a side was recorded is said to be in doubt, and where it fits the other
/// side it is shown for that one only. Where the commits of the sides are known, files of the repository, and of
/// worktrees that are gone, are as they are there.
void load_listing_sources(std::vector<FunctionListing>& listings, const std::array<std::string, 2>& sides,
                          const CommitSources* commits = nullptr);

/// Fills CauseLine::text of the first causes, of lines that head runs and whose text is not in doubt.
void load_cause_sources(std::vector<Cause>& causes, const std::array<std::string, 2>& sides,
                        const CommitSources* commits = nullptr);

}  // namespace icount
