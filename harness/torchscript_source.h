// TorchScript statements as C++ ones: LibTorch compiles the source, or loads the saved module, in the set-up; the
// statement is the call. Pure (but for the .pt, which becomes part of the program). After it harness/stub_source knows
// no TorchScript.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/timer_args.h"

namespace icount {

// TorchScript as logical lines of tokens: Python's lexical rules as far as names are concerned.

/// A piece of a line, a view into the text: a name, a string, a number, an operator of one or two bytes, or the end of
/// a logical line.
struct TorchScriptToken {
  enum class Kind { kName, kOther, kLineEnd };
  Kind kind = Kind::kOther;
  std::string_view text;
  int depth = 0;          ///< of brackets around it
  bool indented = false;  ///< of the logical line it is in
};

using TorchScriptLine = std::vector<TorchScriptToken>;

/// Whether `c` may stand in a name.
bool is_name_part(char c);

// A TorchScript statement as a function: which names it reads, which one it returns. Pure.

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

/// Behind each name that a statement reads, in the set-up: a compiler that does not know the name shows this line, and
/// harness/compiler_messages tells it in the user's words.
inline constexpr std::string_view kTorchScriptReads = " // TorchScript: ";

/// The C++ statement with its set-up. `args.module_path` empty: args.stmt is source text
/// (harness/torchscript_source.h). Otherwise args.stmt is a call of the module, "x, w" (forward), "METHOD(x, w)" or
/// "out = METHOD(x, w)", the arguments C++ expressions. Called three times in the set-up, for the executor optimises
/// during the first two calls. args.backward names the output, then a tensor.
TimerArgs make_cpp_of_torchscript(const TimerArgs& args);

}  // namespace icount
