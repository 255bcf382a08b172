// Statements counted for real: compiler, stub server, Valgrind.
#include "icount/timer/collect_callgrind.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/globals.h"
#include "icount/timer/stub_timing.h"
#include "icount/timer/timer.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

class CollectCallgrindTest : public testing::Test {
 protected:
  void SetUp() override { ICOUNT_NEEDS("valgrind"); }
};

/// Self cost of a function by its whole name; -1 when the graph has none.
int64_t self_of(const CostGraph& graph, std::string_view name) {
  int64_t sum = -1;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.name(f) == name) sum = (sum < 0 ? 0 : sum) + graph.self_of(f, 0);
  return sum;
}

int64_t calls_of(const CostGraph& graph, std::string_view caller, std::string_view callee) {
  for (const Edge& edge : graph.edges)
    if (graph.name(edge.caller) == caller && graph.name(edge.callee) == callee) return edge.calls;
  return -1;
}

TEST_F(CollectCallgrindTest, CountsCallsAndNamesAreThoseOfTheStatement) {
  const auto results =
      collect_all({make_statement("auto s = std::string(n, 'x'); icount::keep(s);", "int n = 100; icount::keep(n);")},
                  make_collect_options());
  const CollectResult& result = results[0];
  EXPECT_EQ(result.number_per_run, 100);
  ASSERT_EQ(result.counts.size(), 1u);
  EXPECT_EQ(result.counts[0], result.graph.totals[0]);
  EXPECT_EQ(calls_of(result.graph, "operator new(unsigned long)", "malloc"), 100)
      << "the warm-up's calls are not in it";
  EXPECT_GT(self_of(result.graph, "stmt"), 100);
  EXPECT_TRUE(result.graph.call_counts.trusted) << result.graph.call_counts.reason;
  EXPECT_TRUE(result.prepared) << "set-up and warm-up were run before";
}

TEST_F(CollectCallgrindTest, TheUsersLinesAreFiledUnderTheirOwnName) {
  CollectOptions options = make_collect_options();
  options.keep_lines = true;
  const auto results =
      collect_all({make_statement("i = i * 3 + 1;\ni ^= i >> 3;\nicount::keep(i);", "unsigned i = 7;")}, options);
  std::set<uint64_t> lines;
  for (const LineRow& row : results[0].graph.lines)
    if (results[0].graph.strings.view(row.file) == "stmt") lines.insert(row.line);
  EXPECT_TRUE(lines.contains(1));
  EXPECT_TRUE(lines.contains(2));
}

TEST_F(CollectCallgrindTest, RepeatsAreEqualAndTheSlopeLeavesTheMarkers) {
  CollectOptions options = make_collect_options();
  options.repeats = 3;
  const auto results =
      collect_all({make_statement("icount::keep(i); i = i * 3 + 1; i ^= i >> 3;", "unsigned i = 7;")}, options);
  const CollectResult& result = results[0];
  EXPECT_EQ(result.counts, std::vector<int64_t>(3, result.counts[0]));
  ASSERT_TRUE(result.slope);
  EXPECT_EQ(result.slope->double_count - result.counts[0], static_cast<int64_t>(result.slope->per_run * 100));
  EXPECT_EQ(result.slope->fixed, result.counts[0] - 100 * result.slope->per_run);
  EXPECT_EQ(result.slope->unexplained, result.slope->fixed - static_cast<double>(result.marker_count));
  EXPECT_LT(result.slope->unexplained, 20) << "an arithmetic loop costs nothing but its runs";
}

TEST_F(CollectCallgrindTest, TheSecondRegionGoesOnWhereTheFirstEnded) {
  // A statement that costs more in every run: the count over 2n must be that of a process that only ran 2n, but for
  // what a loop has at its beginning, which is known for steady costs alone.
  const std::vector<TimerArgs> statements = {
      make_statement("v.push_back(1); for (auto& x : v) ++x; icount::keep(v);", "std::vector<int> v;")};
  CollectOptions options = make_collect_options();
  options.number = 50;
  const auto once = collect_all(statements, options);
  options.number = 100;
  options.slope = false;
  const auto twice = collect_all(statements, options);
  ASSERT_TRUE(once[0].slope);
  EXPECT_NEAR(static_cast<double>(once[0].slope->double_count), static_cast<double>(twice[0].counts[0]), 8);
  EXPECT_FALSE(twice[0].slope);
}

TEST_F(CollectCallgrindTest, TogglesAgreeButForMarkersAndLoop) {
  const std::vector<TimerArgs> statements = {make_statement("auto s = std::string(64, 'x'); icount::keep(s);"),
                                             make_statement("icount::keep(i); i = i * 3 + 1;", "unsigned i = 7;")};
  CollectOptions options = make_collect_options();
  const auto dump = collect_all(statements, options);
  options.markers = Markers::kToggle;
  options.repeats = 2;
  const auto toggle = collect_all(statements, options);
  for (size_t i = 0; i < statements.size(); ++i) {
    ASSERT_EQ(toggle[i].counts.size(), 2u);
    // The loops are written differently, as PyTorch's is: at most three instructions a run.
    EXPECT_NEAR(static_cast<double>(toggle[i].counts[0]), static_cast<double>(dump[i].counts[0]), 3 * 100 + 60)
        << statements[i].stmt;
  }
}

TEST_F(CollectCallgrindTest, DeadStatementsAreErrorsUnlessAllowed) {
  const std::vector<TimerArgs> statements = {make_statement("int a = 1 + 1;"), make_statement(""),
                                             make_statement("for (int i = 0; i < 3; ++i);"),
                                             make_statement("asm volatile(\"nop\\nnop\\nnop\");")};
  CollectOptions options = make_collect_options();
  for (const bool slope : {true, false}) {
    options.slope = slope;
    const auto results = collect_callgrind(statements, options);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(results[i].status, CollectStatus::kDead) << i;
      EXPECT_NE(results[i].error.find("icount::keep"), std::string::npos);
    }
    EXPECT_EQ(results[3].status, CollectStatus::kDone) << results[3].error;
  }
  options.allow_dead = true;
  const auto allowed = collect_callgrind(statements, options);
  EXPECT_EQ(allowed[0].status, CollectStatus::kDone);
  EXPECT_EQ(allowed[0].notes.size(), 1u);
}

TEST_F(CollectCallgrindTest, CheapStatementsThatLiveAreNotDead) {
  TimerArgs handed_in = make_statement("icount::keep(n * 2);");
  handed_in.globals = {CopyIfCallgrind::integer("n", 5)};
  const std::vector<TimerArgs> statements = {
      handed_in, make_statement("asm volatile(\"\" ::: \"memory\");"),
      make_statement("icount::keep(std::to_string(123456789));"),
      make_statement("icount::keep(std::to_string(n));", "int n = 123456789; icount::keep(n);"),
      make_statement("int a = 1 + 1;")};
  CollectOptions options = make_collect_options();
  for (const int64_t number : {1, 10, 100, 1000}) {
    options.number = number;
    const auto results = collect_callgrind(statements, options);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_EQ(results[i].status, CollectStatus::kDone) << number << " " << statements[i].stmt << results[i].error;
    EXPECT_EQ(results[4].status, CollectStatus::kDead) << number;
    if (number < 100) continue;
    ASSERT_EQ(results[0].notes.size(), 1u);
    EXPECT_NE(results[0].notes[0].find(" instructions per run are the loop alone"), std::string::npos);
    EXPECT_EQ(results[3].notes, std::vector<std::string>{});
  }
}

TEST_F(CollectCallgrindTest, WhatWasLoadedIsRecordedAndAnotherLibraryIsRefused) {
  const ScratchDir scratch;
  const auto build = [&](const std::string& folder, const std::string& value) {
    const auto dir = scratch.path() / folder;
    std::filesystem::create_directories(dir);
    save_file(dir / "foo.cc", "extern \"C\" int foo() { return " + value + "; }");
    const ProcessOutcome outcome =
        run_process({.argv = {"g++", "-shared", "-fPIC", "-Wl,--build-id=sha1", (dir / "foo.cc").string(), "-o",
                              (dir / "libfoo.so").string()}});
    ASSERT_TRUE(outcome.ok()) << outcome.errors;
  };
  build("asked", "1");
  build("other", "2");
  CollectOptions options = make_collect_options();
  options.toolchain.link_flags = {"-L" + (scratch.path() / "asked").string(), "-lfoo"};
  TimerArgs args = make_statement("int n = foo(); icount::keep(n);");
  args.global_setup = "extern \"C\" int foo();";
  options.environment.set("LD_LIBRARY_PATH", (scratch.path() / "other").string());
  const auto refused = collect_callgrind(std::vector{args}, options);
  EXPECT_EQ(to_text(refused[0].status), "wrong-library");
  EXPECT_NE(refused[0].error.find("asked/libfoo.so was asked for"), std::string::npos) << refused[0].error;
  options.environment.set("LD_LIBRARY_PATH", (scratch.path() / "asked").string());
  const auto right = collect_all({args}, options);
  ASSERT_NE(right[0].fingerprint.find("libc"), nullptr);
  EXPECT_EQ(right[0].fingerprint.find("libc")->size(), 40u) << "the build id of what was loaded";
}

TEST_F(CollectCallgrindTest, LibTorchIsBuiltInWhenSomethingNamesIt) {
  CollectOptions options = make_collect_options();
  options.torch_as_needed = true;
  options.toolchain.torch_dir = "/no/libtorch/there";
  const std::vector<TimerArgs> plain = {make_statement("std::string s(100, 'x'); icount::keep(s);", {}, true),
                                        make_statement("int y = ;", {}, true)};
  const auto results = collect_callgrind(plain, options);
  EXPECT_EQ(results[0].status, CollectStatus::kDone) << results[0].error;
  EXPECT_EQ(*results[0].fingerprint.find("LibTorch"), "none");
  EXPECT_EQ(results[1].status, CollectStatus::kCompileError);
  EXPECT_NE(results[1].error.find("stmt:1:9: "), std::string::npos) << results[1].error;
}

TEST_F(CollectCallgrindTest, WhatIsCountedDoesNotDependOnTheNeighbours) {
  const TimerArgs wanted =
      make_statement("std::map<int, int> m; for (int i = 0; i < 9; ++i) m[i] = i; icount::keep(m);");
  const auto alone = collect_all({wanted}, make_collect_options());
  std::vector<TimerArgs> many;
  for (int i = 0; i < 12; ++i)
    many.push_back(make_statement("std::vector<char> v(" + std::to_string(100 * i + 1) + "); icount::keep(v);"));
  many.push_back(wanted);
  CollectOptions options = make_collect_options();
  options.jobs = 3;
  EXPECT_EQ(collect_all(many, options).back().counts, alone[0].counts);
  options.isolate = true;
  EXPECT_EQ(collect_all({many[3], wanted}, options).back().counts, alone[0].counts);
}

// Flags of the user's hold for the server's own code, and a global set-up runs in it.
TEST_F(CollectCallgrindTest, AnInstructionThatEndsTheServerIsNamed) {
#ifndef __x86_64__
  GTEST_SKIP() << "AVX-512 is of x86-64";
#endif
  TimerArgs statement = make_statement("icount::keep(early);");
  statement.global_setup = "int early = [] { asm volatile(\"vpxord %zmm0, %zmm0, %zmm0\"); return 1; }();";
  const std::string message = collect_callgrind(std::vector<TimerArgs>{statement}, make_collect_options())[0].error;
  for (const char* word : {"vpxord", "AVX-512", "global_setup:1", "-march=x86-64-v3"})
    EXPECT_NE(message.find(word), std::string::npos) << message;
}

TEST_F(CollectCallgrindTest, AGlobalSetupThatThrowsCostsItsOwnStatementsAndIsNamed) {
  std::vector<TimerArgs> statements(3, make_statement("std::string s(100, 'x'); icount::keep(s);"));
  statements[0].global_setup = "const int device = [] { throw std::runtime_error(\"no device\"); return 1; }();";
  statements[1].global_setup = "const int device = (std::fputs(\"no licence\\n\", stderr), std::exit(3), 1);";
  const auto results = collect_callgrind(statements, make_collect_options());
  for (const char* words : {"signal 6", "the global set-up runs before main", "it printed: ", "what():  no device"})
    EXPECT_NE(results[0].error.find(words), std::string::npos) << results[0].error;
  for (const char* words : {"status 3", "the global set-up runs before main", "it printed: no licence"})
    EXPECT_NE(results[1].error.find(words), std::string::npos) << results[1].error;
  EXPECT_EQ(results[2].error, "");
  EXPECT_EQ(results[2].counts.size(), 1u);
}

TEST_F(CollectCallgrindTest, TheTimerKeepsTheProfilesThatItIsAskedFor) {
  StubTimingOptions options;
  options.cache_dir = make_collect_options().cache_dir;
  Timer timer({.stmt = "std::string s(100, 'x'); icount::keep(s);", .torch = false}, options);
  const auto kept =
      timer.collect_callgrind({.number = 10, .repeats = 2, .collect_baseline = false, .retain_out_file = true});
  ASSERT_EQ(kept.size(), 2u);
  for (const CallgrindStats& stats : kept) {
    ASSERT_TRUE(stats.stmt_callgrind_out());
    EXPECT_NE(stats.stmt_callgrind_out()->find("events: Ir"), std::string::npos);
    EXPECT_EQ(stats.counts(), timer.collect_callgrind(10).counts()) << "keeping changes no count";
  }
  EXPECT_FALSE(timer.collect_callgrind(10).stmt_callgrind_out());
}

TEST_F(CollectCallgrindTest, ThreadsAreCountedAsAWhole) {
  TimerArgs threads =
      make_statement("std::thread t([&] { for (int i = 0; i < 10000; ++i) asm volatile(\"\"); }); t.join();");
  threads.num_threads = 2;
  CollectOptions options = make_collect_options();
  options.number = 2;
  const auto results = collect_all({threads}, options);
  EXPECT_GT(results[0].counts[0], 2 * 20000) << "the work of the thread is in it";
  ASSERT_EQ(results[0].notes.size(), 1u);
  EXPECT_TRUE(results[0].notes[0].starts_with("the statement starts threads: ")) << results[0].notes[0];
}

TEST_F(CollectCallgrindTest, CodeOfAMemfdIsSaid) {
  const TimerArgs jit = make_statement("unsigned char byte = code[0]; icount::keep(byte);",
                                       "int file = memfd_create(\"jit\", 0); if (ftruncate(file, 4096)) abort();"
                                       "auto* code = static_cast<unsigned char*>("
                                       "mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0));");
  TimerArgs with_headers = jit;
  with_headers.global_setup = "#include <stdlib.h>\n#include <sys/mman.h>\n#include <unistd.h>";
  CollectOptions options = make_collect_options();
  const auto said = [&] {
    const CollectResult result = collect_all({with_headers}, options)[0];
    EXPECT_EQ(result.status, CollectStatus::kDone) << result.error;
    return std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
      return note.find("code from memory that a memfd or a deleted file backs") != std::string::npos;
    });
  };
  EXPECT_TRUE(said());
  options.callgrind_options = {"--smc-check=all"};
  EXPECT_FALSE(said());
}

TEST_F(CollectCallgrindTest, ThreadsCanBeToldApart) {
  TimerArgs threads =
      make_statement("std::thread t([&] { for (int i = 0; i < 10000; ++i) asm volatile(\"\"); }); t.join();");
  threads.num_threads = 2;
  CollectOptions options = make_collect_options();
  options.number = 2;
  options.per_thread = true;
  const auto results = collect_all({threads, make_statement("std::string s(100, 'x'); icount::keep(s);")}, options);
  ASSERT_EQ(results[0].notes.size(), 2u);
  int64_t caller = 0, worker = 0;
  std::string digits = results[0].notes[1];
  std::erase(digits, ',');
  ASSERT_EQ(std::sscanf(digits.c_str(), "by thread: %ld in the calling thread %ld in thread 2", &caller, &worker), 2)
      << results[0].notes[1];
  EXPECT_EQ(caller + worker, results[0].counts[0]);
  EXPECT_GT(worker, 2 * 20000);
  EXPECT_LT(caller, 20000) << "it starts the thread and waits";
  EXPECT_EQ(results[1].notes[0].find("thread 2"), std::string::npos);
}

TEST_F(CollectCallgrindTest, ResultsComeOneByOneAndInTheOrderGiven) {
  std::vector<TimerArgs> statements(3, make_statement("icount::keep(1 + 2); asm volatile(\"nop\\nnop\\nnop\");"));
  CollectOptions options = make_collect_options();
  std::set<size_t> seen;
  options.on_result = [&](const CollectResult& result) { seen.insert(result.index); };
  const auto results = collect_all(statements, options);
  EXPECT_EQ(seen, (std::set<size_t>{0, 1, 2}));
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].index, i);
}

TEST_F(CollectCallgrindTest, TheFingerprintTellsWhatWasUsed) {
  CollectOptions options = make_collect_options();
  const std::vector<TimerArgs> statements = {
      make_statement("char a[999]; memset(a, 1, n); icount::keep(a);", "size_t n = 999; icount::keep(n);")};
  const auto pinned = collect_all(statements, options);
  options.pins.released = {Pin::kAslr};
  const auto released = collect_all(statements, options);
  for (const char* name :
       {"valgrind", "cpu features under Valgrind", "compiler", "libc", "LibTorch", "threads", "routine memset"})
    EXPECT_NE(pinned[0].fingerprint.find(name), nullptr) << name;
  EXPECT_EQ(*pinned[0].fingerprint.find("LibTorch"), "none");
  const Comparability answer = comparable(pinned[0].fingerprint, released[0].fingerprint);
  ASSERT_EQ(answer.refusals.size(), 1u);
  EXPECT_EQ(answer.refusals[0].rfind("pins differ: all", 0), 0u) << answer.refusals[0];
}

TEST_F(CollectCallgrindTest, CancellingLeavesNoProcessAndNoFolder) {
  const ScratchDir folder;
  const std::filesystem::path place = folder.path() / "tmp";
  std::filesystem::create_directory(place);
  ASSERT_EQ(::setenv("TMPDIR", place.c_str(), 1), 0);
  std::atomic<int> asked{0};
  CollectOptions options = make_collect_options();
  options.cancelled = [&] { return ++asked > 25; };
  const auto results =
      collect_callgrind(std::vector<TimerArgs>{make_statement("while (true) asm volatile(\"\");")}, options);
  ::unsetenv("TMPDIR");
  EXPECT_EQ(results[0].status, CollectStatus::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(place));
  const ProcessOutcome left = run_process({.argv = {"ps", "-eo", "args"}});
  EXPECT_EQ(left.output.find(place.string()), std::string::npos) << left.output;
}

TEST_F(CollectCallgrindTest, SenselessOptionsAreRefused) {
  CollectOptions options = make_collect_options();
  options.number = 0;
  try {
    collect_callgrind(std::vector<TimerArgs>{make_statement(";")}, options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the number of runs must be at least 1, not 0");
  }
}

}  // namespace
}  // namespace icount
