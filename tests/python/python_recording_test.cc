// The calls between Python functions, from an interpreter under Callgrind to the sentence.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgraph/python_calls.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "icount/timer/collect_callgrind.h"
#include "support/places.h"
#include "support/python_statement.h"

namespace icount {
namespace {

constexpr const char* kModule =
    "def leaf(x):\n"
    "    return x + 1\n"
    "\n"
    "def middle(n):\n"
    "    s = 0\n"
    "    for i in range(n):\n"
    "        s = leaf(s)\n"
    "    return s\n"
    "\n"
    "def factorial(n): return 1 if n == 0 else n * factorial(n - 1)\n"
    "def numbers(n):\n"
    "    yield from range(n)\n"
    "def key(x): return -x\n"
    "def make():\n"
    "    a = lambda x: x + 1\n"
    "    b = lambda x: x * 2\n"
    "    return a(1) + b(2)\n"
    "def caught():\n"
    "    try:\n"
    "        return int('no')\n"
    "    except ValueError:\n"
    "        return leaf(0)\n";

class PythonRecordingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("valgrind").empty()) GTEST_SKIP() << "no valgrind in PATH";
    options_.toolchain.python = find_new_python();
    if (options_.toolchain.python.empty()) GTEST_SKIP() << "no CPython 3.12 or newer in PATH or in pyenv's folder";
    std::filesystem::create_directories(scratch_.path() / "an app=1");
    save_file(scratch_.path() / "an app=1" / "app.py", kModule);
    options_.toolchain.python_path = {(scratch_.path() / "an app=1").string()};
    options_.environment = current_environment();
    options_.cache_dir = test_cache();
    options_.time_limit = Seconds(600);
    options_.number = 10;
    options_.python_calls = true;
  }

  ScratchDir scratch_;
  CollectOptions options_;
};

std::map<std::string, int64_t> calls_into_by_name(const CostGraph& graph) {
  std::map<std::string, int64_t> calls;
  const std::vector<int64_t> into = calls_into(graph);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (is_python_function(graph, f)) calls[std::string(graph.name(f))] = into[f];
  return calls;
}

TEST_F(PythonRecordingTest, TheExplanationSpeaksPythonAndTheCountIsThatWithoutRecording) {
  const std::string setup = "from app import middle, factorial, numbers, key, make, caught";
  const std::vector<TimerArgs> statements = {
      python_statement("middle(100)", setup),
      python_statement("middle(200)", setup),
      python_statement("factorial(20)", setup),
      python_statement("sum(numbers(5)); sorted([3, 1, 2], key=key)", setup),
      python_statement("make(); caught()", setup),
      python_statement("twice(3)", "def twice(x):\n    return x + x"),
      python_statement("sys.activate_stack_trampoline('perf'); sys.deactivate_stack_trampoline(); "
                       "os.path.exists(map) and os.unlink(map)",
                       "import os, sys; map = '/tmp/perf-%d.map' % os.getpid()"),
      python_statement("threading.Thread(target=key, args=(1,)).start()", "from app import key; import threading"),
      python_statement("raise KeyError", setup)};
  const auto results = collect_callgrind(statements, options_);
  options_.python_calls = false;
  const auto plain = collect_callgrind(std::span(statements).first(3), options_);
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(results[i].counts, plain[i].counts) << statements[i].stmt;
    EXPECT_FALSE(plain[i].python_calls);
  }
  for (size_t i = 0; i < 6; ++i) {
    ASSERT_TRUE(results[i].python_calls) << statements[i].stmt << ": " << results[i].error
                                         << (results[i].notes.empty() ? "" : results[i].notes.back());
    check_cost_graph(*results[i].python_calls);
  }
  EXPECT_EQ(calls_into_by_name(*results[0].python_calls).at("leaf"), 1000);
  EXPECT_EQ(calls_into_by_name(*results[2].python_calls).at("factorial"), 210);
  const auto of_c = calls_into_by_name(*results[3].python_calls);
  EXPECT_EQ(of_c.at("key"), 30);
  EXPECT_GE(of_c.at("numbers"), 50);
  const auto named_alike = calls_into_by_name(*results[4].python_calls);
  EXPECT_EQ(named_alike.at("make.<locals>.<lambda>"), 10);
  EXPECT_EQ(named_alike.at("make.<locals>.<lambda> (2)"), 10);
  EXPECT_EQ(named_alike.at("leaf"), 10);
  const CostGraph& of_setup = *results[5].python_calls;
  EXPECT_EQ(calls_into_by_name(of_setup).at("twice"), 10);
  EXPECT_EQ(calls_into_by_name(of_setup).at("stmt"), 0);
  for (const LineRow& line : of_setup.lines)
    if (of_setup.name(line.function) == "twice") {
      EXPECT_EQ(of_setup.strings.view(line.file), "setup");
      EXPECT_EQ(line.line, 1u);
    }
  for (const size_t i : {6, 7}) EXPECT_EQ(to_text(results[i].status), "done") << results[i].error;
  EXPECT_EQ(to_text(results[8].status), "threw");
  EXPECT_TRUE(results[8].notes.empty());

  const int64_t base = results[0].counts[0], head = results[1].counts[0];
  const double cost =
      std::max(recording_cost(*results[0].python_calls, base), recording_cost(*results[1].python_calls, head));
  const Explanation explanation = explain(make_python_view(*results[0].python_calls, base, cost),
                                          make_python_view(*results[1].python_calls, head, cost));
  EXPECT_EQ(explanation.delta, head - base);
  ASSERT_FALSE(explanation.causes.empty());
  EXPECT_TRUE(cause_sentence(explanation.causes[0]).starts_with("`middle` calls `leaf` 2,000 times, was 1,000"))
      << cause_sentence(explanation.causes[0]);
  int64_t recording = -1;
  for (const Cause& cause : explanation.causes)
    if (cause_sentence(cause).find(kRecording) != std::string::npos) recording = std::abs(cause.delta);
  EXPECT_LE(recording, (head - base) / 100);
}

}  // namespace
}  // namespace icount
