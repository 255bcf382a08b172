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
  const FileBytes bytes = load_file(unpacked("profiles/callgrind/" + name));
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

std::string uncollected(const std::string& text, ProfileStart start = ProfileStart::kProgram) {
  ParseOptions options;
  options.keep_insides = true;
  return find_uncollected_part(parse_profile(text, "p", options), start);
}

TEST(UncollectedPartTest, AnInstructionCallsAsOftenAsItIsExecuted) {
  const auto profile = [](const std::string& executed, const std::string& calls) {
    return "positions: instr line\nevents: Ir\nfn=main\n0x10 1 " + executed + "\ncfn=ask\ncalls=" + calls +
           " 0x20 2\n0x10 1 9\njump=1 0x12 1\n0x11 1\nfn=ask\n0x20 2 9\n";
  };
  EXPECT_EQ(uncollected(profile("2", "2")), "");
  EXPECT_EQ(uncollected(profile("1", "2")), "'main' calls 'ask' at an instruction that is counted 1 times for 2 calls");
  EXPECT_EQ(uncollected(profile("1", "2"), ProfileStart::kFork), "") << "it began in the midst of a call";
  EXPECT_NE(uncollected(profile("1", "3"), ProfileStart::kFork), "");
}

TEST(UncollectedPartTest, OfIcountsOwnCounterTheAddressSaysWhatRan) {
  const auto ran_elsewhere = [](const std::string& executed) {
    return "positions: instr line\nevents: Ir\nob=a\nfn=entered\ncob=a\ncfn=ask\ncalls=2 0x20 2\n0x10 1 9\n"
           "fn=jumped_to\n0x10 1 " +
           executed + "\njump=1 0x12 1\n0x10 1\nfn=ask\n0x20 2 9\n";
  };
  const std::string creator = "creator: callgrind-icount-1\n";
  EXPECT_NE(uncollected(ran_elsewhere("2")), "");
  EXPECT_EQ(uncollected(creator + ran_elsewhere("2")), "");
  EXPECT_EQ(uncollected(creator + ran_elsewhere("1")),
            "'entered' calls 'ask' at an instruction that is counted 1 times for 2 calls");
}

TEST(UncollectedPartTest, ABlockThatRanIsAnInstructionAtLeast) {
  const std::string range = "desc: Timerange: Basic block 0 - 6\nevents: Ir\n";
  EXPECT_EQ(uncollected(range + "fn=f\n1 4\n"), "4 instructions are counted of 6 basic blocks that ran");
  EXPECT_EQ(uncollected(range + "fn=f\n1 5\n"), "") << "the block in which the program ends is not counted";
  EXPECT_EQ(uncollected("events: Ir\n" + call("f", "g", "9", "8")),
            "9 calls of 'g' cost 8 instructions: counts cover more than costs");
  for (const char* name : {"jumpy.instr-jumps", "phases.combined", "recursion.default", "threads.combined"}) {
    const FileBytes bytes = load_file(unpacked("profiles/callgrind/" + std::string(name)));
    EXPECT_EQ(uncollected(std::string(bytes.view())), "") << name;
  }
}

TEST(CallCountTrustTest, SamplersAreNot) {
  EXPECT_EQ(judge("creator: rbspy\nevents: X\nfn=f\n1 1\n").reason, "rbspy samples and does not count calls");
  EXPECT_EQ(judge("events: Samples\nfn=f\n1 1\n").reason, "event Samples is sampled, calls are not counted");
  EXPECT_TRUE(judge("creator: other\nevents: X\nfn=f\n1 1\n").trusted);
}

TEST(CallCountTrustTest, ABlockIsOneInstructionAtLeast) {
  const auto ran = [](const std::string& range, const std::string& ir) {
    return judge("desc: Timerange: Basic block " + range + "\nevents: Cy Ir\nfn=f\n1 1 " + ir + "\n");
  };
  EXPECT_EQ(ran("10 - 17", "5").reason,
            "5 instructions in 7 basic blocks: collection was toggled, calls were counted throughout");
  EXPECT_TRUE(ran("10 - 16", "5").trusted) << "the last block is not counted";
  EXPECT_TRUE(ran("10 - 16", "0").trusted) << "nothing was counted";
  EXPECT_TRUE(ran("16 - 10", "5").trusted) << "no range";
  EXPECT_TRUE(ran("x - 16", "5").trusted);
  EXPECT_FALSE(ran("0 - 16", "5").trusted);
}

TEST(CallCountTrustTest, TheColumnOfInstructionsAndThatOfCostAreFound) {
  const std::string two = "events: Cy Ir\n";
  EXPECT_TRUE(judge(two + call("f", "g", "9", "5 9")).trusted);
  EXPECT_EQ(judge(two + call("a", "b", "1", "9 1") + call("f", "g", "9", "50 8")).reason,
            "9 calls of 'g' cost 8 instructions: counts cover more than costs");
  EXPECT_FALSE(judge(two + call("f", "g", "0", "9 1") + call("h", "k", "0", "9 0")).trusted);
  EXPECT_TRUE(judge(two + call("f", "g", "0", "9 1") + call("h", "k", "0", "0 0")).trusted);
}

TEST(CallCountTrustTest, ChainsOfActiveCallsHaveALimit) {
  const auto chain = [](int calls, const std::string& counted) {
    std::string text = "events: Ir\n";
    for (int i = 0; i < calls; ++i) text += call("f" + std::to_string(i), "f" + std::to_string(i + 1), "0");
    return judge(text + counted);
  };
  const std::string counted = call("f0", "g", "1");
  EXPECT_TRUE(chain(1000, "").trusted);
  EXPECT_EQ(chain(1001, "").reason, "no call has a count");
  EXPECT_TRUE(chain(1000, counted).trusted);
  EXPECT_EQ(chain(1001, counted).reason, "1,001 different calls have cost but no count");
}

TEST(CallCountTrustTest, AWalkInACycleEnds) {
  const std::string cycle = call("b", "c", "2") + call("c", "b", "2");
  EXPECT_EQ(judge("events: Ir\n" + call("a", "b", "0") + cycle + call("x", "y", "0")).trusted, false);
  EXPECT_TRUE(judge("events: Ir\n" + call("a", "b", "0") + cycle + call("c", "x", "2") + call("x", "y", "0")).trusted);
}

TEST(CallCountTrustTest, ActiveCallsMayStandInAnyOrder) {
  EXPECT_TRUE(judge("events: Ir\n" + call("c", "d", "0") + call("a", "b", "0") + call("b", "c", "0")).trusted);
  EXPECT_EQ(judge("events: Ir\n" + call("x", "y", "1") + call("c", "d", "0") + call("a", "b", "0")).trusted, false);
  EXPECT_TRUE(judge("events: Ir\n" + call("c", "d", "0") + call("a", "b", "0") + call("b", "x", "2") +
                    call("x", "y", "2") + call("x", "c", "2"))
                  .trusted)
      << "counted calls between them";
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
