#include "icount/base/checked.h"

#include <string>

#include "icount/base/error.h"

namespace icount {

void throw_overflow(std::string_view what) {
  throw Error(ErrorKind::kMalformed, std::string(what) + " overflows 64 bits");
}

}  // namespace icount
