#include "icount/callgrind/call_count_trust.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "support/golden.h"

namespace icount {
namespace {

CallCounts judge(const std::string& text) { return judge_call_counts(parse_profile(text, "p")); }

CallCounts judge_golden(const std::string& name) {
  const FileBytes bytes = load_file(testdata("callgrind/" + name + ".xz"));
  return make_cost_graph(parse_profile(bytes.view(), name)).call_counts;
}

std::string call(const std::string& caller, const std::string& callee, const std::string& count,
                 const std::string& cost = "9") {
  return "fn=" + caller + "\n1 1\ncfn=" + callee + "\ncalls=" + count + " 1\n1 " + cost + "\n";
}

TEST(CallCountTrustTest, WholeRunsAndDumpsAreTrusted) {
  for (const char* name : {"containers.default", "jumpy.instr-jumps", "phases.combined", "recursion.default",
                           "threads.combined", "weirdnames.default"}) {
    const CallCounts counts = judge_golden(name);
    EXPECT_TRUE(counts.trusted) << name << ": " << counts.reason;
    EXPECT_EQ(counts.reason, "");
  }
}

TEST(CallCountTrustTest, ToggledRegionsAreNot) {
  const CallCounts counts = judge_golden("requests.toggle");
  EXPECT_FALSE(counts.trusted);
  EXPECT_EQ(counts.reason,
            "1,142 instructions in 27,487 basic blocks: collection was toggled, calls were counted throughout");
}

TEST(CallCountTrustTest, SamplersAreNot) {
  EXPECT_EQ(judge("creator: rbspy\nevents: X\nfn=f\n1 1\n").reason, "rbspy samples and does not count calls");
  EXPECT_EQ(judge("events: Samples\nfn=f\n1 1\n").reason, "event Samples is sampled, calls are not counted");
  EXPECT_TRUE(judge("creator: other\nevents: X\nfn=f\n1 1\n").trusted);
}

TEST(CallCountTrustTest, MoreCallsThanInstructions) {
  EXPECT_EQ(judge("events: Ir\n" + call("f", "g", "10")).reason,
            "10 calls of 'g' cost 9 instructions: counts cover more than costs");
  EXPECT_TRUE(judge("events: Ir\n" + call("f", "g", "9")).trusted);
  EXPECT_TRUE(judge("events: Time\n" + call("f", "g", "10")).trusted);
}

TEST(CallCountTrustTest, ActiveCallsLieOnOneChain) {
  const std::string chain = "events: Ir\n" + call("main", "a", "0") + call("a", "b", "0");
  EXPECT_TRUE(judge(chain + call("b", "c", "5") + call("c", "d", "0")).trusted) << "a gap bridged by a counted call";
  EXPECT_TRUE(judge(chain + call("b", "a", "0") + call("b", "b", "0")).trusted) << "an active recursion";
  EXPECT_EQ(judge(chain + call("a", "x", "0")).reason,
            "calls=0 with cost outside the chain of active calls, for example 'a' to 'b'");
  EXPECT_FALSE(judge("events: Ir\n" + call("f", "g", "0") + call("h", "k", "0")).trusted) << "two roots";
  EXPECT_TRUE(judge("events: Ir\n" + call("f", "g", "0") + call("h", "k", "0", "0")).trusted) << "no cost, no evidence";
}

TEST(CallCountTrustTest, EveryPartIsJudgedAlone) {
  const std::string part = "events: Ir\n";
  EXPECT_TRUE(judge(part + call("f", "g", "0") + "totals: 1\n" + part + call("h", "k", "0") + "totals: 1\n").trusted);
}

TEST(CallCountTrustTest, BlocksOfAllThreadsSayNothingAboutOne) {
  EXPECT_TRUE(judge("thread: 2\ndesc: Timerange: Basic block 0 - 99\nevents: Ir\nfn=f\n1 5\n").trusted);
  EXPECT_FALSE(judge("desc: Timerange: Basic block 0 - 99\nevents: Ir\nfn=f\n1 5\n").trusted);
}

}  // namespace
}  // namespace icount
