// The lines that carry a change of self cost, and where causes lie.
#include "icount/explain/claims/term_causes.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <limits>
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

std::string first_text(const Lines& base, const Lines& head) {
  return cause_sentence(explain(program(base), program(head)).causes.at(0));
}

TEST(CausePlacesTest, TheLineThatCarriesTheChangeIsNamed) {
  const Explanation explanation = explain(program({{10, 50}, {11, 400}, {12, 70}, {14, 200}}),
                                          program({{10, 50}, {11, 400}, {12, 1070}, {14, 220}}));
  const Cause& first = explanation.causes.at(0);
  EXPECT_EQ(cause_sentence(first), "`run` itself costs 174 per call, was 72 (10 calls)");
  EXPECT_EQ(first.file, "src/run.c");
  EXPECT_EQ(first.line, 12u);
}

TEST(CausePlacesTest, LinesAreFoundWhereTheyMovedTo) {
  EXPECT_EQ(first_text({{10, 50}, {11, 400}, {12, 70}, {14, 200}}, {{30, 50}, {31, 400}, {32, 1070}, {34, 200}}),
            "`run` itself costs 172 per call, was 72 (10 calls)");
  EXPECT_EQ(
      first_text({{10, 50}, {11, 400}, {12, 70}, {14, 200}}, {{10, 50}, {11, 400}, {12, 900}, {13, 70}, {15, 200}}),
      "`run` itself costs 162 per call, was 72 (10 calls)")
      << "a line was written between";
  EXPECT_EQ(first_text({{10, 50}, {12, 900}, {13, 70}, {15, 200}}, {{10, 50}, {12, 70}, {14, 200}}),
            "`run` itself costs 32 per call, was 122 (10 calls)")
      << "a line is gone: its number is that of the base";
}

TEST(CausePlacesTest, AFewLinesAreNamedTogetherManyAreNot) {
  EXPECT_EQ(first_text({{10, 50}, {11, 400}, {12, 70}}, {{10, 50}, {11, 900}, {12, 370}}),
            "`run` itself costs 132 per call, was 52 (10 calls); on lines run.c:11 and 12");
  EXPECT_EQ(first_text({{10, 50}, {11, 50}, {12, 50}, {13, 50}, {14, 50}},
                       {{10, 150}, {11, 150}, {12, 150}, {13, 150}, {14, 150}}),
            "`run` itself costs 75 per call, was 25 (10 calls)");
  EXPECT_EQ(first_text({{10, 1000}, {11, 50}}, {{10, 100}, {11, 2000}}),
            "`run` itself costs 210 per call, was 105 (10 calls)")
      << "what one line takes back is more than the whole";
}

TEST(CausePlacesTest, ACallLiesWhereItsCallerBegins) {
  const Cause first = explain(program({{10, 500}, {11, 500}}, 10), program({{10, 1000}, {11, 1000}}, 20)).causes.at(0);
  EXPECT_EQ(cause_sentence(first), "`main` calls `run` 20 times, was 10, at 100 each");
  EXPECT_EQ(first.file, "src/main.c");
  EXPECT_EQ(first.line, 3u);
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

TEST(CausePlacesTest, LinesOfALibraryAreNamedButAreNoPlace) {
  const auto graph = [](int64_t on_line) {
    GraphBuilder built;
    built.in("src/main.c").line("main", "src/main.c", 3, 100).line("find", "src/main.c", 20, 50);
    return built.line("find", "/usr/include/c++/12/bits/stl_tree.h", 7, on_line)
        .line("find", "/usr/include/c++/12/bits/stl_tree.h", 8, 60)
        .calls("main", "find", 10)
        .graph();
  };
  const Cause first = explain(graph(400), graph(9400)).causes.at(0);
  EXPECT_EQ(first.file, "src/main.c");
  EXPECT_EQ(first.line, 20u);
}

TEST(CausePlacesTest, WithoutLinesTheFileIsKnown) {
  GraphBuilder base, head;
  base.in("src/run.c").function("run", 100);
  head.in("src/run.c").function("run", 300);
  const Cause first = explain(base.graph(), head.graph()).causes.at(0);
  EXPECT_EQ(first.file, "src/run.c");
  EXPECT_EQ(first.line, 0u);
}

/// What is said about lines of a function that is called once on each side.
std::string lines_told(const Lines& base, const Lines& head) {
  const std::string text = cause_sentence(explain(program(base, 1), program(head, 1)).causes.at(0));
  const size_t at = text.find("; ");
  return at == std::string::npos ? "" : text.substr(at + 2);
}

TEST(CausePlacesTest, FourFifthsOfTheChangeAreEnough) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}, {15, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 900}, {12, 150}, {13, 150}, {14, 150}, {15, 150}}),
            "+800 of it on line run.c:11");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 899}, {12, 151}, {13, 150}, {14, 150}, {15, 150}}), "");
}

TEST(CausePlacesTest, ALineIsNamedFromATenthOn) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 850}, {12, 200}, {13, 175}, {14, 175}}),
            "85 % of it on lines run.c:11 and 12");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 850}, {12, 199}, {13, 176}, {14, 175}}), "");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 1000}, {12, 200}, {13, 100}, {14, 100}}), "+900 of it on line run.c:11")
      << "when less than a tenth is left to name";
}

TEST(CausePlacesTest, ThreeLinesAtMostAreNamed) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 400}, {12, 380}, {13, 360}, {14, 260}}),
            "84 % of it on lines run.c:11, 12 and 13");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 350}, {12, 350}, {13, 350}, {14, 350}}), "") << "four of equal size";
}

TEST(CausePlacesTest, OtherLinesMayTakeBackAFifth) {
  const Lines base = {{10, 1000}, {11, 100}, {12, 100}};
  EXPECT_EQ(lines_told(base, {{10, 810}, {11, 1290}, {12, 100}}), "+1,190 on line run.c:11, -190 on others");
  EXPECT_EQ(lines_told(base, {{10, 790}, {11, 1310}, {12, 100}}), "");
}

TEST(CausePlacesTest, AFunctionOfOneLineSaysItItself) { EXPECT_EQ(lines_told({{10, 100}}, {{10, 900}}), ""); }

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
  /// "a.c 12 14: 1.00"; "" where there are none.
  static std::string found(const Written& base, const Written& head, std::array<long double, 2> scale = {1, 1}) {
    const JoinedPair pair(graph(base), graph(head));
    const auto lines = CausePlaces(pair.joined).changed_lines(pair.function("run"), scale);
    if (!lines) return "";
    std::string text(lines->file);
    for (const uint64_t line : lines->lines) text += fmt::format(" {}", line);
    return text + fmt::format(": {:.2f}", lines->part);
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
  EXPECT_EQ(in_two(100, 85, -85), "a.c 2: 1.00");
  EXPECT_EQ(in_two(85, 100, -85), "b.h 2: 1.00");
  EXPECT_EQ(in_two(100, 100, -100), "a.c 2: 1.00") << "the first of equals";
}

TEST_F(ChangedLinesTest, CostsAreScaled) {
  EXPECT_EQ(found({{"a.c", 1, 100}, {"a.c", 2, 1000}}, {{"a.c", 1, 200}, {"a.c", 2, 4000}}, {0.1L, 0.05L}),
            "a.c 2: 1.00");
  EXPECT_EQ(found({{"a.c", 1, 100}, {"a.c", 2, 1000}}, {{"a.c", 1, 200}, {"a.c", 2, 4000}}), "a.c 2: 0.97");
}

TEST_F(ChangedLinesTest, WithoutAChangeOrLinesThereIsNone) {
  EXPECT_EQ(found({{"a.c", 1, 100}, {"a.c", 2, 200}}, {{"a.c", 1, 200}, {"a.c", 2, 100}}), "");
  EXPECT_EQ(found({{"a.c", 1, 100}, {"a.c", 2, 200}}, {{"a.c", 0, 500}}), "");
  EXPECT_EQ(found({{"a.c", 0, 100}}, {{"a.c", 1, 200}, {"a.c", 2, 100}}), "");
}

TEST_F(ChangedLinesTest, AFunctionOfOneSideHasNone) {
  const JoinedPair pair(graph({{"a.c", 1, 100}, {"a.c", 2, 200}}), GraphBuilder().line("main", "a.c", 1, 5)),
      back(GraphBuilder().line("main", "a.c", 1, 5), graph({{"a.c", 1, 100}, {"a.c", 2, 200}}));
  EXPECT_FALSE(CausePlaces(pair.joined).changed_lines(pair.function("run"), {1, 1}));
  EXPECT_FALSE(CausePlaces(back.joined).changed_lines(back.function("run"), {1, 1}));
}

TEST_F(ChangedLinesTest, VeryManyLinesAreComparedByTheirNumbers) {
  Written head = numbered(1001, 1500, 10);
  std::get<2>(head[299]) = 1010;
  EXPECT_EQ(found(numbered(1, 500, 10), head), "a.c 1300: 1.00") << "they moved";
  EXPECT_EQ(found(numbered(1, 501, 10), head), "a.c 1300: 1.02") << "too many to see that: all of its cost is new";
  head = numbered(1, 500, 10);
  std::get<2>(head[299]) = 1010;
  EXPECT_EQ(found(numbered(1, 501, 10), head), "a.c 300: 1.01");
  EXPECT_EQ(found(head, numbered(1, 501, 10)), "a.c 300: 1.01");
}

TEST_F(ChangedLinesTest, LinesOfLikeCostAreOne) {
  // A line of the cost of another one was written before it: within a fiftieth, it is the one that moved.
  EXPECT_EQ(found({{"a.c", 1, 1000}, {"a.c", 2, 5000}, {"a.c", 9, 70}},
                  {{"a.c", 1, 1000}, {"a.c", 2, 3000}, {"a.c", 4, 5100}, {"a.c", 9, 70}}),
            "a.c 2: 0.97");
  EXPECT_EQ(found({{"a.c", 1, 1000}, {"a.c", 2, 5000}, {"a.c", 9, 70}},
                  {{"a.c", 1, 1000}, {"a.c", 2, 3000}, {"a.c", 4, 5103}, {"a.c", 9, 70}}),
            "");
}

class FunctionPlaceTest : public testing::Test {
 protected:
  static std::string place(const JoinedPair& pair, const char* name) {
    const SourcePlace found = CausePlaces(pair.joined).of_function(pair.function(name));
    return fmt::format("{}:{}", found.file, found.line);
  }
};

TEST_F(FunctionPlaceTest, IsHeadsWhereHeadHasIt) {
  const auto run = [](const char* file, uint64_t line) {
    return GraphBuilder().in(file).line("run", file, line, 10).line("run", file, line + 3, 10);
  };
  EXPECT_EQ(place(JoinedPair(run("src/a.c", 5), run("src/a.c", 7)), "run"), "src/a.c:7");
  EXPECT_EQ(place(JoinedPair(run("src/a.c", 5), GraphBuilder().function("main", 1)), "run"), "src/a.c:5");
  EXPECT_EQ(place(JoinedPair(run("???", 5), run("???", 5)), "run"), ":0");
}

TEST(ChangedLinesTextTest, OneLineHasItsCostSeveralTheirPart) {
  const auto text = [](std::vector<uint64_t> lines, double part, int64_t delta) {
    Cause cause{.facts = fact::Said{"it grew"}};
    cause.remarks.push_back(
        {.kind = Remark::Kind::kChangedLines, .file = "a.c", .lines = std::move(lines), .part = part, .delta = delta});
    return cause_sentence(cause);
  };
  EXPECT_EQ(text({7}, 1, 800), "it grew");
  EXPECT_EQ(text({7}, 0.875, 800), "it grew; +700 of it on line a.c:7");
  EXPECT_EQ(text({7}, 1.125, -800), "it grew; -900 on line a.c:7, +100 on others");
  EXPECT_EQ(text({7, 9}, 0.875, 800), "it grew; 88 % of it on lines a.c:7 and 9");
  EXPECT_EQ(text({7, 9, 8}, 1.1, 800), "it grew; on lines a.c:7, 9 and 8");
  EXPECT_EQ(text({7}, 1.1, std::numeric_limits<int64_t>::max()),
            "it grew; +9,200,000,000,000,000,000 on line a.c:7, +23,372,036,854,775,807 on others");
  EXPECT_EQ(text({7}, 1.1, -std::numeric_limits<int64_t>::max()),
            "it grew; -9,200,000,000,000,000,000 on line a.c:7, -23,372,036,854,775,807 on others");
}

struct CallSite {
  uint64_t line = 0;
  int64_t calls = 0;
  std::string file = "src/run.c";
  int64_t cost = 0;
  bool calls_get = false;  ///< from there, too
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
