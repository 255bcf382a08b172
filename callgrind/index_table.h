// A hash index over entries that live elsewhere in a vector: which entry has this key? Small (8 bytes a slot), since
// fresh pages are what a short run pays for most; emptied in time that its own filling has paid for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace icount {

/// Mixes up to 128 bits of key into a hash.
inline uint64_t mix_key(uint64_t a, uint64_t b = 0) {
  const __uint128_t product = static_cast<__uint128_t>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xd6e8feb86659fd93ULL);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

class IndexTable {
 public:
  /// The index for which `equal(index)` holds among those with this hash; otherwise stores `next` and returns it.
  /// `next` is below 2^32 - 1.
  template <typename Equal>
  uint32_t find_or_insert(uint64_t hash, uint32_t next, Equal equal) {
    if (used_ * 4 >= slots_.size() * 3) grow();
    const auto tag = static_cast<uint32_t>(hash >> 32);
    const size_t mask = slots_.size() - 1;
    for (size_t at = tag & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.index == kFree) {
        slot = {tag, next};
        ++used_;
        return next;
      }
      if (slot.tag == tag && equal(slot.index)) return slot.index;
    }
  }

  /// Empties the table and keeps room for as many entries as it held: a hundred thousand small parts behind a large one
  /// do not pay for the large one each time.
  void clear() {
    slots_.assign(std::bit_ceil(used_ + used_ / 2 + kFewest), Slot());
    used_ = 0;
  }

 private:
  static constexpr uint32_t kFree = ~uint32_t{0};
  static constexpr size_t kFewest = 16;
  struct Slot {
    uint32_t tag = 0;
    uint32_t index = kFree;
  };

  void grow() {
    std::vector<Slot> old(slots_.empty() ? kFewest : slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.index == kFree) continue;
      size_t at = slot.tag & mask;
      while (slots_[at].index != kFree) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace icount
