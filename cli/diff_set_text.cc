#include "cli/diff_set_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "report/explanation_json.h"
#include "report/explanation_markdown.h"
#include "report/markdown.h"
#include "report/table.h"
#include "stats/shared_causes.h"

namespace icount {
namespace {

using State = BenchmarkDiff::State;

std::string summary_line(std::span<const BenchmarkDiff> diffs) {
  size_t changed = 0;
  std::array<size_t, 5> states{};
  for (const BenchmarkDiff& diff : diffs) {
    ++states[static_cast<size_t>(diff.state)];
    changed += diff.pair && diff.pair->explanation.delta != 0;
  }
  std::string line = fmt::format("{} compared, {} changed", states[0], changed);
  for (size_t i = 1; i < states.size(); ++i)
    if (states[i] > 0) line += fmt::format(", {} {}", states[i], to_text(static_cast<State>(i)));
  return line;
}

/// The explanations to show in full, the biggest changes first.
std::vector<const BenchmarkDiff*> to_explain(std::span<const BenchmarkDiff> diffs, const ExplanationView& view) {
  std::vector<const BenchmarkDiff*> chosen;
  for (const BenchmarkDiff& diff : diffs)
    if (diff.pair && diff.pair->explanation.delta != 0 && (view.all || chosen.size() < kBenchmarksExplained)) chosen.push_back(&diff);
  return chosen;
}

/// Shared causes shown unless all are asked for; one that carries less than this share is not worth a line.
constexpr size_t kSharedCausesShown = 10;
constexpr double kWorthALine = 0.01;

SharedCauses shared_causes_of(std::span<const BenchmarkDiff> diffs) {
  std::vector<const Explanation*> explanations;
  for (const BenchmarkDiff& diff : diffs)
    if (diff.pair) explanations.push_back(&diff.pair->explanation);
  return find_shared_causes(explanations);
}

std::vector<std::string> shared_cause_lines(std::span<const BenchmarkDiff> diffs, bool all) {
  const SharedCauses shared = shared_causes_of(diffs);
  std::vector<std::string> lines;
  for (const SharedCause& cause : shared.causes) {
    if (!all && (lines.size() >= kSharedCausesShown || std::abs(cause.share) < kWorthALine)) break;
    lines.push_back(shared_cause_text(cause, shared));
  }
  const size_t hidden = shared.causes.size() - lines.size();
  if (hidden > 0 && !lines.empty()) lines.push_back(fmt::format("{} smaller shared cause{}; --all shows them", hidden, hidden == 1 ? "" : "s"));
  return lines;
}

Json shared_causes_to_json(std::span<const BenchmarkDiff> diffs) {
  const SharedCauses shared = shared_causes_of(diffs);
  Json causes = Json::array();
  for (const SharedCause& cause : shared.causes) {
    Json entry = {{"kind", to_text(cause.kind)}};
    for (const auto& [name, value] : {std::pair("function", &cause.function), std::pair("caller", &cause.caller), std::pair("callee", &cause.callee)})
      if (!value->empty()) entry[name] = *value;
    entry["benchmarks"] = cause.benchmarks.size();
    entry["explains"] = cause.explains;
    entry["delta"] = cause.delta;
    entry["share"] = cause.share;
    if (cause.change_per_call) entry["change_per_call"] = *cause.change_per_call;
    causes.push_back(std::move(entry));
  }
  return causes;
}

}  // namespace

void render_diff_set_text(std::ostream& out, std::span<const BenchmarkDiff> diffs, const ExplanationView& view, const TextStyle& style) {
  out << summary_line(diffs) << "\n\n";
  TextTable table({{"base"}, {"head"}, {"change"}, {"of base"}, {"benchmark", Align::kLeft}});
  size_t same = 0;
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair) {
      const std::string why = diff.reason.empty() ? std::string() : ": " + diff.reason;
      table.add_row({{""}, {""}, {std::string(to_text(diff.state)), Tone::kNote}, {""}, {diff.key + why}});
      continue;
    }
    const Explanation& e = diff.pair->explanation;
    if (e.delta == 0 && !view.all) {
      ++same;
      continue;
    }
    table.add_row({{with_thousands(e.base_total)}, {with_thousands(e.head_total)}, {with_sign(e.delta), tone_of_change(e.delta)},
                   {change_percent(e.delta, e.base_total), tone_of_change(e.delta)}, {diff.key}});
  }
  if (same > 0) table.add_row({{""}, {""}, {"0", Tone::kDim}, {""}, {fmt::format("{} benchmark{} without a change", same, same == 1 ? "" : "s"), Tone::kDim}});
  table.render(out, style);
  const std::vector<std::string> shared = shared_cause_lines(diffs, view.all);
  if (!shared.empty()) out << '\n' << paint("Causes that several benchmarks share", Tone::kBold, style) << '\n';
  for (const std::string& line : shared)
    for (const std::string& part : wrap("  " + escape_for_terminal(line), style.width)) out << part << '\n';
  for (const BenchmarkDiff* diff : to_explain(diffs, view)) {
    out << '\n' << paint(escape_for_terminal(diff->key), Tone::kBold, style) << '\n';
    render_explanation_text(out, diff->pair->explanation, diff->pair->heading, view, style);
  }
}

void render_diff_set_markdown(std::ostream& out, std::span<const BenchmarkDiff> diffs, const ExplanationView& view) {
  out << summary_line(diffs) << "\n\n";
  MarkdownTable table({{"benchmark", Align::kLeft}, {"base"}, {"head"}, {"change"}, {"of base"}});
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair) {
      table.add_row({escape_for_markdown(diff.key), "", "", std::string(to_text(diff.state)), escape_for_markdown(diff.reason)});
      continue;
    }
    const Explanation& e = diff.pair->explanation;
    table.add_row({escape_for_markdown(diff.key), with_thousands(e.base_total), with_thousands(e.head_total), with_sign(e.delta), change_percent(e.delta, e.base_total)});
  }
  table.render(out);
  const std::vector<std::string> shared = shared_cause_lines(diffs, view.all);
  if (!shared.empty()) out << "\n### Causes that several benchmarks share\n\n";
  for (const std::string& line : shared) out << "* " << markdown_sentence(line) << '\n';
  for (const BenchmarkDiff* diff : to_explain(diffs, view)) {
    out << "\n### " << escape_for_markdown(diff->key) << "\n\n";
    render_explanation_markdown(out, diff->pair->explanation, diff->pair->heading, view);
  }
}

Json diff_set_to_json(std::span<const BenchmarkDiff> diffs) {
  Json json;
  json["schema"] = {{"name", "icount-diff-set"}, {"version", 1}};
  json["benchmarks"] = Json::array();
  for (const BenchmarkDiff& diff : diffs) {
    Json entry;
    entry["label"] = diff.key;
    entry["state"] = to_text(diff.state);
    if (!diff.reason.empty()) entry["reason"] = diff.reason;
    if (diff.pair) {
      Json explained = explanation_to_json(diff.pair->explanation, diff.pair->heading);
      explained.erase("schema");
      entry.update(explained);
    }
    json["benchmarks"].push_back(std::move(entry));
  }
  json["shared_causes"] = shared_causes_to_json(diffs);
  return json;
}

}  // namespace icount
