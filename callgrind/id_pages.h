// Id -> StringId for ids that are mostly close together: pages of 512 that exist only where an id was stored, since a
// block of a profile names few of a program's functions. Used by name_table.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "icount/base/string_pool.h"

namespace icount {

class IdPages {
 public:
  static constexpr StringId kNone = ~StringId{0};

  StringId find(uint64_t id) const {
    const uint64_t page = id / kIds;
    return page < pages_.size() && pages_[page] ? (*pages_[page])[id % kIds] : kNone;
  }
  /// `id` must be bounded by the caller: 8 bytes for each 512 ids below it are taken.
  void store(uint64_t id, StringId name) {
    const size_t page = id / kIds;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) {
      pages_[page] = std::make_unique<Page>();
      pages_[page]->fill(kNone);
    }
    (*pages_[page])[id % kIds] = name;
  }

 private:
  static constexpr size_t kIds = 512;
  using Page = std::array<StringId, kIds>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace icount
