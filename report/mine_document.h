// What part of a change is the commit's, for people: a row for each unit of hunks, what is outside of the diff by its
// reason, and which hunks are executed. Value: mine/attribution.h. Its machine form: mine_json.h.
#pragma once

#include <string>

#include "icount/mine/attribution.h"
#include "icount/report/document.h"

namespace icount {

/// "md4c.c:5838 in `md_analyze_line`", of a hunk: by head's line, or base's where nothing of it is left.
std::string hunk_place(const MineHunk& hunk);

/// Begins with a gap.
Document make_mine_document(const Mine& mine);

}  // namespace icount
