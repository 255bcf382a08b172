// Texts that are kept once whatever points at them: graphs in canonical form and records, addressed by content hash.
// One that resembles an earlier one is kept as a difference to it, never to a difference, so that each takes two reads
// at most. Used by store/run_table.cc; the figures behind it: docs/history.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/store/database.h"

namespace icount {

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

}  // namespace icount
