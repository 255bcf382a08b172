#include "icount/harness/compiler_record.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

TEST(CompilerRecordTest, AnExecutableNamesItsCompiler) {
  const CompilerRecord record = load_compiler_record("/proc/self/exe");
  EXPECT_TRUE(record.compilers.find("GCC") != std::string::npos || record.compilers.find("clang") != std::string::npos)
      << record.compilers;
}

TEST(CompilerRecordTest, WhatIsNoExecutableSaysNothing) {
  const ScratchDir dir;
  save_file(dir.path() / "script", "#!/bin/sh\nexit 0\n");
  save_file(dir.path() / "cut", load_file("/proc/self/exe").view().substr(0, 200));
  for (const auto& path : {dir.path() / "script", dir.path() / "cut", dir.path() / "nothing"}) {
    const CompilerRecord record = load_compiler_record(path);
    EXPECT_EQ(record.compilers + record.options, "") << path;
  }
}

TEST(CompilerRecordTest, OnlyWhatGoLinkedIsGo) { EXPECT_FALSE(load_compiler_record("/proc/self/exe").is_go); }

}  // namespace
}  // namespace icount
