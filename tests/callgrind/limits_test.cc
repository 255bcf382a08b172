// Hostile sizes: the reader's memory and time stay in proportion to its input.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "callgrind/cost_graph_builder.h"
#include "callgrind/parser.h"
#include "stats/inclusive.h"

namespace icount {
namespace {

TEST(LimitsTest, HugeIdsAllocateNothing) {
  std::string text = "events: Ir\n";
  for (int i = 0; i < 64; ++i) text += fmt::format("fn=({}) f{}\nfn=({})\n1 1\n", ~uint64_t{0} >> i, i, ~uint64_t{0} >> i);
  const Profile profile = parse_profile(text, "p");
  EXPECT_EQ(profile.functions.size(), 64u);
  EXPECT_TRUE(profile.warnings.empty());
}

TEST(LimitsTest, AHundredThousandPartsAreRead) {
  std::string text = "events: Ir\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("fn=(9{}) f{}\n1 1\n", i, i);
  constexpr int kParts = 100000;
  for (int i = 0; i < kParts; ++i) text += "part: 1\nevents: Ir\nfn=a\ncfn=b\ncalls=0 1\n1 1\ncfn=c\ncalls=0 1\n1 1\n1 1\ntotals: 1\n";
  const CostGraph graph = make_cost_graph(parse_profile(text, "p"));
  EXPECT_EQ(graph.parts, kParts + 1);
  EXPECT_EQ(graph.totals[0], kParts + 1000);
}

TEST(LimitsTest, ACallChainTwoHundredThousandDeep) {
  std::string text = "events: Ir\n";
  constexpr int kDepth = 200000;
  for (int i = 0; i < kDepth; ++i) text += fmt::format("fn=({})\n1 1\ncfn=({})\ncalls=1 1\n1 {}\n", i, i + 1, kDepth - i);
  const CostGraph graph = make_cost_graph(parse_profile(text, "p"));
  EXPECT_EQ(make_inclusive_costs(graph).of(0, 0), kDepth + 1);
}

TEST(LimitsTest, NamesOfMegabytes) {
  const std::string name(10 << 20, 'n');
  const Profile profile = parse_profile("events: Ir\nfn=(1) " + name + "\n1 1\nfn=(1)\n1 1\nfn=" + name + "\n1 1\n", "p");
  ASSERT_EQ(profile.functions.size(), 1u);
  EXPECT_EQ(profile.strings.view(profile.functions[0].name).size(), name.size());
}

TEST(LimitsTest, CallCostsSaturate) {
  const CostGraph graph = make_cost_graph(parse_profile(
      "events: Ir\nfn=f\ncfn=g\ncalls=18446744073709551615 1\n1 18446744073709551615\ncfn=g\ncalls=5 1\n1 5\n", "p"));
  EXPECT_EQ(graph.inclusive_of(0, 0), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(graph.edges[0].calls, std::numeric_limits<int64_t>::max());
}

TEST(LimitsTest, LongDigitRunsAreNumbersOrRefused) {
  const std::string zeros(100000, '0');
  EXPECT_EQ(parse_profile("events: Ir\nfn=f\n" + zeros + "7 " + zeros + "5\n+" + zeros + "1 1\n", "p").parts[0].totals[0], 6);
}

}  // namespace
}  // namespace icount
