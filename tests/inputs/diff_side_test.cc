// Two sides at once: profiles whose object file is this test, so that its debug information is read, too. The thread
// sanitizer watches it (scripts/check-all threads).
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgraph/function_code.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/diff_side.h"
#include "support/graph_builder.h"

/// A symbol that is found in this program.
extern "C" __attribute__((noinline)) int icount_diff_side_probe(int x) { return x * 3 + 1; }

namespace icount {
namespace {

/// A profile of one function of this program, of `cost` instructions at its first address and a jump back to it; line 0
/// is filled in, where this program has debug information.
std::string profile_of_probe(int cost) {
  const auto address = reinterpret_cast<uintptr_t>(&icount_diff_side_probe);
  std::ostringstream text;
  text << "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\ncmd: probe\npositions: instr line\nevents: Ir\n"
       << "summary: " << cost << "\n\nob=" << std::filesystem::read_symlink("/proc/self/exe").string()
       << "\nfl=diff_side_test.cc\nfn=icount_diff_side_probe\n0x" << std::hex << address << std::dec << " 0 "
       << cost - 10 << "\njcnd=5/10 0x" << std::hex << address << " 0\n0x" << address + 4 << " 0\n0x" << address + 4
       << std::dec << " 0 10\n";
  return text.str();
}

TEST(DiffSideTest, BothSidesAreReadSideBySide) {
  const ScratchDir folder;
  std::vector<std::string> names;
  for (const int cost : {100, 120}) {
    names.push_back((folder.path() / ("callgrind.out." + std::to_string(cost))).string());
    save_file(names.back(), profile_of_probe(cost));
  }
  std::ostringstream out, err;
  CommandContext context{.out = out, .err = err, .environment = Environment()};
  for (int round = 0; round < 3; ++round) {
    const DiffSides sides = load_diff_sides(names[0], names[1], {}, context);
    ASSERT_EQ(sides.base.file.results.size(), 1u);
    EXPECT_EQ(sides.base.file.results[0].graph->totals[0], 100);
    EXPECT_EQ(sides.head.file.results[0].graph->totals[0], 120);
    for (const DiffSide* side : {&sides.base, &sides.head}) {
      ASSERT_TRUE(side->file.results[0].graph->code);
      EXPECT_FALSE(side->file.results[0].graph->code->objects.empty()) << "the object was not read";
    }
  }
  EXPECT_EQ(icount_diff_side_probe(1), 4);
}

TEST(DataNameTest, DataIsKnownByItsNameInAnyCaseAndAsACopy) {
  for (const char* name : {"x.icount",          "e.expected",       "x.ICOUNT",
                           "r.icount.bak",      "folder/r.Icount~", "profile.out",
                           "callgrind.out.7",   "callgrind.out",    "old-callgrind.out.7.gz",
                           "Callgrind.OUT.1-2", "x.icount.1",       "x.icount-2",
                           "x.icount (3)",      "x.icount.~4~",     "x.json.orig.bak",
                           "x.json.old",        "x.icount copy",    "history.sqlite",
                           "x.sarif",           "perf.data.old",    "x.TOML"})
    EXPECT_TRUE(is_named_like_data(name)) << name;
}

TEST(DataNameTest, ProgramsAreNone) {
  for (const char* name : {"prog", "a.out", "test.out", "prog.bak", "prog.1", "icount", "json", "run.sh", "prog-1.2.3",
                           "x.icount/prog", "python3.11", "prog (2)", "", "~", "7", "parse.json.sh", "x.py"})
    EXPECT_FALSE(is_named_like_data(name)) << name;
}

TEST(CompareResults, KnowsWhereNotAllOfAProgramIsKnownToBeCounted) {
  const auto counts_a_part = [](const Result& result, const ResultFile& file) {
    CommitSources commits;
    CompareResultsOptions options;
    options.commits = &commits;
    return compare_results({"base", &file, &result}, {"head", &file, &result}, options).heading.mine->counts_a_part;
  };
  ResultFile file;
  Result result;
  result.counts = {5};
  result.graph = std::make_shared<const CostGraph>(GraphBuilder().line("f", "a.c", 1, 5).graph());
  result.task.program = {"./app"};
  EXPECT_TRUE(counts_a_part(result, file)) << "a profile";
  file.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  EXPECT_FALSE(counts_a_part(result, file));
  result.fingerprint.set("within", "f", FactClass::kRefuse);
  EXPECT_TRUE(counts_a_part(result, file));
  result.fingerprint = {};
  result.entries = 1;
  EXPECT_TRUE(counts_a_part(result, file)) << "a region";
  result.entries = 0;
  result.task.program.clear();
  EXPECT_TRUE(counts_a_part(result, file)) << "a statement, without its set-up";
}

}  // namespace
}  // namespace icount
