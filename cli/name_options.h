// Options OLD=NEW that rewrite names of functions, the same in every command that has one. The rules themselves are
// stats/name_rules.h.
#pragma once

#include <optional>
#include <string_view>

#include "icount/console/options.h"
#include "icount/stats/name_rules.h"

namespace icount {

/// One rule: `text` is split at its first '=' that no backslash escapes. The title is the whole text. Error{kUsage}
/// without such a '=' and for an empty OLD.
NameRule parse_name_rule(std::string_view text);

/// All rules of the repeated option `option`, in their order; nullopt when it is not given. What is wrong is noted for
/// parsed.check().
std::optional<NameRules> read_name_rules(const ParsedOptions& parsed, std::string_view option);

}  // namespace icount
