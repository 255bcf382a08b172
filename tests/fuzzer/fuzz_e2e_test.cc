// The real thing: icount fuzz builds a stub against LibTorch and counts under Callgrind.
#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/stats/fuzz_result.h"
#include "support/places.h"

namespace icount {
namespace {

ProcessOutcome run_fuzz_command(const std::filesystem::path& folder, const std::vector<std::string>& more) {
  ProcessSpec spec;
  spec.argv = {binary_dir() + "/icount",
               "fuzz",
               "--samples",
               "2",
               "--number",
               "5",
               "--stmt",
               "x + 1",
               "--against",
               "x + 1",
               "--top",
               "0"};
  spec.argv.insert(spec.argv.end(), more.begin(), more.end());
  spec.working_dir = folder;
  return run_process(spec);
}

FuzzResult load_run(const std::filesystem::path& file) {
  return fuzz_result_from_json(parse_json(load_text(file), file.string()), file.string());
}

TEST(FuzzCommandTest, EqualStatementsCostTheSameAndAResumedRunEqualsTheWholeOne) {
  const ScratchDir scratch("fuzz");
  const auto kept = scratch.path() / "run.json";
  const ProcessOutcome whole_run = run_fuzz_command(scratch.path(), {"-o", kept});
  ASSERT_TRUE(whole_run.ok()) << describe_end(whole_run) << whole_run.errors;
  EXPECT_NE(whole_run.output.find("2 samples of unary corrected small"), std::string::npos) << whole_run.output;
  const FuzzResult whole = load_run(kept);
  ASSERT_EQ(whole.points.size(), 2u);
  for (const FuzzPoint& point : whole.points) {
    ASSERT_TRUE(point.cost.per_run && point.against->per_run) << point.cost.error;
    EXPECT_GT(*point.cost.per_run, 100);
    EXPECT_EQ(*point.cost.per_run, *point.against->per_run) << point.shape;
  }

  FuzzResult half = whole;
  half.points.pop_back();
  save_file(kept, dump_json(fuzz_result_to_json(half)));
  const ProcessOutcome resumed_run = run_fuzz_command(scratch.path(), {"-o", kept, "--resume", kept});
  ASSERT_TRUE(resumed_run.ok()) << describe_end(resumed_run) << resumed_run.errors;
  EXPECT_EQ(dump_json(fuzz_result_to_json(load_run(kept))), dump_json(fuzz_result_to_json(whole)));
}

TEST(FuzzCommandTest, AMisspeltStatementIsToldOnce) {
  const ProcessOutcome wrong =
      run_process({.argv = {binary_dir() + "/icount", "fuzz", "--samples", "50", "--stmt", "x.nothing()"}});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("the statement does not compile: stmt:1"), std::string::npos) << wrong.errors;
}

}  // namespace
}  // namespace icount
