// GroupedBenchmark: one definition with everything that can be derived from it worked out (signature parsed, model
// set-up for TorchScript, forward statements of modules), ready for expansion into languages, run times and thread
// counts; and the code that icount derives for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/suite/definitions.h"

namespace icount {

// The labels that expansion itself gives a benchmark: how it runs (eager or TorchScript), with or without backward, and
// in which language. They are part of a benchmark's key.

enum class RuntimeMode { kEager, kJit, kExplicit };
enum class AutogradMode { kForward, kForwardBackward, kExplicit };
enum class AutoLanguage { kPython, kCpp, kProgram };

struct AutoLabels {
  RuntimeMode runtime = RuntimeMode::kEager;
  AutogradMode autograd = AutogradMode::kForward;
  AutoLanguage language = AutoLanguage::kCpp;
  bool operator==(const AutoLabels&) const = default;
};

/// "Eager", "TorchScript", "".
std::string_view to_text(RuntimeMode mode);
/// "Forward", "Forward + Backward", "".
std::string_view to_text(AutogradMode mode);
/// "Python", "C++", "program".
std::string_view to_text(AutoLanguage language);

// Signatures such as "f(x, w) -> y": which variables of the set-up a statement uses and which one it makes. Derived
// models, TorchScript variants and backward all rest on it.

struct Signature {
  bool given = false;
  std::vector<std::string> args;
  std::string output;  ///< empty: the statement makes nothing ("None", or no signature)

  /// "x, w"
  std::string arg_list() const;
};

/// The signature in `text`; `given` is false for an empty text. A text that is none adds one line to `problems`, saying
/// what was found and what the form is, and gives a Signature that is not to be used.
Signature parse_signature(std::string_view text, std::vector<std::string>& problems);

// Code that icount derives: the TorchScript function of a Python statement, calls of a model in both languages, and the
// set-up that makes a compiled model and warms it up. Text in, text out; nothing is run here.

/// The call of `model` (eager) or `jit_model` with the signature's arguments, assigned to its output; with
/// AutogradMode::kForwardBackward a second line calls backward() on the output. JIT in C++ builds the vector
/// `ivalue_inputs` first, as part of what is measured.
std::string model_invocation(const Signature& signature, const AutoLabels& labels);

/// The line that calls backward() on `output`; in JIT C++ the output is an IValue and goes through toTensor().
std::string backward_call(const std::string& output, const AutoLabels& labels);

/// C++: compiles `function` (torchscript_function) with LibTorch's own compiler into `jit_model`, saved to memory and
/// loaded again as PyTorch's artifact is, because a loaded module runs other code than a fresh one. That compiler
/// has operators only: torch.nn.functional.NAME becomes the operator torch.NAME, and normalize, which is none, is given
/// along.
std::string cpp_compiled_model(const std::string& function);
/// C++: loads `jit_model` from a saved module.
/// The path is written 250 bytes long, slashes repeated, so that the heap is the same wherever the folder lies.
std::string cpp_loaded_model(const std::string& path);
/// Python: the same two.
std::string py_compiled_model(const std::string& function);
std::string py_loaded_model(const std::string& path);

/// `stmt` three times in a scope of its own: the executor has settled on its code after the third call.
std::string warm_up(const std::string& stmt, AutoLanguage language);

/// One below the other; an empty text is none.
std::string join_code(const std::string& first, const std::string& second);

/// The includes that the C++ above needs, at file scope.
std::string jit_global_setup();

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
