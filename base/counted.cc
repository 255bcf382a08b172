#include "icount/base/counted.h"

#include <fmt/format.h>

#include "icount/base/text.h"

namespace icount {

std::string counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(count), noun, count == 1 ? "" : "s");
}

}  // namespace icount
