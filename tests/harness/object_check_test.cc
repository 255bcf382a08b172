// Libraries asked for against libraries loaded, with files that have no build id: their bytes tell them apart.
#include "icount/harness/object_check.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class ObjectCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"asked", "other"}) {
      fs::create_directories(scratch_.path() / folder);
      for (const char* name : {"libtorch_cpu.so", "libfoo.so.1"})
        save_file(scratch_.path() / folder / name, std::string("bytes of ") + folder + name);
    }
    fs::create_symlink("libfoo.so.1", scratch_.path() / "asked/libfoo.so");
    torch_.torch = LibTorch{};
    torch_.torch->lib_dir = scratch_.path() / "asked";
  }
  LoadedObject loaded(const std::string& file, const std::string& build_id = {}) const {
    return {(scratch_.path() / file).string(), build_id};
  }
  static std::string find_other(const Toolchain& toolchain, const std::vector<LoadedObject>& objects) {
    return ObjectCheck(toolchain).find_other(objects);
  }

  ScratchDir scratch_;
  Toolchain torch_;
};

TEST_F(ObjectCheckTest, WhatWasAskedForIsFine) {
  EXPECT_EQ(find_other(torch_, {loaded("asked/libtorch_cpu.so"), {"/lib/libc.so.6", "aa"}}), "");
  EXPECT_EQ(find_other(Toolchain{}, {loaded("other/libtorch_cpu.so")}), "") << "nobody asked for one";
}

TEST_F(ObjectCheckTest, AnotherLibTorchIsNamedWithWhatToDo) {
  const std::string text = find_other(torch_, {loaded("other/libtorch_cpu.so", "abcd")});
  EXPECT_NE(text.find((scratch_.path() / "asked/libtorch_cpu.so").string() + " was asked for (build id hash-"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("other/libtorch_cpu.so (build id abcd), which LD_LIBRARY_PATH"), std::string::npos) << text;
  EXPECT_NE(find_other(torch_, {loaded("other/libtorch_cpu.so")}), "") << "no build id on either side";
}

TEST_F(ObjectCheckTest, ACopyIsTheSame) {
  save_file(scratch_.path() / "other/libtorch_cpu.so", load_text(scratch_.path() / "asked/libtorch_cpu.so"));
  EXPECT_EQ(find_other(torch_, {loaded("other/libtorch_cpu.so")}), "");
}

TEST_F(ObjectCheckTest, LibrariesOfLinkFlagsAreCheckedByTheirLinkName) {
  Toolchain toolchain;
  toolchain.link_flags = {"-L" + (scratch_.path() / "asked").string(), "-lfoo"};
  EXPECT_EQ(find_other(toolchain, {loaded("asked/libfoo.so.1")}), "");
  EXPECT_NE(find_other(toolchain, {loaded("other/libfoo.so.1")}), "");
  EXPECT_EQ(find_other(toolchain, {loaded("other/libtorch_cpu.so")}), "");
}

TEST_F(ObjectCheckTest, BuildIdsAreFoundByFileName) {
  const std::vector<LoadedObject> objects = {{"/lib/libm.so.6", "aa"}, {"/lib/libc.so.6", "bb"}};
  EXPECT_EQ(loaded_build_id(objects, "libc.so.6"), "bb");
  EXPECT_EQ(loaded_build_id(objects, "libx.so"), "");
}

}  // namespace
}  // namespace icount
