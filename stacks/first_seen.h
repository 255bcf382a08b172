// Numbers for triples of ids, in the order in which they are first seen: what a table of distinct entries is built
// with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace icount {

/// One table's numbers.
class FirstSeen {
 public:
  /// The number of (a, b, c); a new triple gets the next one, from 0.
  uint32_t number_of(uint32_t a, uint32_t b, uint32_t c) {
    return known_.try_emplace({a, b, c}, static_cast<uint32_t>(known_.size())).first->second;
  }

 private:
  struct Hash {
    size_t operator()(const std::array<uint32_t, 3>& key) const;
  };
  std::unordered_map<std::array<uint32_t, 3>, uint32_t, Hash> known_;
};

}  // namespace icount
