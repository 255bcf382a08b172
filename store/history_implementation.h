// What is behind store/history.h, shared by history.cc and history_upkeep.cc only.
#pragma once

#include <vector>

#include "icount/store/history.h"
#include "icount/store/history_schema.h"
#include "icount/store/run_table.h"

namespace icount {

struct History::Implementation {
  Implementation(const StoreUrl& url, OpenMode mode, const OpenOptions& options);
  ImportOutcome import(const StoredRun& run, const FingerprintTexts& text_of);
  /// In the order of the history, those that don't fit their seals among them.
  std::vector<RunInfo> all_runs();

  Database database;
  HistorySchema schema;
};

}  // namespace icount
