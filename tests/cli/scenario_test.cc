// Runs every tests/cli/*.test against the built program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "cli/scenario.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenario_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(source_dir()) / "tests/cli"))
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

constexpr bool is_sanitized() {
#if defined(__has_feature)
  return __has_feature(address_sanitizer);
#else
  return false;
#endif
}

/// "plain build": the scenario spends its time in compilers and Valgrind, where sanitizers of icount find nothing.
bool is_here(const std::string& need) {
  if (need == "plain build") return !is_sanitized();
  if (need == "compiler") return !find_program("clang++").empty() || !find_program("g++").empty();
  return !find_program(need).empty();
}

/// `errors` without the lines of a Valgrind that tried another name for a temporary file: one that was killed at its
/// start leaves a file named by its process id, which a later one with that id meets.
std::string without_retries(std::string errors) {
  for (size_t at; (at = errors.find("VG_(mkstemp): failed to create temp file")) != std::string::npos;) {
    const size_t begin = errors.rfind('\n', at) + 1;  // 0 in the first line
    const size_t end = errors.find('\n', at);
    errors.erase(begin, end == std::string::npos ? end : end + 1 - begin);
  }
  return errors;
}

/// The build cache of all scenarios of this process, at a place of its own: a precompiled header belongs to its place.
/// Each scenario finds in it what a first statement leaves behind, and nothing of another scenario.
class SeededCache {
 public:
  SeededCache() {
    int in_use = -1;  // stays open until the process ends
    for (int place = 0; in_use < 0 || flock(in_use, LOCK_EX | LOCK_NB) != 0; ++place) {
      folder_ = fs::path(binary_dir()) / ("scenario-cache-" + std::to_string(place));
      fs::create_directories(folder_);
      in_use = open((folder_ / "in_use").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    const fs::path list = folder_ / "seed";
    if (fs::exists(list))
      for (const std::string_view name : split_lines(load_text(list))) seed_.emplace(name);
    reset();
    ProcessSpec spec;
    spec.argv = {(fs::path(binary_dir()) / "icount").string(), "count", "--no-torch", "--stmt", "icount::keep(1);"};
    spec.environment = std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + folder_.string(),
                                                "ICOUNT_CACHE=" + folder_.string(), "LC_ALL=C"};
    run_process(spec);
    std::string names;
    for (const auto& entry : fs::directory_iterator(folder_ / "entries")) {
      seed_.insert(entry.path().filename());
      names += entry.path().filename().string() + "\n";
    }
    save_file(list, names);
  }

  const fs::path& folder() const { return folder_; }

  void reset() {
    fs::create_directories(folder_ / "entries");
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.is_directory() && entry.path().filename() != "entries") fs::remove_all(entry.path());
    for (const auto& entry : fs::directory_iterator(folder_ / "entries"))
      if (!seed_.contains(entry.path().filename())) fs::remove_all(entry.path());
  }

 private:
  fs::path folder_;
  std::set<fs::path> seed_;
};

ProcessOutcome run_step(const ScenarioStep& step, const fs::path& dir, const fs::path& cache) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", step.command};
  spec.working_dir = dir;
  const std::string source = source_dir();
  spec.environment = std::vector<std::string>{"PATH=" + binary_dir() + ":/usr/local/bin:/usr/bin:/bin",
                                              "HOME=" + dir.string(),
                                              "ICOUNT_CACHE=" + cache.string(),
                                              "LC_ALL=C",
                                              "DATA=" + source + "/tests/testdata",
                                              "SUPPORT=" + source + "/tests/support"};
  // scripts/coverage: what icount itself reaches counts, too, and no profile of it lies in the scenario's folder.
  if (const char* const profile = std::getenv("LLVM_PROFILE_FILE"))
    spec.environment->push_back(std::string("LLVM_PROFILE_FILE=") + profile);
  spec.time_limit = Seconds(1200);
  ProcessOutcome outcome = run_process(spec);
  outcome.errors = without_retries(std::move(outcome.errors));
  return outcome;
}

class ScenarioTest : public testing::TestWithParam<fs::path> {};

TEST_P(ScenarioTest, PrintsWhatItShould) {
  const fs::path& file = GetParam();
  const Scenario scenario = parse_scenario(load_text(file), file.filename().string());
  for (const std::string& need : scenario.needs)
    if (!is_here(need)) GTEST_SKIP() << "no " << need << " on this machine";
  const ScratchDir dir;
  for (const ScenarioFile& input : scenario.files) save_file(dir.path() / input.name, input.content);
  ASSERT_FALSE(scenario.steps.empty()) << file << " has no command";
  static SeededCache cache;
  cache.reset();
  for (const ScenarioStep& step : scenario.steps) {
    const ProcessOutcome outcome = run_step(step, dir.path(), cache.folder());
    const std::string where = file.filename().string() + ":" + std::to_string(step.line) + ": $ " + step.command;
    EXPECT_EQ(outcome.end, ProcessOutcome::End::kExited) << where << ": " << describe_end(outcome);
    EXPECT_EQ(outcome.exit_code, step.expected_exit) << where << "\nstderr:\n" << outcome.errors;
    EXPECT_TRUE(matches(step.expected_out, outcome.output)) << where << "\n--- expected stdout\n"
                                                            << step.expected_out << "--- actual\n"
                                                            << outcome.output;
    EXPECT_TRUE(matches(step.expected_err, outcome.errors)) << where << "\n--- expected stderr\n"
                                                            << step.expected_err << "--- actual\n"
                                                            << outcome.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, ScenarioTest, testing::ValuesIn(scenario_files()), [](const auto& info) {
  std::string name = info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(ScenarioFormatTest, PatternsMatchWithinAndAcrossLines) {
  EXPECT_TRUE(matches("a\n[...]\nz\n", "a\nb\nc\nz\n"));
  EXPECT_TRUE(matches("a\n[...]\nz\n", "a\nz\n"));
  EXPECT_TRUE(matches("x [...] y\n", "x 12 y\n"));
  EXPECT_FALSE(matches("x [...] y\n", "x 12\n"));
  EXPECT_FALSE(matches("", "something\n"));
  EXPECT_FALSE(matches("a\n", ""));
}

TEST(ScenarioFormatTest, ARetryOfValgrindIsNoWordOfTheCommand) {
  EXPECT_EQ(without_retries("a\n==7== VG_(mkstemp): failed to create temp file: /tmp/x\nb"), "a\nb");
  EXPECT_EQ(without_retries("VG_(mkstemp): failed to create temp file: /tmp/x"), "");
  EXPECT_EQ(without_retries("a\nb\n"), "a\nb\n");
}

TEST(ScenarioFormatTest, CrookedFilesAreRefused) {
  EXPECT_THROW(parse_scenario("--- stdout\n", "x"), std::runtime_error);
  EXPECT_THROW(parse_scenario("$ true\n--- stdut\n", "x"), std::runtime_error);
  EXPECT_THROW(parse_scenario("stray\n", "x"), std::runtime_error);
}

}  // namespace
}  // namespace icount
