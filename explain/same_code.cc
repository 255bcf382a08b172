#include "icount/explain/same_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "icount/shapes/function_shape.h"

namespace icount {
namespace {

// So much of the smaller side's code must lie at the same places.
constexpr double kCommonCode = 0.5;

/// Where an instruction falls through to; nothing where it does not, or is the last.
std::optional<uint64_t> next_address(const CodeFlow& flow, const Instruction& one) {
  const Instruction* const next = &one + 1;
  if (one.falls == 0 || next == flow.instructions.data() + flow.instructions.size()) return std::nullopt;
  return next->address;
}

/// Targets of the instructions that jump to one place only.
std::map<uint64_t, uint64_t> single_targets(const CodeFlow& flow) {
  std::map<uint64_t, uint64_t> targets;
  for (size_t j = 0; j < flow.jumps.size(); ++j) {
    const uint32_t from = flow.jumps[j].from;
    const bool several =
        (j > 0 && flow.jumps[j - 1].from == from) || (j + 1 < flow.jumps.size() && flow.jumps[j + 1].from == from);
    if (!several) targets[flow.instructions[from].address] = flow.instructions[flow.jumps[j].to].address;
  }
  return targets;
}

/// Whether an instruction of `other` begins inside one of `flow`.
bool begins_inside(const CodeFlow& flow, const CodeFlow& other) {
  for (const Instruction& one : flow.instructions) {
    const auto next = next_address(flow, one);
    if (!next) continue;
    const auto found = std::upper_bound(other.instructions.begin(), other.instructions.end(), one.address,
                                        [](uint64_t wanted, const Instruction& each) { return wanted < each.address; });
    if (found != other.instructions.end() && found->address < *next) return true;
  }
  return false;
}

}  // namespace

const Instruction* find_instruction(const CodeFlow& flow, uint64_t address) {
  const auto found = std::lower_bound(flow.instructions.begin(), flow.instructions.end(), address,
                                      [](const Instruction& one, uint64_t wanted) { return one.address < wanted; });
  return found != flow.instructions.end() && found->address == address ? &*found : nullptr;
}

bool is_same_code(const CodeFlow& a, const CodeFlow& b) {
  size_t common = 0;
  for (const Instruction& one : a.instructions) {
    const Instruction* const other = find_instruction(b, one.address);
    if (!other) continue;
    ++common;
    const auto here = next_address(a, one), there = next_address(b, *other);
    if (here && there && *here != *there) return false;
    if ((one.returns && other->falls > 0) || (other->returns && one.falls > 0)) return false;
  }
  if (static_cast<double>(common) <
      kCommonCode * static_cast<double>(std::min(a.instructions.size(), b.instructions.size())))
    return false;
  if (begins_inside(a, b) || begins_inside(b, a)) return false;
  const auto targets = single_targets(a), others = single_targets(b);
  return std::all_of(targets.begin(), targets.end(), [&](const auto& jump) {
    const auto other = others.find(jump.first);
    return other == others.end() || other->second == jump.second;
  });
}

std::vector<uint64_t> common_starts(const CodeFlow& a, const CodeFlow& b) {
  const std::vector<uint64_t> of_a = block_starts(a), of_b = block_starts(b);
  std::set<uint64_t> starts(of_a.begin(), of_a.end());
  starts.insert(of_b.begin(), of_b.end());
  std::map<uint64_t, int> sides;
  for (const Instruction& one : a.instructions) sides[one.address] |= 1;
  for (const Instruction& one : b.instructions) sides[one.address] |= 2;
  int before = 0;
  uint64_t last = 0;
  for (const auto& [address, present] : sides) {
    if (present != before || address - last > kLongestInstruction) starts.insert(address);
    before = present;
    last = address;
  }
  return {starts.begin(), starts.end()};
}

}  // namespace icount
