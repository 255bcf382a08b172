#include "icount/harness/lower_statement.h"

#include "icount/harness/globals.h"
#include "icount/harness/torchscript_source.h"

namespace icount {

TimerArgs make_cpp_statement(const TimerArgs& args) {
  if (args.language == Language::kPython) {
    check_globals(args.globals);
    return args;
  }
  TimerArgs out = args;
  if (!args.globals.empty()) {
    const CppGlobals globals = make_cpp_globals(args.globals);
    out.global_setup = globals.global_setup + args.global_setup;
    out.setup = globals.setup + args.setup;
    out.globals.clear();
  }
  if (args.language == Language::kTorchScript) out = make_cpp_of_torchscript(out);
  return out;
}

}  // namespace icount
