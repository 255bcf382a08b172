#include "icount/report/explanation_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/report/cause_sentence.h"
#include "icount/report/change_kind.h"
#include "icount/report/listing_document.h"
#include "icount/report/mine_document.h"
#include "icount/report/short_name.h"

namespace icount {
namespace {

constexpr size_t kInsideShown = 5;
constexpr size_t kEdgesShown = 10;
constexpr size_t kFunctionsShown = 25;

void add_cause_names(const Cause& cause, std::vector<std::string>& names) {
  add_names(cause_sentence(cause), names);
  for (const Cause& member : cause.inside) add_cause_names(member, names);
}

/// Everything that is noted below the causes.
std::vector<std::string> notes_of(const Explanation& explanation, const ExplanationHeading& heading) {
  std::vector<std::string> notes = heading.notes;
  for (std::string& note : note_sentences(explanation)) notes.push_back(std::move(note));
  if (std::string renames = renames_note(explanation); !renames.empty()) notes.push_back(std::move(renames));
  return notes;
}

/// One set of short forms for everything on the page, so that a name looks the same wherever it stands.
ShortNames short_names(const Explanation& explanation, const ExplanationHeading& heading, const CauseRows& rows,
                       const ExplanationView& view, size_t width) {
  constexpr size_t kLeastName = 32;
  if (view.raw) return ShortNames({}, 0);
  std::vector<std::string> names;
  for (size_t i = 0; i < rows.shown; ++i) add_cause_names(rows.rows[i], names);
  for (const Cause& group : rows.rest.groups) add_cause_names(group, names);
  add_names(heading.allocations, names);
  for (const std::string& note : notes_of(explanation, heading)) add_names(note, names);
  if (view.functions)
    for (const FunctionChange& change : explanation.functions) names.push_back(change.name);
  for (const EdgeChange& edge : explanation.edges) names.insert(names.end(), {edge.caller, edge.callee});
  return ShortNames(std::move(names), width == 0 ? 0 : std::max(width / 2, kLeastName));
}

/// For the tables; addresses as the causes have them.
std::string shown_name(const std::string& name, const ShortNames& names) {
  return is_address_name(name) ? fmt::format("{:#x}", address_of_name(name)) : names.of(name);
}

Cell change_cell(int64_t delta, bool dim = false) {
  return {with_sign(delta), dim ? Tone::kDim : tone_of_change(delta)};
}

/// "instructions" of Ir; other events by their names.
std::string unit_of(std::string_view event) { return event == "Ir" ? "instructions" : std::string(event); }

/// A sentence about a cause, with its place.
Cell sentence_cell(std::string text, const Cause& cause, Tone tone = Tone::kPlain, size_t indent = 0) {
  std::string place = place_beside(cause, text);
  if (cause.within_noise) text += " (within noise)";
  return {std::move(text), tone, Form::kSentence, std::move(place), indent};
}

/// The change in one line, and what is known at once of its kind.
void add_change(Document& out, const Explanation& explanation, const ExplanationHeading& heading,
                const ExplanationView& view, const ShortNames& names) {
  const std::string percent =
      explanation.delta == 0 ? "no change in total" : change_percent(explanation.delta, explanation.base_total);
  std::string totals = fmt::format("   {} -> {} {}", with_thousands(explanation.base_total),
                                   with_thousands(explanation.head_total), unit_of(explanation.event));
  if (explanation.delta != 0) totals += fmt::format(" ({})", with_sign(explanation.delta));
  out.line({{percent, tone_of_change(explanation.delta)}, {std::move(totals)}});
  if (const std::string kind = kind_of_change(explanation); !kind.empty()) out.line(kind, Tone::kDim);
  if (!heading.allocations.empty() && (view.all || !heading.allocations_are_few))
    out.line({{names.in_sentence(heading.allocations), Tone::kDim, Form::kSentence}});
  if (!heading.chance.empty()) out.line({{heading.chance, Tone::kPlain, Form::kSentence}});
}

/// What the sides are, and their other events.
void add_sides(Document& out, const Explanation& explanation, const ExplanationHeading& heading) {
  Table sides({{"side", Align::kLeft}, {"profile", Align::kLeft}}, Titles::kMarkdownOnly);
  if (!heading.base_name.empty()) {
    sides.add_row({{"base", Tone::kDim}, {heading.base_name, Tone::kDim}});
    sides.add_row({{"head", Tone::kDim}, {heading.head_name, Tone::kDim}});
  }
  if (!heading.built.empty()) sides.add_row({{"built", Tone::kDim}, {heading.built, Tone::kDim}});
  if (!sides.empty()) out.gap();
  out.table(std::move(sides));
  if (heading.events.size() < 2) return;
  out.gap();
  Table table({{"event", Align::kLeft}, {"base"}, {"head"}, {"change"}, {"of base"}});
  for (const EventTotals& totals : heading.events) {
    const int64_t delta = checked_sub(totals.head, totals.base, "change of " + totals.event);
    const Tone tone = totals.event == explanation.event ? Tone::kBold : Tone::kPlain;
    table.add_row({{totals.event, tone},
                   {with_thousands(totals.base)},
                   {with_thousands(totals.head)},
                   change_cell(delta),
                   {change_percent(delta, totals.base), tone_of_change(delta)}});
  }
  out.table(std::move(table));
}

void add_notes(Document& out, const Explanation& explanation, const ExplanationHeading& heading,
               const ShortNames& names) {
  const std::vector<std::string> notes = notes_of(explanation, heading);
  if (!notes.empty()) out.gap();
  for (const std::string& note : notes) out.note(names.in_sentence(note));
}

/// Self cost that is told with what happens inside the function: its loops, iterations and branches.
bool is_told_inside(const Cause& cause) {
  if (cause.kind == CauseKind::kPlace) return true;
  return (cause.kind == CauseKind::kOwnCost || cause.kind == CauseKind::kSum) && cause.inside.size() > 1 &&
         std::any_of(cause.inside.begin(), cause.inside.end(),
                     [](const Cause& part) { return part.loop || part.kind == CauseKind::kBranch; });
}

// Of causes smaller than this part of the largest, what happens inside the function is left out.
constexpr double kLeadingPart = 0.2;

/// Whether a sum is all that is told, as an object's other build is: without its members nothing would be told apart.
bool is_only_sum(const CauseRows& rows) {
  return rows.rows.size() == 1 && rows.rest.groups.empty() && rows.rows.front().kind == CauseKind::kSum;
}

/// The lines that most of the cause is of.
void add_lines(Table& table, const Cause& cause, size_t indent) {
  const auto* const turn = std::get_if<fact::TurnCost>(&cause.facts);
  if (turn && !turn->loop.instead_of.empty()) return;  // all lines are new, as the loop in another's place is
  constexpr double kPart = 0.1;
  constexpr size_t kMost = 3;
  std::vector<const CauseLine*> lines;
  double all = 0;
  const auto along = [&](const CauseLine& line) { return (line.head - line.base) * (cause.delta > 0 ? 1 : -1); };
  for (const CauseLine& line : cause.lines) all += std::max(along(line), 0.0);
  for (const CauseLine& line : cause.lines)
    if (lines.size() < kMost && line.line != 0 && line.is_certain && along(line) > kPart * all) lines.push_back(&line);
  for (const CauseLine* line : lines) {
    std::string text = line_sentence(cause, *line);
    const std::string place = fmt::format("{}:{}{}", line->file, line->line, line->head == 0 ? " (base)" : "");
    const bool is_said = line->text.empty() || place == place_beside(cause, {});
    table.add_row({{""}, {std::move(text), Tone::kPlain, Form::kSentence, is_said ? "" : place, indent}});
  }
}

/// Whether it is less than a hundredth of the cause, which is no news below its row.
bool is_hardly_of(int64_t part, const Cause& cause) {
  constexpr double kHardly = 0.01;
  return std::abs(static_cast<double>(part)) < kHardly * std::abs(static_cast<double>(cause.delta));
}

/// What the parts that are listed below a cause leave of it.
void add_rest(Table& table, const Cause& cause, int64_t left) {
  if (left != 0 && !is_hardly_of(left, cause))
    table.add_row({{""}, {.text = with_sign(left) + ": the rest", .tone = Tone::kDim, .indent = 1}});
}

/// What an opened cluster, a function with its inside or a group is made of, without numbers in the column that adds
/// up.
void add_inside(Table& table, const Cause& cause, const ShortNames& names, const ExplanationView& view, bool leads) {
  if (cause.inside.empty() || (cause.kind != CauseKind::kCluster && !leads && !view.all)) return;
  const size_t all = cause.inside.size();
  size_t shown = view.all || all == kInsideShown + 1 ? all : std::min(kInsideShown, all);
  while (!view.all && shown > 1 && is_hardly_of(cause.inside[shown - 1].delta, cause)) --shown;
  const std::string about = function_in_words(cause);
  int64_t left = cause.delta;
  for (size_t i = 0; i < shown; ++i) {
    const Cause& part = cause.inside[i];
    const std::string text = names.in_sentence(cause_sentence(part, about));
    Cell cell = sentence_cell(fmt::format("{}: {}", with_sign(part.delta), text), part, Tone::kPlain, 1);
    if (cell.place == place_beside(cause, {})) cell.place.clear();  // the row above has it
    table.add_row({{""}, std::move(cell)});
    if (i == 0) add_lines(table, part, 2);
    left -= part.delta;
  }
  if (shown < cause.inside.size())
    table.add_row({{""},
                   {.text = fmt::format("{}: {}", with_sign(left),
                                        counted(static_cast<int64_t>(cause.inside.size() - shown), "smaller one")),
                    .tone = Tone::kDim,
                    .indent = 1}});
  else
    add_rest(table, cause, left);
}

/// Whether what leads inside is said below the cause, by the parts that are listed there, or by both.
enum class Leading { kBelow, kListed, kBelowAndListed };

/// "; all other causes -2,000" of a first row that is much more than the change, or goes against it.
std::string taken_back_text(int64_t delta, int64_t change) {
  constexpr double kMuchMore = 1.25;
  const double part = change == 0 ? 1 : static_cast<double>(delta) / static_cast<double>(change);
  return part < 0 || part > kMuchMore ? fmt::format("; all other causes {}", with_sign(change - delta)) : std::string();
}

/// A cause with its place, and what stands `behind` its sentence. `lines`: whether its lines are shown, where nothing
/// else leads inside.
void add_cause(Table& table, const Cause& cause, const ShortNames& names, Leading leading, bool lines,
               const std::string& behind = {}) {
  const Tone tone = cause.within_noise ? Tone::kDim : Tone::kPlain;
  const CauseWords words = cause_words(cause);
  table.add_row({change_cell(cause.delta, cause.within_noise),
                 sentence_cell(names.in_sentence(words.main) + behind, cause, tone)});
  if (leading == Leading::kListed) return;
  for (const CauseWords::Further& further : words.further) {
    const auto says_it = [&](const Cause& part) { return part.delta == further.delta; };
    if (leading == Leading::kBelowAndListed && std::any_of(cause.inside.begin(), cause.inside.end(), says_it)) continue;
    std::string text = names.in_sentence(further.text);
    if (further.delta && *further.delta != cause.delta) text.insert(0, with_sign(*further.delta) + ": ");
    if (is_taken_back(further, cause)) text += fmt::format("; the rest {}", with_sign(cause.delta - *further.delta));
    table.add_row({{""}, {std::move(text), tone, Form::kSentence, {}, 1}});
  }
  const auto is_listed = [](const CauseWords::Further& further) { return further.of == CauseWords::Of::kPart; };
  if (std::count_if(words.further.begin(), words.further.end(), is_listed) > 1) {
    int64_t left = cause.delta;
    for (const CauseWords::Further& further : words.further)
      if (is_listed(further)) left -= further.delta.value_or(0);
    add_rest(table, cause, left);
  }
  const auto has_part = [](const CauseWords::Further& further) { return further.delta.has_value(); };
  if (lines && std::none_of(words.further.begin(), words.further.end(), has_part)) add_lines(table, cause, 1);
}

void add_causes(Document& out, const CauseRows& rows, int64_t change, const ShortNames& names,
                const ExplanationView& view) {
  if (rows.rows.empty()) return;
  out.gap();
  Table table({{"change"}, {"cause", Align::kLeft}}, Titles::kMarkdownOnly);
  for (size_t i = 0; i < rows.shown; ++i) {
    const double size = std::abs(static_cast<double>(rows.rows[i].delta)),
                 largest = std::abs(static_cast<double>(rows.rows.front().delta));
    const bool is_large = size >= kLeadingPart * largest;
    const bool leads = ((is_large || view.all) && is_told_inside(rows.rows[i])) || is_only_sum(rows);
    const Leading leading = leads ? Leading::kListed : view.all ? Leading::kBelowAndListed : Leading::kBelow;
    add_cause(table, rows.rows[i], names, leading, is_large,
              i == 0 ? taken_back_text(rows.rows[i].delta, change) : std::string());
    add_inside(table, rows.rows[i], names, view, leads);
  }
  for (const Cause& group : rows.rest.groups) add_cause(table, group, names, Leading::kBelow, false);
  if (const size_t hidden = rows.rest.smaller; hidden > 0)
    table.add_row({change_cell(rows.rest.smaller_delta, true),
                   {fmt::format("{} (--all lists {})", counted(hidden, "smaller cause"), hidden == 1 ? "it" : "them"),
                    Tone::kDim}});
  out.table(std::move(table));
}

void add_table(Document& out, std::string title, Table table) {
  out.gap();
  out.line(std::move(title));
  out.gap();
  out.table(std::move(table));
}

void add_functions(Document& out, const Explanation& explanation, const ShortNames& names,
                   const ExplanationView& view) {
  if (!view.functions) return;
  Table table({{"base"}, {"head"}, {"change"}, {"function", Align::kLeft}});
  const size_t limit = view.all ? explanation.functions.size() : view.top > 0 ? view.top : kFunctionsShown;
  const size_t shown = std::min(limit, explanation.functions.size());
  int64_t left = explanation.delta;
  for (size_t i = 0; i < shown; ++i) {
    const FunctionChange& change = explanation.functions[i];
    left -= change.delta;
    const std::string was = change.base_name.empty() || change.base_name == change.name
                                ? ""
                                : "  (was " + shown_name(change.base_name, names) + ")";
    table.add_row({{with_thousands(change.base)},
                   {with_thousands(change.head)},
                   change_cell(change.delta),
                   {shown_name(change.name, names) + was, Tone::kPlain, was.empty() ? Form::kName : Form::kText}});
  }
  if (shown < explanation.functions.size())
    table.add_row({{""},
                   {""},
                   change_cell(left, true),
                   {fmt::format("{} more functions", explanation.functions.size() - shown), Tone::kDim}});
  add_table(out, "self cost by function (effects; the causes are above)", std::move(table));
}

void add_edges(Document& out, const Explanation& explanation, const ShortNames& names, const ExplanationView& view) {
  if (explanation.edges.empty()) return;
  Table table({{"base"}, {"head"}, {"change"}, {"call", Align::kLeft}});
  const size_t shown =
      view.all ? explanation.edges.size() : std::min(view.top > 0 ? view.top : kEdgesShown, explanation.edges.size());
  for (size_t i = 0; i < shown; ++i) {
    const EdgeChange& edge = explanation.edges[i];
    table.add_row({{with_thousands(edge.base)},
                   {with_thousands(edge.head)},
                   change_cell(edge.delta),
                   {fmt::format("`{}` -> `{}`", shown_name(edge.caller, names), shown_name(edge.callee, names)),
                    Tone::kPlain, Form::kSentence}});
  }
  if (shown < explanation.edges.size())
    table.add_row({{""}, {""}, {""}, {fmt::format("{} more", explanation.edges.size() - shown), Tone::kDim}});
  add_table(out,
            "inclusive cost by caller and callee (call counts are not trusted, so these are not causes; they overlap)",
            std::move(table));
}

}  // namespace

ExplanationHeading without_notes(ExplanationHeading heading, const std::vector<std::string>& said) {
  std::erase_if(heading.notes,
                [&](const std::string& note) { return std::find(said.begin(), said.end(), note) != said.end(); });
  return heading;
}

std::string renames_note(const Explanation& explanation) {
  constexpr size_t kNamed = 3;
  std::vector<const Cause*> free;
  for (size_t i = causes_that_count(explanation); i < explanation.causes.size(); ++i)
    // But for a file's initialisers, which a compiler names after a symbol of the file.
    if (const Cause& cause = explanation.causes[i]; !cause.function.starts_with("_GLOBAL__sub_I_"))
      free.push_back(&cause);
  if (free.empty() || explanation.renames_are_summed) return {};
  std::string note = fmt::format("{} another name and cost the same: ",
                                 free.size() == 1 ? "1 function has" : counted(free.size(), "function") + " have");
  for (size_t i = 0; i < free.size() && i < kNamed; ++i) note += (i > 0 ? "; " : "") + cause_sentence(*free[i]);
  if (free.size() > kNamed) note += fmt::format("; and {} more", free.size() - kNamed);
  return note;
}

namespace {

/// By the file's name, for that is what a cause's place has.
bool is_in_hunks(const Cause& cause, const Mine& mine) {
  return std::any_of(mine.hunks.begin(), mine.hunks.end(), [&](const MineHunk& hunk) {
    return hunk.is_executed && base_of_path(hunk.path) == base_of_path(cause.file) && hunk.new_lines.has(cause.line);
  });
}

/// The first that goes the way of `delta`, or one in a hunk with half as much or more: copies that are made in a
/// changed line are freed elsewhere, at a cost of the same order.
std::vector<Cause>::const_iterator leading_cause(const std::vector<Cause>& causes, int64_t delta, const Mine* mine) {
  constexpr double kOfOneChange = 0.5;
  const auto goes_along = [&](const Cause& cause) { return (cause.delta > 0) == (delta > 0); };
  const auto largest = std::find_if(causes.begin(), causes.end(), goes_along);
  if (!mine || largest == causes.end()) return largest;
  const double least = kOfOneChange * std::abs(static_cast<double>(largest->delta));
  const auto own = std::find_if(largest, causes.end(), [&](const Cause& cause) {
    return goes_along(cause) && std::abs(static_cast<double>(cause.delta)) >= least && is_in_hunks(cause, *mine);
  });
  return own == causes.end() ? largest : own;
}

bool is_half_of(int64_t part, int64_t whole) {
  constexpr double kHalf = 0.5;
  return (part > 0) == (whole > 0) &&
         std::abs(static_cast<double>(part)) >= kHalf * std::abs(static_cast<double>(whole));
}

/// The inlined function that a part is about, with the line of its call.
std::pair<std::string, uint64_t> inlined_in(const Cause& part) {
  for (const Remark& remark : part.remarks) {
    if (remark.kind == Remark::Kind::kInlined) return {remark.inlined.name, remark.inlined.line};
    if (remark.kind == Remark::Kind::kLeading) return inlined_in(remark.causes.front());
  }
  const auto unquoted = [](const std::string& name) { return name.substr(1, name.size() - 2); };
  if (const auto* const entry = std::get_if<fact::LoopEntry>(&part.facts))
    if (entry->inlined.size() > 2) return {unquoted(entry->inlined), entry->inlined_line};
  if (const auto* const cost = std::get_if<fact::PartCost>(&part.facts))
    if (cost->inlined.size() > 2) return {unquoted(cost->inlined), cost->call_line};
  return {};
}

/// "; +1,083,465 of it through `std::map::operator[]` (inlined at line 2558)", where that is most of a row's parts.
/// `place`: of the row, which need not be said twice.
std::string mostly_inlined(const Cause& row, std::string_view place) {
  std::map<std::pair<std::string, uint64_t>, int64_t> sums;
  for (const Cause& part : row.inside)
    if (const auto [name, line] = inlined_in(part); !name.empty()) sums[{short_name(name), line}] += part.delta;
  for (const auto& [inlined, sum] : sums) {
    const auto& [name, line] = inlined;
    if (!is_half_of(sum, row.delta)) continue;
    const bool is_said = line == 0 || place.ends_with(fmt::format(":{}", line));
    return fmt::format("; {} of it through `{}`{}", with_sign(sum), name,
                       is_said ? "" : fmt::format(" (inlined at line {})", line));
  }
  return {};
}

/// The function whose changed lines a cause lies in; empty: none, or not known.
std::string changed_function(const Cause& cause, const Mine* mine) {
  if (!mine) return {};
  for (const MineHunk& hunk : mine->hunks)
    if (hunk.new_lines.has(cause.line) && base_of_path(hunk.path) == base_of_path(cause.file)) return hunk.function;
  return {};
}

}  // namespace

std::string leading_sentence(const Explanation& explanation, const ExplanationHeading& heading) {
  const CauseRows rows = rows_for_view(explanation, {.top = kUsualCauses});
  const auto row = leading_cause(rows.rows, explanation.delta, heading.mine.get());
  if (row == rows.rows.end()) return {};
  auto lead = row;
  std::string about, place_above, behind;
  if (is_told_inside(*lead)) {
    const auto part = leading_cause(lead->inside, lead->delta, heading.mine.get());
    if (part != lead->inside.end() && is_half_of(part->delta, lead->delta)) {
      about = function_in_words(*lead);
      place_above = place_beside(*lead, {});
      lead = part;
    } else {
      behind = mostly_inlined(*lead, place_beside(*lead, {}));
    }
  }
  std::string text = cause_sentence(*lead, about, 0) + behind;
  const std::string place = place_beside(*lead, text);
  if (!about.empty()) text.insert(0, fmt::format("in {}, ", about));
  if (!place.empty() && place != place_above) {
    const std::string function = changed_function(*lead, heading.mine.get());
    const bool is_said = function.empty() || text.find(function) != std::string::npos;
    text += is_said ? fmt::format(" ({})", place) : fmt::format(" ({} in `{}`)", place, function);
  }
  if (lead->delta == explanation.delta) return text;
  text += ": " + with_sign(lead->delta);
  if (!is_half_of(lead->delta, explanation.delta)) {
    const bool is_largest = std::none_of(rows.rows.begin(), rows.rows.end(), [&](const Cause& other) {
      return &other != &*row && std::abs(other.delta) > std::abs(lead->delta);
    });
    text += fmt::format(", {} of {}", is_largest ? "the largest" : "one",
                        counted(static_cast<int64_t>(rows.causes), "part"));
  }
  int64_t rest = explanation.delta - lead->delta;
  for (const Cause& other : rows.rows)
    if (other.function == kUnwindingGroup && is_half_of(other.delta, lead->delta)) {
      text += fmt::format("; {} {}", kUnwindingGroup, with_sign(other.delta));
      rest -= other.delta;
    }
  return rest == 0 ? text : fmt::format("{}; the rest {}", text, with_sign(rest));
}

CauseRows rows_for_view(const Explanation& explanation, const ExplanationView& view) {
  return choose_cause_rows(explanation, {.rows = view.top, .all = view.all, .group_rest = view.top == 0});
}

std::string change_percent(int64_t delta, int64_t base) {
  if (base == 0) return delta == 0 ? "0%" : "new";
  const double percent = 100.0 * static_cast<double>(delta) / static_cast<double>(base);
  if (delta != 0 && std::abs(percent) < 0.005) return delta > 0 ? "+<0.01%" : "-<0.01%";
  return delta == 0 ? "0%" : fmt::format("{:+.2f}%", percent);
}

namespace {

/// "the compiler, `f` into `g`: base inlined (cost=10, threshold=225); head not inlined (...)".
std::string decision_sentence(const CompilerDecision& decision) {
  const auto said = [](const std::vector<std::string>& texts) {
    return texts.empty() ? std::string("no decision on record") : fmt::format("{}", fmt::join(texts, ", "));
  };
  const std::string about = decision.loop.empty() ? fmt::format("`{}` into `{}`", decision.callee, decision.caller)
                                                  : fmt::format("the loop at {}", decision.loop);
  if (decision.said[0] == decision.said[1]) return fmt::format("the compiler, {}: {}", about, said(decision.said[0]));
  return fmt::format("the compiler, {}: in head {}; in base {}", about, said(decision.said[1]), said(decision.said[0]));
}

void add_decisions(Document& out, std::span<const CompilerDecision> decisions, const ShortNames& names,
                   const ExplanationView& view) {
  constexpr size_t kUsual = 5;
  const size_t shown = view.all ? decisions.size() : std::min(decisions.size(), kUsual);
  if (shown > 0) out.gap();
  for (const CompilerDecision& decision : decisions.first(shown))
    out.line({{names.in_sentence(decision_sentence(decision)), Tone::kPlain, Form::kSentence}});
  if (shown < decisions.size())
    out.line(fmt::format("{} more decisions of the compiler (--all lists them)", decisions.size() - shown), Tone::kDim);
}

}  // namespace

Document make_explanation_document(const Explanation& explanation, const ExplanationHeading& heading,
                                   const ExplanationView& view, size_t width) {
  const CauseRows rows = rows_for_view(explanation, view);
  const ShortNames names = short_names(explanation, heading, rows, view, width);
  Document out;
  add_change(out, explanation, heading, view, names);
  if (heading.mine) out.append(make_mine_document(*heading.mine));
  if (heading.objects) out.append(make_objects_document(*heading.objects));
  add_causes(out, rows, explanation.delta, names, view);
  add_decisions(out, heading.decisions, names, view);
  add_sides(out, explanation, heading);
  add_notes(out, explanation, heading, names);
  for (const FunctionListing& listing : explanation.listings) out.append(make_listing_document(listing));
  add_functions(out, explanation, names, view);
  add_edges(out, explanation, names, view);
  return out;
}

}  // namespace icount
