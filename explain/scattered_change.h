// A change that no cause leads: where one function has it, with all that it calls, that is told first, and the causes
// stand inside. The last join of explain/cause_list.cc, when every other one has been made.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/noise_fold.h"
#include "icount/explain/term_facts.h"

namespace icount {

/// Where no cause is two fifths of `change`, those that happen in and below the deepest function that has nearly all of
/// it become one, of CauseKind::kPlace. Nothing where that function has nearly all of the cost, too, or both sides do
/// not call it as often. Causes of noise groups stay what they are. Whether there is such a function.
bool head_scattered_change(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes);

}  // namespace icount
