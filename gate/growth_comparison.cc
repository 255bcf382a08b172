#include "icount/gate/growth_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "icount/inputs/growth_of.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

/// Of a benchmark at a size, or of a case of a family that a table names.
std::optional<SizedKey> member_of(const std::string& key, const std::vector<GrowthLimit>& limits) {
  auto sized = parse_sized_key(key);
  for (const GrowthLimit& limit : limits) {
    if (sized) break;
    sized = parse_sized_key(key, limit.pattern);
    if (sized && sized->key != limit.key) sized.reset();
  }
  return sized;
}

class Growths {
 public:
  Growths(const GateSides& sides, const Comparison& comparison)
      : sides_(sides), head_(results_by_key(sides.head)), base_(results_by_key(sides.base)) {
    for (const GateBenchmark& benchmark : comparison.benchmarks)
      if (benchmark.state != GateBenchmark::State::kVanished)
        if (const auto member = member_of(benchmark.key, sides.growths))
          groups_[member->key].emplace(member->size, &benchmark);
  }

  std::vector<GateGrowth> make() const {
    std::vector<GateGrowth> all;
    for (const auto& [key, group] : groups_) {
      auto head = growth_of(key, group, head_, sides_.head_name);
      if (!head) continue;
      GateGrowth& one = all.emplace_back(GateGrowth{.limit = {.key = key}, .head = std::move(*head)});
      for (const GrowthLimit& limit : sides_.growths)
        if (limit.key == key) one.limit = limit;
      if (is_measured_otherwise(group)) continue;  // which is said of each size
      one.base = growth_of(key, group, base_, sides_.base_name);
      if (!one.base) one.base = accepted_growth(one.head, group);
    }
    return all;
  }

 private:
  using Group = std::map<int64_t, const GateBenchmark*>;

  static bool is_measured_otherwise(const Group& group) {
    return std::any_of(group.begin(), group.end(),
                       [](const auto& one) { return one.second->state == GateBenchmark::State::kNotAlike; });
  }

  /// nullopt where a size was not counted, or too few were.
  static std::optional<Growth> growth_of(const std::string& key, const Group& group,
                                         const std::map<std::string, const Result*>& results, const std::string& side) {
    std::vector<SizedCount> counts;
    std::string event;
    for (const auto& [size, benchmark] : group) {
      const auto found = results.find(benchmark->key);
      if (found == results.end()) return std::nullopt;
      auto count = sized_count(size, *found->second, unpack_graph(*found->second, side));
      if (!count || (!event.empty() && event != found->second->event)) return std::nullopt;
      event = found->second->event;
      counts.push_back(std::move(*count));
    }
    if (counts.size() < kLeastSizes) return std::nullopt;
    return make_growth(key, event, counts);
  }

  /// Of the totals and the powers of functions.
  std::optional<Growth> accepted_growth(const Growth& head, const Group& group) const {
    auto growth = growth_of_totals(head, group);
    if (!growth || !sides_.expected) return growth;
    const auto known = sides_.expected->growths.find(head.label);
    if (known == sides_.expected->growths.end() || known->second.event != head.event) return growth;
    for (const auto& [name, power] : known->second.powers)
      growth->functions.push_back({.name = name, .fit = {.exponent = power, .is_constant = power == 0}});
    return growth;
  }

  /// Accepted values are totals of as many runs as the head's beside them, whichever number that is.
  static std::optional<Growth> growth_of_totals(const Growth& head, const Group& group) {
    std::vector<SizedCount> counts;
    for (const auto& [size, benchmark] : group)
      for (const GateValue& value : benchmark->values)
        if (value.base && value.head && value.measure == Measure{head.event, {}, false})
          counts.push_back({.size = size, .cost = of_one_run(value, head.costs[counts.size()])});
    if (counts.size() < group.size()) return std::nullopt;
    return make_growth(head.label, head.event, counts);
  }

  static int64_t of_one_run(const GateValue& value, int64_t head_cost) {
    if (*value.head == 0) return *value.base;
    return std::llround(static_cast<double>(*value.base) / static_cast<double>(*value.head) *
                        static_cast<double>(head_cost));
  }

  const GateSides& sides_;
  std::map<std::string, const Result*> head_, base_;
  std::map<std::string, Group> groups_;
};

}  // namespace

std::vector<GateGrowth> make_gate_growths(const GateSides& sides, const Comparison& comparison) {
  return Growths(sides, comparison).make();
}

}  // namespace icount
