// The annotated source of a listed function, side by side: every executed line of either side with its executions and
// self cost, the unexecuted ones around it where the text is known, and the loops that begin there. Made of
// explain/function_listing.h; report/annotated_json.h puts it into the HTML report.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "icount/explain/function_listing.h"

namespace icount {

/// One line, as both sides have it. A side whose line is 0 does not have it.
struct AnnotatedRow {
  std::array<uint64_t, 2> line{};
  std::array<std::string, 2> text;
  std::array<bool, 2> has_text{};
  std::array<int64_t, 2> executions{}, self{};
  int depth = 0;                ///< loops around it
  std::vector<uint32_t> loops;  ///< that begin here: numbers of FunctionListing::loops
  bool follows_gap = false;     ///< lines between it and the row before are left out
};

/// The lines of one file.
struct AnnotatedFile {
  std::string file;  ///< head's name of it, or base's, as the profile has it
  std::vector<AnnotatedRow> rows;
  size_t more = 0;                     ///< executed lines that are left out, the cheapest
  std::array<int64_t, 2> more_self{};  ///< what those cost
};

/// Files by cost (the larger side's), each with at most `most` executed lines. Costs of rows and of what is left out
/// add up to those of listing.lines.
std::vector<AnnotatedFile> annotate_source(const FunctionListing& listing, size_t most);

}  // namespace icount
