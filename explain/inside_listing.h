// The side-by-side listing of an opened function: its body, its loops, their lines and calls, each with a figure per
// call or per iteration and the whole number behind it. Value: explain/function_listing.h.
#pragma once

#include <string>
#include <vector>

#include "icount/explain/function_listing.h"
#include "icount/explain/opened_function.h"

namespace icount {

/// `callee_names`: by number of the callee, `of_callee` as in make_inside_graph. `self` is that of the function: what
/// its shape lacks is a row of its own.
FunctionListing make_listing(const OpenedFunction& opened, const std::string& function, const BothSides& calls,
                             const BothSides& self, const CalleeNodes& of_callee,
                             const std::vector<std::string>& callee_names);

}  // namespace icount
