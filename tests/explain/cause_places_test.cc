// The lines that carry a change of self cost, and where causes lie.
#include "icount/explain/claims/term_causes.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <memory>
#include <tuple>

#include "icount/callgraph/function_code.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"

namespace icount {
namespace {

using Lines = std::vector<std::pair<uint64_t, int64_t>>;

/// main calls run, whose lines cost what is said.
CostGraph program(const Lines& lines, int64_t calls = 10) {
  GraphBuilder graph;
  graph.in("src/main.c").line("main", "src/main.c", 3, 100).in("src/run.c");
  for (const auto& [line, cost] : lines) graph.line("run", "src/run.c", line, cost);
  return graph.calls("main", "run", calls).graph();
}

/// main calls sort, a library's, which calls less as often as is said.
Cause of_library(const char* file, const char* object) {
  const auto graph = [&](int64_t self, int64_t calls) {
    GraphBuilder built;
    built.in("src/main.c").line("main", "src/main.c", 3, 100);
    built.in(file, object).line("sort", file, 85, self).line("less", file, 99, 10 * calls).line("step", file, 70, 5);
    return built.calls("main", "sort", 10).calls("sort", "step", 10).calls("sort", "less", calls).graph();
  };
  return explain(graph(500, 100), graph(700, 900)).causes.at(0);
}

TEST(CausePlacesTest, WhatALibraryDoesLiesWhereTheProgramCallsIt) {
  for (const auto& [file, object] : {std::pair("/usr/include/c++/12/bits/stl_algo.h", "prog"),
                                     {"/usr/include/nlohmann/json.hpp", "prog"},
                                     {"/rustc/5980/library/core/src/sort.rs", "prog"},
                                     {"./stdlib/list.ml", "prog"},
                                     {"./stdio-common/vfprintf-internal.c", "/usr/lib/x86_64-linux-gnu/libc.so.6"},
                                     {"???", "/usr/lib/libz.so.1"}}) {
    const Cause first = of_library(file, object);
    EXPECT_EQ(first.callee, "less") << file;
    EXPECT_EQ(first.file, "src/main.c") << file;
    EXPECT_EQ(first.line, 3u) << file;
  }
  EXPECT_EQ(of_library("src/sort.c", "prog").file, "src/sort.c") << "the program's own";
  EXPECT_EQ(of_library("src/sort.c", "libsort.so").file, "src/sort.c") << "its own library";
}

/// The lines of `run`, which is called 10 times: "run.c:11 10 -> 90" for each.
std::string lines_told(const Lines& base, const Lines& head) {
  std::string text;
  const Explanation explanation = explain(program(base), program(head));
  for (const CauseLine& line : explanation.causes.at(0).lines)
    text += fmt::format("{}{}:{} {} -> {}", text.empty() ? "" : ", ", line.file, line.line, line.base, line.head);
  return text;
}

TEST(CausePlacesTest, TheLinesThatLeadHaveTheirCosts) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 850}, {12, 200}, {13, 175}, {14, 175}}),
            "run.c:11 10 -> 85, run.c:12 10 -> 20");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 850}, {12, 199}, {13, 176}, {14, 175}}), "run.c:11 10 -> 85")
      << "from a tenth on";
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 1000}, {12, 200}, {13, 100}, {14, 100}}), "run.c:11 10 -> 100")
      << "when less than a tenth is left to name";
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 350}, {12, 350}, {13, 350}, {14, 350}}),
            "run.c:11 10 -> 35, run.c:12 10 -> 35, run.c:13 10 -> 35")
      << "three at most";
  EXPECT_EQ(lines_told({{10, 1000}, {11, 50}}, {{10, 100}, {11, 2000}}), "run.c:11 5 -> 200")
      << "those that go with the change";
  EXPECT_EQ(lines_told({{10, 100}, {12, 70}}, {{10, 100}, {11, 900}, {12, 70}}), "run.c:11 0 -> 90");
  EXPECT_EQ(lines_told({{10, 100}}, {{10, 900}}), "") << "the function says it itself";
}

TEST(CausePlacesTest, LinesThatCostManyTimesAsMuchMostLikelyRunMoreOften) {
  const auto run = [](const Lines& base, const Lines& head) {
    return std::get<fact::SelfCost>(explain(program(base), program(head)).causes.at(0).facts).lines_run;
  };
  const Lines few = {{10, 10}, {11, 100}, {12, 100}};
  EXPECT_DOUBLE_EQ(run(few, {{10, 10}, {11, 310}, {12, 320}}), 3.15);
  EXPECT_DOUBLE_EQ(run({{10, 10}, {11, 310}, {12, 320}}, few), 1 / 3.15);
  EXPECT_EQ(run(few, {{10, 10}, {11, 300}, {12, 330}}), 0) << "not each line";
  EXPECT_EQ(run(few, {{10, 10}, {11, 100}, {12, 100}, {13, 900}}), 0) << "other code";
  const Lines with_more = {{10, 10}, {11, 310}, {12, 320}, {13, 90}, {14, 90}, {15, 90}, {16, 90}};
  EXPECT_EQ(run({{10, 10}, {11, 100}, {12, 100}, {13, 90}, {14, 90}, {15, 90}, {16, 90}}, with_more), 0)
      << "the function costs less than three times as much";
  EXPECT_EQ(cause_sentence(explain(program(few), program({{10, 10}, {11, 310}, {12, 320}})).causes.at(0)),
            "`run` itself costs 64 per call, was 21 (10 calls): most likely the same lines run about 3 times as often");
}

TEST(CausePlacesTest, ASideWithoutLinesThatHardlyCostsIsNone) {
  EXPECT_EQ(lines_told({{0, 40}}, {{10, 40}, {11, 960}}), "run.c:11 0 -> 96");
  EXPECT_EQ(lines_told({{0, 60}}, {{10, 40}, {11, 960}}), "");
}

/// `run` on both sides, with what it costs line by line; asked without the explanation.
class ChangedLinesTest : public testing::Test {
 protected:
  /// Files, lines and costs.
  using Written = std::vector<std::tuple<const char*, uint64_t, int64_t>>;

  static GraphBuilder graph(const Written& lines) {
    GraphBuilder graph;
    graph.in("src/a.c").line("main", "src/a.c", 1, 1);
    for (const auto& [file, line, cost] : lines) graph.line("run", file, line, cost);
    return graph;
  }
  static Written numbered(uint64_t first, uint64_t last, int64_t cost) {
    Written lines;
    for (uint64_t line = first; line <= last; ++line) lines.emplace_back("src/a.c", line, cost);
    return lines;
  }
  /// "a.c:12 a.c:14 1.00"; "" where there are none.
  static std::string found(const Written& base, const Written& head, std::array<long double, 2> scale = {1, 1}) {
    const JoinedPair pair(graph(base), graph(head));
    const auto lines = CausePlaces(pair.joined).changed_lines(pair.function("run"), scale);
    if (!lines) return "";
    std::string text;
    for (const CauseLine& line : lines->lines) text += fmt::format("{}:{} ", line.file, line.line);
    return text + fmt::format("{:.2f}", lines->part);
  }
};

TEST_F(ChangedLinesTest, OfTheFileThatCarriesMost) {
  const auto in_two = [](int64_t first, int64_t second, int64_t third) {
    return found({{"a.c", 1, 10}, {"a.c", 2, 10}, {"b.h", 1, 10}, {"b.h", 2, 10}, {"c.h", 1, 500}, {"c.h", 2, 10}},
                 {{"a.c", 1, 10},
                  {"a.c", 2, 10 + first},
                  {"b.h", 1, 10},
                  {"b.h", 2, 10 + second},
                  {"c.h", 1, 500 + third},
                  {"c.h", 2, 10}});
  };
  EXPECT_EQ(in_two(100, 85, -85), "a.c:2 1.00");
  EXPECT_EQ(in_two(85, 100, -85), "b.h:2 1.00");
  EXPECT_EQ(in_two(100, 100, -100), "a.c:2 1.00") << "the first of equals";
}

TEST_F(ChangedLinesTest, WithoutAChangeOrLinesThereIsNone) {
  EXPECT_EQ(found({{"a.c", 1, 100}, {"a.c", 2, 200}}, {{"a.c", 1, 200}, {"a.c", 2, 100}}), "");
  EXPECT_EQ(found({{"a.c", 1, 100}, {"a.c", 2, 200}}, {{"a.c", 0, 500}}), "");
  EXPECT_EQ(found({{"a.c", 0, 100}}, {{"a.c", 1, 200}, {"a.c", 2, 100}}), "");
}

TEST_F(ChangedLinesTest, VeryManyLinesAreComparedByTheirNumbers) {
  Written head = numbered(1001, 1500, 10);
  std::get<2>(head[299]) = 1010;
  EXPECT_EQ(found(numbered(1, 500, 10), head), "a.c:1300 1.00") << "they moved";
  EXPECT_EQ(found(numbered(1, 501, 10), head), "a.c:1300 1.02") << "too many to see that: all of its cost is new";
  head = numbered(1, 500, 10);
  std::get<2>(head[299]) = 1010;
  EXPECT_EQ(found(numbered(1, 501, 10), head), "a.c:300 1.01");
  EXPECT_EQ(found(head, numbered(1, 501, 10)), "a.c:300 1.01");
}

TEST_F(ChangedLinesTest, LinesOfLikeCostAreOne) {
  // A line of the cost of another one was written before it: within a fiftieth, it is the one that moved.
  EXPECT_EQ(found({{"a.c", 1, 1000}, {"a.c", 2, 5000}, {"a.c", 9, 70}},
                  {{"a.c", 1, 1000}, {"a.c", 2, 3000}, {"a.c", 4, 5100}, {"a.c", 9, 70}}),
            "a.c:2 0.97");
  EXPECT_EQ(found({{"a.c", 1, 1000}, {"a.c", 2, 5000}, {"a.c", 9, 70}},
                  {{"a.c", 1, 1000}, {"a.c", 2, 3000}, {"a.c", 4, 5103}, {"a.c", 9, 70}}),
            "a.c:4 1.64");
}

TEST_F(ChangedLinesTest, KnownSourcesSayWhichLineIsWhichWhateverItCosts) {
  // Head's line 2 is new; by what lines cost it is base's 2.
  JoinedPair pair(graph({{"a.c", 1, 70}, {"a.c", 2, 100}, {"a.c", 3, 20}}),
                  graph({{"a.c", 1, 70}, {"a.c", 2, 400}, {"a.c", 3, 130}, {"a.c", 4, 20}}));
  const auto first = [&] {
    return CausePlaces(pair.joined).changed_lines(pair.function("run"), {1, 1}).value().lines.at(0);
  };
  EXPECT_EQ(first().base_line, 2u) << "a guess, where no source says it";
  EXPECT_FALSE(first().is_certain) << "a line was put in behind it";
  pair.joined.same_lines = [](std::string_view, uint64_t line) { return line == 1 ? 1 : line + 1; };
  EXPECT_EQ(first().line, 2u);
  EXPECT_EQ(first().base, 0);
  EXPECT_EQ(first().base_line, 0u);
}

TEST(LineSentenceTest, ALineIsToldByItsTextWhereThatIsKnown) {
  const auto text = [](fact::SelfFigures figures, CauseLine line) {
    return line_sentence({.facts = fact::SelfCost{"`f`", figures}}, line);
  };
  EXPECT_EQ(text({}, {.file = "a.c", .line = 7, .base = 6, .head = 14}), "line a.c:7 costs 14 per call, was 6");
  EXPECT_EQ(text({.one_call = true}, {.file = "a.c", .line = 7, .base = 6, .head = 14}), "line a.c:7 costs 14, was 6");
  EXPECT_EQ(text({.in_total = true}, {.line = 7, .base = 6, .head = 14, .text = "f(x);"}),
            "`f(x);` costs 14 in total, was 6");
  EXPECT_EQ(text({}, {.line = 7, .head = 14, .text = "f(x);"}), "`f(x);` runs only in head: 14 per call");
  EXPECT_EQ(text({}, {.file = "a.c", .line = 7, .base = 6}), "line a.c:7 runs only in base: 6 per call");
  const Cause turn{.facts = fact::TurnCost{.turn = fact::Turn::kIteration}},
      body{.facts = fact::PartCost{.is_body = true}};
  EXPECT_EQ(line_sentence(turn, {.file = "a.c", .line = 7, .base = 6, .head = 14}),
            "line a.c:7 costs 14 per iteration, was 6");
  EXPECT_EQ(line_sentence(body, {.file = "a.c", .line = 7, .base = 6, .head = 14}),
            "line a.c:7 costs 14 per call, was 6");
}

struct CallSite {
  uint64_t line = 0;
  int64_t calls = 0;
  std::string file = "src/run.c";
  int64_t cost = 0;
  bool calls_get = false;   ///< from there, too
  uint64_t inlined_at = 0;  ///< of a header: line of run.c that its function is inlined at, where that is known
};

/// `run` calls `put` from these places, one instruction each.
CostGraph calling(const std::vector<CallSite>& sites, uint64_t first_line = 10) {
  int64_t calls = 0;
  for (const CallSite& site : sites) calls += site.calls;
  CostGraph graph = GraphBuilder()
                        .in("src/run.c")
                        .line("run", "src/run.c", first_line, 100)
                        .line("run", "src/run.c", first_line + 90, 100)
                        .line("put", "src/run.c", first_line + 200, 10)
                        .calls("run", "put", calls)
                        .line("get", "src/run.c", first_line + 300, 10)
                        .calls("run", "get", 1)
                        .graph();
  auto code = std::make_shared<ProfileCode>();
  FunctionCode run{.function = graph.edges[0].caller};
  for (const CallSite& site : sites) {
    const uint64_t address = 0x100 + 4 * run.rows.size();
    run.rows.push_back({address, static_cast<uint32_t>(code->files.size()), site.line, site.calls, 0});
    if (site.inlined_at != 0) {
      code->inlined.push_back({.name = "grow", .call_line = site.inlined_at});
      run.rows.back().inlined = static_cast<uint32_t>(code->inlined.size());
    }
    run.self.push_back(site.calls);
    run.calls.push_back({address, graph.edges[0].callee, 0x900, site.calls});
    run.call_costs.push_back(site.cost);
    if (site.calls_get) {
      run.calls.push_back({address, graph.edges[1].callee, 0xa00, 1});
      run.call_costs.push_back(1);
    }
    code->files.push_back(site.file);
  }
  code->functions.push_back(std::move(run));
  graph.code = std::move(code);
  return graph;
}

std::string place_of_calls(CostGraph base, CostGraph head) {
  const JoinedPair pair(std::move(base), std::move(head));
  const SourcePlace place = CausePlaces(pair.joined).of_calls(pair.function("run"), pair.function("put"));
  return fmt::format("{}:{}", place.file, place.line);
}

TEST(CausePlacesTest, CallsStandWhereMostOfThemCameOrWent) {
  EXPECT_EQ(place_of_calls(calling({{20, 5}, {30, 7}}), calling({{20, 50}, {30, 8}})), "src/run.c:20");
  EXPECT_EQ(place_of_calls(calling({{20, 5}, {30, 70}}), calling({{20, 5}, {30, 1}})), "src/run.c:30");
  EXPECT_EQ(place_of_calls(calling({{20, 5}}), calling({{20, 5}, {31, 9, "src/put.h"}})), "src/put.h:31");
  EXPECT_EQ(place_of_calls(calling({{20, 5, "src/run.c", 50}, {30, 5, "src/run.c", 50}}),
                           calling({{20, 5, "src/run.c", 50}, {30, 5, "src/run.c", 70}})),
            "src/run.c:30")
      << "as many calls: that cost more";
  CostGraph base = calling({{20, 5}}), head = calling({{20, 9}});
  base.code = head.code = nullptr;
  EXPECT_EQ(place_of_calls(std::move(base), std::move(head)), ":0") << "without addresses";
}

TEST(CausePlacesTest, ALineOfTheBaseIsToldByWhereTheHeadHasIt) {
  EXPECT_EQ(place_of_calls(calling({{20, 5}, {30, 70}}), calling({{27, 5}}, 17)), "src/run.c:37");
}

TEST(CausePlacesTest, CallsInInlinedLibraryCodeStandWhereTheProgramLeadsThere) {
  const std::string header = "/usr/include/c++/12/bits/stl_vector.h";
  EXPECT_EQ(place_of_calls(calling({{20, 1}}), calling({{20, 1}, {26, 3}, {900, 90, header}})), "src/run.c:26");
  EXPECT_EQ(place_of_calls(calling({{20, 1}}), calling({{20, 1}, {26, 3}, {900, 90, header, 0, false, 28}})),
            "src/run.c:28")
      << "the optimiser mixes instructions of several lines";
}

TEST(CausePlacesTest, AFunctionBeginsWhereItIsEnteredNotAtItsLeastLine) {
  const auto place = [](uint32_t entry, uint32_t inlined) {
    CostGraph graph = calling({{14, 1}, {12, 1}});  // line 10 is of code inlined from above
    auto code = std::make_shared<ProfileCode>(*graph.code);
    code->inlined.push_back({.name = "small"});
    code->functions[0].rows[entry].inlined = inlined;
    code->functions[0].entries.push_back({code->functions[0].rows[entry].address, 0, false, 3});
    graph.code = std::move(code);
    const JoinedPair pair(calling({{14, 1}}), std::move(graph));
    return CausePlaces(pair.joined).of_function(pair.function("run")).line;
  };
  EXPECT_EQ(place(0, 0), 14u);
  EXPECT_EQ(place(1, 0), 12u);
  EXPECT_EQ(place(0, 1), 10u) << "the first instruction is of an inlined function";
}

TEST(CausePlacesTest, WhatADispatcherCallsOnOneSideAloneStandsWhereItBegins) {
  const CostGraph head = calling({{20, 5, "src/run.c", 0, true}});
  const CostGraph base = GraphBuilder().in("src/run.c").line("run", "src/run.c", 10, 100).graph();
  EXPECT_EQ(place_of_calls(base, head), "src/run.c:210");
  EXPECT_EQ(place_of_calls(head, base), "src/run.c:210");
  EXPECT_EQ(place_of_calls(head, calling({{20, 9, "src/run.c", 0, true}})), "src/run.c:20") << "both sides run it";
  EXPECT_EQ(place_of_calls(base, calling({{20, 5}})), "src/run.c:20") << "no dispatcher";
}

}  // namespace
}  // namespace icount
