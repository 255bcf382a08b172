// Runs and their results as rows: a StoredRun goes in whole and comes out whole. Sits on store/blob_table;
// store/history.h says what a run is and holds the transactions.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "icount/store/blob_table.h"
#include "icount/store/database.h"
#include "icount/store/stored_run.h"

namespace icount {

/// The text behind a content hash that the store lacks.
using FingerprintTexts = std::function<std::string(const std::string& identity)>;

class RunTable {
 public:
  /// `sealed`: the tables have seals, which those of version 1 lack.
  RunTable(Database& database, bool sealed) : database_(database), sealed_(sealed), blobs_(database) {}

  /// The id of the run with that identity.
  std::optional<int64_t> find(std::string_view identity);
  /// Adds a run; inside a write transaction. `text_of` is asked for texts that are not there.
  ImportOutcome add(const StoredRun& run, const FingerprintTexts& text_of);
  /// The run without its texts. Error{kMalformed} when rows are missing, or were changed.
  StoredRun read(int64_t run);
  /// Texts of a run by content hash, those of read(). Error{kMalformed} where one has another hash.
  std::unordered_map<std::string, std::string> texts(int64_t run);
  /// The facts of one fingerprint, JSON. Error{kMalformed} where it is missing, or has another hash.
  std::string facts(int64_t fingerprint);

  BlobTable& blobs() { return blobs_; }

 private:
  int64_t add_fingerprint(const std::string& identity, const FingerprintTexts& text_of);
  void add_results(int64_t run_id, const StoredRun& run, const FingerprintTexts& text_of, ImportOutcome& outcome);
  void read_results(int64_t run, int64_t expected, StoredRun& stored);
  std::unordered_map<std::string, int64_t> benchmark_ids(const StoredRun& run);
  std::vector<int64_t> recent_bases(int64_t benchmark, std::string_view column);

  Database& database_;
  bool sealed_;
  BlobTable blobs_;
  std::unordered_map<std::string, int64_t> fingerprint_ids_;
};

}  // namespace icount
