// Which folders --torch understands, and flags that are several in one word. No compiler is run.
#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/statement_needs.h"
#include "icount/harness/toolchain.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// A folder that looks like a LibTorch.
void make_libtorch(const fs::path& root) {
  fs::create_directories(root / "include/torch");
  fs::create_directories(root / "lib");
  save_file(root / "include/torch/version.h",
            "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 9\n#define TORCH_VERSION_PATCH 1\n");
  save_file(root / "lib/libtorch_cpu.so", "no library");
}

LibTorch find(const std::string& folder) {
  ToolchainOptions options;
  options.torch_dir = folder;
  return probe_libtorch(options, Environment{});
}

TEST(LibTorchFolderTest, AVirtualEnvironmentIsUnderstood) {
  const ScratchDir scratch;
  const fs::path package = scratch.path() / "venv/lib/python3.11/site-packages/torch";
  make_libtorch(package);
  EXPECT_EQ(find((scratch.path() / "venv").string()).root, package);
  EXPECT_EQ(find(package.parent_path().string()).root, package);
  EXPECT_EQ(find(package.string()).version, "2.9.1");
}

TEST(LibTorchFolderTest, ARelativeFolderBecomesAbsolute) {
  const ScratchDir scratch;
  make_libtorch(scratch.path() / "here");
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  const LibTorch torch = find("here");
  fs::current_path(before);
  EXPECT_TRUE(torch.lib_dir.is_absolute()) << torch.lib_dir;
  for (const fs::path& dir : torch.include_dirs) EXPECT_TRUE(dir.is_absolute()) << dir;
}

TEST(LibTorchFolderTest, TheLoaderAsksTheFolderBeforeLdLibraryPath) {
  const ScratchDir scratch;
  make_libtorch(scratch.path());
  ToolchainOptions options;
  options.torch_dir = scratch.path().string();
  const Toolchain toolchain = find_toolchain(options, true, Environment{});
  const auto flags = toolchain.linker_flags();
  EXPECT_NE(
      std::find(flags.begin(), flags.end(), "-Wl,--disable-new-dtags,-rpath," + (scratch.path() / "lib").string()),
      flags.end());
}

std::string refusal_of(const std::string& flag) {
  ToolchainOptions options;
  options.cxxflags = {flag};
  try {
    find_toolchain(options, false, Environment{});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return {};
}

TEST(JoinedFlagsTest, OneFlagWithABlankInsideIsExplained) {
  EXPECT_EQ(refusal_of("-I . -Isn"),
            "--cxxflag '-I . -Isn' is one flag with a blank inside, which the compiler takes as one word; pass "
            "each flag separately: --cxxflag -I. --cxxflag -Isn");
  EXPECT_NE(refusal_of("-O3 -march=x86-64-v3"), "");
  EXPECT_NE(refusal_of("-D NAME"), "");
  for (const char* fine : {"-DTEXT=\"a -b\"", "-I/a folder", "-O3", "-DX=a b", "/a file.cc"})
    EXPECT_EQ(refusal_of(fine), "") << fine;
}

TimerArgs statement(std::string stmt, std::string setup = {}, std::string global_setup = {}) {
  return {.stmt = std::move(stmt), .setup = std::move(setup), .global_setup = std::move(global_setup)};
}

TEST(LibTorchNeedsTest, TheTextSaysIt) {
  EXPECT_TRUE(names_libtorch(statement("auto y = torch::ones({4});")));
  EXPECT_TRUE(names_libtorch(statement("f();", "at::Tensor x;")));
  EXPECT_TRUE(names_libtorch(statement("f();", "", "#include <ATen/ATen.h>")));
  EXPECT_TRUE(names_libtorch(statement("TORCH_CHECK(true);")));
  EXPECT_TRUE(names_libtorch({.stmt = "y = x * w", .language = Language::kTorchScript}));
  EXPECT_TRUE(names_libtorch({.stmt = "y = f(x);", .backward = "y"}));
  EXPECT_FALSE(
      names_libtorch(statement("v.at(3); int at = 0; my_torch(); icount::keep(at);", "std::vector<int> v(9);")));
}

TEST(LibTorchNeedsTest, AMessageSaysIt) {
  EXPECT_TRUE(is_about_libtorch("fatal error: 'torch/torch.h' file not found"));
  EXPECT_TRUE(is_about_libtorch("undefined reference to `c10::Error::what()'"));
  EXPECT_TRUE(is_about_libtorch("error: use of undeclared identifier 'at'"));
  EXPECT_FALSE(is_about_libtorch("stmt:1:3: error: no member named 'att' in vector; did you mean v.at(1)?"));
}

TEST(LibTorchNeedsTest, WhatIsLeftOutIsBuiltAgainOnceWhenACompileAsksForIt) {
  std::vector<TimerArgs> statements = {statement("f();"), statement("torch::ones({1});"), statement("g();")};
  statements[2].torch = false;
  LibTorchNeeds needs;
  ToolchainOptions options;
  options.torch_dir = "/named";
  needs.decide(statements, options, Environment{});
  EXPECT_FALSE(statements[0].torch);
  EXPECT_TRUE(statements[1].torch);
  EXPECT_FALSE(needs.wants_second_build(0, "syntax error"));
  EXPECT_TRUE(needs.wants_second_build(0, "'torch/torch.h' file not found"));
  EXPECT_FALSE(needs.wants_second_build(0, "'torch/torch.h' file not found"));
  EXPECT_FALSE(needs.wants_second_build(2, "'torch/torch.h' file not found")) << "--no-torch";
  EXPECT_EQ(needs.take_second_builds(), std::vector<size_t>{0});
}

}  // namespace
}  // namespace icount
