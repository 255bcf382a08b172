// What a suite is made of, as its author writes it: PyTorch's GroupedStmts, GroupedModules, GroupedVariants and
// plain TimerArgs in a nested map of labels. Built in C++ or read from TOML (suite/definition_file.h); suite/labels.h
// flattens it, suite/expand.h makes runnable benchmarks of it. Start here.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "icount/base/problems.h"
#include "icount/harness/timer_args.h"
#include "icount/suite/bench_task.h"
#include "icount/suite/program_task.h"

namespace icount {

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
