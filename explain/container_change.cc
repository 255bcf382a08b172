#include "icount/explain/container_change.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// The smallest change that is told, as a part of the largest term.
constexpr long double kMatters = 0.05L;

struct ContainerRule {
  std::string_view container, name;  ///< name: a glob over plain names
};

constexpr auto kRules = std::to_array<ContainerRule>({
    {"std::map", "std::map::*"},
    {"std::map", "std::set::*"},
    {"std::map", "std::multimap::*"},
    {"std::map", "std::multiset::*"},
    {"std::map", "std::_Rb_tree*"},
    {"std::map", "std::__1::map::*"},
    {"std::map", "std::__1::set::*"},
    {"std::map", "std::__1::__tree*"},
    {"std::unordered_map", "std::unordered_map::*"},
    {"std::unordered_map", "std::unordered_set::*"},
    {"std::unordered_map", "std::_Hashtable*"},
    {"std::unordered_map", "std::__detail::_Map_base*"},
    {"std::unordered_map", "std::__detail::_Insert*"},
    {"std::unordered_map", "std::__detail::_Hash*"},
    {"std::unordered_map", "std::__detail::_Prime_rehash_policy*"},
    {"std::unordered_map", "std::_Hash_bytes"},
    {"std::unordered_map", "std::__1::unordered_map::*"},
    {"std::unordered_map", "std::__1::unordered_set::*"},
    {"std::unordered_map", "std::__1::__hash_table*"},
    {"std::vector", "std::vector::*"},
    {"std::vector", "std::_Vector_base*"},
    {"std::vector", "std::__1::vector*"},
    {"std::list", "std::list::*"},
    {"std::list", "std::__cxx11::list::*"},
    {"std::list", "std::__cxx11::_List_base*"},
    {"std::list", "std::__detail::_List_node_base*"},
    {"std::list", "std::__1::list*"},
    {"std::list", "std::__1::__list_imp*"},
    {"std::deque", "std::deque::*"},
    {"std::deque", "std::_Deque_base*"},
    {"std::deque", "std::__1::deque*"},
    {"absl::flat_hash_map", "absl::*container_internal::raw_hash_set*"},
    {"absl::flat_hash_map", "absl::*container_internal::raw_hash_map*"},
    {"absl::btree_map", "absl::*container_internal::btree*"},
    {"boost::unordered_map", "boost::unordered::*"},
    {"boost::container::flat_map", "boost::container::*flat_*"},
    {"folly::F14", "folly::f14::*"},
    {"google::dense_hash_map", "google::dense_hash*"},
    {"robin_hood::unordered_map", "robin_hood::*"},
    {"tsl::robin_map", "tsl::*"},
    {"phmap::flat_hash_map", "phmap::*"},
    {"QHash", "QHash*"},
    {"QMap", "QMap*"},
    {"QList", "QList::*"},
    {"HashMap", "hashbrown::*"},
    {"HashMap", "std::collections::hash::map::*"},
    {"BTreeMap", "alloc::collections::btree::*"},
    {"Vec", "alloc::vec::Vec::*"},
    {"VecDeque", "alloc::collections::vec_deque::*"},
});

/// "book(std::__cxx11::list<int>&)" mentions "std::list".
bool mentions(std::string_view name, std::string_view container) {
  std::string text(name);
  for (const std::string_view version : {"__cxx11::", "__1::"})
    for (size_t at = text.find(version); at != std::string::npos; at = text.find(version, at))
      text.erase(at, version.size());
  return text.find(std::string(container) + '<') != std::string::npos;
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
  ContainerSearch(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<bool>& taken)
      : joined_(joined),
        flow_(flow),
        taken_(taken),
        containers_{one_sided_containers(joined, flow, 0), one_sided_containers(joined, flow, 1)} {}

  std::vector<ContainerChange> find() {
    long double largest = 0;
    for (const Term& term : flow_.figures.terms) largest = std::max(largest, std::abs(term.value));
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
      if (change.terms.size() < 2 || weight < kMatters * largest) continue;
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
    for (const uint32_t user : users) {
      const JoinedFunction& function = joined_.functions[flow_.condensed.members[user].front()];
      found[user] = mentions(function.base_name, containers[0]) && mentions(function.head_name, containers[1]);
    }
    return found;
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
  const std::vector<bool>& taken_;
  const std::array<std::vector<std::string_view>, 2> containers_;  ///< by side and node; empty for what both sides have
  std::set<uint32_t> used_;                                        ///< terms of an earlier change
};

}  // namespace

std::string_view container_of(std::string_view name) {
  const std::string plain = plain_name(name);
  for (const ContainerRule& rule : kRules)
    if (plain.starts_with(rule.name.front()) && matches_glob(plain, rule.name)) return rule.container;
  return {};
}

std::vector<ContainerChange> find_container_changes(const JoinedGraph& joined, const OpenedFlow& flow,
                                                    const std::vector<bool>& taken) {
  return ContainerSearch(joined, flow, taken).find();
}

fact::ContainerReplaced container_change_facts(const SentenceSource& source, const ContainerChange& change) {
  return {.containers = {std::string(change.containers[0]), std::string(change.containers[1])},
          .user = source.names[change.users.front()],
          .more_users = change.users.size() - 1};
}

}  // namespace icount
