#include "icount/report/cause_rows.h"

#include <gtest/gtest.h>

#include "icount/explain/claims/noise_fold.h"
#include "icount/report/cause_sentence.h"
#include "support/small_explanation.h"

namespace icount {
namespace {

Cause call(std::string caller, std::string callee, int64_t delta) {
  return {.kind = CauseKind::kCalls,
          .caller = std::move(caller),
          .callee = callee,
          .delta = delta,
          .facts = fact::Said{"calls of `" + callee + "`"}};
}

Cause own(std::string function, int64_t delta, std::string file, std::string object = "") {
  Cause cause = own_cost_cause(function, delta, "self cost of `" + function + "`");
  cause.file = std::move(file);
  cause.object = std::move(object);
  return cause;
}

Explanation of(std::vector<Cause> causes) {
  Explanation e;
  e.event = "Ir";
  e.causes = std::move(causes);
  sort_causes(e.causes);
  for (const Cause& cause : e.causes) e.delta += cause.delta;
  e.base_total = 1'000'000;
  e.head_total = e.base_total + e.delta;
  return e;
}

/// Everything that a table shows.
int64_t sum_of(const CauseRows& rows) {
  int64_t sum = rows.rest.smaller_delta;
  for (size_t i = 0; i < rows.shown; ++i) sum += rows.rows[i].delta;
  for (const Cause& group : rows.rest.groups) sum += group.delta;
  return sum;
}

size_t count_of(const CauseRows& rows) {
  size_t count = rows.causes_shown + rows.rest.smaller;
  for (const Cause& group : rows.rest.groups) count += std::max<size_t>(group.inside.size(), 1);
  return count;
}

TEST(CauseRowsTest, CallsByOneFunctionAreOneRow) {
  std::vector<Cause> causes = {own("scan", -1'000, "a.c"), call("run", "large", 600)};
  for (int i = 0; i < 12; ++i) causes.push_back(call("run", "pass" + std::to_string(i), 200 - i));
  for (int i = 0; i < 4; ++i) causes.push_back(call("run", "gone" + std::to_string(i), -300 - i));
  for (int i = 0; i < 4; ++i) causes.push_back(call("main", "step" + std::to_string(i), 300 + i));
  const Explanation e = of(causes);
  const CauseRows rows = choose_cause_rows(e, {});
  const Cause& joined = rows.rows[1];
  EXPECT_EQ(joined.delta, 12 * 200 - 66);
  EXPECT_EQ(joined.inside.size(), 12u);
  EXPECT_EQ(cause_sentence(joined),
            "calls of 12 functions by `run` cost more: `pass0` (+200), `pass1` (+199), `pass2` (+198) and 9 more");
  EXPECT_EQ(rows.rows[0].function, "scan") << "the largest cause is the answer";
  EXPECT_EQ(rows.rows[2].callee, "large") << "half as large as the largest cause: it stands alone";
  EXPECT_EQ(rows.rows.size(), 11u) << "four calls by main are too few to be joined, and four that cost less";
  EXPECT_EQ(sum_of(rows), e.delta);
  EXPECT_EQ(count_of(rows), e.causes.size());
  EXPECT_EQ(choose_cause_rows(e, {.all = true}).rows.size(), e.causes.size()) << "--all joins nothing";
}

TEST(CauseRowsTest, CallsThatOneSideAloneMakesAreOneRow) {
  const auto calls = [](std::string callee, fact::Counts counts, int64_t delta) {
    Cause cause = call("run", callee, delta);
    cause.facts = fact::Calls{.caller = "`run`", .callee = "`" + callee + "`", .calls = counts};
    return cause;
  };
  Explanation e = of({calls("scan", {0, 500}, 10'000), calls("walk", {100, 0}, -3'000), calls("free", {0, 2}, 600),
                      calls("tiny", {0, 7}, 99), calls("both", {5, 9}, 2'000), own("main", 700, "a.c")});
  const CauseRows rows = choose_cause_rows(e, {});
  EXPECT_EQ(rows.rows[0].delta, 7'600);
  EXPECT_EQ(rows.rows[0].caller, "run");
  EXPECT_EQ(cause_sentence(rows.rows[0]),
            "`run` calls `scan` and `free` in place of `walk`; +10,000 of it: now calls `scan` 500 times, at 20 each; "
            "-3,000 of it: no longer calls `walk` (100 calls at 30 each); +600 of it: now calls `free` 2 times, at 300 "
            "each");
  EXPECT_EQ(rows.rows[1].callee, "both");
  EXPECT_EQ(rows.rows.size(), 4u) << "what is less than a hundredth is another row";
  EXPECT_EQ(sum_of(rows), e.delta);
  EXPECT_EQ(count_of(rows), e.causes.size());
  EXPECT_EQ(choose_cause_rows(e, {.all = true}).rows.size(), e.causes.size());
  const auto first_of = [&](int64_t taken_back) {
    const Explanation net =
        of({calls("scan", {0, 500}, 10'000), calls("walk", {100, 0}, -taken_back), own("main", 8'000, "a.c")});
    return choose_cause_rows(net, {}).rows[0].delta;
  };
  EXPECT_EQ(first_of(5'000), 5'000) << "it has the first cause";
  EXPECT_EQ(first_of(5'001), 8'000) << "more than half of which is taken back";
  const auto text = [&](std::vector<Cause> of_run) {
    return cause_sentence(choose_cause_rows(of(std::move(of_run)), {}).rows[0]);
  };
  EXPECT_EQ(text({calls("walk", {100, 0}, -3'000), calls("free", {6, 0}, -600)}),
            "`run` no longer calls `walk` (100 calls at 30 each) or `free` (6 calls at 100 each)");
  EXPECT_EQ(text({calls("scan", {0, 9}, 900), calls("log", {0, 1}, 500)}),
            "`run` now calls `scan` 9 times, at 100 each, and `log` once");
  EXPECT_EQ(text({calls("scan", {0, 9}, 900), calls("walk", {10, 0}, -100)}),
            "`run` calls `scan` 9 times, at 100 each, in place of `walk` (10 calls at 10 each)");
}

TEST(CauseRowsTest, WorkThatMovedWithinAFunctionIsOneRow) {
  const fact::LoopName outer{"loop at a.c:3", "", "`run`"};
  const auto loop = [&](std::string place, fact::Counts entries, int64_t delta, bool in_outer = true) {
    Cause cause;
    cause.kind = CauseKind::kLoopEntry;
    cause.function = "run";
    cause.delta = delta;
    cause.file = "a.c";
    cause.line = entries[0] == 0 ? 7 : 5;
    fact::LoopEntry facts{.loop = "loop at " + place, .entries = entries};
    facts.doer = {.kind = fact::Doer::Kind::kFunction, .function = "`run`"};
    if (in_outer) facts.doer = {.kind = fact::Doer::Kind::kIteration, .function = "`run`", .loop = outer};
    cause.facts = facts;
    return cause;
  };
  const auto calls = [&](std::string callee, fact::Counts counts, int64_t delta) {
    Cause cause = call("run", callee, delta);
    cause.facts = fact::InsideCalls{.doer = {.kind = fact::Doer::Kind::kIteration, .function = "`run`", .loop = outer},
                                    .callee = "`" + callee + "`",
                                    .calls = counts};
    return cause;
  };
  const auto rows_of = [](std::vector<Cause> of_run) { return choose_cause_rows(of(std::move(of_run)), {}).rows; };
  const std::vector<Cause> moved = rows_of({loop("a.c:5", {10, 0}, -9'000), loop("a.c:7", {0, 20}, 8'000, false)});
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].delta, -1'000);
  EXPECT_EQ(moved[0].line, 7u) << "where head has it";
  EXPECT_EQ(cause_sentence(moved[0]),
            "`run` runs the loop at a.c:7 (entered 20 times, at 400 each), in place of the loop at a.c:5 (entered 10 "
            "times, at 900 each)");
  const std::vector<Cause> three =
      rows_of({calls("scan", {0, 100}, 9'000), loop("a.c:5", {10, 0}, -6'000), calls("walk", {1, 0}, -2'000)});
  ASSERT_EQ(three.size(), 1u);
  EXPECT_TRUE(
      cause_sentence(three[0]).starts_with("`run` calls `scan` in place of `walk` and the loop at a.c:5; +9,000"))
      << cause_sentence(three[0]);
  EXPECT_EQ(rows_of({loop("a.c:5", {10, 0}, -2'000), loop("a.c:7", {0, 20}, 8'001)}).size(), 2u)
      << "less than a quarter";
  EXPECT_EQ(rows_of({loop("a.c:5", {0, 10}, -7'000), loop("a.c:7", {0, 20}, 8'000)}).size(), 2u) << "nothing is gone";
  EXPECT_EQ(rows_of({loop("a.c:5", {10, 0}, -7'000), loop("a.c:7", {3, 20}, 8'000)}).size(), 2u) << "on both sides";
}

TEST(CauseRowsTest, TheUnwinderDoesNotLead) {
  Cause unwinder = own("unwinding of exceptions", 900, "");
  unwinder.kind = CauseKind::kGroup;
  const auto first = [&](std::vector<Cause> causes) {
    causes.push_back(unwinder);
    return choose_cause_rows(of(std::move(causes)), {}).rows.at(0).function;
  };
  EXPECT_EQ(first({own("parse", 200, ""), own("less", -300, "")}), "parse");
  EXPECT_EQ(first({own("less", -300, "")}), "unwinding of exceptions");
  EXPECT_EQ(
      choose_cause_rows(of({call("_Unwind_Find_FDE", "0x8160", 900), own("parse", 200, "")}), {}).rows.at(0).function,
      "parse");
}

TEST(CauseRowsTest, WhatIsLittleBesideTheLargestIsNoRow) {
  const auto shown = [](int64_t others) {
    std::vector<Cause> causes(13, own("walk", others, "a.c"));
    causes[0] = own("scan", 10'000, "a.c");
    return choose_cause_rows(of(std::move(causes)), {}).shown;
  };
  EXPECT_GT(shown(200), 1u);
  EXPECT_EQ(shown(199), 1u);
  EXPECT_GT(shown(-200), 1u);
  EXPECT_EQ(choose_cause_rows(of({own("scan", 10'000, "a.c"), own("walk", 9, "a.c")}), {}).shown, 2u)
      << "a line that hides one cause would be as long";
}

/// 12 causes of 2,500 in libraries without files, then small ones that come to more than a third.
Explanation with_a_large_remainder(size_t files, const std::string& object) {
  std::vector<Cause> causes;
  for (int i = 0; i < 12; ++i) causes.push_back(own("large" + std::to_string(i), 2'500, "", "libother.so"));
  for (size_t i = 0; i < 600; ++i)
    causes.push_back(own("small" + std::to_string(i), 100, "src/f" + std::to_string(i % files) + ".cc", object));
  return of(causes);
}

TEST(CauseRowsTest, ALargeRemainderIsGroupedByFileUntilItIsSmall) {
  const Explanation e = with_a_large_remainder(3, "bin/prog");  // 30,000 + 60,000: a third is 30,000
  const CauseRows rows = choose_cause_rows(e, {});
  ASSERT_EQ(rows.shown, 12u);
  ASSERT_EQ(rows.rest.groups.size(), 2u) << "two of three files; what is left is a fifth";
  EXPECT_EQ(cause_sentence(rows.rest.groups[0]),
            "200 smaller causes in f0.cc: `small0` (+100), `small102` (+100), `small105` (+100) and 197 more");
  EXPECT_EQ(rows.rest.groups[0].delta, 20'000);
  EXPECT_EQ(rows.rest.smaller, 200u);
  EXPECT_EQ(rows.rest.smaller_delta, 20'000);
  EXPECT_EQ(sum_of(rows), e.delta);
  EXPECT_EQ(count_of(rows), e.causes.size());
  EXPECT_TRUE(choose_cause_rows(e, {.rows = 3, .group_rest = false}).rest.groups.empty()) << "--top 3 is three rows";
}

TEST(CauseRowsTest, ManyFilesAreOneLibrary) {
  const CauseRows rows = choose_cause_rows(with_a_large_remainder(300, "lib/libsmall.so"), {});
  ASSERT_EQ(rows.rest.groups.size(), 1u);
  EXPECT_TRUE(cause_sentence(rows.rest.groups[0]).starts_with("600 smaller causes in libsmall.so: "))
      << cause_sentence(rows.rest.groups[0]);
  EXPECT_EQ(rows.rest.smaller, 0u);
}

TEST(CauseRowsTest, FilesCalledTheSameAreToldByTheirPaths) {
  Explanation e = with_a_large_remainder(2, "prog");
  for (Cause& cause : e.causes)
    if (cause.file == "src/f1.cc") cause.file = "lib/f0.cc";
  const CauseRows rows = choose_cause_rows(e, {});
  ASSERT_EQ(rows.rest.groups.size(), 1u);
  EXPECT_TRUE(cause_sentence(rows.rest.groups[0]).starts_with("300 smaller causes in lib/f0.cc: "))
      << cause_sentence(rows.rest.groups[0]);
}

TEST(CauseRowsTest, CyclesAreGroupsAndUnknownCodeIsSaidToBe) {
  Explanation e = with_a_large_remainder(1, "prog");
  for (size_t i = 12; i < e.causes.size(); ++i) {
    e.causes[i].file.clear();
    e.causes[i].object.clear();
    if (i % 2 == 0) e.causes[i].cycle = "cycle of eval and 6 more";
  }
  const CauseRows rows = choose_cause_rows(e, {});
  ASSERT_EQ(rows.rest.groups.size(), 1u);
  EXPECT_TRUE(
      cause_sentence(rows.rest.groups[0]).starts_with("300 smaller causes in code of no known file or library: "))
      << cause_sentence(rows.rest.groups[0]);
  for (size_t i = 12; i < e.causes.size(); ++i) e.causes[i].cycle = "cycle of eval and 6 more";
  EXPECT_TRUE(cause_sentence(choose_cause_rows(e, {}).rest.groups[0])
                  .starts_with("600 smaller causes in `eval` (a recursion of 7 functions): "));
}

TEST(CauseRowsTest, ATableThatCoversWhatItShouldIsNotGrouped) {
  // The changes cancel: the remainder is more than the net change, but a hundredth of what changed.
  std::vector<Cause> causes = {own("a", 10'000, "a.c"), own("b", -10'000, "b.c")};
  for (int i = 0; i < 20; ++i) causes.push_back(own("c" + std::to_string(i), 10, "c.c"));
  const CauseRows rows = choose_cause_rows(of(causes), {});
  EXPECT_TRUE(rows.rest.groups.empty());
  EXPECT_EQ(rows.rest.smaller, 20u);
  EXPECT_EQ(rows.rest.smaller_delta, 200);
}

}  // namespace
}  // namespace icount
