// How alike two functions are: what is known of each, points for it, and when they are enough.
#include "icount/explain/match/likeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "icount/base/hash.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(LikenessTest, ASimilarNameNeedsFivePoints) {
  const auto convinces = [](double name, double score) { return Likeness{.name = name, .score = score}.convinces(); };
  EXPECT_TRUE(convinces(2, 5));
  EXPECT_FALSE(convinces(2, 4.99));
  EXPECT_TRUE(convinces(4, 5));
  EXPECT_FALSE(convinces(1.9, 5)) << "no similar name";
}

TEST(LikenessTest, OnTheSameLinesFiveAndAHalfDo) {
  const Likeness enough{.place = 2.5, .callers = 2, .calls = 1, .score = 5.5, .matters = true};
  const auto with = [&](auto&& change) {
    Likeness other = enough;
    change(other);
    return other.convinces();
  };
  EXPECT_TRUE(enough.convinces());
  EXPECT_FALSE(with([](Likeness& one) { one.score = 5.49; }));
  EXPECT_FALSE(with([](Likeness& one) { one.place = 1; }));
  EXPECT_FALSE(with([](Likeness& one) { one.callers = 1.9; })) << "other callers";
  EXPECT_FALSE(with([](Likeness& one) { one.calls = 0; }));
  EXPECT_FALSE(with([](Likeness& one) { one.matters = false; }));
}

TEST(LikenessTest, TheNameDecidesThenArgumentsThenLinesThenFigures) {
  const auto is_better = [](const Likeness& one, const Likeness& other) {
    EXPECT_FALSE(one.is_better_than(other) && other.is_better_than(one));
    return one.is_better_than(other);
  };
  EXPECT_TRUE(is_better({.name = 3, .score = 5}, {.name = 2, .score = 9})) << "the same name before a similar one";
  EXPECT_TRUE(is_better({.name = 2, .score = 5}, {.name = 1.9, .score = 9})) << "a similar one before another";
  EXPECT_TRUE(is_better({.name = 3, .score = 5, .arguments = 1}, {.name = 3, .score = 9, .arguments = 0.5}));
  EXPECT_TRUE(is_better({.name = 2, .score = 9, .arguments = 0.5}, {.name = 2, .score = 5, .arguments = 1}))
      << "arguments count for the same name alone";
  EXPECT_TRUE(is_better({.name = 2, .score = 5}, {.name = 2, .score = 9, .contradicts_lines = true}));
  EXPECT_TRUE(is_better({.name = 2, .place = 2.5, .score = 5}, {.name = 2, .place = 1, .score = 9}));
  EXPECT_TRUE(is_better({.name = 1, .place = 1, .score = 9}, {.name = 1, .place = 2.5, .score = 5}))
      << "under another name lines are points among others";
  EXPECT_TRUE(is_better({.name = 4, .score = 9}, {.name = 3, .score = 8}));
  EXPECT_FALSE(is_better({.name = 4, .score = 8}, {.name = 3, .score = 8})) << "equal";
}

TEST(LikenessTest, WordsSayWhatIsTheSame) {
  EXPECT_EQ((Likeness{}.words()), "similar name");
  EXPECT_EQ((Likeness{.name = 4}.words()), "same except for the number or place of a closure");
  EXPECT_EQ((Likeness{.name = 3, .place = 2.5}.words()), "same place in the file");
  EXPECT_EQ((Likeness{.place = 1, .callers = 1.5}.words()), "same callers");
  EXPECT_EQ((Likeness{.callers = 1.4, .callees = 1.5}.words()), "same callees");
  EXPECT_EQ((Likeness{.callers = 1.4, .callees = 1.4, .cost = 1}.words()), "similar name");
  EXPECT_EQ((Likeness{.callers = 1.5, .callees = 1.5}.words()), "same callers and callees");
  EXPECT_EQ((Likeness{.callers = 2, .callees = 2, .cost = 2, .calls = 1}.words()),
            "same callers and callees, same cost per call, same number of calls");
}

/// Two programs in which main calls p, q, r and a function that is `alpha` in base and `omega` in head.
class CompareTest : public testing::Test {
 protected:
  static CostGraph program(const char* name, int64_t self, int64_t total, const char* file, const char* object) {
    GraphBuilder graph;
    graph.in("main.c", "/bin/prog").function("main", total - self);
    for (const char* other : {"p", "q", "r"}) graph.function(other, 0).calls("main", other, 1);
    return graph.in(file, object).function(name, self).calls("main", name, 10).graph();
  }

  static uint32_t index_of(const FoldedGraph& graph, std::string_view name) {
    uint32_t f = 0;
    while (graph.functions.at(f).name != name) ++f;
    return f;
  }
  /// Of traits whose callers and callees are numbers in "-pqr".
  static FunctionTraits numbered(FunctionTraits traits, const FoldedGraph& graph) {
    for (auto* neighbours : {&traits.callers, &traits.callees})
      for (Neighbour& one : *neighbours)
        one.function = index_of(graph, std::string_view("-pqr").substr(one.function, 1));
    return traits;
  }

  /// p and q are matched. Callers and callees are 1, 2 and 3 for p, q and r.
  Likeness compared(const FunctionTraits& base, const FunctionTraits& head, int64_t base_self = 1000,
                    int64_t head_self = 1000, int64_t total = 5000, const char* name = "omega",
                    const char* head_file = "a.c", const char* head_object = "/bin/prog") {
    const CostGraph before = program("alpha", base_self, total, "a.c", "/bin/prog"),
                    after = program(name, head_self, total, head_file, head_object);
    const FoldedGraph left = fold_graph(before, 0, false), right = fold_graph(after, 0, false);
    Pairing pairing(left, right);
    for (const char* matched : {"p", "q"})
      pairing.add(index_of(left, matched), index_of(right, matched), MatchedBy::kName);
    const FunctionTraits one = numbered(base, left), other = numbered(head, right);
    return compare(pairing, LineShifts(), {index_of(left, "alpha"), &one}, {index_of(right, name), &other});
  }

  static FunctionTraits traits(int64_t calls = 10) {
    FunctionTraits made;
    made.plain_name = 1;
    made.calls = calls;
    return made;
  }
  static FunctionTraits called_by(const std::vector<uint32_t>& functions, bool calls_them = false) {
    FunctionTraits made = traits();
    for (const uint32_t f : functions) (calls_them ? made.callees : made.callers).push_back({f, 1, 1});
    return made;
  }
};

TEST_F(CompareTest, PointsForNames) {
  const auto points = [&](auto&& change_base, auto&& change_head) {
    FunctionTraits base = traits(), head = traits();
    base.words = head.words = {1, 2, 3, 4};
    base.last_word = head.last_word = 4;
    base.last_two_words = head.last_two_words = 34;
    head.plain_name = 2;
    change_base(base);
    change_head(head);
    return compared(base, head).name;
  };
  const auto none = [](FunctionTraits&) {};
  EXPECT_EQ(points(none, [](FunctionTraits& one) { one.plain_name = 1; }), 3) << "the same name";
  EXPECT_EQ(points(none, [](FunctionTraits& one) { one.plain_name = 0; }), 0) << "an address";
  EXPECT_EQ(points([](FunctionTraits& one) { one.plain_name = 0; }, none), 0);
  const auto lambda = [](FunctionTraits& one) { one.numberless_name = 7; };
  EXPECT_EQ(points(lambda, lambda), 4) << "but for a lambda's number";
  EXPECT_LT(points(lambda, [](FunctionTraits& one) { one.numberless_name = 8; }), 4);
  EXPECT_EQ(points(none, none), 2.5) << "all words, and the last one";
  EXPECT_EQ(points(none, [](FunctionTraits& one) { one.words = {4, 5, 6}; }), 2.125) << "the last word and one of four";
  const auto other_end = [](FunctionTraits& one) { one.last_word = 9; };
  EXPECT_EQ(points(none, other_end), 2) << "all words, another end";
  EXPECT_EQ(points(none,
                   [](FunctionTraits& one) {
                     one.words = {1, 8};
                     one.last_word = 8;
                   }),
            0.5)
      << "one word of four";
  EXPECT_EQ(points(none, [](FunctionTraits& one) { one.owner = 5; }), 1.9) << "a lambda of another function";
  const auto frequent = [](FunctionTraits& one) { one.is_frequent_word = true; };
  EXPECT_EQ(points(frequent, none), 2.5) << "the class agrees";
  EXPECT_EQ(points(frequent, [](FunctionTraits& one) { one.last_two_words = 94; }), 1.9);
  EXPECT_EQ(points(none, [](FunctionTraits& one) { one.last_two_words = 94; }), 2.5);
  EXPECT_EQ(points(none,
                   [](FunctionTraits& one) {
                     one.is_frequent_word = true;
                     one.last_two_words = 94;
                   }),
            1.9);
}

TEST_F(CompareTest, PartOfTheTemplateArguments) {
  const auto part = [&](std::vector<uint64_t> base, std::vector<uint64_t> head) {
    FunctionTraits a = traits(), b = traits();
    a.arguments = std::move(base);
    b.arguments = std::move(head);
    const double found = compared(a, b).arguments;
    EXPECT_EQ(compared(b, a).arguments, found);
    return found;
  };
  EXPECT_EQ(part({}, {}), 1);
  EXPECT_EQ(part({1, 2}, {1, 2}), 1);
  EXPECT_EQ(part({1, 2}, {1, 3}), 0.5) << "one exchanged";
  EXPECT_EQ(part({1, 2}, {2, 1}), 0.5) << "the order counts";
  EXPECT_EQ(part({1}, {1, 2}), 0.75) << "one more counts less than one exchanged";
  EXPECT_EQ(part({}, {1}), 0);
  EXPECT_EQ(part({1, 2, 3, 4}, {1, 5, 3, 4}), 0.75);
  EXPECT_EQ(part({1, 2, 3}, {2, 3, 4}), 2.0 / 3);
  std::vector<uint64_t> many(65, 7), other = many;
  other.back() = 8;
  EXPECT_EQ(part(many, many), 1);
  EXPECT_EQ(part(many, other), 0) << "more than 64 are the same or not";
  many.pop_back();
  other.erase(other.begin());
  EXPECT_EQ(part(many, other), 63.0 / 64);
}

TEST_F(CompareTest, CallersAndCalleesCountByThePartThatBothHave) {
  const auto callers = [&](std::vector<uint32_t> base, std::vector<uint32_t> head) {
    const double of_callees = compared(called_by(base, true), called_by(head, true)).callees;
    EXPECT_EQ(compared(called_by(base), called_by(head)).callers, of_callees);
    return of_callees;
  };
  EXPECT_EQ(callers({}, {}), 0.5) << "nothing to compare";
  EXPECT_EQ(callers({1}, {1}), 2);
  EXPECT_EQ(callers({1, 2}, {1, 2}), 2);
  EXPECT_EQ(callers({1, 2}, {1}), 1);
  EXPECT_EQ(callers({1}, {2}), 0);
  EXPECT_EQ(callers({1}, {}), 0);
  EXPECT_EQ(callers({3}, {3}), 1) << "open ones count half";
  EXPECT_EQ(callers({1, 3}, {1, 3}), 1.5);
}

TEST_F(CompareTest, CostAndCallsPerCall) {
  const auto cost = [&](int64_t base, int64_t head) {
    const double points = compared(traits(), traits(), base, head).cost;
    EXPECT_EQ(compared(traits(), traits(), head, base).cost, points);
    return points;
  };
  EXPECT_EQ(cost(1000, 1000), 2);
  EXPECT_EQ(cost(1000, 951), 1);
  EXPECT_EQ(cost(1000, 949), 0.5);
  EXPECT_EQ(cost(1000, 701), 0.5);
  EXPECT_EQ(cost(1000, 699), 0);
  EXPECT_EQ(cost(900, 300), 0) << "a third";
  EXPECT_EQ(cost(900, 299), -1) << "less than a third";
  EXPECT_EQ(compared(traits(10), traits(20), 1000, 2000).cost, 2) << "per call";
  EXPECT_EQ(compared(traits(0), traits(1), 1000, 1000).cost, 2) << "what is never called is taken as called once";
  EXPECT_EQ(compared(traits(10), traits(10)).calls, 1);
  EXPECT_EQ(compared(traits(10), traits(11)).calls, 0);
}

TEST_F(CompareTest, TheScoreIsTheSumOfThePoints) {
  const Likeness found = compared(called_by({1, 2}), called_by({1}));
  EXPECT_EQ(found.name, 3);
  EXPECT_EQ(found.score, 3 + 0 + 1 + 0.5 + 2 + 1) << "name, place, callers, callees, cost, calls";
  EXPECT_EQ(compared(called_by({1, 2}), called_by({1}), 1000, 1000, 5000, "alpha").score, 7.5 + 0.75)
      << "the very same name";
  EXPECT_EQ(compared(called_by({1, 2}), called_by({1}), 1000, 1000, 5000, "omega", "a.c", "/lib/other.so").score,
            7.5 - 1)
      << "in another library";
  FunctionTraits base = called_by({1, 2}), head = called_by({1});
  base.file_name = 1;
  head.file_name = 2;
  EXPECT_EQ(compared(base, head).score, 7.5 - 1.5) << "in another file";
  head.file_name = 1;
  EXPECT_EQ(compared(base, head).score, 7.5 + 1) << "in the same file";
  head.file_name = 0;
  EXPECT_EQ(compared(base, head).score, 7.5) << "an unknown file is no other one";
}

TEST_F(CompareTest, LambdasOfTwoFunctionsAreTwo) {
  const auto is_another = [&](uint64_t base_owner, uint64_t head_owner, uint64_t head_name) {
    FunctionTraits base = traits(), head = traits();
    base.owner = base_owner;
    head.owner = head_owner;
    head.plain_name = head_name;
    return compared(base, head).is_another_lambda;
  };
  EXPECT_TRUE(is_another(1, 2, 9));
  EXPECT_FALSE(is_another(1, 1, 9));
  EXPECT_FALSE(is_another(1, 0, 9)) << "no lambda";
  EXPECT_FALSE(is_another(0, 2, 9));
  EXPECT_FALSE(is_another(1, 2, 1)) << "the same name";
}

TEST_F(CompareTest, TheFirstLineOfAFileIsALine) {
  const auto contradicts = [&](uint64_t base_line, uint64_t head_line) {
    FunctionTraits base = traits(), head = traits();
    base.file_name = 5;
    head.file_name = 6;
    base.line = base_line;
    head.line = head_line;
    return compared(base, head).contradicts_lines;
  };
  EXPECT_TRUE(contradicts(1, 1)) << "in another file";
  EXPECT_FALSE(contradicts(0, 1));
  EXPECT_FALSE(contradicts(1, 0));
}

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

}  // namespace
}  // namespace icount
