#include "icount/gate/object_proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/console/terminal.h"
#include "icount/objects/relocatable.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

bool is_object(std::string_view word) {
  return !word.starts_with('-') && (word.ends_with(".o") || word.ends_with(".obj") || word.ends_with(".a"));
}

class Relinker {
 public:
  Relinker(const RelinkOptions& options, CommandContext& context)
      : options_(options), context_(context), counter_(options.time_limit_s, options.count, context) {
    find_folders();
    compare_objects();
  }

  ObjectParts prove() {
    if (!differing_.empty()) {
      check_sides();
      prove_pieces();
    }
    return std::move(parts_);
  }

 private:
  [[noreturn]] static void fail(ErrorKind kind, const std::string& what) { throw Error(kind, "--relink: " + what); }

  /// The program that the command names after -o, taken off a side's path, leaves the folder that it was linked in.
  void find_folders() {
    const auto option = std::find(options_.link.begin(), options_.link.end(), "-o");
    if (option == options_.link.end() || option + 1 == options_.link.end())
      fail(ErrorKind::kUsage, "the command that linked both programs is needed, with -o PROGRAM");
    output_ = static_cast<size_t>(option + 1 - options_.link.begin());
    const fs::path output = fs::path(options_.link[output_]).lexically_normal();
    for (const size_t side : {0, 1}) {
      const std::string& named = (side == 0 ? options_.base : options_.head).front();
      const fs::path program = fs::weakly_canonical(fs::absolute(named));
      fs::path folder = program;
      for (auto part = output.begin(); part != output.end(); ++part) folder = folder.parent_path();
      if (output.is_absolute() || folder / output != program)
        fail(ErrorKind::kUsage, fmt::format("the command links {} after -o, with which the path of {} does not end",
                                            output.string(), named));
      folders_[side] = folder;
    }
  }

  void compare_objects() {
    std::array<std::map<size_t, RelocatableFile>, 2> files;
    for (size_t i = 0; i < options_.link.size(); ++i) {
      if (!is_object(options_.link[i]) || i == output_) continue;
      for (const size_t side : {0, 1}) {
        const fs::path path = folders_[side] / options_.link[i];
        if (!fs::exists(path)) fail(ErrorKind::kUsage, fmt::format("{}: there is no such file", path.string()));
        RelocatableFile& file = files[side][i] = load_relocatable(path);
        if (file.is_for_link_time)
          fail(ErrorKind::kCannotJudge,
               fmt::format("{}: the linker makes its code (LTO), so objects can't be told apart", path.string()));
      }
      if (files[0][i].content == files[1][i].content)
        ++parts_.equal;
      else
        differing_.push_back(i);
    }
    piece_of_.resize(differing_.size());
    std::iota(piece_of_.begin(), piece_of_.end(), size_t{0});
    std::map<std::string, std::vector<size_t>> users;
    std::set<std::string> changed;
    for (size_t d = 0; d < differing_.size(); ++d)
      for (const size_t side : {0, 1})
        for (const auto& [type, layout] : files[side][differing_[d]].layouts) {
          if (users[type].empty() || users[type].back() != d) users[type].push_back(d);
          const auto& there = files[1 - side][differing_[d]].layouts;
          if (const auto found = there.find(type); found != there.end() && found->second != layout)
            changed.insert(type);
        }
    for (const std::string& type : changed) join(users[type], fmt::format("the layout of `{}` differs", type));
  }

  void join(const std::vector<size_t>& objects, const std::string& why) {
    for (const size_t one : objects) {
      const size_t from = piece_of_[one], to = piece_of_[objects.front()];
      if (from == to) continue;
      std::replace(piece_of_.begin(), piece_of_.end(), from, to);
      std::string& told = together_for_[to];
      if (told.empty()) told = why;
    }
  }

  void say(const std::string& what) {
    StatusLine progress(context_.err, context_.error_terminal);
    progress.say("proving: linking " + what);
  }

  /// Links objects of either side in base's folder, in the order of the command. Error{kCannotJudge} where that fails.
  void link(const std::function<size_t(size_t word)>& side_of) {
    ProcessSpec spec;
    spec.argv = options_.link;
    for (size_t i = 0; i < spec.argv.size(); ++i)
      if (is_object(spec.argv[i])) spec.argv[i] = (folders_[side_of(i)] / spec.argv[i]).string();
    spec.argv[output_] = program_.string();
    spec.working_dir = folders_[0];
    spec.cancelled = context_.cancelled;
    const ProcessOutcome outcome = run_process(spec);
    if (outcome.end == ProcessOutcome::End::kCancelled) throw Error(ErrorKind::kTool, "interrupted");
    if (!outcome.ok())
      fail(ErrorKind::kCannotJudge, fmt::format("linking fails: {}", first_line(trim(outcome.errors))));
  }

  MixtureProgram program(size_t side) const {
    MixtureProgram made{side == 0 ? options_.base : options_.head, fs::current_path()};
    made.argv[0] = program_.string();
    return made;
  }

  void check_sides() {
    for (const size_t side : {0, 1}) {
      say(side == 0 ? "base" : "head");
      link([&](size_t) { return side; });
      counter_.learn(program(side));
      counts_[side] = options_.count(program(side));
    }
    if (counts_[1] - counts_[0] == options_.head_count - options_.base_count) return;
    fail(ErrorKind::kCannotJudge,
         fmt::format("the command links programs that count {} and {}, not {} and {}: is it the one that linked both?",
                     with_thousands(counts_[0]), with_thousands(counts_[1]), with_thousands(options_.base_count),
                     with_thousands(options_.head_count)));
  }

  std::optional<int64_t> count_piece(size_t side, size_t piece, std::string& why_not) {
    const std::string what = side == 0 ? "base with this alone" : "head without this";
    say(what);
    const auto build = [&] {
      link([&](size_t word) {
        const auto at = std::find(differing_.begin(), differing_.end(), word);
        const bool is_of_it =
            at != differing_.end() && piece_of_[static_cast<size_t>(at - differing_.begin())] == piece;
        return is_of_it ? 1 - side : side;
      });
    };
    return counter_.count(program(side), what, build, why_not);
  }

  void prove_pieces() {
    std::map<size_t, UnitProof> proofs;
    for (const bool may_join : {true, false}) {
      std::vector<size_t> unlinked;  // the first object of each
      for (size_t d = 0; d < differing_.size(); ++d) {
        const auto [at, fresh] = proofs.try_emplace(piece_of_[d]);
        if (!fresh) continue;
        UnitProof& proof = at->second;
        if (const auto count = count_piece(0, at->first, proof.why_not)) proof.alone = *count - counts_[0];
        std::string why_not;
        if (const auto count = count_piece(1, at->first, why_not)) proof.after_others = counts_[1] - *count;
        if (!proof.alone && !proof.after_others && proof.why_not.ends_with("does not build")) unlinked.push_back(d);
        if (proof.why_not.empty()) proof.why_not = why_not;
      }
      if (!may_join || unlinked.size() < 2) break;
      for (const size_t d : unlinked) proofs.erase(piece_of_[d]);
      join(unlinked, "none links without the others");
    }
    int64_t left = counts_[1] - counts_[0];
    bool all_counted = true;
    for (auto& [piece, proof] : proofs) {
      ObjectPiece& made = parts_.pieces.emplace_back();
      for (size_t d = 0; d < differing_.size(); ++d)
        if (piece_of_[d] == piece) made.objects.push_back(options_.link[differing_[d]]);
      made.together_for = together_for_[piece];
      all_counted = all_counted && proof.alone;
      left = checked_sub(left, proof.alone.value_or(0), "interaction");
      made.proof = std::move(proof);
    }
    if (all_counted) parts_.interaction = left;
    const auto size = [](const ObjectPiece& piece) { return std::abs(piece.proof.alone.value_or(0)); };
    std::stable_sort(parts_.pieces.begin(), parts_.pieces.end(),
                     [&](const ObjectPiece& a, const ObjectPiece& b) { return size(a) > size(b); });
  }

  const RelinkOptions& options_;
  CommandContext& context_;
  MixtureCounter counter_;
  size_t output_ = 0;                           // word of the link command
  std::array<fs::path, 2> folders_;             // by side
  std::vector<size_t> differing_;               // words
  std::vector<size_t> piece_of_;                // by differing object
  std::map<size_t, std::string> together_for_;  // by piece
  std::array<int64_t, 2> counts_{};
  ScratchDir scratch_{"icount-relink"};
  const fs::path program_ = scratch_.path() / "program";
  ObjectParts parts_;
};

}  // namespace

ObjectParts prove_objects(const RelinkOptions& options, CommandContext& context) {
  return Relinker(options, context).prove();
}

}  // namespace icount
