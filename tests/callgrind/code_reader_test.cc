#include "icount/callgrind/code_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

const std::string kHeader = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\n";

struct Read {
  CostGraph graph;
  ProfileCode code;
};

FunctionIndex function_called(const CostGraph& graph, std::string_view name) {
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.name(f) == name) return f;
  return kUnknownFunction;
}

Read read(const std::string& text, std::string_view name) {
  Read read{make_cost_graph(parse_profile(text, "p")), {}};
  const FunctionIndex function = function_called(read.graph, name);
  read.code = read_code(text, "p", read.graph, {&function, 1});
  return read;
}

const std::string kLoop = kHeader +
                          "fn=main\n0x10 1 3\n+4 2 1\ncfn=f\ncalls=7 0x100 10\n* * 214\n\n"
                          "fn=f\n0x100 10 7\n+4 +1 1\n-0 * 99\njcnd=93/100 -4 * \n* * \n"
                          "fi=b.h\n+4 50 100\nfe=a.c\n+4 12 7\ncfn=g\ncalls=7 0x200 30\n* * 7\n\nfn=g\n0x200 30 7\n"
                          "\ntotals: 225\n";

TEST(CodeReaderTest, RowsAreAddedUpByAddressWithTheirLines) {
  const Read found = read(kLoop, "f");
  ASSERT_EQ(found.code.functions.size(), 1u);
  const FunctionCode& code = found.code.functions[0];
  EXPECT_EQ(code.function, function_called(found.graph, "f"));
  ASSERT_EQ(code.rows.size(), 4u);
  EXPECT_EQ(code.rows[1].address, 0x104u);
  EXPECT_EQ(code.rows[1].executions, 100);
  EXPECT_EQ(found.code.files[code.rows[2].file], "b.h");
  EXPECT_EQ(code.rows[2].line, 50u);
  EXPECT_EQ(found.code.files[code.rows[3].file], "a.c");
}

TEST(CodeReaderTest, JumpsCallsAndEntriesHaveTheirAddresses) {
  const Read found = read(kLoop, "f");
  const FunctionCode& code = found.code.functions[0];
  ASSERT_EQ(code.jumps.size(), 1u);
  EXPECT_EQ(code.jumps[0].from, 0x104u);
  EXPECT_EQ(code.jumps[0].to, 0x100u);
  EXPECT_EQ(code.jumps[0].followed, 93);
  EXPECT_EQ(code.jumps[0].to_function, code.function);
  ASSERT_EQ(code.calls.size(), 1u);
  EXPECT_EQ(code.calls[0].from, 0x10cu);
  EXPECT_EQ(code.calls[0].callee, function_called(found.graph, "g"));
  ASSERT_EQ(code.entries.size(), 1u);
  EXPECT_EQ(code.entries[0].to, 0x100u);
  EXPECT_EQ(code.entries[0].times, 7);
  EXPECT_EQ(code.entries[0].from_function, function_called(found.graph, "main"));
}

TEST(CodeReaderTest, OnlyWhatIsAskedForIsKept) {
  const Read found = read(kLoop, "g");
  ASSERT_EQ(found.code.functions.size(), 1u);
  EXPECT_EQ(found.graph.name(found.code.functions[0].function), "g");
}

TEST(CodeReaderTest, EventsOfAPartWithoutABodyAreNoColumnsOfWhatWasRead) {
  const Read found = read(kLoop + "events: Dr\n", "f");
  EXPECT_EQ(found.graph.event_count(), 2u);
  EXPECT_TRUE(found.code.functions.empty());
}

TEST(CodeReaderTest, AllPiecesOfAFunctionCome) {
  const std::string text = kHeader +
                           "fn=f\n0x100 10 7\njcnd=2/7 0x104 10 \n* * \ncfn=f.cold\ncalls=2 0x500 90\n* * 2\n\n"
                           "fn=f.cold\n0x500 90 2\n\nfn=f'2\n0x100 10 5\n\ntotals: 14\n";
  EXPECT_EQ(read(text, "f").code.functions.size(), 3u);
}

TEST(CodeReaderTest, AJumpToAnotherFunctionIsKeptOnBothEnds) {
  const std::string text =
      kHeader + "fn=f\n0x100 10 7\njfn=g\njump=7 0x200 30\n* * \n\nfn=g\n0x200 30 7\n\ntotals: 14\n";
  const Read of_f = read(text, "f"), of_g = read(text, "g");
  ASSERT_EQ(of_f.code.functions.size(), 1u);
  EXPECT_EQ(of_f.code.functions[0].jumps.at(0).to_function, function_called(of_f.graph, "g"));
  ASSERT_EQ(of_g.code.functions.size(), 1u);
  EXPECT_TRUE(of_g.code.functions[0].entries.at(0).by_jump);
}

TEST(CodeReaderTest, SeveralPartsAddUp) {
  const std::string body = "fn=f\n0x100 10 7\njcnd=2/7 0x100 10 \n* * \n\ntotals: 7\n";
  const Read found =
      read(kHeader + body + "\npart: 2\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\n" + body, "f");
  ASSERT_EQ(found.code.functions.size(), 1u);
  EXPECT_EQ(found.code.functions[0].rows.at(0).executions, 14);
  EXPECT_EQ(found.code.functions[0].jumps.at(0).followed, 4);
}

TEST(CodeReaderTest, WithoutJumpsOrAddressesNothingIsKnown) {
  EXPECT_TRUE(read(kHeader + "fn=f\n0x100 10 7\n\ntotals: 7\n", "f").code.functions.empty());
  EXPECT_TRUE(read("creator: callgrind-3.19.0\nevents: Ir\nfn=f\n10 7\njcnd=1/7 9\n10\ntotals: 7\n", "f")
                  .code.functions.empty());
  EXPECT_TRUE(read("creator: callgrind-3.19.0\npositions: instr line\nevents: Cy\nfn=f\n1 10 7\njump=1 1 9\n1 10\n"
                   "totals: 7\n",
                   "f")
                  .code.functions.empty());
}

TEST(CodeReaderTest, CostlyFunctionsCountWithTheirPieces) {
  const CostGraph graph = make_cost_graph(parse_profile(
      kHeader + "fn=f\n0x1 1 6\n\nfn=f'2\n0x1 1 6\n\nfn=g\n0x2 2 10\n\nfn=h\n0x3 3 78\n\ntotals: 100\n", "p"));
  std::vector<std::string> names;
  for (const FunctionIndex f : costly_functions(graph, 0.11)) names.emplace_back(graph.name(f));
  EXPECT_EQ(names, (std::vector<std::string>{"f", "f'2", "h"}));
}

/// All that is known inside functions, as text.
std::string to_text(const CostGraph& graph, const ProfileCode& code) {
  const auto name = [&](FunctionIndex f) { return f == kUnknownFunction ? "?" : std::string(graph.name(f)); };
  std::string text;
  for (const FunctionCode& one : code.functions) {
    text += fmt::format("{} {}\n", name(one.function), fmt::join(one.self, " "));
    for (const CodeRow& row : one.rows)
      text += fmt::format("row {:#x} {}:{} {}\n", row.address, code.files.at(row.file), row.line, row.executions);
    for (const CodeJump& jump : one.jumps)
      text += fmt::format("jump {:#x} {} {:#x} {}\n", jump.from, name(jump.to_function), jump.to, jump.followed);
    for (const CodeCall& call : one.calls)
      text += fmt::format("call {:#x} {} {:#x} {}\n", call.from, name(call.callee), call.to, call.calls);
    for (const CodeEntry& entry : one.entries)
      text += fmt::format("entry {:#x} {} {} {}\n", entry.to, name(entry.from_function), entry.by_jump, entry.times);
  }
  return text;
}

/// What the first read finds inside functions of at least `part` of the cost by going back to their lines.
std::string in_one_read(const std::string& text, double part) {
  ParseOptions options;
  options.keep_lines = true;
  options.keep_costly_insides = part;
  const CostGraph graph = make_cost_graph(parse_profile(text, "p", options));
  return graph.code ? to_text(graph, *graph.code) : "";
}

std::string in_two_reads(const std::string& text, double part) {
  const CostGraph graph = make_cost_graph(parse_profile(text, "p"));
  return to_text(graph, read_code(text, "p", graph, costly_functions(graph, part)));
}

const std::string kVaried =
    kHeader +
    "fn=(1) main\n0x10 1 3\n+4 2 1\njcnd=1/1 +23 0 \n* 0\ncfn=(2) f\ncalls=7 0x100 10\n* * 214\n"
    "+4 +1 90\n\nob=(2) lib\nfl=(2) lib.c\nfn=(2)\n0x100 10 7\nfi=(3) b.h\n+4 +1 1\n-0 * 99\n"
    "jcnd=93/100 -4 * \n* * \ncob=prog\ncfi=a.c\ncfn=(1)\ncalls=2 +8 3\n* * 5\nfe=(2)\n+4 12 7\n"
    "jfn=(4) g\njump=7 0x200 30 \n* *\n\nfn=(4)\n0x200 30 7\nrec=7\n+2 30 700\n\n"
    "fn=(5) f'2\n0x100 10 5\ncfn=(2)\ncalls=5 0x100 10\n* * 5\n";

TEST(CodeReaderTest, GoingBackToTheLinesOfCostlyFunctionsFindsWhatASecondReadFinds) {
  const std::string second = "\npart: 2\npositions: instr line\nevents: Ir\n\n" + kVaried.substr(kVaried.find("ob="));
  for (const std::string& text :
       {kLoop, kVaried + "\ntotals: 920\n", kVaried + "\ntotals: 920\n" + second + "\ntotals: 920\n",
        kHeader + "fn=f\n0x100 10 7\njump=3 0x100 10\n* *\n\nfn=g\n0x200 30 7\n\ntotals: 14\n",
        kHeader + "fn=f\n0x100 10 7\n\ntotals: 7\n"})
    for (const double part : {1e-9, 0.001, 0.05, 0.5, 1.0})
      EXPECT_EQ(in_one_read(text, part), in_two_reads(text, part)) << part << "\n" << text;
  EXPECT_NE(in_one_read(kVaried + "\ntotals: 920\n", 0.5), "");
}

TEST(CodeReaderTest, LinesWhoseIdsChangeTheirMeaningAreNotReadAgain) {
  ParseOptions options;
  options.keep_costly_insides = 0.001;
  for (const std::string& text : {kVaried + "\nfn=(2) other\n0x300 1 1\n",
                                  kHeader + "fn=(1)\n0x10 1 3\njump=1 0x10 1 \n* *\nfn=(1) late\n0x20 1 3\n",
                                  kVaried + "\nfn=(9) (1)'2'(2)\n0x300 1 1\n"}) {
    const Profile profile = parse_profile(text, "p", options);
    EXPECT_FALSE(profile.has_costly_code) << text;
    EXPECT_TRUE(profile.parts.at(0).code.empty());
  }
  EXPECT_TRUE(parse_profile(kVaried, "p", options).has_costly_code);
}

}  // namespace
}  // namespace icount
