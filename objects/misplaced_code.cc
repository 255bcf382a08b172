#include "icount/objects/misplaced_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// The longest instruction of x86-64.
constexpr uint64_t kMostBytes = 15;

/// What Callgrind calls code without a symbol: "0x00000000000011ee".
bool is_nameless(std::string_view name) { return name.starts_with("0x"); }

auto key_of(const Row& row) { return std::pair(row.function, row.file); }
auto key_of(const LineRow& row) { return std::tuple(row.function, row.file, row.line); }
auto key_of(const Edge& edge) { return std::pair(edge.caller, edge.callee); }

/// Rows [first, end) of the code of a function, which lie in an area of another one.
struct Stretch {
  size_t code = 0;  ///< index into ProfileCode::functions
  size_t area = 0;
  size_t first = 0, end = 0;
};

class MisplacedCode {
 public:
  MisplacedCode(const CostGraph& graph, const ProfileCode& code, const PlacedObject& object)
      : graph_(graph), code_(code), object_(object) {}

  std::vector<Stretch> find() const {
    std::vector<Stretch> found;
    for (size_t c = 0; c < code_.functions.size(); ++c)
      if (graph_.object(code_.functions[c].function) == object_.name) find_in(c, found);
    return found;
  }

 private:
  std::optional<size_t> area_at(uint64_t address) const { return object_.areas.find(address - object_.bias); }

  void find_in(size_t c, std::vector<Stretch>& found) const {
    const FunctionCode& one = code_.functions[c];
    std::vector<Stretch> touched = stretches_of(c);
    const std::string_view name = graph_.name(one.function);
    std::set<size_t> own;
    bool is_entered = false;
    for (const CodeEntry& entry : one.entries) {
      if (entry.by_jump) continue;
      is_entered = true;
      if (const auto area = area_at(entry.to)) own.insert(*area);
    }
    std::erase_if(touched, [&](const Stretch& one_of) { return own.contains(one_of.area); });
    if (touched.empty()) return;
    std::erase_if(touched, [&](const Stretch& one_of) {
      if (!has_name(one_of.area, name)) return false;
      own.insert(one_of.area);
      return true;
    });
    if (own.empty() && !(is_nameless(name) && is_entered)) return;
    for (const Stretch& stretch : touched)
      if (!is_led_to(one, stretch)) found.push_back(stretch);
  }

  std::vector<Stretch> stretches_of(size_t c) const {
    const std::vector<CodeRow>& rows = code_.functions[c].rows;
    std::vector<Stretch> touched;
    for (size_t r = 0; r < rows.size(); ++r) {
      const uint64_t address = rows[r].address - object_.bias;
      if (!touched.empty() && address < object_.areas.areas()[touched.back().area].end) {
        touched.back().end = r + 1;
      } else if (const auto area = object_.areas.find(address)) {
        touched.push_back({c, *area, r, r + 1});
      }
    }
    return touched;
  }

  bool has_name(size_t area, std::string_view name) const {
    const std::string_view wanted = canonical_name(name);
    for (const ElfSymbol& symbol : object_.areas.areas()[area].symbols)
      if (canonical_name(symbol.name) == wanted || canonical_name(demangle(symbol.name)) == wanted) return true;
    return false;
  }

  /// By a direct jump from outside, or from the instruction before.
  bool is_led_to(const FunctionCode& one, const Stretch& stretch) const {
    const FunctionAreas::Area& area = object_.areas.areas()[stretch.area];
    const uint64_t begin = area.begin + object_.bias, end = area.end + object_.bias;
    const auto is_inside = [&](uint64_t address) { return address >= begin && address < end; };
    for (const CodeJump& jump : one.jumps)
      if (is_inside(jump.to) && !is_inside(jump.from) && object_.flow_of(jump.from - object_.bias).jumps_there)
        return true;
    if (one.rows[stretch.first].address != begin || stretch.first == 0) return false;
    const uint64_t before = one.rows[stretch.first - 1].address;
    if (begin - before > kMostBytes) return false;
    const InstructionFlow flow = object_.flow_of(before - object_.bias);
    return flow.goes_on && (flow.length == 0 || before + flow.length == begin);
  }

  const CostGraph& graph_;
  const ProfileCode& code_;
  const PlacedObject& object_;
};

/// Entries of a graph with a row of costs each, found by what they are of.
template <typename Entry>
class CostTable {
 public:
  CostTable(std::vector<Entry>& entries, std::vector<int64_t>& costs, size_t events)
      : entries_(entries), costs_(costs), events_(events) {
    for (size_t i = 0; i < entries.size(); ++i) places_.emplace(key_of(entries[i]), i);
  }

  using Wanted = std::map<decltype(key_of(Entry{})), std::pair<Entry, std::vector<int64_t>>>;
  void want(Wanted& wanted, const Entry& entry, const int64_t* costs) const {
    auto& [first, sum] = wanted.try_emplace(key_of(entry), entry, std::vector<int64_t>(events_)).first->second;
    for (size_t e = 0; e < events_; ++e) sum[e] = saturating_add(sum[e], costs[e]);
  }

  /// Whether each entry has at least the costs that are wanted of it.
  bool has(const Wanted& wanted) const {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
      const auto at = places_.find(one.first);
      if (at == places_.end()) return false;
      for (size_t e = 0; e < events_; ++e)
        if (one.second.second[e] > costs_[at->second * events_ + e]) return false;
      return true;
    });
  }

  size_t at(const Entry& entry) {
    const auto [at, fresh] = places_.emplace(key_of(entry), entries_.size());
    if (fresh) {
      entries_.push_back(entry);
      costs_.resize(entries_.size() * events_, 0);
    }
    return at->second;
  }
  void move(const Entry& from, const Entry& to, const std::vector<int64_t>& costs) {
    const size_t source = at(from) * events_, target = at(to) * events_;
    for (size_t e = 0; e < events_; ++e) {
      costs_[source + e] -= costs[e];
      costs_[target + e] = saturating_add(costs_[target + e], costs[e]);
    }
  }

  /// Without entries that have no cost, of those that may go. No entry is found any more.
  template <typename MayGo>
  void drop_zeros(MayGo may_go) {
    size_t kept = 0;
    for (size_t i = 0; i < entries_.size(); ++i) {
      const auto begin = costs_.begin() + static_cast<std::ptrdiff_t>(i * events_);
      const auto end = begin + static_cast<std::ptrdiff_t>(events_);
      if (may_go(entries_[i]) && std::all_of(begin, end, [](int64_t cost) { return cost == 0; })) continue;
      std::copy(begin, end, costs_.begin() + static_cast<std::ptrdiff_t>(kept * events_));
      entries_[kept++] = entries_[i];
    }
    entries_.resize(kept);
    costs_.resize(kept * events_);
    places_.clear();
  }

 private:
  std::vector<Entry>& entries_;
  std::vector<int64_t>& costs_;
  size_t events_;
  std::map<decltype(key_of(Entry{})), size_t> places_;
};

class CodeMover {
 public:
  CodeMover(CostGraph& graph, ProfileCode& code, const PlacedObject& object)
      : graph_(graph),
        code_(code),
        object_(object),
        events_(graph.event_count()),
        rows_(graph.rows, graph.row_self, events_),
        lines_(graph.lines, graph.line_self, events_),
        edges_(graph.edges, graph.inclusive, events_) {
    for (const std::string& file : code.files) files_.push_back(graph.strings.intern(file));
    for (const FunctionCode& one : code.functions)
      if (graph.object(one.function) == object.name)
        for (const CodeEntry& entry : one.entries)
          if (const auto area = object.areas.find(entry.to - object.bias); area && !entry.by_jump)
            note_entered(*area, one.function);
  }

  /// Stays as it is where the graph's tables don't have what is to be moved. Stretches of a function come from the last
  /// to the first.
  void move(const Stretch& stretch) {
    FunctionCode& from = code_.functions[stretch.code];
    const FunctionAreas::Area& area = object_.areas.areas()[stretch.area];
    const auto is_inside = [begin = area.begin + object_.bias, end = area.end + object_.bias](uint64_t address) {
      return address >= begin && address < end;
    };
    CostTable<Row>::Wanted rows;
    CostTable<LineRow>::Wanted lines;
    CostTable<Edge>::Wanted edges;
    for (size_t r = stretch.first; r < stretch.end; ++r) {
      const CodeRow& row = from.rows[r];
      rows_.want(rows, {from.function, files_[row.file]}, &from.self[r * events_]);
      if (!graph_.lines.empty())
        lines_.want(lines, {from.function, files_[row.file], row.line}, &from.self[r * events_]);
    }
    for (size_t c = 0; c < from.calls.size(); ++c) {
      const CodeCall& call = from.calls[c];
      if (!is_inside(call.from)) continue;
      if (from.call_costs.size() != from.calls.size() * events_ || call.callee >= graph_.functions.size()) return;
      edges_.want(edges, {from.function, call.callee, 0}, &from.call_costs[c * events_]);
    }
    if (!rows_.has(rows) || !lines_.has(lines) || !edges_.has(edges)) return;
    const FunctionIndex to = target_of(stretch);
    for (const auto& [key, wanted] : rows) {
      const auto& [row, costs] = wanted;
      rows_.move(row, {to, row.file}, costs);
      for (size_t e = 0; e < events_; ++e) {
        graph_.self[from.function * events_ + e] -= costs[e];
        graph_.self[to * events_ + e] += costs[e];
      }
    }
    for (const auto& [key, wanted] : lines)
      lines_.move(wanted.first, {to, wanted.first.file, wanted.first.line}, wanted.second);
    for (const auto& [key, wanted] : edges) edges_.move(wanted.first, {to, wanted.first.callee, 0}, wanted.second);
    moved_to_.insert(to);
    move_code(from, stretch, is_inside, to);
  }

  /// Returns who got something.
  std::set<std::string> finish() {
    rows_.drop_zeros([](const Row&) { return true; });
    lines_.drop_zeros([](const LineRow&) { return true; });
    edges_.drop_zeros([](const Edge& edge) { return edge.calls == 0; });
    std::map<FunctionIndex, FunctionCode> all;
    for (std::vector<FunctionCode>* const some : {&code_.functions, &arrived_})
      for (FunctionCode& one : *some) {
        const FunctionIndex function = one.function;
        FunctionCode& whole = all[function];
        append_code(whole, std::move(one));
        whole.function = function;
      }
    code_.functions.clear();
    for (auto& [function, whole] : all) {
      if (whole.rows.empty()) continue;
      if (moved_to_.contains(function) || changed_.contains(function)) add_up_places(whole, events_);
      code_.functions.push_back(std::move(whole));
    }
    std::set<std::string> names;
    for (const FunctionIndex function : moved_to_) names.emplace(graph_.name(function));
    return names;
  }

 private:
  /// Of several that are entered in one area the one without recursion.
  void note_entered(size_t area, FunctionIndex function) {
    const auto [at, fresh] = entered_.emplace(area, function);
    if (!fresh && name_parts(graph_.name(at->second)).level > name_parts(graph_.name(function)).level)
      at->second = function;
  }

  FunctionIndex target_of(const Stretch& stretch) {
    if (const auto at = entered_.find(stretch.area); at != entered_.end()) return at->second;
    const FunctionCode& from = code_.functions[stretch.code];
    const Function wanted{graph_.strings.intern(demangle(object_.areas.areas()[stretch.area].symbols.front().name)),
                          files_[from.rows[stretch.first].file], graph_.functions[from.function].object};
    FunctionIndex found = 0;
    while (found < graph_.functions.size() &&
           !(graph_.functions[found].name == wanted.name && graph_.functions[found].file == wanted.file &&
             graph_.functions[found].object == wanted.object))
      ++found;
    if (found == graph_.functions.size()) {
      graph_.functions.push_back(wanted);
      graph_.self.resize(graph_.functions.size() * events_, 0);
    }
    entered_.emplace(stretch.area, found);
    return found;
  }

  template <typename IsInside>
  void move_code(FunctionCode& from, const Stretch& stretch, IsInside is_inside, FunctionIndex to) {
    const auto at = [](auto& places, size_t place) { return places.begin() + static_cast<std::ptrdiff_t>(place); };
    changed_.insert(from.function);
    FunctionCode& moved = arrived_.emplace_back();
    moved.function = to;
    moved.rows.assign(at(from.rows, stretch.first), at(from.rows, stretch.end));
    moved.self.assign(at(from.self, stretch.first * events_), at(from.self, stretch.end * events_));
    from.rows.erase(at(from.rows, stretch.first), at(from.rows, stretch.end));
    from.self.erase(at(from.self, stretch.first * events_), at(from.self, stretch.end * events_));
    FunctionCode rest;
    for (size_t c = 0; c < from.calls.size(); ++c) {
      const CodeCall& call = from.calls[c];
      FunctionCode& owner = is_inside(call.from) ? moved : rest;
      owner.calls.push_back(call);
      if (from.call_costs.size() == from.calls.size() * events_)
        owner.call_costs.insert(owner.call_costs.end(), at(from.call_costs, c * events_),
                                at(from.call_costs, (c + 1) * events_));
      if (&owner == &moved) move_call(call, from.function, to);
    }
    for (CodeJump jump : from.jumps) {
      const bool leaves = is_inside(jump.from), arrives = jump.to_function == from.function && is_inside(jump.to);
      if (arrives) jump.to_function = to;
      if (arrives != leaves && jump.to_function != kUnknownFunction)
        (arrives ? moved : rest).entries.push_back({jump.to, arrives ? from.function : to, true, jump.followed});
      (leaves ? moved : rest).jumps.push_back(jump);
    }
    for (const CodeEntry& entry : from.entries) (is_inside(entry.to) ? moved : rest).entries.push_back(entry);
    from.calls = std::move(rest.calls);
    from.call_costs = std::move(rest.call_costs);
    from.jumps = std::move(rest.jumps);
    from.entries = std::move(rest.entries);
  }

  /// Its number, and who is said to enter the callee.
  void move_call(const CodeCall& call, FunctionIndex from, FunctionIndex to) {
    Edge& old = graph_.edges[edges_.at({from, call.callee, 0})];
    const int64_t calls = std::min(call.calls, old.calls);
    old.calls -= calls;
    Edge& edge = graph_.edges[edges_.at({to, call.callee, 0})];
    edge.calls = saturating_add(edge.calls, calls);
    for (FunctionCode& callee : code_.functions) {
      if (callee.function != call.callee) continue;
      for (CodeEntry& entry : callee.entries)
        if (entry.to == call.to && entry.from_function == from && !entry.by_jump) {
          entry.times -= calls;
          callee.entries.push_back({call.to, to, false, calls});
          changed_.insert(callee.function);
          break;
        }
    }
  }

  CostGraph& graph_;
  ProfileCode& code_;
  const PlacedObject& object_;
  size_t events_;
  CostTable<Row> rows_;
  CostTable<LineRow> lines_;
  CostTable<Edge> edges_;
  std::vector<StringId> files_;
  std::map<size_t, FunctionIndex> entered_;  ///< by area
  std::vector<FunctionCode> arrived_;
  std::set<FunctionIndex> moved_to_, changed_;
};

}  // namespace

InstructionFlow flow_of_instruction(std::string_view bytes) {
  const auto byte = [&](size_t at) { return at < bytes.size() ? static_cast<uint8_t>(bytes[at]) : 0; };
  constexpr std::string_view kPrefixes = "\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3";
  size_t at = 0;
  while (at < bytes.size() && kPrefixes.find(bytes[at]) != std::string_view::npos) ++at;
  if (at < bytes.size() && (byte(at) & 0xf0) == 0x40) ++at;  // REX
  if (at >= bytes.size()) return {};
  const auto of_length = [&](size_t behind_prefixes) { return static_cast<uint8_t>(at + behind_prefixes); };
  switch (byte(at)) {
    case 0xe9:  // jmp
    case 0xeb:
      return {false, true};
    case 0xe8:  // call, which is often the last instruction before a function's end
      return {true, false, of_length(5)};
    case 0xc2:  // ret
    case 0xc3:
    case 0xf4:
      return {false, false};  // hlt
    case 0xff: {
      const int operation = byte(at + 1) >> 3 & 7;
      return {operation < 2 || operation > 5, false};  // call *, jmp *
    }
    case 0x0f:
      if (byte(at + 1) == 0x0b) return {false, false};                       // ud2
      if ((byte(at + 1) & 0xf0) == 0x80) return {true, true, of_length(6)};  // jcc
      return {true, false};
    default:
      if ((byte(at) & 0xf0) == 0x70 || (byte(at) & 0xfc) == 0xe0) return {true, true, of_length(2)};  // jcc, loop
      return {true, false};
  }
}

FunctionAreas::FunctionAreas(const ElfSymbols& object) {
  std::vector<const ElfSymbol*> sized;  // LibTorch has hundreds of thousands
  for (const ElfSymbol& symbol : object.symbols)
    if (symbol.is_function && symbol.is_defined && symbol.size > 0 && symbol.address + symbol.size > symbol.address)
      sized.push_back(&symbol);
  std::sort(sized.begin(), sized.end(), [](const ElfSymbol* a, const ElfSymbol* b) {
    if (a->address != b->address) return a->address < b->address;
    return std::pair(a->name.size(), a->name) < std::pair(b->name.size(), b->name);
  });
  for (const ElfSymbol* const one : sized) {
    const ElfSymbol& symbol = *one;
    if (areas_.empty() || symbol.address >= areas_.back().end) areas_.push_back({symbol.address, symbol.address, {}});
    Area& area = areas_.back();
    area.end = std::max(area.end, symbol.address + symbol.size);
    if (area.symbols.empty() || area.symbols.back().name != symbol.name) area.symbols.push_back(symbol);
  }
}

std::optional<size_t> FunctionAreas::find(uint64_t address) const {
  const auto behind = std::upper_bound(areas_.begin(), areas_.end(), address,
                                       [](uint64_t wanted, const Area& area) { return wanted < area.begin; });
  if (behind == areas_.begin() || address >= std::prev(behind)->end) return std::nullopt;
  return static_cast<size_t>(behind - areas_.begin()) - 1;
}

std::set<std::string> move_misplaced_code(CostGraph& graph, const PlacedObject& object) {
  if (!graph.code) return {};
  std::vector<Stretch> found = MisplacedCode(graph, *graph.code, object).find();
  if (found.empty()) return {};
  std::reverse(found.begin(), found.end());
  ProfileCode code = *graph.code;
  CodeMover mover(graph, code, object);
  for (const Stretch& stretch : found) mover.move(stretch);
  std::set<std::string> names = mover.finish();
  graph.code = std::make_shared<const ProfileCode>(std::move(code));
  return names;
}

MisplacedNames find_misplaced_code(const CostGraph& graph, const ProfileCode& code, const PlacedObject& object) {
  MisplacedNames names;
  for (const Stretch& stretch : MisplacedCode(graph, code, object).find())
    names.emplace(demangle(object.areas.areas()[stretch.area].symbols.front().name),
                  graph.name(code.functions[stretch.code].function));
  return names;
}

std::string describe_misplaced_code(const MisplacedNames& names) {
  if (names.empty()) return {};
  const auto& [function, listed] = *names.begin();
  return fmt::format(
      "code of `{}` is listed under `{}`{}: it was entered by a return or a computed jump, as fibers and retpolines "
      "do; "
      "`icount count` assigns it by address",
      function, listed, names.size() > 1 ? fmt::format(", and that of {} more", names.size() - 1) : "");
}

std::string describe_placed_code(const std::set<std::string>& names) {
  return fmt::format(
      "{} {} entered by a return or a computed jump, as fibers and retpolines do: the cost of {} instructions is {} "
      "own, but calls into {} are not known, and the function that ran before includes them",
      list_functions(names), names.size() == 1 ? "was" : "were", names.size() == 1 ? "its" : "their",
      names.size() == 1 ? "its" : "their", names.size() == 1 ? "it" : "them");
}

}  // namespace icount
