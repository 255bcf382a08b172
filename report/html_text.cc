#include "icount/report/html_text.h"

#include "icount/base/base64.h"
#include "icount/base/text.h"

namespace icount {

std::string escape_html(std::string_view text) {
  std::string out;
  for (char c : escape_for_terminal(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string policy_hash(std::string_view sha256_hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < sha256_hex.size(); i += 2)
    bytes += static_cast<char>(digit(sha256_hex[i]) * 16 + digit(sha256_hex[i + 1]));
  return "'sha256-" + to_base64(bytes) + "'";
}

}  // namespace icount
