// A change by places of the source: every term of the identity (docs/explaining_diff.md) shared out among the lines
// that it is of, each with the inlined calls around it. Shares add up to the change whatever lines are joined later, so
// mine/ may ask which of them a commit changed. Made by explain(), where ExplainOptions::with_places asks for it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace icount {

/// A line of one side's source.
struct PlaceFrame {
  uint32_t file = 0;  ///< index into PlacedChange::files
  uint64_t line = 0;
  auto operator<=>(const PlaceFrame&) const = default;
};

/// A line, then the calls that stand for the inlined functions around it, outwards. Empty: not known.
using PlaceChain = std::vector<PlaceFrame>;

/// A function of either or both sides, as matched.
struct PlacedFunction {
  std::string name;                  ///< head's, or base's where head has none
  std::string object;                ///< the same
  std::array<std::string, 2> files;  ///< that it is written in, by side; empty: not there, or not known
  bool has_same_code = false;        ///< both sides executed the same instructions of it, as far as their offsets tell
  bool has_code = false;             ///< addresses are known of it on both sides
};

struct PlacedShare {
  static constexpr uint32_t kNone = ~uint32_t{0};
  enum class Of : uint8_t { kOwnCost, kCalls, kEntry } of = Of::kOwnCost;
  uint8_t side = 0;             ///< whose line it is: head's shares count more, base's less
  bool is_of_one_side = false;  ///< of calls: the other side makes none
  uint32_t function = 0;        ///< index into PlacedChange::functions: where the line is executed
  uint32_t callee = kNone;      ///< of calls
  uint32_t chain = 0;           ///< index into PlacedChange::chains of the side
  long double value = 0;
};

/// A line that a side executed.
struct ExecutedPlace {
  uint32_t function = 0, chain = 0;
  int64_t executions = 0;  ///< of the instruction of it that ran most; -1: not known
};

/// Self cost of one side's line, in all functions.
struct LineSelfCost {
  PlaceFrame at;
  int64_t cost = 0;
};

struct PlacedChange {
  std::vector<std::string> files;                 ///< as the profiles have them
  std::array<std::vector<PlaceChain>, 2> chains;  ///< by side; the first is the empty one
  std::vector<PlacedFunction> functions;
  std::vector<PlacedShare> shares;                      ///< they add up to the change, but for rounding
  std::array<std::vector<ExecutedPlace>, 2> executed;   ///< by side, each place of a function once
  std::vector<std::pair<uint32_t, uint32_t>> calls;     ///< caller and callee, of either side; jumps to others, too
  std::array<std::vector<LineSelfCost>, 2> line_costs;  ///< by side, by function: a line may be there again
  std::array<bool, 2> knows_lines{}, knows_inlined{};   ///< by side
};

}  // namespace icount
