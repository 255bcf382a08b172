#include "support/long_tests.h"

#include <cstdlib>

namespace icount {

bool runs_long_tests() {
  const char* set = std::getenv("ICOUNT_LONG_TESTS");
  return set != nullptr && *set != '\0';
}

}  // namespace icount
