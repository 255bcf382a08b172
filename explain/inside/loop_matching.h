// Which loop of base is which of head where the code differs: by aligned source lines, callees, depth, order and
// figures. What is not matched is one side's alone, never guessed. Used by explain/inside/opened_function.h.
#pragma once

#include <map>

#include "icount/explain/inside/opened_function.h"

namespace icount {

/// Fills regions, region_of_loop and lines of a function whose code differs. Does not depend on which side is base.
/// `callees` as in open_function.
void match_loops(OpenedFunction& opened, const CalleeNodes& callees);

// Which line of base is which of head, inside one function whose code differs: lines keep their order, and lines that
// cost alike and call alike belong together. Used by explain/inside/loop_matching.h.

/// Lines of `from`'s side -> lines of the other, file by file (by name, without folders). `callees` as in
/// open_function.
std::map<LineKey, LineKey> align_lines(const OpenedFunction& opened, size_t from, const CalleeNodes& callees);

/// Loops may be one though their text changed; lines may not. Pairs those of known sources as these say, and fills
/// guessed_lines with the others.
void pair_known_lines(OpenedFunction& opened, const SameLines& same_lines);

// Loops that iterate several times less often, each time dearer, and do the same: unrolled, vectorised, or no longer.
// Between explain/inside/loop_matching and the terms; they are told per entry.

/// Marks regions that have several times fewer and dearer iterations with the same calls: unrolled, vectorised, or no
/// longer. Chooses per side whether passes that leave from the header are turns, so that turns agree best.
void find_reshaped(OpenedFunction& opened, const CalleeNodes& callees);

}  // namespace icount
