// Where lines of one side lie on the other.
#include "icount/explain/match/folded_graph.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

using Place = LineShifts::Place;

/// Two functions of a.c: one stays on lines 10 to 20, the other moves from 100 to 110.
LineShifts two_functions() {
  LineShifts shifts;
  shifts.add("a.c", {10, 20}, "a.c", {10, 20});
  shifts.add("a.c", {100, 120}, "a.c", {110, 130});
  return shifts;
}

TEST(LineShiftsTest, ALineMovesAsTheNearestFunctionAboveIt) {
  const LineShifts shifts = two_functions();
  EXPECT_EQ(shifts.of("a.c", 10, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 99, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 100, 0), 10) << "its own first line";
  EXPECT_EQ(shifts.of("a.c", 500, 0), 10);
  EXPECT_EQ(shifts.of("a.c", 109, 1), 0) << "from the head's side";
  EXPECT_EQ(shifts.of("a.c", 110, 1), -10);
  EXPECT_EQ(shifts.of("b.c", 100, 0), 0);
  LineShifts one;
  one.add("a.c", {100, 120}, "a.c", {110, 130});
  EXPECT_EQ(one.of("a.c", 5, 0), 10) << "above the first known one, as the one below";
}

TEST(LineShiftsTest, WhatWasEditedOrIsInAnotherFileSaysNothing) {
  LineShifts shifts;
  shifts.add("a.c", {100, 120}, "a.c", {110, 131});
  shifts.add("a.c", {200, 220}, "b.c", {210, 230});
  shifts.add("a.c", {0, 0}, "a.c", {10, 10});
  shifts.add("a.c", {10, 10}, "a.c", {0, 0});
  EXPECT_EQ(shifts.of("a.c", 100, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 200, 0), 0);
  EXPECT_EQ(shifts.of("b.c", 210, 1), 0);
  EXPECT_EQ(shifts.compare("a.c", 100, 105), Place::kPossible) << "nothing is known of the file";
}

TEST(LineShiftsTest, NearAnEndOfAnEditedFunctionALineMovesAsThatEnd) {
  LineShifts shifts;
  shifts.add("a.c", {48, 126}, "a.c", {49, 118});
  EXPECT_EQ(shifts.near("a.c", 126, 0), -8);
  EXPECT_EQ(shifts.near("a.c", 118, 1), 8);
  EXPECT_EQ(shifts.near("a.c", 60, 0), 1) << "its first line is nearer";
  EXPECT_EQ(shifts.near("a.c", 100, 0), -8);
  EXPECT_EQ(shifts.near("a.c", 1, 0), 1);
  EXPECT_EQ(shifts.near("a.c", 500, 0), -8);
  EXPECT_EQ(shifts.near("b.c", 126, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 126, 0), 0) << "an edited function moves nothing else";
}

TEST(LineShiftsTest, AFunctionLiesBetweenItsNeighbours) {
  const LineShifts shifts = two_functions();
  EXPECT_EQ(shifts.compare("a.c", 50, 50), Place::kSame) << "as the one above";
  EXPECT_EQ(shifts.compare("a.c", 50, 60), Place::kSame) << "as the one below";
  EXPECT_EQ(shifts.compare("a.c", 50, 55), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 50, 47), Place::kPossible) << "three lines edited in its head";
  EXPECT_EQ(shifts.compare("a.c", 50, 46), Place::kAnother);
  EXPECT_EQ(shifts.compare("a.c", 50, 63), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 50, 64), Place::kAnother);
}

TEST(LineShiftsTest, BehindTheLastKnownFunctionAnythingMayHaveBeenWritten) {
  const LineShifts shifts = two_functions();
  EXPECT_EQ(shifts.compare("a.c", 300, 310), Place::kSame);
  EXPECT_EQ(shifts.compare("a.c", 300, 900), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 300, 307), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 300, 306), Place::kAnother) << "but nothing is taken away";
}

TEST(LineShiftsTest, AboveTheFirstKnownFunctionLinesStayOrMoveAsIt) {
  LineShifts shifts;
  shifts.add("a.c", {100, 120}, "a.c", {110, 130});
  EXPECT_EQ(shifts.compare("a.c", 50, 50), Place::kSame);
  EXPECT_EQ(shifts.compare("a.c", 50, 60), Place::kSame);
  EXPECT_EQ(shifts.compare("a.c", 50, 47), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 50, 46), Place::kAnother);
  EXPECT_EQ(shifts.compare("a.c", 50, 64), Place::kAnother);
}

TEST(LineShiftsTest, WithoutAnyKnownFunctionTheSameLineIsTheSamePlace) {
  EXPECT_EQ(LineShifts().compare("a.c", 7, 7), Place::kSame);
  EXPECT_EQ(LineShifts().compare("a.c", 7, 8), Place::kPossible);
}

}  // namespace
}  // namespace icount
