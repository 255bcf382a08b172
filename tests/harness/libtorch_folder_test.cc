// Which folders --torch understands, and flags that are several in one word. No compiler is run.
#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
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

}  // namespace
}  // namespace icount
