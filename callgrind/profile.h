// A profile: everything a callgrind.out file says, part by part, as the parser found it. parse_profile (parser.h) makes
// it from bytes; make_cost_graph (cost_graph_builder.h) adds the parts up into what the rest of icount works on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"

namespace icount {

/// A remark of the parser that leaves the result complete; said once per cause, with a count.
struct ProfileWarning {
  int64_t line = 0;  ///< where it was first seen, from 1
  int64_t count = 1;
  std::string text;
};

/// One self cost line; kept only when ParseOptions::keep_positions is set.
struct PositionRow {
  FunctionIndex function = 0;
  StringId file = kEmptyString;  ///< the file in force (committed)
  uint64_t address = 0;          ///< 0 when the part has no instr position
  uint64_t block = 0;
  uint64_t line = 0;
};

/// One jump line; kept only when ParseOptions::keep_jumps is set. executed = followed for unconditional ones.
struct JumpRow {
  bool conditional = false;
  FunctionIndex function = 0;
  StringId file = kEmptyString;
  uint64_t address = 0, line = 0;
  StringId target_file = kEmptyString;
  StringId target_function = kEmptyString;
  uint64_t target_address = 0, target_line = 0;
  uint64_t executed = 0, followed = 0;
};

/// One dump: header, body, totals. Functions and strings are those of the Profile; cost tables are row-major with
/// events.size() numbers per entry, as in CostGraph.
struct ProfilePart {
  int64_t number = 0;                         ///< "part:"; 0 when the file names none
  int64_t thread = 0;                         ///< "thread:"; 0 when threads were not separated
  std::vector<std::string> descriptions;      ///< "desc:" lines, without the key
  std::string trigger;                        ///< text of "desc: Trigger:"
  int64_t first_block = -1, last_block = -1;  ///< "desc: Timerange: Basic block a - b"; -1 when absent
  bool has_addresses = false, has_blocks = false, has_lines = true;
  /// Takes over which positions the lines have.
  void take_positions(const ProfilePart& other) {
    has_addresses = other.has_addresses;
    has_blocks = other.has_blocks;
    has_lines = other.has_lines;
  }
  std::vector<std::string> events;
  std::vector<int64_t> summary;  ///< as written; never used as a total
  bool has_totals = false;       ///< a totals: line was there (and agreed, unless ParseOptions says otherwise)
  std::vector<int64_t> totals;   ///< sum of the self costs, per event
  std::vector<Row> rows;         ///< (function, file) in order of first self cost; each pair once
  std::vector<int64_t> row_self;
  std::vector<Edge> edges;  ///< in order of first sight; each (caller, callee) once
  std::vector<int64_t> inclusive;
  std::vector<LineRow> lines;  ///< only with ParseOptions::keep_lines
  std::vector<int64_t> line_self;
  std::vector<PositionRow> positions;  ///< one per self cost line, in file order
  std::vector<int64_t> position_self;
  std::vector<JumpRow> jumps;
  std::vector<FunctionCode> code;  ///< only with ParseOptions::keep_insides; its files are StringIds
  int64_t self_lines = 0, call_lines = 0;
  int64_t zero_calls = 0;  ///< call lines with calls=0
};

struct Profile {
  std::string version, creator, command;
  int64_t pid = 0;
  bool emitter_rule = false;  ///< which of the two rules of docs/callgrind_format.md the last part was read by
  StringPool strings;
  std::vector<Function> functions;  ///< of all parts, in order of first cost or call; each triple once
  std::vector<ProfilePart> parts;
  std::vector<ProfileWarning> warnings;  ///< by line
  bool has_costly_code = false;          ///< the parts' code is of costly functions alone, and was chosen
};

}  // namespace icount
