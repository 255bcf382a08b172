#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"

namespace icount {
namespace {

TEST(LostFileTest, AFileThatShrinksWhileItIsReadIsAFailure) {
  const ScratchDir dir;
  const std::string profile = (dir.path() / "shrinks.out").string();
  for (const std::string command : {"show", "export", "diff"}) {
    save_file(profile, load_text(source_dir() + "/tests/support/lexer_base.out"));
    ProcessSpec spec;
    spec.argv = {binary_dir() + "/icount", command, profile};
    if (command == "diff") spec.argv.push_back(source_dir() + "/tests/support/lexer_head.out");
    if (command == "export") spec.argv.insert(spec.argv.end(), {"--to", "callgrind"});
    spec.environment = std::vector<std::string>{"HOME=" + dir.path().string(), "SHRINKING_FILE=" + profile,
                                                "LD_PRELOAD=" + binary_dir() + "/tests/shrinking_file.so"};
    const ProcessOutcome outcome = run_process(spec);
    EXPECT_EQ(outcome.end, ProcessOutcome::End::kExited) << describe_end(outcome);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.errors, "icount: " + profile +
                                  ": a file became shorter while it was read, or its disk failed; run this again when "
                                  "nobody writes it\n");
  }
}

}  // namespace
}  // namespace icount
