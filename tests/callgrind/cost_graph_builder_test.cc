// Parts added up, and one part alone. Their events, functions and files come in different orders.
#include "icount/callgrind/cost_graph_builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "callgrind/canonical_tables.h"
#include "icount/callgrind/parser.h"
#include "support/error_of.h"

namespace icount {
namespace {

const std::string kTwoParts =
    "events: Ir Dr\nob=o\nfl=a.c\nfn=f\n1 5 2\ncfn=g\ncalls=3 1\n1 10 4\nfn=g\n7 10 4\ntotals: 15 6\n"
    "part: 2\nevents: Dr Ir Cy\nob=o\nfl=a.c\nfn=g\n7 1 2 3\nfn=f\n1 20 30 40\nfi=h.h\n2 0 1 "
    "0\ncfi=a.c\ncfn=g\ncalls=2 1\n"
    "2 100 200 300\ntotals: 21 33 43\n";

Profile read(const std::string& text) {
  ParseOptions options;
  options.keep_lines = true;
  return parse_profile(text, "p", options);
}

TEST(CostGraphBuilderTest, ColumnsOfPartsAreMatchedByEvent) {
  const CostGraph graph = make_cost_graph(read(kTwoParts));
  EXPECT_EQ(graph.parts, 2);
  EXPECT_EQ(graph.events, (std::vector<std::string>{"Ir", "Dr", "Cy"}));
  EXPECT_EQ(graph.totals, (std::vector<int64_t>{48, 27, 43}));
  EXPECT_EQ(functions_table(graph), "o\ta.c\tf\t36\t22\t40\no\ta.c\tg\t12\t5\t3\n");
  EXPECT_EQ(edges_table(graph), "o\ta.c\tf\to\ta.c\tg\t5\t210\t104\t300\n");
  EXPECT_EQ(rows_table(graph), "o\ta.c\tf\t35\t22\t40\no\ta.c\tg\t12\t5\t3\no\th.h\tf\t1\t0\t0\n");
  EXPECT_EQ(graph.lines.size(), 3u);
  EXPECT_EQ(graph.line_self, (std::vector<int64_t>{35, 22, 40, 12, 5, 3, 1, 0, 0}));
}

TEST(CostGraphBuilderTest, APartAloneHasItsOwnFunctionsAndEvents) {
  const Profile profile = read(kTwoParts);
  const CostGraph second = make_part_graph(profile, 1);
  EXPECT_EQ(second.events, (std::vector<std::string>{"Dr", "Ir", "Cy"}));
  EXPECT_EQ(second.totals, (std::vector<int64_t>{21, 33, 43}));
  EXPECT_EQ(functions_table(second), "o\ta.c\tf\t20\t31\t40\no\ta.c\tg\t1\t2\t3\n");
  EXPECT_EQ(edges_table(second), "o\ta.c\tf\to\ta.c\tg\t2\t100\t200\t300\n");
  ASSERT_EQ(second.functions.size(), 2u);
  EXPECT_EQ(second.name(0), "g") << "in the order of that part";
  ASSERT_EQ(second.lines.size(), 3u);
  EXPECT_EQ(second.strings.view(second.lines[2].file), "h.h");
  EXPECT_EQ(second.name(second.lines[2].function), "f");
  EXPECT_EQ(make_part_graph(profile, 0).totals, (std::vector<int64_t>{15, 6}));
  EXPECT_ANY_THROW(make_part_graph(profile, 2));
}

TEST(CostGraphBuilderTest, APartWithoutAFunctionOfAnotherDoesNotHaveIt) {
  const Profile profile =
      read("events: Ir\nfn=f\n1 1\ncfn=x\ncalls=1 1\n1 1\ntotals: 1\npart: 2\nevents: Ir\nfn=g\n1 2\n");
  const CostGraph second = make_part_graph(profile, 1);
  ASSERT_EQ(second.functions.size(), 1u);
  EXPECT_EQ(second.name(0), "g");
  EXPECT_TRUE(second.edges.empty());
  EXPECT_EQ(make_part_graph(profile, 0).functions.size(), 2u);
}

TEST(CostGraphBuilderTest, SumsOverPartsThatOverflowNameTheirEvent) {
  const std::string most = "9223372036854775807";
  const auto parts = [&](const std::string& second) {
    return "events: Ir Dr\nfn=f\n1 1 " + most + "\ntotals: 1 " + most + "\nevents: Ir Dr\nfn=f\n1 1 " + second + "\n";
  };
  EXPECT_EQ(make_cost_graph(read(parts("0"))).totals[1], std::numeric_limits<int64_t>::max());
  EXPECT_NE(error_of([&] { make_cost_graph(read(parts("1"))); }).find("cost of Dr"), std::string::npos);
}

/// A part in which the loop of f, at `address`, runs so often.
std::string looping_part(int turns, const std::string& address) {
  return fmt::format(
      "events: Ir\npositions: instr line\nob=o\nfl=a.c\nfn=main\n0x10 1 5\ncfn=f\ncalls=1 {1} 10\n0x14 2 {0}\n\n"
      "fn=f\n{1} 10 {0}\njcnd={2}/{0} {1} 10\n{1} 10\n\ntotals: {3}\n",
      turns, address, turns - 1, turns + 5);
}

TEST(CostGraphBuilderTest, WhatHappensInsideCheapFunctionsIsNotKept) {
  ParseOptions options;
  options.keep_insides = true;
  const auto function = [](const std::string& name, int address, int cost) {
    return fmt::format("fn={0}\n{1:#x} 1 {2}\njump=1 {1:#x} 1\n{1:#x} 1\n\n", name, address, cost);
  };
  const CostGraph graph = make_cost_graph(parse_profile(
      "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=o\nfl=a.c\n" + function("most", 16, 19997) +
          function("rare", 32, 2) + function("rarer", 48, 1) + "totals: 20000\n",
      "p", options));
  ASSERT_TRUE(graph.code);
  std::vector<std::string> names;
  for (const FunctionCode& code : graph.code->functions) names.emplace_back(graph.name(code.function));
  EXPECT_EQ(names, (std::vector<std::string>{"most", "rare"}));
}

TEST(CostGraphBuilderTest, WhatHappensInsideFunctionsIsAddedUpOverParts) {
  ParseOptions options;
  options.keep_insides = true;
  const std::string text = "creator: callgrind-3.19.0\n" + looping_part(100, "0x100") + "part: 2\n" +
                           looping_part(30, "0x100") + "part: 3\n" + looping_part(8, "0x200");
  const CostGraph graph = make_cost_graph(parse_profile(text, "p", options));
  ASSERT_TRUE(graph.code);
  ASSERT_EQ(graph.code->functions.size(), 2u);
  for (const FunctionCode& code : graph.code->functions) {
    const bool is_main = graph.name(code.function) == "main";
    ASSERT_EQ(code.rows.size(), is_main ? 1u : 2u);
    EXPECT_EQ(code.rows[0].executions, is_main ? 15 : 130);
    if (is_main) continue;
    EXPECT_EQ(code.rows[1].executions, 8);
    EXPECT_EQ(code.rows[1].address, 0x200u);
    ASSERT_EQ(code.jumps.size(), 2u);
    EXPECT_EQ(code.jumps[0].followed, 99 + 29);
    EXPECT_EQ(code.jumps[1].followed, 7);
  }
}

}  // namespace
}  // namespace icount
