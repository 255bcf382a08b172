// --affected RESULT --base-ref COMMIT, of commands that count many things: what executes nothing that changed is left
// out (mine/affected.h).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/mine/affected.h"

namespace icount {

inline constexpr OptionSpec kAffectedOption = {
    "affected", "RESULT",
    "count only what executes a change since --base-ref, by RESULT of that commit, and what RESULT does not have"};
inline constexpr OptionSpec kAffectedBaseOption = {"base-ref", "COMMIT",
                                                   "with --affected: the commit that RESULT was measured on (default: "
                                                   "that of a stored one)"};

/// Notes a problem where --base-ref is given alone, or --affected without a commit.
void check_affected(const ParsedOptions& parsed);

struct AffectedRun {
  std::string base;    ///< the commit
  size_t results = 0;  ///< that the run has
  Affected affected;
};

/// What of RESULT, a file or a stored run ("@main"), executes what changed from --base-ref to `head_ref` (empty: the
/// working tree). Error{kUsage} for a stored run of no commit without --base-ref.
AffectedRun load_affected(const ParsedOptions& parsed, const std::string& name, const std::string& head_ref,
                          CommandContext& context);

/// The keys of what RESULT has and is not affected; says how many, and why there are none. `thing`: "test". Empty where
/// nothing is asked for.
std::set<std::string> find_left_out(const ParsedOptions& parsed, std::string_view thing, CommandContext& context);

}  // namespace icount
