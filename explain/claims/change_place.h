// A place of the program that both sides reach as often, told as one cause whose members are what happens there: where
// a change has no cause that leads it, or one function changed in several ways at once. About causes, when all claims
// have been made (claims/claims.cc).
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/term_causes.h"

namespace icount {

/// Joins what belongs to one place to a cause of CauseKind::kPlace, where there is such a place. Causes of noise groups
/// stay what they are.
void head_places(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes);

}  // namespace icount
