// What a statement says in icount's own terms (TorchScript, globals) in terms of plain C++, so that the step after it,
// harness/stub_source, knows set-up and statement alone.
#pragma once

#include "icount/harness/timer_args.h"

namespace icount {

/// The same measurement as C++ text: globals in front of the set-up, TorchScript compiled or loaded there. Python
/// statements are returned as they are (harness/python_stub hands them their globals). Reads the files of tensors and
/// modules. Error{kUsage}, Error{kIo} as check_globals, make_torchscript_function and embed_file say.
TimerArgs make_cpp_statement(const TimerArgs& args);

}  // namespace icount
