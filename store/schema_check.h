// Whether a history's tables and indices are those that icount makes, and nothing besides. Used by
// store/history_check.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/store/database.h"

namespace icount {

/// Adds one line for each table, index, trigger or view that is missing, another's, or (SQLite) made in other words.
/// What SQLite keeps for itself (names that begin with "sqlite_") is its own.
void check_schema(Database& database, int64_t version, std::vector<std::string>& problems);

}  // namespace icount
