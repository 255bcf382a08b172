#include "icount/inputs/git_commit.h"

#include <set>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/harness/build_cache.h"

namespace icount {
namespace {

/// What git printed; nullopt when it failed or is not there.
std::optional<std::string> run_git(std::vector<std::string> arguments, const std::filesystem::path& folder,
                                   std::string input = {}) {
  ProcessSpec spec;
  spec.input = std::move(input);
  spec.max_output_bytes = size_t{1} << 28;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_dir = folder;
  spec.time_limit = Seconds(20);
  try {
    const ProcessOutcome outcome = run_process(spec);
    return outcome.ok() && !outcome.output_cut ? std::optional(outcome.output) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<CommitInfo> probe_commit(const std::string& revision, const std::filesystem::path& folder) {
  if (revision.empty() || revision.starts_with('-')) return std::nullopt;
  const auto output =
      run_git({"log", "-1", "--no-show-signature", "--format=%H%n%P%n%ct%n%s", revision + "^{commit}", "--"}, folder);
  if (!output) return std::nullopt;
  const std::vector<std::string_view> lines = split(*output, '\n');
  if (lines.size() < 4) return std::nullopt;
  CommitInfo commit{
      .hash = std::string(lines[0]), .unix_time = parse_int64(lines[2]).value_or(0), .subject = std::string(lines[3])};
  if (!lines[1].empty())
    for (const std::string_view parent : split(lines[1], ' ')) commit.parents.emplace_back(parent);
  return commit;
}

std::string probe_branch(const std::filesystem::path& folder) {
  const auto output = run_git({"symbolic-ref", "--quiet", "--short", "HEAD"}, folder);
  return output ? std::string(trim(*output)) : std::string();
}

std::map<std::string, std::string> probe_branches(const std::vector<std::string>& commits, const std::string& range,
                                                  const std::filesystem::path& folder) {
  const std::string before = range.substr(0, range.find(".."));
  std::vector<std::string> branches;
  const auto add_lines = [&](const std::optional<std::string>& output) {
    if (output)
      for (const std::string_view line : split_lines(*output)) branches.emplace_back(line);
  };
  add_lines(run_git({"for-each-ref", "--format=%(symref:lstrip=3)", "refs/remotes/origin/HEAD"}, folder));
  branches.insert(branches.end(), {"main", "master", range.substr(range.rfind('.') + 1), probe_branch(folder)});
  add_lines(run_git({"for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"}, folder));
  std::map<std::string, std::string> found;
  for (const std::string& branch : branches)
    for (const char* where : {"refs/heads/", "refs/remotes/origin/"}) {
      if (branch.empty() || found.size() == commits.size()) continue;
      std::vector<std::string> words = {"rev-list", "--first-parent", where + branch};
      if (!before.empty()) words.insert(words.end(), {"--not", before});
      words.emplace_back("--");
      const std::string listed = run_git(words, folder).value_or("");  // where there is no such branch: nothing
      const std::vector<std::string_view> lines = split_lines(listed);
      const std::set<std::string_view> own(lines.begin(), lines.end());
      for (const std::string& commit : commits)
        if (own.contains(commit)) found.emplace(commit, branch);
    }
  return found;
}

Ancestry load_ancestry(const std::vector<RunInfo>& runs, const std::filesystem::path& folder) {
  Ancestry ancestry = stored_ancestry(runs);
  std::set<std::string> measured;
  for (const RunInfo& run : runs)
    if (!run.tag.commit.hash.empty()) measured.insert(run.tag.commit.hash);
  const auto is_measured = [&](const std::string& commit) { return measured.contains(commit); };
  size_t open = 0;
  for (const std::string& commit : measured)
    open += ancestry.nearest(commit, is_measured).kind == Ancestry::Predecessor::Kind::kUnknown;
  if (open == 0) return ancestry;
  std::string question;
  for (const std::string& commit : measured) question += commit + "^{commit}\n";
  const auto known = run_git({"cat-file", "--batch-check=%(objectname)"}, folder, question);
  if (!known) return ancestry;
  std::string commits;
  for (const std::string_view line : split_lines(*known))
    if (is_measured(std::string(line))) commits += std::string(line) + "\n";  // else "HASH missing"
  const auto shallow = run_git({"rev-parse", "--is-shallow-repository"}, folder);
  const auto listed = commits.empty() ? std::nullopt : run_git({"rev-list", "--parents", "--stdin"}, folder, commits);
  if (!listed) return ancestry;
  for (const std::string_view line : split_lines(*listed)) {
    const std::vector<std::string_view> words = split(line, ' ');
    // The oldest commits of a shallow clone seem to have no parents.
    if (words.size() == 1 && shallow && trim(*shallow) == "true") continue;
    ancestry.add(std::string(words[0]), {words.begin() + 1, words.end()});
  }
  return ancestry;
}

std::filesystem::path make_worktrees_folder(const Environment& environment) {
  return make_folder_in_cache(default_cache_dir(environment), kWorktreesFolder);
}

}  // namespace icount
