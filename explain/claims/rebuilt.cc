#include "icount/explain/claims/relations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/python_calls.h"
#include "icount/explain/match/match.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

constexpr size_t kMostOptions = 6;

std::string_view compiler_of(std::string_view producer) {
  const size_t options = producer.find(" -");
  return trim(producer.substr(0, options));
}

/// Options that say what is written beside the code, and leave that as it is.
bool changes_no_code(std::string_view option) {
  constexpr std::array<std::string_view, 6> kBeside = {
      "-g", "-fdebug-", "-ffile-prefix-map", "-fmacro-prefix-map", "-frandom-seed", "-fdiagnostics-"};
  return std::any_of(kBeside.begin(), kBeside.end(), [&](std::string_view begin) { return option.starts_with(begin); });
}

std::vector<std::string_view> options_of(std::string_view producer) {
  std::vector<std::string_view> options;
  for (const std::string_view word : split(producer, ' '))
    if (word.starts_with('-') && !changes_no_code(word) &&
        std::find(options.begin(), options.end(), word) == options.end())
      options.push_back(word);
  return options;
}

/// Those that the other side has not.
std::string own_options(const std::vector<std::string_view>& of, const std::vector<std::string_view>& other) {
  std::vector<std::string_view> own;
  for (const std::string_view option : of)
    if (std::find(other.begin(), other.end(), option) == other.end()) own.push_back(option);
  const bool more = own.size() > kMostOptions;
  if (more) own.resize(kMostOptions);
  return fmt::format("{}{}", fmt::join(own, " "), more ? " and more" : "");
}

}  // namespace

std::string producer_change(std::string_view base, std::string_view head) {
  if (base.empty() || head.empty() || base == head) return {};
  if (compiler_of(base) != compiler_of(head)) return fmt::format("{}, was {}", compiler_of(head), compiler_of(base));
  const auto before = options_of(base), after = options_of(head);
  const std::string of_base = own_options(before, after), of_head = own_options(after, before);
  if (of_base.empty() && of_head.empty()) return {};
  if (of_base.empty()) return "now " + of_head;
  if (of_head.empty()) return "no longer " + of_base;
  return fmt::format("{}, was {}", of_head, of_base);
}

std::string producer_change(const JoinedGraph& joined, const std::array<std::string_view, 2>& objects) {
  std::array<std::string_view, 2> producers;
  for (size_t side = 0; side < 2; ++side) {
    const ProfileCode* const code = joined.sides[side]->graph->code.get();
    const CodeObject* const object = code ? find_object(*code, objects[side]) : nullptr;
    if (object) producers[side] = object->producer;
  }
  return producer_change(producers[0], producers[1]);
}

namespace {

/// The functions of one object, by the side that has them.
struct Functions {
  std::array<size_t, 2> alone{};
  size_t common = 0, changed = 0;
  size_t dispatched = 0;                     ///< common ones that run as another variant, as the processor asks for
  size_t changed_alone = 0;                  ///< changed ones that both sides call as often
  size_t as_often = 0;                       ///< common ones that both sides call as often
  size_t lined = 0, moved = 0;               ///< common ones with lines, and those that begin on another one
  std::array<size_t, 2> with_lines_alone{};  ///< changed ones that run lines on that side which the other does not
  size_t at_ends = 0;                        ///< changed ones that changed on their first and last line
  int64_t at_ends_delta = 0;
  std::array<std::string_view, 2> objects;
};

bool is_called_as_often(const BothSides& calls) {
  const auto [less, more] = std::minmax(calls[0], calls[1]);
  return static_cast<double>(more) - static_cast<double>(less) <= kPart * static_cast<double>(more);
}

bool costs_something_else(const FlowNode& node, const BothSides& calls) {
  const auto per_call = [&](size_t side) {
    return static_cast<double>(node.self[side]) / static_cast<double>(std::max<int64_t>(calls[side], 1));
  };
  const double base = per_call(0), head = per_call(1);
  return std::abs(head - base) > kSame * std::max(base, head);
}

bool inlines_less(const Functions& functions, size_t side) {
  const size_t gone = functions.alone[side], all = gone + functions.common;
  return gone >= kFewestFunctions && gone >= kMany * functions.alone[1 - side] &&
         static_cast<double>(gone) >= kHalf * static_cast<double>(all) && functions.common > 1 &&
         static_cast<double>(functions.changed) >= (1 - kMatters) * static_cast<double>(functions.common);
}

/// Of a language whose functions lie in no object that somebody built, as Python's and, in xdebug's files, PHP's.
bool is_interpreted(const JoinedGraph& joined, size_t side, uint32_t function) {
  if (function == kNoFunction) return false;
  const std::string_view object = joined.sides[side]->functions[function].object;
  return object == kPythonObject || object.empty();
}

/// What the lines of a function in its own file say of how it was compiled.
class LineEvidence {
 public:
  explicit LineEvidence(const JoinedGraph& joined) : joined_(joined), lines_(joined) {}

  void add(const JoinedFunction& function, bool changed, Functions& functions) {
    std::array<LineSpan, 2> spans;
    std::array<std::map<uint64_t, int64_t>, 2> costs;
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t folded = function.folded[side];
      spans[side] = lines_.of(side).span(folded);
      if (spans[side].first == 0) return;
      if (!changed) continue;
      const std::string_view own = base_of_path(joined_.sides[side]->functions[folded].file);
      for (const LineCost& line : lines_.of(side).lines_of(folded))
        if (line.file == own) costs[side][line.line] = line.cost;
    }
    ++functions.lined;
    functions.moved += !changed && spans[0].first != spans[1].first;
    if (!changed) return;
    const auto has_more = [&](size_t side) {
      return std::any_of(costs[side].begin(), costs[side].end(),
                         [&](const auto& line) { return !costs[1 - side].contains(line.first); });
    };
    const std::array<bool, 2> more = {has_more(0), has_more(1)};
    functions.moved += more[0] && more[1] && spans[0].first != spans[1].first && spans[0].last != spans[1].last;
    std::map<uint64_t, int64_t> deltas = costs[1];
    for (const auto& [line, cost] : costs[0]) deltas[line] -= cost;
    if (deltas.size() < 2) return;
    const std::array<uint64_t, 2> ends = {deltas.begin()->first, deltas.rbegin()->first};
    const auto is_end = [&](uint64_t line) { return line == ends[0] || line == ends[1]; };
    // A check at the end of a function may be all that its last line has.
    const auto has_more_inside = [&](size_t side) {
      return std::any_of(costs[side].begin(), costs[side].end(), [&](const auto& line) {
        return !is_end(line.first) && !costs[1 - side].contains(line.first);
      });
    };
    const std::array<bool, 2> more_inside = {has_more_inside(0), has_more_inside(1)};
    for (size_t side = 0; side < 2; ++side)
      functions.with_lines_alone[side] += more_inside[side] && !more_inside[1 - side];
    int64_t all = 0, at_ends = 0;
    for (const auto& [line, delta] : deltas) {
      all += std::abs(delta);
      if (is_end(line)) at_ends += delta;
    }
    if (all == 0 || static_cast<double>(std::abs(at_ends)) < kNearlyAll * static_cast<double>(all)) return;
    ++functions.at_ends;
    functions.at_ends_delta = saturating_add(functions.at_ends_delta, at_ends);
  }

 private:
  const JoinedGraph& joined_;
  JoinedLines lines_;
};

/// By object (explain/match/match.h), in an order that does not depend on the sides. A function that comes from
/// another library on the other side says nothing about either; interpreted functions are not built.
std::vector<Functions> functions_of(const JoinedGraph& joined, LineEvidence* lines = nullptr) {
  const ObjectPairs pairs(*joined.sides[0], *joined.sides[1]);
  const std::vector<BothSides> calls = calls_of(joined.flow);
  std::map<ObjectClass, Functions> by_object;
  for (size_t i = 0; i < joined.functions.size(); ++i) {
    const auto& folded = joined.functions[i].folded;
    const auto object = [&](size_t side) { return pairs.of(side, folded[side]); };
    const bool base = folded[0] != kNoFunction, head = folded[1] != kNoFunction;
    if (is_interpreted(joined, 0, folded[0]) || is_interpreted(joined, 1, folded[1])) continue;
    if (base && head && object(0) != object(1)) continue;
    Functions& functions = by_object[object(base ? 0 : 1)];
    for (size_t side = 0; side < 2; ++side)
      if (folded[side] != kNoFunction) functions.objects[side] = joined.sides[side]->functions[folded[side]].object;
    if (base && head) {
      ++functions.common;
      const bool changed = costs_something_else(joined.flow.nodes[i], calls[i]);
      functions.dispatched += joined.functions[i].by == MatchedBy::kDispatch;
      functions.as_often += is_called_as_often(calls[i]);
      if (lines) lines->add(joined.functions[i], changed, functions);
      functions.changed += changed;
      functions.changed_alone += changed && is_called_as_often(calls[i]);
    } else {
      ++functions.alone[base ? 0 : 1];
    }
  }
  std::vector<Functions> all;
  for (const auto& [object, functions] : by_object) all.push_back(functions);
  std::sort(all.begin(), all.end(), [](const Functions& a, const Functions& b) {
    const auto key = [](const Functions& of) {
      return std::pair(std::min(of.objects[0], of.objects[1]), std::max(of.objects[0], of.objects[1]));
    };
    return key(a) < key(b);
  });
  return all;
}

bool looks_otherwise_built(const Functions& functions) {
  const auto common = static_cast<double>(functions.common);
  return kPart * common >= 1 && static_cast<double>(functions.changed_alone) >= kHalf * common &&
         static_cast<double>(std::min(functions.alone[0], functions.alone[1])) <= kMatters * common;
}

bool is_known_to_be(const JoinedGraph& joined, const Functions& functions) {
  return functions.changed >= kFewest &&
         static_cast<double>(functions.changed) >= kMatters * static_cast<double>(functions.common) &&
         !producer_change(joined, functions.objects).empty();
}

/// The same source, compiled otherwise: nothing begins on another line or is called more or less, and many functions
/// cost something else all the same. Where variants were chosen by the processor's features, these may be why.
bool has_same_source(const Functions& functions) {
  const auto common = static_cast<double>(functions.common);
  return functions.dispatched == 0 && kPart * functions.lined >= 1 &&
         static_cast<double>(functions.moved) <= kLittle * static_cast<double>(functions.lined) &&
         static_cast<double>(functions.as_often) >= (1 - kLittle) * common && functions.changed >= kFewestFunctions &&
         static_cast<double>(functions.changed_alone) >= kMatters * common;
}

void guess_build(const Functions& functions, OtherBuild& build) {
  const auto [base, head] = functions.with_lines_alone;
  // Of functions with several ends only some have nearly all of it on two lines.
  if (functions.at_ends >= kFewest && functions.at_ends > std::max(base, head) &&
      3 * functions.at_ends >= functions.changed) {
    build.guess = fact::BuildGuess::kStackProtection;
    build.guess_in_head = functions.at_ends_delta > 0;
  } else if (std::max(base, head) >= kFewest && std::max(base, head) >= 2 * std::min(base, head)) {
    build.guess = fact::BuildGuess::kAssertions;
    build.guess_in_head = head > base;
  }
}

}  // namespace

std::vector<OptimisationChange> find_optimisation_changes(const JoinedGraph& joined) {
  std::vector<OptimisationChange> found;
  for (const Functions& functions : functions_of(joined))
    for (size_t side = 0; side < 2; ++side)
      if (inlines_less(functions, side))
        found.push_back({functions.objects, side, functions.alone[side], functions.alone[side] + functions.common});
  return found;
}

std::vector<OtherBuild> find_other_builds(const JoinedGraph& joined) {
  std::vector<OtherBuild> found;
  LineEvidence lines(joined);
  for (const Functions& functions : functions_of(joined, &lines)) {
    const bool same_source = has_same_source(functions);
    if (!same_source && !looks_otherwise_built(functions) && !is_known_to_be(joined, functions)) continue;
    OtherBuild& build =
        found.emplace_back(OtherBuild{functions.objects, functions.alone, functions.common, functions.changed});
    const bool in_head = inlines_less(functions, 1);
    if (in_head || inlines_less(functions, 0)) {
      build.guess = fact::BuildGuess::kNoOptimisation;
      build.guess_in_head = in_head;
    } else if (same_source) {
      guess_build(functions, build);
    }
  }
  return found;
}

namespace {

/// Where a function is, on the side on which it runs as one.
struct Home {
  std::string_view object, file;
};

Home home_of(const JoinedGraph& joined, const JoinedFunction& function, size_t side) {
  if (function.folded[side] == kNoFunction) return {};
  const FoldedFunction& folded = joined.sides[side]->functions[function.folded[side]];
  return {folded.object, base_of_path(folded.file)};
}

}  // namespace

std::vector<LinkTimeBuild> find_link_time_builds(const JoinedGraph& joined, const OpenedFlow& flow,
                                                 const std::vector<InliningMove>& moves) {
  const auto function_of = [&](uint32_t node) -> const JoinedFunction& {
    return joined.functions[flow.condensed.members[node].front()];
  };
  struct Inlined {
    std::array<std::string_view, 2> objects;
    std::array<std::set<uint32_t>, 2> functions;  // by the side that inlines
  };
  std::map<std::string_view, Inlined> by_object;
  for (const InliningMove& move : moves) {
    const size_t side = move.into_caller ? 1 : 0;
    for (const uint32_t e : move.lost_edges) {
      const JoinedFunction& caller = function_of(move.caller);
      const uint32_t node = flow.condensed.graph.edges[e].callee;
      const Home from = home_of(joined, function_of(node), 1 - side), to = home_of(joined, caller, 1 - side);
      if (from.object.empty() || from.object != to.object || from.file == to.file) continue;
      if (!is_source_file(from.file) || !is_source_file(to.file)) continue;
      Inlined& inlined = by_object[base_of_path(from.object)];
      inlined.objects = {home_of(joined, caller, 0).object, home_of(joined, caller, 1).object};
      inlined.functions[side].insert(node);
    }
  }
  std::vector<LinkTimeBuild> found;
  for (const auto& [name, inlined] : by_object)
    for (size_t side = 0; side < 2; ++side)
      if (inlined.functions[side].size() >= kMany && inlined.functions[1 - side].empty())
        found.push_back({inlined.objects, side, inlined.functions[side].size()});
  return found;
}

namespace {

/// Where most happens in the object, all that changed is its doing.
void join_in_object(const std::array<std::string_view, 2>& objects, CauseFacts facts,
                    std::vector<GroupedCause>& causes) {
  int64_t inside = 0, all = 0;
  for (const GroupedCause& grouped : causes) {
    const int64_t size = std::abs(grouped.cause.delta);
    all = saturating_add(all, size);
    if (grouped.objects[0] == objects[0] || grouped.objects[1] == objects[1]) inside = saturating_add(inside, size);
  }
  if (causes.empty() || inside < all / 2) return;
  Cause cause;
  cause.kind = CauseKind::kSum;
  for (GroupedCause& grouped : causes) {
    cause.delta = saturating_add(cause.delta, grouped.cause.delta);
    cause.inside.push_back(std::move(grouped.cause));
  }
  causes.clear();
  cause.function = base_of_path(objects[1]);
  cause.facts = std::move(facts);
  causes.push_back({std::move(cause), {}, {}});
}

}  // namespace

void join_other_builds(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves,
                       std::vector<GroupedCause>& causes) {
  for (const OtherBuild& build : find_other_builds(joined))
    join_in_object(build.objects,
                   fact::Rebuilt{.object = std::string(base_of_path(build.objects[1])),
                                 .producers = producer_change(joined, build.objects),
                                 .guess = build.guess,
                                 .guess_in_head = build.guess_in_head,
                                 .alone = build.alone,
                                 .common = build.common,
                                 .changed = build.changed},
                   causes);
  for (const LinkTimeBuild& build : find_link_time_builds(joined, flow, moves))
    join_in_object(build.objects,
                   fact::LinkTime{std::string(base_of_path(build.objects[1])), build.side == 1, build.functions},
                   causes);
}

}  // namespace icount
