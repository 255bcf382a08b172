#include "icount/harness/timer_args.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/harness/globals.h"
#include "icount/harness/torchscript_source.h"

namespace icount {
std::string_view to_text(Language language) {
  switch (language) {
    case Language::kCpp:
      return "c++";
    case Language::kTorchScript:
      return "torchscript";
    case Language::kPython:
      return "python";
  }
  return "";
}

Language parse_language(std::string_view text) {
  if (text == "c++" || text == "cpp") return Language::kCpp;
  if (text == "torchscript") return Language::kTorchScript;
  if (text == "python" || text == "py") return Language::kPython;
  throw Error(ErrorKind::kUsage, fmt::format("unknown language '{}'; use c++, torchscript or python", text));
}

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
