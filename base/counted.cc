#include "base/counted.h"

#include <fmt/format.h>

#include "base/text.h"

namespace icount {

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(static_cast<int64_t>(count)), noun, count == 1 ? "" : "s");
}

}  // namespace icount
