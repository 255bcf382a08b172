// Random programs for tests of what happens inside functions: a control-flow graph, a walk through it, and the profile
// that Callgrind would write of that walk.
#pragma once

#include <cstdint>
#include <string>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"

namespace icount {

struct CodedProfile {
  CostGraph graph;
  ProfileCode code;
};

/// A profile's text with all that it says inside its functions.
CodedProfile read_coded(const std::string& text);
/// The same of a file; functions of a ten-thousandth of the cost and more, as `icount diff` reads them.
CodedProfile load_coded(const std::string& path);

struct RandomCode {
  uint64_t code_seed = 1;  ///< blocks, jumps and calls
  uint64_t walk_seed = 1;  ///< which way is taken
  int blocks = 12;
  int entries = 20;    ///< calls of the function by main
  double taken = 0.5;  ///< how often a branch is taken, about
  int first_line = 10;
  int most_steps = 3000;  ///< of one call; a longer one ends like exit()
};

/// `main` calls `f`, which calls `g` and `h` from some of its blocks.
std::string random_profile(const RandomCode& how);

}  // namespace icount
