#include "icount/timer/count_hooked.h"

#include <gtest/gtest.h>

#include "icount/timer/label_filter.h"

namespace icount {
namespace {

TEST(CountHookedTest, CatchNamesComeInTheOrderOfTheReport) {
  const auto names = parse_catch_names(
      "<?xml version=\"1.0\"?><Catch name=\"x\"><Group name=\"x\"><TestCase name=\"a &lt;b&gt; &amp;lt;\" line=\"1\">"
      "<BenchmarkResults name=\"one &quot;x&quot;\" samples=\"1\"><mean/></BenchmarkResults>"
      "<BenchmarkResults name=\"two\"></BenchmarkResults></TestCase><TestCase name=\"second\"><BenchmarkResults "
      "name=\"th");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], (std::vector<std::string>{"a <b> &lt;", "one \"x\""}));
  EXPECT_EQ(names[1], (std::vector<std::string>{"a <b> &lt;", "two"}));
  EXPECT_EQ(names[2].front(), "second");
}

TEST(CountHookedTest, PatternsMatchWholeNames) {
  EXPECT_TRUE(matches_pattern("bench_*", "bench_copy"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("*::b?nch*", "text::bench_copy"));
  EXPECT_FALSE(matches_pattern("bench", "bench_copy"));
  EXPECT_FALSE(matches_pattern("bench_?", "bench_"));
}

}  // namespace
}  // namespace icount
