// Code that icount derives: the TorchScript function of a Python statement, calls of a model in both languages, and the
// set-up that makes a compiled model and warms it up. Text in, text out; nothing is run here.
#pragma once

#include <string>

#include "icount/suite/autolabels.h"
#include "icount/suite/signature.h"

namespace icount {

/// "def model(x, w):", the statement as body, and a return of the output (of nothing: None).
std::string torchscript_function(const std::string& py_stmt, const Signature& signature);

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

/// The includes that the C++ above needs, at file scope.
std::string jit_global_setup();

}  // namespace icount
