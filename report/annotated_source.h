// The annotated source of a listed function, side by side: every executed line of either side with its executions and
// self cost, the unexecuted ones around it where the text is known, and the loops that begin there. Made of
// explain/function_listing.h.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/explain/function_listing.h"
#include "icount/report/report_data.h"
#include "icount/report/text_style.h"

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

// Annotated sources of listed functions for the page: the part "inside" of a benchmark in an HTML report's data.
// report/assets/inside.js draws it.

/// One object per listing that has rows, the first limits.opened of them.
Json listings_to_page_json(const std::vector<FunctionListing>& listings, const ReportLimits& limits);

/// The source of one function with what each line was executed and cost: `icount show --source`, as text and as JSON.
/// The values come from inputs/load_asm.h.
struct ShownSource {
  std::string name, file, object;  ///< of the function
  std::string event;
  int64_t self = 0;
  FunctionListing listing;  ///< of head alone: lines, sources, notes, or why it is closed
};

/// Self costs of the lines add up to the function's.
void render_source_text(std::ostream& out, const ShownSource& shown, bool raw, const TextStyle& style);

/// schema icount-source (docs/json.md).
Json source_to_json(const ShownSource& shown);

}  // namespace icount
