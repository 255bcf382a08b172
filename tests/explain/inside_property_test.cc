// What must hold for any two runs of any code: what is said inside a function comes to what was said of it as a whole,
// and swapping the sides changes signs and nothing else.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/random_code.h"

namespace icount {
namespace {

std::vector<std::string> keys(const std::vector<Cause>& causes, int64_t sign) {
  std::vector<std::string> result;
  for (const Cause& cause : causes) {
    result.push_back(fmt::format("{} {} {} {} {}", to_text(cause.kind), cause.function, cause.caller, cause.callee,
                                 sign * cause.delta));
  }
  std::sort(result.begin(), result.end());
  return result;
}

int64_t sum(const std::vector<Cause>& causes) {
  int64_t total = 0;
  for (const Cause& cause : causes) total += cause.delta;
  return total;
}

Explanation explain_coded(const CodedProfile& base, const CodedProfile& head, bool open) {
  ExplainOptions options;
  options.open_functions = open;
  return explain(base.graph, head.graph, options);
}

void expect_the_same_without_opening(const CodedProfile& base, const CodedProfile& head) {
  const Explanation open = explain_coded(base, head, true), closed = explain_coded(base, head, false);
  EXPECT_EQ(sum(open.causes), sum(closed.causes));
  EXPECT_EQ(open.delta, head.graph.totals[0] - base.graph.totals[0]);
  // What is said of other functions stays as it was.
  for (const Cause& cause : closed.causes) {
    if (cause.function == "f" || cause.caller == "f" || cause.kind == CauseKind::kSum) continue;
    // Calls may be told with the inlined function that they come from.
    const std::string begin = cause_sentence(cause).substr(0, cause_sentence(cause).find(';'));
    EXPECT_TRUE(std::any_of(open.causes.begin(), open.causes.end(), [&](const Cause& other) {
      return cause_sentence(other).starts_with(begin) && other.delta == cause.delta;
    })) << cause_sentence(cause);
  }
  const Explanation back = explain_coded(head, base, true);
  EXPECT_EQ(keys(open.causes, 1), keys(back.causes, -1));
}

/// Also where the function's own sentence is told with the places inside that it comes from
/// (explain/inside/function_opening.h).
bool is_inside(const std::vector<Cause>& causes) {
  return std::any_of(causes.begin(), causes.end(), [](const Cause& cause) {
    return cause.loop || cause.kind == CauseKind::kBranch ||
           cause_sentence(cause).find("; the branch") != std::string::npos ||
           cause_sentence(cause).find("; the loop") != std::string::npos || is_inside(cause.inside);
  });
}

bool is_inside(const Explanation& explanation) { return is_inside(explanation.causes); }

/// As if debug information had inlined functions there: nested, next to each other, by line.
CodedProfile with_inlined(CodedProfile profile, uint64_t seed) {
  auto code = std::make_shared<ProfileCode>(*profile.graph.code);
  code->inlined = {{"a", 0, 3, 10, 0}, {"b", 0, 5, 12, 1}, {"c", 0, 7, 14, 2}, {"d", 0, 9, 16, 0}, {"b", 0, 5, 18, 4}};
  for (FunctionCode& one : code->functions) {
    const std::string object(profile.graph.object(one.function));
    if (!find_object(*code, object)) code->objects.push_back({object, object, "", 0, "", true});
    for (CodeRow& row : one.rows)
      row.inlined = static_cast<uint32_t>((row.line * 7 + seed) / 3 % (code->inlined.size() + 1));
  }
  profile.graph.code = std::move(code);
  return profile;
}

class InsidePropertyTest : public testing::TestWithParam<int> {};

TEST_P(InsidePropertyTest, TheSameCodeRunOtherwise) {
  RandomCode how;
  how.code_seed = static_cast<uint64_t>(GetParam());
  how.blocks = 3 + GetParam() % 40;
  const CodedProfile base = read_coded(random_profile(how));
  how.walk_seed = 7;
  how.taken = 0.35 + 0.05 * (GetParam() % 7);
  how.entries = 10 + GetParam() % 30;
  const CodedProfile head = read_coded(random_profile(how));
  expect_the_same_without_opening(base, head);
  const auto seed = static_cast<uint64_t>(GetParam());
  expect_the_same_without_opening(with_inlined(base, seed), with_inlined(head, seed));
}

TEST_P(InsidePropertyTest, OtherCode) {
  RandomCode how;
  how.code_seed = static_cast<uint64_t>(GetParam());
  how.blocks = 3 + GetParam() % 25;
  const CodedProfile base = read_coded(random_profile(how));
  how.code_seed += 1000;
  how.blocks = 3 + GetParam() % 31;
  how.first_line = 8 + GetParam() % 5;
  const CodedProfile head = read_coded(random_profile(how));
  expect_the_same_without_opening(base, head);
  const auto seed = static_cast<uint64_t>(GetParam());
  expect_the_same_without_opening(with_inlined(base, seed), with_inlined(head, seed + 1));
}

INSTANTIATE_TEST_SUITE_P(Seeds, InsidePropertyTest, testing::Range(0, 150));

TEST(InsideProperty, ACallThatTheGraphBookedElsewhereIsLeftOut) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    RandomCode how;
    how.code_seed = seed;
    how.blocks = 20;
    CodedProfile base = read_coded(random_profile(how));
    how.taken = 0.35;
    CodedProfile head = read_coded(random_profile(how));
    for (CodedProfile* side : {&base, &head})
      for (size_t e = side->graph.edges.size(); e-- > 0;) {
        const std::string_view callee = side->graph.name(side->graph.edges[e].callee);
        if (callee != "g" && callee != "h") continue;
        side->graph.edges.erase(side->graph.edges.begin() + static_cast<std::ptrdiff_t>(e));
        side->graph.inclusive.erase(side->graph.inclusive.begin() + static_cast<std::ptrdiff_t>(e));
      }
    const Explanation explanation = explain_coded(base, head, true);
    EXPECT_EQ(sum(explanation.causes), head.graph.totals[0] - base.graph.totals[0]);
  }
}

TEST(InsideProperty, MostRunsOfTheSameCodeAreToldInside) {
  int inside = 0;
  for (int seed = 0; seed < 60; ++seed) {
    RandomCode how;
    how.code_seed = static_cast<uint64_t>(seed);
    how.blocks = 20;
    const CodedProfile base = read_coded(random_profile(how));
    how.taken = 0.4;
    inside += is_inside(explain_coded(base, read_coded(random_profile(how)), true));
  }
  EXPECT_GT(inside, 30);
}

}  // namespace
}  // namespace icount
