// The icount program and a folder of its own for its files, for tests that run suites as a user does.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/store/result_file.h"
#include "support/places.h"

namespace icount {

inline const std::string kIcount = binary_dir() + "/icount";
inline const std::string kExamples = source_dir() + "/examples/";
inline constexpr Seconds kLimit{280};

inline ProcessSpec icount_spec(std::vector<std::string> words) {
  ProcessSpec spec;
  spec.argv = {kIcount};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.time_limit = kLimit;
  return spec;
}

inline ProcessOutcome icount(std::vector<std::string> words) { return run_process(icount_spec(std::move(words))); }

class SuiteRunTest : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    save_file(scratch_.path() / name, text);
    return scratch_.path() / name;
  }
  std::string out() const { return (scratch_.path() / "out.json").string(); }
  std::vector<Result> results() const { return load_result_file(out()).file.results; }

  ScratchDir scratch_;
};

}  // namespace icount
