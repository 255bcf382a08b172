#include "support/places.h"

namespace icount {

std::string source_dir() { return ICOUNT_SOURCE_DIR; }
std::string binary_dir() { return ICOUNT_BINARY_DIR; }

}  // namespace icount
