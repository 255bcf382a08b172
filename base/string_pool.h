// Interned byte strings: a profile names the same function thousands of times, so names are kept once and spoken of
// by a 32-bit id. Ids count from 0 in order of first sight; id 0 is always the empty string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

namespace icount {

using StringId = uint32_t;
inline constexpr StringId kEmptyString = 0;

/// Owns the bytes; views stay valid for the pool's life, also when it is moved. Copies are deep.
class StringPool {
 public:
  StringPool();
  StringPool(const StringPool& other);
  StringPool& operator=(const StringPool& other);
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;

  /// The id of `text`, which is copied at first sight.
  StringId intern(std::string_view text);
  /// A new id without a text: view() of it is empty. For who knows the text later.
  StringId add_unknown();
  /// The text of an id this pool gave out.
  std::string_view view(StringId id) const { return views_[id]; }
  /// Number of distinct strings, the empty one included.
  size_t size() const { return views_.size(); }

 private:
  void grow_table();
  std::string_view store(std::string_view text);

  std::vector<std::string_view> views_;
  std::vector<uint64_t> hashes_;
  std::vector<StringId> table_;  // open addressing; kEmptyString marks a free slot
  std::deque<std::unique_ptr<char[]>> blocks_;
  size_t block_used_ = 0;
  size_t block_size_ = 0;
};

}  // namespace icount
