// Stack trees as a speedscope file (https://www.speedscope.app, "file format"): evented profiles, one per tree, in
// which time stands for cost. Several trees share one file: events of one run, or base and head.
#pragma once

#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/stacks/stack_tree.h"

namespace icount {

struct NamedTree {
  std::string name;
  StackTree tree;
};

/// `name` is what the viewer shows. A frame is open for its inclusive cost: children one after the other, its own cost
/// last.
Json speedscope_to_json(const std::vector<NamedTree>& trees, const std::string& name);

}  // namespace icount
