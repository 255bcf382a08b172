// The suite commands on LibTorch: the example that has one of each kind, counted twice.
#include <gtest/gtest.h>

#include "icount_program.h"

namespace icount {
namespace {

using TorchSuiteTest = SuiteRunTest;

TEST_F(TorchSuiteTest, OneOfEachKindRunsOnLibTorch) {
  ProcessOutcome outcome =
      icount({"suite", "run", kExamples + "torch_ops/suite.toml", "--language", "c++", "--out", out()});
  if (outcome.errors.find("no LibTorch found") != std::string::npos) GTEST_SKIP() << outcome.errors;
  ASSERT_TRUE(outcome.ok()) << outcome.output << outcome.errors;
  EXPECT_EQ(results().size(), 9u);
  for (const Result& result : results()) EXPECT_EQ(count_spread(result), 0) << result_key(result);
}

}  // namespace
}  // namespace icount
