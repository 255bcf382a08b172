#include "icount/base/large_pages.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace icount {
namespace {

/// Whether a sanitizer brings a heap of its own.
constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

/// What the system says of the mapping that holds `address` ("VmFlags: rd wr ... hg"); empty where it says nothing.
std::string flags_of(uintptr_t address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') inside = begin <= address && address < end;
    if (inside && line.rfind("VmFlags:", 0) == 0) return line + " ";
  }
  return {};
}

TEST(LargePagesTest, TheHeapsNextMemoryIsInLargePages) {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as in cli/main.cc
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  constexpr size_t kBytes = size_t{16} << 20;
  prefer_large_pages(kBytes);
  char* const table = static_cast<char*>(std::malloc(kBytes / 2));
  ASSERT_NE(table, nullptr);
  const std::string flags = flags_of(reinterpret_cast<uintptr_t>(table) + kBytes / 4);
  std::free(table);
  std::ifstream modes("/sys/kernel/mm/transparent_hugepage/enabled");
  if (flags.empty() || !modes) GTEST_SKIP() << "this system does not say, or has no large pages";
  if (is_sanitized()) GTEST_SKIP() << "another heap";
  EXPECT_NE(flags.find(" hg "), std::string::npos) << flags;
}

}  // namespace
}  // namespace icount
