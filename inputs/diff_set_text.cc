#include "icount/inputs/diff_set_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "icount/base/text.h"
#include "icount/explain/shared_causes.h"
#include "icount/report/explanation_document.h"
#include "icount/report/explanation_json.h"
#include "icount/report/shared_cause_text.h"
#include "icount/report/short_name.h"

namespace icount {
namespace {

const Explanation& explanation_of(const BenchmarkDiff& diff) { return diff.pair->explanation; }

long double share_of_base(const Explanation& e) {
  return e.base_total == 0 ? 0 : std::abs(static_cast<long double>(e.delta) / static_cast<long double>(e.base_total));
}

void add(ChangedBenchmarks& changed, const BenchmarkDiff& diff) {
  const auto size = [](const BenchmarkDiff& one) {
    return std::abs(static_cast<long double>(explanation_of(one).delta));
  };
  ++changed.count;
  if (!changed.largest || size(diff) > size(*changed.largest)) changed.largest = &diff;
  const long double share = share_of_base(explanation_of(diff));
  if (share > 0 &&
      (!changed.largest_of_its_base || share > share_of_base(explanation_of(*changed.largest_of_its_base))))
    changed.largest_of_its_base = &diff;
}

std::string sentence(const ChangedBenchmarks& changed, std::string_view one, std::string_view many) {
  const Explanation& e = explanation_of(*changed.largest);
  const bool alone = changed.count == 1;
  std::string text = alone ? fmt::format("1 {}: ", one) : fmt::format("{} {}: at most ", changed.count, many);
  text += with_sign(e.delta) + " " + e.event;
  if (changed.largest_of_its_base == changed.largest || !changed.largest_of_its_base)
    return text + fmt::format(", {} ({})", change_percent(e.delta, e.base_total), changed.largest->key);
  const Explanation& relative = explanation_of(*changed.largest_of_its_base);
  return text + fmt::format(" ({}) and {} ({})", changed.largest->key,
                            change_percent(relative.delta, relative.base_total), changed.largest_of_its_base->key);
}

}  // namespace

DiffSetSummary summarize_diff_set(std::span<const BenchmarkDiff> diffs) {
  DiffSetSummary summary;
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair) continue;
    const int64_t delta = explanation_of(diff).delta;
    if (delta == 0)
      ++summary.unchanged;
    else
      add(delta > 0 ? summary.more : summary.less, diff);
  }
  return summary;
}

std::vector<std::string> summary_sentences(const DiffSetSummary& summary) {
  std::vector<std::string> sentences;
  if (summary.more.count > 0) sentences.push_back(sentence(summary.more, "costs more", "cost more"));
  if (summary.less.count > 0) sentences.push_back(sentence(summary.less, "costs less", "cost less"));
  return sentences;
}

namespace {

using State = BenchmarkDiff::State;

std::string summary_line(std::span<const BenchmarkDiff> diffs) {
  size_t changed = 0;
  std::array<size_t, 5> states{};
  for (const BenchmarkDiff& diff : diffs) {
    ++states[static_cast<size_t>(diff.state)];
    changed += diff.pair && diff.pair->explanation.delta != 0;
  }
  std::string line =
      fmt::format("{} compared, {} changed", counted(static_cast<int64_t>(states[0]), "benchmark"), changed);
  for (size_t i = 1; i < states.size(); ++i)
    if (states[i] > 0) line += fmt::format(", {} {}", states[i], to_text(static_cast<State>(i)));
  return line;
}

/// The explanations to show in full, the biggest changes first.
std::vector<const BenchmarkDiff*> to_explain(std::span<const BenchmarkDiff> diffs, const ExplanationView& view) {
  std::vector<const BenchmarkDiff*> chosen;
  for (const BenchmarkDiff& diff : diffs)
    if (diff.pair && diff.pair->explanation.delta != 0 && (view.all || chosen.size() < kBenchmarksExplained))
      chosen.push_back(&diff);
  return chosen;
}

/// With so many changed benchmarks a table is no summary any more.
constexpr size_t kChangesSummedUp = 4;

std::vector<std::string> verdict_lines(std::span<const BenchmarkDiff> diffs) {
  const DiffSetSummary summary = summarize_diff_set(diffs);
  if (summary.more.count + summary.less.count < kChangesSummedUp) return {};
  return summary_sentences(summary);
}

/// Changed benchmarks in the table unless all are asked for: the largest changes come first.
constexpr size_t kChangesShown = 30;

/// Shared causes shown unless all are asked for; one that carries less than this share is not worth a line.
constexpr size_t kSharedCausesShown = 3;
constexpr double kWorthALine = 0.01;

SharedCauses shared_causes_of(std::span<const BenchmarkDiff> diffs) {
  std::vector<const Explanation*> explanations;
  for (const BenchmarkDiff& diff : diffs)
    if (diff.pair) explanations.push_back(&diff.pair->explanation);
  return find_shared_causes(explanations);
}

/// How wide a name in a shared cause may be: its line is read as a sentence, also where nothing else is shortened.
constexpr size_t kSharedName = 60;

ShortNames short_names(std::span<const SharedCause> causes, const ExplanationView& view) {
  if (view.raw) return ShortNames({}, 0);
  std::vector<std::string> names;
  for (const SharedCause& cause : causes) names.insert(names.end(), {cause.function, cause.caller, cause.callee});
  return ShortNames(std::move(names), kSharedName);
}

std::vector<std::string> shared_cause_lines(std::span<const BenchmarkDiff> diffs, const ExplanationView& view) {
  const SharedCauses shared = shared_causes_of(diffs);
  std::vector<SharedCause> causes;
  for (const SharedCause& cause : shared.causes)
    if (view.all || (causes.size() < kSharedCausesShown && cause.share >= kWorthALine)) causes.push_back(cause);
  const ShortNames names = short_names(causes, view);
  std::vector<std::string> lines;
  for (const SharedCause& cause : causes) lines.push_back(names.in_sentence(shared_cause_text(cause, shared)));
  const size_t hidden = shared.causes.size() - causes.size();
  if (hidden > 0 && !causes.empty())
    lines.push_back(
        fmt::format("{}; --all shows {}", counted(hidden, "further shared cause"), hidden == 1 ? "it" : "them"));
  return lines;
}

Json shared_causes_to_json(std::span<const BenchmarkDiff> diffs) {
  const SharedCauses shared = shared_causes_of(diffs);
  Json causes = Json::array();
  for (const SharedCause& cause : shared.causes) {
    Json entry = {{"kind", to_text(cause.kind)}};
    for (const auto& [name, value] : {std::pair("function", &cause.function), std::pair("caller", &cause.caller),
                                      std::pair("callee", &cause.callee)})
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

/// What the heading of every compared benchmark notes: said once, above the table.
std::vector<std::string> common_notes(std::span<const BenchmarkDiff> diffs) {
  std::vector<std::string> common;
  size_t compared = 0;
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair) continue;
    const std::vector<std::string>& notes = diff.pair->heading.notes;
    if (compared++ == 0) common = notes;
    std::erase_if(common,
                  [&](const std::string& note) { return std::find(notes.begin(), notes.end(), note) == notes.end(); });
  }
  return compared > 1 ? common : std::vector<std::string>();
}

/// How all compared benchmarks were built, where that is one thing to say.
std::string common_build(std::span<const BenchmarkDiff> diffs) {
  std::string built;
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair) continue;
    if (!built.empty() && diff.pair->heading.built != built) return {};
    built = diff.pair->heading.built;
  }
  return built;
}

std::vector<WallTimePair> wall_times_of(std::span<const BenchmarkDiff> diffs) {
  std::vector<WallTimePair> pairs;
  for (const BenchmarkDiff& diff : diffs)
    if (diff.time) pairs.push_back(*diff.time);
  return pairs;
}

Table table_of(std::span<const BenchmarkDiff> diffs, const ExplanationView& view) {
  Table table({{"base"}, {"head"}, {"change"}, {"of base"}, {"benchmark", Align::kLeft}});
  size_t same = 0, shown = 0, smaller = 0;
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
    if (!view.all && shown++ >= kChangesShown) {
      ++smaller;
      continue;
    }
    table.add_row({{with_thousands(e.base_total)},
                   {with_thousands(e.head_total)},
                   {with_sign(e.delta), tone_of_change(e.delta)},
                   {change_percent(e.delta, e.base_total), tone_of_change(e.delta)},
                   {diff.key}});
  }
  const auto add_summary = [&](const std::string& change, const std::string& text) {
    table.add_row({{""}, {""}, {change, Tone::kDim}, {""}, {text, Tone::kDim}});
  };
  if (smaller > 0) add_summary("smaller", counted(smaller, "further benchmark") + " (--all shows them)");
  if (same > 0) add_summary("0", counted(same, "benchmark") + " without a change");
  return table;
}

}  // namespace

Document make_diff_set_document(std::span<const BenchmarkDiff> diffs, const ExplanationView& view, size_t width) {
  Document out;
  out.line(summary_line(diffs));
  const std::string built = common_build(diffs);
  if (!built.empty()) out.line("built: " + built, Tone::kDim);
  for (const std::string& line : verdict_lines(diffs)) out.item({line});
  out.gap();
  const std::vector<std::string> notes = common_notes(diffs);
  for (const std::string& note : notes) out.note(note);
  if (!notes.empty()) out.gap();
  if (const std::vector<std::string> shared = shared_cause_lines(diffs, view); !shared.empty()) {
    out.title({"Causes that several benchmarks share"});
    for (const std::string& line : shared) out.item({.text = line, .form = Form::kSentence});
    out.gap();
  }
  out.table(table_of(diffs, view));
  out.append(make_wall_times_document(wall_times_of(diffs), view.all));
  const std::vector<const BenchmarkDiff*> explained = to_explain(diffs, view);
  for (const BenchmarkDiff* diff : explained) {
    out.gap();
    out.title({diff->key});
    ExplanationHeading heading = without_notes(diff->pair->heading, notes);
    if (!built.empty()) heading.built.clear();
    out.append(make_explanation_document(diff->pair->explanation, heading, view, width));
  }
  const auto changed = std::count_if(diffs.begin(), diffs.end(), [](const BenchmarkDiff& diff) {
    return diff.pair && diff.pair->explanation.delta != 0;
  });
  if (const int64_t more = changed - static_cast<int64_t>(explained.size()); more > 0) {
    out.gap();
    out.line(fmt::format("{} changed; --all explains {}", counted(more, "more benchmark"), more == 1 ? "it" : "them"),
             Tone::kDim);
  }
  return out;
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
  const std::vector<WallTimePair> times = wall_times_of(diffs);
  if (!times.empty()) json["wall_times"] = wall_times_to_json(times);
  return json;
}

}  // namespace icount
