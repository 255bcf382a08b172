// What icount measured, as a value: one Result per benchmark, a ResultFile for a whole run. `icount count`, the suite
// and the gate fill it; store/result_file.h writes and reads it; `icount diff` compares two. Read
// callgraph/cost_graph.h first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"
#include "icount/stats/fingerprint.h"

namespace icount {

/// What was measured, as the user wrote it. For a counted program, `program` holds its command line and stmt is empty.
struct ResultTask {
  std::string stmt, setup, global_setup;
  std::string language = "c++";  ///< c++, torchscript, python
  std::string backward;          ///< name of the output that backward() is called on; empty: none
  std::string module_path;       ///< a saved TorchScript module; empty: none
  std::vector<std::string> program;
  int num_threads = 1;
  bool operator==(const ResultTask&) const = default;
};

/// Self and inclusive cost of one function in the result's event, for results whose cost graph was not kept.
struct TopFunction {
  std::string name;
  int64_t self = 0;
  int64_t inclusive = 0;
  bool operator==(const TopFunction&) const = default;
};

/// A further total of the measured region, beside `counts`: "allocations", "frees" (callgraph/allocations.h), bytes of
/// memory. Of the same repeat as the graph.
struct ResultFigure {
  std::string name;
  int64_t total = 0;
  bool operator==(const ResultFigure&) const = default;
};

/// One process of a program that consisted of several: what it ran and what that cost.
struct ResultProcess {
  std::string command;            ///< file name of the program that it ran last
  std::vector<std::string> argv;  ///< that program's command line
  int64_t order = 0;              ///< 0: the program itself; then what it started, each before its own children
  std::string status = "done";    ///< done, "exit status 3", "killed by signal 11 (SIGSEGV)", "outlived the program"
  std::vector<int64_t> counts;    ///< one per repeat, 0 where it was not there; empty: it could not be counted
  std::shared_ptr<const CostGraph> graph;  ///< as Result::graph, of this process alone
  std::string graph_blob;                  ///< as Result::graph_blob
};

/// The status of a test whose count says nothing about its code: it moves from run to run, or is not all of the test.
inline constexpr std::string_view kNotGateable = "not-gateable";

/// One benchmark's result, failed ones included. Counts are of the whole measured region of one repeat, in `event`.
struct Result {
  std::vector<std::string> label;  ///< path, ["Pointwise", "Math", "add"]; joined by result_label()
  ResultTask task;
  std::string status =
      "done";  ///< done, or what kept it from that: compile-error, threw, crashed, exited, timed-out, dead,
               ///< unhandled-instruction, forked, server-lost, cancelled (timer/collect_callgrind.h), skipped,
               ///< tool-failed (nothing of its toolchain could be run), no-region (suite/run_programs.h), on-device (a
               ///< CUDA device does the work: no count; the device's figures are in extra), device-failed (nor could it
               ///< be timed there), not-gateable (a test, see classify_test)
  std::string error;  ///< for people, one line; empty when done
  std::string event = "Ir";
  int64_t number_per_run = 1;            ///< how often the statement ran in the region; 1 for a program
  std::vector<int64_t> counts;           ///< one per repeat
  std::optional<double> fixed;           ///< cost of the region that does not grow with the number of runs
  std::optional<double> slope;           ///< cost of one further run
  int64_t entries = 0;                   ///< of a region that a program named: how often it was begun; 0: no region
  std::vector<ResultFigure> figures;     ///< further totals, each name once
  std::vector<TopFunction> top;          ///< only when there is no graph
  std::vector<std::string> notes;        ///< things to say beside the figures, a pin that was refused for example
  std::string details;                   ///< the compiler's whole message, or the tail of the output
  std::vector<ResultProcess> processes;  ///< of a program that started others, itself first; else empty. Their counts
                                         ///< add up to `counts`
  Fingerprint fingerprint;               ///< what this result adds to the file's fingerprint, or has otherwise
  std::string measurement;               ///< wall time: the JSON text of store/measurement_file.h; empty: none
  std::string extra;                     ///< JSON object text of whatever a producer wants kept; empty: none
  std::string taken_over;  ///< the result file that it was taken over from, because nothing that it depends on had
                           ///< changed since (suite/take_over.h); empty: measured

  /// The cost graph of the repeat with the (lower) median count; null when none was kept or it is not unpacked yet.
  std::shared_ptr<const CostGraph> graph;
  /// The graph packed (store/cost_graph_blob.h), as read from a file and not unpacked; empty when there is none.
  std::string graph_blob;
  /// Python statements: the calls between Python functions (callgraph/python_calls.h), of a run beside the counted
  /// ones; null like graph.
  std::shared_ptr<const CostGraph> python_calls;
  /// These packed, as graph_blob.
  std::string python_calls_blob;
  /// Cost by call stack of the same repeat, where contexts were recorded (--stacks); totals are the graph's. Null like
  /// graph.
  std::shared_ptr<const CallStacks> stacks;
  /// The stacks packed (store/cost_graph_blob.h), as read from a file and not unpacked; empty when there are none.
  std::string stacks_blob;

  bool ok() const { return status == "done"; }
  /// Without a count and no failure: skipped, not-gateable.
  bool is_left_out() const { return status == "skipped" || status == kNotGateable; }
};

/// "cc1plus", or "cc1plus #2" for the second process of that command, in their order: what processes of two results are
/// matched by. One for each process of the result.
std::vector<std::string> process_keys(const Result& result);

/// A benchmark that a run meant to measure.
struct PlannedBenchmark {
  int64_t position = 0;  ///< in the suite's order
  std::string name;      ///< as result_key() of its result
  bool operator==(const PlannedBenchmark&) const = default;
};

/// Which part of a bigger run a file holds, and the whole of it: what `icount suite merge` checks.
struct ShardOf {
  int64_t index = 1, count = 1;
  std::vector<PlannedBenchmark> plan;  ///< of all shards together
};

/// All results of one run, in the order they were measured.
struct ResultFile {
  std::string command;      ///< the command line that made it, for people
  int64_t planned = 0;      ///< how many results the run meant to write; 0: not said
  Fingerprint fingerprint;  ///< circumstances that all results share
  std::vector<Result> results;
  std::optional<ShardOf> shard = {};  ///< of a run with --shard
};

/// The parts of the label joined by " / "; the statement (or the program) on one line when there is no label.
std::string result_label(const Result& result);

/// result_label, then "[n threads]" unless 1; what benchmarks of two files are matched by. The same for equal results.
std::string result_key(const Result& result);

/// nullptr where the file has no such benchmark.
const Result* find_result(const ResultFile& file, const std::string& key);

/// The (lower) median over the repeats; nullopt without counts.
std::optional<int64_t> median_count(const Result& result);
std::optional<int64_t> median_count(const ResultProcess& process);

/// The total of that name; nullopt where the result has none.
std::optional<int64_t> find_figure(const Result& result, std::string_view name);

/// Largest minus smallest count over the repeats; 0 for fewer than two.
int64_t count_spread(const Result& result);

/// Whether it is of a test case (`icount tests`): a test needs no accepted value until it is accepted.
bool is_test(const Result& result);

/// Makes a test's result not-gateable where a limit on its count could not be kept: repeats that differ by more than
/// 5 %, processes or threads beside it. One that failed stays as it is.
void classify_test(Result& result);

/// median_count / number_per_run as a plain double, for display and JSON; nullopt without counts.
std::optional<double> per_run(const Result& result);

/// The file's circumstances with the result's own on top; with the fact kUncountedFact for results from before it whose
/// processes have no counts.
Fingerprint full_fingerprint(const ResultFile& file, const Result& result);

/// Moves the facts that all results share from them to file.fingerprint.
void share_fingerprint(ResultFile& file);

/// Error{kMalformed} "NAME: two results are both called 'KEY'; ..." when two results share a result_key.
void check_result_keys(const ResultFile& file, std::string_view name);

// The figures of a result: those that follow from its cost graph, allocations and frees (callgraph/allocations.h),
// added where results are made, before a graph may be dropped; and the names of those of memory
// (timer/case_memory.h).

/// Adds what the graph knows and the result does not have yet; nothing without a graph.
void add_figures(Result& result);

/// Bytes and blocks allocated in all, in use when most bytes were, and bytes in use at the end.
inline constexpr std::array<std::string_view, 5> kMemoryFigures = {"bytes", "blocks", "peak_bytes", "peak_blocks",
                                                                   "end_bytes"};
/// Whether `event` is one of these names.
bool is_memory_event(std::string_view event);
/// Whether it is a peak: of the whole region, and nothing that a run has a share of.
bool is_peak_event(std::string_view event);

// The total of any event of a result: what was counted, what its cost graph has beside it, a derived event
// (callgraph/derived_events.h), a kind of system calls (callgraph/system_calls.h) or a figure (allocations, frees,
// bytes).

/// Of the whole measured region; nullopt where the result does not know it. `graph` may be null. The result's own event
/// is the median of its counts.
std::optional<int64_t> event_total(const Result& result, const CostGraph* graph, std::string_view event);

/// One event beside the counted one, for display.
struct FurtherEvent {
  std::string name;
  int64_t total = 0;
  std::string model;  ///< the formula of a derived event; empty: measured
};

/// Everything that the result knows besides its own event: measured events in the order of the graph, derived ones,
/// then figures.
std::vector<FurtherEvent> further_events(const Result& result, const CostGraph* graph);

// What `icount bench` found out about a benchmark binary: results, cases that can't be counted, how families grow.
// timer/count_bench fills it, report/bench_report shows it.

/// A case that can't be counted, and why.
struct RefusedCase {
  std::string label;
  std::string reason;
};

/// How the cost of a family of cases grows, fitted to the slopes of its cases.
struct BenchComplexity {
  std::string label;  ///< the family's name
  std::string big_o;  ///< "(1)", "lgN", "N", "NlgN", "N^2", "N^3": the best fit
  double coefficient = 0;
  double rms = 0;  ///< root mean square of the residuals over the mean
};

struct BenchCount {
  std::string framework;        ///< "google-benchmark", as harness/bench_hooks.h has it
  std::vector<Result> results;  ///< a failed case has a status and no counts
  std::vector<RefusedCase> refused;
  std::vector<BenchComplexity> complexities;
  std::vector<std::string> notes;
};

}  // namespace icount
