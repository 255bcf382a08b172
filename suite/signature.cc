#include "icount/suite/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "icount/base/text.h"

namespace icount {
namespace {

bool is_name(std::string_view text) {
  auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  auto other = [&](unsigned char c) { return letter(c) || std::isdigit(c); };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin() + 1, text.end(), other);
}

}  // namespace

std::string Signature::arg_list() const { return fmt::format("{}", fmt::join(args, ", ")); }

Signature parse_signature(std::string_view text, std::vector<std::string>& problems) {
  constexpr std::string_view kHead = "f(";
  constexpr std::string_view kArrow = ") -> ";
  Signature signature;
  if (text.empty()) return signature;
  signature.given = true;
  auto fail = [&](const std::string& why) {
    problems.push_back(fmt::format("signature \"{}\": {}; the form is \"f(x, w) -> y\", or \"-> None\"", text, why));
    return signature;
  };
  if (!text.starts_with(kHead)) return fail("does not start with \"f(\"");
  size_t arrow = text.rfind(kArrow);
  if (arrow == std::string_view::npos || arrow < kHead.size()) return fail("has no \") -> \"");
  std::string_view args = text.substr(kHead.size(), arrow - kHead.size());
  std::string_view output = trim(text.substr(arrow + kArrow.size()));
  if (output.find(',') != std::string_view::npos) return fail("has more than one output, only one is possible");
  if (!is_name(output)) return fail(fmt::format("the output \"{}\" is not a name", output));
  if (output != "None") signature.output = output;
  if (trim(args).empty()) return signature;
  for (std::string_view piece : split(args, ',')) {
    std::string_view arg = trim(piece);
    if (!is_name(arg)) return fail(fmt::format("the argument \"{}\" is not a name", arg));
    signature.args.emplace_back(arg);
  }
  return signature;
}

}  // namespace icount
