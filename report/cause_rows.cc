#include "icount/report/cause_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/match/node_names.h"
#include "icount/report/cause_sentence.h"

namespace icount {
namespace {

constexpr double kCoverage = 0.95;
// What is less than this part of the largest row is no news.
constexpr double kLeastRow = 0.02;
// Rows that differ in one name, from so many on.
constexpr size_t kFewestAlike = 5;
// Among so many: five of them would fill a table.
constexpr size_t kMostJoined = 30;
// Calls that one side alone makes are joined with the largest of their caller from this part of it on.
constexpr double kJoinedPart = 0.01;
constexpr size_t kMostOneSided = 12;
// Work that came and work that went are one exchange where the one is at least this part of the other.
constexpr double kExchanged = 0.25;
constexpr size_t kMostGroups = 8;
// A remainder above this part of the change is grouped.
constexpr double kLargePart = 1.0 / 3;

double size_of(const Cause& cause) { return std::abs(static_cast<double>(cause.delta)); }

double gross_of(std::span<const Cause> causes) {
  double gross = 0;  // a double, because the gross change may exceed 64 bits where the net one does not
  for (const Cause& cause : causes) gross += size_of(cause);
  return gross;
}

int64_t sum_of(std::span<const Cause> causes) {
  int64_t sum = 0;
  for (const Cause& cause : causes) sum = checked_add(sum, cause.delta, "sum of causes");
  return sum;
}

bool is_large(int64_t left, int64_t delta) {
  return std::abs(static_cast<double>(left)) > kLargePart * std::abs(static_cast<double>(delta));
}

size_t rows_to_show(const std::vector<Cause>& rows, double gross, const CauseRowLimits& limits,
                    size_t most = kUsualCauses) {
  if (limits.all) return rows.size();
  if (limits.rows > 0) return std::min(limits.rows, rows.size());
  double covered = 0, largest = 0;
  size_t shown = 0;
  const auto is_news = [&](const Cause& row) { return size_of(row) >= kLeastRow * largest; };
  while (shown < rows.size() && shown < most && covered < kCoverage * gross && is_news(rows[shown])) {
    largest = std::max(largest, size_of(rows[shown]));
    covered += size_of(rows[shown++]);
  }
  // A line that hides a single cause says less than the cause itself.
  const bool one_is_left = shown + 1 == rows.size() && rows.size() <= most && causes_in(rows.back()) == 1;
  return one_is_left ? rows.size() : shown;
}

/// Calls by one function as one row.
Cause joined_calls(std::vector<Cause> calls, CauseFacts facts) {
  Cause row;
  row.kind = CauseKind::kGroup;
  const Cause& first = calls.front();
  row.caller = first.caller;
  row.file = first.file;
  row.line = first.line;
  row.object = first.object;
  row.cycle = first.cycle;
  row.delta = sum_of(calls);
  row.facts = std::move(facts);
  row.within_noise = std::all_of(calls.begin(), calls.end(), [](const Cause& call) { return call.within_noise; });
  row.inside = std::move(calls);
  return row;
}

/// Calls by one function that all cost more, or less.
struct AlikeCalls {
  std::string caller;
  bool more = true;
  double below = 0;  ///< larger ones speak for themselves

  bool has(const Cause& row) const {
    return row.kind == CauseKind::kCalls && row.caller == caller && (row.delta > 0) == more && size_of(row) < below;
  }
};

/// Those of most of the rows shown, where these are enough to be joined. Rows half as large as the largest cause stay.
std::optional<AlikeCalls> find_alike_calls(std::span<const Cause> shown, double largest) {
  std::map<std::pair<std::string_view, bool>, size_t> calls;
  for (const Cause& row : shown)
    if (row.kind == CauseKind::kCalls && size_of(row) < largest / 2) ++calls[{row.caller, row.delta > 0}];
  const auto most =
      std::max_element(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == calls.end() || most->second < kFewestAlike) return std::nullopt;
  return AlikeCalls{std::string(most->first.first), most->first.second, largest / 2};
}

void join(const AlikeCalls& alike, std::vector<Cause>& rows) {
  std::vector<Cause> calls, others;
  for (Cause& row : rows) (alike.has(row) ? calls : others).push_back(std::move(row));
  rows = std::move(others);
  rows.push_back(joined_calls(std::move(calls), fact::AlikeCalls{}));
  sort_causes(rows);
}

/// What one function no longer calls and calls now, as one row: one in place of the other, or several for one purpose.
void join_one_sided_calls(std::vector<Cause>& rows, size_t shown) {
  for (size_t i = 0; i < std::min(shown, rows.size()); ++i) {
    const auto first = one_sided_work(rows[i]);
    std::vector<Cause> calls = {rows[i]};
    const auto belongs = [&](const Cause& row) {
      if (!first || first->is_loop || calls.size() == kMostOneSided ||
          size_of(row) < kJoinedPart * size_of(calls.front()))
        return false;
      const auto work = one_sided_work(row);
      return work && !work->is_loop && work->doer == first->doer;
    };
    for (size_t j = i + 1; j < rows.size();) {
      const bool is_one = belongs(rows[j]);
      if (is_one) calls.push_back(std::move(rows[j]));
      if (is_one)
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(j));
      else
        ++j;
    }
    if (calls.size() > 1) rows[i] = joined_calls(std::move(calls), fact::OneSidedCalls{});
  }
  sort_causes(rows);
}

/// The row as its members, where it is work that one side alone does.
std::vector<Cause> one_sided_members(const Cause& row) {
  if (std::holds_alternative<fact::OneSidedCalls>(row.facts)) return row.inside;
  return one_sided_work(row) ? std::vector{row} : std::vector<Cause>();
}

/// Work that one function does elsewhere now, in another loop or by a call, as one row: what it came to in one place
/// and what it came to in the other say little where they cancel.
void join_exchanged_work(std::vector<Cause>& rows, size_t shown) {
  std::map<std::string, std::vector<size_t>> by_function;
  shown = std::min(shown, rows.size());
  for (size_t i = 0; i < shown; ++i)
    if (const std::vector<Cause> members = one_sided_members(rows[i]); !members.empty())
      by_function[one_sided_work(members.front())->function].push_back(i);
  std::vector<bool> is_joined(rows.size(), false);
  for (auto& [function, of] : by_function) {
    const double least = kJoinedPart * size_of(rows[of.front()]);
    std::erase_if(of, [&](size_t i) { return size_of(rows[i]) < least; });
    std::array<double, 2> sums{};  // of what is less and of what is more
    std::vector<Cause> members;
    for (const size_t i : of) {
      sums[rows[i].delta > 0 ? 1 : 0] += size_of(rows[i]);
      const std::vector<Cause> more = one_sided_members(rows[i]);
      members.insert(members.end(), more.begin(), more.end());
    }
    const auto [less, more] = std::minmax(sums[0], sums[1]);
    const auto is_in_head = [](const Cause& one) { return one_sided_work(one)->in_head; };
    const auto come = std::find_if(members.begin(), members.end(), is_in_head);
    if (of.size() < 2 || members.size() > kMostOneSided || less < kExchanged * more || come == members.end() ||
        std::all_of(members.begin(), members.end(), is_in_head))
      continue;
    for (const size_t i : of) is_joined[i] = true;
    std::rotate(members.begin(), come, come + 1);  // the row is placed where it is now
    rows.push_back(joined_calls(std::move(members), fact::OneSidedCalls{}));
    sort_causes(rows.back().inside);
    is_joined.push_back(false);
  }
  size_t at = 0;
  std::erase_if(rows, [&](const Cause&) { return is_joined[at++]; });
  sort_causes(rows);
}

/// The row with the explanation's first cause, unless others take back half of it; then the largest that is not of
/// many.
std::vector<Cause>::iterator find_answer(std::vector<Cause>& rows, const Explanation& explanation) {
  const auto has_first = [&](const Cause& row) {
    const Cause &first = explanation.causes.front(),
                &of = std::holds_alternative<fact::OneSidedCalls>(row.facts) ? row.inside.front() : row;
    return std::tie(of.kind, of.delta, of.function, of.caller, of.callee) ==
               std::tie(first.kind, first.delta, first.function, first.caller, first.callee) &&
           (row.delta > 0) == (first.delta > 0) && size_of(row) >= size_of(first) / 2;
  };
  const auto answer = std::find_if(rows.begin(), rows.end(), has_first);
  if (answer != rows.end()) return answer;
  return std::find_if(rows.begin(), rows.end(),
                      [](const Cause& row) { return !std::holds_alternative<fact::AlikeCalls>(row.facts); });
}

PlaceGroups ungrouped(std::span<const Cause> causes) {
  PlaceGroups grouped{.smaller_delta = sum_of(causes)};
  for (const Cause& cause : causes) grouped.smaller += causes_in(cause);
  return grouped;
}

/// Causes that happen in one place.
struct Place {
  std::string in;    ///< "lexer.cc", "the cycle of `eval` and 6 more"
  std::string path;  ///< of a file or library, for where two are called the same
  int64_t delta = 0;
  std::vector<uint32_t> causes;
};

/// The place of a cause, and what tells it from others.
std::pair<std::string, Place> place_of(const Cause& cause, bool by_file) {
  if (!cause.cycle.empty()) return {"cycle " + cause.cycle, {.in = quoted_label(cause.cycle)}};
  if (by_file && !cause.file.empty())
    return {"file " + cause.file, {.in = std::string(base_of_path(cause.file)), .path = cause.file}};
  if (!cause.object.empty())
    return {"object " + cause.object, {.in = std::string(base_of_path(cause.object)), .path = cause.object}};
  return {"", {.in = "code of no known file or library"}};
}

/// By magnitude, then by what tells them apart.
std::vector<Place> places_of(std::span<const Cause> causes, bool by_file) {
  std::map<std::string, Place> by_key;
  for (uint32_t i = 0; i < causes.size(); ++i) {
    auto [key, place] = place_of(causes[i], by_file);
    Place& known = by_key.try_emplace(std::move(key), std::move(place)).first->second;
    known.causes.push_back(i);
    known.delta = checked_add(known.delta, causes[i].delta, "sum of causes");
  }
  std::map<std::string, size_t> called;
  for (const auto& [key, place] : by_key) ++called[place.in];
  std::vector<Place> places;
  for (auto& [key, place] : by_key) {
    if (called[place.in] > 1 && !place.path.empty()) place.in = place.path;
    places.push_back(std::move(place));
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::abs(static_cast<double>(a.delta)) > std::abs(static_cast<double>(b.delta));
  });
  return places;
}

/// "34 smaller causes in lexer.cc: `lex` (+300), `hash` (-20), `mix` (+1) and 4 more".
Cause group_of(const Place& place, std::span<const Cause> causes) {
  if (place.causes.size() == 1) return causes[place.causes.front()];
  Cause group;
  group.kind = CauseKind::kGroup;
  group.delta = place.delta;
  for (const uint32_t i : place.causes) group.inside.push_back(causes[i]);
  group.facts = fact::SmallerCauses{place.in};
  sort_causes(group.inside);
  return group;
}

/// How many of the places bring what is left to a third of the change; all of them where they cannot.
size_t places_to_take(const std::vector<Place>& places, int64_t left, int64_t delta) {
  size_t taken = 0;
  while (taken < places.size() && is_large(left, delta)) left -= places[taken++].delta;
  return taken;
}

}  // namespace

size_t causes_in(const Cause& row) {
  return row.kind == CauseKind::kGroup && !row.caller.empty() ? row.inside.size() : 1;
}

size_t causes_that_count(const Explanation& explanation) {
  const auto without_cost = [](const Cause& cause) { return cause.kind == CauseKind::kRenamed && cause.delta == 0; };
  return static_cast<size_t>(std::find_if(explanation.causes.begin(), explanation.causes.end(), without_cost) -
                             explanation.causes.begin());
}

PlaceGroups group_by_place(std::span<const Cause> causes, int64_t delta) {
  PlaceGroups grouped = ungrouped(causes);
  std::vector<Place> places = places_of(causes, true);
  size_t taken = places_to_take(places, grouped.smaller_delta, delta);
  if (taken > kMostGroups) {
    places = places_of(causes, false);
    taken = std::min(places_to_take(places, grouped.smaller_delta, delta), kMostGroups);
  }
  for (size_t i = 0; i < taken; ++i) {
    grouped.groups.push_back(group_of(places[i], causes));
    grouped.smaller_delta -= places[i].delta;
    for (const uint32_t cause : places[i].causes) grouped.smaller -= causes_in(causes[cause]);
  }
  return grouped;
}

namespace {

/// What an exception costs on its way is of those who throw it, and through whom it goes.
void lead_with_what_throws(std::vector<Cause>& rows) {
  const auto is_unwinding = [](const Cause& row) {
    if (row.kind == CauseKind::kGroup) return row.function == kUnwindingGroup;
    return noise_group_of(row.caller.empty() ? row.function : row.caller, row.object) == kUnwindingGroup;
  };
  if (rows.empty() || !is_unwinding(rows.front())) return;
  // The largest that goes the same way.
  const auto weight = [&, grows = rows.front().delta > 0](const Cause& row) {
    const bool may_lead = !is_unwinding(row) && row.kind != CauseKind::kGroup && (row.delta > 0) == grows;
    return may_lead ? size_of(row) : 0;
  };
  const auto first =
      std::max_element(rows.begin(), rows.end(), [&](const Cause& a, const Cause& b) { return weight(a) < weight(b); });
  if (weight(*first) > 0) std::rotate(rows.begin(), first, first + 1);
}

}  // namespace

CauseRows choose_cause_rows(const Explanation& explanation, const CauseRowLimits& limits) {
  CauseRows chosen;
  std::vector<Cause>& rows = chosen.rows;
  rows.assign(explanation.causes.begin(),
              explanation.causes.begin() + static_cast<std::ptrdiff_t>(causes_that_count(explanation)));
  chosen.causes = rows.size();
  if (!limits.all) {  // whatever the limits are, so that every table has the same rows
    join_one_sided_calls(rows, rows_to_show(rows, gross_of(rows), {}, kMostJoined));
    join_exchanged_work(rows, rows_to_show(rows, gross_of(rows), {}, kMostJoined));
  }
  const double gross = gross_of(rows), largest = rows.empty() ? 0 : size_of(rows.front());
  if (!limits.all)
    while (const auto alike =
               find_alike_calls(std::span(rows).first(rows_to_show(rows, gross, {}, kMostJoined)), largest))
      join(*alike, rows);
  // One cause is the answer, as in JSON, whatever smaller ones come to together.
  const auto answer = find_answer(rows, explanation);
  if (answer != rows.end()) std::rotate(rows.begin(), answer, answer + 1);
  lead_with_what_throws(rows);
  chosen.shown = rows_to_show(rows, gross, limits);
  const std::span<const Cause> left = std::span<const Cause>(rows).subspan(chosen.shown);
  for (size_t i = 0; i < chosen.shown; ++i) chosen.causes_shown += causes_in(rows[i]);
  // What is left of a table that covers what it should is small, whatever the net change is.
  const bool covered = !limits.group_rest || gross_of(left) <= (1 - kCoverage) * gross;
  chosen.rest = covered ? ungrouped(left) : group_by_place(left, explanation.delta);
  return chosen;
}

}  // namespace icount
