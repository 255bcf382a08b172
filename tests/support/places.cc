#include "support/places.h"

#include <cstdlib>

namespace icount {

std::string source_dir() { return ICOUNT_SOURCE_DIR; }
std::string binary_dir() { return ICOUNT_BINARY_DIR; }

bool runs_long_tests() {
  const char* set = std::getenv("ICOUNT_LONG_TESTS");
  return set != nullptr && *set != '\0';
}

}  // namespace icount
