// Matching where one build is stripped: functions without a name are read by the names of the other build.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/callgraph/symbol_name.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

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

TEST(ExplainNamelessTest, OtherWorkBelowIsNotReadByTheOthersNames) {
  const CostGraph stripped =
      library_build("/old/libops.so.1", "0x0000000000001100", "0x0000000000002200", "allocate", 5000, 10);
  const CostGraph named =
      library_build("/new/libops.so.2", "Wrapper::call()", "mul_kernel(Tensor const&)", "std::sort()", 5000, 10);
  const Explanation explanation = explain(stripped, named);
  std::vector<std::string> texts;
  for (const Cause& cause : explanation.causes) texts.push_back(cause_sentence(cause));
  EXPECT_TRUE(says(texts, "`ops::mul(Tensor const&)` now calls `Wrapper::call()`"));
}

/// An operator that calls one inner function so often, which leads to `work`; both builds have all of `allocate`,
/// `zero` and `log`.
CostGraph operator_build(const std::string& object, const std::string& inner, const std::string& work, int64_t calls,
                         int64_t inner_calls) {
  GraphBuilder graph;
  const int64_t cost = inner == "inner()" ? 60 : 20;  // so far apart that evidence alone would not do
  graph.in("main.cc", "/bin/prog")
      .function("main", 100)
      .in("???", object)
      .function("ops::mul(Tensor const&)", 40 * calls)
      .function(inner, cost * inner_calls);
  graph.calls("main", "ops::mul(Tensor const&)", calls, 40 * calls + 90 * inner_calls)
      .calls("ops::mul(Tensor const&)", inner, inner_calls, 90 * inner_calls);
  for (const char* leaf : {"allocate", "zero", "log"}) {
    graph.function(leaf, 70).calls("main", leaf, 1, 70);
    if (leaf == work) graph.calls(inner, leaf, inner_calls, 70 * inner_calls);
  }
  return graph.graph();
}

TEST(ExplainNamelessTest, ANameIsLentOnlyWhereRateAndWorkAreTheSame) {
  const auto lent = [](const std::string& work, int64_t calls, int64_t inner_calls) {
    const Explanation explanation = explain(operator_build("/old/libops.so.1", "0x0000000000001100", "zero", 20, 30),
                                            operator_build("/new/libops.so.2", "inner()", work, calls, inner_calls));
    return says(note_sentences(explanation), "1 function with a symbol on one side only");
  };
  EXPECT_TRUE(lent("zero", 20, 30));
  EXPECT_TRUE(lent("zero", 40, 60));
  EXPECT_FALSE(lent("zero", 10, 30)) << "three calls per call instead of three for two";
  EXPECT_FALSE(lent("log", 20, 30)) << "it leads elsewhere";
}

TEST(ExplainNamelessTest, InOneBuildANameIsNotTakenForAnAddress) {
  const CostGraph base =
      library_build("/lib/libops.so.1", "0x0000000000001100", "0x0000000000002200", "allocate", 5000, 10);
  const CostGraph head =
      library_build("/lib/libops.so.1", "Wrapper::call()", "mul_kernel(Tensor const&)", "allocate", 5000, 10);
  const Explanation explanation = explain(base, head);
  EXPECT_EQ(explanation.functions.size(), 4u) << "two are gone and two are new";
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

/// A library of ten functions at one path, all with their names, or stripped but for what it exports.
CostGraph library_at_one_path(bool stripped, int64_t cost_of_kernel) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/prog").function("main", 100).in("???", "/lib/libops.so");
  const auto name = [&](const std::string& called, int number) {
    return stripped ? fmt::format("0x{:016x}", 0x1000 + 0x40 * number) : called;
  };
  graph.function("ops_mul", 500).calls("main", "ops_mul", 10, 20'000);
  const std::string kernel = name("mul_kernel(float*)", 0);
  graph.function(kernel, cost_of_kernel * 30).calls("ops_mul", kernel, 30, 30 * cost_of_kernel);
  for (int i = 1; i < 9; ++i) {
    const std::string helper = name(fmt::format("helper_{}()", i), i);
    graph.function(helper, 100 * i).calls("ops_mul", helper, 40 + i, 100 * i);
  }
  return graph.graph();
}

TEST(ExplainNamelessTest, ALibraryStrippedInPlaceIsReadByTheNamesOfTheOther) {
  const Explanation explanation = explain(library_at_one_path(false, 100), library_at_one_path(true, 150));
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`mul_kernel(float*)` itself costs 150 per call, was 100 (30 calls)");
  EXPECT_TRUE(says(note_sentences(explanation), "9 functions with a symbol on one side only"));
}

}  // namespace
}  // namespace icount
