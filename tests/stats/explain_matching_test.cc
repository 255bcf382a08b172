// Matching: which functions count as one, and what is said about it.
#include <gtest/gtest.h>

#include "stats/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

bool says(const std::vector<std::string>& notes, std::string_view part) {
  for (const std::string& note : notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

TEST(ExplainMatchingTest, TemplateArgumentChangedAndDearerIsRenamed) {
  GraphBuilder base, head;
  base.function("main", 10).function("Ring<int>::put(int)", 1000).calls("main", "Ring<int>::put(int)", 100);
  head.function("main", 10).function("Ring<long>::put(long)", 1500).calls("main", "Ring<long>::put(long)", 100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(explanation.causes[0].function, "Ring<long>::put(long)");
  EXPECT_EQ(explanation.causes[0].text,
            "`Ring<long>::put(long)` was `Ring<int>::put(int)` (same callers, called as often): own cost 10 -> 15 per call (100 calls)");
  EXPECT_EQ(explanation.renamed, 1);
  ASSERT_EQ(explanation.functions.size(), 1u);
  EXPECT_EQ(explanation.functions[0].base_name, "Ring<int>::put(int)");
}

TEST(ExplainMatchingTest, UnlikeFunctionsAreNotMatched) {
  GraphBuilder base, head;
  base.function("main", 10).function("parse_header", 1000).calls("main", "parse_header", 10);
  head.function("main", 10).function("draw_circle", 5000).calls("main", "draw_circle", 7);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, 0);
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].text, "`main` now calls `draw_circle`, 7 times");
}

TEST(ExplainMatchingTest, ALambdaMoreShiftsNumbersOnly) {
  GraphBuilder base, head;
  const std::string first = "main::{lambda(long)#1}::operator()(long) const", second = "main::{lambda(long)#2}::operator()(long) const",
                    third = "main::{lambda(long)#3}::operator()(long) const";
  base.function("main", 10).function(first, 700).function(second, 2400).calls("main", first, 100).calls("main", second, 200);
  head.function("main", 10).function(first, 11).function(second, 700).function(third, 2400);
  head.calls("main", first, 1).calls("main", second, 100).calls("main", third, 200);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, 2);
  ASSERT_EQ(explanation.causes.size(), 3u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kCalls);
  EXPECT_EQ(explanation.causes[0].callee, first);
  EXPECT_EQ(explanation.causes[0].delta, 11);
  EXPECT_EQ(explanation.causes[1].delta, 0);
  EXPECT_EQ(explanation.causes[1].kind, CauseKind::kRenamed);
}

TEST(ExplainMatchingTest, ShiftedAddressesMatchByPlaceAndFigures) {
  GraphBuilder base, head;
  base.function("main", 10).function("0x0000000000001100", 500).function("0x0000000000001140", 900).function("0x0000000000001180", 40);
  base.calls("main", "0x0000000000001100", 5).calls("0x0000000000001100", "0x0000000000001140", 10).calls("main", "0x0000000000001180", 1);
  // One function more in front; 0x1140 of the head is what 0x1100 of the base was, and the second one is dearer.
  head.function("main", 10).function("0x0000000000001100", 7).function("0x0000000000001140", 500).function("0x0000000000001180", 1900).function("0x00000000000011c0", 40);
  head.calls("main", "0x0000000000001100", 1).calls("main", "0x0000000000001140", 5).calls("0x0000000000001140", "0x0000000000001180", 10).calls("main", "0x00000000000011c0", 1);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].delta, 1000);
  EXPECT_EQ(explanation.causes[0].text, "own cost of `0x1180` in prog (was `0x1140`) 90 -> 190 per call (10 calls)");
  EXPECT_EQ(explanation.causes[1].delta, 7);
  EXPECT_TRUE(says(explanation.notes, "3 functions without a name matched by place and figures"));
}

TEST(ExplainMatchingTest, ValgrindsOwnShiftedFunctionIsNoCause) {
  GraphBuilder base, head;
  base.function("main", 10).in("???", "???").function("0x0000000000109ca0", 3).calls("main", "0x0000000000109ca0", 1);
  head.function("main", 10).in("???", "???").function("0x0000000000109c80", 3).calls("main", "0x0000000000109c80", 1);
  EXPECT_TRUE(explain(base.graph(), head.graph()).causes.empty());
}

TEST(ExplainMatchingTest, AnotherVariantOfALibraryRoutineIsSaid) {
  GraphBuilder base, head;
  base.function("main", 10).in("a.S", "/lib/libc.so.6").function("__memcpy_avx_unaligned_erms", 300).calls("main", "__memcpy_avx_unaligned_erms", 20);
  head.function("main", 10).in("b.S", "/lib/libc.so.6").function("__memcpy_sse2_unaligned", 500).calls("main", "__memcpy_sse2_unaligned", 20);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(explanation.causes[0].text,
            "dispatch changed: `__memcpy_sse2_unaligned` runs instead of `__memcpy_avx_unaligned_erms`: own cost 15 -> 25 per call (20 calls)");
  EXPECT_TRUE(says(explanation.notes, "not measured on like processors"));
}

TEST(ExplainMatchingTest, AProgramUnderAnotherNameIsTheSameProgram) {
  GraphBuilder base, head;
  base.in("x.c", "/tmp/old").function("main", 10).function("f", 20).calls("main", "f", 2);
  head.in("x.c", "/tmp/new").function("main", 10).function("f", 20).calls("main", "f", 2);
  EXPECT_TRUE(explain(base.graph(), head.graph()).causes.empty());
}

TEST(ExplainMatchingTest, AnAllocatorFromAnotherLibraryIsSaid) {
  GraphBuilder base, head;
  base.function("main", 10).in("malloc.c", "/lib/libc.so.6").function("malloc", 300).function("puts", 5).calls("main", "malloc", 10).calls("main", "puts", 1);
  head.function("main", 10).in("malloc.c", "/lib/libc.so.6").function("puts", 5).in("mine.c", "/opt/libmine.so").function("malloc", 120);
  head.calls("main", "malloc", 10).calls("main", "puts", 1);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(explanation.causes[0].text, "`malloc` now comes from `libmine.so` instead of `libc.so.6`: own cost 30 -> 12 per call (10 calls)");
}

TEST(ExplainMatchingTest, StaticsOfOneNameInTwoFilesAreTwo) {
  GraphBuilder base, head;
  base.function("main", 10).in("alpha.c").function("step", 100).calls("main", "step", 1);
  head.function("main", 10).in("beta.c").function("step", 9000).calls("main", "step", 40);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].text, "`main` now calls `step` (beta.c), 40 times");
}

TEST(ExplainMatchingTest, AFileThatWasRenamedKeepsItsFunctions) {
  GraphBuilder base, head;
  base.function("main", 10).in("alpha.c").function("step", 100).calls("main", "step", 10);
  head.function("main", 10).in("beta.c").function("step", 100).calls("main", "step", 10);
  EXPECT_TRUE(explain(base.graph(), head.graph()).causes.empty());
}

}  // namespace
}  // namespace icount
