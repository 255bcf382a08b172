// The processes of a counted program: what each cost and how it ended, as a table, as lines and as JSON.
// Used by the forms of results (report/results_text, results_json), of `show` and of the HTML report.
#pragma once

#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/report/document.h"
#include "icount/stats/result.h"

namespace icount {

/// A table, folded in Markdown; nothing for a program of one process. `width`: columns that command lines are cut for;
/// 0: they stay whole.
Document make_processes_document(const Result& result, size_t width);

/// "process cc1plus: 1,234,567 (98.10 %)", one for each; where a process did not end well or was not counted, so it
/// says.
std::vector<std::string> process_lines(const Result& result);

/// "process cc1plus: 1,234,567 -> 1,240,000 (+5,433)" for each that both sides have and that changed.
std::vector<std::string> process_change_lines(const Result& base, const Result& head);

/// [{command, argv, order, status, counts, share}]; share is null for what was not counted.
Json processes_to_json(const Result& result);

}  // namespace icount
