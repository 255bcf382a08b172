// What a suite takes from the world: packages of pkg-config and CMake, a Python with torch, models that Python scripts.
// Real packages where they are installed; Python is a script that answers as it would.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/scratch_dir.h"
#include "icount/suite/library_flags.h"
#include "icount/suite/python_torch.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class LibraryTest : public ::testing::Test {
 protected:
  LibraryTest() {
    options_.environment = Environment({"PATH=/usr/local/bin:/usr/bin:/bin"});
    options_.cache_dir = scratch_.path() / "cache";
    library_.torch = false;
  }

  ToolchainOptions flags() { return add_library_flags(library_, options_); }

  std::string message_of_flags() {
    try {
      flags();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kTool);
      return error.what();
    }
    return "no error";
  }

  /// A program that answers with `script`.
  std::string program(const std::string& name, const std::string& script) {
    const fs::path path = scratch_.path() / name;
    save_file(path, "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  ScratchDir scratch_;
  LibrarySpec library_;
  LibraryFlagsOptions options_;
};

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST_F(LibraryTest, FlagsStandInTheOrderLibraryPackagesCaller) {
  library_.include_dirs = {"/opt/mine/../mine/include"};
  library_.flags = {"-DMINE"};
  library_.link_flags = {"-lm"};
  options_.toolchain.cxxflags = {"-DCALLER"};
  options_.toolchain.link_flags = {"-lcaller"};
  const ToolchainOptions found = flags();
  EXPECT_EQ(found.cxxflags, (std::vector<std::string>{"-I/opt/mine/include", "-DMINE", "-DCALLER"}));
  EXPECT_EQ(found.link_flags, (std::vector<std::string>{"-lm", "-lcaller"}));
}

TEST_F(LibraryTest, StandardAndBuildTypeComeFirstSoThatFlagsWin) {
  library_.compiler = "clang++";
  library_.standard = "c++17";
  library_.build_type = "Debug";
  library_.flags = {"-O1"};
  EXPECT_EQ(flags().compiler, "clang++");
  EXPECT_EQ(flags().cxxflags, (std::vector<std::string>{"-std=c++17", "-O0", "-UNDEBUG", "-O1"}));
  options_.toolchain.compiler = "g++";
  EXPECT_EQ(flags().compiler, "g++") << "what the command line asks for";
}

TEST_F(LibraryTest, APkgConfigPackageGivesItsFlags) {
  if (find_program("pkg-config").empty()) GTEST_SKIP() << "no pkg-config here";
  const fs::path folder = scratch_.path() / "packages";
  fs::create_directories(folder);
  save_file(
      folder / "mine.pc",
      "Name: mine\nDescription: d\nVersion: 1.2\nCflags: -I/opt/mine/include -DMINE=1\nLibs: -L/opt/mine/lib -lmine\n");
  options_.environment.set("PKG_CONFIG_PATH", folder.string());
  library_.pkg_config = {"mine >= 1.0"};
  const ToolchainOptions found = flags();
  EXPECT_TRUE(has(found.cxxflags, "-DMINE=1"));
  EXPECT_TRUE(has(found.link_flags, "-lmine"));
  library_.pkg_config = {"mine >= 9"};
  EXPECT_EQ(
      message_of_flags().find("looking for the pkg-config package \"mine >= 9\" of the suite: `pkg-config --cflags"),
      0u)
      << message_of_flags();
}

TEST_F(LibraryTest, ARealPkgConfigPackageIsFound) {
  if (find_program("pkg-config").empty()) GTEST_SKIP() << "no pkg-config here";
  library_.pkg_config = {"zlib"};
  EXPECT_TRUE(has(flags().link_flags, "-lz"));
}

TEST_F(LibraryTest, ARealCmakePackageIsFoundAndAMissingOneNamed) {
  if (find_program("cmake").empty() || find_program("make").empty()) GTEST_SKIP() << "no cmake and make here";
  library_.cmake_packages = {{"fmt", {}, {"fmt::fmt"}}};
  const ToolchainOptions found = flags();
  EXPECT_TRUE(std::any_of(found.link_flags.begin(), found.link_flags.end(), [](const std::string& word) {
    return word.find("libfmt") != std::string::npos;
  })) << "the library itself";
  library_.cmake_packages = {{"NoSuchPackage", {}, {"no::such"}}};
  const std::string message = message_of_flags();
  EXPECT_EQ(message.find("looking for the CMake package \"NoSuchPackage\" of the suite: "), 0u) << message;
  EXPECT_NE(message.find("NoSuchPackageConfig.cmake"), std::string::npos) << "what CMake said";
}

TEST_F(LibraryTest, SourcesBecomeObjectsAndABrokenOneIsNamed) {
  save_file(scratch_.path() / "good.cc", "int good() { return 1; }\n");
  library_.sources = {scratch_.path() / "good.cc"};
  const ToolchainOptions found = flags();
  ASSERT_EQ(found.link_flags.size(), 1u);
  EXPECT_TRUE(fs::exists(found.link_flags[0]));
  EXPECT_EQ(flags().link_flags, found.link_flags) << "from the cache, by content";
  save_file(scratch_.path() / "bad.cc", "int bad() { return nothing; }\n");
  library_.sources = {scratch_.path() / "bad.cc"};
  const std::string message = message_of_flags();
  EXPECT_EQ(message.find("cannot compile " + (scratch_.path() / "bad.cc").string() + " of the suite's [library]:"), 0u)
      << message;
  EXPECT_NE(message.find("nothing"), std::string::npos);
}

TEST_F(LibraryTest, APythonWithTorchIsKnownByItsAnswer) {
  ToolchainOptions toolchain;
  toolchain.python = program("python3", "echo /somewhere/python3; echo 9.9.0\n");
  const auto found = probe_python_torch(toolchain, options_.environment);
  const PythonTorch* python = std::get_if<PythonTorch>(&found);
  ASSERT_TRUE(python);
  EXPECT_EQ(python->python, "/somewhere/python3");
  EXPECT_EQ(python->version, "9.9.0");
}

TEST_F(LibraryTest, ThePythonBesideALibTorchIsTaken) {
  fs::create_directories(scratch_.path() / "venv/bin");
  fs::create_directories(scratch_.path() / "venv/lib/python3.11/site-packages/torch");
  program("venv/bin/python3", "echo beside; echo 1\n");
  ToolchainOptions toolchain;
  toolchain.torch_dir = (scratch_.path() / "venv/lib/python3.11/site-packages/torch").string();
  const auto found = probe_python_torch(toolchain, options_.environment);
  ASSERT_TRUE(std::holds_alternative<PythonTorch>(found)) << std::get<std::string>(found);
  EXPECT_EQ(std::get<PythonTorch>(found).python, "beside");
  // The virtual environment itself, as --torch takes it.
  save_file(scratch_.path() / "venv/pyvenv.cfg", "");
  toolchain.torch_dir = (scratch_.path() / "venv").string();
  const auto found_in = probe_python_torch(toolchain, options_.environment);
  ASSERT_TRUE(std::holds_alternative<PythonTorch>(found_in)) << std::get<std::string>(found_in);
  EXPECT_EQ(std::get<PythonTorch>(found_in).python, "beside");
}

TEST_F(LibraryTest, WithoutTorchTheInterpretersOwnWordsAreTheReason) {
  ToolchainOptions toolchain;
  toolchain.python =
      program("python3", "echo 'Traceback:' >&2; echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1\n");
  const auto found = probe_python_torch(toolchain, options_.environment);
  ASSERT_TRUE(std::holds_alternative<std::string>(found));
  EXPECT_EQ(
      std::get<std::string>(found),
      toolchain.python +
          " has no torch (ModuleNotFoundError: No module named 'torch'); name a Python that has one with --python");
}

std::vector<Benchmark> with_models(const std::vector<fs::path>& paths) {
  std::vector<Benchmark> all(paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    all[i].model.emplace();
    all[i].model->py_source = "model = " + std::to_string(i);
    all[i].model->path = paths[i];
  }
  return all;
}

TEST_F(LibraryTest, ModelsThatAreThereNeedNoPythonAndOneFailureIsOnlyItsOwn) {
  const fs::path there = scratch_.path() / "models/there.pt", bad = scratch_.path() / "models/bad.pt",
                 good = scratch_.path() / "models/good.pt";
  fs::create_directories(there.parent_path());
  save_file(there, "a saved model");
  save_file(there.string() + ".sum", content_hash("a saved model"));
  EXPECT_TRUE(save_models(with_models({there}), {"/nonexistent/python", ""}, options_.environment).empty());
  // One model's own print must not be mistaken for an answer.
  const std::string python =
      program("python3", "cat > '" + (scratch_.path() / "request").string() + "'; echo 'a print of a model'\n" +
                             "echo model > '" + good.string() + "'\n" + "echo '{\"target\": \"" + good.string() +
                             "\", \"error\": null}'\n" + "echo '{\"target\": \"" + bad.string() +
                             "\", \"error\": \"RuntimeError: no\"}'\n");
  const ModelFailures failures = save_models(with_models({there, bad, good}), {python, ""}, options_.environment);
  EXPECT_EQ(failures, (ModelFailures{{bad, "Python could not script the model: RuntimeError: no"}}));
  const std::string request = load_text(scratch_.path() / "request");
  EXPECT_NE(request.find("model = 1"), std::string::npos);
  EXPECT_EQ(request.find("model = 0"), std::string::npos) << "it is there";
}

TEST_F(LibraryTest, APythonThatDiesFailsTheModelsItDidNotAnswerFor) {
  const fs::path path = scratch_.path() / "models/a.pt";
  const ModelFailures failures =
      save_models(with_models({path}), {program("python3", "cat > /dev/null; echo out of memory >&2; exit 3\n"), ""},
                  options_.environment);
  ASSERT_TRUE(failures.contains(path));
  EXPECT_NE(failures.at(path).find("scripting the model: "), std::string::npos) << failures.at(path);
  EXPECT_NE(failures.at(path).find("out of memory"), std::string::npos) << failures.at(path);
}

}  // namespace
}  // namespace icount
