// The gate's answer as JUnit XML, which every CI server shows: one test case per benchmark. Value:
// report/gate_report.h.
#pragma once

#include <string>

#include "icount/report/gate_report.h"

namespace icount {

/// A refused benchmark is a failure, a failed one an error, one that can't be judged is skipped with its reason. Bytes
/// that XML can't hold are shown as \xNN. `time` of a case is whole seconds since the result before it; with several
/// counts in flight that is no duration of its own, but the sum is that of the whole.
std::string gate_to_junit(const GateReport& report);

}  // namespace icount
