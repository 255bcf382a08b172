// --affected RESULT --base-ref COMMIT, of commands that count many things: what executes nothing that changed is left
// out (mine/affected.h).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"

namespace icount {

inline constexpr OptionSpec kAffectedOption = {
    "affected", "RESULT",
    "count only what executes a change since --base-ref, by RESULT of that commit, and what RESULT does not have"};
inline constexpr OptionSpec kAffectedBaseOption = {"base-ref", "COMMIT",
                                                   "with --affected: the commit that RESULT was measured on"};

/// Notes a problem where one of the two is given alone.
void check_affected(const ParsedOptions& parsed);

/// The keys of what RESULT has and is not affected; says how many, and why there are none. `thing`: "test". Empty where
/// nothing is asked for.
std::set<std::string> find_left_out(const ParsedOptions& parsed, std::string_view thing, CommandContext& context);

}  // namespace icount
