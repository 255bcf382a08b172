#include "icount/store/blob_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/hash.h"

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

}  // namespace icount
