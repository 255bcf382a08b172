#include "icount/explain/inside/inside_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/inside/inside_graph.h"
#include "icount/explain/match/node_names.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

// The parts of so many loops and branches are told, the largest.
constexpr size_t kMostParted = 8;

class CauseWriter : InsideNames {
 public:
  explicit CauseWriter(const InsideSource& source) : InsideNames(source) {}

  std::vector<InsideCause> write() {
    const InsideGraph& graph = source_.graph;
    for (uint32_t n = 0; n < graph.nodes.size(); ++n)
      if (source_.figures.node_terms[n] != 0) add_own(n);
    std::map<uint32_t, std::vector<uint32_t>> shares;
    const std::vector<long double> terms = edge_terms();
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      const InsideEdge& edge = graph.edges[e];
      if (edge.is_share) {
        shares[edge.from].push_back(e);
      } else if (terms[e] != 0) {
        add(key_of(edge.from, edge.to), terms[e], edge_cause(e), told_edges(e));
      }
    }
    for (const auto& [from, edges] : shares) add_branch(from, edges);
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
    add_parts();
    std::vector<InsideCause> causes;
    for (Found& found : found_) causes.push_back(std::move(found.cause));
    return causes;
  }

 private:
  using Key = std::tuple<InsideKind, uint32_t, InsideKind, uint32_t, int, std::vector<std::string_view>>;

  Key key_of(uint32_t from, uint32_t to, int kind = 0) const {
    return {node(from).kind,
            node(from).number,
            to == 0 ? InsideKind::kBody : node(to).kind,
            to == 0 ? 0 : node(to).number,
            to == 0 ? kind : 1,
            {}};
  }

  /// The terms of edges. A loop that iterates more per entry and is entered more often is told once, by its iterations,
  /// where these come to more.
  std::vector<long double> edge_terms() {
    const std::vector<InsideEdge>& edges = source_.graph.edges;
    std::vector<long double> terms = source_.figures.edge_terms;
    std::map<uint32_t, uint32_t> turns;  // of a loop's entry: the edge to its iterations
    for (uint32_t e = 0; e < edges.size(); ++e)
      if (node(edges[e].from).kind == InsideKind::kEntry && node(edges[e].to).kind == InsideKind::kIteration)
        turns[edges[e].from] = e;
    for (uint32_t e = 0; e < edges.size(); ++e) {
      const auto loop = turns.find(edges[e].to);
      if (loop == turns.end() || edges[e].is_share || edges[e].times[0] == 0 || edges[e].times[1] == 0) continue;
      const long double of_turns = source_.figures.edge_terms[loop->second];
      if (terms[e] * of_turns > 0 && std::abs(terms[e]) <= std::abs(of_turns)) {
        terms[loop->second] += std::exchange(terms[e], 0);
        told_with_[loop->second].push_back(e);
      }
    }
    return terms;
  }

  /// The edges whose terms the cause of `e` has; none of calls, which have no parts.
  std::vector<uint32_t> told_edges(uint32_t e) const {
    if (node(source_.graph.edges[e].to).kind == InsideKind::kCallee) return {};
    std::vector<uint32_t> edges = {e};
    if (const auto others = told_with_.find(e); others != told_with_.end())
      edges.insert(edges.end(), others->second.begin(), others->second.end());
    return edges;
  }

  /// What the leading loops and branches are made of.
  void add_parts() {
    std::vector<long double> values;
    for (const Found& found : found_) values.push_back(found.edges.empty() ? 0 : found.cause.value);
    std::vector<uint32_t> order = by_magnitude(values);
    if (order.size() > kMostParted) order.resize(kMostParted);
    for (const uint32_t i : order)
      if (!found_[i].edges.empty())
        found_[i].cause.parts = make_inside_parts(source_, found_[i].cause, found_[i].edges);
  }

  /// Own cost, by the inlined functions that it is of where that is known and says more.
  void add_own(uint32_t n) {
    const long double term = source_.figures.node_terms[n];
    const std::array<long double, 2> cost = {source_.figures.own_cost[0][n], source_.figures.own_cost[1][n]};
    std::vector<InlinedPart> parts;
    if (node(n).kind == InsideKind::kBody || node(n).kind == InsideKind::kIteration)
      parts = split_by_inlined(opened(), region_of(node(n)), {times(0, n), times(1, n)}, cost);
    std::erase_if(parts, [](const InlinedPart& part) { return part.cost[0] == part.cost[1]; });
    if (parts.empty() || is_loops_own(n, parts)) return add(key_of(n, 0), term, own_cost_cause(*this, n));
    for (const InlinedPart& part : parts) {
      Key key = key_of(n, 0);
      std::get<5>(key) = part.path;
      add(key, term * (part.cost[1] - part.cost[0]) / (cost[1] - cost[0]), inlined_part_cause(*this, n, part));
    }
  }

  /// All of it is of the inlined function that the loop is told to be in.
  bool is_loops_own(uint32_t n, const std::vector<InlinedPart>& parts) const {
    const auto inlined = opened().inlined_of(region_of(node(n)));
    return parts.size() == 1 && inlined && inlined->name == parts.front().function.name;
  }

  void add(const Key& key, long double value, Cause cause, std::vector<uint32_t> edges = {}) {
    found_.push_back({key, {value, std::move(cause)}, std::move(edges)});
  }

  Cause edge_cause(uint32_t e) const {
    const InsideEdge& edge = source_.graph.edges[e];
    if (node(edge.to).kind == InsideKind::kCallee) return call_cause(e);
    if (node(edge.to).kind == InsideKind::kEntry) return loop_entry_cause(edge, node(edge.to).number, rates(e));
    if (node(edge.to).kind == InsideKind::kBlock) {  // nothing that was recorded leads there
      Cause cause = new_cause(CauseKind::kBranch, region_of(node(edge.to)));
      cause.facts =
          fact::ReachedCode{place_text(node(edge.to).number, false), source_.function, source_.in_total, rates(e)};
      return cause;
    }
    const uint32_t region = node(edge.to).number;
    Cause cause = new_cause(CauseKind::kIterations, region);
    cause.facts = fact::Iterations{loop_name(region), opened().is_knot(region), rates(e), both_times(edge.from)};
    return cause;
  }

  fact::Rates rates(uint32_t e) const { return {source_.figures.rates[0][e], source_.figures.rates[1][e]}; }

  Cause call_cause(uint32_t e) const {
    const InsideEdge& edge = source_.graph.edges[e];
    Cause cause = new_cause(CauseKind::kCalls, region_of(node(edge.from)));
    cause.function.clear();
    cause.caller = source_.function_field;
    const CalleeName& name = source_.callees.at(node(edge.to).number);
    cause.callee = name.in_field;
    cause.facts = fact::InsideCalls{
        .doer = doer(edge.from),
        .in_total = source_.in_total,
        .callee = name.in_sentence,
        .entry = is_part_of_allocator(cause.caller, {}) ? AllocatorEntry::kNone : allocator_entry_of(cause.callee),
        .rate = rates(e),
        .calls = edge.times};
    const uint32_t region = region_of(node(edge.from));
    tell_call_site(cause, node(edge.to).number, region);
    set_line(cause, line_of_calls(opened(), source_.of_callee, node(edge.to).number, region));
    return cause;
  }

  void tell_call_site(Cause& cause, uint32_t callee, uint32_t region) const {
    const auto inlined = inlined_around_calls(opened(), source_.of_callee, callee, region);
    if (!inlined) return;
    cause.remarks.push_back({.kind = Remark::Kind::kInlined, .inlined = *inlined});
  }

  /// A loop that is all that a block leads to: it prepares it, and may have the line of whatever stands before it.
  std::optional<uint32_t> loop_behind(uint32_t block) const {
    const auto& edges = source_.graph.edges;
    const auto on = std::lower_bound(edges.begin(), edges.end(), block,
                                     [](const InsideEdge& edge, uint32_t from) { return edge.from < from; });
    if (node(block).kind != InsideKind::kBlock || on == edges.end() || on->from != block) return std::nullopt;
    if ((on + 1 != edges.end() && (on + 1)->from == block) || node(on->to).kind != InsideKind::kEntry)
      return std::nullopt;
    return node(on->to).number;
  }

  Cause loop_entry_cause(const InsideEdge& edge, uint32_t region, const fact::Rates& rate) const {
    Cause cause = new_cause(CauseKind::kLoopEntry, region);
    fact::LoopEntry facts{.doer = doer(edge.from),
                          .in_total = source_.in_total,
                          .loop = source_.loops[region],
                          .rate = rate,
                          .entries = edge.times};
    if (node(edge.from).kind == InsideKind::kEntry) {  // behind its last test, as behind an iteration
      facts.doer.kind = fact::Doer::Kind::kIteration;
    }
    if (const auto inlined = opened().entered_by(region, region_of(node(edge.from)))) {
      facts.inlined = icount::quoted(inlined->name);
      facts.inlined_line = inlined->line;
    }
    cause.facts = std::move(facts);
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
    const bool leads_to_callee = std::any_of(edges.begin(), edges.end(), [&](uint32_t e) {
      return node(source_.graph.edges[e].to).kind == InsideKind::kCallee;
    });
    add(key_of(from, 0, 2), sum, branch_cause(from, most), leads_to_callee ? std::vector<uint32_t>() : edges);
  }

  Cause branch_cause(uint32_t from, uint32_t most) const {
    const uint32_t to = source_.graph.edges[most].to;
    if (const auto loop = loop_behind(to); loop && node(from).kind == InsideKind::kBlock)
      return loop_entry_cause(source_.graph.edges[most], *loop, rates(most));
    const uint32_t region =
        node(from).kind == InsideKind::kEntry ? parent_of(node(from).number) : region_of(node(from));
    Cause cause = new_cause(CauseKind::kBranch, region);
    if (node(from).kind == InsideKind::kEntry) {
      cause.facts = fact::LeftTo{loop_name(node(from).number), target(to), rates(most)};
    } else if (node(from).kind == InsideKind::kBlock) {
      cause.facts = fact::Branch{.place = place_text(node(from).number, true),
                                 .function = source_.function,
                                 .loop = region == 0 ? std::string() : source_.loops[region],
                                 .target = target(to),
                                 .rate = rates(most),
                                 .times = both_times(from)};
      auto& branch = std::get<fact::Branch>(cause.facts);
      branch.stays_on_line = !branch.target.is_loop && branch.target.place == branch.place;
      set_line(cause, line_of_block(opened(), node(from).number, true, &OpenedFunction::own_line_of));
    } else {
      cause.facts = fact::Begins{begins(region), target(to), rates(most)};
    }
    return cause;
  }

  fact::Doer begins(uint32_t region) const {
    if (region == 0) return {.function = source_.function};
    return {.kind = fact::Doer::Kind::kIteration, .function = source_.function, .loop = loop_name(region)};
  }

  struct Found {
    Key key;
    InsideCause cause;
    std::vector<uint32_t> edges;  // whose terms it has, of a loop or a branch
  };
  std::vector<Found> found_;
  std::map<uint32_t, std::vector<uint32_t>> told_with_;  // edges whose terms are told with another one's
};

}  // namespace

std::vector<InsideCause> make_inside_causes(const InsideSource& source) { return CauseWriter(source).write(); }

Cause InsideNames::new_cause(CauseKind kind, uint32_t region) const {
  Cause cause;
  cause.kind = kind;
  cause.function = source_.function_field;
  cause.file = source_.file;
  cause.object = source_.object;
  cause.line = source_.line;
  if (region == 0) return cause;
  const LoopPlace place = opened().place_of(region);
  const Region& of = opened().regions[region];
  const size_t side = of.loops[1].empty() ? 0 : 1;
  cause.loop = {place.file, place.first_line, place.last_line, place.address,
                opened().shapes[side].loops[of.loops[side].front()].depth};
  cause.entries = of.entries;
  cause.iterations = of.iterations;
  LineKey at{place.file, place.first_line};
  const FunctionShape& shape = opened().shapes[side];
  const ShapeBlock& header = shape.blocks[shape.loops[of.loops[side].front()].header];
  // A library's loop lies where the program's own code leads to it.
  if (place.file != base_of_path(source_.file) && header.first != header.end) {
    const Instruction& top = shape.flow.instructions[header.first];
    if (const LineKey own = opened().own_line_of(side, top); own != opened().line_of(side, top)) at = own;
  }
  set_line(cause, at);
  cause.inlined = opened().inlined_of(region);
  return cause;
}

void InsideNames::set_line(Cause& cause, LineKey place) const {
  const auto& [file, line] = place;
  if (line == 0) return;
  cause.line = line;
  cause.file = file == base_of_path(source_.file) ? source_.file : std::string(file);
}

fact::LoopName InsideNames::loop_name(uint32_t region) const {
  const auto inlined = opened().inlined_of(region);
  fact::LoopName name{source_.loops[region], inlined ? icount::quoted(inlined->name) : std::string(), source_.function};
  if (!opened().regions[region].replaced) return name;
  const auto before = opened().inlined_of(region, 0);
  name.instead_of = "loop at " + opened().replaced_place(region).text();
  if (before && (!inlined || before->name != inlined->name)) name.instead_of_inlined = icount::quoted(before->name);
  return name;
}

uint32_t InsideNames::region_of(const InsideNode& one) const {
  if (one.kind == InsideKind::kBlock) return opened().region_of(1, one.number);
  return one.kind == InsideKind::kEntry || one.kind == InsideKind::kIteration ? one.number : 0;
}

bool InsideNames::is_statement(uint32_t n) const {
  return node(n).kind == InsideKind::kIteration && opened().regions[node(n).number].measuring;
}

fact::Doer InsideNames::doer(uint32_t n) const {
  using Kind = fact::Doer::Kind;
  fact::Doer doer{.function = source_.function, .has_loops = opened().regions.size() > 1};
  switch (node(n).kind) {
    case InsideKind::kIteration:
      doer.kind = is_statement(n) ? Kind::kRun : Kind::kIteration;
      doer.loop = loop_name(node(n).number);
      break;
    case InsideKind::kEntry:
      doer.kind = opened().regions[node(n).number].reshaped ? Kind::kLoop : Kind::kLastTest;
      doer.loop = loop_name(node(n).number);
      break;
    case InsideKind::kBlock:
      doer.kind = Kind::kCode;
      doer.place = place_text(node(n).number, true);
      break;
    case InsideKind::kBody:
    case InsideKind::kCallee:
      break;
  }
  return doer;
}

uint32_t InsideNames::parent_of(uint32_t region) const {
  const Region& of = opened().regions[region];
  return of.loops[1].empty() ? of.parent[0] : of.parent[1];
}

std::string InsideNames::place_text(uint32_t block, bool last) const {
  const LineKey line = line_of_block(opened(), block, last);
  if (line.second != 0) return fmt::format("{}:{}", line.first, line.second);
  return fmt::format("{:#x}", opened().shapes[1].blocks[block].address + opened().shifts[1]);
}

fact::Target InsideNames::target(uint32_t to) const {
  if (node(to).kind == InsideKind::kEntry) return {.is_loop = true, .place = source_.loops[node(to).number]};
  const LineKey line = line_of_block(opened(), node(to).number, false);
  const bool in_file = line.second != 0 && line.first == base_of_path(source_.file);
  return {.place = place_text(node(to).number, false), .line = in_file ? line.second : 0};
}

namespace {

Cause calls_there(const InsideSource& source, const Cause& whole, const CalleeName& callee, long double calls) {
  Cause cause = whole;
  cause.kind = CauseKind::kCalls;
  cause.function.clear();
  cause.caller = source.function_field;
  cause.callee = callee.in_field;
  cause.facts = fact::CallsThere{callee.in_sentence, static_cast<int64_t>(std::llround(calls))};
  cause.remarks.clear();
  return cause;
}

Cause self_cost_there(const Cause& whole) {
  Cause cause = whole;
  cause.kind = CauseKind::kOwnCost;
  cause.facts = fact::SelfCostThere{};
  cause.remarks.clear();
  return cause;
}

}  // namespace

std::vector<InsideCause> make_inside_parts(const InsideSource& source, const InsideCause& whole,
                                           const std::vector<uint32_t>& edges) {
  const InsideContents contents = contents_behind(source.graph, source.figures, edges);
  long double of_calls = 0;
  std::map<std::pair<std::string, std::string>, CallsBehind> by_name;
  for (const auto& [callee, calls] : contents.calls) {
    if (calls.value == 0) continue;
    of_calls += std::abs(calls.value);
    const CalleeName& name = source.callees.at(callee);
    CallsBehind& of_name = by_name[{name.in_field, name.in_sentence}];
    of_name.value += calls.value;
    of_name.calls += calls.calls;
  }
  std::vector<InsideCause> parts;
  if (of_calls < kHardly * std::abs(whole.value) || by_name.empty()) return parts;
  if (contents.own_cost != 0) parts.push_back({contents.own_cost, self_cost_there(whole.cause)});
  for (const auto& [name, calls] : by_name)
    parts.push_back({calls.value, calls_there(source, whole.cause, {name.second, name.first}, calls.calls)});
  return parts;
}

namespace {

// The lines that count.
constexpr size_t kLeadingLines = 4;

/// Whether it is known on which lines the code is that changed most.
bool have_lines(const std::vector<CauseLine>& lines) {
  const auto change = [](const CauseLine& line) { return std::abs(line.head - line.base); };
  for (size_t i = 0; i < lines.size() && i < kLeadingLines && change(lines[i]) >= kLittle * change(lines[0]); ++i)
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
    if (part.is_of_library) {
      set_line(cause, {base_of_path(source_.file), part.call_line});
      cause.is_line_of_base = false;
    }
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
    set_line(cause, {file, cause.lines.front().line});
    cause.is_line_of_base = cause.lines.front().head == 0;
  }
};

}  // namespace

Cause own_cost_cause(const InsideNames& names, uint32_t n) { return OwnCostTeller(names).own_cause(n); }

Cause inlined_part_cause(const InsideNames& names, uint32_t n, const InlinedPart& part) {
  return OwnCostTeller(names).part_cause(n, part);
}

}  // namespace icount
