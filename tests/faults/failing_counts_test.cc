// Commands that count, of which one system call or allocation fails (failing_calls.c): icount's own, not those of the
// compilers, of Valgrind and of what is counted. The counts are right, or the command says that it failed; no output is
// half, and what the build cache holds afterwards is sound. A part of the places here; all of them with
// ICOUNT_LONG_TESTS=1, each with the first command that has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "faults/failing_sites.h"
#include "faults/kept_entries.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuite = R"(name = "small"
[library]
torch = false
[[stmts]]
label = "a"
cpp_setup = "int x = 1;"
cpp_stmt = "icount::keep(x);"
[[stmts]]
label = "b"
cpp_setup = "int y = 1;"
cpp_stmt = "icount::keep(y);"
)";

class FailingCountsTest : public testing::Test {
 protected:
  struct Command {
    std::string name;
    std::vector<std::string> words;
    std::string output;     ///< the file that it writes
    bool compiles = false;  ///< what it compiles is taken out of the cache before each run
  };

  void SetUp() override {
    for (const char* program : {"valgrind", "g++"})
      if (find_program(program).empty()) GTEST_SKIP() << "no " << program << " here";
    fs::create_directory(dir_.path() / "tmp");
    save_file(dir_.path() / "s.toml", kSuite);
    const ProcessOutcome base = run({"suite", "run", "s.toml", "--out", "base.icount"});
    ASSERT_EQ(base.exit_code, 0) << base.errors;
    compiled_ = KeptEntries(dir_.path() / "cache");
  }

  ProcessOutcome run(const std::vector<std::string>& words, const std::string& fault = {}) {
    ProcessSpec spec;
    spec.argv = {binary_dir() + "/icount"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.working_dir = dir_.path();
    spec.time_limit = Seconds(300);
    spec.environment = std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin",
                                                "HOME=" + dir_.path().string(),
                                                "TMPDIR=" + (dir_.path() / "tmp").string(),
                                                "ICOUNT_CACHE=" + (dir_.path() / "cache").string(),
                                                "ICOUNT_SERVER=off",
                                                "LC_ALL=C"};
    if (!fault.empty()) {
      spec.environment->push_back("LD_PRELOAD=" + binary_dir() + "/tests/failing_calls.so");
      spec.environment->push_back(fault);
    }
    return run_process(spec);
  }

  void lay_out(const Command& command) {
    for (const auto& entry : fs::directory_iterator(dir_.path()))
      if (entry.path().filename().string().starts_with("o.")) fs::remove_all(entry.path());
    if (command.compiles) compiled_.restore();
  }

  /// All that stands in the output's "counts"; empty: no output.
  std::string counts_in(const Command& command) {
    if (!fs::exists(dir_.path() / command.output)) return {};
    std::string counts;
    const std::string text = load_text(dir_.path() / command.output);
    for (size_t at = 0; (at = text.find("\"counts\":", at)) != std::string::npos; ++at)
      counts += text.substr(at, text.find(']', at) + 1 - at);
    return counts;
  }

  struct Answer {
    ProcessOutcome outcome;
    std::string counts;
  };
  Answer ask(const Command& command, const std::string& fault = {}) {
    lay_out(command);
    Answer answer{run(command.words, fault), {}};
    answer.counts = counts_in(command);
    return answer;
  }

  void expect_right_or_error(const Answer& answer, const Answer& expected, const std::string& where) {
    const ProcessOutcome& outcome = answer.outcome;
    if (outcome.errors.find("dynamicsizehash_concurrent.c") != std::string::npos) return;  // libdw's own assertion
    ASSERT_EQ(outcome.end, ProcessOutcome::End::kExited) << where << ": " << describe_end(outcome) << outcome.errors;
    if (outcome.exit_code == 0) {
      EXPECT_EQ(outcome.output, expected.outcome.output) << where << outcome.errors;
      EXPECT_EQ(answer.counts, expected.counts) << where << outcome.errors;
      return;
    }
    EXPECT_EQ(outcome.exit_code, 1) << where << "\n" << outcome.output << outcome.errors;
    const std::string said = outcome.errors + outcome.output;  // a failed benchmark is told among the others
    const bool reason = said.find("annot ") != std::string::npos || said.find("memory") != std::string::npos ||
                        said.find("could not") != std::string::npos || said.find("was lost") != std::string::npos;
    EXPECT_TRUE(reason) << where << " gives no reason: " << said;
    for (const char* word : {"unexpected failure", "bug", "icount: Resource"})
      EXPECT_EQ(outcome.errors.find(word), std::string::npos) << where << ": " << outcome.errors;
  }

  void expect_nothing_half(const Command& command, const std::string& where) {
    for (const auto& entry : fs::directory_iterator(dir_.path())) {
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(!name.starts_with("o.") || name == command.output) << where << " left " << name;
    }
  }

  /// Each place that no command before had.
  void fail_each(const Command& command) {
    fs::remove(dir_.path() / "log");
    ask(command);
    const Answer expected = ask(command);
    ASSERT_EQ(expected.outcome.exit_code, 0) << expected.outcome.errors;
    const auto entries = list_entry_files(dir_.path() / "cache");
    ask(command, "FAILING_CALLS_LOG=" + (dir_.path() / "log").string());
    const Sites sites = parse_sites(load_text(dir_.path() / "log"), true);
    ASSERT_GT(sites.size(), 20u) << "the library is not preloaded";
    // Each place costs a count under Valgrind; all of them, more than an hour.
    const size_t stride = all_sites_fail() ? 8 : 120;
    size_t tried = 0, fresh = 0, right = 0;
    for (const auto& [site, times] : sites) {
      if (!known_.insert(site).second) continue;
      const bool chosen = known_.insert(site.substr(0, site.find(' '))).second || fresh++ % stride == 0;
      if (!chosen) continue;
      const bool memory = site.starts_with("malloc");  // most places, and each of them costs a count
      for (const int time : all_sites_fail() && !memory ? std::set<int>{1, times} : std::set<int>{times}) {
        const std::string fault = "FAILING_CALL=" + site + " " + std::to_string(time);
        const std::string where = command.name + ": " + site + " " + std::to_string(time);
        const Answer answer = ask(command, fault);
        ++tried;
        right += answer.outcome.exit_code == 0;
        expect_right_or_error(answer, expected, where);
        expect_nothing_half(command, where);
        if (list_entry_files(dir_.path() / "cache") == entries) continue;
        for (const auto& left : {"o.icount", "o.json"}) fs::remove(dir_.path() / left);
        const ProcessOutcome next = run(command.words);  // with what the cache holds now
        EXPECT_EQ(next.exit_code, 0) << where << ", the next: " << next.errors;
        EXPECT_EQ(counts_in(command), expected.counts) << where << ", the next";
      }
    }
    std::cout << command.name << ": " << tried << " faults, " << right << " of them without effect on the answer, "
              << sites.size() << " places\n";
  }

  ScratchDir dir_;
  KeptEntries compiled_;
  std::set<std::string> known_;  ///< places that failed, and kinds of which one did
};

TEST_F(FailingCountsTest, AreRightOrAnErrorAndTheCacheIsSound) {
  const std::vector<std::string> statement = {"count", "--no-torch", "--repeats", "1", "--out", "o.icount", "--stmt"};
  const auto counted = [&](const std::string& text) {
    std::vector<std::string> words = statement;
    words.insert(words.end(), {text, "--setup", "int z = 1;"});
    return words;
  };
  fail_each({"count of a statement", counted("icount::keep(z);"), "o.icount"});
  fail_each({"count of a program", {"count", "--out", "o.icount", "--", "/bin/true"}, "o.icount"});
  fail_each({"suite run", {"suite", "run", "s.toml", "--out", "o.icount"}, "o.icount"});
  fail_each({"gate", {"gate", "s.toml", "--baseline", "base.icount", "--json", "o.json"}, "o.json"});
  fail_each({"compiling count", counted("icount::keep(z); icount::keep(z);"), "o.icount", true});
}

}  // namespace
}  // namespace icount
