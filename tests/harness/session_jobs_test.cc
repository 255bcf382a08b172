// Several clients of one server: each hears of its own jobs, under its own numbers.
#include "icount/harness/session_jobs.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(SessionJobsTest, NumbersAreTheServersOutsideAndTheClientsInside) {
  SessionJobs jobs;
  EXPECT_EQ(jobs.take_request(0, "job 7 benchmark=0 number=5"), "job 1 benchmark=0 number=5");
  EXPECT_EQ(jobs.take_request(1, "job 7 benchmark=3"), "job 2 benchmark=3");
  const auto began = jobs.take_reply("began 2 pid=55");
  ASSERT_TRUE(began);
  EXPECT_EQ(began->client, 1);
  EXPECT_EQ(began->line, "began 7 pid=55");
  EXPECT_FALSE(began->ended);
  const auto object = jobs.take_reply("object 1 abcd /lib/x.so");
  ASSERT_TRUE(object);
  EXPECT_EQ(object->client, 0);
  EXPECT_EQ(object->line, "object 7 abcd /lib/x.so");
  const auto ended = jobs.take_reply("ended 2 pid=55 status=done phase=end output_bytes=0 output=");
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->ended && ended->done);
  EXPECT_EQ(ended->pid, 55);
  EXPECT_EQ(jobs.in_flight(), 1u);
  EXPECT_FALSE(jobs.take_reply("ended 2 pid=55 status=done")) << "it is over";
}

TEST(SessionJobsTest, ACancelConcernsTheClientsOwnJob) {
  SessionJobs jobs;
  jobs.take_request(0, "job 1 benchmark=0");
  EXPECT_EQ(jobs.take_request(0, "cancel 1"), "cancel 1");
  EXPECT_FALSE(jobs.take_request(1, "cancel 1"));
}

TEST(SessionJobsTest, ARefusalEndsAJob) {
  SessionJobs jobs;
  jobs.take_request(0, "job 1 benchmark=9");
  const auto refused = jobs.take_reply("error job\\x201:\\x20no\\x20such\\x20benchmark");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->client, 0);
  EXPECT_TRUE(refused->ended);
  EXPECT_FALSE(refused->done);
  EXPECT_TRUE(jobs.is_idle());
}

TEST(SessionJobsTest, TooManyWaitForTheirTurnInOrder) {
  SessionJobs jobs;
  int taken = 0;
  while (jobs.take_request(0, "job 1 benchmark=0")) ++taken;
  EXPECT_EQ(taken, 48);
  EXPECT_FALSE(jobs.take_request(1, "job 4 benchmark=1"));
  EXPECT_FALSE(jobs.next_waiting());
  jobs.take_reply("ended 3 pid=1 status=done");
  EXPECT_EQ(jobs.next_waiting(), "job 49 benchmark=0") << "the one that was refused first";
  jobs.take_reply("ended 4 pid=1 status=done");
  EXPECT_EQ(jobs.next_waiting(), "job 50 benchmark=1");
}

TEST(SessionJobsTest, AClientThatIsGoneIsForgotten) {
  SessionJobs jobs;
  jobs.take_request(0, "job 1 benchmark=0");
  jobs.take_request(1, "job 1 benchmark=0");
  EXPECT_EQ(jobs.forget(0), std::vector<std::string>{"cancel 1"});
  const auto ended = jobs.take_reply("ended 1 pid=9 status=cancelled");
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->client, -1);
  EXPECT_EQ(ended->pid, 9) << "what it wrote is removed";
}

TEST(SessionJobsTest, NonsenseIsNoRequest) {
  SessionJobs jobs;
  for (const char* line : {"", "job", "job x", "quit", "prepare 1 2", "session 1 benchmark=0", "start", "job  1"})
    EXPECT_FALSE(jobs.take_request(0, line)) << line;
  for (const char* line : {"", "ended", "ended x", "hello icount-stub 1", "error job\\x20x:"})
    EXPECT_FALSE(jobs.take_reply(line)) << line;
}

TEST(SessionJobsTest, TheEmptyRegionIsNoStatement) {
  SessionJobs jobs;
  jobs.take_request(1, "job 5 benchmark=empty mode=callgrind");
  jobs.take_request(1, "job 6 benchmark=0 mode=callgrind");
  const auto empty = jobs.take_reply("ended 1 pid=55 status=done");
  const auto statement = jobs.take_reply("ended 2 pid=56 status=done");
  ASSERT_TRUE(empty && statement);
  EXPECT_TRUE(empty->ended && !empty->done);
  EXPECT_TRUE(statement->ended && statement->done);
}

}  // namespace
}  // namespace icount
