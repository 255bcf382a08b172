#include "icount/fuzzer/parameter_value.h"

#include <fmt/format.h>

namespace icount {
namespace {

struct TextOf {
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return '"' + value + '"'; }
  std::string operator()(const ParameterAlias& alias) const { return "alias of " + alias.to; }
};

}  // namespace

std::string to_text(const ParameterValue& value) { return std::visit(TextOf{}, value); }

}  // namespace icount
