#include "icount/gate/git_worktree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

std::string shell(const std::filesystem::path& folder, const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"sh", "-ec", script};
  spec.working_dir = folder;
  const ProcessOutcome outcome = run_process(spec);
  EXPECT_TRUE(outcome.ok()) << outcome.errors;
  return outcome.output;
}

void make_repository(const std::filesystem::path& folder, const std::string& name) {
  shell(folder, "git init -q " + name + "; cd " + name +
                    "; git config user.email a@b; git config user.name a; echo x > f; git add f; git commit -q -m one");
}

/// A process that has a worktree and is killed; `script` runs in the repository before.
void leave_worktree(const std::filesystem::path& repository, const std::filesystem::path& home,
                    const std::string& script = "") {
  const pid_t child = ::fork();
  if (child == 0) {
    const GitWorktree tree(repository, "HEAD", home);
    if (!script.empty()) shell(tree.path(), script);
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
}

size_t worktrees_of(const std::filesystem::path& repository) {
  const std::string list = shell(repository, "git worktree list --porcelain");
  size_t count = 0;
  for (size_t at = list.find("worktree "); at != std::string::npos; at = list.find("worktree ", at + 1)) ++count;
  return count;
}

TEST(GitWorktreeTest, WhoeverComesNextTakesAwayAllThatKilledOnesLeft) {
  if (find_program("git").empty()) GTEST_SKIP() << "no git here";
  const ScratchDir dir;
  const std::filesystem::path home = dir.path() / "home", one = dir.path() / "one", two = dir.path() / "two";
  make_repository(dir.path(), "one");
  make_repository(dir.path(), "two");
  {
    const GitWorktree living(one, "HEAD", home);
    leave_worktree(one, home);
    EXPECT_EQ(worktrees_of(one), 3U);
    leave_worktree(two, home);
    {
      const GitWorktree next(two, "HEAD", home);
      EXPECT_TRUE(std::filesystem::exists(living.path() / "f")) << "its owner lives";
      EXPECT_EQ(worktrees_of(one), 2U) << "of another repository";
      EXPECT_EQ(worktrees_of(two), 2U);
    }
    leave_worktree(one, home, "rm .git; git -C " + one.string() + " worktree lock $PWD || true");
  }
  EXPECT_EQ(worktrees_of(one), 2U);
  sweep_worktrees(home);
  EXPECT_EQ(worktrees_of(one), 1U) << "what git was killed in the middle of making is locked";
  EXPECT_EQ(worktrees_of(two), 1U);
}

TEST(GitWorktreeTest, WhatIsNotCommittedComesAlongButForWhatABuildMade) {
  if (find_program("git").empty()) GTEST_SKIP() << "no git here";
  const ScratchDir dir;
  const std::filesystem::path repository = dir.path() / "r";
  make_repository(dir.path(), "r");
  shell(repository,
        "echo y > f; mkdir 'new folder'; echo z > 'new folder/n.c'; ln -s n.c 'new folder/link'; "
        "echo '*.log' > .gitignore; touch a.log; printf '\\177ELF and more' > f.o; git init -q nested; mkdir build; "
        "touch build/CMakeCache.txt build/gen.c");
  const std::string before = shell(repository, "git status --porcelain");
  EXPECT_EQ(untracked_files(repository),
            (std::vector<std::string>{".gitignore", "build/gen.c", "new folder/link", "new folder/n.c"}));
  EXPECT_NE(diff_working_tree(repository, {"diff", "-U0", "HEAD"}, {"new folder/n.c"}).find("\n@@ -0,0 +1 @@\n+z\n"),
            std::string::npos);
  const GitWorktree tree(repository, "HEAD", dir.path() / "home");
  tree.apply_uncommitted(repository);
  EXPECT_EQ(shell(tree.path(), "cat f 'new folder/link'; ls"), "y\nz\nbuild\nf\nnew folder\n");
  EXPECT_EQ(shell(repository, "git status --porcelain"), before);
}

TEST(GitWorktreeTest, TheRepositorysHooksDoNotRun) {
  if (find_program("git").empty()) GTEST_SKIP() << "no git here";
  const ScratchDir dir;
  const std::filesystem::path repository = dir.path() / "r", mark = dir.path() / "hook_ran";
  make_repository(dir.path(), "r");
  shell(repository,
        "for hook in post-checkout reference-transaction; do printf '#!/bin/sh\\ntouch ../hook_ran "
        "../../hook_ran %s\\n' " +
            mark.string() + " > .git/hooks/$hook; chmod +x .git/hooks/$hook; done");
  std::filesystem::remove(mark);
  {
    GitWorktree tree(repository, "HEAD", dir.path() / "home");
    EXPECT_EQ(load_text(tree.path() / "f"), "x\n");
    tree.checkout("HEAD");
  }
  EXPECT_FALSE(std::filesystem::exists(mark));
}

}  // namespace
}  // namespace icount
