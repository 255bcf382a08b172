#include "icount/harness/compiler_record.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
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

TEST(CompilerRecordTest, WhatGccAddsItselfIsNotHowAProgramWasBuilt) {
  const ScratchDir dir;
  save_file(dir.path() / "a.c", "int main(void) { return 0; }\n");
  const std::string program = (dir.path() / "a").string();  // crtfastmath.o comes with its own record, of -O2
  const ProcessOutcome built =
      run_process({.argv = {"gcc", "-g", "-O0", "-ffast-math", "-o", program, (dir.path() / "a.c").string()}});
  ASSERT_TRUE(built.ok()) << built.errors;
  const CompilerRecord record = load_compiler_record(program);
  EXPECT_TRUE(record.is_unoptimised) << record.options;
  EXPECT_EQ(record.options.find("-O2"), std::string::npos) << record.options;
}

TEST(CompilerRecordTest, OnlyWhatGoLinkedIsGo) { EXPECT_FALSE(load_compiler_record("/proc/self/exe").is_go); }

}  // namespace
}  // namespace icount
