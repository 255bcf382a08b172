// Why the compiler did what a cause tells: what it recorded of inlining and of loops (-fsave-optimization-record) on
// both sides, joined to the causes of an explanation. inputs/compiler_records.h reads the records;
// report/mine_document.h says what was decided otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// A decision about one call.
struct InlineRecord {
  std::string caller, callee;  ///< record_name of them
  bool inlined = false;
  std::string reason;  ///< the compiler's words, "cost=565, threshold=562"; may be empty where it was inlined
};

/// What was done with a loop, or why it was not.
struct LoopRecord {
  std::string file;
  uint64_t line = 0;
  std::string text;
};

struct CompilerRecords {
  std::vector<InlineRecord> inlining;
  std::vector<LoopRecord> loops;
};

/// What a function is called in records and profiles alike: "int ns::big(long) [with T = int]" -> "big".
std::string record_name(std::string_view name);

/// What the compiler decided on the two sides about the code of a cause.
struct CompilerDecision {
  std::string caller, callee;                    ///< of a call; empty for a loop
  std::string loop;                              ///< "scan.c:9-11"
  int64_t delta = 0;                             ///< of the cause
  std::array<std::vector<std::string>, 2> said;  ///< base's and head's; empty: no decision on record
};

/// The decisions that the sides made otherwise, of calls that one side alone makes or has inlined and of loops, in the
/// order of the causes. Of inlined code without any record, too: the compiler kept none.
std::vector<CompilerDecision> compiler_decisions(const Explanation& explanation,
                                                 const std::array<CompilerRecords, 2>& records);

}  // namespace icount
