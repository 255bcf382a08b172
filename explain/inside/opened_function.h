// The inside of a folded function: the code of all its pieces, as one flow. Between the folded graph, which says what
// the pieces of a function are, and shapes/, which makes blocks and loops.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/explain/explain.h"
#include "icount/explain/flow/flow_table.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/shapes/code_flow.h"
#include "icount/shapes/function_shape.h"

namespace icount {

/// Callees are numbered as the folded functions. Pieces in another object (steps through a linkage table) are left out.
/// Closed where nothing was recorded. `shift` is subtracted from every address.
CodeFlow flow_of_function(const FoldedGraph& side, const ProfileCode& code, uint32_t function, uint64_t shift = 0);

// Whether two flows run the same code, and where blocks begin that both have. Instructions are compared by address
// relative to the entry; used by explain/inside/opened_function.

/// The instruction at an address; nullptr where the flow has none there.
const Instruction* find_instruction(const CodeFlow& flow, uint64_t address);

/// Instructions lie at the same places, and neither falls through, begins inside an instruction, jumps or returns
/// otherwise than the other.
bool is_same_code(const CodeFlow& a, const CodeFlow& b);

/// Where blocks begin on either side; a block is run by a side as a whole or not at all.
std::vector<uint64_t> common_starts(const CodeFlow& a, const CodeFlow& b);

// One function on both sides of a comparison, opened: its blocks and loops, and which loop of base is which of head.
// Made from shapes/function_shape.h; explain/inside/inside_graph.h makes a flow graph of it. See
// docs/inside_functions.md.

/// A line by file (without folders) and number.
using LineKey = std::pair<std::string_view, uint64_t>;

/// The function's body (number 0) or a loop, as both sides have it. A side may lack it, or have several loops for it: a
/// loop that was split, or false nests of one loop of the source.
struct Region {
  std::array<std::vector<uint32_t>, 2> loops;  ///< by side: loops of its shape, the outermost first
  std::array<uint32_t, 2> parent{};            ///< by side: the region around it
  bool replaced = false;                       ///< a loop of other source took the place of base's
  bool reshaped = false;                       ///< unrolled, vectorised and the like: told per entry
  bool measuring = false;                      ///< what a stub makes around a statement: told per run of that
  BothSides entries{}, iterations{};

  bool on_both() const { return !loops[0].empty() && !loops[1].empty(); }
};

/// By side and folded function: the number that both sides know it by (its node of the joined graph).
using CalleeNodes = std::array<std::vector<uint32_t>, 2>;

struct OpenedFunction {
  std::array<FunctionShape, 2> shapes;
  std::array<const ProfileCode*, 2> code{};
  std::array<uint64_t, 2> shifts{};  ///< subtracted from the addresses of a side
  std::string_view file;             ///< of its own code, as the profile has it
  bool same_code = false;            ///< blocks correspond one to one, by number
  bool has_names = false;            ///< both sides know which inlined functions its code is of
  std::vector<Region> regions;       ///< an outer one before those inside it
  std::array<std::vector<uint32_t>, 2> region_of_loop;
  std::map<LineKey, LineKey> lines;  ///< base -> head
  /// Lines of head, of pairs that were found by their figures alone, and whether the lines around them say the same.
  std::map<LineKey, bool> guessed_lines;
  std::string closed;  ///< why it can't be opened; then the rest is empty

  uint32_t region_of(size_t side, uint32_t block) const {
    const uint32_t loop = shapes[side].blocks[block].loop;
    return loop == kNoLoop ? 0 : region_of_loop[side][loop];
  }
  LineKey line_of(size_t side, const Instruction& one) const;
  /// The same, but of a library's inlined code the line of the program that leads there; line 0 where that is not
  /// known.
  LineKey own_line_of(size_t side, const Instruction& one) const;
  bool is_knot(uint32_t region) const;
  /// Self cost of the header's passes that end the loop: no iterations.
  int64_t last_tests(size_t side, uint32_t region, int64_t figure_of_header) const;
  /// The header of a side's region, where passes may end it; kNoLoop where there is none.
  uint32_t header_of(size_t side, uint32_t region) const;
  /// In the head, or in the base where head has no such loop.
  LoopPlace place_of(uint32_t region) const;
  /// Base's, of a loop that another took the place of.
  LoopPlace replaced_place(uint32_t region) const;
  /// The inlined function that the loop of place_of is written in; nothing where it is the function itself, or not
  /// known.
  std::optional<CauseInlined> inlined_of(uint32_t region) const;
  std::optional<CauseInlined> inlined_of(uint32_t region, size_t side) const;
  /// The outermost inlined function that such a loop is in and the region around it is not; where that is of the
  /// function's own file, what it calls in turn: what that file calls there. Its line is that of the call; nothing
  /// where there is none, or it is not known.
  std::optional<CauseInlined> entered_by(uint32_t region, uint32_t around) const;
  /// Of inlined functions around a piece of code, from the outermost inwards, the one to name: the first that is of
  /// another file than the function; before it those of its own file, but one that the compiler wrote or that is a
  /// line long says more than what is called there. 1 + index into ProfileCode::inlined of that side.
  uint32_t frame_to_name(size_t side, const std::vector<uint32_t>& chain) const;
};

OpenedFunction open_function(const std::array<const FoldedGraph*, 2>& sides,
                             const std::array<const ProfileCode*, 2>& code, const std::array<uint32_t, 2>& functions,
                             const CalleeNodes& callees, const SameLines& same_lines = {});

/// Loops of a side that are one loop of the source with the one around them (its top was duplicated for a `continue` or
/// by jump threading).
std::set<uint32_t> same_source_nests(const OpenedFunction& opened, size_t side);

/// Marks the region of the loop that a stub makes around a statement (Region::measuring). Where a count begins inside
/// the loop around that one, which asks for the next pass, both are seen; the inner one is it.
void find_measuring_loop(OpenedFunction& opened);

}  // namespace icount
