#include "icount/stats/flag_paths.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

const std::vector<NamedFolder> kFolders = {
    {"/home/u/p", "<source>"}, {"/home/u/p/build", "<build>"}, {"/home/u/.cache/icount/entries", "<cache>", 1}};

std::string named(std::string_view flags) { return with_named_folders(flags, kFolders); }

TEST(FlagPathsTest, FoldersAreNamedTheLongestFirst) {
  EXPECT_EQ(named("-I/home/u/p/include -DX=1 -isystem /home/u/p/build/gen"),
            "-I<source>/include -DX=1 -isystem <build>/gen");
  EXPECT_EQ(named("-I/home/u/p '-L/home/u/p'"), "-I<source> '-L<source>'");
  EXPECT_EQ(named("-Wl,-rpath,/home/u/p/lib"), "-Wl,-rpath,<source>/lib");
}

TEST(FlagPathsTest, TheKeyOfACacheEntryIsNoDifference) {
  EXPECT_EQ(named("/home/u/.cache/icount/entries/0f3a/x.o -lm"), "<cache>/x.o -lm");
  EXPECT_EQ(named("/home/u/.cache/icount/entries/ab12/x.o -lm"), "<cache>/x.o -lm");
}

TEST(FlagPathsTest, OtherPathsStay) {
  EXPECT_EQ(named("-I/home/u/p2/include"), "-I/home/u/p2/include");
  EXPECT_EQ(named("-I/opt/home/u/p/include"), "-I/opt/home/u/p/include");
  EXPECT_EQ(named("-I/home/u/p-old/include"), "-I/home/u/p-old/include");
  EXPECT_EQ(with_named_folders("-I/x", {}), "-I/x");
}

TEST(FlagPathsTest, FlagsOfEarlierResultsDifferByFoldersOnly) {
  EXPECT_TRUE(differ_by_folders_only("-O2 -I/home/u/p/include", "-O2 -I<source>/include"));
  EXPECT_TRUE(differ_by_folders_only("-I/tmp/icount-a1/tree/include", "-I/tmp/icount-b2/tree/include"));
  EXPECT_TRUE(differ_by_folders_only("-I/home/u/p", "-I<source>"));
  EXPECT_FALSE(differ_by_folders_only("-O2 -I/home/u/p/include", "-O3 -I<source>/include"));
  EXPECT_FALSE(differ_by_folders_only("-I/home/u/p/include", "-I<source>/other"));
  EXPECT_FALSE(differ_by_folders_only("-I/opt/lib1/include", "-I/opt/lib2/include"));
  EXPECT_FALSE(differ_by_folders_only("-I/tmp/a/include", "-L/tmp/b/include"));
  EXPECT_FALSE(differ_by_folders_only("-I/tmp/a/include", "-I/tmp/b/include -DX"));
  EXPECT_FALSE(differ_by_folders_only("-O2", "-O3"));
}

TEST(FlagPathsTest, BuildFactsAreThoseOfCompiledStatements) {
  Fingerprint facts;
  facts.set("language", "c++", FactClass::kRefuse);
  facts.set("compiler", "g++ 12", FactClass::kNameOnly);
  facts.set("libc", "abc", FactClass::kNameOnly);
  facts.set("flags", "-O3", FactClass::kNameOnly);
  ASSERT_EQ(build_facts(facts).facts.size(), 2u);
  EXPECT_EQ(build_facts(facts).facts[1].value, "-O3");
  facts.set("language", "python", FactClass::kRefuse);
  EXPECT_TRUE(build_facts(facts).unknown());
}

}  // namespace
}  // namespace icount
