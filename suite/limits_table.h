// A table of limits, [limits] or one of [[limits]], as the gate wants it. Used by suite/definition_file.cc for suite
// files and by cli for --limit, so that both have one form. Fields and meaning: docs/gate.md.
#pragma once

#include <string_view>

#include "icount/suite/table_reader.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

/// Reads every field; problems (wrong types, unknown fields, crooked patterns, nothing allowed) go to the reader's
/// Problems. The place is the table's; section and source are the caller's to set.
GateLimit read_limits_table(TableReader& table);

/// One --limit: "1%", "100", "1%+100", "none" for every total, or the fields of a table, `percent = 1, benchmark =
/// "Math"`. Error{kUsage} "--limit 'TEXT': ..." for anything else.
GateLimit parse_limit_option(std::string_view text);

}  // namespace icount
