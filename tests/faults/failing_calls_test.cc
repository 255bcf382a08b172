// Commands of which one system call or allocation fails (failing_calls.c): from each place of the program that makes
// calls, its first, second and last one. The answer is right, or the command says that it failed; nothing that was
// acknowledged is lost, nothing is left half. A part of the places here; all of them with ICOUNT_LONG_TESTS=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "faults/failing_sites.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

struct Command {
  std::vector<std::string> words;
  std::string output;  ///< the file that it writes; empty: none
  bool memory = true;  ///< allocations fail, too; libcrypto 3.0 crashes in its own first call without memory
};

class FailingCallsTest : public testing::TestWithParam<Command> {
 protected:
  void SetUp() override {
    const std::string support = source_dir() + "/tests/support/";
    for (const char* name : {"lexer_base.out", "lexer_head.out"}) fs::copy_file(support + name, dir_.path() / name);
    save_file(dir_.path() / "s.toml", "include = \"more.toml\"\n[library]\ntorch = false\n");
    save_file(dir_.path() / "more.toml", "[[stmts]]\nlabel = \"a\"\ncpp_stmt = \"int n = 1; icount::keep(n);\"\n");
    save_file(dir_.path() / "base.icount", small_result("Ir", 100));
    save_file(dir_.path() / "head.icount", small_result("Ir", 120));
    expect_ok({"store", "import", "base.icount", "--store", "kept.sqlite", "--name", "kept", "--time", "1000"});
    expect_ok({"accept", "base.icount", "--expected", "kept.expected", "--suite", "none"});
  }

  static std::string small_result(const std::string& event, int count) {
    return "{\"schema\":{\"name\":\"icount-result\",\"version\":1},\"command\":\"icount suite run\",\"planned\":1,"
           "\"fingerprint\":[{\"name\":\"valgrind\",\"value\":\"3.19.0\",\"class\":\"refuse\"}]}\n"
           "{\"label\":[\"a\"],\"task\":{\"stmt\":\"f();\",\"setup\":\"\",\"language\":\"c++\",\"num_threads\":1},"
           "\"status\":\"done\",\"event\":\"" +
           event + "\",\"number_per_run\":1,\"counts\":[" + std::to_string(count) + "]}\n";
  }

  ProcessOutcome run(const std::vector<std::string>& words, const std::string& fault = {}) {
    ProcessSpec spec;
    spec.argv = {binary_dir() + "/icount"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.working_dir = dir_.path();
    spec.time_limit = Seconds(120);
    spec.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "HOME=" + dir_.path().string(), "LC_ALL=C"};
    if (!fault.empty()) {
      spec.environment->push_back("LD_PRELOAD=" + binary_dir() + "/tests/failing_calls.so");
      spec.environment->push_back(fault);
    }
    return run_process(spec);
  }

  void expect_ok(const std::vector<std::string>& words) {
    const ProcessOutcome outcome = run(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  }

  /// What each command finds: copies of what was acknowledged, and no output.
  void lay_out() {
    for (const auto& entry : fs::directory_iterator(dir_.path()))
      if (entry.path().filename().string().starts_with("o.")) fs::remove_all(entry.path());
    fs::copy_file(dir_.path() / "kept.sqlite", dir_.path() / "o.sqlite");
    fs::copy_file(dir_.path() / "kept.expected", dir_.path() / "o.expected");
  }

  Sites find_sites(const std::vector<std::string>& words) {
    fs::remove(dir_.path() / "log");
    lay_out();
    run(words, "FAILING_CALLS_LOG=" + (dir_.path() / "log").string());
    return parse_sites(load_text(dir_.path() / "log"), GetParam().memory);
  }

  /// What was acknowledged before is there, and the next command works.
  void expect_nothing_lost(const std::string& where) {
    const ProcessOutcome check = run({"store", "check", "--store", "o.sqlite"});
    EXPECT_EQ(check.exit_code, 0) << where << ": " << check.errors;
    const ProcessOutcome kept = run({"store", "export", "@kept", "--store", "o.sqlite"});
    EXPECT_NE(kept.output.find("\"counts\":[100]"), std::string::npos) << where << ": " << kept.errors;
    EXPECT_NE(load_text(dir_.path() / "o.expected").find("\t100"), std::string::npos) << where;
    for (const auto& entry : fs::directory_iterator(dir_.path())) {
      const std::string name = entry.path().filename().string();
      const bool half = name.starts_with("o.") && name.find("sqlite") == std::string::npos &&
                        name.substr(name.rfind('.') + 1).size() == 6;
      EXPECT_FALSE(half) << where << " left " << name;
    }
  }

  ScratchDir dir_;
};

TEST_P(FailingCallsTest, GiveTheRightAnswerOrAnError) {
  const Command& command = GetParam();
  const Sites sites = find_sites(command.words);
  ASSERT_GT(sites.size(), 2u) << "the library is not preloaded";
  lay_out();
  const ProcessOutcome expected = run(command.words);
  const std::string output = command.output.empty() ? "" : load_text(dir_.path() / command.output);
  const bool all = all_sites_fail();
  size_t tried = 0, number = 0;
  for (const auto& [site, times] : sites) {
    // Of the many allocations every ninth place, of calls that touch files every third one.
    if (!all && number++ % (site.starts_with("malloc") ? 24 : 4) != 0) continue;
    for (const int time : all ? std::set<int>{1, std::min(2, times), times} : std::set<int>{times}) {
      lay_out();
      const std::string where = command.words[0] + ": " + site + " " + std::to_string(time);
      const ProcessOutcome outcome = run(command.words, "FAILING_CALL=" + site + " " + std::to_string(time));
      ++tried;
      ASSERT_EQ(outcome.end, ProcessOutcome::End::kExited) << where << ": " << describe_end(outcome) << outcome.errors;
      if (outcome.exit_code == expected.exit_code && outcome.output == expected.output) {
        if (!command.output.empty()) {
          EXPECT_EQ(load_text(dir_.path() / command.output).size(), output.size()) << where;
        }
      } else {
        EXPECT_EQ(outcome.exit_code, 1) << where << "\n" << outcome.output << outcome.errors;
        EXPECT_NE(outcome.errors.find("icount: "), std::string::npos) << where << " is silent";
        EXPECT_EQ(outcome.errors.find("unexpected failure"), std::string::npos) << where << ": " << outcome.errors;
        EXPECT_EQ(outcome.errors.find("bug"), std::string::npos) << where << ": " << outcome.errors;
      }
      expect_nothing_lost(where);
    }
  }
  RecordProperty("tried", static_cast<int>(tried));
  std::cout << command.words[0] << ": " << tried << " of the faults at " << sites.size() << " places\n";
}

INSTANTIATE_TEST_SUITE_P(
    Commands, FailingCallsTest,
    testing::Values(
        Command{{"show", "lexer_base.out"}, ""}, Command{{"diff", "lexer_base.out", "lexer_head.out"}, ""},
        Command{{"export", "lexer_base.out", "--to", "folded", "-o", "o.fold"}, "o.fold"},
        Command{{"report", "lexer_base.out", "lexer_head.out", "-o", "o.html"}, "o.html"},
        Command{{"suite", "list", "s.toml"}, "", false},
        Command{{"gate", "head.icount", "--baseline", "base.icount", "--suite", "none", "--json", "o.json"}, "o.json"},
        Command{{"accept", "head.icount", "--expected", "o.accepted", "--suite", "none"}, "o.accepted"},
        Command{{"store", "import", "head.icount", "--store", "o.sqlite", "--name", "n", "--time", "2000"}, ""},
        Command{{"store", "check", "--store", "o.sqlite"}, ""}, Command{{"history", "--store", "o.sqlite"}, ""},
        Command{{"store", "merge", "kept.sqlite", "--store", "o.other"}, ""}),
    [](const auto& info) {
      const std::vector<std::string>& words = info.param.words;
      return words[0] + (words[0] == "store" ? words[1] : "");
    });

}  // namespace
}  // namespace icount
