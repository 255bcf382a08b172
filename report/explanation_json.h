// The explained difference for programs: schema icount-diff 1, documented in docs/json.md.
#pragma once

#include "icount/base/json.h"
#include "icount/report/explanation_document.h"

namespace icount {

/// Every cause, never cut; their deltas add up to "delta".
Json explanation_to_json(const Explanation& explanation, const ExplanationHeading& heading);

}  // namespace icount
