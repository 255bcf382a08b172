// Options that rewrite names of functions or choose among them, the same in every command that has one. The rules
// themselves are stats/name_rules.h and stats/name_rules.h.
#pragma once

#include <optional>
#include <string_view>

#include "icount/callgraph/cost_graph.h"
#include "icount/console/options.h"
#include "icount/stats/name_rules.h"

namespace icount {

/// One rule: `text` is split at its first '=' that no backslash escapes. The title is the whole text. Error{kUsage}
/// without such a '=' and for an empty OLD.
NameRule parse_name_rule(std::string_view text);

/// All rules of the repeated option `option`, in their order; nullopt when it is not given. What is wrong is noted for
/// parsed.check().
std::optional<NameRules> read_name_rules(const ParsedOptions& parsed, std::string_view option);

inline constexpr OptionSpec kTransformOption = {
    "transform", "OLD=NEW",
    "replace what the regular expression OLD matches in names of functions by NEW (\\1 to \\9 are groups); functions "
    "whose names become equal are added up",
    true};
inline constexpr OptionSpec kFilterOption = {
    "filter", "REGEX", "show only functions in whose name REGEX is found, after --transform", true};
inline constexpr OptionSpec kDenoiseOption = {
    "denoise", "", "leave CPython's dictionary look-up out of the table, as torch.utils.benchmark's denoise() does"};

/// --filter and --denoise. What is wrong is noted for parsed.check().
FunctionFilter read_function_filter(const ParsedOptions& parsed);

/// A copy of `graph` with the names that `rules` give.
CostGraph transformed(const CostGraph& graph, const NameRules& rules);

}  // namespace icount
