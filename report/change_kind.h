// What kind of change it is, in one line before any cause: another build or input, work that one side alone does, or
// the same code more or less often, and whether the same files ran. Read off the causes.
#pragma once

#include <string>

#include "icount/explain/explain.h"

namespace icount {

/// Empty where nothing is sure.
std::string kind_of_change(const Explanation& explanation);

}  // namespace icount
