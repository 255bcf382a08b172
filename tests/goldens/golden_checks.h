// One check per kind of recorded case; golden_kinds_test.cc has the table kind -> check. To cover a new kind,
// write its check and add a row there.
#pragma once

#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/stats/function_counts.h"
#include "icount/stats/measurement.h"

namespace icount {

/// Expects one case's recorded outcome (GoogleTest failures otherwise).
using GoldenCheck = void (*)(const Json& golden);

// helpers.json
void check_select_unit(const Json& golden);
void check_trim_sigfig(const Json& golden);
void check_unit_to_english(const Json& golden);
void check_cleanup(const Json& golden);
void check_task_spec(const Json& golden);
void check_task_spec_equal(const Json& golden);
void check_ordered_unique(const Json& golden);

// function_counts.json
void check_op(const Json& golden);
void check_sum(const Json& golden);
void check_chain(const Json& golden);
void check_counts_text(const Json& golden);
void check_callgrind_stats(const Json& golden);
void check_delta(const Json& golden);
void check_as_standardized(const Json& golden);
void check_standardize_name(const Json& golden);

// measurement.json
void check_measurement(const Json& golden);
void check_measurement_raises(const Json& golden);
void check_merge(const Json& golden);

// compare.json
void check_compare(const Json& golden);
void check_compare_raises(const Json& golden);

// timing_loops.json
void check_timing_loop(const Json& golden);

/// Values as the files write them.
TaskSpec task_spec_of(const Json& json);
FunctionCounts counts_of(const Json& rows, bool inclusive, bool truncate_rows = true);
Measurement measurement_of(const Json& json);

}  // namespace icount
