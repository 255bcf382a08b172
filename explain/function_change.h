// What one function does differently in several ways at once: more than any single cause says, it is told as one, with
// the causes inside. After explain/scattered_change.h, the last join of explain/cause_list.cc.
#pragma once

#include <vector>

#include "icount/explain/noise_fold.h"
#include "icount/explain/term_facts.h"

namespace icount {

/// Where the own cost and calls of one function, three causes or more that go one way, come to more than the largest
/// cause and to what the function changed by, they become one of CauseKind::kPlace. Not where one of them has most of
/// it, both sides do not call the function as often, it calls itself, or it is the program's main function or nearly
/// all of the program. Causes of noise groups stay what they are.
void head_function_change(const SentenceSource& source, std::vector<GroupedCause>& causes);

}  // namespace icount
