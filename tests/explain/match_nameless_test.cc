// Functions without a name: matched by figures and places, read by the names of the other side, jumps through tables.
#include "icount/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/match.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

using Calls = std::vector<std::pair<std::string, int64_t>>;

/// What the operator calls 30 times; each call of a callee costs as said, with all below it.
struct Inner {
  std::string name;
  int64_t cost = 60;
  Calls callees = {};
  std::vector<std::string> callers = {"op()"};
  const char* object = nullptr;
};

/// main calls two operators of a library ten times, and three leaves.
CostGraph library(const char* object, const std::vector<Inner>& functions) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/prog").function("main", 100).in("???", object);
  for (const char* op : {"op()", "op_()"}) graph.function(op, 400).calls("main", op, 10, 9000);
  for (const char* leaf : {"zero", "log", "set"}) graph.function(leaf, 70).calls("main", leaf, 1, 70);
  for (const Inner& inner : functions)
    graph.in("???", inner.object ? inner.object : object).function(inner.name, 30 * inner.cost);
  for (const Inner& inner : functions) {
    for (const std::string& caller : inner.callers) graph.calls(caller, inner.name, 30, 30 * 90);
    for (const auto& [callee, cost] : inner.callees) graph.calls(inner.name, callee, 30, 30 * cost);
  }
  return graph.graph();
}

/// "1100=inner()" for each function of a stripped build that was read by a name of the other.
std::string lent(const std::vector<Inner>& stripped, const std::vector<Inner>& named) {
  const auto one_way = [](const CostGraph& base, const CostGraph& head) {
    std::vector<std::string> found;
    for (const FunctionChange& change : explain(base, head).functions) {
      const std::string other = change.base_name.empty() ? change.name : change.base_name;
      if (is_address_name(other) && !is_address_name(change.name))
        found.push_back(fmt::format("{:x}={}", address_of_name(other), change.name));
    }
    std::sort(found.begin(), found.end());
    return fmt::format("{}", fmt::join(found, " "));
  };
  const CostGraph base = library("/old/libops.so.1", stripped), head = library("/new/libops.so.2", named);
  const std::string forth = one_way(base, head);
  EXPECT_EQ(explain(head, base).functions.size(), explain(base, head).functions.size());
  return forth;
}

std::string at(int64_t address) { return fmt::format("0x{:016x}", address); }

TEST(MatchNamelessTest, HalfOfTheWorkBelowMustBeTheSame) {
  const std::vector<Inner> base = {{at(0x1100), 20, {{"zero", 60}, {"log", 40}}}};
  EXPECT_EQ(lent(base, {{"inner()", 60, {{"zero", 55}, {"set", 45}}}}), "1100=inner()");
  EXPECT_EQ(lent(base, {{"inner()", 60, {{"zero", 45}, {"set", 55}}}}), "");
  for (int64_t cost = 18; cost < 24; ++cost)
    EXPECT_EQ(lent({{at(0x1100), cost, {{"zero", 45}, {"set", 55}}}}, {{"inner()", 60, {{"zero", 60}, {"log", 40}}}}),
              "")
        << cost;
  EXPECT_EQ(lent(base, {{"inner()", 60, {{"zero", 0}}}}), "") << "no cost, no work";
}

TEST(MatchNamelessTest, ALeafMustCostAboutTheSame) {
  EXPECT_EQ(lent({{at(0x1100), 20}}, {{"leaf()", 39}}), "1100=leaf()");
  EXPECT_EQ(lent({{at(0x1100), 20}}, {{"leaf()", 41}}), "");
  EXPECT_EQ(lent({{at(0x1100), 20}}, {{"leaf()", 39, {{"unknown()", 5}}}, {"unknown()", 9, {}, {}}}), "")
      << "only one of them is a leaf";
  EXPECT_EQ(lent({{at(0x1100), 20, {{at(0x1200), 5}}}, {at(0x1200), 9, {}, {}}}, {{"leaf()", 39}}), "");
}

TEST(MatchNamelessTest, EachIsReadOnceTheCostliestFirst) {
  const Calls work = {{"zero", 90}};
  const auto count = [](const std::string& pairs) { return std::count(pairs.begin(), pairs.end(), '='); };
  EXPECT_EQ(count(lent({{at(0x1100), 20, work}, {at(0x1200), 20, work}}, {{"inner()", 60, work}})), 1);
  for (int64_t cost = 18; cost < 24; ++cost)  // whichever side is taken first
    EXPECT_EQ(count(lent({{at(0x1100), cost, work, {"op()", "op_()"}}},
                         {{"inner()", 60, work}, {"other()", 60, work, {"op_()"}}})),
              1);
  GraphBuilder base, head;  // two of one rate and work: the one that costs less in all is the one that is gone
  for (auto* graph : {&base, &head})
    graph->in("???", graph == &base ? "/old/libops.so.1" : "/new/libops.so.2")
        .function("main", 10)
        .function("zero", 90)
        .calls("main", "zero", 3, 90);
  base.function(at(0x1100), 200)
      .function(at(0x1200), 210)
      .calls("main", at(0x1100), 10, 210)
      .calls("main", at(0x1200), 10, 5210);
  base.calls(at(0x1100), "zero", 10, 10).calls(at(0x1200), "zero", 10, 5000);
  head.function("inner()", 700).calls("main", "inner()", 10, 5700).calls("inner()", "zero", 10, 5000);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_TRUE(std::any_of(explanation.functions.begin(), explanation.functions.end(),
                          [](const FunctionChange& change) { return change.base_name == at(0x1200); }));
}

/// One function per word in the object before it: "/bin/one f g h".
FoldedGraph objects(std::vector<CostGraph>& keep,
                    const std::vector<std::pair<std::string, std::vector<std::string>>>& content) {
  GraphBuilder builder;
  for (const auto& [object, names] : content)
    for (const std::string& name : names) builder.in("a.cc", object).define(name, 1);
  keep.push_back(builder.graph());
  return fold_graph(keep.back(), 0, false);
}

/// Objects of the head as those of the base that they are: "uno=one".
std::string paired(const std::vector<std::pair<std::string, std::vector<std::string>>>& base,
                   const std::vector<std::pair<std::string, std::vector<std::string>>>& head) {
  std::vector<CostGraph> keep;
  keep.reserve(2);
  const FoldedGraph left = objects(keep, base), right = objects(keep, head);
  const ObjectPairs pairs(left, right);
  std::vector<std::string> words;
  for (uint32_t h = 0; h < right.functions.size(); ++h)
    for (uint32_t b = 0; b < left.functions.size(); ++b)
      if (pairs.of(0, b) == pairs.of(1, h))
        words.push_back(fmt::format("{}={}", right.functions[h].object, left.functions[b].object));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

TEST(ObjectPairsTest, ByFileNameThenByTheNamesTheyShare) {
  EXPECT_EQ(paired({{"/usr/lib/libx.so", {"f"}}, {"/a", {"g"}}, {"/b", {"h"}}},
                   {{"/opt/libx.so", {"k"}}, {"/c", {"i"}}, {"/d", {"j"}}}),
            "/opt/libx.so=/usr/lib/libx.so");
  EXPECT_EQ(paired({{"/one", {"f", "g", "h"}}, {"/two", {"f"}}, {"/zero", {"f"}}},
                   {{"/dos", {"f"}}, {"/uno", {"f", "g", "h"}}}),
            "/dos=/two /uno=/one")
      << "most first";
  EXPECT_EQ(paired({{"/one", {at(0x1100), "f"}}, {"/two", {"g"}}}, {{"/uno", {"g"}}, {"/dos", {at(0x1100)}}}),
            "/uno=/two")
      << "addresses are no names";
  EXPECT_EQ(paired({{"/one", {at(0x1100)}}}, {{"/uno", {at(0x9900)}}}), "/uno=/one") << "the only ones that are left";
  EXPECT_EQ(paired({{"/one", {at(0x1100)}}, {"/two", {at(0x1100)}}}, {{"/uno", {at(0x9900)}}, {"/dos", {at(0x9900)}}}),
            "");
  EXPECT_EQ(paired({{"/one", {"f"}}, {"/libx.so", {"k"}}}, {{"/uno", {"g"}}, {"/libx.so", {"f", "k"}}}),
            "/libx.so=/libx.so /uno=/one")
      << "one that has its partner is left alone";
}

/// The first note about functions that were renamed so, each called a different number of times.
std::string note(const std::vector<std::pair<std::string, std::string>>& renames) {
  GraphBuilder base, head;
  base.function("main", 10);
  head.function("main", 10);
  int64_t calls = 10;
  for (const auto& [before, after] : renames) {
    base.function(before, 100 * calls).calls("main", before, calls);
    head.function(after, 100 * calls).calls("main", after, calls);
    calls += 7;
  }
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, static_cast<int64_t>(renames.size()));
  EXPECT_EQ(explanation.renames_are_summed, !explanation.notes.empty());
  return explanation.notes.empty() ? "" : note_sentences(explanation)[0];
}

TEST(MatchNotesTest, ManyRenamesAreToldByTheWordThatChanged) {
  EXPECT_EQ(note({{"a::f()", "b::f()"}, {"a::g()", "b::g()"}, {"a::h()", "b::h()"}}), "");
  EXPECT_EQ(note({{"a::f()", "b::f()"}, {"a::g()", "b::g()"}, {"a::h()", "b::h()"}, {"a::i()", "b::i()"}}),
            "4 functions matched under another name: `a` is now `b`");
  EXPECT_EQ(note({{"a::f()", "b::f()"}, {"a::g()", "b::g()"}, {"a::h()", "c::h()"}, {"a::i()", "d::i()"}}),
            "4 functions matched under another name: `a` is now `b` in 2 of them");
  EXPECT_EQ(note({{"a::f()", "b::f()"},
                  {"a::g()", "b::g()"},
                  {"a::h()", "c::h()"},
                  {"a::i()", "d::i()"},
                  {"a::k()", "e::k()"}}),
            "5 functions matched under another name");
  EXPECT_EQ(note({{"a::f(int)", "b::f(long)"},
                  {"a::g(int)", "b::g(long)"},
                  {"a::h(int)", "b::h(long)"},
                  {"a::i(int)", "b::i(long)"}}),
            "4 functions matched under another name");
  EXPECT_EQ(note({{"f(int)", "f(int, long)"},
                  {"g(int)", "g(int, long)"},
                  {"h(int, long)", "h(int)"},
                  {"i(int, long)", "i(int)"}}),
            "4 functions matched under another name");
}

TEST(MatchNotesTest, OtherNotes) {
  GraphBuilder base, head;
  base.in("a.S", "/lib/libc.so.6")
      .function("main", 10)
      .function("__strlen_avx2", 300)
      .calls("main", "__strlen_avx2", 20);
  head.in("a.S", "/lib/libc.so.6")
      .function("main", 10)
      .function("__strlen_sse2", 300)
      .calls("main", "__strlen_sse2", 20);
  EXPECT_EQ(note_sentences(explain(base.graph(), head.graph())),
            std::vector<std::string>{"1 function of the C library runs as another variant: base and head were "
                                     "measured on different processors or settings"});
  GraphBuilder outside, moved;
  outside.function("main", 10).in("???", "???").function(at(0x109ca0), 30).calls("main", at(0x109ca0), 1);
  moved.function("main", 10).in("???", "???").function(at(0x109c80), 30).calls("main", at(0x109c80), 1);
  EXPECT_TRUE(explain(outside.graph(), moved.graph()).notes.empty());
  const Explanation read = explain(library("/old/libops.so.1", {{at(0x1100), 20, {{"zero", 90}}}}),
                                   library("/new/libops.so.2", {{"inner()", 60, {{"zero", 90}}}}));
  EXPECT_EQ(note_sentences(read),
            std::vector<std::string>{
                "1 function with a symbol on one side only matched by callers, number of calls and callees"});
}

bool says(const std::vector<std::string>& notes, std::string_view part) {
  for (const std::string& note : notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

// A library of which Debian, say, ships a stripped build: its inner functions are addresses there.
CostGraph library_build(const std::string& object, const std::string& wrapper, const std::string& kernel,
                        const std::string& work, int64_t cost, int64_t runs) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/prog").function("main", 100).in("???", object);
  graph.function("ops::mul(Tensor const&)", 40 * runs)
      .function(wrapper, 20 * runs)
      .function(kernel, 300 * runs)
      .function(work, cost * runs)
      .function("unlock", 7 * runs);
  graph.calls("main", "ops::mul(Tensor const&)", runs, (360 + cost) * runs)
      .calls("ops::mul(Tensor const&)", wrapper, runs, (320 + cost) * runs);
  graph.calls("ops::mul(Tensor const&)", "unlock", runs, 7 * runs)
      .calls(wrapper, kernel, runs, (300 + cost) * runs)
      .calls(kernel, work, runs, cost * runs);
  return graph.graph();
}

TEST(ExplainNamelessTest, AStrippedBuildIsReadByTheNamesOfTheOther) {
  const CostGraph stripped =
      library_build("/old/libops.so.1", "0x0000000000001100", "0x0000000000002200", "allocate", 500, 10);
  const CostGraph named =
      library_build("/new/libops.so.2", "Wrapper::call()", "mul_kernel(Tensor const&)", "allocate", 800, 12);
  Explanation explanation = explain(stripped, named);
  ASSERT_FALSE(explanation.causes.empty());
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`allocate` itself costs 800 per call, was 500 (12 calls, was 10)")
      << "nothing above it is new or gone";
  EXPECT_TRUE(says(note_sentences(explanation),
                   "2 functions with a symbol on one side only matched by callers, number of calls and callees"));
  explanation = explain(named, stripped);
  for (const FunctionChange& change : explanation.functions) EXPECT_FALSE(is_address_name(change.name)) << change.name;
}

TEST(ExplainNamelessTest, NamelessCalleesOfAnotherBuildSpeakAgainstNoRename) {
  GraphBuilder base, head;
  base.in("???", "/old/libops.so.1")
      .function("main", 10)
      .function("Tensor::back(c10::optional<bool>)", 400)
      .function("0x0000000000001100", 9000)
      .function("0x0000000000001200", 1);
  base.calls("main", "Tensor::back(c10::optional<bool>)", 10, 9400)
      .calls("Tensor::back(c10::optional<bool>)", "0x0000000000001100", 30, 9000);
  base.calls("Tensor::back(c10::optional<bool>)", "0x0000000000001200", 1, 1);
  head.in("???", "/new/libops.so.2")
      .function("main", 10)
      .function("Tensor::back(std::optional<bool>)", 400)
      .function("hooks()", 7000)
      .function("log()", 90);
  head.calls("main", "Tensor::back(std::optional<bool>)", 10, 7490)
      .calls("Tensor::back(std::optional<bool>)", "hooks()", 20, 7000)
      .calls("Tensor::back(std::optional<bool>)", "log()", 4, 90);
  EXPECT_EQ(explain(base.graph(), head.graph()).renamed, 1);
}

}  // namespace
}  // namespace icount
