#include "icount/store/run_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/store/run_rows.h"

namespace icount {
namespace {

constexpr int kZstdLevel = 9;
constexpr size_t kMaxPlainBytes = size_t{4} << 30;
constexpr size_t kMaxBaseCacheBytes = size_t{64} << 20;

}  // namespace

std::unordered_map<std::string, int64_t> BlobTable::find(const std::vector<std::string>& identities) {
  constexpr size_t kAtOnce = 400;
  std::unordered_map<std::string, int64_t> found;
  for (size_t from = 0; from < identities.size(); from += kAtOnce) {
    // Content hashes are hex digits of our own, so they may stand in the text of the query.
    std::string list;
    for (size_t i = from; i < std::min(from + kAtOnce, identities.size()); ++i)
      list += fmt::format("{}'{}'", list.empty() ? "" : ",", identities[i]);
    Statement statement(database_, fmt::format("SELECT identity, blob_id FROM blobs WHERE identity IN ({})", list), "",
                        "ti");
    statement.run();
    while (statement.next()) found[statement.text(0)] = statement.integer(1);
  }
  return found;
}

int64_t BlobTable::add(std::string_view identity, std::string_view plain, std::span<const int64_t> bases) {
  std::string bytes = compress_zstd(plain, kZstdLevel);
  std::optional<int64_t> base;
  const size_t enough = bytes.size() / 2;
  for (const int64_t candidate : bases) {
    std::string difference = compress_zstd_from(base_text(candidate), plain, kZstdLevel);
    if (difference.size() > enough || difference.size() >= bytes.size()) continue;
    bytes = std::move(difference);
    base = candidate;
  }
  if (next_id_ == 0) next_id_ = database_.integer("SELECT max(blob_id) FROM blobs").value_or(0) + 1;
  if (!insert_)
    insert_.emplace(database_,
                    "INSERT INTO blobs (blob_id, identity, base_id, bytes) VALUES (:id, :identity, :base, "
                    "BYTES(:bytes))",
                    "itib");
  insert_->set(0, next_id_).set(1, identity).set(2, base).set(3, bytes).run();
  return next_id_++;
}

std::string BlobTable::get(int64_t id) { return unpack(read(id)); }

void BlobTable::check_base(int64_t id) {
  const Row row = read(id);
  if (!row.base) return;
  bool whole = false;
  try {
    whole = content_hash(decompress(row.bytes, "text", kMaxPlainBytes)) == row.identity;
  } catch (const Error&) {  // it leans on its base
  }
  if (whole)
    database_.fail(ErrorKind::kMalformed,
                   fmt::format("blob {} is stored whole but marked as a difference from blob {}; the store is damaged",
                               id, *row.base));
}

std::unordered_map<std::string, std::string> BlobTable::get_all(int64_t run) {
  Statement statement(
      database_,
      "WITH used AS (SELECT record_id AS id FROM results WHERE run_id = :run UNION SELECT graph_id FROM results WHERE "
      "run_id = :again) "
      "SELECT blob_id, identity, base_id, bytes FROM blobs WHERE blob_id IN (SELECT id FROM used) OR blob_id IN "
      "(SELECT base_id FROM blobs WHERE blob_id IN (SELECT id FROM used))",
      "ii", "itib");
  statement.set(0, run).set(1, run).run();
  std::vector<Row> differences;
  std::unordered_map<std::string, std::string> texts;
  while (statement.next()) {
    Row row{statement.integer(0), statement.text(1), statement.optional_integer(2), statement.text(3)};
    if (row.base) {
      differences.push_back(std::move(row));
      continue;
    }
    std::string plain = unpack(row);
    keep_base(row.id, plain);
    texts[row.identity] = std::move(plain);
  }
  for (const Row& row : differences) texts[row.identity] = unpack(row);
  return texts;
}

BlobTable::Row BlobTable::read(int64_t id) {
  if (!read_)
    read_.emplace(database_, "SELECT blob_id, identity, base_id, bytes FROM blobs WHERE blob_id = :id", "i", "itib");
  read_->set(0, id).run();
  std::optional<Row> row;
  while (read_->next()) row = Row{read_->integer(0), read_->text(1), read_->optional_integer(2), read_->text(3)};
  if (!row) database_.fail(ErrorKind::kMalformed, fmt::format("blob {} is missing; the store is damaged", id));
  return std::move(*row);
}

std::string BlobTable::unpack(const Row& row) {
  const std::string place = fmt::format("{}: blob {}", database_.url().text, row.id);
  return checked(row, row.base ? decompress_zstd_from(base_text(*row.base), row.bytes, place, kMaxPlainBytes)
                               : decompress(row.bytes, place, kMaxPlainBytes));
}

const std::string& BlobTable::base_text(int64_t id) {
  if (const auto found = base_texts_.find(id); found != base_texts_.end()) return found->second;
  const Row row = read(id);
  if (row.base)
    database_.fail(ErrorKind::kMalformed,
                   fmt::format("blob {} is a difference and another one's base; the store is damaged", id));
  return keep_base(id, unpack(row));
}

const std::string& BlobTable::keep_base(int64_t id, std::string plain) {
  if (base_bytes_ + plain.size() > kMaxBaseCacheBytes) {
    base_texts_.clear();
    base_bytes_ = 0;
  }
  base_bytes_ += plain.size();
  return base_texts_[id] = std::move(plain);
}

std::string BlobTable::checked(const Row& row, std::string plain) const {
  if (content_hash(plain) != row.identity)
    database_.fail(ErrorKind::kMalformed,
                   fmt::format("blob {} differs from what was stored; the store is damaged", row.id));
  return plain;
}

namespace {

int64_t next_id(Database& database, std::string_view column, std::string_view table) {
  return database.integer(fmt::format("SELECT max({}) FROM {}", column, table)).value_or(0) + 1;
}

std::optional<int64_t> find_id(Database& database, std::string_view sql, std::string_view text) {
  Statement statement(database, sql, "t", "i");
  statement.set(0, text).run();
  std::optional<int64_t> id;
  while (statement.next()) id = statement.integer(0);
  return id;
}

/// The facts of a row with identity and facts.
std::string checked_facts(Database& database, Statement& row) {
  std::string facts = row.text(1);
  if (content_hash(facts) != row.text(0))
    database.fail(ErrorKind::kMalformed, "a fingerprint differs from what was stored; the store is damaged");
  return facts;
}

}  // namespace

std::optional<int64_t> RunTable::find(std::string_view identity) {
  return find_id(database_, "SELECT run_id FROM runs WHERE identity = :identity", identity);
}

ImportOutcome RunTable::add(const StoredRun& run, const FingerprintTexts& text_of) {
  ImportOutcome outcome{.added = true, .results = static_cast<int64_t>(run.results.size())};
  outcome.run = next_id(database_, "run_id", "runs");
  const std::optional<int64_t> commit =
      run.tag.commit.hash.empty() ? std::nullopt : std::optional(add_commit_row(database_, run.tag.commit));
  const int64_t fingerprint = add_fingerprint(run.fingerprint, text_of);
  Statement(database_,
            "INSERT INTO runs (run_id, identity, commit_id, branch, name, unix_time, command, planned, fingerprint_id, "
            "results, seal) VALUES (:id, :identity, :commit, :branch, :name, :time, :command, :planned, :fingerprint, "
            ":results, :seal)",
            "itittitiiit")
      .set(0, outcome.run)
      .set(1, run.identity)
      .set(2, commit)
      .set(3, run.tag.branch)
      .set(4, run.tag.name)
      .set(5, run.tag.unix_time)
      .set(6, run.command)
      .set(7, run.planned)
      .set(8, fingerprint)
      .set(9, outcome.results)
      .set(10,
           run_seal(
               {.id = outcome.run, .tag = run.tag, .command = run.command, .results = outcome.results, .damage = {}},
               run.identity))
      .run();
  add_results(outcome.run, run, text_of, outcome);
  return outcome;
}

int64_t RunTable::add_fingerprint(const std::string& identity, const FingerprintTexts& text_of) {
  if (const auto found = fingerprint_ids_.find(identity); found != fingerprint_ids_.end()) return found->second;
  std::optional<int64_t> id =
      find_id(database_, "SELECT fingerprint_id FROM fingerprints WHERE identity = :identity", identity);
  if (!id) {
    id = next_id(database_, "fingerprint_id", "fingerprints");
    Statement(database_, "INSERT INTO fingerprints (fingerprint_id, identity, facts) VALUES (:id, :identity, :facts)",
              "itt")
        .set(0, *id)
        .set(1, identity)
        .set(2, text_of(identity))
        .run();
  }
  return fingerprint_ids_[identity] = *id;
}

std::unordered_map<std::string, int64_t> RunTable::benchmark_ids(const StoredRun& run) {
  std::unordered_map<std::string, int64_t> ids;
  int64_t next = 1;
  Statement all(database_, "SELECT key, benchmark_id FROM benchmarks", "", "ti");
  all.run();
  while (all.next()) {
    ids[all.text(0)] = all.integer(1);
    next = std::max(next, all.integer(1) + 1);
  }
  Statement insert(database_, "INSERT INTO benchmarks (benchmark_id, key) VALUES (:id, :key)", "it");
  for (const StoredResult& result : run.results) {
    if (!ids.try_emplace(result.key, next).second) continue;
    insert.set(0, next++).set(1, result.key).run();
  }
  return ids;
}

/// Ids of up to three texts that stand alone and that the benchmark's last results lean on or are: several, because
/// results of two machines or branches may take turns.
std::vector<int64_t> RunTable::recent_bases(int64_t benchmark, std::string_view column) {
  constexpr size_t kMaxBases = 3;
  Statement statement(
      database_,
      fmt::format("SELECT b.blob_id, b.base_id FROM (SELECT {0} AS blob_id, run_id FROM results WHERE benchmark_id = "
                  ":benchmark "
                  "ORDER BY run_id DESC LIMIT 16) r JOIN blobs b ON b.blob_id = r.blob_id ORDER BY r.run_id DESC",
                  column),
      "i", "ii");
  statement.set(0, benchmark).run();
  std::vector<int64_t> bases;
  while (statement.next()) {
    const int64_t base = statement.optional_integer(1).value_or(statement.integer(0));
    if (bases.size() < kMaxBases && std::find(bases.begin(), bases.end(), base) == bases.end()) bases.push_back(base);
  }
  return bases;
}

void RunTable::add_results(int64_t run_id, const StoredRun& run, const FingerprintTexts& text_of,
                           ImportOutcome& outcome) {
  std::unordered_map<std::string, int64_t> benchmarks = benchmark_ids(run);
  std::vector<std::string> wanted;
  for (const StoredResult& result : run.results) {
    wanted.push_back(result.record);
    if (!result.graph.empty()) wanted.push_back(result.graph);
  }
  std::unordered_map<std::string, int64_t> texts = blobs_.find(wanted);
  const auto text_id = [&](const std::string& identity, int64_t benchmark, std::string_view column, int64_t& added) {
    if (const auto found = texts.find(identity); found != texts.end()) return found->second;
    ++added;
    return texts[identity] = blobs_.add(identity, text_of(identity), recent_bases(benchmark, column));
  };
  Statement insert(database_,
                   "INSERT INTO results (benchmark_id, run_id, position, status, number_per_run, median_count, spread, "
                   "counts, figures, wall_median_s, "
                   "record_id, graph_id, fingerprint_id) "
                   "VALUES (:b, :r, :p, :s, :n, :m, :spread, :counts, :figures, :wall, :record, :graph, :f)",
                   "iiitiiittriii");
  Statement insert_samples(
      database_, "INSERT INTO wall_samples (benchmark_id, run_id, samples) VALUES (:b, :r, BYTES(:samples))", "iib");
  int64_t position = 0, new_records = 0;
  for (const StoredResult& result : run.results) {
    const int64_t benchmark = benchmarks.at(result.key);
    std::optional<int64_t> graph;
    if (!result.graph.empty()) {
      graph = text_id(result.graph, benchmark, "graph_id", outcome.new_graphs);
      ++outcome.graphs;
    }
    const int64_t record = text_id(result.record, benchmark, "record_id", new_records);
    insert.set(0, benchmark)
        .set(1, run_id)
        .set(2, position++)
        .set(3, result.status)
        .set(4, result.number_per_run)
        .set(5, result.median_count);
    insert.set(6, result.spread).set(7, result.counts).set(8, result.figures).set(10, record).set(11, graph);
    if (result.wall_median_s)
      insert.set(9, *result.wall_median_s);
    else
      insert.set_null(9);
    insert.set(12, add_fingerprint(result.fingerprint, text_of)).run();
    if (!result.wall_samples.empty()) insert_samples.set(0, benchmark).set(1, run_id).set(2, result.wall_samples).run();
  }
}

StoredRun RunTable::read(int64_t run) {
  const std::optional<RunRow> row = read_run_row(database_, sealed_, run);
  if (!row) database_.fail(ErrorKind::kMalformed, fmt::format("there is no run #{}", run));
  if (!row->info.damage.empty())
    database_.fail(ErrorKind::kMalformed, fmt::format("run #{}: {}; the store is damaged", run, row->info.damage));
  StoredRun stored{.identity = row->identity, .tag = row->info.tag, .command = row->info.command};
  Statement head(database_,
                 "SELECT r.planned, f.identity FROM runs r JOIN fingerprints f ON f.fingerprint_id = r.fingerprint_id "
                 "WHERE r.run_id = :run",
                 "i", "it");
  head.set(0, run).run();
  while (head.next()) {
    stored.planned = head.integer(0);
    stored.fingerprint = head.text(1);
  }
  read_results(run, row->info.results, stored);
  check_stored_run(stored, fmt::format("{}: run #{}", database_.url().text, run));
  return stored;
}

void RunTable::read_results(int64_t run, int64_t expected, StoredRun& stored) {
  Statement rows(
      database_,
      "SELECT b.key, r.status, r.number_per_run, r.median_count, r.spread, r.counts, r.figures, r.wall_median_s, "
      "w.samples, c.identity, "
      "g.identity, f.identity, r.position FROM results r JOIN benchmarks b ON b.benchmark_id = r.benchmark_id JOIN "
      "blobs c ON "
      "c.blob_id = r.record_id "
      "JOIN fingerprints f ON f.fingerprint_id = r.fingerprint_id LEFT JOIN blobs g ON g.blob_id = r.graph_id "
      "LEFT JOIN wall_samples w ON w.benchmark_id = r.benchmark_id AND w.run_id = r.run_id WHERE r.run_id = :run ORDER "
      "BY r.position",
      "i", "ttiiittrbttti");
  rows.set(0, run).run();
  const auto text = [&](size_t column) { return rows.is_null(column) ? std::string() : rows.text(column); };
  bool in_order = true;
  while (rows.next()) {
    in_order = in_order && rows.integer(12) == static_cast<int64_t>(stored.results.size());
    StoredResult result{
        .key = text(0), .status = text(1), .number_per_run = rows.integer(2), .median_count = rows.optional_integer(3)};
    result.spread = rows.integer(4);
    result.counts = text(5);
    result.figures = text(6);
    if (!rows.is_null(7)) result.wall_median_s = rows.real(7);
    result.wall_samples = text(8);
    result.record = text(9);
    result.graph = text(10);
    result.fingerprint = text(11);
    stored.results.push_back(std::move(result));
  }
  const auto found = static_cast<int64_t>(stored.results.size());
  if (found != expected)
    database_.fail(ErrorKind::kMalformed,
                   fmt::format("run #{} has {} of its {} results; the store is damaged", run, found, expected));
  if (!in_order)
    database_.fail(
        ErrorKind::kMalformed,
        fmt::format("run #{}: the positions of its results are not 0 to {}; the store is damaged", run, expected - 1));
}

std::unordered_map<std::string, std::string> RunTable::texts(int64_t run) {
  std::unordered_map<std::string, std::string> texts = blobs_.get_all(run);
  Statement facts(database_,
                  "SELECT identity, facts FROM fingerprints WHERE fingerprint_id IN (SELECT fingerprint_id FROM runs "
                  "WHERE run_id = :run UNION "
                  "SELECT fingerprint_id FROM results WHERE run_id = :again)",
                  "ii", "tt");
  facts.set(0, run).set(1, run).run();
  while (facts.next()) texts[facts.text(0)] = checked_facts(database_, facts);
  return texts;
}

std::string RunTable::facts(int64_t fingerprint) {
  Statement row(database_, "SELECT identity, facts FROM fingerprints WHERE fingerprint_id = :id", "i", "tt");
  row.set(0, fingerprint).run();
  if (!row.next())
    database_.fail(ErrorKind::kMalformed, fmt::format("fingerprint {} is missing; the store is damaged", fingerprint));
  return checked_facts(database_, row);
}

}  // namespace icount
