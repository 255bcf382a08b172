#include "icount/callgrind/part_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/forked_profile.h"

namespace icount {
namespace {

constexpr std::string_view kBefore = "--dump-before=", kAfter = "--dump-after=", kNamed = "Client Request: ";

/// How the dump at the end of a part changes the number of chosen functions that are active.
int64_t depth_change(const ProfilePart& part) {
  const std::string_view trigger = part.trigger;
  if (trigger.starts_with(kAfter)) return -1;
  if (!trigger.starts_with(kBefore)) return 0;
  return is_leaving_function(trigger.substr(kBefore.size())) ? 0 : 1;
}

}  // namespace

std::vector<std::string> within_options(const std::vector<std::string>& functions) {
  std::vector<std::string> options;
  for (const std::string& function : functions) {
    std::vector<std::string> patterns = {function};
    if (function.find_first_of("(*") == std::string::npos) patterns.push_back(function + "(*");
    for (const std::string& pattern : patterns) {
      options.push_back(fmt::format("{}{}", kBefore, pattern));
      options.push_back(fmt::format("{}{}", kAfter, pattern));
    }
  }
  return options;
}

int64_t depth_at(const Profile& profile, int64_t block, int64_t depth) {
  for (const ProfilePart& part : profile.parts) {
    if (part.last_block > block) break;
    depth = std::max<int64_t>(depth + depth_change(part), 0);
  }
  return depth;
}

void keep_within(Profile& profile, int64_t depth) {
  std::erase_if(profile.parts, [&](const ProfilePart& part) {
    const bool outside = depth <= 0;
    depth = std::max<int64_t>(depth + depth_change(part), 0);
    return outside;
  });
}

std::map<std::string, CostGraph> named_regions(const Profile& profile) {
  std::map<std::string, std::vector<CostGraph>> parts;
  for (size_t i = 0; i < profile.parts.size(); ++i)
    if (const std::string& trigger = profile.parts[i].trigger; trigger.starts_with(kNamed))
      parts[trigger.substr(kNamed.size())].push_back(make_part_graph(profile, i));
  std::map<std::string, CostGraph> regions;
  for (auto& [name, graphs] : parts) {
    std::vector<const CostGraph*> all;
    for (const CostGraph& graph : graphs) all.push_back(&graph);
    complete_inclusive(regions[name] = sum_graphs(all));
  }
  return regions;
}

}  // namespace icount
