// The base of a gate: a saved result, another commit measured now, or a run of a history with what went before it.
// Called by command_gate.cc.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/gate/base_build.h"
#include "icount/stats/result.h"

namespace icount {

/// At most one of baseline, reference and against is given.
struct BaseOptions {
  std::string baseline;         ///< file
  std::string reference;        ///< git's name of a commit
  std::string build;            ///< shell command for it
  std::string against;          ///< STORE[:NAME]
  std::string suite_from = {};  ///< with a reference: the commit whose suite is measured there

  bool given() const { return !baseline.empty() || !reference.empty() || !against.empty(); }
};

struct BaseSide {
  std::string name;
  ResultFile file;
  std::string commit = {};            ///< git's name of it; empty: not known
  bool is_profile = false;            ///< a callgrind.out file
  std::string small_collection = {};  ///< of it, as LoadedProfile has it
  std::string absent;                 ///< the suite file that the measured commit does not have; `file` is then empty
  /// Totals of the history's runs up to the base, oldest first, by result_key; only from a history.
  std::optional<std::map<std::string, std::vector<int64_t>>> history;
};

/// "STORE:NAME" -> both; the part behind the last ':' is a name unless it has a slash. "STORE" -> no name.
std::pair<std::string, std::string> split_store_name(const std::string& against);

/// A base that is there: a saved result or a run of a history. Error{kCannotJudge} when a history has no such run.
BaseSide load_kept_base(const BaseOptions& options, CommandContext& context);

/// Error{kUsage} when git knows no commit options.reference where `suite` is (empty: here); asked before head is
/// measured.
void check_reference(const BaseOptions& options, const std::string& suite);

/// The base that options.reference names, whose worktree `tree` is: the commit's own `suite` (empty: none), measured by
/// `measure`.
BaseSide measure_reference(const GitWorktree& tree, const BaseOptions& options, const std::string& suite,
                           const MeasureSuite& measure, CommandContext& context);

}  // namespace icount
