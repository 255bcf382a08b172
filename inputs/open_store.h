// How commands get at the history: the option --store, which file it means, and the words for one of its runs
// ("@REF"). Used by store, history, diff and whatever else takes a stored run.
#pragma once

#include <string>
#include <string_view>

#include "icount/console/command_spec.h"
#include "icount/store/history.h"

namespace icount {

/// The row of the option table of every command that takes a store.
inline constexpr OptionSpec kStoreOption = {
    "store", "URL",
    "the history: a path, sqlite:PATH or postgresql://... (default: ICOUNT_STORE, else the nearest "
    ".icount/history.sqlite in this folder and its parents)"};

/// The store that --store means here.
StoreUrl chosen_store(const std::string& given, const CommandContext& context);

/// What "@REF[:NAME]" means: REF is #ID, a commit (a hash or its first four characters and more, or what git makes of
/// HEAD~1, a tag), a branch, or a run's name; of several runs the newest. NAME restricts to runs of that name. "@:NAME"
/// is the newest run of that name. Error{kCannotJudge} when there is no such run, Error{kUsage} when REF means several
/// commits.
RunInfo find_run(History& history, std::string_view reference);

/// A run for people: "run #3 (abc1234567, main, nightly)".
std::string describe_run(const RunInfo& run);

}  // namespace icount
