// Everything that a program needs to count, time, compare and explain: one include. Link icount::icount. The names are
// those of PyTorch's torch.utils.benchmark where it has the thing: Timer, Measurement, Compare, CallgrindStats,
// FunctionCounts, Fuzzer.
//   Timer, TimerArgs                 timer/timer.h, harness/timer_args.h
//   Measurement, Compare             stats/measurement.h, stats/compare.h
//   CallgrindStats, FunctionCounts   stats/callgrind_stats.h, stats/function_counts.h
//   parse_profile, make_cost_graph   callgrind/parser.h, callgrind/cost_graph_builder.h
//   explain, Explanation             explain/explain.h
//   Fuzzer, make_op_fuzzer           fuzzer/fuzzer.h, fuzzer/op_fuzzers.h
//   save_callgrind_stats, load_...   store/measurement_file.h; saved timings: store/measurement_file.h
//   render_...                       report/
//   Error                            base/error.h: what all of them throw
// Each of these headers can also be included by itself, as "icount/ROOM/file.h".
#pragma once

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/explain/explain.h"
#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/harness/timer_args.h"
#include "icount/report/compare_text.h"
#include "icount/report/explanation_document.h"
#include "icount/report/measurement_text.h"
#include "icount/stats/callgrind_stats.h"
#include "icount/stats/compare.h"
#include "icount/stats/function_counts.h"
#include "icount/stats/measurement.h"
#include "icount/store/measurement_file.h"
#include "icount/timer/timer.h"
