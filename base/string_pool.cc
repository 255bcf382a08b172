#include "icount/base/string_pool.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "icount/base/error.h"
#include "icount/base/hash.h"

namespace icount {
namespace {
constexpr size_t kBlockBytes = size_t{1} << 16;
constexpr size_t kFirstTableSlots = 256;
}  // namespace

StringPool::StringPool() : views_{std::string_view()}, hashes_{0}, table_(kFirstTableSlots, kEmptyString) {}

StringPool::StringPool(const StringPool& other) : StringPool() {
  for (size_t id = 1; id < other.views_.size(); ++id) {
    if (other.views_[id].empty())
      add_unknown();
    else
      intern(other.views_[id]);
  }
}

StringPool& StringPool::operator=(const StringPool& other) {
  if (this != &other) *this = StringPool(other);
  return *this;
}

StringId StringPool::intern(std::string_view text) {
  if (text.empty()) return kEmptyString;
  const uint64_t hash = hash64(text);
  const size_t mask = table_.size() - 1;
  size_t slot = hash & mask;
  for (; table_[slot] != kEmptyString; slot = (slot + 1) & mask) {
    const StringId id = table_[slot];
    if (hashes_[id] == hash && views_[id] == text) return id;
  }
  ICOUNT_CHECK(views_.size() < std::numeric_limits<StringId>::max(), "more than 2^32 distinct names");
  const auto id = static_cast<StringId>(views_.size());
  views_.push_back(store(text));
  hashes_.push_back(hash);
  table_[slot] = id;
  if (views_.size() * 2 > table_.size()) grow_table();
  return id;
}

StringId StringPool::add_unknown() {
  ICOUNT_CHECK(views_.size() < std::numeric_limits<StringId>::max(), "more than 2^32 distinct names");
  views_.emplace_back();
  hashes_.push_back(0);
  return static_cast<StringId>(views_.size() - 1);
}

void StringPool::grow_table() {
  std::vector<StringId> bigger(table_.size() * 2, kEmptyString);
  const size_t mask = bigger.size() - 1;
  for (size_t id = 1; id < views_.size(); ++id) {
    if (views_[id].empty()) continue;  // an unknown text is nobody's to find
    size_t slot = hashes_[id] & mask;
    while (bigger[slot] != kEmptyString) slot = (slot + 1) & mask;
    bigger[slot] = static_cast<StringId>(id);
  }
  table_ = std::move(bigger);
}

std::string_view StringPool::store(std::string_view text) {
  if (block_used_ + text.size() > block_size_) {
    block_size_ = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
    block_used_ = 0;
  }
  char* at = blocks_.back().get() + block_used_;
  std::memcpy(at, text.data(), text.size());
  block_used_ += text.size();
  return {at, text.size()};
}

}  // namespace icount
