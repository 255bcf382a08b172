// Rows of runs with those of their commits, compared with their seals (store/seals.h). Tables of version 1 have none:
// their rows are taken as they are until somebody writes. Used by store/history.cc, store/run_table.cc and
// store/history_schema.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/store/database.h"
#include "icount/store/history.h"

namespace icount {

struct RunRow {
  RunInfo info;
  std::string identity;
};

/// All runs, in no order. `sealed`: the tables have seals.
std::vector<RunRow> read_run_rows(Database& database, bool sealed);

/// nullopt when there is no such run.
std::optional<RunRow> read_run_row(Database& database, bool sealed, int64_t run);

/// The id of a commit, added where it is not there; what an earlier import did not know of it is filled in, what it
/// knew stays. Inside a write transaction. Error{kMalformed} when its row is not the one that was stored.
int64_t add_commit_row(Database& database, const CommitInfo& commit);

/// One line for each commit of no run whose row does not fit its seal; those of runs are told with them.
std::vector<std::string> check_commit_rows(Database& database);

/// Seals all rows as they are; inside a write transaction.
void seal_all_rows(Database& database);

}  // namespace icount
