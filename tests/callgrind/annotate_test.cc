// Against callgrind_annotate, where it is right, and against Callgrind itself: one deterministic program written with
// and without compression, addresses and jumps must give the same functions, rows and edges.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "callgrind/canonical_tables.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/callgrind/writer.h"
#include "icount/stacks/stack_contexts.h"
#include "icount/stacks/stack_tree.h"
#include "support/golden.h"

namespace icount {
namespace {

constexpr std::string_view kProgram = R"(
#include <algorithm>
#include <map>
#include <string>
#include <vector>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main() {
  std::map<std::string, int> words;
  std::vector<int> numbers;
  for (int i = 0; i < 200; ++i) {
    words["w" + std::to_string(i % 37)] += fib(i % 9);
    numbers.push_back((i * 7919) % 101);
  }
  std::sort(numbers.begin(), numbers.end());
  return (even(20) + words.size() + numbers[0]) % 2;
}
)";

class AnnotateTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* tool : {"valgrind", "callgrind_annotate", "c++"})
      if (find_program(tool).empty()) GTEST_SKIP() << "no " << tool << " in PATH";
  }
  std::string run(const std::vector<std::string>& argv, const std::filesystem::path& folder) {
    ProcessSpec spec;
    spec.argv = argv;
    spec.working_dir = folder;
    spec.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    spec.time_limit = Seconds(1200);
    const ProcessOutcome outcome = run_process(spec);
    EXPECT_TRUE(outcome.end == ProcessOutcome::End::kExited && outcome.exit_code <= 1) << outcome.errors;
    return outcome.output;
  }
  void compile() {
    save_file(dir_.path() / "prog.cc", kProgram);
    run({"c++", "-g", "-O1", "-o", "prog", "prog.cc"}, dir_.path());
  }
  /// The profile's file name does not depend on the options, so that the program's start is the same in every run.
  std::string profile(std::vector<std::string> options) {
    std::vector<std::string> argv = {"valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=cg.out"};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.push_back("./prog");
    run(argv, dir_.path());
    return load_text(dir_.path() / "cg.out");
  }
  /// file:function -> cost of the first event, over all objects.
  std::map<std::string, int64_t> annotate(const std::string& text);

  ScratchDir dir_;
};

std::map<std::string, int64_t> AnnotateTest::annotate(const std::string& text) {
  const ScratchDir elsewhere;  // annotate cuts its working folder off file names
  save_file(elsewhere.path() / "given.out", text);
  const std::string output = run({"callgrind_annotate", "--threshold=100", "--auto=no", "given.out"}, elsewhere.path());
  std::map<std::string, int64_t> rows;
  bool in_table = false;
  for (const std::string_view raw : split_lines(output)) {
    if (raw.find("file:function") != std::string_view::npos) in_table = true;
    const std::string_view line = trim(raw);
    if (!in_table || line.empty() || line[0] < '0' || line[0] > '9') continue;
    std::string number;
    size_t at = 0;
    for (; at < line.size() && line[at] != ' '; ++at)
      if (line[at] != ',') number += line[at];
    if (line.substr(at).starts_with(" (")) at = line.find(')', at) + 1;
    std::string key(trim(line.substr(at)));
    for (const char* object : {" [/", " [???"})  // rows of inlined code have none; names may end with [clone .isra.0]
      if (const size_t mark = key.rfind(object); mark != std::string::npos) key.resize(mark);
    rows[key] += *parse_int64(number);
  }
  return rows;
}

std::map<std::string, int64_t> rows_of(const CostGraph& graph) {
  std::map<std::string, int64_t> rows;
  for (size_t i = 0; i < graph.rows.size(); ++i) {
    const int64_t cost = graph.row_self[i * graph.event_count()];
    if (cost != 0)
      rows[fmt::format("{}:{}", graph.strings.view(graph.rows[i].file), graph.name(graph.rows[i].function))] += cost;
  }
  return rows;
}

/// Rows that only one side has, or has otherwise; empty when they agree.
std::string differences(const std::map<std::string, int64_t>& ours, const std::map<std::string, int64_t>& theirs) {
  std::string text;
  const auto list = [&text](const auto& from, const auto& other, std::string_view who) {
    for (const auto& [row, cost] : from) {
      const auto found = other.find(row);
      if (found == other.end() || found->second != cost) text += fmt::format("{} {} {}\n", who, row, cost);
    }
  };
  list(ours, theirs, "icount:");
  list(theirs, ours, "annotate:");
  return text;
}

CostGraph read(std::string_view text) { return make_cost_graph(parse_profile(text, "cg.out")); }

TEST_F(AnnotateTest, ExclusiveCostsOfGoldenProfilesAgree) {
  for (const char* name :
       {"containers.default", "jumpy.instr-jumps", "recursion.default", "requests.toggle", "weirdnames.default"}) {
    const FileBytes bytes = load_file(unpacked(std::string("profiles/callgrind/") + name));
    EXPECT_EQ(differences(rows_of(read(bytes.view())), annotate(std::string(bytes.view()))), "") << name;
  }
}

TEST_F(AnnotateTest, WhatWeWriteIsAccepted) {
  const FileBytes bytes =
      load_file(unpacked("profiles/callgrind/phases.combined"));  // six parts, wrong in annotate as they are
  const CostGraph graph = read(bytes.view());
  EXPECT_EQ(differences(rows_of(graph), annotate(render_callgrind(graph, "./phases"))), "");
}

TEST_F(AnnotateTest, OptionsOfTheWriterChangeNoNumber) {
  compile();
  const CostGraph plain = read(profile({}));
  expect_invariants(plain);
  EXPECT_TRUE(plain.call_counts.trusted) << plain.call_counts.reason;
  EXPECT_EQ(differences(rows_of(plain), annotate(load_text(dir_.path() / "cg.out"))), "");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--compress-strings=no"},
        {"--compress-pos=no"},
        {"--dump-instr=yes"},
        {"--collect-jumps=yes"},
        {"--compress-strings=no", "--compress-pos=no", "--dump-instr=yes", "--collect-jumps=yes"},
        {"--dump-instr=yes", "--dump-line=no"}}) {
    const std::string text = profile(options);
    const CostGraph other = read(text);
    SCOPED_TRACE(fmt::format("{}", fmt::join(options, " ")));
    EXPECT_EQ(functions_table(plain), functions_table(other));
    EXPECT_EQ(edges_table(plain), edges_table(other));
    EXPECT_EQ(rows_table(plain), rows_table(other));
    ParseOptions keep;
    keep.keep_lines = true;
    EXPECT_EQ(functions_table(plain), functions_table(make_cost_graph(parse_profile(text, "p", keep))));
  }
}

TEST_F(AnnotateTest, RecursionLevelsAddUpToTheRunWithoutThem) {
  compile();
  std::map<std::string, int64_t> folded, plain;
  const CostGraph levels = read(profile({"--separate-recs=4"}));
  const CostGraph none = read(profile({"--separate-recs=1"}));
  for (FunctionIndex f = 0; f < levels.functions.size(); ++f) {
    const std::string_view name = levels.name(f);
    const size_t mark = name.rfind('\'');
    const bool level = mark != std::string_view::npos && parse_int64(name.substr(mark + 1)).value_or(0) >= 2;
    folded[std::string(level ? name.substr(0, mark) : name)] += levels.self_of(f, 0);
  }
  for (FunctionIndex f = 0; f < none.functions.size(); ++f) plain[std::string(none.name(f))] += none.self_of(f, 0);
  EXPECT_EQ(differences(folded, plain), "");
}

TEST_F(AnnotateTest, ContextsFoldIntoTheRunWithoutThem) {
  compile();
  const CostGraph plain = read(profile({}));
  for (const char* callers : {"1", "3", "30"}) {
    CostGraph graph = read(profile({std::string("--separate-callers=") + callers}));
    const auto stacks = take_call_stacks(graph);
    ASSERT_TRUE(stacks.has_value()) << callers;
    check_call_stacks(*stacks);
    EXPECT_EQ(functions_table(plain), functions_table(graph)) << callers;
    EXPECT_EQ(edges_table(plain), edges_table(graph)) << callers;
    EXPECT_EQ(rows_table(plain), rows_table(graph)) << callers;
    EXPECT_EQ(stacks->totals, plain.totals) << callers;
  }
}

// The truth about a call without recursion stands in the plain profile too: what its edge costs. With contexts deep
// enough, the frames of the callee below the caller cost just that.
TEST_F(AnnotateTest, FramesBelowACallerCostWhatItsCallsCost) {
  compile();
  CostGraph graph = read(profile({"--separate-callers=30"}));
  const auto stacks = take_call_stacks(graph);
  ASSERT_TRUE(stacks.has_value());
  const StackTree tree =
      make_stack_tree(*stacks, "Ir", {.max_frames = 1'000'000, .max_depth = 1'000'000, .fold_clones = false});
  std::map<std::string, int64_t> below;
  std::set<std::string> recursive;
  for (size_t i = 0; i < tree.frames.size(); ++i) {
    ASSERT_EQ(tree.frames[i].kind, FrameKind::kFunction) << tree.name(i);
    if (tree.name(i).find("'2") != std::string_view::npos)
      recursive.insert(std::string(tree.name(i).substr(0, tree.name(i).find("'2"))));
    if (tree.frames[i].parent != kNoFrame)
      below[fmt::format("{} > {}", tree.name(tree.frames[i].parent), tree.name(i))] += tree.frames[i].inclusive;
  }
  EXPECT_TRUE(recursive.contains("fib(int)"));
  std::map<std::string, int64_t> calls;  // by name: two objects may hold functions of one name
  const auto is_recursive = [&](std::string_view name) {
    return name.find("'2") != std::string_view::npos || recursive.contains(std::string(name));
  };
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    const std::string_view caller = graph.name(graph.edges[e].caller), callee = graph.name(graph.edges[e].callee);
    if (!is_recursive(caller) && !is_recursive(callee))
      calls[fmt::format("{} > {}", caller, callee)] += graph.inclusive_of(e, 0);
  }
  EXPECT_GT(calls.size(), 100u);
  for (const auto& [call, cost] : calls) EXPECT_EQ(below[call], cost) << call;
}

TEST_F(AnnotateTest, EveryEventOfTheCacheSimulationAddsUp) {
  compile();
  const Profile parsed = parse_profile(profile({"--cache-sim=yes", "--branch-sim=yes", "--dump-instr=yes"}), "cg.out");
  ASSERT_EQ(parsed.parts.size(), 1u);
  EXPECT_EQ(parsed.parts[0].events.size(), 13u);
  EXPECT_TRUE(parsed.parts[0].has_totals);
  EXPECT_TRUE(parsed.warnings.empty());
  EXPECT_NO_THROW(check_cost_graph(make_cost_graph(parsed)));  // components may differ by an unfinished block
}

}  // namespace
}  // namespace icount
