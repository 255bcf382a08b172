// GroupedBenchmark: one definition with everything that can be derived from it worked out (signature parsed, model
// set-up for TorchScript, forward statements of modules), ready for expansion into languages, run times and thread
// counts.
#pragma once

#include <string>
#include <vector>

#include "icount/suite/definitions.h"
#include "icount/suite/signature.h"

namespace icount {

struct GroupedBenchmark {
  std::string py_fwd_stmt;   ///< empty: not in Python
  std::string cpp_fwd_stmt;  ///< empty: not in C++
  std::string py_model_setup;
  std::string cpp_model_setup;
  bool inferred_model_setup = false;  ///< py_model_setup is the function derived from the statement
  GroupedSetup setup;
  Signature signature;
  bool torchscript = false;
  bool autograd = false;
  std::vector<int> num_threads;
};

/// Texts dedented, the TorchScript function derived. What is wrong is added to `problems`; the result is then not to be
/// used.
GroupedBenchmark make_grouped(const GroupedStmts& stmts, std::vector<std::string>& problems);
GroupedBenchmark make_grouped(const GroupedModules& modules, std::vector<std::string>& problems);

}  // namespace icount
