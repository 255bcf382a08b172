#include "icount/callgrind/named_regions.h"

#include <gtest/gtest.h>

#include "icount/callgrind/parser.h"

namespace icount {
namespace {

/// A profile of one function, whose parts cost 1, 10, 100, ... and end with these triggers.
Profile profile_of(const std::vector<std::string>& triggers) {
  std::string text = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: ./x\n";
  int64_t cost = 1;
  for (size_t i = 0; i < triggers.size(); ++i, cost *= 10)
    text += "part: " + std::to_string(i + 1) + "\n\n\ndesc: Timerange: Basic block " + std::to_string(10 * i) + " - " +
            std::to_string(10 * i + 10) + "\ndesc: Trigger: " + triggers[i] +
            "\n\npositions: line\nevents: Ir\nsummary: " + std::to_string(cost) + "\n\nfl=a.c\nfn=f\n1 " +
            std::to_string(cost) + "\n\ntotals: " + std::to_string(cost) + "\n";
  return parse_profile(text, "p");
}

std::string begin(const std::string& name) { return "Client Request: icount-region+ " + name; }
std::string end(const std::string& name) { return "Client Request: icount-region- " + name; }
const std::string kBetween = "Client Request: icount-region/";
const std::string kProgramsEnd = "Program termination";

int64_t cost_of(const NamedRegions& found, const std::string& name) {
  return found.regions.at(name).graph.totals.at(0);
}

TEST(NamedRegionsTest, NestedOnesCountForBothAndAreInsideOnce) {
  const NamedRegions found =
      find_named_regions(profile_of({begin("a"), begin("b"), end("b"), end("a"), begin("b"), end("b"), kProgramsEnd}));
  EXPECT_EQ(cost_of(found, "a"), 10 + 100 + 1000);
  EXPECT_EQ(cost_of(found, "b"), 100 + 100000);
  EXPECT_EQ(found.regions.at("a").entries, 1);
  EXPECT_EQ(found.regions.at("b").entries, 2);
  EXPECT_EQ(found.inside, 10 + 100 + 1000 + 100000);
  EXPECT_EQ(found.unmatched, 0);
  EXPECT_TRUE(found.open.depth.empty());
}

TEST(NamedRegionsTest, ARegionInsideOfItselfCountsItsCostOnce) {
  const NamedRegions found = find_named_regions(profile_of({begin("a"), begin("a"), end("a"), end("a"), kProgramsEnd}));
  EXPECT_EQ(cost_of(found, "a"), 10 + 100 + 1000);
  EXPECT_EQ(found.regions.at("a").entries, 2);
}

TEST(NamedRegionsTest, WhatItTakesToWriteAMarkerIsInNoRegion) {
  const NamedRegions found =
      find_named_regions(profile_of({begin("a"), kBetween, begin("b"), kBetween, end("b"), end("a"), kProgramsEnd}));
  EXPECT_EQ(cost_of(found, "a"), 10 + 1000 + 100000);
  EXPECT_EQ(cost_of(found, "b"), 1000);
}

TEST(NamedRegionsTest, AnEndWithoutABeginIsCountedAndOneWithoutAnEndGoesOn) {
  const NamedRegions found = find_named_regions(profile_of({end("a"), begin("b"), kProgramsEnd}));
  EXPECT_EQ(found.unmatched, 1);
  EXPECT_EQ(cost_of(found, "b"), 100);
  EXPECT_EQ(found.open.depth.at("b"), 1);
}

TEST(NamedRegionsTest, AProgramsOwnNamesAreTheCostSinceTheDumpBefore) {
  const NamedRegions found = find_named_regions(
      profile_of({"Client Request: step", begin("a"), "Client Request: step", end("a"), kProgramsEnd}));
  EXPECT_EQ(cost_of(found, "step"), 1 + 100);
  EXPECT_EQ(found.regions.at("step").entries, 2);
  EXPECT_EQ(cost_of(found, "a"), 100 + 1000);
  EXPECT_EQ(found.inside, 1 + 100 + 1000);
}

TEST(NamedRegionsTest, ACopyBeginsInTheRegionsOfItsParent) {
  const Profile parent = profile_of({begin("a"), "--dump-before=_Fork", end("a"), kProgramsEnd});
  const OpenRegions open = open_regions_at(parent, 20);
  EXPECT_EQ(open.depth.at("a"), 1);
  EXPECT_TRUE(open_regions_at(parent, 30).depth.empty());
  EXPECT_EQ(cost_of(find_named_regions(profile_of({end("a"), kProgramsEnd}), open), "a"), 1);
}

/// A process whose parts each run the loop of f so often, called by main, beside a main that costs a thousand.
Profile looping_profile_of(const std::vector<std::pair<std::string, int64_t>>& parts) {
  std::string text = "version: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: ./x\n";
  int64_t number = 0;
  for (const auto& [trigger, turns] : parts) {
    const std::string n = std::to_string(turns), back = std::to_string(turns - 1);
    text += "part: " + std::to_string(++number) + "\n\ndesc: Trigger: " + trigger +
            "\n\npositions: instr line\nevents: Ir\n\nob=/no/such\nfl=a.c\nfn=main\n0x10 1 10000\n";
    if (turns > 0)
      text += "cfn=f\ncalls=1 0x100 10\n0x14 2 " + n + "\n\nfn=f\n0x100 10 " + n + "\njcnd=" + back + "/" + n +
              " 0x100 10\n0x100 10\n";
    text += "\ntotals: " + std::to_string(10000 + turns) + "\n";
  }
  ParseOptions options;
  options.keep_insides = true;
  return parse_profile(text, "p", options);
}

const FunctionCode* inside_of(const CostGraph& graph, std::string_view name) {
  if (!graph.code) return nullptr;
  for (const FunctionCode& one : graph.code->functions)
    if (graph.name(one.function) == name) return &one;
  return nullptr;
}

TEST(NamedRegionsTest, TheyKnowWhatHappensInsideFunctionsInThem) {
  const NamedRegions found = find_named_regions(
      looping_profile_of({{begin("a"), 1000}, {begin("b"), 7}, {end("b"), 3}, {end("a"), 20}, {kProgramsEnd, 0}}));
  const CostGraph& graph = found.regions.at("a").graph;
  const FunctionCode* const f = inside_of(graph, "f");
  ASSERT_TRUE(f);
  ASSERT_EQ(f->rows.size(), 1u);
  EXPECT_EQ(f->rows[0].executions, 7 + 3 + 20);
  EXPECT_EQ(f->rows[0].line, 10u);
  EXPECT_EQ(graph.code->files.at(f->rows[0].file), "a.c");
  ASSERT_EQ(f->jumps.size(), 1u);
  EXPECT_EQ(f->jumps[0].followed, 6 + 2 + 19);
  EXPECT_EQ(f->jumps[0].to_function, f->function);
  ASSERT_EQ(f->entries.size(), 1u);
  EXPECT_EQ(graph.name(f->entries[0].from_function), "main");
  EXPECT_EQ(f->entries[0].times, 3);
  EXPECT_EQ(inside_of(found.regions.at("b").graph, "f")->rows[0].executions, 3);
}

TEST(NamedRegionsTest, ARegionThatIsEnteredOftenHasTheSumOfAll) {
  for (const int entries : {63, 64, 65, 130}) {
    std::vector<std::pair<std::string, int64_t>> parts;
    for (int i = 0; i < entries; ++i) parts.insert(parts.end(), {{begin("a"), 0}, {end("a"), 7}});
    const NamedRegions found = find_named_regions(looping_profile_of(parts));
    const CostGraph& graph = found.regions.at("a").graph;
    EXPECT_EQ(found.regions.at("a").entries, entries);
    EXPECT_EQ(graph.totals, std::vector<int64_t>{10007 * entries});
    ASSERT_EQ(graph.edges.size(), 1u);
    EXPECT_EQ(graph.edges[0].calls, entries);
    EXPECT_EQ(graph.inclusive_of(0, 0), 7 * entries);
    EXPECT_EQ(inside_of(graph, "f")->rows.at(0).executions, 7 * entries);
  }
}

TEST(NamedRegionsTest, AFunctionThatIsCheapInOnePartKeepsItsInside) {
  const NamedRegions found =
      find_named_regions(looping_profile_of({{begin("a"), 0}, {begin("a"), 1}, {end("a"), 500}, {end("a"), 0}}));
  const FunctionCode* const f = inside_of(found.regions.at("a").graph, "f");
  ASSERT_TRUE(f) << "less than a ten-thousandth of the first part, more of the sum";
  EXPECT_EQ(f->rows[0].executions, 501);
}

}  // namespace
}  // namespace icount
