#include "icount/base/reader_paths.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

const ReaderPaths kPaths = {.current = "/u/me/p/build", .repository = "/u/me/p", .home = "/u/me"};

TEST(ReaderPathsTest, TheLongestFolderWins) {
  EXPECT_EQ(kPaths.shorten("/u/me/p/build/a.out"), "a.out");
  EXPECT_EQ(kPaths.shorten("/u/me/p/src/a.cc"), "p/src/a.cc");
  EXPECT_EQ(kPaths.shorten("/u/me/.cache/x"), "~/.cache/x");
  EXPECT_EQ(kPaths.shorten("/usr/lib/libc.so.6"), "/usr/lib/libc.so.6");
}

TEST(ReaderPathsTest, OnlyWholeFoldersAtTheBeginningOfAPathCount) {
  EXPECT_EQ(kPaths.shorten("/u/mercy/x"), "/u/mercy/x");
  EXPECT_EQ(kPaths.shorten("/old/u/me/x"), "/old/u/me/x");
  EXPECT_EQ(kPaths.shorten("../u/me/x"), "../u/me/x");
  EXPECT_EQ(kPaths.shorten("a/u/me/x"), "a/u/me/x");
  EXPECT_EQ(kPaths.shorten("/u/me/p2/x"), "~/p2/x");
}

TEST(ReaderPathsTest, EveryPathOfATextIsShortened) {
  EXPECT_EQ(kPaths.shorten("icount diff /u/me/p/build/a '/u/me/b c' --x=/u/me/p:/u/me/q"),
            "icount diff a '~/b c' --x=p:~/q");
  EXPECT_EQ(kPaths.shorten("(/u/me/p/build)"), "(.)");
  EXPECT_EQ(kPaths.shorten("/u/me/p/build/"), "./");
  EXPECT_EQ(kPaths.shorten("/u/me"), "~");
}

TEST(ReaderPathsTest, EscapesBeforeAPathAreNoPartOfIt) {
  EXPECT_EQ(kPaths.shorten("\\n/u/me/x"), "\\n~/x");
  EXPECT_EQ(kPaths.shorten("\x1b[1m/u/me/x\x1b[0m"), "\x1b[1m~/x\x1b[0m");
  EXPECT_EQ(kPaths.shorten("m/u/me/x"), "m/u/me/x");
}

TEST(ReaderPathsTest, NothingIsShortenedWithoutFolders) {
  EXPECT_EQ(ReaderPaths{}.shorten("/u/me/x"), "/u/me/x");
  EXPECT_EQ((ReaderPaths{.current = "/", .repository = "", .home = "/"}).shorten("/u/me/x"), "/u/me/x");
}

TEST(ReaderPathsTest, JsonIsShortenedInItsStringsAtAnyDepth) {
  Json json = {{"/u/me/key", Json::array({"/u/me/x", 1, Json{{"file", "/u/me/p/build/y.cc"}}})}};
  shorten_paths(json, kPaths);
  EXPECT_EQ(json, (Json{{"/u/me/key", Json::array({"~/x", 1, Json{{"file", "y.cc"}}})}}));
}

TEST(ReaderPathsTest, WhatComesBeforeAPathDecidesWhetherItIsOne) {
  const ReaderPaths paths{.current = "", .repository = "", .home = "/home/me"};
  for (const std::string before : {"a", "0", "_", "\xc3\xa9", "/", "\\x", "m", "x\x1b[1;xm"})
    EXPECT_EQ(paths.shorten(before + "/home/me/f"), before + "/home/me/f") << before;
  for (const std::string before : {"", " ", "(", ":", "\\n", "\\t", "\\r", "\x1b[1;31m"})
    EXPECT_EQ(paths.shorten(before + "/home/me/f"), before + "~/f") << before;
  EXPECT_EQ((ReaderPaths{.current = "/w", .repository = "", .home = "/"}.shorten("/w /w/ /w/x /")), ". ./ x /");
}

}  // namespace
}  // namespace icount
