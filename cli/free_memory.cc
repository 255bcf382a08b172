#include "icount/cli/free_memory.h"

#include <fstream>
#include <limits>
#include <string>

namespace icount {

int64_t probe_free_memory_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string name, unit;
  for (int64_t kibibytes = 0; info >> name >> kibibytes; std::getline(info, unit))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return std::numeric_limits<int64_t>::max();
}

}  // namespace icount
