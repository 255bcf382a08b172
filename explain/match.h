// Which function of the base is which function of the head. By names first, then by evidence, which is never silent.
// Works on two explain/folded_graph.h; explain/joined_graph.h is what comes out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/explain/folded_graph.h"

namespace icount {

/// How two functions were found to be one.
enum class MatchedBy : uint8_t {
  kNothing,   ///< on one side only
  kName,      ///< same name
  kObject,    ///< same name in another library or program (an allocator was exchanged)
  kDispatch,  ///< variants of one library routine chosen at run time (__memcpy_avx_..., __memcpy_sse2_...)
  kPlace,     ///< functions without names (0x addresses), by order and figures
  kEvidence,  ///< another name, but evidence that it is the same function
};

/// One function of either or both sides; an index is kNoFunction when that side has none.
struct FunctionMatch {
  uint32_t base = kNoFunction;
  uint32_t head = kNoFunction;
  MatchedBy by = MatchedBy::kNothing;
  std::string evidence;  ///< for kEvidence: "same callers and callees, same cost per call"
};

/// Every function of both sides occurs in exactly one match. Swapping the arguments swaps base and head in each match
/// and nothing else but their order. With `raw_names` only equal names match.
std::vector<FunctionMatch> match_functions(const FoldedGraph& base, const FoldedGraph& head, bool raw_names);

}  // namespace icount
