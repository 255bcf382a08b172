// A function side by side, loop by loop and line by line: the table of `icount diff --open FUNCTION`. Made by
// explain/inside/region_lines.h; inputs/listing_sources.h adds the source text where it is found; rendered by
// report/listing_document.h, and by report/annotated_source.h for the HTML report.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace icount {

/// A line of one side's source: the file as the profile has it. Line 0: that side does not have it.
struct ListedPlace {
  std::string file;
  uint64_t line = 0;
};

/// One row. `per` is the figure shown, a rate per call or per iteration; `total` is the whole number behind it, and
/// totals add up exactly: a heading's own cost is the sum of the rows one level below it.
struct ListingRow {
  int indent = 0;
  std::string label;
  std::string file;   ///< of a line's row; empty for others
  uint64_t line = 0;  ///< 0 for others
  std::array<double, 2> per{};
  std::array<int64_t, 2> total{};
  bool is_cost = false;               ///< totals are of the event; else they are numbers of calls, entries, iterations
  std::array<ListedPlace, 2> places;  ///< of a line's row
  std::array<int64_t, 2> executions{};  ///< of a line's row: the most that an instruction of it was executed there
};

/// What one side's line comes to in the whole function.
struct ListedLine {
  ListedPlace place;
  int64_t executions = 0;  ///< the most that an instruction of it was executed
  int64_t self = 0;
};

/// A loop, of head, or of base where head has none. Lines are those of its branches and call sites; 0: not known.
struct ListedLoop {
  std::string file;  ///< without folders
  uint64_t first_line = 0, last_line = 0;
  int depth = 1;
  bool in_head = true;  ///< whose lines these are
  std::array<int64_t, 2> entries{}, iterations{}, self{};
};

/// A run of lines of a source file as it was found on the disk.
struct SourceExcerpt {
  std::string file;  ///< as the profile has it
  uint64_t first_line = 0;
  std::vector<std::string> lines;
};

struct FunctionListing {
  std::string function;
  std::vector<ListingRow> rows;
  std::string closed;                                           ///< why there are no rows; else empty
  std::array<std::vector<ListedLine>, 2> lines;                 ///< by file and line, each once
  std::vector<std::pair<ListedPlace, ListedPlace>> same_lines;  ///< of base and head, that are one line, by base's
  std::vector<ListedLoop> loops;                                ///< an outer one before those inside it
  std::array<std::vector<SourceExcerpt>, 2> sources;            ///< by side, what was found of its lines' sources
  std::vector<std::string> source_notes;                        ///< which sources are missing or in doubt, and why
};

}  // namespace icount
