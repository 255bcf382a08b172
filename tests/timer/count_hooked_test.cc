#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/stats/result.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/count_hooked.h"
#include "support/error_of.h"

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

TEST(CountHookedTest, DoctestNamesHaveTheirSuites) {
  const auto names = parse_doctest_names(
      "<?xml version=\"1.0\"?><doctest binary=\"x\"><TestSuite><TestCase name=\"a &lt;b>\" line=\"1\"></TestCase>"
      "</TestSuite><TestSuite name=\"s\"><TestCase name=\"c\"></TestCase><TestCase name=\"d");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], (std::vector<std::string>{"a <b>"}));
  EXPECT_EQ(names[1], (std::vector<std::string>{"s", "c"}));
  EXPECT_EQ(names[2].front(), "s");
}

TEST(CountHookedTest, PatternsMatchWholeNames) {
  EXPECT_TRUE(matches_pattern("bench_*", "bench_copy"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("*::b?nch*", "text::bench_copy"));
  EXPECT_FALSE(matches_pattern("bench", "bench_copy"));
  EXPECT_FALSE(matches_pattern("bench_?", "bench_"));
}

TEST(ProgramMemoryTest, TheSumsOfDhatsProgramPoints) {
  const MemoryUse memory = parse_dhat(
      R"({"dhatFileVersion":2,"mode":"heap","pps":[{"tb":100,"tbk":2,"gb":60,"gbk":1,"eb":0,"ebk":0,"fs":[1]},
                                                    {"tb":50,"tbk":1,"gb":50,"gbk":1,"eb":50,"ebk":1,"fs":[2]}]})",
      "f");
  EXPECT_EQ(memory, (MemoryUse{150, 3, 110, 2, 50, 1}));
  Result result;
  add_memory_figures(memory, result);
  EXPECT_EQ(find_figure(result, "peak_bytes"), 110);
  EXPECT_TRUE(is_memory_event("end_bytes"));
  EXPECT_FALSE(is_memory_event("Ir"));
}

TEST(ProgramMemoryTest, AnotherFileIsRefusedByName) {
  for (const char* text :
       {"", "{}", R"({"mode":"copy","pps":[]})", R"({"mode":"heap","pps":3})", R"({"mode":"heap","pps":[{"tb":"x"}]})",
        R"({"mode":"heap","pps":[{"tb":9223372036854775808,"tbk":0,"gb":0,"gbk":0,"eb":0,"ebk":0}]})"})
    EXPECT_NE(error_of(ErrorKind::kMalformed, [&] { parse_dhat(text, "dhat.json"); }).find("dhat.json"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace icount
