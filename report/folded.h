// Folded stacks, the text form that flame graph scripts read: one line per stack, "main;parse;lex 1234". Of one tree
// (stacks/stack_tree.h), or of two with a column each, as difffolded.pl makes them.
#pragma once

#include <string>

#include "icount/stacks/stack_tree.h"
#include "icount/stacks/stack_tree_diff.h"

namespace icount {

/// Frames with self cost, in the tree's order. The format has no escapes: ';' in a name becomes ':', a control byte
/// '?'.
std::string render_folded(const StackTree& tree);

/// "STACK BASE HEAD" for every frame that has self cost on either side.
std::string render_folded_diff(const StackTreeDiff& diff);

}  // namespace icount
