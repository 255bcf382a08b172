// What debug information said of an object's addresses, kept between processes: to unpack and read it takes longer than
// all else that happens to a count of a statement that was compiled before. The cache has an entry for each object
// (harness/build_cache.h evicts and clears it), which stands for the file as it was: path, inode, size, times, build id
// or content, the same of the separate file with debug information, and this icount's own file. Where any of them is
// another one, or the entry is not whole, it is as if there were none. Used by objects/inlined_functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/objects/inlined_functions.h"

namespace icount {

/// Different ones, by their numbers.
template <typename One>
class NumberedList {
 public:
  uint32_t of(const One& one) {
    while (numbers_.size() < all.size()) numbers_.emplace(all[numbers_.size()], static_cast<uint32_t>(numbers_.size()));
    const auto [at, fresh] = numbers_.try_emplace(one, static_cast<uint32_t>(all.size()));
    if (fresh) all.push_back(one);
    return at->second;
  }
  std::vector<One> all;

 private:
  std::map<One, uint32_t> numbers_;  // of the first of `all`
};

struct KnownAddress {
  uint64_t address = 0, line = 0;  ///< line 0: unknown
  uint32_t file = 0;               ///< of `line`
  uint32_t inlined = 0;            ///< 1 + number of the innermost inlined function; 0: none, or not asked for
  uint32_t producer = 0;           ///< 1 + number; 0: no debug information has the address
  DebugDetail detail = DebugDetail::kLines;
};

class KnownNames {
 public:
  explicit KnownNames(std::filesystem::path object) : object_(std::move(object)) {}

  /// Reads what is kept of the object; to be asked before anything of the object is read. Nothing fails.
  void load();
  /// Keeps all that is known, as a whole or not at all, if the object is what it was at load. Nothing fails.
  void save() const;

  /// Those of `addresses` of which less than `detail` is known. Ascending, as `addresses` are.
  std::vector<uint64_t> find_unknown(std::span<const uint64_t> addresses, DebugDetail detail) const;
  size_t size() const { return known_.size(); }
  /// `rows` by address, of different ones.
  void add(std::vector<KnownAddress> rows);
  /// Of addresses that are known; numbered by where they occur first. nullopt: no debug information has any of them.
  std::optional<DebugNames> find(std::span<const uint64_t> addresses, DebugDetail detail) const;

  NumberedList<InlinedFunction> inlined;  ///< what is around one comes before it
  NumberedList<std::string> files, producers;

 private:
  std::string make_bytes() const;
  bool parse(std::string_view bytes);

  std::filesystem::path object_;
  std::string sources_;              // empty: nothing is kept
  std::vector<KnownAddress> known_;  // by address
};

/// The folder of the build cache that this process keeps names in from now on; empty, as at first: it keeps none.
void keep_names_in(const std::filesystem::path& cache);

}  // namespace icount
