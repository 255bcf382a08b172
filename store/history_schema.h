// The history's tables: made in an empty database, recognised in one that has them, brought to this program's version
// by whoever opens them to write, refused when they are newer than this program. Text: store/schema.sql. Used by
// store/history.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/store/database.h"
#include "icount/store/history.h"
#include "icount/store/run_table.h"

namespace icount {

/// Tables as they are after opening.
struct HistorySchema {
  int64_t version = kHistorySchemaVersion;
  std::optional<int64_t> sealed_now;  ///< runs of tables of version 1 that were sealed by opening
  bool sealed() const { return version >= 2; }
};

/// Makes the tables where there are none and `mode` is kCreate; brings older ones to this version unless it is kRead.
/// Error{kMalformed} for tables of a newer icount, a database of another program; Error{kIo} for an empty database that
/// may not be filled.
HistorySchema prepare_history_schema(Database& database, OpenMode mode);

/// A table or index as icount makes it.
struct SchemaObject {
  std::string type, name;
  std::string sql;  ///< without blanks
};

/// Those of tables of that version, in SQLite's words.
std::vector<SchemaObject> schema_objects(int64_t version);

/// Without blanks and line breaks.
std::string without_blanks(std::string_view text);

// What is behind store/history.h, shared by history.cc and history_upkeep.cc only.

struct History::Implementation {
  Implementation(const StoreUrl& url, OpenMode mode, const OpenOptions& options);
  ImportOutcome import(const StoredRun& run, const FingerprintTexts& text_of);
  /// In the order of the history, those that don't fit their seals among them.
  std::vector<RunInfo> all_runs();

  Database database;
  HistorySchema schema;
};

}  // namespace icount
