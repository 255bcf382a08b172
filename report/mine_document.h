// What part of a change is the commit's, for people: a row for each unit of hunks, what is outside of the diff by its
// reason, and which hunks are executed. Value: mine/attribution.h. Its machine form: mine_json.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/mine/attribution.h"
#include "icount/mine/object_parts.h"
#include "icount/report/document.h"

namespace icount {

/// "md4c.c:5838 in `md_analyze_line`", of a hunk: by head's line, or base's where nothing of it is left.
std::string hunk_place(const MineHunk& hunk);

/// The units that matter, in one sentence: "your hunks: -4,043,081 at md4c.c:5838 in `f`; +15 outside of your diff"; or
/// "not your lines: ...", and who else it is. Names between backticks.
std::string mine_sentence(const Mine& mine);

/// A unit in a sentence, for an annotation of its line: "+5 of +6 Ir by this and 2 more hunks".
std::string unit_annotation(const Mine& mine, const MineUnit& unit, std::string_view event);

/// Units that are worth a row or an annotation, at most five.
std::vector<const MineUnit*> leading_units(const Mine& mine);

/// Names between backticks.
struct MineRow {
  std::optional<int64_t> delta;  ///< nothing for the row of hunks together
  std::string executed, text;
  std::vector<std::string> inside;  ///< its proof, and its hunks where they can be told apart
  const MineUnit* unit = nullptr;   ///< null for what is smaller or outside
};

/// What is said of a change and a diff, as every form of it has it.
struct MineParts {
  std::vector<std::string> lines;  ///< sentences above the rows, or instead of them
  std::vector<MineRow> rows;       ///< their deltas add up to the change
  std::string diff, control;       ///< of the diff as a whole, of source counts; empty: nothing
  std::vector<std::string> notes;
};
MineParts make_mine_parts(const Mine& mine);

/// Begins with a gap.
Document make_mine_document(const Mine& mine);

/// The same, of what objects do.
Document make_objects_document(const ObjectParts& parts);

}  // namespace icount
