// Proof of what objects do: those that differ between two builds, each linked alone into base, and left out of head.
// Used by `icount diff --relink`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/gate/mixture_count.h"
#include "icount/mine/object_parts.h"

namespace icount {

struct RelinkOptions {
  std::vector<std::string> link;        ///< what linked both programs, each in its own folder
  std::vector<std::string> base, head;  ///< command lines
  double time_limit_s = 0;              ///< of a program; 0: ten times what the slower side takes
  int64_t base_count = 0, head_count = 0;
  MixtureCounter::Count count;
};

/// Objects whose types differ in layout between the builds, and those that don't link one without the other, are one
/// piece. Error{kUsage} for a command that names no output, or of which a side lacks a file; Error{kCannotJudge} for
/// objects of which the linker makes the code (LTO), and where the command links programs that count otherwise.
ObjectParts prove_objects(const RelinkOptions& options, CommandContext& context);

}  // namespace icount
