// How the cost of something grows, as a check in a C++ test: exact, so that it never fails at random.
//
//   #include "icount/growth.h"
//   TEST(ParseTest, StaysLinear) {
//     const auto check = icount::growth("parse", {1000, 2000, 4000}, 1.2, [](long n) {
//       return [text = make_document(n)] { icount::keep(parse(text)); };  // only what is returned is counted
//     });
//     EXPECT_TRUE(check) << check.text;
//   }
//
// The check runs `icount growth` (the program: ICOUNT in the environment, else in PATH), which starts this program
// again for each size, with the same arguments, under Valgrind: it runs up to the check of that name, counts what the
// function returned, and ends there. With GoogleTest included above this header only the running test is run again;
// other frameworks run what comes before. C++17, one header, nothing to link; docs/growth.md.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>

#include "icount/region.h"

namespace icount {

/// True where it grows no faster than allowed. Where nothing could be counted it is false, and `text` says why.
struct GrowthCheck {
  bool ok = false;
  std::string text;  ///< what `icount growth` says
  explicit operator bool() const { return ok; }
};

namespace growth_detail {

/// CALLGRIND_START_INSTRUMENTATION (4) and CALLGRIND_STOP_INSTRUMENTATION (5): what --only-marked counts between.
inline __attribute__((always_inline)) void mark(unsigned long request) {
#if ICOUNT_REGION_WORKS
  icount_region_request(0x43540000UL + request, nullptr, 0);
#else
  (void)request;
#endif
}

inline std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// This program and its arguments, for a shell.
inline std::string own_command() {
  std::ifstream file("/proc/self/cmdline");
  std::string word, command;
  for (bool is_first = true; std::getline(file, word, '\0'); is_first = false) {
    char path[4096];
    const ssize_t length = is_first ? readlink("/proc/self/exe", path, sizeof path) : 0;
    command += ' ' + quoted(length > 0 ? std::string(path, static_cast<size_t>(length)) : word);
  }
#ifdef GTEST_FLAG_PREFIX_
  if (const auto* info = testing::UnitTest::GetInstance()->current_test_info())
    command += " --gtest_filter=" + quoted(std::string(info->test_suite_name()) + "." + info->name());
#endif
  return command;
}

inline GrowthCheck run(const std::string& name, std::initializer_list<long> sizes, double max_exponent) {
  const char* program = std::getenv("ICOUNT");
  std::ostringstream command;
  command << quoted(program ? program : "icount") << " growth --only-marked --max-exponent " << max_exponent
          << " --sizes ";
  const char* comma = "";
  for (const long size : sizes) command << comma << size, comma = ",";
  command << " --label " << quoted(name) << " -- env ICOUNT_GROWTH=" << quoted("{n} " + name) << own_command()
          << " 2>&1 </dev/null";
  GrowthCheck check;
  FILE* pipe = popen(command.str().c_str(), "r");
  if (!pipe) return check.text = "cannot run " + command.str(), check;
  char buffer[4096];
  while (const size_t got = fread(buffer, 1, sizeof buffer, pipe)) check.text.append(buffer, got);
  check.ok = pclose(pipe) == 0;
  return check;
}

}  // namespace growth_detail

/// Counts what arrange(n) returns, once at each of three sizes or more. Names differ within one program's run.
template <typename Arrange>
GrowthCheck growth(const std::string& name, std::initializer_list<long> sizes, double max_exponent, Arrange arrange) {
  const char* asked = std::getenv("ICOUNT_GROWTH");  // "400 parse": a size is counted in this run
  if (!asked) return growth_detail::run(name, sizes, max_exponent);
  const char* space = std::strchr(asked, ' ');
  if (!space || name != space + 1) return {true, "another check is counted"};
  const auto counted = arrange(std::atol(asked));
  growth_detail::mark(4);
  counted();
  growth_detail::mark(5);
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace icount
