// Runs and their results as rows: a StoredRun goes in whole and comes out whole. store/history.h says what a run is and
// holds the transactions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/store/database.h"
#include "icount/store/stored_run.h"

namespace icount {

// Texts that are kept once whatever points at them: graphs in canonical form and records, addressed by content hash.
// One that resembles an earlier one is kept as a difference to it, never to a difference, so that each takes two reads
// at most. The figures behind it: docs/history.md.

class BlobTable {
 public:
  explicit BlobTable(Database& database) : database_(database) {}

  /// Ids of the texts with these content hashes, as far as they are there.
  std::unordered_map<std::string, int64_t> find(const std::vector<std::string>& identities);
  /// Adds a text that find() did not find; inside a write transaction. It becomes a difference to that one of `bases`
  /// (ids of texts without a base) that makes it smallest, or stands alone when none makes it half as large.
  int64_t add(std::string_view identity, std::string_view plain, std::span<const int64_t> bases);
  /// Plain bytes. Error{kMalformed} for damage: the content hash is compared.
  std::string get(int64_t id);
  /// Error{kMalformed} when the text is kept whole and has a base nevertheless.
  void check_base(int64_t id);
  /// Plain bytes of all texts that a run's results point at, by content hash; few round trips to a server.
  std::unordered_map<std::string, std::string> get_all(int64_t run);

 private:
  struct Row {
    int64_t id = 0;
    std::string identity;
    std::optional<int64_t> base;
    std::string bytes;
  };
  Row read(int64_t id);
  const std::string& base_text(int64_t id);
  const std::string& keep_base(int64_t id, std::string plain);
  std::string unpack(const Row& row);
  std::string checked(const Row& row, std::string plain) const;

  Database& database_;
  std::optional<Statement> read_, insert_;               ///< prepared when they are needed
  int64_t next_id_ = 0;                                  ///< 0: not asked for yet
  std::unordered_map<int64_t, std::string> base_texts_;  ///< the same few are asked for again and again
  size_t base_bytes_ = 0;
};

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
