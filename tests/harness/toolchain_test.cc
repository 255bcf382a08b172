// Which compiler statements are built with: the one asked for, CXX, c++; for LibTorch clang++ where there is one.
#include "icount/harness/toolchain.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
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

TEST(ProbeCompilerTest, ACxxThatCannotBeTakenAsItIsIsRefused) {
  EXPECT_NE(error_of(ErrorKind::kTool, [] { probe_compiler({}, with_cxx("no-such-compiler")); })
                .find("cannot run the compiler no-such-compiler, which CXX names"),
            std::string::npos);
  EXPECT_NE(error_of(ErrorKind::kUsage, [] { probe_compiler({}, with_cxx("clang++ -stdlib=libc++")); })
                .find("a compiler with flags"),
            std::string::npos);
}

}  // namespace
}  // namespace icount
