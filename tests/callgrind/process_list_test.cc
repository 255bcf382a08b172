#include "icount/callgrind/process_list.h"

#include <gtest/gtest.h>

#include "icount/callgrind/part_choice.h"

namespace icount {
namespace {

using Kind = ProcessEvent::Kind;

ProcessEvent forked(pid_t parent, pid_t child) { return {Kind::kForked, parent, child, 0, {}, {}}; }
ProcessEvent ended(pid_t pid, int kept, int status = 0) { return {Kind::kEnded, pid, status, kept, {}, {}}; }
ProcessEvent launcher(pid_t pid, int kept, std::string program) {
  return {
      Kind::kExecuted, pid, 0, kept, "/usr/bin/valgrind.bin", {"valgrind", "--tool=callgrind", "-q", program, "-x"}};
}
ProcessEvent tool(pid_t pid, std::string program) {
  return {Kind::kExecuted, pid, 0, 0, "/lib/valgrind/callgrind-amd64-linux", {"v", "--tool=callgrind", program, "-x"}};
}

TEST(ProcessListTest, AProcessIsOneWhateverItRunsAndIdsMayComeAgain) {
  const std::vector<ProcessEvent> events = {
      launcher(10, 0, "sh"), tool(10, "sh"), forked(10, 20), launcher(20, 1, "cc"), tool(20, "cc"), forked(20, 30),
      ended(30, 2),          ended(20, 3),   forked(10, 30), ended(30, 4, 9),       ended(10, 5)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].argv, (std::vector<std::string>{"sh", "-x"}));
  EXPECT_EQ(list[0].kept, (std::vector<int>{5}));
  EXPECT_EQ(list[1].argv[0], "cc");
  EXPECT_EQ(list[1].kept, (std::vector<int>{1, 3})) << "the piece before the other program, and that program";
  EXPECT_TRUE(list[1].is_copy);
  EXPECT_EQ(list[2].parent, 1);
  EXPECT_EQ(list[2].parent_file, 1u) << "a copy of what its parent ran second";
  EXPECT_EQ(list[2].kept, (std::vector<int>{2}));
  EXPECT_EQ(list[3].parent, 0);
  EXPECT_EQ(list[3].kept, (std::vector<int>{4}));
  EXPECT_EQ(list[3].status, 9);
}

TEST(ProcessListTest, ACopyKnowsWhetherItsParentWroteForIt) {
  ProcessEvent written = forked(10, 20);
  written.has_written = true;
  const std::vector<ProcessEvent> events = {tool(10, "sh"), written, forked(10, 21)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(list[1].parent_wrote);
  EXPECT_FALSE(list[2].parent_wrote);
}

TEST(ProcessListTest, WhatOutlivesTheProgramOrIsNotFollowedSaysSo) {
  const std::vector<ProcessEvent> events = {tool(10, "sh"), forked(10, 20),
                                            forked(10, 21), {Kind::kExecuted, 21, 0, 1, "/bin/su", {"su"}},
                                            ended(21, 0),   ended(10, 2)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_FALSE(list[1].status);
  EXPECT_FALSE(list[2].followed);
  EXPECT_EQ(list[2].argv, (std::vector<std::string>{"su"}));
  EXPECT_EQ(list[2].kept, (std::vector<int>{1}));
}

TEST(ProcessListTest, WhereTracingIsRefusedTheFirstProcessIsLeft) {
  const std::vector<ProcessEvent> events = {{Kind::kUnwatched, 10, 1, 0, {}, {}}, ended(10, 1)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].kept, (std::vector<int>{1}));
  EXPECT_TRUE(list_processes({}).empty());
}

TEST(ProcessListTest, HelpersOfValgrindsLauncherAreNoProcesses) {
  const std::vector<ProcessEvent> events = {
      launcher(10, 0, "sh"), forked(10, 99), forked(99, 98), {Kind::kExecuted, 98, 0, 0, "/bin/ls", {"ls"}},
      ended(98, 0),          ended(99, 0),   tool(10, "sh"), forked(10, 99),
      forked(99, 98),        ended(98, 1),   ended(99, 2),   ended(10, 3)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].kept, std::vector<int>{3});
  EXPECT_EQ(list[1].pid, 99) << "the same ids again, of the program's own";
  EXPECT_EQ(list[1].kept, std::vector<int>{2});
  EXPECT_EQ(list[1].parent, 0);
  EXPECT_EQ(list[2].pid, 98);
  EXPECT_EQ(list[2].kept, std::vector<int>{1});
  EXPECT_EQ(list[2].parent, 1);
}

TEST(ProcessListTest, OptionsAreNoProgram) {
  const std::vector<ProcessEvent> events = {
      {Kind::kExecuted, 10, 0, 0, "callgrind-amd64-linux", {"v", "x", "--tool=callgrind", "-q", "--a", "p", "-z"}},
      ended(10, 1)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].argv, (std::vector<std::string>{"p", "-z"}));
  EXPECT_EQ(list[0].kept, std::vector<int>{1}) << "a program's name without a folder";
  EXPECT_TRUE(list[0].followed);
}

ProfilePart part(std::string trigger, int64_t last_block) {
  ProfilePart made;
  made.trigger = std::move(trigger);
  made.last_block = last_block;
  return made;
}

TEST(PartChoiceTest, PartsWithinNestedFunctionsAreKept) {
  const FunctionNames kFunctions = {"f", "g"};
  Profile profile;
  for (const char* trigger : {"--dump-before=f", "--dump-before=g", "--dump-before=_Fork", "--dump-after=g",
                              "--dump-after=f", "Program termination"})
    profile.parts.push_back(part(trigger, 10 * static_cast<int64_t>(profile.parts.size() + 1)));
  EXPECT_EQ(depth_at(profile, kFunctions, 5, 0), 0);
  EXPECT_EQ(depth_at(profile, kFunctions, 9, 0), 0);
  EXPECT_EQ(depth_at(profile, kFunctions, 10, 0), 1) << "the dump before f was written then";
  EXPECT_EQ(depth_at(profile, kFunctions, 40, 0), 1);
  EXPECT_EQ(depth_at(profile, kFunctions, 60, 3), 3);
  EXPECT_EQ(depth_at(profile, kFunctions, 30, 0), 2);
  EXPECT_EQ(depth_at(profile, kFunctions, 60, 0), 0);
  Profile copy = profile;
  keep_within(copy, kFunctions, 1);
  EXPECT_EQ(copy.parts.size(), 6u) << "of a process that began within one";
  keep_within(profile, kFunctions, 0);
  ASSERT_EQ(profile.parts.size(), 4u);
  EXPECT_EQ(profile.parts[0].trigger, "--dump-before=g");
  EXPECT_EQ(profile.parts[3].trigger, "--dump-after=f");
  Profile ends;
  for (const char* trigger : {"--dump-after=f", "--dump-before=f", "Program termination"})
    ends.parts.push_back(part(trigger, 10));
  keep_within(ends, kFunctions, 0);
  ASSERT_EQ(ends.parts.size(), 1u) << "an end without a begin leaves nothing open";
  EXPECT_EQ(ends.parts[0].trigger, "Program termination");
  EXPECT_EQ(begun_function(part("--dump-before=xf", 1), kFunctions), "") << "a pattern that means f met it";
  EXPECT_EQ(ended_function(part("--dump-after=xf", 1), kFunctions), "");
}

}  // namespace
}  // namespace icount
