#include "icount/report/explanation_document.h"

#include <gtest/gtest.h>

#include <sstream>

#include "icount/report/cause_sentence.h"
#include "support/small_explanation.h"

namespace icount {
namespace {

ExplanationHeading heading() { return {"base.out", "head.out", {{"Ir", 2'886'240, 3'392'940}}, {}}; }

std::string text_of(const Explanation& e, const ExplanationView& view = {}, const TextStyle& style = {}) {
  std::ostringstream out;
  make_explanation_document(e, heading(), view, style.width).render_text(out, style);
  return out.str();
}

TEST(ExplanationTextTest, HeadlineCausesAndASumThatAddsUp) {
  EXPECT_EQ(text_of(small_explanation()),
            "+17.56%   2,886,240 -> 3,392,940 instructions (+506,700)\n"
            "\n"
            "  +494,640  `lex(std::vector<Token, std::allocator<Token> >&)` calls `hash` 600 times per call instead "
            "of 300 (20 calls)   lexer.cc:12\n"
            "   +12,060  self cost of `lex`: 1,234 -> 1,837 per call (20 calls)\n"
            "\n"
            "  base  base.out\n"
            "  head  head.out\n");
}

TEST(ExplanationTextTest, TheFirstLinesSayWhatKindOfChangeItIs) {
  Explanation e = small_explanation();
  EXPECT_NE(text_of(e).find("(+506,700)\n\n"), std::string::npos) << "nothing is sure";
  e.causes[0].facts = fact::Calls{.calls = {5, 10}};
  EXPECT_NE(text_of(e).find("\nthe same work, done more often\n"), std::string::npos) << text_of(e);
  e.causes[0].facts = fact::Rebuilt{.object = "prog"};
  EXPECT_NE(text_of(e).find("\nbuild: the same source, compiled differently\n"), std::string::npos);
}

TEST(ExplanationTextTest, WrapsAndShortensOnATerminal) {
  EXPECT_EQ(text_of(small_explanation(), {}, {.width = 64}),
            "+17.56%   2,886,240 -> 3,392,940 instructions (+506,700)\n"
            "\n"
            "  +494,640  `lex(std::vector<...>&)` calls `hash` 600 times per\n"
            "            call instead of 300 (20 calls)   lexer.cc:12\n"
            "   +12,060  self cost of `lex`: 1,234 -> 1,837 per call (20\n"
            "            calls)\n"
            "\n"
            "  base  base.out\n"
            "  head  head.out\n");
}

TEST(ExplanationTextTest, TheRestIsOneLineWithItsNetSum) {
  Explanation e = small_explanation();
  e.causes = {own_cost_cause("a", 600'000, "self cost of `a`"), own_cost_cause("b", -95'000, "self cost of `b`"),
              own_cost_cause("c", 2'000, "self cost of `c`"), own_cost_cause("d", -300, "self cost of `d`")};
  EXPECT_EQ(rows_for_view(e, {}).shown, 2u);
  EXPECT_EQ(rows_for_view(e, {.top = 1}).shown, 1u);
  EXPECT_EQ(rows_for_view(e, {.all = true}).shown, 4u);
  const std::string text = text_of(e);
  EXPECT_NE(text.find("    +1,700  2 smaller causes (--all lists them)\n"), std::string::npos) << text;
}

TEST(ExplanationTextTest, ASingleSmallCauseIsShownNotCounted) {
  Explanation e = small_explanation();
  e.causes[0].delta = 490'000;
  e.causes[1].delta = 16'700;
  EXPECT_EQ(rows_for_view(e, {}).shown, 2u);
}

TEST(ExplanationTextTest, OfALoopInAnothersPlaceNoLineIsNews) {
  Explanation e = small_explanation();
  e.causes.resize(1);
  e.causes[0].lines = {{.file = "a.c", .line = 7, .base = 0, .head = 7}};
  fact::TurnCost turn{.loop = {.loop = "loop at a.c:7"}, .cost = {4, 7}, .times = {9, 9}};
  e.causes[0].facts = turn;
  EXPECT_NE(text_of(e).find("line a.c:7 runs only in head"), std::string::npos) << text_of(e);
  turn.loop.instead_of = "loop at b.c:3";
  e.causes[0].facts = turn;
  EXPECT_EQ(text_of(e).find("runs only"), std::string::npos) << text_of(e);
}

TEST(ExplanationTextTest, ASelfCostHasTheLinesThatLeadBelowIt) {
  Explanation e = small_explanation();
  e.causes.resize(1);
  e.causes[0].facts = fact::SelfCost{"`f`", {.cost = {10, 90}, .calls = {20, 20}}};
  e.causes[0].file = "src/a.c";
  e.causes[0].line = 7;
  e.causes[0].lines = {{.file = "a.c", .line = 7, .base = 0, .head = 60, .text = "clear(all);"},
                       {.file = "a.c", .line = 9, .base = 5, .head = 15, .text = "next();"},
                       {.file = "a.c", .line = 8, .base = 30, .head = 20},
                       {.file = "b.h", .line = 3, .base = 5, .head = 15},
                       {.file = "a.c", .line = 6, .base = 5, .head = 10}};
  const std::string text = text_of(e);
  EXPECT_NE(text.find("`f` itself costs 90 per call, was 10 (20 calls)   a.c:7\n"
                      "              `clear(all);` runs only in head: 60 per call\n"
                      "              `next();` costs 15 per call, was 5   a.c:9\n"
                      "              line b.h:3 costs 15 per call, was 5\n\n"),
            std::string::npos)
      << text << "those that go with the change and are a tenth of it, three at most";
  e.causes[0].lines[1].is_certain = false;
  EXPECT_EQ(text_of(e).find("`next();` costs"), std::string::npos) << "it may be another line than base's";
}

TEST(ExplanationTextTest, EqualSidesHaveNothingToExplain) {
  Explanation e;
  e.event = "Ir";
  e.base_total = e.head_total = 2'886'240;
  EXPECT_EQ(text_of(e),
            "no change in total   2,886,240 -> 2,886,240 instructions\n\n  base  base.out\n  head  head.out\n");
}

TEST(ExplanationTextTest, NotesStandBelow) {
  Explanation e = small_explanation();
  e.notes = {note::CallsNotTrusted{note::CallsNotTrusted::Why::kProfile, 0, "the profile was toggled"}};
  EXPECT_NE(text_of(e).find("head.out\n\n  note:  call counts are not trusted (base: the profile was toggled): "
                            "explained by the self cost of each "
                            "function\n"),
            std::string::npos)
      << text_of(e);
}

TEST(ExplanationTextTest, SeveralEventsGetATable) {
  std::ostringstream out;
  ExplanationHeading several = heading();
  several.events.push_back({"Dr", 0, 5});
  make_explanation_document(small_explanation(), several, {}, 0).render_text(out, {});
  EXPECT_NE(out.str().find("  base  base.out\n"
                           "  head  head.out\n"
                           "\n"
                           "  event       base       head    change  of base\n"
                           "  Ir     2,886,240  3,392,940  +506,700  +17.56%\n"
                           "  Dr             0          5        +5      new\n"),
            std::string::npos)
      << out.str();
}

TEST(ExplanationTextTest, FunctionsSayUnderWhichNameTheyWere) {
  const std::string text = text_of(small_explanation(), {.functions = true});
  EXPECT_NE(text.find("     base     head    change  function\n"
                      "  282,000  564,000  +282,000  hash\n"
                      "   24,680   36,740   +12,060  lex  (was old::lex)\n"),
            std::string::npos)
      << text;
}

TEST(ExplanationTextTest, AnOpenedClusterShowsItsInsideOutsideTheColumn) {
  Explanation e = small_explanation();
  e.causes = {{.kind = CauseKind::kCluster,
               .function = "eval",
               .delta = 506'700,
               .facts = fact::Said{"the cycle of `eval` and 2 more (functions that call each other)"}}};
  for (int i = 0; i < 7; ++i) e.causes[0].inside.push_back(own_cost_cause("f", 100'000 - i, "self cost of `f`"));
  const std::string text = text_of(e);
  EXPECT_NE(text.find("              +100,000: self cost of `f`\n"), std::string::npos) << text;
  EXPECT_NE(text.find("              +6,710: 2 smaller ones\n"), std::string::npos) << text;
}

TEST(ExplanationTextTest, AFunctionToldWithItsInsideShowsItWhereItLeads) {
  Explanation e = small_explanation();
  e.causes = {own_cost_cause("f", 400'000, "self cost of `f`"), own_cost_cause("g", 79'999, "self cost of `g`"),
              own_cost_cause("h", 26'701, "self cost of `h`")};
  for (Cause& cause : e.causes) {
    cause.inside = {own_cost_cause(cause.function, 2 * cause.delta, "a loop iterates"),
                    own_cost_cause(cause.function, -cause.delta, "an iteration costs")};
    cause.inside[0].loop = CauseLoop{};
  }
  const std::string text = text_of(e);
  EXPECT_NE(text.find("  +800,000: a loop iterates\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  -400,000: an iteration costs\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("  +159,998:"), std::string::npos) << "less than a fifth of the largest";
  for (Cause& cause : e.causes) cause.inside[0].loop = std::nullopt;
  EXPECT_EQ(text_of(e).find(": a loop iterates"), std::string::npos) << "members of another kind are not shown";
}

TEST(ExplanationTextTest, ASumThatIsAllShowsItsMembers) {
  Explanation e = small_explanation();
  e.causes = {{.kind = CauseKind::kSum,
               .function = "prog",
               .delta = 506'700,
               .facts = fact::Said{"`prog` was built differently"}}};
  e.causes[0].inside = {own_cost_cause("f", 500'000, "self cost of `f`"),
                        own_cost_cause("g", 6'700, "self cost of `g`")};
  EXPECT_NE(text_of(e).find("  +500,000: self cost of `f`\n"), std::string::npos) << text_of(e);
  e.causes[0].kind = CauseKind::kInlined;
  EXPECT_EQ(text_of(e).find("+500,000:"), std::string::npos) << "its sentence says them";
  e.causes[0].kind = CauseKind::kSum;
  e.causes[0].delta -= 10;
  e.causes.push_back(own_cost_cause("h", 10, "self cost of `h`"));
  EXPECT_EQ(text_of(e).find("+500,000:"), std::string::npos) << "there is another cause";
}

Explanation explanation_with_place() {
  Explanation e = small_explanation();
  e.causes = {{.kind = CauseKind::kPlace,
               .function = "run",
               .delta = 500'000,
               .facts = fact::CostPlace{.function = "`run`", .calls = 20, .inclusive = {100, 500'107}, .elsewhere = 7}},
              own_cost_cause("g", 6'700, "self cost of `g`")};
  for (int i = 0; i < 5; ++i) e.causes[0].inside.push_back(own_cost_cause("f", 100'000, "self cost of `f`"));
  return e;
}

TEST(ExplanationTextTest, TheCausesInAPlaceAreRowsBelowIt) {
  Explanation often = explanation_with_place();
  EXPECT_NE(text_of(often).find("  +500,000  `run` with its callees costs 25,005 per call, was 5 (20 calls)\n"
                                "              +100,000: self cost of `f`\n"),
            std::string::npos)
      << text_of(often);
  std::get<fact::CostPlace>(often.causes[0].facts).calls = 1;
  const std::string text = text_of(often);
  EXPECT_NE(text.find("  +500,000  `run` with its callees costs 500,107, was 100\n"), std::string::npos) << text;
  EXPECT_NE(text.find("              +100,000: self cost of `f`\n"
                      "    +6,700  self cost of `g`\n"),
            std::string::npos)
      << text << "a twentieth elsewhere is no matter";
  std::get<fact::CostPlace>(often.causes[0].facts).elsewhere = 27'000;
  EXPECT_NE(text_of(often).find("costs 500,107, was 100 (+27,000 of that is in other rows)\n"), std::string::npos);
}

TEST(ExplanationTextTest, APartThatIsMoreThanItsRowSaysWhatTakesItBack) {
  Explanation e = small_explanation();
  e.causes = {own_cost_cause("g", 1'000, "self cost of `g`")};
  Cause part = own_cost_cause("g", 1'400, "a loop runs");
  e.causes[0].remarks = {remark_on(Remark::Kind::kLeading, part)};
  EXPECT_NE(text_of(e).find("+1,400: a loop runs; the rest -400\n"), std::string::npos) << text_of(e);
  part.delta = 900;
  e.causes[0].remarks = {remark_on(Remark::Kind::kLeading, part)};
  EXPECT_NE(text_of(e).find("+900: a loop runs\n"), std::string::npos) << text_of(e);
}

TEST(ExplanationTextTest, APartDoesNotNameTheFunctionOfItsRowAgain) {
  Explanation e = explanation_with_place();
  const fact::LoopName own{.loop = "loop at a.c:3", .inlined = {}, .function = "`run`"},
      other{.loop = "loop at b.c:7", .inlined = {}, .function = "`g`"};
  std::vector<Cause>& parts = e.causes[0].inside;
  parts[0].facts = fact::SelfCost{"`run`", {.cost = {10, 20}, .calls = {5, 5}}};
  parts[1].facts = fact::TurnCost{.loop = own, .cost = {1, 2}, .times = {5, 5}};
  parts[2].facts = fact::TurnCost{.loop = other, .cost = {1, 2}, .times = {5, 5}};
  parts[3].facts = fact::ReplacedCall{.caller = "`run`", .callees = {"`b`", "`c`"}, .calls = {5, 5}, .price = {1, 1}};
  parts[4].facts = fact::Inlined{.caller = "`run`", .callee = "`d`", .count = 1};
  const std::string text = text_of(e);
  EXPECT_NE(text.find("+100,000: itself costs 20 per call, was 10 (5 calls)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("+100,000: the loop at a.c:3 costs 2 per iteration, was 1 (5 iterations)\n"), std::string::npos);
  EXPECT_NE(text.find("+100,000: the loop at b.c:7 in `g` costs 2 per iteration, was 1 (5 iterations)\n"),
            std::string::npos);
  EXPECT_NE(text.find("+100,000: calls `c` in place of `b` (5 calls)\n"), std::string::npos);
  EXPECT_NE(text.find("+100,000: `d` is now inlined (1 call)\n"), std::string::npos);
  EXPECT_EQ(cause_sentence(parts[0]), "`run` itself costs 20 per call, was 10 (5 calls)") << "by itself it says whose";
}

TEST(ExplanationTextTest, CallsBehindABranchLeadWhereTheyAreMostOfIt) {
  Explanation e = small_explanation();
  e.causes.resize(1);
  Cause& branch = e.causes[0];
  branch.kind = CauseKind::kBranch;
  branch.delta = -1000;
  branch.facts = fact::Branch{
      .place = "a.c:5", .function = "`f`", .target = {.place = "line 9"}, .rate = {0.5, 0.25}, .times = {40, 40}};
  Cause calls{
      .kind = CauseKind::kCalls, .caller = "f", .callee = "g", .facts = fact::CallsThere{.callee = "`g`", .more = -10}};
  const auto said = [&](int64_t delta, bool all) {
    calls.delta = delta;
    branch.remarks = {{.kind = Remark::Kind::kOfWhich, .causes = {calls}}};
    branch.inside = {calls, own_cost_cause("f", branch.delta - delta, "its own instructions")};
    return text_of(e, {.all = all});
  };
  EXPECT_NE(said(-800, false).find("`f` calls `g` 10 fewer times, at 80 each"), std::string::npos) << said(-800, false);
  EXPECT_NE(said(-400, false).find("the branch at a.c:5"), std::string::npos) << said(-400, false);
  const std::string all = said(-400, true);
  EXPECT_EQ(all.find("10 fewer calls of `g`"), all.rfind("10 fewer calls of `g`")) << "once: " << all;
  EXPECT_NE(all.find("-400: 10 fewer calls of `g`"), std::string::npos) << all;
}

TEST(ExplanationTextTest, ALoopThatTookAnothersPlaceNamesBoth) {
  Cause cause;
  fact::LoopName loop{.loop = "loop at a.h:7", .inlined = "`count`", .function = "`f`", .instead_of = "loop at b.h:3"};
  const auto text = [&] {
    cause.facts = fact::TurnCost{.loop = loop, .cost = {4, 7}, .times = {100, 100}};
    return cause_sentence(cause);
  };
  EXPECT_EQ(
      text(),
      "the loop at a.h:7 in `count` (inlined into `f`), in place of the loop at b.h:3, costs 7 per iteration, was "
      "4 (100 iterations)");
  loop.instead_of_inlined = "`accumulate`";
  EXPECT_NE(text().find("in place of the loop at b.h:3 in `accumulate`, costs"), std::string::npos);
}

TEST(ExplanationTextTest, AGuessSaysWhichBuildHasNoOptimisation) {
  const auto text = [](std::array<size_t, 2> alone) {
    Cause cause;
    cause.facts = fact::Rebuilt{.object = "p",
                                .producers = {},
                                .guess = fact::BuildGuess::kNoOptimisation,
                                .guess_in_head = alone[1] > alone[0],
                                .alone = alone,
                                .common = 19,
                                .changed = 15};
    return cause_sentence(cause);
  };
  EXPECT_EQ(text({3, 162}),
            "`p` was built differently (probably without optimisation): 15 of the 19 functions in both builds changed "
            "in cost; 3 exist only in base; 162 exist only in head");
  EXPECT_NE(text({162, 3}).find("(probably with optimisation, was without)"), std::string::npos);
}

TEST(ChangePercentTest, SmallNewAndNone) {
  EXPECT_EQ(change_percent(1, 1'000'000), "+<0.01%");
  EXPECT_EQ(change_percent(-1, 1'000'000), "-<0.01%");
  EXPECT_EQ(change_percent(0, 10), "0%");
  EXPECT_EQ(change_percent(0, 0), "0%");
  EXPECT_EQ(change_percent(3, 0), "new");
  EXPECT_EQ(change_percent(-5, 10), "-50.00%");
}

TEST(ExplanationMarkdownTest, TheSameRowsAsATable) {
  std::ostringstream out;
  make_explanation_document(small_explanation(), heading(), {}, 0).render_markdown(out);
  EXPECT_EQ(
      out.str(),
      "**+17.56%**   2,886,240 -&gt; 3,392,940 instructions (+506,700)\n\n"
      "| change | cause |\n|---:|---|\n"
      "| +494,640 | `lex(std::vector<Token, std::allocator<Token> >&)` calls `hash` 600 times per call instead of "
      "300 (20 calls) `lexer.cc:12` |\n"
      "| +12,060 | self cost of `lex`: 1,234 -&gt; 1,837 per call (20 calls) |\n\n"
      "| side | profile |\n|---|---|\n| base | base.out |\n| head | head.out |\n");
}

TEST(ExplanationTextTest, NamesOfTenKilobytesAreReadableAndInert) {
  Explanation e = small_explanation();
  const std::string name = "f\x1b[31m" + std::string(10'000, 'x') + "\u202e";
  for (Cause& cause : e.causes) cause.facts = fact::Said{"self cost of `" + name + "`: 6 -> 14 per call"};
  for (FunctionChange& change : e.functions) change.name = name;
  for (const size_t width : {size_t{0}, size_t{80}}) {
    const std::string text = text_of(e, {.functions = true}, {.width = width});
    EXPECT_LT(text.size(), 8'000u);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
    EXPECT_GT(text_of(e, {.raw = true}, {.width = width}).size(), 20'000u);
  }
  std::ostringstream markdown;
  make_explanation_document(e, heading(), {.functions = true}, 0).render_markdown(markdown);
  EXPECT_LT(markdown.str().size(), 8'000u);
  EXPECT_EQ(markdown.str().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace icount
