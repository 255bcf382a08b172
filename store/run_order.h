// In which order runs follow each other: by time, but never a commit before its parent, whatever the clocks said. Pure;
// store/history.h returns its runs in this order.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "icount/store/history.h"

namespace icount {

// Which commits come from which, as far as that is known: the parents that runs were stored with, and those that a
// repository at hand tells (inputs/git_commit.h). Time says nothing of it: the run before may be of another branch.
// Pure.

class Ancestry {
 public:
  /// A commit's parents, none of a root commit. What is told first stays.
  void add(const std::string& commit, const std::vector<std::string>& parents) { parents_.emplace(commit, parents); }

  struct Predecessor {
    enum class Kind {
      kFound,
      kNone,    ///< no ancestor has one
      kUnknown  ///< perhaps one has: parents are not known
    };
    Kind kind = Kind::kNone;
    std::string commit;  ///< when kFound
    size_t between = 0;  ///< commits on the way to it that have none
  };
  /// The nearest ancestor of `commit` that `is_measured`; of equally near ones the first parent's.
  Predecessor nearest(const std::string& commit, const std::function<bool(const std::string&)>& is_measured) const;

  /// `commit` and its ancestors, as far as they are known.
  struct Line {
    std::set<std::string> commits;
    bool whole = true;  ///< there are no others
  };
  Line line_of(const std::string& commit) const;

 private:
  std::map<std::string, std::vector<std::string>> parents_;
};

/// What the runs themselves tell.
Ancestry stored_ancestry(const std::vector<RunInfo>& runs);

/// When the commit was made, or the run where that is unknown.
int64_t time_of(const RunTag& tag);

/// Sorted by time_of, then the run's own time, then id, except that every run of a commit comes after all runs of those
/// of its ancestors that are reached through parents within `runs`. A circle of parents (no repository has one) is
/// broken.
std::vector<RunInfo> in_history_order(std::vector<RunInfo> runs);

}  // namespace icount
