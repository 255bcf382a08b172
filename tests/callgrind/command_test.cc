#include "icount/callgrind/command.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace icount {
namespace {

bool has(const std::vector<std::string>& argv, std::string_view option) {
  return std::find(argv.begin(), argv.end(), option) != argv.end();
}

TEST(CallgrindCommandTest, WhatIsAskedForIsSaidAndTheRestSwitchedOff) {
  const Valgrind valgrind{"/v", "3.19.0", false};
  CallgrindOptions options;
  options.out_file = "/t/cg.%p";
  const auto plain = make_callgrind_command(valgrind, options);
  EXPECT_EQ(plain.front(), "/v");
  for (const char* option :
       {"--command-line-only=yes", "--tool=callgrind", "--dump-line=yes", "--dump-instr=yes", "--instr-atstart=yes",
        "--collect-atstart=yes", "--trace-children=no", "--callgrind-out-file=/t/cg.%p"})
    EXPECT_TRUE(has(plain, option)) << option;
  EXPECT_FALSE(has(plain, "--collect-jumps=yes"));
  for (const std::string& option : plain) EXPECT_FALSE(option.starts_with("--separate-callers")) << option;
  options.instrument_at_start = options.collect_at_start = false;
  options.follow_children = options.collect_jumps = true;
  options.callers = 1;
  options.extra = {"--a", "--b"};
  const auto all = make_callgrind_command(valgrind, options);
  for (const char* option : {"--instr-atstart=no", "--collect-atstart=no", "--trace-children=yes",
                             "--collect-jumps=yes", "--separate-callers=1"})
    EXPECT_TRUE(has(all, option)) << option;
  ASSERT_EQ(all.size(), plain.size() + 4);
  EXPECT_EQ(all[all.size() - 2], "--a");
  EXPECT_EQ(all.back(), "--b");
}

}  // namespace
}  // namespace icount
