// Forms that other tools read. Folded stacks, the text form that flame graph scripts read: one line per stack,
// "main;parse;lex 1234". Of one tree (stacks/stack_tree.h), or of two with a column each, as difffolded.pl makes them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/stacks/stack_tree.h"
#include "icount/stacks/stack_tree_diff.h"

namespace icount {

/// Frames with self cost, in the tree's order. The format has no escapes: ';' in a name becomes ':', a control byte
/// '?'.
std::string render_folded(const StackTree& tree);

/// "STACK BASE HEAD" for every frame that has self cost on either side.
std::string render_folded_diff(const StackTreeDiff& diff);

// Stack trees as a speedscope file (https://www.speedscope.app, "file format"): evented profiles, one per tree, in
// which time stands for cost. Several trees share one file: events of one run, or base and head.

struct NamedTree {
  std::string name;
  StackTree tree;
};

/// `name` is what the viewer shows. A frame is open for its inclusive cost: children one after the other, its own cost
/// last.
Json speedscope_to_json(const std::vector<NamedTree>& trees, const std::string& name);

// Stack trees as a pprof profile: the message of github.com/google/pprof/proto/profile.proto, written by hand (it needs
// no more than numbers and byte strings), not yet compressed. `go tool pprof` and its kin read it.

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

// What of a program's source ran, as the records that lcov, genhtml and most other viewers of coverage read
// (geninfo(1), "FILES"). The values come from inputs/load_coverage.h.

/// A conditional jump in the code of a line.
struct CoveredBranch {
  bool is_reached = false;
  int64_t jumped = 0, passed = 0;
};

struct CoveredSource {
  std::string file;
  std::map<std::string, std::pair<uint64_t, int64_t>> functions;  ///< by name: where it begins, its calls
  std::map<uint64_t, int64_t> lines;                              ///< every line that has code, with its executions
  std::map<uint64_t, std::vector<CoveredBranch>> branches;        ///< by line
};

std::string render_lcov(std::span<const CoveredSource> sources);

}  // namespace icount
