#include "icount/cli/name_options.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/callgraph/graph_sum.h"

namespace icount {
namespace {

/// The first '=' behind an even number of backslashes; npos when there is none.
size_t find_separator(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;  // and what it escapes
    else if (text[at] == '=')
      return at;
  }
  return std::string_view::npos;
}

}  // namespace

NameRule parse_name_rule(std::string_view text) {
  const size_t at = find_separator(text);
  if (at == std::string_view::npos) throw Error(ErrorKind::kUsage, fmt::format("'{}' has no '='; write OLD=NEW", text));
  if (at == 0)
    throw Error(ErrorKind::kUsage, fmt::format("'{}' has nothing before its '='; write OLD=NEW, and \\= for a '=' that "
                                               "belongs to OLD",
                                               text));
  return {.title = std::string(text),
          .pattern = std::string(text.substr(0, at)),
          .replacement = std::string(text.substr(at + 1))};
}

std::optional<NameRules> read_name_rules(const ParsedOptions& parsed, std::string_view option) {
  std::vector<NameRule> rules;
  bool all_good = true;
  for (const std::string& text : parsed.texts(option)) {
    try {
      const NameRules alone({parse_name_rule(text)});
      rules.push_back(alone.rules()[0]);
    } catch (const Error& error) {
      parsed.problem(fmt::format("--{}: {}", option, error.what()));
      all_good = false;
    }
  }
  if (rules.empty() || !all_good) return std::nullopt;
  return NameRules(std::move(rules));
}

FunctionFilter read_function_filter(const ParsedOptions& parsed) {
  try {
    return {parsed.texts("filter"), parsed.has("denoise")};
  } catch (const Error& error) {
    parsed.problem(fmt::format("--filter: {}", error.what()));
    return {};
  }
}

CostGraph transformed(const CostGraph& graph, const NameRules& rules) {
  CostGraph copy = graph;
  rename_functions(copy, [&](std::string_view name) { return rules.apply(name); });
  return copy;
}

}  // namespace icount
