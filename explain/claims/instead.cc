#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

bool is_named(const JoinedGraph& joined, const OpenedFlow& flow, uint32_t node) {
  return !is_address_name(joined.functions[flow.condensed.members[node].front()].name);
}

/// The two that are one another's: the only ones, or the only ones of their name, where an overload or a template of a
/// function takes the place of another one. By term; nothing where that is not known.
std::optional<std::array<uint32_t, 2>> counterparts(const JoinedGraph& joined, const OpenedFlow& flow,
                                                    const std::array<std::vector<uint32_t>, 2>& terms) {
  if (terms[0].empty() || terms[1].empty()) return std::nullopt;
  if (terms[0].size() == 1 && terms[1].size() == 1) return std::array{terms[0].front(), terms[1].front()};
  std::map<std::string, std::array<std::vector<uint32_t>, 2>> by_name;
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t term : terms[side]) {
      const uint32_t callee = flow.condensed.graph.edges[flow.figures.terms[term].index].callee;
      by_name[plain_name(joined.functions[flow.condensed.members[callee].front()].name)][side].push_back(term);
    }
  std::optional<std::array<uint32_t, 2>> found;
  for (const auto& [name, of_name] : by_name) {
    if (of_name[0].empty() || of_name[1].empty()) continue;
    if (found || of_name[0].size() > 1 || of_name[1].size() > 1) return std::nullopt;
    found = {of_name[0].front(), of_name[1].front()};
  }
  return found;
}

/// Calls that one side alone makes, or hardly any of them the other.
struct CameOrWent {
  uint32_t caller = 0;
  int64_t calls = 0;  ///< by which the sides differ
  size_t side = 0;    ///< that has more of them
  uint32_t term = 0;
};

}  // namespace

std::vector<ReplacedCalls> find_replaced_calls(const JoinedGraph& joined, const OpenedFlow& flow, const Taken& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  std::vector<CameOrWent> all;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = graph.edges[term.index];
    const auto [fewer, more] = std::minmax(edge.calls[0], edge.calls[1]);
    if (more == fewer || static_cast<long double>(more) < kFarMore * static_cast<long double>(fewer)) continue;
    if (edge.caller == edge.callee || !is_named(joined, flow, edge.callee)) continue;
    all.push_back({edge.caller, more - fewer, edge.calls[1] == more ? size_t{1} : size_t{0}, i});
  }
  std::sort(all.begin(), all.end(), [](const CameOrWent& a, const CameOrWent& b) {
    return std::tie(a.caller, b.calls, a.side, a.term) < std::tie(b.caller, a.calls, b.side, b.term);
  });
  std::vector<ReplacedCalls> found;
  for (auto first = all.begin(); first != all.end();) {
    std::array<std::vector<uint32_t>, 2> as_often;  // terms
    const long double least = (1 - kSame) * static_cast<long double>(first->calls);
    auto last = first;
    for (; last != all.end() && last->caller == first->caller && static_cast<long double>(last->calls) >= least; ++last)
      as_often[last->side].push_back(last->term);
    first = last;
    const auto pair = counterparts(joined, flow, as_often);
    if (!pair) continue;
    const auto [lost, gained] = *pair;
    if (taken[lost] || taken[gained]) continue;
    const long double before = std::abs(flow.figures.terms[lost].value),
                      after = std::abs(flow.figures.terms[gained].value);
    if (std::min(before, after) < kHardly * std::max(before, after)) continue;
    found.push_back({{flow.figures.terms[lost].index, flow.figures.terms[gained].index}, {lost, gained}});
  }
  return found;
}

namespace {

struct Container {
  std::string_view name;
  std::string_view functions;  ///< how the plain names of its functions begin; with "::", a part of them
};

constexpr auto kContainers = std::to_array<Container>({
    {"std::map", "std::map:: std::set:: std::multimap:: std::multiset:: std::_Rb_tree std::__tree"},
    {"std::unordered_map",
     "std::unordered_ std::_Hash std::_Map_base std::_Insert std::_Prime_rehash_policy std::__hash_table"},
    {"std::vector", "std::vector std::_Vector_base"},
    {"std::list", "std::list std::_List_ std::__list_imp"},
    {"std::deque", "std::deque std::_Deque_base"},
    {"absl::flat_hash_map", "::container_internal::raw_hash_"},
    {"absl::btree_map", "::container_internal::btree"},
    {"boost::unordered_map", "boost::unordered::"},
    {"boost::container::flat_map", "boost::container::flat_ boost::container::dtl::flat_"},
    {"folly::F14", "folly::f14::"},
    {"google::dense_hash_map", "google::dense_hash"},
    {"robin_hood::unordered_map", "robin_hood::"},
    {"tsl::robin_map", "tsl::"},
    {"phmap::flat_hash_map", "phmap::"},
    {"QHash", "QHash"},
    {"QMap", "QMap"},
    {"QList", "QList::"},
    {"HashMap", "hashbrown:: std::collections::hash::map::"},
    {"BTreeMap", "alloc::collections::btree::"},
    {"Vec", "alloc::vec::Vec::"},
    {"VecDeque", "alloc::collections::vec_deque::"},
});

std::string without_inner_namespaces(std::string_view name) {
  std::string text(name);
  for (const std::string_view inner : {"__cxx11::", "__1::", "__detail::"})
    for (size_t at = text.find(inner); at != std::string::npos; at = text.find(inner, at)) text.erase(at, inner.size());
  return text;
}

/// "book(std::__cxx11::list<int>&)" mentions "std::list".
bool mentions(std::string_view name, std::string_view container) {
  return without_inner_namespaces(name).find(std::string(container) + '<') != std::string::npos;
}

/// Where a function of one side is part of a container: that container.
std::vector<std::string_view> one_sided_containers(const JoinedGraph& joined, const OpenedFlow& flow, size_t side) {
  std::vector<std::string_view> containers(flow.condensed.graph.nodes.size());
  for (size_t node = 0; node < containers.size(); ++node) {
    const JoinedFunction& function = joined.functions[flow.condensed.members[node].front()];
    if (function.folded[side] != kNoFunction && function.folded[1 - side] == kNoFunction)
      containers[node] = container_of(function.name);
  }
  return containers;
}

class ContainerSearch {
 public:
  ContainerSearch(const JoinedGraph& joined, const OpenedFlow& flow, const Taken& taken)
      : joined_(joined),
        flow_(flow),
        taken_(taken),
        containers_{one_sided_containers(joined, flow, 0), one_sided_containers(joined, flow, 1)} {}

  std::vector<ContainerChange> find() {
    const long double largest = largest_term(flow_);
    std::vector<ContainerChange> changes;
    const std::map<Containers, std::vector<uint32_t>> all_users = users_by_change();
    for (const Containers& containers : in_order_of_both_sides(all_users)) {
      const std::vector<uint32_t>& users = all_users.at(containers);
      ContainerChange change{containers, {}, {}};
      std::map<uint32_t, long double> weight_of;
      for (const uint32_t user : users) weight_of[user] = 0;
      const std::vector<bool> is_about = users_with_the_container_in_their_name(users, containers);
      long double weight = 0;
      for (uint32_t i = 0; i < flow_.figures.terms.size(); ++i) {
        const Term& term = flow_.figures.terms[i];
        if (taken_[i] || used_.contains(i) || !is_of(term, containers, weight_of, is_about)) continue;
        change.terms.push_back(i);
        weight += std::abs(term.value);
        if (const auto user = weight_of.find(node_of(graph(), term)); user != weight_of.end())
          user->second += std::abs(term.value);
      }
      if (change.terms.size() < 2 || weight < kLittle * largest) continue;
      used_.insert(change.terms.begin(), change.terms.end());
      change.users = users;
      std::stable_sort(change.users.begin(), change.users.end(),
                       [&](uint32_t a, uint32_t b) { return weight_of[a] > weight_of[b]; });
      changes.push_back(std::move(change));
    }
    return changes;
  }

 private:
  using Containers = std::array<std::string_view, 2>;
  const FlowGraph& graph() const { return flow_.condensed.graph; }

  /// Callers that lost calls of one container and gained calls of another.
  std::map<Containers, std::vector<uint32_t>> users_by_change() const {
    std::map<Containers, std::vector<uint32_t>> users;
    for (uint32_t node = 0; node < graph().nodes.size(); ++node) {
      std::array<std::set<std::string_view>, 2> called;
      for (const FlowEdge& edge : graph().edges_of(node))
        for (size_t side = 0; side < 2; ++side)
          if (!containers_[side][edge.callee].empty()) called[side].insert(containers_[side][edge.callee]);
      for (const std::string_view lost : called[0])
        for (const std::string_view gained : called[1])
          if (lost != gained) users[{lost, gained}].push_back(node);
    }
    // What is handed the one and then the other may have all that it does with it inlined.
    for (auto& [containers, of] : users)
      for (uint32_t node = 0; node < graph().nodes.size(); ++node)
        if (is_about(node, containers) && std::find(of.begin(), of.end(), node) == of.end()) of.push_back(node);
    return users;
  }

  /// An order that does not depend on which side is base. Where two containers take each other's place none does.
  static std::vector<Containers> in_order_of_both_sides(const std::map<Containers, std::vector<uint32_t>>& users) {
    std::vector<Containers> order;
    for (const auto& [containers, ignored] : users)
      if (!users.contains({containers[1], containers[0]})) order.push_back(containers);
    const auto key = [](const Containers& of) { return std::minmax(of[0], of[1]); };
    std::sort(order.begin(), order.end(), [&](const Containers& a, const Containers& b) { return key(a) < key(b); });
    return order;
  }

  /// By node: a user of which the signature tells that it is about the container, on both sides: all that it does
  /// otherwise is the container's doing.
  std::vector<bool> users_with_the_container_in_their_name(const std::vector<uint32_t>& users,
                                                           const Containers& containers) const {
    std::vector<bool> found(graph().nodes.size(), false);
    for (const uint32_t user : users) found[user] = is_about(user, containers);
    return found;
  }

  bool is_about(uint32_t node, const Containers& containers) const {
    const JoinedFunction& function = joined_.functions[flow_.condensed.members[node].front()];
    return mentions(function.base_name, containers[0]) && mentions(function.head_name, containers[1]);
  }

  bool is_of(const Term& term, const Containers& containers, const std::map<uint32_t, long double>& users,
             const std::vector<bool>& is_about) const {
    if (term.kind != TermKind::kCalls) return term.kind == TermKind::kOwnCost && users.contains(term.index);
    const FlowEdge& edge = graph().edges[term.index];
    if (is_about[edge.caller]) return true;
    if (containers_[0][edge.callee] == containers[0] || containers_[1][edge.callee] == containers[1]) return true;
    if (!users.contains(edge.caller)) return false;
    const JoinedFunction& callee = joined_.functions[flow_.condensed.members[edge.callee].front()];
    return only_side(edge) || !noise_group_of(joined_, callee).empty();
  }

  const JoinedGraph& joined_;
  const OpenedFlow& flow_;
  const Taken& taken_;
  const std::array<std::vector<std::string_view>, 2> containers_;  ///< by side and node; empty for what both sides have
  std::set<uint32_t> used_;                                        ///< terms of an earlier change
};

}  // namespace

std::string_view container_of(std::string_view name) {
  const std::string plain = without_inner_namespaces(plain_name(name));
  for (const Container& container : kContainers)
    for (const std::string_view word : split(container.functions, ' '))
      if (word.starts_with(':') ? plain.find(word) != std::string::npos : plain.starts_with(word))
        return container.name;
  return {};
}

std::vector<ContainerChange> find_container_changes(const JoinedGraph& joined, const OpenedFlow& flow,
                                                    const Taken& taken) {
  return ContainerSearch(joined, flow, taken).find();
}

namespace {

/// What each function of the joined graph is part of, by side; empty for others.
using Libraries = std::vector<std::array<std::string_view, 2>>;

Libraries libraries_of(const JoinedGraph& joined) {
  Libraries libraries(joined.functions.size());
  for (size_t i = 0; i < libraries.size(); ++i)
    for (size_t side = 0; side < 2; ++side)
      if (const uint32_t f = joined.functions[i].folded[side]; f != kNoFunction) {
        const FoldedFunction& function = joined.sides[side]->functions[f];
        libraries[i][side] = allocator_library_of(function.name, function.object);
      }
  return libraries;
}

std::string_view chief_library(const JoinedGraph& joined, const Libraries& libraries, size_t side) {
  std::map<std::string_view, long double> costs;
  long double all = 0;
  for (size_t i = 0; i < libraries.size(); ++i)
    if (!libraries[i][side].empty()) {
      const auto cost = static_cast<long double>(joined.flow.nodes[i].self[side]);
      costs[libraries[i][side]] += cost;
      all += cost;
    }
  for (const auto& [library, cost] : costs)
    if (cost > 0 && cost >= kNearlyAll * all) return library;
  return {};
}

}  // namespace

std::optional<AllocatorChange> find_allocator_change(const JoinedGraph& joined, const OpenedFlow& flow,
                                                     const Taken& taken) {
  const Libraries libraries = libraries_of(joined);
  AllocatorChange change;
  for (size_t side = 0; side < 2; ++side) {
    change.libraries[side] = chief_library(joined, libraries, side);
    if (change.libraries[side].empty()) return std::nullopt;
  }
  if (change.libraries[0] == change.libraries[1]) return std::nullopt;
  const FlowGraph& graph = flow.condensed.graph;
  const auto is_in_library = [&](uint32_t node) {
    const auto& members = flow.condensed.members[node];
    return std::any_of(members.begin(), members.end(), [&](uint32_t member) {
      return libraries[member][0] == change.libraries[0] || libraries[member][1] == change.libraries[1];
    });
  };
  // operator new of the C++ library is no part of either, but what it calls is.
  const auto is_allocator = [&](uint32_t node) {
    const JoinedFunction& function = joined.functions[flow.condensed.members[node].front()];
    return is_in_library(node) || noise_group_of(joined, function) == kAllocatorGroup;
  };
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    bool is_of_change = false;
    if (term.kind == TermKind::kCalls) {
      const FlowEdge& edge = graph.edges[term.index];
      const bool on_one_side = only_side(edge).has_value();
      is_of_change = is_allocator(edge.caller) || (on_one_side && is_allocator(edge.callee));
    } else {
      is_of_change = is_allocator(term.index);
    }
    if (is_of_change && !taken[i]) change.terms.push_back(i);
  }
  if (change.terms.size() < 2) return std::nullopt;
  return change;
}

namespace {

fact::ReplacedCall replaced_call_facts(const SentenceSource& source, const ReplacedCalls& calls) {
  fact::ReplacedCall facts;
  for (size_t side = 0; side < 2; ++side) {
    const FlowEdge& edge = source.condensed.graph.edges[calls.edges[side]];
    facts.callees[side] = source.names[edge.callee];
    facts.calls[side] = std::abs(edge.calls[1] - edge.calls[0]);
    facts.price[side] =
        std::abs(source.figures.terms[calls.terms[side]].value) / static_cast<long double>(facts.calls[side]);
    facts.caller = source.names[edge.caller];
  }
  return facts;
}

}  // namespace

std::vector<Claim> allocator_claims(const ClaimSource& source, const Taken& taken) {
  const auto change = find_allocator_change(source.joined(), source.flow, taken);
  if (!change) return {};
  return {{.terms = change->terms,
           .function = "allocator",
           .facts = fact::AllocatorReplaced{{std::string(change->libraries[0]), std::string(change->libraries[1])}}}};
}

std::vector<Claim> container_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (const ContainerChange& change : find_container_changes(source.joined(), source.flow, taken)) {
    claims.push_back({.terms = change.terms,
                      .place = change.users.front(),
                      .function = std::string(change.containers[1]),
                      .facts = fact::ContainerReplaced{
                          .containers = {std::string(change.containers[0]), std::string(change.containers[1])},
                          .user = source.names.names[change.users.front()],
                          .more_users = change.users.size() - 1}});
    name_only_call(source, change.users.front(), claims.back());
  }
  return claims;
}

std::vector<Claim> replaced_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (const ReplacedCalls& calls : find_replaced_calls(source.joined(), source.flow, taken)) {
    const FlowEdge& edge = source.graph().edges[calls.edges[1]];
    Claim claim{.kind = CauseKind::kCalls,
                .terms = {calls.terms.begin(), calls.terms.end()},
                .place = edge.caller,
                .call = calls.edges[1]};
    name_call(source, edge, claim);
    claim.facts = replaced_call_facts(source.names, calls);
    // Whichever side is base, it is a group's where both callees are.
    const std::string_view group = source.groups.of_term(source.terms()[calls.terms[0]]);
    if (group == source.groups.of_term(source.terms()[calls.terms[1]])) claim.group = group;
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace icount
