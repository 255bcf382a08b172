// What a function without a partner is compared by: words of its name, its file and lines, callers and callees.
#include "icount/explain/match/likeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "icount/base/hash.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

class FunctionTraitsTest : public testing::Test {
 protected:
  /// Those of base's function, after `matched` was paired with the function of head of the same number.
  const FunctionTraits& traits(const GraphBuilder& built, const std::string& name, const std::string& matched = "") {
    graph_ = built.graph();
    folded_ = fold_graph(graph_, 0, false);
    Pairing pairing(folded_, folded_);
    if (!matched.empty()) pairing.add(number(matched), number(matched), MatchedBy::kName);
    all_ = read_traits(pairing, 0);
    return all_.at(number(name));
  }
  const FunctionTraits& traits(const std::string& name) {
    GraphBuilder built;
    built.in("src/scan.cc").function(name, 5);
    return traits(built, name);
  }
  uint32_t number(const std::string& name) const {
    for (uint32_t f = 0; f < folded_.functions.size(); ++f)
      if (folded_.functions[f].name == name) return f;
    throw std::runtime_error("no function " + name);
  }
  static std::vector<uint64_t> hashes(const std::vector<std::string>& words) {
    std::vector<uint64_t> found;
    for (const std::string& word : words) found.push_back(hash64(word));
    return found;
  }
  static std::vector<uint64_t> sorted_hashes(const std::vector<std::string>& words) {
    std::vector<uint64_t> found = hashes(words);
    std::sort(found.begin(), found.end());
    return found;
  }

  CostGraph graph_;
  FoldedGraph folded_;
  TraitsByFunction all_;
};

TEST_F(FunctionTraitsTest, WordsOfTheName) {
  const FunctionTraits& of = traits("ns::Map<int, Key_1>::find(int) const");
  EXPECT_EQ(of.plain_name, hash64("ns::Map::find"));
  EXPECT_EQ(of.last_word, hash64("find"));
  EXPECT_EQ(of.last_two_words, mix_keys(hash64("find"), hash64("Map")));
  EXPECT_EQ(of.words, sorted_hashes({"ns", "Map", "int", "Key_1", "find", "const"})) << "each once";
  EXPECT_EQ(of.arguments, hashes({"int", "Key_1"}));
  EXPECT_EQ(of.file, "scan.cc");
  EXPECT_EQ(of.file_name, hash64("scan.cc"));
  EXPECT_EQ(of.numberless_name, 0u);
  EXPECT_EQ(of.owner, 0u);
}

TEST_F(FunctionTraitsTest, ANameOfOneWordHasNoSecond) {
  EXPECT_EQ(traits("find").last_two_words, 0u);
  EXPECT_EQ(traits("A::find").last_two_words, mix_keys(hash64("find"), hash64("A")));
}

TEST_F(FunctionTraitsTest, AnAddressSaysNothing) {
  const FunctionTraits& of = traits("0x0000000000001234");
  EXPECT_EQ(of.plain_name, 0u);
  EXPECT_EQ(of.last_word, 0u);
  EXPECT_TRUE(of.words.empty());
  EXPECT_EQ(of.file, "scan.cc");
}

TEST_F(FunctionTraitsTest, AFileThatIsNotKnownSaysNothing) {
  for (const char* file : {"???", ""}) {
    GraphBuilder built;
    built.in(file).function("find", 5);
    const FunctionTraits& of = traits(built, "find");
    EXPECT_EQ(of.file, "");
    EXPECT_EQ(of.file_name, 0u);
    EXPECT_EQ(of.last_word, hash64("find"));
  }
}

TEST_F(FunctionTraitsTest, AFilesInitialisationIsKnownByTheFile) {
  EXPECT_EQ(traits("_GLOBAL__sub_I__ZN1A1bE").plain_name, hash64("_GLOBAL__sub_I_scan.cc"));
}

TEST_F(FunctionTraitsTest, ALambdaIsKnownByWhatItIsWrittenIn) {
  const FunctionTraits of = traits("ns::outer(int)::{lambda(int)#2}::operator()(int) const");
  EXPECT_EQ(of.owner, hash64("outer"));
  EXPECT_EQ(of.numberless_name, traits("ns::outer(int)::{lambda(int)#1}::operator()(int) const").numberless_name);
  EXPECT_NE(of.numberless_name, 0u);
  EXPECT_EQ(traits("ns::outer(int)::{lambda(int)#2}::_FUN(int)").owner, hash64("outer"));
  EXPECT_EQ(traits("ns::outer(int)::$_1::operator()(int) const").owner, hash64("outer"));
  EXPECT_EQ(traits("ns::outer(int)::'lambda0'(int)::operator()(int) const").owner, hash64("outer"));
  EXPECT_EQ(traits("a::outer()::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const").owner,
            hash64("operator()"))
      << "of the inner one the outer's body";
}

TEST_F(FunctionTraitsTest, ArgumentsThatDifferInALambdasNumberAreEqual) {
  const std::vector<uint64_t> first = traits("apply<f()::{lambda()#1}>()").arguments,
                              second = traits("apply<f()::{lambda()#2}>()").arguments;
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(first, second);
}

TEST_F(FunctionTraitsTest, TheFirstLineInItsOwnFile) {
  GraphBuilder built;
  built.in("src/a.cc").line("find", "src/a.cc", 12, 1).line("find", "src/a.cc", 9, 1).line("find", "src/b.h", 3, 1);
  EXPECT_EQ(traits(built, "find").line, 9u);
  EXPECT_EQ(traits("find").line, 0u);
}

/// main calls a and b; a calls b, c and itself; c calls a.
GraphBuilder calling() {
  GraphBuilder built;
  for (const char* name : {"main", "a", "b", "c"}) built.function(name, 5);
  return built.calls("main", "a", 2, 20)
      .calls("main", "b", 3, 30)
      .calls("a", "b", 4, 40)
      .calls("a", "a", 5, 50)
      .calls("a", "c", 6, 60)
      .calls("c", "a", 7, 70);
}

TEST_F(FunctionTraitsTest, CallersAndCallees) {
  const FunctionTraits of_a = traits(calling(), "a"), of_b = traits(calling(), "b");
  EXPECT_EQ(of_a.calls, 2 + 5 + 7);
  EXPECT_EQ(of_b.calls, 3 + 4);
  ASSERT_EQ(of_b.callers.size(), 2u);
  EXPECT_TRUE(of_b.callees.empty());
  for (const Neighbour& caller : of_b.callers) {
    const bool is_main = caller.function == number("main");
    EXPECT_EQ(caller.function, is_main ? number("main") : number("a"));
    EXPECT_EQ(caller.calls, is_main ? 3 : 4);
    EXPECT_EQ(caller.inclusive, is_main ? 30 : 40);
  }
  EXPECT_EQ(of_a.callers.size(), 3u);
  EXPECT_EQ(of_a.callees.size(), 3u);
}

TEST_F(FunctionTraitsTest, CalleesOfACycle) {
  const auto in_cycle = [&](const std::string& name, const std::string& matched = "") {
    std::string found;
    const FunctionTraits of = traits(calling(), name, matched);
    for (const Neighbour& callee : of.callees)
      if (callee.is_of_cycle) found += std::string(folded_.functions[callee.function].name) + " ";
    return found;
  };
  EXPECT_EQ(in_cycle("main"), "");
  EXPECT_TRUE(in_cycle("a") == "a c " || in_cycle("a") == "c a ") << in_cycle("a");
  EXPECT_EQ(in_cycle("c"), "a ");
  EXPECT_EQ(in_cycle("a", "c"), "a ") << "c has a partner";
  EXPECT_EQ(in_cycle("c", "a"), "");
}

TEST_F(FunctionTraitsTest, WordsAtWhichSeveralNamesEnd) {
  GraphBuilder built;
  for (const char* name : {"A::get()", "B::get()", "A::put()", "A::run(int)", "A::run(long)"}) built.function(name, 1);
  EXPECT_TRUE(traits(built, "A::get()").is_frequent_word);
  EXPECT_TRUE(traits(built, "B::get()").is_frequent_word);
  EXPECT_FALSE(traits(built, "A::put()").is_frequent_word);
  EXPECT_FALSE(traits(built, "A::run(int)").is_frequent_word) << "overloads have one plain name";
  EXPECT_FALSE(traits(built, "A::get()", "B::get()").is_frequent_word) << "the other has a partner";
  GraphBuilder addresses;
  addresses.function("0x0000000000001234", 1).function("0x0000000000005678", 1);
  EXPECT_FALSE(traits(addresses, "0x0000000000001234").is_frequent_word);
}

}  // namespace
}  // namespace icount
