// The words of causes that several benchmarks have in common (explain/shared_causes.h), for comparisons of suites.
#pragma once

#include <string>

#include "icount/explain/shared_causes.h"

namespace icount {

/// What a cause of several benchmarks is, without its effect: "self cost of `TensorIterator::build` +35 per call".
std::string shared_cause_subject(const SharedCause& cause);

/// "+12,345 in 41 of 57 changed benchmarks, the main cause in 40; 92 % of all changes". Where it raises some and lowers
/// others, both sums beside the net one.
std::string shared_cause_effect(const SharedCause& cause, const SharedCauses& all);

/// Both, with ": " between them.
std::string shared_cause_text(const SharedCause& cause, const SharedCauses& all);

}  // namespace icount
