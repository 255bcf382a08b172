// How far a benchmark moved before at commits that executed none of their lines: what the compiler alone does to it.
// `icount diff` and the gate ask the history where such a commit moves the count again.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/mine/attribution.h"
#include "icount/stats/result.h"
#include "icount/store/history.h"
#include "icount/store/run_order.h"

namespace icount {

class PastMoves {
 public:
  /// `store`: as --store has it. `inside`: any folder of the repository. `now`: what git knows the commit by that is
  /// looked at, which is none of those before; empty: it has none.
  PastMoves(std::string store, std::filesystem::path inside, std::string now, const CommandContext& context);
  ~PastMoves();

  /// The same where a hunk is executed, nothing moved or no history is there (which is said where one was asked for);
  /// else with `past`: of the steps that moved the benchmark most from one measured commit to the next, the first whose
  /// hunks were not executed either.
  std::shared_ptr<const Mine> add_to(std::shared_ptr<const Mine> mine, const std::string& key);

 private:
  struct Step;
  void open();
  bool is_asked_for() const;
  std::vector<Step> steps(const std::string& key);
  std::optional<PastMove> judge(const Step& step, const std::string& key);
  const ResultFile& file_of(int64_t run);

  const std::string store_;
  const std::filesystem::path inside_;
  const std::string now_;
  const CommandContext& context_;
  bool is_opened_ = false;
  std::optional<History> history_;
  std::vector<RunInfo> runs_;
  Ancestry ancestry_;
  std::map<int64_t, ResultFile> files_;                                                  // by run
  std::map<std::pair<std::string, std::string>, std::optional<CommitSources>> sources_;  // by commits
};

}  // namespace icount
