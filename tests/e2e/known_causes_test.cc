// Real programs with a known cause: whatever else an explanation says, its sums are exact and swapping the sides
// changes signs only; and the pairs of right_first.txt have the right cause first. The tree's pairs, or those of the
// folder ICOUNT_PAIRS (support/known_cause.h). scripts/bench explain prints the figures behind this.
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "support/golden.h"
#include "support/known_cause.h"

namespace icount {
namespace {

/// Pairs that decision 17 gave up: one row has both halves of a replacement, and the machine compares it with one half.
bool is_given_up(const std::string& name) {
  static const std::set<std::string> kGivenUp = {"bakery-text-concatenated", "cmark-utf8-checked", "lua-format-in-loop",
                                                 "mujs-simple-arrays",       "ucl-mum-hash",       "zlib-inflate-slow"};
  return kGivenUp.contains(name.substr(name.find('/') + 1));
}

class KnownCausesTest : public testing::TestWithParam<std::string> {};

TEST_P(KnownCausesTest, SumsAreExactAndRightOnesStayRight) {
  const auto root = known_cause_root();
  const std::set<std::string> right_first = load_right_first(root);
  const std::vector<KnownCause> pairs = load_known_causes(root, GetParam());
  std::set<std::string> newly_right;
  size_t right = 0;
  for (const KnownCause& known : pairs) {
    SCOPED_TRACE(known.name);
    const LoadedPair loaded(known);
    const Json there = loaded.explain();
    const Judgement judgement = judge(there, known);
    EXPECT_TRUE(judgement.sum_exact);
    EXPECT_TRUE(is_antisymmetric(there, loaded.explain(true)));
    right += judgement.place == 1;
    if (right_first.contains(known.name) && !is_given_up(known.name)) {
      EXPECT_EQ(judgement.place, 1U) << "was right, and now says first: " << judgement.first;
    } else if (judgement.place == 1) {
      newly_right.insert(known.name);
    }
  }
  for (const std::string& name : newly_right) std::cout << name << " is right now: add it to right_first.txt\n";
  std::cout << "judged " << pairs.size() << " pairs of " << (root / GetParam()).string()
            << ": the right cause is first in " << right << "\n";
}

INSTANTIATE_TEST_SUITE_P(Folders, KnownCausesTest, testing::ValuesIn(known_cause_folders(known_cause_root())),
                         [](const auto& info) { return info.param; });

TEST(RightFirstTest, EveryNameIsAPair) {
  const auto root = known_cause_root();
  const std::set<std::string> right_first = load_right_first(root);
  for (const std::string& folder : known_cause_folders(root)) {
    std::set<std::string> names;
    for (const KnownCause& known : load_known_causes(root, folder)) names.insert(known.name);
    for (const std::string& name : right_first)
      EXPECT_TRUE(!name.starts_with(folder + "/") || names.contains(name)) << name;
  }
}

TEST(LoopPartsTest, ANewLoopSaysWhatIsCalledInIt) {
  KnownCause known;
  for (const auto& [side, file] : {std::pair(&known.base, "base"), std::pair(&known.head, "head")})
    *side = unpacked("profiles/recorded/weir-line-by-character") / file;
  const Json first = LoadedPair(known).explain()["causes"][0];
  EXPECT_EQ(first["kind"], "loop-entry");
  const Json& parts = first["inside"];
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0]["kind"], "calls");
  EXPECT_EQ(parts[0]["caller"], "next_line");
  EXPECT_EQ(parts[0]["callee"], "getc");
  EXPECT_NEAR(parts[0]["delta"].get<double>(), 5736406, 0.01 * 5736406) << "what was recorded";
  EXPECT_EQ(parts[1]["kind"], "own-cost");
  EXPECT_EQ(parts[1]["function"], "next_line");
  EXPECT_TRUE(first["text"].get<std::string>().ends_with(" of it: 357,680 more calls of `getc`")) << first["text"];
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
  EXPECT_EQ(name_to_judge_by("__memcpy_avx_unaligned_erms"), "memcpy");
  EXPECT_EQ(name_to_judge_by("__memcpy_avx_unaligned"), "memcpy");
  EXPECT_EQ(name_to_judge_by("memcpy_of_mine"), "memcpy_of_mine");
}

}  // namespace
}  // namespace icount
