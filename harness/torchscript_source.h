// TorchScript statements as C++ ones: LibTorch compiles the source, or loads the saved module, in the set-up; the statement
// is the call. Pure (but for the .pt, which becomes part of the program). After it harness/stub_source knows no TorchScript.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/timer_args.h"

namespace icount {

/// A function in TorchScript, ready for torch::jit::compile.
struct TorchScriptFunction {
  std::string source;
  std::string name;                     ///< the function to call
  std::vector<std::string> parameters;  ///< those without a default value; the set-up (C++) has variables of these names
};

/// A text with `def` at the beginning of a line is taken as it is: called is forward or model where there is one, else the
/// last function. Any other text becomes the body of `def forward(...)`: its parameters are the names that it reads before it
/// assigns them (torch and what is called by its bare name aside), all tensors; it returns `output`, else what its last line
/// assigns or computes. Error{kUsage} when there is nothing to return.
TorchScriptFunction make_torchscript_function(std::string_view text, std::string_view output = {});

/// The C++ statement with its set-up. `args.module_path` empty: args.stmt is source text as above. Otherwise args.stmt is a call
/// of the module, "x, w" (forward), "METHOD(x, w)" or "out = METHOD(x, w)", the arguments C++ expressions. Called three times in
/// the set-up, for the executor optimises during the first two calls. args.backward names the output, then a tensor.
TimerArgs make_cpp_of_torchscript(const TimerArgs& args);

}  // namespace icount
