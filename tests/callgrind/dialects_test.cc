// Files as other generators write them (docs/callgrind_format.md); each text keeps the oddities of its tool.
#include <gtest/gtest.h>

#include "callgrind/canonical_tables.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

CostGraph read(const std::string& text) { return make_cost_graph(parse_profile(text, "p")); }

TEST(DialectsTest, CachegrindRepeatsFunctionsUnderInlineFiles) {
  const CostGraph graph = read(
      "desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir I1mr\nfl=/a.c\nfn=main\n3 5 1\nfl=/a.h\nfn=main\n9 2 .\nsummary: "
      "7 1\n");
  EXPECT_EQ(functions_table(graph), "\t/a.c\tmain\t5\t1\n\t/a.h\tmain\t2\t0\n");
}

TEST(DialectsTest, Xdebug2HasItsSummaryInsideMain) {
  const CostGraph graph = read(
      "version: 0.9.6\ncmd: /i.php\npart: 1\npositions: line\n\nevents: Time "
      "Memory\n\nfl=php:internal\nfn=php::strlen\n3 7 -40\n\n"
      "fl=/i.php\nfn={main}\n\nsummary: 30 40\n\n0 23 80\ncfn=php::strlen\ncalls=1 0 0\n3 7 -40\n");
  EXPECT_EQ(functions_table(graph), "\t/i.php\t{main}\t23\t80\n\tphp:internal\tphp::strlen\t7\t-40\n");
}

TEST(DialectsTest, Xdebug3AppendsRunsToOneFile) {
  const std::string run =
      "version: 1\ncreator: xdebug 3.1.0\ncmd: /i.php\npart: 1\npositions: line\n\nevents: Time_(10ns) "
      "Memory_(bytes)\n\n"
      "fl=(1) /i.php\nfn=(1) {main}\n1 5 -8\n\nsummary: 5 0\n\n";
  const Profile profile = parse_profile(run + "==== NEW PROFILING FILE ==============\n" + run, "p");
  ASSERT_EQ(profile.parts.size(), 2u);
  EXPECT_EQ(profile.warnings[0].text, "1 lines not understood, first: ==== NEW PROFILING FILE ==============");
  EXPECT_EQ(make_cost_graph(profile).totals, (std::vector<int64_t>{10, -16}));
}

TEST(DialectsTest, LsprofcalltreeUsesFiForFl) {
  const CostGraph graph = read(
      "events: Ticks\nfi=a.py\nfn=f a.py:3\n3 10\ncfn=<built-in len>\ncfi=~\ncalls=2 0\n4 6\n\nfi=~\nfn=<built-in "
      "len>\n0 6\n");
  EXPECT_EQ(functions_table(graph), "\ta.py\tf a.py:3\t10\n\t~\t<built-in len>\t6\n");
  EXPECT_EQ(edges_table(graph), "\ta.py\tf a.py:3\t\t~\t<built-in len>\t2\t6\n");
}

TEST(DialectsTest, YappiPutsItsNamesInTablesFirst) {
  const CostGraph graph = read(
      "version: 1\ncreator: yappi\nevents: Ticks\n\nfl=(1) /a.py\nfl=(2) /b.py\nfn=(1) f\nfn=(2) "
      "g\n\nfl=(1)\nfn=(1)\n3 10\ncfl=(2)\ncfn=(2)\ncalls=1 0\n4 6\n\nfl=(2)\nfn=(2)\n7 6");
  EXPECT_EQ(functions_table(graph), "\t/a.py\tf\t10\n\t/b.py\tg\t6\n");
}

TEST(DialectsTest, GoPprofDiffsMayBeNegative) {
  const CostGraph graph = read(
      "positions: instr line\nevents: inuse_space(MB)\n\nob=(1) /bin/x\nfl=(1) /m.go\nfn=(1) main.f\n0x4a 12 -3\n+1 +2 "
      "5\ncfl=(1)\ncfn=(2) main.g\n"
      "calls=0 -80 1\n* * 7\n");
  EXPECT_EQ(graph.totals[0], 2);
  EXPECT_EQ(edges_table(graph), "/bin/x\t/m.go\tmain.f\t/bin/x\t/m.go\tmain.g\t0\t7\n");
}

TEST(DialectsTest, XtreeHasTwoBlanksAndLinesWithoutCosts) {
  const CostGraph graph = read(
      "# callgrind format\nversion: 1\ncreator: xtree-1\npid: 3\ncmd: ./a\n\npositions: line\nevent: tI : total\n"
      "events: tI  dI\n\nfl=a.c\nfn=main\n0 \ncfn=f\ncalls=0 12\n12 100 20\n\nfn=f\n12 100 20\ntotals: 100 20\n");
  EXPECT_EQ(graph.totals, (std::vector<int64_t>{100, 20}));
  EXPECT_FALSE(graph.call_counts.trusted);
}

TEST(DialectsTest, KleeHasDecimalInstructionsAndBlanksAtTheEnd) {
  const CostGraph graph = read(
      "version: 1\ncreator: klee\npid: 1\ncmd: x\n\n\npositions: instr line\nevents: Icov Forks "
      "\nob=assembly.ll\nfn=main\n12 3 1 0 \n13 4 2 1 \n");
  EXPECT_EQ(graph.totals, (std::vector<int64_t>{3, 1}));
}

TEST(DialectsTest, OldConvertersEndWithTotalsAndAnEqualsSign) {
  EXPECT_EQ(read("events: Hits\nfl=??\nfn=f\n0 4\ncfl=??\ncfn=g\ncalls=1\n0 2\ntotals=6\n").totals[0], 4);
}

TEST(DialectsTest, RareCallgrindLinesAreRead) {
  const CostGraph graph = read(
      "creator: callgrind-3.19.0\nevents: Ir\narch: arm\nfl=a.c\nfrfn=(9) caller\nrec=1\nfn=(9)\nbb=0x10 5\nln=3 4\n1 "
      "2\ntotals: 2\n");
  EXPECT_EQ(functions_table(graph), "\ta.c\tcaller\t2\n");
}

}  // namespace
}  // namespace icount
