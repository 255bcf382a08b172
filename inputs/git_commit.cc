#include "icount/inputs/git_commit.h"

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// What git printed; nullopt when it failed or is not there.
std::optional<std::string> run_git(std::vector<std::string> arguments, const std::filesystem::path& folder) {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_dir = folder;
  spec.time_limit = Seconds(20);
  try {
    const ProcessOutcome outcome = run_process(spec);
    return outcome.ok() ? std::optional(outcome.output) : std::nullopt;
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

}  // namespace icount
