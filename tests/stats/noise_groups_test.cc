#include "stats/noise_groups.h"

#include <gtest/gtest.h>

#include <set>

namespace icount {
namespace {

TEST(NoiseGroupTest, FindsTheGroupOfWellKnownFunctions) {
  EXPECT_EQ(noise_group_of("malloc", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "allocator");
  EXPECT_EQ(noise_group_of("malloc", "/home/me/static_program"), "allocator");
  EXPECT_EQ(noise_group_of("_int_malloc'2", "libc.so.6"), "allocator");
  EXPECT_EQ(noise_group_of("unlink_chunk.isra.0", "libc.so.6"), "allocator");
  EXPECT_EQ(noise_group_of("operator new(unsigned long)", "libstdc++.so.6.0.30"), "allocator");
  EXPECT_EQ(noise_group_of("_dl_relocate_object", "/lib64/ld-linux-x86-64.so.2"), "dynamic loader");
  EXPECT_EQ(noise_group_of("0x000000000001c200", "/lib64/ld-linux-x86-64.so.2"), "dynamic loader");
  EXPECT_EQ(noise_group_of("__memcpy_avx_unaligned_erms", "libc.so.6"), "libc strings");
  EXPECT_EQ(noise_group_of("__strlen_evex", "libc.so.6"), "libc strings");
  EXPECT_EQ(noise_group_of("pthread_mutex_lock@@GLIBC_2.2.5", "libc.so.6"), "locks");
  EXPECT_EQ(noise_group_of("std::_Hash_bytes(void const*, unsigned long, unsigned long)", "libstdc++.so.6"), "hashing");
  EXPECT_EQ(noise_group_of("unicodekeys_lookup_unicode", "python3.11"), "hashing");
}

TEST(NoiseGroupTest, LeavesTheUsersFunctionsAlone) {
  for (const char* name : {"main", "hash", "lex(Lexer&)", "free_list_push", "Arena::malloc(int)", "strlen_fast", "lock", "", "memory"})
    EXPECT_EQ(noise_group_of(name, "/home/me/program"), "") << name;
}

TEST(NoiseGroupTest, RulesAreDataWithFiveGroups) {
  std::set<std::string_view> groups;
  for (const NoiseRule& rule : noise_rules()) {
    EXPECT_FALSE(rule.name.empty());
    groups.insert(rule.group);
  }
  EXPECT_EQ(groups, (std::set<std::string_view>{"allocator", "dynamic loader", "hashing", "libc strings", "locks"}));
}

TEST(GlobTest, StarStandsForAnyText) {
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_TRUE(matches_glob("", "*"));
  EXPECT_TRUE(matches_glob("__memcpy_avx_unaligned", "__mem*_avx*"));
  EXPECT_TRUE(matches_glob("aXbXc", "a*X*c"));
  EXPECT_FALSE(matches_glob("abc", "ab"));
  EXPECT_FALSE(matches_glob("ab", "abc"));
  EXPECT_FALSE(matches_glob("aXb", "a*c"));
}

}  // namespace
}  // namespace icount
