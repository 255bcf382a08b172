#include "icount/callgrind/forked_profile.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(ForkedProfileTest, DoorsAreNamesOrBeginsOfNames) {
  for (const char* name : {"fork", "_Fork", "execve", "posix_spawn", "posix_spawn@@GLIBC_2.15", "posix_spawnp@"})
    EXPECT_TRUE(is_leaving_function(name)) << name;
  for (const char* name : {"", "for", "forks", "posix_spawnx", "posix_spawn_file_actions_init", "xclone", "*"})
    EXPECT_FALSE(is_leaving_function(name)) << name;
}

bool forks_at(int64_t block, const std::string& trigger) {
  Profile profile;
  for (const auto& [last, why] : {std::pair<int64_t, std::string>{10, "Client Request"}, {40, trigger}}) {
    profile.parts.emplace_back();
    profile.parts.back().last_block = last;
    profile.parts.back().trigger = why;
  }
  return has_fork_at(profile, block);
}

TEST(ForkedProfileTest, AForkIsWhereADumpWasWrittenAtADoor) {
  EXPECT_TRUE(forks_at(40, "--dump-before=fork"));
  EXPECT_FALSE(forks_at(39, "--dump-before=fork"));
  EXPECT_FALSE(forks_at(10, "--dump-before=fork")) << "another dump ended there";
  EXPECT_FALSE(forks_at(40, "--dump-after=fork"));
  EXPECT_FALSE(forks_at(40, "--dump-before=work"));
  EXPECT_FALSE(has_fork_at({}, 0));
}

}  // namespace
}  // namespace icount
