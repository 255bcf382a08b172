#include "icount/explain/places/share_out.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/function_code.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/shapes/code_flow.h"

namespace icount {
namespace {

/// Where a function's instructions lie behind its beginning, as one side ran them. `ends` has, of those that the next
/// one follows for certain, where that begins.
struct Offsets {
  std::vector<uint64_t> begins;
  std::vector<std::pair<uint64_t, uint64_t>> ends;
};

/// Whether both sides may have run the same instructions: none of one side begins within one of the other, and half of
/// those of the side that ran fewer begin on both. Other code has other lengths, which shift what follows.
bool is_same_code(Offsets& base, Offsets& head) {
  if (base.begins.empty() || head.begins.empty()) return false;
  for (Offsets* const side : {&base, &head}) std::sort(side->begins.begin(), side->begins.end());
  for (const auto& [ends, begins] : {std::pair(&base.ends, &head.begins), std::pair(&head.ends, &base.begins)})
    for (const auto& [begin, end] : *ends)
      if (const auto inside = std::upper_bound(begins->begin(), begins->end(), begin);
          inside != begins->end() && *inside < end)
        return false;
  std::vector<uint64_t> common;
  std::set_intersection(base.begins.begin(), base.begins.end(), head.begins.begin(), head.begins.end(),
                        std::back_inserter(common));
  return common.size() * 2 >= std::min(base.begins.size(), head.begins.size());
}

/// What a row's chain follows from.
struct RowPlace {
  uint64_t line = 0;
  uint32_t file = 0, inlined = 0;
  bool operator==(const RowPlace&) const = default;
};

/// Lines and files are small numbers: each is spread by itself before they meet.
uint64_t mixed(uint64_t a, uint64_t b) {
  a *= 0x9E3779B97F4A7C15u;
  return (a ^ a >> 32) + b * 0xC2B2AE3D27D4EB4Fu;
}

struct HashPlace {
  size_t operator()(const RowPlace& place) const {
    return mixed(place.line, uint64_t{place.inlined} << 32 | place.file);
  }
};

struct HashChain {
  size_t operator()(const PlaceChain& chain) const {
    uint64_t hash = chain.size();
    for (const PlaceFrame& frame : chain) hash = mixed(hash, mixed(frame.line, frame.file));
    return hash;
  }
};

// Calls of a function with more lines, and after so many lines in all, are told by the line that makes them.
constexpr size_t kLargestBody = 1'000, kMostOpened = 200'000;

struct Weight {
  uint32_t function = 0, callee = PlacedShare::kNone, chain = 0;
  long double value = 0;
  int64_t cost = 0;  ///< of calls, below them; 0: not known
};

class TermSharer {
 public:
  explicit TermSharer(const JoinedGraph& joined) : joined_(joined) {
    name_functions();
    for (size_t side = 0; side < 2; ++side) {
      placed_.chains[side].emplace_back();
      numbers_[side].emplace(PlaceChain{}, 0);
      read_side(side);
    }
    find_calls();
  }

  PlacedChange share_out(const OpenedFlow& flow) {
    collect_sites(flow.condensed);
    for (const Term& term : flow.figures.terms) {
      switch (term.kind) {
        case TermKind::kOwnCost:
          share_own_cost(flow, term);
          break;
        case TermKind::kCalls:
          share_calls(flow, term);
          break;
        case TermKind::kEntry:
          add_share({.of = PlacedShare::Of::kEntry,
                     .side = static_cast<uint8_t>(term.value > 0 ? 1 : 0),
                     .function = flow.condensed.members[term.index].front(),
                     .value = term.value});
      }
    }
    return finish();
  }

  PlacedChange share_out_totals() {
    for (uint32_t node = 0; node < joined_.functions.size(); ++node) {
      const BothSides& self = joined_.flow.nodes[node].self;
      if (self[0] == self[1]) continue;
      share(PlacedShare::Of::kOwnCost, node, {&own_[0][node], &own_[1][node]},
            {static_cast<long double>(self[0]), static_cast<long double>(self[1])}, false);
    }
    return finish();
  }

 private:
  using Weights = std::vector<Weight>;
  using Body = std::vector<std::pair<PlaceChain, long double>>;
  using Parts = std::array<long double, 2>;

  void name_functions() {
    for (const JoinedFunction& function : joined_.functions) {
      PlacedFunction& one = placed_.functions.emplace_back();
      one.name = function.name;
      one.object = function.object;
      for (size_t side = 0; side < 2; ++side)
        if (function.folded[side] != kNoFunction)
          one.files[side] = joined_.sides[side]->functions[function.folded[side]].file;
    }
  }

  uint32_t file_number(std::string_view name) {
    const auto [at, fresh] = files_.try_emplace(std::string(name), static_cast<uint32_t>(placed_.files.size()));
    if (fresh) placed_.files.emplace_back(name);
    return at->second;
  }

  uint32_t chain_number(size_t side, PlaceChain chain) {
    const auto [at, fresh] = numbers_[side].try_emplace(chain, static_cast<uint32_t>(placed_.chains[side].size()));
    if (fresh) placed_.chains[side].push_back(std::move(chain));
    return at->second;
  }

  /// What a side recorded by line: of functions with addresses by chain, of others by line alone.
  void read_side(size_t side) {
    const FoldedGraph& folded = *joined_.sides[side];
    const CostGraph& graph = *folded.graph;
    own_[side].resize(joined_.functions.size());
    inlined_in_[side].resize(joined_.functions.size());
    offsets_.resize(joined_.functions.size());
    std::vector<bool> has_code(graph.functions.size(), false);
    placed_.knows_lines[side] = !graph.lines.empty();
    if (graph.code) {
      read_code(side, *graph.code, has_code);
      placed_.knows_inlined[side] = knows_inlined(graph);
    }
    std::vector<uint32_t> numbers(graph.strings.size(), PlacedShare::kNone);
    for (size_t i = 0; i < graph.lines.size(); ++i) {
      const LineRow& row = graph.lines[i];
      const int64_t cost = graph.line_self[i * graph.events.size() + folded.event];
      uint32_t& file = numbers[row.file];
      if (file == PlacedShare::kNone) file = file_number(graph.strings.view(row.file));
      if (row.line != 0) placed_.line_costs[side].push_back({{file, row.line}, cost});
      if (has_code[row.function]) continue;
      const uint32_t node = joined_.node_of[side][folded.folded_of[row.function]];
      const uint32_t chain = row.line == 0 ? 0 : chain_number(side, {{file, row.line}});
      own_[side][node].push_back({node, PlacedShare::kNone, chain, static_cast<long double>(cost)});
      if (chain != 0) executed_.push_back({{node, chain, -1}, 0});
    }
    join_executed(placed_.executed[side]);
  }

  /// Whether the inlined calls around every line are known: a function of an object that was not read shows lines
  /// alone.
  static bool knows_inlined(const CostGraph& graph) {
    bool some = false;
    for (const FunctionCode& function : graph.code->functions) {
      if (std::none_of(function.rows.begin(), function.rows.end(), [](const CodeRow& row) { return row.line != 0; }))
        continue;
      const CodeObject* const object = find_object(*graph.code, graph.object(function.function));
      if (!object || !object->has_names) return false;
      some = true;
    }
    return some;
  }

  void read_code(size_t side, const ProfileCode& code, std::vector<bool>& has_code) {
    const FoldedGraph& folded = *joined_.sides[side];
    std::vector<uint32_t> numbers;
    for (const std::string& file : code.files) numbers.push_back(file_number(file));
    for (const FunctionCode& function : code.functions) {
      if (function.rows.empty()) continue;
      has_code[function.function] = true;
      const uint32_t node = joined_.node_of[side][folded.folded_of[function.function]];
      const uint32_t own_file = file_number(folded.graph->file(function.function));
      std::unordered_map<RowPlace, uint32_t, HashPlace> known;
      std::vector<uint32_t> chains;
      for (const CodeRow& row : function.rows) {
        const auto [at, fresh] = known.try_emplace({row.line, row.file, row.inlined}, 0);
        if (fresh) at->second = chain_number(side, chain_of(code, row, numbers, own_file));
        chains.push_back(at->second);
      }
      uint64_t begin = function.rows.front().address;
      int64_t most = -1;
      for (const CodeEntry& entry : function.entries)
        if (!entry.by_jump && entry.times > most) std::tie(begin, most) = std::pair(entry.to, entry.times);
      const std::vector<int64_t> executions = executions_of(function, code.events, folded.event);
      for (size_t i = 0; i < function.rows.size(); ++i) {
        const auto cost = static_cast<long double>(function.self[i * code.events + folded.event]);
        own_[side][node].push_back({node, PlacedShare::kNone, chains[i], cost});
        if (function.rows[i].inlined != 0) inlined_in_[side][node].insert(function.rows[i].inlined);
        if (chains[i] != 0) executed_.push_back({{node, chains[i], executions[i]}, function.rows[i].address});
      }
      add_offsets(function, begin, hash64(folded.graph->name(function.function)) << 32, offsets_[node][side]);
      for (const CodeJump& jump : function.jumps)
        if (jump.to_function != kUnknownFunction && jump.followed > 0)
          placed_.calls.emplace_back(node, joined_.node_of[side][folded.folded_of[jump.to_function]]);
      for (const CodeEntry& entry : function.entries)
        if (entry.from_function != kUnknownFunction)
          placed_.calls.emplace_back(joined_.node_of[side][folded.folded_of[entry.from_function]], node);
      for (size_t i = 0; i < function.calls.size(); ++i) {
        const CodeCall& call = function.calls[i];
        if (call.callee == kUnknownFunction) continue;
        const auto row = std::lower_bound(function.rows.begin(), function.rows.end(), call.from,
                                          [](const CodeRow& one, uint64_t address) { return one.address < address; });
        const bool found = row != function.rows.end() && row->address == call.from;
        const uint32_t chain = found ? chains[static_cast<size_t>(row - function.rows.begin())] : 0;
        const uint32_t callee = joined_.node_of[side][folded.folded_of[call.callee]];
        const int64_t cost = function.call_costs.empty() ? 0 : function.call_costs[i * code.events + folded.event];
        sites_[side][key_of(node, callee)].push_back({chain, call.calls, cost});
      }
    }
  }

  /// By row: as often as control came there, where the row has steps through a linkage table or repetitions, too.
  static std::vector<int64_t> executions_of(const FunctionCode& function, size_t events, size_t event) {
    const FunctionCode* const piece = &function;
    const CodeFlow flow = make_code_flow(
        {&piece, 1}, events, event, function.function, [](FunctionIndex f) { return f; },
        [](FunctionIndex, FunctionIndex) { return true; });
    std::vector<int64_t> executions;
    auto at = flow.instructions.begin();
    for (const CodeRow& row : function.rows) {
      while (at != flow.instructions.end() && at->address < row.address) ++at;
      const bool is_known = at != flow.instructions.end() && at->address == row.address;
      executions.push_back(is_known ? std::min(row.executions, at->executions) : row.executions);
    }
    return executions;
  }

  /// `piece`: what tells pieces of one function apart, in the upper half.
  static void add_offsets(const FunctionCode& function, uint64_t begin, uint64_t piece, Offsets& offsets) {
    constexpr uint64_t kLongest = 15;  // bytes of an instruction
    std::vector<uint64_t> jumps;
    for (const CodeJump& jump : function.jumps) jumps.push_back(jump.from);
    std::sort(jumps.begin(), jumps.end());
    const auto offset = [&](const CodeRow& row) { return piece + ((row.address - begin) & 0xFFFFFFFFu); };
    for (size_t i = 0; i < function.rows.size(); ++i) {
      const CodeRow& row = function.rows[i];
      offsets.begins.push_back(offset(row));
      if (i + 1 == function.rows.size()) break;
      const CodeRow& next = function.rows[i + 1];
      if (next.address - row.address <= kLongest && next.executions == row.executions &&
          !std::binary_search(jumps.begin(), jumps.end(), row.address))
        offsets.ends.emplace_back(offset(row), offset(next));
    }
  }

  static PlaceChain chain_of(const ProfileCode& code, const CodeRow& row, const std::vector<uint32_t>& numbers,
                             uint32_t own_file) {
    PlaceChain chain;
    if (row.line != 0) chain.push_back({numbers[row.file], row.line});
    for (uint32_t at = row.inlined; at != 0;) {
      const InlinedCode& one = code.inlined[at - 1];
      const uint32_t around = one.outer == 0 ? own_file : numbers[code.inlined[one.outer - 1].file];
      if (one.call_line != 0) chain.push_back({around, one.call_line});
      at = one.outer;
    }
    return chain;
  }

  /// Each place of a function once, with its most executions. An instruction that is in several pieces of a function,
  /// the depths of a recursion, runs as often as in all of them.
  void join_executed(std::vector<ExecutedPlace>& places) {
    const auto key = [](const ExecutedRow& row) {
      return std::pair(uint64_t{row.place.function} << 32 | row.place.chain, row.address);
    };
    std::sort(executed_.begin(), executed_.end(),
              [&](const ExecutedRow& a, const ExecutedRow& b) { return key(a) < key(b); });
    for (size_t i = 0; i < executed_.size();) {
      ExecutedPlace place = executed_[i].place;
      const size_t first = i;
      while (++i < executed_.size() && key(executed_[i]) == key(executed_[first]))
        if (place.executions >= 0) place.executions = saturating_add(place.executions, executed_[i].place.executions);
      if (places.empty() || places.back().function != place.function || places.back().chain != place.chain)
        places.push_back(place);
      else
        places.back().executions = std::max(places.back().executions, place.executions);
    }
    executed_.clear();
  }

  void find_calls() {
    for (const FlowEdge& edge : joined_.flow.edges) placed_.calls.emplace_back(edge.caller, edge.callee);
    std::sort(placed_.calls.begin(), placed_.calls.end());
    placed_.calls.erase(std::unique(placed_.calls.begin(), placed_.calls.end()), placed_.calls.end());
    for (uint32_t node = 0; node < offsets_.size(); ++node) {
      auto& [base, head] = offsets_[node];
      placed_.functions[node].has_code = !base.begins.empty() && !head.begins.empty();
      placed_.functions[node].has_same_code = is_same_code(base, head);
    }
  }

  static uint64_t key_of(uint32_t caller, uint32_t callee) { return uint64_t{caller} << 32 | callee; }

  /// By edge of the condensed graph, the call sites of the functions that its nodes stand for.
  void collect_sites(const CondensedFlow& condensed) {
    const FlowGraph& graph = condensed.graph;
    for (auto& sites : edge_sites_) sites.resize(graph.edges.size());
    for (const FlowEdge& full : joined_.flow.edges) {
      const uint32_t caller = condensed.node_of[full.caller];
      for (const uint32_t callee : {condensed.entered_by[full.callee], condensed.node_of[full.callee]}) {
        const uint32_t number = graph.edge_between(caller, callee);
        if (number == FlowGraph::kNoEdge) continue;
        for (size_t side = 0; side < 2; ++side) add_sites(full, side, edge_sites_[side][number]);
        break;
      }
    }
    for (uint32_t edge = 0; edge < graph.edges.size(); ++edge)
      if (const auto side = only_side(graph.edges[edge])) {
        weigh_by_cost(edge_sites_[*side][edge]);
        open_sites(condensed, *side, edge_sites_[*side][edge]);
      }
  }

  /// Whether calls that one side alone makes are of code that the other side has elsewhere, or not at all: the lines
  /// behind them stand against those of the caller there.
  bool is_open(const CondensedFlow& condensed, size_t side, uint32_t caller, uint32_t callee) {
    if (condensed.members[condensed.node_of[callee]].size() > 1) return false;
    if (joined_.functions[callee].folded[1 - side] == kNoFunction) return true;
    const ProfileCode* const other = joined_.sides[1 - side]->graph->code.get();
    if (other == nullptr || inlined_in_[1 - side][caller].empty()) return false;
    if (!inlined_names_[1 - side]) inlined_names_[1 - side].emplace(*other);
    const std::vector<bool> inside = inlined_names_[1 - side]->inside(joined_.functions[callee].name);
    const std::set<uint32_t>& used = inlined_in_[1 - side][caller];
    return std::any_of(used.begin(), used.end(), [&](uint32_t inlined) { return inside[inlined]; });
  }

  /// A function's cost by what its lines do and call, as parts of the whole. Empty: too much, or not known.
  const Body& body_of(const CondensedFlow& condensed, size_t side, uint32_t function) {
    const auto [at, fresh] = bodies_[side].try_emplace(function);
    if (!fresh) return at->second;
    std::map<uint32_t, long double> own;
    for (const Weight& one : own_[side][function]) own[one.chain] += one.value;
    Body body;
    long double sum = 0;
    const auto add = [&](PlaceChain chain, long double value) {
      if (value <= 0) return;
      body.emplace_back(std::move(chain), value);
      sum += value;
    };
    for (const auto& [chain, value] : own) add(placed_.chains[side][chain], value);
    for (const FlowEdge& edge : joined_.flow.edges_of(function)) {
      if (edge.calls[side] == 0 || edge.callee == function) continue;
      Weights sites;
      add_sites(edge, side, sites);
      weigh_by_cost(sites);
      if (joined_.functions[edge.callee].folded[1 - side] == kNoFunction) open_sites(condensed, side, sites);
      long double all = 0;
      for (const Weight& site : sites) all += site.value;
      for (const Weight& site : sites)
        if (all > 0)
          add(placed_.chains[side][site.chain], static_cast<long double>(edge.inclusive[side]) * site.value / all);
    }
    if (body.size() > kLargestBody) body.clear();
    for (auto& [chain, part] : body) part /= sum;
    return bodies_[side][function] = std::move(body);
  }

  /// In place of each call the lines of what is called, inside of the call's.
  void open_sites(const CondensedFlow& condensed, size_t side, Weights& sites) {
    Weights opened;
    for (const Weight& site : sites) {
      const Body* const body =
          is_open(condensed, side, site.function, site.callee) ? &body_of(condensed, side, site.callee) : nullptr;
      if (body == nullptr || body->empty() || body->size() > kMostOpened - opened_) {
        opened.push_back(site);
        continue;
      }
      opened_ += body->size();
      const PlaceChain call = placed_.chains[side][site.chain];
      for (const auto& [chain, part] : *body) {
        Weight one = site;
        PlaceChain inside = chain;
        inside.insert(inside.end(), call.begin(), call.end());
        one.chain = chain_number(side, std::move(inside));
        one.value *= part;
        opened.push_back(one);
      }
    }
    sites = std::move(opened);
  }

  /// Calls that one side alone makes are told at what they cost: by site, where that is known of all.
  static void weigh_by_cost(Weights& sites) {
    if (!std::all_of(sites.begin(), sites.end(), [](const Weight& site) { return site.cost > 0; })) return;
    for (Weight& site : sites) site.value = static_cast<long double>(site.cost);
  }

  void add_sites(const FlowEdge& full, size_t side, Weights& weights) const {
    if (full.calls[side] == 0) return;
    const auto found = sites_[side].find(key_of(full.caller, full.callee));
    if (found == sites_[side].end()) {
      weights.push_back({full.caller, full.callee, 0, static_cast<long double>(full.calls[side])});
      return;
    }
    for (const Site& site : found->second)
      weights.push_back({full.caller, full.callee, site.chain, static_cast<long double>(site.calls), site.cost});
  }

  void share_own_cost(const OpenedFlow& flow, const Term& term) {
    const std::vector<uint32_t>& members = flow.condensed.members[term.index];
    const Decomposition& figures = flow.figures;
    std::vector<long double> values{term.value};
    if (members.size() > 1) values = member_terms(joined_.flow, flow, term);
    for (size_t m = 0; m < members.size(); ++m) {
      if (values[m] == 0) continue;
      Parts parts{};
      for (size_t side = 0; side < 2; ++side) {
        const auto self = static_cast<long double>(joined_.flow.nodes[members[m]].self[side]);
        const long double calls = figures.sides[side].calls[term.index];
        parts[side] = figures.fixed_self[term.index] || calls <= 0
                          ? self
                          : self / calls * figures.own_cost_calls[side][term.index];
      }
      share(PlacedShare::Of::kOwnCost, members[m], {&own_[0][members[m]], &own_[1][members[m]]},
            settle(parts, values[m]), false);
    }
  }

  void share_calls(const OpenedFlow& flow, const Term& term) {
    const FlowEdge& edge = flow.condensed.graph.edges[term.index];
    Parts rates{};
    for (size_t side = 0; side < 2; ++side)
      rates[side] = flow.figures.fixed_calls[term.index] ? static_cast<long double>(edge.calls[side])
                                                         : flow.figures.sides[side].calls_per_call[term.index];
    const long double change = rates[1] - rates[0];
    Parts parts{};
    if (std::abs(change) > 1e-9L * std::max(rates[0], rates[1]) && (change > 0) == (term.value > 0))
      parts = {term.value / change * rates[0], term.value / change * rates[1]};
    share(PlacedShare::Of::kCalls, flow.condensed.members[edge.caller].front(),
          {&edge_sites_[0][term.index], &edge_sites_[1][term.index]}, settle(parts, term.value),
          only_side(edge).has_value());
  }

  /// Head's part less base's made `value`: what is missing goes to the side that it speaks of.
  static Parts settle(Parts parts, long double value) {
    const long double missing = value - (parts[1] - parts[0]);
    if (missing > 0)
      parts[1] += missing;
    else
      parts[0] -= missing;
    return parts;
  }

  void share(PlacedShare::Of of, uint32_t function, std::array<const Weights*, 2> weights, const Parts& parts,
             bool is_of_one_side) {
    for (size_t side = 0; side < 2; ++side) {
      const long double part = side == 0 ? -parts[0] : parts[1];
      if (part == 0) continue;
      long double sum = 0;
      for (const Weight& one : *weights[side]) sum += one.value;
      PlacedShare share{.of = of,
                        .side = static_cast<uint8_t>(side),
                        .is_of_one_side = is_of_one_side,
                        .function = function,
                        .value = part};
      if (sum <= 0) {
        add_share(share);
        continue;
      }
      for (const Weight& one : *weights[side]) {
        if (one.value == 0) continue;
        share.function = one.function;
        share.callee = one.callee;
        share.chain = one.chain;
        share.value = part * (one.value / sum);
        add_share(share);
      }
    }
  }

  void add_share(const PlacedShare& share) { placed_.shares.push_back(share); }

  /// Shares of one place as one.
  PlacedChange finish() {
    const auto key = [](const PlacedShare& share) {
      return std::tuple(share.of, share.function, share.callee, share.side, share.chain, share.is_of_one_side);
    };
    std::stable_sort(placed_.shares.begin(), placed_.shares.end(),
                     [&](const PlacedShare& a, const PlacedShare& b) { return key(a) < key(b); });
    size_t kept = 0;
    for (const PlacedShare& share : placed_.shares) {
      if (kept > 0 && key(placed_.shares[kept - 1]) == key(share))
        placed_.shares[kept - 1].value += share.value;
      else
        placed_.shares[kept++] = share;
    }
    placed_.shares.resize(kept);
    return std::move(placed_);
  }

  struct Site {
    uint32_t chain = 0;
    int64_t calls = 0, cost = 0;
  };

  const JoinedGraph& joined_;
  PlacedChange placed_;
  std::unordered_map<std::string, uint32_t> files_;
  std::array<std::unordered_map<PlaceChain, uint32_t, HashChain>, 2> numbers_;
  struct ExecutedRow {
    ExecutedPlace place;
    uint64_t address = 0;
  };
  std::vector<ExecutedRow> executed_;        // of the side that is read
  std::array<std::vector<Weights>, 2> own_;  // by function
  std::vector<std::array<Offsets, 2>> offsets_;
  std::array<std::unordered_map<uint64_t, std::vector<Site>>, 2> sites_;
  std::array<std::vector<Weights>, 2> edge_sites_;             // by edge of the condensed graph
  std::array<std::vector<std::set<uint32_t>>, 2> inlined_in_;  // by function: CodeRow::inlined of its code
  std::array<std::optional<InlinedNames>, 2> inlined_names_;
  std::array<std::unordered_map<uint32_t, Body>, 2> bodies_;  // by function
  size_t opened_ = 0;                                         // lines
};

}  // namespace

PlacedChange share_out_terms(const JoinedGraph& joined, const OpenedFlow& flow) {
  return TermSharer(joined).share_out(flow);
}

PlacedChange share_out_totals(const JoinedGraph& joined) { return TermSharer(joined).share_out_totals(); }

}  // namespace icount
