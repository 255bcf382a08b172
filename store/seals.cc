#include "icount/store/seals.h"

#include <fmt/format.h>

#include <initializer_list>

#include "icount/base/hash.h"

namespace icount {
namespace {

/// Each text with its length, so that none can take characters from its neighbour.
std::string seal_of(std::initializer_list<std::string_view> texts) {
  std::string all;
  all.reserve(512);
  for (const std::string_view text : texts) {
    const fmt::format_int size(text.size());
    all.append(size.data(), size.size()).append(":").append(text).append("\n");
  }
  return content_hash(all);
}

}  // namespace

std::string commit_seal(const CommitInfo& commit) {
  return seal_of(
      {"commit", commit.hash, join_parents(commit), fmt::format_int(commit.unix_time).str(), commit.subject});
}

std::string run_seal(const RunInfo& run, std::string_view identity) {
  return seal_of({"run", fmt::format_int(run.id).str(), identity, run.tag.commit.hash, run.tag.branch, run.tag.name,
                  fmt::format_int(run.tag.unix_time).str(), run.command, fmt::format_int(run.results).str()});
}

std::string join_parents(const CommitInfo& commit) {
  std::string joined;
  for (const std::string& parent : commit.parents) joined += (joined.empty() ? "" : " ") + parent;
  return joined;
}

}  // namespace icount
