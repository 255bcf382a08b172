#include "icount/explain/claims/term_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/match/alignment.h"
#include "icount/explain/match/node_names.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

// At most so many lines are named, and they carry at least this part of the change.
constexpr size_t kMostLines = 3;
// So many instructions are looked at on the way to a call.
constexpr size_t kMostSteps = 100;
// Lists of lines whose product exceeds this are compared line number by line number.
constexpr size_t kLargestAlignment = 250'000;

/// Cost of a source line on both sides, scaled.
struct LinePair {
  uint64_t line = 0;  ///< head's, or base's where head has none
  std::array<long double, 2> cost{};
  uint64_t guessed = 0;  ///< base's, where what it costs alone says that it is this one
  bool is_certain = true;
  long double change() const { return cost[1] - cost[0]; }
};

/// The lines of one file, in their order.
using FileLines = std::vector<LineCost>;

std::map<std::string_view, std::array<FileLines, 2>> lines_by_file(const std::array<std::vector<LineCost>, 2>& lines) {
  std::map<std::string_view, std::array<FileLines, 2>> files;
  for (size_t side = 0; side < 2; ++side)
    for (const LineCost& line : lines[side]) files[line.file][side].push_back(line);
  return files;
}

/// Lines of the base and of the head in one order, those that are the same line side by side. Lines keep their order
/// when others are written between them, and most keep their cost.
class LineAlignment {
 public:
  LineAlignment(const FileLines& base, const FileLines& head, std::array<long double, 2> scale)
      : base_(base), head_(head), scale_(scale) {}

  std::vector<LinePair> pairs(const SameLines& same_lines) {
    if (same_lines && !base_.empty() && same_lines(base_.front().path, base_.front().line))
      return known_pairs(same_lines);
    if (base_.size() * head_.size() > kLargestAlignment) return pairs_by_number();
    std::vector<LinePair> found;
    size_t b = 0, h = 0;
    const auto add_lone = [&](size_t to_base, size_t to_head) {
      while (b < to_base) found.push_back(of_base(b++));
      while (h < to_head) found.push_back(of_head(h++));
    };
    for (const auto& [base, head] :
         align_in_order(base_.size(), head_.size(), [&](size_t i, size_t j) { return likeness(i, j); })) {
      add_lone(base, head);
      found.push_back(both(b++, h++));
    }
    add_lone(base_.size(), head_.size());
    mark_guessed(found);
    return found;
  }

 private:
  std::vector<LinePair> known_pairs(const SameLines& same_lines) const {
    std::map<uint64_t, LinePair> by_head;
    std::vector<LinePair> found;
    for (size_t h = 0; h < head_.size(); ++h) by_head.emplace(head_[h].line, of_head(h));
    for (size_t b = 0; b < base_.size(); ++b) {
      const auto there = by_head.find(same_lines(base_[b].path, base_[b].line).value_or(0));
      if (there == by_head.end())
        found.push_back(of_base(b));
      else
        there->second.cost[0] += cost(0, b);
    }
    for (const auto& [line, pair] : by_head) found.push_back(pair);
    return found;
  }

  static void mark_guessed(std::vector<LinePair>& found) {
    std::vector<std::pair<uint64_t, uint64_t>> numbers;
    for (const LinePair& pair : found)
      if (pair.guessed != 0) numbers.emplace_back(pair.guessed, pair.line);
    const std::vector<bool> along = moved_along(numbers);
    auto at = along.begin();
    for (LinePair& pair : found)
      if (pair.guessed != 0) pair.is_certain = *at++;
  }

  long double cost(size_t side, size_t at) const {
    return static_cast<long double>((side == 0 ? base_ : head_)[at].cost) * scale_[side];
  }
  LinePair both(size_t b, size_t h) const { return {head_[h].line, {cost(0, b), cost(1, h)}, base_[b].line}; }
  LinePair of_base(size_t b) const { return {base_[b].line, {cost(0, b), 0}}; }
  LinePair of_head(size_t h) const { return {head_[h].line, {0, cost(1, h)}}; }

  /// Equal cost says most, then that the line moved as the first or the last one of the function did.
  int likeness(size_t b, size_t h) const {
    const auto moved = [&](const LineCost& base, const LineCost& head) { return head.line - base.line; };
    const uint64_t here = moved(base_[b], head_[h]);
    const bool moved_along = here == moved(base_.front(), head_.front()) || here == moved(base_.back(), head_.back());
    const bool same_cost = std::abs(cost(0, b) - cost(1, h)) <= kSame * std::max(cost(0, b), cost(1, h));
    return 1 + 2 * moved_along + 3 * same_cost;
  }

  std::vector<LinePair> pairs_by_number() const {
    std::map<uint64_t, LinePair> by_line;
    for (size_t b = 0; b < base_.size(); ++b) by_line[base_[b].line].cost[0] += cost(0, b);
    for (size_t h = 0; h < head_.size(); ++h) by_line[head_[h].line].cost[1] += cost(1, h);
    std::vector<LinePair> found;
    for (auto& [line, pair] : by_line) {
      pair.line = line;
      found.push_back(pair);
    }
    return found;
  }

  const FileLines &base_, &head_;
  std::array<long double, 2> scale_;
};

/// The instruction at an address; null where the profile has none.
const CodeRow* row_at(const FunctionCode& piece, uint64_t address) {
  const auto row = std::lower_bound(piece.rows.begin(), piece.rows.end(), address,
                                    [](const CodeRow& one, uint64_t to) { return one.address < to; });
  return row != piece.rows.end() && row->address == address ? &*row : nullptr;
}

/// Where in the program's own files an instruction is written: the innermost call of its chain of inlined functions
/// that stands there, else its line. `file` is the function's. Nothing where all is of libraries' headers.
SourcePlace own_place(const ProfileCode& code, std::string_view file, const CodeRow& row) {
  if (row.line != 0 && !is_library_file(code.files[row.file])) return {code.files[row.file], row.line};
  for (uint32_t at = row.inlined; at != 0; at = code.inlined[at - 1].outer) {
    const InlinedCode& inlined = code.inlined[at - 1];
    const std::string_view around = inlined.outer == 0 ? file : code.files[code.inlined[inlined.outer - 1].file];
    if (inlined.call_line != 0 && !is_library_file(around)) return {around, inlined.call_line};
  }
  return {};
}

/// The same of the call at `from`; where it is not known of which inlined call that is, of the nearest instruction on
/// the way there: a reader looks for the program's own line.
SourcePlace own_place(const ProfileCode& code, std::string_view file, const FunctionCode& piece, uint64_t from) {
  std::vector<const CodeRow*> ways = {row_at(piece, from)};
  if (ways[0] == nullptr) return {};
  std::set<const CodeRow*> seen = {ways[0]};
  for (size_t i = 0; i < ways.size() && i < kMostSteps; ++i) {
    const CodeRow* const row = ways[i];
    if (const SourcePlace place = own_place(code, file, *row); place.line != 0) return place;
    const auto add = [&](const CodeRow* before) {
      if (before != nullptr && seen.insert(before).second) ways.push_back(before);
    };
    int64_t leaves = 0;  // jumps away from the row before
    const CodeRow* const before = row == piece.rows.data() ? nullptr : row - 1;
    for (const CodeJump& jump : piece.jumps) {
      if (jump.to == row->address) add(row_at(piece, jump.from));
      if (before != nullptr && jump.from == before->address) leaves = saturating_add(leaves, jump.followed);
    }
    if (before != nullptr && leaves < before->executions) add(before);
  }
  return {};
}

/// How many times as often lines run, likely: of a function that costs many times as much, on lines that do so too and
/// are there on both sides. Other code is seldom so much longer. 0: not known. `cost`: of the function.
double how_often_lines_run(const fact::Rates& cost, const std::vector<CauseLine>& lines) {
  constexpr double kManyTimes = 3;
  const auto [base, head] = std::pair(static_cast<double>(cost[0]), static_cast<double>(cost[1]));
  double before = 0, after = 0;
  for (const CauseLine& line : lines) {
    if (std::min(line.base, line.head) <= 0) return 0;
    const double times = head > base ? line.head / line.base : line.base / line.head;
    if (times <= kManyTimes) return 0;
    before += line.base;
    after += line.head;
  }
  const bool is_many_times = std::max(base, head) > kManyTimes * std::min(base, head);
  return is_many_times && before > 0 ? after / before : 0;
}

/// The lines of one file that have most of `change`; nothing where none has much of it.
std::optional<ChangedLines> leading_lines(std::string_view file, std::string_view base_path,
                                          std::vector<LinePair> pairs, long double change) {
  if (pairs.size() < 2) return std::nullopt;  // the function itself says it
  std::stable_sort(pairs.begin(), pairs.end(), [&](const LinePair& a, const LinePair& b) {
    return a.change() / change > b.change() / change;  // those that go with the change first
  });
  ChangedLines found;
  for (const LinePair& pair : pairs) {
    const auto of_line = static_cast<double>(pair.change() / change);
    if (found.lines.size() == kMostLines || of_line < kPart || found.part >= 1 - kPart) break;
    found.part += of_line;
    found.lines.push_back({.file = std::string(file),
                           .line = pair.line,
                           .base = static_cast<double>(pair.cost[0]),
                           .head = static_cast<double>(pair.cost[1]),
                           .base_file = std::string(base_path),
                           .base_line = pair.guessed,
                           .is_certain = pair.is_certain});
  }
  if (found.lines.empty()) return std::nullopt;
  return found;
}

size_t side_of(const JoinedFunction& function) { return function.folded[1] != kNoFunction ? 1 : 0; }

}  // namespace

bool is_own_code(const JoinedGraph& joined, uint32_t function) {
  const size_t side = side_of(joined.functions[function]);
  const FoldedFunction& of = joined.sides[side]->functions[joined.functions[function].folded[side]];
  return !of.file.empty() && !is_library_file(of.file) && !is_system_library(of.object);
}

SourcePlace CausePlaces::of_function(uint32_t function) {
  const JoinedFunction& joined = joined_.functions[function];
  const size_t side = side_of(joined);
  const std::string_view file = joined_.sides[side]->functions[joined.folded[side]].file;
  if (file == "???") return {};
  const uint64_t line = line_of_entry(side, joined.folded[side], file);
  return {file, line != 0 ? line : lines_.of(side).span(joined.folded[side]).first};
}

uint64_t CausePlaces::line_of_entry(size_t side, uint32_t folded, std::string_view file) {
  read_pieces();
  const auto pieces = pieces_[side].find(folded);
  if (pieces == pieces_[side].end()) return 0;
  const ProfileCode& code = *joined_.sides[side]->graph->code;
  int64_t most = 0;
  uint64_t line = 0;
  for (const FunctionCode* const piece : pieces->second)
    for (const CodeEntry& entry : piece->entries) {
      const CodeRow* const row = row_at(*piece, entry.to);
      if (entry.by_jump || entry.times <= most || row == nullptr) continue;
      most = entry.times;
      line = row->inlined == 0 && base_of_path(code.files[row->file]) == base_of_path(file) ? row->line : 0;
    }
  return line;
}

const FlowEdge* CausePlaces::leading_caller(uint32_t function) {
  const auto weight = [](const FlowEdge& edge) {
    const auto [less, more] = std::minmax(edge.inclusive[0], edge.inclusive[1]);
    return std::pair(static_cast<long double>(more) - static_cast<long double>(less), more);
  };
  if (callers_.empty()) {
    callers_.assign(joined_.functions.size(), nullptr);
    for (const FlowEdge& edge : joined_.flow.edges) {
      const FlowEdge*& most = callers_[edge.callee];
      if (edge.caller != edge.callee && (most == nullptr || weight(edge) > weight(*most))) most = &edge;
    }
  }
  return callers_[function];
}

SourcePlace CausePlaces::in_own_code(uint32_t function) {
  std::set<uint32_t> seen;
  for (uint32_t at = function; !is_own_code(joined_, at) && seen.insert(at).second;) {
    const FlowEdge* const edge = leading_caller(at);
    if (edge == nullptr) break;
    if (is_own_code(joined_, edge->caller)) {
      const SourcePlace call = of_calls(edge->caller, at);
      return call.line != 0 ? call : of_function(edge->caller);
    }
    at = edge->caller;
  }
  return of_function(function);
}

void CausePlaces::read_pieces() {
  if (std::exchange(has_pieces_, true)) return;
  for (size_t side = 0; side < 2; ++side)
    if (const ProfileCode* const code = joined_.sides[side]->graph->code.get())
      for (const FunctionCode& piece : code->functions)
        pieces_[side][joined_.sides[side]->folded_of[piece.function]].push_back(&piece);
}

std::pair<uint64_t, bool> CausePlaces::head_line(const SourcePlace& base) {
  if (joined_.same_lines)
    if (const auto same = joined_.same_lines(base.file, base.line))
      return *same == 0 ? std::pair(base.line, true) : std::pair(*same, false);
  const int64_t shift = lines_.shifts().of(base_of_path(base.file), base.line, 0);
  return {base.line + static_cast<uint64_t>(shift), false};
}

SourcePlace CausePlaces::of_calls(uint32_t caller, uint32_t callee) {
  struct Site {
    std::string_view file;
    BothSides calls{}, cost{};
    std::array<uint64_t, 2> from{};
  };
  read_pieces();
  // By file without folders and line of the head, or of base where head has no such line.
  std::map<std::tuple<std::string_view, uint64_t, bool>, Site> sites;
  std::array<std::map<uint64_t, std::set<uint32_t>>, 2> called_from;  // by instruction
  BothSides calls{};
  for (size_t side = 0; side < 2; ++side) {
    const FoldedGraph& graph = *joined_.sides[side];
    const auto pieces = pieces_[side].find(joined_.functions[caller].folded[side]);
    if (pieces == pieces_[side].end()) continue;
    const ProfileCode& code = *graph.graph->code;
    const std::string_view own_file = graph.functions[joined_.functions[caller].folded[side]].file;
    for (const FunctionCode* const piece : pieces->second)
      for (size_t i = 0; i < piece->calls.size(); ++i) {
        const CodeCall& call = piece->calls[i];
        if (call.callee == kUnknownFunction) continue;
        const uint32_t called = joined_.node_of[side][graph.folded_of[call.callee]];
        called_from[side][call.from].insert(called);
        if (called != callee) continue;
        calls[side] = saturating_add(calls[side], call.calls);
        const SourcePlace own = own_place(code, own_file, *piece, call.from);
        if (own.line == 0) continue;
        const std::string_view file = base_of_path(own.file);
        const auto [line, is_of_base] = side == 0 ? head_line(own) : std::pair(own.line, false);
        Site& site = sites[{file, line, is_of_base}];
        site.file = own.file;
        site.calls[side] = saturating_add(site.calls[side], call.calls);
        site.from[side] = call.from;
        if (!piece->call_costs.empty())
          site.cost[side] = saturating_add(site.cost[side], piece->call_costs[i * code.events + graph.event]);
      }
  }
  const auto change = [&](const Site& site) {
    const BothSides& of = calls[0] == calls[1] ? site.cost : site.calls;
    return static_cast<long double>(of[1]) - static_cast<long double>(of[0]);
  };
  long double all = 0;
  for (const auto& [key, site] : sites) all += change(site);
  SourcePlace place;
  bool is_dispatched = false;
  long double most = 0;
  for (const auto& [key, site] : sites) {
    // Calls that moved are fewer at their old line and more at the new one: the place is where it goes as the whole.
    const long double changed = all == 0 ? std::abs(change(site)) : all < 0 ? -change(site) : change(site);
    if (place.line != 0 && changed <= most) continue;
    most = changed;
    place = {site.file, std::get<1>(key), std::get<2>(key)};
    is_dispatched = called_from[0][site.from[0]].size() > 1 || called_from[1][site.from[1]].size() > 1;
  }
  // What a dispatcher calls on one side alone is written where it begins, not in the dispatcher.
  const auto& folded = joined_.functions[callee].folded;
  const bool is_of_one_side = folded[0] == kNoFunction || folded[1] == kNoFunction;
  return is_dispatched && is_of_one_side && is_own_code(joined_, callee) ? of_function(callee) : place;
}

std::optional<ChangedLines> CausePlaces::changed_lines(uint32_t function, std::array<long double, 2> scale) {
  const JoinedFunction& joined = joined_.functions[function];
  std::array<std::vector<LineCost>, 2> costs;
  std::array<long double, 2> self{};
  for (size_t side = 0; side < 2; ++side) {
    if (joined.folded[side] == kNoFunction || !lines_.of(side).has_lines()) return std::nullopt;
    costs[side] = lines_.of(side).lines_of(joined.folded[side]);
    self[side] = static_cast<long double>(joined_.flow.nodes[function].self[side]) * scale[side];
  }
  // What hardly costs anything on one side may be without lines there.
  for (size_t side = 0; side < 2; ++side)
    if (costs[side].empty() && self[side] > kLittle * self[1 - side]) return std::nullopt;
  const long double change = self[1] - self[0];
  if (change == 0) return std::nullopt;
  std::optional<ChangedLines> most;
  for (const auto& [file, sides] : lines_by_file(costs)) {
    auto found = leading_lines(file, sides[0].empty() ? std::string_view() : sides[0].front().path,
                               LineAlignment(sides[0], sides[1], scale).pairs(joined_.same_lines), change);
    if (!found || (most && found->part <= most->part)) continue;
    most = std::move(found);
    most->path = (sides[1].empty() ? sides[0] : sides[1]).front().path;
  }
  return most;
}

namespace {

std::string object_of(const SentenceSource& source, const JoinedFunction& function, size_t side) {
  return std::string(base_of_path(source.joined.sides[side]->functions[function.folded[side]].object));
}

fact::Counts calls_of_node(const SentenceSource& source, uint32_t node) {
  return {calls_at(source, 0, node), calls_at(source, 1, node)};
}

/// How far the cause is from what a reader gets who multiplies the change of a call's cost by the number of calls: as a
/// part of the cause; by the number of either side or one between.
long double misses(const fact::Rates& cost, long double few, long double many, int64_t delta) {
  const auto wanted = static_cast<long double>(delta);
  const long double a = (cost[1] - cost[0]) * few, b = (cost[1] - cost[0]) * many;
  const auto [least, most] = std::minmax(a, b);
  return wanted == 0 ? 0 : std::max({0.0L, least - wanted, wanted - most}) / std::abs(wanted);
}

/// Where the average over all calls does not multiply out to the cause, the calls that both sides make do: each counted
/// by what its callers' calls cost.
void tell_of_common_calls(const Decomposition& of, uint32_t node, int64_t delta, fact::SelfFigures& figures) {
  const long double common = of.common_calls[node];
  const auto least = static_cast<long double>(std::min(figures.calls[0], figures.calls[1])),
             most = static_cast<long double>(std::max(figures.calls[0], figures.calls[1]));
  if (std::llround(common) < 1 || common > most * (1 + 1e-9L)) return;
  const long double missed = misses(figures.cost, least, most, delta);
  if (missed <= kPart) return;  // the rounding of what is printed
  fact::Rates cost;
  for (const size_t side : {size_t{0}, size_t{1}})
    cost[side] = of.sides[side].own_cost[node] * of.own_cost_calls[side][node] / common;
  if (misses(cost, common, common, delta) >= missed) return;
  figures.of_common_calls = true;
  figures.all_calls = figures.calls[1];
  figures.cost = cost;
  figures.calls = {std::llround(common), std::llround(common)};
}

/// Where no average gives the change, there is none: but one that goes the other way says that the calls are others.
void leave_out_what_misses(int64_t delta, fact::SelfFigures& figures) {
  const auto [few, many] = std::minmax(figures.calls[0], figures.calls[1]);
  const bool goes_along = (figures.cost[1] > figures.cost[0]) == (delta > 0);
  if (!figures.in_total && goes_along &&
      misses(figures.cost, static_cast<long double>(few), static_cast<long double>(many), delta) > kMatters)
    figures.cost = {};
}

/// By node: whether it has callers that both sides have, and what a call costs each of them, as recorded, stayed.
std::vector<bool> costs_as_before(const FlowGraph& graph) {
  std::vector<bool> stays(graph.nodes.size(), false), moves(graph.nodes.size(), false);
  for (const FlowEdge& edge : graph.edges) {
    const bool is_told = std::min({edge.calls[0], edge.calls[1], edge.inclusive[0], edge.inclusive[1]}) > 0;
    if (edge.caller == edge.callee || !is_told) continue;
    const auto price = [&](size_t side) {
      return static_cast<long double>(edge.inclusive[side]) / static_cast<long double>(edge.calls[side]);
    };
    const auto [less, more] = std::minmax({price(0), price(1)});
    (more - less <= kHardly * more ? stays : moves)[edge.callee] = true;
  }
  for (size_t node = 0; node < stays.size(); ++node) stays[node] = stays[node] && !moves[node];
  return stays;
}

/// What is left of a sum, others taken away at their prices, is no price of a call where what is recorded contradicts.
bool is_refuted(const SentenceSource& source, uint32_t node, const fact::Rates& cost) {
  const auto [less, more] = std::minmax(cost[0], cost[1]);
  return source.costs_as_before[node] && more - less > kHardly * more;
}

fact::SelfFigures self_figures(const SentenceSource& source, uint32_t node, int64_t delta) {
  const auto& [base, head] = source.figures.sides;
  const fact::SelfFigures averages{.of_cycle = source.condensed.members[node].size() > 1,
                                   .cost = {base.own_cost[node], head.own_cost[node]},
                                   .calls = calls_of_node(source, node),
                                   .delta = delta};
  fact::SelfFigures figures = averages;
  if (source.figures.fixed_self[node]) {
    const BothSides& self = source.condensed.graph.nodes[node].self;
    figures.in_total = true;
    figures.cost = {static_cast<long double>(self[0]), static_cast<long double>(self[1])};
  } else if (const OtherCalls& others = source.figures.other_calls[node]; others.are_told) {
    figures.of_common_calls = true;
    figures.cost = others.own_cost;
    figures.all_calls = figures.calls[1];
    figures.calls = {std::llround(others.calls[0]), std::llround(others.calls[1])};
  } else {
    figures.one_call = base.calls[node] == 1 && head.calls[node] == 1;
    if (!figures.one_call) tell_of_common_calls(source.figures, node, delta, figures);
  }
  if (figures.of_common_calls && is_refuted(source, node, figures.cost)) {
    figures = averages;
    figures.are_other_calls = true;
  } else {
    leave_out_what_misses(delta, figures);
  }
  return figures;
}

/// A function of the allocator; of a cycle, any of its functions.
bool is_allocator(const SentenceSource& source, uint32_t node) {
  const auto& members = source.condensed.members[node];
  return std::any_of(members.begin(), members.end(), [&](uint32_t member) {
    const JoinedFunction& function = source.joined.functions[member];
    return is_part_of_allocator(function.name, function.object);
  });
}

/// What the callee of an edge does for its caller.
AllocatorEntry entry_of(const SentenceSource& source, const FlowEdge& edge) {
  const auto& callee = source.condensed.members[edge.callee];
  if (callee.size() != 1) return AllocatorEntry::kNone;
  const AllocatorEntry entry = allocator_entry_of(source.joined.functions[callee.front()].name);
  // Asked last: few calls enter an allocator, and whether the caller is a part of one takes long to find out.
  return entry == AllocatorEntry::kNone || is_allocator(source, edge.caller) ? AllocatorEntry::kNone : entry;
}

/// Of the calls from or to a cycle, between which of its functions most of them changed; nothing where one call is all.
void add_leading_members(const SentenceSource& source, uint32_t edge, fact::Calls& facts) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const size_t callers = source.condensed.members[flow.caller].size(),
               callees = source.condensed.members[flow.callee].size();
  const LeadingCall& leading = source.leading_calls[edge];
  if ((callers == 1 && callees == 1) || leading.all == 0 || leading.is_all) return;
  const FlowEdge& most = source.joined.flow.edges[leading.edge];
  if (callees > 1) facts.mostly_callee = source.function_names[most.callee];
  if (callers > 1) facts.mostly_caller = source.function_names[most.caller];
}

}  // namespace

SentenceSource make_sentence_source(const JoinedGraph& joined, const OpenedFlow& flow) {
  std::vector<std::string> function_names = name_functions(joined);
  std::vector<uint32_t> leaders = leaders_of(joined, flow.condensed);
  std::vector<std::string> names = name_nodes(flow.condensed, leaders, function_names);
  std::vector<bool> cost_more(flow.condensed.graph.edges.size(), false);
  for (const Term& term : flow.figures.terms)
    if (term.kind == TermKind::kCalls && term.value > 0) cost_more[term.index] = true;
  return {joined,
          flow.condensed,
          flow.figures,
          std::move(function_names),
          std::move(leaders),
          std::move(names),
          find_leading_calls(joined, flow.condensed),
          std::move(cost_more),
          costs_as_before(flow.condensed.graph)};
}

std::vector<LeadingCall> find_leading_calls(const JoinedGraph& joined, const CondensedFlow& condensed) {
  std::vector<LeadingCall> leading(condensed.graph.edges.size());
  const auto change = [&](uint32_t e) {
    const BothSides& calls = joined.flow.edges[e].calls;
    return std::abs(static_cast<long double>(calls[1]) - static_cast<long double>(calls[0]));
  };
  for (uint32_t e = 0; e < joined.flow.edges.size(); ++e) {
    const uint32_t caller = condensed.node_of[joined.flow.edges[e].caller],
                   callee = condensed.entered_by[joined.flow.edges[e].callee];
    if (condensed.members[caller].size() == 1 && condensed.members[callee].size() == 1) continue;
    const uint32_t edge = condensed.graph.edge_between(caller, callee);
    if (edge == FlowGraph::kNoEdge) continue;
    LeadingCall& most = leading[edge];
    if (most.edge == LeadingCall::kNoEdge || change(e) > change(most.edge)) most.edge = e;
    most.all += change(e);
  }
  for (LeadingCall& of : leading) of.is_all = of.all > 0 && change(of.edge) >= kNearlyAll * of.all;
  return leading;
}

std::string node_label(const SentenceSource& source, uint32_t node) {
  const auto& members = source.condensed.members[node];
  if (members.size() == 1) return std::string(source.joined.functions[members.front()].name);
  return fmt::format("cycle of {} and {} more", source.joined.functions[source.leaders[node]].name, members.size() - 1);
}

int64_t calls_at(const SentenceSource& source, size_t side, uint32_t node) {
  return static_cast<int64_t>(source.figures.sides[side].calls[node]);
}

fact::MemberCost member_facts(const SentenceSource& source, uint32_t node, uint32_t member, int64_t delta) {
  const auto& [base, head] = source.figures.sides;
  const BothSides& self = source.joined.flow.nodes[member].self;
  const fact::Rates all = {static_cast<long double>(self[0]), static_cast<long double>(self[1])};
  const std::string& name = source.function_names[member];
  const auto [few, many] = std::minmax(base.calls[node], head.calls[node]);
  const bool in_total = source.figures.fixed_self[node] || few == 0;
  const fact::Rates cost = in_total ? all : fact::Rates{all[0] / base.calls[node], all[1] / head.calls[node]};
  // Where the calls of a cycle are others, averages over them do not give what a member contributes.
  if (misses(cost, in_total ? 1 : few, in_total ? 1 : many, delta) > kPart) return {name, in_total, {}};
  return {name, in_total, cost};
}

CauseFacts self_cost_facts(const SentenceSource& source, uint32_t node, int64_t delta) {
  const FoldedGraph& side = *source.joined.sides[0];
  const std::string& event = side.graph->events[side.event];
  if (!is_allocation_event(event)) return fact::SelfCost{source.names[node], self_figures(source, node, delta)};
  return fact::OwnAllocations{
      .function = source.names[node],
      .frees = event != kAllocations,
      .all = source.condensed.graph.nodes[node].self,
      .calls = calls_of_node(source, node),
  };
}

fact::Calls calls_facts(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto& [base, head] = source.figures.sides;
  fact::Calls facts{.caller = source.names[flow.caller],
                    .callee = source.names[flow.callee],
                    .of_itself = flow.caller == flow.callee,
                    .entry = entry_of(source, flow),
                    .in_total = source.figures.fixed_calls[edge],
                    .cost_more = source.calls_cost_more[edge],
                    .calls = flow.calls,
                    .callers = calls_of_node(source, flow.caller),
                    .per_call = {base.calls_per_call[edge], head.calls_per_call[edge]},
                    .common = source.figures.common_calls[flow.caller],
                    .price = source.figures.joined_prices[edge]};
  for (size_t side = 0; side < 2; ++side) {
    const long double calls = source.figures.sides[side].calls[flow.caller],
                      outer = calls - static_cast<long double>(flow.calls[side]);
    facts.for_each_outer[side] = outer > 0 ? calls / outer : calls;
  }
  add_leading_members(source, edge, facts);
  return facts;
}

fact::Entries entry_facts(const SentenceSource& source, uint32_t node) {
  return {source.names[node], source.condensed.graph.nodes[node].entries};
}

fact::Renamed renamed_facts(const SentenceSource& source, uint32_t function, uint32_t node, int64_t delta) {
  const JoinedFunction& renamed = source.joined.functions[function];
  fact::Renamed facts{.names = {std::string(renamed.base_name), std::string(renamed.head_name)},
                      .evidence = renamed.evidence};
  if (renamed.by == MatchedBy::kDispatch) facts.by = fact::RenamedBy::kDispatch;
  if (renamed.by == MatchedBy::kObject) {
    facts.by = fact::RenamedBy::kObject;
    facts.objects = {object_of(source, renamed, 0), object_of(source, renamed, 1)};
  }
  const auto& [base, head] = source.figures.sides;
  if (node == SentenceSource::kNoNode || base.own_cost[node] == head.own_cost[node]) return facts;
  facts.costs_otherwise = true;
  facts.figures = self_figures(source, node, delta);
  return facts;
}

fact::TotalCost total_cost_facts(const JoinedGraph& joined, const JoinedFunction& function, BothSides self) {
  const bool renamed = function.by == MatchedBy::kEvidence || function.by == MatchedBy::kDispatch;
  return {quoted(joined, function.name), renamed ? quoted(function.base_name) : std::string(), self};
}

TermCauses::TermCauses(const JoinedGraph& joined, const OpenedFlow& flow, int64_t change)
    : flow_(flow),
      source_(make_sentence_source(joined, flow)),
      places_(joined),
      change_(change),
      said_(joined.functions.size(), false),
      terms_(make_whole_terms(joined, flow, change)) {}

uint32_t TermCauses::node_of(uint32_t index) const {
  const Term& term = flow_.figures.terms[index];
  return term.kind == TermKind::kEntry ? kNoNode : icount::node_of(flow_.condensed.graph, term);
}

std::array<std::string_view, 2> TermCauses::objects_of(uint32_t node) const {
  std::array<std::string_view, 2> objects;
  const JoinedFunction& function = source_.joined.functions[flow_.condensed.members[node].front()];
  for (size_t side = 0; side < 2; ++side)
    if (function.folded[side] != kNoFunction)
      objects[side] = source_.joined.sides[side]->functions[function.folded[side]].object;
  return objects;
}

Cause TermCauses::cause_of(uint32_t index) {
  const Term& term = flow_.figures.terms[index];
  Cause cause;
  cause.delta = terms_.whole[index];
  switch (term.kind) {
    case TermKind::kCalls:
      fill_calls(cause, term.index);
      break;
    case TermKind::kEntry:
      cause.kind = CauseKind::kEntry;
      cause.function = node_label(source_, term.index);
      cause.facts = entry_facts(source_, term.index);
      set_place(cause, term.index);
      break;
    case TermKind::kOwnCost:
      fill_own_cost(cause, term.index);
      if (is_of_cluster(flow_, term)) add_members(cause, index);
      break;
  }
  return cause;
}

void TermCauses::fill_calls(Cause& cause, uint32_t number) {
  const FlowEdge& edge = flow_.condensed.graph.edges[number];
  cause.kind = CauseKind::kCalls;
  cause.caller = node_label(source_, edge.caller);
  cause.callee = node_label(source_, edge.callee);
  if (const LeadingCall& leading = source_.leading_calls[number]; leading.is_all)
    name_members(cause, edge, source_.joined.flow.edges[leading.edge], number);
  else
    cause.facts = calls_facts(source_, number);
  cause.change_per_call = change_per_call(&SideFigures::calls_per_call, number);
  set_call_place(cause, number);
}

/// Calls from or to a cycle that are nearly all between the same two functions are told by these.
void TermCauses::name_members(Cause& cause, const FlowEdge& edge, const FlowEdge& call, uint32_t number) {
  std::array<std::pair<uint32_t, std::string>, 2> whole;  // what the nodes are called otherwise
  for (const auto& [node, member, label, at] : {std::tuple(edge.caller, call.caller, &cause.caller, 0),
                                                std::tuple(edge.callee, call.callee, &cause.callee, 1)}) {
    whole[static_cast<size_t>(at)] = {node, source_.names[node]};
    const size_t members = flow_.condensed.members[node].size();
    if (members == 1) continue;
    *label = source_.joined.functions[member].name;
    source_.names[node] = source_.function_names[member];
  }
  cause.facts = calls_facts(source_, number);
  for (auto& [node, name] : whole) source_.names[node] = std::move(name);
}

/// Head's figure less base's. What only one side calls has the other's figures, and so no term and no cause.
double TermCauses::change_per_call(std::vector<long double> SideFigures::*figure, uint32_t index) const {
  const auto& [base, head] = source_.figures.sides;
  return static_cast<double>((head.*figure)[index] - (base.*figure)[index]);
}

void TermCauses::fill_own_cost(Cause& cause, uint32_t node) {
  cause.function = node_label(source_, node);
  const auto& members = flow_.condensed.members[node];
  const bool cluster = members.size() > 1;
  const bool renamed = !matched_silently(matched_by(source_.joined, flow_, node));
  cause.kind = cluster ? CauseKind::kCluster : renamed ? CauseKind::kRenamed : CauseKind::kOwnCost;
  if (renamed)
    cause.facts = renamed_facts(source_, members.front(), node, cause.delta);
  else
    cause.facts = self_cost_facts(source_, node, cause.delta);
  if (renamed) said_[members.front()] = true;
  if (!cluster) cause.change_per_call = change_per_call(&SideFigures::own_cost, node);
  set_place(cause, node);
  if (cluster || !leads(cause.delta)) return;
  add_changed_lines(cause, node);
  const auto has_code = [](const FoldedGraph* side) { return side->graph->code != nullptr; };
  auto* const self = std::get_if<fact::SelfCost>(&cause.facts);
  if (self && !std::all_of(source_.joined.sides.begin(), source_.joined.sides.end(), has_code))
    self->lines_run = how_often_lines_run(self->figures.cost, cause.lines);
}

void TermCauses::set_place(Cause& cause, uint32_t node) {
  const uint32_t function = source_.leaders[node];
  const SourcePlace place = leads(cause.delta) ? places_.in_own_code(function) : places_.of_function(function);
  cause.file = place.file;
  cause.line = place.line;
  const auto objects = objects_of(node);
  cause.object = objects[1].empty() ? objects[0] : objects[1];
  if (flow_.condensed.members[node].size() > 1) cause.cycle = node_label(source_, node);
}

void TermCauses::set_call_place(Cause& cause, uint32_t number) {
  const FlowEdge& edge = flow_.condensed.graph.edges[number];
  set_place(cause, edge.caller);
  if (!leads(cause.delta)) return;
  uint32_t caller = flow_.condensed.members[edge.caller].front(), callee = flow_.condensed.members[edge.callee].front();
  if (const LeadingCall& leading = source_.leading_calls[number]; leading.edge != LeadingCall::kNoEdge) {
    caller = source_.joined.flow.edges[leading.edge].caller;
    callee = source_.joined.flow.edges[leading.edge].callee;
  }
  const SourcePlace place = places_.of_calls(caller, callee);
  if (place.line == 0 || is_library_file(place.file) || is_system_library(cause.object)) return;
  cause.file = place.file;
  cause.line = place.line;
  cause.is_line_of_base = place.is_of_base;
}

/// Lines are looked at only where the cause is a hundredth of the change or more: there are thousands of causes.
bool TermCauses::leads(int64_t delta) const {
  return std::abs(static_cast<long double>(delta)) >= kHardly * std::abs(static_cast<long double>(change_));
}

/// The lines that carry the change, where there are such.
void TermCauses::add_changed_lines(Cause& cause, uint32_t node) {
  const auto& [base, head] = flow_.figures.sides;
  const bool in_total = flow_.figures.fixed_self[node] || base.calls[node] == 0 || head.calls[node] == 0;
  const std::array<long double, 2> scale = {in_total ? 1 : 1 / base.calls[node], in_total ? 1 : 1 / head.calls[node]};
  auto lines = places_.changed_lines(flow_.condensed.members[node].front(), scale);
  if (!lines || is_system_library(cause.object)) return;
  cause.lines = std::move(lines->lines);
  if (is_library_file(lines->path)) return;
  cause.line = cause.lines.front().line;
  cause.is_line_of_base = cause.lines.front().head == 0;
  cause.file = lines->path;
}

/// What each member of a condensed cluster contributes.
void TermCauses::add_members(Cause& cause, uint32_t term) {
  const uint32_t node = flow_.figures.terms[term].index;
  for (const auto& [member, delta] : terms_.inside[term]) {
    Cause share;
    share.kind = CauseKind::kOwnCost;
    share.function = source_.joined.functions[member].name;
    share.delta = delta;
    share.facts = member_facts(source_, node, member, delta);
    cause.inside.push_back(std::move(share));
  }
  sort_causes(cause.inside);
}

}  // namespace icount
