// What a gate said, for a report: its verdict and findings out of the JSON that `icount gate --json` writes
// (report/gate_json.h). report/report_json.h puts it into the page.
#pragma once

#include <string>
#include <string_view>

#include "icount/base/json.h"

namespace icount {

/// {"verdict", "against", "compared", "changed", "findings": [{"kind", "severity", "benchmark", "text"}]} of a
/// gate's JSON; everything else in it is left out. Error{kMalformed} naming `name` for what is no such JSON.
Json parse_report_gate(std::string_view text, const std::string& name);

}  // namespace icount
