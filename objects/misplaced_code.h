// Code that a profile lists under another function than the one whose symbol its address lies in. Callgrind names code
// by its own record of calls: what a return or a computed jump leads to from outside (fibers that switch stacks,
// retpolines) keeps the name of what ran before. The addresses know better.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/harness/elf_file.h"

namespace icount {

/// What a single instruction can lead to.
struct InstructionFlow {
  bool goes_on = true;      ///< to the instruction behind it
  bool jumps_there = true;  ///< to an address that is written in it, by a jump
  uint8_t length = 0;       ///< in bytes, of direct calls and jumps under a condition; 0: not told
};

/// Of an x86-64 instruction, which begins `bytes`; both where there are none.
InstructionFlow flow_of_instruction(std::string_view bytes);

/// Functions of an object that have a size, by address; those that overlap (aliases, several entries) are one area.
class FunctionAreas {
 public:
  struct Area {
    uint64_t begin = 0, end = 0;
    std::vector<ElfSymbol> symbols;  ///< the one to name it by comes first
  };
  explicit FunctionAreas(const ElfSymbols& object);

  const std::vector<Area>& areas() const { return areas_; }
  /// Index of the area that an address lies in.
  std::optional<size_t> find(uint64_t address) const;

 private:
  std::vector<Area> areas_;
};

/// An object whose code a graph has.
struct PlacedObject {
  std::string_view name;  ///< as the graph has it
  uint64_t bias = 0;      ///< what was added to its addresses
  const FunctionAreas& areas;
  std::function<InstructionFlow(uint64_t address)> flow_of;  ///< of an instruction, by the object's own address
};

/// Moves self cost, and calls made there, of code in another function's area to that function. Code that a function
/// reaches by a direct jump, or by running off its end, stays where it is: that is how clones (.cold) and assembly are
/// built, and Callgrind means it so. So does everything of a function that was neither entered at a symbol nor has the
/// name of one, and calls whose costs the graph's code doesn't have. Totals stay. Returns the names of the functions
/// that something was moved to. Needs the code of all functions (KeptCode::kAll).
std::set<std::string> move_misplaced_code(CostGraph& graph, const PlacedObject& object);

/// Functions that code belongs to, each with one that it is listed under.
using MisplacedNames = std::map<std::string, std::string>;

/// The same code of `code`, which may be of some functions of the graph alone, where nothing is to be moved.
MisplacedNames find_misplaced_code(const CostGraph& graph, const ProfileCode& code, const PlacedObject& object);

/// A warning on a profile, or nothing.
std::string describe_misplaced_code(const MisplacedNames& names);

/// A note on functions that something was moved to: what is known of them now and what is not.
std::string describe_placed_code(const std::set<std::string>& names);

}  // namespace icount
