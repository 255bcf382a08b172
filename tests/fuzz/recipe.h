// A fuzzer's input as a recipe: what a target that makes profiles of bytes reads them by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace icount {

/// Bytes as numbers; 0 where there are no more.
class Recipe {
 public:
  explicit Recipe(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return at_ >= bytes_.size(); }
  uint8_t next() { return empty() ? uint8_t{0} : static_cast<uint8_t>(bytes_[at_++]); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

}  // namespace icount
