#include "icount/harness/cpp_literal.h"

#include <fmt/format.h>

namespace icount {

std::string cpp_string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?')
      out += fmt::format("\\{}", c);
    else if (byte < 32 || byte > 126)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace icount
