// LibTorch's kinds of statements through the whole path, on every LibTorch there is: TorchScript from source and from a
// file, backward, tensors and modules handed over; and Python with torch. ICOUNT_PYTHON names a Python that has torch
// (./scripts/test provides one in the build folder); the system's LibTorch is used where it is installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/globals.h"
#include "icount/harness/python_stub.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/expand.h"
#include "icount/suite/python_torch.h"
#include "icount/timer/collect_callgrind.h"
#include "support/places.h"

namespace icount {
namespace {

/// The interpreter with torch that these tests use; empty when there is none.
std::string torch_python() {
  std::string program = std::string(source_dir()) + "/build/torch-venv/bin/python";
  if (const char* named = std::getenv("ICOUNT_PYTHON")) program = named;
  if (find_program(program).empty()) return {};
  ProcessSpec ask{.argv = {program, "-c", "import torch"}, .time_limit = Seconds(1200)};
  return run_process(ask).ok() ? program : std::string();
}

TimerArgs statement(Language language, std::string stmt, std::string setup) {
  TimerArgs args;
  args.language = language;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  return args;
}

constexpr const char* kCppTensors = "auto x = torch::ones({4, 4}); auto w = torch::ones({4, 4});";
constexpr const char* kCppLeaf = "auto x = torch::ones({4, 4}, torch::requires_grad()); auto w = torch::ones({4, 4});";
constexpr const char* kPythonTensors = "x = torch.ones((4, 4)); w = torch.ones((4, 4))";

/// A LibTorch to measure on, and how to ask for it.
struct Place {
  std::string name;
  ToolchainOptions toolchain;
};

class TorchKindsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("valgrind").empty()) GTEST_SKIP() << "no valgrind in PATH";
    python_ = torch_python();
    if (!python_.empty()) places_.push_back({"the wheel", {.torch_dir = torch_dir()}});
    if (std::filesystem::exists("/usr/include/torch")) places_.push_back({"the system's", {.torch_dir = "/usr"}});
    if (places_.empty())
      GTEST_SKIP() << "no LibTorch: none in ICOUNT_PYTHON's or the build folder's Python, none in /usr";
    options_.environment = current_environment();
    options_.cache_dir = test_cache();
    options_.time_limit = Seconds(1200);
    options_.number = 20;
  }

  std::string torch_dir() const {
    ProcessSpec ask{.argv = {python_, "-c", "import torch, os; print(os.path.dirname(torch.__file__))"}};
    const std::string out = run_process(ask).output;
    return out.substr(0, out.find('\n'));
  }

  std::vector<CollectResult> collect(const std::vector<TimerArgs>& statements) {
    std::vector<CollectResult> results = collect_callgrind(statements, options_);
    for (const CollectResult& result : results)
      EXPECT_EQ(to_text(result.status), "done") << statements[result.index].stmt << ": " << result.error << "\n"
                                                << result.details;
    return results;
  }

  /// Files written by Python's torch: a tensor, a module, and a tensor as torch::save writes it.
  bool write_files(const std::filesystem::path& dir) const {
    static constexpr const char* kScript =
        "import torch, sys\n"
        "torch.save(torch.arange(6.0).reshape(2, 3), sys.argv[1] + '/x.pt')\n"
        "class Twice(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.weight = torch.nn.Parameter(torch.ones(4, 4))\n"
        "    def forward(self, x):\n"
        "        return (x * self.weight).sum()\n"
        "torch.jit.script(Twice()).save(sys.argv[1] + '/m.pt')\n";
    save_file(dir / "script.py", kScript);  // scripting reads the source
    ProcessSpec make{.argv = {python_, (dir / "script.py").string(), dir.string()}};
    return run_process(make).ok();
  }

  std::string python_;
  std::vector<Place> places_;
  CollectOptions options_;
};

TEST_F(TorchKindsTest, TorchScriptSourceAndBackwardAreCountedAndRepeat) {
  const std::vector<TimerArgs> statements = [] {
    std::vector<TimerArgs> all = {
        statement(Language::kTorchScript, "y = x * w", kCppTensors),
        statement(Language::kTorchScript, "def model(x, w):\n    return (x * w).sum()\n", kCppLeaf),
        statement(Language::kCpp, "auto y = (x * w).sum();", kCppLeaf),
        statement(Language::kCpp, "auto y = x * w;", kCppTensors)};
    all[1].backward = all[2].backward = "y";
    all.push_back(all[2]);
    all.back().backward.clear();
    return all;
  }();
  for (const Place& place : places_) {
    SCOPED_TRACE(place.name);
    options_.toolchain = place.toolchain;
    options_.repeats = 2;
    const auto results = collect(statements);
    for (const CollectResult& result : results) {
      ASSERT_EQ(result.counts.size(), 2u);
      EXPECT_EQ(result.counts[0], result.counts[1]) << statements[result.index].stmt;
    }
    EXPECT_EQ(*results[0].fingerprint.find("language"), "torchscript");
    EXPECT_GT(results[0].per_run, results[3].per_run) << "the interpreter costs more than the call alone";
    EXPECT_LT(results[0].per_run, 20 * results[3].per_run) << "the executor is settled after the set-up's calls";
    EXPECT_GT(results[2].per_run, 3 * results[4].per_run) << "backward is part of the region";
    EXPECT_GT(results[1].per_run, results[2].per_run);
  }
}

TEST_F(TorchKindsTest, ASavedModuleAndTensorsAreLoadedWithoutAPath) {
  if (python_.empty()) GTEST_SKIP() << "no Python with torch to write the files (ICOUNT_PYTHON)";
  const ScratchDir dir;
  ASSERT_TRUE(write_files(dir.path()));
  const std::string module = (dir.path() / "m.pt").string(), tensor = (dir.path() / "x.pt").string();
  TimerArgs saved = statement(Language::kTorchScript, "y = forward(x)", kCppTensors);
  saved.module_path = module;
  TimerArgs trained = saved;
  trained.backward = "y";
  TimerArgs globals = statement(Language::kCpp, "auto y = m.forward({x.repeat({2, 1}).slice(1, 0, 1)});",
                                "TORCH_CHECK(x.sum().item<float>() == 15);");
  globals.globals = {CopyIfCallgrind::tensor_file("x", tensor), CopyIfCallgrind::module_file("m", module)};
  if (!runs_long_tests()) places_.resize(1);
  for (const Place& place : places_) {
    SCOPED_TRACE(place.name);
    options_.toolchain = place.toolchain;
    const auto results = collect({saved, trained, globals});
    EXPECT_GT(results[1].per_run, 1.5 * results[0].per_run);
  }
}

TEST_F(TorchKindsTest, ATorchScriptErrorIsTheStatementsOwn) {
  options_.toolchain = places_[0].toolchain;
  const std::vector<TimerArgs> statements = {statement(Language::kTorchScript, "y = no_such_function(x)", kCppTensors),
                                             statement(Language::kTorchScript, "pass", ""),
                                             statement(Language::kCpp, "auto y = x * w;", kCppTensors)};
  const auto results = collect_callgrind(statements, options_);
  EXPECT_EQ(to_text(results[0].status), "threw");
  EXPECT_NE(results[0].error.find("no_such_function"), std::string::npos) << results[0].error;
  EXPECT_EQ(to_text(results[1].status), "compile-error");
  EXPECT_NE(results[1].error.find("computes nothing"), std::string::npos) << results[1].error;
  EXPECT_EQ(to_text(results[2].status), "done") << results[2].error;
}

/// The environment of an interpreter anew in `home`, without byte code. Symbolic links would be another environment:
/// who asks for a module's real path does more.
bool copy_environment(const std::filesystem::path& interpreter, const std::filesystem::path& home) {
  const std::string from = std::filesystem::absolute(interpreter).parent_path().parent_path().string();
  constexpr const char* kCopy =
      "mkdir -p \"$2\" && { cp -al \"$1\"/. \"$2\" || cp -a \"$1\"/. \"$2\"; } && find \"$2\" -name __pycache__ -prune "
      "-exec rm -r {} +";
  return run_process({.argv = {"sh", "-c", kCopy, "sh", from, home.string()}}).ok();
}

TEST_F(TorchKindsTest, APythonCountOfTheStandardSetFollowsFromItsStatementAlone) {
  if (python_.empty()) GTEST_SKIP() << "no Python with torch (ICOUNT_PYTHON)";
  const ScratchDir dir;
  const Suite suite = load_suite(std::string(source_dir()) + "/suite/standard.toml");
  const auto benchmarks = materialize(suite.definitions, suite.name, {.model_dir = dir.path() / "models"});
  EXPECT_TRUE(save_models(benchmarks, {.python = python_, .version = {}}, options_.environment).empty());
  std::vector<TimerArgs> statements;
  for (const Benchmark& benchmark : benchmarks)
    if (benchmark.timer_args.language == Language::kPython) statements.push_back(benchmark.timer_args);
  ASSERT_EQ(statements.size(), 86u);
  options_.toolchain.python = python_;
  options_.number = 100;
  options_.slope = false;
  options_.repeats = 1;
  for (const char* folder : {"path", "here"}) std::filesystem::create_directory(dir.path() / folder);
  options_.environment.set("PYTHONPATH", (dir.path() / "path").string());
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path() / "here");
  std::vector<int64_t> first;
  for (const CollectResult& result : collect(statements)) first.push_back(result.counts.empty() ? 0 : result.counts[0]);

  // Each time in another order, too, with other surroundings, and at last in an environment at another place
  // without byte code.
  const auto expect_the_same = [&](std::vector<size_t> order) {
    std::vector<TimerArgs> asked;
    for (const size_t i : order) asked.push_back(statements[i]);
    const auto results = collect(asked);
    for (size_t i = 0; i < order.size(); ++i)
      EXPECT_EQ(results[i].counts, std::vector<int64_t>{first[order[i]]}) << asked[i].stmt;
  };
  std::vector<size_t> order(statements.size());
  std::iota(order.begin(), order.end(), 0u);
  int files = 0;
  for (const int wanted : {1, 4, 16, 1000}) {
    SCOPED_TRACE(wanted);
    for (; files < wanted; ++files)
      for (const char* folder : {"path", "here"}) save_file(dir.path() / folder / fmt::format("file_{}.py", files), "");
    options_.environment.set("USER", std::string(static_cast<size_t>(files % 30), 'u'));
    std::mt19937 random(static_cast<unsigned>(wanted));
    std::shuffle(order.begin(), order.end(), random);
    if (wanted == 1000) {
      const std::filesystem::path home = dir.path() / std::string(80, 'e') / "environment";
      ASSERT_TRUE(copy_environment(python_, home));
      options_.toolchain.python = home / "bin" / std::filesystem::path(python_).filename();
    }
    expect_the_same(order);
  }
  expect_the_same({order.back()});
  std::filesystem::current_path(before);
}

TEST_F(TorchKindsTest, PythonWithTorchIsTheSameEverywhere) {
  if (python_.empty()) GTEST_SKIP() << "no Python with torch (ICOUNT_PYTHON)";
  options_.toolchain.python = python_;
  options_.number = 100;
  options_.slope = false;
  options_.repeats = 2;
  const ScratchDir dir;
  ASSERT_TRUE(write_files(dir.path()));
  std::vector<TimerArgs> statements = {statement(Language::kPython, "y = x * w", kPythonTensors),
                                       statement(Language::kPython, "y = x.sum()", kPythonTensors),
                                       statement(Language::kPython, "y = (x * w).sum()",
                                                 "x = torch.ones((4, 4), requires_grad=True); w = torch.ones((4, 4))"),
                                       statement(Language::kPython, "y = m(x[:1, :1])", "assert x.sum().item() == 15")};
  statements[2].backward = "y";
  statements[3].globals = {CopyIfCallgrind::tensor_file("x", (dir.path() / "x.pt").string()),
                           CopyIfCallgrind::module_file("m", (dir.path() / "m.pt").string())};
  const auto first = collect(statements);
  for (const CollectResult& result : first) {
    ASSERT_EQ(result.counts.size(), 2u);
    EXPECT_EQ(result.counts[0], result.counts[1]) << statements[result.index].stmt;
  }
  EXPECT_NE(first[0].fingerprint.find("LibTorch"), nullptr);

  options_.repeats = 1;
  options_.environment.set("ICOUNT_TEST_LONG", std::string(1000, 'x'));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const auto second = collect(std::vector<TimerArgs>(statements.rbegin(), statements.rend()));
  std::filesystem::current_path(before);
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(first[i].counts[0], second[first.size() - 1 - i].counts[0]) << statements[i].stmt;
}

}  // namespace
}  // namespace icount
