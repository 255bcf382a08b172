#include "stats/noise_fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"

namespace icount {
namespace {

Cause group_of(std::string_view name, std::vector<Cause> members) {
  Cause group;
  group.kind = CauseKind::kGroup;
  group.function = name;
  sort_causes(members);
  for (const Cause& member : members) group.delta += member.delta;
  const int64_t others = group.delta - members.front().delta;
  const size_t count = members.size() - 1;
  group.text = fmt::format("{}: {} ({}), and {} other cause{} ({})", name, members.front().text, with_sign(members.front().delta), count,
                           count == 1 ? "" : "s", with_sign(others));
  group.inside = std::move(members);
  return group;
}

}  // namespace

void sort_causes(std::vector<Cause>& causes) {
  const auto magnitude = [](const Cause& cause) { return cause.delta < 0 ? -static_cast<__int128>(cause.delta) : cause.delta; };
  std::stable_sort(causes.begin(), causes.end(), [&](const Cause& a, const Cause& b) {
    const auto size_a = magnitude(a), size_b = magnitude(b);
    if (size_a != size_b) return size_a > size_b;
    return std::tie(a.kind, a.function, a.caller, a.callee) < std::tie(b.kind, b.function, b.caller, b.callee);
  });
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
