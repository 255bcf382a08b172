// The gate's answer for a terminal and as workflow commands of a hosted CI. Value: report/gate_report.h. Sisters:
// gate_markdown.h, gate_json.h, gate_junit.h.
#pragma once

#include <iosfwd>
#include <string>

#include "icount/report/gate_report.h"
#include "icount/report/text_style.h"

namespace icount {

/// Verdict, findings, causes of the most severe, what to do. Safe for any name.
void render_gate_text(std::ostream& out, const GateReport& report, const TextStyle& style);

/// GitHub's "::error file=...,line=...,title=...::message", one line per finding (notes as ::notice), at the
/// benchmark's line in the suite file, else the limit's, else the suite file. Names can't end a command or begin
/// another one.
std::string gate_annotations(const GateReport& report);

}  // namespace icount
