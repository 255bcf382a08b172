// Statements compiled by an interpreter, and an interpreter asked: natively, without Valgrind.
#include "icount/harness/python_stub.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/harness/globals.h"
#include "icount/harness/stub_client.h"
#include "icount/timer/stub_timing.h"
#include "support/places.h"
#include "support/python_statement.h"

namespace icount {
namespace {

class PythonStubTest : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("python3").empty()) GTEST_SKIP() << "no python3 in PATH";
    if (find_program("g++").empty()) GTEST_SKIP() << "no g++ in PATH";
  }

  PythonStub make(const std::vector<TimerArgs>& statements) {
    std::vector<size_t> all;
    for (size_t i = 0; i < statements.size(); ++i) all.push_back(i);
    BuildCache cache(test_cache());
    return make_python_stub(statements, all, probe_python("python3", false),
                            probe_compiler({.compiler = "g++"}, Environment{}), cache, {.number = 100});
  }

  ScratchDir scratch_;
};

TEST_F(PythonStubTest, TheInterpreterSaysWhatItIs) {
  const PythonInterpreter python = probe_python("python3", false);
  EXPECT_TRUE(python.version.starts_with("3.")) << python.version;
  EXPECT_TRUE(python.path.is_absolute());
  EXPECT_EQ(python.flags().front(), python.minor >= 11 ? "-P" : "-s");
  EXPECT_TRUE(python.torch_version.empty());
}

TEST_F(PythonStubTest, ARelativePathIsTheCallers) {
  EXPECT_EQ(choose_python("python3", Environment{}), "python3");
  EXPECT_EQ(choose_python("e/bin/python", Environment{}), std::filesystem::absolute("e/bin/python").string());
}

TEST_F(PythonStubTest, WhatIsNoInterpreterIsRefusedInWords) {
  auto message_of = [](const std::string& program) {
    try {
      probe_python(program, false);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of("python3-that-is-not-there"),
            "no Python interpreter python3-that-is-not-there; is it installed and in PATH? Name one with --python");
  EXPECT_TRUE(message_of("false").starts_with("cannot use the Python interpreter false: exit status 1"))
      << message_of("false");
}

TEST_F(PythonStubTest, AnOldInterpreterIsRefusedInWords) {
  const auto old = scratch_.path() / "python3.8";
  save_file(old,
            "#!/bin/sh\necho 'icount "
            "{\"implementation\":\"cpython\",\"version\":\"3.8.1\",\"minor\":8,\"build\":\"\",\"executable\":\"x\","
            "\"missing\":\"\",\"torch\":\"\",\"torch_error\":\"\"}'\n");
  std::filesystem::permissions(old, std::filesystem::perms::owner_all);
  try {
    probe_python(old.string(), false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              old.string() + " is Python 3.8.1; Python statements need 3.9 or newer (name another one with --python)");
  }
}

/// A torch of a line that tells when it is imported.
TEST_F(PythonStubTest, TorchIsImportedOnceForEachStateOfItsFiles) {
  const auto folder = scratch_.path() / "packages", log = scratch_.path() / "imports";
  std::filesystem::create_directories(folder / "torch/lib");
  const std::string text = "open('" + log.string() + "', 'a').write('x')\n__version__ = ";
  save_file(folder / "torch/__init__.py", text + "'7.1'\n");
  BuildCache cache(test_cache());
  const std::vector<std::string> path = {folder.string()};
  const auto version = [&] { return probe_python("python3", true, path, &cache).torch_version; };
  EXPECT_EQ(version(), "7.1");
  EXPECT_EQ(version(), "7.1");
  EXPECT_EQ(load_text(log), "x");
  save_file(folder / "torch/__init__.py", text + "'7.2.0'\n");
  EXPECT_EQ(version(), "7.2.0") << "another version";
  save_file(folder / "torch/lib/libtorch_cpu.so", "x");
  EXPECT_EQ(version(), "7.2.0");
  EXPECT_EQ(load_text(log), "xxx") << "another library";
  save_file(folder / "torch/__init__.py", "import no_such_module\n");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(probe_python("python3", true, path, &cache).torch_error,
              "ModuleNotFoundError: No module named 'no_such_module'");
  save_file(folder / "no_such_module.py", "");
  EXPECT_EQ(probe_python("python3", true, path, &cache).torch_error,
            "AttributeError: module 'torch' has no attribute '__version__'")
      << "what can't be imported is asked again";
}

TEST_F(PythonStubTest, AStatementThatDoesNotCompileCostsOnlyItself) {
  const PythonStub stub =
      make({python_statement("a b"), python_statement("y = x + 1", "x = 1"), python_statement("y", "x = 1\nfor"),
            python_statement("break"), python_statement("x = 'a\\n'  # end"), python_statement("\"\"\"a\nb\"\"\"")});
  EXPECT_EQ(stub.statements, (std::vector<size_t>{1, 4, 5}));
  ASSERT_EQ(stub.failures.size(), 3u);
  EXPECT_TRUE(stub.failures[0].error.starts_with("stmt:1:3: invalid syntax")) << stub.failures[0].error;
  EXPECT_NE(stub.failures[0].details.find("    a b\n      ^"), std::string::npos) << stub.failures[0].details;
  EXPECT_TRUE(stub.failures[1].error.starts_with("setup:2:")) << stub.failures[1].error;
  EXPECT_TRUE(stub.failures[2].error.starts_with("stmt:1:1: 'break' outside loop")) << stub.failures[2].error;
}

TEST_F(PythonStubTest, AGlobalDeclarationMayStandInAnUnrolledStatement) {
  EXPECT_TRUE(
      make({python_statement("global total\ntotal = 1"), python_statement("def f():\n    global g\n    g = 1\nf()")})
          .failures.empty());
}

TEST_F(PythonStubTest, ThePlanIsTheSameWhoeverElseIsInIt) {
  const PythonStub alone = make({python_statement("pass"), python_statement("y = [1, 2, 'text']")});
  const PythonStub other = make({python_statement("a, b = 1, 'text'"), python_statement("y = [1, 2, 'text']")});
  const std::string first = load_text(alone.folder.path() / "plan");
  const std::string second = load_text(other.folder.path() / "plan");
  auto record = [](const std::string& plan, size_t benchmark) {
    uint64_t where[2];
    // Three numbers, then the places of the folders and of the empty benchmark.
    memcpy(where, plan.data() + 24 + 16 * (benchmark + 2), sizeof where);
    return plan.substr(where[0], where[1]);
  };
  EXPECT_EQ(record(first, 1), record(second, 1));
  EXPECT_NE(record(first, 0), record(second, 0));
}

TEST_F(PythonStubTest, AWallClockSessionRunsBlocksOfAnySizeEachAfterItsSetup) {
  BuildCache cache(test_cache());
  const std::vector<TimerArgs> statements = {
      python_statement("with open(path, 'a') as file: file.write('run\\n')",
                       "path = '" + (scratch_.path() / "trace").string() + "'\nopen(path, 'a').write('setup\\n')"),
      python_statement("1 / 0")};
  const size_t members[] = {0, 1};
  const PythonStub stub = make_python_stub(statements, members, probe_python("python3", false),
                                           probe_compiler({.compiler = "g++"}, Environment{}), cache, {});
  StubServerSpec spec;
  spec.launcher = stub.prefix;
  spec.program = stub.program;
  spec.surroundings = apply_pins({}, Environment{});
  spec.log = scratch_.path() / "log";
  StubClient server(std::move(spec));
  EXPECT_EQ(server.hello().language, "python");
  EXPECT_EQ(server.hello().benchmarks, 2);
  server.begin_session(0, 1, Seconds(20));
  EXPECT_GT(server.run_block(3, 1, Seconds(20)), 0);
  EXPECT_GT(server.run_block(1, 0, Seconds(20)), 0);
  EXPECT_GE(server.run_block(0, 0, Seconds(20)), 0);
  EXPECT_EQ(server.end_session().status, JobStatus::kDone);
  EXPECT_EQ(load_text(scratch_.path() / "trace"), "setup\nrun\nrun\nrun\nrun\nsetup\nrun\nsetup\n");
  server.begin_session(1, 1, Seconds(20));
  EXPECT_THROW(server.run_block(1, 1, Seconds(20)), StubServerLost);
  const JobOutcome end = server.end_session();
  EXPECT_EQ(end.status, JobStatus::kThrew);
  EXPECT_EQ(end.note, "ZeroDivisionError: division by zero (stmt:1)");
}

TEST_F(PythonStubTest, StatementsOfBothLanguagesAreTimedThroughTheirServers) {
  TimerArgs cpp;
  cpp.torch = false;
  cpp.stmt = "icount::keep(n);";
  cpp.globals = {CopyIfCallgrind::integer("n", 5)};
  StubTimingOptions options;
  options.environment = current_environment();
  options.cache_dir = test_cache();
  options.toolchain.compiler = "g++";
  const std::vector<TimerArgs> statements = {python_statement("y = x + 1", "x = 1"), cpp, python_statement("a b"),
                                             python_statement("undefined_name")};
  const StubTiming timing(statements, options);
  EXPECT_GT(timing.open(0)->run_block(1000), 0);
  EXPECT_GT(timing.open(1)->run_block(1000), 0);
  ASSERT_NE(timing.failure(2), nullptr);
  EXPECT_TRUE(timing.failure(2)->error.starts_with("stmt:1:3: invalid syntax"));
  const auto bad = timing.open(3);
  try {
    bad->run_block(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("NameError: name 'undefined_name' is not defined (stmt:1)"),
              std::string::npos)
        << error.what();
  }
}

TEST(NeedsTorchTest, AWordOrAValueThatOnlyTorchCanLoad) {
  EXPECT_TRUE(needs_torch(python_statement("torch.ones(1)")));
  EXPECT_TRUE(needs_torch(python_statement("y", "import torch as t")));
  EXPECT_FALSE(needs_torch(python_statement("torchlight = my_torch")));
  TimerArgs args = python_statement("x");
  args.globals = {CopyIfCallgrind::tensor_file("x", "x.pt")};
  EXPECT_TRUE(needs_torch(args));
}

}  // namespace
}  // namespace icount
