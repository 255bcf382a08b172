// Hostile sizes: the reader's memory and time stay in proportion to its input.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

// Numbers that repeat themselves from run to run, and texts made of them.
class Lottery {
 public:
  size_t below(size_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % limit;
  }
  std::string number(size_t most_digits) {
    std::string digits(1 + below(most_digits), '0');
    for (char& digit : digits) digit = static_cast<char>('0' + below(10));
    return digits;
  }
  /// A position: nearly always of the frequent forms.
  std::string position(bool absolute) {
    switch (below(12)) {
      case 0:
        return "*";
      case 1:
        return absolute ? "7" : "-" + number(3);
      case 2:
        return "+" + number(8);
      case 3:
        return absolute ? number(5) : "+" + number(2);
      default:
        return absolute ? "0" : "+" + number(2);
    }
  }

 private:
  uint64_t state_ = 7;
};

// Lines are read in blocks, one by one, or exactly, by what the processor has and the options ask for: all the same.
TEST(PlainLinesTest, EveryWayOfReadingThemAgrees) {
  Lottery lottery;
  std::string text = "positions: instr line\nevents: Ir\nfn=f\n0x70000000000 900000000 1\n";
  for (int i = 0; i < 20000; ++i) {
    const bool absolute = (i / 500) % 2 == 0;
    const size_t oddity = lottery.below(150);
    if (oddity == 0) text += "jump=1 * *\n* *\n";
    if (oddity == 1) text += "\n# comment\n";
    if (oddity == 2) text += "0x70000000000 900000000 1\n";
    text += lottery.position(false) + (oddity == 3 ? "  " : " ") + lottery.position(absolute && i % 500 > 3);
    if (oddity != 4) text += " " + lottery.number(oddity == 5 ? 12 : oddity < 60 ? 6 : 2);
    text += oddity == 6 ? " \n" : oddity == 7 ? "\r\n" : "\n";
    if (absolute && i % 500 == 499) text += "* 900000000 1\n";
  }
  ParseOptions exactly;
  exactly.keep_positions = exactly.keep_jumps = true;
  ParseOptions jumps;
  jumps.keep_jumps = true;
  const Profile exact = parse_profile(text, "p", exactly), plain = parse_profile(text, "p", jumps);
  const ProfilePart &a = exact.parts[0], &b = plain.parts[0];
  EXPECT_EQ(a.totals, b.totals);
  EXPECT_EQ(a.self_lines, b.self_lines);
  EXPECT_EQ(std::accumulate(a.position_self.begin(), a.position_self.end(), int64_t{0}), b.totals[0]);
  ASSERT_GT(b.jumps.size(), 50u);
  ASSERT_EQ(a.jumps.size(), b.jumps.size());
  for (size_t i = 0; i < a.jumps.size(); ++i) {
    EXPECT_EQ(a.jumps[i].address, b.jumps[i].address) << i;
    EXPECT_EQ(a.jumps[i].line, b.jumps[i].line) << i;
  }
}

/// Costs by source line, added up from those of every instruction.
std::map<uint64_t, int64_t> costs_by_line(const ProfilePart& part) {
  std::map<uint64_t, int64_t> costs;
  for (size_t i = 0; i < part.positions.size(); ++i) costs[part.positions[i].line] += part.position_self[i];
  return costs;
}

TEST(PlainLinesTest, SourceLinesAddUpTheirInstructions) {
  Lottery lottery;
  for (const char* positions : {"instr line", "bb line", "line", "instr", "instr bb line"}) {
    const size_t kinds = split(positions, ' ').size();
    std::string text = fmt::format("positions: {}\nevents: Ir\nfn=f\n900000 {}1\n", positions,
                                   kinds == 3   ? "0 900 "
                                   : kinds == 2 ? "900 "
                                                : "");
    for (int i = 0; i < 3000; ++i) {
      for (size_t kind = 0; kind < kinds; ++kind)
        text += (kind + 1 < kinds       ? "+2"
                 : lottery.below(3) > 0 ? "*"
                                        : lottery.position(false).substr(0, 2)) +
                std::string(" ");
      text += lottery.number(4) + "\n";
    }
    ParseOptions exactly, lines;
    exactly.keep_positions = lines.keep_lines = true;
    const Profile exact = parse_profile(text, "p", exactly), summed = parse_profile(text, "p", lines);
    std::map<uint64_t, int64_t> costs;
    for (size_t i = 0; i < summed.parts[0].lines.size(); ++i)
      costs[summed.parts[0].lines[i].line] += summed.parts[0].line_self[i];
    EXPECT_EQ(costs, costs_by_line(exact.parts[0])) << positions;
    EXPECT_EQ(summed.parts[0].self_lines, 3001) << positions;
    EXPECT_EQ(summed.parts[0].totals, exact.parts[0].totals) << positions;
  }
}

TEST(PlainLinesTest, ASourceLinesCostMayBeNegativeOnlyWhereToolsMeasureDifferences) {
  std::string text = "events: Memory\nfn=f\n7 -9223372036854775800\n";
  for (int i = 0; i < 40; ++i) text += "* 2\n";
  ParseOptions lines;
  lines.keep_lines = true;
  const Profile profile = parse_profile("creator: memory tool\n" + text, "p", lines);
  ASSERT_EQ(profile.parts[0].line_self.size(), 1U);
  EXPECT_EQ(profile.parts[0].line_self[0], -9223372036854775720);
}

/// What a profile with this call far from its end, or near it, amounts to.
std::string call_outcome(std::string_view target, std::string_view cost, bool far) {
  std::string text = fmt::format(
      "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nfn=f\n0x10 1 1\ncfn=g\ncalls=3 {}\n{}\n", target,
      cost);
  if (far) text += "#" + std::string(500, '-') + "\n";
  try {
    const ProfilePart part = parse_profile(text, "p").parts.at(0);
    return fmt::format("{} calls for {}, {} in all", part.edges.at(0).calls, part.inclusive.at(0), part.totals.at(0));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(PlainLinesTest, CallsAreReadOrRefusedAlikeFarFromTheEnd) {
  for (const char* target : {"0x5 1",
                             "0x5 1 ",
                             "0x 1 ",
                             "0xg 1 ",
                             "0x5  1 ",
                             "0x5",
                             "0x5 ",
                             "0x5 x ",
                             "0x5 1x ",
                             "0x5x 1 ",
                             "* *",
                             "+3 +1 ",
                             "-99 1 ",
                             "0x5 -9 ",
                             "0x1234567812345678 2 ",
                             "0x12345678123456781 2 ",
                             "0x5 123456789012345678901234 ",
                             "0x5 1 junk",
                             "0X5 1 ",
                             "0xAbC 1 ",
                             "5 1 "})
    EXPECT_EQ(call_outcome(target, "+7 0 5", true), call_outcome(target, "+7 0 5", false)) << target;
  for (const char* cost : {"+7 0 5",   "* 0 5",
                           "* * 5",    "+7 * 5",
                           "+x 0 5",   "+7x0 5",
                           "7 0 5",    "7x0 5",
                           "+7 0x 5",  "*x0 5",
                           "+7 x 5",   "+7 + 5",
                           "+7 00 5",  "*  0 5",
                           "+7 0  5",  "+70 5",
                           "+ 0 5",    "* 0",
                           "+7 0 5 6", "- 0 5",
                           "*+ 5",     "-1 0 5",
                           "-99 0 5",  "x7 0 5",
                           "0x7 0 5",  "+7 0 123456789012345678901"})
    EXPECT_EQ(call_outcome("0x5 1 ", cost, true), call_outcome("0x5 1 ", cost, false)) << cost;
  EXPECT_EQ(call_outcome("0x5 1 ", "+7 0 5", true), "3 calls for 5, 1 in all");
}

TEST(PlainLinesTest, AStepBelowZeroIsFoundInTheMiddleOfABlock) {
  std::string text = "positions: instr line\nevents: Ir\nfn=f\n5 12 1\n";
  for (int i = 0; i < 40; ++i) text += "+1 -1 1\n";
  try {
    parse_profile(text, "p");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "p:17: negative line position: 0 - 1; damaged, or written by the other of the two position rules");
  }
}

TEST(PlainLinesTest, ASumThatOverflowsIsFoundInTheMiddleOfABlock) {
  std::string text = "positions: instr line\nevents: Ir\nfn=f\n5 12 9223372036854775800\n";
  for (int i = 0; i < 40; ++i) text += "+1 * 1\n";
  for (const bool keep_lines : {false, true}) {
    ParseOptions options;
    options.keep_lines = keep_lines;
    try {
      parse_profile(text, "p", options);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "p:12: cost of Ir overflows");
    }
  }
}

TEST(LimitsTest, HugeIdsAllocateNothing) {
  std::string text = "events: Ir\n";
  for (int i = 0; i < 64; ++i)
    text += fmt::format("fn=({}) f{}\nfn=({})\n1 1\n", ~uint64_t{0} >> i, i, ~uint64_t{0} >> i);
  const Profile profile = parse_profile(text, "p");
  EXPECT_EQ(profile.functions.size(), 64u);
  EXPECT_TRUE(profile.warnings.empty());
}

TEST(LimitsTest, AHundredThousandPartsAreRead) {
  std::string text = "events: Ir\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("fn=(9{}) f{}\n1 1\n", i, i);
  constexpr int kParts = 100000;
  for (int i = 0; i < kParts; ++i)
    text += "part: 1\nevents: Ir\nfn=a\ncfn=b\ncalls=0 1\n1 1\ncfn=c\ncalls=0 1\n1 1\n1 1\ntotals: 1\n";
  const CostGraph graph = make_cost_graph(parse_profile(text, "p"));
  EXPECT_EQ(graph.parts, kParts + 1);
  EXPECT_EQ(graph.totals[0], kParts + 1000);
}

TEST(LimitsTest, ACallChainTwoHundredThousandDeep) {
  std::string text = "events: Ir\n";
  constexpr int kDepth = 200000;
  for (int i = 0; i < kDepth; ++i)
    text += fmt::format("fn=({})\n1 1\ncfn=({})\ncalls=1 1\n1 {}\n", i, i + 1, kDepth - i);
  const CostGraph graph = make_cost_graph(parse_profile(text, "p"));
  EXPECT_EQ(make_inclusive_costs(graph).of(0, 0), kDepth + 1);
}

TEST(LimitsTest, NamesOfMegabytes) {
  const std::string name(10 << 20, 'n');
  const Profile profile =
      parse_profile("events: Ir\nfn=(1) " + name + "\n1 1\nfn=(1)\n1 1\nfn=" + name + "\n1 1\n", "p");
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
  EXPECT_EQ(
      parse_profile("events: Ir\nfn=f\n" + zeros + "7 " + zeros + "5\n+" + zeros + "1 1\n", "p").parts[0].totals[0], 6);
}

}  // namespace
}  // namespace icount
