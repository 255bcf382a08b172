#include "icount/objects/misplaced_code.h"

#include <gtest/gtest.h>

#include <map>

#include "icount/callgraph/function_code.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/objects/name_code.h"

namespace icount {
namespace {

using namespace std::string_view_literals;
using Names = std::set<std::string>;

// body0 calls work and hands over to body1, which a return leads to: all is listed under body0, as Callgrind does.
constexpr std::string_view kFibers =
    "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=/prog\nfl=a.c\n"
    "fn=main\n0x1010 1 5\ncfn=body0\ncalls=1 0x1100 2\n0x1014 1 1000\n\n"
    "fn=body0\n0x1100 2 1\n0x1104 2 50\ncfn=work\ncalls=50 0x1180 9\n0x1104 2 500\n0x1108 2 50\n"
    "0x1140 3 1\n0x1144 3 30\ncfn=work\ncalls=30 0x1180 9\n0x1144 3 60\n"
    "jcnd=29/30 0x1144 3\n0x1148 3\n0x1148 3 30\n\n"
    "fn=work\n0x1180 9 560\n\n"
    "totals: 727\n";

ElfSymbol function_at(std::string_view name, uint64_t address, uint64_t size) {
  return {.name = name, .address = address, .size = size, .is_function = true, .is_defined = true};
}

ElfSymbols symbols() {
  ElfSymbols found;
  found.symbols = {function_at("main", 0x10, 0x20), function_at("body0", 0x100, 0x30),
                   function_at("body1", 0x140, 0x20), function_at("work", 0x180, 0x10)};
  return found;
}

class MisplacedCodeTest : public testing::Test {
 protected:
  Names move(std::string_view text, const ElfSymbols& object = symbols()) {
    ParseOptions options;
    options.keep_insides = options.keep_lines = true;
    graph_ = make_cost_graph(parse_profile(text, "p", options), KeptCode::kAll);
    const std::vector<int64_t> totals = graph_.totals;
    const FunctionAreas areas(object);
    constexpr uint64_t kBias = 0x1000;
    Names names = move_misplaced_code(
        graph_, {"/prog", kBias, areas, [&](uint64_t address) {
                   const auto at = flows_.find(address);
                   return at == flows_.end() ? InstructionFlow{.goes_on = true, .jumps_there = false} : at->second;
                 }});
    EXPECT_NO_THROW(check_cost_graph(graph_));
    EXPECT_EQ(graph_.totals, totals);
    return names;
  }

  FunctionIndex find(std::string_view name) const {
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f)
      if (graph_.name(f) == name) return f;
    ADD_FAILURE() << "no function " << name;
    return 0;
  }
  int64_t self(std::string_view name) const { return graph_.self_of(find(name), 0); }
  /// Calls and what they cost.
  std::pair<int64_t, int64_t> calls(std::string_view caller, std::string_view callee) const {
    for (size_t e = 0; e < graph_.edges.size(); ++e)
      if (graph_.edges[e].caller == find(caller) && graph_.edges[e].callee == find(callee))
        return {graph_.edges[e].calls, graph_.inclusive_of(e, 0)};
    return {0, 0};
  }

  CostGraph graph_;
  std::map<uint64_t, InstructionFlow> flows_;  // of instructions that do more than go on
};

TEST(LoadBiasTest, OfARegionBegunInsideItsOnlyFunctionIsThatOfItsSymbol) {
  const ElfSymbols object = symbols();
  const FunctionsByOffset functions(object);
  const auto bias = [&](std::string_view name, std::string_view rows) {
    ParseOptions options;
    options.keep_insides = options.keep_lines = true;
    const std::string text =
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=/prog\nfl=a.c\nfn=" + std::string(name) +
        "\n" + std::string(rows);
    const CostGraph graph = make_cost_graph(parse_profile(text, "p", options), KeptCode::kAll);
    return graph.code ? find_load_bias(graph, *graph.code, "/prog", functions) : uint64_t{1};
  };
  EXPECT_EQ(bias("body0", "0x104 2 5\njcnd=1/2 0x104 2\n0x108 2\n0x108 2 1\ntotals: 6\n"), uint64_t{0});
  EXPECT_EQ(bias("body0", "0x1100 2 5\njcnd=1/2 0x1100 2\n0x1108 2\n0x1108 2 1\ntotals: 6\n"), uint64_t{0x1000});
  EXPECT_EQ(bias("body0", "0x144 2 5\njcnd=1/2 0x144 2\n0x148 2\n0x148 2 1\ntotals: 6\n"), std::nullopt)
      << "another function's";
}

TEST_F(MisplacedCodeTest, CostAndCallsGoToTheFunctionThatTheAddressLiesIn) {
  EXPECT_EQ(move(kFibers), Names{"body1"});
  EXPECT_EQ(self("body0"), 101);
  EXPECT_EQ(self("body1"), 61);
  EXPECT_EQ(graph_.file(find("body1")), "a.c");
  EXPECT_EQ(calls("body0", "work"), std::pair(int64_t{50}, int64_t{500}));
  EXPECT_EQ(calls("body1", "work"), std::pair(int64_t{30}, int64_t{60}));
  EXPECT_EQ(calls("main", "body0"), std::pair(int64_t{1}, int64_t{1000}));
  for (const LineRow& line : graph_.lines) EXPECT_EQ(line.line == 3, line.function == find("body1"));
  const FunctionCode* const body1 = find_code(*graph_.code, find("body1"));
  ASSERT_NE(body1, nullptr);
  EXPECT_EQ(body1->rows.size(), 3u);
  ASSERT_EQ(body1->jumps.size(), 1u);
  EXPECT_EQ(body1->jumps[0].to_function, find("body1"));
  EXPECT_EQ(find_code(*graph_.code, find("body0"))->rows.size(), 3u);
  const FunctionCode* const work = find_code(*graph_.code, find("work"));
  ASSERT_EQ(work->entries.size(), 2u);
  EXPECT_EQ(work->entries[0].times + work->entries[1].times, 80);
}

TEST_F(MisplacedCodeTest, AFunctionThatWasCalledToo) {
  std::string text(kFibers);
  text.replace(text.find("fn=work\n0x"), 0, "fn=body1\n0x1140 3 7\n\n");
  text.replace(text.find("0x1108"), 0, "cfn=body1\ncalls=7 0x1140 3\n0x1104 2 7\n");
  text.replace(text.find("727"), 3, "734");
  EXPECT_EQ(move(text), Names{"body1"});
  EXPECT_EQ(self("body1"), 61 + 7);
  EXPECT_EQ(calls("body0", "body1"), std::pair(int64_t{7}, int64_t{7}));
  EXPECT_EQ(find_code(*graph_.code, find("body1"))->rows.size(), 3u);
}

TEST_F(MisplacedCodeTest, CodeBehindARetpolineThatHasNoSymbol) {
  std::string text(kFibers);
  for (size_t at = 0; (at = text.find("fn=body0\n", at)) != std::string::npos; ++at)
    text.replace(at, 8, "fn=0x00000000000011ee");
  for (const auto& [from, to] : {std::pair("0x1100 2\n", "0x11ee 2\n"), {"0x1100 2 1", "0x11ee 2 1"}})
    text.replace(text.find(from), std::string_view(from).size(), to);
  EXPECT_EQ(move(text), (Names{"body0", "body1"}));
  EXPECT_EQ(self("0x00000000000011ee"), 1);
  EXPECT_EQ(self("body0"), 100);
  EXPECT_EQ(self("body1"), 61);
}

TEST_F(MisplacedCodeTest, WhatADirectJumpLeadsToStays) {
  std::string text(kFibers);
  text.replace(text.find("0x1140 3 1"), 0, "jump=1 0x1140 3\n0x1108 2\n");
  flows_[0x108] = {.goes_on = false, .jumps_there = true};
  EXPECT_EQ(move(text), Names{});
  EXPECT_EQ(self("body0"), 162);
  flows_[0x108] = {.goes_on = false, .jumps_there = false};  // a computed one, as some fibers switch by
  EXPECT_EQ(move(text), Names{"body1"});
  EXPECT_EQ(self("body1"), 61);
}

TEST_F(MisplacedCodeTest, WhatAFunctionRunsIntoStays) {
  ElfSymbols close = symbols();
  close.symbols[1].size = 0x0c;
  close.symbols[2] = function_at("body1", 0x10c, 0x60);
  std::string text(kFibers);
  text.replace(text.find("0x1140 3 1"), 10, "0x110c 3 1");
  EXPECT_EQ(move(text, close), Names{});
  flows_[0x108] = {.goes_on = true, .jumps_there = false, .length = 4};
  EXPECT_EQ(move(text, close), Names{});
  flows_[0x108].length = 3;  // a call of three bytes, which fibers are left by for good: what is behind it never runs
  EXPECT_EQ(move(text, close), Names{"body1"});
  flows_[0x108] = {.goes_on = false, .jumps_there = false};
  EXPECT_EQ(move(text, close), Names{"body1"});
}

TEST_F(MisplacedCodeTest, PiecesOfOneFunctionAliasesLabelsAndStrippedObjectsStay) {
  for (const std::string_view name : {"body0.cold"sv, "body0.part.0"sv}) {
    ElfSymbols pieces = symbols();
    pieces.symbols[2].name = name;
    EXPECT_EQ(move(kFibers, pieces), Names{}) << name;
  }
  ElfSymbols wider = symbols();
  wider.symbols.push_back(function_at("entries", 0x100, 0x70));
  EXPECT_EQ(move(kFibers, wider), Names{});
  ElfSymbols label = symbols();
  label.symbols[2].size = 0;
  EXPECT_EQ(move(kFibers, label), Names{});
  EXPECT_EQ(move(kFibers, {}), Names{});
}

TEST_F(MisplacedCodeTest, AnObjectOfAnotherBuild) {
  ElfSymbols other = symbols();  // of another build, in which no function is where the profile entered it
  for (ElfSymbol& symbol : other.symbols) symbol.name = "other";
  other.symbols.erase(other.symbols.begin() + 1);
  EXPECT_EQ(move(kFibers, other), Names{});
  EXPECT_EQ(self("body0"), 162);
}

TEST(InstructionFlowTest, JumpsReturnsAndTheRest) {
  const auto flow = [](std::string_view bytes) {
    const InstructionFlow found = flow_of_instruction(bytes);
    return std::pair(found.goes_on, found.jumps_there);
  };
  for (const std::string_view jump : {"\xeb\x05"sv, "\xe9\x00\x01\x00\x00"sv, "\xf2\xe9\x00\x01\x00\x00"sv})
    EXPECT_EQ(flow(jump), std::pair(false, true));
  for (const std::string_view jump : {"\x74\x05"sv, "\x0f\x84\x00\x01\x00\x00"sv, "\xe3\x05"sv, ""sv})
    EXPECT_EQ(flow(jump), std::pair(true, true));
  for (const std::string_view end : {"\xc3"sv, "\xf3\xc3"sv, "\xc2\x08\x00"sv, "\xff\xe0"sv, "\x3e\x41\xff\xe0"sv,
                                     "\xff\x25\x00\x00\x00\x00"sv, "\x0f\x0b"sv, "\xf4"sv, "\xff\xd0"sv})
    EXPECT_EQ(flow(end), std::pair(false, false));
  for (const std::string_view other : {"\xe8\x00\x01\x00\x00"sv, "\x48\x89\xc3"sv, "\x0f\xaf\xc1"sv})
    EXPECT_EQ(flow(other), std::pair(true, false));
}

TEST(InstructionFlowTest, LengthsOfCallsAndConditionalJumps) {
  EXPECT_EQ(flow_of_instruction("\xe8\x00\x01\x00\x00"sv).length, 5);
  EXPECT_EQ(flow_of_instruction("\x74\x05"sv).length, 2);
  EXPECT_EQ(flow_of_instruction("\xf2\x0f\x84\x00\x01\x00\x00"sv).length, 7);
  EXPECT_EQ(flow_of_instruction("\x48\x89\xc3"sv).length, 0);
}

TEST(PlacedCodeTest, ANoteNamesTheFunctions) {
  EXPECT_TRUE(describe_placed_code({"f"}).starts_with("`f` was entered by a return or a computed jump, "));
  EXPECT_TRUE(describe_placed_code({"f", "g"}).starts_with("`f`, `g` were entered by "));
}

}  // namespace
}  // namespace icount
