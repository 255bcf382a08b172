#include "icount/explain/likeness.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// More points for the name than this make it a like one.
constexpr double kUnlikeName = 1.9;
constexpr double kLikeName = 2;
// The same but for template arguments, parameters and the numbers of lambdas.
constexpr double kSameName = 3;
// Points for lines that lie where the other function's lie, moved as their neighbours.
constexpr double kSamePlace = 2.5;
// Callers that are the same but for rounding.
constexpr double kSameCallers = 0.99;

// Small functions that do the same are many; without a like name only those that matter are called one.
constexpr double kSmallestPart = 1e-5;

/// How much two lists of template arguments have in common. Where one only has further ones, more than where arguments
/// were exchanged.
double argument_likeness(const std::vector<uint64_t>& base, const std::vector<uint64_t>& head) {
  const size_t most = std::max(base.size(), head.size()), least = std::min(base.size(), head.size());
  if (most == 0) return 1;
  constexpr size_t kMostArguments = 64;
  if (most > kMostArguments) return base == head ? 1 : 0;
  std::vector<size_t> common(head.size() + 1, 0);  // longest common subsequence
  for (uint64_t argument : base) {
    size_t diagonal = 0;
    for (size_t h = 0; h < head.size(); ++h) {
      const size_t above = common[h + 1];
      common[h + 1] = argument == head[h] ? diagonal + 1 : std::max(above, common[h]);
      diagonal = above;
    }
  }
  const double part = static_cast<double>(common.back()) / static_cast<double>(most);
  constexpr double kOnlyFurther = 0.5;
  return least > 0 && common.back() == least ? kOnlyFurther + part * (1 - kOnlyFurther) : part;
}

/// Part of the neighbours that both have, 0 to 1, and whether there are any to compare.
struct Overlap {
  double part = 0;
  bool any = false;
};

Overlap overlap(const Pairing& pairing, const std::vector<Neighbour>& base, const std::vector<Neighbour>& head) {
  std::vector<uint64_t> left, right, both;
  for (const Neighbour& neighbour : base) left.push_back(shared_id(pairing, 0, neighbour.function));
  for (const Neighbour& neighbour : head) right.push_back(shared_id(pairing, 1, neighbour.function));
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  // Neighbours without a partner (id 0) may yet turn out to be the same: they count half.
  const double open = static_cast<double>(std::count(both.begin(), both.end(), 0u));
  const size_t all = std::max(left.size(), right.size());
  return {all == 0 ? 0 : (static_cast<double>(both.size()) - open / 2) / static_cast<double>(all), all > 0};
}

double name_points(const FunctionTraits& base, const FunctionTraits& head) {
  if (base.plain_name == 0 || head.plain_name == 0) return 0;
  if (base.numberless_name != 0 && base.numberless_name == head.numberless_name) return 4;
  if (base.plain_name == head.plain_name) return 3;
  std::vector<uint64_t> both;
  std::set_intersection(base.words.begin(), base.words.end(), head.words.begin(), head.words.end(),
                        std::back_inserter(both));
  const size_t all = std::max(base.words.size(), head.words.size());
  const double likeness = all == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(all);
  if (base.owner != head.owner) return std::min(likeness * 2, kUnlikeName);
  if (base.last_word != head.last_word) return likeness * 2;
  // Among many methods called `call` it is the class that tells one from the other.
  const bool frequent = base.is_frequent_word || head.is_frequent_word;
  return frequent && base.last_two_words != head.last_two_words ? std::min(likeness * 2, kUnlikeName)
                                                                : 2 + likeness / 2;
}

/// What the callees cost, and how much of that is in callees which the other side's function has as well.
struct Work {
  double all = 0, shared = 0;
  void add_shared(double cost) {
    all += cost;
    shared += cost;
  }
  double shared_part() const { return all == 0 ? 0 : shared / all; }
};

/// `nameless_count`: whether an open callee without a name is one that the other side lacks. Where two builds meet,
/// nobody knows. Callees of the same cycle are matched together with the function, or not at all.
Work work_of(const Pairing& pairing, size_t side, TraitsOf function, const std::vector<uint64_t>& others,
             bool nameless_count) {
  Work work;
  for (const Neighbour& callee : function.traits->callees) {
    if (callee.is_of_cycle || callee.function == function.function) continue;
    const uint64_t id = shared_id(pairing, side, callee.function);
    if (id == 0 && !nameless_count && pairing.is_unnamed(side, callee.function)) continue;
    work.all += static_cast<double>(callee.inclusive);
    if (std::binary_search(others.begin(), others.end(), id)) work.shared += static_cast<double>(callee.inclusive);
  }
  return work;
}

std::vector<uint64_t> matched_callees(const Pairing& pairing, size_t side, const FunctionTraits& traits) {
  std::vector<uint64_t> ids;
  for (const Neighbour& callee : traits.callees)
    if (const uint64_t id = shared_id(pairing, side, callee.function); id != 0) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Functions that stand in the same place but hand on to other functions are two: a dispatcher of `mul` and one of
/// `matmul`. Callees that are still open speak against a pair until they are matched themselves, leaves first; where as
/// many calls cost exactly the same in all (a recursion under a new name), nothing speaks against it. `is_same_text`:
/// one template on the same lines, whose own work is the same work, too.
bool does_other_work(const Pairing& pairing, TraitsOf base, TraitsOf head, bool is_same_text) {
  constexpr double kLeastShared = 0.5;
  const bool may_be_one_build = pairing.may_be_one_build(base.function, head.function);
  Work left = work_of(pairing, 0, base, matched_callees(pairing, 1, *head.traits), may_be_one_build);
  Work right = work_of(pairing, 1, head, matched_callees(pairing, 0, *base.traits), may_be_one_build);
  if (left.all == 0 || right.all == 0) return false;
  if (left.all == right.all && base.traits->calls == head.traits->calls &&
      base.traits->callees.size() == head.traits->callees.size())
    return false;
  if (is_same_text) {
    left.add_shared(static_cast<double>(pairing.function(0, base.function).self));
    right.add_shared(static_cast<double>(pairing.function(1, head.function).self));
  }
  return std::max(left.shared_part(), right.shared_part()) < kLeastShared;
}

double cost_points(double base, double head) {
  if (base == head) return 2;
  const double small = std::min(base, head), large = std::max(base, head);
  if (small >= 0.95 * large) return 1;
  if (small >= 0.7 * large) return 0.5;
  return small * 3 < large ? -1 : 0;
}

void compare_places(const LineShifts& shifts, const FunctionTraits& base, const FunctionTraits& head,
                    Likeness& likeness) {
  const bool known = base.file_name != 0 && head.file_name != 0, lines = base.line != 0 && head.line != 0;
  if (!known) return;
  if (base.file_name != head.file_name) {
    likeness.contradicts_lines = lines;
    return;
  }
  likeness.place = 1;
  if (!lines) return;
  const LineShifts::Place place = shifts.compare(base.file, base.line, head.line);
  if (place == LineShifts::Place::kSame) likeness.place = 2.5;
  likeness.contradicts_lines = place == LineShifts::Place::kAnother;
}

}  // namespace

uint64_t shared_id(const Pairing& pairing, size_t side, uint32_t function) {
  if (pairing.is_open(side, function)) return 0;
  return 1 + uint64_t{side == 0 ? function : pairing.partner[1][function]};
}

bool Likeness::convinces() const {
  constexpr double kEnough = 5, kEnoughWithoutName = 6.5, kEnoughInItsPlace = 5.5;
  if (does_other_work || is_another_lambda) return false;
  if (name >= kLikeName) return score >= kEnough;
  // On the same lines, called by the same functions as often: it was renamed and changed.
  const bool is_in_its_place = place >= kSamePlace && callers >= 2 * kSameCallers && calls >= 1;
  if (is_in_its_place && score >= kEnoughInItsPlace && matters) return true;
  return score >= kEnoughWithoutName && cost >= 1 && calls >= 1 && matters && !contradicts_lines;
}

bool Likeness::is_better_than(const Likeness& other) const {
  const auto order = [](const Likeness& of) {
    const int name = of.name >= kSameName ? 2 : of.name >= kLikeName ? 1 : 0;
    return std::tuple(name, name == 2 ? of.arguments : 0, name > 0 && !of.contradicts_lines, name > 0 ? of.place : 0,
                      of.score);
  };
  return order(*this) > order(other);
}

std::string Likeness::words() const {
  std::vector<std::string_view> found;
  if (name >= 4) found.push_back("same except for the number or place of a closure");
  if (place >= 2) found.push_back("same place in the file");
  if (callers >= 1.5 && callees >= 1.5) {
    found.push_back("same callers and callees");
  } else if (callers >= 1.5) {
    found.push_back("same callers");
  } else if (callees >= 1.5) {
    found.push_back("same callees");
  }
  if (cost >= 2) found.push_back("same cost per call");
  if (calls >= 1) found.push_back("same number of calls");
  if (found.empty()) found.push_back("similar name");
  std::string text;
  for (std::string_view word : found) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

LineShifts find_line_shifts(const Pairing& pairing) {
  LineShifts shifts;
  const std::array<std::vector<LineSpan>, 2> spans = {line_spans(*pairing.sides[0]), line_spans(*pairing.sides[1])};
  for (const FunctionMatch& pair : pairing.pairs)
    shifts.add(base_of_path(pairing.function(0, pair.base).file), spans[0][pair.base],
               base_of_path(pairing.function(1, pair.head).file), spans[1][pair.head]);
  return shifts;
}

Likeness compare(const Pairing& pairing, const LineShifts& shifts, TraitsOf base, TraitsOf head) {
  const FunctionTraits &a = *base.traits, &b = *head.traits;
  Likeness found;
  found.name = name_points(a, b);
  found.arguments = argument_likeness(a.arguments, b.arguments);
  found.is_another_lambda = a.owner != b.owner && a.owner != 0 && b.owner != 0 && found.name < kLikeName;
  compare_places(shifts, a, b, found);
  const Overlap callers = overlap(pairing, a.callers, b.callers), callees = overlap(pairing, a.callees, b.callees);
  found.callers = callers.any ? 2 * callers.part : 0.5;
  found.callees = callees.any ? 2 * callees.part : 0.5;
  const auto per_call = [&](size_t side, const TraitsOf& of) {
    return static_cast<double>(pairing.function(side, of.function).self) /
           static_cast<double>(std::max<int64_t>(1, of.traits->calls));
  };
  found.cost = cost_points(per_call(0, base), per_call(1, head));
  found.calls = a.calls == b.calls ? 1 : 0;
  found.score = found.name + found.place + found.callers + found.callees + found.cost + found.calls;
  const int64_t self = std::max(pairing.function(0, base.function).self, pairing.function(1, head.function).self);
  found.matters = static_cast<double>(self) >=
                  kSmallestPart * static_cast<double>(std::max(pairing.sides[0]->total, pairing.sides[1]->total));
  // Lambdas that kept their number are the likelier pair, unless figures say otherwise.
  const bool same_name = pairing.function(0, base.function).name == pairing.function(1, head.function).name;
  if (same_name) found.score += 0.75;
  constexpr double kSameButForNumber = 4;
  // Under another signature (a parameter of another type) a function may do everything by other means, but not on other
  // lines.
  const bool is_called_alike = found.calls > 0 && callers.any && callers.part >= kSameCallers;
  found.does_other_work = !same_name && found.name < kSameButForNumber &&
                          !(found.name >= kSameName && found.place >= kSamePlace && is_called_alike) &&
                          does_other_work(pairing, base, head, found.name >= kSameName && found.place >= kSamePlace);
  // Another source file under a name without scope: two statics more often than one that moved.
  if (a.file_name != 0 && b.file_name != 0 && a.file_name != b.file_name) found.score -= 1.5;
  if (pairing.objects.of(0, base.function) != pairing.objects.of(1, head.function)) found.score -= 1;
  return found;
}

}  // namespace icount
