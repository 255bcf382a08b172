#include "icount/explain/inside_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

// Lines named in a sentence, and the part of the largest below which they are not.
constexpr size_t kNamedLines = 4;
constexpr double kNamedPart = 0.05;
constexpr double kNoChange = 1e-6;

/// "once", "twice", "3 times".
std::string times_text(const std::string& quantity) {
  return quantity == "1" ? "once" : quantity == "2" ? "twice" : quantity + " times";
}

/// "1,000 entries", "7,080 -> 6,542 entries".
std::string counts_text(long double base, long double head, std::string_view one, std::string_view many) {
  const auto b = static_cast<int64_t>(std::round(base)), h = static_cast<int64_t>(std::round(head));
  if (b != h) return fmt::format("{} -> {} {}", with_thousands(b), with_thousands(h), many);
  return fmt::format("{} {}", with_thousands(h), h == 1 ? one : many);
}

/// "33 %", "1.6 %": as many digits as come within a twentieth of it, or of what is left to 100 %.
std::string percent_text(long double share) {
  const auto percent = static_cast<double>(share * 100);
  int digits = 0;
  for (double scale = 1; digits < 3; ++digits, scale *= 10)
    if (std::abs(percent - std::round(percent * scale) / scale) <= 0.05 * std::min(percent, 100 - percent) + 1e-9)
      break;
  return fmt::format("{:.{}f} %", percent, digits);
}

/// The part of a header's figure that is iterations.
long double iteration_part(const OpenedFunction& opened, size_t side, uint32_t region, uint32_t block) {
  if (region == 0 || opened.regions[region].reshaped || block != opened.header_of(side, region)) return 1;
  const ShapeLoop& loop = opened.shapes[side].loops[opened.regions[region].loops[side].front()];
  return loop.heads <= 0 ? 1 : static_cast<long double>(loop.iterations) / static_cast<long double>(loop.heads);
}

class CauseWriter {
 public:
  explicit CauseWriter(const InsideSource& source) : source_(source) {}

  std::vector<InsideCause> write() {
    const InsideGraph& graph = source_.graph;
    for (uint32_t n = 0; n < graph.nodes.size(); ++n)
      if (source_.figures.node_terms[n] != 0) add(key_of(n, 0), source_.figures.node_terms[n], own_cause(n));
    std::map<uint32_t, std::vector<uint32_t>> shares;
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      const InsideEdge& edge = graph.edges[e];
      if (edge.is_share) {
        shares[edge.from].push_back(e);
      } else if (source_.figures.edge_terms[e] != 0) {
        add(key_of(edge.from, edge.to), source_.figures.edge_terms[e], edge_cause(e));
      }
    }
    for (const auto& [from, edges] : shares) add_branch(from, edges);
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<InsideCause> causes;
    for (auto& [key, cause] : found_) causes.push_back(std::move(cause));
    return causes;
  }

 private:
  using Key = std::tuple<InsideKind, uint32_t, InsideKind, uint32_t, int>;

  const OpenedFunction& opened() const { return source_.opened; }
  const InsideNode& node(uint32_t n) const { return source_.graph.nodes[n]; }
  long double times(size_t side, uint32_t n) const { return source_.figures.times[side][n]; }

  Key key_of(uint32_t from, uint32_t to, int kind = 0) const {
    return {node(from).kind, node(from).number, to == 0 ? InsideKind::kBody : node(to).kind,
            to == 0 ? 0 : node(to).number, to == 0 ? kind : 1};
  }

  void add(const Key& key, long double value, Cause cause) { found_.push_back({key, {value, std::move(cause)}}); }

  Cause new_cause(CauseKind kind, uint32_t region) const {
    Cause cause;
    cause.kind = kind;
    cause.function = source_.function_field;
    cause.file = source_.file;
    cause.line = source_.line;
    if (region == 0) return cause;
    const LoopPlace place = opened().place_of(region);
    const Region& of = opened().regions[region];
    const size_t side = of.loops[1].empty() ? 0 : 1;
    cause.loop = {place.file, place.first_line, place.last_line, place.address,
                  opened().shapes[side].loops[of.loops[side].front()].depth};
    cause.entries = of.entries;
    cause.iterations = of.iterations;
    if (place.first_line != 0) cause.line = place.first_line;
    return cause;
  }

  std::string the_loop(uint32_t region) const {
    return fmt::format("the {} in {}", source_.loops[region], source_.function);
  }
  std::string calls(uint32_t n) const {
    return source_.in_total ? std::string("in total") : counts_text(times(0, n), times(1, n), "call", "calls");
  }

  uint32_t region_of(const InsideNode& one) const {
    if (one.kind == InsideKind::kBlock) return opened().region_of(1, one.number);
    return one.kind == InsideKind::kEntry || one.kind == InsideKind::kIteration ? one.number : 0;
  }

  Cause own_cause(uint32_t n) const {
    const auto [base, head] = quantities(source_.figures.own_cost[0][n], source_.figures.own_cost[1][n]);
    const uint32_t region = region_of(node(n));
    switch (node(n).kind) {
      case InsideKind::kEntry:
        return opened().regions[region].reshaped ? reshaped_cause(n, base, head) : test_cause(n, base, head);
      case InsideKind::kIteration: {
        Cause cause = new_cause(CauseKind::kIterationCost, region);
        cause.text = fmt::format("one iteration of {} costs {} instead of {} ({})", the_loop(region), head, base,
                                 counts_text(times(0, n), times(1, n), "iteration", "iterations"));
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
    cause.lines = lines_of_region(opened(), region, {times(0, n), times(1, n)});
    const auto change = [](const CauseLine& line) { return line.head - line.base; };
    std::string text;
    size_t named = 0;
    for (const CauseLine& line : cause.lines) {
      if (named == kNamedLines || std::abs(change(line)) < kNamedPart * std::abs(change(cause.lines.front()))) break;
      if (line.line == 0) return;  // part of it has no lines
      const auto [amount, same] = quantities(std::abs(change(line)), std::abs(change(line)));
      const std::string place = line.file == base_of_path(source_.file) ? std::to_string(line.line)
                                                                        : fmt::format("{}:{}", line.file, line.line);
      text += fmt::format("{} {} {}{}", named == 0 ? ": line" : ",", place, change(line) > 0 ? "+" : "-", amount);
      ++named;
    }
    cause.text += text;
    if (!cause.lines.empty() && cause.lines.front().line != 0 && cause.lines.front().file == base_of_path(source_.file))
      cause.line = cause.lines.front().line;
  }

  Cause edge_cause(uint32_t e) const {
    const InsideEdge& edge = source_.graph.edges[e];
    const auto [base, head] = quantities(source_.figures.rates[0][e], source_.figures.rates[1][e]);
    if (node(edge.to).kind == InsideKind::kCallee) return call_cause(e, base, head);
    if (node(edge.to).kind == InsideKind::kEntry) return loop_entry_cause(e, base, head);
    if (node(edge.to).kind == InsideKind::kBlock) {  // nothing that was recorded leads there
      Cause cause = new_cause(CauseKind::kBranch, region_of(node(edge.to)));
      cause.text = fmt::format("the code at {} in {} is reached {} {} instead of {}, by no recorded way",
                               place_text(node(edge.to).number, false), source_.function, times_text(head),
                               source_.in_total ? "in total" : "per call", base);
      return cause;
    }
    const uint32_t region = node(edge.to).number;
    Cause cause = new_cause(CauseKind::kIterations, region);
    cause.text = fmt::format("{} {} {} per entry instead of {} ({})", the_loop(region),
                             opened().is_knot(region) ? "dispatches" : "iterates", times_text(head), base,
                             counts_text(times(0, edge.from), times(1, edge.from), "entry", "entries"));
    return cause;
  }

  /// "each iteration of the loop at lex.cc:19 in `lex`", and what the rate is per.
  std::pair<std::string, std::string> who(uint32_t n) const {
    switch (node(n).kind) {
      case InsideKind::kIteration:
        return {"each iteration of " + the_loop(node(n).number), "iteration"};
      case InsideKind::kEntry:
        return {opened().regions[node(n).number].reshaped ? the_loop(node(n).number)
                                                          : "the last test of " + the_loop(node(n).number),
                "entry"};
      case InsideKind::kBlock:
        return {fmt::format("the code at {} in {}", place_text(node(n).number, true), source_.function), "time"};
      case InsideKind::kBody:
      case InsideKind::kCallee:
        break;
    }
    return {source_.function + (opened().regions.size() > 1 ? " outside its loops" : ""),
            source_.in_total ? "program" : "call"};
  }

  Cause call_cause(uint32_t e, const std::string& base, const std::string& head) const {
    const InsideEdge& edge = source_.graph.edges[e];
    Cause cause = new_cause(CauseKind::kCalls, region_of(node(edge.from)));
    cause.function.clear();
    cause.caller = source_.function_field;
    cause.callee = source_.callee_fields[node(edge.to).number];
    const std::string& callee = source_.callees[node(edge.to).number];
    const auto [subject, per] = who(edge.from);
    if (source_.figures.rates[0][e] == source_.figures.rates[1][e]) {
      cause.text = fmt::format("{} calls {} {} per {}, which costs more or less each time", subject, callee,
                               times_text(head), per);
    } else if (edge.times[0] == 0) {
      cause.text = fmt::format("{} now calls {}, {} per {}", subject, callee, times_text(head), per);
    } else if (edge.times[1] == 0) {
      cause.text = fmt::format("{} no longer calls {} (was {} per {})", subject, callee, times_text(base), per);
    } else {
      const int64_t more = edge.times[1] - edge.times[0];
      cause.text = fmt::format("{} calls {} {} instead of {}{} ({} {})", subject, callee, times_text(head),
                               base == "1" || base == "2" ? times_text(base) : base,
                               node(edge.from).kind == InsideKind::kIteration ? "" : " per " + per,
                               with_thousands(std::abs(more)), more >= 0 ? "more" : "fewer");
    }
    return cause;
  }

  Cause loop_entry_cause(uint32_t e, const std::string& base, const std::string& head) const {
    const InsideEdge& edge = source_.graph.edges[e];
    const uint32_t region = node(edge.to).number;
    Cause cause = new_cause(CauseKind::kLoopEntry, region);
    const std::string loop = "the " + source_.loops[region];
    const bool from_body = node(edge.from).kind == InsideKind::kBody;
    const std::string subject =
        from_body ? source_.function : fmt::format("an iteration of {}", the_loop(node(edge.from).number));
    const std::string per = !from_body ? "iteration" : source_.in_total ? "program" : "call";
    if (edge.times[0] == 0)
      cause.text = fmt::format("{} now enters {}, {} per {}", subject, loop, times_text(head), per);
    else if (edge.times[1] == 0)
      cause.text = fmt::format("{} no longer enters {} (was {} per {})", subject, loop, times_text(base), per);
    else
      cause.text = fmt::format("{} enters {} {} per {} instead of {}", subject, loop, times_text(head), per, base);
    return cause;
  }

  /// All ways that lead on from one place, as one cause: it tells of the one that gained most in the direction of all.
  void add_branch(uint32_t from, const std::vector<uint32_t>& edges) {
    long double sum = 0;
    for (const uint32_t e : edges) sum += source_.figures.edge_terms[e];
    if (sum == 0) return;
    const auto weight = [&](uint32_t e) {
      const uint32_t to = source_.graph.edges[e].to;
      return std::tuple(source_.figures.edge_terms[e] * (sum > 0 ? 1 : -1), node(to).kind, node(to).number);
    };
    const uint32_t most =
        *std::max_element(edges.begin(), edges.end(), [&](uint32_t a, uint32_t b) { return weight(a) < weight(b); });
    add(key_of(from, 0, 2), sum, branch_cause(from, most));
  }

  Cause branch_cause(uint32_t from, uint32_t most) const {
    const uint32_t to = source_.graph.edges[most].to;
    const std::string base = percent_text(source_.figures.rates[0][most]),
                      head = percent_text(source_.figures.rates[1][most]);
    const uint32_t region =
        node(from).kind == InsideKind::kEntry ? parent_of(node(from).number) : region_of(node(from));
    Cause cause = new_cause(CauseKind::kBranch, region);
    const std::string inside = region == 0 ? "" : fmt::format(" (in the {})", source_.loops[region]);
    if (node(from).kind == InsideKind::kEntry) {
      cause.text = fmt::format("{} is left to {} {} of the time instead of {}", the_loop(node(from).number),
                               target_text(to), head, base);
    } else if (node(from).kind == InsideKind::kBlock) {
      cause.text = fmt::format("the branch at {} in {}{} goes to {} {} of the time instead of {} ({})",
                               place_text(node(from).number, true), source_.function, inside, target_text(to), head,
                               base, counts_text(times(0, from), times(1, from), "time", "times"));
      if (const uint64_t line = line_at(node(from).number, true).second) cause.line = line;
    } else {
      cause.text = fmt::format("{} begins at {} {} of the time instead of {}",
                               region == 0 ? source_.function : "an iteration of " + the_loop(region), target_text(to),
                               head, base);
    }
    return cause;
  }

  uint32_t parent_of(uint32_t region) const {
    const Region& of = opened().regions[region];
    return of.loops[1].empty() ? of.parent[0] : of.parent[1];
  }

  /// Of a block's last or first instruction; head's where it has the block.
  LineKey line_at(uint32_t block, bool last) const {
    for (const size_t side : {size_t{1}, size_t{0}}) {
      const ShapeBlock& one = opened().shapes[side].blocks[block];
      if (one.end == one.first) continue;
      const LineKey line =
          opened().line_of(side, opened().shapes[side].flow.instructions[last ? one.end - 1 : one.first]);
      if (line.second != 0) return line;
    }
    return {};
  }

  std::string place_text(uint32_t block, bool last) const {
    const LineKey line = line_at(block, last);
    if (line.second != 0) return fmt::format("{}:{}", line.first, line.second);
    return fmt::format("{:#x}", opened().shapes[1].blocks[block].address + opened().shifts[1]);
  }

  std::string target_text(uint32_t to) const {
    if (node(to).kind == InsideKind::kEntry) return "the " + source_.loops[node(to).number];
    const LineKey line = line_at(node(to).number, false);
    if (line.second != 0 && line.first == base_of_path(source_.file)) return fmt::format("line {}", line.second);
    return place_text(node(to).number, false);
  }

  const InsideSource& source_;
  std::vector<std::pair<Key, InsideCause>> found_;
};

}  // namespace

std::vector<std::string> loop_names(const OpenedFunction& opened) {
  std::vector<LoopPlace> places(1);
  std::vector<int> depths(1, 0);
  std::map<std::string, std::vector<uint32_t>> regions_at;
  for (uint32_t r = 1; r < opened.regions.size(); ++r) {
    const size_t side = opened.regions[r].loops[1].empty() ? 0 : 1;
    places.push_back(opened.place_of(r));
    depths.push_back(opened.shapes[side].loops[opened.regions[r].loops[side].front()].depth);
    regions_at[places.back().text()].push_back(r);
  }
  std::vector<std::string> names(opened.regions.size());
  for (const auto& [text, regions] : regions_at)
    for (const uint32_t r : regions) {
      names[r] = "loop at " + text;
      if (regions.size() == 1 || places[r].first_line == 0) continue;
      const auto same_depth =
          std::count_if(regions.begin(), regions.end(), [&](uint32_t other) { return depths[other] == depths[r]; });
      names[r] +=
          same_depth > 1 ? fmt::format(" ({:#x})", places[r].address) : fmt::format(" (nested {} deep)", depths[r]);
    }
  return names;
}

std::vector<CauseLine> lines_of_region(const OpenedFunction& opened, uint32_t region,
                                       const std::array<long double, 2>& times) {
  std::map<std::pair<LineKey, bool>, CauseLine> lines;  // whether the line is base's alone
  for (size_t side = 0; side < 2; ++side) {
    if (times[side] <= 0) continue;
    const FunctionShape& shape = opened.shapes[side];
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      if (opened.region_of(side, b) != region) continue;
      const long double part = iteration_part(opened, side, region, b);
      for (uint32_t i = shape.blocks[b].first; i < shape.blocks[b].end; ++i) {
        const Instruction& one = shape.flow.instructions[i];
        LineKey key = opened.line_of(side, one);
        bool alone = false;
        if (side == 0) {
          const auto there = opened.lines.find(key);
          alone = there == opened.lines.end();
          if (!alone) key = there->second;
        }
        CauseLine& line = lines[{key, alone}];
        line.file = key.first;
        line.line = key.second;
        (side == 0 ? line.base : line.head) +=
            static_cast<double>(static_cast<long double>(one.self) * part / times[side]);
      }
    }
  }
  std::vector<CauseLine> changed;
  for (auto& [key, line] : lines)
    if (std::abs(line.head - line.base) > kNoChange) changed.push_back(std::move(line));
  std::stable_sort(changed.begin(), changed.end(), [](const CauseLine& a, const CauseLine& b) {
    return std::abs(a.head - a.base) > std::abs(b.head - b.base);
  });
  return changed;
}

std::vector<InsideCause> make_inside_causes(const InsideSource& source) { return CauseWriter(source).write(); }

}  // namespace icount
