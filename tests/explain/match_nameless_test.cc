// Functions without a name: matched by figures and places, jumps through tables; names on one side alone.
#include "icount/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/match.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

std::string at(int64_t address) { return fmt::format("0x{:016x}", address); }

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

/// A program of four functions that calls memcpy so often; its own functions have the names `of`.
CostGraph program(const std::array<std::string, 4>& of, const char* object, int64_t copies) {
  GraphBuilder graph;
  graph.in("a.c", object).function(of[0], 100).function(of[1], 500).function(of[2], 300).function(of[3], 100);
  graph.in("copy.c", "/lib/libc.so.6").function("memcpy", 10 * copies);
  return graph.calls(of[0], of[1], 5)
      .calls(of[1], of[2], 30)
      .calls(of[2], of[3], 9)
      .calls(of[2], "memcpy", copies)
      .graph();
}

/// "symbols, symbols; note"
std::string told(const CostGraph& base, const CostGraph& head) {
  const Explanation explanation = explain(base, head);
  std::vector<std::string> sentences;
  for (const Cause& cause : explanation.causes) sentences.push_back(cause_sentence(cause));
  for (std::string& note : note_sentences(explanation)) sentences.push_back(std::move(note));
  return fmt::format("{}", fmt::join(sentences, "; "));
}

TEST(StrippedObjectTest, AnObjectThatHasThemOnOneSideIsOneFunction) {
  const std::array<std::string, 4> names = {"main", "read", "parse", "put"},
                                   none = {at(0x1100), at(0x1200), at(0x1300), at(0x1400)},
                                   most = {"main", "read", "parse", at(0x1400)},
                                   some = {"main", at(0x1200), "parse", "put"};
  EXPECT_EQ(
      told(program(names, "/old/app", 20), program(none, "/new/app", 70)),
      "`app` calls `memcpy` 70 times, was 20, at 10 each; `app` has no symbols in head: all its functions count as "
      "one");
  EXPECT_EQ(
      told(program(none, "/old/app", 70), program(names, "/new/app", 20)),
      "`app` calls `memcpy` 20 times, was 70, at 10 each; `app` has no symbols in base: all its functions count as "
      "one");
  EXPECT_EQ(told(program(none, "/old/app", 20), program(none, "/new/app", 70)).find("count as one"), std::string::npos);
  EXPECT_EQ(find_stripped_objects(program(most, "app", 1), program(some, "app", 1), "Ir").size(), 1u)
      << "by their cost";
  EXPECT_EQ(find_stripped_objects(program(names, "app", 1), program(most, "app", 1), "Ir").size(), 0u)
      << "nine tenths have one";
  GraphBuilder few;
  few.in("a.c", "app").function(at(0x1100), 10);
  EXPECT_EQ(find_stripped_objects(program(names, "app", 1), few.graph(), "Ir").size(), 0u);
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
