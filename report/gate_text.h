// The gate's answer for a terminal and as workflow commands of a hosted CI. Value: report/gate_report.h. Sisters:
// gate_markdown.h, gate_json.h, gate_junit.h.
#pragma once

#include <string>

#include "icount/report/document.h"
#include "icount/report/gate_report.h"

namespace icount {

/// Verdict, findings, causes of the most severe, what to do. `width`: columns that names are shortened for.
Document make_gate_document(const GateReport& report, size_t width);

/// GitHub's "::error file=...,line=...,title=...::message", one line per finding (notes as ::notice), at the
/// benchmark's line in the suite file, else the limit's, else the suite file. Names can't end a command or begin
/// another one.
std::string gate_annotations(const GateReport& report);

}  // namespace icount
