#include "icount/callgrind/part_tables.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"

namespace icount {
namespace {

uint64_t hash_of(const LineRow& line) { return mix_key((uint64_t{line.function} << 32) | line.file, line.line); }

}  // namespace

uint32_t LineTable::find_anywhere(const LineRow& line, uint32_t next, const std::vector<LineRow>& lines) {
  return all_.find_or_insert(hash_of(line), next, [&](uint32_t i) {
    return lines[i].line == line.line && lines[i].function == line.function && lines[i].file == line.file;
  });
}

void LineTable::open(FunctionIndex function, const std::vector<LineRow>& lines) {
  const auto next = static_cast<uint32_t>(lines.size());
  if (function_ != kNone && first_time_) functions_[function_].end = next;
  if (function >= functions_.size()) functions_.resize(function + size_t{1} + functions_.size() / 2);
  Lines& own = functions_[function];
  function_ = function;
  first_time_ = own.part != part_;
  if (first_time_) {
    own = {part_, next, next, false};
    used_ = 0;
    if (++opening_ == 0) {  // after 2^32 openings the oldest slots would look new
      slots_.assign(slots_.size(), Slot());
      opening_ = 1;
    }
  } else if (!std::exchange(own.indexed, true)) {
    for (uint32_t i = own.begin; i < own.end; ++i) find_anywhere(lines[i], i, lines);
  }
}

/// Moves the open function's lines, which are the last ones.
void LineTable::grow(const std::vector<LineRow>& lines) {
  slots_.assign(slots_.size() * 2, Slot());
  const size_t mask = slots_.size() - 1;
  for (uint32_t i = functions_[function_].begin; i < lines.size(); ++i) {
    size_t at = place_of(lines[i]) & mask;
    while (slots_[at].opening == opening_) at = (at + 1) & mask;
    slots_[at] = {opening_, i};
  }
}

namespace {

/// Two 32-bit numbers as one key.
uint64_t pair_key(uint32_t a, uint32_t b) { return (uint64_t{a} << 32) | b; }

uint32_t next_index(size_t size) {
  ICOUNT_CHECK(size < std::numeric_limits<uint32_t>::max(), "more than 2^32 entries");
  return static_cast<uint32_t>(size);
}

}  // namespace

PartTables::PartTables(Profile& profile, size_t input_bytes) : profile_(profile) {
  // Room that stays unused costs nothing, moving to more room does. Small files need neither.
  constexpr size_t kWorthGuessing = size_t{1} << 20;
  if (input_bytes < kWorthGuessing) return;
  const size_t edges = input_bytes / 256;
  part_.edges.reserve(edges);
  part_.inclusive.reserve(edges);
  part_.rows.reserve(edges / 2);
  part_.row_self.reserve(edges / 2);
  profile_.functions.reserve(edges / 2);
}

ProfilePart PartTables::take_part() {
  rows_.clear();
  edges_.clear();
  lines_.clear();
  caller_ = kNoCaller;
  ++part_number_;
  return std::exchange(part_, ProfilePart());
}

FunctionIndex PartTables::find_other_function(const Function& function) {
  auto& all = profile_.functions;
  if (function.name >= last_of_name_.size()) last_of_name_.resize(profile_.strings.size());
  const uint32_t next = next_index(all.size());
  const uint64_t hash = mix_key(pair_key(function.name, function.file), function.object);
  const FunctionIndex found = functions_.find_or_insert(hash, next, [&](uint32_t i) {
    return all[i].name == function.name && all[i].file == function.file && all[i].object == function.object;
  });
  if (found == next) all.push_back(function);
  last_of_name_[function.name] = {found, function.file, function.object};
  return found;
}

void PartTables::open_row(FunctionIndex function, StringId file) {
  const uint32_t next = next_index(part_.rows.size());
  last_row_ = rows_.find_or_insert(mix_key(pair_key(function, file)), next, [&](uint32_t i) {
    return part_.rows[i].function == function && part_.rows[i].file == file;
  });
  if (last_row_ != next) return;
  part_.rows.push_back({function, file});
  part_.row_self.insert(part_.row_self.end(), part_.events.size(), 0);
}

/// Profiles name a function's calls all at once, so while it is open for the first time an edge is either the last one
/// to the callee or new. Only callers that are opened again need their edges in the hash table.
void PartTables::open_caller(FunctionIndex caller) {
  const uint32_t next = next_index(part_.edges.size());
  if (caller_ != kNoCaller && first_time_) callers_[caller_].end = next;
  if (caller >= callers_.size()) callers_.resize(profile_.functions.size());
  CallerEdges& edges = callers_[caller];
  caller_ = caller;
  first_time_ = edges.part != part_number_;
  if (first_time_) {
    edges = {part_number_, next, next, false};
  } else if (!std::exchange(edges.indexed, true)) {
    for (uint32_t i = edges.begin; i < edges.end; ++i)
      edges_.find_or_insert(mix_key(pair_key(caller, part_.edges[i].callee)), i, [](uint32_t) { return false; });
  }
}

void PartTables::add_call(FunctionIndex caller, FunctionIndex callee, int64_t calls, std::span<const int64_t> costs) {
  if (caller != caller_) open_caller(caller);
  const uint32_t next = next_index(part_.edges.size());
  const auto is_it = [&](uint32_t i) {
    return i < next && part_.edges[i].caller == caller && part_.edges[i].callee == callee;
  };
  // Half of all calls go where the caller called before, and nobody else did since.
  if (callee >= last_edge_to_.size()) last_edge_to_.resize(profile_.functions.size());
  LastEdge& last = last_edge_to_[callee];
  if (last.caller != caller || !is_it(last.index))
    last = {caller, first_time_ ? next : edges_.find_or_insert(mix_key(pair_key(caller, callee)), next, is_it)};
  const uint32_t found = last.index;
  if (found == next) {
    part_.edges.push_back({caller, callee, calls});
    for (const int64_t cost : costs) part_.inclusive.push_back(cost);
    return;
  }
  part_.edges[found].calls = saturating_add(part_.edges[found].calls, calls);
  int64_t* sums = part_.inclusive.data() + found * costs.size();
  for (size_t e = 0; e < costs.size(); ++e) sums[e] = saturating_add(sums[e], costs[e]);
}

bool PartTables::add_rows_and_edges(const ProfilePart& other, std::span<const FunctionIndex> functions,
                                    std::span<const StringId> strings) {
  const size_t events = part_.events.size();
  const std::span<const int64_t> self(other.row_self);
  std::vector<size_t> at(other.rows.size());
  for (size_t r = 0; r < other.rows.size(); ++r) {
    const int64_t* const sums = find_row_costs(functions[other.rows[r].function], strings[other.rows[r].file]);
    at[r] = static_cast<size_t>(sums - part_.row_self.data());
  }
  // Several rows there may be one here: an id and the name that it turned out to have.
  std::vector<int64_t> sums = part_.row_self;
  for (size_t r = 0; r < at.size(); ++r)
    for (size_t e = 0; e < events; ++e)
      if (__builtin_add_overflow(sums[at[r] + e], self[r * events + e], &sums[at[r] + e])) return false;
  std::copy(sums.begin(), sums.end(), part_.row_self.begin());  // in place: there is room for more
  const bool one_to_one = are_different(functions);
  for (size_t begin = 0, end; begin < other.edges.size(); begin = end) {
    const FunctionIndex there = other.edges[begin].caller;
    for (end = begin + 1; end < other.edges.size() && other.edges[end].caller == there;) ++end;
    const std::span<const Edge> edges = std::span(other.edges).subspan(begin, end - begin);
    const std::span<const int64_t> costs = std::span(other.inclusive).subspan(begin * events, edges.size() * events);
    if (one_to_one && is_new_caller(functions[there]))
      append_edges(functions[there], edges, functions, costs);
    else
      for (size_t i = 0; i < edges.size(); ++i)
        add_call(functions[there], functions[edges[i].callee], edges[i].calls, costs.subspan(i * events, events));
  }
  return true;
}

bool PartTables::are_different(std::span<const FunctionIndex> functions) const {
  std::vector<char> seen(profile_.functions.size());
  return std::none_of(functions.begin(), functions.end(),
                      [&](FunctionIndex f) { return std::exchange(seen[f], 1) != 0; });
}

bool PartTables::is_new_caller(FunctionIndex caller) const {
  return caller >= callers_.size() || callers_[caller].part != part_number_;
}

/// The edges of a caller that had none, to as many callees, in a row: nothing has to be looked up.
void PartTables::append_edges(FunctionIndex caller, std::span<const Edge> edges,
                              std::span<const FunctionIndex> functions, std::span<const int64_t> costs) {
  open_caller(caller);
  for (const Edge& edge : edges) {
    const FunctionIndex callee = functions[edge.callee];
    if (callee >= last_edge_to_.size()) last_edge_to_.resize(profile_.functions.size());
    last_edge_to_[callee] = {caller, next_index(part_.edges.size())};
    part_.edges.push_back({caller, callee, edge.calls});
  }
  part_.inclusive.insert(part_.inclusive.end(), costs.begin(), costs.end());
}

bool PartTables::add_line(const LineRow& line, std::span<const int64_t> costs) {
  const uint32_t next = next_index(part_.lines.size());
  const auto is_it = [&](uint32_t i) {
    const LineRow& known = part_.lines[i];
    return known.line == line.line && known.function == line.function && known.file == line.file;
  };
  // A source line is several instructions; one without debug information, all of a function's.
  uint32_t& found = last_line_;
  if (found >= next || !is_it(found)) found = lines_.find_or_insert(line, part_.lines);
  if (found == next) {
    part_.lines.push_back(line);
    for (const int64_t cost : costs) part_.line_self.push_back(cost);
    return true;
  }
  int64_t* sums = part_.line_self.data() + found * costs.size();
  bool fits = true;
  for (size_t e = 0; e < costs.size(); ++e) fits &= !__builtin_add_overflow(sums[e], costs[e], &sums[e]);
  return fits;
}

}  // namespace icount
