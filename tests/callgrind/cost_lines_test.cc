// Lines that repeat the tail of one before are recognised, not read: with the same sums and verdicts as read one by
// one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "icount/base/error.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

constexpr char kHead[] = "positions: instr line\nevents: Ir\nfn=f\n";

/// Basic blocks as Callgrind writes them, of instructions that were executed equally often, with odd lines in between.
std::string text_of_blocks(int blocks) {
  std::mt19937 random(5);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  const std::vector<std::string> seconds = {"0", "0", "0", "*", "7", "+1", "-1", "123"};
  std::string text = std::string(kHead) + "0x70000000000 900000000 1\n";
  for (int i = 0; i < blocks; ++i) {
    if (below(8) == 0) text += "jump=1 * *\n* *\n";
    if (below(9) == 0) text += "fn=(" + std::to_string(below(5)) + ") g\n";
    if (below(40) == 0) text += "0x70000000000 900000000 1\n";
    const std::string cost = std::to_string(random() >> below(32)) + (below(12) == 0 ? "0000" : "");
    const std::string second = seconds[below(8)];
    if (second == "-1") text += "+1 900 1\n";
    for (unsigned left = 1 + below(12); left > 0; --left)
      text +=
          fmt::format("+{} {} {}\n", below(10) == 0 ? 10 + below(90) : below(10), below(20) == 0 ? "*" : second, cost);
  }
  return text + "0x10 1 1\n";
}

ParseOptions options(bool lines, bool one_by_one) {
  ParseOptions options;
  options.keep_jumps = true;
  options.keep_lines = lines;
  options.keep_positions = one_by_one;
  return options;
}

/// Costs by function and source line.
std::map<std::pair<FunctionIndex, uint64_t>, int64_t> costs_by_line(const ProfilePart& part) {
  std::map<std::pair<FunctionIndex, uint64_t>, int64_t> costs;
  for (size_t i = 0; i < part.positions.size(); ++i)
    costs[{part.positions[i].function, part.positions[i].line}] += part.position_self[i];
  return costs;
}

TEST(LineTailTest, RepeatedLinesAddUpAsReadOneByOne) {
  const std::string text = text_of_blocks(4000);
  const ProfilePart exact = parse_profile(text, "p", options(false, true)).parts.at(0);
  ASSERT_GT(exact.self_lines, 20'000);
  for (const bool lines : {false, true}) {
    const ProfilePart part = parse_profile(text, "p", options(lines, false)).parts.at(0);
    EXPECT_EQ(part.totals, exact.totals);
    EXPECT_EQ(part.row_self, exact.row_self);
    EXPECT_EQ(part.self_lines, exact.self_lines);
    ASSERT_EQ(part.jumps.size(), exact.jumps.size());
    for (size_t i = 0; i < part.jumps.size(); ++i) {
      EXPECT_EQ(part.jumps[i].address, exact.jumps[i].address) << i;
      EXPECT_EQ(part.jumps[i].line, exact.jumps[i].line) << i;
    }
    if (!lines) continue;
    std::map<std::pair<FunctionIndex, uint64_t>, int64_t> costs;
    for (size_t i = 0; i < part.lines.size(); ++i)
      costs[{part.lines[i].function, part.lines[i].line}] += part.line_self[i];
    EXPECT_EQ(costs, costs_by_line(exact));
  }
}

/// The total, or what is wrong.
std::string outcome(const std::string& text, const ParseOptions& options) {
  try {
    return std::to_string(parse_profile(text, "p", options).parts.at(0).totals.at(0));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(LineTailTest, ASumThatOverflowsInARunIsRefusedAtItsLine) {
  for (const char* cost : {"1", "100", "999999999999"})
    for (const char* first :
         {"9223372036854775000", "9223371036854775000", "9223372036854775807", "4611686018427387904"}) {
      std::string text = std::string(kHead) + "0x10 0 1\n+1 0 " + first + "\n";
      for (int i = 0; i < 900; ++i) text += fmt::format("+1 0 {}\n", cost);
      text += std::string(100, '\n');
      const std::string exact = outcome(text, options(false, true));
      EXPECT_EQ(outcome(text, options(false, false)), exact) << cost << " " << first;
      EXPECT_EQ(outcome(text, options(true, false)), exact) << cost << " " << first;
    }
}

TEST(LineTailTest, NearlyRepeatedLinesAreReadOrRefusedAlike) {
  for (const std::string& line :
       {std::string("+3 0 18"), std::string("+3 0 170"), std::string("+3 0 1"), std::string("+3 0 17 "),
        std::string("+3 0 17\r"), std::string("+3  0 17"), std::string("-3 0 17"), std::string("*3 0 17"),
        std::string("+: 0 17"), std::string("+/ 0 17"), std::string("+ 0 17"), std::string("+33 0 17"),
        std::string("+3 * 17"), std::string("+3 0 x"), std::string("+3"), std::string("+3") + std::string(16, '\0'),
        std::string("+3 0 17\0", 8)})
    for (const char* before : {"0x10 0 17\n+4 0 17\n", "0x10  0 17\n", ""}) {
      const std::string text = std::string(kHead) + before + line + "\n+2 0 17\n+2 0 17\n" + std::string(200, '\n');
      const std::string exact = outcome(text, options(false, true));
      EXPECT_EQ(outcome(text, options(false, false)), exact) << line << " behind " << before;
      EXPECT_EQ(outcome(text, options(true, false)), exact) << line << " behind " << before;
    }
}

TEST(LineTailTest, APartWithOtherPositionsKnowsNoTailOfTheOneBefore) {
  const std::string text = std::string(kHead) +
                           "0x10 0 17\n+4 0 17\ntotals: 34\n\npositions: instr\nevents: Ir\nfn=f\n0x10 5\n" +
                           "+4 0 17\n" + std::string(200, '\n');
  EXPECT_EQ(outcome(text, options(false, false)), outcome(text, options(false, true)));
}

}  // namespace
}  // namespace icount
