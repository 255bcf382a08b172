#include "icount/gate/hunk_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/console/terminal.h"
#include "icount/gate/base_build.h"
#include "icount/gate/git_worktree.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class Prover {
 public:
  Prover(const fs::path& inside, const ProofBuild& build, const CommitSources& commits, const fs::path& worktrees,
         CommandContext& context, Mine& mine)
      : inside_(inside),
        build_(build),
        commits_(commits),
        worktrees_(worktrees),
        context_(context),
        mine_(mine),
        prefix_(git_output(inside, {"rev-parse", "--show-prefix"})),
        left_(build.most_builds),
        counter_(build.time_limit_s, build.count, context) {}

  void prove() {
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const std::string& reference = side == 0 ? build_.base : build_.head;
      const GitWorktree tree(inside_, reference.empty() ? "HEAD" : reference, worktrees_);
      if (reference.empty()) tree.apply_uncommitted(inside_);
      prepare(side, tree.path());
      if (side == 0) learn_other_side();
      for (MineUnit& unit : mine_.units)
        if (may_matter(unit)) prove_unit(side, tree.path(), unit);
      if (side == 0) prove_others(tree.path());
    }
    sum_up();
  }

 private:
  /// Whether hunks only include further headers: they do nothing alone, and others need them.
  bool only_includes(const std::vector<uint32_t>& hunks) const {
    return std::all_of(hunks.begin(), hunks.end(), [&](uint32_t h) {
      const DiffHunk& hunk = commits_.diff.hunks[h];
      return hunk.removed.empty() && std::all_of(hunk.added.begin(), hunk.added.end(), [](const std::string& line) {
               const std::string_view text = trim(line);
               return text.empty() || text.starts_with("#include");
             });
    });
  }

  /// What has a part of the change, or acts without being executed.
  bool may_matter(const MineUnit& unit) const {
    return !only_includes(unit.hunks) &&
           (unit.delta != 0 || unit.is_executed || std::any_of(unit.hunks.begin(), unit.hunks.end(), [&](uint32_t h) {
              return !mine_.hunks[h].macro.empty() || !mine_.hunks[h].type.empty() || !mine_.hunks[h].data.empty();
            }));
  }

  /// Where something is left outside of the diff, the other units, too, as far as head's builds leave room.
  void prove_others(const fs::path& tree) {
    const auto of_head =
        std::count_if(mine_.units.begin(), mine_.units.end(), [&](const MineUnit& unit) { return may_matter(unit); });
    for (MineUnit& unit : mine_.units)
      if (mine_.outside.delta != 0 && left_ > of_head && !unit.proof && !only_includes(unit.hunks))
        prove_unit(0, tree, unit);
  }

  /// Builds the side itself, for what it prints, and so that mixtures compile what they change alone.
  void prepare(size_t side, const fs::path& tree) {
    say(side == 0 ? "base" : "head");
    run_build_command(build_.build, tree, scratch_.path() / "none.icount", side == 0 ? "base" : "head", context_);
    counter_.learn(program_in(tree));
  }

  /// Head's output is needed for base's mixtures, too.
  void learn_other_side() {
    const GitWorktree tree(inside_, build_.head.empty() ? "HEAD" : build_.head, worktrees_);
    if (build_.head.empty()) tree.apply_uncommitted(inside_);
    prepare(1, tree.path());
  }

  void say(const std::string& what) {
    StatusLine progress(context_.err, context_.error_terminal);
    progress.say(fmt::format("proving: building {}", what));
  }

  MixtureProgram program_in(const fs::path& tree) const { return {build_.program, tree / prefix_}; }

  void prove_unit(size_t side, const fs::path& tree, MineUnit& unit) {
    UnitProof& proof = unit.proof ? *unit.proof : unit.proof.emplace();
    const std::string what = side == 0 ? "base with these hunks alone" : "head without these hunks";
    std::string why_not;
    if (left_ <= 0) {
      why_not = fmt::format("{} was not built: --prove {} allows no more", what, build_.most_builds);
    } else {
      --left_;
      say(what);
      const std::optional<int64_t> count = count_mixture(side, tree, unit, what, why_not);
      if (count && side == 0) proof.alone = checked_sub(*count, build_.base_count, "a unit's part");
      if (count && side == 1) proof.after_others = checked_sub(build_.head_count, *count, "a unit's part");
    }
    if (proof.why_not.empty()) proof.why_not = std::move(why_not);
  }

  std::optional<int64_t> count_mixture(size_t side, const fs::path& tree, const MineUnit& unit, const std::string& what,
                                       std::string& why_not) {
    const std::map<fs::path, std::optional<std::string>> before = mix(side, tree, unit, why_not);
    std::optional<int64_t> count;
    if (why_not.empty()) {
      const auto build = [&] {
        GitWorktree::remove_built(tree / prefix_, build_.program[0]);
        run_build_command(build_.build, tree, scratch_.path() / "none.icount", what, context_);
      };
      count = counter_.count(program_in(tree), what, build, why_not);
    }
    for (const auto& [path, text] : before) put(path, text);
    return count;
  }

  static void put(const fs::path& path, const std::optional<std::string>& text) {
    if (text) {
      fs::create_directories(path.parent_path());
      save_file(path, *text);
    } else {
      fs::remove(path);
    }
  }

  /// Writes the unit's hunks of the other side, and in base further includes; returns what was there.
  std::map<fs::path, std::optional<std::string>> mix(size_t side, const fs::path& tree, const MineUnit& unit,
                                                     std::string& why_not) const {
    const Diff& diff = commits_.diff;
    std::vector<bool> chosen(diff.hunks.size(), false);
    for (const uint32_t h : unit.hunks) chosen[h] = true;
    if (side == 0)
      for (const MineUnit& other : mine_.units)
        if (only_includes(other.hunks))
          for (const uint32_t h : other.hunks) chosen[h] = true;
    std::set<uint32_t> files;
    for (uint32_t h = 0; h < chosen.size(); ++h)
      if (chosen[h]) files.insert(diff.hunks[h].file);
    std::map<fs::path, std::optional<std::string>> before, after;
    for (const uint32_t file : files) {
      const std::string &here = diff.files[file].path(side), &there = diff.files[file].path(1 - side);
      std::optional<std::string> text;
      if (!here.empty()) text = load_text(tree / here);
      const auto mixed = other_text(diff, file, side, text.value_or(""), chosen);
      if (!mixed) {
        why_not = fmt::format("{} has other lines than the diff says", here.empty() ? there : here);
        return {};
      }
      if (!here.empty()) before.emplace(tree / here, text);
      if (!there.empty()) {
        if (there != here) before.emplace(tree / there, std::nullopt);
        after[tree / there] = *mixed;
      }
      if (!here.empty() && there != here) after.try_emplace(tree / here, std::nullopt);
    }
    for (const auto& [path, text] : after) put(path, text);
    return before;
  }

  void sum_up() {
    int64_t left = mine_.delta;
    bool is_proved = false;
    for (const MineUnit& unit : mine_.units) {
      if (!unit.proof && !may_matter(unit)) continue;
      if (!unit.proof || !unit.proof->alone) return;
      left = checked_sub(left, *unit.proof->alone, "interaction");
      is_proved = true;
    }
    if (is_proved) mine_.interaction = left;
  }

  const fs::path& inside_;
  const ProofBuild& build_;
  const CommitSources& commits_;
  const fs::path& worktrees_;
  CommandContext& context_;
  Mine& mine_;
  std::string prefix_;
  int64_t left_;
  ScratchDir scratch_{"icount-proof"};
  MixtureCounter counter_;
};

}  // namespace

void prove_units(const fs::path& inside, const ProofBuild& build, const CommitSources& commits,
                 const fs::path& worktrees, CommandContext& context, Mine& mine) {
  if (!mine.units.empty()) Prover(inside, build, commits, worktrees, context, mine).prove();
}

}  // namespace icount
