// One scenario of the command line, as a text file: what is typed, what must come out. tests/cli/usage.test is a short
// one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// One command of a scenario with what it must print.
struct ScenarioStep {
  std::string command;  ///< for /bin/sh, in a scratch folder, with icount in PATH, $DATA = tests/testdata, $SUPPORT =
                        ///< tests/support
  std::string expected_out, expected_err;
  int expected_exit = 0;
  size_t line = 0;
};

struct ScenarioFile {
  std::string name, content;
};

struct Scenario {
  std::vector<std::string> needs;  ///< valgrind, compiler
  std::vector<ScenarioFile> files;
  std::vector<ScenarioStep> steps;
};

/// Throws std::runtime_error "NAME:LINE: ..." for a crooked scenario.
Scenario parse_scenario(std::string_view text, std::string_view name);

/// Whether `actual` is what `pattern` says: "[...]" stands for anything within a line, a line that consists of it for
/// any number of lines.
bool matches(std::string_view pattern, std::string_view actual);

}  // namespace icount
