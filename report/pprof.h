// Stack trees as a pprof profile: the message of github.com/google/pprof/proto/profile.proto, written by hand (it needs
// no more than numbers and byte strings), not yet compressed. `go tool pprof` and its kin read it.
#pragma once

#include <string>
#include <vector>

#include "icount/stacks/stack_tree.h"

namespace icount {

struct PprofOptions {
  std::string benchmark;              ///< label "benchmark" on every sample; empty: none
  std::vector<std::string> comments;  ///< shown by `pprof -comments`
};

/// One sample type (unit "count") per tree, named by its event; a frame with self cost is a sample with its whole
/// stack. Functions, files and objects become functions and mappings, the program's first (viewers call it the main
/// binary); there are no addresses and no lines.
std::string render_pprof(const std::vector<StackTree>& trees, const PprofOptions& options = {});

/// Head minus base for one event: base's samples count negative and carry the label pprof::base=true, as `pprof
/// -diff_base` makes them.
std::string render_pprof_diff(const StackTree& base, const StackTree& head, const PprofOptions& options = {});

}  // namespace icount
