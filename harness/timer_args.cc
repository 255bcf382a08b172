#include "icount/harness/timer_args.h"

#include <fmt/format.h>

#include "icount/base/error.h"

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

}  // namespace icount
