#include "icount/report/mine_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/report/explanation_document.h"
#include "icount/report/text_style.h"

namespace icount {
namespace {

constexpr size_t kUnitsShown = 5;
constexpr size_t kHunksNamed = 3;
constexpr size_t kFunctionsNamed = 3;
constexpr int64_t kSmallPart = 1000;  // what is less than a thousandth of the change has no row of its own

std::string place_of(const MineHunk& hunk) {
  return fmt::format("{}:{}{}", base_of_path(hunk.path), hunk.line, hunk.is_line_of_base ? " (base)" : "");
}

/// Of those that git shows as one the first.
std::vector<uint32_t> as_git_counts(const Mine& mine, const std::vector<uint32_t>& hunks) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> firsts;
  for (const uint32_t h : hunks)
    if (seen.insert(mine.hunks[h].git_hunk).second) firsts.push_back(h);
  return firsts;
}

/// "md4c.c:5838, md4c.c:101 and 5 more", of hunks as git counts them.
std::string list_places(const Mine& mine, const std::vector<uint32_t>& hunks) {
  std::vector<std::string> places;
  for (const uint32_t h : hunks)
    if (places.size() < kHunksNamed) places.push_back(place_of(mine.hunks[h]));
  std::string text = fmt::format("{}", fmt::join(places, ", "));
  if (hunks.size() > places.size()) text += fmt::format(" and {} more", hunks.size() - places.size());
  return text;
}

std::string is_or_are(size_t count) { return count == 1 ? "is" : "are"; }

/// What a hunk that is not executed changes all the same; empty: nothing.
std::string acts_by(const MineHunk& hunk) {
  if (!hunk.macro.empty()) return fmt::format("macro `{}`", hunk.macro);
  if (!hunk.type.empty()) return fmt::format("type `{}`", hunk.type);
  if (!hunk.data.empty()) return fmt::format("initial value of `{}`", hunk.data);
  return {};
}

uint64_t size_of(int64_t value) { return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value); }

/// Which share is the largest but for other work, which follows from it; that where there is no other.
HunkShare main_share(const MineUnit& unit) {
  auto most = HunkShare::kOtherWork;
  for (size_t why = 0; why < static_cast<size_t>(HunkShare::kOtherWork); ++why)
    if (unit.shares[why] != 0 &&
        (most == HunkShare::kOtherWork || size_of(unit.shares[why]) > size_of(unit.shares[static_cast<size_t>(most)])))
      most = static_cast<HunkShare>(why);
  return most;
}

/// "; probably +20 of it by unchanged code, which does other work", where that is the larger part.
std::string other_work_text(const MineUnit& unit, HunkShare main) {
  const int64_t work = unit.shares[static_cast<size_t>(HunkShare::kOtherWork)];
  if (work == 0) return {};
  if (main == HunkShare::kOtherWork) return ", probably: unchanged code does other work";
  if (size_of(work) < size_of(unit.shares[static_cast<size_t>(main)])) return {};
  return fmt::format("; probably {} of it by unchanged code, which does other work", with_sign(work));
}

/// Of lines that have code of their own: the function whose unchanged lines have nearly all of what is theirs, `rest`;
/// empty: none.
std::string function_around(const Mine& mine, const MineUnit& unit, int64_t rest) {
  const auto runs = [&](uint32_t h) {
    const auto& [base, head] = mine.hunks[h].executions;
    return base.value_or(0) + head.value_or(0) > 0;
  };
  if (std::none_of(unit.hunks.begin(), unit.hunks.end(), runs)) return {};
  std::map<std::string_view, long double> values;
  for (const MineTerm& term : mine.terms) {
    if (term.hunk == kNoUnit || &mine.units[mine.hunks[term.hunk].unit] != &unit) continue;
    const auto why = static_cast<HunkShare>(term.why);
    if (why == HunkShare::kSameFunction || why == HunkShare::kInlinedInto || why == HunkShare::kChangedCodeInlined)
      values[term.function] += term.value;
  }
  const auto most = std::max_element(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second) < std::abs(b.second);
  });
  constexpr long double kNearlyAll = 0.8L;
  const bool is_it =
      most != values.end() && std::abs(most->second) >= kNearlyAll * static_cast<long double>(size_of(rest));
  return is_it ? std::string(most->first) : std::string();
}

/// What changed lines do themselves, and what follows from calls that are inlined on one side alone, or what unchanged
/// lines of the same functions do where that is more. Empty where one of the two hardly matters.
std::string rest_text(const Mine& mine, const MineUnit& unit) {
  constexpr uint64_t kHardly = 100;  // of both together
  const bool is_inlining = unit.shares[static_cast<size_t>(HunkShare::kCallMadeOrInlined)] != 0;
  int64_t lines = 0;
  for (const HunkShare share : {HunkShare::kChangedLines, HunkShare::kCallsFromChangedLines, HunkShare::kChangedMacro})
    lines += unit.shares[static_cast<size_t>(share)];
  const int64_t rest = unit.delta - lines;
  if (!is_inlining) {
    const std::string function = size_of(rest) > size_of(lines) ? function_around(mine, unit, rest) : std::string();
    return function.empty() ? function
                            : fmt::format(": {} by the changed lines, {} by the rest of `{}`", with_sign(lines),
                                          with_sign(rest), short_name(function));
  }
  const uint64_t least = std::min(size_of(lines), size_of(rest));
  if (least == 0 || least < std::max(size_of(lines), size_of(rest)) / kHardly) return {};
  return fmt::format(": {} by the changed lines, {} by inlining", with_sign(lines), with_sign(rest));
}

/// ", not executed", ", 2 of them not executed": of hunks as git counts them, named beside one that is; empty: all are.
std::string not_executed_of(const Mine& mine, const std::vector<uint32_t>& hunks) {
  const auto is_executed = [&](uint32_t h) {
    return std::any_of(mine.hunks.begin(), mine.hunks.end(), [&](const MineHunk& hunk) {
      return hunk.git_hunk == mine.hunks[h].git_hunk && hunk.is_executed;
    });
  };
  const auto none = static_cast<size_t>(std::count_if(hunks.begin(), hunks.end(), std::not_fn(is_executed)));
  if (none == 0) return {};
  return none == hunks.size() ? ", not executed" : fmt::format(", {} of them not executed", none);
}

/// "md4c.c:5838 in `md_analyze_line` and 2 more hunks", and what has to be said of why it is theirs.
std::string unit_text(const Mine& mine, const MineUnit& unit) {
  const MineHunk& first = mine.hunks[unit.hunks.front()];
  std::string text = hunk_place(first);
  const bool is_type = first.function.empty() && !first.type.empty();
  const HunkShare main = main_share(unit);
  if (const std::string by = acts_by(first);
      !by.empty() && (!first.is_executed || is_type || (!first.macro.empty() && main == HunkShare::kChangedMacro)))
    text = by + " at " + place_of(first);
  std::vector<uint32_t> others = as_git_counts(mine, unit.hunks);
  others.erase(others.begin());
  if (!others.empty()) {
    text += fmt::format(
        " (and {}{})",
        others.size() <= kHunksNamed - 1 ? list_places(mine, others) : fmt::format("{} more hunks", others.size()),
        unit.is_executed ? not_executed_of(mine, others) : "");
  }
  switch (main) {
    case HunkShare::kChangedHead:
      text += ": the lines that call it";
      break;
    case HunkShare::kSameFunction:
      if (is_type)
        text += ": what makes, copies or ends it";
      else if (!unit.is_executed)
        text += ": not executed; the function around it was compiled differently";
      break;
    case HunkShare::kInlinedInto:
    case HunkShare::kChangedCodeInlined:
      if (!unit.is_executed) text += ": not executed; functions around it were compiled differently";
      break;
    case HunkShare::kChangedType:
      if (!unit.is_executed) text += ": not executed; code for the type was compiled differently";
      break;
    case HunkShare::kChangedData:
      text += ", probably: code that reads it does other work";
      break;
    default:
      break;
  }
  text += other_work_text(unit, main);
  return unit.is_executed ? text + rest_text(mine, unit) : text;
}

/// By source counts, where it has any.
std::array<std::optional<int64_t>, 2> executions_of(const MineHunk& hunk) {
  const auto& [base, head] = hunk.source_executions;
  if (base || head) return {base.value_or(0), head.value_or(0)};
  return hunk.executions;
}

/// Of the hunk with the largest part.
std::string executed_text(const Mine& mine, const MineUnit& unit) {
  if (!unit.is_executed) return "no";
  for (const uint32_t h : unit.hunks) {
    const MineHunk& hunk = mine.hunks[h];
    const auto [was, is] = executions_of(hunk);
    if (!hunk.is_executed || !was || !is) continue;
    return *was == *is ? counted(*is, "time") : fmt::format("{}, was {}", counted(*is, "time"), with_thousands(*was));
  }
  return "yes";
}

Cell change_cell(int64_t delta) { return {with_sign(delta), tone_of_change(delta)}; }

/// Whether a hunk may decide how often unchanged code runs.
bool may_act(const Mine& mine) {
  return std::any_of(mine.hunks.begin(), mine.hunks.end(),
                     [](const MineHunk& hunk) { return hunk.is_executed || hunk.may_act_unexecuted; });
}

std::string reason_text(const Mine& mine, OutsideReason reason) {
  switch (reason) {
    case OutsideReason::kCompiledDifferently:
      return "compiled differently";
    case OutsideReason::kOtherWork:
      return fmt::format("the same code, run more or less often or on other data{}",
                         may_act(mine) ? ", perhaps through your hunks" : "");
    case OutsideReason::kLibrary:
      return "in libraries";
    case OutsideReason::kEntries:
      return "entered from outside";
    case OutsideReason::kUnknown:
      return "of no known reason";
  }
  return {};
}

/// "`f` +12, `g` -3 and 5 more functions", of one reason.
std::string functions_text(const MineOutside& outside, OutsideReason reason) {
  std::vector<std::string> names;
  size_t more = 0;
  for (const OutsideFunction& one : outside.functions) {
    if (one.reason != reason || one.function.empty()) continue;
    if (names.size() < kFunctionsNamed)
      names.push_back(fmt::format("`{}` {}", short_name(one.function), with_sign(one.delta)));
    else
      ++more;
  }
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (more > 0) text += fmt::format(" and {}", counted(static_cast<int64_t>(more), "more function"));
  return text;
}

/// Reasons by what they come to.
std::vector<OutsideReason> reasons_of(const MineOutside& outside) {
  std::vector<OutsideReason> reasons;
  for (size_t i = 0; i < kOutsideReasons; ++i)
    if (outside.reasons[i] != 0) reasons.push_back(static_cast<OutsideReason>(i));
  std::stable_sort(reasons.begin(), reasons.end(), [&](OutsideReason a, OutsideReason b) {
    return size_of(outside.reasons[static_cast<size_t>(a)]) > size_of(outside.reasons[static_cast<size_t>(b)]);
  });
  return reasons;
}

/// What functions of a reason are, in a sentence after their number or the only one's name.
std::string reason_sentence(OutsideReason reason, std::string_view who, size_t functions) {
  switch (reason) {
    case OutsideReason::kCompiledDifferently:
      return fmt::format("the compiler: {} {} compiled differently", who, functions == 1 ? "was" : "were");
    case OutsideReason::kOtherWork:
      return fmt::format("other work: the same code of {} ran more or less often, or on other data", who);
    case OutsideReason::kLibrary:
      return fmt::format("libraries: {}", who);
    case OutsideReason::kEntries:
      return fmt::format("entered from outside more or less often: {}", who);
    case OutsideReason::kUnknown:
      return fmt::format("not known why: {}", functions == 0 ? "what follows from rounding" : who);
  }
  return {};
}

/// One line for each reason.
void add_outside(std::vector<std::string>& lines, const MineOutside& outside) {
  for (const OutsideReason reason : reasons_of(outside)) {
    std::vector<const OutsideFunction*> functions;
    for (const OutsideFunction& one : outside.functions)
      if (one.reason == reason && !one.function.empty()) functions.push_back(&one);
    const auto count = static_cast<int64_t>(functions.size());
    const std::string who =
        count == 1 ? fmt::format("`{}`", short_name(functions[0]->function)) : counted(count, "function");
    std::string text = fmt::format("{} ({})", reason_sentence(reason, who, functions.size()),
                                   with_sign(outside.reasons[static_cast<size_t>(reason)]));
    if (count > 1) text += ": " + functions_text(outside, reason);
    lines.push_back(std::move(text));
  }
}

std::string outside_text(const Mine& mine) {
  std::vector<std::string> parts;
  for (const OutsideReason reason : reasons_of(mine.outside))
    parts.push_back(
        fmt::format("{} {}", with_sign(mine.outside.reasons[static_cast<size_t>(reason)]), reason_text(mine, reason)));
  if (parts.size() == 1) return "code outside your diff, " + reason_text(mine, reasons_of(mine.outside).front());
  return parts.empty() ? "code outside your diff" : fmt::format("code outside your diff ({})", fmt::join(parts, "; "));
}

/// Hunks of sources, as git counts them: each once, of the first of these kinds that any of its lines is of.
struct HunkCounts {
  std::vector<uint32_t> executed, not_executed, moved, comments;

  size_t code() const { return executed.size() + not_executed.size(); }
  size_t all() const { return code() + moved.size() + comments.size(); }
};

HunkCounts count_hunks(const Mine& mine) {
  HunkCounts counts;
  std::set<uint32_t> seen;
  const auto take = [&](std::vector<uint32_t>& kind, const auto& is_of_it) {
    for (uint32_t h = 0; h < mine.hunks.size(); ++h)
      if (is_of_it(mine.hunks[h]) && seen.insert(mine.hunks[h].git_hunk).second) kind.push_back(h);
  };
  take(counts.executed, [](const MineHunk& hunk) { return hunk.text == HunkText::kCode && hunk.is_executed; });
  take(counts.not_executed, [](const MineHunk& hunk) { return hunk.text == HunkText::kCode; });
  take(counts.moved, [](const MineHunk& hunk) { return hunk.text == HunkText::kMoved; });
  take(counts.comments, [](const MineHunk& hunk) { return hunk.text == HunkText::kComment; });
  return counts;
}

/// "your diff: 10 hunks; 1 is comments only; 6 are executed here, 3 are not (md4c.c:12, md4c.c:80, md4c.c:95)".
std::string diff_text(const Mine& mine, const HunkCounts& counts) {
  std::vector<std::string> parts;
  if (counts.all() > 0) parts.push_back(counted(static_cast<int64_t>(counts.all()), "hunk"));
  const auto add = [&](size_t count, std::string_view what) {
    if (count > 0)
      parts.push_back(fmt::format("{} {} {}", with_thousands(static_cast<int64_t>(count)), is_or_are(count), what));
  };
  add(counts.comments.size(), "comments or blanks only");
  add(counts.moved.size(), "moved text only");
  const size_t not_executed = counts.not_executed.size();
  add(counts.executed.size(), "executed here");
  if (not_executed > 0 && !counts.executed.empty())
    parts.back() += fmt::format(", {} {} not ({})", with_thousands(static_cast<int64_t>(not_executed)),
                                is_or_are(not_executed), list_places(mine, counts.not_executed));
  else
    add(not_executed, "not executed here");
  if (const size_t others = mine.other_files.size(); others > 0)
    parts.push_back(
        fmt::format("{} that {} no source", counted(static_cast<int64_t>(others), "file"), is_or_are(others)));
  return fmt::format("{}: {}", mine.has_uncommitted ? "your diff, with uncommitted changes" : "your diff",
                     fmt::join(parts, "; "));
}

/// Of hunks of code that are not executed: "none of the 2 hunks that you changed is executed here".
std::string none_executed_text(size_t hunks, std::string_view executed) {
  return hunks == 1 ? fmt::format("the hunk that you changed is not {}", executed)
                    : fmt::format("none of the {} that you changed is {}", counted(static_cast<int64_t>(hunks), "hunk"),
                                  executed);
}

std::string_view executed_there(const Mine& mine) {
  return mine.counts_a_part ? "executed in what is counted" : "executed here";
}

/// Whether that is all that is known of what lies outside.
bool is_compiled_differently(const MineOutside& outside) {
  return reasons_of(outside) == std::vector<OutsideReason>{OutsideReason::kCompiledDifferently};
}

/// An acquittal where it is proved: of a whole program, and of lines that do nothing unless they are executed.
std::string not_executed_text(const Mine& mine, const HunkCounts& counts) {
  const std::string places = list_places(mine, counts.not_executed);
  if (!mine.knows_inlined)
    return fmt::format(
        "{}: {} ({}), and of some functions only the lines are known, not the calls that were inlined there",
        is_compiled_differently(mine.outside) ? "compiled differently, perhaps by your lines"
                                              : "not known whether these are your lines",
        none_executed_text(counts.code(), "shown by a line of its own"), places);
  std::vector<std::string_view> ways;
  if (mine.counts_a_part) ways.emplace_back("run in the set-up");
  if (std::any_of(mine.hunks.begin(), mine.hunks.end(), [](const MineHunk& hunk) { return hunk.may_act_unexecuted; }))
    ways.emplace_back("act through types or constants");
  const std::string said = fmt::format("{} ({})", none_executed_text(counts.code(), executed_there(mine)), places);
  if (ways.empty()) return "not your lines: " + said;
  return fmt::format("{}; {} may {}", said, counts.code() == 1 ? "it" : "they", fmt::join(ways, ", or "));
}

/// An acquittal but for files that a build or a program may read.
std::string no_code_text(const Mine& mine) {
  return mine.other_files.empty() ? "not your lines: your diff changes no code" : "your diff changes no code";
}

/// Why nothing is told; empty: it is.
std::string untold_text(const Mine& mine) {
  if (!mine.knows_lines)
    return "which part of the change is your diff's is not known: the profiles have no line numbers (compile with -g)";
  if (!mine.files_are_found && !mine.hunks.empty())
    return "which part of the change is your diff's is not known: no source file of the profiles is one of the "
           "repository; were they recorded from other sources?";
  return {};
}

/// That a side was not built from its commit.
std::string misfit_text(const Mine& mine, size_t side) {
  const LineFit& fit = mine.fit[side];
  return fmt::format(
      "{} was probably not built from {}: {} of {} have no code there ({}:{}); what is said of your hunks may be wrong",
      side == 0 ? "base" : "head", side == 0 ? mine.base_name : mine.head_name, with_thousands(fit.misfits),
      counted(fit.lines, "executed line") + " in files of the diff", base_of_path(fit.path), fit.line);
}

/// What source counts prove of the lines that were not changed.
std::string control_text(const Mine& mine) {
  const MineControl& control = *mine.control;
  const int64_t compiled = mine.outside.reasons[static_cast<size_t>(OutsideReason::kCompiledDifferently)];
  if (control.lines_other == 0)
    return fmt::format("control: {} ran exactly as often as before{}", counted(control.lines_equal, "other line"),
                       compiled == 0 ? "" : fmt::format(", so the compiler alone moved {}", with_sign(compiled)));
  std::vector<std::string> named;
  for (const OtherLine& line : control.lines)
    if (named.size() < kHunksNamed)
      named.push_back(fmt::format("{}:{} ({} times, was {})", base_of_path(line.path), line.line,
                                  with_thousands(line.executions[1]), with_thousands(line.executions[0])));
  const auto more = static_cast<size_t>(control.lines_other) - named.size();
  return fmt::format("control: {} of {} ran more or less often ({} by that): {}{}", with_thousands(control.lines_other),
                     counted(control.lines_equal + control.lines_other, "other line"),
                     with_sign(control.executions_delta), fmt::join(named, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// How far such a commit moved the same count before.
std::string past_text(const PastMove& past) {
  return fmt::format("earlier commits that execute none of their lines moved it by up to {} ({}, {})",
                     with_sign(past.delta), change_percent(past.delta, past.base_count), past.commit.substr(0, 10));
}

/// "proved: +5 in base alone, +5 beside the others in head".
std::string proof_text(const UnitProof& proof) {
  std::vector<std::string> parts;
  if (proof.alone) parts.push_back(fmt::format("{} alone in base", with_sign(*proof.alone)));
  if (proof.after_others) parts.push_back(fmt::format("{} beside the others in head", with_sign(*proof.after_others)));
  std::string text = parts.empty() ? "" : fmt::format("proved: {}", fmt::join(parts, ", "));
  if (!proof.why_not.empty()) text += (text.empty() ? "not proved: " : "; ") + proof.why_not;
  return text;
}

MineRow row_of(const Mine& mine, const MineUnit& unit) {
  MineRow row{.delta = unit.delta, .executed = executed_text(mine, unit), .text = unit_text(mine, unit), .unit = &unit};
  if (unit.proof) row.inside.push_back(proof_text(*unit.proof));
  if (!unit.tells_hunks_apart) return row;
  std::map<uint32_t, int64_t> parts;  // by git's hunk
  for (const uint32_t h : unit.hunks) parts[mine.hunks[h].git_hunk] += mine.hunks[h].delta;
  if (parts.size() < 2) return row;
  for (const uint32_t h : as_git_counts(mine, unit.hunks)) {
    const int64_t part = parts.at(mine.hunks[h].git_hunk);
    if (part == 0 || row.inside.size() >= kHunksNamed) continue;
    row.inside.push_back(fmt::format("{}: {}", with_sign(part), hunk_place(mine.hunks[h])));
  }
  return row;
}

void add_rows(MineParts& parts, const Mine& mine, const std::vector<const MineUnit*>& shown, int64_t smaller,
              size_t smaller_units) {
  for (const MineUnit* unit : shown) parts.rows.push_back(row_of(mine, *unit));
  if (mine.interaction && *mine.interaction != 0)
    parts.rows.push_back(
        {.text = fmt::format("{}: by hunks together, beyond what each unit does alone", with_sign(*mine.interaction))});
  if (smaller_units > 0)
    parts.rows.push_back(
        {.delta = smaller, .text = counted(static_cast<int64_t>(smaller_units), "smaller part") + " of your diff"});
  if (mine.outside.delta != 0 || mine.outside.functions.size() > 0)
    parts.rows.push_back({.delta = mine.outside.delta, .text = outside_text(mine)});
}

}  // namespace

std::string hunk_place(const MineHunk& hunk) {
  return hunk.function.empty() ? place_of(hunk) : fmt::format("{} in `{}`", place_of(hunk), hunk.function);
}

namespace {

/// By its part, or by what is proved of it.
bool is_worth_a_row(const MineUnit& unit, uint64_t gross) {
  const auto is_large = [&](int64_t part) { return part != 0 && size_of(part) >= gross / kSmallPart; };
  return is_large(unit.delta) ||
         (unit.proof && (is_large(unit.proof->alone.value_or(0)) || is_large(unit.proof->after_others.value_or(0))));
}

}  // namespace

std::vector<const MineUnit*> leading_units(const Mine& mine) {
  uint64_t gross = size_of(mine.delta);
  for (const MineUnit& unit : mine.units) gross = std::max(gross, size_of(unit.delta));
  std::vector<const MineUnit*> units;
  for (const MineUnit& unit : mine.units)
    if (units.size() < kUnitsShown && is_worth_a_row(unit, gross)) units.push_back(&unit);
  return units;
}

std::string mine_sentence(const Mine& mine) {
  if (std::string untold = untold_text(mine); !untold.empty()) return untold;
  const HunkCounts counts = count_hunks(mine);
  const std::vector<const MineUnit*> shown = leading_units(mine);
  std::vector<std::string> parts;
  if (counts.code() == 0) {
    parts.push_back(no_code_text(mine));
  } else if (counts.executed.empty() && shown.empty()) {
    parts.push_back(not_executed_text(mine, counts));
  } else {
    for (const MineUnit* unit : shown)
      parts.push_back(fmt::format("{} {}", with_sign(unit->delta), unit_text(mine, *unit)));
    if (shown.empty()) parts.push_back("none of it");
    parts.front() = "your hunks: " + parts.front();
  }
  const bool is_known = mine.knows_inlined || !counts.executed.empty() || !shown.empty();
  if (mine.outside.delta != 0 && is_known)
    parts.push_back(fmt::format("{} {}", with_sign(mine.outside.delta), outside_text(mine)));
  if (mine.past) parts.push_back(past_text(*mine.past));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string unit_annotation(const Mine& mine, const MineUnit& unit, std::string_view event) {
  std::string text = fmt::format("{} of {} {} by ", with_sign(unit.delta), with_sign(mine.delta), event);
  const size_t hunks = as_git_counts(mine, unit.hunks).size();
  text += hunks == 1 ? "this hunk" : fmt::format("this and {}", counted(static_cast<int64_t>(hunks - 1), "more hunk"));
  if (!unit.is_executed) text += ", which is not executed";
  return text;
}

MineParts make_mine_parts(const Mine& mine) {
  MineParts parts;
  if (std::string untold = untold_text(mine); !untold.empty()) {
    parts.notes.push_back(std::move(untold));
    return parts;
  }
  const HunkCounts counts = count_hunks(mine);
  const std::vector<const MineUnit*> shown = leading_units(mine);
  int64_t smaller = 0;
  size_t smaller_units = 0;
  for (const MineUnit& unit : mine.units)
    if (unit.delta != 0 && std::find(shown.begin(), shown.end(), &unit) == shown.end()) {
      smaller += unit.delta;
      ++smaller_units;
    }
  if (counts.code() == 0) {
    parts.lines.push_back(fmt::format("{} ({})", no_code_text(mine), diff_text(mine, counts)));
    if (!mine.other_files.empty() && mine.delta != 0) {
      std::vector<std::string_view> files(mine.other_files.begin(), mine.other_files.end());
      const size_t more = files.size() > kHunksNamed ? files.size() - kHunksNamed : 0;
      files.resize(files.size() - more);
      parts.lines.push_back(fmt::format("it changes {}{}: the build may differ, or what is read",
                                        fmt::join(files, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    add_outside(parts.lines, mine.outside);
  } else if (counts.executed.empty() && shown.empty()) {
    parts.lines.push_back(not_executed_text(mine, counts));
    if (mine.knows_inlined) add_outside(parts.lines, mine.outside);
    if (counts.all() > counts.code() || !mine.other_files.empty()) parts.diff = diff_text(mine, counts);
  } else {
    if (counts.executed.empty()) parts.lines.push_back(none_executed_text(counts.code(), executed_there(mine)));
    if (!shown.empty() || smaller_units > 0)
      add_rows(parts, mine, shown, smaller, smaller_units);
    else
      add_outside(parts.lines, mine.outside);
    parts.diff = diff_text(mine, counts);
  }
  if (mine.past) parts.lines.push_back(past_text(*mine.past));
  if (mine.control) parts.control = control_text(mine);
  for (const size_t side : {0, 1})
    if (mine.fit[side].is_other_source()) parts.notes.push_back(misfit_text(mine, side));
  if (!mine.knows_inlined && !counts.executed.empty() && !counts.not_executed.empty())
    parts.notes.emplace_back(
        "of some functions only the lines are known: a hunk of calls that were inlined there does not show");
  return parts;
}

Document make_mine_document(const Mine& mine) {
  const MineParts parts = make_mine_parts(mine);
  Document out;
  out.gap();
  for (const std::string& line : parts.lines) out.line({{line, Tone::kPlain, Form::kSentence}});
  if (!parts.rows.empty()) {
    Table table({{"change"}, {"executed"}, {"your hunks", Align::kLeft}});
    for (const MineRow& row : parts.rows) {
      table.add_row(
          {row.delta ? change_cell(*row.delta) : Cell{""}, {row.executed}, {row.text, Tone::kPlain, Form::kSentence}});
      for (const std::string& inside : row.inside)
        table.add_row({{""}, {""}, {.text = inside, .form = Form::kSentence, .indent = 1}});
    }
    out.table(std::move(table));
  }
  if (!parts.diff.empty()) out.line(parts.diff, Tone::kDim);
  if (!parts.control.empty()) out.line(parts.control);
  for (const std::string& note : parts.notes) out.note(note);
  return out;
}

Document make_objects_document(const ObjectParts& parts) {
  Document out;
  out.gap();
  Table table({{"alone in base"}, {"left out of head"}, {"object", Align::kLeft}});
  const auto cell = [](const std::optional<int64_t>& delta) { return delta ? change_cell(*delta) : Cell{"?"}; };
  for (const ObjectPiece& piece : parts.pieces) {
    std::string text = fmt::format("{}", fmt::join(piece.objects, ", "));
    if (!piece.together_for.empty()) text += fmt::format(" together: {}", piece.together_for);
    if (!piece.proof.why_not.empty()) text += ": " + piece.proof.why_not;
    table.add_row({cell(piece.proof.alone), cell(piece.proof.after_others), {text, Tone::kPlain, Form::kSentence}});
  }
  if (parts.interaction && *parts.interaction != 0)
    table.add_row({change_cell(*parts.interaction), {""}, {"by objects together, beyond what each does alone"}});
  if (!parts.pieces.empty()) out.table(std::move(table));
  out.line(fmt::format("objects: {} {} the same in both builds{}", counted(parts.equal, "object"),
                       is_or_are(static_cast<size_t>(parts.equal)), parts.pieces.empty() ? ", and none differs" : ""),
           Tone::kDim);
  return out;
}

}  // namespace icount
