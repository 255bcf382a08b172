#include "icount/inputs/open_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/inputs/git_commit.h"
#include "icount/report/history_text.h"

namespace icount {
namespace {

constexpr size_t kLeastHashCharacters = 4;

bool may_be_hash(std::string_view text) {
  return text.size() >= kLeastHashCharacters && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Of runs of one commit prefix: the newest, when they are all of one commit.
std::optional<RunInfo> newest_of_commit(History& history, const std::string& prefix, const std::string& name) {
  const std::vector<RunInfo> runs = history.runs({.name = name, .commit = prefix});
  std::set<std::string> hashes;
  for (const RunInfo& run : runs) hashes.insert(run.tag.commit.hash);
  if (hashes.size() > 1)
    throw Error(ErrorKind::kUsage, fmt::format("@{}: ambiguous, {} commits in {} match: {} and {}; use a longer hash",
                                               prefix, hashes.size(), history.url().text, short_hash(*hashes.begin()),
                                               short_hash(*std::next(hashes.begin()))));
  return runs.empty() ? std::nullopt : std::optional(runs.back());
}

std::optional<RunInfo> find_by_reference(History& history, const std::string& ref, const std::string& name) {
  if (ref.empty()) return history.newest_run({.name = name});
  if (ref.starts_with('#')) {
    const std::optional<int64_t> id = parse_int64(std::string_view(ref).substr(1));
    return id ? history.run(*id) : std::nullopt;
  }
  if (may_be_hash(ref))
    if (auto run = newest_of_commit(history, ref, name)) return run;
  if (auto run = history.newest_run({.name = name, .branch = ref})) return run;
  if (name.empty())
    if (auto run = history.newest_run({.name = ref})) return run;
  if (const auto commit = probe_commit(ref, std::filesystem::current_path()))
    return newest_of_commit(history, commit->hash, name);
  return std::nullopt;
}

}  // namespace

StoreUrl chosen_store(const std::string& given, const CommandContext& context) {
  return find_store(given, context.environment.get("ICOUNT_STORE").value_or(""), std::filesystem::current_path());
}

RunInfo find_run(History& history, std::string_view reference) {
  const std::string_view text = reference.starts_with('@') ? reference.substr(1) : reference;
  const size_t colon = text.find(':');
  const std::string ref(text.substr(0, colon)), name(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (auto run = find_by_reference(history, ref, name)) return std::move(*run);
  throw Error(ErrorKind::kCannotJudge,
              fmt::format("@{}: no such run in {}; `icount store runs` lists them", text, history.url().text));
}

std::string describe_run(const RunInfo& run) {
  std::string place;
  for (const std::string& part : {short_hash(run.tag.commit.hash), run.tag.branch, run.tag.name})
    if (!part.empty()) place += (place.empty() ? "" : ", ") + part;
  return place.empty() ? fmt::format("run #{}", run.id) : fmt::format("run #{} ({})", run.id, place);
}

}  // namespace icount
