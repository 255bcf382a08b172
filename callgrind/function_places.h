// Where the lines of each function stand in a profile's text, and who enters a function at which address: noted by the
// first read (callgrind/body_reader), so that what happens inside costly functions is read from their own lines alone,
// a few percent of the text (callgrind/parser.cc).
#pragma once

#include <cstdint>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/callgrind/cost_lines.h"

namespace icount {

/// The lines behind an fn= line, up to the next one, and what the lines before say about them.
struct FunctionPlace {
  const char* begin = nullptr;
  Function function;
  Positions base{};  ///< that relative positions count from
};

/// A call, or a jump from another function.
struct PlacedEntry {
  FunctionIndex function = 0;  ///< that is entered
  CodeEntry entry;
};

/// Of one part.
struct FunctionPlaces {
  std::vector<FunctionPlace> functions;  ///< in the order of the text
  std::vector<PlacedEntry> entries;
  bool has_jumps = false;
};

}  // namespace icount
