#include "icount/explain/own_cost_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/inside_words.h"
#include "icount/explain/node_names.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

// Lines named in a sentence, and the part of the largest below which they are not.
constexpr size_t kNamedLines = 4;
constexpr double kNamedPart = 0.05;

class OwnCostTeller : InsideNames {
 public:
  explicit OwnCostTeller(const InsideNames& names) : InsideNames(names) {}

  Cause own_cause(uint32_t n) const {
    const auto [base, head] = quantities(source_.figures.own_cost[0][n], source_.figures.own_cost[1][n]);
    const uint32_t region = region_of(node(n));
    switch (node(n).kind) {
      case InsideKind::kEntry:
        return opened().regions[region].reshaped ? reshaped_cause(n, base, head) : test_cause(n, base, head);
      case InsideKind::kIteration: {
        Cause cause = new_cause(CauseKind::kIterationCost, region);
        const auto [what, count] = turn(n);
        cause.text = fmt::format("one {} costs {} instead of {} ({})", what, head, base, count);
        add_lines(cause, region, n);
        return cause;
      }
      case InsideKind::kBlock: {
        Cause cause = new_cause(CauseKind::kOwnCost, region);
        cause.text =
            fmt::format("the code at {} in {} costs {} instead of {} each time ({})", place_text(node(n).number, false),
                        source_.function, head, base, counts_text(times(0, n), times(1, n), "time", "times"));
        return cause;
      }
      case InsideKind::kBody:
      case InsideKind::kCallee:
        break;
    }
    Cause cause = new_cause(CauseKind::kOwnCost, 0);
    cause.text = fmt::format("self cost of {}{}: {} -> {} {}", source_.function,
                             opened().regions.size() > 1 ? " outside its loops" : "", base, head,
                             source_.in_total ? "in total" : fmt::format("per call ({})", calls(n)));
    if (!source_.in_total)
      cause.change_per_call = static_cast<double>(source_.figures.own_cost[1][n] - source_.figures.own_cost[0][n]);
    add_lines(cause, 0, n);
    return cause;
  }

  Cause part_cause(uint32_t n, const InlinedPart& part) const {
    const bool is_body = node(n).kind == InsideKind::kBody;
    const uint32_t region = region_of(node(n));
    const auto [base, head] = quantities(part.cost[0], part.cost[1]);
    Cause cause = new_cause(is_body ? CauseKind::kOwnCost : CauseKind::kIterationCost, region);
    const std::string place =
        part.function.line == 0 ? std::string() : fmt::format("{}:{}, ", part.function.file, part.function.line);
    const std::string outside = opened().regions.size() > 1 ? " outside its loops" : "";
    std::string per = source_.in_total ? "in total" : fmt::format("per call ({})", calls(n));
    if (!is_body) {
      const auto [what, count] = turn(n);
      per = fmt::format("per {} ({})", what, count);
    }
    if (part.path.empty())
      cause.text = fmt::format("{} of {}{}: {} -> {} {}", is_body ? "other self cost" : "other code", source_.function,
                               is_body ? outside : "", base, head, per);
    else
      cause.text =
          fmt::format("self cost of {} ({}inlined into {}{}{}): {} -> {} {}", icount::quoted(part.function.name), place,
                      source_.function, part.call_line == 0 ? "" : fmt::format(" at line {}", part.call_line),
                      is_body ? outside : "", base, head, per);
    if (!part.path.empty()) cause.inlined = part.function;
    if (is_body && !source_.in_total) cause.change_per_call = static_cast<double>(part.cost[1] - part.cost[0]);
    tell_lines(cause, part.lines, part.path.empty() ? base_of_path(source_.file) : part.function.file);
    return cause;
  }

 private:
  /// "iteration of the loop at scan.c:9-11 in `scan`" and "10 -> 20 iterations"; of a statement its runs.
  std::pair<std::string, std::string> turn(uint32_t n) const {
    if (is_statement(n)) return {"run of the statement", counts_text(times(0, n), times(1, n), "run", "runs")};
    return {"iteration of " + the_loop(region_of(node(n))),
            counts_text(times(0, n), times(1, n), "iteration", "iterations")};
  }

  Cause test_cause(uint32_t n, const std::string& base, const std::string& head) const {
    Cause cause = new_cause(CauseKind::kOwnCost, node(n).number);
    cause.text = fmt::format("the last test of {} costs {} instead of {} ({})", the_loop(node(n).number), head, base,
                             counts_text(times(0, n), times(1, n), "entry", "entries"));
    return cause;
  }

  Cause reshaped_cause(uint32_t n, const std::string& base, const std::string& head) const {
    const uint32_t region = node(n).number;
    const Region& of = opened().regions[region];
    std::array<long double, 2> turns{}, own{};
    for (size_t side = 0; side < 2; ++side) {
      turns[side] = static_cast<long double>(of.iterations[side]) /
                    static_cast<long double>(std::max<int64_t>(of.entries[side], 1));
      own[side] = static_cast<long double>(node(n).self[side]) /
                  static_cast<long double>(std::max<int64_t>(of.iterations[side], 1));
    }
    const long double factor = std::max(turns[0], turns[1]) / std::min(turns[0], turns[1]);
    const bool whole = std::abs(factor - std::round(factor)) < 0.05L * factor;
    const auto [turns_base, turns_head] = quantities(turns[0], turns[1]);
    const auto [own_base, own_head] = quantities(own[0], own[1]);
    Cause cause = new_cause(CauseKind::kReshaped, region);
    cause.text = fmt::format("{} costs {} instead of {} per entry ({}): {} iterations of {} instead of {} of {}{}",
                             the_loop(region), head, base, counts_text(times(0, n), times(1, n), "entry", "entries"),
                             turns_head, own_head, turns_base, own_base,
                             !whole                ? ""
                             : turns[1] < turns[0] ? ", as when it is unrolled or vectorised"
                                                   : ", as when it is no longer unrolled or vectorised");
    return cause;
  }

  void add_lines(Cause& cause, uint32_t region, uint32_t n) const {
    if (times(0, n) <= 0 || times(1, n) <= 0) return;
    tell_lines(cause, lines_of_region(opened(), region, {times(0, n), times(1, n)}), base_of_path(source_.file));
  }

  /// Lines of `file`, without folders, are told by their numbers; the cause is placed at the first where it is one.
  void tell_lines(Cause& cause, std::vector<CauseLine> lines, std::string_view file) const {
    cause.lines = std::move(lines);
    const auto change = [](const CauseLine& line) { return line.head - line.base; };
    std::string text;
    size_t named = 0;
    for (const CauseLine& line : cause.lines) {
      if (named == kNamedLines || std::abs(change(line)) < kNamedPart * std::abs(change(cause.lines.front()))) break;
      if (line.line == 0) return;  // part of it has no lines
      const auto [amount, same] = quantities(std::abs(change(line)), std::abs(change(line)));
      const std::string place =
          line.file == file ? std::to_string(line.line) : fmt::format("{}:{}", line.file, line.line);
      text += fmt::format("{} {} {}{}", named == 0 ? ": line" : ",", place, change(line) > 0 ? "+" : "-", amount);
      ++named;
    }
    cause.text += text;
    if (cause.lines.empty() || cause.lines.front().line == 0 || cause.lines.front().file != file) return;
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
