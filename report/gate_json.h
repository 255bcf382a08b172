// The gate's answer for programs: JSON of its own (schema icount-gate 1, docs/json.md) and SARIF 2.1.0 for
// code-scanning pages.
#pragma once

#include "icount/base/json.h"
#include "icount/report/gate_report.h"

namespace icount {

Json gate_to_json(const GateReport& report);

/// One result per finding, at the limit's place or the suite file; kind of finding = rule. `version` is icount's.
Json gate_to_sarif(const GateReport& report, std::string_view version);

}  // namespace icount
