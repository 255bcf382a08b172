#include "icount/base/error.h"

#include <fmt/format.h>

#include <new>
#include <system_error>

namespace icount {

Error Error::with_context(std::string_view context) const {
  return Error(kind_, fmt::format("{}: {}", context, what()));
}

std::string reason_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) == nullptr ? error.what() : "not enough memory";
}

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

}  // namespace icount
