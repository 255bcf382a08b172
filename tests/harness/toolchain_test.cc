// Which compiler statements are built with: the one asked for, CXX, c++; for LibTorch clang++ where there is one.
#include "icount/harness/toolchain.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/elf_file.h"
#include "support/error_of.h"

namespace icount {
namespace {

Environment with_cxx(const std::string& value) {
  Environment environment;
  environment.set("CXX", value);
  return environment;
}

TEST(ProbeCompilerTest, CxxNamesItBehindACompilerCache) {
  if (find_program("g++").empty()) GTEST_SKIP() << "needs g++";
  const std::filesystem::path wanted = find_program("g++");
  EXPECT_EQ(probe_compiler({}, with_cxx("g++")).path, wanted);
  EXPECT_EQ(probe_compiler({}, with_cxx("ccache g++")).path, wanted);
  EXPECT_EQ(probe_compiler({}, with_cxx("/usr/bin/sccache  g++ ")).path, wanted);
  EXPECT_EQ(probe_compiler({}, with_cxx("g++"), CompilerFor::kLibTorch).path, wanted) << "also where clang is quicker";
  EXPECT_EQ(probe_compiler({.compiler = "g++"}, with_cxx("nothing")).path, wanted) << "--compiler first";
}

TEST(ProbeCompilerTest, WithoutAWordItIsTheSystems) {
  if (find_program("c++").empty()) GTEST_SKIP() << "needs c++";
  EXPECT_EQ(probe_compiler({}, {}).path, find_program("c++"));
  EXPECT_EQ(probe_compiler({}, with_cxx("")).path, find_program("c++"));
  const std::filesystem::path clang = find_program("clang++");
  EXPECT_EQ(probe_compiler({}, {}, CompilerFor::kLibTorch).path, clang.empty() ? find_program("c++") : clang);
}

TEST(ProbeCompilerTest, ByWhateverNameGccIsCalledItIsOneCompiler) {
  const ScratchDir folder;
  const std::string program = folder.path() / "my-g++-12";
  save_file(program, "#!/bin/sh\necho 'my-g++-12 (Debian 12.2.0-14) 12.2.0'\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_EQ(probe_compiler({.compiler = program}, {}).version, "g++ (Debian 12.2.0-14) 12.2.0");
}

TEST(ProbeCompilerTest, ACxxThatCannotBeTakenAsItIsIsRefused) {
  EXPECT_NE(error_of(ErrorKind::kTool, [] { probe_compiler({}, with_cxx("no-such-compiler")); })
                .find("cannot run the compiler no-such-compiler, which CXX names"),
            std::string::npos);
  EXPECT_NE(error_of(ErrorKind::kUsage, [] { probe_compiler({}, with_cxx("clang++ -stdlib=libc++")); })
                .find("a compiler with flags"),
            std::string::npos);
}

/// What an executable of ours says of its making.
CompilerRecord record_of(const std::string& flags) {
  const ScratchDir folder;
  const std::string source = folder.path() / "one.cc", program = folder.path() / "one";
  save_file(source, "int main() { return 0; }\n");
  const ProcessOutcome made =
      run_process({.argv = {"/bin/sh", "-c", "g++ " + flags + " " + source + " -o " + program}});
  EXPECT_TRUE(made.ok()) << made.errors;
  return load_compiler_record(program);
}

TEST(CompilerRecordTest, ABuildWithoutOptimisationOrLinesIsTold) {
  if (find_program("g++").empty()) GTEST_SKIP() << "needs g++";
  EXPECT_TRUE(record_of("-g").is_unoptimised);
  EXPECT_FALSE(record_of("-g").lacks_lines);
  EXPECT_FALSE(record_of("-g -O2").is_unoptimised);
  EXPECT_TRUE(record_of("-O2").lacks_lines);
  EXPECT_FALSE(record_of("-O2").is_unoptimised) << "it does not say";
  EXPECT_FALSE(record_of("-O2 -s").lacks_lines) << "stripped, as distributions do";
}

}  // namespace
}  // namespace icount
