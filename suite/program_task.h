// A whole program as a benchmark of a suite: one run of a command, or one region of it that the program names itself.
// suite/definition_file reads it from a suite file, suite/program_expansion.h expands it over parameters and
// suite/run_programs.h measures it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace icount {

/// One run of a program. Runs that are equal are one process, whatever is read from it.
struct ProgramRun {
  std::vector<std::string> command;      ///< a name with a slash is a file relative to `folder`
  std::string input;                     ///< file for its standard input, relative to `folder`; empty: an empty one
  std::vector<std::string> environment;  ///< "NAME=VALUE", on top of the pinned block
  std::filesystem::path folder;          ///< working folder; empty: icount's own
  int exit_code = 0;                     ///< what it must end with
  std::vector<std::string> within;       ///< count only these functions and what they call; empty: everything
  std::optional<double> timeout_s;       ///< default: that of the suite
  bool operator==(const ProgramRun&) const = default;
};

struct ProgramTask {
  ProgramRun run;
  std::string region;  ///< a region that the program names (include/icount/region.h); empty: the whole program
  bool operator==(const ProgramTask&) const = default;
};

/// A parameter with its values; "{NAME}" in the texts of a program stands for the value.
struct ProgramParameter {
  std::string name;
  std::vector<std::string> values;
};

/// As its author writes it: one benchmark for each combination of values and each region.
struct GroupedPrograms {
  ProgramRun run;
  std::vector<std::string> regions;  ///< empty: the whole program
  std::vector<ProgramParameter> parameters;
};

}  // namespace icount
