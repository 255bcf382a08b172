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

TEST(FlagPathsTest, ABuildIsSaidInShort) {
  Fingerprint facts;
  EXPECT_EQ(describe_build(facts), "");
  facts.set("language", "c++", FactClass::kRefuse);
  facts.set("compiler", "g++ (Debian 12.2.0-14+deb12u1) 12.2.0", FactClass::kNameOnly);
  facts.set("standard", "c++20", FactClass::kNameOnly);
  facts.set("build type", "-O2 -DNDEBUG", FactClass::kNameOnly);
  facts.set("flags", "-Iinclude", FactClass::kNameOnly);
  EXPECT_EQ(describe_build(facts), "g++ 12.2.0, -O2 -DNDEBUG, c++20");
  Fingerprint program;
  program.set("compiler", "Debian clang version 14.0.6, GCC: (Debian 12.2.0-14+deb12u1) 12.2.0", FactClass::kNameOnly);
  program.set("flags", "GNU C++17 12.2.0 -g -O2 -fPIC; GNU C17 12.2.0 -g; GNU C17 12.2.0 -O2", FactClass::kNameOnly);
  EXPECT_EQ(describe_build(program), "clang 14.0.6, GCC 12.2.0, -O2 and -O0");
  EXPECT_EQ(describe_builds("a", "a"), "a");
  EXPECT_EQ(describe_builds("", "a"), "a (base: unknown)");
  EXPECT_EQ(describe_builds("a", ""), "");
}

}  // namespace
}  // namespace icount
