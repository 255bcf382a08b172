// What a suite is made of, as its author writes it: PyTorch's GroupedStmts, GroupedModules, GroupedVariants and plain
// TimerArgs, whole programs and benchmark binaries, in a nested map of labels. Built in C++ or read from TOML
// (suite/definition_file.h); suite/labels.h flattens it, suite/expand.h makes runnable benchmarks of it. Start here.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "icount/base/problems.h"
#include "icount/harness/bench_hooks.h"
#include "icount/harness/timer_args.h"

namespace icount {

// A whole program as a benchmark: one run of a command, or one region of it that the program names itself. Expanded
// over its parameters with the labels, measured by suite/run_programs.h.

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

// A benchmark binary in a suite, and one case of it. The cases are known when the binary is built: the suite file gives
// one BenchTask without a case, suite/bench_cases.h makes one of it for each case and counts them.

/// A binary of `icount bench` (docs/bench.md) or `icount tests` (docs/tests.md) and how its cases are counted.
struct BenchBinary {
  CaseKind kind = CaseKind::kBenchmarks;
  std::vector<std::string> command;      ///< the binary and its arguments; a name with a slash is relative to `folder`
  std::filesystem::path folder;          ///< working folder; empty: icount's own
  std::vector<std::string> environment;  ///< "NAME=VALUE", on top of the pinned block
  std::string filter;                    ///< regular expression on names of cases; empty: all
  std::string functions;                 ///< a pattern of functions, in place of a framework's cases
  std::optional<int64_t> number;         ///< iterations of the larger region; default: by the cost of one
  std::optional<double> timeout_s;       ///< for one case; default: that of the suite
  bool operator==(const BenchBinary&) const = default;
};

struct BenchTask {
  BenchBinary binary;
  std::vector<std::string> case_label;  ///< as the framework names it; empty: all cases, not listed yet
  std::string failure;                  ///< why the cases could not be listed
};

/// Path of label parts: ["Pointwise", "Math", "add"].
using Label = std::vector<std::string>;

/// Code that runs before the statements; all texts are dedented. `global_setup` is C++ at file scope.
struct GroupedSetup {
  std::string py_setup;
  std::string cpp_setup;
  std::string global_setup;
};

/// A statement in Python, C++ or both; an empty text means: not in this language.
/// With `torchscript`, the Python statement and the signature give a function that LibTorch compiles.
struct GroupedStmts {
  std::string py_stmt;
  std::string cpp_stmt;
  GroupedSetup setup;
  std::string signature;  ///< "f(x, w) -> y"; needed for torchscript and autograd
  bool torchscript = false;
  bool autograd = false;
  std::vector<int> num_threads = {1};
};

/// Code that makes a variable `model`; the statements call it as the signature says.
struct GroupedModules {
  std::string py_model_setup;
  std::string cpp_model_setup;
  GroupedSetup setup;
  std::string signature;  ///< needed
  bool torchscript = false;
  bool autograd = false;
  std::vector<int> num_threads = {1};
};

/// Blocks in which every line is a benchmark and "# @NAME" (or "// @NAME") lines name them; see suite/variants.h.
struct GroupedVariants {
  std::string py_block;
  std::string cpp_block;
  GroupedSetup setup;  ///< before the blocks' own @SETUP
  std::vector<int> num_threads = {1};
};

struct Entry;

/// Entries in the order in which they are to be run.
struct Definitions {
  std::vector<Entry> entries;

  /// Adds an entry under one key, a path of keys or, with an empty Label, no key of its own. Returns *this.
  template <typename Value>
  Definitions& add(Label key, Value&& value, Place place = {});
  template <typename Value>
  Definitions& add(std::string key, Value&& value, Place place = {});
};

using Definition =
    std::variant<TimerArgs, GroupedStmts, GroupedModules, GroupedVariants, GroupedPrograms, BenchBinary, Definitions>;

struct Entry {
  Label key;
  Definition value;
  Place place;
};

template <typename Value>
Definitions& Definitions::add(Label key, Value&& value, Place place) {
  entries.push_back(Entry{std::move(key), std::forward<Value>(value), std::move(place)});
  return *this;
}

template <typename Value>
Definitions& Definitions::add(std::string key, Value&& value, Place place) {
  return add(Label{std::move(key)}, std::forward<Value>(value), std::move(place));
}

}  // namespace icount
