// Functions left over on both sides that are one function under two names: a namespace, a template argument, the number
// of a lambda changed. Found by evidence, which is kept in words. The last step of explain/match.h.
#pragma once

#include "icount/explain/pairing.h"

namespace icount {

/// Pairs what has enough in common: name without its qualifiers or arguments, file and line, callers and callees that
/// are matched already, calls and cost per call. Candidates come from small buckets; every round builds on the pairs
/// before.
void match_by_evidence(Pairing& pairing);

}  // namespace icount
