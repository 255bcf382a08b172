#include "icount/explain/own_cost_causes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/node_names.h"

namespace icount {
namespace {

// The lines that count, and the part of the largest below which one doesn't.
constexpr size_t kLeadingLines = 4;
constexpr double kLeadingPart = 0.05;

/// Whether it is known on which lines the code is that changed most.
bool have_lines(const std::vector<CauseLine>& lines) {
  const auto change = [](const CauseLine& line) { return std::abs(line.head - line.base); };
  for (size_t i = 0; i < lines.size() && i < kLeadingLines && change(lines[i]) >= kLeadingPart * change(lines[0]); ++i)
    if (lines[i].line == 0) return false;
  return !lines.empty();
}

class OwnCostTeller : InsideNames {
 public:
  explicit OwnCostTeller(const InsideNames& names) : InsideNames(names) {}

  Cause own_cause(uint32_t n) const {
    const fact::Rates cost = {source_.figures.own_cost[0][n], source_.figures.own_cost[1][n]};
    const uint32_t region = region_of(node(n));
    switch (node(n).kind) {
      case InsideKind::kEntry:
        return opened().regions[region].reshaped ? reshaped_cause(n, cost) : test_cause(n, cost);
      case InsideKind::kIteration: {
        Cause cause = new_cause(CauseKind::kIterationCost, region);
        cause.facts = fact::TurnCost{turn(n), loop_name(region), cost, both_times(n)};
        add_lines(cause, region, n);
        return cause;
      }
      case InsideKind::kBlock: {
        Cause cause = new_cause(CauseKind::kOwnCost, region);
        cause.facts = fact::CodeCost{place_text(node(n).number, false), source_.function, cost, both_times(n)};
        return cause;
      }
      case InsideKind::kBody:
      case InsideKind::kCallee:
        break;
    }
    Cause cause = new_cause(CauseKind::kOwnCost, 0);
    cause.facts = fact::BodyCost{source_.function, has_loops(), source_.in_total, cost, both_times(n)};
    if (!source_.in_total) cause.change_per_call = static_cast<double>(cost[1] - cost[0]);
    add_lines(cause, 0, n);
    return cause;
  }

  Cause part_cause(uint32_t n, const InlinedPart& part) const {
    const bool is_body = node(n).kind == InsideKind::kBody;
    const uint32_t region = region_of(node(n));
    Cause cause = new_cause(is_body ? CauseKind::kOwnCost : CauseKind::kIterationCost, region);
    fact::PartCost facts{.function = source_.function,
                         .is_body = is_body,
                         .has_loops = has_loops(),
                         .in_total = source_.in_total,
                         .cost = part.cost,
                         .times = both_times(n)};
    if (!is_body) {
      facts.turn = turn(n);
      facts.loop = loop_name(region);
    }
    if (!part.path.empty()) {
      facts.inlined = icount::quoted(part.function.name);
      facts.call_line = part.call_line;
      cause.inlined = part.function;
    }
    cause.facts = std::move(facts);
    if (is_body && !source_.in_total) cause.change_per_call = static_cast<double>(part.cost[1] - part.cost[0]);
    place_at_lines(cause, part.lines, part.path.empty() ? base_of_path(source_.file) : part.function.file);
    return cause;
  }

 private:
  bool has_loops() const { return opened().regions.size() > 1; }
  fact::Turn turn(uint32_t n) const { return is_statement(n) ? fact::Turn::kRun : fact::Turn::kIteration; }

  Cause test_cause(uint32_t n, const fact::Rates& cost) const {
    Cause cause = new_cause(CauseKind::kOwnCost, node(n).number);
    cause.facts = fact::LastTest{loop_name(node(n).number), cost, both_times(n)};
    return cause;
  }

  Cause reshaped_cause(uint32_t n, const fact::Rates& cost) const {
    const uint32_t region = node(n).number;
    const Region& of = opened().regions[region];
    fact::Reshaped facts{.loop = loop_name(region), .cost = cost, .entries = both_times(n)};
    for (size_t side = 0; side < 2; ++side) {
      facts.iterations[side] = static_cast<long double>(of.iterations[side]) /
                               static_cast<long double>(std::max<int64_t>(of.entries[side], 1));
      facts.own[side] = static_cast<long double>(node(n).self[side]) /
                        static_cast<long double>(std::max<int64_t>(of.iterations[side], 1));
    }
    Cause cause = new_cause(CauseKind::kReshaped, region);
    cause.facts = std::move(facts);
    return cause;
  }

  void add_lines(Cause& cause, uint32_t region, uint32_t n) const {
    if (times(0, n) <= 0 || times(1, n) <= 0) return;
    place_at_lines(cause, lines_of_region(opened(), region, {times(0, n), times(1, n)}), base_of_path(source_.file));
  }

  /// The cause is placed at the line that changed most, where that is one of `file`, without folders.
  void place_at_lines(Cause& cause, std::vector<CauseLine> lines, std::string_view file) const {
    cause.lines = std::move(lines);
    if (!have_lines(cause.lines) || cause.lines.front().file != file) return;
    cause.line = cause.lines.front().line;
    cause.file = file == base_of_path(source_.file) ? source_.file : file;
  }
};

}  // namespace

Cause own_cost_cause(const InsideNames& names, uint32_t n) { return OwnCostTeller(names).own_cause(n); }

Cause inlined_part_cause(const InsideNames& names, uint32_t n, const InlinedPart& part) {
  return OwnCostTeller(names).part_cause(n, part);
}

}  // namespace icount
