#include "icount/explain/noise_fold.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"

namespace icount {
namespace {

Cause group_of(std::string_view name, std::vector<Cause> members) {
  Cause group;
  group.kind = CauseKind::kGroup;
  group.function = name;
  sort_causes(members);
  for (const Cause& member : members) group.delta = saturating_add(group.delta, member.delta);
  group.facts = fact::Group{};
  group.inside = std::move(members);
  return group;
}

}  // namespace

void sort_causes(std::vector<Cause>& causes) {
  const auto magnitude = [](const Cause& cause) {
    return cause.delta < 0 ? 0 - static_cast<uint64_t>(cause.delta) : static_cast<uint64_t>(cause.delta);
  };
  std::vector<std::pair<uint64_t, uint32_t>> order;  // causes are large; their places are sorted instead
  order.reserve(causes.size());
  for (uint32_t i = 0; i < causes.size(); ++i) order.emplace_back(magnitude(causes[i]), i);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    const Cause &left = causes[a.second], &right = causes[b.second];
    return std::tie(left.kind, left.function, left.caller, left.callee, a.second) <
           std::tie(right.kind, right.function, right.caller, right.callee, b.second);
  });
  std::vector<Cause> sorted;
  sorted.reserve(causes.size());
  for (const auto& [size, at] : order) sorted.push_back(std::move(causes[at]));
  causes = std::move(sorted);
  for (Cause& cause : causes) sort_causes(cause.inside);
}

std::vector<Cause> fold_noise(std::vector<GroupedCause> causes) {
  std::vector<Cause> result;
  std::map<std::string_view, std::vector<Cause>> groups;
  for (GroupedCause& grouped : causes) {
    if (grouped.group.empty()) {
      result.push_back(std::move(grouped.cause));
    } else {
      groups[grouped.group].push_back(std::move(grouped.cause));
    }
  }
  for (auto& [name, members] : groups) {
    if (members.size() == 1) {
      result.push_back(std::move(members.front()));
    } else {
      result.push_back(group_of(name, std::move(members)));
    }
  }
  return result;
}

}  // namespace icount
