#include "icount/base/error.h"

#include <fmt/format.h>

#include <system_error>

namespace icount {

Error Error::with_context(std::string_view context) const {
  return Error(kind_, fmt::format("{}: {}", context, what()));
}

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

}  // namespace icount
