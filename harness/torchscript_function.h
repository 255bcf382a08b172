// A TorchScript statement as a function: which names it reads, which one it returns. Pure; harness/torchscript_source.h
// makes a C++ statement of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// A function in TorchScript, ready for torch::jit::compile.
struct TorchScriptFunction {
  std::string source;
  std::string name;  ///< the function to call
  std::vector<std::string>
      parameters;  ///< those without a default value; the set-up (C++) has variables of these names
};

/// A text with `def` at the beginning of a line is taken as it is: called is forward or model where there is one, else
/// the last function. Any other text becomes the body of `def forward(...)`: its parameters are the names that it reads
/// before it assigns them (torch and what is called by its bare name aside), all tensors; it returns `output`, else
/// what its last line assigns or computes. Error{kUsage} when there is nothing to return.
TorchScriptFunction make_torchscript_function(std::string_view text, std::string_view output = {});

}  // namespace icount
