#include "icount/harness/needed_libraries.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

TEST(NeededLibrariesTest, AProgramHasItsLibrariesAndItsLoader) {
  const NeededLibraries needed = load_needed_libraries("/bin/true", Environment({"PATH=/bin"}));
  EXPECT_EQ(needed.unknown, "");
  const auto has = [&](const std::string& name) {
    return std::any_of(needed.libraries.begin(), needed.libraries.end(), [&](const std::filesystem::path& path) {
      return path.is_absolute() && path.filename().string().starts_with(name);
    });
  };
  EXPECT_TRUE(has("libc.so.6"));
  EXPECT_TRUE(has("ld-linux"));
}

TEST(NeededLibrariesTest, WhatIsNoProgramIsSaid) {
  const ScratchDir folder("icount-test");
  const auto unknown = [&](const std::string& text) {
    save_file(folder.path() / "file", text);
    return load_needed_libraries(folder.path() / "file", {}).unknown;
  };
  EXPECT_EQ(unknown("#!/bin/sh\nexit 0\n"), "it is a script");
  EXPECT_EQ(unknown("text"), "it is not a 64-bit ELF program");
  EXPECT_NE(load_needed_libraries(folder.path() / "none", {}).unknown, "");
}

}  // namespace
}  // namespace icount
