#include "icount/report/mine_document.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "icount/report/mine_json.h"

namespace icount {
namespace {

MineHunk hunk(const std::string& path, uint64_t line, int64_t delta, std::string function = {}) {
  MineHunk made{.old_path = path, .path = path, .old_lines = {line, 1}, .new_lines = {line, 1}};
  made.function = std::move(function);
  made.line = line;
  made.git_hunk = static_cast<uint32_t>(line);
  made.delta = delta;
  return made;
}

MineHunk executed(MineHunk hunk, int64_t base, int64_t head) {
  hunk.is_executed = true;
  hunk.executions = {base, head};
  return hunk;
}

MineUnit unit(std::vector<uint32_t> hunks, int64_t delta, HunkShare share, bool is_executed) {
  MineUnit made{.hunks = std::move(hunks), .delta = delta};
  made.shares[static_cast<size_t>(share)] = delta;
  made.is_executed = is_executed;
  return made;
}

void add_outside(Mine& mine, OutsideReason reason, const std::string& function, int64_t delta) {
  mine.outside.delta += delta;
  mine.outside.reasons[static_cast<size_t>(reason)] += delta;
  mine.outside.functions.push_back({function, reason, delta});
}

std::string text(const Mine& mine) {
  std::ostringstream out;
  make_mine_document(mine).render_text(out, {});
  return out.str();
}

TEST(MineDocument, HasARowForEachUnitAndOneForWhatIsOutside) {
  Mine mine{.delta = 130};
  mine.hunks = {executed(hunk("src/a.c", 12, 100, "f"), 0, 40), hunk("src/b.h", 3, 0), hunk("a.c", 90, 0)};
  mine.hunks[2].text = HunkText::kComment;
  mine.hunks.push_back(executed(hunk("c.c", 7, 20, "g"), 5, 5));
  mine.units = {unit({0, 1}, 100, HunkShare::kChangedLines, true), unit({3}, 20, HunkShare::kOtherWork, true)};
  add_outside(mine, OutsideReason::kLibrary, "strlen", 8);
  add_outside(mine, OutsideReason::kCompiledDifferently, "h", 2);
  EXPECT_EQ(text(mine),
            "\n"
            "  change         executed  your hunks\n"
            "    +100  40 times, was 0  a.c:12 in `f` (and b.h:3, not executed)\n"
            "     +20          5 times  c.c:7 in `g`, probably: unchanged code does other work\n"
            "     +10                   code outside your diff (+8 in libraries; +2 compiled differently)\n"
            "your diff: 4 hunks; 1 is comments or blanks only; 2 are executed here, 1 is not (b.h:3)\n");
  EXPECT_EQ(mine_sentence(mine),
            "your hunks: +100 a.c:12 in `f` (and b.h:3, not executed); +20 c.c:7 in `g`, probably: unchanged code does "
            "other work; +10 code outside your diff (+8 in libraries; +2 compiled differently)");
  EXPECT_EQ(unit_annotation(mine, mine.units[0], "Ir"), "+100 of +130 Ir by this and 1 more hunk");
}

TEST(MineDocument, TellsTheRestOfAFunctionFromWhatChangedLinesDo) {
  Mine mine{.delta = 500};
  mine.hunks = {executed(hunk("sum.h", 8, 500, "sum_of"), 40, 0)};
  mine.hunks[0].is_line_of_base = true;
  mine.units = {unit({0}, 500, HunkShare::kChangedCodeInlined, true)};
  const auto said = [&](int64_t lines, int64_t around) {
    mine.units[0].shares = {};
    mine.units[0].shares[static_cast<size_t>(HunkShare::kChangedLines)] = lines;
    mine.units[0].shares[static_cast<size_t>(HunkShare::kChangedCodeInlined)] = around;
    mine.units[0].delta = lines + around;
    mine.terms = {{.function = "main",
                   .hunk = 0,
                   .why = static_cast<size_t>(HunkShare::kChangedCodeInlined),
                   .value = static_cast<long double>(around)}};
    return mine_sentence(mine);
  };
  EXPECT_EQ(said(-24, 524),
            "your hunks: +500 sum.h:8 (base) in `sum_of`: -24 by the changed lines, +524 by the rest of `main`");
  EXPECT_EQ(said(300, 200), "your hunks: +500 sum.h:8 (base) in `sum_of`");
}

TEST(MineDocument, TellsInliningFromWhatChangedLinesDo) {
  Mine mine{.delta = 590};
  mine.hunks = {executed(hunk("sum.h", 8, 590, "sum_of"), 0, 160), hunk("sum.h", 4, 0)};
  mine.units = {unit({0, 1}, 590, HunkShare::kChangedLines, true)};
  mine.units[0].shares = {};
  mine.units[0].shares[static_cast<size_t>(HunkShare::kChangedLines)] = 640;
  mine.units[0].shares[static_cast<size_t>(HunkShare::kSameFunction)] = 1'300;
  mine.units[0].shares[static_cast<size_t>(HunkShare::kCallMadeOrInlined)] = -1'340;
  mine.units[0].shares[static_cast<size_t>(HunkShare::kInlinedInto)] = -10;
  EXPECT_EQ(
      mine_sentence(mine),
      "your hunks: +590 sum.h:8 in `sum_of` (and sum.h:4, not executed): +640 by the changed lines, -50 by inlining");
  mine.units[0].shares[static_cast<size_t>(HunkShare::kChangedLines)] = 0;
  EXPECT_EQ(mine_sentence(mine), "your hunks: +590 sum.h:8 in `sum_of` (and sum.h:4, not executed)")
      << "nothing to tell apart";
}

TEST(MineDocument, SaysThatNoneOfTheLinesIsExecuted) {
  Mine mine{.delta = 6};
  mine.hunks = {hunk("a.c", 12, 0, "f")};
  mine.units = {unit({0}, 0, HunkShare::kChangedLines, false)};
  add_outside(mine, OutsideReason::kCompiledDifferently, "g", 6);
  EXPECT_EQ(text(mine),
            "\n"
            "not your lines: the hunk that you changed is not executed here (a.c:12)\n"
            "the compiler: `g` was compiled differently (+6)\n");
  mine.knows_inlined = false;  // a line of calls that were all inlined has no instruction of its own
  const std::string no_line =
      ": the hunk that you changed is not shown by a line of its own (a.c:12), and of some functions only the lines "
      "are "
      "known, not the calls that were inlined there";
  EXPECT_EQ(text(mine), "\ncompiled differently, perhaps by your lines" + no_line + "\n");
  EXPECT_EQ(mine_sentence(mine), "compiled differently, perhaps by your lines" + no_line);
  Mine other = mine;
  add_outside(other, OutsideReason::kOtherWork, "h", 1);
  EXPECT_EQ(text(other), "\nnot known whether these are your lines" + no_line + "\n");
  mine.knows_inlined = true;
  mine.hunks.push_back(hunk("b.c", 1, 0));
  mine.units.push_back(unit({1}, 0, HunkShare::kChangedLines, false));
  add_outside(mine, OutsideReason::kCompiledDifferently, "h", -1);
  EXPECT_EQ(text(mine),
            "\n"
            "not your lines: none of the 2 hunks that you changed is executed here (a.c:12, b.c:1)\n"
            "the compiler: 2 functions were compiled differently (+5): `g` +6, `h` -1\n");
}

TEST(MineDocument, AcquitsNoLinesThatMayActUnexecutedOrRunUncounted) {
  Mine mine{.delta = 6};
  mine.hunks = {hunk("a.h", 12, 0), hunk("b.c", 1, 0)};
  mine.units = {unit({0}, 0, HunkShare::kChangedLines, false), unit({1}, 0, HunkShare::kChangedLines, false)};
  add_outside(mine, OutsideReason::kOtherWork, "g", 6);
  EXPECT_EQ(mine_sentence(mine),
            "not your lines: none of the 2 hunks that you changed is executed here (a.h:12, b.c:1); +6 code outside "
            "your diff, the same code, run more or less often or on other data");
  mine.counts_a_part = true;
  const std::string others = "\nother work: the same code of `g` ran more or less often, or on other data (+6)\n";
  const std::string part =
      "\nnone of the 2 hunks that you changed is executed in what is counted (a.h:12, b.c:1); they ";
  EXPECT_EQ(text(mine), part + "may run in the set-up" + others);
  mine.hunks[0].may_act_unexecuted = true;
  EXPECT_EQ(text(mine), part + "may run in the set-up, or act through types or constants" + others);
  mine.hunks.pop_back();
  mine.units.pop_back();
  mine.counts_a_part = false;
  EXPECT_EQ(
      text(mine),
      "\nthe hunk that you changed is not executed here (a.h:12); it may act through types or constants" + others);
}

TEST(MineDocument, CountsHunksThatGitShowsAsOneOnce) {
  Mine mine{.delta = 50};
  mine.hunks = {executed(hunk("a.c", 12, 50, "f"), 1, 2), hunk("a.c", 16, 0, "f"), hunk("Makefile", 1, 0)};
  mine.hunks[1].git_hunk = mine.hunks[0].git_hunk;
  mine.hunks[2].text = HunkText::kOtherFile;
  mine.other_files = {"Makefile"};
  mine.units = {unit({0, 1}, 50, HunkShare::kChangedLines, true)};
  EXPECT_EQ(text(mine),
            "\n"
            "  change        executed  your hunks\n"
            "     +50  2 times, was 1  a.c:12 in `f`\n"
            "your diff: 1 hunk; 1 is executed here; 1 file that is no source\n");
  EXPECT_EQ(unit_annotation(mine, mine.units[0], "Ir"), "+50 of +50 Ir by this hunk");
  mine.hunks.push_back(executed(hunk("a.c", 80, 30, "g"), 1, 2));
  mine.units[0] = unit({0, 3, 1}, 90, HunkShare::kChangedLines, true);
  mine.units[0].tells_hunks_apart = true;
  mine.hunks[1].delta = 10;
  EXPECT_NE(text(mine).find(" +60: a.c:12 in `f`\n"), std::string::npos) << text(mine);
  EXPECT_NE(text(mine).find(" +30: a.c:80 in `g`\n"), std::string::npos) << text(mine);
  mine.units[0].hunks = {0, 1};
  mine.units[0].delta = 60;
  EXPECT_EQ(text(mine).find("+60: a.c:12"), std::string::npos) << "one hunk has no parts: " << text(mine);
  mine.hunks[0].executions[0].reset();
  EXPECT_NE(text(mine).find("yes  a.c:12"), std::string::npos) << "not known is not 0 times";
}

TEST(MineDocument, SaysOfHunksThatAreNotExecutedWhatTheyAre) {
  Mine mine{.delta = 9};
  mine.hunks = {hunk("m.h", 4, 5), hunk("a.c", 12, 4, "f")};
  mine.hunks[0].macro = "CHECK";
  mine.units = {unit({0}, 5, HunkShare::kChangedMacro, false), unit({1}, 4, HunkShare::kSameFunction, false)};
  EXPECT_EQ(text(mine),
            "\n"
            "none of the 2 hunks that you changed is executed here\n"
            "  change  executed  your hunks\n"
            "      +5        no  macro `CHECK` at m.h:4\n"
            "      +4        no  a.c:12 in `f`: not executed; the function around it was compiled differently\n"
            "your diff: 2 hunks; 2 are not executed here\n");
}

TEST(MineDocument, SaysWhatOfAChangedTypeIsExecuted) {
  Mine mine{.delta = 9};
  mine.hunks = {hunk("m.h", 4, 9)};
  mine.hunks[0].type = "Parser";
  mine.hunks[0].is_executed = true;
  mine.units = {unit({0}, 9, HunkShare::kSameFunction, true)};
  EXPECT_EQ(mine_sentence(mine), "your hunks: +9 type `Parser` at m.h:4: what makes, copies or ends it");
}

TEST(MineDocument, NamesTheBuildWhereNoCodeChanges) {
  Mine mine{.delta = 3};
  mine.hunks = {hunk("Makefile", 1, 0)};
  mine.hunks[0].text = HunkText::kOtherFile;
  mine.other_files = {"Makefile"};
  add_outside(mine, OutsideReason::kCompiledDifferently, "g", 3);
  EXPECT_EQ(text(mine),
            "\n"
            "your diff changes no code (your diff: 1 file that is no source)\n"
            "it changes Makefile: the build may differ, or what is read\n"
            "the compiler: `g` was compiled differently (+3)\n");
}

TEST(MineDocument, ClaimsNothingWithoutLinesOrFiles) {
  Mine mine{.delta = 3};
  mine.hunks = {hunk("a.c", 1, 0)};
  mine.units = {unit({0}, 0, HunkShare::kChangedLines, false)};
  mine.files_are_found = false;
  EXPECT_EQ(
      text(mine),
      "\n"
      "  note:  which part of the change is your diff's is not known: no source file of the profiles is one of the "
      "repository; were they recorded from other sources?\n");
  mine.knows_lines = false;
  EXPECT_NE(mine_sentence(mine).find("no line numbers (compile with -g)"), std::string::npos);
}

TEST(MineDocument, ShowsTheHunksOfAUnitWhereTheyCanBeToldApart) {
  Mine mine{.delta = 50};
  mine.hunks = {executed(hunk("a.c", 12, 30, "f"), 1, 1), executed(hunk("a.c", 20, 20, "f"), 1, 1)};
  mine.units = {unit({0, 1}, 50, HunkShare::kChangedLines, true)};
  mine.units[0].tells_hunks_apart = true;
  EXPECT_EQ(text(mine),
            "\n"
            "  change  executed  your hunks\n"
            "     +50    1 time  a.c:12 in `f` (and a.c:20)\n"
            "                      +30: a.c:12 in `f`\n"
            "                      +20: a.c:20 in `f`\n"
            "your diff: 2 hunks; 2 are executed here\n");
}

TEST(MineDocument, ShowsTheControl) {
  Mine mine{.delta = 6};
  mine.hunks = {hunk("a.c", 12, 0, "f")};
  mine.units = {unit({0}, 0, HunkShare::kChangedLines, false)};
  add_outside(mine, OutsideReason::kCompiledDifferently, "g", 6);
  mine.control = MineControl{.lines_equal = 3571};
  EXPECT_NE(
      text(mine).find("\ncontrol: 3,571 other lines ran exactly as often as before, so the compiler alone moved +6\n"),
      std::string::npos);
  mine.control = MineControl{.lines_equal = 10,
                             .lines_other = 2,
                             .lines = {{"a.c", 3, {5, 1000}, 9}, {"a.c", 4, {1, 0}, -1}},
                             .executions_delta = 8};
  EXPECT_NE(
      text(mine).find("\ncontrol: 2 of 12 other lines ran more or less often (+8 by that): a.c:3 (1,000 times, was 5), "
                      "a.c:4 (0 times, was 1)\n"),
      std::string::npos);
}

TEST(MineJson, HasHunksUnitsAndWhatIsOutside) {
  Mine mine{.base_name = "main", .head_name = "working tree", .delta = 15};
  mine.hunks = {executed(hunk("a.c", 12, 10, "f"), 0, 40), hunk("b.c", 1, 0)};
  mine.hunks[1].text = HunkText::kMoved;
  mine.units = {unit({0}, 10, HunkShare::kCallsFromChangedLines, true)};
  add_outside(mine, OutsideReason::kEntries, "g", 5);
  Json json;
  add_mine_to_json(mine, json);
  EXPECT_EQ(json["hunks"][0].dump(),
            R"({"id":0,"file":"a.c","old":[12,1],"new":[12,1],"what":"code","function":"f","lines_with_code":0,)"
            R"("lines_executed":0,"executed":true,"executions":{"base":0,"head":40},"unit":0,"delta":10})");
  EXPECT_EQ(json["hunks"][1].dump(), R"({"id":1,"file":"b.c","old":[1,1],"new":[1,1],"what":"moved"})");
  EXPECT_EQ(json["units"].dump(),
            R"([{"id":0,"hunks":[0],"delta":10,"executed":true,"how":{"calls":10},"proved":null}])");
  EXPECT_EQ(json["outside"].dump(),
            R"({"delta":5,"compiled_differently":0,"other_work":0,"libraries":0,"entries":5,"unknown":0,)"
            R"("functions":[{"function":"g","reason":"entries","delta":5}]})");
}

TEST(MinePageJson, HasTheRowsOfTheDocumentWithTheSourceOfTheirHunks) {
  Mine mine{.delta = 15};
  mine.hunks = {executed(hunk("a.c", 12, 10, "f"), 0, 40)};
  mine.hunks[0].source = {std::vector<std::string>{"old();"}, std::vector<std::string>(41, "if (a < b) \"</script>\"")};
  mine.units = {unit({0}, 10, HunkShare::kChangedLines, true)};
  add_outside(mine, OutsideReason::kEntries, "g", 5);
  const Json json = mine_to_page_json(mine);
  ASSERT_EQ(json["rows"].size(), 2u);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["delta"], 10);
  EXPECT_EQ(row["executed"], "40 times, was 0");
  const Json& shown = row["hunks"][0];
  EXPECT_EQ(shown["place"], "a.c:12 in `f`");
  EXPECT_EQ(shown["delta"], 10);
  EXPECT_EQ(shown["sides"][0].dump(), R"({"first":12,"lines":["old();"],"more":0})");
  EXPECT_EQ(shown["sides"][1]["lines"].size(), 40u);
  EXPECT_EQ(shown["sides"][1]["lines"][0], "if (a < b) \"</script>\"") << "the page escapes it";
  EXPECT_EQ(shown["sides"][1]["more"], 1);
  EXPECT_EQ(json["rows"][1].dump(),
            R"({"executed":"","text":"code outside your diff, entered from outside","inside":[],"delta":5})");
}

}  // namespace
}  // namespace icount
