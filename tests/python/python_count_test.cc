// Python statements through the whole path, without torch: an interpreter under Callgrind.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/globals.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/stub_timing.h"
#include "icount/timer/timer.h"
#include "support/places.h"
#include "support/python_statement.h"

namespace icount {
namespace {

std::vector<TimerArgs> plain_statements() {
  return {python_statement("pass"),
          python_statement("y = x * x + 1", "x = 1.5"),
          python_statement("y = sorted(x)", "x = [3, 1, 2] * 10"),
          python_statement("y = {t: 1 for t in types}", "class A: pass\ntypes = [A, int, str, object, object(), A()]"),
          python_statement("json.dumps({'a': [1, 2, 3]})", "import json"),
          python_statement("[i * i for i in range(20)]")};
}

/// Their counts depend on where names lie on the heap.
std::vector<TimerArgs> sensitive_statements() {
  return {
      python_statement("json.loads(json.dumps(d))", "import json\nd = {'a': [1, 2, {'b': 'c'}], 'e': None}"),
      python_statement("P(3, 4) < P(5, 6); repr(P())",
                       "import dataclasses\n@dataclasses.dataclass(order=True)\nclass P:\n  x: int = 1\n  y: int = 2"),
      python_statement("p.parse_args(['--x', '3'])",
                       "import argparse\np = argparse.ArgumentParser()\np.add_argument('--x', type=int)")};
}

class PythonCountTest : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("valgrind").empty()) GTEST_SKIP() << "no valgrind in PATH";
    if (find_program("python3").empty()) GTEST_SKIP() << "no python3 in PATH";
    options_.environment = current_environment();
    options_.cache_dir = test_cache();
    options_.time_limit = Seconds(600);
  }

  std::vector<int64_t> count(const std::vector<TimerArgs>& statements) {
    std::vector<int64_t> counts;
    for (const CollectResult& result : collect_callgrind(statements, options_)) {
      EXPECT_EQ(to_text(result.status), "done") << statements[result.index].stmt << ": " << result.error << "\n"
                                                << result.details;
      for (const int64_t repeat : result.counts) counts.push_back(repeat);
    }
    return counts;
  }

  CollectOptions options_;
};

TEST_F(PythonCountTest, EveryCountIsTheSameInEveryRepeatProcessEnvironmentFolderAndCompany) {
  options_.repeats = 2;
  options_.slope = false;
  const std::vector<TimerArgs> statements = plain_statements();
  const std::vector<int64_t> first = count(statements);
  ASSERT_EQ(first.size(), 2 * statements.size());
  for (size_t i = 0; i < first.size(); i += 2) EXPECT_EQ(first[i], first[i + 1]) << statements[i / 2].stmt;

  options_.repeats = 1;
  std::vector<int64_t> single;
  for (size_t i = 0; i < first.size(); i += 2) single.push_back(first[i]);
  options_.environment.set("ICOUNT_TEST_LONG", std::string(5000, 'x'));
  options_.jobs = 1;
  EXPECT_EQ(count(statements), single);

  const ScratchDir elsewhere("icount-a-folder-of-another-name");
  save_file(elsewhere.path() / "json.py", "raise RuntimeError('the working directory is not searched')\n");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(elsewhere.path());
  options_.environment.set("TMPDIR", elsewhere.path().string());
  std::vector<TimerArgs> more = {python_statement("another_one = 1"), python_statement("x = 12345678901234567890")};
  more.insert(more.end(), statements.rbegin(), statements.rend());
  const std::vector<int64_t> in_company = count(more);
  std::filesystem::current_path(before);
  EXPECT_EQ(std::vector<int64_t>(in_company.rbegin(), in_company.rend() - 2), single);
}

TEST_F(PythonCountTest, FilesThatNoStatementImportsMoveNoCount) {
  const ScratchDir scratch;
  for (const char* folder : {"path", "here"}) std::filesystem::create_directory(scratch.path() / folder);
  save_file(scratch.path() / "here/beside.py", "def twice(x):\n  return 2 * x\n");
  options_.environment.set("PYTHONPATH", (scratch.path() / "path").string());
  options_.repeats = 1;
  options_.slope = false;
  std::vector<TimerArgs> statements = sensitive_statements();
  statements.front().setup += "\nimport beside";
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path() / "here");
  const std::vector<int64_t> first = count(statements);
  for (const char* folder : {"path", "here"})
    for (int i = 0; i < 1000; ++i) std::ofstream(scratch.path() / folder / ("file_" + std::to_string(i)));
  EXPECT_EQ(count(statements), first);
  std::filesystem::current_path(before);
}

TEST_F(PythonCountTest, ObjectsThatTheSetUpKeepsMoveNoCount) {
  options_.repeats = 1;
  options_.slope = false;
  std::vector<TimerArgs> statements;  // of one of them the last block but one of a pool is the statement's
  for (int kept = 0; kept < 32; ++kept)
    statements.push_back(
        python_statement("y = bytes(470)", fmt::format("kept = [bytes(470) for i in range({})]", kept)));
  const std::vector<int64_t> counts = count(statements);
  EXPECT_EQ(counts, std::vector<int64_t>(statements.size(), counts.at(0)));
}

TEST_F(PythonCountTest, APlaceAndNameOfAVirtualEnvironmentMovesNoCount) {
  ProcessSpec ask;
  ask.argv = {"python3", "-c",
              "import os, sys; print(os.path.realpath(sys.executable), 'lib/python%d.%d' % sys.version_info[:2])"};
  const std::string told = run_process(ask).output;
  const std::filesystem::path interpreter = told.substr(0, told.find(' '));
  const std::string library(trim(std::string_view(told).substr(told.find(' '))));
  std::string module;  // whose byte code says where it lies
  for (int i = 0; i < 50; ++i) module += fmt::format("def f{0}(x):\n  return (x, 'text {0}')\n", i);
  std::vector<TimerArgs> statements = sensitive_statements();
  for (TimerArgs& statement : statements)
    statement.setup += "\nimport inspect, installed\ninspect.getmodule(installed.part1.f1)";
  const ScratchDir scratch;
  options_.repeats = 1;
  options_.slope = false;
  std::vector<std::vector<int64_t>> counts;
  for (const std::string& name : {std::string("e"), std::string(80, 'e'), std::string("not compiled")}) {
    const std::filesystem::path home = scratch.path() / name;
    std::filesystem::create_directories(home / "bin");
    std::filesystem::create_symlink(interpreter, home / "bin/python");
    save_file(home / "pyvenv.cfg", "home = " + interpreter.parent_path().string() +
                                       "\ninclude-system-site-packages = false\ncommand = python3 -m venv " +
                                       home.string() + "\n");
    const std::filesystem::path installed = home / library / "site-packages/installed";
    std::filesystem::create_directories(installed);
    std::string all = "from . import ";
    for (int i = 0; i < 30; ++i) {
      save_file(installed / fmt::format("part{}.py", i), module);
      all += fmt::format("{}part{}", i ? ", " : "", i);
    }
    save_file(installed / "__init__.py", all + "\n");
    options_.toolchain.python = home / "bin/python";
    const std::vector<std::string> compile = {home / "bin/python", "-m", "compileall", "-q", installed};
    if (name != "not compiled") ASSERT_TRUE(run_process({.argv = compile}).ok());
    counts.push_back(count(statements));
  }
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[2], counts[0]);
}

TEST_F(PythonCountTest, TheBaselineIsWhatAnEmptyStatementCosts) {
  const std::vector<TimerArgs> statements = {python_statement("pass"), python_statement("y = x + x", "x = 2.5")};
  const auto results = collect_callgrind(statements, options_);
  ASSERT_EQ(results[0].status, CollectStatus::kDone);
  ASSERT_EQ(results[0].baseline_counts.size(), 1u);
  EXPECT_EQ(results[0].baseline_counts[0], results[0].counts[0]);
  EXPECT_EQ(results[0].notes.back(), "the statement does nothing: it costs as much as `pass`");
  EXPECT_EQ(results[1].baseline_counts, results[0].baseline_counts);
  EXPECT_LT(results[1].baseline_counts[0], 2000);
  EXPECT_EQ(results[1].baseline.totals[0], results[1].baseline_counts[0]);
  EXPECT_GT(results[1].per_run, 20);
  ASSERT_TRUE(results[1].slope.has_value());
  const double without_markers =
      results[1].per_run - static_cast<double>(results[1].baseline_counts[0]) / static_cast<double>(options_.number);
  EXPECT_NEAR(results[1].slope->per_run, without_markers, 0.01 * without_markers);
}

TEST_F(PythonCountTest, TheTimersBaselineIsCollectedWhenItIsAskedFor) {
  StubTimingOptions timing;
  timing.environment = options_.environment;
  timing.cache_dir = options_.cache_dir;
  Timer timer({.stmt = "y = x + x", .setup = "x = 2.5", .language = Language::kPython}, timing);
  const CallgrindStats with = timer.collect_callgrind({.number = 10})[0];
  const CallgrindStats without = timer.collect_callgrind({.number = 10, .collect_baseline = false})[0];
  EXPECT_GT(with.baseline().sum(), 0);
  EXPECT_LT(with.baseline().sum(), with.stats().sum());
  EXPECT_EQ(without.baseline().sum(), 0);
  EXPECT_EQ(with.stats().sum(), without.stats().sum()) << "the baseline changes no count";
}

TEST_F(PythonCountTest, TheWarmUpRunsTheCopiesThatAreCounted) {
  // The interpreter adapts each instruction by itself: cold copies of this cost twice as much (757 instructions and
  // 383).
  const std::vector<TimerArgs> statements = {python_statement("math.sqrt(2)", "import math"),
                                             python_statement("y = d['k'] + x.real", "d = {'k': 1}\nx = 2.5")};
  // 250: a loop of two hundreds and a remainder. The + of an int and a float, and .real, are what the interpreter tries
  // to adapt again and again; that happens between regions.
  for (const int64_t number : {1, 7, 100, 250}) {
    options_.number = number;
    for (const CollectResult& result : collect_callgrind(statements, options_)) {
      ASSERT_EQ(result.status, CollectStatus::kDone) << result.error;
      const double runs = static_cast<double>(number);
      const double without_markers = result.per_run - static_cast<double>(result.marker_count) / runs;
      EXPECT_NEAR(result.slope->per_run, without_markers, 0.02 * without_markers + 40 / runs)
          << number << " runs of " << statements[result.index].stmt;
      EXPECT_EQ(*result.fingerprint.find("stub"), number < 200 ? "2" : "3");
    }
  }
}

TEST_F(PythonCountTest, ModulesAreFoundInThePathAndInTheCurrentFolder) {
  const ScratchDir scratch;
  const auto make = [&](const std::string& file, const std::string& text) {
    std::filesystem::create_directories((scratch.path() / file).parent_path());
    save_file(scratch.path() / file, text);
  };
  make("asked/named.py", "value = 1\n");
  make("path/from_path/__init__.py", "from .inner import value\n");
  make("path/from_path/inner.py", "value = 2\n");
  make("here/from_here.py", "import os\nvalue = 3\nassert os.path.exists(__file__)\n");
  make("here/json.py", "raise RuntimeError('a stray file hides the standard library')\n");
  options_.toolchain.python_path = {(scratch.path() / "asked").string()};
  options_.environment.set("PYTHONPATH", (scratch.path() / "path").string() + ":/no/such/folder");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path() / "here");
  const auto results = collect_callgrind(
      std::vector{python_statement("y = named.value + from_path.value + from_here.value",
                                   "import named, from_path, from_here, json\n"
                                   "assert (named.value, from_path.value, from_here.value) == (1, 2, 3)")},
      options_);
  const auto elsewhere = collect_callgrind(std::vector{python_statement("import from_here", "")}, options_);
  std::filesystem::current_path(before);
  const auto gone = collect_callgrind(std::vector{python_statement("import from_here", "")}, options_);
  EXPECT_EQ(results[0].status, CollectStatus::kDone) << results[0].error << results[0].details;
  EXPECT_EQ(*results[0].fingerprint.find("Python path"),
            (scratch.path() / "asked").string() + ":" + (scratch.path() / "path").string() + ":.");
  EXPECT_EQ(elsewhere[0].status, CollectStatus::kDone) << elsewhere[0].error;
  EXPECT_EQ(to_text(gone[0].status), "threw");
  options_.toolchain.python_path = {"/no/such/folder"};
  EXPECT_THROW(collect_callgrind(std::vector{python_statement("pass")}, options_), Error);
}

TEST_F(PythonCountTest, EveryBadEndIsAValueWithTheUsersLine) {
  options_.time_limit = Seconds(15);
  const std::vector<TimerArgs> statements = {
      python_statement("a = 1\nb = []\nb[3]"),
      python_statement("y", "x = 1\n1 / 0"),
      python_statement("import sys\nsys.exit(4)"),
      python_statement("import os\nos._exit(0)"),
      python_statement("while True: pass"),
      python_statement("import ctypes\nctypes.string_at(0)"),
      python_statement("import os\npid = os.fork()\nif pid == 0: os._exit(0)\nos.waitpid(pid, 0)"),
      python_statement("import subprocess\nsubprocess.run(['/bin/true'])"),
      python_statement("return"),
      python_statement("a b"),
      python_statement("print('seen')\nundefined_name"),
      python_statement("y = x + 1", "x = 1"),
  };
  const auto results = collect_callgrind(statements, options_);
  auto expect = [&](size_t index, std::string_view status, std::string_view text) {
    EXPECT_EQ(to_text(results[index].status), status) << statements[index].stmt << ": " << results[index].error;
    EXPECT_NE(results[index].error.find(text), std::string::npos) << results[index].error;
    EXPECT_EQ(results[index].counts.empty(), status != "done");
  };
  expect(0, "threw", "IndexError: list index out of range (stmt:3)");
  expect(1, "threw", "ZeroDivisionError: division by zero (setup:2)");
  expect(2, "exited", "4");
  expect(3, "exited", "0");
  expect(4, "timed-out", "15 s");
  expect(5, "crashed", "SIGSEGV");
  expect(6, "forked", "process");
  expect(7, "forked", "process");
  expect(8, "exited", "");
  expect(9, "compile-error", "stmt:1:3: invalid syntax");
  expect(10, "threw", "NameError: name 'undefined_name' is not defined (stmt:2)");
  EXPECT_NE(results[10].details.find("seen"), std::string::npos) << results[10].details;
  expect(11, "done", "");
}

TEST_F(PythonCountTest, GlobalsOfEachPlainKindArrive) {
  TimerArgs args = python_statement("y = check(n, r, on, s, b)");
  args.global_setup =
      "def check(*values):\n"
      "    assert values == (-5, 0.5, True, 'a\\u00e9\"', b'\\x00\\xff'), values\n";
  args.globals = {CopyIfCallgrind::integer("n", -5), CopyIfCallgrind::number("r", 0.5),
                  CopyIfCallgrind::boolean("on", true), CopyIfCallgrind::string("s", "a\xc3\xa9\""),
                  CopyIfCallgrind::bytes("b", std::string("\0\xff", 2), "before = 1")};
  EXPECT_EQ(count({args}).size(), 1u);
}

TEST_F(PythonCountTest, CppAndPythonStandInOneCallInTheOrderGiven) {
  TimerArgs cpp;
  cpp.torch = false;
  cpp.stmt = "std::string text(static_cast<size_t>(n) + 100, 'x'); icount::keep(text);";
  cpp.globals = {CopyIfCallgrind::integer("n", 21)};
  const std::vector<TimerArgs> statements = {python_statement("y = 1.5 * x", "x = 2.5"), cpp, python_statement("pass")};
  const auto results = collect_callgrind(statements, options_);
  ASSERT_EQ(results.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results[i].index, i);
    EXPECT_EQ(to_text(results[i].status), "done") << results[i].error;
  }
  EXPECT_EQ(*results[0].fingerprint.find("language"), "python");
  EXPECT_EQ(*results[1].fingerprint.find("language"), "c++");
  EXPECT_TRUE(results[1].baseline_counts.empty());
  EXPECT_NE(results[0].fingerprint.find("Python"), nullptr);
}

TEST_F(PythonCountTest, WithoutTorchOnlyWhatNamesItIsRefused) {
  ProcessSpec ask{.argv = {"python3", "-c", "import torch"}};
  if (run_process(ask).ok()) GTEST_SKIP() << "python3 has torch";
  TimerArgs plain = python_statement("y = 1"), wants = python_statement("y = torch.ones(1)");
  plain.torch = wants.torch = true;
  const auto results = collect_callgrind(std::vector<TimerArgs>{plain, wants}, options_);
  EXPECT_EQ(to_text(results[0].status), "done") << results[0].error;
  ASSERT_FALSE(results[0].notes.empty());
  EXPECT_TRUE(results[0].notes[0].starts_with("measured without torch, which ")) << results[0].notes[0];
  EXPECT_EQ(to_text(results[1].status), "compile-error");
  EXPECT_TRUE(results[1].error.starts_with("the statement needs torch, which ")) << results[1].error;
  EXPECT_TRUE(results[1].error.ends_with(
      "can't import: ModuleNotFoundError: No module named 'torch'; name an interpreter that has it with --python"))
      << results[1].error;
}

}  // namespace
}  // namespace icount
