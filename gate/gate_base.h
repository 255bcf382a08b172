// The base of a gate: a saved result, another commit measured now, or a run of a history with what went before it.
// Called by command_gate.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/stats/result.h"

namespace icount {

/// At most one of baseline, reference and against is given.
struct BaseOptions {
  std::string baseline;   ///< file
  std::string reference;  ///< git's name of a commit
  std::string build;      ///< shell command for it
  std::string against;    ///< STORE[:NAME]

  bool given() const { return !baseline.empty() || !reference.empty() || !against.empty(); }
};

struct BaseSide {
  std::string name;
  ResultFile file;
  /// Totals of the history's runs up to the base, oldest first, by result_key; only from a history.
  std::optional<std::map<std::string, std::vector<int64_t>>> history;
};

/// "STORE:NAME" -> both; the part behind the last ':' is a name unless it has a slash. "STORE" -> no name.
std::pair<std::string, std::string> split_store_name(const std::string& against);

/// `suite`: the suite of head, measured for a reference. Error{kCannotJudge} when a history has no such run.
BaseSide load_base(const BaseOptions& options, const std::string& suite, const std::vector<std::string>& suite_words,
                   CommandContext& context);

}  // namespace icount
