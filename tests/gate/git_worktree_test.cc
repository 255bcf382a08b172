#include "icount/gate/git_worktree.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

TEST(GitWorktreeTest, TheRepositorysHooksDoNotRun) {
  if (find_program("git").empty()) GTEST_SKIP() << "no git here";
  const ScratchDir dir;
  const std::filesystem::path repository = dir.path() / "r", mark = dir.path() / "hook_ran";
  ProcessSpec spec;
  spec.argv = {"sh", "-ec",
               "git init -q r; cd r; git config user.email a@b; git config user.name a; echo x > f; git add f; "
               "git commit -q -m one; for hook in post-checkout reference-transaction; do "
               "printf '#!/bin/sh\\ntouch ../hook_ran ../../hook_ran %s\\n' " +
                   mark.string() + " > .git/hooks/$hook; chmod +x .git/hooks/$hook; done"};
  spec.working_dir = dir.path();
  const ProcessOutcome made = run_process(spec);
  ASSERT_TRUE(made.ok()) << made.errors;
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
