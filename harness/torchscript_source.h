// TorchScript statements as C++ ones: LibTorch compiles the source, or loads the saved module, in the set-up; the
// statement is the call. Pure (but for the .pt, which becomes part of the program). After it harness/stub_source knows
// no TorchScript.
#pragma once

#include <string_view>

#include "icount/harness/timer_args.h"

namespace icount {

/// Behind each name that a statement reads, in the set-up: a compiler that does not know the name shows this line, and
/// harness/compiler_messages tells it in the user's words.
inline constexpr std::string_view kTorchScriptReads = " // TorchScript: ";

/// The C++ statement with its set-up. `args.module_path` empty: args.stmt is source text
/// (harness/torchscript_function.h). Otherwise args.stmt is a call of the module, "x, w" (forward), "METHOD(x, w)" or
/// "out = METHOD(x, w)", the arguments C++ expressions. Called three times in the set-up, for the executor optimises
/// during the first two calls. args.backward names the output, then a tensor.
TimerArgs make_cpp_of_torchscript(const TimerArgs& args);

}  // namespace icount
