// Which results of a run execute what a commit changes, by the source lines that each executed on the commit's base.
// Pure; cli/command_affected prints it, `icount tests --affected` counts only these.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "icount/mine/attribution.h"

namespace icount {

/// A run of the commit's base.
struct ExecutedLines {
  struct Of {
    std::string key;                                   ///< result_key
    std::vector<std::pair<uint32_t, uint64_t>> lines;  ///< indices into files; empty: not known
  };
  std::vector<std::string> files;  ///< as the profiles name them
  std::vector<Of> results;
};

struct AffectedResult {
  std::string key;
  std::string why;  ///< "executes src/a.cc:12", "executes `parse`, changed at src/a.cc:14", "its lines are not known"
};

struct Affected {
  std::vector<AffectedResult> results;   ///< in the run's order
  std::vector<std::string> all_because;  ///< what reaches every result, as far as is known; then all are in `results`
  std::vector<std::string> unreached;    ///< "src/a.cc:12-14": changed code that no result executes
  std::vector<std::string> left_out;     ///< keys of the others, in the run's order
};

/// A result that executes a line of a function that the diff changes is affected: its count may change by how the
/// function is compiled. So is one that executes a source which includes a changed header: its functions may be folded
/// into code that no line of them is left of. Macros, types, initial values, includes and files that are no source
/// reach all, and so does everything where the run's lines are not those of base.
Affected find_affected(const ExecutedLines& run, const CommitSources& commits);

}  // namespace icount
