#include "icount/mine/attribution.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include "icount/base/error.h"
#include "icount/callgraph/function_code.h"
#include "icount/explain/explain.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/mine/cause_parts.h"
#include "support/graph_builder.h"
#include "support/reversed_diff.h"

namespace icount {
namespace {

using Share = PlacedShare;

/// Two sides' texts by path, with a diff in between; as a repository would give them.
class Commits {
 public:
  Commits& file(const std::string& path, const std::string& base, const std::string& head) {
    texts_[0][path] = base;
    texts_[1][path] = head;
    return *this;
  }
  Commits& diff(const std::string& text) {
    diff_ += text;
    return *this;
  }
  CommitSources sources() const {
    CommitSources sources;
    sources.diff = parse_diff(diff_, "test");
    sources.text = [texts = texts_](size_t side, const std::string& path) -> std::optional<std::string> {
      const auto found = texts[side].find(path);
      return found == texts[side].end() ? std::nullopt : std::optional(found->second);
    };
    sources.has = [texts = texts_](size_t side, const std::string& path) { return texts[side].contains(path); };
    return sources;
  }

 private:
  std::array<std::map<std::string, std::string>, 2> texts_;
  std::string diff_;
};

/// A change written down share by share.
class Change {
 public:
  Change() {
    change_.knows_lines = change_.knows_inlined = {true, true};
    for (auto& chains : change_.chains) chains.emplace_back();
  }
  /// A function whose code differs on both sides, unless told otherwise.
  uint32_t function(const std::string& name, const std::string& file = "/w/a.c", bool same_code = false) {
    change_.functions.push_back({name, "prog", {file, file}, same_code, true});
    return static_cast<uint32_t>(change_.functions.size() - 1);
  }
  void library(const std::string& name) { change_.functions.push_back({name, "/lib/libc.so.6", {}, true, true}); }
  /// `lines`: innermost first, "a.c:12 a.c:3".
  void own(size_t side, uint32_t f, const std::string& lines, long double value) {
    const uint32_t chain = add_chain(side, lines);
    if (chain != 0) change_.executed[side].push_back({f, chain, 7});
    change_.shares.push_back(
        {.of = Share::Of::kOwnCost, .side = static_cast<uint8_t>(side), .function = f, .chain = chain, .value = value});
  }
  void calls(size_t side, uint32_t f, uint32_t g, const std::string& lines, long double value, bool one_side = false) {
    change_.shares.push_back({.of = Share::Of::kCalls,
                              .side = static_cast<uint8_t>(side),
                              .is_of_one_side = one_side,
                              .function = f,
                              .callee = g,
                              .chain = add_chain(side, lines),
                              .value = value});
    change_.calls.emplace_back(f, g);
  }
  void file(const std::string& name) { change_.files.push_back(name); }
  void call(uint32_t f, uint32_t g) { change_.calls.emplace_back(f, g); }
  void ran(size_t side, uint32_t f, const std::string& lines, int64_t executions) {
    change_.executed[side].push_back({f, add_chain(side, lines), executions});
  }
  const PlacedChange& get() const { return change_; }
  int64_t total() const {
    long double sum = 0;
    for (const Share& share : change_.shares) sum += share.value;
    return static_cast<int64_t>(sum);
  }

 private:
  uint32_t add_chain(size_t side, const std::string& lines) {
    if (lines.empty()) return 0;
    PlaceChain chain;
    for (size_t at = 0; at < lines.size();) {
      const size_t colon = lines.find(':', at), end = std::min(lines.find(' ', at), lines.size());
      const std::string file = "/w/" + lines.substr(at, colon - at);
      const auto found = std::find(change_.files.begin(), change_.files.end(), file);
      const auto number = static_cast<uint32_t>(found - change_.files.begin());
      if (found == change_.files.end()) change_.files.push_back(file);
      chain.push_back({number, std::stoull(lines.substr(colon + 1, end - colon - 1))});
      at = end + 1;
    }
    change_.chains[side].push_back(chain);
    return static_cast<uint32_t>(change_.chains[side].size() - 1);
  }

  PlacedChange change_;
};

/// "a.c:2 +30 changed_lines=30 ran", then "outside +2 libraries=2", one line each.
std::string told(const Mine& mine) {
  std::string text;
  for (const MineUnit& unit : mine.units) {
    for (const uint32_t h : unit.hunks) text += fmt::format("{}:{} ", mine.hunks[h].path, mine.hunks[h].line);
    text += fmt::format("{:+}", unit.delta);
    for (size_t why = 0; why < kHunkShares; ++why)
      if (unit.shares[why] != 0) text += fmt::format(" {}={}", to_text(static_cast<HunkShare>(why)), unit.shares[why]);
    text += unit.is_executed ? " ran\n" : "\n";
  }
  text += fmt::format("outside {:+}", mine.outside.delta);
  for (size_t why = 0; why < kOutsideReasons; ++why)
    if (mine.outside.reasons[why] != 0)
      text += fmt::format(" {}={}", to_text(static_cast<OutsideReason>(why)), mine.outside.reasons[why]);
  return text;
}

std::string told(const Change& change, const Commits& commits) {
  return told(attribute_change(change.get(), commits.sources(), change.total()));
}

// Two functions; line 2 of f changes, and behind g line 9 is new.
const char* const kBase =
    "int f(int a) {\n  return a;\n}\nint g(int a) {\n  int b = a;\n  return b;\n}\nint h() {\n}\n";
const char* const kHead =
    "int f(int a) {\n  return a + 1;\n}\nint g(int a) {\n  int b = a;\n  return b;\n}\nint h() {\n  int unused;\n}\n";
const char* const kDiff =
    "--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-  return a;\n+  return a + 1;\n@@ -8,0 +9 @@\n+  int unused;\n";

Commits two_hunks() { return Commits().file("a.c", kBase, kHead).diff(kDiff); }

TEST(Attribution, GivesChangedLinesTheirCostAndTheirCalls) {
  Change change;
  const uint32_t f = change.function("f"), g = change.function("g");
  change.own(0, f, "a.c:2", -10);
  change.own(1, f, "a.c:2", 40);
  change.calls(1, f, g, "a.c:2", 100);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +130 changed_lines=30 calls=100 ran\na.c:9 +0\noutside +0");
}

TEST(Attribution, LooksOutwardsThroughInlinedCalls) {
  Change change;
  const uint32_t main = change.function("main", "/w/m.c");
  change.own(1, main, "lib.h:7 a.c:2 m.c:1", 50);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +50 changed_lines=50 ran\na.c:9 +0\noutside +0");
}

TEST(Attribution, GivesTheRestOfAChangedFunctionToItsHunk) {
  Change change;
  const uint32_t f = change.function("f");
  change.own(1, f, "a.c:3", 5);  // not executed: the function around it was compiled differently
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +5 same_function=5\na.c:9 +0\noutside +0");
}

TEST(Attribution, GivesCodeInlinedIntoAChangedFunctionToItsHunk) {
  Change change;
  const uint32_t f = change.function("f");
  change.own(1, f, "lib.h:7 a.c:2", 1);
  change.ran(1, f, "a.c:3", 1);
  change.own(1, f, "", 6);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +7 changed_lines=1 inlined_into=6 ran\na.c:9 +0\noutside +0");
}

TEST(Attribution, GivesACallThatOneSideMakesToTheChangedCallee) {
  Change change;
  const uint32_t main = change.function("main", "/w/m.c"), f = change.function("f"), malloc = change.function("malloc");
  change.ran(1, f, "a.c:2", 3);
  change.calls(1, main, f, "m.c:1", 60, true);
  change.own(0, main, "m.c:1", -20);           // what was inlined before
  change.calls(0, main, malloc, "m.c:1", -5);  // f calls it now
  change.call(f, malloc);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +35 call_made_or_inlined=35 ran\na.c:9 +0\noutside +0");
}

TEST(Attribution, GivesOtherWorkOfUnchangedCodeToTheNearestExecutedHunkAboveIt) {
  Change change;
  const uint32_t f = change.function("f"), below = change.function("below", "/w/b.c", true),
                 other = change.function("other", "/w/b.c", true);
  change.ran(1, f, "a.c:2", 3);
  change.call(f, below);
  change.own(1, below, "b.c:1", 8);
  change.own(1, other, "b.c:9", 2);  // nothing that changed calls it
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +8 other_work=8 ran\na.c:9 +0\noutside +2 other_work=2");
}

// What one input makes unchanged code do more often follows from what changed: from the only hunk that can act.
TEST(Attribution, GivesOtherWorkToTheOnlyUnitThatCanAct) {
  Change change;
  change.ran(1, change.function("f"), "a.c:2", 3);
  change.own(1, change.function("other", "/w/b.c", true), "b.c:9", 2);
  const auto with = [&](RunFacts runs) { return told(attribute_change(change.get(), two_hunks().sources(), 2, runs)); };
  const std::string left = "a.c:2 +0 ran\na.c:9 +0\noutside +2 other_work=2";
  EXPECT_EQ(with({}), left) << "the input may be another";
  EXPECT_EQ(with({.has_same_input = true}), "a.c:2 +2 other_work=2 ran\na.c:9 +0\noutside +0");
  EXPECT_EQ(with({.counts_a_part = true, .has_same_input = true}), left) << "line 9 may run in the set-up";
  Change loader;
  loader.library("do_lookup_x");
  loader.own(1, 0, "", 2);
  const CommitSources pragma =
      Commits().file("a.c", "", "#pragma x\n").diff("--- a/a.c\n+++ b/a.c\n@@ -0,0 +1 @@\n+#pragma x\n").sources();
  EXPECT_EQ(told(attribute_change(loader.get(), pragma, 2, {.has_same_input = true})),
            "a.c:1 +0\noutside +2 libraries=2");
}

// What a library does otherwise may depend on where memory lies: not on the one of its callers that changed.
TEST(Attribution, GivesALibrarysWorkToTheUnitThatAllOfItsCallersHave) {
  Change change;
  const uint32_t f = change.function("f"), h = change.function("h", "/w/b.c", true);
  change.library("malloc");
  change.ran(1, f, "a.c:2", 3);
  change.own(1, 2, "", 8);
  change.call(f, 2);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +8 other_work=8 ran\na.c:9 +0\noutside +0");
  change.call(h, 2);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +0 ran\na.c:9 +0\noutside +8 libraries=8");
}

// An argument that is now passed by value is copied where the function is called.
TEST(Attribution, GivesALineThatCallsAFunctionToTheHunkThatChangedItsHead) {
  const std::string rest = " {\n  return 1;\n}\nint g() {\n  T a;\n  return f(a);\n}\n";
  const Commits commits = Commits()
                              .file("a.c", "int f(const T& a)" + rest, "int f(T a)" + rest)
                              .diff("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-int f(const T& a)\n+int f(T a)\n");
  Change change;
  const uint32_t g = change.function("g");
  change.own(1, g, "vector.h:7 a.c:6", 40);
  change.own(1, g, "a.c:5", 3);
  EXPECT_EQ(told(change, commits), "a.c:1 +40 head=40\noutside +3 compiled_differently=3");
}

TEST(Attribution, GivesMoreCallsOfUnchangedLinesToTheOnlyUnitThatMayDecideThem) {
  const Commits commits = Commits()
                              .file("a.c", "int f() {\n  return 1;\n}\nint g() {\n  return 1;\n}\n",
                                    "int f() {\n  return 2;\n}\nint g() {\n  return 2;\n}\n")
                              .diff(
                                  "--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-  return 1;\n+  return 2;\n@@ -5 +5 @@\n"
                                  "-  return 1;\n+  return 2;\n");
  for (const std::string inside : {"a.c:1", "a.c:5"}) {
    Change change;
    const uint32_t main = change.function("main", "/w/m.c"), grow = change.function("grow", "/w/g.c");
    change.ran(1, main, "a.c:2 m.c:4", 9);
    change.ran(1, grow, inside + " g.c:1", 9);
    change.calls(1, main, grow, "m.c:7", 60);
    EXPECT_EQ(told(attribute_change(change.get(), commits.sources(), 60)),
              inside == "a.c:1" ? "a.c:2 +60 inlined=60 ran\na.c:5 +0\noutside +0"
                                : "a.c:2 +0 ran\na.c:5 +0 ran\noutside +60 other_work=60")
        << "the callee has a hunk inside that may be the reason as well";
  }
}

// A static constant of a type is data, and its type does not change with it.
TEST(Attribution, GivesOtherWorkToAConstantOfAType) {
  const auto with = [](const char* value) {
    return fmt::format(
        "struct Table {{\n  static constexpr float limit = {};\n  Table() {{\n    a = limit;\n  }}\n}};\n", value);
  };
  const Commits commits = Commits()
                              .file("t.h", with("0.8F"), with("0.5F"))
                              .diff(
                                  "--- a/t.h\n+++ b/t.h\n@@ -2 +2 @@\n-  static constexpr float limit = 0.8F;\n"
                                  "+  static constexpr float limit = 0.5F;\n");
  Change change;
  const uint32_t main = change.function("main", "/w/m.c", true), grow = change.function("grow", "/w/v.h", true);
  change.own(1, main, "t.h:3 m.c:1", 6);
  change.own(1, main, "t.h:4 m.c:1", 8);
  change.call(main, grow);
  change.own(1, grow, "v.h:5", 2);
  const Mine mine = attribute_change(change.get(), commits.sources(), change.total());
  EXPECT_EQ(told(mine), "t.h:2 +16 data=16\noutside +0");
  EXPECT_EQ(mine.hunks[0].data + " " + mine.hunks[0].type, "limit ");
}

// Code that is as it was is not compiled otherwise by a hunk inside it that is not executed.
TEST(Attribution, AccusesNoHunkThatIsNotExecutedInTheSameCode) {
  Change change;
  change.own(1, change.function("f", "/w/a.c", true), "a.c:3", 5);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +0\na.c:9 +0\noutside +5 other_work=5");
}

// A table and a text are data: what they change is elsewhere.
TEST(Attribution, GivesOtherWorkToTheInitialValueThatTheFunctionReads) {
  const char* const text = "static const int table[] = {\n  %,\n};\nint f(int a) {\n  return table[a];\n}\n";
  const auto with = [&](const char* value) { return std::string(text).replace(std::string(text).find('%'), 1, value); };
  const Commits commits =
      Commits().file("a.c", with("1"), with("2")).diff("--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-  1,\n+  2,\n");
  Change change;
  const uint32_t f = change.function("f", "/w/a.c", true), g = change.function("g", "/w/b.c", true);
  change.own(1, f, "a.c:5", 8);
  change.own(1, g, "b.c:5", 2);
  EXPECT_EQ(told(change, commits), "a.c:2 +8 data=8\noutside +2 other_work=2");
}

TEST(Attribution, JoinsATextWithTheHunksOfFunctionsThatBranchOtherwise) {
  const Commits commits =
      Commits()
          .file("a.c", "int f(int a) {\n  if (a)\n    g();\n  return 1;\n}\nint h() {\n  set(\"a\");\n}\n",
                "int f(int a) {\n  if (a)\n    g();\n  return 2;\n}\nint h() {\n  set(\"ab\\\"\");\n}\n")
          .diff(
              "--- a/a.c\n+++ b/a.c\n@@ -4 +4 @@\n-  return 1;\n+  return 2;\n@@ -7 +7 @@\n-  set(\"a\");\n"
              "+  set(\"ab\\\"\");\n");
  for (const int64_t calls : {5, 6}) {
    Change change;
    const uint32_t f = change.function("f"), h = change.function("h");
    change.ran(1, h, "a.c:7", 1);
    change.own(1, f, "a.c:4", 8);
    for (const size_t side : {0, 1}) {
      change.ran(side, f, "a.c:2", 10);
      change.ran(side, f, "a.c:3", side == 0 ? 5 : calls);
    }
    EXPECT_EQ(told(change, commits), calls == 5 ? "a.c:4 +8 changed_lines=8 ran\na.c:7 +0 ran\noutside +0"
                                                : "a.c:4 a.c:7 +8 changed_lines=8 ran\noutside +0");
  }
}

TEST(Attribution, NamesWhatIsOutsideOfTheDiff) {
  Change change;
  const uint32_t g = change.function("g");
  change.library("strlen");
  change.own(0, g, "a.c:5", -4);
  change.own(1, g, "a.c:5", 10);
  change.own(1, 1, "", 3);
  EXPECT_EQ(told(change, two_hunks()), "a.c:2 +0\na.c:9 +0\noutside +9 compiled_differently=6 libraries=3");
  const Mine mine = attribute_change(change.get(), two_hunks().sources(), 9);
  ASSERT_EQ(mine.outside.functions.size(), 2u);
  EXPECT_EQ(mine.outside.functions[0].function, "g");
}

/// "unit 0 changed_lines +10, outside libraries +2".
std::string parts_told(const Mine& mine, const Cause& cause) {
  std::string text;
  for (const CausePart& part : parts_of(mine, cause))
    text += fmt::format("{}{} {} {:+}", text.empty() ? "" : ", ",
                        part.unit == kNoUnit ? "outside" : fmt::format("unit {}", part.unit), part.how, part.delta);
  return text;
}

TEST(Attribution, TellsWhoseACauseIs) {
  Change change;
  const uint32_t f = change.function("f"), g = change.function("g");
  change.library("strlen");
  change.own(1, f, "a.c:2", 40);
  change.own(1, f, "a.c:3", 5);
  change.calls(1, f, g, "a.c:2", 100);
  change.calls(1, f, 2, "a.c:3", 7);
  change.own(1, 2, "", 3);
  const Mine mine = attribute_change(change.get(), two_hunks().sources(), change.total());
  Cause own{.kind = CauseKind::kOwnCost, .function = "f", .delta = 45}, calls{.kind = CauseKind::kCalls, .delta = 100};
  calls.caller = "f";
  calls.callee = "g";
  EXPECT_EQ(parts_told(mine, own), "unit 0 changed_lines +40, unit 0 same_function +5");
  EXPECT_EQ(parts_told(mine, calls), "unit 0 calls +100");
  own.delta = 152;  // opened: with its calls
  EXPECT_EQ(parts_told(mine, own), "unit 0 calls +100, unit 0 changed_lines +40, unit 0 same_function +12");
  own.delta = 60;  // terms that are not known one by one
  EXPECT_EQ(parts_told(mine, own), "");
  const Cause strlen{.kind = CauseKind::kOwnCost, .function = "strlen", .delta = 3};
  Cause group{.kind = CauseKind::kGroup, .delta = 103, .inside = {calls, strlen}};
  EXPECT_EQ(parts_told(mine, group), "unit 0 calls +100, unit 0 other_work +3");
  group.inside.push_back(own);
  EXPECT_EQ(parts_told(mine, group), "");
}

TEST(Attribution, TellsByHunksWhereACauseLiesAndWhatLeadsAnInlining) {
  Change change;
  const uint32_t f = change.function("f"), g = change.function("g");
  change.own(1, f, "a.c:2", 40);
  change.calls(1, f, g, "a.c:3", 100);
  const Mine mine = attribute_change(change.get(), two_hunks().sources(), change.total());
  const auto told = [&](Cause cause) {
    std::vector<Cause> causes = {std::move(cause)};
    tell_by_hunks(causes, mine);
    return causes[0];
  };
  Cause own{.kind = CauseKind::kOwnCost, .function = "f", .delta = 40, .file = "stl_iterator.h", .line = 1107};
  EXPECT_EQ(told(own).file + ":" + std::to_string(told(own).line), "a.c:2");
  own.delta = 30;
  EXPECT_EQ(told(own).file, "stl_iterator.h") << "it is not known whose that is";
  Cause calls{.kind = CauseKind::kCalls, .caller = "f", .callee = "g", .delta = 100, .file = "b.c", .line = 7};
  EXPECT_EQ(told(calls).file, "b.c") << "where the call is";
  Cause inlined{.kind = CauseKind::kInlined, .caller = "f", .callee = "g", .delta = 40, .facts = fact::Inlined{}};
  const auto work = [&] { return std::get<fact::Inlined>(told(inlined).facts).other_work; };
  EXPECT_EQ(work(), fact::OtherWork::kOfChangedLines);
  inlined.delta = 140;
  EXPECT_EQ(work(), fact::OtherWork::kNone) << "most of it is by unchanged lines";
}

TEST(Attribution, NoticesProfilesOfOtherSources) {
  Change change;
  const uint32_t f = change.function("f");
  for (const size_t side : {0, 1}) change.own(side, f, "a.c:2", 1);
  change.own(1, f, "a.c:40", 1);
  const Mine mine = attribute_change(change.get(), two_hunks().sources(), 1);
  EXPECT_FALSE(mine.fit[0].is_other_source());
  EXPECT_TRUE(mine.fit[1].is_other_source());
  EXPECT_EQ(fmt::format("{} of {}, {}:{}", mine.fit[1].misfits, mine.fit[1].lines, mine.fit[1].path, mine.fit[1].line),
            "1 of 2, a.c:40");
}

TEST(Attribution, FindsUsesOfAChangedMacroInAnyFile) {
  const Commits commits =
      Commits()
          .file("m.h", "#define TWICE(x) ((x) * 2)\n", "#define TWICE(x) ((x) + (x))\n")
          .file("u.c", "int u(int a) {\n  return TWICE(a);\n}\n", "int u(int a) {\n  return TWICE(a);\n}\n")
          .diff(
              "--- a/m.h\n+++ b/m.h\n@@ -1 +1 @@\n-#define TWICE(x) ((x) * 2)\n"
              "+#define TWICE(x) ((x) + (x))\n");
  CommitSources sources = commits.sources();
  sources.roots = {std::vector<std::string>{"/w"}, std::vector<std::string>{"/w"}};
  Change change;
  const uint32_t u = change.function("u", "/w/u.c");
  change.own(0, u, "u.c:2", -1);
  change.own(1, u, "u.c:2", 4);
  EXPECT_EQ(told(attribute_change(change.get(), sources, 3)), "m.h:1 +3 macro=3 ran\noutside +0");
}

TEST(Attribution, FindsFunctionsThatAreMadeForAChangedType) {
  const Commits commits = Commits()
                              .file("t.h", "struct Token {\n  int a;\n};\n", "struct Token {\n  long a;\n};\n")
                              .diff("--- a/t.h\n+++ b/t.h\n@@ -2 +2 @@\n-  int a;\n+  long a;\n");
  Change change;
  const uint32_t grow = change.function("std::vector<Token>::grow()", "/usr/include/c++/vector");
  change.own(1, grow, "", 12);
  EXPECT_EQ(told(change, commits), "t.h:2 +12 type=12\noutside +0");
}

TEST(Attribution, GivesWhatMakesAndEndsAChangedTypeToItsMember) {
  const std::string rest = "  Token();\n  int size() { return a; }\n};\nToken::Token() {\n}\nint f() {\n}\n";
  const Commits commits =
      Commits()
          .file("t.h", "struct Token\n{\n  int a;\n" + rest, "struct Token\n{\n  int a;\n  List<int(int)> b;\n" + rest)
          .diff("--- a/t.h\n+++ b/t.h\n@@ -3,0 +4 @@\n+  List<int(int)> b;\n");
  const auto of_line = [&](const std::string& line) {
    Change change;
    change.own(1, change.function("main"), "list.h:9 t.h:" + line + " m.c:9", 12);
    return told(change, commits);
  };
  EXPECT_EQ(of_line("1"), "t.h:4 +12 same_function=12 ran\noutside +0") << "a destructor that nobody wrote";
  EXPECT_EQ(of_line("9"), "t.h:4 +12 same_function=12 ran\noutside +0") << "a constructor that somebody wrote";
  EXPECT_EQ(of_line("6"), "t.h:4 +0\noutside +12 compiled_differently=12") << "another member function";
  EXPECT_EQ(of_line("11"), "t.h:4 +0\noutside +12 compiled_differently=12") << "no member";
  const Commits declared =
      Commits()
          .file("t.h", "struct Token\n{\n  int a;\n};\n", "struct Token\n{\n  int a;\n  int g();\n};\n")
          .diff("--- a/t.h\n+++ b/t.h\n@@ -3,0 +4 @@\n+  int g();\n");
  Change change;
  change.ran(1, change.function("main"), "t.h:1 m.c:9", 3);
  EXPECT_FALSE(attribute_change(change.get(), declared.sources(), 0).hunks[0].is_executed) << "no data";
}

TEST(Attribution, NamesAHunkByTheLineWithMostOfIt) {
  const Commits commits = Commits()
                              .file("a.c", "int f() {\n}\n", "int f() {\n  g();\n  h();\n  i();\n}\n")
                              .diff("--- a/a.c\n+++ b/a.c\n@@ -1,0 +2,3 @@\n+  g();\n+  h();\n+  i();\n");
  Change change;
  const uint32_t f = change.function("f");
  change.own(1, f, "a.c:2", 5);
  change.own(1, f, "lib.h:1 a.c:3", 4);
  change.own(1, f, "lib.h:2 a.c:3", 4);
  change.own(1, f, "a.c:4", -6);
  EXPECT_EQ(told(change, commits), "a.c:3 +7 changed_lines=7 ran\noutside +0");
}

TEST(Attribution, StatementsThatLeaveTheirFunctionBehindAreChanged) {
  const std::string lines = "  int wanted_value = get(n);\n  total += wanted_value * 3;\n";
  const Commits commits =
      Commits()
          .file("a.c", "int f(int n) {\n" + lines + "  return n;\n}\nint g(int n) {\n  return n;\n}\n",
                "int f(int n) {\n  return n;\n}\nint g(int n) {\n" + lines + "  return n;\n}\n")
          .diff(
              "--- a/a.c\n+++ b/a.c\n@@ -2,2 +1,0 @@\n-  int wanted_value = get(n);\n"
              "-  total += wanted_value * 3;\n@@ -6,0 +5,2 @@\n+  int wanted_value = get(n);\n"
              "+  total += wanted_value * 3;\n");
  Change change;
  change.own(0, change.function("f"), "a.c:3", -10);
  change.own(1, change.function("g"), "a.c:6", 1000);
  change.ran(0, change.function("f"), "a.c:3", 1);
  change.ran(1, change.function("g"), "a.c:6", 100);
  EXPECT_EQ(told(attribute_change(change.get(), commits.sources(), 990)),
            "a.c:6 +1000 changed_lines=1000 ran\na.c:3 -10 changed_lines=-10 ran\noutside +0");
}

TEST(Attribution, KnowsCommentsMovesAndOtherFiles) {
  const std::string block = "int moved_function(int a) {\n  return a * 1234567;\n}\n";
  const Commits commits = Commits()
                              .file("a.c", "// old\nint x;\n" + block, "// new\nint x;\n")
                              .file("b.c", "int y;\n", "int y;\n" + block)
                              .diff(
                                  "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-// old\n+// new\n@@ -3,3 +2,0 @@\n"
                                  "-int moved_function(int a) {\n-  return a * 1234567;\n-}\n"
                                  "--- a/b.c\n+++ b/b.c\n@@ -1,0 +2,3 @@\n+int moved_function(int a) {\n"
                                  "+  return a * 1234567;\n+}\n"
                                  "--- a/Makefile\n+++ b/Makefile\n@@ -1 +1 @@\n-all:\n+all: x\n");
  Change change;
  const uint32_t f = change.function("moved_function");
  change.own(0, f, "a.c:4", -9);
  change.own(1, f, "b.c:3", 9);
  const Mine mine = attribute_change(change.get(), commits.sources(), 0);
  std::string texts;
  for (const MineHunk& hunk : mine.hunks) texts += std::string(to_text(hunk.text)) + " ";
  EXPECT_EQ(texts, "comment moved moved other-file ");
  EXPECT_EQ(told(mine), "outside +0");
  EXPECT_EQ(mine.other_files, std::vector<std::string>{"Makefile"});
}

TEST(Attribution, KnowsLinesThatCommentSignsAroundThemMakeCode) {
  const Commits commits =
      Commits()
          .file("a.c", "int f() {\n  /*\n  one();\n  */\n  two();\n}\n", "int f() {\n  one();\n  two();\n}\n")
          .diff("--- a/a.c\n+++ b/a.c\n@@ -2 +1,0 @@\n-  /*\n@@ -4 +2,0 @@\n-  */\n");
  Change change;
  const uint32_t f = change.function("f");
  change.own(1, f, "a.c:2", 5);
  change.own(1, f, "a.c:3", 1);
  EXPECT_EQ(told(change, commits), "a.c:2 a.c:4 +6 changed_lines=5 same_function=1 ran\noutside +0");
}

TEST(Attribution, SaysHowOftenAHunkIsExecuted) {
  Change change;
  const uint32_t f = change.function("f");
  change.ran(0, f, "a.c:2", 5);
  change.ran(1, f, "a.c:2", 8);
  change.ran(1, f, "lib.h:1 a.c:2", 20);                          // a loop of what the line calls
  change.ran(1, change.function("other"), "a.c:2 other.c:7", 4);  // f, inlined
  const Mine mine = attribute_change(change.get(), two_hunks().sources(), 0);
  EXPECT_TRUE(mine.hunks[0].is_executed);
  EXPECT_EQ(mine.hunks[0].executions, (std::array<std::optional<int64_t>, 2>{5, 12}));
  EXPECT_EQ(mine.hunks[0].lines_executed, 1u);
  EXPECT_EQ(mine.hunks[0].lines_with_code, 1u);
  EXPECT_FALSE(mine.hunks[1].is_executed);
  EXPECT_EQ(mine.hunks[1].function, "h");
}

TEST(Attribution, TakesTheHeadOfAFunctionForExecutedWhereItsBodyIs) {
  const Commits commits = Commits()
                              .file("a.c", "const Text&\nname()\n{\n  return text;\n}\nint h() {\n  return 1;\n}\n",
                                    "Text\nname()\n{\n  return text;\n}\nint h() {\n  return 1;\n}\n")
                              .diff("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-const Text&\n+Text\n");
  const auto is_executed = [&](const std::string& line) {
    Change change;
    change.ran(1, change.function("main"), line + " m.c:9", 3);
    return attribute_change(change.get(), commits.sources(), 0).hunks[0].is_executed;
  };
  EXPECT_TRUE(is_executed("a.c:4"));
  EXPECT_FALSE(is_executed("a.c:7")) << "another function's body";
}

TEST(Attribution, DoesNotGuessHowOftenALineOfInlinedCallsAloneIsExecuted) {
  Change change;
  change.ran(1, change.function("f"), "lib.h:1 a.c:2", 20);
  const Mine mine = attribute_change(change.get(), two_hunks().sources(), 0);
  EXPECT_TRUE(mine.hunks[0].is_executed);
  EXPECT_EQ(mine.hunks[0].executions, (std::array<std::optional<int64_t>, 2>{std::nullopt, std::nullopt}));
}

TEST(Attribution, KnowsWhichHunksMayActUnexecuted) {
  const std::string base =
      "template <int N = 2>\nint f(int a) {\n  return a * N;\n}\nconstexpr int g() {\n  return 5;\n}\n"
      "const int kSize = 3;\nint h(int a = 1) {\n#define M 1\n  return a;\n}\n";
  for (const auto& [line, may] : std::map<uint64_t, bool>{
           {1, true}, {2, true}, {3, false}, {6, true}, {8, true}, {9, true}, {10, true}, {11, false}}) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < base.size(); at = base.find('\n', at) + 1)
      lines.push_back(base.substr(at, base.find('\n', at) - at));
    const std::string was = lines[line - 1];
    std::string& is = lines[line - 1];
    is[is.find_first_of("0123456789;a")] = '9';
    std::string head;
    for (const std::string& one : lines) head += one + '\n';
    const Commits commits =
        Commits()
            .file("a.c", base, head)
            .diff(fmt::format("--- a/a.c\n+++ b/a.c\n@@ -{0} +{0} @@\n-{1}\n+{2}\n", line, was, is));
    const Mine mine = attribute_change(Change().get(), commits.sources(), 0);
    EXPECT_EQ(mine.hunks[0].may_act_unexecuted, may) << was;
  }
  EXPECT_FALSE(attribute_change(Change().get(), two_hunks().sources(), 0).hunks[1].may_act_unexecuted);
  EXPECT_TRUE(attribute_change(Change().get(), {.diff = two_hunks().sources().diff}, 0).hunks[1].may_act_unexecuted)
      << "the source is not at hand";
}

TEST(Attribution, CountsHunksAsGitDoes) {
  CommitSources sources;
  sources.diff = parse_diff(
      "--- a/a.c\n+++ b/a.c\n@@ -2 +2,3 @@\n-a\n+a\n+b\n+c\n@@ -9 +11 @@\n-a\n+b\n@@ -17,2 +18,0 @@\n-a\n-b\n"
      "--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n-a\n+b\n",
      "test");
  const Mine mine = attribute_change(Change().get(), sources, 0);
  std::vector<uint32_t> numbers;
  for (const MineHunk& hunk : mine.hunks) numbers.push_back(hunk.git_hunk);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{0, 0, 1, 2})) << "six unchanged lines between them are in one, seven not";
}

TEST(Attribution, FindsFilesOfTheRepositoryByPathsRelativeToIt) {
  Change change;
  const uint32_t f = change.function("f", "lib/u.c");
  change.file("../lib/u.c");
  change.own(1, f, "", 1);
  EXPECT_FALSE(attribute_change(change.get(), two_hunks().sources(), 1).files_are_found);
  EXPECT_TRUE(attribute_change(change.get(), two_hunks().file("lib/u.c", "\n", "\n").sources(), 1).files_are_found);
}

TEST(Attribution, TakesADriverElsewhereForNoFileOfTheRepository) {
  CommitSources sources = two_hunks().sources();
  Change change;
  change.own(1, change.function("f"), "a.c:2", 3);
  change.own(1, change.function("main", "/drv/a.c"), "../drv/a.c:2", 4);
  EXPECT_EQ(told(attribute_change(change.get(), sources, 7)), "a.c:2 +7 changed_lines=7 ran\na.c:9 +0\noutside +0")
      << "the repository may lie anywhere";
  sources.roots = {std::vector<std::string>{"/w"}, std::vector<std::string>{"/w"}};
  change.own(1, change.function("stmt", "/icount/stmt"), "../icount/a.c:2", 0);
  EXPECT_TRUE(attribute_change(change.get(), sources, 7).hunks[0].is_executed);
  EXPECT_EQ(told(attribute_change(change.get(), sources, 7)),
            "a.c:2 +3 changed_lines=3 ran\na.c:9 +0\noutside +4 compiled_differently=4");
}

TEST(Attribution, JoinsHunksThatCannotBeJudgedApart) {
  // In one function; of a name that one side alone has; else apart.
  const Commits commits =
      Commits()
          .file(
              "a.c", "int f() {\n  one();\n  two();\n  three();\n}\nint g() {\n  old();\n}\nint h() {\n  k();\n}\n",
              "int f() {\n  ONE();\n  two();\n  THREE();\n}\nint g() {\n  old(fresh);\n}\nint h() {\n  k(fresh);\n}\n")
          .file("b.c", "int z() {\n  two();\n}\n", "int z() {\n  two(one);\n}\n")
          .diff(
              "--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-  one();\n+  ONE();\n@@ -4 +4 @@\n-  three();\n+  THREE();\n"
              "@@ -7 +7 @@\n-  old();\n+  old(fresh);\n@@ -10 +10 @@\n-  k();\n+  k(fresh);\n"
              "--- a/b.c\n+++ b/b.c\n@@ -2 +2 @@\n-  two();\n+  two(one);\n");
  Change change;
  const uint32_t f = change.function("f");
  change.own(1, f, "a.c:2", 1);
  EXPECT_EQ(told(change, commits), "a.c:2 a.c:4 +1 changed_lines=1 ran\na.c:7 a.c:10 +0\nb.c:2 +0\noutside +0");
}

TEST(Attribution, JoinsHunksThatTradeLinesInOneFunction) {
  const Commits commits = Commits()
                              .file("a.c", "int f() {\n  one();\n}\nint g() {\n  two();\n}\n",
                                    "int f() {\n  one(1);\n}\nint g() {\n  two(2);\n}\n")
                              .diff(
                                  "--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-  one();\n+  one(1);\n@@ -5 +5 @@\n-  two();\n"
                                  "+  two(2);\n");
  Change change;
  const uint32_t main = change.function("main", "/w/m.c");
  change.own(1, main, "a.c:2 m.c:1", 100);
  change.own(0, main, "a.c:5 m.c:2", -70);
  EXPECT_EQ(told(change, commits), "a.c:2 a.c:5 +30 changed_lines=30 ran\noutside +0");
}

TEST(Attribution, ProvesBySourceCountsWhatIsTheCompilersDoing) {
  Change change;
  const uint32_t g = change.function("g");
  change.own(0, g, "a.c:5", -4);
  change.own(1, g, "a.c:5", 10);
  CommitSources sources = two_hunks().sources();
  sources.roots = {std::vector<std::string>{"/w"}, std::vector<std::string>{"/w"}};
  // Line 2 is in a hunk, and line 9 is new: what they do is no control.
  const std::map<uint64_t, LineCount> lines = {{1, {3, {}}}, {2, {3, {}}}, {5, {1, {1, 0}}}};
  sources.counts = {SourceCounts{{"a.c", lines}}, SourceCounts{{"a.c", lines}}};
  (*sources.counts)[1]["a.c"][2].executions = 90;
  Mine mine = attribute_change(change.get(), sources, 6);
  ASSERT_TRUE(mine.control);
  EXPECT_EQ(mine.control->lines_equal, 2);
  EXPECT_EQ(mine.control->lines_other, 0);
  EXPECT_EQ(told(mine), "a.c:2 +0 ran\na.c:9 +0\noutside +6 compiled_differently=6");
  EXPECT_EQ(mine.hunks[0].source_executions, (std::array<std::optional<int64_t>, 2>{3, 90}));
  EXPECT_EQ(mine.hunks[1].source_executions[1], std::nullopt);
  // A branch that goes another way is enough: the function is no longer called compiled differently.
  (*sources.counts)[1]["a.c"][5].branches = {0, 1};
  mine = attribute_change(change.get(), sources, 6);
  EXPECT_EQ(mine.control->lines_other, 1);
  EXPECT_EQ(mine.control->lines[0].line, 5u);
  EXPECT_EQ(told(mine), "a.c:2 +0 ran\na.c:9 +0\noutside +6 other_work=6");
}

TEST(Attribution, SplitsLinesByWhatRunsMoreOftenAndWhatOneRunCosts) {
  PlacedChange change;
  for (auto& chains : change.chains) chains.emplace_back();
  change.files = {"/w/a.c"};
  change.line_costs = {std::vector<LineSelfCost>{{{0, 5}, 20}, {{0, 6}, 7}}, {{{0, 5}, 60}, {{0, 6}, 9}}};
  CommitSources sources = two_hunks().sources();
  sources.roots = {std::vector<std::string>{"/w"}, std::vector<std::string>{"/w"}};
  sources.counts = {SourceCounts{{"a.c", {{5, {10, {}}}, {6, {1, {}}}}}},
                    SourceCounts{{"a.c", {{5, {20, {}}}, {6, {1, {}}}}}}};
  const Mine mine = attribute_change(change, sources, 0);
  // Line 5 ran 10 times more, at (2 + 3) / 2 each; the rest is code: (3 - 2) * (10 + 20) / 2 there and 2 on line 6.
  EXPECT_EQ(mine.control->executions_delta, 25);
  EXPECT_EQ(mine.control->code_delta, 15 + 2);
}

TEST(Attribution, NeedsNoSources) {
  CommitSources sources;
  sources.diff = parse_diff(kDiff, "test");
  Change change;
  const uint32_t f = change.function("f");
  change.own(1, f, "a.c:2", 5);
  change.own(1, f, "a.c:3", 2);
  EXPECT_EQ(told(attribute_change(change.get(), sources, 7)),
            "a.c:2 +7 changed_lines=5 inlined_into=2 ran\na.c:9 +0\noutside +0");
}

Explanation explain_with_places(const CostGraph& base, const CostGraph& head) {
  ExplainOptions options;
  options.with_places = true;
  return explain(base, head, options);
}

/// A cycle too large to be opened; line 5 of "a" calls "g" ten times, and `of_b` calls of line 9 of "b" are dear.
CostGraph cycle_that_calls(int64_t of_b) {
  GraphBuilder builder;
  builder.in("/w/a.c").function("main", 1).function("a", 100).function("b", 100);
  const auto other = [](size_t k) { return fmt::format("other{}", k); };
  for (size_t k = 0; k <= largest_opened_cluster(); ++k) builder.function(other(k), 1);
  for (size_t k = 0; k < largest_opened_cluster(); ++k) builder.calls(other(k), other(k + 1), 20);
  builder.calls("main", "a", 1).calls("a", "b", 20).calls("b", other(0), 20);
  builder.calls(other(largest_opened_cluster()), "a", 20).in("/w/g.c");
  builder.function("g", 1000 + 40 * of_b).calls("a", "g", 10, 1000);
  if (of_b > 0) builder.calls("b", "g", of_b, 40 * of_b);
  CostGraph graph = builder.graph();
  auto code = std::make_shared<ProfileCode>();
  code->files = {"/w/a.c"};
  const auto index = [&](std::string_view name) {
    for (uint32_t f = 0; f < graph.functions.size(); ++f)
      if (graph.strings.view(graph.functions[f].name) == name) return f;
    return ~uint32_t{0};
  };
  for (const auto& [name, line, calls, cost] :
       {std::tuple("a", 5, int64_t{10}, int64_t{1000}), std::tuple("b", 9, of_b, 40 * of_b)}) {
    const auto address = static_cast<uint64_t>(0x100 * line);
    FunctionCode one{
        .function = index(name), .rows = {{address, 0, static_cast<uint64_t>(line), 10, 0}}, .self = {100}};
    if (calls > 0) {
      one.calls = {{address, index("g"), 0x900, calls}};
      one.call_costs = {cost};
    }
    code->functions.push_back(std::move(one));
  }
  graph.code = std::move(code);
  return graph;
}

TEST(Attribution, ComparesTheLinesBehindCallsWithThoseInTheirPlace) {
  // Base calls dec, whose lines are main's own in head; one of them changed.
  const auto graph = [](bool is_inside) {
    GraphBuilder built;
    built.in("/w/a.c").line("main", "/w/a.c", 20, 10);
    if (is_inside) return built.line("main", "/w/a.c", 31, 180).line("main", "/w/a.c", 41, 50).graph();
    return built.line("dec", "/w/a.c", 31, 100).line("dec", "/w/a.c", 41, 50).calls("main", "dec", 10).graph();
  };
  const CommitSources commits =
      Commits()
          .diff("--- a/a.c\n+++ b/a.c\n@@ -31 +31 @@\n-x = 1;\n+x = y + 1;\n@@ -41 +41 @@\n-f(1);\n+f(2);\n")
          .sources();
  const Explanation into = explain_with_places(graph(false), graph(true)),
                    out = explain_with_places(graph(true), graph(false));
  const Mine mine = attribute_change(*into.places, commits, into.delta),
             back = attribute_change(*out.places, commits, out.delta);
  EXPECT_EQ(mine.hunks[0].delta, 80);
  EXPECT_EQ(mine.hunks[1].delta, 0);
  EXPECT_EQ(mine.outside.delta, 0);
  EXPECT_EQ(back.hunks[0].delta, -80);
}

TEST(Attribution, WeighsAllCallsOfACycleAlike) {
  const Explanation explanation = explain_with_places(cycle_that_calls(0), cycle_that_calls(30));
  std::map<std::string, long double> shares;
  for (const Share& share : explanation.places->shares)
    if (share.callee != Share::kNone && explanation.places->functions[share.callee].name == "g")
      shares[explanation.places->functions[share.function].name] += share.value;
  EXPECT_NEAR(static_cast<double>(shares["a"]), 0, 1e-6) << "its calls are as many as they were";
  EXPECT_GT(shares["b"], 0);
}

/// A random program's change and a random diff of its one file. Sums are exact whatever the lines are.
struct RandomCase {
  Commits commits;
  CostGraph base, head;
};

RandomCase random_case(std::mt19937_64& random) {
  const auto below = [&](uint64_t n) { return random() % n; };
  RandomCase made;
  std::string base_text, head_text, diff = "--- a/a.c\n+++ b/a.c\n";
  uint64_t base_line = 0, head_line = 0;
  for (int function = 0; function < 6; ++function) {
    const auto add = [&](const std::string& line) {
      base_text += line + "\n";
      head_text += line + "\n";
      ++base_line, ++head_line;
    };
    add(fmt::format("int f{}(int a) {{", function));
    for (int i = 0; i < 5; ++i) {
      if (below(4) != 0) {
        add(fmt::format("  line{}_{}();", function, i));
        continue;
      }
      const uint64_t removed = below(3), added = removed == 0 ? 1 + below(2) : below(3);
      diff += fmt::format("@@ -{},{} +{},{} @@\n", base_line + (removed > 0), removed, head_line + (added > 0), added);
      for (uint64_t k = 0; k < removed; ++k) {
        const std::string line = fmt::format("  old{}(x{});", below(9), below(5));
        diff += "-" + line + "\n";
        base_text += line + "\n";
        ++base_line;
      }
      for (uint64_t k = 0; k < added; ++k) {
        const std::string line = fmt::format("  new{}(x{});", below(9), below(5));
        diff += "+" + line + "\n";
        head_text += line + "\n";
        ++head_line;
      }
      add("  between();");
    }
    add("}");
  }
  made.commits.file("a.c", base_text, head_text).diff(diff);
  for (CostGraph* const graph : {&made.base, &made.head}) {
    GraphBuilder builder;
    builder.in("/w/a.c");
    for (int function = 0; function < 6; ++function) {
      const std::string name = fmt::format("f{}", function);
      builder.define(name, 0);
      for (int k = 0; k < 4; ++k) builder.line(name, "/w/a.c", 1 + below(base_line), static_cast<int64_t>(below(1000)));
    }
    for (int call = 0; call < 8; ++call)
      builder.calls(fmt::format("f{}", below(6)), fmt::format("f{}", below(6)), static_cast<int64_t>(1 + below(20)),
                    50);
    *graph = builder.graph();
  }
  return made;
}

Mine mine_of(const CostGraph& base, const CostGraph& head, const CommitSources& sources) {
  const Explanation explanation = explain_with_places(base, head);
  return attribute_change(*explanation.places, sources, explanation.delta);
}

/// Every hunk of several lines as two that touch.
Diff split_hunks(const Diff& diff) {
  Diff split = diff;
  split.hunks.clear();
  for (DiffHunk first : diff.hunks) {
    if (first.removed.empty() || first.added.empty() || first.removed.size() + first.added.size() == 2) {
      split.hunks.push_back(first);
      continue;
    }
    DiffHunk second = first;
    first.removed.resize(1);
    first.added.resize(1);
    second.removed.erase(second.removed.begin());
    second.added.erase(second.added.begin());
    for (LineRange DiffHunk::*lines : {&DiffHunk::old_lines, &DiffHunk::new_lines}) {
      (first.*lines).count = 1;
      if (--(second.*lines).count > 0) ++(second.*lines).first;
    }
    split.hunks.push_back(first);
    split.hunks.push_back(second);
  }
  return split;
}

std::vector<int64_t> parts_of_units(const Mine& mine) {
  std::vector<int64_t> parts;
  for (const MineUnit& unit : mine.units) parts.push_back(unit.delta);
  std::sort(parts.begin(), parts.end());
  return parts;
}

int64_t sum_of(const Mine& mine) {
  int64_t sum = mine.outside.delta;
  for (const MineUnit& unit : mine.units) {
    sum += unit.delta;
    int64_t hunks = 0;
    for (const uint32_t h : unit.hunks) hunks += mine.hunks[h].delta;
    EXPECT_EQ(hunks, unit.delta);
    EXPECT_EQ(std::accumulate(unit.shares.begin(), unit.shares.end(), int64_t{0}), unit.delta);
  }
  EXPECT_EQ(std::accumulate(mine.outside.reasons.begin(), mine.outside.reasons.end(), int64_t{0}), mine.outside.delta);
  return sum;
}

TEST(AttributionProperty, SumsAreExactAndSidesExchange) {
  std::mt19937_64 random(46);
  for (int round = 0; round < 100; ++round) {
    const RandomCase made = random_case(random);
    CommitSources sources;
    try {
      sources = made.commits.sources();
    } catch (const Error&) {
      continue;  // no hunk was drawn
    }
    const Mine mine = mine_of(made.base, made.head, sources);
    EXPECT_EQ(sum_of(mine), mine.delta) << round;
    CommitSources swapped = sources;
    swapped.diff = reversed(sources.diff);
    swapped.text = [&](size_t side, const std::string& path) { return sources.text(1 - side, path); };
    const Mine back = mine_of(made.head, made.base, swapped);
    EXPECT_EQ(back.delta, -mine.delta);
    EXPECT_EQ(sum_of(back), back.delta) << round;
    EXPECT_EQ(back.outside.delta, -mine.outside.delta) << round;
    for (size_t h = 0; h < mine.hunks.size(); ++h) EXPECT_EQ(back.hunks[h].delta, -mine.hunks[h].delta) << round;
  }
}

TEST(AttributionProperty, HunksThatAreSplitGiveTheSameUnits) {
  std::mt19937_64 random(48);
  for (int round = 0; round < 100; ++round) {
    const RandomCase made = random_case(random);
    CommitSources sources = made.commits.sources();
    const Mine whole = mine_of(made.base, made.head, sources);
    sources.diff = split_hunks(sources.diff);
    const Mine split = mine_of(made.base, made.head, sources);
    const std::vector<int64_t> parts = parts_of_units(whole), of_split = parts_of_units(split);
    ASSERT_EQ(of_split.size(), parts.size()) << round;
    for (size_t i = 0; i < parts.size(); ++i) EXPECT_NEAR(of_split[i], parts[i], 1) << round;  // hunks are rounded
    EXPECT_NEAR(split.outside.delta, whole.outside.delta, 1) << round;
  }
}

TEST(AttributionProperty, PartsOfACauseAddUpToIt) {
  std::mt19937_64 random(49);
  int told = 0, all = 0;
  for (int round = 0; round < 100; ++round) {
    const RandomCase made = random_case(random);
    const Explanation explanation = explain_with_places(made.base, made.head);
    const Mine mine = attribute_change(*explanation.places, made.commits.sources(), explanation.delta);
    for (const Cause& cause : explanation.causes) {
      const std::vector<CausePart> parts = parts_of(mine, cause);
      ++all;
      told += parts.empty() ? 0 : 1;
      int64_t sum = 0;
      for (const CausePart& part : parts) sum += part.delta;
      if (!parts.empty()) EXPECT_EQ(sum, cause.delta) << round;
    }
  }
  EXPECT_GT(told, all * 4 / 5) << told << " of " << all;
}

TEST(AttributionProperty, NothingOfNothing) {
  std::mt19937_64 random(47);
  for (int round = 0; round < 50; ++round) {
    const RandomCase made = random_case(random);
    CommitSources sources;  // a diff against itself
    const Mine mine = mine_of(made.base, made.head, sources);
    EXPECT_TRUE(mine.hunks.empty());
    EXPECT_EQ(mine.outside.delta, mine.delta);
    sources = made.commits.sources();
    const Mine same = mine_of(made.base, made.base, sources);
    for (const MineUnit& unit : same.units) EXPECT_EQ(unit.delta, 0) << round;
    EXPECT_EQ(same.outside.delta, 0);
  }
}

}  // namespace
}  // namespace icount
