// A run as the history keeps it: what stays the same from run to run (records, graphs, fingerprints, each known by its
// content hash) apart from what varies (counts, samples, figures). Between stats/result.h and store/run_table.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/store/history.h"

namespace icount {

/// One result of a run. Texts behind the hashes are in StoredRun::texts or already in the store.
struct StoredResult {
  std::string key;  ///< result_key(), storable
  std::string status;
  int64_t number_per_run = 1;
  std::optional<int64_t> median_count;
  int64_t spread = 0;
  std::string counts;                   ///< one per repeat, separated by blanks
  std::string figures;                  ///< JSON list of the record's numbers that vary: fixed, slope, those of extra
  std::optional<double> wall_median_s;  ///< per run
  std::string wall_samples;             ///< raw_times as 8-byte little-endian doubles
  std::string record;                   ///< hash of the JSON of everything else
  std::string graph;                    ///< hash of cost_graph_bytes(); empty: none
  std::string fingerprint;              ///< hash of the full fingerprint's JSON
};

struct StoredRun {
  std::string identity;  ///< hash of results, commit and name: the same run is kept once
  RunTag tag;
  std::string command;
  int64_t planned = 0;
  std::string fingerprint;  ///< hash of the file's own
  std::vector<StoredResult> results;
  std::map<std::string, std::string> texts;  ///< by hash: records, graphs (canonical form) and fingerprints
};

/// Takes a result file apart. Error{kMalformed} beginning with `name` for a damaged graph or measurement.
StoredRun make_stored_run(const ResultFile& file, const RunTag& tag, std::string_view name);

/// Whether a run as it was read is the one that was put in, as far as its rows tell: its identity, and each result's
/// median and spread against its counts. Error{kMalformed} beginning with `place`.
void check_stored_run(const StoredRun& run, std::string_view place);

/// One result put together again, the columns of its row compared with it; `record` is the JSON behind
/// StoredResult::record. Error{kMalformed} beginning with `place`.
Result join_stored_result(const StoredResult& stored, std::string_view record, std::string_view place);

/// Whether the row of a result's fingerprint, which SQL compares results by, says what the result says (`full`, its
/// full_fingerprint). Error{kMalformed} beginning with `place`.
void check_stored_fingerprint(const StoredResult& stored, const Fingerprint& row, const Fingerprint& full,
                              std::string_view place);

/// UTF-8 without zero bytes, which PostgreSQL would not take: other bytes become U+FFFD.
std::string storable_text(std::string_view text);

}  // namespace icount
