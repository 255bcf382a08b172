// The gate's answer as a pull-request comment. Value: report/gate_report.h.
#pragma once

#include <iosfwd>
#include <string_view>

#include "icount/report/gate_report.h"

namespace icount {

/// First line of every comment: a bot finds its comment by it and updates it instead of adding another.
inline constexpr std::string_view kGateMarker = "<!-- icount gate -->";

/// Marker, verdict, a table of what needs action, causes in words, the rest folded. Short: at most kMostRows rows are
/// unfolded. Safe for any name.
void render_gate_markdown(std::ostream& out, const GateReport& report);

}  // namespace icount
