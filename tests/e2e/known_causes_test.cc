// Real programs with a known cause (tests/testdata/pairs*, contexts): whatever else an explanation says, its sums are
// exact and swapping the sides changes signs only; and the pairs of right_first.txt have the right cause first.
// scripts/bench explain prints the figures behind this.
#include <gtest/gtest.h>

#include <iostream>
#include <set>
#include <sstream>

#include "icount/base/file.h"
#include "support/golden.h"
#include "support/known_cause.h"
#include "support/places.h"

namespace icount {
namespace {

/// The pairs that were right when the list was last changed: one name per line, `#` starts a comment.
std::set<std::string> load_right_first() {
  std::istringstream lines{std::string(load_file(testdata("right_first.txt")).view())};
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.front() != '#') names.insert(line);
  return names;
}

class KnownCausesTest : public testing::TestWithParam<std::string> {};

TEST_P(KnownCausesTest, SumsAreExactAndRightOnesStayRight) {
  const std::string icount = binary_dir() + "/icount";
  const std::set<std::string> right_first = load_right_first();
  std::set<std::string> newly_right;
  for (const KnownCause& known : load_known_causes(GetParam())) {
    SCOPED_TRACE(known.name);
    const Json there = explanation_of(icount, known);
    const Judgement judgement = judge(there, known);
    EXPECT_TRUE(judgement.sum_exact);
    EXPECT_TRUE(is_antisymmetric(there, explanation_of(icount, known, true)));
    if (right_first.contains(known.name)) {
      EXPECT_EQ(judgement.place, 1U) << "was right, and now says first: " << judgement.first;
    } else if (judgement.place == 1) {
      newly_right.insert(known.name);
    }
  }
  for (const std::string& name : newly_right)
    std::cout << name << " is right now: add it to tests/testdata/right_first.txt\n";
}

INSTANTIATE_TEST_SUITE_P(Folders, KnownCausesTest, testing::ValuesIn(known_cause_folders()),
                         [](const auto& info) { return info.param; });

TEST(RightFirstTest, EveryRecordedNameIsAPair) {
  std::set<std::string> names;
  for (const std::string& folder : known_cause_folders())
    for (const KnownCause& known : load_known_causes(folder)) names.insert(known.name);
  for (const std::string& name : load_right_first()) EXPECT_TRUE(names.contains(name)) << name;
}

TEST(LoopPartsTest, ANewLoopSaysWhatIsCalledInIt) {
  KnownCause known;
  for (const auto& [side, file] : {std::pair(&known.base, "base.xz"), std::pair(&known.head, "head.xz")})
    *side = testdata("recorded") / "weir-line-by-character" / file;
  const Json first = explanation_of(binary_dir() + "/icount", known)["causes"][0];
  EXPECT_EQ(first["kind"], "loop-entry");
  const Json& parts = first["inside"];
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0]["kind"], "calls");
  EXPECT_EQ(parts[0]["caller"], "next_line");
  EXPECT_EQ(parts[0]["callee"], "getc");
  EXPECT_NEAR(parts[0]["delta"].get<double>(), 5736406, 0.01 * 5736406) << "what was recorded";
  EXPECT_EQ(parts[1]["kind"], "own-cost");
  EXPECT_EQ(parts[1]["function"], "next_line");
  EXPECT_TRUE(first["text"].get<std::string>().ends_with(" of it: calls of `getc` there (357,680 more)"))
      << first["text"];
}

TEST(JudgeTest, ACauseIsRightByItsNamesItsSignAndTenPercent) {
  KnownCause known;
  known.right = {{.caller = "main", .callee = "scan", .delta = 1000}, {.function = "scan", .delta = 1000}};
  const auto place = [&](const char* causes) {
    return judge(parse_json(std::string("{\"delta\": 900, \"causes\": [") + causes + "]}", "test"), known).place;
  };
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "main", "callee": "scan'2", "delta": 900})"), 1U);
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "main", "callee": "scan", "delta": 899})"), 0U);
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "main", "callee": "scan", "delta": -1000})"), 0U);
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "other", "callee": "scan", "delta": 1000})"), 1U)
      << "it names the function of the second answer";
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "scan", "callee": "other", "delta": 1000})"), 1U);
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "other", "callee": "main", "delta": 1000})"), 0U);
  EXPECT_EQ(place(R"({"kind": "calls", "caller": "", "callee": "scan", "delta": 1000})"), 1U);
  EXPECT_EQ(place(R"({"kind": "own-cost", "function": "a", "delta": 9},
                     {"kind": "own-cost", "function": "scan.isra.0", "delta": 1100})"),
            2U);
}

TEST(JudgeTest, AnEdgeIsFoundInsideAndMissedEdgesCountInFull) {
  KnownCause known;
  known.edges = {{"main", "flush", 400}, {"main", "write", 100}};
  const Json said =
      parse_json(R"({"delta": 300, "causes": [{"kind": "group", "function": "io", "delta": 300, "inside": [
    {"kind": "calls", "caller": "main", "callee": "flush", "delta": 300}]}]})",
                 "test");
  const Judgement judgement = judge(said, known);
  EXPECT_EQ(judgement.edge_errors, (std::vector<double>{0.25, 1.0}));
  EXPECT_EQ(judgement.edges_not_printed, 1U);
  EXPECT_DOUBLE_EQ(judgement.gross, 1.0);
  EXPECT_TRUE(judgement.sum_exact);
}

TEST(JudgeTest, VariantsOfARoutineAreOne) {
  EXPECT_EQ(plain_function_name("__memcpy_avx_unaligned_erms"), "memcpy");
  EXPECT_EQ(plain_function_name("__memcpy_avx_unaligned"), "memcpy");
  EXPECT_EQ(plain_function_name("memcpy_of_mine"), "memcpy_of_mine");
}

}  // namespace
}  // namespace icount
