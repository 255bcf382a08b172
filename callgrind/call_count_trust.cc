#include "icount/callgrind/call_count_trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/components.h"
#include "icount/counter/named_counts.h"

namespace icount {
namespace {

/// Longer chains of distinct active calls do not occur; bounds the search.
constexpr size_t kLongestEntryChain = 1000;

constexpr std::string_view kSamplingCreators[] = {"xtree", "rbspy", "py-spy", "pprof", "dotnet"};
constexpr std::string_view kSamplingEvents[] = {"Samples", "Hits"};

std::optional<size_t> instruction_column(const ProfilePart& part) {
  const auto found = std::find(part.events.begin(), part.events.end(), "Ir");
  if (found == part.events.end()) return std::nullopt;
  return static_cast<size_t>(found - part.events.begin());
}

std::string judge_creator(const Profile& profile) {
  for (const std::string_view name : kSamplingCreators)
    if (profile.creator.starts_with(name)) return fmt::format("{} samples and does not count calls", name);
  for (const ProfilePart& part : profile.parts)
    for (const std::string_view event : kSamplingEvents)
      if (part.events[0] == event) return fmt::format("event {} is sampled, calls are not counted", event);
  return {};
}

/// The part's basic blocks where it has fewer instructions. Every block is at least one, so collection was off for a
/// part of the time; but Callgrind forgets what ran of the block in which a program ends. Blocks of all threads count,
/// so parts of one thread tell nothing.
std::optional<int64_t> blocks_beyond_costs(const ProfilePart& part) {
  const auto ir = instruction_column(part);
  if (!ir || part.thread != 0 || part.first_block < 0 || part.last_block < part.first_block) return std::nullopt;
  const int64_t blocks = part.last_block - part.first_block;
  return part.totals[*ir] < blocks - 1 ? std::optional(blocks) : std::nullopt;
}

/// Calls are counted always.
std::string judge_time_range(const ProfilePart& part) {
  const auto blocks = blocks_beyond_costs(part);
  const int64_t instructions = blocks ? part.totals[*instruction_column(part)] : 0;
  if (instructions == 0) return {};
  return fmt::format("{} instructions in {} basic blocks: collection was toggled, calls were counted throughout",
                     with_thousands(instructions), with_thousands(*blocks));
}

/// A call that runs costs an instruction at least.
std::string judge_cost_of_calls(const Profile& profile, const ProfilePart& part) {
  const auto ir = instruction_column(part);
  if (!ir) return {};
  for (size_t e = 0; e < part.edges.size(); ++e) {
    const int64_t cost = part.inclusive[e * part.events.size() + *ir];
    if (part.edges[e].calls <= cost) continue;
    return fmt::format(
        "{} calls of '{}' cost {} instructions: counts cover more than costs", with_thousands(part.edges[e].calls),
        escape_for_terminal(profile.strings.view(profile.functions[part.edges[e].callee].name)), with_thousands(cost));
  }
  return {};
}

/// Nodes that `from` reaches, itself included, by a walk over arcs sorted by source.
class Reachability {
 public:
  Reachability(size_t nodes, const std::vector<Arc>& arcs)
      : starts_(nodes + 1, 0), targets_(arcs.size()), seen_(nodes, 0) {
    for (const Arc& arc : arcs) ++starts_[arc.from + 1];
    for (size_t v = 0; v < nodes; ++v) starts_[v + 1] += starts_[v];
    std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
    for (const Arc& arc : arcs) targets_[next[arc.from]++] = arc.to;
  }
  bool reaches(uint32_t from, uint32_t to) {
    ++search_;
    std::vector<uint32_t> open = {from};
    seen_[from] = search_;
    while (!open.empty()) {
      const uint32_t v = open.back();
      if (v == to) return true;
      open.pop_back();
      for (size_t i = starts_[v]; i < starts_[v + 1]; ++i)
        if (seen_[targets_[i]] != search_) {
          seen_[targets_[i]] = search_;
          open.push_back(targets_[i]);
        }
    }
    return false;
  }

 private:
  std::vector<size_t> starts_;
  std::vector<uint32_t> targets_;
  std::vector<uint32_t> seen_;
  uint32_t search_ = 0;
};

/// Renames the functions of a part's arcs to 0, 1, 2, ...; returns them in that order.
std::vector<uint32_t> number_nodes(std::vector<Arc>& arcs, std::vector<Arc>& zero) {
  std::vector<uint32_t> nodes;
  for (const Arc& arc : arcs) nodes.insert(nodes.end(), {arc.from, arc.to});
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const auto number = [&](uint32_t f) {
    return static_cast<uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), f) - nodes.begin());
  };
  for (auto* list : {&arcs, &zero})
    for (Arc& arc : *list) arc = {number(arc.from), number(arc.to)};
  return nodes;
}

/// Calls that were active when the part began lie on one walk through the call graph: from each of them, outermost
/// first, the next can be reached. (Between them there may be calls that were counted again later.)
std::string judge_zero_calls(const Profile& profile, const ProfilePart& part) {
  if (part.zero_calls == 0) return {};
  std::vector<Arc> arcs, zero;
  for (size_t e = 0; e < part.edges.size(); ++e) {
    arcs.push_back({part.edges[e].caller, part.edges[e].callee});
    if (part.edges[e].calls == 0 && part.inclusive[e * part.events.size()] > 0) zero.push_back(arcs.back());
  }
  if (zero.size() <= 1) return {};
  if (zero.size() == arcs.size() && zero.size() > kLongestEntryChain) return "no call has a count";
  if (zero.size() > kLongestEntryChain)
    return fmt::format("{} different calls have cost but no count", with_thousands(static_cast<int64_t>(zero.size())));
  const std::vector<uint32_t> nodes = number_nodes(arcs, zero);
  const Components components = find_components(nodes.size(), arcs);
  std::stable_sort(zero.begin(), zero.end(), [&](const Arc& a, const Arc& b) {
    const auto key = [&](const Arc& arc) { return std::pair(components.of[arc.from], components.of[arc.to]); };
    return key(b) < key(a);  // callers have the higher numbers
  });
  Reachability graph(nodes.size(), arcs);
  for (size_t i = 0; i + 1 < zero.size(); ++i) {
    if (graph.reaches(zero[i].to, zero[i + 1].from)) continue;
    const auto name = [&](uint32_t node) {
      return escape_for_terminal(profile.strings.view(profile.functions[nodes[node]].name));
    };
    return fmt::format("calls=0 with cost outside the chain of active calls, for example '{}' to '{}'",
                       name(zero[i + 1].from), name(zero[i + 1].to));
  }
  return {};
}

}  // namespace

std::string describe_small_collection(const Profile& profile) {
  constexpr int64_t kLeastBlocks = 100;
  int64_t collected = 0, blocks = 0;
  for (const ProfilePart& part : profile.parts) {
    const auto ir = instruction_column(part);
    if (!ir || part.thread != 0 || part.first_block < 0 || part.last_block < part.first_block) return {};
    collected = saturating_add(collected, part.totals[*ir]);
    blocks = saturating_add(blocks, part.last_block - part.first_block);
  }
  if (blocks < kLeastBlocks || collected >= blocks / kLeastBlocks) return {};
  return fmt::format("{} Ir in {} basic blocks", with_thousands(collected), with_thousands(blocks));
}

CallCounts judge_call_counts(const Profile& profile) {
  std::string reason = judge_creator(profile);
  for (size_t i = 0; i < profile.parts.size() && reason.empty(); ++i) {
    const ProfilePart& part = profile.parts[i];
    reason = judge_time_range(part);
    if (reason.empty()) reason = judge_cost_of_calls(profile, part);
    if (reason.empty()) reason = judge_zero_calls(profile, part);
  }
  return {reason.empty(), reason};
}

namespace {

/// An instruction calls each function at most as often as it is executed; a copy was in the middle of one call. Taken
/// over all parts of a profile, as a dump may stand between the two of one call. icount's own counter lists an
/// instruction under its own function, and a call under the function that was entered last, which a jump may have left:
/// there the address says what belongs together.
std::string judge_call_sites(const Profile& profile, ProfileStart start) {
  const bool is_by_address = profile.creator == kCounterCreator;
  const auto place_of = [&](FunctionIndex function) -> uint32_t {
    return is_by_address ? static_cast<uint32_t>(profile.functions[function].object) : function;
  };
  std::map<std::tuple<FunctionIndex, uint64_t, FunctionIndex, uint64_t>, int64_t> calls_of;
  std::map<uint32_t, std::map<uint64_t, int64_t>> executions;  // by place and address, of what calls
  for (const ProfilePart& part : profile.parts)
    for (const FunctionCode& code : part.code)
      for (const CodeCall& call : code.calls) {
        int64_t& calls = calls_of[{code.function, call.from, call.callee, call.to}];
        calls = saturating_add(calls, call.calls);
        executions[place_of(code.function)][call.from];
      }
  for (const ProfilePart& part : profile.parts)
    for (const FunctionCode& code : part.code) {
      const auto own = executions.find(place_of(code.function));
      if (own == executions.end()) continue;
      for (const CodeRow& row : code.rows)
        if (const auto at = own->second.find(row.address); at != own->second.end())
          at->second = saturating_add(at->second, row.executions);
    }
  for (const auto& [site, calls] : calls_of) {
    const auto& [function, from, callee, to] = site;
    const int64_t executed = executions.at(place_of(function)).at(from);
    if (calls - (start == ProfileStart::kFork ? 1 : 0) <= executed) continue;
    const auto name = [&](FunctionIndex f) {
      return escape_for_terminal(profile.strings.view(profile.functions[f].name));
    };
    return fmt::format("'{}' calls '{}' at an instruction that is counted {} times for {} calls", name(function),
                       name(callee), with_thousands(executed), with_thousands(calls));
  }
  return {};
}

}  // namespace

std::string find_uncollected_part(const Profile& profile, ProfileStart start) {
  for (const ProfilePart& part : profile.parts) {
    if (const auto blocks = blocks_beyond_costs(part))
      return fmt::format("{} instructions are counted of {} {}that ran",
                         with_thousands(part.totals[*instruction_column(part)]), with_thousands(*blocks),
                         profile.creator == kCounterCreator ? "" : "basic blocks ");
    if (std::string reason = judge_cost_of_calls(profile, part); !reason.empty()) return reason;
  }
  return judge_call_sites(profile, start);
}

}  // namespace icount
