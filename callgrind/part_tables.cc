#include "callgrind/part_tables.h"

#include <limits>
#include <utility>

#include "base/check.h"
#include "base/checked.h"

namespace icount {
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
  return std::exchange(part_, ProfilePart());
}

FunctionIndex PartTables::find_function(const Function& function) {
  auto& all = profile_.functions;
  const auto is_it = [&](uint32_t i) {
    return all[i].name == function.name && all[i].file == function.file && all[i].object == function.object;
  };
  // Names are nearly unique, so the last function of this name is nearly always the one.
  if (function.name >= last_of_name_.size()) last_of_name_.resize(profile_.strings.size(), 0);
  FunctionIndex& last = last_of_name_[function.name];
  if (last < all.size() && is_it(last)) return last;
  const uint32_t next = next_index(all.size());
  const uint64_t hash = mix_key(pair_key(function.name, function.file), function.object);
  last = functions_.find_or_insert(hash, next, is_it);
  if (last == next) all.push_back(function);
  return last;
}

int64_t* PartTables::find_row_costs(FunctionIndex function, StringId file) {
  const auto is_it = [&](uint32_t i) { return part_.rows[i].function == function && part_.rows[i].file == file; };
  const size_t events = part_.events.size();
  if (last_row_ < part_.rows.size() && is_it(last_row_)) return part_.row_self.data() + last_row_ * events;
  const uint32_t next = next_index(part_.rows.size());
  last_row_ = rows_.find_or_insert(mix_key(pair_key(function, file)), next, is_it);
  if (last_row_ == next) {
    part_.rows.push_back({function, file});
    part_.row_self.insert(part_.row_self.end(), events, 0);
  }
  return part_.row_self.data() + last_row_ * events;
}

void PartTables::add_call(FunctionIndex caller, FunctionIndex callee, int64_t calls, std::span<const int64_t> costs) {
  const uint32_t next = next_index(part_.edges.size());
  const auto is_it = [&](uint32_t i) { return i < next && part_.edges[i].caller == caller && part_.edges[i].callee == callee; };
  // Half of all calls go where the caller called before, and nobody else did since.
  if (callee >= last_edge_to_.size()) last_edge_to_.resize(profile_.functions.size(), 0);
  uint32_t& found = last_edge_to_[callee];
  if (!is_it(found)) found = edges_.find_or_insert(mix_key(pair_key(caller, callee)), next, is_it);
  if (found == next) {
    part_.edges.push_back({caller, callee, calls});
    part_.inclusive.insert(part_.inclusive.end(), costs.begin(), costs.end());
    return;
  }
  part_.edges[found].calls = saturating_add(part_.edges[found].calls, calls);
  int64_t* sums = part_.inclusive.data() + found * costs.size();
  for (size_t e = 0; e < costs.size(); ++e) sums[e] = saturating_add(sums[e], costs[e]);
}

bool PartTables::add_line(const LineRow& line, std::span<const int64_t> costs) {
  const uint32_t next = next_index(part_.lines.size());
  const uint64_t hash = mix_key(pair_key(line.function, line.file), line.line);
  const uint32_t found = lines_.find_or_insert(hash, next, [&](uint32_t i) {
    const LineRow& known = part_.lines[i];
    return known.line == line.line && known.function == line.function && known.file == line.file;
  });
  if (found == next) {
    part_.lines.push_back(line);
    part_.line_self.resize(part_.line_self.size() + costs.size(), 0);
  }
  int64_t* sums = part_.line_self.data() + found * costs.size();
  bool fits = true;
  for (size_t e = 0; e < costs.size(); ++e) fits &= !__builtin_add_overflow(sums[e], costs[e], &sums[e]);
  return fits;
}

}  // namespace icount
