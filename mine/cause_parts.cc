#include "icount/mine/cause_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/match/folded_graph.h"

namespace icount {
namespace {

/// By unit and how.
using Shared = std::map<std::pair<uint32_t, std::string_view>, long double>;

/// The terms that a cause may be made of.
Shared shared_by(const Mine& mine, const Cause& cause, bool is_whole_function) {
  using Of = PlacedShare::Of;
  const std::string& function = cause.caller.empty() ? cause.function : cause.caller;
  Shared shared;
  const auto begin =
      std::lower_bound(mine.terms.begin(), mine.terms.end(), function,
                       [](const MineTerm& term, const std::string& name) { return term.function < name; });
  for (auto at = begin; at != mine.terms.end() && at->function == function; ++at) {
    const MineTerm& term = *at;
    const bool is_of_cause = is_whole_function                 ? term.of != Of::kEntry
                             : cause.kind == CauseKind::kCalls ? term.of == Of::kCalls && term.callee == cause.callee
                             : cause.kind == CauseKind::kEntry ? term.of == Of::kEntry
                                                               : term.of == Of::kOwnCost;
    if (!is_of_cause) continue;
    if (term.hunk == kNoUnit)
      shared[{kNoUnit, to_text(static_cast<OutsideReason>(term.why))}] += term.value;
    else
      shared[{mine.hunks[term.hunk].unit, to_text(static_cast<HunkShare>(term.why))}] += term.value;
  }
  return shared;
}

/// Whole numbers that add up to the cause, where what is shared does but for rounding.
std::vector<CausePart> whole_parts(const Shared& shared, int64_t delta) {
  constexpr long double kRounding = 1.0L;
  long double sum = 0;
  std::vector<long double> values;
  for (const auto& [of, value] : shared) {
    sum += value;
    values.push_back(value);
  }
  if (values.empty() || std::abs(sum - static_cast<long double>(delta)) > kRounding) return {};
  values.front() += static_cast<long double>(delta) - sum;
  const RoundedTerms rounded = round_to_total(values, delta, by_magnitude(values));
  std::vector<CausePart> parts;
  for (const auto& [of, value] : shared) {
    const int64_t whole = rounded.whole[parts.size()];
    parts.push_back({of.first, of.second, whole});
  }
  ICOUNT_CHECK(rounded.rest == 0, "the parts of a cause add up to it");
  return parts;
}

void order_parts(std::vector<CausePart>& parts) {
  std::erase_if(parts, [](const CausePart& part) { return part.delta == 0; });
  std::stable_sort(parts.begin(), parts.end(), [](const CausePart& a, const CausePart& b) {
    const auto key = [](const CausePart& part) { return std::tuple(-std::abs(part.delta), part.unit, part.how); };
    return key(a) < key(b);
  });
}

}  // namespace

bool has_members_of_their_own(const Cause& cause) {
  return cause.kind == CauseKind::kGroup || cause.kind == CauseKind::kPlace || cause.kind == CauseKind::kSum ||
         cause.kind == CauseKind::kCluster;
}

std::vector<CausePart> parts_of(const Mine& mine, const Cause& cause) {
  std::vector<CausePart> parts;
  if (has_members_of_their_own(cause)) {
    std::map<std::pair<uint32_t, std::string_view>, int64_t> sums;
    for (const Cause& member : cause.inside) {
      const std::vector<CausePart> of_member = parts_of(mine, member);
      if (of_member.empty() && member.delta != 0) return {};
      for (const CausePart& part : of_member) sums[{part.unit, part.how}] += part.delta;
    }
    for (const auto& [of, delta] : sums) parts.push_back({of.first, of.second, delta});
  } else {
    parts = whole_parts(shared_by(mine, cause, false), cause.delta);
    // One that tells of all that changed about a function, or of a part of it where all is of one unit in one way.
    if (const Shared all = parts.empty() ? shared_by(mine, cause, true) : Shared(); !all.empty()) {
      parts = whole_parts(all, cause.delta);
      if (parts.empty() && all.size() == 1)
        parts = {{all.begin()->first.first, all.begin()->first.second, cause.delta}};
    }
  }
  order_parts(parts);
  return parts;
}

namespace {

/// Of inlining that comes with other code, most of what it costs may be that code's: then this leads.
void lead_with_changed_lines(std::vector<Cause>& causes, const Mine& mine) {
  for (Cause& cause : causes) {
    auto* const inlined = std::get_if<fact::Inlined>(&cause.facts);
    if (!inlined || inlined->other_work != fact::OtherWork::kNone) continue;
    int64_t of_lines = 0;
    for (const CausePart& part : parts_of(mine, cause))
      for (const HunkShare share : {HunkShare::kChangedLines, HunkShare::kCallsFromChangedLines})
        if (part.how == to_text(share)) of_lines = checked_add(of_lines, part.delta, "what changed lines do");
    if ((of_lines > 0) != (cause.delta > 0) ||
        2 * std::abs(static_cast<double>(of_lines)) < std::abs(static_cast<double>(cause.delta)))
      continue;
    inlined->other_work = fact::OtherWork::kOfChangedLines;
  }
}

constexpr double kNearlyAll = 0.9;

double size_of(int64_t delta) { return std::abs(static_cast<double>(delta)); }

/// The unit that nearly all of a cause is of. Calls lie where they are made: of them what changed lines call, where
/// that is inlined. What the parts are of a cause that tells of several terms is not known: it is the unit's that
/// nearly all of the change is of, if half of the change is the cause's.
std::optional<uint32_t> unit_of(const Cause& cause, const Mine& mine) {
  const bool is_call = cause.kind == CauseKind::kCalls && !is_library_file(cause.file);
  const std::string_view of_calls = to_text(HunkShare::kCallsFromChangedLines);
  std::map<uint32_t, double> by_unit;
  double all = 0;
  for (const CausePart& part : parts_of(mine, cause)) {
    all += size_of(part.delta);
    if (part.unit != kNoUnit && (!is_call || part.how == of_calls)) by_unit[part.unit] += size_of(part.delta);
  }
  for (const auto& [unit, size] : by_unit)
    if (size >= kNearlyAll * all) return unit;
  if (all > 0 || mine.units.empty() || 2 * size_of(cause.delta) < size_of(mine.delta)) return std::nullopt;
  const MineUnit& first = mine.units.front();
  const int64_t calls = first.shares[static_cast<size_t>(HunkShare::kCallsFromChangedLines)];
  if ((first.delta > 0) != (mine.delta > 0) || size_of(first.delta) < kNearlyAll * size_of(mine.delta) ||
      (is_call && size_of(calls) < kNearlyAll * size_of(cause.delta)))
    return std::nullopt;
  return 0;
}

/// Puts a cause that lies in none of the changed lines but is theirs where these are.
void place_in_hunks(std::vector<Cause>& causes, const Mine& mine) {
  for (Cause& cause : causes) {
    const auto has_line = [&](const MineHunk& hunk) {
      return hunk.new_lines.has(cause.line) && base_of_path(hunk.path) == base_of_path(cause.file);
    };
    if (std::any_of(mine.hunks.begin(), mine.hunks.end(), has_line)) continue;
    const auto unit = unit_of(cause, mine);
    if (!unit) continue;
    const MineHunk& hunk = mine.hunks[mine.units[*unit].hunks.front()];
    cause.file = hunk.path;
    cause.line = hunk.line;
    cause.is_line_of_base = hunk.is_line_of_base;
  }
}

}  // namespace

void tell_by_hunks(std::vector<Cause>& causes, const Mine& mine) {
  lead_with_changed_lines(causes, mine);
  place_in_hunks(causes, mine);
}

}  // namespace icount
