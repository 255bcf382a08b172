// The gate as a team lives with it, in a scratch repository with real counts: accepted values on main, a planted
// regression refused with its cause, accepted, creep caught, the guilty commit found. The recipe of ci/ is what
// is run.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "support/places.h"
#include "support/postgresql_server.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

const std::string kRecipe = "sh " + source_dir() + "/ci/gate.sh";

/// A header that is cheap to compile; `count_words` is what the branch makes dearer.
std::string words_h(int scans) {
  return "#pragma once\n"
         "__attribute__((noinline)) inline int is_blank(char c) { return c == ' ' || c == '\\t'; }\n"
         "__attribute__((noinline)) inline int count_words(const char* text) {\n"
         "  int words = 0;\n"
         "  asm volatile(\"\");\n"  // so that no compiler takes the call out of the measured loop
         "  for (int scan = 0; scan < " +
         std::to_string(scans) +
         "; ++scan) {\n"
         "    words = 0;\n"
         "    for (const char* c = text; *c; ++c) words += !is_blank(*c) && (c == text || is_blank(c[-1]));\n"
         "  }\n"
         "  return words;\n"
         "}\n"
         "__attribute__((noinline)) inline int length(const char* text) { int n = 0; asm volatile(\"\"); while "
         "(text[n]) ++n; return n; }\n";
}

constexpr std::string_view kSuite = R"(name = "words"
[library]
torch = false
headers = ["words.h"]
include_dirs = "."
[run]
number = 10
repeats = 1
[limits]
percent = 1
absolute = 100
[[stmts]]
label = ["words", "count"]
cpp_stmt = "volatile int n = count_words(\"one two three four five\");"
[[stmts]]
label = ["words", "length"]
cpp_stmt = "volatile int n = length(\"one two three four five\");"
)";

/// A program of 200 rounds of `work`, each with `steps` further instructions or so.
std::string tool_c(int steps, int rounds = 200) {
  return "__attribute__((noinline)) int work(int x) { for (volatile int i = 0; i < " + std::to_string(1000 + steps) +
         "; ++i) x += i; return x; }\n"
         "__attribute__((noinline)) int check(int x) { for (volatile int i = 0; i < 200; ++i) x ^= i; return x; }\n"
         "int main() { int x = 0; for (int i = 0; i < " +
         std::to_string(rounds) + "; ++i) x = work(x); return check(x) == 42; }\n";
}

class GateStoryTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(repo());
    fs::create_directories(scratch_.path() / "bin");
    fs::create_symlink(binary_dir() + "/icount", scratch_.path() / "bin" / "icount");
    ok("git init -q -b main . && git config user.name t && git config user.email t@example.org && git config "
       "commit.gpgsign false");
  }

  fs::path repo() const { return scratch_.path() / "repo"; }
  void write(const std::string& name, std::string_view text) {
    fs::create_directories((repo() / name).parent_path());
    save_file(repo() / name, text);
  }
  std::string read(const std::string& name) const { return load_text(repo() / name); }

  /// A shell command in the repository with icount in PATH; GitHub's variables only when a test sets them.
  ProcessOutcome sh(const std::string& command) const {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c",
                 "PATH=" + (scratch_.path() / "bin").string() +
                     ":$PATH; export PATH; unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY; " + command};
    spec.working_dir = repo();
    spec.time_limit = Seconds(1500);
    return run_process(spec);
  }
  std::string ok(const std::string& command) const {
    const ProcessOutcome outcome = sh(command);
    EXPECT_TRUE(outcome.ok()) << command << "\n" << outcome.output << outcome.errors;
    return std::string(trim(outcome.output));
  }
  void commit(const std::string& subject) { ok("git add -A . && git commit -q -m '" + subject + "'"); }
  /// The fifth small step refused from a history, for those who keep no file, and any two of its commits explained.
  void expect_creep_in(const std::string& store) const {
    const ProcessOutcome by_runs = sh("icount gate head.icount --against " + store +
                                      ":main --limit 'percent = 1, creep_percent = 4, creep_runs = 5'");
    EXPECT_EQ(by_runs.exit_code, 3) << by_runs.output << by_runs.errors;
    EXPECT_NE(by_runs.output.find("over the last 5 runs, in steps each within its own limit: over the limit of 4 %"),
              std::string::npos)
        << by_runs.output;
    EXPECT_NE(by_runs.output.find("`work`"), std::string::npos)
        << "the stored graph explains the last step: " << by_runs.output;
    const std::string explained = ok("icount diff @HEAD~4 @HEAD~1 --store " + store);
    EXPECT_NE(explained.find("`work`"), std::string::npos) << explained;
    EXPECT_NE(explained.find("your hunks\n"), std::string::npos) << "both commits are known here: " << explained;
  }
  bool clean() const {
    return ok("git status --porcelain --untracked-files=no").empty() && ok("git worktree list | wc -l") == "1";
  }

  ScratchDir scratch_;
};

TEST_F(GateStoryTest, APlantedRegressionIsRefusedWithItsCauseThenAcceptedAndPasses) {
  write("words.h", words_h(1));
  write("suite.toml", kSuite);
  write(".gitignore", "main.icount\n");
  ok("icount suite run suite.toml --out main.icount && icount accept main.icount");
  commit("words");
  ok("git update-ref refs/remotes/origin/main main && git checkout -q -b branch");
  write("words.h", words_h(3));
  commit("scan for good measure");

  const ProcessOutcome refused =
      sh("GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=icount-gate/summary " + kRecipe + " suite.toml origin/main");
  EXPECT_EQ(refused.exit_code, 3) << refused.output << refused.errors;
  EXPECT_NE(refused.output.find("::error file=words.h,line="), std::string::npos) << refused.output;
  const std::string comment = read("icount-gate/gate.md");
  EXPECT_EQ(comment.find("<!-- icount gate -->\n### "), 0u) << comment;
  EXPECT_NE(comment.find("| regressed | words / count | "), std::string::npos) << comment;
  EXPECT_EQ(comment.find("| regressed | words / length"), std::string::npos) << "what did not change is not refused";
  EXPECT_GT(comment.find("`count_words"), comment.find("| regressed |")) << comment;
  EXPECT_LT(comment.find("`count_words"), comment.find("<details>")) << comment;
  EXPECT_EQ(read("icount-gate/summary"), comment);
  EXPECT_NE(read("icount-gate/gate.html").find("count_words"), std::string::npos);
  EXPECT_NE(read("icount-gate/gate.xml").find("<failure message=\"Ir "), std::string::npos);
  EXPECT_EQ(parse_json(read("icount-gate/gate.json"), "gate.json")["verdict"], "refusal");
  EXPECT_TRUE(clean()) << "the base's worktree is gone";

  const ProcessOutcome accepted =
      sh("icount accept icount-gate/head.icount 'words / count' --why 'three scans are safer'");
  EXPECT_TRUE(accepted.ok()) << accepted.errors;
  EXPECT_EQ(ok("git diff --numstat suite.expected | cut -f 1,2"), "1\t1") << "a reviewer sees one number change";
  EXPECT_NE(read("suite.expected").find("three scans are safer"), std::string::npos);
  commit("accept three scans");
  const ProcessOutcome passed = sh("icount gate icount-gate/head.icount");
  EXPECT_TRUE(passed.ok()) << passed.output << passed.errors;
  EXPECT_EQ(passed.output.find("passed: 2 benchmarks compared, 0 changed"), 0u) << passed.output;
}

TEST_F(GateStoryTest, ANewSuitePassesWhenNewIsAllowedAndTheBaseIsCompiledOnce) {
  write("words.h", words_h(1));
  commit("words, no suite");
  write("suite.toml", kSuite);
  commit("suite");
  const ProcessOutcome refused = sh("icount gate suite.toml --base-ref HEAD~1 --markdown comment.md");
  EXPECT_EQ(refused.exit_code, 125) << refused.output;
  for (const std::string& said : {refused.output, read("comment.md")})
    EXPECT_NE(said.find("has no suite.toml, every benchmark is new there; --allow new lets a new suite pass, "
                        "--suite-from HEAD measures yours there"),
              std::string::npos)
        << said;
  for (const char* base : {" --base-ref HEAD~1", ""}) {
    const ProcessOutcome passed = sh(std::string("icount gate suite.toml --allow new --out head.icount") + base);
    EXPECT_TRUE(passed.ok()) << passed.output << passed.errors;
    EXPECT_EQ(passed.output.find("passed: 2 new, no benchmark compared"), 0u) << passed.output;
  }
  // Accepted in the same branch: judged by that, and what is refused has no base to explain it.
  ok("icount accept head.icount");
  write("words.h", words_h(3));
  const ProcessOutcome regressed = sh("icount gate suite.toml --base-ref HEAD~1");
  EXPECT_EQ(regressed.exit_code, 3) << regressed.output << regressed.errors;
  EXPECT_NE(regressed.output.find(" has no suite.toml: there are no causes"), std::string::npos) << regressed.output;

  // The base's worktree has one path: the second gate finds everything compiled.
  const std::string gate =
      "icount gate suite.toml --no-expected --base-ref HEAD >/dev/null; icount cache info --format json";
  const int64_t entries = parse_json(ok(gate), "cache")["entries"];
  EXPECT_EQ(parse_json(ok(gate), "cache")["entries"], entries);
  EXPECT_EQ(ok("git worktree list | wc -l"), "1");
}

TEST_F(GateStoryTest, CreepOverFiveSmallStepsIsCaughtAndBisectFindsTheCommit) {
  const std::string count = "cc -O1 -g -o tool tool.c && icount count --out ";
  write(".gitignore", "tool\n*.icount\nkept.sqlite*\n");
  write("tool.c", tool_c(0));
  commit("tool");
  ok(count + "base.icount -- ./tool && icount accept base.icount --expected tool.expected");
  const std::string remember = " --commit HEAD --branch main --store kept.sqlite";
  ok("icount store import base.icount" + remember);
  const std::string gate = "icount gate head.icount --expected tool.expected --limit 'percent = 1, creep_percent = 4'";
  for (int step = 1; step <= 5; ++step) {
    write("tool.c", tool_c(9 * step));
    commit("step " + std::to_string(step));
    ok(count + "head.icount -- ./tool");
    const ProcessOutcome outcome = sh(gate);
    if (step < 5) {
      EXPECT_EQ(outcome.exit_code, 0) << "step " << step << " is 0.9 %: " << outcome.output;
      ok("icount accept head.icount --refresh --expected tool.expected && icount store import head.icount" + remember);
    } else {
      EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
      EXPECT_NE(outcome.output.find(
                    "since it was last accepted on purpose, in steps each within its own limit: over the limit of 4 %"),
                std::string::npos)
          << outcome.output;
      expect_creep_in("kept.sqlite");
      if (PostgresqlServer::missing().empty()) {
        const std::string url = PostgresqlServer::shared().new_database();
        ok("icount store merge kept.sqlite --store " + url);
        expect_creep_in(url);
      }
    }
  }
  EXPECT_EQ(sh("icount gate head.icount --against kept.sqlite:no-such-run").exit_code, 125);
  write("tool.c", tool_c(45, 230));
  commit("thirty rounds more");
  const std::string guilty = ok("git rev-parse HEAD");
  write("README", "harmless\n");
  commit("words");
  write("README", "not committed\n");
  const std::string bisect_command = " -- sh -c '" + count + "\"$ICOUNT_OUT\" -- ./tool'";
  const ProcessOutcome found = sh("icount bisect --limit 8% HEAD~7 HEAD" + bisect_command);
  EXPECT_EQ(found.exit_code, 0) << found.output << found.errors;
  EXPECT_NE(found.output.find("\n" + guilty + "\n"), std::string::npos) << found.output;
  EXPECT_NE(found.output.find("thirty rounds more"), std::string::npos) << found.output;
  EXPECT_NE(found.output.find("`main` calls `work` 230 times, was 200"), std::string::npos) << found.output;
  EXPECT_NE(found.output.find("your hunks\n"), std::string::npos) << found.output;
  EXPECT_EQ(ok("git branch --show-current"), "main");
  EXPECT_EQ(read("README"), "not committed\n") << "the checkout is left as it was";
  EXPECT_EQ(ok("git worktree list | wc -l"), "1");

  // What cannot be built is skipped; when that leaves two candidates, neither is blamed.
  ok("git checkout -q -f -b other HEAD~2");
  write("tool.c", "not C\n");
  commit("broken");
  write("tool.c", tool_c(45, 300));
  commit("mended");
  const ProcessOutcome unsure = sh("icount bisect --limit 8% HEAD~2 HEAD" + bisect_command);
  EXPECT_EQ(unsure.exit_code, 125) << unsure.output;
  EXPECT_NE(unsure.errors.find("every commit that is left was skipped"), std::string::npos) << unsure.errors;
  const ProcessOutcome not_worse = sh("icount bisect --limit 8% HEAD HEAD~2" + bisect_command);
  EXPECT_EQ(not_worse.exit_code, 2);
  EXPECT_NE(
      not_worse.errors.find(
          "HEAD~2 is not worse than HEAD: nothing there is over a limit; a smaller --limit finds smaller changes"),
      std::string::npos)
      << not_worse.errors;
}

}  // namespace
}  // namespace icount
