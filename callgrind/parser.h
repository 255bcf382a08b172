// Bytes of callgrind.out -> Profile. The format as it is really written, with its verdicts on odd input:
// docs/callgrind_format.md. Pure: never opens a file, never follows a path that a profile names.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "icount/callgrind/profile.h"

namespace icount {

class CodeCollector;  // callgrind/code_reader.h

/// How positions and inline files are read (docs/callgrind_format.md, "emitter rule and manual rule").
enum class PositionRule { kByCreator, kEmitter, kManual };

struct ParseOptions {
  PositionRule rule = PositionRule::kByCreator;
  bool keep_lines = false;      ///< fill CostGraph::lines
  bool keep_positions = false;  ///< fill ProfilePart::positions (addresses and lines one by one)
  bool keep_jumps = false;
  bool keep_insides = false;  ///< fill ProfilePart::code, of all functions
  /// Fill ProfilePart::code of functions that are at least this part of the total of the first event, for profiles by
  /// the emitter rule with addresses; 0: none. Needs little more time than without.
  double keep_costly_insides = 0;
  CodeCollector* code = nullptr;  ///< is told what happens inside the functions that it wants
  /// Told now and then, by either thread, which piece of the text was read for good (unless an error must count lines).
  std::function<void(std::string_view piece)> consumed;
  /// Blocks to cut the text into, of which a second thread reads all but the first ahead; the result is the same. 1:
  /// none is; 0: what pays on this machine for a text of this size. More are for tests: then the thread reads each of
  /// them, however small it is.
  size_t blocks = 0;
  bool accept_wrong_totals = false;  ///< warn instead of refusing when self cost and totals: differ
};

/// Error{kMalformed} "NAME:LINE: ..." with the texts of docs/callgrind_format.md; `name` stands for the file in
/// messages.
Profile parse_profile(std::string_view bytes, std::string_view name, const ParseOptions& options = {});

}  // namespace icount
