#include "icount/callgrind/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "callgrind/canonical_tables.h"
#include "icount/base/error.h"
#include "icount/callgrind/cost_graph_builder.h"

namespace icount {
namespace {

const std::string kCallgrind = "creator: callgrind-3.19.0\nevents: Ir\n";

Profile read_all(const std::string& text, PositionRule rule = PositionRule::kByCreator) {
  ParseOptions options;
  options.rule = rule;
  options.keep_lines = options.keep_positions = options.keep_jumps = true;
  return parse_profile(text, "p", options);
}

/// "file:line cost" of each self cost line.
std::vector<std::string> positions(const Profile& profile, size_t part = 0) {
  std::vector<std::string> rows;
  const ProfilePart& p = profile.parts[part];
  for (size_t i = 0; i < p.positions.size(); ++i)
    rows.push_back(fmt::format("{}:{} {}", profile.strings.view(p.positions[i].file), p.positions[i].line,
                               p.position_self[i * p.events.size()]));
  return rows;
}

std::vector<std::string> functions(const Profile& profile) {
  std::vector<std::string> rows;
  for (const Function& f : profile.functions)
    rows.push_back(fmt::format("{}|{}|{}", profile.strings.view(f.object), profile.strings.view(f.file),
                               profile.strings.view(f.name)));
  return rows;
}

using Texts = std::vector<std::string>;

const std::string kActiveFrame =
    kCallgrind + "fl=(1) a.c\nfn=(5) loop\n18 12\nfi=(2) a.h\ncfn=(6) leaf\ncalls=0 -11\n-14 1222\n+2 2\n+9 5\n";

TEST(ParserTest, EmitterRuleIgnoresCallsAndForgetsThePendingFile) {
  const Profile profile = read_all(kActiveFrame);
  EXPECT_TRUE(profile.emitter_rule);
  EXPECT_EQ(positions(profile), (Texts{"a.c:18 12", "a.c:20 2", "a.c:29 5"}));
  EXPECT_EQ(functions(profile), (Texts{"|a.c|loop", "|a.c|leaf"}));
}

TEST(ParserTest, ManualRuleMovesWithEveryCostLine) {
  const Profile profile = read_all(kActiveFrame, PositionRule::kManual);
  EXPECT_FALSE(profile.emitter_rule);
  EXPECT_EQ(positions(profile), (Texts{"a.c:18 12", "a.h:6 2", "a.h:15 5"}));
  EXPECT_EQ(functions(profile), (Texts{"|a.c|loop", "|a.h|leaf"}));
}

TEST(ParserTest, CreatorChoosesTheRule) {
  EXPECT_FALSE(read_all("creator: other\nevents: Ir\nfn=f\n1 1\n").emitter_rule);
  EXPECT_FALSE(read_all("events: Ir\nfn=f\n1 1\n").emitter_rule);
  EXPECT_TRUE(read_all("events: Ir\nfn=f\n1 1\n", PositionRule::kEmitter).emitter_rule);
}

TEST(ParserTest, SelfCostCommitsAnInlineFileAndFnEndsIt) {
  EXPECT_EQ(positions(read_all(kCallgrind + "fl=a.c\nfn=f\n1 1\nfi=a.h\n2 2\n3 3\nfe=a.c\n4 4\nfi=a.h\nfn=g\n5 5\n")),
            (Texts{"a.c:1 1", "a.h:2 2", "a.h:3 3", "a.c:4 4", "a.c:5 5"}));
}

TEST(ParserTest, AnotherInlineFileAfterACallIsPendingAgain) {
  EXPECT_EQ(positions(read_all(kCallgrind + "fl=a.c\nfn=f\nfi=a.h\ncfn=g\ncalls=1 1\n1 1\nfi=b.h\n2 2\n")),
            (Texts{"b.h:2 2"}));
}

TEST(ParserTest, CalleeInheritsObjectAndCommittedFileForOneCallOnly) {
  EXPECT_EQ(functions(read_all(kCallgrind +
                               "ob=o\nfl=a.c\nfn=f\ncob=p\ncfi=b.c\ncfn=g\ncalls=1 1\n1 1\ncfn=h\ncalls=1 1\n1 1\n")),
            (Texts{"o|a.c|f", "p|b.c|g", "o|a.c|h"}));
}

TEST(ParserTest, LinesOfTheCalleeComeInAnyOrder) {
  EXPECT_EQ(functions(read_all("events: Ir\nfl=a.c\nfn=f\ncfn=g\ncfl=b.c\ncob=p\ncalls=1 1\n1 1\n")),
            (Texts{"|a.c|f", "p|b.c|g"}));
}

TEST(ParserTest, CfnWithoutCallsMeansNothing) {
  const Profile profile = read_all(kCallgrind + "fl=a.c\nfn=f\ncfi=b.c\ncfn=g\n1 1\nfn=h\ncfn=k\ncalls=1 1\n1 1\n");
  EXPECT_EQ(functions(profile), (Texts{"|a.c|f", "|a.c|h", "|a.c|k"}));
}

TEST(ParserTest, CallsOfOnePairAddUpAndTargetsMayBeMissing) {
  const CostGraph graph = make_cost_graph(
      read_all("events: Ir\nfn=f\ncfn=g\ncalls=2\n1 10\ncfn=g\ncalls=  3 0 0 junk\n2 20\ncfn=g\nrcalls=0x4 +1\n2 5\n"));
  ASSERT_EQ(graph.edges.size(), 1u);
  EXPECT_EQ(graph.edges[0].calls, 9);
  EXPECT_EQ(graph.inclusive_of(0, 0), 35);
  EXPECT_EQ(graph.totals[0], 0);
}

TEST(ParserTest, CostsThatACallsLineLeavesOutAreZero) {
  const std::string text =
      "events: Ir Dr Dw\nfn=f\ncfn=g\ncalls=1 1\n1 10 4 5\ncfn=h\ncalls=1 1\n1 20\ncfn=k\ncalls=1 1\n1 30 6\n";
  for (const std::string& tail : {std::string(), "#" + std::string(300, '-') + "\n"})
    EXPECT_EQ(read_all(text + tail).parts[0].inclusive, (std::vector<int64_t>{10, 4, 5, 20, 0, 0, 30, 6, 0}));
}

TEST(ParserTest, CommentsAndEmptyLinesMayStandBeforeACallsCost) {
  EXPECT_EQ(make_cost_graph(read_all("events: Ir\nfn=f\ncfn=g\ncalls=1 1\n\n# c\n\r\n1 7\n")).inclusive_of(0, 0), 7);
}

TEST(ParserTest, EveryKindOfPosition) {
  const Profile profile = read_all(
      "positions: line bb instr\nevents: Ir Dr\nfl=a\nfn=f\n0x10 0x8 3 1 2\n+0x2 * -1 4\n* +8 0X5 . 7\n* * * \n");
  const ProfilePart& part = profile.parts[0];
  ASSERT_EQ(part.positions.size(), 4u);
  EXPECT_EQ(part.positions[1].address, 0x12u);
  EXPECT_EQ(part.positions[1].block, 8u);
  EXPECT_EQ(part.positions[1].line, 2u);
  EXPECT_EQ(part.positions[2].block, 16u);
  EXPECT_EQ(part.positions[2].line, 5u);
  EXPECT_EQ(part.totals, (std::vector<int64_t>{5, 9}));
}

TEST(ParserTest, AddrIsAnOldWordForInstrAndLinesMayBeMissing) {
  const Profile profile = read_all("positions: addr\nevents: Ir\nfn=f\n0xffffffff81000000 1\n+4 1\n");
  EXPECT_TRUE(profile.parts[0].has_addresses);
  EXPECT_FALSE(profile.parts[0].has_lines);
  EXPECT_EQ(profile.parts[0].positions[1].address, 0xffffffff81000004u);
}

TEST(ParserTest, NamesAreBytesAndIdsAreOnlyIds) {
  const Profile profile =
      read_all(kCallgrind +
               "fl=(1) a b#c=d.c\nfn=(2) (7)\n1 1\nfn=(below main)\n1 1\nfn=(3)x\n1 1\nfn= (4)  \t g(int) \n1 1\n"
               "fn=(anonymous namespace)::f\n1 1\nfn=\xff\xfe\n1 1\nfn=(4)\r\n1 1\nfn=()\n1 1\n");
  EXPECT_EQ(functions(profile),
            (Texts{"|a b#c=d.c|(7)", "|a b#c=d.c|(below main)", "|a b#c=d.c|(3)x", "|a b#c=d.c|g(int) ",
                   "|a b#c=d.c|(anonymous namespace)::f", "|a b#c=d.c|\xff\xfe", "|a b#c=d.c|()"}));
}

TEST(ParserTest, CompressedContextsAreExpandedOnlyAsAWhole) {
  const Profile profile =
      read_all(kCallgrind +
               "fn=(12) f\nfn=(7) g\nfn=(30) (12)'2'(7)\n1 1\nfn=(31) (12)'\n1 1\nfn=(32) (12)'x\n1 1\n"
               "fn=(33) (30)'2\n1 1\nfn=(30)\n2 1\n");
  EXPECT_EQ(functions(profile), (Texts{"||f'2'g", "||(12)'", "||(12)'x", "||(30)'2"}));
}

TEST(ParserTest, IdsHoldForTheWholeFileAndCanBeLargeOrRedefined) {
  const Profile profile = read_all(
      "events: Ir\nfl=(0) a.c\nfn=(18446744073709551615) big\n1 1\ntotals: 1\nevents: Ir\nfl=(0)\n"
      "fn=(18446744073709551615)\n1 1\nfl=(0) b.c\nfn=(1) other\n1 1\n");
  EXPECT_EQ(functions(profile), (Texts{"|a.c|big", "|b.c|other"}));
}

TEST(ParserTest, OneFunctionUnderTwoFilesIsOneWithTwoRows) {
  const CostGraph graph =
      make_cost_graph(read_all(kCallgrind + "fl=a.c\nfn=f\n1 1\nfi=a.h\n7 2\nfe=a.c\n2 4\ntotals: 7\n"));
  EXPECT_EQ(graph.functions.size(), 1u);
  EXPECT_EQ(graph.self_of(0, 0), 7);
  EXPECT_EQ(rows_table(graph), "\ta.c\tf\t5\n\ta.h\tf\t2\n");
  expect_invariants(graph);
}

TEST(ParserTest, JumpsInBothSpellingsWithTheirTargets) {
  const Profile profile = read_all(
      kCallgrind +
      "fl=a.c\nfn=f\n10 1\njump=3 +2\n* \njfi=(9) b.c\njfn=(8) g\njcnd=1/4 7\n11\njcnd=4 1 7\n12 \nfn=(8)\n5 1\n");
  const auto& jumps = profile.parts[0].jumps;
  ASSERT_EQ(jumps.size(), 3u);
  EXPECT_FALSE(jumps[0].conditional);
  EXPECT_EQ(jumps[0].line, 10u);
  EXPECT_EQ(jumps[0].target_line, 12u);
  EXPECT_EQ(jumps[0].executed, 3u);
  EXPECT_EQ(profile.strings.view(jumps[1].target_file), "b.c");
  EXPECT_EQ(profile.strings.view(jumps[1].target_function), "g");
  for (size_t i : {size_t{1}, size_t{2}}) {
    EXPECT_TRUE(jumps[i].conditional);
    EXPECT_EQ(jumps[i].followed, 1u);
    EXPECT_EQ(jumps[i].executed, 4u);
  }
  EXPECT_EQ(profile.strings.view(jumps[2].target_function), "f");
  EXPECT_EQ(profile.parts[0].totals[0], 2);
}

TEST(ParserTest, OddJumpSourcesAreRefusedAlikeFarFromTheEnd) {
  const auto outcome = [](std::string_view source, bool far) {
    const std::string text = fmt::format("positions: instr line\nevents: Ir\nfn=f\n0x10 3 1\njump=7 0x20 9 \n{}\n{}",
                                         source, far ? "#" + std::string(300, '-') + "\n" : "");
    try {
      const JumpRow jump = read_all(text).parts.at(0).jumps.at(0);
      return fmt::format("from {:#x} {}", jump.address, jump.line);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  for (const char* source : {"* x", "* =", "* 5x", "* 5 x", "*x5", "* +", "* ", "*"})
    EXPECT_EQ(outcome(source, true), outcome(source, false)) << source;
  for (const bool far : {true, false}) {
    EXPECT_EQ(outcome("* 5", far), "from 0x10 5");
    EXPECT_EQ(outcome("* *", far), "from 0x10 3");
    EXPECT_EQ(outcome("* +2 ", far), "from 0x10 5");
    EXPECT_EQ(outcome("* x", far), "p:6: not a number: 'x'");
  }
}

TEST(ParserTest, JumpsAsCallgrindWritesThemHaveBothCounts) {
  std::string text =
      "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x10 3 1\n"
      "jump=657 0x6fb20 9 \n* * \n+2 +1 1\njcnd=7/65 +8 -1 \n* 5 \ncfn=g\ncalls=4 0x90 7 \n* * 8\n";
  for (const std::string& tail : {std::string(), "#" + std::string(300, '-') + "\n"}) {
    const Profile profile = read_all(text + tail);
    const ProfilePart& part = profile.parts[0];
    ASSERT_EQ(part.jumps.size(), 2u);
    const JumpRow &jump = part.jumps[0], &conditional = part.jumps[1];
    EXPECT_EQ(std::tuple(jump.followed, jump.executed, jump.target_address, jump.target_line),
              std::tuple(657, 657, 0x6fb20, 9));
    EXPECT_EQ(std::tuple(jump.address, jump.line), std::tuple(0x10, 3));
    EXPECT_EQ(std::tuple(conditional.followed, conditional.executed), std::tuple(7, 65));
    EXPECT_EQ(std::tuple(conditional.target_address, conditional.target_line), std::tuple(0x1a, 3));
    EXPECT_EQ(std::tuple(conditional.address, conditional.line), std::tuple(0x12, 5));
    EXPECT_EQ(std::tuple(part.self_lines, part.call_lines, part.zero_calls), std::tuple(2, 1, 0));
  }
}

TEST(ParserTest, PartsHaveTheirOwnHeadersAndShareTheRest) {
  const Profile profile = read_all(
      "version: 1\ncreator: callgrind-3.19.0\npid: 17\ncmd:  ./a b\npart: 1\nthread: 2\n"
      "desc: Timerange: Basic block 3 - 12\ndesc: Trigger: Client Request: a=b, c # d\npositions: line\nevents: Ir "
      "Dr\nsummary: 9 9\n"
      "fn=f\n1 5 2\ntotals: 5 2\npart: 2\npositions: instr line\nevents: Dr Ir\nfn=f\n0x1 1 3 4\ntotals: 3 4\n");
  EXPECT_EQ(profile.pid, 17);
  EXPECT_EQ(profile.command, "./a b");
  ASSERT_EQ(profile.parts.size(), 2u);
  EXPECT_EQ(profile.parts[0].thread, 2);
  EXPECT_EQ(profile.parts[0].first_block, 3);
  EXPECT_EQ(profile.parts[0].last_block, 12);
  EXPECT_EQ(profile.parts[0].trigger, "Client Request: a=b, c # d");
  EXPECT_EQ(profile.parts[0].summary, (std::vector<int64_t>{9, 9}));
  EXPECT_TRUE(profile.parts[1].has_addresses);
  EXPECT_EQ(profile.parts[1].number, 2);
  const CostGraph graph = make_cost_graph(profile);
  EXPECT_EQ(graph.parts, 2);
  EXPECT_EQ(graph.events, (std::vector<std::string>{"Ir", "Dr"}));
  EXPECT_EQ(graph.totals, (std::vector<int64_t>{9, 5}));
  EXPECT_EQ(graph.functions.size(), 1u);
}

TEST(ParserTest, APartsPositionsDefaultToLineAgain) {
  const Profile profile =
      read_all("positions: instr line\nevents: Ir\nfn=f\n0x1 1 1\ntotals: 1\nevents: Ir\nfn=f\n7 2\n");
  EXPECT_FALSE(profile.parts[1].has_addresses);
  EXPECT_EQ(profile.parts[1].positions[0].line, 7u);
}

TEST(ParserTest, ABodyWithoutHeaderGoesOnAsThePartBefore) {
  const Profile profile =
      read_all("positions: instr line\nevents: Ir\nfn=f\n0x1 1 1\ntotals: 1\nfn=f\n0x2 7 2\ntotals: 2\n");
  ASSERT_EQ(profile.parts.size(), 2u);
  EXPECT_EQ(profile.parts[1].positions[0].address, 2u);
}

TEST(ParserTest, AnEmptyLastDumpIsAValidFile) {
  const CostGraph graph = make_cost_graph(read_all(kCallgrind + "summary: 0\n\ntotals: 0\n"));
  EXPECT_TRUE(graph.functions.empty());
  EXPECT_EQ(graph.totals[0], 0);
}

TEST(ParserTest, PlainAndOddLinesMixInOneBlock) {
  std::string text = "events: Ir Dr\nfn=f\n";
  int64_t ir = 0, dr = 0;
  for (int i = 1; i <= 300; ++i) {
    text += i % 7 == 0   ? fmt::format("{}\t{}  0x{:x}\r\n", i, i, i)
            : i % 3 == 0 ? fmt::format("+1 {}\n", i)
                         : fmt::format("{} {} {} \n", i, i, 1000000000 + i);
    ir += i;
    dr += i % 7 == 0 ? i : i % 3 == 0 ? 0 : 1000000000 + i;
  }
  const Profile profile = parse_profile(text, "p");
  EXPECT_EQ(profile.parts[0].totals, (std::vector<int64_t>{ir, dr}));
  EXPECT_EQ(profile.parts[0].self_lines, 300);
}

TEST(ParserTest, CallerThatComesBackHasOneEdgeToEachCallee) {
  const auto calls = [](const char* caller, const char* callee) {
    return fmt::format("fn={}\n1 1\ncfn={}\ncalls=1 1\n1 10\n", caller, callee);
  };
  const std::string text = "events: Ir\n" + calls("a", "x") + calls("b", "x") + calls("a", "y") + calls("b", "y") +
                           calls("a", "x") + calls("b", "x") + calls("a", "y");
  const Profile profile = parse_profile(text, "p");
  std::string edges;
  for (size_t i = 0; i < profile.parts[0].edges.size(); ++i) {
    const Edge& edge = profile.parts[0].edges[i];
    const auto name = [&](FunctionIndex f) { return profile.strings.view(profile.functions[f].name); };
    edges +=
        fmt::format("{}{} {} {}, ", name(edge.caller), name(edge.callee), edge.calls, profile.parts[0].inclusive[i]);
  }
  EXPECT_EQ(edges, "ax 2 20, bx 2 20, ay 2 20, by 1 10, ");
}

/// What refuses the 100th line of a body with addresses, lines and one event, with ordinary lines around it.
std::string refusal_of(const std::string& first, const std::string& line) {
  std::string text = "positions: instr line\nevents: Ir\nfn=f\n" + first;
  for (int i = 5; i < 200; ++i) text += i == 100 ? line : "+3 0 100\n";
  try {
    const Profile profile = parse_profile(text, "p");
    return fmt::format("read: {}", profile.parts[0].totals[0]);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ParserTest, OddLinesAmongCommonOnes) {
  EXPECT_EQ(refusal_of("0x10 1 5\n", "+3 * 7\n"), "read: 19412");
  EXPECT_EQ(refusal_of("0x10 1 5\n", "+300 * 7\r\n"), "read: 19412");
  EXPECT_EQ(refusal_of("0x10 1 5\n", "+3 0 5 6\n"), "p:100: 2 costs for 1 events");
  EXPECT_EQ(refusal_of("0x10 1 9223372036854770000\n", "+12 0 100000000000\n"), "p:63: cost of Ir overflows");
  EXPECT_EQ(refusal_of("0x10 1 9223372036854750000\n", "+12 0 100000000000\n"), "p:100: cost of Ir overflows");
}

TEST(ParserTest, HeadersThatLeaveThingsOut) {
  EXPECT_EQ(parse_profile("positions:\nevents: Ir\nfn=f\n5 1\n", "p").parts[0].totals[0], 1);
  const Profile two = parse_profile(
      "positions: instr line\nevents: Ir\nfn=f\n0x10 5 1\ntotals: 1\npart: 2\npositions: line\nfn=f\n5 3\n", "p");
  ASSERT_EQ(two.parts.size(), 2u);
  EXPECT_EQ(two.parts[1].totals[0], 3);
  EXPECT_TRUE(parse_profile("creator: other\nevents: Ir\nfn=f\n5 1\ntotals: 1", "p").warnings.empty());
}

TEST(ParserTest, ChunksChangeNothingAndAreTold) {
  std::string text = "events: Ir\nfn=f\n";
  for (int i = 1; i <= 200000; ++i) text += i % 3 == 0 ? "cfn=g\ncalls=1 1\n+1 5\n" : "+1 2\n";
  std::vector<size_t> told;
  ParseOptions options;
  options.consumed = [&](std::string_view piece) {
    const auto begin = static_cast<size_t>(piece.data() - text.data());
    EXPECT_EQ(begin, told.empty() ? 0 : told.back());
    told.push_back(begin + piece.size());
  };
  const Profile profile = parse_profile(text, "p", options);
  EXPECT_EQ(profile.parts[0].totals[0], 2 * 133334);
  EXPECT_EQ(profile.parts[0].edges[0].calls, 66666);
  ASSERT_GE(told.size(), 2u) << "text of " << text.size() << " bytes";
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), text.size());
}

TEST(ParserTest, CostsOfEveryLengthAreRead) {
  std::string text = "events: Ir\nfn=f\n";
  int64_t sum = 0, cost = 0;
  for (int digits = 1; digits <= 18; ++digits) {
    cost = cost * 10 + digits % 10;
    sum += cost;
    text += fmt::format("{} {}\n", digits * digits * 100000, cost);
  }
  text.append("#").append(200, '-').append("\n");
  EXPECT_EQ(parse_profile(text, "p").parts[0].totals[0], sum);
}

}  // namespace
}  // namespace icount
