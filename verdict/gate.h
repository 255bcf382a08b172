// The gate: numbers of both sides and the limits -> findings and one verdict. A function of values;
// gate/gate_comparison.h makes the Comparison from files, report/gate_* render the Verdict. Limits:
// verdict/gate_limit.h. In words: docs/gate.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stats/quantile.h"
#include "icount/stats/result.h"
#include "icount/verdict/gate_limit.h"
#include "icount/verdict/growth_limit.h"

namespace icount {

// Which numbers of a result the limits ask for: its total, and the events and functions that a limit names. The gate
// reads them on both sides, `icount accept` writes them down.

/// One number of one side.
struct MeasuredValue {
  Measure measure;
  int64_t value = 0;
};

/// The total of the result's own event first (median over the repeats), then what limits beyond totals ask for, sorted:
/// totals of other events (stats/result.h: derived ones and allocations, too), and every function that a
/// limit's pattern matches, its costs under several files and objects added up. Of an exact test also allocations,
/// memory and system calls by kind, as far as they are known. `graph` may be null: then only totals that the result
/// knows without. Wall time is not among them.
std::vector<MeasuredValue> values_for_limits(const Result& result, const CostGraph* graph, const LimitSet& limits);

/// One number on both sides.
struct GateValue {
  Measure measure;
  std::optional<int64_t> base;  ///< what head is compared with; nullopt: not known, see `unknown`
  std::optional<int64_t> head;
  std::optional<int64_t> reference;  ///< the value when it was last set on purpose; what creep is counted from
  std::optional<Interval> ratio;     ///< wall time only: the interval of head's median over base's
  int64_t spread = 0;   ///< what the repeats of base differ by and those of head, added: allowed beside the limit
  std::string unknown;  ///< why there is no base or no interval: "wall time needs ..."
};

/// "Ir 1,000 -> 1,100, +100 (+10.00 %)" and by what the repeats differ; `value` has a head.
std::string step_text(const GateValue& value, int64_t from);

/// What findings say of a benchmark that has_other_unit; what to do is among the notes (stats/fingerprint.h).
inline constexpr std::string_view kOtherUnit =
    "other statements are compiled beside it, by which a compiler may inline otherwise";

/// What became of one benchmark.
struct GateBenchmark {
  enum class State {
    kCompared,
    kNew,          ///< nothing to compare with
    kVanished,     ///< only the base has it
    kFailed,       ///< head has no number
    kDead,         ///< head measured nothing: the compiler removed the statement
    kBaseFailed,   ///< base has no number
    kNotAlike,     ///< measured under other conditions
    kNotGateable,  ///< a test whose count says nothing about its code any more: a note
  };
  std::string key;         ///< result_key
  std::string main_event;  ///< the event it was counted in
  State state = State::kCompared;
  std::string reason;              ///< for people, one line, for all but compared
  std::vector<std::string> notes;  ///< what differs from the other sides' conditions, and what is judged for a count
  int64_t number_per_run = 1;      ///< runs in the counted region, of which the values are totals
  bool has_other_unit = false;     ///< other statements were compiled beside it than on the side that it is judged by
  int64_t unix_time = 0;           ///< when head was measured, seconds; 0: unknown
  std::string place;               ///< of its definition, "suite.toml:12"; empty: unknown
  bool is_test = false;            ///< its allocations and peak obey the limit on its count where they have none
  std::vector<GateValue> values;
  /// Totals of main_event in the latest runs, oldest first, without head; nullopt: no history at hand.
  std::optional<std::vector<int64_t>> history;
};

/// How the cost of benchmarks grows that differ in their size alone.
struct GateGrowth {
  GrowthLimit limit;
  Growth head;
  std::optional<Growth> base;  ///< as far as it is known: of accepted values the powers alone
};

/// A [[kernels]] table: GPU kernels whose machine code was compared.
struct GateKernels {
  std::string key;
  std::string place;      ///< of its definition; empty: unknown
  std::string limit;      ///< "registers, spills"; empty: none
  std::string text;       ///< how many are the same, moved and different; why they were not compared
  bool compared = false;  ///< else `text` says why not
  bool is_new = false;    ///< base has no such file
  size_t kernels = 0, changed = 0;
  std::vector<std::string> excesses = {};  ///< of the limit, a sentence for each kernel
};

/// A total for which a person accepted a value in the commits that are judged.
struct NewlyAccepted {
  std::string benchmark;  ///< key
  Measure measure;
  int64_t before = 0;  ///< 0: none was, the benchmark is new
  int64_t now = 0;
  std::string why;  ///< may be empty
};

struct Comparison {
  std::string base_name, head_name;
  std::vector<NewlyAccepted> accepted = {};  ///< the largest change in proportion first
  std::vector<GateBenchmark> benchmarks;
  std::vector<GateGrowth> growths = {};
  std::vector<GateKernels> kernels = {};
  std::vector<std::string> notes = {};  ///< of benchmarks, each once
  std::string unjudged = {};            ///< why it cannot be judged as a whole; empty: it can
  size_t unaccepted_tests = 0;          ///< of head; they are in no benchmark
  bool partial = false;  ///< some benchmarks were left out on purpose: limits that match nothing are no finding
};

enum class FindingKind {
  kRegressed,
  kCreep,
  kGrowth,
  kFlat,
  kKernels,
  kVanished,
  kFailed,
  kDead,
  kNew,
  kUnjudged,
  kUnusedLimit,
  kImproved,
};
/// All of them, in that order.
inline constexpr auto kFindingKinds =
    std::to_array({FindingKind::kRegressed, FindingKind::kCreep, FindingKind::kGrowth, FindingKind::kFlat,
                   FindingKind::kKernels, FindingKind::kVanished, FindingKind::kFailed, FindingKind::kDead,
                   FindingKind::kNew, FindingKind::kUnjudged, FindingKind::kUnusedLimit, FindingKind::kImproved});
/// "regressed", "creep", ..., as in JSON.
std::string_view to_text(FindingKind kind);

/// What a finding does to the verdict, most severe last.
enum class Severity {
  kNote,         ///< said, nothing more
  kCannotJudge,  ///< exit code 125 unless something more severe is there
  kFailure,      ///< exit code 1
  kRefusal,      ///< exit code 3
};
std::string_view to_text(Severity severity);

struct Finding {
  FindingKind kind = FindingKind::kRegressed;
  Severity severity = Severity::kNote;
  std::string benchmark;              ///< key; empty for a limit that matches nothing
  std::optional<Measure> measure;     ///< which number; absent where the whole benchmark is meant
  std::optional<int64_t> base, head;  ///< for creep, base is what the sum is counted from
  std::string limit;                  ///< to_text of the allowance
  std::string limit_place;
  std::string text;  ///< one plain sentence without the benchmark's name; names between backticks
};

/// How findings that are no number are taken.
struct GatePolicy {
  Severity new_benchmark = Severity::kRefusal;
  Severity vanished = Severity::kRefusal;
  Severity growth = Severity::kRefusal;  ///< faster than in the base; a limit stays one
};

struct Verdict {
  Severity worst = Severity::kNote;  ///< kNote: passed
  std::vector<Finding> findings;     ///< most severe first, then by kind, size of the change, name
  size_t judged = 0;                 ///< benchmarks that were compared
  size_t changed = 0;                ///< of them, with another total in their main event
};

/// Rules, each with its place in docs/gate.md:
/// spread: where repeats differ, a change must exceed its limit by more than GateValue::spread, and so must creep and a
/// gain: what chance alone can do is neither.
/// regressed: head exceeds the change allowance of the limit that counts. A demanded improvement not reached is one.
/// creep: reference to head exceeds the creep allowance (twice the change's when no limit gives one); with creep_runs,
/// the sum of those steps of the last runs that did
///   not exceed the change allowance themselves (a step that did was judged, and accepted, on its own).
/// wall time: regressed only when the whole interval lies beyond the limit; a demanded improvement must hold for the
/// whole interval. improved: a gain of more than the limit, a note: accept it, so that losing it again is a regression.
/// growth: the cost over sizes grows faster than its limit, or than in the base (verdict/growth_limit.h). flat: it does
/// not grow, so the benchmark measures nothing. kernels: machine code of GPU kernels changed as their table forbids; a
/// note where it does not.
/// unjudged: an explicit limit (not a default) has no number to judge. unused: its patterns match nothing.
Verdict judge(const Comparison& comparison, const LimitSet& limits, const GatePolicy& policy = {});

}  // namespace icount
