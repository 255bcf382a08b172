#include "icount/stacks/first_seen.h"

#include "icount/base/hash.h"

namespace icount {

size_t FirstSeen::Hash::operator()(const std::array<uint32_t, 3>& key) const {
  return hash64({reinterpret_cast<const char*>(key.data()), sizeof key});
}

}  // namespace icount
