// All that the gate has to say, as a value: what every rendering of its answer reads (gate_text, gate_markdown,
// gate_json, gate_junit). cli/command_gate.cc fills it. Read verdict/gate.h first.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/json.h"
#include "icount/explain/explain.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/report/document.h"
#include "icount/report/explanation_document.h"
#include "icount/verdict/gate.h"

namespace icount {

/// Why one benchmark's count changed against the base.
struct GateExplanation {
  std::string key;
  Explanation explanation;
  ExplanationHeading heading;
};

struct GateReport {
  std::string subject;      ///< the suite or result that was judged, as the user wrote it
  std::string head_commit;  ///< "1a2b3c4d5e (Its subject)"; empty: not known
  std::string reproduce;    ///< the command line that counts and judges the same again; empty: not known
  std::map<std::string, std::string> source_urls = {};  ///< name of a source file -> its page, for link_places
  std::string suite_file;      ///< where annotations that have no better place point; may be empty
  std::string hostname;        ///< of the machine that answers for this, for JUnit
  int64_t unix_time = 0;       ///< when it was measured, seconds, for JUnit
  std::string judged_against;  ///< "the accepted values in suite.expected"
  std::string built;           ///< describe_builds of what was judged
  Comparison comparison;
  Verdict verdict;
  /// Of benchmarks with a finding about a number, in the order of the findings; a benchmark has one for its counts and
  /// one for each limit on allocations or frees that was exceeded.
  std::vector<GateExplanation> explanations;
  std::vector<KernelComparison> kernels = {};  ///< of the tables whose kernels were compared
  std::vector<std::string> shared_causes;      ///< sentences, over all changed benchmarks; names between backticks
  std::vector<std::string> notes;              ///< what differs between the sides and was compared all the same
  std::map<std::string, std::string> taken_over = {};  ///< benchmarks that were not measured -> the file they are from
  std::string advice;  ///< what to do when the change is meant; empty when there is nothing to accept
};

/// "refused: 2 regressed, 1 new", "passed", "cannot be judged: ...", "failed: ...".
std::string verdict_line(const GateReport& report);

/// "benchmark: sentence", for a list of findings.
std::string finding_line(const Finding& finding);

/// The explanation of a finding: for allocations and frees that of the event, for other numbers that of the benchmark's
/// counts; null when there is none.
const GateExplanation* explanation_of(const GateReport& report, const Finding& finding);

/// " (allocations)": what stands behind a benchmark's name where not its counts are explained.
std::string explained_event(const GateExplanation& explained);

/// Its title and its explanation, without the names of the sides, which the whole has.
Document make_explained_document(const GateExplanation& explained, const std::string& name, const ExplanationView& view,
                                 size_t width);

/// Findings that say one and the same of several benchmarks (they were all measured otherwise) as one line: the first
/// of them, and a line for all. The others stand alone. In the order of the findings.
struct FindingLine {
  const Finding* finding = nullptr;
  std::string benchmarks;  ///< "Math / add", "all 95 benchmarks", "a, b, c and 4 more"; empty: a limit
};
std::vector<FindingLine> group_findings(const GateReport& report);

/// File and line that a finding is about: its benchmark's definition, else its limit's, else line 1 of the suite file.
std::pair<std::string, int64_t> place_of(const GateReport& report, const Finding& finding);

/// Benchmarks that changed and have no finding about it, with their total, the largest change first.
std::vector<std::pair<const GateBenchmark*, const GateValue*>> changed_within_limits(const GateReport& report);

/// "Math / add" of "Math / add / C++": what readers know a benchmark as, where no other has that name.
std::string without_language(std::string key);

/// "accepted: Math / add +8.11% (now checks its input)", of each total that was newly accepted; of many the first.
std::vector<std::string> accepted_lines(const GateReport& report);

/// Names of all benchmarks for a reader, by key: without the language where the name alone tells it apart.
std::map<std::string, std::string> short_names(const GateReport& report);

/// Of each table whose kernels are not all the same: the first of them, and what differs.
Document make_changed_kernels_document(const GateReport& report, size_t width);

/// What a finding is for a reader who has to act: everything but notes.
bool needs_action(const Finding& finding);

/// Verdict, findings, causes of the most severe, what to do. `width`: columns that names are shortened for.
Document make_gate_document(const GateReport& report, size_t width);

/// GitHub's "::error file=...,line=...,title=...::message", one line per finding (notes as ::notice), at the
/// benchmark's line in the suite file, else the limit's, else the suite file. Names can't end a command or begin
/// another one.
std::string gate_annotations(const GateReport& report);

/// First line of every comment: a bot finds its comment by it and updates it instead of adding another.
inline constexpr std::string_view kGateMarker = "<!-- icount gate -->";

/// Marker, verdict, a table of what needs action, causes in words, the rest folded. Short: at most kMostRows rows are
/// unfolded. Safe for any name.
void render_gate_markdown(std::ostream& out, const GateReport& report);

/// A refused benchmark is a failure, a failed one an error, one that can't be judged is skipped with its reason. Bytes
/// that XML can't hold are shown as \xNN. `time` of a case is whole seconds since the result before it; with several
/// counts in flight that is no duration of its own, but the sum is that of the whole.
std::string gate_to_junit(const GateReport& report);

/// The gate's answer for programs: JSON of its own (schema icount-gate 1, docs/json.md) and SARIF 2.1.0 for
/// code-scanning pages.
Json gate_to_json(const GateReport& report);

/// One result per finding, at the limit's place or the suite file; kind of finding = rule. `version` is icount's.
Json gate_to_sarif(const GateReport& report, std::string_view version);

}  // namespace icount
